//! What the learner is not shown is not drawn.

use std::sync::Arc;

use super::support::{Episode, episode, game};
use farm_core::inspect::other_hidden_values;
use farm_core::{Environment, Game, State};
use farm_render::{Frame, Image, Legend, PictureOptions, Renderer, TextRenderer, View};

const LEARNER: PictureOptions =
    PictureOptions { max_width: 500, max_height: 500, view: View::Learner, ..PictureOptions::DEFAULT };

/// The pixels of a plot in a map whose lower left corner lies at the gap.
fn plot(image: &Image, cell: usize, rows: usize, (x, y): (usize, usize)) -> Vec<u8> {
    let (left, top) = (12 + x * cell, image.height() - 12 - (rows - y) * cell);
    let row = |y: usize| 3 * (y * image.width() + left)..3 * (y * image.width() + left + cell);
    (top..top + cell).flat_map(|y| image.pixels()[row(y)].to_vec()).collect()
}

fn position(played: &Episode, step: usize) -> (usize, usize) {
    let part = played.game.parts().iter().find(|part| part.field().is_none()).unwrap();
    let column = part.variables().iter().find(|v| v.name() == "position").and_then(|v| v.column::<u8>()).unwrap();
    let at = played.game.reader(&played.states[step]).get(column);
    (usize::from(at[0]), usize::from(at[1]))
}

#[test]
fn beyond_the_window_of_a_farmer_all_plots_look_alike() {
    let played = episode(&game("backwards_valley", &[]), 4);
    let mut renderer = Renderer::new(played.game.clone(), &LEARNER).unwrap();
    for step in [0, 5, 20] {
        let image = renderer.render(&played.frame(step)).clone();
        let (x, y) = position(&played, step);
        let (cell, rows) = (50, 10_usize);
        let (mut beyond, mut within) = (Vec::new(), Vec::new());
        for plot_x in 0..10_usize {
            for plot_y in 0..rows {
                let distance = plot_x.abs_diff(x).max(plot_y.abs_diff(y));
                let pixels = plot(&image, cell, rows, (plot_x, plot_y));
                match distance {
                    0..=2 => within.push(pixels),
                    // The soft edge of the fog lies there, whatever the plot is.
                    3 => {}
                    _ => beyond.push(pixels),
                }
            }
        }
        assert!(beyond.windows(2).all(|pair| pair[0] == pair[1]), "step {step}");
        assert!(within.iter().all(|pixels| *pixels != beyond[0]), "step {step}");
    }
}

#[test]
fn variables_that_are_not_observed_are_not_drawn() {
    // Two games that differ only in whether the weeds are observed.
    let all = "rules.BasicRule.free_observations";
    let without = "[[Field-0, Soil-0, available_Water#L], [Field-0, Plant-0, stage]]";
    let with = "[[Field-0, Soil-0, available_Water#L], [Field-0, Plant-0, stage], [Field-0, Weeds-0, grow#nb]]";
    let drawn = [without, with].map(|observed| {
        let played = episode(&game("full_farm-v0", &[(all, observed), ("policies.expert", "WaitPolicy")]), 5);
        played.image(60, &LEARNER)
    });
    let everything = PictureOptions { view: View::Everything, ..LEARNER };
    let played = episode(&game("full_farm-v0", &[("policies.expert", "WaitPolicy")]), 5);
    let all = played.image(60, &everything);
    assert!(drawn[0] != drawn[1], "observed weeds are drawn");
    assert!(drawn[1] != all, "what is not observed is not");
}

/// All games of the catalogue, in all presets, and representative ones in all modes.
fn all_games() -> Vec<(String, Arc<Game>)> {
    let mut games = Vec::new();
    for entry in farm_games::CATALOGUE {
        let game = farm_games::open(entry.name, &farm_games::Options::default()).unwrap();
        for preset in std::iter::once(None).chain(game.spec().presets().keys().map(|name| Some(name.clone()))) {
            let is_representative = farm_games::catalogue::REPRESENTATIVE.contains(&entry.name);
            let modes = [None, Some("fomdp"), Some("aomdp")];
            for mode in &modes[..if is_representative { 3 } else { 1 }] {
                let set = mode.map(|mode| ("interaction_mode".to_owned(), mode.to_owned())).into_iter().collect();
                let options = farm_games::Options { preset: preset.clone(), set, ..farm_games::Options::default() };
                let name = format!("{} {} {}", entry.name, preset.as_deref().unwrap_or("-"), mode.unwrap_or("-"));
                match farm_games::open(entry.name, &options) {
                    Ok(game) => games.push((name, Arc::new(game))),
                    // Not every game can be played in every mode, but as it is written each can.
                    Err(problems) => assert!(mode.is_some(), "{name}: {problems}"),
                }
            }
        }
    }
    games
}

/// States of an episode of random actions.
fn states(game: &Arc<Game>, steps: &[usize]) -> Vec<State> {
    let mut player = farm_games::policy(game, "random").unwrap();
    let mut environment = Environment::new(game.clone());
    environment.reset(7);
    player.start(7);
    let (mut states, mut schedule) = (Vec::new(), Vec::new());
    for step in 0..=steps.last().copied().unwrap_or(0) {
        if steps.contains(&step) {
            states.push(environment.state().clone());
        }
        if environment.state().over() {
            break;
        }
        schedule.clear();
        player.choose(game, environment.state(), &mut schedule);
        environment.step(&schedule).unwrap();
    }
    states
}

