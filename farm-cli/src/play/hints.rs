//! What a policy of the game would do now.
//!
//! A policy may remember what it saw, so it is led along the moves that the player has made, as if it had watched.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent, Environment, Game, SeedSplit};

use super::app::App;
use super::session::Session;

/// A policy that can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Adviser {
    /// Its name in the game.
    pub name: String,
    /// Whether it looks at what no learner sees.
    pub knows_hidden: bool,
}

impl Adviser {
    /// The name, with a mark where it knows more than the learner.
    pub(super) fn title(&self) -> String {
        if self.knows_hidden { format!("{} (knows what is hidden)", self.name) } else { self.name.clone() }
    }
}

/// The policies of a game, those that do more than wait or guess first: they stand last in a game.
pub(super) fn advisers(game: &Game) -> Vec<Adviser> {
    let all = game
        .spec()
        .policies()
        .iter()
        .map(|(name, policy)| Adviser { name: name.clone(), knows_hidden: policy.knows_hidden(game) });
    let mut all: Vec<Adviser> = all.collect();
    all.reverse();
    // Whoever plays for himself gets no hint of what he can't see unless he asks for it.
    all.sort_by_key(|adviser| adviser.knows_hidden);
    all
}

/// Asks a policy.
pub(super) struct Hints {
    /// Whom.
    pub adviser: Adviser,
    player: Box<dyn Agent>,
    environment: Environment,
    /// The moves that the policy has seen.
    seen: Vec<usize>,
    /// What it would do at the last of them.
    advice: Vec<Call>,
}

impl Hints {
    /// The hints of a policy.
    ///
    /// # Errors
    /// When the policy does not fit the game.
    pub(super) fn of(session: &Session, adviser: Adviser) -> Result<Self, Problems> {
        let game = session.game();
        let player = farm_games::policy(game, &adviser.name)?;
        let environment = Environment::new(game.clone());
        Ok(Self { adviser, player, environment, seen: Vec::new(), advice: Vec::new() })
    }

    /// What it would do where the player is; none at the end.
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

impl App<'_> {
    pub(super) fn toggle_hints(&mut self) {
        if self.hints.take().is_some() {
            self.advice = None;
        } else if let Some(adviser) = self.advisers.first().cloned() {
            self.ask(adviser);
        } else {
            self.say("this game names no policy");
        }
    }

    pub(super) fn ask(&mut self, adviser: Adviser) {
        match Hints::of(&self.session, adviser) {
            Ok(hints) => {
                self.hints = Some(hints);
                self.consult();
            }
            Err(problems) => {
                let text = problems.to_string().lines().next().unwrap_or_default().to_owned();
                self.complain(text);
            }
        }
    }

    pub(super) fn consult(&mut self) {
        self.advice = self.hints.as_mut().and_then(|hints| hints.advice(&self.session).map(<[Call]>::to_vec));
    }

    pub(super) fn take_advice(&mut self) {
        match self.advice.clone() {
            Some(advice) if self.is_direct() => self.take(&advice),
            Some(_) if self.is_advice_planned() => self.next_step(),
            Some(advice) => self.schedule = advice,
            None => self.say("h asks a policy what it would do, y then does it"),
        }
    }

    /// Whether what is planned is what the policy would do, in whatever order.
    pub(super) fn is_advice_planned(&self) -> bool {
        let has_all = |of: &[Call], these: &[Call]| these.iter().all(|call| of.contains(call));
        let is_planned = |advice: &Vec<Call>| has_all(&self.schedule, advice) && has_all(advice, &self.schedule);
        !self.is_direct() && self.advice.as_ref().is_some_and(is_planned)
    }
}
