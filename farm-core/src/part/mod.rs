//! Parts. Each part has a configured object (`Entity`, `Farmer`, `Rule`, `Score`, `Policy`) and an object that plays (`Behaviour`).
//!
//! A configured part is read from YAML and contains the parameters. Its `declare` makes the declarations. When all parts have declared, it is
//! bound: it returns a behaviour, which contains columns and constants. Neither object has memory: everything that changes during an episode is in the `State`.

mod bind;
mod context;
mod season;

use std::fmt::Debug;

pub use bind::{Bind, BoxedFrom};
pub(crate) use bind::{Next, Trait};
pub use context::{Context, Event};
pub use season::Season;

use crate::action::{ActionKind, Call, CallArguments};
use crate::declare::{Declarations, Phase};
use crate::game::Game;
use crate::math::sum;
use crate::observation::Slot;
use crate::rules::{RuleBuilder, Rules};
use crate::state::{Column, Reader, State};

/// A component of a field: weather, soil, a plant, the tiles of a grid.
#[typetag::serialize]
pub trait Entity: Debug + Send + Sync {
    /// Declares what the part has and needs, and returns how its behaviour is made.
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour>;

    /// The part's name in the game, if it differs from the kind. A kind that represents many classes returns the class's name.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// Executes the chosen actions.
#[typetag::serialize]
pub trait Farmer: Debug + Send + Sync {
    /// Declares what the part has and needs, and returns how its behaviour is made.
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour>;

    /// The part's name in the game, if it differs from the kind. A kind that represents many classes returns the class's name.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// Defines how the game starts, which actions and observations it allows, and when it ends.
#[typetag::serialize]
pub trait Rule: Debug + Send + Sync {
    /// Resolves all names against the game's parts.
    fn build(&self, builder: &mut RuleBuilder<'_>) -> Rules;
}

/// Defines costs and rewards.
#[typetag::serialize]
pub trait Score: Debug + Send + Sync {
    /// Declares what the part has and needs, and returns how its behaviour is made.
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour>;

    /// The part's name in the game, if it differs from the kind. A kind that represents many classes returns the class's name.
    fn instance_name(&self) -> Option<&str> {
        None
    }
}

/// Defines how to play a game.
#[typetag::serialize]
pub trait Policy: Debug + Send + Sync {
    /// Resolves all names against the game and returns an agent. The paths in problems start at the policy.
    ///
    /// # Errors
    /// Every name and value that does not fit the game.
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, crate::config::Problems>;

