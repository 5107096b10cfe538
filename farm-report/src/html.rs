//! Helpers that write HTML.

use base64::Engine as _;
use farm_core::inspect::escape_controls;
use maud::{Markup, html};

/// The data URL of a PNG.
pub(crate) fn png(bytes: &[u8]) -> String {
    format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

/// Encodes a string as JSON, so that a script shows the same characters as the page.
pub(crate) fn json_text(text: &str) -> String {
    serde_json::Value::from(escape_controls(text)).to_string()
}

/// Encodes a number as short JSON with five significant digits; `null` if it is not finite.
pub(crate) fn json_number(value: f64) -> String {
    if !value.is_finite() {
        return "null".to_owned();
    }
    let rounded: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    // The shorter of the plain and the exponential form.
    let (plain, powers) = (format!("{rounded}"), format!("{rounded:e}"));
    if plain.len() <= powers.len() { plain } else { powers }
}

/// A table with a header. The first `texts` columns contain text and the others contain numbers.
pub(crate) fn table(head: &[&str], texts: usize, rows: &[Vec<String>]) -> Markup {
    let class = |i: usize| (i >= texts).then_some("n");
    html! {
        div.scroll {
            table {
                thead { tr { @for (i, cell) in head.iter().enumerate() { th class=[class(i)] { (cell) } } } }
                tbody {
                    @for row in rows { tr { @for (i, cell) in row.iter().enumerate() { td class=[class(i)] { (cell) } } } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_short_and_shows_what_the_page_shows() {
        assert_eq!(json_text("a\u{202e}\"b\"\n"), "\"a\\\\u202e\\\"b\\\"\\n\"");
        assert_eq!(
            (json_number(0.1 + 0.2), json_number(f64::NAN), json_number(1e-9)),
            ("0.3".into(), "null".into(), "1e-9".into())
        );
    }
}
