//! Rollouts and planning where the best play is known: dig the vein from 5 on, and 3 deep, which earns eleven times 3.

use farm_core::{Future, Game, RolloutError, State, StepError, rollout_many};
use farm_search::plan::{Foresight, Method, PlanSettings, PlannedEpisode, Planner, play_planned};
use farm_search::{Arena, Draw};

use crate::toys::Mine;

fn begun(game: &Game, seed: u64) -> State {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    state
}

fn planned(game: &Game, base: &str, settings: &PlanSettings, seeds: &[u64]) -> Vec<PlannedEpisode> {
    play_planned(game, &base.into(), settings, seeds, &|| true, &|_| {}).unwrap().into_iter().flatten().collect()
}

fn settings(method: Method, foresight: Foresight, budget: usize) -> PlanSettings {
    PlanSettings { method, foresight, budget, horizon: Some(15), ..PlanSettings::default() }
}

#[test]
fn a_rollout_with_the_known_future_is_what_the_episode_will_be() {
    let game = Mine { dice: 2.0, gift: 3.0, ..Mine::PLAIN }.open();
    let start = begun(&game, 5);
    let n = game.catalogue().discrete_len();
    let rows: Vec<Vec<usize>> = (0..20).map(|row| (0..70).map(|step| (row * 7 + step * 3) % n).collect()).collect();
    let actions = rows.concat();
    let known = vec![Future::Known; rows.len()];
    let returns = rollout_many(&game, &start, &actions, &known, 3).unwrap();
    for (row, found) in rows.iter().zip(&returns) {
        let (mut state, mut record, mut total) = (begun(&game, 5), game.new_record(), 0.0);
        // The episode has 60 steps: what stands behind them is not played.
        for id in &row[..60] {
            total += game.step_discrete(&mut state, *id, &mut record).unwrap().reward;
        }
        assert_eq!(total.to_bits(), found.to_bits());
    }
    assert_eq!(rollout_many(&game, &start, &actions, &known, 1).unwrap(), returns);
    // With drawn futures the same actions earn something else, the same with the same seed, and 60 · ½ · (2 + 3) in the mean.
    let waiting = vec![0; 60 * 400];
    let futures: Vec<Future> = (0..400).map(|seed| Future::Drawn(seed / 2)).collect();
    let drawn = rollout_many(&game, &start, &waiting, &futures, 2).unwrap();
    assert!(drawn.chunks(2).all(|pair| pair[0] == pair[1]) && drawn[0] != drawn[2]);
    let (mean, deviation) = (drawn.iter().sum::<f64>() / 400.0, (60.0 * (4.0 + 9.0) / 12.0_f64).sqrt());
    assert!((mean - drawn_mean(&game)).abs() < 5.0 * deviation / 200.0_f64.sqrt(), "{mean}");
}

/// What the first action of the list earns in the mean of an episode.
fn drawn_mean(game: &Game) -> f64 {
    let mut total = 0.0;
    for seed in 0..400 {
        let (mut state, mut record) = (begun(game, 10_000 + seed), game.new_record());
        while !state.over() {
            total += game.step_discrete(&mut state, 0, &mut record).unwrap().reward;
        }
    }
    total / 400.0
}

#[test]
fn wrong_actions_of_rollouts_are_told() {
    let game = Mine::PLAIN.open();
    let start = begun(&game, 0);
    let n = game.catalogue().discrete_len();
    let two = [Future::Known, Future::Drawn(1)];
    assert!(matches!(
        rollout_many(&game, &start, &[0, 0, 0], &two, 2),
        Err(RolloutError::Shape { actions: 3, futures: 2 })
    ));
    assert!(matches!(rollout_many(&game, &start, &[0], &[], 2), Err(RolloutError::Shape { .. })));
    match rollout_many(&game, &start, &[0, 0, 0, n], &two, 2) {
        Err(RolloutError::Step { row: 1, step: 1, error: StepError::NoSuchAction { id, .. } }) => assert_eq!(id, n),
        other => panic!("{other:?}"),
    }
    assert_eq!(rollout_many(&game, &start, &[], &two, 2).unwrap(), [0.0, 0.0]);
}

#[test]
fn planning_beats_a_poor_base_policy_and_is_never_below_a_good_one() {
    let good = Mine::PLAIN.open();
    let poor = Mine { expert_digs: 1, ..Mine::PLAIN }.open();
    for method in [Method::CrossEntropy, Method::Tree] {
        for foresight in [Foresight::Drawn, Foresight::Known] {
            let settings = settings(method, foresight, 60);
            let [of_good] = &planned(&good, "expert", &settings, &[1])[..] else { panic!("one episode") };
            assert_eq!(of_good.total, 33.0, "{method:?} {foresight:?}");
            let [of_poor] = &planned(&poor, "expert", &settings, &[1])[..] else { panic!("one episode") };
            assert!(of_poor.total >= 22.0, "{method:?} {foresight:?}: {}", of_poor.total);
            let [of_wait] = &planned(&poor, "WaitPolicy", &settings, &[1])[..] else { panic!("one episode") };
            assert!(of_wait.total >= 15.0, "{method:?} {foresight:?}: {}", of_wait.total);
        }
    }
}

