//! Parts: the configured object (`Entity`, `Farmer`, `Rule`, `Score`, `Policy`) and the object that plays (`Behaviour`).
//!
//! A configured part holds parameters and is read from YAML. Its `build` declares what the part has and returns a
//! behaviour, which holds handles and constants. Neither has memory: everything that changes in an episode is in the `State`.

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
    /// Declares variables, actions, roles and phases, and returns the behaviour.
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn Behaviour>;

    /// Its name in the game, if this is not its kind. A kind that represents many classes returns the name of the class.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// Executes the chosen actions.
#[typetag::serialize]
pub trait Farmer: Debug + Send + Sync {
    /// Declares variables, actions, roles and phases, and returns the behaviour.
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn FarmerBehaviour>;

    /// Its name in the game, if this is not its kind. A kind that represents many classes returns the name of the class.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// How the game starts, which actions and observations it allows, and when it ends.
#[typetag::serialize]
pub trait Rule: Debug + Send + Sync {
    /// Resolves all names against the parts of the game.
    fn build(&self, builder: &mut RuleBuilder<'_>) -> Rules;
}

/// Costs and rewards.
#[typetag::serialize]
pub trait Score: Debug + Send + Sync {
    /// Declares variables and roles, and returns the behaviour.
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn ScoreBehaviour>;

    /// Its name in the game, if this is not its kind. A kind that represents many classes returns the name of the class.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// How to play a game.
#[typetag::serialize]
pub trait Policy: Debug + Send + Sync {
    /// Resolves all names against the game and returns an agent. The paths of the problems start at the policy.
    ///
    /// # Errors
    /// Every name or value that does not fit the game.
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, crate::config::Problems>;

