//! Binomial and multinomial numbers.

use super::Stream;
use crate::math::{exp, ln};

impl Stream {
    /// The number of successes in `n` trials with probability `p`. If the result is certain, nothing is drawn.
    ///
    /// If there are few trials, they are counted one by one. Otherwise, this method uses inversion if few successes are expected, and
    /// Hörmann's transformed rejection (BTRS, 1993) if many are expected. All three methods are exact, apart from rounding.
    #[inline]
    pub fn binomial(&mut self, n: u32, p: f64) -> u32 {
        if n == 0 || p <= 0.0 {
            return 0;
        }
        if p >= 1.0 {
            return n;
        }
        if n <= MAX_COUNTED {
            return (0..n).map(|_| u32::from(self.uniform() < p)).sum();
        }
        // Counts the less likely outcome.
        let (rare, mirrored) = if p > 0.5 { (1.0 - p, true) } else { (p, false) };
        let found = if f64::from(n) * rare < 10.0 {
            by_inversion(n, rare, || exp(f64::from(n) * ln(1.0 - rare)), || self.uniform())
        } else {
            self.binomial_by_rejection(n, rare)
        };
        if mirrored { n - found } else { found }
    }

    /// Transformed rejection with a squeeze step (Hörmann 1993, algorithm BTRS), for n·p ≥ 10 and p ≤ ½.
    fn binomial_by_rejection(&mut self, n: u32, p: f64) -> u32 {
        let trials = f64::from(n);
        let spread = (trials * p * (1.0 - p)).sqrt();
        let b = 1.15 + 2.53 * spread;
        let a = -0.0873 + 0.0248 * b + 0.01 * p;
        let c = trials * p + 0.5;
        let squeeze = 0.92 - 4.2 / b;
        let odds = p / (1.0 - p);
        let alpha = (2.83 + 5.1 / b) * spread;
        let mode = ((trials + 1.0) * p).floor();
        loop {
            let u = self.uniform() - 0.5;
            let v = 1.0 - self.uniform();
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + c).floor();
            if us >= 0.07 && v <= squeeze {
                return k as u32;
            }
            if !(0.0..=trials).contains(&k) {
                continue;
            }
            let bound = (mode + 0.5) * ln((mode + 1.0) / (odds * (trials - mode + 1.0)))
                + (trials + 1.0) * ln((trials - mode + 1.0) / (trials - k + 1.0))
                + (k + 0.5) * ln(odds * (trials - k + 1.0) / (k + 1.0))
                + stirling_rest(mode)
                + stirling_rest(trials - mode)
                - stirling_rest(k)
                - stirling_rest(trials - k);
            if ln(v * alpha / (a / (us * us) + b)) <= bound {
                return k as u32;
            }
        }
    }

    /// Distributes `n` among entries in proportion to their weights (a multinomial draw). For each entry that gets more than 0, in order,
    /// calls `out` with the entry's index and its number. Nothing is distributed if no weight is positive.
    ///
    /// This is a chain of binomial draws. Each entry draws from the remaining number with a probability equal to its share of the remaining
    /// weights. The last positive weight has probability 1, so the numbers always add up to `n`. The sum of the weights must be finite; a
    /// weight that is not positive counts as 0.
    #[inline]
    pub fn multinomial(&mut self, n: u32, weights: impl Iterator<Item = f64> + Clone, mut out: impl FnMut(usize, u32)) {
        let mut left = n;
        let mut ahead = weights.map(|weight| weight.max(0.0)).enumerate();
        while left > 0 {
            // The weights are summed again each time, because a running difference would leave a remainder after the last weight.
            let total: f64 = ahead.clone().map(|(_, weight)| weight).sum();
            let Some((index, weight)) = ahead.next() else { return };
            let taken = if weight > 0.0 { self.binomial(left, weight / total) } else { 0 };
            if taken > 0 {
                out(index, taken);
                left -= taken;
            }
        }
    }
}

/// Adds up the probabilities of 0, 1, 2 … successes in `n` trials until they exceed a uniform number; `none` returns (1 − p)ⁿ.
#[inline]
pub(super) fn by_inversion(n: u32, p: f64, none: impl FnOnce() -> f64, mut uniform: impl FnMut() -> f64) -> u32 {
    let mut luck = uniform();
    // By Bernoulli's inequality, the probability of no success is at least 1 − n·p, which needs no power.
    if luck < 1.0 - f64::from(n) * p {
        return 0;
    }
    let (none, odds) = (none(), p / (1.0 - p));
    loop {
        let (mut left, mut chance) = (luck, none);
        for k in 0..=n {
            if left < chance {
                return k;
            }
            left -= chance;
            chance *= odds * f64::from(n - k) / f64::from(k + 1);
        }
        // Rounding can leave a remainder after the last probability, about once in 10¹⁵ draws.
        luck = uniform();
    }
}

/// The maximum number of trials that are counted one by one. Up to this number, counting is faster than computing an exponential.
const MAX_COUNTED: u32 = 10;

/// The remainder in Stirling's formula for ln k!: ln k! − [ln √(2π) + (k + ½) ln(k + 1) − (k + 1)].
#[inline]
fn stirling_rest(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_09,
        0.016_644_691_189_821_19,
        0.013_876_128_823_070_75,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_09,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
    ];
    if k < 10.0 {
        return SMALL[k as usize];
    }
    let next = k + 1.0;
    let square = next * next;
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / next
}

