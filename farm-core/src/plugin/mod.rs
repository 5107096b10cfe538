//! Plugins, which are third-party libraries that are loaded while the program runs.
//!
//! There are two ways to use a crate that registers kinds. A **linked** crate (`use the_crate as _;`) is preferable, because the compiler
//! checks everything. A **loaded** crate ([`load`]) is for users who do not build the program themselves. It is built as a `cdylib` and
//! contains the line [`declare_plugin!()`](crate::declare_plugin). In both cases, the same games produce the same bytes.
//!
//! Loading requires this crate's `plugins` feature. farm-games and the command line enable it by default.
//! Without this feature, the crate builds for targets without a dynamic loader. Every library is then rejected
//! ([`LoadError::Unsupported`]), but linking works as usual.
//!
//! ```
//! use farm_core::plugin::{load, loaded};
//!
//! assert!(load("no_such_library".as_ref()).is_err());
//! assert!(loaded().is_empty());
//! ```
//!
//! # Trust
//!
//! A plugin is code that runs with all of the program's rights. It can read, write and send everything that the user can. Load only code
//! that you would also run directly. A plugin is therefore loaded only at the user's request, through a path on the command line, in the
//! environment or in a call. A game file that names plugins is rejected until the user allows them, because people share game files as
//! data. The checks below find mistakes. They do not stop malicious code.
//!
//! # Checks, in this order
//!
//! Rust guarantees no ABI. Each compiler and each build configuration may use a different memory layout for the same types. The library
//! must therefore be built by the same compiler, for the same target, with the same optimisation and the same engine sources. The program
//! rejects the following with a reason, and no other code from the library runs:
//!
//! 1. A file that is missing, or that does not start like a dynamic library.
//! 2. A library without an identity, or with the identity of a different build. The identity is read from the file's bytes before the
//!    system loader opens it, because loading runs the library's constructors.
//! 3. A library without the symbol, or whose descriptor has a different magic, size, ABI version, identity or layout. By then, the
//!    library's constructors have run, but none of its other code.
//! 4. A plugin that panics during registration, or that uses names that the program or another plugin already uses.
//!
//! # Remaining limits
//!
//! * For other crates, the check compares only the sizes of the types used across the ABI. If you can, build the plugin with the program's
//!   `Cargo.lock`.
//! * One side allocates memory and the other side frees it, so both must use the system's allocator, which is the default. A program with
//!   its own `#[global_allocator]` must not load plugins, unless that allocator only wraps the system's.
//! * A library is never unloaded, so none of its values can outlive it.
//! * A panic in a method is caught on the plugin's side of the call. It ends the environment with a [`crate::Failure`]. An abort ends the
//!   process. A stack overflow always aborts, and an uncaught panic in a thread may abort.
//! * The plugin has its own copy of the engine. If the plugin calls `kinds()`, it gets only its own kinds.

mod abi;
mod catch;
mod client;
mod consent;
mod declare;
mod errors;
mod export;
mod fingerprint;
mod host;
mod load_error;
#[cfg(feature = "plugins")]
mod object_file;

pub use abi::{API_VERSION, Descriptor, Host, MAGIC, ReadPart, Remote, SYMBOL};
pub use consent::{ALLOW_VARIABLE, PLUGINS_VARIABLE, is_allowed_by_environment};
#[doc(hidden)]
pub use errors::PluginError;
pub use export::{read, register};
pub use fingerprint::{END, IDENTITY, LAYOUT, MARKER};
#[doc(hidden)]
pub use fingerprint::{joined, length};
pub use host::{LinkedPlugin, Plugin, load, load_all, load_from_environment, load_named, loaded};
pub use load_error::LoadError;
