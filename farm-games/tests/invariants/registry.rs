//! Invariant 8: names are unique, and what is registered can be written and read back. Linking registers everything.

use std::collections::BTreeSet;

use farm_core::Game;
use farm_core::config::PartKind;
use farm_core::inspect::providers_of;
use farm_core::registry::{kind, kinds, roles};
use farm_core::spec::load;
use farm_games::catalogue::all_versions;
use farm_games::{CATALOGUE, Options, open};

use crate::common::{presets, variants};
use crate::parts;

fn assert_unique<'n>(what: &str, names: impl IntoIterator<Item = &'n str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(seen.insert(name), "{what}: `{name}` twice");
    }
}

#[test]
fn invariant_8_every_name_of_the_registry_is_unique() {
    // `farm describe NAME` knows neither part nor crate, so names are unique across all of them.
    assert_unique("kinds", kinds().iter().map(|kind| kind.name()));
    assert_unique("roles", roles().iter().map(|role| role.name()));
    assert_unique("games", all_versions().map(|entry| entry.name));
    assert!(CATALOGUE.is_sorted_by_key(|entry| entry.name), "the catalogue is sorted");
    for variant in variants() {
        assert_unique(&variant.label, variant.game.parts().iter().map(|part| part.path()));
        assert_unique(&variant.label, variant.game.observation().entries().iter().map(|entry| entry.key()));
    }
    for entry in all_versions() {
        assert_unique(entry.name, presets(entry.name).iter().map(String::as_str));
        let game = open(entry.name, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(game.spec().name(), entry.name, "a game is called what the catalogue calls it");
    }
}

#[test]
fn invariant_8_the_yaml_of_every_game_loads_back_to_an_identical_game() {
    let mut fingerprints = BTreeSet::new();
    for variant in variants() {
        let game = &variant.game;
        let yaml = game.spec().to_yaml().expect("a game can be written");
        let again = load("again.yaml", &yaml).and_then(Game::new);
        let again = again.unwrap_or_else(|problems| panic!("{}: {problems}\n{yaml}", variant.label));
        assert_eq!(again.spec().to_yaml().ok(), Some(yaml), "{}", variant.label);
        assert_eq!(again.fingerprint(), game.fingerprint(), "{}", variant.label);
        assert_eq!(again.parts(), game.parts(), "{}", variant.label);
        assert_eq!(again.catalogue().base_actions(), game.catalogue().base_actions(), "{}", variant.label);
        assert_eq!(again.catalogue().calls(), game.catalogue().calls(), "{}", variant.label);
        assert_eq!(again.observation().space(), game.observation().space(), "{}", variant.label);
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
        let catalogue = variant.game.catalogue();
        // Of large games some of each kind: calls of an action stand together.
        let step = (catalogue.calls().len() / 200).max(1);
        for call in catalogue.calls().iter().step_by(step) {
            let json = catalogue.to_json(call);
            assert_eq!(catalogue.parse(&json).ok().as_deref(), Some(&[*call][..]), "{}: {json}", variant.label);
        }
        assert_eq!(catalogue.discrete(catalogue.discrete_len()), None);
    }
}

#[test]
fn invariant_8_names_of_actions_are_unique() {
    for variant in variants() {
        let catalogue = variant.game.catalogue();
        let mut names = BTreeSet::new();
        for call in catalogue.calls() {
            let name = catalogue.describe(call);
            assert!(names.insert(name.clone()), "{}: {name} is there twice", variant.label);
        }
    }
}

#[test]
fn invariant_8_depending_on_the_games_registers_every_kind() {
    let of = |part: PartKind| {
        kinds().iter().filter(|kind| kind.part() == part && !parts::NAMES.contains(&kind.name())).count()
    };
    let found = [PartKind::Entity, PartKind::Farmer, PartKind::Rule, PartKind::Score, PartKind::Policy].map(of);
    let least = [5, 2, 1, 2, 3];
    assert!(found.iter().zip(least).all(|(found, least)| *found >= least), "{found:?}");
    assert!(roles().len() > 40, "{}", roles().len());
    assert!(
        parts::NAMES.iter().all(|name| kinds().iter().any(|kind| kind.name() == *name)),
        "a third party's parts too"
    );
    assert!(kinds().is_sorted_by_key(|kind| (kind.part(), kind.name())), "the order of linking means nothing");
    for (part, name) in [(PartKind::Entity, "Soil"), (PartKind::Entity, "TileMap"), (PartKind::Policy, "WaitPolicy")] {
        assert!(kind(part, name).is_some(), "{name}");
    }
}

/// Who needs a role finds somebody: no role that an entity needs is without a registered provider.
#[test]
fn invariant_8_every_role_that_must_be_there_has_a_registered_provider() {
    let mut needed = std::collections::BTreeMap::new();
    for part in variants().iter().flat_map(|variant| variant.game.parts().iter()) {
        let must_be_there = part.needs().iter().filter(|(_, need)| *need == farm_core::declare::Need::One);
        needed.extend(must_be_there.map(|(role, _)| (role.to_string(), part.path())));
    }
    assert!(needed.len() > 10, "{needed:?}");
    for (role, part) in needed {
        assert!(!providers_of(&role).is_empty(), "{part} needs {role}");
    }
}
