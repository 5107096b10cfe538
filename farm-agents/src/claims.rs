//! Checks the values that a run reports. Values that follow from the run's worlds are compared with these worlds, and numbers must be in
//! range. The agent and its tokens, times and prices can't be checked, so the run's statements about them stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::RangeInclusive;

use farm_core::SeedSplit;
use farm_core::config::{Path, Problem, Problems};
use farm_games::families::{Ladder, MemberName, RuleFamily, RuleSplit, Rules as MemberRules, SplitWorld, Told};
use farm_games::level::{LEVELS, Split};

use crate::dialogue::Rules;
use crate::errors::AgentsError;
use crate::header::{EpisodePlan, RunHeader};
use crate::hidden::HiddenHead;
use crate::limits::{MAX_LIFETIME, MAX_PRICE, MAX_REPLIES, MAX_SECONDS, MAX_TOKENS, MAX_TURNS};
use crate::texts::{A_NAME, visible, wrong_name};
use crate::worlds::shipped;

/// Kinds of agents.
const KINDS: [&str; 4] = ["endpoint", "command", "policy", "person"];
/// The maximum length, in bytes, of a name in a header and of the value of a change.
const LONGEST: usize = 1000;
const LONGEST_VALUE: usize = 10_000;
/// The maximum number of changes to a game.
const MAX_CHANGES: usize = 100;

fn root(key: &str) -> Path {
    Path::default().child(key)
}

fn wrong(path: Path, message: impl Into<String>, found: impl Display, expected: impl Into<String>) -> Problem {
    let problem = Problem::new(AgentsError::WrongClaim, path, message);
    problem.value(visible(&found.to_string())).expected(expected.into())
}

/// Compares the values in a run's header with the worlds of its episodes.
///
/// # Errors
/// The first wrong value, with its path in the header.
pub(crate) fn check(header: &RunHeader) -> Result<(), Problems> {
    let first = texts(header).or_else(|| numbers(header)).or_else(|| ids(header));
    if let Some(problem) = first {
        return Err(Problems(vec![problem]));
    }
    let ladder = Ladder::parse(&header.game).transpose()?.filter(|_| header.hidden.is_none());
    let levels = shipped(&header.game);
    if ladder.is_some() || header.hidden.is_some() {
        let message = "each world of a tier has its own member, which can't be changed";
        let changed = |path: Path, found: &str| Err(Problems(vec![wrong(path, message, found, "no change")]));
        if let Some(preset) = &header.preset {
            return changed(root("preset"), preset);
        }
        if let Some(context) = &header.context {
            return changed(root("context"), context);
        }
        if let Some((path, _)) = header.set.first() {
            return changed(root("set").child(0), path);
        }
    }
    if let (Some(split), Some(_)) = (&header.split, &header.hidden) {
        let message = "the worlds of a hidden set belong to no split";
        return Err(Problems(vec![wrong(root("split"), message, split, "none")]));
    }
    if let Some(split) = header.split.as_ref().filter(|_| ladder.is_none())
        && !levels.values().any(|(known, _)| known.name() == split)
    {
        let message = format!("`{}` has no levels in this split", visible(&header.game));
        let expected = "a split with levels of the game, or none";
        return Err(Problems(vec![wrong(root("split"), message, split, expected)]));
    }
    let mut worlds = BTreeSet::new();
    for (i, plan) in header.episodes.iter().enumerate() {
        let path = root("episodes").child(i);
        let problem = match &ladder {
            Some(ladder) => tier_world(header, ladder, plan, &path),
            None if header.hidden.is_some() => hidden_world(header, plan, &path),
            None => plain_world(header, &levels, plan, &path),
        };
        // Copies of an episode are rejected: repetitions need another seed, and the world of a tier has only one seed.
        let problem = problem.or_else(|| {
            let is_new = worlds.insert((&plan.game, &plan.level, plan.seed));
            let message = "two episodes play the same world with the same seed";
            (!is_new).then(|| wrong(path.child("seed"), message, plan.seed, "another seed, or another world"))
        });
        if let Some(problem) = problem {
            return Err(Problems(vec![problem]));
        }
    }
    Ok(())
}

/// Rejects changes to the policies that all returns are compared with. Third parties must not make such changes.
///
/// # Errors
/// The run changes such a policy.
pub(crate) fn check_measure(header: &RunHeader) -> Result<(), Problems> {
    let is_policy = |path: &str| path.trim_start_matches(['.', ' ', '"', '\'']).starts_with("policies");
    let Some(i) = header.set.iter().position(|(path, _)| is_policy(path)) else { return Ok(()) };
    let message = "the run changes policies that its returns are compared with";
    let expected = "changes to the game, not to its policies";
    Err(Problems(vec![wrong(root("set").child(i), message, &header.set[i].0, expected)]))
}

