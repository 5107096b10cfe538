//! Candidates: policies generated from a game's vocabulary.

use farm_core::serde_yaml::{self, Value};
use farm_core::{Purpose, Stream, hash_name};

use crate::Arena;
use crate::probes::{number_value, of_number, of_words, rounded};
use crate::sights::{Sight, Values};
use crate::vocabulary::{Doing, Vocabulary};

/// Periods in days between two actions by a rule.
const PERIODS: [u32; 12] = [1, 1, 1, 1, 2, 3, 5, 7, 10, 14, 21, 30];
/// Periods in days between two actions by a rule without observations.
const SCHEDULED: [u32; 9] = [1, 2, 3, 5, 7, 10, 14, 21, 30];
/// Maximum number of rules in a random policy.
const MAX_RANDOM_RULES: u32 = 6;
/// Maximum number of attempts to generate a policy that fits the game.
pub(crate) const ATTEMPTS: usize = 20;

const WRITE: Purpose = Purpose::named("candidate");
const CHOOSE: Purpose = Purpose::named("way");

/// A policy and its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The policy.
    pub policy: Value,
    /// Its origin, such as `expert, rule 3 dropped`.
    pub how: String,
}

impl Candidate {
    /// A candidate.
    pub fn new(policy: Value, how: impl Into<String>) -> Self {
        Self { policy, how: how.into() }
    }

    /// The policy as YAML.
    pub fn to_yaml(&self) -> String {
        serde_yaml::to_string(&self.policy).unwrap_or_default()
    }
}

/// Generates candidates for a game. A candidate's index determines all its random numbers.
#[derive(Debug, Clone, Copy)]
pub struct Generator<'v> {
    arena: Arena<'v>,
    vocabulary: &'v Vocabulary,
    seed: u64,
}

impl<'v> Generator<'v> {
    /// A generator of policies that fit the arena's game.
    pub fn new(arena: Arena<'v>, vocabulary: &'v Vocabulary, seed: u64) -> Self {
        Self { arena, vocabulary, seed }
    }

    /// The observations and actions that policies can use in the game.
    pub fn vocabulary(&self) -> &'v Vocabulary {
        self.vocabulary
    }

    /// Whether a policy fits the game, and reads no more than the vocabulary allows.
    pub fn fits(&self, policy: &Value) -> bool {
        self.vocabulary.senses.admit(policy) && self.arena.fits(policy)
    }

    /// The random choices of method and parents for the candidate with this index.
    pub(crate) fn choices(&self, number: u32) -> Draws<'v> {
        self.draws(number, CHOOSE)
    }

    fn draws(&self, number: u32, purpose: Purpose) -> Draws<'v> {
        let stream = Stream::keyed(self.seed, const { hash_name("farm-search") }, number, purpose);
        Draws { stream, vocabulary: self.vocabulary }
    }

    /// A candidate from `write` that fits the game; none if all attempts fail.
    pub(crate) fn fitting(
        &self,
        number: u32,
        mut write: impl FnMut(&mut Draws<'v>) -> Option<Candidate>,
    ) -> Option<Candidate> {
        let mut draws = self.draws(number, WRITE);
        (0..ATTEMPTS).find_map(|_| write(&mut draws).filter(|candidate| self.fits(&candidate.policy)))
    }

    /// Random rules, each with conditions at observed values, any action and any period.
    pub fn rules(&self, number: u32) -> Option<Candidate> {
        self.fitting(number, |draws| {
            let n = 1 + draws.stream.index(MAX_RANDOM_RULES);
            let rules = (0..n).map(|_| draws.rule()).collect::<Option<Vec<_>>>()?;
            Some(Candidate::new(self.vocabulary.policy(rules), "random rules"))
        })
    }

    /// Open-loop schedules: an action at a fixed period from one day on, possibly until another day.
    pub fn schedule(&self, number: u32) -> Option<Candidate> {
        self.fitting(number, |draws| {
            let n = 1 + draws.stream.index(MAX_RANDOM_RULES);
            let rules = (0..n).map(|_| draws.scheduled()).collect::<Option<Vec<_>>>()?;
            Some(Candidate::new(self.vocabulary.policy(rules), "open-loop schedule"))
        })
    }
}

/// A candidate's random stream and vocabulary.
pub(crate) struct Draws<'v> {
    pub stream: Stream,
    pub vocabulary: &'v Vocabulary,
}

