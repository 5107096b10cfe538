//! The soil of `equations: agronomic` without layers of its own, under forced days that can be worked out by hand, and under anything.
//!
//! Loam of 1.5 m under 1 m²: the topsoil of two layers, 0.3 m deep, holds 45 L out of reach, 93 L at field capacity and 138 L when its pores are full.

use std::collections::BTreeMap;

use farm_core::declare::{BalanceTracker, Flow, Own, real};
use farm_core::math::exp;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Phase, Purpose, Stream};
use farm_entities::agronomy::laws::water::drainage_share;
use farm_games::{Options, open};

use crate::balances::in_range;
use crate::forced::{Still, constant};
use crate::world::{NUTRIENTS, Scenario, World, assert_close};

const WATER: &str = "Soil-0.available_Water#L";
const TOPSOIL: &str = "Soil-0.topsoil_Water#L";
const EVAPORATION: &str = "Soil-0.evaporation#L.day-1";
const DRAINAGE: &str = "Soil-0.drainage#L.day-1";
const SURPLUS: &str = "Soil-0.surplus_Water#L.day-1";
const MICROLIFE: &str = "Soil-0.microlife_health_index#%";

/// Roots of one depth.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedRoots {
    /// The depth in m.
    #[parameter(range = 0.0..=10.0)]
    pub depth: f64,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedRoots {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        constant(d, farm_roles::ROOT_DEPTH, self.depth);
        Bind::new(|_| Still)
    }
}

/// A crop that asks for anything, gives anything back and shades anything, another day other things.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct RandomCrop {}

struct Whim {
    key: u64,
    /// What is published, and its most on a usual day.
    columns: Vec<(Column<f64>, f64)>,
}

const WHIM: Purpose = Purpose::named("whim");

#[farm_core::register(source = "Test")]
impl Entity for RandomCrop {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let water = [
            (farm_roles::WATER_DEMAND, 10.0),
            (farm_roles::WATER_INFLOW, 3.0),
            (farm_roles::SHADE, 2.0),
            (farm_roles::ROOT_DEPTH, 2.0),
        ];
        let demands = farm_roles::DEMAND.map(|role| (role, 0.5));
        let releases = farm_roles::RELEASE.into_iter().zip([0.3, 0.1, 0.1, 20.0]);
        let wanted = water.into_iter().chain(demands).chain(releases);
        let declare = |(role, most): (farm_core::Role<f64>, f64)| {
            (d.variable(real(role.name(), 0.0, 1e4, "Random.").per_plot().role(role)), most)
        };
        let columns: Vec<(Own<f64>, f64)> = wanted.map(declare).collect();
        d.runs_in(Phase::Demand);
        let key = d.stream_key();
        Bind::new(move |found| Whim {
            key,
            columns: columns.into_iter().map(|(own, most)| (found.get(own), most)).collect(),
        })
    }
}

impl Behaviour for Whim {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let mut stream = c.stream(self.key, WHIM);
        for (column, most) in &self.columns {
            for cell in c.get(*column) {
                // Nothing, something usual, or far too much.
                let size = [0.0, 1.0, 1.0, 1.0, 1.0, 100.0][stream.index(6) as usize];
                cell.set(size * stream.uniform_in(0.0, *most));
            }
        }
    }
}

/// A soil under forced days, with other parts and initial conditions.
fn scenario(soil: &str, days: &str, others: &[&str], initial: &str) -> Scenario {
    let world = Scenario::new()
        .with(format!("ForcedWeather: {{days: [{days}]}}"))
        .with(format!("Soil: {{equations: agronomic, {soil}}}"));
    let world = others.iter().fold(world, |world, other| world.with(*other));
    world.initially(format!("{{Soil-0: {{{initial}}}}}"))
}

fn soil(soil: &str, days: &str, initial: &str) -> World {
    scenario(soil, days, &[], initial).build()
}

fn total(world: &mut World, days: usize, name: &str) -> f64 {
    (0..days)
        .map(|_| {
            world.wait();
            world.value(name)
        })
        .sum()
}

