//! The score of a farm as a business: sales of the harvest minus the costs of growing it.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | the harvest | `harvest_weight` | kg |
//! | sales, costs and unsold produce at markets | `market_sales`, `market_costs`, `market_stock` | money |
//! | used inputs | `water_given`, `fertilizer_scattered`, `cide_scattered`, `seeds_sown` | L, kg, kg, seed |
//! | scarecrows, only with a price for them | `scarecrow_strength` | nb |
//!
//! | writes | unit |
//! |---|---|
//! | the episode's sales and expenses | money |
//! | birds that the best scarecrow so far keeps away, only with a price for scarecrows | nb |
//!
//! A game's rules text can include the prices: `part("ProfitScore-0").sales` and `.expenses`.
//!
//! Source: farm accounting. The gross margin of a crop is its sales minus its variable costs. Prices are in the currency that the game's
//! author chooses. The defaults are in euros and typical of small purchases in Europe; replace them with local prices. Labour is the cost
//! of each intervention. Like every action cost, it is charged on the day of the work, even if everything else is settled at the end.

use std::collections::BTreeMap;

use farm_core::config::{Path, Problem};
use farm_core::declare::{All, RoleError, count, real};
use farm_core::inspect::{listed, money};
use farm_core::math::sum;
use farm_core::{Bind, Column, Columns, Context, Declarations, Element, Found, Known, Role, Score, ScoreBehaviour};
use farm_roles::{
    CIDE_SCATTERED, FERTILIZER_SCATTERED, HARVEST_WEIGHT, MARKET_COSTS, MARKET_HARVEST, MARKET_SALES, MARKET_STOCK,
    SCARECROW_STRENGTH, SEEDS_SOWN, WATER_GIVEN,
};

use crate::constraints::Constraints;
use crate::costs::{CostTable, Costs, Priced};
use crate::counted::total;
use crate::priced::{PricedScore, Reward};

/// When sales and inputs are settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Settlement {
    /// Every step, for the harvest and the inputs of the step.
    Daily,
    /// Once, when the episode ends.
    Final,
}

/// Prices for single parts.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct PartPrices {
    /// Price of a kilogram harvested from a part: {field: {entity: price}}.
    #[parameter(name = "yield#kg-1", range = 0.0..=1e9)]
    pub harvest: PriceTable,
    /// Price of a litre of irrigation water from a part.
    #[parameter(unit = "L-1", range = 0.0..=1e9)]
    pub water: PriceTable,
    /// Price of a kilogram of a fertiliser.
    #[parameter(unit = "kg-1", range = 0.0..=1e9)]
    pub fertilizer: PriceTable,
    /// Price of a kilogram of a pesticide.
    #[parameter(unit = "kg-1", range = 0.0..=1e9)]
    pub cide: PriceTable,
    /// Price of a seed of a part.
    #[parameter(unit = "seed-1", range = 0.0..=1e9)]
    pub seed: PriceTable,
}

/// The currency of the profit.
const CURRENCY: &str = "€";

/// Prices by part: {field: {entity: price}}.
type PriceTable = BTreeMap<String, BTreeMap<String, f64>>;