impl<'v> Draws<'v> {
    /// A random element; none if the list is empty.
    pub(crate) fn one<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
        of.get(self.stream.index(of.len() as u32) as usize)
    }

    pub(crate) fn chance(&mut self, p: f64) -> bool {
        self.stream.bernoulli(p)
    }

    /// A rule with up to three conditions.
    pub(crate) fn rule(&mut self) -> Option<Value> {
        let vocabulary = self.vocabulary;
        let doing = self.one(&vocabulary.doings)?;
        let clauses = if self.chance(0.15) { 2 } else { 1 };
        let when: Vec<Vec<Value>> = (0..clauses)
            .map(|_| (0..self.stream.index(4)).filter_map(|_| self.condition(doing)).collect::<Vec<Value>>())
            .filter(|clause: &Vec<Value>| !clause.is_empty())
            .collect();
        let period = *self.one(&PERIODS)?;
        let mut rule = self.doing(doing, when, period);
        if vocabulary.on_foot.is_none()
            && self.chance(0.1)
            && let Some(rule) = rule.as_mapping_mut()
        {
            rule.insert("once".into(), true.into());
        }
        Some(rule)
    }

    /// A rule that observes only the number of steps.
    fn scheduled(&mut self) -> Option<Value> {
        let vocabulary = self.vocabulary;
        let doing = self.one(&vocabulary.doings)?;
        let steps = vocabulary.sights.iter().find(|sight| sight.part.is_none());
        let mut when = Vec::new();
        if let Some(sight) = steps {
            let at = [self.number(sight), self.number(sight)];
            let (first, last) = (at[0].min(at[1]), at[0].max(at[1]));
            if self.chance(0.8) {
                when.push(of_number(&sight.variable, false, ">=", written(first, true)));
            }
            if self.chance(0.4) {
                when.push(of_number(&sight.variable, false, "<=", written(last, true)));
            }
        }
        let period = *self.one(&SCHEDULED)?;
        Some(self.doing(doing, if when.is_empty() { Vec::new() } else { vec![when] }, period))
    }

    /// A rule with random values for its action's parameters.
    pub(crate) fn doing(&mut self, doing: &Doing, when: Vec<Vec<Value>>, period: u32) -> Value {
        let stream = &mut self.stream;
        self.vocabulary.rule(doing, when, period, &mut |n| stream.index(n as u32) as usize)
    }

    /// A condition for a rule with an action. With probability 0.5 it is on the action's part, otherwise on any part.
    pub(crate) fn condition(&mut self, doing: &Doing) -> Option<Value> {
        let vocabulary = self.vocabulary;
        let own: Vec<&Sight> = vocabulary.sights.iter().filter(|sight| sight.part == Some(doing.part)).collect();
        let sight = if !own.is_empty() && self.chance(0.5) { *self.one(&own)? } else { self.one(&vocabulary.sights)? };
        let at_plot = doing.is_per_plot || vocabulary.on_foot.is_some();
        Some(self.condition_on(sight, at_plot))
    }

    /// A condition on a variable, at an observed value.
    pub(crate) fn condition_on(&mut self, sight: &Sight, at_plot: bool) -> Value {
        let is_of_several = sight.is_per_plot && !at_plot;
        match &sight.values {
            Values::Numbers { is_whole, .. } => {
                let operator = if self.chance(0.5) { "<" } else { ">=" };
                let value = written(self.number(sight), *is_whole);
                of_number(&sight.variable, is_of_several, operator, value)
            }
            Values::Words(words) => {
                let mut chosen: Vec<Value> = words.iter().filter(|_| self.chance(0.3)).cloned().collect();
                if chosen.is_empty() || chosen.len() == words.len() {
                    chosen = self.one(words).cloned().into_iter().collect();
                }
                of_words(&sight.variable, is_of_several, chosen)
            }
        }
    }

    /// A value between two neighbouring quantiles of the observed values.
    pub(crate) fn number(&mut self, sight: &Sight) -> f64 {
        let Values::Numbers { quantiles, .. } = &sight.values else { return 0.0 };
        let i = self.stream.index(quantiles.len() as u32) as usize;
        let next = quantiles.get(i + 1).copied().unwrap_or(quantiles[i]);
        quantiles[i] + (next - quantiles[i]) * self.stream.uniform()
    }
}

/// A number as policies write it: an integer, or a number with three significant digits.
pub(crate) fn written(value: f64, is_whole: bool) -> Value {
    number_value(rounded(value, is_whole))
}
