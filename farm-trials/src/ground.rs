//! The soil of a treatment: the layers of its profile that roots reach, with the water and the nitrogen at the start.

use farm_core::math::powf;

use crate::dssat::{InitialState, SoilLayer, SoilProfile};

/// Depth in cm next to which the topsoil of a game ends.
const TOPSOIL_CM: f64 = 30.0;
/// The deepest soil, in cm: no crop has deeper roots.
const DEEPEST_CM: f64 = 300.0;
/// The most layers of a game's soil.
const MOST_LAYERS: usize = 12;
/// How well roots grow in a layer that they do not enter, at most.
const NO_ROOTS: f64 = 0.02;
/// Bulk density if the profile has none, in g per cm³.
const USUAL_DENSITY: f64 = 1.4;
/// Mineral nitrogen if the trial has none, in g per m²: 30 kg per ha, the lower end of usual amounts in spring (Comifer: 30 to 90).
const USUAL_NITROGEN: f64 = 3.0;
/// A conductivity of 1 cm per hour in mm per day.
const MM_PER_DAY: f64 = 240.0;

/// The soil of a game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ground {
    /// From the surface down.
    pub layers: Vec<Layer>,
    pub curve_number: Option<f64>,
    /// Clay in the topsoil, in percent.
    pub clay: Option<f64>,
    /// Mineral nitrogen at the start, in g per m², if the layers do not have it.
    pub nitrogen: Option<f64>,
    /// Whether the trial has the water at the start.
    pub has_water: bool,
}

/// A layer, with water in L per m³.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layer {
    /// Depths of its ends in cm.
    pub top: f64,
    pub bottom: f64,
    pub wilting_point: f64,
    pub capacity: f64,
    pub saturation: f64,
    /// Conductivity in mm per day.
    pub conductivity: Option<f64>,
    pub root_growth: Option<f64>,
    /// Dry soil in Mg per m³, and its organic carbon in percent.
    pub density: f64,
    pub carbon: Option<f64>,
    /// Water at the start, and nitrogen in nitrate and in ammonium in g per m².
    pub water: Option<f64>,
    pub nitrogen: Option<[f64; 2]>,
}

/// A value of a layer, from its top to its bottom in cm.
type Slice<T> = (f64, f64, T);

/// The mean of the slices between two depths; `None` if there is none.
fn mean(slices: &[Slice<f64>], top: f64, bottom: f64) -> Option<f64> {
    let (mut sum, mut thickness) = (0.0, 0.0);
    for (from, to, value) in slices {
        let inside = (to.min(bottom) - from.max(top)).max(0.0);
        sum += inside * value;
        thickness += inside;
    }
    (thickness > 0.0).then(|| sum / thickness)
}

