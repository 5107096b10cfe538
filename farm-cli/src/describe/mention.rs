//! Describes the contents of kinds (parameters, parameter sets, variables, observables, actions and events), the keys of a game file, and
//! phases.

use std::io::Write;

use farm_core::Phase;
use farm_core::config::{ParameterDoc, ParameterKind};
use farm_core::declare::PartInfo;
use farm_core::inspect::{declarations, parameter_text, range, shape_text, yaml_text};
use farm_core::registry::{Kind, kinds};
use farm_core::serde_yaml::Value;
use serde_json::{Value as Json, json};

use super::section::write_section;
use super::values::{
    action_json, default_text, event_json, observable_json, parameter_rows, parameters_json, set_json, variable_json,
};
use crate::output::TextTable;

/// A name that a kind or the engine declares.
pub(crate) struct Mention {
    /// The name, as users write it.
    pub name: String,
    /// Its category, such as `event`.
    pub what: &'static str,
    /// The kind that declares it. `None` for phases and for keys of a game file.
    pub of: Option<&'static str>,
    /// Its meaning, as a sentence.
    pub doc: String,
    /// Further facts, each with its key.
    facts: Vec<(&'static str, String)>,
    /// A table of facts, with its heading.
    table: Option<(&'static str, TextTable)>,
    /// The description for programs.
    json: Json,
}

/// All names: first the phases, then the keys of a game file, then the names in each kind.
pub(crate) fn mentions() -> Vec<Mention> {
    let declared: Vec<(&'static Kind, Option<PartInfo>)> =
        kinds().iter().map(|kind| (*kind, declarations(kind))).collect();
    let mut found: Vec<Mention> = Phase::ALL.into_iter().map(|phase| of_phase(phase, &declared)).collect();
    parameters(&mut found, &farm_games::schema::game_keys(), "", None);
    for (kind, part) in &declared {
        // Unreadable sets are the kind author's error, which the description of the kind reports.
        found.extend(kind.parameter_sets().unwrap_or_default().iter().map(|set| {
            let mut table = TextTable::default();
            value_rows(&mut table, "", set.parameters());
            let facts =
                vec![("source", set.source().to_owned()), ("in a game", format!("- {}: {}", kind.name(), set.name()))];
            let said = (set.name(), set.doc());
            Mention { facts, table: Some(("parameters", table)), ..mention(kind, "parameter set", said, set_json(set)) }
        }));
        parameters(&mut found, &kind.table(), "", Some(kind.name()));
        found.extend(part.iter().flat_map(|part| of_part(kind, part)));
    }
    found
}

impl Mention {
    /// Whether the given name matches, with or without its unit.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.name.split_once('#').is_some_and(|(bare, _)| bare == name)
    }

    /// Writes the description.
    ///
    /// # Errors
    /// Fails if the output can't be written.
    pub(crate) fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let of = self.of.map(|kind| format!(" of {kind}")).unwrap_or_default();
        writeln!(out, "{} · {}{of}\n  {}", self.name, self.what, self.doc)?;
        for (key, text) in self.facts.iter().filter(|(_, text)| !text.is_empty()) {
            writeln!(out, "  {key}: {text}")?;
        }
        self.table.iter().try_for_each(|(title, table)| write_section(out, title, table))
    }

    /// The description as JSON.
    pub(crate) fn to_json(&self) -> Json {
        let mut json = self.json.clone();
        // The values of a parameter have another key here, because `kind` is the category.
        if let Some(values) = json.as_object_mut().and_then(|json| json.shift_remove("kind")) {
            json["values"] = values;
        }
        json["kind"] = json!(self.what);
        json["of"] = json!(self.of);
        json
    }
}

/// A name in a kind, with only its sentence.
fn mention(kind: &Kind, what: &'static str, (name, doc): (&str, &str), json: Json) -> Mention {
    let (name, doc) = (name.to_owned(), doc.trim().to_owned());
    Mention { name, what, of: Some(kind.name()), doc, facts: Vec::new(), table: None, json }
}

/// The parameters of a kind, or the keys of a game file. Parameters inside groups have paths.
fn parameters(found: &mut Vec<Mention>, table: &[ParameterDoc], above: &str, of: Option<&'static str>) {
    for parameter in table {
        let path = format!("{above}{}", parameter.name());
        let group = parameter.kind().group().unwrap_or_default();
        let mut rows = TextTable::new(&["name", "kind", "range", "default", "meaning"]);
        parameter_rows(&mut rows, group, 0);
        let default = if group.is_empty() { default_text(parameter) } else { String::new() };
        found.push(Mention {
            name: parameter.name().to_owned(),
            what: if of.is_some() { "parameter" } else { "key of a game file" },
            of,
            doc: parameter.doc().to_owned(),
            facts: vec![
                ("values", parameter.kind().describe()),
                ("range", parameter.range().map_or(String::new(), |(low, high)| range(low, high))),
                ("default", default),
                ("path", if above.is_empty() { String::new() } else { path.clone() }),
            ],
            table: Some(("keys within it", rows)),
            json: parameters_json(std::slice::from_ref(parameter))[0].clone(),
        });
        // In a list or a mapping of groups, the path contains the name of an entry.
        let within = if matches!(parameter.kind(), ParameterKind::Map(_)) { "NAME." } else { "" };
        parameters(found, group, &format!("{path}.{within}"), of);
    }
}

fn of_phase(phase: Phase, declared: &[(&'static Kind, Option<PartInfo>)]) -> Mention {
    let acting = declared.iter().filter(|(_, part)| part.as_ref().is_some_and(|part| part.phases().contains(&phase)));
    let acting: Vec<&str> = acting.map(|(kind, _)| kind.name()).collect();
    let rank = 1 + phase as usize;
    Mention {
        name: phase.name().to_owned(),
        what: "phase",
        of: None,
        doc: phase.doc().to_owned(),
        facts: vec![
            ("order", format!("{rank} of {}, after the actions of the step", Phase::ALL.len())),
            ("active parts", acting.join(", ")),
        ],
        table: None,
        json: json!({"name": phase.name(), "doc": phase.doc(), "rank": rank, "kinds": acting}),
    }
}

fn of_part(kind: &Kind, part: &PartInfo) -> Vec<Mention> {
    let variables = part.variables().iter().map(|v| {
        let seen = if v.visible() { "visible" } else { "hidden" };
        let facts = vec![
            ("values", v.kind().to_string()),
            ("shape", shape_text(v.shape(), v.per_plot())),
            ("seen", seen.to_owned()),
            ("roles", v.roles().join(", ")),
        ];
        Mention { facts, ..mention(kind, "variable", (v.name(), v.doc()), variable_json(v)) }
    });
    let observables = part.observables().iter().map(|o| {
        let facts = vec![("values", o.kind().to_string()), ("shape", shape_text(o.shape(), false))];
        Mention { facts, ..mention(kind, "observable", (o.name(), o.doc()), observable_json(o)) }
    });
    let actions = part.actions().iter().map(|action| {
        let mut table = TextTable::new(&["name", "values", "meaning"]);
        action
            .parameters()
            .iter()
            .for_each(|p| table.row(vec![p.name().to_owned(), parameter_text(p.kind()), p.doc().to_owned()]));
        let said = (action.name(), action.doc());
        Mention { table: Some(("parameters", table)), ..mention(kind, "action", said, action_json(action)) }
    });
    let events = part.events().iter().map(|event| {
        let labels = event.labels().iter().enumerate().map(|(value, label)| format!("{value} is {label}"));
        let lasting = if event.lasting() { "in each step while it lasts" } else { "once, when it happens" };
        let facts = vec![("reported", lasting.to_owned()), ("values", labels.collect::<Vec<_>>().join(", "))];
        Mention { facts, ..mention(kind, "event", (event.name(), event.doc()), event_json(event)) }
    });
    variables.chain(observables).chain(actions).chain(events).collect()
}

/// The values in a parameter set. Values inside groups have paths.
fn value_rows(table: &mut TextTable, prefix: &str, value: &Value) {
    for (key, value) in value.as_mapping().into_iter().flatten() {
        let path = format!("{prefix}{}", yaml_text(key));
        if value.is_mapping() {
            value_rows(table, &format!("{path}."), value);
        } else {
            table.row(vec![path, yaml_text(value)]);
        }
    }
}
