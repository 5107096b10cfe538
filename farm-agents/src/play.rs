//! Playing a run: its episodes on several threads, each from where its trace ends.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use farm_core::config::{Location, Path, Problem, Problems};
use farm_core::{Game, in_parallel};

use crate::agent::{Agent, AgentError};
use crate::errors::AgentsError;
use crate::run::{EpisodePlan, Run};
use crate::session::Session;
use crate::trace::{EndLine, FailedLine, Line, Trace, TraceWriter};
use crate::verify::Replay;

/// Makes the agent of an episode.
pub type MakeAgent<'p> = dyn Fn(&Game, &EpisodePlan) -> Result<Box<dyn Agent>, Problems> + Sync + 'p;

/// How a run is played, besides what it says of itself.
pub struct Player<'p> {
    /// Episodes that are played at once.
    pub jobs: usize,
    /// Makes the agent of an episode.
    pub agent: &'p MakeAgent<'p>,
    /// Whether no further episode is to begin.
    pub is_ending: &'p (dyn Fn() -> bool + Sync),
    /// Whether no further call is to be made.
    pub is_stopped: &'p (dyn Fn() -> bool + Sync),
    /// Is told of each episode that was played to its end.
    pub watch: &'p (dyn Fn(&Progress<'_>) + Sync),
}

impl std::fmt::Debug for Player<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// An episode that was played to its end.
#[derive(Debug)]
pub struct Progress<'p> {
    /// The episode.
    pub plan: &'p EpisodePlan,
    /// How it ended.
    pub end: &'p EndLine,
    /// How many of its calls were in the trace before.
    pub replayed: usize,
    /// Episodes that are at their end, of how many.
    pub done: usize,
    /// All episodes of the run.
    pub of: usize,
}

/// What became of a run.
#[derive(Debug, Default)]
pub struct Played {
    /// Episodes that are at their end.
    pub done: usize,
    /// Calls that were made.
    pub calls: u64,
    /// Calls that were in the traces before, and were not made again.
    pub replayed: u64,
    /// What went wrong; episodes that lack their end go on with the same command.
    pub problems: Problems,
}

impl Run {
    /// Plays all episodes that are not at their end. A call whose reply is in a trace is not made again.
    ///
    /// # Errors
    /// A run that another process plays. What goes wrong in an episode stands in [`Played::problems`].
    pub fn play(&self, player: &Player<'_>) -> Result<Played, Problems> {
        let lock = self.lock()?;
        let (ended, stopped) = (Mutex::new(Played::default()), AtomicBool::new(false));
        let episodes = &self.header().episodes;
        let of = episodes.len();
        let play = |_: &mut (), index: usize| {
            let plan = &episodes[index];
            let is_stopped = || stopped.load(Ordering::Relaxed) || (player.is_stopped)();
            if is_stopped() || (player.is_ending)() {
                return;
            }
            let mut episode = EpisodePlayer { run: self, plan, calls: 0, replayed: 0 };
            let result = match self.game(index) {
                Ok(game) => episode.play(&game, player, &is_stopped),
                Err(problems) => Err(problems.into()),
            };
            let Ok(mut played) = ended.lock() else { return };
            played.calls += episode.calls;
            played.replayed += episode.replayed;
            match result {
                Ok(None) => {}
                Ok(Some(end)) => {
                    played.done += 1;
                    let (done, replayed) = (played.done, episode.replayed as usize);
                    drop(played);
                    (player.watch)(&Progress { plan, end: &end, replayed, done, of });
                }
                Err(failed) => {
                    if failed.is_for_all {
                        stopped.store(true, Ordering::Relaxed);
                    }
                    played.problems.0.extend(failed.problems.0);
                }
            }
        };
        in_parallel(of, player.jobs.max(1), || (), play);
        drop(lock);
        Ok(ended.into_inner().unwrap_or_default())
    }
}

/// Why an episode was not played on.
struct Failed {
    problems: Problems,
    /// Whether no other episode is worth a try.
    is_for_all: bool,
}

impl From<Problems> for Failed {
    fn from(problems: Problems) -> Self {
        Self { problems, is_for_all: true }
    }
}

/// Plays an episode, and counts the calls.
struct EpisodePlayer<'r> {
    run: &'r Run,
    plan: &'r EpisodePlan,
    calls: u64,
    replayed: u64,
}

impl EpisodePlayer<'_> {
    /// Plays to the end; none if it was stopped before.
    fn play(
        &mut self,
        game: &std::sync::Arc<Game>,
        player: &Player<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<EndLine>, Failed> {
        let header = self.run.header();
        let trace = self.run.trace(self.plan)?;
        let mut session = Session::new(game.clone(), self.plan.seed, self.plan.conduct(header.conduct));
        if let Some(end) = trace.end() {
            self.replayed = end.calls;
            // It is looked at when it is scored or verified.
            return Ok(Some(end.clone()));
        }
        let mut agent = (player.agent)(game, self.plan)?;
        self.catch_up(&trace, &mut session, agent.as_mut())?;
        let mut writer = TraceWriter::resume(&trace)?;
        if trace.lines.is_empty() {
            writer.append(Line::Episode(session.opening(self.plan, header.digest())))?;
        }
        let why = loop {
            if let Some(why) = session.end_reason() {
                break why;
            }
            if is_stopped() {
                return Ok(None);
            }
            let answer = match agent.reply(&session.request(&self.plan.id)) {
                Ok(answer) => answer,
                Err(error) => {
                    let AgentError { message, failures, .. } = error.clone();
                    writer.append(Line::Failed(FailedLine { message, failures, digest: String::new() }))?;
                    return Err(self.failed(&error));
                }
            };
            self.calls += 1;
            let line = session.take_line(answer)?;
            writer.append(line)?;
        };
        agent.ended(&session.request(&self.plan.id));
        let end = session.end(why);
        writer.append(Line::End(end.clone()))?;
        Ok(Some(end))
    }

    /// Plays what the trace has.
    fn catch_up(&mut self, trace: &Trace, session: &mut Session, agent: &mut dyn Agent) -> Result<(), Failed> {
        let mut replay = Replay::new(trace);
        if trace.lines.is_empty() {
            return Ok(());
        }
        replay.open(session, self.plan, self.run.header().digest())?;
        while let Some(recorded) = replay.next_reply()? {
            agent.recorded(&session.request(&self.plan.id)).map_err(|error| self.failed(&error))?;
            replay.check(session.take_line(recorded)?)?;
            self.replayed += 1;
        }
        Ok(())
    }

    fn failed(&self, error: &AgentError) -> Failed {
        let message = format!("episode {}: {}", self.plan.id, error.message);
        let mut problem = Problem::new(AgentsError::AgentFailed, Path::default(), message);
        let source = self.run.trace_path(self.plan).display().to_string();
        problem.location = Some(Location::new(source, None));
        let problem = problem.help("the same command goes on from there; no reply that came is paid for twice");
        Failed { problems: Problems(vec![problem]), is_for_all: error.is_for_all }
    }
}
