//! The search where the optimum is known.

use farm_core::serde_yaml::{self, Value};
use farm_search::{
    Arena, BOUND, Candidate, Draw, Generator, LuckPlan, Scored, SearchPlan, Verdict, Vocabulary, compare, expand,
    judge, luck, ratio, search, spammers,
};

use crate::toys::Mine;

const PLAN: SearchPlan = SearchPlan { candidates: 120, episodes: 8, seed: 0 };

fn seeds(from: u64, n: u64) -> Vec<Draw> {
    (from..from + n).map(Draw::Episode).collect()
}

fn searched(mine: Mine, threads: usize) -> (Vec<Scored>, Verdict) {
    let game = mine.open();
    let arena = Arena::new(&game, threads);
    let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
    let generator = Generator::new(arena, &vocabulary, 1);
    let found = search(arena, &generator, &spammers(arena, &vocabulary), PLAN, &mut |_| {}).unwrap();
    let expert = Candidate::new("expert".into(), "expert");
    let verdict = judge(arena, &expert, &found, &seeds(1000, 8), &seeds(2000, 8)).unwrap();
    (found, verdict)
}

#[test]
fn the_best_play_is_found_and_the_best_expert_is_no_hole() {
    // Eleven times 3; whoever plays worse is found out.
    let (_, verdict) = searched(Mine::PLAIN, 2);
    assert_eq!((verdict.wait_mean(), verdict.expert_mean()), (0.0, 33.0));
    assert_eq!(verdict.ratio.value, verdict.found.mean() / 33.0);
    assert!(verdict.found.mean() <= 33.0 && !verdict.is_hole(), "{}", verdict.found.candidate.how);

    let (_, verdict) = searched(Mine { expert_digs: 1, ..Mine::PLAIN }, 2);
    assert_eq!(verdict.expert_mean(), 11.0);
    assert_eq!(verdict.found.mean(), 33.0, "{}\n{}", verdict.found.candidate.how, verdict.found.candidate.to_yaml());
    assert!(verdict.is_hole() && verdict.ratio.value == 3.0, "{:?}", verdict.ratio);
}

#[test]
fn a_planted_hole_is_found() {
    let (_, verdict) = searched(Mine { hole: true, ..Mine::PLAIN }, 2);
    // Each cycle of the vein has one day on which polishing pays 20, against 3 for digging.
    assert!(verdict.found.mean() > 200.0, "{}", verdict.found.candidate.to_yaml());
    assert!(verdict.is_hole() && verdict.ratio.low > BOUND);
    let policy = verdict.found.candidate.to_yaml();
    assert!(policy.contains("polish"), "{policy}");
    // As YAML it plays the same.
    let read: Value = serde_yaml::from_str(&policy).unwrap();
    let game = Mine { hole: true, ..Mine::PLAIN }.open();
    let again = Arena::new(&game, 1).play(&[(&read, &seeds(2000, 8))]).unwrap();
    assert_eq!(again[0], verdict.found.returns);
}

#[test]
fn equal_plans_find_the_same_on_any_number_of_threads() {
    let mine = Mine { dice: 0.5, gift: 0.2, ..Mine::PLAIN };
    let ((one, verdict_of_one), (three, verdict_of_three)) = (searched(mine, 1), searched(mine, 3));
    assert_eq!(one, three);
    assert_eq!(verdict_of_one, verdict_of_three);
}

#[test]
fn spammers_do_everything_all_the_time() {
    let game = Mine { hole: true, ..Mine::PLAIN }.open();
    let arena = Arena::new(&game, 2);
    let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
    let found = spammers(arena, &vocabulary);
    let returns = |how: &str| {
        let spammer = found.iter().find(|spammer| spammer.how == how);
        let spammer =
            spammer.unwrap_or_else(|| panic!("{how} of {:?}", found.iter().map(|s| &s.how).collect::<Vec<_>>()));
        arena.play(&[(&spammer.policy, &seeds(0, 1))]).unwrap()[0][0]
    };
    // The vein is dug 60 times before it is ripe.
    assert_eq!(returns("Vein-0 dig daily, lowest amount"), -60.0);
    assert_eq!(returns("Vein-0 dig daily, highest amount"), -180.0);
    // Once 20, on the third day, else −1.
    assert_eq!(returns("Vein-0 polish daily"), 20.0 - 59.0);
}

#[test]
fn the_expert_is_written_out_without_what_goes_without_saying() {
    let game = Mine::PLAIN.open();
    let dig = "{field: Field-0, entity: Vein-0, action: dig, parameters: {amount#nb: 3}}";
    let when = "{state_variable: [Field-0, Vein-0, ripeness#nb], operator: '>=', ref_value: 5}";
    let written = format!("TriggerPolicy: {{rules: [{{when: [[{when}]], act: {dig}}}]}}");
    let expected: Value = serde_yaml::from_str(&format!("[{written}, WaitPolicy]")).unwrap();
    assert_eq!(expand(&game, &serde_yaml::from_str("[expert, WaitPolicy]").unwrap()), expected);
}

