//! Evolutionary search: changes and crosses the best candidates, and adds new ones.
//!
//! Two methods alternate. An *ascent* tries small changes to the best policy one by one, and then combines the helpful ones. A *generation*
//! consists of changed, crossed and random candidates.
//!
//! All candidates play the same seeds, so differences come only from the policies. Successive halving judges each generation: all
//! candidates play a few seeds, the better half plays more seeds, and only the last eighth plays all of them (Jamieson and Talwalkar 2016).

use std::collections::BTreeSet;

use crate::edit::{Edit, compatible, edited, edits_of};
use crate::generator::{Candidate, Draws, Generator};
use crate::mutation::lineage;
use crate::rule_lists::with_memory;
use crate::{Arena, Draw, SearchError};

/// Maximum number of parents.
const MAX_ELITE: usize = 12;
/// Divisors of the number of episodes: each quotient is the number of episodes played before a halving.
const RUNGS: [usize; 3] = [8, 4, 2];
/// Minimum number of episodes to judge a policy.
const FEWEST_EPISODES: usize = 4;
/// Maximum number of rounds that remove rules from the best policy.
const MAX_PRUNING: usize = 4;

/// Settings for a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchPlan {
    /// Number of candidates.
    pub candidates: usize,
    /// Number of episodes that the best candidates play.
    pub episodes: usize,
    /// The seed of the first episode and of all random numbers.
    pub seed: u64,
}

impl SearchPlan {
    /// The episodes that the search plays.
    pub(crate) fn draws(&self) -> Vec<Draw> {
        (0..self.episodes.max(1) as u64).map(|i| Draw::Episode(self.seed.wrapping_add(i))).collect()
    }
}

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Candidates tried.
    pub tried: usize,
    /// Candidates to try.
    pub of: usize,
    /// The mean return of the best candidate on the search's seeds.
    pub best: f64,
    /// The mean return of the expert on the same seeds.
    pub expert: f64,
}

/// A candidate with its returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The candidate.
    pub candidate: Candidate,
    /// Its returns on the seeds that it played, in their order.
    pub returns: Vec<f64>,
}

impl Scored {
    /// The mean of the returns.
    pub fn mean(&self) -> f64 {
        mean(&self.returns)
    }
}

/// The mean of returns; 0 if there are none.
pub(crate) fn mean(returns: &[f64]) -> f64 {
    farm_core::math::sum(returns.iter().copied()) / returns.len().max(1) as f64
}

/// Searches for policies that earn more than the expert. Returns the best policies in descending order, with their returns on all of the
/// search's seeds, but without the expert. `more` are further initial candidates. The game's own policies with a memory are candidates too,
/// because the search changes memories but does not invent them.
///
/// # Errors
/// The game fails in a step.
pub fn search(
    arena: Arena<'_>,
    generator: &Generator<'_>,
    more: &[Candidate],
    plan: SearchPlan,
    report: &mut dyn FnMut(Progress),
) -> Result<Vec<Scored>, SearchError> {
    let expert = Candidate::new(generator.vocabulary().expert.clone(), "expert");
    let halving = Halving { arena, draws: plan.draws() };
    let mut elite = halving.best(vec![expert.clone()], 1)?;
    let expert_mean = elite.first().map_or(0.0, Scored::mean);
    let mut seen = BTreeSet::from([expert.to_yaml()]);
    let (mut tried, mut number) = (0, 0_u32);
    while tried < plan.candidates {
        let left = plan.candidates - tried;
        let share = |divisor: usize, fewest: usize| (plan.candidates / divisor).max(fewest).min(left);
        let is_first = tried == 0;
        let mut generation: Vec<Candidate> = Vec::new();
        let room = if is_first { share(5, 6) } else { share(14, 3) };
        if is_first {
            let remembering = with_memory(arena.game());
            let remembering = remembering.into_iter().map(|(name, policy)| Candidate::new(policy, &name));
            let first = more.iter().take(room / 4).cloned().chain(remembering);
            let is_new = |candidate: &Candidate| generator.fits(&candidate.policy) && seen.insert(candidate.to_yaml());
            generation.extend(first.filter(is_new));
        }
        // A small vocabulary has few policies.
        let patience = number.saturating_add(50 * room as u32);
        while generation.len() < room && number < patience {
            number += 1;
            let born = born(generator, number, &expert, &elite, is_first);
            generation.extend(born.filter(|candidate| seen.insert(candidate.to_yaml())));
        }
        let found = generation.len();
        tried += found;
        elite.extend(halving.best(generation, 2)?);
        keep_best(&mut elite);
        number += 1;
        let room = share(7, 16).min(plan.candidates - tried);
        let climbed = ascend(&halving, generator, number, &elite, room, &mut seen)?;
        tried += climbed.tried;
        elite.extend(climbed.best);
        keep_best(&mut elite);
        report(Progress {
            tried,
            of: plan.candidates,
            best: elite.first().map_or(0.0, Scored::mean),
            expert: expert_mean,
        });
        if found + climbed.tried == 0 {
            break;
        }
    }
    elite.retain(|scored| scored.candidate.policy != expert.policy);
    if let Some(best) = elite.first().cloned() {
        let pruned = prune(&halving, generator, best)?;
        if elite.iter().all(|scored| scored.candidate.policy != pruned.candidate.policy) {
            elite.insert(0, pruned);
        }
    }
    Ok(elite)
}

