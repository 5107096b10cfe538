//! The names that are already taken in the repository. They are read from its files, because this program does not contain the parts
//! themselves.

use std::path::Path;

use farm_scaffold::{Sort, Taken};

/// Collects the names. The schema for game files names all kinds, and the games folder has a file for each game.
pub(crate) fn names(root: &Path) -> Taken {
    let schema = std::fs::read_to_string(root.join("schemas/game.schema.json")).unwrap_or_default();
    let references = schema.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split_once('"')?.0.split_once('-'));
    let mut kinds: Vec<(Sort, String)> =
        references.filter_map(|(sort, name)| Some((sort.parse().ok()?, name.to_owned()))).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let files = std::fs::read_dir(root.join("farm-games/games")).into_iter().flatten().flatten();
    let names = files.filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".yaml")?.to_owned()));
    let names = names.filter(|name| !name.ends_with(".quiz"));
    Taken { kinds, games: names.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_all_sorts_of_parts_and_of_games_are_found() {
        let taken = names(&crate::run::root());
        for (sort, name) in [
            (Sort::Entity, "Soil"),
            (Sort::Farmer, "BasicFarmer"),
            (Sort::Rule, "BasicRule"),
            (Sort::Score, "BasicScore"),
            (Sort::Policy, "WeedPolicy"),
        ] {
            assert!(taken.kinds.contains(&(sort, name.to_owned())), "{sort} {name}");
        }
        assert!(taken.games.iter().any(|game| game == "clay_bean"), "{:?}", taken.games);
    }
}
