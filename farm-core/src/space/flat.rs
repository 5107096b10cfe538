//! Converts values to fixed-length vectors of numbers and back, for learners with plain networks.
//!
//! | space | numbers |
//! |---|---|
//! | `Box`, `MultiBinary` | the numbers, row by row |
//! | `Discrete` | n numbers, one of them 1 (one-hot), as in Gymnasium |
//! | `MultiDiscrete` | the one-hots of its entries in order |
//! | `Text` | the index of each character in the charset; the charset's length for missing characters, as in Gymnasium |
//! | `Dict`, `Tuple` | the numbers of their spaces in order (Gymnasium sorts the keys of a `Dict`; here their order is fixed) |
//! | `Union` | the one-hot of the index, then the value, padded with zeros to the length of the longest space |
//! | `Sequence`, `MultiUnion` | `max` slots: 1 and a value (from the space or the union), then zeros for each missing value |
//!
//! Gymnasium's `OneOf` uses the index itself instead of a one-hot encoding. This implies an order of the spaces that has no meaning.
//! `OneOf` also pads with the value's first number. Gymnasium's `Sequence` has no flat form with a fixed length.
//!
//! A vector belongs to at most one value. Padding must have the values above, so reading and writing are inverses of each other. The same
//! code checks values and writes them, so checking and writing always agree.

use std::fmt::Display;

use serde_json::{Value as Json, json};

use super::error::{Place, SpaceError};
use super::{Dtype, Space, bound, same};

/// The number of entries in an array of this shape.
pub(super) fn entries(shape: &[usize]) -> usize {
    shape.iter().fold(1, |product: usize, n| product.saturating_mul(*n))
}

impl Space {
    /// The length of the flat vector.
    pub fn flat_size(&self) -> usize {
        let sum = |sizes: &mut dyn Iterator<Item = usize>| sizes.fold(0, usize::saturating_add);
        match self {
            Self::Box { shape, .. } | Self::MultiBinary { shape } => entries(shape),
            Self::Discrete { n } => *n,
            Self::MultiDiscrete { nvec } => sum(&mut nvec.iter().copied()),
            Self::Text { max_length, .. } => *max_length,
            Self::Dict(entries) => sum(&mut entries.iter().map(|(_, space)| space.flat_size())),
            Self::Tuple(spaces) => sum(&mut spaces.iter().map(Self::flat_size)),
            Self::Sequence { space, max } => space.flat_size().saturating_add(1).saturating_mul(*max),
            Self::Union(spaces) => spaces.len().saturating_add(widest(spaces)),
            Self::MultiUnion { spaces, max } => {
                spaces.len().saturating_add(widest(spaces)).saturating_add(1).saturating_mul(*max)
            }
        }
    }

    /// Checks whether a value belongs to the space.
    ///
    /// # Errors
    /// The first location that does not fit the space, and what was expected there.
    pub fn check(&self, value: &Json) -> Result<(), SpaceError> {
        self.write(value, &Place::Root, &mut Sink(None))
    }

    /// The value as a vector of [`Space::flat_size`] numbers.
    ///
    /// # Errors
    /// The value does not belong to the space. The error is the same as from [`Space::check`].
    pub fn flatten(&self, value: &Json) -> Result<Vec<f64>, SpaceError> {
        // The capacity is limited, because an untrusted description may define a larger space than its values need.
        let mut numbers = Vec::with_capacity(self.flat_size().min(1 << 16));
        self.write(value, &Place::Root, &mut Sink(Some(&mut numbers)))?;
        Ok(numbers)
    }

    /// The value that a flat vector represents. Indices and integers are returned as integers, reals as reals.
    ///
    /// # Errors
    /// The vector has the wrong length, or a number does not fit the space. The error reports the number's index in the vector (from 0),
    /// its location in the value, and what was expected.
    pub fn unflatten(&self, numbers: &[f64]) -> Result<Json, SpaceError> {
        let size = self.flat_size();
        if numbers.len() != size {
            let found = format!("{} numbers", numbers.len());
            return Err(Place::Root.error("the flat vector has the wrong length", found, format!("{size} numbers")));
        }
        self.read(&mut FlatReader { numbers, at: 0 }, &Place::Root)
    }

