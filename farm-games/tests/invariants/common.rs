//! The games under test and how to play them at random.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use farm_core::spec::load;
use farm_core::{Game, State};
use farm_games::{CATALOGUE, Options, document, open};
use farm_testkit::play::values;

/// A game of the catalogue, with or without a preset, in one of the interaction modes.
pub(crate) struct Variant {
    pub label: String,
    pub game: Arc<Game>,
}

/// Every game × preset × interaction mode.
pub(crate) fn variants() -> &'static [Variant] {
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
        variants.extend(AGRONOMIC.iter().map(|(name, preset)| agronomic(name, *preset)));
        variants
    })
}

/// Games that are played by the laws of crop science as well.
const AGRONOMIC: [(&str, Option<&str>); 3] = [("clay_bean", None), ("full_farm", None), ("full_farm", Some("4x3"))];

fn agronomic(name: &str, preset: Option<&str>) -> Variant {
    let label = format!("{name} {} agronomic", preset.unwrap_or("-"));
    let set = vec![("fields.Field-0.entity_defaults".to_owned(), "{equations: agronomic}".to_owned())];
    let game = open(name, &Options { preset: preset.map(str::to_owned), set, ..Default::default() });
    Variant { game: Arc::new(game.unwrap_or_else(|problems| panic!("{label}: {problems}"))), label }
}

/// The presets of a game of the catalogue.
pub(crate) fn presets(game: &str) -> Vec<String> {
    let document = document(game).unwrap_or_else(|problems| panic!("{problems}"));
    let presets = document.value().get("presets").and_then(|presets| presets.as_mapping()).cloned().unwrap_or_default();
    presets.keys().filter_map(|key| key.as_str().map(str::to_owned)).collect()
}

/// The YAML of a game of the catalogue.
pub(crate) fn yaml_of(game: &str) -> &'static str {
    CATALOGUE.iter().find(|entry| entry.name == game).map(|entry| entry.yaml).expect("a game of the catalogue")
}

/// The YAML of a game of the catalogue after replacements, each of which must hit exactly once.
pub(crate) fn edited(game: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(yaml_of(game).to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "`{from}` must stand in {game} exactly once");
        text.replace(from, to)
    })
}

/// The game of a YAML text that is right.
pub(crate) fn compile(text: &str) -> Game {
    let game = load("test.yaml", text).and_then(Game::new);
    game.unwrap_or_else(|problems| panic!("{problems}"))
}

/// The top of the repository.
pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The bits of every value of a state.
pub(crate) fn bits(game: &Game, state: &State) -> Vec<u64> {
    let reader = game.reader(state);
    let variables = game.parts().iter().flat_map(|part| part.variables());
    variables.flat_map(|variable| values(&reader, variable)).map(f64::to_bits).collect()
}
