//! A family played as one game: each episode draws rules and map together, as `farm agents` does.
//!
//! | start | rules | map |
//! |---|---|---|
//! | split and index i | those of the split with rule seed i | seed i of the split |
//! | seed s of a split | a published member of the split: rule seed (s − the split's first seed) mod 200 | seed s |
//! | another seed s | the same, for the split `train` | seed s mod 1,000,000,000 of the split `train` |
//!
//! A start may name a tier. Otherwise, the index of the map selects one of the game's tiers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use farm_core::config::{ParameterError, Path, Problem, Problems};
use farm_core::vector::{DrawGame, have_same_spaces};
use farm_core::{Game, PlayError, SeedError, SeedSplit, hash_name, mix};
use serde_json::{Value as Json, json};

use crate::baseline::{Baseline, BestKind};
use crate::families::{
    self, FAMILIES, Ladder, Member, MemberName, PUBLISHED, RuleFamily, Rules, Skin, SplitWorld, Tier, Told,
};

/// The maximum number of compiled members, and of known baselines, that are kept in memory.
const MAX_KEPT: usize = 512;

/// A family on one or several tiers. Each episode has its own member.
#[derive(Debug)]
pub struct FamilyGame {
    name: String,
    ladder: Ladder,
    shape: Arc<Game>,
    /// Compiled members, by name and whether they have the family's own names.
    games: Mutex<BTreeMap<(String, bool), Arc<Game>>>,
    /// Baselines of worlds, by the game's fingerprint and the seed.
    baselines: Mutex<BTreeMap<(u64, u64), Baseline>>,
}

/// A world of a family: a member and the seed of its map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FamilyWorld {
    rules: SplitWorld,
    seed: u64,
}

/// A return compared with waiting and with the best known return in the same worlds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FamilyScore {
    /// (return − waiting) / (best − waiting), not clipped. `None` if the best known return is not above waiting.
    pub score: Option<f64>,
    /// The return of waiting.
    pub waiting: f64,
    /// The best known return.
    pub best: Option<f64>,
    /// Whether no return is higher than `best`.
    pub is_proven: bool,
}

impl FamilyWorld {
    /// The member to play.
    pub fn member(&self) -> MemberName {
        self.rules.member()
    }

    /// The seed of the map.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The split of the rules and the map.
    pub fn split(&self) -> SeedSplit {
        self.rules.split()
    }

    /// The index of the map in its split.
    pub fn index(&self) -> u64 {
        self.seed - self.split().seeds().start
    }

    /// The tier.
    pub fn tier(&self) -> Tier {
        self.rules.tier()
    }

    /// Whether the player's instructions contain the rules.
    pub fn is_shown(&self) -> bool {
        self.tier().told == Told::Shown
    }

    /// Its `member`, `tier`, `split`, `index` and `seed`, for trainers. `rules` is `shown` or `hidden`.
    pub fn to_json(&self) -> Json {
        json!({
            "rules": if self.is_shown() { "shown" } else { "hidden" },
            "member": self.member().to_string(),
            "tier": self.tier().number,
            "split": self.split().name(),
            "index": self.index(),
            "seed": self.seed,
        })
    }
}

impl FamilyScore {
    /// Its `score`, `waiting`, `best` and `proven`.
    pub fn to_json(&self) -> Json {
        json!({ "score": self.score, "waiting": self.waiting, "best": self.best, "proven": self.is_proven })
    }
}

fn wrong(message: String, value: impl std::fmt::Display, expected: String) -> Problems {
    let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(value);
    Problems(vec![problem.expected(expected)])
}

fn refused(error: &SeedError, seed: u64) -> Problems {
    let problem = Problem::new(ParameterError::ValueOutOfRange, Path::default(), error.to_string());
    Problems(vec![problem.value(seed)])
}

