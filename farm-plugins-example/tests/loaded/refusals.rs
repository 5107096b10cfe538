//! What is refused, each with a real bad file: the reason is told, and nothing of the file runs that need not.

use std::path::{Path, PathBuf};
use std::process::Command;

use farm_core::plugin::{API_VERSION, Descriptor, END, IDENTITY, LAYOUT, LoadError, MARKER, SYMBOL};
use farm_games::Options;

use crate::support::{example, folder, garden, loaded, refused, says, slugs};

/// Compiles a library of our own making, with the plain compiler.
fn library(name: &str, source: &str) -> PathBuf {
    let folder = folder("refusals");
    let (code, file) = (folder.join(format!("{name}.rs")), folder.join(format!("{name}.so")));
    std::fs::write(&code, source).expect("a file");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut run = Command::new(rustc);
    run.args(["--edition", "2024", "--crate-type", "cdylib", "-C", "debuginfo=0", "-o"]).arg(&file).arg(&code);
    let run = run.output().expect("the compiler");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    file
}

/// Code that leaves a file behind when the system loads the library, and a function that leaves another when it is called.
fn witnesses(name: &str) -> (PathBuf, PathBuf, String) {
    let (loaded, called) =
        (folder("refusals").join(format!("{name}.loaded")), folder("refusals").join(format!("{name}.called")));
    for file in [&loaded, &called] {
        drop(std::fs::remove_file(file));
    }
    let code = format!(
        "extern \"C\" fn on_load() {{ let _ = std::fs::write({loaded:?}, \"loaded\"); }}\n\
         #[used]\n#[cfg_attr(target_os = \"linux\", unsafe(link_section = \".init_array\"))]\n\
         static ON_LOAD: extern \"C\" fn() = on_load;\n\
         fn called() {{ let _ = std::fs::write({called:?}, \"called\"); }}\n",
    );
    (loaded, called, code)
}

/// A library with an identity and perhaps a descriptor.
fn with_identity(name: &str, identity: &str, descriptor: &str) -> (PathBuf, PathBuf, PathBuf) {
    let (loaded, called, code) = witnesses(name);
    let text = format!("{MARKER}{name}|1.0.0|{name}|{identity}{END}");
    let source = format!(
        "{code}\n#[used]\nstatic TEXT: [u8; {}] = *b\"{}\";\n\
         #[unsafe(no_mangle)] pub extern \"C\" fn something() -> u8 {{ called(); TEXT[0] }}\n{descriptor}\n",
        text.len(),
        text.as_bytes().escape_ascii()
    );
    (library(name, &source), loaded, called)
}

/// A descriptor with these entries, whose functions leave a file behind when they are called.
fn descriptor(name: &str, magic: &str, size: usize, api: u32, layout: u64) -> String {
    format!(
        "#[repr(C)] pub struct D {{ magic: [u8; 16], size: u32, api: u32, layout: u64, text: &'static [u8], a: fn(), b: fn() }}\n\
         #[unsafe(no_mangle)] pub static {SYMBOL}{name}: D = D {{ magic: *b\"{}\", size: {size}, api: {api}, layout: {layout}, \
         text: &TEXT, a: called, b: called }};",
        magic.as_bytes().escape_ascii()
    )
}

const MAGIC: &str = "farm-gym plugin\0";
const SIZE: usize = size_of::<Descriptor>();

