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
//! read. Lines that begin with `#` are comments.
//!
//! Rows are consecutive days. A column `Date` holds dates such as `2021-01-31`: rows must follow each other and those of the 29th of
//! February are left out. A column `Day` holds such dates, too, or numbers, which are not read. Without dates, rows are 365 to a year. An empty field, `NA` and the numbers -99,
//! -99.9, -999 and -9999 mean that a value is missing.

use super::error::{Expected, Field, Report, TableError, shortened};
use super::series::{Date, Entry, Names};
use super::{Missing, Reading};

/// A quantity of the table, in the order of [`QUANTITIES`].
pub(super) struct Quantity {
    name: &'static str,
    headers: &'static [&'static str],
    /// Units with the factor that turns them into the first one.
    units: &'static [(&'static str, f64)],
    pub range: (f64, f64),
    needed: bool,
}

const CELSIUS: &[(&str, f64)] = &[("°C", 1.0), ("C", 1.0), ("degC", 1.0)];
const PERCENT: &[(&str, f64)] = &[("%", 1.0)];
const TEMPERATURE_RANGE: (f64, f64) = (-90.0, 60.0);

pub(super) const MIN: usize = 0;
pub(super) const MEAN: usize = 1;
pub(super) const MAX: usize = 2;
pub(super) const HUMIDITY: usize = 3;
pub(super) const RAIN: usize = 4;
pub(super) const WIND: usize = 5;
pub(super) const CLOUDS: usize = 6;
pub(super) const DIRECTION: usize = 7;

pub(super) const QUANTITIES: [Quantity; 8] = [
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

/// The numbers that stand for a value that is not known.
const CODES: &[f64] = &[-99.0, -99.9, -999.0, -9999.0];

/// What the line of headers says.
struct Headers {
    width: usize,
    sources: [Option<Source>; QUANTITIES.len()],
    /// Where the date stands, and its header.
    date: Option<(usize, String)>,
    /// Whether that column counts the days instead, as its first row says.
    counts_days: bool,
}

/// Reads the text of a table.
pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading) -> (Vec<Entry>, Names) {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut entries = Vec::new();
    let mut headers = None;
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                report.errors.push(TableError::Unreadable { file: report.file(), reason: error.to_string() });
                break;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        if report.is_full() {
            break;
        }
        let Some(found) = &mut headers else {
            if let Some(separator) = other_separator(&record) {
                let found = shortened(&record[0]);
                report.errors.push(TableError::Separator { file: report.file(), line, separator, found });
                return Default::default();
            }
            let date = record.iter().position(|h| h.eq_ignore_ascii_case("day") || h.eq_ignore_ascii_case("date"));
            headers = Some(Headers {
                width: record.len(),
                sources: read_headers(line, &record, report),
                date: date.map(|field| (field, record[field].to_owned())),
                counts_days: false,
            });
            continue;
        };
        if record.len() == found.width {
            if let (true, Some((field, header))) = (entries.is_empty(), &found.date) {
                let is_number = record[*field].parse::<f64>().is_ok();
                found.counts_days = header.eq_ignore_ascii_case("day") && is_number;
            }
            entries.push(read_row(line, &record, found, reading, report));
        } else {
            report.field_count(line, record.len(), found.width);
        }
    }
    let mut names = Names::default();
    for (name, source) in names.quantities.iter_mut().zip(headers.iter().flat_map(|h| &h.sources)) {
        *name = source.as_ref().map(|source| source.header.clone()).unwrap_or_default();
    }
    names.date = headers.and_then(|headers| headers.date).map(|(_, header)| header).unwrap_or_default();
    (entries, names)
}

fn read_row(
    line: u64,
    record: &csv::StringRecord,
    headers: &Headers,
    reading: &Reading,
    report: &mut Report<'_>,
) -> Entry {
    let mut values = [None; QUANTITIES.len()];
    for ((quantity, source), value) in QUANTITIES.iter().zip(&headers.sources).zip(&mut values) {
        let Some(source) = source else { continue };
        let field = Field { line, column: &source.header, text: &record[source.field] };
        let expected = Expected { range: quantity.range, unit: source.unit, factor: source.factor, codes: CODES };
        let known = if field.text == "NA" { None } else { report.number(&field, &expected) };
        // Here every needed column was filled in by somebody, so that a hole in it is news.
        if known.is_none() && quantity.needed && reading.missing == Missing::Refuse {
            report.bad_value(&field, if field.text.is_empty() { "empty" } else { "a missing value" }, &expected);
            *value = Some(f64::NAN);
        } else {
            *value = known;
        }
    }
    let date = headers.date.as_ref().filter(|_| !headers.counts_days).and_then(|(field, header)| {
        let text = &record[*field];
        let date = Date::parse_iso(text);
        if date.is_none() {
            report.bad_date(&Field { line, column: header, text }, "a date such as 2021-01-31");
        }
        date
    });
    Entry { line, date, values }
}

