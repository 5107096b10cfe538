//! The test tiers. The first, `cargo xtask test`, runs with every merge. The other tiers run third-party trainers, build for other targets,
//! or run cargo itself. `xtask/tiers.csv` records their last runs, and continuous integration prints it with the changes since then.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::python;
use crate::run::{Log, cargo, command, program, root, run};

/// A tier beyond the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// Third-party trainers and clients.
    Interop,
    /// Other targets, other features, and the crates' packages.
    Targets,
    /// The output of the skeletons, built by a separate cargo.
    Scaffold,
}

impl Tier {
    const ALL: [Self; 3] = [Self::Interop, Self::Targets, Self::Scaffold];

    fn name(self) -> &'static str {
        match self {
            Self::Interop => "interop",
            Self::Targets => "targets",
            Self::Scaffold => "scaffold",
        }
    }

    fn command(self) -> &'static str {
        match self {
            Self::Interop => "cargo xtask interop",
            Self::Targets => "cargo xtask targets",
            Self::Scaffold => "cargo xtask test --scaffold",
        }
    }

    /// The files whose changes require a new run.
    fn watched(self) -> &'static [&'static str] {
        match self {
            Self::Interop => &[
                "farm-python",
                "farm-serve/src",
                "farm-agents/src",
                "farm-cli/src/package",
                "farm-cli/src/serve.rs",
                "xtask/interop",
            ],
            Self::Targets => {
                &["Cargo.toml", "Cargo.lock", "farm-core/src", "farm-games/src", "farm-render/src", "farm-*/Cargo.toml"]
            }
            Self::Scaffold => &[
                "farm-scaffold",
                "farm-plugins-example",
                "farm-core/src/plugin",
                "farm-core/src/part",
                "farm-testkit/src",
                "xtask/src",
                "Cargo.toml",
            ],
        }
    }
}

/// The crates with tests in the first tier. The Python package has no Rust tests, and its own tests build it.
const CRATES: [&str; 5] = ["--workspace", "--exclude", "xtask-interop", "--exclude", "farm-python"];

/// Arguments that make cargo build a program from the crates that the tests have built. Cargo unifies the features of all targets that it
/// builds together. It adds test features for targets that may need them, such as the example. With these arguments, it builds nothing else
/// in the workspace.
pub(crate) fn as_tests() -> Vec<&'static str> {
    [&CRATES[..], &["--example", "gallery"]].concat()
}

/// The first tier: the tests of all crates, then the tests of the Python package.
pub(crate) fn test(log: &mut Log) -> anyhow::Result<()> {
    log.step("build the tests", |_| cargo(&[&["test", "--no-run", "--quiet"], &CRATES[..]].concat()))?;
    log.step("tests of the crates", |log| {
        if !has_nextest() {
            let words = ["test", "--quiet", "--no-fail-fast", "--lib", "--bins", "--tests"];
            return log.tests(&mut command(&[&words[..], &CRATES[..]].concat()));
        }
        // All tests of all programs in parallel; slow tests are listed.
        let words = ["nextest", "run", "--no-fail-fast", "--status-level", "slow", "--final-status-level", "slow"];
        let others = IN_ONE_PROCESS.map(|name| format!("not binary(={name})")).join(" and ");
        let threads = format!("--test-threads={}", threads());
        let words = [&words[..], &["--show-progress=none", &threads, "-E", &others], &CRATES[..]].concat();
        log.tests(&mut command(&words))?;
        let these = IN_ONE_PROCESS.iter().flat_map(|name| ["--test", name]);
        let words: Vec<&str> = ["test", "--quiet", "--no-fail-fast"].into_iter().chain(these).chain(CRATES).collect();
        log.tests(&mut command(&words))
    })?;
    log.step("examples of the documentation of the crates", |log| {
        log.tests(&mut command(&[&["test", "--quiet", "--no-fail-fast", "--doc"], &CRATES[..]].concat()))
    })?;
    python::test(&root(), log)
}

/// The test programs that compile all games only once for all their tests. Nextest would start a separate process for each test.
const IN_ONE_PROCESS: [&str; 3] = ["games", "invariants", "texts"];

/// The number of tests that run at the same time: three for every two cores, because some tests wait for servers and terminals.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() * 3 / 2)
}

/// Whether nextest is installed. Nextest runs the tests of all programs in parallel; cargo runs the programs sequentially.
fn has_nextest() -> bool {
    command(&["nextest", "--version"]).output().is_ok_and(|output| output.status.success())
}

