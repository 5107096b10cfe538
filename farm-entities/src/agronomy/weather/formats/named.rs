//! Tables with named columns, from many sources.
//!
//! The header line is recognised by the known names in it, which are in `quantities.rs`. Any other lines may come before it. Columns can be
//! in any order and are separated by commas, semicolons, tabs, bars or blanks. Case does not matter. A header may name its unit, such as
//! `U#m.s-1`, `Tmin (°F)` or `rain[mm]`. Units may also be in a line below the headers (APSIM), or in lines above them (NASA POWER).
//!
//! The rows must have consecutive dates. Dates come from one column, from columns for year, month and day, or from columns for year and day
//! of the year. Several rows with the same date are hours. Rows without dates are consecutive days that start on 1 January. An empty field,
//! `NA`, `NaN` and the numbers -99, -99.9, -999 and -9999 mean that a value is missing.

use super::dates::{Form, form_of};
use super::error::{Expected, Field, Report, TableError};
use super::quantities::{DatePart, MAX, MEAN, MIN, NAMES, PRESSURE, QUANTITIES, RAIN, WIND, date_part, named, plain};
use super::series::{Entry, Rows, Values};
use super::units::{self, Unit};
use super::{Date, Reading, hours};
use crate::agronomy::radiation::wind_share_at_2m;

/// The numbers that mark a missing value.
const CODES: &[f64] = &[-99.0, -99.9, -99.99, -999.0, -999.9, -9999.0];
/// Maximum number of lines before the headers.
const MAX_PREAMBLE: usize = 200;

/// How a file separates its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    Sign(u8),
    Blanks,
}

impl Separator {
    const ALL: [Self; 5] = [Self::Sign(b','), Self::Sign(b';'), Self::Sign(b'\t'), Self::Sign(b'|'), Self::Blanks];

    fn split(self, line: &str) -> Vec<String> {
        match self {
            Self::Blanks => line.split_whitespace().map(str::to_owned).collect(),
            Self::Sign(sign) => {
                let mut fields = vec![String::new()];
                let mut is_quoted = false;
                for c in line.chars() {
                    match c {
                        '"' => is_quoted = !is_quoted,
                        c if c == char::from(sign) && !is_quoted => fields.push(String::new()),
                        c => fields.last_mut().map_or((), |field| field.push(c)),
                    }
                }
                fields.into_iter().map(|field| field.trim().to_owned()).collect()
            }
        }
    }
}

/// The column of a quantity in a file, and its unit.
struct Source {
    field: usize,
    header: String,
    unit: Unit,
    is_assumed: bool,
    height_m: Option<f64>,
}

/// The columns of the dates.
enum Dates {
    None,
    Whole(usize),
    YearMonthDay([usize; 3]),
    YearAndDay([usize; 2]),
}

/// The contents of the header line.
struct Headers {
    line: u64,
    fields: Vec<String>,
    separator: Separator,
}

/// Finds the header line: the line with the most known names.
fn find_headers(text: &str, reading: &Reading) -> Option<Headers> {
    let mut best: Option<(usize, Headers)> = None;
    // The required quantities, and a date or a number of the day.
    let fewest = if reading.only_rain { 2 } else { 3 };
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).take(MAX_PREAMBLE);
    for (line, number) in lines {
        for separator in Separator::ALL {
            let fields = separator.split(line.trim().trim_start_matches(['#', '@', '%']).trim_start_matches("//"));
            if fields.len() < fewest || fields.iter().filter(|field| field.parse::<f64>().is_ok()).count() > 1 {
                continue;
            }
            let asked = |field: &String| reading.columns.iter().any(|(_, header)| header == field);
            let means = |field: &&String| asked(field) || named(field).is_some() || date_part(field).is_some();
            let score = fields.iter().filter(means).count();
            if score >= 2 && best.as_ref().is_none_or(|(known, _)| score > *known) {
                // A line of headers whose first field is `#` has the columns of its rows.
                let fields = if line.trim_start().starts_with("#,") { separator.split(line.trim()) } else { fields };
                best = Some((score, Headers { line: number, fields, separator }));
            }
        }
    }
    best.map(|(_, headers)| headers)
}

