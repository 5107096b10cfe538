//! Normal numbers.

use super::Stream;
use crate::math::{exp, ln};

impl Stream {
    /// A standard normal number (Ziggurat with 256 layers: Marsaglia and Tsang 2000, as corrected by Doornik 2005).
    #[inline]
    pub fn normal(&mut self) -> f64 {
        let layers = layers();
        loop {
            let bits = self.bits();
            let layer = (bits & 0xff) as usize;
            // The upper 53 bits, which do not include the layer's 8 bits, as a number in [-1, 1).
            let u = ((bits >> 11) as f64 * (1.0 / (1u64 << 52) as f64)) - 1.0;
            let x = u * layers.edge[layer];
            if x.abs() < layers.edge[layer + 1] {
                return x;
            }
            if let Some(x) = self.beyond_layer(layers, layer, x) {
                return x;
            }
        }
    }

    /// Handles the draws that are not clearly inside their layer, which are about 1 % of all draws.
    #[cold]
    fn beyond_layer(&mut self, layers: &Layers, layer: usize, x: f64) -> Option<f64> {
        if layer != 0 {
            let (low, high) = (layers.density[layer], layers.density[layer + 1]);
            return (low + (high - low) * self.uniform() < exp(-0.5 * x * x)).then_some(x);
        }
        // The tail beyond the last edge.
        loop {
            // 1 − u is in (0, 1], so no logarithm is infinite.
            let beyond = -ln(1.0 - self.uniform()) / LAST_EDGE;
            if -2.0 * ln(1.0 - self.uniform()) > beyond * beyond {
                return Some(if x < 0.0 { -LAST_EDGE - beyond } else { LAST_EDGE + beyond });
            }
        }
    }
}

/// The start of the normal distribution's tail in a Ziggurat with 256 layers, and the area of each layer.
const LAST_EDGE: f64 = 3.654_152_885_361_009;
const LAYER_AREA: f64 = 0.004_928_673_233_974_655;

/// The normal distribution's layers, as their right edges and the density there.
struct Layers {
    edge: [f64; 257],
    density: [f64; 257],
}

/// The layers, computed once with the portable functions, so that they have the same bits on every platform.
#[inline]
fn layers() -> &'static Layers {
    static LAYERS: std::sync::OnceLock<Layers> = std::sync::OnceLock::new();
    LAYERS.get_or_init(|| {
        let density = |x: f64| exp(-0.5 * x * x);
        let mut edge = [0.0; 257];
        edge[0] = LAYER_AREA / density(LAST_EDGE);
        edge[1] = LAST_EDGE;
        for i in 2..256 {
            edge[i] = (-2.0 * ln(LAYER_AREA / edge[i - 1] + density(edge[i - 1]))).sqrt();
        }
        Layers { edge, density: edge.map(density) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_moments_and_tails_follow_theory() {
        let n = 2_000_000;
        let mut s = Stream::from_seed(5);
        let (mut sums, mut tails) = ([0.0; 4], [0u32; 3]);
        for _ in 0..n {
            let x = s.normal();
            (0..4).for_each(|k| sums[k] += x.powi(k as i32 + 1));
            [1.0, 3.0, LAST_EDGE].iter().zip(&mut tails).for_each(|(edge, n)| *n += u32::from(x.abs() > *edge));
        }
        let moments = sums.map(|sum| sum / f64::from(n));
        // Standard errors of the moments 0, 1, 0, 3 of a standard normal number: √(1, 2, 15, 96) / √n.
        for ((found, expected), variance) in moments.iter().zip([0.0, 1.0, 0.0, 3.0]).zip([1.0f64, 2.0, 15.0, 96.0]) {
            assert!((found - expected).abs() < 5.0 * (variance / f64::from(n)).sqrt(), "{moments:?}");
        }
        // Two-sided tails of the normal distribution.
        for (found, share) in tails.iter().zip([0.317_310_507_862_914, 0.002_699_796_063_260_2, 0.000_258_04]) {
            let expected = f64::from(n) * share;
            assert!((f64::from(*found) - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{tails:?}");
        }
    }

    #[test]
    fn the_layers_of_the_normal_law_have_equal_areas() {
        let layers = layers();
        for i in 1..256 {
            let area = layers.edge[i] * (layers.density[i + 1] - layers.density[i]);
            assert!((area - LAYER_AREA).abs() < 1e-9, "layer {i}: {area}");
        }
    }
}
