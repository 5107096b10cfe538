//! The file for start and end.

use farm_core::config::to_inline_yaml;
use farm_core::declare::PartInfo;
use farm_core::serde_yaml::Value;

use super::{SectionItem, Sheets, Vocabulary, Word, each_leaf, rule_path, unwrapped};

impl Sheets<'_> {
    pub(super) fn initial(&mut self, tree: &SectionItem<'_>) {
        if let Vocabulary::AsWritten(_) = self.vocabulary {
            let read = |value: &Value| value.as_str().and_then(unwrapped).unwrap_or_else(|| value.clone());
            return self.rule("initial_conditions", each_leaf(tree.value, &read), &tree.origin);
        }
        self.rule("initial_conditions", Value::Mapping(Default::default()), &tree.origin);
        for about in self.parts(tree) {
            for (name, value) in about.item.entries() {
                self.initial_value(&about.field, &about.part, about.info, Vec::new(), &name, &value);
            }
        }
    }

    fn initial_value(
        &mut self,
        field: &str,
        part: &str,
        info: Option<&PartInfo>,
        above: Vec<String>,
        name: &str,
        item: &SectionItem<'_>,
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

    /// A variable's value in this project's format. Numbers outside its range are clipped, as in the reference.
    fn plain(&mut self, info: Option<&PartInfo>, variable: &str, item: &SectionItem<'_>) -> Value {
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
                let kind =
                    info.and_then(|info| info.variables().iter().find(|v| v.name() == variable)).map(|v| v.kind());
                let Some(kind) = kind.filter(|kind| kind.is_quantity()) else { return item.value.clone() };
                let (low, high) = kind.range();
                match number.as_f64() {
                    Some(found) if found < low || found > high => {
                        let edge = Value::from(found.clamp(low, high));
                        let why = format!("`{variable}` must be from {low} to {high}");
                        self.remarks.replaced(&item.origin, &to_inline_yaml(item.value), &to_inline_yaml(&edge), why);
                        edge
                    }
                    _ => item.value.clone(),
                }
            }
            _ => item.value.clone(),
        }
    }

    pub(super) fn terminal(&mut self, list: &SectionItem<'_>) {
        let mut clauses = Vec::new();
        for (i, clause) in list.value.as_sequence().into_iter().flatten().enumerate() {
            let clause = list.child(clause, i);
            // A condition without a list around it ends the game by itself.
            let alone = clause.value.is_mapping();
            let conditions: Vec<SectionItem<'_>> = match clause.value {
                Value::Sequence(items) => items.iter().enumerate().map(|(j, c)| clause.child(c, j)).collect(),
                _ => vec![clause.clone()],
            };
            let read: Option<Vec<Value>> = conditions.iter().map(|condition| self.condition(condition)).collect();
            match read {
                Some(conditions) => clauses.push((Value::Sequence(conditions), clause.origin, alone)),
                None => self.remarks.left_out(
                    &clause.origin,
                    &to_inline_yaml(clause.value),
                    "this ending uses names that the game does not have",
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

    /// A condition with this game's names; none if a name is unknown.
    fn condition(&mut self, item: &SectionItem<'_>) -> Option<Value> {
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
        let several =
            info.and_then(|info| info.variables().iter().find(|v| v.name() == name)).is_some_and(|v| v.len() > 1);
        let whole =
            [Some("value"), None].contains(&item.value.get("function").and_then(Value::as_str)) && rest.is_empty();
        let reads = |condition: &mut Value, key: &str, value: Value| {
            if let Value::Mapping(mapping) = condition {
                mapping.insert(key.into(), value);
            }
        };
        let mut variable_name = name.clone();
        if several && whole {
            // The reference fails on these, and treats a failed condition as one that holds.
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

    /// The value with which a variable is compared. If it is outside the variable's range, the condition never holds or always holds.
    fn plain_reference(&mut self, info: Option<&PartInfo>, variable: &str, item: &SectionItem<'_>) -> Value {
        match item.value {
            Value::Sequence(items) => {
                let items = items.iter().enumerate();
                Value::Sequence(items.map(|(i, v)| self.plain_reference(info, variable, &item.child(v, i))).collect())
            }
            Value::Number(_) => item.value.clone(),
            _ => self.plain(info, variable, item),
        }
    }
}
