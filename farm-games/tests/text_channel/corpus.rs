//! Replies in the forms of published chat templates: thoughts, turns, tokens and tool calls of Llama, Qwen, Mistral, DeepSeek, Gemma, Phi,
//! Hermes, gpt-oss, Command R, GLM and others. `replies.jsonl` has what each of them plays, by its meaning: `plays` is the action, several
//! right answers with `|` between them (an empty one is a refusal), or null if nothing may be played.

use std::collections::{BTreeMap, BTreeSet};

use farm_core::Game;
use serde_json::Value as Json;

use super::game;

/// A reply and the action that it means.
struct Case {
    reply: String,
    plays: Option<String>,
    place: String,
    game: String,
}

fn cases(text: &str) -> Vec<Case> {
    let case = |(number, line): (usize, &str)| {
        let json: Json = serde_json::from_str(line).unwrap_or_else(|error| panic!("line {}: {error}", number + 1));
        let text = |key: &str| json[key].as_str().map(str::to_owned);
        Case {
            reply: text("reply").expect("a reply"),
            plays: text("plays"),
            place: format!(
                "line {}, {} {}",
                number + 1,
                text("family").unwrap_or_default(),
                text("kind").unwrap_or_default()
            ),
            game: text("game").unwrap_or_else(|| "backwards_valley".to_owned()),
        }
    };
    text.lines().enumerate().map(case).collect()
}

/// The replies that are not read as they are meant.
fn misread(cases: &[Case]) -> Vec<String> {
    let mut games: BTreeMap<&str, Game> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in cases {
        let game = games.entry(&case.game).or_insert_with(|| game(&case.game, None, &[]));
        let catalogue = game.catalogue();
        let reading = catalogue.read_text(&case.reply);
        // If a step allows only one action, the first is played and the others are rejected.
        let first = reading.iter().find_map(|reading| reading.calls().ok());
        let has_all = reading.iter().all(|reading| reading.calls().is_ok());
        let read = first.filter(|_| has_all).map(|calls| calls.to_vec());
        let is_right = match &case.plays {
            None => read.is_none(),
            Some(plays) => plays.split('|').any(|plays| match plays {
                "" => read.is_none(),
                plays => {
                    read.as_ref() == Some(&catalogue.parse_line(plays).unwrap_or_else(|problem| panic!("{problem}")))
                }
            }),
        };
        if !is_right {
            let read = read.map(|calls| game.text().write(&calls));
            let (place, reply) = (&case.place, &case.reply);
            wrong.push(format!("{place}: {reply:?} plays {read:?} instead of {:?}", case.plays));
        }
    }
    wrong
}

#[test]
fn a_thousand_replies_of_chat_templates_play_what_they_mean() {
    let text = include_str!("data/replies.jsonl");
    let cases = cases(text);
    let families: BTreeSet<String> = text
        .lines()
        .filter_map(|line| Some(serde_json::from_str::<Json>(line).ok()?["family"].as_str()?.to_owned()))
        .collect();
    let replies: BTreeSet<&str> = cases.iter().map(|case| case.reply.as_str()).collect();
    assert!(replies.len() >= 1000 && families.len() >= 8, "{} replies, {families:?}", replies.len());
    let nothing = cases.iter().filter(|case| case.plays.is_none()).count();
    assert!(nothing >= 150, "{nothing} replies play nothing");
    let wrong = misread(&cases);
    assert!(wrong.is_empty(), "{} of {} replies are misread:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The review's own replies, where they are at hand.
#[test]
fn the_replies_of_the_review_play_what_they_mean() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/review/agents3/replies.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("SKIPPED: {path} is not there");
        return;
    };
    let wrong = misread(&cases(&text));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
