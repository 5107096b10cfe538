//! Spaces as JSON. This module writes and reads spaces, and rejects descriptions that do not define a set of values.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};

use super::error::{Place, SpaceError};
use super::flat::entries;
use super::{ALPHANUMERIC, Dtype, Space, bound};

/// The maximum number of values, characters, slots, or numbers in the flat vector, because random indices have 32 bits.
const MOST: usize = (u32::MAX - 1) as usize;
/// The maximum number of values in a shape. As JSON, a sample of this size takes several GB.
const MAX_VALUES: usize = 1 << 26;

/// Writes bounds. JSON has no infinite numbers, so they are written as strings.
pub(super) fn bounds<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Bound {
        Number(f64),
        Word(&'static str),
    }
    serializer.collect_seq(values.iter().map(|value| match *value {
        f64::INFINITY => Bound::Word("inf"),
        f64::NEG_INFINITY => Bound::Word("-inf"),
        value => Bound::Number(value),
    }))
}

impl<'de> Deserialize<'de> for Space {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Self::from_json(&json).map_err(serde::de::Error::custom)
    }
}

impl Space {
    /// Reads a space from its JSON form.
    ///
    /// # Errors
    /// The first location that has an invalid form, or where [`Space::validate`] reports an error.
    pub fn from_json(json: &Json) -> Result<Self, SpaceError> {
        let space = read(json, &Place::Root)?;
        space.validate()?;
        Ok(space)
    }

    /// Checks that the space defines a set of values: at least one value, no lower bound above its upper bound, and nothing too large to
    /// sample. Spaces read from JSON have already passed this check, so call it only for spaces created in Rust.
    ///
    /// # Errors
    /// The first error. Its location refers to the space's JSON form.
    pub fn validate(&self) -> Result<(), SpaceError> {
        validate(self, &Place::Root)?;
        let size = self.flat_size();
        if size > MOST {
            let expected = format!("at most {MOST} numbers");
            return Err(Place::Root.error("the flat vector would be too long", self, expected));
        }
        Ok(())
    }
}

fn validate(space: &Space, place: &Place<'_>) -> Result<(), SpaceError> {
    let of = &Place::Key(place, "of");
    let children = |spaces: &[Space], place: &Place<'_>| {
        spaces.iter().enumerate().try_for_each(|(i, space)| validate(space, &Place::Index(place, i)))
    };
    let at_most = |n: usize, key: &str| {
        let error = || Place::Key(of, key).error("the number is too large", n, format!("at most {MOST}"));
        if n > MOST { Err(error()) } else { Ok(()) }
    };
    // A shape with an axis of length 0 has no values, but the lists around that axis still exist.
    let shaped = |shape: &[usize]| {
        let lists = shape.iter().filter(|n| **n > 0).fold(1, |product: usize, n| product.saturating_mul(*n));
        let error =
            || Place::Key(of, "shape").error("the number is too large", lists, format!("at most {MAX_VALUES} values"));
        if lists > MAX_VALUES { Err(error()) } else { Ok(()) }
    };
    let positive = |n: usize, place: &Place<'_>| {
        let error = || place.error("the space has no value", n, format!("an integer from 1 to {MOST}"));
        if (1..=MOST).contains(&n) { Ok(()) } else { Err(error()) }
    };
    match space {
        Space::Box { low, high, shape, dtype } => {
            shaped(shape)?;
            validate_bounds(low, high, shape, *dtype, of)
        }
        Space::Discrete { n } => positive(*n, &Place::Key(of, "n")),
        Space::MultiDiscrete { nvec } => {
            nvec.iter().enumerate().try_for_each(|(i, n)| positive(*n, &Place::Index(&Place::Key(of, "nvec"), i)))
        }
        Space::MultiBinary { shape } => shaped(shape),
        Space::Text { min_length, max_length, charset } => {
            at_most(*max_length, "max_length")?;
            if min_length > max_length {
                let place = Place::Key(of, "min_length");
                return Err(place.error(
                    "min_length is above max_length",
                    min_length,
                    format!("at most max_length, {max_length}"),
                ));
            }
            let characters: Vec<char> = charset.chars().collect();
            if let Some(twice) = (1..characters.len()).find(|i| characters[..*i].contains(&characters[*i])) {
                let place = Place::Key(of, "charset");
                return Err(place.error("the charset has a character twice", characters[twice], "each character once"));
            }
            if characters.is_empty() && *max_length > 0 {
                let expected = "at least one character, or a max_length of 0";
                return Err(Place::Key(of, "charset").error("the charset has no characters", "\"\"", expected));
            }
            Ok(())
        }
        Space::Dict(entries) => entries.iter().enumerate().try_for_each(|(i, (key, space))| {
            let place = &Place::Index(of, i);
            if entries[..i].iter().any(|(other, _)| other == key) {
                return Err(Place::Index(place, 0).error("the dictionary has a key twice", key, "each key once"));
            }
            validate(space, &Place::Index(place, 1))
        }),
        Space::Tuple(spaces) => children(spaces, of),
        Space::Union(spaces) => {
            if spaces.is_empty() {
                return Err(of.error("the space has no value", "[]", "at least one space"));
            }
            children(spaces, of)
        }
        Space::Sequence { space, max } => {
            at_most(*max, "max")?;
            validate(space, &Place::Key(of, "space"))
        }
        Space::MultiUnion { spaces, max } => {
            at_most(*max, "max")?;
            children(spaces, &Place::Key(of, "spaces"))
        }
    }
}

