//! Warns about observation prices in games where all observations are free of charge.

use crate::config::{Path, Problem};
use crate::declare::PartInfo;
use crate::part::ScoreBehaviour;
use crate::rules::RuleError;
use crate::spec::{GameSpec, InteractionMode};

/// Whether players must request observations, in the game itself or in one of its variants. A preset may change the interaction mode.
pub(super) fn may_look(spec: &GameSpec) -> bool {
    let mut presets = spec.presets.values();
    spec.interaction_mode == InteractionMode::Aomdp
        || presets.any(|changes| changes.iter().any(|(path, _)| path == "interaction_mode"))
}

/// Warns if the score sets observation prices although players never request observations.
pub(super) fn prices(parts: &[PartInfo], score: &dyn ScoreBehaviour, path: Path) -> Option<Problem> {
    let priced = parts.iter().find_map(|part| {
        let variables = part.variables.iter().map(|variable| &variable.name);
        let mut names = variables.chain(part.observables.iter().map(|observable| &observable.name));
        names.find(|name| score.observation_cost(&part.path, name) > 0.0).map(|name| format!("{}.{name}", part.path))
    })?;
    let message = "the score has observation prices, but all observations of this game are free of charge";
    let help = "set `interaction_mode: aomdp`, or remove the observation prices";
    Some(Problem::new(RuleError::NoEffect, path, message).value(priced).help(help).warning())
}
