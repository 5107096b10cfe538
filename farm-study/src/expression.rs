//! Expressions in braces in a study, such as `{x}` or `{round(plants * 100)}`.

use farm_core::config::nearest;
use farm_core::serde_yaml::{Mapping, Value};
use indexmap::IndexMap;

/// The values at a grid point, by name.
pub(crate) type Names = IndexMap<String, Value>;

/// An expression that can't be computed, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WrongExpression {
    /// The expression, with its braces.
    pub text: String,
    /// The error message.
    pub message: String,
    /// The expected content.
    pub expected: Option<String>,
    /// The nearest known name.
    pub nearest: Option<String>,
}

/// Fills in a value, by computing all expressions in braces in its strings and keys.
pub(crate) fn fill(value: &Value, names: &Names) -> Result<Value, WrongExpression> {
    Ok(match value {
        Value::String(text) => fill_value(text, names)?,
        Value::Sequence(items) => {
            Value::Sequence(items.iter().map(|item| fill(item, names)).collect::<Result<_, _>>()?)
        }
        Value::Mapping(mapping) => {
            let mut filled = Mapping::new();
            for (key, item) in mapping {
                let key = match key {
                    Value::String(key) => Value::String(fill_text(key, names)?),
                    other => other.clone(),
                };
                filled.insert(key, fill(item, names)?);
            }
            Value::Mapping(filled)
        }
        other => other.clone(),
    })
}

/// A string that consists of a single expression becomes the expression's value. In other strings, values are inserted as text.
fn fill_value(text: &str, names: &Names) -> Result<Value, WrongExpression> {
    let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match inner.filter(|inner| !inner.contains(['{', '}'])) {
        Some(inner) => compute(inner, names),
        None => fill_text(text, names).map(Value::String),
    }
}

/// A string with all expressions in braces replaced by their values.
pub(crate) fn fill_text(text: &str, names: &Names) -> Result<String, WrongExpression> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((inner, after)) = behind.split_once('}') else {
            return Err(wrong(behind, "the brace is not closed"));
        };
        filled.push_str(before);
        match compute(inner, names)? {
            Value::String(text) => filled.push_str(&text),
            other => filled.push_str(&farm_core::config::to_inline_yaml(&other)),
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// The number that results from a value after its expression has been computed.
pub(crate) fn number(value: &Value, names: &Names) -> Result<f64, WrongExpression> {
    let filled = fill(value, names)?;
    filled.as_f64().filter(|number| number.is_finite()).ok_or_else(|| WrongExpression {
        expected: Some("a finite number".into()),
        text: farm_core::config::to_inline_yaml(value),
        ..wrong("", "this is not a number")
    })
}

fn wrong(inner: &str, message: &str) -> WrongExpression {
    WrongExpression { text: format!("{{{inner}}}"), message: message.to_owned(), expected: None, nearest: None }
}

fn compute(inner: &str, names: &Names) -> Result<Value, WrongExpression> {
    // A single name keeps its value, which may be a string.
    if let Some(value) = names.get(inner.trim()) {
        return Ok(value.clone());
    }
    let mut reader = Reader { rest: inner.trim(), inner, names, depth: 0 };
    let value = reader.sum()?;
    if !reader.rest.is_empty() {
        return Err(wrong(inner, &format!("unexpected `{}`", reader.rest)));
    }
    if !value.is_finite() {
        return Err(wrong(inner, "the result is not a finite number"));
    }
    // An integer stays an integer, for parameters that accept only integers.
    Ok(if value == value.round() && value.abs() < 1e15 { Value::from(value as i64) } else { Value::from(value) })
}

/// Reads an expression from start to end.
struct Reader<'e> {
    rest: &'e str,
    inner: &'e str,
    names: &'e Names,
    /// The number of open parentheses.
    depth: usize,
}

/// The maximum nesting depth of parentheses.
const MAX_DEPTH: usize = 20;

