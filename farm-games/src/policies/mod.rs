//! Policies: scripted players that a game's YAML names, or that a user writes in a separate file.
//!
//! `TriggerPolicy` is the general form: if these conditions hold, take that action. The catalogue's policies write such rules for the usual
//! farm work: sowing, harvesting, watering, scattering, weeding and scaring birds. They use roles to find the parts that they act on.
//! `CombinedPolicy` combines several policies.

mod caring_policy;
mod combined_policy;
mod crop_learner;
mod each_plot;
mod harvest_policy;
mod informed_policy;
mod known_kinds;
mod memory;
mod observe_policy;
mod oracle_policy;
mod random_policy;
mod scarecrow_policy;
mod scatter_policy;
mod schedule_budget;
mod sow_policy;
mod targets;
mod text;
mod trigger_policy;
mod triggers;
mod wait_policy;
mod walking_policy;
mod water_policy;
mod weed_policy;

pub use caring_policy::CaringPolicy;
pub use combined_policy::{CombinedPolicy, player};
pub use crop_learner::CropLearnerPolicy;
pub(crate) use crop_learner::{Bed, Care, CropField, Tending, Watering};
pub use harvest_policy::HarvestPolicy;
pub use informed_policy::InformedPolicy;
pub(crate) use informed_policy::{Memory, ObservedPlaces, decide, entry};
pub use known_kinds::KnownKind;
pub(crate) use known_kinds::{ShownTile, Sights};
pub use memory::{Tally, Term};
pub use observe_policy::ObservePolicy;
pub use oracle_policy::OraclePolicy;
pub use random_policy::RandomPolicy;
pub use scarecrow_policy::ScarecrowPolicy;
pub use scatter_policy::{ScatterPolicy, Scatterable};
pub use sow_policy::SowPolicy;
pub(crate) use targets::fills;
pub use text::{policy, policy_by_name, policy_from_value};
pub use trigger_policy::{Trigger, TriggerPolicy};
pub use wait_policy::WaitPolicy;
pub use walking_policy::{Task, WalkingPolicy};
pub use water_policy::WaterPolicy;
pub use weed_policy::WeedPolicy;
