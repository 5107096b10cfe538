//! Why a plugin was not loaded.

use std::path::PathBuf;

use super::abi::API_VERSION;
use super::errors::PluginError;
use crate::config::{Code, Path, Phrase, Problem, Tool};
use crate::declare::DeclarationError;

/// Why a plugin was not loaded. None of the plugin's code ran, unless the variant states otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file does not exist or cannot be read.
    #[error("can't read the plugin `{}`: {reason}", path.display())]
    Unreadable {
        /// The path passed in.
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// The file is not a dynamic library for any system.
    #[error("`{}` is not a library: it starts with {begin}", path.display())]
    NoLibrary {
        /// The file.
        path: PathBuf,
        /// The file's first bytes.
        begin: String,
    },
    /// The file is shorter than its own headers state. The system would map the missing bytes and end the process.
    #[error("the library `{}` was cut off: it has {length} bytes, and its headers require {missing} more", path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// The length of the file, in bytes.
        length: u64,
        /// The number of missing bytes.
        missing: u64,
    },
    /// The library has no plugin identity.
    #[error("`{}` is a library, but not a plugin of this project", path.display())]
    NoPlugin {
        /// The file.
        path: PathBuf,
    },
    /// The plugin was built differently from this program.
    #[error("the plugin `{name}` ({}) has a different build configuration from this program: {differences}", path.display())]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// The plugin's name.
        name: String,
        /// The differences.
        differences: String,
    },
    /// The system cannot load the library. The library's constructors may have run.
    #[error("the system can't load the plugin `{name}` ({}): {reason}", path.display())]
    Unloadable {
        /// The file.
        path: PathBuf,
        /// The plugin's name.
        name: String,
        /// The system's message.
        reason: String,
    },
    /// The library has an identity, but no symbol or no valid descriptor. The library's constructors have run.
    #[error("the plugin `{name}` ({}) has no valid descriptor: {reason}", path.display())]
    NoDescriptor {
        /// The file.
        path: PathBuf,
        /// The plugin's name.
        name: String,
        /// What is wrong with the descriptor.
        reason: String,
    },
    /// The plugin was rejected after the program asked it for its contents.
    #[error("the plugin `{name}` ({}) failed to register: {reason}", path.display())]
    Unregistered {
        /// The file.
        path: PathBuf,
        /// The plugin's name.
        name: String,
        /// The panic message, or what is wrong with the plugin's contents.
        reason: String,
    },
    /// The plugin uses names that are already in use.
    #[error("the plugin `{name}` ({}) has names that are taken: {taken}", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// The plugin's name.
        name: String,
        /// The names, and what uses them.
        taken: String,
    },
    /// The file has changed since it was loaded.
    #[error("the plugin `{name}` ({}) is already loaded, and its file has changed since", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The plugin's name.
        name: String,
    },
    /// This program was built without the `plugins` feature.
    #[error("this program cannot load plugins such as `{}`", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
    },
    /// A game file names the plugin, and the user has not allowed game files to load plugins.
    #[error("the game wants to load the plugin `{}`, which would run its code", path.display())]
    NotAllowed {
        /// The file.
        path: PathBuf,
    },
}

impl LoadError {
    /// What the user can do next.
    pub fn help(&self) -> Phrase {
        match self {
            Self::Unreadable { .. } => {
                "give the path of the library that `cargo build` produced, or its name in that folder \
                                        without `lib` and the file extension"
                    .into()
            }
            Self::NoLibrary { .. } => {
                "build a plugin with `crate-type = [\"rlib\", \"cdylib\"]`; it is in cargo's target \
                                       folder"
                    .into()
            }
            Self::Cut { .. } => "copy it again, or rebuild it".into(),
            Self::NoPlugin { .. } => "its crate needs the line `farm_core::declare_plugin!();` in its `lib.rs`".into(),
            Self::OtherBuild { .. } => {
                "build it with the same compiler, profile and version of farm-core as this program (outside the repository, set the \
                 `opt-level` in its Cargo.toml), or link it into your own program: `use the_crate as _;`"
                    .into()
            }
            Self::Unloadable { .. } => "the libraries that it needs must also be installed".into(),
            Self::NoDescriptor { .. } => {
                format!("use `farm_core::declare_plugin!()` to create it; this program needs version {API_VERSION}").into()
            }
            Self::Unregistered { .. } => "this is a defect in the plugin: report it to its author".into(),
            Self::Taken { .. } => "rename the kinds of one of them, or load only one".into(),
            Self::Changed { .. } => "restart the program: a library cannot be replaced while it runs".into(),
            Self::NotAllowed { path } => {
                Phrase::from("if you trust it: ").with(Tool::AllowPlugin(path.display().to_string()))
            }
            Self::Unsupported { .. } => {
                "use a program that was built with the feature `plugins` of farm-core, or link the plugin into your own program: \
                 `use the_crate as _;`"
                    .into()
            }
        }
    }

    /// The kind of error.
    fn code(&self) -> Code {
        let code = match self {
            Self::Unreadable { .. } => PluginError::PluginNotFound,
            Self::NoLibrary { .. } | Self::NoPlugin { .. } | Self::NoDescriptor { .. } => PluginError::NotAPlugin,
            Self::Cut { .. } | Self::Unloadable { .. } => PluginError::NotAPlugin,
            Self::OtherBuild { .. } => PluginError::OtherBuild,
            Self::Unregistered { .. } => return DeclarationError::PluginFailed.into(),
            Self::Taken { .. } => PluginError::NamesTaken,
            Self::Changed { .. } => PluginError::PluginChanged,
            Self::Unsupported { .. } => PluginError::PluginsUnsupported,
            Self::NotAllowed { .. } => PluginError::PluginNotAllowed,
        };
        code.into()
    }

    /// The error as a problem at a location in a game file.
    pub fn problem(&self, at: Path) -> Problem {
        Problem::new(self.code(), at, self.to_string()).help(self.help())
    }
}
