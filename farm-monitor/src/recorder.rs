//! Converts the states of episodes to rows.

use std::path::PathBuf;

use farm_core::{Game, Monitor, State, Transition};
use farm_output::OutputError;

use serde::{Deserialize, Serialize};

use crate::{Series, bits};

/// An event in a step, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// The part that reports it, such as `Field-0.Plant-0`.
    pub part: String,
    /// The name of the event.
    pub name: String,
    /// The plot or item where it happened.
    pub plot: u32,
    /// The amount.
    #[serde(with = "bits::one")]
    pub value: f64,
    /// The word for the value, if the event's values have names.
    pub label: Option<String>,
    /// Whether it describes a state that lasts for several steps, instead of a single event.
    pub is_lasting: bool,
}

/// An episode's state at its start or after a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Index of the environment in its batch; 0 for a single environment.
    pub environment: usize,
    /// Index of the episode, from 0.
    pub episode: usize,
    /// Its seed.
    pub seed: u64,
    /// Number of days that have passed; 0 at the start. If a day has several steps, several rows have the same number.
    pub step: u32,
    /// The step's reward, after costs; none at the start.
    pub reward: Option<f64>,
    /// The cost of the step's interventions.
    pub intervention_cost: f64,
    /// The cost of the step's observations.
    pub observation_cost: f64,
    /// The executed actions in words.
    pub actions: Vec<String>,
    /// The events in the step.
    pub events: Vec<Happening>,
    /// Whether the episode is over after this step.
    pub is_over: bool,
    /// The reason for the end, in words.
    pub stop: Option<String>,
    /// The numbers of all series, in order.
    #[serde(with = "bits")]
    pub values: Vec<f64>,
}

/// Receives the rows of episodes.
pub trait Sink {
    /// Receives a row. Rows arrive in order; `step` 0 without a reward starts an episode.
    ///
    /// # Errors
    /// The row cannot be written; the sink is then unusable.
    fn row(&mut self, row: &Row) -> Result<(), OutputError>;

    /// Writes the remaining data; no row follows.
    ///
    /// # Errors
    /// The data cannot be written.
    fn finish(self: Box<Self>) -> Result<(), OutputError>;

    /// Replaces `finish` if fewer episodes were played than planned, or if an episode was cut off. A file that is written all at once gets
    /// its name from [`farm_output::incomplete`], and an earlier file with the usual name stays unchanged. Returns the new name, if there
    /// is one. Files that are written during the episode already have their names.
    ///
    /// # Errors
    /// The data cannot be written.
    fn finish_incomplete(self: Box<Self>) -> Result<Option<PathBuf>, OutputError> {
        self.finish().map(|()| None)
    }
}

/// Makes rows from a game's states.
#[derive(Debug)]
pub struct Recorder {
    monitors: Vec<Monitor>,
    series: Vec<Series>,
    row: Row,
    episodes: usize,
}

impl Recorder {
    /// Creates a recorder for the game's monitors, or for every variable if the game has no monitors.
    pub fn of(game: &Game) -> Self {
        let monitors = if game.monitors().is_empty() { Monitor::every(game) } else { game.monitors().to_vec() };
        Self::new(game, monitors)
    }

    /// Creates a recorder for these monitors in the game.
    pub fn new(game: &Game, monitors: Vec<Monitor>) -> Self {
        let series = monitors.iter().map(|monitor| Series::of(monitor, game)).collect();
        let values = vec![0.0; monitors.iter().map(Monitor::len).sum()];
        Self { monitors, series, row: Row { values, ..Row::default() }, episodes: 0 }
    }

    /// The series in each row.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// The monitors, in the order of the series.
    pub fn monitors(&self) -> &[Monitor] {
        &self.monitors
    }

    /// Switches to another game's monitors, such as the monitors with the same names in a variant of the game. The numbering of episodes
    /// continues.
    pub fn rebind(&mut self, other: Self) {
        let (episodes, environment) = (self.episodes, self.row.environment);
        *self = other;
        self.go_on(episodes);
        self.of_environment(environment);
    }

    /// Assigns later rows to this environment in a batch.
    pub fn of_environment(&mut self, environment: usize) {
        self.row.environment = environment;
    }

    /// The number of episodes that have started.
    pub fn episodes(&self) -> usize {
        self.episodes
    }

    /// Continues after this number of episodes, which is the index of the next episode.
    pub fn go_on(&mut self, episodes: usize) {
        self.episodes = episodes;
        self.row.episode = episodes.saturating_sub(1);
    }

    /// The row for the start of an episode, or for the state from which an episode resumes.
    pub fn start(&mut self, game: &Game, state: &State) -> &Row {
        let Row { actions, events, .. } = &mut self.row;
        actions.clear();
        events.clear();
        self.row.episode = self.episodes;
        self.episodes += 1;
        (self.row.reward, self.row.stop) = (None, None);
        (self.row.intervention_cost, self.row.observation_cost) = (0.0, 0.0);
        self.read(game, state)
    }

    /// The row for the state after a step.
    pub fn step(&mut self, transition: &Transition<'_>) -> &Row {
        let Transition { game, state, record, outcome, .. } = transition;
        let row = &mut self.row;
        row.reward = Some(outcome.reward);
        row.intervention_cost = record.intervention_cost();
        row.observation_cost = record.observation_cost();
        row.actions.clear();
        row.actions.extend(record.executed().iter().map(|call| game.catalogue().write(call)));
        row.events.clear();
        row.events.extend(record.events().iter().filter_map(|event| {
            let (part, info) = game.events().get(event.id.index())?;
            Some(Happening {
                part: game.parts().get(*part)?.path().to_owned(),
                name: info.name().to_owned(),
                plot: event.plot,
                value: event.value,
                label: info.label(event.value).map(str::to_owned),
                is_lasting: info.lasting(),
            })
        }));
        row.stop = record.stop().map(|stop| game.text().stop_reason(stop));
        self.read(game, state)
    }

    fn read(&mut self, game: &Game, state: &State) -> &Row {
        (self.row.seed, self.row.step, self.row.is_over) = (state.seed(), state.step(), state.over());
        let reader = game.reader(state);
        let mut rest = self.row.values.as_mut_slice();
        for monitor in &self.monitors {
            let (out, next) = rest.split_at_mut(monitor.len().min(rest.len()));
            monitor.read(&reader, out);
            rest = next;
        }
        &self.row
    }
}
