//! Supplies scattered on the plots: the stock and the actions that fertilisers and pesticides share.
//!
//! | writes | unit |
//! |---|---|
//! | amount on each plot; total scattered (role `resource_used` and a role of the entity) | kg |
//!
//! Source: Farm-gym paper; equation sheet II.5.

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::declare::{ActionParameter, Flow, MassBalance, Picture, real};
use farm_core::inspect::format_number;
use farm_core::{Builder, Column, Context, Reader, Role};
use farm_roles::RESOURCE_USED;

/// Maximum amount on one plot; the rest stays in the bag and is not counted.
pub(super) const MAX_KG: f64 = 1000.0;

/// Grams in a kilogram: stocks are in kg, releases in g.
pub(super) const GRAMS_PER_KG: f64 = 1000.0;

/// The action that scatters kilograms; the other one scatters bags.
const SCATTER: usize = 0;

/// The supplies on the plots of one field.
pub(super) struct Scattered {
    amount: Column<f64>,
    total: Column<f64>,
    bag_kg: f64,
}

/// The display of an action that scatters: its past participle, and the mark on the plot.
pub(super) struct Shown {
    /// The past participle, such as "sprayed".
    pub done: &'static str,
    /// The sprite.
    pub badge: &'static str,
}

/// The smallest amount on a plot that pictures show: a tenth of a gram.
const LEAST_DRAWN_KG: f64 = 1e-4;

/// A bag or bottle on each plot that has some amount left.
pub(super) fn scattered_picture(title: &str, layer: i32, svg: &'static str) -> Picture {
    Picture::on_plots(title, layer).from("amount#kg", LEAST_DRAWN_KG, "scattered", svg).heat("amount#kg", 0.0, 0.5)
}

impl Scattered {
    /// Declares the two variables and the two actions. Their sentences use the verb and the noun `what`, such as "Spreads" and
    /// "fertiliser"; `scattered` is the role of the total amount used.
    pub(super) fn declare(
        b: &mut Builder<'_>,
        (verb, what): (&str, &str),
        scattered: Role<f64>,
        bag_kg: f64,
        shown: Shown,
    ) -> Self {
        let doc = format!("Amount of {what} on the plot that is not yet released.");
        let amount = real("amount#kg", 0.0, MAX_KG, &doc).per_plot();
        let doc = format!("Total amount of {what} used in this episode.");
        let total = real("total_cumulated_scattered_amount#kg", 0.0, 1e12, &doc).role(RESOURCE_USED);
        let total = total.role(scattered);
        let kilograms = [0.1, 0.5, 1.0, 2.0, 5.0, 10.0];
        let kilograms = ActionParameter::real("amount#kg", 0.0, 10.0, &kilograms, &format!("Amount of {what}."));
        let doc = format!("Number of bags. A bag holds {} kg.", format_number(bag_kg));
        let bags = ActionParameter::real("amount#bag", 0.0, 4.0, &[1.0, 2.0, 3.0, 4.0], &doc);
        let rest = "What the plot cannot hold is not used and not paid.";
        let doc = format!("{verb} {what} on the plot. {rest}");
        let loose = b.action("scatter", vec![ActionParameter::plot(), kilograms], &doc);
        let doc = format!("{verb} {what} on the plot by the bag. {rest}");
        let whole = b.action("scatter_bag", vec![ActionParameter::plot(), bags], &doc);
        for action in [loose, whole] {
            b.shown_as(action, shown.done, shown.badge);
        }
        Self { amount: b.declare(amount), total: b.declare(total), bag_kg }
    }

    /// Declares the balance of the amounts on the plots: scattered amounts stay on the plot until they leave by the flows `leaves`.
    pub(super) fn declare_balance(&self, b: &mut Builder<'_>, leaves: impl IntoIterator<Item = Flow>) {
        let scattered = Flow::inflow("scattered", self.total).cumulated();
        b.mass_balance(MassBalance::new("on the plots", "kg", self.amount).with_flows([scattered]).with_flows(leaves));
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
        arguments.real(1) * if action == SCATTER { 1.0 } else { self.bag_kg }
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
