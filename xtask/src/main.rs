//! The repository's tasks, which `cargo xtask` lists.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod python;
mod release;
mod run;
mod taken;
mod tiers;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand};
use farm_scaffold::{NewPlugin, Sort};
use run::{Log, command, root, run};
use xtask::{Generate, RUST_PAGES};

const EXAMPLES: &str = "\
EXAMPLES:
  cargo xtask test              the tests of all crates and of the Python package
  cargo xtask ci                the tasks of the continuous integration: format, lints, documentation, licences, tests
  cargo xtask release --dry-run checks everything that a release needs, and writes its notes
  cargo xtask interop           third-party trainers and clients: RLlib, PufferLib, verifiers, TRL, OpenEnv, …; they install 7 GB
  cargo xtask targets           other targets, no default features, packages of the crates
  cargo xtask test --scaffold   builds the output of the skeletons, and runs its tests
  cargo xtask weather --check   compares the built-in weather with its generator
  cargo xtask equations         checks that every equation has a function and a test
  cargo xtask levels            the levels of the games
  cargo xtask rules             the draws of the rules of each published family member
  cargo xtask curves            the pictures and verdicts of the studies
  cargo xtask schema            the schemas with which editors complete and check games
  cargo xtask notices           the licence texts of all linked crates, in licenses/THIRD-PARTY.txt
  cargo xtask licences          licences and sources of all dependencies, if cargo-deny is installed
  cargo xtask docs              the documentation site, in target/site
  cargo xtask exploits          searches for policies that beat the experts of the games
  cargo xtask depth             measures what calendars, looks, forecasts and plans are worth in the games
  cargo xtask evidence --check  replays 10 % of the published episodes, bit for bit
  cargo xtask best-known        searches and tunes the best known policies of the games
  cargo xtask template GAME     a game with its parts in separate files, with every possible entry
  cargo xtask new-entity NAME   an entity of the project: compiles, is documented and tested
  cargo xtask new-game NAME     a game of the catalogue
  cargo xtask new-plugin NAME   your own crate with an entity, a game and tests; --kind farmer and others; --path DIR for another folder";

