//! Equal seed and actions give the same episode over any wire as in the process, in every game.

use std::sync::Arc;

use farm_core::{Environment, SeedSplit, TextForm};
use farm_games::CATALOGUE;
use serde_json::{Value as Json, json};

use crate::client::Running;

/// How many steps of each game are compared.
const STEPS: usize = 12;

#[test]
fn every_game_plays_the_same_over_any_wire_as_in_the_process() {
    let names: Vec<&str> = CATALOGUE.iter().map(|game| game.name).collect();
    let server = Running::of(&names);
    for name in names {
        let game = Arc::new(farm_games::open(name, &farm_games::Options::default()).unwrap());
        let mut environment = Environment::new(game.clone());
        let seed = SeedSplit::Validation.seed(5).unwrap();
        environment.name_split(Some(SeedSplit::Validation));
        environment.reset(seed);
        let mut session = server.session(&format!("/games/{name}/ws"));
        let first = session.reset(json!({ "split": "validation", "index": 5 }));
        assert_eq!(first["data"]["observation"]["values"], environment.observation_json(), "{name}");
        assert_eq!(first["data"]["observation"]["text"], environment.text(), "{name}");
        let (_, answer) = server.post(&format!("/games/{name}/reset"), &json!({ "split": "validation", "index": 5 }));
        let (session_id, agent) = (answer["metadata"]["session_id"].clone(), answer["metadata"]["mcp"].clone());
        let look = || {
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "look" } });
            server.post(agent.as_str().unwrap(), &message).1["result"]["structuredContent"].take()
        };
        let (length, mut total) = (game.catalogue().discrete_len(), 0.0);
        for step in 0..STEPS {
            // Different ids of the flat list, the same in every run, in all three forms in which a step may be chosen.
            let id = (step * 7919 + 3) % length;
            let calls = game.catalogue().discrete(id).unwrap();
            let action = match step % 3 {
                0 => json!(id),
                1 => json!(calls.iter().map(|call| game.catalogue().to_json(call)).collect::<Vec<_>>()),
                _ => json!(if calls.is_empty() {
                    "wait".to_owned()
                } else {
                    calls.iter().map(|call| game.catalogue().write(call)).collect::<Vec<_>>().join("; ")
                }),
            };
            let outcome = match &action {
                Json::Number(_) => environment.step(id),
                Json::String(text) => environment.step(text.as_str()),
                other => environment.step(other),
            }
            .unwrap();
            total += outcome.reward;
            let answer = session.step(action.clone());
            let data = &answer["data"];
            assert_eq!(data["reward"], json!(outcome.reward), "{name} {action}: {answer}");
            assert_eq!(
                (&data["done"], &data["observation"]["text"]),
                (&json!(outcome.over()), &json!(environment.text())),
                "{name}"
            );
            assert_eq!(data["observation"]["values"], environment.observation_json(), "{name}");
            assert_eq!(session.state()["state_hash"], format!("{:016x}", environment.state().hash()), "{name}");
            let (_, answer) = server.post(
                &format!("/games/{name}/step"),
                &json!({ "action": { "action": action }, "session_id": session_id }),
            );
            assert_eq!(
                (&answer["reward"], &answer["observation"]),
                (&json!(outcome.reward), &data["observation"]),
                "{name}"
            );
            let looked = look();
            assert!(looked["text"].as_str().unwrap().ends_with(&environment.text()), "{name}: {looked}");
            assert_eq!(looked["return"], json!(total), "{name}");
            if outcome.over() {
                break;
            }
        }
        let (_, state) = server.get(&format!("/state?session_id={}", session_id.as_str().unwrap()));
        assert_eq!(state["state_hash"], format!("{:016x}", environment.state().hash()), "{name}");
    }
}

#[test]
fn short_texts_are_those_of_a_conversation() {
    let server = Running::of(&["full_farm"]);
    let game = Arc::new(farm_games::open("full_farm", &farm_games::Options::default()).unwrap());
    for (name, form) in [("compact", TextForm::Compact), ("rows", TextForm::Rows)] {
        let mut conversation = farm_core::Conversation::new(game.clone(), form, 1);
        let first = conversation.reset(7);
        let mut session = server.session("/ws");
        let answer = session.reset(json!({ "seed": 7, "form": name, "observe": ["text"] }));
        assert_eq!(answer["data"]["observation"]["text"], first);
        assert!(answer["data"]["observation"].get("values").is_none());
        for reply in ["wait", "It is dry.\nAction: wait", "dance", "wait"] {
            let reading = conversation.reply(reply).unwrap();
            let answer = session.step(reply);
            assert_eq!(
                (&answer["data"]["observation"]["text"], &answer["data"]["reward"]),
                (&json!(reading.text), &json!(reading.reward))
            );
        }
    }
}
