//! The memory of a station: the matrices A and B, and the departures of whole seasons.

use farm_core::math;

use super::super::law::{Climate, Law};
use super::super::residuals::{MAX, MIN, MOISTURE, Matrix, SIZE, WIND, product};
use super::super::year::{DayOfYear, warm_days};
use super::{DAYS_PER_YEAR, Record, days_of, mean, month_of, numbers, rounded, variance};

/// Length of a block of days whose mean shows the departures of seasons.
const BLOCK_DAYS: usize = 91;
/// Distance of the blocks, which overlap.
const BLOCK_STEP_DAYS: usize = 13;
/// Variance of the mean of a season's departure over such a block (see `season.rs`).
const BLOCK_VARIANCE: f64 = 0.84;

/// The departures of each day from the normals of wet and dry days, and those of these normals from the course of the year.
///
/// What wet and dry days explain is subtracted from the covariances of the sums, so that the sums have the memory of the station.
struct Departures {
    /// The sums in standard deviations, in the order of the generator, and the part of wet and dry days in them.
    standard: Vec<[f64; SIZE]>,
    of_wet: Vec<[f64; SIZE]>,
    /// Mean standard deviations of the lowest and highest temperatures [°C] in the warm half of the year, and of the clouds [%].
    scale: [f64; 3],
    /// The days of the year in its warm half.
    warm: Vec<usize>,
    wind_spread: f64,
}

impl Departures {
    /// The covariances with the departures of some days before, over some days.
    fn covariance(&self, days_before: usize, days: impl Fn(usize) -> bool) -> Matrix {
        let days: Vec<usize> = (days_before..self.standard.len()).filter(|i| days(*i)).collect();
        let product = |all: &[[f64; SIZE]], day: usize, i: usize, j: usize| all[day][i] * all[day - days_before][j];
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let own = |day: &usize| product(&self.standard, *day, i, j) - product(&self.of_wet, *day, i, j);
                days.iter().map(own).sum::<f64>() / days.len().max(1) as f64
            })
        })
    }

    /// The variance, over the years, of the mean of w·z over a block of days whose middle is in the warm half of the year.
    fn variance_of_blocks(&self, record: &Record<'_>, weights: [f64; SIZE]) -> f64 {
        let years = record.years() - 1;
        let starts = (0..DAYS_PER_YEAR).step_by(BLOCK_STEP_DAYS);
        let starts: Vec<usize> =
            starts.filter(|start| self.warm.contains(&record.day_of_year(start + BLOCK_DAYS / 2))).collect();
        let of = |all: &[[f64; SIZE]]| {
            let value = |day: &[f64; SIZE]| (0..SIZE).map(|i| weights[i] * day[i]).sum::<f64>();
            let block = |start: &usize| {
                let mean_of = |year: usize| {
                    let days = &all[year * DAYS_PER_YEAR + start..][..BLOCK_DAYS];
                    mean(&days.iter().map(value).collect::<Vec<_>>())
                };
                variance(&(0..years).map(mean_of).collect::<Vec<_>>())
            };
            mean(&starts.iter().map(block).collect::<Vec<_>>())
        };
        years as f64 / (years as f64 - 1.0) * (of(&self.standard) - of(&self.of_wet))
    }
}

