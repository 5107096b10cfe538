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

/// The stage of winter wheat near Lille, so many days after it was sown on this day of the year.
fn wheat_after(sown: u32, days: usize, seed: u64) -> String {
    let mut world = Scenario::new()
        .with("Weather: {base: lille_generated, equations: agronomic}")
        .with("Soil: {base: loam, equations: agronomic}")
        .with("Plant: {base: wheat, equations: agronomic, initial_population#nb: 450}")
        .initially(&format!("{{Weather-0: {{day#int365: {sown}}}}}"))
        .build();
    world.env.reset(seed);
    world.wait_days(days);
    world.stages().remove(0)
}

/// Sown in October wheat has had its winter when spring comes, and flowers in May. Sown in April it stays leafy through a summer that would be warm
/// enough for it.
#[test]
fn winter_wheat_flowers_after_a_winter() {
    for seed in 0..4 {
        assert_eq!(wheat_after(290, 120, seed), "grow", "seed {seed}: it flowers in February");
        let stage = wheat_after(290, 220, seed);
        assert!(["bloom", "fruit"].contains(&stage.as_str()), "seed {seed}: {stage} at the end of May");
        assert_eq!(wheat_after(100, 150, seed), "grow", "seed {seed}: it flowers without a winter");
    }
}
