//! Families as games: each episode draws rules and map together.

use std::collections::BTreeSet;
use std::sync::Arc;

use farm_core::vector::{Actions, Autoreset, DrawGame, Outputs, VectorEnvironment, have_same_spaces};
use farm_core::{Environment, SeedSplit};
use farm_games::baseline::Baseline;
use farm_games::families::{FAMILIES, Ladder, PUBLISHED, Told};
use farm_games::{FamilyGame, Options, check_split, open};

fn family(name: &str) -> FamilyGame {
    FamilyGame::open(name).expect("a family").unwrap_or_else(|problems| panic!("{name}: {problems}"))
}

#[test]
fn an_index_is_the_world_that_runs_of_agents_play() {
    for name in ["backwards_valley@tier=5", "valley_farm@tier=1", "strange_crops@tiers=8-9"] {
        let (family, ladder) = (family(name), Ladder::parse(name).unwrap().unwrap());
        for split in SeedSplit::ALL {
            for planned in ladder.worlds(split, 3).unwrap() {
                let world = family.world(split, planned.index(), Some(planned.tier().number)).unwrap();
                assert_eq!((world.member(), world.seed()), (planned.member(), planned.seed()));
                assert_eq!((world.split(), world.index()), (split, planned.index()));
                assert_eq!(world.is_shown(), planned.tier().told == Told::Shown);
                let game = family.game(&world).unwrap();
                let opened = open(&planned.member().to_string(), &Options::default()).unwrap();
                assert_eq!(game.fingerprint(), opened.fingerprint());
                // The seed of the world draws the same world.
                assert_eq!(family.drawn(Some(split), world.seed(), Some(planned.tier().number)).unwrap(), world);
            }
        }
    }
}

#[test]
fn a_seed_draws_a_published_member_and_a_map_of_the_training_split() {
    let family = family("backwards_valley@tier=5");
    let world = |seed| family.drawn(None, seed, None).unwrap();
    assert_eq!(world(42), family.world(SeedSplit::Train, 42, None).unwrap());
    assert_eq!(world(42), world(SeedSplit::WORLDS + 42));
    let other = world(PUBLISHED + 42);
    assert_eq!(other.member(), world(42).member());
    assert_eq!(other.seed(), SeedSplit::Train.seed(PUBLISHED + 42).unwrap());
    assert_eq!(world(u64::MAX).split(), SeedSplit::Train);
    // Members by index have rules of their own.
    let by_index = family.world(SeedSplit::Train, PUBLISHED + 42, None).unwrap();
    assert_eq!(by_index.member().to_string(), "backwards_valley@tier=5,rules=train-242");
}

#[test]
fn seeds_and_members_of_another_split_are_rejected() {
    let family = family("backwards_valley@tier=5");
    let (train, test) = (SeedSplit::Train.seed(3).unwrap(), SeedSplit::Test.seed(3).unwrap());
    for (split, seed, said) in [
        (None, test, "reserved for the split `test` (world 3)"),
        (Some(SeedSplit::Train), test, "not in the split `train`"),
        (Some(SeedSplit::Test), 3, "not in the split `test`"),
    ] {
        let problems = family.drawn(split, seed, None).unwrap_err().to_string();
        assert!(problems.contains(said), "{problems}");
    }
    for (tier, said) in [(6, "does not play tier 6"), (0, "expected: 5, or no tier")] {
        let problems = family.world(SeedSplit::Train, 0, Some(tier)).unwrap_err().to_string();
        assert!(problems.contains(said), "{problems}");
    }
    let problems = family.world(SeedSplit::Train, SeedSplit::WORLDS, None).unwrap_err().to_string();
    assert!(problems.contains("a number from 0 to 999999999"), "{problems}");

    let game = open("backwards_valley@rules=test-7", &Options::default()).unwrap();
    assert!(check_split(&game, test).is_ok() && check_split(&game, 3).is_ok());
    let problems = check_split(&game, train).unwrap_err().to_string();
    for said in ["rules of the split `test`", "train/3", "the member with `rules=train-3`"] {
        assert!(problems.contains(said), "{problems}");
    }
    for name in ["backwards_valley@rules=7", "backwards_valley"] {
        assert!(check_split(&open(name, &Options::default()).unwrap(), train).is_ok(), "{name}");
    }
}

