//! The cides of the plots: they fall in, decay and are washed out, whatever the equations of the soil.

use std::cell::Cell;

use farm_core::math::{exp, powf};
use farm_core::{Column, Context};

use super::others::FurtherCide;
use super::own_decay::OwnDecay;
use super::{Ground, MANY, Soil, SoilColumns, sum_at};
use crate::agronomy::scatter::holds_any;

/// The cides of a field.
pub(super) struct Cides {
    /// Share of a cide that a day leaves.
    kept: f64,
    further: Vec<FurtherCide>,
    /// Those that decay at a speed of their own.
    own: Vec<OwnDecay>,
}

impl Cides {
    pub(super) fn new(p: &Soil, further: Vec<FurtherCide>, own: Vec<OwnDecay>) -> Self {
        Self { kept: powf(0.5, 1.0 / p.cide_half_life), further, own }
    }

    /// Whether there may be any in the soil today.
    #[inline(always)]
    pub(super) fn are_there(&self, columns: &SoilColumns, ground: &Ground<'_>, c: &Context<'_>) -> bool {
        let falls = |releases: &Vec<Column<f64>>| releases.iter().any(|release| holds_any(c.get(*release)));
        holds_any(ground.cide)
            || holds_any(ground.cide_residue)
            || columns.cide_release.iter().any(falls)
            || falls(&columns.cide_release_weight)
            || self.further.iter().any(|cide| holds_any(c.get(cide.stock)) || falls(&cide.released))
    }

    /// Cides fall in and decay (II.4 step 4).
    #[inline(always)]
    pub(super) fn take_in(&self, plot: usize, columns: &SoilColumns, ground: &Ground<'_>, c: &Context<'_>) {
        let seep = |stock: &Cell<f64>, release: &[Column<f64>]| {
            stock.set(((stock.get() + sum_at(release, plot, c)) * self.kept).min(MANY));
        };
        for (t, release) in columns.cide_release.iter().enumerate() {
            seep(&ground.cide[t * columns.water.len() + plot], release);
        }
        seep(&ground.cide_residue[plot], &columns.cide_release_weight);
        for cide in &self.further {
            let stock = &c.get(cide.stock)[plot];
            stock.set((stock.get() + sum_at(&cide.released, plot, c)) * self.kept);
        }
        self.own.iter().for_each(|own| own.decay(plot, self.kept, c));
    }

    /// Water of this strength washes cides out: exp(−strength) of them stay (II.4 step 10).
    #[inline(always)]
    pub(super) fn wash_out(
        &self,
        plot: usize,
        strength: f64,
        columns: &SoilColumns,
        ground: &Ground<'_>,
        c: &Context<'_>,
    ) {
        if strength > 0.0 {
            let kept = exp(-strength);
            let wash_out = |stock: &Cell<f64>| stock.set(stock.get() * kept);
            ground.cide[plot..].iter().step_by(columns.water.len()).for_each(wash_out);
            wash_out(&ground.cide_residue[plot]);
            for cide in &self.further {
                let stock = &c.get(cide.stock)[plot];
                stock.set(stock.get() * kept);
            }
            self.own.iter().for_each(|own| own.wash_out(plot, kept, c));
        }
    }
}
