//! What players are told: one text for each game with the rules hidden, one with the rules shown.
//!
//! The texts stand in `instructions/`, each the output of `farm describe GAME --instructions hidden|shown`, read by people. After a change
//! that is meant `INSTA_UPDATE=always cargo test -p farm-games --test text_channel` writes them anew.

use farm_core::inspect::RulesText;
use farm_games::level::{Split, of_split};
use farm_games::{CATALOGUE, LevelFile};

use super::{game, game_on};

#[test]
fn instructions_of_every_game_are_as_reviewed() {
    for entry in CATALOGUE {
        let game = game(entry.name, None, &[]);
        for (rules, word) in [(RulesText::Hidden, "hidden"), (RulesText::Shown, "shown")] {
            let (name, told) = (format!("{}_{word}", entry.name), game.text().instructions(rules));
            insta::with_settings!({ snapshot_path => "instructions", prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(name, told);
            });
        }
    }
}

/// The texts of a game fit it with every preset and on every shipped level, where nothing is left to the declarations.
#[test]
fn every_preset_and_level_has_instructions_of_its_own() {
    for entry in CATALOGUE {
        let shipped = game(entry.name, None, &[]);
        let presets = shipped.spec().presets().keys().map(|preset| Some(preset.as_str()));
        for preset in std::iter::once(None).chain(presets) {
            let changed = game(entry.name, preset, &[]);
            let text = changed.text().instructions(RulesText::Shown);
            assert_eq!(changed.warnings().to_string(), "", "{} {preset:?}", entry.name);
            assert!(text.contains("\nRULES\n") && !text.contains(['{', '}']), "{text}");
            assert!(!text.contains("This game has these parts"), "{text}");
            let levels = Split::ALL.into_iter().flat_map(|split| of_split(entry.name, split));
            for level in levels.filter(|_| preset != Some("scattered")) {
                let source = level.source.clone();
                let level = game_on(entry.name, preset, level);
                // What is true of every world is told of each, and nothing of this one.
                assert_eq!(level.text().instructions(RulesText::Shown), text, "{} {preset:?} {source}", entry.name);
                assert_eq!(
                    level.text().instructions(RulesText::Hidden),
                    changed.text().instructions(RulesText::Hidden)
                );
            }
        }
    }
}

