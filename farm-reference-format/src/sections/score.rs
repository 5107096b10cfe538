//! The file for the score.

use farm_core::config::{ParameterDoc, ParameterKind, PartKind};
use farm_core::registry::kind;
use farm_core::serde_yaml::Value;

use super::{About, SCORE, SectionItem, Sheets, score_path};
use crate::names::{Named, normal, spelling};
use crate::notes::Meaning;

/// The reference counts a harvest in grams.
const GRAMS_PER_KILOGRAM: f64 = 1000.0;

impl Sheets<'_> {
    pub(super) fn observation_costs(&mut self, tree: &SectionItem<'_>) {
        for About { field, part, info, item } in self.parts(tree) {
            let mut open: Vec<(Vec<String>, String, SectionItem<'_>)> =
                item.entries().into_iter().map(|(name, item)| (Vec::new(), name, item)).collect();
            open.reverse();
            while let Some((above, name, item)) = open.pop() {
                let steps = if name == "*" { Some(above) } else { self.step(&part, info, above, &name, &item.origin) };
                let Some(steps) = steps else { continue };
                if item.value.is_mapping() {
                    open.extend(item.entries().into_iter().map(|(name, item)| (steps.clone(), name, item)));
                } else {
                    let place = score_path("observation_cost").child(&field).child(&part).child(&steps.join("."));
                    self.document.place(&place, item.value.clone(), item.origin);
                }
            }
        }
    }

    pub(super) fn intervention_costs(&mut self, tree: &SectionItem<'_>) {
        for About { field, part, info, item } in self.parts(tree) {
            for (name, cost) in item.entries() {
                let found = self.vocabulary.action(info, &name);
                let Some(action) = self.read(found, &part, "action", &name, &cost.origin) else { continue };
                let place = score_path("intervention_cost").child(&field).child(&part).child(&action);
                self.document.place(&place, cost.value.clone(), cost.origin);
            }
        }
    }

    pub(super) fn mix(&mut self, item: &SectionItem<'_>, key: &str) {
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
        let table = kind(PartKind::Score, SCORE).map(|kind| kind.table()).unwrap_or_default();
        let mix = table.into_iter().find(|parameter| parameter.name() == "reward_mix");
        match mix.as_ref().map(ParameterDoc::kind) {
            Some(ParameterKind::Group(weights)) => weights.iter().map(|w| w.name()).collect(),
            _ => Vec::new(),
        }
    }
}
