//! A table of daily weather, read from CSV.
//!
//! | quantity | accepted headers | unit without a suffix | other units | range |
//! |---|---|---|---|---|
//! | lowest, mean, highest temperature | `Tmin`, `T`, `Tmax`; `TemperatureMin`, `Temperature`, `TemperatureMax`; `temperature_min`, … | °C | – | −90…60 °C |
//! | mean relative humidity | `RH`, `Humidity` | % | – | 0…100 % |
//! | rain | `Rain` | mm.day-1 (0 or 1 in files of the paper) | mm | 0…2000 mm |
//! | mean wind speed | `U`, `WindSpeed`, `wind_speed` | km.h-1 | km/h, m.s-1, m/s | 0…500 km/h |
//! | clouds, optional | `Clouds` | % | – | 0…100 % |
//! | where the wind comes from, optional | `WindDirection`, `wind_direction` | ° (0 north, 90 east) | deg | 0…360° |
//!
//! The six columns of the paper, the nine of the public reference and those of our own file are all among them. Columns
//! stand in any order; capitals do not matter; a header may name its unit, as in `U#m.s-1`; columns of other names are not
//! read, among them `Day`. Lines that begin with `#` are comments.
//!
//! Rows are consecutive days, 365 to a year and no 29th of February: row i is day i mod 365 of year ⌊i/365⌋. Without a
//! column of clouds, days with 1 mm of rain or more are 80 % clouded and the others 30 % (design). Without a column of
//! directions the wind comes from anywhere, drawn each day.
//!
//! Nothing is repaired silently, except that a mean temperature up to half a degree outside its extremes, which rounding
//! explains, is moved to the nearer one. All that is wrong is reported together.

use std::path::Path;

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

/// Most errors of one table that are reported.
const MAX_ERRORS: usize = 20;

/// How far rounding may put a mean temperature outside its extremes.
const MEAN_TOLERANCE_CELSIUS: f64 = 0.5;

/// One thing that is wrong with a table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// The file cannot be read.
    #[error("{file}: the weather table can't be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The file has no row of data.
    #[error("{file}: the weather table has no rows; expected a line of headers and a line for each day")]
    Empty {
        /// The file.
        file: String,
    },
    /// A needed column is not there.
    #[error("{file}:{line}: column `{column}` is missing; expected one of the headers {accepted}")]
    MissingColumn {
        /// The file.
        file: String,
        /// Line of the headers.
        line: u64,
        /// The quantity.
        column: &'static str,
        /// Headers that mean it.
        accepted: String,
    },
    /// Two columns mean the same.
    #[error("{file}:{line}: columns `{first}` and `{second}` are both the {quantity}; expected one of them")]
    DuplicateColumn {
        /// The file.
        file: String,
        /// Line of the headers.
        line: u64,
        /// Header of the one.
        first: String,
        /// Header of the other.
        second: String,
        /// What both mean.
        quantity: &'static str,
    },
    /// A header names a unit that the quantity is not read in.
    #[error("{file}:{line}: column `{column}` has the unit `{unit}`; expected {expected}")]
    WrongUnit {
        /// The file.
        file: String,
        /// Line of the headers.
        line: u64,
        /// The header.
        column: String,
        /// The unit found.
        unit: String,
        /// The units that are read.
        expected: String,
    },
    /// A row has more or fewer fields than the headers.
    #[error("{file}:{line}: the row has {found} fields; expected {expected}, as in the line of headers")]
    FieldCount {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// Fields of the row.
        found: usize,
        /// Fields of the headers.
        expected: usize,
    },
    /// A value is not a finite number within its range.
    #[error("{file}:{line}: column `{column}`: `{value}` is {what}; expected a number from {low} to {high} {unit}")]
    BadValue {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// The header.
        column: String,
        /// The field as it stands there.
        value: String,
        /// What is wrong with it.
        what: &'static str,
        /// Lowest value, in the unit of the column.
        low: f64,
        /// Highest value, in the unit of the column.
        high: f64,
        /// The unit of the column.
        unit: &'static str,
    },
    /// The temperatures of a day contradict each other.
    #[error("{file}:{line}: column `{column}`: {value} °C is {what}; expected {expected}")]
    Contradiction {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// The header.
        column: String,
        /// The value.
        value: f64,
        /// What it contradicts.
        what: String,
        /// What would be consistent.
        expected: String,
    },
    /// There were more errors than are reported.
    #[error("{file}: {count} more errors; the first {MAX_ERRORS} are shown")]
    More {
        /// The file.
        file: String,
        /// How many are not shown.
        count: usize,
    },
}