/// Reads the text of a table.
pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading) -> Rows {
    report.provenance.rows_per_day = 1;
    report.provenance.format = format_of(text);
    let Some(headers) = find_headers(text, reading) else {
        if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
            report.errors.push(TableError::Empty { file: report.file() });
        } else {
            let expected = match reading.only_rain {
                true => "a line with names such as `Date` and `Rain` above the days",
                false => "a line with names such as `Date`, `Tmin`, `Tmax` and `Rain` above the days",
            };
            report.no_header("header line", expected, text);
        }
        return Rows::default();
    };
    let preamble: Vec<&str> = text.lines().take(headers.line as usize - 1).collect();
    place_of(report, &preamble);
    // A block of sites before the block of days, as in AgMIP, is not read.
    let body = text.lines().zip(1_u64..).skip(headers.line as usize).map(|(line, number)| (line.trim(), number));
    let mut body = body.filter(|(line, _)| !line.is_empty() && !line.starts_with(['#', '!'])).peekable();
    let below = body.next_if(|(line, _)| is_units(&headers.separator.split(line)));
    let units = below.map(|(line, _)| headers.separator.split(line)).unwrap_or_default();
    let sources = sources(report, &headers, &units, &preamble, reading);
    let mut table: Vec<(u64, Vec<String>)> = Vec::new();
    let width = headers.fields.len();
    let mut notes = 0_usize;
    for (line, number) in body {
        if report.is_full() {
            break;
        }
        let mut fields = headers.separator.split(line);
        // A separator after the last field does not make another field.
        if fields.len() == width + 1 && fields.last().is_some_and(String::is_empty) {
            fields.pop();
        }
        if fields.len() == width {
            table.push((number, fields));
        } else if !line.starts_with(|c: char| c.is_ascii_digit() || c == '"' || c == '-' || c == '*')
            && fields.len() < width
        {
            notes += 1;
        } else {
            report.field_count(number, fields.len(), width);
        }
    }
    if notes > 0 {
        report.provenance.note(format!("lines of text between or below the rows that are not read: {notes}"));
    }
    rows(report, &headers, &sources, &table, reading)
}

/// The name of the format, by words at the start of the text.
fn format_of(text: &str) -> &'static str {
    let start: String = text.chars().take(4000).collect::<String>().to_ascii_lowercase();
    let formats = [
        ("-begin header-", "NASA POWER"),
        ("t2m", "NASA POWER"),
        ("[weather.met", "APSIM"),
        ("radn", "APSIM"),
        ("temperature_2m", "Open-Meteo"),
        ("w_date", "AgMIP"),
        ("irrad", "PCSE"),
        ("daily_rain", "SILO"),
        ("dayl (s)", "Daymet"),
        ("g(h)", "PVGIS"),
        ("lprecip depth", "TMY3"),
        ("screening_height", "Cycles"),
    ];
    formats.into_iter().find(|(word, _)| start.contains(word)).map_or("table", |(_, format)| format)
}

/// Whether a line below the headers has units and no values.
fn is_units(fields: &[String]) -> bool {
    let filled = || fields.iter().filter(|field| !field.is_empty() && *field != "()" && *field != "-");
    filled().any(|field| units::is_unit(field) && plain(field).parse::<f64>().is_err())
        && filled().all(|field| field.parse::<f64>().is_err())
}

