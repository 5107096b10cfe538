//! A plugin that panics ends what it was asked for, and nothing else.

use std::sync::Arc;

use farm_core::vector::{Actions, Autoreset, Outputs, VectorEnvironment, VectorError};
use farm_core::{Environment, Game, StepError};

use crate::support::{compile, example, loaded};

/// A game with one part of each sort of the plugin, some with parameters in flow YAML.
fn game(entity: &str, farmer: &str, score: &str, policy: &str) -> String {
    format!(
        "name: trouble\nfields:\n  Field-0:\n    entities:\n      - Troublemaker: {{{entity}}}\nfarmers:\n  - TroubleFarmer: {{{farmer}}}\n\
         rules:\n  BasicRule:\n    free_observations: [[Field-0, Troublemaker-0, mood]]\n    actions: {{Field-0: {{Troublemaker-0: {{poke: }}}}}}\n    \
         max_steps: 6\nscore:\n  TroubleScore: {{{score}}}\npolicies:\n  own:\n    TroublePolicy: {{{policy}}}\n"
    )
}

/// The same with the rule of the plugin.
fn with_own_rule(rule: &str) -> String {
    let text = game("", "", "", "");
    let (begin, end) = (text.find("  BasicRule:").unwrap(), text.find("score:").unwrap());
    format!("{}  TroubleRule: {{{rule}}}\n{}", &text[..begin], &text[end..])
}

