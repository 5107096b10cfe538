//! Numbers as people read them, and their powers of ten, without a logarithm: digits are read off the shortest text.

/// The number as `m · 10^e` with 1 ≤ |m| < 10; zero and what is not finite have exponent 0.
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

/// The sign that stands before numbers below zero.
const MINUS: &str = "−";

/// A text of a number with a real minus sign, and none before zero.
fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("{MINUS}{rest}"),
        None => text.to_owned(),
    }
}

/// With so many digits behind the point.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    signed(&format!("{value:.decimals$}"))
}

/// As `m×10ⁿ` with so many digits behind the point of m.
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

/// A number with four digits that count, in powers of ten where it is huge or tiny.
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
    fn powers_of_ten_are_exact() {
        assert_eq!(split(0.3), (3.0, -1));
        assert_eq!(split(-250.0), (-2.5, 2));
        assert_eq!(ten_to(-3), 1e-3);
        assert_eq!(split(f64::MAX).1, 308);
    }
}
