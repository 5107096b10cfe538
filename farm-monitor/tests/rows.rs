//! What monitors read, against the state as JSON, which is written by other code.

use std::sync::Arc;

use super::support::{game, rows};
use farm_core::{Environment, Transition};
use farm_games::CATALOGUE;
use farm_monitor::{Recorder, Recording, Series, Sink};
use serde_json::Value as Json;

/// All numbers of nested lists, in their order; flags as 0 and 1.
fn numbers(value: &Json) -> Vec<f64> {
    match value {
        Json::Array(items) => items.iter().flat_map(numbers).collect(),
        Json::Bool(flag) => vec![f64::from(u8::from(*flag))],
        number => vec![number.as_f64().expect("a number")],
    }
}

#[test]
fn every_variable_of_every_game_is_read_as_the_state_has_it() {
    for entry in CATALOGUE {
        let game = Arc::new(game(entry.name, None, ""));
        let mut environment = Environment::new(game.clone());
        environment.reset(3);
        let mut recorder = Recorder::of(&game);
        let mut recording = Recording::new(recorder.series());
        recording.row(recorder.start(&game, environment.state())).unwrap();
        let mut states = vec![environment.state_json()];
        for _ in 0..5 {
            let outcome = environment.step(game.catalogue().waiting()).unwrap();
            let (state, record) = (environment.state(), environment.record());
            let transition = Transition { game: &game, state, schedule: record.executed(), record, outcome };
            recording.row(recorder.step(&transition)).unwrap();
            states.push(environment.state_json());
        }
        let mut seen = 0;
        for (i, Series { title, part, variable, function, shape, .. }) in recording.series().iter().enumerate() {
            for (row, state) in recording.rows().iter().zip(&states) {
                let all = numbers(&state[format!("{part}.{variable}")]);
                let expected = match function.as_str() {
                    "mean" => vec![all.iter().sum::<f64>() / all.len() as f64],
                    _ => all,
                };
                let found = recording.entry(row, i);
                assert_eq!(found.len(), shape.iter().product::<usize>(), "{}: {title}", entry.name);
                // The state tells 32 bits of some.
                let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
                assert!(
                    found.len() == expected.len() && found.iter().zip(&expected).all(is_near),
                    "{}: {title} is {found:?}, not {expected:?}",
                    entry.name
                );
                seen += 1;
            }
        }
        let variables = game.parts().iter().flat_map(|part| part.variables()).filter(|v| !v.is_empty()).count();
        assert_eq!(seen, variables * states.len(), "{}: no variable is left out", entry.name);
    }
}

#[test]
fn functions_make_of_the_plots_what_they_say() {
    let water = "Field-0, Soil-0, available_Water#L";
    let list = format!(
        "[[{water}, sum, sum], [{water}, mean_value, mean], [{water}, min, min], [{water}, max, max], [{water}, [3, 2], corner], \
         {{variable: [{water}, ['(3, 2)']], title: the same}}, [{water}, [value, [0, 1]], one, range_auto], \
         [{water}, mat2d_value, all, [0, 500]], [Field-0, Plant-0, stage, [count, [seed, none]], seeds], \
         {{field: Field-0, entity: Plant-0, variable: stage, function: fraction, of: seed}}, \
         [Field-0, Plant-0, stage, ['(0, 0)'], value, first, range_auto], [{water}, ['(1, 1)'], in a list], ['', BasicFarmer-0, interventions_today, value, today], \
         [step, value, day], {{variable: remaining, title: left}}]"
    );
    let game = game("clay_bean-v0", Some("4x3"), &list);
    let (series, rows) = rows(&game, 1, 30);
    let mut recording = Recording::new(&series);
    rows.iter().for_each(|row| recording.row(row).unwrap());
    let of = |row, title: &str| {
        let index = series.iter().position(|series| series.title == title).unwrap_or_else(|| panic!("{title}"));
        recording.entry(row, index)
    };
    for row in recording.rows() {
        let all = of(row, "all");
        assert_eq!(all.len(), 12);
        assert_eq!(of(row, "sum"), [all.iter().sum::<f64>()]);
        assert_eq!(of(row, "mean"), [all.iter().sum::<f64>() / 12.0]);
        assert_eq!(of(row, "min"), [all.iter().copied().reduce(f64::min).unwrap()]);
        assert_eq!(of(row, "max"), [all.iter().copied().reduce(f64::max).unwrap()]);
        assert_eq!((of(row, "corner"), of(row, "the same"), of(row, "one")), (&all[11..], &all[11..], &all[1..2]));
        assert_eq!(of(row, "in a list"), &all[4..5]);
        assert_eq!(of(row, "day"), [f64::from(row.step)]);
        assert_eq!(of(row, "left"), [f64::from(game.rules().max_steps.unwrap() - row.step)]);
        let seeds = of(row, "seeds")[0];
        assert_eq!(of(row, "Field-0.Plant-0.stage (fraction of seed)"), [seeds / 12.0]);
    }
    let seeds: Vec<f64> = recording.rows().iter().map(|row| of(row, "seeds")[0]).collect();
    assert_eq!(seeds[0], 12.0, "all beans are sown");
    assert!(seeds[30] < 12.0, "a month later some have sprouted");
    let first = series.iter().find(|series| series.title == "first").unwrap();
    assert_eq!(first.word(0, of(&recording.rows()[0], "first")[0]), Some("seed"));
    let all = series.iter().find(|series| series.title == "all").unwrap();
    assert_eq!((all.unit.as_str(), all.range, all.shape.as_slice()), ("L", Some((0.0, 500.0)), &[4, 3][..]));
    assert_eq!(all.columns()[5], "all (1, 2)", "x comes first");
}

