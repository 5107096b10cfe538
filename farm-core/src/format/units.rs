//! The units in the names of variables and parameters, such as `available_Water#L`.

/// Splits a name into the quantity, the powers in its unit, and any keys after the unit, such as the part that the value belongs to.
pub(crate) fn pieces(name: &str) -> (&str, Vec<&str>, Vec<&str>) {
    let (name, unit) = name.split_once('#').unwrap_or((name, ""));
    let unit = unit.split(['(', '[']).next().unwrap_or("");
    // Units are short or start with a lower-case letter; keys are part names.
    let is_unit = |piece: &&str| {
        let base = piece.split('-').next().unwrap_or("");
        base.chars().count() <= 2 || !base.starts_with(char::is_uppercase)
    };
    let (mut units, mut keys): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for piece in unit.split('.').filter(|piece| !piece.is_empty()) {
        if keys.is_empty() && is_unit(&piece) { units.push(piece) } else { keys.push(piece) }
    }
    (name, units, keys)
}

/// A unit, as people write it: `L.day-1` is `L/day`, `m2` is `m²`. Integers have no unit.
pub fn unit(name: &str) -> String {
    let (_, units, _) = pieces(name);
    let raised = |piece: &str| piece.replace('2', "²").replace('3', "³");
    let mut out = String::new();
    for (i, piece) in units.into_iter().enumerate() {
        match piece.split_once('-') {
            _ if matches!(piece, "nb" | "bin" | "prop" | "-") || piece.starts_with("int") => {}
            Some((base, "1")) => out.push_str(&format!("/{base}")),
            Some((base, power)) => out.push_str(&format!("/{base}{}", raised(power))),
            None if i == 0 => out.push_str(&raised(piece)),
            None => out.push_str(&format!("·{}", raised(piece))),
        }
    }
    if out.starts_with('/') { format!("1{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_as_people_do() {
        for (name, expected) in [
            ("available_Water#L", "L"),
            ("evaporation#L.day-1", "L/day"),
            ("wilting_point#L.m-3", "L/m³"),
            ("wet_surface#m2", "m²"),
            ("day#int365", ""),
            ("plot_population#nb", ""),
            ("stage", ""),
            ("onplant_population#nb.Weeds-0", ""),
            ("seeds#nb.day-1", "1/day"),
            ("air_temperature.max#°C", "°C"),
        ] {
            assert_eq!(unit(name), expected, "{name}");
        }
    }
}
