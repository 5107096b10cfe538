//! Broken maps, things on them, and farmers who walk on them.

use super::{B, Case, expect};

pub(super) fn grid_cases() -> Vec<Case> {
    vec![
        Case {
            name: "an unknown action in a list",
            game: B,
            edits: &[("MoveW, Wait, Use", "MoveW, Wate, Use")],
            more: false,
            expected: vec![expect("rules.BasicRule.actions[4]", "no part has an action `Wate`", "Wate,").near("Wait")],
        },
        Case {
            name: "an unknown event",
            game: B,
            edits: &[("events: [harvest]", "events: [harvset]")],
            more: false,
            expected: vec![
                expect(
                    "score.MeterScore.meters.crop_yield.events",
                    "no part emits an event `harvset`",
                    "events: »[harvset]",
                )
                .near("harvest"),
            ],
        },
        Case {
            name: "a hidden variable under a key",
            game: B,
            edits: &[("position: [GridFarmer-0, position]", "position: [Field-0, TileMap-0, tiles]")],
            more: true,
            expected: vec![expect(
                "rules.BasicRule.free_observations.position",
                "is hidden and can't be observed",
                "position: »[Field-0",
            )],
        },
        Case {
            name: "a plan with a row too few",
            game: B,
            edits: &[("            .2....444.\n", "")],
            more: false,
            expected: vec![expect("fields.Field-0.entities[0].TileMap.plan", "different numbers of rows", "plan: |")],
        },
        Case {
            name: "a plan with a short row",
            game: B,
            edits: &[("            .2....444.\n", "            .2....444\n")],
            more: false,
            expected: vec![expect("fields.Field-0.entities[0].TileMap.plan", "row 6 of the plan", "plan: |")],
        },
        Case {
            name: "a plan with an unknown symbol",
            game: B,
            edits: &[("            .2....444.\n", "            .2..x.444.\n")],
            more: false,
            expected: vec![expect("fields.Field-0.entities[0].TileMap.plan", "unknown symbol", "plan: |")],
        },
        Case {
            name: "ground behind a wall",
            game: B,
            edits: &[
                ("            ..666.....\n", "            ..666...##\n"),
                (
                    "            .....5....\n            .....5....\n            .....5....\n",
                    "            .....5....\n            .....5..##\n            .....5..#.\n",
                ),
            ],
            more: false,
            expected: vec![expect("fields.Field-0.entities[0].TileMap.plan", "can't be reached", "plan: |")],
        },
        Case {
            name: "more things than tiles",
            game: B,
            edits: &[("count#nb: 12", "count#nb: 17")],
            more: false,
            expected: vec![expect(
                "fields.Field-0.entities[1].StagedTiles.area",
                "the area is too small",
                "area: »{x: 2, y: 2,",
            )],
        },
        Case {
            name: "an area beyond the map, unknown terrain and stage",
            game: B,
            edits: &[
                ("area: {x: 2, y: 2,", "area: {x: 8, y: 2,"),
                ("terrain: pen\n", "terrain: pens\n"),
                ("stages: [Hostile, Neutral, Friendly]", "stages: [Hostile, Neutrl, Friendly]"),
            ],
            more: false,
            expected: vec![
                expect(
                    "fields.Field-0.entities[1].StagedTiles.area",
                    "the area reaches beyond the map",
                    "area: »{x: 8",
                ),
                expect(
                    "fields.Field-0.entities[2].StagedTiles.terrain",
                    "the map has no terrain `pens`",
                    "terrain: »pens",
                )
                .near("pen"),
                expect(
                    "fields.Field-0.entities[3].StagedTiles.stages",
                    "the map has no status `Neutrl`",
                    "stages: »[Hostile",
                )
                .near("Neutral"),
            ],
        },
        Case {
            name: "a view larger than the margin",
            game: B,
            edits: &[("view#tile: 5", "view#tile: 7")],
            more: false,
            expected: vec![expect(
                "farmers[0].GridFarmer.view#tile",
                "reaches beyond the map's margin",
                "view#tile: »7",
            )],
        },
        Case {
            name: "a view without a middle, three moves, unknown terrain",
            game: B,
            edits: &[(
                "GridFarmer: {view#tile: 5}",
                "GridFarmer: {view#tile: 4, moves: [MoveN, MoveS, MoveE], starts_on: gruond}",
            )],
            more: true,
            expected: vec![
                expect("farmers[0].GridFarmer.view#tile", "has no middle", "view#tile: »4"),
                expect("farmers[0].GridFarmer.moves", "the farmer needs four moves", "moves: »[MoveN, MoveS, MoveE]"),
                expect("farmers[0].GridFarmer.starts_on", "the map has no terrain `gruond`", "starts_on: »gruond")
                    .near("ground"),
            ],
        },
        Case {
            name: "a map without its terrains",
            game: B,
            edits: &[(
                "terrains: [ground, field, pen, house, fence, outside]",
                "terrains: [ground, field, pen, house]",
            )],
            more: true,
            expected: vec![
                expect("fields.Field-0.entities[0].TileMap.terrains", "`fence` is missing", "terrains: »["),
                expect("fields.Field-0.entities[0].TileMap.terrains", "`outside` is missing", "terrains: »["),
            ],
        },
        Case {
            name: "an unknown effect of a verb",
            game: B,
            edits: &[("verbs: {Compliment: down, Insult: up}", "verbs: {Compliment: downn, Insult: 3}")],
            more: false,
            expected: vec![
                expect(
                    "fields.Field-0.entities[3].StagedTiles.verbs.Compliment",
                    "`downn` is not a choice",
                    "Compliment: »downn",
                )
                .near("down"),
                expect("fields.Field-0.entities[3].StagedTiles.verbs.Insult", "found a number", "Insult: »3"),
            ],
        },
    ]
}
