//! The checks that play a game.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use farm_core::inspect::{disturbed_sleeper, foreign_writes};
use farm_core::spec::load;
use farm_core::{Game, PlayError, State, StepError};
use serde_json::Value as Json;

use crate::play::{Difference, Rollout, Snapshot, difference, values};
use crate::report::{Defect, Findings};
use crate::spectator::TestkitSpectator;

/// Plays a game in every way that the checks need. If `is_whole` is not set, the game is the farm of a single part, which may have few
/// random draws.
pub(crate) fn check(game: &Game, seeds: u64, steps: u32, is_whole: bool, findings: &mut Findings) {
    let known = findings.0.len();
    let mut plays = Vec::new();
    for seed in 0..seeds {
        let Some(play) = guarded(findings, "a step", || played(game, seed, steps, None)) else { return };
        check_events(game, &play, seed, findings);
        check_rest(game, &play, findings);
        check_writes(game, &play, seed, findings);
        for (i, moment) in play.iter().enumerate() {
            check_ranges(game, &moment.state, findings);
            // Spaces are large: check all of the first days, then every 23rd step, which meets every hour of a day.
            if i < 60 || i % 23 == 0 || i + 1 == play.len() {
                check_observation(game, moment, findings);
            }
        }
        plays.push(play);
    }
    // A number that is not finite ends the play: the other checks would only repeat it.
    if findings.0[known..].iter().any(|defect| defect.check == FINITE) {
        return;
    }
    guarded(findings, "the game written and read again", || check_written(game));
    for (seed, play) in plays.iter().enumerate() {
        check_same_seed(game, seed as u64, play, findings);
    }
    if is_whole {
        check_other_seeds(game, findings);
    }
    check_spectators(game, &plays, findings);
    check_allocations(game, steps, findings);
}

const FINITE: &str = "finite";

/// Runs a closure and records its defects: a panic, or the defects that it returns.
fn guarded<T>(findings: &mut Findings, what: &str, work: impl FnOnce() -> (T, Vec<Defect>)) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok((result, found)) => {
            found.into_iter().for_each(|defect| findings.add(defect));
            Some(result)
        }
        Err(panic) => {
            let place = panic.downcast_ref::<InStep>();
            let payload = place.map_or(panic.as_ref(), |place| place.panic.as_ref());
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            let text = text.or_else(|| findings.1?(payload)).unwrap_or_default();
            let defect = Defect::new("panic", "", format!("{what} panics: {text}"));
            findings.add(match place {
                Some(place) => defect.at(place.seed, place.step),
                None => defect,
            });
            None
        }
    }
}

/// A panic, with its location in an episode.
struct InStep {
    seed: u64,
    step: u32,
    panic: Box<dyn Any + Send>,
}

/// Plays a game for `steps` steps. Also returns the defect that ended it early, if any; `state` may have been used before.
fn played(game: &Game, seed: u64, steps: u32, state: Option<State>) -> (Vec<Snapshot>, Vec<Defect>) {
    let mut play = Rollout::within(game, state.unwrap_or_else(|| game.new_state()), seed);
    for step in 0..steps {
        match catch_unwind(AssertUnwindSafe(|| play.step())) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return (play.moments, vec![defect_of_step(error, seed)]),
            Err(panic) => resume_unwind(Box::new(InStep { seed, step, panic })),
        }
    }
    (play.moments, Vec::new())
}

fn defect_of_step(error: PlayError, seed: u64) -> Defect {
    match error {
        PlayError::Step(StepError::NotFinite(found)) => Defect::new(FINITE, found.part(), "the number is not finite")
            .of(found.variable())
            .entry(found.entry())
            .at(found.seed(), found.step())
            .value(found.value()),
        PlayError::Step(StepError::TooManyEvents(found)) => {
            let message =
                format!("{} events in a step, more than the {} that it declares", found.found(), found.per_step());
            Defect::new("events", found.part(), message).of(found.event()).at(seed, found.step())
        }
        other => Defect::new("step", "", other.to_string()).at(seed, 0),
    }
}

