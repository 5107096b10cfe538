//! What players are told: one text for each game with the rules hidden, one with the rules shown.
//!
//! The texts stand in `instructions/`, each the output of `farm describe GAME --instructions hidden|shown`, read by people.

use farm_core::instructions::RulesText;
use farm_games::CATALOGUE;

use super::{environment, game};

#[test]
fn instructions_of_every_game_are_as_reviewed() {
    for entry in CATALOGUE {
        let game = game(entry.name, None, &[]);
        for (rules, word) in [(RulesText::Hidden, "hidden"), (RulesText::Shown, "shown")] {
            let file =
                format!("{}/tests/text_channel/instructions/{}_{word}.txt", env!("CARGO_MANIFEST_DIR"), entry.name);
            let reviewed = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
            let message =
                "`farm describe GAME --instructions hidden|shown` prints another text: review it, and store it there";
            assert_eq!(game.instructions(rules), reviewed, "{file}\n{message}");
        }
    }
}

#[test]
fn every_preset_has_instructions() {
    for entry in CATALOGUE {
        let presets: Vec<String> = game(entry.name, None, &[]).spec.presets.keys().cloned().collect();
        for preset in presets {
            let text = game(entry.name, Some(&preset), &[]).instructions(RulesText::Shown);
            assert!(text.contains("\nRULES\n") && !text.contains(['{', '}']), "{text}");
        }
    }
}

/// With the rules hidden nothing tells what an action does, nor the name of the game.
#[test]
fn hidden_rules_stay_hidden() {
    for entry in CATALOGUE {
        let game = game(entry.name, None, &[]);
        let text = game.instructions(RulesText::Hidden);
        for base in &game.catalogue.bases {
            let action = base.info(&game.parts).expect("all are interventions");
            assert!(!text.contains(&action.doc), "{}: {}", entry.name, action.doc);
            assert!(text.contains(&action.name), "{}: {}", entry.name, action.name);
        }
        for told in [&game.spec.doc, &game.spec.name, "RULES", "EVENTS", "THE END"] {
            assert!(!text.contains(told), "{}: {told}", entry.name);
        }
    }
}

/// Numbers and choices of the rules come from the parameters.
#[test]
fn the_text_follows_the_parameters() {
    for (name, path, value, says) in [
        ("valley_farm", "fields.Field-0.entities.3.NeighbourTiles.gift_increment#point", "7", "one villager by 7,"),
        ("valley_farm", "fields.Field-0.entities.2.AnimalTiles.sated_steps#step", "13", "for the 13 steps that follow"),
        ("valley_farm", "fields.Field-0.entities.2.AnimalTiles.ticks_per_deposit#nb", "6", "Every 6 ticks"),
        ("valley_farm", "fields.Field-0.entities.2.AnimalTiles.collecting", "always", "be the animal sated or hungry"),
        ("valley_farm", "fields.Field-0.entities.1.CropTiles.watering_ripe", "uses_water", "is used up for nothing"),
        ("valley_farm", "fields.Field-0.entities.4.MarketTiles.payment", "truncated", "rounded down to whole coins"),
        ("valley_farm", "rules.BasicRule.max_steps", "60", "after 60 steps"),
        ("backwards_valley", "fields.Field-0.entities.1.StagedTiles.base_value#point", "[3, 9]", "3 to 9 for a crop"),
        (
            "backwards_valley",
            "fields.Field-0.entities.1.StagedTiles.untended",
            "stays",
            "A crop that no verb reached in this step stays as it is",
        ),
        (
            "backwards_valley",
            "fields.Field-0.entities.2.StagedTiles.start_in_top_pays",
            "never",
            "starts in its last stage never pays",
        ),
        ("backwards_valley", "score.MeterScore.meters.animal_health.max#point", "55", "\n   55; what villagers pay"),
        ("clay_bean", "score.BasicScore.final_reward_mix.yield#kg", "12.5", "12.5 for each kilogram"),
        ("backwards_valley", "rules.BasicRule.unreadable", "wait", "What can't be read counts as waiting."),
    ] {
        let text = |set: &[(&str, &str)]| game(name, None, set).instructions(RulesText::Shown);
        let changed = text(&[(path, value)]);
        assert!(changed.contains(says), "{path}: `{says}` is not in\n{changed}");
        assert!(!text(&[]).contains(says), "{path}: `{says}` is there anyway");
    }
}

#[test]
fn a_placeholder_without_a_value_is_a_problem_of_the_game() {
    for (text, says) in [
        ("{NeighbourTiles-0.gift_incremen#point}", "did you mean `gift_increment#point`?"),
        ("{NeighbourTile-0.gift_increment#point}", "no parameter"),
        ("{rules.BasicRule.max_step}", "did you mean `max_steps`?"),
        ("{MarketTiles-0.payment?truncated=x}", "no text is given"),
        ("{never closed", "never closed"),
        ("closes nothing}", "closes nothing"),
    ] {
        let set = vec![("rules_text".to_owned(), format!("\"{text}\""))];
        let problems = farm_games::open("valley_farm", &farm_games::Options { set, ..Default::default() });
        let problems = problems.map(|game| game.spec.name).expect_err(text).to_string();
        assert!(problems.contains(says) && problems.contains("rules_text"), "{text}: {problems}");
    }
    let set = [("rules_text", "\"{{as it is}} {NeighbourTiles-0.count#nb}\"")];
    assert!(game("valley_farm", None, &set).instructions(RulesText::Shown).contains("{as it is} 3\n"));
}

/// The farmer's own tile stands in brackets in the middle of the window, and the text reads back.
#[test]
fn the_own_tile_is_marked() {
    for name in ["backwards_valley", "valley_farm"] {
        let mut env = environment(name, None, &[]);
        for action in ["wait", "move n", "moven", "move north", "wait"] {
            env.text_step(action).unwrap();
            let text = env.observation_text();
            let rows: Vec<Vec<&str>> =
                text.lines().skip(1).take(5).map(|row| row.split_whitespace().collect()).collect();
            assert!(rows.iter().all(|row| row.len() == 5), "{text}");
            assert!(rows[2][2].starts_with('[') && rows[2][2].ends_with(']'), "{text}");
            assert_eq!(text.matches('[').count(), 1, "{text}");
            assert_eq!(env.game().observation.parse_text(&text).as_deref(), Ok(env.observation()), "{text}");
        }
    }
}
