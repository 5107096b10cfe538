//! `farm graph`: how a game's parts influence each other, as a diagram for Mermaid or Graphviz.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use farm_core::Game;
use farm_core::inspect::influences;
use serde_json::json;

use crate::arguments::GameArguments;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  farm graph GAME                                  for pages that show Mermaid diagrams
  farm graph GAME --format dot | dot -Tsvg > a.svg  a picture by Graphviz
  farm graph my_game.yaml --preset NAME             a variant of your own game

Arrows lead from the part that provides a role to the parts that read it, and from a part that changes a stored value to the part that
stores it. `farm describe ROLE` explains a role. Parts are grouped by field. Variables that scores and rules read by name have no arrow.";

/// Draw how the parts of a game influence each other
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Language of the diagram
    #[arg(long, value_enum, default_value_t = GraphFormat::Mermaid)]
    format: GraphFormat,
}

/// A language for diagrams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GraphFormat {
    /// Mermaid, for pages that draw it as a picture
    Mermaid,
    /// DOT, the language of Graphviz
    Dot,
}

/// Prints the diagram.
///
/// # Errors
/// Fails if the game has errors or the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.open()?;
    let mut out = output::stdout();
    match arguments.format {
        GraphFormat::Mermaid => write_mermaid(&mut out, &game)?,
        GraphFormat::Dot => write_dot(&mut out, &game)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The parts in a field, or the parts outside all fields, by index.
fn parts_of(game: &Game, field: Option<usize>) -> impl Iterator<Item = (usize, &str)> {
    let of_field = game.parts().iter().enumerate().filter(move |(_, part)| part.field() == field);
    of_field.map(|(index, part)| (index, part.name()))
}

fn write_mermaid(out: &mut impl Write, game: &Game) -> std::io::Result<()> {
    // Mermaid reads YAML between these lines, and every JSON string is a YAML string.
    writeln!(out, "---\ntitle: {}\n---\nflowchart LR", json!(game.spec().name()))?;
    for (index, field) in game.fields().iter().enumerate() {
        writeln!(out, "  subgraph field{index}[\"{}\"]", mermaid_text(field.name()))?;
        for (part, name) in parts_of(game, Some(index)) {
            writeln!(out, "    part{part}[\"{}\"]", mermaid_text(name))?;
        }
        writeln!(out, "  end")?;
    }
    for (part, name) in parts_of(game, None) {
        writeln!(out, "  part{part}[\"{}\"]", mermaid_text(name))?;
    }
    for influence in influences(game.parts()) {
        let roles: Vec<String> = influence.roles().iter().map(|role| mermaid_text(role)).collect();
        writeln!(out, "  part{} -->|\"{}\"| part{}", influence.from(), roles.join("<br/>"), influence.to())?;
    }
    Ok(())
}

fn write_dot(out: &mut impl Write, game: &Game) -> std::io::Result<()> {
    writeln!(out, "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=box];", dot_text(game.spec().name()))?;
    for (index, field) in game.fields().iter().enumerate() {
        writeln!(out, "  subgraph cluster{index} {{\n    label=\"{}\";", dot_text(field.name()))?;
        for (part, name) in parts_of(game, Some(index)) {
            writeln!(out, "    part{part} [label=\"{}\"];", dot_text(name))?;
        }
        writeln!(out, "  }}")?;
    }
    for (part, name) in parts_of(game, None) {
        writeln!(out, "  part{part} [label=\"{}\"];", dot_text(name))?;
    }
    for influence in influences(game.parts()) {
        let roles: Vec<String> = influence.roles().iter().map(|role| dot_text(role)).collect();
        writeln!(out, "  part{} -> part{} [label=\"{}\"];", influence.from(), influence.to(), roles.join("\\n"))?;
    }
    writeln!(out, "}}")
}

/// A string for use inside quotes in Mermaid. Characters with a special meaning in Mermaid, HTML or Markdown become character codes.
fn mermaid_text(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        if character.is_alphanumeric() || " -_.,()".contains(character) {
            safe.push(character);
        } else {
            safe.push_str(&format!("#{};", u32::from(character)));
        }
    }
    safe
}

/// A string for use inside quotes in Graphviz.
fn dot_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_the_diagram_is_escaped() {
        assert_eq!(mermaid_text("Field-0 (a_b)"), "Field-0 (a_b)");
        assert_eq!(mermaid_text("\"]`<#;\n"), "#34;#93;#96;#60;#35;#59;#10;");
        assert_eq!(dot_text("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
    }
}
