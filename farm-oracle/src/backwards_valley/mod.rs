//! Finds the best plan for Backwards Valley and similar games, and proves that it is the best.
//!
//! Things move through stages by themselves and through verbs. Each pays once: when it reaches its last stage, or when the farmer stands on
//! it while it is in its last stage. If the farmer does nothing, its changes are known for every step. So the main work is to compute, for
//! each thing and each arrival step, how long the farmer needs there. The rest is an orienteering problem over poses (tile and facing):
//!
//! | target | where | costs | when |
//! |---|---|---|---|
//! | thing to stand on | its tile | the steps of the path | not before it is in its last stage |
//! | the same, if verbs must bring it to that stage | before: a tile beside it, facing it | the verbs | any time |
//! | thing that pays on entry | a tile beside it, facing it | verbs, and waits if that is faster | early enough to pay before the end |
//!
//! `search` finds the minimum steps for sets of targets and end poses. An earlier arrival is never worse, because the farmer can wait, so
//! one number per set and pose is enough. All verbs for a thing can be used in one visit, except in the first steps, when the farmer may
//! have to wait for something. If all verbs are used on the later of two visits, everything between the visits happens a step earlier. That
//! is not too early once the farmer no longer has to wait for anything. Things that do not change by themselves, and that the farmer can
//! reach before then, get one target per verb. If things change between two visits, the plan is proven only if it wins everything possible.
//!
//! Source: Backwards Valley, section "Oracle".

mod bounds;
mod kind;
mod reading;
mod search;
mod targets;
mod unmodelled;

pub use kind::{Effect, Kind, Pays, StartInTop, Thing, Untended, Verb};
pub use reading::Reading;
pub(super) use reading::unplanned_law;
pub(super) use unmodelled::reject;

use crate::{Plan, grid::Grid};
use targets::{NEVER, Targets};

/// The agent's position: its tile and its direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pose {
    /// The tile.
    pub tile: usize,
    /// 0 north, then clockwise.
    pub facing: usize,
}

/// The maximum number of kinds of things in a world.
pub const MAX_KINDS: usize = 8;

/// The facts about a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The map; fences block it.
    pub grid: Grid,
    /// The agent.
    pub agent: Pose,
    /// The things that have not paid yet, by kind; at most [`MAX_KINDS`].
    pub kinds: Vec<Kind>,
    /// The room left in each meter. Kinds refer to their meter by its index.
    pub meter_limits: [u32; MAX_KINDS],
    /// The remaining steps.
    pub steps: u32,
}

/// The agent's action in a step.
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
    /// Lets one step pass.
    Wait,
    /// A verb for the thing in front of the agent, by its index among the verbs of all kinds.
    Verb(u8),
}

impl Action {
    /// The moves by direction.
    pub const MOVES: [Self; 4] = [Self::MoveN, Self::MoveE, Self::MoveS, Self::MoveW];

    /// Its index: 0 to 4 for moves and waiting, then the verbs.
    pub fn number(self) -> u8 {
        match self {
            Self::MoveN => 0,
            Self::MoveE => 1,
            Self::MoveS => 2,
            Self::MoveW => 3,
            Self::Wait => 4,
            Self::Verb(verb) => Self::FIRST_VERB.saturating_add(verb),
        }
    }

    /// The index of the first verb.
    pub const FIRST_VERB: u8 = 5;
}

impl World {
    /// The best plan.
    ///
    /// Its bound equals its value, with two exceptions. First, the world may be too large to search: it has more than 250 steps or 24
    /// targets, or needs too much memory. Second, its things may change in ways that no known proof covers, and the plan misses something.
    /// In both cases, the bound is the sum of all targets that can be reached individually.
    pub fn plan(&self) -> Plan<Action> {
        search::plan(self)
    }

    /// The first action towards the target that is won first; none if no target can be won in time.
    pub fn towards_nearest(&self) -> Option<Action> {
        let targets = Targets::of(self);
        let won_at = |node: usize| {
            let target = &targets.targets[targets.nodes[node].target];
            if target.after.is_none() { target.won_at(targets.from_start[node]) } else { NEVER }
        };
        let node = (0..targets.nodes.len()).min_by_key(|node| won_at(*node)).filter(|node| won_at(*node) < NEVER)?;
        let first = targets.way(self, None, node).first().copied();
        let done_there = || targets.done_there(self, targets.nodes[node].target, targets.from_start[node]);
        first.or_else(|| done_there().first().copied()).or(Some(Action::Wait))
    }

    /// The return if the agent only waits: from the thing on its tile, and from the things that pay by themselves.
    pub fn waiting_value(&self) -> f64 {
        let mut paid = self.passive();
        for kind in self.kinds.iter().filter(|kind| kind.pays == Pays::WhenStoodOn) {
            let underfoot = kind.things.iter().filter(|thing| thing.tile == self.agent.tile);
            let in_time = underfoot.filter(|thing| kind.in_last_from(thing).is_some_and(|step| step <= self.steps));
            paid[kind.meter] += in_time.map(|thing| thing.base_value).sum::<u32>();
        }
        f64::from(self.total(paid))
    }

    /// The payments that need no agent, by meter.
    fn passive(&self) -> [u32; MAX_KINDS] {
        let mut paid = [0; MAX_KINDS];
        for kind in self.kinds.iter().filter(|kind| kind.pays == Pays::OnFirstEntry) {
            let by_itself = kind.things.iter().filter(|thing| kind.pays_by_itself(thing, self.steps));
            paid[kind.meter] += by_itself.map(|thing| thing.base_value).sum::<u32>();
        }
        paid
    }

    /// The sum of all payments, including things that the agent cannot reach in time.
    fn everything(&self) -> u32 {
        let mut paid = [0; MAX_KINDS];
        for kind in &self.kinds {
            paid[kind.meter] += kind.things.iter().filter(|t| kind.can_pay(t)).map(|t| t.base_value).sum::<u32>();
        }
        self.total(paid)
    }

    /// The Farm Value of payments, given by meter.
    fn total(&self, paid: [u32; MAX_KINDS]) -> u32 {
        paid.iter().zip(self.meter_limits).map(|(filled, limit)| (*filled).min(limit)).sum()
    }
}