#[test]
fn all_members_of_a_tier_have_the_same_spaces() {
    for name in FamilyGame::names() {
        let family = family(&name);
        for (split, index) in [(SeedSplit::Train, 1), (SeedSplit::Validation, 57), (SeedSplit::Test, 199)] {
            let world = family.world(split, index, None).unwrap();
            assert!(have_same_spaces(family.shape(), &family.array_game(&world).unwrap()), "{}", world.member());
        }
    }
    for family in &FAMILIES {
        assert!(FamilyGame::names().any(|name| name == format!("{}@tier=9", family.name)));
    }
}

/// Texts have invented names in an order of their own; arrays have the family's.
#[test]
fn arrays_of_a_tier_with_invented_names_have_the_order_of_the_family() {
    for name in ["backwards_valley@tier=8", "valley_farm@tier=9"] {
        let family = family(name);
        let entries = |game: &farm_core::Game| {
            game.observation().entries().iter().map(|entry| entry.key().to_owned()).collect::<Vec<_>>()
        };
        let actions = |game: &farm_core::Game| {
            let all = game.catalogue().base_actions().iter();
            all.map(|base| base.name(game.parts()).to_owned()).collect::<Vec<_>>()
        };
        for index in 0..5 {
            let world = family.world(SeedSplit::Test, index, None).unwrap();
            let (array, text) = (family.array_game(&world).unwrap(), family.game(&world).unwrap());
            assert_eq!((entries(&array), actions(&array)), (entries(family.shape()), actions(family.shape())));
            assert!(actions(&text).iter().all(|action| !actions(&array).contains(action)), "{name}");
            // Both are the same world.
            let best = |game| Baseline::of(game, world.seed()).unwrap().best.unwrap().value;
            assert_eq!(best(&array), best(&text), "{name}, world {index}");
        }
    }
}

#[test]
fn several_tiers_are_drawn_by_the_index_of_the_map() {
    let family = family("strange_crops@tiers=1-9");
    let tier = |index| family.world(SeedSplit::Train, index, None).unwrap().tier().number;
    assert_eq!((0..200).map(tier).collect::<BTreeSet<_>>(), (1..=9).collect());
    assert_eq!(tier(7), family.drawn(None, 7, None).unwrap().tier().number);
    let problems = family.check_shapes().unwrap_err().to_string();
    assert!(problems.contains("tier 6") && problems.contains("`strange_crops@tier=1`"), "{problems}");
    assert!(FamilyGame::open("strange_crops@tiers=5-6").unwrap().unwrap().check_shapes().is_err());
    assert!(FamilyGame::open("backwards_valley@tiers=5-7").unwrap().unwrap().check_shapes().is_err());
    assert!(FamilyGame::open("backwards_valley@tiers=1-3").unwrap().unwrap().check_shapes().is_ok());
    assert!(FamilyGame::open("strange_crops@tiers=1-5").unwrap().unwrap().check_shapes().is_ok());
}

#[test]
fn other_names_are_not_families() {
    for name in ["backwards_valley", "backwards_valley@tier=5,rules=7", "clay_bean", "./a@tier=5/b.yaml"] {
        assert!(!FamilyGame::is_name(name) && FamilyGame::open(name).is_none(), "{name}");
    }
    let problems = FamilyGame::open("valley_farm@tier=12").unwrap().unwrap_err().to_string();
    assert!(problems.contains("a number from 1 to 9"), "{problems}");
}

#[test]
fn a_score_is_that_of_the_baselines() {
    let family = family("backwards_valley@tier=5");
    let world = family.world(SeedSplit::Test, 2, None).unwrap();
    let game = family.game(&world).unwrap();
    let baseline = Baseline::of(&game, world.seed()).unwrap();
    let best = baseline.best.unwrap();
    for total in [baseline.waiting, best.value, 12.5] {
        let score = family.score(&game, &[world.seed()], total).unwrap();
        assert_eq!(score.score, baseline.score(total));
        assert_eq!((score.waiting, score.best, score.is_proven), (baseline.waiting, Some(best.value), true));
    }
    // Two episodes: the sums.
    let twice = family.score(&game, &[world.seed(), world.seed()], 2.0 * best.value).unwrap();
    assert_eq!((twice.score, twice.best), (Some(1.0), Some(2.0 * best.value)));
}

