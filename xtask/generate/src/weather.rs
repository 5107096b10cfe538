//! Generates the built-in daily weather. Its only source is monthly climate normals.
//!
//! The stochastic generator follows Richardson 1981 and Geng et al. 1986. It has a two-state Markov chain of wet and dry days, and
//! gamma-distributed amounts on wet days. Temperatures vary around a smooth yearly curve, and each day's deviation depends on the days
//! before. Humidity, wind and clouds depend on whether the day is wet. Then each month is shifted to its normal temperature, humidity and
//! wind, and its rain is scaled to its normal sum. Ten years together therefore match the climate, although all years differ.
//!
//! The other parameters are design choices: the spreads, the memory, the differences between wet and dry days, and the clouds.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Error, Result, bail, ensure};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Distribution, Gamma, StandardNormal};

/// A table to generate.
#[derive(Debug)]
pub(crate) struct NormalsTable {
    /// The normals, relative to the top of the repository.
    pub normals: &'static str,
    /// The table, relative to the top of the repository.
    pub table: &'static str,
    /// The site named in the table's heading.
    site: &'static str,
    /// The first of the seeds 1, 2, … for which each month's share of wet days is within three percentage points of its normal.
    seed: u64,
}

/// The generated tables.
pub(crate) const TABLES: [NormalsTable; 2] = [
    NormalsTable {
        normals: "xtask/generate/data/climate_normals_montpellier.csv",
        table: "farm-entities/src/agronomy/weather/montpellier.csv",
        site: "Montpellier",
        seed: 20,
    },
    NormalsTable {
        normals: "xtask/generate/data/climate_normals_lille.csv",
        table: "farm-entities/src/agronomy/weather/lille.csv",
        site: "Lille",
        seed: 372,
    },
];

const YEARS: usize = 10;
const DAYS_PER_YEAR: usize = 365;

/// Shape of the gamma distribution of daily rain (Geng et al. 1986 derive 0.998 from its regression on the mean).
const RAIN_SHAPE: f64 = 0.998;
/// Minimum amount of rain on a wet day, as in the normals.
const WET_DAY_MM: f64 = 1.0;
/// Correlation between the temperature's deviations on two consecutive days.
const MEMORY: f64 = 0.65;
/// Standard deviation of the mean temperature's deviation.
const TEMPERATURE_SPREAD_CELSIUS: f64 = 2.5;
/// Standard deviation of the daily range's deviation.
const RANGE_SPREAD_CELSIUS: f64 = 2.0;
/// Minimum difference between the highest and the lowest temperature.
const RANGE_MIN_CELSIUS: f64 = 1.0;
/// Difference in the highest temperature between a wet and a dry day.
const WET_MAX_CELSIUS: f64 = -2.5;
/// Difference in the lowest temperature between a wet and a dry day.
const WET_MIN_CELSIUS: f64 = 0.5;
/// Difference in humidity between a wet and a dry day.
const WET_HUMIDITY_PERCENT: f64 = 12.0;
const HUMIDITY_SPREAD_PERCENT: f64 = 8.0;
/// Mean and standard deviation of cloud cover on wet and dry days.
const CLOUDS_WET_PERCENT: (f64, f64) = (80.0, 12.0);
const CLOUDS_DRY_PERCENT: (f64, f64) = (32.0, 24.0);
/// Shape of the gamma distribution of daily wind: its standard deviation is half its mean.
const WIND_SHAPE: f64 = 4.0;

/// The normals of one month.
#[derive(Debug, Clone, Copy)]
struct Month {
    days: usize,
    min_celsius: f64,
    max_celsius: f64,
    humidity_percent: f64,
    wind_km_per_h: f64,
    rain_mm: f64,
    wet_after_dry: f64,
    wet_after_wet: f64,
}

/// One generated day.
#[derive(Debug, Clone, Copy)]
struct Day {
    month: usize,
    min_celsius: f64,
    max_celsius: f64,
    humidity_percent: f64,
    rain_mm: f64,
    wind_km_per_h: f64,
    clouds_percent: f64,
}

