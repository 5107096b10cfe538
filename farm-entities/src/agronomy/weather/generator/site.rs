//! A site's climate, interpolated from twelve months to 365 days.

use super::super::climate::Usual;
use super::super::formats::WET_DAY_MM;
use super::super::variables::DAYS_PER_YEAR;
use super::residuals::{MAX, MIN, stationary_covariance};
use crate::agronomy::radiation::saturation_vapour_pressure_kpa;

/// The sites of the generator, with approximate climates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Site {
    /// Montpellier in France, 43.6° north: Mediterranean.
    Montpellier,
    /// Lille in France, 50.6° north: oceanic, cool and often wet.
    Lille,
    /// Nantes in France, 47.2° north: oceanic, mild.
    Nantes,
    /// Dakar in Senegal, 14.7° north: rain from July to October only.
    Dakar,
    /// Phoenix in the United States, 33.4° north: desert.
    Phoenix,
    /// Seoul in South Korea, 37.6° north: cold dry winters, monsoon in summer.
    Seoul,
}

/// The mean weather in one month of a site's climate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MonthlyClimate {
    /// Mean temperature.
    pub celsius: f64,
    /// Rain of the whole month.
    pub rain_mm: f64,
    /// Mean share of the sky that clouds cover.
    pub clouds_percent: f64,
}

/// Wind at 10 m if it is not known: 2 m/s at 2 m, the mean of over 2000 stations (FAO-56, chapter 3).
const USUAL_WIND_M_PER_S: f64 = 2.67;
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
/// in Sommer and Kaplan 2017.
pub(super) const RAIN_SHAPE: f64 = 0.789;

/// One month at a site, with the numbers from the file.
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
    pub humidity_deviation: f64,
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
}

/// The normals for a dry or a wet day.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Normal {
    pub max_celsius: f64,
    pub range_celsius: f64,
    /// Share of the departure of the range that is used, so that the range stays positive except on one day in forty.
    pub range_kept: f64,
    pub humidity_percent: f64,
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
    pub usual: Usual,
}

impl Site {
    /// All sites.
    pub const ALL: [Self; 6] = [Self::Montpellier, Self::Lille, Self::Nantes, Self::Dakar, Self::Phoenix, Self::Seoul];

    /// The parameter set with weather from this climate.
    pub fn set(self) -> String {
        format!("{}_generated", self.name())
    }

    /// The mean weather in its twelve months, as the generator has it.
    pub fn climate(self) -> Vec<MonthlyClimate> {
        let month = |month: Month| MonthlyClimate {
            celsius: 0.5 * (month.min_celsius + month.max_celsius),
            rain_mm: month.wet_share() * month.days as f64 * month.rain_of_wet_day_mm(),
            clouds_percent: clouds_percent(month.wet_share()).0,
        };
        self.months().into_iter().map(month).collect()
    }

