//! The cross-entropy method over lists of moves (Rubinstein 1999; open-loop planning as in Chua et al. 2018).
//!
//! Each step of a plan has a distribution: the probability of asking the base policy, and the probabilities of the actions in the schedule.
//! Initially most places are empty, all kinds of actions are equally likely, and all actions within a kind are equally likely. Each round
//! moves the distribution towards the best plans.

use farm_core::Stream;

use super::trials::{Trial, Trials};
use super::{Foresight, Move, Plan, Situation};
use crate::SearchError;

/// Number of rounds.
const ROUNDS: usize = 3;
/// Initial probability of asking the base policy.
const ASKED: f64 = 0.7;
/// Initial probability that a place of the schedule is used.
const USED: f64 = 0.25;
/// Learning rate of the distribution.
const RATE: f64 = 0.7;
/// Share of the plans that count as best.
const ELITE: f64 = 0.2;
/// Maximum number of the plan's own actions in a schedule.
const MAX_OWN: usize = 4;

/// A plan's score. A plan ranks higher if it breaks a limit in fewer futures. If these numbers are equal, the higher return ranks higher.
struct Score {
    broken: usize,
    mean: f64,
}

/// The distribution of a move.
struct MoveLaw {
    asked: f64,
    used: f64,
    /// The weight of each action.
    weights: Vec<f64>,
}

impl MoveLaw {
    fn draw(&self, places: usize, allowed: Option<&[u8]>, stream: &mut Stream) -> Move {
        let is_base_asked = stream.bernoulli(self.asked);
        let mut actions = Vec::new();
        for _ in 0..places {
            if !stream.bernoulli(self.used) {
                break;
            }
            let id = draw(&self.weights, stream);
            if allowed.is_none_or(|mask| mask.get(id) == Some(&1)) && !actions.contains(&id) {
                actions.push(id);
            }
        }
        Move { actions, is_base_asked }
    }

    /// Moves towards the best plans' moves in this step.
    fn learn(&mut self, elite: &[&Move]) {
        let n = elite.len().max(1) as f64;
        let towards = |old: f64, share: f64| (1.0 - RATE) * old + RATE * share;
        let asked = elite.iter().filter(|best| best.is_base_asked).count() as f64;
        let own: Vec<usize> = elite.iter().flat_map(|best| best.actions.iter().copied()).collect();
        let with_own = elite.iter().filter(|best| !best.actions.is_empty()).count() as f64;
        // No probability becomes 0 or 1, so the distribution can still change.
        self.asked = towards(self.asked, asked / n).clamp(0.05, 0.95);
        self.used = towards(self.used, with_own / n).clamp(0.02, 0.95);
        if own.is_empty() {
            return;
        }
        let total = farm_core::math::sum(self.weights.iter().copied());
        self.weights.iter_mut().for_each(|weight| *weight *= (1.0 - RATE) / total);
        for id in &own {
            self.weights[*id] += RATE / own.len() as f64;
        }
    }
}

/// A random index, with probabilities proportional to weights.
fn draw(weights: &[f64], stream: &mut Stream) -> usize {
    let mut left = stream.uniform() * farm_core::math::sum(weights.iter().copied());
    let found = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    found.unwrap_or(weights.len().saturating_sub(1))
}

/// Weights that make all kinds of actions, and all actions within a kind, equally likely. Waiting has weight 0: it is an empty schedule.
pub(super) fn by_kind(trials: &Trials<'_>) -> Vec<f64> {
    let catalogue = trials.game().catalogue();
    let kind_of = |id: usize| match catalogue.discrete(id) {
        Some([call]) if catalogue.discrete(id) != Some(catalogue.waiting()) => Some(call.base()),
        _ => None,
    };
    let kinds: Vec<Option<usize>> = (0..catalogue.discrete_len()).map(kind_of).collect();
    let mut counts = vec![0_u32; catalogue.base_actions().len()];
    kinds.iter().flatten().for_each(|kind| counts[*kind] += 1);
    kinds.into_iter().map(|kind| kind.map_or(0.0, |kind| 1.0 / f64::from(counts[kind]))).collect()
}

/// The best plans from a decision's trials, in descending order.
pub(super) fn search(
    trials: &mut Trials<'_>,
    situation: Situation<'_>,
    stream: &mut Stream,
) -> Result<Vec<Plan>, SearchError> {
    let Situation { base, state, begun, budget, depth } = situation;
    let game = trials.game();
    let places = game.catalogue().max_schedule().clamp(1, MAX_OWN);
    let futures = if trials.foresight() == Foresight::Known { 1 } else { 2 };
    let size = (budget / ROUNDS / futures).max(2);
    let weights = by_kind(trials);
    if weights.iter().all(|weight| *weight == 0.0) {
        return Ok(Vec::new());
    }
    let mut mask = vec![0; game.catalogue().discrete_len()];
    game.action_mask(state, &mut mask);
    let mut laws: Vec<MoveLaw> =
        (0..depth).map(|_| MoveLaw { asked: ASKED, used: USED, weights: weights.clone() }).collect();
    let mut best: Vec<(Score, Plan)> = Vec::new();
    for round in 0..ROUNDS {
        let mut plans: Vec<Plan> = Vec::with_capacity(size);
        if round == 0 {
            plans.extend([vec![Move::wait()], vec![Move::wait(); depth]]);
            plans.extend(Some(begun.to_vec()).filter(|plan| !plan.is_empty()));
            plans.truncate(size);
        } else {
            // The best plans play again with other futures, which removes luck.
            plans.extend(best.iter().take(size / 4).map(|(_, plan)| plan.clone()));
        }
        while plans.len() < size {
            let own = |(step, law): (usize, &MoveLaw)| {
                let allowed = (step == 0).then_some(mask.as_slice());
                law.draw(places, allowed, stream)
            };
            plans.push(laws.iter().enumerate().map(own).collect());
        }
        let played = trials.play(base, state, &plans, futures)?;
        let score = |played: &Vec<Trial>| Score {
            broken: played.iter().filter(|trial| trial.breaks_limit).count(),
            mean: farm_core::math::sum(played.iter().map(|trial| trial.total)) / futures as f64,
        };
        let mut scored: Vec<(Score, Plan)> = played.iter().map(score).zip(plans).collect();
        scored.sort_by(|(a, _), (b, _)| a.broken.cmp(&b.broken).then(b.mean.total_cmp(&a.mean)));
        let elite = ((size as f64 * ELITE) as usize).max(2).min(scored.len());
        let base_move = Move::base();
        for (step, law) in laws.iter_mut().enumerate() {
            let moves: Vec<&Move> =
                scored[..elite].iter().map(|(_, plan)| plan.get(step).unwrap_or(&base_move)).collect();
            law.learn(&moves);
        }
        best = scored;
    }
    Ok(best.into_iter().map(|(_, plan)| plan).collect())
}
