//! Fertilisers and cides of `equations: agronomic`, what they do to crops and weeds, and the balances of all of these.

use std::collections::BTreeMap;

use farm_core::Stream;
use farm_entities::agronomy::laws::supplies::herbicide_survival;

use crate::balances::in_range;
use crate::soil_profile::Books;
use crate::world::{NUTRIENTS, Scenario, World, assert_close, assert_share};

/// A plot of 100 m² of loam near Montpellier with these further entities, from a day of the year on.
fn field(others: &[&str], day: u32, initial: &str) -> Scenario {
    let scenario = Scenario::new()
        .scale(10.0)
        .with("Weather: {base: montpellier_generated, equations: agronomic}")
        .with("Soil: {base: loam, equations: agronomic}");
    let scenario = others.iter().fold(scenario, |scenario, other| scenario.with(*other));
    scenario.initially(format!("{{Weather-0: {{day#int365: {day}}}{initial}}}"))
}

/// The same at 20 °C without rain and evaporation, in soil with this share of the water that plants can take.
fn still_field(others: &[&str], moisture: f64) -> World {
    let scenario = Scenario::new()
        .scale(10.0)
        .with("ForcedWeather: {days: [{}]}")
        .with(format!("Soil: {{base: loam, equations: agronomic, profile: {{initial_water#prop: {moisture}}}}}"));
    others.iter().fold(scenario, |scenario, other| scenario.with(*other)).build()
}

fn scatter(world: &mut World, part: &str, kilograms: f64) {
    world.act(&[&format!("{part} scatter {{\"plot\": [0, 0], \"amount#kg\": {kilograms}}}")]);
}

/// A fertiliser of which 10 kg were scattered: what lies, and the sums of what was set free and lost, each day.
fn follow(set: &str, moisture: f64, days: usize) -> (f64, [f64; 4], f64) {
    let mut world = still_field(&[&format!("Fertilizer: {set}")], moisture);
    let (mut released, mut lost) = ([0.0; 4], 0.0);
    for day in 0..days {
        if day == 0 {
            scatter(&mut world, "Fertilizer-0", 10.0)
        } else {
            world.wait();
        }
        for (sum, nutrient) in released.iter_mut().zip(NUTRIENTS) {
            *sum += world.value(&format!("Fertilizer-0.release_{nutrient}#g.day-1"));
        }
        lost += world.value("Fertilizer-0.volatilised_N#g.day-1");
    }
    (world.value("Fertilizer-0.amount#kg"), released, lost)
}

/// The contents are those on the bag, what is lost is the share of IPCC 2019, and what dissolves needs water.
#[test]
fn mineral_fertilisers_give_what_is_on_the_bag_within_days_in_moist_soil() {
    for (set, contents, lost_share) in [
        ("urea", [0.46, 0.0, 0.0], 0.15),
        ("ammonium_nitrate", [0.335, 0.0, 0.0], 0.05),
        ("triple_superphosphate", [0.0, 0.46 * 0.436, 0.0], 0.0),
        ("potassium_chloride", [0.0, 0.0, 0.60 * 0.83], 0.0),
        ("npk", [0.15, 0.15 * 0.436, 0.15 * 0.83], 0.08),
    ] {
        let (left, released, lost) = follow(set, 1.0, 21);
        assert!(left < 0.01, "{set}: {left} kg after three weeks");
        for x in 0..3 {
            let expected = (10.0 - left) * 1000.0 * contents[x] * if x == 0 { 1.0 - lost_share } else { 1.0 };
            assert!((released[x] - expected).abs() <= 1e-3 * expected, "{set} {}: {} g", NUTRIENTS[x], released[x]);
        }
        assert_close(lost, (10.0 - left) * 1000.0 * contents[0] * lost_share, set);
        let (left, ..) = follow(set, 0.0, 21);
        assert_eq!(left, 10.0, "{set} lies in dry soil");
    }
}

/// Sets of the paper's equations dissolve, too, and do not wait for the microlife.
#[test]
fn fertilisers_of_the_other_equations_dissolve_with_water() {
    let (left, released, lost) = follow("{base: fast_N, equations: agronomic}", 1.0, 10);
    assert_close(left, 10.0 * (1.0 - 0.5 / 7.0_f64).powi(10), "half a week's worth a week");
    assert_close(released[0], 1000.0 * (10.0 - left), "pure nitrogen");
    assert_eq!(lost, 0.0);
}

