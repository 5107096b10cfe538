//! Ladders: the tiers of a family, from the easiest to the hardest, and the worlds of its splits.
//!
//! A tier changes a game's map and length, but not its rules: `backwards_valley@tier=3,rules=7` has the rules of
//! `backwards_valley@rules=7`. A world in a split has one seed for its rules and one for its map. Its index determines both seeds.

use farm_core::SeedSplit;
use farm_core::config::{NameError, Path, Problem, Problems};

use super::{FAMILIES, MemberName, RuleFamily, RuleSplit, Rules, Skin, Tier};

impl RuleFamily {
    /// The family with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.name == name)
    }

    /// The tier with this number.
    pub fn tier(&self, number: u32) -> Option<Tier> {
        self.tiers.iter().find(|tier| tier.number == number).copied()
    }
}

/// The number of worlds per tier and split that are published with annotations. More worlds exist.
pub const PUBLISHED: u64 = 200;

/// A world in a split. These four fields determine everything about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitWorld {
    family: &'static RuleFamily,
    tier: Tier,
    split: SeedSplit,
    index: u64,
}

impl SplitWorld {
    /// A world by its index, from 0.
    ///
    /// # Errors
    /// An unknown family or tier, or an index above the last one.
    pub fn new(family: &str, tier: u32, split: SeedSplit, index: u64) -> Result<Self, Problems> {
        let problem = |message: String| Problem::new(NameError::UnknownGame, Path::default(), message);
        let Some(known) = RuleFamily::named(family) else {
            let problem = problem(format!("there is no family of rules `{family}`")).value(family);
            return Err(Problems(vec![problem.among(family, FAMILIES.iter().map(|family| family.name))]));
        };
        let Some(found) = known.tier(tier) else {
            return Err(Problems(vec![no_tier(known, &tier.to_string())]));
        };
        if index >= SeedSplit::WORLDS {
            let problem = problem(format!("`{family}` has no {} world {index}", split.name())).value(index);
            return Err(Problems(vec![problem.expected(format!("a number from 0 to {}", SeedSplit::WORLDS - 1))]));
        }
        Ok(Self { family: known, tier: found, split, index })
    }

    /// Its family.
    pub fn family(&self) -> &'static RuleFamily {
        self.family
    }

    /// The game to play in it.
    pub fn member(&self) -> MemberName {
        let rules = Rules::Of(RuleSplit::of_worlds(self.split), self.index);
        MemberName { family: self.family.name, tier: Some(self.tier.number), rules, skin: Skin::Plain }
    }

    /// The seed of its map.
    pub fn seed(&self) -> u64 {
        self.split.seeds().start + self.index
    }

    /// Its tier.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Its split.
    pub fn split(&self) -> SeedSplit {
        self.split
    }

    /// Its index.
    pub fn index(&self) -> u64 {
        self.index
    }
}

/// Some tiers of a family's ladder, without rules: each world in a split determines its member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    family: &'static RuleFamily,
    tiers: &'static [Tier],
}

impl Ladder {
    /// Reads `FAMILY@tier=3`, or several tiers, `FAMILY@tiers=1-9`; returns none for other names. Either word can name one or several
    /// tiers.
    ///
    /// # Errors
    /// An unknown family or tier.
    pub fn parse(text: &str) -> Option<Result<Self, Problems>> {
        let (family, tiers) = text.split_once("@tier=").or_else(|| text.split_once("@tiers="))?;
        if tiers.contains(',') {
            return None;
        }
        let (first, last) = tiers.split_once('-').unwrap_or((tiers, tiers));
        let Some(known) = RuleFamily::named(family) else {
            return Some(SplitWorld::new(family, 1, SeedSplit::Train, 0).map(|world| Self::of(&world)));
        };
        let place = |text: &str| known.tiers.iter().position(|tier| tier.number.to_string() == text);
        Some(match (place(first), place(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Self { family: known, tiers: &known.tiers[first..=last] }),
            (Some(_), Some(_)) => Err(Problems(vec![no_tier(known, tiers)])),
            (found, _) => Err(Problems(vec![no_tier(known, if found.is_none() { first } else { last })])),
        })
    }

    fn of(world: &SplitWorld) -> Self {
        let at = world.family.tiers.iter().position(|tier| *tier == world.tier).unwrap_or_default();
        Self { family: world.family, tiers: &world.family.tiers[at..=at] }
    }

