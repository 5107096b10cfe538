//! Helpers that write HTML.

use base64::Engine as _;
pub(crate) use farm_plot::escape_html as escape;

/// Encodes bytes as base64 for data URLs.
pub(crate) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Encodes a string as JSON that is safe inside a script on a page: no character can end the script.
pub(crate) fn json_text(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.chars().fold(String::with_capacity(json.len()), |mut out, c| {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
        out
    })
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

/// Writes a table with a header. Cells are escaped; the first `texts` columns contain text and the others contain numbers.
pub(crate) fn table(head: &[&str], texts: usize, rows: &[Vec<String>]) -> String {
    let class = |i: usize| if i < texts { "" } else { " class=\"n\"" };
    let mut out = String::from("<div class=\"scroll\"><table><thead><tr>");
    for (i, cell) in head.iter().enumerate() {
        out.push_str(&format!("<th{}>{}</th>", class(i), escape(cell)));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (i, cell) in row.iter().enumerate() {
            out.push_str(&format!("<td{}>{}</td>", class(i), escape(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_that_of_the_standard() {
        // RFC 4648, section 10.
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn names_cannot_leave_their_place() {
        let name = "</script><img src=x onerror='alert(1)'>&\"\\";
        assert!(!escape(name).contains(['<', '>', '"', '\'']));
        let json = json_text(name);
        assert!(!json.contains(['<', '>', '&']), "{json}");
        assert_eq!(
            (json_number(0.1 + 0.2), json_number(f64::NAN), json_number(1e-9)),
            ("0.3".into(), "null".into(), "1e-9".into())
        );
    }
}
