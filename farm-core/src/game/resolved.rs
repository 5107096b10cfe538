//! The second stage of compiling a game, in which the rules are resolved against the declarations.

use super::declared::{Behaviours, Declared, problems_of};
use super::{limits, unused};
use crate::action::{ActionKind, ActionTarget, BaseAction};
use crate::config::{Path, Problems};
use crate::declare::{Names, PartInfo, Quantity, Reference};
use crate::failure;
use crate::math::sum;
use crate::monitor::{self, Monitor};
use crate::observation::{ObservationLayout, all_visible};
use crate::part::{Behaviour, ScoreBehaviour, Season};
use crate::rules::{Futile, RuleBuilder, Rules};
use crate::spec::{GameSpec, InteractionMode};
use crate::state::Column;

/// A game in which every name is resolved and every size is within its limit.
pub(super) struct Resolved {
    /// The declarations, with a state layout that includes the engine's own columns. The only problems left are warnings.
    pub(super) declared: Declared,
    pub(super) rules: Rules,
    pub(super) observation: ObservationLayout,
    pub(super) steps_today: Option<Column<i32>>,
    pub(super) monitors: Vec<Monitor>,
    pub(super) size_in_bytes: u64,
}

impl Resolved {
    /// Resolves the rules, the observation and the monitors.
    ///
    /// # Errors
    /// All problems: unknown names, roles without a provider, values that do not fit, and sizes above their limits.
    pub(super) fn new(spec: &GameSpec, mut declared: Declared) -> Result<Self, Problems> {
        let may_look = unused::may_look(spec);
        let mut rules = rules_of(spec, may_look, &mut declared);
        let observation = observation_of(spec, &mut rules, &mut declared);
        let steps_today = (rules.steps_per_day > 1).then(|| declared.layout.reserve(1));
        let mut defects = Problems::default();
        let size_in_bytes = check_sizes(spec, &declared, &rules, &observation, &mut defects);
        if defects.has_errors() {
            return Err(problems_of(declared.problems, defects, &declared.parts));
        }
        let Declared { fields, parts, behaviours, problems, .. } = &mut declared;
        let score = behaviours.score.as_ref();
        for base in &mut rules.base_actions {
            base.cost = cost_of(base, parts, score, &observation);
            if rules.futile == Futile::Rejected && observation.active_observation.is_none() {
                base.futile = base.info(parts).map(|action| action.futile.unwrap_or("it would have no effect now"));
            }
        }
        if !may_look {
            let path = Path::default().child("score").child(spec.score.typetag_name());
            problems.0.extend(unused::prices(parts, score, path));
        }
        let names = Names { parts, fields };
        let monitors = monitor::list(&spec.monitoring, names, rules.max_steps, problems);
        problems.0.extend(failure::as_problem(parts));
        if problems.has_errors() {
            return Err(declared.problems);
        }
        Ok(Self { declared, rules, observation, steps_today, monitors, size_in_bytes })
    }
}

/// Resolves the rules, and then lets the parts plan the season with them.
fn rules_of(spec: &GameSpec, may_look: bool, declared: &mut Declared) -> Rules {
    let Declared { fields, parts, behaviours: Behaviours { entities, farmers, score }, problems, .. } = declared;
    let allows = |farmer: usize, kind: ActionKind, field: Option<usize>| {
        farmers.get(farmer).is_none_or(|farmer| farmer.allows(kind, field))
    };
    let mut builder = RuleBuilder {
        names: Names { parts, fields },
        path: path_of_rules(spec),
        problems,
        mode: spec.interaction_mode,
        lists_actions: false,
        may_look,
        directory: spec.directory.as_ref(),
        allows: &allows,
    };
    let mut rules = spec.rules.build(&mut builder);
    rules.steps_per_day = rules.steps_per_day.max(1);
    let lists_actions = builder.lists_actions;
    let farmers = farmers.iter_mut().map(|farmer| farmer.as_mut() as &mut dyn Behaviour);
    let all = entities.iter_mut().map(Box::as_mut).chain(farmers);
    let all = all.chain(std::iter::once(score.as_mut() as &mut dyn Behaviour));
    for (index, (part, behaviour)) in parts.iter().zip(all).enumerate() {
        let mut season = Season { rules: &rules, part: (index, part), lists_actions, problems: Vec::new() };
        behaviour.plan(&mut season);
        problems.0.extend(season.problems.into_iter().map(|problem| problem.below(&part.config)));
    }
    rules
}

fn path_of_rules(spec: &GameSpec) -> Path {
    Path::default().child("rules").child(spec.rules.typetag_name())
}

fn observation_of(spec: &GameSpec, rules: &mut Rules, declared: &mut Declared) -> ObservationLayout {
    let Declared { fields, parts, layout, problems, .. } = declared;
    let names = Names { parts, fields };
    let max_steps = rules.max_steps.unwrap_or(u32::MAX);
    match spec.interaction_mode {
        InteractionMode::Pomdp => ObservationLayout::new(&rules.free, names, max_steps),
        InteractionMode::Fomdp => ObservationLayout::new(&all_visible(parts, names, problems), names, max_steps),
        InteractionMode::Aomdp => {
            ObservationLayout::with_active_observation(&rules.free, &mut rules.base_actions, names, max_steps, layout)
        }
    }
}

/// Reports all sizes that exceed their limits, and returns the estimated memory for the game and one episode.
fn check_sizes(
    spec: &GameSpec,
    declared: &Declared,
    rules: &Rules,
    observation: &ObservationLayout,
    defects: &mut Problems,
) -> u64 {
    let Declared { fields, parts, layout, .. } = declared;
    let (path, budget) = (path_of_rules(spec), spec.trust.budget());
    limits::check_observation(observation.size, &path, defects);
    limits::check_state(*layout, parts, fields, budget, defects);
    limits::check_actions(&rules.base_actions, rules.bins, budget, &path, defects);
    let size = limits::Size {
        layout: *layout,
        parts,
        fields,
        observation: observation.size,
        bases: &rules.base_actions,
        bins: rules.bins,
        max_schedule: rules.max_schedule,
        values: spec.values,
    };
    if !defects.has_errors() {
        limits::check_size(&size, budget, defects);
    }
    let bytes = size.bytes();
    if !defects.has_errors() {
        limits::check_memory(bytes, defects);
    }
    bytes
}

/// The cost of executing a base action once. An intervention has a fixed price. An observation has a price for each number that is not free
/// of charge.
fn cost_of(base: &BaseAction, parts: &[PartInfo], score: &dyn ScoreBehaviour, layout: &ObservationLayout) -> f64 {
    let part = &parts[base.part];
    match &base.target {
        ActionTarget::Intervention(action) => score.intervention_cost(&part.path, &part.actions[*action].name),
        ActionTarget::Observation(request) => {
            let Some(active_observation) = &layout.active_observation else { return 0.0 };
            let price = |reference: &Reference| match reference.quantity {
                Quantity::Variable(i) => score.observation_cost(&part.path, &part.variables[i].name),
                Quantity::Observable(i) => score.observation_cost(&part.path, &part.observables[i].name),
                Quantity::Step | Quantity::Remaining => 0.0,
            };
            let numbers =
                request.values.iter().map(|range| active_observation.paid_numbers(std::slice::from_ref(range)) as f64);
            sum(request.references.iter().zip(numbers).map(|(reference, n)| n * price(reference)))
        }
    }
}
