//! Dates of days: the calendar, and the forms in which files write dates.

use std::fmt;

/// A calendar date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Year of the Gregorian calendar.
    pub year: i32,
    /// Month, 1 to 12.
    pub month: u32,
    /// Day of the month, from 1.
    pub day: u32,
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Date {
    /// The date, if it exists.
    pub fn new(year: i32, month: u32, day: u32) -> Option<Self> {
        let real = (1..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1;
        (real && day <= days_in_month(year, month)).then_some(Self { year, month, day })
    }

    /// The date of a day in a year, counted from 1 on 1 January.
    pub fn of_day(year: i32, day_of_year: u32) -> Option<Self> {
        let mut day = day_of_year;
        for month in 1..=12 {
            let days = days_in_month(year, month);
            if day <= days {
                return Self::new(year, month, day);
            }
            day -= days;
        }
        None
    }

    /// The date that is this number of days after 1 January 1970.
    pub fn of_epoch(days: i64) -> Option<Self> {
        // The civil calendar from a count of days, with years that begin in March (Hinnant).
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = i32::try_from(year_of_era + era * 400).ok()? + i32::from(month <= 2);
        Self::new(year, month as u32, day as u32)
    }

    /// The number of days since 1 January 1970.
    pub fn epoch(self) -> i64 {
        // Years that begin in March, as in `of_epoch`.
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let from_march = i64::from(if self.month > 2 { self.month - 3 } else { self.month + 9 });
        let of_era = year.rem_euclid(400);
        let of_year = (153 * from_march + 2) / 5 + i64::from(self.day) - 1;
        year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// The day after.
    pub fn next(self) -> Self {
        let Self { year, month, day } = self;
        match (day < days_in_month(year, month), month < 12) {
            (true, _) => Self { day: day + 1, ..self },
            (false, true) => Self { year, month: month + 1, day: 1 },
            (false, false) => Self { year: year + 1, month: 1, day: 1 },
        }
    }

    /// Whether it is 29 February, which the farm's year of 365 days does not have.
    pub fn is_leap_day(self) -> bool {
        (self.month, self.day) == (2, 29)
    }

    /// Whether a row with this date may follow a row with the date `before`: it is the next day, or the year is a leap year of 365 days.
    pub(super) fn follows(self, before: Self) -> bool {
        let next = before.next();
        self == next || (next.is_leap_day() && self == next.next())
    }

    /// Day in a year of 365 days, 0 on 1 January; 29 February counts as 28 February.
    pub fn day_index(self) -> u32 {
        let day = if self.is_leap_day() { 28 } else { self.day };
        (1..self.month).map(|month| days_in_month(1, month)).sum::<u32>() + day - 1
    }

    /// The date of a day in a year of 365 days.
    pub fn of_index(year: i32, day_index: u32) -> Self {
        let common = Self::of_day(1, day_index % 365 + 1).unwrap_or(Self { year, month: 1, day: 1 });
        Self { year, ..common }
    }

    /// The day in words, such as `10 April`.
    pub fn in_words(self) -> String {
        format!("{} {}", self.day, MONTHS[(self.month - 1) as usize % 12])
    }
}

/// The names of the months.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) fn is_leap(year: i32) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The order of the numbers in a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum DateOrder {
    /// Found from all rows: the order in which most rows are consecutive.
    Auto,
    /// 2021-01-31.
    YearFirst,
    /// 31/01/2021.
    DayFirst,
    /// 01/31/2021.
    MonthFirst,
}

/// A way to write dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    YearFirst,
    DayFirst,
    MonthFirst,
    /// 20210131.
    Digits,
    /// 2021031, or 21031.
    YearAndDay,
    /// Seconds, milliseconds or days since 1970, or days since 1900 as spreadsheets count them.
    Seconds,
    Milliseconds,
    Days,
    Spreadsheet,
}

impl Form {
    const ALL: [Self; 9] = [
        Self::YearFirst,
        Self::DayFirst,
        Self::MonthFirst,
        Self::Digits,
        // Numbers of five digits from 30000 on are days of a spreadsheet, not of the years 1930 to 1959.
        Self::Spreadsheet,
        Self::YearAndDay,
        Self::Seconds,
        Self::Milliseconds,
        Self::Days,
    ];

