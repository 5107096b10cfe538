//! Ladders and splits: every tier is a game that can be planned, the published tables say what comes out, and seeds of a split need its
//! name.

use farm_core::vector::{Autoreset, VectorEnvironment, VectorError};
use farm_core::{Environment, EpisodeRunner, NoObserver, PlayError, SeedError, SeedSplit, StepError};
use farm_games::families::{
    Annotation, FAMILIES, Laws, Member, Optimum, SCRIPTS, Setting, Skin, SplitWorld, Tier, Told,
};
use farm_games::{Options, open};

fn opened(name: &str) -> farm_core::Game {
    open(name, &Options::default()).unwrap_or_else(|problems| panic!("{name}: {problems}"))
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
            assert_eq!(game.rules().max_steps, Some(tier.steps));
            assert_eq!(world.member().skin_worn() != Skin::Plain, tier.told == Told::Invented);
            let mut state = game.new_state();
            game.reset(&mut state, world.seed(), &mut game.new_record());
            match tier.setting {
                Setting::Map(map) => {
                    assert_eq!([field.length(), field.width()], [map.size as usize; 2], "{}", world.member());
                    let shapes: Vec<&[usize]> = layout.entries().iter().map(|entry| entry.shape()).collect();
                    assert!(shapes.iter().any(|shape| shape.first() == Some(&(map.view as usize))), "{shapes:?}");
                    let planned = farm_oracle::Planner::of(game).unwrap().plan(game, &state).unwrap();
                    assert!(planned.value > 0.0 && planned.bound.is_finite(), "{}", world.member());
                }
                Setting::Farm(farm) => {
                    assert_eq!(field.plots(), farm.plots as usize, "{}", world.member());
                    assert_eq!(game.catalogue().max_schedule(), farm.actions as usize);
                    let name = "available_Water#L";
                    let is_seen = layout.entries().iter().any(|entry| {
                        entry.reference().is_some_and(|reference| game.names().split(reference).2 == name)
                    });
                    assert_eq!(is_seen, farm.is_water_seen, "{}", world.member());
                    let water = game.parts().iter().flat_map(|part| part.variables()).find(|v| v.name() == name);
                    let water = game.reader(&state).get(water.unwrap().column::<f64>().unwrap());
                    let limits = f64::from(farm.water[0])..=f64::from(farm.water[1]);
                    assert!(water.iter().all(|litres| limits.contains(litres)), "{}: {water:?}", world.member());
                }
            }
        }
    }
}

