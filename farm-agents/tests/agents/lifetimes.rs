//! Lifetimes, several trials under one rule, and summaries that stand for the turns before.

use farm_agents::{ASK_FOR_SUMMARY, AgentsError, Conduct, EndReason, History, Line, PolicyAgent, Run, RunHeader};
use farm_core::SeedSplit;
use farm_core::config::ParameterError;
use serde_json::{Value as Json, json};

use super::{Access, Act, Folder, STEPS, conduct, endpoint, header, parsed, play, play_all, scripted, verified};

const TRIALS: u32 = 3;

fn lifetime(conduct: Conduct) -> RunHeader {
    RunHeader { conduct: Conduct { lifetime: TRIALS, ..conduct }, ..header(1) }
}

fn messages(body: &Json) -> &Vec<Json> {
    body["messages"].as_array().unwrap()
}

fn play_policy(run: &Run, name: &str) {
    play(run, 1, usize::MAX - 1, || {
        let game = &run.game(0).unwrap();
        Box::new(PolicyAgent::new(game, name).unwrap())
    });
}

#[test]
fn a_lifetime_has_trials_in_worlds_that_differ_and_keeps_what_was_said() {
    let folder = Folder::new("lifetime");
    let stub = scripted(|_, _| Act::Reply("Wait".to_owned()));
    let run = folder.begin(lifetime(conduct()));
    play_all(&run, &stub.url());
    let trace = verified(&run);
    let trials: Vec<u32> = trace.calls().map(|call| call.trial).collect();
    let expected: Vec<u32> = (0..TRIALS).flat_map(|trial| vec![trial; STEPS as usize]).collect();
    assert_eq!(trials, expected);
    let ends: Vec<_> = trace.calls().filter_map(|call| call.trial_end.as_ref()).collect();
    assert_eq!(ends.len(), TRIALS as usize);
    assert!(ends.iter().all(|end| u64::from(end.days) == STEPS && end.stop.contains("after 6 steps")), "{ends:?}");
    let end = trace.end().unwrap();
    assert_eq!((end.why, u64::from(end.days), end.turns), (EndReason::Game, 3 * STEPS, 3 * STEPS));
    // The first text of a trial follows the last one of the trial before, and all of it is read again.
    let asked = stub.asked();
    assert_eq!(messages(&asked.last().unwrap().body).len() as u64, 2 + 2 * (3 * STEPS - 1));
    let second = messages(&asked[STEPS as usize].body).last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(second.contains("the episode is over") && second.contains("episode 2 of 3 begins"), "{second}");
    assert!(messages(&asked[0].body)[0]["content"].as_str().unwrap().contains("You play 3 episodes"));
    let states: Vec<&String> = ends.iter().map(|end| &end.state).collect();
    assert!(states[0] != states[1] && states[1] != states[2], "the worlds differ");
}

#[test]
fn the_score_is_a_curve_over_trials() {
    let folder = Folder::new("trials");
    for (name, expected) in [("wait", 0.0), ("oracle", 1.0)] {
        let run = Run::begin(&folder.0.join(name), lifetime(conduct()), Access::default()).unwrap();
        play_policy(&run, name);
        let traces = run.verify(1).unwrap();
        let score = run.score(&traces, 1).unwrap();
        let curve: Vec<f64> = score.over_trials.iter().map(|mean| mean.value).collect();
        assert_eq!(curve, [expected; 3], "{name}");
        assert_eq!(score.score.map(|mean| mean.value), Some(expected));
        let [episode] = &score.episodes[..] else { panic!("one lifetime") };
        let of_trials: f64 = episode.trials.iter().map(|trial| trial.total).sum();
        assert_eq!((of_trials, episode.end.total), (episode.end.total, traces[0].end().unwrap().total));
        assert!(score.efficiency.is_none());
        let page = farm_agents::page(&run, &traces, &score).unwrap();
        assert!(page.contains("Score over trials of a lifetime") && page.contains("Trial 3 · Turn 17"), "{name}");
    }
}

#[test]
fn a_trial_that_was_not_begun_earned_nothing() {
    let folder = Folder::new("trials_budget");
    let run = folder.begin(lifetime(Conduct { max_turns: STEPS + 2, ..conduct() }));
    play_policy(&run, "oracle");
    let traces = run.verify(1).unwrap();
    let score = run.score(&traces, 1).unwrap();
    let trials = &score.episodes[0].trials;
    assert_eq!((traces[0].end().unwrap().why, trials.len()), (EndReason::Turns, 3));
    assert_eq!(trials[2].total, 0.0);
    assert_eq!(u64::from(traces[0].end().unwrap().days), STEPS + 2);
    assert!(score.over_trials[0].value == 1.0 && score.over_trials[1].value < 1.0);
}

#[test]
fn the_worlds_of_a_lifetime_are_of_the_split_of_the_first() {
    let seeds = |name: &str, first: u64| {
        let folder = Folder::new(name);
        let mut header = lifetime(conduct());
        header.episodes[0].seed = first;
        let run = folder.begin(header);
        play_policy(&run, "wait");
        let score = run.score(&run.verify(1).unwrap(), 1).unwrap();
        score.episodes[0].trials.iter().map(|trial| trial.seed).collect::<Vec<_>>()
    };
    let first = SeedSplit::Test.seed(7).unwrap();
    let test = seeds("trials_of_split", first);
    assert_eq!(test[0], first);
    assert!(test.iter().all(|seed| SeedSplit::of(*seed) == Some(SeedSplit::Test)), "{test:?}");
    assert!(test[1] != test[2] && test[1] != first);
    assert!(seeds("trials_of_none", 7).iter().all(|seed| SeedSplit::of(*seed).is_none()));
}

