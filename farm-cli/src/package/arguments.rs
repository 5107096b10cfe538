//! The arguments of a package for a trainer.

use std::path::PathBuf;

use clap::Args;
use farm_scaffold::ScaffoldPlan;

use super::tasks::Tasks;
use crate::arguments::{GameArguments, Rules, at_least_one};
use crate::converse::Text;

/// The arguments of a package for a trainer.
#[derive(Debug, Args)]
pub(crate) struct PackageArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// Folder of the package; created if missing
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Whether the instructions contain the rules
    #[arg(long, value_enum, default_value_t = Rules::Hidden)]
    pub(super) rules: Rules,
    /// Form of the observations
    #[arg(long, value_enum, default_value_t = Text::Full)]
    pub(super) text: Text,
    /// Worlds per split
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = at_least_one::<u32>)]
    pub(super) tasks: u32,
}

impl PackageArguments {
    /// The package's tasks.
    ///
    /// # Errors
    /// Fails if the game has errors.
    pub(super) fn tasks(&self) -> anyhow::Result<Tasks> {
        Tasks::of(&self.game, self.tasks)
    }

    /// An empty plan for the package's folder.
    pub(super) fn plan(&self) -> ScaffoldPlan {
        ScaffoldPlan::new(&self.out)
    }

    /// The settings for its conversations, as JSON.
    pub(super) fn settings(&self, tasks: &Tasks) -> String {
        let rules = if self.rules == Rules::Shown { "shown" } else { "hidden" };
        let form = farm_core::TextForm::from(self.text).name();
        let settings = serde_json::json!({"rules": rules, "form": form, "max_turns": tasks.max_turns});
        format!("{settings:#}\n")
    }
}

/// A name for packages, modules and servers, such as `farm_backwards_valley_tier_5`.
pub(super) fn module_name(game: &str) -> String {
    let stem = std::path::Path::new(game).file_stem().map_or(game.into(), |stem| stem.to_string_lossy());
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_");
    format!("farm_{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_of_a_module() {
        assert_eq!(module_name("backwards_valley@tier=5"), "farm_backwards_valley_tier_5");
        assert_eq!(module_name("games/My Farm.yaml"), "farm_my_farm");
    }
}
