//! What a part is: the configured thing (`Entity`, `Farmer`, `Rule`, `Score`, `Policy`) and the thing that plays (`Behaviour`).
//!
//! A configured part holds parameters and is read from YAML. Its `build` declares what the part has and returns a
//! behaviour, which holds handles and constants. Neither has memory: all that changes in an episode is in the `State`.

mod context;
mod season;

use std::fmt::Debug;

pub use context::{Context, Event};
pub use season::Season;

use crate::action::{ActionKind, Call, CallArguments};
use crate::declare::{Builder, Phase};
use crate::game::Game;
use crate::observation::Slot;
use crate::rules::{RuleBuilder, Rules};
use crate::state::{Column, Reader, State};

/// A component of a field: weather, soil, a plant, tiles of a grid.
#[typetag::serialize]
pub trait Entity: Debug + Send + Sync {
    /// Declares variables, actions, roles and phases, and returns what plays.
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn Behaviour>;

    /// What it is called in the game, where that is not its kind: a kind that stands for many classes has the class's name.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// Who executes the chosen actions.
#[typetag::serialize]
pub trait Farmer: Debug + Send + Sync {
    /// Declares variables, actions, roles and phases, and returns what plays.
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn FarmerBehaviour>;

    /// What it is called in the game, where that is not its kind: a kind that stands for many classes has the class's name.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// How the game starts, what may be done and seen, and when it ends.
#[typetag::serialize]
pub trait Rule: Debug + Send + Sync {
    /// Resolves all names against the parts of the game.
    fn build(&self, builder: &mut RuleBuilder<'_>) -> Rules;
}

/// Costs and rewards.
#[typetag::serialize]
pub trait Score: Debug + Send + Sync {
    /// Declares variables and roles, and returns what counts.
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn ScoreBehaviour>;

    /// What it is called in the game, where that is not its kind: a kind that stands for many classes has the class's name.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// How to play a game.
#[typetag::serialize]
pub trait Policy: Debug + Send + Sync {
    /// Resolves all names against the game and returns a player; the problems' paths start at the policy.
    ///
    /// # Errors
    /// Every name or value that does not fit the game.
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, crate::config::Problems>;