#[track_caller]
#[test]
fn a_file_that_is_missing_or_no_library_is_refused() {
    let folder = folder("refusals");
    let missing = refused(&folder.join("nowhere"));
    assert!(matches!(missing, LoadError::Unreadable { .. }));
    says(&missing, &["can't read the plugin", "nowhere", "No such file", "cargo build"]);
    let text = folder.join("text.so");
    std::fs::write(&text, "name: farm0\n").unwrap();
    says(&refused(&text), &["is not a library", "`name: fa`", "cdylib"]);
    let empty = folder.join("empty.so");
    std::fs::write(&empty, "").unwrap();
    says(&refused(&empty), &["is not a library", "empty"]);
    assert!(matches!(refused(&folder), LoadError::Unreadable { .. }), "a folder");
    // Cut in the middle: it begins like a library.
    let cut = folder.join("cut.so");
    std::fs::write(&cut, &std::fs::read(slugs()).unwrap()[..4096]).unwrap();
    assert!(matches!(refused(&cut), LoadError::Cut { .. }));
    // Wherever it is cut: the half is enough for its identity and, beside long tables for debuggers, for all that is loaded of it.
    let whole = std::fs::read(slugs()).unwrap();
    for length in [whole.len() / 8, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&cut, &whole[..length]).unwrap();
        says(&refused(&cut), &["was cut off", "its headers require", "copy it again"]);
    }
    if cfg!(unix) {
        says(&refused(Path::new("/dev/zero")), &["/dev/zero", "not a regular file"]);
    }
}

#[test]
fn a_library_that_is_no_plugin_is_refused_before_the_system_loads_it() {
    let (on_load, _, code) = witnesses("stranger");
    let stranger = library("stranger", &format!("{code}\n#[unsafe(no_mangle)] pub extern \"C\" fn f() {{ called() }}"));
    let refused = refused(&stranger);
    assert!(matches!(refused, LoadError::NoPlugin { .. }));
    says(&refused, &["is a library, but not a plugin", "declare_plugin!"]);
    assert!(!on_load.exists(), "not even its constructors ran");
}

#[test]
fn a_plugin_of_another_build_is_refused_before_the_system_loads_it() {
    for (name, from, to) in [
        ("old_core", format!("farm-core {}", env!("CARGO_PKG_VERSION")), "farm-core 0.0.1".to_owned()),
        ("other_rustc", "rustc 1.".to_owned(), "rustc 7.".to_owned()),
        ("other_target", "target ".to_owned(), "target z80-".to_owned()),
        ("other_sources", "sources ".to_owned(), "sources f".to_owned()),
        ("other_form", "|panic ".to_owned(), "|more|panic ".to_owned()),
    ] {
        let identity = IDENTITY.replacen(&from, &to, 1);
        assert_ne!(identity, IDENTITY);
        let (file, on_load, called) =
            with_identity(name, &identity, &descriptor(name, MAGIC, SIZE, API_VERSION, LAYOUT));
        let refused = refused(&file);
        assert!(matches!(refused, LoadError::OtherBuild { .. }), "{refused}");
        says(
            &refused,
            &[
                name,
                "has a different build configuration from this program",
                to.trim_start_matches('|'),
                "use the_crate as _;",
            ],
        );
        assert!(!on_load.exists() && !called.exists(), "nothing of it ran");
    }
}

