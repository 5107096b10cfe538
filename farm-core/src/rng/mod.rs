//! Named random streams.
//!
//! Every draw comes from a stream keyed by (episode seed, part, step, purpose). A `State` therefore stores no generator, only the seed and
//! the step. Adding a part or skipping a draw does not change other parts' numbers. Keys use the parts' names, never their positions in a
//! list.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | keys, and streams of uniform numbers |
//! | `normal.rs`, `binomial.rs` | normal, binomial and multinomial numbers |
//! | `population.rs` | streams for all plots at once, for shares of populations |

mod binomial;
mod normal;
mod population;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng};

pub use population::{PlotStream, PlotStreams};

/// The purpose of a draw. Different purposes in one part have independent streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purpose(u64);

impl Purpose {
    /// The purpose with this name. The purpose is computed at compile time (FNV-1a), so a name costs nothing during a step.
    pub const fn named(name: &str) -> Self {
        Self(hash_name(name))
    }

    /// The same purpose for one of many plots (or items), so that plots never share draws.
    #[inline]
    pub const fn at(self, index: usize) -> Self {
        Self(mix(self.0, index as u64))
    }
}

/// The FNV-1a hash of a name, which is the key for a part or purpose.
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

/// The amount by which SplitMix64's state increases with each word, which is 2⁶⁴ divided by the golden ratio.
const WEYL: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's finaliser, applied to the sum of two words. Every bit in both words affects every bit in the result.
#[inline]
pub const fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_add(b.wrapping_mul(WEYL)).wrapping_add(WEYL);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The first word of a part's draws for one purpose in one step.
#[inline]
fn key(seed: u64, part: u64, step: u32, purpose: Purpose) -> u64 {
    mix(mix(seed, part), mix(purpose.0, u64::from(step)))
}

/// Converts a word to a uniform number in [0, 1), on a grid of 2⁻⁵³.
#[inline]
fn unit_interval(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// A single random stream (Xoshiro256++).
///
/// ```
/// use farm_core::{Purpose, Stream, hash_name};
///
/// // A part gets its streams from its context, with the same key: see `Context::stream`.
/// let rain = |seed, day| {
///     let mut stream = Stream::keyed(seed, hash_name("Weather-0"), day, Purpose::named("rain"));
///     if stream.bernoulli(0.4) { stream.uniform_in(0.0, 30.0) } else { 0.0 }
/// };
/// let season = |seed| (0..90).map(|day| rain(seed, day)).collect::<Vec<f64>>();
/// assert_eq!(season(7), season(7));
/// assert_ne!(season(7), season(8));
/// assert!(season(7).iter().all(|rain| (0.0..=30.0).contains(rain)));
/// ```
#[derive(Debug, Clone)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// A part's stream for one purpose in one step.
    #[inline]
    pub fn keyed(seed: u64, part: u64, step: u32, purpose: Purpose) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(key(seed, part, step, purpose)))
    }

    /// A stream seeded with a single word, for tools that need randomness outside a game (policies, tests).
    pub fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in [0, 1), on a grid of 2⁻⁵³.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        unit_interval(self.bits())
    }

    /// A uniform number in [low, high].
    #[inline]
    pub fn uniform_in(&mut self, low: f64, high: f64) -> f64 {
        (low + (high - low) * self.uniform()).clamp(low, high)
    }

    /// A uniform index in 0…n−1, without bias (Lemire 2019). If `n` is 0 or 1, returns 0 without drawing.
    #[inline]
    pub fn index(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        loop {
            let product = (self.bits() >> 32) * u64::from(n);
            let low = product as u32;
            // The few low words that would favour some results are rejected and drawn again.
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    /// A uniform integer in low…high, including both ends.
    #[inline]
    pub fn integer_in(&mut self, low: i32, high: i32) -> i32 {
        match high.abs_diff(low).checked_add(1) {
            Some(n) => low.wrapping_add_unsigned(self.index(n)),
            // The range contains all 32-bit integers.
            None => low.wrapping_add_unsigned((self.bits() >> 32) as u32),
        }
    }

    /// True with probability `p`. If the result is certain, nothing is drawn.
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
        // The expected count is 10,000 each, with a standard deviation of 91.
        assert!(seen.iter().all(|&n| n.abs_diff(10_000) < 5 * 91), "{seen:?}");
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
            // Each eighth should contain 5000, with a standard deviation of 66. Half of all numbers should be odd, with a standard
            // deviation of 100.
            assert!(eighths.iter().all(|found| found.abs_diff(n / 8) < 5 * 66), "{low}…{high}: {eighths:?}");
            assert!(odd.abs_diff(n / 2) < 5 * 100, "{low}…{high}: {odd} odd");
        }
        // Each 32-bit integer corresponds to one of the 2³² upper halves of a draw, so the last integer also occurs.
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
    fn certain_results_draw_nothing() {
        let mut s = Stream::from_seed(1);
        let before = s.clone().bits();
        assert!(s.bernoulli(1.0) && !s.bernoulli(0.0) && s.binomial(5, 1.0) == 5 && s.binomial(0, 0.5) == 0);
        assert_eq!(s.index(1), 0);
        assert_eq!(s.bits(), before);
    }
}