/// A quantity of the table, in the order of [`QUANTITIES`].
struct Quantity {
    name: &'static str,
    headers: &'static [&'static str],
    /// Units with the factor that turns them into the first one.
    units: &'static [(&'static str, f64)],
    range: (f64, f64),
    needed: bool,
}

const CELSIUS: &[(&str, f64)] = &[("°C", 1.0), ("C", 1.0), ("degC", 1.0)];
const PERCENT: &[(&str, f64)] = &[("%", 1.0)];
const TEMPERATURE_RANGE: (f64, f64) = (-90.0, 60.0);

const MIN: usize = 0;
const MEAN: usize = 1;
const MAX: usize = 2;
const HUMIDITY: usize = 3;
const RAIN: usize = 4;
const WIND: usize = 5;
const CLOUDS: usize = 6;
const DIRECTION: usize = 7;

const QUANTITIES: [Quantity; 8] = [
    Quantity {
        name: "lowest temperature",
        headers: &["Tmin", "TemperatureMin", "temperature_min"],
        units: CELSIUS,
        range: TEMPERATURE_RANGE,
        needed: true,
    },
    Quantity {
        name: "mean temperature",
        headers: &["T", "Temperature", "temperature_mean"],
        units: CELSIUS,
        range: TEMPERATURE_RANGE,
        needed: true,
    },
    Quantity {
        name: "highest temperature",
        headers: &["Tmax", "TemperatureMax", "temperature_max"],
        units: CELSIUS,
        range: TEMPERATURE_RANGE,
        needed: true,
    },
    Quantity {
        name: "relative humidity",
        headers: &["RH", "Humidity"],
        units: PERCENT,
        range: (0.0, 100.0),
        needed: true,
    },
    Quantity {
        name: "rain",
        headers: &["Rain"],
        units: &[("mm.day-1", 1.0), ("mm", 1.0)],
        range: (0.0, 2000.0),
        needed: true,
    },
    Quantity {
        name: "wind speed",
        headers: &["U", "WindSpeed", "wind_speed"],
        units: &[("km.h-1", 1.0), ("km/h", 1.0), ("m.s-1", 3.6), ("m/s", 3.6)],
        range: (0.0, 500.0),
        needed: true,
    },
    Quantity { name: "clouds", headers: &["Clouds"], units: PERCENT, range: (0.0, 100.0), needed: false },
    Quantity {
        name: "wind direction",
        headers: &["WindDirection", "wind_direction"],
        units: &[("°", 1.0), ("deg", 1.0)],
        range: (0.0, 360.0),
        needed: false,
    },
];

/// Where a quantity stands in a file, and in which unit.
struct Source {
    field: usize,
    header: String,
    unit: &'static str,
    factor: f64,
}

/// Reads a file.
///
/// # Errors
/// Everything that is wrong with it, up to a limit.
pub fn read(path: &Path) -> Result<Vec<Day>, Vec<TableError>> {
    let file = path.display().to_string();
    let unreadable = |reason: String| vec![TableError::Unreadable { file: file.clone(), reason }];
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| unreadable(format!("it is not UTF-8 text: {error}")))?;
    parse(&file, &text)
}

