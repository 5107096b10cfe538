//! Charts and texts that several sections of a page share.

use farm_plot::Drawing;

use crate::board::Column;

/// A chart on a page.
#[derive(Debug)]
pub struct Picture {
    /// Its file name.
    pub name: String,
    /// The drawing.
    pub drawing: Drawing,
}

/// The width of a chart, in pixels.
pub(crate) const WIDTH: f64 = 780.0;

/// A game's name, with a link to its section if the page has one.
pub(crate) fn heading(name: &str, is_summary: bool) -> String {
    if is_summary { text(name) } else { format!("[{}](#{})", text(name), anchor(name)) }
}

/// The anchor of a heading, in the form that mdBook and GitHub create.
fn anchor(heading: &str) -> String {
    let kept = heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c))
        .collect::<String>();
    kept.replace(' ', "-")
}

/// A number in a summary.
pub(crate) fn brief(value: f64) -> String {
    format!("{value:.*}", if value.abs() < 100.0 { 2 } else { 1 })
}

/// A share, with its interval, in percent.
pub(crate) fn percent(column: Column) -> String {
    let hundred = |share: f64| format!("{:.0}", 100.0 * share);
    let range = column.interval.map(|e| format!(" [{}, {}]", hundred(e.low), hundred(e.high)));
    format!("{} %{}", hundred(column.value), range.unwrap_or_default())
}

/// Text from a file, for use in a table cell. All characters that Markdown or HTML would interpret are escaped.
pub(crate) fn text(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '|' | '[' | ']' | '`' | '*' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        out
    })
}
