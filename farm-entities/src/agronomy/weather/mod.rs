//! Weather: replays tables of days with noise or generates days, and computes the variables that soils and plants need.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | soil capacity, only with `rain: paper` | `water_capacity` | L |
//!
//! | writes | role | unit |
//! |---|---|---|
//! | air temperature: mean, lowest, highest | `air_temperature_mean`, `…_min`, `…_max` | °C |
//! | relative humidity: mean, lowest | `relative_humidity`, `relative_humidity_min` | % |
//! | wind: speed as measured, at 2 m, direction | `wind_speed_2m` | km/h, m/s, ° |
//! | rain and its intensity | `rain_amount`, `rain_intensity` | mm.day-1, prop |
//! | clouds, solar radiation | – | %, MJ.m-2.day-1 |
//! | reference evapotranspiration | `reference_evapotranspiration` | mm.day-1 |
//! | carbon dioxide, only with `co2#ppm` | `air_co2` | ppm |
//! | days in a row with frost, without rain; the date | `consecutive_frost` | day |
//! | forecast of the coming days, computed when observed | – | as above |
//! | hidden, only with the generator: its state and the coming days | – | as above |
//!
//! Source: Farm-gym paper 4.1 and Eqs. 23–25, FAO-56, Valiantzas 2018. Deviations from the paper:
//!
//! * Rain is an amount in mm instead of a flag (`rain: paper` has the flag, and its heavy rain fills the whole soil).
//! * ET₀ has the published coefficient and units.
//! * Every table row is used, not only the first 365.
//! * The standard deviation of a forecast grows with its lead, whereas the reference repeats today's weather.
//!
//! With `equations: agronomic` the weather of Montpellier and Lille is generated, the forecast preserves the climate, and ET₀ follows
//! Penman and Monteith.
//!
//! Days come from tables (`replay.rs`) or from a generator (`generator/`). `formats/` reads files, and `seasons.rs` chooses the years that
//! are played. The seed, the start date and the number of days since then determine the weather on a day; actions on the farm do not change
//! it. Day 0 is the day of the reset, and day n is the day of the n-th step.

mod climate;
mod datasets;
mod forecast;
pub mod formats;
mod generator;
mod parameters;
mod redraw;
mod replay;
mod seasons;
#[cfg(test)]
mod tests;
mod variables;

use std::sync::Arc;

use farm_core::Slot;
use farm_core::config::{ParameterError, Path, Problem, to_inline_yaml};
use farm_core::declare::{Maybe, Picture, RoleError, SeriesKind};
use farm_core::serde_yaml::{from_value, to_value};
use farm_core::{
    Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Found, Phase, Purpose, Reader, Season, Stream,
};
use farm_roles::WATER_CAPACITY;

use self::climate::Usual;
pub use self::datasets::Dataset;
use self::forecast::FORECASTS;
use self::formats::{Day, Reading, WET_DAY_MM};
pub use self::generator::{Climate, MonthlyClimate, Months, Site, fit};
use self::generator::{DeclaredGenerator, Generator, Setting};
pub use self::parameters::{EvapotranspirationMethod, ForecastErrors, Rain, RainSource, ReplayNoise, Source};
use self::parameters::{Noise, PaperRain, RainTable, Skill, Weather, WeightedTable};
use self::replay::Replay;
use self::seasons::Seasons;
use self::variables::{CarbonDioxide, DAYS_PER_YEAR, MAX_DAYS_IN_A_ROW, RAIN, TEMPERATURE, Variables, YEARS};
use super::radiation;
use crate::agronomy::AgronomyError;

/// Rain with the maximum intensity for nutrient leaching (design: the reference's light rain of 0.01 is then 1 mm).
const FULL_INTENSITY_MM: f64 = 100.0;

/// The choice of a year from a file.
const YEAR: Purpose = Purpose::named("year");
/// The random numbers for a day.
const DAILY: Purpose = Purpose::named("day");
/// Light or heavy rain on a generated day with `rain: paper`.
const PAPER_RAIN: Purpose = Purpose::named("paper rain");

