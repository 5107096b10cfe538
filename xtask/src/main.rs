//! Tasks of the repository: `cargo xtask` lists them.

mod docs;
mod equations;
mod levels;
mod python;
mod scaffold;
mod schema;
mod weather;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};
use clap::{CommandFactory, Parser, Subcommand};

const EXAMPLES: &str = "\
EXAMPLES:
  cargo xtask test              all tests but the next
  cargo xtask test --learners   the tests that train learners: Stable-Baselines3, RLlib, …; they install 7 GB
  cargo xtask ci                what the continuous integration runs: format, lints, documentation, tests
  cargo xtask weather --check   whether the built-in weather is what its generator makes
  cargo xtask equations         the index of equations, functions and tests
  cargo xtask levels            the levels that come with the games
  cargo xtask schema            the schemas with which editors complete and check games
  cargo xtask licences          licences and sources of all dependencies, where cargo-deny is installed
  cargo xtask docs              the documentation site, in target/site
  cargo xtask template GAME     a game with its parts in files of their own, with every possible entry
  cargo xtask new-entity NAME   an entity of the project: compiles, is documented and tested
  cargo xtask new-game NAME     a game of the catalogue
  cargo xtask new-plugin NAME   a crate of your own with an entity, a game and tests; --path DIR for one outside the repository";

