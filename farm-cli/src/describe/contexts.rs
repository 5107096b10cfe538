//! The contexts of a game.

use std::io::Write;
use std::process::ExitCode;

use farm_games::contexts::Context;
use serde_json::json;

use crate::output::{self, TextTable};

/// Prints the contexts.
///
/// # Errors
/// Fails if the output can't be written.
pub(super) fn list(contexts: &[Context], as_json: bool) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    if as_json {
        let shown = |context: &Context| {
            let [climate, soil, price] = &context.levels;
            json!({
                "name": context.to_string(), "place": context.place(), "split": context.split.name(), "climate": climate,
                "soil": soil, "price": price, "recombined": context.is_recombined,
            })
        };
        output::write_json(&mut out, "contexts", json!({"contexts": contexts.iter().map(shown).collect::<Vec<_>>()}))?;
    } else if contexts.is_empty() {
        writeln!(out, "no contexts: the game has no climate, soil or price that they change")?;
    } else {
        let mut table = TextTable::default();
        for context in contexts {
            let mark = if context.is_recombined { "levels of train, recombined" } else { "" };
            table.row(vec![context.place(), context.to_string(), mark.to_owned()]);
        }
        table.write(&mut out, "")?;
        let mut known = Vec::new();
        for (level, doc) in contexts.iter().flat_map(|context| context.levels.iter().zip(&context.docs)) {
            if level != "home" && !known.contains(&(level, doc)) {
                known.push((level, doc));
            }
        }
        let mut table = TextTable::default();
        known.iter().for_each(|(level, doc)| table.row(vec![(*level).clone(), (*doc).clone()]));
        writeln!(out)?;
        table.write(&mut out, "")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
