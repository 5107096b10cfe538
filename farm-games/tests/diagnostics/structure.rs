//! Slips in the structure of a game: keys, parts that are missing or too many, presets and settings.

use super::support::{BASE, check, file, slip};

#[test]
fn what_is_said_about_structure() {
    check(
        "structure",
        vec![
            slip("rule in a list", &[("  BasicRule:\n", "  - BasicRule:\n")]),
            slip("misspelt key of the game", &[("\nscore:\n", "\nscoer:\n")]),
            slip("missing name", &[("name: garden\n", "")]),
            slip("misspelt key of a field", &[("    entities:\n", "    entites:\n")]),
            slip("misspelt key of a rule", &[("    max_steps: 250", "    max_step: 250")]),
            slip("no fields", &[(&fields(), "fields: {}\n")]),
            slip(
                "no entities",
                &[(
                    "    entities:\n      - Weather: montpellier\n      - Soil: clay\n      - Plant: bean\n",
                    "    entities: []\n",
                )],
            ),
            slip("no farmers", &[("farmers:\n  - BasicFarmer: {max_daily_interventions: 2}\n", "farmers: []\n")]),
            slip("nothing below a key", &[("  - BasicFarmer: {max_daily_interventions: 2}\n", "")]),
            slip("farmers that are no list", &[("  - BasicFarmer: {max", "  BasicFarmer: {max")]),
            slip("fields that are a list", &[("  Field-0:\n    localization", "  - Field-0:\n    localization")]),
            slip("size of a field out of range", &[("length#nb: 2", "length#nb: 0")]),
            slip("role that no part provides", &[("      - Weather: montpellier\n", "")]),
            slip(
                "role that two provide",
                &[("      - Weather: montpellier\n", "      - Weather: montpellier\n      - Weather: lille\n")],
            ),
            slip("misspelt interaction mode", &[("\nscore:\n", "\ninteraction_mode: amdp\n\nscore:\n")]),
            slip("misspelt preset", &[]).preset("lnog"),
            slip("preset that leads nowhere", &[("rules.BasicRule.max_steps: 365", "rules.BasicRule.max_stpes: 365")])
                .preset("long"),
            slip("setting of an entity that is not there", &[]).setting("Field-0.Soli-0.depth#m", "1"),
            slip("setting of an entry that is not there", &[])
                .setting("farmers.5.BasicFarmer.max_daily_interventions", "1"),
            slip("setting of a key that is not there", &[]).setting("farmer.0", "1"),
            slip("setting out of range", &[]).setting("Field-0.Soil-0.depth#m", "-1"),
            slip("setting that is no YAML", &[]).setting("Field-0.Soil-0.depth#m", "[1"),
            slip("text with braces that are never closed", &[]).setting("rules_text", "'{{ part(\"Soil-0\").depth'"),
            slip("text with a placeholder of an earlier form", &[]).setting("rules_text", "'{Soil-0.depth#m} m deep'"),
            slip("text with a choice of an earlier form", &[])
                .setting("goal", "'{BasicScore-0.daily_reward?=none|some}'"),
            slip("text with half an expression", &[]).setting("goal", "'Grow {{ 1 + }} beans.'"),
            slip("text with an unknown filter", &[])
                .setting("goal", "'{{ part(\"Soil-0\").depth | plurl(\"m\", \"m\") }}'"),
            slip("text without `game` before a path", &[]).setting("goal", "'{{ rules.BasicRule.max_steps }} days'"),
            slip("text with an unknown parameter", &[]).setting("goal", "'{{ part(\"Soil-0\").dept }} m'"),
            slip("text with an unknown part", &[]).setting("goal", "'{{ part(\"Soli-0\").depth }} m'"),
            file("list instead of a game", "", "- 1\n- 2\n"),
            file("word instead of a game", "", "hello\n"),
            file("parameter set instead of a game", "", "clay:\n  depth#m: 1\n"),
        ],
    );
}

fn fields() -> String {
    let (_, rest) = BASE.split_once("\nfields:").expect("the fields");
    let (fields, _) = rest.split_once("\nfarmers:").expect("the farmers");
    format!("fields:{fields}")
}