/// The day's sky. Rain has priority over frost, because the temperature next to the picture also shows frost. Both have priority over
/// clouds.
fn picture() -> Picture {
    Picture::in_status_bar("Weather")
        .from("rain_amount#mm.day-1", 10.0, "heavy rain", include_str!("sprites/heavy_rain.svg"))
        .from("rain_amount#mm.day-1", 1.0, "rain", include_str!("sprites/rain.svg"))
        .within("air_temperature.min#°C", f64::NEG_INFINITY, 0.0, "frost", include_str!("sprites/frost.svg"))
        .from("clouds#%", 70.0, "clouds", include_str!("sprites/cloud.svg"))
        .from("clouds#%", 30.0, "some clouds", include_str!("sprites/partly.svg"))
        .otherwise("sun", include_str!("sprites/sun.svg"))
        .value("day#int365")
        .value("air_temperature.mean#°C")
        .value("rain_amount#mm.day-1")
        .over_season("rain (mm)", "rain_amount#mm.day-1", SeriesKind::Daily, [0x5b, 0x8f, 0xd9])
}

#[farm_core::register(
    source = "Farm-gym paper 4.1, Eqs. 23–25; FAO-56; Valiantzas 2018; Richardson 1981; Matalas 1967; Sommer and Kaplan 2017",
    sets = concat!(include_str!("weather.yaml"), include_str!("climates.yaml")),
)]
impl Entity for Weather {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        // The order of the declarations is the order of the state.
        let columns = Variables::declare(d, &());
        let capacity = (self.rain_meaning() == Rain::Paper).then(|| d.maybe(WATER_CAPACITY));
        let (days, files) = self.days(d);
        if let Some(ppm) = self.co2 {
            CarbonDioxide::declare(d, &ppm);
        }
        let key = d.stream_key();
        d.picture(picture());
        let lookahead = self.forecast_lookahead_days as usize;
        for forecast in &FORECASTS {
            d.observable(forecast.name, forecast.kind(), &[lookahead], forecast.doc);
        }
        d.runs_in(Phase::Exogenous);
        Bind::new(move |found| {
            let field = found.field();
            let latitude = field.latitude_degrees();
            Sky {
                extraterrestrial: std::array::from_fn(|day| {
                    radiation::extraterrestrial_radiation(latitude, day as u32 + 1)
                }),
                wind_2m_per_km_per_h: radiation::wind_share_at_2m(self.wind_height_m) / 3.6,
                plot_area_m2: field.plot_area_m2(),
                elevation: radiation::Elevation::of(field.altitude_m()),
                columns: columns.bind(found),
                capacity: capacity.and_then(|capacity| filled_soil(capacity, found)),
                days: days.bind(found),
                seasons: Seasons::of(files, self.year),
                skill: self.skill(),
                key,
                noise: self.replay_noise(),
                parameters: self.clone(),
            }
        })
    }
}

impl Weather {
    /// The source of the days, and the files with dates.
    fn days(&self, d: &mut Declarations<'_>) -> (Days<DeclaredGenerator>, Vec<replay::Days>) {
        if self.forecast == Some(ForecastErrors::Paper) && self.has_skill() {
            let skill = if self.forecast_skill.is_some() { "forecast_skill" } else { "forecast_skill_of_rain" };
            let problem = Problem::new(
                ParameterError::Contradiction,
                Path::default().child(skill),
                format!("`{skill}` can't be combined with `forecast: paper`"),
            );
            d.problem(problem.help(format!("remove `{skill}` or `forecast: paper`")));
        }
        let site = self.generated_site();
        let rain = self.rain_table(site.is_some(), d);
        let mut files = Vec::new();
        let days = match site {
            None => {
                let tables = self.tables(rain.as_ref(), d);
                files = tables.iter().filter(|(days, _)| days.dated.is_some()).map(|(days, _)| days.clone()).collect();
                Days::Replay(Replay::new(tables, self.replay_noise()))
            }
            Some(site) => {
                let lookahead_days = self.forecast_lookahead_days.max(1);
                let climate = self.climate.clone().unwrap_or_default();
                climate.check(&Path::default().child("climate"), d);
                let setting = Setting { site, climate, rain_variation: self.rain_variation, lookahead_days };
                Days::Generator(Generator::declare(d, &setting))
            }
        };
        if self.file.is_some() && (site.is_some() || !self.files.is_empty()) {
            let instead = if site.is_some() { "source: generator" } else { "files" };
            let problem = Problem::new(
                ParameterError::Contradiction,
                Path::default().child("file"),
                format!("the file is not read, because `{instead}` is set"),
            );
            d.problem(problem.help(format!("remove `file` or `{instead}`")));
        }
        for key in self.confirmed.iter().flatten().filter(|key| !formats::CONFIRMED.contains(&key.as_str())) {
            let path = Path::default().child("confirmed");
            let problem = Problem::new(ParameterError::WrongType, path, format!("unknown word `{key}` in `confirmed`"));
            d.problem(problem.value(key).among(key, formats::CONFIRMED));
        }
        (days, files)
    }

