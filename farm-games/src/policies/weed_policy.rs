//! Pulls out weeds where there are many.
//!
//! Weeds are what asks for water (role `water_demand`), is no plant with stages (role `plant_progress`) and may be removed
//! from a plot. It looks at the variable `grow#nb`.
//!
//! Source: `create_remove_weeds` of the Farm-gym reference, with its delay, frequency and threshold.

use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy};
use farm_roles::{PLANT_PROGRESS, WATER_DEMAND};

use super::targets::{act, allowed, fills, find, play, when};
use super::trigger_policy::Trigger;

/// Pulls out the weeds of a plot where there are many.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WeedPolicy {
    /// Which weeds, such as `Weeds-0` or `Field-0.Weeds-0`; '*' for all. The only ones if nothing is said.
    pub entity: Option<String>,
    /// At how many weeds in a plot to act.
    #[parameter(unit = "nb", default = 2, range = 1..=1_000_000)]
    pub threshold: u32,
    /// How many days after so many were first seen to pull them out.
    #[parameter(unit = "day", default = 2, range = 0..=100_000)]
    pub delay: u32,
    /// How many days two times in a plot are apart at the least.
    #[parameter(unit = "day", default = 5, range = 1..=100_000)]
    pub period: u32,
}

const ACTION: &str = "remove";

#[farm_core::register(source = "Farm-gym reference, create_remove_weeds")]
impl Policy for WeedPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let is_weed = |part| fills(game, part, WATER_DEMAND.name()) && !fills(game, part, PLANT_PROGRESS.name());
        let fits = |part| is_weed(part) && allowed(game, part, ACTION).is_some();
        let parts = find(game, self.entity.as_deref(), "is a weed that may be removed", fits, &mut problems);
        let comparison = [("operator", ">=".into()), ("ref_value", self.threshold.into())];
        let rules = parts.into_iter().map(|part| Trigger {
            when: when(game, part, "grow#nb", &comparison),
            for_each_plot: true,
            delay: self.delay,
            period: self.period,
            act: act(game, part, ACTION, &[]),
            ..Trigger::default()
        });
        play(game, &rules.collect::<Vec<_>>(), &[("ref_value", "threshold#nb")], problems)
    }
}
