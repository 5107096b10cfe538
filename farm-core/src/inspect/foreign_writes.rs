//! Finds parts that change other parts' variables without declaring these changes.

use crate::action::{ActionTarget, Call};
use crate::declare::VariableInfo;
use crate::game::Game;
use crate::part::Context;
use crate::state::{Element, Reader, State};

/// A change to another part's variable by a part that has not declared it with [`crate::Declarations::writes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, farm_macros::Getters)]
pub struct ForeignWrite {
    /// The index of the part that changes the variable.
    pub(crate) part: usize,
    /// The index of the part that owns the variable.
    pub(crate) owner: usize,
    /// The index of the variable among its owner's variables.
    pub(crate) variable: usize,
}

/// Finds undeclared changes to other parts' variables on one day, which starts in this state with this schedule. Checks every tick, and the
/// interventions, which are executed without asking the farmers. The state is unchanged.
pub fn foreign_writes(game: &Game, state: &State, schedule: &[Call]) -> Vec<ForeignWrite> {
    let mut found = Vec::new();
    let mut record = game.new_record();
    let mut before = state.clone();
    let mut after = state.clone();
    let mut compare = |part: usize, act: &mut dyn FnMut(&mut Context<'_>)| {
        record.clear();
        let (seed, step) = (after.seed, after.step);
        act(&mut Context::new(after.cells(game.regions), seed, step, &mut record.events));
        if after != before {
            let (left, right) = (game.reader(&before), game.reader(&after));
            let others = game.parts.iter().enumerate().filter(|(owner, _)| *owner != part);
            for (owner, info) in others {
                let changed = info.variables.iter().enumerate().filter(|(_, v)| differs(v, &left, &right));
                let undeclared = changed
                    .filter(|(_, v)| v.roles.iter().all(|role| !game.parts[part].writes.contains(role)))
                    .map(|(variable, _)| ForeignWrite { part, owner, variable });
                found.extend(undeclared);
            }
            before.copy_from(&after);
        }
    };
    for call in schedule {
        let base = &game.catalogue.base_actions[call.base()];
        if let ActionTarget::Intervention(action) = base.target {
            compare(base.part, &mut |context| {
                game.behaviour(base.part).act(action, call.arguments(), context);
            });
        }
    }
    for tick in &game.ticks {
        compare(tick.part, &mut |context| tick.call(game, context));
    }
    found.sort();
    found.dedup();
    found
}

fn differs(variable: &VariableInfo, left: &Reader<'_>, right: &Reader<'_>) -> bool {
    fn values<T: Element, R>(variable: &VariableInfo, left: &Reader<'_>, right: &Reader<'_>, bits: fn(T) -> R) -> bool
    where
        R: PartialEq,
    {
        variable.column::<T>().is_some_and(|column| {
            let (left, right) = (left.get(column), right.get(column));
            left.iter().zip(right).any(|(left, right)| bits(*left) != bits(*right))
        })
    }
    values(variable, left, right, f64::to_bits)
        || values(variable, left, right, |count: i32| count)
        || values(variable, left, right, |byte: u8| byte)
}