    /// The tables to replay, with their weights.
    fn tables(&self, rain: Option<&RainTable>, d: &mut Declarations<'_>) -> Vec<(replay::Days, f64)> {
        if self.files.is_empty() {
            let path = Path::default().child("file");
            return vec![(self.table(self.file.as_deref(), self.dataset, rain, path, d), 1.0)];
        }
        if self.files.iter().all(|table| table.weight <= 0.0) {
            let problem = Problem::new(
                ParameterError::ValueOutOfRange,
                Path::default().child("files"),
                "no table has a weight above 0",
            );
            d.problem(problem.expected("a `weight` above 0 for at least one table"));
        }
        let table = |(i, table): (usize, &WeightedTable)| {
            let path = Path::default().child("files").child(i).child("file");
            (self.table(table.file.as_deref(), table.dataset, rain, path, d), table.weight)
        };
        self.files.iter().enumerate().map(table).collect()
    }

    /// A table. Each error in it is reported as a problem with the parameter at `path`, and each implausible value as a warning.
    fn table(
        &self,
        file: Option<&str>,
        dataset: Dataset,
        rain: Option<&RainTable>,
        path: Path,
        d: &mut Declarations<'_>,
    ) -> replay::Days {
        let none = || replay::Days::of_years(no_days());
        if d.only_declares() {
            return none();
        }
        let Some(file) = file else {
            return match dataset.days() {
                Ok(days) => replay::Days::of_years(days),
                Err(errors) => {
                    report(errors, &path, false, d);
                    none()
                }
            };
        };
        let rain = rain.and_then(|rain| self.rain_of(rain, d));
        let reading = Reading { rain_is_elsewhere: rain.is_some(), ..self.reading(d) };
        let Some(mut series) = self.series(file, &reading, &path, d) else { return none() };
        if let Some((other, name)) = rain {
            series = series.with_rain_of(&other, &name);
        }
        let is_confirmed = |key: &str| self.confirmed.iter().flatten().any(|known| known == key);
        for finding in series.findings.iter().filter(|finding| !is_confirmed(finding.key)) {
            let problem = Problem::new(AgronomyError::ImplausibleWeather, path.clone(), &finding.message);
            let help =
                format!("it may come from {}; if it is right, set `confirmed: [{}]`", finding.cause, finding.key);
            d.problem(problem.value(file).help(help).warning());
        }
        d.note(format!("{file}: {}", series.line()));
        let (years, last) = (series.years(), series.last());
        let span = match (series.first, last) {
            (Some(first), Some(last)) => format!("{first} to {last}"),
            _ => String::new(),
        };
        if years > 1 && self.year.is_none() && !span.is_empty() {
            d.note(format!(
                "{file}: {years} years, {span}; each episode plays a random year unless its start sets `year#int100`"
            ));
        }
        let repeats = self.repeat.unwrap_or(series.days.len() == DAYS_PER_YEAR as usize);
        let first_day = series.first_day();
        let dated = series.first.map(|first| replay::Dated { first, repeats, span });
        replay::Days { days: Arc::from(series.days), first_day, dated }
    }

    /// How files are read.
    fn reading(&self, d: &Declarations<'_>) -> Reading {
        Reading {
            format: self.format,
            missing: self.missing,
            date_order: self.date_order.unwrap_or(formats::DateOrder::Auto),
            columns: self.columns.clone().unwrap_or_default().into_iter().collect(),
            rain_is_elsewhere: false,
            only_rain: false,
            latitude_degrees: d.field().latitude_degrees(),
            longitude_degrees: Some(d.field().longitude_degrees()),
            wind_height_m: self.wind_height_m,
        }
    }

