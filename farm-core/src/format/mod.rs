//! Uniform formats for numbers, ranges, lists and sentences, and escapes for texts that people read.

mod calendar;
mod escape;
mod units;

pub(crate) use calendar::day_of;
pub use calendar::{DAYS_PER_YEAR, date_of, is_day_of_year, month_and_day};
pub use escape::{escape_controls, escape_line};
pub(crate) use units::pieces;
pub use units::unit;

/// The maximum number of names or values listed as expected in an error.
pub(crate) const MAX_EXPECTED: usize = 12;
/// The number of extra entries that are still written out, because a note about them would take as much space.
const FEW_MORE: usize = 4;

/// A list's entries, in words. If there are too many, only the first entries and the total: `… (40 in all)`.
pub fn join_truncated<T>(
    entries: impl ExactSizeIterator<Item = T>,
    most: usize,
    word: impl FnMut(T) -> String,
) -> Vec<String> {
    let all = entries.len();
    if all <= most + FEW_MORE {
        return entries.map(word).collect();
    }
    entries.take(most).map(word).chain([format!("… ({all} in all)")]).collect()
}

/// A number for people in texts and tables, with up to four decimals. Very large and very small numbers have an exponent.
pub fn format_number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        let infinity = if value > 0.0 { "∞" } else { "-∞" };
        return if value.is_nan() { "NaN".to_owned() } else { infinity.to_owned() };
    }
    if !(1e-3..1e9).contains(&size) {
        return scientific(value, 4);
    }
    decimals(value, 4)
}

/// A number for people in narrow places: three digits, or all digits of a longer integer part. Numbers below 0.001 have an exponent.
pub fn short_number(value: f64) -> String {
    match value.abs() {
        x if x >= 100.0 || x == 0.0 => decimals(value, 0),
        x if x >= 10.0 => decimals(value, 1),
        x if x >= 0.01 => decimals(value, 2),
        x if x >= 0.001 => decimals(value, 3),
        _ => scientific(value, 1),
    }
}

