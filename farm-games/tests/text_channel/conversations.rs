//! Conversations: short texts say what long ones say, and cost fewer tokens; several episodes are one conversation.

use std::collections::BTreeMap;
use std::sync::Arc;

use farm_core::inspect::RulesText;
use farm_core::{Agent, Conversation, TextForm};
use farm_games::catalogue::CATALOGUE;
use farm_games::policy;
use tiktoken_rs::o200k_base;

use super::game;

/// Replies of a policy, as lines of text.
fn replies(name: &str, by: &str, steps: usize) -> Vec<String> {
    let game = game(name, None, &[]);
    let mut player: Box<dyn Agent> = policy(&game, by).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 7, &mut record);
    player.start(7);
    let mut replies = Vec::new();
    while replies.len() < steps {
        let mut schedule = Vec::new();
        player.choose(&game, &state, &mut schedule);
        let line: Vec<String> = schedule.iter().map(|call| game.catalogue().write(call)).collect();
        replies.push(if line.is_empty() { "wait".to_owned() } else { line.join("; ") });
        if game.step(&mut state, &schedule, &mut record).expect("a step").over() {
            break;
        }
    }
    replies
}

/// The texts of a conversation, the first one first.
fn texts(name: &str, form: TextForm, replies: &[String]) -> Vec<String> {
    let mut conversation = Conversation::new(Arc::new(game(name, None, &[])), form, 1);
    let mut texts = vec![conversation.reset(7)];
    texts.extend(replies.iter().map(|reply| conversation.reply(reply).expect("a step").text));
    texts
}

/// Whoever remembers what compact texts said knows as much as who reads all.
#[test]
fn compact_texts_say_what_has_changed_and_nothing_else() {
    for name in ["full_farm", "farm1", "backwards_valley", "valley_farm", "walking_farmer", "costly_clay_bean"] {
        let replies = replies(name, "RandomPolicy", 60);
        let (full, compact) = (texts(name, TextForm::Rows, &replies), texts(name, TextForm::Compact, &replies));
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        let mut before: BTreeMap<String, String> = BTreeMap::new();
        for (row, changes) in full.iter().zip(&compact) {
            // A map stands in lines of its own below its name; all else is `name value` between semicolons.
            let mut map: Option<String> = None;
            for line in changes.lines() {
                if let Some(tiles) = line.strip_prefix("  ") {
                    let name = map.clone().unwrap_or_else(|| panic!("{name}: {changes}"));
                    let known = known.entry(name).or_default();
                    known.push(' ');
                    known.push_str(tiles);
                } else if line.contains(": ") || line == "nothing new" {
                    map = None;
                } else if line.contains(' ') {
                    for pair in line.split("; ") {
                        let (name, value) = pair.split_once(' ').unwrap_or_else(|| panic!("{changes}"));
                        known.insert(name.to_owned(), format!(" {value}"));
                    }
                } else {
                    map = Some(line.to_owned());
                    known.insert(line.to_owned(), String::new());
                }
            }
            let words = |text: &str| text.replace(" / ", " ").trim().to_owned();
            let mut told: Vec<String> = known.values().map(|value| words(value)).collect();
            let mut cells: Vec<String> = row.lines().next().unwrap_or_default().split(',').map(words).collect();
            told.sort();
            cells.sort();
            assert_eq!(told, cells, "{name}\n{row}\n{changes}");
            // What is told is new.
            let told_again = known.iter().filter(|(name, value)| {
                before.get(name.as_str()) == Some(*value)
                    && changes
                        .split(['\n', ';'])
                        .any(|part| part.trim() == *name || part.trim() == format!("{name}{value}"))
            });
            assert_eq!(told_again.count(), 0, "{name}: {changes}");
            before = known.clone();
        }
    }
}