/// The profit of a farm: sales of the harvest minus the costs of water, fertilisers, pesticides, seeds and labour.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ProfitScore {
    /// Price of a kilogram of the harvest. A market pays its own price instead.
    #[parameter(name = "yield_price#kg-1", default = 3.0, range = 0.0..=1e9)]
    pub harvest_price: f64,
    /// Price of a litre of water.
    #[parameter(unit = "L-1", default = 0.003, range = 0.0..=1e9)]
    pub water_price: f64,
    /// Price of a kilogram of fertiliser.
    #[parameter(unit = "kg-1", default = 1.0, range = 0.0..=1e9)]
    pub fertilizer_price: f64,
    /// Price of a kilogram of a pesticide.
    #[parameter(unit = "kg-1", default = 20.0, range = 0.0..=1e9)]
    pub cide_price: f64,
    /// Price of a seed.
    #[parameter(unit = "seed-1", default = 0.05, range = 0.0..=1e9)]
    pub seed_price: f64,
    /// Price of a scarecrow for each bird that it keeps away in a day. A scarecrow that was taken away can be put up again for nothing.
    #[parameter(unit = "bird-1", range = 0.0..=1e9)]
    pub scarecrow_price: f64,
    /// Prices for single parts, which replace the prices above.
    pub part_prices: PartPrices,
    /// Labour cost of each intervention, independent of its parameters: {field: {entity: {action: cost}}}. An action on all plots of a field
    /// costs this for each plot.
    #[parameter(range = 0.0..=1e9)]
    pub labour_cost: CostTable,
    /// Labour cost of each intervention that is not in `labour_cost`.
    #[parameter(range = 0.0..=1e9)]
    pub default_labour_cost: f64,
    /// Cost of each requested value: {field: {entity: {variable: cost}}}; a group such as `air_temperature` covers all its variables.
    #[parameter(range = 0.0..=1e9)]
    pub observation_cost: CostTable,
    /// Cost of each requested value that is not in `observation_cost`.
    #[parameter(range = 0.0..=1e9)]
    pub default_observation_cost: f64,
    /// When sales and inputs are settled.
    #[parameter(default = Settlement::Daily)]
    pub settlement: Settlement,
    /// Quantities that must stay small; they do not change the reward.
    pub constraints: Constraints,
}

#[farm_core::register(source = "Farm accounting: gross margin, sales less variable costs")]
impl Score for ProfitScore {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        d.text_variable("currency", CURRENCY);
        Bind::after(move |d, known| {
            let own = &self.part_prices;
            let mut words = Vec::new();
            let sold = priced(d, known, HARVEST_WEIGHT, self.harvest_price, &own.harvest, "yield#kg-1", &mut words);
            let markets = Markets::declare(d, &());
            d.text_variable("sales", listed(&std::mem::take(&mut words), "and"));
            let bought = [
                priced(d, known, WATER_GIVEN, self.water_price, &own.water, "water#L-1", &mut words),
                priced(
                    d,
                    known,
                    FERTILIZER_SCATTERED,
                    self.fertilizer_price,
                    &own.fertilizer,
                    "fertilizer#kg-1",
                    &mut words,
                ),
                priced(d, known, CIDE_SCATTERED, self.cide_price, &own.cide, "cide#kg-1", &mut words),
            ];
            let seeds = priced(d, known, SEEDS_SOWN, self.seed_price, &own.seed, "seed#seed-1", &mut words);
            let no_parts = PriceTable::new();
            let scarecrows = (self.scarecrow_price > 0.0).then(|| {
                priced(d, known, SCARECROW_STRENGTH, self.scarecrow_price, &no_parts, "scarecrow#bird-1", &mut words)
            });
            d.text_variable("expenses", listed(&words, "and"));
            let doc = "Number of birds that the best scarecrow so far keeps away each day.";
            let best = scarecrows.is_some().then(|| d.variable(count("best_scarecrow#nb", 0, i32::MAX, doc).hidden()));
            let counted = seeds.1.iter().chain(scarecrows.iter().flat_map(|(_, prices)| prices));
            let spent = bought.iter().flat_map(|(_, prices)| prices).chain(counted);
            let most = [most_money(sold.1.iter()), most_money(spent)];
            let sales = d.variable(real("sales", 0.0, most[0], "Revenue from the harvest in this episode."));
            let doc = "Cost of the supplies used in this episode, excluding labour.";
            let expenses = d.variable(real("expenses", 0.0, most[1], doc));
            let constraints = self.constraints.declare(d);
            Bind::new(move |found| {
                let (costs, default) = (&self.labour_cost, self.default_labour_cost);
                let interventions = Costs::new(costs, default, "labour_cost", Priced::Actions, found).by_plot(found);
                let (costs, default) = (&self.observation_cost, self.default_observation_cost);
                let observations = Costs::new(costs, default, "observation_cost", Priced::Variables, found);
                let reward = Books {
                    sold: at_price(sold, found),
                    bought: bought.into_iter().flat_map(|bought| at_price(bought, found)).collect(),
                    seeds: at_price(seeds, found),
                    scarecrows: best.map(|best| (found.get(best), self.scarecrow_price)),
                    strengths: scarecrows.map(|(strengths, _)| found.get(strengths)).unwrap_or_default(),
                    most,
                    daily: self.settlement == Settlement::Daily,
                    sales: found.get(sales),
                    expenses: found.get(expenses),
                    markets: markets.bind(found),
                };
                PricedScore { interventions, observations, constraints: constraints.bind(found), reward }
            })
        })
    }
}

