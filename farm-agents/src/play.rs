//! Plays a run's episodes on several threads, each from the end of its trace.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use farm_core::config::{Location, Path, Problem, Problems};
use farm_core::{Game, in_parallel};

use crate::agent::{Agent, AgentError};
use crate::errors::AgentsError;
use crate::header::EpisodePlan;
use crate::limits::MAX_EMPTY;
use crate::run::Run;
use crate::session::Session;
use crate::trace::{EndLine, EndReason, FailedLine, Line, Trace, TraceWriter};
use crate::verify::Replay;

/// Creates the agent for an episode.
pub type MakeAgent<'p> = dyn Fn(&Game, &EpisodePlan) -> Result<Box<dyn Agent>, Problems> + Sync + 'p;

/// The settings for playing a run that are not in its header.
pub struct Player<'p> {
    /// The number of episodes to play at once.
    pub jobs: usize,
    /// Creates the agent for an episode.
    pub agent: &'p MakeAgent<'p>,
    /// Whether to start no further episodes.
    pub is_ending: &'p (dyn Fn() -> bool + Sync),
    /// Whether to make no further calls.
    pub is_stopped: &'p (dyn Fn() -> bool + Sync),
    /// Called after each finished episode.
    pub watch: &'p (dyn Fn(&Progress<'_>) + Sync),
}

impl std::fmt::Debug for Player<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// A finished episode.
#[derive(Debug)]
pub struct Progress<'p> {
    /// The episode.
    pub plan: &'p EpisodePlan,
    /// How it ended.
    pub end: &'p EndLine,
    /// The number of its calls that were already in the trace.
    pub replayed: usize,
    /// The number of finished episodes.
    pub done: usize,
    /// The number of episodes in the run.
    pub of: usize,
}

/// The result of playing a run.
#[derive(Debug, Default)]
pub struct Played {
    /// The number of finished episodes.
    pub done: usize,
    /// The number of calls made.
    pub calls: u64,
    /// The number of calls that were already in the traces, and so were not made again.
    pub replayed: u64,
    /// Problems in episodes, and warnings about them. The same command resumes unfinished episodes.
    pub problems: Problems,
}

impl Run {
    /// Plays all unfinished episodes. A call whose reply is in a trace is not made again.
    ///
    /// # Errors
    /// Another process plays the run. Problems in episodes are in [`Played::problems`].
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
                    // All other episodes would also be empty, and paid for.
                    if end.why == EndReason::Empty && end.calls == u64::from(MAX_EMPTY) {
                        stopped.store(true, Ordering::Relaxed);
                        played.problems.0.push(episode.only_empty());
                    }
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

/// The reason why an episode was not continued.
struct Failed {
    problems: Problems,
    /// Whether all other episodes would also fail.
    is_for_all: bool,
}

impl From<Problems> for Failed {
    fn from(problems: Problems) -> Self {
        Self { problems, is_for_all: true }
    }
}

/// Plays an episode and counts the calls.
struct EpisodePlayer<'r> {
    run: &'r Run,
    plan: &'r EpisodePlan,
    calls: u64,
    replayed: u64,
}

impl EpisodePlayer<'_> {
    /// Plays to the end; `None` if it was stopped earlier.
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
            // Scoring and verification check it later.
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
                    if error.is_overflow {
                        session.overflowed();
                        continue;
                    }
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

    /// Replays the trace.
    fn catch_up(&mut self, trace: &Trace, session: &mut Session, agent: &mut dyn Agent) -> Result<(), Failed> {
        let mut replay = Replay::new(trace);
        if trace.lines.is_empty() {
            return Ok(());
        }
        replay.open(session, self.plan, self.run.header().digest())?;
        while let Some(recorded) = replay.next_reply(session)? {
            agent.recorded(&session.request(&self.plan.id)).map_err(|error| self.failed(&error))?;
            replay.check(session.take_line(recorded)?)?;
            self.replayed += 1;
        }
        Ok(())
    }

    /// The warning about an episode with only empty replies.
    fn only_empty(&self) -> Problem {
        let message =
            format!("episode {}: all {MAX_EMPTY} replies are empty, so no other episode starts", self.plan.id);
        let mut problem = Problem::new(AgentsError::EmptyReplies, Path::default(), message);
        problem.location = Some(Location::new(self.run.trace_path(self.plan).display().to_string(), None));
        let help = "check that the model may write enough tokens and answers outside its thoughts; the same command plays the other episodes";
        problem.help(help).warning()
    }

    fn failed(&self, error: &AgentError) -> Failed {
        let message = format!("episode {}: {}", self.plan.id, error.message);
        let mut problem = Problem::new(AgentsError::AgentFailed, Path::default(), message);
        let source = self.run.trace_path(self.plan).display().to_string();
        problem.location = Some(Location::new(source, None));
        let problem = problem.help("run the same command again to resume; recorded replies are not paid for again");
        Failed { problems: Problems(vec![problem]), is_for_all: error.is_for_all }
    }
}