/// What differs between tiers does not change the rules, and what differs between members does not change the map.
#[test]
fn on_a_tier_the_map_of_a_seed_is_the_same_for_all_rules() {
    for family in FAMILIES.iter().filter(|family| family.tiers.iter().any(|tier| tier.map().is_some())) {
        let is_hard = |tier: &&Tier| {
            tier.told == Told::Hidden && tier.map().is_some_and(|map| map.is_scattered && map.obstacles > 0)
        };
        let tier = family.tiers.iter().find(is_hard).unwrap().number;
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

/// On a farm, it is the weather and the soil.
#[test]
fn on_a_tier_the_year_of_a_seed_is_the_same_for_all_rules() {
    for tier in FAMILIES.iter().find(|family| family.name == "strange_crops").unwrap().tiers {
        let shown: Vec<Vec<u8>> = (0..4)
            .map(|rules| {
                let game = opened(&format!("strange_crops@tier={},rules=train-{rules}", tier.number));
                let (mut state, mut record) = (game.new_state(), game.new_record());
                game.reset(&mut state, 5, &mut record);
                let mut shown = vec![0; game.observation().size()];
                let mut all = Vec::new();
                for _ in 0..60 {
                    game.step(&mut state, game.catalogue().waiting(), &mut record).unwrap();
                    game.observe_into(&state, &mut shown);
                    all.extend_from_slice(&shown);
                }
                all
            })
            .collect();
        assert!(shown.windows(2).all(|pair| pair[0] == pair[1]), "tier {}", tier.number);
    }
}

/// The published tables: of which family and split, and every how many worlds one is computed anew.
const TABLES: [(&str, SeedSplit, &str, u64); 7] = [
    ("backwards_valley", SeedSplit::Test, include_str!("../../worlds/backwards_valley-test.csv"), 60),
    ("backwards_valley", SeedSplit::Validation, include_str!("../../worlds/backwards_valley-validation.csv"), 150),
    ("backwards_valley", SeedSplit::Train, include_str!("../../worlds/backwards_valley-train.csv"), 150),
    // Their plans take longer.
    ("valley_farm", SeedSplit::Test, include_str!("../../worlds/valley_farm-test.csv"), 450),
    ("valley_farm", SeedSplit::Validation, include_str!("../../worlds/valley_farm-validation.csv"), 900),
    ("valley_farm", SeedSplit::Train, include_str!("../../worlds/valley_farm-train.csv"), 900),
    ("strange_crops", SeedSplit::Test, include_str!("../../worlds/strange_crops-test.csv"), 30),
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
        // Of some splits, only the first worlds have a table.
        let worlds = rows.len() / tiers.len();
        assert!(worlds >= 30 && rows.len() == worlds * tiers.len(), "{family}, {split:?}: {} rows", rows.len());
        for (i, row) in rows.into_iter().enumerate() {
            let (tier, index) = (1 + (i % tiers.len()) as u64, (i / tiers.len()) as u64);
            let world = SplitWorld::new(family, tier as u32, split, index).unwrap();
            let begin = format!("{tier},{index},\"{}\",{},{},", world.member(), world.seed(), world.tier().told.name());
            let rest = row.strip_prefix(&begin).unwrap_or_else(|| panic!("{row}: expected {begin}"));
            let cells: Vec<Option<f64>> = rest.split(',').map(|cell| cell.parse().ok()).collect();
            let [Some(optimum), bound, Some(length), wait, ref others @ ..] = cells[..] else { panic!("{row}") };
            // Of a farm nothing is proven, and no script does better than the best that was found.
            assert_eq!(bound.is_none(), world.tier().farm().is_some(), "{row}");
            let (most, bound) = (bound.unwrap_or(optimum), bound.unwrap_or(f64::INFINITY));
            assert!(bound >= optimum - 1e-9, "{row}");
            // Every world has room.
            let least = if world.tier().farm().is_some() { 20.0 } else { 0.5 };
            assert!(optimum >= wait.unwrap() + least, "{row}");
            assert!(others.iter().flatten().all(|earned| *earned <= most + 1e-9), "{row}");
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
    assert!(error.to_string().contains("is not in the split `test`"), "{error}");

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
    for family in &FAMILIES {
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
            let cells: Vec<String> = tier.columns().into_iter().map(|(_, cell)| cell).collect();
            let row = format!("| {} |", cells.join(" | "));
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

/// What the first year has taught helps in the second, and what the first episode has in the next ones.
#[test]
fn who_learns_of_crops_earns_more_with_time() {
    let (mut years, mut forgetful, mut remembering) = ([0.0; 2], 0.0, 0.0);
    for rules in 0..16 {
        let game = opened(&format!("strange_crops@tier=5,rules=train-{rules}"));
        let mut player = farm_games::policy(&game, "adaptive").unwrap();
        let mut runner = EpisodeRunner::new(&game);
        runner.start(player.as_mut(), rules, &mut NoObserver).unwrap();
        while let Ok(outcome) = runner.advance(player.as_mut(), &mut NoObserver) {
            let is_second = runner.state().step() > 270;
            years[usize::from(is_second)] += outcome.reward;
            if outcome.over() {
                break;
            }
        }
        for (keeps, sum) in [(false, &mut forgetful), (true, &mut remembering)] {
            let mut player = farm_games::policy(&game, &format!("CropLearnerPolicy: {{keeps_laws: {keeps}}}")).unwrap();
            for episode in 0..4 {
                let total = farm_core::play(&game, player.as_mut(), episode, &mut NoObserver).unwrap().total();
                if episode > 1 {
                    *sum += total;
                }
            }
        }
    }
    assert!(years[1] > 2.0 * years[0], "{years:?}");
    assert!(remembering > 1.5 * forgetful, "{remembering}, {forgetful}");
}
