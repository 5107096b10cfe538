//! Markets and barns: prices, sales, and what a store does to produce; grain that dries on the field.

use farm_core::config::{Origin, Source, Trust};
use farm_core::spec::load_document;
use farm_core::{Behaviour, Column, Columns, Context, EventId, Game, Phase};
use farm_entities::agronomy::plant::STAGES;
use farm_roles::{DAY_OF_YEAR, GRAIN_MOISTURE, HARVEST_WEIGHT, PLANT_STAGE};

use crate::world::{Scenario, World, assert_close, assert_mean};

/// A crop that is harvested on two days, with a moisture, always on day 210 of the year.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedHarvest {
    /// The day, counted from 0.
    #[parameter(default = 1, range = 0..=10_000)]
    pub day: u32,
    /// Days until the second harvest.
    #[parameter(default = 10_000, range = 1..=10_000)]
    pub again: u32,
    /// Weight of each harvest.
    #[parameter(unit = "kg", default = 1000.0, range = 0.0..=1e6)]
    pub weight: f64,
    /// Moisture.
    #[parameter(unit = "prop", default = 0.14, range = 0.0..=1.0)]
    pub moisture: f64,
}

#[derive(Columns)]
struct Sheaves {
    p: ForcedHarvest,
    /// Harvest so far.
    #[real(unit = "kg", range = 0.0..=1e9, role = HARVEST_WEIGHT)]
    weight: Column<f64>,
    /// Water.
    #[real(name = "water#prop", range = 0.0..=1.0, per_plot, default = p.moisture, role = GRAIN_MOISTURE)]
    _moisture: Column<f64>,
    /// Day of the year.
    #[count(name = "today#int365", range = 0..=364, default = 210.0, role = DAY_OF_YEAR)]
    _today: Column<i32>,
    /// Harvest.
    #[event(name = "harvest", per_step = 1)]
    harvested: EventId,
}

#[farm_core::register(entity = ForcedHarvest, source = "Test", runs_in = Phase::Exogenous)]
impl Behaviour for Sheaves {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        if [self.p.day, self.p.day + self.p.again].contains(&c.step()) {
            let weight = &c.get(self.weight)[0];
            weight.set(weight.get() + self.p.weight);
            c.emit(self.harvested, 0, self.p.weight);
        }
    }
}

/// Plants of one stage.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedEars {
    /// Whether they are ripe.
    pub is_ripe: bool,
}

#[derive(Columns)]
struct Ears {
    p: ForcedEars,
    /// Stage.
    #[category(names = &STAGES, per_plot, role = PLANT_STAGE)]
    stage: Column<u8>,
}

#[farm_core::register(entity = ForcedEars, source = "Test")]
impl Behaviour for Ears {
    fn reset(&self, c: &mut Context<'_>) {
        c.get(self.stage)[0].set(if self.p.is_ripe { 5 } else { 4 });
    }
}

/// A game with these entities, in flow YAML, which ends after some days.
fn game(entities: &[&str], days: u32, score: &str) -> Result<Game, String> {
    let entities: String = entities.iter().map(|entity| format!("      - {entity}\n")).collect();
    let text = format!(
        "name: scenario\nfields:\n  Field-0:\n    shape: {{length#nb: 1, width#nb: 1, scale#m: 10}}\n    \
         localization: {{latitude#°: 50}}\n    entities:\n      - ForcedWeather: {{days: [{{}}]}}\n{entities}farmers:\n  \
         - BasicFarmer: {{max_daily_interventions: 9}}\nrules:\n  BasicRule:\n    max_action_schedule_size: 9\n    max_steps: {days}\n    \
         actions: {{Field-0: {{CropMarket-0: {{sell: {{share#prop: '(0.01, 1)'}}, dry: }}}}}}\nscore: {score}\n"
    );
    let source = Source::new("scenario.yaml", &text).with_trust(Trust::new(Origin::User));
    let game = source.document().and_then(|document| load_document(&document)).and_then(Game::new);
    game.map_err(|problems| format!("{problems}\n{text}"))
}

fn farm(harvest: &str, market: &str, days: u32) -> World {
    let entities = [format!("ForcedHarvest: {{{harvest}}}"), format!("CropMarket: {{base: grain{market}}}")];
    World::of(
        game(&entities.each_ref().map(String::as_str), days, "ProfitScore")
            .unwrap_or_else(|problems| panic!("{problems}")),
    )
}

