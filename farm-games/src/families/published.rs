//! The published optima of farm worlds. With them, a run over a whole split does not have to search each world.

use farm_core::config::Problems;
use farm_core::{Game, SeedSplit};

use super::{Member, MemberName, Optimum, Rules, SplitWorld, strange, table};

/// The table of the first worlds for comparing players. To regenerate it, run `farm agents family strange_crops --annotate test`.
const TEST: &str = include_str!("../../worlds/strange_crops-test.csv");

impl Optimum {
    /// The best known result for a world: the published result, otherwise the [found](Self::found) one; none for other games.
    ///
    /// # Errors
    /// As for [`Optimum::found`].
    pub fn known(game: &Game, seed: u64) -> Result<Option<Self>, Problems> {
        match published(game, seed)? {
            Some(published) => Ok(Some(published)),
            None => Self::found(game, seed),
        }
    }
}

/// The published row for a game and a seed; none unless the game is an unchanged member of the test split.
fn published(game: &Game, seed: u64) -> Result<Option<Optimum>, Problems> {
    let Some((name, world)) = world(game.spec().name(), seed) else { return Ok(None) };
    let Some(optimum) = row(&world) else { return Ok(None) };
    // A game with a changed value is another game.
    let is_the_member = Member::of(name)?.open()?.fingerprint() == game.fingerprint();
    Ok(is_the_member.then_some(optimum))
}

/// The world in the `test` split with this member and seed.
fn world(name: &str, seed: u64) -> Option<(MemberName, SplitWorld)> {
    let name = MemberName::parse(name).ok().filter(|name| name.family == strange::FAMILY.name)?;
    let (Some(tier), Rules::Of(_, index)) = (name.tier, name.rules) else { return None };
    let world = SplitWorld::new(name.family, tier, SeedSplit::Test, index).ok()?;
    (world.member() == name && world.seed() == seed).then_some((name, world))
}

/// A world's optimum in the table.
fn row(world: &SplitWorld) -> Option<Optimum> {
    // Rows are sorted by number, then by tier, below the header line.
    let at = world.index() as usize * strange::FAMILY.tiers.len() + world.tier().number as usize;
    table::read_row(world, TEST.lines().nth(at)?).map(|(optimum, _)| optimum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::PUBLISHED;

    #[test]
    fn the_first_worlds_of_each_tier_have_a_row() {
        let worlds = (TEST.lines().count() - 1) / strange::FAMILY.tiers.len();
        assert!(worlds >= 30, "{worlds}");
        for tier in strange::FAMILY.tiers {
            for index in 0..worlds as u64 {
                let world = SplitWorld::new(strange::FAMILY.name, tier.number, SeedSplit::Test, index).unwrap();
                assert!(row(&world).is_some(), "{}", world.member());
            }
        }
        let beyond = SplitWorld::new(strange::FAMILY.name, 1, SeedSplit::Test, PUBLISHED).unwrap();
        assert_eq!(row(&beyond), None);
    }

    #[test]
    fn a_row_is_what_the_search_finds_and_holds_for_the_unchanged_world_alone() {
        let world = SplitWorld::new(strange::FAMILY.name, 5, SeedSplit::Test, 1).unwrap();
        let game = Member::of(world.member()).unwrap().open().unwrap();
        let published = published(&game, world.seed()).unwrap().unwrap();
        assert_eq!(Optimum::found(&game, world.seed()).unwrap(), Some(published));
        assert_eq!(super::published(&game, world.seed() + 1).unwrap(), None, "another year");
        let member = Member::of(world.member()).unwrap();
        let dearer = member.yaml.replace("water_price#L-1: 0.0003", "water_price#L-1: 0.003");
        assert_ne!(dearer, member.yaml);
        let other = Member { yaml: dearer, ..member }.open().unwrap();
        assert_eq!(super::published(&other, world.seed()).unwrap(), None, "another game");
    }
}
