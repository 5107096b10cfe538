//! Other names for everything in a game: invented words, or the game's own words with exchanged meanings.
//!
//! A skin renames actions, stages, statuses, terrains, items and events in a game's YAML, and the same words in its texts. It also
//! renames moves, waiting and the observation's entries. It lists all of them in a random order, so that a place in a list has no meaning.
//! Invented skins also replace texts that describe what things are. Directions keep their names. If the rules are shown, action
//! descriptions from the engine's parts stay unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use farm_core::config::{Path, Problem, Problems, YamlError};
use farm_core::serde_yaml::{self, Mapping, Value};
use farm_core::{Stream, hash_name, mix};

use super::backwards::shuffled;
use super::name::read_seed;
use crate::{GameDocument, Options};

/// The names of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Skin {
    /// The names of the family.
    Plain,
    /// Invented words, drawn from a seed.
    Invented(u64),
    /// The family's words with exchanged meanings, drawn from a seed.
    Swapped(u64),
}

/// The names in a family, in lists by use. Names in the same list can be exchanged.
#[derive(Debug)]
pub(super) struct Names {
    /// Names that appear unchanged in the YAML.
    pub exact: &'static [&'static [&'static str]],
    /// Nouns in its texts, which also appear in the plural and capitalised.
    pub nouns: &'static [&'static [&'static str]],
    /// Entries of the observation. Only the entries are renamed; the variables in them keep their names.
    pub entries: &'static [&'static str],
    /// The goal in invented skins, which does not say what things are.
    pub goal: &'static str,
}

impl Display for Skin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain => f.write_str("plain"),
            Self::Invented(seed) => write!(f, "invented-{seed}"),
            Self::Swapped(seed) => write!(f, "swapped-{seed}"),
        }
    }
}

impl Skin {
    /// Parses the text after `skin=`.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "plain" {
            return Some(Self::Plain);
        }
        let (kind, seed) = text.split_once('-')?;
        let seed = read_seed(seed)?;
        match kind {
            "invented" => Some(Self::Invented(seed)),
            "swapped" => Some(Self::Swapped(seed)),
            _ => None,
        }
    }

    fn seed(self) -> u64 {
        match self {
            Self::Plain => 0,
            Self::Invented(seed) | Self::Swapped(seed) => seed,
        }
    }

    /// Renames everything in a game's YAML with these names, and returns the new YAML.
    ///
    /// # Errors
    /// The game has problems.
    pub(super) fn put_on(&self, yaml: String, names: &Names) -> Result<String, Problems> {
        let Words { dictionary, entries } = match self {
            Self::Plain => return Ok(yaml),
            Self::Invented(seed) => invented(names, *seed),
            Self::Swapped(seed) => swapped(names, *seed),
        };
        let game = GameDocument::parse("member.yaml", &yaml)?.open(&Options::default())?;
        let failed = |error: serde_yaml::Error| {
            Problems(vec![Problem::new(YamlError::NotYaml, Path::default(), error.to_string())])
        };
        // With every parameter, also those that the game leaves to their defaults.
        let mut value: Value = serde_yaml::from_str(&game.spec().to_yaml().map_err(failed)?).map_err(failed)?;
        if let Some(game) = value.as_mapping_mut() {
            // Presets change the game with its original names.
            game.shift_remove("presets");
            if matches!(self, Self::Invented(_)) {
                game.insert("goal".into(), names.goal.into());
            }
            for (key, value) in game.iter_mut() {
                match key.as_str() {
                    Some("name" | "doc") => {}
                    Some("goal" | "rules_text") => {
                        if let Value::String(text) = value {
                            *text = in_template(text, &dictionary);
                        }
                    }
                    _ => rename(value, false, &dictionary),
                }
            }
            for rule in game.get_mut("rules").and_then(Value::as_mapping_mut).into_iter().flat_map(Mapping::values_mut)
            {
                rename_keys(rule.get_mut("free_observations"), &entries);
            }
            reorder(game, &mut Stream::from_seed(mix(hash_name("orders of a skin"), self.seed())));
        }
        serde_yaml::to_string(&value).map_err(failed)
    }
}