/// Closes the declared balances of all parts, day by day.
pub(crate) struct Books(Vec<BalanceTracker>);

impl Books {
    pub(crate) fn open(world: &World) -> Self {
        let reader = world.env.game().reader(world.env.state());
        let all = world.env.game().parts().iter().flat_map(|part| part.mass_balances());
        Self(all.map(|balance| BalanceTracker::open(balance, &reader)).collect())
    }

    /// Notes a day; adds what flowed to `seen`.
    pub(crate) fn close(&mut self, world: &World, seen: &mut BTreeMap<String, f64>, what: &str) {
        let reader = world.env.game().reader(world.env.state());
        let all = world.env.game().parts().iter().flat_map(|part| part.mass_balances());
        for (balance, tracker) in all.zip(&mut self.0) {
            let before = tracker.stock();
            tracker.note(balance, &reader);
            let signed = |(flow, amount): (&Flow, &f64)| if flow.is_inflow() { *amount } else { -amount };
            let change: f64 = balance.flows().iter().zip(tracker.flows()).map(signed).sum();
            let size = tracker.flows().iter().sum::<f64>() + before + 1.0;
            let open = tracker.stock() - before - change;
            assert!(
                open.abs() <= 1e-9 * size,
                "{what}, {}: {open} is missing of {:?}",
                balance.name(),
                tracker.flows()
            );
            for (flow, amount) in balance.flows().iter().zip(tracker.flows()) {
                assert!(*amount >= 0.0, "{what}, {} {}: {amount}", balance.name(), flow.name());
                *seen.entry(format!("{} {}", balance.name(), flow.name())).or_default() += amount;
            }
        }
    }
}

#[test]
fn a_soil_begins_at_field_capacity_and_says_what_it_holds() {
    for (name, [wilting, capacity, saturation]) in [
        ("clay", [390.0, 540.0, 550.0]),
        ("silt", [90.0, 330.0, 430.0]),
        ("loam", [150.0, 310.0, 460.0]),
        ("sand", [60.0, 130.0, 360.0]),
    ] {
        let world = soil(&format!("base: {name}"), "{}", "");
        for (variable, expected) in [
            ("available_Water#L", 1.5 * capacity),
            ("topsoil_Water#L", 0.3 * capacity),
            ("water_capacity#L", 1.5 * capacity),
            ("wilting_water#L", 1.5 * wilting),
            ("saturation_water#L", 1.5 * saturation),
            ("soil_depth#m", 1.5),
            ("topsoil_depth#m", 0.3),
            ("wet_surface#m2", 1.0),
            ("water_layer_1#L", 0.15 * capacity),
            ("water_layer_5#L", 0.4 * capacity),
        ] {
            assert_close(world.value(&format!("Soil-0.{variable}")), expected, &format!("{name} {variable}"));
        }
    }
    let world = soil("base: loam, profile: {initial_water#prop: 0.5}", "{}", "");
    assert_close(world.value(WATER), 345.0, "half of what plants can take");
    assert_close(world.value("Soil-0.available_C#g"), 4500.0, "carbon");
    assert_close(world.value("Soil-0.available_N#g"), 6.0, "nitrogen");
}

#[test]
fn water_of_the_initial_conditions_lies_evenly_unless_they_say_how_much_is_in_the_topsoil() {
    let world = soil("base: loam", "{}", "available_Water#L: 250");
    assert_close(world.value(TOPSOIL), 50.0, "a fifth of the depth");
    let world = soil("base: loam", "{}", "available_Water#L: 250, topsoil_Water#L: 60");
    assert_close(world.value(TOPSOIL), 60.0, "as it is said");
    // The subsoil holds 552 L: the rest is in the topsoil, whatever is said.
    let world = soil("base: loam", "{}", "available_Water#L: 680, topsoil_Water#L: 60");
    assert_close(world.value(TOPSOIL), 128.0, "what the subsoil has no room for");
    let world = soil("base: loam", "{}", "topsoil_Water#L: 45");
    assert_close(world.value(WATER), 465.0 - 48.0, "the subsoil stays");
    assert_eq!(
        world.value("Soil-0.evaporated#mm"),
        24.0,
        "half of the 48 mm that the topsoil lacks: the surface is half of it"
    );
}

