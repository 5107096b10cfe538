//! The score of the farm games: action costs, a daily mix and a final mix of results.
//!
//! | reads | role or event |
//! |---|---|
//! | plants that advance a stage | event `stage_transition` |
//! | harvest | role `harvest_weight` |
//! | plant progress | role `plant_progress` |
//! | soil life health | role `microlife` |
//! | water, fertiliser and pesticides used | role `resource_used` |
//! | animals and weeds on the fields | roles `birds_seen`, `pollinator_visits`, `pests_come`, `weeds_sprouted` |
//!
//! Source: Farm-gym paper 3.1.2, with the signs corrected in equation sheet II.11: used resources count against the farmer. A stage
//! transition counts as the share of the field's plots that advanced, so fields of any size are worth the same. Death is not an advance.
//! Quantities that grow over an episode (transitions, harvest, resources, life) enter the daily mix as the day's increase and the final mix
//! as their total, so nothing is paid twice. Levels (plant, soil) count with their current value. `plant` corresponds to `stagecount` in
//! the public reference.

use farm_core::config::Parameters;
use farm_core::declare::real;
use farm_core::math::sum;
use farm_core::{Builder, Column, Context, Score, ScoreBehaviour};
use farm_roles::{
    BIRDS_SEEN, HARVEST_WEIGHT, MICROLIFE, PESTS_COME, PLANT_PROGRESS, POLLINATOR_VISITS, RESOURCE_USED, WEEDS_SPROUTED,
};

use crate::constraints::Constraints;
use crate::costs::{CostTable, Costs, Priced};
use crate::counted;
use crate::priced::{PricedScore, Reward};

/// Weights of the results.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Mix {
    /// For each plot, as a share of all plots, whose plants advance to their next stage.
    #[parameter(range = -1e6..=1e6)]
    pub stage_transition: f64,
    /// For each kilogram harvested.
    #[parameter(name = "yield#kg", range = -1e6..=1e6)]
    pub harvest: f64,
    /// For how far the plants have come, 0 to 1, mean over plots.
    #[parameter(range = -1e6..=1e6)]
    pub plant: f64,
    /// For the health of the microlife, 0 to 1, mean over plots.
    #[parameter(range = -1e6..=1e6)]
    pub soil: f64,
    /// For each unit of water (L), fertiliser (kg) or cide (kg) used; it counts negatively.
    #[parameter(range = 0.0..=1e6)]
    pub resource: f64,
    /// For all that lived on the fields, each kind as `biodiversity` of the score weighs it.
    #[parameter(range = -1e6..=1e6)]
    pub biodiversity: f64,
}

/// The weight of each living being in `biodiversity`.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Biodiversity {
    /// Each bird of each day.
    #[parameter(default = 1.0, range = -1e6..=1e6)]
    pub birds: f64,
    /// Each visit of pollinators to a plot.
    #[parameter(default = 1.0, range = -1e6..=1e6)]
    pub pollinators: f64,
    /// Each pest that came.
    #[parameter(range = -1e6..=1e6)]
    pub pests: f64,
    /// Each weed that sprouted.
    #[parameter(range = -1e6..=1e6)]
    pub weeds: f64,
}

/// Costs of actions, a daily mix and a final mix of results.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct BasicScore {
    /// Cost of each intervention, independent of its parameters: {field: {entity: {action: cost}}}.
    #[parameter(range = 0.0..=1e9)]
    pub intervention_cost: CostTable,
    /// Cost of each intervention that is not in `intervention_cost`.
    #[parameter(range = 0.0..=1e9)]
    pub default_intervention_cost: f64,
    /// Cost of each requested value: {field: {entity: {variable: cost}}}; a group such as `air_temperature` covers all its variables.
    #[parameter(range = 0.0..=1e9)]
    pub observation_cost: CostTable,
    /// Cost of each requested value that is not in `observation_cost`.
    #[parameter(range = 0.0..=1e9)]
    pub default_observation_cost: f64,
    /// The reward of every step.
    pub reward_mix: Mix,
    /// The reward that is added when the episode ends.
    pub final_reward_mix: Mix,
    /// The weight of each living being in the `biodiversity` of both mixes.
    pub biodiversity: Biodiversity,
    /// Quantities that must stay small; they do not change the reward.
    pub constraints: Constraints,
}

impl Mix {
    /// Its weights, each with its description; empty if it has none.
    fn in_words(&self) -> String {
        let weights = serde_yaml::to_value(self).unwrap_or_default();
        let weight = |name: &str| weights.get(name).and_then(|weight| weight.as_f64()).filter(|weight| *weight != 0.0);
        let terms = Self::table().into_iter().filter_map(|parameter| {
            let doc = parameter.doc().trim_end_matches('.');
            let end = doc.char_indices().nth(1).map_or(doc.len(), |(end, _)| end);
            Some(format!("{} {}{}", weight(parameter.name())?, doc[..end].to_lowercase(), &doc[end..]))
        });
        terms.collect::<Vec<_>>().join("; ")
    }
}