/// Reduces the elite to its best candidates.
fn keep_best(elite: &mut Vec<Scored>) {
    sort(elite);
    elite.truncate(MAX_ELITE);
}

/// The result of an ascent.
#[derive(Default)]
struct Ascent {
    tried: usize,
    best: Vec<Scored>,
}

/// Tries small changes to the best policy, one at a time or two in a rule, on a few seeds. Then combines the helpful ones.
fn ascend(
    halving: &Halving<'_>,
    generator: &Generator<'_>,
    number: u32,
    elite: &[Scored],
    room: usize,
    seen: &mut BTreeSet<String>,
) -> Result<Ascent, SearchError> {
    let Some(best) = elite.first().filter(|_| room > 1) else { return Ok(Ascent::default()) };
    let steps = generator.choices(number).steps(&edits_of(generator.vocabulary(), &best.candidate.policy));
    let mut fitting = |edits: &[&Edit]| {
        let (policy, words) = edited(&best.candidate.policy, edits);
        let candidate = Candidate::new(policy, lineage(&best.candidate.how, &words));
        (generator.fits(&candidate.policy) && seen.insert(candidate.to_yaml())).then_some(candidate)
    };
    let of_step = |step: Vec<Edit>| {
        let candidate = fitting(&step.iter().collect::<Vec<_>>())?;
        Some((step, Scored { candidate, returns: Vec::new() }))
    };
    let (steps, mut singles): (Vec<Vec<Edit>>, Vec<Scored>) =
        steps.into_iter().filter_map(of_step).take(room - room / 4).unzip();
    let few = halving.few();
    halving.play_until(&mut singles, few)?;
    let mut tried = singles.len();
    let before = mean(&best.returns[..few.min(best.returns.len())]);
    let mut helpful: Vec<(f64, &Vec<Edit>, Scored)> = steps
        .iter()
        .zip(singles)
        .map(|(step, single)| (single.mean() - before, step, single))
        .filter(|(gain, ..)| *gain > 0.0)
        .collect();
    helpful.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut together: Vec<Candidate> = Vec::new();
    for n in 2..=helpful.len() {
        if together.len() < room / 4 {
            let edits = compatible(helpful.iter().take(n).flat_map(|(_, step, _)| *step));
            together.extend(fitting(&edits));
        }
    }
    tried += together.len();
    // The best single changes and combinations play all seeds.
    let singles = helpful.into_iter().take(2).map(|(.., single)| single);
    let mut finalists: Vec<Scored> = singles.collect();
    halving.play_until(&mut finalists, halving.draws.len())?;
    finalists.extend(halving.best(together, 2)?);
    Ok(Ascent { tried, best: finalists })
}

