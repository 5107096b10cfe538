//! A game in characters: every look can be told from the others, and a learner is neither shown nor told what he does not see.

use std::collections::BTreeSet;
use std::sync::Arc;

use farm_core::{Environment, Game};
use farm_games::Options;
use farm_render::{TextRenderer, View};
use serde_json::Value as Json;

fn open(game: &str, set: &[(&str, &str)]) -> Arc<Game> {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    Arc::new(farm_games::open(game, &Options { set, ..Options::default() }).unwrap())
}

#[test]
fn in_every_game_each_look_has_a_sign_of_its_own_also_in_plain_letters() {
    for entry in farm_games::CATALOGUE {
        let text_renderer = TextRenderer::new(open(entry.name, &[]), View::Everything).unwrap();
        let mut sprite_rules: Vec<(String, char, char)> = Vec::new();
        for (title, names) in text_renderer.legend() {
            let (mut glyphs, mut letters) = (BTreeSet::new(), BTreeSet::new());
            let marks: BTreeSet<(char, char)> = names.iter().map(|(_, mark)| (mark.glyph, mark.letter)).collect();
            for (glyph, letter) in marks {
                assert!(glyphs.insert(glyph), "{}: `{title}` shows `{glyph}` for two things", entry.name);
                assert!(letters.insert(letter), "{}: `{title}` shows `{letter}` for two things", entry.name);
                assert!(letter.is_ascii_graphic(), "{}: {letter:?}", entry.name);
                sprite_rules.push((title.to_owned(), glyph, letter));
            }
        }
        assert!(sprite_rules.len() > 3, "{}: {sprite_rules:?}", entry.name);
    }
}

/// Where the position is observed, the window lies on the map, whatever lies beyond it.
#[test]
fn beyond_the_window_a_learner_is_shown_nothing() {
    let (name, reach) = ("backwards_valley", 2);
    let game = open(name, &[]);
    let learner = TextRenderer::new(game.clone(), View::Learner).unwrap();
    let everything = TextRenderer::new(game.clone(), View::Everything).unwrap();
    let mut environment = Environment::new(game.clone());
    let mut hidden = 0;
    let words = |tile: &farm_render::Tile<'_>| -> Vec<String> {
        tile.things.iter().map(|thing| format!("{} {} {}", thing.title, thing.name, thing.mark.glyph)).collect()
    };
    for seed in 0..5 {
        environment.reset(seed);
        let (_, x, y) = learner.position(environment.state()).unwrap();
        let (seen, all) = (learner.tiles(0, environment.state()), everything.tiles(0, environment.state()));
        let width = game.fields()[0].width();
        for (i, (tile, whole)) in seen.iter().zip(&all).enumerate() {
            let far = x.abs_diff(i / width).max(y.abs_diff(i % width)) > reach;
            assert_eq!(tile.is_veiled, far, "{name}, tile {i}");
            assert!(!whole.is_veiled);
            if far {
                assert!(tile.things.is_empty(), "{name}, tile {i}: {:?}", tile.things);
                hidden += usize::from(whole.things.len() > 1);
            } else {
                assert_eq!(words(tile), words(whole), "{name}, tile {i}");
            }
        }
    }
    assert!(hidden > 20, "{name}: there was something to hide");
}

/// Changes of plants out of the farmer's window are not told, changes within are.
#[test]
fn changes_are_told_where_the_window_shows_their_plot() {
    let game = open("walking_farmer-v0", &[]);
    let learner = TextRenderer::new(game.clone(), View::Learner).unwrap();
    let everything = TextRenderer::new(game.clone(), View::Everything).unwrap();
    let mut environment = Environment::new(game.clone());
    environment.reset(1);
    let mut player = farm_games::policy(&game, "random").unwrap();
    player.start(1);
    let (mut told, mut kept, mut schedule) = (0, 0, Vec::new());
    let position = |environment: &Environment| -> Vec<usize> {
        serde_json::from_value(environment.observation_json()["WalkingFarmer-0.position"].clone()).unwrap()
    };
    while !environment.state().over() {
        schedule.clear();
        player.choose(&game, environment.state(), &mut schedule);
        let (before, from) = (environment.state().clone(), position(&environment));
        environment.step(&schedule).unwrap();
        let places = [from, position(&environment)];
        let seen = learner.changes(&before, environment.state());
        for change in everything.changes(&before, environment.state()) {
            let reach = |at: &Vec<usize>| at[0].abs_diff(change.plot.0).max(at[1].abs_diff(change.plot.1)) <= 2;
            let near = change.variable == "stage" && places.iter().all(reach);
            assert_eq!(seen.contains(&change), near, "{change:?} from {places:?}");
            *(if near { &mut told } else { &mut kept }) += 1;
        }
    }
    assert!(told > 0 && kept > 0, "{told} told, {kept} kept");
}

/// Where looking costs, the stage of plants is told of only where it is free or was asked for; a new day hides it again.
#[test]
fn where_looking_costs_changes_are_told_only_of_what_is_free() {
    let free =
        |list: &str| [("interaction_mode", "aomdp".to_owned()), ("rules.BasicRule.free_observations", list.to_owned())];
    for (list, is_free) in
        [("[[Field-0, Plant-0, stage, '*']]", true), ("[[Field-0, Weather-0, 'day#int365', '*']]", false)]
    {
        let set = free(list);
        let set: Vec<(&str, &str)> = set.iter().map(|(path, value)| (*path, value.as_str())).collect();
        let game = open("clay_bean-v0", &set);
        let learner = TextRenderer::new(game.clone(), View::Learner).unwrap();
        let mut environment = Environment::new(game.clone());
        environment.reset(0);
        let mut changes = 0;
        while !environment.state().over() {
            let before = environment.state().clone();
            environment.step(&[]).unwrap();
            let shown = environment.game().learner_view().list(environment.observation());
            let is_shown = |entry: &Json| entry[2] == "stage";
            assert_eq!(shown.as_array().unwrap().iter().any(is_shown), is_free);
            let has_plants = |thing: &farm_render::Thing<'_>| thing.title.starts_with("Plants");
            let tiles = learner.tiles(0, environment.state());
            assert!(is_free || !tiles[0].things.iter().any(has_plants), "{tiles:?}");
            let values = learner.plot_values(0, (0, 0), environment.state());
            assert_eq!(values.iter().any(|value| value.variable == "stage"), is_free);
            assert!(values.iter().all(|value| value.variable == "stage"), "{values:?}");
            changes += learner.changes(&before, environment.state()).len();
        }
        assert_eq!(changes > 3, is_free, "{changes} changes");
    }
}