/// Checks that each string has a valid form and is short enough to show on a page.
fn texts(header: &RunHeader) -> Option<Problem> {
    if let Some(message) = wrong_name(&header.name) {
        let problem = Problem::new(AgentsError::WrongAgent, root("name"), message);
        return Some(problem.value(visible(&header.name)).expected(A_NAME));
    }
    let version = &header.version;
    let is_version = |c: char| c.is_ascii_alphanumeric() || ".+-".contains(c);
    if version.is_empty() || version.len() > 40 || !version.chars().all(is_version) {
        return Some(wrong(root("version"), "this is not a version", version, "such as `0.1.0`"));
    }
    let kind = header.agent.get("kind");
    if kind.is_some_and(|kind| !kind.as_str().is_some_and(|kind| KINDS.contains(&kind))) {
        let found = kind.map(ToString::to_string).unwrap_or_default();
        let expected = "`endpoint`, `command`, `policy` or `person`";
        return Some(wrong(root("agent").child("kind"), "unknown kind of agent", found, expected));
    }
    let long = |path: Path, text: &str, most: usize| {
        let expected = format!("at most {most} bytes");
        (text.len() > most).then(|| wrong(path, "the text is too long", text, expected))
    };
    if let Some(problem) = long(root("game"), &header.game, LONGEST)
        .or_else(|| long(root("preset"), header.preset.as_deref().unwrap_or_default(), LONGEST))
        .or_else(|| long(root("context"), header.context.as_deref().unwrap_or_default(), LONGEST))
    {
        return Some(problem);
    }
    if header.set.len() > MAX_CHANGES {
        let expected = format!("at most {MAX_CHANGES}");
        return Some(wrong(root("set"), "there are too many changes", header.set.len(), expected));
    }
    header.set.iter().enumerate().find_map(|(i, (path, value))| {
        let place = root("set").child(i);
        long(place.child(0), path, LONGEST).or_else(|| long(place.child(1), value, LONGEST_VALUE))
    })
}

/// Checks that each number is in its range.
fn numbers(header: &RunHeader) -> Option<Problem> {
    let conduct = &header.conduct;
    let whole = |key: &str, value: u64, range: RangeInclusive<u64>| {
        let expected = format!("an integer from {} to {}", range.start(), range.end());
        let path = root("conduct").child(key);
        (!range.contains(&value)).then(|| wrong(path, format!("`{key}` is out of range"), value, expected))
    };
    let seconds = conduct.max_seconds.filter(|most| !(*most > 0.0 && *most <= MAX_SECONDS));
    let price = |key: &str, value: Option<f64>| {
        let value = value.filter(|price| !(0.0..=MAX_PRICE).contains(price))?;
        let expected = format!("a number from 0 to {MAX_PRICE}");
        Some(wrong(root("prices").child(key), "this is not a price", value, expected))
    };
    whole("lifetime", conduct.lifetime.into(), 1..=MAX_LIFETIME.into())
        .or_else(|| whole("replies", conduct.replies.into(), 1..=MAX_REPLIES.into()))
        .or_else(|| whole("max_turns", conduct.max_turns, 1..=MAX_TURNS))
        .or_else(|| whole("max_tokens", conduct.max_tokens.unwrap_or(1), 1..=MAX_TOKENS))
        .or_else(|| {
            let expected = format!("a number above 0, at most {MAX_SECONDS}");
            Some(wrong(root("conduct").child("max_seconds"), "`max_seconds` is out of range", seconds?, expected))
        })
        .or_else(|| price("prompt", Some(header.prices?.prompt)))
        .or_else(|| price("cached", header.prices?.cached))
        .or_else(|| price("completion", Some(header.prices?.completion)))
}

/// Checks the episode names. The names are also file names, so they must differ in more than case.
fn ids(header: &RunHeader) -> Option<Problem> {
    let path = |i: usize| root("episodes").child(i).child("id");
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let mut known = BTreeSet::new();
    if header.episodes.is_empty() {
        return Some(wrong(root("episodes"), "the run has no episode", "none", "at least one"));
    }
    header.episodes.iter().enumerate().find_map(|(i, plan)| {
        if plan.id.is_empty() || plan.id.len() > 100 || !plan.id.chars().all(is_name) {
            let problem = Problem::new(AgentsError::NotATrace, path(i), "the name of an episode is not valid");
            return Some(problem.value(visible(&plan.id)).expected("letters, digits, `-` and `_`"));
        }
        let is_new = known.insert(plan.id.to_ascii_lowercase());
        let problem = Problem::new(AgentsError::NotATrace, path(i), format!("two episodes are called `{}`", plan.id));
        (!is_new).then(|| problem.value(&plan.id).expected("a unique name"))
    })
}