impl FamilyGame {
    /// The names of all tiers of all families, such as `valley_farm@tier=5`.
    pub fn names() -> impl Iterator<Item = String> {
        let of = |family: &'static RuleFamily| {
            family.tiers.iter().map(|tier| format!("{}@tier={}", family.name, tier.number))
        };
        FAMILIES.iter().flat_map(of)
    }

    /// Whether a name has the form of `FAMILY@tier=5` or `FAMILY@tiers=1-9`, without rules.
    pub fn is_name(name: &str) -> bool {
        !crate::is_file(name) && Ladder::parse(name).is_some()
    }

    /// Opens `FAMILY@tier=5` or `FAMILY@tiers=1-9`; returns none for names of other games.
    ///
    /// # Errors
    /// An unknown family or tier.
    pub fn open(name: &str) -> Option<Result<Self, Problems>> {
        if crate::is_file(name) {
            return None;
        }
        Some(Ladder::parse(name)?.and_then(|ladder| Self::of(name, ladder)))
    }

    fn of(name: &str, ladder: Ladder) -> Result<Self, Problems> {
        let (name, shape) = (name.to_owned(), Arc::new(Self::plain(&ladder, ladder.tiers()[0])?));
        Ok(Self { name, ladder, shape, games: Mutex::default(), baselines: Mutex::default() })
    }

    /// The first member on a tier, with the family's own names.
    fn plain(ladder: &Ladder, tier: Tier) -> Result<Game, Problems> {
        Member::of(SplitWorld::new(ladder.family().name, tier.number, SeedSplit::Train, 0)?.member())?.open_plain()
    }

    /// The name with which it was opened.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its family.
    pub fn family(&self) -> &'static RuleFamily {
        self.ladder.family()
    }

    /// Its tiers.
    pub fn tiers(&self) -> &'static [Tier] {
        self.ladder.tiers()
    }

    /// A game with the observations and actions of all members on the first tier, and with the family's own names.
    pub fn shape(&self) -> &Arc<Game> {
        &self.shape
    }

    /// Checks that all members have the same observations and actions, apart from their names. Learners from arrays need this.
    ///
    /// # Errors
    /// The tiers differ.
    pub fn check_shapes(&self) -> Result<(), Problems> {
        for tier in &self.tiers()[1..] {
            if !have_same_spaces(&self.shape, &Self::plain(&self.ladder, *tier)?) {
                let first = self.tiers()[0].number;
                let message = format!(
                    "arrays need one shape, but tier {} of `{}` has other observations or actions than tier {first}",
                    tier.number, self.name
                );
                let family = self.ladder.family().name;
                let expected = format!("one tier, such as `{family}@tier={first}`, or play by text");
                return Err(wrong(message, &self.name, expected));
            }
        }
        Ok(())
    }

    /// The world with this index in a split, as `farm agents` plays it. Without a tier, the index selects one of the game's tiers.
    ///
    /// # Errors
    /// The index is beyond the split's last world, or the game does not have the tier.
    pub fn world(&self, split: SeedSplit, index: u64, tier: Option<u32>) -> Result<FamilyWorld, Problems> {
        let rules = SplitWorld::new(self.ladder.family().name, self.tier(tier, index)?, split, index)?;
        Ok(FamilyWorld { rules, seed: rules.seed() })
    }

    /// The world that a seed draws: a map of the split, and rules among the split's published ones, which open at once. Without a split, a
    /// seed that no split reserves draws a world of `train`.
    ///
    /// # Errors
    /// The seed is reserved for a split that is not named, or is outside the named split; or the game does not have the tier.
    pub fn drawn(&self, split: Option<SeedSplit>, seed: u64, tier: Option<u32>) -> Result<FamilyWorld, Problems> {
        SeedSplit::check(split, seed).map_err(|error| refused(&error, seed))?;
        let split = split.unwrap_or(SeedSplit::Train);
        let seed = SeedSplit::nearest(Some(split), seed);
        let index = seed - split.seeds().start;
        let rules = SplitWorld::new(self.ladder.family().name, self.tier(tier, index)?, split, index % PUBLISHED)?;
        Ok(FamilyWorld { rules, seed })
    }

    /// The world of a seed that a user names: the world with its index if a split reserves the seed, otherwise the drawn world.
    ///
    /// # Errors
    /// No suitable rules could be drawn.
    pub fn of_seed(&self, seed: u64) -> Result<FamilyWorld, Problems> {
        match SeedSplit::of(seed) {
            Some(split) => self.world(split, seed - split.seeds().start, None),
            None => self.drawn(None, seed, None),
        }
    }

    /// A member on another map: the map of this seed, in the split of the member's rules. Episodes with the same rules need it.
    ///
    /// # Errors
    /// The name is not that of a member with rules of a split on one of the game's tiers, or the seed is not in this split.
    pub fn of_member(&self, member: &str, seed: u64) -> Result<FamilyWorld, Problems> {
        let name = MemberName::parse(member)?;
        let family = self.ladder.family().name;
        let is_ours = name.family == family && name.skin == Skin::Plain;
        let (Rules::Of(split, index), Some(tier), true) = (name.rules, name.tier, is_ours) else {
            let message = format!("`{member}` is not a member of `{}` with rules of a split", self.name);
            let expected = format!("a name such as `{family}@tier={},rules=train-7`", self.tiers()[0].number);
            return Err(wrong(message, member, expected));
        };
        let split = SeedSplit::named(split.name()).unwrap_or(SeedSplit::Train);
        SeedSplit::check(Some(split), seed).map_err(|error| refused(&error, seed))?;
        Ok(FamilyWorld { rules: SplitWorld::new(family, self.tier(Some(tier), 0)?, split, index)?, seed })
    }

    /// The number of a tier: the named one, or the one that the index of a map selects.
    fn tier(&self, named: Option<u32>, index: u64) -> Result<u32, Problems> {
        let tiers = self.tiers();
        let Some(number) = named else {
            return Ok(tiers[(mix(hash_name("tier"), index) % tiers.len() as u64) as usize].number);
        };
        if tiers.iter().any(|tier| tier.number == number) {
            return Ok(number);
        }
        let (first, last) = (tiers[0].number, tiers[tiers.len() - 1].number);
        let expected = if first == last { format!("{first}, or no tier") } else { format!("{first} to {last}") };
        Err(wrong(format!("`{}` does not play tier {number}", self.name), number, expected))
    }

    /// The compiled game of a world's member.
    ///
    /// # Errors
    /// No suitable rules could be drawn.
    pub fn game(&self, world: &FamilyWorld) -> Result<Arc<Game>, Problems> {
        self.opened(world, false)
    }

    /// The same game with the family's own names, in their order. The arrays of all members then have the same meaning.
    ///
    /// # Errors
    /// No suitable rules could be drawn.
    pub fn array_game(&self, world: &FamilyWorld) -> Result<Arc<Game>, Problems> {
        self.opened(world, world.tier().told == Told::Invented)
    }

    fn opened(&self, world: &FamilyWorld, is_plain: bool) -> Result<Arc<Game>, Problems> {
        let key = (world.member().to_string(), is_plain);
        let kept = || self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = kept().get(&key) {
            return Ok(game.clone());
        }
        let member = Member::of(world.member())?;
        let game = Arc::new(if is_plain { member.open_plain()? } else { member.open()? });
        let mut kept = kept();
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        Ok(kept.entry(key).or_insert(game).clone())
    }

    /// Compares the return of one or several episodes with waiting and the best known return in their worlds, as `farm score` does. `seeds`
    /// are the seeds of all the episodes' maps. The planner computes each world once.
    ///
    /// # Errors
    /// A step failed.
    pub fn score(&self, game: &Game, seeds: &[u64], total: f64) -> Result<FamilyScore, PlayError> {
        let kept = || self.baselines.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |seed: &u64| {
            let key = (game.fingerprint(), *seed);
            let known = kept().get(&key).cloned();
            if let Some(known) = known {
                return Ok(known);
            }
            let baseline = Baseline::bounds(game, *seed, &|| Ok(()))?;
            let mut kept = kept();
            if kept.len() >= MAX_KEPT {
                kept.clear();
            }
            kept.insert(key, baseline.clone());
            Ok(baseline)
        };
        let baselines = seeds.iter().map(of).collect::<Result<Vec<_>, PlayError>>()?;
        let sum = Baseline::sum(baselines).unwrap_or(Baseline { waiting: 0.0, best: None, reference: None });
        Ok(FamilyScore {
            score: sum.score(total),
            waiting: sum.waiting,
            best: sum.best.map(|best| best.value),
            is_proven: sum.best.is_some_and(|best| best.kind == BestKind::Certified),
        })
    }
}

