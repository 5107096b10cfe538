//! Learns what unknown crops like while it grows them: which season, how much water, whether they are fed, and which of them pays.
//!
//! It sees what a learner sees, stages, days and the water in the soil where it is shown, and knows what a reward tells: what a harvest sold
//! for. It is told nothing of what crops like, and expects the same of each. What it tries is a sowing: a crop early or late in the year, kept
//! dry, moist or wet, fed or not. By what comes of it, it holds some natures of the crop more likely than others (`beliefs.rs`), and sows what
//! promises most; what it does not know is worth a little more while there is time to use it, and plots that are sown together try
//! different things.

mod beliefs;
mod field;
mod tending;

use farm_core::action::Call;
use farm_core::config::{ParameterError, Path, Phrase, Problem, Problems, Tool};
use farm_core::{ActionKind, Agent, Game, Policy, State};

use crate::PolicyError;
use beliefs::{Beliefs, LEVELS, Outcome, Season, Trial};
pub(crate) use field::{CropField, Growth};
pub(crate) use tending::{Bed, Care, Tending, Watering};

/// Tries seasons, water and food on crops that it does not know, and then grows what paid.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct CropLearnerPolicy {
    /// The first and the last day of the year on which it sows early: from the autumn before on, where the first is the greater.
    #[parameter(unit = "day", default = vec![301, 50], range = 0..=364)]
    pub early: Vec<u32>,
    /// The first and the last day of the year on which it sows late.
    #[parameter(unit = "day", default = vec![80, 190], range = 0..=364)]
    pub late: Vec<u32>,
    /// What a plot is watered below that is kept dry, moist and wet.
    #[parameter(unit = "L", default = vec![22_000, 25_500, 29_000], range = 1..=1_000_000_000)]
    pub levels: Vec<u32>,
    /// Every how many days such plots are watered where the water in the soil is not seen; early in the year, half as often.
    #[parameter(unit = "day", default = vec![8, 4, 3], range = 1..=1000)]
    pub intervals: Vec<u32>,
    /// What a plot is given at a time; the largest amount that the rules allow up to this.
    #[parameter(unit = "L", default = 3_000.0, range = 0.0..=1e9)]
    pub amount: f64,
    /// The days that a crop needs at the least: later in the episode nothing is sown.
    #[parameter(unit = "day", default = 75, range = 0..=100_000)]
    pub season: u32,
    /// Whether what was learnt holds for the next episode, too, which is then played by the same rules.
    #[parameter(default = false)]
    pub keeps_laws: bool,
}

#[farm_core::register(source = "the scripted learner of families of farms")]
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
                "this player grows crops in a single field, and this game lacks something that it needs",
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
            beliefs: Beliefs::new(field.crops()),
            open: vec![None; plots],
            harvested: None,
            sales: 0.0,
            field,
        }))
    }
}

/// A sowing that is still in its plot.
#[derive(Debug, Clone, Copy)]
struct Open {
    trial: Trial,
    step: u32,
    /// What its harvest sold for, in money.
    sold: f64,
}

#[derive(Clone)]
struct Learner {
    p: CropLearnerPolicy,
    field: CropField,
    tending: Tending,
    beliefs: Beliefs,
    /// What each plot tries.
    open: Vec<Option<Open>>,
    /// The plot that was harvested in the last step.
    harvested: Option<usize>,
    /// The sales of the episode when it last looked.
    sales: f64,
}

/// Days in which a crop is young.
const YOUNG: u32 = 35;
/// How much what is not known is worth with a year left to use it, and in the last season.
const CURIOSITY: [f64; 2] = [0.8, 0.0];
/// Days of a year.
const YEAR: u32 = 365;

impl Learner {
    /// Notes what the last step has sold.
    fn settle(&mut self, game: &Game, state: &State) {
        let sales = self.field.sales(game, state);
        let sold = sales - std::mem::replace(&mut self.sales, sales);
        if let Some(open) = self.harvested.take().and_then(|plot| self.open[plot].as_mut()) {
            open.sold += sold;
        }
    }

    /// Learns from what is not in its plot any more.
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

    /// In which season a sowing of this day would be, if in any.
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
            self.beliefs = Beliefs::new(self.field.crops());
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
        // What each plot would try, if it could be sown today.
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
