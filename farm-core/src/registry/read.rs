//! Parts read from a game file: those of linked kinds by `typetag`, those of plugins by their own library.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_yaml::Value;

use super::{PluginOrigin, kind};
use crate::config::PartKind;
use crate::part::{Entity, Farmer, Policy, Rule, Score};

/// Reads the parts of a plugin's kinds, from what stands behind their name.
pub(crate) trait PartReader: Send + Sync {
    fn entity(&self, kind: &'static str, parameters: &Value) -> Result<Box<dyn Entity>, String>;
    fn farmer(&self, kind: &'static str, parameters: &Value) -> Result<Box<dyn Farmer>, String>;
    fn rule(&self, kind: &'static str, parameters: &Value) -> Result<Box<dyn Rule>, String>;
    fn score(&self, kind: &'static str, parameters: &Value) -> Result<Box<dyn Score>, String>;
    fn policy(&self, kind: &'static str, parameters: &Value) -> Result<Box<dyn Policy>, String>;
}

/// A configured part as an object: `Box<dyn Entity>` and its like.
pub trait AnyPart: Sized {
    /// Which sort it is.
    const PART: PartKind;

    /// Reads one whose kind is linked into the program.
    #[doc(hidden)]
    fn linked(tagged: Value) -> Result<Self, serde_yaml::Error>;

    /// Reads one whose kind is a plugin's.
    #[doc(hidden)]
    fn of_plugin(kind: &'static str, origin: &PluginOrigin, parameters: &Value) -> Result<Self, String>;
}

macro_rules! any_part {
    ($part:ident, $read:ident) => {
        impl AnyPart for Box<dyn $part> {
            const PART: PartKind = PartKind::$part;

            fn linked(tagged: Value) -> Result<Self, serde_yaml::Error> {
                serde_yaml::from_value(tagged)
            }

            fn of_plugin(kind: &'static str, origin: &PluginOrigin, parameters: &Value) -> Result<Self, String> {
                origin.reader.$read(kind, parameters)
            }
        }
    };
}

any_part!(Entity, entity);
any_part!(Farmer, farmer);
any_part!(Rule, rule);
any_part!(Score, score);
any_part!(Policy, policy);

/// Reads a part, `{KIND: {parameter: value}}`, of any registered kind, be it linked or a plugin's.
///
/// # Errors
/// When there is no such kind, or it does not take these parameters.
pub fn read_part<P: AnyPart>(tagged: Value) -> Result<P, serde_yaml::Error> {
    let single = tagged.as_mapping().filter(|mapping| mapping.len() == 1).and_then(|mapping| mapping.iter().next());
    if let Some((Value::String(name), parameters)) = single
        && let Some(kind) = kind(P::PART, name)
        && let Some(origin) = kind.origin
    {
        return P::of_plugin(kind.name, origin, parameters).map_err(serde_yaml::Error::custom);
    }
    P::linked(tagged)
}

/// [`read_part`] for a field of a structure.
pub(crate) fn part<'de, D: Deserializer<'de>, P: AnyPart>(deserializer: D) -> Result<P, D::Error> {
    read_part(Value::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// [`read_part`] for a list.
pub(crate) fn parts<'de, D: Deserializer<'de>, P: AnyPart>(deserializer: D) -> Result<Vec<P>, D::Error> {
    let tagged: Vec<Value> = Vec::deserialize(deserializer)?;
    tagged.into_iter().map(|tagged| read_part(tagged).map_err(D::Error::custom)).collect()
}

/// [`read_part`] for a mapping by name.
pub(crate) fn named_parts<'de, D, P>(deserializer: D) -> Result<indexmap::IndexMap<String, P>, D::Error>
where
    D: Deserializer<'de>,
    P: AnyPart,
{
    let tagged: indexmap::IndexMap<String, Value> = Deserialize::deserialize(deserializer)?;
    let read = |(name, tagged)| Ok((name, read_part(tagged).map_err(D::Error::custom)?));
    tagged.into_iter().map(read).collect()
}
