//! The part of the soil that roots reach, for plants and weeds in the `agronomic` equations.

use std::cell::Cell;

use farm_core::{Column, Columns, Context};
use farm_roles::{
    ROOTED_AIR, ROOTED_DEPLETION, SATURATION_WATER, SOIL_DEPTH, SOIL_WATER, TOPSOIL_CAPACITY, TOPSOIL_DEPTH,
    TOPSOIL_SATURATION, TOPSOIL_WATER, TOPSOIL_WILTING, WATER_CAPACITY, WILTING_WATER,
};

use super::laws::ramp;

/// The variables of the soil that plants and weeds read.
#[derive(Columns)]
pub(super) struct SoilLayers {
    #[one(SOIL_WATER)]
    water: Column<f64>,
    #[one(TOPSOIL_WATER)]
    pub(super) topsoil_water: Column<f64>,
    #[one(SATURATION_WATER)]
    pub(super) saturation: Column<f64>,
    #[one(WATER_CAPACITY)]
    capacity: Column<f64>,
    #[one(WILTING_WATER)]
    wilting: Column<f64>,
    #[one(SOIL_DEPTH)]
    pub(super) depth: Column<f64>,
    #[one(TOPSOIL_DEPTH)]
    topsoil_depth: Column<f64>,
    /// What only a soil of several layers knows.
    #[maybe(ROOTED_DEPLETION)]
    depletion: Option<Column<f64>>,
    #[maybe(ROOTED_AIR)]
    air: Option<Column<f64>>,
    #[maybe(TOPSOIL_WILTING)]
    topsoil_wilting: Option<Column<f64>>,
    #[maybe(TOPSOIL_CAPACITY)]
    topsoil_capacity: Option<Column<f64>>,
    #[maybe(TOPSOIL_SATURATION)]
    topsoil_saturation: Option<Column<f64>>,
}

/// A field's soil on one day, for plants and weeds. Values that are the same for all plots are computed once.
pub(super) struct SoilToday<'a> {
    water: &'a [Cell<f64>],
    topsoil_water: &'a [Cell<f64>],
    area_m2: f64,
    depth: f64,
    topsoil_depth: f64,
    saturation: f64,
    capacity: f64,
    wilting: f64,
    /// Water in a plot's topsoil at the wilting point, at field capacity and with full pores, in L.
    topsoil: [f64; 3],
    /// Depletion and air in the layers with roots, from a soil of several layers.
    rooted: Option<[&'a [Cell<f64>]; 2]>,
}

/// The part of a field's soil that roots of a given depth reach, and the water that this part can hold, in L per plot.
pub(super) struct Reach {
    /// Share of the subsoil.
    below: f64,
    /// Share of the soil depth.
    share: f64,
    full: f64,
    within_reach: f64,
    saturated: f64,
    /// The volume itself.
    liters: f64,
}

/// The part of a plot's soil that roots reach.
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
        let (depth, topsoil_depth) = (c.value(self.depth), c.value(self.topsoil_depth));
        let (saturation, capacity, wilting) = (c.value(self.saturation), c.value(self.capacity), c.value(self.wilting));
        let share = topsoil_depth / depth;
        let own = [self.topsoil_wilting, self.topsoil_capacity, self.topsoil_saturation];
        let even = [wilting, capacity, saturation];
        let rooted = self.depletion.zip(self.air);
        SoilToday {
            water: c.get(self.water),
            topsoil_water: c.get(self.topsoil_water),
            area_m2,
            depth,
            topsoil_depth,
            saturation,
            capacity,
            wilting,
            topsoil: std::array::from_fn(|i| own[i].map_or(even[i] * share, |column| c.value(column))),
            rooted: rooted.map(|(depletion, air)| [c.get(depletion), c.get(air)]),
        }
    }
}

impl SoilToday<'_> {
    /// The part of the soil that roots of this depth reach: at least the topsoil.
    #[inline]
    pub(super) fn reach(&self, root_depth_m: f64) -> Reach {
        let subsoil = self.depth - self.topsoil_depth;
        let below = if subsoil > 0.0 { ((root_depth_m - self.topsoil_depth) / subsoil).clamp(0.0, 1.0) } else { 0.0 };
        let share = (self.topsoil_depth + below * subsoil) / self.depth;
        let (full, wilting) = (self.capacity * share, self.wilting * share);
        let liters = 1000.0 * self.area_m2 * self.depth * share;
        Reach { below, share, full, within_reach: full - wilting, saturated: self.saturation * share, liters }
    }

    /// The root zone of a plot, for roots with this reach.
    #[inline]
    pub(super) fn root_zone(&self, plot: usize, reach: &Reach) -> RootZone {
        if let Some([depletion, air]) = self.rooted {
            return RootZone { share: reach.share, depletion: depletion[plot].get(), air: air[plot].get() };
        }
        let top = self.topsoil_water[plot].get();
        let water = top + reach.below * (self.water[plot].get() - top).max(0.0);
        let missing = reach.full - water;
        let depletion = if reach.within_reach > 0.0 { (missing / reach.within_reach).clamp(0.0, 1.0) } else { 1.0 };
        RootZone { share: reach.share, depletion, air: (reach.saturated - water) / reach.liters }
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
