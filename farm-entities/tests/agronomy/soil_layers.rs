//! The soil with `profile.layers`, under forced days that can be worked out by hand, and under anything.

use std::collections::BTreeMap;

use farm_core::Stream;

use crate::balances::in_range;
use crate::soil_profile::Books;
use crate::world::{Scenario, World, assert_close};

const WATER: &str = "Soil-0.available_Water#L";
const TOPSOIL: &str = "Soil-0.topsoil_Water#L";
const NITROGEN: &str = "Soil-0.available_N#g";
const DRAINAGE: &str = "Soil-0.drainage#L.day-1";
const SURPLUS: &str = "Soil-0.surplus_Water#L.day-1";
const LEACHED: &str = "Soil-0.leached_N#g.day-1";

/// Five even layers of a silt loam of 1 m.
const SILT_LOAM: &str = "field_capacity#L.m-3: 330, wilting_point#L.m-3: 130, saturation#L.m-3: 460, conductivity#mm.day-1: 500, \
     layers: [{bottom#m: 0.1}, {bottom#m: 0.2}, {bottom#m: 0.3}, {bottom#m: 0.6}, {bottom#m: 1.0}]";

fn scenario(profile: &str, days: &str, others: &[&str], initial: &str) -> Scenario {
    let world = Scenario::new().with(format!("ForcedWeather: {{days: [{days}]}}")).with(format!(
        "Soil: {{base: loam, equations: agronomic, bedrocks_release_N#mg.m-2.day-1: 0, profile: {{{profile}}}}}"
    ));
    let world = others.iter().fold(world, |world, other| world.with(*other));
    world.initially(format!("{{Soil-0: {{{initial}}}}}"))
}

fn soil(profile: &str, days: &str, initial: &str) -> World {
    scenario(profile, days, &[], initial).build()
}

fn layer(world: &World, what: &str, i: usize) -> f64 {
    let unit = if what == "water" { "L" } else { "g" };
    world.value(&format!("Soil-0.{what}_layer_{i}#{unit}"))
}

fn total(world: &mut World, days: usize, name: &str) -> f64 {
    let day = |world: &mut World| {
        world.wait();
        world.value(name)
    };
    (0..days).map(|_| day(world)).sum()
}

#[test]
fn all_balances_close_over_random_seasons_and_nothing_leaves_its_range() {
    let pan = "layers: [{bottom#m: 0.05}, {bottom#m: 0.2, initial_nitrate#g.m-2: 9}, {bottom#m: 0.4, conductivity#mm.day-1: 2}, \
         {bottom#m: 0.9, field_capacity#L.m-3: 400, initial_water#L.m-3: 200}], curve_number: 85, water_table#m: 1.4, leaching_C: 0.5";
    let twelve: Vec<String> = (1..=12).map(|i| format!("{{bottom#m: {}}}", 0.15 * f64::from(i))).collect();
    let twelve = format!("layers: [{}]", twelve.join(", "));
    let mut seen = BTreeMap::new();
    for (base, profile, scale) in [
        ("loam", SILT_LOAM, 0.5),
        ("loam", pan, 0.5),
        ("sand", &twelve, 0.5),
        ("clay", "layers: [{bottom#m: 0.3}], curve_number: 70", 0.5),
        ("clay", "", 1.0),
        ("silt", "", 3.0),
        // All topsoil, with humus that moves.
        ("loam", "depth#m: 0.2, topsoil#m: 0.2, leaching_C: 0.5", 1.0),
    ] {
        let mut world = Scenario::new()
            .plots(2, 3)
            .scale(scale)
            .with("Weather: rainy")
            .with(format!("Soil: {{base: {base}, equations: agronomic, profile: {{{profile}}}}}"))
            .with("RandomCrop: {}")
            .with("RandomCrop: {}")
            .build();
        world.env.reset(3);
        let mut stream = Stream::from_seed(0x50_11);
        let mut books = Books::open(&world);
        for day in 0..400 {
            if stream.bernoulli(0.3) {
                let liters = [0.0, 3.0, 30.0, 200.0][stream.index(4) as usize] * scale * scale;
                let (x, y) = (stream.index(2), stream.index(3));
                world.act(&[&format!(
                    "Soil-0 water_continuous {{\"plot\": [{x}, {y}], \"amount#L\": {liters}, \"duration#min\": 60}}"
                )]);
            } else {
                world.wait();
            }
            let what = format!("{base} day {day}");
            books.close(&world, &mut seen, &what);
            in_range(&world);
            let (water, topsoil) = (world.values(WATER), world.values(TOPSOIL));
            assert!(water.iter().zip(&topsoil).all(|(all, top)| top <= all), "{what}: {topsoil:?} of {water:?}");
        }
    }
    let flows = "water rain, water irrigation, water uptake by plants, water evaporation, water drainage, water surplus, \
         water inflow from other parts, water rise from the water table, N leaching, N mineralisation of humus, \
         N bound in new humus, N lost to the air, N uptake by plants, P leaching, K leaching, C breathed out by microbes, \
         C uptake by plants, C leaching, N with humus humus taken by plants, N with humus leaching of humus, N with humus lost to the air";
    for flow in flows.split(", ") {
        assert!(seen.get(flow).is_some_and(|amount| *amount > 0.0), "`{flow}` never happened: {seen:?}");
    }
}

