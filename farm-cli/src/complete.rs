//! `farm completions` and `farm man`: completion scripts and manual pages.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use farm_core::config::Problems;
use farm_core::serde_yaml::Value;
use farm_output::OutputFile;

use crate::{invocation, output};

const COMPLETION_EXAMPLES: &str = "\
Examples:
  farm completions bash > ~/.local/share/bash-completion/completions/farm
  farm completions zsh > ~/.zfunc/_farm
  farm completions fish > ~/.config/fish/completions/farm.fish

The script completes commands, options, games and policies.";

const MAN_EXAMPLES: &str = "\
Examples:
  farm man --out man/man1
  man -M man farm-play";

/// Print a shell completion script
#[derive(Debug, Args)]
#[command(after_help = COMPLETION_EXAMPLES)]
pub(crate) struct CompletionArguments {
    /// Shell that runs the script
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Write manual pages
#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArguments {
    /// Folder of the pages; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Prints the script.
///
/// # Errors
/// Fails if writing to standard output fails.
pub(crate) fn completions(arguments: &CompletionArguments, command: Command) -> anyhow::Result<ExitCode> {
    let (name, command) = named(command);
    let mut command = with_names(command)?;
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    let mut out = BufWriter::new(std::io::stdout().lock());
    out.write_all(&script)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages.
///
/// # Errors
/// Fails if the folder can't be written.
pub(crate) fn man(arguments: &ManArguments, command: Command) -> anyhow::Result<ExitCode> {
    let (name, mut command) = named(command);
    // Subcommands then have the global options and their full names.
    command.build();
    std::fs::create_dir_all(&arguments.out)?;
    let pages = std::iter::once((name.clone(), command.clone())).chain(
        command
            .get_subcommands()
            .filter(|c| c.get_name() != "help")
            .map(|c| (format!("{name}-{}", c.get_name()), c.clone())),
    );
    let mut written = 0;
    for (title, command) in pages {
        let mut file = OutputFile::create(&arguments.out.join(format!("{title}.1")))?;
        clap_mangen::Man::new(command.display_name(title)).render(&mut file)?;
        file.finish()?;
        written += 1;
    }
    output::note(format!("{} in {}", output::plural(written, "page"), arguments.out.display()));
    Ok(ExitCode::SUCCESS)
}

/// The program's name, and its commands under this name.
fn named(command: Command) -> (String, Command) {
    let name = invocation::name();
    let command = invocation::named(command, if name == "farm-gym" { "farm-gym" } else { "farm" });
    (name, command)
}

/// Adds the names of games and policies to the arguments that accept them.
///
/// # Errors
/// Fails if a built-in game can't be read.
fn with_names(command: Command) -> Result<Command, Problems> {
    let games: Vec<&'static str> = farm_games::CATALOGUE.iter().map(|entry| entry.name).collect();
    let mut policies = BTreeSet::new();
    for game in &games {
        let document = farm_games::document(game)?;
        let named = document.value().get("policies").and_then(Value::as_mapping).into_iter().flatten();
        policies.extend(named.filter_map(|(name, _)| name.as_str().map(str::to_owned)));
    }
    let with_values = |argument: Arg| {
        let of_policy = |name: &clap::builder::Str| name.starts_with("POLICY");
        if argument.get_id() == "game" {
            argument.value_parser(PossibleValuesParser::new(games.clone()))
        } else if argument.get_value_names().is_some_and(|names| names.iter().any(of_policy)) {
            argument.value_parser(PossibleValuesParser::new(policies.clone()))
        } else {
            argument
        }
    };
    Ok(command.mut_subcommands(|command| {
        command.mut_subcommands(|command| command.mut_args(with_values)).mut_args(with_values)
    }))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn commands() -> Command {
        crate::commands::Cli::command()
    }

    #[test]
    fn every_shell_has_a_script_with_commands_options_and_games() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut with_names(commands()).unwrap(), "farm", &mut script);
            let script = String::from_utf8(script).unwrap();
            for word in ["replay", "episodes"] {
                assert!(script.contains(word), "{shell}: no {word}");
            }
        }
        let mut script = Vec::new();
        clap_complete::generate(Shell::Bash, &mut with_names(commands()).unwrap(), "farm", &mut script);
        let script = String::from_utf8(script).unwrap();
        assert!(script.contains(farm_games::CATALOGUE[0].name));
        let after_policy = script.split("--policy)").nth(1).and_then(|rest| rest.split(";;").next()).unwrap();
        let document = farm_games::document(farm_games::CATALOGUE[0].name).unwrap();
        for name in document.value()["policies"].as_mapping().unwrap().keys() {
            assert!(after_policy.contains(name.as_str().unwrap()), "{after_policy}");
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let folder = std::env::temp_dir().join(format!("farm-man-{}", std::process::id()));
        man(&ManArguments { out: folder.clone() }, commands()).unwrap();
        let commands = commands().get_subcommands().count();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), commands + 1);
        let page = std::fs::read_to_string(folder.join("farm-replay.1")).unwrap();
        assert!(page.contains("farm\\-replay") && page.contains("recording"), "{page}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
