//! The pesticides in the soil: they come in, decay and are washed out. All soil equations share this code.

use std::cell::Cell;

use farm_core::math::simd::{each, mapped};
use farm_core::math::{Bounded, exp, powf};
use farm_core::{Column, Context};

use super::others::FurtherCide;
use super::own_decay::OwnDecay;
use super::{Ground, MANY, Soil, SoilColumns};
use crate::agronomy::rows::{keep, read, sums, write};
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
        for (t, release) in columns.cide_release.iter().enumerate() {
            let stock = &ground.cide[t * columns.water.len()..];
            self.seep::<W>(stock, first, sums(release, first, c), MANY);
        }
        self.seep::<W>(ground.cide_residue, first, sums(&columns.cide_release_weight, first, c), MANY);
        for cide in &self.further {
            self.seep::<W>(c.get(cide.stock), first, sums(&cide.released, first, c), f64::INFINITY);
        }
        for own in &self.own {
            own.decay::<W>(first, self.kept, c);
        }
    }

    /// A pesticide seeps into the plots in a row, up to `most`, and decays.
    #[inline(always)]
    fn seep<const W: usize>(&self, stock: &[Cell<f64>], first: usize, falling: [f64; W], most: f64) {
        let before = read::<W>(stock, first);
        write(stock, first, each::<_, W>(|k| ((before[k] + falling[k]) * self.kept).at_most(most)));
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
        let kept = mapped(strength, |strength| if strength > 0.0 { exp(-strength) } else { 1.0 });
        for t in 0..columns.cide_release.len() {
            keep(ground.cide, t * columns.water.len() + first, kept);
        }
        keep(ground.cide_residue, first, kept);
        for cide in &self.further {
            keep(c.get(cide.stock), first, kept);
        }
        for own in &self.own {
            own.wash_out(first, kept, c);
        }
    }
}