/// Reads latitude, longitude and elevation from the lines above the headers.
fn place_of(report: &mut Report<'_>, preamble: &[&str]) {
    let number = |text: &str| -> Option<f64> {
        let text = text.trim_start_matches([' ', '\t', ':', '=', ',', ';', '"']);
        let text = if text.starts_with('(') { text.split_once(')').map_or("", |(_, rest)| rest) } else { text };
        let text = text.trim_start_matches([' ', '\t', ':', '=', ',', ';', '"']);
        let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+')).unwrap_or(text.len());
        text[..end].parse().ok()
    };
    let mut found: [Option<f64>; 3] = [None; 3];
    let words: [&[&str]; 3] = [&["latitude", "lat"], &["longitude", "lon"], &["elevation", "altitude", "elev"]];
    for (i, line) in preamble.iter().enumerate() {
        let lower = line.to_ascii_lowercase();
        for (value, words) in found.iter_mut().zip(words) {
            for word in words {
                let Some(at) = lower.find(word).filter(|_| value.is_none()) else { continue };
                let rest = &lower[at + word.len()..];
                let behind = number(rest).or_else(|| number(rest.rsplit_once('=')?.1));
                // Names in one line, their values in the next.
                let below = || {
                    let (names, values) = (Separator::Sign(b',').split(&lower), preamble.get(i + 1)?);
                    let at = names.iter().position(|name| plain(name).starts_with(word))?;
                    number(Separator::Sign(b',').split(values).get(at)?)
                };
                *value = behind.or_else(below);
            }
        }
    }
    // The first line of a file of TMY3 has a station's number, name, state, zone, latitude, longitude and elevation.
    if let ("TMY3", Some(first)) = (report.provenance.format, preamble.first()) {
        let fields = Separator::Sign(b',').split(first);
        for (value, at) in found.iter_mut().zip([4, 5, 6]) {
            *value = fields.get(at).and_then(|field| field.parse().ok());
        }
    }
    let [latitude, longitude, elevation] = found;
    report.provenance.latitude_degrees = latitude.filter(|degrees| degrees.abs() <= 90.0);
    report.provenance.longitude_degrees = longitude.filter(|degrees| degrees.abs() <= 360.0);
    report.provenance.elevation_m = elevation;
}

/// A column's unit from the lines above the headers, as in NASA POWER: `T2M  Temperature at 2 Meters (C)`.
fn unit_above(preamble: &[&str], header: &str) -> Option<String> {
    let line = preamble.iter().find(|line| line.split_whitespace().next() == Some(header))?;
    let inner = line.trim().strip_suffix(')')?;
    inner.rsplit_once('(').map(|(_, unit)| unit.to_owned())
}

/// Finds the column of each quantity.
fn sources(
    report: &mut Report<'_>,
    headers: &Headers,
    units: &[String],
    preamble: &[&str],
    reading: &Reading,
) -> [Option<Source>; QUANTITIES.len()] {
    let mut sources = [const { None }; QUANTITIES.len()];
    let mut ranks = [usize::MAX; QUANTITIES.len()];
    let mut unused = Vec::new();
    for (field, header) in headers.fields.iter().enumerate() {
        let asked = reading.columns.iter().find(|(_, column)| column == header).map(|(key, _)| key);
        if asked.is_none() && date_part(header).is_some() {
            continue;
        }
        let found = named(header);
        let own = asked.and_then(|key| QUANTITIES.iter().position(|quantity| quantity.key.eq_ignore_ascii_case(key)));
        let by_name = || found.as_ref().map(|(name, _)| name.quantity);
        let Some(quantity) = own.or_else(by_name) else {
            unused.push(header.clone());
            continue;
        };
        let name = found.as_ref().map(|(name, _)| *name).filter(|name| name.quantity == quantity);
        let rank = if own.is_some() {
            0
        } else {
            1 + NAMES.iter().position(|n| Some(n.plain) == name.map(|n| n.plain)).unwrap_or(0)
        };
        if rank == ranks[quantity] || (own.is_none() && ranks[quantity] == 0) {
            let first = sources[quantity].as_ref().map_or(String::new(), |source: &Source| source.header.clone());
            report.errors.push(TableError::DuplicateColumn {
                file: report.file(),
                line: headers.line,
                first,
                second: header.clone(),
                quantity: QUANTITIES[quantity].name,
            });
            continue;
        }
        if rank > ranks[quantity] {
            unused.push(header.clone());
            continue;
        }
        let written = found.as_ref().and_then(|(_, unit)| unit.clone());
        let below = units.get(field).filter(|unit| !matches!(unit.as_str(), "" | "()" | "-")).cloned();
        let said = written.or(below).or_else(|| unit_above(preamble, header));
        let dimension = QUANTITIES[quantity].dimension;
        let known = said.as_ref().map(|unit| units::find(dimension, unit));
        if let (Some(None), Some(unit)) = (known, &said) {
            report.errors.push(TableError::WrongUnit {
                file: report.file(),
                line: headers.line,
                column: header.clone(),
                unit: unit.clone(),
                expected: list(units::known(dimension)),
            });
        }
        // Formats related to NASA's and DSSAT's use kPa with a name that others use with hPa. Without a unit, the name decides.
        let usual = name.map_or_else(|| units::known(dimension).next().unwrap_or_default(), |name| name.unit);
        let unit = known.flatten().or_else(|| units::find(dimension, usual));
        let Some(unit) = unit else { continue };
        if let Some(replaced) = sources[quantity].replace(Source {
            field,
            header: header.clone(),
            unit,
            is_assumed: said.is_none(),
            height_m: name.and_then(|name| name.height_m),
        }) {
            unused.push(replaced.header);
        }
        ranks[quantity] = rank;
    }
    // The names in `columns` are for the main file, not for a file with only rain.
    let columns = if reading.only_rain { &[][..] } else { &reading.columns };
    for (_, header) in columns.iter().filter(|(_, header)| !headers.fields.contains(header)) {
        let found: Vec<&str> = headers.fields.iter().map(String::as_str).collect();
        report.no_such_header(headers.line, header, &found);
    }
    report.provenance.unused = unused;
    sources
}

