//! `farm weather`: shows how the program reads a weather file.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;

use clap::Args;
use farm_core::config::{Path, Problems};
use farm_games::farm_entities::agronomy::radiation::{extraterrestrial_radiation, solar_radiation};
use farm_games::farm_entities::agronomy::weather::formats::{self, MONTH_STARTS, Missing, Month, Reading, Series};
use farm_games::farm_entities::agronomy::weather::{MonthlyClimate, Site, fit};
use farm_output::{check_target, save};
use farm_plot::{Drawing, Lines, Panels, PlotError, Series as Curve, Shape};

use crate::output::{self, TextTable};
use crate::plot::{PNG_SCALE, PlotFile};

const EXAMPLES: &str = "\
Examples:
  farm weather station.csv                     values, assumptions, and the climate of each month
  farm weather station.csv --latitude 48.5     for the latitude of your field
  farm weather station.epw --plot months.svg   a picture of the months, next to the nearest built-in climate
  farm weather POWER.csv --out station.csv     converts the days to a table with units
  farm weather --fit station.csv               prints a generator with this climate, for the entities of a game

A game uses the file with `file: station.csv` in its weather. docs/weather.md lists the formats and the names of columns.";

/// Check a weather file and print what was read
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File: a table, NASA POWER, Open-Meteo, EPW, DSSAT, AgMIP, APSIM, CABO, PCSE, SILO and others
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Latitude of the field, north positive [default: the latitude in the file]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    latitude: Option<f64>,
    /// Fill gaps of at most 7 days, as with `missing: interpolate`
    #[arg(long)]
    interpolate: bool,
    /// Fit the generator to the days, at least 5 whole years, and print it as an entity of a game
    #[arg(long, conflicts_with = "plot")]
    fit: bool,
    /// Write the days as a table with units or, with `--fit`, the generator as YAML
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw monthly temperature, rain and radiation, next to the built-in climate with the nearest temperatures
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    plot: Option<PathBuf>,
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Prints the file's contents.
///
/// # Errors
/// Fails if the file can't be read, or if an output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let plot = arguments.plot.as_deref().map(PlotFile::open).transpose()?;
    arguments.out.as_deref().map(check_target).transpose()?;
    let station = Station::open(&arguments.file, arguments.latitude, arguments.interpolate)?;
    let mut out = output::stdout();
    if arguments.fit {
        let text = station.fit(&arguments.file.display().to_string())?;
        match &arguments.out {
            Some(path) => {
                save(path, text.as_bytes())?;
                writeln!(out, "generator: {}", path.display())?;
            }
            None => write!(out, "{text}")?,
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", station.text())?;
    if let Some(path) = &arguments.out {
        save(path, station.series().to_csv().as_bytes())?;
        writeln!(out, "table: {}", path.display())?;
    }
    if let Some(file) = plot {
        let path = file.save(&station.picture())?;
        writeln!(out, "picture: {}", path.display())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A weather file: its days, and the climate in each month.
#[derive(Debug)]
pub struct Station {
    series: Series,
    latitude_degrees: f64,
    months: Vec<Option<Month>>,
}

impl Station {
    /// Reads a file for a field at a given latitude. The default is the latitude in the file, or 45° N.
    ///
    /// # Errors
    /// Returns all errors in the file, up to a maximum number.
    pub fn open(file: &FilePath, latitude_degrees: Option<f64>, interpolate: bool) -> Result<Self, Problems> {
        let missing = if interpolate { Missing::Interpolate } else { Missing::Refuse };
        let mut reading = Reading { missing, ..Reading::default() };
        reading.latitude_degrees = latitude_degrees.unwrap_or(reading.latitude_degrees);
        let read = |reading: &Reading| {
            formats::read(file, reading)
                .map_err(|errors| Problems(errors.iter().map(|error| error.problem(&Path::default())).collect()))
        };
        let mut series = read(&reading)?;
        // Radiation is checked, and clouds are computed, for the latitude in the file by default.
        if let (None, Some(latitude)) = (latitude_degrees, series.provenance.latitude_degrees) {
            reading.latitude_degrees = latitude;
            series = read(&reading)?;
        }
        let months = series.months();
        Ok(Self { series, latitude_degrees: reading.latitude_degrees, months })
    }

    /// The days, with the file's provenance.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// The latitude for which the file was read.
    pub fn latitude_degrees(&self) -> f64 {
        self.latitude_degrees
    }

    /// The values and assumptions, the warnings, and each month's climate, as lines.
    pub fn text(&self) -> String {
        let mut lines = self.series.summary();
        for finding in &self.series.findings {
            lines.push(format!("warning: {}; it may come from {}", finding.message, finding.cause));
        }
        let mut table = TextTable::new(&["month", "°C", "rain mm", "radiation MJ/m²/day", "under a clear sky"]);
        for (i, month) in self.months.iter().enumerate() {
            let Some(month) = month else { continue };
            table.row(vec![
                MONTHS[i].to_owned(),
                format!("{:.1}", month.celsius),
                format!("{:.0}", month.rain_mm),
                month.solar_mj.map(|solar| format!("{solar:.1}")).unwrap_or_default(),
                format!("{:.1}", self.solar_mj(i, 0.0)),
            ]);
        }
        let mut text = Vec::new();
        // Writing to memory never fails.
        let _ = table.write(&mut text, "");
        lines.iter().map(|line| format!("{line}\n")).collect::<String>() + &String::from_utf8_lossy(&text)
    }

    /// The generator with this climate, as an entity of a game. Comments state what was read and assumed.
    ///
    /// # Errors
    /// Fails if the file has fewer than five whole years.
    pub fn fit(&self, file: &str) -> Result<String, Problems> {
        let fit = fit::fit(&self.series, Reading::default().wind_height_m)
            .map_err(|short| Problems(vec![short.problem(file)]))?;
        let mut text = String::new();
        for line in self.series.summary() {
            text += &format!("# {line}\n");
        }
        Ok(text + &fit.yaml(file))
    }

    /// The picture as an SVG.
    pub fn svg(&self) -> String {
        self.picture().svg()
    }

    /// The picture as a PNG.
    ///
    /// # Errors
    /// Fails if the fonts can't be read.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        self.picture().png(PNG_SCALE)
    }

    /// Monthly temperature, rain and radiation, next to the built-in climate with the nearest temperatures.
    fn picture(&self) -> Drawing {
        let celsius: Vec<Option<f64>> = self.months.iter().map(|month| month.map(|month| month.celsius)).collect();
        let site = Site::nearest(&celsius);
        let climate = site.climate();
        let curve = |name: &str, color: usize, value: &dyn Fn(usize) -> Option<f64>| Curve {
            name: name.to_owned(),
            points: (0..MONTHS.len()).filter_map(|i| Some((i as f64, value(i)?))).collect(),
            color,
            ..Curve::default()
        };
        let own = |value: fn(&Month) -> Option<f64>| {
            curve("file", 0, &|i| self.months.get(i).copied().flatten().as_ref().and_then(value))
        };
        let set = site.set();
        let built_in =
            |value: &dyn Fn(usize, &MonthlyClimate) -> f64| curve(&set, 2, &|i| Some(value(i, climate.get(i)?)));
        let panel = |title: &str, series: Vec<Curve>| Lines {
            title: title.to_owned(),
            series,
            range: Some((0.0, 11.0)),
            ticks: (0..12).step_by(3).map(|i| (f64::from(i), MONTHS[i as usize].to_owned())).collect(),
            is_named: true,
            has_dots: true,
            ..Lines::default()
        };
        let panels = vec![
            panel(
                "temperature (°C)",
                vec![
                    own(|month| Some(month.celsius)),
                    // The first panel names the series of all panels.
                    curve("clear sky", 1, &|_| None),
                    built_in(&|_, climate| climate.celsius),
                ],
            ),
            panel(
                "rain (mm)",
                vec![
                    Curve { shape: Shape::Columns, ..own(|month| Some(month.rain_mm)) },
                    built_in(&|_, climate| climate.rain_mm),
                ],
            ),
            Lines {
                // From none to the radiation of the sunniest month on earth.
                y_range: Some((0.0, 35.0)),
                ..panel(
                    "radiation, and clear-sky radiation (MJ/m²/day)",
                    vec![
                        own(|month| month.solar_mj),
                        curve("clear sky", 1, &|i| Some(self.solar_mj(i, 0.0))),
                        built_in(&|i, climate| self.solar_mj(i, climate.clouds_percent)),
                    ],
                )
            },
        ];
        let title = format!("Climate of the months, next to the nearest built-in climate, {set}");
        Panels { title, columns: 3, width: 280.0, height: 180.0, panels, ..Panels::default() }.draw()
    }

    /// Radiation at the ground in the middle of a month, with clouds (FAO-56 Eq. 35).
    fn solar_mj(&self, month: usize, clouds_percent: f64) -> f64 {
        let day = (MONTH_STARTS[month] + MONTH_STARTS[month + 1]) / 2 + 1;
        solar_radiation(extraterrestrial_radiation(self.latitude_degrees, day as u32), clouds_percent)
    }
}
