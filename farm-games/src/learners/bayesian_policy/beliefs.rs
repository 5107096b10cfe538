//! Beliefs about one kind of thing: the probability of each possible set of rules, and each thing's state under these rules.

use farm_core::Stream;
use farm_oracle::backwards_valley::{Effect, Untended};

use crate::families::KindHypothesis;

/// The factor for a hypothesis's weight after an unexpected reward, because another thing may explain the reward.
const UNLIKELY: f64 = 0.1;

/// The state of a thing under a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Life {
    pub stage: u8,
    pub waited: u32,
    /// Whether it has paid.
    pub has_paid: bool,
}

/// An observation of a known or a new thing: the word of its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// Its index among the known things of its kind; the next index for a new thing.
    pub thing: usize,
    /// Its word; none if it is gone.
    pub word: Option<u8>,
}

/// A hypothesis, and the states of things under it.
#[derive(Debug, Clone)]
struct Possible {
    rules: KindHypothesis,
    weight: f64,
    lives: Vec<Life>,
    /// Whether a thing of the kind reached its last stage in the last step.
    pays_now: bool,
}

/// All possible rules for a kind.
#[derive(Debug, Clone)]
pub(super) struct Beliefs {
    possible: Vec<Possible>,
    is_stood_on: bool,
    /// The index of the hypothesis that the policy plays by.
    played: usize,
}

impl KindHypothesis {
    fn last(&self) -> u8 {
        (self.ranks.len() - 1) as u8
    }

    fn led_to(&self, effect: Effect, stage: u8) -> u8 {
        match effect {
            Effect::First => 0,
            Effect::Down => stage.saturating_sub(1),
            Effect::Up => (stage + 1).min(self.last()),
            Effect::Last => self.last(),
        }
    }

    /// The state of a thing after a step, with or without a verb on it.
    fn live(&self, life: Life, verb: Option<usize>) -> Life {
        if let Some(effect) = verb.and_then(|verb| self.effects[verb]) {
            return Life { stage: self.led_to(effect, life.stage), waited: 0, ..life };
        }
        let to = match self.untended {
            Untended::Advances if life.stage < self.last() => life.stage + 1,
            Untended::Regresses if life.stage > 0 => life.stage - 1,
            _ => return life,
        };
        let waited = life.waited + 1;
        if waited >= self.every { Life { stage: to, waited: 0, ..life } } else { Life { waited, ..life } }
    }

    /// The state of a thing that is first seen after `step` steps. It assumes that the farmer has not touched the thing.
    fn found(&self, word: u8, step: u32, is_stood_on: bool) -> Life {
        let stage = self.ranks[usize::from(word)];
        let goes_on = match self.untended {
            Untended::Advances => stage < self.last(),
            Untended::Regresses => stage > 0,
            Untended::Stays => false,
        };
        let waited = if goes_on { step % self.every } else { 0 };
        // A new thing in the paying stage counts as paid if it may have reached this stage by itself.
        let has_paid = !is_stood_on && stage == self.last() && self.untended == Untended::Advances && step > 0;
        Life { stage, waited, has_paid }
    }
}

impl Beliefs {
    pub(super) fn new(rank: usize, is_stood_on: bool, stream: &mut Stream) -> Self {
        let possible = KindHypothesis::all(rank)
            .into_iter()
            .map(|rules| Possible { weight: rules.chance, rules, lives: Vec::new(), pays_now: false })
            .collect();
        let mut beliefs = Self { possible, is_stood_on, played: 0 };
        beliefs.draw(stream);
        beliefs
    }

    /// Starts another map with the same rules: forgets all things.
    pub(super) fn forget_things(&mut self) {
        self.possible.iter_mut().for_each(|possible| possible.lives.clear());
    }

    /// Draws a hypothesis to play by.
    pub(super) fn draw(&mut self, stream: &mut Stream) {
        let sum: f64 = self.possible.iter().map(|possible| possible.weight).sum();
        let mut left = stream.uniform() * sum;
        let chosen = self.possible.iter().position(|possible| {
            left -= possible.weight;
            left < 0.0
        });
        self.played = chosen.unwrap_or(0);
    }

    /// The hypothesis that the policy plays by, and the states of the things under it.
    pub(super) fn played(&self) -> (&KindHypothesis, &[Life]) {
        let Possible { rules, lives, .. } = &self.possible[self.played];
        (rules, lives)
    }

