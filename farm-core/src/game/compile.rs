//! Compiles a game: declares the parts in rounds, resolves names and checks everything.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use super::uses::served_fields;
use super::{Behaviours, Game, Tick, limits, unused};
use crate::action::{ActionKind, ActionTable, ActionTarget, BaseAction};
use crate::condition::remove_reasons;
use crate::config::{Path, Problem, Problems};
use crate::declare::{
    Builder, DeclarationError, Draft, FieldInfo, Names, PartInfo, Phase, Quantity, Reference, check_declarations,
};
use crate::math::sum;
use crate::observation::{ObservationLayout, all_visible};
use crate::part::{ScoreBehaviour, Season};
use crate::rules::RuleBuilder;
use crate::spec::{GameSpec, InteractionMode};
use crate::state::{Cells, Region, State};
use crate::{failure, monitor};

/// The maximum number of declaration rounds. A game that still changes after them is rejected.
const MAX_ROUNDS: usize = 8;

impl Game {
    /// Compiles a game.
    ///
    /// # Errors
    /// All unknown names, roles without a provider, and values that do not fit. The problems have
    /// paths; [`crate::config::Document::locate`] adds lines.
    pub fn new(mut spec: GameSpec) -> Result<Self, Problems> {
        let fields: Vec<Arc<FieldInfo>> = spec
            .fields
            .iter()
            .map(|(name, field)| {
                Arc::new(FieldInfo {
                    name: name.clone(),
                    length: field.shape.length as usize,
                    width: field.shape.width as usize,
                    scale_m: field.shape.scale_m,
                    latitude_degrees: field.localization.latitude_degrees,
                    longitude_degrees: field.localization.longitude_degrees,
                    altitude_m: field.localization.altitude_m,
                })
            })
            .collect();
        let (start, budget) = (Instant::now(), spec.trust.budget());
        let mut problems = Problems::default();
        limits::check_plots(&spec, &fields, budget, &mut problems);
        if problems.has_errors() {
            return Err(problems);
        }
        let mut before = Draft::default();
        let mut settled = false;
        let mut behaviours = Vec::new();
        for _ in 0..MAX_ROUNDS {
            problems = Problems::default();
            let complete = settled;
            let (draft, built) = declare_all(&spec, &fields, &before, complete, &mut problems);
            behaviours = built;
            settled = draft == before;
            before = draft;
            if complete || !before.layout.fits(budget.state_bytes) {
                break;
            }
            let mut refused = Problems::default();
            limits::check_plots_fit(&spec, &fields, before.layout, &mut refused);
            if refused.has_errors() {
                return Err(refused);
            }
            if limits::is_out_of_time(start, budget, &mut problems) {
                return Err(problems);
            }
        }
        // Contradictory declarations are reported alone; their consequences would only confuse.
        let mut defects = Problems::default();
        check_declarations(&before.parts, &mut defects);
        limits::check_state(before.layout, &before.parts, &fields, budget, &mut defects);
        if defects.has_errors() {
            return Err(problems_of(problems, defects, &before.parts));
        }
        if !settled {
            problems.push(
                Problem::new(DeclarationError::WrongDeclaration, Path::default().child("fields"), "the declarations of this game's parts never settle")
                    .help("a part changes its declarations each time it is built: its `build` must depend only on its parameters"),
            );
        }
        let Draft { parts, mut layout, .. } = before;
        let names = Names { parts: &parts, fields: &fields };
        let first_farmer = parts.iter().position(|p| p.field.is_none()).unwrap_or(parts.len());
        let allows = |farmer: usize, kind: ActionKind, field: Option<usize>| match behaviours.get(first_farmer + farmer)
        {
            Some(Behaviours::Farmer(farmer)) => farmer.allows(kind, field),
            _ => true,
        };
        let path = Path::default().child("rules").child(spec.rules.typetag_name());
        let mode = spec.interaction_mode;
        let directory = spec.directory.as_ref();
        let may_look = unused::may_look(&spec);
        let mut builder = RuleBuilder {
            names,
            path: path.clone(),
            problems: &mut problems,
            mode,
            lists_actions: false,
            may_look,
            directory,
            allows: &allows,
        };
        let mut rules = spec.rules.build(&mut builder);
        let lists_actions = builder.lists_actions;
        for (index, (part, behaviour)) in parts.iter().zip(&mut behaviours).enumerate() {
            let mut season = Season { rules: &rules, part: (index, part), lists_actions, problems: Vec::new() };
            behaviour.any_mut().plan(&mut season);
            for problem in season.problems {
                let path = Path(part.config.0.iter().chain(&problem.path.0).cloned().collect());
                problems.push(Problem { path, ..problem });
            }
        }
        let max_steps = rules.max_steps.unwrap_or(u32::MAX);
        let observation = match mode {
            InteractionMode::Pomdp => ObservationLayout::new(&rules.free, names, max_steps),
            InteractionMode::Fomdp => {
                ObservationLayout::new(&all_visible(&parts, names, &mut problems), names, max_steps)
            }
            InteractionMode::Aomdp => ObservationLayout::with_active_observation(
                &rules.free,
                &mut rules.base_actions,
                names,
                max_steps,
                &mut layout,
            ),
        };
        let steps_today = (rules.steps_per_day > 1).then(|| layout.reserve(1));
        limits::check_observation(observation.size, &path, &mut defects);
        limits::check_state(layout, &parts, &fields, budget, &mut defects);
        limits::check_actions(&rules.base_actions, rules.bins, budget, &path, &mut defects);
        let size = limits::Size {
            layout,
            parts: &parts,
            fields: &fields,
            observation: observation.size,
            bases: &rules.base_actions,
            bins: rules.bins,
            max_schedule: rules.max_schedule,
            values: spec.values,
        };
        if !defects.has_errors() {
            limits::check_size(&size, budget, &mut defects);
        }
        let size_in_bytes = size.bytes();
        if !defects.has_errors() {
            limits::check_memory(size_in_bytes, &mut defects);
        }
        if defects.has_errors() {
            return Err(problems_of(problems, defects, &parts));
        }
        if let Some(Behaviours::Score(score)) = behaviours.last() {
            for base in &mut rules.base_actions {
                base.cost = cost_of(base, &parts, score.as_ref(), &observation);
            }
            if !may_look {
                let path = Path::default().child("score").child(spec.score.typetag_name());
                problems.0.extend(unused::prices(&parts, score.as_ref(), path));
            }
        }
        let constraints = match behaviours.last() {
            Some(Behaviours::Score(score)) => score.constraints(),
            _ => Vec::new(),
        };
        let monitors = monitor::list(&spec.monitoring, names, rules.max_steps, &mut problems);
        problems.0.extend(failure::as_problem(&parts));
        if problems.has_errors() {
            return Err(problems);
        }
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
        let in_phase = |phase: Phase| {
            let runs = parts.iter().enumerate().filter(move |(_, part)| part.phases.contains(&phase));
            runs.map(move |(part, info)| Tick { part, phase, awake: info.awake })
        };
        let has_plain_days =
            observation.active_observation.is_none() && steps_today.is_none() && catalogue.max_schedule > 0;
        let is_unconditional = |base: &BaseAction| {
            let has_hooks = match behaviours.get(first_farmer + base.farmer) {
                Some(Behaviours::Farmer(farmer)) => farmer.has_hooks(),
                _ => true,
            };
            has_plain_days && !has_hooks && base.kind() == ActionKind::Intervention && base.cost <= rules.max_cost
        };
        let unconditional: Vec<bool> = catalogue.base_actions.iter().map(is_unconditional).collect();
        let ticks = Phase::ALL.into_iter().flat_map(in_phase).collect();
        let events = parts.iter().enumerate().flat_map(|(i, p)| p.events.iter().map(move |e| (i, e.clone()))).collect();
        let max_events = 2 * parts.iter().flat_map(|part| &part.events).map(|event| event.per_step).sum::<usize>();
        let regions = layout.regions();
        let mut prototype = State::zeroed(regions);
        fill_defaults(&parts, &prototype.cells(regions));
        if let Some(active_observation) = &observation.active_observation {
            active_observation.new_day(&prototype.cells(regions));
        }
        // Monitors, policies, reasons for the end of an episode and unused presets do not change how the game plays.
        let (recorded, policies) = (std::mem::take(&mut spec.monitoring), std::mem::take(&mut spec.policies));
        let presets = std::mem::take(&mut spec.presets);
        let text = played_text(&spec);
        (spec.monitoring, spec.policies, spec.presets) = (recorded, policies, presets);
        let fingerprint = xxhash_rust::xxh3::xxh3_64(format!("{}\n{text}", env!("CARGO_PKG_VERSION")).as_bytes());
        let mut game = Self {
            spec,
            fields,
            catalogue,
            observation,
            warnings,
            events,
            max_events,
            constraints,
            monitors,
            steps_today,
            behaviours,
            is_unconditional: !unconditional.contains(&false),
            stops_on_values: rules.stopping.is_of_values(),
            rules,
            unconditional,
            ticks,
            regions,
            prototype,
            fingerprint,
            size_in_bytes,
            first_farmer,
            parts,
        };
        let mut problems = Problems::default();
        super::template::check(&game, &mut problems);
        if problems.has_errors() {
            return Err(problems);
        }
        game.warnings.0.append(&mut problems.0);
        Ok(game)
    }
}

