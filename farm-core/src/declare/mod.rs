//! What a part declares: variables, observables, actions, events, roles.
//!
//! A part declares all of it in its `build`, through a [`Builder`]. What a part declares may depend on what others declare: pests
//! count themselves on each host of the field, and a score may weigh any of these counts. So `build` is called again until the
//! declarations of all parts stand still, and the last call is the one that plays. It depends on nothing but the part's own
//! parameters and what the builder says.
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
mod builder;
mod check;
mod columns;
mod errors;
mod events;
mod phase;
mod pictures;
mod providers;
mod roles;
mod values;
mod variable_path;
mod variables;

use crate::config::Path;
use crate::state::{Column, Layout};

use providers::Providers;

pub use crate::mass_balance::{BalanceTracker, Flow, MassBalance};
pub use crate::picture::{
    Condition as SpriteCondition, Growth, HeatMap, Picture, Place, SeasonSeries, SeriesKind, Shown, Sprite, SpriteRule,
    Window,
};
pub use actions::{ActionInfo, ActionParameter, ActionParameterKind};
pub use builder::Builder;
pub(crate) use builder::Candidate;
pub use check::{MAX_EVENTS_PER_STEP, MAX_VALUES};
pub(crate) use check::{check_declarations, values_of};
pub use columns::Columns;
pub use errors::{DeclarationError, RoleError};
pub use events::{EventId, EventInfo};
pub use phase::Phase;
pub use roles::{Need, Role};
pub use values::{Labels, ValueKind};
pub use variable_path::{Names, Quantity, Reference, parse_range, parse_tuple};
pub(crate) use variable_path::{ValueForm, parse_tuple_text};
pub(crate) use variables::MAX_PICKED_FROM;
pub use variables::{Extent, ObservableInfo, UsualStart, Variable, VariableInfo, category, count, flag, real};

/// What one part declared.
#[derive(Debug, Clone, Default, PartialEq, farm_macros::Getters)]
pub struct PartInfo {
    /// Its name within its field or farm, such as `Soil-0`.
    pub(crate) name: String,
    /// The kind as written in YAML, such as `Soil`.
    pub(crate) kind: String,
    /// The field it belongs to; none for farmers and the score.
    pub(crate) field: Option<usize>,
    /// Other fields that use it, by index: their parts find its roles, too.
    pub(crate) serves: Vec<usize>,
    /// Its path in the game, such as `Field-0.Soil-0`.
    pub(crate) path: String,
    /// Its place in the configuration.
    pub(crate) config: Path,
    /// The variables, in order.
    pub(crate) variables: Vec<VariableInfo>,
    /// The observables, in order.
    pub(crate) observables: Vec<ObservableInfo>,
    /// The actions, in order.
    pub(crate) actions: Vec<ActionInfo>,
    /// The event kinds, in order.
    pub(crate) events: Vec<EventInfo>,
    /// The phases in which it ticks.
    pub(crate) phases: Vec<Phase>,
    /// The flag without which its ticks change nothing, so that they are left out.
    #[getter(skip)]
    pub(crate) awake: Option<Column<u8>>,
    /// What it has read from elsewhere, in sentences.
    pub(crate) notes: Vec<String>,
    /// The roles it looks up.
    pub(crate) needs: Vec<(&'static str, Need)>,
    /// The roles of which it changes the values of others.
    pub(crate) writes: Vec<&'static str>,
    /// What can be said of it in the texts of the game, by name.
    pub(crate) text_variables: Vec<(&'static str, String)>,
    /// What it says of how episodes begin, in sentences.
    pub(crate) world_text: Vec<String>,
    /// Whether it asked for the key of its random streams, which is how a part says that it draws.
    pub(crate) draws: bool,
    /// How it is drawn.
    pub(crate) pictures: Vec<Picture>,
    /// The balances of its stocks.
    pub(crate) mass_balances: Vec<MassBalance>,
}

impl PartInfo {
    /// Whether it finds the roles of another part: parts of a field see those of the same field, those of other fields that it
    /// uses, and the farm's own parts, which see everybody.
    pub fn sees(&self, other: &Self) -> bool {
        let uses = |field: usize| other.serves.contains(&field);
        other.field.is_none() || other.field == self.field || self.field.is_none_or(uses)
    }

    /// Whether it finds a variable of a part that it sees: values per plot are for the parts of one field, and for those of the farm.
    pub fn finds(&self, other: &Self, variable: &VariableInfo) -> bool {
        match variable.plots_of {
            Some(field) => self.field.is_none_or(|own| own == field),
            // A farmer's and the score's plots are those of the first field.
            None => !variable.per_plot || self.field.is_none_or(|own| own == other.field.unwrap_or(0)),
        }
    }

    /// A name split at the dots between the keys of groups: `air_temperature.max#°C` is `max#°C` of `air_temperature`. A prefix
    /// is a group when several names begin with it; dots also stand in units such as `mm.day-1`.
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

/// The form and place of a field.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct FieldInfo {
    /// Its name, such as `Field-0`.
    pub(crate) name: String,
    /// Number of plots from west to east (x).
    pub(crate) length: usize,
    /// Number of plots from north to south (y).
    pub(crate) width: usize,
    /// Edge of a plot in metres.
    pub(crate) scale_m: f64,
    /// Degrees, north positive.
    pub(crate) latitude_degrees: f64,
    /// Degrees, east positive.
    pub(crate) longitude_degrees: f64,
    /// Metres above the sea.
    pub(crate) altitude_m: f64,
}

impl FieldInfo {
    /// Number of plots.
    pub fn plots(&self) -> usize {
        self.length.saturating_mul(self.width)
    }

    /// Area of one plot in m².
    pub fn plot_area_m2(&self) -> f64 {
        self.scale_m * self.scale_m
    }
}

/// The declarations of all parts after one round.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Draft {
    pub parts: Vec<PartInfo>,
    pub layout: Layout,
    pub providers: Providers,
}

impl Draft {
    /// Makes the roles of all parts known, once all of them have declared.
    pub(crate) fn index(&mut self) {
        self.providers = Providers::of(&self.parts);
    }
}
