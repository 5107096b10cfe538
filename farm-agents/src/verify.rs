//! Verifies a run by replaying the recorded replies and comparing each line with the result.

use farm_core::config::{Location, MAX_PROBLEMS, Path, Problem, Problems};
use farm_core::{Game, TEXT_VERSION, in_parallel};
use std::sync::Arc;

use crate::agent::{Answer, OVERFLOW};
use crate::claims;
use crate::errors::AgentsError;
use crate::header::{EpisodePlan, HEADER};
use crate::run::{Run, located};
use crate::score::{Measured, Score};
use crate::session::Session;
use crate::texts::visible;
use crate::trace::{Line, Trace, from_hex};

/// Replays a trace line by line.
pub(crate) struct Replay<'t> {
    trace: &'t Trace,
    /// The index of the next line.
    next: usize,
    seal: u64,
}

impl<'t> Replay<'t> {
    /// Starts at the beginning of a trace.
    pub(crate) fn new(trace: &'t Trace) -> Self {
        Self { trace, next: 0, seal: 0 }
    }

    /// Checks the first line.
    pub(crate) fn open(&mut self, session: &Session, plan: &EpisodePlan, run: u64) -> Result<(), Problems> {
        if let Some(Line::Episode(found)) = self.trace.lines.first()
            && found.text != TEXT_VERSION
        {
            let message = "the agent read another version of the texts; verify the run with the program that played it";
            return Err(self.forged(1, "text", message, &found.text.to_string(), &TEXT_VERSION.to_string()));
        }
        self.compare(Line::Episode(session.opening(plan, run)))
    }

    /// The next recorded reply. Skips lines of replies that never arrived, which can't be replayed. If a conversation was longer than the
    /// model's context, the session shortens it or ends.
    pub(crate) fn next_reply(&mut self, session: &mut Session) -> Result<Option<Answer>, Problems> {
        loop {
            match self.trace.lines.get(self.next) {
                Some(line @ Line::Failed(failed)) => {
                    self.compare(line.clone())?;
                    if failed.failures.contains_key(OVERFLOW) {
                        session.overflowed();
                    }
                }
                _ if session.end_reason().is_some() => return Ok(None),
                line => return Ok(line.and_then(recorded_answer)),
            }
        }
    }

    /// Compares a recorded line with the result of its reply.
    pub(crate) fn check(&mut self, line: Line) -> Result<(), Problems> {
        self.compare(line)
    }

    /// Compares the next line with the expected line, field by field.
    fn compare(&mut self, expected: Line) -> Result<(), Problems> {
        let number = self.next + 1;
        let Some(found) = self.trace.lines.get(self.next) else {
            return Err(self.forged(number, "type", "the trace ends before the episode", "nothing", "a further line"));
        };
        let expected = expected.sealed(self.seal);
        if found != &expected {
            let entries = |line: &Line| serde_json::to_value(line).unwrap_or_default();
            let (found, expected) = (entries(found), entries(&expected));
            let keys = expected.as_object().into_iter().flat_map(|map| map.keys());
            let key = keys.into_iter().find(|key| found.get(*key) != expected.get(*key)).cloned().unwrap_or_default();
            let shown = |line: &serde_json::Value| line.get(&key).map_or("nothing".to_owned(), ToString::to_string);
            let message = match key.as_str() {
                "digest" => "the line, or one before it, was changed after it was written".to_owned(),
                "run" => "`run.json` was changed after the episode began".to_owned(),
                "type" => "another line is expected here".to_owned(),
                key => format!("`{key}` differs from the replay of the recorded replies"),
            };
            return Err(self.forged(number, &key, &message, &shown(&found), &shown(&expected)));
        }
        self.seal = from_hex(found.digest());
        self.next += 1;
        Ok(())
    }

    fn forged(&self, line: usize, field: &str, message: &str, found: &str, expected: &str) -> Problems {
        let mut problem = Problem::new(AgentsError::ForgedTrace, Path::default().child(field), message);
        problem.location = Some(Location::new(self.trace.path.display().to_string(), Some((line, 1))));
        let expected: String = expected.chars().take(200).collect();
        Problems(vec![problem.value(visible(found)).expected(visible(&expected).into_owned())])
    }

    /// Checks that the only remaining line is the end of the session.
    fn close(&mut self, session: &Session) -> Result<(), Problems> {
        let number = self.next + 1;
        match (session.end_reason(), self.trace.lines.get(self.next)) {
            (Some(why), Some(_)) => self.compare(Line::End(session.end(why)))?,
            (None, Some(Line::End(end))) => {
                let found = format!("\"{}\"", end.why.name());
                return Err(self.forged(
                    number,
                    "why",
                    "the trace ends, but the episode does not",
                    &found,
                    "a further call",
                ));
            }
            (None, Some(_)) => {
                return Err(self.forged(number, "type", "this line is not allowed here", "\"episode\"", "\"call\""));
            }
            (_, None) => return Err(unfinished(self.trace)),
        }
        match self.trace.lines.get(self.next) {
            None if !self.trace.has_rest => Ok(()),
            _ => Err(self.forged(
                self.next + 1,
                "type",
                "the trace has lines after its end",
                "a further line",
                "nothing",
            )),
        }
    }
}

