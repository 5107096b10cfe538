//! Slips in what changes a game: presets and single values.

use super::support::{Case, check, slip};

const LONG: &str = "  long: {rules.BasicRule.max_steps: 365}";

/// The base game with this preset beside its own.
fn preset(name: &'static str, entry: &str) -> Case {
    slip(name, &[(LONG, &format!("{LONG}\n{entry}"))])
}

#[test]
fn what_is_said_about_changes() {
    let huge = format!("'{}'", "x".repeat(300));
    check(
        "changes",
        vec![
            slip("kind forgotten in a path", &[]).setting("rules.max_steps", "3"),
            slip("kind forgotten in a path, and misspelt", &[]).setting("rules.max_step", "3"),
            slip("path below a text", &[]).setting("name.x", "3"),
            slip("path below a list", &[]).setting("farmers.BasicFarmer.max_daily_interventions", "3"),
            slip("value of 300 signs", &[]).setting("Field-0.Soil-0.depth#m", &huge),
            slip("entry far behind the end of a list", &[]).setting("Field-0.entities.7", "Weeds"),
            slip("added to what is not a list", &[]).setting("rules.BasicRule.+", "Weeds"),
            slip("misspelt kind that is added", &[]).setting("Field-0.entities.+", "Weds"),
            slip("range in braces", &[])
                .setting("rules.BasicRule.initial_conditions", "{Field-0: {Weather-0: {day#int365: (1, 3)}}}"),
            slip("added with a sign (must load)", &[]).setting("Field-0.entities.+", "Weeds"),
            slip("added behind the last (must load)", &[]).setting("fields.Field-0.entities.3", "Weeds"),
            slip("one misspelt preset of two", &[]).preset("long+lnog"),
            preset("slip in a preset", "  wide: {fields.Field-0.shape.lenght#nb: 3}").preset("wide"),
            preset("wrong value in a preset", "  wide:\n    fields.Field-0.shape: {length#nb: -3}").preset("wide"),
            preset("slip in a part that a preset adds", "  weedy:\n    Field-0.entities.+: {Weeds: {grwth: 1}}")
                .preset("weedy"),
            preset("preset that leads nowhere", "  weedy: {Field-0.entities.9: Weeds}").preset("weedy"),
            preset("two presets (must load)", "  weedy: {Field-0.entities.+: Weeds}").preset("long+weedy"),
        ],
    );
}
