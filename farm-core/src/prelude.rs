//! What whoever writes a part needs: `use farm_core::prelude::*;`.

pub use crate::action::{ActionKind, Call, CallArguments};
pub use crate::declare::{ActionParameter, ValueKind, category, count, flag, real};
pub use crate::{
    Agent, Attempt, Behaviour, Builder, Column, Columns, Context, Entity, EventId, Farmer, FarmerBehaviour, Game,
    Parameters, Phase, Policy, Purpose, Reader, Role, Rule, Score, ScoreBehaviour, State, Stream, register,
};
