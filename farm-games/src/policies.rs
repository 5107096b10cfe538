//! Policies: ways to play a game that its YAML names.

mod informed_policy;
mod oracle_policy;
mod random_policy;
mod trigger_policy;
mod wait_policy;

pub use informed_policy::InformedPolicy;
pub use oracle_policy::OraclePolicy;
pub use random_policy::RandomPolicy;
pub use trigger_policy::TriggerPolicy;
pub use wait_policy::WaitPolicy;