    /// The days in a file; `None` and problems at `path` if the file can't be read.
    fn series(&self, file: &str, reading: &Reading, path: &Path, d: &mut Declarations<'_>) -> Option<formats::Series> {
        let found = match d.find_file(file) {
            Ok(found) => found,
            Err(refused) => {
                d.problem(Problem { path: path.clone(), ..*refused });
                return None;
            }
        };
        match formats::read(found.path(), reading) {
            Ok(series) => Some(series),
            Err(errors) => {
                report(errors, path, found.is_outside(), d);
                None
            }
        }
    }

    /// The source of the rain, if it is not the source of the days.
    fn rain_table(&self, is_generated: bool, d: &mut Declarations<'_>) -> Option<RainTable> {
        let path = Path::default().child("rain");
        let value = &self.rain.as_ref()?.0;
        if from_value::<Rain>(value.clone()).is_ok() {
            return None;
        }
        let table = match from_value::<RainTable>(value.clone()) {
            Ok(table) if value.is_mapping() && (table.file.is_some() || table.dataset.is_some()) => table,
            _ => {
                let problem = Problem::new(ParameterError::WrongType, path, "unknown meaning or source of rain");
                let expected = "`amount`, `paper`, `{file: FILE}` or `{dataset: NAME}`";
                let shown = to_inline_yaml(value);
                d.problem(problem.value(shown).expected(expected));
                return None;
            }
        };
        // Only days of a file may lack rain: other days have their own rain, which would be played.
        let days = match &self.files[..] {
            _ if is_generated => "generated days",
            [] if self.file.is_none() => "the days of a dataset",
            tables if tables.iter().any(|table| table.file.is_none()) => "the days of a dataset in `files`",
            _ => return Some(table),
        };
        let message = format!("this source of rain is not used, because {days} have their own rain");
        let problem = Problem::new(ParameterError::Contradiction, path, message).value(to_inline_yaml(value));
        d.problem(problem.expected("a `file` with days without rain").help("set `file`, or remove `rain`"));
        None
    }

    /// The days from which only the rain is played, with their name.
    fn rain_of(&self, table: &RainTable, d: &mut Declarations<'_>) -> Option<(formats::Series, String)> {
        let path = Path::default().child("rain");
        match (&table.file, table.dataset) {
            (Some(file), _) => {
                let reading = Reading { only_rain: true, ..self.reading(d) };
                let series = self.series(file, &reading, &path.child("file"), d)?;
                Some((series, file.clone()))
            }
            (None, dataset) => {
                let days = dataset.unwrap_or(Dataset::Montpellier).days().ok()?;
                let (provenance, findings) = (formats::Provenance::default(), Vec::new());
                let series = formats::Series { days: days.to_vec(), first: None, provenance, findings };
                Some((series, to_value(dataset).ok()?.as_str()?.to_owned()))
            }
        }
    }
}

/// Reports the errors in a file as problems with a parameter.
fn report(errors: Vec<formats::TableError>, path: &Path, is_outside: bool, d: &mut Declarations<'_>) {
    for error in errors {
        let error = if is_outside { error.without_values() } else { error };
        d.problem(error.problem(path));
    }
}

/// Placeholder for a table with errors. The game is rejected, but its parts are built first, to find the problems of the other parts.
fn no_days() -> Arc<[Day]> {
    Arc::from([Day {
        min_celsius: 0.0,
        mean_celsius: 0.0,
        max_celsius: 0.0,
        humidity_percent: 0.0,
        rain_mm: 0.0,
        wind_km_per_h: 0.0,
        clouds_percent: 0.0,
        direction_degrees: None,
        solar_mj: None,
    }])
}

/// The capacity of the soil that the paper's rain fills.
fn filled_soil(capacity: Maybe<f64>, found: &mut Found<'_>) -> Option<Column<f64>> {
    let capacity = found.get(capacity);
    if capacity.is_none() {
        let problem = Problem::new(
            RoleError::RoleWithoutProvider,
            Path::default().child("rain"),
            "the paper's rain needs a soil to fill",
        )
        .value("paper")
        .expected(format!("a part with the role `{}` in the field", WATER_CAPACITY.name()));
        let candidates = farm_core::inspect::providers_of(WATER_CAPACITY.name()).join(" or ");
        found.problem(problem.help(format!("add {candidates} to the field, or set `rain: amount`")));
    }
    capacity
}

