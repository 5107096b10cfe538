//! Facts about a game for Python: fields and parts, for the dataclasses in `farm_gym/parts/infos.py`.

use std::sync::Arc;

use farm_core::declare::{FieldInfo, PartInfo};
use farm_core::{Declarations, Found, Game, Known};
use serde_json::{Value as Json, json};

/// The facts for a part's declaration. A second declaration also knows the other parts.
pub(super) fn facts_for(d: &Declarations<'_>, known: Option<&Known<'_>>) -> Json {
    let parts = known.map_or(&[][..], |known| known.parts());
    let own = parts.iter().find(|part| part.path() == d.part().path());
    let mut facts = of_part(d.part().name(), d.field(), d.fields(), own, parts);
    facts["is_second"] = known.is_some().into();
    facts
}

/// The facts that a part is bound with.
pub(super) fn facts_found(found: &Found<'_>) -> Json {
    of_part(found.part().name(), found.field(), found.fields(), Some(found.part()), found.parts())
}

/// The facts for a part: the fields and parts, and which of them are its own or seen by it.
fn of_part(
    name: &str,
    field: &FieldInfo,
    fields: &[Arc<FieldInfo>],
    own: Option<&PartInfo>,
    parts: &[PartInfo],
) -> Json {
    let mut facts = facts(fields, parts);
    facts["name"] = name.into();
    facts["field"] = fields.iter().position(|one| one.name() == field.name()).into();
    facts["seen"] = parts.iter().map(|part| own.is_some_and(|own| own.sees(part))).collect();
    facts
}

/// A game's fields and parts.
pub(super) fn facts(fields: &[Arc<FieldInfo>], parts: &[PartInfo]) -> Json {
    let field = |field: &Arc<FieldInfo>| {
        json!({
            "name": field.name(),
            "length": field.length(),
            "width": field.width(),
            "scale_m": field.scale_m(),
            "latitude_degrees": field.latitude_degrees(),
            "longitude_degrees": field.longitude_degrees(),
            "altitude_m": field.altitude_m(),
        })
    };
    let part = |part: &PartInfo| {
        let variables: Vec<Json> = part
            .variables()
            .iter()
            .map(|v| json!({"name": v.name(), "doc": v.doc(), "shape": v.shape(), "roles": v.roles(), "visible": v.visible()}))
            .collect();
        json!({
            "name": part.name(),
            "path": part.path(),
            "field": part.field().map(|field| fields[field].name()),
            "variables": variables,
            "observables": part.observables().iter().map(|o| o.name()).collect::<Vec<_>>(),
            "actions": part.actions().iter().map(|a| a.name()).collect::<Vec<_>>(),
            "events": part.events().iter().map(|e| e.name()).collect::<Vec<_>>(),
        })
    };
    json!({
        "fields": fields.iter().map(field).collect::<Vec<_>>(),
        "parts": parts.iter().map(part).collect::<Vec<_>>(),
    })
}

/// The facts about a compiled game, with its actions.
pub(super) fn game_facts(game: &Game) -> Json {
    let mut facts = facts(game.fields(), game.parts());
    facts["name"] = json!(game.spec().name());
    facts["actions"] = json!(action_names(game));
    facts["max_schedule"] = json!(game.catalogue().max_schedule());
    facts
}

/// The names of the actions in the flat list.
pub(super) fn action_names(game: &Game) -> Vec<String> {
    let catalogue = game.catalogue();
    let name = |id| {
        let calls = catalogue.discrete(id).unwrap_or_default();
        let names: Vec<String> = calls.iter().map(|call| catalogue.describe(call)).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(" + ") }
    };
    (0..catalogue.discrete_len()).map(name).collect()
}
