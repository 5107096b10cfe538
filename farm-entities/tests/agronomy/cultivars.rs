//! Cultivars under the laws of field trials: cold, day length, leaves, frost, whole seasons. What is expected is from the literature.

use std::collections::BTreeMap;

use farm_core::Stream;
use farm_core::config::PartKind;
use farm_core::registry::kind;

use crate::balances::in_range;
use crate::soil_profile::Books;
use crate::world::{Scenario, World};

const LAYERS: &str = "profile: {layers: [{bottom#m: 0.1}, {bottom#m: 0.3}, {bottom#m: 0.6}, {bottom#m: 1}, {bottom#m: 1.6}], initial_N#g.m-2: 10}";

/// A number of a parameter set of plants, by its path.
fn number(set: &str, path: &[&str]) -> Option<f64> {
    let sets = kind(PartKind::Entity, "Plant").unwrap().parameter_sets().unwrap();
    let found = sets.iter().find(|found| found.name() == set).unwrap();
    path.iter().try_fold(found.parameters(), |value, key| value.get(*key))?.as_f64()
}

/// A square metre of a cultivar that lacks nothing, sown at a latitude on a day of the year.
fn stand(set: &str, latitude: f64, start: u32, spells: &str) -> World {
    let plants = number(set, &["crop", "density#nb.m-2"]).unwrap().round();
    let fruits = "{germination#prop: 1, selfing#prop: 1}";
    Scenario::new()
        .at(latitude)
        .with(format!("Spells: {{start: {start}, spells: [{spells}]}}"))
        .with(format!("Soil: {{base: loam, equations: agronomic, {LAYERS}}}"))
        .with(format!(
            "Plant: {{base: {set}, equations: agronomic, initial_population#nb: {plants}, crop: {{nutrition: {{nitrogen#%: 0}}, fruits: {fruits}}}}}"
        ))
        .build()
}

/// Days until the plants are in a stage, if they come there.
fn days_to(world: &mut World, stage: &str, most: usize) -> Option<usize> {
    (1..=most).find(|_| {
        world.wait();
        world.stages()[0] == stage
    })
}

/// Dry matter in the fruits [g].
fn fruits(world: &World, set: &str) -> f64 {
    let share = number(set, &["crop", "fruits", "dry_share#prop"]).unwrap_or(0.86);
    let parts = ["population#nb", "fruits_per_plant#nb", "fruit_weight#g"];
    share * parts.map(|what| world.value(&format!("Plant-0.{what}"))).iter().product::<f64>()
}

/// Dry matter above the ground since emergence [g].
fn dry(world: &World) -> f64 {
    // What fell today is with the plants until tomorrow.
    let [biomass, fallen, shed] =
        ["biomass#g", "fallen_leaves#g", "shed_leaves#g.day-1"].map(|what| world.value(&format!("Plant-0.{what}")));
    biomass + fallen - shed
}

#[test]
fn winter_wheat_needs_cold_and_spring_wheat_none() {
    let mut never = stand("wheat", 50.0, 60, "{t: [20, 20]}");
    assert_eq!(days_to(&mut never, "bloom", 250), None);
    assert_eq!(never.stages()[0], "grow", "it lives");
    let mut cold = stand("wheat", 50.0, 60, "{t: [5, 5], days: 60}, {t: [20, 20]}");
    let days = days_to(&mut cold, "bloom", 250).expect("it had its cold");
    assert!((75..160).contains(&days), "{days}");
    let days = days_to(&mut stand("wheat_spring", 50.0, 100, "{t: [20, 20]}"), "bloom", 250).unwrap();
    assert!((35..90).contains(&days), "{days}");
}

/// CROPGRO's group 7, sown on 15 June at 29.6° N in the best temperature: 20.8 days at full speed take 46, and 4 for emergence.
#[test]
fn long_days_delay_late_soybeans_and_hardly_the_earliest() {
    let of = |set: &str, latitude: f64| {
        days_to(&mut stand(set, latitude, 165, "{t: [28, 28]}"), "bloom", 200).unwrap_or(200) as f64
    };
    let gainesville = of("soybean_late", 29.6);
    assert!((44.0..=54.0).contains(&gainesville), "{gainesville}");
    let [late, earliest] = ["soybean_late", "soybean_very_early"].map(|set| of(set, 45.0) - of(set, 10.0));
    assert!(late > 25.0 && (0.0..=5.0).contains(&earliest), "{late} {earliest}");
}