    fn write(&self, value: &Json, place: &Place<'_>, sink: &mut Sink<'_>) -> Result<(), SpaceError> {
        match self {
            Self::Box { low, high, shape, dtype } => {
                let mut index = 0;
                nested(value, shape, place, &mut |item, place| {
                    let (low, high) = (bound(low, index), bound(high, index));
                    index += 1;
                    let number = item.as_f64().filter(|number| in_box(*number, low, high, *dtype));
                    sink.put(number.ok_or_else(|| place.error(MISFIT, item, range_words(low, high, *dtype)))?);
                    Ok(())
                })
            }
            Self::Discrete { n } => {
                sink.one_hot(index_below(value, *n, place)?, *n);
                Ok(())
            }
            Self::MultiDiscrete { nvec } => {
                let items = array(value, nvec.len(), nvec.len(), place)?;
                for (i, (item, n)) in items.iter().zip(nvec).enumerate() {
                    sink.one_hot(index_below(item, *n, &Place::Index(place, i))?, *n);
                }
                Ok(())
            }
            Self::MultiBinary { shape } => nested(value, shape, place, &mut |item, place| {
                let number = item.as_f64().filter(|number| *number == 0.0 || *number == 1.0);
                sink.put(number.ok_or_else(|| place.error(MISFIT, item, "0 or 1"))?);
                Ok(())
            }),
            Self::Text { min_length, max_length, charset } => {
                let lengths = || format!("a string of {} characters", between(*min_length, *max_length));
                let text = value.as_str().ok_or_else(|| place.error(MISFIT, value, lengths()))?;
                let length = text.chars().count();
                if !(*min_length..=*max_length).contains(&length) {
                    return Err(place.error("the string has the wrong length", format!("{length}: {text}"), lengths()));
                }
                for character in text.chars() {
                    let index = charset.chars().position(|other| other == character).ok_or_else(|| {
                        let message = "the string has a character that is not in the charset";
                        place.error(message, format!("{character:?}"), format!("only characters of {charset:?}"))
                    })?;
                    sink.put(index as f64);
                }
                sink.fill(charset.chars().count() as f64, max_length - length);
                Ok(())
            }
            Self::Dict(entries) => {
                let keys = || entries.iter().map(|(key, _)| key.as_str());
                let listed = || format!("an object with {}", keys().collect::<Vec<_>>().join(", "));
                let object = value.as_object().ok_or_else(|| place.error(MISFIT, value, listed()))?;
                if let Some((key, item)) = object.iter().find(|(key, _)| !keys().any(|known| known == key.as_str())) {
                    let error = Place::Key(place, key).error(&format!("unknown key `{key}`"), item, listed());
                    return Err(error.map(|problem| problem.among(key, keys())));
                }
                for (key, space) in entries {
                    let missing = || place.error(&format!("the key `{key}` is missing"), value, space.to_string());
                    space.write(object.get(key).ok_or_else(missing)?, &Place::Key(place, key), sink)?;
                }
                Ok(())
            }
            Self::Tuple(spaces) => {
                let items = array(value, spaces.len(), spaces.len(), place)?;
                for (i, (item, space)) in items.iter().zip(spaces).enumerate() {
                    space.write(item, &Place::Index(place, i), sink)?;
                }
                Ok(())
            }
            Self::Sequence { space, max } => {
                let items = array(value, 0, *max, place)?;
                for (i, item) in items.iter().enumerate() {
                    sink.put(1.0);
                    space.write(item, &Place::Index(place, i), sink)?;
                }
                sink.fill(0.0, (max - items.len()).saturating_mul(space.flat_size().saturating_add(1)));
                Ok(())
            }
            Self::Union(spaces) => write_option(spaces, value, place, sink),
            Self::MultiUnion { spaces, max } => {
                let items = array(value, 0, *max, place)?;
                for (i, item) in items.iter().enumerate() {
                    let place = Place::Index(place, i);
                    sink.put(1.0);
                    write_option(spaces, item, &place, sink)?;
                    if let Some(first) = items[..i].iter().position(|other| same(other, item)) {
                        let expected = format!("a value that is not in the list yet; this one is, at [{first}]");
                        return Err(place.error("the value is in the set twice", item, expected));
                    }
                }
                let slot = spaces.len().saturating_add(widest(spaces)).saturating_add(1);
                sink.fill(0.0, (max - items.len()).saturating_mul(slot));
                Ok(())
            }
        }
    }

