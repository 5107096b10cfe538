//! Supplies scattered on the plots: the stock and the actions that fertilisers and pesticides share.
//!
//! | writes | unit |
//! |---|---|
//! | amount on each plot; total scattered (role `resource_used` and a role of the entity) | kg |
//!
//! Source: Farm-gym paper; equation sheet II.5.

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::declare::{ActionParameter, Flow, MassBalance, Picture};
use farm_core::inspect::{format_number, thousands};
use farm_core::{Column, Columns, Context, Found, Reader, Role};
use farm_roles::RESOURCE_USED;

/// Maximum amount on one plot; the rest stays in the bag and is not counted.
pub(super) const MAX_KG: f64 = 1000.0;
/// Maximum release on a plot in a day.
pub(super) const MAX_GRAMS: f64 = MAX_KG * GRAMS_PER_KG;

/// Grams in a kilogram: stocks are in kg, releases in g.
pub(super) const GRAMS_PER_KG: f64 = 1000.0;

/// A product that the farmer scatters, in the words of its actions.
#[derive(Clone)]
pub(super) struct Product {
    /// What the farmer does, such as "Spreads".
    pub verb: &'static str,
    /// The noun, such as "fertiliser".
    pub what: &'static str,
    /// The role of the total amount used.
    pub scattered: Role<f64>,
    pub bag_kg: f64,
    /// The past participle, such as "sprayed".
    pub done: &'static str,
    /// The mark on the plot.
    pub badge: &'static str,
}

impl Product {
    fn kilograms(&self) -> ActionParameter {
        let doc = format!("Amount of {}.", self.what);
        ActionParameter::real("amount#kg", 0.0, 10.0, &[0.1, 0.5, 1.0, 2.0, 5.0, 10.0], &doc)
    }

    fn bags(&self) -> ActionParameter {
        let doc = format!("Number of bags. A bag holds {} kg.", format_number(self.bag_kg));
        ActionParameter::real("amount#bag", 0.0, 4.0, &[1.0, 2.0, 3.0, 4.0], &doc)
    }

    /// The text of an action.
    fn text(&self, how: &str) -> String {
        let (Self { verb, what, .. }, most) = (self, thousands(&format_number(MAX_KG)));
        format!(
            "{verb} {what} on the plot{how}. A plot can hold at most {most} kg of it. Any excess is not used and costs nothing."
        )
    }
}

/// The supplies on the plots of one field.
#[derive(Columns)]
pub(super) struct Scattered {
    product: Product,
    #[real(unit = "kg", range = 0.0..=MAX_KG, per_plot, doc = &format!("Amount of {} on the plot that has not yet been released.", product.what))]
    amount: Column<f64>,
    #[real(
        name = "total_cumulated_scattered_amount#kg",
        range = 0.0..=1e12,
        doc = &format!("Total amount of {} used in this episode.", product.what),
        role = RESOURCE_USED,
        role = product.scattered
    )]
    total: Column<f64>,
    #[action(
        doc = &product.text(""),
        parameters = [ActionParameter::plot(), product.kilograms()],
        done = product.done,
        badge = product.badge,
        without_effect = "nothing would be spread"
    )]
    scatter: usize,
    #[action(
        name = "scatter_bag",
        doc = &product.text(" by the bag"),
        parameters = [ActionParameter::plot(), product.bags()],
        done = product.done,
        badge = product.badge,
        without_effect = "nothing would be spread"
    )]
    _scatter_bag: usize,
}

/// The smallest amount on a plot that pictures show: a tenth of a gram.
const LEAST_DRAWN_KG: f64 = 1e-4;

/// A bag or bottle on each plot that has some amount left.
pub(super) fn scattered_picture(title: &str, layer: i32, svg: &'static str) -> Picture {
    Picture::on_plots(title, layer).from("amount#kg", LEAST_DRAWN_KG, "scattered", svg).heat("amount#kg", 0.0, 0.5)
}

impl Scattered {
    /// Sets the balance of the amounts on the plots: scattered amounts stay on the plot until they leave by the flows `leaves`.
    pub(super) fn set_balance(&self, found: &mut Found<'_>, leaves: impl IntoIterator<Item = Flow>) {
        let scattered = Flow::inflow("scattered", self.total).cumulated();
        let balance = MassBalance::new("on the plots", "kg", self.amount);
        found.mass_balance(balance.with_flows([scattered]).with_flows(leaves));
    }

    /// Executes one of the two actions.
    pub(super) fn act(&self, action: usize, arguments: CallArguments<'_>, c: &Context<'_>) {
        let (amount, total) = (&c.get(self.amount)[arguments.plot(0)], &c.get(self.total)[0]);
        let before = amount.get();
        amount.set((before + self.asked_kg(action, arguments)).min(MAX_KG));
        total.set(total.get() + (amount.get() - before));
    }

    /// Whether one of the two actions would add anything.
    pub(super) fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.asked_kg(action, arguments) > 0.0 && reader.get(self.amount)[arguments.plot(0)] < MAX_KG
    }

    /// Whether all plots are empty, so that nothing is released.
    #[inline]
    pub(super) fn is_empty(&self, c: &Context<'_>) -> bool {
        !holds_any(c.get(self.amount))
    }

    /// For each plot, removes from the stock the kilograms that `release` returns, and passes the plot and the kilograms to `publish`.
    #[inline]
    pub(super) fn set_free(&self, c: &Context<'_>, release: impl Fn(usize, f64) -> f64, publish: impl Fn(usize, f64)) {
        for (plot, amount) in c.get(self.amount).iter().enumerate() {
            let released = release(plot, amount.get());
            amount.set((amount.get() - released).max(0.0));
            publish(plot, released);
        }
    }

    #[inline]
    fn asked_kg(&self, action: usize, arguments: CallArguments<'_>) -> f64 {
        arguments.real(1) * if action == self.scatter { 1.0 } else { self.product.bag_kg }
    }
}

/// Whether any stock is not empty. It reads all stocks, several at a time, which is faster than one by one up to the first.
#[inline]
pub(super) fn holds_any(stocks: &[Cell<f64>]) -> bool {
    stocks.iter().fold(0, |bits, stock| bits | stock.get().to_bits()) != 0
}

/// Sets today's releases to 0.
#[inline]
pub(super) fn clear(released: &[Cell<f64>]) {
    released.iter().for_each(|cell| cell.set(0.0));
}
