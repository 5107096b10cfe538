//! Every kind and every game of ours passes the kit that third parties test theirs with.

use std::num::NonZero;
use std::thread::available_parallelism;

use farm_core::config::PartKind;
use farm_core::in_parallel;
use farm_core::registry::kinds;
use farm_core::serde_yaml::{Value, to_string};
use farm_games::{CATALOGUE, document};
use farm_testkit::{Kit, Report};

use crate::common::{Variant, variants};
use crate::parts;

/// The kind that is nothing until its parameters say what goes through which stages.
const WITHOUT_DEFAULT: &str = "StagedTiles";

/// A kind with its parameters as the games of the catalogue use it.
fn configs_in_games(kind: &str) -> Vec<String> {
    let documents = CATALOGUE.iter().filter_map(|entry| document(entry.name).ok());
    let values: Vec<Value> = documents.map(|document| document.value().clone()).collect();
    let fields = values.iter().filter_map(|game| game.get("fields")?.as_mapping()).flat_map(|fields| fields.values());
    let entities = fields.filter_map(|field| field.get("entities")?.as_sequence()).flatten();
    let own = entities.filter(|entity| entity.get(kind).is_some());
    own.map(|entity| to_string(entity).expect("what was read can be written")).collect()
}

/// Checks on all cores, because the entities take longer than all other tests of this program.
fn check_all(part: PartKind, check: impl Fn(&Kit, &str) -> Result<(), Report> + Sync) {
    let mut wanted = Vec::new();
    for kind in kinds().iter().filter(|kind| kind.part() == part && !parts::NAMES.contains(&kind.name())) {
        let sets = kind.parameter_sets().unwrap_or_default();
        let sets: Vec<&str> = sets.iter().map(|set| set.name()).collect();
        let configs: Vec<String> = match sets.as_slice() {
            [] if kind.name() == WITHOUT_DEFAULT => configs_in_games(kind.name()),
            [] => vec![kind.name().to_owned()],
            sets => sets.iter().map(|set| format!("{}: {set}", kind.name())).collect(),
        };
        // What a kind does is alike for all of its sets; `ends.rs` plays more of the ends, in one farm of all.
        let kit = |i| if i == 0 { Kit::default().steps(40).ends(1) } else { Kit::default().steps(12).ends(0) };
        wanted.extend(configs.into_iter().enumerate().map(|(i, config)| (kit(i).seeds(1), config)));
    }
    assert!(!wanted.is_empty());
    let cores = available_parallelism().map_or(1, NonZero::get);
    let errors = in_parallel(wanted.len(), cores, || (), |(), i| check(&wanted[i].0, &wanted[i].1).err());
    let reports: Vec<Report> = errors.into_iter().flatten().collect();
    assert!(reports.is_empty(), "{} of {}: {reports:?}", reports.len(), wanted.len());
}

#[test]
fn every_entity_conforms_with_every_parameter_set() {
    check_all(PartKind::Entity, Kit::entity);
}

#[test]
fn every_farmer_conforms() {
    check_all(PartKind::Farmer, Kit::farmer);
}

#[test]
fn every_score_conforms() {
    check_all(PartKind::Score, Kit::score);
}

#[test]
fn every_game_conforms_with_every_preset_in_every_mode() {
    let kit = |variant: &Variant| Kit::default().seeds(1).ends(1).steps(variant.times(20) as u32);
    let checked = variants().iter().map(|variant| kit(variant).compiled(&variant.label, &variant.game));
    let reports: Vec<_> = checked.filter_map(Result::err).collect();
    assert!(reports.is_empty(), "{} of {}: {reports:?}", reports.len(), variants().len());
}
