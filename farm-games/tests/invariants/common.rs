//! The games under test and how to play them at random.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use farm_core::action::Call;
use farm_core::config::load;
use farm_core::rng::Stream;
use farm_core::serde_yaml::Value;
use farm_core::{Element, Game, State};
use farm_games::{CATALOGUE, Options, document, open};

/// A game of the catalogue, with or without a preset, in one of the interaction modes.
pub struct Variant {
    pub label: String,
    pub game: Arc<Game>,
}

/// Every game × preset × interaction mode.
pub fn variants() -> &'static [Variant] {
    static VARIANTS: OnceLock<Vec<Variant>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let mut variants = Vec::new();
        for entry in CATALOGUE {
            for preset in [None].into_iter().chain(presets(entry.name).into_iter().map(Some)) {
                for mode in ["pomdp", "fomdp", "aomdp"] {
                    let set = vec![("interaction_mode".to_owned(), mode.to_owned())];
                    let label = format!("{} {} {mode}", entry.name, preset.as_deref().unwrap_or("-"));
                    let game = open(entry.name, &Options { preset: preset.clone(), set, ..Default::default() });
                    let game = Arc::new(game.unwrap_or_else(|problems| panic!("{label}: {problems}")));
                    variants.push(Variant { label, game });
                }
            }
        }
        variants
    })
}

/// The presets of a game of the catalogue.
pub fn presets(game: &str) -> Vec<String> {
    let document = document(game).unwrap_or_else(|problems| panic!("{problems}"));
    let presets = document.value.get("presets").and_then(|presets| presets.as_mapping()).cloned().unwrap_or_default();
    presets.keys().filter_map(|key| key.as_str().map(str::to_owned)).collect()
}

/// The YAML of a game of the catalogue.
pub fn yaml_of(game: &str) -> &'static str {
    CATALOGUE.iter().find(|entry| entry.name == game).map(|entry| entry.yaml).expect("a game of the catalogue")
}

/// The YAML of a game of the catalogue after replacements, each of which must hit exactly once.
pub fn edited(game: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(yaml_of(game).to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "`{from}` must stand in {game} exactly once");
        text.replace(from, to)
    })
}

/// The game of a YAML text that is right.
pub fn compile(text: &str) -> Game {
    let game = load("test.yaml", text).and_then(Game::new);
    game.unwrap_or_else(|problems| panic!("{problems}"))
}

/// A mapping of YAML.
pub fn mapping<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    Value::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// The top of the repository.
pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A schedule of random calls, which may be longer than the rules allow and hold a call twice.
pub fn random_schedule(game: &Game, most: usize, stream: &mut Stream, schedule: &mut Vec<Call>) {
    schedule.clear();
    let calls = &game.catalogue.calls;
    for _ in 0..stream.index(most as u32 + 1) {
        schedule.push(calls[stream.index(calls.len() as u32) as usize]);
    }
}

/// The bits of every value of a state, by part and variable.
pub fn columns(game: &Game, state: &State) -> BTreeMap<String, Vec<u64>> {
    let reader = game.reader(state);
    let mut columns = BTreeMap::new();
    for part in game.parts.iter() {
        for variable in &part.variables {
            let mut bits: Vec<u64> = Vec::new();
            if let Some(column) = variable.column::<f64>() {
                bits.extend(reader.get(column).iter().map(|value| value.to_bits()));
            }
            bits.extend(widened::<i32>(variable.column().map(|column| reader.get(column))));
            bits.extend(widened::<u8>(variable.column().map(|column| reader.get(column))));
            assert_eq!(bits.len(), variable.len(), "every variable has its values");
            columns.insert(format!("{}.{}", part.path, variable.name), bits);
        }
    }
    columns
}

fn widened<T: Element + Into<i64>>(values: Option<&[T]>) -> impl Iterator<Item = u64> {
    values.unwrap_or_default().iter().map(|value| (*value).into() as u64)
}
