//! Broken parts, and games whose parts are missing or too many.

use super::{B, C, Case, expect};

pub(super) fn entity_cases() -> Vec<Case> {
    vec![
        Case {
            name: "unknown entity",
            game: C,
            edits: &[("- Plant: bean", "- Brids: few")],
            more: false,
            expected: vec![expect("fields.Field-0.entities[2].Brids", "unknown entity `Brids`", "Brids: few")],
        },
        Case {
            name: "unknown entity with a near name",
            game: C,
            edits: &[("- Plant: bean", "- Plnat: bean")],
            more: false,
            expected: vec![expect("fields.Field-0.entities[2].Plnat", "unknown entity", "Plnat").near("Plant")],
        },
        Case {
            name: "unknown parameter set",
            game: C,
            edits: &[("- Plant: bean", "- Plant: baen")],
            more: false,
            expected: vec![
                expect("fields.Field-0.entities[2].Plant", "`Plant` has no parameter set `baen`", "Plant: »baen")
                    .near("bean"),
            ],
        },
        Case {
            name: "unknown parameter, wrong unit, out of range, not a number",
            game: C,
            edits: &[(
                "- Soil: clay",
                "- Soil: {base: clay, dephth#m: 1, capillarity: 2}\n      - Soil: {depth#cm: 50, initial_water#L.m-3: 2000, initial_N#g.m-2: .nan}",
            )],
            more: true,
            expected: vec![
                expect("fields.Field-0.entities[1].Soil.dephth#m", "unknown parameter `dephth#m`", "dephth#m")
                    .near("depth#m"),
                expect("fields.Field-0.entities[1].Soil.capillarity", "unknown parameter `capillarity`", "capillarity"),
                expect("fields.Field-0.entities[2].Soil.depth#cm", "does not have the unit of `depth#m`", "depth#cm")
                    .near("depth#m"),
                expect(
                    "fields.Field-0.entities[2].Soil.initial_water#L.m-3",
                    "out of range",
                    "initial_water#L.m-3: »2000",
                ),
                expect(
                    "fields.Field-0.entities[2].Soil.initial_N#g.m-2",
                    "not a finite number",
                    "initial_N#g.m-2: ».nan",
                ),
            ],
        },
        Case {
            name: "wrong types",
            game: C,
            edits: &[
                ("- Soil: clay", "- Soil: {depth#m: deep, drainage: 3, leaching: corected}"),
                ("- Weather: montpellier", "- Weather: [1]"),
            ],
            more: false,
            expected: vec![
                expect("fields.Field-0.entities[1].Soil.depth#m", "found a string", "depth#m: »deep"),
                expect("fields.Field-0.entities[1].Soil.drainage", "found a number", "drainage: »3"),
                expect("fields.Field-0.entities[1].Soil.leaching", "is not a choice", "leaching: »cor")
                    .near("corrected"),
                expect("fields.Field-0.entities[0].Weather", "found a list", "Weather: »[1]"),
            ],
        },
        Case {
            name: "deep parameters",
            game: C,
            edits: &[(
                "- Plant: bean",
                "- Plant: {base: bean, grow: {rate: {rate_mni: 1, rate_min: 3}}, seed: {sprout_humidity#%: [80, 20]}}",
            )],
            more: false,
            expected: vec![
                expect("fields.Field-0.entities[2].Plant.grow.rate.rate_mni", "unknown parameter", "rate_mni")
                    .near("rate_min"),
                expect("fields.Field-0.entities[2].Plant.grow.rate.rate_min", "out of range", "rate_min: »3"),
                expect(
                    "fields.Field-0.entities[2].Plant.seed.sprout_humidity#%",
                    "the first number of the pair is above the second",
                    "sprout_humidity#%: »[80",
                ),
            ],
        },
        Case {
            name: "a base that is no name",
            game: C,
            edits: &[("- Soil: clay", "- Soil: {base: [clay]}")],
            more: false,
            expected: vec![expect(
                "fields.Field-0.entities[1].Soil.base",
                "`base` must be the name of a parameter set",
                "base: »[",
            )],
        },
        Case {
            name: "values that do not fit each other",
            game: C,
            edits: &[("- Soil: clay", "- Soil: {base: clay, wilting_point#L.m-3: 500}")],
            more: true,
            expected: vec![expect(
                "fields.Field-0.entities[1].Soil.wilting_point#L.m-3",
                "is above the capacity",
                "wilting_point#L.m-3: »500",
            )],
        },
    ]
}

pub(super) fn structure_cases() -> Vec<Case> {
    vec![
        Case {
            name: "missing and misspelt keys",
            game: C,
            edits: &[("\nscore:\n", "\nscoer:\n"), ("name: clay_bean-v0\n", "")],
            more: false,
            expected: vec![
                expect("scoer", "unknown parameter `scoer`", "scoer:").near("score"),
                expect("", "`name` is missing", "doc: "),
            ],
        },
        Case {
            name: "a field without entities",
            game: B,
            edits: &[("    entities:\n", "    entites:\n")],
            more: false,
            expected: vec![
                expect("fields.Field-0.entites", "unknown parameter `entites`", "entites:").near("entities"),
            ],
        },
        Case {
            name: "the form of the field",
            game: C,
            edits: &[(
                "shape: {length#nb: 1, width#nb: 1, scale#m: 1.0}",
                "shape: {length#nb: 0, width#nb: 1.5, scale: 1.0}",
            )],
            more: false,
            expected: vec![
                expect("fields.Field-0.shape.length#nb", "out of range", "length#nb: »0"),
                expect("fields.Field-0.shape.width#nb", "found a number", "width#nb: »1.5"),
                expect("fields.Field-0.shape.scale", "key `scale` needs its unit", "scale: 1.0").near("scale#m"),
            ],
        },
        Case {
            name: "a plant without weather",
            game: C,
            edits: &[("      - Weather: montpellier\n", "")],
            more: true,
            expected: vec![
                expect(
                    "fields.Field-0.entities[1].Plant",
                    "`Field-0.Plant-0` needs the roles `air_temperature_mean`, `relative_humidity`, ",
                    "Plant: bean",
                ),
                expect(
                    "fields.Field-0.entities[0].Soil",
                    "`Field-0.Soil-0` needs the roles `rain_amount`, ",
                    "Soil: clay",
                ),
                expect(
                    "rules.BasicRule.initial_conditions.Field-0.Weather-0",
                    "field `Field-0` has no part `Weather-0`",
                    "Weather-0:\n",
                ),
                expect(
                    "rules.BasicRule.free_observations[0][1]",
                    "has no part `Weather-0`",
                    "[Field-0, »Weather-0, day#int365]\n      - [Field-0, Weather-0, air",
                ),
            ],
        },
        Case {
            name: "two weathers",
            game: C,
            edits: &[("      - Weather: montpellier\n", "      - Weather: montpellier\n      - Weather\n")],
            more: true,
            expected: vec![
                expect(
                    "fields.Field-0.entities[3].Plant",
                    "needs one provider of the roles `air_temperature_mean`, ",
                    "Plant: bean",
                ),
                expect(
                    "fields.Field-0.entities[2].Soil",
                    "needs one provider of the roles `rain_amount`, ",
                    "Soil: clay",
                ),
            ],
        },
    ]
}
