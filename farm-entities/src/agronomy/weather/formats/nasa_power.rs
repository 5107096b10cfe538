//! Daily CSV of NASA's POWER project.
//!
//! A block from `-BEGIN HEADER-` to `-END HEADER-`, a line of headers, a row for each day: `YEAR,MO,DY` or `YEAR,DOY`, then the
//! chosen parameters. Read are `T2M`, `T2M_MIN`, `T2M_MAX` (°C), `RH2M` (%), `WS2M` or `WS10M` (m/s), `WD2M` or `WD10M` (°),
//! `PRECTOTCORR` or the older `PRECTOT` (mm/day), `CLOUD_AMT` (%), `ALLSKY_SFC_SW_DWN` (MJ/m²/day). -999 means missing.

use super::Reading;
use super::columns::{Header, Known, Row, split};
use super::error::Report;
use super::series::{Date, Entry, Names, clouds_percent};
use super::table::{CLOUDS, DIRECTION, HUMIDITY, MAX, MEAN, MIN, QUANTITIES, RAIN, WIND};
use crate::agronomy::radiation::wind_share_at_2m;

const CODES: &[f64] = &[-999.0, -99.0];
const SOLAR: Known = Known { name: "ALLSKY_SFC_SW_DWN", range: (0.0, 60.0), unit: "MJ.m-2.day-1", factor: 1.0 };

/// The columns that are a quantity, the preferred one first.
const COLUMNS: &[(usize, &str, f64)] = &[
    (MIN, "T2M_MIN", 1.0),
    (MEAN, "T2M", 1.0),
    (MAX, "T2M_MAX", 1.0),
    (HUMIDITY, "RH2M", 1.0),
    (RAIN, "PRECTOTCORR", 1.0),
    (RAIN, "PRECTOT", 1.0),
    (WIND, "WS2M", 3.6),
    (WIND, "WS10M", 3.6),
    (CLOUDS, "CLOUD_AMT", 1.0),
    (DIRECTION, "WD2M", 1.0),
    (DIRECTION, "WD10M", 1.0),
];

pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading) -> (Vec<Entry>, Names) {
    let mut lines =
        text.lines().zip(1..).map(|(line, number)| (line.trim(), number)).filter(|(line, _)| !line.is_empty());
    let is_header = |line: &str| split(line).first().is_some_and(|name| name.eq_ignore_ascii_case("YEAR"));
    let Some((line, number)) = lines.by_ref().find(|(line, _)| is_header(line)) else {
        let expected = "a line `YEAR,MO,DY,…` or `YEAR,DOY,…` below `-END HEADER-`";
        report.no_header("line of headers", expected, text);
        return Default::default();
    };
    let header = Header::new(number, &split(line));
    header.need(report, &["T2M_MIN"]);
    header.need(report, &["T2M_MAX"]);
    header.need(report, &["PRECTOTCORR", "PRECTOT"]);
    header.need(report, &["DOY", "DY"]);
    let mut names = Names { date: if header.has("DOY") { "DOY".into() } else { "DY".into() }, ..Names::default() };
    let mut chosen = [None; QUANTITIES.len()];
    for (quantity, name, factor) in COLUMNS.iter().filter(|(_, name, _)| header.has(name)) {
        if chosen[*quantity].is_none() {
            chosen[*quantity] = Some((*name, *factor));
            names.quantities[*quantity] = (*name).to_owned();
        }
    }
    if let Some((name, factor)) = &mut chosen[WIND] {
        let height_m = if *name == "WS10M" { 10.0 } else { 2.0 };
        *factor *= wind_share_at_2m(height_m) / wind_share_at_2m(reading.wind_height_m);
    }
    let mut entries = Vec::new();
    for (line, number) in lines {
        if report.is_full() {
            break;
        }
        let Some(row) = header.row(report, number, line) else { continue };
        let Some(date) = date(report, &row, &names.date) else { continue };
        let mut values = chosen.map(|_| None);
        for (quantity, column) in chosen.iter().enumerate() {
            let Some((name, factor)) = *column else { continue };
            let Known { range, unit, .. } = known(quantity);
            values[quantity] = row.number(report, &Known { name, range, unit, factor }, CODES);
        }
        let solar = row.number(report, &SOLAR, CODES);
        values[CLOUDS] = values[CLOUDS].or_else(|| clouds_percent(solar?, reading.latitude_degrees, date));
        entries.push(Entry { line: number, date: Some(date), values });
    }
    (entries, names)
}