/// The mappings whose keys are names in the game, not parameters.
const NAMED_ENTRIES: [&str; 8] =
    ["verbs", "verbs_in", "laws", "sprites", "prices#coin", "inventory#nb", "weights#point", "free_observations"];

/// Renames every string in a value that is a name.
fn rename(value: &mut Value, are_keys_names: bool, dictionary: &BTreeMap<String, String>) {
    match value {
        Value::String(text) => {
            if let Some(other) = dictionary.get(text) {
                *text = other.clone();
            }
        }
        Value::Sequence(items) => items.iter_mut().for_each(|item| rename(item, false, dictionary)),
        Value::Mapping(entries) => {
            let renamed = std::mem::take(entries).into_iter().map(|(mut key, mut value)| {
                let are_names = key.as_str().is_some_and(|key| NAMED_ENTRIES.contains(&key));
                rename(&mut value, are_names, dictionary);
                if are_keys_names {
                    rename(&mut key, false, dictionary);
                }
                (key, value)
            });
            *entries = renamed.collect::<Mapping>();
        }
        _ => {}
    }
}

/// Shuffles the lists that players read: actions, entries of the observation, items, terrains and statuses. Maps and rewards do not depend
/// on their order.
fn reorder(game: &mut Mapping, stream: &mut Stream) {
    fn parts(value: Option<&mut Value>) -> Vec<&mut Value> {
        match value {
            Some(Value::Sequence(parts)) => {
                parts.iter_mut().filter_map(Value::as_mapping_mut).flat_map(Mapping::values_mut).collect()
            }
            Some(Value::Mapping(parts)) => parts.values_mut().collect(),
            _ => Vec::new(),
        }
    }
    let Some(fields) = game.get_mut("fields").and_then(Value::as_mapping_mut) else { return };
    for field in fields.values_mut() {
        for map in parts(field.get_mut("entities")) {
            // Only the map has statuses; other lists of terrains are stages. The first terrain is the ground, and the first status that of a
            // tile without one.
            if map.get("statuses").is_some() {
                shuffle(map.get_mut("terrains"), 1, stream);
                shuffle(map.get_mut("statuses"), 1, stream);
            }
        }
    }
    for farmer in parts(game.get_mut("farmers")) {
        shuffle(farmer.get_mut("inventory#nb"), 0, stream);
    }
    for rule in parts(game.get_mut("rules")) {
        shuffle(rule.get_mut("actions"), 0, stream);
        shuffle(rule.get_mut("free_observations"), 0, stream);
    }
}

/// Shuffles a list or a mapping; its first entries keep their places.
fn shuffle(value: Option<&mut Value>, kept: usize, stream: &mut Stream) {
    match value {
        Some(Value::Sequence(items)) if items.len() > kept => {
            let others = shuffled(stream, &items[kept..]);
            items.truncate(kept);
            items.extend(others);
        }
        Some(Value::Mapping(entries)) => {
            let all: Vec<(Value, Value)> = std::mem::take(entries).into_iter().collect();
            *entries = shuffled(stream, &all).into_iter().collect();
        }
        _ => {}
    }
}

/// Renames the keys of a mapping that are names, but not its values.
fn rename_keys(value: Option<&mut Value>, dictionary: &BTreeMap<String, String>) {
    let Some(entries) = value.and_then(Value::as_mapping_mut) else { return };
    *entries = std::mem::take(entries)
        .into_iter()
        .map(|(mut key, value)| {
            rename(&mut key, false, dictionary);
            (key, value)
        })
        .collect();
}

/// The characters before the quoted name of a field or part that a template looks up.
const LOOK_UPS: [&str; 2] = ["[", "part("];
/// The characters before another quoted name that a template looks up: an event of the score.
const WEIGHT: &str = "weights[";

