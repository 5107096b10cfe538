//! The names that you need most often to write parts or to play games. Import them all with `use farm_core::prelude::*;`.
//!
//! To write an entity, declare it with [`Parameters`](trait@Parameters), [`Columns`](trait@Columns) and [`register`], and compute with
//! [`Context`] and [`Column`]:
//!
//! ```
//! use farm_core::prelude::*;
//!
//! /// Ferns that grow at random on plots that are not full.
//! #[derive(Debug, Clone, Parameters)]
//! struct Ferns {
//!     /// Chance that it grows in a day.
//!     #[parameter(unit = "prop", default = 0.1, range = 0.0..=1.0)]
//!     growth: f64,
//! }
//!
//! #[derive(Columns)]
//! struct Fronds {
//!     ferns: Ferns,
//!     #[stream]
//!     key: u64,
//!     /// How high it stands.
//!     #[real(unit = "cm", range = 0.0..=10.0, per_plot)]
//!     height: Column<f64>,
//! }
//!
//! #[register(entity = Ferns, source = "An example", runs_in = Phase::Develop)]
//! impl Behaviour for Fronds {
//!     fn tick(&self, _: Phase, context: &mut Context<'_>) {
//!         let mut stream = context.stream(self.key, Purpose::named("growth"));
//!         for height in context.get(self.height) {
//!             if height.get() < 10.0 && stream.bernoulli(self.ferns.growth) {
//!                 height.set(height.get() + 1.0);
//!             }
//!         }
//!     }
//! }
//! ```
//!
//! To play games, a program needs [`Game`], [`Environment`], and the inputs and results of a step:
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
//!         assert!(environment.info().rejected().is_empty());
//!     }
//!     Ok(total)
//! }
//! ```

pub use crate::action::{Call, CallArguments};
pub use crate::config::{Path, Problem, Problems};
pub use crate::declare::{ActionParameter, ValueKind, category, count, flag, real};
pub use crate::picture::Picture;
pub use crate::{
    Action, ActionKind, Agent, Attempt, Behaviour, Bind, Bound, Column, Columns, Context, Declarations, Entity,
    Environment, Event, EventId, Farmer, FarmerBehaviour, Found, Game, Known, NoObserver, Observer, ObserverError,
    Outcome, Parameters, Phase, Policy, Purpose, Reader, Role, Rule, Score, ScoreBehaviour, State, StepError, StepInfo,
    StepRecord, Stream, Transition, play, register,
};
