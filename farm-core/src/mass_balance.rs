//! Mass balances, which are the daily flows into and out of stocks.
//!
//! A part may have a stock, such as the water in a soil. The part then uses [`Found::mass_balance`](crate::Found::mass_balance) to
//! declare which state values are the last day's inflows and outflows. A report on an episode can then show any part's balance. A game's
//! tests can check that the balance closes: stock this evening = stock the evening before + inflows − outflows.

use crate::math::sum;
use crate::state::{Column, Element, Reader, StateSlice};

/// One stock's mass balance.
///
/// ```
/// use farm_core::declare::MassBalance;
/// use farm_core::prelude::*;
///
/// # #[derive(Clone, Columns)]
/// # struct Pool {
/// #     /// Water in the pool.
/// #     #[real(unit = "L", range = 0.0..=1e6, default = 10.0)]
/// #     water: Column<f64>,
/// #     /// Rain on this day.
/// #     #[real(unit = "L.day-1", range = 0.0..=1e6)]
/// #     rain: Column<f64>,
/// #     /// Water that leaks away on this day.
/// #     #[real(unit = "L.day-1", range = 0.0..=1e6)]
/// #     leak: Column<f64>,
/// # }
/// # /// A pool.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Pools {}
/// # #[register(source = "An example")]
/// impl Entity for Pools {
///     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         let pool = Pool::declare(d, &());
/// #         d.runs_in(Phase::Exchange);
///         Bind::new(move |found| {
///             let pool = pool.bind(found);
///             let balance = MassBalance::new("water", "L", pool.water);
///             found.mass_balance(balance.inflow("rain", pool.rain).outflow("leak", pool.leak));
///             pool
///         })
///     }
/// }
/// # impl Behaviour for Pool {
/// #     fn tick(&self, _: Phase, context: &mut Context<'_>) {
/// #         context.get(self.rain)[0].set(3.0);
/// #         context.get(self.leak)[0].set(1.0);
/// #         context.get(self.water)[0].update(|water| water + 2.0);
/// #     }
/// # }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let game = farm::game("Pools: {}");
/// # let mut environment = Environment::new(game.clone());
///
/// // The balance closes: the stock changes by the inflows minus the outflows.
/// let balance = &game.parts()[0].mass_balances()[0];
/// let before = balance.stock(&game.reader(environment.state()));
/// environment.step("wait").unwrap();
/// let reader = game.reader(environment.state());
/// let [rain, leak] = [0, 1].map(|i| balance.flows()[i].amount(&reader));
/// assert_eq!(balance.stock(&reader), before + rain - leak);
/// ```
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct MassBalance {
    /// The stock's name, such as `water`.
    pub(crate) name: String,
    /// The unit of the stock and of its daily flows.
    pub(crate) unit: String,
    /// The inflows and outflows.
    pub(crate) flows: Vec<Flow>,
    /// The stock's columns, each with the number of stock units per unit of its values.
    stocks: Vec<(StateSlice, f64)>,
}

/// A flow into or out of a stock.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Flow {
    /// The flow's name, such as `rain`.
    pub(crate) name: String,
    /// Whether the flow is an inflow rather than an outflow.
    pub(crate) is_inflow: bool,
    /// Whether the values are totals since the start of the episode, rather than amounts for the last day.
    #[getter(skip)]
    pub(crate) is_cumulated: bool,
    /// The number of stock units per unit of the values, such as litres per millimetre of rain.
    factor: f64,
    values: StateSlice,
}

impl Flow {
    fn new<T: Element>(name: &str, is_inflow: bool, values: Column<T>) -> Self {
        let name = name.to_owned();
        Self { name, is_inflow, is_cumulated: false, factor: 1.0, values: StateSlice::of_column(values) }
    }

    /// An inflow on the last day, over all plots.
    pub fn inflow<T: Element>(name: &str, values: Column<T>) -> Self {
        Self::new(name, true, values)
    }

    /// An outflow on the last day, over all plots.
    pub fn outflow<T: Element>(name: &str, values: Column<T>) -> Self {
        Self::new(name, false, values)
    }

    /// Declares that the values are totals since the start of the episode.
    pub fn cumulated(mut self) -> Self {
        self.is_cumulated = true;
        self
    }

    /// Multiplies the values by a factor, which is the number of stock units per unit of the values.
    pub fn times(mut self, factor: f64) -> Self {
        self.factor *= factor;
        self
    }

    /// The sum of the flow's values, in stock units. The sum is also positive for outflows.
    pub fn amount(&self, reader: &Reader<'_>) -> f64 {
        self.factor * sum(self.values.values(reader))
    }
}

