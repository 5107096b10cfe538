//! `farm trials`: plays field trials and compares the results with what was measured.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_trials::{ACTIONS, Comparison, GAME, Selection, Table, Trials, WEATHER};

use crate::arguments::{at_least_one, cores};
use crate::output::{self, TextTable};

const EXAMPLES: &str = "\
Examples:
  farm trials trials/                                 plays all trials in a folder
  farm trials trials/ --crop corn --out page          also writes page/index.md with charts
  farm trials trials/ --treatment UFGA8201            one trial; UFGA8201:4 is one of its treatments
  farm trials trials/ --plants mine.yaml              with your own parameters of crops
  farm trials trials/ --json                          every value, for programs
  farm trials trials/ --as-game UFGA8201:4 --out game writes game.yaml, weather.csv and actions.txt into the folder game

DIR has experiments in the format of DSSAT: files such as UFGA8201.MZX with the treatments, UFGA8201.MZA and .MZT with the measurements,
and the weather (.WTH) and soils (.SOL) that they name. They may be in subfolders.

Each treatment is a game with the trial's weather, soil, plants, water and nitrogen. Its policy `trial` does what the trial did. A stand
that dies has harvest 0, and so has a treatment that can't be played.

Columns: `bias` is the sum of simulated values divided by the sum of measured ones. `nRMSE` is the root mean square error divided by the
mean of the measured values. `EF` is the model efficiency: 1 is perfect, 0 is as good as the measured mean. `rank r` is Spearman's rank
correlation of the harvests in a trial, for a crop the median. Both need at least 4 treatments. Days are simulated minus measured.";

/// Play field trials and compare them with measurements
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folder with experiments in the format of DSSAT
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Play only this crop, such as `corn` or its code `MZ`. Repeatable
    #[arg(long, value_name = "CROP")]
    crop: Vec<String>,
    /// Play only this trial or treatment, such as `UFGA8201` or `UFGA8201:4`. Repeatable
    #[arg(long, value_name = "TRIAL[:NUMBER]")]
    treatment: Vec<String>,
    /// Change parameters of crops: a YAML file such as `corn: {crop: {density#nb.m-2: 8}}`. Those of `corn` also change its cultivars
    #[arg(long, value_name = "FILE")]
    plants: Option<PathBuf>,
    /// Write this treatment as a game to `--out` instead of playing the trials
    #[arg(long, value_name = "TRIAL:NUMBER", requires = "out", conflicts_with_all = ["crop", "treatment", "json"])]
    as_game: Option<String>,
    /// Write a page with charts, or the game, to DIR; DIR is created if missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads [default: all cores; the result does not depend on it]
    #[arg(long, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    threads: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Plays the trials, or writes one of them as a game.
///
/// # Errors
/// Fails if a file of the trials can't be read, if a name is unknown, or if an output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut trials = Trials::open(&arguments.folder)?;
    if let Some(file) = &arguments.plants {
        trials = trials.with_plants(file)?;
    }
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).with_context(|| format!("{} can't be created", folder.display()))?;
    }
    let mut out = output::stdout();
    if let (Some(treatment), Some(folder)) = (&arguments.as_game, &arguments.out) {
        let season = trials.write_game(treatment, folder)?;
        let file = |name: &str| folder.join(name).display().to_string();
        writeln!(
            out,
            "game: {}, from {} on; weather: {}; actions: {}",
            file(GAME),
            season.start,
            file(WEATHER),
            file(ACTIONS)
        )?;
        for (what, facts) in [("not modelled", &season.not_modelled), ("assumed", &season.assumed)] {
            if !facts.is_empty() {
                writeln!(out, "{what}: {}", facts.join("; "))?;
            }
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let selection = Selection { crops: arguments.crop.clone(), treatments: arguments.treatment.clone() };
    let comparison = trials.play(&selection, arguments.threads.map_or_else(cores, |threads| threads as usize))?;
    if let Some(folder) = &arguments.out {
        comparison.write(folder)?;
    }
    if arguments.json {
        output::write_json(&mut out, "trials", comparison.json())?;
    } else {
        write(&mut out, &comparison, arguments.out.as_deref())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write(out: &mut impl Write, comparison: &Comparison, folder: Option<&FilePath>) -> std::io::Result<()> {
    writeln!(out, "Treatments, measured / simulated:")?;
    print(out, comparison.treatment_table(), 2..9)?;
    writeln!(out, "\nNot modelled:")?;
    for (trial, facts) in comparison.not_modelled() {
        writeln!(out, "  {trial}: {}", facts.join("; "))?;
    }
    writeln!(out, "\nTrials:")?;
    print(out, comparison.trial_table(), 1..17)?;
    writeln!(out, "\nCrops:")?;
    print(out, comparison.crop_table(), 1..17)?;
    if let Some(rank) = comparison.rank() {
        writeln!(out, "\nmedian rank correlation of the harvests within a trial: {rank:.2}")?;
    }
    if let Some(folder) = folder {
        writeln!(out, "page: {}", folder.join("index.md").display())?;
    }
    Ok(())
}

fn print(out: &mut impl Write, (header, rows): Table, numbers: std::ops::Range<usize>) -> std::io::Result<()> {
    let mut table = TextTable::new(&header).right_aligned(numbers);
    rows.into_iter().for_each(|row| table.row(row));
    table.write(out, "")
}
