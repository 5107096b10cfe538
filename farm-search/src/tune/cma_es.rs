//! CMA-ES: the covariance matrix adaptation evolution strategy (Hansen 2016, "The CMA Evolution Strategy: A Tutorial"), in the unit cube.
//!
//! This module contains only the parts of the method that tuning needs. The `cmaes` crate can't be resumed, uses its own random generator
//! and depends on a linear algebra library. All state is in [`CmaEs`], which is saved and restored bit for bit. A generation's random
//! numbers depend only on the given stream.

use farm_core::Stream;
use farm_core::math::{exp, ln, sum};
use serde::{Deserialize, Serialize};

/// The standard deviation of the first generation, as a share of each range.
const FIRST_SPREAD: f64 = 0.25;
/// The narrowest and the widest spread, as shares of a range.
const SPREAD: (f64, f64) = (1e-6, 1.0);
/// Maximum number of redraws of a point outside the cube, before it is moved to the edge.
const MAX_REDRAWN: usize = 20;

/// The search distribution and its evolution paths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CmaEs {
    /// Its centre.
    pub mean: Vec<f64>,
    /// Its overall standard deviation.
    spread: f64,
    /// Its shape, row by row.
    covariance: Vec<Vec<f64>>,
    /// The evolution path of the spread.
    spread_path: Vec<f64>,
    /// The evolution path of the covariance.
    shape_path: Vec<f64>,
    /// Number of generations so far.
    pub generations: usize,
    /// Minimum standard deviation of each coordinate, which keeps integers moving.
    narrowest: Vec<f64>,
}

/// The weights and rates of the method, computed from the number of coordinates.
struct Rates {
    /// The weights of the better half, the best first; their sum is 1.
    weights: Vec<f64>,
    /// 1/Σw².
    effective: f64,
    spread: f64,
    damping: f64,
    path: f64,
    rank_one: f64,
    rank_many: f64,
    /// The mean length of a standard normal vector.
    normal_length: f64,
}