#[cfg(test)]
mod tests {
    use super::super::{Purpose, hash_name};
    use super::*;

    #[test]
    fn binomial_probabilities_follow_the_law_in_every_algorithm() {
        for (n, p) in [(9u32, 0.3), (18, 0.2), (18, 0.9), (45, 0.4), (200, 0.55), (3000, 0.01)] {
            let draws = 200_000;
            let mut s = Stream::from_seed(u64::from(n));
            let mut seen = vec![0u32; n as usize + 1];
            (0..draws).for_each(|_| seen[s.binomial(n, p) as usize] += 1);
            // A recursion for the probabilities from the mode outwards would need logarithms. From 0 upwards, the recursion in f64 is exact
            // enough for these numbers.
            let mut chance = (1.0f64 - p).powi(n as i32);
            for (k, seen) in seen.iter().enumerate() {
                let expected = f64::from(draws) * chance;
                if expected > 20.0 {
                    assert!(
                        (f64::from(*seen) - expected).abs() < 5.0 * expected.sqrt(),
                        "n={n} p={p} k={k}: {seen}, {expected}"
                    );
                }
                chance *= p / (1.0 - p) * f64::from(n - k as u32) / (k as f64 + 1.0);
            }
        }
    }

    #[test]
    fn binomial_mean_and_variance_follow_theory_for_small_and_large_n() {
        for (n, p) in [(18u32, 0.63), (40, 0.1), (41, 0.1), (1000, 0.02), (1000, 0.7)] {
            let mut s = Stream::from_seed(u64::from(n));
            let draws: Vec<f64> = (0..40_000).map(|_| f64::from(s.binomial(n, p))).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            let (expected_mean, expected_variance) = (f64::from(n) * p, f64::from(n) * p * (1.0 - p));
            assert!((mean - expected_mean).abs() < 5.0 * (expected_variance / 40_000.0).sqrt(), "n={n} p={p}: {mean}");
            assert!((variance / expected_variance - 1.0).abs() < 0.05, "n={n} p={p}: {variance}");
        }
    }

    fn dealt<const K: usize>(s: &mut Stream, n: u32, weights: [f64; K]) -> [u32; K] {
        let mut counts = [0; K];
        s.multinomial(n, weights.into_iter(), |index, taken| counts[index] += taken);
        counts
    }

    #[test]
    fn golden_multinomial_pins_the_chain_of_binomials() {
        let mut s = Stream::keyed(7, hash_name("Field-0.Pests-0"), 12, Purpose::named("test"));
        let few = dealt(&mut s, 10, [0.5, 1.5, 1.0]);
        let many = dealt(&mut s, 1000, [0.5, 1.5, 0.0, 1.0]);
        assert_eq!((few, many), ([1, 8, 1], [174, 484, 0, 342]));
    }

    #[test]
    fn multinomial_means_variances_and_covariances_follow_theory() {
        let weights = [0.2, 3.0, 0.0, 1.0, 0.8];
        for n in [7u32, 300] {
            let mut s = Stream::from_seed(u64::from(n));
            let draws: Vec<[u32; 5]> = (0..40_000).map(|_| dealt(&mut s, n, weights)).collect();
            assert!(draws.iter().all(|d| d.iter().sum::<u32>() == n), "all are dealt");
            let p = weights.map(|w| w / 5.0);
            let mean = |f: &dyn Fn(&[u32; 5]) -> f64| draws.iter().map(f).sum::<f64>() / draws.len() as f64;
            let centred = |d: &[u32; 5], i: usize| f64::from(d[i]) - f64::from(n) * p[i];
            for i in 0..5 {
                let variance = f64::from(n) * p[i] * (1.0 - p[i]);
                assert!(mean(&|d| centred(d, i)).abs() <= 5.0 * (variance / 40_000.0).sqrt(), "n={n} mean {i}");
                assert!((mean(&|d| centred(d, i).powi(2)) - variance).abs() <= 0.05 * variance, "n={n} variance {i}");
                for j in 0..i {
                    // Cov = −n pᵢ pⱼ; a covariance's error is about the product of the standard deviations.
                    let error = (variance * f64::from(n) * p[j] * (1.0 - p[j]) / 40_000.0).sqrt();
                    let found = mean(&|d| centred(d, i) * centred(d, j));
                    assert!((found + f64::from(n) * p[i] * p[j]).abs() <= 6.0 * error, "n={n} covariance {i} {j}");
                }
            }
        }
    }

    #[test]
    fn multinomial_deals_nothing_without_weight_and_all_to_a_single_one() {
        let mut s = Stream::from_seed(1);
        let before = s.clone().bits();
        assert_eq!(dealt(&mut s, 9, [0.0, -1.0, f64::NAN]), [0; 3]);
        assert_eq!(dealt(&mut s, 9, [0.0, 1e-300, 0.0]), [0, 9, 0]);
        assert_eq!(dealt(&mut s, 0, [1.0, 1.0]), [0, 0]);
        assert_eq!(dealt::<0>(&mut s, 5, []), [0; 0]);
        assert_eq!(s.bits(), before, "what is certain is not drawn");
        assert_eq!(dealt(&mut s, 50, [0.1, 0.2, 0.3]).iter().sum::<u32>(), 50, "rounding loses nobody");
    }
}
