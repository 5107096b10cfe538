//! Where the libraries are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Once};

use farm_core::Game;
use farm_core::config::Problems;
use farm_core::plugin::{IDENTITY, LoadError, Plugin, load};
use farm_core::spec::load as load_text;
// Linking the games registers their parts.
use farm_games as _;

/// The folder into which cargo builds: `target/debug`, say.
pub(crate) fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a program");
    test.parent().and_then(Path::parent).expect("target/debug").to_path_buf()
}

/// The file of this crate's library.
pub(crate) fn slugs() -> PathBuf {
    build_what_is_old();
    library()
}

/// The file of a library among the examples, or of an example that is a program.
pub(crate) fn example(name: &str) -> PathBuf {
    build_what_is_old();
    file_of_example(name)
}

fn library() -> PathBuf {
    built().join("deps").join(library_name("farm_plugins_example"))
}

fn file_of_example(name: &str) -> PathBuf {
    let program = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    built().join("examples").join(if name == "linked" { program } else { library_name(name) })
}

fn library_name(name: &str) -> String {
    format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// `cargo test` builds all of them; `cargo test --test loaded` builds only the tests, and leaves what was built before. Once, before
/// anything is loaded: a library must not change while it is.
fn build_what_is_old() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let sources = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).expect("the examples");
        let sources = sources.map(|entry| entry.expect("an example").path());
        let examples = sources.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
        let files = examples.filter_map(|path| Some(file_of_example(path.file_stem()?.to_str()?)));
        let is_of_this_engine = |file: PathBuf| {
            let bytes = std::fs::read(file).unwrap_or_default();
            bytes.windows(IDENTITY.len()).any(|window| window == IDENTITY.as_bytes())
        };
        if files.chain([library()]).all(is_of_this_engine) {
            return;
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", env!("CARGO_PKG_NAME"), "--lib", "--examples"]);
        if built().ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo").success());
    });
}

/// Loads a plugin that must load.
#[track_caller]
pub(crate) fn loaded(file: &Path) -> Plugin {
    load(file).unwrap_or_else(|refused| panic!("{refused}\n{}", refused.help()))
}

/// Loads a plugin that must be refused.
#[track_caller]
pub(crate) fn refused(file: &Path) -> LoadError {
    let refused = load(file).expect_err("it is refused");
    assert!(!refused.help().is_empty());
    let path = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    assert!(farm_core::plugin::loaded().iter().all(|plugin| plugin.path() != Some(&path)));
    refused
}

/// A refusal and its help have these words.
#[track_caller]
pub(crate) fn says(refused: &LoadError, words: &[&str]) {
    let said = format!("{refused}\n{}", refused.help());
    for words in words {
        assert!(said.contains(words), "`{words}` is missing in: {said}");
    }
}

/// The game of this crate.
pub(crate) fn garden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("games/slug_garden.yaml")
}

/// A folder for the files of one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Compiles a game from YAML, with located problems.
pub(crate) fn compile(text: &str) -> Result<Arc<Game>, Problems> {
    let document = farm_core::config::Document::parse("game.yaml", text)?;
    let spec = load_text("game.yaml", text)?;
    Game::new(spec).map(Arc::new).map_err(|problems| document.locate(problems))
}
