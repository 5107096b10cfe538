//! Broken rules and scores of a farm game.

use super::{C, Case, Expected, expect};

/// What is said of a cost for an action that the part does not have.
const UNKNOWN_ACTION: Expected =
    expect("score.BasicScore.intervention_cost.Field-0.Plant-0.harvst", "has no action `harvst`", "harvst:")
        .near("harvest");

pub(super) fn rule_cases() -> Vec<Case> {
    vec![
        Case {
            name: "unknown variables",
            game: C,
            edits: &[
                ("[Field-0, Weather-0, humidity#%]", "[Field-0, Weather-0, humidty#%]"),
                ("[Field-0, Plant-0, stage], function", "[Field-0, Plant-0, stge], function"),
            ],
            more: false,
            expected: vec![
                expect(
                    "rules.BasicRule.free_observations[2][2]",
                    "`Field-0.Weather-0` has no variable `humidty#%`",
                    "[Field-0, Weather-0, »humidty#%]",
                )
                .near("humidity#%"),
                expect(
                    "rules.BasicRule.stopping_conditions[0][0].state_variable[2]",
                    "has no variable `stge`",
                    "state_variable: [Field-0, Plant-0, »stge]",
                )
                .near("stage"),
            ],
        },
        Case {
            name: "unknown function, operator and key",
            game: C,
            edits: &[
                ("function: fraction", "function: fractoin"),
                ("function: value, operator: '>=', ref_value: 330", "operater: 1, operator: '=>', ref_value: 330"),
            ],
            more: false,
            expected: vec![
                expect(
                    "rules.BasicRule.stopping_conditions[0][0].function",
                    "unknown function `fractoin`",
                    "function: »fractoin",
                )
                .near("fraction"),
                expect("rules.BasicRule.stopping_conditions[1][0].operater", "unknown key `operater`", "operater: 1")
                    .near("operator"),
                expect(
                    "rules.BasicRule.stopping_conditions[1][0].operator",
                    "unknown operator `=>`",
                    "operator: »'=>'",
                ),
            ],
        },
        Case {
            name: "actions that cannot be",
            game: C,
            edits: &[
                ("          harvest:\n", "          harvset:\n"),
                ("micro_harvest: {plot: '*'}", "micro_harvest: {plot: '(3, 0)'}"),
                ("amount#L: [1, 2, 3, 5, 10, 20], duration", "amount#L: [1, 2, -3], duraton"),
            ],
            more: false,
            expected: vec![
                expect("rules.BasicRule.actions.Field-0.Plant-0.harvset", "has no action `harvset`", "harvset:")
                    .near("harvest"),
                expect(
                    "rules.BasicRule.actions.Field-0.Plant-0.micro_harvest.plot",
                    "not a valid value of `plot`",
                    "plot: »'(3, 0)'",
                ),
                expect(
                    "rules.BasicRule.actions.Field-0.Soil-0.water_discrete.amount#L[2]",
                    "not a valid value of `amount#L`",
                    "-3]",
                ),
                expect(
                    "rules.BasicRule.actions.Field-0.Soil-0.water_discrete.duraton#min",
                    "has no parameter `duraton#min`",
                    "duraton#min",
                )
                .near("duration#min"),
            ],
        },
        Case {
            name: "initial conditions that cannot be",
            game: C,
            edits: &[
                ("stage: seed", "stage: seeds"),
                ("population#nb: 1", "population#nb: 1000"),
                ("year#int100: (0, 9)", "forecast.rain_amount#mm.day-1: 1"),
                ("        Soil-0:\n          available", "        Soil-7:\n          available"),
            ],
            more: false,
            expected: vec![
                expect(
                    "rules.BasicRule.initial_conditions.Field-0.Plant-0.stage",
                    "`seeds` is not a value",
                    "stage: »seeds",
                )
                .near("seed"),
                expect(
                    "rules.BasicRule.initial_conditions.Field-0.Plant-0.population#nb",
                    "out of range",
                    "population#nb: »1000",
                ),
                expect(
                    "rules.BasicRule.initial_conditions.Field-0.Weather-0.forecast.rain_amount#mm.day-1",
                    "is computed and can't be set",
                    "forecast.rain_amount#mm.day-1: 1",
                ),
                expect(
                    "rules.BasicRule.initial_conditions.Field-0.Soil-7",
                    "field `Field-0` has no part `Soil-7`",
                    "Soil-7:",
                )
                .near("Soil-0"),
            ],
        },
        Case {
            name: "a range of a category",
            game: C,
            edits: &[("stage: seed", "stage: (0, 200)")],
            more: false,
            expected: vec![expect("rules.BasicRule.initial_conditions.Field-0.Plant-0.stage", "", "stage: »(0")],
        },
        Case {
            name: "a comparison with nothing",
            game: C,
            edits: &[(
                "function: value, operator: '>=', ref_value: 330",
                "function: value, operator: in, ref_value: []",
            )],
            more: false,
            expected: vec![expect("rules.BasicRule.stopping_conditions[1][0].ref_value", "", "ref_value: »[]")],
        },
        Case {
            name: "hidden variables",
            game: C,
            edits: &[(
                "[Field-0, Soil-0, available_Water#L]\n      - [Field-0, Plant-0, stage]",
                "[Field-0, Soil-0, supply_Water#L]\n      - [Field-0, Plant-0, stage]",
            )],
            more: true,
            expected: vec![expect(
                "rules.BasicRule.free_observations[6]",
                "is hidden and can't be observed",
                "[Field-0, Soil-0, supply_Water#L]",
            )],
        },
        Case {
            name: "observed twice",
            game: C,
            edits: &[("[Field-0, Plant-0, size#cm]", "[Field-0, Plant-0, stage]")],
            more: true,
            expected: vec![expect(
                "rules.BasicRule.free_observations[8]",
                "is observed twice",
                "[Field-0, Plant-0, stage]\n      - [Field-0, Plant-0, fruits",
            )],
        },
        Case {
            name: "costs and weights",
            game: C,
            edits: &[
                ("{harvest: 0.1, micro_harvest: 0.1}", "{harvst: 0.1, micro_harvest: -1}"),
                ("stage_transition: 1.0", "stage_transitions: 1.0"),
            ],
            more: false,
            expected: vec![
                UNKNOWN_ACTION,
                expect(
                    "score.BasicScore.intervention_cost.Field-0.Plant-0.micro_harvest",
                    "out of range",
                    "micro_harvest: »-1",
                ),
                expect("score.BasicScore.reward_mix.stage_transitions", "unknown parameter", "stage_transitions")
                    .near("stage_transition"),
            ],
        },
        Case {
            name: "the cost of an unknown action",
            game: C,
            edits: &[("{harvest: 0.1, micro_harvest: 0.1}", "{harvst: 0.1}")],
            more: false,
            expected: vec![UNKNOWN_ACTION],
        },
    ]
}
