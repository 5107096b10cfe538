//! A server's games.

use std::sync::Arc;

use farm_core::Game;
use farm_core::config::{NameError, Path, Problem, Problems};
use serde_json::{Value as Json, json};

/// Warnings about a game for trainers and agents, each with a code and a sentence. They contain no fix, because the server's operator saw
/// the full warnings at startup.
pub(crate) fn warnings(game: &Game) -> Vec<Json> {
    let told = |warning: &Problem| json!({ "code": warning.code.name(), "message": warning.sentence() });
    game.warnings().0.iter().map(told).collect()
}

/// A server's games by name, compiled once and shared by all sessions.
#[derive(Debug, Clone, Default)]
pub struct Games {
    games: Vec<(String, Arc<Game>)>,
}

impl Games {
    /// Opens games by name.
    ///
    /// # Errors
    /// All problems in the first game that can't be opened.
    pub fn open(names: &[String], options: &farm_games::Options) -> Result<Self, Problems> {
        let mut games = Self::default();
        for name in names {
            games.add(name.clone(), Arc::new(farm_games::open(name, options)?));
        }
        Ok(games)
    }

    /// Adds a game, which replaces any game with the same name.
    pub fn add(&mut self, name: String, game: Arc<Game>) {
        self.games.retain(|(known, _)| *known != name);
        self.games.push((name, game));
    }

    /// The first game, which is the default.
    pub fn first(&self) -> Option<&(String, Arc<Game>)> {
        self.games.first()
    }

    /// Finds a game by name.
    ///
    /// # Errors
    /// The server has no game with this name; the error suggests the nearest name.
    pub fn find(&self, name: &str) -> Result<&Arc<Game>, Box<Problem>> {
        let found = self.games.iter().find(|(known, _)| known == name);
        found.map(|(_, game)| game).ok_or_else(|| {
            let problem =
                Problem::new(NameError::UnknownName, Path::default(), format!("the game `{name}` is not served here"));
            Box::new(problem.value(name).among(name, self.names()))
        })
    }

    /// All games, in the given order.
    pub fn all(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().map(|(_, game)| &**game)
    }

    /// All names, in the given order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.games.iter().map(|(name, _)| name.as_str())
    }
}
