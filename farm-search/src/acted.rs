//! The days on which the rules of a policy act.

use farm_core::Game;
use farm_core::action::{Argument, Call};
use farm_core::serde_yaml::Value;
use farm_games::policies::policy_from_value;

use crate::books::Sums;
use crate::probes::Probe;
use crate::rule_lists::{acts_of, asked, visit_rules};
use crate::senses::{is_calendar, is_forecast, is_step};
use crate::sights::Values;
use crate::vocabulary::Vocabulary;
use crate::{Arena, Candidate, SearchError};

/// Number of episodes in which a policy is watched.
const EPISODES: u64 = 16;
/// Maximum number of steps watched in an episode.
const MAX_STEPS: usize = 20_000;
/// Maximum number of free variables that are summed.
const MAX_SUMMED: usize = 8;

/// A step and its day of the year.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Day {
    pub step: u32,
    pub of_year: f64,
}

/// A rule, and the plot on which it acts.
type Target = (usize, Option<[usize; 2]>);

/// A rule's actions on a plot in an episode.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Actions {
    pub episode: usize,
    pub days: Vec<Day>,
}

/// When the rules of a policy acted in a few episodes.
#[derive(Debug, Default)]
pub(crate) struct Acted {
    /// The actions of each rule.
    pub rules: Vec<Vec<Actions>>,
    /// The free variables that are summed.
    pub summed: Vec<Value>,
    /// Their sums in each episode.
    pub sums: Vec<Sums>,
}

impl Acted {
    /// Watches a policy. An action belongs to the first rule with this action whose days include the day.
    ///
    /// # Errors
    /// The policy does not fit the game, or the game fails in a step.
    pub(crate) fn watch(
        arena: Arena<'_>,
        vocabulary: &Vocabulary,
        policy: &Value,
        seed: u64,
    ) -> Result<Self, SearchError> {
        let game = arena.game();
        let mut rules = Vec::new();
        visit_rules(&mut policy.clone(), &mut |_, list| rules.append(list));
        let references = game.observation().entries().iter().filter_map(|entry| entry.reference());
        let probes: Vec<Probe> = references.flat_map(|reference| Probe::of(game, reference)).collect();
        let is_summed = |probe: &&Probe| {
            let is_it = |sight: &crate::Sight| {
                let is_number = matches!(sight.values, Values::Numbers { .. });
                sight.variable == probe.variable && is_number && sight.is_free && !sight.is_per_plot
            };
            vocabulary.sights.iter().any(is_it) && !is_calendar(&probe.variable) && !is_forecast(&probe.variable)
        };
        let summed: Vec<&Probe> = probes.iter().filter(is_summed).take(MAX_SUMMED).collect();
        let calendar = probes.iter().find(|probe| is_calendar(&probe.variable));
        let variables = summed.iter().map(|probe| probe.variable.clone()).collect();
        let mut acted = Self { rules: vec![Vec::new(); rules.len()], summed: variables, sums: Vec::new() };
        for episode in 0..EPISODES as usize {
            let (calls, sums) = season(game, policy, seed + episode as u64, calendar, &summed)?;
            acted.sums.push(sums);
            let mut found: Vec<(Target, Vec<Day>)> = Vec::new();
            for (day, call) in calls {
                let by = |rule: &Value| is_by(game, rule, &call) && may_be_on(rule, day);
                let Some(rule) = rules.iter().position(by) else { continue };
                let plot = game.catalogue().arguments(&call).find_map(|(_, argument)| match argument {
                    Argument::Plot(plot) => Some(plot),
                    _ => None,
                });
                match found.iter_mut().find(|(key, _)| *key == (rule, plot)) {
                    Some((_, days)) => days.push(day),
                    None => found.push(((rule, plot), vec![day])),
                }
            }
            found.into_iter().for_each(|((rule, _), days)| acted.rules[rule].push(Actions { episode, days }));
        }
        Ok(acted)
    }
}

