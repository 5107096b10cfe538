//! A part's declarations: variables, observables, actions, events, roles.
//!
//! A part states once what it has and needs, through [`Declarations`]. When all parts have declared, it is bound once, and [`Found`] exchanges
//! its tokens for columns ([`Bind`](crate::Bind)). If declarations depend on what other parts declare, the part makes a second declaration
//! ([`Bind::after`](crate::Bind::after)). For example, pests have a count for each host in the field.
//!
//! ```
//! use farm_core::declare::{ValueKind, category, real};
//!
//! let depth = real("depth#m", 0.0, 5.0, "How deep the pond is.").default(1.0);
//! let stage = category("stage", ValueKind::named(&["egg", "slug"]), "How old they are.").per_plot();
//! assert_eq!(ValueKind::named(&["egg", "slug"]).range(), (0.0, 1.0));
//! # let _ = (depth, stage);
//! ```

mod actions;
mod check;
mod columns;
mod declarations;
mod errors;
mod events;
mod found;
mod needs;
mod phase;
mod pictures;
mod providers;
mod roles;
mod tokens;
mod values;
mod variable_path;
mod variables;

use crate::config::Path;
use crate::state::{Layout, StateSlice};

pub(crate) use providers::Providers;

pub use crate::mass_balance::{BalanceTracker, Flow, MassBalance};
pub use crate::picture::{
    Condition as SpriteCondition, Growth, HeatMap, Picture, Place, SeasonSeries, SeriesKind, Shown, Sprite, SpriteRule,
    Window,
};
pub use actions::{ActionInfo, ActionParameter, ActionParameterKind};
pub use check::{MAX_EVENTS_PER_STEP, MAX_LABELS, MAX_VALUES};
pub(crate) use check::{check_declarations, values_of};
pub use columns::{Bound, Columns};
pub use declarations::Declarations;
pub use errors::{DeclarationError, RoleError};
pub use events::{EventId, EventInfo};
pub use found::{Found, Known, Token};
pub(crate) use needs::{Candidate, problems_of_needs};
pub use phase::Phase;
pub use roles::{Need, Role};
pub use tokens::{All, Maybe, One, Own, OwnEvent};
pub use values::{Labels, ValueKind};
pub use variable_path::{Names, Quantity, Reference, parse_range, parse_tuple};
pub(crate) use variable_path::{ValueForm, parse_tuple_text};
pub(crate) use variables::MAX_PICKED_FROM;
pub use variables::{Extent, ObservableInfo, UsualStart, Variable, VariableInfo, category, count, flag, real};

