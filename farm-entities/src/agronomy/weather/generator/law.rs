//! The parameters of a generated climate, and the law by which its days follow each other.

use farm_core::config::{ParameterError, Path, Problem};
use farm_core::{Declarations, math};

use super::residuals::{Matrix, Memory, SIZE};
use super::site::{Site, USUAL_WIND_M_PER_S, humidity_percent};
use super::year::{CLOUDS_DRY_PERCENT, CLOUDS_WET_PERCENT, Month, RAIN_SHAPE, WIND_SPREAD};
use crate::agronomy::weather::formats::MONTH_STARTS;

/// A of the default: see [`Climate::yesterday`].
const YESTERDAY: Matrix = [
    [0.419, 0.336, 0.052, -0.012],
    [0.130, 0.609, 0.004, -0.066],
    [0.139, -0.138, 0.194, -0.035],
    [-0.013, 0.055, 0.001, 0.448],
];

/// B of the default.
const TODAY: Matrix =
    [[0.726, 0.0, 0.0, 0.0], [0.302, 0.651, 0.0, 0.0], [0.232, -0.416, 0.837, 0.0], [0.271, -0.070, -0.018, 0.848]];

/// Standard deviation of the humidity if it is not known.
const USUAL_HUMIDITY_DEVIATION_PERCENT: f64 = 11.0;

/// The mean weather of each month, as lists of twelve values that start with January.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Months {
    /// Mean lowest temperature of the days.
    #[parameter(name = "min#°C", range = -80.0..=60.0)]
    pub min_celsius: Vec<f64>,
    /// Mean highest temperature of the days.
    #[parameter(name = "max#°C", range = -80.0..=60.0)]
    pub max_celsius: Vec<f64>,
    /// Standard deviation of the lowest temperature of a day, about the smooth course of the year.
    #[parameter(name = "min_deviation#°C", range = 0.0..=20.0)]
    pub min_deviation_celsius: Vec<f64>,
    /// Standard deviation of the highest temperature of a day, about the smooth course of the year.
    #[parameter(name = "max_deviation#°C", range = 0.0..=20.0)]
    pub max_deviation_celsius: Vec<f64>,
    /// Mean highest temperature of wet days minus that of dry days.
    #[parameter(name = "max_if_wet#°C", range = -20.0..=20.0)]
    pub max_if_wet_celsius: Vec<f64>,
    /// Skewness of the highest temperature of a day: below 0 if heat has a limit and cool days are far from it. Default: as in the mean of
    /// sixteen stations, -0.1 in months of at most 22 °C, -0.7 in months of at least 36 °C, and linear between.
    #[parameter(name = "max_skewness#prop", added, range = -0.8..=0.8)]
    pub max_skewness: Option<Vec<f64>>,
    /// Rain of the whole month.
    #[parameter(name = "rain#mm", range = 0.0..=3000.0)]
    pub rain_mm: Vec<f64>,
    /// Probability of a wet day (1 mm or more) after a dry day.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub wet_after_dry: Vec<f64>,
    /// Probability of a wet day after a wet day.
    #[parameter(unit = "prop", range = 0.0..=0.99)]
    pub wet_after_wet: Vec<f64>,
    /// Mean relative humidity. Default: with the lowest temperature as the dew point (FAO-56 Eq. 48).
    #[parameter(name = "humidity#%", added, range = 0.0..=100.0)]
    pub humidity_percent: Option<Vec<f64>>,
    /// Standard deviation of the relative humidity of a day. Default: 11.
    #[parameter(name = "humidity_deviation#%", added, range = 0.0..=50.0)]
    pub humidity_deviation_percent: Option<Vec<f64>>,
    /// Mean wind speed at `wind_height#m`. Default: 2.67, which is 2 m/s at 2 m, measured at 10 m (FAO-56).
    #[parameter(name = "wind_speed#m.s-1", added, range = 0.1..=50.0)]
    pub wind_m_per_s: Option<Vec<f64>>,
    /// Mean cloud cover of dry days. Default: 32.
    #[parameter(name = "clouds_if_dry#%", added, range = 0.0..=100.0)]
    pub clouds_if_dry_percent: Option<Vec<f64>>,
    /// Mean cloud cover of wet days. Default: 80.
    #[parameter(name = "clouds_if_wet#%", added, range = 0.0..=100.0)]
    pub clouds_if_wet_percent: Option<Vec<f64>>,
    /// Standard deviation of the cloud cover of dry days. Default: 24.
    #[parameter(name = "clouds_deviation_if_dry#%", added, range = 0.0..=50.0)]
    pub clouds_deviation_if_dry_percent: Option<Vec<f64>>,
    /// Standard deviation of the cloud cover of wet days. Default: 12.
    #[parameter(name = "clouds_deviation_if_wet#%", added, range = 0.0..=50.0)]
    pub clouds_deviation_if_wet_percent: Option<Vec<f64>>,
    /// Correlation of cloud cover and highest temperature among the wet days and among the dry days of a month. Default: as in Wageningen,
    /// -0.04 in months of at most 3 °C, -0.54 in months of at least 17 °C, and linear between.
    #[parameter(unit = "prop", added, range = -1.0..=1.0)]
    pub clouds_with_max: Option<Vec<f64>>,
}

