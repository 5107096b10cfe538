//! The macro that makes a crate a plugin.

/// Makes a crate loadable as a plugin. Write it once in the crate's `lib.rs`. It exports all kinds and roles that the crate registers. By
/// default, the plugin's name is the package name. To set another name, pass it: `declare_plugin!("slugs")`.
///
/// Build the crate both as a `cdylib` and as an `rlib` (`crate-type = ["rlib", "cdylib"]`), so that programs can still link it.
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

            // SAFETY: the symbol ends with the crate's name, so no other symbol in the program has the same name. It is a `static`, and the
            // loader reads it with the same declaration.
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
