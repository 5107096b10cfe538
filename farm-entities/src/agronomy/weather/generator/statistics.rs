//! What tests measure in many years of days.

use farm_core::math;

/// The weather on a day.
pub(super) struct Seen {
    pub min: f64,
    pub max: f64,
    pub humidity: f64,
    pub clouds: f64,
    pub wind: f64,
    pub rain: f64,
    pub solar: f64,
}

/// Statistics of whole years of days, which begin on 1 January.
#[derive(Debug)]
pub(super) struct Statistics {
    /// Correlation of a summer day's departure from the smooth course with that of the day before.
    pub lag_min: f64,
    pub lag_max: f64,
    /// Standard deviation over the years of the mean temperature of the summer.
    pub summer_deviation: f64,
    /// Correlation of the departures of highest temperature and radiation in summer.
    pub max_with_solar: f64,
    /// Standard deviation over the years of the radiation of the summer, relative to its mean.
    pub summer_solar: f64,
    /// The median day of the year of the last frost until summer (1 on 1 January); 0 if most years have none.
    pub last_frost: f64,
    /// The highest temperature of each year.
    pub highest: Vec<f64>,
    pub wet_days: f64,
    pub rain: f64,
}

/// Departures from the annual course: the mean and three harmonics.
fn departures(days: &[Seen], value: impl Fn(&Seen) -> f64) -> Vec<f64> {
    let n = days.len() as f64;
    let mut rest: Vec<f64> = days.iter().map(value).collect();
    let mean = rest.iter().sum::<f64>() / n;
    rest.iter_mut().for_each(|value| *value -= mean);
    for harmonic in 1..=3 {
        for wave in [math::cos, math::sin] {
            let at = |i: usize| wave(std::f64::consts::TAU * f64::from(harmonic) * (i % 365) as f64 / 365.0);
            let size = 2.0 / n * rest.iter().enumerate().map(|(i, value)| value * at(i)).sum::<f64>();
            rest.iter_mut().enumerate().for_each(|(i, value)| *value -= size * at(i));
        }
    }
    rest
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let (a, b) = (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |value: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(value).sum::<f64>();
    sum(&|p| (p.0 - a) * (p.1 - b)) / (sum(&|p| (p.0 - a) * (p.0 - a)) * sum(&|p| (p.1 - b) * (p.1 - b))).sqrt()
}

fn deviation(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (mean, (squares / (values.len() as f64 - 1.0)).sqrt())
}

impl Statistics {
    /// Summer is June to August in the north, December to February in the south.
    pub(super) fn of(days: &[Seen], is_north: bool) -> Self {
        let in_summer = |i: usize| match i % 365 {
            day if is_north => (151..243).contains(&day),
            day => !(59..334).contains(&day),
        };
        let (min, max) = (departures(days, |day| day.min), departures(days, |day| day.max));
        let solar = departures(days, |day| day.solar);
        let lag = |all: &[f64]| {
            let of_summer = (1..all.len()).filter(|i| in_summer(*i));
            correlation(&of_summer.map(|i| (all[i], all[i - 1])).collect::<Vec<_>>())
        };
        let of_summer = || (0..days.len()).filter(|i| in_summer(*i));
        // A southern summer counts for the year in which it ends.
        let year = |i: usize| if is_north { i / 365 } else { (i + 31) / 365 };
        let summers = |value: &dyn Fn(&Seen) -> f64| -> Vec<f64> {
            let years = days.len() / 365;
            let mut sums = vec![(0.0, 0.0); years + 1];
            of_summer().for_each(|i| {
                sums[year(i)].0 += value(&days[i]);
                sums[year(i)].1 += 1.0;
            });
            sums.iter().filter(|sum| sum.1 >= 90.0).map(|sum| sum.0 / sum.1).collect()
        };
        let (mean_solar, solar_deviation) = deviation(&summers(&|day| day.solar));
        let mut frosts: Vec<usize> = days
            .chunks_exact(365)
            .map(|year| year[..200].iter().rposition(|day| day.min <= 0.0).map_or(0, |day| day + 1))
            .collect();
        frosts.sort_unstable();
        let rain: Vec<f64> = days.chunks_exact(365).map(|year| year.iter().map(|day| day.rain).sum()).collect();
        let (mean_rain, _) = deviation(&rain);
        let highest = |year: &[Seen]| year.iter().map(|day| day.max).fold(f64::MIN, f64::max);
        Self {
            lag_min: lag(&min),
            lag_max: lag(&max),
            summer_deviation: deviation(&summers(&|day| 0.5 * (day.min + day.max))).1,
            max_with_solar: correlation(&of_summer().map(|i| (max[i], solar[i])).collect::<Vec<_>>()),
            summer_solar: solar_deviation / mean_solar,
            last_frost: frosts[frosts.len() / 2] as f64,
            highest: days.chunks_exact(365).map(highest).collect(),
            wet_days: days.iter().filter(|day| day.rain >= 1.0).count() as f64 * 365.0 / days.len() as f64,
            rain: mean_rain,
        }
    }
}
