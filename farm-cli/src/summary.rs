//! Mean, spread and extremes of the returns of episodes.

/// Mean, spread and extremes of what was added so far (Welford's method: one pass, no cancellation).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summary {
    /// How many were added.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    squares: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Summary {
    /// Of nothing yet.
    pub(crate) fn new() -> Self {
        Self { n: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, value: f64) {
        self.n += 1;
        let before = value - self.mean;
        self.mean += before / self.n as f64;
        self.squares += before * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// The standard deviation of the sample; one episode alone has none.
    pub(crate) fn sd(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.squares / (self.n - 1) as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation_are_those_of_the_sample() {
        let mut summary = Summary::new();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| summary.add(value));
        assert!((summary.mean - 5.0).abs() < 1e-12);
        // 32 / 7 is the sample variance of this textbook series.
        assert!((summary.sd().unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!((summary.min, summary.max), (2.0, 9.0));
    }

    #[test]
    fn one_episode_has_no_deviation() {
        let mut summary = Summary::new();
        assert!(summary.sd().is_none());
        summary.add(3.0);
        assert!(summary.sd().is_none());
    }
}