/// Writes the tables of the repository at `root`, or, with `check`, compares them with the generated ones.
///
/// # Errors
/// A file can't be read or written, the normals are incomplete, or the check fails.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    TABLES.iter().try_for_each(|table| run_one(root, table, check))
}

fn run_one(root: &Path, table: &NormalsTable, check: bool) -> Result<()> {
    let NormalsTable { normals, table: file, .. } = table;
    let text = std::fs::read_to_string(root.join(normals)).with_context(|| format!("reading {normals}"))?;
    let generated = generate(&text, table)?;
    let path = root.join(file);
    if !check {
        return std::fs::write(&path, generated).with_context(|| format!("writing {file}"));
    }
    let committed = std::fs::read_to_string(&path).with_context(|| format!("reading {file}"))?;
    ensure!(committed == generated, "{file} differs from {normals}: run `cargo xtask weather`");
    Ok(())
}

/// Ten years of daily weather as CSV, with the climate of `normals`. The same normals give the same text.
///
/// # Errors
/// The normals are not twelve months with all needed columns.
fn generate(normals: &str, table: &NormalsTable) -> Result<String> {
    let months = read_normals(normals)?;
    let mut days = draw_days(&months, table.seed)?;
    fit_to_normals(&mut days, &months);
    Ok(write_table(&days, table))
}

fn read_normals(text: &str) -> Result<[Month; 12]> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let headers = reader.headers()?.clone();
    let mut months = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record?;
        let number = |column: &str| -> Result<f64> {
            let index = headers.iter().position(|h| h == column);
            let index = index.with_context(|| format!("the normals have no column `{column}`"))?;
            let field = record.get(index).unwrap_or_default();
            field.parse().with_context(|| format!("row {} of the normals: `{field}` in column `{column}`", row + 1))
        };
        ensure!(number("month")? == (row + 1) as f64, "row {} of the normals is another month", row + 1);
        months.push(Month {
            days: number("days_in_month")? as usize,
            min_celsius: number("tmin_C")?,
            max_celsius: number("tmax_C")?,
            humidity_percent: number("rh_pct")?,
            wind_km_per_h: 3.6 * number("wind_ms")?,
            rain_mm: number("rain_mm")?,
            wet_after_dry: number("p_wet_dry_geng")?,
            wet_after_wet: number("p_wet_wet_geng")?,
        });
    }
    let found = months.len();
    let Ok(months) = <[Month; 12]>::try_from(months) else { bail!("the normals have {found} months instead of 12") };
    ensure!(
        months.iter().map(|m| m.days).sum::<usize>() == DAYS_PER_YEAR,
        "the months do not make {DAYS_PER_YEAR} days"
    );
    Ok(months)
}

/// The month of each day of the year.
fn calendar(months: &[Month; 12]) -> Vec<usize> {
    months.iter().enumerate().flat_map(|(i, month)| std::iter::repeat_n(i, month.days)).collect()
}

/// A value for each day of the year, smooth, periodic, and with the monthly means of the normals.
///
/// Values are linear between the middles of the months. The values in the middles are adjusted until the monthly means are right.
fn smooth_year(months: &[Month; 12], normal: impl Fn(&Month) -> f64) -> Vec<f64> {
    let mut middles = Vec::new();
    let mut start = 0.0;
    for month in months {
        middles.push(start + 0.5 * month.days as f64);
        start += month.days as f64;
    }
    let calendar = calendar(months);
    let mut knots: Vec<f64> = months.iter().map(&normal).collect();
    let interpolate = |knots: &[f64]| -> Vec<f64> {
        let at = |day: usize| {
            let time = day as f64 + 0.5;
            let after = middles.iter().position(|middle| *middle > time).unwrap_or(12);
            let before = (after + 11) % 12;
            let left = if after == 0 { middles[11] - DAYS_PER_YEAR as f64 } else { middles[before] };
            let right = if after == 12 { middles[0] + DAYS_PER_YEAR as f64 } else { middles[after] };
            let share = (time - left) / (right - left);
            knots[before] + share * (knots[after % 12] - knots[before])
        };
        (0..DAYS_PER_YEAR).map(at).collect()
    };
    for _ in 0..50 {
        let year = interpolate(&knots);
        let means = monthly_means(year.iter().copied().zip(calendar.iter().copied()));
        for (i, knot) in knots.iter_mut().enumerate() {
            *knot += normal(&months[i]) - means[i];
        }
    }
    interpolate(&knots)
}

