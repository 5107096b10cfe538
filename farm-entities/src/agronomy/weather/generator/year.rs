//! A climate, interpolated from twelve months to 365 days.

use super::super::climate::Usual;
use super::super::formats::WET_DAY_MM;
use super::super::variables::DAYS_PER_YEAR;
use super::law::Law;
use super::residuals::{MAX, MIN, MOISTURE};

/// Difference in temperature range between dry and wet days, as a share of the mean range (design).
const NARROWER_WHEN_WET: f64 = 0.3;
/// Minimum temperature range.
pub(super) const RANGE_MIN_CELSIUS: f64 = 0.5;
/// Difference in humidity between wet and dry days (design).
const WET_HUMIDITY_PERCENT: f64 = 12.0;
const HUMIDITY_SPREAD_MIN_PERCENT: f64 = 4.0;
/// Mean and standard deviation of the clouds on wet and dry days (design, as in the built-in table).
pub(super) const CLOUDS_WET_PERCENT: (f64, f64) = (80.0, 12.0);
pub(super) const CLOUDS_DRY_PERCENT: (f64, f64) = (32.0, 24.0);
/// Standard deviation of the daily wind relative to its mean (as in two years of Montpellier and Lille).
pub(super) const WIND_SPREAD: f64 = 0.35;
/// Shape of the gamma distribution of the rain above 1 mm on a wet day: 1/1.268, from the slope of scale on mean amount
/// in Sommer and Kaplan 2017 (doi 10.5194/gmd-10-3771-2017).
pub(super) const RAIN_SHAPE: f64 = 0.789;

/// One month at a site, with its normals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Month {
    pub days: usize,
    pub min_celsius: f64,
    pub max_celsius: f64,
    pub humidity_percent: f64,
    pub wind_km_per_h: f64,
    pub rain_mm: f64,
    pub wet_after_dry: f64,
    pub wet_after_wet: f64,
    pub min_deviation: f64,
    pub max_deviation: f64,
    pub max_if_wet: f64,
    pub max_skewness: f64,
    /// Correlation of clouds and highest temperature on days of the same kind.
    pub clouds_with_max: f64,
    pub humidity_deviation: f64,
    /// Mean and standard deviation of the clouds on dry and on wet days.
    pub clouds_if_dry: (f64, f64),
    pub clouds_if_wet: (f64, f64),
}

impl Month {
    /// The stationary share of wet days in the chain.
    pub(super) fn wet_share(&self) -> f64 {
        self.wet_after_dry / (1.0 - self.wet_after_wet + self.wet_after_dry)
    }

    /// Mean rain on a wet day. A month without wet days has no rain, even if its normal is above 0.
    pub(super) fn rain_of_wet_day_mm(&self) -> f64 {
        let wet_days = self.wet_share() * self.days as f64;
        if wet_days > 0.0 { (self.rain_mm / wet_days).max(WET_DAY_MM) } else { 0.0 }
    }

    /// Mean and standard deviation of the clouds on all days.
    pub(super) fn clouds_percent(&self) -> (f64, f64) {
        let ((wet, wet_deviation), (dry, dry_deviation)) = (self.clouds_if_wet, self.clouds_if_dry);
        let wet_share = self.wet_share();
        let within = wet_share * wet_deviation * wet_deviation + (1.0 - wet_share) * dry_deviation * dry_deviation;
        let between = wet_share * (1.0 - wet_share) * (wet - dry) * (wet - dry);
        (dry + wet_share * (wet - dry), (within + between).sqrt())
    }
}

/// The normals for a dry or a wet day.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Normal {
    pub max_celsius: f64,
    pub range_celsius: f64,
    /// Share of the departure of the range that is used, so that the range stays positive except on one day in forty.
    pub range_kept: f64,
    pub humidity_percent: f64,
    /// Mean and standard deviation.
    pub clouds_percent: (f64, f64),
    /// Probability of a wet day after this kind of day.
    pub wet_next: f64,
}

/// A day of the year.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DayOfYear {
    pub dry: Normal,
    pub wet: Normal,
    pub wet_share: f64,
    /// Mean rain of a wet day above 1 mm.
    pub excess_mm: f64,
    pub min_deviation: f64,
    pub max_deviation: f64,
    pub humidity_deviation: f64,
    pub wind_km_per_h: f64,
    /// Standard deviation of the departure of the season.
    pub season_celsius: f64,
    pub max_skewness: f64,
    /// The clouds' departure from that of the highest temperature, and from the moisture.
    pub clouds_from: [f64; 2],
    pub usual: Usual,
}

