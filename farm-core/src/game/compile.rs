//! Compiles a game in stages. The parts make their declarations, then names are resolved, and finally the game is assembled.

use std::sync::Arc;

use super::declared::{Behaviours, Declared};
use super::resolved::Resolved;
use super::{Game, Tick};
use crate::action::{ActionKind, ActionTable, BaseAction};
use crate::condition::remove_reasons;
use crate::config::Problems;
use crate::declare::{PartInfo, Phase};
use crate::observation::ObservationLayout;
use crate::spec::GameSpec;
use crate::state::{Cells, Region, Regions, State};

impl Game {
    /// Compiles a game.
    ///
    /// # Errors
    /// All problems: unknown names, roles without a provider, and values that do not fit. The problems have paths;
    /// [`crate::config::Document::locate`] adds line numbers.
    pub fn new(spec: GameSpec) -> Result<Self, Problems> {
        let declared = Declared::new(&spec)?;
        let resolved = Resolved::new(&spec, declared)?;
        let mut game = Self::bind(spec, resolved);
        let mut problems = Problems::default();
        super::template::check(&game, &mut problems);
        if problems.has_errors() {
            return Err(problems);
        }
        game.warnings.0.append(&mut problems.0);
        Ok(game)
    }

    /// Assembles a game from its resolved form.
    fn bind(mut spec: GameSpec, resolved: Resolved) -> Self {
        let Resolved { declared, mut rules, observation, steps_today, monitors, size_in_bytes } = resolved;
        let Declared { fields, parts, layout, behaviours, mut problems } = declared;
        let Behaviours { entities, farmers, score } = behaviours;
        let mut warnings = std::mem::take(&mut spec.warnings);
        warnings.0.append(&mut problems.0);
        let parts = Arc::new(parts);
        let catalogue = ActionTable::new(
            std::mem::take(&mut rules.base_actions),
            rules.bins,
            rules.max_schedule,
            observation.active_observation.is_some(),
            parts.clone(),
            fields.clone(),
        );
        let has_plain_days =
            observation.active_observation.is_none() && steps_today.is_none() && catalogue.max_schedule > 0;
        let is_unconditional = |base: &BaseAction| {
            let has_hooks = farmers.get(base.farmer).is_none_or(|farmer| farmer.has_hooks());
            has_plain_days
                && !has_hooks
                && base.kind() == ActionKind::Intervention
                && base.cost <= rules.max_cost
                && base.futile.is_none()
        };
        let unconditional: Vec<bool> = catalogue.base_actions.iter().map(is_unconditional).collect();
        let regions = layout.regions();
        Self {
            fingerprint: fingerprint(&mut spec),
            ticks: ticks(&parts),
            events: parts.iter().enumerate().flat_map(|(i, p)| p.events.iter().map(move |e| (i, e.clone()))).collect(),
            max_events: 2 * parts.iter().flat_map(|part| &part.events).map(|event| event.per_step).sum::<usize>(),
            constraints: score.constraints(),
            is_unconditional: !unconditional.contains(&false),
            stops_on_values: rules.stopping.is_of_values(),
            prototype: prototype(&parts, regions, &observation),
            spec,
            fields,
            catalogue,
            observation,
            warnings,
            monitors,
            steps_today,
            entities,
            farmers,
            score,
            rules,
            unconditional,
            regions,
            size_in_bytes,
            parts,
        }
    }
}

/// The calls in a day, in execution order.
fn ticks(parts: &[PartInfo]) -> Vec<Tick> {
    let in_phase = |phase: Phase| {
        let runs = parts.iter().enumerate().filter(move |(_, part)| part.phases.contains(&phase));
        let awake = |info: &PartInfo| info.variables[info.awakened_by?].column();
        runs.map(move |(part, info)| Tick { part, phase, awake: awake(info) })
    };
    Phase::ALL.into_iter().flat_map(in_phase).collect()
}

/// The initial state for every episode, before the parts and the rules fill it.
fn prototype(parts: &[PartInfo], regions: Regions, observation: &ObservationLayout) -> State {
    let mut prototype = State::zeroed(regions);
    fill_defaults(parts, &prototype.cells(regions));
    if let Some(active_observation) = &observation.active_observation {
        active_observation.new_day(&prototype.cells(regions));
    }
    prototype
}

/// A hash of everything that affects how the game plays. Monitors, policies, reasons for the end of an episode and unused presets do not
/// affect it.
fn fingerprint(spec: &mut GameSpec) -> u64 {
    let (recorded, policies) = (std::mem::take(&mut spec.monitoring), std::mem::take(&mut spec.policies));
    let presets = std::mem::take(&mut spec.presets);
    let text = played_text(spec);
    (spec.monitoring, spec.policies, spec.presets) = (recorded, policies, presets);
    xxhash_rust::xxh3::xxh3_64(format!("{}\n{text}", env!("CARGO_PKG_VERSION")).as_bytes())
}

/// The part of a game's text that affects how it plays, without the texts for players.
fn played_text(spec: &GameSpec) -> String {
    let mut value = serde_yaml::to_value(spec).unwrap_or_default();
    if let Some(game) = value.as_mapping_mut() {
        for text in ["doc", "goal", "rules_text"] {
            game.shift_remove(text);
        }
    }
    remove_reasons(&mut value);
    serde_yaml::to_string(&value).unwrap_or_default()
}

fn fill_defaults(parts: &[PartInfo], cells: &Cells<'_>) {
    for variable in parts.iter().flat_map(|p| &p.variables) {
        match variable.slot.0 {
            Region::Reals => {
                let column = variable.column::<f64>().map(|c| cells.get(c)).unwrap_or_default();
                column.iter().for_each(|cell| cell.set(variable.default));
            }
            Region::Counts => {
                let column = variable.column::<i32>().map(|c| cells.get(c)).unwrap_or_default();
                column.iter().for_each(|cell| cell.set(variable.default as i32));
            }
            Region::Bytes => {
                let column = variable.column::<u8>().map(|c| cells.get(c)).unwrap_or_default();
                column.iter().for_each(|cell| cell.set(variable.default as u8));
            }
        }
    }
}
