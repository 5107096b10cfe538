//! Invariant 8: names are unique, and what is registered can be written and read back. Linking registers everything.

use std::collections::BTreeSet;

use farm_core::config::{ParameterDoc, ParameterKind, PartKind, kind, kinds, load, roles};
use farm_core::probe::{declarations, providers_of};
use farm_core::serde_yaml::{self, Value};
use farm_core::{Entity, Farmer, Game, Policy, Rule, Score};
use farm_games::CATALOGUE;
use farm_games::{Options, open};

use crate::common::{mapping, presets, variants};
use crate::parts;

fn assert_unique<'n>(what: &str, names: impl IntoIterator<Item = &'n str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(seen.insert(name), "{what}: `{name}` twice");
    }
}

fn unique_parameters(table: &[ParameterDoc], what: &str) {
    assert_unique(what, table.iter().map(|parameter| parameter.name));
    // Two parameters that differ in their unit alone would make a wrong unit a right one.
    assert_unique(what, table.iter().map(|parameter| parameter.name.split('#').next().unwrap_or_default()));
    for parameter in table {
        let mut inner = &parameter.kind;
        while let ParameterKind::List(item) | ParameterKind::Map(item) | ParameterKind::Optional(item) = inner {
            inner = item;
        }
        if let ParameterKind::Group(table) = inner {
            unique_parameters(table, &format!("{what}.{}", parameter.name));
        }
    }
}