/// Of the carbon of manure a fifth becomes humus, and binds nitrogen; the rest is breathed out.
#[test]
fn the_carbon_of_manure_joins_the_humus() {
    let year = |set: &str| {
        let mut world = still_field(&[set], 0.6);
        scatter(&mut world, "Fertilizer-0", 10.0);
        world.wait_days(364);
        let soil = |x: &str| world.value(&format!("Soil-0.available_{x}#g"));
        ([soil("N"), soil("C")], world.value("Fertilizer-0.amount#kg"))
    };
    let ([nitrogen, carbon], left) = year("Fertilizer: manure");
    let ([bare_nitrogen, bare_carbon], _) = year("Fertilizer: {base: manure, N#prop: 0, C#prop: 0}");
    let rotted = 10.0 - left;
    assert!((3.0..9.0).contains(&rotted), "{rotted} kg of 10 rot in a year at 20 °C");
    let humus = carbon - bare_carbon;
    // A little of the new humus has decayed again.
    assert!((0.9..=1.0).contains(&(humus / (0.2 * 100.0 * rotted))), "{humus} g of {rotted} kg");
    let expected = 6.0 * rotted * (1.0 - 0.21) - humus / 11.0;
    assert!((nitrogen - bare_nitrogen - expected).abs() < 0.01 * expected, "{nitrogen} {bare_nitrogen} {expected}");
    let ([_, compost_carbon], compost_left) = year("Fertilizer: compost");
    assert!(compost_left > left && compost_carbon > bare_carbon);
}

/// A cide acts on the day on which it is sprayed; what is in the soil decays at the speed that each cide says.
#[test]
fn cides_act_at_once_and_decay_at_their_own_speed() {
    let others = ["Cide: pyrethroid", "Cide: bentazone", "Cide: {base: pesticide, equations: agronomic}"];
    let mut world = still_field(&others, 0.6);
    let spray = |part: &str, kg: f64| format!("{part} scatter {{\"plot\": [0, 0], \"amount#kg\": {kg}}}");
    world.act(&[&spray("Cide-0", 0.0001), &spray("Cide-1", 0.01), &spray("Cide-2", 0.002)]);
    for part in ["Cide-0", "Cide-1", "Cide-2"] {
        assert_eq!(world.value(&format!("{part}.amount#kg")), 0.0, "{part} lies nowhere");
    }
    assert_close(world.value("Cide-1.cide_release_weeds#g.day-1"), 10.0, "the dose of the day");
    for days in 1..60 {
        let [five, fourteen, soils] =
            [5.0, 14.0, 30.0].map(|half: f64| farm_core::math::powf(0.5, f64::from(days) / half));
        for (target, expected) in [
            ("pests", 0.1 * five + 2.0 * soils),
            ("weeds", 10.0 * fourteen),
            ("pollinators", 0.1 * five + 2.0 * soils),
            ("soil", 0.01 * five + 1.0 * fourteen + 0.2 * soils),
        ] {
            assert_close(world.value(&format!("Soil-0.amount_cide.{target}#g")), expected, target);
        }
        let weight = 0.1 * five + 10.0 * fourteen + 2.0 * soils;
        assert_close(world.value("Soil-0.cide_residue#g"), weight, "the weight of all");
        world.wait();
    }
    assert_eq!(world.value("Cide-1.cide_release_weeds#g.day-1"), 0.0, "nothing is sprayed any more");
}

/// Weeds in the plot of a hundred square metres, none of which come, flower or die otherwise.
const WEEDS: &str = "Weeds: {base: base_weed, equations: agronomic, plot_capacity#nb: 50000, demography: \
                     {arriving#nb.m-2.day-1: 0, death#prop.day-1: 0, flowering#°C.day: 10000}}";

/// The weeds that live after a spray of so many grams per m², when so many have grown for some days.
fn sprayed_weeds(number: u32, grams_per_m2: f64, age: usize) -> f64 {
    let initial = format!(", Weeds-0: {{grow#nb: {number}}}");
    let mut world = field(&[WEEDS, "Cide: bentazone"], 130, &initial).build();
    world.wait_days(age);
    scatter(&mut world, "Cide-0", grams_per_m2 / 10.0);
    world.value("Weeds-0.grow#nb")
}

