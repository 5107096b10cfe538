//! The usual weather on a day of the year. A forecast without skill knows only this.

use farm_core::Stream;

use super::formats::Day;
use super::variables::DAYS_PER_YEAR;

/// Mean and standard deviation of the weather quantities on a day of the year.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Usual {
    /// Lowest, mean and highest temperature; they vary together.
    pub celsius: [f64; 3],
    pub celsius_deviation: f64,
    pub humidity_percent: (f64, f64),
    pub clouds_percent: (f64, f64),
    pub wind_km_per_h: (f64, f64),
    /// Share of wet days.
    pub wet: f64,
}

impl Usual {
    /// The climate of a table, by twelfth of the year. The table starts on the day `first_day` of the year.
    pub(super) fn of_table(days: &[Day], first_day: usize) -> [Self; 12] {
        std::array::from_fn(|part| {
            let season: Vec<&Day> = of_twelfth(days, first_day, part).collect();
            // A table shorter than a year has the climate of all its days.
            if season.is_empty() { Self::of_days(&days.iter().collect::<Vec<_>>()) } else { Self::of_days(&season) }
        })
    }

    fn of_days(days: &[&Day]) -> Self {
        let moments = |value: fn(&Day) -> f64| {
            let n = days.len().max(1) as f64;
            let mean = days.iter().map(|day| value(day)).sum::<f64>() / n;
            let squares = days.iter().map(|day| (value(day) - mean) * (value(day) - mean)).sum::<f64>();
            (mean, (squares / n).sqrt())
        };
        let mean = moments(|day| day.mean_celsius);
        Self {
            celsius: [moments(|day| day.min_celsius).0, mean.0, moments(|day| day.max_celsius).0],
            celsius_deviation: mean.1,
            humidity_percent: moments(|day| day.humidity_percent),
            clouds_percent: moments(|day| day.clouds_percent),
            wind_km_per_h: moments(|day| day.wind_km_per_h),
            wet: moments(|day| f64::from(u8::from(day.rain_mm > 0.0))).0,
        }
    }

    /// Adds the share `weight` of another climate. The deviations are also averaged, although blended weather varies a little less.
    pub(super) fn add(&mut self, other: &Self, weight: f64) {
        let pair = |a: &mut (f64, f64), b: (f64, f64)| *a = (a.0 + weight * b.0, a.1 + weight * b.1);
        for (sum, celsius) in self.celsius.iter_mut().zip(other.celsius) {
            *sum += weight * celsius;
        }
        self.celsius_deviation += weight * other.celsius_deviation;
        pair(&mut self.humidity_percent, other.humidity_percent);
        pair(&mut self.clouds_percent, other.clouds_percent);
        pair(&mut self.wind_km_per_h, other.wind_km_per_h);
        self.wet += weight * other.wet;
    }
}

/// The amounts on all wet days in a table, by twelfth of the year. A wrong forecast of rain draws from these amounts.
#[derive(Debug)]
pub(super) struct WetDays {
    amounts_mm: Vec<f64>,
    /// The start of each twelfth in `amounts_mm`. A thirteenth entry marks the end.
    starts: [usize; 13],
}

impl WetDays {
    pub(super) fn new(days: &[Day], first_day: usize) -> Self {
        let mut amounts_mm = Vec::new();
        let mut starts = [0; 13];
        for (part, start) in starts.iter_mut().enumerate() {
            *start = amounts_mm.len();
            amounts_mm.extend(of_twelfth(days, first_day, part).map(|day| day.rain_mm).filter(|rain| *rain > 0.0));
        }
        Self { amounts_mm, starts }
    }

    /// The amount on a random wet day in the season, or on any wet day if the season has none, or 0 if it never rains.
    pub(super) fn draw(&self, day: i32, stream: &mut Stream) -> f64 {
        let part = twelfth(day);
        let season = &self.amounts_mm[self.starts[part]..self.starts[part + 1]];
        let amounts = if season.is_empty() { &self.amounts_mm } else { season };
        amounts.get(stream.index(amounts.len() as u32) as usize).copied().unwrap_or(0.0)
    }
}

fn of_twelfth(days: &[Day], first_day: usize, part: usize) -> impl Iterator<Item = &Day> {
    let dated = days.iter().enumerate().map(move |(i, day)| (((first_day + i) % DAYS_PER_YEAR as usize) as i32, day));
    dated.filter(move |(day, _)| twelfth(*day) == part).map(|(_, day)| day)
}

/// The twelfth of the year that contains a day.
pub(super) fn twelfth(day: i32) -> usize {
    (day * 12 / DAYS_PER_YEAR) as usize
}
