//! `farm new-game` and `farm new-plugin`: create games and plugins that run immediately.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::Args;
use farm_core::inspect::DAYS_PER_YEAR;
use farm_core::registry::{elsewhere, kinds};
use farm_games::CATALOGUE;
use farm_games::first_season::{self, Sowing};
use farm_scaffold::{
    Name, NewPlugin, ScaffoldPlan, Season, SeasonField, Sort, Taken, USUAL_PLACE, USUAL_WEATHER, find_repository,
    game_file, plugin, season_file,
};

use crate::weather::Station;
use crate::{invocation, output};

const GAME_EXAMPLES: &str = "\
Examples:
  farm new-game wet_meadow                     creates wet_meadow.yaml in this folder
  farm new-game market --crops tomato,corn     one field per crop, to sow, water and harvest for profit
  farm new-game mine --crops wheat --fields 3 --weather station.csv
                                               three fields under your own weather
  farm check wet_meadow.yaml                   checks it after your changes
  farm run wet_meadow.yaml --policy expert     plays it

With --crops, the command plays trial seasons to find the best sowing days. This takes a few seconds.
Existing files are not overwritten.";
/// Create a game file that runs
#[derive(Debug, Args)]
#[command(after_help = GAME_EXAMPLES)]
pub(crate) struct NewGameArguments {
    /// Name of the game, such as `wet_meadow`
    #[arg(value_name = "NAME")]
    name: String,
    /// Crops, one per field, separated by commas
    #[arg(long, value_name = "CROP,…", value_delimiter = ',')]
    crops: Vec<String>,
    /// Number of fields; crops are repeated in order [default: one per crop]
    #[arg(long, value_name = "COUNT", requires = "crops", value_parser = clap::value_parser!(u8).range(1..=20))]
    fields: Option<u8>,
    /// Weather file in this folder or below it [default: weather near Montpellier]
    #[arg(long, value_name = "FILE", requires = "crops")]
    weather: Option<PathBuf>,
}

const PLUGIN_EXAMPLES: &str = "\
Examples:
  farm new-plugin wood_mice                    a crate with an entity, in the folder wood-mice
  farm new-plugin fair_trade --kind score      a crate with a score
  farm new-plugin wood_mice --path ~/mice      in another folder
  farm new-plugin wood_mice --farm-gym DIR     with the farm-gym sources in DIR

The crate contains the part, a game that uses it, tests and a README. It depends on the crates of farm-gym; the command looks for their
sources in this folder and above it. Inside these sources the crate becomes a member of their workspace, elsewhere it gets its own.
Existing files are not overwritten.";

/// Create a Rust crate with a part of your own
#[derive(Debug, Args)]
#[command(after_help = PLUGIN_EXAMPLES)]
pub(crate) struct NewPluginArguments {
    /// Name of the part, such as `WoodMice` or `wood-mice`
    #[arg(value_name = "NAME")]
    name: String,
    /// Type of the part: entity, farmer, rule, score or policy
    #[arg(long, value_name = "KIND", default_value = "entity")]
    kind: Sort,
    /// Folder of the crate [default: a folder with its name, in this folder]
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Folder of the farm-gym sources, or a folder inside
    #[arg(long, value_name = "DIR")]
    farm_gym: Option<PathBuf>,
}

/// Creates a game file.
///
/// # Errors
/// Fails if the name is taken or invalid, the file exists, a crop is unknown, the weather can't be read, or no crop ripens in it.
pub(crate) fn game(arguments: &NewGameArguments) -> anyhow::Result<ExitCode> {
    let (here, taken, program) = (here()?, taken(), invocation::noted().0);
    let plain = game_file(&here, &arguments.name, &taken, &program)?;
    if arguments.crops.is_empty() {
        return write(&plain);
    }
    // Checked before the seasons are played, which takes a while.
    plain.check()?;
    first_season::check_crops(&arguments.crops)?;
    write(&planted(arguments, &here, &taken, &program)?)
}

/// The number of days by which a season may exceed the trials, if the weather has enough days.
const SPARE_DAYS: [u32; 4] = [20, 10, 5, 0];

