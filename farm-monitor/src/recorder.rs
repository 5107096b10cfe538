//! Making rows of what episodes show.

use std::path::PathBuf;

use farm_core::{Game, Monitor, State, Transition};
use farm_output::OutputError;

use serde::{Deserialize, Serialize};

use crate::{Series, bits};

/// Something that happened in a step, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// The part that tells it, such as `Field-0.Plant-0`.
    pub part: String,
    /// What happened.
    pub name: String,
    /// The plot (or item) it happened at.
    pub plot: u32,
    /// How much.
    #[serde(with = "bits::one")]
    pub value: f64,
    /// What the value means, where values have names.
    pub label: Option<String>,
    /// Whether it tells of a state that lasts, step after step, rather than of something that happened once.
    pub is_lasting: bool,
}

/// How an episode stood at its start or after a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the environment among those of a batch; 0 for one that stands alone.
    pub environment: usize,
    /// Number of the episode, from 0.
    pub episode: usize,
    /// Its seed.
    pub seed: u64,
    /// Days that have passed, 0 at the start. Where a day takes several steps, several rows have the same.
    pub step: u32,
    /// The reward of the step, costs subtracted; none at the start.
    pub reward: Option<f64>,
    /// What its interventions cost.
    pub intervention_cost: f64,
    /// What its observations cost.
    pub observation_cost: f64,
    /// The executed actions in words.
    pub actions: Vec<String>,
    /// What happened.
    pub events: Vec<Happening>,
    /// Whether the episode was over after it.
    pub is_over: bool,
    /// Why it was over, in words.
    pub stop: Option<String>,
    /// The numbers of all series, one behind the other.
    #[serde(with = "bits")]
    pub values: Vec<f64>,
}

/// Who wants the rows of episodes.
pub trait Sink {
    /// Takes a row. Rows come in order; `step` 0 without a reward begins an episode.
    ///
    /// # Errors
    /// What can't be written; the sink is of no use then.
    fn row(&mut self, row: &Row) -> Result<(), OutputError>;

    /// Writes what is left to write; no row comes after it.
    ///
    /// # Errors
    /// What can't be written.
    fn finish(self: Box<Self>) -> Result<(), OutputError>;

    /// The same for episodes of which fewer were played than were meant to be, or of which one was cut short: a file that is written as a
    /// whole gets the name of [`farm_output::incomplete`], and an earlier one of the usual name stays as it is. Returns the new name, if
    /// there is one. What is written while it is played has its name already.
    ///
    /// # Errors
    /// What can't be written.
    fn finish_incomplete(self: Box<Self>) -> Result<Option<PathBuf>, OutputError> {
        self.finish().map(|()| None)
    }
}

/// Makes rows of the states of a game.
#[derive(Debug)]
pub struct Recorder {
    monitors: Vec<Monitor>,
    series: Vec<Series>,
    row: Row,
    episodes: usize,
}

impl Recorder {
    /// A recorder of the monitors that the game names; of every variable if it names none.
    pub fn of(game: &Game) -> Self {
        let monitors = if game.monitors().is_empty() { Monitor::every(game) } else { game.monitors().to_vec() };
        Self::new(game, monitors)
    }

    /// A recorder of these monitors of the game.
    pub fn new(game: &Game, monitors: Vec<Monitor>) -> Self {
        let series = monitors.iter().map(|monitor| Series::of(monitor, game)).collect();
        let values = vec![0.0; monitors.iter().map(Monitor::len).sum()];
        Self { monitors, series, row: Row { values, ..Row::default() }, episodes: 0 }
    }

    /// What each of its rows holds.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// The monitors, in the order of the series.
    pub fn monitors(&self) -> &[Monitor] {
        &self.monitors
    }

    /// Goes on with another game's monitors, such as those of the same names in a variant of the game. The next episode has the
    /// next number.
    pub fn rebind(&mut self, other: Self) {
        let (episodes, environment) = (self.episodes, self.row.environment);
        *self = other;
        self.go_on(episodes);
        self.of_environment(environment);
    }

    /// Makes rows of this environment of a batch from now on.
    pub fn of_environment(&mut self, environment: usize) {
        self.row.environment = environment;
    }

    /// How many episodes have begun.
    pub fn episodes(&self) -> usize {
        self.episodes
    }

    /// Goes on after so many episodes: the next one has this number.
    pub fn go_on(&mut self, episodes: usize) {
        self.episodes = episodes;
        self.row.episode = episodes.saturating_sub(1);
    }

    /// The row of the start of an episode, or of a state that play goes on from.
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

    /// The row of what a step led to.
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
        row.stop = record.stop().map(|stop| game.stop_reason(stop));
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
