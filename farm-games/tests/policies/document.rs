//! What the catalogue in `docs/policies.md` says can be played. The blocks and commands of the page are run with those of all pages.

use super::support::{game, player};

const TEXT: &str = include_str!("../../../docs/policies.md");

#[test]
fn every_policy_of_the_catalogue_fits_its_game() {
    let full = game("full_farm", None);
    let cell = |line: &'static str| line.strip_suffix("` |").and_then(|line| line.rsplit_once("| `"));
    let rows: Vec<&str> = TEXT.lines().filter_map(cell).map(|(_, policy)| policy).collect();
    assert_eq!(rows.len(), 13, "the rows of the catalogue");
    for row in rows {
        drop(player(&full, row));
    }
}