/// Range and unit in the file of a quantity.
fn known(quantity: usize) -> Known {
    let unit = match quantity {
        MIN | MEAN | MAX => "°C",
        HUMIDITY | CLOUDS => "%",
        RAIN => "mm.day-1",
        WIND => "m.s-1",
        _ => "°",
    };
    Known { name: "", range: QUANTITIES[quantity].range, unit, factor: 1.0 }
}

fn date(report: &mut Report<'_>, row: &Row<'_>, column: &str) -> Option<Date> {
    let number = |name: &str| row.text(name).parse::<u32>().ok();
    let found = number("YEAR").and_then(|year| match column {
        "DOY" => Date::of_day(year as i32, number("DOY")?),
        _ => Date::new(year as i32, number("MO")?, number("DY")?),
    });
    if found.is_none() {
        let text = ["YEAR", "MO", "DY", "DOY"].map(|name| row.text(name)).join(" ");
        row.bad_date(report, column, text.trim(), "a year with a day of the year, or with a month and a day");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Day, parse};
    use super::*;

    const HEAD: &str = "-BEGIN HEADER-\nNASA/POWER Daily\nThe value for missing data: -999\n-END HEADER-\n";

    fn read(text: &str, reading: &Reading) -> Result<Vec<Day>, Vec<String>> {
        parse("p.csv", text, reading).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn both_forms_of_dates_and_both_heights_of_wind_are_read() {
        let text = format!(
            "{HEAD}YEAR,DOY,T2M,T2M_MIN,T2M_MAX,RH2M,WS2M,PRECTOTCORR\n2021,1,4,1,8,80,2.5,3.1\n2021,2,5,2,9,-999,2.5,0\n"
        );
        let days = read(&text, &Reading::default()).unwrap();
        assert_eq!((days[0].min_celsius, days[0].mean_celsius, days[0].max_celsius), (1.0, 4.0, 8.0));
        assert_eq!((days[0].wind_km_per_h, days[0].rain_mm, days[0].clouds_percent), (9.0, 3.1, 80.0));
        // e⁰(2) = 0.7057, e⁰(9) = 1.1481 kPa (FAO-56 table 2.3: 0.705 and 1.148).
        assert!((days[1].humidity_percent - 100.0 * 0.7057 / 0.9269).abs() < 0.1);
        let text = format!("{HEAD}YEAR,MO,DY,T2M_MIN,T2M_MAX,WS10M,PRECTOTCORR\n2021,1,1,1,8,10,0\n");
        let day = read(&text, &Reading::default()).unwrap()[0];
        // 10 m/s at 10 m are 7.479511 m/s at 2 m (refet); FAO-56 Eq. 47 is not quite 1 at 2 m, but 1.0002.
        assert!((day.wind_km_per_h / (3.6 * 7.479511) - 1.0).abs() < 3e-4 && day.mean_celsius == 4.5);
    }

    #[test]
    fn errors_name_row_and_column() {
        let text = format!(
            "{HEAD}YEAR,DOY,T2M_MIN,T2M_MAX,PRECTOTCORR\n2021,1,1,8,0\n2021,2,-999,8,x\n2021,2,1,8\n2021,366,1,8,0\n"
        );
        assert_eq!(
            read(&text, &Reading::default()).unwrap_err(),
            [
                "p.csv:7: column `PRECTOTCORR`: `x` is not a number; expected a number from 0 to 2000 mm.day-1",
                "p.csv:7: column `T2M_MIN`: the value is missing; `missing: interpolate` fills gaps of at most 7 days",
                "p.csv:8: the row has 4 fields; expected 5, as in the line of headers",
                "p.csv:9: column `DOY`: `2021   366` is not a valid date; expected a year with a day of the year, or with a month and a day",
            ]
        );
        let text = format!("{HEAD}YEAR,DOY,T2M_MIN,T2M_MAX,PRECTOTCORR\n2021,1,1,8,0\n2021,3,1,8,0\n");
        let gap = "p.csv:7: column `DOY`: 2021-01-03 follows 2021-01-01; expected 2021-01-02, for rows are consecutive";
        assert_eq!(read(&text, &Reading::default()).unwrap_err(), [gap]);
        let missing = read(&format!("{HEAD}YEAR,DOY,T2M_MIN,T2M_MAX\n2021,1,1,8\n"), &Reading::default()).unwrap_err();
        assert_eq!(
            missing,
            ["p.csv:5: column `PRECTOTCORR` is missing; expected one of the headers `PRECTOTCORR`, `PRECTOT`"]
        );
    }
}