/// What markets sold and paid for storing, and what they would pay for the rest.
#[derive(Columns)]
struct Markets {
    #[all(MARKET_SALES)]
    sales: Vec<Column<f64>>,
    #[all(MARKET_COSTS)]
    costs: Vec<Column<f64>>,
    #[all(MARKET_STOCK)]
    stock: Vec<Column<f64>>,
}

/// The plants whose harvest a market buys.
fn at_market<'k>(known: &Known<'k>) -> Vec<&'k str> {
    let markets = known.declarations(MARKET_HARVEST);
    let buys = |market: &str, bought: &str, plant: &str| {
        let (of_market, of_plant) = (market.split_once('.'), plant.split_once('.'));
        let crop = bought.split_once('.').map(|(_, crop)| crop);
        of_market
            .zip(of_plant)
            .is_some_and(|((field, _), (place, name))| field == place && crop.is_none_or(|crop| crop == name))
    };
    let is_bought = |plant: &&str| markets.iter().any(|(market, bought)| buys(market.path(), bought.name(), plant));
    known.declarations(HARVEST_WEIGHT).into_iter().map(|(plant, _)| plant.path()).filter(is_bought).collect()
}

/// Limit on sales and expenses at usual prices.
const MOST_MONEY: f64 = 1e12;
/// The amount of one product, in kg, L or seeds, that an episode can sell or use before sales or expenses saturate at high prices.
const MOST_AMOUNT: f64 = 1e9;

/// The limit on sales and expenses: [`MOST_AMOUNT`] of every product at these prices, or [`MOST_MONEY`] if that is more.
fn most_money<'p>(prices: impl Iterator<Item = &'p f64>) -> f64 {
    MOST_MONEY.max(MOST_AMOUNT * sum(prices.copied()))
}

/// Amounts and their prices.
type AtPrice<T> = Vec<(Column<T>, f64)>;

/// A need for amounts, and the price of each.
type Priceable<T> = (All<T>, Vec<f64>);

/// The amounts with their prices.
fn at_price<T: Element>((amounts, prices): Priceable<T>, found: &Found<'_>) -> AtPrice<T> {
    found.get(amounts).into_iter().zip(prices).collect()
}

