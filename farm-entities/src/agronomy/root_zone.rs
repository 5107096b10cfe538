//! The part of the soil that roots reach, for plants and weeds in the `agronomic` equations.

use std::cell::Cell;

use farm_core::math::Bounded;
use farm_core::{Column, Columns, Context};
use farm_roles::{
    ROOTED_AIR, ROOTED_DEPLETION, SATURATION_WATER, SOIL_DEPTH, TOPSOIL_CAPACITY, TOPSOIL_DEPTH, TOPSOIL_SATURATION,
    TOPSOIL_WATER, TOPSOIL_WILTING,
};

use super::laws::ramp;

/// The variables of the soil that plants and weeds read.
#[derive(Columns)]
pub(super) struct SoilLayers {
    #[one(TOPSOIL_WATER)]
    pub(super) topsoil_water: Column<f64>,
    #[one(SATURATION_WATER)]
    pub(super) saturation: Column<f64>,
    #[one(SOIL_DEPTH)]
    pub(super) depth: Column<f64>,
    #[one(TOPSOIL_DEPTH)]
    topsoil_depth: Column<f64>,
    #[one(ROOTED_DEPLETION)]
    depletion: Column<f64>,
    #[one(ROOTED_AIR)]
    air: Column<f64>,
    #[one(TOPSOIL_WILTING)]
    topsoil_wilting: Column<f64>,
    #[one(TOPSOIL_CAPACITY)]
    topsoil_capacity: Column<f64>,
    #[one(TOPSOIL_SATURATION)]
    topsoil_saturation: Column<f64>,
}

/// A field's soil on one day, for plants and weeds. Values that are the same for all plots are computed once.
pub(super) struct SoilToday<'a> {
    topsoil_water: &'a [Cell<f64>],
    depletion: &'a [Cell<f64>],
    air: &'a [Cell<f64>],
    area_m2: f64,
    depth: f64,
    topsoil_depth: f64,
    /// Water in a plot's topsoil at the wilting point, at field capacity and with full pores, in L.
    topsoil: [f64; 3],
}

/// The part of a plot's soil that roots reach.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RootZone {
    /// Its share of the soil depth.
    pub share: f64,
    /// Missing water, as a share of the water that plants can use: 0 at field capacity, 1 at the wilting point.
    pub depletion: f64,
    /// Share of its volume that is air.
    pub air: f64,
}

impl SoilLayers {
    /// The soil under plots of this size.
    #[inline]
    pub(super) fn today<'a>(&self, area_m2: f64, c: &Context<'a>) -> SoilToday<'a> {
        let topsoil = [self.topsoil_wilting, self.topsoil_capacity, self.topsoil_saturation];
        SoilToday {
            topsoil_water: c.get(self.topsoil_water),
            depletion: c.get(self.depletion),
            air: c.get(self.air),
            area_m2,
            depth: c.value(self.depth),
            topsoil_depth: c.value(self.topsoil_depth),
            topsoil: topsoil.map(|column| c.value(column)),
        }
    }
}

impl SoilToday<'_> {
    /// The share of the soil depth that roots of this depth reach: at least the topsoil.
    #[inline]
    pub(super) fn reach(&self, root_depth_m: f64) -> f64 {
        root_depth_m.at_least(self.topsoil_depth).at_most(self.depth) / self.depth
    }

    /// The root zone of a plot, for roots that reach this share of the soil.
    #[inline]
    pub(super) fn root_zone(&self, plot: usize, share: f64) -> RootZone {
        RootZone { share, depletion: self.depletion[plot].get(), air: self.air[plot].get() }
    }

    /// Moisture of a plot's topsoil, from the wilting point (0) to the field capacity (1).
    #[inline]
    pub(super) fn topsoil_moisture(&self, plot: usize) -> f64 {
        let [wilting, full, _] = self.topsoil;
        ramp(self.topsoil_water[plot].get(), wilting, full)
    }

    /// Share of air in the volume of a plot's topsoil.
    #[inline]
    pub(super) fn topsoil_air(&self, plot: usize) -> f64 {
        let [.., saturated] = self.topsoil;
        (saturated - self.topsoil_water[plot].get()) / (1000.0 * self.area_m2 * self.topsoil_depth)
    }

    /// Whether the topsoil holds at least this share of the water that plants can use.
    #[inline]
    pub(super) fn is_topsoil_moist(&self, plot: usize, least: f64) -> bool {
        let [wilting, full, _] = self.topsoil;
        self.topsoil_water[plot].get() >= wilting + least * (full - wilting)
    }
}
