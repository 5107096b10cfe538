//! The seasons that a file with dates can play.

use farm_core::config::{Path, Problem};
use farm_core::{Column, Season, Stream};

use super::formats::Date;
use super::replay::Days;
use crate::agronomy::AgronomyError;

/// The files with dates, and the year to play.
pub(super) struct Seasons {
    files: Vec<Days>,
    /// The year that the game sets.
    year: Option<i32>,
    /// Whether the start sets the year, so that no year is chosen here.
    is_set: bool,
    max_days: u32,
}

impl Seasons {
    pub(super) fn of(files: Vec<Days>, year: Option<i32>) -> Self {
        Self { files, year, is_set: false, max_days: 0 }
    }

    /// Whether the year is chosen when an episode begins.
    pub(super) fn chooses_year(&self) -> bool {
        !self.files.is_empty() && !self.is_set
    }

    /// The year of a season that begins on a day of the year, counted from 0 for the first year in the files. It is the year that the game
    /// sets, or a random year with all days of the season.
    pub(super) fn year(&self, day: i32, stream: &mut Stream) -> i32 {
        if let Some(year) = self.fixed() {
            return year;
        }
        let fits = |year: &i32| self.fits(day, *year);
        let count = (0..self.years()).filter(fits).count();
        let chosen = stream.index(count.max(1) as u32) as usize;
        (0..self.years()).filter(fits).nth(chosen).unwrap_or(0)
    }

    fn years(&self) -> i32 {
        self.files.iter().map(Days::years).max().unwrap_or(1).min(super::YEARS as usize) as i32
    }

    fn fits(&self, day: i32, year: i32) -> bool {
        self.files.iter().all(|file| file.has(day, year, self.max_days))
    }

    fn fixed(&self) -> Option<i32> {
        let first = self.files.first()?.dated.as_ref()?.first;
        self.year.map(|year| year - first.year)
    }

    /// Stores the season that the rules set, and rejects seasons that a file does not have.
    pub(super) fn plan(&mut self, day: Column<i32>, year: Column<i32>, season: &mut Season<'_>) {
        self.max_days = season.max_days().unwrap_or(0);
        let days = season.start(day).unwrap_or((0, 0));
        let years = season.start(year);
        self.is_set = years.is_some() && self.year.is_none();
        let Some(dated) = self.files.iter().find_map(|file| file.dated.clone()) else { return };
        let path = Path::default().child("file");
        let outside = |message: String| {
            let help = "set `repeat: true` to repeat the file after its last day, start or end the season earlier, or set another `year`";
            Problem::new(AgronomyError::SeasonOutsideWeather, path.clone(), message).value(&dated.span).help(help)
        };
        let in_words = |day: i32| Date::of_index(dated.first.year, day.unsigned_abs()).in_words();
        let length = self.max_days;
        for start in [days.0, days.1] {
            let fits = match (self.fixed(), years) {
                (Some(year), _) => (0..self.years()).contains(&year) && self.fits(start, year),
                (None, Some((low, high))) => self.fits(start, low) && self.fits(start, high),
                (None, None) => (0..self.years()).any(|year| self.fits(start, year)),
            };
            if fits {
                continue;
            }
            let of_year = match (self.year, years) {
                (Some(year), _) => format!(" of {year}"),
                (None, Some((low, high))) if low == high => format!(" of {}", dated.first.year + low),
                (None, Some((low, high))) => format!(" of {} to {}", dated.first.year + low, dated.first.year + high),
                (None, None) => String::new(),
            };
            let from = in_words(start);
            season.problem(outside(format!(
                "the weather file covers {}, but a season that begins on {from}{of_year} may last {length} days",
                dated.span
            )));
            return;
        }
    }
}
