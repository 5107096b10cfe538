//! Measurements: files with one value for each treatment, and files with values over time.

use std::path::Path;

use farm_entities::agronomy::weather::formats::Date;
use indexmap::IndexMap;

use super::experiment::day_of;
use super::table::{Row, Sections};
use super::{ReadError, Treatment, Warning};

/// What was measured in the treatments of a trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// For each treatment, the values measured once, by the column's name, such as `HWAM` in kg per ha.
    pub once: IndexMap<u32, IndexMap<String, f64>>,
    /// For each treatment, the days of its stages, by the column's name, such as `ADAT`.
    pub dates: IndexMap<u32, IndexMap<String, Date>>,
    /// For each treatment, the values measured over time.
    pub over_time: IndexMap<u32, Vec<Reading>>,
    /// What was left out or assumed.
    pub warnings: Vec<Warning>,
}

/// A value on a day.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The day.
    pub date: Date,
    /// The column's name, such as `CWAD`.
    pub quantity: String,
    /// The value.
    pub value: f64,
}

/// The columns that hold days.
const DATES: [&str; 12] =
    ["ADAT", "MDAT", "EDAT", "TDAT", "PDFT", "PD1T", "HDAT", "HDATE", "R5AT", "IDAT", "PDPT", "R8AT"];

impl Measured {
    /// Reads the values of a file into those that are known. Days of the year are counted from the sowing of their treatment. A value that
    /// is not a number is left out, with a warning.
    ///
    /// # Errors
    /// The file cannot be read, or a date is not one.
    pub fn read(&mut self, path: &Path, treatments: &[Treatment]) -> Result<(), ReadError> {
        self.add(&Sections::read(path)?, treatments)
    }

    /// Reads the text of a file; see [`Measured::read`].
    ///
    /// # Errors
    /// A date is not one.
    pub fn parse(&mut self, file: &str, text: &str, treatments: &[Treatment]) -> Result<(), ReadError> {
        self.add(&Sections::parse(file.to_owned(), text), treatments)
    }

    fn add(&mut self, sections: &Sections, treatments: &[Treatment]) -> Result<(), ReadError> {
        for row in sections.sections.iter().flat_map(|section| section.rows("TRNO")) {
            let Some(number) = row.number("TRNO")? else { continue };
            let number = number as u32;
            let Some(treatment) = treatments.iter().find(|treatment| treatment.number == number) else {
                self.warn(row, format!("the trial has no treatment {number}"));
                continue;
            };
            let sown = treatment.planting.date;
            if row.text("DATE").is_some() {
                self.add_reading(number, row, sown)?;
            } else {
                self.add_results(number, row, sown)?;
            }
        }
        Ok(())
    }

    /// A measured number. Some files have words in columns that the format does not define.
    fn number(&mut self, row: Row<'_>, column: &str) -> Option<f64> {
        row.number(column).unwrap_or_else(|_| {
            self.warn(row, format!("values of `{column}` that are not numbers are left out"));
            None
        })
    }

    /// Notes what is left out, once for each file.
    fn warn(&mut self, row: Row<'_>, message: String) {
        let file = row.file().to_owned();
        if !self.warnings.iter().any(|known| known.file == file && known.message == message) {
            self.warnings.push(Warning { file, line: row.line(), message });
        }
    }

    fn add_results(&mut self, treatment: u32, row: Row<'_>, sown: Date) -> Result<(), ReadError> {
        for column in row.columns().filter(|column| *column != "TRNO") {
            let Some(value) = self.number(row, column) else { continue };
            if DATES.contains(&column) {
                let date = date_after(value, sown).ok_or_else(|| {
                    row.wrong(column, row.text(column).unwrap_or_default(), "a day of the year or a date YYDDD")
                })?;
                self.dates.entry(treatment).or_default().insert(column.to_owned(), date);
            } else {
                self.once.entry(treatment).or_default().insert(column.to_owned(), value);
            }
        }
        Ok(())
    }

    fn add_reading(&mut self, treatment: u32, row: Row<'_>, sown: Date) -> Result<(), ReadError> {
        let Some(value) = row.number("DATE")? else { return Ok(()) };
        let wrong = || row.wrong("DATE", row.text("DATE").unwrap_or_default(), "a day of the year or a date YYDDD");
        let date = date_after(value, sown).ok_or_else(wrong)?;
        for column in row.columns().filter(|column| !matches!(*column, "TRNO" | "DATE")) {
            if let Some(value) = self.number(row, column) {
                let reading = Reading { date, quantity: column.to_owned(), value };
                self.over_time.entry(treatment).or_default().push(reading);
            }
        }
        Ok(())
    }
}

/// A date YYDDD, or the first day of the year with this number from sowing on.
fn date_after(value: f64, sown: Date) -> Option<Date> {
    if value < 1.0 || value.fract() != 0.0 || value > 9_999_999.0 {
        return None;
    }
    let number = value as u32;
    if number > 366 {
        return day_of(number);
    }
    let this_year = Date::of_day(sown.year, number);
    let next_year = || Date::of_day(sown.year + 1, number);
    this_year.filter(|date| *date >= sown).or_else(next_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_the_year_before_sowing_is_in_the_next_year() {
        let sown = Date::new(1974, 11, 6).unwrap();
        assert_eq!(date_after(173.0, sown), Date::of_day(1975, 173));
        assert_eq!(date_after(320.0, sown), Date::of_day(1974, 320));
        assert_eq!(date_after(75173.0, sown), Date::of_day(1975, 173));
        assert_eq!(date_after(367.0, sown), None);
    }
}
