//! Roles, which state what variables mean. Parts use roles to find each other.

use std::marker::PhantomData;

/// What a variable means to other parts. Parts find each other by role, never by type.
///
/// ```
/// use farm_core::prelude::*;
///
/// farm_core::roles! {
///     /// Share of the light that reaches the ground.
///     LIGHT: f64 = per_plot "light_at_ground" in "prop", [0.0, 1.0];
/// }
///
/// #[derive(Columns)]
/// struct Hedge {
///     /// Light below the hedge.
///     #[real(unit = "prop", range = 0.0..=1.0, default = 0.4, per_plot, role = LIGHT)]
///     light: Column<f64>,
/// }
///
/// #[derive(Columns)]
/// struct Moths {
///     #[one(LIGHT)]
///     light: Column<f64>,
/// }
/// # /// Hedges.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Hedges {}
/// # #[register(source = "An example")]
/// # impl Entity for Hedges {
/// #     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
/// #         let hedge = Hedge::declare(d, &());
/// #         Bind::new(move |found| hedge.bind(found))
/// #     }
/// # }
/// # impl Behaviour for Hedge {}
/// # /// Moths.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct MothsInLight {}
/// # #[register(source = "An example")]
/// # impl Entity for MothsInLight {
/// #     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
/// #         d.runs_in(Phase::Visit);
/// #         let moths = Moths::declare(d, &());
/// #         Bind::new(move |found| moths.bind(found))
/// #     }
/// # }
/// # impl Behaviour for Moths {
/// #     fn tick(&self, _: Phase, context: &mut Context<'_>) { assert_eq!(context.get(self.light)[0].get(), 0.4) }
/// # }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let game = farm::game("Hedges: {}, MothsInLight: {}");
/// # Environment::new(game).step("wait").unwrap();
/// ```
#[derive(Debug, farm_macros::Getters)]
pub struct Role<T> {
    /// The role's name.
    pub(crate) name: &'static str,
    /// The unit of its values.
    pub(crate) unit: &'static str,
    /// What the values mean, in one sentence.
    #[getter(skip)]
    pub(crate) doc: &'static str,
    /// Whether the role has one value for the field (or farm) instead of one per plot.
    #[getter(name = is_scalar)]
    pub(crate) scalar: bool,
    /// Whether the values are simply scalar or per plot. The role's description states any other shape.
    #[getter(name = is_plain)]
    pub(crate) plain: bool,
    /// The lowest and highest values that a variable with this role may declare. An infinite value means no limit on that side; `None`
    /// allows any range.
    pub(crate) range: Option<(f64, f64)>,
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Role<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Role<T> {}

impl<T> Role<T> {
    /// A role with one value per plot.
    pub const fn per_plot(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: false, plain: true, range: None, element: PhantomData }
    }

    /// A role with one value for the field or farm.
    pub const fn scalar(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: true, plain: true, range: None, element: PhantomData }
    }

    /// A role whose values have another shape, which its description states.
    pub const fn shaped(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: false, plain: false, range: None, element: PhantomData }
    }

    /// The same role, with a range for its variables. An infinite bound leaves that side open.
    ///
    /// # Panics
    /// If `low` is not below `high`. In a constant, as in `roles!`, this is a compiler error.
    pub const fn within(mut self, low: f64, high: f64) -> Self {
        assert!(low < high, "the lower end of a role's range must be below its upper end");
        self.range = Some((low, high));
        self
    }
}

/// How a part depends on a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// Exactly one provider.
    One,
    /// At most one provider.
    Maybe,
    /// Any number of providers.
    All,
}
