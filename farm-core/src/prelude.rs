//! What authors of parts and programs that play games name most, in one line: `use farm_core::prelude::*;`.
//!
//! An author of an entity needs [`Builder`] to declare, [`Context`] and [`Column`] to compute, and [`Stream`] to draw:
//!
//! ```
//! use farm_core::prelude::*;
//!
//! /// Grows by one at random, in each plot that is not full.
//! struct Moss {
//!     height: Column<f64>,
//!     key: u64,
//! }
//!
//! impl Behaviour for Moss {
//!     fn tick(&self, _: Phase, context: &mut Context<'_>) {
//!         let mut stream = context.stream(self.key, Purpose::named("growth"));
//!         for height in context.get(self.height) {
//!             if height.get() < 10.0 && stream.bernoulli(0.1) {
//!                 height.set(height.get() + 1.0);
//!             }
//!         }
//!     }
//! }
//! ```
//!
//! A program that plays needs [`Game`], [`Environment`] and what a step takes and gives:
//!
//! ```
//! use farm_core::prelude::*;
//!
//! fn return_of(environment: &mut Environment, seed: u64, moves: &[&str]) -> Result<f64, StepError> {
//!     environment.reset(seed);
//!     let mut total = 0.0;
//!     for text in moves {
//!         let outcome: Outcome = environment.step(*text)?;
//!         total += outcome.reward;
//!         assert!(environment.info().rejected.is_empty());
//!     }
//!     Ok(total)
//! }
//! ```

pub use crate::action::{Call, CallArguments};
pub use crate::config::{Path, Problem, Problems};
pub use crate::declare::ActionParameter;
pub use crate::picture::Picture;
pub use crate::{
    Action, ActionKind, Agent, Attempt, Behaviour, Builder, Column, Context, Entity, Environment, Event, EventId,
    Farmer, FarmerBehaviour, Game, NoObserver, Observer, ObserverError, Outcome, Phase, Policy, Purpose, Reader, Role,
    Rule, Score, ScoreBehaviour, State, StepError, StepInfo, StepRecord, Stream, Transition, play,
};