    /// Whether it looks at what no learner sees; a hint of it is then marked. A policy that asks others does if any of them does: the
    /// game is the one in which those have their names.
    fn knows_hidden(&self, _game: &Game) -> bool {
        false
    }
}

/// What happens in a step, of one part. Nothing in here allocates or looks up a name.
pub trait Behaviour: Send + Sync {
    /// Called once, when the game is compiled and its rules are known: whoever brings days from elsewhere sees here whether the seasons fit.
    fn plan(&mut self, _season: &mut Season<'_>) {}

    /// The start of an episode. The variables hold their declared defaults.
    fn reset(&self, _context: &mut Context<'_>) {}

    /// Called after the rules have set the initial conditions, to make the rest agree with them.
    fn after_initial_conditions(&self, _context: &mut Context<'_>) {}

    /// Executes an action, by the index that `Builder::action` gave.
    fn act(&self, _action: usize, _arguments: CallArguments<'_>, _context: &mut Context<'_>) {}

    /// Whether an action would change anything now; for the optional mask.
    fn has_effect(&self, _action: usize, _arguments: CallArguments<'_>, _reader: &Reader<'_>) -> bool {
        true
    }

    /// Its share of the day, in each phase it asked for.
    fn tick(&self, _phase: Phase, _context: &mut Context<'_>) {}

    /// Draws anew what it has decided ahead, in a copy of an episode whose future is not to be known ([`Game::redraw_future`]): the
    /// context has the new seed, `before` is the one under which it was decided. What a player is shown of it, such as a forecast, is to
    /// stay as likely as it was. Nothing is to be done for draws of the steps to come.
    fn redraw_future(&self, _before: u64, _context: &mut Context<'_>) {}

    /// Writes an observable, by the index that `Builder::observable` gave.
    fn observe(&self, _observable: usize, _reader: &Reader<'_>, _out: &mut Slot<'_>) {}
}

/// A farmer that plays: its availability besides its behaviour.
pub trait FarmerBehaviour: Behaviour {
    /// Whether it may ever look or act in a field (none for parts of the farm). Called when the game is compiled.
    fn allows(&self, _kind: ActionKind, _field: Option<usize>) -> bool {
        true
    }

    /// Why it can't do this now, a short sentence for `info["rejected"]`; none if it can.
    fn rejection(&self, _attempt: &Attempt<'_>, _reader: &Reader<'_>) -> Option<&'static str> {
        None
    }

    /// Whether `rejection` or `before_action` ever does anything. A farmer that may do everything at any time answers no, which spares every
    /// step both calls.
    fn has_hooks(&self) -> bool {
        true
    }

    /// Whether `rejection` looks at the arguments of an attempt, so that a mask must ask for each call alone.
    fn depends_on_arguments(&self) -> bool {
        false
    }

    /// Marks for a mask which of these calls of one action it can do now: 1 or 0 for each, just what `rejection` says of it alone.
    /// `attempt` has the arguments of the first call. A farmer that judges arguments may answer for all calls at once here, to
    /// look up only once what they have in common.
    fn mask(&self, attempt: &Attempt<'_>, calls: &[Call], reader: &Reader<'_>, mask: &mut [u8]) {
        let is_free = |attempt: &Attempt<'_>| u8::from(self.rejection(attempt, reader).is_none());
        if self.depends_on_arguments() {
            mask.iter_mut()
                .zip(calls)
                .for_each(|(slot, call)| *slot = is_free(&Attempt { arguments: call.arguments(), ..*attempt }));
        } else {
            mask.fill(is_free(attempt));
        }
    }

    /// Takes note of how many steps of this day are over: 0 when a day begins. Called after every step of a game whose days
    /// have several steps, before the day's dynamics.
    fn after_step(&self, _steps_today: i32, _context: &mut Context<'_>) {}

    /// Takes note that it is about to do this, before it is done.
    fn before_action(&self, _attempt: &Attempt<'_>, _context: &mut Context<'_>) {}
}

/// What a farmer is asked to do.
#[derive(Debug, Clone, Copy, farm_macros::Getters)]
pub struct Attempt<'a> {
    /// Whether it is to look or to act.
    #[getter(copy)]
    pub(crate) kind: ActionKind,
    /// Index of the part it concerns, among [`Builder::parts`].
    pub(crate) part: usize,
    /// Which action of the part; none for an observation.
    pub(crate) action: Option<usize>,
    /// Its arguments.
    #[getter(copy)]
    pub(crate) arguments: CallArguments<'a>,
}

/// A score that plays.
pub trait ScoreBehaviour: Behaviour {
    /// The cost of an intervention, whatever its parameters. Called when the game is compiled.
    fn intervention_cost(&self, _part: &str, _action: &str) -> f64 {
        0.0
    }

    /// The cost of each value of a variable that is asked for, by its full name such as `air_temperature.max#°C`. Called
    /// when the game is compiled.
    fn observation_cost(&self, _part: &str, _variable: &str) -> f64 {
        0.0
    }

    /// What must stay small besides earning a reward. Called when the game is compiled.
    fn constraints(&self) -> Vec<ConstraintInfo> {
        Vec::new()
    }

    /// Writes what this step costs each constraint, in the order of [`ScoreBehaviour::constraints`], and adds it to the
    /// constraint's total. Called once per step, after the reward.
    fn constraint_costs(&self, _context: &mut Context<'_>, _costs: &mut [f64]) {}

    /// The reward of this step, before costs.
    fn reward(&self, context: &mut Context<'_>) -> f64;

    /// What is added to the reward when the episode ends.
    fn final_reward(&self, _context: &mut Context<'_>) -> f64 {
        0.0
    }
}

/// A quantity that a score wants to stay small, for safe reinforcement learning.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintInfo {
    /// Its name.
    pub name: String,
    /// Unit of its total.
    pub unit: String,
    /// What its total over an episode should not exceed.
    pub limit: Option<f64>,
    /// What each unit of it counts in the one cost of a step.
    pub weight: f64,
    /// Its total so far, a variable of the score.
    pub total: Column<f64>,
}

/// An agent in the making of a decision.
pub trait Agent: Send {
    /// A new episode begins.
    fn start(&mut self, seed: u64);

    /// A copy with the same memory, which goes on in a copy of the episode; none of an agent that can't be copied, which is then no
    /// help to planners.
    fn fork(&self) -> Option<Box<dyn Agent>> {
        None
    }

    /// Chooses a schedule: calls are appended to `schedule`, which is empty, or holds what others have chosen before where
    /// several players decide together. Where looking costs it is asked twice a day, for what [`Game::expects`] tells.
    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>);
}
