//! Units of weather: one table for all formats.

/// The kind of quantity that a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    /// °C.
    Temperature,
    /// %.
    Share,
    /// mm per day.
    Depth,
    /// km/h.
    Speed,
    /// °.
    Angle,
    /// MJ/m² per day.
    Radiation,
    /// kPa.
    Pressure,
    /// s.
    Time,
}

/// A unit. A number in this unit, times `factor` plus `offset`, is the number in the project's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    /// Its name in messages.
    pub name: &'static str,
    pub factor: f64,
    pub offset: f64,
    /// The time to which a value refers: a rate is multiplied by the length of its row's period.
    pub by: By,
}

/// The time to which a value refers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The period of its row, a day or an hour.
    Row,
    /// A second, as for W.
    Second,
    /// An hour.
    Hour,
    /// A day.
    Day,
}

impl Unit {
    const fn new(name: &'static str, factor: f64) -> Self {
        Self { name, factor, offset: 0.0, by: By::Row }
    }

    const fn by(name: &'static str, factor: f64, by: By) -> Self {
        Self { name, factor, offset: 0.0, by }
    }

    /// Converts a number in this unit to the project's unit; `days` is the share of a day that the row covers.
    pub(super) fn convert(&self, number: f64, days: f64) -> f64 {
        let time = match self.by {
            By::Row => 1.0,
            By::Second => 86_400.0 * days,
            By::Hour => 24.0 * days,
            By::Day => days,
        };
        number * (self.factor * time) + self.offset
    }

    /// The inverse of [`Unit::convert`].
    pub(super) fn back(&self, number: f64, days: f64) -> f64 {
        (number - self.offset) / (self.convert(1.0, days) - self.offset)
    }
}

const KELVIN: f64 = 273.15;
/// Energy of a langley, one thermochemical calorie per cm² [MJ m⁻²].
const LANGLEY: f64 = 0.041_84;

