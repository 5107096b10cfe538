//! Small numerical methods of the fit.

use farm_core::math;

use super::super::residuals::{self, Matrix, Memory, SIZE, product};
use super::super::year;
use crate::agronomy::weather::formats::MONTH_STARTS;
use crate::agronomy::weather::variables::PERCENT;

/// The smooth course through twelve monthly means.
pub(super) fn smooth(months: &[f64]) -> Vec<f64> {
    year::smooth(months, &std::array::from_fn(|i| MONTH_STARTS[i + 1] - MONTH_STARTS[i]))
}

/// The matrices with the lag-0 and lag-1 correlations M₀ and M₁: A = M₁·M₀⁻¹, and B is the lower triangular root of M₀ − A·M₁ᵀ (Matalas
/// 1967). `None` if there are none, or if they don't stay in their limits.
pub(super) fn memory_of(now: &Matrix, lagged: &Matrix) -> Option<Memory> {
    let yesterday = product(lagged, &inverse(now)?);
    let kept = product(&yesterday, &residuals::transposed(lagged));
    let fresh: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| now[i][j] - kept[i][j]));
    let memory = Memory { yesterday, today: residuals::root(&fresh) };
    let covariance = memory.stationary_covariance();
    (0..SIZE).all(|i| memory.today[i][i] > 0.05 && (covariance[i][i] - 1.0).abs() < 0.05).then_some(memory)
}

/// The inverse by elimination; `None` if there is none.
fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let (mut left, mut right) = (*matrix, Matrix::default());
    (0..SIZE).for_each(|i| right[i][i] = 1.0);
    for pivot in 0..SIZE {
        let best = (pivot..SIZE).max_by(|a, b| left[*a][pivot].abs().total_cmp(&left[*b][pivot].abs()))?;
        left.swap(pivot, best);
        right.swap(pivot, best);
        let scale = left[pivot][pivot];
        if scale.abs() < 1e-6 {
            return None;
        }
        (0..SIZE).for_each(|j| {
            left[pivot][j] /= scale;
            right[pivot][j] /= scale;
        });
        for row in (0..SIZE).filter(|row| *row != pivot) {
            let factor = left[row][pivot];
            (0..SIZE).for_each(|j| {
                left[row][j] -= factor * left[pivot][j];
                right[row][j] -= factor * right[pivot][j];
            });
        }
    }
    Some(right)
}

/// Mean and standard deviation of a normal law that has a given mean and deviation [%] after its values are limited to 0 to 100.
pub(super) fn unlimited(mean: f64, deviation: f64) -> (f64, f64) {
    let quantiles: Vec<f64> = (0..200).map(|i| quantile((f64::from(i) + 0.5) / 200.0)).collect();
    let (mut centre, mut width) = (mean, deviation);
    for _ in 0..60 {
        let values: Vec<f64> = quantiles.iter().map(|z| (centre + width * z).clamp(PERCENT.0, PERCENT.1)).collect();
        let found = values.iter().sum::<f64>() / values.len() as f64;
        let square = values.iter().map(|value| (value - found) * (value - found)).sum::<f64>() / values.len() as f64;
        centre = (centre + mean - found).clamp(PERCENT.0, PERCENT.1);
        width = (width + deviation - square.sqrt()).clamp(0.0, 50.0);
    }
    (centre, width)
}

/// The quantile of the standard normal law, with an error below 0.0005 (Abramowitz and Stegun 26.2.23).
fn quantile(share: f64) -> f64 {
    let tail = share.min(1.0 - share);
    let t = (-2.0 * math::ln(tail)).sqrt();
    let size = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    if share < 0.5 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::super::super::law::{Climate, Law};
    use super::*;

    #[test]
    fn the_memory_of_its_own_correlations_is_the_memory() {
        let memory = Law::of(&Climate::default()).memory;
        let now = memory.stationary_covariance();
        let found = memory_of(&now, &product(&memory.yesterday, &now)).unwrap();
        for (i, j) in (0..SIZE).flat_map(|i| (0..SIZE).map(move |j| (i, j))) {
            assert!((found.yesterday[i][j] - memory.yesterday[i][j]).abs() < 1e-9);
            assert!((found.today[i][j] - memory.today[i][j]).abs() < 1e-9);
        }
        // Perfectly equal departures have no inverse.
        assert!(memory_of(&[[1.0; SIZE]; SIZE], &Matrix::default()).is_none());
    }

    #[test]
    fn a_limited_law_has_the_given_moments() {
        assert!((quantile(0.975) - 1.95996).abs() < 5e-4);
        // Far from the limits nothing changes.
        let (mean, deviation) = unlimited(50.0, 10.0);
        assert!((mean - 50.0).abs() < 0.01 && (deviation - 10.0).abs() < 0.1, "{mean} {deviation}");
        // Near a limit, the law is wider and lower than what remains of it.
        let (mean, deviation) = unlimited(20.0, 20.0);
        assert!(mean < 18.0 && deviation > 24.0, "{mean} {deviation}");
    }
}
