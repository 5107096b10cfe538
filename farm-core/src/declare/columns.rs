//! All of a part's data in one struct.

use super::{Declarations, Found};

/// The data that a part stores, the providers that it uses, its actions and its events. Implement this trait with `#[derive(Columns)]`. An
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
/// | `#[action(done = "watered", badge = SVG)]` | `usize` | an action, by the index that [`Behaviour::act`](crate::Behaviour::act) receives |
/// | `#[event(per_step = 3)]` | [`EventId`](super::EventId) | an event, with its maximum number per step |
/// | `#[event_with(EventInfo::new(…))]` | [`EventId`](super::EventId) | an event with all its properties |
/// | `#[stream]` | `u64` | the key of the part's random streams |
/// | `#[with(expression)]` | any | the result of the expression, which can use the declarations `d` |
/// | `#[nested(given)]` | another struct with this derive | its data; `given` is the value passed in |
/// | `#[bind(expression)]` | any | the result of the expression when the game is complete; it can use [`found`](Found) |
/// | none, on at most one field | any `Clone` type | the value passed in |
///
/// An expression in an attribute can use the value passed in and the fields above it, by their names. The fields are tokens there; only
/// the expression of `bind` sees columns.
///
/// The derive also generates a struct with the tokens. For `struct Tap`, this is `DeclaredTap`. `Tap::declare(d, &given)` returns it, and
/// its method `bind(found)` returns the `Tap`.
///
/// A variable also accepts `per_plot`, `shape = &[2]`, `default = 1.0`, `hidden`, and `role = ROLE`, which can be repeated. Its name is the
/// field's name plus the unit, unless `name = "depth#m"` sets another name. `doc = &text` sets a description instead of the doc comment.
/// With `when = condition`, the variable exists only if the condition holds, and the field is an `Option<Column>`. `maybe` and `all` accept
/// `when` after the role. `usual = UsualStart::new(…)` and `synonyms = &[…]` call the methods of [`Variable`](super::Variable).
///
/// `each = ["N", "P"]` declares one variable per item. This requires `name`. The columns are joined if the field is a `Column`. They stay
/// separate if it is an array or a `Vec` of columns. In `name` and the doc comment, `{each}` is the item. Other expressions can use the
/// item `each` and its index `i`. `each = ROLES` after `one`, `maybe` or `all` looks up an array of roles.
///
/// An action accepts `parameters = [ActionParameter::plot()]`. It also accepts `done` and `badge`, the arguments of
/// [`ActionInfo::shown_as`](super::ActionInfo::shown_as). Actions and events accept `name` and `doc`.
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
///
/// A list of variables, a variable under a condition and an action:
///
/// ```
/// use farm_core::prelude::*;
///
/// /// Lichen on a stone.
/// #[derive(Debug, Clone, Parameters)]
/// struct Lichen {
///     /// Whether it also grows in the shade.
///     shade: bool,
/// }
///
/// #[derive(Columns)]
/// struct Crusts {
///     lichen: Lichen,
///     /// Area of the {each} lichen.
///     #[real(each = ["grey", "yellow"], name = "area.{each}#m2", range = 0.0..=1.0)]
///     areas: [Column<f64>; 2],
///     /// Area of the lichen in the shade.
///     #[real(unit = "m2", range = 0.0..=1.0, when = lichen.shade)]
///     shady: Option<Column<f64>>,
///     /// Scrapes the lichen off.
///     #[action(done = "scraped")]
///     scrape: usize,
/// }
///
/// #[register(entity = Lichen, source = "An example", picture = Picture::in_status_bar("Lichen").otherwise("some", "<svg/>"))]
/// impl Behaviour for Crusts {}
///
/// let kind = farm_core::registry::kind(farm_core::config::PartKind::Entity, "Lichen").unwrap();
/// let part = farm_core::inspect::declarations(kind).unwrap();
/// let names: Vec<&str> = part.variables().iter().map(|variable| variable.name()).collect();
/// assert_eq!(names, ["area.grey#m2", "area.yellow#m2"]);
/// assert_eq!(part.variables()[1].doc(), "Area of the yellow lichen.");
/// assert_eq!(part.actions()[0].done(), Some("scraped"));
/// assert_eq!(part.pictures().len(), 1);
/// ```
///
/// # Mistakes
///
/// These examples do not compile. The text before each example quotes the message of the compiler.
///
/// The struct has no names for its fields: "`Columns` needs a struct with named fields".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions(Column<f64>);
/// ```
///
/// Two fields have no attribute: "only one field may have no attribute (the value passed in)".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     length: f64,
///     width: f64,
/// }
/// ```
///
/// A field has two attributes: "a field may have only one of these attributes".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     /// Moss on the plot.
///     #[real(unit = "g", range = 0.0..=1.0)]
///     #[stream]
///     weight: Column<f64>,
/// }
/// ```
///
/// There is no doc comment: "a variable, action or event needs a description: write a sentence above it, `/// …`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     #[real(unit = "g", range = 0.0..=1.0)]
///     weight: Column<f64>,
/// }
/// ```
///
/// There is no range: "a real needs a range: `range = 0.0..=1.0`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     /// Moss on the plot.
///     #[real(unit = "g")]
///     weight: Column<f64>,
/// }
/// ```
///
/// The range is open: "a range needs both ends, and both are allowed values: `0.0..=1.0`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     /// Moss on the plot.
///     #[real(unit = "g", range = 0.0..1.0)]
///     weight: Column<f64>,
/// }
/// ```
///
/// A category has no names: "a category needs `names = &[…]` or a `kind`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     /// Colour of the moss.
///     #[category(per_plot)]
///     colour: Column<u8>,
/// }
/// ```
///
/// An event has no maximum: "an event needs its maximum number per step: `#[event(per_step = 1)]`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     /// The moss dried up.
///     #[event]
///     dry: EventId,
/// }
/// ```
///
/// An action has a mark without words: "a `badge` needs the past participle of its action: `done = "watered"`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     /// Removes the moss.
///     #[action(badge = "<svg/>")]
///     scrape: usize,
/// }
/// ```
///
/// An argument is unknown: "expected one of `name`, `unit`, `range`, …".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// struct Cushions {
///     /// Moss on the plot.
///     #[real(units = "g", range = 0.0..=1.0)]
///     weight: Column<f64>,
/// }
/// ```
///
/// An argument of the struct is unknown: "expected `view = Name`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// #[derive(Columns)]
/// #[columns(values = Values)]
/// struct Cushions {
///     #[stream]
///     key: u64,
/// }
/// ```
pub trait Columns<Given = ()>: Bound {
    /// Declares all variables, actions and events, and states all needs.
    fn declare(d: &mut Declarations<'_>, given: &Given) -> Self::Declared;
}

/// A part's data, made of what it has declared. `#[derive(Columns)]` implements this trait.
pub trait Bound: Sized {
    /// The tokens and values with the same names, before the game is complete.
    type Declared;

    /// Exchanges the tokens for columns.
    fn bind(declared: Self::Declared, found: &mut Found<'_>) -> Self;
}

impl<T: Bound> Bound for Option<T> {
    type Declared = Option<T::Declared>;

    fn bind(declared: Self::Declared, found: &mut Found<'_>) -> Self {
        declared.map(|declared| T::bind(declared, found))
    }
}

/// Data that exists only if a value is passed in.
impl<Given, T: Columns<Given>> Columns<Option<Given>> for Option<T> {
    fn declare(d: &mut Declarations<'_>, given: &Option<Given>) -> Self::Declared {
        given.as_ref().map(|given| T::declare(d, given))
    }
}