/// Reads the text of a file; `file` names it in the errors.
///
/// # Errors
/// Everything that is wrong with it, up to a limit.
pub fn parse(file: &str, text: &str) -> Result<Vec<Day>, Vec<TableError>> {
    let mut errors = Vec::new();
    // Programs for spreadsheets like to put a byte order mark first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut days = Vec::new();
    let mut columns = None;
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                errors.push(TableError::Unreadable { file: file.to_owned(), reason: error.to_string() });
                break;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        let Some((width, sources)) = &columns else {
            columns = Some((record.len(), read_headers(file, line, &record, &mut errors)));
            continue;
        };
        if record.len() != *width {
            errors.push(TableError::FieldCount { file: file.to_owned(), line, found: record.len(), expected: *width });
        } else if let Some(day) = read_day(file, line, &record, sources, &mut errors) {
            days.push(day);
        }
    }
    if days.is_empty() && errors.is_empty() {
        errors.push(TableError::Empty { file: file.to_owned() });
    }
    if errors.is_empty() { Ok(days) } else { Err(shortened(file, errors)) }
}

fn shortened(file: &str, mut errors: Vec<TableError>) -> Vec<TableError> {
    let count = errors.len().saturating_sub(MAX_ERRORS);
    if count > 0 {
        errors.truncate(MAX_ERRORS);
        errors.push(TableError::More { file: file.to_owned(), count });
    }
    errors
}

/// Finds the column of each quantity.
fn read_headers(
    file: &str,
    line: u64,
    record: &csv::StringRecord,
    errors: &mut Vec<TableError>,
) -> [Option<Source>; QUANTITIES.len()] {
    let mut sources = [const { None }; QUANTITIES.len()];
    for (field, header) in record.iter().enumerate() {
        let (name, unit) = header.split_once('#').map_or((header, None), |(name, unit)| (name, Some(unit)));
        let means = |q: &Quantity| q.headers.iter().any(|known| known.eq_ignore_ascii_case(name));
        let Some(index) = QUANTITIES.iter().position(means) else { continue };
        let quantity = &QUANTITIES[index];
        let known = match unit {
            None => quantity.units.first(),
            Some(unit) => quantity.units.iter().find(|(name, _)| *name == unit),
        };
        // A column in a wrong unit counts as found, so that it is not reported as missing too.
        let (factor_unit, factor) = known.copied().unwrap_or(quantity.units[0]);
        if known.is_none() {
            errors.push(TableError::WrongUnit {
                file: file.to_owned(),
                line,
                column: header.to_owned(),
                unit: unit.unwrap_or_default().to_owned(),
                expected: list(quantity.units.iter().map(|(unit, _)| *unit)),
            });
        }
        let source = Source { field, header: header.to_owned(), unit: factor_unit, factor };
        if let Some(first) = sources[index].replace(source) {
            errors.push(TableError::DuplicateColumn {
                file: file.to_owned(),
                line,
                first: first.header,
                second: header.to_owned(),
                quantity: quantity.name,
            });
        }
    }
    for (quantity, _) in QUANTITIES.iter().zip(&sources).filter(|(q, source)| q.needed && source.is_none()) {
        errors.push(TableError::MissingColumn {
            file: file.to_owned(),
            line,
            column: quantity.headers[0],
            accepted: list(quantity.headers.iter().copied()),
        });
    }
    sources
}