/// The declarations of a single part.
#[derive(Debug, Clone, Default, PartialEq, farm_macros::Getters)]
pub struct PartInfo {
    /// The part's name within its field or farm, such as `Soil-0`.
    pub(crate) name: String,
    /// The part's kind as written in YAML, such as `Soil`.
    pub(crate) kind: String,
    /// The label that people see, if it differs from the kind.
    #[getter(skip)]
    pub(crate) label: Option<String>,
    /// The index of the part's field; `None` for farmers and the score.
    pub(crate) field: Option<usize>,
    /// The indices of the other fields that use the part. Parts in those fields can also find its roles.
    pub(crate) serves: Vec<usize>,
    /// The part's path in the game, such as `Field-0.Soil-0`.
    pub(crate) path: String,
    /// The part's path in the configuration.
    pub(crate) config: Path,
    /// The variables, in order.
    pub(crate) variables: Vec<VariableInfo>,
    /// The observables, in order.
    pub(crate) observables: Vec<ObservableInfo>,
    /// The actions, in order.
    pub(crate) actions: Vec<ActionInfo>,
    /// The event kinds, in order.
    pub(crate) events: Vec<EventInfo>,
    /// The phases in which the part's `tick` is called.
    pub(crate) phases: Vec<Phase>,
    /// The variable that wakes the part, a flag. While the flag is 0, the part's ticks would change nothing and are skipped.
    #[getter(skip)]
    pub(crate) awakened_by: Option<usize>,
    /// Notes, one sentence each, about data that the part has read from elsewhere.
    pub(crate) notes: Vec<String>,
    /// The roles that the part looks up.
    pub(crate) needs: Vec<(&'static str, Need)>,
    /// What the values of these roles mean.
    #[getter(skip)]
    pub(crate) docs_of_needs: Vec<&'static str>,
    /// The roles whose values the part changes in other parts.
    pub(crate) writes: Vec<&'static str>,
    /// The part's variables for the game's texts, by name.
    pub(crate) text_variables: Vec<(&'static str, String)>,
    /// The part's sentences about how an episode starts.
    pub(crate) world_text: Vec<String>,
    /// Whether the part requested the key for its random streams, and therefore uses randomness.
    pub(crate) draws: bool,
    /// Its pictures.
    pub(crate) pictures: Vec<Picture>,
    /// The mass balances of its stocks.
    pub(crate) mass_balances: Vec<MassBalance>,
}

impl PartInfo {
    /// The label that people see: the part's declared label or, by default, its kind. [`crate::labels::Labels`] translates it.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.kind)
    }

    /// Whether the part can find another part's roles. A part in a field sees parts in the same field, parts that its field uses, and the
    /// farm's own parts. The farm's own parts see all parts.
    pub fn sees(&self, other: &Self) -> bool {
        other.is_seen_from(self.field)
    }

    /// Whether the parts in a field can find this part's roles. The field is `None` for the farm's own parts.
    pub(crate) fn is_seen_from(&self, field: Option<usize>) -> bool {
        let uses = |field: usize| self.serves.contains(&field);
        self.field.is_none() || self.field == field || field.is_none_or(uses)
    }

    /// Whether the parts in a field that see this part can find one of its variables. Per-plot values can be found only by parts in the
    /// same field and by the farm's own parts.
    pub(crate) fn shows(&self, variable: &VariableInfo, field: Option<usize>) -> bool {
        match variable.plots_of {
            Some(of) => field.is_none_or(|own| own == of),
            // Farmers and the score use the plots in the first field.
            None => !variable.per_plot || field.is_none_or(|own| own == self.field.unwrap_or(0)),
        }
    }

    /// The indices of the fields whose parts can find this part's roles. These are the part's own field and the fields that list the part
    /// under `uses`.
    pub fn fields_served(&self) -> Vec<usize> {
        self.field.into_iter().chain(self.serves.iter().copied()).collect()
    }

    /// The own variables with the index of the first one and their number.
    fn own(&self, (first, count): (usize, usize)) -> &[VariableInfo] {
        &self.variables[first..first + count]
    }

    /// Places the variables in the state, and resolves what refers to them.
    pub(crate) fn place(&mut self, layout: &mut Layout) {
        for variable in &mut self.variables {
            variable.slot.1 = layout.place(variable.slot.0, values_of(&variable.shape));
        }
        for observable in &mut self.observables {
            if let Some((first, count)) = observable.copied {
                let copied = &self.variables[first..first + count];
                let len = copied.iter().map(VariableInfo::len).sum::<usize>() as u32;
                observable.copies = copied.first().map(|first| StateSlice::new(first.slot.0, first.slot.1, len));
            }
        }
    }

    /// Splits a name at the dots between group keys. For example, `air_temperature.max#°C` is `max#°C` in the group `air_temperature`. A
    /// prefix is a group if several names start with it. Units such as `mm.day-1` also contain dots.
    pub fn split_name<'n>(&self, name: &'n str) -> Vec<&'n str> {
        let all = || self.variables.iter().map(|v| &v.name).chain(self.observables.iter().map(|o| &o.name));
        let is_group = |prefix: &str| {
            let below = |name: &&String| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
            all().filter(below).count() > 1
        };
        let mut keys = Vec::new();
        let mut start = 0;
        for (dot, _) in name.match_indices('.') {
            if is_group(&name[..dot]) {
                keys.push(&name[start..dot]);
                start = dot + 1;
            }
        }
        keys.push(&name[start..]);
        keys
    }
}

/// A field's shape and location.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct FieldInfo {
    /// The field's name, such as `Field-0`.
    pub(crate) name: String,
    /// The number of plots from west to east (x).
    pub(crate) length: usize,
    /// The number of plots from north to south (y).
    pub(crate) width: usize,
    /// The side length of a plot, in metres.
    pub(crate) scale_m: f64,
    /// The latitude in degrees; north is positive.
    pub(crate) latitude_degrees: f64,
    /// The longitude in degrees; east is positive.
    pub(crate) longitude_degrees: f64,
    /// The altitude above sea level, in metres.
    pub(crate) altitude_m: f64,
}

impl FieldInfo {
    /// The number of plots.
    pub fn plots(&self) -> usize {
        self.length.saturating_mul(self.width)
    }

    /// The area of a single plot, in m².
    pub fn plot_area_m2(&self) -> f64 {
        self.scale_m * self.scale_m
    }
}
