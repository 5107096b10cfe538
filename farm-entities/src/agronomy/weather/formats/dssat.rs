//! Weather of crop models: `.WTH` of DSSAT and `.AgMIP`, which share their looks.
//!
//! Lines that begin with `*`, `$` or `!` are titles and comments; a line that begins with `@` names the columns of those below it, first
//! those of the station (`WNDHT` among them), then those of the days. Fields stand between blanks, or commas.
//!
//! | | DSSAT | AgMIP |
//! |---|---|---|
//! | date | `DATE`: YYDDD (00–35 mean 2000–2035, the others 19YY) or YYYYDDD | `YYYY`, `MM`, `DD` |
//! | `TMAX`, `TMIN`, `RAIN`, `SRAD` | °C, mm, MJ/m² | the same |
//! | `WIND` | km/day | m/s |
//! | humidity | `RHUM` (% mean of the day), `VPRS` (kPa), `DEWP` (°C) | `VPRS` (hPa), `DEWP` (°C), `RHUM` (% when it is warmest) |
//!
//! The first of the humidities that is known counts. -99 means missing.

use super::Reading;
use super::columns::{Header, Known, Row, split};
use super::error::Report;
use super::series::{Date, Entry, Names, clouds_percent, humidity_of_pressure_percent, humidity_percent};
use super::table::{CLOUDS, HUMIDITY, MAX, MIN, QUANTITIES, RAIN, WIND};
use crate::agronomy::radiation::{saturation_vapour_pressure_kpa, wind_share_at_2m};

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Dssat,
    Agmip,
}

const CODES: &[f64] = &[-99.0, -99.9, -999.0];
const DAY_CELSIUS: (f64, f64) = (-90.0, 60.0);
const TMIN: Known = Known { name: "TMIN", range: DAY_CELSIUS, unit: "°C", factor: 1.0 };
const TMAX: Known = Known { name: "TMAX", ..TMIN };
const DEW_POINT: Known = Known { name: "DEWP", ..TMIN };
const RAIN_MM: Known = Known { name: "RAIN", range: (0.0, 2000.0), unit: "mm.day-1", factor: 1.0 };
const SOLAR: Known = Known { name: "SRAD", range: (0.0, 60.0), unit: "MJ.m-2.day-1", factor: 1.0 };
const RELATIVE_HUMIDITY: Known = Known { name: "RHUM", range: (0.0, 100.0), unit: "%", factor: 1.0 };
const WIND_HEIGHT: Known = Known { name: "WNDHT", range: (0.5, 200.0), unit: "m", factor: 1.0 };

impl Dialect {
    /// `WIND`, into km/h.
    fn wind(self) -> Known {
        let (unit, factor) = if self == Self::Dssat { ("km.day-1", 1.0 / 24.0) } else { ("m.s-1", 3.6) };
        Known { name: "WIND", range: QUANTITIES[WIND].range, unit, factor }
    }

    /// `VPRS`, into kPa.
    fn vapour_pressure(self) -> Known {
        let (unit, factor) = if self == Self::Dssat { ("kPa", 1.0) } else { ("hPa", 0.1) };
        Known { name: "VPRS", range: (0.0, 20.0), unit, factor }
    }

    /// Mean relative humidity of the row.
    fn humidity(self, report: &mut Report<'_>, row: &Row<'_>, min: f64, max: f64) -> Option<f64> {
        let relative = row.number(report, &RELATIVE_HUMIDITY, CODES);
        let pressure = row.number(report, &self.vapour_pressure(), CODES);
        let dew_point = row.number(report, &DEW_POINT, CODES);
        // An error is passed on, so that the row is not used.
        if let Some(wrong) = [relative, pressure, dew_point].into_iter().flatten().find(|value| value.is_nan()) {
            return Some(wrong);
        }
        let from_pressure = pressure.map(|kpa| humidity_of_pressure_percent(kpa, min, max));
        let absolute = from_pressure.or_else(|| dew_point.map(|dew_point| humidity_percent(dew_point, min, max)));
        match self {
            Self::Dssat => relative.or(absolute),
            Self::Agmip => absolute.or_else(|| {
                let pressure = relative? / 100.0 * saturation_vapour_pressure_kpa(max);
                Some(humidity_of_pressure_percent(pressure, min, max))
            }),
        }
    }
}

pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading, dialect: Dialect) -> (Vec<Entry>, Names) {
    let mut header: Option<Header> = None;
    let mut height_m = None;
    let (mut days, mut entries) = (false, Vec::new());
    for (line, number) in text.lines().zip(1..) {
        // Old files of DSSAT end with the end-of-file mark of CP/M.
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        if line.is_empty() || line.starts_with(['*', '$', '!']) {
            continue;
        }
        if report.is_full() {
            break;
        }
        if let Some(names) = line.strip_prefix('@') {
            let found = Header::new(number, &split(names));
            days = found.has("DATE") || found.has("YYYY");
            if days {
                let date = if dialect == Dialect::Dssat { "DATE" } else { "YYYY" };
                for column in [date, "TMAX", "TMIN", "RAIN"] {
                    found.need(report, &[column]);
                }
            }
            header = Some(found);
            continue;
        }
        let Some(header) = &header else { continue };
        if days {
            let Some(row) = header.row(report, number, line) else { continue };
            let Some(date) = dialect.date(report, &row) else { continue };
            entries.push(entry(report, &row, date, dialect, reading, height_m));
        } else if header.has("WNDHT") && split(line).len() == header.len() {
            // A station's name may have blanks; then its height is not looked for.
            height_m = header.row(report, number, line).and_then(|row| row.number(report, &WIND_HEIGHT, CODES));
        }
    }
    if entries.is_empty() && report.errors.is_empty() && !days {
        report.no_header("line of headers", "a line `@DATE SRAD TMAX TMIN RAIN …` above the days", text);
    }
    let mut names =
        Names { date: if dialect == Dialect::Dssat { "DATE".into() } else { "DD".into() }, ..Names::default() };
    let columns = [(MIN, "TMIN"), (MAX, "TMAX"), (RAIN, "RAIN"), (WIND, "WIND"), (HUMIDITY, "RHUM")];
    for (quantity, name) in columns.into_iter().filter(|(_, name)| header.as_ref().is_some_and(|h| h.has(name))) {
        names.quantities[quantity] = name.to_owned();
    }
    (entries, names)
}

fn entry(
    report: &mut Report<'_>,
    row: &Row<'_>,
    date: Date,
    dialect: Dialect,
    reading: &Reading,
    height_m: Option<f64>,
) -> Entry {
    let mut values = [None; QUANTITIES.len()];
    values[MIN] = row.number(report, &TMIN, CODES);
    values[MAX] = row.number(report, &TMAX, CODES);
    values[RAIN] = row.number(report, &RAIN_MM, CODES);
    let to_height = height_m.map_or(1.0, |m| wind_share_at_2m(m) / wind_share_at_2m(reading.wind_height_m));
    values[WIND] = row.number(report, &dialect.wind(), CODES).map(|speed| speed * to_height);
    if let (Some(min), Some(max)) = (values[MIN], values[MAX]) {
        values[HUMIDITY] = dialect.humidity(report, row, min, max);
    }
    let solar = row.number(report, &SOLAR, CODES);
    values[CLOUDS] = solar.and_then(|solar| clouds_percent(solar, reading.latitude_degrees, date));
    Entry { line: row.line, date: Some(date), values }
}

impl Dialect {
    fn date(self, report: &mut Report<'_>, row: &Row<'_>) -> Option<Date> {
        let (column, text, expected, found) = match self {
            Self::Dssat => {
                let text = row.text("DATE").to_owned();
                let date = date_of_year_and_day(&text);
                ("DATE", text, "YYDDD or YYYYDDD, such as 21031", date)
            }
            Self::Agmip => {
                let number = |name: &str| row.text(name).parse::<u32>().ok();
                let date = || Date::new(number("YYYY")? as i32, number("MM")?, number("DD")?);
                let text = ["YYYY", "MM", "DD"].map(|name| row.text(name)).join(" ");
                ("DD", text, "the numbers of year, month and day", date())
            }
        };
        if found.is_none() {
            row.bad_date(report, column, &text, expected);
        }
        found
    }
}

/// The date of YYDDD or YYYYDDD.
fn date_of_year_and_day(text: &str) -> Option<Date> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let split = text.len().checked_sub(3).filter(|at| digits && matches!(at, 2 | 4))?;
    let (year, day): (i32, u32) = (text[..split].parse().ok()?, text[split..].parse().ok()?);
    let year = match (split, year) {
        (4, year) => year,
        (_, 0..=35) => 2000 + year,
        _ => 1900 + year,
    };
    Date::of_day(year, day)
}

#[cfg(test)]
mod tests {
    use super::super::{Day, parse};
    use super::*;

