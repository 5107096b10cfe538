//! Parameters of a soil profile and of its layers.

use farm_core::config::{Path, Problem};

use crate::agronomy::AgronomyError;

/// The most layers of a soil.
pub(super) const MOST_LAYERS: usize = 12;
/// Thickness of the layers below the topsoil, at most, if the parameters do not set the layers \[m\].
const THICKEST_M: f64 = 0.4;

/// The layers of a soil, its humus and its minerals at the start. Defaults are those of loam.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ProfileParameters {
    /// Depth of the soil, and maximum depth of roots.
    #[parameter(name = "depth#m", default = 1.5, range = 0.05..=10.0)]
    pub depth_m: f64,
    /// Depth of the topsoil, which irrigation fills and where seeds and microlife are. At most the depth of the soil.
    #[parameter(name = "topsoil#m", default = 0.3, range = 0.01..=10.0)]
    pub topsoil_m: f64,
    /// Water that a cubic metre keeps after drainage (field capacity).
    #[parameter(name = "field_capacity#L.m-3", default = 310.0, range = 1.0..=1000.0)]
    pub capacity: f64,
    /// Water in a cubic metre that plants cannot use. At most the field capacity.
    #[parameter(unit = "L.m-3", default = 150.0, range = 0.0..=1000.0)]
    pub wilting_point: f64,
    /// Water in a cubic metre with all pores full; excess water runs off. At least the field capacity.
    #[parameter(unit = "L.m-3", default = 460.0, range = 1.0..=1000.0)]
    pub saturation: f64,
    /// Saturated hydraulic conductivity K_sat, which sets how fast the water above the field capacity drains, and the most that drains.
    #[parameter(unit = "mm.day-1", default = 500.0, range = 0.0..=1e6)]
    pub conductivity: f64,
    /// Water that evaporates from the wet surface before evaporation slows down (REW of FAO-56).
    #[parameter(unit = "mm", default = 9.0, range = 0.0..=150.0)]
    pub readily_evaporable: f64,
    /// Water at the start, between the wilting point (0) and the field capacity (1).
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub initial_water: f64,
    /// Mineral nitrogen at the start, most of it near the surface.
    #[parameter(name = "initial_N#g.m-2", default = 6.0, range = 0.0..=1e5)]
    pub initial_n: f64,
    /// Available phosphorus at the start.
    #[parameter(name = "initial_P#g.m-2", default = 10.0, range = 0.0..=1e5)]
    pub initial_p: f64,
    /// Available potassium at the start.
    #[parameter(name = "initial_K#g.m-2", default = 70.0, range = 0.0..=1e5)]
    pub initial_k: f64,
    /// Organic carbon in the humus of the uppermost 0.3 m at the start. The nitrogen in the humus is an eleventh of it.
    #[parameter(name = "initial_C#g.m-2", default = 4500.0, range = 0.0..=1e5)]
    pub initial_c: f64,
    /// Mobility of nitrate in draining water: 1 moves as freely as the water, 0 does not move. Ammonium has a fiftieth of it.
    #[parameter(name = "leaching_N", default = 1.0, range = 0.0..=100.0)]
    pub leaching_n: f64,
    /// Mobility of phosphorus in draining water: 1 moves as freely as the water, 0 does not move.
    #[parameter(name = "leaching_P", default = 0.005, range = 0.0..=100.0)]
    pub leaching_p: f64,
    /// Mobility of potassium in draining water: 1 moves as freely as the water, 0 does not move.
    #[parameter(name = "leaching_K", default = 0.05, range = 0.0..=100.0)]
    pub leaching_k: f64,
    /// Mobility of humus in draining water: 1 moves as freely as the water, 0 does not move.
    #[parameter(name = "leaching_C", range = 0.0..=100.0)]
    pub leaching_c: f64,
    /// Harm x of a topsoil without air to the microlife. The share exp(−x) of the microlife survives a day. If only part of the air is
    /// missing, the harm is proportionally smaller.
    #[parameter(name = "sensitivity_microlife_air", default = 0.5, range = 0.0..=1e3)]
    pub air_sensitivity: f64,
    /// One to twelve layers from the surface down. They replace `depth#m` and `topsoil#m`, and the values of the profile that they set.
    /// Default: two layers of topsoil and equal layers of at most 0.4 m below, up to twelve in all.
    #[parameter(added)]
    pub layers: Option<Vec<LayerParameters>>,
    /// SCS curve number of the soil with usual wetness, for the rain that runs off. Default: rain runs off only from a soil without room, as
    /// in a field with a bund.
    #[parameter(added, range = 1.0..=100.0)]
    pub curve_number: Option<f64>,
    /// Depth of a water table, from which water rises into soil below field capacity. At least the depth of the soil. Default: none.
    #[parameter(name = "water_table#m", added, range = 0.01..=100.0)]
    pub water_table: Option<f64>,
    /// Clay in the topsoil, which slows the decay of humus. Default: 20.
    #[parameter(unit = "%", added, range = 0.0..=100.0)]
    pub clay: Option<f64>,
    /// Acidity of the soil, which slows nitrification below 7.2. Default: 7.
    #[parameter(name = "pH", added, range = 3.0..=11.0)]
    pub ph: Option<f64>,
}

