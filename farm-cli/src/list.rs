//! `farm list`: the names of games, parts and other declarations, one per line.

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use farm_core::config::{PartKind, Tool};
use farm_core::registry::{kinds, roles};
use farm_core::serde_yaml::Value;
use serde_json::{Value as Json, json};

use crate::describe::mentions;
use crate::output::{self, TextTable, first_sentence};

const EXAMPLES: &str = "\
Examples:
  farm list                  everything
  farm list games            the games, with versions, policies and presets
  farm list games --former   former versions of games too
  farm list entities --json  the kinds of entities, for programs
  farm list sets             the parameter sets, with their kinds
  farm list events           the events, with the parts that report them";

/// The games section.
const GAMES: &str = "games";

const PARTS: [PartKind; 5] = [PartKind::Entity, PartKind::Farmer, PartKind::Rule, PartKind::Score, PartKind::Policy];

/// List games, parts, policies and parameter sets
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// games, entities, farmers, rules, scores, policies, roles, sets, events or phases [default: all]
    section: Option<String>,
    /// List former versions of games too
    #[arg(long)]
    former: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An item in the list.
struct ListItem {
    name: String,
    doc: String,
    /// Further facts on the line, by key.
    more: Vec<(&'static str, Vec<String>)>,
}

/// A section: its name and its items.
type Section = (&'static str, Vec<ListItem>);

/// Prints the list.
///
/// # Errors
/// Fails if the section is unknown or the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut sections = sections(arguments.former);
    if let Some(wanted) = &arguments.section {
        let names: Vec<&str> = sections.iter().map(|(name, _)| *name).collect();
        if !names.contains(&wanted.as_str()) {
            let message = format!("unknown section `{wanted}`");
            let help = Tool::list("").and(" lists all sections");
            return Err(output::unknown_name(message, wanted, &names, help).into());
        }
        if arguments.former && wanted != GAMES {
            bail!("`--former` lists versions of games, and {wanted} have none: remove it, or list games");
        }
        sections.retain(|(name, _)| name == wanted);
    }
    let mut out = output::stdout();
    if arguments.json {
        let entries = sections.iter().map(|(name, items)| ((*name).to_owned(), items.iter().map(item_json).collect()));
        output::write_json(&mut out, "list", Json::Object(entries.collect()))?;
    } else {
        let several = sections.len() > 1;
        for (i, (name, items)) in sections.iter().enumerate() {
            if several {
                writeln!(out, "{}{name}", if i > 0 { "\n" } else { "" })?;
            }
            let mut table = TextTable::default();
            items.iter().for_each(|item| table.row(vec![item.name.clone(), item_line(item)]));
            table.write(&mut out, if several { "  " } else { "" })?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn sections(with_former: bool) -> Vec<Section> {
    let mut sections = vec![(GAMES, games(with_former))];
    for part in PARTS {
        let of_part = kinds().iter().filter(|kind| kind.part() == part);
        let item =
            |name: &str, doc: &str| ListItem { name: name.to_owned(), doc: doc.trim().to_owned(), more: Vec::new() };
        sections.push((part.plural(), of_part.map(|kind| item(kind.name(), kind.doc())).collect()));
    }
    let role_items = roles().into_iter().map(|role| ListItem {
        name: role.name().to_owned(),
        doc: role.doc().trim().to_owned(),
        more: vec![("unit", vec![role.unit().to_owned()])],
    });
    sections.push(("roles", role_items.collect()));
    for (section, what) in [("sets", "parameter set"), ("events", "event"), ("phases", "phase")] {
        sections.push((section, items_within(what)));
    }
    sections
}

/// The declarations in one category. Kinds with the same declaration share a line.
fn items_within(what: &str) -> Vec<ListItem> {
    let mut items: Vec<ListItem> = Vec::new();
    for mention in mentions().into_iter().filter(|mention| mention.what == what) {
        let of: Vec<String> = mention.of.into_iter().map(str::to_owned).collect();
        match items.iter_mut().find(|item| item.name == mention.name && item.doc == mention.doc) {
            Some(item) => item.more.iter_mut().for_each(|(_, kinds)| kinds.extend(of.iter().cloned())),
            None => items.push(ListItem { name: mention.name, doc: mention.doc, more: vec![("of", of)] }),
        }
    }
    items
}

/// The built-in games, optionally with former versions. The games are read but not compiled, so that invalid games are also listed.
fn games(with_former: bool) -> Vec<ListItem> {
    let item = |entry: &farm_games::CatalogueEntry| {
        let value = farm_games::document(entry.name).map(|document| document.value().clone()).unwrap_or_default();
        let keys = |key: &str| -> Vec<String> {
            let mapping = value.get(key).and_then(Value::as_mapping);
            mapping.into_iter().flatten().filter_map(|(name, _)| name.as_str()).map(str::to_owned).collect()
        };
        ListItem {
            name: entry.name.to_owned(),
            doc: value.get("doc").and_then(Value::as_str).unwrap_or_default().trim().to_owned(),
            more: vec![
                ("version", vec![entry.version.to_string()]),
                ("policies", keys("policies")),
                ("presets", keys("presets")),
                ("family", vec![entry.family.name().to_owned()]),
            ],
        }
    };
    let mut entries = farm_games::CATALOGUE.to_vec();
    if with_former {
        entries.extend(farm_games::FORMER);
        entries.sort_by_key(|entry| (entry.game(), std::cmp::Reverse(entry.version)));
    }
    entries.iter().map(item).collect()
}

fn item_line(item: &ListItem) -> String {
    let more = item.more.iter().filter(|(_, words)| !words.is_empty());
    let more: Vec<String> = more.map(|(key, words)| format!("{key}: {}", words.join(", "))).collect();
    let sentence = first_sentence(&item.doc);
    if more.is_empty() { sentence.to_owned() } else { format!("{sentence} [{}]", more.join("; ")) }
}

fn item_json(item: &ListItem) -> Json {
    let mut json = json!({"name": item.name, "doc": item.doc});
    for (key, words) in &item.more {
        json[*key] = match (*key, words.as_slice()) {
            ("unit" | "family", [word]) => json!(word),
            ("version", [version]) => json!(version.parse::<u32>().unwrap_or_default()),
            _ => json!(words),
        };
    }
    json
}
