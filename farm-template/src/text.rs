//! Writes YAML with comments, line by line: explanations, entries, and unused entries after a `#`.

use farm_core::serde_yaml::Value;

/// Comments on neighbouring lines are aligned, up to this column.
const FARTHEST_COMMENT: usize = 60;
/// Words that at least one version of YAML does not read as strings.
const NO_TEXTS: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan"];

/// A file, as a list of lines.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    lines: Vec<Line>,
}

#[derive(Debug)]
enum Line {
    Blank,
    /// An explanation.
    Prose(usize, String),
    /// An entry with its comment.
    Entry(String, String),
}

impl Sheet {
    /// An empty line.
    pub(crate) fn blank(&mut self) {
        if !matches!(self.lines.last(), Some(Line::Blank) | None) {
            self.lines.push(Line::Blank);
        }
    }

    /// Adds an explanation on its own line.
    pub(crate) fn prose(&mut self, indent: usize, text: &str) {
        // Leading spaces are kept: text that belongs to the line above is indented.
        let inner = text.len() - text.trim_start().len();
        self.lines.push(Line::Prose(indent, format!("{:inner$}{}", "", one_line(text))));
    }

    /// Adds an entry, either active or commented out with a `#`.
    pub(crate) fn entry(&mut self, indent: usize, used: bool, text: &str, comment: &str) {
        let sign = if used { "" } else { "# " };
        self.lines.push(Line::Entry(format!("{:indent$}{sign}{text}", ""), one_line(comment)));
    }

    /// A key with nested entries below it.
    pub(crate) fn key(&mut self, indent: usize, name: &str, comment: &str) {
        self.entry(indent, true, &format!("{}:", scalar(name)), comment);
    }

    /// The file's text.
    pub(crate) fn finish(&self) -> String {
        let mut text = String::new();
        for block in self.lines.split(|line| matches!(line, Line::Blank)) {
            let lengths = block.iter().filter_map(|line| match line {
                Line::Entry(entry, comment) if !comment.is_empty() => Some(entry.chars().count()),
                _ => None,
            });
            let column = lengths.filter(|n| *n <= FARTHEST_COMMENT).max().unwrap_or(0);
            if !text.is_empty() {
                text.push('\n');
            }
            for line in block {
                match line {
                    Line::Blank => {}
                    Line::Prose(indent, prose) => text.push_str(format!("{:indent$}## {prose}", "").trim_end()),
                    Line::Entry(entry, comment) if comment.is_empty() => text.push_str(entry),
                    Line::Entry(entry, comment) => text.push_str(&format!("{entry:<column$}  # {comment}")),
                }
                text.push('\n');
            }
        }
        text
    }
}

/// Text without line breaks, because a comment ends at the end of its line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(|c: char| c.is_control(), " ")
}

/// A string as a YAML scalar. It is quoted if YAML 1.1 or 1.2 would read it as another type.
pub(crate) fn scalar(text: &str) -> String {
    let inside = |c: char| c.is_alphanumeric() || "_-./°%#".contains(c);
    let is_plain = text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(inside)
        && !NO_TEXTS.contains(&text.to_lowercase().as_str());
    if is_plain {
        text.to_owned()
    } else if text.chars().any(char::is_control) {
        let escaped = text.chars().map(|c| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            '\t' => "\\t".to_owned(),
            c if c.is_control() => format!("\\u{:04x}", c as u32),
            c => c.to_string(),
        });
        format!("\"{}\"", escaped.collect::<String>())
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

/// A number in the shortest form that all YAML parsers read as a number.
pub(crate) fn number(value: f64) -> String {
    if value.is_nan() {
        ".nan".into()
    } else if value.is_infinite() {
        if value > 0.0 { ".inf".into() } else { "-.inf".into() }
    } else if value != 0.0 && !(1e-6..1e15).contains(&value.abs()) {
        // YAML 1.1 requires a decimal point and a sign: 1.0e+20.
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if mantissa.contains('.') { "" } else { ".0" };
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        format!("{mantissa}{point}e{sign}{exponent}")
    } else if value.fract() == 0.0 {
        format!("{value:.1}")
    } else {
        format!("{value}")
    }
}

/// A value on one line.
pub(crate) fn flow(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(n) if n.is_f64() => number(n.as_f64().unwrap_or_default()),
        Value::Number(n) => n.to_string(),
        Value::String(text) => scalar(text),
        Value::Sequence(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Mapping(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{}: {}", flow(key), flow(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        // Rejected when files are read, so no game contains one.
        Value::Tagged(tagged) => flow(&tagged.value),
    }
}

/// An entry with its value on one line. If there is no value, nothing follows the colon.
pub(crate) fn line(name: &str, value: &Value) -> String {
    match value {
        Value::Null => format!("{}:", scalar(name)),
        value => format!("{}: {}", scalar(name), flow(value)),
    }
}

#[cfg(test)]
mod tests {
    use farm_core::serde_yaml::from_str;

    use super::*;

    #[test]
    fn what_yaml_would_read_otherwise_is_quoted() {
        for plain in ["Field-0", "day#int365", "rain_amount#mm.day-1", "latitude#°", "humidity#%", "inform", "none"] {
            assert_eq!(scalar(plain), plain);
        }
        for quoted in
            ["*", "(0, 0)", "off", "On", "yes", "NO", "n", "null", "", "1", "1e5", "12:30", "a: b", "a #b", "-", "~"]
        {
            assert_eq!(scalar(quoted), format!("'{quoted}'"));
        }
        assert_eq!(scalar("it's"), "'it''s'");
        assert_eq!(scalar("a\n\"b\\"), r#""a\n\"b\\""#);
    }

    #[test]
    fn numbers_have_a_form_that_every_reader_takes_for_one() {
        let written = [1.0, 0.5, 0.00001, 1e20, 1.5e-9, -3.0, 0.0].map(number);
        assert_eq!(written, ["1.0", "0.5", "0.00001", "1.0e+20", "1.5e-9", "-3.0", "0.0"]);
    }

    #[test]
    fn values_on_one_line_are_read_back() {
        let text = "{'*': null, (0, 0): [1, 2.5, 'off', '(1, 2)', true], nested: {day#int365: [], s: \"a\\nb\"}}";
        let value: Value = from_str(&text.replace("(0, 0)", "'(0, 0)'")).unwrap();
        assert_eq!(from_str::<Value>(&flow(&value)).unwrap(), value);
    }

    #[test]
    fn comments_of_a_block_begin_in_one_column() {
        let mut sheet = Sheet::default();
        sheet.prose(0, "Why");
        sheet.key(0, "a", "one");
        sheet.entry(2, false, "long: 3", "two\nlines");
        assert_eq!(sheet.finish(), "## Why\na:           # one\n  # long: 3  # two lines\n");
    }
}
