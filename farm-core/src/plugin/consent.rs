//! The environment variables for plugins: which to load, and whether game files may load their own.

pub use crate::config::ALLOW_PLUGINS_VARIABLE as ALLOW_VARIABLE;

/// The paths of the plugins to load, separated as in `PATH`.
pub const PLUGINS_VARIABLE: &str = "FARM_GYM_PLUGINS";

/// Whether the environment allows game files to load plugins.
pub fn is_allowed_by_environment() -> bool {
    std::env::var(ALLOW_VARIABLE).is_ok_and(|value| matches!(value.as_str(), "1" | "true" | "yes"))
}