/// Streibig 1988: log-logistic, and a label's dose kills nineteen in twenty seedlings and fewer of large weeds.
#[test]
fn weeds_die_by_the_dose_per_area_and_small_ones_sooner() {
    let mut before = 20_000.0;
    for dose in [0.0, 0.005, 0.01, 0.02, 0.03, 0.06, 0.1, 0.2, 0.5] {
        let left = sprayed_weeds(20_000, dose, 0);
        // Seedlings of 0.8 cm² are a 2,500th of a full-grown weed's 0.2 m².
        let expected = herbicide_survival(dose, 0.03 * (1.0 + 4.0 * 0.8e-4 / 0.2), 2.5);
        assert_share(left as usize, 20_000, expected, &format!("{dose} g per m²"));
        assert!(left <= before, "more herbicide, fewer weeds: {left} after {before}");
        before = left;
    }
    let [seedlings, grown] = [0, 45].map(|age| sprayed_weeds(1000, 0.1, age) / 1000.0);
    assert!(seedlings < 0.08 && grown > 2.0 * seedlings, "{seedlings} of the seedlings, {grown} of the grown ones");
}

/// What dies of a spray goes back to the soil with all that it held; a spray on a field without weeds changes nothing.
#[test]
fn sprayed_weeds_become_residue() {
    let mut world = field(&[WEEDS, "Cide: glyphosate"], 130, ", Weeds-0: {grow#nb: 2000}").build();
    world.wait_days(30);
    let before = 0.45 * world.value("Weeds-0.biomass#g") - world.value("Weeds-0.total_taken_C#g");
    scatter(&mut world, "Cide-0", 1.0);
    assert_eq!(world.value("Weeds-0.grow#nb"), 0.0);
    assert_eq!(world.value("Weeds-0.leaf_area#m2"), 0.0);
    let grown = world.value("Weeds-0.total_taken_C#g");
    assert_close(world.value("Weeds-0.residue_C#g"), before + grown, "carbon of the dead");
    world.wait();
    assert!(world.value("Weeds-0.released_C#g.day-1") > 0.0);
}

/// A broad herbicide kills the crop that it falls on, not the one that is sown after it; a selective one spares it.
#[test]
fn glyphosate_kills_a_standing_crop_and_bentazone_spares_it() {
    let season = |cide: &str, grams: f64, sprayed_on: usize| {
        let bean = "Plant: {base: bean, equations: agronomic, initial_population#nb: 1320}";
        let mut world = field(&[bean, &format!("Cide: {cide}")], 130, "").build();
        for day in 0..75 {
            if day == sprayed_on {
                scatter(&mut world, "Cide-0", grams / 1000.0)
            } else {
                world.wait();
            }
        }
        (world.stages()[0].clone(), world.value("Plant-0.cause_of_death"), world.value("Plant-0.biomass#g"))
    };
    let (_, _, untouched) = season("bentazone", 0.0, 30);
    let (_, _, selective) = season("bentazone", 10.0, 30);
    assert_eq!(selective, untouched, "bentazone at the dose of its label");
    let (_, _, before_emergence) = season("glyphosate", 10.8, 0);
    assert_eq!(before_emergence, untouched, "nothing green is there yet");
    let herbicide = 8.0;
    let (stage, cause, _) = season("glyphosate", 10.8, 30);
    assert_eq!((stage.as_str(), cause), ("dead", herbicide));
    let (stage, _, drift) = season("glyphosate", 1.0, 30);
    assert!(stage != "dead" && drift < untouched, "a tenth of the dose harms: {drift} of {untouched}");
}

/// A season on a square metre of loam that is watered when its topsoil needs it: kilograms harvested of this crop, with something
/// scattered on a day after sowing.
fn harvest(plant: &str, others: &[&str], initial: &str, scattered: (usize, f64), seed: u64) -> f64 {
    let scenario = Scenario::new()
        .with("Weather: {base: montpellier_generated, equations: agronomic}")
        .with("Soil: {base: loam, equations: agronomic, profile: {initial_N#g.m-2: 3}}")
        .with(format!("Plant: {{{plant}, equations: agronomic}}"));
    let scenario = others.iter().fold(scenario, |scenario, other| scenario.with(*other));
    let mut world = scenario.initially(format!("{{Weather-0: {{day#int365: 125}}{initial}}}")).build();
    world.env.reset(seed);
    let part = if others.iter().any(|other| other.starts_with("Cide")) { "Cide-0" } else { "Fertilizer-0" };
    let mut best = 0.0_f64;
    for day in 0..220 {
        let top = world.value("Soil-0.topsoil_Water#L");
        let dry = (93.0 - top).max(0.0) * f64::from(u8::from(top < 78.6));
        let plot = "\"plot\": [0, 0]";
        let water = format!("Soil-0 water_continuous {{{plot}, \"amount#L\": {dry}, \"duration#min\": 60}}");
        let spread = format!("{part} scatter {{{plot}, \"amount#kg\": {}}}", scattered.1);
        let deeds = [(dry > 0.0, &water), (day == scattered.0 && scattered.1 > 0.0, &spread)];
        let deeds: Vec<&str> = deeds.into_iter().filter(|(is_due, _)| *is_due).map(|(_, deed)| deed.as_str()).collect();
        world.act(&deeds);
        let fruits = world.value("Plant-0.population#nb") * world.value("Plant-0.fruits_per_plant#nb");
        best = best.max(fruits * world.value("Plant-0.fruit_weight#g") / 1000.0);
        if matches!(world.stages()[0].as_str(), "ripe" | "dead") {
            break;
        }
    }
    best
}

