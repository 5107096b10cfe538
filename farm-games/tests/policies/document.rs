//! What stands in `docs/policies.md` is true.

use crate::support::{game, player};

const TEXT: &str = include_str!("../../../docs/policies.md");

#[test]
fn every_policy_of_the_page_fits_its_game() {
    let (beans, full) = (game("clay_bean", None), game("full_farm", None));
    let mut blocks = TEXT.split("```");
    blocks.next();
    let yaml: Vec<&str> = blocks.step_by(2).filter_map(|block| block.strip_prefix("yaml\n")).collect();
    assert_eq!(yaml.len(), 2, "the blocks of YAML");
    for block in yaml {
        // Read as a file would be: from its first line.
        let folder = std::env::temp_dir().join(format!("farm_page_{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("policy.yaml");
        std::fs::write(&path, block).expect("a file");
        drop(player(&beans, &path.display().to_string()));
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
    let cell = |line: &'static str| line.strip_suffix("` |").and_then(|line| line.rsplit_once("| `"));
    let rows: Vec<&str> = TEXT.lines().filter_map(cell).map(|(_, policy)| policy).collect();
    assert_eq!(rows.len(), 12, "the rows of the catalogue");
    for row in rows {
        drop(player(&full, row));
    }
    let commands = TEXT.lines().filter_map(|line| line.strip_prefix("farm run clay_bean --policy "));
    let quoted = commands.filter_map(|rest| rest.strip_prefix('\'')?.split('\'').next());
    assert_eq!(quoted.map(|policy| drop(player(&beans, policy))).count(), 2);
}
