//! The soil under forced weather and forced demands: days worked out by hand.
//!
//! Clay of 0.5 m under 1 m² holds 180 L, of which plants reach what is above 110 L and air what is above 55 L.

use farm_core::math::{exp, ln};

use crate::world::{NUTRIENTS, Scenario, World, assert_close, sheet_soil};

fn soil(soil: &str, days: &str, initial: &str) -> World {
    soil_with("water: 0", soil, days, initial)
}

fn soil_with(demand: &str, soil: &str, days: &str, initial: &str) -> World {
    Scenario::new()
        .with(format!("ForcedWeather: {{days: [{days}]}}"))
        .with(sheet_soil(soil))
        .with(format!("ForcedDemand: {{{demand}}}"))
        .initially(format!("{{Soil-0: {{{initial}}}}}"))
        .build()
}

const WATER: &str = "Soil-0.available_Water#L";
const SURPLUS: &str = "Soil-0.surplus_Water#L.day-1";
const WET: &str = "Soil-0.wet_surface#m2";
const EVAPORATION: &str = "Soil-0.evaporation#L.day-1";
const UPTAKE: &str = "Soil-0.uptake_Water#L.day-1";
const MICROLIFE: &str = "Soil-0.microlife_health_index#%";

#[test]
fn rain_fills_the_soil_up_to_its_capacity_and_the_rest_is_surplus() {
    let mut world = soil("clay", "{rain: 20}", "available_Water#L: 150");
    for (water, surplus) in [(170.0, 0.0), (180.0, 10.0), (180.0, 20.0)] {
        world.wait();
        assert_close(world.value(WATER), water, "water");
        assert_close(world.value(SURPLUS), surplus, "surplus");
    }
}

#[test]
fn a_millimetre_is_a_litre_on_each_square_metre() {
    // 2 m × 2 m: capacity 720 L.
    let mut world = Scenario::new()
        .scale(2.0)
        .with("ForcedWeather: {days: [{rain: 20}]}")
        .with(sheet_soil("clay"))
        .initially("{Soil-0: {available_Water#L: 600}}")
        .build();
    for (water, surplus) in [(680.0, 0.0), (720.0, 40.0)] {
        world.wait();
        assert_close(world.value(WATER), water, "water");
        assert_close(world.value(SURPLUS), surplus, "surplus");
    }
}

#[test]
fn each_soil_holds_what_its_table_says() {
    for (name, capacity, wilting) in
        [("clay", 180.0, 110.0), ("silt", 160.0, 85.0), ("loam", 125.0, 60.0), ("sand", 60.0, 20.0)]
    {
        let mut world = soil(name, "{rain: 300}", "");
        world.wait();
        assert_close(world.value(WATER), capacity, name);
        assert_close(world.value("Soil-0.water_capacity#L"), capacity, name);
        assert_close(world.value("Soil-0.wilting_water#L"), wilting, name);
    }
}

#[test]
fn watering_beyond_the_capacity_counts_gross_and_runs_off_with_the_rain() {
    let mut world = soil("clay", "{rain: 5}, {}", "available_Water#L: 170");
    world.water(30.0, 60.0);
    assert_close(world.value(WATER), 180.0, "water");
    assert_close(world.value(SURPLUS), 25.0, "20 L of irrigation and 5 of rain");
    assert_close(world.value("Soil-0.total_cumulated_added_water#L"), 30.0, "added");
    world.wait();
    assert_close(world.value(SURPLUS), 0.0, "the surplus counts once");
}

#[test]
fn watering_wets_its_share_of_the_day_of_the_surface() {
    let mut world = soil("clay", "{et0: 6}", "available_Water#L: 150");
    world.water(10.0, 60.0);
    // 60 of 1440 minutes: 1/24 of the plot evaporates 6/24 L; the clay then dries 0.1 m² a day, so all of it.
    assert_close(world.value(EVAPORATION), 0.25, "evaporation");
    assert_close(world.value(WATER), 159.75, "water");
    assert_close(world.value(WET), 0.0, "wet");
    world.water(10.0, 720.0);
    assert_close(world.value(EVAPORATION), 3.0, "half a day wets half the plot");
    assert_close(world.value(WET), 0.4, "wet");
    world.water(10.0, 1440.0);
    assert_close(world.value(EVAPORATION), 6.0, "never more than the whole plot");
    assert_close(world.value(WET), 0.9, "wet");
}

