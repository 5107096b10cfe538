//! Completions at the cursor in an edited game, based on the schema for game files.

use std::sync::LazyLock;

use farm_core::config::MAX_DEPTH;
use farm_core::inspect::first_sentence;
use serde::Serialize;
use serde_json::Value as Json;

/// The maximum number of completions.
const MAX_OFFERED: usize = 200;

/// The schema for game files, which `farm schema` prints.
static SCHEMA: LazyLock<Json> = LazyLock::new(|| {
    farm_games::schema::all().into_iter().next().map(|file| file.schema().clone()).unwrap_or_default()
});

/// The completions at the cursor.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Completion {
    /// The start of the word to complete, in UTF-16 code units.
    from: usize,
    options: Vec<Offer>,
}

/// A completion.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Offer {
    label: String,
    /// The text to insert.
    apply: String,
    /// Its meaning, in a sentence.
    info: String,
}

/// A step from a value to another value inside it.
#[derive(Debug, Clone, PartialEq)]
enum Segment {
    Key(String),
    Item,
}

/// A cursor's location in YAML text: its path, and whether a key or a value is expected.
#[derive(Debug, PartialEq)]
struct Place {
    path: Vec<Segment>,
    is_value: bool,
}

/// Finds the completions at a cursor. `at` is the cursor's offset in UTF-16 code units.
pub(super) fn complete(text: &str, at: usize) -> Completion {
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        let is_there = units >= at;
        units += c.len_utf16();
        is_there
    });
    let before = &text[..end.map_or(text.len(), |(byte, _)| byte)];
    let is_word = |c: char| c.is_alphanumeric() || "_#.°%^*-".contains(c);
    let begun = before.trim_end_matches(is_word);
    let written = before[begun.len()..].trim_start_matches("- ");
    let from = at.min(before.encode_utf16().count()) - written.encode_utf16().count();
    // No game is nested this deeply, so there are no completions.
    let Some(place) = place(&before[..before.len() - written.len()]) else {
        return Completion { from, options: Vec::new() };
    };
    let found = place.path.iter().fold(expanded(vec![&SCHEMA]), |schemas, segment| within(&schemas, segment));
    let mut options = if place.is_value { values(&found) } else { keys(&found) };
    // A list item may be a word or the only key of a mapping.
    if !place.is_value && place.path.last() == Some(&Segment::Item) {
        options.extend(values(&found));
    }
    let wanted = written.to_lowercase();
    options.retain(|offer| offer.label.to_lowercase().contains(&wanted));
    options.truncate(MAX_OFFERED);
    Completion { from, options }
}

/// The location at the end of `text`. `None` if it is nested more deeply than a game file may be; this limits the work.
fn place(text: &str) -> Option<Place> {
    let mut open: Vec<(usize, Segment)> = Vec::new();
    let mut scalar: Option<usize> = None;
    let lines: Vec<&str> = text.split('\n').collect();
    let (last, lines) = lines.split_last().unwrap_or((&"", &[]));
    for line in lines {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        if scalar.is_some_and(|of| indent > of) {
            continue;
        }
        scalar = None;
        let (_, rest) = enter(&mut open, line)?;
        if let Some((key, value)) = key_of(rest) {
            let column = line.len() - rest.len();
            open.push((column, Segment::Key(key.to_owned())));
            if value.trim_start().starts_with(['|', '>']) {
                scalar = Some(indent);
            }
        }
    }
    let (_, rest) = enter(&mut open, last)?;
    let mut path: Vec<Segment> = open.into_iter().map(|(_, segment)| segment).collect();
    let rest = match key_of(rest) {
        Some((key, value)) => {
            path.push(Segment::Key(key.to_owned()));
            value
        }
        None if rest.trim_start().starts_with(['{', '[']) => rest,
        None => return Some(Place { path, is_value: false }),
    };
    flow(path, rest)
}

/// Reads a line's indentation and dashes: closes finished values and opens list items. Returns the rest of the line with its column, or
/// `None` if too many values are open. Open values are sorted by column.
fn enter<'l>(open: &mut Vec<(usize, Segment)>, line: &'l str) -> Option<(usize, &'l str)> {
    let mut rest = line.trim_start_matches(' ');
    let mut column = line.len() - rest.len();
    while rest == "-" || rest.starts_with("- ") {
        // A list may start in the column of its key.
        while open.pop_if(|(of, segment)| *of > column || (*of == column && *segment == Segment::Item)).is_some() {}
        open.push((column, Segment::Item));
        if open.len() > MAX_DEPTH {
            return None;
        }
        let behind = rest[1..].trim_start_matches(' ');
        column += rest.len() - behind.len();
        rest = behind;
    }
    let is_item =
        open.last().is_some_and(|(_, segment)| *segment == Segment::Item) && line.trim_start().starts_with('-');
    if !is_item {
        while open.pop_if(|(of, _)| *of >= column).is_some() {}
    }
    (open.len() <= MAX_DEPTH).then_some((column, rest))
}

