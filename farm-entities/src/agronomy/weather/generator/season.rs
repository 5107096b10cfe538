//! Departures of whole seasons from their normals.
//!
//! An autoregression with a memory of days has seasons that are too similar (Katz and Parlange 1998). So the middle of each season has a
//! standard normal number, drawn when the season before it is in its middle. Between two middles, the departure s turns from one number n₀
//! to the next n₁: s = n₀·cos(½πu) + n₁·sin(½πu), with u from 0 to 1. It is continuous, has the variance 1 on each day, and the mean over a
//! season has the standard deviation 0.9.

use farm_core::{Column, Columns, Context, Purpose, Stream, math};

use super::super::variables::DAYS_PER_YEAR;
use super::MAX_DEPARTURE;

/// The number of the middle of a season.
const SEASON: Purpose = Purpose::named("departure of the season");
/// Middles of the seasons: 16 January, 16 April, 17 July, 16 October.
const MIDDLES: [i32; 4] = [15, 105, 197, 288];

/// The hidden state: the numbers of the last and of the next middle of a season.
#[derive(Columns)]
pub(super) struct Seasons {
    _of: (),
    /// Departures of the temperature in the middles of two seasons, the last one and the next, in standard deviations.
    #[real(name = "chain.seasons#sd", range = -MAX_DEPARTURE..=MAX_DEPARTURE, shape = &[2], hidden)]
    numbers: Column<f64>,
}

impl Seasons {
    /// The departure on a day of the year, in standard deviations. Draws the next number in the middle of a season.
    #[inline]
    pub(super) fn at(&self, day: i32, index: u32, key: u64, context: &Context<'_>) -> f64 {
        let numbers = context.get(self.numbers);
        let begins = MIDDLES.contains(&day);
        if index == 0 || begins {
            let mut stream = context.stream_at(key, SEASON, index);
            let mut draw = || stream.normal().clamp(-MAX_DEPARTURE, MAX_DEPARTURE);
            numbers[0].set(if index == 0 { draw() } else { numbers[1].get() });
            numbers[1].set(draw());
        }
        let angle = std::f64::consts::FRAC_PI_2 * share(day);
        math::cos(angle) * numbers[0].get() + math::sin(angle) * numbers[1].get()
    }

    /// Redraws the part of the numbers that is not `known`.
    pub(super) fn forget(&self, known: f64, stream: &mut Stream, context: &Context<'_>) {
        let unknown = (1.0 - known * known).max(0.0).sqrt();
        for number in context.get(self.numbers) {
            number.set((known * number.get() + unknown * stream.normal()).clamp(-MAX_DEPARTURE, MAX_DEPARTURE));
        }
    }
}

/// The share of the way from the last middle of a season to the next.
fn share(day: i32) -> f64 {
    let after = MIDDLES.iter().position(|middle| *middle > day).unwrap_or(0);
    let next = MIDDLES[after];
    let last = MIDDLES[(after + MIDDLES.len() - 1) % MIDDLES.len()];
    let length = (next - last).rem_euclid(DAYS_PER_YEAR);
    f64::from((day - last).rem_euclid(DAYS_PER_YEAR)) / f64::from(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_starts_at_0_in_each_middle_and_stays_below_1() {
        for middle in MIDDLES {
            assert_eq!(share(middle), 0.0);
            assert!(share((middle + DAYS_PER_YEAR - 1) % DAYS_PER_YEAR) > 0.98);
        }
        assert!((0..DAYS_PER_YEAR).all(|day| (0.0..1.0).contains(&share(day))));
        assert!((share(0) - 77.0 / 92.0).abs() < 1e-12);
    }
}
