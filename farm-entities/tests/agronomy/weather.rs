//! The weather within a whole game.

use farm_core::action::Call;

use crate::world::{World, assert_close, assert_mean, assert_share, clay_bean, moments};

const DAY: &str = "Weather-0.day#int365";
const YEAR: &str = "Weather-0.year#int100";
const NO_NOISE: (&str, &str) = (
    "Field-0.Weather-0.noise",
    "{temperature#°C: 0, humidity#%: 0, clouds#%: 0, wind_speed#km.h-1: 0, wind_direction#°: 0}",
);
const ENDLESS: [(&str, &str); 2] =
    [("rules.BasicRule.stopping_conditions", "null"), ("rules.BasicRule.max_steps", "null")];

/// `clay_bean` without end, with changes.
fn endless(set: &[(&str, &str)]) -> World {
    clay_bean(None, &[&ENDLESS[..], set].concat())
}

fn starting(day: u32, year: u32) -> (&'static str, String) {
    let initial = format!("{{Field-0: {{Weather-0: {{day#int365: {day}, year#int100: {year}}}}}}}");
    ("rules.BasicRule.initial_conditions", initial)
}

#[test]
fn days_follow_each_other_into_the_next_year() {
    for (year, next) in [(3, 4.0), (99, 0.0)] {
        let (path, initial) = starting(363, year);
        let mut world = endless(&[(path, &initial)]);
        let mut dates = Vec::new();
        for _ in 0..4 {
            dates.push((world.value(DAY), world.value(YEAR)));
            world.wait();
        }
        let year = f64::from(year);
        assert_eq!(dates, [(363.0, year), (364.0, year), (0.0, next), (1.0, next)]);
    }
}

#[test]
fn initial_lists_and_ranges_are_drawn_evenly() {
    let mut world = clay_bean(None, &[]);
    let (mut days, mut years, mut water) = ([0; 3], [0; 10], Vec::new());
    for seed in 0..6000 {
        world.env.reset(seed);
        let day = world.value(DAY);
        days[[110.0, 120.0, 130.0].iter().position(|d| *d == day).unwrap()] += 1;
        years[world.value(YEAR) as usize] += 1;
        water.push(world.value("Soil-0.available_Water#L"));
    }
    days.iter().for_each(|n| assert_share(*n, 6000, 1.0 / 3.0, "start"));
    years.iter().for_each(|n| assert_share(*n, 6000, 0.1, "year"));
    // U(120, 170): mean 145, standard deviation 50/√12 = 14.43.
    assert!(water.iter().all(|w| (120.0..=170.0).contains(w)));
    assert_mean(&water, 145.0, 0.0, "water");
    assert!((moments(&water).1.sqrt() - 14.43).abs() < 0.4);
}

#[test]
fn equal_seeds_have_equal_weather_whatever_is_done() {
    let mut worlds: Vec<World> = ["wait", "random", "expert"].iter().map(|_| endless(&[])).collect();
    let game = worlds[0].env.game().clone();
    let mut players: Vec<_> = ["wait", "random", "expert"].iter().map(|name| game.player(name).unwrap()).collect();
    let names: Vec<String> = game
        .parts()
        .iter()
        .find(|p| p.name() == "Weather-0")
        .unwrap()
        .variables()
        .iter()
        .map(|v| format!("Weather-0.{}", v.name()))
        .collect();
    let mut differed = false;
    for seed in 0..10 {
        for (world, player) in worlds.iter_mut().zip(&mut players) {
            world.env.reset(seed);
            player.start(seed);
        }
        for day in 0..130 {
            for (world, player) in worlds.iter_mut().zip(&mut players) {
                let mut schedule: Vec<Call> = Vec::new();
                let playing = world.env.game().clone();
                player.choose(&playing, world.env.state(), &mut schedule);
                world.env.step(&schedule).unwrap();
            }
            for name in &names {
                let values = worlds[0].values(name);
                assert!(worlds.iter().all(|w| w.values(name) == values), "{name}, seed {seed}, day {day}");
            }
            let forecast = worlds[0].observed("forecast.rain_amount#mm.day-1");
            assert!(worlds.iter().all(|w| w.observed("forecast.rain_amount#mm.day-1") == forecast));
            differed |= worlds[0].value("Soil-0.available_Water#L") != worlds[1].value("Soil-0.available_Water#L");
        }
    }
    assert!(differed, "the policies did the same");
}