/// Every variable stays within its declared range, under any actions.
pub(crate) fn check_ranges(game: &Game, state: &State, findings: &mut Findings) {
    let reader = game.reader(state);
    for part in game.parts().iter() {
        for variable in part.variables() {
            let (low, high) = variable.kind().range();
            for (i, value) in values(&reader, variable).into_iter().enumerate() {
                let high = variable.kind().labels(i).map_or(high, |labels| labels.len() as f64 - 1.0);
                if !value.is_finite() || value < low || value > high {
                    let message = format!("outside its declared range {low} to {high}");
                    let defect =
                        Defect::new("range", part.path(), message).of(variable.name()).at(state.seed(), state.step());
                    findings.add(if variable.len() > 1 { defect.entry(i) } else { defect }.value(value));
                }
            }
        }
    }
}

/// A part emits no more events in a step than it declares, because the event buffers have the declared size.
fn check_events(game: &Game, play: &[Snapshot], seed: u64, findings: &mut Findings) {
    for moment in play {
        for (i, (part, event)) in game.events().iter().enumerate() {
            let own = || moment.events.iter().filter(|happened| happened.id.index() == i);
            let part = game.parts()[*part].path();
            if own().count() > event.per_step() {
                let message = format!("more events in a step than the {} that it declares", event.per_step());
                let defect = Defect::new("events", part, message).of(event.name()).at(seed, moment.state.step());
                findings.add(defect.value(own().count()));
            }
            if let Some(bad) = own().find(|happened| !happened.value.is_finite()) {
                let defect = Defect::new(FINITE, part, "the value of an event is not finite").of(event.name());
                findings.add(defect.at(seed, moment.state.step()).value(bad.value));
            }
        }
    }
}

/// Calling an inactive part would change nothing.
fn check_rest(game: &Game, play: &[Snapshot], findings: &mut Findings) {
    for moment in play {
        if let Some(part) = disturbed_sleeper(game, &moment.state) {
            let message = "is inactive without its flag, but would change something if it were called";
            let defect = Defect::new("rest", game.parts()[part].path(), message);
            findings.add(defect.at(moment.state.seed(), moment.state.step()));
        }
    }
}

/// A part that changes a variable of another part has declared it.
fn check_writes(game: &Game, play: &[Snapshot], seed: u64, findings: &mut Findings) {
    for day in play.windows(2).filter(|day| !day[0].state.over()) {
        for write in foreign_writes(game, &day[0].state, &day[1].schedule) {
            let owner = &game.parts()[write.owner()];
            let variable = &owner.variables()[write.variable()];
            let way_out = match variable.roles().first() {
                Some(role) => format!("declare it with `Declarations::writes` of the role `{role}`"),
                None => "it has no role, and parts may use each other's variables only through roles".to_owned(),
            };
            let message = format!("changes a variable of `{}` without declaring it: {way_out}", owner.path());
            let defect = Defect::new("writes", game.parts()[write.part()].path(), message).of(variable.name());
            findings.add(defect.at(seed, day[0].state.step()));
        }
    }
}

/// Whether every number of an observation is finite; other numbers are `null` in JSON.
pub fn is_numbers_only(value: &Json) -> bool {
    match value {
        Json::Object(entries) => entries.values().all(is_numbers_only),
        Json::Array(items) => items.iter().all(is_numbers_only),
        Json::Number(number) => number.as_f64().is_some_and(f64::is_finite),
        _ => false,
    }
}

fn check_observation(game: &Game, moment: &Snapshot, findings: &mut Findings) {
    for entry in game.observation().entries() {
        let seen = entry.to_json(&moment.seen);
        let space = entry.space();
        if !space.contains(&seen) || !is_numbers_only(&seen) {
            let part = entry.reference().and_then(|reference| game.parts().get(reference.part()));
            let path = part.map_or("", |part| part.path());
            let defect = Defect::new("space", path, format!("the observation is not in its space {space}"));
            let shown: String = seen.to_string().chars().take(60).collect();
            findings.add(defect.of(entry.key()).at(moment.state.seed(), moment.state.step()).value(shown));
        }
    }
}

/// Writes the game as YAML and reads it again.
fn again(game: &Game, change: impl FnOnce(&mut farm_core::spec::GameSpec)) -> Result<Game, String> {
    let yaml = game.spec().to_yaml().map_err(|error| error.to_string())?;
    let mut spec = load("the game written and read again", &yaml).map_err(|problems| problems.to_string())?;
    spec.set_directory(game.spec().directory().map(std::path::Path::to_path_buf));
    change(&mut spec);
    Game::new(spec).map_err(|problems| problems.to_string())
}

