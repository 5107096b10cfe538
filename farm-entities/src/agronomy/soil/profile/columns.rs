//! The state of a profile, in addition to the state that every soil has.

use farm_core::declare::{Flow, MassBalance};
use farm_core::{Column, Columns};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, ROOT_DEPTH, ROOT_LENGTH, ROOTED_AIR, ROOTED_DEPLETION, ROOTED_NITROGEN, ROOTED_WATER,
    SATURATION_WATER, SOIL_DEPTH, TOPSOIL_CAPACITY, TOPSOIL_DEPTH, TOPSOIL_SATURATION, TOPSOIL_WATER, TOPSOIL_WILTING,
};

use super::super::{MAX_NUTRIENTS, SoilColumns};
use super::strata::Strata;
use crate::agronomy::laws::organic_matter::CARBON_PER_NITROGEN;

/// The columns of the layers. Columns of all layers have the first layer for all plots, then the second.
#[derive(Columns)]
#[columns(view = Layered)]
pub(in crate::agronomy::soil) struct ProfileColumns {
    pub(super) strata: Strata,
    /// Water in layer {each}, counted from the surface.
    #[real(each = 1..=strata.len(), name = "water_layer_{each}#L", range = 0.0..=strata.layers[i].saturation, per_plot)]
    pub(super) water: Column<f64>,
    /// Nitrogen in the nitrate of layer {each}.
    #[real(each = 1..=strata.len(), name = "nitrate_layer_{each}#g", range = 0.0..=strata.most(0), per_plot)]
    pub(super) nitrate: Column<f64>,
    /// Nitrogen in the ammonium of layer {each}.
    #[real(each = 1..=strata.len(), name = "ammonium_layer_{each}#g", range = 0.0..=strata.most(0), per_plot)]
    pub(super) ammonium: Column<f64>,
    /// Water in the topsoil of the plot. It is part of the water in the plot's soil.
    #[real(name = "topsoil_Water#L", range = 0.0..=strata.waters_of(strata.topsoil)[2], per_plot, role = TOPSOIL_WATER)]
    pub(super) topsoil: Column<f64>,
    /// Carbon in the active humus, which turns over. It is part of the carbon in the plot's soil.
    #[real(name = "active_C#g", range = 0.0..=strata.most(3), per_plot)]
    pub(super) active: Column<f64>,
    /// Water that has evaporated from the surface since it was last wet.
    #[real(unit = "mm", range = 0.0..=strata.evaporable_mm, per_plot, hidden)]
    pub(super) evaporated: Column<f64>,
    /// Number of days in a row on which the topsoil had too little air, including this day.
    #[count(name = "wet_days#day", range = 0..=10_000, per_plot, hidden)]
    pub(super) wet_days: Column<i32>,
    /// Nitrogen released by humus during the day.
    #[real(name = "mineralised_N#g.day-1", range = 0.0..=strata.most(0), per_plot)]
    pub(super) mineralised: Column<f64>,
    /// Mineral nitrogen bound by new humus during the day.
    #[real(name = "bound_N#g.day-1", range = 0.0..=strata.most(0), per_plot)]
    pub(super) bound: Column<f64>,
    /// Nitrogen lost to the air during the day, from nitrate in soil without air.
    #[real(name = "denitrified_N#g.day-1", range = 0.0..=strata.most(0), per_plot)]
    pub(super) denitrified: Column<f64>,
    /// Carbon that microbes respired from humus and dead matter during the day.
    #[real(name = "respired_C#g.day-1", range = 0.0..=2.0 * strata.most(3), per_plot)]
    pub(super) respired: Column<f64>,
    /// Water that rose from the water table during the day.
    #[real(name = "rise_Water#L.day-1", range = 0.0..=strata.waters()[2], per_plot)]
    pub(super) rise: Column<f64>,
    /// Water that the roots could take up on this day, before the requests limit it.
    #[real(name = "rooted_Water#L", range = 0.0..=strata.waters()[2], per_plot, hidden, role = ROOTED_WATER)]
    pub(super) rooted_water: Column<f64>,
    /// Nitrogen that the roots can take up on the next day.
    #[real(name = "rooted_N#g", range = 0.0..=strata.most(0), per_plot, hidden, role = ROOTED_NITROGEN)]
    pub(super) rooted_nitrogen: Column<f64>,
    /// Missing water in the layers with roots, as a share of the water that plants can use.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, role = ROOTED_DEPLETION)]
    pub(super) rooted_depletion: Column<f64>,
    /// Share of air in the volume of the layers with roots.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden, role = ROOTED_AIR)]
    pub(super) rooted_air: Column<f64>,
    /// Water of one plot when all its pores are full.
    #[real(name = "saturation_water#L", range = 0.0..=strata.waters()[2], default = strata.waters()[2], hidden, role = SATURATION_WATER)]
    _saturation: Column<f64>,
    /// Water of one plot's topsoil at the wilting point.
    #[real(name = "topsoil_wilting#L", range = 0.0..=strata.waters()[2], default = strata.waters_of(strata.topsoil)[0], hidden, role = TOPSOIL_WILTING)]
    _topsoil_wilting: Column<f64>,
    /// Water of one plot's topsoil at field capacity.
    #[real(name = "topsoil_capacity#L", range = 0.0..=strata.waters()[2], default = strata.waters_of(strata.topsoil)[1], hidden, role = TOPSOIL_CAPACITY)]
    _topsoil_capacity: Column<f64>,
    /// Water of one plot's topsoil when all its pores are full.
    #[real(name = "topsoil_saturation#L", range = 0.0..=strata.waters()[2], default = strata.waters_of(strata.topsoil)[2], hidden, role = TOPSOIL_SATURATION)]
    _topsoil_saturation: Column<f64>,
    /// Depth of the soil.
    #[real(name = "soil_depth#m", range = 0.0..=strata.depth_m(), default = strata.depth_m(), hidden, role = SOIL_DEPTH)]
    _depth: Column<f64>,
    /// Depth of the topsoil.
    #[real(name = "topsoil_depth#m", range = 0.0..=strata.topsoil_m(), default = strata.topsoil_m(), hidden, role = TOPSOIL_DEPTH)]
    _topsoil_depth: Column<f64>,
    #[one(AIR_TEMPERATURE_MEAN)]
    pub(super) temperature: Column<f64>,
    #[all(ROOT_DEPTH)]
    pub(super) root_depth: Vec<Column<f64>>,
    #[all(ROOT_LENGTH)]
    pub(super) root_length: Vec<Column<f64>>,
}