#[test]
fn rain_on_dry_soil_refills_the_topsoil_first() {
    let mut world = soil("base: loam", "{rain: 30}", "available_Water#L: 250");
    world.wait();
    assert_close(world.value(TOPSOIL), 80.0, "50 and 30 L");
    world.wait();
    // The first layer keeps 46.5 L and has pores for 69 L; of what is between the two, the share of loam seeps down.
    let share = drainage_share(500.0);
    let first = 55.0 - share * 8.5;
    let seeps = (first + 30.0 - 69.0) + share * 22.5;
    let second = 80.0 - first + seeps;
    let left = [first + 30.0 - seeps, second - share * (second - 46.5)];
    assert_close(world.value("Soil-0.water_layer_1#L"), left[0], "the first layer");
    assert_close(world.value(TOPSOIL), left[0] + left[1], "topsoil");
    assert_close(world.value(WATER), 310.0, "all of it stays in the soil");
    assert_eq!(world.value(DRAINAGE), 0.0);
}

#[test]
fn a_saturated_clay_drains_slower_than_sand() {
    let after = |name: &str, saturation: f64, capacity: f64| {
        let mut world = soil(&format!("base: {name}"), "{}", &format!("available_Water#L: {}", 1.5 * saturation));
        world.wait_days(3);
        (world.value(WATER) - 1.5 * capacity) / (1.5 * (saturation - capacity))
    };
    let (clay, loam, sand) = (after("clay", 550.0, 540.0), after("loam", 460.0, 310.0), after("sand", 360.0, 130.0));
    // Clay loses 30 % a day of what is above field capacity, and each layer gets what the one above loses.
    assert!((0.3..0.6).contains(&clay), "{clay} is left after three days");
    assert!(loam < 0.05 && sand < 1e-9 && clay > 5.0 * loam, "{clay} {loam} {sand}");
}

#[test]
fn what_no_pore_has_room_for_runs_off_and_irrigation_counts_gross() {
    // Full clay lets 35 mm a day through.
    let mut world = soil("base: clay", "{rain: 10}", "available_Water#L: 825");
    world.water(60.0, 60.0);
    assert_close(world.value(SURPLUS), 35.0, "25 L of irrigation and 10 L of rain");
    assert_close(world.value("Soil-0.total_cumulated_added_water#L"), 60.0, "added");
    assert_close(world.value(WATER), 825.0, "water");
    // Irrigation of a dry topsoil stays there until the evening.
    let mut world = soil("base: loam", "{}", "available_Water#L: 250");
    world.water(20.0, 0.0);
    assert_close(world.value(TOPSOIL), 70.0, "topsoil");
}

/// A soil with 18 mm that can evaporate, 8 of them readily, as that of FAO-56 example 34, and 5 mm of evaporation a day from a wet
/// surface: of the first stage two days, then a tenth less for each millimetre beyond 8.
#[test]
fn bare_soil_dries_in_the_two_stages_of_fao_56() {
    let sandy_loam = "profile: {field_capacity#L.m-3: 175, wilting_point#L.m-3: 110, saturation#L.m-3: 400, readily_evaporable#mm: 8}";
    let et0 = 5.0 / 1.1;
    let mut world = soil(sandy_loam, &format!("{{et0: {et0}}}"), "");
    for expected in [5.0, 5.0, 4.0, 2.0, 1.0, 0.5] {
        world.wait();
        assert_close(world.value(EVAPORATION), expected, "evaporation");
    }
    assert_close(world.value("Soil-0.wet_surface#m2"), 0.05, "the share that still evaporates");
    // Two millimetres of rain evaporate from the surface that they wet; 4 mm are more than the day can.
    let mut world =
        soil(sandy_loam, &format!("{{et0: {et0}}}, {{et0: {et0}}}, {{et0: {et0}, rain: 20}}, {{et0: {et0}}}"), "");
    world.wait_days(2);
    assert_close(total(&mut world, 2, EVAPORATION), 10.0, "wet again");
}