/// Reads a row. Returns nothing if a value of it is wrong or a needed column is missing.
fn read_day(
    file: &str,
    line: u64,
    record: &csv::StringRecord,
    sources: &[Option<Source>; QUANTITIES.len()],
    errors: &mut Vec<TableError>,
) -> Option<Day> {
    let mut values = [None; QUANTITIES.len()];
    let mut complete = true;
    for ((quantity, source), value) in QUANTITIES.iter().zip(sources).zip(&mut values) {
        let Some(source) = source else {
            complete &= !quantity.needed;
            continue;
        };
        match number(&record[source.field], quantity, source) {
            Ok(number) => *value = Some(number),
            Err(what) => {
                complete = false;
                errors.push(TableError::BadValue {
                    file: file.to_owned(),
                    line,
                    column: source.header.clone(),
                    value: record[source.field].chars().take(40).collect(),
                    what,
                    low: quantity.range.0 / source.factor,
                    high: quantity.range.1 / source.factor,
                    unit: source.unit,
                });
            }
        }
    }
    if let ([Some(min), mean, Some(max), ..], [_, mean_source, Some(max_source), ..]) = (values, sources) {
        let mut contradiction = |source: &Source, value, what, expected| {
            complete = false;
            let (file, column) = (file.to_owned(), source.header.clone());
            errors.push(TableError::Contradiction { file, line, column, value, what, expected });
        };
        let outside = |mean: f64| mean < min - MEAN_TOLERANCE_CELSIUS || mean > max + MEAN_TOLERANCE_CELSIUS;
        if min > max {
            let what = format!("below the lowest temperature, {min} °C");
            contradiction(max_source, max, what, format!("{min} °C or more"));
        } else if let (Some(mean), Some(source)) = (mean.filter(|m| outside(*m)), mean_source) {
            let what = "outside the extremes of the day".to_owned();
            contradiction(source, mean, what, format!("a number from {min} to {max} °C"));
        }
    }
    if !complete {
        return None;
    }
    let (min, max, rain) = (values[MIN]?, values[MAX]?, values[RAIN]?);
    let default_clouds = if rain >= WET_DAY_MM { 80.0 } else { 30.0 };
    Some(Day {
        min_celsius: min,
        mean_celsius: values[MEAN]?.clamp(min, max),
        max_celsius: max,
        humidity_percent: values[HUMIDITY]?,
        rain_mm: rain,
        wind_km_per_h: values[WIND]?,
        clouds_percent: values[CLOUDS].unwrap_or(default_clouds),
        direction_degrees: values[DIRECTION],
    })
}

