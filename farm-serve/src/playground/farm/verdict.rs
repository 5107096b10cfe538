//! What a season earned and lost: the hand-over curve, its largest falls with their causes, and what other players earn in the same
//! weather.

use std::collections::BTreeMap;

use farm_core::action::Call;
use farm_core::{Agent, Environment, Game, HandOver, Loss, hand_over};
use serde::{Deserialize, Serialize};

use super::super::choice::{Choice, Compiled};
use super::super::errors::PlaygroundError;
use super::super::replay::{adviser, begun, most_days, read};
use super::bilingual::Words;
use super::model::Farm;
use super::sight::Sight;
use super::view::FieldView;

/// The policies that can take over: the first that a game has, and another if the first is weaker than the player.
const HEIRS: [&str; 2] = ["expert", "best_known"];
/// The policies that are compared with the player.
const OTHERS: [&str; 3] = ["expert", "best_known", "random"];
/// Smaller losses, as a share of the curve's largest value, are left out.
const LEAST_SHARE: f64 = 0.005;
/// The number of losses that are listed.
const MAX_LOSSES: usize = 4;
/// A loss that ends at most this number of days before a larger one has led to it.
const MAX_CHAIN_GAP: usize = 7;
/// A growth limit that no job changes.
const UNAVOIDABLE: &str = "temperature";

/// A request for what a season earned and lost.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerdictRequest {
    /// The game.
    pub(crate) game: Choice,
    /// The seed of the episode.
    #[serde(default)]
    pub(crate) seed: u64,
    /// All actions, one line per step.
    pub(crate) actions: Vec<String>,
}

/// Why money was lost.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
enum Cause {
    /// Ripe plots were not harvested.
    Ripe { plots: usize },
    /// Growth was limited by something.
    Limited { label: Words, plots: usize },
    /// The engine reports no cause: the other player would have acted differently.
    Choice,
}

/// A loss with its cause.
#[derive(Debug, Serialize)]
struct Lost {
    from: usize,
    to: usize,
    amount: f64,
    cause: Cause,
}

/// A policy's return in the same weather.
#[derive(Debug, Serialize)]
struct Other {
    policy: &'static str,
    #[serde(rename = "return")]
    total: f64,
}

/// What a season earned and lost.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    /// The policy that takes over; none if the game has none that fits.
    heir: Option<&'static str>,
    /// The return of the whole season if that policy takes over after each day.
    returns: Vec<f64>,
    /// The largest losses, largest first.
    losses: Vec<Lost>,
    /// The day from which playing again is most useful.
    play_again: Option<usize>,
    others: Vec<Other>,
}

/// Computes what a season earned and lost; none if `continues` returns false meanwhile.
///
/// # Errors
/// The game is not a farm, or an action can't be read.
pub(in crate::playground) fn verdict(
    compiled: &Compiled,
    request: &VerdictRequest,
    continues: &dyn Fn() -> bool,
) -> Result<Option<Verdict>, PlaygroundError> {
    let (game, farm) = (&compiled.game, compiled.farm()?);
    let most = most_days(game);
    if request.actions.len() > most {
        return Err(PlaygroundError::TooLong { given: request.actions.len(), most });
    }
    let unreadable = |(i, problem)| PlaygroundError::Unreadable { step: i + 1, problem };
    let schedules =
        request.actions.iter().enumerate().map(|(i, line)| read(game, line).map_err(|problem| (i, problem)));
    let schedules: Vec<Vec<Call>> = schedules.collect::<Result<_, _>>().map_err(unreadable)?;
    let mut others = Vec::new();
    for policy in OTHERS {
        others.extend(total(game, policy, request.seed, most).map(|total| Other { policy, total }));
        if !continues() {
            return Ok(None);
        }
    }
    others.sort_by(|a, b| b.total.total_cmp(&a.total));
    let mut found: Option<(&'static str, HandOver)> = None;
    // An agent finishes from each day, so the game has to end.
    let ends = game.most_steps().is_some_and(|steps| steps <= most as u64);
    for heir in HEIRS.into_iter().filter(|_| ends) {
        if adviser(game, heir, request.seed).is_err() {
            continue;
        }
        // This does not fail, because it did not fail before.
        let make = || adviser(game, heir, request.seed).unwrap_or_else(|_| Box::new(Idle) as Box<dyn Agent>);
        let curve = hand_over(game, &make, request.seed, &schedules, continues);
        let Some(curve) = curve.map_err(|error| PlaygroundError::Failed(error.to_string()))? else { return Ok(None) };
        let is_weak = curve.returns().iter().any(|value| *value > curve.returns()[0] + 0.005);
        if found.is_none() || !is_weak {
            found = Some((heir, curve));
        }
        if !is_weak {
            break;
        }
    }
    let Some((heir, curve)) = found else {
        return Ok(Some(Verdict { heir: None, returns: Vec::new(), losses: Vec::new(), play_again: None, others }));
    };
    let highest = curve.returns().iter().fold(0.0_f64, |highest, value| highest.max(value.abs()));
    let mut losses = curve.losses();
    losses.retain(|loss| loss.amount() >= LEAST_SHARE * highest);
    losses.sort_by(|a, b| b.amount().total_cmp(&a.amount()));
    losses.truncate(MAX_LOSSES);
    let play_again = first_of_chain(&losses.iter().map(|loss| (loss.from(), loss.to())).collect::<Vec<_>>());
    let causes = Causes::of(game, farm, request.seed, &schedules)?;
    let lost =
        |loss: &Loss| Lost { from: loss.from(), to: loss.to(), amount: loss.amount(), cause: causes.of_loss(loss) };
    let losses = losses.iter().map(lost).collect();
    Ok(Some(Verdict { heir: Some(heir), returns: curve.returns().to_vec(), losses, play_again, others }))
}

/// A policy's return in an episode of at most this number of steps; none if the game does not have the policy.
fn total(game: &std::sync::Arc<Game>, policy: &str, seed: u64, most: usize) -> Option<f64> {
    let mut player = adviser(game, policy, seed).ok()?;
    let mut environment = begun(game, seed);
    player.start(seed);
    let (mut total, mut schedule) = (0.0, Vec::new());
    for _ in 0..most {
        if environment.state().over() {
            break;
        }
        schedule.clear();
        player.choose(game, environment.state(), &mut schedule);
        total += environment.step(schedule.as_slice()).ok()?.reward;
    }
    Some(total)
}

/// The start of the largest loss, or of the losses shortly before it. The losses are first and last days, largest loss first.
fn first_of_chain(losses: &[(usize, usize)]) -> Option<usize> {
    let (mut first, _) = *losses.first()?;
    while let Some((from, _)) = losses.iter().find(|(_, to)| *to <= first && first - *to <= MAX_CHAIN_GAP) {
        first = *from;
    }
    Some(first)
}

/// An agent that lets time pass.
struct Idle;

impl Agent for Idle {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, _: &farm_core::State, schedule: &mut Vec<Call>) {
        schedule.extend_from_slice(game.catalogue().waiting());
    }
}

