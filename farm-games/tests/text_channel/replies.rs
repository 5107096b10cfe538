//! Replies as language models write them: what counts of a text, and what is refused.

use serde_json::json;

use super::{environment, game};

/// A reply, and the action that it means in Backwards Valley; none where it is refused.
const BACKWARDS: &[(&str, Option<&str>)] = &[
    // The name, in any spelling.
    ("MoveN", Some("MoveN")),
    ("moven", Some("MoveN")),
    ("MOVE N", Some("MoveN")),
    ("move_n", Some("MoveN")),
    ("Move North", Some("MoveN")),
    ("move_north", Some("MoveN")),
    ("MoveNorth", Some("MoveN")),
    ("move west", Some("MoveW")),
    ("'MoveN'", Some("MoveN")),
    ("`MoveN`", Some("MoveN")),
    ("**MoveN**", Some("MoveN")),
    ("MoveN.", Some("MoveN")),
    ("1. MoveN", Some("MoveN")),
    ("- MoveN", Some("MoveN")),
    ("> MoveN", Some("MoveN")),
    ("MoveN()", Some("MoveN")),
    ("[MoveN]", Some("MoveN")),
    ("[\"MoveN\"]", Some("MoveN")),
    ("use watering can", Some("UseWateringCan")),
    ("MoveN because the crop stands there", Some("MoveN")),
    // JSON, alone.
    ("{\"action\": \"MoveN\"}", Some("MoveN")),
    ("{\"action\": \"move north\"}", Some("MoveN")),
    ("{\"action\": \"MoveN\", \"params\": {}}", Some("MoveN")),
    ("{\"thought\": \"to the crop; then wait\", \"action\": \"MoveN\"}", Some("MoveN")),
    ("{\"name\": \"MoveN\", \"arguments\": {}}", Some("MoveN")),
    ("{\"actions\": [\"MoveN\"]}", Some("MoveN")),
    ("{\"action\": {\"name\": \"MoveN\"}}", Some("MoveN")),
    // JSON among other words.
    ("```json\n{\"action\": \"MoveN\", \"params\": {}}\n```", Some("MoveN")),
    ("```json\n{\"action\": \"MoveN\"}\n```", Some("MoveN")),
    ("```\n{\n  \"thought\": \"north\",\n  \"action\": \"MoveN\",\n  \"params\": {}\n}\n```", Some("MoveN")),
    ("I go north.\n```json\n{\"action\": \"MoveN\"}\n```\nThat is all.", Some("MoveN")),
    ("I could do {\"action\": \"MoveE\"}, but better {\"action\": \"MoveN\"}.", Some("MoveN")),
    ("{\"tool\": \"act\", \"input\": {\"action\": \"MoveN\"}}", Some("MoveN")),
    ("Wait... {\"action\": \"MoveN\"}", Some("MoveN")),
    // Marked.
    ("Action: MoveN", Some("MoveN")),
    ("**Action:** MoveN", Some("MoveN")),
    ("Action: [MoveN]", Some("MoveN")),
    ("Action: `MoveN`", Some("MoveN")),
    ("action = MoveN", Some("MoveN")),
    ("Action:\nMoveN", Some("MoveN")),
    ("I think I will move north.\nAction: MoveN", Some("MoveN")),
    ("Thought: the crop is in the north; I wait no more.\nAction: MoveN", Some("MoveN")),
    ("Thought: a\nAction: MoveE\nThought: no, b\nFinal action: MoveN\nDone.", Some("MoveN")),
    ("Wait.\nAction: MoveN", Some("MoveN")),
    ("I look around.\nAction: MoveE\nAction: MoveN", Some("MoveN")),
    ("Action: Fly\nAction: MoveN", Some("MoveN")),
    ("<action>MoveN</action>", Some("MoveN")),
    ("I go north. <action>MoveN</action>", Some("MoveN")),
    ("\\boxed{MoveN}", Some("MoveN")),
    ("So the answer is $\\boxed{\\text{MoveN}}$.", Some("MoveN")),
    // The last line.
    ("<thinking>The crop is in the north.</thinking>\nMoveN", Some("MoveN")),
    ("<think>MoveE\nor\nMoveS</think> MoveN", Some("MoveN")),
    ("I see a crop in the north.\n\nMoveN", Some("MoveN")),
    ("I go north:\n```\nMoveN\n```", Some("MoveN")),
    ("Okay.\nMoveN", Some("MoveN")),
    ("Okay\nMoveN", Some("MoveN")),
    ("Thinking\n\nMoveN", Some("MoveN")),
    ("spray\nMoveN", Some("MoveN")),
    ("Moving north brings me to the crop.\nMoveN", Some("MoveN")),
    // A sentence chooses an action whose name is not an ordinary word.
    ("I will use MoveN now", Some("MoveN")),
    ("The best move is **Wait**.", Some("Wait")),
    ("MoveN 3", Some("MoveN")),
    ("Action: Wait until it is ripe", Some("Wait")),
    ("Action: MoveN, then MoveE", Some("MoveN")),
    ("{\"action\": 0}", Some("MoveN")),
    // Sentences that decide on nothing, or against it.
    ("I will wait.", None),
    ("I should Insult", None),
    ("I will not Insult the villager.", None),
    ("If it rains, I will MoveN.", None),
    ("Thought: I will MoveN", None),
    ("MoveN or MoveE", None),
    ("MoveN is blocked", None),
    ("Available actions: MoveN, MoveE", None),
    ("Previous action: MoveN", None),
    ("<think>MoveN", None),
    ("<think>MoveN</think>", None),
    ("{\"action\": 99}", None),
    ("{\"action\": null}", None),
    ("{\"action\": \"MoveN", None),
    // Not guessed: synonyms, numbers, actions within a sentence.
    ("north", None),
    ("N", None),
    ("pass", None),
    ("do nothing", None),
    ("water", None),
    ("plant", None),
    ("insult the villager", None),
    ("Give gift to villager 1", None),
    ("3", None),
    ("", None),
    // A mistake is not left out.
    ("Thought: go.\nAction: Fly", None),
    ("```json\n{\"action\": \"Fly\", \"params\": {}}\n```", None),
    ("MoveNort\nMoveE", None),
];

