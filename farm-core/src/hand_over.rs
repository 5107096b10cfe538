//! The hand-over curve: what an agent still earns if it takes over a player's episode after each step.
//!
//! The curve falls where the player lost money. It needs no model of causes: it plays the episode to its end from each of the player's
//! states. It also rises, where the player was luckier than the agent would have been, so its falls do not add up to the total loss.

use crate::action::Call;
use crate::game::Game;
use crate::part::Agent;
use crate::seeds::SeedSplit;
use crate::state::State;
use crate::step::StepError;

/// The number of steps without a fall that still belong to one loss.
const MAX_GAP: usize = 3;
/// Falls up to this amount are rounding errors.
const LEAST_FALL: f64 = 0.005;

/// What is still possible after each of a player's steps.
#[derive(Debug, Clone, Default, PartialEq, farm_macros::Getters)]
pub struct HandOver {
    /// The return of the whole episode if the agent takes over after this number of the player's steps, from 0 on. The last value is the
    /// player's own return if the episode is over.
    pub(crate) returns: Vec<f64>,
}

/// A time in which the curve falls.
#[derive(Debug, Clone, Copy, PartialEq, farm_macros::Getters)]
pub struct Loss {
    /// The number of steps before the first fall. Playing again from here avoids the loss.
    pub(crate) from: usize,
    /// The number of steps after the last fall.
    pub(crate) to: usize,
    /// The loss, a positive amount of reward.
    pub(crate) amount: f64,
}

/// Computes the hand-over curve of a player's schedules, one per step. `agent` makes the agent that takes over; it follows the player's
/// steps, so it remembers what it would have seen. `goes_on` is asked before each value: if it returns false, the result is `None`.
///
/// # Errors
/// The seed or a step is rejected. Schedules after the end of the episode are ignored.
pub fn hand_over(
    game: &Game,
    agent: &dyn Fn() -> Box<dyn Agent>,
    seed: u64,
    schedules: &[Vec<Call>],
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<HandOver>, StepError> {
    SeedSplit::check(SeedSplit::of(seed), seed)?;
    let mut record = game.new_record();
    let mut state = game.new_state();
    game.reset(&mut state, seed, &mut record);
    let mut follower = agent();
    follower.start(seed);
    // The states that the agent has followed, for agents that can't be copied.
    let mut followed: Vec<State> = Vec::new();
    let (mut earned, mut advice) = (0.0, Vec::new());
    let mut returns = Vec::new();
    for step in 0..=schedules.len() {
        if !goes_on() {
            return Ok(None);
        }
        if state.over() {
            returns.push(earned);
            break;
        }
        let copy = follower.fork();
        let is_copied = copy.is_some();
        let mut heir = copy.unwrap_or_else(|| {
            let mut heir = agent();
            heir.start(seed);
            followed.iter().for_each(|state| choose(heir.as_mut(), game, state, &mut advice));
            heir
        });
        let mut end = state.clone();
        let mut total = earned;
        while !end.over() {
            choose(heir.as_mut(), game, &end, &mut advice);
            total += game.step(&mut end, &advice, &mut record)?.reward;
        }
        returns.push(total);
        let Some(schedule) = schedules.get(step) else { break };
        choose(follower.as_mut(), game, &state, &mut advice);
        if !is_copied {
            followed.push(state.clone());
        }
        earned += game.step(&mut state, schedule, &mut record)?.reward;
    }
    Ok(Some(HandOver { returns }))
}

fn choose(agent: &mut dyn Agent, game: &Game, state: &State, schedule: &mut Vec<Call>) {
    schedule.clear();
    agent.choose(game, state, schedule);
}

impl HandOver {
    /// The times in which the curve falls, in order. Falls with up to three steps between them are one loss, unless the curve is higher
    /// after them than before.
    pub fn losses(&self) -> Vec<Loss> {
        let falls = self.returns.windows(2).enumerate().filter(|(_, pair)| pair[0] - pair[1] > LEAST_FALL);
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for (step, _) in falls {
            match spans.last_mut().filter(|(_, to)| step - *to <= MAX_GAP) {
                Some((_, to)) => *to = step + 1,
                None => spans.push((step, step + 1)),
            }
        }
        let loss = |(from, to): (usize, usize)| Loss { from, to, amount: self.returns[from] - self.returns[to] };
        spans.into_iter().map(loss).filter(|loss| loss.amount > LEAST_FALL).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_falls_are_one_loss_and_rises_are_none() {
        // Falls at steps 1 and 2, a gap of 3 steps, a fall at 6; a gap of 4 steps, and a fall at 11.
        let returns = vec![100.0, 100.0, 90.0, 85.0, 85.0, 86.0, 86.0, 80.0, 80.0, 80.0, 80.0, 80.0, 30.0, 45.0];
        let losses = HandOver { returns }.losses();
        assert_eq!(losses, [Loss { from: 1, to: 7, amount: 20.0 }, Loss { from: 11, to: 12, amount: 50.0 }]);
        assert!(HandOver { returns: vec![5.0, 5.0, 9.0] }.losses().is_empty());
        assert!(HandOver { returns: vec![5.0, 4.0, 9.0, 8.0] }.losses().is_empty(), "more than before is no loss");
        assert!(HandOver::default().losses().is_empty());
    }
}
