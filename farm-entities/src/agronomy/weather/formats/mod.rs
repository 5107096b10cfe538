//! Files of daily or hourly weather, in the formats of many programs.
//!
//! | format | recognised by | days come from | wind as at |
//! |---|---|---|---|
//! | `table`: columns with names, see `named.rs` | none of the others | rows of days or hours | height in the name, or `wind_height` |
//! | `nasa_power` | like `table`, with units above the headers | rows | 2 m (`WS2M`) or 10 m (`WS10M`) |
//! | `epw`, EnergyPlus | a first line `LOCATION,…`, or a name that ends in `.epw` | hours | 10 m |
//! | `dssat`, `.WTH` | a line `@DATE …`, or the ending | rows | `WNDHT`, otherwise `wind_height` |
//! | `agmip`, `.AgMIP` | a line `@DATE YYYY MM DD …`, or the ending | rows | `WNDHT`, otherwise `wind_height` |
//! | `cabo`, PCSE | comments with `*`, a line of 5 numbers, rows of 9 | rows | 2 m |
//!
//! Files are in UTF-8, UTF-16 or Latin-1. The place, units, dates and columns of a file are stored with the days (`provenance.rs`). Units
//! come from one table for all formats (`units.rs`), dates from one parser (`dates.rs`). Wind from a known height is converted to
//! `wind_height` with FAO-56 Eq. 47. The farm's year has 365 days: 29 February is left out, with a note in the provenance.
//!
//! Missing temperature or rain is an error, except on days at the ends of a file, which are left out. With `missing: interpolate`, up to 7
//! days in a row are filled: temperature linearly between the neighbours, rain with 0. Other missing quantities are estimated:
//!
//! * Humidity follows from vapour pressure, dew point, its extremes, or the lowest temperature as the dew point (FAO-56 Eq. 48).
//! * Wind is 2 m/s at 2 m, the mean of the world's stations (FAO-56, chapter 3).
//! * A mean temperature is halfway between its extremes.
//! * Clouds follow from the solar radiation (FAO-56 Eq. 35) if it is known. Otherwise days with 1 mm of rain or more have 80 % clouds, and
//!   other days 30 % (design).
//! * A missing wind direction is drawn at random each day, from all directions.
//!
//! The provenance lists the estimates, except for the wind direction. Measured solar radiation is not changed.
//!
//! There is one other correction: a mean temperature up to half a degree outside its extremes is moved to the nearer extreme, because
//! rounding explains the difference. All errors are reported together, each cause once, with file, line and column.

mod cabo;
mod dates;
mod epw;
mod error;
mod fixed;
mod hours;
mod months;
mod named;
mod plausible;
mod provenance;
mod quantities;
mod series;
mod text;
mod units;
mod write;

use std::path::Path;

use farm_core::config::{ReadError, nearest_file, read_regular};

pub use self::dates::{Date, DateOrder};
use self::error::Report;
pub use self::error::TableError;
pub use self::months::{MONTH_STARTS, Month};
pub(crate) use self::plausible::KEYS as CONFIRMED;
pub use self::provenance::{Finding, Origin, Provenance, Series};

/// The formats of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Format {
    /// Detected from the content.
    Auto,
    /// A table whose columns have names: this project's own format, and tables of many services.
    Table,
    /// Hourly weather of EnergyPlus.
    Epw,
    /// CSV of NASA's POWER project.
    NasaPower,
    /// Weather of the crop models DSSAT.
    Dssat,
    /// Weather of the model comparison AgMIP.
    Agmip,
    /// Weather of the crop models of Wageningen.
    Cabo,
}

/// The treatment of missing temperature or rain in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Missing {
    /// A missing value is an error.
    Refuse,
    /// Gaps of at most seven days are filled: temperature linearly between neighbours, rain with 0.
    Interpolate,
}

/// The weather on one day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Day {
    /// Lowest temperature.
    pub min_celsius: f64,
    /// Mean temperature, between lowest and highest.
    pub mean_celsius: f64,
    /// Highest temperature.
    pub max_celsius: f64,
    /// Mean relative humidity.
    pub humidity_percent: f64,
    /// Rain: 0 or 1 in files for `rain: paper`.
    pub rain_mm: f64,
    /// Mean wind speed at the measurement height.
    pub wind_km_per_h: f64,
    /// Share of the sky that clouds cover.
    pub clouds_percent: f64,
    /// Direction that the wind comes from, 0 north, 90 east; `None` if the table has no direction.
    pub direction_degrees: Option<f64>,
    /// Measured solar radiation [MJ m⁻²]; `None` if it follows from the clouds.
    pub solar_mj: Option<f64>,
}

/// Minimum amount of rain on a day that counts as wet.
pub const WET_DAY_MM: f64 = 1.0;

/// How to read a file.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Its format.
    pub format: Format,
    /// How missing values are treated.
    pub missing: Missing,
    /// The order of the numbers in a date.
    pub date_order: DateOrder,
    /// Names of columns: the quantity and its header.
    pub columns: Vec<(String, String)>,
    /// Whether the rain comes from another source.
    pub rain_is_elsewhere: bool,
    /// Whether only the rain is read: the file needs a date and rain.
    pub only_rain: bool,
    /// Latitude of the field, to derive clouds from solar radiation and to check plausibility.
    pub latitude_degrees: f64,
    /// Longitude of the field; `None` if it does not matter.
    pub longitude_degrees: Option<f64>,
    /// Height to which wind from a known height is converted.
    pub wind_height_m: f64,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            format: Format::Auto,
            missing: Missing::Refuse,
            date_order: DateOrder::Auto,
            columns: Vec::new(),
            rain_is_elsewhere: false,
            only_rain: false,
            latitude_degrees: 45.0,
            longitude_degrees: None,
            wind_height_m: 2.0,
        }
    }
}

