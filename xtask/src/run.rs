//! Runs a task's commands, and records the seconds that each step took and the numbers of passed and failed tests.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

/// The record of a task so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The seconds that each step took.
    steps: Vec<(String, f64)>,
    passed: u64,
    failed: u64,
    /// The test commands that failed. The other commands still run, so that one run reports all failures.
    failures: Vec<String>,
}

impl Log {
    /// Runs a step and records the seconds that it took, even if it fails.
    pub(crate) fn step<T>(
        &mut self,
        name: &str,
        work: impl FnOnce(&mut Self) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let begin = Instant::now();
        let result = work(self);
        let seconds = begin.elapsed().as_secs_f64();
        eprintln!("[{seconds:.0} s] {name}");
        self.steps.push((name.to_owned(), seconds));
        result
    }

    /// Runs a test command and counts its tests. A failure is stored for [`Self::finish`], and the next tests still run.
    ///
    /// # Errors
    /// The command can't be started.
    pub(crate) fn tests(&mut self, command: &mut Command) -> anyhow::Result<()> {
        let line = said(command);
        eprintln!("$ {line}");
        // The summary of nextest goes to standard error, those of the others to standard output: both are read through one pipe.
        let (reader, writer) = std::io::pipe().context("no pipe can be created")?;
        let of_errors = writer.try_clone().context("no pipe can be created")?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(of_errors)
            .spawn()
            .with_context(|| format!("`{line}` can't be started"))?;
        // The pipe ends when its last writer closes it, so this program must not keep it open.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut output = std::io::stdout().lock();
        let mut lines = BufReader::new(reader);
        let mut text = Vec::new();
        while lines.read_until(b'\n', &mut text)? > 0 {
            output.write_all(&text)?;
            let (passed, failed) = counts(&String::from_utf8_lossy(&text));
            self.passed += passed;
            self.failed += failed;
            text.clear();
        }
        if !child.wait()?.success() {
            self.failures.push(line);
        }
        Ok(())
    }

    /// Prints the seconds that each step took and, at the end, the numbers of passed and failed tests.
    ///
    /// # Errors
    /// A test command or a test failed.
    #[allow(clippy::print_stdout, reason = "that is its output")]
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        eprint!("{self}");
        for line in &self.failures {
            eprintln!("failed: {line}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.failed > 0 || !self.failures.is_empty() {
            bail!("not all tests passed");
        }
        Ok(())
    }

    /// The numbers of passed and failed tests.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.passed, self.failed)
    }

    /// The seconds that all top-level steps took.
    pub(crate) fn seconds(&self) -> f64 {
        self.steps.iter().map(|(_, seconds)| seconds).sum()
    }
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, seconds) in &self.steps {
            writeln!(f, "{seconds:7.0} s  {name}")?;
        }
        writeln!(f, "{:7.0} s  in all", self.seconds())
    }
}

/// The numbers of passed and failed tests in a summary line from `cargo test`, nextest or pytest; 0 for other lines.
fn counts(line: &str) -> (u64, u64) {
    let line = line.trim();
    let is_summary = line.starts_with("test result: ")
        || (line.starts_with("Summary [") && line.contains(" run: "))
        || (line.starts_with(|c: char| c.is_ascii_digit()) && ends_with_seconds(line));
    if !is_summary {
        return (0, 0);
    }
    let words: Vec<&str> = line.split([' ', ';', ',']).filter(|word| !word.is_empty()).collect();
    let count = |name: &str| {
        let place = words.iter().position(|word| *word == name)?;
        words.get(place.checked_sub(1)?)?.parse::<u64>().ok()
    };
    // Pytest counts failures before and after a test as errors.
    let failed = count("failed").unwrap_or(0) + count("error").or(count("errors")).unwrap_or(0);
    (count("passed").unwrap_or(0), failed)
}

/// Whether a line ends like pytest's summary: `in 12.30s`, or `in 189.21s (0:03:09)`.
fn ends_with_seconds(line: &str) -> bool {
    let Some((_, end)) = line.rsplit_once(" in ") else { return false };
    let seconds = end.split(' ').next().unwrap_or_default().strip_suffix('s');
    seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
}

/// The command as typed in a shell.
fn said(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}

/// Prints a command and runs it.
///
/// # Errors
/// The command can't be started, or it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let line = said(command);
    eprintln!("$ {line}");
    let status = command.status().with_context(|| format!("`{line}` can't be started"))?;
    if !status.success() {
        bail!("`{line}` failed");
    }
    Ok(())
}

/// The top of the repository.
pub(crate) fn root() -> PathBuf {
    xtask::repository(env!("CARGO_MANIFEST_DIR"))
}

/// A cargo command at the top of the repository. It uses the cargo that runs this task, if there is one.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Runs cargo at the top of the repository.
pub(crate) fn cargo(arguments: &[&str]) -> anyhow::Result<()> {
    run(&mut command(arguments))
}

/// The path of a workspace program that was built in the profile with this folder.
pub(crate) fn program(profile: &str, name: &str) -> PathBuf {
    xtask::target(&root()).join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summaries_of_all_three_runners_are_counted_and_nothing_else() {
        for (line, passed, failed) in [
            ("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.52s", 12, 0),
            ("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured", 3, 2),
            ("     Summary [   5.104s] 100 tests run: 98 passed (2 slow), 2 failed, 3 skipped", 98, 2),
            ("     Summary [   0.104s] 7 tests run: 7 passed, 0 skipped", 7, 0),
            ("1473 passed, 2 skipped in 189.21s (0:03:09)", 1473, 0),
            ("3 passed in 9.21s", 3, 0),
            ("1 failed, 122 passed, 1 error in 12.30s", 122, 2),
            ("running 12 tests", 0, 0),
            ("7 passed in the fields", 0, 0),
        ] {
            assert_eq!(counts(line), (passed, failed), "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_failure_is_counted_and_told_after_the_tests_that_follow() {
        let mut log = Log::default();
        log.tests(Command::new("sh").args(["-c", "echo '1 failed, 2 passed in 0.1s'; exit 1"])).expect("a shell");
        log.tests(Command::new("sh").args(["-c", "echo '5 passed in 0.1s' >&2"])).expect("a shell");
        assert_eq!((log.passed, log.failed, log.failures.len()), (7, 1, 1));
        assert!(log.finish().is_err());
    }
}
