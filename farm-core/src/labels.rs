//! Labels for people. Each language has a table with labels for parts, variables, values and actions.
//!
//! Identifiers stay in files, replies and results. Anything made for people (pictures, the terminal, reports) shows labels, with units as
//! people write them. A crate with parts registers its tables with [`label_table!`](crate::label_table). An identifier without a label is
//! shown as is, with spaces instead of underscores.
//!
//! ```
//! use farm_core::labels::{Labels, Language, unit};
//!
//! assert_eq!(unit("drainage#L.day-1"), "L/day");
//! assert_eq!(Labels::of(Language::English).date(129), "10 May");
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::Game;
use crate::action::{ActionTarget, Argument, BaseAction, Call};
use crate::declare::{ActionParameter, ActionParameterKind, PartInfo};
use crate::format::pieces;
pub use crate::format::unit;
use crate::inspect;
use crate::text::GOAL;

/// A language for labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// The language used for identifiers and prompts.
    #[default]
    English,
    /// French.
    French,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::French];

    /// The language's code, such as `en`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let codes = || Self::ALL.map(Self::code).join(", ");
        Self::ALL.into_iter().find(|language| language.code() == text).ok_or_else(|| format!("languages: {}", codes()))
    }
}

/// The labels for a crate's parts in one language: YAML with the sections `kinds`, `variables`, `actions`, `parameters`, `values`, `words`
/// and `games`.
#[derive(Debug)]
pub struct LabelTable {
    language: Language,
    text: &'static str,
}

impl LabelTable {
    /// Creates a table for a language.
    pub const fn new(language: Language, text: &'static str) -> Self {
        Self { language, text }
    }
}

inventory::collect!(LabelTable);

/// Registers the labels for a crate's parts: `farm_core::label_table!(French, include_str!("../labels/fr.yaml"));`.
#[macro_export]
macro_rules! label_table {
    ($language:ident, $text:expr) => {
        $crate::inventory::submit! {
            $crate::labels::LabelTable::new($crate::labels::Language::$language, $text)
        }
    };
}

/// The sections of a table. `values` has a mapping for each variable; `words` and `games` map English texts to texts, and the others map
/// identifiers to labels.
const VALUES: &str = "values";
/// The lines of goals and the reasons for the end of an episode, as game files have them.
const GAMES: &str = "games";
const SECTIONS: [&str; 7] = ["kinds", "variables", "actions", "parameters", VALUES, "words", GAMES];

/// The unit for water on a plot. People read it as a depth, because one litre per square metre is one millimetre.
pub const LITRES: &str = "L";

/// A quantity's label for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The quantity's name.
    pub text: String,
    /// The quantity's unit; empty for counts, dates and categories.
    pub unit: String,
}

