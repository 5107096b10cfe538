//! A game in characters: every look can be told from the others, and a learner is neither shown nor told what he does not see.

use std::collections::BTreeSet;
use std::sync::Arc;

use farm_core::{Environment, Game};
use farm_games::Options;
use farm_render::{Mosaic, View};
use serde_json::Value as Json;

fn open(game: &str, set: &[(&str, &str)]) -> Arc<Game> {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    Arc::new(farm_games::open(game, &Options { set, ..Options::default() }).unwrap())
}

#[test]
fn in_every_game_each_look_has_a_sign_of_its_own_also_in_plain_letters() {
    for entry in farm_games::CATALOGUE {
        let mosaic = Mosaic::new(open(entry.name, &[]), View::Everything).unwrap();
        let mut looks: Vec<(String, char, char)> = Vec::new();
        for (title, names) in mosaic.legend() {
            let (mut glyphs, mut letters) = (BTreeSet::new(), BTreeSet::new());
            let marks: BTreeSet<(char, char)> = names.iter().map(|(_, mark)| (mark.glyph, mark.letter)).collect();
            for (glyph, letter) in marks {
                assert!(glyphs.insert(glyph), "{}: `{title}` shows `{glyph}` for two things", entry.name);
                assert!(letters.insert(letter), "{}: `{title}` shows `{letter}` for two things", entry.name);
                assert!(letter.is_ascii_graphic(), "{}: {letter:?}", entry.name);
                looks.push((title.to_owned(), glyph, letter));
            }
        }
        assert!(looks.len() > 3, "{}: {looks:?}", entry.name);
    }
}

/// The grid games show a window around the farmer, whatever lies beyond it.
#[test]
fn beyond_the_window_a_learner_is_shown_nothing() {
    for (name, reach) in [("backwards_valley", 2), ("valley_farm", 2)] {
        let game = open(name, &[]);
        let (learner, everything) =
            (Mosaic::new(game.clone(), View::Learner).unwrap(), Mosaic::new(game.clone(), View::Everything).unwrap());
        let mut environment = Environment::new(game.clone());
        let mut hidden = 0;
        for seed in 0..5 {
            environment.reset(seed);
            let (_, x, y) = learner.position(environment.state()).unwrap();
            let (seen, all) = (learner.tiles(0, environment.state()), everything.tiles(0, environment.state()));
            let width = game.fields[0].width;
            for (i, (tile, whole)) in seen.iter().zip(&all).enumerate() {
                let far = x.abs_diff(i / width).max(y.abs_diff(i % width)) > reach;
                assert_eq!(tile.is_veiled, far, "{name}, tile {i}");
                assert!(!whole.is_veiled);
                if far {
                    assert!(tile.things.is_empty(), "{name}, tile {i}: {:?}", tile.things);
                    hidden += usize::from(whole.things.len() > 1);
                } else {
                    assert_eq!(tile.things, whole.things, "{name}, tile {i}");
                }
            }
        }
        assert!(hidden > 20, "{name}: there was something to hide");
    }
}

/// What happens to plants out of the farmer's window is not told, what happens within is.
#[test]
fn events_are_told_where_the_window_shows_their_plot() {
    let game = open("walking_farmer", &[]);
    let learner = Mosaic::new(game.clone(), View::Learner).unwrap();
    let everything = Mosaic::new(game.clone(), View::Everything).unwrap();
    let mut environment = Environment::new(game.clone());
    environment.reset(1);
    let mut player = farm_games::policy(&game, "random").unwrap();
    player.start(1);
    let width = game.fields[0].width;
    let (mut told, mut kept, mut schedule) = (0, 0, Vec::new());
    while !environment.state().over {
        schedule.clear();
        player.choose(&game, environment.state(), &mut schedule);
        let before = environment.state().clone();
        environment.step(&schedule).unwrap();
        let position: Vec<usize> =
            serde_json::from_value(environment.observation_json()["WalkingFarmer-0.position"].clone()).unwrap();
        for event in &environment.record().events {
            let (part, _) = &game.events[event.id.index()];
            if game.parts[*part].kind != "Plant" {
                continue;
            }
            let plot = event.plot as usize;
            let near = position[0].abs_diff(plot / width).max(position[1].abs_diff(plot % width)) <= 2;
            let states = (&before, environment.state());
            assert_eq!(learner.tells(states, *part, plot), near, "plot {plot} from {position:?}");
            assert!(everything.tells(states, *part, plot));
            *(if near { &mut told } else { &mut kept }) += 1;
        }
    }
    assert!(told > 0 && kept > 0, "{told} told, {kept} kept");
}

/// Where looking costs, the stage of plants is told of only where it is free or was asked for; a new day hides it again.
#[test]
fn where_looking_costs_events_are_told_only_of_what_is_free() {
    let free =
        |list: &str| [("interaction_mode", "aomdp".to_owned()), ("rules.BasicRule.free_observations", list.to_owned())];
    for (list, is_free) in
        [("[[Field-0, Plant-0, stage, '*']]", true), ("[[Field-0, Weather-0, 'day#int365', '*']]", false)]
    {
        let set = free(list);
        let set: Vec<(&str, &str)> = set.iter().map(|(path, value)| (*path, value.as_str())).collect();
        let game = open("clay_bean", &set);
        let learner = Mosaic::new(game.clone(), View::Learner).unwrap();
        let mut environment = Environment::new(game.clone());
        environment.reset(0);
        let mut events = 0;
        while !environment.state().over {
            let before = environment.state().clone();
            environment.step(&[]).unwrap();
            let shown = environment.observations();
            let is_shown = |entry: &Json| entry[2] == "stage";
            assert_eq!(shown.as_array().unwrap().iter().any(is_shown), is_free);
            let has_plants = |thing: &farm_render::Thing<'_>| thing.title.starts_with("Plants");
            let tiles = learner.tiles(0, environment.state());
            assert!(is_free || !tiles[0].things.iter().any(has_plants), "{tiles:?}");
            let values = learner.plot_values(0, (0, 0), environment.state());
            assert_eq!(values.iter().any(|value| value.variable == "stage"), is_free);
            assert!(values.iter().all(|value| value.variable == "stage"), "{values:?}");
            for event in &environment.record().events {
                let (part, _) = &game.events[event.id.index()];
                let told = learner.tells((&before, environment.state()), *part, event.plot as usize);
                if game.parts[*part].kind == "Plant" {
                    assert_eq!(told, is_free);
                    events += 1;
                }
            }
        }
        assert!(events > 5);
    }
}