#[test]
fn a_level_is_one_world_and_has_no_lifetime() {
    let mut header = lifetime(conduct());
    header.episodes[0].level = Some("test/01".to_owned());
    let folder = Folder::new("trials_level");
    let problems = Run::begin(&folder.0, header, Access::default()).unwrap_err();
    assert!(problems.0[0].is(ParameterError::UnknownChoice), "{problems}");
    assert!(problems.to_string().contains("a level is one world") && !folder.0.exists(), "{problems}");
}

#[test]
fn lifetimes_go_on_where_they_were_left_and_lies_about_trials_are_found() {
    let walk = |body: &Json| {
        let turn = messages(body).len() / 2 - 1;
        Act::Reply(["MoveN", "MoveE", "Wait", "Insult"][turn % 4].to_owned())
    };
    let folder = Folder::new("trials_left");
    for stop in [0, 5, 6, 7, 13] {
        let folder = Folder::new(&format!("trials_left_{stop}"));
        let stub = scripted(move |_, body| walk(body));
        let run = folder.begin(lifetime(conduct()));
        play(&run, 1, stop, || Box::new(endpoint(&stub.url(), None)));
        play_all(&run, &stub.url());
        verified(&run);
        assert_eq!(stub.paid() as u64, 3 * STEPS);
    }
    let stub = scripted(move |_, body| walk(body));
    let run = folder.begin(lifetime(conduct()));
    play_all(&run, &stub.url());
    let lines = folder.lines();
    let forge = |number: usize, change: &dyn Fn(&mut Json)| {
        let mut forged: Vec<Json> = lines.iter().map(|line| parsed(line)).collect();
        change(&mut forged[number]);
        let mut seal = 0;
        let mut text = String::new();
        for line in forged {
            let line: Line = serde_json::from_value(line).unwrap();
            let line = line.sealed(seal);
            seal = u64::from_str_radix(line.digest(), 16).unwrap();
            text += &format!("{}\n", line.text());
        }
        std::fs::write(folder.trace(), text).unwrap();
        run.verify(1).expect_err("a forged trace verifies").0.remove(0)
    };
    let last = STEPS as usize;
    for key in ["return", "state", "stop", "days"] {
        let value = if key == "return" {
            json!(99.0)
        } else if key == "days" {
            json!(1)
        } else {
            json!("0123456789abcdef")
        };
        let problem = forge(last, &|line| line["trial_end"][key] = value.clone());
        assert!(problem.is(AgentsError::ForgedTrace) && problem.path.to_string() == "trial_end", "{key}: {problem}");
    }
    let problem = forge(last + 1, &|line| line["trial"] = json!(2));
    assert_eq!(problem.path.to_string(), "trial", "{problem}");
}

#[test]
fn a_summary_is_asked_for_counted_kept_and_verified() {
    let conduct = Conduct { history: History::Summary(2), ..conduct() };
    let header = || RunHeader { conduct, ..header(1) };
    let reply = |body: &Json| {
        let last = messages(body).last().unwrap()["content"].as_str().unwrap().to_owned();
        Act::Reply(if last == ASK_FOR_SUMMARY { "care harms".to_owned() } else { "Wait".to_owned() })
    };
    let folder = Folder::new("summary");
    let stub = scripted(move |_, body| reply(body));
    let run = folder.begin(header());
    play_all(&run, &stub.url());
    let trace = verified(&run);
    let kinds: Vec<&str> = trace
        .lines
        .iter()
        .map(|line| match line {
            Line::Summary(_) => "summary",
            Line::Call(_) => "call",
            _ => "other",
        })
        .collect();
    let summaries = kinds.iter().filter(|kind| **kind == "summary").count() as u64;
    assert_eq!(kinds[1..5], ["call", "call", "summary", "call"]);
    // After the last turn nothing is asked for.
    assert_eq!(summaries, STEPS / 2 - 1);
    let end = trace.end().unwrap();
    assert_eq!((end.turns, end.calls, end.tokens.prompt), (STEPS, STEPS + summaries, 100 * (STEPS + summaries)));
    let score = run.score(std::slice::from_ref(&trace), 1).unwrap();
    assert_eq!(score.episodes[0].tokens.last(), Some(&end.tokens.total()));
    // Nothing older than the summary is read: it and at most two turns.
    let longest = stub.asked().iter().map(|asked| messages(&asked.body).len()).max().unwrap();
    assert_eq!(longest, 1 + 2 + 4 + 1);
    let after = &stub.asked()[3].body;
    let contents: Vec<&str> =
        messages(after)[1..3].iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(contents, [ASK_FOR_SUMMARY, "care harms"]);
    // Left before and after a summary.
    for stop in [2, 3] {
        let folder = Folder::new(&format!("summary_{stop}"));
        let stub = scripted(move |_, body| reply(body));
        let run = folder.begin(header());
        play(&run, 1, stop, || Box::new(endpoint(&stub.url(), None)));
        play_all(&run, &stub.url());
        assert_eq!(verified(&run).lines.len(), trace.lines.len());
        assert_eq!(stub.paid() as u64, STEPS + summaries);
    }
    // A summary that was changed, or left out, is found.
    let lines = folder.lines();
    let mut changed = lines.clone();
    changed[3] = changed[3].replace("care harms", "care helps");
    std::fs::write(folder.trace(), changed.join("\n") + "\n").unwrap();
    assert!(run.verify(1).unwrap_err().0[0].is(AgentsError::ForgedTrace));
    std::fs::write(folder.trace(), [&lines[..3], &lines[4..]].concat().join("\n") + "\n").unwrap();
    assert!(run.verify(1).unwrap_err().0[0].is(AgentsError::ForgedTrace));
    // A policy has nothing to say.
    let folder = Folder::new("summary_policy");
    let run = folder.begin(header());
    play_policy(&run, "informed");
    verified(&run);
}
