//! `farm schema`: JSON Schemas that let editors complete and check files.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_core::config::{Document, Problems};
use farm_core::plugin;
use farm_core::spec::SchemaFile;
use farm_games::schema::ENDING;

use crate::arguments::consent;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  farm schema > game.schema.json          of game files
  farm schema level                       of levels; also `init`, `actions`, `score`, `policy` (parts in their own files) and `study`
  farm schema KIND                        of the parameter sets of a kind, if it has any
  farm schema my_game.yaml                of game files, including the plugins of this game
  farm --plugin FILE schema --out schemas all schemas as files, including a plugin

An editor with a YAML language server reads the schema that the first line of a file names:
# yaml-language-server: $schema=game.schema.json";

/// Print the JSON Schema of game files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Type of the files: `game`, `level`, `init`, `actions`, `score`, `policy`, `study` or a kind with parameter sets; or a game file,
    /// whose plugins are loaded first
    #[arg(value_name = "NAME|FILE.yaml", default_value = GAME)]
    name: String,
    /// Write all schemas into this folder instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The name of the schema for games.
const GAME: &str = "game";

/// Prints the schema, or writes all schemas.
///
/// # Errors
/// Fails if the name is unknown, if a plugin can't be loaded, or if the folder can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let is_file =
        arguments.name.contains(['/', '\\']) || [".yaml", ".yml"].iter().any(|end| arguments.name.ends_with(end));
    let name = if is_file {
        // Other errors are ignored, because the file may be unfinished.
        let mut document = Document::read(FilePath::new(&arguments.name))?;
        document.trust_mut().agree(consent());
        plugin::load_named(&document)?;
        GAME
    } else {
        arguments.name.as_str()
    };
    let schemas = farm_study::schemas();
    let wanted = find(&schemas, name)?;
    let mut out = output::stdout();
    match &arguments.out {
        None => writeln!(out, "{:#}", wanted.schema())?,
        Some(folder) => {
            for file in &schemas {
                let path = folder.join(file.path());
                let parent = path.parent().unwrap_or(folder);
                std::fs::create_dir_all(parent).with_context(|| format!("{} can't be created", parent.display()))?;
                farm_output::save(&path, format!("{:#}\n", file.schema()).as_bytes())?;
                writeln!(out, "written: {}", path.display())?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The schema with this name.
fn find<'s>(schemas: &'s [SchemaFile], name: &str) -> Result<&'s SchemaFile, Problems> {
    let name_of = |file: &'s SchemaFile| {
        let file_name = file.path().rsplit('/').next().unwrap_or(file.path());
        file_name.strip_suffix(ENDING).unwrap_or(file_name)
    };
    schemas.iter().find(|file| name_of(file) == name).ok_or_else(|| {
        let names: Vec<&str> = schemas.iter().map(name_of).collect();
        let help =
            "kinds without parameter sets have no schema; their parameters are in the schema of games, `farm schema`";
        output::unknown_name(format!("unknown schema `{name}`"), name, &names, help)
    })
}