/// Layers with their tops, without the layers that have no value.
fn slices<T: Copy, V>(layers: &[T], bottom: impl Fn(T) -> f64, value: impl Fn(T) -> Option<V>) -> Vec<Slice<V>> {
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

/// At most [`MOST_LAYERS`] layers: the thinnest neighbours become one.
fn merged(profile: &SoilProfile, deepest: f64) -> Vec<Slice<SoilLayer>> {
    let all = slices(&profile.layers, |layer| layer.bottom.min(deepest), Some);
    let mut layers: Vec<Slice<SoilLayer>> = all;
    while layers.len() > MOST_LAYERS {
        let thickness = |i: &usize| layers[i + 1].1 - layers[*i].0;
        let thinnest = (0..layers.len() - 1).min_by(|a, b| thickness(a).total_cmp(&thickness(b))).unwrap_or(0);
        let ((top, middle, upper), (_, bottom, lower)) = (layers[thinnest], layers.remove(thinnest + 1));
        let share = (middle - top) / (bottom - top);
        let mix = |upper: f64, lower: f64| share * upper + (1.0 - share) * lower;
        let mix_known = |upper: Option<f64>, lower: Option<f64>| upper.zip(lower).map(|(a, b)| mix(a, b)).or(upper);
        let layer = SoilLayer {
            bottom,
            wilting_point: mix(upper.wilting_point, lower.wilting_point),
            field_capacity: mix(upper.field_capacity, lower.field_capacity),
            saturation: mix(upper.saturation, lower.saturation),
            root_growth: mix_known(upper.root_growth, lower.root_growth),
            bulk_density: mix_known(upper.bulk_density, lower.bulk_density),
            organic_carbon: mix_known(upper.organic_carbon, lower.organic_carbon),
            ..upper
        };
        layers[thinnest] = (top, bottom, layer);
    }
    layers
}

impl Ground {
    pub(crate) fn of(profile: &SoilProfile, initial: Option<&InitialState>) -> Self {
        let mut rooted = profile.layers.iter().filter(|layer| layer.root_growth.is_none_or(|growth| growth > NO_ROOTS));
        let deepest = rooted.next_back().map_or(TOPSOIL_CM, |layer| layer.bottom).clamp(TOPSOIL_CM, DEEPEST_CM);
        let start = initial.map_or(&[][..], |initial| &initial.layers);
        let water = slices(start, |layer| layer.bottom, |layer| layer.water);
        let [nitrate, ammonium] = [true, false].map(|is_nitrate| {
            let of = |layer: crate::dssat::InitialLayer| if is_nitrate { layer.nitrate } else { layer.ammonium };
            slices(start, |layer| layer.bottom, of)
        });
        let has_nitrogen = !(nitrate.is_empty() && ammonium.is_empty());
        // The share of the water above field capacity that drains, as a conductivity (AquaCrop manual 3.8).
        let of_share = |share: f64| powf(share.clamp(0.01, 1.0) / 0.0866, 1.0 / 0.35);
        let usual = profile.drainage.filter(|share| *share > 0.0).map(of_share);
        let layer = |(top, bottom, layer): Slice<SoilLayer>| {
            let wilting_point = 1000.0 * layer.wilting_point;
            let capacity = (1000.0 * layer.field_capacity).max(wilting_point + 1.0);
            let saturation = (1000.0 * layer.saturation).max(capacity);
            let density = layer.bulk_density.filter(|density| *density > 0.0).unwrap_or(USUAL_DENSITY);
            // Grams per Mg of soil, times Mg per m³, times m.
            let grams = |slices: &[Slice<f64>]| {
                let inside = |(from, to, value): &Slice<f64>| (to.min(bottom) - from.max(top)).max(0.0) / 100.0 * value;
                slices.iter().map(inside).sum::<f64>() * density
            };
            Layer {
                top,
                bottom,
                wilting_point,
                capacity,
                saturation,
                conductivity: layer.conductivity.map(|speed| MM_PER_DAY * speed).or(usual),
                root_growth: layer.root_growth.map(|growth| growth.clamp(0.0, 1.0)),
                density,
                carbon: layer.organic_carbon.filter(|percent| *percent >= 0.0),
                water: mean(&water, top, bottom).map(|share| (1000.0 * share).min(saturation)),
                nitrogen: has_nitrogen.then(|| [grams(&nitrate), grams(&ammonium)]),
            }
        };
        let layers: Vec<Layer> = merged(profile, deepest).into_iter().map(layer).collect();
        let clay = profile.layers.first().and_then(|layer| layer.clay);
        Self {
            clay: clay.filter(|percent| (0.0..=100.0).contains(percent)),
            curve_number: profile.curve_number.filter(|number| (1.0..=100.0).contains(number)),
            nitrogen: (!has_nitrogen).then_some(USUAL_NITROGEN),
            has_water: layers.iter().any(|layer| layer.water.is_some()),
            layers,
        }
    }

    /// The water of the topsoil in L per m², if each layer has this much per m³.
    pub(crate) fn topsoil(&self, of: impl Fn(&Layer) -> f64) -> f64 {
        let first = self.layers.iter().take(1);
        let others = self.layers.iter().skip(1);
        let topsoil = first.chain(others.take_while(|layer| f64::midpoint(layer.top, layer.bottom) <= TOPSOIL_CM));
        topsoil.map(|layer| (layer.bottom - layer.top) / 100.0 * of(layer)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dssat::InitialLayer;

    #[test]
    fn the_layers_down_to_the_last_one_with_roots_have_their_water_and_nitrogen() {
        let text = "*IB00000001 X\n@ SALB SLU1 SLDR SLRO\n .13 6 .4 75\n@ SLB SLMH SLLL SDUL SSAT SRGF SSKS SBDM SLOC\n 20 A .10 .20 .40 1 1.5 1.5 1\n 50 A .20 .30 .50 .5 -99 1.3 .4\n 90 A .30 .40 .50 0 -99 1.3 .1\n";
        let profile = SoilProfile::parse_all("soil", text).unwrap().remove(0);
        let layer = |bottom, water, nitrate| InitialLayer {
            bottom,
            water: Some(water),
            ammonium: None,
            nitrate: Some(nitrate),
        };
        let initial = InitialState {
            date: None,
            layers: vec![layer(30.0, 0.1, 2.0), layer(90.0, 0.25, 1.0)],
            residue: None,
            residue_nitrogen: None,
            roots: None,
        };
        let ground = Ground::of(&profile, Some(&initial));
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        let [first, second] = ground.layers.as_slice() else { panic!("two layers with roots") };
        near(second.bottom, 50.0);
        near(first.conductivity.unwrap(), 360.0);
        assert!((second.conductivity.unwrap() - 79.0).abs() < 1.0, "{:?}", second.conductivity);
        near(first.water.unwrap(), 100.0);
        // 10 cm with .1 and 20 cm with .25.
        near(second.water.unwrap(), 200.0);
        near(first.nitrogen.unwrap()[0], 2.0 * 1.5 * 0.2);
        near(second.nitrogen.unwrap()[0], 1.3 * (2.0 * 0.1 + 0.2));
        near(ground.topsoil(|layer| layer.capacity), 40.0);
        assert_eq!((ground.curve_number, ground.nitrogen), (Some(75.0), None));
        let unknown = Ground::of(&profile, None);
        assert!(!unknown.has_water && unknown.nitrogen == Some(USUAL_NITROGEN) && unknown.layers[0].water.is_none());
    }

    #[test]
    fn more_layers_than_a_game_has_are_merged_where_they_are_thin() {
        let rows: String = (1..=14).map(|i| format!(" {} A .1 .2 .4 1 -99 1.3 1\n", 10 * i)).collect();
        let text = format!("*IB00000001 X\n@ SALB SLU1\n .13 6\n@ SLB SLMH SLLL SDUL SSAT SRGF SSKS SBDM SLOC\n{rows}");
        let ground = Ground::of(&SoilProfile::parse_all("soil", &text).unwrap()[0], None);
        assert_eq!(ground.layers.len(), MOST_LAYERS);
        assert_eq!(ground.layers.last().map(|layer| layer.bottom), Some(140.0));
        assert!(ground.layers.windows(2).all(|pair| pair[0].bottom == pair[1].top));
    }
}