#[test]
fn planned_episodes_are_equal_on_any_number_of_threads_and_can_be_replayed() {
    let game = Mine { dice: 2.0, gift: 3.0, expert_digs: 1, ..Mine::PLAIN }.open();
    for method in [Method::CrossEntropy, Method::Tree] {
        let one = settings(method, Foresight::Drawn, 40);
        let three = PlanSettings { threads: 3, ..one.clone() };
        let episodes = planned(&game, "expert", &one, &[3, 4, 5]);
        assert_eq!(planned(&game, "expert", &three, &[3, 4, 5]), episodes);
        // A single episode shares its trials among the threads.
        assert_eq!(planned(&game, "expert", &three, &[4]), episodes[1..2]);
        for episode in &episodes {
            let (mut state, mut record, mut total) = (begun(&game, episode.seed), game.new_record(), 0.0);
            for schedule in &episode.schedules {
                total += game.step(&mut state, schedule, &mut record).unwrap().reward;
            }
            assert_eq!((total, state.over()), (episode.total, true));
        }
    }
}

#[test]
fn with_drawn_futures_a_plan_knows_nothing_of_the_dice() {
    // Two episodes in the same state, with seeds of their own: the plans are the same.
    let game = Mine { dice: 50.0, gift: 3.0, expert_digs: 1, ..Mine::PLAIN }.open();
    let decision = |foresight: Foresight, seed: u64| {
        let mut state = begun(&game, 0);
        state.set_seed(seed);
        let settings = settings(Method::CrossEntropy, foresight, 40);
        Planner::new(&game, &"expert".into(), settings, 9).unwrap().decide(&state).unwrap()
    };
    assert_eq!(decision(Foresight::Drawn, 1), decision(Foresight::Drawn, 2));
    assert_ne!(decision(Foresight::Known, 1).base, decision(Foresight::Known, 2).base);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let game = Mine::PLAIN.open();
    let refused =
        |settings: PlanSettings, base: &str| Planner::new(&game, &base.into(), settings, 0).unwrap_err().to_string();
    assert!(
        refused(PlanSettings { budget: 23, ..PlanSettings::default() }, "WaitPolicy").contains("the minimum is 24")
    );
    assert!(refused(PlanSettings { depth: 0, ..PlanSettings::default() }, "WaitPolicy").contains("at least 1"));
    assert!(refused(PlanSettings::default(), "nobody").contains("no policy `nobody`"));
}

/// The mean return of planning, of the base policy and of the bound on a shipped game: planning with few trials is not below its base
/// policy, and the known future is worth something.
#[test]
fn on_a_farm_planning_is_not_below_its_base_policy() {
    let game = farm_games::open("clay_bean", &farm_games::Options::default()).unwrap();
    let seeds: Vec<u64> = (50..54).collect();
    let draws: Vec<Draw> = seeds.iter().map(|seed| Draw::Episode(*seed)).collect();
    let base = Arena::new(&game, 2).play(&[(&"expert".into(), &draws)]).unwrap().concat();
    let total = |foresight: Foresight| {
        let settings = PlanSettings { foresight, budget: 24, every: 6, threads: 2, ..PlanSettings::default() };
        planned(&game, "expert", &settings, &seeds).iter().map(|episode| episode.total).sum::<f64>()
    };
    let of_base: f64 = base.iter().sum();
    // Each of four episodes may be unlucky by a tenth of what it earns.
    assert!(total(Foresight::Drawn) > 0.9 * of_base);
    assert!(total(Foresight::Known) >= of_base);
}

#[test]
fn a_plan_keeps_the_limits_of_the_game_as_its_base_policy_does() {
    let planned_with = |limit: &str, base: &str| {
        let set = vec![("score.ProfitScore.constraints.water_use.limit".to_owned(), limit.to_owned())];
        let game = farm_games::open("water_budget", &farm_games::Options { set, ..Default::default() }).unwrap();
        let settings = PlanSettings { foresight: Foresight::Known, budget: 48, every: 8, ..PlanSettings::default() };
        let episodes = planned(&game, base, &settings, &[1, 2]);
        let total = episodes.iter().map(|episode| episode.total).sum::<f64>();
        (total, episodes.into_iter().map(|episode| episode.constraints[0]).collect::<Vec<f64>>())
    };
    let (limited, litres) = planned_with("6000", "rain_only");
    assert!(litres.iter().all(|litres| (1000.0..=6000.0).contains(litres)), "{litres:?}");
    let (free, litres) = planned_with("1000000", "rain_only");
    assert!(litres.iter().all(|litres| *litres > 6000.0) && free > limited, "{litres:?}, {free} and {limited}");
}
