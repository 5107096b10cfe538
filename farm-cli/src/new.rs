//! `farm new-game` and `farm new-plugin`: skeletons that play at once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use farm_core::registry::{elsewhere, kinds};
use farm_games::CATALOGUE;
use farm_scaffold::{NewPlugin, ScaffoldPlan, Sort, Taken, find_repository, game_file, plugin};

use crate::{invocation, output};

const GAME_EXAMPLES: &str = "\
EXAMPLES:
  farm new-game wet_meadow                     writes wet_meadow.yaml into this folder
  farm check wet_meadow.yaml                   what is wrong with it, once you have changed it
  farm run wet_meadow.yaml --policy expert     play it

Nothing is overwritten.";

/// Writes a game of your own, as a YAML file that plays at once
#[derive(Debug, Args)]
#[command(after_help = GAME_EXAMPLES)]
pub(crate) struct NewGameArguments {
    /// Its name, as in `wet_meadow`
    #[arg(value_name = "NAME")]
    name: String,
}

const PLUGIN_EXAMPLES: &str = "\
EXAMPLES:
  farm new-plugin wood_mice                    a crate with an entity, in the folder wood-mice
  farm new-plugin fair_trade --kind score      with a score instead
  farm new-plugin wood_mice --path ~/mice      in another folder
  farm new-plugin wood_mice --farm-gym DIR     with the sources of farm-gym that lie in DIR

The crate has the part, a game that uses it, tests and a README. It depends on the crates of farm-gym, whose sources are
looked for in this folder and above it. Within these sources it becomes a member of their workspace; elsewhere it is one of
its own. Nothing is overwritten.";

/// Writes a crate of your own with a part in Rust, a game that uses it, and tests
#[derive(Debug, Args)]
#[command(after_help = PLUGIN_EXAMPLES)]
pub(crate) struct NewPluginArguments {
    /// Its name, as in `WoodMice` or `wood-mice`
    #[arg(value_name = "NAME")]
    name: String,
    /// What it adds to games: entity, farmer, rule, score or policy
    #[arg(long, value_name = "KIND", default_value = "entity")]
    kind: Sort,
    /// Its folder; unless given, one of its name in this folder
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Where the sources of farm-gym are: their folder, or one within
    #[arg(long, value_name = "DIR")]
    farm_gym: Option<PathBuf>,
}

/// Writes a game.
///
/// # Errors
/// A name that is taken or not valid, a file that is there already.
pub(crate) fn game(arguments: &NewGameArguments) -> anyhow::Result<ExitCode> {
    write(&game_file(&here()?, &arguments.name, &taken(), &invocation::noted().0)?)
}

/// Writes a crate.
///
/// # Errors
/// A name that is taken or not valid, a folder that is there already; no sources of farm-gym.
pub(crate) fn crate_of_plugin(arguments: &NewPluginArguments) -> anyhow::Result<ExitCode> {
    let here = here()?;
    let looked_in = arguments.farm_gym.as_ref().map_or_else(|| here.clone(), |folder| here.join(folder));
    let repository = find_repository(&looked_in).with_context(|| {
        format!(
            "a plugin is built against the sources of farm-gym, and neither {} nor a folder above it has them: \
             get them with git, and run this there or name their folder with `--farm-gym DIR`",
            looked_in.display()
        )
    })?;
    let new = NewPlugin {
        repository: &repository,
        name: &arguments.name,
        sort: arguments.kind,
        inside: &here,
        folder: arguments.path.as_deref(),
    };
    write(&plugin(&new, &taken())?)
}

/// The names that the program and its plugins have.
fn taken() -> Taken {
    let all = kinds().iter().copied().chain(elsewhere().into_iter().map(|other| other.kind()));
    // Kinds of parts are sorts here, by the same words.
    let kinds = all.filter_map(|kind| Some((kind.part().singular().parse().ok()?, kind.name().to_owned())));
    Taken { kinds: kinds.collect(), games: CATALOGUE.iter().map(|entry| entry.name.to_owned()).collect() }
}

fn here() -> anyhow::Result<PathBuf> {
    std::path::absolute(Path::new(".")).context("the working folder can't be read")
}

/// Writes what is planned, and says so.
fn write(plan: &ScaffoldPlan) -> anyhow::Result<ExitCode> {
    plan.write()?;
    let mut out = output::stdout();
    write!(out, "{plan}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_sort() {
        let taken = taken();
        assert!(taken.kinds.len() >= kinds().len() && kinds().len() > 20);
        for sort in Sort::ALL {
            assert!(taken.kinds.iter().any(|(of, _)| *of == sort), "{sort}");
        }
    }
}