impl Rates {
    fn new(n: usize) -> Self {
        let parents = population(n) / 2;
        let raw: Vec<f64> = (1..=parents).map(|rank| ln(parents as f64 + 0.5) - ln(rank as f64)).collect();
        let total = sum(raw.iter().copied());
        let weights: Vec<f64> = raw.iter().map(|weight| weight / total).collect();
        let effective = 1.0 / sum(weights.iter().map(|weight| weight * weight));
        let n = n as f64;
        let rank_one = 2.0 / ((n + 1.3) * (n + 1.3) + effective);
        let rank_many = 2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0) * (n + 2.0) + effective);
        let spread = (effective + 2.0) / (n + effective + 5.0);
        Self {
            weights,
            effective,
            spread,
            damping: 1.0 + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + spread,
            path: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            rank_one,
            rank_many: rank_many.min(1.0 - rank_one),
            normal_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// The number of points in a generation with this number of coordinates.
pub(crate) fn population(n: usize) -> usize {
    4 + (3.0 * ln(n.max(1) as f64)).floor() as usize
}

impl CmaEs {
    /// A search that starts at a point. `narrowest` is the minimum standard deviation of each coordinate.
    pub(crate) fn new(start: Vec<f64>, narrowest: Vec<f64>) -> Self {
        let n = start.len();
        let unit = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
        Self {
            mean: start,
            spread: FIRST_SPREAD,
            covariance: (0..n).map(unit).collect(),
            spread_path: vec![0.0; n],
            shape_path: vec![0.0; n],
            generations: 0,
            narrowest,
        }
    }

    /// A generation's points, each within the unit cube.
    pub(crate) fn ask(&self, stream: &mut Stream) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        let (values, vectors) = eigen(&self.covariance);
        let roots: Vec<f64> = values.iter().map(|value| value.max(0.0).sqrt()).collect();
        let mut draw = || -> Vec<f64> {
            let normal: Vec<f64> = roots.iter().map(|root| root * stream.normal()).collect();
            let moved = |(row, mean): (&Vec<f64>, &f64)| mean + self.spread * dot(row, &normal);
            vectors.iter().zip(&self.mean).map(moved).collect()
        };
        let is_inside = |point: &Vec<f64>| point.iter().all(|x| (0.0..=1.0).contains(x));
        let point = |_| {
            let mut point = draw();
            for _ in 0..MAX_REDRAWN {
                if is_inside(&point) {
                    break;
                }
                point = draw();
            }
            point.iter_mut().for_each(|x| *x = x.clamp(0.0, 1.0));
            point
        };
        (0..population(n)).map(point).collect()
    }

    /// Learns from a generation's points, best first.
    pub(crate) fn tell(&mut self, ranked: &[Vec<f64>]) {
        let n = self.mean.len();
        let rates = Rates::new(n);
        let steps: Vec<Vec<f64>> = ranked
            .iter()
            .take(rates.weights.len())
            .map(|point| point.iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.spread).collect())
            .collect();
        let step: Vec<f64> =
            (0..n).map(|i| sum(steps.iter().zip(&rates.weights).map(|(step, weight)| weight * step[i]))).collect();
        self.mean.iter_mut().zip(&step).for_each(|(mean, step)| *mean = (*mean + self.spread * step).clamp(0.0, 1.0));
        self.generations += 1;

        let whitened = self.whitened(&step);
        let gain = (rates.spread * (2.0 - rates.spread) * rates.effective).sqrt();
        for (path, white) in self.spread_path.iter_mut().zip(&whitened) {
            *path = (1.0 - rates.spread) * *path + gain * white;
        }
        let length = dot(&self.spread_path, &self.spread_path).sqrt();
        let forgotten = farm_core::math::powf(1.0 - rates.spread, 2.0 * self.generations as f64);
        let is_short = length / (1.0 - forgotten).sqrt() < (1.4 + 2.0 / (n as f64 + 1.0)) * rates.normal_length;
        let gain = if is_short { (rates.path * (2.0 - rates.path) * rates.effective).sqrt() } else { 0.0 };
        for (path, step) in self.shape_path.iter_mut().zip(&step) {
            *path = (1.0 - rates.path) * *path + gain * step;
        }
        // Compensates the variance for a paused path.
        let missing = if is_short { 0.0 } else { rates.rank_one * rates.path * (2.0 - rates.path) };
        let kept = 1.0 - rates.rank_one - rates.rank_many + missing;
        for (i, row) in self.covariance.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let many = sum(steps.iter().zip(&rates.weights).map(|(step, weight)| weight * step[i] * step[j]));
                *entry =
                    kept * *entry + rates.rank_one * self.shape_path[i] * self.shape_path[j] + rates.rank_many * many;
            }
        }
        let faster = exp((rates.spread / rates.damping * (length / rates.normal_length - 1.0)).clamp(-1.0, 1.0));
        self.spread = (self.spread * faster).clamp(SPREAD.0, SPREAD.1);
        let variance = self.spread * self.spread;
        for (i, least) in self.narrowest.iter().enumerate() {
            let own = &mut self.covariance[i][i];
            *own = own.max(least * least / variance);
        }
    }

    /// Whether it is a valid search over `n` numbers; a search from a damaged checkpoint may not be.
    pub(crate) fn is_possible(&self, n: usize) -> bool {
        let is_full = |numbers: &Vec<f64>| numbers.len() == n && numbers.iter().all(|x| x.is_finite());
        let vectors = [&self.mean, &self.spread_path, &self.shape_path, &self.narrowest];
        vectors.into_iter().chain(&self.covariance).all(is_full)
            && self.covariance.len() == n
            && (SPREAD.0..=SPREAD.1).contains(&self.spread)
            && self.mean.iter().all(|x| (0.0..=1.0).contains(x))
    }

    /// C^(−½) times a vector.
    fn whitened(&self, vector: &[f64]) -> Vec<f64> {
        let (values, vectors) = eigen(&self.covariance);
        let n = vector.len();
        let along: Vec<f64> = (0..n)
            .map(|k| {
                let share = sum(vectors.iter().zip(vector).map(|(row, x)| row[k] * x));
                if values[k] > 0.0 { share / values[k].sqrt() } else { 0.0 }
            })
            .collect();
        vectors.iter().map(|row| dot(row, &along)).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum(a.iter().zip(b).map(|(a, b)| a * b))
}