/// Sets the matrices and the departures of seasons.
pub(super) fn fit(record: &Record<'_>, climate: &mut Climate, notes: &mut Vec<String>) {
    let departures = departures(record, climate);
    if record.known.wind {
        climate.wind_deviation = rounded(departures.wind_spread).min(2.0);
    }
    if let (true, Some(months)) = (record.known.clouds, &mut climate.months) {
        months.clouds_with_max = Some(clouds_with_max(record, &departures));
    }
    let default = Law::of(&Climate::default()).memory;
    let default_now = default.stationary_covariance();
    let default_lagged = product(&default.yesterday, &default_now);
    let is_known = |i: usize| (i != MOISTURE || record.known.clouds) && (i != WIND || record.known.wind);
    let (now, lagged) = (departures.covariance(0, |_| true), departures.covariance(1, |_| true));
    let [low, high, cloudy] = departures.scale;
    let (of_mean, of_clouds) = ([0.5 * low, 0.5 * high, 0.0, 0.0], [0.0, 0.0, cloudy, 0.0]);
    let celsius = departures.variance_of_blocks(record, of_mean);
    let clouds = departures.variance_of_blocks(record, of_clouds);
    let (mut season_celsius, mut season_clouds) = (0.0, 0.0);
    let mut memory = None;
    // The seasons are what the memory does not explain, and the memory is what remains without the seasons.
    for _ in 0..8 {
        let season = [season_celsius / low, season_celsius / high, -season_clouds / cloudy, 0.0];
        let without = |all: &Matrix, default: &Matrix| -> Matrix {
            let rest = |i: usize, j: usize| all[i][j] - season[i] * season[j];
            let size = |i: usize| (now[i][i] - season[i] * season[i]).max(1e-6).sqrt();
            std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    if is_known(i) && is_known(j) { rest(i, j) / (size(i) * size(j)) } else { default[i][j] }
                })
            })
        };
        let (now, lagged) = (without(&now, &default_now), without(&lagged, &default_lagged));
        memory = numbers::memory_of(&now, &lagged);
        let Some(memory) = &memory else { break };
        let explained = |weights: [f64; SIZE]| variance_of_mean(&memory.yesterday, &now, weights);
        let rest = |all: f64, weights: [f64; SIZE]| ((all - explained(weights)) / BLOCK_VARIANCE).max(0.0).sqrt();
        season_celsius = rest(celsius, of_mean);
        season_clouds = if record.known.clouds { rest(clouds, of_clouds) } else { 0.0 };
    }
    climate.season_celsius = rounded(season_celsius).min(3.0);
    if record.known.clouds {
        climate.season_clouds_percent = rounded(season_clouds).min(30.0);
    }
    match memory {
        Some(memory) => {
            (climate.yesterday, climate.today) = (rows(&memory.yesterday), rows(&memory.today));
            let unknown: Vec<&str> = [(MOISTURE, "clouds"), (WIND, "wind")]
                .into_iter()
                .filter_map(|(i, name)| (!is_known(i)).then_some(name))
                .collect();
            if !unknown.is_empty() {
                notes.push(format!("the correlations of {} are those of Wageningen", unknown.join(" and ")));
            }
        }
        None => notes.push("the correlations of the file contradict each other: those of Wageningen are used".into()),
    }
}

/// The correlation of clouds and highest temperature in each month.
fn clouds_with_max(record: &Record<'_>, departures: &Departures) -> Vec<f64> {
    let of_month = |month: usize| {
        let covariance = departures.covariance(0, |i| month_of(record.day_of_year(i)) == month);
        let both = covariance[MAX][MOISTURE] / (covariance[MAX][MAX] * covariance[MOISTURE][MOISTURE]).sqrt();
        if both.is_finite() { rounded(both) } else { 0.0 }
    };
    (0..12).map(of_month).collect()
}

fn rows(matrix: &Matrix) -> Vec<Vec<f64>> {
    matrix.iter().map(|row| row.iter().map(|value| rounded(*value)).collect()).collect()
}

