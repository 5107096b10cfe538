//! Describes a run's worlds in words, based on level names and seeds instead of the run's own description.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use farm_core::SeedSplit;
use farm_games::families::{Ladder, MemberName, PUBLISHED, RuleSplit, Rules};
use farm_games::level::{LEVELS, Split, of_split};

use crate::header::{EpisodePlan, RunHeader};
use crate::hidden::{HiddenHead, HiddenSet, HiddenWorld};
use crate::texts::{shortened, visible};

/// The maximum number of selected worlds that are listed by number.
const LISTED: usize = 8;

/// A kind of world, in the order of the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Level(&'static str),
    LevelFile,
    World(&'static str),
    Seed,
}

/// Worlds by their numbers.
type Numbers = BTreeSet<u64>;

/// A game's shipped levels by name, each with its split and its index in the split.
pub(crate) fn shipped(game: &str) -> BTreeMap<String, (Split, u64)> {
    let of = |split: Split| {
        let levels = of_split(game, split).into_iter().map(|level| level.source);
        levels.zip(0..).map(move |(name, number)| (name, (split, number)))
    };
    Split::ALL.into_iter().flat_map(of).collect()
}

impl RunHeader {
    /// The hash of the hidden set that the run plays, for comparison with the published one; `None` if it plays no hidden set.
    pub fn commitment(&self) -> Option<String> {
        let HiddenSet { salt, engine } = self.hidden.as_ref()?;
        let member = |plan: &EpisodePlan| plan.game.as_deref().and_then(|game| MemberName::parse(game).ok());
        let leaf = |(index, plan): (usize, &EpisodePlan)| {
            let Rules::Of(RuleSplit::Test, rules) = member(plan)?.rules else { return None };
            Some(HiddenWorld { rules, seed: plan.seed, fingerprint: plan.fingerprint.clone() }.leaf(salt, index))
        };
        let leaves = self.episodes.iter().enumerate().map(leaf).collect::<Option<Vec<_>>>()?;
        let first = member(self.episodes.first()?)?;
        let (family, engine) = (first.family.to_owned(), engine.clone());
        Some(HiddenHead { family, tier: first.tier, engine, count: self.episodes.len() }.commitment(&leaves))
    }

    /// A description of the run's worlds: their number and split, and whether they are the entire split, its first worlds, or a selection.
    pub fn worlds_in_words(&self) -> String {
        if let Some(commitment) = self.commitment() {
            return format!("hidden set of {} worlds with the hash {commitment}", self.episodes.len());
        }
        let levels = shipped(&self.game);
        let Some(Ok(ladder)) = Ladder::parse(&self.game) else { return self.told_worlds(&levels, |_| true) };
        let of_tier: Vec<(u32, String)> = ladder
            .tiers()
            .iter()
            .map(|tier| (tier.number, self.told_worlds(&levels, |plan| plan.tier() == Some(tier.number))))
            .collect();
        match &of_tier[..] {
            [(_, one)] => one.clone(),
            [(_, first), rest @ ..] if rest.iter().all(|(_, other)| other == first) => format!("{first} of each tier"),
            tiers => tiers.iter().map(|(tier, told)| format!("tier {tier}: {told}")).collect::<Vec<_>>().join("; "),
        }
    }

    fn told_worlds(&self, levels: &BTreeMap<String, (Split, u64)>, is_wanted: impl Fn(&EpisodePlan) -> bool) -> String {
        let mut found: BTreeMap<Kind, Numbers> = BTreeMap::new();
        let mut files: Vec<&str> = Vec::new();
        for plan in self.episodes.iter().filter(|plan| is_wanted(plan)) {
            let (kind, number) = match (&plan.level, SeedSplit::of(plan.seed)) {
                (None, Some(split)) => (Kind::World(split.name()), plan.seed - split.seeds().start),
                (None, None) => (Kind::Seed, plan.seed),
                (Some(level), _) => match levels.get(level) {
                    Some((split, number)) => (Kind::Level(split.name()), *number),
                    None => {
                        // Files are identified by name: two names are two levels.
                        let known = files.iter().position(|file| file == level).unwrap_or(files.len());
                        if known == files.len() {
                            files.push(level);
                        }
                        (Kind::LevelFile, known as u64)
                    }
                },
            };
            found.entry(kind).or_default().insert(number);
        }
        if found.is_empty() {
            return "none".to_owned();
        }
        found.iter().map(|(kind, numbers)| told(*kind, numbers)).collect::<Vec<_>>().join(", ")
    }
}

/// The name of an episode on a level: the level's name, with only characters that are valid in file names.
pub fn level_id(level: &str) -> String {
    let name = FilePath::new(level).with_extension("");
    let text: String =
        name.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    text.trim_matches('-').chars().take(80).collect()
}

impl EpisodePlan {
    /// Its name in tables. If the name does not match the episode's world, the world follows in brackets.
    pub fn label(&self) -> String {
        let usual = match (&self.level, self.tier().zip(SeedSplit::of(self.seed))) {
            (Some(level), _) => level_id(level),
            (None, Some((tier, split))) => {
                format!("tier-{tier}-{}-{}", split.name(), self.seed - split.seeds().start)
            }
            (None, None) => format!("seed-{}", self.seed),
        };
        // The number of a repetition may follow.
        let rest = self.id.strip_prefix(&usual);
        let is_usual = rest.is_some_and(|rest| {
            rest.is_empty() || rest.strip_prefix('-').is_some_and(|number| number.parse::<u32>().is_ok())
        });
        if is_usual {
            return self.id.clone();
        }
        let world = match (&self.level, &self.game) {
            (Some(level), _) => format!("level {level}"),
            (None, Some(game)) => format!("{game}, seed {}", self.seed),
            (None, None) => format!("seed {}", self.seed),
        };
        format!("{} ({})", self.id, shortened(&visible(&world), 100))
    }
}

