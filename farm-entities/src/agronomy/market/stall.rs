//! A day at the market: what comes in, what is sold, what the store does to the rest, and tomorrow's price.

use farm_core::action::CallArguments;
use farm_core::config::{Path, Problem};
use farm_core::declare::{All, PartInfo};
use farm_core::math::{powf, sum};
use farm_core::prelude::*;
use farm_roles::{
    DAY_OF_YEAR, GRAIN_MOISTURE, HARVEST_WEIGHT, MARKET_COSTS, MARKET_HARVEST, MARKET_SALES, MARKET_STOCK,
};

use super::CropMarket;
use crate::agronomy::AgronomyError;
use crate::agronomy::laws::grain::keeping_days;
use crate::agronomy::laws::market::{MONTH, Reversion, seasonal};

const PRICE: Purpose = Purpose::named("price");
const FIRST_PRICE: Purpose = Purpose::named("first price");
/// Most money, weight and price that the variables can hold.
const MANY: f64 = 1e12;

#[derive(Columns)]
struct Stall {
    p: CropMarket,
    #[stream]
    key: u64,
    #[with(percents(&p).into_iter().for_each(|(name, percent)| d.text_variable(name, percent)))]
    _texts: (),
    #[with(Reversion::monthly(p.memory, p.shock))]
    process: Reversion,
    /// Price of a kilogram at the market.
    #[real(unit = "kg-1", range = 0.0..=MANY, default = p.price)]
    price: Column<f64>,
    /// Deviation of the price's logarithm from the usual value of the season.
    #[real(range = -100.0..=100.0, hidden)]
    deviation: Column<f64>,
    /// Weight of the produce in the barn, at standard moisture.
    // Without a barn, the range is not empty, because learners need a range.
    #[real(unit = "kg", range = 0.0..=p.barn.capacity.max(1.0))]
    stored: Column<f64>,
    /// Share of water in the stored produce.
    #[real(name = "stored_moisture#prop", range = 0.0..=1.0, default = p.standard)]
    moisture: Column<f64>,
    /// Mean time that the produce has been in the barn.
    #[real(name = "stored_for#day", range = 0.0..=MANY)]
    age: Column<f64>,
    /// Share of its keeping time that the stored produce has used. At 1, it has spoiled and sells for little.
    #[real(name = "spoilage#prop", range = 0.0..=1.0)]
    spoilage: Column<f64>,
    /// Harvest of this episode that came to the market.
    #[real(each = &names(&p.crops), name = each, range = 0.0..=MANY, hidden, role = MARKET_HARVEST)]
    bought: Vec<Column<f64>>,
    /// Money from sales in this episode.
    #[real(name = "income", range = 0.0..=MANY, role = MARKET_SALES)]
    sales: Column<f64>,
    /// Cost of drying and storing in this episode.
    #[real(name = "barn_costs", range = 0.0..=MANY, role = MARKET_COSTS)]
    costs: Column<f64>,
    /// Money that the produce in the barn would bring if the episode ended now.
    #[real(name = "stock_worth", range = 0.0..=MANY, hidden, role = MARKET_STOCK)]
    worth: Column<f64>,
    /// Sells a share of the produce in the barn at the price of the day. Has no effect if the barn is empty.
    #[action(parameters = [share()], done = "sold produce", badge = include_str!("../sprites/badges/coin.svg"), without_effect = "the barn is empty")]
    sell: usize,
    /// Dries the produce in the barn to the standard moisture. Has no effect if it is dry.
    #[action(done = "dried the stock", badge = include_str!("../sprites/badges/basket.svg"), without_effect = "the produce in the barn is dry")]
    dry: usize,
    #[one(DAY_OF_YEAR)]
    day: Column<i32>,
    #[maybe(GRAIN_MOISTURE)]
    field_moisture: Option<Column<f64>>,
    #[with(d.all(HARVEST_WEIGHT))]
    _harvests: All<f64>,
    #[with(d.all(MARKET_HARVEST))]
    _markets: All<f64>,
    /// The harvests that each column of `bought` adds up.
    #[bind(sources(&p.crops, _harvests, _markets, found))]
    harvests: Vec<Vec<Column<f64>>>,
    #[bind(harvest_events(&p.crops, found))]
    harvested: Vec<EventId>,
}

