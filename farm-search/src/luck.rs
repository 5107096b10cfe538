//! Luck and skill: how much of what skilled policies earn is made by the policy, by the weather, and by dice.

use farm_core::serde_yaml::Value;
use farm_core::{hash_name, mix};

use crate::{Arena, Draw, SearchError, VarianceTable};

/// How many episodes are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LuckPlan {
    /// Seeds of the weather and of the start; every policy meets each of them.
    pub worlds: usize,
    /// Episodes of each policy with each of these, with dice of their own.
    pub repeats: usize,
    /// The seed of the first world.
    pub seed: u64,
}

/// Plays every policy in every world several times. The world is the weather with what the rules draw at the start; all else, such as
/// who is born, visited or eaten, are dice, which differ from episode to episode.
///
/// # Errors
/// Less than two policies, worlds or repetitions; a policy that does not fit; a game that fails in a step.
pub fn luck(arena: Arena<'_>, policies: &[Value], plan: LuckPlan) -> Result<VarianceTable, SearchError> {
    let draws_of = |policy: usize| -> Vec<Draw> {
        let draw = |i: usize| {
            let world = plan.seed.wrapping_add((i / plan.repeats) as u64);
            // Dice of a cell of the table are no other cell's, so that what is left of the variance is independent.
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
