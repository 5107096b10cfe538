//! The policies named in command-line options.

use farm_core::config::{NameError, Path, Phrase, Problem, Problems, Tool};
use farm_core::{Agent, Game};

/// A chosen policy. It can create any number of players, on any thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Its name in tables and files.
    pub name: String,
}

impl Choice {
    /// The policy given to `--policy`. The default is `random` or, if the game does not have this policy, the game's first policy.
    ///
    /// # Errors
    /// Fails if the game has no policies, if the policy is unknown, or if it does not fit the game.
    pub(crate) fn of(game: &Game, wanted: Option<&str>) -> Result<Self, Problems> {
        let mut names = game.spec().policies().keys().map(String::as_str);
        let default = names.clone().find(|name| *name == "random").or_else(|| names.next());
        let name = wanted.or(default).ok_or_else(|| {
            let message = format!("`{}` has no policies", game.spec().name());
            let problem = Problem::new(NameError::UnknownPolicy, Path::default().child("policies"), message)
                .expected("at least one policy");
            Problems(vec![problem.help(
                Phrase::from("add one under `policies:`; ").with(Tool::list("policies")).and(" lists all kinds"),
            )])
        })?;
        let choice = Self { name: name.to_owned() };
        choice.player(game)?;
        Ok(choice)
    }

    /// Creates a player that uses the policy.
    ///
    /// # Errors
    /// Fails if the policy does not fit the game.
    pub(crate) fn player(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        farm_games::policy(game, &self.name)
    }
}
