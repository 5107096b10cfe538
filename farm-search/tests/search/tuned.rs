//! Tuning where the best numbers are known: dig the vein from 5 on, and 3 deep, which earns eleven times 3.

use farm_core::serde_yaml::{self, Value};
use farm_core::{Game, RemoteError, RemoteExecutor};
use farm_scoring::risk::Criterion;
use farm_search::tune::{CheckpointError, TunePlan, Tuned, Tuning, with_all_numbers};
use farm_search::{Arena, Candidate, Generator, SearchError, Vocabulary, expand};

use crate::toys::Mine;

/// Digs too late and too little, and may learn better.
const POLICY: &str = "
TriggerPolicy:
  rules:
    - when: [[{state_variable: [Field-0, Vein-0, ripeness#nb], operator: '>=', ref_value: {tune: [1, 30], value: 20, step: 1}}]]
      act: {field: Field-0, entity: Vein-0, action: dig, parameters: {amount#nb: {tune: [1, 3], value: 1, step: 1}}}
";

fn policy(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

fn plan(budget: usize) -> TunePlan {
    TunePlan { criterion: Criterion::Mean, budget, episodes: Some(4), seed: 1000 }
}

fn tuning<'g>(game: &'g Game, threads: usize, plan: TunePlan) -> Tuning<'g> {
    Tuning::new(Arena::new(game, threads), policy(POLICY), plan).unwrap()
}

fn finished(mut tuning: Tuning<'_>) -> Tuned {
    while !tuning.is_done() {
        tuning.generation().unwrap();
    }
    tuning.finish().unwrap()
}

#[test]
fn the_best_numbers_are_found_and_measured_on_other_seeds() {
    let game = Mine::PLAIN.open();
    let mut tuning = tuning(&game, 2, plan(1500));
    while !tuning.is_done() {
        tuning.generation().unwrap();
    }
    let tuned = tuning.finish().unwrap();
    assert_eq!(tuned.values, [5.0, 3.0], "{}", serde_yaml::to_string(&tuned.policy).unwrap());
    assert!(tuned.episodes <= 1500, "{}", tuned.episodes);
    let held_out = tuning.held_out(&tuned, 0, 20).unwrap();
    // At ripeness 20 the vein is dug out twice or three times, once each.
    assert_eq!((held_out.before, held_out.after), (2.0, 33.0));
    assert_eq!((held_out.paired.difference, held_out.paired.better), (31.0, 20));
    // What was played while tuning measures nothing.
    let refused = tuning.held_out(&tuned, 990, 20).unwrap_err().to_string();
    assert!(refused.contains("990 to 1009") && refused.contains("give other held-out seeds"), "{refused}");
}

#[test]
fn an_interrupted_tuning_comes_to_the_same_on_any_number_of_threads() {
    let game = Mine { dice: 0.5, gift: 0.2, ..Mine::PLAIN }.open();
    let whole = finished(tuning(&game, 1, plan(800)));
    let mut begun = tuning(&game, 3, plan(800));
    begun.generation().unwrap();
    begun.generation().unwrap();
    let checkpoint = begun.checkpoint().unwrap();
    let mut resumed = tuning(&game, 2, plan(800));
    resumed.resume(&checkpoint).unwrap();
    assert_eq!((resumed.generations(), resumed.checkpoint().unwrap()), (2, checkpoint));
    assert_eq!(finished(resumed), whole);
}

#[test]
fn a_checkpoint_of_another_tuning_is_refused() {
    let game = Mine::PLAIN.open();
    let other_game = Mine { dice: 1.0, ..Mine::PLAIN }.open();
    let checkpoint = tuning(&game, 1, plan(800)).checkpoint().unwrap();
    let refusal = |mut tuning: Tuning<'_>, text: &str| tuning.resume(text).unwrap_err();
    let differs = |error: CheckpointError| match error {
        CheckpointError::Other { key, .. } => key,
        other => panic!("{other}"),
    };
    assert_eq!(differs(refusal(tuning(&game, 1, plan(801)), &checkpoint)), "the budget");
    assert_eq!(differs(refusal(tuning(&game, 1, TunePlan { seed: 1001, ..plan(800) }), &checkpoint)), "the seed");
    assert_eq!(differs(refusal(tuning(&other_game, 1, plan(800)), &checkpoint)), "the fingerprint of the game");
    let cut = &checkpoint[..checkpoint.len() / 2];
    let damaged = checkpoint.replacen("\"spread\": 0.25", "\"spread\": -1.0", 1);
    assert_ne!(damaged, checkpoint);
    for text in [cut, "", "[]", &damaged] {
        let error = refusal(tuning(&game, 1, plan(800)), text);
        assert!(matches!(error, CheckpointError::Unreadable(_)), "{error}");
    }
}

#[test]
fn all_numbers_of_a_policy_without_ranges_can_be_tuned() {
    let game = Mine { expert_digs: 1, ..Mine::PLAIN }.open();
    let arena = Arena::new(&game, 2);
    let expert = expand(&game, &"expert".into());
    assert!(matches!(Tuning::new(arena, expert.clone(), plan(800)), Err(SearchError::Request(_))));
    let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
    let tunable = with_all_numbers(arena, &vocabulary, &expert);
    let tuning = Tuning::new(arena, tunable, plan(1500)).unwrap();
    let names: Vec<String> = tuning.knobs().iter().map(|knob| knob.path.to_string()).collect();
    assert!(
        names.iter().any(|name| name.ends_with("ref_value")) && names.iter().any(|name| name.ends_with("amount#nb"))
    );
    let tuned = finished(tuning);
    let draws = [farm_search::Draw::Episode(7)];
    assert_eq!(arena.play(&[(&tuned.policy, &draws)]).unwrap()[0], [33.0]);
}

/// Digs every four days, by a counter of its own.
const COUNTER: &str = "
TriggerPolicy:
  memory: {days: {add: [{plus: 1}]}}
  rules:
    - when: [[{memory: days, operator: '>=', ref_value: 4}]]
      act: {field: Field-0, entity: Vein-0, action: dig, parameters: {amount#nb: 1}}
      then_set: {days: 2}
";

#[test]
fn the_numbers_of_a_memory_are_tuned_and_changed() {
    let game = Mine::PLAIN.open();
    let arena = Arena::new(&game, 1);
    let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
    let tunable = with_all_numbers(arena, &vocabulary, &policy(COUNTER));
    let tuning = Tuning::new(arena, tunable, plan(1500)).unwrap();
    let names: Vec<String> = tuning.knobs().iter().map(|knob| knob.path.to_string()).collect();
    for number in ["memory.days.add[0].plus", "when[0][0].ref_value", "then_set.days"] {
        assert!(names.iter().any(|name| name.ends_with(number)), "{number}: {names:?}");
    }
    let parent = Candidate::new(expand(&game, &policy(COUNTER)), "counter");
    let generator = Generator::new(arena, &vocabulary, 0);
    let changed: Vec<Candidate> = (0..60).filter_map(|number| generator.changed(number, &parent)).collect();
    let parts: [fn(&Value) -> &Value; 3] = [
        |policy| &policy["TriggerPolicy"]["memory"],
        |policy| &policy["TriggerPolicy"]["rules"][0]["when"],
        |policy| &policy["TriggerPolicy"]["rules"][0]["then_set"],
    ];
    for part in parts {
        assert!(changed.iter().any(|child| part(&child.policy) != part(&parent.policy)));
    }
}

#[test]
fn a_budget_that_is_too_small_says_how_large_it_must_be() {
    let refused = |plan: TunePlan| plan.schedule(2).unwrap_err().to_string();
    let too_small = refused(plan(10));
    let needed: usize = too_small.split("a budget of ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(plan(needed).schedule(2).is_ok() && plan(needed - 1).schedule(2).is_err(), "{too_small}");
    let worst = TunePlan { criterion: Criterion::Worst(20), ..plan(10_000) };
    assert!(refused(worst).contains("each candidate plays 20 or more"));
    for budget in needed..needed + 400 {
        let schedule = plan(budget).schedule(2).unwrap();
        let played = schedule.generations * (schedule.candidates + 1) * schedule.episodes + 5 * schedule.final_episodes;
        assert!(played <= budget && schedule.generations > 0 && schedule.final_episodes > 0, "{budget}: {schedule:?}");
    }
}

/// A game with one tunable number in its expert.
fn game_with(number: &str) -> Result<Game, String> {
    let text = Mine::PLAIN.text().replace("ref_value: 5", &format!("ref_value: {number}"));
    let document = farm_core::config::Document::parse("mine.yaml", &text).unwrap();
    farm_games::compile(&document).map_err(|problems| problems.to_string())
}

#[test]
fn a_game_plays_the_value_or_the_middle_of_a_tunable_number() {
    let value = |number: &str| {
        let game = game_with(number).unwrap();
        let written = game.spec().policy_as_written("expert").cloned();
        (game.fingerprint(), written.is_some())
    };
    let plain = value("5");
    assert!(!plain.1);
    for number in ["{tune: [1, 20], value: 5}", "{tune: [1, 10]}", "{tune: [3, 8], step: 2}", "{tune: [4.0, 6.0]}"] {
        assert_eq!(value(number), (plain.0, true), "{number}");
    }
}

#[test]
fn a_wrong_range_is_told_at_its_place() {
    let wrong = [
        ("{tune: [5, 5]}", "ref_value.tune", "must be below the second"),
        ("{tune: [1]}", "ref_value.tune", "a list of two numbers"),
        ("{tune: [1, many]}", "ref_value.tune", "ends of a range must be numbers"),
        ("{tune: [1, .inf]}", "ref_value.tune", "finite"),
        ("{tune: [1, 9], value: 10}", "ref_value.value", "a number from 1 to 9"),
        ("{tune: [1, 9], value: much}", "ref_value.value", "a number"),
        ("{tune: [1, 9], step: 0}", "ref_value.step", "above 0"),
        ("{tune: [1, 9], stepp: 1}", "ref_value.stepp", "`step`"),
    ];
    for (number, place, words) in wrong {
        let said = game_with(number).unwrap_err();
        assert!(said.contains(place) && said.contains(words) && said.contains("mine.yaml:"), "{number}:\n{said}");
        assert_eq!(said.matches("error[").count(), 1, "{number}:\n{said}");
    }
}

/// Another program with a game, which plays the blocks of a tuning from the last to the first.
#[derive(Debug)]
struct OtherProgram<'g>(&'g Game);

impl RemoteExecutor for OtherProgram<'_> {
    fn play(&self, blocks: &[String]) -> Result<Vec<Vec<f64>>, RemoteError> {
        let arena = Arena::new(self.0, 1);
        let told = |error: SearchError| RemoteError::Told(error.to_string());
        let mut played =
            blocks.iter().rev().map(|block| arena.play_block(block).map_err(told)).collect::<Result<Vec<_>, _>>()?;
        played.reverse();
        Ok(played)
    }
}

#[test]
fn a_tuning_whose_episodes_are_played_elsewhere_comes_to_the_same() {
    let game = Mine { dice: 0.5, gift: 0.2, ..Mine::PLAIN }.open();
    let here = finished(tuning(&game, 2, plan(800)));
    let other = OtherProgram(&game);
    let remote: &dyn RemoteExecutor = &other;
    let elsewhere = Tuning::new(Arena::new(&game, remote), policy(POLICY), plan(800)).unwrap();
    let measured = Tuning::new(Arena::new(&game, remote), policy(POLICY), plan(800)).unwrap();
    assert_eq!(finished(elsewhere), here);
    assert_eq!(measured.held_out(&here, 0, 20).unwrap(), tuning(&game, 1, plan(800)).held_out(&here, 0, 20).unwrap());
}

#[test]
fn a_block_of_another_game_is_refused() {
    let game = Mine::PLAIN.open();
    let changed = Mine { dice: 1.0, ..Mine::PLAIN }.open();
    let other = OtherProgram(&changed);
    let remote: &dyn RemoteExecutor = &other;
    let mut tuning = Tuning::new(Arena::new(&game, remote), policy(POLICY), plan(800)).unwrap();
    let said = tuning.generation().unwrap_err().to_string();
    let fingerprints = [&game, &changed].map(|game| format!("{:016x}", game.fingerprint()));
    assert!(
        fingerprints.iter().all(|fingerprint| said.contains(fingerprint)) && said.contains("same version"),
        "{said}"
    );
    let torn = Arena::new(&game, 1).play_block("{\"fingerprint\": 1").unwrap_err();
    assert!(matches!(torn, SearchError::Block(_)), "{torn}");
}