#[test]
fn plots_are_alike_in_rows_of_any_number() {
    let mut world = Scenario::new()
        .plots(1, 7)
        .with("Weather: rainy")
        .with(format!("Soil: {{base: loam, equations: agronomic, profile: {{{SILT_LOAM}, curve_number: 80}}}}"))
        .with("ForcedDemand: {water: 2, nutrients: 0.01, release: 0.02, shade: 0.3}")
        .with("ForcedRoots: {depth: 0.7}")
        .build();
    for day in 0..120 {
        world.wait();
        let soil = world.env.game().parts().iter().find(|part| part.name() == "Soil-0").expect("there is a soil");
        let names: Vec<String> = soil.variables().iter().map(|v| format!("Soil-0.{}", v.name())).collect();
        for name in names {
            let values = world.values(&name);
            assert!(values.iter().all(|value| value.to_bits() == values[0].to_bits()), "day {day}, {name}: {values:?}");
        }
    }
}

#[test]
fn a_soil_of_layers_begins_as_its_parameters_say() {
    let profile = "initial_N#g.m-2: 5, layers: [{bottom#m: 0.2, field_capacity#L.m-3: 200, initial_water#L.m-3: 180, organic_carbon#%: 1}, \
         {bottom#m: 0.5, wilting_point#L.m-3: 100, organic_carbon#%: 0.5, bulk_density#g.cm-3: 1.5}]";
    let world = soil(profile, "{}", "");
    assert_close(layer(&world, "water", 1), 36.0, "the rules set it");
    assert_close(layer(&world, "water", 2), 93.0, "field capacity of loam");
    assert_close(world.value(WATER), 129.0, "all");
    assert_close(world.value(TOPSOIL), 36.0, "one layer: its end is nearer to 0.3 m than the next");
    assert_close(world.value(NITROGEN), 5.0, "as the profile says");
    assert_close(layer(&world, "ammonium", 1) + layer(&world, "ammonium", 2), 1.0, "a fifth");
    assert!(layer(&world, "nitrate", 1) / 0.2 > layer(&world, "nitrate", 2) / 0.3, "most of it near the surface");
    // 1 % of 270 kg, and 0.5 % of 150 kg down to 0.3 m.
    assert_close(world.value("Soil-0.available_C#g"), 2700.0 + 750.0, "carbon");
    assert_close(world.value("Soil-0.active_C#g"), 0.35 * 3450.0, "active carbon");
    assert_close(world.value("Soil-0.wilting_water#L"), 30.0 + 30.0, "wilting point");
    assert_close(world.value("Soil-0.topsoil_capacity#L"), 40.0, "topsoil");
    // Defaults: all from the set.
    let world = soil("layers: [{bottom#m: 0.3}, {bottom#m: 1.5}]", "{}", "");
    assert_close(world.value("Soil-0.available_C#g"), 4500.0, "carbon of the profile");
    assert_close(world.value("Soil-0.water_capacity#L"), 465.0, "capacity of the profile");
}

#[test]
fn initial_conditions_of_the_whole_soil_are_divided_between_the_layers() {
    let world = soil(SILT_LOAM, "{}", "available_Water#L: 230, available_N#g: 12, available_C#g: 1000");
    assert_close(layer(&world, "water", 4), 69.0, "half of what plants can use");
    assert_close(world.value(TOPSOIL), 69.0, "everywhere");
    assert_close(world.value(NITROGEN), 12.0, "twice the six of loam");
    assert_close(world.value("Soil-0.active_C#g"), 350.0, "its part");
    let world = soil(SILT_LOAM, "{}", "available_Water#L: 230, topsoil_Water#L: 39");
    assert_close(layer(&world, "water", 2), 13.0, "the wilting point");
    assert_close(layer(&world, "water", 5), 4.0 / 7.0 * 191.0, "the rest, evenly");
    let world = soil(SILT_LOAM, "{}", "water_layer_2#L: 20, nitrate_layer_5#g: 4");
    assert_close(world.value(WATER), 330.0 - 13.0, "the sum of the layers");
    assert!(world.value(NITROGEN) > 4.0);
}

