//! The mean weather in a file, by month.

use super::{Day, Series};

/// The first day of each month, counted from 0 on 1 January, and of the next year.
pub const MONTH_STARTS: [usize; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

/// The mean weather of a month over all years.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Month {
    /// Mean temperature.
    pub celsius: f64,
    /// Rain of a whole month, from the mean daily rain on the days in the file.
    pub rain_mm: f64,
    /// Mean daily solar radiation; `None` if a day of the month has no measured value.
    pub solar_mj: Option<f64>,
}

impl Series {
    /// The twelve months; `None` for months that the file does not have.
    pub fn months(&self) -> Vec<Option<Month>> {
        (0..12).map(|month| self.month(MONTH_STARTS[month], MONTH_STARTS[month + 1])).collect()
    }

    fn month(&self, start: usize, end: usize) -> Option<Month> {
        let first = self.first_day();
        let within = |(i, _): &(usize, &Day)| (start..end).contains(&((first + i) % 365));
        let days: Vec<&Day> = self.days.iter().enumerate().filter(within).map(|(_, day)| day).collect();
        let mean = |value: &dyn Fn(&Day) -> f64| days.iter().map(|day| value(day)).sum::<f64>() / days.len() as f64;
        (!days.is_empty()).then(|| Month {
            celsius: mean(&|day| day.mean_celsius),
            rain_mm: mean(&|day| day.rain_mm) * (end - start) as f64,
            solar_mj: days
                .iter()
                .all(|day| day.solar_mj.is_some())
                .then(|| mean(&|day| day.solar_mj.unwrap_or_default())),
        })
    }
}