const BARN: &str = ", barn: {capacity#kg: 5000}";

#[test]
fn without_a_barn_the_harvest_is_sold_at_the_price_that_was_seen() {
    let mut world = farm("", "", 30);
    for seed in 0..20 {
        world.env.reset(seed);
        assert_eq!(world.wait().reward, 0.0);
        let price = world.value("CropMarket-0.price#kg-1");
        assert_close(world.wait().reward, 1000.0 * price, "sales");
        assert_eq!(world.wait().reward, 0.0);
        assert_eq!(world.value("CropMarket-0.stored#kg"), 0.0);
    }
}

#[test]
fn a_barn_keeps_what_fits_and_every_kilogram_is_sold_once() {
    let mut world = farm("weight#kg: 6000", BARN, 60);
    world.env.reset(4);
    world.wait();
    let price = world.value("CropMarket-0.price#kg-1");
    let kept = 5000.0;
    let cost = 0.001 / 30.4375;
    assert_close(world.wait().reward, 1000.0 * price - kept * cost, "what does not fit is sold");
    let daily = farm_core::math::powf(1.0 - 0.002, 1.0 / 30.4375);
    let stored = kept * daily;
    assert_close(world.value("CropMarket-0.stored#kg"), stored, "a day's loss");
    let price = world.value("CropMarket-0.price#kg-1");
    let reward = world.act(&["CropMarket-0 sell {\"share#prop\": 0.25}"]).reward;
    assert_close(reward, 0.25 * stored * price - 0.75 * stored * cost, "a sale");
    let mut last = 0.0;
    let mut outcome = world.wait();
    while !outcome.over() {
        last = world.value("CropMarket-0.stock_worth");
        assert_close(
            last,
            0.9 * world.value("CropMarket-0.stored#kg") * world.value("CropMarket-0.price#kg-1"),
            "worth",
        );
        outcome = world.wait();
    }
    assert!(last > 0.0);
    let rest = world.value("CropMarket-0.stock_worth");
    assert!((outcome.reward - rest).abs() < 0.01 * rest, "the rest is sold at the end: {} {rest}", outcome.reward);
    assert_close(world.value("ProfitScore-0.sales"), world.value("CropMarket-0.income") + rest, "books");
    assert_close(world.value("ProfitScore-0.expenses"), world.value("CropMarket-0.barn_costs"), "costs");
}

#[test]
fn moist_grain_brings_less_spoils_faster_and_can_be_dried() {
    let mut world = farm("moisture#prop: 0.2", BARN, 60);
    world.env.reset(1);
    world.wait_days(2);
    assert_close(world.value("CropMarket-0.stored_moisture#prop"), 0.2, "moisture");
    // 240 days at 15 °C are 364 at 12 °C, and an eighth of that with 6 points of excess water.
    let spoilage = world.value("CropMarket-0.spoilage#prop");
    assert!((1.0 / spoilage - 45.5).abs() < 0.2, "{}", 1.0 / spoilage);
    let mut wet = world.clone();
    let (price, stored) = (wet.value("CropMarket-0.price#kg-1"), wet.value("CropMarket-0.stored#kg"));
    assert_close(wet.act(&["CropMarket-0 sell {\"share#prop\": 1}"]).reward, stored * price * 0.88, "12 % less");
    let cost = -world.act(&["CropMarket-0 dry"]).reward;
    assert!((cost - (0.002 * 6.0 + 0.001 / 30.4375) * stored).abs() < 1e-6, "{cost}");
    assert_close(world.value("CropMarket-0.stored_moisture#prop"), 0.14, "dry");
    let mut rotten = wet;
    rotten.env.reset(1);
    rotten.wait_days(55);
    assert_eq!(rotten.value("CropMarket-0.spoilage#prop"), 1.0);
    let whole = rotten.value("CropMarket-0.price#kg-1") * rotten.value("CropMarket-0.stored#kg");
    assert_close(rotten.act(&["CropMarket-0 sell {\"share#prop\": 1}"]).reward, whole * 0.88 * 0.4, "spoiled");
}

