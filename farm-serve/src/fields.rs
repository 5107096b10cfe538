//! Reads client requests key by key. Unknown keys and values are never ignored. They are rejected, and the error names the nearest known
//! key or value.

use farm_core::config::nearest;
use serde_json::{Map, Value as Json};

/// The reason for rejecting a request, as a sentence with a fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Invalid(pub(crate) String);

/// Reads an object that may have only these keys.
///
/// # Errors
/// The value is not an object, or has an unknown key; the error names the nearest known key.
pub(crate) fn object<'j>(json: &'j Json, what: &str, keys: &[&str]) -> Result<&'j Map<String, Json>, Invalid> {
    let object = json.as_object().ok_or_else(|| Invalid(format!("{what} is not an object: found {}", short(json))))?;
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        None => Ok(object),
        Some(key) => Err(Invalid(unknown(&format!("key of {what}"), key, keys))),
    }
}

/// The message for an unknown name.
pub(crate) fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    let found: String = found.chars().take(100).collect();
    let meant = nearest(&found, known).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("unknown {what} `{found}`{meant}; known: {}", known.join(", "))
}

/// Reads a non-negative integer; `None` if the key is missing or null.
///
/// # Errors
/// The value has another type.
pub(crate) fn whole(object: &Map<String, Json>, key: &str) -> Result<Option<u64>, Invalid> {
    let expected = |found: &Json| Invalid(format!("`{key}` is {}; expected a non-negative integer", short(found)));
    let value = object.get(key).filter(|value| !value.is_null());
    value.map(|value| value.as_u64().ok_or_else(|| expected(value))).transpose()
}

/// Reads a string; `None` if the key is missing or null.
///
/// # Errors
/// The value has another type.
pub(crate) fn text<'j>(object: &'j Map<String, Json>, key: &str) -> Result<Option<&'j str>, Invalid> {
    let expected = |found: &Json| Invalid(format!("`{key}` is {}; expected a string", short(found)));
    let value = object.get(key).filter(|value| !value.is_null());
    value.map(|value| value.as_str().ok_or_else(|| expected(value))).transpose()
}

/// Reads `true` or `false`; `false` if the key is missing or null.
///
/// # Errors
/// The value has another type.
pub(crate) fn flag(object: &Map<String, Json>, key: &str) -> Result<bool, Invalid> {
    match object.get(key) {
        None | Some(Json::Null) => Ok(false),
        Some(Json::Bool(value)) => Ok(*value),
        Some(other) => Err(Invalid(format!("`{key}` is {}; expected true or false", short(other)))),
    }
}

/// Reads one of several names; `None` if the key is missing or null.
///
/// # Errors
/// The value is not one of these names; the error suggests the nearest name.
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

/// A value for a message; long values are shortened.
pub(crate) fn short(json: &Json) -> String {
    const LONGEST: usize = 80;
    let text = json.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
