//! The games under test and how to play them at random.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use farm_core::spec::{InteractionMode, load};
use farm_core::{Game, State};
use farm_games::catalogue::{REPRESENTATIVE, all_versions, entry};
use farm_games::{Options, document, open};
use farm_testkit::play::values;

/// A version of a game of the catalogue, with or without a preset, in one of the interaction modes.
pub(crate) struct Variant {
    pub label: String,
    pub game: Arc<Game>,
}

/// Games of more actions have a hundred plots and more: a season of four hundred plots takes a second in a debug build.
const MAX_ACTIONS: usize = 1000;

impl Variant {
    /// How often something is tried that is usually tried so many times: in large fields a tenth of that.
    pub(crate) fn times(&self, usually: usize) -> usize {
        if self.game.catalogue().discrete_len() > MAX_ACTIONS { usually.div_ceil(10) } else { usually }
    }
}

/// Every version of every game × preset in its own interaction mode, and representative ones in every mode.
pub(crate) fn variants() -> &'static [Variant] {
    static VARIANTS: OnceLock<Vec<Variant>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let of_game =
            |name| [None].into_iter().chain(presets(name).into_iter().map(Some)).map(move |preset| (name, preset));
        all_versions().flat_map(|entry| of_game(entry.name)).flat_map(|(name, preset)| in_modes(name, preset)).collect()
    })
}

/// A game in its own mode, and in the others too if it is a representative one.
fn in_modes(name: &str, preset: Option<String>) -> Vec<Variant> {
    let open = |set| {
        let game = open(name, &Options { preset: preset.clone(), set, ..Default::default() });
        Arc::new(game.unwrap_or_else(|problems| panic!("{name} {preset:?}: {problems}")))
    };
    let label = |mode: &str| format!("{name} {} {mode}", preset.as_deref().unwrap_or("-"));
    let game = open(Vec::new());
    let (own, others): (&str, &[&str]) = match game.spec().interaction_mode() {
        // Its policies look, which there is nothing to do for elsewhere.
        InteractionMode::Aomdp => ("aomdp", &[]),
        InteractionMode::Fomdp => ("fomdp", &["pomdp", "aomdp"]),
        _ => ("pomdp", &["fomdp", "aomdp"]),
    };
    let is_in_all = preset.is_none() && REPRESENTATIVE.contains(&name);
    let others = others.iter().filter(|_| is_in_all).map(|mode| Variant {
        label: label(mode),
        game: open(vec![("interaction_mode".to_owned(), (*mode).to_owned())]),
    });
    [Variant { label: label(own), game }].into_iter().chain(others).collect()
}

/// The presets of a game of the catalogue.
pub(crate) fn presets(game: &str) -> Vec<String> {
    let document = document(game).unwrap_or_else(|problems| panic!("{problems}"));
    let presets = document.value().get("presets").and_then(|presets| presets.as_mapping()).cloned().unwrap_or_default();
    presets.keys().filter_map(|key| key.as_str().map(str::to_owned)).collect()
}

/// The YAML of a game of the catalogue.
pub(crate) fn yaml_of(game: &str) -> &'static str {
    entry(game).map(|entry| entry.yaml).expect("a game of the catalogue")
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
