//! Games and policies of these tests, and what a policy chooses day by day.

use farm_core::config::Problems;
use farm_core::spec::load;
use farm_core::{Agent, Game};
use farm_games::{Options, open, policy};

/// Two soils side by side, of 1×2 and 2×3 plots, each with a farmer of its own who does four things a day.
pub(crate) const TWO_FIELDS: &str = r"
name: two_fields
fields:
  Field-0:
    shape: {length#nb: 1, width#nb: 2}
    entities: [Weather: montpellier, Soil: clay]
  Field-1:
    shape: {length#nb: 2, width#nb: 3}
    entities: [Weather: montpellier, Soil: clay]
farmers:
  - BasicFarmer: {max_daily_interventions: 4}
  - BasicFarmer: {max_daily_interventions: 4}
rules:
  BasicRule:
    initial_conditions:
      Field-0: {Soil-0: {available_Water#L: [60, 140]}}
      Field-1: {Soil-0: {available_Water#L: [60, 140]}}
    free_observations:
      - [Field-0, Soil-0, available_Water#L]
      - [Field-1, Soil-0, available_Water#L]
    actions:
      BasicFarmer-0: {Field-0: {Soil-0: {water_discrete: {plot: '*', amount#L: [1, 5], duration#min: [60]}}}}
      BasicFarmer-1: {Field-1: {Soil-0: {water_discrete: {plot: '*', amount#L: [1, 5], duration#min: [60]}}}}
    max_action_schedule_size: 100
    max_steps: 20
score: {BasicScore: {}}
";

/// A game of the catalogue.
pub(crate) fn game(name: &str, preset: Option<&str>) -> Game {
    let options = Options { preset: preset.map(str::to_owned), set: Vec::new(), ..Default::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A game of the catalogue with changes.
pub(crate) fn changed(name: &str, preset: Option<&str>, set: &[(&str, &str)]) -> Game {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let options = Options { preset: preset.map(str::to_owned), set, ..Default::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The game of a text.
pub(crate) fn compile(text: &str) -> Game {
    load("test.yaml", text).and_then(Game::new).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A player of a policy that is right.
pub(crate) fn player(game: &Game, yaml: &str) -> Box<dyn Agent> {
    policy(game, yaml).unwrap_or_else(|problems| panic!("{problems}"))
}

/// What is wrong with a policy.
pub(crate) fn refused(game: &Game, yaml: &str) -> Problems {
    match policy(game, yaml) {
        Ok(_) => panic!("this policy is accepted: {yaml}"),
        Err(problems) => problems,
    }
}

/// What a policy chooses on each of so many days in which nothing but the count of days changes.
pub(crate) fn trace(game: &Game, yaml: &str, days: u32) -> Vec<Vec<String>> {
    trace_of(game, player(game, yaml).as_mut(), days)
}

/// The same for a player, from the start of an episode on.
pub(crate) fn trace_of(game: &Game, player: &mut dyn Agent, days: u32) -> Vec<Vec<String>> {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 1, &mut record);
    player.start(1);
    let mut day = |step| {
        let mut schedule = Vec::new();
        state.set_step(step);
        player.choose(game, &state, &mut schedule);
        schedule.iter().map(|call| game.catalogue().describe(call)).collect()
    };
    (0..days).map(&mut day).collect()
}

/// The days on which a trace holds an action.
pub(crate) fn days(trace: &[Vec<String>], action: &str) -> Vec<usize> {
    (0..trace.len()).filter(|day| trace[*day].iter().any(|chosen| chosen.contains(action))).collect()
}

/// A rule that acts in the given steps, with more keys.
pub(crate) fn rule(steps: &str, keys: &str, action: &str) -> String {
    format!("{{when: [[{{state_variable: step, operator: in, ref_value: {steps}}}]], act: {action}{keys}}}")
}

/// A policy of rules.
pub(crate) fn rules(rules: &[String]) -> String {
    format!("{{TriggerPolicy: {{rules: [{}]}}}}", rules.join(", "))
}
