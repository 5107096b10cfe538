//! Golden hashes of whole states.

use serde_json::json;

use super::golden_file::{Episode, Golden};
use super::support::*;

#[test]
fn golden_states_of_three_seeds_after_reset_and_after_two_days() {
    let mut env = shipped(&[]);
    Golden::check(include_str!("../golden/walking_farmer.json"), |_, seed| {
        env.reset(seed);
        let start = env.state().hash();
        let sow = |env: &farm_core::Environment| {
            let (x, y) = position(env);
            call(env, "Plant-0", "sow", json!({"plot": [x, y], "amount#seed": 1, "spacing#cm": 20}))
        };
        let water = |env: &farm_core::Environment| {
            let (x, y) = position(env);
            call(env, "Soil-0", "water_discrete", json!({"plot": [x, y], "amount#L": 20, "duration#min": 60}))
        };
        for name in ["MoveN", "MoveE", "MoveS", "MoveS", "Refill", "MoveW", "MoveW", "Wait", "MoveN"].repeat(2) {
            walk(&mut env, &[name]);
            let (sow, water) = (sow(&env), water(&env));
            if name != "Refill" {
                attempt(&mut env, sow);
                attempt(&mut env, water);
            }
            if name == "Refill" {
                assert_eq!(position(&env), (4, 4));
            }
            if name == "Wait" {
                walk(&mut env, &["MoveE", "MoveW"]);
            }
            if position(&env) == (2, 3) {
                walk(&mut env, &["MoveE"]);
            }
        }
        assert_eq!(env.state().step(), 2, "weather, plants and weeds have had two days");
        Episode { seed, start, end: env.state().hash(), farm_value: None }
    });
}