/// The units of each dimension, the project's own unit first, each with its names in the form of [`plain`].
#[rustfmt::skip]
const UNITS: &[(Dimension, Unit, &[&str])] = &[
    (Dimension::Temperature, Unit::new("°C", 1.0), &["°c", "c", "degc", "oc", "ºc", "celsius", "degreesc", "degreecelsius", "degreescelsius", "degcelsius"]),
    (Dimension::Temperature, Unit { name: "°F", factor: 5.0 / 9.0, offset: -32.0 * 5.0 / 9.0, by: By::Row }, &["°f", "f", "degf", "of", "fahrenheit", "degreesf", "degreesfahrenheit"]),
    (Dimension::Temperature, Unit { name: "K", factor: 1.0, offset: -KELVIN, by: By::Row }, &["k", "kelvin", "degk", "°k"]),
    (Dimension::Share, Unit::new("%", 1.0), &["%", "percent", "pct", "perc"]),
    (Dimension::Share, Unit::new("share", 100.0), &["share", "fraction", "prop", "1", "0-1", "frac", "ratio"]),
    (Dimension::Share, Unit::new("tenths", 10.0), &["tenths", "tenth", "1/10"]),
    (Dimension::Share, Unit::new("okta", 12.5), &["okta", "oktas", "octa", "octas", "1/8"]),
    (Dimension::Depth, Unit::new("mm", 1.0), &["mm", "millimeter", "millimeters", "millimetre", "millimetres", "l/m2", "lm-2", "kg/m2", "kgm-2"]),
    (Dimension::Depth, Unit::by("mm/day", 1.0, By::Day), &["mm/day", "mm/d", "mmday-1", "mmd-1", "mmperday", "kgm-2day-1"]),
    (Dimension::Depth, Unit::by("mm/h", 1.0, By::Hour), &["mm/h", "mm/hr", "mmh-1", "mmhr-1", "mm/hour"]),
    (Dimension::Depth, Unit::by("kg/m²/s", 1.0, By::Second), &["kg/m2/s", "kgm-2s-1", "mm/s", "mms-1"]),
    (Dimension::Depth, Unit::new("cm", 10.0), &["cm", "cm/day", "cm/d", "cmday-1", "cmd-1"]),
    (Dimension::Depth, Unit::new("m", 1000.0), &["m", "m/day", "meter", "meters", "metre", "metres"]),
    (Dimension::Depth, Unit::new("in", 25.4), &["in", "inch", "inches", "in/day", "\""]),
    (Dimension::Speed, Unit::new("km/h", 1.0), &["km/h", "kmh-1", "kmh", "kph", "km/hr", "kmhr-1"]),
    (Dimension::Speed, Unit::new("m/s", 3.6), &["m/s", "ms-1", "mps", "m/sec", "msec-1"]),
    (Dimension::Speed, Unit::new("kn", 1.852), &["kn", "kt", "kts", "knot", "knots"]),
    (Dimension::Speed, Unit::new("km/day", 1.0 / 24.0), &["km/day", "km/d", "kmday-1", "kmd-1"]),
    (Dimension::Speed, Unit::new("mph", 1.609_344), &["mph", "mi/h", "mile/h", "miles/h", "milesperhour"]),
    (Dimension::Angle, Unit::new("°", 1.0), &["°", "deg", "degree", "degrees"]),
    (Dimension::Radiation, Unit::new("MJ/m²", 1.0), &["mj/m2", "mjm-2", "mj"]),
    (Dimension::Radiation, Unit::by("MJ/m²/day", 1.0, By::Day), &["mj/m2/day", "mj/m2/d", "mjm-2day-1", "mjm-2d-1", "mj/m2day", "mj/day"]),
    (Dimension::Radiation, Unit::by("MJ/m²/h", 1.0, By::Hour), &["mj/m2/h", "mj/m2/hr", "mjm-2h-1", "mj/hr"]),
    (Dimension::Radiation, Unit::new("kJ/m²", 1e-3), &["kj/m2", "kjm-2", "kj"]),
    (Dimension::Radiation, Unit::by("kJ/m²/day", 1e-3, By::Day), &["kj/m2/day", "kj/m2/d", "kjm-2day-1", "kjm-2d-1"]),
    (Dimension::Radiation, Unit::new("J/m²", 1e-6), &["j/m2", "jm-2"]),
    (Dimension::Radiation, Unit::new("J/cm²", 0.01), &["j/cm2", "jcm-2"]),
    (Dimension::Radiation, Unit::by("J/m²/day", 1e-6, By::Day), &["j/m2/day", "j/m2/d", "jm-2day-1", "jm-2d-1"]),
    (Dimension::Radiation, Unit::new("kWh/m²", 3.6), &["kwh/m2", "kwh", "kwhm-2", "kw-hr/m2", "kwhr/m2", "kw-h/m2"]),
    (Dimension::Radiation, Unit::by("kWh/m²/day", 3.6, By::Day), &["kwh/m2/day", "kwh/m2/d", "kwhm-2day-1", "kwhm-2d-1", "kw-hr/m2/day", "kw-hr/m2/d", "kwhr/m2/day", "kwh/day"]),
    (Dimension::Radiation, Unit::new("Wh/m²", 3.6e-3), &["wh/m2", "whm-2", "w-hr/m2", "whr/m2", "wh"]),
    (Dimension::Radiation, Unit::by("Wh/m²/day", 3.6e-3, By::Day), &["wh/m2/day", "wh/m2/d", "whm-2day-1", "whm-2d-1"]),
    (Dimension::Radiation, Unit::by("W/m²", 1e-6, By::Second), &["w/m2", "wm-2", "w", "watt/m2", "watts/m2"]),
    (Dimension::Radiation, Unit::by("kW/m²", 1e-3, By::Second), &["kw/m2", "kw", "kwm-2"]),
    (Dimension::Radiation, Unit::new("langley", LANGLEY), &["langley", "langleys", "ly", "ly/day", "cal/cm2", "calcm-2"]),
    (Dimension::Pressure, Unit::new("kPa", 1.0), &["kpa", "kilopascal"]),
    (Dimension::Pressure, Unit::new("hPa", 0.1), &["hpa", "mbar", "mb", "millibar", "hectopascal"]),
    (Dimension::Pressure, Unit::new("Pa", 1e-3), &["pa", "pascal"]),
    (Dimension::Pressure, Unit::new("mmHg", 0.133_322_4), &["mmhg", "torr"]),
    (Dimension::Time, Unit::new("s", 1.0), &["s", "sec", "seconds"]),
    (Dimension::Time, Unit::new("h", 3600.0), &["h", "hr", "hours"]),
];

