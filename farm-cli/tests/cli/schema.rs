//! `farm schema`: the schemas of the repository, one by one and as files, and what is said of names that have none.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::farm;
use super::{file, folder};

/// The schemas that the repository holds.
fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("schemas")
}

#[test]
fn what_is_printed_is_what_the_repository_holds() {
    for (name, path) in [
        (None, "game.schema.json"),
        (Some("game"), "game.schema.json"),
        (Some("level"), "level.schema.json"),
        (Some("init"), "init.schema.json"),
        (Some("actions"), "actions.schema.json"),
        (Some("score"), "score.schema.json"),
        (Some("policy"), "policy.schema.json"),
        (Some("Soil"), "parameter-sets/Soil.schema.json"),
    ] {
        let arguments: Vec<&str> = std::iter::once("schema").chain(name).collect();
        let printed = farm(&arguments);
        assert_eq!((printed.code, printed.stderr.as_str()), (0, ""), "{name:?}");
        assert_eq!(printed.stdout, fs::read_to_string(committed().join(path)).unwrap(), "{path}");
    }
    farm(&["schema", "levl"]).says(1, &["unknown schema `levl`", "did you mean `level`?"]);
    farm(&["schema", "no/such.yaml"]).says(1, &["no/such.yaml", "can't be read"]);
}

#[test]
fn all_are_written_into_a_folder_that_is_made() {
    let out = folder("schemas").join("below/it");
    let written = farm(&["schema", "--out", out.to_str().unwrap()]);
    written.says(0, &["written: ", "game.schema.json", "Plant.schema.json"]);
    let lines = written.stdout.lines().count();
    for line in written.stdout.lines() {
        let path = Path::new(line.strip_prefix("written: ").unwrap());
        let name = path.strip_prefix(&out).unwrap();
        assert_eq!(fs::read(path).unwrap(), fs::read(committed().join(name)).unwrap(), "{line}");
    }
    assert!(lines > 12, "{lines}");
}

/// Somebody is writing the file: whatever else is wrong with it, its editor needs the schema.
#[test]
fn a_game_with_mistakes_has_a_schema_all_the_same() {
    let game = file(&folder("schema_of_a_game"), "game.yaml", "name: x\nfeilds: 3\n");
    assert_eq!(farm(&["schema", &game]).stdout, farm(&["schema"]).stdout);
}
