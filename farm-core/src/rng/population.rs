//! Streams for all plots in a field at once, which are used for population sizes.
//!
//! The population on a plot needs only a few draws per day. Seeding a [`Stream`] for each plot costs more than these draws. All plots
//! therefore share one SplitMix64 sequence (Steele, Lea & Flood 2014), and each plot uses its own stretch. If a population is large, a
//! share is computed without a draw for each individual.

use super::binomial::by_inversion;
use super::{Purpose, Stream, WEYL, key, mix, unit_interval};
use crate::math::exp;

/// Up to this population size, there is one draw per individual.
const MAX_FEW: u32 = 16;
/// Up to this expected number, the number of events is drawn by adding up probabilities.
const MAX_WALKED: f64 = 16.0;
/// A Poisson number is the limit of a binomial number with many trials. With this many trials, the two are indistinguishable.
const CHANCES: u32 = 1 << 24;
/// log₂ of the number of words available to each plot.
const STRETCH: u32 = 32;

/// The streams for a field's plots, for one purpose in one step; see [`Context::plot_streams`](crate::Context::plot_streams).
#[derive(Debug, Clone, Copy)]
pub struct PlotStreams(u64);

impl PlotStreams {
    /// A part's streams for one purpose in one step.
    #[inline]
    pub fn keyed(seed: u64, part: u64, step: u32, purpose: Purpose) -> Self {
        Self(key(seed, part, step, purpose))
    }

    /// The stream for one plot.
    #[inline]
    pub fn at(self, plot: usize) -> PlotStream {
        PlotStream(self.0.wrapping_add(((plot as u64) << STRETCH).wrapping_mul(WEYL)))
    }
}

/// One plot's random stream (SplitMix64).
#[derive(Debug, Clone)]
pub struct PlotStream(u64);

impl PlotStream {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.0, 0);
        self.0 = self.0.wrapping_add(WEYL);
        bits
    }

    /// A uniform number in [0, 1), on a grid of 2⁻⁵³.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        unit_interval(self.bits())
    }

    /// Returns how many of `n` individuals are selected, each with probability `p` on average. If `n` is small, each individual is drawn,
    /// as in [`Stream::binomial`]. A share of a large number varies little. If `n` is large, the result is therefore n·p, rounded up or
    /// down at random so that the mean is exact.
    #[inline]
    pub fn portion(&mut self, n: u32, p: f64) -> u32 {
        if n > MAX_FEW {
            return self.rounded(f64::from(n) * p.min(1.0));
        }
        if p >= 1.0 {
            return n;
        }
        let rare = p.min(1.0 - p);
        let found = by_inversion(n, rare, || power(1.0 - rare, n), || self.uniform());
        if p > 0.5 { n - found } else { found }
    }

    /// A Poisson-distributed number of events with this expected value.
    #[inline]
    pub fn poisson(&mut self, expected: f64) -> u32 {
        if expected >= MAX_WALKED {
            return Stream::from_seed(self.bits()).binomial(CHANCES, (expected / f64::from(CHANCES)).min(1.0));
        }
        let mut left = self.uniform();
        // e⁻ˣ ≥ 1 − x, so if few events are expected, the usual result of 0 needs no exponential.
        if left < 1.0 - expected {
            return 0;
        }
        let (mut events, mut chance) = (0, exp(-expected));
        // Above this limit, the probabilities are smaller than the rounding error of the sum.
        while left >= chance && events < MAX_EVENTS {
            left -= chance;
            events += 1;
            chance *= expected / f64::from(events);
        }
        events
    }

    /// Distributes `n` among entries in proportion to their weights, using a single draw. Each entry gets its share, rounded up or down at
    /// random so that the mean is exact (systematic sampling: Madow 1949). For each entry that gets more than 0, in order, calls `out` with
    /// the entry's index and its number. Nothing is distributed if no weight is positive; a weight that is not positive counts as 0.
    #[inline]
    pub fn apportion(&mut self, n: u32, weights: impl Iterator<Item = f64> + Clone, mut out: impl FnMut(usize, u32)) {
        let weights = weights.map(|weight| weight.max(0.0)).enumerate();
        let total: f64 = weights.clone().map(|(_, weight)| weight).sum();
        let positive = weights.clone().filter(|(_, weight)| *weight > 0.0);
        let Some((last, _)) = positive.last().filter(|_| n > 0) else { return };
        let each = f64::from(n) / total;
        let (mut end, mut dealt) = (self.uniform(), 0);
        for (index, weight) in weights.take(last) {
            end += each * weight;
            let until = (end as u32).min(n);
            if until > dealt {
                out(index, until - dealt);
                dealt = until;
            }
        }
        if n > dealt {
            out(last, n - dealt);
        }
    }

    /// The expected number, rounded up or down at random so that the mean is exact.
    #[inline]
    fn rounded(&mut self, expected: f64) -> u32 {
        (expected + self.uniform()) as u32
    }
}

/// The maximum number of events if fewer than [`MAX_WALKED`] are expected.
const MAX_EVENTS: u32 = 100;

