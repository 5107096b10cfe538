//! The files for start and end, for actions and for the score, in the layout of the paper and of the reference.
//!
//! | file | says | becomes |
//! |---|---|---|
//! | init | `Initial` | `initial_conditions` |
//! | | `Terminal` | `stopping_conditions` |
//! | actions | `params` | the parameters of these names |
//! | | `observations: {Free: …}` | `free_observations` |
//! | | `observations: {BasicFarmer-0: …}` | `observations` |
//! | | `interventions` | `actions` |
//! | score | `observation-cost`, `intervention-cost` | `observation_cost`, `intervention_cost` |
//! | | `reward-mix`, `final-reward-mix` | `reward_mix`, `final_reward_mix` |
//!
//! A game of this project may have its rule in such files too; then every name must be right, and is checked with the game.

use farm_core::config::{Document, Kind, Origin, PartKind, Path, Problem, kind, show};
use farm_core::declare::{PartInfo, ValueKind};
use farm_core::serde_yaml::Value;

use super::names::{Named, normal, spelling};
use super::remarks::{Meaning, Remarks};
use super::vocabulary::{Vocabulary, Word, steps};

/// The rule that these files are for.
pub const RULE: &str = "BasicRule";
/// The score that these files are for.
pub const SCORE: &str = "BasicScore";
/// The reference counts a harvest in grams.
const GRAMS_PER_KILOGRAM: f64 = 1000.0;
/// The keys of a file for the score.
pub const SCORE_KEYS: [&str; 4] = ["observation-cost", "intervention-cost", "reward-mix", "final-reward-mix"];

/// Reads files in this layout into a document.
pub struct Sheets<'a> {
    /// Where the values go.
    pub document: &'a mut Document,
    /// How names are read.
    pub vocabulary: Vocabulary<'a>,
    /// What was read otherwise than it is written.
    pub remarks: &'a mut Remarks,
    /// What has no place in such a file, with the place where it stands.
    pub problems: Vec<(Origin, Problem)>,
    /// Whether farmers ask for observations, so that what they may ask for counts.
    pub asks: bool,
}

/// What is observed: a variable by the steps of its name, and which of its values.
struct Seen {
    field: String,
    part: String,
    steps: Vec<String>,
    which: Which,
    origin: Origin,
}

#[derive(Debug, Clone, PartialEq)]
enum Which {
    /// Nothing more is said.
    All,
    /// `'*'` as a key: all that is below.
    Below,
    /// An entry of a list: `'*'`, a plot or an index.
    Entry(Value),
}

impl Seen {
    fn is_whole(&self) -> bool {
        match &self.which {
            Which::All | Which::Below => true,
            Which::Entry(entry) => entry.as_str() == Some("*"),
        }
    }
}

/// A value of a text with its place.
#[derive(Clone)]
struct Item<'v> {
    value: &'v Value,
    origin: Origin,
}

impl<'v> Item<'v> {
    fn child(&self, value: &'v Value, segment: impl Into<farm_core::config::Segment>) -> Self {
        Item { value, origin: Origin { text: self.origin.text, path: self.origin.path.child(segment) } }
    }

    /// The entries of a mapping; none of anything else.
    fn entries(&self) -> Vec<(String, Item<'v>)> {
        let entries = self.value.as_mapping().into_iter().flatten();
        entries.map(|(key, value)| (show(key), self.child(value, show(key).as_str()))).collect()
    }
}