fn told(kind: Kind, numbers: &Numbers) -> String {
    let count = numbers.len();
    let first = numbers.first().copied().unwrap_or_default();
    let last = numbers.last().copied().unwrap_or_default();
    let is_row = last - first == count as u64 - 1;
    let (is_first, s) = (is_row && first == 0, if count == 1 { "" } else { "s" });
    let listed = |number: &dyn Fn(u64) -> String| {
        let mut listed: Vec<String> = numbers.iter().take(LISTED).map(|n| number(*n)).collect();
        if count > LISTED {
            listed.push("…".to_owned());
        }
        listed.join(", ")
    };
    let plain = |number: u64| number.to_string();
    match kind {
        Kind::Level(split) if count == LEVELS => format!("all {LEVELS} {split} levels"),
        Kind::Level(split) if is_first && count > 1 => format!("{count} of {LEVELS} {split} levels, the first ones"),
        Kind::Level(split) => {
            format!("{count} of {LEVELS} {split} levels: {}", listed(&|number| format!("{:02}", number + 1)))
        }
        Kind::LevelFile => format!("{count} custom level{s}"),
        Kind::World(split) if is_first && count as u64 == PUBLISHED => format!("all {count} published {split} worlds"),
        Kind::World(split) if is_first && count > 1 && (count as u64) < PUBLISHED => {
            format!("the first {count} of {PUBLISHED} {split} worlds")
        }
        Kind::World(split) if is_first && count > 1 => format!("the first {count} {split} worlds"),
        Kind::World(split) if is_row && count > 1 => format!("{split} worlds {first} to {last}"),
        Kind::World(split) if count == 1 => format!("{split} world {first}"),
        Kind::World(split) => format!("{count} chosen {split} worlds: {}", listed(&plain)),
        Kind::Seed if count == 1 => format!("seed {first}"),
        Kind::Seed if is_row => format!("seeds {first} to {last}"),
        Kind::Seed => format!("{count} chosen seeds: {}", listed(&plain)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_that_of_the_world_has_it_beside_it() {
        let plan = |id: &str, level: Option<&str>, seed, game: Option<&str>| EpisodePlan {
            id: id.to_owned(),
            level: level.map(str::to_owned),
            seed,
            fingerprint: String::new(),
            game: game.map(str::to_owned),
            rules: None,
        };
        let tier = Some("backwards_valley@tier=2,rules=test-1");
        for (plan, expected) in [
            (plan("seed-7", None, 7, None), "seed-7"),
            (plan("seed-7", None, 8, None), "seed-7 (seed 8)"),
            (plan("test-01", Some("test/01"), 7, None), "test-01"),
            (plan("test-01-3", Some("test/01"), 7, None), "test-01-3"),
            (plan("test-01-x", Some("test/01"), 7, None), "test-01-x (level test/01)"),
            (plan("test-02", Some("test/01"), 7, None), "test-02 (level test/01)"),
            (plan("tier-2-test-1", None, 8_300_000_000_000_001, tier), "tier-2-test-1"),
            (
                plan("tier-3-test-1", None, 8_300_000_000_000_001, tier),
                "tier-3-test-1 (backwards_valley@tier=2,rules=test-1, seed 8300000000000001)",
            ),
        ] {
            assert_eq!(plan.label(), expected);
        }
    }

    #[test]
    fn worlds_are_all_the_first_or_chosen() {
        let numbers = |range: &[u64]| range.iter().copied().collect::<Numbers>();
        let all: Vec<u64> = (0..15).collect();
        for (kind, worlds, expected) in [
            (Kind::Level("test"), &all[..], "all 15 test levels"),
            (Kind::Level("test"), &all[..3], "3 of 15 test levels, the first ones"),
            (Kind::Level("test"), &[0], "1 of 15 test levels: 01"),
            (Kind::Level("test"), &[1, 6], "2 of 15 test levels: 02, 07"),
            (Kind::LevelFile, &[0], "1 custom level"),
            (Kind::World("test"), &[7], "test world 7"),
            (Kind::World("test"), &[0, 1], "the first 2 of 200 test worlds"),
            (Kind::World("test"), &(0..200).collect::<Vec<_>>()[..], "all 200 published test worlds"),
            (Kind::World("test"), &(0..201).collect::<Vec<_>>()[..], "the first 201 test worlds"),
            (Kind::World("test"), &[5, 6], "test worlds 5 to 6"),
            (Kind::World("train"), &[5, 7], "2 chosen train worlds: 5, 7"),
            (Kind::Seed, &[0], "seed 0"),
            (Kind::Seed, &[3, 4, 5], "seeds 3 to 5"),
            (Kind::Seed, &[0, 2, 4, 6, 8, 10, 12, 14, 16], "9 chosen seeds: 0, 2, 4, 6, 8, 10, 12, 14, …"),
            (Kind::Seed, &[0, u64::MAX], "2 chosen seeds: 0, 18446744073709551615"),
        ] {
            assert_eq!(told(kind, &numbers(worlds)), expected);
        }
    }
}