/// An integer power with an exponent up to [`MAX_FEW`], computed by squaring. The bits are the same on every platform, and this is faster
/// than an exponential.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn streams(purpose: &str) -> PlotStreams {
        PlotStreams::keyed(7, 3, 12, Purpose::named(purpose))
    }

    /// The mean and variance of `DRAWS` numbers, each drawn on its own plot.
    fn moments(draw: impl Fn(&mut PlotStream) -> u32) -> (f64, f64) {
        let drawn: Vec<f64> = (0..DRAWS).map(|plot| f64::from(draw(&mut streams("test").at(plot)))).collect();
        let mean = drawn.iter().sum::<f64>() / DRAWS as f64;
        (mean, drawn.iter().map(|n| (n - mean) * (n - mean)).sum::<f64>() / DRAWS as f64)
    }

    const DRAWS: usize = 40_000;

    /// Five standard errors of the mean of `DRAWS` draws.
    fn tolerance(variance: f64) -> f64 {
        5.0 * (variance / DRAWS as f64).sqrt()
    }

    #[test]
    fn plots_and_purposes_have_streams_of_their_own() {
        let mut words: Vec<u64> = Vec::new();
        for streams in [streams("test"), streams("other"), PlotStreams::keyed(8, 3, 12, Purpose::named("test"))] {
            for plot in 0..50 {
                let mut stream = streams.at(plot);
                words.extend((0..20).map(|_| stream.bits()));
                assert_eq!(streams.at(plot).bits(), words[words.len() - 20], "the same again");
            }
        }
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 3 * 50 * 20);
    }

    /// The words come from Vigna's reference implementation with the seed 1234567.
    #[test]
    fn words_are_those_of_splitmix64() {
        let mut stream = PlotStream(1_234_567);
        let words = [0; 3].map(|_| stream.bits());
        assert_eq!(words, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn golden_draws_pin_the_generator_and_its_algorithms() {
        let mut stream = streams("golden").at(5);
        let mut dealt = Vec::new();
        let drawn = (
            stream.bits(),
            stream.portion(12, 0.3),
            stream.portion(500, 0.301),
            stream.poisson(3.0),
            stream.poisson(300.0),
        );
        stream.apportion(10, [0.5, 1.5, 0.0, 1.0].into_iter(), |index, n| dealt.push((index, n)));
        assert_eq!(drawn, (13_204_501_570_719_022_035, 2, 150, 3, 288));
        assert_eq!(dealt, [(0, 1), (1, 5), (3, 4)]);
    }

    #[test]
    fn portions_of_few_are_binomial_and_those_of_many_have_the_right_mean() {
        for (n, p) in [(1, 0.3), (7, 0.5), (16, 0.04), (16, 0.96), (16, 0.5), (17, 0.5), (1000, 0.123_4)] {
            let (mean, variance) = moments(|stream| stream.portion(n, p));
            let (expected, spread) = (f64::from(n) * p, f64::from(n) * p * (1.0 - p));
            assert!((mean - expected).abs() < tolerance(spread), "{n} {p}: {mean}, not {expected}");
            if n <= MAX_FEW {
                assert!((variance / spread - 1.0).abs() < 0.05, "{n} {p}: {variance}, not {spread}");
            } else {
                assert!(variance <= 0.25, "{n} {p}: {variance}");
            }
        }
        let certain = [(0, 0.5), (9, 0.0), (9, 1.0), (90, 0.0), (90, 1.0), (u32::MAX, 1.0)];
        assert_eq!(certain.map(|(n, p)| streams("test").at(0).portion(n, p)), [0, 0, 9, 0, 90, u32::MAX]);
    }

    #[test]
    fn events_are_poisson_numbers() {
        for expected in [0.02, 2.0, 15.9, 16.0, 400.0] {
            let (mean, variance) = moments(|stream| stream.poisson(expected));
            assert!((mean - expected).abs() < tolerance(expected), "{mean}, expected {expected}");
            assert!((variance / expected - 1.0).abs() < 0.1, "variance {variance}, expected {expected}");
            let none = moments(|stream| u32::from(stream.poisson(expected) == 0)).0;
            assert!((none - exp(-expected)).abs() < tolerance(0.25), "{none} without any of {expected}");
        }
        assert_eq!(streams("test").at(0).poisson(0.0), 0);
    }

    #[test]
    fn what_is_dealt_has_the_right_means_and_adds_up() {
        let weights = [0.2, 3.0, 0.0, -1.0, 1.0, 0.8, 0.0];
        for n in [1, 7, 300] {
            let of = |entry: usize, stream: &mut PlotStream| {
                let (mut found, mut all) = (0, 0);
                stream.apportion(n, weights.into_iter(), |index, number| {
                    found += if index == entry { number } else { 0 };
                    all += number;
                });
                assert_eq!(all, n);
                found
            };
            for (entry, weight) in weights.into_iter().enumerate() {
                let (mean, variance) = moments(|stream| of(entry, stream));
                let expected = f64::from(n) * weight.max(0.0) / 5.0;
                assert!((mean - expected).abs() <= tolerance(0.25), "{n}, {entry}: {mean}, not {expected}");
                assert!(variance <= 0.251, "{n}, {entry}: rounded up or down");
            }
        }
        let nobody = |_, _| panic!("nobody gets anything");
        streams("test").at(0).apportion(9, [0.0, -1.0, f64::NAN].into_iter(), nobody);
        streams("test").at(0).apportion(0, [1.0].into_iter(), nobody);
        streams("test").at(0).apportion(9, [].into_iter(), nobody);
    }
}
