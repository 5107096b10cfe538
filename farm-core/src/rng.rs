//! Named random streams.
//!
//! Every draw comes from a stream keyed by (episode seed, part, step, purpose). A `State` therefore carries no
//! generator, only the seed and the step; and adding a part, or skipping a draw, shifts nobody else's numbers. Parts are
//! keyed by their names, never by their position in a list.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng};
use rand_distr::{Binomial, Distribution, StandardNormal};

/// What a draw is for. Two purposes of one part are independent streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purpose(u64);

impl Purpose {
    /// A purpose by name; computed at compile time (FNV-1a), so a name costs nothing in a step.
    pub const fn named(name: &str) -> Self {
        Self(hash_name(name))
    }

    /// The same purpose for one plot (or item) of many, so that plots never share draws.
    #[inline]
    pub const fn at(self, index: usize) -> Self {
        Self(mix(self.0, index as u64))
    }
}

/// FNV-1a of a name: the key of a part or purpose.
pub const fn hash_name(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// SplitMix64's finaliser over the sum of two words: every bit of both reaches every bit of the result.
#[inline]
pub const fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_add(b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One random stream (Xoshiro256++).
#[derive(Debug, Clone)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of one part at one step for one purpose.
    #[inline]
    pub fn keyed(seed: u64, part: u64, step: u32, purpose: Purpose) -> Self {
        let key = mix(mix(seed, part), mix(purpose.0, step as u64));
        Self(Xoshiro256PlusPlus::seed_from_u64(key))
    }

    /// A stream from one word, for tools that need randomness outside a game (policies, tests).
    pub fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number uniform in [0, 1), on a grid of 2⁻⁵³.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number uniform in [low, high].
    #[inline]
    pub fn uniform_in(&mut self, low: f64, high: f64) -> f64 {
        (low + (high - low) * self.uniform()).clamp(low, high)
    }

    /// An index uniform in 0…n−1, without bias (Lemire 2019); 0 when `n` is 0 or 1, without a draw.
    #[inline]
    pub fn index(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        loop {
            let product = (self.bits() >> 32) * u64::from(n);
            let low = product as u32;
            // The few low words that would favour some results are drawn again.
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    /// An integer uniform in low…high, both included.
    #[inline]
    pub fn integer_in(&mut self, low: i32, high: i32) -> i32 {
        low + self.index(high.abs_diff(low).saturating_add(1)) as i32
    }

    /// True with probability `p`. Nothing is drawn when the answer is certain.
    #[inline]
    pub fn bernoulli(&mut self, p: f64) -> bool {
        if p >= 1.0 {
            true
        } else if p > 0.0 {
            self.uniform() < p
        } else {
            false
        }
    }

    /// A standard normal number (Ziggurat).
    #[inline]
    pub fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
    }

    /// The number of successes in `n` trials of probability `p`. Nothing is drawn when the answer is certain.
    ///
    /// Up to 40 trials are counted one by one, which is exact up to 2⁻⁵³ and faster than any general algorithm;
    /// larger numbers go to `rand_distr`'s BTPE.
    #[inline]
    pub fn binomial(&mut self, n: u32, p: f64) -> u32 {
        if n == 0 || p <= 0.0 {
            return 0;
        }
        if p >= 1.0 {
            return n;
        }
        if n <= 40 {
            return (0..n).map(|_| u32::from(self.uniform() < p)).sum();
        }
        // `p` lies strictly between 0 and 1 here, the only condition that `new` checks.
        Binomial::new(u64::from(n), p).map_or(0, |law| law.sample(&mut self.0) as u32)
    }

    /// Deals `n` among entries in proportion to their weights (a multinomial draw); `out` hears the index and the number
    /// of each entry that gets any, in order. Nobody gets anything when no weight is positive.
    ///
    /// It is a chain of binomials: each entry takes from those left with the chance that its weight has among the weights
    /// not yet served. The last positive weight has chance 1, so the numbers always sum to `n`. The sum of the weights
    /// must be finite; a weight that is not positive counts as 0.
    #[inline]
    pub fn multinomial(&mut self, n: u32, weights: impl Iterator<Item = f64> + Clone, mut out: impl FnMut(usize, u32)) {
        let mut left = n;
        let mut ahead = weights.map(|weight| weight.max(0.0)).enumerate();
        while left > 0 {
            // Summed anew each time: a running difference would leave a remainder behind the last weight.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_give_equal_streams_and_other_keys_others() {
        let draw = |seed, part, step, purpose: &str| Stream::keyed(seed, part, step, Purpose::named(purpose)).bits();
        let base = draw(1, 2, 3, "growth");
        assert_eq!(base, draw(1, 2, 3, "growth"));
        for other in [draw(2, 2, 3, "growth"), draw(1, 3, 3, "growth"), draw(1, 2, 4, "growth"), draw(1, 2, 3, "death")]
        {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn golden_draws_pin_the_generator_and_its_algorithms() {
        let mut s = Stream::keyed(7, hash_name("Field-0.Soil-0"), 12, Purpose::named("test"));
        let drawn = (s.bits(), s.index(1000), s.normal().to_bits(), s.binomial(18, 0.3), s.binomial(500, 0.3));
        assert_eq!(drawn, (3339314202494016925, 649, 4592195710556915994, 5, 154));
    }

    #[test]
    fn indices_are_uniform() {
        let mut s = Stream::from_seed(3);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[s.index(6) as usize] += 1;
        }
        // 10,000 expected each, standard deviation 91.
        assert!(seen.iter().all(|&n| n.abs_diff(10_000) < 5 * 91), "{seen:?}");
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
        assert_eq!((few, many), ([1, 8, 1], [182, 483, 0, 335]));
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
                    // Cov = −n pᵢ pⱼ; the error of a covariance is about the product of the standard deviations.
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

    #[test]
    fn certain_results_draw_nothing() {
        let mut s = Stream::from_seed(1);
        let before = s.clone().bits();
        assert!(s.bernoulli(1.0) && !s.bernoulli(0.0) && s.binomial(5, 1.0) == 5 && s.binomial(0, 0.5) == 0);
        assert_eq!(s.index(1), 0);
        assert_eq!(s.bits(), before);
    }
}