    fn read(&self, source: &mut FlatReader<'_>, place: &Place<'_>) -> Result<Json, SpaceError> {
        match self {
            Self::Box { low, high, shape, dtype } => {
                let mut index = 0;
                source.array(shape, place, &mut |source, place| {
                    let (low, high) = (bound(low, index), bound(high, index));
                    index += 1;
                    let fits = |number| in_box(number, low, high, *dtype);
                    let number = source.next(place, fits, || range_words(low, high, *dtype))?;
                    Ok(if *dtype == Dtype::Float32 { json!(number) } else { json!(number as i64) })
                })
            }
            Self::Discrete { n } => Ok(json!(source.one_hot(*n, place)?)),
            Self::MultiDiscrete { nvec } => {
                let entry = |(i, n): (usize, &usize)| Ok(json!(source.one_hot(*n, &Place::Index(place, i))?));
                nvec.iter().enumerate().map(entry).collect()
            }
            Self::MultiBinary { shape } => {
                source.array(shape, place, &mut |source, place| Ok(json!(u8::from(source.flag(place)?))))
            }
            Self::Text { min_length, max_length, charset } => {
                let characters: Vec<char> = charset.chars().collect();
                let mut text = String::new();
                let mut length = 0;
                for i in 0..*max_length {
                    // After the end of the text there is only padding, and before the minimum length there is no padding.
                    let least = if i > length { characters.len() } else { 0 };
                    let most = if i < *min_length { characters.len().saturating_sub(1) } else { characters.len() };
                    let fits = |number: f64| number.fract() == 0.0 && (least as f64..=most as f64).contains(&number);
                    let expected = || match (i > length, i < *min_length) {
                        (true, _) => format!("{most}, because the text has ended"),
                        (_, true) => format!("an index from 0 to {most}"),
                        _ => format!("an index from 0 to {most}, which is the end of the text"),
                    };
                    if let Some(character) = characters.get(source.next(place, fits, expected)? as usize) {
                        text.push(*character);
                        length += 1;
                    }
                }
                Ok(json!(text))
            }
            Self::Dict(entries) => {
                let entry =
                    |(key, space): &(String, Self)| Ok((key.clone(), space.read(source, &Place::Key(place, key))?));
                entries.iter().map(entry).collect::<Result<_, _>>().map(Json::Object)
            }
            Self::Tuple(spaces) => {
                spaces.iter().enumerate().map(|(i, space)| space.read(source, &Place::Index(place, i))).collect()
            }
            Self::Sequence { space, max } => {
                source.slots(*max, space.flat_size(), place, |source, place, _| space.read(source, place))
            }
            Self::Union(spaces) => read_option(spaces, source, place),
            Self::MultiUnion { spaces, max } => {
                let size = spaces.len().saturating_add(widest(spaces));
                source.slots(*max, size, place, |source, place, before| {
                    let value = read_option(spaces, source, place)?;
                    if before.iter().any(|other| same(other, &value)) {
                        return Err(place.error(
                            "the value is in the set twice",
                            value,
                            "a value that is not in the list yet",
                        ));
                    }
                    Ok(value)
                })
            }
        }
    }
}

