//! What parts that nobody of ours knows bring to soil and plants: water, hindrances of growth, cides against targets of their own.

use farm_core::declare::BalanceTracker;
use farm_core::math::exp;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Phase};
use farm_entities::agronomy::plant::flow;

use crate::forced::{Still, constant};
use crate::world::{Scenario, World, assert_close, plant, sheet_soil};

farm_core::roles! {
    /// Cide in the plot that harms mildew.
    CIDE_ON_MILDEW: f64 = per_plot "cide_on_mildew" in "g", [0.0, f64::INFINITY];
}

/// A canal.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedInflow {
    /// Water in L.
    #[parameter(range = 0.0..=1e6)]
    pub water: f64,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedInflow {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        constant(d, farm_roles::WATER_INFLOW, self.water);
        Bind::new(|_| Still)
    }
}

/// A disease.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedHindrance {
    /// The share.
    #[parameter(range = 0.0..=1.0)]
    pub share: f64,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedHindrance {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        constant(d, farm_roles::GROWTH_HINDRANCE, self.share);
        Bind::new(|_| Still)
    }
}

/// Mildew that feels a fungicide.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedMildew {}

/// A kind with parameter sets of which one does not fit.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedMistake {
    /// The share.
    #[parameter(range = 0.0..=1.0)]
    pub share: f64,
}

#[farm_core::register(
    source = "Test",
    sets = "good: {doc: A set., source: Test, parameters: {share: 0.5}}\n\
     wrong: {doc: A set., source: Test, parameters: {shear: 0.5}}\n"
)]
impl Entity for ForcedMistake {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::new(|_| Still)
    }
}

/// Named in a review from outside: it was told at the first line of the game, without the name of the set.
#[test]
fn a_parameter_set_that_does_not_fit_its_kind_is_told_where_it_is_asked_for() {
    let told = |set: &str| {
        let text = format!(
            "name: x\nfields:\n  Field-0:\n    entities:\n      - ForcedMistake: {set}\nfarmers: [BasicFarmer]\nrules: BasicRule\n\
             score: BasicScore\n"
        );
        farm_core::spec::load("game.yaml", &text).map(drop).map_err(|problems| problems.to_string())
    };
    assert_eq!(told("good"), Ok(()));
    for set in ["wrong", "{base: wrong}"] {
        let said = told(set).expect_err(set);
        for words in [
            "the parameter set `wrong` of `ForcedMistake`",
            "unknown parameter `shear`",
            "game.yaml:5:",
            "did you mean `share`?",
        ] {
            assert!(said.contains(words), "`{words}` is missing in:\n{said}");
        }
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
}

#[derive(Columns)]
struct Mildew {
    /// Fungicide that it feels.
    #[real(unit = "g", range = 0.0..=1e9, per_plot)]
    felt: Column<f64>,
    #[maybe(CIDE_ON_MILDEW)]
    fungicide: Option<Column<f64>>,
}

#[farm_core::register(entity = ForcedMildew, source = "Test", runs_in = Phase::Develop)]
impl Behaviour for Mildew {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        for (plot, felt) in c.get(self.felt).iter().enumerate() {
            felt.set(self.fungicide.map_or(0.0, |grams| c.get(grams)[plot].get()));
        }
    }
}

const WATER: &str = "Soil-0.available_Water#L";
const SURPLUS: &str = "Soil-0.surplus_Water#L.day-1";

fn canals(days: &str, canals: &[f64]) -> World {
    let scenario = Scenario::new().with(format!("ForcedWeather: {{days: [{days}]}}")).with(sheet_soil("clay"));
    let with = |scenario: Scenario, water: &f64| scenario.with(format!("ForcedInflow: {{water: {water}}}"));
    canals.iter().fold(scenario, with).initially("{Soil-0: {available_Water#L: 150}}").build()
}

