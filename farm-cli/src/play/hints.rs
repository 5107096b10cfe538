//! Hints: the actions that one of the game's policies would choose now.
//!
//! A policy may remember earlier observations, so it follows all the player's moves.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::labels::Labels;
use farm_core::{Agent, Environment, Game, SeedSplit};

use super::session::Session;

/// A policy that can give hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Adviser {
    /// Its name in the game.
    pub name: String,
    /// Whether it reads hidden variables.
    pub knows_hidden: bool,
}

impl Adviser {
    /// The name, marked if the policy reads hidden variables.
    pub(super) fn title(&self, labels: &Labels) -> String {
        let note = labels.words("sees hidden variables");
        if self.knows_hidden { format!("{} ({note})", self.name) } else { self.name.clone() }
    }
}

/// A game's policies. Those that only wait or guess come last, as in the game file.
pub(super) fn advisers(game: &Game) -> Vec<Adviser> {
    let all = game
        .spec()
        .policies()
        .iter()
        .map(|(name, policy)| Adviser { name: name.clone(), knows_hidden: policy.knows_hidden(game) });
    let mut all: Vec<Adviser> = all.collect();
    all.reverse();
    // A player gets no hints based on hidden variables without asking for them.
    all.sort_by_key(|adviser| adviser.knows_hidden);
    all
}

/// A policy that gives hints.
pub(super) struct Hints {
    /// The policy's name and whether it reads hidden variables.
    pub adviser: Adviser,
    player: Box<dyn Agent>,
    environment: Environment,
    /// The moves that the policy has followed.
    seen: Vec<usize>,
    /// Its advice after the last of these moves.
    advice: Vec<Call>,
}

impl Hints {
    /// The hints from a policy.
    ///
    /// # Errors
    /// Fails if the policy does not fit the game.
    pub(super) fn of(session: &Session, adviser: Adviser) -> Result<Self, Problems> {
        let game = session.game();
        let player = farm_games::policy(game, &adviser.name)?;
        let environment = Environment::new(game.clone());
        Ok(Self { adviser, player, environment, seen: Vec::new(), advice: Vec::new() })
    }

    /// The policy's advice after the player's move. `None` at the end.
    pub(super) fn advice(&mut self, session: &Session) -> Option<&[Call]> {
        let path = session.path_to(session.current());
        if session.is_over() {
            return None;
        }
        if !path.starts_with(&self.seen) || self.seen.is_empty() {
            self.seen.clear();
            self.environment.name_split(SeedSplit::of(session.seed()));
            self.environment.reset(session.seed());
            self.player.start(session.seed());
        }
        for at in path.iter().skip(self.seen.len()) {
            if !self.seen.is_empty() {
                self.environment.step(&session.nodes()[*at].schedule).ok()?;
            }
            self.advice.clear();
            self.player.choose(session.game(), self.environment.state(), &mut self.advice);
            self.seen.push(*at);
        }
        Some(&self.advice)
    }
}