impl Sheets<'_> {
    /// Reads a file for start and end.
    pub fn init(&mut self, value: &Value, origin: Origin) {
        let item = Item { value, origin };
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
    pub fn actions(&mut self, value: &Value, origin: Origin) {
        let item = Item { value, origin };
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
    pub fn score(&mut self, value: &Value, origin: Origin) {
        let item = Item { value, origin };
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

    fn initial(&mut self, tree: &Item<'_>) {
        self.rule("initial_conditions", Value::Mapping(Default::default()), &tree.origin);
        self.each_part(tree, &mut |this, field, part, info, variables| {
            for (name, value) in variables.entries() {
                this.initial_value(field, part, info, Vec::new(), &name, &value);
            }
        });
    }

    fn initial_value(
        &mut self,
        field: &str,
        part: &str,
        info: Option<&PartInfo>,
        above: Vec<String>,
        name: &str,
        item: &Item<'_>,
    ) {
        let Some(path) = self.step(part, info, above, name, &item.origin) else { return };
        if item.value.is_mapping() {
            for (name, value) in item.entries() {
                self.initial_value(field, part, info, path.clone(), &name, &value);
            }
            return;
        }
        let value = self.plain(info, &path.join("."), item);
        let mut place = rule_path("initial_conditions").child(field).child(part);
        place.0.extend(path.iter().map(|step| step.into()));
        self.document.place(&place, value, item.origin.clone());
    }

    /// A value of a variable as it is written here; numbers out of its range are moved to its edge, as the reference does.
    fn plain(&mut self, info: Option<&PartInfo>, variable: &str, item: &Item<'_>) -> Value {
        match item.value {
            Value::String(word) => match self.vocabulary.value(info, variable, word) {
                Word::Mapped(to, why) => {
                    self.remarks.mapped(&item.origin, word, &to, why);
                    // `true` and `false` are words in the reference.
                    to.parse::<bool>().map_or(Value::String(to), Value::Bool)
                }
                _ => unwrapped(word).unwrap_or_else(|| item.value.clone()),
            },
            Value::Sequence(items) => Value::Sequence(
                items.iter().enumerate().map(|(i, value)| self.plain(info, variable, &item.child(value, i))).collect(),
            ),
            Value::Number(number) => {
                let kind = info.and_then(|info| info.variables.iter().find(|v| v.name == variable)).map(|v| &v.kind);
                let (low, high) = match kind {
                    Some(ValueKind::Real { low, high }) => (*low, *high),
                    Some(ValueKind::Count { low, high }) => (f64::from(*low), f64::from(*high)),
                    _ => return item.value.clone(),
                };
                match number.as_f64() {
                    Some(found) if found < low || found > high => {
                        let edge = Value::from(found.clamp(low, high));
                        let why = format!("`{variable}` goes from {low} to {high} here");
                        self.remarks.replaced(&item.origin, &show(item.value), &show(&edge), why);
                        edge
                    }
                    _ => item.value.clone(),
                }
            }
            _ => item.value.clone(),
        }
    }

    fn terminal(&mut self, list: &Item<'_>) {
        let mut clauses = Vec::new();
        for (i, clause) in list.value.as_sequence().into_iter().flatten().enumerate() {
            let clause = list.child(clause, i);
            // A condition without the list around it is one that ends the game by itself.
            let alone = clause.value.is_mapping();
            let conditions: Vec<Item<'_>> = match clause.value {
                Value::Sequence(items) => items.iter().enumerate().map(|(j, c)| clause.child(c, j)).collect(),
                _ => vec![clause.clone()],
            };
            let read: Option<Vec<Value>> = conditions.iter().map(|condition| self.condition(condition)).collect();
            match read {
                Some(conditions) => clauses.push((Value::Sequence(conditions), clause.origin, alone)),
                None => self.remarks.left_out(
                    &clause.origin,
                    &show(clause.value),
                    "this ending speaks of something that the game does not have",
                ),
            }
        }
        let path = rule_path("stopping_conditions");
        let list_value = if list.value.is_sequence() { Value::Sequence(Vec::new()) } else { list.value.clone() };
        self.document.place(&path, list_value, list.origin.clone());
        for (i, (clause, origin, alone)) in clauses.into_iter().enumerate() {
            self.document.place(&path.child(i), clause.clone(), origin.clone());
            if let (true, Value::Sequence(mut conditions)) = (alone, clause)
                && let Some(condition) = conditions.pop()
            {
                self.document.place(&path.child(i).child(0), condition, origin);
            }
        }
    }

    /// A condition with the names of this game; none if one of them means nothing.
    fn condition(&mut self, item: &Item<'_>) -> Option<Value> {
        let Vocabulary::Of(_) = self.vocabulary else { return Some(item.value.clone()) };
        let mut condition = item.value.clone();
        let variable = item.child(item.value.get("state_variable")?, "state_variable");
        let words = variable.value.as_sequence()?;
        let word = |i: usize| words.get(i).and_then(Value::as_str);
        let field = self.field(word(0)?, &variable.child(&words[0], 0).origin)?;
        let part = self.part(&field, word(1)?, &variable.child(&words[1], 1).origin)?;
        let info = self.vocabulary.info(&field, &part);
        let mut path = self.step(&part, info, Vec::new(), word(2)?, &variable.child(&words[2], 2).origin)?;
        let mut rest: Vec<Value> = match words.get(3) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Sequence(steps)) => steps.clone(),
            Some(single) => vec![single.clone()],
        };
        while let Some(key) = rest.first().and_then(Value::as_str).filter(|key| !key.starts_with('(') && *key != "*") {
            path = self.step(&part, info, path, key, &variable.child(&words[3], 3).origin)?;
            rest.remove(0);
        }
        let name = path.join(".");
        let several = info.and_then(|info| info.variables.iter().find(|v| v.name == name)).is_some_and(|v| v.len() > 1);
        let whole =
            [Some("value"), None].contains(&item.value.get("function").and_then(Value::as_str)) && rest.is_empty();
        let reads = |condition: &mut Value, key: &str, value: Value| {
            if let Value::Mapping(mapping) = condition {
                mapping.insert(key.into(), value);
            }
        };
        let mut variable_name = name.clone();
        if several && whole {
            // The reference fails on these, and takes a condition that fails for one that holds.
            match name.as_str() {
                "stage" => {
                    variable_name = "global_stage".into();
                    self.remarks.mapped(
                        &variable.origin,
                        &name,
                        &variable_name,
                        "the plots' common stage is one value",
                    );
                }
                _ => {
                    reads(&mut condition, "function", "mean".into());
                    self.remarks.mapped(&item.origin, "value", "mean", "the variable has a value for each plot");
                }
            }
        }
        let reference = [Value::from(field), part.into(), variable_name.into(), Value::Sequence(rest)];
        reads(&mut condition, "state_variable", Value::Sequence(reference.to_vec()));
        if let Some(value) = item.value.get("ref_value") {
            let value = self.plain_reference(info, &name, &item.child(value, "ref_value"));
            reads(&mut condition, "ref_value", value);
        }
        Some(condition)
    }

    /// What a variable is compared with. Numbers may lie beyond its range: then the condition never holds, or always.
    fn plain_reference(&mut self, info: Option<&PartInfo>, variable: &str, item: &Item<'_>) -> Value {
        match item.value {
            Value::Sequence(items) => {
                let items = items.iter().enumerate();
                Value::Sequence(items.map(|(i, v)| self.plain_reference(info, variable, &item.child(v, i))).collect())
            }
            Value::Number(_) => item.value.clone(),
            _ => self.plain(info, variable, item),
        }
    }

    fn parameters(&mut self, item: &Item<'_>) {
        let table = self.table(PartKind::Rule, RULE);
        for (name, value) in item.entries() {
            if table.contains(&name.as_str()) || matches!(self.vocabulary, Vocabulary::AsWritten(_)) {
                let whole =
                    value.value.as_f64().filter(|v| v.fract() == 0.0 && v.abs() < 1e9).map(|v| Value::from(v as i64));
                self.rule(&name, whole.unwrap_or_else(|| value.value.clone()), &value.origin);
            } else {
                let names = ["max_action_schedule_size", "number_of_bins_to_discretize_continuous_actions"];
                let names = names.map(str::to_owned).to_vec();
                self.remarks.unknown(&value.origin, &name, format!("there is no parameter `{name}`"), names);
            }
        }
    }

    fn observations(&mut self, item: &Item<'_>) {
        let mut farmers: Vec<(String, Item<'_>)> = Vec::new();
        if self.asks {
            // What is not listed can't be asked for.
            self.rule("observations", Value::Mapping(Default::default()), &item.origin);
        }
        for (name, below) in item.entries() {
            if name == "Free" {
                self.free(&below);
            } else if self.vocabulary.is_field(&name) {
                // As in the paper, where one farmer is alone.
                self.asked("BasicFarmer-0", &[(name, below)]);
            } else {
                farmers.push((name, below));
            }
        }
        for (name, below) in farmers {
            if let Some(farmer) = self.farmer(&name, &below.origin) {
                let fields = below.entries();
                self.asked(&farmer, &fields);
            }
        }
    }

    fn free(&mut self, tree: &Item<'_>) {
        let seen = self.seen(&tree.entries());
        let path = rule_path("free_observations");
        self.document.place(&path, Value::Sequence(Vec::new()), tree.origin.clone());
        let mut kept: Vec<&Seen> = Vec::new();
        for (i, one) in seen.iter().enumerate() {
            let same_part = |other: &&Seen| (&other.field, &other.part) == (&one.field, &one.part);
            let covers = |other: &&Seen| other.is_whole() && one.steps.starts_with(&other.steps);
            let wider = |other: &&Seen| covers(other) && (other.steps.len() < one.steps.len() || !one.is_whole());
            let again =
                kept.iter().any(|k| same_part(k) && k.steps == one.steps && (k.which == one.which || k.is_whole()));
            let covered = seen.iter().enumerate().any(|(j, other)| i != j && same_part(&other) && wider(&other));
            if !again && !covered {
                kept.push(one);
            }
        }
        for (i, one) in kept.into_iter().enumerate() {
            let which = match &one.which {
                Which::Entry(entry) if !one.is_whole() => vec![entry.clone()],
                _ => Vec::new(),
            };
            let reference = [one.field.clone(), one.part.clone(), one.steps.join(".")].map(Value::String);
            let reference = reference.into_iter().chain([Value::Sequence(which)]).collect();
            self.document.place(&path.child(i), Value::Sequence(reference), one.origin.clone());
        }
    }

    /// What a farmer may ask for, as the same tree with the names of this game.
    fn asked(&mut self, farmer: &str, fields: &[(String, Item<'_>)]) {
        let seen = self.seen(fields);
        if !self.asks {
            return;
        }
        for one in seen {
            let mut place = rule_path("observations").child(farmer).child(&one.field).child(&one.part);
            place.0.extend(one.steps.iter().map(|step| step.into()));
            match one.which {
                Which::All => self.document.place(&place, Value::Null, one.origin),
                Which::Below => self.document.place(&place.child("*"), Value::Null, one.origin),
                Which::Entry(entry) => {
                    let length =
                        value_at(&self.document.value, &place).and_then(Value::as_sequence).map_or(0, Vec::len);
                    self.document.place(&place.child(length), entry, one.origin);
                }
            }
        }
    }

    /// All that a tree of observations names.
    fn seen(&mut self, fields: &[(String, Item<'_>)]) -> Vec<Seen> {
        let mut seen = Vec::new();
        for (field, below) in fields {
            let Some(field) = self.field(field, &below.origin) else { continue };
            for (part, below) in below.entries() {
                let Some(part) = self.part(&field, &part, &below.origin) else { continue };
                let info = self.vocabulary.info(&field, &part);
                for (name, below) in below.entries() {
                    let found = seen.len();
                    self.look(&part, info, Vec::new(), &name, &below, &mut seen);
                    seen[found..].iter_mut().for_each(|one: &mut Seen| one.field.clone_from(&field));
                }
            }
        }
        seen
    }

    fn look(
        &mut self,
        part: &str,
        info: Option<&PartInfo>,
        above: Vec<String>,
        name: &str,
        item: &Item<'_>,
        seen: &mut Vec<Seen>,
    ) {
        let origin = item.origin.clone();
        let sees = |steps: Vec<String>, which: Which, origin: Origin| Seen {
            field: String::new(),
            part: part.to_owned(),
            steps,
            which,
            origin,
        };
        if name == "*" {
            return seen.push(sees(above, Which::Below, origin));
        }
        if name.starts_with('(') || name.parse::<usize>().is_ok() {
            return seen.push(sees(above, Which::Entry(entry(&Value::String(name.to_owned()))), origin));
        }
        let Some(steps) = self.step(part, info, above, name, &origin) else { return };
        match item.value {
            Value::Mapping(mapping) if !mapping.is_empty() => {
                for (name, below) in item.entries() {
                    self.look(part, info, steps.clone(), &name, &below, seen);
                }
            }
            Value::Sequence(items) => {
                for (i, value) in items.iter().enumerate() {
                    let one = sees(steps.clone(), Which::Entry(entry(value)), item.child(value, i).origin);
                    seen.push(one);
                }
            }
            Value::Null | Value::Mapping(_) => seen.push(sees(steps, Which::All, origin)),
            single => seen.push(sees(steps, Which::Entry(entry(single)), origin)),
        }
    }

    fn interventions(&mut self, item: &Item<'_>) {
        self.rule("actions", Value::Mapping(Default::default()), &item.origin);
        for (name, below) in item.entries() {
            if self.vocabulary.is_field(&name) {
                self.allowed(&rule_path("actions"), &[(name, below)]);
            } else if let Some(farmer) = self.farmer(&name, &below.origin) {
                let fields = below.entries();
                self.allowed(&rule_path("actions").child(&farmer), &fields);
            }
        }
    }

    fn allowed(&mut self, place: &Path, fields: &[(String, Item<'_>)]) {
        for (field, below) in fields {
            let Some(field) = self.field(field, &below.origin) else { continue };
            for (part, below) in below.entries() {
                let Some(part) = self.part(&field, &part, &below.origin) else { continue };
                let info = self.vocabulary.info(&field, &part);
                for (name, below) in below.entries() {
                    let found = self.vocabulary.action(info, &name);
                    let Some(action) = self.read(found, &part, "action", &name, &below.origin) else { continue };
                    let place = place.child(&field).child(&part).child(&action);
                    self.document.place(&place, Value::Null, below.origin.clone());
                    for (name, values) in below.entries() {
                        let found = self.vocabulary.parameter(info, &action, &name);
                        let Some(name) = self.read(found, &action, "parameter", &name, &values.origin) else {
                            continue;
                        };
                        self.document.place(&place.child(&name), numbers(values.value), values.origin.clone());
                    }
                }
            }
        }
    }

    fn observation_costs(&mut self, tree: &Item<'_>) {
        let counts = self.table(PartKind::Score, SCORE).contains(&"observation_cost");
        self.each_part(tree, &mut |this, field, part, info, variables| {
            let mut open: Vec<(Vec<String>, String, Item<'_>)> =
                variables.entries().into_iter().map(|(name, item)| (Vec::new(), name, item)).collect();
            open.reverse();
            while let Some((above, name, item)) = open.pop() {
                let steps = if name == "*" { Some(above) } else { this.step(part, info, above, &name, &item.origin) };
                let Some(steps) = steps else { continue };
                if item.value.is_mapping() {
                    open.extend(item.entries().into_iter().map(|(name, item)| (steps.clone(), name, item)));
                } else if counts {
                    let place = score_path("observation_cost").child(field).child(part).child(&steps.join("."));
                    this.document.place(&place, item.value.clone(), item.origin);
                }
            }
        });
    }

    fn intervention_costs(&mut self, tree: &Item<'_>) {
        self.each_part(tree, &mut |this, field, part, info, actions| {
            for (name, cost) in actions.entries() {
                let found = this.vocabulary.action(info, &name);
                let Some(action) = this.read(found, part, "action", &name, &cost.origin) else { continue };
                let place = score_path("intervention_cost").child(field).child(part).child(&action);
                this.document.place(&place, cost.value.clone(), cost.origin);
            }
        });
    }

    fn mix(&mut self, item: &Item<'_>, key: &str) {
        let mix = self.weights();
        for (name, weight) in item.entries() {
            let line = spelling(Named::Weight, "", &name);
            let known = line.map(|line| line.to).filter(|to| mix.contains(to));
            let place = |name: &str| score_path(key).child(name);
            match (known, weight.value.as_f64()) {
                (Some(to), Some(number)) => {
                    let kilograms = normal(to) == "yield";
                    let number = if kilograms { number * GRAMS_PER_KILOGRAM } else { number };
                    if let (Some(Meaning::Near(why)), true) = (line.map(|line| line.meaning), number != 0.0) {
                        self.remarks.mapped(&weight.origin, &name, to, why);
                    }
                    self.document.place(&place(to), Value::from(number), weight.origin);
                }
                (Some(to), None) => self.document.place(&place(to), weight.value.clone(), weight.origin),
                // A name of this project.
                (None, _) if mix.contains(&name.as_str()) => {
                    self.document.place(&place(&name), weight.value.clone(), weight.origin);
                }
                (None, Some(0.0)) => {}
                (None, _) => {
                    let names = mix.iter().map(|name| (*name).to_owned()).collect();
                    self.unknown(&weight.origin, &name, format!("the score has no weight `{name}`"), names);
                }
            }
        }
    }

    /// The names of the weights.
    fn weights(&self) -> Vec<&'static str> {
        let table = kind(PartKind::Score, SCORE).map(|kind| (kind.table)()).unwrap_or_default();
        let mix = table.into_iter().find(|parameter| parameter.name == "reward_mix");
        match mix.map(|mix| mix.kind) {
            Some(farm_core::config::ParameterKind::Group(weights)) => weights.iter().map(|w| w.name).collect(),
            _ => Vec::new(),
        }
    }

    fn table(&self, part: PartKind, name: &str) -> Vec<&'static str> {
        let table = |kind: &'static Kind| (kind.table)().iter().map(|parameter| parameter.name).collect();
        kind(part, name).map(table).unwrap_or_default()
    }

    /// Whether the rule has a parameter.
    pub fn has_rule_parameter(&self, name: &str) -> bool {
        self.table(PartKind::Rule, RULE).contains(&name)
    }

    /// Whether the score has a parameter.
    pub fn has_score_parameter(&self, name: &str) -> bool {
        self.table(PartKind::Score, SCORE).contains(&name)
    }

    /// Puts a parameter of the rule.
    pub fn rule(&mut self, key: &str, value: Value, origin: &Origin) {
        self.document.place(&rule_path(key), value, origin.clone());
    }

    /// Puts a parameter of the score.
    pub fn score_parameter(&mut self, key: &str, value: Value, origin: &Origin) {
        self.document.place(&score_path(key), value, origin.clone());
    }

    /// Walks a tree of fields and parts.
    fn each_part(
        &mut self,
        tree: &Item<'_>,
        leaf: &mut dyn FnMut(&mut Self, &str, &str, Option<&PartInfo>, &Item<'_>),
    ) {
        for (field, below) in tree.entries() {
            let Some(field) = self.field(&field, &below.origin) else { continue };
            for (part, below) in below.entries() {
                let Some(part) = self.part(&field, &part, &below.origin) else { continue };
                let info = self.vocabulary.info(&field, &part);
                leaf(self, &field, &part, info, &below);
            }
        }
    }

    fn field(&mut self, name: &str, origin: &Origin) -> Option<String> {
        let found = self.vocabulary.field(name);
        self.read(found, "the farm", "field", name, origin)
    }

    fn part(&mut self, field: &str, name: &str, origin: &Origin) -> Option<String> {
        let found = self.vocabulary.part(field, name);
        self.read(found, field, "entity", name, origin)
    }

    fn farmer(&mut self, name: &str, origin: &Origin) -> Option<String> {
        let found = self.vocabulary.farmer(name);
        self.read(found, "the farm", "farmer", name, origin)
    }

    fn step(
        &mut self,
        part: &str,
        info: Option<&PartInfo>,
        above: Vec<String>,
        name: &str,
        origin: &Origin,
    ) -> Option<Vec<String>> {
        let found = self.vocabulary.step(info, &above, name);
        let whose = above.iter().fold(part.to_owned(), |whose, step| format!("{whose}.{step}"));
        let found = self.read(found, &whose, "variable", name, origin)?;
        let below = if info.is_some() { steps(&found) } else { vec![found.as_str()] };
        Some(above.into_iter().chain(below.into_iter().map(str::to_owned)).collect())
    }

    /// What a word means; notes what the reader should know.
    fn read(&mut self, word: Word, whose: &str, what: &str, name: &str, origin: &Origin) -> Option<String> {
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

    fn is_mapping(&mut self, item: &Item<'_>, keys: &str) -> bool {
        if !item.value.is_mapping() && !item.value.is_null() {
            let problem = Problem::new(Path::default(), format!("this is no mapping with {keys}"));
            let problem = problem.value(show(item.value)).expected(format!("a mapping with {keys}"));
            self.problems.push((item.origin.clone(), problem));
        }
        item.value.is_mapping()
    }

    fn unknown_key(&mut self, key: &str, origin: &Origin, keys: &[&str]) {
        let names = keys.iter().map(|key| (*key).to_owned()).collect();
        self.unknown(origin, key, format!("`{key}` is no key of this file"), names);
    }

    /// An unknown name: a warning in a file of the reference, a problem in one of ours.
    fn unknown(&mut self, origin: &Origin, name: &str, message: String, names: Vec<String>) {
        match self.vocabulary {
            Vocabulary::Of(_) => self.remarks.unknown(origin, name, message, names),
            Vocabulary::AsWritten(_) => {
                let problem = Problem::new(Path::default(), message).value(name).about_name();
                self.problems.push((origin.clone(), problem.among(name, names.iter().map(String::as_str))));
            }
        }
    }
}

/// The place of a parameter of the rule.
pub fn rule_path(key: &str) -> Path {
    Path::default().child("rules").child(RULE).child(key)
}

/// The place of a parameter of the score.
pub fn score_path(key: &str) -> Path {
    Path::default().child("score").child(SCORE).child(key)
}

/// The value at a path.
pub fn value_at<'v>(value: &'v Value, path: &Path) -> Option<&'v Value> {
    path.0.iter().try_fold(value, |value, segment| match segment {
        farm_core::config::Segment::Key(key) => value.get(key.as_str()),
        farm_core::config::Segment::Index(index) => value.get(*index),
    })
}

/// An entry of a list of observations: an index may be written as a text.
fn entry(value: &Value) -> Value {
    let index = value.as_str().and_then(|text| text.trim().parse::<u64>().ok());
    index.map_or_else(|| value.clone(), Value::from)
}

/// The number of `np.float64(15.0)`, which files written by the reference with a new numpy hold instead of numbers.
fn unwrapped(text: &str) -> Option<Value> {
    let inner = text.trim().strip_prefix("np.")?.split_once('(')?.1.strip_suffix(')')?;
    inner.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)
}

/// Values with the numbers that are written as texts.
fn numbers(value: &Value) -> Value {
    match value {
        Value::Sequence(items) => Value::Sequence(items.iter().map(numbers).collect()),
        Value::String(text) => {
            let plain = text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
            unwrapped(text).or(plain).unwrap_or_else(|| value.clone())
        }
        _ => value.clone(),
    }
}