    /// The site whose months have the most similar temperatures, by least squares over the known months.
    pub fn nearest(celsius: &[Option<f64>]) -> Self {
        let distance = |site: Self| -> f64 {
            let pairs = site.climate().into_iter().zip(celsius);
            pairs.filter_map(|(month, own)| Some(month.celsius - (*own)?)).map(|apart| apart * apart).sum()
        };
        let distances = Self::ALL.map(|site| (site, distance(site)));
        distances.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(Self::Montpellier, |(site, _)| site)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Montpellier => "montpellier",
            Self::Lille => "lille",
            Self::Nantes => "nantes",
            Self::Dakar => "dakar",
            Self::Phoenix => "phoenix",
            Self::Seoul => "seoul",
        }
    }

    /// The months in `climate.csv`. The module documentation explains the estimates for unknown values.
    pub(super) fn months(self) -> Vec<Month> {
        let lines = include_str!("climate.csv").lines();
        let rows = lines.map(|line| line.split(',').collect::<Vec<_>>()).filter(|row| row[0] == self.name());
        let month = |row: Vec<&str>| {
            let known = |column: usize| row.get(column).and_then(|text| text.parse::<f64>().ok());
            let number = |column: usize| known(column).unwrap_or_default();
            let (min, max) = (number(3), number(4));
            Month {
                days: number(2) as usize,
                min_celsius: min,
                max_celsius: max,
                humidity_percent: known(5).unwrap_or_else(|| humidity_percent(min, max)),
                wind_km_per_h: 3.6 * known(6).unwrap_or(USUAL_WIND_M_PER_S),
                rain_mm: number(7),
                wet_after_dry: number(8),
                wet_after_wet: number(9),
                min_deviation: number(10),
                max_deviation: number(11),
                max_if_wet: number(12),
                humidity_deviation: number(13),
            }
        };
        rows.map(month).collect()
    }

    /// All days in the year.
    pub(super) fn days(self) -> Vec<DayOfYear> {
        let months = self.months();
        let smooth = |value: fn(&Month) -> f64| smooth_year(&months, value);
        let (min, max) = (smooth(|m| m.min_celsius), smooth(|m| m.max_celsius));
        let (min_deviation, max_deviation) = (smooth(|m| m.min_deviation), smooth(|m| m.max_deviation));
        let (humidity, humidity_deviation) = (smooth(|m| m.humidity_percent), smooth(|m| m.humidity_deviation));
        let (if_wet, wind) = (smooth(|m| m.max_if_wet), smooth(|m| m.wind_km_per_h));
        let together = stationary_covariance()[MIN][MAX];
        let day = |(i, month): (usize, &Month)| {
            let wet_share = month.wet_share();
            let (low, high) = (min_deviation[i].max(0.3), max_deviation[i].max(0.3));
            let range_deviation = (low * low + high * high - 2.0 * together * low * high).sqrt();
            let normal = |wet: f64, wet_next: f64| {
                let range = (max[i] - min[i]) * (1.0 - NARROWER_WHEN_WET * (wet - wet_share));
                Normal {
                    max_celsius: max[i] + if_wet[i] * (wet - wet_share),
                    range_celsius: range,
                    range_kept: (0.5 * (range - RANGE_MIN_CELSIUS) / range_deviation).clamp(0.0, 1.0),
                    humidity_percent: humidity[i] + WET_HUMIDITY_PERCENT * (wet - wet_share),
                    wet_next,
                }
            };
            let between = wet_share * (1.0 - wet_share);
            let own =
                humidity_deviation[i] * humidity_deviation[i] - between * WET_HUMIDITY_PERCENT * WET_HUMIDITY_PERCENT;
            let clouds = clouds_percent(wet_share);
            DayOfYear {
                dry: normal(0.0, month.wet_after_dry),
                wet: normal(1.0, month.wet_after_wet),
                wet_share,
                excess_mm: (month.rain_of_wet_day_mm() - WET_DAY_MM).max(0.0),
                min_deviation: low,
                max_deviation: high,
                humidity_deviation: own.max(HUMIDITY_SPREAD_MIN_PERCENT * HUMIDITY_SPREAD_MIN_PERCENT).sqrt(),
                wind_km_per_h: wind[i],
                usual: Usual {
                    celsius: [min[i], 0.5 * (min[i] + max[i]), max[i]],
                    celsius_deviation: 0.5 * (low * low + high * high + 2.0 * together * low * high).sqrt(),
                    humidity_percent: (humidity[i], humidity_deviation[i]),
                    clouds_percent: clouds,
                    wind_km_per_h: (wind[i], WIND_SPREAD * wind[i]),
                    wet: wet_share,
                },
            }
        };
        let calendar = months.iter().flat_map(|month| std::iter::repeat_n(month, month.days));
        calendar.enumerate().map(day).collect()
    }
}

/// Mean and standard deviation of the clouds on all days.
fn clouds_percent(wet_share: f64) -> (f64, f64) {
    let ((wet, wet_deviation), (dry, dry_deviation)) = (CLOUDS_WET_PERCENT, CLOUDS_DRY_PERCENT);
    let within = wet_share * wet_deviation * wet_deviation + (1.0 - wet_share) * dry_deviation * dry_deviation;
    let between = wet_share * (1.0 - wet_share) * (wet - dry) * (wet - dry);
    (dry + wet_share * (wet - dry), (within + between).sqrt())
}

/// Mean relative humidity RH [%] if it is not known, with the lowest temperature as the dew point (FAO-56 Eq. 48).
///
/// RH = 100·e⁰(T_min)/((e⁰(T_min) + e⁰(T_max))/2)
fn humidity_percent(min_celsius: f64, max_celsius: f64) -> f64 {
    let (low, high) = (saturation_vapour_pressure_kpa(min_celsius), saturation_vapour_pressure_kpa(max_celsius));
    200.0 * low / (low + high)
}