/// A number with at most this many decimals, without trailing zeros.
pub fn decimals(value: f64, most: usize) -> String {
    let text = format!("{value:.most$}");
    let text = if text.contains('.') { without_zeros(&text) } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number with an exponent, and at most this many decimals before it.
fn scientific(value: f64, most: usize) -> String {
    let text = format!("{value:.most$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", if mantissa.contains('.') { without_zeros(mantissa) } else { mantissa })
}

/// Joins words with commas, and with `or` before the last word.
pub fn alternatives(words: &[impl AsRef<str>]) -> String {
    listed(words, "or")
}

/// Joins words with commas, and with this conjunction, such as `and`, before the last word.
pub fn listed(words: &[impl AsRef<str>], conjunction: &str) -> String {
    let mut out = String::new();
    for (i, word) in words.iter().enumerate() {
        match i {
            0 => {}
            _ if i + 1 == words.len() => out.extend([" ", conjunction, " "]),
            _ => out.push_str(", "),
        }
        out.push_str(word.as_ref());
    }
    out
}

/// A noun in the plural: `houses`, `bushes`, `berries`.
pub fn plural(noun: &str) -> String {
    let before = |end| noun.strip_suffix(end);
    match before("y") {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh"].into_iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A noun in the singular: `seed` for `seeds`, `berry` for `berries`, and `water` for `water`.
pub fn singular(nouns: &str) -> String {
    let ends = [("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ss", "ss"), ("s", "")];
    let mut found =
        ends.into_iter().filter_map(|(many, one)| nouns.strip_suffix(many).map(|stem| format!("{stem}{one}")));
    found.next().unwrap_or_else(|| nouns.to_owned())
}

/// An amount with its noun, given in the plural: `1 seed`, `3 seeds`. A noun without a plural is counted in units: `1 unit of water`.
pub fn counted(amount: impl std::fmt::Display, nouns: &str) -> String {
    let amount = amount.to_string();
    let noun = match singular(nouns) {
        one if one == nouns => format!("{} of {nouns}", if amount == "1" { "unit" } else { "units" }),
        one if amount == "1" => one,
        _ => nouns.to_owned(),
    };
    format!("{amount} {noun}")
}

/// An amount of money: `€3,000`, `€0.60`, `€0.0003`. Without a currency, the amount is in points: `0.6 points`.
pub fn money(currency: &str, amount: f64) -> String {
    if currency.is_empty() {
        return format!("{} {}", format_number(amount), if amount == 1.0 { "point" } else { "points" });
    }
    let size = amount.abs();
    // Even small prices have no exponent.
    let text = if size < 1e-3 { three_digits(size) } else { format_number(size) };
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let decimals = match decimals.len() {
        0 => String::new(),
        1 => format!(".{decimals}0"),
        _ => format!(".{decimals}"),
    };
    format!("{}{currency}{}{decimals}", if amount < 0.0 { "-" } else { "" }, thousands(whole))
}

/// The digits of a whole number, with commas between thousands: `43,000`. Any other text stays as it is.
pub fn thousands(text: &str) -> String {
    let is_plain = text.bytes().all(|digit| digit.is_ascii_digit());
    let digits = text.char_indices().map(|(i, digit)| {
        let is_thousand = is_plain && i > 0 && (text.len() - i).is_multiple_of(3);
        format!("{}{digit}", if is_thousand { "," } else { "" })
    });
    digits.collect()
}

/// A number with three significant digits, without an exponent.
pub(crate) fn three_digits(value: f64) -> String {
    // A number that was just written can be parsed.
    let short: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    // Removes the sign of a negative zero.
    (short + 0.0).to_string()
}

/// A decimal without trailing zeros.
fn without_zeros(decimal: &str) -> &str {
    decimal.trim_end_matches('0').trim_end_matches('.')
}

/// A range as `low … high`.
pub fn range(low: f64, high: f64) -> String {
    format!("{} … {}", format_number(low), format_number(high))
}

/// A range that may be open at one end: `0 … 1`, `0 or more`, `at most 1`.
pub fn bounds(low: f64, high: f64) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => range(low, high),
        (true, false) => format!("{} or more", format_number(low)),
        (false, true) => format!("at most {}", format_number(high)),
        (false, false) => "any number".to_owned(),
    }
}

/// The first sentence in a text. It ends at a full stop before a capital letter, so "Eq. 23" does not end it.
pub fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let starts_sentence = |at: &usize| text[*at..].trim_start().starts_with(char::is_uppercase);
    text[..ends.into_iter().find(starts_sentence).unwrap_or(text.len())].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_tell_the_size() {
        let shown = [0.0, -0.0, 24504.043, 301.12, 9.996, 0.001234567, -5.0, 1e-7].map(three_digits);
        assert_eq!(shown, ["0", "0", "24500", "301", "10", "0.00123", "-5", "0.0000001"]);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, -0.0, 1.0, -2.5, 0.123456, 1234.00004, 3.4e-4, 1e-5, 2e12, f64::INFINITY].map(format_number);
        assert_eq!(shown, ["0", "0", "1", "-2.5", "0.1235", "1234", "3.4e-4", "1e-5", "2e12", "∞"]);
        let shown = [0.0, -0.4, 2.0, 12.34, -123.4, 5e6, 0.0123, 0.004, 1e-5].map(short_number);
        assert_eq!(shown, ["0", "-0.4", "2", "12.3", "-123", "5000000", "0.01", "0.004", "1e-5"]);
        assert_eq!([-0.01, 100.0, 2.25].map(|value| decimals(value, 1)), ["0", "100", "2.2"]);
    }

    #[test]
    fn nouns_follow_their_numbers() {
        assert_eq!(
            ["house", "bush", "berry", "key", "box"].map(plural),
            ["houses", "bushes", "berries", "keys", "boxes"]
        );
        assert_eq!(
            ["houses", "bushes", "berries", "keys", "boxes", "grass"].map(singular),
            ["house", "bush", "berry", "key", "box", "grass"]
        );
        assert_eq!(
            [counted(1, "seeds"), counted(2, "seeds"), counted(3, "water")],
            ["1 seed", "2 seeds", "3 units of water"]
        );
    }

    #[test]
    fn a_list_is_cut_only_where_much_is_left_out() {
        let shown = |n: usize| join_truncated(0..n, 4, |i| i.to_string()).join(", ");
        assert_eq!((shown(0), shown(4)), (String::new(), "0, 1, 2, 3".to_owned()));
        assert_eq!(shown(8), "0, 1, 2, 3, 4, 5, 6, 7");
        assert_eq!(shown(9), "0, 1, 2, 3, … (9 in all)");
    }

    #[test]
    fn a_sentence_does_not_end_in_an_abbreviation() {
        assert_eq!(first_sentence("Follows Eq. 23 and more. Then this."), "Follows Eq. 23 and more.");
        assert_eq!(first_sentence(" No full stop "), "No full stop");
    }
}
