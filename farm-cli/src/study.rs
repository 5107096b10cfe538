//! `farm study`: plays a study and checks its expectations.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_core::RemoteExecutor;
use farm_core::config::Problems;
use farm_study::{RunError, SHIPPED, Study, StudyResults};
use serde_json::json;

use crate::arguments::{at_least_one, executor};
use crate::output::{self, TextTable};
use crate::plot::PlotFile;

const EXAMPLES: &str = "\
Examples:
  farm study                                  lists the built-in studies
  farm study nitrogen                         plays a study and checks its expectations
  farm study nitrogen --seeds 100 --plot nitrogen.svg
  farm study ./my_study.yaml --json           your own study, with every episode

Equal arguments give equal results for any number of threads. The exit code is 1 if an expectation fails without a known reason in the
study, or holds although the study gives a reason for its failure.";

/// Run a parameter sweep and check expectations
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A built-in study, or the path of a YAML file [default: list all studies]
    study: Option<String>,
    /// Episodes at each point [default: the number in the study]
    #[arg(long, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    seeds: Option<u32>,
    /// Number of threads [default: all cores; the result does not depend on it]
    #[arg(long, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the results as small multiples, as .svg or .png
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    plot: Option<PathBuf>,
}

/// Plays the study on this machine or on remote machines.
///
/// # Errors
/// Fails if the study, its game or its policy has errors, if a file can't be written, or if a remote machine fails.
pub(crate) fn execute(arguments: &Arguments, remote: Option<&dyn RemoteExecutor>) -> anyhow::Result<ExitCode> {
    let Some(name) = &arguments.study else {
        list(arguments.json)?;
        return Ok(ExitCode::SUCCESS);
    };
    let study = read(name, arguments.seeds)?;
    let plot = arguments.plot.as_deref().map(PlotFile::open).transpose()?;
    let results = study.run(executor(arguments.threads, remote)).map_err(|error| match error {
        RunError::Problems(problems) => problems.into(),
        other => anyhow::Error::from(other),
    })?;
    let plot = plot.as_ref().map(|plot| plot.save(&study.chart(&results)?)).transpose()?;
    let mut out = output::stdout();
    if arguments.json {
        output::write_json(&mut out, "study", study.json(&results))?;
    } else {
        write(&mut out, &study, &results)?;
        if let Some(file) = plot {
            writeln!(out, "plot: {}", file.display())?;
        }
    }
    out.flush()?;
    Ok(if results.is_as_said() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(name: &str, seeds: Option<u32>) -> Result<Study, Problems> {
    let study = Study::read(name)?;
    Ok(match seeds {
        Some(seeds) => study.with_seeds(seeds),
        None => study,
    })
}

impl Arguments {
    /// Reads the study, so that its blocks can be played.
    ///
    /// # Errors
    /// Fails if the study has errors or if none is named.
    pub(crate) fn open(&self) -> anyhow::Result<Study> {
        let name = self.study.as_deref().context("no study is named: only the blocks of a study can be played")?;
        Ok(read(name, self.seeds)?)
    }
}

fn list(as_json: bool) -> anyhow::Result<()> {
    let mut studies = Vec::new();
    for shipped in SHIPPED {
        let study = Study::read(shipped.name)?;
        studies.push((shipped.name, study.file().claim.clone()));
    }
    let mut out = output::stdout();
    if as_json {
        let entries = studies.iter().map(|(name, claim)| json!({"name": name, "claim": claim}));
        output::write_json(&mut out, "studies", json!({"studies": entries.collect::<Vec<_>>()}))?;
    } else {
        let mut table = TextTable::new(&["study", "claim"]);
        studies.into_iter().for_each(|(name, claim)| table.row(vec![name.to_owned(), claim]));
        table.write(&mut out, "")?;
    }
    out.flush()?;
    Ok(())
}

/// Writes the means at all points, and the results of the expectations.
fn write(out: &mut impl Write, study: &Study, results: &StudyResults) -> std::io::Result<()> {
    let (header, rows) = study.means(results);
    let mut table =
        TextTable::new(&header.iter().map(String::as_str).collect::<Vec<_>>()).right_aligned(2..header.len());
    rows.into_iter().for_each(|row| table.row(row));
    writeln!(out, "{}: {}", study.file().title, study.file().measure.label)?;
    table.write(out, "")?;
    for finding in &results.findings {
        let source = if finding.source.is_empty() { String::new() } else { format!(" ({})", finding.source) };
        let verdict = if finding.holds() { "holds" } else { "does not hold" };
        writeln!(out, "\n{verdict}: {}{source}", finding.claim)?;
        for verdict in finding.verdicts.iter().filter(|verdict| !verdict.holds) {
            let expected =
                if verdict.expected.is_empty() { String::new() } else { format!(", expected {}", verdict.expected) };
            writeln!(out, "  {}: {}{expected}", verdict.line, verdict.found)?;
        }
        if !finding.gap.is_empty() {
            writeln!(out, "  known: {}", finding.gap)?;
        }
    }
    Ok(())
}
