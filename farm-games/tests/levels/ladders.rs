//! Ladders and splits: every tier is a game that can be planned, the published tables say what comes out, and seeds of a split need its
//! name.

use farm_core::vector::{Autoreset, VectorEnvironment, VectorError};
use farm_core::{Environment, EpisodeRunner, NoObserver, PlayError, SeedError, SeedSplit, StepError};
use farm_games::families::{
    Annotation, FAMILIES, Laws, Member, Optimum, PUBLISHED, RuleFamily, SCRIPTS, Skin, SplitWorld, Told,
};
use farm_games::{Options, open};

fn opened(name: &str) -> farm_core::Game {
    open(name, &Options::default()).unwrap_or_else(|problems| panic!("{name}: {problems}"))
}

fn with_ladders() -> impl Iterator<Item = &'static RuleFamily> {
    FAMILIES.iter().filter(|family| !family.tiers.is_empty())
}

#[test]
fn each_tier_is_what_its_table_says_with_the_rules_of_its_member() {
    for family in &FAMILIES {
        for tier in family.tiers {
            let world = SplitWorld::new(family.name, tier.number, SeedSplit::Test, 1).unwrap();
            let member = Member::of(world.member()).unwrap();
            let plain = Member::find(&format!("{}@rules=test-1", family.name)).unwrap();
            assert_eq!(member.laws, plain.laws);
            let game = opened(&world.member().to_string());
            let environment = Environment::new(game.into());
            let (game, layout) = (environment.game(), environment.game().observation());
            assert_eq!(game.spec().name(), world.member().to_string());
            let [field] = game.fields() else { panic!("one field") };
            assert_eq!([field.length(), field.width()], [tier.size as usize; 2], "{}", world.member());
            assert_eq!(game.max_steps(), Some(tier.steps));
            let shapes: Vec<&[usize]> = layout.entries().iter().map(|entry| entry.shape()).collect();
            assert!(shapes.iter().any(|shape| shape.first() == Some(&(tier.view as usize))), "{shapes:?}");
            assert_eq!(world.member().skin_worn() != Skin::Plain, tier.told == Told::Invented);
            let mut state = game.new_state();
            game.reset(&mut state, world.seed(), &mut game.new_record());
            let planned = farm_oracle::Planner::of(game).unwrap().plan(game, &state).unwrap();
            assert!(planned.value > 0.0 && planned.bound.is_finite(), "{}", world.member());
        }
    }
}

/// What differs between tiers does not change the rules, and what differs between members does not change the map.
#[test]
fn on_a_tier_the_map_of_a_seed_is_the_same_for_all_rules() {
    for family in with_ladders() {
        let tier =
            family.tiers.iter().find(|tier| tier.is_scattered && tier.obstacles > 0 && tier.told == Told::Hidden);
        let tier = tier.unwrap().number;
        let maps: Vec<Vec<u8>> = (0..4)
            .map(|rules| {
                let game = opened(&format!("{}@tier={tier},rules=train-{rules}", family.name));
                let map = game.parts().iter().flat_map(|part| part.variables()).find(|v| v.name() == "tiles").unwrap();
                let mut state = game.new_state();
                game.reset(&mut state, 5, &mut game.new_record());
                let tiles = game.reader(&state).get(map.column::<u8>().unwrap()).to_vec();
                // The terrain and not what a tile shows.
                tiles.into_iter().step_by(2).collect()
            })
            .collect();
        assert!(maps.windows(2).all(|pair| pair[0] == pair[1]), "{}", family.name);
    }
}

/// The published tables: of which family and split, and every how many worlds one is computed anew.
const TABLES: [(&str, SeedSplit, &str, u64); 6] = [
    ("backwards_valley", SeedSplit::Test, include_str!("../../worlds/backwards_valley-test.csv"), 20),
    ("backwards_valley", SeedSplit::Validation, include_str!("../../worlds/backwards_valley-validation.csv"), 50),
    ("backwards_valley", SeedSplit::Train, include_str!("../../worlds/backwards_valley-train.csv"), 50),
    // Their plans take longer.
    ("valley_farm", SeedSplit::Test, include_str!("../../worlds/valley_farm-test.csv"), 150),
    ("valley_farm", SeedSplit::Validation, include_str!("../../worlds/valley_farm-validation.csv"), 300),
    ("valley_farm", SeedSplit::Train, include_str!("../../worlds/valley_farm-train.csv"), 300),
];

