//! The weather quantities for a day, and their names in files.

use super::units::Dimension;

/// A quantity in a row. [`QUANTITIES`] has them in order.
pub(super) struct Quantity {
    /// Its name in messages.
    pub name: &'static str,
    /// Its name in this project's own tables, and in `columns`.
    pub key: &'static str,
    pub dimension: Dimension,
    /// Lowest and highest value, in the project's unit.
    pub range: (f64, f64),
}

pub(super) const MIN: usize = 0;
pub(super) const MEAN: usize = 1;
pub(super) const MAX: usize = 2;
pub(super) const HUMIDITY: usize = 3;
pub(super) const RAIN: usize = 4;
pub(super) const WIND: usize = 5;
pub(super) const CLOUDS: usize = 6;
pub(super) const DIRECTION: usize = 7;
pub(super) const SOLAR: usize = 8;
/// The quantities that give humidity if it is not measured; the first known one is used.
pub(super) const PRESSURE: usize = 9;
pub(super) const DEW_POINT: usize = 10;
pub(super) const HUMIDITY_MAX: usize = 11;
pub(super) const HUMIDITY_MIN: usize = 12;
/// Seconds of daylight, over which Daymet gives the mean radiation.
pub(super) const DAYLIGHT: usize = 13;

const TEMPERATURE_RANGE: (f64, f64) = (-90.0, 60.0);
const PERCENT_RANGE: (f64, f64) = (0.0, 100.0);

const fn quantity(name: &'static str, key: &'static str, dimension: Dimension, range: (f64, f64)) -> Quantity {
    Quantity { name, key, dimension, range }
}

pub(super) const QUANTITIES: [Quantity; 14] = [
    quantity("lowest temperature", "Tmin", Dimension::Temperature, TEMPERATURE_RANGE),
    quantity("mean temperature", "T", Dimension::Temperature, TEMPERATURE_RANGE),
    quantity("highest temperature", "Tmax", Dimension::Temperature, TEMPERATURE_RANGE),
    quantity("relative humidity", "RH", Dimension::Share, PERCENT_RANGE),
    quantity("rain", "Rain", Dimension::Depth, (0.0, 2000.0)),
    quantity("wind speed", "U", Dimension::Speed, (0.0, 500.0)),
    quantity("clouds", "Clouds", Dimension::Share, PERCENT_RANGE),
    quantity("wind direction", "WindDirection", Dimension::Angle, (0.0, 360.0)),
    quantity("solar radiation", "SRAD", Dimension::Radiation, (0.0, 60.0)),
    quantity("vapour pressure", "VP", Dimension::Pressure, (0.0, 20.0)),
    quantity("dew point", "DewPoint", Dimension::Temperature, TEMPERATURE_RANGE),
    quantity("highest humidity", "RHmax", Dimension::Share, PERCENT_RANGE),
    quantity("lowest humidity", "RHmin", Dimension::Share, PERCENT_RANGE),
    quantity("daylight", "Daylight", Dimension::Time, (0.0, 86_400.0)),
];

/// A name of a quantity, as [`plain`] writes it.
pub(super) struct Name {
    pub plain: &'static str,
    pub quantity: usize,
    /// The unit that is assumed if the header does not name one.
    pub unit: &'static str,
    /// The height at which wind with this name is measured.
    pub height_m: Option<f64>,
}

const fn name(plain: &'static str, quantity: usize, unit: &'static str) -> Name {
    Name { plain, quantity, unit, height_m: None }
}

const fn wind(plain: &'static str, unit: &'static str, height_m: f64) -> Name {
    Name { plain, quantity: WIND, unit, height_m: Some(height_m) }
}