/// A need for all providers of a role, each with its own price or the common price, both as numbers and in words. Reports a price for a
/// part that does not provide the role.
fn priced<T: Element>(
    d: &mut Declarations<'_>,
    known: &Known<'_>,
    role: Role<T>,
    all: f64,
    own: &PriceTable,
    name: &str,
    words: &mut Vec<String>,
) -> Priceable<T> {
    let providers: Vec<&str> = known.declarations(role).into_iter().map(|(part, _)| part.path()).collect();
    let named = own.iter().flat_map(|(field, parts)| parts.iter().map(move |(part, price)| (field, part, *price)));
    let named: Vec<(&String, &String, f64)> = named.collect();
    for (field, part, _) in &named {
        let path = format!("{field}.{part}");
        if !providers.contains(&path.as_str()) {
            let place = Path::default().child("part_prices").child(name).child(*field).child(*part);
            let problem = Problem::new(
                RoleError::RoleWithoutProvider,
                place,
                format!("`{path}` does not provide the role `{}`", role.name()),
            );
            d.problem(problem.value(&path).among(&path, providers.iter().copied()));
        }
    }
    let price_of = |path: &str| {
        let own = named.iter().find(|(field, part, _)| path.split_once('.') == Some((field.as_str(), part.as_str())));
        own.map_or(all, |(_, _, price)| *price)
    };
    // What a market buys has no fixed price.
    let at_market: Vec<&str> = if role.name() == HARVEST_WEIGHT.name() { at_market(known) } else { Vec::new() };
    let fixed: Vec<&str> = providers.iter().copied().filter(|path| !at_market.contains(path)).collect();
    let (what, unit) = name.split_once('#').map_or((name, ""), |(what, unit)| (what, unit.trim_end_matches("-1")));
    let noun = match what {
        "yield" | "seed" => String::new(),
        "fertilizer" => " of fertiliser".to_owned(),
        "cide" => " of pesticide".to_owned(),
        "scarecrow" => " that a scarecrow keeps away".to_owned(),
        _ => format!(" of {what}"),
    };
    let short = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    // The part is named only if there are several prices.
    let is_one = fixed.len() == providers.len() && fixed.iter().all(|path| price_of(path) == price_of(fixed[0]));
    words.extend(fixed.iter().take(if is_one { 1 } else { usize::MAX }).map(|path| {
        let part = match providers.iter().filter(|other| short(other) == short(path)).count() {
            _ if is_one => String::new(),
            1 => format!(" ({})", short(path)),
            _ => format!(" ({path})"),
        };
        format!("{} per {unit}{noun}{part}", money(CURRENCY, price_of(path)))
    }));
    if !at_market.is_empty() {
        words.push("the market's price of the day".to_owned());
    }
    let paid = |path: &str| if at_market.contains(&path) { 0.0 } else { price_of(path) };
    (d.all(role), providers.into_iter().map(paid).collect())
}

struct Books {
    sold: AtPrice<f64>,
    bought: AtPrice<f64>,
    seeds: AtPrice<i32>,
    /// The strength of the best scarecrow so far, and its price for each bird.
    scarecrows: Option<(Column<i32>, f64)>,
    strengths: Vec<Column<i32>>,
    daily: bool,
    /// The limits on sales and expenses.
    most: [f64; 2],
    sales: Column<f64>,
    expenses: Column<f64>,
    markets: Markets,
}

impl Books {
    /// The value of an episode's amounts at their prices.
    fn worth<T: Element + Into<f64>>(amounts: &AtPrice<T>, c: &Context<'_>) -> f64 {
        sum(amounts.iter().map(|(column, price)| price * c.value(*column).into()))
    }
}

impl Books {
    /// How many birds the scarecrows keep away now.
    fn strength(&self, c: &Context<'_>) -> i32 {
        self.strengths.iter().fold(0, |sum, strength| sum.saturating_add(c.value(*strength)))
    }

    /// The price of the best scarecrow so far.
    fn scarecrows(&self, c: &Context<'_>) -> f64 {
        let Some((best, price)) = self.scarecrows else { return 0.0 };
        let best = &c.get(best)[0];
        best.set(best.get().max(self.strength(c)));
        price * f64::from(best.get())
    }
}

impl Reward for Books {
    fn reward(&self, c: &mut Context<'_>) -> f64 {
        let [most_sales, most_expenses] = self.most;
        let Markets { sales, costs, .. } = &self.markets;
        let sales = (Self::worth(&self.sold, c) + total(sales, c)).min(most_sales);
        let expenses =
            (Self::worth(&self.bought, c) + Self::worth(&self.seeds, c) + self.scarecrows(c) + total(costs, c))
                .min(most_expenses);
        let earned = sales - c.get(self.sales)[0].replace(sales);
        let spent = expenses - c.get(self.expenses)[0].replace(expenses);
        if self.daily { earned - spent } else { 0.0 }
    }

    fn final_reward(&self, c: &mut Context<'_>) -> f64 {
        let stock = total(&self.markets.stock, c);
        if stock > 0.0 {
            let sales = &c.get(self.sales)[0];
            sales.set((sales.get() + stock).min(self.most[0]));
        }
        if self.daily { stock } else { c.value(self.sales) - c.value(self.expenses) }
    }
}