fn monthly_means(values: impl Iterator<Item = (f64, usize)>) -> [f64; 12] {
    let (mut sums, mut counts) = ([0.0; 12], [0.0; 12]);
    for (value, month) in values {
        sums[month] += value;
        counts[month] += 1.0;
    }
    std::array::from_fn(|i| sums[i] / counts[i])
}

/// Draws all days in order.
fn draw_days(months: &[Month; 12], seed: u64) -> Result<Vec<Day>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let calendar = calendar(months);
    let min_normal = smooth_year(months, |m| m.min_celsius);
    let max_normal = smooth_year(months, |m| m.max_celsius);
    let humidity_normal = smooth_year(months, |m| m.humidity_percent);
    let rain = Gamma::new(RAIN_SHAPE, 1.0 / RAIN_SHAPE).map_err(Error::msg)?;
    let wind = Gamma::new(WIND_SHAPE, 1.0 / WIND_SHAPE).map_err(Error::msg)?;
    let (mut wet, mut warmth, mut spread, mut moisture) = (false, 0.0, 0.0, 0.0);
    let mut days = Vec::new();
    for _ in 0..YEARS {
        for (day, &month) in calendar.iter().enumerate() {
            let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
            let innovation = (1.0 - MEMORY * MEMORY).sqrt();
            warmth = MEMORY * warmth + innovation * TEMPERATURE_SPREAD_CELSIUS * normal();
            spread = MEMORY * spread + innovation * RANGE_SPREAD_CELSIUS * normal();
            moisture = MEMORY * moisture + innovation * HUMIDITY_SPREAD_PERCENT * normal();
            let (clouds, chance): (f64, f64) = (normal(), rand_distr::StandardUniform.sample(&mut random));
            let (amount, speed) = (rain.sample(&mut random), wind.sample(&mut random));
            let here = &months[month];
            wet = chance < if wet { here.wet_after_wet } else { here.wet_after_dry };
            let if_wet = |difference: f64| if wet { difference } else { 0.0 };
            let (clouds_mean, clouds_spread) = if wet { CLOUDS_WET_PERCENT } else { CLOUDS_DRY_PERCENT };
            days.push(Day {
                month,
                min_celsius: min_normal[day] + warmth - 0.5 * spread + if_wet(WET_MIN_CELSIUS),
                max_celsius: max_normal[day] + warmth + 0.5 * spread + if_wet(WET_MAX_CELSIUS),
                // Days with a wide range of temperature are dry ones.
                humidity_percent: humidity_normal[day] + moisture - spread + if_wet(WET_HUMIDITY_PERCENT),
                // Relative to the mean above the least amount of a wet day; the scale comes from the normals.
                rain_mm: if_wet(amount),
                wind_km_per_h: here.wind_km_per_h * speed,
                clouds_percent: (clouds_mean + clouds_spread * clouds).clamp(0.0, 100.0),
            });
        }
    }
    Ok(days)
}