/// A value for each day of the year, smooth, periodic, and with the monthly means of the normals.
///
/// The values are linear between the middles of the months. The values at the middles are adjusted until the means are right.
fn smooth_year(months: &[Month], normal: fn(&Month) -> f64) -> Vec<f64> {
    let year = DAYS_PER_YEAR as f64;
    let mut middles = Vec::new();
    let mut start = 0.0;
    for month in months {
        middles.push(start + 0.5 * month.days as f64);
        start += month.days as f64;
    }
    let interpolate = |knots: &[f64]| -> Vec<f64> {
        let at = |day: i32| {
            let time = f64::from(day) + 0.5;
            let after = middles.iter().position(|middle| *middle > time).unwrap_or(months.len());
            let (left, right) = ((after + months.len() - 1) % months.len(), after % months.len());
            let from = if after == 0 { middles[left] - year } else { middles[left] };
            let to = if after == months.len() { middles[right] + year } else { middles[right] };
            knots[left] + (time - from) / (to - from) * (knots[right] - knots[left])
        };
        (0..DAYS_PER_YEAR).map(at).collect()
    };
    let mut knots: Vec<f64> = months.iter().map(normal).collect();
    for _ in 0..50 {
        let smooth = interpolate(&knots);
        let mut start = 0;
        for (knot, month) in knots.iter_mut().zip(months) {
            let mean = smooth[start..start + month.days].iter().sum::<f64>() / month.days as f64;
            *knot += normal(month) - mean;
            start += month.days;
        }
    }
    interpolate(&knots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_site_is_the_one_with_like_months() {
        let kind = farm_core::registry::kind(farm_core::config::PartKind::Entity, "Weather").unwrap();
        let sets = kind.parameter_sets().unwrap();
        for site in Site::ALL {
            let months: Vec<Option<f64>> = site.climate().iter().map(|month| Some(month.celsius + 0.3)).collect();
            assert_eq!(Site::nearest(&months), site);
            assert!(sets.iter().any(|set| set.name() == site.set()), "{}", site.set());
        }
        // Of a file of one summer month the others don't count: 34 °C are those of the desert.
        let mut july = vec![None; 12];
        july[6] = Some(34.0);
        assert_eq!(Site::nearest(&july), Site::Phoenix);
        // The sums of the year are those of the normals.
        let rain = |site: Site| site.climate().iter().map(|month| month.rain_mm).sum::<f64>();
        assert!((rain(Site::Montpellier) - 629.1).abs() < 0.1 && (rain(Site::Phoenix) - 182.4).abs() < 0.1);
    }

    #[test]
    fn every_site_has_twelve_plausible_months_of_365_days() {
        for site in Site::ALL {
            let months = site.months();
            assert_eq!((months.len(), months.iter().map(|m| m.days).sum::<usize>()), (12, 365), "{site:?}");
            for month in &months {
                assert!(month.min_celsius + 2.0 < month.max_celsius && month.max_celsius < 45.0, "{month:?}");
                assert!((15.0..95.0).contains(&month.humidity_percent), "{month:?}");
                assert!((5.0..25.0).contains(&month.wind_km_per_h), "{month:?}");
                assert!((0.0..0.6).contains(&month.wet_share()) && month.rain_of_wet_day_mm() < 30.0, "{month:?}");
                assert!((1.0..7.0).contains(&month.min_deviation) && (1.0..7.0).contains(&month.max_deviation));
            }
        }
    }

    #[test]
    fn days_have_the_means_of_their_month_over_wet_and_dry() {
        for site in Site::ALL {
            let days = site.days();
            let mut start = 0;
            for month in site.months() {
                let of_month = &days[start..start + month.days];
                start += month.days;
                let mean = |value: &dyn Fn(&Normal) -> f64| {
                    let day = |d: &DayOfYear| d.wet_share * value(&d.wet) + (1.0 - d.wet_share) * value(&d.dry);
                    of_month.iter().map(day).sum::<f64>() / of_month.len() as f64
                };
                assert!((mean(&|n| n.max_celsius) - month.max_celsius).abs() < 0.01, "{site:?} {month:?}");
                assert!((mean(&|n| n.max_celsius - n.range_celsius) - month.min_celsius).abs() < 0.01);
                assert!((mean(&|n| n.humidity_percent) - month.humidity_percent).abs() < 0.01);
            }
        }
    }
}
