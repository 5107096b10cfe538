//! Dates in a common year, as days of the year.

/// The unit for variables that are days of the year (0 is 1 January).
const DAY_OF_YEAR: &str = "#int365";

/// The number of days in a common year.
pub const DAYS_PER_YEAR: u32 = 365;

/// The months, and the number of days in each.
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

/// The month and the day of the month (from 1) for a day of the year (0 is 1 January). After the last day, the year restarts.
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

/// The date for a day of the year (0 is 1 January), such as `3 July`.
pub fn date_of(day_of_year: u32) -> String {
    let (month, day) = month_and_day(day_of_year);
    format!("{day} {month}")
}

/// Whether a variable with this name is a day of the year.
pub fn is_day_of_year(name: &str) -> bool {
    name.ends_with(DAY_OF_YEAR)
}

/// The day of the year for a date (0 is 1 January): `10 April`, `Apr 10`, `April 10, 2021` or `2021-04-10`.
/// The year has no effect, because every year in a game has the same days.
pub(crate) fn day_of(date: &str) -> Option<u32> {
    let numbers: Vec<&str> = date.trim().split('-').collect();
    if let [year, month, day] = numbers[..] {
        let month = number_of(month, 2)?.checked_sub(1).filter(|_| is_year(year))?;
        return day_in(month as usize, number_of(day, 2)?);
    }
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | '.');
    let words: Vec<&str> = date.split(is_between).filter(|word| !word.is_empty()).collect();
    let (one, other) = match words[..] {
        [one, other] => (one, other),
        [one, other, year] if is_year(year) => (one, other),
        _ => return None,
    };
    let (month, day) = if one.starts_with(|c: char| c.is_ascii_digit()) { (other, one) } else { (one, other) };
    day_in(month_of(month)?, number_of(day, 2)?)
}

/// The index of a month, given its name or at least the first three letters.
fn month_of(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    MONTHS.iter().position(|(month, _)| word.len() >= 3 && month.to_lowercase().starts_with(&word))
}

/// The day of the year for a day in a month, which is counted from 1. `None` if the month is shorter.
fn day_in(month: usize, day: u32) -> Option<u32> {
    let (_, days) = MONTHS.get(month)?;
    let before: u32 = MONTHS[..month].iter().map(|(_, days)| days).sum();
    (1..=*days).contains(&day).then(|| before + day - 1)
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && number_of(word, 4).is_some()
}

/// An unsigned integer with at most `most` digits.
fn number_of(digits: &str, most: usize) -> Option<u32> {
    let is_number = digits.len() <= most && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
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

    #[test]
    fn a_date_is_read_as_it_is_written() {
        for day in 0..DAYS_PER_YEAR {
            let (month, of_month) = month_and_day(day);
            let number = MONTHS.iter().position(|(name, _)| *name == month).map(|i| i + 1);
            let iso = format!("2021-{:02}-{of_month:02}", number.expect("a month"));
            for date in [date_of(day), format!("{month} {of_month}"), format!("{} {of_month}", &month[..3]), iso] {
                assert_eq!(day_of(&date), Some(day), "{date}");
            }
        }
        // 31 + 28 + 31 = 90 days before April.
        for date in ["10 April", "april 10", "10. Apr", "April 10, 2021", "2021-4-10", " 10 APRIL 1999 "] {
            assert_eq!(day_of(date), Some(99), "{date}");
        }
        for other in [
            "29 February",
            "31 April",
            "0 May",
            "10 Ap",
            "10",
            "April",
            "10-20",
            "2021-13-01",
            "21-04-10",
            "1 2 May",
            "-1 May",
            "",
        ] {
            assert_eq!(day_of(other), None, "{other}");
        }
        assert!(is_day_of_year("day#int365") && !is_day_of_year("year#int100"));
    }
}