impl<'e> Reader<'e> {
    fn take(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn wrong(&self, message: impl Into<String>) -> WrongExpression {
        wrong(self.inner, &message.into())
    }

    fn sum(&mut self) -> Result<f64, WrongExpression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(wrong("(…", "too many nested parentheses"));
        }
        let sum = self.terms();
        self.depth -= 1;
        sum
    }

    fn terms(&mut self) -> Result<f64, WrongExpression> {
        let mut sum = self.product()?;
        loop {
            if self.take('+') {
                sum += self.product()?;
            } else if self.take('-') {
                sum -= self.product()?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<f64, WrongExpression> {
        let mut product = self.factor()?;
        loop {
            if self.take('*') {
                product *= self.factor()?;
            } else if self.take('/') {
                product /= self.factor()?;
            } else {
                return Ok(product);
            }
        }
    }

    fn factor(&mut self) -> Result<f64, WrongExpression> {
        // A loop instead of recursion, because there may be many signs.
        let mut sign = 1.0;
        while self.take('-') {
            sign = -sign;
        }
        if self.take('(') {
            return Ok(sign * self.closed()?);
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return word
                .parse::<f64>()
                .map(|number| sign * number)
                .map_err(|_| self.wrong(format!("`{word}` is not a number")));
        }
        if word.is_empty() {
            let found = self.rest.chars().next().map_or("the end".to_owned(), |sign| format!("`{sign}`"));
            return Err(self.wrong(format!("expected a number or a name, found {found}")));
        }
        let value = if self.take('(') { self.call(word)? } else { self.named(word)? };
        Ok(sign * value)
    }

    /// Reads the content of parentheses, after the opening parenthesis.
    fn closed(&mut self) -> Result<f64, WrongExpression> {
        let value = self.sum()?;
        if self.take(')') { Ok(value) } else { Err(self.wrong("a parenthesis is not closed")) }
    }

    fn call(&mut self, function: &str) -> Result<f64, WrongExpression> {
        let first = self.sum()?;
        let second = if self.take(',') { Some(self.sum()?) } else { None };
        if !self.take(')') {
            return Err(self.wrong("a parenthesis is not closed"));
        }
        match (function, second) {
            ("round", None) => Ok(first.round()),
            ("min", Some(second)) => Ok(first.min(second)),
            ("max", Some(second)) => Ok(first.max(second)),
            _ => Err(WrongExpression {
                expected: Some("round(a), min(a, b) or max(a, b)".into()),
                ..self.wrong(format!("no function `{function}` takes these arguments"))
            }),
        }
    }

    fn named(&self, name: &str) -> Result<f64, WrongExpression> {
        match self.names.get(name) {
            Some(value) => value.as_f64().ok_or_else(|| self.wrong(format!("`{name}` is not a number"))),
            None => {
                let known: Vec<&str> = self.names.keys().map(String::as_str).collect();
                Err(WrongExpression {
                    expected: Some(known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
                    nearest: nearest(name, &known).map(str::to_owned),
                    ..self.wrong(format!("unknown name `{name}`"))
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        [("x", Value::from(5)), ("plants", Value::from(13.2)), ("crop", Value::from("bean"))]
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    }

    #[test]
    fn expressions_are_computed_and_texts_filled() {
        let filled = |text: &str| fill(&Value::from(text), &names()).unwrap();
        assert_eq!(filled("{x}"), Value::from(5));
        assert_eq!(filled("{crop}"), Value::from("bean"));
        assert_eq!(filled("{round(plants * 100 * (x - 3) / 2)}"), Value::from(1320));
        assert_eq!(filled("{-x + 2 * -3}"), Value::from(-11));
        assert_eq!(filled("{max(x, min(7, 6.5))}"), Value::from(6.5));
        assert_eq!(filled("{crop} of {x}"), Value::from("bean of 5"));
        let mapping: Value = farm_core::serde_yaml::from_str("{'{crop}': ['{x + 1}', 2]}").unwrap();
        assert_eq!(
            fill(&mapping, &names()).unwrap(),
            farm_core::serde_yaml::from_str::<Value>("{bean: [6, 2]}").unwrap()
        );
    }

    #[test]
    fn what_can_not_be_computed_is_said() {
        let said = |text: &str| fill(&Value::from(text), &names()).unwrap_err();
        assert_eq!(said("{plant}").nearest.as_deref(), Some("plants"));
        for (text, part) in [
            ("{x +}", "found the end"),
            ("{x) }", "unexpected"),
            ("{(x}", "not closed"),
            ("{crop * 2}", "not a number"),
            ("{1 / 0}", "not a finite number"),
            ("{root(x)}", "no function `root`"),
            ("a {x", "not closed"),
            ("{1.2.3}", "not a number"),
            ("{}", "found the end"),
            (&format!("{{{}x", "(".repeat(100_000)), "not closed"),
            (&format!("{{{}x}}", "(".repeat(100_000)), "too many nested parentheses"),
        ] {
            assert!(said(text).message.contains(part), "{text}: {:?}", said(text));
        }
    }
}
