//! A new entity in the project.

use std::path::Path;

use anyhow::Result;

use crate::edit::with_line;
use crate::plugin::{parameter_sets, part_source};
use crate::{Name, ScaffoldPlan, Sort, Taken};

pub(crate) fn plan(root: &Path, name: &Name, taken: &Taken) -> Result<ScaffoldPlan> {
    name.check_new_kind(taken)?;
    let folder = root.join("farm-entities/src/agronomy");
    let source = part_source(Sort::Entity, name);
    let mut plan = ScaffoldPlan::new(root);
    let (pascal, snake) = (name.pascal(), name.snake());
    // A folder with this name would be part of the module.
    plan.file(folder.join(format!("{snake}.rs")), source);
    plan.file(folder.join(format!("{snake}.yaml")), parameter_sets(name));
    plan.edit(folder.join("mod.rs"), |text| with_line(text, "pub mod ", &format!("pub mod {snake};")))?;
    anyhow::ensure!(
        !folder.join(&snake).exists(),
        "{} already exists: choose another name",
        folder.join(&snake).display()
    );
    plan.next(format!("cargo test -p farm-entities {snake}"), "runs its tests");
    plan.next(format!("cargo run -- describe {pascal}"), "prints its declarations");
    plan.next("cargo xtask schema", "adds it to the schema for editors");
    plan.next(
        "INSTA_UPDATE=always cargo test -p farm-games --test diagnostics",
        "adds it to the messages that list all entities",
    );
    plan.next(
        "cargo test -p farm-games --test invariants conform",
        "checks it in a farm with the entities that it needs",
    );
    plan.next(
        format!("add `- {pascal}: fast` to `entities` of a game"),
        "then run the game: `cargo run -- run my_game.yaml`",
    );
    Ok(plan)
}
