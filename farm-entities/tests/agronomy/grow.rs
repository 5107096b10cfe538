//! Growth (Eqs. 4–8), water demand (FAO-56 Eq. 70) and death by standstill (Eq. 9), with forced weather and soil.

use farm_core::math::exp;

use crate::world::{NUTRIENTS, Scenario, assert_close, assert_mean, assert_share, assert_variance, plant};

const SIZE: &str = "Plant-0.size#cm";
const GROWING: &str = "{Plant-0: {stage: grow}}";

/// A bean that grows without noise and never blooms.
fn grower(rate: &str, weather: &str, soil: &str) -> Scenario {
    plant(&format!("grow: {{sensitivity_bloom_size: 1e6, rate: {{rate_sigma: 0{rate}}}}}"), weather, soil)
        .initially(GROWING)
}

/// The rate of the first day, from the growth of a plant of 25 of 100 cm: 5·0.75 = 3.75 cm at rate 1.
fn rate(rate: &str, weather: &str, soil: &str) -> f64 {
    let mut world =
        plant(&format!("size_max#cm: 100, grow: {{rate: {{rate_sigma: 0, rate_min: 0{rate}}}}}"), weather, soil)
            .initially("{Plant-0: {stage: grow, size#cm: 25}}")
            .build();
    world.wait();
    (world.value(SIZE) - 25.0) / 3.75
}

#[test]
fn equation_6_gives_the_size_of_each_day() {
    for (weather, rate) in [("{t: 20}", 1.0), ("{t: 31}", exp(-0.3)), ("{t: 7}", exp(-0.5))] {
        let mut world = grower("", weather, "").build();
        let mut size: f64 = 0.1;
        for day in 1..=120 {
            world.wait();
            size += rate * (1.0 - size / 120.0) * size.sqrt();
            assert_close(world.value(SIZE), size, &format!("{weather}, day {day}"));
            assert_eq!(world.value("Plant-0.consecutive_nogrow#day"), 0.0);
        }
    }
}

#[test]
fn a_sprout_starts_at_a_millimetre_the_day_after() {
    let mut world = plant("grow: {rate: {rate_sigma: 0}}", "{}", "").initially("{Plant-0: {age_seed#day: 4}}").build();
    world.wait();
    assert_eq!((world.stages()[0].as_str(), world.value("Plant-0.entered")), ("grow", 1.0));
    world.wait();
    assert_close(world.value(SIZE), 0.1 + (1.0 - 0.1 / 120.0) * 0.1f64.sqrt(), "size");
    assert_eq!(world.value("Plant-0.entered"), 0.0);
}

#[test]
fn equation_4_weighs_temperature_nutrients_and_water() {
    assert_close(rate("", "{t: 12}", ""), 1.0, "lower end");
    assert_close(rate("", "{t: 28}", ""), 1.0, "upper end");
    assert_close(rate("", "{t: 2}", ""), exp(-1.0), "ten degrees too cold");
    // Growth of 3.75 cm needs 37.5 mm times the consumption; the stock is half of that.
    for (x, consumption, weight) in [("n", 0.0011, 3.0), ("p", 0.00034, 3.0), ("k", 0.0037, 3.0), ("c", 0.2, 1.0)] {
        let half = 0.5 * 37.5 * consumption;
        assert_close(rate("", "{}", &format!("{x}: {half}")), exp(-0.5 * weight), x);
        assert_close(rate("", "{}", &format!("{x}: {}", 2.0 * half)), 1.0, "just enough");
    }
    // The plant wants 110 + 0.33·70 = 133.1 L; at 121.55 L half of what it can reach is missing.
    assert_close(rate("", "{}", "water: 133.1"), 1.0, "enough water");
    assert_close(rate("", "{}", "water: 121.55"), exp(-1.5), "half the water");
    assert_close(rate("", "{}", "water: 110"), exp(-3.0), "wilting point");
    assert_close(rate("", "{}", "water: 60"), exp(-3.0), "below it");
    assert_close(rate(", sensitivity_0: 0.5", "{t: 30}", "water: 121.55"), exp(-0.5 - 0.2 - 1.5), "penalties add up");
}

#[test]
fn equation_5_wants_water_between_wilting_point_and_capacity() {
    // Clay of 0.5 m under 1 m²: w = ((1 − dr)·220 + dr·360)·0.5 L.
    for (sensitivity, wanted) in [(0.0, 110.0), (0.33, 133.1), (0.5, 145.0), (1.0, 180.0)] {
        let drought = format!(", sensitivity_draught#prop: {sensitivity}");
        assert_close(rate(&drought, "{}", &format!("water: {wanted}")), 1.0, "all that is wanted");
        // In litres, at 0.1 for each, so that the distance from what is wanted is told by the rate.
        let parameters = format!(
            "stock_distance: absolute, size_max#cm: 100, grow: {{rate: {{rate_sigma: 0, rate_min: 0, sensitivity_Water: 0.1{drought}}}}}"
        );
        let mut world = plant(&parameters, "{}", &format!("water: {}", wanted - 7.0))
            .initially("{Plant-0: {stage: grow, size#cm: 25}}")
            .build();
        world.wait();
        assert_close((world.value(SIZE) - 25.0) / 3.75, exp(-0.7), &format!("7 L less than {wanted}"));
    }
}

