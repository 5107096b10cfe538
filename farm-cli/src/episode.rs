//! Playing episodes: what `farm run` and `farm eval` have in common.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::bail;
use farm_core::action::Call;
use farm_core::{Game, Player, State, StepRecord};
use farm_report::Report;
use indicatif::{ProgressBar, ProgressStyle};

use crate::explain::Story;
use crate::film::Film;
use crate::interrupts::{Interrupts, Stopped};
use crate::monitoring::Monitoring;

/// How long a run may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// After how many steps an episode of a game without a limit is said never to end: some 2700 years of days.
const ENDLESS: u64 = 1_000_000;

/// What remains of an episode.
pub struct Episode {
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
    /// What happened in it; empty unless it was asked for.
    pub story: Story,
}

/// What episodes are played with, one after the other.
pub struct Buffers {
    state: State,
    record: StepRecord,
    schedule: Vec<Call>,
    /// Films the episodes that are played, if somebody wants a film.
    pub film: Option<Film>,
    /// Watches the episodes that are played, if somebody wants a report.
    pub report: Option<Report>,
    /// Records the episodes that are played, if somebody wants that.
    pub monitoring: Option<Monitoring>,
    /// Signals that end an episode before its time; none unless somebody notes them.
    pub interrupts: Interrupts,
}

impl Buffers {
    /// Buffers for episodes of a game.
    pub fn new(game: &Game) -> Self {
        let (state, record) = (game.new_state(), game.new_record());
        let interrupts = Interrupts::default();
        Self { state, record, schedule: Vec::new(), film: None, report: None, monitoring: None, interrupts }
    }
}

/// Plays one episode. `watch` is told every now and then how many steps a long one has taken.
///
/// # Errors
/// A game that never ends or whose numbers are no longer finite; [`Stopped`] after a second signal.
pub fn play(
    game: &Game,
    player: &mut dyn Player,
    seed: u64,
    buffers: &mut Buffers,
    explain: bool,
    watch: &mut dyn FnMut(u64),
) -> anyhow::Result<Episode> {
    let Buffers { state, record, schedule, film, report, monitoring, interrupts } = buffers;
    let mut story = Story::default();
    game.reset(state, seed, record);
    player.start(seed);
    if let Some(film) = film {
        film.start(state);
    }
    if let Some(report) = report {
        report.start(state);
    }
    if let Some(monitoring) = monitoring {
        monitoring.start(game, state);
    }
    let (mut total, mut steps) = (0.0, 0);
    let mut events: Vec<Vec<f64>> = game.events.iter().map(|(_, info)| vec![0.0; info.labels.len().max(1)]).collect();
    loop {
        schedule.clear();
        player.choose(game, state, schedule);
        let outcome = game.step(state, schedule, record)?;
        total += outcome.reward;
        steps += 1;
        if let Some(film) = film {
            film.step(game, state, record, outcome.reward);
        }
        if let Some(report) = report {
            report.step(state, record, &outcome);
        }
        if let Some(monitoring) = monitoring {
            monitoring.step(game, state, record, &outcome);
        }
        for event in &record.events {
            match events.get_mut(event.id.index()).map(Vec::as_mut_slice) {
                Some([sum]) => *sum += event.value,
                Some(labels) => labels.iter_mut().skip(event.value as usize).take(1).for_each(|n| *n += 1.0),
                None => {}
            }
        }
        if explain {
            story.note(game, steps, record);
        }
        if outcome.over() {
            let stop = record.stop.map(|stop| game.stop_reason(stop)).unwrap_or_default();
            let reader = game.reader(state);
            let constraints = game.constraints.iter().flat_map(|info| reader.get(info.total)).copied().collect();
            let (terminated, truncated) = (outcome.terminated, outcome.truncated);
            return Ok(Episode {
                seed,
                total,
                steps,
                days: u64::from(state.step),
                terminated,
                truncated,
                stop,
                state_hash: state.hash(),
                events,
                constraints,
                story,
            });
        }
        if interrupts.is_urgent() {
            return Err(Stopped.into());
        }
        if steps >= ENDLESS && game.max_steps().is_none() {
            let rule = game.spec.rules.typetag_name();
            bail!("no end after {steps} steps: give `{rule}` a limit of steps, `farm describe {rule}` says how");
        }
        if steps % 4096 == 0 {
            watch(steps);
        }
    }
}

/// A bar on standard error, for runs that take a while and are watched.
pub struct Progress {
    start: Instant,
    episodes: u64,
    done: u64,
    watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// For so many episodes, beginning now.
    pub fn new(episodes: u64) -> Self {
        let watched = std::io::stderr().is_terminal();
        Self { start: Instant::now(), episodes, done: 0, watched, bar: None }
    }

    fn bar(&mut self) -> Option<&ProgressBar> {
        if self.bar.is_none() && self.watched && self.start.elapsed() > PATIENCE {
            let template = "{bar:30} {human_pos}/{human_len} episodes after {elapsed} {msg}";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bar = Some(ProgressBar::new(self.episodes).with_elapsed(self.start.elapsed()).with_style(style));
        }
        self.bar.as_ref()
    }

    /// One more episode has been played.
    pub fn episode_done(&mut self) {
        self.done += 1;
        let done = self.done;
        if let Some(bar) = self.bar() {
            bar.set_position(done);
        }
    }

    /// Shows that something happens in an episode that does not end soon.
    pub fn long_episode(&mut self, steps: u64) {
        if let Some(bar) = self.bar() {
            bar.set_message(format!("(step {steps} of this one)"));
        }
    }

    /// Takes the bar away and tells how many seconds the run took.
    pub fn finish(self) -> f64 {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed().as_secs_f64().max(1e-9)
    }
}