/// Labels by section and identifier.
type Entries = BTreeMap<(&'static str, String), String>;

/// The labels in one language.
#[derive(Debug)]
pub struct Labels {
    language: Language,
    /// The labels, by section and identifier.
    labels: Entries,
}

impl Labels {
    /// The labels from all linked crates.
    ///
    /// # Panics
    /// If a linked table is not valid. A test in the table's crate would detect this.
    pub fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Labels>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        ALL[language as usize].get_or_init(|| {
            let tables = inventory::iter::<LabelTable>.into_iter().filter(|table| table.language == language);
            let mut labels = Entries::new();
            for table in tables {
                match read(table.text) {
                    Ok(read) => labels.extend(read),
                    Err(error) => panic!("labels of `{}`: {error}", language.code()),
                }
            }
            Self { language, labels }
        })
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The identifiers that have a label, by section.
    pub fn identifiers(&self, section: &str) -> impl Iterator<Item = &str> {
        self.labels.keys().filter(move |(of, _)| *of == section).map(|(_, id)| id.as_str())
    }

    fn find(&self, section: &'static str, id: &str) -> Option<&str> {
        self.labels.get(&(section, id.to_owned())).map(String::as_str)
    }

    /// Translates a program's text from English into this language.
    pub fn words<'t>(&'t self, english: &'t str) -> &'t str {
        self.find("words", english).unwrap_or(english)
    }

    /// Like [`TextChannel::goal`](crate::TextChannel::goal), in this language. The goal is in English if this language lacks one of its
    /// lines.
    pub fn goal(&self, game: &Game) -> String {
        let english = if game.spec().goal().is_empty() { GOAL } else { game.spec().goal() };
        let lines: Option<Vec<&str>> = english.lines().map(|line| self.find(GAMES, line)).collect();
        let Some(mut goal) = lines.and_then(|lines| game.text().filled_in(&lines.join("\n"))) else {
            return game.text().goal();
        };
        if let Some(steps) = game.rules.max_steps {
            let lasts =
                if game.rules.stopping.0.is_empty() { "The episode lasts" } else { "The episode lasts at most" };
            goal.push(format!("{} {steps} {}.", self.words(lasts), self.words(game.text().unit_of_time())));
        }
        goal.join("\n")
    }

    /// Why an episode ended, in this language: a text from [`TextChannel::stop_reason`](crate::TextChannel::stop_reason).
    pub fn stop_reason<'t>(&'t self, english: &'t str) -> Cow<'t, str> {
        match english.split(' ').collect::<Vec<_>>()[..] {
            ["after", steps, unit @ ("day" | "days" | "step" | "steps")] => {
                format!("{} {steps} {}", self.words("after"), self.words(unit)).into()
            }
            _ => self.find(GAMES, english).unwrap_or_else(|| self.words(english)).into(),
        }
    }

    /// The label for a kind of part.
    pub fn kind<'t>(&'t self, kind: &'t str) -> &'t str {
        self.find("kinds", kind).unwrap_or(kind)
    }

    /// The label for a field in a game, with its number, counted from 1, if there are several.
    pub fn field(&self, game: &Game, field: usize) -> String {
        let name = self.words("Field");
        if game.fields().len() > 1 { format!("{name} {}", field + 1) } else { name.to_owned() }
    }

    /// The label for a part in a game. It is numbered from 1 if the field has several parts with that label, and includes the field if the
    /// game has several fields.
    pub fn part(&self, game: &Game, part: &PartInfo) -> String {
        let alike: Vec<&str> = (game.parts().iter())
            .filter(|other| other.label() == part.label() && other.field() == part.field())
            .map(PartInfo::path)
            .collect();
        let number = alike.iter().position(|path| *path == part.path()).filter(|_| alike.len() > 1);
        let number = number.map_or_else(String::new, |number| format!(" {}", number + 1));
        let field = part.field().filter(|_| game.fields().len() > 1);
        let field = field.map_or_else(String::new, |field| self.field(game, field) + " · ");
        format!("{field}{}{number}", self.kind(part.label()))
    }

    /// A day of the year (0 is 1 January) as a date, such as `3 July`.
    pub fn date(&self, day_of_year: u32) -> String {
        let (month, day) = inspect::month_and_day(day_of_year);
        format!("{day} {}", self.words(month))
    }

    /// A unit, as people write it in this language.
    pub fn unit(&self, name: &str) -> String {
        unit(name).replace("day", self.words("day"))
    }

    /// The label for a variable of a kind of part, such as `available_Water#L` of `Soil`. Keys after the unit are kinds of other parts.
    pub fn variable(&self, kind: &str, name: &str) -> Label {
        let (plain, _, keys) = pieces(name);
        let bare = name.split(['(', '[']).next().unwrap_or(name);
        let without_keys = keys
            .iter()
            .rev()
            .fold(bare, |name, key| name.strip_suffix(key).map_or(name, |name| name.trim_end_matches('.')));
        let found = [&format!("{kind}.{without_keys}"), without_keys, plain]
            .into_iter()
            .find_map(|id| self.find("variables", id))
            .map(str::to_owned);
        let text = found.unwrap_or_else(|| plain.replace('_', " ").replace('.', ", "));
        let keys = keys.into_iter().map(|key| format!(", {}", self.key(key)));
        Label { text: text + &keys.collect::<String>(), unit: self.unit(name) }
    }

    /// The label for a key after a unit: a part's name, such as `Weeds-0`.
    fn key(&self, key: &str) -> String {
        match key.split_once('-') {
            Some((kind, "0")) => self.kind(kind).to_lowercase(),
            _ => key.to_owned(),
        }
    }

    /// The label for a value of a variable with named values.
    pub fn value<'t>(&'t self, variable: &str, value: &'t str) -> Cow<'t, str> {
        let name = variable.rsplit('.').next().unwrap_or(variable);
        match self.find(VALUES, &format!("{name}.{value}")) {
            Some(label) => Cow::Borrowed(label),
            None if value.contains('_') => Cow::Owned(value.replace('_', " ")),
            None => Cow::Borrowed(value),
        }
    }

    /// The label for one of a part's actions. It may depend on the part's label.
    pub fn action<'t>(&'t self, part: &PartInfo, name: &'t str) -> &'t str {
        let of = |owner: &str| self.find("actions", &format!("{owner}.{name}"));
        of(part.label()).or_else(|| of(part.kind())).or_else(|| self.find("actions", name)).unwrap_or(name)
    }

    /// The variables that a request asks for: one of a part's variables, or several whose names start in the same way.
    pub fn request(&self, part: &PartInfo, text: &str) -> String {
        let is_asked = |name: &str| name.split('#').next() == Some(text);
        let asked = part.variables().iter().map(|variable| variable.name()).find(|name| is_asked(name));
        self.variable(part.kind(), asked.unwrap_or(text)).text
    }

    /// The label for one of a game's actions, with its part if several parts have the same action.
    pub fn base_action(&self, game: &Game, base: &BaseAction) -> String {
        let parts = game.parts();
        let Some(part) = parts.get(base.part()) else { return base.name(parts).to_owned() };
        let label = match base.target() {
            ActionTarget::Observation(request) => {
                format!("{}: {}", self.words("Observe"), self.request(part, &request.text()))
            }
            ActionTarget::Intervention(_) => self.action(part, base.name(parts)).to_owned(),
        };
        let alike = game.catalogue().base_actions().iter().filter(|other| {
            other.part() != base.part()
                && other.name(parts) == base.name(parts)
                && parts.get(other.part()).is_some_and(|other| other.label() == part.label())
        });
        if alike.count() > 0 { format!("{label} ({})", self.part(game, part)) } else { label }
    }

    /// The label for an action with its arguments, such as `Irrigate: (0, 0), 20 mm, 60 min`.
    pub fn call(&self, game: &Game, call: &Call) -> String {
        let Some(base) = game.catalogue().base_actions().get(call.base()) else { return String::new() };
        let label = self.base_action(game, base);
        let parameters = base.info(game.parts()).map(|info| info.parameters()).unwrap_or_default();
        let arguments: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(i, parameter)| self.argument(game, base, parameter, call.arguments().real(i)))
            .collect();
        if arguments.is_empty() { label } else { format!("{label}: {}", arguments.join(", ")) }
    }

    /// The label for the value of an action's parameter. Litres on a plot become millimetres.
    pub fn argument(&self, game: &Game, base: &BaseAction, parameter: &ActionParameter, value: f64) -> String {
        let field = game.parts().get(base.part()).and_then(PartInfo::field).and_then(|field| game.fields().get(field));
        let text = inspect::argument(Argument::new(parameter.kind(), value, field.map_or(1, |field| field.width())));
        match (parameter.kind(), unit(parameter.name()), field) {
            (ActionParameterKind::Plot, ..) => text,
            (ActionParameterKind::Choice(_), ..) => self.value(parameter.name(), &text).into_owned(),
            (ActionParameterKind::Real { .. }, unit, Some(field)) if unit == LITRES => {
                format!("{} mm", inspect::format_number(value / field.plot_area_m2()))
            }
            (ActionParameterKind::Real { .. }, unit, _) => format!("{text} {unit}").trim_end().to_owned(),
        }
    }

    /// The label for an action's parameter.
    pub fn parameter(&self, name: &str) -> Label {
        let text = self.find("parameters", name).map(str::to_owned);
        Label { text: text.unwrap_or_else(|| pieces(name).0.replace('_', " ")), unit: unit(name) }
    }
}

