//! The hand-over curve: equal to a replay by hand with an agent that finishes.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{Agent, Environment, Game, hand_over};
use farm_games::policies::policy_by_name;

use super::support::game;

/// The return if the player's first steps are followed by an agent, all steps replayed in a new environment.
fn by_hand(game: &Arc<Game>, agent: &str, seed: u64, steps: &[Vec<Call>]) -> f64 {
    let mut agent = policy_by_name(game, agent).unwrap();
    let mut environment = Environment::new(game.clone());
    environment.reset(seed);
    agent.start(seed);
    let (mut total, mut schedule) = (0.0, Vec::new());
    let mut steps = steps.iter();
    while !environment.state().over() {
        schedule.clear();
        agent.choose(game, environment.state(), &mut schedule);
        let schedule = steps.next().unwrap_or(&schedule);
        total += environment.step(schedule.as_slice()).unwrap().reward;
    }
    total
}

/// A season that a policy played, line by line.
fn season(game: &Arc<Game>, policy: &str, seed: u64) -> Vec<Vec<Call>> {
    let mut player = policy_by_name(game, policy).unwrap();
    let mut environment = Environment::new(game.clone());
    environment.reset(seed);
    player.start(seed);
    let mut steps = Vec::new();
    while !environment.state().over() {
        let mut schedule = Vec::new();
        player.choose(game, environment.state(), &mut schedule);
        environment.step(schedule.as_slice()).unwrap();
        steps.push(schedule);
    }
    steps
}

#[test]
fn the_curve_is_what_an_agent_earns_after_each_step() {
    // The expert of the second game remembers days and what it has done once.
    for name in ["clay_bean", "two_fields"] {
        let game = Arc::new(game(name, None));
        let steps = season(&game, "random", 3);
        let expert = || -> Box<dyn Agent> { policy_by_name(&game, "expert").unwrap() };
        let curve = hand_over(&game, &expert, 3, &steps, &|| true).unwrap().unwrap();
        assert_eq!(curve.returns().len(), steps.len() + 1, "{name}");
        for taken in [0, 1, steps.len() / 3, steps.len() / 2, steps.len()] {
            assert_eq!(curve.returns()[taken], by_hand(&game, "expert", 3, &steps[..taken]), "{name}, {taken}");
        }
        // A player who follows the expert loses nothing.
        let own = season(&game, "expert", 3);
        let flat = hand_over(&game, &expert, 3, &own, &|| true).unwrap().unwrap();
        assert!(flat.returns().iter().all(|value| *value == flat.returns()[0]), "{name}");
        assert!(flat.losses().is_empty(), "{name}");
    }
}

/// An agent that can't be copied.
struct Uncopied(Box<dyn Agent>);

impl Agent for Uncopied {
    fn start(&mut self, seed: u64) {
        self.0.start(seed);
    }

    fn choose(&mut self, game: &Game, state: &farm_core::State, schedule: &mut Vec<Call>) {
        self.0.choose(game, state, schedule);
    }
}

#[test]
fn an_agent_that_can_not_be_copied_follows_again_and_a_caller_who_leaves_ends_it() {
    let game = Arc::new(game("two_fields", None));
    let steps = &season(&game, "random", 5)[..20];
    let expert = || -> Box<dyn Agent> { policy_by_name(&game, "expert").unwrap() };
    let uncopied = || -> Box<dyn Agent> { Box::new(Uncopied(expert())) };
    let curve = hand_over(&game, &expert, 5, steps, &|| true).unwrap();
    assert_eq!(hand_over(&game, &uncopied, 5, steps, &|| true).unwrap(), curve);
    assert_eq!(hand_over(&game, &expert, 5, steps, &|| false).unwrap(), None);
}
