//! The Backwards Valley family. For each kind of thing, members differ in three points: whether neglect or care helps, the verbs' effects
//! and pace, and the stage that pays.
//!
//! All members share maps, counts and steps: a seed gives the same map in all of them. The farmer sees the same words in a random order.
//! The order of the stages and the stage that pays are hidden.

use std::fmt::Write as _;

use farm_core::Stream;
use farm_oracle::backwards_valley::Untended;

use super::skin::Names;
use super::{Clause, MapSetting, MemberName, RuleFamily, Tier, Told};

/// The family.
pub(super) const FAMILY: RuleFamily = RuleFamily {
    name: "backwards_valley",
    doc: "For crops, animals and villagers: whether neglect or care helps, the effects and the pace of the verbs, and the stage that pays.",
    named: &[
        ("inverted", "neglect helps and care harms, as in backwards_valley"),
        ("ordinary", "care helps and neglect does not: the control"),
    ],
    split: "members whose three natures have ranks with a sum divisible by 3, and members in which things change every 3 steps",
    tiers: &[
        Tier::of_map(1, 8, 5, 60).told(Told::Shown),
        Tier::of_map(2, 8, 5, 60),
        Tier::of_map(3, 8, 5, 60).scattered(0),
        Tier::of_map(4, 10, 5, 60).scattered(0),
        Tier::of_map(5, 10, 5, 60).scattered(12),
        Tier::of_map(6, 12, 5, 60).scattered(16),
        Tier::of_map(7, 14, 5, 60).scattered(24),
        Tier::of_map(8, 12, 3, 60).scattered(16).told(Told::Invented),
        Tier::of_map(9, 14, 3, 60).scattered(24).told(Told::Invented),
    ],
    has_skins: true,
};

/// The names that a skin replaces.
pub(super) const NAMES: Names = Names {
    exact: &[
        &["UseWateringCan", "SpreadFertilizer", "Feed", "CleanPen", "Compliment", "Insult"],
        &["Seed", "Sprout", "Young", "HarvestReady", "Weak", "Okay", "Thriving", "Hostile", "Neutral", "Friendly"],
        &["field", "pen", "house"],
        &["fence"],
        &["ground"],
        &["outside"],
        &["harvest", "thriving", "friendship"],
        &["farm_value"],
        &["MoveN", "MoveS", "MoveE", "MoveW"],
        &["Wait"],
    ],
    entries: &["grid", "position", "facing", "remaining"],
    nouns: &[
        &["crop", "animal", "villager"],
        &["field", "pen", "house"],
        &["farmer"],
        &["Farm", "Yield", "Health", "Social", "Affinity"],
    ],
    goal: "You are on a map of square tiles.\nReach the highest value of `farm_value` you can.\n`farm_value` never decreases. The \
           reward for a step is its increase during that step.\n",
};

/// The number of crops, animals and villagers.
const COUNTS: [u32; 3] = [6, 3, 4];
/// The number of steps in an episode.
const STEPS: u32 = 60;
/// The number of tiles per row in the base game's map.
const USUAL_SIZE: u32 = 10;
/// The maximum number of visible tiles between the middle of the window and its border.
const MARGIN: u32 = 4;

/// The facts about a kind that all members share.
pub(super) struct KindFacts {
    pub(super) name: &'static str,
    terrain: &'static str,
    pub(super) stages: &'static [&'static str],
    /// The verbs; the first one is the caring one.
    pub(super) verbs: [&'static str; 2],
}

pub(super) const KINDS: [KindFacts; 3] = [
    KindFacts {
        name: "crops",
        terrain: "field",
        stages: &["Seed", "Sprout", "Young", "HarvestReady"],
        verbs: ["UseWateringCan", "SpreadFertilizer"],
    },
    KindFacts { name: "animals", terrain: "pen", stages: &["Weak", "Okay", "Thriving"], verbs: ["Feed", "CleanPen"] },
    KindFacts {
        name: "villagers",
        terrain: "house",
        stages: &["Hostile", "Neutral", "Friendly"],
        verbs: ["Compliment", "Insult"],
    },
];

