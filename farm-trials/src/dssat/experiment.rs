//! Experiment files: what was done in each treatment of a trial.

use std::collections::BTreeSet;
use std::path::Path;

use farm_entities::agronomy::weather::formats::Date;

use super::table::{Row, Section, Sections};
use super::{ReadError, Warning};

/// A trial as its experiment file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// The trial's code, such as `UFGA8201MZ`.
    pub code: String,
    /// Its title.
    pub title: String,
    /// The treatments, in the order of the file.
    pub treatments: Vec<Treatment>,
    /// What was left out or assumed.
    pub warnings: Vec<Warning>,
}

/// One treatment.
#[derive(Debug, Clone, PartialEq)]
pub struct Treatment {
    /// Its number in the trial.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// What was sown.
    pub cultivar: Cultivar,
    /// Where.
    pub field: Field,
    /// What was in the soil at the start.
    pub initial: Option<InitialState>,
    /// When and how densely it was sown or planted.
    pub planting: Planting,
    /// The irrigation.
    pub irrigation: Irrigation,
    /// The mineral fertiliser.
    pub fertilizer: Vec<Application>,
    /// Residues and organic fertiliser.
    pub residues: Vec<Residue>,
    /// Changes of the measured weather.
    pub environment: Vec<EnvironmentChange>,
    /// Harvests with a date.
    pub harvests: Vec<Harvest>,
    /// Tillage and sprays, which the trial records.
    pub operations: Vec<Operation>,
    /// Whether the trial's authors simulate its water.
    pub has_water_limits: bool,
    /// Whether the trial's authors simulate its nitrogen.
    pub has_nitrogen_limits: bool,
}

/// A cultivar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cultivar {
    /// The code of the crop, such as `MZ`.
    pub crop: String,
    /// The code of the cultivar, such as `IB0035`.
    pub code: String,
    /// Its name.
    pub name: String,
}

/// A field of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The code of the weather station: four or eight characters.
    pub station: String,
    /// The code of the soil profile.
    pub soil: String,
    /// The latitude in degrees, if it is given.
    pub latitude: Option<f64>,
    /// The longitude in degrees, if it is given.
    pub longitude: Option<f64>,
    /// The elevation in m, if it is given.
    pub elevation: Option<f64>,
}

/// The soil at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct InitialState {
    /// The day on which it was measured.
    pub date: Option<Date>,
    /// The layers, from the surface down.
    pub layers: Vec<InitialLayer>,
    /// Residues of the last crop on the ground, in kg per ha.
    pub residue: Option<f64>,
    /// The nitrogen in these residues, in percent.
    pub residue_nitrogen: Option<f64>,
    /// Roots of the last crop, in kg per ha.
    pub roots: Option<f64>,
}

/// A layer of the soil at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InitialLayer {
    /// The depth of its lower end, in cm.
    pub bottom: f64,
    /// Its water, in cm³ per cm³.
    pub water: Option<f64>,
    /// Its ammonium, in g N per Mg of soil.
    pub ammonium: Option<f64>,
    /// Its nitrate, in g N per Mg of soil.
    pub nitrate: Option<f64>,
}

/// Sowing or planting.
#[derive(Debug, Clone, PartialEq)]
pub struct Planting {
    /// The day.
    pub date: Date,
    /// The day of emergence, if it was recorded.
    pub emergence: Option<Date>,
    /// Plants per m² that came up, or else that were sown.
    pub plants: f64,
    /// Whether seedlings were planted rather than seeds sown.
    pub is_transplanted: bool,
    /// The age of seedlings, in days.
    pub age: Option<f64>,
    /// The distance of rows, in cm.
    pub rows: Option<f64>,
    /// The depth, in cm.
    pub depth: Option<f64>,
    /// Seed or tubers, in kg per ha.
    pub seed: Option<f64>,
}

/// The irrigation of a treatment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Irrigation {
    /// The water given, in mm, in order.
    pub given: Vec<(Date, f64)>,
    /// Depths of water on a flooded field that its farmer keeps, in mm, each from its day on.
    pub floods: Vec<(Date, f64)>,
    /// The share of the water that reaches the field.
    pub efficiency: Option<f64>,
    /// Whether the authors' model waters by need, so that no amounts are recorded.
    pub is_automatic: bool,
}

