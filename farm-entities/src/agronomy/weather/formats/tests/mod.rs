//! Reads files in the forms that people have.

mod written;

use farm_core::math;

use super::*;

fn read(text: &str) -> Series {
    parse("w.csv", text, &Reading::default()).unwrap_or_else(|errors| panic!("{}\n{text}", said(&errors)))
}

fn said(errors: &[TableError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn messages(text: &str) -> Vec<String> {
    parse("w.csv", text, &Reading::default()).unwrap_err().iter().map(ToString::to_string).collect()
}

const PAPER: &str = "Tmin,Tmax,T,RH,U,Rain\n5,15,10,70,18,1\n4,14,9,80,36,0\n";

#[test]
fn the_six_columns_of_the_paper_are_read_with_default_clouds() {
    let series = read(PAPER);
    let wet = Day {
        min_celsius: 5.0,
        mean_celsius: 10.0,
        max_celsius: 15.0,
        humidity_percent: 70.0,
        rain_mm: 1.0,
        wind_km_per_h: 18.0,
        clouds_percent: 80.0,
        direction_degrees: None,
        solar_mj: None,
    };
    assert_eq!((series.days[0], series.first), (wet, None));
    assert_eq!((series.days.len(), series.days[1].clouds_percent, series.days[1].wind_km_per_h), (2, 30.0, 36.0));
    let assumed = series.provenance.source_of("wind speed").unwrap();
    assert!(assumed.is_assumed && assumed.unit == "km/h", "{assumed:?}");
}

#[test]
fn columns_stand_in_any_order_between_any_signs_in_any_encoding() {
    let table =
        "Date,T,Tmax,Tmin,Humidity,Rain,Clouds,WindSpeed,WindDirection\n2021-01-01,10.5,15,5,70,2.5,40,18,270\n";
    let day = read(table).days[0];
    assert_eq!((day.mean_celsius, day.max_celsius, day.min_celsius, day.rain_mm), (10.5, 15.0, 5.0, 2.5));
    assert_eq!((day.clouds_percent, day.direction_degrees), (40.0, Some(270.0)));
    for sign in [";", "\t", "|", " "] {
        let other = table.replace(',', sign);
        assert_eq!(read(&other).days, [day], "{other}");
        if sign != " " {
            assert_eq!(read(&other.replace('.', ",")).days, [day], "decimal commas: {other}");
        }
    }
    let utf_16 = [&[0xff, 0xfe][..], &table.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()].concat();
    let series = parse_bytes("w.csv", utf_16, &Reading::default()).unwrap();
    assert_eq!(series.days, [day]);
    assert!(series.provenance.notes.iter().any(|note| note.contains("UTF-16")));
}

/// The same quantity on a day, in all units of the table.
#[test]
fn a_unit_is_converted_or_refused_and_said_if_it_is_assumed() {
    let day = |header: &str, value: &str| {
        read(&format!("Date,Tmin,Tmax,Rain,{header}\n2021-07-01,5,15,1,{value}\n2021-07-02,5,15,1,{value}\n")).days[0]
    };
    for (header, value, expected) in [
        ("U#m.s-1", "10", 36.0),
        ("wind (kn)", "10", 18.52),
        ("U [km/day]", "240", 10.0),
        ("windspeed_mph", "10", 16.09344),
    ] {
        assert!((day(header, value).wind_km_per_h - expected).abs() < 1e-9, "{header}");
    }
    for (header, value) in [
        ("SRAD#MJ.m-2.day-1", "18"),
        ("SRAD (kW-hr/m^2/day)", "5"),
        ("SRAD (kJ/m²)", "18000"),
        ("SRAD (J/m2)", "18000000"),
        ("SRAD (Wh/m²)", "5000"),
        ("SRAD (W/m²)", "208.33333333333334"),
    ] {
        assert!((day(header, value).solar_mj.unwrap() - 18.0).abs() < 1e-9, "{header}");
    }
    for (header, value) in [("RH (%)", "65"), ("RH#share", "0.65")] {
        assert!((day(header, value).humidity_percent - 65.0).abs() < 1e-9, "{header}");
    }
    for (headers, values) in
        [("Tmin (°F),Tmax (°F),Rain (in)", "41,59,0.1"), ("Tmin [K],Tmax [K],Rain (cm)", "278.15,288.15,0.254")]
    {
        let day = read(&format!("Date,{headers}\n2021-07-01,{values}\n")).days[0];
        assert!((day.min_celsius - 5.0).abs() < 1e-9 && (day.max_celsius - 15.0).abs() < 1e-9, "{headers}");
        assert!((day.rain_mm - 2.54).abs() < 1e-9, "{headers}");
    }
    assert_eq!(
        messages("Date,Tmin#furlong,Tmax,Rain\n2021-01-01,5,15,1\n"),
        ["w.csv:1: column `Tmin#furlong` has the unit `furlong`; expected `°C`, `°F`, `K`"]
    );
    assert_eq!(
        messages("Date,Tmin,Tmax,U#m.s-1,Rain\n2021-01-01,5,15,180,1\n"),
        ["w.csv:2: column `U#m.s-1`: `180` is out of range; expected a number from 0 to 138.888889 m/s"]
    );
}

#[test]
fn every_error_names_file_line_column_value_and_expectation_and_one_cause_is_one_error() {
    let text = "# a comment counts as a line\nTmin,Tmax,T,RH,U,Rain\n5,15,x,70,18,0\n5,15,10,-5,inf,-1\n16,15,15.5,70,18,0\n\
                5,15,15.6,70,18,0\n5,15,10,70,18\n5,15,10,70,18,0,0\n5,15,y,70,18,0\n5,15,z,70,18,0\n";
    assert_eq!(
        messages(text),
        [
            "w.csv:3: column `T`: `x` is not a number; expected a number from -90 to 60 °C; the same in 2 more rows, the last one in line 10",
            "w.csv:4: column `RH`: `-5` is out of range; expected a number from 0 to 100 %",
            "w.csv:4: column `Rain`: `-1` is out of range; expected a number from 0 to 2000 mm",
            "w.csv:4: column `U`: `inf` is not a finite number; expected a number from 0 to 500 km/h",
            "w.csv:5: column `Tmax`: 15 °C is below the lowest temperature, 16 °C; expected 16 °C or more",
            "w.csv:6: column `T`: 15.6 °C is outside the extremes of the day; expected a number from 5 to 15 °C",
            "w.csv:7: the row has 5 fields; expected 6, as in the header line",
            "w.csv:8: the row has 7 fields; expected 6, as in the header line",
        ]
    );
    assert_eq!(
        messages("Tmin,Tmax,Rain\nx,5,0\n5,y,0\n"),
        [
            "w.csv:2: column `Tmin`: `x` is not a number; expected a number from -90 to 60 °C",
            "w.csv:3: column `Tmax`: `y` is not a number; expected a number from -90 to 60 °C",
        ],
        "one that is wrong is no bound of another"
    );
}

#[test]
fn missing_columns_are_named_and_of_several_that_mean_the_same_one_counts() {
    assert_eq!(
        messages("Date,Tmin,Tmax,Pluviometry\n2021-01-01,5,15,0\n"),
        ["w.csv:1: no column contains the rain; expected a header such as `Rain`, `precipitationsum`, `precipitation`"]
    );
    let series = read("Date,Tmin,Tmax,rain_sum,precipitation_sum\n2021-01-01,5,15,1,3\n");
    assert_eq!(series.days[0].rain_mm, 3.0);
    assert_eq!(series.provenance.unused, ["rain_sum"]);
    let reading = Reading { columns: vec![("Rain".into(), "Pluviometry".into())], ..Reading::default() };
    let text = "Date,Tmin,Tmax,Pluviometry\n2021-01-01,5,15,4\n";
    assert_eq!(parse("w.csv", text, &reading).unwrap().days[0].rain_mm, 4.0);
    let reading = Reading { columns: vec![("Rain".into(), "Pluviometr".into())], ..Reading::default() };
    let errors = parse("w.csv", text, &reading).unwrap_err();
    assert!(said(&errors).contains("`columns` names the header `Pluviometr`"), "{}", said(&errors));
    assert_eq!(errors.iter().find_map(TableError::nearest), Some("Pluviometry"));
}

#[test]
fn a_table_without_rows_and_a_file_that_is_none_are_errors() {
    let empty = "w.csv: the weather table has no rows; expected a header line and a line for each day";
    for text in ["", "# nothing\n", "Tmin,Tmax,T,RH,U,Rain\n"] {
        assert_eq!(messages(text), [empty], "{text}");
    }
    let error = super::read(Path::new("no/such/weather.csv"), &Reading::default()).unwrap_err();
    assert_eq!(error[0].to_string(), "no/such/weather.csv: there is no such weather table");
    for (bytes, what) in [
        (&b"PK\x03\x04xl"[..], "spreadsheet"),
        (b" {\"daily\": 1}", "JSON"),
        (b"CDF\x01", "NetCDF"),
        (b"<html>", "XML"),
    ] {
        let errors = parse_bytes("w.bin", bytes.to_vec(), &Reading::default()).unwrap_err();
        assert!(errors.len() == 1 && errors[0].to_string().contains(what), "{}", said(&errors));
    }
}

/// A row for each day from a start date, with the day of the year as its mean temperature.
fn year(header: &str, from: Date, days: usize, write: impl Fn(Date) -> String) -> String {
    let mut text = format!("{header},Tmin,Tmax,Rain\n");
    let mut date = from;
    for _ in 0..days {
        let celsius = f64::from(date.day_index()) / 10.0;
        text += &format!("{},{},{},{}\n", write(date), celsius - 5.0, celsius + 5.0, date.day);
        date = date.next();
    }
    text
}

#[test]
fn a_date_is_heeded_however_it_is_written() {
    let from = Date::new(2020, 10, 1).unwrap();
    let two = |date: Date| format!("{:02}/{:02}/{}", date.day, date.month, date.year);
    type Write = fn(Date) -> String;
    let forms: [(&str, Write); 11] = [
        ("Date", |d| d.to_string()),
        ("time", |d| format!("{d}T00:00")),
        ("timestamp", |d| format!("{d}T00:00:00+02:00")),
        ("datetime", |d| format!("{d} 12:00:00")),
        ("Date", |d| format!("{:02}.{:02}.{}", d.day, d.month, d.year)),
        ("DATE", |d| format!("{:02}/{:02}/{}", d.month, d.day, d.year)),
        ("Year,Month,Day", |d| format!("{},{},{}", d.year, d.month, d.day)),
        ("YEAR,MO,DY", |d| format!("{},{:02},{:02}", d.year, d.month, d.day)),
        ("W_DATE", |d| format!("{:04}{:02}{:02}", d.year, d.month, d.day)),
        ("day", |d| d.to_string()),
        ("date", |d| format!("{:02}-{}-{}", d.day, &dates::MONTHS[(d.month - 1) as usize][..3].to_uppercase(), d.year)),
    ];
    let expected = read(&year("Date", from, 300, |d| d.to_string()));
    assert_eq!((expected.first, expected.days.len()), (Some(from), 300));
    assert_eq!(expected.last(), Date::new(2021, 7, 27));
    for (header, write) in forms {
        let text = year(header, from, 300, write);
        let series = read(&text);
        assert_eq!((series.first, &series.days), (expected.first, &expected.days), "{}", &text[..80]);
    }
    let by_day =
        |d: Date| format!("{},{}", d.year, d.day_index() + 1 + u32::from(dates::is_leap(d.year) && d.month > 2));
    assert_eq!(read(&year("Year,DOY", from, 300, by_day)).days, expected.days);
    assert_eq!(read(&year("Date", from, 300, two)).first, Some(from), "the whole column says which is the day");
    let days_since = |d: Date| (0..).find(|n| Date::of_epoch(*n) == Some(d)).unwrap();
    assert_eq!(read(&year("time", from, 300, |d| (days_since(d) * 86_400).to_string())).first, Some(from));
    assert_eq!(read(&year("time", from, 300, |d| days_since(d).to_string())).first, Some(from));
}

#[test]
fn gaps_repeats_and_dates_that_are_not_read_are_errors() {
    let from = Date::new(2021, 1, 1).unwrap();
    let text = year("datetime", from, 300, |d| d.to_string());
    let gap: String =
        text.lines().filter(|line| !line.starts_with("2021-05-07")).map(|line| format!("{line}\n")).collect();
    assert_eq!(
        messages(&gap),
        [
            "w.csv:128: column `datetime`: 2021-05-08 follows 2021-05-06; expected 2021-05-07, because rows must be consecutive"
        ]
    );
    let seen = messages(&year("Day,Month", from, 300, |d| format!("{},{}", d.day, d.month)));
    assert!(seen.len() == 1 && seen[0].contains("seems to contain dates"), "{seen:?}");
    let seen = messages(&year("stamp", from, 300, |d| d.to_string()));
    assert!(seen.len() == 1 && seen[0].contains("`stamp` seems to contain dates"), "{seen:?}");
    // A column that counts the days is none, and a column of times beside dates is not missed.
    assert_eq!(read(&year("Day", from, 300, |d| (d.day_index() + 1).to_string())).first, None);
    assert_eq!(read(&year("Date,sunrise", from, 300, |d| format!("{d},{d}T07:12"))).first, Some(from));
    for (date, row) in [("2021-13-01", 3), ("2021-02-30", 3), ("x", 3)] {
        let text = format!("Date,Tmin,Tmax,Rain\n2021-01-01,5,15,0\n{date},5,15,0\n");
        assert_eq!(
            messages(&text),
            [format!("w.csv:{row}: column `Date`: `{date}` is not a valid date; expected a date such as 2021-01-31")]
        );
    }
}

#[test]
fn the_29th_of_february_is_left_out_and_said_to_be() {
    let series = read(&year("Date", Date::new(2020, 1, 1).unwrap(), 366, |d| d.to_string()));
    assert_eq!((series.days.len(), series.last()), (365, Date::new(2020, 12, 31)));
    // The 60th day is the 1st of March, as in every year.
    assert_eq!(series.days[59].rain_mm, 1.0);
    assert!(series.provenance.notes.iter().any(|note| note.contains("29 February")), "{:?}", series.provenance);
    let short = year("Year,DOY", Date::new(2019, 12, 30).unwrap(), 3, |d| format!("{},{}", d.year, d.day_index() + 1));
    assert_eq!(read(&short).days.len(), 3);
}

#[test]
fn a_leap_year_of_365_days_has_all_of_them() {
    let rows: String = (1..=365).map(|day| format!("2020,{day},5,15,{}\n", day % 7)).collect();
    let series = read(&format!("year,day,Tmin,Tmax,Rain\n{rows}2021,1,5,15,0\n"));
    assert_eq!((series.days.len(), series.last()), (366, Date::new(2021, 1, 1)));
    assert_eq!(series.days[59].rain_mm, f64::from(60 % 7));
}

#[test]
fn missing_values_are_errors_or_interpolated_and_left_out_at_the_ends() {
    let table = |holes: usize| {
        let row = |t: f64| format!("{t},{t},{t},70,18,3\n");
        format!("Tmin,Tmax,T,RH,U,Rain\n{}{}{}", row(10.0), "-99,NA,,-999,18,-9999\n".repeat(holes), row(18.0))
    };
    assert_eq!(
        messages(&table(1)),
        [
            "w.csv:3: column `Tmin`: the value is missing; `missing: interpolate` fills gaps of at most 7 days",
            "w.csv:3: column `Tmax`: the value is missing; `missing: interpolate` fills gaps of at most 7 days",
            "w.csv:3: column `Rain`: the value is missing; `missing: interpolate` fills gaps of at most 7 days",
        ]
    );
    let lenient = Reading { missing: Missing::Interpolate, ..Reading::default() };
    let days = parse("w.csv", &table(7), &lenient).unwrap().days;
    assert_eq!(days[4].mean_celsius, 14.0);
    assert_eq!((days[1].min_celsius, days[7].max_celsius, days[3].rain_mm), (11.0, 17.0, 0.0));
    // Saturated at the lowest temperature, which here is the only one.
    assert_eq!(days[4].humidity_percent, 100.0);
    let errors = parse("w.csv", &table(8), &lenient).unwrap_err();
    assert!(errors[0].to_string().contains("gaps of at most 7 days between known values are filled"));
    let text = year("Date", Date::new(2021, 1, 1).unwrap(), 100, |d| d.to_string())
        + "2021-04-11,-999,-999,-999\n2021-04-12,,,\n";
    let series = read(&text);
    assert_eq!((series.days.len(), series.last()), (100, Date::new(2021, 4, 10)));
    assert!(
        series.provenance.notes.iter().any(|note| note.starts_with("2 days at the ends")),
        "{:?}",
        series.provenance.notes
    );
}

#[test]
fn hours_become_days() {
    let mut text = "time,temperature_2m (°C),relative_humidity_2m (%),precipitation (mm),shortwave_radiation (W/m²),wind_speed_10m (km/h)\n".to_owned();
    for day in 1..=3 {
        for hour in 0..24 {
            text +=
                &format!("2021-07-0{day}T{hour:02}:00,{},70,0.5,{},10\n", 10 + hour, if hour == 12 { 1000 } else { 0 });
        }
    }
    let series = read(&text);
    let day = series.days[1];
    assert_eq!((series.days.len(), series.provenance.rows_per_day), (3, 24));
    assert_eq!((day.min_celsius, day.mean_celsius, day.max_celsius, day.rain_mm), (10.0, 21.5, 33.0, 12.0));
    assert!((day.solar_mj.unwrap() - 3.6).abs() < 1e-9);
    // 10 km/h at 10 m are 7.479511 km/h at 2 m (refet); FAO-56 Eq. 47 is not quite 1 at 2 m, but 1.0002.
    assert!((day.wind_km_per_h / 7.479511 - 1.0).abs() < 3e-4);
    let hole: String =
        text.lines().filter(|line| !line.starts_with("2021-07-02T05")).map(|line| format!("{line}\n")).collect();
    assert!(messages(&hole)[0].contains("2021-07-02 with 23 rows"), "{:?}", messages(&hole));
}

#[test]
fn lines_above_the_headers_tell_place_and_units() {
    let power = "-BEGIN HEADER-\nNASA/POWER Daily\nLocation: latitude  45.5   longitude 5.25\n\
                 elevation from MERRA-2: Average for 0.5 x 0.625 degree lat/lon region = 463.45 meters\n\
                 ALLSKY_SFC_SW_DWN CERES SYN1deg All Sky Surface Shortwave Downward Irradiance (kW-hr/m^2/day)\n\
                 T2M_MIN Minimum (C)\n-END HEADER-\nYEAR,DOY,T2M_MIN,T2M_MAX,PRECTOTCORR,ALLSKY_SFC_SW_DWN,CLOUD_AMT,WS10M\n2021,1,1,8,0.5,2,50,10\n";
    let series = read(power);
    let provenance = &series.provenance;
    assert_eq!(
        (provenance.latitude_degrees, provenance.longitude_degrees, provenance.elevation_m),
        (Some(45.5), Some(5.25), Some(463.45))
    );
    assert_eq!((series.days[0].solar_mj, series.days[0].clouds_percent), (Some(7.2), 50.0));
    assert!((series.days[0].wind_km_per_h / (3.6 * 7.479511) - 1.0).abs() < 3e-4);
    let unknown = messages(&power.replace("kW-hr/m^2/day", "BTU"));
    assert!(unknown[0].contains("has the unit `BTU`"), "{unknown:?}");
    let apsim = "[weather.met.weather]\nlatitude = -27.5 (DECIMAL DEGREES)\ntav = 10 (oC)\nyear day radn maxt mint rain\n() () (MJ/m2) (oC) (oC) (mm)\n2021 1 20.5 30 15 0\n2021 2 21.5 31 16 2\n";
    let series = read(apsim);
    assert_eq!((series.provenance.format, series.provenance.latitude_degrees), ("APSIM", Some(-27.5)));
    assert_eq!((series.days[1].solar_mj, series.days[1].max_celsius, series.days.len()), (Some(21.5), 31.0, 2));
    let meteo = "latitude,longitude,elevation,utc_offset_seconds\n52.5,13.4,38.0,0\n\ntime,temperature_2m_max (°F),temperature_2m_min (°F),precipitation_sum (inch)\n2021-01-01,59,41,0.1\n";
    let series = read(meteo);
    assert_eq!((series.provenance.latitude_degrees, series.provenance.elevation_m), (Some(52.5), Some(38.0)));
    assert!((series.days[0].rain_mm - 2.54).abs() < 1e-9 && (series.days[0].max_celsius - 15.0).abs() < 1e-9);
    let acmo = "#,WST_ID,WST_LAT\n*,IL12,40.1\n#,WST_ID,W_DATE,SRAD,TMAX,TMIN,RAIN\n*,IL12,19820101,5.9,24.4,15.6,19.0\n*,IL12,19820102,6.9,24.4,15.6,0\n";
    let series = read(acmo);
    assert_eq!(
        (series.first, series.days[0].rain_mm, series.days[1].solar_mj),
        (Date::new(1982, 1, 1), 19.0, Some(6.9))
    );
    let pcse = "## Site Characteristics\nCountry = 'Netherlands'\nLongitude = 5.67; Latitude = 51.97; Elevation = 7.; AngstromA = 0.18\n## Daily weather observations (missing values are NaN)\nDAY,IRRAD,TMIN,TMAX,VAP,WIND,RAIN,SNOWDEPTH\n20040101,NaN,-0.7,1.1,0.55,3.6,0.5,NaN\n20040102,3800,-7.5,-0.9,0.44,3.1,0,NaN\n";
    let series = read(pcse);
    assert!((series.days[1].solar_mj.unwrap() - 3.8).abs() < 1e-9 && series.days[0].solar_mj.is_none());
    assert_eq!(series.provenance.latitude_degrees, Some(51.97));
}

#[test]
fn files_of_wageningen_are_read() {
    let text = "*----\n* Station name: Wageningen\n*----\n  5.67 51.97   7.  0.18  0.55\n  1 1983   1  1110.  -0.5   8.3   0.771   8.8   0.3\n  1 1983   2  -99.  -0.5   8.3   0.771   8.8   0.3\n";
    let series = read(text);
    assert_eq!((series.provenance.format, series.first), ("CABO", Date::new(1983, 1, 1)));
    let day = series.days[0];
    assert_eq!((day.solar_mj, day.min_celsius, day.rain_mm, series.days[1].solar_mj), (Some(1.11), -0.5, 0.3, None));
    assert!((day.wind_km_per_h - 8.8 * 3.6).abs() < 1e-9);
}

const STATION: &str = "*WEATHER DATA : Somewhere, on a hill\n\n! made up\n@ INSI      LAT     LONG  ELEV   TAV   AMP REFHT WNDHT\n  SOME   43.610    3.900    27  15.0   8.0   2.0  10.0\n";

fn dssat(text: &str) -> Series {
    let reading = Reading { latitude_degrees: 43.61, ..Reading::default() };
    parse("X.WTH", text, &reading).unwrap_or_else(|errors| panic!("{}\n{text}", said(&errors)))
}

#[test]
fn dssat_is_read_with_wind_in_kilometres_per_day() {
    let text = format!(
        "{STATION}\n@DATE  SRAD  TMAX  TMIN  RAIN  DEWP  WIND   PAR  EVAP  RHUM\n21001   5.7  10.0   2.0   0.3   -99   240   -99   -99    77\n\
         *WEATHER DATA : Somewhere\n@  DATE  SRAD  TMAX  TMIN  RAIN  DEWP  WIND\n2021002   -99  11.0   3.0   1.3   3.0   -99\n\u{1a}"
    );
    let series = dssat(&text);
    let days = &series.days;
    assert_eq!((days.len(), days[0].mean_celsius, days[0].rain_mm, days[0].humidity_percent), (2, 6.0, 0.3, 77.0));
    // 10 km/h at 10 m are 7.479511 km/h at 2 m (refet); FAO-56 Eq. 47 is not quite 1 at 2 m, but 1.0002.
    assert!((days[0].wind_km_per_h / 7.479511 - 1.0).abs() < 3e-4);
    // R_a is 11.602824 at 43.61° on day 1 (refet).
    assert!((days[0].clouds_percent - 100.0 * (1.0 - (5.7 / 11.602824 - 0.25) / 0.5)).abs() < 1e-3);
    assert!((days[1].wind_km_per_h / 7.2 - 1.0).abs() < 3e-4 && days[1].clouds_percent == 80.0);
    assert_eq!((days[0].solar_mj, days[1].solar_mj), (Some(5.7), None));
    // The dew point is the lowest temperature: e⁰(3) = 0.7581, e⁰(11) = 1.3127 kPa.
    assert!((days[1].humidity_percent - 200.0 * 0.7581 / 2.0708).abs() < 0.1);
    assert_eq!((series.provenance.latitude_degrees, series.provenance.elevation_m), (Some(43.61), Some(27.0)));
}

#[test]
fn columns_of_dssat_are_those_of_the_header() {
    let rows = [
        (
            "blank columns behind",
            "@DATE  SRAD  TMAX  TMIN  RAIN  DEWP  WIND   PAR",
            "21001   5.4  10.0  -2.0   0.3                  ",
        ),
        (
            "a blank column within",
            "@DATE  SRAD  TMAX  TMIN  RAIN  DEWP  WIND   PAR",
            "21001        10.0  -2.0   0.3                  ",
        ),
        ("a note", "@DATE  SRAD  TMAX  TMIN  RAIN", "21001   5.4  10.0  -2.0   0.3   estimated"),
        ("flags", "@DATE  SRAD  TMAX  TMIN  RAIN", "21001   5.4  10.0  -2.0   0.3E"),
        ("numbers that touch", "@DATE  SRAD  TMAX  TMIN  RAIN", "21001   5.4  10.0-002.0   0.3"),
        ("years of four digits", "@DATE  SRAD  TMAX  TMIN  RAIN  DEWP", "2021001   5.4  10.0  -2.0   0.3      "),
        ("a flag before the next column", "@DATE  SRAD  TMAX  TMIN  RAIN  DEWP", "21001e  5.4  10.0r -2.0   0.3      "),
        (
            "numbers that touch, and a blank",
            "@DATE  SRAD  TMAX  TMIN  RAIN  DEWP  WIND",
            "21001   5.4  10.0  -2.0   0.3  10.51258.0",
        ),
        ("radiation that is none", "@DATE  SRAD  TMAX  TMIN  RAIN", "21001  -9.9  10.0  -2.0   0.3"),
        ("free columns", "@DATE SRAD TMAX TMIN RAIN", "2021001 5.4 10 -2 0.3"),
    ];
    for (what, header, row) in rows {
        let series = dssat(&format!("{STATION}{header}\n{row}\n"));
        let day = series.days[0];
        assert_eq!((day.max_celsius, day.min_celsius, day.rain_mm), (10.0, -2.0, 0.3), "{what}");
        assert_eq!(series.first, Date::new(2021, 1, 1), "{what}");
    }
    let unknown =
        STATION.replace("43.610    3.900    27", "0.000    0.000     0").replace("2.0  10.0\n", "0.0   0.0\n");
    let series = dssat(&format!("{unknown}@DATE  SRAD  TMAX  TMIN  RAIN\n21001   5.4  10.0  -2.0   0.3\n"));
    assert_eq!((series.provenance.latitude_degrees, series.provenance.elevation_m), (None, None));
}

#[test]
fn agmip_is_read_with_wind_in_metres_per_second_and_humidity_when_it_is_warmest() {
    let text = "* made up\n@ INSI LAT LONG ELEV TAV AMP REFHT WNDHT\n SOME 43 3 27 15 8 2 2\n\
         @DATE    YYYY  MM  DD  SRAD  TMAX  TMIN  RAIN  WIND   DEWP  VPRS  RHUM\n\
         2021001  2021   1   1   5.7  10.0   2.0   0.3   2.5  -99.0  7.10  30\n\
         2021002  2021   1   2   -99  10.0   2.0   0.0   -99  -99.0  -99   50\n";
    let days = dssat(text).days;
    // e⁰(2) = 0.7057, e⁰(10) = 1.2280 kPa.
    assert!((days[0].humidity_percent - 200.0 * 0.71 / 1.9337).abs() < 0.1);
    assert!((days[1].humidity_percent - 200.0 * 0.5 * 1.2280 / 1.9337).abs() < 0.1);
    assert!((days[0].wind_km_per_h - 9.0).abs() < 1e-9);
    let commas = text.lines().skip(3).map(|line| line.split_whitespace().collect::<Vec<_>>().join(",") + "\n");
    assert_eq!(dssat(&commas.collect::<String>()).days[0], days[0]);
}

#[test]
fn errors_of_dssat_name_row_and_column() {
    let messages = |text: &str| -> Vec<String> {
        parse("X.WTH", text, &Reading::default()).unwrap_err().iter().map(ToString::to_string).collect()
    };
    let text = "@DATE  SRAD  TMAX  TMIN  RAIN\n21001   5.7  10.0   2.0   0.0\n21002   5.7  10.0   2.0   -99\n21003   5.7   1.0   2.0   0.0\n21004   5.7  10.0     x   0.0\n";
    assert_eq!(
        messages(text),
        [
            "X.WTH:3: column `RAIN`: the value is missing; `missing: interpolate` fills gaps of at most 7 days",
            "X.WTH:4: column `TMAX`: 1 °C is below the lowest temperature, 2 °C; expected 2 °C or more",
            "X.WTH:5: column `TMIN`: `x` is not a number; expected a number from -90 to 60 °C",
        ]
    );
    assert_eq!(
        messages("@DATE TMAX TMIN RAIN\n20366 9 1 0\n21001 9 1 0\n21003 9 1 0\n"),
        [
            "X.WTH:4: column `DATE`: 2021-01-03 follows 2021-01-01; expected 2021-01-02, because rows must be consecutive"
        ]
    );
    assert_eq!(
        messages("@DATE TMAX TMIN RAIN\n21001 9 1 0\n210x9 9 1 0\n"),
        ["X.WTH:3: column `DATE`: `210x9` is not a valid date; expected YYDDD or YYYYDDD, such as 21031"]
    );
    assert_eq!(
        messages("@DATE TMAX TMIN\n21001 9 1\n"),
        ["X.WTH:1: no column contains the rain; expected a header such as `Rain`, `precipitationsum`, `precipitation`"]
    );
}

/// An EPW file with some days, with the rows as a function of month, day and hour.
fn epw(days: std::ops::Range<u32>, first_hour: u32, row: impl Fn(u32) -> String) -> String {
    let mut text = "LOCATION,Here,-,FRA,TMY,1,43.6,3.9,1.0,27.0\n".to_owned();
    text += &"HEADER,0\n".repeat(6);
    text += "DATA PERIODS,1,1,Data,Friday,1/1,12/31\n";
    for index in days {
        let date = Date::of_index(2021, index);
        for hour in first_hour..first_hour + 24 {
            text += &format!("2021,{},{},{hour},0,?9,{}\n", date.month, date.day, row(hour - first_hour));
        }
    }
    text
}

#[test]
fn hours_of_epw_become_days_with_the_radiation_of_the_file() {
    let row = |hour: u32| {
        format!(
            "{},2.0,70,100000,0,0,300,{},0,0,0,0,0,0,180,2.0,5,5,20.0,9999,9,999999999,10,0.1,0,88,0.2,0.5,1.0",
            10 + hour,
            if hour == 12 { 1000 } else { 0 }
        )
    };
    for first_hour in [1, 0] {
        let series = read(&epw(120..240, first_hour, row));
        assert_eq!((series.days.len(), series.first.map(Date::in_words)), (120, Some("1 May".to_owned())));
        let day = series.days[7];
        assert_eq!((day.min_celsius, day.max_celsius, day.rain_mm, day.clouds_percent), (10.0, 33.0, 12.0, 50.0));
        assert!((day.solar_mj.unwrap() - 3.6).abs() < 1e-9, "{day:?}");
        assert_eq!(day.direction_degrees, Some(180.0));
        assert_eq!(series.provenance.latitude_degrees, Some(43.6));
    }
    let dry = epw(0..365, 1, |hour| row(hour).replace(",0.5,1.0", ",999.0,1.0"));
    let errors = parse("w.epw", &dry, &Reading::default()).unwrap_err();
    assert!(errors.len() == 1 && errors[0].to_string().contains("the rain column has no values"), "{}", said(&errors));
    assert!(errors[0].help().to_string().contains("rain: {file"));
    let elsewhere = Reading { rain_is_elsewhere: true, ..Reading::default() };
    assert_eq!(parse("w.epw", &dry, &elsewhere).unwrap().days.len(), 365);
}

#[test]
fn formats_are_recognised_by_content_or_by_name() {
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
    let table = "Tmin,Tmax,T,RH,U,Rain\n5,15,10,70,18,1\n";
    for (file, said) in [
        ("w.epw", "w.epw: missing line `DATA PERIODS`; expected the eight header lines of an EPW file"),
        ("w.WTH", "w.WTH: missing header line; expected a line `@DATE"),
        ("w.AgMIP", "w.AgMIP: missing header line"),
    ] {
        let errors = parse(file, table, &Reading::default()).unwrap_err();
        assert!(errors[0].to_string().starts_with(said), "{}", errors[0]);
        assert_eq!(errors[0].found().as_deref(), Some("Tmin,Tmax,T,RH,U,Rain"));
        assert!(errors[0].help().to_string().contains("`format: table`"));
        assert!(parse(file, table, &Reading { format: Format::Table, ..Reading::default() }).is_ok());
    }
}

/// A year of days at 45° N.
fn plausible_year(change: impl Fn(f64) -> [f64; 5]) -> Vec<&'static str> {
    let mut text = "Date,Tmin,Tmax,Rain,RH,SRAD\n".to_owned();
    let mut date = Date::new(2021, 1, 1).unwrap();
    for day in 0..365 {
        let season = -math::cos(std::f64::consts::TAU * (f64::from(day) + 10.0) / 365.0);
        let [min, max, rain, humidity, solar] = change(season);
        text += &format!("{date},{min},{max},{rain},{humidity},{solar}\n");
        date = date.next();
    }
    let found = read(&text).findings;
    found.iter().map(|finding| finding.key).collect()
}

#[test]
fn numbers_that_no_weather_has_are_told_with_their_cause() {
    let usual = |season: f64| {
        let t = 11.0 + 9.0 * season;
        [t - 5.0, t + 5.0, if season > 0.3 { 0.0 } else { 4.0 }, 70.0 - 10.0 * season, 13.0 + 9.0 * season]
    };
    assert_eq!(plausible_year(usual), Vec::<&str>::new());
    type Change = fn([f64; 5]) -> [f64; 5];
    let changes: [(&str, Change); 7] = [
        ("temperature", |[min, max, r, h, s]| [1.8 * min + 32.0, (1.8 * max + 32.0).min(59.9), r, h, s]),
        ("humidity", |[min, max, r, h, s]| [min, max, r, h / 100.0, s]),
        ("rain", |[min, max, _, h, s]| [min, max, 0.0, h, s]),
        ("rain", |[min, max, r, h, s]| [min, max, r / 1000.0, h, s]),
        ("rain", |[min, max, r, h, s]| [min, max, if r > 0.0 { 999.9 } else { 0.0 }, h, s]),
        ("radiation", |[min, max, r, h, s]| [min, max, r, h, s / 3.6]),
        ("radiation", |[min, max, r, h, s]| [min, max, r, h, s * 1.8]),
    ];
    for (key, change) in changes {
        assert_eq!(plausible_year(|season| change(usual(season))), [key]);
    }
}
