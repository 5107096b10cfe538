//! Files of daily weather, whatever program wrote them.
//!
//! | format | recognised by | days come from | wind as at |
//! |---|---|---|---|
//! | `table` | none of the others | rows, see `table.rs` | `wind_height` |
//! | `epw`, EnergyPlus | a first line `LOCATION,…`, or a name that ends in `.epw` | 24 hours each | 10 m |
//! | `nasa_power` | `-BEGIN HEADER-`, or `T2M` in a row `YEAR,…` | rows | 2 m (`WS2M`) or 10 m (`WS10M`) |
//! | `dssat`, `.WTH` | a line `@DATE …`, or the ending | rows | `WNDHT`, otherwise `wind_height` |
//! | `agmip`, `.AgMIP` | a line `@DATE YYYY MM DD …`, or the ending | rows | `WNDHT`, otherwise `wind_height` |
//!
//! Wind of a known height is converted to `wind_height` with FAO-56 Eq. 47. A year has 365 days: the 29th of February is left
//! out, so that a day of the year is the same in all years; what stands before the first 1st of January or after the last 31st of
//! December is left out too, unless the file has no whole year, which then begins anew after its last day.
//!
//! What is missing: of temperature and rain an error, or, with `missing: interpolate`, up to 7 days in a row are filled linearly
//! between their neighbours and rain is 0; humidity follows from the lowest temperature taken as the dew point (FAO-56 Eq. 48); wind
//! is 2 m/s at 2 m, the mean of the world's stations (FAO-56, chapter 3); a mean temperature is halfway between its extremes; clouds
//! follow from the solar radiation (FAO-56 Eq. 35) where that is known, otherwise days with 1 mm of rain or more are 80 %
//! clouded and the others 30 % (design); wind of no direction comes from anywhere, drawn each day.
//!
//! Nothing else is repaired silently, except that a mean temperature up to half a degree outside its extremes, which rounding
//! explains, is moved to the nearer one. All that is wrong is reported together, with file, line and column.

mod columns;
mod dssat;
mod epw;
mod error;
mod nasa_power;
mod series;
pub mod table;

use std::path::Path;

use farm_core::config::{ReadError, nearest_file, read_regular};

use self::error::Report;
pub use self::error::TableError;

/// The formats of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Format {
    /// Recognised by the content.
    Auto,
    /// A table of our own, of the paper or of the public reference.
    Table,
    /// Hours of EnergyPlus.
    Epw,
    /// CSV of NASA's POWER project.
    NasaPower,
    /// Weather of the crop models DSSAT.
    Dssat,
    /// Weather of the model comparison AgMIP.
    Agmip,
}

/// What a missing temperature or rain in a file means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Missing {
    /// An error.
    Refuse,
    /// Linear between neighbours, at most seven days in a row; rain 0.
    Interpolate,
}

/// The weather of one day.
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
    /// Rain; 0 or 1 in files of the paper.
    pub rain_mm: f64,
    /// Mean wind speed at the height of measurement.
    pub wind_km_per_h: f64,
    /// Share of the sky that clouds cover.
    pub clouds_percent: f64,
    /// Where the wind comes from, 0 north, 90 east; none if the table does not say.
    pub direction_degrees: Option<f64>,
}

/// From which amount on a day counts as wet.
pub const WET_DAY_MM: f64 = 1.0;

/// How to read a file.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// Its format.
    pub format: Format,
    /// What to do without a value.
    pub missing: Missing,
    /// Where the field lies, for clouds from solar radiation.
    pub latitude_degrees: f64,
    /// Height that wind of a known height is converted to.
    pub wind_height_m: f64,
}

impl Default for Reading {
    fn default() -> Self {
        Self { format: Format::Auto, missing: Missing::Refuse, latitude_degrees: 45.0, wind_height_m: 2.0 }
    }
}

/// The largest file that is read: thirty years of hours.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Reads a regular file of at most [`MAX_FILE_BYTES`].
///
/// # Errors
/// Everything that is wrong with it, up to a limit.
pub fn read(path: &Path, reading: &Reading) -> Result<Vec<Day>, Vec<TableError>> {
    let file = path.display().to_string();
    let unreadable = |reason: String| vec![TableError::Unreadable { file: file.clone(), reason }];
    let bytes = read_regular(path, MAX_FILE_BYTES).map_err(|error| match error {
        ReadError::Missing => vec![TableError::NoFile { file: file.clone(), nearest: nearest_file(path) }],
        error => unreadable(error.to_string()),
    })?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // Headers of EPW and DSSAT name places and people in Latin-1; what is read of them is ASCII.
        Err(error) if detect(&String::from_utf8_lossy(error.as_bytes())) != Format::Table => {
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }
        Err(error) => return Err(unreadable(format!("it is not UTF-8 text: {error}"))),
    };
    parse(&file, &text, reading)
}