#[test]
fn a_wet_surface_dries_at_the_speed_of_its_soil() {
    for (name, speed) in [("clay", 0.1), ("silt", 0.25), ("loam", 0.4), ("sand", 0.95)] {
        let mut world = soil(name, "{rain: 2, et0: 5}, {et0: 5}", "");
        let mut wet: f64 = 1.0;
        for _ in 0..12 {
            let before = world.value(WATER);
            let rained = if world.env.state().step() == 0 { 2.0 } else { 0.0 };
            world.wait();
            assert_close(world.value(EVAPORATION), 5.0 * wet, name);
            let balance = before + rained - world.value(SURPLUS) - 5.0 * wet;
            assert_close(world.value(WATER), balance, name);
            wet = (wet - speed).max(0.0);
            assert!((world.value(WET) - wet).abs() < 1e-12, "{name}");
        }
    }
}

#[test]
fn evaporation_dries_clay_down_from_150_litres_in_eleven_days() {
    // 2 mm of rain, then dry: 5 + 4.5 + 4 + … + 0.5 = 27.5 L evaporate in ten days, and nothing more.
    let mut world = soil("clay", "{rain: 2, et0: 5}, {et0: 5}", "available_Water#L: 150");
    world.wait_days(10);
    assert_close(world.value(WATER), 124.5, "water");
    world.wait_days(5);
    assert_close(world.value(WATER), 124.5, "water of a dry surface");
}

#[test]
fn evaporation_ends_at_half_the_wilting_point() {
    let mut world = soil("clay", "{rain: 1, et0: 10}", "available_Water#L: 57");
    world.wait();
    assert_close(world.value(WATER), 55.0, "water");
    assert_close(world.value(EVAPORATION), 3.0, "evaporation");
    // Below it, what rains stays.
    let mut world = soil("clay", "{rain: 1, et0: 10}", "available_Water#L: 20");
    world.wait();
    assert_close(world.value(WATER), 21.0, "water");
    assert_close(world.value(EVAPORATION), 0.0, "evaporation");
}

#[test]
fn evaporation_spares_what_lies_in_the_shade() {
    for (shade, evaporation) in [(0.0, 5.0), (0.75, 1.25), (1.0, 0.0), (3.0, 0.0)] {
        let mut world = soil_with(&format!("shade: {shade}"), "clay", "{rain: 1, et0: 5}", "available_Water#L: 150");
        world.wait();
        assert_close(world.value(EVAPORATION), evaporation, "evaporation in the shade");
    }
}

#[test]
fn uptake_ends_at_the_wilting_point() {
    let mut world = soil_with("water: 10", "clay", "{}", "available_Water#L: 125");
    for (uptake, share, water) in [(10.0, 1.0, 115.0), (5.0, 0.5, 110.0), (0.0, 0.0, 110.0)] {
        world.wait();
        assert_close(world.value(UPTAKE), uptake, "uptake");
        assert_close(world.value("Soil-0.share_Water#prop"), share, "share");
        assert_close(world.value(WATER), water, "water");
    }
}

#[test]
fn uptake_of_two_that_ask_for_more_than_there_is_is_the_same_share() {
    // Water: 6 + 2 L asked of 4. Nutrients: 30 + 10 g asked of 10 and the day's bedrock of 0.1 mg.
    let mut world = Scenario::new()
        .with("ForcedWeather: {days: [{}]}")
        .with(sheet_soil("clay"))
        .with("ForcedDemand: {water: 6, nutrients: 30}")
        .with("ForcedDemand: {water: 2, nutrients: 10, release: 3}")
        .initially("{Soil-0: {available_Water#L: 114, available_N#g: 10, available_P#g: 10, available_K#g: 10, available_C#g: 10}}")
        .build();
    world.wait();
    assert_close(world.value("Soil-0.share_Water#prop"), 0.5, "share of water");
    assert_close(world.value(UPTAKE), 4.0, "uptake of water");
    for x in NUTRIENTS {
        assert_close(world.value(&format!("Soil-0.supply_{x}#g")), 10.0001, "supply");
        assert_close(world.value(&format!("Soil-0.share_{x}#prop")), 10.0001 / 40.0, "share");
        assert_close(world.value(&format!("Soil-0.uptake_{x}#g.day-1")), 10.0001, "uptake");
        assert_close(world.value(&format!("Soil-0.available_{x}#g")), 3.0, "what is released comes after the meal");
    }
}

#[test]
fn bedrock_gives_by_area_and_microlife() {
    for (scale, microlife, grams) in [(1.0, 100.0, 1e-4), (2.0, 100.0, 4e-4), (1.0, 50.0, 5e-5)] {
        let mut world = Scenario::new()
            .scale(scale)
            .with("ForcedWeather: {days: [{}]}")
            .with(sheet_soil("clay"))
            .initially(format!("{{Soil-0: {{available_N#g: 0, microlife_health_index#%: {microlife}}}}}"))
            .build();
        world.wait();
        assert!((world.value("Soil-0.available_N#g") - grams).abs() < 1e-15, "{scale} m, {microlife} %");
    }
}