#[test]
fn replies_of_language_models_are_read_or_refused_with_a_reason() {
    assert!(BACKWARDS.len() >= 62);
    let mut env = environment("backwards_valley", None, &[]);
    for (text, meant) in BACKWARDS {
        env.reset(3);
        let game = env.game().clone();
        let catalogue = game.catalogue();
        let parsed = env.game().text().parse(text);
        env.step(*text).unwrap();
        let rejected = env.info().to_json()["rejected"].clone();
        match meant {
            Some(name) => {
                let expected = catalogue.parse_line(name).unwrap();
                assert_eq!(parsed, Ok(expected.clone()), "{text:?}");
                assert_eq!(env.record().executed(), expected, "{text:?}");
                assert_eq!(rejected, json!([]), "{text:?}");
            }
            None => {
                let problem = parsed.expect_err(text).sentence();
                assert_eq!((env.state().step(), env.record().executed().len()), (0, 0), "{text:?}");
                let reasons: Vec<&str> =
                    rejected.as_array().unwrap().iter().filter_map(|r| r["reason"].as_str()).collect();
                assert!(!problem.is_empty() && reasons.contains(&problem.as_str()), "{text:?}: {rejected}");
                assert!(env.text().contains("no step passed"), "{}", env.text());
            }
        }
    }
}

