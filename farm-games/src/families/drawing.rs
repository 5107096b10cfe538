//! Draws rules from a seed until they fit their split and reward acting, also in the split's world with the same index. The first such draw
//! counts.
//!
//! Judging rules takes seconds, because it plans levels. For published worlds, a file lists the draw that counts, so these worlds open
//! at once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use farm_core::config::Problems;
use farm_core::{Stream, hash_name, mix};

use super::{Laws, MemberName, PUBLISHED, RuleFamily, RuleSplit, Rules, Skill, Skin, none_will_do};

/// The file with the draws of published rules, relative to the crate's folder. It has one line per family and split, with a number for each
/// rule seed. `cargo xtask rules` writes it.
pub const DRAWS: &str = "worlds/draws.csv";
const KNOWN_DRAWS: &str = include_str!("../../worlds/draws.csv");

/// The maximum number of rules kept in memory.
const MAX_KEPT: usize = 4096;
/// The maximum number of draws. It is an error if none of them is suitable.
const MAX_DRAWS: u64 = 2000;

/// Drawn rules, with the gain from acting if it was measured.
type Drawn = (Laws, Option<Skill>);

/// Draws rules from a seed until they fit a split and reward acting. These rules are the same for all tiers and names, so they are drawn
/// only once.
pub(super) fn draw(name: &MemberName, split: Option<RuleSplit>, seed: u64) -> Result<Drawn, Problems> {
    static DRAWN: Mutex<BTreeMap<(&str, u64, u64), Drawn>> = Mutex::new(BTreeMap::new());
    let drawn_from = (name.family, number(split), seed);
    let kept = || DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(drawn) = kept().get(&drawn_from) {
        return Ok(drawn.clone());
    }
    let drawn = match split.and_then(|split| known(name.family, split, seed)) {
        Some(draw) => (laws(name.family, split, seed, draw), None),
        None => search(name, split, seed).map(|(_, laws, skill)| (laws, Some(skill)))?,
    };
    let mut kept = kept();
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    kept.insert(drawn_from, drawn.clone());
    Ok(drawn)
}

/// The index of the draw that gives a seed's rules in a family's split. It is found by drawing, without the published file.
///
/// # Errors
/// No suitable rules could be drawn.
pub fn draws(family: &RuleFamily, split: RuleSplit, seed: u64) -> Result<u64, Problems> {
    let rules = Rules::Of(split, seed);
    let name = MemberName { family: family.name, tier: None, rules, skin: Skin::Plain };
    search(&name, Some(split), seed).map(|(draw, ..)| draw)
}

/// Draws rules until they are suitable. Returns the index of the draw, the rules, and the gain of acting.
fn search(name: &MemberName, split: Option<RuleSplit>, seed: u64) -> Result<(u64, Laws, Skill), Problems> {
    for draw in 0..MAX_DRAWS {
        let laws = laws(name.family, split, seed, draw);
        if split.is_some_and(|split| laws.split() != split.of_rules()) {
            continue;
        }
        let skill = laws.skill()?;
        let has_room = || split.map_or(Ok(true), |split| laws.has_room(split, seed));
        if skill.is_enough() && has_room()? {
            return Ok((draw, laws, skill));
        }
    }
    Err(none_will_do(name))
}

/// The rules of a draw.
fn laws(family: &str, split: Option<RuleSplit>, seed: u64, draw: u64) -> Laws {
    let key = mix(hash_name(family), mix(seed, number(split)));
    Laws::draw(family, &mut Stream::from_seed(mix(key, draw)))
}

fn number(split: Option<RuleSplit>) -> u64 {
    split.map_or(0, |split| 1 + split as u64)
}

/// A seed's published draw; none if the file does not list the seed.
fn known(family: &str, split: RuleSplit, seed: u64) -> Option<u64> {
    let begin = format!("{family},{},", split.name());
    let line = KNOWN_DRAWS.lines().find_map(|line| line.strip_prefix(&begin))?;
    line.split(',').nth(usize::try_from(seed).ok().filter(|_| seed < PUBLISHED)?)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::FAMILIES;

    #[test]
    fn every_published_world_has_a_draw_which_is_of_its_split() {
        for family in FAMILIES {
            for split in RuleSplit::ALL {
                for seed in 0..PUBLISHED {
                    let draw =
                        known(family.name, split, seed).unwrap_or_else(|| panic!("{} {split:?} {seed}", family.name));
                    assert_eq!(
                        laws(family.name, Some(split), seed, draw).split(),
                        split.of_rules(),
                        "{} {seed}",
                        family.name
                    );
                }
                assert_eq!(known(family.name, split, PUBLISHED), None);
            }
        }
    }

    /// `cargo xtask rules --check` draws all of them again, which takes minutes.
    #[test]
    fn a_draw_that_is_published_is_the_first_one_that_will_do() {
        for (family, seeds) in FAMILIES.iter().zip([[0, 57, 199], [3, 101, 198], [0, 77, 199]]) {
            for (split, seed) in RuleSplit::ALL.into_iter().zip(seeds) {
                assert_eq!(
                    draws(family, split, seed).unwrap(),
                    known(family.name, split, seed).unwrap(),
                    "{} {seed}",
                    family.name
                );
            }
        }
    }
}
