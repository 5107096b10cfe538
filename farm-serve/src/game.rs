//! A served game: a game with fixed rules, or a family that draws a game for each episode.

use std::sync::Arc;

use farm_core::Game;
use farm_core::config::{Problem, Problems};
use farm_core::inspect::RulesText;
use farm_games::{FamilyGame, FamilyScore, FamilyWorld, check_split};

use crate::episode::{Episode, Start};
use crate::fields::Invalid;

/// A served game. In a session, it is the game of the session's episode.
#[derive(Debug, Clone)]
pub(crate) struct Served {
    /// Its name on the server.
    pub(crate) name: String,
    /// The game; in a family, the member that is played, or the first one before an episode has started.
    pub(crate) game: Arc<Game>,
    family: Option<Family>,
}

/// A family that draws a game for each episode.
#[derive(Debug, Clone)]
struct Family {
    family: Arc<FamilyGame>,
    /// The world that is played, if an episode has started.
    world: Option<FamilyWorld>,
}

impl Served {
    /// A game with fixed rules.
    pub(crate) fn new(name: String, game: Arc<Game>) -> Self {
        Self { name, game, family: None }
    }

    /// A family.
    pub(crate) fn of_family(name: String, family: Arc<FamilyGame>) -> Self {
        Self { name, game: family.shape().clone(), family: Some(Family { family, world: None }) }
    }

    /// Whether each episode draws a game.
    pub(crate) fn is_family(&self) -> bool {
        self.family.is_some()
    }

    /// Prepares an episode, and returns its start. A family draws a member and a map.
    ///
    /// # Errors
    /// The seed belongs to another split than the game's rules, or no game could be drawn.
    pub(crate) fn prepare(&mut self, start: Start) -> Result<Start, Invalid> {
        let invalid =
            |problems: Problems| Invalid(problems.0.iter().map(Problem::sentence).collect::<Vec<_>>().join("; "));
        let Some(Family { family, world }) = &mut self.family else {
            check_split(&self.game, start.seed).map_err(invalid)?;
            return Ok(start);
        };
        let drawn = family.of_seed(start.seed).map_err(invalid)?;
        self.game = family.game(&drawn).map_err(invalid)?;
        *world = Some(drawn);
        let rules = if drawn.is_shown() { RulesText::Shown } else { start.rules };
        Ok(Start { seed: drawn.seed(), rules, ..start })
    }

    /// The world that is played in a family.
    pub(crate) fn world(&self) -> Option<FamilyWorld> {
        self.family.as_ref()?.world
    }

    /// The name of the game that is played, under which a record can be replayed.
    pub(crate) fn played(&self) -> &str {
        if self.is_family() { self.game.spec().name() } else { &self.name }
    }

    /// The score of an episode of a family; none for other games.
    ///
    /// # Errors
    /// A part fails.
    pub(crate) fn score(&self, episode: &Episode) -> Result<Option<FamilyScore>, Invalid> {
        let Some(Family { family, .. }) = &self.family else { return Ok(None) };
        let scored = family.score(&self.game, &[episode.start().seed], episode.total());
        scored.map(Some).map_err(|error| Invalid(format!("the episode can't be scored: {error}")))
    }
}