/// The source of the days. The generator is not complete before the game is.
enum Days<G = Generator> {
    Replay(Replay),
    Generator(G),
}

impl Days<DeclaredGenerator> {
    fn bind(self, found: &mut Found<'_>) -> Days {
        match self {
            Self::Replay(replay) => Days::Replay(replay),
            Self::Generator(generator) => Days::Generator(generator.bind(found)),
        }
    }
}

/// The behaviour of the weather.
struct Sky {
    columns: Variables,
    capacity: Option<Column<f64>>,
    plot_area_m2: f64,
    elevation: radiation::Elevation,
    key: u64,
    parameters: Weather,
    /// The random differences from the days in the table.
    noise: Noise,
    days: Days,
    /// The seasons in its files that can be played.
    seasons: Seasons,
    /// The skill of the forecast; `None` if its errors follow `forecast_noise`.
    skill: Option<Skill>,
    /// Radiation above the atmosphere at the field's latitude, by day of the year.
    extraterrestrial: [f64; DAYS_PER_YEAR as usize],
    /// Wind speed at 2 m in m/s, for each km/h at the measurement height.
    wind_2m_per_km_per_h: f64,
}

/// A day in a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Date {
    day: i32,
    year: i32,
}

impl Date {
    /// The date some days later. It is valid even if this date, read from a damaged snapshot, is not.
    #[inline]
    fn after(self, days: u32) -> Self {
        let day = self.day.rem_euclid(DAYS_PER_YEAR) + days as i32;
        Self { day: day % DAYS_PER_YEAR, year: (self.year.rem_euclid(YEARS) + day / DAYS_PER_YEAR) % YEARS }
    }
}

/// The weather on a day, without the variables computed from it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Air {
    min_celsius: f64,
    mean_celsius: f64,
    max_celsius: f64,
    humidity_percent: f64,
    clouds_percent: f64,
    wind_km_per_h: f64,
    direction_degrees: f64,
    rain_mm: f64,
    rain_intensity: f64,
    /// Measured radiation; `None` if it follows from the clouds.
    solar_mj: Option<f64>,
}

impl Behaviour for Sky {
    fn plan(&mut self, season: &mut Season<'_>) {
        self.seasons.plan(self.columns.day, self.columns.year, season);
    }

    fn after_initial_conditions(&self, context: &mut Context<'_>) {
        if self.seasons.chooses_year() {
            let day = context.value(self.columns.day);
            let mut stream = context.stream(self.key, YEAR);
            set(context, self.columns.year, self.seasons.year(day, &mut stream));
        }
        let date = self.date(context);
        if let Days::Generator(generator) = &self.days {
            generator.begin(date.after(0), self.key, context);
        }
        self.begin_day(date, 0, context);
    }

    fn tick(&self, _phase: Phase, context: &mut Context<'_>) {
        let date = self.date(context).after(1);
        set(context, self.columns.day, date.day);
        set(context, self.columns.year, date.year);
        let index = context.step() + 1;
        if let Days::Generator(generator) = &self.days {
            generator.go_on(date, index, self.key, context);
        }
        self.begin_day(date, index, context);
    }

    fn redraw_future(&self, before: u64, context: &mut Context<'_>) {
        self.redraw(before, context);
    }

    fn observe(&self, observable: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
        self.forecast(FORECASTS[observable].quantity, reader, out);
    }
}

#[inline]
fn set<T: farm_core::Element>(context: &Context<'_>, column: Column<T>, value: T) {
    context.get(column)[0].set(value);
}

#[inline]
fn clip(value: f64, range: (f64, f64)) -> f64 {
    value.clamp(range.0, range.1)
}

impl Sky {
    #[inline]
    fn date(&self, context: &Context<'_>) -> Date {
        Date { day: context.value(self.columns.day), year: context.value(self.columns.year) }
    }

    /// Sets the weather on a date, the `index`-th day since the start.
    #[inline]
    fn begin_day(&self, date: Date, index: u32, context: &mut Context<'_>) {
        let capacity_mm = self.capacity.map_or(0.0, |column| context.value(column) / self.plot_area_m2);
        let streams = |purpose| context.stream_at(self.key, purpose, index);
        let kept = |column: Column<f64>, place: usize| context.get(column)[place].get();
        let air = self.air(date, index, &streams, kept, capacity_mm);
        self.publish_air(&air, context);
        self.publish_derived(&air, date, context);
        self.count_days(&air, context);
    }