#[test]
fn what_a_policy_can_say_comes_from_the_game_alone() {
    let game = Mine::PLAIN.open();
    let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
    let names: Vec<String> =
        vocabulary.sights.iter().map(|sight| farm_core::config::to_inline_yaml(&sight.variable)).collect();
    // It never rains, so that there is nothing to see.
    assert_eq!(names, ["step", "[Field-0, Vein-0, ripeness#nb]"]);
    assert_eq!(vocabulary.doings.len(), 2);
    assert_eq!(vocabulary.doings[0].parameters, [("amount#nb".to_owned(), [1, 2, 3].map(Value::from).to_vec())]);
}

/// Sixty days, each with a number uniform in [0, 1] times 2 from the sky and times 1 from the rock: variances of 60 · 4/12 = 20 and
/// 60 · 1/12 = 5; policies that dig 1, 2 or 3 earn 11, 22 or 33, a variance of 121.
#[test]
fn policy_weather_and_dice_have_their_shares_of_the_variance() {
    let game = Mine { dice: 1.0, gift: 2.0, ..Mine::PLAIN }.open();
    let policy = |digs: u32| -> Value {
        let text = format!(
            "TriggerPolicy: {{rules: [{{when: [[{{state_variable: [Field-0, Vein-0, ripeness#nb], operator: '>=', ref_value: 5}}]], \
             act: {{field: Field-0, entity: Vein-0, action: dig, parameters: {{amount#nb: {digs}}}}}}}]}}"
        );
        serde_yaml::from_str(&text).unwrap()
    };
    let policies = [policy(1), policy(2), policy(3)];
    let arena = Arena::new(&game, 2);
    let table = luck(arena, &policies, LuckPlan { worlds: 200, repeats: 4, seed: 0 }).unwrap();
    let (shares, intervals) = (table.shares(), table.intervals());
    for (i, expected) in [121.0 / 146.0, 20.0 / 146.0, 0.0, 5.0 / 146.0].into_iter().enumerate() {
        let (found, interval) = (shares.all()[i], intervals[i]);
        assert!((found - expected).abs() < 0.02, "{i}: {found}, expected {expected}");
        assert!(interval.low <= expected + 1e-3 && expected - 1e-3 <= interval.high, "{i}: {interval:?}");
    }
}

#[test]
fn a_world_is_held_while_dice_are_drawn_anew() {
    let split = |world, dice| Draw::Split { world, dice };
    let play = |mine: Mine, draws: &[Draw]| {
        let game = mine.open();
        Arena::new(&game, 1).play(&[(&"expert".into(), draws)]).unwrap().remove(0)
    };
    let (sky, rock) = (Mine { gift: 1.0, ..Mine::PLAIN }, Mine { dice: 1.0, ..Mine::PLAIN });
    let draws = [split(1, 1), split(1, 2), split(2, 1)];
    let of_sky = play(sky, &draws);
    assert!(of_sky[0] == of_sky[1] && of_sky[0] != of_sky[2], "{of_sky:?}");
    let of_rock = play(rock, &draws);
    assert!(of_rock[0] != of_rock[1] && of_rock[0] == of_rock[2], "{of_rock:?}");
    // One seed for both is an episode as any other.
    let both = Mine { gift: 1.0, dice: 1.0, ..Mine::PLAIN };
    assert_eq!(play(both, &[split(7, 7)]), play(both, &[Draw::Episode(7)]));
}

#[test]
fn policies_are_compared_on_common_seeds() {
    let game = Mine { gift: 2.0, ..Mine::PLAIN }.open();
    let arena = Arena::new(&game, 2);
    let (expert, wait) = (Value::from("expert"), Value::from("WaitPolicy"));
    let draws = seeds(0, 50);
    let returns = arena.play(&[(&expert, &draws), (&wait, &draws)]).unwrap();
    let compared = compare(&returns);
    let [only] = compared.as_slice() else { panic!("{compared:?}") };
    // What falls from the sky falls for both.
    assert!((only.paired.difference - 33.0).abs() < 1e-9, "{only:?}");
    assert_eq!((only.first, only.second, only.paired.better), (0, 1, 50));
    let interval = only.paired.interval.unwrap();
    assert!((interval.low - 33.0).abs() < 1e-6 && (interval.high - 33.0).abs() < 1e-6, "{interval:?}");
}

#[test]
fn near_zero_and_below_it_the_gain_over_waiting_is_the_unit() {
    assert_eq!(ratio(&[4.0, 8.0], &[2.0, 4.0], &[0.0, 0.0]).value, 2.0);
    // The expert loses 1 where waiting loses 11: what gains 5 more gains half as much again.
    assert_eq!(ratio(&[4.0, 4.0], &[-1.0, -1.0], &[-11.0, -11.0]).value, 1.5);
    assert_eq!(ratio(&[0.0, 0.0], &[0.0, 0.0], &[0.0, 0.0]).value, 1.0);
    assert!(ratio(&[1.0, 1.0], &[0.0, 0.0], &[0.0, 0.0]).low > BOUND);
}
