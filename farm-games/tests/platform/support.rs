//! How to look into games of the tests, and how to play them at random.

use std::collections::BTreeMap;

use farm_core::action::{ActionKind, Call};
use farm_core::{Game, State, Stream};
use farm_games as _;
use farm_testkit::play::values;

pub(crate) use super::sheet::Sheet;

/// The bits of every value of a state, by part and variable.
pub(crate) fn columns(game: &Game, state: &State) -> BTreeMap<String, Vec<u64>> {
    let reader = game.reader(state);
    let all = game.parts().iter().flat_map(|part| part.variables().iter().map(move |variable| (part, variable)));
    let bits = |variable| values(&reader, variable).into_iter().map(f64::to_bits).collect();
    all.map(|(part, variable)| (format!("{}.{}", part.path(), variable.name()), bits(variable))).collect()
}

/// A random schedule of actions of one kind, of at most `most`.
pub(crate) fn random_calls(game: &Game, kind: ActionKind, most: usize, stream: &mut Stream) -> Vec<Call> {
    let of_kind = |call: &&Call| game.catalogue().base_actions()[call.base()].kind() == kind;
    let calls: Vec<Call> = game.catalogue().calls().iter().filter(of_kind).copied().collect();
    let mut chosen = Vec::new();
    for _ in 0..stream.index(most as u32 + 1) {
        if !calls.is_empty() {
            chosen.push(calls[stream.index(calls.len() as u32) as usize]);
        }
    }
    chosen
}
