//! The built-in tables: two tables of ten years, and single days that repeat forever.

use std::sync::{Arc, OnceLock};

use super::formats::{self, Day, Format, Reading, TableError};
use super::generator::Site;

/// The built-in tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Dataset {
    /// Montpellier in France: ten years, generated from approximate climate normals.
    Montpellier,
    /// Lille in France: ten years, generated from approximate climate normals.
    Lille,
    /// A warm day without rain, repeated every day.
    Dry,
    /// A hot, dry and windy day without rain, repeated every day.
    DryHot,
    /// A cool day with 8 mm of rain, repeated every day.
    Rainy,
    /// A mild day with 2 mm of rain, repeated every day.
    Constant,
}

/// A day in the stylised tables. All numbers in these tables are design choices.
const DRY: Day = Day {
    min_celsius: 12.0,
    mean_celsius: 20.0,
    max_celsius: 28.0,
    humidity_percent: 50.0,
    rain_mm: 0.0,
    wind_km_per_h: 7.2,
    clouds_percent: 15.0,
    direction_degrees: None,
    solar_mj: None,
};
const DRY_HOT: Day = Day {
    min_celsius: 21.0,
    mean_celsius: 29.0,
    max_celsius: 37.0,
    humidity_percent: 30.0,
    wind_km_per_h: 10.8,
    clouds_percent: 5.0,
    ..DRY
};
const RAINY: Day = Day {
    min_celsius: 10.0,
    mean_celsius: 14.0,
    max_celsius: 18.0,
    humidity_percent: 85.0,
    rain_mm: 8.0,
    wind_km_per_h: 10.8,
    clouds_percent: 85.0,
    ..DRY
};
const CONSTANT: Day = Day {
    min_celsius: 14.0,
    mean_celsius: 19.0,
    max_celsius: 24.0,
    humidity_percent: 65.0,
    rain_mm: 2.0,
    clouds_percent: 50.0,
    ..DRY
};

/// A table that is parsed on first use.
type Table = OnceLock<Result<Arc<[Day]>, Vec<TableError>>>;

impl Dataset {
    /// The generator's site with the same climate; none for the days that repeat forever.
    pub(super) fn site(self) -> Option<Site> {
        match self {
            Self::Montpellier => Some(Site::Montpellier),
            Self::Lille => Some(Site::Lille),
            Self::Dry | Self::DryHot | Self::Rainy | Self::Constant => None,
        }
    }

    /// The days of the table, parsed once.
    pub(super) fn days(self) -> Result<Arc<[Day]>, Vec<TableError>> {
        static MONTPELLIER: Table = Table::new();
        static LILLE: Table = Table::new();
        let read = |table: &'static Table, name: &str, text: &str| {
            let reading = Reading { format: Format::Table, ..Reading::default() };
            table.get_or_init(|| formats::parse(name, text, &reading).map(|series| Arc::from(series.days))).clone()
        };
        match self {
            Self::Montpellier => read(&MONTPELLIER, "montpellier.csv", include_str!("montpellier.csv")),
            Self::Lille => read(&LILLE, "lille.csv", include_str!("lille.csv")),
            Self::Dry => Ok(Arc::from([DRY])),
            Self::DryHot => Ok(Arc::from([DRY_HOT])),
            Self::Rainy => Ok(Arc::from([RAINY])),
            Self::Constant => Ok(Arc::from([CONSTANT])),
        }
    }
}
