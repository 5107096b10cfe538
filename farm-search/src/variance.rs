//! Analysis of variance with two factors, policy and world, and with repetitions, whose residual is chance (dice).
//!
//! Components of variance by the method of moments, from the mean squares of a balanced table (Montgomery, Design and Analysis of
//! Experiments, section 13.2): with P policies, W worlds and R repetitions in each cell,
//!
//! σ²(dice) = MS(dice), σ²(both) = (MS(both) − MS(dice)) / R, σ²(policy) = (MS(policy) − MS(both)) / (W R),
//! σ²(world) = (MS(world) − MS(both)) / (P R); negative results become 0.

use farm_core::math::sum;
use farm_scoring::risk::{Bootstrap, Estimate};

use crate::SearchError;

/// The returns of each policy in each world, with several repetitions that differ only by chance.
#[derive(Debug, Clone, PartialEq)]
pub struct VarianceTable {
    /// Returns by policy, world and repetition.
    cells: Vec<Vec<Vec<f64>>>,
    repeats: usize,
}

/// The shares of the variance in returns. Their sum is 1; if all returns are equal, all shares are 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The policy's share, in all worlds.
    pub policy: f64,
    /// The world's share, for all policies.
    pub world: f64,
    /// The share of the interaction: effects of the world that a policy can respond to.
    pub both: f64,
    /// The share of differences with the same policy in the same world: luck that no policy can influence.
    pub dice: f64,
    /// The total variance of a return.
    pub variance: f64,
}

impl Shares {
    /// The shares in the order policy, world, both, dice.
    pub fn all(&self) -> [f64; 4] {
        [self.policy, self.world, self.both, self.dice]
    }
}

impl VarianceTable {
    /// A table of returns by policy, world and repetition.
    ///
    /// # Errors
    /// The table is incomplete, or has fewer than two policies, worlds or repetitions.
    pub fn new(cells: Vec<Vec<Vec<f64>>>) -> Result<Self, SearchError> {
        let worlds = cells.first().map_or(0, Vec::len);
        let repeats = cells.iter().flatten().map(Vec::len).next().unwrap_or(0);
        let is_complete = cells.iter().all(|row| row.len() == worlds && row.iter().all(|cell| cell.len() == repeats));
        if is_complete && cells.len() > 1 && worlds > 1 && repeats > 1 {
            return Ok(Self { cells, repeats });
        }
        let found = format!("{} policies, {worlds} worlds, {repeats} repetitions", cells.len());
        Err(SearchError::Request(format!(
            "an analysis of variance needs a complete table of at least 2 policies, 2 worlds and 2 repetitions; found {found}"
        )))
    }

    /// The mean of all returns.
    pub fn mean(&self) -> f64 {
        let n = self.cells.len() * self.worlds() * self.repeats;
        sum(self.cells.iter().flatten().flatten().copied()) / n as f64
    }

    /// The shares of the variance.
    pub fn shares(&self) -> Shares {
        self.shares_of(&vec![1; self.worlds()])
    }

    /// The shares in the order policy, world, both, dice, each with a 95 % bootstrap interval over worlds.
    pub fn intervals(&self) -> [Estimate; 4] {
        let of = |which: usize| {
            let value = self.shares().all()[which];
            let statistic = |counts: &[u32]| self.shares_of(counts).all()[which];
            Bootstrap::default().statistic(self.worlds(), statistic).unwrap_or(Estimate {
                value,
                low: value,
                high: value,
            })
        };
        [0, 1, 2, 3].map(of)
    }

    fn worlds(&self) -> usize {
        self.cells[0].len()
    }

    /// The mean squares when world `w` counts `counts[w]` times.
    fn mean_squares_of(&self, counts: &[u32]) -> [f64; 4] {
        let (policies, repeats) = (self.cells.len() as f64, self.repeats as f64);
        let count = |world: usize| f64::from(counts[world]);
        let worlds = sum(counts.iter().map(|count| f64::from(*count)));
        let cell = |policy: usize, world: usize| sum(self.cells[policy][world].iter().copied()) / repeats;
        let of_policy = |policy: usize| sum((0..counts.len()).map(|world| count(world) * cell(policy, world))) / worlds;
        let of_world = |world: usize| sum((0..self.cells.len()).map(|policy| cell(policy, world))) / policies;
        let policy_means: Vec<f64> = (0..self.cells.len()).map(of_policy).collect();
        let world_means: Vec<f64> = (0..counts.len()).map(of_world).collect();
        let mean = sum(policy_means.iter().copied()) / policies;
        let squares_of_policies = sum(policy_means.iter().map(|of| (of - mean) * (of - mean)));
        let squares_of_worlds = sum(world_means.iter().enumerate().map(|(w, of)| count(w) * (of - mean) * (of - mean)));
        let (mut squares_of_both, mut squares_of_dice) = (0.0, 0.0);
        for (policy, row) in self.cells.iter().enumerate() {
            for (world, returns) in row.iter().enumerate() {
                let cell = cell(policy, world);
                let rest = cell - policy_means[policy] - world_means[world] + mean;
                squares_of_both += count(world) * rest * rest;
                squares_of_dice += count(world) * sum(returns.iter().map(|x| (x - cell) * (x - cell)));
            }
        }
        [
            worlds * repeats * squares_of_policies / (policies - 1.0),
            policies * repeats * squares_of_worlds / (worlds - 1.0),
            repeats * squares_of_both / ((policies - 1.0) * (worlds - 1.0)),
            squares_of_dice / (policies * worlds * (repeats - 1.0)),
        ]
    }

