//! The files for start and end, actions and score, in the layout used in the paper and the reference.
//!
//! | file | key | becomes |
//! |---|---|---|
//! | init | `Initial` | `initial_conditions` |
//! | | `Terminal` | `stopping_conditions` |
//! | actions | `params` | the parameters with these names |
//! | | `observations: {Free: …}` | `free_observations` |
//! | | `observations: {BasicFarmer-0: …}` | `observations` |
//! | | `interventions` | `actions` |
//! | score | `observation-cost`, `intervention-cost` | `observation_cost`, `intervention_cost` |
//! | | `reward-mix`, `final-reward-mix` | `reward_mix`, `final_reward_mix` |
//! One of this project's games may also keep its rule in such files. In that case, every name must be correct, and is checked with the
//! game.

mod actions;
mod score;
mod start;

use farm_core::config::{Document, ParameterError, PartKind, Path, Problem, Segment, TextPath, to_inline_yaml};
use farm_core::declare::PartInfo;
use farm_core::registry::{Kind, kind};
use farm_core::serde_yaml::Value;

use crate::notes::Remarks;
use crate::vocabulary::{Vocabulary, Word, steps};

/// The rule that these files are for.
pub const RULE: &str = "BasicRule";
/// The score that these files are for.
pub const SCORE: &str = "BasicScore";
/// The keys in a file for the score.
pub(crate) const SCORE_KEYS: [&str; 4] = ["observation-cost", "intervention-cost", "reward-mix", "final-reward-mix"];

/// Reads files in this layout into a document.
pub(crate) struct Sheets<'a> {
    /// The document that receives the values.
    pub document: &'a mut Document,
    /// The names in the game.
    pub vocabulary: Vocabulary<'a>,
    /// Remarks on names and values that were changed.
    pub remarks: &'a mut Remarks,
    /// The problems in the file, with their locations.
    pub problems: Vec<(TextPath, Problem)>,
    /// Whether farmers request observations. If they do, the permitted observations matter.
    pub asks: bool,
}

/// A value in a file, with its location.
#[derive(Clone)]
struct SectionItem<'v> {
    value: &'v Value,
    origin: TextPath,
}

impl<'v> SectionItem<'v> {
    fn child(&self, value: &'v Value, segment: impl Into<Segment>) -> Self {
        SectionItem { value, origin: TextPath { text: self.origin.text, path: self.origin.path.child(segment) } }
    }

    /// The entries of a mapping; none for any other value.
    fn entries(&self) -> Vec<(String, SectionItem<'v>)> {
        let entries = self.value.as_mapping().into_iter().flatten();
        entries.map(|(key, value)| (to_inline_yaml(key), self.child(value, to_inline_yaml(key).as_str()))).collect()
    }
}

/// An entry about a part in a file.
struct About<'a, 'v> {
    field: String,
    part: String,
    info: Option<&'a PartInfo>,
    item: SectionItem<'v>,
}

impl<'a> Sheets<'a> {
    /// The entries for each part in a tree of fields and parts.
    fn parts<'v>(&mut self, tree: &SectionItem<'v>) -> Vec<About<'a, 'v>> {
        let mut parts = Vec::new();
        for (field, below) in tree.entries() {
            let Some(field) = self.field(&field, &below.origin) else { continue };
            for (part, item) in below.entries() {
                let Some(part) = self.part(&field, &part, &item.origin) else { continue };
                let info = self.vocabulary.info(&field, &part);
                parts.push(About { field: field.clone(), part, info, item });
            }
        }
        parts
    }
}