/// The same days as those of rain: what comes in by a canal fills the soil, and the rest runs off.
#[test]
fn water_of_others_fills_the_soil_up_to_its_capacity_and_the_rest_is_surplus() {
    for canals_of in [vec![20.0], vec![15.0, 5.0]] {
        let mut world = canals("{}", &canals_of);
        for (water, surplus) in [(170.0, 0.0), (180.0, 10.0), (180.0, 20.0)] {
            world.wait();
            assert_close(world.value(WATER), water, "water");
            assert_close(world.value(SURPLUS), surplus, "surplus");
            assert_close(world.value("Soil-0.inflow_Water#L.day-1"), 20.0, "inflow");
        }
    }
    let dry = canals("{}", &[]);
    let soil = dry.env.game().parts().iter().find(|part| part.name() == "Soil-0").unwrap();
    assert!(soil.variables().iter().all(|variable| variable.name() != "inflow_Water#L.day-1"), "nobody brings water");
}

#[test]
fn water_of_others_wets_all_of_the_plot_as_a_watering_of_a_whole_day_does() {
    let mut flooded = canals("{et0: 6}", &[10.0]);
    flooded.wait();
    let mut watered = canals("{et0: 6}", &[]);
    watered.water(10.0, 1440.0);
    assert_close(flooded.value("Soil-0.evaporation#L.day-1"), 6.0, "all of the surface evaporates");
    for name in [WATER, "Soil-0.evaporation#L.day-1", "Soil-0.wet_surface#m2", SURPLUS] {
        assert_close(flooded.value(name), watered.value(name), name);
    }
    let mut dry = canals("{et0: 6}", &[0.0]);
    dry.wait();
    assert_eq!(dry.value("Soil-0.evaporation#L.day-1"), 0.0, "an empty canal wets nothing");
}

#[test]
fn the_book_of_water_closes_with_water_of_others() {
    let mut world = canals("{rain: 4, et0: 3}, {et0: 5}", &[7.0]);
    let game = world.env.game().clone();
    let ledger =
        &game.parts().iter().flat_map(|part| part.mass_balances()).find(|ledger| ledger.name() == "water").unwrap();
    let mut account = BalanceTracker::open(ledger, &game.reader(world.env.state()));
    let mut came = 0.0;
    for _ in 0..30 {
        let before = account.stock();
        world.wait();
        account.note(ledger, &game.reader(world.env.state()));
        let signed = ledger.flows().iter().zip(account.flows()).map(|(f, x)| if f.is_inflow() { *x } else { -x });
        assert_close(account.stock(), before + signed.sum::<f64>(), "stock");
        let inflow = ledger.flows().iter().position(|flow| flow.name() == "inflow from other parts").unwrap();
        came += account.flows()[inflow];
    }
    assert_close(came, 210.0, "7 L on each of 30 days");
}

const GROWTH: &str = "size_max#cm: 100, grow: {rate: {rate_sigma: 0, rate_min: 0}}";

/// The size after a day of a plant of 25 cm, and what is said to have limited it.
fn grown(weather: &str, hindrances: &[f64]) -> (f64, String) {
    let with = |scenario: Scenario, share: &f64| scenario.with(format!("ForcedHindrance: {{share: {share}}}"));
    let scenario = hindrances.iter().fold(plant(GROWTH, weather, ""), with);
    let mut world = scenario.initially("{Plant-0: {stage: grow, size#cm: 25}}").build();
    world.wait();
    let limits = world.variable("Plant-0.limited_by").kind();
    let limited_by = limits.labels(0).unwrap().name(world.value("Plant-0.limited_by") as usize);
    let events = world.env.record().events();
    let game = world.env.game();
    let told = events.iter().find(|event| game.events()[event.id.index()].1.name() == "growth_limited");
    let told = told.map_or("nothing", |event| &game.events()[event.id.index()].1.labels()[event.value as usize]);
    assert_eq!(told, limited_by, "the event says the same");
    (world.value("Plant-0.size#cm"), limited_by)
}

