//! Parameters of the layers of a soil.

use farm_core::config::{Path, Problem};

use super::super::profile::ProfileParameters;
use crate::agronomy::AgronomyError;

/// The most layers of a soil.
pub(in crate::agronomy::soil) const MOST_LAYERS: usize = 12;

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

/// The problems with layers that contradict each other or the rest of the profile.
pub(in crate::agronomy::soil) fn contradictions(p: &ProfileParameters) -> Vec<Problem> {
    let profile = Path::default().child("profile");
    let mut problems = Vec::new();
    let mut wrong = |path: Path, message: &str, value: f64, expected: String| {
        problems.push(Problem::new(AgronomyError::WrongLayers, path, message).value(value).expected(expected));
    };
    let Some(layers) = &p.layers else {
        for (name, value) in p.only_with_layers() {
            let message = format!("`{name}` has no effect without `layers`");
            wrong(profile.child(name), &message, value, "`layers` in the same profile".to_owned());
        }
        return problems;
    };
    let list = profile.child("layers");
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
        let (capacity, saturation) = (layer.capacity(p), layer.saturation.unwrap_or(p.saturation));
        let wilting = layer.wilting_point.unwrap_or(p.wilting_point);
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
    if let Some(table) = p.water_table.filter(|table| *table < top) {
        let message = "the water table is inside the soil";
        wrong(profile.child("water_table#m"), message, table, format!("at least {top}, the end of the last layer"));
    }
    problems
}
