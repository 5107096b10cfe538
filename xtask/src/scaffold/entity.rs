//! A new entity among those of the project.

use std::path::Path;

use anyhow::Result;

use super::{Name, Plan, filled, with_line};

const ENTITY: &str = include_str!("templates/entity.rs.txt");
const SETS: &str = include_str!("templates/entity.yaml.txt");

/// The source of an entity and its parameter sets; `roles` is the path of the module of roles.
pub fn texts(name: &Name, roles: &str) -> (String, String) {
    let (pascal, snake, words, sentence) = (name.pascal(), name.snake(), name.spaced(), name.sentence());
    let values = [("Pascal", &*pascal), ("snake", &snake), ("words", &words), ("Words", &sentence), ("roles", roles)];
    (filled(ENTITY, &values), filled(SETS, &values))
}

pub fn plan(root: &Path, name: &Name) -> Result<Plan> {
    name.check_new_kind()?;
    let folder = root.join("farm-entities/src/agronomy");
    let (source, sets) = texts(name, "crate::roles");
    // The roles of the same crate stand apart from what comes from elsewhere.
    let source = source.replace("\nuse crate::roles", "\n\nuse crate::roles");
    let mut plan = Plan::default();
    let (pascal, snake) = (name.pascal(), name.snake());
    // A folder of the name is a module of it, too.
    plan.file(folder.join(format!("{snake}.rs")), source);
    plan.file(folder.join(format!("{snake}.yaml")), sets);
    plan.edit(folder.join("mod.rs"), |text| with_line(text, "pub mod ", &format!("pub mod {snake};")))?;
    anyhow::ensure!(
        !folder.join(&snake).exists(),
        "{} is there already: choose another name",
        folder.join(&snake).display()
    );
    plan.next(format!("cargo test -p farm-entities {snake}"), "its own tests");
    plan.next(format!("cargo run -- describe {pascal}"), "what it declares");
    plan.next("cargo xtask schema", "editors complete it");
    plan.next(
        "ACCEPT_DIAGNOSTICS=1 cargo test -p farm-games --test diagnostics",
        "messages that list all entities name it",
    );
    plan.next(
        "cargo test -p farm-games --test invariants conform",
        "what every entity must hold, in a farm of those it needs",
    );
    plan.next(
        format!("add `- {pascal}: many` to `entities` of a game"),
        "and play it: `cargo run -- run my_game.yaml`",
    );
    Ok(plan)
}
