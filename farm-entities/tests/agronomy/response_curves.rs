//! Curves of dose and response in the equations `agronomic` are studies (`farm-study/studies/curves/`), which `cargo xtask curves` draws
//! and its test checks. What is here needs to see more than a harvest.

use crate::world::Scenario;

/// Corn sown in December does not come up before it is warm, and its seeds rot.
#[test]
fn nothing_grows_in_the_cold() {
    let mut world = Scenario::new()
        .with("Weather: {base: lille_generated, equations: agronomic}")
        .with("Soil: {base: loam, equations: agronomic}")
        .with("Plant: {base: corn, equations: agronomic, initial_population#nb: 8}")
        .initially("{Weather-0: {day#int365: 334}}")
        .build();
    for seed in 0..4 {
        world.env.reset(seed);
        world.wait_days(60);
        assert_eq!(world.value("Plant-0.biomass#g"), 0.0, "seed {seed}: {:?}", world.stages());
    }
}