#[test]
fn old_and_new_produce_are_mixed_by_weight() {
    let mut world = farm("moisture#prop: 0.2, again: 5", BARN, 60);
    world.env.reset(0);
    world.wait_days(2);
    world.act(&["CropMarket-0 dry"]);
    world.wait_days(3);
    let old = world.value("CropMarket-0.stored#kg");
    world.wait();
    let share = old / (old + 1000.0);
    assert_close(world.value("CropMarket-0.stored_moisture#prop"), share * 0.14 + (1.0 - share) * 0.2, "moisture");
    assert_close(world.value("CropMarket-0.stored_for#day"), share * 5.0 + 1.0, "age");
}

#[test]
fn prices_do_not_depend_on_actions_and_start_anywhere_around_the_usual_price() {
    let mut world = farm("", BARN, 400);
    let mut prices = Vec::new();
    for seed in 0..400 {
        world.env.reset(seed);
        prices.push(world.value("CropMarket-0.price#kg-1") / 0.2);
    }
    let usual = prices.iter().sum::<f64>() / 400.0;
    assert_mean(&prices, usual, 0.0, "price");
    let spread = (prices.iter().map(|price| (price / usual - 1.0).powi(2)).sum::<f64>() / 400.0).sqrt();
    assert!((0.16..0.23).contains(&spread), "{spread}");
    let mut other = world.clone();
    world.env.reset(7);
    other.env.reset(7);
    other.wait_days(2);
    other.act(&["CropMarket-0 sell {\"share#prop\": 1}"]);
    other.wait_days(50);
    world.wait_days(53);
    assert_eq!(world.value("CropMarket-0.price#kg-1"), other.value("CropMarket-0.price#kg-1"));
}

#[test]
fn a_crop_that_is_not_there_or_already_bought_is_reported() {
    let refused = |market: &[&str]| {
        let entities: Vec<&str> = ["ForcedHarvest"].iter().chain(market).copied().collect();
        game(&entities, 9, "ProfitScore").err().unwrap_or_default()
    };
    let text = refused(&["CropMarket: {base: grain, crops: [Plant-1]}"]);
    assert!(text.contains("`Plant-1` is not a plant in this field") && text.contains("ForcedHarvest-0"), "{text}");
    let text = refused(&["CropMarket: grain", "CropMarket: {base: potato_market, crops: [ForcedHarvest-0]}"]);
    assert!(text.contains("another market already buys the harvest of `ForcedHarvest-0`"), "{text}");
    assert_eq!(refused(&["CropMarket: {base: grain, crops: [ForcedHarvest-0]}"]), "");
}

#[test]
fn a_day_at_the_market_allocates_nothing() {
    let mut world = farm("moisture#prop: 0.2", BARN, 400);
    world.env.reset(3);
    world.wait_days(3);
    let info = allocation_counter::measure(|| {
        for _ in 0..60 {
            world.env.step(&[]).unwrap();
        }
    });
    assert_eq!(info.count_total, 0);
}

/// Ripe grain dries in dry air, and rain wets it; grain that is not ripe keeps its moisture.
#[test]
fn ripe_grain_dries_on_the_field() {
    let field = |weather: &str, ears: &str| {
        let mut world = Scenario::new()
            .with(format!("ForcedWeather: {{days: [{weather}]}}"))
            .with(format!("ForcedEars: {ears}"))
            .with("GrainMoisture: wheat_grain")
            .build();
        world.wait_days(9);
        world.value("GrainMoisture-0.moisture#prop")
    };
    let dry = "{t: 24, rh: 50}";
    assert!(field(dry, "{is_ripe: true}") < 0.15);
    assert_eq!(field(dry, "{is_ripe: false}"), 0.3);
    let wet = field("{t: 20, rh: 80, rain: 5}", "{is_ripe: true}");
    assert!((0.2..0.3).contains(&wet), "{wet}");
}

#[test]
fn a_profit_settled_at_the_end_counts_the_stock() {
    let entities = ["ForcedHarvest", "CropMarket: {base: grain, barn: {capacity#kg: 600}}"];
    let total = |score: &str| {
        let mut world = World::of(game(&entities, 40, score).unwrap_or_else(|problems| panic!("{problems}")));
        world.env.reset(2);
        (0..40).map(|_| world.wait().reward).sum::<f64>()
    };
    let daily = total("ProfitScore");
    assert!(daily > 100.0);
    assert!((daily - total("{ProfitScore: {settlement: final}}")).abs() < 1e-9, "{daily}");
}