/// What limited growth on each day, and how many plots were ripe.
struct Causes {
    /// The number of plots, by event and value.
    limits: Vec<BTreeMap<(usize, u64), usize>>,
    ripe: Vec<usize>,
    labels: BTreeMap<(usize, u64), (String, Words)>,
}

impl Causes {
    fn of(
        game: &std::sync::Arc<Game>,
        farm: &Farm,
        seed: u64,
        schedules: &[Vec<Call>],
    ) -> Result<Self, PlaygroundError> {
        let mut causes = Self { limits: Vec::new(), ripe: Vec::new(), labels: BTreeMap::new() };
        let mut environment = begun(game, seed);
        for schedule in schedules {
            if environment.state().over() {
                break;
            }
            environment.step(schedule.as_slice()).map_err(|error| PlaygroundError::Failed(error.to_string()))?;
            causes.note(&environment, farm);
        }
        Ok(causes)
    }

    fn note(&mut self, environment: &Environment, farm: &Farm) {
        let (game, state) = (environment.game(), environment.state());
        let mut today = BTreeMap::new();
        for event in environment.record().events() {
            let Some((_, info)) = game.events().get(event.id.index()).filter(|(_, info)| info.lasting()) else {
                continue;
            };
            let Some(label) = info.label(event.value) else { continue };
            let key = (event.id.index(), event.value.to_bits());
            *today.entry(key).or_insert(0) += 1;
            self.labels.entry(key).or_insert_with(|| {
                let name = info.name();
                (label.to_owned(), Words::new(|labels| labels.value(name, label).into_owned()))
            });
        }
        self.limits.push(today);
        let sight = Sight::of(game, state, true);
        let ripe = |field| FieldView::of(field, game, state, &sight).ripe.iter().filter(|ripe| **ripe).count();
        self.ripe.push(farm.fields.iter().map(ripe).sum());
    }

    /// The most frequent cause in the days of a loss.
    fn of_loss(&self, loss: &Loss) -> Cause {
        let days = loss.from()..loss.to().min(self.ripe.len());
        let ripe: usize = self.ripe[days.clone()].iter().sum();
        let mut sums: BTreeMap<(usize, u64), usize> = BTreeMap::new();
        for (key, plots) in self.limits[days.clone()].iter().flatten() {
            *sums.entry(*key).or_insert(0) += plots;
        }
        sums.retain(|key, _| self.labels.get(key).is_some_and(|(id, _)| id != UNAVOIDABLE));
        let most = |plots: &dyn Fn(usize) -> usize| days.clone().map(plots).max().unwrap_or(0);
        match sums.into_iter().max_by_key(|(_, sum)| *sum) {
            Some((key, sum)) if sum >= ripe => {
                let plots = most(&|day| self.limits[day].get(&key).copied().unwrap_or(0));
                match self.labels.get(&key) {
                    Some((_, label)) => Cause::Limited { label: label.clone(), plots },
                    None => Cause::Choice,
                }
            }
            _ if ripe > 0 => Cause::Ripe { plots: most(&|day| self.ripe[day]) },
            _ => Cause::Choice,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playing_again_starts_with_the_first_loss_of_a_chain() {
        // The losses of the design: 20 June leads to 17 July, and 16 May leads to neither.
        let losses = [(77, 101), (50, 73), (119, 153), (14, 17)];
        assert_eq!(first_of_chain(&losses), Some(50));
        assert_eq!(first_of_chain(&losses[..1]), Some(77));
        assert_eq!(first_of_chain(&[]), None);
    }
}