/// A dose of mineral fertiliser.
#[derive(Debug, Clone, PartialEq)]
pub struct Application {
    /// The day.
    pub date: Date,
    /// The code of the material, such as `FE005` for urea.
    pub material: String,
    /// The depth, in cm.
    pub depth: Option<f64>,
    /// N, P and K, in kg per ha.
    pub nutrients: [f64; 3],
}

/// Residues or organic fertiliser.
#[derive(Debug, Clone, PartialEq)]
pub struct Residue {
    /// The day.
    pub date: Date,
    /// The dry mass, in kg per ha.
    pub amount: f64,
    /// Its nitrogen, in percent.
    pub nitrogen: Option<f64>,
    /// The depth to which it was worked in, in cm.
    pub depth: Option<f64>,
}

/// A change of the measured weather from a day on.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvironmentChange {
    /// The first day.
    pub date: Date,
    /// The quantity's column: `EDAY`, `ERAD`, `EMAX`, `EMIN`, `ERAIN`, `ECO2`, `EDEW` or `EWIND`.
    pub quantity: String,
    /// How it changes.
    pub change: Change,
}

/// How a quantity changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// The value is added.
    Add(f64),
    /// The value is subtracted.
    Subtract(f64),
    /// The quantity is multiplied.
    Multiply(f64),
    /// The quantity has this value.
    Replace(f64),
}

/// A harvest with a date.
#[derive(Debug, Clone, PartialEq)]
pub struct Harvest {
    /// The day.
    pub date: Date,
}

/// Something the trial records that is neither water nor food.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// The day.
    pub date: Date,
    /// What it was: `tillage` or `spray`.
    pub what: &'static str,
    /// Its code.
    pub code: String,
}

/// Codes of irrigation whose value is not an amount in mm: depths of floods, and facts about flooded fields and water tables.
const FLOOD_DEPTHS: [&str; 2] = ["IR006", "IR011"];
const NOT_WATER: [&str; 4] = ["IR007", "IR008", "IR009", "IR010"];

impl Experiment {
    /// Reads an experiment file.
    ///
    /// # Errors
    /// The file cannot be read, a section or a level is missing, or a number or date is not one.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::of(&Sections::read(path)?)
    }

    /// Reads the text of an experiment file.
    ///
    /// # Errors
    /// As for [`Experiment::read`].
    pub fn parse(file: &str, text: &str) -> Result<Self, ReadError> {
        Self::of(&Sections::parse(file.to_owned(), text))
    }

    fn of(sections: &Sections) -> Result<Self, ReadError> {
        let needed = |section: &'static str| {
            sections.get(section).ok_or_else(|| ReadError::NoSection { file: sections.file.clone(), section })
        };
        let title = sections.get("EXP.DETAILS").map_or("", |section| section.title.as_str());
        let title = title.split_once(':').map_or(title, |(_, title)| title).trim();
        let (code, title) = title.split_once(char::is_whitespace).unwrap_or((title, ""));
        let mut reader = Reader { sections, warnings: Vec::new() };
        let treatments = needed("TREATMENTS")?;
        needed("CULTIVARS")?;
        needed("FIELDS")?;
        needed("PLANTING")?;
        let treatments = treatments.rows("CU").map(|row| reader.treatment(row)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { code: code.to_owned(), title: title.trim().to_owned(), treatments, warnings: reader.warnings })
    }
}

struct Reader<'s> {
    sections: &'s Sections,
    warnings: Vec<Warning>,
}

/// A level of a section that a treatment uses.
#[derive(Clone, Copy)]
struct Level<'s> {
    section: &'s Section,
    column: &'static str,
    level: u32,
}