/// The climate of the generator: its months, the memory of its days, and the departures of whole seasons from their normals.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Climate {
    /// The mean weather of each month. Default: that of the site.
    #[parameter(added)]
    pub months: Option<Months>,
    /// Matrix A of zₜ = A·zₜ₋₁ + B·εₜ (Richardson 1981): the effect of yesterday's departures from the normals, in standard deviations. Rows
    /// and columns are lowest temperature, highest temperature, clouds, wind. The default is fitted to Wageningen, 1976 to 1994.
    #[parameter(default = list(&YESTERDAY), range = -2.0..=2.0)]
    pub yesterday: Vec<Vec<f64>>,
    /// Matrix B: the effect of the day's random numbers. The departures must have a variance of 1 in the long run.
    #[parameter(default = list(&TODAY), range = -2.0..=2.0)]
    pub today: Vec<Vec<f64>>,
    /// Standard deviation of the departure of whole seasons from the normal temperature. On days that vary more than those of the warm half
    /// of the year, as in winter, it is larger in that ratio. The deviations of `months` contain it. With the default, summers in Lille vary
    /// by 1.0 °C, as in Brussels.
    #[parameter(name = "season#°C", default = 0.6, range = 0.0..=3.0)]
    pub season_celsius: f64,
    /// Cloud cover that a season lacks if its temperature departs by one standard deviation: warm seasons are sunny.
    #[parameter(name = "season_clouds#%", default = 5.0, range = -30.0..=30.0)]
    pub season_clouds_percent: f64,
    /// Shape of the gamma law of the rain above 1 mm on a wet day.
    #[parameter(unit = "prop", default = RAIN_SHAPE, range = 0.2..=5.0)]
    pub rain_shape: f64,
    /// Standard deviation of the daily wind speed, relative to its mean.
    #[parameter(unit = "prop", default = WIND_SPREAD, range = 0.0..=2.0)]
    pub wind_deviation: f64,
}

/// The skewness of the highest temperature in a month of this mean, as in the mean of sixteen stations.
pub(super) fn max_skewness(max_celsius: f64) -> f64 {
    -0.1 - 0.6 * ((max_celsius - 22.0) / 14.0).clamp(0.0, 1.0)
}

/// The correlation of clouds and highest temperature in a month of this mean temperature, as in Wageningen.
pub(super) fn clouds_with_max(mean_celsius: f64) -> f64 {
    -0.04 - 0.5 * ((mean_celsius - 3.0) / 14.0).clamp(0.0, 1.0)
}

fn list(matrix: &Matrix) -> Vec<Vec<f64>> {
    matrix.iter().map(|row| row.to_vec()).collect()
}

/// A list as a matrix; missing values are 0.
fn matrix(list: &[Vec<f64>]) -> Matrix {
    let value = |i: usize, j: usize| list.get(i).and_then(|row| row.get(j)).copied().unwrap_or_default();
    std::array::from_fn(|i| std::array::from_fn(|j| value(i, j)))
}

impl Climate {
    /// The months of this climate, or else of the site.
    pub(super) fn months(&self, site: Site) -> Vec<Month> {
        self.months.as_ref().map_or_else(|| site.months(), Months::months)
    }

    /// Reports lists of the wrong length, and departures whose variance is not 1.
    pub(in super::super) fn check(&self, path: &Path, d: &mut Declarations<'_>) {
        let mut say = |path: Path, message: String, expected: &str| {
            d.problem(Problem::new(ParameterError::WrongType, path, message).expected(expected));
        };
        for (name, list) in self.months.iter().flat_map(Months::lists) {
            if list.len() != 12 {
                let path = path.child("months").child(name);
                say(path, format!("`{name}` has {} values", list.len()), "a value for each of the twelve months");
            }
        }
        let is_square = |list: &[Vec<f64>]| list.len() == SIZE && list.iter().all(|row| row.len() == SIZE);
        for (name, list) in [("yesterday", &self.yesterday), ("today", &self.today)] {
            if !is_square(list) {
                say(path.child(name), format!("`{name}` is not a matrix of 4 × 4"), "4 rows with 4 numbers each");
                return;
            }
        }
        let covariance = Law::of(self).memory.stationary_covariance();
        if let Some(i) = (0..SIZE).find(|i| !(0.8..=1.25).contains(&covariance[*i][*i])) {
            let message = format!("with `yesterday` and `today`, the variance of departure {} is not 1", i + 1);
            let expected = "matrices of one fit: leave both out for the default, or fit them with `farm weather --fit`";
            say(path.child("today"), message, expected);
        }
    }
}

