//! Finds the game's name for a name in a file.

use farm_core::Game;
use farm_core::declare::{PartInfo, ValueKind};

use crate::names::{Named, normal, spelling};
use crate::notes::Meaning;

/// The meaning of a name as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Word {
    /// The name itself.
    Known(String),
    /// Another name, with the reason.
    Mapped(String, &'static str),
    /// An unknown name, with the known names.
    Unknown(Vec<String>),
}

/// How names are read.
#[derive(Clone, Copy)]
pub(crate) enum Vocabulary<'g> {
    /// As written: the game itself resolves the names. The value lists the game's fields.
    AsWritten(&'g [String]),
    /// As names of this game, or as other spellings of them.
    Of(&'g Game),
}

/// The reason for a name with another spelling.
const SPELT: &str = "another spelling";

fn reason(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Same => SPELT,
        Meaning::Near(what) => what,
    }
}

/// Finds a name among the known names: as written, by the table of spellings, or ignoring unit, case and underscores.
pub(crate) fn find(named: Named, of: &str, name: &str, names: &[&str]) -> Word {
    if names.contains(&name) {
        return Word::Known(name.to_owned());
    }
    if let Some(line) = spelling(named, of, name)
        && names.contains(&line.to)
    {
        return Word::Mapped(line.to.to_owned(), reason(line.meaning));
    }
    let mut alike = names.iter().filter(|other| normal(other) == normal(name));
    match (alike.next(), alike.next()) {
        (Some(only), None) => Word::Mapped((*only).to_owned(), SPELT),
        _ => Word::Unknown(names.iter().map(|name| (*name).to_owned()).collect()),
    }
}

/// The steps in a declared name: `air_temperature.max#°C` and `onplant_population#nb.Plant-0` have two each. Dots in a unit do not count.
pub fn steps(name: &str) -> Vec<&str> {
    let unit = name.find('#').unwrap_or(name.len());
    let ends_name = |(dot, _): &(usize, &str)| *dot < unit || is_part(&name[dot + 1..]);
    let mut steps = Vec::new();
    let mut start = 0;
    for (dot, _) in name.match_indices('.').filter(ends_name) {
        steps.push(&name[start..dot]);
        start = dot + 1;
    }
    steps.push(&name[start..]);
    steps
}

/// Whether a string is the name of a part, such as `Plant-0`, and not a unit, such as `day-1`.
fn is_part(text: &str) -> bool {
    let Some((kind, rank)) = text.split_once('-') else { return false };
    kind.len() > 2 && kind.starts_with(char::is_uppercase) && rank.chars().all(|c| c.is_ascii_digit())
}

/// The names in order, without repetitions.
fn once<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

impl<'g> Vocabulary<'g> {
    /// The part for a field name and an entity name.
    pub(crate) fn part(self, field: &str, entity: &str) -> Word {
        let Self::Of(game) = self else { return Word::Known(entity.to_owned()) };
        let Some(index) = game.fields().iter().position(|f| f.name() == field) else {
            return Word::Unknown(Vec::new());
        };
        let parts: Vec<&str> = game.parts().iter().filter(|p| p.field() == Some(index)).map(|p| p.name()).collect();
        if parts.contains(&entity) {
            return Word::Known(entity.to_owned());
        }
        let (kind, rank) = entity.rsplit_once('-').unwrap_or((entity, "0"));
        let kinds: Vec<&str> = game.parts().iter().map(|p| p.kind()).collect();
        match find(Named::Kind, "", kind, &kinds) {
            Word::Known(kind) | Word::Mapped(kind, _) if parts.contains(&format!("{kind}-{rank}").as_str()) => {
                Word::Mapped(format!("{kind}-{rank}"), SPELT)
            }
            _ => Word::Unknown(parts.into_iter().map(str::to_owned).collect()),
        }
    }

    /// The field for a name.
    pub(crate) fn field(self, name: &str) -> Word {
        let Self::Of(game) = self else { return Word::Known(name.to_owned()) };
        let names: Vec<&str> = game.fields().iter().map(|f| f.name()).collect();
        if names.contains(&name) { Word::Known(name.to_owned()) } else { find(Named::Kind, "", name, &names) }
    }

    /// Whether a name is the name of a field.
    pub(crate) fn is_field(self, name: &str) -> bool {
        match self {
            Self::AsWritten(fields) => fields.iter().any(|field| field == name),
            Self::Of(_) => !matches!(self.field(name), Word::Unknown(_)),
        }
    }