#[test]
fn hardened_wheat_lives_through_a_night_that_kills_unhardened_wheat() {
    let lives = |before: &str| {
        let spells = format!("{{t: [10, 20], days: 12}}, {before} {{t: [-18, -8], rain: 0, days: 1}}, {{t: [3, 9]}}");
        let mut world = stand("wheat", 50.0, 290, &spells);
        world.wait_days(12);
        assert_eq!(world.stages()[0], "grow", "it is up");
        let dies = days_to(&mut world, "dead", 80).is_some();
        let causes = world.variable("Plant-0.cause_of_death").kind().labels(0).unwrap();
        assert!(!dies || world.value("Plant-0.cause_of_death") == causes.index("frost").unwrap() as f64);
        !dies
    };
    assert!(!lives(""), "unhardened");
    assert!(lives("{t: [0, 4], days: 42},"), "hardened");
    // Half hardened, it needs snow.
    assert!(!lives("{t: [0, 4], days: 6}, {t: [-2, 0], rain: 0, days: 1},"), "half hardened, bare");
    assert!(lives("{t: [0, 4], days: 6}, {t: [-2, 0], rain: 40, days: 1},"), "half hardened, under snow");
}

#[test]
fn frost_takes_the_leaves_of_young_corn_and_kills_tall_corn() {
    let night = |day: u32, min: f64| {
        let spells = format!("{{t: [15, 25], days: {day}}}, {{t: [{min}, 12], days: 1}}, {{t: [15, 25]}}");
        let mut world = stand("corn", 42.0, 120, &spells);
        world.wait_days(day as usize);
        let before = world.value("Plant-0.leaf_area#m2");
        world.wait();
        (world.value("Plant-0.leaf_area#m2") / before, world)
    };
    // Six leaves are out after about 80 + 6·39 degree-days above 8 °C, 26 days.
    let (left, mut young) = night(14, -3.0);
    assert!(left < 0.6, "{left} of the leaves");
    young.wait_days(40);
    assert!(young.stages()[0] != "dead" && young.value("Plant-0.leaf_area#m2") > 1.0, "it grew again");
    assert_eq!(night(50, -5.0).1.stages()[0], "dead");
}

#[test]
fn ripe_wheat_has_lost_its_leaves() {
    let spells = "{t: [8, 14], days: 30}, {t: [1, 7], days: 100}, {t: [9, 19]}";
    let mut world = stand("wheat", 50.0, 285, spells);
    let mut peak: f64 = 0.0;
    let is_ripe = (0..400).any(|_| {
        peak = peak.max(world.value("Plant-0.leaf_area#m2"));
        days_to(&mut world, "ripe", 1).is_some()
    });
    assert!(is_ripe, "{:?}", world.stages());
    let ripe = world.value("Plant-0.leaf_area#m2");
    assert!(peak > 3.0 && ripe < 1.5 && ripe < 0.4 * peak, "{ripe} of {peak} m²/m²");
}

#[test]
fn balances_close_over_seasons_of_cultivars_whatever_is_done() {
    let mut fallen: f64 = 0.0;
    let mut seen = BTreeMap::new();
    let sets = ["soybean", "wheat", "potato", "rice", "tomato_early"];
    for (case, (set, start)) in sets.into_iter().zip([125, 285, 105, 120, 130]).enumerate() {
        let mut world = Scenario::new()
            .plots(1, 3)
            .with("Weather: {equations: agronomic}")
            .with(format!("Soil: {{base: loam, equations: agronomic, {LAYERS}}}"))
            .with(format!(
                "Plant: {{base: {set}, equations: agronomic, initial_population#nb: 30, harvest_residue: {}}}",
                case % 2 == 0
            ))
            .initially(format!("{{Weather-0: {{day#int365: {start}}}}}"))
            .build();
        world.env.reset(case as u64);
        let (mut stream, mut books) = (Stream::from_seed(case as u64), Books::open(&world));
        for day in 0..420 {
            let plot = stream.index(3) as usize;
            let at = format!("\"plot\": [0, {plot}]");
            let stage = world.stages()[plot].clone();
            let is_over = matches!(stage.as_str(), "ripe" | "dead" | "none" | "harvested");
            let call = match stream.index(if is_over { 5 } else { 60 }) {
                0 => Some(format!("Plant-0 micro_harvest {{{at}}}")),
                1 => Some(format!("Plant-0 sow {{{at}, \"amount#seed\": 40, \"spacing#cm\": 5}}")),
                2 if stage != "grow" => Some(format!("Plant-0 remove {{{at}}}")),
                3 => Some(format!("Soil-0 water_continuous {{{at}, \"amount#L\": 40, \"duration#min\": 60}}")),
                _ => None,
            };
            let lines: Vec<&str> = call.iter().map(String::as_str).collect();
            world.act(&lines);
            books.close(&world, &mut seen, &format!("{set} day {day}"));
            in_range(&world);
            fallen = world.values("Plant-0.fallen_leaves#g").into_iter().fold(fallen, f64::max);
        }
    }
    assert!(fallen > 20.0, "{fallen} g of leaves fell");
    let happened =
        |flow: &str| seen.iter().any(|(name, amount)| name.starts_with("N") && name.contains(flow) && *amount > 0.0);
    assert!(
        ["harvest", "pulled out", "uptake", "given back", "bound in new humus"].iter().all(|flow| happened(flow)),
        "{seen:?}"
    );
}