const MISFIT: &str = "the value does not belong to its space";

/// The length of the longest flat vector among several spaces.
fn widest(spaces: &[Space]) -> usize {
    spaces.iter().map(Space::flat_size).max().unwrap_or(0)
}

fn in_box(number: f64, low: f64, high: f64, dtype: Dtype) -> bool {
    number.is_finite() && (low..=high).contains(&number) && (dtype == Dtype::Float32 || number.fract() == 0.0)
}

fn range_words(low: f64, high: f64, dtype: Dtype) -> String {
    let numbers = if dtype == Dtype::Float32 { "a finite number" } else { "an integer" };
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{numbers} from {low} to {high}"),
        (true, false) => format!("{numbers} of {low} or more"),
        (false, true) => format!("{numbers} of {high} or less"),
        (false, false) => numbers.to_owned(),
    }
}

fn between(least: usize, most: usize) -> String {
    match least {
        _ if least == most => most.to_string(),
        0 => format!("at most {most}"),
        _ => format!("{least} to {most}"),
    }
}

fn array<'v>(value: &'v Json, least: usize, most: usize, place: &Place<'_>) -> Result<&'v [Json], SpaceError> {
    let expected = || format!("an array of {} values", between(least, most));
    let items = value.as_array().ok_or_else(|| place.error(MISFIT, value, expected()))?;
    if !(least..=most).contains(&items.len()) {
        return Err(place.error("the array has the wrong length", format!("{} values", items.len()), expected()));
    }
    Ok(items)
}

fn index_below(value: &Json, n: usize, place: &Place<'_>) -> Result<usize, SpaceError> {
    let index = value.as_u64().and_then(|index| usize::try_from(index).ok()).filter(|index| *index < n);
    index.ok_or_else(|| place.error(MISFIT, value, index_words(n)))
}

fn index_words(n: usize) -> String {
    match n {
        0 => "nothing: the space has no value".to_owned(),
        1 => "0".to_owned(),
        n => format!("an integer from 0 to {}", n - 1),
    }
}

/// Visits the numbers in a nested array of this shape.
fn nested(
    value: &Json,
    shape: &[usize],
    place: &Place<'_>,
    visit: &mut dyn FnMut(&Json, &Place<'_>) -> Result<(), SpaceError>,
) -> Result<(), SpaceError> {
    let [n, rest @ ..] = shape else { return visit(value, place) };
    let items = array(value, *n, *n, place)?;
    items.iter().enumerate().try_for_each(|(i, item)| nested(item, rest, &Place::Index(place, i), visit))
}

/// Writes `[index, value]`.
fn write_option(spaces: &[Space], value: &Json, place: &Place<'_>, sink: &mut Sink<'_>) -> Result<(), SpaceError> {
    let Some([index, value]) = value.as_array().map(Vec::as_slice) else {
        return Err(place.error(MISFIT, value, "a pair [index, value]"));
    };
    let index = index_below(index, spaces.len(), &Place::Index(place, 0))?;
    let space = &spaces[index];
    sink.one_hot(index, spaces.len());
    space.write(value, &Place::Index(place, 1), sink)?;
    sink.fill(0.0, widest(spaces) - space.flat_size());
    Ok(())
}

/// Reads `[index, value]`.
fn read_option(spaces: &[Space], source: &mut FlatReader<'_>, place: &Place<'_>) -> Result<Json, SpaceError> {
    let index = source.one_hot(spaces.len(), &Place::Index(place, 0))?;
    let Some(space) = spaces.get(index) else { return Err(place.error(MISFIT, index, index_words(spaces.len()))) };
    let place = Place::Index(place, 1);
    let value = space.read(source, &place)?;
    source.zeros(widest(spaces) - space.flat_size(), &place)?;
    Ok(json!([index, value]))
}

/// The vector to which numbers are written, if there is one.
struct Sink<'v>(Option<&'v mut Vec<f64>>);