/// The names of the instructions count in JSON, too: with a part before them, without parameters that have one value, and waiting.
#[test]
fn json_names_actions_as_the_instructions_do() {
    for (game, json, text) in [
        ("full_farm", r#"{"action": "Cide-0.scatter", "params": {"amount": 0.005}}"#, "Cide-0.scatter(amount=0.005)"),
        (
            "full_farm",
            r#"{"action": "sow", "arguments": {"plot": [0, 0], "amount#seed": 660, "cultivar": "late"}}"#,
            "sow(amount=660, cultivar=late)",
        ),
        ("full_farm", r#"{"action": "put_scarecrow", "params": {"type": "basic"}}"#, "put_scarecrow(type=basic)"),
        ("full_farm", r#"{"thought": "dry?", "action": "wait"}"#, "wait"),
        (
            "costly_clay_bean",
            r#"{"action": "observe Field-0.Soil-0.available_N#g"}"#,
            "observe Field-0.Soil-0.available_N#g",
        ),
    ] {
        let env = environment(game, None, &[]);
        let [read, meant] =
            [json, text].map(|text| env.game().text().parse(text).unwrap_or_else(|problem| panic!("{problem}")));
        assert_eq!(read, meant, "{json}");
    }
    let env = environment("full_farm", None, &[]);
    for (json, told) in [
        (r#"{"action": "Cide-0.scater", "params": {"amount": 0.005}}"#, "did you mean `scatter`?"),
        (r#"{"action": "sow", "params": {"amont": 660}}"#, "no parameter `amont`"),
        (r#"{"action": "sow", "params": {"amount": 7}}"#, "7"),
        (r#"{"action": "sow", "params": {"amount": {"seeds": 660}}}"#, ""),
    ] {
        let problem = env.game().text().parse(json).expect_err(json).to_string();
        assert!(problem.contains(told), "{json}: {problem}");
    }
}

#[test]
fn directions_are_read_in_full_and_short_in_every_game_with_moves() {
    for name in ["backwards_valley", "valley_farm", "walking_farmer-v0"] {
        let game = game(name, None, &[]);
        let read =
            |text: &str| game.catalogue().parse_line(text).unwrap_or_else(|problem| panic!("{name} {text}: {problem}"));
        for (short, full) in [("N", "North"), ("S", "South"), ("E", "East"), ("W", "West")] {
            let meant = read(&format!("Move{full}"));
            assert_eq!(meant.len(), 1);
            let spelt =
                [format!("Move{short}"), format!("move {full}"), format!("move_{short}"), format!("MOVE {short}")];
            for text in spelt {
                assert_eq!(read(&text), meant, "{name}: {text}");
            }
        }
        assert!(game.catalogue().parse_line("north").is_err());
    }
}

#[test]
fn what_can_be_read_of_a_text_is_played_where_the_rules_let_it_wait() {
    let mut env = environment("backwards_valley", Some("autoenv_compat"), &[]);
    for (text, done, unread) in [
        ("Thought: to the crop\nAction: MoveN", "MoveN", 0),
        ("MoveN; Fly", "MoveN", 1),
        ("Fly; MoveE", "MoveE", 1),
        ("[\"Fly\", \"MoveE\"]", "MoveE", 1),
        ("Fly", "Wait", 1),
        ("Thought: to the crop\nAction: Fly", "Wait", 1),
    ] {
        env.reset(3);
        env.step(text).unwrap();
        let expected = env.game().catalogue().parse_line(done).unwrap();
        assert_eq!(env.record().executed(), expected, "{text:?}");
        assert_eq!((env.record().rejected().len(), env.info().rejected().len()), (0, unread), "{text:?}");
        let parsed = env.game().text().parse(text);
        assert_eq!(parsed.as_deref().ok(), (done != "Wait").then_some(&*expected), "{text:?}");
    }
}

/// A text with more actions than a step takes means the same however it comes in: the first are done, the others are refused.
#[test]
fn more_actions_than_a_step_takes_are_told() {
    for name in ["backwards_valley", "valley_farm"] {
        let mut env = environment(name, None, &[]);
        let schedule = env.game().text().parse("MoveS; MoveE").unwrap();
        let mut other = env.clone();
        env.step("MoveS; MoveE").unwrap();
        other.step(&schedule).unwrap();
        assert_eq!(env.snapshot(), other.snapshot());
        assert_eq!(env.info().to_json()["rejected"], other.info().to_json()["rejected"]);
        assert_eq!((env.record().executed().len(), env.record().rejected().len()), (1, 1));
        assert!(env.text().contains("\nnot done: Move"), "{}", env.text());
    }
}

#[test]
fn in_a_schedule_no_line_that_was_meant_as_an_action_is_left_out() {
    let set =
        [("rules.BasicRule.max_action_schedule_size", "3"), ("farmers.0.BasicFarmer.max_daily_interventions", "3")];
    let game = game("clay_bean-v0", Some("4x3"), &set);
    let read =
        |text: &str| game.catalogue().parse_line(text).map(|calls| calls.len()).map_err(|problem| problem.sentence());
    assert_eq!(read("It is dry, so I water twice.\nwater_discrete((0, 0), 5)\nwater_discrete((1, 0), 5)"), Ok(2));
    assert_eq!(read("Thought: dry.\nAction: water_discrete((0, 0), 5)\nAction: harvest"), Ok(2));
    assert_eq!(read("Dry.\n```json\n[{\"action\": \"harvest\"}, {\"action\": \"harvest\"}]\n```"), Ok(2));
    for (text, reason) in [
        ("hravest\nwater_discrete((0, 0), 5)", "did you mean `harvest`?"),
        ("water_discrete((9, 9), 5)\nharvest", "does not allow this value of `plot`"),
        ("harvest\nthen I think about it\nharvest", "no action"),
    ] {
        assert!(read(text).is_err_and(|said| said.contains(reason)), "{text}: {:?}", read(text));
    }
}

#[test]
fn texts_that_can_not_be_read_are_counted_and_may_be_limited() {
    let mut env = environment("backwards_valley", None, &[("rules.BasicRule.max_refused_texts", "2")]);
    for (text, step, count) in [
        ("fly", 0, 1),
        ("MoveN; fly", 0, 2),
        ("fly", 1, 3),
        ("fly", 1, 4),
        ("MoveS", 2, 4),
        ("fly", 2, 5),
        ("fly", 2, 6),
    ] {
        env.step(text).unwrap();
        assert_eq!((env.state().step(), env.info().to_json()["refused texts"].as_u64()), (step, Some(count)), "{text}");
    }
    env.step("MoveN; fly").unwrap();
    assert_eq!(
        env.record().executed(),
        env.game().catalogue().parse_line("MoveN").unwrap(),
        "what can be read is played"
    );
    env.reset(3);
    assert_eq!(env.info().to_json()["refused texts"], 0);
    let told = env.game().text().instructions(farm_core::inspect::RulesText::Hidden);
    assert!(told.contains("After 2 rejected replies in a row"), "{told}");
    let mut unlimited = environment("backwards_valley", None, &[]);
    (0..100).for_each(|_| {
        unlimited.step("fly").unwrap();
    });
    assert_eq!((unlimited.state().step(), unlimited.last_step().rejected_texts()), (0, 100));
}

#[test]
fn the_text_tells_reward_refusal_and_end() {
    let mut env = environment("backwards_valley", None, &[]);
    let observation = |env: &farm_core::Environment| env.game().observation().to_text(env.observation());
    assert_eq!(env.text(), observation(&env), "nothing has happened yet");
    env.step("wait").unwrap();
    let reward = env.observation_json()["farm_value"].as_f64().unwrap();
    assert_eq!(env.text(), format!("{}last reward: {reward}\n", observation(&env)));
    env.step("Complimnt").unwrap();
    let told = env.text();
    let added = told.strip_prefix(&observation(&env)).unwrap();
    assert!(
        added.starts_with("rejected, no step passed: the reply cannot be read\nnot read: ")
            && !added.contains("reward"),
        "{added}"
    );
    assert!(added.contains("did you mean `Compliment`?"), "{added}");
    while !env.state().over() {
        env.step("wait").unwrap();
    }
    assert!(env.text().ends_with("\nthe episode is over: after 40 steps\n"), "{}", env.text());
    // A game that stops on a condition says it in the words of its observation.
    let stop = "[[{state_variable: [MeterScore-0, farm_value], function: value, operator: '>=', ref_value: 0}]]";
    let mut env = environment("backwards_valley", None, &[("rules.BasicRule.stopping_conditions", stop)]);
    env.step("wait").unwrap();
    assert!(env.text().ends_with("\nthe episode is over: farm_value reaches 0\n"), "{}", env.text());
    assert_eq!(env.info().to_json()["stop"], "farm_value reaches 0");
}

/// Values of plots stand as on a map, a line for each y; and where looking costs, the limit counts days.
#[test]
fn plots_stand_in_a_line_for_each_y() {
    let env = environment("clay_bean-v0", Some("4x3"), &[]);
    let text = env.game().observation().to_text(env.observation());
    let key = "Field-0.Soil-0.available_Water#L:";
    let lines: Vec<Vec<f32>> = text[text.find(key).expect("it is seen") + key.len()..]
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    assert_eq!((lines.len(), lines[0].len()), (3, 4), "{text}");
    let json = env.observation_json();
    for (y, line) in lines.iter().enumerate() {
        for (x, value) in line.iter().enumerate() {
            assert_eq!(json["Field-0.Soil-0.available_Water#L"][x][y].as_f64().unwrap() as f32, *value);
        }
    }
    let days = game("clay_bean-v0", None, &[("interaction_mode", "aomdp"), ("rules.BasicRule.max_steps", "220")]);
    assert!(farm_core::inspect::endings(&days).contains(&"after 220 days (440 steps)".to_owned()));
}
