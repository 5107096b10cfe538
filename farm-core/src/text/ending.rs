//! Why an episode ends, in words.

use super::TextChannel;
use super::subject::subject;
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
        let name = |condition: &Condition| {
            let mut entries = self.game.observation.entries.iter();
            let entry = entries.find(|entry| entry.reference() == Some(condition.variable()));
            entry.map_or(&condition.variable().name, |entry| &entry.key).clone()
        };
        clause_in(clause, name).replace('`', "")
    }

    /// One clause from the stopping conditions for players: its reason, if it has one, and what the reason means. Variables have the words
    /// of their descriptions.
    pub(crate) fn clause_with_reason(self, clause: &[Condition]) -> String {
        let words = clause_in(clause, |condition| subject(self.game, condition.variable()));
        own_reason(clause).map_or(words.clone(), |reason| format!("{reason}, that is, when {words}"))
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

/// One clause, with these names for its variables. A name is not repeated if the condition before has the same variable.
fn clause_in(clause: &[Condition], name_of: impl Fn(&Condition) -> String) -> String {
    let mut named = None;
    let words = clause.iter().map(|condition| {
        let name = name_of(condition);
        let words = condition.in_words(&name);
        let again = words.strip_prefix(&name).filter(|_| named.as_ref() == Some(&name));
        let words = again.map_or(words.clone(), |compared| compared.trim_start().to_owned());
        named = Some(name);
        // A description that has the plot says it once.
        match words.strip_suffix(" on every plot") {
            Some(rest) if rest.contains("the plot") => rest.replace("the plot", "each plot"),
            _ => words,
        }
    });
    words.collect::<Vec<_>>().join(" and ")
}

/// The reasons given in a clause; `None` if the clause has no reasons.
fn own_reason(clause: &[Condition]) -> Option<String> {
    let reasons: Vec<&str> = clause.iter().map(Condition::reason).filter(|reason| !reason.is_empty()).collect();
    (!reasons.is_empty()).then(|| reasons.join(" and "))
}
