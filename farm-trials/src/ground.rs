//! The soil of a treatment: the layers of its profile, averaged to the profile of a game.

use crate::dssat::{InitialState, SoilProfile};

/// Depth of the topsoil in cm, as in the soils of the games.
const TOPSOIL_CM: f64 = 30.0;
/// The deepest soil, in cm: no crop has deeper roots.
const DEEPEST_CM: f64 = 300.0;
/// How well roots grow in a layer that they do not enter, at most.
const NO_ROOTS: f64 = 0.02;
/// Bulk density if the profile has none, in g per cm³.
const USUAL_DENSITY: f64 = 1.4;
/// Mineral nitrogen if the trial has none, in g per m²: 30 kg per ha, the lower end of usual amounts in spring (Comifer: 30 to 90).
const USUAL_NITROGEN: f64 = 3.0;

/// A soil of two layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ground {
    /// Depth that roots reach, in m.
    pub depth_m: f64,
    /// Depth of the topsoil, in m.
    pub topsoil_m: f64,
    /// Water at the wilting point, at field capacity and at saturation, in L per m³.
    pub wilting_point: f64,
    pub capacity: f64,
    pub saturation: f64,
    /// Water at the start, in mm, in the whole soil and in its topsoil.
    pub water_mm: f64,
    pub topsoil_water_mm: f64,
    /// Mineral nitrogen at the start, in g per m².
    pub nitrogen: f64,
    /// Organic carbon in the topsoil, in g per m²; `None` if it is not known.
    pub carbon: Option<f64>,
    /// Whether the trial has the water and the nitrogen at the start.
    pub has_water: bool,
    pub has_nitrogen: bool,
}

/// A value of a layer, from its top to its bottom in cm.
type Slice = (f64, f64, f64);

/// The mean of the slices down to a depth; `None` if there is none.
fn mean(slices: &[Slice], depth: f64) -> Option<f64> {
    let (mut sum, mut thickness) = (0.0, 0.0);
    for (top, bottom, value) in slices {
        let inside = bottom.min(depth) - top.min(depth);
        sum += inside * value;
        thickness += inside;
    }
    (thickness > 0.0).then(|| sum / thickness)
}

/// Layers with their tops, without the layers that have no value.
fn slices<T: Copy>(layers: &[T], bottom: impl Fn(T) -> f64, value: impl Fn(T) -> Option<f64>) -> Vec<Slice> {
    let mut top = 0.0;
    let mut found = Vec::new();
    for layer in layers {
        let end = bottom(*layer);
        if let Some(value) = value(*layer).filter(|_| end > top) {
            found.push((top, end, value));
        }
        top = end.max(top);
    }
    found
}

impl Ground {
    pub(crate) fn of(profile: &SoilProfile, initial: Option<&InitialState>) -> Self {
        let layers = &profile.layers;
        let mut rooted = layers.iter().filter(|layer| layer.root_growth.is_none_or(|growth| growth > NO_ROOTS));
        let depth = rooted.next_back().map_or(TOPSOIL_CM, |layer| layer.bottom).clamp(TOPSOIL_CM, DEEPEST_CM);
        let of_layer = |value: fn(&crate::dssat::SoilLayer) -> Option<f64>| {
            slices(layers, |layer| layer.bottom, |layer| value(&layer))
        };
        let average = |value: fn(&crate::dssat::SoilLayer) -> Option<f64>| {
            1000.0 * mean(&of_layer(value), depth).unwrap_or_default()
        };
        let wilting_point = average(|layer| Some(layer.wilting_point));
        let capacity = average(|layer| Some(layer.field_capacity)).max(wilting_point + 1.0);
        let saturation = average(|layer| Some(layer.saturation)).max(capacity);
        let start = initial.map_or(&[][..], |initial| &initial.layers);
        let water = slices(start, |layer| layer.bottom, |layer| layer.water);
        let at_start = |depth: f64| 10.0 * depth * mean(&water, depth).unwrap_or(capacity / 1000.0);
        let density = of_layer(|layer| layer.bulk_density);
        let density_at = |depth: f64| {
            let inside = density.iter().find(|(_, bottom, _)| *bottom > depth).or(density.last());
            inside.map_or(USUAL_DENSITY, |(.., density)| *density)
        };
        let mineral = slices(
            start,
            |layer| layer.bottom,
            |layer| {
                let known = layer.ammonium.is_some() || layer.nitrate.is_some();
                known.then(|| layer.ammonium.unwrap_or_default() + layer.nitrate.unwrap_or_default())
            },
        );
        // Grams per Mg of soil, times Mg per m³, times m.
        let in_layer = |(top, bottom, value): &Slice| {
            value * density_at(f64::midpoint(*top, *bottom)) * (bottom.min(depth) - top.min(depth)) / 100.0
        };
        let organic = of_layer(|layer| layer.organic_carbon);
        let topsoil = TOPSOIL_CM.min(depth);
        let carbon = mean(&organic, topsoil).filter(|percent| *percent > 0.0);
        Self {
            depth_m: depth / 100.0,
            topsoil_m: topsoil / 100.0,
            wilting_point,
            capacity,
            saturation,
            water_mm: at_start(depth).min(saturation * depth / 100.0),
            topsoil_water_mm: at_start(topsoil).min(saturation * topsoil / 100.0),
            nitrogen: if mineral.is_empty() { USUAL_NITROGEN } else { mineral.iter().map(in_layer).sum() },
            carbon: carbon.map(|percent| percent / 100.0 * 1e6 * density_at(topsoil / 2.0) * topsoil / 100.0),
            has_water: !water.is_empty(),
            has_nitrogen: !mineral.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dssat::InitialLayer;

    #[test]
    fn layers_are_averaged_down_to_the_last_one_with_roots() {
        let text = "*IB00000001 X\n@ SALB SLU1\n .13 6\n@ SLB SLMH SLLL SDUL SSAT SRGF SSKS SBDM SLOC\n 20 A .10 .20 .40 1 -99 1.5 1\n 50 A .20 .30 .50 .5 -99 1.3 .4\n 90 A .30 .40 .50 0 -99 1.3 .1\n";
        let profile = SoilProfile::parse_all("soil", text).unwrap().remove(0);
        let layer = |bottom, water, nitrate| InitialLayer {
            bottom,
            water: Some(water),
            ammonium: None,
            nitrate: Some(nitrate),
        };
        let initial = InitialState {
            date: None,
            layers: vec![layer(20.0, 0.1, 2.0), layer(90.0, 0.25, 1.0)],
            residue: None,
            residue_nitrogen: None,
            roots: None,
        };
        let ground = Ground::of(&profile, Some(&initial));
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        near(ground.depth_m, 0.5);
        near(ground.wilting_point, (20.0 * 100.0 + 30.0 * 200.0) / 50.0);
        near(ground.capacity, (20.0 * 200.0 + 30.0 * 300.0) / 50.0);
        // 20 cm with 0.1 and 30 cm with 0.25; the topsoil has 10 cm of the second layer.
        near(ground.water_mm, 20.0 + 75.0);
        near(ground.topsoil_water_mm, 20.0 + 25.0);
        near(ground.nitrogen, 2.0 * 1.5 * 0.2 + 1.0 * 1.3 * 0.3);
        near(ground.carbon.unwrap(), (20.0 * 0.01 + 10.0 * 0.004) / 30.0 * 1e6 * 1.5 * 0.3);
        let unknown = Ground::of(&profile, None);
        near(unknown.water_mm, unknown.capacity * 0.5);
        assert!(!unknown.has_water && !unknown.has_nitrogen);
    }
}