#[test]
fn other_seeds_have_other_weather() {
    let mut world = clay_bean(None, &[]);
    let temperatures: Vec<u64> = (0..100)
        .map(|seed| {
            world.env.reset(seed);
            world.value("Weather-0.air_temperature.mean#°C").to_bits()
        })
        .collect();
    let distinct: std::collections::BTreeSet<_> = temperatures.iter().collect();
    assert_eq!(distinct.len(), 100);
}

#[test]
fn forecasts_are_exact_for_today_and_err_in_proportion_to_the_lead() {
    let quantities = [
        ("air_temperature.mean#°C", 0.5),
        ("air_temperature.min#°C", 0.5),
        ("air_temperature.max#°C", 0.5),
        ("humidity#%", 2.0),
    ];
    // In summer the humidity is far from its ends.
    let (path, initial) = starting(180, 2);
    let mut world = endless(&[("interaction_mode", "fomdp"), (path, &initial)]);
    let mut errors = vec![[const { Vec::new() }; 5]; quantities.len()];
    let mut wrong_rain = [0; 5];
    for seed in 0..1500 {
        world.env.reset(seed);
        let forecasts: Vec<_> =
            quantities.iter().map(|(name, _)| world.observed(&format!("forecast.{name}"))).collect();
        let rain = world.observed("forecast.rain_amount#mm.day-1");
        assert_eq!((rain.len(), forecasts[0].len()), (5, 5));
        for lead in 0..5 {
            for (i, (name, _)) in quantities.iter().enumerate() {
                let truth = world.value(&format!("Weather-0.{name}"));
                if lead == 0 {
                    // Observations are single precision.
                    assert_eq!(forecasts[i][0], f64::from(truth as f32), "{name} today");
                }
                errors[i][lead].push(forecasts[i][lead] - truth);
            }
            let truth = world.value("Weather-0.rain_amount#mm.day-1");
            wrong_rain[lead] += usize::from((rain[lead] > 0.0) != (truth > 0.0));
            world.wait();
        }
    }
    for (errors, (name, slope)) in errors.iter().zip(quantities) {
        for (lead, errors) in errors.iter().enumerate().skip(1) {
            let (mean, variance) = moments(errors);
            let expected = slope * lead as f64;
            // The standard error of the deviation is 1/√3000 of it, that of the mean 1/√1500.
            assert!(
                (variance.sqrt() / expected - 1.0).abs() < 4.0 / 3000f64.sqrt(),
                "{name}, lead {lead}: {}",
                variance.sqrt()
            );
            assert!(mean.abs() < 4.0 * expected / 1500f64.sqrt(), "{name}, lead {lead}: {mean}");
        }
    }
    for (lead, wrong) in wrong_rain.into_iter().enumerate() {
        assert_share(wrong, 1500, 0.05 * lead as f64, &format!("rain said wrongly, lead {lead}"));
    }
}

#[test]
fn the_noise_has_the_deviations_of_the_parameter_set() {
    // Two games with one date, with and without noise.
    let (path, initial) = starting(0, 0);
    let (mut noisy, mut table) = (endless(&[(path, &initial)]), endless(&[(path, &initial), NO_NOISE]));
    let mut departures: [Vec<f64>; 5] = Default::default();
    for _ in 0..3600 {
        noisy.wait();
        table.wait();
        let departure =
            |name: &str| noisy.value(&format!("Weather-0.{name}")) - table.value(&format!("Weather-0.{name}"));
        let warmer = departure("air_temperature.mean#°C");
        assert!((departure("air_temperature.min#°C") - warmer).abs() < 1e-9, "lowest, mean and highest move together");
        assert!((departure("air_temperature.max#°C") - warmer).abs() < 1e-9);
        assert_eq!(departure("rain_amount#mm.day-1"), 0.0, "rain has no noise");
        departures[0].push(warmer);
        // What comes near the end of a range is cut off.
        for (i, name, low, high) in
            [(1, "humidity#%", 30.0, 75.0), (2, "clouds#%", 45.0, 55.0), (3, "wind.speed#km.h-1", 10.0, 400.0)]
        {
            if (low..=high).contains(&table.value(&format!("Weather-0.{name}"))) {
                departures[i].push(departure(name));
            }
        }
        departures[4].push(if departure("day#int365") == 0.0 { 1.0 } else { 0.0 });
    }
    for (departures, deviation) in departures.iter().zip([1.5, 5.0, 10.0, 2.0]) {
        let n = departures.len() as f64;
        assert!(n > 100.0, "{n} days");
        let (mean, variance) = moments(departures);
        assert!(mean.abs() < 4.0 * deviation / n.sqrt(), "{deviation}: mean {mean}");
        assert!((variance.sqrt() / deviation - 1.0).abs() < 4.0 / (2.0 * n).sqrt(), "{deviation}: {}", variance.sqrt());
    }
    assert!(departures[4].iter().all(|same| *same == 1.0));
}