/// The output of the skeletons, and a plugin of an older engine, each built by a separate cargo.
pub(crate) fn scaffold(log: &mut Log) -> anyhow::Result<()> {
    let words = ["test", "--no-fail-fast", "-p", "xtask", "-p", "farm-plugins-example"];
    let tests = ["--test", "scaffold", "--test", "older_engine"];
    log.step("skeletons and plugins of an older engine", |log| {
        log.tests(&mut command(&[&words[..], &tests].concat()))
    })?;
    record(Tier::Scaffold, log, "")
}

/// Third-party trainers and clients.
pub(crate) fn interop(log: &mut Log) -> anyhow::Result<()> {
    log.step("build the program", |_| cargo(&["build", "--quiet", "--package", "farm-cli"]))?;
    let program = program("debug", "farm");
    log.step("the client of rmcp", |log| {
        log.tests(command(&["test", "--quiet", "-p", "xtask-interop"]).env("FARM_GYM_COMMAND", &program))
    })?;
    let versions = python::interop(&root(), log)?;
    record(Tier::Interop, log, &versions)
}

/// A target without a dynamic loader, and one for another processor, which runs in an emulator.
const WASM: &str = "wasm32-unknown-unknown";
const ARM: &str = "aarch64-unknown-linux-gnu";

/// Other targets and features. If the machine lacks the tools for some of them, lists these tools and runs the others.
pub(crate) fn targets(log: &mut Log) -> anyhow::Result<()> {
    let mut missing = Vec::new();
    // Targets without a dynamic loader have no plugins; naming one is an error.
    log.step("without default features", |log| {
        cargo(&["check", "-p", "farm-games", "-p", "farm-render", "--no-default-features"])?;
        cargo(&["check", "-p", "farm-cli", "--no-default-features"])?;
        for (name, tests) in [("farm-cli", "left_out::"), ("farm-agents", "endpoint::")] {
            let words = ["test", "--quiet", "-p", name, "--no-default-features", "--lib", tests];
            log.tests(&mut command(&words))?;
        }
        Ok(())
    })?;
    log.step("an engine without plugins", |log| {
        log.tests(&mut command(&["test", "--quiet", "-p", "farm-core", "--lib", "plugin::"]))
    })?;
    if has_target(WASM) {
        log.step(WASM, |_| {
            cargo(&["check", "-p", "farm-games", "-p", "farm-render", "--no-default-features", "--target", WASM])
        })?;
    } else {
        missing.push(format!("{WASM}: `rustup target add {WASM}`"));
    }
    let emulator = Command::new("qemu-aarch64").arg("--version").output().is_ok_and(|output| output.status.success());
    if has_target(ARM) && emulator {
        // The golden numbers are the same on all processors.
        let golden = [
            "test",
            "--quiet",
            "-p",
            "farm-games",
            "--test",
            "invariants",
            "--target",
            ARM,
            "--",
            "former",
            "determinism",
        ];
        let runner = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER";
        let linker = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER";
        log.step(ARM, |log| {
            log.tests(
                command(&golden)
                    .env(runner, "qemu-aarch64 -L /usr/aarch64-linux-gnu")
                    .env(linker, "aarch64-linux-gnu-gcc"),
            )
        })?;
    } else {
        missing.push(format!("{ARM}: `rustup target add {ARM}`, its C compiler, and qemu-aarch64 on the path"));
    }
    let miri = command(&["miri", "--version"]).output().is_ok_and(|output| output.status.success());
    if miri {
        // The places with `unsafe`: cells of the state and the threads of a vector.
        log.step("Miri", |log| {
            log.tests(&mut command(&["miri", "test", "-p", "farm-core", "--lib", "state::", "pool::"]))
        })?;
    } else {
        missing.push("Miri: `rustup +nightly component add miri`".to_owned());
    }
    // Each crate becomes a package, in order, with the packages of the others; building them all again takes too long.
    log.step("packages of the crates", |_| {
        let apart = ["xtask", "xtask-generate", "xtask-interop", "farm-python", "farm-plugins-example"];
        let apart: Vec<&str> = apart.iter().flat_map(|name| ["--exclude", name]).collect();
        cargo(&[&["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"], &apart[..]].concat())
    })?;
    python::free_threaded(&root(), log, &mut missing)?;
    for target in &missing {
        eprintln!("SKIPPED {target}");
    }
    let skipped: Vec<&str> = missing.iter().filter_map(|target| target.split(':').next()).collect();
    let skipped = if skipped.is_empty() { String::new() } else { format!("without {}", skipped.join(" ")) };
    record(Tier::Targets, log, &skipped)
}

/// Whether rustup has installed this target.
fn has_target(name: &str) -> bool {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    installed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().any(|line| line == name))
}

/// The file that records the last run of each tier.
const RECORD: &str = "xtask/tiers.csv";
const HEADER: &str = "tier,commit,date,seconds,passed,failed,versions\n";

/// The last run of a tier.
#[derive(Debug, Clone, PartialEq)]
struct Last {
    tier: String,
    commit: String,
    line: String,
}