/// Tasks of the repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs the tests of all crates and of the Python package
    Test {
        /// Builds the output of the skeletons and a plugin of an older engine instead, and runs their tests
        #[arg(long)]
        scaffold: bool,
    },
    /// Plays with third-party trainers and clients, in environments of 7 GB: RLlib, PufferLib, verifiers, NeMo Gym, TRL, OpenEnv, MCP, …
    Interop,
    /// Builds for other targets and without features, and makes the packages of the crates; lists the tools that this machine lacks
    Targets,
    /// Checks format, lints, documentation and licences, then runs the tests
    Ci,
    /// Checks everything that a release needs, and writes its notes into the changelog
    Release {
        /// Writes the notes into target/release-notes.md, and changes nothing else
        #[arg(long)]
        dry_run: bool,
    },
    /// Runs the benchmarks
    Bench {
        /// Arguments of the benchmarks, such as a part of their names
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Checks licences, duplicates and sources of all dependencies with cargo-deny, if it is installed
    Licences,
    // The tasks of xtask-generate; a doc comment would describe the whole program.
    #[command(flatten)]
    Generate(Generate),
    /// Writes an entity with parameter sets and tests, in the layout of all entities
    NewEntity {
        /// Its name, as in `WoodMice` or `wood_mice`
        name: String,
    },
    /// Writes a game of the catalogue, which is playable at once
    NewGame {
        /// Its name, as in `wet_meadow`
        name: String,
    },
    /// Writes your own crate: a part, a game that uses it, tests, a README; link it, or load it with `farm --plugin`
    NewPlugin {
        /// Its name, as in `WoodMice` or `wood-mice`
        name: String,
        /// The kind of part: entity, farmer, rule, score or policy
        #[arg(long, value_name = "KIND", default_value = "entity")]
        kind: Sort,
        /// Its folder; outside the repository, the crate is its own workspace
        #[arg(long, value_name = "DIR")]
        path: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        // Without a task, it prints the help.
        None => Cli::command().print_help().map_err(Into::into),
        Some(Task::Test { scaffold: false }) => counted(tiers::test),
        Some(Task::Test { scaffold: true }) => counted(tiers::scaffold),
        Some(Task::Interop) => counted(tiers::interop),
        Some(Task::Targets) => counted(tiers::targets),
        Some(Task::Ci) => counted(tiers::ci),
        Some(Task::Release { dry_run }) => counted(|log| release::run(dry_run, log)),
        Some(Task::Bench { arguments }) => bench(&arguments),
        Some(Task::Licences) => tiers::licences(),
        Some(Task::Generate(Generate::Docs { check: false, rust: None })) => docs(),
        Some(Task::Generate(task)) => generate(profile(&task), std::env::args_os().skip(1)),
        Some(Task::NewEntity { name }) => written(farm_scaffold::entity(&root(), &name, &taken::names(&root()))),
        Some(Task::NewGame { name }) => written(farm_scaffold::game(&root(), &name, &taken::names(&root()))),
        Some(Task::NewPlugin { name, kind, path }) => {
            let root = root();
            let new = NewPlugin { repository: &root, name: &name, sort: kind, inside: &root, folder: path.as_deref() };
            written(farm_scaffold::plugin(&new, &taken::names(&root)))
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

/// Runs a test task. Even if a step fails, prints the seconds that each step took, and the numbers of passed and failed tests.
fn counted(task: impl FnOnce(&mut Log) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut log = Log::default();
    let result = task(&mut log);
    let tests = log.finish();
    result.and(tests)
}

fn bench(arguments: &[OsString]) -> anyhow::Result<()> {
    let mut command = command(&["bench", "--package", "farm-games"]);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    run(&mut command)
}

/// The profile that compiles in a third of the time, for programs that run for only a few seconds.
const QUICK: &str = "quick";

/// Builds the documentation site with the crates' pages. These pages are built without the film encoder and without Parquet, because both
/// take as long to build as everything else together. Links to their items are ignored here; `cargo xtask ci` follows these links.
fn docs() -> anyhow::Result<()> {
    let target = xtask::target(&root());
    let folder = target.join("site-rust");
    // The folder must not contain crates of former versions.
    let pages = folder.join("doc");
    if pages.exists() {
        std::fs::remove_dir_all(&pages).with_context(|| format!("{} can't be emptied", pages.display()))?;
    }
    let mut rustdoc = command(&["doc", "--quiet", "--profile", QUICK, "--no-deps", "--no-default-features"]);
    rustdoc.args(["--features", "farm-games/plugins"]).args(RUST_PAGES.iter().flat_map(|name| ["--package", name]));
    // Shares compiled crates with the program that builds the site.
    rustdoc.arg("--target-dir").arg(&folder).env("CARGO_BUILD_BUILD_DIR", &target);
    run(rustdoc.env("RUSTDOCFLAGS", "-A rustdoc::broken_intra_doc_links"))?;
    generate(QUICK, ["docs".into(), "--rust".into(), pages.into_os_string()].into_iter())
}

/// The profile for a task's program. The program for the site runs for seconds; the other programs play many episodes.
fn profile(task: &Generate) -> &'static str {
    match task {
        Generate::Docs { .. } => QUICK,
        Generate::Rules { .. } | Generate::Depth(_) => "release",
        _ => "dev",
    }
}

/// Builds the program with the games, and starts it with this program's arguments. It starts in the current folder, so that paths stay
/// valid.
fn generate(profile: &str, words: impl Iterator<Item = OsString>) -> anyhow::Result<()> {
    run(&mut generator(profile))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let mut program = Command::new(run::program(folder, "xtask-generate"));
    let status = program.args(words).status().context("the program that needs the games can't be started")?;
    // The program has already reported its error.
    if !status.success() {
        std::process::exit(status.code().unwrap_or(1));
    }
    Ok(())
}

/// The cargo command that builds the program with the games, from the crates that the tests have built.
fn generator(profile: &str) -> Command {
    match profile {
        "dev" => command(&[&["build", "--quiet", "--bin", "xtask-generate"], &tiers::as_tests()[..]].concat()),
        _ => command(&["build", "--quiet", "--profile", profile, "--package", "xtask-generate"]),
    }
}

/// Writes a skeleton, and prints the new files and the next steps.
#[allow(clippy::print_stdout, reason = "that is its output")]
fn written(plan: anyhow::Result<farm_scaffold::ScaffoldPlan>) -> anyhow::Result<()> {
    let plan = plan?;
    plan.write()?;
    print!("{plan}");
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
    fn tasks_of_the_other_program_have_their_help_here() {
        for (task, option) in [
            ("weather", "--check"),
            ("levels", "--check"),
            ("schema", "--check"),
            ("docs", "--check"),
            ("template", "--out"),
            ("exploits", "--candidates"),
            ("evidence", "--share"),
            ("best-known", "--budget"),
        ] {
            let help = Cli::try_parse_from(["xtask", task, "--help"]).unwrap_err().to_string();
            assert!(help.contains(option), "{help}");
        }
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
