//! Which draw of a rule seed gives rules of its split in which acting gains something: the first one.
//!
//! To judge rules, levels are planned, which takes seconds. Of the rules of published worlds it is known which draw it is, so that they open at
//! once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use farm_core::config::Problems;
use farm_core::{Stream, hash_name, mix};

use super::{Laws, MemberName, PUBLISHED, RuleFamily, RuleSplit, Rules, Skill, Skin, none_will_do};

/// The file of the draws of published rules, below the folder of the crate: a line for each family and split, with a number for each rule seed.
/// `cargo xtask rules` writes it.
pub const DRAWS: &str = "worlds/draws.csv";
const KNOWN_DRAWS: &str = include_str!("../../worlds/draws.csv");

/// Rules that are kept at the most.
const MAX_KEPT: usize = 4096;
/// Draws of rules before it is an error that none of them will do.
const MAX_DRAWS: u64 = 2000;

/// Rules that were drawn, with what acting gains in them if they were judged.
type Drawn = (Laws, Option<Skill>);

/// The first rules drawn from a seed that are of a split, and in which acting gains something. They are the same for all tiers and names, so
/// that they are drawn once.
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

/// The number of the draw that gives the rules of a seed of a family's split, found by drawing, whatever is published of it.
///
/// # Errors
/// No rules could be drawn that will do.
pub fn draws(family: &RuleFamily, split: RuleSplit, seed: u64) -> Result<u64, Problems> {
    let rules = Rules::Of(split, seed);
    let name = MemberName { family: family.name, tier: None, rules, skin: Skin::Plain };
    search(&name, Some(split), seed).map(|(draw, ..)| draw)
}

/// Draws rules until some will do; which draw it was, the rules, and what acting gains in them.
fn search(name: &MemberName, split: Option<RuleSplit>, seed: u64) -> Result<(u64, Laws, Skill), Problems> {
    for draw in 0..MAX_DRAWS {
        let laws = laws(name.family, split, seed, draw);
        if split.is_some_and(|split| laws.split() != split.of_rules()) {
            continue;
        }
        let skill = laws.skill()?;
        if skill.is_enough() {
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

/// What the file says of a seed.
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

    /// All of them are found anew by `cargo xtask rules --check`, which takes minutes.
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