/// The lines in the record; none if there is no file.
fn recorded(root: &Path) -> Vec<Last> {
    let text = std::fs::read_to_string(root.join(RECORD)).unwrap_or_default();
    let line = |line: &str| {
        let mut cells = line.split(',');
        Some(Last { tier: cells.next()?.to_owned(), commit: cells.next()?.to_owned(), line: line.to_owned() })
    };
    text.lines().skip(1).filter_map(line).collect()
}

/// Replaces a tier's record with its current run.
fn record(tier: Tier, log: &Log, versions: &str) -> anyhow::Result<()> {
    let root = root();
    let commit = git(&root, &["rev-parse", "--short=12", "HEAD"]).context("the commit is not known")?;
    let date = git(&root, &["log", "-1", "--format=%cs"]).unwrap_or_default();
    let (passed, failed) = log.counts();
    let line = format!("{},{commit},{date},{:.0},{passed},{failed},{versions}", tier.name(), log.seconds());
    let mut text = HEADER.to_owned();
    let before = recorded(&root);
    for other in Tier::ALL {
        if other == tier {
            writeln!(text, "{line}")?;
        } else if let Some(last) = before.iter().find(|last| last.tier == other.name()) {
            writeln!(text, "{}", last.line)?;
        }
    }
    std::fs::write(root.join(RECORD), text).with_context(|| format!("{RECORD} can't be written"))
}

/// The last run of each tier, and the watched files that have changed since.
pub(crate) fn report() -> String {
    let root = root();
    let last = recorded(&root);
    let mut text = String::new();
    for tier in Tier::ALL {
        let Some(last) = last.iter().find(|last| last.tier == tier.name()) else {
            text.push_str(&format!("{}: no run is recorded\n", tier.command()));
            continue;
        };
        text.push_str(&format!("{}: last ran on {}\n", tier.command(), last.line));
        let arguments = [&["diff", "--name-only", &last.commit, "HEAD", "--"], tier.watched()].concat();
        match git(&root, &arguments) {
            Ok(changed) if changed.is_empty() => text.push_str("  no watched file has changed since\n"),
            Ok(changed) => {
                let files: Vec<&str> = changed.lines().collect();
                let shown = files.iter().take(12).copied().collect::<Vec<_>>().join(" ");
                let more = if files.len() > 12 { format!(" and {} more", files.len() - 12) } else { String::new() };
                text.push_str(&format!("  changed since: {shown}{more}\n"));
            }
            Err(_) => text.push_str("  its commit is not in this clone\n"),
        }
    }
    text
}

fn git(root: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output().context("git can't be started")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The continuous-integration tasks: formatting and lints for both languages, documentation, licences and the first tier. The first tier's
/// counts end the output.
pub(crate) fn ci(log: &mut Log) -> anyhow::Result<()> {
    log.step("format", |_| cargo(&["fmt", "--all", "--check"]))?;
    log.step("format and lints of the Python files", |_| python::lints(&root()))?;
    log.step("lints", |_| {
        let crates = ["clippy", "--workspace", "--exclude", "xtask-interop", "--all-targets"];
        cargo(&[&crates[..], &["--", "-D", "warnings"]].concat())
    })?;
    log.step("documentation", |_| {
        // The example makes cargo reuse the crates that the lints have compiled.
        let words = [
            "doc",
            "--workspace",
            "--exclude",
            "xtask-interop",
            "--no-deps",
            "--lib",
            "--bins",
            "--example",
            "gallery",
        ];
        run(command(&words).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    log.step("licences", |_| licences())?;
    test(log)?;
    eprint!("{}", report());
    Ok(())
}

/// Runs cargo-deny. The tool is optional, because it takes minutes to build; the task reports if the tool is not installed.
pub(crate) fn licences() -> anyhow::Result<()> {
    let is_there = command(&["deny", "--version"]).output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("licences are not checked: install cargo-deny with `cargo install cargo-deny --locked`");
        return Ok(());
    }
    cargo(&["deny", "check", "licenses", "bans", "sources"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_names_known_tiers_and_the_report_tells_of_all() {
        for last in recorded(&root()) {
            assert!(Tier::ALL.iter().any(|tier| tier.name() == last.tier), "{}", last.line);
            assert_eq!(last.line.split(',').count(), HEADER.split(',').count(), "{}", last.line);
        }
        let report = report();
        for tier in Tier::ALL {
            assert!(report.contains(tier.command()), "{report}");
            for path in tier.watched() {
                let path = path.split('*').next().unwrap_or_default();
                let is_there = if path.ends_with('-') { true } else { root().join(path).exists() };
                assert!(is_there, "{path} is watched, but there is no such file");
            }
        }
    }
}
