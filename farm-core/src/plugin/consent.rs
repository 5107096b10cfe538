//! What the environment says of plugins: which to load, and whether game files may load theirs.

/// Paths of plugins to load, separated as in `PATH`.
pub const PLUGINS_VARIABLE: &str = "FARM_GYM_PLUGINS";
/// Whether game files may load the plugins that they name: `1` if so.
pub const ALLOW_VARIABLE: &str = "FARM_GYM_ALLOW_PLUGINS";

/// Whether the environment allows game files to load plugins.
pub fn is_allowed_by_environment() -> bool {
    std::env::var(ALLOW_VARIABLE).is_ok_and(|value| matches!(value.as_str(), "1" | "true" | "yes"))
}