fn rows(
    report: &mut Report<'_>,
    headers: &Headers,
    sources: &[Option<Source>; QUANTITIES.len()],
    table: &[(u64, Vec<String>)],
    reading: &Reading,
) -> Rows {
    let (dates, column) = dates(report, headers, table, reading);
    let per_day = hours::rows_per_day(dates.iter().flatten().copied());
    let is_hourly = per_day > 1;
    let found: Vec<&str> = headers.fields.iter().map(String::as_str).collect();
    let unused = report.provenance.unused.clone();
    let unused: Vec<&str> = unused.iter().map(String::as_str).collect();
    let needed: &[usize] = match reading.only_rain {
        true => &[RAIN],
        false if is_hourly => &[MEAN, RAIN],
        false => &[MIN, MAX, RAIN],
    };
    for quantity in needed.iter().filter(|q| sources[**q].is_none() && !(**q == RAIN && reading.rain_is_elsewhere)) {
        report.missing_column(headers.line, *quantity, &found, &unused);
    }
    let days = 1.0 / per_day as f64;
    let to_height = |source: &Source| {
        source.height_m.map_or(1.0, |m| wind_share_at_2m(m) / wind_share_at_2m(reading.wind_height_m))
    };
    let decimal_comma = headers.separator != Separator::Sign(b',');
    let mut flags = 0_usize;
    let mut entries = Vec::with_capacity(table.len());
    for ((line, fields), date) in table.iter().zip(dates) {
        if report.is_full() {
            break;
        }
        let mut values: Values = [None; QUANTITIES.len()];
        for (quantity, source) in sources.iter().enumerate() {
            let Some(source) = source else { continue };
            let text = fields[source.field].as_str();
            let with_point = (decimal_comma && text.contains(',')).then(|| text.replace(',', "."));
            let text = with_point.as_deref().unwrap_or(text);
            let is_trace = quantity == RAIN && matches!(text, "T" | "t" | "Tr" | "trace");
            flags += usize::from(is_trace);
            let text = if is_trace { "0" } else { text };
            if is_missing(text) {
                continue;
            }
            let field = Field { line: *line, column: &source.header, text };
            let range = QUANTITIES[quantity].range;
            let value = report.number(&field, &Expected { range, unit: source.unit, days, codes: CODES });
            values[quantity] = if quantity == WIND { value.map(|speed| speed * to_height(source)) } else { value };
        }
        entries.push(Entry { line: *line, date, values });
    }
    if flags > 0 {
        report.provenance.note(format!("rows with `T`, a trace of rain, which counts as 0: {flags}"));
    }
    for (quantity, source) in sources.iter().enumerate() {
        if let Some(source) = source {
            report.provenance.origin(quantity, &source.header, source.unit.name, source.is_assumed);
        }
    }
    let mut names: [String; QUANTITIES.len()] =
        std::array::from_fn(|i| sources[i].as_ref().map(|source| source.header.clone()).unwrap_or_default());
    if is_hourly {
        let temperature = names[MEAN].clone();
        names[MIN].clone_from(&temperature);
        names[MAX] = temperature;
        entries = hours::days(report, entries, per_day, &column);
    }
    vapour_pressure_in_hectopascal(report, sources[PRESSURE].as_ref(), &mut entries);
    Rows { entries, names, date: column }
}

