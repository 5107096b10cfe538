//! A new game: built-in, in a crate, or in a user's file.

use std::path::Path;

use anyhow::Result;

use crate::edit::with_line;
use crate::{Name, ScaffoldPlan, Sort, Taken, filled};

const GAME: &str = include_str!("../templates/game.yaml.txt");
/// The rules in words, with values from the project's parts inserted.
const RULES_TEXT: &str = include_str!("../templates/rules_text.yaml.txt");

/// The YAML for a game of beans on sand. If `own` is given, the game uses this part.
pub(crate) fn text(name: &Name, header: &str, own: Option<Sort>) -> String {
    let pascal = name.pascal();
    // The value for the own part, or the default.
    let unless = |sort: Sort, its: String, usual: &str| if own == Some(sort) { its } else { usual.to_owned() };
    let of_entity = |text: String| unless(Sort::Entity, text, "");
    let rules_text = if matches!(own, None | Some(Sort::Entity)) { RULES_TEXT } else { "" };
    let season = "    max_action_schedule_size: 2
    stopping_conditions:
      - [{state_variable: [Field-0, Plant-0, stage], function: fraction, of: [harvested, dead, none], operator: '>=', ref_value: 1}]
    max_steps: 200";
    let score = "  BasicScore:
    default_intervention_cost: 0.02
    reward_mix: {stage_transition: 1.0}
    final_reward_mix: {yield#kg: 10.0}";
    let values = [
        ("header", header.to_owned()),
        ("snake", name.snake()),
        ("Title", name.sentence()),
        ("rules_text", rules_text.to_owned()),
        ("entity", of_entity(format!("      - {pascal}: fast\n"))),
        ("observation", of_entity(format!("      - [Field-0, {pascal}-0, amount#nb]\n"))),
        ("action", of_entity(format!("        {pascal}-0:\n          remove: {{plot: '*'}}\n"))),
        (
            "farmer",
            unless(
                Sort::Farmer,
                format!("{pascal}: {{max_daily_interventions: 2, least_air_temperature#°C: 12}}"),
                "BasicFarmer: {max_daily_interventions: 2}",
            ),
        ),
        ("rule", unless(Sort::Rule, pascal.clone(), "BasicRule")),
        ("season", unless(Sort::Rule, "    actions_per_day#nb: 2\n    season#day: 150".to_owned(), season)),
        ("score", unless(Sort::Score, format!("  {pascal}: {{harvest#kg-1: 10, work_cost: 0.02}}"), score)),
        (
            "policy",
            unless(
                Sort::Policy,
                format!("  {}: {{{pascal}: {{action: water_discrete, every#day: 3}}}}\n", name.snake()),
                "",
            ),
        ),
    ];
    let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
    filled(GAME, &values)
}

pub(crate) fn plan_for_catalogue(root: &Path, name: &Name, taken: &Taken) -> Result<ScaffoldPlan> {
    name.check_new_game(taken)?;
    let snake = name.snake();
    let text = text(name, "# yaml-language-server: $schema=../../schemas/game.schema.json\n", None);
    let mut plan = ScaffoldPlan::new(root);
    plan.file(root.join(format!("farm-games/games/{snake}.yaml")), text);
    let entry = format!("    \"{snake}\" 0 Crops,");
    plan.edit(root.join("farm-games/src/catalogue.rs"), |text| with_line(text, "    \"", &entry))?;
    plan.next("set the family of the game in farm-games/src/catalogue.rs", "the default is `Crops`");
    plan.next(format!("cargo run -- run {snake} --policy expert --episodes 3"), "runs the game");
    plan.next(
        "INSTA_UPDATE=always cargo test -p farm-games --test text_channel",
        "writes the instructions for players: read them",
    );
    plan.next("cargo test -p farm-games --test invariants conform", "runs the checks of all games");
    plan.next("add a row to the table of games in README.md", "the table lists all games, like `farm list games`");
    Ok(plan)
}

pub(crate) fn plan_for_file(folder: &Path, name: &Name, taken: &Taken, program: &str) -> Result<ScaffoldPlan> {
    plan_of_file(folder, name, taken, program, text(name, &file_header(name, program), None))
}

/// The first lines in a user's game file.
pub(crate) fn file_header(name: &Name, program: &str) -> String {
    format!(
        "# `{program} check {}.yaml` reports every mistake. `{program} list entities` lists the possible entities of a field,
# and `{program} describe Plant` the parameters of a plant.\n",
        name.snake()
    )
}

/// Plans a game file with this text.
pub(crate) fn plan_of_file(
    folder: &Path,
    name: &Name,
    taken: &Taken,
    program: &str,
    text: String,
) -> Result<ScaffoldPlan> {
    name.check_new_game(taken)?;
    let file = format!("{}.yaml", name.snake());
    let mut plan = ScaffoldPlan::new(folder);
    plan.file(folder.join(&file), text);
    plan.next(format!("{program} check {file}"), "checks it after your changes");
    plan.next(format!("{program} run {file} --policy expert --episodes 3"), "runs a policy");
    plan.next(format!("{program} play {file}"), "play it yourself");
    plan.next(format!("{program} describe {file} --instructions shown"), "prints the instructions for players");
    Ok(plan)
}
