//! Whole seasons of `clay_bean`, played by its policies.

use crate::world::{World, clay_bean, moments};

struct Season {
    reward: f64,
    /// Days from sprout to ripe fruits, where they got that far.
    ripening: Option<f64>,
    harvest_kg: f64,
}

fn season(world: &mut World, policy: &str, seed: u64) -> Season {
    let game = world.env.game().clone();
    let mut player = game.player(policy).unwrap();
    world.env.reset(seed);
    player.start(seed);
    let (mut reward, mut sprouted, mut ripening) = (0.0, None, None);
    let mut schedule = Vec::new();
    loop {
        schedule.clear();
        player.choose(&game, world.env.state(), &mut schedule);
        let outcome = world.env.step(&schedule).unwrap();
        reward += outcome.reward;
        let (stage, day) = (world.stages().remove(0), f64::from(world.env.state().step()));
        match (stage.as_str(), sprouted) {
            ("grow", None) => sprouted = Some(day),
            ("ripe", Some(sprout)) if ripening.is_none() => ripening = Some(day - sprout),
            _ => {}
        }
        if outcome.over() {
            return Season { reward, ripening, harvest_kg: world.value("Plant-0.harvest_weight#kg") };
        }
    }
}

fn seasons(policy: &str) -> Vec<Season> {
    let mut world = clay_bean(None, &[]);
    (0..100).map(|seed| season(&mut world, policy, seed)).collect()
}

fn mean_reward(policy: &str) -> f64 {
    moments(&seasons(policy).iter().map(|s| s.reward).collect::<Vec<_>>()).0
}

#[test]
fn the_expert_earns_at_least_twice_what_waiting_and_chance_do() {
    let (expert, wait, random) = (mean_reward("expert"), mean_reward("wait"), mean_reward("random"));
    assert!(expert >= 2.0 * wait.max(random).max(0.0), "expert {expert}, wait {wait}, random {random}");
    assert!(expert > 0.0);
}

#[test]
fn the_experts_beans_ripen_in_the_days_of_fao_56() {
    let ripening: Vec<f64> = seasons("expert").iter().filter_map(|s| s.ripening).collect();
    assert!(ripening.len() >= 80, "{} of 100 seasons ripened", ripening.len());
    // Dry bean: 95 to 110 days, here give or take a fifth.
    let (mean, _) = moments(&ripening);
    assert!((0.8 * 95.0..=1.2 * 110.0).contains(&mean), "{mean} days from sprout to ripe");
}

#[test]
fn the_expert_harvests_in_most_seasons_and_who_waits_never() {
    let harvested = |policy: &str| seasons(policy).iter().filter(|s| s.harvest_kg > 0.0).count();
    assert!(harvested("expert") >= 80, "{}", harvested("expert"));
    assert_eq!(harvested("wait"), 0);
    // 18 fruits of 50 g are the most that one bean can bear.
    assert!(seasons("expert").iter().all(|s| s.harvest_kg <= 0.9));
}

#[test]
fn twelve_plots_bear_more_than_six_times_what_one_does() {
    // Four interventions a day have to do for twelve plots.
    let mut world = clay_bean(Some("4x3"), &[]);
    let kilograms: Vec<f64> = (0..30).map(|seed| season(&mut world, "expert", seed).harvest_kg).collect();
    let one: Vec<f64> = seasons("expert").iter().map(|s| s.harvest_kg).collect();
    let (twelve, one) = (moments(&kilograms).0, moments(&one).0);
    assert!(twelve > 6.0 * one && twelve < 13.0 * one, "{twelve} kg on twelve plots, {one} kg on one");
}