#[track_caller]
fn compiled(text: &str) -> Arc<Game> {
    loaded(&example("troublemaker"));
    compile(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// Steps with the action `poke` until something fails; how many steps went well, and what failed.
fn play(environment: &mut Environment, seed: u64) -> (u32, String) {
    environment.reset(seed);
    for step in 0..6 {
        if let Err(error) = environment.step(1) {
            assert!(matches!(error, StepError::Failed(_)), "{error}");
            assert!(environment.state().over(), "the episode is over");
            return (step, error.to_string());
        }
    }
    (6, String::new())
}

#[test]
fn a_well_behaved_plugin_with_a_part_of_each_sort_plays_to_the_end() {
    let game = compiled(&game("", "", "", ""));
    let mut player = game.player("own").unwrap();
    let mut environment = Environment::new(game.clone());
    player.start(0);
    let mut returned = 0.0;
    loop {
        let mut schedule = Vec::new();
        player.choose(&game, environment.state(), &mut schedule);
        assert_eq!(schedule.len(), 1, "it pokes");
        let outcome = environment.step(&schedule).unwrap();
        returned += outcome.reward;
        if outcome.over() {
            break;
        }
    }
    assert_eq!(returned, 6.0);
    let mut environment = Environment::new(compiled(&with_own_rule("")));
    let steps = (0..9).take_while(|_| environment.step(&[]).is_ok_and(|outcome| !outcome.over())).count();
    assert_eq!(steps, 4, "its own rule says five steps");
}

#[test]
fn a_panic_in_a_step_ends_the_episode_and_names_plugin_part_method_and_words() {
    for (parts, steps, method, part) in [
        (["moment: tick, step: 2", "", ""], 2, "tick", "Field-0.Troublemaker-0"),
        (["moment: act, step: 1", "", ""], 1, "act", "Field-0.Troublemaker-0"),
        (["moment: observe, step: 3", "", ""], 2, "observe", "Field-0.Troublemaker-0"),
        (["moment: reset", "", ""], 0, "reset", "Field-0.Troublemaker-0"),
        (["moment: settle", "", ""], 0, "after_initial_conditions", "Field-0.Troublemaker-0"),
        (["", "moment: rejection", ""], 0, "rejection", "TroubleFarmer-0"),
        (["", "", "moment: reward, step: 4"], 4, "reward", "TroubleScore-0"),
    ] {
        let [entity, farmer, score] = parts;
        let mut environment = Environment::new(compiled(&game(entity, farmer, score, "")));
        let (done, said) = play(&mut environment, 0);
        assert_eq!(done, steps, "{parts:?}: {said}");
        for words in [
            format!("`{part}` of the plugin `troublemaker` panicked in `{method}`: I said I would, at "),
            "examples/troublemaker.rs:".to_owned(),
            "the episode is over".to_owned(),
        ] {
            assert!(said.contains(&words), "`{words}` is missing in: {said}");
        }
        // The same environment goes on with another episode, which fails in the same way.
        assert_eq!(play(&mut environment, 1), (done, said));
    }
}

#[test]
fn a_farmer_that_panics_when_it_is_asked_may_do_nothing() {
    let mut environment = Environment::new(compiled(&game("", "moment: rejection", "", "")));
    assert_eq!(environment.action_mask(), [1, 0], "only waiting needs no farmer");
    assert_eq!(environment.failed().map(|failure| failure.method()), Some("mask"));
    assert!(matches!(environment.step(0), Err(StepError::Failed(_))), "the episode is over");
    environment.reset(0);
    assert!(environment.failed().is_none() && environment.step(0).is_ok());
    // Nobody else is told of it.
    let fine = Environment::new(compiled(&game("", "", "", "")));
    assert_eq!(fine.action_mask(), [1, 1]);
}

#[test]
fn an_episode_that_fails_leaves_others_as_they_are() {
    let fails = compiled(&game("moment: tick, seed: 7, step: 3", "", "", ""));
    let fine = compiled(&game("", "", "", ""));
    let mut environments = [Environment::new(fails.clone()), Environment::new(fails), Environment::new(fine)];
    for (environment, seed) in environments.iter_mut().zip([7, 8, 7]) {
        environment.reset(seed);
    }
    for step in 0..6 {
        let [a, b, c] = &mut environments;
        let (a, b, c) = (a.step(1), b.step(1), c.step(1));
        match step {
            0..3 => assert!(a.is_ok()),
            3 => assert!(matches!(a, Err(StepError::Failed(_)))),
            _ => assert!(matches!(a, Err(StepError::Over { .. }))),
        }
        assert!(b.is_ok() && c.is_ok(), "step {step}");
    }
    // What failed at the beginning is known before the first step, too.
    let mut environment = Environment::new(compiled(&game("moment: reset, seed: 3", "", "", "")));
    assert!(environment.failed().is_none());
    environment.reset(3);
    assert_eq!(environment.failed().map(|failure| failure.method()), Some("reset"));
    environment.reset(4);
    assert!(environment.failed().is_none() && environment.step(1).is_ok());
}

#[test]
fn a_panic_while_a_game_is_compiled_is_a_located_refusal() {
    for (parts, words) in [
        (
            ["moment: build", "", ""],
            ["game.yaml:5:9", "`Field-0.Troublemaker-0` of the plugin `troublemaker` panicked in `declare`"],
        ),
        (
            ["", "moment: build", ""],
            ["game.yaml:7:5", "`TroubleFarmer-0` of the plugin `troublemaker` panicked in `declare`"],
        ),
        (
            ["", "", "moment: build"],
            ["game.yaml:14:3", "`TroubleScore-0` of the plugin `troublemaker` panicked in `declare`"],
        ),
        (["moment: bind", "", ""], ["game.yaml:5:9", "panicked in `bind`"]),
        (["moment: compile", "", ""], ["game.yaml:5:9", "panicked in `plan`"]),
        (["", "", "moment: compile"], ["game.yaml:14:3", "panicked in `intervention_cost`"]),
        (["", "moment: compile", ""], ["game.yaml:7:5", "panicked in `allows`"]),
    ] {
        loaded(&example("troublemaker"));
        let [entity, farmer, score] = parts;
        let text = game(entity, farmer, score, "");
        let said = compile(&text).expect_err("it panics").to_string();
        for words in words.into_iter().chain(["I said I would", "help: this is a defect in the plugin"]) {
            assert!(said.contains(words), "{parts:?}: `{words}` is missing in:\n{said}\n{text}");
        }
    }
    let text = with_own_rule("moment: build");
    let said = compile(&text).expect_err("it panics").to_string();
    assert!(
        said.contains("`TroubleRule` of the plugin `troublemaker` panicked in `build`")
            && said.contains("game.yaml:9:3"),
        "{said}"
    );
}

#[test]
fn a_policy_that_panics_is_refused_or_ends_the_episode() {
    let builds = compiled(&game("", "", "", "moment: build"));
    let said = builds.player("own").err().expect("it panics").to_string();
    assert!(
        said.contains("`TroublePolicy` of the plugin `troublemaker` panicked in `build`")
            && said.contains("policies.own"),
        "{said}"
    );
    let game = compiled(&game("", "", "", "moment: choose, step: 2"));
    let mut player = game.player("own").unwrap();
    let mut environment = Environment::new(game.clone());
    for step in 0..3 {
        let mut schedule = Vec::new();
        player.choose(&game, environment.state(), &mut schedule);
        match (step, environment.step(&schedule)) {
            (0 | 1, outcome) => assert!(outcome.is_ok()),
            (_, outcome) => {
                let said = outcome.expect_err("it panicked").to_string();
                assert!(said.contains("`TroublePolicy`") && said.contains("`choose`"), "{said}");
            }
        }
    }
}

/// What is told with a hint of a plugin's policy; of one that panics nothing is known, so that it counts as one that sees all.
#[test]
fn a_policy_of_a_plugin_tells_whether_it_knows_what_is_hidden() {
    for (policy, knows) in [("", false), ("seed: 3", true), ("moment: know", true)] {
        let game = compiled(&game("", "", "", policy));
        assert_eq!(game.spec().policies()["own"].knows_hidden(&game), knows, "{policy}");
    }
    // Also where it is one of several.
    let combined = "  several: {CombinedPolicy: {policies: [WaitPolicy, own]}}\n";
    for (policy, knows) in [("", false), ("seed: 3", true)] {
        let game = compiled(&(game("", "", "", policy) + combined));
        assert_eq!(game.spec().policies()["several"].knows_hidden(&game), knows, "{policy}");
    }
}

#[test]
fn a_panic_in_drop_harms_nobody() {
    let game = compiled(&game("moment: drop", "", "", ""));
    let mut environment = Environment::new(game.clone());
    drop(game);
    assert!(environment.step(1).is_ok());
    drop(environment);
    let mut other = Environment::new(compiled(&self::game("", "", "", "")));
    assert!(other.step(1).is_ok());
}

/// Buffers of a step.
struct Buffers {
    observations: Vec<u8>,
    finals: Vec<u8>,
    numbers: [Vec<f64>; 4],
    flags: [Vec<bool>; 2],
    rejections: Vec<i32>,
}

impl Buffers {
    fn new(n: usize, size: usize) -> Self {
        let numbers = std::array::from_fn(|_| vec![0.0; n]);
        let flags = std::array::from_fn(|_| vec![false; n]);
        Self { observations: vec![0; n * size], finals: vec![0; n * size], numbers, flags, rejections: vec![0; n] }
    }

    fn outputs(&mut self, same_step: bool) -> Outputs<'_> {
        let [rewards, intervention_costs, observation_costs, constraint_costs] = &mut self.numbers;
        let [terminations, truncations] = &mut self.flags;
        Outputs {
            observations: &mut self.observations,
            rewards,
            terminations,
            truncations,
            final_observations: if same_step { &mut self.finals } else { &mut [] },
            intervention_costs,
            observation_costs,
            constraint_costs,
            rejections: &mut self.rejections,
        }
    }
}

#[test]
fn of_many_environments_the_one_that_fails_is_told_and_the_others_go_on() {
    const N: usize = 5;
    for (moment, step) in [("tick", 3), ("observe", 4)] {
        let failing = compiled(&game(&format!("moment: {moment}, seed: 2, step: {step}"), "", "", ""));
        let fine = compiled(&game("", "", "", ""));
        for (autoreset, threads) in [(Autoreset::NextStep, 1), (Autoreset::SameStep, 1), (Autoreset::NextStep, 2)] {
            let same_step = autoreset == Autoreset::SameStep;
            let size = fine.observation().size();
            let new = |game: &Arc<Game>| VectorEnvironment::new(game.clone(), N, threads, autoreset).unwrap();
            let (mut a, mut b) = (new(&failing), new(&fine));
            let (mut ours, mut theirs) = (Buffers::new(N, size), Buffers::new(N, size));
            for i in 0..9 {
                let actions = [1; N];
                b.step(Actions::Discrete(&actions), &mut theirs.outputs(same_step)).unwrap();
                let stepped = a.step(Actions::Discrete(&actions), &mut ours.outputs(same_step));
                if i == 3 {
                    let Err(VectorError::Step { environment: 2, error: StepError::Failed(failure) }) = stepped else {
                        panic!("{moment}: {stepped:?}")
                    };
                    assert_eq!((failure.part(), failure.method()), ("Field-0.Troublemaker-0", moment));
                    assert!(ours.flags[1][2], "its episode is cut off");
                } else {
                    assert_eq!(stepped, Ok(()), "{moment}, step {i}");
                }
                for other in [0, 1, 3, 4] {
                    assert_eq!(ours.numbers[0][other], theirs.numbers[0][other], "step {i}");
                    assert_eq!(ours.observations[other * size..][..size], theirs.observations[other * size..][..size]);
                    let bytes = |vector: &VectorEnvironment| format!("{:?}", vector.state(other).unwrap());
                    assert_eq!(bytes(&a), bytes(&b), "step {i}");
                }
            }
        }
    }
}
