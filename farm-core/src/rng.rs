//! Named random streams.
//!
//! Every draw comes from a stream keyed by (episode seed, part, step, purpose). A `State` therefore carries no
//! generator, only the seed and the step; and adding a part, or skipping a draw, shifts nobody else's numbers. Parts are
//! keyed by their names, never by their position in a list.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng};

use crate::math::{exp, ln};

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
        match high.abs_diff(low).checked_add(1) {
            Some(n) => low.wrapping_add_unsigned(self.index(n)),
            // All integers there are, as many as 32 bits can tell apart.
            None => low.wrapping_add_unsigned((self.bits() >> 32) as u32),
        }
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

    /// A standard normal number (Ziggurat with 256 layers: Marsaglia and Tsang 2000, as corrected by Doornik 2005).
    #[inline]
    pub fn normal(&mut self) -> f64 {
        let layers = layers();
        loop {
            let bits = self.bits();
            let layer = (bits & 0xff) as usize;
            // The 53 upper bits as a number in [-1, 1); the layer's 8 bits are not among them.
            let u = ((bits >> 11) as f64 * (1.0 / (1u64 << 52) as f64)) - 1.0;
            let x = u * layers.edge[layer];
            if x.abs() < layers.edge[layer + 1] {
                return x;
            }
            if let Some(x) = self.beyond_layer(layers, layer, x) {
                return x;
            }
        }
    }

    /// The one draw in a hundred that is not clearly inside its layer.
    #[cold]
    fn beyond_layer(&mut self, layers: &Layers, layer: usize, x: f64) -> Option<f64> {
        if layer != 0 {
            let (low, high) = (layers.density[layer], layers.density[layer + 1]);
            return (low + (high - low) * self.uniform() < exp(-0.5 * x * x)).then_some(x);
        }
        // The tail beyond the last edge.
        loop {
            // 1 − u lies in (0, 1], so that no logarithm is infinite.
            let beyond = -ln(1.0 - self.uniform()) / LAST_EDGE;
            if -2.0 * ln(1.0 - self.uniform()) > beyond * beyond {
                return Some(if x < 0.0 { -LAST_EDGE - beyond } else { LAST_EDGE + beyond });
            }
        }
    }

    /// The number of successes in `n` trials of probability `p`. Nothing is drawn when the answer is certain.
    ///
    /// Few trials are counted one by one; otherwise inversion where few successes are expected, else Hörmann's transformed
    /// rejection (BTRS, 1993). All three are exact up to the rounding of reals.
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
        // The rarer outcome is counted.
        let (rare, mirrored) = if p > 0.5 { (1.0 - p, true) } else { (p, false) };
        let found = if f64::from(n) * rare < 10.0 {
            self.binomial_by_inversion(n, rare, || exp(f64::from(n) * ln(1.0 - rare)))
        } else {
            self.binomial_by_rejection(n, rare)
        };
        if mirrored { n - found } else { found }
    }

    /// Some of `n`, each with chance `p` on average. Of few each has its chance, as with [`binomial`](Self::binomial); of many, whose
    /// share hardly varies, it is n·p, rounded up or down at random so that the mean is right. For numbers that stand for
    /// populations, at a tenth of the price.
    #[inline]
    pub fn portion(&mut self, n: u32, p: f64) -> u32 {
        if n == 0 || p <= 0.0 {
            return 0;
        }
        if p >= 1.0 {
            return n;
        }
        if n > MAX_FEW {
            return (f64::from(n) * p + self.uniform()) as u32;
        }
        let rare = p.min(1.0 - p);
        let found = self.binomial_by_inversion(n, rare, || power(1.0 - rare, n));
        if p > 0.5 { n - found } else { found }
    }

    /// Walks along the probabilities of 0, 1, 2 … successes until they add up to a uniform number; that of `none` is (1 − p)ⁿ.
    #[inline]
    fn binomial_by_inversion(&mut self, n: u32, p: f64, none: impl FnOnce() -> f64) -> u32 {
        let mut luck = self.uniform();
        // Bernoulli's inequality: that nothing happens has a chance of 1 − n·p at least, which is known without a power.
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
            // Rounding has left a rest beyond the last probability: once in 10¹⁵ draws.
            luck = self.uniform();
        }
    }

    /// Transformed rejection with squeeze (Hörmann 1993, algorithm BTRS), for n·p ≥ 10 and p ≤ ½.
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

    /// Deals `n` among entries in proportion to their weights (a multinomial draw); `out` hears the index and the number
    /// of each entry that gets any, in order. Nobody gets anything when no weight is positive.
    ///
    /// It is a chain of binomials: each entry takes from those left with the chance that its weight has among the weights
    /// not yet served. The last positive weight has chance 1, so the numbers always sum to `n`. The sum of the weights
    /// must be finite; a weight that is not positive counts as 0.
    #[inline]
    pub fn multinomial(&mut self, n: u32, weights: impl Iterator<Item = f64> + Clone, out: impl FnMut(usize, u32)) {
        self.deal(n, weights, Self::binomial, out);
    }

    /// [`multinomial`](Self::multinomial) by [`portion`](Self::portion): many are dealt in proportion, without chance but for what rounding
    /// leaves.
    #[inline]
    pub fn apportion(&mut self, n: u32, weights: impl Iterator<Item = f64> + Clone, out: impl FnMut(usize, u32)) {
        self.deal(n, weights, Self::portion, out);
    }

    #[inline]
    fn deal(
        &mut self,
        n: u32,
        weights: impl Iterator<Item = f64> + Clone,
        draw: impl Fn(&mut Self, u32, f64) -> u32,
        mut out: impl FnMut(usize, u32),
    ) {
        let mut left = n;
        let mut ahead = weights.map(|weight| weight.max(0.0)).enumerate();
        while left > 0 {
            // Summed anew each time: a running difference would leave a remainder behind the last weight.
            let total: f64 = ahead.clone().map(|(_, weight)| weight).sum();
            let Some((index, weight)) = ahead.next() else { return };
            let taken = if weight > 0.0 { draw(self, left, weight / total) } else { 0 };
            if taken > 0 {
                out(index, taken);
                left -= taken;
            }
        }
    }
}

