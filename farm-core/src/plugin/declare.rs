//! The line with which a crate declares itself a plugin.

/// Makes a crate one that can be loaded as a plugin: stands once in its `lib.rs`, and exports all kinds and roles that the
/// crate registers. The plugin is named after the package, unless a name is given: `declare_plugin!("slugs")`.
///
/// The crate is built as a `cdylib` beside the `rlib` (`crate-type = ["rlib", "cdylib"]`), so that it can still be linked.
#[macro_export]
macro_rules! declare_plugin {
    () => {
        $crate::declare_plugin!(env!("CARGO_PKG_NAME"));
    };
    ($name:expr) => {
        const _: () = {
            const TEXTS: [&str; 4] = [
                $crate::plugin::MARKER,
                concat!($name, "|", env!("CARGO_PKG_VERSION"), "|", env!("CARGO_CRATE_NAME"), "|"),
                $crate::plugin::IDENTITY,
                $crate::plugin::END,
            ];
            static IDENTITY: [u8; $crate::plugin::length(TEXTS)] = $crate::plugin::joined(TEXTS);

            // SAFETY: the symbol ends in the crate's name, so no other of the program has it, and it is a `static` that the
            // loader reads under the same declaration.
            #[allow(unsafe_code, reason = "a plugin exports a symbol under a name of its own")]
            #[unsafe(export_name = concat!("FARM_GYM_PLUGIN_", env!("CARGO_CRATE_NAME")))]
            static DESCRIPTOR: $crate::plugin::Descriptor = $crate::plugin::Descriptor::new(
                &IDENTITY,
                |host| $crate::plugin::register(host, $name, module_path!()),
                $crate::plugin::read,
            );

            $crate::inventory::submit! {
                $crate::plugin::LinkedPlugin::new($name, env!("CARGO_PKG_VERSION"))
            }
        };
    };
}
