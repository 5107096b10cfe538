//! The ends of episodes, as far as planners support them.
//!
//! Planners support stopping clauses whose conditions all depend on the number of steps: such a clause shortens the episode. A clause that
//! cannot be met before the last step has no effect. All other clauses are rejected.

use farm_core::Game;
use farm_core::config::{Path, Problem};
use farm_core::declare::Quantity;
use farm_core::rules::Condition;

use crate::parameters::unmodelled;

/// The last possible step of an episode, according to the rules' limit and the stopping conditions on steps alone; none if there is
/// no limit.
pub(crate) fn last_step(game: &Game) -> Option<u32> {
    let of_steps = game.rules().stopping.0.iter().filter(|clause| clause.iter().all(looks_at_steps));
    of_steps.filter_map(|clause| first_step(clause, game)).chain(game.rules().max_steps).min()
}

/// Rejects every clause that may end an episode for a reason other than the number of steps.
///
/// `range` returns the lowest and the highest possible value of a condition's variable, if they are tighter than its declaration.
pub(crate) fn reject_other_stops(game: &Game, range: impl Fn(&Condition) -> Option<(f64, f64)>) -> Vec<Problem> {
    let end = last_step(game).unwrap_or(u32::MAX);
    let clauses = game.rules().stopping.0.iter().enumerate();
    let may_be_met = clauses.filter_map(|(i, clause)| {
        let before_the_end = first_step(clause, game).is_some_and(|step| step < end);
        let (j, found) = clause.iter().enumerate().find(|(_, condition)| !looks_at_steps(condition))?;
        let range = |condition: &Condition| range(condition).or_else(|| declared_range(condition, game));
        let is_idle = clause.iter().any(|c| !looks_at_steps(c) && range(c).is_some_and(|range| never_holds(c, range)));
        (before_the_end && !is_idle).then(|| {
            let rules = Path::default().child("rules").child(game.spec().rules().typetag_name());
            let place = rules.child("stopping_conditions").child(i).child(j);
            let reason = "the planner does not know when this stopping condition is met";
            *unmodelled(
                place,
                found.in_words(found.variable().name()),
                reason,
                "only conditions on `step` and `remaining`, or conditions that are never met",
            )
        })
    });
    may_be_met.collect()
}

fn looks_at_steps(condition: &Condition) -> bool {
    matches!(condition.variable().quantity(), Quantity::Step | Quantity::Remaining)
}

/// The first step at whose end all conditions of a clause on the steps hold.
fn first_step(clause: &[Condition], game: &Game) -> Option<u32> {
    let limit = game.rules().max_steps.unwrap_or(u32::MAX);
    let seen = |condition: &Condition, step: u32| match condition.variable().quantity() {
        Quantity::Remaining => f64::from(limit.saturating_sub(step)),
        _ => f64::from(step),
    };
    let of_steps = || clause.iter().filter(|condition| looks_at_steps(condition));
    // A comparison changes its result only next to its reference value.
    let changes = of_steps().flat_map(|condition| {
        let is_remaining = condition.variable().quantity() == Quantity::Remaining;
        condition.references().iter().flat_map(move |reference| {
            let at = if is_remaining { f64::from(limit) - reference } else { *reference };
            [at.floor() - 1.0, at.floor(), at.floor() + 1.0, at.floor() + 2.0]
        })
    });
    let steps = changes.chain([1.0]).filter(|step| *step >= 1.0 && *step <= f64::from(limit)).map(|step| step as u32);
    steps.filter(|step| of_steps().all(|c| c.holds_of(seen(c, *step)) == Some(true))).min()
}

/// The declared range of a condition's variable.
fn declared_range(condition: &Condition, game: &Game) -> Option<(f64, f64)> {
    match condition.variable().quantity() {
        Quantity::Variable(index) => {
            Some(game.parts().get(condition.variable().part())?.variables().get(index)?.kind().range())
        }
        _ => None,
    }
}

/// Whether no value in a closed range meets a condition.
fn never_holds(condition: &Condition, (low, high): (f64, f64)) -> bool {
    let beside = |value: f64| [value - 1.0, value - 0.5, value, value + 0.5, value + 1.0];
    let values = [low, high].into_iter().chain(condition.references().iter().copied()).flat_map(beside);
    let mut values = values.filter(|value| (low..=high).contains(value));
    values.all(|value| condition.holds_of(value) == Some(false))
}
