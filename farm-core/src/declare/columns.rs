//! What a part has, as one struct.

use super::Builder;

/// What a part keeps, whom it asks and what it reports, by `#[derive(Columns)]`: each field of the struct says what it is, and is
/// declared in the order of the fields. The sentence above a field is what the reference says of it.
///
/// | attribute | field | what it is |
/// |---|---|---|
/// | `#[real(unit = "L", range = 0.0..=5.0)]` | `Column<f64>` | a variable of real numbers |
/// | `#[count(unit = "nb", range = 0..=5)]` | `Column<i32>` | a variable of whole numbers |
/// | `#[category(names = &["egg", "slug"])]` or `kind = …` | `Column<u8>` | a variable of names |
/// | `#[flag]` | `Column<u8>` | a variable that is 0 or 1 |
/// | `#[one(ROLE)]`, `#[maybe(ROLE)]`, `#[all(ROLE)]` | `Column`, `Option<Column>`, `Vec<Column>` | the provider of a role, one if there is one, all providers |
/// | `#[event(per_step = 3)]` | [`EventId`](super::EventId) | an event, at most so many in a step |
/// | `#[stream]` | `u64` | the key of the part's random streams |
/// | `#[with(expression)]` | any | what the expression makes with the builder `b` |
/// | none, on one field at most | any that is `Clone` | what is handed over; the other fields' expressions know it by its name |
///
/// Of a variable there is also `per_plot`, `shape = &[2]`, `default = 1.0`, `hidden`, and `role = ROLE`, several times if it has
/// several. Its name is that of the field with its unit, or `name = "depth#m"`. `each = ["N", "P"]` declares one variable for each item and
/// joins their columns; `name`, which is needed then, and the sentence name the item as `{each}`, and other expressions have its number as `i`. `each = ROLES` after `one`,
/// `maybe` or `all` looks up an array of roles.
///
/// `#[columns(view = Values)]` above the struct also makes a struct `Values` of the values in all its variables, which the method
/// `values` looks up.
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
    /// Declares all of it and looks it up.
    fn declare(b: &mut Builder<'_>, given: &Given) -> Self;
}
