//! What holds whatever is played, over thousands of seeds: the farmer stays in its field, carries no more than it can, moves
//! no more than a day has steps, and who looks on changes nothing.

use farm_core::{Environment, StepError, Stream};

use super::support::*;

const SEEDS: u64 = 10_000;
/// Three days and a half.
const STEPS: u32 = 84;
/// What the game's YAML says.
const STEPS_A_DAY: u32 = 24;
const CAPACITIES: [(&str, f64); 2] = [("water#L", 80.0), ("seeds#seed", 16.0)];
const EDGE: usize = 8;

/// Mostly one of the farmer's own actions, sometimes one that is allowed, sometimes any, far and near.
fn choose(env: &Environment, own: &[usize], stream: &mut Stream) -> usize {
    match stream.index(8) {
        0 => stream.index(env.game().catalogue().discrete_len() as u32) as usize,
        1 => {
            let allowed = env.action_mask().iter().filter(|bit| **bit == 1).count();
            let chosen = stream.index(allowed as u32) as usize;
            env.action_mask().iter().enumerate().filter(|(_, bit)| **bit == 1).nth(chosen).map_or(0, |(id, _)| id)
        }
        _ => own[stream.index(own.len() as u32) as usize],
    }
}

fn own(env: &Environment) -> Vec<usize> {
    let id = |name: &str| {
        let calls = env.game().text().parse(name).unwrap_or_else(|problem| panic!("{problem}"));
        env.game().catalogue().discrete_of(&calls[0]).expect("an action of the flat list")
    };
    ["MoveN", "MoveS", "MoveE", "MoveW", "Refill"].map(id).to_vec()
}

#[test]
fn the_farmer_stays_in_its_field_within_its_capacities_and_its_day() -> Result<(), StepError> {
    let mut env = shipped(&[]);
    let own = own(&env);
    let day_of = |env: &Environment| values::<i32>(env, "Weather-0", "day#int365")[0];
    let (mut visited, mut drawn, mut filled, mut busiest) = (vec![false; EDGE * EDGE], 0, 0, 0);
    for seed in 0..SEEDS {
        env.reset(seed);
        let mut stream = Stream::from_seed(seed);
        let (mut at, mut day, mut moves) = (position(&env), day_of(&env), 0);
        let mut before = CAPACITIES.map(|(stock, _)| carried(&env, stock));
        for step in 1..=STEPS {
            let id = choose(&env, &own, &mut stream);
            env.step(id)?;
            let now = position(&env);
            let gone = now.0.abs_diff(at.0) + now.1.abs_diff(at.1);
            assert!(now.0 < EDGE && now.1 < EDGE && gone <= 1, "seed {seed} step {step}: {at:?} to {now:?}");
            visited[now.0 * EDGE + now.1] = true;
            moves += gone;
            busiest = busiest.max(moves);
            assert!(moves <= STEPS_A_DAY as usize, "seed {seed} step {step}: {moves} moves in a day");
            let today = day_of(&env);
            assert_eq!(
                today != day,
                step % STEPS_A_DAY == 0,
                "seed {seed} step {step}: time passes with the last step"
            );
            if today != day {
                moves = 0;
            }
            for ((stock, capacity), before) in CAPACITIES.iter().zip(&mut before) {
                let left = carried(&env, stock);
                assert!((0.0..=*capacity).contains(&left), "seed {seed} step {step}: {left} of {stock}");
                drawn += usize::from(left < *before);
                filled += usize::from(left > *before);
                *before = left;
            }
            (at, day) = (now, today);
        }
    }
    assert!(visited.iter().all(|visited| *visited), "the play leads everywhere");
    assert!(
        busiest > 15 && drawn > 1000 && filled > 100,
        "{busiest} moves in a day, {drawn} drawn, {filled} filled up"
    );
    Ok(())
}

#[test]
fn who_looks_on_changes_nothing() -> Result<(), StepError> {
    let (mut watched, mut alone) = (shipped(&[]), shipped(&[]));
    let own = own(&alone);
    for seed in 0..60 {
        watched.reset(seed);
        alone.reset(seed);
        let mut stream = Stream::from_seed(seed);
        for step in 0..STEPS {
            let (text, json, space) = (
                watched.game().observation().to_text(watched.observation()),
                watched.observation_json(),
                watched.game().observation().space(),
            );
            assert!(space.contains(&json) && !text.is_empty() && !watched.to_string().is_empty());
            let (mask, effect) = (watched.action_mask(), watched.effect_mask());
            assert!(mask.iter().zip(&effect).all(|(allowed, changes)| allowed >= changes), "seed {seed} step {step}");
            assert!(watched.info().to_json().is_object() && !watched.snapshot().is_empty());
            let id = choose(&alone, &own, &mut stream);
            let outcomes = (watched.step(id)?, alone.step(id)?);
            assert_eq!(outcomes.0, outcomes.1, "seed {seed} step {step}");
            assert_eq!(watched.state().hash(), alone.state().hash(), "seed {seed} step {step}");
        }
        assert_eq!(watched.observation(), alone.observation());
    }
    Ok(())
}