/// Up to here a population is so small that each of its members counts.
const MAX_FEW: u32 = 50;
/// Trials that are counted one by one: up to here that is faster than an exponential.
const MAX_COUNTED: u32 = 10;

/// A number to a whole power, by squares: the same bits on every platform, and for few factors faster than an exponential.
#[inline]
fn power(mut base: f64, mut n: u32) -> f64 {
    let mut product = 1.0;
    while n > 0 {
        if n & 1 == 1 {
            product *= base;
        }
        base *= base;
        n >>= 1;
    }
    product
}

/// What Stirling's formula for ln k! leaves: ln k! − [ln √(2π) + (k + ½) ln(k + 1) − (k + 1)].
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

/// Where the tail of the normal law begins in a Ziggurat of 256 layers, and the area of each layer.
const LAST_EDGE: f64 = 3.654_152_885_361_009;
const LAYER_AREA: f64 = 0.004_928_673_233_974_655;

/// The layers of the normal law: their right edges, and the density there.
struct Layers {
    edge: [f64; 257],
    density: [f64; 257],
}

/// The layers, computed once with the portable functions, so that they have the same bits on every platform.
#[inline]
fn layers() -> &'static Layers {
    static LAYERS: std::sync::OnceLock<Layers> = std::sync::OnceLock::new();
    LAYERS.get_or_init(|| {
        let density = |x: f64| exp(-0.5 * x * x);
        let mut edge = [0.0; 257];
        edge[0] = LAYER_AREA / density(LAST_EDGE);
        edge[1] = LAST_EDGE;
        for i in 2..256 {
            edge[i] = (-2.0 * ln(LAYER_AREA / edge[i - 1] + density(edge[i - 1]))).sqrt();
        }
        Layers { edge, density: edge.map(density) }
    })
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
        assert_eq!(drawn, (3339314202494016925, 649, 4592195710556928443, 7, 147));
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
    fn portions_of_few_are_binomial_and_those_of_many_have_the_right_mean() {
        let mut s = Stream::from_seed(5);
        for (n, p) in [(1, 0.3), (7, 0.5), (30, 0.04), (50, 0.96), (50, 0.5), (1000, 0.123_4)] {
            let draws: Vec<f64> = (0..40_000).map(|_| f64::from(s.portion(n, p))).collect();
            let mean = draws.iter().sum::<f64>() / 40_000.0;
            let variance = draws.iter().map(|k| (k - mean) * (k - mean)).sum::<f64>() / 40_000.0;
            let (expected, spread) = (f64::from(n) * p, f64::from(n) * p * (1.0 - p));
            // Five standard errors of the mean of as many draws.
            assert!((mean - expected).abs() < 5.0 * (spread / 40_000.0).sqrt(), "{n} {p}: {mean}, not {expected}");
            if n <= MAX_FEW {
                assert!((variance / spread - 1.0).abs() < 0.05, "{n} {p}: {variance}, not {spread}");
            } else {
                assert!(variance <= 0.25, "{n} {p}: {variance}");
            }
        }
        assert_eq!([(0, 0.5), (9, 0.0), (9, 1.0), (90, 1.0)].map(|(n, p)| s.portion(n, p)), [0, 0, 9, 90]);
    }

    #[test]
    fn integers_lie_in_their_range_however_wide_it_is() {
        let mut s = Stream::from_seed(11);
        let wide =
            [(i32::MIN, i32::MAX), (i32::MIN, i32::MAX - 1), (i32::MIN + 1, i32::MAX), (-2_000_000_000, 2_000_000_000)];
        for (low, high) in wide.into_iter().chain([(i32::MIN, 0), (0, i32::MAX), (-1, i32::MAX)]) {
            let n = 40_000;
            let (mut eighths, mut odd) = ([0u32; 8], 0);
            for _ in 0..n {
                let drawn = s.integer_in(low, high);
                assert!((low..=high).contains(&drawn), "{drawn} in {low}…{high}");
                let width = i64::from(high) - i64::from(low) + 1;
                eighths[((i64::from(drawn) - i64::from(low)) * 8 / width) as usize] += 1;
                odd += u32::from(drawn & 1 != 0);
            }
            // 5000 expected in each eighth, standard deviation 66; half of them odd, standard deviation 100.
            assert!(eighths.iter().all(|found| found.abs_diff(n / 8) < 5 * 66), "{low}…{high}: {eighths:?}");
            assert!(odd.abs_diff(n / 2) < 5 * 100, "{low}…{high}: {odd} odd");
        }
        // Of all integers each belongs to one of the 2³² upper halves of a draw: the last one is among them.
        for _ in 0..100 {
            let half = s.clone().bits() >> 32;
            assert_eq!(i64::from(s.integer_in(i32::MIN, i32::MAX)), i64::from(i32::MIN) + half as i64);
        }
        for end in [i32::MIN, 0, i32::MAX] {
            let before = s.clone().bits();
            assert_eq!(s.integer_in(end, end), end);
            assert_eq!(s.clone().bits(), before, "what is certain is not drawn");
        }
        for (low, high) in [(i32::MIN, i32::MIN + 1), (i32::MAX - 1, i32::MAX)] {
            let drawn: std::collections::BTreeSet<i32> = (0..64).map(|_| s.integer_in(low, high)).collect();
            assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [low, high]);
        }
    }

    #[test]
    fn normal_moments_and_tails_follow_theory() {
        let n = 2_000_000;
        let mut s = Stream::from_seed(5);
        let (mut sums, mut tails) = ([0.0; 4], [0u32; 3]);
        for _ in 0..n {
            let x = s.normal();
            (0..4).for_each(|k| sums[k] += x.powi(k as i32 + 1));
            [1.0, 3.0, LAST_EDGE].iter().zip(&mut tails).for_each(|(edge, n)| *n += u32::from(x.abs() > *edge));
        }
        let moments = sums.map(|sum| sum / f64::from(n));
        // Standard errors of the moments 0, 1, 0, 3 of a standard normal number: √(1, 2, 15, 96) / √n.
        for ((found, expected), variance) in moments.iter().zip([0.0, 1.0, 0.0, 3.0]).zip([1.0f64, 2.0, 15.0, 96.0]) {
            assert!((found - expected).abs() < 5.0 * (variance / f64::from(n)).sqrt(), "{moments:?}");
        }
        // Two-sided tails of the normal law.
        for (found, share) in tails.iter().zip([0.317_310_507_862_914, 0.002_699_796_063_260_2, 0.000_258_04]) {
            let expected = f64::from(n) * share;
            assert!((f64::from(*found) - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{tails:?}");
        }
    }

    #[test]
    fn the_layers_of_the_normal_law_have_equal_areas() {
        let layers = layers();
        for i in 1..256 {
            let area = layers.edge[i] * (layers.density[i + 1] - layers.density[i]);
            assert!((area - LAYER_AREA).abs() < 1e-9, "layer {i}: {area}");
        }
    }

    #[test]
    fn binomial_probabilities_follow_the_law_in_every_algorithm() {
        for (n, p) in [(9u32, 0.3), (18, 0.2), (18, 0.9), (45, 0.4), (200, 0.55), (3000, 0.01)] {
            let draws = 200_000;
            let mut s = Stream::from_seed(u64::from(n));
            let mut seen = vec![0u32; n as usize + 1];
            (0..draws).for_each(|_| seen[s.binomial(n, p) as usize] += 1);
            // The probabilities by the recursion from the mode outwards would need logarithms; from 0 upwards in f64 they
            // are exact enough for these numbers.
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