    /// The weather on a date, the `index`-th day since the start: from the streams of that day, or from its stored values.
    #[inline]
    fn air(
        &self,
        date: Date,
        index: u32,
        streams: &impl Fn(Purpose) -> Stream,
        kept: impl Fn(Column<f64>, usize) -> f64,
        capacity_mm: f64,
    ) -> Air {
        let (air, mut stream) = match &self.days {
            Days::Replay(replay) => {
                let mut stream = streams(DAILY);
                (replay.air(date, &mut stream, streams), stream)
            }
            // The amount is known; the rest is drawn only with `rain: paper`.
            Days::Generator(generator) if self.parameters.rain_meaning() == Rain::Amount => {
                let air = self.changed(generator.air(index, kept));
                return Air { rain_intensity: intensity(air.rain_mm), ..air };
            }
            Days::Generator(generator) => (generator.air(index, kept), streams(PAPER_RAIN)),
        };
        let air = self.changed(air);
        let (rain_mm, rain_intensity) = self.rain(air.rain_mm, &mut stream, capacity_mm);
        Air { rain_mm: clip(rain_mm, RAIN), rain_intensity, ..air }
    }

    /// A day in a changed climate (delta method): all temperatures plus `warming`, and the rain times `rain_factor`.
    #[inline]
    fn changed(&self, air: Air) -> Air {
        let warmer = self.parameters.warming_celsius;
        let air = Air { rain_mm: self.rainfall(air.rain_mm), ..air };
        if warmer == 0.0 {
            return air;
        }
        let warm = |celsius: f64| clip(celsius + warmer, TEMPERATURE);
        Air {
            min_celsius: warm(air.min_celsius),
            mean_celsius: warm(air.mean_celsius),
            max_celsius: warm(air.max_celsius),
            ..air
        }
    }

    /// An amount of rain in a changed climate.
    #[inline]
    fn rainfall(&self, rain_mm: f64) -> f64 {
        self.parameters.rain_factor.map_or(rain_mm, |factor| clip(factor * rain_mm, RAIN))
    }

    /// The weather on a coming day.
    fn coming(&self, date: Date, index: u32, reader: &Reader<'_>, capacity_mm: f64) -> Air {
        let streams = |purpose| Stream::keyed(reader.seed(), self.key, index, purpose);
        self.air(date, index, &streams, |column, place| reader.get(column)[place], capacity_mm)
    }

    /// The rain on a coming day. A table's own rain has no noise, so no other quantity needs to be drawn for it.
    fn coming_rain(&self, date: Date, index: u32, reader: &Reader<'_>, capacity_mm: f64) -> f64 {
        let streams = |purpose| Stream::keyed(reader.seed(), self.key, index, purpose);
        match (&self.days, self.parameters.rain_meaning()) {
            (Days::Replay(replay), Rain::Amount) => self.rainfall(replay.rain_mm(date, &streams)),
            _ => self.coming(date, index, reader, capacity_mm).rain_mm,
        }
    }

    /// The usual weather on a day of the year.
    fn usual(&self, day: i32) -> Usual {
        let usual = match &self.days {
            Days::Replay(replay) => replay.usual(day),
            Days::Generator(generator) => generator.usual(day),
        };
        Usual { celsius: usual.celsius.map(|celsius| celsius + self.parameters.warming_celsius), ..usual }
    }

    /// The rain of a random wet day in the season, and the share of wet days.
    fn usual_rain(&self, day: i32, stream: &mut Stream, capacity_mm: f64) -> (f64, f64) {
        let (usual, wet) = match &self.days {
            Days::Replay(replay) => replay.usual_rain(day, stream),
            Days::Generator(generator) => generator.usual_rain(day, stream),
        };
        match self.parameters.rain_meaning() {
            Rain::Amount => (self.rainfall(usual), wet),
            Rain::Paper => (self.rain(usual, stream, capacity_mm).0, wet),
        }
    }