impl ProfileParameters {
    /// The given layers, or even ones: two of topsoil and equal ones below. At least one and at most twelve.
    pub(super) fn all_layers(&self) -> Vec<LayerParameters> {
        if let Some(layers) = self.layers.as_ref().filter(|layers| !layers.is_empty()) {
            return layers.iter().take(MOST_LAYERS).cloned().collect();
        }
        let topsoil = self.topsoil_m.min(self.depth_m);
        let below = self.depth_m - topsoil;
        let count = ((below / THICKEST_M - 1e-9).ceil() as usize).min(MOST_LAYERS - 2);
        let subsoil = (1..=count).map(|i| topsoil + below * i as f64 / count as f64);
        let bottoms = [0.5 * topsoil, topsoil].into_iter().chain(subsoil);
        bottoms.map(|bottom_m| LayerParameters { bottom_m, ..LayerParameters::default() }).collect()
    }

    /// The problems with parameters that contradict each other.
    pub(in crate::agronomy::soil) fn contradictions(&self) -> Vec<Problem> {
        let profile = Path::default().child("profile");
        let checks = [
            (
                self.wilting_point > self.capacity,
                "wilting_point#L.m-3",
                "the wilting point is above the field capacity",
                self.wilting_point,
                format!("at most {}", self.capacity),
            ),
            (
                self.saturation < self.capacity,
                "saturation#L.m-3",
                "the saturation is below the field capacity",
                self.saturation,
                format!("at least {}", self.capacity),
            ),
            (
                self.topsoil_m > self.depth_m && self.layers.is_none(),
                "topsoil#m",
                "the topsoil is deeper than the soil",
                self.topsoil_m,
                format!("at most {}", self.depth_m),
            ),
        ];
        let reversed = checks.into_iter().filter(|(is_wrong, ..)| *is_wrong);
        let mut problems: Vec<Problem> = reversed
            .map(|(_, name, message, value, expected)| {
                Problem::new(AgronomyError::BoundsReversed, profile.child(name), message)
                    .value(value)
                    .expected(expected)
            })
            .collect();
        let mut wrong = |path: Path, message: &str, value: f64, expected: String| {
            problems.push(Problem::new(AgronomyError::WrongLayers, path, message).value(value).expected(expected));
        };
        let mut bottom = self.depth_m;
        if let Some(layers) = &self.layers {
            bottom = self.check_layers(layers, &profile.child("layers"), &mut wrong);
        }
        if let Some(table) = self.water_table.filter(|table| *table < bottom) {
            let expected = format!("at least {bottom}, the depth of the soil");
            wrong(profile.child("water_table#m"), "the water table is inside the soil", table, expected);
        }
        problems
    }

    /// Reports what is wrong with the layers. Returns the depth of the soil.
    fn check_layers(
        &self,
        layers: &[LayerParameters],
        list: &Path,
        wrong: &mut impl FnMut(Path, &str, f64, String),
    ) -> f64 {
        if layers.is_empty() || layers.len() > MOST_LAYERS {
            let message = "a soil has 1 to 12 layers";
            wrong(list.clone(), message, layers.len() as f64, format!("1 to {MOST_LAYERS} layers"));
        }
        let mut top = 0.0;
        for (i, layer) in layers.iter().enumerate() {
            let place = list.child(i);
            if layer.bottom_m <= top {
                let message = "the layer does not end below its upper end";
                wrong(place.child("bottom#m"), message, layer.bottom_m, format!("more than {top}"));
            }
            top = layer.bottom_m.max(top);
            let (capacity, saturation) = (layer.capacity(self), layer.saturation.unwrap_or(self.saturation));
            let wilting = layer.wilting_point.unwrap_or(self.wilting_point);
            if wilting > capacity {
                let message = "the wilting point is above the field capacity";
                wrong(place.child("wilting_point#L.m-3"), message, wilting, format!("at most {capacity}"));
            }
            if saturation < capacity {
                let message = "the saturation is below the field capacity";
                wrong(place.child("saturation#L.m-3"), message, saturation, format!("at least {capacity}"));
            }
            if let Some(water) = layer.initial_water.filter(|water| *water > saturation.max(capacity)) {
                let message = "the layer starts with more water than it can hold";
                wrong(place.child("initial_water#L.m-3"), message, water, format!("at most {saturation}"));
            }
        }
        top
    }
}

