//! Why a plugin was not loaded.

use std::path::PathBuf;

use super::abi::API_VERSION;
use super::errors::PluginError;
use crate::config::{Code, Path, Phrase, Problem, Tool};
use crate::declare::DeclarationError;

/// Why a plugin was not loaded. Nothing of it was called, unless it is said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such file, or it can't be read.
    #[error("can't read the plugin `{}`: {reason}", path.display())]
    Unreadable {
        /// The path given.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file is no dynamic library of any system.
    #[error("`{}` is not a library: it begins with {begin}", path.display())]
    NoLibrary {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        begin: String,
    },
    /// The file is shorter than its own headers say. The system would map what is not there, and end the process.
    #[error("the library `{}` was cut off: it has {length} bytes, and its headers speak of {missing} more", path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// How many bytes it has.
        length: u64,
        /// How many are missing.
        missing: u64,
    },
    /// The library says nothing of being a plugin.
    #[error("`{}` is a library, but no plugin of this project", path.display())]
    NoPlugin {
        /// The file.
        path: PathBuf,
    },
    /// It was built in another way than this program.
    #[error("the plugin `{name}` ({}) was not built like this program: {differences}", path.display())]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// Name of the plugin.
        name: String,
        /// What differs.
        differences: String,
    },
    /// The system refuses to load it. Its constructors may have run.
    #[error("the system can't load the plugin `{name}` ({}): {reason}", path.display())]
    Unloadable {
        /// The file.
        path: PathBuf,
        /// Name of the plugin.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// It has an identity but not the symbol, or a descriptor that is none. Its constructors have run.
    #[error("the plugin `{name}` ({}) has no sound descriptor: {reason}", path.display())]
    NoDescriptor {
        /// The file.
        path: PathBuf,
        /// Name of the plugin.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// It was refused after it was asked what it has.
    #[error("the plugin `{name}` ({}) failed to register: {reason}", path.display())]
    Unregistered {
        /// The file.
        path: PathBuf,
        /// Name of the plugin.
        name: String,
        /// What the panic said, or what is wrong with what it has.
        reason: String,
    },
    /// It has names that others have.
    #[error("the plugin `{name}` ({}) has names that are taken: {taken}", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// Name of the plugin.
        name: String,
        /// Which, and by whom.
        taken: String,
    },
    /// The file is another than when it was loaded.
    #[error("the plugin `{name}` ({}) was loaded already, and its file has changed since", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// Name of the plugin.
        name: String,
    },
    /// This program was built without the feature `plugins`.
    #[error("this program can't load plugins, and so not `{}`", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
    },
    /// A game file names it, and the user has not allowed game files to load plugins.
    #[error("the game wants to load the plugin `{}`, which would run its code", path.display())]
    NotAllowed {
        /// The file.
        path: PathBuf,
    },
}

impl LoadError {
    /// What the user can do.
    pub fn help(&self) -> Phrase {
        match self {
            Self::Unreadable { .. } => {
                "give the path of the library that `cargo build` made, or its name in that folder \
                                        without `lib` and ending"
                    .into()
            }
            Self::NoLibrary { .. } => {
                "a plugin is built with `crate-type = [\"rlib\", \"cdylib\"]` and lies in cargo's target \
                                       folder"
                    .into()
            }
            Self::Cut { .. } => "copy it again, or build it anew".into(),
            Self::NoPlugin { .. } => "its crate needs the line `farm_core::declare_plugin!();` in its `lib.rs`".into(),
            Self::OtherBuild { .. } => {
                "build it with the same compiler, profile and version of farm-core as this program, or \
                                        link it into a program of your own: `use the_crate as _;`"
                    .into()
            }
            Self::Unloadable { .. } => "the libraries that it needs must be there, too".into(),
            Self::NoDescriptor { .. } => {
                format!("only `farm_core::declare_plugin!()` makes it; this program has version {API_VERSION} of it").into()
            }
            Self::Unregistered { .. } => "this is a defect of the plugin: tell its author".into(),
            Self::Taken { .. } => "rename the kinds of one of them, or load only one".into(),
            Self::Changed { .. } => "start the program anew: a library can't be exchanged while it runs".into(),
            Self::NotAllowed { path } => {
                Phrase::from("if you trust it: ").with(Tool::AllowPlugin(path.display().to_string()))
            }
            Self::Unsupported { .. } => {
                "use a program that was built with the feature `plugins` of farm-core, or link the plugin into one of your own: \
                 `use the_crate as _;`"
                    .into()
            }
        }
    }

    /// The kind of mistake.
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

    /// The same as a problem at a place of a game file.
    pub fn problem(&self, at: Path) -> Problem {
        Problem::new(self.code(), at, self.to_string()).help(self.help())
    }
}