/// Of each table some rows are computed anew: another one of each tier on every tier.
#[test]
fn published_tables_say_what_comes_out() {
    for (family, split, table, every) in TABLES {
        let mut rows = table.lines();
        let header = format!("tier,index,member,seed,told,optimum,bound,length,{}", SCRIPTS.join(","));
        assert_eq!(rows.next(), Some(header.as_str()));
        let tiers = FAMILIES.iter().find(|known| known.name == family).unwrap().tiers;
        let rows: Vec<&str> = rows.collect();
        assert_eq!(rows.len() as u64, PUBLISHED * tiers.len() as u64);
        for (i, row) in rows.into_iter().enumerate() {
            let (tier, index) = (1 + (i % tiers.len()) as u64, (i / tiers.len()) as u64);
            let world = SplitWorld::new(family, tier as u32, split, index).unwrap();
            let begin = format!("{tier},{index},\"{}\",{},{},", world.member(), world.seed(), world.tier().told.name());
            let rest = row.strip_prefix(&begin).unwrap_or_else(|| panic!("{row}: expected {begin}"));
            let cells: Vec<Option<f64>> = rest.split(',').map(|cell| cell.parse().ok()).collect();
            let [Some(optimum), Some(bound), Some(length), wait, ref others @ ..] = cells[..] else { panic!("{row}") };
            assert!(bound >= optimum - 1e-9 && optimum > wait.unwrap(), "{row}");
            assert!(others.iter().flatten().all(|earned| *earned <= bound + 1e-9), "{row}");
            if (index + tier) % every == 0 {
                let known = Annotation::of(&world).unwrap();
                let scripts: Vec<Option<f64>> = [wait].into_iter().chain(others.iter().copied()).collect();
                let best = Optimum { value: optimum, bound, length: length as u64 };
                assert_eq!(known.optimum, best, "{row}");
                assert_eq!(known.scripts.to_vec(), scripts, "{row}");
            }
        }
    }
}

#[test]
fn seeds_of_a_split_begin_no_episode_unless_it_is_named() {
    let game = std::sync::Arc::new(opened("backwards_valley"));
    let test = SeedSplit::Test.seeds().start;
    let refused = SeedError::Reserved { seed: test, split: SeedSplit::Test };

    let mut environment = Environment::new(game.clone());
    environment.reset(7);
    let before = environment.observation().to_vec();
    environment.reset(test);
    assert_eq!(environment.refused_seed(), Some(refused));
    assert_eq!(environment.observation(), before, "nothing of the world is seen");
    for action in ["MoveN", "Wait", "nonsense"] {
        assert_eq!(environment.step(action).unwrap_err(), StepError::Seed(refused));
    }
    assert_eq!(environment.step(0).unwrap_err(), StepError::Seed(refused));
    environment.name_split(Some(SeedSplit::Train));
    environment.reset(test);
    let of_other = SeedError::NotOfSplit { seed: test, split: SeedSplit::Train };
    assert_eq!(environment.refused_seed(), Some(of_other));
    environment.name_split(Some(SeedSplit::Test));
    environment.reset(test);
    assert_eq!(environment.refused_seed(), None);
    environment.step("Wait").unwrap();

    let mut runner = EpisodeRunner::new(&game);
    let mut player = farm_games::policy(&game, "wait").unwrap();
    let error = runner.play(player.as_mut(), test, &mut NoObserver).unwrap_err();
    assert!(matches!(error, PlayError::Step(StepError::Seed(error)) if error == refused));
    runner.name_split(Some(SeedSplit::Test));
    assert_eq!(runner.play(player.as_mut(), test, &mut NoObserver).unwrap().seed(), test);
    let error = runner.play(player.as_mut(), 7, &mut NoObserver).unwrap_err();
    assert!(error.to_string().contains("not one of the split `test`"), "{error}");

    let mut vector = VectorEnvironment::new(game, 2, 1, Autoreset::SameStep).unwrap();
    let error = vector.reset(1, test).unwrap_err();
    assert_eq!(error, VectorError::Step { environment: 1, error: StepError::Seed(refused) });
    vector.reset_in_split(1, test, Some(SeedSplit::Test)).unwrap();
    for _ in 0..3 {
        vector.reset_next(1).unwrap();
        let seed = vector.state(1).unwrap().seed();
        assert_eq!(SeedSplit::of(seed), Some(SeedSplit::Test), "later episodes stay in the split");
    }
}

/// Rules to test on are not among those for training or to choose by, whatever the tier.
#[test]
fn worlds_of_a_split_have_rules_of_that_split() {
    for family in with_ladders() {
        let mut seen: Vec<Laws> = Vec::new();
        for split in SeedSplit::ALL {
            for index in 0..6 {
                let world = SplitWorld::new(family.name, 1, split, index).unwrap();
                let laws = Member::of(world.member()).unwrap().laws;
                let is_for_tests = laws.split() == farm_games::families::RuleSplit::Test;
                assert_eq!(is_for_tests, split == SeedSplit::Test, "{}", world.member());
                assert!(!seen.contains(&laws), "{}", world.member());
                seen.push(laws);
            }
        }
    }
}

/// The tables of the page are the code's.
#[test]
fn the_page_has_the_ladders() {
    let page = include_str!("../../../docs/families.md");
    for family in &FAMILIES {
        for tier in family.tiers {
            let things = if tier.is_scattered { "anywhere" } else { "in their places" };
            let (number, size, view, told) = (tier.number, tier.size, tier.view, tier.told.name());
            let row = format!(
                "| {number} | {size} × {size} | {view} × {view} | {things} | {} | {} | {told} |",
                tier.obstacles, tier.steps
            );
            let table =
                page.split(&format!("| `{}`, tier |", family.name)).nth(1).unwrap().split("\n\n").next().unwrap();
            assert!(
                table.lines().any(|line| line == row),
                "docs/families.md lacks, in the table of `{}`: {row}",
                family.name
            );
        }
    }
}
