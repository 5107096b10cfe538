//! The daily work in a field of crops: harvest ripe plots, sow the chosen crops, fertilise and water growing plots.

use farm_core::action::Call;
use farm_core::{Game, State};

use super::field::{CropField, Growth};
use crate::policies::schedule_budget::ScheduleBudget;

/// When a plot is watered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Watering {
    /// As soon as the plot contains less than this number of litres.
    Below(f64),
    /// At an interval of this number of days, if soil water is not observed.
    Every(u32),
}

/// A plot's crop, and its care.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Care {
    /// The index of the crop.
    pub crop: usize,
    /// When it is watered.
    pub watering: Watering,
    /// The amount of a watering, in litres.
    pub litres: f64,
    /// Whether it is fertilised after emergence.
    pub is_fed: bool,
}

/// The care of a plot so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bed {
    /// The sown crop and its care; none if the plot has no living plants.
    pub care: Option<Care>,
    /// The steps in which it was last sown, fertilised (if at all) and watered.
    pub sown: u32,
    fed: Option<u32>,
    watered: u32,
    /// How often it was sown in the episode.
    pub sowings: usize,
}

/// A piece of work.
#[derive(Debug, Clone, Copy)]
enum Work {
    Harvest,
    Clear,
    Sow(Care),
    Feed,
    Water,
}

/// Tends all plots in a field.
#[derive(Debug, Clone)]
pub(crate) struct Tending {
    pub beds: Vec<Bed>,
    budget: ScheduleBudget,
    /// Today's work: priority, plot, work and call.
    due: Vec<(f64, usize, Work, Call)>,
}

impl Tending {
    /// A field before the first sowing.
    pub(crate) fn new(field: &CropField, game: &Game) -> Self {
        Self { beds: vec![Bed::default(); field.plots()], budget: ScheduleBudget::of(game), due: Vec::new() }
    }

    /// Starts a new episode.
    pub(crate) fn start(&mut self) {
        self.beds.fill(Bed::default());
    }

    /// Appends a day's work.
    ///
    /// `choose` returns the crop to sow in a plot that is free or can be cleared, if any. Each harvested plot is passed to `harvested`.
    pub(crate) fn work(
        &mut self,
        field: &CropField,
        (game, state): (&Game, &State),
        schedule: &mut Vec<Call>,
        choose: &mut dyn FnMut(usize, &Bed) -> Option<Care>,
        harvested: &mut dyn FnMut(usize),
    ) {
        let (step, days) = (state.step(), field.days);
        // Unripe fruits are better than none, so the last days are for harvesting them.
        let is_end = step as usize + self.beds.len() >= days as usize;
        self.due.clear();
        for plot in 0..self.beds.len() {
            let standing = field.standing(game, state, plot);
            let bed = &mut self.beds[plot];
            if standing.is_none_or(|(_, growth)| growth == Growth::Dead) && bed.care.is_some() && step > bed.sown {
                bed.care = None;
            }
            let mut due = |pressing: f64, work: Work, call: Call| self.due.push((pressing, plot, work, call));
            match standing {
                None => {
                    if let Some(care) = choose(plot, bed) {
                        due(3.0, Work::Sow(care), field.sow(care.crop, plot));
                    }
                }
                Some((crop, Growth::Dead)) => {
                    if let Some(clear) = field.remove(crop, plot).filter(|_| choose(plot, bed).is_some()) {
                        due(3.0, Work::Clear, clear);
                    }
                }
                Some((crop, Growth::Ripe)) => due(4.0, Work::Harvest, field.harvest(crop, plot)),
                Some((crop, Growth::Fruits)) if is_end => due(4.0, Work::Harvest, field.harvest(crop, plot)),
                Some((_, growth)) => {
                    let Some(care) = bed.care else { continue };
                    if care.is_fed && growth == Growth::Leaves && bed.fed.is_none() {
                        due(2.0, Work::Feed, field.feed(plot));
                    }
                    let thirst = match care.watering {
                        Watering::Below(level) => 1.0 - field.water(game, state, plot) / level,
                        Watering::Every(days) => f64::from(step - bed.watered) / f64::from(days.max(1)) - 0.999,
                    };
                    if thirst > 0.0 {
                        due(thirst.min(1.0), Work::Water, field.water_with(care.litres, plot));
                    }
                }
            }
        }
        // For equal priorities, the first plot comes first.
        self.due.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut is_harvest_day = false;
        for (_, plot, work, call) in &self.due {
            // One harvest a day, so that the reward belongs to one plot.
            if is_harvest_day && matches!(work, Work::Harvest) {
                continue;
            }
            if !self.budget.holds(game, state, schedule, call) {
                continue;
            }
            schedule.push(*call);
            let bed = &mut self.beds[*plot];
            match work {
                Work::Sow(care) => {
                    *bed = Bed { care: Some(*care), sown: step, fed: None, watered: step, sowings: bed.sowings + 1 };
                }
                Work::Feed => bed.fed = Some(step),
                Work::Water => bed.watered = step,
                Work::Harvest => {
                    is_harvest_day = true;
                    harvested(*plot);
                }
                Work::Clear => {}
            }
        }
        self.budget.wait_if_empty(game, schedule);
    }
}
