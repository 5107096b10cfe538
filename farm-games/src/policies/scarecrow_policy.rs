//! Puts up a scarecrow on the first day when the farmer has time for it.
//!
//! It acts on parts with the role `scarecrow_strength`, which keep birds away. It needs no observations.
//!
//! Source: `create_put_scarecrow` of the Farm-gym reference.

use farm_core::action::Allowed;
use farm_core::config::Problems;
use farm_core::declare::ActionParameterKind;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Game, Policy};
use farm_roles::SCARECROW_STRENGTH;

use super::targets::{act, allowed, fills, find, play};
use super::trigger_policy::Trigger;

/// Puts up a scarecrow once.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ScarecrowPolicy {
    /// The facility, such as `Facility-0` or `Field-0.Facility-0`, or '*' for all. Default: the only facility.
    pub entity: Option<String>,
    /// The type of scarecrow. Default: the last type in the list that the rules allow.
    #[parameter(name = "type")]
    pub scarecrow: Option<String>,
}

const ACTION: &str = "put_scarecrow";

#[farm_core::register(source = "Farm-gym reference, create_put_scarecrow")]
impl Policy for ScarecrowPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let fits = |part| fills(game, part, SCARECROW_STRENGTH.name()) && allowed(game, part, ACTION).is_some();
        let parts = find(game, self.entity.as_deref(), "can put up a scarecrow", fits, &mut problems);
        let rules = parts.into_iter().map(|part| {
            let scarecrow = self.scarecrow.clone().or_else(|| last_word(game, part)).map(Value::from);
            Trigger { once: true, act: act(game, part, ACTION, &[("type", scarecrow)]), ..Trigger::default() }
        });
        play(game, &rules.collect::<Vec<_>>(), &[("act", "type")], problems)
    }
}

/// The last type of scarecrow in the list that the rules allow.
fn last_word(game: &Game, part: usize) -> Option<String> {
    let base = allowed(game, part, ACTION)?;
    match (base.info(game.parts())?.parameters().first()?.kind(), base.parameters().first()?) {
        (ActionParameterKind::Choice(words), Allowed::Values(values)) => words.get(*values.last()? as usize).cloned(),
        _ => None,
    }
}
