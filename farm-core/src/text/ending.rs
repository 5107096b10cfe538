//! Why an episode ends, in words.

use super::TextChannel;
use crate::condition::Condition;
use crate::step::Stop;

impl TextChannel<'_> {
    /// Why an episode ended, in words. This is the `reason` given for the clause that held, or the clause itself with the observation's
    /// variable names.
    pub fn stop_reason(self, stop: Stop) -> String {
        match stop {
            Stop::Limit => {
                let (most, unit) = (self.game.rules.max_steps.unwrap_or_default(), self.unit_of_time());
                format!("after {most} {}", if most == 1 { unit.trim_end_matches('s') } else { unit })
            }
            Stop::Condition(clause) => self
                .game
                .rules
                .stopping
                .0
                .get(clause)
                .map_or(String::new(), |clause| own_reason(clause).unwrap_or_else(|| self.clause_text(clause))),
        }
    }

    /// One clause from the stopping conditions, in words, with the observation's variable names.
    pub(crate) fn clause_text(self, clause: &[Condition]) -> String {
        self.clause_in(clause, "")
    }

    /// One clause, with this quote around each name. A name is not repeated if the condition before has the same variable.
    fn clause_in(self, clause: &[Condition], quote: &str) -> String {
        let mut named = None;
        let words = clause.iter().map(|condition| {
            let entry =
                self.game.observation.entries.iter().find(|entry| entry.reference() == Some(&condition.variable));
            let name = entry.map_or(&condition.variable.name, |entry| &entry.key);
            let name = format!("{quote}{name}{quote}");
            let words = condition.in_words(&name);
            let again = words.strip_prefix(&name).filter(|_| named.as_ref() == Some(&name));
            let words = again.map_or(words.clone(), |compared| compared.trim_start().to_owned());
            named = Some(name);
            words
        });
        words.collect::<Vec<_>>().join(" and ")
    }

    /// One clause from the stopping conditions: its reason, if it has one, and the clause itself in brackets.
    pub(crate) fn clause_with_reason(self, clause: &[Condition]) -> String {
        let words = self.clause_in(clause, "`");
        own_reason(clause).map_or(words.clone(), |reason| format!("{reason} ({words})"))
    }

    /// The unit used for the step limit.
    pub(crate) fn unit_of_time(self) -> &'static str {
        if self.game.rules.steps_per_day > 1 || self.game.observation.active_observation.is_some() {
            "days"
        } else {
            "steps"
        }
    }
}

/// The reasons given in a clause; `None` if the clause has no reasons.
fn own_reason(clause: &[Condition]) -> Option<String> {
    let reasons: Vec<&str> = clause.iter().map(Condition::reason).filter(|reason| !reason.is_empty()).collect();
    (!reasons.is_empty()).then(|| reasons.join(" and "))
}
