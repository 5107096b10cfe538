//! Pesticides that decay at their own speed instead of the soil's speed, and their shares of the pesticide in the soil.

use farm_core::declare::{Own, PartInfo, VariableInfo, real};
use farm_core::math::Bounded;
use farm_core::math::simd::{each, mapped};
use farm_core::{Column, Context, Declarations, Found, Known};
use farm_roles::{CIDE_KEPT, CIDE_RELEASE, CIDE_RELEASE_OTHERS, CIDE_RELEASE_WEIGHT};

use super::others::{DeclaredFurtherCide, FurtherCide};
use super::{CIDE_TARGETS, MANY, SoilColumns};
use crate::agronomy::rows::{keep, read, write};

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

/// The soil's stock that a release goes to.
#[derive(Clone, Copy)]
enum Stock {
    /// The pesticide against one of [`CIDE_TARGETS`].
    Target(usize),
    /// The weight of all pesticides.
    Residue,
    /// The pesticide against a further target.
    Further(usize),
}

/// All releases of pesticides, each with its part and the stock that it goes to.
fn releases<'k>(known: &Known<'k>, further: &[DeclaredFurtherCide]) -> Vec<(&'k PartInfo, &'k VariableInfo, Stock)> {
    let of =
        |role, stock: Stock| known.declarations(role).into_iter().map(move |(part, release)| (part, release, stock));
    let mut all = Vec::new();
    for (i, role) in CIDE_RELEASE.into_iter().enumerate() {
        all.extend(of(role, Stock::Target(i)));
    }
    all.extend(of(CIDE_RELEASE_WEIGHT, Stock::Residue));
    for (i, (part, release)) in known.declarations(CIDE_RELEASE_OTHERS).into_iter().enumerate() {
        let cide = further.iter().position(|cide| cide.released.contains(&i));
        all.extend(cide.map(|cide| (part, release, Stock::Further(cide))));
    }
    all
}

/// The stocks of each pesticide that has its own speed of decay, in the order of the providers of `CIDE_KEPT`.
pub(super) struct DeclaredOwnDecay(Vec<Vec<Own<f64>>>);

impl DeclaredOwnDecay {
    pub(super) fn new(d: &mut Declarations<'_>, known: &Known<'_>, further: &[DeclaredFurtherCide]) -> Self {
        d.all(CIDE_KEPT);
        let releases = releases(known, further);
        let declare = |(owner, _): (&PartInfo, _)| {
            let mine = releases.iter().filter(|(part, ..)| part.path() == owner.path());
            let stocks = mine.map(|(part, release, _)| {
                let stem = release.name().split('#').next().unwrap_or_default();
                let name = format!("{stem}_of_{}#g", part.path().replace(['.', ' ', '-'], "_"));
                let doc = format!(
                    "Pesticide of `{}` in the plot's soil. It is part of the pesticides of all parts.",
                    part.path()
                );
                d.variable(real(&name, 0.0, MANY, &doc).per_plot().hidden())
            });
            stocks.collect()
        };
        Self(known.declarations(CIDE_KEPT).into_iter().map(declare).collect())
    }

    pub(super) fn bind(
        self,
        found: &Found<'_>,
        columns: &SoilColumns,
        declared: &[DeclaredFurtherCide],
        further: &[FurtherCide],
    ) -> Vec<OwnDecay> {
        let releases = releases(found, declared);
        let of_all = |stock: Stock| match stock {
            Stock::Target(i) => columns.cide.split(CIDE_TARGETS.len() as u32).nth(i),
            Stock::Residue => Some(columns.cide_residue),
            Stock::Further(i) => further.get(i).map(|cide| cide.stock),
        };
        let bind = |((owner, kept), own): ((&PartInfo, &VariableInfo), Vec<Own<f64>>)| {
            let mine = releases.iter().filter(|(part, ..)| part.path() == owner.path());
            let stocks = mine.zip(own).filter_map(|((_, release, stock), own)| {
                Some(OwnStock { released: release.column()?, own: found.get(own), of_all: of_all(*stock)? })
            });
            Some(OwnDecay { kept: kept.column()?, stocks: stocks.collect() })
        };
        found.declarations(CIDE_KEPT).into_iter().zip(self.0).filter_map(bind).collect()
    }
}

impl OwnDecay {
    /// Corrects the decay on the plots in a row. The soil applied the share `usual` to all pesticides, but this pesticide keeps a different
    /// share.
    #[inline(always)]
    pub(super) fn decay<const W: usize>(&self, first: usize, usual: f64, c: &Context<'_>) {
        let kept = c.value(self.kept);
        for stock in &self.stocks {
            let (own, of_all) = (c.get(stock.own), c.get(stock.of_all));
            let (released, all) = (read::<W>(c.get(stock.released), first), read::<W>(of_all, first));
            let before = read::<W>(own, first);
            let before: [f64; W] = each(|k| before[k] + released[k]);
            let left = mapped(before, |before| (kept * before).at_most(MANY));
            write(own, first, left);
            // A difference of rounded numbers: at least the amount of this pesticide.
            let corrected = |k: usize| (all[k] + (kept - usual) * before[k]).at_least(left[k]).at_most(MANY);
            write(of_all, first, each::<_, W>(corrected));
        }
    }

    /// Water washes out the same share of this pesticide as of all pesticides.
    #[inline(always)]
    pub(super) fn wash_out<const W: usize>(&self, first: usize, kept: [f64; W], c: &Context<'_>) {
        for stock in &self.stocks {
            keep(c.get(stock.own), first, kept);
        }
    }
}