/// Checks an episode on a ladder. The episode's world determines its game, its seed and whether the rules are shown.
fn tier_world(header: &RunHeader, ladder: &Ladder, plan: &EpisodePlan, path: &Path) -> Option<Problem> {
    let Some(split) = header.split.as_deref().and_then(SeedSplit::named) else {
        let message = "the worlds of tiers belong to a split";
        let found = header.split.as_deref().unwrap_or("no split");
        return Some(wrong(root("split"), message, found, "`train`, `validation` or `test`"));
    };
    if let Some(level) = &plan.level {
        return Some(wrong(
            path.child("level"),
            "the worlds of tiers are drawn, so they are not levels",
            level,
            "no level",
        ));
    }
    let of_tiers = || format!("a member such as `{}`", example(ladder, split));
    let found = plan.game.as_deref().unwrap_or("no game");
    let message = format!("this is not a game of `{}` in the split `{}`", visible(&header.game), split.name());
    let Some(world) = world_of(ladder, split, found) else {
        return Some(wrong(path.child("game"), message, found, of_tiers()));
    };
    if plan.seed != world.seed() {
        let message = "this is not the seed of the world";
        return Some(wrong(path.child("seed"), message, plan.seed, world.seed().to_string()));
    }
    let told = (world.tier().told == Told::Shown).then_some(Rules::Shown);
    rules(plan, told, path)
}

/// Checks an episode of a hidden set: a member with rules of the test split on one tier, with a seed that no split reserves.
fn hidden_world(header: &RunHeader, plan: &EpisodePlan, path: &Path) -> Option<Problem> {
    let found = plan.game.as_deref().unwrap_or("no game");
    let member = MemberName::parse(found).ok().filter(|member| member.to_string() == found);
    let head = member.map(|member| HiddenHead {
        family: member.family.to_owned(),
        tier: member.tier,
        engine: String::new(),
        count: 0,
    });
    let is_of_set = |head: &HiddenHead| {
        let usual = member.and_then(|member| match member.rules {
            MemberRules::Of(RuleSplit::Test, rules) => head.member(rules).ok(),
            _ => None,
        });
        head.game() == header.game && usual == member
    };
    let Some(head) = head.filter(is_of_set) else {
        let message = "this is not a game of the hidden set";
        let expected = format!("a member of `{}` with rules of the test split", visible(&header.game));
        return Some(wrong(path.child("game"), message, found, expected));
    };
    if let Some(level) = &plan.level {
        return Some(wrong(path.child("level"), "the worlds of a hidden set are not levels", level, "no level"));
    }
    if let Some(split) = SeedSplit::of(plan.seed) {
        let message = format!("the seed is reserved for the split `{}`", split.name());
        return Some(wrong(path.child("seed"), message, plan.seed, "a seed of no split"));
    }
    let family = RuleFamily::named(&head.family)?;
    let told = head.tier.and_then(|tier| family.tier(tier)).is_some_and(|tier| tier.told == Told::Shown);
    rules(plan, told.then_some(Rules::Shown), path)
}

/// The world that a member's name refers to, if the member is on one of the ladder's tiers and has its usual name.
fn world_of(ladder: &Ladder, split: SeedSplit, name: &str) -> Option<SplitWorld> {
    let member = MemberName::parse(name).ok()?;
    let MemberRules::Of(_, index) = member.rules else { return None };
    let tier = ladder.tiers().iter().find(|tier| Some(tier.number) == member.tier)?;
    let world = SplitWorld::new(member.family, tier.number, split, index).ok()?;
    // The family must also be that of the ladder.
    let is_of_ladder = example(ladder, split).split('@').next() == Some(member.family);
    (is_of_ladder && world.member().to_string() == name).then_some(world)
}

/// The first member of a ladder.
fn example(ladder: &Ladder, split: SeedSplit) -> String {
    let first = ladder.worlds(split, 1).ok().and_then(|worlds| worlds.first().map(SplitWorld::member));
    first.map_or_else(String::new, |member| member.to_string())
}

/// Checks an episode that is not on a ladder.
fn plain_world(
    header: &RunHeader,
    levels: &BTreeMap<String, (Split, u64)>,
    plan: &EpisodePlan,
    path: &Path,
) -> Option<Problem> {
    if let Some(game) = &plan.game {
        let message = "only episodes on a ladder have their own game";
        let expected = format!("none: all episodes play `{}`", visible(&header.game));
        return Some(wrong(path.child("game"), message, game, expected));
    }
    if let Some(split) = &header.split {
        let level = plan.level.as_deref();
        if level.and_then(|level| levels.get(level)).is_none_or(|(known, _)| known.name() != split) {
            let found = level.map_or_else(|| format!("no level, the world of seed {}", plan.seed), str::to_owned);
            let expected = format!("a level from `{split}/01` to `{split}/{LEVELS:02}`");
            let message = format!("the run claims the split `{split}`, but this world is not in it");
            return Some(wrong(path.child("level"), message, found, expected));
        }
    }
    rules(plan, None, path)
}

/// Checks that an episode overrides the run's rules setting exactly as expected.
fn rules(plan: &EpisodePlan, expected: Option<Rules>, path: &Path) -> Option<Problem> {
    let told = |rules: Option<Rules>| rules.map_or("nothing: `conduct.rules` applies", Rules::name);
    let message = "the run, or the tier of a ladder, determines whether rules are shown";
    (plan.rules != expected).then(|| wrong(path.child("rules"), message, told(plan.rules), told(expected)))
}