    /// The first `count` worlds of a split, on each tier.
    ///
    /// # Errors
    /// `count` is larger than the number of worlds.
    pub fn worlds(&self, split: SeedSplit, count: u64) -> Result<Vec<SplitWorld>, Problems> {
        let places = self.tiers.iter().flat_map(|tier| (0..count).map(move |index| (tier.number, index)));
        places.map(|(tier, index)| SplitWorld::new(self.family.name, tier, split, index)).collect()
    }

    /// Its family.
    pub fn family(&self) -> &'static RuleFamily {
        self.family
    }

    /// Its tiers.
    pub fn tiers(&self) -> &'static [Tier] {
        self.tiers
    }
}

/// The problem to report for a tier that is not on the family's ladder.
pub(super) fn no_tier(family: &RuleFamily, value: &str) -> Problem {
    let message = format!("`{}` has no tier `{value}`", family.name);
    let problem = Problem::new(NameError::UnknownGame, Path::default(), message).value(value);
    problem.expected(format!("a number from 1 to {}", family.tiers.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Told;

    #[test]
    fn ladders_have_tiers_that_differ() {
        for family in &FAMILIES {
            assert!(family.tiers.len() >= 8, "{}", family.name);
            for (i, tier) in family.tiers.iter().enumerate() {
                assert_eq!(tier.number as usize, i + 1);
                assert_eq!(family.tier(tier.number), Some(*tier));
                for other in &family.tiers[i + 1..] {
                    assert_ne!(Tier { number: 0, ..*tier }, Tier { number: 0, ..*other }, "{}", family.name);
                }
            }
            let told: Vec<Told> = family.tiers.iter().map(|tier| tier.told).collect();
            assert!([Told::Shown, Told::Hidden].iter().all(|kind| told.contains(kind)), "{}", family.name);
            // A family without skins has no other names to invent.
            assert_eq!(told.contains(&Told::Invented), family.has_skins, "{}", family.name);
        }
    }

    #[test]
    fn a_world_is_its_number() {
        let world = SplitWorld::new("backwards_valley", 3, SeedSplit::Test, 7).unwrap();
        assert_eq!(world.member().to_string(), "backwards_valley@tier=3,rules=test-7");
        assert_eq!(world.seed(), 8_300_000_000_000_007);
        let world = SplitWorld::new("valley_farm", 1, SeedSplit::Validation, 199).unwrap();
        assert_eq!(world.member().to_string(), "valley_farm@tier=1,rules=validation-199");
        for (family, tier, index, said) in [
            ("valley_frm", 1, 0, "did you mean `valley_farm`?"),
            ("valley_farm", 0, 0, "a number from 1 to"),
            ("valley_farm", 99, 0, "a number from 1 to"),
            ("strange_crops", 10, 0, "a number from 1 to 9"),
            ("valley_farm", 1, SeedSplit::WORLDS, "a number from 0 to 999999999"),
        ] {
            let problems = SplitWorld::new(family, tier, SeedSplit::Test, index).unwrap_err().to_string();
            assert!(problems.contains(said), "{problems}");
        }
    }

    #[test]
    fn a_ladder_is_a_family_on_tiers_without_rules() {
        let worlds = |text: &str| {
            let worlds = Ladder::parse(text).unwrap().unwrap().worlds(SeedSplit::Validation, 2).unwrap();
            worlds.iter().map(|world| world.member().to_string()).collect::<Vec<_>>()
        };
        let of = |tier: u32| [0, 1].map(|index| format!("backwards_valley@tier={tier},rules=validation-{index}"));
        assert_eq!(worlds("backwards_valley@tier=3"), of(3));
        assert_eq!(worlds("backwards_valley@tier=3-4"), [of(3), of(4)].concat());
        assert_eq!(worlds("backwards_valley@tiers=3-4"), [of(3), of(4)].concat());
        for other in ["backwards_valley", "backwards_valley@rules=7", "backwards_valley@tier=3,rules=7"] {
            assert!(Ladder::parse(other).is_none(), "{other}");
        }
        for (wrong, said) in [
            ("backwards_valley@tier=x", "a number from 1 to"),
            ("backwards_valley@tier=03", "a number from 1 to"),
            ("backwards_valley@tier=1-99", "no tier `99`"),
            ("backwards_valley@tier=4-3", "no tier `4-3`"),
            ("backward_valley@tier=1", "did you mean `backwards_valley`?"),
        ] {
            let problems = Ladder::parse(wrong).unwrap().unwrap_err().to_string();
            assert!(problems.contains(said), "{problems}");
        }
    }
}
