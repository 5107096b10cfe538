//! The score of the farm games: costs of actions, a daily mix and a final mix of what was achieved.
//!
//! | reads | role or event |
//! |---|---|
//! | plants that advance a stage | event `stage_transition` |
//! | what was harvested | role `harvest_weight` |
//! | how far the plants have come | role `plant_progress` |
//! | health of the soil's microlife | role `microlife` |
//! | water, fertiliser and cides given | role `resource_used` |
//!
//! Source: Farm-gym paper 3.1.2, with the signs that equation sheet II.11 corrects: what is used up counts against the
//! farmer. A stage transition counts per plot, as the share of the field's plots that advanced, so that a field of any size
//! is worth the same; death is no advance.

use std::collections::BTreeMap;

use farm_core::config::{Path, Problem};
use farm_core::declare::real;
use farm_core::{Behaviour, Builder, Column, Context, Score, ScoreBehaviour};
use farm_entities::roles::{HARVEST_WEIGHT, MICROLIFE, PLANT_PROGRESS, RESOURCE_USED};

farm_core::parameters! {
    /// Weights of what counts.
    pub struct Mix {
        /// For each plot, as a share of all plots, whose plants advance to their next stage.
        pub stage_transition: f64 = 0.0, "stage_transition", [-1e6, 1e6];
        /// For each kilogram harvested.
        pub harvest: f64 = 0.0, "yield#kg", [-1e6, 1e6];
        /// For how far the plants have come, 0 to 1, mean over plots.
        pub plant: f64 = 0.0, "plant", [-1e6, 1e6];
        /// For the health of the microlife, 0 to 1, mean over plots.
        pub soil: f64 = 0.0, "soil", [-1e6, 1e6];
        /// For each unit of water (L), fertiliser (kg) or cide (kg) used; it counts negatively.
        pub resource: f64 = 0.0, "resource", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// Costs, daily reward and final reward.
    pub struct BasicScore {
        /// Cost of each intervention, whatever its parameters: {field: {entity: {action: cost}}}.
        pub intervention_cost: BTreeMap<String, BTreeMap<String, BTreeMap<String, f64>>> = BTreeMap::new(), [0.0, 1e9];
        /// Cost of each intervention that `intervention_cost` does not name.
        pub default_intervention_cost: f64 = 0.0, "default_intervention_cost", [0.0, 1e9];
        /// The reward of every step.
        pub reward_mix: Mix = Mix::default();
        /// What is added when the episode ends.
        pub final_reward_mix: Mix = Mix::default();
    }
}

farm_core::register!(
    Score,
    BasicScore,
    "Costs of interventions, a daily mix and a final mix of what was achieved.",
    "Farm-gym paper 3.1.2"
);

#[farm_core::typetag::serde]
impl Score for BasicScore {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        self.check_names(b);
        let mut advances = vec![0.0; b.parts().iter().map(|part| part.events.len()).sum()];
        let transitions = b.events_named("stage_transition");
        for id in &transitions {
            // One part's plots are its field's plots; the share is of that part's field.
            let plots = b.events_per_step(*id);
            advances[id.index()] = 1.0 / plots.max(1) as f64;
        }
        let harvests = b.all(HARVEST_WEIGHT);
        let used = b.all(RESOURCE_USED);
        let last = |b: &mut Builder<'_>, name: &str, doc: &str| b.declare(real(name, 0.0, 1e12, doc).hidden());
        let harvest_before = last(b, "harvest_before#kg", "Weight harvested up to the step before.");
        let used_before = last(b, "resource_before", "Resources used up to the step before.");
        Box::new(Basic {
            costs: self.costs(),
            default_cost: self.default_intervention_cost,
            daily: Weights::of(&self.reward_mix),
            final_: Weights::of(&self.final_reward_mix),
            advances,
            harvests,
            used,
            progress: b.all(PLANT_PROGRESS),
            microlife: b.all(MICROLIFE),
            harvest_before,
            used_before,
        })
    }
}