    fn shares_of(&self, counts: &[u32]) -> Shares {
        let [policy, world, both, dice] = self.mean_squares_of(counts);
        let (policies, repeats) = (self.cells.len() as f64, self.repeats as f64);
        let worlds = sum(counts.iter().map(|count| f64::from(*count)));
        let components = [
            (policy - both) / (worlds * repeats),
            (world - both) / (policies * repeats),
            (both - dice) / repeats,
            dice,
        ]
        .map(|component| component.max(0.0));
        let variance = sum(components.iter().copied());
        let [policy, world, both, dice] =
            components.map(|component| if variance > 0.0 { component / variance } else { 0.0 });
        Shares { policy, world, both, dice, variance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Montgomery, Design and Analysis of Experiments, table 5.1 (battery life by material and temperature, four batteries each), with the
    /// mean squares from its table 5.5.
    #[test]
    fn mean_squares_are_those_of_the_textbook() {
        let cells = [
            [[130.0, 155.0, 74.0, 180.0], [34.0, 40.0, 80.0, 75.0], [20.0, 70.0, 82.0, 58.0]],
            [[150.0, 188.0, 159.0, 126.0], [136.0, 122.0, 106.0, 115.0], [25.0, 70.0, 58.0, 45.0]],
            [[138.0, 110.0, 168.0, 160.0], [174.0, 120.0, 150.0, 139.0], [96.0, 104.0, 82.0, 60.0]],
        ];
        let cells = cells.map(|row| row.map(|cell| cell.to_vec()).to_vec()).to_vec();
        let table = VarianceTable::new(cells).unwrap();
        for (found, expected) in table.mean_squares_of(&[1; 3]).iter().zip([5341.86, 19559.36, 2403.44, 675.21]) {
            assert!((found - expected).abs() < 0.005, "{found}, expected {expected}");
        }
        // (5341.86 − 2403.44) / 12, (19559.36 − 2403.44) / 12, (2403.44 − 675.21) / 4, 675.21, by hand.
        let components = [244.868, 1429.660, 432.057, 675.213];
        let variance: f64 = components.iter().sum();
        let shares = table.shares();
        assert!((shares.variance - variance).abs() < 0.01, "{}", shares.variance);
        for (found, component) in shares.all().iter().zip(components) {
            assert!((found - component / variance).abs() < 1e-5, "{found}, expected {}", component / variance);
        }
    }

    #[test]
    fn a_table_where_only_one_thing_matters_says_so() {
        let table = |value: fn(usize, usize, usize) -> f64| {
            let cells = (0..3).map(|p| (0..4).map(|w| (0..2).map(|r| value(p, w, r)).collect()).collect()).collect();
            VarianceTable::new(cells).unwrap().shares()
        };
        assert_eq!(table(|p, _, _| p as f64).all(), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(table(|_, w, _| w as f64).all(), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(table(|_, _, r| r as f64).all(), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(table(|_, _, _| 7.0).all(), [0.0; 4]);
        // Worlds that are good for one policy and bad for another.
        let both = table(|p, w, _| if (p + w) % 2 == 0 { 1.0 } else { -1.0 });
        assert!(both.both > 0.9, "{both:?}");
    }

    #[test]
    fn a_table_that_is_too_small_or_not_complete_is_rejected() {
        assert!(VarianceTable::new(vec![vec![vec![1.0, 2.0]; 2]]).is_err());
        assert!(VarianceTable::new(vec![vec![vec![1.0]; 2]; 2]).is_err());
        let mut cells = vec![vec![vec![1.0, 2.0]; 2]; 2];
        cells[1][1].pop();
        let error = VarianceTable::new(cells).unwrap_err().to_string();
        assert!(error.contains("2 policies, 2 worlds, 2 repetitions"), "{error}");
    }
}