/// The answer recorded in a line, if any.
pub(crate) fn recorded_answer(line: &Line) -> Option<Answer> {
    let (reply, is_cut, tokens, seconds, attempts, failures, details) = match line {
        Line::Call(line) => {
            (&line.reply, line.cut, line.tokens, line.seconds, line.attempts, &line.failures, &line.details)
        }
        Line::Summary(line) => {
            (&line.reply, line.cut, line.tokens, line.seconds, line.attempts, &line.failures, &line.details)
        }
        Line::Episode(_) | Line::Failed(_) | Line::End(_) => return None,
    };
    let (reply, tokens, failures, details) = (reply.clone(), Some(tokens), failures.clone(), details.clone());
    Some(Answer { reply, is_cut, tokens, seconds, attempts, failures, details })
}

fn unfinished(trace: &Trace) -> Problems {
    let message = "the episode is not finished";
    let mut problem = Problem::new(AgentsError::UnfinishedRun, Path::default(), message);
    problem.location = Some(Location::new(trace.path.display().to_string(), None));
    Problems(vec![problem.help("run the command that started the run to resume it")])
}

/// Adds the trace's file to its problems.
fn at(trace: &Trace, mut problems: Problems) -> Problems {
    for problem in &mut problems.0 {
        problem.location = Some(Location::new(trace.path.display().to_string(), None));
    }
    problems
}

/// Replays the recorded replies of an episode.
fn verify_episode(run: &Run, plan: &EpisodePlan, game: &Arc<Game>) -> Result<Trace, Problems> {
    let trace = run.trace(plan)?;
    if trace.lines.is_empty() {
        return Err(unfinished(&trace));
    }
    let mut session = Session::new(game.clone(), plan.seed, plan.conduct(run.header().conduct));
    let mut replay = Replay::new(&trace);
    replay.open(&session, plan, run.header().digest())?;
    // Stops at the end: `close` rejects any further call.
    while session.end_reason().is_none() {
        run.time.check().map_err(|problems| at(&trace, problems))?;
        let Some(recorded) = replay.next_reply(&mut session)? else { break };
        replay.check(session.take_line(recorded)?)?;
    }
    replay.close(&session)?;
    Ok(trace)
}

impl Run {
    /// Replays all recorded replies on several threads; returns the traces in the order of the episodes.
    ///
    /// # Errors
    /// For each episode, the first line that differs from the replay, with its file, line number, field, found value and expected value.
    /// Unfinished episodes are also reported.
    pub fn verify(&self, threads: usize) -> Result<Vec<Trace>, Problems> {
        self.verify_each(threads, |_, trace| trace)
    }

    /// Replays all recorded replies and scores the results; returns the score and the number of lines. Only each trace's numbers are kept,
    /// so the longest trace determines the memory use.
    ///
    /// # Errors
    /// As for [`Run::verify`] and [`Run::score`].
    pub fn verify_and_score(&self, threads: usize) -> Result<(Score, usize), Problems> {
        let measured = self.verify_each(threads, |plan, trace| (trace.lines.len(), Measured::of(plan, &trace)))?;
        let lines = measured.iter().map(|(lines, _)| lines).sum();
        Ok((self.score_measured(measured.into_iter().map(|(_, measured)| measured).collect(), threads)?, lines))
    }

    fn verify_each<T: Send>(
        &self,
        threads: usize,
        keep: impl Fn(&EpisodePlan, Trace) -> T + Sync,
    ) -> Result<Vec<T>, Problems> {
        claims::check_measure(self.header()).map_err(|problems| located(&self.folder().join(HEADER), problems))?;
        let episodes = &self.header().episodes;
        let verify = |_: &mut (), index: usize| -> Result<T, Problems> {
            let plan = &episodes[index];
            self.time.check().map_err(|problems| located(&self.folder().join(HEADER), problems))?;
            Ok(keep(plan, verify_episode(self, plan, &self.game(index)?)?))
        };
        let mut problems = Problems::default();
        let mut kept = Vec::new();
        for result in in_parallel(episodes.len(), threads, || (), verify) {
            match result {
                Ok(episode) => kept.push(episode),
                // If many episodes have problems, only the first problems are reported.
                Err(found) => {
                    problems.0.extend(found.0.into_iter().take(MAX_PROBLEMS.saturating_sub(problems.0.len())))
                }
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(kept) }
    }

    /// Reads the traces without a replay, in the order of the episodes.
    ///
    /// # Errors
    /// A file is not a trace.
    pub fn traces(&self) -> Result<Vec<Trace>, Problems> {
        self.header().episodes.iter().map(|plan| self.trace(plan)).collect()
    }
}