impl Months {
    /// All lists that are set, with their names.
    fn lists(&self) -> Vec<(&'static str, &Vec<f64>)> {
        let needed = [
            ("min#°C", &self.min_celsius),
            ("max#°C", &self.max_celsius),
            ("min_deviation#°C", &self.min_deviation_celsius),
            ("max_deviation#°C", &self.max_deviation_celsius),
            ("max_if_wet#°C", &self.max_if_wet_celsius),
            ("rain#mm", &self.rain_mm),
            ("wet_after_dry#prop", &self.wet_after_dry),
            ("wet_after_wet#prop", &self.wet_after_wet),
        ];
        let optional = [
            ("max_skewness#prop", &self.max_skewness),
            ("humidity#%", &self.humidity_percent),
            ("humidity_deviation#%", &self.humidity_deviation_percent),
            ("wind_speed#m.s-1", &self.wind_m_per_s),
            ("clouds_if_dry#%", &self.clouds_if_dry_percent),
            ("clouds_if_wet#%", &self.clouds_if_wet_percent),
            ("clouds_deviation_if_dry#%", &self.clouds_deviation_if_dry_percent),
            ("clouds_deviation_if_wet#%", &self.clouds_deviation_if_wet_percent),
            ("clouds_with_max#prop", &self.clouds_with_max),
        ];
        needed.into_iter().chain(optional.into_iter().filter_map(|(name, list)| Some((name, list.as_ref()?)))).collect()
    }

    /// The months. Missing values of a list with an error are 0.
    pub(super) fn months(&self) -> Vec<Month> {
        let month = |i: usize| {
            let of = |list: &[f64]| list.get(i).copied().unwrap_or_default();
            let known = |list: &Option<Vec<f64>>| list.as_ref().map(|list| of(list));
            let (min, max) = (of(&self.min_celsius), of(&self.max_celsius));
            let clouds = |mean: &Option<Vec<f64>>, deviation: &Option<Vec<f64>>, usual: (f64, f64)| {
                (known(mean).unwrap_or(usual.0), known(deviation).unwrap_or(usual.1))
            };
            Month {
                days: MONTH_STARTS[i + 1] - MONTH_STARTS[i],
                min_celsius: min,
                max_celsius: max,
                humidity_percent: known(&self.humidity_percent).unwrap_or_else(|| humidity_percent(min, max)),
                wind_km_per_h: 3.6 * known(&self.wind_m_per_s).unwrap_or(USUAL_WIND_M_PER_S),
                rain_mm: of(&self.rain_mm),
                wet_after_dry: of(&self.wet_after_dry),
                wet_after_wet: of(&self.wet_after_wet),
                min_deviation: of(&self.min_deviation_celsius),
                max_deviation: of(&self.max_deviation_celsius),
                max_if_wet: of(&self.max_if_wet_celsius),
                max_skewness: known(&self.max_skewness).unwrap_or_else(|| max_skewness(max)),
                clouds_with_max: known(&self.clouds_with_max).unwrap_or_else(|| clouds_with_max(0.5 * (min + max))),
                humidity_deviation: known(&self.humidity_deviation_percent).unwrap_or(USUAL_HUMIDITY_DEVIATION_PERCENT),
                clouds_if_dry: clouds(
                    &self.clouds_if_dry_percent,
                    &self.clouds_deviation_if_dry_percent,
                    CLOUDS_DRY_PERCENT,
                ),
                clouds_if_wet: clouds(
                    &self.clouds_if_wet_percent,
                    &self.clouds_deviation_if_wet_percent,
                    CLOUDS_WET_PERCENT,
                ),
            }
        };
        (0..12).map(month).collect()
    }
}

/// The law by which days follow each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Law {
    pub memory: Memory,
    pub season_celsius: f64,
    pub season_clouds_percent: f64,
    pub rain_shape: f64,
    pub wind_spread: f64,
}

impl Law {
    /// The law of a climate.
    pub(super) fn of(climate: &Climate) -> Self {
        Self {
            memory: Memory { yesterday: matrix(&climate.yesterday), today: matrix(&climate.today) },
            season_celsius: climate.season_celsius,
            season_clouds_percent: climate.season_clouds_percent,
            rain_shape: climate.rain_shape,
            wind_spread: climate.wind_deviation,
        }
    }

    /// Standard deviation of the logarithm of the wind speed.
    pub(super) fn wind_deviation(&self) -> f64 {
        math::ln(1.0 + self.wind_spread * self.wind_spread).sqrt()
    }
}