/// 25 to 40 % (CERES; laws of leaching in silt loam).
#[test]
fn a_hundred_millimetres_carry_a_third_of_the_nitrate_out() {
    let nitrate = "layers: [{bottom#m: 0.1, initial_nitrate#g.m-2: 1}, {bottom#m: 0.2, initial_nitrate#g.m-2: 1}, \
         {bottom#m: 0.3, initial_nitrate#g.m-2: 1}, {bottom#m: 0.6, initial_nitrate#g.m-2: 3}, {bottom#m: 1.0, initial_nitrate#g.m-2: 4}]";
    let profile = format!("{}, initial_C#g.m-2: 0, {nitrate}", &SILT_LOAM[..SILT_LOAM.find("layers").unwrap() - 2]);
    let mut world = soil(&profile, "{rain: 100, t: 0}, {t: 0}", "");
    let (mut leached, mut drained) = (0.0, 0.0);
    for _ in 0..20 {
        world.wait();
        leached += world.value(LEACHED);
        drained += world.value(DRAINAGE);
    }
    assert!((2.5..4.0).contains(&leached), "{leached} of 10 g");
    assert_close(world.value(NITROGEN), 10.0 - leached, "the rest");
    assert_close(world.value(WATER), 330.0 + 100.0 - drained, "the water");
}

#[test]
fn rain_runs_off_by_its_curve_number_and_from_a_full_soil() {
    let runs_off = |profile: &str, initial: &str, rain: f64| {
        let mut world = soil(profile, &format!("{{rain: {rain}}}"), initial);
        world.wait();
        world.value(SURPLUS)
    };
    assert_eq!(runs_off(SILT_LOAM, "", 50.0), 0.0, "no curve number: as in a field with a bund");
    let curved = format!("{SILT_LOAM}, curve_number: 75");
    let (dry, usual, wet) = (
        runs_off(&curved, "available_Water#L: 130", 50.0),
        runs_off(&curved, "available_Water#L: 230", 50.0),
        runs_off(&curved, "", 50.0),
    );
    // NEH-4: (P − 0.2 S)²/(P + 0.8 S), S = 84.7 mm.
    assert!((usual - 9.29).abs() < 0.01, "{usual} mm");
    assert!(dry < 1.0 && wet > 20.0, "{dry} {wet}");
    assert!(runs_off("curve_number: 75", "", 50.0) > 20.0, "without layers too");
    assert_close(runs_off(SILT_LOAM, "available_Water#L: 460", 700.0), 700.0 - 500.0, "what the soil cannot pass on");
}

/// Rice: a layer that lets 2 mm a day through keeps the topsoil flooded, and irrigation stands on it for the day.
#[test]
fn a_puddled_layer_keeps_the_topsoil_flooded() {
    let paddy = "layers: [{bottom#m: 0.2}, {bottom#m: 0.3, conductivity#mm.day-1: 2}, {bottom#m: 1}]";
    let mut world = soil(paddy, "{et0: 5}", "");
    world.water(60.0, 60.0);
    for _ in 0..10 {
        world.water(10.0, 60.0);
        let missing = 0.3 * 460.0 - world.value(TOPSOIL);
        assert!(missing < 8.0, "{missing} mm after the day");
    }
    world.wait();
    assert!(world.value(DRAINAGE) <= 2.5, "{}", world.value(DRAINAGE));
}

#[test]
fn water_rises_from_a_table_into_dry_layers() {
    let of = |table: f64| {
        let profile = format!("layers: [{{bottom#m: 0.5}}, {{bottom#m: 1}}], water_table#m: {table}");
        let mut world = soil(&profile, "{}", "available_Water#L: 200");
        world.wait();
        world.value("Soil-0.rise_Water#L.day-1")
    };
    assert!((of(2.0) - 6.3).abs() < 0.05 && (of(3.0) - 1.4).abs() < 0.05 && (of(4.0) - 0.6).abs() < 0.05);
    let mut world = soil("depth#m: 1, water_table#m: 2", "{}", "");
    world.wait();
    assert_eq!(world.value("Soil-0.rise_Water#L.day-1"), 0.0, "at field capacity none is wanted");
}