/// How things change without care, and the purpose of their verbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// They advance by themselves, and verbs set them back.
    Alone,
    /// They stay as they are, and a verb advances them.
    Tended,
    /// Crops advance slowly by themselves, and faster with a verb. Other things fall back by themselves, and a verb advances them.
    Both,
}

impl Nature {
    pub(super) const ALL: [Self; 3] = [Self::Alone, Self::Tended, Self::Both];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Tended => "tended",
            Self::Both => "both",
        }
    }
}

/// The effect of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerbEffect {
    /// Back to the first stage.
    First,
    /// One stage back.
    Down,
    /// One stage forward.
    Up,
    /// Forward to the last stage.
    Last,
    /// Nothing.
    Nothing,
}

impl VerbEffect {
    /// Its name in a game.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Down => "down",
            Self::Up => "up",
            Self::Last => "last",
            Self::Nothing => "nothing",
        }
    }
}

/// The rules for one kind of thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindLaws {
    /// How its things change.
    pub nature: Nature,
    /// The number of steps without care until they change; unused for things that do not change.
    pub every: u32,
    /// The effects of its two verbs.
    pub effects: [VerbEffect; 2],
    /// Its stages, from the first to the one that pays.
    pub stages: Vec<&'static str>,
    /// Lowest and highest base value.
    pub worth: [u32; 2],
}

/// A member's rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackwardsLaws {
    /// The rules for crops, animals and villagers.
    pub kinds: [KindLaws; 3],
    /// The number of tiles per row in the window.
    pub view: u32,
    /// The words for stages, in the order in which the instructions list them.
    pub listed: Vec<&'static str>,
}

/// One of several values, chosen at random.
pub(super) fn one_of<T: Clone>(stream: &mut Stream, values: &[T]) -> T {
    values[stream.index(values.len() as u32) as usize].clone()
}

/// The values in a random order.
pub(super) fn shuffled<T: Clone>(stream: &mut Stream, values: &[T]) -> Vec<T> {
    let mut left = values.to_vec();
    (0..values.len()).map(|_| left.swap_remove(stream.index(left.len() as u32) as usize)).collect()
}

/// The possible numbers of steps after which untended things of this nature change.
pub(super) fn paces(nature: Nature, rank: usize) -> &'static [u32] {
    match (nature, rank) {
        (Nature::Alone, _) => &[1, 2, 3],
        (Nature::Tended, _) => &[1],
        (Nature::Both, 0) => &[3, 5, 6],
        (Nature::Both, _) => &[2, 3, 4],
    }
}

/// The possible effects of a nature's two verbs.
pub(super) fn effects(nature: Nature) -> [&'static [VerbEffect]; 2] {
    use VerbEffect::{Down, First, Last, Nothing, Up};
    match nature {
        Nature::Alone => [&[First, Down], &[First, Down, Nothing]],
        Nature::Tended | Nature::Both => [&[Up, Last], &[First, Down, Nothing]],
    }
}

/// How things of a kind change without care.
pub(super) fn untended(nature: Nature, rank: usize) -> Untended {
    match (nature, rank) {
        (Nature::Alone, _) | (Nature::Both, 0) => Untended::Advances,
        (Nature::Tended, _) => Untended::Stays,
        (Nature::Both, _) => Untended::Regresses,
    }
}

impl KindLaws {
    fn draw(stream: &mut Stream, rank: usize) -> Self {
        let nature = one_of(stream, &Nature::ALL);
        let every = match paces(nature, rank) {
            [only] => *only,
            paces => one_of(stream, paces),
        };
        let pair = effects(nature).map(|effects| one_of(stream, effects));
        let effects = if stream.bernoulli(0.5) { pair } else { [pair[1], pair[0]] };
        let usual = KINDS[rank].stages;
        let stages = match stream.index(4) {
            0 | 1 => usual.to_vec(),
            2 => usual.iter().rev().copied().collect(),
            _ => shuffled(stream, usual),
        };
        let worth = one_of(stream, &[[1, 3], [2, 5], [3, 6]]);
        Self { nature, every, effects, stages, worth }
    }
}

