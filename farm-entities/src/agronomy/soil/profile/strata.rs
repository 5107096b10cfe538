//! The layers of a soil under a plot, computed once.

use farm_core::math::exp;

use super::parameters::{LayerParameters, ProfileParameters};
use crate::agronomy::laws::organic_matter::ACTIVE;
use crate::agronomy::laws::soil_nitrogen::{AMMONIUM_LEFT, DAILY_UPTAKE, denitrification_by_carbon};
use crate::agronomy::laws::soil_water::{CapillaryRise, uptake_steepness};
use crate::agronomy::laws::water::drainage_share;

/// Depth to which humus turns over \[m\]: the ploughed layer (AMG).
const HUMUS_DEPTH_M: f64 = 0.3;
/// Depth to which the surface dries by evaporation \[m\] (FAO-56: 0.10 to 0.15).
const EVAPORATING_DEPTH_M: f64 = 0.15;
/// Organic carbon and roots fall with depth as exp(−2·z), z in m (DSSAT: exp(−0.02·z), z in cm).
const DECLINE: f64 = 2.0;
/// Share of the mineral nitrogen that is nitrate at the start, if no layer sets it.
const NITRATE: f64 = 0.8;

/// Roots grow worse in layers with less than a quarter of the water that plants can use (CERES).
const QUARTER: f64 = 4.0;

/// A layer under a plot. Amounts of water are in L, of nitrogen in g.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stratum {
    pub(super) top_m: f64,
    pub(super) thickness_m: f64,
    /// The volume in L.
    pub(super) liters: f64,
    pub(super) wilting: f64,
    pub(super) capacity: f64,
    pub(super) saturation: f64,
    /// Share of the water above the field capacity that drains in a day, and the most that drains, in L.
    pub(super) drains: f64,
    pub(super) conductivity: f64,
    /// Share of the layer from which water evaporates.
    pub(super) evaporating: f64,
    /// 1/saturation, 1/(saturation − field capacity), 4/(field capacity − wilting point) and 1/(saturation − wilting point), or 0.
    pub(super) per_saturation: f64,
    pub(super) per_air: f64,
    pub(super) per_usable: f64,
    pub(super) per_pores: f64,
    /// Share of today's nitrogen from humus that comes free here.
    pub(super) humus: f64,
    pub(super) root_growth: f64,
    /// Steepness of the uptake of water with moisture.
    pub(super) steepness: f64,
    /// The most nitrogen that roots take up in a day, as a share of the stock.
    pub(super) daily_uptake: f64,
    /// Ammonium out of reach.
    pub(super) ammonium_left: f64,
    /// Effect of the organic carbon on denitrification.
    pub(super) denitrifies: f64,
    /// Rise of water to the layer's lower end, in L per day.
    pub(super) rise: f64,
    /// Water, nitrate and ammonium at the start.
    pub(super) water: f64,
    pub(super) nitrate: f64,
    pub(super) ammonium: f64,
}

/// All layers under a plot.
#[derive(Debug, Clone)]
pub(in crate::agronomy::soil) struct Strata {
    pub(super) layers: Vec<Stratum>,
    /// Number of layers in the topsoil.
    pub(super) topsoil: usize,
    pub(super) area_m2: f64,
    /// Water that can evaporate after the last wetting of the surface \[mm\] (FAO-56 Eq. 73: TEW).
    pub(super) evaporable_mm: f64,
    /// Humus at the start, in g of carbon, and its active part.
    pub(super) carbon: f64,
    pub(super) active: f64,
    pub(super) has_table: bool,
}