/// A field as a number in the first unit of its quantity.
fn number(field: &str, quantity: &Quantity, source: &Source) -> Result<f64, &'static str> {
    let number: f64 = field.parse().map_err(|_| if field.is_empty() { "empty" } else { "not a number" })?;
    let (low, high) = quantity.range;
    match number * source.factor {
        value if !value.is_finite() => Err("not a finite number"),
        value if value < low || value > high => Err("out of range"),
        value => Ok(value),
    }
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    items.map(|item| format!("`{item}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: &str = "Tmin,Tmax,T,RH,U,Rain\n5,15,10,70,18,1\n4,14,9,80,36,0\n";

    fn messages(text: &str) -> Vec<String> {
        parse("w.csv", text).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_six_columns_of_the_paper_are_read_with_default_clouds() {
        let days = parse("w.csv", PAPER).unwrap();
        let wet = Day {
            min_celsius: 5.0,
            mean_celsius: 10.0,
            max_celsius: 15.0,
            humidity_percent: 70.0,
            rain_mm: 1.0,
            wind_km_per_h: 18.0,
            clouds_percent: 80.0,
            direction_degrees: None,
        };
        assert_eq!(days[0], wet);
        assert_eq!((days.len(), days[1].clouds_percent, days[1].wind_km_per_h), (2, 30.0, 36.0));
    }

    #[test]
    fn the_nine_columns_of_the_reference_are_read_in_any_order_with_comments() {
        let text = "# made up\nDay,Temperature,TemperatureMax,TemperatureMin,Humidity,Rain,Clouds,WindSpeed,WindDirection\n\
                    2021-01-01,10,15,5,70,2.5,40,18,270\n";
        let day = parse("w.csv", text).unwrap()[0];
        assert_eq!((day.mean_celsius, day.max_celsius, day.min_celsius, day.rain_mm), (10.0, 15.0, 5.0, 2.5));
        assert_eq!((day.clouds_percent, day.direction_degrees), (40.0, Some(270.0)));
        let turned = "WindDirection,Rain,Humidity,Day,TemperatureMin,WindSpeed,TemperatureMax,Clouds,Temperature\r\n\
                      270,2.5,70,1,5,18,15,40,10\r\n\r\n# end\r\n";
        assert_eq!(parse("w.csv", &format!("\u{feff}{turned}")).unwrap(), [day]);
    }

    #[test]
    fn a_unit_in_the_header_is_heeded_or_refused() {
        let day = parse("w.csv", "Tmin#°C,Tmax,T,RH#%,U#m.s-1,Rain#mm\n5,15,10,70,10,1\n").unwrap()[0];
        assert_eq!(day.wind_km_per_h, 36.0);
        assert_eq!(
            messages("Tmin#K,Tmax,T,RH,U#kn,Rain\n5,15,10,70,10,1\n"),
            [
                "w.csv:1: column `Tmin#K` has the unit `K`; expected `°C`, `C`, `degC`",
                "w.csv:1: column `U#kn` has the unit `kn`; expected `km.h-1`, `km/h`, `m.s-1`, `m/s`",
            ]
        );
        // The range is that of the quantity, said in the unit of the file.
        assert_eq!(
            messages("Tmin,Tmax,T,RH,U#m.s-1,Rain\n5,15,10,70,180,1\n"),
            ["w.csv:2: column `U#m.s-1`: `180` is out of range; expected a number from 0 to 138.88888888888889 m.s-1"]
        );
    }

    #[test]
    fn every_error_names_file_line_column_value_and_expectation() {
        let text = "# a comment counts as a line\nTmin,Tmax,T,RH,U,Rain\n5,15,x,70,18,0\n5,15,10,NaN,inf,-1\n16,15,15.5,70,18,0\n\
                    5,15,15.6,70,18,0\n5,15,10,70,18\n5,15,10,70,18,0,0\n5,15,15.5,70,18,\n";
        assert_eq!(
            messages(text),
            [
                "w.csv:3: column `T`: `x` is not a number; expected a number from -90 to 60 °C",
                "w.csv:4: column `RH`: `NaN` is not a finite number; expected a number from 0 to 100 %",
                "w.csv:4: column `Rain`: `-1` is out of range; expected a number from 0 to 2000 mm.day-1",
                "w.csv:4: column `U`: `inf` is not a finite number; expected a number from 0 to 500 km.h-1",
                "w.csv:5: column `Tmax`: 15 °C is below the lowest temperature, 16 °C; expected 16 °C or more",
                "w.csv:6: column `T`: 15.6 °C is outside the extremes of the day; expected a number from 5 to 15 °C",
                "w.csv:7: the row has 5 fields; expected 6, as in the line of headers",
                "w.csv:8: the row has 7 fields; expected 6, as in the line of headers",
                "w.csv:9: column `Rain`: `` is empty; expected a number from 0 to 2000 mm.day-1",
            ]
        );
    }

    #[test]
    fn missing_and_doubled_columns_are_named() {
        assert_eq!(
            messages("Tmin,Tmax,T,Temperature,RH,Rain\n5,15,10,10,70,0\n"),
            [
                "w.csv:1: columns `T` and `Temperature` are both the mean temperature; expected one of them",
                "w.csv:1: column `U` is missing; expected one of the headers `U`, `WindSpeed`, `wind_speed`",
            ]
        );
    }

    #[test]
    fn a_table_without_rows_and_a_file_that_is_none_are_errors() {
        let empty = "w.csv: the weather table has no rows; expected a line of headers and a line for each day";
        for text in ["", "# nothing\n", "Tmin,Tmax,T,RH,U,Rain\n"] {
            assert_eq!(messages(text), [empty]);
        }
        let error = read(Path::new("no/such/weather.csv")).unwrap_err();
        assert!(error[0].to_string().starts_with("no/such/weather.csv: the weather table can't be read: "));
    }

    #[test]
    fn a_mean_a_little_outside_is_moved_and_errors_are_capped() {
        assert_eq!(parse("w.csv", "Tmin,Tmax,T,RH,U,Rain\n5,15,15.5,70,18,0\n").unwrap()[0].mean_celsius, 15.0);
        let found = messages(&format!("Tmin,Tmax,T,RH,U,Rain\n{}", "a,15,10,70,18,0\n".repeat(50)));
        assert_eq!((found.len(), found[20].as_str()), (21, "w.csv: 30 more errors; the first 20 are shown"));
    }
}
