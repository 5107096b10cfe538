//! What a game says of looking that means nothing in it: prices of observations where all that is seen is seen for free.

use crate::config::{Path, Problem};
use crate::declare::PartInfo;
use crate::part::ScoreBehaviour;
use crate::rules::RuleError;
use crate::spec::{GameSpec, InteractionMode};

/// Whether something is asked for in the game, or in a variant of it: a preset may change how it is played.
pub(super) fn may_look(spec: &GameSpec) -> bool {
    let mut presets = spec.presets.values();
    spec.interaction_mode == InteractionMode::Aomdp
        || presets.any(|changes| changes.iter().any(|(path, _)| path == "interaction_mode"))
}

/// The warning that a score prices what nobody asks for.
pub(super) fn prices(parts: &[PartInfo], score: &dyn ScoreBehaviour, path: Path) -> Option<Problem> {
    let priced = parts.iter().find_map(|part| {
        let variables = part.variables.iter().map(|variable| &variable.name);
        let mut names = variables.chain(part.observables.iter().map(|observable| &observable.name));
        names.find(|name| score.observation_cost(&part.path, name) > 0.0).map(|name| format!("{}.{name}", part.path))
    })?;
    let message = "the score has a price for observations, but all that is seen in this game is seen for free";
    let help = "set `interaction_mode: aomdp`, or leave the prices of observations out";
    Some(Problem::new(RuleError::NoEffect, path, message).value(priced).help(help).warning())
}