#[farm_core::register(source = "Farm-gym paper 3.1.2")]
impl Score for BasicScore {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        let mut advances = vec![0.0; b.parts().iter().map(|part| part.events().len()).sum()];
        for id in b.events_named("stage_transition") {
            // The plots of a part are those of its field, so the share is of this field.
            let plots = b.events_per_step(id);
            advances[id.index()] = 1.0 / plots.max(1) as f64;
        }
        let within = |b: &mut Builder<'_>, name: &str, low: f64, high: f64, doc: &str| {
            b.declare(real(name, low, high, doc).hidden())
        };
        let last = |b: &mut Builder<'_>, name: &str, doc: &str| within(b, name, 0.0, MANY, doc);
        let (costs, default) = (&self.intervention_cost, self.default_intervention_cost);
        let interventions = Costs::new(costs, default, "intervention_cost", Priced::Actions, b);
        let (costs, default) = (&self.observation_cost, self.default_observation_cost);
        let observations = Costs::new(costs, default, "observation_cost", Priced::Variables, b);
        b.text_variable("daily_reward", self.reward_mix.in_words());
        b.text_variable("final_reward", self.final_reward_mix.in_words());
        let weights = &self.biodiversity;
        let life = [
            (weights.birds, b.all(BIRDS_SEEN)),
            (weights.pollinators, b.all(POLLINATOR_VISITS)),
            (weights.pests, b.all(PESTS_COME)),
            (weights.weeds, b.all(WEEDS_SPROUTED)),
        ];
        let most_life = MANY.max(sum(life.iter().map(|(weight, columns)| weight.abs() * counted::most(columns))));
        let reward = Basic {
            daily: self.reward_mix.clone(),
            final_: self.final_reward_mix.clone(),
            advances,
            harvests: b.all(HARVEST_WEIGHT),
            used: b.all(RESOURCE_USED),
            progress: b.all(PLANT_PROGRESS),
            microlife: b.all(MICROLIFE),
            life,
            before: Totals {
                advanced: last(b, "advanced_before", "Stage transitions up to the previous step, as shares of plots."),
                harvest: last(b, "harvest_before#kg", "Weight harvested up to the previous step."),
                used: last(b, "resource_before", "Resources used up to the previous step."),
                life: within(b, "biodiversity_before", -most_life, most_life, "Biodiversity up to the previous step."),
            },
        };
        Box::new(PricedScore { interventions, observations, constraints: self.constraints.build(b), reward })
    }
}

struct Basic {
    daily: Mix,
    final_: Mix,
    /// The value of one event as a stage transition, by event kind.
    advances: Vec<f64>,
    harvests: Vec<Column<f64>>,
    used: Vec<Column<f64>>,
    progress: Vec<Column<f64>>,
    microlife: Vec<Column<f64>>,
    /// Birds, pollinators, pests and weeds: their weight and their counts.
    life: [(f64, Vec<Column<i32>>); 4],
    before: Totals<Column<f64>>,
}

/// Upper bound on the quantities that grow over an episode.
const MANY: f64 = 1e12;

/// The quantities that grow over an episode.
struct Totals<T> {
    advanced: T,
    harvest: T,
    used: T,
    life: T,
}

impl Basic {
    /// The totals at the end of the step; `advanced` is this step's share.
    fn totals(&self, advanced: f64, c: &Context<'_>) -> Totals<f64> {
        Totals {
            advanced: c.value(self.before.advanced) + advanced,
            harvest: counted::total(&self.harvests, c),
            used: counted::total(&self.used, c),
            life: sum(self.life.iter().map(|(weight, columns)| weight * counted::count(columns, c))),
        }
    }

    /// The value of a mix, from the results of a step or an episode, and from the levels at the end of that step or episode.
    fn mixed(&self, mix: &Mix, achieved: &Totals<f64>, c: &Context<'_>) -> f64 {
        let mut levels = 0.0;
        if mix.plant != 0.0 {
            levels += mix.plant * counted::mean(&self.progress, c);
        }
        if mix.soil != 0.0 {
            levels += mix.soil * counted::mean(&self.microlife, c) / 100.0;
        }
        mix.stage_transition * achieved.advanced + mix.harvest * achieved.harvest - mix.resource * achieved.used
            + mix.biodiversity * achieved.life
            + levels
    }
}

impl Reward for Basic {
    fn reward(&self, c: &mut Context<'_>) -> f64 {
        let advanced = sum(c.events().iter().map(|event| self.advances[event.id.index()]));
        let now = self.totals(advanced, c);
        let added = |before: Column<f64>, now: f64| now - c.get(before)[0].replace(now);
        c.get(self.before.advanced)[0].set(now.advanced);
        let today = Totals {
            advanced,
            harvest: added(self.before.harvest, now.harvest),
            used: added(self.before.used, now.used),
            life: added(self.before.life, now.life),
        };
        self.mixed(&self.daily, &today, c)
    }

    fn final_reward(&self, c: &mut Context<'_>) -> f64 {
        self.mixed(&self.final_, &self.totals(0.0, c), c)
    }
}