/// The market's terms in percent, for texts.
fn percents(p: &CropMarket) -> [(&'static str, String); 6] {
    let of = |share: f64| format!("{} %", (1e4 * share).round() / 100.0);
    [
        ("percent_rise", of(p.rise)),
        ("percent_lost", of(p.barn.loss)),
        ("percent_deducted", of(p.deduction)),
        ("percent_standard", of(p.standard)),
        ("percent_spoilt", of(p.barn.spoilt)),
        ("percent_clearance", of(p.clearance)),
    ]
}

fn share() -> ActionParameter {
    ActionParameter::real("share#prop", 0.01, 1.0, &[0.25, 0.5, 1.0], "Share of the produce in the barn.")
}

/// The names of the variables for what was bought: one for each crop, or one for all plants in the field.
fn names(crops: &[String]) -> Vec<String> {
    match crops.is_empty() {
        true => vec!["bought#kg".to_owned()],
        false => crops.iter().map(|crop| format!("bought#kg.{crop}")).collect(),
    }
}

/// The harvests to buy. Reports crops that the field lacks, and crops that an earlier market buys.
fn sources(crops: &[String], harvests: All<f64>, markets: All<f64>, found: &mut Found<'_>) -> Vec<Vec<Column<f64>>> {
    let named = found.named(harvests);
    let known: Vec<&str> = named.iter().map(|(part, ..)| part.name()).collect();
    let own = found.part().path();
    let earlier = found.named(markets).into_iter().take_while(|(part, ..)| part.path() != own);
    let taken: Vec<Option<&str>> =
        earlier.map(|(_, variable, _)| variable.name().split_once('.').map(|(_, crop)| crop)).collect();
    let is_taken = |plant: &str| taken.iter().any(|crop| crop.is_none_or(|crop| crop == plant));
    let wanted: Vec<&str> = if crops.is_empty() { known.clone() } else { crops.iter().map(String::as_str).collect() };
    for (i, crop) in wanted.into_iter().enumerate() {
        let message = match known.contains(&crop) {
            false => format!("`{crop}` is not a plant in this field"),
            true if is_taken(crop) => format!("another market already buys the harvest of `{crop}`"),
            true => continue,
        };
        let problem = Problem::new(AgronomyError::WrongCrop, Path::default().child("crops").child(i), message);
        found.problem(problem.value(crop).among(crop, known.iter().copied().filter(|plant| !is_taken(plant))));
    }
    let of =
        |crop: &String| named.iter().filter(|(part, ..)| part.name() == crop).map(|(.., column)| *column).collect();
    match crops.is_empty() {
        true => vec![named.iter().map(|(.., column)| *column).collect()],
        false => crops.iter().map(of).collect(),
    }
}

/// The events in which the plants of the field are harvested.
fn harvest_events(crops: &[String], found: &Found<'_>) -> Vec<EventId> {
    let field = |part: &PartInfo| part.path().split_once('.').map(|(field, _)| field.to_owned());
    let own = field(found.part());
    let is_bought =
        |part: &PartInfo| field(part) == own && (crops.is_empty() || crops.iter().any(|crop| crop == part.name()));
    let emits = |part: &&PartInfo| part.events().iter().any(|event| event.name() == "harvest");
    let events = found.parts().iter().filter(emits).zip(found.events_named("harvest"));
    events.filter(|(part, _)| is_bought(part)).map(|(_, event)| event).collect()
}

#[register(
    entity = CropMarket,
    source = "Schwartz 1997; Deaton & Laroque 1992; Steele et al. 1969; equation sheet, V",
    sets = include_str!("market.yaml"),
    runs_in = [Phase::Exogenous, Phase::Account],
    picture = Picture::in_status_bar("Market")
        .from("stored#kg", f64::MIN_POSITIVE, "stock", include_str!("../sprites/barn_full.svg"))
        .otherwise("empty", include_str!("../sprites/barn_empty.svg"))
        .value("price#kg-1")
        .value("stored#kg")
)]
impl Behaviour for Stall {
    fn reset(&self, c: &mut Context<'_>) {
        let normal = c.stream(self.key, FIRST_PRICE).normal();
        c.get(self.deviation)[0].set(self.process.spread * normal);
    }

    /// The day and the stock may be initial conditions; the price and the worth follow from them.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        self.show_price(c);
    }

    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let stored = &c.get(self.stored)[0];
        if action == self.sell {
            let sold = stored.get() * arguments.real(0);
            self.earn(self.sold_for(sold, c.value(self.moisture), c.value(self.spoilage), c), c);
            stored.set(stored.get() - sold);
        } else {
            let moisture = &c.get(self.moisture)[0];
            self.pay(self.p.drying * self.excess(moisture.get()) * stored.get(), c);
            moisture.set(moisture.get().min(self.p.standard));
        }
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let is_wet = action != self.dry || reader.get(self.moisture)[0] > self.p.standard;
        reader.get(self.stored)[0] > 0.0 && is_wet
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        if phase == Phase::Exogenous {
            self.take_in(c);
        } else {
            self.store(c);
            let normal = c.stream(self.key, PRICE).normal();
            let deviation = &c.get(self.deviation)[0];
            deviation.set(self.process.next(deviation.get(), normal).clamp(-100.0, 100.0));
            self.show_price(c);
        }
    }
}

