//! Finds a registered kind's declarations by building the kind with its defaults in a separate field. Also shows how a part's random draws
//! affect an episode, and how the part affects other parts' variables.
//!
//! ```
//! use farm_core::prelude::*;
//!
//! /// Pebbles, which do nothing.
//! #[derive(Debug, Clone, Parameters)]
//! struct Pebbles {}
//!
//! #[derive(Columns)]
//! struct Heap {
//!     /// How many lie there.
//!     #[count(unit = "nb", range = 0..=9, per_plot)]
//!     number: Column<i32>,
//! }
//!
//! #[register(entity = Pebbles, source = "An example")]
//! impl Behaviour for Heap {}
//!
//! let kind = farm_core::registry::kind(farm_core::config::PartKind::Entity, "Pebbles").unwrap();
//! let declared = farm_core::inspect::declarations(kind).unwrap();
//! assert_eq!(declared.variables()[0].name(), "number#nb");
//! ```

mod foreign_writes;
mod hidden;
mod other_seed;
mod sleep;
mod world_seed;

pub use foreign_writes::{ForeignWrite, foreign_writes};
pub use hidden::other_hidden_values;
pub use other_seed::OtherSeed;
pub use sleep::disturbed_sleeper;
pub use world_seed::WorldSeed;

pub use crate::dependency_graph::{Influence, influences};
pub use crate::describe::{
    allowed_text, argument, endings, event_place, event_words, label_rows, look_text, parameter_text, picture_notes,
    place_text, plots, shape_text, sprite_text, title_text, yaml_text,
};
pub use crate::format::{
    DAYS_PER_YEAR, alternatives, bounds, counted, date_of, decimals, escape_controls, escape_line, first_sentence,
    format_number, is_day_of_year, join_truncated, listed, money, month_and_day, plural, range, short_number, singular,
    thousands,
};
pub use crate::monitor::{MonitorError, list as monitors_of};
pub use crate::spec::{declarations, declarations_with, pictures, providers_of};
pub use crate::text::RulesText;