#[test]
fn bare_soil_dries_down_to_half_the_wilting_point() {
    let profile = "field_capacity#L.m-3: 175, wilting_point#L.m-3: 110, saturation#L.m-3: 400, readily_evaporable#mm: 8, \
         layers: [{bottom#m: 0.05}, {bottom#m: 0.15}, {bottom#m: 0.5}]";
    let mut world = soil(profile, &format!("{{et0: {}}}", 5.0 / 1.1), "");
    world.wait_days(100);
    for (i, volume) in [(1, 50.0), (2, 100.0)] {
        let moisture = layer(&world, "water", i) / volume;
        assert!((0.0549..0.06).contains(&moisture), "layer {i}: {moisture}");
    }
    assert_close(layer(&world, "water", 3), 0.35 * 175.0, "nothing dries below");
}

#[test]
fn roots_take_water_from_all_their_layers_and_the_soil_says_how_much_they_could() {
    let roots = |depth: f64, water: f64, initial: &str| {
        let demand = format!("ForcedDemand: {{water: {water}}}");
        let depth = format!("ForcedRoots: {{depth: {depth}}}");
        let mut world = scenario(SILT_LOAM, "{}", &[demand.as_str(), depth.as_str()], initial).build();
        world.wait();
        world
    };
    let world = roots(0.45, 6.0, "");
    assert_close(world.value("Soil-0.uptake_Water#L.day-1"), 6.0, "all that is asked for");
    assert_eq!(world.value("Soil-0.share_Water#prop"), 1.0);
    assert!(world.value("Soil-0.rooted_Water#L") > 12.0);
    assert_eq!(layer(&world, "water", 5), 132.0, "no roots there");
    assert!(layer(&world, "water", 4) < 99.0 && layer(&world, "water", 1) < 33.0);
    let depletion = world.value("Soil-0.rooted_depletion#prop");
    // The layer that roots reach in part has one moisture.
    assert!((0.055..6.0 / (200.0 * 0.45)).contains(&depletion), "{depletion}");
    // Dry soil gives little, and shares it out.
    let world = roots(1.0, 6.0, "available_Water#L: 140");
    let (could, share) = (world.value("Soil-0.rooted_Water#L"), world.value("Soil-0.share_Water#prop"));
    assert!(could < 3.0 && (share - could / 6.0).abs() < 1e-12, "{could} {share}");
    assert_close(world.value("Soil-0.uptake_Water#L.day-1"), could, "all that they could");
    let world = roots(1.0, 6.0, "available_Water#L: 130");
    assert_eq!(world.value("Soil-0.rooted_Water#L"), 0.0, "nothing at the wilting point");
    let world = roots(0.0, 6.0, "");
    assert_eq!(world.value("Soil-0.share_Water#prop"), 0.0, "without roots");
}

#[test]
fn roots_take_nitrogen_from_all_their_layers() {
    let roots = |depth: f64, nutrients: f64| {
        let demand = format!("ForcedDemand: {{nutrients: {nutrients}}}");
        let depth = format!("ForcedRoots: {{depth: {depth}}}");
        let mut world = scenario(SILT_LOAM, "{t: 0}", &[demand.as_str(), depth.as_str()], "").build();
        let before = world.value("Soil-0.rooted_N#g");
        world.wait();
        (world, before)
    };
    let (world, _) = roots(1.0, 0.5);
    assert_close(world.value("Soil-0.uptake_N#g.day-1"), 0.5, "all that is asked for");
    let (world, evening) = roots(1.0, 100.0);
    let uptake = world.value("Soil-0.uptake_N#g.day-1");
    assert!((1.0..4.0).contains(&uptake), "{uptake} of 6 g");
    assert!((uptake - world.value("Soil-0.share_N#prop") * 100.0).abs() < 1e-9);
    assert!(evening == 0.0 || (evening - uptake).abs() < 1e-6, "{evening} was told, {uptake} came");
    let (shallow, _) = roots(0.2, 100.0);
    assert!(shallow.value("Soil-0.uptake_N#g.day-1") < uptake);
    assert!(shallow.value("Soil-0.rooted_N#g") < world.value("Soil-0.rooted_N#g") + 6.0);
}