impl Strata {
    /// The most of a nutrient in a plot, in g.
    pub(super) fn most(&self, nutrient: usize) -> f64 {
        MAX_NUTRIENTS[nutrient] * self.area_m2.max(1.0)
    }
}

impl ProfileColumns {
    /// The flows of the balance with this name that only this soil has.
    pub(in crate::agronomy::soil) fn flows(&self, balance: &str) -> Vec<Flow> {
        match balance {
            "water" => vec![Flow::inflow("rise from the water table", self.rise)],
            "N" => vec![
                Flow::inflow("mineralisation of humus", self.mineralised),
                Flow::outflow("bound in new humus", self.bound),
                Flow::outflow("lost to the air", self.denitrified),
            ],
            "C" => vec![Flow::outflow("breathed out by microbes", self.respired)],
            _ => Vec::new(),
        }
    }

    /// The balance of all nitrogen in the soil, both mineral and in humus. Exchange between the two is not a flow in this balance.
    pub(in crate::agronomy::soil) fn total_nitrogen(&self, columns: &SoilColumns) -> MassBalance {
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
            Flow::outflow("lost to the air", self.denitrified),
            Flow::outflow("humus taken by plants", uptake_c).times(in_humus),
            Flow::outflow("leaching of humus", leached_c).times(in_humus),
        ];
        MassBalance::new("N with humus", "g", minerals).and_stock(humus, in_humus).with_flows(flows)
    }
}
