//! Harvests plants a number of days after they reach a stage.
//!
//! It acts on parts with the role `plant_progress` that can be harvested: plot by plot if the rules allow it, otherwise
//! the whole field as soon as one plot has reached the stage. It observes the variable `stage`.
//!
//! Source: `create_harvest_ripe` and `create_harvest_fruit` of the Farm-gym reference, with their delays.

use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy};
use farm_roles::PLANT_PROGRESS;

use super::targets::{act, fills, find, first_allowed, is_by_plot, play, when};
use super::trigger_policy::Trigger;

/// Harvests plants a number of days after they reach a stage.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct HarvestPolicy {
    /// The plant to harvest, such as `Plant-0` or `Field-0.Plant-0`, or '*' for all. Default: the only plant that can be harvested.
    pub entity: Option<String>,
    /// The stage to wait for.
    #[parameter(default = "ripe".into())]
    pub stage: String,
    /// The number of days from the first observation of the stage to the harvest.
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
        let parts = find(game, self.entity.as_deref(), "can be harvested", fits, &mut problems);
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