/// Each episode of each environment of a batch is the one that a single environment plays in the world that its seed draws.
#[test]
fn a_batch_plays_different_members_as_single_environments_do() {
    const N: usize = 5;
    for name in ["backwards_valley@tier=8", "strange_crops@tier=9"] {
        let family = Arc::new(family(name));
        let draws: Arc<dyn DrawGame> = family.clone();
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
            let mut batch = VectorEnvironment::new(family.shape().clone(), N, 1, autoreset).unwrap();
            batch.draw_games(&draws);
            let size = family.shape().observation().size();
            (0..N).for_each(|i| batch.reset(i, 195 + 3 * i as u64).unwrap());
            // An index may have rules that are not published.
            let chosen = family.world(SeedSplit::Validation, 7, None).unwrap();
            batch.reset_in_game(0, &family.array_game(&chosen).unwrap(), chosen.seed()).unwrap();
            let single = |batch: &VectorEnvironment, i: usize| {
                let mut environment = Environment::new(batch.game_of(i).unwrap().clone());
                let seed = batch.state(i).unwrap().seed();
                environment.name_split(SeedSplit::of(seed));
                environment.reset(seed);
                environment
            };
            let mut singles: Vec<Environment> = (0..N).map(|i| single(&batch, i)).collect();
            let (mut observations, mut finals) = (vec![0; N * size], vec![0; N * size]);
            let (mut rewards, mut costs, mut ends, mut rejections) = ([0.0; N], [[0.0; N]; 3], [[false; N]; 2], [0; N]);
            let mut members = BTreeSet::new();
            let actions = family.shape().catalogue().discrete_len() as i64;
            for step in 0..400_i64 {
                let ids: Vec<i64> = (0..N as i64).map(|i| (step * 7 + i * 3) % actions).collect();
                let was_over: Vec<bool> = (0..N).map(|i| batch.state(i).unwrap().over()).collect();
                let ([terminations, truncations], [interventions, looks, constraints]) = (&mut ends, &mut costs);
                let mut outputs = Outputs {
                    observations: &mut observations,
                    rewards: &mut rewards,
                    terminations,
                    truncations,
                    final_observations: &mut finals,
                    intervention_costs: interventions,
                    observation_costs: looks,
                    constraint_costs: constraints,
                    rejections: &mut rejections,
                };
                batch.step(Actions::Discrete(&ids), &mut outputs).unwrap();
                for i in 0..N {
                    if was_over[i] {
                        singles[i] = single(&batch, i);
                    } else {
                        let outcome = singles[i].step(ids[i] as usize).unwrap();
                        assert_eq!(outcome.reward, rewards[i], "{name}, environment {i}, step {step}");
                        assert_eq!(outcome.over(), ends[0][i] || ends[1][i]);
                        if outcome.over() && autoreset == Autoreset::SameStep {
                            assert_eq!(singles[i].observation(), &finals[i * size..(i + 1) * size]);
                            singles[i] = single(&batch, i);
                        }
                    }
                    assert_eq!(singles[i].observation(), &observations[i * size..(i + 1) * size]);
                    let name = batch.game_of(i).unwrap().spec().name();
                    assert!(name.contains(if i == 0 { "rules=validation-" } else { "rules=train-" }), "{name}");
                    members.insert(name.to_owned());
                }
            }
            assert!(members.len() > N, "{members:?}");
        }
    }
}

#[test]
fn a_game_with_other_spaces_does_not_join_a_batch() {
    let family = Arc::new(family("backwards_valley@tier=5"));
    let draws: Arc<dyn DrawGame> = family.clone();
    let other = Arc::new(open("backwards_valley@tier=9,rules=train-0", &Options::default()).unwrap());
    let mut batch = VectorEnvironment::new(other.clone(), 1, 1, Autoreset::NextStep).unwrap();
    batch.draw_games(&draws);
    let error = batch.reset(0, 3).unwrap_err().to_string();
    assert!(error.contains("other observations or actions"), "{error}");
    let mut batch = VectorEnvironment::new(family.shape().clone(), 1, 1, Autoreset::NextStep).unwrap();
    assert!(batch.reset_in_game(0, &other, 3).is_err());
}
