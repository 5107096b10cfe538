//! What policies may read and request. A search with less than everything shows what the rest is worth.

use farm_core::serde_yaml::{Mapping, Value};

use crate::WAIT;
use crate::rule_lists::visit_rules;
use crate::sights::{Sight, Values, short};

/// The stage that a calendar may read.
const RIPE: &str = "ripe";

/// What policies may read and request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Senses {
    /// Everything that the game shows or sells.
    #[default]
    All,
    /// The number of steps, the day of the year, and whether plants are ripe.
    Calendar,
    /// Everything that costs nothing.
    Unpaid,
    /// Everything but forecasts.
    NoForecast,
}

impl Senses {
    /// Whether a policy reads and requests no more than this. The policy must not contain names of the game's own policies.
    pub fn admit(self, policy: &Value) -> bool {
        if self == Self::All {
            return true;
        }
        let (kind, parameters) = match policy {
            Value::Sequence(policies) => return policies.iter().all(|policy| self.admit(policy)),
            Value::String(kind) => (kind.as_str(), &Value::Null),
            Value::Mapping(kinds) if kinds.len() == 1 => match kinds.iter().next() {
                Some((Value::String(kind), parameters)) => (kind.as_str(), parameters),
                _ => return false,
            },
            _ => return false,
        };
        match kind {
            "CombinedPolicy" => parameters.get("policies").is_some_and(|policies| self.admit(policies)),
            "TriggerPolicy" | "WalkingPolicy" => self.admit_readings(parameters) && self.admit_acts(policy),
            "ObservePolicy" => parameters.get("variable").is_some_and(|variable| self.may_request(variable)),
            // Other kinds read more than a calendar shows, and may request. None reads a forecast.
            kind => kind == WAIT || self == Self::NoForecast,
        }
    }

    /// Whether all conditions and terms of memories in a value may be read.
    pub(crate) fn admit_readings(self, value: &Value) -> bool {
        match value {
            Value::Sequence(items) => items.iter().all(|item| self.admit_readings(item)),
            Value::Mapping(entries) => {
                self.may_read(entries) && entries.iter().all(|(_, entry)| self.admit_readings(entry))
            }
            _ => true,
        }
    }

    fn admit_acts(self, policy: &Value) -> bool {
        let mut are_admitted = true;
        visit_rules(&mut policy.clone(), &mut |_, rules| {
            are_admitted &= rules.iter().filter_map(|rule| rule.get("act")).all(|act| self.may_act(act));
        });
        are_admitted
    }

    /// Whether an action, or all actions in a list, are allowed. A list with words is a request.
    pub(crate) fn may_act(self, act: &Value) -> bool {
        match act {
            Value::Sequence(words) if words.iter().any(Value::is_string) => self.may_request(act),
            Value::Sequence(acts) => acts.iter().all(|act| self.may_act(act)),
            _ => true,
        }
    }

    fn may_request(self, variable: &Value) -> bool {
        match self {
            Self::All => true,
            Self::Calendar => has_word(variable, |word| word == "stage"),
            Self::Unpaid => false,
            Self::NoForecast => !is_forecast(variable),
        }
    }

    /// Whether a condition or a term may be read. With [`Senses::Unpaid`], unpaid conditions on priced values are allowed, but never hold.
    pub(crate) fn may_read(self, condition: &Mapping) -> bool {
        let Some(variable) = condition.get("state_variable") else { return true };
        match self {
            Self::All | Self::Unpaid => true,
            Self::Calendar => is_calendar(variable) || (short(variable) == "stage" && asks_only_for_ripe(condition)),
            Self::NoForecast => !is_forecast(variable),
        }
    }

    /// A variable as far as it may be read.
    pub(crate) fn limited(self, mut sight: Sight) -> Option<Sight> {
        let is_seen = match (self, &mut sight.values) {
            (Self::All, _) => true,
            (Self::Unpaid, _) => sight.is_free,
            (Self::NoForecast, _) => !is_forecast(&sight.variable),
            (Self::Calendar, Values::Words(words)) if short(&sight.variable) == "stage" => {
                words.retain(|word| word.as_str() == Some(RIPE));
                !words.is_empty()
            }
            (Self::Calendar, _) => is_calendar(&sight.variable),
        };
        is_seen.then_some(sight)
    }
}

fn has_word(variable: &Value, is_it: impl Fn(&str) -> bool) -> bool {
    let words = variable.as_sequence().map_or(std::slice::from_ref(variable), Vec::as_slice);
    words.iter().filter_map(Value::as_str).any(is_it)
}

pub(crate) fn is_forecast(variable: &Value) -> bool {
    has_word(variable, |word| word.contains("forecast"))
}

/// Whether a variable is the number of steps.
pub(crate) fn is_step(variable: &Value) -> bool {
    variable.as_str() == Some("step")
}

/// Whether a variable is the number of steps or the day of the year.
pub(crate) fn is_calendar(variable: &Value) -> bool {
    is_step(variable) || has_word(variable, |word| word == "day#int365")
}

fn asks_only_for_ripe(condition: &Mapping) -> bool {
    let words = condition.get("of").or_else(|| condition.get("ref_value"));
    let is_ripe = |word: &Value| word.as_str() == Some(RIPE);
    words.is_some_and(|words| words.as_sequence().map_or_else(|| is_ripe(words), |words| words.iter().all(is_ripe)))
}