    /// Whether the policy reads variables that no learner observes. If so, its hints are marked. A policy that calls other policies finds
    /// them by name in `game`, and returns true if any of them reads such variables.
    fn knows_hidden(&self, _game: &Game) -> bool {
        false
    }
}

/// How one part behaves during a step. No method here allocates or looks up names.
pub trait Behaviour: Send + Sync {
    /// Called once, when the game is compiled and its rules are known. Parts that read recorded days use this method to check whether the
    /// seasons fit.
    fn plan(&mut self, _season: &mut Season<'_>) {}

    /// Called when an episode starts. At that time, the variables have their declared defaults.
    fn reset(&self, _context: &mut Context<'_>) {}

    /// Called after the rules have set the initial conditions, to make the other variables consistent with them.
    fn after_initial_conditions(&self, _context: &mut Context<'_>) {}

    /// Executes an action, given by the index that [`Declarations::action`] returned.
    fn act(&self, _action: usize, _arguments: CallArguments<'_>, _context: &mut Context<'_>) {}

    /// Whether an action would change anything now. The optional effect mask uses this method.
    fn has_effect(&self, _action: usize, _arguments: CallArguments<'_>, _reader: &Reader<'_>) -> bool {
        true
    }

    /// Does the part's work for the day, once in each phase that the part declared.
    fn tick(&self, _phase: Phase, _context: &mut Context<'_>) {}

    /// Redraws everything that was decided in advance, in a copy of an episode whose future must stay unknown ([`Game::redraw_future`]).
    /// The context has the new seed; `before` is the seed used for the earlier decisions. Decisions that the player has already seen, such
    /// as a forecast, must stay as likely as before. Draws in future steps need no action here.
    fn redraw_future(&self, _before: u64, _context: &mut Context<'_>) {}

    /// Writes an observable, given by the index that [`Declarations::observable`] returned.
    fn observe(&self, _observable: usize, _reader: &Reader<'_>, _out: &mut Slot<'_>) {}
}

/// How a farmer behaves. This trait also reports what the farmer can do.
pub trait FarmerBehaviour: Behaviour {
    /// Whether the farmer may ever observe or act in a field (`None` for the farm's own parts). Called when the game is compiled.
    fn allows(&self, _kind: ActionKind, _field: Option<usize>) -> bool {
        true
    }

    /// Why the farmer cannot do this now, as a short sentence for `info["rejected"]`; `None` if the farmer can do it.
    fn rejection(&self, _attempt: &Attempt<'_>, _reader: &Reader<'_>) -> Option<&'static str> {
        None
    }

    /// Whether `rejection` or `before_action` ever does anything. For a farmer that may do everything at any time, return false. Each step
    /// then skips both calls.
    fn has_hooks(&self) -> bool {
        true
    }

    /// Whether `rejection` reads an attempt's arguments. If so, a mask checks each call separately.
    fn depends_on_arguments(&self) -> bool {
        false
    }

    /// Marks in a mask which of these calls of one action the farmer can do now. Each entry is 1 or 0, in agreement with `rejection`.
    /// `attempt` has the arguments of the first call. A farmer that checks arguments can handle all calls at once here, and look up shared
    /// values only once.
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

    /// Records how many of today's steps are over, which is 0 when a day starts. If days have several steps, this method is called after
    /// every step, before the day's dynamics.
    fn after_step(&self, _steps_today: i32, _context: &mut Context<'_>) {}

    /// Records an action or observation just before it is done.
    fn before_action(&self, _attempt: &Attempt<'_>, _context: &mut Context<'_>) {}
}

/// An action or observation that a farmer is asked to execute.
#[derive(Debug, Clone, Copy, farm_macros::Getters)]
pub struct Attempt<'a> {
    /// Whether the attempt is an observation or an intervention.
    #[getter(copy)]
    pub(crate) kind: ActionKind,
    /// The index, among [`Known::parts`](crate::Known::parts), of the part that the attempt concerns.
    pub(crate) part: usize,
    /// The index of the part's action; `None` for an observation.
    pub(crate) action: Option<usize>,
    /// The action's arguments.
    #[getter(copy)]
    pub(crate) arguments: CallArguments<'a>,
}

/// How a score behaves.
pub trait ScoreBehaviour: Behaviour {
    /// The cost of an intervention, regardless of its parameters. Called when the game is compiled.
    fn intervention_cost(&self, _part: &str, _action: &str) -> f64 {
        0.0
    }

    /// The cost of each observed value of a variable, given by its full name such as `air_temperature.max#°C`. Called
    /// when the game is compiled.
    fn observation_cost(&self, _part: &str, _variable: &str) -> f64 {
        0.0
    }

    /// The quantities to keep small, in addition to the reward. Called when the game is compiled.
    fn constraints(&self) -> Vec<ConstraintInfo> {
        Vec::new()
    }

    /// Writes this step's cost for each constraint, in the order of [`ScoreBehaviour::constraints`], and adds it to the
    /// constraint's total. Called once per step, after the reward.
    fn constraint_costs(&self, _context: &mut Context<'_>, _costs: &mut [f64]) {}

    /// This step's reward, before costs.
    fn reward(&self, context: &mut Context<'_>) -> f64;

    /// The amount added to the reward when the episode ends.
    fn final_reward(&self, _context: &mut Context<'_>) -> f64 {
        0.0
    }
}

/// A quantity that should stay small, for safe reinforcement learning.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintInfo {
    /// The constraint's name.
    pub name: String,
    /// The unit of the total.
    pub unit: String,
    /// The limit on an episode's total.
    pub limit: Option<f64>,
    /// How much one unit contributes to the total cost of a step.
    pub weight: f64,
    /// The variable of the score that stores the total so far.
    pub total: Column<f64>,
}

impl ConstraintInfo {
    /// A step's total cost, in the form that libraries for safe learning expect: the weighted sum of the costs over all constraints.
    pub fn total_cost(constraints: &[Self], costs: &[f64]) -> f64 {
        sum(constraints.iter().zip(costs).map(|(info, cost)| info.weight * cost))
    }
}

/// A placeholder for a part that could not be made. The game is rejected, so the placeholder is never played.
pub(crate) struct Absent;

impl Behaviour for Absent {}
impl FarmerBehaviour for Absent {}
impl ScoreBehaviour for Absent {
    fn reward(&self, _: &mut Context<'_>) -> f64 {
        0.0
    }
}

macro_rules! boxed {
    ($($behaviour:ident),*) => {
        $(
            impl<T: $behaviour + 'static> BoxedFrom<T> for dyn $behaviour {
                fn boxed(behaviour: T) -> Box<Self> {
                    Box::new(behaviour)
                }
            }

            impl Trait for dyn $behaviour {
                fn absent() -> Box<Self> {
                    Box::new(Absent)
                }
            }
        )*
    };
}

boxed!(Behaviour, FarmerBehaviour, ScoreBehaviour);

/// An agent that chooses actions.
pub trait Agent: Send {
    /// Called when a new episode starts.
    fn start(&mut self, seed: u64);

    /// A copy with the same memory, which continues in a copy of the episode. `None` if the agent cannot be copied; planners then cannot
    /// use it.
    fn fork(&self) -> Option<Box<dyn Agent>> {
        None
    }

    /// Chooses a schedule by appending calls to `schedule`. The schedule is empty, or contains other players' choices if several players
    /// decide together. With priced observations, the agent is called twice a day; [`Game::expects`] returns what to choose.
    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>);
}
