//! The same days written in many ways come back equal.

use farm_core::math;

use super::super::quantities::{HUMIDITY, MAX, MEAN, MIN, QUANTITIES, RAIN, SOLAR, WIND};
use super::super::units::{find, known};
use super::*;

/// Consecutive days with every quantity, from a start date.
fn days(count: usize) -> Vec<Day> {
    let day = |i: usize| {
        let x = i as f64;
        let mean = 11.0 + 9.0 * math::sin(x / 58.0);
        Day {
            min_celsius: mean - 4.25,
            mean_celsius: mean,
            max_celsius: mean + 5.5,
            humidity_percent: 40.0 + x % 50.0,
            rain_mm: if i.is_multiple_of(3) { 0.25 * (x % 17.0) } else { 0.0 },
            wind_km_per_h: 3.0 + x % 11.0,
            clouds_percent: x % 100.0,
            direction_degrees: Some(x % 360.0),
            solar_mj: Some(10.0 + x % 9.0),
        }
    };
    (0..count).map(day).collect()
}

fn assert_near(found: &[Day], expected: &[Day], share: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let numbers = |day: &Day| {
        [
            day.min_celsius,
            day.mean_celsius,
            day.max_celsius,
            day.humidity_percent,
            day.rain_mm,
            day.wind_km_per_h,
            day.solar_mj.unwrap_or(-1.0),
        ]
    };
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (quantity, (found, expected)) in numbers(found).into_iter().zip(numbers(expected)).enumerate() {
            assert!(
                (found - expected).abs() <= share * expected.abs().max(1.0),
                "{what}, day {i}, quantity {quantity}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn our_own_table_comes_back_equal_from_any_date_on() {
    for (first, count) in [(Some((2020, 10, 1)), 800), (Some((2021, 1, 1)), 365), (None, 40)] {
        let first = first.and_then(|(year, month, day)| Date::new(year, month, day));
        let mut series = Series { days: days(count), first, provenance: Provenance::default(), findings: Vec::new() };
        series.provenance.latitude_degrees = Some(45.25);
        series.provenance.longitude_degrees = Some(-5.5);
        series.provenance.elevation_m = Some(120.0);
        let back = read(&series.to_csv());
        assert_eq!((back.days, back.first), (series.days, first));
        assert_eq!((back.provenance.latitude_degrees, back.provenance.longitude_degrees), (Some(45.25), Some(-5.5)));
        assert_eq!(back.provenance.elevation_m, Some(120.0));
        assert!(back.provenance.origins.iter().all(|origin| !origin.is_assumed), "{:?}", back.provenance);
    }
}

/// The same days in every unit of the table.
#[test]
fn days_in_any_unit_come_back_equal() {
    let expected = days(400);
    type Value = fn(&Day) -> f64;
    let columns: [(usize, Value); 7] = [
        (MIN, |day| day.min_celsius),
        (MEAN, |day| day.mean_celsius),
        (MAX, |day| day.max_celsius),
        (HUMIDITY, |day| day.humidity_percent),
        (RAIN, |day| day.rain_mm),
        (WIND, |day| day.wind_km_per_h),
        (SOLAR, |day| day.solar_mj.unwrap_or_default()),
    ];
    let mut tried = 0;
    for (changed, _) in columns {
        let dimension = QUANTITIES[changed].dimension;
        for unit in known(dimension) {
            let mut text = "Date".to_owned();
            for (quantity, _) in columns {
                let of_quantity = QUANTITIES[quantity].dimension;
                let unit = if quantity == changed { unit } else { known(of_quantity).next().unwrap() };
                text += &format!(",{}#{unit}", QUANTITIES[quantity].key);
            }
            text.push('\n');
            let mut date = Date::new(2021, 3, 1).unwrap();
            for day in &expected {
                text += &date.to_string();
                for (quantity, value) in columns {
                    let of_quantity = QUANTITIES[quantity].dimension;
                    let number = if quantity == changed {
                        find(of_quantity, unit).unwrap().back(value(day), 1.0)
                    } else {
                        value(day)
                    };
                    text += &format!(",{number}");
                }
                text.push('\n');
                date = date.next();
            }
            assert_near(&read(&text).days, &expected, 1e-9, &format!("{changed} in {unit}"));
            tried += 1;
        }
    }
    assert!(tried >= 40, "{tried} units");
}

/// The same days in other programs' formats, within the precision of these formats.
#[test]
fn days_in_formats_of_others_come_back_equal() {
    let expected = days(400);
    let from = Date::new(2021, 1, 1).unwrap();
    let dated = |write: &dyn Fn(Date, &Day) -> String| {
        let (mut date, mut text) = (from, String::new());
        for day in &expected {
            text += &(write(date, day) + "\n");
            date = date.next();
        }
        text
    };
    let solar = |day: &Day| day.solar_mj.unwrap();
    let of_year = |date: Date| date.day_index() + 1;
    let power = "-BEGIN HEADER-\nALLSKY_SFC_SW_DWN Irradiance (kW-hr/m^2/day)\n-END HEADER-\nYEAR,DOY,T2M_MIN,T2M,T2M_MAX,RH2M,PRECTOTCORR,WS2M,ALLSKY_SFC_SW_DWN\n".to_owned()
        + &dated(&|date, day| format!("{},{},{},{},{},{},{},{},{}", date.year, of_year(date), day.min_celsius, day.mean_celsius, day.max_celsius, day.humidity_percent, day.rain_mm, day.wind_km_per_h / 3.6, solar(day) / 3.6));
    assert_near(&read(&power).days, &expected, 1e-9, "NASA POWER");
    let apsim = "[weather.met.weather]\nyear day radn maxt mint meant rain rh wind\n() () (MJ/m2) (oC) (oC) (oC) (mm) (%) (m/s)\n".replace("meant", "tmean")
        + &dated(&|date, day| format!("{} {} {} {} {} {} {} {} {}", date.year, of_year(date), solar(day), day.max_celsius, day.min_celsius, day.mean_celsius, day.rain_mm, day.humidity_percent, day.wind_km_per_h / 3.6));
    assert_near(&read(&apsim).days, &expected, 1e-9, "APSIM");
    // A tenth of a degree, a millimetre and a megajoule; the mean is the middle.
    let middle: Vec<Day> =
        expected.iter().map(|day| Day { mean_celsius: 0.5 * (day.min_celsius + day.max_celsius), ..*day }).collect();
    let dssat = "@DATE  SRAD  TMAX  TMIN  RAIN  WIND  RHUM\n".to_owned()
        + &dated(&|date, day| {
            format!(
                "{:02}{:03} {:5.1} {:5.1} {:5.1} {:5.1} {:5.0} {:5.1}",
                date.year % 100,
                of_year(date),
                solar(day),
                day.max_celsius,
                day.min_celsius,
                day.rain_mm,
                day.wind_km_per_h * 24.0,
                day.humidity_percent
            )
        });
    let found = parse("x.WTH", &dssat, &Reading::default()).unwrap();
    assert_near(&found.days, &middle, 0.06, "DSSAT");
    let cabo = "* station\n 5.0 45.0 100. 0.18 0.55\n".to_owned()
        + &dated(&|date, day| {
            format!(
                " 1 {} {} {:.1} {:.4} {:.4} -99. {:.4} {:.4}",
                date.year,
                of_year(date),
                1000.0 * solar(day),
                day.min_celsius,
                day.max_celsius,
                day.wind_km_per_h / 3.6,
                day.rain_mm
            )
        });
    let found = read(&cabo).days;
    let as_estimated: Vec<Day> = middle
        .iter()
        .zip(&found)
        .map(|(day, found)| Day { humidity_percent: found.humidity_percent, ..*day })
        .collect();
    assert_near(&found, &as_estimated, 1e-3, "CABO");
}