#[test]
fn a_wetting_evaporates_no_more_than_it_can_and_clay_more_than_sand() {
    let of = |name: &str| total(&mut soil(&format!("base: {name}"), "{et0: 6}", ""), 200, EVAPORATION);
    let (clay, loam, sand) = (of("clay"), of("loam"), of("sand"));
    // FAO-56 Eq. 73 with 0.15 m: 1000·(θ_FC − θ_WP/2)·0.15.
    for (found, evaporable) in [(clay, 51.75), (loam, 35.25), (sand, 15.0)] {
        assert!((0.95 * evaporable..=evaporable).contains(&found), "{found} of {evaporable} mm");
    }
}

#[test]
fn shade_spares_water_by_the_cover_that_counts() {
    // The cover of 0.5 counts as 1.72·0.5 − 0.25 + 0.3·0.125.
    for (shade, expected) in [(0.0, 5.5), (0.5, 5.5 * (1.0 - 0.6475)), (3.0, 0.0)] {
        let mut world = scenario("base: loam", "{et0: 5}", &[&format!("ForcedDemand: {{shade: {shade}}}")], "").build();
        world.wait();
        assert_close(world.value(EVAPORATION), expected, "evaporation");
    }
}

#[test]
fn the_deepest_roots_count_and_without_any_all_soil_is_in_reach() {
    let reached = |others: &[&str]| {
        let mut world = scenario("base: loam", "{}", others, "").build();
        world.wait();
        world.value("Soil-0.rooted_Water#L")
    };
    let deep = reached(&["ForcedRoots: {depth: 1.5}"]);
    assert_eq!([reached(&[]), reached(&["ForcedRoots: {depth: 0.2}", "ForcedRoots: {depth: 1.5}"])], [deep, deep]);
    let shallow = reached(&["ForcedRoots: {depth: 0.2}"]);
    assert!(shallow < 0.2 * 160.0 && shallow < deep, "{shallow} {deep}");
}

#[test]
fn drinking_dries_the_surface_too() {
    let mut world =
        scenario("base: loam", "{}", &["ForcedDemand: {water: 20}", "ForcedRoots: {depth: 0.3}"], "").build();
    world.wait();
    let from_surface = 46.5 - world.value("Soil-0.water_layer_1#L");
    assert!(from_surface > 4.0, "{from_surface} of 20 mm");
    assert_close(world.value("Soil-0.evaporated#mm"), from_surface, "the uppermost 15 cm");
}

#[test]
fn leaching_of_nitrogen_grows_with_drainage_and_spares_phosphorus() {
    let minerals = "available_N#g: 10, available_P#g: 10, available_K#g: 10";
    let lost = |rain: f64| {
        // Frozen: humus sets nothing free.
        let mut world = soil("base: loam", &format!("{{rain: {rain}, t: -5}}"), minerals);
        world.wait_days(5);
        let left = |x: &str| world.value(&format!("Soil-0.available_{x}#g"));
        [10.0 - left("N"), 10.0 - left("P"), 10.0 - left("K")]
    };
    let [none, little, much] = [0.0, 10.0, 40.0].map(lost);
    assert!(none[0].abs() < 1e-2 && none[2].abs() < 1e-2, "nothing drains at field capacity: {none:?}");
    // Nitrate comes down layer by layer.
    assert!(little[0] > 0.1 && much[0] > 2.0 * little[0] && much[0] < 10.0, "{little:?} {much:?}");
    for [n, p, k] in [little, much] {
        assert!(p < 0.02 * n && k < 0.2 * n, "{n} {p} {k}");
    }
    let deep = format!("{minerals}, nitrate_layer_5#g: 4");
    let of = |mobility: f64| {
        let soil_text = format!("base: loam, profile: {{leaching_N: {mobility}}}");
        total(&mut soil(&soil_text, "{rain: 20, t: -5}", &deep), 5, "Soil-0.leached_N#g.day-1")
    };
    assert!(of(0.0) == 0.0 && of(0.5) > 0.0 && of(1.0) > 1.5 * of(0.5), "{} {} {}", of(0.0), of(0.5), of(1.0));
    // 690 L in full pores, of which the share of loam drains of what is above the 465 L.
    let mut world = soil("base: loam", "{t: -5}", &format!("available_Water#L: 690, {minerals}"));
    world.wait();
    let drained = world.value(DRAINAGE);
    assert!(drained > 100.0, "{drained}");
    assert_close(world.value("Soil-0.leached_K#g.day-1"), 10.0001 * (1.0 - exp(-0.05 * drained / 690.0)), "K");
    assert_eq!(world.value("Soil-0.leached_C#g.day-1"), 0.0);
}