fn validate_bounds(low: &[f64], high: &[f64], shape: &[usize], dtype: Dtype, of: &Place<'_>) -> Result<(), SpaceError> {
    let (all, last) = (entries(shape), shape.last().copied().unwrap_or(1));
    for (key, values) in [("low", low), ("high", high)] {
        let place = &Place::Key(of, key);
        if values.is_empty() || ![1, last, all].contains(&values.len()) {
            let mut lengths = vec![1, last.max(1), all.max(1)];
            lengths.dedup();
            let lengths = lengths.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
            let expected = format!("{lengths} values for the shape {shape:?}");
            return Err(place.error("the bounds do not fit the shape", format!("{} values", values.len()), expected));
        }
        for (i, value) in values.iter().enumerate() {
            let place = &Place::Index(place, i);
            let (least, most, words) = match dtype {
                Dtype::Uint8 => (0.0, 255.0, "an integer from 0 to 255"),
                Dtype::Int32 => (f64::from(i32::MIN), f64::from(i32::MAX), "a 32-bit integer"),
                // A box whose lowest value is ∞ contains nothing.
                Dtype::Float32 if key == "low" => (f64::NEG_INFINITY, f64::MAX, "a number, or -inf"),
                Dtype::Float32 => (f64::MIN, f64::INFINITY, "a number, or inf"),
            };
            let whole = dtype == Dtype::Float32 || value.fract() == 0.0;
            if !(least..=most).contains(value) || !whole {
                return Err(place.error("the bound does not fit the dtype", value, words));
            }
        }
    }
    let period = low.len().max(high.len());
    match (0..period).find(|i| bound(low, *i) > bound(high, *i)) {
        Some(i) => {
            let low_place = &Place::Key(of, "low");
            let expected = format!("at most the highest value, {}", bound(high, i));
            Err(Place::Index(low_place, i % low.len()).error(
                "the lowest value is above the highest",
                bound(low, i),
                expected,
            ))
        }
        None => Ok(()),
    }
}

const FORM: &str = "this is not a valid space";
const TYPES: [&str; 10] =
    ["Box", "Discrete", "MultiDiscrete", "MultiBinary", "Text", "Dict", "Tuple", "Sequence", "Union", "MultiUnion"];