/// All problems in a game whose compilation had to stop.
fn problems_of(problems: Problems, defects: Problems, parts: &[PartInfo]) -> Problems {
    Problems(problems.0.into_iter().chain(defects.0).chain(failure::as_problem(parts)).collect())
}

/// One round of declarations: every part in order, based on the results of the previous round.
fn declare_all(
    spec: &GameSpec,
    fields: &[Arc<FieldInfo>],
    before: &Draft,
    complete: bool,
    problems: &mut Problems,
) -> (Draft, Vec<Behaviours>) {
    let mut draft = Draft::default();
    let mut behaviours = Vec::new();
    let mut events_before = 0;
    let served = served_fields(spec, problems);
    let mut ranks: HashMap<(String, Option<usize>), usize> = HashMap::new();
    let mut declare =
        |kind: &str, field: Option<usize>, config: Path, build: &mut dyn FnMut(&mut Builder<'_>) -> Behaviours| {
            let serves = served.get(draft.parts.len()).cloned().unwrap_or_default();
            let next = ranks.entry((kind.to_owned(), field)).or_default();
            let name = format!("{kind}-{next}");
            *next += 1;
            let path = field.map_or(name.clone(), |f| format!("{}.{name}", fields[f].name));
            let mut builder = Builder {
                candidates_for: crate::spec::candidates_for,
                part: PartInfo { name, kind: kind.to_owned(), field, serves, path, config, ..PartInfo::default() },
                field: fields[field.unwrap_or(0)].clone(),
                fields,
                before,
                layout: &mut draft.layout,
                events_before,
                problems,
                directory: spec.directory.as_ref(),
                trust: &spec.trust,
                missing: Vec::new(),
                several: Vec::new(),
                complete,
                only_declares: false,
            };
            behaviours.push(build(&mut builder));
            builder.report_roles();
            let part = builder.part;
            events_before += part.events.len();
            draft.parts.push(part);
        };
    let root = Path::default();
    for (f, (name, field)) in spec.fields.iter().enumerate() {
        for (i, entity) in field.entities.iter().enumerate() {
            let kind = entity.typetag_name();
            let config = root.child("fields").child(name).child("entities").child(i).child(kind);
            declare(entity.instance_name().unwrap_or(kind), Some(f), config, &mut |builder| {
                Behaviours::Entity(entity.build(builder))
            });
        }
    }
    for (i, farmer) in spec.farmers.iter().enumerate() {
        let kind = farmer.typetag_name();
        let config = root.child("farmers").child(i).child(kind);
        declare(farmer.instance_name().unwrap_or(kind), None, config, &mut |builder| {
            Behaviours::Farmer(farmer.build(builder))
        });
    }
    let kind = spec.score.typetag_name();
    let config = root.child("score").child(kind);
    let name = spec.score.instance_name().unwrap_or(kind);
    declare(name, None, config, &mut |builder| Behaviours::Score(spec.score.build(builder)));
    draft.index();
    (draft, behaviours)
}

/// The cost of executing a base action once: for an intervention, a fixed price; for an observation, a price for each number
/// that is not free of charge.
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
