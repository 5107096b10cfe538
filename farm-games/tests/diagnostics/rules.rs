//! Slips in rules, scores and policies: names of what the game has, and what can be said about them.

use super::support::{check, slip};

const FIRST: &str = "[Field-0, Weather-0, day#int365]\n      - [Field-0, Soil";

#[test]
fn what_is_said_about_observations() {
    check(
        "observations",
        vec![
            slip("misspelt variable", &[("Soil-0, available_Water#L]\n", "Soil-0, avialable_Water#L]\n")]),
            slip("variable without its unit", &[("Soil-0, available_Water#L]\n", "Soil-0, available_Water]\n")]),
            slip(
                "misspelt entity of a variable",
                &[(FIRST, "[Field-0, Wether-0, day#int365]\n      - [Field-0, Soil")],
            ),
            slip(
                "misspelt field of a variable",
                &[(FIRST, "[Feild-0, Weather-0, day#int365]\n      - [Field-0, Soil")],
            ),
            slip("variable in one text", &[(FIRST, "Field-0.Weather-0.day#int365\n      - [Field-0, Soil")]),
            slip("variable without a name", &[(FIRST, "[Field-0, Weather-0]\n      - [Field-0, Soil")]),
            slip("plot outside the field", &[("['(0, 0)']]", "['(2, 0)']]")]),
            slip(
                "path below a single value",
                &[(FIRST, "[Field-0, Weather-0, day#int365, 3]\n      - [Field-0, Soil")],
            ),
            slip("hidden variable observed", &[("Soil-0, available_Water#L]\n", "Soil-0, supply_Water#L]\n")]),
            slip(
                "observed twice",
                &[(
                    "      - [Field-0, Plant-0, stage]\n",
                    "      - [Field-0, Plant-0, stage]\n      - [Field-0, Plant-0, stage]\n",
                )],
            ),
            slip(
                "observations that are no list",
                &[("    free_observations:\n", "    free_observations: everything\n    observations:\n")],
            ),
        ],
    );
}

const WATER: &str = "{plot: ['(0, 0)', '(1, 0)'], amount#L: [1, 5], duration#min: [60]}";

#[test]
fn what_is_said_about_actions() {
    check(
        "actions",
        vec![
            slip("misspelt action", &[("          harvest:", "          harvset:")]),
            slip("misspelt parameter of an action", &[("duration#min: [60]", "duratoin#min: [60]")]),
            slip("parameter of an action without its unit", &[("amount#L: [1, 5]", "amount: [1, 5]")]),
            slip("value that an action does not take", &[("amount#L: [1, 5]", "amount#L: [1, -5]")]),
            slip("range wider than an action allows", &[("amount#L: [1, 5]", "amount#L: (-1, 5)")]),
            slip("no value left for an action", &[("amount#L: [1, 5]", "amount#L: []")]),
            slip("action in a plot outside the field", &[("['(0, 0)', '(1, 0)']", "['(0, 0)', '(0, 1)']")]),
            slip("parameters that are no mapping", &[(WATER, "[1, 5]")]),
            slip("actions that are no tree", &[("    actions:\n", "    actions: all\n    observations:\n")]),
            slip(
                "action of an entity that is not there",
                &[("        Plant-0:\n          harvest:", "        Plant-1:\n          harvest:")],
            ),
            slip(
                "allowed twice in a list",
                &[
                    ("    actions:\n", "    actions: [harvest, Field-0.Plant-0.harvest]\n    observations:\n"),
                    (WATER, ""),
                    (
                        "        Soil-0:\n          water_discrete: \n        Plant-0:\n          harvest:\n",
                        "        {}\n",
                    ),
                ],
            ),
            slip(
                "farmer without permission",
                &[
                    ("{max_daily_interventions: 2}", "{permissions: {Field-0: {can_intervene: false}}}"),
                    ("    actions:\n      Field-0:\n", "    actions:\n      BasicFarmer-0:\n       Field-0:\n"),
                ],
            ),
            slip("negative cost", &[("water_discrete: 0.02", "water_discrete: -0.02")]),
            slip("cost of an action that is not there", &[("water_discrete: 0.02", "water_discreet: 0.02")]),
            slip(
                "cost of an entity that is not there",
                &[("Soil-0: {water_discrete: 0.02}", "Soli-0: {water_discrete: 0.02}")],
            ),
        ],
    );
}