#[test]
fn a_plugin_without_a_sound_descriptor_is_refused_and_nothing_of_it_called() {
    let layout = LAYOUT ^ 1;
    let (next, own) =
        (format!("ABI version {}", API_VERSION + 1), format!("bytes), this program has version {API_VERSION}"));
    let sound = |name| descriptor(name, MAGIC, SIZE, API_VERSION, LAYOUT);
    for (name, descriptor, words) in [
        ("no_symbol", String::new(), "exports no `FARM_GYM_PLUGIN_no_symbol`"),
        ("other_symbol", sound("something_else"), "exports no `FARM_GYM_PLUGIN_other_symbol`"),
        (
            "no_magic",
            descriptor("no_magic", "farm-gym_plugin\0", SIZE, API_VERSION, LAYOUT),
            "does not start like a descriptor",
        ),
        ("other_api", descriptor("other_api", MAGIC, SIZE, API_VERSION + 1, LAYOUT), next.as_str()),
        ("other_size", descriptor("other_size", MAGIC, SIZE - 8, API_VERSION, LAYOUT), own.as_str()),
        (
            "other_layout",
            descriptor("other_layout", MAGIC, SIZE, API_VERSION, layout),
            "with other versions of some crates",
        ),
        ("other_text", sound("other_text").replace("&TEXT", "b\"something else\""), "have different identities"),
    ] {
        let (file, _, called) = with_identity(name, IDENTITY, &descriptor);
        let refused = refused(&file);
        assert!(matches!(refused, LoadError::NoDescriptor { .. }), "{refused}");
        says(&refused, &[name, "has no valid descriptor", words, "declare_plugin!"]);
        assert!(!called.exists(), "nothing of it was called");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_plugin_that_the_system_cannot_load_is_refused() {
    let source = "unsafe extern \"C\" { fn nobody_has_this_function(); }\n\
                  #[unsafe(no_mangle)] pub extern \"C\" fn needs() { unsafe { nobody_has_this_function() } }";
    let (file, _, _) = with_identity("unresolved", IDENTITY, source);
    let refused = refused(&file);
    assert!(matches!(refused, LoadError::Unloadable { .. }));
    says(&refused, &["can't load the plugin `unresolved`", "nobody_has_this_function"]);
}

#[test]
fn a_plugin_that_panics_while_it_registers_is_refused() {
    let refused = refused(&example("panics_on_load"));
    assert!(matches!(refused, LoadError::Unregistered { .. }));
    says(
        &refused,
        &["`panics-on-load`", "failed to register: I have no default", "panics_on_load.rs:", "report it to its author"],
    );
}

#[test]
fn a_plugin_with_names_that_are_taken_is_refused_as_a_whole() {
    loaded(&slugs());
    let kinds = farm_core::registry::kinds().iter().filter(|kind| ["Soil", "Slugs"].contains(&kind.name())).count();
    let refused = refused(&example("takes_names"));
    assert!(matches!(refused, LoadError::Taken { .. }));
    says(
        &refused,
        &[
            "`takes-names`",
            "the entity `Soil` already exists in this program",
            "the entity `Slugs` already exists in the plugin `farm-plugins-example`",
        ],
    );
    let after = farm_core::registry::kinds().iter().filter(|kind| ["Soil", "Slugs"].contains(&kind.name())).count();
    assert_eq!((kinds, after), (2, 2));
}

#[test]
fn two_builds_of_one_plugin_are_refused_for_their_names() {
    loaded(&example("troublemaker"));
    let other = folder("two_builds").join("other.so");
    let mut bytes = std::fs::read(example("troublemaker")).unwrap();
    bytes.push(0);
    std::fs::write(&other, &bytes).unwrap();
    says(&refused(&other), &["names that are taken", "in the plugin `troublemaker`"]);
}

#[test]
fn a_game_that_names_a_plugin_is_refused_until_loading_is_allowed() {
    let folder = folder("not_allowed");
    let text = std::fs::read_to_string(garden()).unwrap();
    std::fs::copy(example("panics_on_load"), folder.join("its_plugin.so")).unwrap();
    let game = folder.join("game.yaml");
    std::fs::write(&game, format!("plugins:\n  - its_plugin.so\n  - nowhere.so\n{text}")).unwrap();
    let open = |allow_plugins| {
        let options = Options { allow_plugins, ..Options::default() };
        farm_games::open(&game.to_string_lossy(), &options).expect_err("refused").to_string()
    };
    let said = open(false);
    for words in [
        "game.yaml:2:5, at plugins[0]",
        "the game wants to load the plugin",
        "its_plugin.so",
        "`--allow-plugins`",
        "FARM_GYM_ALLOW_PLUGINS=1",
        "Options::allow_plugins",
        "game.yaml:3:5, at plugins[1]",
        "nowhere.so",
    ] {
        assert!(said.contains(words), "`{words}` is missing in:\n{said}");
    }
    assert!(!said.contains("can't read the plugin"), "nothing is told of files before loading is allowed:\n{said}");
    let said = open(true);
    assert!(said.contains("game.yaml:2:5, at plugins[0]") && said.contains("failed to register"), "{said}");
    assert!(said.contains("game.yaml:3:5, at plugins[1]") && said.contains("can't read the plugin"), "{said}");
    // What is no list of texts is told like any other slip.
    std::fs::write(&game, format!("plugins: {{a: 1}}\n{text}")).unwrap();
    assert!(open(true).contains("at plugins"), "{}", open(true));
}