/// Usual of temperate arable soils are 60 to 130 kg (Comifer). In a warm climate bare soil with little clay releases more.
#[test]
fn humus_sets_as_much_nitrogen_free_in_a_year_in_montpellier_as_is_usual() {
    let of = |name: &str| {
        let mut world = Scenario::new()
            .with("Weather: montpellier")
            .with(format!("Soil: {{base: {name}, equations: agronomic}}"))
            .initially("{Weather-0: {day#int365: 0}}")
            .build();
        10.0 * total(&mut world, 365, "Soil-0.mineralised_N#g.day-1")
    };
    let all = ["clay", "silt", "loam", "sand"].map(of);
    assert!(all.iter().all(|year| (25.0..170.0).contains(year)), "{all:?} kg/ha");
    assert!(all[0] < 0.5 * all[2], "clay protects its humus: {all:?}");
}

#[test]
fn humus_rests_in_frost_and_decays_faster_in_warmth_and_without_clay() {
    let of = |celsius: f64, clay: f64| {
        let soil_text = format!("base: loam, profile: {{clay#%: {clay}}}");
        let mut world = soil(&soil_text, &format!("{{t: {celsius}}}"), "");
        world.wait();
        world.value("Soil-0.mineralised_N#g.day-1")
    };
    assert_eq!(of(-3.0, 20.0), 0.0);
    // 35 % of 4,500 g of carbon, of which four fifths of 16.5 % decay in a year of 15 °C; eleven grams of it set one of nitrogen free.
    assert_close(of(15.0, 0.0), 0.35 * 4500.0 * 0.8 * 0.165 / 365.0 / 11.0, "15 °C");
    assert_close(of(15.0, 20.0), exp(-0.0272 * 20.0) * of(15.0, 0.0), "clay");
    let warmer = of(25.0, 0.0) / of(15.0, 0.0);
    assert!((2.0..2.1).contains(&warmer), "{warmer}");
}

#[test]
fn straw_binds_nitrogen_before_it_feeds() {
    // 100 g of each a day: 20 g of the carbon become humus, which binds 20/11 g of nitrogen; the rest is breathed out.
    let mut world = scenario("base: loam", "{t: -5}", &["ForcedDemand: {release: 100}"], "").build();
    world.wait();
    assert_close(world.value("Soil-0.bound_N#g.day-1"), 20.0 / 11.0, "bound");
    assert_close(world.value("Soil-0.respired_C#g.day-1"), 80.0, "breathed out");
    assert_close(world.value("Soil-0.available_C#g"), 4520.0, "humus");
    assert_close(world.value("Soil-0.available_N#g"), 6.0001 + 100.0 - 20.0 / 11.0, "mineral");
}

#[test]
fn microlife_suffers_without_air_and_from_cides_per_square_metre() {
    // The pores of the topsoil are kept full by rain: after three days nothing is left to breathe, and it falls by exp(−0.5).
    let mut world = soil("base: clay", "{rain: 100}", "microlife_health_index#%: 80");
    world.wait_days(10);
    assert!(world.value("Soil-0.wet_days#day") == 10.0 && world.value(MICROLIFE) < 80.0, "{}", world.value(MICROLIFE));
    let mut world = soil("base: loam", "{}", "microlife_health_index#%: 20");
    world.wait_days(10);
    assert_eq!((world.value(MICROLIFE), world.value("Soil-0.wet_days#day")), (100.0, 0.0));
    let of = |scale: f64, grams: f64| {
        let soil =
            scenario("base: loam", "{}", &[], &format!("amount_cide.soil#g: {grams}, microlife_health_index#%: 50"));
        let mut world = soil.scale(scale).build();
        world.wait();
        world.value(MICROLIFE)
    };
    assert_close(of(1.0, 30.0), of(2.0, 120.0), "30 g per m²");
    assert!(of(1.0, 30.0) < of(1.0, 10.0));
}