    fn read(text: &str) -> Result<Vec<Day>, Vec<String>> {
        let reading = Reading { latitude_degrees: 43.61, ..Reading::default() };
        parse("X.WTH", text, &reading).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    const HEAD: &str = "*WEATHER DATA : Somewhere, on a hill\n\n! made up\n@ INSI      LAT     LONG  ELEV   TAV   AMP REFHT WNDHT\n  SOME   43.610    3.900    27  15.0   8.0   2.0  10.0\n";

    #[test]
    fn dates_have_two_or_four_digits_of_the_year() {
        for (text, date) in
            [("95001", (1995, 1, 1)), ("00060", (2000, 2, 29)), ("35365", (2035, 12, 31)), ("2021032", (2021, 2, 1))]
        {
            assert_eq!(date_of_year_and_day(text), Date::new(date.0, date.1, date.2), "{text}");
        }
        for text in ["", "5", "21366", "21000", "210101", "ab001"] {
            assert_eq!(date_of_year_and_day(text), None, "{text}");
        }
    }

    #[test]
    fn dssat_is_read_with_wind_in_kilometres_per_day() {
        let text = format!(
            "{HEAD}\n@DATE  SRAD  TMAX  TMIN  RAIN  DEWP  WIND   PAR  EVAP  RHUM\n21001   5.7  10.0   2.0   0.3   -99   240   -99   -99    77\n\
             *WEATHER DATA : Somewhere\n@  DATE  SRAD  TMAX  TMIN  RAIN  DEWP  WIND\n2021002   -99  11.0   3.0   1.3   3.0   -99\n\u{1a}"
        );
        let days = read(&text).unwrap();
        assert_eq!((days.len(), days[0].mean_celsius, days[0].rain_mm, days[0].humidity_percent), (2, 6.0, 0.3, 77.0));
        // 10 km/h at 10 m are 7.479511 km/h at 2 m (refet); FAO-56 Eq. 47 is not quite 1 at 2 m, but 1.0002.
        assert!((days[0].wind_km_per_h / 7.479511 - 1.0).abs() < 3e-4);
        // R_a is 11.602824 at 43.61° on day 1 (refet).
        assert!((days[0].clouds_percent - 100.0 * (1.0 - (5.7 / 11.602824 - 0.25) / 0.5)).abs() < 1e-3);
        assert!((days[1].wind_km_per_h / 7.2 - 1.0).abs() < 3e-4 && days[1].clouds_percent == 80.0);
        // The dew point is the lowest temperature: e⁰(3) = 0.7581, e⁰(11) = 1.3127 kPa.
        assert!((days[1].humidity_percent - 200.0 * 0.7581 / 2.0708).abs() < 0.1);
    }

    #[test]
    fn agmip_is_read_with_wind_in_metres_per_second_and_humidity_when_it_is_warmest() {
        let text = "* made up\n@ INSI LAT LONG ELEV TAV AMP REFHT WNDHT\n SOME 43 3 27 15 8 2 2\n\
             @DATE    YYYY  MM  DD  SRAD  TMAX  TMIN  RAIN  WIND   DEWP  VPRS  RHUM\n\
             2021001  2021   1   1   5.7  10.0   2.0   0.3   2.5  -99.0  7.10  30\n\
             2021002  2021   1   2   -99  10.0   2.0   0.0   -99  -99.0  -99   50\n";
        let days = read(text).unwrap();
        // e⁰(2) = 0.7057, e⁰(10) = 1.2280 kPa.
        assert!((days[0].humidity_percent - 200.0 * 0.71 / 1.9337).abs() < 0.1);
        assert!((days[1].humidity_percent - 200.0 * 0.5 * 1.2280 / 1.9337).abs() < 0.1);
        assert!((days[0].wind_km_per_h - 9.0).abs() < 1e-9);
        let commas = text.lines().skip(3).map(|line| line.split_whitespace().collect::<Vec<_>>().join(",") + "\n");
        assert_eq!(read(&commas.collect::<String>()).unwrap()[0], days[0]);
    }

    #[test]
    fn errors_name_row_and_column() {
        let text = "@DATE  SRAD  TMAX  TMIN  RAIN\n21001   5.7  10.0   2.0   -99\n21002   5.7   1.0   2.0   0.0\n21004   5.7  10.0   x\n";
        assert_eq!(
            read(text).unwrap_err(),
            [
                "X.WTH:2: column `RAIN`: the value is missing; `missing: interpolate` fills gaps of at most 7 days",
                "X.WTH:3: column `TMAX`: 1 °C is below the lowest temperature, 2 °C; expected 2 °C or more",
                "X.WTH:4: the row has 4 fields; expected 5, as in the line of headers",
            ]
        );
        assert_eq!(
            read("@DATE TMAX TMIN RAIN\n20366 9 1 0\n21001 9 1 0\n21003 9 1 0\n21099x 9 1 0\n").unwrap_err(),
            ["X.WTH:5: column `DATE`: `21099x` is not a valid date; expected YYDDD or YYYYDDD, such as 21031"]
        );
        assert_eq!(
            read("@DATE TMAX TMIN RAIN\n20366 9 1 0\n21001 9 1 0\n21003 9 1 0\n").unwrap_err(),
            ["X.WTH:4: column `DATE`: 2021-01-03 follows 2021-01-01; expected 2021-01-02, for rows are consecutive"]
        );
        assert_eq!(
            read("@DATE TMAX TMIN\n21001 9 1\n").unwrap_err(),
            ["X.WTH:1: column `RAIN` is missing; expected one of the headers `RAIN`"]
        );
        let late = read("@DATE TMAX TMIN RAIN\n21100 9 1 0\n").unwrap_err();
        assert!(late[0].contains("there is no 1st of January"), "{late:?}");
    }
}
