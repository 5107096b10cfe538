//! Checks which parts draw random numbers, and from which seed.
//!
//! Two episodes can't show whether a part draws random numbers: the weather also differs, and all parts depend on it. The check therefore
//! plays episodes in which only that part sees another seed ([`farm_core::inspect::OtherSeed`]); all differences then come from the part's
//! random numbers. The rule has two sides, and both are checked:
//!
//! * A part that asks for the key of its streams (`Declarations::stream_key`) declares that it draws random numbers. Then some seed must change
//!   something: a reset, a day, or an observation. If no seed changes anything, the part always draws the same numbers, or none.
//! * A part that does not ask for the key must not change with its seed. If it does, it draws from its own key, which other parts may
//!   share.
//!
//! A part's own generator, a clock or a stored value does not depend on the seed. The check that replays the same episode finds these
//! sources.

use std::panic::{AssertUnwindSafe, catch_unwind};

use farm_core::action::Call;
use farm_core::inspect::OtherSeed;
use farm_core::{Game, State};

use crate::play::{Rollout, Snapshot, difference_of_states};
use crate::report::{Defect, Findings};

/// Seeds that replace the true one for a part.
const OTHERS: [u64; 6] = [0xfeed, 0x5ca1ab1e, 0xdecade, 0xc0ffee, 0xf00d, 0xace];

/// Checks the rule for a part. With `must_draw`, a part that asks for its key must also draw random numbers.
pub(crate) fn check(game: &Game, part: usize, seeds: u64, steps: u32, must_draw: bool, findings: &mut Findings) {
    let info = &game.parts()[part];
    // Some parts draw only after rare events, or in summer.
    let (seeds, steps) = if info.draws() && must_draw { (seeds.max(20), steps.max(250)) } else { (seeds, steps) };
    let witness = (0..seeds).find_map(|seed| {
        // Other checks find panics.
        catch_unwind(AssertUnwindSafe(|| witness(game, part, seed, steps))).ok().flatten()
    });
    match witness {
        Some(Witness { seed, step, what }) if !info.draws() => {
            let message = format!(
                "its seed changes {what}, but it never asked for the key of its streams: draw from \
                 `context.stream(key, purpose)` with the key from `Declarations::stream_key`"
            );
            findings.add(Defect::new("draws", info.path(), message).at(seed, step));
        }
        None if info.draws() && must_draw => {
            let message = format!(
                "it asks for the key of its streams, but none of {} other seeds changes anything in {seeds} × {steps} days: it \
                 always draws the same or nothing (if this is intended, use `Kit::draws_nothing`)",
                OTHERS.len()
            );
            findings.add(Defect::new("draws", info.path(), message));
        }
        _ => {}
    }
}

/// An episode in which a part's seed matters.
struct Witness {
    seed: u64,
    step: u32,
    what: &'static str,
}

fn witness(game: &Game, part: usize, seed: u64, steps: u32) -> Option<Witness> {
    let same = OtherSeed { part, seed };
    let others = OTHERS.map(|seed| OtherSeed { part, seed });
    let found = |step: u32, what| Some(Witness { seed, step, what });
    let mut record = game.new_record();
    let mut reset = |who: OtherSeed| {
        let mut state = game.new_state();
        who.reset(game, &mut state, seed, &mut record);
        state
    };
    let start = reset(same);
    if others.iter().any(|other| difference_of_states(game, &start, game, &reset(*other)).is_some()) {
        return found(0, "the start of an episode");
    }
    let mut play = Rollout::new(game, seed);
    // All actions of the part are taken in turn.
    let own: Vec<Call> = game
        .catalogue()
        .calls()
        .iter()
        .copied()
        .filter(|call| game.catalogue().base_actions()[call.base()].part() == part)
        .collect();
    for step in 0..steps {
        let Snapshot { state, schedule, .. } = play.moments.last()?.clone();
        let mut schedule = schedule;
        schedule.extend(own.iter().cycle().skip(step as usize * 5).take(own.len().min(5)));
        let mut pass = |who: OtherSeed| -> (State, Option<u64>, Vec<u64>) {
            let mut next = state.clone();
            // Other checks find the errors of a day.
            let outcome = who.pass_day(game, &mut next, &schedule, &mut record).ok();
            let events = record.events().iter().map(|event| event.value.to_bits()).collect();
            (next, outcome.map(|outcome| outcome.reward.to_bits()), events)
        };
        if !state.over() {
            let expected = pass(OtherSeed { part, seed: state.seed() });
            if others.iter().any(|other| pass(*other) != expected) {
                return found(state.step(), "a day");
            }
        }
        let seen = |who: OtherSeed| {
            let mut seen = vec![0; game.observation().size()];
            who.observe_into(game, &state, &mut seen);
            seen
        };
        let expected = seen(OtherSeed { part, seed: state.seed() });
        if others.iter().any(|other| seen(*other) != expected) {
            return found(state.step(), "an observation");
        }
        if play.step().is_err() {
            return None;
        }
    }
    None
}
