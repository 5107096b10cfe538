//! Games in several files.

use super::support::{check, file, slip};

#[test]
fn what_is_said_about_files() {
    let rules = "score:\n  BasicScore:\n    intervention_cost:\n      Field-0:\n        Soil-0: {water_discrete: 0.02}\n    reward_mix: {stage_transition: 1.0}\n";
    let broken = "BasicScore:\n  reward_mix: {stage_transitoin: 1.0}\n";
    check(
        "files",
        vec![
            slip("missing file", &[(rules, "score: garden_score.yaml\n")]),
            slip(
                "missing file of an entity list",
                &[("farmers:\n  - BasicFarmer: {max_daily_interventions: 2}\n", "farmers: [people/anna.yaml]\n")],
            ),
            slip("slip in another file", &[(rules, "score: garden_score.yaml\n")]).with("garden_score.yaml", broken),
            slip("syntax of another file", &[(rules, "score: garden_score.yaml\n")])
                .with("garden_score.yaml", "BasicScore: {\n"),
            slip("another file is empty", &[(rules, "score: garden_score.yaml\n")]).with("garden_score.yaml", ""),
            slip("file that includes itself", &[(rules, "score: game.yaml\n")]),
            slip("files in a circle", &[(rules, "score: a.yaml\n")])
                .with("a.yaml", "b.yaml\n")
                .with("b.yaml", "a.yaml\n"),
            slip("folder instead of a part", &[(rules, "score: parts.yaml\n")]).with("parts.yaml/inside.txt", "x"),
            slip("unused file beside the game (warning)", &[]).with("game_init.yaml", "initial_conditions: {}\n"),
            file("folder instead of a game", "", "").opening("."),
            file("no such file", "", "").opening("gaem.yaml"),
        ],
    );
}