#[test]
fn frosts_and_dry_days_in_a_row_are_counted() {
    let (path, initial) = starting(300, 0);
    let mut world = endless(&[(path, &initial)]);
    let (mut frost, mut dry) = (0.0, 0.0);
    let mut longest = (0.0f64, 0.0f64);
    for day in 0..1500 {
        frost = if world.value("Weather-0.air_temperature.min#°C") < 0.0 { frost + 1.0 } else { 0.0 };
        dry = if world.value("Weather-0.rain_amount#mm.day-1") < 1.0 { dry + 1.0 } else { 0.0 };
        let counted = (world.value("Weather-0.consecutive_frost#day"), world.value("Weather-0.consecutive_dry#day"));
        assert_eq!(counted, (frost, dry), "day {day}");
        longest = (longest.0.max(frost), longest.1.max(dry));
        world.wait();
    }
    assert!(longest.0 >= 2.0 && longest.1 >= 5.0, "{longest:?}");
}

/// Warming moves all temperatures of a day and of the forecast, of tables and of the generator, and nothing else.
#[test]
fn warming_moves_the_temperatures_and_nothing_else() {
    for set in ["montpellier", "seoul_generated"] {
        let [mut usual, mut warm] = ["0", "2.5"].map(|by| {
            let weather = format!("{{Weather: {{base: {set}, equations: agronomic, warming#°C: {by}}}}}");
            endless(&[("interaction_mode", "fomdp"), ("fields.Field-0.entities.0", &weather)])
        });
        for world in [&mut usual, &mut warm] {
            world.env.reset(7);
        }
        for day in 0..40 {
            for name in ["min", "mean", "max"] {
                let name = format!("Weather-0.air_temperature.{name}#°C");
                assert_close(warm.value(&name), usual.value(&name) + 2.5, &format!("{set}, day {day}, {name}"));
            }
            for name in ["Weather-0.rain_amount#mm.day-1", "Weather-0.humidity#%", "Weather-0.wind.speed#km.h-1"] {
                assert_eq!(warm.value(name), usual.value(name), "{set}, day {day}, {name}");
            }
            let forecast = |world: &World| world.observed("forecast.air_temperature.mean#°C");
            for (warm, usual) in forecast(&warm).into_iter().zip(forecast(&usual)) {
                // Observations have seven digits.
                assert!(
                    (warm - usual - 2.5).abs() < 1e-4,
                    "{set}, day {day}: {warm} is forecast and not {usual} + 2.5"
                );
            }
            usual.wait();
            warm.wait();
        }
    }
}

/// A rain factor changes the amounts of rain, of a day and of the forecast, and nothing else.
#[test]
fn a_rain_factor_changes_the_rain_and_nothing_else() {
    for set in ["montpellier", "seoul_generated", "lille3"] {
        let [mut usual, mut dry] = ["", ", rain_factor#prop: 0.9"].map(|factor| {
            let weather = format!("{{Weather: {{base: {set}, equations: agronomic{factor}}}}}");
            endless(&[("interaction_mode", "fomdp"), ("fields.Field-0.entities.0", &weather)])
        });
        for world in [&mut usual, &mut dry] {
            world.env.reset(7);
        }
        let mut fallen = 0.0;
        for day in 0..60 {
            let rain = usual.value("Weather-0.rain_amount#mm.day-1");
            fallen += rain;
            assert_close(dry.value("Weather-0.rain_amount#mm.day-1"), 0.9 * rain, &format!("{set}, day {day}"));
            let names = ["air_temperature.max#°C", "humidity#%", "reference_evapotranspiration#mm.day-1", "clouds#%"];
            for name in names.map(|name| format!("Weather-0.{name}")) {
                assert_eq!(dry.value(&name), usual.value(&name), "{set}, day {day}, {name}");
            }
            let forecast = |world: &World| world.observed("forecast.rain_amount#mm.day-1");
            for (dry, usual) in forecast(&dry).into_iter().zip(forecast(&usual)) {
                assert!((dry - 0.9 * usual).abs() < 1e-4, "{set}, day {day}: {dry} is forecast and not 0.9 · {usual}");
            }
            usual.wait();
            dry.wait();
        }
        assert!(fallen > 10.0, "{set}: {fallen} mm");
    }
}