impl BackwardsLaws {
    /// The names of the kinds in clauses, in the order of the game's entities.
    pub const KINDS: [&'static str; 3] = [KINDS[0].name, KINDS[1].name, KINDS[2].name];

    /// Rules drawn from a stream.
    pub(super) fn draw(stream: &mut Stream) -> Self {
        let kinds = [0, 1, 2].map(|rank| KindLaws::draw(stream, rank));
        let view = one_of(stream, &[5, 7, 9]);
        let words: Vec<&str> = KINDS.iter().flat_map(|kind| kind.stages).copied().collect();
        Self { kinds, view, listed: shuffled(stream, &words) }
    }

    /// The family's rules with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        use VerbEffect::{Down, First, Last, Up};
        let (natures, effects) = match name {
            "inverted" => {
                ([Nature::Alone, Nature::Alone, Nature::Tended], [[First, First], [First, First], [Down, Up]])
            }
            "ordinary" => ([Nature::Tended, Nature::Both, Nature::Tended], [[Up, Last], [Last, Up], [Up, Down]]),
            _ => return None,
        };
        let kind = |rank: usize| KindLaws {
            nature: natures[rank],
            every: if natures[rank] == Nature::Both { 4 } else { 1 },
            effects: effects[rank],
            stages: KINDS[rank].stages.to_vec(),
            worth: [[2, 5], [1, 3], [3, 6]][rank],
        };
        let words = KINDS.iter().flat_map(|kind| kind.stages).copied().collect();
        Some(Self { kinds: [0, 1, 2].map(kind), view: 5, listed: words })
    }

    /// Whether members with these rules belong to the test split.
    pub(super) fn is_held_out(&self) -> bool {
        let ranks: usize = self.kinds.iter().map(|kind| kind.nature as usize).sum();
        ranks.is_multiple_of(3) || self.kinds.iter().any(|kind| kind.nature != Nature::Tended && kind.every == 3)
    }

