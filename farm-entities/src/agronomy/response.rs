//! The paper's exponential response: the distance from favourable conditions, and the penalty for that distance.

use farm_core::math::exp;

/// Distance of a value from a closed interval; 0 inside it (equation sheet II.1).
///
/// d(y; a, b) = max(0, a − y, y − b)
#[inline]
pub fn distance(y: f64, low: f64, high: f64) -> f64 {
    (low - y).max(y - high).max(0.0)
}

/// Exponential response ℰ (Farm-gym Eq. 1), clamped to a probability.
///
/// ℰ(β₀; (βⱼ, dⱼ)) = exp(−β₀ − Σ βⱼ dⱼ)
///
/// A distance of 0 is left out before it is multiplied, so that a weight of +∞ is a hard constraint and never 0 · ∞.
#[farm_core::equation("1")]
#[inline]
pub fn response(base: f64, terms: &[(f64, f64)]) -> f64 {
    let penalty = terms.iter().filter(|(_, d)| *d > 0.0).fold(base, |sum, (weight, d)| sum + weight * d);
    // Perfect conditions are the usual case and need no exponential.
    if penalty <= 0.0 { 1.0 } else { exp(-penalty) }
}

/// Distance of plot (x, y) from the nearest edge of the field, in plots; 0 on the border (equation sheet II.8).
///
/// dist_edge(x, y) = min(x, X − 1 − x, y, Y − 1 − y)
#[inline]
pub fn distance_to_edge(x: usize, y: usize, length: usize, width: usize) -> usize {
    x.min(length - 1 - x).min(y).min(width - 1 - y)
}

/// Missing part of a stock, as a share of the need (equation sheet II.6.4, `relative`).
///
/// d = max(0, 1 − supply/required)
#[inline]
pub fn shortage(supply: f64, required: f64) -> f64 {
    if supply >= required { 0.0 } else { 1.0 - supply / required }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::E;

    const INF: f64 = f64::INFINITY;

    /// The table of equation sheet III.7.
    #[test]
    fn distance_follows_the_published_table() {
        for (y, a, b, d) in [
            (0.0, 0.0, 5.0, 0.0),
            (-1.0, 0.0, 5.0, 1.0),
            (7.0, 0.0, 5.0, 2.0),
            (3.0, 3.0, INF, 0.0),
            (2.5, 3.0, INF, 0.5),
            (4.0, -INF, 0.0, 4.0),
        ] {
            assert_eq!(distance(y, a, b), d, "d({y}; {a}, {b})");
        }
    }

    #[test]
    fn equation_1_response_follows_its_definition_and_limits() {
        assert_eq!(response(0.0, &[(3.0, 0.0)]), 1.0, "inside every interval nothing is lost");
        assert!((response(0.0, &[(0.5, 2.0)]) - 1.0 / E).abs() < 1e-15);
        assert!((response(0.5, &[(0.25, 1.0), (0.25, 1.0)]) - 1.0 / E).abs() < 1e-15, "penalties add up");
        assert_eq!(response(-1.0, &[]), 1.0, "never above 1");
        assert_eq!(response(0.0, &[(INF, 0.0)]), 1.0, "a hard constraint that is met");
        assert_eq!(response(0.0, &[(INF, 0.1)]), 0.0, "a hard constraint that is broken");
    }

    /// The table of equation sheet III.6.
    #[test]
    fn distance_to_edge_follows_the_published_table() {
        let rows = [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]];
        for (x, row) in rows.iter().enumerate() {
            for (y, expected) in row.iter().enumerate() {
                assert_eq!(distance_to_edge(x, y, 4, 4), *expected, "plot ({x}, {y})");
            }
        }
        assert_eq!(distance_to_edge(2, 2, 5, 5), 2, "the centre of 5 × 5");
        assert_eq!(distance_to_edge(0, 0, 1, 1), 0, "a single plot lies on the edge");
        assert_eq!(distance_to_edge(3, 1, 7, 3), 1, "the shorter side limits an oblong field");
    }
}