#[test]
fn hindrances_take_their_share_of_growth_and_are_its_cause_by_name() {
    let size = |rate: f64| flow(25.0, rate, 1.0, 100.0);
    for (weather, hindrances, rate, cause) in [
        ("{}", vec![], 1.0, "nothing"),
        ("{}", vec![0.0], 1.0, "nothing"),
        ("{}", vec![0.25], 0.75, "ForcedHindrance-0"),
        ("{}", vec![1.0], 0.0, "ForcedHindrance-0"),
        ("{}", vec![0.2, 0.5], 0.4, "ForcedHindrance-1"),
        // Ten degrees too cold leave exp(-1), which is less than what a fifth less leaves, and more than a tenth.
        ("{t: 2}", vec![0.2], 0.8 * exp(-1.0), "temperature"),
        ("{t: 2}", vec![0.9], 0.1 * exp(-1.0), "ForcedHindrance-0"),
    ] {
        let (found, limited_by) = grown(weather, &hindrances);
        assert_close(found, size(rate), &format!("{weather} {hindrances:?}"));
        assert_eq!(limited_by, cause, "{weather} {hindrances:?}");
    }
}

fn fungicide(cide: &str) -> Scenario {
    Scenario::new()
        .with("ForcedWeather: {days: [{}]}")
        .with(sheet_soil("clay"))
        .with("ForcedMildew")
        .with(format!("Cide: {{pests#prop: 0.5, {cide}}}"))
        .initially("{Cide-0: {amount#kg: 1}}")
}

#[test]
fn a_cide_against_a_target_of_others_lies_in_the_soil_like_any_other() {
    let follow = |parameters: &str| {
        let mut world = fungicide(parameters).build();
        for _ in 0..5 {
            world.wait();
            let pests = world.value("Soil-0.amount_cide.pests#g");
            assert!(pests > 0.0);
            // Half of a gram counts for pests and a quarter for mildew; both decay alike.
            assert_close(world.value("Soil-0.amount_cide.mildew#g"), 0.5 * pests, "mildew");
            assert_close(world.value("ForcedMildew-0.felt#g"), 0.5 * pests, "felt");
        }
        world.value("Soil-0.amount_cide.mildew#g")
    };
    let as_the_soil_says = follow("targets#prop: {mildew: 0.25}");
    assert!(follow("targets#prop: {mildew: 0.25}, half_life#day: 1") < 0.5 * as_the_soil_says, "gone sooner by itself");
    let without = fungicide("weeds#prop: 0").build();
    let soil = without.env.game().parts().iter().find(|part| part.name() == "Soil-0").unwrap();
    assert!(soil.variables().iter().all(|variable| !variable.name().contains("mildew")), "no cide names mildew");
}

#[test]
fn targets_that_are_none_are_told_with_their_place() {
    let refused = |targets: &str| {
        let scenario = fungicide(&format!("targets#prop: {targets}"));
        let panic = std::panic::catch_unwind(|| drop(scenario.build())).unwrap_err();
        panic.downcast_ref::<String>().unwrap().clone()
    };
    let told = refused("{pests: 1}");
    assert!(told.contains("`pests` has its own parameter") && told.contains("Cide.targets#prop.pests"), "{told}");
    assert!(refused("{mildew#prop: 1}").contains("`mildew#prop` is not a valid target name"));
    assert!(refused("{weight: 1}").contains("`weight` is not a valid target name"));
    assert!(refused("{mildew: 2}").contains("targets#prop.mildew"), "beyond the range");
    let world = fungicide("targets#prop: {mildwe: 1}").build();
    let warnings = world.env.game().warnings().to_string();
    assert!(warnings.contains("no part of this game reads the role `cide_on_mildwe`"), "{warnings}");
    assert!(warnings.contains("did you mean `mildew`?"), "{warnings}");
}