impl Stall {
    /// Water above the standard, in percentage points.
    fn excess(&self, moisture: f64) -> f64 {
        100.0 * (moisture - self.p.standard).max(0.0)
    }

    /// What the buyer pays for a weight with this water and spoilage.
    fn sold_for(&self, weight: f64, moisture: f64, spoilage: f64, c: &Context<'_>) -> f64 {
        let dry = (1.0 - self.p.deduction * self.excess(moisture)).max(0.0);
        let sound = if spoilage < 1.0 { 1.0 } else { self.p.barn.spoilt };
        weight * c.value(self.price) * dry * sound
    }

    fn earn(&self, money: f64, c: &Context<'_>) {
        let sales = &c.get(self.sales)[0];
        sales.set((sales.get() + money).min(MANY));
    }

    fn pay(&self, money: f64, c: &Context<'_>) {
        let costs = &c.get(self.costs)[0];
        costs.set((costs.get() + money).min(MANY));
    }

    /// The new harvest goes to the barn, and what does not fit is sold.
    fn take_in(&self, c: &Context<'_>) {
        let mut harvest = 0.0;
        for (bought, harvests) in self.bought.iter().zip(&self.harvests) {
            let now = sum(harvests.iter().map(|column| c.value(*column))).min(MANY);
            harvest += now - c.get(*bought)[0].replace(now);
        }
        if harvest <= 0.0 {
            return;
        }
        let moisture = self.harvest_moisture(c);
        let stored = &c.get(self.stored)[0];
        let kept = harvest.min(self.p.barn.capacity - stored.get()).max(0.0);
        self.earn(self.sold_for(harvest - kept, moisture, 0.0, c), c);
        if kept > 0.0 {
            let old = stored.get() / (stored.get() + kept);
            for (column, new) in [(self.moisture, moisture), (self.age, 0.0), (self.spoilage, 0.0)] {
                let value = &c.get(column)[0];
                value.set(old * value.get() + (1.0 - old) * new);
            }
            stored.set((stored.get() + kept).min(self.p.barn.capacity));
        }
    }

    /// Water in today's harvest: that of the plots, by weight.
    fn harvest_moisture(&self, c: &Context<'_>) -> f64 {
        let Some(moisture) = self.field_moisture.map(|column| c.get(column)) else { return self.p.standard };
        let mut total = [0.0; 2];
        for event in c.events().iter().filter(|event| self.harvested.contains(&event.id)) {
            if let Some(moisture) = moisture.get(event.plot as usize) {
                total[0] += event.value;
                total[1] += event.value * moisture.get();
            }
        }
        if total[0] > 0.0 { total[1] / total[0] } else { self.p.standard }
    }

    /// A day in the barn: cost, loss of weight, age and decay.
    fn store(&self, c: &Context<'_>) {
        let stored = &c.get(self.stored)[0];
        if stored.get() <= 0.0 {
            return;
        }
        let barn = &self.p.barn;
        self.pay(barn.cost / MONTH * stored.get(), c);
        let age = &c.get(self.age)[0];
        let loss = if age.get() < MONTH { barn.first_loss } else { barn.loss };
        stored.set(stored.get() * powf(1.0 - loss, 1.0 / MONTH));
        age.set((age.get() + 1.0).min(MANY));
        let excess = c.value(self.moisture) - self.p.standard;
        let spoilage = &c.get(self.spoilage)[0];
        spoilage.set((spoilage.get() + 1.0 / keeping_days(barn.keeps, barn.temperature, excess)).min(1.0));
    }

    /// The price of the day, and what the stock is worth at it.
    fn show_price(&self, c: &Context<'_>) {
        let CropMarket { price, harvest_day, rise, clearance, .. } = self.p;
        let usual = price * seasonal(c.value(self.day), harvest_day, rise);
        c.get(self.price)[0].set(self.process.price(usual, c.value(self.deviation)).min(MANY));
        let worth = self.sold_for(c.value(self.stored), c.value(self.moisture), c.value(self.spoilage), c);
        c.get(self.worth)[0].set((worth * (1.0 - clearance)).min(MANY));
    }
}
