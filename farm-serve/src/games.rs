//! A server's games.

use std::sync::Arc;

use farm_core::Game;
use farm_core::config::{NameError, Path, Problem, Problems};
use farm_games::FamilyGame;
use serde_json::{Value as Json, json};

use crate::game::Served;

/// Warnings about a game for trainers and agents, each with a code and a sentence. They contain no fix, because the server's operator saw
/// the full warnings at startup.
pub(crate) fn warnings(game: &Game) -> Vec<Json> {
    let told = |warning: &Problem| json!({ "code": warning.code.name(), "message": warning.sentence() });
    game.warnings().0.iter().map(told).collect()
}

/// A server's games by name, compiled once and shared by all sessions. A family draws a game for each episode.
#[derive(Debug, Clone, Default)]
pub struct Games {
    games: Vec<Served>,
}

impl Games {
    /// Opens games by name. `FAMILY@tier=5` and `FAMILY@tiers=1-9` are families.
    ///
    /// # Errors
    /// All problems in the first game that can't be opened.
    pub fn open(names: &[String], options: &farm_games::Options) -> Result<Self, Problems> {
        let mut games = Self::default();
        for name in names {
            match FamilyGame::open(name).transpose()? {
                Some(family) => games.put(Served::of_family(name.clone(), Arc::new(family))),
                None => games.add(name.clone(), Arc::new(farm_games::open(name, options)?)),
            }
        }
        Ok(games)
    }

    /// Adds a game, which replaces any game with the same name.
    pub fn add(&mut self, name: String, game: Arc<Game>) {
        self.put(Served::new(name, game));
    }

    fn put(&mut self, served: Served) {
        self.games.retain(|known| known.name != served.name);
        self.games.push(served);
    }

    /// The first game, which is the default.
    pub(crate) fn first(&self) -> Option<&Served> {
        self.games.first()
    }

    /// Finds a game or a family by name.
    ///
    /// # Errors
    /// The server has no game with this name; the error suggests the nearest name.
    pub(crate) fn served(&self, name: &str) -> Result<&Served, Box<Problem>> {
        self.games.iter().find(|known| known.name == name).ok_or_else(|| {
            let problem =
                Problem::new(NameError::UnknownName, Path::default(), format!("the game `{name}` is not served here"));
            Box::new(problem.value(name).among(name, self.names()))
        })
    }

    /// Finds a game with fixed rules by name.
    ///
    /// # Errors
    /// The server has no such game; the error suggests the nearest name.
    pub fn find(&self, name: &str) -> Result<&Arc<Game>, Box<Problem>> {
        let served = self.served(name)?;
        if served.is_family() {
            let message = format!("`{name}` is a family, which has no fixed rules");
            let problem = Problem::new(NameError::UnknownName, Path::default(), message).value(name);
            return Err(Box::new(problem.expected(format!("a member, such as `{}`", served.game.spec().name()))));
        }
        Ok(&served.game)
    }

    /// All games, in the given order. A family is represented by its first member.
    pub fn all(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().map(|served| &*served.game)
    }

    /// All names, in the given order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.games.iter().map(|served| served.name.as_str())
    }

    /// The names of games with fixed rules, in the given order. A family is represented by its first member.
    pub(crate) fn fixed(&self) -> impl Iterator<Item = &str> {
        self.games.iter().map(|served| if served.is_family() { served.game.spec().name() } else { &served.name })
    }
}