#[test]
fn equation_4_noise_has_its_standard_deviation() {
    let mut world = plant("size_max#cm: 100, grow: {rate: {rate_sigma: 0.2, rate_min: 0}}", "{}", "")
        .plots(100, 100)
        .initially("{Plant-0: {stage: grow, size#cm: 25}}")
        .build();
    world.wait();
    let rates: Vec<f64> = world.values(SIZE).iter().map(|size| (size - 25.0) / 3.75).collect();
    assert_mean(&rates, 1.0, 0.0, "rate");
    // Cut off at 1.5, which 0.6 % exceed: that takes 0.9 % of the variance.
    assert_variance(&rates, 0.04 * 0.991, "rate");
    assert!(rates.iter().all(|r| *r <= 1.5 + 1e-9) && rates.iter().any(|r| *r > 1.4), "clamped at 1.5");
}

/// Mean days in a stage from its first day on; all plots leave it.
fn days_in(scenario: &Scenario, stage: &str) -> Vec<f64> {
    let mut world = scenario.build();
    let mut days = Vec::new();
    for seed in 0..4 {
        world.env.reset(seed);
        let mut left = world.in_stage(stage);
        for day in 1.. {
            world.wait();
            let now = world.in_stage(stage);
            days.extend(std::iter::repeat_n(f64::from(day), left - now));
            left = now;
            if left == 0 {
                break;
            }
            assert!(day < 1000, "{left} plots never leave {stage}");
        }
    }
    days
}

#[test]
fn equations_6_to_8_take_the_published_days_from_sprout_to_bloom() {
    // Published to one decimal for rates 1 and 0.7 and for a stress of 1000 g at rate 1.
    for (size_max, perfect, slow, stressed) in
        [(120, 59.9, 83.6, 26.5), (160, 72.2, 101.0, 30.7), (300, 108.1, 151.8, 41.9)]
    {
        for (base, liters, expected) in [(0.0, 0.0, perfect), (0.356_674_943_9, 0.0, slow), (0.0, 1.0, stressed)] {
            let parameters = format!(
                "size_max#cm: {size_max}, stress_healing#prop: 0, grow: {{rate: {{rate_sigma: 0, sensitivity_0: {base}}}}}"
            );
            let scenario = plant(&parameters, "{}", "")
                .plots(20, 50)
                .initially(format!("{{Plant-0: {{stage: grow, cumulated_stress_water#L: {liters}}}}}"));
            let days = days_in(&scenario, "grow");
            assert_mean(&days, expected, 0.05, &format!("{size_max} cm, base {base}, {liters} L missed"));
        }
    }
}

#[test]
fn equations_17_and_18_take_the_published_days_from_fruit_to_ripe() {
    for (weight_max, expected) in [(50, 31.5), (200, 81.5), (500, 147.4)] {
        let parameters = format!(
            "fruit_weight_max#g: {weight_max}, fruit: {{growth_speed#g0.5.day-1: 1, rate: {{rate_sigma: 0, sensitivity_0: 0}}}}"
        );
        let scenario = plant(&parameters, "{}", "").plots(20, 50).initially("{Plant-0: {stage: fruit}}");
        assert_mean(&days_in(&scenario, "fruit"), expected, 0.05, &format!("{weight_max} g"));
    }
    // With the recommended speed, a seventh of the root of the final weight, published in whole days.
    for (weight_max, expected) in [(50, 31.0), (200, 42.0), (500, 48.0)] {
        let parameters =
            format!("fruit_weight_max#g: {weight_max}, fruit: {{rate: {{rate_sigma: 0, sensitivity_0: 0}}}}");
        let scenario = plant(&parameters, "{}", "").plots(20, 50).initially("{Plant-0: {stage: fruit}}");
        assert_mean(&days_in(&scenario, "fruit"), expected, 0.5, &format!("{weight_max} g at the recommended speed"));
    }
}

