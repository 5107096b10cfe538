//! The codes of plugins.

use crate::codes;

codes! {
    /// Plugins: libraries of third parties with parts.
    pub enum PluginError: "plugins" {
        /// The game wants to load a plugin, and nobody has allowed it.
        ///
        /// A plugin runs with all rights of the program. Allow it where you trust it.
        PluginNotAllowed = "plugin-not-allowed",
        /// There is no plugin at this path, or it can't be read.
        ///
        /// Give the path of the library that `cargo build` made.
        PluginNotFound = "plugin-not-found",
        /// The file is not a plugin of this project, or a damaged one.
        ///
        /// A plugin is a dynamic library whose crate has the line `farm_core::declare_plugin!();`. Build it anew.
        NotAPlugin = "not-a-plugin",
        /// The plugin was not built like this program.
        ///
        /// Values of Rust are passed between both, so that compiler, profile and version of farm-core must be the same.
        OtherBuild = "other-build",
        /// The plugin has names that others have.
        ///
        /// A game file would not say which is meant. Rename the kinds of one of them, or load only one.
        NamesTaken = "names-taken",
        /// The plugin was loaded before, and its file has changed since.
        ///
        /// A library can't be exchanged while the program runs. Start it anew.
        PluginChanged = "plugin-changed",
        /// This program can't load plugins.
        ///
        /// Use one that was built with the feature `plugins` of farm-core, or link the plugin into one of your own.
        PluginsUnsupported = "plugins-unsupported",
    }
}
