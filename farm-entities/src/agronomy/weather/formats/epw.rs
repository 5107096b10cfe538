//! Hourly weather of EnergyPlus, made into days.
//!
//! Eight lines of headers, the last one `DATA PERIODS`, then a row for each hour (or part of it), of which are read, counted from
//! 0: month 1, day 2, hour 3, dry bulb temperature 6 (°C, missing 99.9), relative humidity 8 (%, 999), wind direction 20 (°, 999)
//! and speed 21 (m/s at 10 m, 999), total sky cover 22 (tenths, 99), liquid precipitation depth 33 (mm, 999). Field 28,
//! "precipitable water", is what the air holds above the place and never rain, so it is not read.
//!
//! Lowest, mean and highest temperature, mean humidity, wind and clouds, and the sum of rain are taken over the hours of a day;
//! the direction is that of the mean wind vector. The year is not looked at: a typical year has its months from different ones.
//! With `missing: interpolate`, a day is missing if more than 6 of its 24 hours are.

use farm_core::math;

use super::error::{Expected, Field, Report, TableError};
use super::series::{Date, Entry, Names};
use super::table::{CLOUDS, DIRECTION, HUMIDITY, MAX, MEAN, MIN, QUANTITIES, RAIN, WIND};
use super::{Missing, Reading};
use crate::agronomy::radiation::wind_share_at_2m;

/// The columns read, by their place in the row.
struct Column {
    field: usize,
    name: &'static str,
    range: (f64, f64),
    unit: &'static str,
    factor: f64,
    missing: f64,
}

const TEMPERATURE: usize = 0;
const MOISTURE: usize = 1;
const FROM: usize = 2;
const SPEED: usize = 3;
const SKY: usize = 4;
const DEPTH: usize = 5;
const COLUMNS: [Column; 6] = [
    column(6, "dry bulb temperature", (-90.0, 70.0), "°C", 1.0, 99.9),
    // Saturated air is sometimes said to have 101 % and more; it is cut off below.
    column(8, "relative humidity", (0.0, 110.0), "%", 1.0, 999.0),
    column(20, "wind direction", (0.0, 360.0), "°", 1.0, 999.0),
    column(21, "wind speed", (0.0, 500.0), "m.s-1", 3.6, 999.0),
    column(22, "total sky cover", (0.0, 100.0), "tenths", 10.0, 99.0),
    column(33, "liquid precipitation depth", (0.0, 500.0), "mm", 1.0, 999.0),
];

const fn column(
    field: usize,
    name: &'static str,
    range: (f64, f64),
    unit: &'static str,
    factor: f64,
    missing: f64,
) -> Column {
    Column { field, name, range, unit, factor, missing }
}

/// Most hours of a day that may be missing.
const MAX_HOURS_MISSING: f64 = 6.0;
/// The fewest fields that a row has: up to the sky cover.
const FEWEST_FIELDS: usize = 23;

/// Sums over the rows of a day.
struct Sums {
    line: u64,
    month: u32,
    day: u32,
    hour: u32,
    rows: f64,
    sums: [f64; COLUMNS.len()],
    known: [f64; COLUMNS.len()],
    min: f64,
    max: f64,
    /// Of the wind: towards the north and the east.
    vector: (f64, f64),
}

impl Sums {
    fn new(line: u64, month: u32, day: u32) -> Self {
        let (sums, known) = ([0.0; COLUMNS.len()], [0.0; COLUMNS.len()]);
        Self { line, month, day, hour: 0, rows: 0.0, sums, known, min: f64::MAX, max: f64::MIN, vector: (0.0, 0.0) }
    }

    fn add(&mut self, values: [Option<f64>; COLUMNS.len()]) {
        self.rows += 1.0;
        for (i, value) in values.iter().enumerate() {
            self.sums[i] += value.unwrap_or(0.0);
            self.known[i] += f64::from(u8::from(value.is_some()));
        }
        if let Some(celsius) = values[TEMPERATURE] {
            (self.min, self.max) = (self.min.min(celsius), self.max.max(celsius));
        }
        if let (Some(from), Some(speed)) = (values[FROM], values[SPEED]) {
            let radians = from.to_radians();
            self.vector.0 += speed * math::cos(radians);
            self.vector.1 += speed * math::sin(radians);
        }
    }