/// A latitude, the day of sowing and spells in which crops whose sets begin with a name live well.
#[rustfmt::skip]
const CLIMATES: [(&str, f64, u32, &str); 12] = [
    ("peanut", 40.0, 130, "{t: [15, 27], light: 24}"),
    ("rapeseed_spring", 50.0, 100, "{t: [4, 12], days: 30}, {t: [9, 19], light: 20}"),
    ("wheat_spring", 45.0, 100, "{t: [5, 13], days: 30}, {t: [12, 22], light: 16}"),
    ("corn_late", 40.0, 130, "{t: [15, 27], light: 19}"),
    ("rapeseed", 50.0, 240, "{t: [9, 17], light: 9, days: 55}, {t: [1, 7], light: 3, days: 120}, {t: [4, 14], light: 8, days: 45}, {t: [11, 21], light: 14}"),
    ("sorghum", 35.0, 140, "{t: [19, 31], light: 22}"),
    ("barley", 45.0, 90, "{t: [5, 13], days: 30}, {t: [12, 22], light: 16}"),
    ("potato", 45.0, 110, "{t: [12, 22]}"),
    ("wheat", 50.0, 285, "{t: [8, 14], light: 6, days: 30}, {t: [1, 7], light: 3, days: 110}, {t: [4, 14], light: 10, days: 45}, {t: [11, 21], light: 14}"),
    ("pea", 45.0, 90, "{t: [4, 14], days: 30}, {t: [9, 19], light: 20}"),
    ("rice", 15.0, 150, "{t: [23, 31], light: 16}"),
    ("", 40.0, 130, "{t: [15, 27], light: 24}"),
];

