//! Policies as the options of the command line name them.

use farm_core::config::{NameError, Path, Phrase, Problem, Problems, Tool};
use farm_core::{Agent, Game};

/// A policy that was asked for. Players of it can be made on any thread, any number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// What it is called in tables and files.
    pub name: String,
}

impl Choice {
    /// The policy that `--policy` names; without it `random`; otherwise the game's first one.
    ///
    /// # Errors
    /// When the game has no policy at all, no such policy, or one that does not fit it.
    pub(crate) fn of(game: &Game, wanted: Option<&str>) -> Result<Self, Problems> {
        let mut names = game.spec().policies().keys().map(String::as_str);
        let default = names.clone().find(|name| *name == "random").or_else(|| names.next());
        let name = wanted.or(default).ok_or_else(|| {
            let message = format!("`{}` has no policy to play with", game.spec().name());
            let problem = Problem::new(NameError::UnknownPolicy, Path::default().child("policies"), message)
                .expected("at least one policy");
            Problems(vec![problem.help(
                Phrase::from("add one under `policies:`; ").with(Tool::list("policies")).and(" shows all kinds"),
            )])
        })?;
        let choice = Self { name: name.to_owned() };
        choice.player(game)?;
        Ok(choice)
    }

    /// A player of the policy.
    ///
    /// # Errors
    /// When the policy does not fit the game.
    pub(crate) fn player(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        farm_games::policy(game, &self.name)
    }
}