/// Renames the words that players see in a template: words outside tags, and quoted words in tags that name neither a field nor a part.
fn in_template(text: &str, dictionary: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut word, mut is_in_tag, mut is_quoted, mut is_look_up) = (String::new(), false, false, false);
    let mut before = ' ';
    for c in text.chars().chain(['\0']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            before = c;
            continue;
        }
        if !word.is_empty() {
            let other = dictionary.get(&word).filter(|_| !is_in_tag || is_quoted && !is_look_up);
            if let Some(other) = other {
                correct_article(&mut out, other);
            }
            out.push_str(other.unwrap_or(&word));
            word.clear();
        }
        match (before, c) {
            ('{', '{' | '%') => is_in_tag = true,
            ('}' | '%', '}') => (is_in_tag, is_quoted) = (false, false),
            (_, '"') if is_in_tag && is_quoted => is_quoted = false,
            (_, '"') if is_in_tag => {
                let is_part = !out.ends_with(WEIGHT) && LOOK_UPS.iter().any(|begin| out.ends_with(begin));
                (is_quoted, is_look_up) = (true, is_part)
            }
            _ => {}
        }
        if c != '\0' {
            out.push(c);
        }
        before = c;
    }
    out
}

/// Changes an article at the end of a text to the form that fits the next word.
fn correct_article(text: &mut String, next: &str) {
    let Some(start) =
        text.strip_suffix(' ').map(str::trim_end).map(|text| text.rfind([' ', '\n']).map_or(0, |at| at + 1))
    else {
        return;
    };
    let right = match (text[start..].trim_end(), next.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u'])) {
        ("a" | "an", false) => "a ",
        ("a" | "an", true) => "an ",
        ("A" | "An", false) => "A ",
        ("A" | "An", true) => "An ",
        _ => return,
    };
    text.truncate(start);
    text.push_str(right);
}

fn stream(seed: u64) -> Stream {
    Stream::from_seed(mix(hash_name("skin of a family"), seed))
}

/// The forms of a noun: singular and plural, each in lower case and capitalised.
fn forms(noun: &str) -> [String; 4] {
    let plural = |noun: &str| format!("{noun}s");
    [noun.to_owned(), plural(noun), capital(noun), plural(&capital(noun))]
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The new word for each name and each form of a noun.
fn dictionary(names: &Names, mut other: impl FnMut(&[&'static str]) -> Vec<String>) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    for list in names.exact {
        words.extend(list.iter().map(|name| (*name).to_owned()).zip(other(list)));
    }
    for list in names.nouns {
        for (noun, other) in list.iter().zip(other(list)) {
            // A noun that is also a name of a thing keeps that name.
            let other = words.get(*noun).cloned().unwrap_or(other);
            for (form, other) in forms(noun).into_iter().zip(forms(&other)) {
                words.entry(form).or_insert(other);
            }
        }
    }
    words
}

/// Other words for everything.
struct Words {
    dictionary: BTreeMap<String, String>,
    /// The new names of the observation's entries.
    entries: BTreeMap<String, String>,
}

/// An invented word for each name. All words differ from each other and from the game's words.
fn invented(names: &Names, seed: u64) -> Words {
    const CONSONANTS: [char; 14] = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'];
    const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
    let mut stream = stream(seed);
    let all = names.exact.iter().chain(names.nouns).flat_map(|list| list.iter());
    let mut taken: BTreeSet<String> = all.map(|name| name.to_lowercase()).collect();
    let mut letter = |letters: &[char]| letters[stream.index(letters.len() as u32) as usize];
    let mut word = move |name: &str| loop {
        let syllable = |letter: &mut dyn FnMut(&[char]) -> char| [letter(&CONSONANTS), letter(&VOWELS)];
        let mut word: String = (0..2).flat_map(|_| syllable(&mut letter)).collect();
        word.push(letter(&CONSONANTS));
        if taken.insert(word.clone()) {
            return if name.starts_with(char::is_uppercase) { capital(&word) } else { word };
        }
    };
    let dictionary = dictionary(names, |list| list.iter().map(|name| word(name)).collect());
    let entries = names.entries.iter().map(|name| ((*name).to_owned(), word(name))).collect();
    Words { dictionary, entries }
}

/// The names in each list, exchanged with each other.
fn swapped(names: &Names, seed: u64) -> Words {
    let mut stream = stream(seed);
    let dictionary = dictionary(names, |list| shuffled(&mut stream, list).into_iter().map(str::to_owned).collect());
    let entries = names.entries.iter().map(|name| (*name).to_owned()).zip(shuffled(&mut stream, names.entries));
    Words { dictionary, entries: entries.map(|(name, other)| (name, other.to_owned())).collect() }
}