#[test]
fn all_cultivars_ripen_with_their_harvest_index() {
    let plant = kind(PartKind::Entity, "Plant").unwrap();
    let (mut days, mut wrong) = (BTreeMap::new(), Vec::new());
    for set in plant.parameter_sets().unwrap() {
        let name = set.name();
        // Only cultivars have an upkeep.
        if number(name, &["crop", "growth", "maintenance#g.g-1.day-1"]).is_none() {
            continue;
        }
        let index = number(name, &["crop", "growth", "harvest_index#prop"]).unwrap();
        let (_, latitude, start, spells) = CLIMATES.into_iter().find(|climate| name.starts_with(climate.0)).unwrap();
        let mut world = stand(name, latitude, start, spells);
        let ripe = days_to(&mut world, "ripe", 420);
        let found = fruits(&world, name) / dry(&world);
        world.act(&["Plant-0 micro_harvest {\"plot\": [0, 0]}"]);
        let harvest = world.value("Plant-0.harvest_weight#kg");
        if ripe.is_none() || (found / index - 1.0).abs() > 0.1 || harvest < 0.1 {
            wrong.push(format!(
                "{name}: ripe {ripe:?}, {} index {found:.3} of {index}, {harvest:.2} kg",
                world.stages()[0]
            ));
        }
        days.insert(name.to_owned(), ripe);
    }
    assert!(days.len() >= 40, "{days:?}");
    for crop in [
        "corn",
        "bean",
        "tomato",
        "potato",
        "soybean",
        "rice",
        "peanut",
        "sunflower",
        "wheat_winter",
        "rapeseed_winter",
    ] {
        let usual = days[crop.trim_end_matches("_winter")];
        let [early, late] = ["early", "late"].map(|class| days[&format!("{crop}_{class}")]);
        if !(early < usual && usual < late) {
            wrong.push(format!("{crop}: {early:?} {usual:?} {late:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn crops_grow_fastest_at_the_temperatures_of_the_literature() {
    for (set, low, high) in [("potato", 15, 22), ("tomato", 20, 26), ("rice", 22, 30)] {
        let speed = |celsius: i32| {
            let mut world = stand(set, 35.0, 120, &format!("{{t: [{celsius}, {celsius}]}}"));
            days_to(&mut world, "ripe", 400).map_or(0.0, |days| dry(&world) / days as f64)
        };
        let speeds: Vec<(i32, f64)> = (10..=36).step_by(2).map(|celsius| (celsius, speed(celsius))).collect();
        let best = speeds.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
        assert!((low..=high).contains(&best), "{set}: {best} °C of {speeds:?}");
    }
}

/// The leaves that fell count once in the harvest index.
#[test]
fn soybeans_bear_no_more_than_their_harvest_index() {
    let mut world = stand("soybean", 40.0, 130, "{t: [15, 27], light: 24}");
    days_to(&mut world, "ripe", 200).unwrap();
    let (index, least) = (0.4, 2.0);
    let full = index * (1.0 - least * world.value("Plant-0.population#nb") / dry(&world));
    let found = fruits(&world, "soybean") / dry(&world);
    assert!((found / full - 1.0).abs() < 1e-3, "{found} of {full}");
}

/// FACE: with 550 ppm of carbon dioxide, C3 crops gain 12 to 17 % of dry matter where they lack nothing, and maize gains none (Kimball 2016,
/// doi 10.1016/j.pbi.2016.03.006). Here, wheat gains 11.7 %, beans 11.4 % and maize 1.5 %, because a larger stand needs more upkeep.
#[test]
fn carbon_dioxide_makes_c3_crops_grow_more_than_maize() {
    let grown = |set: &str, air: &str| {
        let plants = number(set, &["crop", "density#nb.m-2"]).unwrap().round();
        let mut world = Scenario::new()
            .at(45.0)
            .with(format!("Weather: {{base: constant, equations: agronomic, rain_factor#prop: 3{air}}}"))
            .with(format!("Soil: {{base: loam, equations: agronomic, {LAYERS}}}"))
            .with(format!(
                "Plant: {{base: {set}, equations: agronomic, initial_population#nb: {plants}, crop: {{nutrition: {{nitrogen#%: 0}}, fruits: {{germination#prop: 1}}}}}}"
            ))
            .build();
        days_to(&mut world, "ripe", 200).expect("ripe");
        dry(&world)
    };
    for (set, least, most) in [("wheat_spring", 0.11, 0.17), ("bean", 0.11, 0.17), ("corn", 0.0, 0.02)] {
        let usual = grown(set, "");
        assert_eq!(grown(set, ", co2#ppm: 350"), usual, "{set}: the crops are calibrated at 350 ppm");
        let gain = grown(set, ", co2#ppm: 550") / usual - 1.0;
        assert!((least..=most).contains(&gain), "{set} gains {gain} of {usual} g");
    }
}

/// A cultivar that needs a fifth less or more of the warmth from emergence to ripeness takes as much less or more time in constant weather.
#[test]
fn the_cultivar_that_was_sown_decides_how_long_the_plants_take() {
    let days = |cultivar: &str| {
        let mut world = Scenario::new()
            .at(42.0)
            .with("Spells: {start: 120, spells: [{t: [20, 20]}]}")
            .with(format!("Soil: {{base: loam, equations: agronomic, {LAYERS}}}"))
            .with("Plant: {base: bean, equations: agronomic, initial_stage: none, initial_population#nb: 0, \
                   cultivars: {usual: 1, early: 0.8, late: 1.2}, crop: {fruits: {germination#prop: 1, selfing#prop: 1}}}")
            .build();
        world.act(&[&format!(
            "Plant-0 sow {{\"plot\": [0, 0], \"amount#seed\": 13, \"spacing#cm\": 20, \"cultivar\": \"{cultivar}\"}}"
        )]);
        let up = days_to(&mut world, "grow", 60).expect("it comes up");
        (up, days_to(&mut world, "ripe", 300).expect("it ripens") as f64)
    };
    let [(up, usual), (_, early), (same, late)] = ["usual", "early", "late"].map(days);
    assert_eq!(up, same, "seeds come up alike");
    assert!(
        (0.77..0.83).contains(&(early / usual)) && (1.17..1.23).contains(&(late / usual)),
        "{early} {usual} {late}"
    );
}