/// A new candidate. Its index determines all random numbers.
fn born(
    generator: &Generator<'_>,
    number: u32,
    expert: &Candidate,
    elite: &[Scored],
    is_first: bool,
) -> Option<Candidate> {
    let mut draws = generator.choices(number);
    let way = draws.stream.uniform();
    // The first generation has only the expert as parent.
    let ends = if is_first { [0.0, 0.0, 0.45, 0.75] } else { [0.5, 0.7, 0.8, 0.92] };
    match ends.iter().position(|end| way < *end) {
        Some(0) => generator.changed(number, parent(&mut draws, elite)?),
        Some(1) => generator.crossed(number, parent(&mut draws, elite)?, parent(&mut draws, elite)?),
        Some(2) => generator.changed(number, expert),
        Some(_) => generator.rules(number),
        None => generator.schedule(number),
    }
}

/// The better of two random parents.
fn parent<'e>(draws: &mut Draws<'_>, elite: &'e [Scored]) -> Option<&'e Candidate> {
    let n = elite.len() as u32;
    let rank = draws.stream.index(n).min(draws.stream.index(n));
    elite.get(rank as usize).map(|scored| &scored.candidate)
}

/// Sorts in descending order. Equal candidates keep their order.
fn sort(scored: &mut [Scored]) {
    scored.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
}

/// Removes rules from a policy as long as its return does not decrease.
fn prune(halving: &Halving<'_>, generator: &Generator<'_>, mut best: Scored) -> Result<Scored, SearchError> {
    for _ in 0..MAX_PRUNING {
        let shorter = generator.without_one(&best.candidate);
        let fits = |candidate: &Candidate| generator.fits(&candidate.policy);
        let mut scored = halving.play_all(shorter.into_iter().filter(fits).collect())?;
        sort(&mut scored);
        match scored.into_iter().next().filter(|shorter| shorter.mean() >= best.mean()) {
            Some(shorter) => best = shorter,
            None => break,
        }
    }
    Ok(best)
}

/// Successive halving on the seeds of a search.
struct Halving<'g> {
    arena: Arena<'g>,
    draws: Vec<Draw>,
}

impl Halving<'_> {
    /// The number of seeds that all candidates play.
    fn few(&self) -> usize {
        (self.draws.len() / RUNGS[0]).max(FEWEST_EPISODES).min(self.draws.len())
    }

    /// A generation's best candidates with their returns on all seeds: at least `fewest`, unless the generation is smaller.
    fn best(&self, generation: Vec<Candidate>, fewest: usize) -> Result<Vec<Scored>, SearchError> {
        let mut scored: Vec<Scored> =
            generation.into_iter().map(|candidate| Scored { candidate, returns: Vec::new() }).collect();
        for divisor in RUNGS {
            self.play_until(&mut scored, (self.draws.len() / divisor).max(FEWEST_EPISODES))?;
            sort(&mut scored);
            scored.truncate((scored.len() / 2).max(fewest));
        }
        self.play_until(&mut scored, self.draws.len())?;
        sort(&mut scored);
        Ok(scored)
    }

    /// The candidates with their returns on all seeds.
    fn play_all(&self, candidates: Vec<Candidate>) -> Result<Vec<Scored>, SearchError> {
        let mut scored: Vec<Scored> =
            candidates.into_iter().map(|candidate| Scored { candidate, returns: Vec::new() }).collect();
        self.play_until(&mut scored, self.draws.len())?;
        Ok(scored)
    }

    /// Plays until each candidate has played this number of seeds.
    fn play_until(&self, scored: &mut [Scored], seeds: usize) -> Result<(), SearchError> {
        let end = seeds.min(self.draws.len());
        let jobs: Vec<_> = scored
            .iter()
            .map(|scored| (&scored.candidate.policy, &self.draws[scored.returns.len().min(end)..end]))
            .collect();
        let played = self.arena.play(&jobs)?;
        scored.iter_mut().zip(played).for_each(|(scored, played)| scored.returns.extend(played));
        Ok(())
    }
}