/// Reads a table.
///
/// # Errors
/// The table is not YAML, has an unknown section, or contains something other than text.
fn read(text: &str) -> Result<Entries, String> {
    let table: BTreeMap<String, BTreeMap<String, serde_yaml::Value>> =
        serde_yaml::from_str(text).map_err(|error| error.to_string())?;
    let mut labels = Entries::new();
    for (name, entries) in table {
        let section = SECTIONS.into_iter().find(|section| *section == name);
        let section = section.ok_or_else(|| format!("there is no section `{name}`: {}", SECTIONS.join(", ")))?;
        for (id, value) in entries {
            match value {
                serde_yaml::Value::String(label) if section != VALUES => drop(labels.insert((section, id), label)),
                serde_yaml::Value::Mapping(values) if section == VALUES => {
                    for (value, label) in values {
                        let (value, label) =
                            value.as_str().zip(label.as_str()).ok_or_else(|| format!("{id}: texts are needed"))?;
                        labels.insert((VALUES, format!("{id}.{value}")), label.to_owned());
                    }
                }
                _ => return Err(format!("{name}: `{id}` has no text")),
            }
        }
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_without_a_label_is_shown_with_spaces() {
        let labels = Labels { language: Language::English, labels: Entries::new() };
        assert_eq!(labels.variable("Slugs", "onplant_population#nb.Weeds-0").text, "onplant population, weeds");
        assert_eq!(labels.variable("Slugs", "air_temperature.max#°C").text, "air temperature, max");
        let slugs = PartInfo { kind: "Slugs".to_owned(), ..PartInfo::default() };
        assert_eq!(
            (labels.kind("Slugs"), labels.action(&slugs, "chase"), labels.words("Log")),
            ("Slugs", "chase", "Log")
        );
        assert_eq!(labels.value("stage", "not_yet"), "not yet");
        assert_eq!(labels.parameter("amount#kg"), Label { text: "amount".to_owned(), unit: "kg".to_owned() });
    }

    #[test]
    fn the_more_precise_identifier_has_the_label() {
        let text = "variables: {population#nb: Plants, Birds.population#nb: Birds, size: Size}\nvalues: {stage: {seed: sown}}\n\
                    actions: {remove: Remove, Weeds.remove: Weed}\n";
        let labels = Labels { language: Language::English, labels: read(text).unwrap() };
        let text = |kind, name| labels.variable(kind, name).text;
        assert_eq!(
            [text("Birds", "population#nb"), text("Plant", "population#nb"), text("Plant", "size#cm")],
            ["Birds", "Plants", "Size"]
        );
        assert_eq!(text("Pests", "population#nb.Plant-0"), "Plants, plant");
        let part = |kind: &str| PartInfo { kind: kind.to_owned(), ..PartInfo::default() };
        let named = PartInfo { label: Some("Weeds".to_owned()), ..part("Plant") };
        let actions = [part("Weeds"), part("Plant"), named].map(|part| labels.action(&part, "remove").to_owned());
        assert_eq!(actions, ["Weed", "Remove", "Weed"]);
        assert_eq!((labels.value("view.stage", "seed"), labels.value("stage", "ripe")), ("sown".into(), "ripe".into()));
    }

    #[test]
    fn a_table_that_is_none_is_rejected() {
        for (text, said) in
            [("kindz: {}", "no section `kindz`"), ("kinds: {Soil: 3}", "`Soil`"), ("values: {stage: bare}", "`stage`")]
        {
            let error = read(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert_eq!("fr".parse(), Ok(Language::French));
        assert_eq!("de".parse::<Language>(), Err("languages: en, fr".to_owned()));
    }
}
