//! Every kind and every game of ours passes the kit that third parties test theirs with.

use farm_core::config::{PartKind, kinds};
use farm_testkit::Kit;

use crate::common::variants;
use crate::parts;

fn check_all(part: PartKind, check: impl Fn(&Kit, &str) -> Result<(), farm_testkit::Report>) {
    let mut reports = Vec::new();
    let mut checked = 0;
    for kind in kinds().iter().filter(|kind| kind.part == part && !parts::NAMES.contains(&kind.name)) {
        let sets: Vec<String> = kind.parameter_sets().unwrap_or_default().into_iter().map(|set| set.name).collect();
        let configs = if sets.is_empty() {
            vec![kind.name.to_owned()]
        } else {
            sets.iter().map(|set| format!("{}: {set}", kind.name)).collect()
        };
        for config in configs {
            checked += 1;
            reports.extend(check(&Kit::default(), &config).err());
        }
    }
    assert!(checked > 0);
    assert!(reports.is_empty(), "{} of {checked}: {reports:?}", reports.len());
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
    let reports: Vec<_> =
        variants().iter().filter_map(|variant| Kit::default().compiled(&variant.label, &variant.game).err()).collect();
    assert!(reports.is_empty(), "{} of {}: {reports:?}", reports.len(), variants().len());
}