impl Strata {
    /// The layers of a profile. Contradictions are reported elsewhere; here they only must do no harm.
    pub(in crate::agronomy::soil) fn of(p: &ProfileParameters, area_m2: f64) -> Self {
        let given = p.all_layers();
        let has_nitrogen =
            given.iter().any(|layer| layer.initial_nitrate.is_some() || layer.initial_ammonium.is_some());
        let ends = ends(&given);
        // Grams in the uppermost 0.3 m for each percent of organic carbon.
        let mass = |(layer, (top, bottom)): (&LayerParameters, &(f64, f64))| {
            1e4 * layer.bulk_density * (bottom.min(HUMUS_DEPTH_M) - top.min(HUMUS_DEPTH_M))
        };
        let all = || given.iter().zip(&ends);
        let mid = |(top, bottom): (f64, f64)| f64::midpoint(top, bottom);
        let decline = |ends: (f64, f64)| exp(-DECLINE * (mid(ends) - 0.5 * HUMUS_DEPTH_M).max(0.0));
        let masses: f64 = all().map(|(layer, ends)| decline(*ends) * mass((layer, ends))).sum();
        let surface = p.initial_c / masses.max(1e-9);
        let percent =
            |layer: &LayerParameters, ends: (f64, f64)| layer.organic_carbon.unwrap_or(surface * decline(ends));
        let carbon: f64 = all().map(|(layer, ends)| percent(layer, *ends) * mass((layer, ends))).sum();
        let nearness = |(top, bottom): (f64, f64)| (bottom - top) * exp(-DECLINE * mid((top, bottom)));
        let near: f64 = ends.iter().map(|ends| nearness(*ends)).sum();
        let humus_depth = ends.last().map_or(HUMUS_DEPTH_M, |(_, bottom)| bottom.min(HUMUS_DEPTH_M));
        let stratum = |(layer, (top, bottom)): (&LayerParameters, &(f64, f64))| {
            let thickness_m = bottom - top;
            let volume = thickness_m * area_m2;
            let [wilting, capacity, saturation] = [layer.wilting(p), layer.capacity(p), layer.saturation(p)];
            let inside = |depth: f64| bottom.min(depth) - top.min(depth);
            let conductivity = layer.conductivity.unwrap_or(p.conductivity);
            let rises = CapillaryRise::new(wilting / 1000.0, capacity / 1000.0, conductivity);
            let usual = wilting + p.initial_water * (capacity - wilting);
            let nitrogen = if has_nitrogen { 0.0 } else { p.initial_n * nearness((*top, *bottom)) / near };
            Stratum {
                top_m: *top,
                thickness_m,
                liters: 1000.0 * volume,
                wilting: wilting * volume,
                capacity: capacity * volume,
                saturation: saturation * volume,
                drains: drainage_share(conductivity),
                conductivity: conductivity * area_m2,
                per_saturation: inverse(saturation * volume),
                per_air: inverse((saturation - capacity) * volume),
                per_usable: QUARTER * inverse((capacity - wilting) * volume),
                per_pores: inverse((saturation - wilting) * volume),
                evaporating: inside(EVAPORATING_DEPTH_M) / thickness_m,
                humus: inside(HUMUS_DEPTH_M) / humus_depth,
                root_growth: layer.root_growth.unwrap_or(exp(-DECLINE * mid((*top, *bottom)))),
                steepness: uptake_steepness(wilting / 1000.0, capacity / 1000.0),
                daily_uptake: DAILY_UPTAKE / layer.bulk_density,
                ammonium_left: AMMONIUM_LEFT * layer.bulk_density * volume,
                denitrifies: denitrification_by_carbon(percent(layer, (*top, *bottom))),
                rise: p.water_table.map_or(0.0, |table| rises.rate(table - bottom) * area_m2),
                water: layer.initial_water.unwrap_or(usual).min(saturation) * volume,
                nitrate: layer.initial_nitrate.unwrap_or(NITRATE * nitrogen) * area_m2,
                ammonium: layer.initial_ammonium.unwrap_or((1.0 - NITRATE) * nitrogen) * area_m2,
            }
        };
        let mut layers: Vec<Stratum> = all().map(stratum).collect();
        // No layer passes up more than rises to it.
        for i in (1..layers.len()).rev() {
            layers[i - 1].rise = layers[i - 1].rise.min(layers[i].rise);
        }
        // The topsoil of given layers ends where a layer ends next to 0.3 m. Otherwise it is two layers.
        let near_surface = ends.iter().take_while(|ends| mid(**ends) <= HUMUS_DEPTH_M).count().max(1);
        let topsoil = if p.layers.is_some() { near_surface } else { 2 };
        let carbon = carbon * area_m2;
        let evaporable = layers.iter().map(|layer| layer.evaporating * (layer.capacity - 0.5 * layer.wilting));
        Self {
            evaporable_mm: evaporable.sum::<f64>() / area_m2,
            layers,
            topsoil,
            area_m2,
            carbon,
            active: ACTIVE * carbon,
            has_table: p.water_table.is_some(),
        }
    }

    /// The number of layers.
    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    /// The sum of a quantity over the first layers.
    pub(super) fn sum(&self, layers: usize, of: impl Fn(&Stratum) -> f64) -> f64 {
        self.layers[..layers].iter().fold(0.0, |sum, layer| sum + of(layer))
    }

    /// Depths of the soil and of its topsoil, in m.
    pub(in crate::agronomy::soil) fn depth_m(&self) -> f64 {
        self.bottom_m(self.len())
    }

    pub(super) fn topsoil_m(&self) -> f64 {
        self.bottom_m(self.topsoil)
    }

    fn bottom_m(&self, layers: usize) -> f64 {
        self.layers[layers - 1].top_m + self.layers[layers - 1].thickness_m
    }

    /// Water in a plot at the wilting point, at field capacity and at saturation, in L.
    pub(in crate::agronomy::soil) fn waters(&self) -> [f64; 3] {
        self.waters_of(self.len())
    }

    /// The same for its first layers.
    pub(super) fn waters_of(&self, layers: usize) -> [f64; 3] {
        [
            self.sum(layers, |layer| layer.wilting),
            self.sum(layers, |layer| layer.capacity),
            self.sum(layers, |layer| layer.saturation),
        ]
    }

    /// Divides water between some layers, so that all are as moist: between empty and the wilting point, between it and the field capacity,
    /// or above. Returns the share of each step that is filled.
    pub(super) fn fill(layers: &[Stratum], water: f64) -> [f64; 3] {
        let sum = |of: fn(&Stratum) -> f64| layers.iter().fold(0.0, |sum, layer| sum + of(layer));
        let steps = [
            sum(|layer| layer.wilting),
            sum(|layer| layer.capacity - layer.wilting),
            sum(|layer| layer.saturation - layer.capacity),
        ];
        let mut left = water;
        steps.map(|step| {
            let filled = left.min(step);
            left -= filled;
            if step > 0.0 { filled / step } else { 0.0 }
        })
    }
}

impl Stratum {
    /// The water of the layer at these filled shares of its steps.
    pub(super) fn at(&self, [dry, usable, above]: [f64; 3]) -> f64 {
        let water = dry * self.wilting + usable * (self.capacity - self.wilting);
        (water + above * (self.saturation - self.capacity)).min(self.saturation)
    }
}

fn inverse(value: f64) -> f64 {
    if value > 0.0 { 1.0 / value } else { 0.0 }
}

/// Upper and lower ends of the layers in m, all of some thickness.
fn ends(layers: &[LayerParameters]) -> Vec<(f64, f64)> {
    let mut top = 0.0;
    let mut ends = Vec::new();
    for layer in layers {
        let bottom = layer.bottom_m.max(top + 1e-3);
        ends.push((top, bottom));
        top = bottom;
    }
    ends
}
