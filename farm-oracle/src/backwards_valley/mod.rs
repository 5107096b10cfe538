//! The best plan for Backwards Valley, found and proven.
//!
//! Crops ripen and animals rise by themselves, and care only sets them back; so the only useful verbs are insults, the
//! compliment that pushes a friendly villager down so that it can come back, and one feed for an animal that starts in its
//! top state. What is left is an orienteering problem over poses (tile and facing):
//!
//! | target | where | costs | when |
//! |---|---|---|---|
//! | crop | its tile | the steps of the way | not before it is ripe |
//! | villager | a tile beside it, facing it | one verb for each tier, two if it starts friendly | any time |
//! | animal that starts in its top state | a tile beside it, facing it | one verb | early enough to rise again |
//!
//! `search` finds, for sets of targets and end poses, the least steps. Arriving earlier is never worse, because waiting
//! is possible; so one number per set and pose suffices. The verbs of one villager may be said in one go, except in the
//! first steps, where crops are not all ripe: said together at the later visit, whatever lay between happens a step
//! earlier, which is not early for anything once all crops are ripe. Villagers within reach by then get a target for each verb.
//!
//! Source: Backwards Valley, section "Oracle".

mod bounds;
mod reading;
mod search;
mod targets;
mod unmodelled;

pub use reading::Reading;
pub(super) use reading::unplanned_law;
pub(super) use unmodelled::reject;

use crate::{Plan, grid::Grid};
use targets::{NEVER, Targets};

/// What a thing that starts in its top state pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartInTop {
    /// Its base value when it comes back after having been pushed down.
    #[default]
    FirstEntry,
    /// Its base value in the first step.
    Immediately,
    /// Nothing.
    Never,
}

/// A crop, an animal or a villager that has not paid yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing {
    /// Its tile.
    pub tile: usize,
    /// Its stage, from 0.
    pub stage: u8,
    /// The stage in which it pays.
    pub last_stage: u8,
    /// What it pays.
    pub base_value: u32,
    /// What it pays if it is in its last stage now; means nothing for a crop.
    pub start_in_top_pays: StartInTop,
}

/// Somebody on a tile, looking in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pose {
    /// The tile.
    pub tile: usize,
    /// 0 north, then clockwise.
    pub facing: usize,
}

/// The facts of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The map; fences block it.
    pub grid: Grid,
    /// The agent.
    pub agent: Pose,
    /// Crops: they ripen by a stage a step, and pay whoever stands on them.
    pub crops: Vec<Thing>,
    /// Animals: they rise by a tier a step, to the first when fed, and pay on entering the last.
    pub animals: Vec<Thing>,
    /// Villagers: an insult lifts them by a tier, a compliment lowers them; they pay on entering the last.
    pub villagers: Vec<Thing>,
    /// What each meter still holds.
    pub meter_limits: [u32; 3],
    /// Steps that remain.
    pub steps: u32,
    /// The rules that differ between variants of the game.
    pub rules: Rules,
}

/// The rules that differ between variants of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The meter that crops, animals and villagers fill, an index of [`World::meter_limits`].
    pub meter_of: [usize; 3],
    /// By how many tiers feeding sets an animal back; back to the first tier if nothing is said.
    pub animals_fall_by: Option<u8>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { meter_of: [0, 1, 2], animals_fall_by: None }
    }
}

/// What the agent does in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A move to the north.
    MoveN,
    /// A move to the east.
    MoveE,
    /// A move to the south.
    MoveS,
    /// A move to the west.
    MoveW,
    /// Nothing.
    Wait,
    /// Feeds the animal in front, or does what else sets it back.
    Feed,
    /// Pleases the villager in front, who takes it amiss.
    Compliment,
    /// Insults the villager in front, who likes it.
    Insult,
}

