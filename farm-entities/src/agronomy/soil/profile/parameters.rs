//! Parameters of a soil profile.

use farm_core::config::{Path, Problem};

use super::super::layers::LayerParameters;
use crate::agronomy::AgronomyError;

/// The layers of a soil, its humus and its minerals at the start. Defaults are those of loam.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ProfileParameters {
    /// Depth of the soil, and maximum depth of roots.
    #[parameter(name = "depth#m", default = 1.5, range = 0.05..=10.0)]
    pub depth_m: f64,
    /// Depth of the topsoil, which takes in rain and from which water evaporates. At most the depth of the soil.
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
    /// Saturated hydraulic conductivity K_sat, which sets how fast the water above the field capacity drains.
    #[parameter(unit = "mm.day-1", default = 500.0, range = 0.0..=1e6)]
    pub conductivity: f64,
    /// Water that evaporates from the wet surface before evaporation slows down (REW of FAO-56).
    #[parameter(unit = "mm", default = 9.0, range = 0.0..=150.0)]
    pub readily_evaporable: f64,
    /// Water at the start, between the wilting point (0) and the field capacity (1).
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub initial_water: f64,
    /// Mineral nitrogen at the start.
    #[parameter(name = "initial_N#g.m-2", default = 6.0, range = 0.0..=1e5)]
    pub initial_n: f64,
    /// Available phosphorus at the start.
    #[parameter(name = "initial_P#g.m-2", default = 10.0, range = 0.0..=1e5)]
    pub initial_p: f64,
    /// Available potassium at the start.
    #[parameter(name = "initial_K#g.m-2", default = 70.0, range = 0.0..=1e5)]
    pub initial_k: f64,
    /// Organic carbon in the humus at the start. The nitrogen in the humus is an eleventh of it.
    #[parameter(name = "initial_C#g.m-2", default = 4500.0, range = 0.0..=1e5)]
    pub initial_c: f64,
    /// Mobility of nitrogen in draining water: 1 moves as freely as the water, 0 does not move.
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
    /// Default: a topsoil and a subsoil.
    #[parameter(added)]
    pub layers: Option<Vec<LayerParameters>>,
    /// SCS curve number of the soil with usual wetness, for the rain that runs off. Only with `layers`. Default: rain runs off only from a
    /// soil without room, as in a field with a bund.
    #[parameter(added, range = 1.0..=100.0)]
    pub curve_number: Option<f64>,
    /// Depth of a water table, from which water rises into soil below field capacity. Only with `layers`. Default: none.
    #[parameter(name = "water_table#m", added, range = 0.01..=100.0)]
    pub water_table: Option<f64>,
    /// Clay in the topsoil, which slows the decay of humus. Only with `layers`. Default: 20.
    #[parameter(unit = "%", added, range = 0.0..=100.0)]
    pub clay: Option<f64>,
    /// Acidity of the soil, which slows nitrification below 7.2. Only with `layers`. Default: 7.
    #[parameter(name = "pH", added, range = 3.0..=11.0)]
    pub ph: Option<f64>,
}

impl ProfileParameters {
    /// The wilting point, at most the field capacity \[L m⁻³\].
    pub(in crate::agronomy::soil) fn wilting(&self) -> f64 {
        self.wilting_point.min(self.capacity)
    }

    /// The saturation, at least the field capacity \[L m⁻³\].
    pub(in crate::agronomy::soil) fn saturation(&self) -> f64 {
        self.saturation.max(self.capacity)
    }

    /// The depth of the topsoil, at most the depth of the soil \[m\].
    pub(super) fn topsoil(&self) -> f64 {
        self.topsoil_m.min(self.depth_m)
    }

    /// The given parameters that need layers.
    pub(in crate::agronomy::soil) fn only_with_layers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let given = [
            ("curve_number", self.curve_number),
            ("water_table#m", self.water_table),
            ("clay#%", self.clay),
            ("pH", self.ph),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    /// The problems with parameters that contradict each other.
    pub(in crate::agronomy::soil) fn contradictions(&self) -> Vec<Problem> {
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
                self.topsoil_m > self.depth_m,
                "topsoil#m",
                "the topsoil is deeper than the soil",
                self.topsoil_m,
                format!("at most {}", self.depth_m),
            ),
        ];
        let wrong = checks.into_iter().filter(|(is_wrong, ..)| *is_wrong);
        wrong
            .map(|(_, name, message, value, expected)| {
                let path = Path::default().child("profile").child(name);
                Problem::new(AgronomyError::BoundsReversed, path, message).value(value).expected(expected)
            })
            .collect()
    }
}
