//! The departures of temperature, moisture and wind from their normals, from day to day.
//!
//! A first-order autoregression zₜ = A·zₜ₋₁ + B·εₜ (Richardson 1981) of the standardised departures of lowest temperature, highest
//! temperature, clouds and wind speed. Matalas 1967 fits A and B to measured days (`fit/numbers.rs`).

/// Number of departures.
pub(super) const SIZE: usize = 4;
pub(super) const MIN: usize = 0;
pub(super) const MAX: usize = 1;
pub(super) const MOISTURE: usize = 2;
pub(super) const WIND: usize = 3;

pub(super) type Matrix = [[f64; SIZE]; SIZE];

/// A and B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Memory {
    /// A: the effect of yesterday's departures.
    pub yesterday: Matrix,
    /// B: the effect of the day's random numbers.
    pub today: Matrix,
}

/// M·v.
#[inline]
pub(super) fn times(matrix: &Matrix, vector: [f64; SIZE]) -> [f64; SIZE] {
    std::array::from_fn(|i| matrix[i].iter().zip(vector).map(|(m, v)| m * v).sum())
}

impl Memory {
    /// A day's departures, from the previous day's departures and fresh standard normal numbers.
    ///
    /// zₜ = A·zₜ₋₁ + B·εₜ
    #[inline]
    pub(super) fn next(&self, before: [f64; SIZE], fresh: [f64; SIZE]) -> [f64; SIZE] {
        let (kept, new) = (times(&self.yesterday, before), times(&self.today, fresh));
        std::array::from_fn(|i| kept[i] + new[i])
    }

    /// The stationary covariance S of the departures: S = A·S·Aᵀ + B·Bᵀ (discrete Lyapunov equation). It is infinite or not a number if
    /// the departures grow without limit.
    pub(super) fn stationary_covariance(&self) -> Matrix {
        let fresh = product(&self.today, &transposed(&self.today));
        let mut covariance = fresh;
        // The largest eigenvalue of A is at most about 0.93, so after 400 rounds only rounding errors remain.
        for _ in 0..400 {
            let kept = product(&product(&self.yesterday, &covariance), &transposed(&self.yesterday));
            covariance = std::array::from_fn(|i| std::array::from_fn(|j| kept[i][j] + fresh[i][j]));
        }
        covariance
    }
}

pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..SIZE).map(|k| a[i][k] * b[k][j]).sum()))
}

pub(super) fn transposed(a: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
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
    use super::super::law::{Climate, Law};
    use super::*;

    /// S from the linear equations (I − A⊗A)·vec S = vec B·Bᵀ by elimination, a different method from the one above.
    pub(in super::super) fn lyapunov(memory: &Memory) -> Matrix {
        let (a, b) = (memory.yesterday, memory.today);
        let n = SIZE * SIZE;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for i in 0..SIZE {
            for j in 0..SIZE {
                let mut row = vec![0.0; n + 1];
                for k in 0..SIZE {
                    for l in 0..SIZE {
                        row[k * SIZE + l] = f64::from(u8::from((i, j) == (k, l))) - a[i][k] * a[j][l];
                    }
                }
                row[n] = (0..SIZE).map(|k| b[i][k] * b[j][k]).sum();
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
        let memory = Law::of(&Climate::default()).memory;
        let (found, expected) = (memory.stationary_covariance(), lyapunov(&memory));
        for i in 0..SIZE {
            for j in 0..SIZE {
                assert!((found[i][j] - expected[i][j]).abs() < 1e-10, "{i} {j}: {} {}", found[i][j], expected[i][j]);
            }
            // Departures in standard deviations have variance 1.
            assert!((found[i][i] - 1.0).abs() < 0.01, "{}", found[i][i]);
        }
        // Warm nights go with warm days.
        assert!((found[MIN][MAX] - 0.658).abs() < 1e-3, "{}", found[MIN][MAX]);
    }

    #[test]
    fn the_root_squared_is_the_covariance() {
        let covariance = Law::of(&Climate::default()).memory.stationary_covariance();
        let root = root(&covariance);
        for i in 0..SIZE {
            for j in 0..SIZE {
                let product: f64 = (0..SIZE).map(|k| root[i][k] * root[j][k]).sum();
                assert!((product - covariance[i][j]).abs() < 1e-12);
            }
        }
    }
}