/// Tasks of the repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs all tests but those of learners
    Test {
        /// Runs the tests that train learners of other libraries instead, in environments of 7 GB
        #[arg(long)]
        learners: bool,
    },
    /// Checks format, lints and documentation, then runs all tests
    Ci,
    /// Runs the benchmarks
    Bench {
        /// Arguments of the benchmarks, such as a part of their names
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Writes the built-in weather of Montpellier from its climate normals
    Weather {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Writes the index of equations from the sources: which function implements which, and which test checks it
    Equations {
        /// Compares instead of writing, and asks for a function and a test of each equation
        #[arg(long)]
        check: bool,
    },
    /// Writes the levels that come with the games, from their fixed seeds
    Levels {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Writes the JSON Schemas of game files, of levels and of parameter sets from the declarations of all kinds
    Schema {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Checks licences, duplicates and sources of all dependencies with cargo-deny, where it is installed
    Licences,
    /// Builds the documentation site, with reference pages of everything that is registered, and follows its links
    Docs {
        /// Only checks: builds into a folder that is removed again
        #[arg(long)]
        check: bool,
    },
    /// Writes start, actions and score of a game into files of their own, with every entry that the game could have
    Template {
        /// A game of the catalogue, or the path of a YAML file
        game: String,
        /// The folder to write into
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// A variant that the game names
        #[arg(long)]
        preset: Option<String>,
        /// Writes over files that are there
        #[arg(long)]
        force: bool,
    },
    /// Writes an entity with parameter sets and tests, in the order in which all entities are read
    NewEntity {
        /// Its name, as in `WoodMice` or `wood_mice`
        name: String,
    },
    /// Writes a game of the catalogue, which plays at once
    NewGame {
        /// Its name, as in `wet_meadow`
        name: String,
    },
    /// Writes a crate of your own: an entity, parameter sets, a game, tests, a README; to be linked, or loaded by `farm --plugin`
    NewPlugin {
        /// Its name, as in `WoodMice` or `wood-mice`
        name: String,
        /// Its folder; outside of the repository it is a workspace of its own
        #[arg(long, value_name = "DIR")]
        path: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        // Asked for nothing, it says what it can do.
        None => Cli::command().print_help().map_err(Into::into),
        Some(Task::Test { learners: false }) => test(),
        Some(Task::Test { learners: true }) => python::test_learners(&root()),
        Some(Task::Ci) => ci(),
        Some(Task::Bench { arguments }) => bench(&arguments),
        Some(Task::Weather { check }) => weather(check),
        Some(Task::Equations { check }) => equations(check),
        Some(Task::Levels { check }) => levels(check),
        Some(Task::Schema { check }) => schema(check),
        Some(Task::Licences) => licences(),
        Some(Task::Docs { check }) => docs(check),
        Some(Task::Template { game, out, preset, force }) => {
            let options = farm_games::Options { preset, set: Vec::new(), ..Default::default() };
            template(&farm_games::template::Request { game, options, out, force })
        }
        Some(Task::NewEntity { name }) => scaffold::entity(&root(), &name).and_then(|plan| plan.write(&root())),
        Some(Task::NewGame { name }) => scaffold::game(&root(), &name).and_then(|plan| plan.write(&root())),
        Some(Task::NewPlugin { name, path }) => {
            scaffold::plugin(&root(), &name, path.as_deref()).and_then(|plan| plan.write(&root()))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// All tests in one go: those of the crates, then those of the Python package.
fn test() -> anyhow::Result<()> {
    cargo(&["test", "--workspace"])?;
    python::test(&root())
}

/// The checks that take seconds come first, and the tests last, so that their counts close the output.
fn ci() -> anyhow::Result<()> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    run(command(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    without_plugins()?;
    licences()?;
    test()?;
    python::test_learners(&root())
}

/// A target without a dynamic loader, for which is checked where rustup has installed it.
const WASM: &str = "wasm32-unknown-unknown";

/// What builds for targets without a dynamic loader builds without plugins, and says so to whoever names one. The engine, alone, has its
/// default features, which are none.
fn without_plugins() -> anyhow::Result<()> {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let has_target =
        installed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().any(|name| name == WASM));
    let target: &[&str] = if has_target { &["--target", WASM] } else { &[] };
    cargo(&[&["check", "-p", "farm-games", "-p", "farm-render", "--no-default-features"], target].concat())?;
    cargo(&["test", "--quiet", "-p", "farm-core", "--lib", "plugin::"])
}

/// cargo-deny takes minutes to build, so nobody is made to install it; that it was not there is said.
fn licences() -> anyhow::Result<()> {
    let is_there = command(&["deny", "--version"]).output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("licences are not checked: `cargo install cargo-deny --locked` installs what checks them");
        return Ok(());
    }
    cargo(&["deny", "check", "licenses", "bans", "sources"])
}

fn bench(arguments: &[OsString]) -> anyhow::Result<()> {
    let mut command = command(&["bench", "--package", "farm-games"]);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    run(&mut command)
}

fn weather(check: bool) -> anyhow::Result<()> {
    weather::run(&root(), check)?;
    for table in &weather::TABLES {
        println!("{} {}", table.table, if check { "is up to date" } else { "written" });
    }
    Ok(())
}

fn equations(check: bool) -> anyhow::Result<()> {
    equations::run(&root(), check)?;
    println!("{} {}", equations::INDEX, if check { "is up to date" } else { "written" });
    Ok(())
}

fn levels(check: bool) -> anyhow::Result<()> {
    levels::run(&root(), check)?;
    println!("{} {}", levels::FOLDER, if check { "is up to date" } else { "written" });
    Ok(())
}

fn schema(check: bool) -> anyhow::Result<()> {
    schema::run(&root(), check)?;
    println!("{} {}", schema::FOLDER, if check { "is up to date" } else { "written" });
    Ok(())
}

fn docs(check: bool) -> anyhow::Result<()> {
    let target = python::target(&root());
    let folder = if check { target.join(format!("site-check-{}", std::process::id())) } else { target };
    let built = docs::build(&root(), &folder);
    if check && folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("{} can't be removed", folder.display()))?;
    }
    let site = built?;
    let place = if check { "the site builds".to_owned() } else { site.folder.join("index.html").display().to_string() };
    println!("{place}: {} pages, {} links that lead somewhere", site.pages, site.links);
    Ok(())
}

fn template(request: &farm_games::template::Request) -> anyhow::Result<()> {
    let made = farm_games::template::template(request)?;
    made.write()?;
    print!("{made}");
    Ok(())
}

/// The top of the repository. Cargo says where this crate is when it runs it, wherever the repository has been moved.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Cargo at the top of the repository; the one that runs this task, where there is one.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

fn cargo(arguments: &[&str]) -> anyhow::Result<()> {
    run(&mut command(arguments))
}

/// Runs a command, having said which.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    let line = std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ");
    eprintln!("$ {line}");
    let status = command.status().with_context(|| format!("`{line}` can't be started"))?;
    if !status.success() {
        bail!("`{line}` failed");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_task_that_a_page_names_is_one() {
        let root = root();
        let mut pages = vec!["README.md".into(), "ARCHITECTURE.md".into(), "CONTRIBUTING.md".into(), ".ci/run".into()];
        let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(docs.filter(|path| path.extension().is_some_and(|end| end == "md")));
        let mut found = 0;
        for page in pages {
            let text = std::fs::read_to_string(root.join(&page)).unwrap();
            for rest in text.split("cargo xtask ").skip(1) {
                let line = rest.split(['\n', '`', ';', '|', '&']).next().unwrap_or_default();
                let words = line.split("   ").next().unwrap_or_default().split_whitespace();
                let parsed = Cli::try_parse_from(std::iter::once("xtask").chain(words));
                assert!(parsed.is_ok(), "{}: cargo xtask {line}: {}", page.display(), parsed.unwrap_err());
                found += 1;
            }
        }
        assert!(found > 15, "only {found} tasks were found");
    }
}
