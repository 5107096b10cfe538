//! The environment variables for plugins. They set which plugins to load, and whether game files may load plugins.

pub use crate::config::ALLOW_PLUGINS_VARIABLE as ALLOW_VARIABLE;

/// The paths to the plugins to load, separated as in `PATH`.
pub const PLUGINS_VARIABLE: &str = "FARM_GYM_PLUGINS";

/// Whether the environment variable allows game files to load plugins.
pub fn is_allowed_by_environment() -> bool {
    std::env::var(ALLOW_VARIABLE).is_ok_and(|value| matches!(value.as_str(), "1" | "true" | "yes"))
}
