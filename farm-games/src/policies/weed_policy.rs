//! Removes weeds from plots with many of them.
//!
//! Weeds are parts that can be removed from a plot, with the role `water_demand` and without the role `plant_progress`. The policy observes
//! the variable `grow#nb`.
//!
//! Source: `create_remove_weeds` of the Farm-gym reference, with its delay, frequency and threshold.

use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy};
use farm_roles::{PLANT_PROGRESS, WATER_DEMAND};

use super::targets::{act, allowed, fills, find, play, when};
use super::trigger_policy::Trigger;

/// Removes weeds from plots with many of them.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WeedPolicy {
    /// The weeds to remove, such as `Weeds-0` or `Field-0.Weeds-0`, or '*' for all. Default: the only weeds.
    pub entity: Option<String>,
    /// The minimum number of weeds in a plot for a removal.
    #[parameter(unit = "nb", default = 2, range = 1..=1_000_000)]
    pub threshold: u32,
    /// The number of days from the first observation of this many weeds to the removal.
    #[parameter(unit = "day", default = 2, range = 0..=100_000)]
    pub delay: u32,
    /// The minimum number of days between two removals on a plot.
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
        let parts = find(game, self.entity.as_deref(), "can be weeded plot by plot", fits, &mut problems);
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
