//! The dates of an episode's days, in the calendar of a common year.

use farm_core::declare::VariableInfo;
use farm_core::inspect::{DAYS_PER_YEAR, month_and_day};
use farm_core::labels::Labels;

/// Maximum length, in days, of an axis with a label for every week. A longer axis has a label for every month.
const WEEKLY: f64 = 70.0;

/// Number of letters in a month's short name.
const SHORT: usize = 3;

/// Maps an episode's days to dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Calendar {
    /// The day of the year on day 0 of the episode; 0 is 1 January.
    start: u32,
}

/// Whether a variable is the day of the year. Its unit `int365` marks an integer within a common year.
pub(crate) fn is_day_of_year(info: &VariableInfo) -> bool {
    info.name().ends_with("#int365") && info.len() == 1
}

impl Calendar {
    /// Creates a calendar from the recorded days and their days of the year; `None` if the days of the year are not consecutive.
    pub(crate) fn of(days: &[u32], of_year: &[f64]) -> Option<Self> {
        let (first, value) = (*days.first()?, *of_year.first()?);
        let is_whole = (0.0..f64::from(DAYS_PER_YEAR)).contains(&value) && value.fract() == 0.0;
        let start = is_whole.then(|| (value as u32 + DAYS_PER_YEAR - first % DAYS_PER_YEAR) % DAYS_PER_YEAR)?;
        let calendar = Self { start };
        let agrees = |(day, value): (&u32, &f64)| f64::from(calendar.day_of_year(*day)) == *value;
        (days.len() == of_year.len() && days.iter().zip(of_year).all(agrees)).then_some(calendar)
    }

    /// The day of the year for a day of the episode; 0 is 1 January.
    pub(crate) fn day_of_year(self, day: u32) -> u32 {
        (self.start + day % DAYS_PER_YEAR) % DAYS_PER_YEAR
    }

    /// The date of a day, such as `3 July`.
    pub(crate) fn date(self, day: u32, labels: &Labels) -> String {
        labels.date(self.day_of_year(day))
    }

    /// Labels for an axis of days: months, or weeks if the axis is short.
    pub(crate) fn ticks(self, (first, last): (f64, f64)) -> Vec<(f64, String)> {
        let is_short = last - first <= WEEKLY;
        let days = (first.max(0.0) as u32)..=(last.max(0.0) as u32);
        let tick = |day: u32| {
            let (month, of_month) = month_and_day(self.day_of_year(day));
            let name = &month[..SHORT];
            match of_month {
                1 if !is_short => Some((f64::from(day), name.to_owned())),
                1 | 8 | 15 | 22 if is_short => Some((f64::from(day), format!("{of_month} {name}"))),
                _ => None,
            }
        };
        days.filter_map(tick).collect()
    }
}

#[cfg(test)]
mod tests {
    use farm_core::labels::Language;

    use super::*;

    fn date(calendar: Calendar, day: u32) -> String {
        calendar.date(day, Labels::of(Language::English))
    }

    #[test]
    fn dates_are_those_of_a_common_year() {
        let calendar = Calendar::of(&[0, 2, 4], &[120.0, 122.0, 124.0]).unwrap();
        // 31 + 28 + 31 + 30 = 120 days before May.
        assert_eq!(
            (date(calendar, 0), date(calendar, 30), date(calendar, 31)),
            ("1 May".into(), "31 May".into(), "1 June".into())
        );
        assert_eq!((date(calendar, 244), date(calendar, 245)), ("31 December".into(), "1 January".into()));
        assert_eq!(date(Calendar::of(&[5], &[3.0]).unwrap(), 2), "1 January");
    }

    #[test]
    fn days_that_do_not_follow_each_other_have_no_dates() {
        assert_eq!(Calendar::of(&[0, 1], &[10.0, 12.0]), None);
        assert_eq!(Calendar::of(&[0], &[365.0]), None);
        assert_eq!(Calendar::of(&[], &[]), None);
        assert!(Calendar::of(&[0, 1], &[364.0, 0.0]).is_some());
    }

    #[test]
    fn an_axis_names_months_or_weeks() {
        let calendar = Calendar::of(&[0], &[110.0]).unwrap();
        let months: Vec<String> = calendar.ticks((0.0, 120.0)).into_iter().map(|(_, name)| name).collect();
        assert_eq!(months, ["May", "Jun", "Jul", "Aug"]);
        assert_eq!(
            calendar.ticks((0.0, 20.0)),
            [(1.0, "22 Apr".to_owned()), (10.0, "1 May".to_owned()), (17.0, "8 May".to_owned())]
        );
    }
}