fn read(json: &Json, place: &Place<'_>) -> Result<Space, SpaceError> {
    let object = keys(json, &["type", "of"], &[], place)?;
    let of = &Place::Key(place, "of");
    let content = &object["of"];
    let name = object["type"].as_str().unwrap_or_default();
    Ok(match name {
        "Box" => {
            let fields = keys(content, &["low", "high", "shape", "dtype"], &[], of)?;
            let word = &fields["dtype"];
            let dtypes = [Dtype::Uint8, Dtype::Int32, Dtype::Float32];
            let dtype = dtypes.into_iter().find(|dtype| serde_json::to_value(dtype).is_ok_and(|name| name == *word));
            Space::Box {
                low: list(&fields["low"], &Place::Key(of, "low"), read_bound)?,
                high: list(&fields["high"], &Place::Key(of, "high"), read_bound)?,
                shape: list(&fields["shape"], &Place::Key(of, "shape"), count)?,
                dtype: dtype
                    .ok_or_else(|| Place::Key(of, "dtype").error("unknown dtype", word, "uint8, int32 or float32"))?,
            }
        }
        "Discrete" => Space::Discrete { n: count(&keys(content, &["n"], &[], of)?["n"], &Place::Key(of, "n"))? },
        "MultiDiscrete" => {
            let fields = keys(content, &["nvec"], &[], of)?;
            Space::MultiDiscrete { nvec: list(&fields["nvec"], &Place::Key(of, "nvec"), count)? }
        }
        "MultiBinary" => {
            let fields = keys(content, &["shape"], &[], of)?;
            Space::MultiBinary { shape: list(&fields["shape"], &Place::Key(of, "shape"), count)? }
        }
        "Text" => {
            let fields = keys(content, &["max_length"], &["min_length", "charset"], of)?;
            let min_length = fields.get("min_length").map(|least| count(least, &Place::Key(of, "min_length")));
            let charset = match fields.get("charset") {
                None => ALPHANUMERIC,
                Some(Json::String(charset)) => charset,
                Some(other) => return Err(Place::Key(of, "charset").error(FORM, other, "a string")),
            };
            Space::Text {
                min_length: min_length.transpose()?.unwrap_or(0),
                max_length: count(&fields["max_length"], &Place::Key(of, "max_length"))?,
                charset: charset.to_owned(),
            }
        }
        "Dict" => Space::Dict(list(content, of, |item, place| match item.as_array().map(Vec::as_slice) {
            Some([Json::String(key), space]) => Ok((key.clone(), read(space, &Place::Index(place, 1))?)),
            _ => Err(place.error(FORM, item, "a pair [key, space]")),
        })?),
        "Tuple" => Space::Tuple(list(content, of, read)?),
        "Union" => Space::Union(list(content, of, read)?),
        "Sequence" => {
            let fields = keys(content, &["space", "max"], &[], of)?;
            let space = Box::new(read(&fields["space"], &Place::Key(of, "space"))?);
            Space::Sequence { space, max: count(&fields["max"], &Place::Key(of, "max"))? }
        }
        "MultiUnion" => {
            let fields = keys(content, &["spaces", "max"], &[], of)?;
            let spaces = list(&fields["spaces"], &Place::Key(of, "spaces"), read)?;
            Space::MultiUnion { spaces, max: count(&fields["max"], &Place::Key(of, "max"))? }
        }
        _ => {
            let error = Place::Key(place, "type").error("unknown type of space", &object["type"], "");
            return Err(error.map(|problem| problem.among(name, TYPES)));
        }
    })
}

/// Reads an object that has all required keys, possibly some keys from `optional`, and no other keys.
fn keys<'j>(
    json: &'j Json,
    needed: &[&str],
    optional: &[&str],
    place: &Place<'_>,
) -> Result<&'j Map<String, Json>, SpaceError> {
    let expected = || format!("an object with {}", needed.join(", "));
    let object = json.as_object().ok_or_else(|| place.error(FORM, json, expected()))?;
    if let Some(key) = needed.iter().find(|key| !object.contains_key(**key)) {
        return Err(place.error(&format!("the key `{key}` is missing"), json, expected()));
    }
    let known = || needed.iter().chain(optional).copied();
    if let Some((key, item)) = object.iter().find(|(key, _)| !known().any(|other| other == key.as_str())) {
        let error = Place::Key(place, key).error(&format!("unknown key `{key}`"), item, "");
        return Err(error.map(|problem| problem.among(key, known())));
    }
    Ok(object)
}

fn list<T>(
    json: &Json,
    place: &Place<'_>,
    item: impl Fn(&Json, &Place<'_>) -> Result<T, SpaceError>,
) -> Result<Vec<T>, SpaceError> {
    let items = json.as_array().ok_or_else(|| place.error(FORM, json, "an array"))?;
    items.iter().enumerate().map(|(i, json)| item(json, &Place::Index(place, i))).collect()
}

fn count(json: &Json, place: &Place<'_>) -> Result<usize, SpaceError> {
    let found = json.as_u64().and_then(|n| usize::try_from(n).ok());
    found.ok_or_else(|| place.error("this is not a valid count", json, "an integer of 0 or more"))
}

fn read_bound(json: &Json, place: &Place<'_>) -> Result<f64, SpaceError> {
    match json.as_str() {
        Some("inf") => Ok(f64::INFINITY),
        Some("-inf") => Ok(f64::NEG_INFINITY),
        _ => {
            json.as_f64().ok_or_else(|| place.error("this is not a valid bound", json, "a number, \"inf\" or \"-inf\""))
        }
    }
}
