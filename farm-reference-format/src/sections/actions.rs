//! The file for actions: limits, free observations, permitted observations and interventions.

use farm_core::config::{PartKind, Path, TextPath};
use farm_core::declare::PartInfo;
use farm_core::serde_yaml::Value;

use super::{RULE, SectionItem, Sheets, Vocabulary, each_leaf, rule_path, unwrapped};

/// An observation: a variable, given by the steps in its name, and the selected values.
struct SeenAction {
    field: String,
    part: String,
    steps: Vec<String>,
    which: Which,
    origin: TextPath,
}

#[derive(Debug, Clone, PartialEq)]
enum Which {
    /// All values, the default.
    All,
    /// `'*'` as a key: everything below it.
    Below,
    /// An entry in a list: `'*'`, a plot or an index.
    Entry(Value),
}

impl SeenAction {
    fn is_whole(&self) -> bool {
        match &self.which {
            Which::All | Which::Below => true,
            Which::Entry(entry) => entry.as_str() == Some("*"),
        }
    }
}

impl Sheets<'_> {
    pub(super) fn parameters(&mut self, item: &SectionItem<'_>) {
        let table = self.table(PartKind::Rule, RULE);
        for (name, value) in item.entries() {
            if table.contains(&name.as_str()) || matches!(self.vocabulary, Vocabulary::AsWritten(_)) {
                let whole =
                    value.value.as_f64().filter(|v| v.fract() == 0.0 && v.abs() < 1e9).map(|v| Value::from(v as i64));
                let whole = whole.unwrap_or_else(|| value.value.clone());
                if !self.is_there(&name, Some(&whole), &value.origin) {
                    self.rule(&name, whole, &value.origin);
                }
            } else {
                let names = ["max_action_schedule_size", "number_of_bins_to_discretize_continuous_actions"];
                let names = names.map(str::to_owned).to_vec();
                self.remarks.unknown(&value.origin, &name, format!("there is no parameter `{name}`"), names);
            }
        }
    }

    pub(super) fn observations(&mut self, item: &SectionItem<'_>) {
        let mut farmers: Vec<(String, SectionItem<'_>)> = Vec::new();
        if self.asks && !self.is_there("observations", None, &item.origin) {
            // Observations that are not listed can't be requested.
            self.rule("observations", Value::Mapping(Default::default()), &item.origin);
        }
        for (name, below) in item.entries() {
            if name == "Free" {
                self.free(&below);
            } else if let Vocabulary::AsWritten(_) = self.vocabulary {
                // Fields for all farmers, parts of the farm, or a farmer with fields: the rule tells them apart.
                let place = rule_path("observations").child(&name);
                self.document.place(&place, each_leaf(below.value, &entry), below.origin);
            } else if self.vocabulary.is_field(&name) {
                // As in the paper, with a single farmer.
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

    fn free(&mut self, tree: &SectionItem<'_>) {
        if self.is_there("free_observations", None, &tree.origin) {
            return;
        }
        let is_reference = |value: &Value| value.is_sequence() || value.is_string();
        let keyed = tree.value.as_mapping().is_some_and(|entries| entries.values().any(is_reference));
        if let (Vocabulary::AsWritten(_), true) = (self.vocabulary, keyed || tree.value.is_sequence()) {
            // Keeps the order and the keys of the rule's own `free_observations`.
            return self.rule("free_observations", tree.value.clone(), &tree.origin);
        }
        let seen = self.seen(&tree.entries());
        let path = rule_path("free_observations");
        self.document.place(&path, Value::Sequence(Vec::new()), tree.origin.clone());
        let mut kept: Vec<&SeenAction> = Vec::new();
        for (i, one) in seen.iter().enumerate() {
            let same_part = |other: &&SeenAction| (&other.field, &other.part) == (&one.field, &one.part);
            let covers = |other: &&SeenAction| other.is_whole() && one.steps.starts_with(&other.steps);
            let wider = |other: &&SeenAction| covers(other) && (other.steps.len() < one.steps.len() || !one.is_whole());
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
            let place = [&one.field, &one.part].into_iter().filter(|name| !name.is_empty()).cloned();
            let reference = place.chain([one.steps.join(".")]).map(Value::String);
            let reference = reference.chain([Value::Sequence(which)]).collect();
            self.document.place(&path.child(i), Value::Sequence(reference), one.origin.clone());
        }
    }

    /// The observations that a farmer may request, in the same tree with this game's names.
    fn asked(&mut self, farmer: &str, fields: &[(String, SectionItem<'_>)]) {
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
                    let length = place.value_in(self.document.value()).and_then(Value::as_sequence).map_or(0, Vec::len);
                    self.document.place(&place.child(length), entry, one.origin);
                }
            }
        }
    }

    /// All observations in a tree.
    fn seen(&mut self, fields: &[(String, SectionItem<'_>)]) -> Vec<SeenAction> {
        let mut seen = Vec::new();
        for (field, below) in fields {
            if matches!(self.vocabulary, Vocabulary::AsWritten(_)) && !self.vocabulary.is_field(field) {
                // A part of the farm, which belongs to no field.
                for (name, below) in below.entries() {
                    self.look(field, None, Vec::new(), &name, &below, &mut seen);
                }
                continue;
            }
            let Some(field) = self.field(field, &below.origin) else { continue };
            for (part, below) in below.entries() {
                let Some(part) = self.part(&field, &part, &below.origin) else { continue };
                let info = self.vocabulary.info(&field, &part);
                for (name, below) in below.entries() {
                    let found = seen.len();
                    self.look(&part, info, Vec::new(), &name, &below, &mut seen);
                    seen[found..].iter_mut().for_each(|one: &mut SeenAction| one.field.clone_from(&field));
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
        item: &SectionItem<'_>,
        seen: &mut Vec<SeenAction>,
    ) {
        let origin = item.origin.clone();
        let sees = |steps: Vec<String>, which: Which, origin: TextPath| SeenAction {
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

    pub(super) fn interventions(&mut self, item: &SectionItem<'_>) {
        if self.is_there("actions", None, &item.origin) {
            return;
        }
        if let (Vocabulary::AsWritten(_), false) = (self.vocabulary, item.value.is_null()) {
            return self.rule("actions", each_leaf(item.value, &numbers), &item.origin);
        }
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

    fn allowed(&mut self, place: &Path, fields: &[(String, SectionItem<'_>)]) {
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
}

/// An entry in a list of observations. An index may be written as a string.
fn entry(value: &Value) -> Value {
    let index = value.as_str().and_then(|text| text.trim().parse::<u64>().ok());
    index.map_or_else(|| value.clone(), Value::from)
}

/// Values in which strings that contain numbers are converted to numbers.
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