impl MassBalance {
    /// A stock's mass balance over all plots, without any flows yet.
    pub fn new<T: Element>(name: &str, unit: &str, stock: Column<T>) -> Self {
        let stocks = vec![(StateSlice::of_column(stock), 1.0)];
        Self { name: name.to_owned(), unit: unit.to_owned(), flows: Vec::new(), stocks }
    }

    /// Adds a second stock to the balance. `factor` is the number of units of the first stock per unit of the second stock's values. For
    /// example, the stocks can be mineral nitrogen, and nitrogen in humus, whose values are grams of carbon. Transfers between the two
    /// stocks are not flows.
    pub fn and_stock<T: Element>(mut self, stock: Column<T>, factor: f64) -> Self {
        self.stocks.push((StateSlice::of_column(stock), factor));
        self
    }

    /// Adds an inflow on the last day; see [`Flow::inflow`].
    pub fn inflow<T: Element>(self, name: &str, values: Column<T>) -> Self {
        self.with_flows([Flow::inflow(name, values)])
    }

    /// Adds an outflow on the last day; see [`Flow::outflow`].
    pub fn outflow<T: Element>(self, name: &str, values: Column<T>) -> Self {
        self.with_flows([Flow::outflow(name, values)])
    }

    /// Adds more flows.
    pub fn with_flows(mut self, flows: impl IntoIterator<Item = Flow>) -> Self {
        self.flows.extend(flows);
        self
    }

    /// Splits a balance with several columns into one balance per column. The flows are split in the same way.
    pub fn split(self, names: &[&str]) -> impl Iterator<Item = Self> {
        let columns = names.len() as u32;
        let part = move |values: StateSlice, i: usize| values.share(i as u32, columns);
        names.iter().enumerate().map(move |(i, name)| Self {
            name: self.name.replace("{each}", name),
            unit: self.unit.clone(),
            flows: self.flows.iter().map(|flow| Flow { values: part(flow.values, i), ..flow.clone() }).collect(),
            stocks: self.stocks.iter().map(|(values, factor)| (part(*values, i), *factor)).collect(),
        })
    }

    /// The amount in the stock, over all plots.
    pub fn stock(&self, reader: &Reader<'_>) -> f64 {
        sum(self.stocks.iter().map(|(values, factor)| factor * sum(values.values(reader))))
    }
}

/// Tracks a balance from one evening to the next during an episode.
#[derive(Debug, Clone, farm_macros::Getters)]
pub struct BalanceTracker {
    /// The stock on the last evening recorded.
    pub(crate) stock: f64,
    /// The amount of each flow on the day before that evening, in the balance's order.
    pub(crate) flows: Vec<f64>,
    totals: Vec<f64>,
}

impl BalanceTracker {
    /// Starts tracking an episode, from the state after its reset.
    pub fn open(balance: &MassBalance, reader: &Reader<'_>) -> Self {
        let totals = balance.flows.iter().map(|flow| if flow.is_cumulated { flow.amount(reader) } else { 0.0 });
        Self { stock: balance.stock(reader), flows: vec![0.0; balance.flows.len()], totals: totals.collect() }
    }

    /// Records a day that has passed. Call this once per day, and not for steps in which no time passes.
    pub fn note(&mut self, balance: &MassBalance, reader: &Reader<'_>) {
        self.stock = balance.stock(reader);
        for ((flow, today), total) in balance.flows.iter().zip(&mut self.flows).zip(&mut self.totals) {
            let amount = flow.amount(reader);
            *today = if flow.is_cumulated { amount - std::mem::replace(total, amount) } else { amount };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_columns_of_stocks_and_flows_are_told_apart() {
        let balance = |name: &str, stock: (u32, u32), flow: (u32, u32)| {
            let column = |(start, len)| Column::<f64>::new(start, len);
            let twice = Flow::inflow("bedrock", column(flow)).times(2.0);
            MassBalance::new(name, "g", column(stock)).outflow("leaching", column(flow)).with_flows([twice])
        };
        let joined = balance("{each} of the soil", (10, 6), (30, 6));
        let expected = [balance("N of the soil", (10, 3), (30, 3)), balance("P of the soil", (13, 3), (33, 3))];
        assert_eq!(joined.split(&["N", "P"]).collect::<Vec<_>>(), expected);
        let with_humus = |name: &str, stock: (u32, u32), flow: (u32, u32), humus: (u32, u32)| {
            balance(name, stock, flow).and_stock(Column::<f64>::new(humus.0, humus.1), 0.5)
        };
        let joined = with_humus("{each}", (10, 6), (30, 6), (50, 6));
        let expected = [with_humus("N", (10, 3), (30, 3), (50, 3)), with_humus("P", (13, 3), (33, 3), (53, 3))];
        assert_eq!(joined.split(&["N", "P"]).collect::<Vec<_>>(), expected, "a second stock is split like the first");
    }
}