/// A game's YAML loads back as an identical game.
fn check_written(game: &Game) -> ((), Vec<Defect>) {
    let wrong = |message: String| ((), vec![Defect::new("round trip", "", message)]);
    let other = match again(game, |_| {}) {
        Ok(other) => other,
        Err(error) => return wrong(format!("its YAML can't be read: {error}")),
    };
    let same = [
        ("YAML", other.spec().to_yaml().ok() == game.spec().to_yaml().ok()),
        ("fingerprint", other.fingerprint() == game.fingerprint()),
        ("declarations", other.parts() == game.parts()),
        (
            "actions",
            other.catalogue().base_actions() == game.catalogue().base_actions()
                && other.catalogue().calls() == game.catalogue().calls(),
        ),
        ("observations", other.observation().space() == game.observation().space()),
    ];
    match same.iter().find(|(_, is_same)| !is_same) {
        Some((what, _)) => wrong(format!("written as YAML and read again, the game has different {what}")),
        None => ((), Vec::new()),
    }
}

/// Returns a defect if two plays that must be equal differ.
fn compare(check: &'static str, seed: u64, message: String, found: Option<Difference>) -> Vec<Defect> {
    let defect = found.map(|Difference { part, variable, entry, step, values: (expected, found) }| {
        let defect = Defect::new(check, &part, message).at(seed, step).value(format!("{found} instead of {expected}"));
        let defect = Defect { variable, ..defect };
        Defect { entry, ..defect }
    });
    defect.into_iter().collect()
}

/// The same seed gives the same bytes, regardless of what is played before, in alternation, or on other threads. If a part stores data
/// outside its variables, one of these plays reveals it.
fn check_same_seed(game: &Game, seed: u64, play: &[Snapshot], findings: &mut Findings) {
    let steps = taken(play);
    let same = |how: &str| {
        format!(
            "the same seed and actions give a different episode {how}: the part has a memory that is not a variable, or draws \
             from another source than `Context::stream`"
        )
    };
    let compared = |check, how: &str, found: (Vec<Snapshot>, Vec<Defect>)| {
        let mut defects = found.1;
        defects.extend(compare(check, seed, same(how), difference(game, play, game, &found.0)));
        ((), defects)
    };
    guarded(findings, "a second episode", || compared("same seed", "the second time", played(game, seed, steps, None)));
    guarded(findings, "an episode after another", || {
        let used = played(game, seed + 1000, steps / 2 + 1, None).0.pop().map(|moment| moment.state);
        compared("same seed", "after another one", played(game, seed, steps, used))
    });
    guarded(findings, "an episode that alternates with another", || {
        let (mut own, mut other) = (Rollout::new(game, seed), Rollout::new(game, seed + 2000));
        let mut error = Vec::new();
        for _ in 0..steps {
            // The errors of the other episode do not matter here.
            drop(other.step());
            if let Err(found) = own.step() {
                error.push(defect_of_step(found, seed));
                break;
            }
        }
        compared("same seed", "when it alternates with another one", (own.moments, error))
    });
    guarded(findings, "an episode on another thread", || {
        let elsewhere = std::thread::scope(|scope| scope.spawn(|| played(game, seed, steps, None)).join());
        match elsewhere {
            Ok(found) => compared("same seed", "on another thread", found),
            Err(panic) => resume_unwind(panic),
        }
    });
    guarded(findings, "a game compiled again", || match again(game, |_| {}) {
        // The check of the written game reports it.
        Err(_) => ((), Vec::new()),
        Ok(anew) => {
            let (moments, mut defects) = played(&anew, seed, steps, None);
            let found = difference(game, play, &anew, &moments);
            defects.extend(compare("same seed", seed, same("when the game is compiled again"), found));
            ((), defects)
        }
    });
    guarded(findings, "an episode that is saved and restored", || {
        let mut own = Rollout::new(game, seed);
        let mut defects = Vec::new();
        for step in 0..steps {
            let restored = if step % 7 == 3 { own.move_house() } else { Ok(()) };
            if let Err(message) = restored {
                defects.push(Defect::new("snapshot", "", message).at(seed, step));
                break;
            }
            if let Err(error) = own.step() {
                defects.push(defect_of_step(error, seed));
                break;
            }
        }
        compared("snapshot", "when it is saved and restored in between", (own.moments, defects))
    });
}

