//! Describes a compiled game.

use std::io::Write;

use farm_core::action::{ActionTarget, Allowed, Argument, BaseAction};
use farm_core::declare::{ActionInfo, ActionParameter, PartInfo};
use farm_core::inspect::{allowed_text, endings, label_rows, plots, yaml_text};
use farm_core::registry::kinds;
use farm_core::{Game, Monitor};
use serde_json::{Value as Json, json};

use super::section::write_section;
use super::values::yaml_json;
use crate::check;
use crate::output::{TextTable, first_sentence, format_number};

/// Writes the description.
///
/// # Errors
/// Fails if the output can't be written.
pub(super) fn write(out: &mut impl Write, game: &Game, understood: &[String]) -> std::io::Result<()> {
    writeln!(out, "{} · game\n  {}", game.spec().name(), game.spec().doc().trim())?;
    writeln!(out, "\nunderstood")?;
    understood.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    let mut fields = TextTable::new(&["name", "plots", "edge", "latitude", "longitude", "altitude"]);
    for f in game.fields() {
        let (plots, edge) = (format!("{} × {}", f.length(), f.width()), format!("{} m", format_number(f.scale_m())));
        let (north, east) =
            (format!("{}°", format_number(f.latitude_degrees())), format!("{}°", format_number(f.longitude_degrees())));
        fields.row(vec![f.name().to_owned(), plots, edge, north, east, format!("{} m", format_number(f.altitude_m()))]);
    }
    write_section(out, "fields", &fields)?;
    let mut parts = TextTable::default();
    game.parts()
        .iter()
        .for_each(|part| parts.row(vec![part.path().to_owned(), first_sentence(doc_of(part)).to_owned()]));
    write_section(out, "parts", &parts)?;
    let mut observations = TextTable::new(&["key", "space", "meaning"]);
    for entry in game.observation().entries() {
        observations.row(vec![entry.key().to_owned(), entry.space().to_string(), entry.doc().to_owned()]);
        for names in label_rows(entry.kind()) {
            observations.row(vec![String::new(), String::new(), format!("  {names}")]);
        }
    }
    write_section(
        out,
        &format!("observation, {} (a record of {} bytes)", mode(game), game.observation().size()),
        &observations,
    )?;
    write_requests(out, game)?;
    write_actions(out, game)?;
    let mut policies = TextTable::default();
    for (name, policy) in game.spec().policies() {
        policies.row(vec![name.clone(), policy.typetag_name().to_owned()]);
    }
    write_section(out, "policies", &policies)?;
    let mut presets = TextTable::default();
    for (name, changes) in game.spec().presets() {
        let changes: Vec<String> =
            changes.iter().map(|(path, value)| format!("{path} = {}", yaml_text(value))).collect();
        presets.row(vec![name.clone(), changes.join("; ")]);
    }
    write_section(out, "presets", &presets)?;
    let mut monitors = TextTable::default();
    for monitor in game.monitors() {
        monitors
            .row(vec![monitor.title().to_owned(), format!("{} of {}", monitor.function(), monitor.variable().name())]);
    }
    write_section(out, "monitoring", &monitors)?;
    let mut ends = TextTable::default();
    endings(game).into_iter().for_each(|ending| ends.row(vec![ending]));
    write_section(out, "an episode ends", &ends)
}

/// Writes the priced observations: one line per variable or group.
fn write_requests(out: &mut impl Write, game: &Game) -> std::io::Result<()> {
    let mut requests = TextTable::new(&["name", "paths", "cost"]);
    let mut rows: Vec<(String, usize, f64, f64)> = Vec::new();
    for base in game.catalogue().base_actions() {
        let ActionTarget::Observation(request) = base.target() else { continue };
        let part = game.parts().get(base.part()).map_or("", |part| part.path());
        let name = format!("{}{part}.{}", game.catalogue().address(base), request.name());
        match rows.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, n, low, high)) => (*n, *low, *high) = (*n + 1, low.min(base.cost()), high.max(base.cost())),
            None => rows.push((name, 1, base.cost(), base.cost())),
        }
    }
    for (name, n, low, high) in rows {
        let cost =
            if low == high { format_number(low) } else { format!("{} to {}", format_number(low), format_number(high)) };
        requests.row(vec![name, n.to_string(), cost]);
    }
    let title = format!("priced observations: {}", game.catalogue().observation_count());
    write_section(out, &title, &requests)
}

