//! What was not paid for is not told.

use serde_json::json;

use crate::sheet::Sheet;

#[test]
fn a_text_that_is_not_an_observation_is_refused() {
    let env = Sheet::default().environment();
    let (layout, text) = (env.game().observation(), env.game().observation().to_text(env.observation()));
    for broken in [
        text.replacen(": ?", ": ? ?", 1),
        text.replacen(": ?", ":", 1),
        text.replacen(": ?", ": x", 1),
        text.replace("half_step: observation", "half_step: ?"),
        text.replace("half_step: observation", "half_step: both"),
        text.lines().skip(1).collect::<Vec<_>>().join("\n"),
        String::new(),
    ] {
        assert_ne!(broken, text);
        assert!(layout.parse_text(&broken).is_err(), "{broken}");
    }
}

/// Two farms that differ in the water of one plot, and nothing else, before anything has happened.
#[test]
fn two_farms_that_differ_in_what_was_not_paid_for_look_the_same() {
    let rules = |water: u32| {
        format!(
            "max_action_schedule_size: 3\nfree_observations: [[Field-0, Soil-0, available_N#g], \
             [Field-0, Soil-0, available_Water#L, ['(1, 0)']]]\n\
             initial_conditions: {{Field-0: {{Soil-0: {{available_Water#L: {{'*': 100, '(2, 0)': {water}}}}}}}}}\n"
        )
    };
    let env = |water| Sheet { rules: &rules(water), ..Sheet::default() }.environment();
    let (mut dry, mut wet) = (env(90), env(110));
    assert_ne!(
        dry.state_json()["Field-0.Soil-0.available_Water#L"],
        wet.state_json()["Field-0.Soil-0.available_Water#L"]
    );
    let mut alike = |request: serde_json::Value, expected: bool| {
        for env in [&mut dry, &mut wet] {
            env.reset(3);
            env.step(&request).unwrap();
        }
        let same = [
            dry.observation() == wet.observation(),
            dry.observation_json() == wet.observation_json(),
            dry.game().observation().to_text(dry.observation()) == wet.game().observation().to_text(wet.observation()),
            dry.game().learner_view().list(dry.observation()) == wet.game().learner_view().list(wet.observation()),
        ];
        assert_eq!(same, [expected; 4], "{request}");
        assert_eq!(dry.info(), wet.info());
    };
    alike(json!([]), true);
    alike(json!([["Weather-0", "wind", []], ["Plant-0", "stage", []], ["Soil-0", "available_P#g", []]]), true);
    alike(json!([["Soil-0", "available_Water#L", [[0, 0]]]]), true);
    alike(json!([["Soil-0", "available_Water#L", [[1, 0]]]]), true);
    alike(json!([["Soil-0", "available_Water#L", [[2, 0]]]]), false);
    alike(json!([["Soil-0", "available_Water#L", []]]), false);
}