/// A level of other size, with other numbers of things and other values than the game draws.
#[test]
fn the_text_follows_the_level() {
    let level = "game: backwards_valley
agent: {at: [0, 1], facing: E}
map: |
  ...#
  ....
  ....
fields:
  - {at: [0, 0], stage: Seed, base_value#point: 2}
  - {at: [0, 2], stage: Seed, base_value#point: 9}
pens:
  - {at: [1, 0], stage: Weak}
villagers:
  - {at: [2, 0], mood: Neutral, base_value#point: 6}
steps#step: 12
";
    let told = |level: &str| {
        let game = game_on("backwards_valley", None, LevelFile::new("level.yaml", level));
        (game.text().instructions(RulesText::Shown), game.text().instructions(RulesText::Hidden))
    };
    let (shown, hidden) = told(level);
    for says in [
        "The map has 2 fields with one crop each, one pen with an animal, and one house with a villager.",
        "which is a whole number of points. For an animal, this number ranges from 1 to 3. For a villager, this number ranges from 3 to 6. You cannot see base values.",
        "at most 12 steps",
        "Values: 0 to 3; 0 to 2.",
    ] {
        assert!(shown.contains(says), "`{says}` is not in\n{shown}");
    }
    assert!(hidden.contains("at most 12 steps") && hidden.contains("Values: 0 to 3; 0 to 2."), "{hidden}");
    // As long as the values are those that the game may draw, the text says no more than the rules.
    let (usual, _) = told(&level.replace("base_value#point: 9", "base_value#point: 4"));
    assert!(usual.contains("For a crop, this number ranges from 2 to 5. For an animal"), "{usual}");

    let level = "game: valley_farm
agent: {at: [1, 1], inventory#nb: {seeds: 0}}
map: |
  .....
  .....
  ..#..
fields:
  - {at: [0, 0], stage: mature}
barns:
  - {at: [1, 0], species: cow, sated_steps#step: 3}
  - {at: [2, 0], species: hen}
villagers:
  - {at: [3, 0], relationship#point: 33}
markets:
  - {at: [4, 0]}
  - {at: [4, 1]}
";
    let game = game_on("valley_farm", None, LevelFile::new("level.yaml", &level.replace("hen", "chicken")));
    let shown = game.text().instructions(RulesText::Shown);
    let says = "The map has one crop field, 2 barns with one animal each, one villager and 2 markets.";
    assert!(shown.contains(says), "`{says}` is not in\n{shown}");
    assert!(!shown.contains("33") && !shown.contains("35"), "{shown}");
}

/// With the rules hidden nothing tells what an action does, nor the name of the game.
#[test]
fn hidden_rules_stay_hidden() {
    for entry in CATALOGUE {
        let game = game(entry.name, None, &[]);
        let text = game.text().instructions(RulesText::Hidden);
        for base in game.catalogue().base_actions() {
            // What can be asked for is no action of a part.
            let Some(action) = base.info(game.parts()) else { continue };
            assert!(!text.contains(action.doc()), "{}: {}", entry.name, action.doc());
            assert!(text.contains(action.name()), "{}: {}", entry.name, action.name());
        }
        for told in [game.spec().doc(), game.spec().name(), "RULES", "EVENTS", "WORLD"] {
            assert!(!text.contains(told), "{}: {told}", entry.name);
        }
    }
}

/// Numbers and choices of the rules come from the parameters.
#[test]
fn the_text_follows_the_parameters() {
    for (name, path, value, says) in [
        (
            "valley_farm",
            "fields.Field-0.entities.3.NeighbourTiles.gift_increment#point",
            "7",
            "one villager by 7, up to",
        ),
        ("valley_farm", "fields.Field-0.entities.2.AnimalTiles.sated_steps#step", "13", "for steps t+1 to t+13."),
        (
            "valley_farm",
            "fields.Field-0.entities.2.AnimalTiles.ticks_per_deposit#nb",
            "6",
            "the counter reaches 6, the animal",
        ),
        (
            "valley_farm",
            "fields.Field-0.entities.2.AnimalTiles.collecting",
            "always",
            "has products, whether it is hungry or sated.",
        ),
        ("valley_farm", "fields.Field-0.entities.2.AnimalTiles.products_per_deposit#nb", "2", "leaves 2 products"),
        (
            "valley_farm",
            "fields.Field-0.entities.1.CropTiles.watering_ripe",
            "uses_water",
            "even if the crop is mature and does not change.",
        ),
        ("valley_farm", "fields.Field-0.entities.1.CropTiles.count#nb", "6", "has 6 crop fields"),
        ("valley_farm", "fields.Field-0.entities.4.MarketTiles.payment", "truncated", "rounded down to whole coins"),
        ("valley_farm", "fields.Field-0.entities.4.MarketTiles.count#nb", "2", "and 2 markets."),
        (
            "valley_farm",
            "score.EventScore.weights#point",
            "{sale: 3}",
            "You receive 3 points for each coin from a sale.",
        ),
        ("valley_farm", "rules.BasicRule.max_steps", "60", "lasts 60 steps."),
        (
            "backwards_valley",
            "fields.Field-0.entities.1.StagedTiles.base_value#point",
            "[3, 9]",
            "For a crop, this number ranges from 3 to 9.",
        ),
        (
            "backwards_valley",
            "fields.Field-0.entities.1.StagedTiles.untended",
            "stays",
            "A crop stays in its current stage.",
        ),
        (
            "backwards_valley",
            "fields.Field-0.entities.2.StagedTiles.start_in_top_pays",
            "never",
            "starts in its last stage, it never pays out.",
        ),
        (
            "backwards_valley",
            "fields.Field-0.entities.3.StagedTiles.verbs.Insult",
            "first",
            "`Insult`: Returns the house in front of you to the Hostile stage.",
        ),
        (
            "backwards_valley",
            "farmers.0.GridFarmer.blocked_by",
            "[fence, outside, pen]",
            "any tile except `fence`, `outside` and `pen`.",
        ),
        (
            "backwards_valley",
            "score.MeterScore.meters.animal_health.max#point",
            "55",
            "the sum of all thriving payments, up to 55 points.",
        ),
        (
            "backwards_valley",
            "rules.BasicRule.stopping_conditions.0.0.ref_value",
            "250",
            "that is, when the sum of all meters reaches 250.",
        ),
        ("backwards_valley", "rules.BasicRule.unreadable", "wait", "A reply that cannot be read counts as `wait`."),
        (
            "clay_bean-v0",
            "score.BasicScore.final_reward_mix.yield#kg",
            "12.5",
            "this is added: 12.5 for each kilogram harvested.",
        ),
        (
            "clay_bean-v0",
            "score.BasicScore.reward_mix.soil",
            "2",
            "2 for the health of the microlife, 0 to 1, mean over plots; minus",
        ),
        ("clay_bean-v0", "rules.BasicRule.steps_per_day", "3", "3 steps make up one day."),
        ("clay_bean-v0", "interaction_mode", "aomdp", "A day has two steps."),
        ("full_farm-v0", "fields.Field-0.entities.2.Birds", "pest_eater", "Birds eat pests."),
    ] {
        let text = |set: &[(&str, &str)]| game(name, None, set).text().instructions(RulesText::Shown);
        let changed = text(&[(path, value)]);
        assert!(changed.contains(says), "{path}: `{says}` is not in\n{changed}");
        assert!(!text(&[]).contains(says), "{path}: `{says}` is there anyway");
    }
}

/// What players read is no part of the fingerprint: results and snapshots outlive a better wording.
#[test]
fn a_text_changes_nothing_of_what_is_played() {
    let of = |set: &[(&str, &str)]| game("valley_farm", None, set).fingerprint();
    let texts = [("goal", "'Another goal.'"), ("rules_text", "'Other rules.'"), ("doc", "'Another farm.'")];
    assert_eq!(of(&texts), of(&[]));
    assert_ne!(of(&[("rules.BasicRule.max_steps", "60")]), of(&[]));
}

/// A text that no longer fits gives way to what the game declares, and a warning says why; the game plays all the same.
#[test]
fn a_text_that_asks_for_what_the_game_lacks_is_a_warning_and_left_out() {
    for (text, says) in [
        ("{{ part('NeighbourTiles-0').gift_incremen }}", "did you mean `gift_increment`?"),
        ("{{ part('NeighbourTiles-0')['gift_incremen#point'] }}", "did you mean `gift_increment#point`?"),
        ("{{ part('NeighbourTile-0').gift_increment }}", "did you mean `NeighbourTiles-0`?"),
        ("{{ game.rules.BasicRule.max_step }}", "did you mean `max_steps`?"),
        ("{{ part('MarketTiles-0').payment | choose(truncated='x') }}", "no text is given for `exact`"),
        ("{% set a = part('MarketTiles-0').first %}{% set b = game.second %}{{ a }}", "has no `first`"),
        ("{{ part('CropTiles-0').stages[17] }}", "`stages` of `CropTiles-0` has no `17`"),
        ("{{ part('CropTiles-0').stages + 1 }}", "line 1, column 16 of the text"),
    ] {
        let game = game("valley_farm", None, &[("rules_text", &format!("\"Never told. {text}\""))]);
        let warnings = game.warnings().to_string();
        assert!(warnings.starts_with("warning") && warnings.contains(says), "{text}: {warnings}");
        assert!(warnings.contains("rules_text"), "{text}: {warnings}");
        let told = game.text().instructions(RulesText::Shown);
        assert!(!told.contains("Never told."), "{told}");
        assert!(
            told.contains(game.spec().doc()) && told.contains(". Field-0.MarketTiles-0: Markets. The farmer sells"),
            "{told}"
        );
        assert!(told.starts_with("TASK\n1. You are a farmer"), "the goal still fits: {told}");
    }
    // A score of another kind has nothing that the text speaks of.
    let other = game("clay_bean-v0", None, &[("score", "{ProfitScore: {}}")]);
    assert!(other.text().instructions(RulesText::Shown).contains(". ProfitScore-0: The profit of a farm"));
}

/// The rules of valley_farm with this text, or what is wrong with it.
fn rules_of(text: &str) -> Result<String, String> {
    let set = vec![("rules_text".to_owned(), format!("'{}'", text.replace('\'', "''")))];
    let game = farm_games::open("valley_farm", &farm_games::Options { set, ..Default::default() });
    let game = game.map_err(|problems| problems.to_string())?;
    assert_eq!(game.warnings().to_string(), "", "{text}");
    let told = game.text().instructions(RulesText::Shown);
    let (_, rules) = told.split_once("\nRULES\n").expect("rules are shown");
    Ok(rules.split("\n\nWORLD").next().unwrap_or_default().trim_start_matches("1. ").trim().to_owned())
}

#[test]
fn a_text_names_values_and_chooses_by_them() {
    for (text, says) in [
        ("{{ part('NeighbourTiles-0').number }}", "3"),
        ("{{ part('Field-0.NeighbourTiles-0')['gift_increment#point'] }}", "4"),
        ("{{ part('MarketTiles-0').number | plural('market', 'markets') }}", "market"),
        ("{{ part('NeighbourTiles-0').number | plural('one', 'homes') }}", "3 homes"),
        ("{{ part('MarketTiles-0').payment | choose(truncated='down', otherwise='as it is') }}", "as it is"),
        ("{{ part('CropTiles-0').stages | join(' or ') }}", "seedling or growing or mature"),
        ("{{ part('CropTiles-0').stages }}; {{ part('CropTiles-0').stages | length }}", "seedling, growing, mature; 3"),
        ("{% for stage in part('CropTiles-0').stages %}<{{ stage }}>{% endfor %}", "<seedling><growing><mature>"),
        (
            "{{ game.nothing | default('none') }} {{ part('Soil-0') is defined }} {{ game is defined }}",
            "none false true",
        ),
        ("{{ game.interaction_mode == 'fomdp' }} {{ 0.5 + 0.5 }} {{ 1 / 8 }}", "false 1 0.125"),
        ("{% if part('MarketTiles-0').number == 1 %}one{% else %}many{% endif %}", "one"),
        ("{a b} } {\"x\": [1.5]} {{ '{{' }}", "{a b} } {\"x\": [1.5]} {{"),
        ("{# said to nobody: * {{ #}said", "said"),
    ] {
        assert_eq!(rules_of(text).as_deref(), Ok(says), "{text}");
    }
}

#[test]
fn a_text_of_the_wrong_form_is_an_error_of_the_game() {
    for (text, says) in [
        ("one\ntwo {{ part('MarketTiles-0').number", "line 1, column"),
        ("{{ 1 + }}", "line 1, column 8 of the text"),
        ("{% if game %}", "unexpected end of input"),
        ("{{ rules.BasicRule.max_steps }}", "did you mean `game.rules`?"),
        ("{{ 1 | plurl('a', 'b') }}", "did you mean `plural`?"),
        ("{{ part('MarketTiles-0').number | plural('a') }}", "missing argument"),
        ("{% include 'x' %}", "unknown statement `include`"),
        ("{MarketTiles-0.number} markets", "write `{{ part(\"MarketTiles-0\").number }}`"),
        ("{Field-0.MarketTiles-0.prices#coin}", "write `{{ part(\"MarketTiles-0\").prices }}`"),
        ("{CropTiles-0.stages.0}", "write `{{ part(\"CropTiles-0\").stages[0] }}`"),
        ("{rules.BasicRule.max_steps}", "write `{{ game.rules.BasicRule.max_steps }}`"),
        ("{fields.Field-0.shape.length#nb}", "write `{{ game.fields[\"Field-0\"].shape.length }}`"),
        ("{MarketTiles-0.payment?exact=|x}", "part(\"MarketTiles-0\").payment | choose("),
        ("{interaction_mode?aomdp=x|{a.b}}", "game.interaction_mode == "),
    ] {
        let problems = rules_of(text).expect_err(text);
        assert!(problems.contains(says) && problems.contains("rules_text"), "{text}: {problems}");
    }
}

/// Whoever wrote the game file: a text neither takes long nor fills the memory.
#[test]
fn a_hostile_text_is_refused_before_it_grows() {
    let doubled = format!("{{% set a = 'xx' %}}{}{{{{ a }}}}", "{% set a = a ~ a %}".repeat(40));
    let captured = format!("{{% set a %}}xx{{% endset %}}{}", "{% set a %}{{ a }}{{ a }}{% endset %}".repeat(40));
    let nested = format!("{{% set a = 1 %}}{}", "{% set a = [a] %}".repeat(4000));
    let loops = |depth: usize, inner: &str| {
        let (start, end) = ("{% for a in game %}".repeat(depth), "{% endfor %}".repeat(depth));
        format!("{start}{inner}{end}")
    };
    let long = loops(2, &"x".repeat(2000));
    let deep = format!("{{{{ {}1{} }}}}", "(".repeat(10_000), ")".repeat(10_000));
    let joins = format!("{{{{ ['a'{}] | join('yyy') | join('{}') }}}}", ", 'a'".repeat(50), "z".repeat(1000));
    for (text, says) in [
        ("{% for i in range(1000000000) %}x{% endfor %}", "range is unknown"),
        ("{{ 'x' * 1000000000 }}", "multiplication is not allowed"),
        ("{{ 9 ** 9 ** 9 }}", "multiplication is not allowed"),
        ("{{ {'a': {'b': 1}} * 3 }}", "braces"),
        ("{% for a in game recursive %}{{ loop(game) }}{{ loop(game) }}{% endfor %}", "`for` takes only the name"),
        ("{% for a in ['x' ~ 'x'] %}{{ a }}{% endfor %}", "`for` takes only the name"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "unknown statement `macro`"),
        (&doubled, "`set` takes only the name"),
        (&captured, "`set` takes only the name"),
        (&nested, "`set` takes only the name"),
        (&loops(9, "x"), "more than 5000 steps"),
        (&long, "longer than 65536 bytes"),
        (&deep, "can't be read"),
        (&joins, "longer than 65536 bytes"),
    ] {
        let problems = rules_of(text).expect_err(&text[..text.len().min(80)]);
        assert!(problems.contains(says), "{says}: {problems}");
    }
}