/// A unit in the form used for comparison: lower case, without blanks, points, powers and brackets.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in text.trim().to_lowercase().chars() {
        match c {
            '²' => plain.push('2'),
            '¹' => plain.push('1'),
            '⁻' | '−' | '–' => plain.push('-'),
            '^' | ' ' | '.' | '·' | '*' | '_' | '(' | ')' | '[' | ']' | '{' | '}' | '\u{a0}' => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The unit that a string means for this dimension.
pub(super) fn find(dimension: Dimension, text: &str) -> Option<Unit> {
    let plain = plain(text);
    UNITS.iter().find(|(of, _, names)| *of == dimension && names.contains(&plain.as_str())).map(|(_, unit, _)| *unit)
}

/// A unit that the code itself names; the tests check that each name is found.
pub(super) fn get(dimension: Dimension, text: &str) -> Unit {
    find(dimension, text).unwrap_or(Unit::new("", 1.0))
}

/// Whether a string is a unit of any dimension.
pub(super) fn is_unit(text: &str) -> bool {
    let plain = plain(text);
    UNITS.iter().any(|(_, _, names)| names.contains(&plain.as_str()))
}

/// The units of a dimension, for messages.
pub(super) fn known(dimension: Dimension) -> impl Iterator<Item = &'static str> {
    UNITS.iter().filter(move |(of, _, _)| *of == dimension).map(|(_, unit, _)| unit.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_known_however_it_is_written() {
        for (dimension, text, number, days, expected) in [
            (Dimension::Temperature, "°F", 50.0, 1.0, 10.0),
            (Dimension::Temperature, "K", 283.15, 1.0, 10.0),
            (Dimension::Temperature, "(oC)", 10.0, 1.0, 10.0),
            (Dimension::Radiation, "kW-hr/m^2/day", 1.0, 1.0, 3.6),
            (Dimension::Radiation, "W/m²", 100.0, 1.0, 8.64),
            (Dimension::Radiation, "W/m^2", 100.0, 1.0 / 24.0, 0.36),
            (Dimension::Radiation, "Wh/m2", 1000.0, 1.0 / 24.0, 3.6),
            (Dimension::Radiation, "MJ.m-2.day-1", 5.0, 1.0, 5.0),
            (Dimension::Radiation, "kJ m⁻² d⁻¹", 5000.0, 1.0, 5.0),
            (Dimension::Depth, "mm.day-1", 5.0, 1.0, 5.0),
            (Dimension::Depth, "in", 1.0, 1.0, 25.4),
            (Dimension::Depth, "mm/h", 1.0, 1.0 / 24.0, 1.0),
            (Dimension::Speed, "km.h-1", 5.0, 1.0, 5.0),
            (Dimension::Speed, "m s-1", 5.0, 1.0, 18.0),
            (Dimension::Speed, "km/day", 240.0, 1.0, 10.0),
            (Dimension::Share, "tenths", 5.0, 1.0, 50.0),
            (Dimension::Pressure, "hPa", 10.0, 1.0, 1.0),
        ] {
            let unit = find(dimension, text).unwrap_or_else(|| panic!("{text}"));
            let found = unit.convert(number, days);
            assert!((found - expected).abs() < 1e-9, "{number} {text} are {found}");
            assert!((unit.back(found, days) - number).abs() < 1e-9, "{text}");
        }
        assert_eq!(find(Dimension::Temperature, "furlong"), None);
        assert_eq!(find(Dimension::Depth, "°C"), None);
    }

    /// A word that two units of one dimension share would be read as the first of them.
    #[test]
    fn no_word_means_two_units() {
        for (i, (dimension, unit, names)) in UNITS.iter().enumerate() {
            for name in *names {
                assert_eq!(plain(name), *name, "it could never be found");
                let other = UNITS[i + 1..].iter().find(|(of, _, names)| of == dimension && names.contains(name));
                assert!(other.is_none(), "`{name}` is {} and another", unit.name);
            }
        }
    }
}