    /// Updates the hypotheses after a step. `used` is the thing and the verb in the step, and `seen` the new observation.
    ///
    /// Hypotheses that contradict the observation are removed. If all of them do, all stay, and each adopts the observed stages.
    pub(super) fn step(&mut self, used: Option<(usize, usize)>, seen: &[Seen], step: u32) {
        for possible in &mut self.possible {
            possible.pays_now = false;
            let last = possible.rules.last();
            for (thing, life) in possible.lives.iter_mut().enumerate() {
                let verb = used.filter(|(target, _)| *target == thing).map(|(_, verb)| verb);
                let after = possible.rules.live(*life, verb);
                let enters = after.stage == last && life.stage < last && !life.has_paid && !self.is_stood_on;
                possible.pays_now |= enters;
                *life = Life { has_paid: after.has_paid || enters, ..after };
            }
        }
        let fits = |possible: &Possible| {
            seen.iter().filter(|seen| seen.thing < possible.lives.len()).all(|seen| {
                let life = possible.lives[seen.thing];
                match seen.word {
                    Some(word) => possible.rules.ranks[usize::from(word)] == life.stage,
                    // The farmer took it, so it was in the paying stage.
                    None => life.stage == possible.rules.last(),
                }
            })
        };
        if self.possible.iter().any(fits) {
            self.possible.retain(fits);
        }
        for possible in &mut self.possible {
            for seen in seen {
                match (possible.lives.get_mut(seen.thing), seen.word) {
                    (None, Some(word)) => possible.lives.push(possible.rules.found(word, step, self.is_stood_on)),
                    (Some(life), Some(word)) if possible.rules.ranks[usize::from(word)] != life.stage => {
                        let found = possible.rules.found(word, step, self.is_stood_on);
                        *life = Life { has_paid: life.has_paid, ..found };
                    }
                    (Some(life), None) => life.has_paid = true,
                    _ => {}
                }
            }
        }
    }

    /// The farmer did not take the thing on its tile, so the thing is not in the paying stage.
    pub(super) fn not_taken(&mut self, thing: usize) {
        let fits =
            |possible: &Possible| possible.lives.get(thing).is_none_or(|life| life.stage < possible.rules.last());
        if self.possible.iter().any(fits) {
            self.possible.retain(fits);
        }
    }

    /// Updates the weights after a step. `was_paid` is true after a reward that no other event certainly explains.
    pub(super) fn paid(&mut self, was_paid: bool) {
        if self.is_stood_on {
            return;
        }
        for possible in &mut self.possible {
            possible.weight *= match (possible.pays_now, was_paid) {
                (true, true) | (false, false) => 1.0,
                // Something of another kind, or out of sight, may have paid.
                (false, true) => UNLIKELY,
                (true, false) => 0.0,
            };
        }
        let most = self.possible.iter().map(|possible| possible.weight).fold(0.0, f64::max);
        if most > 0.0 {
            self.possible.retain(|possible| possible.weight > 0.0);
            self.possible.iter_mut().for_each(|possible| possible.weight /= most);
        } else {
            // If no hypothesis explains the reward, all weights are reset to the prior.
            self.possible.iter_mut().for_each(|possible| possible.weight = possible.rules.chance);
        }
    }

    /// Keeps playing by the hypothesis `before`, or draws another one if it is ruled out.
    pub(super) fn keep_playing(&mut self, before: &KindHypothesis, stream: &mut Stream) {
        match self.possible.iter().position(|possible| possible.rules == *before) {
            Some(played) => self.played = played,
            None => self.draw(stream),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(beliefs: &Beliefs) -> f64 {
        beliefs.possible.iter().map(|possible| possible.weight).sum()
    }

    /// These villagers change only when insulted, which advances them one stage. Each step was checked by hand.
    #[test]
    fn what_is_seen_leaves_the_truth() {
        let mut stream = Stream::from_seed(5);
        let mut beliefs = Beliefs::new(2, false, &mut stream);
        let all = beliefs.possible.len();
        let see = |word: u8| [Seen { thing: 0, word: Some(word) }];
        beliefs.step(None, &see(0), 0);
        assert_eq!(beliefs.possible.len(), all, "a first sight tells nothing");
        // Left alone for four steps it stays as it is: it is in no stage in which it would go on.
        for step in 1..5 {
            beliefs.step(None, &see(0), step);
            beliefs.paid(false);
        }
        assert!(beliefs.possible.iter().all(|possible| {
            let stage = possible.lives[0].stage;
            match possible.rules.untended {
                Untended::Advances => stage == 2,
                Untended::Regresses => stage == 0 || possible.rules.every > 4,
                Untended::Stays => true,
            }
        }));
        // The second verb leads from word 0 to word 1 and then to word 2, which pays.
        beliefs.step(Some((0, 1)), &see(1), 5);
        beliefs.paid(false);
        beliefs.step(Some((0, 1)), &see(2), 6);
        beliefs.paid(true);
        let best = beliefs.possible.iter().max_by(|one, other| one.weight.total_cmp(&other.weight)).unwrap();
        assert_eq!(best.rules.effects[1], Some(Effect::Up));
        assert_eq!(best.rules.ranks, [0, 1, 2]);
        assert!(stage(&beliefs) > 0.0);
    }
}
