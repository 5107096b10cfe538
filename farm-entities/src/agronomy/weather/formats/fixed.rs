//! Weather files of crop models in columns of fixed width: `.WTH` of DSSAT and `.AgMIP`, which have the same layout.
//!
//! Lines that begin with `*`, `$` or `!` are titles and comments. A line that begins with `@` names the columns for the rows below it:
//! first the station (`LAT`, `LONG`, `ELEV`, `WNDHT`), then the days. A field ends at the column where its name ends. If a row has one
//! field for each name, the fields may be at any position. Blank fields are missing, letters after a number are flags, and text after the
//! last column is a note.
//!
//! | | DSSAT | AgMIP |
//! |---|---|---|
//! | date | `DATE`: YYDDD (00–35 mean 2000–2035, 36–99 mean 19YY) or YYYYDDD | `YYYY`, `MM`, `DD` |
//! | `TMAX`, `TMIN`, `RAIN`, `SRAD` | °C, mm, MJ/m² | the same |
//! | `WIND` | km/day | m/s |
//! | humidity | `RHUM` (% mean of the day), `VPRS` (kPa), `DEWP` (°C) | `VPRS` (hPa), `DEWP` (°C), `RHUM` (% at the highest temperature) |
//!
//! -99 means missing. For the station's wind height, place and elevation, 0 means not known.

use super::dates::Form;
use super::error::{Expected, Field, Report};
use super::quantities::{DEW_POINT, HUMIDITY, HUMIDITY_MIN, MAX, MIN, PRESSURE, QUANTITIES, RAIN, SOLAR, WIND};
use super::series::{Entry, Rows, Values};
use super::units;
use super::{Date, Reading};
use crate::agronomy::radiation::wind_share_at_2m;

/// The two formats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Dssat,
    Agmip,
}

const CODES: &[f64] = &[-99.0, -99.9, -999.0];

impl Dialect {
    /// The columns that are read: name, quantity, unit.
    fn columns(self) -> [(&'static str, usize, &'static str); 8] {
        let dssat = self == Self::Dssat;
        [
            ("TMAX", MAX, "°C"),
            ("TMIN", MIN, "°C"),
            ("RAIN", RAIN, "mm"),
            ("SRAD", SOLAR, "MJ/m²"),
            ("WIND", WIND, if dssat { "km/day" } else { "m/s" }),
            ("RHUM", if dssat { HUMIDITY } else { HUMIDITY_MIN }, "%"),
            ("VPRS", PRESSURE, if dssat { "kPa" } else { "hPa" }),
            ("DEWP", DEW_POINT, "°C"),
        ]
    }

    fn date_column(self) -> &'static str {
        if self == Self::Dssat { "DATE" } else { "DD" }
    }
}

/// A line of names, with the position at which each name ends.
struct Header {
    names: Vec<String>,
    ends: Vec<usize>,
    by_commas: bool,
}

impl Header {
    fn new(text: &str) -> Self {
        let text = text.split('!').next().unwrap_or_default();
        let by_commas = text.contains(',');
        let (mut names, mut ends) = (Vec::new(), Vec::new());
        let mut start = None;
        // The character `@` counts as a blank.
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            let is_gap = c.is_whitespace() || c == '@' || c == ',';
            match (start, is_gap) {
                (None, false) => start = Some(at),
                (Some(from), true) => {
                    names.push(text[from..at].to_ascii_uppercase());
                    ends.push(at);
                    start = None;
                }
                _ => {}
            }
        }
        Self { names, ends, by_commas }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The fields in a row; fields after its end are empty.
    fn fields<'a>(&self, row: &'a str) -> Vec<&'a str> {
        if self.by_commas || row.contains(',') {
            let mut fields: Vec<&str> = row.split(',').map(str::trim).collect();
            fields.resize(self.names.len().max(fields.len()), "");
            return fields;
        }
        let words: Vec<&str> = row.split_whitespace().collect();
        if words.len() == self.names.len() {
            return words;
        }
        // A date of seven digits below a name of five letters shifts all following fields.
        let leading = row.len() - row.trim_start().len();
        let digits = words.first().map_or(0, |word| word.bytes().take_while(u8::is_ascii_digit).count());
        let date_ends = leading + digits;
        let shift = date_ends.saturating_sub(self.ends.first().copied().unwrap_or_default());
        let cut = |at: usize| at.min(row.len());
        let starts = std::iter::once(0).chain(self.ends.iter().map(|end| end + shift));
        let by_place: Vec<Option<&str>> =
            starts.zip(&self.ends).map(|(from, end)| row.get(cut(from)..cut(end + shift)).map(str::trim)).collect();
        let fits = |field: &Option<&str>| {
            field.is_some_and(|field| field.is_empty() || without_flag(field).0.parse::<f64>().is_ok())
        };
        if !by_place.iter().all(fits) {
            // Written by a script with other columns: missing fields are missing at the end.
            let mut words = words;
            words.resize(self.names.len().max(words.len()), "");
            return words;
        }
        by_place.into_iter().flatten().collect()
    }
}

/// A number without its flag, and whether there is a flag. A flag is a letter next to the number; it may be in the next column.
fn without_flag(text: &str) -> (&str, bool) {
    let is_flag = |c: char| c.is_ascii_alphabetic() || c == '*';
    let bare = text.trim_end_matches(is_flag).trim_start_matches(is_flag).trim();
    let is_flagged = bare.len() < text.len() && bare.parse::<f64>().is_ok();
    if is_flagged { (bare, true) } else { (text, false) }
}

pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading, dialect: Dialect) -> Rows {
    report.provenance.rows_per_day = 1;
    report.provenance.format = if dialect == Dialect::Dssat { "DSSAT" } else { "AgMIP" };
    let columns = dialect
        .columns()
        .map(|(name, quantity, unit)| (name, quantity, units::get(QUANTITIES[quantity].dimension, unit)));
    let mut header: Option<Header> = None;
    let mut height_m = None;
    let (mut flags, mut negative) = (0_usize, 0_usize);
    let mut seen = [false; QUANTITIES.len()];
    let (mut days, mut entries) = (false, Vec::new());
    for (line, number) in text.lines().zip(1..) {
        // Old files of DSSAT end with the end-of-file mark of CP/M.
        let line = line.trim_end_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        let trimmed = line.trim_start();
        if trimmed.is_empty() || trimmed.starts_with(['*', '$', '!']) {
            continue;
        }
        if report.is_full() {
            break;
        }
        if trimmed.starts_with('@') {
            let found = Header::new(line);
            let dated = if dialect == Dialect::Dssat { "DATE" } else { "YYYY" };
            days = found.place(dated).is_some();
            if days {
                let names: Vec<&str> = found.names.iter().map(String::as_str).collect();
                for quantity in [MAX, MIN, RAIN] {
                    let is_there = columns.iter().any(|(name, of, _)| *of == quantity && found.place(name).is_some());
                    let is_elsewhere = quantity == RAIN && reading.rain_is_elsewhere;
                    if !is_there && !is_elsewhere {
                        report.missing_column(number, quantity, &names, &names);
                    }
                }
                for (name, quantity, _) in &columns {
                    seen[*quantity] |= found.place(name).is_some();
                }
                let is_read = |name: &str| columns.iter().any(|(known, _, _)| *known == name);
                let is_date = |name: &str| matches!(name, "DATE" | "YYYY" | "MM" | "DD");
                for name in names.iter().filter(|name| !is_read(name) && !is_date(name)) {
                    if !report.provenance.unused.iter().any(|known| known == name) {
                        report.provenance.unused.push((*name).to_owned());
                    }
                }
            }
            header = Some(found);
            continue;
        }
        let Some(header) = &header else { continue };
        let fields = header.fields(line);
        if !days {
            let known = |name: &str| {
                let number: f64 = header.place(name).and_then(|at| fields.get(at)?.parse().ok())?;
                (number > -98.0 || name == "LONG").then_some(number)
            };
            let place = known("LAT").zip(known("LONG")).filter(|place| *place != (0.0, 0.0));
            report.provenance.latitude_degrees = place.map(|place| place.0).filter(|degrees| degrees.abs() <= 90.0);
            report.provenance.longitude_degrees = place.map(|place| place.1).filter(|degrees| degrees.abs() <= 360.0);
            report.provenance.elevation_m = known("ELEV").filter(|metres| *metres != 0.0);
            height_m = known("WNDHT").filter(|metres| (0.5..=200.0).contains(metres));
            continue;
        }
        let text_of = |name: &str| header.place(name).and_then(|at| fields.get(at).copied()).unwrap_or_default();
        let Some(date) = dialect.date(report, number, &text_of) else { continue };
        let mut values: Values = [None; QUANTITIES.len()];
        for (name, quantity, unit) in &columns {
            let (text, is_flagged) = without_flag(text_of(name));
            flags += usize::from(is_flagged);
            let field = Field { line: number, column: name, text };
            let range = QUANTITIES[*quantity].range;
            // A negative value of a quantity that can't be negative means not known.
            let is_negative =
                range.0 == 0.0 && text.starts_with('-') && text.parse::<f64>().is_ok_and(|number| number < 0.0);
            negative += usize::from(is_negative && !CODES.iter().any(|code| text.parse() == Ok(*code)));
            if !is_negative {
                values[*quantity] = report.number(&field, &Expected { range, unit: *unit, days: 1.0, codes: CODES });
            }
        }
        let to_height = height_m.map_or(1.0, |m| wind_share_at_2m(m) / wind_share_at_2m(reading.wind_height_m));
        values[WIND] = values[WIND].map(|speed| speed * to_height);
        entries.push(Entry { line: number, date: Some(date), values });
    }
    if entries.is_empty() && report.errors.is_empty() && !days {
        report.no_header("header line", "a line `@DATE SRAD TMAX TMIN RAIN …` above the days", text);
    }
    if flags > 0 {
        report.provenance.note(format!("values with a flag (a letter after the number), which is ignored: {flags}"));
    }
    if negative > 0 {
        report
            .provenance
            .note(format!("{negative} negative values count as missing, because these quantities can't be negative"));
    }
    let mut names: [String; QUANTITIES.len()] = Default::default();
    for (name, quantity, unit) in columns {
        if seen[quantity] && entries.iter().any(|entry: &Entry| entry.values[quantity].is_some()) {
            report.provenance.origin(quantity, name, unit.name, false);
        }
        if seen[quantity] {
            names[quantity] = name.to_owned();
        }
    }
    Rows { entries, names, date: dialect.date_column().to_owned() }
}

impl Dialect {
    fn date<'a>(self, report: &mut Report<'_>, line: u64, text_of: &impl Fn(&str) -> &'a str) -> Option<Date> {
        let (column, text, expected, found) = match self {
            Self::Dssat => {
                let text = text_of("DATE").to_owned();
                let date = Form::YearAndDay.parse(without_flag(&text).0);
                ("DATE", text, Form::YearAndDay.example(), date)
            }
            Self::Agmip => {
                let number = |name: &str| text_of(name).parse::<u32>().ok();
                let date = || Date::new(number("YYYY")? as i32, number("MM")?, number("DD")?);
                let text = ["YYYY", "MM", "DD"].map(text_of).join(" ");
                ("DD", text, "the numbers of year, month and day", date())
            }
        };
        if found.is_none() {
            report.bad_date(&Field { line, column, text: &text }, expected);
        }
        found
    }
}
