//! Pesticides that decay at their own speed instead of the soil's speed, and their shares of the pesticide in the soil.

use farm_core::declare::real;
use farm_core::{Builder, Column, Context};
use farm_roles::{CIDE_KEPT, CIDE_RELEASE, CIDE_RELEASE_OTHERS, CIDE_RELEASE_WEIGHT};

use super::others::FurtherCide;
use super::rows::{keep, read, write};
use super::{CIDE_TARGETS, MANY, SoilColumns};

/// One such pesticide.
pub(super) struct OwnDecay {
    /// Share of it that remains after a day.
    kept: Column<f64>,
    stocks: Vec<OwnStock>,
}

/// The part of one of the soil's stocks that belongs to this pesticide.
struct OwnStock {
    /// Today's release of this pesticide.
    released: Column<f64>,
    own: Column<f64>,
    /// The soil's stock of all pesticides.
    of_all: Column<f64>,
}

impl OwnDecay {
    /// Declares the stocks of each pesticide that has its own speed of decay.
    pub(super) fn declare_all(b: &mut Builder<'_>, columns: &SoilColumns, further: &[FurtherCide]) -> Vec<Self> {
        let providers = b.all_declared(CIDE_KEPT);
        if providers.is_empty() {
            return Vec::new();
        }
        let mut released = Vec::new();
        for (role, of_all) in CIDE_RELEASE.into_iter().zip(columns.cide.split(CIDE_TARGETS.len() as u32)) {
            released.extend(
                b.all_declared(role).into_iter().map(|(part, variable, column)| (part, variable, column, of_all)),
            );
        }
        let weight = b.all_declared(CIDE_RELEASE_WEIGHT).into_iter();
        released.extend(weight.map(|(part, variable, column)| (part, variable, column, columns.cide_residue)));
        for (part, variable, column) in b.all_declared(CIDE_RELEASE_OTHERS) {
            let cide = further.iter().find(|cide| cide.released.contains(&column));
            released.extend(cide.map(|cide| (part, variable, column, cide.stock)));
        }
        let declare = |(owner, _, kept): (String, _, Column<f64>)| {
            let mine = released.iter().filter(|(part, ..)| *part == owner);
            let stocks = mine.map(|(part, variable, released, of_all)| {
                let stem = variable.name().split('#').next().unwrap_or_default();
                let name = format!("{stem}_of_{}#g", part.replace(['.', ' ', '-'], "_"));
                let doc =
                    format!("Pesticide of `{part}` in the plot's soil. It is part of the pesticides of all parts.");
                let own = b.declare(real(&name, 0.0, MANY, &doc).per_plot().hidden());
                OwnStock { released: *released, own, of_all: *of_all }
            });
            Self { kept, stocks: stocks.collect() }
        };
        providers.into_iter().map(declare).collect()
    }

    /// Corrects the decay on the plots in a row. The soil applied the share `usual` to all pesticides, but this pesticide keeps a different
    /// share.
    #[inline(always)]
    pub(super) fn decay<const W: usize>(&self, first: usize, usual: f64, c: &Context<'_>) {
        let kept = c.value(self.kept);
        for stock in &self.stocks {
            let (own, of_all) = (c.get(stock.own), c.get(stock.of_all));
            let (released, all) = (read::<W>(c.get(stock.released), first), read::<W>(of_all, first));
            let before = read::<W>(own, first);
            let before: [f64; W] = std::array::from_fn(|k| before[k] + released[k]);
            let left = before.map(|before| (kept * before).min(MANY));
            write(own, first, left);
            // A difference of rounded numbers: at least the amount of this pesticide.
            let corrected = |k: usize| (all[k] + (kept - usual) * before[k]).max(left[k]).min(MANY);
            write(of_all, first, std::array::from_fn::<_, W, _>(corrected));
        }
    }

    /// Water washes out the same share of this pesticide as of all pesticides.
    #[inline(always)]
    pub(super) fn wash_out<const W: usize>(&self, first: usize, kept: [f64; W], c: &Context<'_>) {
        self.stocks.iter().for_each(|stock| keep(c.get(stock.own), first, kept));
    }
}