impl<'s> Level<'s> {
    /// The rows of this level in the tables that have a column.
    fn rows(self, column: &'static str) -> Vec<Row<'s>> {
        let rows = self.section.rows(column);
        rows.filter(|row| row.text(self.column).and_then(|level| level.parse().ok()) == Some(self.level)).collect()
    }
}

impl<'s> Reader<'s> {
    fn warn(&mut self, line: usize, message: impl Into<String>) {
        let warning = Warning { file: self.sections.file.clone(), line, message: message.into() };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The level of a section that a treatment uses; `None` for level 0.
    fn level(
        &self,
        row: Row<'s>,
        factor: &'static str,
        section: &'static str,
        column: &'static str,
    ) -> Result<Option<Level<'s>>, ReadError> {
        let level = match row.text(factor) {
            Some(_) => row.level(factor)?,
            None => 0,
        };
        if level == 0 {
            return Ok(None);
        }
        let found = self.sections.get(section).map(|section| Level { section, column, level });
        let has_rows = found.is_some_and(|level| !level.rows(column).is_empty());
        if has_rows {
            return Ok(found);
        }
        let treatment = row.level("N")?;
        Err(ReadError::NoLevel { file: self.sections.file.clone(), line: row.line(), treatment, level, section })
    }

    fn treatment(&mut self, row: Row<'s>) -> Result<Treatment, ReadError> {
        let number = row.level("N")?;
        let missing = |level, section| ReadError::NoLevel {
            file: self.sections.file.clone(),
            line: row.line(),
            treatment: number,
            level,
            section,
        };
        let cultivar = self.level(row, "CU", "CULTIVARS", "C")?.ok_or_else(|| missing(0, "CULTIVARS"))?;
        let field = self.level(row, "FL", "FIELDS", "L")?.ok_or_else(|| missing(0, "FIELDS"))?;
        let planting = self.level(row, "MP", "PLANTING", "P")?.ok_or_else(|| missing(0, "PLANTING DETAILS"))?;
        let controls = self.level(row, "SM", "SIMULATION", "N")?;
        let planting = self.planting(planting)?;
        let sown = planting.date;
        let option = |column: &'static str| {
            let text = controls.and_then(|level| level.rows(column).first().and_then(|row| row.text(column)));
            text.unwrap_or("Y").to_ascii_uppercase()
        };
        let initial = self.level(row, "IC", "INITIAL", "C")?.map(|level| self.initial(level)).transpose()?;
        let is_automatic = option("IRRIG") == "A";
        let irrigation = self.level(row, "MI", "IRRIGATION", "I")?;
        let mut irrigation = irrigation.map(|level| self.irrigation(level, sown)).transpose()?.unwrap_or_default();
        irrigation.is_automatic = is_automatic;
        let fertilizer = self.level(row, "MF", "FERTILIZERS", "F")?;
        let residues = self.level(row, "MR", "RESIDUES", "R")?;
        let environment = self.level(row, "ME", "ENVIRONMENT", "E")?;
        let harvests = self.level(row, "MH", "HARVEST", "H")?;
        let tillage = self.level(row, "MT", "TILLAGE", "T")?;
        let sprays = self.level(row, "MC", "CHEMICAL", "C")?;
        let mut operations = Vec::new();
        for (level, date, code, what) in [(tillage, "TDATE", "TIMPL", "tillage"), (sprays, "CDATE", "CHCOD", "spray")] {
            for row in level.map_or(Vec::new(), |level| level.rows(date)) {
                let code = row.text(code).unwrap_or_default().to_owned();
                operations.extend(self.date(row, date, Some(sown))?.map(|date| Operation { date, what, code }));
            }
        }
        Ok(Treatment {
            number,
            name: row.text("TNAME").unwrap_or_default().to_owned(),
            cultivar: cultivar_of(cultivar),
            field: field_of(field)?,
            initial,
            fertilizer: fertilizer.map(|level| self.fertilizer(level, sown)).transpose()?.unwrap_or_default(),
            residues: residues.map(|level| self.residues(level, sown)).transpose()?.unwrap_or_default(),
            environment: environment.map(|level| self.environment(level, sown)).transpose()?.unwrap_or_default(),
            harvests: self.dates(harvests, "HDATE", sown)?.into_iter().map(|date| Harvest { date }).collect(),
            operations,
            has_water_limits: option("WATER") != "N",
            has_nitrogen_limits: option("NITRO") != "N",
            planting,
            irrigation,
        })
    }

