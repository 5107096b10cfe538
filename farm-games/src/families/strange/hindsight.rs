//! Finds the best plan for a world in hindsight: a search over crops, sowing days, soil moisture and fertilising.
//!
//! Every plan is played in the world itself, with its own weather. All plots have the same plan. The search proves nothing.

use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems};
use farm_core::{Agent, EpisodeRunner, Game, SeedSplit, State};
use farm_oracle::PlanError;

use super::calendar::{Calendar, DAYS, LEVELS};
use super::member::FIRST_DAY;
use crate::families::Optimum;
use crate::families::annotation::LastPaid;
use crate::policies::{Bed, Care, CropField, Tending, Watering};

/// The maximum number of plans that are played in a world.
const MAX_PLANS: usize = 180;
/// The possible amounts of a watering, in litres.
const AMOUNTS: [f64; 3] = [1_500.0, 3_000.0, 6_000.0];
/// The number of days in a year.
const YEAR_DAYS: u32 = 365;

/// The step at which crops that survive the winter are sown: the end of October.
const AUTUMN: u32 = 271;

/// A crop, the step from which it is sown, and its care.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sowing {
    step: u32,
    crop: usize,
    level: f64,
    litres: f64,
    is_fed: bool,
}

impl Sowing {
    fn care(&self) -> Care {
        Care { crop: self.crop, watering: Watering::Below(self.level), litres: self.litres, is_fed: self.is_fed }
    }

    /// Small variations of the sowing, which the search tries.
    fn changed(&self, crops: usize) -> Vec<Self> {
        let days =
            [-30, -12, -5, 5, 12, 30].map(|days: i32| Self { step: self.step.saturating_add_signed(days), ..*self });
        let levels = [-3_000.0, -1_200.0, 1_200.0, 3_000.0].map(|litres| Self { level: self.level + litres, ..*self });
        let amounts = AMOUNTS.map(|litres| Self { litres, ..*self });
        let others = (0..crops).map(|crop| Self { crop, ..*self });
        let all = [Self { is_fed: !self.is_fed, ..*self }].into_iter().chain(days).chain(levels).chain(amounts);
        all.chain(others).filter(|other| other != self && other.level > 0.0).collect()
    }
}

/// The sowings on each plot, one after the other.
type Plan = Vec<Sowing>;

/// Plays plans in a world.
struct World<'g> {
    runner: EpisodeRunner<'g>,
    seed: u64,
    field: CropField,
    tending: Tending,
    plans: usize,
}

/// Follows a plan.
struct Follower<'w> {
    field: &'w CropField,
    tending: &'w mut Tending,
    plan: &'w [Sowing],
}

impl Agent for Follower<'_> {
    fn start(&mut self, _: u64) {
        self.tending.start();
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let (plan, step) = (self.plan, state.step());
        let mut choose =
            |_: usize, bed: &Bed| plan.get(bed.sowings).filter(|sowing| sowing.step <= step).map(Sowing::care);
        self.tending.work(self.field, (game, state), schedule, &mut choose, &mut |_| {});
    }
}

impl<'g> World<'g> {
    fn new(game: &'g Game, seed: u64) -> Result<Self, Problems> {
        let field = CropField::of(game).map_err(|lacks| failed(&format!("this game lacks {lacks}")))?;
        let mut runner = EpisodeRunner::new(game);
        runner.name_split(SeedSplit::of(seed));
        Ok(Self { runner, seed, tending: Tending::new(&field, game), field, plans: 0 })
    }

    /// A plan's return, and the number of steps until it has earned all of it.
    fn play(&mut self, plan: &[Sowing]) -> Result<(f64, u64), Problems> {
        self.plans += 1;
        let mut follower = Follower { field: &self.field, tending: &mut self.tending, plan };
        let mut last = LastPaid::default();
        let episode = self.runner.play(&mut follower, self.seed, &mut last);
        Ok((episode.map_err(|error| failed(&error.to_string()))?.total(), last.0))
    }
}

fn failed(message: &str) -> Problems {
    Problems(vec![Problem::new(PlanError::NoPlan, Path::default(), message)])
}

/// A plan with its return and its length.
#[derive(Debug, Clone)]
struct Found {
    plan: Plan,
    value: f64,
    length: u64,
}

