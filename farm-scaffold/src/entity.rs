//! A new entity among those of the project.

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
    // A folder of the name is a module of it, too.
    plan.file(folder.join(format!("{snake}.rs")), source);
    plan.file(folder.join(format!("{snake}.yaml")), parameter_sets(name));
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
        "INSTA_UPDATE=always cargo test -p farm-games --test diagnostics",
        "messages that list all entities name it",
    );
    plan.next(
        "cargo test -p farm-games --test invariants conform",
        "what every entity must hold, in a farm of those it needs",
    );
    plan.next(
        format!("add `- {pascal}: fast` to `entities` of a game"),
        "and play it: `cargo run -- run my_game.yaml`",
    );
    Ok(plan)
}
