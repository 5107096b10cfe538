//! Which checks of a card hold for the days that were played.

use farm_core::Environment;
use farm_core::rules::Formula;
use serde::{Deserialize, Serialize};

use super::format::On;
use super::reading::Lesson;
use crate::playground::{Choice, PlaygroundError, Steps};

/// A request to check a card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    pub(crate) lesson: String,
    card: usize,
    pub(crate) game: Choice,
    #[serde(default)]
    pub(crate) seed: u64,
    /// All actions of the season.
    pub(crate) actions: Vec<String>,
    /// The number of actions before the card.
    #[serde(default)]
    from: usize,
}

/// Whether a check holds, and since which day.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Checked {
    holds: bool,
    day: Option<usize>,
}

/// Checks a card.
///
/// # Errors
/// The lesson has no such card, the season is another one, or an action can't be read.
pub(crate) fn checked(
    lesson: &Lesson,
    request: &CheckRequest,
    mut steps: Steps,
) -> Result<Vec<Checked>, PlaygroundError> {
    let wrong = |message: &str| PlaygroundError::Request(message.to_owned());
    let (Some(formulas), Some(season)) = (lesson.checks.get(request.card), lesson.season(request.card)) else {
        return Err(wrong(&format!("the lesson has {} cards, numbered from 0", lesson.checks.len())));
    };
    if *season != request.game {
        return Err(wrong("the game is not that of the card"));
    }
    let mut found: Vec<Found> = formulas.iter().map(|_| Found::default()).collect();
    let mut note = |environment: &Environment, day: usize| {
        if day >= request.from {
            found.iter_mut().zip(formulas).for_each(|(found, formula)| found.note(holds(formula, environment), day));
        }
    };
    note(steps.environment(), 0);
    for day in 1..=request.actions.len() {
        if !steps.take(&request.actions[day - 1], day)? {
            break;
        }
        note(steps.environment(), day);
    }
    let checks = &lesson.file.cards[request.card].checks;
    Ok(found.iter().zip(checks).map(|(found, check)| found.checked(check.on)).collect())
}

fn holds(formula: &Formula, environment: &Environment) -> bool {
    let game = environment.game();
    let most = game.rules().max_steps.unwrap_or(u32::MAX);
    formula.holds(&game.reader(environment.state()), most, None).is_some()
}

/// The days on which a condition held.
#[derive(Debug, Default)]
struct Found {
    first: Option<usize>,
    has_failed: bool,
    now: bool,
    day: usize,
}

impl Found {
    fn note(&mut self, holds: bool, day: usize) {
        if holds {
            self.first.get_or_insert(day);
        }
        self.has_failed |= !holds;
        (self.now, self.day) = (holds, day);
    }

    fn checked(&self, on: On) -> Checked {
        match on {
            On::Any => Checked { holds: self.first.is_some(), day: self.first },
            On::All => Checked { holds: !self.has_failed, day: None },
            On::Now => Checked { holds: self.now, day: Some(self.day).filter(|_| self.now) },
        }
    }
}
