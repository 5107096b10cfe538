//! Estimates from a sample in which each return has a count: 1 in the sample itself, any number in a
//! resample, 0 if it is left out.

use farm_core::math::{exp, ln};

use super::Criterion;

/// Returns of episodes, sorted.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The returns in ascending order, each with the index of its episode.
    sorted: Vec<(f64, usize)>,
}

impl Sample {
    /// The returns of the episodes 0, 1, 2 …
    pub fn new(returns: &[f64]) -> Self {
        let mut sorted: Vec<(f64, usize)> = returns.iter().copied().zip(0..).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { sorted }
    }

    /// Number of returns.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are no returns.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// A criterion's estimate with the count `counts[i]` for episode `i`. The counts must leave enough returns for the criterion.
    pub fn value(&self, criterion: &Criterion, counts: &[u32]) -> f64 {
        match *criterion {
            Criterion::Mean => self.mean(counts),
            Criterion::Variance(weight) => self.penalised_mean(counts, weight),
            Criterion::Quantile(share) => self.quantile(counts, share),
            Criterion::Cvar(share) => self.tail_mean(counts, share),
            Criterion::Entropic(aversion) => self.certainty_equivalent(counts, aversion),
            Criterion::Worst(episodes) => self.expected_worst(counts, episodes),
        }
    }

    /// The returns in ascending order, each with its count.
    pub(super) fn counted<'s>(&'s self, counts: &'s [u32]) -> impl Iterator<Item = (f64, f64)> + 's {
        self.sorted.iter().map(|(value, i)| (*value, f64::from(counts[*i]))).filter(|(_, count)| *count > 0.0)
    }

    /// The sum of all counts.
    pub(super) fn number(&self, counts: &[u32]) -> f64 {
        counts.iter().map(|count| f64::from(*count)).sum()
    }

    fn mean(&self, counts: &[u32]) -> f64 {
        self.counted(counts).map(|(value, count)| count * value).sum::<f64>() / self.number(counts)
    }

    /// The shares of returns above thresholds, which must be in ascending order.
    pub(super) fn shares_above<'s>(
        &'s self,
        counts: &'s [u32],
        thresholds: &'s [f64],
    ) -> impl Iterator<Item = f64> + 's {
        let (mut values, number) = (self.counted(counts).peekable(), self.number(counts));
        let mut above = number;
        thresholds.iter().map(move |threshold| {
            while let Some((_, count)) = values.next_if(|(value, _)| value <= threshold) {
                above -= count;
            }
            above / number
        })
    }

    /// The mean without the lowest and the highest quarter, each rounded down to whole returns.
    pub(super) fn middle_mean(&self, counts: &[u32]) -> f64 {
        let n = self.number(counts);
        let cut = (n / 4.0).floor();
        let (mut passed, mut sum) = (0.0, 0.0);
        for (value, count) in self.counted(counts) {
            let (from, to) = (f64::max(passed, cut), f64::min(passed + count, n - cut));
            sum += (to - from).max(0.0) * value;
            passed += count;
        }
        sum / (n - 2.0 * cut)
    }

    /// m − λ s², with s² = Σ (x − m)² / (n − 1)
    fn penalised_mean(&self, counts: &[u32], weight: f64) -> f64 {
        let (mean, n) = (self.mean(counts), self.number(counts));
        let squares: f64 = self.counted(counts).map(|(value, count)| count * (value - mean) * (value - mean)).sum();
        mean - weight * squares / (n - 1.0).max(1.0)
    }

    /// x₍ₖ₊₁₎ + r (x₍ₖ₊₂₎ − x₍ₖ₊₁₎), with (n − 1) q = k + r
    fn quantile(&self, counts: &[u32], share: f64) -> f64 {
        let at = (self.number(counts) - 1.0) * share;
        let (low, rest) = (at.floor(), at - at.floor());
        let (mut passed, mut found) = (0.0, f64::NAN);
        for (value, count) in self.counted(counts) {
            passed += count;
            if found.is_nan() && passed > low {
                found = value;
            }
            if passed > low + 1.0 || rest == 0.0 && !found.is_nan() {
                return found + rest * (value - found);
            }
        }
        found
    }

    /// (Σ of the lowest ⌊αn⌋ + the rest of αn times the next) / (αn)
    fn tail_mean(&self, counts: &[u32], share: f64) -> f64 {
        let wanted = share * self.number(counts);
        let (mut left, mut sum) = (wanted, 0.0);
        for (value, count) in self.counted(counts) {
            let taken = count.min(left);
            sum += taken * value;
            left -= taken;
            if left <= 0.0 {
                break;
            }
        }
        sum / wanted
    }

    /// x₍₁₎ − ln( Σ exp(−β (x − x₍₁₎)) / n ) / β: no exponential overflows, and the largest is 1.
    fn certainty_equivalent(&self, counts: &[u32], aversion: f64) -> f64 {
        let lowest = self.counted(counts).next().map_or(f64::NAN, |(value, _)| value);
        let sum: f64 = self.counted(counts).map(|(value, count)| count * exp(-aversion * (value - lowest))).sum();
        lowest - ln(sum / self.number(counts)) / aversion
    }

    /// Σ x₍ᵢ₎ C(n − i, m − 1) / C(n, m): x₍ᵢ₎ is the lowest of a subset of m if the others are above it.
    fn expected_worst(&self, counts: &[u32], episodes: u32) -> f64 {
        let (n, m) = (self.number(counts), f64::from(episodes));
        let (mut rank, mut weight, mut sum) = (1.0, m / n, 0.0);
        for (value, count) in self.counted(counts) {
            for _ in 0..count as u32 {
                sum += weight * value;
                // The last subset consists of the m largest; after it, weights stay 0.
                weight *= ((n - rank - m + 1.0) / (n - rank).max(1.0)).max(0.0);
                rank += 1.0;
            }
            if weight == 0.0 {
                break;
            }
        }
        sum
    }
}