#[test]
fn equation_7_blooms_by_the_missing_centimetres() {
    // Plants of 118 of 120 cm that stand still miss 2 cm, weighed by 1 and by 0.5 for each; full-grown ones bloom at once.
    for (weight, size, chance) in [(1.0, 118.0, exp(-2.0)), (0.5, 118.0, exp(-1.0)), (1.0, 120.0, 1.0)] {
        let parameters = format!("grow: {{growth_speed#cm0.5.day-1: 0, sensitivity_bloom_size: {weight}}}");
        let mut world = plant(&parameters, "{}", "")
            .plots(100, 100)
            .initially(format!("{{Plant-0: {{stage: grow, size#cm: {size}}}}}"))
            .build();
        world.wait();
        assert_share(world.in_stage("bloom"), 10_000, chance, &format!("{size} cm, {weight} per cm"));
    }
}

#[test]
fn equation_8_counts_stress_of_nutrients_in_grams_and_of_water_as_grams() {
    // 100 + 200 + 300 + 150 g and 0.25 L: 1000 g, threshold 120·(1 + 1/e)/2 = 82.07 cm; then 1 % heals.
    let mut world = plant("", "{}", "")
        .initially(
            "{Plant-0: {stage: grow, cumulated_stress_nutrients_N#g: 100, cumulated_stress_nutrients_P#g: 200, \
             cumulated_stress_nutrients_K#g: 300, cumulated_stress_nutrients_C#g: 150, cumulated_stress_water#L: 0.25}}",
        )
        .build();
    let threshold = |stress: f64| 60.0 * (1.0 + exp(-stress / 1000.0));
    assert_close(world.value("Plant-0.grow_size_threshold#cm"), threshold(1000.0), "threshold");
    assert_close(threshold(1000.0), 82.072_766_47, "by hand");
    world.wait();
    assert_close(world.value("Plant-0.grow_size_threshold#cm"), threshold(990.0), "threshold after a day");
}

#[test]
fn uptake_is_what_is_granted_and_the_rest_is_stress() {
    // Microlife of 60 % lets ask for 60 %, the soil grants half of that; of the water it grants a quarter.
    let mut world = grower("", "{et0: 5}", "microlife: 60, share: 0.5, water_share: 0.25").build();
    world.wait();
    let grown_mm = 10.0 * (1.0 - 0.1 / 120.0) * 0.1f64.sqrt();
    for (x, consumption) in NUTRIENTS.iter().zip([0.0011, 0.00034, 0.0037, 0.2]) {
        let needed = grown_mm * consumption;
        let value = |name: &str| world.value(&format!("Plant-0.{name}"));
        assert_close(value(&format!("required_{x}#g")), needed, "required");
        assert_close(value(&format!("asked_{x}#g.day-1")), 0.6 * needed, "asked");
        assert_close(value(&format!("cumulated_nutrients_{x}#g")), 0.3 * needed, "received");
        assert_close(value(&format!("cumulated_stress_nutrients_{x}#g")), 0.7 * needed, "stress");
    }
    let asked = world.value("Plant-0.asked_Water#L.day-1");
    assert_close(world.value("Plant-0.cumulated_water#L"), 0.25 * asked, "water");
    assert_close(world.value("Plant-0.cumulated_stress_water#L"), 0.75 * asked, "missed water");
}

/// A plant of a height, of which the crop coefficient without climate is 1.10 at 200 cm.
fn drinker(height: f64, population: u32, weather: &str) -> f64 {
    let parameters = "size_max#cm: 300, crop_coefficient_0: 0, crop_coefficient_1#cm-1: 0.0055";
    let mut world = plant(parameters, weather, "")
        .initially(format!("{{Plant-0: {{stage: grow, size#cm: {height}, population#nb: {population}}}}}"))
        .build();
    world.wait();
    world.value("Plant-0.asked_Water#L.day-1")
}

#[test]
fn transpiration_is_that_of_fao_56() {
    // Kcb 1.1885 for 200 cm, 3 m/s and 30 % (equation 70); leaves of 0.0015·200 = 0.3 m²; 0.6 mL are used up besides.
    let asked = drinker(200.0, 1, "{et0: 5, u2: 3, rh_min: 30}");
    assert!((asked - (5.0 * 1.1885 * 0.3 + 0.0006)).abs() < 1e-4, "{asked}");
    // At 2 m/s and 45 % the climate takes and gives nothing: 1.10.
    assert_close(drinker(200.0, 1, "{et0: 5, u2: 2, rh_min: 45}"), 5.0 * 1.10 * 0.3 + 0.0006, "standard climate");
    // Wind counts from 1 to 6 m/s and humidity from 20 to 80 %: (0.16 + 0.1)·(2/3)^0.3 = 0.26·0.885490.
    let wild = drinker(200.0, 1, "{et0: 5, u2: 30, rh_min: 2}");
    assert!((wild - (5.0 * (1.10 + 0.26 * 0.885_490) * 0.3 + 0.0006)).abs() < 1e-5, "{wild}");
    let calm = drinker(200.0, 1, "{et0: 5, u2: 0, rh_min: 99}");
    assert!((calm - (5.0 * (1.10 - 0.18 * 0.885_490) * 0.3 + 0.0006)).abs() < 1e-5, "{calm}");
    assert_close(drinker(200.0, 1, "{et0: 0}"), 0.0006, "without evapotranspiration");
}

