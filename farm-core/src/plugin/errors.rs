//! Error codes for plugins.

use crate::codes;

codes! {
    /// Plugins: libraries of third parties with parts.
    pub enum PluginError: "plugins" {
        /// The game names a plugin, and the user has not allowed game files to load plugins.
        ///
        /// A plugin runs with all rights of the program. Allow it only if you trust it.
        PluginNotAllowed = "plugin-not-allowed",
        /// No plugin exists at this path, or it cannot be read.
        ///
        /// Give the path of the library that `cargo build` produced.
        PluginNotFound = "plugin-not-found",
        /// The file is not a plugin of this project, or it is damaged.
        ///
        /// A plugin is a dynamic library whose crate contains the line `farm_core::declare_plugin!();`. Build it again.
        NotAPlugin = "not-a-plugin",
        /// The plugin has a different build configuration from this program.
        ///
        /// Program and plugin exchange Rust values, so the compiler, the profile and the version of farm-core must be the same.
        OtherBuild = "other-build",
        /// The plugin uses names that already exist.
        ///
        /// A game file would be ambiguous. Rename the kinds of one of the plugins, or load only one of them.
        NamesTaken = "names-taken",
        /// The plugin is already loaded, and its file has changed since.
        ///
        /// A library cannot be replaced while the program runs. Restart the program.
        PluginChanged = "plugin-changed",
        /// This program cannot load plugins.
        ///
        /// Use a program that was built with the feature `plugins` of farm-core, or link the plugin into your own program.
        PluginsUnsupported = "plugins-unsupported",
    }
}