/// Vapour pressure without a unit may be in kPa or hPa. This function corrects the unit: no air has more than 6 kPa, and almost no place
/// has less than 0.7 kPa on every day.
fn vapour_pressure_in_hectopascal(report: &mut Report<'_>, source: Option<&Source>, entries: &mut [Entry]) {
    let Some(source) = source.filter(|source| source.is_assumed) else { return };
    let most = entries.iter().filter_map(|entry| entry.values[PRESSURE]).fold(0.0, f64::max);
    let (factor, unit) = if source.unit.name == "kPa" && most > 6.0 {
        (0.1, "hPa")
    } else if source.unit.name == "hPa" && most < 0.7 {
        (10.0, "kPa")
    } else {
        return;
    };
    entries.iter_mut().for_each(|entry| entry.values[PRESSURE] = entry.values[PRESSURE].map(|kpa| kpa * factor));
    report.provenance.note(format!(
        "in {}, the values of `{}` are not plausible: they are read in {unit}",
        source.unit.name, source.header
    ));
}

fn is_missing(text: &str) -> bool {
    matches!(text, "" | "-" | "--" | "." | "M")
        || ["na", "nan", "n/a", "null", "none", "missing"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The date of each row, and the header of the date column.
fn dates(
    report: &mut Report<'_>,
    headers: &Headers,
    table: &[(u64, Vec<String>)],
    reading: &Reading,
) -> (Vec<Option<Date>>, String) {
    let asked = reading.columns.iter().find(|(key, _)| key.eq_ignore_ascii_case("date")).map(|(_, header)| header);
    let place =
        |part: DatePart| headers.fields.iter().position(|header| asked.is_none() && date_part(header) == Some(part));
    let asked = asked.and_then(|asked| headers.fields.iter().position(|header| header == asked));
    let first = |field: usize| table.first().map_or("", |(_, fields)| fields[field].as_str());
    // A column with the name of a date that holds only the time of day does not count: PSM and TMY3 have both.
    let whole = headers.fields.iter().position(|header| {
        let is_time = plain(header).starts_with("time");
        let holds_date =
            |field: usize| form_of(table.iter().take(40).map(|(_, f)| f[field].as_str()), reading.date_order).is_some();
        let at = headers.fields.iter().position(|other| other == header);
        asked.is_none() && date_part(header) == Some(DatePart::Whole) && (!is_time || at.is_some_and(holds_date))
    });
    let (year, month, day) = (place(DatePart::Year), place(DatePart::Month), place(DatePart::Day));
    let found = match (asked.or(whole), year, month, day, place(DatePart::DayOfYear)) {
        (Some(whole), ..) => Dates::Whole(whole),
        (None, Some(year), Some(month), Some(day), _) => Dates::YearMonthDay([year, month, day]),
        (None, Some(year), _, _, Some(day)) | (None, Some(year), None, Some(day), None) => {
            Dates::YearAndDay([year, day])
        }
        // A column `Day` has dates or counts the days.
        (None, None, None, Some(day), None) if first(day).parse::<f64>().is_err() => Dates::Whole(day),
        _ => Dates::None,
    };
    let header = |field: usize| headers.fields[field].clone();
    match found {
        Dates::Whole(field) => {
            let order = order_in(&headers.fields[field]).unwrap_or(reading.date_order);
            let texts = table.iter().map(|(_, fields)| fields[field].as_str());
            let form = form_of(texts, order).unwrap_or(Form::YearFirst);
            if let Some(note) = form.note() {
                report.provenance.note(note);
            }
            let column = header(field);
            let read = |(line, fields): &(u64, Vec<String>)| {
                let date = form.parse(&fields[field]);
                if date.is_none() && !report.is_full() {
                    report.bad_date(&Field { line: *line, column: &column, text: &fields[field] }, form.example());
                }
                date
            };
            (table.iter().map(read).collect(), header(field))
        }
        Dates::YearMonthDay(places) => {
            let expected = "the numbers of year, month and day";
            let of = |[year, month, day]: [&str; 3]| {
                Date::new(count(year)? as i32, super::dates::month_of(month)?, count(day)?)
            };
            (several(report, table, places, &header(places[2]), expected, of), header(places[2]))
        }
        Dates::YearAndDay(places) => {
            let expected = "a year, and a day of the year";
            let of = |[year, day]: [&str; 2]| Date::of_day(count(year)? as i32, count(day)?);
            (several(report, table, places, &header(places[1]), expected, of), header(places[1]))
        }
        Dates::None => {
            unused_dates(report, headers, table);
            (vec![None; table.len()], String::new())
        }
    }
}

/// Dates from several columns.
fn several<const N: usize>(
    report: &mut Report<'_>,
    table: &[(u64, Vec<String>)],
    places: [usize; N],
    column: &str,
    expected: &'static str,
    date: impl Fn([&str; N]) -> Option<Date>,
) -> Vec<Option<Date>> {
    let read = |(line, fields): &(u64, Vec<String>)| {
        let texts = places.map(|place| fields[place].as_str());
        let found = date(texts);
        if found.is_none() && !report.is_full() {
            report.bad_date(&Field { line: *line, column, text: &texts.join(" ") }, expected);
        }
        found
    };
    table.iter().map(read).collect()
}

/// An integer, which may be written as `2021.0`.
fn count(text: &str) -> Option<u32> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

/// The order that a header itself declares, such as `Date (MM/DD/YYYY)`.
fn order_in(header: &str) -> Option<super::DateOrder> {
    let plain = plain(header);
    let orders = [
        ("mmddyy", super::DateOrder::MonthFirst),
        ("ddmmyy", super::DateOrder::DayFirst),
        ("yyyymmdd", super::DateOrder::YearFirst),
    ];
    orders.into_iter().find(|(word, _)| plain.contains(word)).map(|(_, order)| order)
}

/// If no column is read as a date, a column that looks like dates is an error, because its rows would be played on the wrong days.
fn unused_dates(report: &mut Report<'_>, headers: &Headers, table: &[(u64, Vec<String>)]) {
    for (field, header) in headers.fields.iter().enumerate() {
        let shown = || table.iter().take(400).map(|(_, fields)| fields[field].as_str());
        let has_signs = shown().next().is_some_and(|text| text.contains(['-', '/', ':']) && text.len() >= 8);
        let looks = has_signs && form_of(shown(), super::DateOrder::Auto).is_some();
        // A column of days that restarts at 1 has days of the month.
        let numbers: Vec<u32> = shown().map_while(count).collect();
        let begins_anew = numbers.windows(2).any(|pair| pair[0] > pair[1] && pair[1] == 1);
        let part = date_part(header);
        let is_counter = part == Some(DatePart::Day) && !begins_anew;
        if looks || (part.is_some() && !is_counter && !numbers.is_empty()) {
            let value = shown().next().map(super::error::shortened).unwrap_or_default();
            let (file, line, column) = (report.file(), headers.line, header.clone());
            report.errors.push(TableError::UnusedDate { file, line, column, value });
            return;
        }
    }
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    items.map(|item| format!("`{item}`")).collect::<Vec<_>>().join(", ")
}
