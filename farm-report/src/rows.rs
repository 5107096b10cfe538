//! The numbers recorded in an episode of unknown length. If there are too many numbers, every second one is dropped.

/// The maximum number of recorded days.
const MAX_DAYS: usize = 1000;

/// The recorded days: every day, every second day, every fourth day, …
#[derive(Debug, Clone)]
pub(crate) struct Thinning {
    every: u32,
    days: Vec<u32>,
}

impl Default for Thinning {
    fn default() -> Self {
        Self { every: 1, days: Vec::new() }
    }
}

impl Thinning {
    /// Whether to record a day's numbers.
    pub(crate) fn wants(&self, day: u32) -> bool {
        // An episode may start from a state of any day, which is then the first.
        let first = self.days.first().copied().unwrap_or(day);
        day.wrapping_sub(first).is_multiple_of(self.every)
    }

    /// Adds a recorded day. Returns `true` if there are now too many days; the caller must then drop every second day.
    pub(crate) fn kept(&mut self, day: u32) -> bool {
        self.days.push(day);
        let is_full = self.days.len() > MAX_DAYS;
        if is_full {
            halve(&mut self.days);
            self.every = self.every.saturating_mul(2);
        }
        is_full
    }

    /// The recorded days.
    pub(crate) fn days(&self) -> &[u32] {
        &self.days
    }

    /// The interval in days between recorded days.
    pub(crate) fn every(&self) -> u32 {
        self.every
    }
}

/// Drops every second value and keeps the first.
pub(crate) fn halve<T>(values: &mut Vec<T>) {
    let mut rank = 0;
    values.retain(|_| {
        rank += 1;
        rank % 2 == 1
    });
}

/// `N` numbers for each recorded day.
#[derive(Debug, Clone)]
pub(crate) struct Rows<const N: usize>(Vec<[f64; N]>);

impl<const N: usize> Default for Rows<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<const N: usize> Rows<N> {
    /// Adds a day's numbers.
    pub(crate) fn push(&mut self, row: [f64; N]) {
        self.0.push(row);
    }

    /// Drops every second day.
    pub(crate) fn halve(&mut self) {
        halve(&mut self.0);
    }

    /// One of the `N` numbers on all days.
    pub(crate) fn column(&self, index: usize) -> Vec<f64> {
        self.0.iter().map(|row| row.get(index).copied().unwrap_or(f64::NAN)).collect()
    }
}

/// The daily increments of a sum; 0 on the first day.
pub(crate) fn differences(sums: &[f64]) -> Vec<f64> {
    let size = sums.iter().fold(0.0_f64, |most, sum| most.max(sum.abs()));
    let between = sums.windows(2).map(|pair| {
        let difference = pair[1] - pair[0];
        // The difference of equal sums is a rounding error.
        if difference.abs() < size * 1e-12 { 0.0 } else { difference }
    });
    std::iter::once(0.0).chain(between).take(sums.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_episode_evenly_spaced_days_are_kept_and_nothing_of_a_sum_is_lost() {
        keeps_evenly_spaced_days_from(0);
        keeps_evenly_spaced_days_from(37);
    }

    fn keeps_evenly_spaced_days_from(first: u32) {
        let (mut thinning, mut sums) = (Thinning::default(), Rows::<1>::default());
        for day in first..100_000_u32 {
            if thinning.wants(day) {
                sums.push([f64::from(day) * 2.0]);
                if thinning.kept(day) {
                    sums.halve();
                }
            }
        }
        let days = thinning.days();
        assert_eq!(days.first(), Some(&first));
        assert!(days.len() <= MAX_DAYS && days.len() > MAX_DAYS / 2, "{}", days.len());
        assert!(days.windows(2).all(|pair| pair[1] - pair[0] == thinning.every()));
        let column = sums.column(0);
        assert_eq!(column.len(), days.len());
        assert_eq!(column.last().copied(), days.last().map(|day| f64::from(*day) * 2.0));
        assert_eq!(differences(&column).iter().sum::<f64>(), column[column.len() - 1] - column[0]);
    }
}
