//! Harvests so many days after plants have come to a stage.
//!
//! It acts on what publishes how far plants have come (role `plant_progress`) and lets itself be harvested: plot by plot if
//! the rules allow it, otherwise all at once as soon as one plot has come to the stage. It looks at the variable `stage`.
//!
//! Source: `create_harvest_ripe` and `create_harvest_fruit` of the Farm-gym reference, with their delays.

use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy};
use farm_roles::PLANT_PROGRESS;

use super::targets::{act, fills, find, first_allowed, is_by_plot, play, when};
use super::trigger_policy::Trigger;

/// Harvests so many days after plants have come to a stage.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct HarvestPolicy {
    /// What to harvest, such as `Plant-0` or `Field-0.Plant-0`; '*' for all that can be harvested. The only one if nothing is said.
    pub entity: Option<String>,
    /// The stage to wait for.
    #[parameter(default = "ripe".into())]
    pub stage: String,
    /// How many days after the stage was first seen to harvest.
    #[parameter(unit = "day", default = 1, range = 0..=100_000)]
    pub delay: u32,
}

const ACTIONS: [&str; 2] = ["micro_harvest", "harvest"];

#[farm_core::register(
    source = "Farm-gym reference, create_harvest_ripe and create_harvest_fruit",
    sets = include_str!("harvest_policy.yaml"),
)]
impl Policy for HarvestPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let fits = |part| fills(game, part, PLANT_PROGRESS.name()) && first_allowed(game, part, &ACTIONS).is_some();
        let parts = find(game, self.entity.as_deref(), "is a plant that may be harvested", fits, &mut problems);
        let rules = parts.into_iter().filter_map(|part| {
            let action = first_allowed(game, part, &ACTIONS)?;
            let for_each_plot = is_by_plot(game, part, action);
            let (operator, stage) = ("operator", self.stage.as_str().into());
            let comparison = match for_each_plot {
                true => vec![(operator, "==".into()), ("ref_value", stage)],
                false => {
                    vec![("function", "count".into()), ("of", stage), (operator, ">=".into()), ("ref_value", 1.into())]
                }
            };
            let when = when(game, part, "stage", &comparison);
            Some(Trigger {
                when,
                for_each_plot,
                delay: self.delay,
                act: act(game, part, action, &[]),
                ..Trigger::default()
            })
        });
        play(game, &rules.collect::<Vec<_>>(), &[("ref_value", "stage"), ("of", "stage")], problems)
    }
}