#[test]
fn invariant_8_every_name_of_the_registry_is_unique() {
    // `farm describe NAME` knows neither part nor crate, so names are unique across all of them.
    assert_unique("kinds", kinds().iter().map(|kind| kind.name));
    assert_unique("roles", roles().iter().map(|role| role.name));
    assert_unique("games", CATALOGUE.iter().map(|entry| entry.name));
    assert!(CATALOGUE.is_sorted_by_key(|entry| entry.name), "the catalogue is sorted");
    for kind in kinds() {
        unique_parameters(&kind.table(), kind.name);
        let sets = kind.parameter_sets().unwrap_or_else(|error| panic!("{}: {error}", kind.name));
        assert_unique(kind.name, sets.iter().map(|set| set.name.as_str()));
        let Some(part) = declarations(kind) else { continue };
        let variables = part.variables.iter().map(|variable| variable.name.as_str());
        assert_unique(kind.name, variables.chain(part.observables.iter().map(|observable| observable.name.as_str())));
        assert_unique(kind.name, part.actions.iter().map(|action| action.name.as_str()));
        assert_unique(kind.name, part.events.iter().map(|event| event.name.as_str()));
        for action in &part.actions {
            assert_unique(&action.name, action.parameters.iter().map(|parameter| parameter.name.as_str()));
        }
    }
    for variant in variants() {
        assert_unique(&variant.label, variant.game.parts.iter().map(|part| part.path.as_str()));
        assert_unique(&variant.label, variant.game.observation.entries.iter().map(|entry| entry.key.as_str()));
        for part in variant.game.parts.iter() {
            assert_unique(&part.path, part.actions.iter().map(|action| action.name.as_str()));
            assert_unique(&part.path, part.variables.iter().map(|variable| variable.name.as_str()));
        }
    }
    for entry in CATALOGUE {
        assert_unique(entry.name, presets(entry.name).iter().map(String::as_str));
        let game = open(entry.name, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(game.spec.name, entry.name, "a game is called what the catalogue calls it");
    }
}

/// Reads and writes a part three times over: as a value, as text, and as the text of what was read.
fn round_trip<P: serde::Serialize + serde::de::DeserializeOwned>(tagged: Value, name: &str) {
    let fail = |error: serde_yaml::Error| -> String { panic!("{name}: {error}") };
    let part: P = serde_yaml::from_value(tagged).unwrap_or_else(|error| panic!("{name}: {error}"));
    let value = serde_yaml::to_value(&part).unwrap_or_else(|error| panic!("{name}: {error}"));
    let text = serde_yaml::to_string(&part).unwrap_or_else(fail);
    let again: P = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(serde_yaml::to_string(&again).unwrap_or_else(fail), text, "{name}");
    assert_eq!(serde_yaml::to_value(&again).ok(), Some(value.clone()), "{name}");
    let third: P = serde_yaml::from_value(value.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(serde_yaml::to_value(&third).ok(), Some(value), "{name}");
}

fn round_trip_of(part: PartKind, name: &str, parameters: Value) {
    let tagged = mapping([(name, parameters)]);
    match part {
        PartKind::Entity => round_trip::<Box<dyn Entity>>(tagged, name),
        PartKind::Farmer => round_trip::<Box<dyn Farmer>>(tagged, name),
        PartKind::Rule => round_trip::<Box<dyn Rule>>(tagged, name),
        PartKind::Score => round_trip::<Box<dyn Score>>(tagged, name),
        PartKind::Policy => round_trip::<Box<dyn Policy>>(tagged, name),
    }
}

#[test]
fn invariant_8_the_default_and_every_parameter_set_of_every_kind_round_trip_through_yaml() {
    for kind in kinds() {
        round_trip_of(kind.part, kind.name, mapping([]));
        for set in kind.parameter_sets().unwrap_or_else(|error| panic!("{}: {error}", kind.name)) {
            round_trip_of(kind.part, kind.name, set.parameters);
        }
        let table = kind.table();
        let defaults = mapping(table.iter().map(|parameter| (parameter.name, parameter.default.clone())));
        round_trip_of(kind.part, kind.name, defaults);
    }
}

#[test]
fn invariant_8_the_yaml_of_every_game_loads_back_to_an_identical_game() {
    let mut fingerprints = BTreeSet::new();
    for variant in variants() {
        let game = &variant.game;
        let yaml = game.spec.to_yaml().expect("a game can be written");
        let again = load("again.yaml", &yaml).and_then(Game::new);
        let again = again.unwrap_or_else(|problems| panic!("{}: {problems}\n{yaml}", variant.label));
        assert_eq!(again.spec.to_yaml().ok(), Some(yaml), "{}", variant.label);
        assert_eq!(again.fingerprint(), game.fingerprint(), "{}", variant.label);
        assert_eq!(again.parts, game.parts, "{}", variant.label);
        assert_eq!(again.catalogue.bases, game.catalogue.bases, "{}", variant.label);
        assert_eq!(again.catalogue.calls, game.catalogue.calls, "{}", variant.label);
        assert_eq!(again.observation.space(), game.observation.space(), "{}", variant.label);
        // The snapshot of the one is a snapshot of the other.
        let mut state = again.new_state();
        again.reset(&mut state, 5, &mut again.new_record());
        let mut other = game.new_state();
        assert_eq!(game.restore(&mut other, &again.snapshot(&state)), Ok(()), "{}", variant.label);
        assert!(fingerprints.insert(game.fingerprint()), "{}: another game has its fingerprint", variant.label);
    }
}

#[test]
fn invariant_8_every_action_is_read_back_from_its_json() {
    for variant in variants() {
        let catalogue = &variant.game.catalogue;
        for call in &catalogue.calls {
            let json = catalogue.to_json(call);
            assert_eq!(catalogue.parse(&json).ok().as_deref(), Some(&[*call][..]), "{}: {json}", variant.label);
        }
        assert_eq!(catalogue.discrete(catalogue.discrete_len()), None);
    }
}

#[test]
fn invariant_8_depending_on_the_games_registers_every_kind() {
    let of =
        |part: PartKind| kinds().iter().filter(|kind| kind.part == part && !parts::NAMES.contains(&kind.name)).count();
    let found = [PartKind::Entity, PartKind::Farmer, PartKind::Rule, PartKind::Score, PartKind::Policy].map(of);
    let least = [5, 2, 1, 2, 3];
    assert!(found.iter().zip(least).all(|(found, least)| *found >= least), "{found:?}");
    assert!(roles().len() > 40, "{}", roles().len());
    assert!(parts::NAMES.iter().all(|name| kinds().iter().any(|kind| kind.name == *name)), "a third party's parts too");
    assert!(kinds().is_sorted_by_key(|kind| (kind.part, kind.name)), "the order of linking means nothing");
    for (part, name) in [(PartKind::Entity, "Soil"), (PartKind::Entity, "TileMap"), (PartKind::Policy, "WaitPolicy")] {
        assert!(kind(part, name).is_some(), "{name}");
    }
}

/// Who needs a role finds somebody: no role that an entity needs is without a registered provider.
#[test]
fn invariant_8_every_role_that_must_be_there_has_a_registered_provider() {
    for variant in variants() {
        for part in variant.game.parts.iter() {
            for (role, need) in &part.needs {
                if *need == farm_core::declare::Need::One {
                    assert!(!providers_of(role).is_empty(), "{} needs {role}", part.path);
                }
            }
        }
    }
}