/// 60 to 130 kg of nitrogen per ha and year are usual of unfertilised loam (Comifer); 10 to 20 kg of 60 are lost in a week of flood.
#[test]
fn humus_and_floods_move_as_much_nitrogen_as_is_measured() {
    let layers = "layers: [{bottom#m: 0.3, organic_carbon#%: 1.5}, {bottom#m: 1, organic_carbon#%: 0.5}]";
    let mut world = soil(layers, "{t: 11, et0: 2, rain: 2}", "");
    let free = 10.0 * total(&mut world, 365, "Soil-0.mineralised_N#g.day-1");
    assert!((60.0..130.0).contains(&free), "{free} kg/ha a year");
    let active = world.value("Soil-0.active_C#g");
    assert!(
        active < 0.35 * 6075.0 && world.value("Soil-0.available_C#g") - active > 0.6499 * 6075.0,
        "the stable part stays"
    );
    let flooded = "layers: [{bottom#m: 0.3, organic_carbon#%: 1.5, initial_nitrate#g.m-2: 6, conductivity#mm.day-1: 0}, {bottom#m: 1}]";
    let mut world = soil(flooded, "{t: 20}", "available_Water#L: 460");
    let lost = 10.0 * total(&mut world, 7, "Soil-0.denitrified_N#g.day-1");
    assert!((10.0..20.0).contains(&lost), "{lost} of 60 kg/ha");
    let mut world =
        soil(&format!("{layers}, initial_N#g.m-2: 10"), "{t: 15, rain: 2, et0: 1.5}, {t: 15, et0: 1.5}", "");
    assert!(total(&mut world, 365, "Soil-0.denitrified_N#g.day-1") < 1.5, "a drained soil loses little");
}

#[test]
fn ammonium_becomes_nitrate_in_some_days() {
    let profile = "initial_C#g.m-2: 0, pH: 7.5, layers: [{bottom#m: 0.3, initial_ammonium#g.m-2: 5}, {bottom#m: 1}]";
    let mut world = soil(profile, "{t: 15}", "");
    world.wait_days(3);
    let nitrate = layer(&world, "nitrate", 1) + layer(&world, "nitrate", 2);
    assert!((2.0..3.5).contains(&nitrate), "{nitrate} of 5 g");
}

#[test]
fn layers_that_contradict_each_other_are_told_by_their_place() {
    for (profile, place) in [
        ("layers: []", "profile.layers"),
        ("layers: [{bottom#m: 0.3}, {bottom#m: 0.2}]", "profile.layers[1].bottom#m"),
        ("layers: [{}]", "profile.layers[0].bottom#m"),
        ("layers: [{bottom#m: 1, wilting_point#L.m-3: 400}]", "profile.layers[0].wilting_point#L.m-3"),
        ("layers: [{bottom#m: 1, saturation#L.m-3: 200}]", "profile.layers[0].saturation#L.m-3"),
        ("layers: [{bottom#m: 1, initial_water#L.m-3: 700}]", "profile.layers[0].initial_water#L.m-3"),
        ("layers: [{bottom#m: 1}], water_table#m: 0.8", "profile.water_table#m"),
        ("water_table#m: 1", "profile.water_table#m"),
        ("layers: [{bottom#m: 1, sand#%: 3}]", "profile.layers[0]"),
        ("layers: [{bottom#m: 1, root_growth#prop: 3}]", "profile.layers[0].root_growth#prop"),
    ] {
        let problems = scenario(profile, "{}", &[], "").game().expect_err(profile);
        assert!(problems.contains(place), "{profile}: {problems}");
    }
}

#[test]
fn corn_grows_to_its_harvest_in_layers() {
    let layers = "layers: [{bottom#m: 0.1}, {bottom#m: 0.3}, {bottom#m: 0.6}, {bottom#m: 1}, {bottom#m: 1.8, conductivity#mm.day-1: 100}]";
    let mut world = Scenario::new()
        .with("Weather: {equations: agronomic}")
        .with(format!("Soil: {{base: loam, equations: agronomic, profile: {{{layers}, curve_number: 78, initial_N#g.m-2: 15}}}}"))
        .with("Plant: {base: corn, equations: agronomic, initial_population#nb: 8, crop: {fruits: {germination#prop: 1, selfing#prop: 1}}}")
        .with("Weeds: {equations: agronomic}")
        .initially("{Weather-0: {day#int365: 115}}")
        .build();
    world.env.reset(2);
    let (mut drawn, mut books) = (0.0, (Books::open(&world), BTreeMap::new()));
    for day in 0..230 {
        if world.stages()[0] == "ripe" {
            break;
        }
        world.wait();
        books.0.close(&world, &mut books.1, &format!("day {day}"));
        drawn += world.value("Soil-0.uptake_Water#L.day-1");
    }
    assert_eq!(world.stages()[0], "ripe");
    world.act(&["Plant-0 micro_harvest {\"plot\": [0, 0]}"]);
    let harvest = world.value("Plant-0.harvest_weight#kg");
    assert!(harvest > 0.3 && drawn > 150.0, "{harvest} kg of a square metre, {drawn} mm");
}
