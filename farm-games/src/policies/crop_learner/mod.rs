//! Learns which of the unknown crops pays, and the season, water and fertiliser that each crop prefers, while growing them.
//!
//! It has the observations of a learner: stages, days, and soil water if the game shows it. From the reward, it learns a harvest's sales.
//! It does not know the crops' preferences, and starts with the same expectation for each crop. A trial is one sowing: of a crop, early or
//! late in the year, kept dry, moist or wet, with or without fertiliser. The result changes the probabilities of the possible preferences
//! (`beliefs.rs`). It sows the most promising trial. It gives unknown trials a bonus while there is time to use the result. Plots that are
//! sown at the same time get different trials.

mod beliefs;
mod field;
mod known_crop;
mod tending;

use farm_core::action::Call;
use farm_core::config::{ParameterError, Path, Phrase, Problem, Problems, Tool};
use farm_core::{ActionKind, Agent, Game, Policy, State};

use crate::PolicyError;
use beliefs::{Beliefs, LEVELS, Outcome, Season, Trial};
pub(crate) use field::{CropField, Growth};
use known_crop::KnownCrop;
pub(crate) use tending::{Bed, Care, Tending, Watering};

/// Tries seasons, water and fertiliser on unknown crops, and then repeats the trials that paid.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct CropLearnerPolicy {
    /// The first and the last day of early sowings. If the first is larger, the window starts in the previous autumn.
    #[parameter(unit = "day", default = vec![301, 50], range = 0..=364)]
    pub early: Vec<u32>,
    /// The first and the last day of late sowings.
    #[parameter(unit = "day", default = vec![80, 190], range = 0..=364)]
    pub late: Vec<u32>,
    /// The soil water below which a dry, a moist and a wet plot is watered.
    #[parameter(unit = "L", default = vec![22_000, 25_500, 29_000], range = 1..=1_000_000_000)]
    pub levels: Vec<u32>,
    /// The days between two waterings of such plots if soil water is not observed. Early sowings are watered half as often.
    #[parameter(unit = "day", default = vec![8, 4, 3], range = 1..=1000)]
    pub intervals: Vec<u32>,
    /// The amount of a watering. The policy uses the largest allowed amount up to this value.
    #[parameter(unit = "L", default = 3_000.0, range = 0.0..=1e9)]
    pub amount: f64,
    /// The minimum number of days that a crop needs. The policy does not sow if fewer days are left.
    #[parameter(unit = "day", default = 75, range = 0..=100_000)]
    pub season: u32,
    /// Its knowledge of the crops before the first episode, in their order.
    #[parameter(default = Vec::new())]
    pub known: Vec<KnownCrop>,
    /// Whether it keeps its knowledge for the next episode. Set it only if all episodes have the same rules.
    #[parameter(default = false)]
    pub keeps_laws: bool,
}

#[farm_core::register(source = "the scripted learner for families of farms")]
impl Policy for CropLearnerPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        for (name, list, needed) in [
            ("early#day", &self.early, 2),
            ("late#day", &self.late, 2),
            ("levels#L", &self.levels, LEVELS),
            ("intervals#day", &self.intervals, LEVELS),
        ] {
            if list.len() != needed {
                let message = format!("`{name}` has {} values instead of {needed}", list.len());
                let problem = Problem::new(ParameterError::ValueOutOfRange, Path::default().child(name), message);
                problems.push(problem.value(format!("{list:?}")).expected(format!("{needed} values in a list")));
            }
        }
        let field = CropField::of(game).map_err(|lacks| {
            let problem = Problem::new(
                PolicyError::NothingToActOn,
                Path::default(),
                "this player needs a single field with crops, and this game lacks a part or an action",
            );
            let other = Phrase::from("`usual`, or rules of thumb: ").with(Tool::describe("TriggerPolicy"));
            Problems(vec![problem.expected(lacks).help(other)])
        })?;
        if problems.has_errors() {
            return Err(problems);
        }
        let plots = field.plots();
        Ok(Box::new(Learner {
            p: self.clone(),
            tending: Tending::new(&field, game),
            beliefs: Beliefs::new(field.crops(), &self.known),
            open: vec![None; plots],
            harvested: None,
            sales: 0.0,
            field,
        }))
    }
}

/// A sowing that is still in the plot.
#[derive(Debug, Clone, Copy)]
struct Open {
    trial: Trial,
    step: u32,
    /// The sales of its harvest, in euros.
    sold: f64,
}

