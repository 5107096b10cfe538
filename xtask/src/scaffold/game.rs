//! A new game of the catalogue.

use std::path::Path;

use anyhow::{Result, bail};
use farm_core::Game;
use farm_core::instructions::RulesText;
use farm_core::spec::load;
use farm_games::CATALOGUE;

use super::{Name, Plan, filled, with_line};

const GAME: &str = include_str!("templates/game.yaml.txt");

/// The YAML of a game, with an entity of this name in it where one is given.
pub fn text(name: &Name, header: &str, entity: Option<&str>) -> String {
    let lines = entity.map(|entity| {
        [
            format!("      - {entity}: many\n"),
            format!("      - [Field-0, {entity}-0, population#nb]\n"),
            format!("        {entity}-0:\n          drive_away: {{plot: '*'}}\n"),
        ]
    });
    let [entity, observation, action] = lines.unwrap_or_default();
    let values = [
        ("header", header),
        ("snake", &name.snake()),
        ("Title", &name.sentence()),
        ("entity", &entity),
        ("observation", &observation),
        ("action", &action),
    ];
    filled(GAME, &values)
}

pub fn plan(root: &Path, name: &Name) -> Result<Plan> {
    let snake = name.snake();
    if CATALOGUE.iter().any(|entry| entry.name == snake) {
        bail!(
            "there is already a game `{snake}`: choose another name, as in `my_{snake}`; `farm describe {snake}` shows it"
        );
    }
    let text = text(name, "# yaml-language-server: $schema=../../schemas/game.schema.json\n", None);
    let game =
        load(&format!("{snake}.yaml"), &text).and_then(Game::new).map_err(|problems| anyhow::anyhow!("{problems}"))?;
    let mut plan = Plan::default();
    plan.file(root.join(format!("farm-games/games/{snake}.yaml")), text);
    // What players are told is reviewed by people: the first version is what the game says now.
    for (rules, word) in [(RulesText::Hidden, "hidden"), (RulesText::Shown, "shown")] {
        let file = format!("farm-games/tests/text_channel/instructions/{snake}_{word}.txt");
        plan.file(root.join(file), game.instructions(rules));
    }
    let entry = format!("    CatalogueEntry {{ name: \"{snake}\", yaml: include_str!(\"../games/{snake}.yaml\") }},");
    plan.edit(root.join("farm-games/src/lib.rs"), |text| with_line(text, "    CatalogueEntry { name: \"", &entry))?;
    plan.next(format!("cargo run -- run {snake} --policy expert --episodes 3"), "play it");
    plan.next(format!("cargo run -- describe {snake} --instructions shown"), "what players are told");
    plan.next("cargo test -p farm-games --test invariants conform", "what every game must hold");
    plan.next("cargo test -p farm-games --test text_channel", "the reviewed texts are those of the game");
    plan.next("add a row to the table of games in README.md", "and `farm list games` shows it");
    Ok(plan)
}
