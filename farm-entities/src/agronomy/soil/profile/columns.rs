//! The state of a profile, in addition to the state that every soil has.

use farm_core::declare::FieldInfo;
use farm_core::declare::{Flow, MassBalance};
use farm_core::{Column, Columns};
use farm_roles::{AIR_TEMPERATURE_MEAN, ROOT_DEPTH, SATURATION_WATER, SOIL_DEPTH, TOPSOIL_DEPTH, TOPSOIL_WATER};

use super::super::{MAX_NUTRIENTS, SoilColumns};
use super::ProfileParameters;
use super::water::evaporable_mm;
use crate::agronomy::laws::organic_matter::CARBON_PER_NITROGEN;

/// The upper limits of the columns.
#[derive(Debug, Clone)]
pub(in crate::agronomy::soil) struct ProfileLimits {
    /// Water in a plot, and in its topsoil, when all pores are full, in L.
    saturation: f64,
    topsoil_saturation: f64,
    depth_m: f64,
    topsoil_m: f64,
    /// Water that can evaporate before the next wetting, in mm.
    pub(super) evaporable_mm: f64,
    /// Maximum grams of N and of C in a plot.
    nitrogen: f64,
    carbon: f64,
}

/// The columns of a profile.
#[derive(Columns)]
#[columns(view = Layered)]
pub(in crate::agronomy::soil) struct ProfileColumns {
    pub(super) limits: ProfileLimits,
    /// Water in the topsoil of the plot. It is part of the water in the plot's soil.
    #[real(name = "topsoil_Water#L", range = 0.0..=limits.topsoil_saturation, per_plot, role = TOPSOIL_WATER)]
    pub(super) topsoil: Column<f64>,
    /// Water that has evaporated from the surface since it was last wet.
    #[real(unit = "mm", range = 0.0..=limits.evaporable_mm, per_plot, hidden)]
    pub(super) evaporated: Column<f64>,
    /// Number of days in a row on which the topsoil had too little air, including this day.
    #[count(name = "wet_days#day", range = 0..=10_000, per_plot, hidden)]
    pub(super) wet_days: Column<i32>,
    /// Nitrogen that humus released during the day.
    #[real(name = "mineralised_N#g.day-1", range = 0.0..=limits.nitrogen, per_plot)]
    pub(super) mineralised: Column<f64>,
    /// Mineral nitrogen that new humus bound during the day.
    #[real(name = "bound_N#g.day-1", range = 0.0..=limits.nitrogen, per_plot)]
    pub(super) bound: Column<f64>,
    /// Carbon from humus and dead matter that microbes respired during the day.
    #[real(name = "respired_C#g.day-1", range = 0.0..=2.0 * limits.carbon, per_plot)]
    pub(super) respired: Column<f64>,
    /// Water of one plot when all its pores are full.
    #[real(name = "saturation_water#L", range = 0.0..=limits.saturation, default = limits.saturation, hidden, role = SATURATION_WATER)]
    _saturation: Column<f64>,
    /// Depth of the soil.
    #[real(name = "soil_depth#m", range = 0.0..=limits.depth_m, default = limits.depth_m, hidden, role = SOIL_DEPTH)]
    _depth: Column<f64>,
    /// Depth of the topsoil.
    #[real(name = "topsoil_depth#m", range = 0.0..=limits.topsoil_m, default = limits.topsoil_m, hidden, role = TOPSOIL_DEPTH)]
    _topsoil_depth: Column<f64>,
    #[one(AIR_TEMPERATURE_MEAN)]
    pub(super) temperature: Column<f64>,
    #[all(ROOT_DEPTH)]
    pub(super) root_depth: Vec<Column<f64>>,
}

impl ProfileLimits {
    /// The limits for a soil with these parameters.
    pub(in crate::agronomy::soil) fn of(p: &ProfileParameters, field: &FieldInfo) -> Self {
        let area_m2 = field.plot_area_m2();
        let [nitrogen, _, _, carbon] = MAX_NUTRIENTS.map(|most| most * area_m2.max(1.0));
        Self {
            saturation: p.saturation() * p.depth_m * area_m2,
            topsoil_saturation: p.saturation() * p.topsoil() * area_m2,
            depth_m: p.depth_m,
            topsoil_m: p.topsoil(),
            evaporable_mm: evaporable_mm(p),
            nitrogen,
            carbon,
        }
    }
}

impl ProfileColumns {
    /// The flows of the nutrient with this name between minerals, humus and air.
    pub(in crate::agronomy::soil) fn flows_of_humus(&self, nutrient: &str) -> Vec<Flow> {
        match nutrient {
            "N" => vec![
                Flow::inflow("mineralisation of humus", self.mineralised),
                Flow::outflow("bound in new humus", self.bound),
            ],
            "C" => vec![Flow::outflow("breathed out by microbes", self.respired)],
            _ => Vec::new(),
        }
    }
}

/// The balance of all nitrogen in the soil, both mineral and in humus. Exchange between the two is not a flow in this balance.
pub(in crate::agronomy::soil) fn total_nitrogen(columns: &SoilColumns) -> MassBalance {
    // The order is N, P, K, C.
    let ends = |column: Column<f64>| {
        let mut nutrients = column.split(4);
        [nutrients.next(), nutrients.nth(2)].map(|nutrient| nutrient.unwrap_or(column))
    };
    let [uptake_n, uptake_c] = ends(columns.uptake);
    let [leached_n, leached_c] = ends(columns.leached);
    let [minerals, humus] = ends(columns.nutrients);
    let [gain_n, _] = ends(columns.gain);
    let in_humus = 1.0 / CARBON_PER_NITROGEN;
    let flows = [
        Flow::inflow("bedrock, dead matter, fertilizer", gain_n),
        Flow::outflow("uptake by plants", uptake_n),
        Flow::outflow("leaching", leached_n),
        Flow::outflow("humus taken by plants", uptake_c).times(in_humus),
        Flow::outflow("leaching of humus", leached_c).times(in_humus),
    ];
    MassBalance::new("N with humus", "g", minerals).and_stock(humus, in_humus).with_flows(flows)
}
