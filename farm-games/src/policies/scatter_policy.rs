//! Scatters a fertiliser or a pesticide on every plot, once or at a fixed interval.
//!
//! A fertiliser is a part with the role `release_N` that can be scattered; a pesticide is such a part with the role `cide_release_weeds`.
//! The policy needs no observations.
//!
//! Source: `create_scatter_fert` and `create_scatter_cide` of the Farm-gym reference.

use farm_core::config::Problems;
use farm_core::rules::Conditions;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Game, Policy};
use farm_roles::{CIDE_RELEASE_WEEDS, RELEASE_N};

use super::targets::{act, allowed, fills, find, play};
use super::trigger_policy::Trigger;

/// The kind of product to scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Scatterable {
    /// A product that feeds plants.
    Fertilizer,
    /// A product that kills weeds or pests.
    Cide,
}

/// Scatters a fertiliser or a pesticide on every plot, once or at a fixed interval.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ScatterPolicy {
    /// The kind of product to scatter.
    #[parameter(default = Scatterable::Fertilizer)]
    pub what: Scatterable,
    /// The product, such as `Cide-0` or `Field-0.Cide-0`, or '*' for all. Default: the only product of this kind.
    pub entity: Option<String>,
    /// The amount per plot. Default: the minimum that the rules allow.
    #[parameter(unit = "kg", range = 0.0..=1000.0)]
    pub amount: Option<f64>,
    /// The first day on which to scatter, counted from the start of the episode.
    #[parameter(unit = "day", range = 0..=100_000)]
    pub start: u32,
    /// Whether to scatter only once per episode on each plot.
    pub once: bool,
    /// The number of days between two applications on a plot.
    #[parameter(unit = "day", default = 5, range = 1..=100_000)]
    pub period: u32,
}

const ACTION: &str = "scatter";

#[farm_core::register(
    source = "Farm-gym reference, create_scatter_fert and create_scatter_cide",
    sets = include_str!("scatter_policy.yaml"),
)]
impl Policy for ScatterPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let (role, purpose) = match self.what {
            Scatterable::Fertilizer => (RELEASE_N.name(), "can be scattered as a fertiliser"),
            Scatterable::Cide => (CIDE_RELEASE_WEEDS.name(), "can be scattered as a pesticide"),
        };
        let fits = |part| fills(game, part, role) && allowed(game, part, ACTION).is_some();
        let parts = find(game, self.entity.as_deref(), purpose, fits, &mut problems);
        let amount = ("amount#kg", self.amount.map(Value::from));
        let rules = parts.into_iter().map(|part| Trigger {
            when: begun(self.start),
            for_each_plot: true,
            once: self.once,
            period: self.period,
            act: act(game, part, ACTION, std::slice::from_ref(&amount)),
            ..Trigger::default()
        });
        play(game, &rules.collect::<Vec<_>>(), &[("act", "amount#kg")], problems)
    }
}

/// A condition that holds from this day of the episode onwards.
fn begun(start: u32) -> Conditions {
    if start == 0 {
        return Conditions::default();
    }
    let entries = [("state_variable", "step".into()), ("operator", ">=".into()), ("ref_value", Value::from(start))];
    let condition = Value::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect());
    Conditions(Value::Sequence(vec![Value::Sequence(vec![condition])]))
}