/// Names of columns, for each quantity in order of preference: if a file has several, the first in this list is used. The sources of the
/// names are this project's own tables, the paper and the public reference. Further sources: NASA POWER, Open-Meteo, Meteostat, Visual
/// Crossing, AgMIP (ACEB), PCSE, SILO, APSIM, Cycles, Daymet, PVGIS, TMY3, PSM, and weather services in German, French and Spanish.
#[rustfmt::skip]
pub(super) const NAMES: &[Name] = &[
    name("tmin", MIN, "°C"), name("temperaturemin", MIN, "°C"), name("mintemperature", MIN, "°C"), name("minimumtemperature", MIN, "°C"),
    name("airtemperaturemin", MIN, "°C"), name("tempmin", MIN, "°C"), name("mintemp", MIN, "°C"), name("mint", MIN, "°C"), name("t2mmin", MIN, "°C"),
    name("temperature2mmin", MIN, "°C"), name("tn", MIN, "°C"), name("tmn", MIN, "°C"), name("tnk", MIN, "°C"), name("tempminima", MIN, "°C"),
    name("t", MEAN, "°C"), name("tmean", MEAN, "°C"), name("tavg", MEAN, "°C"), name("temperature", MEAN, "°C"), name("temperaturemean", MEAN, "°C"),
    name("airtemperature", MEAN, "°C"), name("airtemperaturemean", MEAN, "°C"), name("temp", MEAN, "°C"), name("meantemp", MEAN, "°C"),
    name("t2m", MEAN, "°C"), name("temperature2mmean", MEAN, "°C"), name("temperature2m", MEAN, "°C"), name("drybulb", MEAN, "°C"),
    name("tmittel", MEAN, "°C"), name("tmk", MEAN, "°C"), name("tm", MEAN, "°C"), name("tmed", MEAN, "°C"),
    name("tmax", MAX, "°C"), name("temperaturemax", MAX, "°C"), name("maxtemperature", MAX, "°C"), name("maximumtemperature", MAX, "°C"),
    name("airtemperaturemax", MAX, "°C"), name("tempmax", MAX, "°C"), name("maxtemp", MAX, "°C"), name("maxt", MAX, "°C"), name("t2mmax", MAX, "°C"),
    name("temperature2mmax", MAX, "°C"), name("tx", MAX, "°C"), name("tmx", MAX, "°C"), name("txk", MAX, "°C"), name("tempmaxima", MAX, "°C"),
    name("rh", HUMIDITY, "%"), name("humidity", HUMIDITY, "%"), name("relativehumidity", HUMIDITY, "%"), name("rh2m", HUMIDITY, "%"),
    name("relativehumidity2mmean", HUMIDITY, "%"), name("relativehumidity2m", HUMIDITY, "%"), name("rhum", HUMIDITY, "%"), name("rhumd", HUMIDITY, "%"),
    name("rhmean", HUMIDITY, "%"), name("rhavg", HUMIDITY, "%"), name("feuchte", HUMIDITY, "%"), name("luftfeuchte", HUMIDITY, "%"),
    name("luftfeuchtigkeit", HUMIDITY, "%"), name("upm", HUMIDITY, "%"), name("humidite", HUMIDITY, "%"), name("humedad", HUMIDITY, "%"),
    name("rain", RAIN, "mm"), name("precipitationsum", RAIN, "mm"), name("precipitation", RAIN, "mm"), name("rainfall", RAIN, "mm"),
    name("precip", RAIN, "mm"), name("prectotcorr", RAIN, "mm/day"), name("prectot", RAIN, "mm/day"), name("prcp", RAIN, "mm"),
    name("dailyrain", RAIN, "mm"), name("rainamount", RAIN, "mm"), name("rainsum", RAIN, "mm"), name("ppt", RAIN, "mm"), name("pp", RAIN, "mm"),
    name("lprecipdepth", RAIN, "mm"), name("rr", RAIN, "mm"), name("rsk", RAIN, "mm"), name("niederschlag", RAIN, "mm"),
    name("precipitations", RAIN, "mm"), name("pluie", RAIN, "mm"), name("lluvia", RAIN, "mm"), name("precipitacion", RAIN, "mm"),
    name("u", WIND, "km/h"), name("windspeed", WIND, "km/h"), name("wind", WIND, "km/h"), name("windspeedmean", WIND, "km/h"),
    name("ws", WIND, "m/s"), wind("ws2m", "m/s", 2.0), wind("u2", "m/s", 2.0), wind("windspeed2m", "m/s", 2.0), wind("ws10m", "m/s", 10.0),
    wind("windspeed10mmean", "km/h", 10.0), wind("windspeed10m", "km/h", 10.0), name("wspd", WIND, "km/h"), name("fm", WIND, "m/s"),
    name("windgeschwindigkeit", WIND, "km/h"), name("vent", WIND, "km/h"), name("viento", WIND, "km/h"),
    name("clouds", CLOUDS, "%"), name("cloud", CLOUDS, "%"), name("cloudcover", CLOUDS, "%"), name("cloudcovermean", CLOUDS, "%"),
    name("cloudamt", CLOUDS, "%"), name("totcld", CLOUDS, "tenths"),
    name("winddirection", DIRECTION, "°"), name("wd2m", DIRECTION, "°"), name("wd10m", DIRECTION, "°"), name("winddir", DIRECTION, "°"),
    name("winddirection10mdominant", DIRECTION, "°"), name("winddirection10m", DIRECTION, "°"), name("wdir", DIRECTION, "°"),
    name("srad", SOLAR, "MJ/m²"), name("solarradiation", SOLAR, "MJ/m²"), name("radn", SOLAR, "MJ/m²"), name("allskysfcswdwn", SOLAR, "MJ/m²/day"),
    name("shortwaveradiationsum", SOLAR, "MJ/m²"), name("shortwaveradiation", SOLAR, "W/m²"), name("ghi", SOLAR, "W/m²"), name("gh", SOLAR, "W/m²"),
    name("solarenergy", SOLAR, "MJ/m²"), name("irrad", SOLAR, "kJ/m²"), name("radiation", SOLAR, "MJ/m²"), name("globalradiation", SOLAR, "MJ/m²"),
    name("rs", SOLAR, "MJ/m²"), name("solar", SOLAR, "MJ/m²"), name("globalstrahlung", SOLAR, "MJ/m²"), name("rayonnement", SOLAR, "MJ/m²"),
    name("vap", PRESSURE, "kPa"), name("vp", PRESSURE, "hPa"), name("vprs", PRESSURE, "kPa"), name("vprsd", PRESSURE, "kPa"),
    name("vapourpressure", PRESSURE, "kPa"), name("vaporpressure", PRESSURE, "kPa"), name("ea", PRESSURE, "kPa"),
    name("dewpoint", DEW_POINT, "°C"), name("dewp", DEW_POINT, "°C"), name("dew", DEW_POINT, "°C"), name("t2mdew", DEW_POINT, "°C"),
    name("tdew", DEW_POINT, "°C"), name("dewpoint2mmean", DEW_POINT, "°C"), name("dewpoint2m", DEW_POINT, "°C"), name("dwpt", DEW_POINT, "°C"),
    name("rhmax", HUMIDITY_MAX, "%"), name("rhx", HUMIDITY_MAX, "%"), name("relativehumidity2mmax", HUMIDITY_MAX, "%"), name("rhtmin", HUMIDITY_MAX, "%"),
    name("rhmin", HUMIDITY_MIN, "%"), name("rhn", HUMIDITY_MIN, "%"), name("relativehumidity2mmin", HUMIDITY_MIN, "%"), name("rhtmax", HUMIDITY_MIN, "%"),
    name("dayl", DAYLIGHT, "s"),
];