    /// An example of such a date.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::YearFirst => "a date such as 2021-01-31",
            Self::DayFirst => "a date such as 31/01/2021, as in the other rows",
            Self::MonthFirst => "a date such as 01/31/2021, as in the other rows",
            Self::Digits => "a date such as 20210131, as in the other rows",
            Self::YearAndDay => "YYDDD or YYYYDDD, such as 21031",
            Self::Seconds => "seconds since 1970, as in the other rows",
            Self::Milliseconds => "milliseconds since 1970, as in the other rows",
            Self::Days => "days since 1970, as in the other rows",
            Self::Spreadsheet => "days since 1900, as in the other rows",
        }
    }

    /// A note on how the rows are read, if their form is unusual.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::YearFirst | Self::Digits | Self::YearAndDay => None,
            Self::DayFirst => Some("dates are read as day, month, year"),
            Self::MonthFirst => Some("dates are read as month, day, year"),
            Self::Seconds => Some("times are read as seconds since 1970 (UTC)"),
            Self::Milliseconds => Some("times are read as milliseconds since 1970 (UTC)"),
            Self::Days => Some("dates are read as days since 1970"),
            Self::Spreadsheet => Some("dates are read as days since 1900, as spreadsheets count them"),
        }
    }

    /// The date in a string, with or without a time after it.
    pub(super) fn parse(self, text: &str) -> Option<Date> {
        let text = text.trim().trim_matches('"');
        if let Self::YearFirst | Self::DayFirst | Self::MonthFirst = self {
            // The part after a blank, a `T` or the colon of `20210131:0010` is the time of day.
            let date = text.split([' ', '\t']).next()?;
            let date = date.find('T').filter(|at| *at >= 8).map_or(date, |at| &date[..at]);
            let parts: Vec<&str> = date.split(['-', '/', '.']).filter(|part| !part.is_empty()).collect();
            let [a, b, c] = parts[..] else { return None };
            let (year, month, day) = match self {
                Self::YearFirst if a.len() == 4 => (a, b, c),
                Self::DayFirst => (c, b, a),
                Self::MonthFirst => (c, a, b),
                _ => return None,
            };
            return Date::new(year_of(year)?, month_of(month)?, day.parse().ok()?);
        }
        let digits = text.split([':', ' ', 'T']).next()?;
        let digits = digits.strip_suffix(".0").unwrap_or(digits);
        if digits.is_empty() || digits.len() > 15 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: i64 = digits.parse().ok()?;
        match self {
            // A time may follow without a separator, as in 202101310010.
            Self::Digits if matches!(digits.len(), 8 | 10 | 12) && digits >= "17" => {
                Date::new(digits[..4].parse().ok()?, digits[4..6].parse().ok()?, digits[6..8].parse().ok()?)
            }
            Self::YearAndDay if matches!(digits.len(), 5 | 7) => {
                let at = digits.len() - 3;
                Date::of_day(year_of(&digits[..at])?, digits[at..].parse().ok()?)
            }
            Self::Seconds if (100_000_000..10_000_000_000).contains(&number) => {
                Date::of_epoch(number.div_euclid(86_400))
            }
            Self::Milliseconds if number >= 100_000_000_000 => Date::of_epoch(number.div_euclid(86_400_000)),
            Self::Days if (7_300..30_000).contains(&number) => Date::of_epoch(number),
            Self::Spreadsheet if (30_000..60_000).contains(&number) => Date::of_epoch(number - 25_569),
            _ => None,
        }
    }
}

/// A year of two or four digits: 00 to 35 mean 2000 to 2035, as in DSSAT files, and 36 to 99 mean 1936 to 1999.
fn year_of(text: &str) -> Option<i32> {
    let year: i32 = text.parse().ok()?;
    match (text.len(), year) {
        (4, year) => Some(year),
        (2, 0..=35) => Some(2000 + year),
        (2, year) => Some(1900 + year),
        _ => None,
    }
}

/// A month by its number, or by the first three letters of its English name.
pub(super) fn month_of(text: &str) -> Option<u32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let start = text.get(..3)?;
    let found = MONTHS.iter().position(|name| name[..3].eq_ignore_ascii_case(start))?;
    Some(found as u32 + 1)
}