#[test]
fn what_is_said_about_conditions() {
    let fraction = "function: fraction, of: [dead], operator: '>=', ref_value: 1}";
    check(
        "conditions",
        vec![
            slip("misspelt initial stage", &[("{stage: seed}", "{stage: sede}")]),
            slip("initial value out of range", &[("[110, 120]", "[110, 400]")]),
            slip("initial value that is no number", &[("[110, 120]", "early")]),
            slip("misspelt initial variable", &[("{stage: seed}", "{stagge: seed}")]),
            slip(
                "initial value of what is computed",
                &[("{day#int365: [110, 120]}", "{forecast.rain_amount#mm.day-1: 1}")],
            ),
            slip("misspelt function", &[("function: fraction", "function: fractoin")]),
            slip("misspelt operator", &[("operator: '>=', ref_value: 330", "operator: '=>', ref_value: 330")]),
            slip(
                "misspelt key of a condition",
                &[(fraction, "functoin: fraction, of: [dead], operator: '>=', ref_value: 1}")],
            ),
            slip("misspelt value to count", &[("of: [dead]", "of: [daed]")]),
            slip(
                "condition on all plots at once",
                &[("function: fraction, of: [dead], operator: '>=', ref_value: 1", "operator: '==', ref_value: dead")],
            ),
            slip("condition without a reference value", &[("operator: '>=', ref_value: 330", "operator: '>='")]),
            slip("condition without an operator", &[("operator: '>=', ref_value: 330", "ref_value: 330")]),
            slip(
                "condition without a variable",
                &[("{state_variable: [Field-0, Weather-0, day#int365], operator", "{operator")],
            ),
            slip(
                "condition outside a list",
                &[(
                    "- [{state_variable: [Field-0, Weather-0, day#int365], operator: '>=', ref_value: 330}]",
                    "- {state_variable: [Field-0, Weather-0, day#int365], operator: '>=', ref_value: 330}",
                )],
            ),
            slip(
                "stopping conditions that are no list",
                &[
                    ("    max_steps: 250", "    max_steps: 250\n  # The list of the conditions is lost."),
                    (BASE_CONDITIONS, "    stopping_conditions: never\n"),
                ],
            ),
            slip(
                "condition that can never hold (warning)",
                &[("operator: '>=', ref_value: 330", "operator: '>=', ref_value: 365")],
            ),
            slip(
                "reference value in words",
                &[("operator: '>=', ref_value: 330", "operator: '>=', ref_value: December")],
            ),
        ],
    );
}

const BASE_CONDITIONS: &str = "    stopping_conditions:
      - [{state_variable: [Field-0, Plant-0, stage], function: fraction, of: [dead], operator: '>=', ref_value: 1}]
      - [{state_variable: [Field-0, Weather-0, day#int365], operator: '>=', ref_value: 330}]
";

#[test]
fn what_is_said_about_policies() {
    check(
        "policies",
        vec![
            slip(
                "policy that looks at what is not observed",
                &[("available_Water#L], operator", "microlife_health_index#%], operator")],
            ),
            slip("policy that does what is not allowed", &[("amount#L: 5}}", "amount#L: 7}}")]),
            slip("policy with a misspelt action", &[("action: water_discrete", "action: water_discreet")]),
            slip(
                "policy with a misspelt variable",
                &[("available_Water#L], operator", "avialable_Water#L], operator")],
            ),
            slip("policy with a misspelt key", &[("        - when:", "        - wehn:")]),
            slip("policy that acts in a plot outside the field", &[("plot: here", "plot: '(5, 0)'")]),
        ],
    );
}

#[test]
fn what_is_said_about_the_start() {
    let day = |name, value: &str| slip(name, &[("day#int365: [110, 120]", &format!("day#int365: {value}"))]);
    check(
        "start",
        vec![
            day("range upside down", "'(120, 110)'"),
            day("range with a hyphen", "110-120"),
            day("range without its end", "'(110'"),
            day("empty list", "[]"),
            day("word instead of a number", "spring"),
            day("fraction of a day", "1.5"),
            day("range (must load)", "'(110, 120)'"),
            slip("variable misspelt", &[("day#int365: [110", "daay#int365: [110")]),
            slip(
                "soil too dry for plants",
                &[
                    ("- Soil: clay", "- Soil: {base: clay, equations: agronomic}"),
                    ("Plant-0: {stage: seed}", "Soil-0: {available_Water#L: '(120, 170)'}"),
                ],
            ),
        ],
    );
}