    /// Whether the policy reads variables that no learner observes; its hints are then marked. A policy that calls other policies returns
    /// true if one of them does; it finds them by name in `game`.
    fn knows_hidden(&self, _game: &Game) -> bool {
        false
    }
}

/// The behaviour of one part in a step. No method here allocates or looks up a name.
pub trait Behaviour: Send + Sync {
    /// Called once, when the game is compiled and its rules are known. Parts that read recorded days check here that the seasons fit.
    fn plan(&mut self, _season: &mut Season<'_>) {}

    /// The start of an episode. The variables hold their declared defaults.
    fn reset(&self, _context: &mut Context<'_>) {}

    /// Called after the rules have set the initial conditions, to make the other variables agree with them.
    fn after_initial_conditions(&self, _context: &mut Context<'_>) {}

    /// Executes an action, by the index that `Builder::action` gave.
    fn act(&self, _action: usize, _arguments: CallArguments<'_>, _context: &mut Context<'_>) {}

    /// Whether an action would change anything now; used for the optional effect mask.
    fn has_effect(&self, _action: usize, _arguments: CallArguments<'_>, _reader: &Reader<'_>) -> bool {
        true
    }

    /// The part's share of the day, in each phase that it declared.
    fn tick(&self, _phase: Phase, _context: &mut Context<'_>) {}

    /// Redraws everything that was decided ahead, in a copy of an episode whose future must stay unknown ([`Game::redraw_future`]). The
    /// context has the new seed; `before` is the seed of the earlier decisions. What the player has seen of them, such as a forecast, must
    /// stay as likely as before. Draws of future steps need no action here.
    fn redraw_future(&self, _before: u64, _context: &mut Context<'_>) {}

    /// Writes an observable, by the index that `Builder::observable` gave.
    fn observe(&self, _observable: usize, _reader: &Reader<'_>, _out: &mut Slot<'_>) {}
}

/// The behaviour of a farmer: also reports what the farmer can do.
pub trait FarmerBehaviour: Behaviour {
    /// Whether the farmer may ever observe or act in a field (`None` for parts of the farm). Called when the game is compiled.
    fn allows(&self, _kind: ActionKind, _field: Option<usize>) -> bool {
        true
    }

    /// Why the farmer cannot do this now, as a short sentence for `info["rejected"]`; none if it can.
    fn rejection(&self, _attempt: &Attempt<'_>, _reader: &Reader<'_>) -> Option<&'static str> {
        None
    }

    /// Whether `rejection` or `before_action` ever does anything. Return false for a farmer that may do everything at any time: each step
    /// then skips both calls.
    fn has_hooks(&self) -> bool {
        true
    }

    /// Whether `rejection` reads the arguments of an attempt. A mask then checks each call separately.
    fn depends_on_arguments(&self) -> bool {
        false
    }

    /// Marks in a mask which of these calls of one action the farmer can do now: 1 or 0 for each, equal to the result of `rejection`.
    /// `attempt` has the arguments of the first call. A farmer that checks arguments can handle all calls together here, and
    /// look up their common values only once.
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

    /// Records how many steps of this day are over: 0 when a day starts. Called after every step of a game whose days
    /// have several steps, before the day's dynamics.
    fn after_step(&self, _steps_today: i32, _context: &mut Context<'_>) {}

    /// Records an action or observation just before it is done.
    fn before_action(&self, _attempt: &Attempt<'_>, _context: &mut Context<'_>) {}
}

/// What a farmer is asked to do.
#[derive(Debug, Clone, Copy, farm_macros::Getters)]
pub struct Attempt<'a> {
    /// Whether it is an observation or an intervention.
    #[getter(copy)]
    pub(crate) kind: ActionKind,
    /// Index of the part it concerns, among [`Builder::parts`].
    pub(crate) part: usize,
    /// The index of the part's action; none for an observation.
    pub(crate) action: Option<usize>,
    /// Its arguments.
    #[getter(copy)]
    pub(crate) arguments: CallArguments<'a>,
}

/// The behaviour of a score.
pub trait ScoreBehaviour: Behaviour {
    /// The cost of an intervention, independent of its parameters. Called when the game is compiled.
    fn intervention_cost(&self, _part: &str, _action: &str) -> f64 {
        0.0
    }

    /// The cost of each observed value of a variable, by its full name such as `air_temperature.max#°C`. Called
    /// when the game is compiled.
    fn observation_cost(&self, _part: &str, _variable: &str) -> f64 {
        0.0
    }

    /// The quantities to keep small in addition to the reward. Called when the game is compiled.
    fn constraints(&self) -> Vec<ConstraintInfo> {
        Vec::new()
    }

    /// Writes the cost of this step for each constraint, in the order of [`ScoreBehaviour::constraints`], and adds it to the
    /// constraint's total. Called once per step, after the reward.
    fn constraint_costs(&self, _context: &mut Context<'_>, _costs: &mut [f64]) {}

    /// The reward of this step, before costs.
    fn reward(&self, context: &mut Context<'_>) -> f64;

    /// The amount that is added to the reward when the episode ends.
    fn final_reward(&self, _context: &mut Context<'_>) -> f64 {
        0.0
    }
}

/// A quantity that should stay small, for safe reinforcement learning.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintInfo {
    /// Its name.
    pub name: String,
    /// Unit of the total.
    pub unit: String,
    /// The limit for the total of an episode.
    pub limit: Option<f64>,
    /// The weight of one unit in the total cost of a step.
    pub weight: f64,
    /// The total so far, a variable of the score.
    pub total: Column<f64>,
}

/// An agent that chooses actions.
pub trait Agent: Send {
    /// A new episode starts.
    fn start(&mut self, seed: u64);

    /// A copy with the same memory, which continues in a copy of the episode. None if the agent cannot be copied; planners then cannot
    /// use it.
    fn fork(&self) -> Option<Box<dyn Agent>> {
        None
    }

    /// Chooses a schedule: appends calls to `schedule`. The schedule is empty, or holds the choices of other players if
    /// several decide together. With priced observations the agent is called twice a day; [`Game::expects`] returns what to choose.
    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>);
}
