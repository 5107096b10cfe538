//! Luck and skill: how much of the variance in returns is due to the policy, the weather, and other chance.

use farm_core::serde_yaml::Value;
use farm_core::{hash_name, mix};

use crate::{Arena, Draw, SearchError, VarianceTable};

/// The numbers of worlds and episodes to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LuckPlan {
    /// Number of seeds for the weather and the start. Each policy plays all of them.
    pub worlds: usize,
    /// Episodes of each policy in each world. All other random numbers differ between these episodes.
    pub repeats: usize,
    /// The seed of the first world.
    pub seed: u64,
}

/// Plays each policy in each world several times. The world is the weather and the rules' random start. All other random events, such as
/// births and visits of animals, differ between episodes.
///
/// # Errors
/// There are fewer than two policies, worlds or repetitions, a policy does not fit the game, or the game fails in a step.
pub fn luck(arena: Arena<'_>, policies: &[Value], plan: LuckPlan) -> Result<VarianceTable, SearchError> {
    let draws_of = |policy: usize| -> Vec<Draw> {
        let draw = |i: usize| {
            let world = plan.seed.wrapping_add((i / plan.repeats) as u64);
            // Each cell of the table has its own random draws, which makes the residual variance independent.
            let dice = mix(mix(hash_name("dice") ^ plan.seed, policy as u64), i as u64);
            Draw::Split { world, dice }
        };
        (0..plan.worlds * plan.repeats).map(draw).collect()
    };
    let draws: Vec<Vec<Draw>> = (0..policies.len()).map(draws_of).collect();
    let jobs: Vec<_> = policies.iter().zip(&draws).map(|(policy, draws)| (policy, draws.as_slice())).collect();
    let returns = arena.play(&jobs)?;
    let by_world = |returns: &Vec<f64>| returns.chunks(plan.repeats.max(1)).map(<[f64]>::to_vec).collect();
    VarianceTable::new(returns.iter().map(by_world).collect())
}
