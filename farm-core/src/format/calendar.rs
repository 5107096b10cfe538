//! Dates of a common year, as days of the year are called.

/// Days of a common year.
pub const DAYS_PER_YEAR: u32 = 365;

/// Months and their days.
const MONTHS: [(&str, u32); 12] = [
    ("January", 31),
    ("February", 28),
    ("March", 31),
    ("April", 30),
    ("May", 31),
    ("June", 30),
    ("July", 31),
    ("August", 31),
    ("September", 30),
    ("October", 31),
    ("November", 30),
    ("December", 31),
];

/// The month of a day of the year, 0 on the first of January, and the day of that month, from 1. After the last day comes the first.
pub fn month_and_day(day_of_year: u32) -> (&'static str, u32) {
    let mut rest = day_of_year % DAYS_PER_YEAR;
    for (month, days) in MONTHS {
        if rest < days {
            return (month, rest + 1);
        }
        rest -= days;
    }
    unreachable!("the months have all days of a year")
}

/// The date of a day of the year, 0 on the first of January, such as `3 July`.
pub fn date_of(day_of_year: u32) -> String {
    let (month, day) = month_and_day(day_of_year);
    format!("{day} {month}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_year_have_dates() {
        assert_eq!(MONTHS.iter().map(|(_, days)| days).sum::<u32>(), DAYS_PER_YEAR);
        assert_eq!(
            [0, 30, 31, 58, 59, 364].map(date_of),
            ["1 January", "31 January", "1 February", "28 February", "1 March", "31 December"]
        );
        // 31 + 28 + 31 + 30 = 120 days before May.
        assert_eq!((date_of(120), date_of(365)), ("1 May".to_owned(), "1 January".to_owned()));
    }
}