    /// The farmer for a name; `Farmer-1` is the second one of any kind.
    pub(crate) fn farmer(self, name: &str) -> Word {
        let Self::Of(game) = self else { return Word::Known(name.to_owned()) };
        let farmers: Vec<&str> =
            game.spec().farmers().iter().zip(farm_level(game)).map(|(_, part)| part.name()).collect();
        if farmers.contains(&name) {
            return Word::Known(name.to_owned());
        }
        let rank = name.rsplit_once('-').and_then(|(_, rank)| rank.parse::<usize>().ok());
        match rank.and_then(|rank| farmers.get(rank)) {
            Some(farmer) if name.contains("armer") => Word::Mapped((*farmer).to_owned(), SPELT),
            _ => Word::Unknown(farmers.into_iter().map(str::to_owned).collect()),
        }
    }

    /// The game's information about a part.
    pub(crate) fn info(self, field: &str, part: &str) -> Option<&'g PartInfo> {
        let Self::Of(game) = self else { return None };
        let index = game.fields().iter().position(|f| f.name() == field)?;
        game.parts().iter().find(|p| p.field() == Some(index) && p.name() == part)
    }

    /// The next step in a variable's name, below the steps in `above`.
    pub(crate) fn step(self, info: Option<&PartInfo>, above: &[String], name: &str) -> Word {
        let Some(info) = info else { return Word::Known(name.to_owned()) };
        let visible = info
            .variables()
            .iter()
            .map(|v| (v.name(), v.visible()))
            .chain(info.observables().iter().map(|o| (o.name(), true)));
        let below = visible.filter_map(|(name, visible)| {
            let steps = steps(name);
            let inside = steps.len() > above.len() && steps.iter().zip(above).all(|(step, above)| step == above);
            inside.then(|| (steps[above.len()], steps[above.len()..].join("."), visible))
        });
        let below: Vec<(&str, String, bool)> = below.collect();
        let names = once(below.iter().flat_map(|(step, rest, _)| [*step, rest.as_str()]));
        match find(Named::Variable, info.kind(), name, &names) {
            Word::Unknown(_) => {
                let seen = below.iter().filter(|(.., visible)| *visible).map(|(step, ..)| *step);
                Word::Unknown(once(seen).into_iter().map(str::to_owned).collect())
            }
            word => word,
        }
    }

    /// The action for a name.
    pub(crate) fn action(self, info: Option<&PartInfo>, name: &str) -> Word {
        let Some(info) = info else { return Word::Known(name.to_owned()) };
        let names: Vec<&str> = info.actions().iter().map(|a| a.name()).collect();
        find(Named::Action, info.kind(), name, &names)
    }

    /// The action's parameter for a name.
    pub(crate) fn parameter(self, info: Option<&PartInfo>, action: &str, name: &str) -> Word {
        let Some(action) = info.and_then(|info| info.actions().iter().find(|a| a.name() == action)) else {
            return Word::Known(name.to_owned());
        };
        let names: Vec<&str> = action.parameters().iter().map(|p| p.name()).collect();
        find(Named::Action, "", name, &names)
    }

    /// The variable's word for a word as written.
    pub(crate) fn value(self, info: Option<&PartInfo>, variable: &str, word: &str) -> Word {
        let unchanged = Word::Known(word.to_owned());
        let Some(info) = info else { return unchanged };
        let kind = info.variables().iter().find(|v| v.name() == variable).map(|v| v.kind());
        if kind.is_some_and(ValueKind::is_flag) {
            return match normal(word).as_str() {
                "true" => Word::Mapped("true".into(), SPELT),
                "false" => Word::Mapped("false".into(), SPELT),
                _ => unchanged,
            };
        }
        let Some(labels) = kind.and_then(|kind| kind.labels(0)) else { return unchanged };
        let names = labels.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match find(Named::Value, info.kind(), word, &names) {
            Word::Unknown(_) => unchanged,
            found => found,
        }
    }
}

/// The parts that belong to no field: farmers, then the score.
fn farm_level(game: &Game) -> impl Iterator<Item = &PartInfo> {
    game.parts().iter().filter(|part| part.field().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dots_of_a_unit_are_no_steps() {
        assert_eq!(steps("forecast.rain_amount#mm.day-1"), ["forecast", "rain_amount#mm.day-1"]);
        assert_eq!(steps("day#int365"), ["day#int365"]);
        assert_eq!(steps("forecast.air_temperature.max#°C"), ["forecast", "air_temperature", "max#°C"]);
        assert_eq!(steps("onplant_population#nb.Plant-0"), ["onplant_population#nb", "Plant-0"]);
    }

    #[test]
    fn a_name_is_found_as_written_by_the_table_or_without_its_unit() {
        let names = ["water_discrete", "water_continuous"];
        let found = |name| find(Named::Action, "Soil", name, &names);
        assert_eq!(found("water_discrete"), Word::Known("water_discrete".into()));
        assert_eq!(found("watering_continuous"), Word::Mapped("water_continuous".into(), SPELT));
        assert!(matches!(found("flood"), Word::Unknown(names) if names.len() == 2));
        // Two that are alike are no answer.
        assert!(matches!(find(Named::Variable, "", "a", &["a#g", "a#kg"]), Word::Unknown(_)));
    }
}
