//! Describes a role: its meaning, its providers and its users.

use std::io::Write;

use farm_core::inspect::{bounds, declarations};
use farm_core::registry::{RoleEntry, kinds};
use serde_json::{Value as Json, json};

use super::section::write_section;
use crate::output::TextTable;

/// The kinds related to a role.
struct Relations {
    /// Each provider's kind and variable.
    providers: Vec<(&'static str, String)>,
    /// Each user's kind and need.
    users: Vec<(&'static str, farm_core::declare::Need)>,
    /// The kinds that change values that other kinds store for the role.
    writers: Vec<&'static str>,
}

fn relations(role: &str) -> Relations {
    let mut relations = Relations { providers: Vec::new(), users: Vec::new(), writers: Vec::new() };
    for kind in kinds() {
        let Some(part) = declarations(kind) else { continue };
        let giving = part.variables().iter().filter(|variable| variable.roles().contains(&role));
        relations.providers.extend(giving.map(|variable| (kind.name(), variable.name().to_owned())));
        for (_, need) in part.needs().iter().filter(|(name, _)| *name == role) {
            if !relations.users.contains(&(kind.name(), *need)) {
                relations.users.push((kind.name(), *need));
            }
        }
        if part.writes().contains(&role) {
            relations.writers.push(kind.name());
        }
    }
    relations
}

/// Writes the description.
///
/// # Errors
/// Fails if the output can't be written.
pub(super) fn write(out: &mut impl Write, role: &RoleEntry) -> std::io::Result<()> {
    writeln!(out, "{} · role\n  {}\n  unit: {}", role.name(), role.doc().trim(), role.unit())?;
    if let Some((low, high)) = role.range() {
        writeln!(out, "  range: {}", bounds(low, high))?;
    }
    let Relations { providers, users, writers } = relations(role.name());
    let mut table = TextTable::default();
    providers.into_iter().for_each(|(kind, variable)| table.row(vec![kind.to_owned(), variable]));
    write_section(out, "provided by", &table)?;
    let mut table = TextTable::default();
    users
        .into_iter()
        .for_each(|(kind, need)| table.row(vec![kind.to_owned(), need.name().to_owned(), need.text().to_owned()]));
    write_section(out, "read by", &table)?;
    let mut table = TextTable::default();
    writers.into_iter().for_each(|kind| table.row(vec![kind.to_owned()]));
    write_section(out, "changed by (stored by another part)", &table)
}

/// The description as JSON.
pub(super) fn to_json(role: &RoleEntry) -> Json {
    let Relations { providers, users, writers } = relations(role.name());
    let providers = providers.into_iter().map(|(kind, variable)| json!({"kind": kind, "variable": variable}));
    let users = users.into_iter().map(|(kind, need)| json!({"kind": kind, "need": need.name()}));
    json!({
        "name": role.name(),
        "kind": "role",
        "doc": role.doc().trim(),
        "unit": role.unit(),
        "range": role.range().map(|(low, high)| [low, high].map(|end| end.is_finite().then_some(end))),
        "providers": providers.collect::<Vec<_>>(),
        "users": users.collect::<Vec<_>>(),
        "writers": writers,
    })
}
