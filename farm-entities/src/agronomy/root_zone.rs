//! The part of the soil that roots reach, as plants and weeds see it in the equations `agronomic`.

use farm_core::{Column, Columns, Context};
use farm_roles::{
    SATURATION_WATER, SOIL_DEPTH, SOIL_WATER, TOPSOIL_DEPTH, TOPSOIL_WATER, WATER_CAPACITY, WILTING_WATER,
};

use super::laws::ramp;

/// What those who have roots read of the soil.
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
}

/// The part of a plot's soil that roots reach.
pub(super) struct RootZone {
    /// Its share of the depth of the soil.
    pub share: f64,
    /// Water missing, as a share of what plants can take: 0 at field capacity, 1 at the wilting point.
    pub depletion: f64,
    /// Share of its volume that is air.
    pub air: f64,
}

impl SoilLayers {
    /// What roots of this depth reach on a plot of this size; never less than the topsoil.
    pub(super) fn root_zone(&self, plot: usize, root_depth_m: f64, area_m2: f64, c: &Context<'_>) -> RootZone {
        let (depth, topsoil) = (c.value(self.depth), c.value(self.topsoil_depth));
        let below = depth - topsoil;
        let reach = if below > 0.0 { ((root_depth_m - topsoil) / below).clamp(0.0, 1.0) } else { 0.0 };
        let share = (topsoil + reach * below) / depth;
        let top = c.get(self.topsoil_water)[plot].get();
        let water = top + reach * (c.get(self.water)[plot].get() - top).max(0.0);
        let (full, wilting) = (c.value(self.capacity) * share, c.value(self.wilting) * share);
        let within_reach = full - wilting;
        let depletion = if within_reach > 0.0 { ((full - water) / within_reach).clamp(0.0, 1.0) } else { 1.0 };
        let volume_liters = 1000.0 * area_m2 * depth * share;
        RootZone { share, depletion, air: (c.value(self.saturation) * share - water) / volume_liters }
    }

    /// How moist the topsoil of a plot is, between the wilting point (0) and the field capacity (1), and the share of its volume that is
    /// air.
    pub(super) fn topsoil(&self, plot: usize, area_m2: f64, c: &Context<'_>) -> (f64, f64) {
        let share = c.value(self.topsoil_depth) / c.value(self.depth);
        let water = c.get(self.topsoil_water)[plot].get();
        let moisture = ramp(water, c.value(self.wilting) * share, c.value(self.capacity) * share);
        (moisture, (c.value(self.saturation) * share - water) / (1000.0 * area_m2 * c.value(self.topsoil_depth)))
    }

    /// Whether the topsoil holds at least this share of the water that plants can take from it.
    pub(super) fn is_topsoil_moist(&self, plot: usize, least: f64, c: &Context<'_>) -> bool {
        let share = c.value(self.topsoil_depth) / c.value(self.depth);
        let (full, wilting) = (c.value(self.capacity) * share, c.value(self.wilting) * share);
        c.get(self.topsoil_water)[plot].get() >= wilting + least * (full - wilting)
    }
}
