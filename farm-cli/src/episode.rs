//! Playing episodes: what `farm run` and `farm eval` have in common.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use farm_core::{Agent, EpisodeRunner, Event, Game, Observer, ObserverError, PlayError, SeedSplit, State, Transition};
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupts::{Interrupts, Stopped};

/// How long a run may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// After how many steps an episode of a game without a limit is said never to end: some 2700 years of days.
const ENDLESS: u64 = 1_000_000;

/// What remains of an episode.
pub(crate) struct Episode {
    /// Its seed.
    pub seed: u64,
    /// Its return: the sum of all rewards.
    pub total: f64,
    /// Steps taken.
    pub steps: u64,
    /// Days that have passed; a day may have several steps.
    pub days: u64,
    /// Whether the game came to an end.
    pub terminated: bool,
    /// Whether the step limit cut it off.
    pub truncated: bool,
    /// Why it ended, in words.
    pub stop: String,
    /// Hash of the last state.
    pub state_hash: u64,
    /// The summed values of each event kind, or of each label of one how often it came.
    pub events: Vec<Vec<f64>>,
    /// The total of each of the game's constraints.
    pub constraints: Vec<f64>,
}

/// What episodes are played with, one after the other.
pub(crate) struct Buffers<'g> {
    runner: EpisodeRunner<'g>,
    interrupts: Interrupts,
}

impl<'g> Buffers<'g> {
    /// Buffers for episodes of a game, which signals end before their time.
    pub(crate) fn new(game: &'g Game, interrupts: Interrupts) -> Self {
        Self { runner: EpisodeRunner::new(game), interrupts }
    }
}

/// Plays one episode. `watch` is told every now and then how many steps a long one has taken.
///
/// # Errors
/// A game that never ends or whose numbers are no longer finite; [`Stopped`] after a second signal; an observer that can't go on.
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
    // Whoever wrote the seed on the command line has named its split with it.
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
        stop: runner.record().stop().map(|stop| game.stop_reason(stop)).unwrap_or_default(),
        state_hash: state.hash(),
        events: events.0,
        constraints: game.constraints().iter().flat_map(|info| reader.get(info.total)).copied().collect(),
    })
}

/// The summed values of each event kind, or of each label of one how often it came.
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

/// Ends an episode that somebody has stopped or that never ends, and shows how far a long one is.
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
        if self.steps >= ENDLESS && transition.game.max_steps().is_none() {
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
        let remedy = format!("give `{rule}` a limit of steps, `farm describe {rule}` says how");
        format!("no end after {steps} steps: {remedy}").into()
    }
}

/// A bar on standard error, for runs that take a while and are watched.
pub(crate) struct Progress {
    start: Instant,
    /// What is counted.
    what: &'static str,
    episodes: u64,
    done: u64,
    watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// For so many episodes, beginning now.
    pub(crate) fn new(episodes: u64) -> Self {
        Self::of(episodes, "episodes")
    }

    /// For so many of something else.
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

    /// One more episode has been played.
    pub(crate) fn episode_done(&mut self) {
        self.done += 1;
        let done = self.done;
        if let Some(bar) = self.bar() {
            bar.set_position(done);
        }
    }

    /// Shows that something happens in an episode that does not end soon.
    pub(crate) fn long_episode(&mut self, steps: u64) {
        if let Some(bar) = self.bar() {
            bar.set_message(format!("(step {steps} of this one)"));
        }
    }

    /// Takes the bar away and tells how many seconds the run took.
    pub(crate) fn finish(self) -> f64 {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed().as_secs_f64().max(1e-9)
    }
}
