//! A rule that shows all variables in the fields, allows every action, and ends after a season.
//!
//! Source: designed for this example; the rule on the page `docs/parts-in-rust.md`.

use farm_core::Rule;
use farm_core::rules::{AtLimit, RuleBuilder, Rules};
use farm_core::serde_yaml::Value;

/// Shows and allows everything, for a season.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct OpenRule {
    /// Values at the start: {field: {entity: {variable: value}}}.
    #[parameter(default = Value::Null)]
    pub initial_conditions: Value,
    /// Maximum number of actions in a day.
    #[parameter(unit = "nb", default = 1, range = 1..=100)]
    pub actions_per_day: u32,
    /// Days until the season is over, which ends the episode.
    #[parameter(unit = "day", default = 120, range = 1..=100_000)]
    pub season: u32,
}

#[farm_core::register(source = "Design of this example")]
impl Rule for OpenRule {
    fn build(&self, b: &mut RuleBuilder<'_>) -> Rules {
        let mut visible = Vec::new();
        for part in b.parts() {
            // Farmers and the score belong to no field.
            let Some(field) = part.field() else { continue };
            for variable in part.variables().iter().filter(|variable| variable.visible()) {
                let names = [b.fields()[field].name(), part.name(), variable.name()];
                visible.push(Value::Sequence(names.map(Value::from).to_vec()));
            }
        }
        Rules {
            initial: b.initial_conditions(&self.initial_conditions, "initial_conditions"),
            free: b.free_observations(&Value::Sequence(visible), "free_observations"),
            base_actions: b.actions(&Value::Null, "actions"),
            bins: 11,
            max_schedule: self.actions_per_day as usize,
            max_steps: Some(self.season),
            at_limit: AtLimit::Terminated,
            max_cost: f64::INFINITY,
            ..Rules::default()
        }
    }
}
