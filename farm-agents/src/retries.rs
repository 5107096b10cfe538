//! Retries of failed attempts: their number, and the waiting times between them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::agent::{AgentError, Answer, Failures, OVERFLOW};

/// Returns whether the run must end. Code that waits polls it.
pub type StopSignal = Arc<dyn Fn() -> bool + Send + Sync>;

/// The number of attempts for one reply, and the waiting times between them.
#[derive(Clone)]
pub struct Retries {
    /// The maximum number of attempts for one reply.
    pub attempts: u32,
    /// The waiting time before the second attempt; it doubles before each further attempt.
    pub first_wait: Duration,
    /// The maximum waiting time, even if an endpoint asks for a longer one.
    pub longest_wait: Duration,
    /// The signal that stops a wait.
    pub stop: StopSignal,
}

impl std::fmt::Debug for Retries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Retries")
            .field("attempts", &self.attempts)
            .field("first_wait", &self.first_wait)
            .field("longest_wait", &self.longest_wait)
            .finish_non_exhaustive()
    }
}

impl Default for Retries {
    fn default() -> Self {
        let (first_wait, longest_wait) = (Duration::from_secs(1), Duration::from_secs(60));
        Self { attempts: 6, first_wait, longest_wait, stop: Arc::new(|| false) }
    }
}

/// An attempt that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The kind that the failure counts as.
    pub kind: String,
    /// The problem, as a sentence without a full stop.
    pub message: String,
    /// The waiting time that the endpoint asks for, if any.
    pub wait: Option<Duration>,
    /// Whether another attempt could succeed.
    pub can_retry: bool,
    /// Whether the conversation is longer than the model's context.
    pub is_overflow: bool,
}

impl Failure {
    /// Creates a failure that another attempt may avoid.
    pub(crate) fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), wait: None, can_retry: true, is_overflow: false }
    }

    /// Creates a failure of a conversation that is longer than the model's context.
    pub(crate) fn overflow(message: impl Into<String>) -> Self {
        Self { can_retry: false, is_overflow: true, ..Self::new(OVERFLOW, message) }
    }
}

/// The interval at which waiting code polls the stop signal.
const GLANCE: Duration = Duration::from_millis(50);

impl Retries {
    /// Tries until there is an answer, and sets its seconds, attempts and failures.
    ///
    /// # Errors
    /// The last attempt failed, an attempt failed in a way that rules out retries, or the run was stopped.
    pub(crate) fn ask(&self, mut attempt: impl FnMut() -> Result<Answer, Failure>) -> Result<Answer, AgentError> {
        let (start, mut failures) = (Instant::now(), Failures::new());
        let mut wait = self.first_wait;
        for number in 1..=self.attempts.max(1) {
            let failure = match attempt() {
                Ok(answer) => {
                    let seconds = start.elapsed().as_millis() as f64 / 1000.0;
                    return Ok(Answer { seconds, attempts: number, failures, ..answer });
                }
                Err(failure) => failure,
            };
            *failures.entry(failure.kind).or_default() += 1;
            let Failure { message, is_overflow, .. } = failure;
            if !failure.can_retry {
                return Err(AgentError { message, is_for_all: !is_overflow, is_overflow, failures });
            }
            if number >= self.attempts {
                let times = if number == 1 { "one attempt".to_owned() } else { format!("{number} attempts") };
                let message = format!("no reply after {times}; the last error: {message}");
                return Err(AgentError { failures, ..AgentError::new(message) });
            }
            if !self.wait(failure.wait.unwrap_or(wait)) {
                let message = format!("stopped while waiting for another attempt; the last error: {message}");
                return Err(AgentError { failures, ..AgentError::for_all(message) });
            }
            wait = wait.saturating_mul(2);
        }
        Err(AgentError { failures, ..AgentError::for_all("no attempt was allowed") })
    }

    /// Waits; returns `false` if the run must end.
    fn wait(&self, wait: Duration) -> bool {
        let end = Instant::now() + wait.min(self.longest_wait);
        loop {
            if (self.stop)() {
                return false;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(GLANCE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick(attempts: u32) -> Retries {
        let (first_wait, longest_wait) = (Duration::from_millis(1), Duration::from_millis(4));
        Retries { attempts, first_wait, longest_wait, ..Retries::default() }
    }

    #[test]
    fn failures_are_counted_by_kind_until_there_is_an_answer() {
        let mut kinds = ["429", "malformed", "429"].into_iter();
        let answer = quick(4).ask(|| match kinds.next() {
            Some(kind) => Err(Failure::new(kind, "no")),
            None => Ok(Answer { reply: "wait".to_owned(), ..Answer::default() }),
        });
        let answer = answer.unwrap();
        assert_eq!((answer.reply.as_str(), answer.attempts), ("wait", 4));
        assert_eq!(answer.failures, [("429".to_owned(), 2), ("malformed".to_owned(), 1)].into());
    }

    #[test]
    fn there_is_an_end_to_it() {
        let mut asked = 0;
        let error = quick(3)
            .ask(|| {
                asked += 1;
                Err(Failure::new("timeout", "nothing came"))
            })
            .unwrap_err();
        assert_eq!((asked, error.is_for_all, error.failures["timeout"]), (3, false, 3));
        let hopeless = || Err(Failure { can_retry: false, ..Failure::new("401", "the key is refused") });
        let error = quick(3).ask(hopeless).unwrap_err();
        assert_eq!((error.is_for_all, error.failures["401"]), (true, 1));
        let stopped = Retries { stop: Arc::new(|| true), ..quick(3) };
        assert!(stopped.ask(|| Err(Failure::new("500", "down"))).unwrap_err().message.starts_with("stopped"));
    }
}
