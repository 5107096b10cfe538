//! The departures of temperature, moisture and wind from their normals, from day to day.
//!
//! A first-order autoregression zₜ = A·zₜ₋₁ + B·εₜ (Richardson 1981) of the standardised departures of lowest temperature, highest
//! temperature, cloudiness and wind speed. Sommer and Kaplan 2017 (GWGEN 1.0, doi 10.5194/gmd-10-3771-2017) fitted A and B to
//! stations all over the world. They have no fit for humidity, so its departures are assumed to follow those of cloudiness (design).

/// Number of departures.
pub(super) const SIZE: usize = 4;
pub(super) const MIN: usize = 0;
pub(super) const MAX: usize = 1;
pub(super) const MOISTURE: usize = 2;
pub(super) const WIND: usize = 3;

pub(super) type Matrix = [[f64; SIZE]; SIZE];

/// The effect of yesterday's departures.
pub(super) const A: Matrix = [
    [0.913437, 0.032532, -0.020658, 0.000573],
    [0.488761, 0.137304, -0.072510, -0.046058],
    [-0.001990, -0.045730, 0.591761, 0.026439],
    [0.010905, -0.044171, -0.018568, 0.666672],
];

/// The effect of the day's random numbers.
pub(super) const B: Matrix = [
    [0.361854, 0.0, 0.0, 0.0],
    [0.114410, 0.802987, 0.0, 0.0],
    [0.144862, -0.060622, 0.782791, 0.0],
    [0.080593, -0.015829, 0.066186, 0.736713],
];

/// M·v.
#[inline]
pub(super) fn times(matrix: &Matrix, vector: [f64; SIZE]) -> [f64; SIZE] {
    std::array::from_fn(|i| matrix[i].iter().zip(vector).map(|(m, v)| m * v).sum())
}

/// A day's departures, from the previous day's departures and fresh standard normal numbers.
///
/// zₜ = A·zₜ₋₁ + B·εₜ
#[inline]
pub(super) fn next(before: [f64; SIZE], fresh: [f64; SIZE]) -> [f64; SIZE] {
    let (kept, new) = (times(&A, before), times(&B, fresh));
    std::array::from_fn(|i| kept[i] + new[i])
}

/// The stationary covariance S of the departures: S = A·S·Aᵀ + B·Bᵀ (discrete Lyapunov equation).
pub(super) fn stationary_covariance() -> Matrix {
    let product = |a: &Matrix, b: &Matrix| -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..SIZE).map(|k| a[i][k] * b[k][j]).sum()))
    };
    let transposed = |a: &Matrix| -> Matrix { std::array::from_fn(|i| std::array::from_fn(|j| a[j][i])) };
    let fresh = product(&B, &transposed(&B));
    let mut covariance = fresh;
    // The largest eigenvalue of A is 0.93, so after 400 rounds only rounding errors remain.
    for _ in 0..400 {
        let kept = product(&product(&A, &covariance), &transposed(&A));
        covariance = std::array::from_fn(|i| std::array::from_fn(|j| kept[i][j] + fresh[i][j]));
    }
    covariance
}

/// The lower triangular L with L·Lᵀ = S (Cholesky): L·ε has the covariance S.
pub(super) fn root(covariance: &Matrix) -> Matrix {
    let mut root = [[0.0; SIZE]; SIZE];
    for i in 0..SIZE {
        for j in 0..=i {
            let rest: f64 = covariance[i][j] - (0..j).map(|k| root[i][k] * root[j][k]).sum::<f64>();
            root[i][j] = if i == j { rest.max(0.0).sqrt() } else { rest / root[j][j].max(1e-12) };
        }
    }
    root
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// S from the linear equations (I − A⊗A)·vec S = vec B·Bᵀ by elimination, a different method from the one above.
    pub(in super::super) fn lyapunov() -> Matrix {
        let n = SIZE * SIZE;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for i in 0..SIZE {
            for j in 0..SIZE {
                let mut row = vec![0.0; n + 1];
                for k in 0..SIZE {
                    for l in 0..SIZE {
                        row[k * SIZE + l] = f64::from(u8::from((i, j) == (k, l))) - A[i][k] * A[j][l];
                    }
                }
                row[n] = (0..SIZE).map(|k| B[i][k] * B[j][k]).sum();
                rows.push(row);
            }
        }
        for pivot in 0..n {
            let best = (pivot..n).max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs())).unwrap();
            rows.swap(pivot, best);
            let above = rows[pivot].clone();
            for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
                assert!(i < n);
                let factor = row[pivot] / above[pivot];
                row.iter_mut().zip(&above).for_each(|(value, above)| *value -= factor * above);
            }
        }
        std::array::from_fn(|i| std::array::from_fn(|j| rows[i * SIZE + j][n] / rows[i * SIZE + j][i * SIZE + j]))
    }

    #[test]
    fn the_covariance_solves_the_lyapunov_equation_and_is_standardised() {
        let (found, expected) = (stationary_covariance(), lyapunov());
        for i in 0..SIZE {
            for j in 0..SIZE {
                assert!((found[i][j] - expected[i][j]).abs() < 1e-10, "{i} {j}: {} {}", found[i][j], expected[i][j]);
            }
            // Departures in standard deviations have variance 1.
            assert!((found[i][i] - 1.0).abs() < 1e-3, "{}", found[i][i]);
        }
        // Warm nights go with warm days.
        assert!((found[MIN][MAX] - 0.572).abs() < 1e-3);
    }

    #[test]
    fn the_root_squared_is_the_covariance() {
        let covariance = stationary_covariance();
        let root = root(&covariance);
        for i in 0..SIZE {
            for j in 0..SIZE {
                let product: f64 = (0..SIZE).map(|k| root[i][k] * root[j][k]).sum();
                assert!((product - covariance[i][j]).abs() < 1e-12);
            }
        }
    }
}