impl BasicScore {
    fn costs(&self) -> BTreeMap<(String, String), f64> {
        let mut costs = BTreeMap::new();
        for (field, entities) in &self.intervention_cost {
            for (entity, actions) in entities {
                for (action, cost) in actions {
                    costs.insert((format!("{field}.{entity}"), action.clone()), *cost);
                }
            }
        }
        costs
    }

    /// Every cost names an action that exists.
    fn check_names(&self, b: &mut Builder<'_>) {
        if !b.is_complete() {
            return;
        }
        for (part, action) in self.costs().keys() {
            let (field, entity) = part.split_once('.').unwrap_or((part, ""));
            let path = Path::default().child("intervention_cost").child(field).child(entity);
            let found = b.parts().iter().find(|p| p.path == *part).map(|p| p.actions.clone());
            let problem = match found {
                Some(actions) if actions.iter().any(|a| a.name == *action) => continue,
                Some(actions) => Problem::new(path.child(action), format!("`{part}` has no action `{action}`"))
                    .value(action)
                    .among(action, actions.iter().map(|a| a.name.as_str())),
                None => {
                    let known: Vec<String> = b.parts().iter().map(|p| p.path.clone()).collect();
                    Problem::new(path, format!("there is no part `{part}`"))
                        .value(part)
                        .among(part, known.iter().map(String::as_str))
                }
            };
            b.problem(problem);
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Weights {
    stage_transition: f64,
    harvest: f64,
    plant: f64,
    soil: f64,
    resource: f64,
}

impl Weights {
    fn of(mix: &Mix) -> Self {
        Self {
            stage_transition: mix.stage_transition,
            harvest: mix.harvest,
            plant: mix.plant,
            soil: mix.soil,
            resource: mix.resource,
        }
    }
}

struct Basic {
    costs: BTreeMap<(String, String), f64>,
    default_cost: f64,
    daily: Weights,
    final_: Weights,
    /// What one event of each kind is worth as a stage transition.
    advances: Vec<f64>,
    harvests: Vec<Column<f64>>,
    used: Vec<Column<f64>>,
    progress: Vec<Column<f64>>,
    microlife: Vec<Column<f64>>,
    harvest_before: Column<f64>,
    used_before: Column<f64>,
}

impl Behaviour for Basic {}

impl Basic {
    fn total(columns: &[Column<f64>], c: &Context<'_>) -> f64 {
        columns.iter().flat_map(|column| c.get(*column)).map(std::cell::Cell::get).sum()
    }

    fn mean(columns: &[Column<f64>], c: &Context<'_>) -> f64 {
        let n: usize = columns.iter().map(|column| column.len()).sum();
        if n == 0 { 0.0 } else { Self::total(columns, c) / n as f64 }
    }

    /// The parts of a mix that are levels rather than changes.
    fn levels(&self, weights: &Weights, c: &Context<'_>) -> f64 {
        let mut sum = 0.0;
        if weights.plant != 0.0 {
            sum += weights.plant * Self::mean(&self.progress, c);
        }
        if weights.soil != 0.0 {
            sum += weights.soil * Self::mean(&self.microlife, c) / 100.0;
        }
        sum
    }
}

impl ScoreBehaviour for Basic {
    fn intervention_cost(&self, part: &str, action: &str) -> f64 {
        self.costs.get(&(part.to_owned(), action.to_owned())).copied().unwrap_or(self.default_cost)
    }

    fn reward(&self, c: &mut Context<'_>) -> f64 {
        let advanced: f64 = c.events().iter().map(|event| self.advances[event.id.index()]).sum();
        let (harvest, used) = (Self::total(&self.harvests, c), Self::total(&self.used, c));
        let (harvest_before, used_before) = (&c.get(self.harvest_before)[0], &c.get(self.used_before)[0]);
        let today = self.daily.stage_transition * advanced + self.daily.harvest * (harvest - harvest_before.get())
            - self.daily.resource * (used - used_before.get());
        harvest_before.set(harvest);
        used_before.set(used);
        today + self.levels(&self.daily, c)
    }

    fn final_reward(&self, c: &mut Context<'_>) -> f64 {
        let weights = &self.final_;
        weights.harvest * Self::total(&self.harvests, c) - weights.resource * Self::total(&self.used, c)
            + self.levels(weights, c)
    }
}
