//! The measurements in a game.

use std::time::Instant;

use farm_core::serde_yaml::Value;
use farm_games::catalogue::BEST_KNOWN_POLICY;
use farm_scoring::risk::{Bootstrap, Criterion, Sample};
use farm_search::plan::{PlanSettings, play_planned};
use farm_search::{
    Arena, Candidate, Draw, Generator, SearchError, SearchPlan, Senses, Vocabulary, WAIT, Worth, expand, ratio,
    spammers, with_forecasts, without_sight,
};
use xtask::Depth;

use super::piece::{Piece, Played, Span, Worthy};
use crate::exploits::{EXPERT, FINALISTS, FRESH, Opened, SELECT, best_of, seeds, watched};

/// Number of episodes that the best candidates of a search play.
const EPISODES: usize = 48;
/// Number of seeds that compare starting points and naive policies.
const FEW: u64 = 16;
/// Maximum number of starting points that a search tries, in addition to the first.
const STARTS: usize = 12;
/// Number of steps between two plans.
const EVERY: usize = 4;
/// The share of the worst seasons.
const TAIL: f64 = 0.1;
/// The smallest gain by which others are divided, in units of the return.
const MIN_SCALE: f64 = 1e-9;

/// A game with its own policies.
struct Measured<'g> {
    request: &'g Depth,
    opened: &'g Opened,
    arena: Arena<'g>,
    vocabulary: Vocabulary,
    /// The game's own policies, expanded.
    own: Vec<(String, Value)>,
    select: Vec<Draw>,
    fresh: Vec<Draw>,
}