    /// The mean of a column; none if it is known for too few hours.
    fn mean(&self, column: usize) -> Option<f64> {
        let enough = 24.0 * (self.rows - self.known[column]) <= MAX_HOURS_MISSING * self.rows;
        (self.known[column] > 0.0 && enough).then(|| self.sums[column] / self.known[column])
    }

    fn entry(&self, year: i32, wind_factor: f64) -> Entry {
        let mut values = [None; QUANTITIES.len()];
        values[MEAN] = self.mean(TEMPERATURE);
        values[MIN] = values[MEAN].map(|_| self.min);
        values[MAX] = values[MEAN].map(|_| self.max);
        values[HUMIDITY] = self.mean(MOISTURE).map(|percent| percent.min(100.0));
        values[WIND] = self.mean(SPEED).map(|speed| speed * wind_factor);
        values[CLOUDS] = self.mean(SKY);
        values[RAIN] = self.mean(DEPTH).map(|_| self.sums[DEPTH]);
        values[DIRECTION] = self.mean(FROM).and_then(|_| direction_degrees(self.vector));
        Entry { line: self.line, date: Some(Date { year, month: self.month, day: self.day }), values }
    }
}

/// Where a wind comes from whose components are known; none in a calm.
fn direction_degrees((north, east): (f64, f64)) -> Option<f64> {
    let length = (north * north + east * east).sqrt();
    let angle = math::acos(north / length.max(1e-12)).to_degrees();
    (length > 1e-9).then_some(if east < 0.0 { 360.0 - angle } else { angle })
}

/// Whether the first line is that of a place, as in every file of this format.
pub(super) fn starts_with_location(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("LOCATION,"))
}

pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading) -> (Vec<Entry>, Names) {
    let mut names = Names { date: "hour".into(), ..Names::default() };
    for (quantity, column) in
        [(MIN, 0), (MEAN, 0), (MAX, 0), (HUMIDITY, 1), (DIRECTION, 2), (WIND, 3), (CLOUDS, 4), (RAIN, 5)]
    {
        names.quantities[quantity] = COLUMNS[column].name.to_owned();
    }
    let mut lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let is_last = |line: &str| line.get(..12).is_some_and(|start| start.eq_ignore_ascii_case("DATA PERIODS"));
    let expected = "the eight lines of headers of an EPW file, from `LOCATION` to `DATA PERIODS`";
    if !lines.by_ref().any(|(line, _)| is_last(line)) {
        report.no_header("line `DATA PERIODS`", expected, text);
        return (Vec::new(), names);
    }
    if !starts_with_location(text) {
        report.no_header("first line `LOCATION,…`", expected, text);
        return (Vec::new(), names);
    }
    let mut days: Vec<Sums> = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        if report.is_full() {
            break;
        }
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        if fields.len() < FEWEST_FIELDS {
            report.field_count(number, fields.len(), FEWEST_FIELDS);
            continue;
        }
        let Some([month, day, hour]) = time(report, &fields, number) else { continue };
        check_hour(report, days.last(), (month, day, hour), number);
        if days.last().is_none_or(|last| (last.month, last.day) != (month, day)) {
            days.push(Sums::new(number, month, day));
        }
        let values = read_hour(report, &fields, number, reading.missing);
        if let Some(last) = days.last_mut() {
            last.hour = hour;
            last.add(values);
        }
    }
    if let Some(last) = days.last().filter(|last| last.hour != 24 && !report.dates_settled) {
        gap(report, last.line, format!("the end of {}", label(last.month, last.day, last.hour)), last.hour);
    }
    // The hours are checked; the years are only for the order.
    let wind_factor = wind_share_at_2m(10.0) / wind_share_at_2m(reading.wind_height_m);
    let mut year = 2000;
    let mut entries = Vec::new();
    for (i, day) in days.iter().enumerate() {
        year += i32::from(i > 0 && (day.month, day.day) == (1, 1));
        entries.push(day.entry(year, wind_factor));
    }
    report.dates_settled = true;
    (entries, names)
}

/// Month, day and hour of a row.
fn time(report: &mut Report<'_>, fields: &[&str], line: u64) -> Option<[u32; 3]> {
    let parsed = [1, 2, 3].map(|i| fields[i].parse::<u32>().ok());
    if let [Some(month), Some(day), Some(hour)] = parsed {
        // The 29th of February exists in a leap year only, and 2000 is one.
        if Date::new(2000, month, day).is_some() && (1..=24).contains(&hour) {
            return Some([month, day, hour]);
        }
    }
    let text = fields[1..4].join(" ");
    report
        .bad_date(&Field { line, column: "month, day, hour", text: &text }, "a month, a day and an hour from 1 to 24");
    None
}