impl Found {
    /// Replaces the plan if another one is better.
    fn improve(&mut self, world: &mut World<'_>, plan: Plan) -> Result<bool, Problems> {
        let (value, length) = world.play(&plan)?;
        let is_better = value > self.value + 1e-9;
        if is_better {
            *self = Self { plan, value, length };
        }
        Ok(is_better)
    }
}

/// The best plan found for a world. First, the search tries the calendars that measure members, the same in every year, and then second
/// crops. After that, it tries single changes until none of them is an improvement. Sowing nothing is also a plan.
///
/// # Errors
/// A game of another family.
pub(in crate::families) fn best_of(game: &Game, seed: u64) -> Result<Optimum, Problems> {
    let mut world = World::new(game, seed)?;
    let (days, crops) = (world.field.days, world.field.crops());
    let years = days.div_ceil(YEAR_DAYS);
    let mut best = Found { plan: Vec::new(), value: 0.0, length: 0 };
    // Of each crop and season the best, whether or not it pays.
    let mut firsts: Vec<Found> = Vec::new();
    for crop in 0..crops {
        for day in DAYS {
            let mut first = Found { plan: Vec::new(), value: f64::NEG_INFINITY, length: 0 };
            for level in LEVELS.map(f64::from) {
                for is_fed in [false, true] {
                    let sowing = Sowing { step: day - FIRST_DAY, crop, level, litres: AMOUNTS[1], is_fed };
                    first.improve(&mut world, vec![sowing])?;
                }
            }
            firsts.push(first);
        }
    }
    let every_year = |plan: &[Sowing]| -> Plan {
        let of_year =
            |year: u32| plan.iter().map(move |sowing| Sowing { step: sowing.step + year * YEAR_DAYS, ..*sowing });
        (0..years).flat_map(of_year).filter(|sowing| sowing.step < days).collect()
    };
    for first in &firsts {
        best.improve(&mut world, every_year(&first.plan))?;
    }
    for first in &firsts {
        for second in firsts.iter().filter(|second| second.plan[0].step > first.plan[0].step) {
            best.improve(&mut world, every_year(&[first.plan[0], second.plan[0]]))?;
        }
    }
    // What bears the winter is sown in autumn.
    for first in firsts.iter().filter(|first| first.plan[0].step + FIRST_DAY == DAYS[0]) {
        let autumn = Sowing { step: AUTUMN, ..first.plan[0] };
        for second in firsts.iter().filter(|second| second.plan[0].step > first.plan[0].step) {
            let summer = second.plan[0];
            let next = Sowing { step: summer.step + YEAR_DAYS, ..summer };
            let plan = [first.plan[0], summer, autumn, next].into_iter().filter(|sowing| sowing.step < days);
            best.improve(&mut world, plan.collect())?;
        }
        if years > 1 {
            best.improve(&mut world, vec![first.plan[0], autumn])?;
        }
    }
    // One change after the other, from the first on again after each that helps.
    let (mut next, mut in_vain) = (0, 0);
    loop {
        let plans = neighbours(&best.plan, crops);
        if in_vain >= plans.len() || world.plans >= MAX_PLANS {
            return Ok(Optimum { value: best.value, bound: f64::INFINITY, length: best.length });
        }
        let is_better = best.improve(&mut world, plans[next % plans.len()].clone())?;
        (next, in_vain) = (next + 1, if is_better { 0 } else { in_vain + 1 });
    }
}

/// A calendar's return in a world, whether or not soil water is observed.
pub(super) fn earned(calendar: &Calendar, game: &Game, seed: u64) -> Result<f64, Problems> {
    let Calendar { crop, day, level, is_fed } = *calendar;
    let sowing = Sowing { step: day - FIRST_DAY, crop, level: f64::from(level), litres: AMOUNTS[1], is_fed };
    Ok(World::new(game, seed)?.play(&[sowing])?.0)
}

/// All plans that differ in a single change: a sowing is varied, left out, or followed by another one.
fn neighbours(plan: &[Sowing], crops: usize) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (i, sowing) in plan.iter().enumerate() {
        let with = |others: Vec<Sowing>| [&plan[..i], &others, &plan[i + 1..]].concat();
        plans.extend(sowing.changed(crops).into_iter().map(|other| with(vec![other])));
        plans.extend((0..crops).map(|crop| with(vec![*sowing, Sowing { crop, ..*sowing }])));
        plans.push(with(Vec::new()));
    }
    plans
}