/// A layer of a soil. What it does not set is taken from the profile, whose values hold for the whole soil.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LayerParameters {
    /// Depth of the lower end of the layer, below that of the layer above.
    #[parameter(name = "bottom#m", range = 0.0..=10.0)]
    pub bottom_m: f64,
    /// Water that plants cannot use. At most the field capacity.
    #[parameter(unit = "L.m-3", range = 0.0..=1000.0)]
    pub wilting_point: Option<f64>,
    /// Water that the layer keeps after drainage.
    #[parameter(name = "field_capacity#L.m-3", range = 1.0..=1000.0)]
    pub capacity: Option<f64>,
    /// Water with all pores full. At least the field capacity.
    #[parameter(unit = "L.m-3", range = 1.0..=1000.0)]
    pub saturation: Option<f64>,
    /// Saturated hydraulic conductivity, which sets how fast water drains from the layer. A puddled layer of a rice field has about 2.
    #[parameter(unit = "mm.day-1", range = 0.0..=1e6)]
    pub conductivity: Option<f64>,
    /// How well roots grow in the layer, from 0 to 1. Default: it falls with depth, to 0.37 at 0.5 m and 0.14 at 1 m.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub root_growth: Option<f64>,
    /// Mass of dry soil.
    #[parameter(unit = "g.cm-3", default = 1.35, range = 0.1..=2.6)]
    pub bulk_density: f64,
    /// Organic carbon. Default: `initial_C#g.m-2` of the profile in the uppermost 0.3 m, and less below.
    #[parameter(unit = "%", range = 0.0..=60.0)]
    pub organic_carbon: Option<f64>,
    /// Water at the start. Default: `initial_water#prop` of the profile.
    #[parameter(unit = "L.m-3", range = 0.0..=1000.0)]
    pub initial_water: Option<f64>,
    /// Nitrogen in nitrate at the start. Default: four fifths of `initial_N#g.m-2` of the profile, most of it near the surface, if no layer
    /// sets nitrate or ammonium.
    #[parameter(unit = "g.m-2", range = 0.0..=1e5)]
    pub initial_nitrate: Option<f64>,
    /// Nitrogen in ammonium at the start. Default: one fifth, in the same way.
    #[parameter(unit = "g.m-2", range = 0.0..=1e5)]
    pub initial_ammonium: Option<f64>,
}

impl LayerParameters {
    pub(super) fn wilting(&self, p: &ProfileParameters) -> f64 {
        self.wilting_point.unwrap_or(p.wilting_point).min(self.capacity(p))
    }

    pub(super) fn capacity(&self, p: &ProfileParameters) -> f64 {
        self.capacity.unwrap_or(p.capacity)
    }

    pub(super) fn saturation(&self, p: &ProfileParameters) -> f64 {
        self.saturation.unwrap_or(p.saturation).max(self.capacity(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_divided_into_two_layers_of_topsoil_and_even_ones_below() {
        for (depth_m, topsoil_m, expected) in [
            (1.5, 0.3, &[0.15, 0.3, 0.7, 1.1, 1.5][..]),
            (0.8, 0.3, &[0.15, 0.3, 0.55, 0.8]),
            (0.3, 0.3, &[0.15, 0.3]),
            (0.2, 0.3, &[0.1, 0.2]),
            (0.05, 0.01, &[0.005, 0.01, 0.05]),
            (10.0, 0.5, &[0.25, 0.5, 1.45, 2.4, 3.35, 4.3, 5.25, 6.2, 7.15, 8.1, 9.05, 10.0]),
        ] {
            let layers = ProfileParameters { depth_m, topsoil_m, ..Default::default() }.all_layers();
            let ends: Vec<f64> = layers.iter().map(|layer| layer.bottom_m).collect();
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
            assert!(ends.len() == expected.len() && ends.iter().zip(expected).all(is_near), "{ends:?}");
        }
    }
}
