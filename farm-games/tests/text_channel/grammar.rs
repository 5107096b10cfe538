//! Many spellings of every action, texts that are no action, and what becomes of them.

use proptest::prelude::*;

use super::{environment, game};

/// The words of `WaterCrop` or `water_discrete`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            words.push(String::new());
        }
        if letter != '_' {
            words.last_mut().expect("never empty").push(letter);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Spellings of a name that differ in case, spacing, quotes and punctuation.
fn spellings(name: &str) -> Vec<String> {
    let words = words(name);
    let (lower, upper) = (name.to_lowercase(), name.to_uppercase());
    let mut all = vec![
        name.to_owned(),
        words.join(" "),
        words.join("_").to_lowercase(),
        words.join("-").to_uppercase(),
        format!("  {lower}\t"),
        format!("{upper}!"),
    ];
    for quoted in
        ["`{}`", "\"{}\"", "'{}'", "**{}**", "“{}”", "{}.", "- {}", "1. {}", "2) {}", "> {}", "Action: {}", "{}()"]
    {
        all.push(quoted.replace("{}", name));
        all.push(quoted.replace("{}", &lower));
    }
    all.push(format!("ACTION : `{upper}`."));
    all.push(format!("```\n{name}\n```"));
    all.push(format!("```text\r\n{lower}\r\n```"));
    all.push(format!("[{name}]"));
    all.push(format!("[\"{lower}\"]"));
    all
}

#[test]
fn every_action_of_both_valleys_is_read_in_every_spelling() {
    for name in ["backwards_valley", "valley_farm"] {
        let game = game(name, None, &[]);
        let catalogue = game.catalogue();
        for id in 0..catalogue.discrete_len() {
            let calls = catalogue.discrete(id).unwrap();
            let base = &catalogue.base_actions()[calls[0].base()];
            let part = &game.parts()[base.part()];
            let action = base.name(game.parts());
            let full = format!("{}.{action}", part.path());
            let spelt = spellings(action).into_iter();
            for text in spelt.chain([full.clone(), full.to_uppercase(), format!("{} {action}", part.name())]) {
                assert_eq!(catalogue.parse_line(&text).as_deref(), Ok(calls), "{text:?}");
            }
        }
    }
}

#[test]
fn every_action_of_the_farm_games_is_read_with_its_parameters() {
    for name in ["clay_bean-v0", "full_farm-v0"] {
        for preset in [None, Some("4x3")] {
            let game = game(name, preset, &[]);
            let catalogue = game.catalogue();
            for call in catalogue.calls() {
                let (full, short) = (catalogue.describe(call), catalogue.write(call));
                assert!(short.len() < full.len(), "{short}");
                let json = catalogue.to_json(call).to_string();
                let (name, arguments) = short.split_once('(').unwrap_or((&short, ""));
                let (name, arguments) = (name.to_owned(), arguments.strip_suffix(')').unwrap_or(arguments).to_owned());
                for text in [
                    json,
                    full.to_uppercase(),
                    full.replace(' ', ""),
                    full.replace(", ", " , ").replace('=', " = "),
                    full.replace('=', ": "),
                    format!("`{full}`."),
                    short.to_lowercase(),
                    format!("{name} {arguments}"),
                    format!("{name}({})", arguments.replace('(', "[").replace(')', "]")),
                    full,
                    short,
                ] {
                    assert_eq!(catalogue.parse_line(&text).as_deref(), Ok(&[*call][..]), "{text:?}");
                }
            }
        }
    }
}

#[test]
fn parameters_may_lack_names_and_units() {
    let game = game("clay_bean-v0", Some("4x3"), &[]);
    let read = |text: &str| game.catalogue().parse_line(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
    let exact = read(r#"["Field-0", "Soil-0", "water_discrete", {"plot": [3, 2], "amount#L": 5, "duration#min": 60}]"#);
    for text in [
        "water_discrete(plot=(3, 2), amount#L=5)",
        "Water Discrete (plot = (3,2), amount = 5)",
        "water discrete plot=(3, 2) amount=5",
        "water_discrete((3, 2), 5)",
        "water_discrete(3, 2, 5)",
        "water_discrete([3, 2], 5.0, 60)",
        "water-discrete(plot=[3 2], amount: 5L)",
        "water_discrete(plot=(3, 2), amount=5 L, duration=60 min)",
        "soil-0 WATER_DISCRETE {plot: (3, 2), \"amount#L\": '5'}",
        "basicfarmer-0.field-0.soil-0.water_discrete(amount=5, plot=(3, 2))",
    ] {
        assert_eq!(read(text), exact, "{text}");
    }
    for (wrong, said) in [
        ("water_discrete(plot=(3, 2))", "needs `amount#L`"),
        ("water_discrete(plot=(4, 0), amount=5)", "does not allow this value of `plot`"),
        ("water_discrete(plot=(-1, 0), amount=5)", "does not allow this value of `plot`"),
        ("water_discrete(plot=(3, 2), amount=4)", "one of 1.0, 2.0, 3.0, 5.0, 10.0, 20.0"),
        ("water_discrete(plot=(3, 2), amount=nan)", "does not allow this value of `amount#L`"),
        ("water_discrete(plot=(3, 2), amuont=5)", "did you mean `amount#L`?"),
        ("water_discrete(plot=(3, 2), amount=5, amount=5)", "given twice"),
        ("harvest(3)", "has no parameter left for `3`"),
        ("hravest", "did you mean `harvest`?"),
        ("Plant-0.harvst", "did you mean `harvest`?"),
        ("observe stage", "no observation `stage`"),
    ] {
        let problem = game.catalogue().parse_line(wrong).map(|calls| calls.len()).expect_err(wrong).sentence();
        assert!(problem.contains(said), "{wrong}: {problem}");
    }
}

#[test]
fn what_two_parts_can_do_is_ambiguous() {
    let game = game("full_farm-v0", None, &[]);
    let problem = game.catalogue().parse_line("Scatter(plot=(0, 0))").expect_err("three parts scatter").sentence();
    assert!(problem.contains("ambiguous: Field-0.Fertilizer-0.scatter or Field-0.Cide-0.scatter"), "{problem}");
    assert!(game.catalogue().parse_line("cide-1 scatter(plot=(0, 0))").is_ok());
}

#[test]
fn requests_are_read_as_described_where_looking_costs() {
    let game = game("clay_bean-v0", Some("4x3"), &[("interaction_mode", "aomdp")]);
    for call in game.catalogue().calls().iter().filter(|call| game.catalogue().describe(call).starts_with("observe")) {
        let text = game.catalogue().describe(call);
        for text in [text.to_lowercase(), text.to_uppercase(), format!("`{text}`"), game.catalogue().write(call)] {
            assert_eq!(game.catalogue().parse_line(&text).as_deref(), Ok(&[*call][..]), "{text}");
        }
    }
}

#[test]
fn an_unreadable_text_is_refused_and_time_stands_still() {
    let mut env = environment("backwards_valley", None, &[]);
    let before = env.snapshot();
    for (text, nearest) in
        [("MoveNort", "did you mean `MoveN`?"), ("", "there is no action"), ("MoveN; Feeed", "`Feed`")]
    {
        let outcome = env.step(text).unwrap();
        assert_eq!((outcome.reward, outcome.over()), (0.0, false));
        assert_eq!(env.snapshot(), before, "{text}");
        let rejected = &env.info().to_json()["rejected"];
        assert_eq!(rejected.as_array().map(Vec::len), Some(1), "{rejected}");
        assert!(rejected[0]["reason"].as_str().unwrap_or_default().contains(nearest), "{rejected}");
    }
    env.step("move n").unwrap();
    assert_eq!((env.state().step(), env.info().to_json()["rejected"].to_string()), (1, "[]".to_owned()));
}

#[test]
fn an_unreadable_text_counts_as_waiting_where_the_rules_say_so() {
    let mut env = environment("backwards_valley", None, &[("rules.BasicRule.unreadable", "wait")]);
    let mut waiting = env.clone();
    env.step("sing a song").unwrap();
    waiting.step("WAIT").unwrap();
    assert_eq!(env.snapshot(), waiting.snapshot());
    assert_eq!(env.info().to_json()["rejected"][0]["action"], "sing a song");
    for _ in 1..40 {
        env.step("?").unwrap();
    }
    assert!(env.step("wait").is_err(), "the episode is over");
}

#[test]
fn several_actions_fill_a_schedule() {
    let set =
        [("rules.BasicRule.max_action_schedule_size", "3"), ("farmers.0.BasicFarmer.max_daily_interventions", "3")];
    let mut env = environment("clay_bean-v0", Some("4x3"), &set);
    env.step("water_discrete((0, 0), 5); water discrete plot=(1, 0) amount=5\n- harvest").unwrap();
    assert_eq!(env.record().executed().len(), 3);
    env.step("water_discrete((0, 0), 5)\nwater_discrete((1, 0), 5)\nharvest\nmicro_harvest(0, 0)").unwrap();
    assert_eq!((env.record().executed().len(), env.record().rejected().len()), (3, 1));
    // One action a step: the first is executed.
    let mut env = environment("valley_farm", None, &[]);
    env.step("MoveNorth; MoveEast").unwrap();
    assert_eq!((env.record().executed().len(), env.record().rejected().len(), env.state().step()), (1, 1, 1));
}

#[test]
fn a_text_of_any_length_is_answered_at_once() {
    let game = game("full_farm-v0", Some("4x3"), &[]);
    let mut texts =
        vec!["a;".repeat(30_000), "(".repeat(60_000), "harvest(".repeat(8_000), "x".repeat(1 << 22), "=".repeat(999)];
    texts.extend(FRAGMENTS.iter().map(|fragment| fragment.repeat(60_000 / fragment.len())));
    texts.extend(FRAGMENTS.iter().map(|fragment| format!("{fragment}x ").repeat(60_000 / (fragment.len() + 2))));
    for text in texts {
        let are_refused = || game.catalogue().read_text(&text).iter().all(|reading| reading.calls().is_err());
        let (are_refused, took) = crate::measures::processor_time(are_refused);
        assert!(are_refused, "{}", text.chars().take(20).collect::<String>());
        assert!(took.as_secs() < 10, "{took:?} of processor time for {} bytes", text.len());
    }
}

/// Parts of replies that the reader treats in a special way.
const FRAGMENTS: &[&str] = &[
    "<think>",
    "</think>",
    "<|channel|>",
    "<|message|>",
    "<|start|>",
    "<|im_end|>",
    "</s>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "<tool_call>",
    "</tool_call>",
    "<function=",
    "<invoke name=\"",
    "<parameter=",
    "<|tool_call_begin|>",
    "<｜tool▁call▁begin｜>",
    "call:",
    "call:a{",
    ">>>a\n{",
    "{",
    "}",
    "{'",
    "{\"",
    "{\"action\": ",
    "{a:",
    "[",
    "]",
    "(",
    "'",
    "\"",
    "\\boxed{",
    "<action>",
    "</action>",
    "<answer",
    "Action: ",
    "Answer:\n",
    " - ",
    "=",
    "\n",
    "ＭｏｖｅＮ",
    "analysisA",
    "assistantfinal",
    "I will ",
    "because ",
    "step(\"",
    "functions.",
];

/// Texts of any characters, and of those that actions are written with.
fn odd_texts() -> impl Strategy<Value = String> {
    let signs = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("_(){}[]=,.;:#\"'` \n-".chars());
    let any = prop::collection::vec(any::<char>().prop_filter("a control character", |c| !c.is_control()), 0..=60);
    let signs = prop::collection::vec(prop::sample::select(signs.collect::<Vec<char>>()), 0..=80);
    let parts =
        FRAGMENTS.iter().copied().chain(["MoveN", "harvest", "Wait", "water_discrete(", "5", ","]).collect::<Vec<_>>();
    let parts = prop::collection::vec(prop::sample::select(parts), 0..=30).prop_map(|parts| parts.concat());
    prop_oneof![prop_oneof![any, signs].prop_map(|characters| characters.into_iter().collect()), parts]
}

proptest! {
    #[test]
    fn no_text_is_too_odd_to_be_answered(text in odd_texts()) {
        for name in ["valley_farm", "clay_bean-v0"] {
            thread_local!(static GAMES: std::cell::RefCell<Vec<(&'static str, farm_core::Environment)>> = const { std::cell::RefCell::new(Vec::new()) });
            GAMES.with_borrow_mut(|games| {
                if !games.iter().any(|(known, _)| *known == name) {
                    games.push((name, environment(name, None, &[])));
                }
                let (_, env) = games.iter_mut().find(|(known, _)| *known == name).expect("just added");
                prop_assert!(!env.game().catalogue().read_text(&text).is_empty());
                if env.step(&text).is_ok_and(|outcome| outcome.over()) {
                    env.reset(1);
                }
                Ok(())
            })?;
        }
    }
}
