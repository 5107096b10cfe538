//! How many groups of episodes carry a gradient: groups start in the same world, and their returns are not all equal.
//!
//! Trainers that compare the episodes of a group, as GRPO does, learn nothing from a group with equal returns.

use farm_core::config::{Path, Problem, Problems};
use farm_core::{Game, SeedSplit, State, hash_name, mix};
use farm_oracle::PlanError;

use super::{Member, RuleFamily, SplitWorld, Tier};
use crate::policy;

/// The number of episodes in a group.
pub const GROUP: u64 = 8;

/// The published shares: groups of random play in the first worlds of each split. `farm agents family FAMILY --gradients` writes them.
const KNOWN: [&str; 3] = [
    include_str!("../../worlds/backwards_valley-gradients.csv"),
    include_str!("../../worlds/strange_crops-gradients.csv"),
    include_str!("../../worlds/valley_farm-gradients.csv"),
];

/// The number of groups that carry a gradient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GradientShare {
    /// The split of the worlds.
    pub split: SeedSplit,
    /// The tier.
    pub tier: u32,
    /// The number of groups, each in another world.
    pub groups: u64,
    /// The number of groups whose returns differ.
    pub with_gradient: u64,
}

impl GradientShare {
    /// The header of a table of shares.
    pub const HEADER: &'static str = "family,split,tier,groups,with_gradient";

    /// Its row in a table.
    pub fn row(&self, family: &str) -> String {
        format!("{family},{},{},{},{}", self.split.name(), self.tier, self.groups, self.with_gradient)
    }

    /// Plays a group in each of the first worlds of a split on a tier, with random actions.
    ///
    /// # Errors
    /// No suitable rules could be drawn, or a step failed.
    pub fn measure(family: &RuleFamily, split: SeedSplit, tier: Tier, groups: u64) -> Result<Self, Problems> {
        let mut with_gradient = 0;
        for index in 0..groups {
            let world = SplitWorld::new(family.name, tier.number, split, index)?;
            with_gradient += u64::from(carries_gradient(&world)?);
        }
        Ok(Self { split, tier: tier.number, groups, with_gradient })
    }

    /// The published shares of a family's splits and tiers.
    pub fn published(family: &RuleFamily) -> Vec<Self> {
        let read = |row: &str| {
            let mut cells = row.strip_prefix(family.name)?.strip_prefix(',')?.split(',');
            let split = SeedSplit::named(cells.next()?)?;
            let mut number = || cells.next()?.parse::<u64>().ok();
            let tier = u32::try_from(number()?).ok()?;
            Some(Self { split, tier, groups: number()?, with_gradient: number()? })
        };
        KNOWN.iter().flat_map(|table| table.lines().filter_map(read)).collect()
    }
}

/// Whether episodes of random play that start in this world have different returns.
///
/// # Errors
/// No suitable rules could be drawn, or a step failed.
fn carries_gradient(world: &SplitWorld) -> Result<bool, Problems> {
    let game = Member::of(world.member())?.open()?;
    let mut state = game.new_state();
    let first = returned(&game, &mut state, world.seed(), 0)?;
    for episode in 1..GROUP {
        if returned(&game, &mut state, world.seed(), episode)?.to_bits() != first.to_bits() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The return of random play. Episodes of a group differ in the seed of the player.
fn returned(game: &Game, state: &mut State, seed: u64, episode: u64) -> Result<f64, Problems> {
    let mut player = policy(game, "random")?;
    player.start(mix(mix(seed, hash_name("episode of a group")), episode));
    let (mut record, mut schedule, mut total) = (game.new_record(), Vec::new(), 0.0);
    game.reset(state, seed, &mut record);
    loop {
        schedule.clear();
        player.choose(game, state, &mut schedule);
        let outcome = game
            .step(state, &schedule, &mut record)
            .map_err(|error| Problems(vec![Problem::new(PlanError::NoPlan, Path::default(), error.to_string())]))?;
        total += outcome.reward;
        if outcome.over() {
            return Ok(total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::FAMILIES;

    #[test]
    fn the_published_shares_are_measured_on_every_tier_and_split() {
        for family in &FAMILIES {
            let published = GradientShare::published(family);
            assert_eq!(published.len(), family.tiers.len() * SeedSplit::ALL.len(), "{}", family.name);
            for share in &published {
                assert!(share.groups >= 50 && share.with_gradient <= share.groups, "{share:?}");
            }
        }
        // Measured again: the same worlds have the same groups.
        let family = RuleFamily::named("backwards_valley").unwrap();
        let tier = family.tier(9).unwrap();
        let known = GradientShare::published(family).into_iter();
        let known = known.filter(|share| (share.split, share.tier) == (SeedSplit::Validation, 9)).collect::<Vec<_>>();
        let again = GradientShare::measure(family, SeedSplit::Validation, tier, known[0].groups).unwrap();
        assert_eq!(known, [again]);
    }

    /// A group is equal if nothing can be earned, and differs if some of its episodes earn something.
    #[test]
    fn a_group_carries_a_gradient_if_its_returns_differ() {
        let family = RuleFamily::named("valley_farm").unwrap();
        let mut found = [0; 2];
        for index in 0..12 {
            let world = SplitWorld::new(family.name, 9, SeedSplit::Train, index).unwrap();
            let game = Member::of(world.member()).unwrap().open().unwrap();
            let mut state = game.new_state();
            let returns: Vec<f64> =
                (0..GROUP).map(|episode| returned(&game, &mut state, world.seed(), episode).unwrap()).collect();
            let differs = returns.iter().any(|total| *total != returns[0]);
            assert_eq!(carries_gradient(&world).unwrap(), differs, "{returns:?}");
            found[usize::from(differs)] += 1;
        }
        assert!(found.iter().all(|count| *count > 0), "{found:?}");
    }
}
