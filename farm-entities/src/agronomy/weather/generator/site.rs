//! The sites of the generator.

use super::law::{clouds_with_max, max_skewness};
use super::year::{CLOUDS_DRY_PERCENT, CLOUDS_WET_PERCENT, Month};
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
pub(super) const USUAL_WIND_M_PER_S: f64 = 2.67;

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
            clouds_percent: month.clouds_percent().0,
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
                max_skewness: max_skewness(max),
                clouds_with_max: clouds_with_max(0.5 * (min + max)),
                humidity_deviation: number(13),
                clouds_if_dry: CLOUDS_DRY_PERCENT,
                clouds_if_wet: CLOUDS_WET_PERCENT,
            }
        };
        rows.map(month).collect()
    }
}

/// Mean relative humidity RH [%] if it is not known, with the lowest temperature as the dew point (FAO-56 Eq. 48).
///
/// RH = 100·e⁰(T_min)/((e⁰(T_min) + e⁰(T_max))/2)
pub(super) fn humidity_percent(min_celsius: f64, max_celsius: f64) -> f64 {
    let (low, high) = (saturation_vapour_pressure_kpa(min_celsius), saturation_vapour_pressure_kpa(max_celsius));
    200.0 * low / (low + high)
}

#[cfg(test)]
mod tests {
    use super::super::law::{Climate, Law};
    use super::super::year::{DayOfYear, Normal, days};
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
            let days = days(&site.months(), &Law::of(&Climate::default()));
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
