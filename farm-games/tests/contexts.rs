//! The contexts of the farm games.

use farm_core::space::Space;
use farm_core::{Environment, Game};
use farm_games::contexts::{Context, ContextSplit};
use farm_games::{CATALOGUE, GameDocument, Options};

/// The most contexts of a game that are opened here.
const MOST_OPENED: usize = 7;

fn read(game: &str) -> GameDocument {
    GameDocument::read(game, Options::default().consent()).unwrap()
}

fn contexts(document: &GameDocument) -> Vec<Context> {
    document.contexts(&Options::default()).unwrap()
}

fn open(document: &GameDocument, context: &str) -> Game {
    document.open(&Options { context: Some(context.to_owned()), ..Options::default() }).unwrap()
}

fn spaces(game: &Game) -> [Space; 2] {
    [game.observation().space(), game.catalogue().space()]
}

/// All farm games with weather have contexts, and worlds without weather have none.
#[test]
fn farm_games_have_contexts_and_other_worlds_have_none() {
    for entry in CATALOGUE {
        let document = read(entry.name);
        let has_weather = document.open(&Options::default()).unwrap().spec().to_yaml().unwrap().contains("- Weather:");
        assert_eq!(contexts(&document).is_empty(), !has_weather, "{}", entry.name);
    }
}

#[test]
fn splits_are_disjoint_in_each_level_and_names_are_unique() {
    for entry in CATALOGUE {
        let contexts = contexts(&read(entry.name));
        let of = |split, is_recombined| {
            let fits = move |context: &&Context| context.split == split && context.is_recombined == is_recombined;
            contexts.iter().filter(fits).collect::<Vec<_>>()
        };
        let train = of(ContextSplit::Train, false);
        // A meadow has no soil, and then this axis has a single level.
        let varies = |axis: usize| contexts.iter().any(|context| context.levels[axis] != contexts[0].levels[axis]);
        for (axis, test) in
            (0..3).flat_map(|axis| of(ContextSplit::Test, false).into_iter().map(move |test| (axis, test)))
        {
            let is_new = train.iter().all(|train| train.levels[axis] != test.levels[axis]);
            assert!(is_new || !varies(axis), "{}: {test}", entry.name);
        }
        for recombined in of(ContextSplit::Test, true) {
            assert!(train.iter().all(|train| train.levels != recombined.levels), "{}: {recombined}", entry.name);
            for axis in 0..3 {
                let is_seen = train.iter().any(|train| train.levels[axis] == recombined.levels[axis]);
                assert!(is_seen, "{}: {recombined}", entry.name);
            }
        }
        let mut names: Vec<String> = contexts.iter().map(Context::to_string).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), contexts.len(), "{}", entry.name);
        if let Some(first) = contexts.first() {
            assert_eq!((first.to_string(), first.place()), ("home/home/home".to_owned(), "train/0".to_owned()));
        }
    }
}

/// A sample of the contexts of each game opens with the spaces of the game, and twenty days can be played.
#[test]
fn contexts_keep_the_spaces_of_the_game_and_can_be_played() {
    for (i, entry) in CATALOGUE.iter().enumerate() {
        let document = read(entry.name);
        let contexts = contexts(&document);
        let base = document.open(&Options::default()).unwrap();
        let step = contexts.len().div_ceil(MOST_OPENED).max(1);
        for context in contexts.iter().skip(i % step).step_by(step) {
            let game = open(&document, &context.to_string());
            let name = format!("{}: {context}", entry.name);
            assert!(spaces(&game) == spaces(&base), "{name}");
            assert_eq!(
                game.fingerprint() == base.fingerprint(),
                context.number == 0 && context.split == ContextSplit::Train,
                "{name}"
            );
            let warnings =
                |game: &Game| game.warnings().0.iter().map(|warning| warning.message.clone()).collect::<Vec<_>>();
            assert_eq!(warnings(&game), warnings(&base), "{name}");
            let mut environment = Environment::new(game.into());
            environment.reset(i as u64);
            for _ in 0..20 {
                environment.step("Wait").unwrap();
            }
        }
    }
}

/// A context is a change like `--set`: the same values give the same game.
#[test]
fn a_context_is_found_by_place_and_by_name_and_equals_its_changes() {
    let document = read("clay_bean");
    let context =
        contexts(&document).into_iter().find(|context| context.to_string() == "warmer_2_dry/poor/very_low").unwrap();
    let [by_place, by_name] = [context.place(), context.to_string()].map(|name| open(&document, &name).fingerprint());
    let set = [
        ("Field-0.Weather-0.warming#°C", "2.0"),
        ("Field-0.Weather-0.rain_factor#prop", "0.9"),
        ("Field-0.Weather-0.co2#ppm", "550.0"),
        ("Field-0.Soil-0.profile.initial_N#g.m-2", "3.0"),
        ("Field-0.Soil-0.profile.initial_C#g.m-2", "3500.0"),
        ("score.ProfitScore.yield_price#kg-1", "1.2"),
    ];
    let set = set.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
    let by_values = document.open(&Options { set, ..Options::default() }).unwrap().fingerprint();
    assert_eq!([by_place, by_name], [by_values; 2]);
    let text = open(&document, "train/0").text().instructions(farm_core::inspect::RulesText::Shown);
    assert!(text.contains("31,200 L") && text.contains("43,200 L"), "{text}");
    let text = open(&document, "warmer_2/tight/very_high").text().instructions(farm_core::inspect::RulesText::Shown);
    // Plants can use a fifth less: 12,000 L become 9,600 L.
    assert!(text.contains("33,600 L") && text.contains("43,200 L") && text.contains("€3.20"), "{text}");
}

#[test]
fn an_unknown_context_names_the_known_ones() {
    let refused = |game: &str, name: &str| {
        let options = Options { context: Some(name.to_owned()), ..Options::default() };
        read(game).open(&options).unwrap_err().to_string()
    };
    assert!(refused("clay_bean", "train/99").contains("`train/0` to `train/11`, `test/0` to `test/"));
    assert!(refused("valley_farm", "train/0").contains("`valley_farm` has no contexts"));
}

/// Warmth makes wheat ripe earlier: a spring wheat of 1,800 degree-days that ripens at 18 °C gains about nine days from 2 °C.
#[test]
fn two_degrees_make_wheat_ripe_earlier() {
    let document = read("grain_store");
    let days = |context: &str| {
        let mut environment = Environment::new(open(&document, context).into());
        let ripe = |seed: u64| -> f64 {
            environment.reset(seed);
            let is_ripe = |environment: &Environment| environment.text().contains("ripe");
            (0..200)
                .find(|_| {
                    environment.step("Wait").unwrap();
                    is_ripe(&environment)
                })
                .map_or(f64::NAN, f64::from)
        };
        (0..8).map(ripe).sum::<f64>() / 8.0
    };
    let [usual, warm] = ["home/home/home", "warmer_2/poor/very_low"].map(days);
    assert!((5.0..=20.0).contains(&(usual - warm)), "{usual} and {warm} days");
}
