//! Describes a registered kind: entity, farmer, rule, score or policy.

use std::io::Write;

use farm_core::declare::{PartInfo, Phase};
use farm_core::declare::{Picture, Sprite};
use farm_core::inspect::{self, declarations};
use farm_core::inspect::{look_text, parameter_text, picture_notes, place_text, shape_text, sprite_text, title_text};
use farm_core::registry::{Kind, ParameterSet};
use serde_json::{Value as Json, json};

use super::section::write_section;
use super::values::{
    action_json, event_json, observable_json, parameter_rows, parameters_json, set_json, variable_json,
};
use crate::output::TextTable;

/// Writes the description.
///
/// # Errors
/// Fails if the parameter sets can't be read or the output can't be written.
pub(super) fn write(out: &mut impl Write, kind: &Kind) -> anyhow::Result<()> {
    writeln!(
        out,
        "{} · {}\n  {}\n  source: {}",
        kind.name(),
        kind.part().singular(),
        kind.doc().trim(),
        kind.source().trim()
    )?;
    if let Some(origin) = kind.origin() {
        writeln!(out, "  plugin: {} ({})", origin.plugin(), origin.path().display())?;
    }
    let mut parameters = TextTable::new(&["name", "kind", "range", "default", "meaning"]);
    parameter_rows(&mut parameters, &kind.table(), 0);
    write_section(out, "parameters", &parameters)?;
    let mut sets = TextTable::new(&["name", "meaning", "source"]);
    for set in parameter_sets(kind)? {
        sets.row([set.name(), set.doc(), set.source()].map(str::to_owned).to_vec());
    }
    write_section(out, "parameter sets", &sets)?;
    if let Some(part) = declarations(kind) {
        write_declarations(out, kind, &part)?;
    }
    Ok(())
}

fn write_declarations(out: &mut impl Write, kind: &Kind, part: &PartInfo) -> std::io::Result<()> {
    let mut variables = TextTable::new(&["name", "values", "shape", "seen", "roles", "meaning"]);
    for v in part.variables() {
        let seen = if v.visible() { "visible" } else { "hidden" };
        let shape = shape_text(v.shape(), v.per_plot());
        variables.row(vec![
            v.name().into(),
            v.kind().to_string(),
            shape,
            seen.into(),
            v.roles().join(", "),
            v.doc().into(),
        ]);
    }
    write_section(out, "variables", &variables)?;
    let mut observables = TextTable::new(&["name", "values", "shape", "meaning"]);
    for o in part.observables() {
        observables.row(vec![o.name().into(), o.kind().to_string(), shape_text(o.shape(), false), o.doc().into()]);
    }
    write_section(out, "observables", &observables)?;
    let mut actions = TextTable::new(&["name", "values", "meaning"]);
    for action in part.actions() {
        actions.row(vec![action.name().to_owned(), String::new(), action.doc().to_owned()]);
        for p in action.parameters() {
            actions.row(vec![format!("  {}", p.name()), parameter_text(p.kind()), p.doc().to_owned()]);
        }
    }
    write_section(out, "actions", &actions)?;
    let mut events = TextTable::new(&["name", "a step", "meaning"]);
    for event in part.events() {
        events.row(vec![event.name().to_owned(), format!("≤ {}", event.per_step()), event.doc().to_owned()]);
    }
    write_section(out, "events", &events)?;
    let mut pictures = TextTable::new(&["picture", "where", "layer", "shows", "condition (first match wins)"]);
    for (set, part, picture) in &inspect::pictures(kind) {
        let title = title_text(picture, set.as_deref());
        let mut first = vec![title, place_text(picture.place()), picture.layer().to_string()];
        let notes = picture_notes(picture).into_iter().map(|note| (note, String::new()));
        let looks = picture.sprite_rules().iter().map(|look| (sprite_text(look), look_text(part, look)));
        for (shows, when) in looks.chain(notes) {
            pictures.row([first, vec![shows, when]].concat());
            first = vec![String::new(); 3];
        }
    }
    write_section(out, "pictures", &pictures)?;
    let mut read = TextTable::default();
    for (role, need) in part.roles_read() {
        read.row(vec![role.to_owned(), need.name().to_owned(), need.text().to_owned()]);
    }
    write_section(out, "roles read", &read)?;
    let mut given = TextTable::default();
    part.roles_given()
        .into_iter()
        .for_each(|(role, variable)| given.row(vec![role.to_owned(), format!("by {variable}")]));
    write_section(out, "roles provided", &given)?;
    let mut written = TextTable::default();
    part.roles_written().into_iter().for_each(|role| written.row(vec![role.to_owned()]));
    write_section(out, "roles changed (stored by another part)", &written)?;
    if !part.phases().is_empty() {
        writeln!(out, "\nphases\n  {}", names_of(part.phases()).join(", "))?;
    }
    Ok(())
}

/// The description as JSON.
///
/// # Errors
/// Fails if the parameter sets can't be read.
pub(super) fn to_json(kind: &Kind) -> anyhow::Result<Json> {
    let sets = parameter_sets(kind)?;
    let mut json = json!({
        "name": kind.name(),
        "kind": kind.part().singular(),
        "doc": kind.doc().trim(),
        "source": kind.source().trim(),
        "parameters": parameters_json(&kind.table()),
        "parameter_sets": sets.iter().map(set_json).collect::<Vec<_>>(),
    });
    if let Some(origin) = kind.origin() {
        json["plugin"] = json!({"name": origin.plugin(), "path": origin.path().display().to_string()});
    }
    let Some(part) = declarations(kind) else { return Ok(json) };
    let reads = part.roles_read().into_iter().map(|(role, need)| json!({"role": role, "need": need.name()}));
    let gives = part.roles_given().into_iter().map(|(role, variable)| json!({"role": role, "variable": variable}));
    json["variables"] = part.variables().iter().map(variable_json).collect();
    json["observables"] = part.observables().iter().map(observable_json).collect();
    json["actions"] = part.actions().iter().map(action_json).collect();
    json["events"] = part.events().iter().map(event_json).collect();
    json["pictures"] = inspect::pictures(kind).iter().map(picture_json).collect();
    json["roles_read"] = reads.collect();
    json["roles_given"] = gives.collect();
    json["roles_written"] = json!(part.roles_written());
    json["phases"] = json!(names_of(part.phases()));
    Ok(json)
}

fn picture_json((set, part, picture): &(Option<String>, PartInfo, Picture)) -> Json {
    let looks = picture.sprite_rules().iter().map(|look| {
        let svg = match look.sprite() {
            Sprite::Svg(svg) => Some(svg),
            Sprite::Nothing | Sprite::Label(_) => None,
        };
        json!({"name": look.name(), "when": look_text(part, look), "shows": sprite_text(look), "svg": svg})
    });
    json!({
        "title": picture.title(),
        "parameter_set": set,
        "place": place_text(picture.place()),
        "layer": picture.layer(),
        "looks": looks.collect::<Vec<_>>(),
        "values": picture.values(),
        "heat": picture.heat_map().map(|heat| json!({"variable": heat.variable(), "low": heat.low(), "high": heat.high()})),
    })
}

fn parameter_sets(kind: &Kind) -> anyhow::Result<Vec<ParameterSet>> {
    kind.parameter_sets()
        .map_err(|error| anyhow::anyhow!("the parameter sets of `{}` can't be read: {error}", kind.name()))
}

fn names_of(phases: &[Phase]) -> Vec<&'static str> {
    phases.iter().map(|phase| phase.name()).collect()
}