/// A part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DatePart {
    /// The whole date.
    Whole,
    Year,
    Month,
    /// `Day`, `DY`: the day of the month if there is a month column, or the day of the year if there is only a year column. Without either,
    /// a date or a counter.
    Day,
    DayOfYear,
}

/// Names of date columns, as [`plain`] writes them.
const DATES: &[(&str, DatePart)] = &[
    ("date", DatePart::Whole),
    ("time", DatePart::Whole),
    ("datetime", DatePart::Whole),
    ("timestamp", DatePart::Whole),
    ("wdate", DatePart::Whole),
    ("datum", DatePart::Whole),
    ("fecha", DatePart::Whole),
    ("jour", DatePart::Whole),
    ("messdatum", DatePart::Whole),
    ("yyyymmdd", DatePart::Whole),
    ("unixtime", DatePart::Whole),
    ("epoch", DatePart::Whole),
    ("timeutc", DatePart::Whole),
    ("timeist", DatePart::Whole),
    ("observationdate", DatePart::Whole),
    ("obsdate", DatePart::Whole),
    ("year", DatePart::Year),
    ("yyyy", DatePart::Year),
    ("yr", DatePart::Year),
    ("jahr", DatePart::Year),
    ("annee", DatePart::Year),
    ("month", DatePart::Month),
    ("mo", DatePart::Month),
    ("mm", DatePart::Month),
    ("mon", DatePart::Month),
    ("monat", DatePart::Month),
    ("mois", DatePart::Month),
    ("day", DatePart::Day),
    ("dy", DatePart::Day),
    ("dd", DatePart::Day),
    ("tag", DatePart::Day),
    ("dayofmonth", DatePart::Day),
    ("doy", DatePart::DayOfYear),
    ("yday", DatePart::DayOfYear),
    ("dayofyear", DatePart::DayOfYear),
    ("julian", DatePart::DayOfYear),
    ("julianday", DatePart::DayOfYear),
    ("jday", DatePart::DayOfYear),
];