impl Action {
    /// All of them, in order.
    pub const ALL: [Self; 8] =
        [Self::MoveN, Self::MoveE, Self::MoveS, Self::MoveW, Self::Wait, Self::Feed, Self::Compliment, Self::Insult];

    /// The moves by direction.
    pub const MOVES: [Self; 4] = [Self::MoveN, Self::MoveE, Self::MoveS, Self::MoveW];

    /// Its name in the game.
    pub fn name(self) -> &'static str {
        match self {
            Self::MoveN => "MoveN",
            Self::MoveE => "MoveE",
            Self::MoveS => "MoveS",
            Self::MoveW => "MoveW",
            Self::Wait => "Wait",
            Self::Feed => "Feed",
            Self::Compliment => "Compliment",
            Self::Insult => "Insult",
        }
    }
}

impl World {
    /// The best plan. Its bound equals its value unless the world is too large to search: more than 250 steps or 24
    /// targets, or more memory than is allowed; the bound is then what can be reached target by target.
    pub fn plan(&self) -> Plan<Action> {
        search::plan(self)
    }

    /// The first action towards the target that is won soonest; none if nothing can be won in time.
    pub fn towards_nearest(&self) -> Option<Action> {
        let targets = Targets::of(self);
        let won_at = |node: usize| targets.targets[targets.nodes[node].target].won_at(targets.from_start[node]);
        let node = (0..targets.nodes.len()).min_by_key(|node| won_at(*node)).filter(|node| won_at(*node) < NEVER)?;
        let verbs = &targets.targets[targets.nodes[node].target].verbs;
        let first = targets.way(self, None, node).first().copied();
        first.or(verbs.first().copied()).or(Some(Action::Wait))
    }

    /// What comes to somebody who only waits: the crop underfoot, animals that rise, and what pays in the first step.
    pub fn waiting_value(&self) -> f64 {
        let crops = self.crops.iter().filter(|crop| crop.tile == self.agent.tile && crop.ripe_at() <= self.steps);
        let crops = crops.map(|crop| crop.base_value).sum::<u32>();
        let [_, animals, villagers] = self.passive();
        f64::from(self.total([crops, animals, villagers]))
    }

    /// What animals and villagers pay without the agent, by kind.
    fn passive(&self) -> [u32; 3] {
        let at_once = |t: &Thing| t.is_in_top() && t.start_in_top_pays == StartInTop::Immediately && self.steps > 0;
        let rises = |t: &Thing| !t.is_in_top() && u32::from(t.last_stage - t.stage) <= self.steps;
        let animals = self.animals.iter().filter(|a| at_once(a) || rises(a)).map(|a| a.base_value).sum();
        let villagers = self.villagers.iter().filter(|v| at_once(v)).map(|v| v.base_value).sum();
        [0, animals, villagers]
    }

    /// What all things pay together, whether or not anybody can reach them in time.
    fn everything(&self) -> u32 {
        let pays = |t: &&Thing| !t.is_in_top() || t.start_in_top_pays != StartInTop::Never;
        let sum = |things: &[Thing]| things.iter().filter(pays).map(|thing| thing.base_value).sum();
        self.total([self.crops.iter().map(|crop| crop.base_value).sum(), sum(&self.animals), sum(&self.villagers)])
    }

    /// The Farm Value of what the kinds have paid.
    fn total(&self, paid: [u32; 3]) -> u32 {
        let mut filled = [0; 3];
        for (paid, meter) in paid.iter().zip(self.rules.meter_of) {
            filled[meter] += paid;
        }
        filled.iter().zip(self.meter_limits).map(|(filled, limit)| (*filled).min(limit)).sum()
    }
}

impl Thing {
    /// Whether it is in its last stage.
    fn is_in_top(&self) -> bool {
        self.stage >= self.last_stage
    }

    /// The first step at whose end a crop is ripe.
    fn ripe_at(&self) -> u32 {
        u32::from(self.last_stage.saturating_sub(self.stage)).max(1)
    }
}