    fn dates(&mut self, level: Option<Level<'s>>, column: &'static str, sown: Date) -> Result<Vec<Date>, ReadError> {
        let mut dates = Vec::new();
        for row in level.map_or(Vec::new(), |level| level.rows(column)) {
            dates.extend(self.date(row, column, Some(sown))?);
        }
        Ok(dates)
    }

    /// A date: YYDDD, YYYYDDD, or days after sowing in files whose management counts days.
    fn date(&mut self, row: Row<'s>, column: &str, sown: Option<Date>) -> Result<Option<Date>, ReadError> {
        let Some(value) = row.number(column)? else { return Ok(None) };
        let wrong = || row.wrong(column, row.text(column).unwrap_or_default(), "a date YYDDD");
        if value < 0.0 || value.fract() != 0.0 || value > 9_999_999.0 {
            return Err(wrong());
        }
        let number = value as u32;
        // `00187` is a day of the year 2000; `187` is a number of days.
        if number < 1000 && row.text(column).is_some_and(|text| text.len() < 5) {
            let sown = sown.ok_or_else(wrong)?;
            self.warn(row.line(), format!("`{column}` {number} is read as days after sowing"));
            return Ok(Date::of_epoch(sown.epoch() + i64::from(number)));
        }
        day_of(number).map(Some).ok_or_else(wrong)
    }

    fn planting(&mut self, level: Level<'s>) -> Result<Planting, ReadError> {
        let rows = level.rows("PDATE");
        let row = *rows.first().ok_or(ReadError::NoColumn {
            file: self.sections.file.clone(),
            line: level.section.line,
            column: "PDATE",
        })?;
        let date = self.date(row, "PDATE", None)?;
        let wrong = |column: &str, expected| row.wrong(column, row.text(column).unwrap_or_default(), expected);
        let date = date.ok_or_else(|| wrong("PDATE", "a date YYDDD"))?;
        let (sown, came_up) = (row.number("PPOP")?, row.number("PPOE")?);
        let plants = came_up.or(sown).filter(|plants| *plants > 0.0);
        Ok(Planting {
            date,
            emergence: self.date(row, "EDATE", Some(date))?,
            plants: plants.ok_or_else(|| wrong("PPOP", "a number of plants above 0"))?,
            is_transplanted: row.text("PLME").is_some_and(|how| matches!(how, "T" | "P" | "N")),
            age: row.number("PAGE")?,
            rows: row.number("PLRS")?,
            depth: row.number("PLDP")?,
            seed: row.number("PLWT")?,
        })
    }

    fn initial(&mut self, level: Level<'s>) -> Result<InitialState, ReadError> {
        let general = level.rows("ICDAT");
        let mut layers = Vec::new();
        for row in level.rows("ICBL") {
            let Some(bottom) = row.number("ICBL")? else { continue };
            let (water, ammonium, nitrate) = (row.number("SH2O")?, row.number("SNH4")?, row.number("SNO3")?);
            layers.push(InitialLayer { bottom, water, ammonium, nitrate });
        }
        let first = general.first().copied();
        let number = |column: &str| first.map_or(Ok(None), |row| row.number(column));
        Ok(InitialState {
            residue: number("ICRES")?,
            residue_nitrogen: number("ICREN")?,
            roots: number("ICRT")?,
            date: first.map_or(Ok(None), |row| self.date(row, "ICDAT", None))?,
            layers,
        })
    }

    fn irrigation(&mut self, level: Level<'s>, sown: Date) -> Result<Irrigation, ReadError> {
        let mut irrigation = Irrigation::default();
        if let Some(row) = level.rows("EFIR").first() {
            irrigation.efficiency = row.number("EFIR")?;
        }
        let mut unread = BTreeSet::new();
        for row in level.rows("IDATE") {
            let (Some(date), Some(value)) = (self.date(row, "IDATE", Some(sown))?, row.number("IRVAL")?) else {
                continue;
            };
            match row.text("IROP").unwrap_or_default() {
                code if FLOOD_DEPTHS.contains(&code) => irrigation.floods.push((date, value)),
                code if NOT_WATER.contains(&code) => {
                    unread.insert(row.line());
                }
                _ => irrigation.given.push((date, value)),
            }
        }
        if let Some(line) = unread.first() {
            self.warn(*line, "water tables, and bunds, puddling and percolation of flooded fields, are not read");
        }
        irrigation.given.sort_by_key(|(date, _)| *date);
        irrigation.floods.sort_by_key(|(date, _)| *date);
        Ok(irrigation)
    }

