//! What the window shows, and that nothing else of far plots is seen.

use farm_core::{Environment, Stream};
use serde_json::Value as Json;

use super::support::*;

/// The numbers of a window, row by row from the north-west corner.
fn seen(env: &Environment, name: &str) -> Vec<f64> {
    let observed = env.observation_json();
    let found = observed.as_object().unwrap().iter().find(|(key, _)| key.ends_with(&format!("view.{name}")));
    let (_, rows) = found.unwrap_or_else(|| panic!("{name} in {observed}"));
    let row = |row: &Json| row.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>();
    rows.as_array().unwrap().iter().flat_map(row).collect()
}

/// What a window must show of a variable: its value at each plot, and `outside` beyond the border.
fn expected(env: &Environment, view: i64, values: &[f64], outside: f64) -> Vec<f64> {
    let (length, width) = (env.game().fields()[0].length() as i64, env.game().fields()[0].width() as i64);
    let (x, y) = position(env);
    let mut window = Vec::new();
    for south in -view / 2..=view / 2 {
        for east in -view / 2..=view / 2 {
            let (x, y) = (x as i64 + east, y as i64 + south);
            let inside = (0..length).contains(&x) && (0..width).contains(&y);
            window.push(if inside { values[(x * width + y) as usize] } else { outside });
        }
    }
    window
}

fn check(env: &Environment, view: i64) {
    let bytes = |part, name| values::<u8>(env, part, name).into_iter().map(f64::from).collect::<Vec<_>>();
    // Learners see 32-bit reals.
    let water: Vec<f64> =
        values::<f64>(env, "Soil-0", "available_Water#L").into_iter().map(|v| f64::from(v as f32)).collect();
    assert_eq!(seen(env, "available_Water#L"), expected(env, view, &water, 0.0));
    // Plants have eight stages, so 8 is the label after the last.
    assert_eq!(seen(env, "stage"), expected(env, view, &bytes("Plant-0", "stage"), 8.0));
    let place = bytes("WalkingFarmer-0", "place");
    // None, two places, and what lies outside.
    assert_eq!(seen(env, "place"), expected(env, view, &place, 3.0));
}

#[test]
fn the_window_shows_the_values_of_the_plots_around_the_farmer() {
    for (mut env, view) in [(shipped(&[("farmers.0.WalkingFarmer.reach#nb", "2")]), 5), (yard(&[]), 3)] {
        let mut stream = Stream::from_seed(4);
        for seed in 0..6 {
            env.reset(seed);
            check(&env, view);
            for _ in 0..200 {
                let id = if stream.index(2) == 0 {
                    let moves = ["MoveN", "MoveS", "MoveE", "MoveW"];
                    let calls = env.game().text().parse(moves[stream.index(4) as usize]).unwrap();
                    env.game().catalogue().discrete_of(&calls[0]).unwrap()
                } else {
                    let allowed: Vec<usize> =
                        env.action_mask().iter().enumerate().filter(|(_, bit)| **bit == 1).map(|(id, _)| id).collect();
                    allowed[stream.index(allowed.len() as u32) as usize]
                };
                env.step(id).unwrap();
                check(&env, view);
            }
        }
    }
}

#[test]
fn places_lie_where_the_game_says() {
    let env = shipped(&[]);
    let place = values::<u8>(&env, "WalkingFarmer-0", "place");
    // Plot (x, y) has index 8 x + y.
    let found: Vec<(usize, u8)> = place.into_iter().enumerate().filter(|(_, place)| *place > 0).collect();
    assert_eq!(found, [(3, 2), (4 * 8 + 4, 1)]);
    // The map has north up, as the windows have: the well at (4, 4), the shed at (0, 3), the westernmost plot of its row.
    let rows: Vec<Vec<u8>> = serde_json::from_value(env.observation_json()["WalkingFarmer-0.map"].clone()).unwrap();
    let mut expected = vec![vec![0; 8]; 8];
    (expected[4][4], expected[3][0]) = (1, 2);
    assert_eq!(rows, expected);
    // The yard is longer than it is wide.
    let yard = yard(&[("[WalkingFarmer-0, view]", "[WalkingFarmer-0, map]")]);
    let rows: Vec<Vec<u8>> = serde_json::from_value(yard.observation_json()["WalkingFarmer-0.map"].clone()).unwrap();
    assert_eq!(rows, [[0, 0, 0, 0, 1], [0; 5], [0; 5], [2, 0, 0, 0, 0]]);
}

/// Two games that differ at the plots of the south-eastern corner alone, which the farmer doesn't see from where it starts.
fn twins() -> [Environment; 2] {
    [("150", "2", "ripe"), ("100", "0", "none")].map(|(water, weeds, stage)| {
        let corner = |value: &str, rest: &str| {
            format!("{{'*': {rest}, '(7, 7)': {value}, '(7, 0)': {value}, '(6, 7)': {value}}}")
        };
        shipped(&[
            ("rules.BasicRule.initial_conditions.Field-0.Soil-0.available_Water#L", &corner(water, "140")),
            ("rules.BasicRule.initial_conditions.Field-0.Weeds-0.grow#nb", &corner(weeds, "0")),
            ("rules.BasicRule.initial_conditions.Field-0.Plant-0.stage", &corner(stage, "none")),
        ])
    })
}

#[test]
fn nothing_of_far_plots_is_seen() {
    let [mut one, mut other] = twins();
    for seed in 0..20 {
        one.reset(seed);
        other.reset(seed);
        assert_ne!(one.state_json(), other.state_json(), "the far plots differ");
        // Not further than where the corner stays out of sight, and not beyond the day in which weeds spread.
        for name in ["MoveN", "MoveS", "MoveW", "MoveN", "Wait", "MoveW", "MoveS", "MoveE", "Wait"] {
            assert_eq!(one.observation(), other.observation());
            assert_eq!(
                one.game().observation().to_text(one.observation()),
                other.game().observation().to_text(other.observation())
            );
            assert_eq!((one.action_mask(), one.effect_mask()), (other.action_mask(), other.effect_mask()));
            walk(&mut one, &[name]);
            walk(&mut other, &[name]);
            assert_eq!(one.info(), other.info());
        }
        walk(&mut one, &["MoveE", "MoveE", "MoveE", "MoveS", "MoveS"]);
        walk(&mut other, &["MoveE", "MoveE", "MoveE", "MoveS", "MoveS"]);
        assert_ne!(one.observation(), other.observation(), "now the farmer sees them");
    }
}

#[test]
fn the_expert_knows_nothing_of_far_plots() {
    let [mut one, mut other] = twins();
    let mut players = [one.game().player("expert").unwrap(), other.game().player("expert").unwrap()];
    for seed in 0..20 {
        for (env, player) in [&mut one, &mut other].into_iter().zip(&mut players) {
            env.reset(seed);
            player.start(seed);
        }
        let mut steps = 0;
        while one.observation() == other.observation() && one.state().step() == 0 {
            let mut chosen = [Vec::new(), Vec::new()];
            for ((env, player), schedule) in [&mut one, &mut other].into_iter().zip(&mut players).zip(&mut chosen) {
                player.choose(env.game(), env.state(), schedule);
                env.step(&*schedule).unwrap();
            }
            assert_eq!(
                one.game().catalogue().describe(&chosen[0][0]),
                other.game().catalogue().describe(&chosen[1][0])
            );
            steps += 1;
        }
        assert!(steps > 10, "{steps}");
    }
}
