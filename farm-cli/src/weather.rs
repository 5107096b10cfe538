//! `farm weather`: what is read from a file of weather.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use farm_games::farm_entities::agronomy::radiation::{extraterrestrial_radiation, solar_radiation};
use farm_games::farm_entities::agronomy::weather::formats::{self, Day, Missing, Reading, Series};
use farm_output::{check_target, save};
use farm_plot::{Lines, Panels, Series as Curve, Shape};

use crate::invocation;
use crate::output::{self, TextTable};
use crate::plot::PlotFile;

const EXAMPLES: &str = "\
EXAMPLES:
  farm weather station.csv                     what was read, what was assumed, and what each month is like
  farm weather station.csv --latitude 48.5     compared with the place of your field
  farm weather station.epw --plot months.svg   the same as a picture
  farm weather POWER.csv --out station.csv     the days as a table of our own, with units

A game plays the file where its weather has `file: station.csv`; docs/weather.md lists the formats and the names of columns.";

/// Shows what is read from a file of daily or hourly weather
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file: a table, NASA POWER, Open-Meteo, EPW, DSSAT, AgMIP, APSIM, CABO, PCSE, SILO and others
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Latitude of the field, north positive [default: the latitude that the file gives]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    latitude: Option<f64>,
    /// Fills gaps of at most seven days, as `missing: interpolate` does
    #[arg(long)]
    interpolate: bool,
    /// Writes the days as a table with units
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Draws temperature, rain and radiation of the months
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    plot: Option<PathBuf>,
}

/// What a month of all years is like.
struct Month {
    celsius: f64,
    rain_mm: f64,
    solar_mj: Option<f64>,
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/// The first day of each month, and of the next year.
const STARTS: [usize; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

/// Prints what was read.
///
/// # Errors
/// A file that can't be read; files that can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let plot = arguments.plot.as_deref().map(PlotFile::open).transpose()?;
    arguments.out.as_deref().map(check_target).transpose()?;
    let missing = if arguments.interpolate { Missing::Interpolate } else { Missing::Refuse };
    let mut reading = Reading { missing, ..Reading::default() };
    reading.latitude_degrees = arguments.latitude.unwrap_or(reading.latitude_degrees);
    let mut series = read(&arguments.file, &reading)?;
    // Radiation is judged, and clouds follow from it, at the place of the file where none is asked for.
    if let (None, Some(latitude)) = (arguments.latitude, series.provenance.latitude_degrees) {
        reading.latitude_degrees = latitude;
        series = read(&arguments.file, &reading)?;
    }
    let mut out = output::stdout();
    for line in series.summary() {
        writeln!(out, "{line}")?;
    }
    for finding in &series.findings {
        writeln!(out, "warning: {}; it may come from {}", finding.message, finding.cause)?;
    }
    let months = months(&series);
    let mut table = TextTable::new(&["month", "°C", "rain mm", "radiation MJ/m²/day", "under a clear sky"]);
    for (i, month) in months.iter().enumerate() {
        let Some(month) = month else { continue };
        let solar = month.solar_mj.map(|solar| format!("{solar:.1}")).unwrap_or_default();
        let clear = clear_sky(reading.latitude_degrees, i);
        table.row(vec![
            MONTHS[i].to_owned(),
            format!("{:.1}", month.celsius),
            format!("{:.0}", month.rain_mm),
            solar,
            format!("{clear:.1}"),
        ]);
    }
    table.write(&mut out, "")?;
    if let Some(path) = &arguments.out {
        save(path, series.to_csv().as_bytes())?;
        writeln!(out, "table: {}", path.display())?;
    }
    if let Some(file) = plot {
        let path = file.save(&picture(&months, reading.latitude_degrees).draw())?;
        writeln!(out, "picture: {}", path.display())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &FilePath, reading: &Reading) -> anyhow::Result<Series> {
    formats::read(file, reading).or_else(|errors| {
        let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let help = errors.first().map(|error| invocation::phrased(&error.help())).unwrap_or_default();
        bail!("{}\nhelp: {help}", said.join("\n"))
    })
}

/// The months that the file has.
fn months(series: &Series) -> Vec<Option<Month>> {
    let first = series.first_day();
    let month = |month: usize| {
        let within = |(i, _): &(usize, &Day)| (STARTS[month]..STARTS[month + 1]).contains(&((first + i) % 365));
        let days: Vec<&Day> = series.days.iter().enumerate().filter(within).map(|(_, day)| day).collect();
        let mean = |value: &dyn Fn(&Day) -> f64| days.iter().map(|day| value(day)).sum::<f64>() / days.len() as f64;
        (!days.is_empty()).then(|| Month {
            celsius: mean(&|day| day.mean_celsius),
            rain_mm: mean(&|day| day.rain_mm) * (STARTS[month + 1] - STARTS[month]) as f64,
            solar_mj: days
                .iter()
                .all(|day| day.solar_mj.is_some())
                .then(|| mean(&|day| day.solar_mj.unwrap_or_default())),
        })
    };
    (0..12).map(month).collect()
}

/// Radiation at the ground in the middle of a month without clouds (FAO-56 Eq. 35).
fn clear_sky(latitude_degrees: f64, month: usize) -> f64 {
    let day = (STARTS[month] + STARTS[month + 1]) / 2 + 1;
    solar_radiation(extraterrestrial_radiation(latitude_degrees, day as u32), 0.0)
}

fn picture(months: &[Option<Month>], latitude_degrees: f64) -> Panels {
    let series = |name: &str, color: usize, value: &dyn Fn(usize, &Month) -> Option<f64>| Curve {
        name: name.to_owned(),
        points: months
            .iter()
            .enumerate()
            .filter_map(|(i, month)| Some((i as f64, value(i, month.as_ref()?)?)))
            .collect(),
        color,
        ..Curve::default()
    };
    let panel = |title: &str, series: Vec<Curve>| Lines {
        title: title.to_owned(),
        series,
        range: Some((0.0, 11.0)),
        ticks: (0..12).step_by(3).map(|i| (f64::from(i), MONTHS[i as usize].to_owned())).collect(),
        is_named: true,
        has_dots: true,
        ..Lines::default()
    };
    Panels {
        title: "What the months are like".to_owned(),
        columns: 3,
        width: 280.0,
        height: 180.0,
        panels: vec![
            panel("temperature (°C)", vec![series("file", 0, &|_, month| Some(month.celsius))]),
            panel(
                "rain (mm)",
                vec![Curve { shape: Shape::Columns, ..series("file", 0, &|_, month| Some(month.rain_mm)) }],
            ),
            Lines {
                // From none to that of the sunniest month anywhere.
                y_range: Some((0.0, 35.0)),
                ..panel(
                    "radiation, and that of a clear sky (MJ/m²/day)",
                    vec![
                        series("file", 0, &|_, month| month.solar_mj),
                        series("clear sky", 1, &|i, _| Some(clear_sky(latitude_degrees, i))),
                    ],
                )
            },
        ],
        ..Panels::default()
    }
}