    fn fertilizer(&mut self, level: Level<'s>, sown: Date) -> Result<Vec<Application>, ReadError> {
        let mut given = Vec::new();
        for row in level.rows("FDATE") {
            let Some(date) = self.date(row, "FDATE", Some(sown))? else { continue };
            let amount = |column: &str| Ok::<f64, ReadError>(row.number(column)?.unwrap_or_default().max(0.0));
            given.push(Application {
                date,
                material: row.text("FMCD").unwrap_or_default().to_owned(),
                depth: row.number("FDEP")?,
                nutrients: [amount("FAMN")?, amount("FAMP")?, amount("FAMK")?],
            });
        }
        given.sort_by_key(|application| application.date);
        Ok(given)
    }

    fn residues(&mut self, level: Level<'s>, sown: Date) -> Result<Vec<Residue>, ReadError> {
        let mut given = Vec::new();
        for row in level.rows("RDATE") {
            let (Some(date), Some(amount)) = (self.date(row, "RDATE", Some(sown))?, row.number("RAMT")?) else {
                continue;
            };
            given.push(Residue { date, amount, nitrogen: row.number("RESN")?, depth: row.number("RDEP")? });
        }
        Ok(given)
    }

    fn environment(&mut self, level: Level<'s>, sown: Date) -> Result<Vec<EnvironmentChange>, ReadError> {
        let mut changes = Vec::new();
        for row in level.rows("ODATE") {
            let Some(date) = self.date(row, "ODATE", Some(sown))? else { continue };
            for column in row.columns().filter(|column| !matches!(*column, "E" | "ODATE" | "ENVNAME")) {
                let Some(text) = row.text(column) else { continue };
                let (how, value) = text.split_at(text.len().min(1));
                let value =
                    || value.trim().parse::<f64>().map_err(|_| row.wrong(column, text, "a change such as `A-10`"));
                let change = match how {
                    "A" => Change::Add(value()?),
                    "S" => Change::Subtract(value()?),
                    "M" => Change::Multiply(value()?),
                    "R" => Change::Replace(value()?),
                    _ => return Err(row.wrong(column, text, "a change such as `A-10`")),
                };
                // Most cells say that nothing changes.
                if !matches!(change, Change::Add(0.0) | Change::Subtract(0.0) | Change::Multiply(1.0)) {
                    changes.push(EnvironmentChange { date, quantity: column.to_owned(), change });
                }
            }
        }
        Ok(changes)
    }
}

fn cultivar_of(level: Level<'_>) -> Cultivar {
    let text = |column: &'static str| {
        let found = level.rows(column).first().and_then(|row| row.text(column));
        found.unwrap_or_default().to_owned()
    };
    Cultivar { crop: text("CR"), code: text("INGENO"), name: text("CNAME") }
}

fn field_of(level: Level<'_>) -> Result<Field, ReadError> {
    let row = |column: &'static str| level.rows(column).first().copied();
    let text = |column: &'static str| row(column).and_then(|row| row.text(column)).unwrap_or_default().to_owned();
    let number = |column: &'static str| row(column).map_or(Ok(None), |row| row.number(column));
    // A place of 0, 0 means that it is not known.
    let place = (number("YCRD")?, number("XCRD")?);
    let (latitude, longitude) = if place == (Some(0.0), Some(0.0)) { (None, None) } else { place };
    Ok(Field { station: text("WSTA"), soil: text("ID_SOIL"), latitude, longitude, elevation: number("ELEV")? })
}

/// A date in the forms of DSSAT: YYDDD, with 00 to 35 for 2000 to 2035 and other years before 2000, or YYYYDDD.
pub(super) fn day_of(number: u32) -> Option<Date> {
    let (year, day) = (number / 1000, number % 1000);
    let year = match year {
        0..=35 => 2000 + year,
        36..=99 => 1900 + year,
        1000.. => year,
        _ => return None,
    };
    (day >= 1).then(|| Date::of_day(i32::try_from(year).ok()?, day)).flatten()
}