/// For batches: each episode draws a member.
impl DrawGame for FamilyGame {
    fn draw(&self, split: Option<SeedSplit>, seed: u64) -> Result<(Arc<Game>, u64), String> {
        let drawn = self.drawn(split, seed, None).and_then(|world| Ok((self.array_game(&world)?, world.seed())));
        drawn.map_err(|problems| problems.to_string())
    }
}

/// The split of a game's rules. `None` for games that are not a family's member with rules of a split.
pub fn rules_split(game: &Game) -> Option<SeedSplit> {
    let name = Some(game.spec().name()).filter(|name| families::is_member(name))?;
    match MemberName::parse(name).ok()?.rules {
        Rules::Of(split, _) => SeedSplit::named(split.name()),
        _ => None,
    }
}

/// Checks that a member of one split is not played in a world of another split. Other games, and seeds that no split reserves, pass.
///
/// # Errors
/// The split of the rules differs from the split that reserves the seed.
pub fn check_split(game: &Game, seed: u64) -> Result<(), Problems> {
    let Some(split) = SeedSplit::of(seed) else { return Ok(()) };
    let Some(rules) = rules_split(game).filter(|rules| *rules != split) else { return Ok(()) };
    let (name, rules, index) = (game.spec().name(), rules.name(), seed - split.seeds().start);
    let message =
        format!("`{name}` has rules of the split `{rules}`, but this is a world of the split `{}`", split.name());
    let expected = format!("a world of the split `{rules}`, or the member with `rules={}-{index}`", split.name());
    Err(wrong(message, format!("{}/{index}", split.name()), expected))
}