/// A game with crops planted in their seasons.
fn planted(arguments: &NewGameArguments, here: &Path, taken: &Taken, program: &str) -> anyhow::Result<ScaffoldPlan> {
    let crops = &arguments.crops;
    let count = arguments.fields.map_or(crops.len(), usize::from);
    ensure!(
        count >= crops.len(),
        "{} crops need {} fields, one per crop: use `--fields {}` or fewer crops",
        crops.len(),
        crops.len(),
        crops.len()
    );
    let (weather, place) = match &arguments.weather {
        Some(file) => of_file(file, here)?,
        None => (USUAL_WEATHER.to_owned(), Some(USUAL_PLACE)),
    };
    let season = |begin: u32, days: u32, fields: Vec<SeasonField>| Season {
        weather: weather.clone(),
        place: place.unwrap_or(USUAL_PLACE),
        is_place_known: place.is_some(),
        begin,
        days,
        fields,
    };
    let plan = |season: &Season| season_file(here, &arguments.name, taken, program, season);
    let source = format!("{}.yaml", arguments.name);
    let name = Name::parse(&arguments.name)?;
    let compiled = |season: &Season| first_season::compile(&source, &season.text(&name, ""), here);
    let mut found: Vec<(&String, Sowing)> = Vec::new();
    for crop in crops {
        if found.iter().any(|(known, _)| *known == crop) {
            continue;
        }
        let game_on = |sowing: &Sowing| compiled(&season(sowing.day, sowing.days, vec![sown(crop, sowing)]));
        let best = first_season::best_sowing(game_on)?.with_context(|| {
            format!(
                "`{crop}` earned less than it cost on every sowing day that was tried: choose another crop, or weather that is warmer or \
                 covers more days"
            )
        })?;
        found.push((crop, best));
    }
    let sowing_of = |i: usize| {
        let crop = &crops[i % crops.len()];
        found.iter().find(|(known, _)| *known == crop).map(|(crop, sowing)| (*crop, sowing))
    };
    let sowings: Vec<(&String, &Sowing)> = (0..count).filter_map(sowing_of).collect();
    let fields: Vec<SeasonField> = sowings.iter().map(|(crop, sowing)| sown(crop, sowing)).collect();
    // The season starts with one of the sowings, chosen to be as short as possible.
    let days_from = |begin: u32| {
        let until = |sowing: &Sowing| (sowing.day + DAYS_PER_YEAR - begin) % DAYS_PER_YEAR + sowing.days;
        sowings.iter().map(|(_, sowing)| until(sowing)).max().unwrap_or(0)
    };
    let begins = sowings.iter().map(|(_, sowing)| sowing.day);
    let (begin, days) = begins.map(|day| (day, days_from(day))).min_by_key(|(_, days)| *days).unwrap_or((0, 0));
    let seasons = SPARE_DAYS.map(|spare| season(begin, days + spare, fields.clone()));
    let [.., shortest] = &seasons;
    let fits = seasons.iter().find(|season| compiled(season).is_ok());
    if fits.is_none() {
        // The errors of the shortest season are errors of all.
        compiled(shortest)?;
    }
    plan(fits.unwrap_or(shortest))
}

fn sown(crop: &str, sowing: &Sowing) -> SeasonField {
    let Sowing { day, seeds, below, amount, .. } = *sowing;
    SeasonField { crop: crop.to_owned(), sown_on: day, seeds, below, amount }
}

/// The weather from a file, in the form that game files use, and its location if the file contains one.
fn of_file(file: &Path, here: &Path) -> anyhow::Result<(String, Option<[f64; 3]>)> {
    let station = Station::open(file, None, false)?;
    let shown = file.strip_prefix(here).unwrap_or(file).display().to_string();
    ensure!(
        file.strip_prefix(here).unwrap_or(file).is_relative() && !shown.split(['/', '\\']).any(|part| part == ".."),
        "a game reads only files in its own folder or below it: copy {shown} into {}",
        here.display()
    );
    let provenance = &station.series().provenance;
    let place = provenance
        .latitude_degrees
        .map(|latitude| [latitude, provenance.longitude_degrees.unwrap_or(0.0), provenance.elevation_m.unwrap_or(0.0)]);
    Ok((format!("{{file: '{}'}}", shown.replace('\'', "''")), place))
}

/// Creates a crate.
///
/// # Errors
/// Fails if the name is taken or invalid, the folder exists, or the farm-gym sources are not found.
pub(crate) fn crate_of_plugin(arguments: &NewPluginArguments) -> anyhow::Result<ExitCode> {
    let here = here()?;
    let looked_in = arguments.farm_gym.as_ref().map_or_else(|| here.clone(), |folder| here.join(folder));
    let repository = find_repository(&looked_in).with_context(|| {
        format!(
            "a plugin needs the sources of farm-gym, and neither {} nor a folder above it contains them: \
             get them with git, then run this command there or pass their folder with `--farm-gym DIR`",
            looked_in.display()
        )
    })?;
    let new = NewPlugin {
        repository: &repository,
        name: &arguments.name,
        sort: arguments.kind,
        inside: &here,
        folder: arguments.path.as_deref(),
    };
    write(&plugin(&new, &taken())?)
}

/// The names of parts and games in the program and its plugins.
fn taken() -> Taken {
    let all = kinds().iter().copied().chain(elsewhere().into_iter().map(|other| other.kind()));
    // A kind's type is called `Sort` here, with the same words.
    let kinds = all.filter_map(|kind| Some((kind.part().singular().parse().ok()?, kind.name().to_owned())));
    Taken { kinds: kinds.collect(), games: CATALOGUE.iter().map(|entry| entry.name.to_owned()).collect() }
}

fn here() -> anyhow::Result<PathBuf> {
    std::path::absolute(Path::new(".")).context("the working folder can't be read")
}

/// Writes the planned files and prints their names.
fn write(plan: &ScaffoldPlan) -> anyhow::Result<ExitCode> {
    plan.write()?;
    let mut out = output::stdout();
    write!(out, "{plan}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_sort() {
        let taken = taken();
        assert!(taken.kinds.len() >= kinds().len() && kinds().len() > 20);
        for sort in Sort::ALL {
            assert!(taken.kinds.iter().any(|(of, _)| *of == sort), "{sort}");
        }
    }
}