/// Splits a line that starts with a key into the key and the rest.
fn key_of(line: &str) -> Option<(&str, &str)> {
    if line.starts_with(['{', '[', '#']) {
        return None;
    }
    let (key, value) = line.split_once(':')?;
    if !(value.is_empty() || value.starts_with(' ')) {
        return None;
    }
    Some((key.trim().trim_matches(['"', '\'']), value))
}

/// The location inside mappings and lists in braces and brackets; `None` if too many are open.
fn flow(mut path: Vec<Segment>, text: &str) -> Option<Place> {
    // Each open brace or bracket with the length of the path there; its content is below that path.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut is_value = true;
    let mut word = String::new();
    for c in text.chars() {
        match c {
            '{' | '[' => {
                open.push((c == '{', path.len()));
                if open.len() > MAX_DEPTH {
                    return None;
                }
                if c == '[' {
                    path.push(Segment::Item);
                }
                is_value = c == '[';
                word.clear();
            }
            '}' | ']' => {
                if let Some((_, length)) = open.pop() {
                    path.truncate(length);
                    is_value = true;
                }
                word.clear();
            }
            ',' => {
                if let Some((is_map, length)) = open.last() {
                    path.truncate(*length);
                    if !is_map {
                        path.push(Segment::Item);
                    }
                    is_value = !is_map;
                }
                word.clear();
            }
            ':' if open.last().is_some_and(|(is_map, _)| *is_map) && !is_value => {
                path.push(Segment::Key(word.trim().trim_matches(['"', '\'']).to_owned()));
                is_value = true;
                word.clear();
            }
            c => word.push(c),
        }
    }
    Some(Place { path, is_value })
}

/// Schemas with all their references and alternatives expanded.
fn expanded(schemas: Vec<&Json>) -> Vec<&Json> {
    let mut all: Vec<&Json> = Vec::new();
    let mut open = schemas;
    open.reverse();
    // A recursive schema is included once.
    while let Some(schema) = open.pop() {
        if all.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        all.push(schema);
        let named = schema.get("$ref").and_then(Json::as_str).and_then(|name| name.strip_prefix("#/$defs/"));
        open.extend(named.and_then(|name| SCHEMA.get("$defs")?.get(name)));
        for choice in ["anyOf", "oneOf", "allOf"] {
            open.extend(schema.get(choice).and_then(Json::as_array).into_iter().flatten().rev());
        }
    }
    all
}

/// The schemas of the values at a key or in a list.
fn within<'s>(schemas: &[&'s Json], segment: &Segment) -> Vec<&'s Json> {
    let inner = |schema: &'s Json| -> Option<&'s Json> {
        match segment {
            Segment::Key(key) => {
                let own = schema.get("properties").and_then(|properties| properties.get(key));
                own.or_else(|| schema.get("additionalProperties").filter(|any| any.is_object()))
            }
            Segment::Item => schema.get("items").filter(|items| items.is_object()),
        }
    };
    expanded(schemas.iter().filter_map(|schema| inner(schema)).collect())
}

/// The keys in the schemas.
fn keys(schemas: &[&Json]) -> Vec<Offer> {
    let properties = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object());
    let mut offers: Vec<Offer> = Vec::new();
    for (key, schema) in properties.flatten() {
        if offers.iter().any(|offer| offer.label == *key) {
            continue;
        }
        let inner = expanded(vec![schema]);
        let is_block = inner.iter().any(|schema| {
            let kinds = schema.get("type").map(ToString::to_string).unwrap_or_default();
            kinds.contains("object") || kinds.contains("array")
        });
        let info = inner.iter().find_map(|schema| schema.get("description")?.as_str()).unwrap_or_default();
        offers.push(Offer {
            label: key.clone(),
            apply: format!("{key}:{}", if is_block { "" } else { " " }),
            info: first_sentence(info).to_owned(),
        });
    }
    offers
}