/// Shifts and scales each month, so that its mean over all years is its normal.
fn fit_to_normals(days: &mut [Day], months: &[Month; 12]) {
    // Limits (range, 0…100 %) disturb the means a little, so shift and limit take turns.
    for _ in 0..20 {
        let means = |value: fn(&Day) -> f64| monthly_means(days.iter().map(|d| (value(d), d.month)));
        let (min, max) = (means(|d| d.min_celsius), means(|d| d.max_celsius));
        let (humidity, wind) = (means(|d| d.humidity_percent), means(|d| d.wind_km_per_h));
        for day in days.iter_mut() {
            let (i, normal) = (day.month, &months[day.month]);
            day.min_celsius += normal.min_celsius - min[i];
            day.max_celsius += normal.max_celsius - max[i];
            day.max_celsius = day.max_celsius.max(day.min_celsius + RANGE_MIN_CELSIUS);
            day.humidity_percent = (day.humidity_percent + normal.humidity_percent - humidity[i]).clamp(15.0, 100.0);
            day.wind_km_per_h *= normal.wind_km_per_h / wind[i];
        }
    }
    let wet_days = monthly_means(days.iter().map(|d| (f64::from(u8::from(d.rain_mm > 0.0)), d.month)));
    let relative = monthly_means(days.iter().map(|d| (d.rain_mm, d.month)));
    for day in days.iter_mut().filter(|d| d.rain_mm > 0.0) {
        let i = day.month;
        let above = months[i].rain_mm / months[i].days as f64 - wet_days[i] * WET_DAY_MM;
        day.rain_mm = WET_DAY_MM + day.rain_mm * above.max(0.0) / relative[i];
    }
}

fn write_table(days: &[Day], table: &NormalsTable) -> String {
    let NormalsTable { normals, site, .. } = table;
    let mut text = format!(
        "# Daily weather with the climate of {site}, for games: generated, not observed.\n\
         # Made by `cargo xtask weather` from approximate monthly climate normals\n\
         # ({normals}) with a stochastic weather generator; see xtask/generate/src/weather.rs.\n\
         # Ten years of 365 days. Wind as at 10 m above the ground. Clouds follow from wet and dry days alone.\n\
         day,temperature_min#°C,temperature_mean#°C,temperature_max#°C,humidity#%,rain#mm.day-1,wind_speed#km.h-1,clouds#%\n",
    );
    for (i, day) in days.iter().enumerate() {
        // The mean of the rounded extremes, so that rounding never moves it outside.
        let (min, max) = (rounded(day.min_celsius), rounded(day.max_celsius));
        let values = [
            min,
            rounded(0.5 * (min + max)),
            max,
            rounded(day.humidity_percent),
            rounded(day.rain_mm),
            rounded(day.wind_km_per_h),
            rounded(day.clouds_percent),
        ];
        let _ = write!(text, "{}", i % DAYS_PER_YEAR);
        for value in values {
            let _ = write!(text, ",{value}");
        }
        text.push('\n');
    }
    text
}

