//! Runs that were stopped, or killed in the midst of a line: what is in a trace is not paid for again.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex};

use farm_agents::{AgentsError, PolicyAgent, Run};
use farm_core::Game;

use super::{Access, Act, Folder, PATIENCE, STEPS, conduct, endpoint, header, play, play_all, scripted, verified};

/// Walks about, by the turn that the conversation is in: a reply that comes at another turn would lead elsewhere.
fn walk(body: &serde_json::Value) -> Act {
    let turn = body["messages"].as_array().unwrap().len() / 2 - 1;
    Act::Reply(["MoveN", "MoveE", "Wait", "MoveS", "MoveW", "Insult"][turn % 6].to_owned())
}

#[test]
fn a_run_goes_on_where_it_was_left_and_pays_for_nothing_twice() {
    let whole = Folder::new("whole");
    let stub = scripted(|_, body| walk(body));
    let run = whole.begin(header(1));
    play_all(&run, &stub.url());
    let expected: Vec<String> = verified(&run).calls().map(|call| format!("{} {}", call.reply, call.state)).collect();
    for stop in 0..=STEPS as usize {
        let folder = Folder::new("left");
        let stub = scripted(|_, body| walk(body));
        let run = folder.begin(header(1));
        play(&run, 1, stop, || Box::new(endpoint(&stub.url(), None)));
        assert_eq!(stub.paid(), stop, "the run was to be stopped");
        // As a process that was killed leaves it: half a line at the end.
        if stop > 0 && stop < STEPS as usize {
            let mut file = std::fs::OpenOptions::new().append(true).open(folder.trace()).unwrap();
            file.write_all(b"{\"type\":\"call\",\"call\":3,\"turn\":3,\"te").unwrap();
        }
        let played = play_all(&folder.begin(header(1)), &stub.url());
        assert_eq!((played.replayed as usize, played.done), (stop, 1));
        assert_eq!(stub.paid() as u64, STEPS, "stopped after {stop}");
        let found: Vec<String> = verified(&run).calls().map(|call| format!("{} {}", call.reply, call.state)).collect();
        assert_eq!(found, expected, "stopped after {stop}");
    }
}

#[test]
fn a_last_line_without_its_break_is_a_whole_one() {
    let folder = Folder::new("no_break");
    let stub = scripted(|_, body| walk(body));
    let run = folder.begin(header(1));
    play(&run, 1, 3, || Box::new(endpoint(&stub.url(), None)));
    let text = std::fs::read_to_string(folder.trace()).unwrap();
    std::fs::write(folder.trace(), text.trim_end()).unwrap();
    play_all(&run, &stub.url());
    verified(&run);
    assert_eq!(stub.paid() as u64, STEPS);
}

#[test]
fn a_run_that_is_at_its_end_asks_for_nothing() {
    let folder = Folder::new("at_its_end");
    let stub = scripted(|_, body| walk(body));
    let run = folder.begin(header(2));
    play_all(&run, &stub.url());
    let played = play_all(&folder.begin(header(2)), &stub.url());
    assert_eq!((played.done, played.calls, stub.paid() as u64), (2, 0, 2 * STEPS));
}

#[test]
fn a_policy_remembers_what_it_did_before() {
    let policy = |name: &str, calls: &[usize]| {
        let folder = Folder::new(&format!("policy_{}", calls.len()));
        let run = folder.begin(header(1));
        let game = &run.game(0).unwrap();
        let game: &Game = game;
        for calls in calls {
            play(&run, 1, *calls, || Box::new(PolicyAgent::new(game, name).unwrap()));
        }
        verified(&run).calls().map(|call| call.reply.clone()).collect::<Vec<_>>()
    };
    for name in ["random", "informed"] {
        assert_eq!(policy(name, &[usize::MAX - 1]), policy(name, &[2, 3, usize::MAX - 1]), "{name}");
    }
}