/// The form of a column of dates: the form in which most rows are dates. If several forms are equal, it is the one in which most rows are
/// consecutive. `None` if no row is a date.
pub(super) fn form_of<'a>(texts: impl Iterator<Item = &'a str> + Clone, order: DateOrder) -> Option<Form> {
    let allowed = |form: &Form| match order {
        DateOrder::Auto => true,
        DateOrder::YearFirst => !matches!(form, Form::DayFirst | Form::MonthFirst),
        DateOrder::DayFirst => *form == Form::DayFirst,
        DateOrder::MonthFirst => *form == Form::MonthFirst,
    };
    let score = |form: &Form| {
        let (mut dates, mut orderly, mut before) = (0_usize, 0_usize, None);
        for date in texts.clone().map(|text| form.parse(text)) {
            dates += usize::from(date.is_some());
            let goes_on = |before: Date, date: Date| date == before || date.follows(before);
            orderly += usize::from(matches!((before, date), (Some(before), Some(date)) if goes_on(before, date)));
            before = date.or(before);
        }
        (dates, orderly)
    };
    let scored =
        Form::ALL.into_iter().filter(allowed).map(|form| (score(&form), form)).filter(|((dates, _), _)| *dates > 0);
    // Among forms that fit equally well, the first one wins.
    scored.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, form)| form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        let date = |text| Form::YearFirst.parse(text).unwrap();
        assert_eq!(date("2020-02-28").next(), date("2020-02-29"));
        assert_eq!(date("2100-02-28").next(), date("2100-03-01"));
        assert_eq!(date("1999-12-31").next(), date("2000-01-01"));
        assert_eq!(Date::of_day(2020, 366), Date::new(2020, 12, 31));
        assert_eq!((Date::of_day(2021, 366), Date::of_day(2021, 0)), (None, None));
        assert_eq!((date("2020-03-01").day_index(), date("2020-02-29").day_index()), (59, 58));
        for index in 0..365 {
            assert_eq!(Date::of_index(2020, index).day_index(), index);
        }
        for text in ["2021-02-29", "2021-13-01", "21-01-01", "17", "2021-1", "2021-01-01-01", "T", ""] {
            assert_eq!(Form::YearFirst.parse(text), None, "{text}");
        }
        assert!(date("2020-03-01").follows(date("2020-02-28")) && !date("2021-03-02").follows(date("2021-02-28")));
        let mut day = Date { year: 1969, month: 1, day: 1 };
        for count in -365..40_000 {
            assert_eq!(Date::of_epoch(count), Some(day));
            day = day.next();
        }
    }

    #[test]
    fn one_day_is_written_in_many_ways() {
        let day = Date::new(2021, 1, 31);
        for (form, text) in [
            (Form::YearFirst, "2021-01-31"),
            (Form::YearFirst, "2021/1/31 13:00"),
            (Form::YearFirst, "2021-01-31T00:00:00+02:00"),
            (Form::DayFirst, "31.01.2021"),
            (Form::DayFirst, "31-JAN-21"),
            (Form::DayFirst, "31-Jan-2021"),
            (Form::MonthFirst, "01/31/2021"),
            (Form::Digits, "20210131"),
            (Form::Digits, "20210131:0010"),
            (Form::YearAndDay, "21031"),
            (Form::YearAndDay, "2021031"),
            (Form::Spreadsheet, "44227"),
            (Form::Seconds, "1612051200"),
            (Form::Milliseconds, "1612051200000"),
            (Form::Days, "18658"),
        ] {
            assert_eq!(form.parse(text), day, "{text} as {form:?}");
            assert_eq!(form_of([text, text].into_iter(), DateOrder::Auto), Some(form), "{text}");
        }
    }

    #[test]
    fn the_whole_column_says_which_number_is_the_day() {
        let days = ["01/02/2021", "02/02/2021", "03/02/2021"];
        assert_eq!(form_of(days.into_iter(), DateOrder::Auto), Some(Form::DayFirst));
        let months = ["02/01/2021", "02/02/2021", "02/03/2021"];
        assert_eq!(form_of(months.into_iter(), DateOrder::Auto), Some(Form::MonthFirst));
        assert_eq!(form_of(months.into_iter(), DateOrder::DayFirst), Some(Form::DayFirst));
        let late = ["01/12/2021", "01/13/2021"];
        assert_eq!(form_of(late.into_iter(), DateOrder::Auto), Some(Form::MonthFirst));
        assert_eq!(form_of(["x", ""].into_iter(), DateOrder::Auto), None);
    }
}