impl Sink<'_> {
    fn put(&mut self, number: f64) {
        if let Some(numbers) = &mut self.0 {
            numbers.push(number);
        }
    }

    fn fill(&mut self, number: f64, count: usize) {
        if let Some(numbers) = &mut self.0 {
            numbers.extend(std::iter::repeat_n(number, count));
        }
    }

    fn one_hot(&mut self, index: usize, n: usize) {
        if let Some(numbers) = &mut self.0 {
            numbers.extend((0..n).map(|i| f64::from(u8::from(i == index))));
        }
    }
}

/// The vector from which numbers are read. Its length has already been checked.
struct FlatReader<'v> {
    numbers: &'v [f64],
    at: usize,
}

impl FlatReader<'_> {
    fn error(&self, at: usize, place: &Place<'_>, found: impl Display, expected: String) -> SpaceError {
        place.error(&format!("number {at} of the flat vector does not fit"), found, expected)
    }

    fn next(
        &mut self,
        place: &Place<'_>,
        fits: impl Fn(f64) -> bool,
        expected: impl Fn() -> String,
    ) -> Result<f64, SpaceError> {
        let number = self.numbers.get(self.at).copied().unwrap_or(f64::NAN);
        self.at += 1;
        if fits(number) { Ok(number) } else { Err(self.error(self.at - 1, place, number, expected())) }
    }

    fn flag(&mut self, place: &Place<'_>) -> Result<bool, SpaceError> {
        Ok(self.next(place, |number| number == 0.0 || number == 1.0, || "0 or 1".to_owned())? == 1.0)
    }

    fn one_hot(&mut self, n: usize, place: &Place<'_>) -> Result<usize, SpaceError> {
        let start = self.at;
        let mut found = None;
        for i in 0..n {
            let expected = || match found {
                Some(first) => format!("0, because number {} is already 1", start + first),
                None => format!("a single 1 among the {n} numbers from {start} on, and otherwise 0"),
            };
            let fits = |number: f64| number == 0.0 || number == 1.0 && found.is_none();
            if self.next(place, fits, expected)? == 1.0 {
                found = Some(i);
            }
        }
        found.ok_or_else(|| {
            let expected = format!("a single 1 among the {n} numbers from {start} on");
            self.error(start, place, "only zeros", expected)
        })
    }

    fn zeros(&mut self, count: usize, place: &Place<'_>) -> Result<(), SpaceError> {
        for _ in 0..count {
            self.next(place, |number| number == 0.0, || "0, because the value has ended".to_owned())?;
        }
        Ok(())
    }

    fn array(
        &mut self,
        shape: &[usize],
        place: &Place<'_>,
        read: &mut dyn FnMut(&mut Self, &Place<'_>) -> Result<Json, SpaceError>,
    ) -> Result<Json, SpaceError> {
        let [n, rest @ ..] = shape else { return read(self, place) };
        (0..*n).map(|i| self.array(rest, &Place::Index(place, i), read)).collect()
    }

    /// Slots of equal size, each preceded by a flag that shows whether it is filled. Filled slots come first.
    fn slots(
        &mut self,
        max: usize,
        size: usize,
        place: &Place<'_>,
        mut read: impl FnMut(&mut Self, &Place<'_>, &[Json]) -> Result<Json, SpaceError>,
    ) -> Result<Json, SpaceError> {
        let mut values: Vec<Json> = Vec::new();
        for i in 0..max {
            let place = Place::Index(place, i);
            let ended = values.len() < i;
            let expected = || if ended { "0, because the previous slot is empty" } else { "0 or 1" }.to_owned();
            if self.next(&place, |number| number == 0.0 || number == 1.0 && !ended, expected)? == 1.0 {
                values.push(read(self, &place, &values)?);
            } else {
                self.zeros(size, &place)?;
            }
        }
        Ok(Json::Array(values))
    }
}