/// Yields at these doses, means of four seasons, as shares of the best.
fn curve(doses: &[f64], season: impl Fn(f64, u64) -> f64) -> Vec<f64> {
    let yields: Vec<f64> = doses.iter().map(|dose| (0..4).map(|seed| season(*dose, seed)).sum::<f64>() / 4.0).collect();
    let best = yields.iter().copied().fold(1e-9, f64::max);
    yields.iter().map(|y| y / best).collect()
}

/// The response to urea is that to nitrogen (maize trials: 35 to 75 % without, most of the gain with the first 100 kg of N per ha): 2.2 kg
/// of urea on 100 m² are 100 kg of nitrogen per hectare.
#[test]
fn urea_pays_less_and_less() {
    let corn = "base: corn, initial_population#nb: 8";
    let shares = curve(&[0.0, 0.5, 1.0, 2.0, 4.0, 8.0], |kilograms, seed| {
        harvest(corn, &["Fertilizer: urea"], "", (20, kilograms / 100.0), seed)
    });
    assert!((0.2..0.75).contains(&shares[0]), "{shares:?}");
    assert!(shares[..5].windows(2).all(|pair| pair[1] >= pair[0] - 0.01), "{shares:?}");
    assert!((shares[2] - shares[0]) > (shares[4] - shares[3]), "{shares:?}");
    // Manure feeds a first crop little: 20 t per hectare hold 120 kg of nitrogen.
    let manure = (0..4).map(|seed| harvest(corn, &["Fertilizer: manure"], "", (0, 2.0), seed)).sum::<f64>();
    let bare = (0..4).map(|seed| harvest(corn, &["Fertilizer: manure"], "", (0, 0.0), seed)).sum::<f64>();
    assert!((1.02..1.5).contains(&(manure / bare)), "{manure} of {bare}");
}

/// A spray at the dose of its label rescues most of what weeds would take, half of it less, and twice as much adds little.
#[test]
fn a_spray_in_time_pays() {
    let weeds = WEEDS.replace("50000", "1000");
    let bean = "base: bean, initial_population#nb: 13, crop: {fruits: {selfing#prop: 1}}";
    let spray = |number: u32, day: usize| {
        let (weeds, initial) = (&weeds, format!(", Weeds-0: {{grow#nb: {number}}}"));
        move |dose: f64, seed: u64| {
            harvest(bean, &[weeds, "Cide: bentazone"], &initial, (day, dose * 0.01 / 100.0), seed)
        }
    };
    let free = (0..4).map(|seed| spray(0, 14)(0.0, seed)).sum::<f64>() / 4.0;
    let yields =
        [0.0, 0.25, 0.5, 1.0, 2.0].map(|dose| (0..4).map(|seed| spray(40, 14)(dose, seed)).sum::<f64>() / 4.0 / free);
    assert!(yields.windows(2).all(|pair| pair[1] >= pair[0] - 0.01), "{yields:?}");
    assert!(yields[0] < 0.7 && yields[3] > 0.85 && yields[4] - yields[3] < 0.1, "{yields:?}");
    let late = (0..4).map(|seed| spray(40, 60)(1.0, seed)).sum::<f64>() / 4.0 / free;
    assert!(late < yields[3] - 0.1, "late: {late} of {yields:?}");
}