/// The promise of the learner's view, over all games: equal observation, equal picture, equal tiles, strips and values in a terminal.
#[test]
fn what_is_observed_alike_looks_alike() {
    for (name, game) in all_games() {
        let mut learner = Renderer::new(game.clone(), &PictureOptions { legend: Legend::Used, ..LEARNER }).unwrap();
        let text_renderer = TextRenderer::new(game.clone(), View::Learner).unwrap();
        let mut everything =
            Renderer::new(game.clone(), &PictureOptions { view: View::Everything, ..LEARNER }).unwrap();
        let (mut differ, mut differs_for_all) = (0, false);
        // In a mode with costly observations, an odd step stands between looking and acting.
        let pairs = states(&game, &[0, 1, 9, 34]).into_iter().map(|state| {
            let (other, n) = other_hidden_values(&game, &state);
            (state, other, n)
        });
        let pairs: Vec<(State, State, usize)> = pairs.collect();
        for (state, other, n) in &pairs {
            let step = state.step();
            differ += n;
            let drawn = learner.render(&Frame::of(state)).clone();
            assert!(drawn == *learner.render(&Frame::of(other)), "{name}, step {step}: the pictures differ");
            for field in 0..game.fields().len() {
                assert_eq!(text_renderer.tiles(field, state), text_renderer.tiles(field, other), "{name}, step {step}");
                let (length, width) = text_renderer.size(field);
                for plot in [(0, 0), (length / 2, width / 2), (length - 1, width - 1)] {
                    let values = |state| text_renderer.plot_values(field, plot, state);
                    assert_eq!(values(state), values(other), "{name}, step {step}, {plot:?}");
                }
            }
            assert_eq!(text_renderer.status_bars(state), text_renderer.status_bars(other), "{name}, step {step}");
            assert_eq!(text_renderer.position(state), text_renderer.position(other), "{name}, step {step}");
            differs_for_all |= everything.render(&Frame::of(state)).clone() != *everything.render(&Frame::of(other));
        }
        for two in pairs.windows(2) {
            let changes = text_renderer.changes(&two[0].0, &two[1].0);
            assert_eq!(changes, text_renderer.changes(&two[0].1, &two[1].1), "{name}");
        }
        assert!(differ > 0, "{name}: nothing is hidden");
        // The test would not notice a picture that never changes.
        // A meadow draws nothing that its farmer does not see.
        let is_fully_observed = name.ends_with("fomdp") || name.starts_with("hay_meadow");
        assert!(differs_for_all || is_fully_observed, "{name}: who sees everything sees a difference");
    }
}

/// A valley whose farmer sees a bit of everything, as a level says.
fn valley(level: &str) -> (Arc<Game>, State) {
    let path = format!("{}/tests/levels/{level}.yaml", env!("CARGO_MANIFEST_DIR"));
    let level = Some(farm_games::level::find("valley_farm", &path).unwrap());
    let game = Arc::new(farm_games::open("valley_farm", &farm_games::Options { level, ..Default::default() }).unwrap());
    let mut environment = Environment::new(game.clone());
    environment.reset(0);
    let state = environment.state().clone();
    (game, state)
}

fn drawn((game, state): &(Arc<Game>, State)) -> Image {
    Renderer::new(game.clone(), &LEARNER).unwrap().render(&Frame::of(state)).clone()
}

#[test]
fn where_the_position_is_not_observed_the_window_is_all_there_is() {
    let [here, moved, liked] = ["valley_here", "valley_moved", "valley_liked"].map(valley);
    assert!(drawn(&here) == drawn(&moved), "the map has moved, and the learner can't know");
    assert!(drawn(&here) != drawn(&liked), "relationships are observed");
    let text_renderer = TextRenderer::new(here.0.clone(), View::Learner).unwrap();
    assert_eq!((text_renderer.size(0), text_renderer.is_window(0)), ((5, 5), true));
    assert_eq!(text_renderer.position(&here.1), Some((0, 2, 2)));
    assert_eq!(text_renderer.plot_at(0, (2, 2), &here.1), Some(7 * 15 + 7), "actions mean the true plot");
    // The tile to the north has a cow of which nothing else is known, the one to the north-west a bare field.
    let tiles = text_renderer.tiles(0, &here.1);
    let top = |x: usize, y: usize| tiles[x * 5 + y].things.last().map(|thing| (thing.title, thing.name)).unwrap();
    assert_eq!(top(2, 1), ("barn cow", "not known"));
    assert_eq!(top(1, 1), ("Field", "bare"));
    assert_eq!(top(1, 3), ("villager", "not known"));
    assert_eq!(top(0, 2), ("Market", "market"));
    assert_eq!(top(2, 2), ("Farmer", "farmer"));
}

#[test]
fn of_the_own_tile_the_flag_is_drawn() {
    let here = valley("valley_here");
    let text_renderer = TextRenderer::new(here.0.clone(), View::Learner).unwrap();
    let mut environment = Environment::new(here.0.clone());
    environment.reset(0);
    let own = |environment: &Environment| -> Vec<String> {
        let tiles = text_renderer.tiles(0, environment.state());
        tiles[2 * 5 + 2].things.iter().map(|thing| format!("{} {}", thing.title, thing.name)).collect()
    };
    let act = |environment: &mut Environment, action: &str| {
        let schedule = environment.game().text().parse(action).unwrap();
        environment.step(&schedule).unwrap();
    };
    act(&mut environment, "MoveNorth");
    assert!(own(&environment).contains(&"barn cow hungry".to_owned()), "{:?}", own(&environment));
    act(&mut environment, "FeedAnimal");
    assert!(own(&environment).contains(&"barn cow sated".to_owned()), "{:?}", own(&environment));
}

#[test]
fn a_game_says_whether_its_view_is_limited() {
    for (name, limited) in
        [("valley_farm", true), ("backwards_valley", true), ("walking_farmer-v0", true), ("farm0-v0", false)]
    {
        assert_eq!(game(name, &[]).learner_view().is_limited(), limited, "{name}");
    }
}
