//! Waters every plot at a fixed interval, or when its soil holds too little water.
//!
//! It acts on parts with the role `supply_water`, which hold the water in the plots. With a threshold it observes
//! `available_Water#L`; otherwise it needs no observations.
//!
//! Source: `create_water_soil` of the Farm-gym reference.

use farm_core::config::Problems;
use farm_core::rules::Conditions;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Game, Policy};
use farm_roles::SUPPLY_WATER;

use super::targets::{act, fills, find, first_allowed, play, when};
use super::trigger_policy::Trigger;

/// Waters plots with a fixed amount, at a fixed interval or below a threshold.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WaterPolicy {
    /// The soil to water, such as `Soil-0` or `Field-0.Soil-0`, or '*' for all. Default: the only soil.
    pub entity: Option<String>,
    /// The amount of water per plot. Default: the minimum that the rules allow.
    #[parameter(unit = "L", range = 0.0..=1e9)]
    pub amount: Option<f64>,
    /// The soil water below which a plot is watered. Default: no threshold.
    #[parameter(unit = "L", range = 0.0..=1e9)]
    pub below: Option<f64>,
    /// The minimum number of days between two waterings of a plot.
    #[parameter(unit = "day", default = 1, range = 1..=100_000)]
    pub period: u32,
}

const ACTIONS: [&str; 2] = ["water_discrete", "water_continuous"];

#[farm_core::register(source = "Farm-gym reference, create_water_soil")]
impl Policy for WaterPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let fits = |part| fills(game, part, SUPPLY_WATER.name()) && first_allowed(game, part, &ACTIONS).is_some();
        let parts = find(game, self.entity.as_deref(), "can be watered", fits, &mut problems);
        let rules = parts.into_iter().filter_map(|part| {
            let action = first_allowed(game, part, &ACTIONS)?;
            let below = |below: f64| {
                when(game, part, "available_Water#L", &[("operator", "<".into()), ("ref_value", below.into())])
            };
            let amount = ("amount#L", self.amount.map(Value::from));
            Some(Trigger {
                when: self.below.map_or_else(Conditions::default, below),
                for_each_plot: true,
                period: self.period,
                act: act(game, part, action, &[amount]),
                ..Trigger::default()
            })
        });
        play(game, &rules.collect::<Vec<_>>(), &[("when", "below#L"), ("act", "amount#L")], problems)
    }
}