    /// Rain [mm] and its intensity from the value in the table.
    #[inline]
    fn rain(&self, table: f64, stream: &mut Stream, capacity_mm: f64) -> (f64, f64) {
        match self.parameters.rain_meaning() {
            Rain::Amount => (table, intensity(table)),
            Rain::Paper => paper_rain(&self.parameters.paper_rain, table, stream, capacity_mm),
        }
    }

    #[inline]
    fn publish_air(&self, air: &Air, context: &Context<'_>) {
        let columns = &self.columns;
        set(context, columns.min, air.min_celsius);
        set(context, columns.mean, air.mean_celsius);
        set(context, columns.max, air.max_celsius);
        set(context, columns.humidity, air.humidity_percent);
        set(context, columns.clouds, air.clouds_percent);
        set(context, columns.wind_speed, air.wind_km_per_h);
        set(context, columns.wind_direction, air.direction_degrees);
        set(context, columns.rain_amount, air.rain_mm);
        set(context, columns.rain_intensity, air.rain_intensity);
    }

    #[inline]
    fn publish_derived(&self, air: &Air, date: Date, context: &Context<'_>) {
        let columns = &self.columns;
        let extraterrestrial = self.extraterrestrial[date.day as usize];
        let (min, max, humidity) = (air.min_celsius, air.max_celsius, air.humidity_percent);
        let wind_2m = self.wind_2m_per_km_per_h * air.wind_km_per_h;
        let solar = air.solar_mj.unwrap_or_else(|| radiation::solar_radiation(extraterrestrial, air.clouds_percent));
        let evapotranspiration = match self.parameters.evapotranspiration_method() {
            EvapotranspirationMethod::Valiantzas => {
                radiation::evapotranspiration_valiantzas(extraterrestrial, min, max, humidity, wind_2m)
            }
            EvapotranspirationMethod::PenmanMonteith => {
                radiation::evapotranspiration_penman_monteith(&radiation::Day {
                    extraterrestrial,
                    solar,
                    min_celsius: min,
                    max_celsius: max,
                    vapour_pressure_kpa: radiation::actual_vapour_pressure_kpa(humidity, min, max),
                    wind_2m,
                    elevation: self.elevation,
                })
            }
            EvapotranspirationMethod::Hargreaves => {
                radiation::evapotranspiration_hargreaves(extraterrestrial, min, max)
            }
            EvapotranspirationMethod::Paper => {
                radiation::evapotranspiration_as_printed(extraterrestrial, min, max, humidity, air.wind_km_per_h)
            }
        };
        set(context, columns.wind_speed_2m, wind_2m);
        set(context, columns.humidity_min, radiation::relative_humidity_min_percent(humidity, min, max));
        set(context, columns.solar_radiation, solar);
        set(context, columns.evapotranspiration, evapotranspiration);
    }

    #[inline]
    fn count_days(&self, air: &Air, context: &Context<'_>) {
        let frost = one_more_or_none(context.value(self.columns.frost), air.min_celsius < 0.0);
        let dry = one_more_or_none(context.value(self.columns.dry), air.rain_mm < WET_DAY_MM);
        set(context, self.columns.frost, frost);
        set(context, self.columns.dry, dry);
    }
}

/// Intensity ι [–] of rain (equation sheet II.2, 2.3).
///
/// ι = clip(0, 1, rain/100 mm)
#[inline]
fn intensity(rain_mm: f64) -> f64 {
    (rain_mm / FULL_INTENSITY_MM).min(1.0)
}

/// Days in a row after one more day.
#[inline]
fn one_more_or_none(days: i32, goes_on: bool) -> i32 {
    if goes_on { days.saturating_add(1).min(MAX_DAYS_IN_A_ROW) } else { 0 }
}

/// The paper's rain [mm] and its intensity (Farm-gym 4.1): light rain U(0, ½)·C with probability p, otherwise heavy rain C.
#[inline]
fn paper_rain(paper: &PaperRain, wet: f64, stream: &mut Stream, capacity_mm: f64) -> (f64, f64) {
    let (light, share) = (stream.bernoulli(paper.light_probability), 0.5 * stream.uniform());
    match (wet > 0.0, light) {
        (false, _) => (0.0, 0.0),
        (true, true) => (share * capacity_mm, paper.light_intensity),
        (true, false) => (capacity_mm, paper.heavy_intensity),
    }
}