/// Tokens as a tokenizer of a widely used model counts them.
#[test]
fn compact_texts_of_farms_cost_little_more_than_forty_percent_of_the_tokens() {
    let tokenizer = o200k_base().expect("a tokenizer that comes with its words");
    for entry in CATALOGUE {
        let name = entry.name;
        let game = game(name, None, &[]);
        if game.spec().policies().get("expert").is_none() {
            continue;
        }
        let replies = replies(name, "expert", 60);
        let tokens = |form| texts(name, form, &replies).iter().map(|text| tokenizer.encode_ordinary(text).len()).sum();
        let [full, compact, rows]: [usize; 3] = TextForm::ALL.map(tokens);
        assert!(compact * 100 <= full * 43, "{name}: {compact} of {full} tokens");
        // A row names all plots each day, which is for small fields.
        let plots = game.fields().iter().map(|field| field.length() * field.width()).sum::<usize>();
        assert!(plots > 1 || rows * 10 <= full * 4, "{name}: rows: {rows} of {full} tokens");
    }
}

#[test]
fn names_are_short_where_they_are_clear() {
    let first = |name: &str| Conversation::new(Arc::new(game(name, None, &[])), TextForm::Compact, 1).reset(7);
    let text = first("full_farm");
    assert!(text.contains("; available_Water ") && !text.contains("Field-0") && !text.contains('#'), "{text}");
    let text = first("two_fields");
    assert!(text.contains("Field-0.") && text.contains("Field-1."), "{text}");
    let instructions = Conversation::new(Arc::new(game("full_farm", None, &[])), TextForm::Compact, 1);
    let instructions = instructions.instructions(RulesText::Hidden);
    assert!(instructions.contains("`available_Water [L]`: Water in the plot's soil"), "{instructions}");
}

#[test]
fn a_text_says_what_was_earned_what_was_refused_and_that_it_is_over() {
    for form in TextForm::ALL {
        let mut conversation = Conversation::new(Arc::new(game("backwards_valley", None, &[])), form, 1);
        conversation.reset(3);
        let refused = conversation.reply("I would rather dance.").expect("no step, no failure");
        assert!(refused.text.contains("no step passed") && refused.text.contains("not read: "), "{}", refused.text);
        assert_eq!(conversation.rejected().len(), 1);
        let mut last = conversation.reply("Action: MoveN").expect("a step");
        assert!(last.text.contains("last reward: ") && conversation.rejected().is_empty());
        while !last.truncated && !last.terminated {
            last = conversation.reply("Wait").expect("a step");
        }
        assert!(last.is_episode_over && last.text.ends_with("the episode is over: after 40 steps\n"), "{}", last.text);
        assert!(conversation.reply("Wait").is_err(), "nothing comes after the end");
    }
}

/// The rules stay, the worlds change, and the curve of returns is kept.
#[test]
fn several_episodes_are_one_conversation() {
    let game = Arc::new(game("backwards_valley@rules=inverted", None, &[]));
    let mut life = Conversation::new(Arc::clone(&game), TextForm::Compact, 3);
    assert!(life.instructions(RulesText::Hidden).contains("You play 3 episodes"));
    let mut alone = Conversation::new(game, TextForm::Compact, 1);
    life.reset(5);
    let mut sums = Vec::new();
    for episode in 0..3 {
        let first = alone.reset(Conversation::seed_of(5, episode));
        loop {
            let (one, of_life) = (alone.reply("Wait").expect("a step"), life.reply("Wait").expect("a step"));
            assert_eq!(one.reward, of_life.reward);
            assert_eq!(one.is_episode_over, of_life.is_episode_over);
            assert!(of_life.text.starts_with(&one.text), "{}\n{}", one.text, of_life.text);
            if one.is_episode_over {
                assert_eq!(of_life.terminated || of_life.truncated, episode == 2);
                let begins = of_life.text.contains(&format!("\nepisode {} of 3 begins\n", episode + 2));
                assert_eq!(begins, episode < 2, "{}", of_life.text);
                break;
            }
        }
        assert!(first.contains("view") || first.lines().count() > 3, "{first}");
        sums.push(alone.returns()[0]);
    }
    assert_eq!(life.returns(), sums);
    assert!(
        (0..3).map(|episode| Conversation::seed_of(5, episode)).collect::<std::collections::BTreeSet<_>>().len() == 3
    );
    life.reset(5);
    assert_eq!(life.returns(), [0.0]);
}