/// All days in the year.
pub(super) fn days(months: &[Month], law: &Law) -> Vec<DayOfYear> {
    let lengths = std::array::from_fn(|i| months.get(i).map_or(0, |month| month.days));
    let smooth = |value: fn(&Month) -> f64| smooth(&months.iter().map(value).collect::<Vec<_>>(), &lengths);
    let (min, max) = (smooth(|m| m.min_celsius), smooth(|m| m.max_celsius));
    let (min_deviation, max_deviation) = (smooth(|m| m.min_deviation), smooth(|m| m.max_deviation));
    let (humidity, humidity_deviation) = (smooth(|m| m.humidity_percent), smooth(|m| m.humidity_deviation));
    let (if_wet, wind) = (smooth(|m| m.max_if_wet), smooth(|m| m.wind_km_per_h));
    let covariance = law.memory.stationary_covariance();
    let (together, moist) = (covariance[MIN][MAX], covariance[MAX][MOISTURE]);
    // Standard deviation of the mean of two temperatures (times 2), and of their difference.
    let of_pair = |low: f64, high: f64, sign: f64| (low * low + high * high + sign * together * low * high).sqrt();
    let deviations = |i: usize| (min_deviation[i].max(0.3), max_deviation[i].max(0.3));
    let of_mean = |i: usize| 0.5 * of_pair(deviations(i).0, deviations(i).1, 2.0);
    let warm = warm_days(&min, &max);
    let usual_deviation = warm.iter().map(|i| of_mean(*i)).sum::<f64>() / warm.len().max(1) as f64;
    let day = |(i, month): (usize, &Month)| {
        let wet_share = month.wet_share();
        let between = wet_share * (1.0 - wet_share);
        let (low, high) = deviations(i);
        let season_celsius = law.season_celsius * (of_mean(i) / usual_deviation).max(1.0);
        // A month's deviations contain those of the seasons and those between wet and dry days.
        let min_if_wet = if_wet[i] + NARROWER_WHEN_WET * (max[i] - min[i]);
        let rest = |all: f64, if_wet: f64| {
            let others = season_celsius * season_celsius + between * if_wet * if_wet;
            (all * all - others).max(0.25 * all * all).sqrt()
        };
        let (low, high) = (rest(low, min_if_wet), rest(high, if_wet[i]));
        // The part of the moisture that does not follow the temperature keeps the variance 1.
        let own_clouds = ((1.0 - month.clouds_with_max * month.clouds_with_max) / (1.0 - moist * moist)).sqrt();
        let range_deviation = of_pair(low, high, -2.0);
        let normal = |wet: f64, wet_next: f64| {
            let range = (max[i] - min[i]) * (1.0 - NARROWER_WHEN_WET * (wet - wet_share));
            Normal {
                max_celsius: max[i] + if_wet[i] * (wet - wet_share),
                range_celsius: range,
                range_kept: (0.5 * (range - RANGE_MIN_CELSIUS) / range_deviation).clamp(0.0, 1.0),
                humidity_percent: humidity[i] + WET_HUMIDITY_PERCENT * (wet - wet_share),
                clouds_percent: if wet > 0.0 { month.clouds_if_wet } else { month.clouds_if_dry },
                wet_next,
            }
        };
        let own = humidity_deviation[i] * humidity_deviation[i] - between * WET_HUMIDITY_PERCENT * WET_HUMIDITY_PERCENT;
        DayOfYear {
            dry: normal(0.0, month.wet_after_dry),
            wet: normal(1.0, month.wet_after_wet),
            wet_share,
            excess_mm: (month.rain_of_wet_day_mm() - WET_DAY_MM).max(0.0),
            min_deviation: low,
            max_deviation: high,
            humidity_deviation: own.max(HUMIDITY_SPREAD_MIN_PERCENT * HUMIDITY_SPREAD_MIN_PERCENT).sqrt(),
            wind_km_per_h: wind[i],
            season_celsius,
            max_skewness: month.max_skewness,
            clouds_from: [month.clouds_with_max - own_clouds * moist, own_clouds],
            usual: Usual {
                celsius: [min[i], 0.5 * (min[i] + max[i]), max[i]],
                celsius_deviation: of_mean(i),
                humidity_percent: (humidity[i], humidity_deviation[i]),
                clouds_percent: month.clouds_percent(),
                wind_km_per_h: (wind[i], law.wind_spread * wind[i]),
                wet: wet_share,
            },
        }
    };
    let calendar = months.iter().flat_map(|month| std::iter::repeat_n(month, month.days));
    calendar.enumerate().map(day).collect()
}

/// The days of the warm half of the year: those warmer than the mean of the year.
pub(super) fn warm_days(min: &[f64], max: &[f64]) -> Vec<usize> {
    let sums: Vec<f64> = min.iter().zip(max).map(|(min, max)| min + max).collect();
    let mean = sums.iter().sum::<f64>() / sums.len().max(1) as f64;
    (0..sums.len()).filter(|day| sums[*day] >= mean).collect()
}

/// A value for each day of the year, smooth, periodic, and with the monthly means of the normals.
///
/// The values are linear between the middles of the months. The values at the middles are adjusted until the means are right.
pub(super) fn smooth(normals: &[f64], lengths: &[usize; 12]) -> Vec<f64> {
    let year = DAYS_PER_YEAR as f64;
    let mut middles = Vec::new();
    let mut start = 0.0;
    for days in lengths {
        middles.push(start + 0.5 * *days as f64);
        start += *days as f64;
    }
    let interpolate = |knots: &[f64]| -> Vec<f64> {
        let at = |day: i32| {
            let time = f64::from(day) + 0.5;
            let after = middles.iter().position(|middle| *middle > time).unwrap_or(lengths.len());
            let (left, right) = ((after + lengths.len() - 1) % lengths.len(), after % lengths.len());
            let from = if after == 0 { middles[left] - year } else { middles[left] };
            let to = if after == lengths.len() { middles[right] + year } else { middles[right] };
            knots[left] + (time - from) / (to - from) * (knots[right] - knots[left])
        };
        (0..DAYS_PER_YEAR).map(at).collect()
    };
    let mut knots = normals.to_vec();
    for _ in 0..50 {
        let smooth = interpolate(&knots);
        let mut start = 0;
        for ((knot, normal), days) in knots.iter_mut().zip(normals).zip(lengths) {
            let mean = smooth[start..start + days].iter().sum::<f64>() / *days as f64;
            *knot += normal - mean;
            start += days;
        }
    }
    interpolate(&knots)
}