#[test]
fn floods_and_years_without_rain_leave_everything_in_its_range() {
    for name in ["clay", "silt", "loam", "sand"] {
        let others = ["ForcedDemand: {water: 8, nutrients: 1, shade: 0.3}"];
        let mut world = scenario(&format!("base: {name}"), "{et0: 9, t: 38}", &others, "").build();
        for day in 0..365 {
            if day >= 330 {
                world.water(200.0, 60.0);
            } else {
                world.wait();
            }
            in_range(&world);
            let volume = if day < 330 { 1e-9 } else { 201.0 };
            assert!(world.value(SURPLUS) <= volume && world.value(EVAPORATION) <= 9.9, "{name} day {day}");
            for x in NUTRIENTS {
                assert!(world.value(&format!("Soil-0.available_{x}#g")) >= 0.0, "{x} {name} day {day}");
            }
        }
    }
}

#[test]
fn layers_that_contradict_each_other_are_reported_with_their_place() {
    let text =
        |profile: &str| scenario(&format!("profile: {{{profile}}}"), "{}", &[], "").game().err().unwrap_or_default();
    for (profile, message, path, value, expected) in [
        (
            "saturation#L.m-3: 300",
            "the saturation is below the field capacity",
            "saturation#L.m-3",
            "300",
            "at least 310",
        ),
        (
            "wilting_point#L.m-3: 320",
            "the wilting point is above the field capacity",
            "wilting_point#L.m-3",
            "320",
            "at most 310",
        ),
        ("topsoil#m: 2", "the topsoil is deeper than the soil", "topsoil#m", "2", "at most 1.5"),
    ] {
        let found = text(profile);
        for part in ["bounds-reversed", message, &format!("profile.{path}"), value, expected] {
            assert!(found.contains(part), "`{part}` is not in {found}");
        }
    }
    let all = text("saturation#L.m-3: 300, wilting_point#L.m-3: 320, topsoil#m: 2");
    assert_eq!(all.matches("bounds-reversed").count(), 3, "{all}");
}

/// Every entity of the full farm in the equations `agronomic`, whoever of them has laws of its own already.
#[test]
fn the_full_farm_plays_on_a_profile_and_its_balances_close() {
    let set = [("fields.Field-0.entity_defaults".to_owned(), "{equations: agronomic}".to_owned())].into();
    let game = open("full_farm-v0", &Options { preset: Some("4x3".to_owned()), set, ..Options::default() });
    let mut world = World::of(game.unwrap_or_else(|problems| panic!("{problems}")));
    let mut seen = BTreeMap::new();
    let calls = world.env.game().catalogue().calls().to_vec();
    for seed in 0..2 {
        world.env.reset(seed);
        let (mut books, mut stream) = (Books::open(&world), Stream::from_seed(seed));
        for day in 0..200 {
            let call = calls[stream.index(calls.len() as u32) as usize];
            if world.env.step(&[call][..]).unwrap().over() {
                break;
            }
            books.close(&world, &mut seen, &format!("seed {seed} day {day}"));
            in_range(&world);
        }
    }
    assert!(seen["water uptake by plants"] > 0.0 && seen["N mineralisation of humus"] > 0.0, "{seen:?}");
}

#[test]
fn other_equations_have_no_layers() {
    let world = Scenario::new().with("ForcedWeather: {}").with("Soil: loam").build();
    let soil = world.env.game().parts().iter().find(|part| part.name() == "Soil-0").unwrap();
    assert!(soil.variables().iter().all(|variable| !variable.name().starts_with("topsoil")));
    assert!(soil.mass_balances().iter().all(|balance| balance.name() != "N with humus"));
    assert!(!soil.needs().iter().any(|(role, _)| *role == "air_temperature_mean" || *role == "root_depth"));
}
