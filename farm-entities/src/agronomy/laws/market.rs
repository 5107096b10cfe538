//! Prices of produce: a random walk that returns to its mean, and a yearly pattern.

use farm_core::math::{Bounded, exp, powf};

/// Mean length of a month \[day\].
pub const MONTH: f64 = 30.4375;

/// The logarithm of a price as a process that returns to its mean, in steps of a day (Schwartz 1997, doi 10.1111/j.1540-6261.1997.tb02721.x,
/// model 1; Deaton & Laroque 1992, doi 10.2307/2297923).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reversion {
    /// Share of today's deviation that remains tomorrow \[–\].
    pub remains: f64,
    /// Standard deviation of a day's shock \[–\].
    pub shock: f64,
    /// Standard deviation in the long run \[–\].
    pub spread: f64,
}

impl Reversion {
    /// The daily process whose state after a month has this share of the deviation left and this standard deviation of its shock.
    pub fn monthly(remains: f64, shock: f64) -> Self {
        let daily = powf(remains, 1.0 / MONTH);
        let spread = shock / (1.0 - remains * remains).sqrt();
        Self { remains: daily, shock: spread * (1.0 - daily * daily).sqrt(), spread }
    }

    /// Tomorrow's deviation of the price's logarithm from its usual value \[–\]; `normal` is a standard normal number.
    #[inline]
    pub fn next(self, deviation: f64, normal: f64) -> f64 {
        self.remains * deviation + self.shock * normal
    }

    /// Price at a deviation \[unit of `usual`\]. Its mean over the long run is the usual price (log-normal distribution).
    #[inline]
    pub fn price(self, usual: f64, deviation: f64) -> f64 {
        usual * exp(deviation - 0.5 * self.spread * self.spread)
    }
}

/// Price, as a multiple of that at harvest \[–\]. It rises for ten months by the cost of storing, and falls back in the two months before
/// the next harvest (Deaton & Laroque 1992: stocks carry produce from the low price to the high one).
#[inline]
pub fn seasonal(day: i32, harvest_day: i32, monthly_rise: f64) -> f64 {
    let months = f64::from((day - harvest_day).rem_euclid(365)) * 12.0 / 365.0;
    1.0 + monthly_rise * months.at_most(5.0 * (12.0 - months))
}

#[cfg(test)]
mod tests {
    use farm_core::Stream;

    use super::*;

    #[test]
    fn the_spread_is_that_of_the_published_monthly_process() {
        let grain = Reversion::monthly(0.95, 0.06);
        assert!((grain.spread - 0.192).abs() < 5e-4, "20 % a year: {}", grain.spread);
        assert!((powf(grain.remains, MONTH) - 0.95).abs() < 1e-12);
        let potato = Reversion::monthly(0.8, 0.15);
        assert!((potato.spread - 0.25).abs() < 1e-12);
    }

    /// 10,000 steps of a day: the mean, the spread, and the half-life of 13.5 months by the correlation at that distance.
    #[test]
    fn ten_thousand_days_have_the_half_life_and_the_spread() {
        for (remains, shock, half_life) in [(0.95, 0.06, 13.5), (0.8, 0.15, 3.1)] {
            let process = Reversion::monthly(remains, shock);
            let lag = (half_life * MONTH) as usize;
            let (mut square, mut product, mut n) = (0.0, 0.0, 0.0);
            for seed in 0..40 {
                let mut stream = Stream::from_seed(seed);
                let mut deviation = process.spread * stream.normal();
                let mut path = Vec::with_capacity(10_000);
                for _ in 0..10_000 {
                    deviation = process.next(deviation, stream.normal());
                    path.push(deviation);
                }
                square += path.iter().map(|x| x * x).sum::<f64>() / 10_000.0;
                product += path.iter().zip(&path[lag..]).map(|(a, b)| a * b).sum::<f64>() / (10_000 - lag) as f64;
                n += 1.0;
            }
            let spread = (square / n).sqrt();
            assert!((spread / process.spread - 1.0).abs() < 0.06, "{spread}, {process:?}");
            assert!((product / square - 0.5).abs() < 0.1, "{}", product / square);
        }
    }

    #[test]
    fn the_mean_price_is_the_usual_one() {
        let process = Reversion::monthly(0.95, 0.06);
        let mut stream = Stream::from_seed(3);
        let prices = (0..100_000).map(|_| process.price(200.0, process.spread * stream.normal()));
        let mean = prices.sum::<f64>() / 100_000.0;
        assert!((mean - 200.0).abs() < 0.6, "{mean}");
    }

    #[test]
    fn prices_are_lowest_at_harvest_and_highest_ten_months_later() {
        let price = |day| seasonal(day, 200, 0.0125);
        assert_eq!(price(200), 1.0);
        assert!((price(200 + 91) - 1.0374).abs() < 1e-3, "three months");
        let highest = (0..365).max_by(|a, b| price(*a).total_cmp(&price(*b))).unwrap_or(0);
        assert_eq!((highest - 200).rem_euclid(365), 304);
        assert!((price(139) - 1.125).abs() < 1e-3 && (price(199) - 1.0).abs() < 3e-3);
    }
}