fn write_actions(out: &mut impl Write, game: &Game) -> std::io::Result<()> {
    let mut actions = TextTable::new(&["name", "values", "cost", "meaning"]);
    let interventions = game.catalogue().base_actions().iter().filter_map(|base| Some((base, declared(game, base)?)));
    for (base, (part, action)) in interventions {
        actions.row(vec![
            format!("{}{}.{}", game.catalogue().address(base), part.path(), action.name()),
            String::new(),
            format_number(base.cost()),
            action.doc().to_owned(),
        ]);
        for (parameter, allowed) in action.parameters().iter().zip(base.parameters()) {
            let values = allowed_text(game, part, parameter, allowed);
            actions.row(vec![format!("  {}", parameter.name()), values, String::new(), parameter.doc().to_owned()]);
        }
    }
    let day = match game.rules().steps_per_day {
        1 => String::new(),
        steps => format!(", {steps} schedules a day"),
    };
    let (all, most) = (game.catalogue().discrete_len(), game.catalogue().max_schedule());
    let title = format!("actions: {all} in the flat list, at most {most} in a schedule{day}");
    write_section(out, &title, &actions)
}

/// The description as JSON.
pub(super) fn to_json(game: &Game, understood: &[String]) -> Json {
    let fields = game.fields().iter().map(|f| {
        json!({
            "name": f.name(), "length": f.length(), "width": f.width(), "scale_m": f.scale_m(), "altitude_m": f.altitude_m(),
            "latitude_degrees": f.latitude_degrees(), "longitude_degrees": f.longitude_degrees(),
        })
    });
    let parts = game.parts().iter().map(|part| json!({"path": part.path(), "kind": part.kind(), "doc": doc_of(part)}));
    let entries = game.observation().entries().iter().map(|entry| {
        json!({
            "key": entry.key(), "doc": entry.doc(), "values": entry.kind().to_json(), "space": entry.space(), "dtype": format!("{:?}", entry.dtype()).to_lowercase(),
            "offset": entry.offset(),
        })
    });
    let actions = game.catalogue().base_actions().iter().filter_map(|base| {
        let (part, action) = declared(game, base)?;
        let parameters = action.parameters().iter().zip(base.parameters()).map(|(parameter, allowed)| {
            json!({"name": parameter.name(), "doc": parameter.doc(), "allowed": allowed_json(game, part, parameter, allowed)})
        });
        Some(json!({
            "farmer": base.farmer_name(game.parts()), "part": part.path(), "name": action.name(), "doc": action.doc(), "cost": base.cost(),
            "parameters": parameters.collect::<Vec<_>>(),
        }))
    });
    let policies = game.spec().policies().iter().map(|(name, policy)| (name.clone(), json!(policy.typetag_name())));
    let presets = game.spec().presets().iter().map(|(name, changes)| {
        (name.clone(), Json::Object(changes.iter().map(|(path, value)| (path.clone(), yaml_json(value))).collect()))
    });
    let monitor = |monitor: &Monitor| json!({"title": monitor.title(), "variable": monitor.variable().name(), "function": monitor.function()});
    json!({
        "name": game.spec().name(),
        "kind": "game",
        "doc": game.spec().doc().trim(),
        "understood": understood,
        "fields": fields.collect::<Vec<_>>(),
        "parts": parts.collect::<Vec<_>>(),
        "interaction_mode": mode(game),
        "observation": {"bytes": game.observation().size(), "entries": entries.collect::<Vec<_>>()},
        "actions": {
            "discrete": game.catalogue().discrete_len(),
            "observations": game.catalogue().observation_count(),
            "max_schedule": game.catalogue().max_schedule(),
            "base": actions.collect::<Vec<_>>(),
        },
        "policies": Json::Object(policies.collect()),
        "presets": Json::Object(presets.collect()),
        "monitoring": game.monitors().iter().map(monitor).collect::<Vec<_>>(),
        "steps_per_day": game.rules().steps_per_day,
        "max_steps": game.rules().max_steps,
        "endings": endings(game),
        "warnings": check::warnings_json(game),
    })
}

/// The description of the part's kind.
fn doc_of(part: &PartInfo) -> &'static str {
    kinds().iter().find(|kind| kind.name() == part.kind()).map_or("", |kind| kind.doc().trim())
}

fn mode(game: &Game) -> String {
    let mode = serde_json::to_value(game.spec().interaction_mode()).unwrap_or_default();
    mode.as_str().unwrap_or_default().to_owned()
}

fn declared<'g>(game: &'g Game, base: &BaseAction) -> Option<(&'g PartInfo, &'g ActionInfo)> {
    let part = game.parts().get(base.part())?;
    Some((part, base.info(game.parts())?))
}

fn allowed_json(game: &Game, part: &PartInfo, parameter: &ActionParameter, allowed: &Allowed) -> Json {
    let width = plots(game, part).0;
    let value = |value: &f64| Argument::new(parameter.kind(), *value, width).to_json();
    match allowed {
        Allowed::Range { low, high } => json!({"low": low, "high": high}),
        Allowed::Values(values) => json!({"values": values.iter().map(value).collect::<Vec<_>>()}),
    }
}