#[test]
fn equation_22_microlife_grows_and_suffers_as_published() {
    // (surplus relative to the capacity, factor): the published factors are 1.1 at p = 1, 0.775 at p = 0.5, 1 at p = 0.759747.
    let surplus_for = |p: f64| -ln(p) / 5.0;
    for (p, factor, tolerance) in [(1.0, 1.1, 1e-9), (0.5, 0.775, 1e-9), (0.759747, 1.0, 1e-5)] {
        let mut world = soil("clay", "{}", "available_Water#L: 180, microlife_health_index#%: 50");
        world.water(180.0 * surplus_for(p), 60.0);
        let found = world.value(MICROLIFE) / 50.0;
        assert!((found - factor).abs() < tolerance, "p = {p}: {found}, expected {factor}");
    }
}

#[test]
fn microlife_stays_between_its_least_and_100() {
    let mut world = soil("clay", "{}", "available_Water#L: 180, microlife_health_index#%: 5");
    world.water(1000.0, 60.0);
    assert_eq!(world.value(MICROLIFE), 1.0);
    // From the least it comes back by a tenth each day: 1.1^48 = 97.0 and 1.1^49 = 106.7.
    world.wait_days(48);
    assert!((world.value(MICROLIFE) - 97.0).abs() < 0.05, "{}", world.value(MICROLIFE));
    world.wait();
    assert_eq!(world.value(MICROLIFE), 100.0);
}

/// There is no Cide in the field: what lies there at the start is all.
#[test]
fn cides_that_are_there_at_the_start_decay_and_are_washed_out_also_without_a_cide_in_the_field() {
    let cides = ["pests", "weeds", "pollinators", "soil"];
    let initial =
        format!("microlife_health_index#%: 10, {}", cides.map(|t| format!("amount_cide.{t}#g: 50")).join(", "));
    let all = |world: &World| cides.map(|t| world.value(&format!("Soil-0.amount_cide.{t}#g")));
    let mut world = soil("clay", "{}", &initial);
    world.wait_days(60);
    // Two half-lives.
    all(&world).into_iter().for_each(|grams| assert_close(grams, 12.5, "after 60 days"));
    // The microlife grows again where cides kill less than it grows: exp(−0.02·g)·(2 − 0.9·exp(−0.02·g)) > 1, below 13.7 g.
    world.wait_days(90);
    assert_eq!(world.value(MICROLIFE), 100.0);
    // A day of intensity 0.4 leaves exp(−0.4) of what the day has left.
    let mut world = soil("clay", "{rain: 5, intensity: 0.4}", &initial);
    world.wait();
    let expected = 50.0 * exp(-ln(2.0) / 30.0 - 0.4);
    all(&world).into_iter().for_each(|grams| assert_close(grams, expected, "after a day of rain"));
    // Only one of them, and none at all.
    let mut world = soil("clay", "{}", "amount_cide.weeds#g: 8");
    world.wait_days(30);
    assert_close(world.value("Soil-0.amount_cide.weeds#g"), 4.0, "weeds alone");
    assert_eq!(world.value("Soil-0.amount_cide.soil#g"), 0.0);
}

#[test]
fn leaching_takes_a_share_that_grows_with_rain_and_surplus() {
    // Intensity 0.2 and 18 L too much of 180: q = 0.3. The microlife suffers first: p = exp(−0.5), μ = 50·p·(2 − 0.9 p).
    let mut world = soil(
        "clay",
        "{rain: 18, intensity: 0.2}",
        "available_Water#L: 180, microlife_health_index#%: 50, available_N#g: 1000, available_P#g: 1000, available_K#g: 1000, available_C#g: 1000",
    );
    world.wait();
    let p = exp(-0.5);
    let microlife = 50.0 * p * (2.0 - 0.9 * p);
    assert_close(world.value(MICROLIFE), microlife, "microlife");
    for (x, speed) in NUTRIENTS.iter().zip([0.05, 0.005, 0.02, 0.02]) {
        let before: f64 = 1000.0 + 0.5e-4;
        let after = before * exp(-speed * 0.3 * (1.0 - microlife / 100.0));
        assert_close(world.value(&format!("Soil-0.available_{x}#g")), after, x);
        assert!((world.value(&format!("Soil-0.leached_{x}#g.day-1")) - (before - after)).abs() < 1e-9, "{x}");
    }
    // Healthy microlife lets nothing go.
    let mut world = soil("clay", "{rain: 5, intensity: 1}", "available_Water#L: 100, available_N#g: 1000");
    world.wait();
    assert_close(world.value("Soil-0.available_N#g"), 1000.0001, "N");
}