/// The largest file that is read: thirty years of hourly rows.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Reads a regular file of at most [`MAX_FILE_BYTES`].
///
/// # Errors
/// All errors in the file, up to a limit.
pub fn read(path: &Path, reading: &Reading) -> Result<Series, Vec<TableError>> {
    let file = path.display().to_string();
    let bytes = read_regular(path, MAX_FILE_BYTES).map_err(|error| match error {
        ReadError::Missing => vec![TableError::NoFile { file: file.clone(), nearest: nearest_file(path) }],
        error => vec![TableError::Unreadable { file: file.clone(), reason: error.to_string() }],
    })?;
    parse_bytes(&file, bytes, reading)
}

/// Reads the bytes of a file; `file` names it in the errors.
///
/// # Errors
/// All errors in the file, up to a limit.
pub fn parse_bytes(file: &str, bytes: Vec<u8>, reading: &Reading) -> Result<Series, Vec<TableError>> {
    if let Some((what, remedy)) = stranger(&bytes) {
        return Err(vec![TableError::Stranger { file: file.to_owned(), what, remedy }]);
    }
    let decoded = text::decode(bytes);
    let mut series = parse(file, &decoded.text, reading)?;
    if let Some(encoding) = decoded.encoding {
        series.provenance.note(format!("the text is {encoding}"));
    }
    Ok(series)
}

/// Reads the text of a file; `file` names it in the errors.
///
/// # Errors
/// All errors in the file, up to a limit.
pub fn parse(file: &str, text: &str, reading: &Reading) -> Result<Series, Vec<TableError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut report = Report::new(file);
    let format = if reading.format == Format::Auto { detect_file(file, text) } else { reading.format };
    let rows = match format {
        Format::Auto | Format::Table | Format::NasaPower => named::read(&mut report, text, reading),
        Format::Epw => epw::read(&mut report, text, reading),
        Format::Dssat => fixed::read(&mut report, text, reading, fixed::Dialect::Dssat),
        Format::Agmip => fixed::read(&mut report, text, reading, fixed::Dialect::Agmip),
        Format::Cabo => cabo::read(&mut report, text, reading),
    };
    let series = series::days(&mut report, rows, reading);
    report.finish(series)
}

/// For a file that is not a text table: its type, and how to convert it.
fn stranger(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let csv = "save it as CSV, with a row for each day";
    let starts = [
        (&b"PK\x03\x04"[..], "a ZIP archive or a spreadsheet (.xlsx, .ods)", csv),
        (b"\xd0\xcf\x11\xe0", "an old spreadsheet (.xls)", csv),
        (b"\x1f\x8b", "compressed with gzip", "unpack it"),
        (b"CDF", "NetCDF", "export the days of one location as CSV, for example with `xarray`"),
        (b"\x89HDF", "NetCDF or HDF5", "export the days of one location as CSV, for example with `xarray`"),
        (b"GRIB", "GRIB", "export the days of one location as CSV, for example with `xarray`"),
        (b"PAR1", "Parquet", "export it as CSV, for example with `pandas`"),
        (b"%PDF", "a PDF", "copy its table to a CSV file"),
        (b"\x89PNG", "a picture", "use a text file of daily weather"),
    ];
    if let Some((_, what, remedy)) = starts.into_iter().find(|(start, _, _)| bytes.starts_with(start)) {
        return Some((what, remedy));
    }
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace() && **byte >= 0x20 && **byte < 0x80)?;
    match first {
        b'{' => Some(("JSON", "download the daily data as CSV; most services offer CSV as well as JSON")),
        b'<' => Some(("a web page or XML", "download the daily data as CSV; most services offer CSV as well as XML")),
        _ => None,
    }
}

/// The format of a file, from its content or, if the content has no sign of a format, from the file's name.
fn detect_file(file: &str, text: &str) -> Format {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let named = [("epw", Format::Epw), ("wth", Format::Dssat), ("agmip", Format::Agmip)];
    let named = named.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
    match (detect(text), named) {
        (Format::Table, Some((_, format))) => format,
        (format, _) => format,
    }
}

/// The format of a file, from its content.
fn detect(text: &str) -> Format {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let upper = |line: &str| line.chars().take(200).collect::<String>().to_ascii_uppercase();
    let first = lines().next().map(upper).unwrap_or_default();
    if epw::starts_with_location(text) {
        return Format::Epw;
    }
    if first.starts_with("-BEGIN HEADER-") || (first.starts_with("YEAR,") && first.contains("T2M")) {
        return Format::NasaPower;
    }
    let dated = |line: &str| line.strip_prefix('@').is_some_and(|rest| rest.trim_start().starts_with("DATE"));
    match lines().take(200).map(upper).find(|line| dated(line)) {
        Some(line) if line.contains("YYYY") => Format::Agmip,
        Some(_) => Format::Dssat,
        None if cabo::is_one(text) => Format::Cabo,
        None => Format::Table,
    }
}

#[cfg(test)]
mod tests;