/// Reads the text of a file; `file` names it in the errors.
///
/// # Errors
/// Everything that is wrong with it, up to a limit.
pub fn parse(file: &str, text: &str, reading: &Reading) -> Result<Vec<Day>, Vec<TableError>> {
    // Programs for spreadsheets like to put a byte order mark first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut report = Report::new(file);
    let format = if reading.format == Format::Auto { detect_file(file, text) } else { reading.format };
    let (entries, names) = match format {
        Format::Auto | Format::Table => table::read(&mut report, text, reading),
        Format::Epw => epw::read(&mut report, text, reading),
        Format::NasaPower => nasa_power::read(&mut report, text, reading),
        Format::Dssat => dssat::read(&mut report, text, reading, dssat::Dialect::Dssat),
        Format::Agmip => dssat::read(&mut report, text, reading, dssat::Dialect::Agmip),
    };
    let days = series::days(&mut report, entries, &names, reading);
    report.finish(days)
}

/// The format that a text looks like; where it looks like none, the one that its file's name tells.
fn detect_file(file: &str, text: &str) -> Format {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let named = [("epw", Format::Epw), ("wth", Format::Dssat), ("agmip", Format::Agmip)];
    let named = named.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
    match (detect(text), named) {
        (Format::Table, Some((_, format))) => format,
        (format, _) => format,
    }
}

/// The format that a text looks like.
pub(super) fn detect(text: &str) -> Format {
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
        None => Format::Table,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_content() {
        let cases = [
            ("LOCATION,Here,-,FRA,TMY,1,43,3,1,2\n", Format::Epw),
            ("-BEGIN HEADER-\nNASA\n-END HEADER-\nYEAR,DOY,T2M\n", Format::NasaPower),
            ("YEAR,MO,DY,T2M,RH2M\n", Format::NasaPower),
            ("*WEATHER DATA : X\n\n@ INSI LAT\n A 1\n@DATE  SRAD  TMAX\n", Format::Dssat),
            ("$WEATHER DATA\n@  DATE  SRAD\n", Format::Dssat),
            ("* AgMIP\n@DATE    YYYY  MM  DD  SRAD\n", Format::Agmip),
            ("Tmin,Tmax,T,RH,U,Rain\n", Format::Table),
            ("", Format::Table),
        ];
        for (text, format) in cases {
            assert_eq!(detect(text), format, "{text}");
        }
    }

    #[test]
    fn a_file_whose_name_tells_its_format_is_read_as_that() {
        let table = "Tmin,Tmax,T,RH,U,Rain\n5,15,10,70,18,1\n";
        for (file, said) in [
            ("w.epw", "w.epw: no line `DATA PERIODS` is found; expected the eight lines of headers of an EPW file"),
            ("w.EPW", "w.EPW: no line `DATA PERIODS` is found"),
            ("w.WTH", "w.WTH: no line of headers is found; expected a line `@DATE"),
            ("w.AgMIP", "w.AgMIP: no line of headers is found"),
        ] {
            let errors = parse(file, table, &Reading::default()).unwrap_err();
            assert!(errors[0].to_string().starts_with(said), "{}", errors[0]);
            assert_eq!(errors[0].found().as_deref(), Some("Tmin,Tmax,T,RH,U,Rain"));
            assert!(errors[0].help().contains("`format: table`"));
            assert!(parse(file, table, &Reading { format: Format::Table, ..Reading::default() }).is_ok());
        }
        let errors = parse("w.epw", "DESIGN CONDITIONS,0\nDATA PERIODS,1\n1,1,1\n", &Reading::default()).unwrap_err();
        assert!(errors[0].to_string().starts_with("w.epw: no first line `LOCATION,…` is found"), "{}", errors[0]);
    }

    #[test]
    fn a_format_that_is_asked_for_is_not_guessed() {
        let reading = Reading { format: Format::Epw, ..Reading::default() };
        let errors = parse("w.csv", "Tmin,Tmax,T,RH,U,Rain\n5,15,10,70,18,1\n", &reading).unwrap_err();
        assert!(errors[0].to_string().starts_with("w.csv: no line `DATA PERIODS` is found"), "{}", errors[0]);
    }
}
