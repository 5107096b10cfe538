//! Plays episodes for `farm run`, `farm eval` and other commands.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use farm_core::{Agent, EpisodeRunner, Event, Game, Observer, ObserverError, PlayError, SeedSplit, State, Transition};
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupts::{Interrupts, Stopped};

/// The time after which progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The number of steps after which a game without a step limit counts as endless: 2700 years of days.
const ENDLESS: u64 = 1_000_000;

/// An episode's result.
pub(crate) struct Episode {
    /// Its seed.
    pub seed: u64,
    /// Its return: the sum of all rewards.
    pub total: f64,
    /// Number of steps.
    pub steps: u64,
    /// Number of days. A day can have several steps.
    pub days: u64,
    /// Whether the game ended.
    pub terminated: bool,
    /// Whether the step limit ended it.
    pub truncated: bool,
    /// The reason why it ended, in words.
    pub stop: String,
    /// Hash of the last state.
    pub state_hash: u64,
    /// The summed values of each kind of event. For kinds with labels, the count of each label.
    pub events: Vec<Vec<f64>>,
    /// The totals of the game's constraints.
    pub constraints: Vec<f64>,
}

/// Buffers that consecutive episodes share.
pub(crate) struct Buffers<'g> {
    runner: EpisodeRunner<'g>,
    interrupts: Interrupts,
}

impl<'g> Buffers<'g> {
    /// Creates buffers for a game's episodes. Signals end an episode early.
    pub(crate) fn new(game: &'g Game, interrupts: Interrupts) -> Self {
        Self { runner: EpisodeRunner::new(game), interrupts }
    }
}

/// Plays one episode. During a long episode, `watch` regularly receives the number of steps.
///
/// # Errors
/// Fails if the game never ends, if its numbers are no longer finite, if a second signal arrives ([`Stopped`]), or if an observer fails.
pub(crate) fn play(
    buffers: &mut Buffers<'_>,
    player: &mut dyn Agent,
    seed: u64,
    observer: impl Observer,
    watch: &mut dyn FnMut(u64),
) -> anyhow::Result<Episode> {
    let Buffers { runner, interrupts } = buffers;
    let (game, mut events) = (runner.game(), EventTotals::default());
    let patience = Patience { interrupts, watch, steps: 0 };
    // The command line names the split of a reserved seed.
    runner.name_split(SeedSplit::of(seed));
    let played = runner.play(player, seed, &mut (observer, &mut events, patience)).map_err(|error| match error {
        PlayError::Step(error) => error.into(),
        PlayError::Observer(error) => match error.downcast::<Stopped>() {
            Ok(stopped) => anyhow::Error::from(*stopped),
            Err(error) => anyhow::Error::from_boxed(error),
        },
        other => other.into(),
    })?;
    let (state, reader) = (runner.state(), game.reader(runner.state()));
    Ok(Episode {
        seed,
        total: played.total(),
        steps: played.steps(),
        days: u64::from(state.step()),
        terminated: played.terminated(),
        truncated: played.truncated(),
        stop: runner.record().stop().map(|stop| game.text().stop_reason(stop)).unwrap_or_default(),
        state_hash: state.hash(),
        events: events.0,
        constraints: game.constraints().iter().flat_map(|info| reader.get(info.total)).copied().collect(),
    })
}

/// The summed values of each kind of event. For kinds with labels, the count of each label.
#[derive(Default)]
struct EventTotals(Vec<Vec<f64>>);

impl EventTotals {
    fn add(&mut self, event: &Event) {
        match self.0.get_mut(event.id.index()).map(Vec::as_mut_slice) {
            Some([sum]) => *sum += event.value,
            Some(labels) => labels.iter_mut().skip(event.value as usize).take(1).for_each(|n| *n += 1.0),
            None => {}
        }
    }
}

impl Observer for EventTotals {
    fn after_reset(&mut self, game: &Game, _: &State) -> Result<(), ObserverError> {
        self.0 = game.events().iter().map(|(_, info)| vec![0.0; info.labels().len().max(1)]).collect();
        Ok(())
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        transition.record.events().iter().for_each(|event| self.add(event));
        Ok(())
    }
}

/// Ends an episode after signals, or if it would never end, and reports the progress of a long episode.
struct Patience<'p> {
    interrupts: &'p Interrupts,
    watch: &'p mut dyn FnMut(u64),
    steps: u64,
}

impl Observer for Patience<'_> {
    #[inline]
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        self.steps += 1;
        if transition.outcome.over() {
            return Ok(());
        }
        if self.interrupts.is_urgent() {
            return Err(Stopped.into());
        }
        if self.steps >= ENDLESS && transition.game.rules().max_steps.is_none() {
            return Err(self.endless(transition.game));
        }
        if self.steps.is_multiple_of(4096) {
            (self.watch)(self.steps);
        }
        Ok(())
    }
}

impl Patience<'_> {
    #[cold]
    fn endless(&self, game: &Game) -> ObserverError {
        let (steps, rule) = (self.steps, game.spec().rules().typetag_name());
        let remedy = format!("give `{rule}` a step limit; `farm describe {rule}` lists its parameters");
        format!("no end after {steps} steps: {remedy}").into()
    }
}

/// A progress bar on standard error, for long runs on a terminal.
pub(crate) struct Progress {
    start: Instant,
    /// The plural noun for the counted things.
    what: &'static str,
    episodes: u64,
    done: u64,
    watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts a bar for this number of episodes.
    pub(crate) fn new(episodes: u64) -> Self {
        Self::of(episodes, "episodes")
    }

    /// Starts a bar for this number of other things.
    pub(crate) fn of(number: u64, what: &'static str) -> Self {
        let watched = std::io::stderr().is_terminal();
        Self { start: Instant::now(), what, episodes: number, done: 0, watched, bar: None }
    }

    fn bar(&mut self) -> Option<&ProgressBar> {
        if self.bar.is_none() && self.watched && self.start.elapsed() > PATIENCE {
            let template = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {} after {{elapsed}} {{msg}}", self.what);
            let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bar = Some(ProgressBar::new(self.episodes).with_elapsed(self.start.elapsed()).with_style(style));
        }
        self.bar.as_ref()
    }

    /// Counts one more finished episode.
    pub(crate) fn episode_done(&mut self) {
        self.done += 1;
        let done = self.done;
        if let Some(bar) = self.bar() {
            bar.set_position(done);
        }
    }

    /// Shows the current step of a long episode.
    pub(crate) fn long_episode(&mut self, steps: u64) {
        if let Some(bar) = self.bar() {
            bar.set_message(format!("(step {steps} of this one)"));
        }
    }

    /// Removes the bar and returns the duration in seconds.
    pub(crate) fn finish(self) -> f64 {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed().as_secs_f64().max(1e-9)
    }
}