/// A header in the form used for comparison: only lower-case letters and digits.
pub(super) fn plain(header: &str) -> String {
    let fold = |c: char| match c {
        'é' | 'è' | 'ê' => 'e',
        'ó' => 'o',
        c => c,
    };
    header.to_lowercase().chars().map(fold).filter(|c| c.is_alphanumeric()).collect()
}

/// The part of a date that a header names.
pub(super) fn date_part(header: &str) -> Option<DatePart> {
    let plain = plain(header);
    let found = DATES.iter().find(|(name, _)| *name == plain).map(|(_, part)| *part);
    // `Date (MM/DD/YYYY)`, `time (UTC)`.
    let bare = header.split(['(', '[']).next().map(self::plain).unwrap_or_default();
    found.or_else(|| (matches!(bare.as_str(), "date" | "time")).then_some(DatePart::Whole))
}

/// The known name in a header, with the unit in the header.
pub(super) fn named(header: &str) -> Option<(&'static Name, Option<String>)> {
    let find = |text: &str| {
        let plain = plain(text);
        NAMES.iter().find(|name| name.plain == plain)
    };
    if let Some((name, unit)) = header.split_once('#') {
        return find(name).map(|name| (name, Some(unit.trim().to_owned())));
    }
    // `Tmin (°C)`, `Rain[mm]`, `T, °C`; not `G(h)`, which is a name; then `tmin_c`, `rain mm`.
    let trimmed = header.trim().trim_end_matches([')', ']']);
    let at = trimmed.rfind(['(', '[']).or_else(|| trimmed.find(','));
    if let Some((name, at)) = at.and_then(|at| Some((find(&trimmed[..at])?, at))) {
        let unit = trimmed[at + 1..].trim();
        return Some((name, (!unit.is_empty()).then(|| unit.to_owned())));
    }
    if let Some(name) = find(header) {
        return Some((name, None));
    }
    let at = trimmed.rfind(['_', ' '])?;
    let name = find(&trimmed[..at])?;
    let unit = &trimmed[at + 1..];
    super::units::find(QUANTITIES[name.quantity].dimension, unit).map(|_| (name, Some(unit.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::super::units::find;
    use super::*;

    #[test]
    fn every_name_is_known_once_and_its_unit_is_one_of_its_quantity() {
        for (i, name) in NAMES.iter().enumerate() {
            assert_eq!(plain(name.plain), name.plain);
            assert!(NAMES[i + 1..].iter().all(|other| other.plain != name.plain), "{}", name.plain);
            assert!(find(QUANTITIES[name.quantity].dimension, name.unit).is_some(), "{} {}", name.plain, name.unit);
            assert!(date_part(name.plain).is_none(), "{}", name.plain);
        }
        for quantity in &QUANTITIES[..9] {
            let (name, _) = named(quantity.key).unwrap_or_else(|| panic!("{}", quantity.key));
            assert_eq!(QUANTITIES[name.quantity].key, quantity.key);
        }
    }

    #[test]
    fn a_header_names_its_unit_in_many_ways() {
        for (header, key, unit) in [
            ("Tmin", "Tmin", None),
            ("RH (%)", "RH", Some("%")),
            ("Tmin#°C", "Tmin", Some("°C")),
            ("temperature_2m_max (°F)", "Tmax", Some("°F")),
            ("Rain[mm]", "Rain", Some("mm")),
            ("G(h)", "SRAD", None),
            ("GHI (W/m^2)", "SRAD", Some("W/m^2")),
            ("T, °C", "T", Some("°C")),
            ("tmin_f", "Tmin", Some("f")),
            ("wind speed m/s", "U", Some("m/s")),
            ("T.Max", "Tmax", None),
            ("Humidité", "RH", None),
            ("precipitation_sum (inch)", "Rain", Some("inch")),
        ] {
            let found = named(header).map(|(name, unit)| (QUANTITIES[name.quantity].key, unit));
            assert_eq!(found, Some((key, unit.map(str::to_owned))), "{header}");
        }
        for header in ["station", "sunrise", "Tmin_furlong", "", "(", "#"] {
            assert!(named(header).is_none(), "{header}");
        }
        assert_eq!(date_part("Date (MM/DD/YYYY)"), Some(DatePart::Whole));
        assert_eq!(date_part("YYYY-MM-DD"), Some(DatePart::Whole));
        assert_eq!((date_part("DOY"), date_part("sunset")), (Some(DatePart::DayOfYear), None));
    }
}
