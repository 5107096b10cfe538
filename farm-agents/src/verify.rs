//! Verification: the recorded replies are played again, and each line must be what comes of them.

use farm_core::config::{Location, MAX_PROBLEMS, Path, Problem, Problems};
use farm_core::{Game, TEXT_VERSION, in_parallel};
use std::sync::Arc;

use crate::agent::Answer;
use crate::claims;
use crate::errors::AgentsError;
use crate::run::{EpisodePlan, HEADER, Run, located};
use crate::score::{Measured, Score};
use crate::session::Session;
use crate::texts::visible;
use crate::trace::{Line, Trace, from_hex};

/// Plays a trace again, line by line.
pub(crate) struct Replay<'t> {
    trace: &'t Trace,
    /// The line that is next.
    next: usize,
    seal: u64,
}

impl<'t> Replay<'t> {
    /// A trace from its beginning.
    pub(crate) fn new(trace: &'t Trace) -> Self {
        Self { trace, next: 0, seal: 0 }
    }

    /// Checks the first line.
    pub(crate) fn open(&mut self, session: &Session, plan: &EpisodePlan, run: u64) -> Result<(), Problems> {
        if let Some(Line::Episode(found)) = self.trace.lines.first()
            && found.text != TEXT_VERSION
        {
            let message = "the agent read texts of another version; the program that played the run can verify it";
            return Err(self.forged(1, "text", message, &found.text.to_string(), &TEXT_VERSION.to_string()));
        }
        self.compare(Line::Episode(session.opening(plan, run)))
    }

    /// The reply of the next call. Lines of replies that did not come are passed over: nothing of them can be played again.
    pub(crate) fn next_reply(&mut self) -> Result<Option<Answer>, Problems> {
        loop {
            match self.trace.lines.get(self.next) {
                Some(failed @ Line::Failed(_)) => self.compare(failed.clone())?,
                line => return Ok(line.and_then(recorded_answer)),
            }
        }
    }

    /// Checks a line against what came of its reply.
    pub(crate) fn check(&mut self, line: Line) -> Result<(), Problems> {
        self.compare(line)
    }

    /// Compares the next line with what it should be, field by field.
    fn compare(&mut self, expected: Line) -> Result<(), Problems> {
        let number = self.next + 1;
        let Some(found) = self.trace.lines.get(self.next) else {
            return Err(self.forged(number, "type", "the trace ends before its end", "nothing", "a further line"));
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
                key => format!("`{key}` is not what comes of the recorded replies"),
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

    /// Checks that nothing is left but the end of a session.
    fn close(&mut self, session: &Session) -> Result<(), Problems> {
        let number = self.next + 1;
        match (session.end_reason(), self.trace.lines.get(self.next)) {
            (Some(why), Some(_)) => self.compare(Line::End(session.end(why)))?,
            (None, Some(Line::End(end))) => {
                let found = format!("\"{}\"", end.why.name());
                return Err(self.forged(
                    number,
                    "why",
                    "the trace ends, and the episode does not",
                    &found,
                    "a further call",
                ));
            }
            (None, Some(_)) => {
                return Err(self.forged(number, "type", "the line has no place here", "\"episode\"", "\"call\""));
            }
            (_, None) => return Err(unfinished(self.trace)),
        }
        match self.trace.lines.get(self.next) {
            None if !self.trace.has_rest => Ok(()),
            _ => {
                Err(self.forged(self.next + 1, "type", "the trace goes on after its end", "a further line", "nothing"))
            }
        }
    }
}

/// The answer that a line has, if it has one.
pub(crate) fn recorded_answer(line: &Line) -> Option<Answer> {
    let (reply, is_cut, tokens, seconds, attempts, failures) = match line {
        Line::Call(call) => (&call.reply, call.cut, call.tokens, call.seconds, call.attempts, &call.failures),
        Line::Summary(line) => (&line.reply, line.cut, line.tokens, line.seconds, line.attempts, &line.failures),
        Line::Episode(_) | Line::Failed(_) | Line::End(_) => return None,
    };
    let (reply, tokens, failures) = (reply.clone(), Some(tokens), failures.clone());
    Some(Answer { reply, is_cut, tokens, seconds, attempts, failures })
}

fn unfinished(trace: &Trace) -> Problems {
    let message = "the episode was not played to its end";
    let mut problem = Problem::new(AgentsError::UnfinishedRun, Path::default(), message);
    problem.location = Some(Location::new(trace.path.display().to_string(), None));
    Problems(vec![problem.help("the command that began the run goes on with it")])
}

/// Problems of a trace, which its file has.
fn at(trace: &Trace, mut problems: Problems) -> Problems {
    for problem in &mut problems.0 {
        problem.location = Some(Location::new(trace.path.display().to_string(), None));
    }
    problems
}

/// Plays the recorded replies of an episode again.
fn verify_episode(run: &Run, plan: &EpisodePlan, game: &Arc<Game>) -> Result<Trace, Problems> {
    let trace = run.trace(plan)?;
    if trace.lines.is_empty() {
        return Err(unfinished(&trace));
    }
    let mut session = Session::new(game.clone(), plan.seed, plan.conduct(run.header().conduct));
    let mut replay = Replay::new(&trace);
    replay.open(&session, plan, run.header().digest())?;
    // A call behind the end is one too many.
    while session.end_reason().is_none() {
        run.time.check().map_err(|problems| at(&trace, problems))?;
        let Some(recorded) = replay.next_reply()? else { break };
        replay.check(session.take_line(recorded)?)?;
    }
    replay.close(&session)?;
    Ok(trace)
}

impl Run {
    /// Plays all recorded replies again, on several threads; returns the traces in the order of the episodes.
    ///
    /// # Errors
    /// Of each episode the first line that is not what comes of the replies, with file, line, field, what was found and what was expected;
    /// episodes that were not played to their end.
    pub fn verify(&self, threads: usize) -> Result<Vec<Trace>, Problems> {
        self.verify_each(threads, |_, trace| trace)
    }

    /// Plays all recorded replies again and scores what came of them; returns the score, and how many lines there are. Of a trace nothing is
    /// kept but its numbers, so that it takes as much memory as the longest one.
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
                // What is wrong with a thousand episodes is told of the first ones.
                Err(found) => {
                    problems.0.extend(found.0.into_iter().take(MAX_PROBLEMS.saturating_sub(problems.0.len())))
                }
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(kept) }
    }

    /// The traces as they are, without playing anything again, in the order of the episodes.
    ///
    /// # Errors
    /// A file that is not a trace.
    pub fn traces(&self) -> Result<Vec<Trace>, Problems> {
        self.header().episodes.iter().map(|plan| self.trace(plan)).collect()
    }
}