/// The departures from the generator's normals, without a linear trend of the temperatures.
fn departures(record: &Record<'_>, climate: &Climate) -> Departures {
    // Without seasons, the deviations of the days contain them.
    let days = days_of(&Climate { season_celsius: 0.0, ..climate.clone() });
    let n = record.days.len();
    let (mut standard, mut of_wet) = (vec![[0.0; SIZE]; n], vec![[0.0; SIZE]; n]);
    for (i, day) in record.days.iter().enumerate() {
        let of_year = &days[record.day_of_year(i)];
        let normal = if record.is_wet(i) { &of_year.wet } else { &of_year.dry };
        let [low, _, high] = of_year.usual.celsius;
        of_wet[i][MIN] = normal.max_celsius - normal.range_celsius - low;
        of_wet[i][MAX] = normal.max_celsius - high;
        standard[i][MIN] = day.min_celsius - low;
        standard[i][MAX] = day.max_celsius - high;
        standard[i][MOISTURE] = day.clouds_percent;
        standard[i][WIND] = math::ln((day.wind_km_per_h / of_year.wind_km_per_h).max(1e-3));
    }
    for month in 0..12 {
        let of_month: Vec<usize> = (0..n).filter(|i| month_of(record.day_of_year(*i)) == month).collect();
        let clouds = |days: &mut dyn Iterator<Item = &usize>| {
            mean(&days.map(|i| record.days[*i].clouds_percent).collect::<Vec<_>>())
        };
        let all = clouds(&mut of_month.iter());
        for wet in [false, true] {
            let of_class = clouds(&mut of_month.iter().filter(|i| record.is_wet(**i) == wet));
            of_month.iter().filter(|i| record.is_wet(**i) == wet).for_each(|i| of_wet[*i][MOISTURE] = of_class - all);
        }
        of_month.iter().for_each(|i| standard[*i][MOISTURE] -= all);
    }
    let column = |all: &[[f64; SIZE]], quantity: usize| all.iter().map(|day| day[quantity]).collect::<Vec<f64>>();
    for quantity in [MIN, MAX] {
        let (level, slope) = trend(&column(&standard, quantity));
        for (i, day) in standard.iter_mut().enumerate() {
            day[quantity] -= level + slope * (i as f64 - 0.5 * (n as f64 - 1.0));
        }
    }
    let (wind, wind_variance) = (mean(&column(&standard, WIND)), variance(&column(&standard, WIND)));
    let within = variance(&column(&standard, MOISTURE)) - variance(&column(&of_wet, MOISTURE));
    let cloudy = within.max(1e-12).sqrt();
    for (i, (all, of_wet)) in standard.iter_mut().zip(&mut of_wet).enumerate() {
        let of_year = &days[record.day_of_year(i)];
        all[WIND] -= wind;
        let sizes = [of_year.min_deviation, of_year.max_deviation, cloudy, wind_variance.sqrt().max(1e-6)];
        (0..SIZE).for_each(|quantity| {
            all[quantity] /= sizes[quantity];
            of_wet[quantity] /= sizes[quantity];
        });
    }
    let course = |place: usize| days.iter().map(|day| day.usual.celsius[place]).collect::<Vec<f64>>();
    let warm = warm_days(&course(0), &course(2));
    let of_days = |value: fn(&DayOfYear) -> f64| mean(&warm.iter().map(|day| value(&days[*day])).collect::<Vec<_>>());
    Departures {
        scale: [of_days(|day| day.min_deviation), of_days(|day| day.max_deviation), cloudy],
        warm,
        wind_spread: (math::exp(wind_variance) - 1.0).sqrt(),
        standard,
        of_wet,
    }
}

/// Mean, and slope per day, of the straight line through the values.
fn trend(values: &[f64]) -> (f64, f64) {
    let (level, middle) = (mean(values), 0.5 * (values.len() as f64 - 1.0));
    let (mut product, mut square) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let time = i as f64 - middle;
        product += time * (value - level);
        square += time * time;
    }
    (level, product / square)
}

/// The variance of the mean of w·z over a block, where z has the covariance M₀ and the memory A:
/// (γ₀ + 2·Σ (1 − k/n)·γₖ)/n, with γₖ = wᵀ·Aᵏ·M₀·w.
fn variance_of_mean(yesterday: &Matrix, now: &Matrix, weights: [f64; SIZE]) -> f64 {
    let n = BLOCK_DAYS as f64;
    let mut lagged = *now;
    let mut sum = 0.0;
    for k in 0..BLOCK_DAYS {
        let of_lag = (0..SIZE).flat_map(|i| (0..SIZE).map(move |j| (i, j)));
        let covariance: f64 = of_lag.map(|(i, j)| weights[i] * lagged[i][j] * weights[j]).sum();
        sum += if k == 0 { covariance } else { 2.0 * (1.0 - k as f64 / n) * covariance };
        lagged = product(yesterday, &lagged);
    }
    sum / n
}
