//! Budgets of turns, tokens and seconds: the final state is scored, and the trace says what ended the episode.

use std::time::Duration;

use farm_agents::{Conduct, EndReason, RunHeader};

use super::{Act, Folder, STEPS, conduct, header, play_all, scripted, verified};

fn budget(conduct: Conduct) -> RunHeader {
    RunHeader { conduct, ..header(1) }
}

#[test]
fn each_budget_ends_the_episode_and_its_last_state_is_scored() {
    let stub = scripted(|_, _| Act::Slow(Duration::from_millis(20), "Wait".to_owned()));
    // A call takes 110 tokens and at least 20 ms.
    let budgets = [
        (Conduct { max_turns: 2, ..conduct() }, EndReason::Turns, 2..=2),
        (Conduct { max_tokens: Some(330), ..conduct() }, EndReason::Tokens, 3..=3),
        (Conduct { max_tokens: Some(331), ..conduct() }, EndReason::Tokens, 4..=4),
        (Conduct { max_seconds: Some(0.03), ..conduct() }, EndReason::Seconds, 1..=2),
        (Conduct { max_tokens: Some(1_000_000), ..conduct() }, EndReason::Game, STEPS..=STEPS),
    ];
    for (i, (conduct, why, turns)) in budgets.into_iter().enumerate() {
        let folder = Folder::new(&format!("budget_{i}"));
        let run = folder.begin(budget(conduct));
        play_all(&run, &stub.url());
        let trace = verified(&run);
        let (end, last) = (trace.end().unwrap(), trace.calls().last().unwrap());
        assert_eq!(end.why, why, "{conduct:?}");
        assert!(turns.contains(&end.turns), "{conduct:?}: {} turns", end.turns);
        assert_eq!((&end.state, end.total), (&last.state, last.total));
        let score = run.score(std::slice::from_ref(&trace), 1).unwrap();
        assert_eq!(score.episodes[0].end.total, end.total);
        assert_eq!(score.ends, [(why.name(), 1)].into());
    }
}

#[test]
fn a_reply_that_cannot_be_read_is_asked_for_again_and_then_played_as_the_rules_say() {
    let stub = scripted(|number, _| Act::Reply(if number < 5 { "dance" } else { "Wait" }.to_owned()));
    let folder = Folder::new("asked_again");
    let run = folder.begin(header(1));
    play_all(&run, &stub.url());
    let trace = verified(&run);
    let calls: Vec<_> = trace.calls().map(|call| (call.turn, call.played)).take(6).collect();
    // Of three replies that can't be read the third goes to the game, which rejects it: a turn, and no time passes.
    assert_eq!(calls, [(0, false), (0, false), (0, true), (1, false), (1, false), (1, true)]);
    let game = &run.game(0).unwrap();
    assert_eq!(game.rules().unreadable, farm_core::rules::Unreadable::Reject);
    let end = trace.end().unwrap();
    assert_eq!((end.turns, u64::from(end.days), end.calls), (STEPS + 1, STEPS, STEPS + 1 + 4));
    let score = run.score(std::slice::from_ref(&trace), 1).unwrap();
    assert_eq!((score.counts.asked_again, score.counts.invalid), (4, 1));
    assert_eq!(score.counts.invalid_rate(), Some(1.0 / (STEPS + 1) as f64));
    // The same messages are sent again: nothing is added to the conversation.
    let asked = stub.asked();
    assert_eq!(asked[0].body["messages"], asked[1].body["messages"]);
    assert_ne!(asked[2].body["messages"], asked[3].body["messages"]);
}

#[test]
fn curves_end_at_the_score_and_begin_below_it() {
    let folder = Folder::new("curves");
    let run = folder.begin(header(3));
    let played = super::play(&run, 1, usize::MAX - 1, || {
        let game = &run.game(0).unwrap();
        Box::new(farm_agents::PolicyAgent::new(game, "oracle").unwrap())
    });
    assert_eq!(played.done, 3);
    let traces = run.verify(1).unwrap();
    let score = run.score(&traces, 1).unwrap();
    let value = |mean: Option<farm_agents::Mean>| mean.unwrap().value;
    assert_eq!((value(score.score), value(score.ratio_of_sums), value(score.regret)), (1.0, 1.0, 0.0));
    assert_eq!(value(score.efficiency), 1.0);
    let curve = score.over_turns();
    assert_eq!(curve.last(), Some(&(STEPS, 1.0)));
    assert!(curve[0].1 < 1.0, "{curve:?}");
    assert!(curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{curve:?}");
    // Nothing was sent, so that there is nothing to draw.
    assert!(score.over_tokens().is_empty());
    let page = farm_agents::page(&run, &traces, &score).unwrap();
    assert!(page.contains("Score over turns") && page.matches("class=\"episode\"").count() == 3);
    assert_eq!(page.matches("class=\"step\"").count() as u64, 3 * (STEPS + 1));
}
