#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! A [`spec::GameSpec`] is the contents of a YAML file, a [`Game`] is its compiled form, and a [`State`] holds the numbers for one
//! episode.

#![warn(clippy::unwrap_used)]

// The macros generate paths that start with the crate's name, even inside this crate.
extern crate self as farm_core;

pub mod action;
mod condition;
pub mod config;
pub mod declare;
mod dependency_graph;
mod describe;
mod environment;
mod episode;
mod failure;
mod format;
mod game;
mod hand_over;
pub mod inspect;
pub mod labels;
mod mass_balance;
pub mod math;
mod monitor;
mod observation;
mod observer;
mod parallel;
mod part;
mod picture;
pub mod plugin;
pub mod prelude;
pub mod registry;
mod rng;
mod rollout;
pub mod rules;
mod seeds;
pub mod space;
pub mod spec;
mod state;
mod step;
mod summary;
mod text;
pub mod vector;

pub use action::{Action, ActionKind};
pub use config::Parameters;
pub use declare::{Bound, Columns, Declarations, EventId, EventInfo, Found, Known, Phase, Role, ValueKind};
pub use environment::{
    ConstraintCost, Conversation, Environment, EpisodeEnd, LastStep, Reading, Rejected, RejectedAction, StepEvent,
    StepInfo,
};
pub use episode::{Episode, EpisodeRunner, PlayError, play};
pub use failure::Failure;
pub use game::{Game, LearnerView};
pub use hand_over::{HandOver, Loss, hand_over};
pub use monitor::Monitor;
pub use observation::{ObservationEntry, ObservationLayout, RecordIndex, Slot};
pub use observer::{NoObserver, Observer, ObserverError, Transition};
pub use parallel::{Block, Executor, RemoteError, RemoteExecutor, in_parallel};
pub use part::{
    Agent, Attempt, Behaviour, Bind, BoxedFrom, ConstraintInfo, Context, Entity, Event, Farmer, FarmerBehaviour,
    Policy, Rule, Score, ScoreBehaviour, Season,
};
pub use rng::{PlotStream, PlotStreams, Purpose, Stream, hash_name, mix};
pub use rollout::{Future, Rollout, RolloutError, rollout_agents, rollout_many};
pub use seeds::{SeedError, SeedSplit};
pub use state::{Cells, Column, Element, Reader, Region, RestoreError, State, StateSlice};
pub use step::{NotFinite, Outcome, Rejection, StepError, StepRecord, Stop, TooManyEvents};
pub use text::{Reply, TEXT_VERSION, TextChannel, TextForm, ToolSchema};

