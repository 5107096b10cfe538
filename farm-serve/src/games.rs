//! The games that a server plays.

use std::sync::Arc;

use farm_core::Game;
use farm_core::config::{NameError, Path, Problem, Problems};
use serde_json::{Value as Json, json};

/// What is odd about a game that can be played, for trainers and agents: each with its code and a sentence. What to do about it is left to
/// whoever serves the game, who has read it when the server began.
pub(crate) fn warnings(game: &Game) -> Vec<Json> {
    let told = |warning: &Problem| json!({ "code": warning.code.name(), "message": warning.sentence() });
    game.warnings().0.iter().map(told).collect()
}

/// The games that a server plays, by name, compiled once and shared by all sessions.
#[derive(Debug, Clone, Default)]
pub struct Games {
    games: Vec<(String, Arc<Game>)>,
}

impl Games {
    /// The games of these names, opened.
    ///
    /// # Errors
    /// Every problem of the first that can't be opened.
    pub fn open(names: &[String], options: &farm_games::Options) -> Result<Self, Problems> {
        let mut games = Self::default();
        for name in names {
            games.add(name.clone(), Arc::new(farm_games::open(name, options)?));
        }
        Ok(games)
    }

    /// Adds a game; one of the same name is replaced.
    pub fn add(&mut self, name: String, game: Arc<Game>) {
        self.games.retain(|(known, _)| *known != name);
        self.games.push((name, game));
    }

    /// The first game, which is played where none is named.
    pub fn first(&self) -> Option<&(String, Arc<Game>)> {
        self.games.first()
    }

    /// The game of a name.
    ///
    /// # Errors
    /// A name that is not served, with the nearest one that is.
    pub fn find(&self, name: &str) -> Result<&Arc<Game>, Box<Problem>> {
        let found = self.games.iter().find(|(known, _)| known == name);
        found.map(|(_, game)| game).ok_or_else(|| {
            let problem =
                Problem::new(NameError::UnknownName, Path::default(), format!("the game `{name}` is not served here"));
            Box::new(problem.value(name).among(name, self.names()))
        })
    }

    /// All games, in the order in which they were given.
    pub fn all(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().map(|(_, game)| &**game)
    }

    /// The names of all, in the order in which they were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.games.iter().map(|(name, _)| name.as_str())
    }
}