/// Rounds to one decimal, without a negative zero.
fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rain [mm] and wet days in a year, from the sources of the normals.
    const ANNUAL: [(f64, f64); TABLES.len()] = [(629.1, 57.9), (742.5, 127.4)];

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    fn normals(table: &NormalsTable) -> String {
        std::fs::read_to_string(root().join(table.normals)).unwrap()
    }

    /// Reads a committed table: month; lowest, mean and highest temperature; humidity, rain, wind and clouds.
    fn committed(table: &NormalsTable) -> Vec<(usize, [f64; 7])> {
        let text = std::fs::read_to_string(root().join(table.table)).unwrap();
        let calendar = calendar(&read_normals(&normals(table)).unwrap());
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let row = |record: csv::StringRecord| {
            let number = |i: usize| record[i].parse::<f64>().unwrap();
            (calendar[number(0) as usize], std::array::from_fn(|i| number(i + 1)))
        };
        reader.records().map(|record| row(record.unwrap())).collect()
    }

    #[test]
    fn the_committed_tables_are_what_the_normals_give() {
        run(root(), true).unwrap();
    }

    #[test]
    fn ten_years_have_the_climate_of_the_normals() {
        for (table, annual) in TABLES.iter().zip(ANNUAL) {
            has_the_climate_of_its_normals(table, annual);
        }
    }

    fn has_the_climate_of_its_normals(table: &NormalsTable, (annual_mm, wet_days): (f64, f64)) {
        let (days, months) = (committed(table), read_normals(&normals(table)).unwrap());
        assert_eq!(days.len(), 3650);
        let means = |column: usize| monthly_means(days.iter().map(|(month, day)| (day[column], *month)));
        let (min, max, humidity, wind) = (means(0), means(2), means(3), means(5));
        let rain = means(4);
        let wet = monthly_means(days.iter().map(|(month, day)| (f64::from(u8::from(day[4] >= 1.0)), *month)));
        for (i, month) in months.iter().enumerate() {
            let name = i + 1;
            assert!((min[i] - month.min_celsius).abs() < 0.3, "month {name}: lowest {}", min[i]);
            assert!((max[i] - month.max_celsius).abs() < 0.3, "month {name}: highest {}", max[i]);
            assert!((humidity[i] - month.humidity_percent).abs() < 1.0, "month {name}: humidity {}", humidity[i]);
            assert!((wind[i] / month.wind_km_per_h - 1.0).abs() < 0.02, "month {name}: wind {}", wind[i]);
            let sum = rain[i] * month.days as f64;
            assert!((sum / month.rain_mm - 1.0).abs() < 0.05, "month {name}: rain {sum}");
            // The share of wet days that a Markov chain settles at.
            let share = month.wet_after_dry / (1.0 - month.wet_after_wet + month.wet_after_dry);
            assert!((wet[i] - share).abs() < 0.03, "month {name}: wet share {} of {share}", wet[i]);
        }
        let annual = days.iter().map(|(_, day)| day[4]).sum::<f64>() / 10.0;
        assert!((annual / annual_mm - 1.0).abs() < 0.05, "{annual}");
        let share = days.iter().filter(|(_, day)| day[4] >= 1.0).count() as f64 / 3650.0;
        assert!((share - wet_days / 365.0).abs() < 0.03, "{share}");
    }

    #[test]
    fn days_vary_within_bounds_and_wet_ones_are_cooler_and_cloudier() {
        TABLES.iter().for_each(vary_within_bounds);
    }

    fn vary_within_bounds(table: &NormalsTable) {
        let days = committed(table);
        for (_, [min, mean, max, humidity, rain, wind, clouds]) in &days {
            assert!(min <= mean && mean <= max && *min > -20.0 && *max < 48.0, "{min} {mean} {max}");
            assert!((0.0..=100.0).contains(humidity) && (0.0..=100.0).contains(clouds) && *wind >= 0.0);
            assert!(*rain == 0.0 || (1.0..400.0).contains(rain), "{rain}");
        }
        let july = |wet: bool, column: usize| {
            let chosen =
                days.iter().filter(|(month, day)| *month == 6 && (day[4] > 0.0) == wet).map(|(_, day)| day[column]);
            let values: Vec<f64> = chosen.collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        assert!(july(true, 2) < july(false, 2) - 0.5 && july(true, 6) > july(false, 6) + 30.0);
        // Years differ: the January of each has another mean.
        let january = |year: usize| days[year * 365..year * 365 + 31].iter().map(|(_, day)| day[1]).sum::<f64>() / 31.0;
        let spread = (0..10).map(january).fold((f64::MAX, f64::MIN), |(low, high), t| (low.min(t), high.max(t)));
        assert!(spread.1 - spread.0 > 0.8, "{spread:?}");
    }

    #[test]
    fn incomplete_normals_are_refused_with_the_reason() {
        let text = normals(&TABLES[0]);
        let eleven = text.trim_end().rsplit_once('\n').unwrap().0;
        assert_eq!(generate(eleven, &TABLES[0]).unwrap_err().to_string(), "the normals have 11 months instead of 12");
        let renamed = text.replacen("rh_pct", "humidity", 1);
        assert_eq!(generate(&renamed, &TABLES[0]).unwrap_err().to_string(), "the normals have no column `rh_pct`");
    }
}