/// The values that the schemas list.
fn values(schemas: &[&Json]) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for schema in schemas {
        let listed = schema.get("enum").and_then(Json::as_array).into_iter().flatten();
        let default = schema.get("default").filter(|default| !default.is_object() && !default.is_array());
        let kinds = schema.get("type").map(ToString::to_string).unwrap_or_default();
        let flags = [Json::Bool(true), Json::Bool(false)];
        let flags = flags.iter().filter(|_| kinds.contains("boolean"));
        let info = schema.get("description").and_then(Json::as_str).unwrap_or_default();
        for value in listed.chain(schema.get("const")).chain(default).chain(flags) {
            let label = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if !value.is_null() && offers.iter().all(|offer| offer.label != label) {
                offers.push(Offer { apply: label.clone(), label, info: first_sentence(info).to_owned() });
            }
        }
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        let at = text.find('|').expect("a cursor");
        let units = text[..at].encode_utf16().count();
        complete(&text.replacen('|', "", 1), units).options.into_iter().map(|offer| offer.label).collect()
    }

    #[test]
    fn keys_are_offered_where_they_may_stand() {
        let top = labels("na|");
        assert!(top.contains(&"name".to_owned()), "{top:?}");
        assert!(!top.contains(&"fields".to_owned()), "only what has been begun: {top:?}");
        let field = labels("name: x\nfields:\n  Field-0:\n    |");
        assert_eq!(field, ["localization", "shape", "entity_defaults", "uses", "entities"]);
        let entities = labels("fields:\n  Field-0:\n    entities:\n      - |");
        assert!(entities.contains(&"Weather".to_owned()) && entities.contains(&"Soil".to_owned()), "{entities:?}");
        let same_column = labels("fields:\n  Field-0:\n    entities:\n    - Weather: lille\n    - So|");
        assert!(same_column.contains(&"Soil".to_owned()), "{same_column:?}");
    }

    #[test]
    fn parameters_of_a_kind_are_offered_in_blocks_and_in_braces() {
        let block = labels("fields:\n  Field-0:\n    entities:\n      - Soil:\n          depth|");
        let braces = labels("fields:\n  Field-0:\n    entities:\n      - Soil: {set: clay, depth|}");
        assert!(block.iter().any(|label| label.starts_with("depth")), "{block:?}");
        assert_eq!(block, braces);
    }

    #[test]
    fn values_are_offered_behind_a_key() {
        let modes = labels("interaction_mode: |");
        assert!(modes.contains(&"aomdp".to_owned()), "{modes:?}");
        let again = labels("fields:\n  Field-0:\n    entities:\n      - Soil: {equations: |");
        assert!(again.contains(&"agronomic".to_owned()), "{again:?}");
    }

    #[test]
    fn what_stands_in_a_text_block_is_no_key() {
        let place = place("doc: |\n  fields:\n    a: b\nrules:\n  ");
        assert_eq!(place, Some(Place { path: vec![Segment::Key("rules".to_owned())], is_value: false }));
    }

    #[test]
    fn what_is_closed_in_braces_is_left() {
        let fields = "fields: {Field-0: {shape: {length: 1}, entities: [{Soil: {set: clay}}, {Soil: {";
        let key = |key: &str| Segment::Key(key.to_owned());
        let path = vec![key("fields"), key("Field-0"), key("entities"), Segment::Item, key("Soil")];
        assert_eq!(place(fields), Some(Place { path, is_value: false }));
    }

    #[test]
    fn a_text_that_nests_too_deeply_is_answered_at_once() {
        let start = std::time::Instant::now();
        let rising: String = (0..1200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let deep = ["[".repeat(500_000), "{a:".repeat(300_000), "- ".repeat(300_000), rising];
        for text in deep.iter().flat_map(|text| [text.clone(), format!("name: x\nfields: {text}")]) {
            assert!(complete(&text, text.len()).options.is_empty(), "{}", &text[..20]);
        }
        let flat = "- [a, {b: c}]\n".repeat(50_000);
        complete(&flat, flat.len());
        // Seconds where each bracket copies what is open.
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        let shallow = format!("{}|", "- ".repeat(MAX_DEPTH));
        assert!(place(&shallow).is_some());
    }

    #[test]
    fn a_text_is_counted_as_browsers_do() {
        let text = "doc: \"🌱°\"\nna";
        let completion = complete(text, text.encode_utf16().count());
        assert_eq!(completion.from, text.encode_utf16().count() - 2);
        assert!(complete("", 99).from == 0 && !complete("x", 99).options.iter().any(|offer| offer.label.is_empty()));
    }
}