#[test]
fn transpiration_of_many_plants_adds_up_until_their_leaves_cover_the_plot() {
    let weather = "{et0: 5, u2: 2, rh_min: 45}";
    // At 10 cm each has 0.015 m² of leaves and Kcb 0.055: 30 fit.
    let one = drinker(10.0, 1, weather);
    assert_close(one, 5.0 * 0.055 * 0.015 + 0.0006, "one plant");
    assert_close(drinker(10.0, 30, weather), 30.0 * one, "thirty small plants");
    // At 200 cm 30 plants would have 9 m²; they have the plot's 1 m².
    assert_close(drinker(200.0, 30, weather), 5.0 * 1.10 * 1.0 + 30.0 * 0.0006, "thirty tall plants");
}

#[test]
fn demand_and_shade_of_thirty_plants_are_thirty_times_those_of_one() {
    let needs = |population: u32| {
        let mut world = plant("", "{}", "")
            .initially(format!("{{Plant-0: {{stage: grow, size#cm: 25, population#nb: {population}}}}}"))
            .build();
        world.wait();
        let nutrients = NUTRIENTS.map(|x| world.value(&format!("Plant-0.required_{x}#g")));
        (nutrients, world.value("Plant-0.shade#m2"))
    };
    let ((one, shade), (thirty, shade_of_thirty)) = (needs(1), needs(30));
    // 5·(1 − 25/120) cm are 39.583 mm.
    for (x, consumption) in [0.0011, 0.00034, 0.0037, 0.2].into_iter().enumerate() {
        assert_close(one[x], 39.583_333_333_333 * consumption, NUTRIENTS[x]);
        assert_close(thirty[x], 30.0 * one[x], NUTRIENTS[x]);
    }
    // Half the disc of 12.5 cm radius.
    assert_close(shade, 0.5 * std::f64::consts::PI * 0.125 * 0.125, "shade");
    assert_close(shade_of_thirty, 30.0 * shade, "shade");
}

#[test]
fn equation_9_drought_stops_growth_and_then_kills_with_the_expected_hazard() {
    // At the wilting point the rate is exp(−3) = 0.0498, below 0.1. On day k it has not grown for k − 1 days.
    let scenario = plant("grow: {rate: {rate_sigma: 0}}", "{}", "water: 110").plots(40, 50).initially(GROWING);
    let mut world = scenario.build();
    let mut alive = [0usize; 13];
    for seed in 0..5 {
        world.env.reset(seed);
        for (day, count) in alive.iter_mut().enumerate().skip(1) {
            world.wait();
            *count += world.in_stage("grow");
            if day <= 9 {
                assert!(world.values("Plant-0.consecutive_nogrow#day").iter().all(|n| *n == day as f64));
                assert!(world.values(SIZE).iter().all(|s| *s == 0.1), "no growth");
            }
        }
    }
    assert_eq!(alive[9], 10_000, "eight days are tolerated");
    assert_share(alive[10], alive[9], exp(-0.1), "day 10");
    assert_share(alive[11], alive[10], exp(-0.2), "day 11");
    assert_share(alive[12], alive[11], exp(-0.3), "day 12");
}

#[test]
fn in_a_real_soil_at_the_wilting_point_nothing_grows_until_it_rains() {
    let mut world = Scenario::new()
        .with("ForcedWeather: {days: [{}, {}, {}, {rain: 30}]}")
        .with("Soil: clay")
        .with("Plant: {base: bean, grow: {rate: {rate_sigma: 0}}}")
        .initially("{Soil-0: {available_Water#L: 110}, Plant-0: {stage: grow, size#cm: 25}}")
        .build();
    world.wait_days(3);
    assert_eq!((world.value(SIZE), world.value("Plant-0.consecutive_nogrow#day")), (25.0, 3.0));
    world.wait();
    assert_close(world.value(SIZE), 25.0 + 5.0 * (1.0 - 25.0 / 120.0), "size");
    assert_eq!(world.value("Plant-0.consecutive_nogrow#day"), 0.0);
}

#[test]
fn equation_9_pests_kill_growing_plants() {
    // Four pests of two kinds are three too many: exp(−0.5·3), every day anew.
    let scenario = plant("", "{}", "").plots(100, 100).initially("{Plant-0: {stage: grow}}");
    let mut world = scenario.with("ForcedPests: {pests: 3}").with("ForcedPests: {pests: 1}").build();
    world.wait();
    let left = world.in_stage("grow");
    assert_share(left, 10_000, exp(-1.5), "alive after a day");
    world.wait();
    assert_share(world.in_stage("grow"), left, exp(-1.5), "alive after another");
}
