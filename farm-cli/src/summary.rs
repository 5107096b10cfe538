//! The mean, standard deviation and extremes of returns, and their formatting.

use crate::output::format_number;

/// The mean, standard deviation and extremes of the values added so far (Welford's method: one pass, no cancellation).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summary {
    /// The number of values.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    squares: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
}

impl Summary {
    /// An empty summary.
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

    /// The sample standard deviation. `None` for a single value.
    pub(crate) fn sd(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.squares / (self.n - 1) as f64).sqrt())
    }
}

/// The number of decimals in a column of returns, chosen to show three digits of the smallest standard deviation. Unknown if there is no
/// standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimals(Option<usize>);

impl Decimals {
    /// The maximum number of decimals in a column.
    const MAX: f64 = 6.0;

    /// The decimals for returns with these standard deviations.
    pub(crate) fn of(spreads: impl IntoIterator<Item = f64>) -> Self {
        let least = spreads.into_iter().filter(|sd| *sd > 0.0 && sd.is_finite()).fold(f64::INFINITY, f64::min);
        let digits =
            || (2.0 - (farm_core::math::ln(least) / std::f64::consts::LN_10).floor()).clamp(0.0, Self::MAX) as usize;
        Self(least.is_finite().then(digits))
    }

    /// Formats a number in the column.
    pub(crate) fn write(self, value: f64) -> String {
        match self.0 {
            // Avoids a negative zero.
            Some(decimals) if value.abs() < 0.5 * 0.1_f64.powi(decimals as i32) => format!("{:.decimals$}", 0.0),
            Some(decimals) => format!("{value:.decimals$}"),
            None => format_number(value),
        }
    }

    /// Formats a mean with its standard deviation.
    pub(crate) fn mean_and_sd(self, summary: &Summary) -> String {
        format!("{} ± {}", self.write(summary.mean), summary.sd().map_or("–".to_owned(), |sd| self.write(sd)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_decimals_that_its_spread_is_worth() {
        let decimals = Decimals::of([1.1222, 0.0]);
        assert_eq!(
            (decimals.write(8.1597), decimals.write(11.0), decimals.write(-0.01)),
            ("8.16".into(), "11.00".into(), "-0.01".into())
        );
        assert_eq!(Decimals::of([0.4464]).write(1.4704), "1.470");
        assert_eq!(decimals.write(-0.001), "0.00");
        assert_eq!(Decimals::of([310.0]).write(171_197.4), "171197");
        assert_eq!(Decimals::of([1e-9]).write(0.5), "0.500000");
        assert_eq!(Decimals::of([]).write(0.123_456), "0.1235");
    }

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
