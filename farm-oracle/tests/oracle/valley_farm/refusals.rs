//! Rules that the planner does not know are refused, at the place where they stand.

use crate::support::environment;

/// Key, value, what is expected there.
const REFUSED: [(&str, &str, &str); 13] = [
    ("fields.Field-0.entities.1.CropTiles.seeds_per_planting#nb", "0", "1 or more"),
    ("fields.Field-0.entities.1.CropTiles.crops_per_harvest#nb", "3", "1"),
    ("fields.Field-0.entities.2.AnimalTiles.products_per_deposit#nb", "2", "1"),
    ("fields.Field-0.entities.2.AnimalTiles.sated_steps#step", "256", "an integer from 0 to 255"),
    ("fields.Field-0.entities.2.AnimalTiles.feeding_sated", "refused", "restarts"),
    ("fields.Field-0.entities.2.AnimalTiles.collecting", "always", "while_sated"),
    ("fields.Field-0.entities.2.AnimalTiles.feeding_step_ticks", "true", "false"),
    ("fields.Field-0.entities.2.AnimalTiles.collecting_resets", "false", "true"),
    ("fields.Field-0.entities.3.NeighbourTiles.gifts_per_giving#nb", "0", "1 or more"),
    ("fields.Field-0.entities.3.NeighbourTiles.reach", "[{dx: 0, dy: 0}]", "the tile itself and the four next to it"),
    ("fields.Field-0.entities.3.NeighbourTiles.reach", "[{dx: 0, dy: 2}]", "the eight around it"),
    ("fields.Field-0.entities.4.MarketTiles.doubling_relationship#point", "60", "an integer that divides 1000"),
    ("fields.Field-0.entities.4.MarketTiles.prices#coin.crops", "1.5", "an integer"),
];

#[test]
fn oracle_refuses_rules_that_it_does_not_know_where_they_stand() {
    for (key, value, expected) in REFUSED {
        let environment = environment("valley_farm", None, &[(key, value)]);
        for policy in ["oracle", "informed"] {
            let problems =
                environment.game().player(policy).err().unwrap_or_else(|| panic!("{key}: {value} is played"));
            let [problem] = &problems.0[..] else { panic!("{problems}") };
            // Indices are written after a dot on the command line, and in brackets in a path.
            let path = problem.path.to_string().replace('[', ".").replace(']', "");
            assert_eq!(path, key);
            assert!(problem.message.starts_with("no plan can be made for this game: "), "{problem}");
            assert!(problem.expected.as_deref().is_some_and(|text| text.contains(expected)), "{problem}");
            assert!(problem.value.is_some() && problem.help.is_some(), "{problem}");
        }
        // The game itself can be played.
        assert!(environment.game().player("random").is_ok());
    }
}

/// Amounts that an action takes are planned with: the plan is played in the game and returns its value there.
#[test]
fn amounts_that_actions_take_are_planned_with() {
    let set = [
        ("fields.Field-0.entities.1.CropTiles.seeds_per_planting#nb", "2"),
        ("fields.Field-0.entities.1.CropTiles.water_per_watering#nb", "2"),
        ("fields.Field-0.entities.1.CropTiles.stages_per_watering#nb", "2"),
        ("fields.Field-0.entities.2.AnimalTiles.feed_per_feeding#nb", "3"),
        ("fields.Field-0.entities.3.NeighbourTiles.gifts_per_giving#nb", "2"),
        ("fields.Field-0.entities.4.MarketTiles.doubling_relationship#point", "50"),
    ];
    let usual = environment("valley_farm", None, &[]);
    let taking = environment("valley_farm", None, &set);
    let value = |mut environment: farm_core::Environment| {
        let planner = farm_oracle::Planner::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
        environment.reset(3);
        let plan =
            planner.plan(environment.game(), environment.state()).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(plan.is_proven());
        plan.value
    };
    // One gift instead of three, one feed instead of three, two waterings that are enough for two crops.
    let (usual, taking) = (value(usual), value(taking));
    assert!(taking < usual - 4.0 && taking > 2.0, "{usual}, {taking}");
}