/// Each hour follows the one before, be it of the same day or the next; parts of an hour repeat it.
fn check_hour(report: &mut Report<'_>, last: Option<&Sums>, (month, day, hour): (u32, u32, u32), line: u64) {
    if report.dates_settled {
        return;
    }
    let Some(last) = last else {
        if hour != 1 {
            gap(report, line, label(month, day, hour), 0);
        }
        return;
    };
    let same_day = (last.month, last.day) == (month, day);
    // A common year goes from the 28th of February to the 1st of March, which is also right in a leap year.
    let next = Date { year: 2000, month: last.month, day: last.day }.next();
    let after = if next.is_leap_day() { next.next() } else { next };
    let next_day = [next, after].iter().any(|date| (date.month, date.day) == (month, day));
    let consecutive = match (same_day, hour) {
        (true, hour) => hour == last.hour || hour == last.hour + 1,
        (false, 1) => next_day && last.hour == 24,
        (false, _) => false,
    };
    if !consecutive {
        let before = label(last.month, last.day, last.hour);
        let expected = if last.hour < 24 {
            format!("hour {} of that day", last.hour + 1)
        } else {
            "hour 1 of the next day".into()
        };
        let (file, column, found) = (report.file(), "hour".to_owned(), label(month, day, hour));
        report.errors.push(TableError::Gap { file, line, column, found, before, expected });
    }
}

fn gap(report: &mut Report<'_>, line: u64, found: String, hour: u32) {
    let (file, column) = (report.file(), "hour".to_owned());
    let before = if hour == 0 { "nothing".into() } else { format!("hour {hour}") };
    report.errors.push(TableError::Gap { file, line, column, found, before, expected: format!("hour {}", hour + 1) });
}

fn label(month: u32, day: u32, hour: u32) -> String {
    format!("hour {hour} of {month:02}-{day:02}")
}

