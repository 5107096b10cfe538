//! All of a part's data in one struct.

use super::Builder;

/// The data that a part stores, the providers that it uses and the events that it emits. Implement this trait with `#[derive(Columns)]`. An
/// attribute on each field states what the field declares, and the declarations keep the order of the fields. A field's doc comment is its
/// description in the reference.
///
/// | attribute | field | what it is |
/// |---|---|---|
/// | `#[real(unit = "L", range = 0.0..=5.0)]` | `Column<f64>` | a variable of real numbers |
/// | `#[count(unit = "nb", range = 0..=5)]` | `Column<i32>` | a variable of whole numbers |
/// | `#[category(names = &["egg", "slug"])]` or `kind = …` | `Column<u8>` | a variable of names |
/// | `#[flag]` | `Column<u8>` | a variable that is 0 or 1 |
/// | `#[one(ROLE)]`, `#[maybe(ROLE)]`, `#[all(ROLE)]` | `Column`, `Option<Column>`, `Vec<Column>` | a role's only provider, its provider if there is one, all its providers |
/// | `#[event(per_step = 3)]` | [`EventId`](super::EventId) | an event, with its maximum number per step |
/// | `#[stream]` | `u64` | the key of the part's random streams |
/// | `#[with(expression)]` | any | the result of the expression, which can use the builder `b` |
/// | none, on at most one field | any `Clone` type | the value passed in; the expressions of other fields can use it by the field's name |
///
/// A variable also accepts `per_plot`, `shape = &[2]`, `default = 1.0`, `hidden`, and `role = ROLE`, which can be repeated. Its name is the
/// field's name plus the unit, unless `name = "depth#m"` sets another name. `each = ["N", "P"]` declares one variable per item and combines
/// their columns. This requires `name`. In `name` and the doc comment, `{each}` is the item; in other expressions, `i` is its index.
/// `each = ROLES` after `one`, `maybe` or `all` looks up an array of roles.
///
/// `#[columns(view = Values)]` on the struct also generates a struct `Values` that holds the values of all its variables. The method
/// `values` looks them up.
///
/// ```
/// use farm_core::prelude::*;
///
/// /// Moss in numbers that follow what falls from above.
/// #[derive(Debug, Clone, Parameters)]
/// pub struct Moss {
///     /// The most of it on a plot.
///     #[parameter(unit = "g", default = 10.0, range = 0.0..=100.0)]
///     pub most: f64,
/// }
///
/// #[derive(Columns)]
/// struct Cushions {
///     moss: Moss,
///     /// Moss on the plot.
///     #[real(unit = "g", range = 0.0..=moss.most, per_plot)]
///     weight: Column<f64>,
/// }
///
/// #[farm_core::register(entity = Moss, source = "An example", runs_in = Phase::Develop)]
/// impl Behaviour for Cushions {
///     fn tick(&self, _: Phase, c: &mut Context<'_>) {
///         c.get(self.weight).iter().for_each(|weight| weight.set((weight.get() + 1.0).min(self.moss.most)));
///     }
/// }
/// ```
pub trait Columns<Given = ()>: Sized {
    /// Declares all variables and events, and looks up all roles.
    fn declare(b: &mut Builder<'_>, given: &Given) -> Self;
}