/// The eigenvalues of a symmetric matrix, and the matrix whose columns are the eigenvectors (Jacobi rotations).
fn eigen(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    const MAX_SWEEPS: usize = 60;
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut vectors: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let size = a.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    for _ in 0..MAX_SWEEPS {
        let rest =
            (0..n).flat_map(|p| (p + 1..n).map(move |q| (p, q))).fold(0.0_f64, |most, (p, q)| most.max(a[p][q].abs()));
        if rest <= 1e-15 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                let turn = |x: f64, y: f64| (c * x - s * y, s * x + c * y);
                for row in a.iter_mut().chain(&mut vectors) {
                    (row[p], row[q]) = turn(row[p], row[q]);
                }
                let (left, right) = a.split_at_mut(q);
                for (x, y) in left[p].iter_mut().zip(&mut right[0]) {
                    (*x, *y) = turn(*x, *y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best point found from a corner within this number of generations; lower values are better.
    fn minimum(n: usize, generations: u64, seed: u64, value: impl Fn(&[f64], &mut Stream) -> f64) -> Vec<f64> {
        let mut search = CmaEs::new(vec![0.1; n], vec![0.0; n]);
        for generation in 0..generations {
            let mut stream = Stream::from_seed(farm_core::mix(seed, generation));
            let points = search.ask(&mut stream);
            assert!(points.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
            let mut scored: Vec<(f64, Vec<f64>)> =
                points.into_iter().map(|point| (value(&point, &mut stream), point)).collect();
            scored.sort_by(|a, b| a.0.total_cmp(&b.0));
            search.tell(&scored.into_iter().map(|(_, point)| point).collect::<Vec<_>>());
        }
        search.mean
    }

    fn sphere(point: &[f64]) -> f64 {
        sum(point.iter().enumerate().map(|(i, x)| (x - 0.3 - 0.05 * i as f64) * (x - 0.3 - 0.05 * i as f64)))
    }

    #[test]
    fn the_eigenvectors_rebuild_the_matrix() {
        let matrix = vec![vec![4.0, 1.0, -2.0], vec![1.0, 3.0, 0.5], vec![-2.0, 0.5, 2.0]];
        let (values, vectors) = eigen(&matrix);
        for i in 0..3 {
            for j in 0..3 {
                let rebuilt = sum((0..3).map(|k| vectors[i][k] * values[k] * vectors[j][k]));
                assert!((rebuilt - matrix[i][j]).abs() < 1e-12, "{i} {j}: {rebuilt}");
            }
        }
    }

    #[test]
    fn it_finds_the_centre_of_a_sphere() {
        let found = minimum(8, 150, 1, |point, _| sphere(point));
        assert!(sphere(&found) < 1e-8, "{found:?}");
    }

    #[test]
    fn it_follows_a_bent_valley() {
        // Rosenbrock's function, whose minimum (1, 1) lies at ¾ of the range from −2 to 2; with more variables it has a second one.
        let value = |point: &[f64], _: &mut Stream| {
            let x: Vec<f64> = point.iter().map(|x| 4.0 * x - 2.0).collect();
            sum(x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]) * (w[1] - w[0] * w[0]) + (1.0 - w[0]) * (1.0 - w[0])))
        };
        let found = minimum(2, 400, 2, value);
        assert!(found.iter().all(|x| (x - 0.75).abs() < 1e-3), "{found:?}");
    }

    #[test]
    fn noise_does_not_lead_it_astray() {
        // The noise of each point is as large as the difference between centre and corner.
        let found = minimum(4, 200, 3, |point, stream| sphere(point) + 0.1 * stream.normal());
        // It began at 0.32.
        assert!(sphere(&found) < 0.05, "{found:?}");
    }

    #[test]
    fn a_minimum_at_the_edge_is_found() {
        let found = minimum(3, 100, 4, |point, _| sum(point.iter().map(|x| 1.0 - x)));
        assert!(found.iter().all(|x| *x > 0.999), "{found:?}");
    }

    #[test]
    fn it_is_saved_to_the_last_bit() {
        let mut search = CmaEs::new(vec![0.2, 0.7, 1.0 / 3.0], vec![0.0, 0.1, 0.0]);
        let points = search.ask(&mut Stream::from_seed(9));
        search.tell(&points);
        let read: CmaEs = serde_json::from_str(&serde_json::to_string(&search).unwrap()).unwrap();
        assert_eq!(read, search);
        assert_eq!(read.ask(&mut Stream::from_seed(10)), search.ask(&mut Stream::from_seed(10)));
    }
}