/// Finds the column of each quantity.
fn read_headers(line: u64, record: &csv::StringRecord, report: &mut Report<'_>) -> [Option<Source>; QUANTITIES.len()] {
    let file = report.file;
    let errors = &mut report.errors;
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
    let found: Vec<&str> = record.iter().collect();
    let is_used = |header: &str| sources.iter().flatten().any(|source| source.header == header);
    let unused: Vec<&str> = found.iter().copied().filter(|header| !is_used(header)).collect();
    for (quantity, _) in QUANTITIES.iter().zip(&sources).filter(|(q, source)| q.needed && source.is_none()) {
        report.missing_column(line, quantity.headers, &found, &unused);
    }
    sources
}

/// The sign that separates the fields of a line of headers, in words, where it is not a comma.
fn other_separator(headers: &csv::StringRecord) -> Option<&'static str> {
    let known = |name: &str| {
        let name = name.trim().split('#').next().unwrap_or_default();
        QUANTITIES.iter().any(|quantity| quantity.headers.iter().any(|header| header.eq_ignore_ascii_case(name)))
    };
    let separators = [(';', "semicolons"), ('\t', "tabs"), ('|', "bars"), (' ', "blanks")];
    let only = (headers.len() == 1).then(|| &headers[0])?;
    let found = separators.into_iter().find(|(sign, _)| only.contains(*sign) && only.split(*sign).any(known));
    found.map(|(_, words)| words)
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    items.map(|item| format!("`{item}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::{Day, parse as parse_as, read as read_as};
    use super::*;

    fn parse(file: &str, text: &str) -> Result<Vec<Day>, Vec<TableError>> {
        parse_as(file, text, &Reading::default())
    }

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
        let error = read_as(std::path::Path::new("no/such/weather.csv"), &Reading::default()).unwrap_err();
        assert_eq!(error[0].to_string(), "no/such/weather.csv: there is no such weather table");
    }

    #[test]
    fn a_table_with_other_separators_is_told_once_and_a_misspelt_header_has_its_neighbour() {
        for (sign, words) in [(";", "semicolons"), ("\t", "tabs"), ("|", "bars"), (" ", "blanks")] {
            let found = parse("w.csv", &PAPER.replace(',', sign)).unwrap_err();
            assert_eq!(found.len(), 1, "{found:?}");
            let said = found[0].to_string();
            assert!(
                said.starts_with(&format!("w.csv:1: the columns are separated by {words}; expected commas")),
                "{said}"
            );
            assert!(found[0].found().is_some_and(|found| found.contains(&format!("Tmin{sign}Tmax"))));
        }
        let found = parse("w.csv", &PAPER.replace("Tmin", "Tmn")).unwrap_err();
        assert_eq!((found[0].nearest(), found[0].found().as_deref()), (Some("Tmn"), Some("Tmn, Tmax, T, RH, U, Rain")));
        let hidden = found[0].clone().without_values();
        assert_eq!((hidden.nearest(), hidden.found()), (None, None));
    }

    #[test]
    fn a_date_that_is_none_is_an_error_and_numbers_of_days_are_not_read() {
        let table = |header: &str, dates: [&str; 2]| {
            format!("{header},Tmin,Tmax,T,RH,U,Rain\n{},5,15,10,70,18,1\n{},5,15,10,70,18,1\n", dates[0], dates[1])
        };
        for (header, date) in
            [("Date", "2020-13-1"), ("Date", "01/15"), ("Date", ""), ("Date", "2"), ("Day", "2021-02-30")]
        {
            assert_eq!(
                messages(&table(header, ["2021-01-01", date])),
                [format!(
                    "w.csv:3: column `{header}`: `{date}` is not a valid date; expected a date such as 2021-01-31"
                )]
            );
        }
        assert_eq!(parse("w.csv", &table("Day", ["1", "2"])).unwrap().len(), 2);
        assert_eq!(parse("w.csv", &table("day", ["1.0", "x"])).unwrap().len(), 2);
    }

    #[test]
    fn a_bad_extreme_is_one_error_and_no_bound_of_another() {
        assert_eq!(
            messages("Tmin,Tmax,T,RH,U,Rain\nx,5,6,70,18,0\n5,y,40,70,18,0\n"),
            [
                "w.csv:2: column `Tmin`: `x` is not a number; expected a number from -90 to 60 °C",
                "w.csv:3: column `Tmax`: `y` is not a number; expected a number from -90 to 60 °C",
            ]
        );
    }

    #[test]
    fn a_file_that_is_wrong_everywhere_is_not_read_to_its_end() {
        let block = format!("Tmin,Tmax,T,RH,U,Rain\n{}", "5,15,10,70,18,0\n".repeat(9));
        let found = messages(&block.repeat(20_000));
        assert_eq!((found.len(), found[20].as_str()), (21, "w.csv: 982 or more errors; the first 20 are shown"));
    }

    #[test]
    fn a_mean_a_little_outside_is_moved_and_errors_are_capped() {
        assert_eq!(parse("w.csv", "Tmin,Tmax,T,RH,U,Rain\n5,15,15.5,70,18,0\n").unwrap()[0].mean_celsius, 15.0);
        let found = messages(&format!("Tmin,Tmax,T,RH,U,Rain\n{}", "a,15,10,70,18,0\n".repeat(50)));
        assert_eq!((found.len(), found[20].as_str()), (21, "w.csv: 30 more errors; the first 20 are shown"));
    }

    #[test]
    fn dates_are_heeded_and_the_29th_of_february_is_left_out() {
        let row = |date: &str, t: f64| format!("{date},{t},{t},{t},70,18,0\n");
        let mut text = "Date,Tmin,Tmax,T,RH,U,Rain\n".to_owned();
        let (mut date, end) = (Date { year: 2020, month: 1, day: 1 }, Date { year: 2021, month: 1, day: 3 });
        while date != end {
            text += &row(&date.to_string(), if date.month == 3 && date.day == 1 { 33.0 } else { 10.0 });
            date = date.next();
        }
        let days = parse("w.csv", &text).unwrap();
        // One whole year; its 60th day is the 1st of March, as in every year.
        assert_eq!((days.len(), days[59].min_celsius), (365, 33.0));
        let gap = text.replace(&row("2020-05-07", 10.0), "");
        assert_eq!(
            messages(&gap),
            ["w.csv:129: column `Date`: 2020-05-08 follows 2020-05-06; expected 2020-05-07, for rows are consecutive"]
        );
    }

    #[test]
    fn missing_values_are_errors_or_interpolated_up_to_seven_days() {
        let table = |holes: usize| {
            let row = |t: f64| format!("{t},{t},{t},70,18,3\n");
            format!("Tmin,Tmax,T,RH,U,Rain\n{}{}{}", row(10.0), "-99,NA,,-999,18,-9999\n".repeat(holes), row(18.0))
        };
        assert_eq!(
            messages(&table(1))[..3],
            [
                "w.csv:3: column `Tmin`: `-99` is a missing value; expected a number from -90 to 60 °C",
                "w.csv:3: column `T`: `` is empty; expected a number from -90 to 60 °C",
                "w.csv:3: column `Tmax`: `NA` is a missing value; expected a number from -90 to 60 °C",
            ]
        );
        let lenient = Reading { missing: Missing::Interpolate, ..Reading::default() };
        let days = parse_as("w.csv", &table(7), &lenient).unwrap();
        assert_eq!(days[4].mean_celsius, 14.0);
        assert_eq!((days[1].min_celsius, days[7].max_celsius, days[3].rain_mm), (11.0, 17.0, 0.0));
        // Saturated at the lowest temperature, which here is the only one.
        assert_eq!(days[4].humidity_percent, 100.0);
        let errors = parse_as("w.csv", &table(8), &lenient).unwrap_err();
        assert_eq!(
            errors[0].to_string(),
            "w.csv:3: column `Tmin`: the value is missing; gaps of at most 7 days between known values are filled"
        );
    }
}