impl Sheets<'_> {
    /// Reads a file for start and end.
    pub(crate) fn init(&mut self, value: &Value, origin: TextPath) {
        let item = SectionItem { value, origin };
        if !self.is_mapping(&item, "`Initial` and `Terminal`") {
            return;
        }
        // The paper's own example has no `Initial` around the fields.
        if value.get("Initial").is_none() && value.get("Terminal").is_none() {
            return self.initial(&item);
        }
        for (key, below) in item.entries() {
            match key.as_str() {
                "Initial" => self.initial(&below),
                "Terminal" => self.terminal(&below),
                _ => self.unknown_key(&key, &below.origin, &["Initial", "Terminal"]),
            }
        }
    }

    /// Reads a file for actions.
    pub(crate) fn actions(&mut self, value: &Value, origin: TextPath) {
        let item = SectionItem { value, origin };
        if !self.is_mapping(&item, "`params`, `observations` and `interventions`") {
            return;
        }
        for (key, below) in item.entries() {
            match key.as_str() {
                "params" => self.parameters(&below),
                "observations" => self.observations(&below),
                "interventions" => self.interventions(&below),
                _ => self.unknown_key(&key, &below.origin, &["params", "observations", "interventions"]),
            }
        }
    }

    /// Reads a file for the score.
    pub(crate) fn score(&mut self, value: &Value, origin: TextPath) {
        let item = SectionItem { value, origin };
        if !self.is_mapping(&item, "`reward-mix`, `final-reward-mix` and costs") {
            return;
        }
        for (key, below) in item.entries() {
            match key.as_str() {
                "observation-cost" => self.observation_costs(&below),
                "intervention-cost" => self.intervention_costs(&below),
                "reward-mix" => self.mix(&below, "reward_mix"),
                "final-reward-mix" => self.mix(&below, "final_reward_mix"),
                _ => self.unknown_key(&key, &below.origin, &SCORE_KEYS),
            }
        }
    }

    fn table(&self, part: PartKind, name: &str) -> Vec<&'static str> {
        let table = |kind: &'static Kind| kind.table().iter().map(|parameter| parameter.name()).collect();
        kind(part, name).map(table).unwrap_or_default()
    }

    /// Whether a rule parameter is already set. In one of this project's files, this is a problem, because the values contradict each
    /// other. Setting the same value twice is no problem.
    fn is_there(&mut self, key: &str, value: Option<&Value>, origin: &TextPath) -> bool {
        let path = rule_path(key);
        let there = path.value_in(self.document.value()).filter(|there| Some(*there) != value);
        let (Vocabulary::AsWritten(_), Some(there)) = (self.vocabulary, there) else { return false };
        let other = self.document.locations([&self.document.text_path(&path)]).into_iter().flatten().next();
        let place = other.map_or("elsewhere".to_owned(), |location| format!("at {location}"));
        let mut problem = Problem::new(
            ParameterError::Contradiction,
            Path::default(),
            format!("`{key}` of `{RULE}` has different values here and {place}"),
        );
        if let Some(value) = value {
            problem = problem.value(to_inline_yaml(value)).expected(to_inline_yaml(there));
        }
        self.problems.push((origin.clone(), problem.help("leave one of the two out")));
        true
    }

    /// Sets a rule parameter.
    pub(crate) fn rule(&mut self, key: &str, value: Value, origin: &TextPath) {
        self.document.place(&rule_path(key), value, origin.clone());
    }

    /// Sets a score parameter.
    pub(crate) fn score_parameter(&mut self, key: &str, value: Value, origin: &TextPath) {
        self.document.place(&score_path(key), value, origin.clone());
    }

    fn field(&mut self, name: &str, origin: &TextPath) -> Option<String> {
        let found = self.vocabulary.field(name);
        self.read(found, "the farm", "field", name, origin)
    }

    fn part(&mut self, field: &str, name: &str, origin: &TextPath) -> Option<String> {
        let found = self.vocabulary.part(field, name);
        self.read(found, field, "entity", name, origin)
    }

    fn farmer(&mut self, name: &str, origin: &TextPath) -> Option<String> {
        let found = self.vocabulary.farmer(name);
        self.read(found, "the farm", "farmer", name, origin)
    }

    fn step(
        &mut self,
        part: &str,
        info: Option<&PartInfo>,
        above: Vec<String>,
        name: &str,
        origin: &TextPath,
    ) -> Option<Vec<String>> {
        let found = self.vocabulary.step(info, &above, name);
        let whose = above.iter().fold(part.to_owned(), |whose, step| format!("{whose}.{step}"));
        let found = self.read(found, &whose, "variable", name, origin)?;
        let below = if info.is_some() { steps(&found) } else { vec![found.as_str()] };
        Some(above.into_iter().chain(below.into_iter().map(str::to_owned)).collect())
    }

    /// The name that a word means; adds a remark if the user should know about it.
    fn read(&mut self, word: Word, whose: &str, what: &str, name: &str, origin: &TextPath) -> Option<String> {
        match word {
            Word::Known(name) => Some(name),
            Word::Mapped(to, why) => {
                self.remarks.mapped(origin, name, &to, why);
                Some(to)
            }
            Word::Unknown(names) => {
                self.remarks.unknown(origin, name, format!("`{whose}` has no {what} `{name}` here"), names);
                None
            }
        }
    }

    fn is_mapping(&mut self, item: &SectionItem<'_>, keys: &str) -> bool {
        if !item.value.is_mapping() && !item.value.is_null() {
            let problem =
                Problem::new(ParameterError::WrongType, Path::default(), format!("expected a mapping with {keys}"));
            let problem = problem.value(to_inline_yaml(item.value)).expected(format!("a mapping with {keys}"));
            self.problems.push((item.origin.clone(), problem));
        }
        item.value.is_mapping()
    }

    fn unknown_key(&mut self, key: &str, origin: &TextPath, keys: &[&str]) {
        let names = keys.iter().map(|key| (*key).to_owned()).collect();
        self.unknown(origin, key, format!("`{key}` is not a key of this file"), names);
    }

    /// Reports an unknown name: a warning in a reference file, a problem in one of this project's files.
    fn unknown(&mut self, origin: &TextPath, name: &str, message: String, names: Vec<String>) {
        match self.vocabulary {
            Vocabulary::Of(_) => self.remarks.unknown(origin, name, message, names),
            Vocabulary::AsWritten(_) => {
                let problem =
                    Problem::new(ParameterError::UnknownKey, Path::default(), message).value(name).about_name();
                self.problems.push((origin.clone(), problem.among(name, names.iter().map(String::as_str))));
            }
        }
    }
}

/// The path of a rule parameter.
pub fn rule_path(key: &str) -> Path {
    Path::default().child("rules").child(RULE).child(key)
}

/// The path of a score parameter.
pub fn score_path(key: &str) -> Path {
    Path::default().child("score").child(SCORE).child(key)
}

/// The number in `np.float64(15.0)`, the form in which the reference writes numbers with recent NumPy versions.
fn unwrapped(text: &str) -> Option<Value> {
    let inner = text.trim().strip_prefix("np.")?.split_once('(')?.1.strip_suffix(')')?;
    inner.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)
}

/// A copy of a tree in which `read` replaces leaves and lists.
fn each_leaf(value: &Value, read: &dyn Fn(&Value) -> Value) -> Value {
    match value {
        Value::Mapping(entries) => {
            Value::Mapping(entries.iter().map(|(key, below)| (key.clone(), each_leaf(below, read))).collect())
        }
        Value::Sequence(items) => Value::Sequence(items.iter().map(|item| each_leaf(item, read)).collect()),
        leaf => read(leaf),
    }
}
