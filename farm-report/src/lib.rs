#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! This crate depends on no entity and no game, because it draws only declared content. A [`Report`] observes an episode, and
//! [`Report::page`] writes the page.
//!
//! | section | from |
//! |---|---|
//! | monitoring | the monitors that the game names |
//! | season in numbers | roles of crops, soil and weather, and the labels of crop events |
//! | reward, costs, actions | step records and the action table |
//! | events | declared events |
//! | balances | declared balances ([`farm_core::declare::MassBalance`]) |
//! | film | `farm-render` |
//! | every part | the variables of all parts |
//!
//! Pages stay at a moderate size even for long episodes: the report then keeps every second, fourth, … day, and the page mentions the
//! interval.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod actions;
mod agronomy;
mod balances;
mod calendar;
mod charts;
mod compare;
mod events;
mod film;
mod html;
mod monitored;
mod page;
mod rows;
mod sections;
mod series;
mod summary;

use std::sync::Arc;

use farm_core::labels::{Labels, Language};
use farm_core::{Game, Observer, ObserverError, State, Transition};
use farm_render::RenderError;

use actions::ActionTallies;
use agronomy::Season;
pub use agronomy::harvest;
use balances::MassBalances;
pub use compare::compare;
use events::EventTable;
use film::FilmStrip;
use monitored::Monitored;
use rows::{Rows, Thinning};
use series::GameSeries;

/// Facts about a run that are not in its episodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// The preset that was played, if any.
    pub preset: Option<String>,
    /// The policy that played; empty if it is unknown.
    pub policy: String,
    /// The command or code that replays the episode; empty if there is none.
    pub command: String,
    /// Whether `command` replays the whole episode. If the caller chose the actions, the command replays only the beginning.
    pub is_whole: bool,
    /// Name and version of the program.
    pub version: String,
    /// The language of labels, headings and the reason for the end; the game's other texts stay in English.
    pub language: Language,
}

/// The result of one episode in the run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EpisodeLine {
    /// Its seed.
    pub seed: u64,
    /// The sum of its rewards.
    pub total: f64,
    /// Steps taken.
    pub steps: u64,
    /// The reason why the episode ended, in words.
    pub stop: String,
    /// Hash of its last state.
    pub state_hash: u64,
}

/// A line in the season summary: a quantity's name, and its amount with the unit.
pub type SeasonLine = (String, String);

/// The reason that pages show for an episode that was stopped early.
pub const LEFT: &str = "it was not played to its end";

/// A report that records an episode.
#[derive(Debug)]
pub struct Report {
    game: Arc<Game>,
    run: Run,
    thinning: Thinning,
    all_series: GameSeries,
    monitored: Monitored,
    mass_balances: MassBalances,
    season: Season,
    events: EventTable,
    tallies: ActionTallies,
    /// The film strip, which `Report::page` consumes.
    strip: Option<FilmStrip>,
    /// Cumulative rewards, intervention costs and observation costs at each recorded step.
    sums: Rows<3>,
    so_far: [f64; 3],
    /// The part of the last reward that the score gives for the episode as a whole.
    final_reward: f64,
    seed: u64,
    steps: u64,
    day: u32,
    stop: Option<String>,
    state_hash: u64,
    is_started: bool,
}

impl Report {
    /// The labels in its language.
    pub(crate) fn labels(&self) -> &'static Labels {
        Labels::of(self.run.language)
    }

    /// Creates a report for an episode of a game.
    ///
    /// # Errors
    /// A sprite is not a valid SVG.
    pub fn new(game: Arc<Game>, run: Run) -> Result<Self, RenderError> {
        Ok(Self {
            all_series: GameSeries::of(&game),
            monitored: Monitored::of(&game),
            mass_balances: MassBalances::of(&game),
            season: Season::of(&game),
            events: EventTable::of(&game),
            tallies: ActionTallies::of(&game),
            strip: Some(FilmStrip::new(game.clone())?),
            thinning: Thinning::default(),
            sums: Rows::default(),
            so_far: [0.0; 3],
            final_reward: 0.0,
            seed: 0,
            steps: 0,
            day: 0,
            stop: None,
            state_hash: 0,
            is_started: false,
            game,
            run,
        })
    }

    /// Records a request in the last step that is not one of the game's actions, with the reason.
    pub fn unread(&mut self, said: String, reason: String) {
        self.tallies.note_unread(said, reason);
    }

    /// Records a state's numbers, if its day is one of the recorded days.
    fn keep(&mut self, state: &State) {
        if !self.thinning.wants(state.step()) {
            return;
        }
        self.all_series.read(&self.game.reader(state));
        self.monitored.read(&self.game.reader(state));
        self.mass_balances.keep();
        self.sums.push(self.so_far);
        if self.thinning.kept(state.step()) {
            self.all_series.halve();
            self.monitored.halve();
            self.mass_balances.halve();
            self.sums.halve();
        }
    }

    /// Whether an episode has started.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.is_started
    }

    /// Summarises each field's season: harvest, water and leached nitrogen. Empty for a game without crops.
    #[must_use]
    pub fn season(&self) -> Vec<SeasonLine> {
        let several = self.game.fields().len() > 1;
        let fields = self.game.fields().iter().enumerate();
        let of = |(i, field): (usize, &Arc<farm_core::declare::FieldInfo>)| {
            let lines = self.season.lines(&self.game, i);
            let name = if several { format!("{}: ", field.name()) } else { String::new() };
            lines.into_iter().map(move |(what, amount)| (format!("{name}{what}"), amount)).collect::<Vec<_>>()
        };
        fields.flat_map(of).collect()
    }

    /// Writes the HTML page, which shows this episode and lists `episodes`. These are all episodes in the run, starting with this one.
    ///
    /// # Errors
    /// A picture can't be encoded.
    pub fn page(self, episodes: &[EpisodeLine]) -> Result<String, RenderError> {
        page::write(self, episodes)
    }
}

impl Observer for Report {
    fn after_reset(&mut self, _: &Game, state: &State) -> Result<(), ObserverError> {
        (self.is_started, self.day) = (true, state.step());
        (self.seed, self.state_hash) = (state.seed(), state.hash());
        let reader = self.game.reader(state);
        self.mass_balances.open(&self.game, &reader);
        self.season.open(&reader);
        if let Some(strip) = &mut self.strip {
            strip.frame(state, 0.0, None, &[]);
        }
        self.keep(state);
        Ok(())
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let Transition { state, record, outcome, .. } = transition;
        self.steps += 1;
        let costs = [record.intervention_cost(), record.observation_cost()];
        self.so_far[0] += outcome.reward;
        self.final_reward = record.final_reward();
        self.so_far[1] += costs[0];
        self.so_far[2] += costs[1];
        // If a day takes several steps, all but the last belong to the day that has not ended yet.
        let has_passed = state.step() > self.day;
        let day = if has_passed { state.step() } else { state.step().saturating_add(1) };
        self.events.note(day, record);
        self.tallies.note(day, record);
        self.state_hash = state.hash();
        self.stop = record.stop().map(|stop| self.game.text().stop_reason(stop));
        if has_passed {
            self.day = state.step();
            self.mass_balances.note(&self.game, &self.game.reader(state));
            self.season.note(&self.game.reader(state));
        }
        if has_passed || state.over() {
            if let Some(strip) = &mut self.strip {
                strip.frame(state, self.so_far[0], Some(outcome.reward), record.executed());
            }
            if has_passed {
                self.keep(state);
            }
        }
        Ok(())
    }
}