/// Number of steps in a play, not counting the starts of episodes.
fn taken(play: &[Snapshot]) -> u32 {
    play.windows(2).filter(|pair| !pair[0].state.over()).count() as u32
}

/// A different seed gives a different episode, if any part draws random numbers. [`crate::seeds`] checks each part separately.
fn check_other_seeds(game: &Game, findings: &mut Findings) {
    const SEEDS: u64 = 30;
    if !game.parts().iter().any(|part| part.draws()) {
        return;
    }
    guarded(findings, "an episode of another seed", || {
        let mut seen = BTreeSet::new();
        for seed in 0..SEEDS {
            let mut state = game.new_state();
            let mut record = game.new_record();
            game.reset(&mut state, seed, &mut record);
            for _ in 0..8 {
                if state.over() || game.step(&mut state, game.catalogue().waiting(), &mut record).is_err() {
                    break;
                }
            }
            let reader = game.reader(&state);
            let all = game.parts().iter().flat_map(|part| part.variables());
            let bits: Vec<u64> = all.flat_map(|variable| values(&reader, variable)).map(f64::to_bits).collect();
            seen.insert(bits);
        }
        let message = format!("{} different episodes under {SEEDS} seeds after 8 steps without actions", seen.len());
        // Two seeds may agree by chance if there are few draws.
        let is_poor = seen.len() < 2;
        ((), is_poor.then(|| Defect::new("other seed", "", message)).into_iter().collect())
    });
}

/// Adding an unrelated part that draws random numbers changes no other part, regardless of its position in the field.
fn check_spectators(game: &Game, plays: &[Vec<Snapshot>], findings: &mut Findings) {
    for (how, places) in [("before", [true, false]), ("behind", [false, true]), ("around", [true, true])] {
        guarded(findings, "a game with a spectator", || {
            let monitored = again(game, |spec| {
                for field in spec.fields_mut() {
                    if places[0] {
                        field.entities_mut().insert(0, Box::new(TestkitSpectator { draws: 7 }));
                    }
                    if places[1] {
                        field.entities_mut().push(Box::new(TestkitSpectator { draws: 3 }));
                    }
                }
            });
            // The check of the written game reports a game that can't be read.
            let Ok(monitored) = monitored else { return ((), Vec::new()) };
            let mut defects = Vec::new();
            for (seed, play) in plays.iter().enumerate() {
                let (moments, error) = played(&monitored, seed as u64, taken(play), None);
                defects.extend(error);
                let message = format!(
                    "another episode when an unrelated part is {how} the others: a random stream is keyed by a position or an \
                     index; key it by `Declarations::stream_key`"
                );
                let found = difference(game, play, &monitored, &moments);
                defects.extend(compare("spectator", seed as u64, message, found));
            }
            ((), defects)
        });
    }
}

/// Steps, observations and resets allocate no memory.
#[cfg(feature = "allocations")]
fn check_allocations(game: &Game, steps: u32, findings: &mut Findings) {
    use crate::play::random_schedule;
    guarded(findings, "a step", || {
        let (mut state, mut record) = (game.new_state(), game.new_record());
        let most = game.catalogue().max_schedule() + 1;
        let mut schedule = Vec::with_capacity(most);
        let mut seen = vec![0; game.observation().size()];
        let mut mask = vec![0; game.catalogue().discrete_len()];
        let mut actions = farm_core::Stream::from_seed(7);
        let mut defects = Vec::new();
        for seed in 0..3 {
            let counted = allocation_counter::measure(|| game.reset(&mut state, seed, &mut record));
            if counted.count_total > 0 {
                let defect = Defect::new("allocations", "", "`reset` or `settle` allocates").at(seed, 0);
                defects.push(defect.value(counted.count_total));
            }
            for step in 0..steps {
                if state.over() {
                    break;
                }
                random_schedule(game, most, &mut actions, &mut schedule);
                let counted = allocation_counter::measure(|| {
                    drop(game.step(&mut state, &schedule, &mut record));
                    game.observe_into(&state, &mut seen);
                    game.effect_mask(&state, &mut mask);
                });
                if counted.count_total > 0 {
                    let defect = Defect::new("allocations", "", "a step allocates").at(seed, step);
                    defects.push(defect.value(counted.count_total));
                }
            }
        }
        ((), defects)
    });
}

#[cfg(not(feature = "allocations"))]
fn check_allocations(_: &Game, _: u32, _: &mut Findings) {}