/// Turns an enum into the set of words that a parameter accepts. In YAML, each word is the variant's name in snake_case, unless
/// `#[choice("word")]` sets another word. The first variant is the default.
///
/// ```
/// /// When slugs come.
/// #[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
/// enum Season {
///     /// After the frost.
///     EarlySpring,
///     /// While it is hot.
///     #[choice("dog days")]
///     Summer,
/// }
///
/// assert_eq!(Season::default(), farm_core::serde_yaml::from_str("early_spring").unwrap());
/// assert_eq!(Season::Summer, farm_core::serde_yaml::from_str("dog days").unwrap());
/// ```
///
/// # Mistakes
///
/// These examples do not compile. The text before each example quotes the message of the compiler.
///
/// The type is not an enum: "a choice must be an enum with one variant for each word".
///
/// ```compile_fail
/// #[derive(Debug, Clone, farm_core::Choice)]
/// struct Season;
/// ```
///
/// There is no variant: "a choice needs at least one word".
///
/// ```compile_fail
/// #[derive(Debug, Clone, farm_core::Choice)]
/// enum Season {}
/// ```
///
/// There is no doc comment: "a choice needs a description: write a sentence above it, `/// …`".
///
/// ```compile_fail
/// #[derive(Debug, Clone, farm_core::Choice)]
/// enum Season {
///     Summer,
/// }
/// ```
///
/// A variant has fields: "a choice is a word and must have no fields".
///
/// ```compile_fail
/// #[derive(Debug, Clone, farm_core::Choice)]
/// enum Season {
///     /// From this day on.
///     From(u32),
/// }
/// ```
pub use farm_macros::Choice;
/// Derives [`Columns`](trait@Columns) from a struct's fields: the variables that a part stores, the roles that it looks up, its actions and
/// its events.
pub use farm_macros::Columns;
/// Derives [`Parameters`](trait@Parameters) from a struct's fields: the defaults, the YAML form and the table.
pub use farm_macros::Parameters;
/// Adds a function to the index of equations, with its file and line. Place this attribute on the function or method. The function does not
/// change, and costs nothing more to call.
///
/// An equation of the Farm-gym paper has its number. Another equation has its section in the equation sheet and a name.
///
/// ```
/// use farm_core::{equation, registry::Equation};
///
/// #[equation("5", "II.4 step 7: evaporation")]
/// fn wanted_water(wilting: f64, capacity: f64, resistance: f64) -> f64 {
///     wilting + resistance * (capacity - wilting)
/// }
///
/// assert_eq!((wanted_water(1.0, 3.0, 0.5), Equation::all()[0].function()), (2.0, "wanted_water"));
/// ```
pub use farm_macros::equation;
/// Registers a kind of part. Place this attribute on the `impl` of the part's trait. The attribute adds the kind to `typetag`, which
/// serialises its parts. It also adds the kind to the [`registry`], which game files, `farm list` and the reference use.
///
/// `source` states where the kind comes from: a paper, a standard, or a new design. `sets` are its parameter sets, as YAML. The description
/// is the struct's doc comment unless `doc` is set. The name is the struct's name unless `name` is set.
///
/// ```
/// use farm_core::{Behaviour, Bind, Declarations, Entity};
///
/// /// Stones, which do nothing.
/// #[derive(Debug, farm_core::Parameters)]
/// pub struct Stones {
///     /// How many there are.
///     #[parameter(unit = "nb", default = 3, range = 0..=100)]
///     pub number: u32,
/// }
///
/// struct Lying;
///
/// impl Behaviour for Lying {}
///
/// #[farm_core::register(source = "An example")]
/// impl Entity for Stones {
///     fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         Bind::new(|_| Lying)
///     }
/// }
///
/// // An entity that only has what its behaviour keeps and asks for needs no `declare` of its own.
/// // `#[register(entity = Stones, source = "…", runs_in = Phase::Develop)]` above `impl Behaviour for …` writes it; see `Columns`.
/// // `picture = …` adds a picture.
/// let kind = farm_core::registry::kind(farm_core::config::PartKind::Entity, "Stones").unwrap();
/// assert_eq!(kind.doc(), "Stones, which do nothing.");
/// ```
///
/// # Mistakes
///
/// These examples do not compile. The text before each example quotes the message of the compiler.
///
/// There is no source: "a kind needs its source: `#[register(source = "a paper, a standard, your own design")]`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// # /// Stones.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Stones {}
/// # #[derive(Columns)]
/// # struct Lying {
/// #     stones: Stones,
/// # }
/// # impl Behaviour for Lying {}
/// #[register]
/// impl Entity for Stones {
///     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         let lying = Lying::declare(d, self);
///         Bind::new(move |found| lying.bind(found))
///     }
/// }
/// ```
///
/// The trait is not that of a part: "write this on the implementation of a part (`impl Entity for …`, or Farmer, Rule, Score or Policy), …".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// # /// Stones.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Stones {}
/// # #[derive(Columns)]
/// # struct Lying {
/// #     stones: Stones,
/// # }
/// #[register(source = "An example")]
/// impl Behaviour for Lying {}
/// ```
///
/// There is no trait: "write this on the implementation of a trait".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// # /// Stones.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Stones {}
/// # #[derive(Columns)]
/// # struct Lying {
/// #     stones: Stones,
/// # }
/// #[register(source = "An example")]
/// impl Stones {}
/// ```
///
/// `entity` is on a part: "an entity needs a behaviour: `impl Behaviour for …`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// # /// Stones.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Stones {}
/// # #[derive(Columns)]
/// # struct Lying {
/// #     stones: Stones,
/// # }
/// # impl Behaviour for Lying {}
/// #[register(entity = Stones, source = "An example")]
/// impl Entity for Stones {
///     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         let lying = Lying::declare(d, self);
///         Bind::new(move |found| lying.bind(found))
///     }
/// }
/// ```
///
/// `runs_in` is on a part: "set the phases of the part in `declare`: `d.runs_in(…)`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// # /// Stones.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Stones {}
/// # #[derive(Columns)]
/// # struct Lying {
/// #     stones: Stones,
/// # }
/// # impl Behaviour for Lying {}
/// #[register(source = "An example", runs_in = Phase::Develop)]
/// impl Entity for Stones {
///     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         let lying = Lying::declare(d, self);
///         Bind::new(move |found| lying.bind(found))
///     }
/// }
/// ```
///
/// `picture` is on a part: "set the picture of the part in `declare`: `d.picture(…)`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// # /// Stones.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Stones {}
/// # #[derive(Columns)]
/// # struct Lying {
/// #     stones: Stones,
/// # }
/// # impl Behaviour for Lying {}
/// #[register(source = "An example", picture = Picture::on_plots("Stones", 0))]
/// impl Entity for Stones {
///     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         let lying = Lying::declare(d, self);
///         Bind::new(move |found| lying.bind(found))
///     }
/// }
/// ```
///
/// The kind has no name: "a kind must be a struct with a name".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[register(source = "An example")]
/// impl Entity for (u8, u8) {
///     fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         unreachable!()
///     }
/// }
/// ```
///
/// An argument is unknown: "expected one of `source`, `sets`, `doc`, …".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// # /// Stones.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Stones {}
/// # #[derive(Columns)]
/// # struct Lying {
/// #     stones: Stones,
/// # }
/// # impl Behaviour for Lying {}
/// #[register(sauce = "An example")]
/// impl Entity for Stones {
///     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         let lying = Lying::declare(d, self);
///         Bind::new(move |found| lying.bind(found))
///     }
/// }
/// ```
pub use farm_macros::register;
// The macros, and the crates that declare parts, need these crates in the versions that the engine was built with.
pub use {inventory, serde, serde_yaml, typetag};
