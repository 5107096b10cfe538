//! Plugins: libraries of third parties, loaded while the program runs.
//!
//! A crate that registers kinds can be used in two ways. **Linked** (`use the_crate as _;`) is first class: the compiler checks
//! everything. **Loaded** ([`load`]) serves those who do not build the program themselves: the crate is built as a `cdylib` with
//! the line [`declare_plugin!()`](crate::declare_plugin), and the same games play the same bytes.
//!
//! Loading needs the feature `plugins` of this crate, which farm-games and the command line have on unless they are told otherwise.
//! Without it the crate builds for targets without a dynamic loader; every library is then refused
//! ([`LoadError::Unsupported`]), and linking works as before.
//!
//! ```
//! use farm_core::plugin::{load, loaded};
//!
//! assert!(load("no_such_library".as_ref()).is_err());
//! assert!(loaded().is_empty());
//! ```
//!
//! # What a library is trusted with
//!
//! A plugin is code that runs with all rights of the program: it can read, write and send what the user can. Load only what
//! you would also run. That is why nothing is loaded unless a person asks for it: by a path on the command line, in the
//! environment or in a call. A game file that names plugins is refused until the user allows it, since files are passed around
//! as data. The checks below find mistakes; they do not stop malice.
//!
//! # What is checked, in this order
//!
//! Rust promises no ABI: types may lie differently in memory with each compiler and each way of building. So a library must
//! have been built by the same compiler, for the same target, at the same optimisation, with the same engine down to its
//! sources. Refused, with the reason and with nothing else called:
//!
//! 1. a file that is missing, or no dynamic library by its first bytes;
//! 2. a library without an identity, or with that of another build. It is read from the bytes of the file, before the system's
//!    loader sees it: loading alone would run the library's constructors;
//! 3. a library without the symbol, or whose descriptor has another magic, size, version of the border, identity or layout. Its
//!    constructors have run by then, and nothing else of it;
//! 4. a panic while it registers; names that the program or another plugin already has.
//!
//! # What remains
//!
//! * The versions of other crates at which the plugin was built are compared only by the sizes of those types that cross the
//!   border: build the plugin with the `Cargo.lock` of the program where you can.
//! * Memory is allocated on one side and freed on the other: both must use the system's allocator, which is the default. A
//!   program with a `#[global_allocator]` of its own that is no mere wrapper of it must not load plugins.
//! * A library is never unloaded, so nothing made from it can outlive it.
//! * A panic in a method is caught on the plugin's side of the call: it ends that environment with a [`crate::Failure`]. What
//!   aborts (a panic in a thread that has none to catch it may, a stack overflow does) ends the process.
//! * The plugin has its own copy of the engine: `kinds()` called by the plugin lists its own kinds alone.

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