#[derive(Clone)]
struct Learner {
    p: CropLearnerPolicy,
    field: CropField,
    tending: Tending,
    beliefs: Beliefs,
    /// The current trial of each plot.
    open: Vec<Option<Open>>,
    /// The plot that was harvested in the last step.
    harvested: Option<usize>,
    /// The episode's sales up to the last update.
    sales: f64,
}

/// The number of days during which a crop counts as young.
const YOUNG: u32 = 35;
/// The bonus for unknown trials with at least a year left, and in the last season.
const CURIOSITY: [f64; 2] = [0.8, 0.0];
/// Days in a year.
const YEAR: u32 = 365;

impl Learner {
    /// Records the sales of the last step.
    fn settle(&mut self, game: &Game, state: &State) {
        let sales = self.field.sales(game, state);
        let sold = sales - std::mem::replace(&mut self.sales, sales);
        if let Some(open) = self.harvested.take().and_then(|plot| self.open[plot].as_mut()) {
            open.sold += sold;
        }
    }

    /// Learns from sowings that have left their plots.
    fn close(&mut self, game: &Game, state: &State) {
        for plot in 0..self.open.len() {
            let Some(open) = self.open[plot].filter(|open| state.step() > open.step) else { continue };
            let standing = self.field.standing(game, state, plot);
            if standing.is_none_or(|(_, growth)| growth == Growth::Dead) {
                let is_young = open.sold == 0.0 && state.step() - open.step < YOUNG;
                let outcome = if is_young { Outcome::LostYoung } else { Outcome::Sold(open.sold) };
                self.beliefs.learn(open.trial, outcome);
                self.open[plot] = None;
            }
        }
    }

    /// The season of a sowing on this day; none outside both windows.
    fn season(&self, day: u32, left: u32) -> Option<Season> {
        let is_in = |days: &[u32]| match days[0] <= days[1] {
            true => (days[0]..=days[1]).contains(&day),
            false => day >= days[0] || day <= days[1],
        };
        match () {
            () if left < self.p.season => None,
            () if is_in(&self.p.early) => Some(Season::Early),
            () if is_in(&self.p.late) => Some(Season::Late),
            () => None,
        }
    }

    fn care(&self, trial: Trial) -> Care {
        let watering = match self.field.is_water_seen() {
            true => Watering::Below(f64::from(self.p.levels[trial.level])),
            false if trial.season == Season::Early => Watering::Every(2 * self.p.intervals[trial.level]),
            false => Watering::Every(self.p.intervals[trial.level]),
        };
        Care { crop: trial.crop, watering, litres: self.p.amount, is_fed: trial.is_fed }
    }
}

impl Agent for Learner {
    fn start(&mut self, _: u64) {
        self.tending.start();
        self.open.fill(None);
        self.harvested = None;
        self.sales = 0.0;
        if !self.p.keeps_laws {
            self.beliefs = Beliefs::new(self.field.crops(), &self.p.known);
        }
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        if game.expects(state) == ActionKind::Observation {
            return;
        }
        self.settle(game, state);
        self.close(game, state);
        let left = self.field.days.saturating_sub(state.step());
        let season = self.season(self.field.day(game, state), left);
        let curious = if self.p.keeps_laws || left >= YEAR { CURIOSITY[0] } else { CURIOSITY[1] };
        let mut running: Vec<Trial> = self.open.iter().flatten().map(|open| open.trial).collect();
        // The trial of each plot, if it can be sown today.
        let mut chosen: Vec<Option<Trial>> = vec![None; self.open.len()];
        for (plot, chosen) in chosen.iter_mut().enumerate() {
            if self.open[plot].is_none()
                && let Some(season) = season
            {
                *chosen = self.beliefs.best(season, &running, curious);
                running.extend(*chosen);
            }
        }
        let cares: Vec<Option<Care>> = chosen.iter().map(|trial| trial.map(|trial| self.care(trial))).collect();
        let harvested = &mut self.harvested;
        self.tending.work(&self.field, (game, state), schedule, &mut |plot, _| cares[plot], &mut |plot| {
            *harvested = Some(plot)
        });
        for (plot, bed) in self.tending.beds.iter().enumerate() {
            if let Some(trial) = chosen[plot].filter(|_| bed.care.is_some() && bed.sown == state.step()) {
                self.open[plot] = Some(Open { trial, step: state.step(), sold: 0.0 });
            }
        }
    }
}