#[test]
fn rows_tell_rewards_costs_actions_and_events_of_each_episode() {
    let game = game("clay_bean-v0", None, "[]");
    let mut recorder = Recorder::new(&game, Vec::new());
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut player = game.player("expert").unwrap();
    let mut rows = Vec::new();
    let mut rewards = Vec::new();
    for seed in [7, 8] {
        game.reset(&mut state, seed, &mut record);
        player.start(seed);
        rows.push(recorder.start(&game, &state).clone());
        loop {
            let mut schedule = Vec::new();
            player.choose(&game, &state, &mut schedule);
            let outcome = game.step(&mut state, &schedule, &mut record).unwrap();
            let transition = Transition { game: &game, state: &state, schedule: &schedule, record: &record, outcome };
            rows.push(recorder.step(&transition).clone());
            rewards.push(outcome.reward);
            assert_eq!(rows.last().unwrap().actions.len(), record.executed().len());
            if outcome.over() {
                break;
            }
        }
    }
    assert_eq!(rows.iter().filter_map(|row| row.reward).collect::<Vec<_>>(), rewards);
    let starts: Vec<_> =
        rows.iter().filter(|row| row.reward.is_none()).map(|row| (row.episode, row.seed, row.step)).collect();
    assert_eq!(starts, [(0, 7, 0), (1, 8, 0)]);
    let ends: Vec<_> = rows.iter().filter(|row| row.is_over).collect();
    assert!(ends.len() == 2 && ends.iter().all(|row| row.stop.is_some()));
    assert!(rows.iter().any(|row| row.actions.iter().any(|action| action.contains("harvest"))), "beans are harvested");
    assert!(rows.iter().any(|row| row.intervention_cost > 0.0), "and watered");
    assert!(rows.iter().flat_map(|row| &row.events).any(|event| event.part == "Field-0.Plant-0"));
}

#[test]
fn a_recording_comes_back_from_its_bytes_with_numbers_that_are_none() {
    let game = game("farm0-v0", None, "");
    let (series, mut rows) = rows(&game, 2, 3);
    rows[1].values[0] = f64::NAN;
    rows[2].values[0] = f64::NEG_INFINITY;
    let mut recording = Recording::new(&series);
    rows.iter().for_each(|row| recording.row(row).unwrap());
    let again = Recording::from_bytes(&recording.to_bytes().unwrap()).unwrap();
    assert_eq!(again.series(), recording.series());
    assert!(again.rows()[1].values[0].is_nan() && again.rows()[2] == rows[2]);
    assert_eq!(again.episodes().map(<[_]>::len).collect::<Vec<_>>(), [4, 4]);
    assert!(Recording::from_bytes(b"[[], [{}]]").is_err());
}

#[test]
fn what_is_monitored_changes_neither_the_play_nor_its_snapshots() {
    let (plain, watched) =
        (game("farm0-v0", None, ""), game("farm0-v0", None, "[[Field-0, Soil-0, available_Water#L, sum]]"));
    assert_eq!(plain.fingerprint(), watched.fingerprint());
    assert!(plain.monitors().is_empty() && watched.monitors().len() == 1);
    let yaml = watched.spec().to_yaml().unwrap();
    let again = farm_core::spec::load("again.yaml", &yaml).and_then(farm_core::Game::new).unwrap();
    assert_eq!(again.monitors(), watched.monitors(), "monitors round-trip");
    assert!(!plain.spec().to_yaml().unwrap().contains("monitoring"));
}