/// All balances close over seasons of random deeds, those of crops, weeds, fertilisers and cides included, and what the soil gives is
/// what crops and weeds take.
#[test]
fn balances_of_crops_weeds_and_supplies_close_whatever_is_done() {
    let mut seen = BTreeMap::new();
    for (crop, residue) in [("bean", false), ("bean", true), ("corn", false), ("wheat", true)] {
        let plant = format!(
            "Plant: {{base: {crop}, equations: agronomic, initial_population#nb: 300, harvest_residue: {residue}}}"
        );
        let mut world = Scenario::new()
            .plots(2, 2)
            .scale(5.0)
            .with("Weather: {base: montpellier_generated, equations: agronomic}")
            .with("Soil: {base: loam, equations: agronomic}")
            .with(plant)
            .with("Weeds: {base: base_weed, equations: agronomic}")
            .with("Fertilizer: urea")
            .with("Fertilizer: manure")
            .with("Fertilizer: {base: slow_K, equations: corrected}")
            .with("Cide: glyphosate")
            .with("Cide: {base: herbicide_slow, equations: corrected}")
            .initially(
                "{Weather-0: {day#int365: [60, 120, 275]}, Plant-0: {stage: [seed, grow, bloom, fruit, ripe, dead, none]}, \
                 Weeds-0: {grow#nb: '(0, 50)', seeds#nb: '(0, 100)'}}",
            )
            .build();
        for seed in 0..4 {
            world.env.reset(seed);
            let mut stream = Stream::from_seed(seed ^ 0x5a9);
            let mut books = Books::open(&world);
            let mut asked = 0.0;
            for day in 0..250 {
                let plot = format!("\"plot\": [{}, {}]", stream.index(2), stream.index(2));
                let amount = [0.0, 0.001, 0.5, 10.0][stream.index(4) as usize];
                let scatter = |part: &str| format!("{part} scatter {{{plot}, \"amount#kg\": {amount}}}");
                let deed = match stream.index(40) {
                    0 => format!("Plant-0 sow {{{plot}, \"amount#seed\": 90, \"spacing#cm\": 5}}"),
                    1 => "Plant-0 harvest {}".to_owned(),
                    2 => format!("Plant-0 micro_harvest {{{plot}}}"),
                    3 if stream.bernoulli(0.2) => format!("Plant-0 remove {{{plot}}}"),
                    4 => format!("Weeds-0 remove {{{plot}}}"),
                    5 => scatter("Fertilizer-0"),
                    6 => scatter("Fertilizer-1"),
                    7 => scatter("Fertilizer-2"),
                    8 => scatter("Cide-0"),
                    9 => scatter("Cide-1"),
                    10 => format!("Soil-0 water_continuous {{{plot}, \"amount#L\": 500, \"duration#min\": 60}}"),
                    _ => String::new(),
                };
                let deeds: Vec<&str> = if deed.is_empty() { vec![] } else { vec![&deed] };
                world.act(&deeds);
                let what = format!("{crop} {residue} seed {seed} day {day} {deed}");
                books.close(&world, &mut seen, &what);
                in_range(&world);
                for nutrient in ["N", "P", "K"] {
                    let given: f64 = world.values(&format!("Soil-0.uptake_{nutrient}#g.day-1")).iter().sum();
                    asked += given;
                }
            }
            let taken = |part: &str| {
                ["N", "P", "K"].map(|x| world.value(&format!("{part}.total_taken_{x}#g"))).iter().sum::<f64>()
            };
            assert_close(
                taken("Plant-0") + taken("Weeds-0"),
                asked,
                &format!("{crop} seed {seed}: what the soil gave"),
            );
        }
    }
    // Without these the balances would close of themselves.
    let flows = "on the plots scattered, on the plots released, on the plots lost to the air, N in plants uptake, N in plants seeds, \
         N in plants pulled out, N in plants given back, N in plants harvest, N in plants fixed from the air, C in plants uptake, \
         dry matter of plants uptake, dry matter of plants harvest, dry matter of plants given back";
    for flow in flows.split(", ") {
        assert!(seen.get(flow).is_some_and(|amount| *amount > 0.0), "`{flow}` never happened: {seen:?}");
    }
}

/// Weeds make their carbon of the air's: they ask the humus for none, whatever they need in the other equations.
#[test]
fn weeds_draw_no_carbon_from_the_humus() {
    let mut world = field(&[WEEDS], 130, ", Weeds-0: {grow#nb: 2000}").build();
    for day in 0..30 {
        world.wait();
        assert_eq!(world.value("Weeds-0.asked_C#g.day-1"), 0.0, "day {day}");
    }
    assert!(world.value("Weeds-0.total_taken_C#g") > 100.0, "they grow on the carbon of the air");
}