    /// All clauses in which members differ.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        let hidden = |name: String, value: String| Clause { name, value, is_hidden: true };
        let mut clauses = Vec::new();
        for (facts, laws) in KINDS.iter().zip(&self.kinds) {
            let name = facts.name;
            clauses.push(hidden(format!("{name}.nature"), laws.nature.name().to_owned()));
            clauses.push(hidden(format!("{name}.every"), laws.every.to_string()));
            for (verb, effect) in facts.verbs.iter().zip(laws.effects) {
                clauses.push(hidden(format!("{name}.{verb}"), effect.name().to_owned()));
            }
            clauses.push(hidden(format!("{name}.pays"), laws.stages.last().copied().unwrap_or_default().to_owned()));
            clauses.push(hidden(format!("{name}.stages"), laws.stages.join(" ")));
            clauses.push(hidden(format!("{name}.worth"), format!("{} to {}", laws.worth[0], laws.worth[1])));
        }
        let shown = |name: &str, value: String| Clause { name: name.to_owned(), value, is_hidden: false };
        clauses.push(shown("view", self.view.to_string()));
        clauses.push(shown("listed", self.listed.join(" ")));
        clauses
    }

    /// A game with these rules.
    pub(super) fn yaml(&self, name: &MemberName) -> String {
        let mut changes = String::new();
        let mut change = |path: &str, value: &str| {
            // Nothing can go wrong when writing into a text.
            let _ = writeln!(changes, "  {path}: {value}");
        };
        for (rank, (facts, laws)) in KINDS.iter().zip(&self.kinds).enumerate() {
            let path = |key: &str| format!("fields.Field-0.entities.{}.StagedTiles.{key}", rank + 1);
            let untended = match untended(laws.nature, rank) {
                Untended::Advances => "advances",
                Untended::Stays => "stays",
                Untended::Regresses => "regresses",
            };
            let [first, second] = [0, 1].map(|verb| format!("{}: {}", facts.verbs[verb], laws.effects[verb].name()));
            change(&path("count#nb"), &COUNTS[rank].to_string());
            change(&path("stages"), &format!("[{}]", laws.stages.join(", ")));
            // By word and not by rank, so that the first observation does not depend on the order of the stages.
            change(&path("initial_stages"), &format!("[{}]", facts.stages.join(", ")));
            change(&path("untended"), untended);
            if laws.every > 1 {
                change(&path("untended_every#step"), &laws.every.to_string());
            }
            change(&path("verbs"), &format!("{{{first}, {second}}}"));
            change(&path("base_value#point"), &format!("[{}, {}]", laws.worth[0], laws.worth[1]));
        }
        let map = "fields.Field-0.entities.0.TileMap";
        change(&format!("{map}.margin#tile"), &MARGIN.to_string());
        change(&format!("{map}.statuses"), &format!("[none, {}]", self.listed.join(", ")));
        let tier = name.ladder();
        let map = tier.and_then(|tier| tier.map());
        change("farmers.0.GridFarmer.view#tile", &map.map_or(self.view, |map| map.view).to_string());
        change("rules.BasicRule.max_steps", &tier.map_or(STEPS, |tier| tier.steps).to_string());
        if let Some(map) = map {
            lay_out(&map, &mut change);
        }
        format!(
            "name: {name}\ndoc: A member of the family {0}, with rules of its own.\nextends: {0}-v0\npolicies:\n{1}changes:\n{changes}",
            FAMILY.name,
            policies()
        )
    }
}

/// A tier's map. Maps with ten tiles in a row keep the game's walls. Things are scattered over the map, or each kind has its own area.
fn lay_out(setting: &MapSetting, change: &mut impl FnMut(&str, &str)) {
    let map = "fields.Field-0.entities.0.TileMap";
    if setting.size != USUAL_SIZE {
        change("fields.Field-0.shape", &format!("{{length#nb: {0}, width#nb: {0}}}", setting.size));
        change(&format!("{map}.plan"), &setting.open_plan());
    }
    if setting.obstacles > 0 {
        change(&format!("{map}.obstacles#nb"), &setting.obstacles.to_string());
    }
    let half = setting.size / 2;
    let places = [[1, 1, half, half], [half + 1, 1, half - 1, half - 1], [1, half + 1, half - 1, half - 1]];
    for (rank, [x, y, length, width]) in places.into_iter().enumerate() {
        let area = format!("fields.Field-0.entities.{}.StagedTiles.area", rank + 1);
        if setting.is_scattered {
            change(&area, "null");
        } else if setting.size != USUAL_SIZE {
            change(&area, &format!("{{x: {x}, y: {y}, length#tile: {length}, width#tile: {width}}}"));
        }
    }
}

/// The policies that know the words that all members share, but not the rules.
fn policies() -> String {
    let mut kinds = String::new();
    for facts in &KINDS {
        // Nothing can go wrong when writing into a text.
        let _ = writeln!(
            kinds,
            "      - {{terrain: {}, stages: [{}], verbs: [{}], is_stood_on: {}}}",
            facts.terrain,
            facts.stages.join(", "),
            facts.verbs.join(", "),
            facts.name == "crops"
        );
    }
    format!(
        "  caring:\n    CaringPolicy:\n     kinds:\n{kinds}  adaptive:\n    AdaptivePolicy:\n     total: farm_value\n     kinds:\n{kinds}  \
         bayesian:\n    BayesianPolicy:\n     total: farm_value\n     kinds:\n{kinds}"
    )
}
