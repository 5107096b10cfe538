//! What clients send, read key by key: what is not known is refused with the nearest name, and never ignored.

use farm_core::config::nearest;
use serde_json::{Map, Value as Json};

/// Why a request is refused, in a sentence with the way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Invalid(pub(crate) String);

/// An object that may have these keys and no others.
///
/// # Errors
/// Anything but an object; a key that is not one of them, with the nearest that is.
pub(crate) fn object<'j>(json: &'j Json, what: &str, keys: &[&str]) -> Result<&'j Map<String, Json>, Invalid> {
    let object = json.as_object().ok_or_else(|| Invalid(format!("{what} is not an object: found {}", short(json))))?;
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        None => Ok(object),
        Some(key) => Err(Invalid(unknown(&format!("key of {what}"), key, keys))),
    }
}

/// What is said of a name that is not one of those known.
pub(crate) fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    let found: String = found.chars().take(100).collect();
    let meant = nearest(&found, known).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("unknown {what} `{found}`{meant}; known: {}", known.join(", "))
}

/// A whole number from 0 on; none where it does not stand there, or is null.
///
/// # Errors
/// Anything else.
pub(crate) fn whole(object: &Map<String, Json>, key: &str) -> Result<Option<u64>, Invalid> {
    let expected = |found: &Json| Invalid(format!("`{key}` is {}; expected a whole number from 0 on", short(found)));
    let value = object.get(key).filter(|value| !value.is_null());
    value.map(|value| value.as_u64().ok_or_else(|| expected(value))).transpose()
}

/// A text; none where it does not stand there, or is null.
///
/// # Errors
/// Anything else.
pub(crate) fn text<'j>(object: &'j Map<String, Json>, key: &str) -> Result<Option<&'j str>, Invalid> {
    let expected = |found: &Json| Invalid(format!("`{key}` is {}; expected a text", short(found)));
    let value = object.get(key).filter(|value| !value.is_null());
    value.map(|value| value.as_str().ok_or_else(|| expected(value))).transpose()
}

/// One of several names; none where it does not stand there, or is null.
///
/// # Errors
/// Anything else, with the nearest name.
pub(crate) fn one_of<T: Copy>(
    object: &Map<String, Json>,
    key: &str,
    known: &[(&str, T)],
) -> Result<Option<T>, Invalid> {
    let Some(name) = text(object, key)? else { return Ok(None) };
    let found = known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    found.map(Some).ok_or_else(|| Invalid(unknown(&format!("value of `{key}`"), name, &names)))
}

/// A value as a message shows it: the begin of a long one.
pub(crate) fn short(json: &Json) -> String {
    const LONGEST: usize = 80;
    let text = json.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
