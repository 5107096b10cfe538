//! Golden hashes of whole states. A change of one of these numbers is a change of the game: of what a seed generates, of
//! what an action does, or of what a state holds. Whoever makes it on purpose renews them.

use serde_json::json;

use crate::support::*;

/// Seed, hash after the reset, hash after the script.
const GOLDEN: [(u64, u64, u64); 3] = [
    (0, 10045802389119132355, 15077433328739494816),
    (42, 2080078416563243542, 16106548959378985888),
    (u64::MAX, 3647581767648075564, 9470457212772943389),
];

#[test]
fn golden_states_of_three_seeds_after_reset_and_after_two_days() {
    let mut env = shipped(&[]);
    let found = GOLDEN.map(|(seed, ..)| {
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
        assert_eq!(env.state().step, 2, "weather, plants and weeds have had two days");
        (seed, start, env.state().hash())
    });
    assert_eq!(found, GOLDEN);
}
