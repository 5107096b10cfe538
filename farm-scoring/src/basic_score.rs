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
use farm_core::math::sum;
use farm_core::{Bind, Column, Columns, Context, Declarations, Found, Role, Score, ScoreBehaviour};
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

impl Biodiversity {
    /// The weights, in the order of [`LIFE`].
    fn weights(&self) -> [f64; 4] {
        [self.birds, self.pollinators, self.pests, self.weeds]
    }
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
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        d.text_variable("daily_reward", self.reward_mix.in_words());
        d.text_variable("final_reward", self.final_reward_mix.in_words());
        Bind::after(move |d, known| {
            let most = |role| {
                let values = known.declarations(role).into_iter().map(|(_, variable)| variable.len()).sum::<usize>();
                values as f64 * f64::from(i32::MAX)
            };
            let weights = self.biodiversity.weights();
            let most_life = sum(weights.iter().zip(LIFE).map(|(weight, role)| weight.abs() * most(role)));
            let reward = Basic::declare(d, &Given { score: self.clone(), most_life: MANY.max(most_life) });
            let constraints = self.constraints.declare(d);
            Bind::new(move |found| {
                let (costs, default) = (&self.intervention_cost, self.default_intervention_cost);
                let interventions = Costs::new(costs, default, "intervention_cost", Priced::Actions, found);
                let (costs, default) = (&self.observation_cost, self.default_observation_cost);
                let observations = Costs::new(costs, default, "observation_cost", Priced::Variables, found);
                let constraints = constraints.bind(found);
                PricedScore { interventions, observations, constraints, reward: reward.bind(found) }
            })
        })
    }
}

/// The counts of living beings: birds, pollinators, pests and weeds.
const LIFE: [Role<i32>; 4] = [BIRDS_SEEN, POLLINATOR_VISITS, PESTS_COME, WEEDS_SPROUTED];

/// Upper bound on the quantities that grow over an episode.
const MANY: f64 = 1e12;

/// The score, and the largest biodiversity of an episode.
#[derive(Clone)]
struct Given {
    score: BasicScore,
    most_life: f64,
}

#[derive(Columns)]
struct Basic {
    given: Given,
    #[all(each = LIFE)]
    life: [Vec<Column<i32>>; 4],
    #[all(HARVEST_WEIGHT)]
    harvests: Vec<Column<f64>>,
    #[all(RESOURCE_USED)]
    used: Vec<Column<f64>>,
    #[all(PLANT_PROGRESS)]
    progress: Vec<Column<f64>>,
    #[all(MICROLIFE)]
    microlife: Vec<Column<f64>>,
    /// Stage transitions up to the previous step, as shares of plots.
    #[real(range = 0.0..=MANY, hidden)]
    advanced_before: Column<f64>,
    /// Weight harvested up to the previous step.
    #[real(unit = "kg", range = 0.0..=MANY, hidden)]
    harvest_before: Column<f64>,
    /// Resources used up to the previous step.
    #[real(range = 0.0..=MANY, hidden)]
    resource_before: Column<f64>,
    /// Biodiversity up to the previous step.
    #[real(range = -given.most_life..=given.most_life, hidden)]
    biodiversity_before: Column<f64>,
    /// The value of one event as a stage transition, by event kind.
    #[bind(advances(found))]
    advances: Vec<f64>,
}

/// The plots of a part are those of its field, so the share is of this field.
fn advances(found: &Found<'_>) -> Vec<f64> {
    let mut advances = counted::by_event(found);
    for id in found.events_named("stage_transition") {
        advances[id.index()] = 1.0 / found.events_per_step(id).max(1) as f64;
    }
    advances
}

/// The quantities that grow over an episode.
struct Totals {
    advanced: f64,
    harvest: f64,
    used: f64,
    life: f64,
}

impl Basic {
    /// The totals at the end of the step; `advanced` is this step's share.
    fn totals(&self, advanced: f64, c: &Context<'_>) -> Totals {
        let life = self.given.score.biodiversity.weights().into_iter().zip(&self.life);
        Totals {
            advanced: c.value(self.advanced_before) + advanced,
            harvest: counted::total(&self.harvests, c),
            used: counted::total(&self.used, c),
            life: sum(life.map(|(weight, columns)| weight * counted::count(columns, c))),
        }
    }

    /// The value of a mix, from the results of a step or an episode, and from the levels at the end of that step or episode.
    fn mixed(&self, mix: &Mix, achieved: &Totals, c: &Context<'_>) -> f64 {
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
        c.get(self.advanced_before)[0].set(now.advanced);
        let today = Totals {
            advanced,
            harvest: added(self.harvest_before, now.harvest),
            used: added(self.resource_before, now.used),
            life: added(self.biodiversity_before, now.life),
        };
        self.mixed(&self.given.score.reward_mix, &today, c)
    }

    fn final_reward(&self, c: &mut Context<'_>) -> f64 {
        self.mixed(&self.given.score.final_reward_mix, &self.totals(0.0, c), c)
    }
}