fn read_hour(report: &mut Report<'_>, fields: &[&str], line: u64, missing: Missing) -> [Option<f64>; COLUMNS.len()] {
    std::array::from_fn(|i| {
        let column = &COLUMNS[i];
        let field = Field { line, column: column.name, text: fields.get(column.field).copied().unwrap_or("") };
        let expected =
            Expected { range: column.range, unit: column.unit, factor: column.factor, codes: &[column.missing] };
        let value = report.number(&field, &expected);
        if value.is_none() && missing == Missing::Refuse && matches!(i, TEMPERATURE | DEPTH) {
            let remedy = "`missing: interpolate` leaves out up to 6 hours of a day and fills gaps of at most 7 days";
            let (file, column) = (report.file(), column.name.to_owned());
            report.errors.push(TableError::Missing { file, line, column, remedy });
            return Some(f64::NAN);
        }
        value
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Day, parse};
    use super::*;

    /// A file of some days; `hour` gives temperature, humidity, direction, speed, sky and rain of a day and hour.
    fn file(days: &[(u32, u32)], hour: impl Fn(usize, u32) -> [f64; 6]) -> String {
        let mut text = "LOCATION,Made up,-,FRA,test,1,43.6,3.9,1.0,2\nDESIGN CONDITIONS,0\nTYPICAL/EXTREME PERIODS,0\n\
                        GROUND TEMPERATURES,0\nHOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0\nCOMMENTS 1,x, y\nCOMMENTS 2\n\
                        DATA PERIODS,1,1,Data,Sunday,1/1,12/31\n"
            .to_owned();
        for (i, (month, day)) in days.iter().enumerate() {
            for h in 1..=24 {
                let [t, rh, from, speed, sky, rain] = hour(i, h);
                text += &format!(
                    "{},{month},{day},{h},60,?9?9,{t},1,{rh},101300,0,0,300,0,0,0,0,0,0,0,{from},{speed},{sky},5,10,77777,9,999999999,20,0.1,0,88,0.2,{rain},1.0\n",
                    1990 + i
                );
            }
        }
        text
    }

    fn read(text: &str, missing: Missing) -> Result<Vec<Day>, Vec<String>> {
        let reading = Reading { missing, wind_height_m: 10.0, ..Reading::default() };
        parse("x.epw", text, &reading).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    const TWO: [(u32, u32); 2] = [(1, 1), (1, 2)];

    #[test]
    fn hours_become_days() {
        let text = file(&TWO, |day, h| {
            let (from, speed) = if h <= 12 { (350.0, 5.0) } else { (10.0, 5.0) };
            [f64::from(h), 60.0 + 40.0 * day as f64, from, speed, 5.0, if h == 7 { 2.5 } else { 0.0 }]
        });
        let days = read(&text, Missing::Refuse).unwrap();
        assert_eq!((days[0].min_celsius, days[0].mean_celsius, days[0].max_celsius), (1.0, 12.5, 24.0));
        assert_eq!((days[0].humidity_percent, days[1].humidity_percent), (60.0, 100.0));
        assert_eq!((days[0].wind_km_per_h, days[0].clouds_percent, days[0].rain_mm), (18.0, 50.0, 2.5));
        // Half from 350° and half from 10° is from the north.
        let from = days[0].direction_degrees.unwrap();
        assert!(!(1e-6..=360.0 - 1e-6).contains(&from), "{from}");
    }

    #[test]
    fn missing_hours_are_errors_or_left_out() {
        let holes = |count: u32| {
            file(&[(1, 1), (1, 2), (1, 3)], move |day, h| {
                let lost = day == 1 && h <= count;
                [if lost { 99.9 } else { 10.0 + day as f64 }, 999.0, 999.0, 999.0, 99.0, if lost { 999.0 } else { 0.5 }]
            })
        };
        let errors = read(&holes(1), Missing::Refuse).unwrap_err();
        assert!(errors[0].starts_with("x.epw:33: column `dry bulb temperature`: the value is missing"), "{errors:?}");
        assert!(errors[1].starts_with("x.epw:33: column `liquid precipitation depth`: the value is"), "{errors:?}");
        let days = read(&holes(6), Missing::Interpolate).unwrap();
        assert_eq!((days[1].mean_celsius, days[1].rain_mm), (11.0, 9.0));
        // The sky is not known: 12 mm make it 80 % clouded; wind is 2 m/s at 2 m, so 2.674 m/s at 10 m.
        assert_eq!((days[0].clouds_percent, days[0].direction_degrees), (80.0, None));
        assert!((days[0].wind_km_per_h - 3.6 * 2.0 / 0.7479511).abs() < 1e-4);
        let days = read(&holes(24), Missing::Interpolate).unwrap();
        assert_eq!((days[1].min_celsius, days[1].rain_mm), (11.0, 0.0));
    }

    #[test]
    fn gaps_and_wrong_values_are_located() {
        let good = file(&TWO, |_, _| [10.0, 50.0, 0.0, 1.0, 0.0, 0.0]);
        let lines: Vec<&str> = good.lines().collect();
        let without = |skip: std::ops::Range<usize>| {
            let kept = lines.iter().enumerate().filter(|(i, _)| !skip.contains(i)).map(|(_, line)| format!("{line}\n"));
            kept.collect::<String>()
        };
        assert_eq!(
            read(&without(12..14), Missing::Refuse).unwrap_err(),
            [
                "x.epw:13: column `hour`: hour 7 of 01-01 follows hour 4 of 01-01; expected hour 5 of that day, for rows are consecutive"
            ]
        );
        let gap = read(&file(&[(1, 1), (1, 3)], |_, _| [1.0; 6]), Missing::Refuse).unwrap_err();
        assert!(gap[0].contains("x.epw:33") && gap[0].contains("expected hour 1 of the next day"), "{gap:?}");
        assert!(read(&without(40..60), Missing::Refuse).unwrap_err()[0].contains("the end of hour 8 of 01-02"));
        let wrong = good.replacen(",10,1,50,", ",hot,1,50,", 1);
        assert_eq!(
            read(&wrong, Missing::Refuse).unwrap_err(),
            ["x.epw:9: column `dry bulb temperature`: `hot` is not a number; expected a number from -90 to 70 °C"]
        );
    }

    #[test]
    fn a_typical_year_has_365_days_whatever_its_years() {
        let mut dates = vec![Date { year: 2001, month: 1, day: 1 }];
        while dates.len() < 365 {
            dates.push(dates[dates.len() - 1].next());
        }
        let dates: Vec<(u32, u32)> = dates.iter().map(|date| (date.month, date.day)).collect();
        let text = file(&dates, |day, _| [day as f64 / 10.0, 50.0, 0.0, 1.0, 0.0, 0.0]);
        let days = read(&text, Missing::Refuse).unwrap();
        assert_eq!((days.len(), days[364].mean_celsius), (365, 36.4));
    }
}