/// The calls of a policy in an episode, each with its day, and the sums of the variables.
fn season(
    game: &Game,
    policy: &Value,
    seed: u64,
    calendar: Option<&Probe>,
    summed: &[&Probe],
) -> Result<(Vec<(Day, Call)>, Sums), SearchError> {
    let mut player = policy_from_value(game, policy)?;
    let (mut state, mut record, mut schedule) = (game.new_state(), game.new_record(), Vec::new());
    let mut bytes = vec![0; game.observation().size()];
    let (mut calls, mut sums) = (Vec::new(), vec![vec![0.0; summed.len() + 1]]);
    let mut seen = Vec::new();
    game.reset(&mut state, seed, &mut record);
    player.start(seed);
    for _ in 0..MAX_STEPS {
        game.observe_into(&state, &mut bytes);
        let mut read = |probe: &Probe| {
            seen.clear();
            probe.read(game, &state, &bytes, &mut seen);
            seen.first().copied().unwrap_or_default()
        };
        let day = Day { step: state.step(), of_year: calendar.map_or(0.0, &mut read) };
        // As in a memory, the sums begin on the second day.
        if day.step as usize == sums.len() {
            let today = summed.iter().map(|probe| read(probe)).chain([1.0]);
            sums.push(today.zip(&sums[sums.len() - 1]).map(|(value, sum)| sum + value).collect());
        }
        schedule.clear();
        player.choose(game, &state, &mut schedule);
        calls.extend(schedule.iter().map(|call| (day, *call)));
        let stepped = game.step(&mut state, &schedule, &mut record);
        let failed = |error| SearchError::Step { error, seed, policy: Candidate::new(policy.clone(), "").to_yaml() };
        if stepped.map_err(failed)?.over() {
            break;
        }
    }
    Ok((calls, sums))
}

/// Whether a call is the action of a rule.
fn is_by(game: &Game, rule: &Value, call: &Call) -> bool {
    let base = &game.catalogue().base_actions()[call.base()];
    let (part, Some(info)) = (&game.parts()[base.part()], base.info(game.parts())) else { return false };
    acts_of(&mut rule.clone()).into_iter().any(|act| {
        let names = [("field", part.field().map_or("", |field| game.fields()[field].name())), ("entity", part.name())];
        let is = |(key, name): (&str, &str)| act.get(key).is_none_or(|value| value.as_str().is_none_or(|v| v == name));
        let is_given = |(name, argument): (&str, Argument<'_>)| {
            let written = act.get("parameters").and_then(|parameters| parameters.get(name));
            written.is_none_or(|written| match argument {
                Argument::Plot(_) => true,
                Argument::Real(value) => written.as_f64().is_none_or(|own| own == value),
                Argument::Word(word) => written.as_str().is_none_or(|own| own == word),
            })
        };
        act.get("action").and_then(Value::as_str) == Some(info.name())
            && names.into_iter().all(is)
            && game.catalogue().arguments(call).all(|(parameter, argument)| is_given((parameter.name(), argument)))
    })
}

/// Whether a rule's conditions on the calendar allow a day.
fn may_be_on(rule: &Value, day: Day) -> bool {
    let holds = |condition: &Value| {
        let Some(condition) = condition.as_mapping() else { return true };
        let variable = asked(condition).filter(|variable| is_calendar(variable));
        let (Some(variable), Some(limit)) = (variable, condition.get("ref_value").and_then(Value::as_f64)) else {
            return true;
        };
        let own = if is_step(variable) { f64::from(day.step) } else { day.of_year };
        match condition.get("operator").and_then(Value::as_str) {
            Some("<") => own < limit,
            Some("<=") => own <= limit,
            Some(">") => own > limit,
            Some(">=") => own >= limit,
            Some("==") => own == limit,
            _ => true,
        }
    };
    let clauses = rule.get("when").and_then(Value::as_sequence);
    clauses.is_none_or(|clauses| {
        clauses.is_empty() || clauses.iter().filter_map(Value::as_sequence).any(|clause| clause.iter().all(holds))
    })
}