/// Measures a game.
pub(super) fn piece(request: &Depth, opened: &Opened, fingerprint: String) -> anyhow::Result<Piece> {
    let started = Instant::now();
    let game = &opened.game;
    let threads = request.run.threads();
    let own: Vec<(String, Value)> =
        game.spec().policies().keys().map(|name| (name.clone(), expand(game, &name.as_str().into()))).collect();
    let of_name = |name: &str| own.iter().find(|(own, _)| own == name).map(|(_, policy)| policy.clone());
    let expert = of_name(EXPERT).unwrap_or_default();
    let reference = of_name(BEST_KNOWN_POLICY).unwrap_or_else(|| expert.clone());
    let measured = Measured {
        request,
        opened,
        arena: Arena::new(game, threads).counting(Worth::WithinLimits),
        vocabulary: Vocabulary::new(game, &expert, request.run.seed)?,
        own,
        select: seeds(request.run.seed.wrapping_add(SELECT), (request.seeds / 2).max(2)),
        fresh: seeds(request.run.seed.wrapping_add(FRESH), request.seeds),
    };
    let expert = Candidate::new(expert, EXPERT);
    let mut jobs: Vec<(String, Candidate)> = vec![("wait".to_owned(), Candidate::new(WAIT.into(), "wait"))];
    let named = measured.own.iter().filter(|(name, policy)| name != "wait" && name != "random" && !policy.is_null());
    jobs.extend(named.map(|(name, policy)| (name.clone(), Candidate::new(policy.clone(), name.as_str()))));
    let mut add = |name: &str, found: Option<Candidate>| jobs.extend(found.map(|found| (name.to_owned(), found)));
    add(CALENDAR, measured.search(Senses::Calendar, Vec::new())?.into_iter().next());
    if measured.vocabulary.doings.iter().any(|doing| doing.act.is_sequence()) {
        add(UNPAID, measured.search(Senses::Unpaid, Vec::new())?.into_iter().next());
    }
    if let Some([with, without]) = measured.forecasts(&reference)? {
        add(WITH_FORECAST, Some(with));
        add(WITHOUT_FORECAST, Some(without));
    }
    let n = jobs.len();
    let generator = Generator::new(measured.arena, &measured.vocabulary, request.run.seed);
    let lesser = generator.without_one(&expert).into_iter().filter(|lesser| generator.fits(&lesser.policy));
    let name = |how: &str| how.split_once("; ").map_or(how, |(_, name)| name).to_owned();
    jobs.extend(lesser.map(|lesser| (name(&lesser.how), lesser)));
    let ends_of_rules = jobs.len();
    let naive = measured.naive()?;
    jobs.extend(naive.into_iter().map(|naive| (naive.how.clone(), naive)));
    let played: Vec<_> = jobs.iter().map(|(_, candidate)| (&candidate.policy, measured.fresh.as_slice())).collect();
    let returns = measured.arena.play(&played)?;

    let of = |name: &str| jobs[..n].iter().position(|(own, _)| own == name).map(|at| returns[at].as_slice());
    let (wait, of_expert) = (of("wait").unwrap_or_default(), of(EXPERT).unwrap_or_default());
    let share = |found: &[f64]| {
        Span::of([found, of_expert, wait], |[found, expert, wait]| (found - wait) / (expert - wait).max(MIN_SCALE))
    };
    let policies: Vec<Played> =
        jobs[..n].iter().zip(&returns).map(|(job, returns)| measured.played(job, returns)).collect();
    let best = |worth: fn(&Played) -> f64| (0..n).max_by(|a, b| worth(&policies[*a]).total_cmp(&worth(&policies[*b])));
    let on_average = best(|played| played.mean).unwrap_or_default();
    let in_bad_seasons = best(|played| played.worst_tenth).unwrap_or_default();
    let tails = Bootstrap::default().paired(&Criterion::Cvar(TAIL), &returns[in_bad_seasons], &returns[on_average]);
    let is_another = tails.and_then(|paired| paired.interval).is_some_and(|interval| interval.low > 0.0);
    let forecast = of(WITH_FORECAST).zip(of(WITHOUT_FORECAST)).map(|(with, without)| {
        Span::of([with, without, wait], |[with, without, wait]| {
            (with - without) / with.abs().max(with - wait).max(MIN_SCALE)
        })
    });
    let naive = jobs[ends_of_rules..].iter().zip(&returns[ends_of_rules..]).map(|((name, _), returns)| Worthy {
        name: name.clone(),
        worth: Span::of([returns, wait], |[naive, wait]| naive - wait),
    });
    let rules = jobs[n..ends_of_rules].iter().zip(&returns[n..ends_of_rules]).map(|((name, _), returns)| Worthy {
        name: name.clone(),
        worth: Span::of([of_expert, returns], |[expert, lesser]| expert - lesser),
    });
    Ok(Piece {
        game: opened.title.clone(),
        fingerprint,
        candidates: request.candidates,
        seeds: request.seeds,
        plan_seeds: request.plan_seeds,
        calendar: share(of(CALENDAR).unwrap_or(wait)),
        unpaid: of(UNPAID).map(share),
        forecast,
        best_known: of(BEST_KNOWN_POLICY).map(|returns| ratio(returns, of_expert, wait).into()),
        plan: measured.plan(&reference, of(BEST_KNOWN_POLICY).unwrap_or(of_expert), wait, threads)?,
        kept: measured.kept(&expert)?,
        rules: rules.collect(),
        naive: naive.max_by(|a, b| a.worth.value.total_cmp(&b.worth.value)),
        best_on_average: jobs[on_average].0.clone(),
        best_in_bad_seasons: jobs[if is_another { in_bad_seasons } else { on_average }].0.clone(),
        policies,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The names of the policies that are found.
const CALENDAR: &str = "calendar";
const UNPAID: &str = "without_looks";
const WITH_FORECAST: &str = "with_forecast_found";
const WITHOUT_FORECAST: &str = "without_forecast_found";

impl Measured<'_> {
    /// The best policies that read and request no more than this, best first on the seeds for selection.
    fn search(&self, senses: Senses, more: Vec<Candidate>) -> anyhow::Result<Vec<Candidate>> {
        let mut starts = more;
        for (name, policy) in &self.own {
            if senses.admit(policy) {
                starts.push(Candidate::new(policy.clone(), name.as_str()));
            } else if [EXPERT, BEST_KNOWN_POLICY].contains(&name.as_str()) {
                starts.extend(self.without(senses, &Candidate::new(policy.clone(), name.as_str()))?);
            }
        }
        starts = best_of(self.arena, starts, &seeds(self.request.run.seed, FEW))?;
        starts.truncate(STARTS + 1);
        let first = starts.first().map_or_else(|| self.vocabulary.policy(Vec::new()), |first| first.policy.clone());
        let vocabulary = self.vocabulary.within(senses, first);
        let generator = Generator::new(self.arena, &vocabulary, self.request.run.seed);
        let plan = SearchPlan { candidates: self.request.candidates, episodes: EPISODES, seed: self.request.run.seed };
        let title = format!("{}, {senses:?}", self.opened.title);
        let started = Instant::now();
        let found = watched(&title, self.arena, &generator, starts.get(1..).unwrap_or_default(), plan)?;
        eprintln!("{title}: {:.0} s", started.elapsed().as_secs_f64());
        let finalists = found.into_iter().take(FINALISTS).map(|scored| scored.candidate);
        let finalists = finalists.chain(starts.into_iter().take(FINALISTS)).collect();
        best_of(self.arena, finalists, &self.select)
    }

    /// A policy without what the senses lack.
    fn without(&self, senses: Senses, policy: &Candidate) -> anyhow::Result<Vec<Candidate>> {
        let mut found = without_sight(self.arena, &self.vocabulary, senses, &policy.policy, self.request.run.seed)?;
        found.iter_mut().for_each(|found| found.how = format!("{}; {}", policy.how, found.how));
        Ok(found)
    }

    /// The best policies with and without forecasts; none if the game shows no forecast.
    fn forecasts(&self, reference: &Value) -> anyhow::Result<Option<[Candidate; 2]>> {
        let offered = with_forecasts(self.arena, &self.vocabulary, reference);
        if offered.is_empty() {
            return Ok(None);
        }
        let mut offered = best_of(self.arena, offered, &seeds(self.request.run.seed, FEW))?;
        offered.truncate(STARTS);
        let mut with = self.search(Senses::All, offered)?;
        let mut blinded = Vec::new();
        for found in with.iter().take(FINALISTS) {
            blinded.extend(self.without(Senses::NoForecast, found)?);
        }
        let without = self.search(Senses::NoForecast, blinded)?;
        // A policy that may read forecasts need not.
        with.extend(without.first().cloned());
        let with = best_of(self.arena, with, &self.select)?;
        Ok(with.into_iter().next().zip(without.into_iter().next()).map(<[Candidate; 2]>::from))
    }

    /// The best naive policy that acts every day or does everything in turn, whatever it sees.
    fn naive(&self) -> anyhow::Result<Vec<Candidate>> {
        let wastes = |naive: &Candidate| !naive.how.contains(" when ");
        let naive = spammers(self.arena, &self.vocabulary).into_iter().filter(wastes).collect();
        let mut naive = best_of(self.arena, naive, &seeds(self.request.run.seed, FEW))?;
        naive.truncate(1);
        Ok(naive)
    }

    fn played(&self, (name, candidate): &(String, Candidate), returns: &[f64]) -> Played {
        let is_own = self.own.iter().any(|(own, _)| own == name);
        let (sample, counts) = (Sample::new(returns), vec![1; returns.len()]);
        Played {
            name: name.clone(),
            how: candidate.how.clone(),
            mean: sample.value(&Criterion::Mean, &counts),
            worst_tenth: sample.value(&Criterion::Cvar(TAIL), &counts),
            policy: (!is_own).then(|| serde_json::to_value(&candidate.policy).unwrap_or_default()),
        }
    }

    /// The share of the fresh seeds on which the expert keeps all limits; none if the game has no limits.
    fn kept(&self, expert: &Candidate) -> anyhow::Result<Option<f64>> {
        if self.opened.game.constraints().iter().all(|constraint| constraint.limit.is_none()) {
            return Ok(None);
        }
        let arena = self.arena.counting(Worth::BreaksLimit);
        let breaks = arena.play(&[(&expert.policy, self.fresh.as_slice())])?.concat();
        Ok(Some(1.0 - farm_core::math::sum(breaks.iter().copied()) / breaks.len().max(1) as f64))
    }

    /// The ratio of the planner to its base policy, on the first fresh seeds; none if the base policy can't be copied.
    fn plan(&self, base: &Value, of_base: &[f64], wait: &[f64], threads: usize) -> anyhow::Result<Option<Span>> {
        let game = &self.opened.game;
        let settings =
            PlanSettings { budget: self.request.plan_trials, every: EVERY, threads, ..PlanSettings::default() };
        let first = self.request.run.seed.wrapping_add(FRESH);
        let seeds: Vec<u64> =
            (0..self.request.plan_seeds.min(self.request.seeds)).map(|i| first.wrapping_add(i)).collect();
        let started = Instant::now();
        let planned = match play_planned(game, base, &settings, &seeds, &|| true, &|_| ()) {
            Err(SearchError::Request(_)) => return Ok(None),
            planned => planned?,
        };
        eprintln!("{}, plan: {:.0} s", self.opened.title, started.elapsed().as_secs_f64());
        let limits = || game.constraints().iter().map(|constraint| constraint.limit.unwrap_or(f64::INFINITY));
        let returns = planned.into_iter().flatten().map(|planned| {
            let is_over = planned.constraints.iter().zip(limits()).any(|(total, limit)| *total > limit);
            if is_over { planned.total.min(0.0) } else { planned.total }
        });
        let returns: Vec<f64> = returns.collect();
        let n = returns.len();
        Ok(Some(ratio(&returns, &of_base[..n], &wait[..n]).into()))
    }
}
