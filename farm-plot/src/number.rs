//! Numbers as text for people, and the powers of ten of numbers. The digits come from a number's shortest text, not from a logarithm.

/// The number as `m · 10^e` with 1 ≤ |m| < 10. Zero and numbers that are not finite have exponent 0.
pub(crate) fn split(value: f64) -> (f64, i32) {
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.parse().unwrap_or(value), exponent.parse().unwrap_or(0)),
        None => (value, 0),
    }
}

/// Ten to a power, correctly rounded.
pub(crate) fn ten_to(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}

/// The minus sign of negative numbers.
const MINUS: &str = "−";

/// Replaces the hyphen before a number with a minus sign, and removes it before zero.
fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("{MINUS}{rest}"),
        None => text.to_owned(),
    }
}

/// A number with this number of decimals.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    signed(&format!("{value:.decimals$}"))
}

/// A number as `m×10ⁿ`, with this number of decimals in m.
pub(crate) fn scientific(value: f64, decimals: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{value:.decimals$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return signed(&text) };
    let raised: String = exponent
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            digit => digit.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(digit),
        })
        .collect();
    format!("{}×10{raised}", signed(mantissa))
}

/// A number with four significant digits, with a power of ten if it is huge or tiny.
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "–".to_owned() } else { signed(&format!("{value}")) };
    }
    let (_, exponent) = split(value);
    if value != 0.0 && !(-4..6).contains(&exponent) {
        return scientific(value, 2);
    }
    let decimals = usize::try_from((3 - exponent).max(0)).unwrap_or(0);
    let text = fixed(value, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A narrow non-breaking space.
const THIN_SPACE: char = '\u{202f}';

/// Inserts a thin space before every three digits of an integer part, if it has at least five digits.
fn with_spaces(text: &str) -> String {
    let begin = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let count = text[begin..].chars().take_while(char::is_ascii_digit).count();
    if count < 5 {
        return text.to_owned();
    }
    let (sign, rest) = text.split_at(begin);
    let (whole, fraction) = rest.split_at(count);
    let mut out = sign.to_owned();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (count - i).is_multiple_of(3) {
            out.push(THIN_SPACE);
        }
        out.push(digit);
    }
    out + fraction
}

/// A number in the form of [`number`], with thin spaces between thousands.
#[must_use]
pub fn grouped(value: f64) -> String {
    with_spaces(&number(value))
}

/// The numbers of one column, with the same number of decimals and thin spaces between thousands. The largest number has at most four
/// significant digits. Decimals that no number needs are left out. If the largest number is huge or tiny, each number is formatted
/// separately.
#[must_use]
pub fn column(values: &[f64]) -> Vec<String> {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let (_, largest) = split(finite().fold(0.0, |most: f64, value| most.max(value.abs())));
    if !(-4..9).contains(&largest) {
        return values.iter().map(|value| grouped(*value)).collect();
    }
    let most = usize::try_from((3 - largest).max(0)).unwrap_or(0);
    let needed = |value: f64| {
        let text = fixed(value, most);
        text.trim_end_matches('0').split_once('.').map_or(0, |(_, fraction)| fraction.len())
    };
    let decimals = finite().map(needed).max().unwrap_or(0);
    let text = |value: &f64| if value.is_finite() { with_spaces(&fixed(*value, decimals)) } else { number(*value) };
    values.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_and_powers_of_ten_where_they_need_them() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-12.3456, "−12.35"),
            (0.012344, "0.01234"),
            (123456.0, "123456"),
            (1.0e6, "1.00×10⁶"),
            (-2.5e-12, "−2.50×10⁻¹²"),
            (f64::NAN, "–"),
            (f64::NEG_INFINITY, "−inf"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn thousands_stand_apart_from_five_digits_on() {
        let cases =
            [(1234.0, "1234"), (-12_345.0, "−12\u{202f}345"), (123_456.0, "123\u{202f}456"), (0.01234, "0.01234")];
        for (value, text) in cases {
            assert_eq!(grouped(value), text);
        }
    }

    #[test]
    fn the_points_of_a_column_stand_below_one_another() {
        assert_eq!(column(&[25.84, 14.8, 3.0]), ["25.84", "14.80", "3.00"]);
        assert_eq!(column(&[60.0, 12.0]), ["60", "12"]);
        assert_eq!(column(&[285_051.0, -0.02, 240_000.6]), ["285\u{202f}051", "0", "240\u{202f}001"]);
        assert_eq!(column(&[0.0008, 0.0]), ["0.0008", "0.0000"]);
        assert_eq!(column(&[98.0, -1.35e-11, f64::NAN]), ["98", "0", "–"]);
        assert_eq!(column(&[1e12, 1.0]), ["1.00×10¹²", "1"]);
        assert!(column(&[]).is_empty());
    }

    #[test]
    fn powers_of_ten_are_exact() {
        assert_eq!(split(0.3), (3.0, -1));
        assert_eq!(split(-250.0), (-2.5, 2));
        assert_eq!(ten_to(-3), 1e-3);
        assert_eq!(split(f64::MAX).1, 308);
    }
}
