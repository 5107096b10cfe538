//! The pesticides in the soil: they come in, decay and are washed out. All soil equations share this code.

use std::cell::Cell;

use farm_core::math::{exp, powf};
use farm_core::{Column, Context};

use super::others::FurtherCide;
use super::own_decay::OwnDecay;
use super::rows::{keep, read, sums, write};
use super::{Ground, MANY, Soil, SoilColumns};
use crate::agronomy::scatter::holds_any;

/// The pesticides in a field.
pub(super) struct Cides {
    /// Share of a pesticide that remains after a day.
    kept: f64,
    further: Vec<FurtherCide>,
    /// The pesticides with their own speed of decay.
    own: Vec<OwnDecay>,
}

impl Cides {
    pub(super) fn new(p: &Soil, further: Vec<FurtherCide>, own: Vec<OwnDecay>) -> Self {
        Self { kept: powf(0.5, 1.0 / p.cide_half_life), further, own }
    }

    /// Whether the soil may hold any pesticide today.
    #[inline(always)]
    pub(super) fn are_there(&self, columns: &SoilColumns, ground: &Ground<'_>, c: &Context<'_>) -> bool {
        let falls = |releases: &Vec<Column<f64>>| releases.iter().any(|release| holds_any(c.get(*release)));
        holds_any(ground.cide)
            || holds_any(ground.cide_residue)
            || columns.cide_release.iter().any(falls)
            || falls(&columns.cide_release_weight)
            || self.further.iter().any(|cide| holds_any(c.get(cide.stock)) || falls(&cide.released))
    }

    /// Pesticides come in and decay on the plots in a row (II.4 step 4).
    #[inline(always)]
    pub(super) fn take_in<const W: usize>(
        &self,
        first: usize,
        columns: &SoilColumns,
        ground: &Ground<'_>,
        c: &Context<'_>,
    ) {
        let seep = |stocks: &[Cell<f64>], at: usize, release: &[Column<f64>], most: f64| {
            let (stock, falling) = (read::<W>(stocks, at), sums::<W>(release, first, c));
            write(stocks, at, std::array::from_fn::<_, W, _>(|k| ((stock[k] + falling[k]) * self.kept).min(most)));
        };
        for (t, release) in columns.cide_release.iter().enumerate() {
            seep(ground.cide, t * columns.water.len() + first, release, MANY);
        }
        seep(ground.cide_residue, first, &columns.cide_release_weight, MANY);
        for cide in &self.further {
            seep(c.get(cide.stock), first, &cide.released, f64::INFINITY);
        }
        self.own.iter().for_each(|own| own.decay::<W>(first, self.kept, c));
    }

    /// Water with these strengths washes pesticides out of the plots in a row: the share exp(−strength) stays (II.4 step 10).
    #[farm_core::equation("II.4 step 10: leaching")]
    #[inline(always)]
    pub(super) fn wash_out<const W: usize>(
        &self,
        first: usize,
        strength: [f64; W],
        columns: &SoilColumns,
        ground: &Ground<'_>,
        c: &Context<'_>,
    ) {
        if strength.iter().all(|strength| *strength <= 0.0) {
            return;
        }
        let kept = strength.map(|strength| if strength > 0.0 { exp(-strength) } else { 1.0 });
        for t in 0..columns.cide_release.len() {
            keep(ground.cide, t * columns.water.len() + first, kept);
        }
        keep(ground.cide_residue, first, kept);
        self.further.iter().for_each(|cide| keep(c.get(cide.stock), first, kept));
        self.own.iter().for_each(|own| own.wash_out(first, kept, c));
    }
}
