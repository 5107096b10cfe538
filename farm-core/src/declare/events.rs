//! The events that a part emits.

/// A declared event.
///
/// ```
/// use farm_core::EventInfo;
///
/// // In `declare`: `let damage = d.event_with(damage);`, and in a step: `context.emit(damage, plot, 1.0);`.
/// let damage = EventInfo::new("damage", 4, "A plant was damaged.").with_labels(vec!["wind".into(), "hail".into()]);
/// assert_eq!((damage.name(), damage.per_step(), damage.label(1.0)), ("damage", 4, Some("hail")));
/// // Damage happens once. A state such as hunger lasts, and is reported in every step.
/// assert!(!damage.lasting() && EventInfo::new("hunger", 4, "An animal is hungry.").as_lasting().lasting());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct EventInfo {
    /// The event's name. All parts that emit this kind of event use the same name.
    pub(crate) name: String,
    /// What the event is, in one sentence.
    pub(crate) doc: String,
    /// The maximum number of these events per step.
    pub(crate) per_step: usize,
    /// The names of the values 0, 1, 2 …, if the values are not amounts.
    pub(crate) labels: Vec<String>,
    /// Whether the event describes a state that lasts for several steps, rather than something that happens once.
    pub(crate) lasting: bool,
}

impl EventInfo {
    /// An event that happens at most `per_step` times per step. Its value is an amount.
    pub fn new(name: &str, per_step: usize, doc: &str) -> Self {
        Self { name: name.to_owned(), doc: doc.to_owned(), per_step, labels: Vec::new(), lasting: false }
    }

    /// Sets the names of the values 0, 1, 2 ….
    pub fn with_labels(self, labels: Vec<String>) -> Self {
        Self { labels, ..self }
    }

    /// Declares that the event describes a state that lasts for several steps.
    pub fn as_lasting(self) -> Self {
        Self { lasting: true, ..self }
    }

    /// The name of this value, if values have names.
    pub fn label(&self, value: f64) -> Option<&str> {
        self.labels.get(value as usize).map(String::as_str)
    }
}

/// An event kind that one part emits.
///
/// ```
/// use farm_core::prelude::*;
///
/// /// What slugs tell others.
/// #[derive(Columns)]
/// struct Slugs {
///     /// A plant was eaten. The value is the mass of the plant, in g.
///     #[event(per_step = 4)]
///     eaten: EventId,
/// }
///
/// impl Behaviour for Slugs {
///     fn tick(&self, _: Phase, context: &mut Context<'_>) {
///         let events_before = context.events().len();
///         context.emit(self.eaten, 0, 12.5);
///         assert_eq!(context.events()[events_before].id, self.eaten);
///     }
/// }
/// # /// Slugs.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct EatingSlugs {}
/// # #[register(source = "An example")]
/// # impl Entity for EatingSlugs {
/// #     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
/// #         d.runs_in(Phase::Visit);
/// #         let slugs = Slugs::declare(d, &());
/// #         Bind::new(move |found| slugs.bind(found))
/// #     }
/// # }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let mut environment = Environment::new(farm::game("EatingSlugs: {}"));
/// # environment.step("wait").unwrap();
/// # assert_eq!(environment.last_step().events().len(), 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId(pub(crate) u16);

impl EventId {
    /// Its index among all of the game's event kinds.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