#[test]
fn a_folder_holds_one_run() {
    let folder = Folder::new("one_run");
    folder.begin(header(1));
    let refused = |header, key: &str| {
        let problems = Run::begin(&folder.0, header, Access::default()).unwrap_err();
        assert!(problems.0[0].is(AgentsError::OtherRun) && problems.0[0].path.to_string() == key, "{problems}");
    };
    refused(header(2), "episodes");
    refused(farm_agents::RunHeader { name: "other".to_owned(), ..header(1) }, "name");
    let shorter = farm_agents::Conduct { max_turns: 3, ..conduct() };
    refused(farm_agents::RunHeader { conduct: shorter, ..header(1) }, "conduct");
    // Another version of the program goes on with it, as long as the game is the same.
    folder.begin(farm_agents::RunHeader { version: "1".to_owned(), ..header(1) });
}

#[test]
fn two_processes_do_not_play_one_run() {
    let folder = Folder::new("two");
    let run = folder.begin(header(1));
    let agent = |_: &Game, _: &farm_agents::EpisodePlan| -> Result<Box<dyn farm_agents::Agent>, _> { unreachable!() };
    let player =
        farm_agents::Player { jobs: 1, agent: &agent, is_ending: &|| false, is_stopped: &|| false, watch: &|_| {} };
    // Programs before the file of the lock held the header.
    for held in [farm_agents::LOCK, farm_agents::HEADER] {
        let file = std::fs::File::open(folder.0.join(held)).unwrap();
        file.try_lock().unwrap();
        assert!(run.play(&player).unwrap_err().0[0].is(AgentsError::RunIsPlayed), "{held}");
    }
    let file = std::fs::File::open(folder.0.join(farm_agents::LOCK)).unwrap();
    file.try_lock().unwrap();
    assert!(Run::begin(&folder.0, header(1), Access::default()).unwrap_err().0[0].is(AgentsError::RunIsPlayed));
}

/// Whoever plays while all others are waited for: then exactly one can have won.
struct LastToEnd {
    policy: PolicyAgent,
    refused: Arc<(Mutex<usize>, Condvar)>,
    others: usize,
}

impl farm_agents::Agent for LastToEnd {
    fn reply(&mut self, request: &farm_agents::Request<'_>) -> Result<farm_agents::Answer, farm_agents::AgentError> {
        let (count, told) = &*self.refused;
        let waited =
            told.wait_timeout_while(count.lock().unwrap(), PATIENCE, |refused| *refused < self.others).unwrap();
        assert!(!waited.1.timed_out(), "two play one run");
        drop(waited);
        self.policy.reply(request)
    }
}

#[test]
fn of_several_that_begin_a_run_together_one_plays_it() {
    const PLAYERS: usize = 4;
    for round in 0..20 {
        let folder = Folder::new(&format!("together_{round}"));
        let refused = Arc::new((Mutex::new(0), Condvar::new()));
        let (start, header) = (Barrier::new(PLAYERS), header(2));
        let won = AtomicUsize::new(0);
        let begin = || {
            start.wait();
            let played = Run::begin(&folder.0, header.clone(), Access::default()).and_then(|run| {
                let agent = |game: &Game, _: &farm_agents::EpisodePlan| {
                    let policy = PolicyAgent::new(game, "random")?;
                    let agent = LastToEnd { policy, refused: refused.clone(), others: PLAYERS - 1 };
                    Ok(Box::new(agent) as Box<dyn farm_agents::Agent>)
                };
                let (is_ending, is_stopped) = (&|| false, &|| false);
                run.play(&farm_agents::Player { jobs: 2, agent: &agent, is_ending, is_stopped, watch: &|_| {} })
            });
            match played {
                Ok(played) => {
                    assert!(!played.problems.has_errors(), "{}", played.problems);
                    won.fetch_add(1, Ordering::SeqCst);
                }
                Err(problems) => {
                    assert!(problems.0[0].is(AgentsError::RunIsPlayed), "{problems}");
                    *refused.0.lock().unwrap() += 1;
                    refused.1.notify_all();
                }
            }
        };
        std::thread::scope(|scope| (0..PLAYERS).for_each(|_| drop(scope.spawn(begin))));
        assert_eq!(won.into_inner(), 1, "round {round}");
        assert_eq!(folder.open().unwrap().verify(1).unwrap().len(), 2);
        assert!(folder.0.join(farm_agents::LOCK).is_file(), "the lock stays");
    }
}
