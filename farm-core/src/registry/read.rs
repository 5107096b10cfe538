//! Reads parts from a game file, each according to its kind.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_yaml::Value;

use super::{kind, unknown_kind};
use crate::config::{PartKind, Path};
use crate::part::{Entity, Farmer, Policy, Rule, Score};

/// A configured part of any type, as read by [`read_any`].
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum AnyPart {
    /// An entity.
    Entity(Box<dyn Entity>),
    /// A farmer.
    Farmer(Box<dyn Farmer>),
    /// A rule.
    Rule(Box<dyn Rule>),
    /// A score.
    Score(Box<dyn Score>),
    /// A policy.
    Policy(Box<dyn Policy>),
}

/// A configured part of one type, as an object such as `Box<dyn Entity>`.
pub trait PartObject: Sized {
    /// The type of part.
    const PART: PartKind;

    /// The part, if it is of this type.
    fn of(part: AnyPart) -> Option<Self>;
}

macro_rules! part_objects {
    ($($part:ident),+) => { $(
        impl PartObject for Box<dyn $part> {
            const PART: PartKind = PartKind::$part;

            fn of(part: AnyPart) -> Option<Self> {
                if let AnyPart::$part(part) = part { Some(part) } else { None }
            }
        }
    )+ };
}

part_objects!(Entity, Farmer, Rule, Score, Policy);

/// Reads a part of this type, written as `{KIND: {parameter: value}}`, for any registered kind.
///
/// # Errors
/// The kind does not exist, or does not accept these parameters.
pub fn read_any(part: PartKind, tagged: Value) -> Result<AnyPart, serde_yaml::Error> {
    let Value::Mapping(mapping) = tagged else {
        return Err(serde_yaml::Error::custom("expected `KIND: {parameter: value}`"));
    };
    let mut entries = mapping.into_iter();
    let (Some((Value::String(name), parameters)), None) = (entries.next(), entries.next()) else {
        return Err(serde_yaml::Error::custom("expected one `KIND: {parameter: value}`"));
    };
    match kind(part, &name) {
        Some(kind) => kind.read(parameters),
        None => Err(serde_yaml::Error::custom(unknown_kind(part, &name, Path::default()).sentence())),
    }
}

/// Like [`read_any`], but for one type of part.
///
/// # Errors
/// The errors from [`read_any`].
pub fn read_part<P: PartObject>(tagged: Value) -> Result<P, serde_yaml::Error> {
    // The registry finds kinds by their type of part, so the result has this type.
    P::of(read_any(P::PART, tagged)?).ok_or_else(|| serde_yaml::Error::custom("this is another type of part"))
}

/// Like [`read_part`], for a field in a struct.
pub(crate) fn part<'de, D: Deserializer<'de>, P: PartObject>(deserializer: D) -> Result<P, D::Error> {
    read_part(Value::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Like [`read_part`], for a list.
pub(crate) fn parts<'de, D: Deserializer<'de>, P: PartObject>(deserializer: D) -> Result<Vec<P>, D::Error> {
    let tagged: Vec<Value> = Vec::deserialize(deserializer)?;
    tagged.into_iter().map(|tagged| read_part(tagged).map_err(D::Error::custom)).collect()
}

/// Like [`read_part`], for a mapping by name.
pub(crate) fn named_parts<'de, D, P>(deserializer: D) -> Result<indexmap::IndexMap<String, P>, D::Error>
where
    D: Deserializer<'de>,
    P: PartObject,
{
    let tagged: indexmap::IndexMap<String, Value> = Deserialize::deserialize(deserializer)?;
    let read = |(name, tagged)| Ok((name, read_part(tagged).map_err(D::Error::custom)?));
    tagged.into_iter().map(read).collect()
}
