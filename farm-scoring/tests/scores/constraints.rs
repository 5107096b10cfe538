//! Constraints against balances of other variables: balances of nutrients, what each cide is made of, and the same days
//! without poison.

use farm_core::{Environment, Stream};
use serde_json::json;

use crate::support::{Farm, assert_close};

const SCORE: &str = "{BasicScore: {reward_mix: {stage_transition: 1}, constraints: {leached_nutrients: {limit: 50, weight: 2}, \
     leached_shares: {N#prop: 1, P#prop: 1, K#prop: 0.5, C#prop: 0}, cide_residue: {}, \
     pollinator_deaths: {limit: 3, weight: 10}}}}";

/// What the soil holds of N, P and half of K, and what came in and was taken up today.
fn nutrients(farm: &Farm) -> (f64, f64) {
    let weighed = |kind: &str, unit: &str| {
        let of = |x: &str| farm.sum(&format!("Soil-0.{kind}_{x}#{unit}"));
        of("N") + of("P") + 0.5 * of("K")
    };
    (weighed("available", "g"), weighed("gain", "g.day-1") - weighed("uptake", "g.day-1"))
}

#[test]
fn what_each_step_costs_the_constraints_is_that_of_the_books() {
    let mut farm = Farm::new(SCORE, &[]);
    // The same farm, whose pesticide harms no pollinators: weather, birds and luck are the same every day.
    let mut harmless =
        Farm::new(SCORE, &[("fields.Field-0.entities.5.Cide", "{base: pesticide, pollinators#prop: 0}")]);
    let mut seen = [0.0; 3];
    for seed in 0..8 {
        farm.env.reset(seed);
        harmless.env.reset(seed);
        let (mut stream, mut same) = (Stream::from_seed(seed), Stream::from_seed(seed));
        let mut totals = [0.0; 3];
        let (mut stock, _) = nutrients(&farm);
        loop {
            let (_, outcome) = farm.day(&mut stream);
            harmless.day(&mut same);
            let (now, flow) = nutrients(&farm);
            let leached = stock + flow - now;
            stock = now;
            // The herbicide is all weeds' poison, the pesticide all pests': together they weigh what both are.
            let residue = farm.sum("Soil-0.amount_cide.pests#g") + farm.sum("Soil-0.amount_cide.weeds#g");
            let visits = "Pollinators-0.occurrence#bin";
            let killed = harmless.sum(visits) - farm.sum(visits);
            let today = [leached, residue, killed];
            totals.iter_mut().zip(today).for_each(|(total, today)| *total += today);
            let info = farm.env.info().to_json();
            for (i, name) in ["leached_nutrients", "cide_residue", "pollinator_deaths"].iter().enumerate() {
                let shown = &info["constraints"][name];
                let number = |key: &str| shown[key].as_f64().unwrap_or_else(|| panic!("{name}: {shown}"));
                let slack = if i == 0 { 1e-6 } else { 1e-9 };
                assert!((number("value") - today[i]).abs() < slack, "seed {seed} {name}: {shown}, {}", today[i]);
                assert!(
                    (number("total") - totals[i]).abs() < 90.0 * slack,
                    "seed {seed} {name}: {shown}, {}",
                    totals[i]
                );
            }
            assert_eq!(info["constraints"]["leached_nutrients"]["limit"], json!(50.0));
            assert_eq!(info["constraints"]["cide_residue"]["limit"], json!(null));
            let cost = info["cost"].as_f64().unwrap();
            assert!((cost - (2.0 * leached + residue + 10.0 * killed)).abs() < 1e-5, "seed {seed}: {cost}");
            if outcome.over() {
                break;
            }
        }
        seen.iter_mut().zip(totals).for_each(|(seen, total)| *seen += total);
    }
    assert!(seen.iter().all(|sum| *sum > 3.0), "leaching, residue and deaths must all have happened: {seen:?}");
}

#[test]
fn water_that_was_given_counts_when_it_is_given() {
    let mut farm = Farm::new("{BasicScore: {constraints: {water_use: {limit: 500, weight: 0.5}}}}", &[]);
    for seed in 0..4 {
        farm.env.reset(seed);
        let mut stream = Stream::from_seed(seed);
        let mut total = 0.0;
        for _ in 0..90 {
            let (done, outcome) = farm.day(&mut stream);
            let given = done.filter(|done| done.name == "water_discrete").map_or(0.0, |done| done.number("amount#L"));
            total += given;
            let info = farm.env.info().to_json();
            let shown = &info["constraints"]["water_use"];
            assert_close(shown["value"].as_f64().unwrap(), given, "the water of the day");
            assert_close(shown["total"].as_f64().unwrap(), total, "the water of the season");
            assert_close(info["cost"].as_f64().unwrap(), 0.5 * given, "the cost");
            assert_eq!(shown["limit"], json!(500.0));
            if outcome.over() {
                break;
            }
        }
        assert!(total > 1000.0, "seed {seed}: {total} L");
    }
}

#[test]
fn constraints_take_nothing_from_the_reward() {
    let [mut with, mut without] =
        [SCORE, "{BasicScore: {reward_mix: {stage_transition: 1}}}"].map(|s| Farm::new(s, &[]));
    let (mut stream, mut same) = (Stream::from_seed(1), Stream::from_seed(1));
    for _ in 0..90 {
        assert_eq!(with.day(&mut stream).1, without.day(&mut same).1);
    }
    let info = without.env.info().to_json();
    assert_eq!((&info["constraints"], &info["cost"]), (&json!({}), &json!(0.0)));
}

#[test]
fn totals_survive_a_snapshot_and_end_with_the_episode() {
    let mut farm = Farm::new(SCORE, &[]);
    farm.env.reset(3);
    let mut stream = Stream::from_seed(3);
    (0..60).for_each(|_| drop(farm.day(&mut stream)));
    let total = |env: &Environment| env.info().to_json()["constraints"]["leached_nutrients"]["total"].as_f64().unwrap();
    let then = total(&farm.env);
    assert!(then > 0.0);
    let snapshot = farm.env.snapshot();
    let mut other = Environment::new(farm.env.game().clone());
    other.restore(&snapshot).unwrap();
    assert_eq!(total(&other), then);
    other.step(&[]).unwrap();
    farm.env.step(&[]).unwrap();
    assert_eq!(other.info(), farm.env.info());
    farm.env.reset(3);
    assert_eq!((total(&farm.env), farm.env.info().to_json()["cost"].as_f64()), (0.0, Some(0.0)));
}

#[test]
fn scores_with_everything_in_them_allocate_nothing_in_a_step() {
    let profit =
        "{ProfitScore: {constraints: {leached_nutrients: {}, cide_residue: {}, pollinator_deaths: {}, water_use: {}}}}";
    let basic = "{BasicScore: {reward_mix: {stage_transition: 1, yield#kg: 1, plant: 1, soil: 1, resource: 1, \
         biodiversity: 1}, constraints: {leached_nutrients: {}, cide_residue: {}, pollinator_deaths: {}, water_use: {}}}}";
    for score in [basic, profit] {
        let farm = Farm::new(score, &[]);
        let game = farm.env.game();
        let (mut state, mut record) = (game.new_state(), game.new_record());
        let mut stream = Stream::from_seed(2);
        let counted = allocation_counter::measure(|| {
            for seed in 0..5 {
                game.reset(&mut state, seed, &mut record);
                while !state.over() {
                    let id = stream.index(game.catalogue().discrete_len() as u32) as usize;
                    game.step_discrete(&mut state, id, &mut record).unwrap();
                }
            }
        });
        assert_eq!(counted.count_total, 0, "{score}");
    }
}
