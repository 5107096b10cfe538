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

/// Every game × preset × interaction mode, and some farms by the laws of crop science as well.
pub(crate) fn variants() -> &'static [Variant] {
    static VARIANTS: OnceLock<Vec<Variant>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let of_game =
            |name| [None].into_iter().chain(presets(name).into_iter().map(Some)).map(move |preset| (name, preset));
        let shipped = CATALOGUE.iter().flat_map(|entry| of_game(entry.name)).map(|game| (game, None));
        let agronomic = AGRONOMIC.map(|(name, preset)| ((name, preset.map(str::to_owned)), Some("agronomic")));
        let games = shipped.chain(agronomic);
        games
            .flat_map(|(game, equations)| ["pomdp", "fomdp", "aomdp"].map(|mode| variant(&game, equations, mode)))
            .collect()
    })
}

/// Farms that are played by the laws of crop science, too.
const AGRONOMIC: [(&str, Option<&str>); 3] = [("clay_bean", None), ("full_farm", None), ("full_farm", Some("4x3"))];

fn variant((name, preset): &(&'static str, Option<String>), equations: Option<&str>, mode: &str) -> Variant {
    let label = [Some(*name), preset.as_deref().or(Some("-")), equations, Some(mode)];
    let label = label.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let mut set = vec![("interaction_mode".to_owned(), mode.to_owned())];
    set.extend(equations.map(|word| ("fields.Field-0.entity_defaults".to_owned(), format!("{{equations: {word}}}"))));
    let game = open(name, &Options { preset: preset.clone(), set, ..Default::default() });
    let game = Arc::new(game.unwrap_or_else(|problems| panic!("{label}: {problems}")));
    Variant { label, game }
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
