//! The engine of the farm games: it knows no entity, no crop and no game.
//!
//! A [`spec::GameSpec`] is what a YAML file says; a [`Game`] is that, compiled; a [`State`] is the numbers of one
//! episode. `ARCHITECTURE.md` at the top of the repository shows how they fit together.

// The macros write paths through the crate's own name, also when the crate uses them itself.
extern crate self as farm_core;

pub mod action;
pub mod condition;
pub mod config;
pub mod declare;
pub mod dependency_graph;
pub mod describe;
mod environment;
mod episode;
mod failure;
pub mod format;
mod game;
pub mod inspect;
pub mod instructions;
pub mod mass_balance;
pub mod math;
pub mod monitor;
pub mod observation;
mod observer;
pub mod part;
pub mod picture;
pub mod plugin;
pub mod prelude;
pub mod registry;
pub mod rng;
pub mod rules;
pub mod space;
pub mod spec;
mod state;
mod step;
mod summary;
pub mod vector;

pub use action::{Action, ActionKind};
pub use declare::{Builder, EventId, EventInfo, Phase, Role, ValueKind};
pub use environment::{ConstraintCost, Environment, Rejected, RejectedAction, StepEvent, StepInfo};
pub use episode::{Episode, EpisodeRunner, PlayError, play};
pub use failure::Failure;
pub use game::Game;
pub use monitor::Monitor;
pub use observer::{NoObserver, Observer, ObserverError, Transition};
pub use part::{
    Agent, Attempt, Behaviour, Context, Entity, Event, Farmer, FarmerBehaviour, Policy, Rule, Score, ScoreBehaviour,
};
pub use rng::{Purpose, Stream};
pub use state::{Cells, Column, Element, Reader, Region, RestoreError, State, StateSlice};
pub use step::{NotFinite, Outcome, Rejection, StepError, StepRecord, Stop, TooManyEvents};

// What the macros and the crates that declare parts need, at the versions that the engine was built with.
pub use {inventory, serde, serde_yaml, typetag};
