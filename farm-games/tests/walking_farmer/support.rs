//! Games of these tests, and how to read and play them.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::spec::load;
use farm_core::{Column, Element, Environment, Game};
use farm_games::{Options, open};
use serde_json::{Value as Json, json};

/// A field of 5×4 plots with everything that can be carried; the farmer reaches two plots far and all actions are allowed.
pub(crate) const YARD: &str = r"
name: yard
fields:
  Field-0:
    shape: {length#nb: 5, width#nb: 4}
    entity_defaults: {equations: corrected}
    entities: [Weather: montpellier, Soil: loam, Fertilizer: fast_all, Cide: herbicide, Facility: base_facility, Weeds: base_weed, Plant: bean]
farmers:
  - WalkingFarmer:
      reach#nb: 2
      view#nb: 3
      starts_at: {x: 2, y: 1}
      shows: [{entity: Soil-0, variable: available_Water#L}, {entity: Plant-0, variable: stage}]
      stocks:
        water#L: {capacity: 7}
        manure#kg: {capacity: 1, entities: [Fertilizer-0]}
        poison#kg: {capacity: 0.5, starts_with: 0.25, entities: [Cide-0]}
        seeds#seed: {capacity: 4, starts_with: 1}
      places:
        well: {at: {x: 4, y: 0}, fills: [water#L]}
        hut: {at: {x: 0, y: 3}, fills: [manure#kg, poison#kg, seeds#seed]}
rules:
  BasicRule:
    initial_conditions: {Field-0: {Plant-0: {stage: none}}}
    free_observations: [[WalkingFarmer-0, position], [WalkingFarmer-0, view]]
    number_of_bins_to_discretize_continuous_actions: 3
    steps_per_day: 5
    max_steps: 60
score: {BasicScore: {}}
";

/// The shipped game with changes.
pub(crate) fn shipped(set: &[(&str, &str)]) -> Environment {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let game = open("walking_farmer-v0", &Options { set, ..Options::default() });
    Environment::new(Arc::new(game.unwrap_or_else(|problems| panic!("{problems}"))))
}

/// The game of a text, with replacements each of which must hit.
pub(crate) fn compile(text: &str, edits: &[(&str, &str)]) -> Result<Game, Problems> {
    let text = edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "`{from}` must stand in the text");
        text.replace(from, to)
    });
    load("test.yaml", &text).and_then(Game::new)
}

/// The yard, with replacements.
pub(crate) fn yard(edits: &[(&str, &str)]) -> Environment {
    Environment::new(Arc::new(compile(YARD, edits).unwrap_or_else(|problems| panic!("{problems}"))))
}

/// The column of a variable.
pub(crate) fn column<T: Element>(game: &Game, part: &str, variable: &str) -> Column<T> {
    let info = game.parts().iter().find(|info| info.name() == part).expect("a part of the game");
    let variable = info.variables().iter().find(|info| info.name() == variable).expect("a variable of the part");
    variable.column().expect("values of this type")
}

/// The values of a variable now.
pub(crate) fn values<T: Element>(env: &Environment, part: &str, variable: &str) -> Vec<T> {
    env.game().reader(env.state()).get(column::<T>(env.game(), part, variable)).to_vec()
}

/// Where the farmer stands.
pub(crate) fn position(env: &Environment) -> (usize, usize) {
    let position = values::<u8>(env, "WalkingFarmer-0", "position");
    (position[0].into(), position[1].into())
}

/// What is left of a stock.
pub(crate) fn carried(env: &Environment, stock: &str) -> f64 {
    values::<f64>(env, "WalkingFarmer-0", &format!("carried_{stock}"))[0]
}

/// The call of an action of the field.
pub(crate) fn call(env: &Environment, entity: &str, action: &str, parameters: Json) -> Call {
    let form = json!(["WalkingFarmer-0", "Field-0", entity, action, parameters]);
    env.game().catalogue().parse_call(&form).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Walks and does other things of its own, each in a step.
pub(crate) fn walk(env: &mut Environment, names: &[&str]) {
    for name in names {
        let calls = env.game().text().parse(name).unwrap_or_else(|problem| panic!("{problem}"));
        env.step(&calls).expect("the episode goes on");
        assert!(env.record().rejected().is_empty(), "{name}: {:?}", env.record().rejected());
    }
}

/// Does one thing and tells why it was refused, if it was.
pub(crate) fn attempt(env: &mut Environment, call: Call) -> Option<&'static str> {
    let expected = env.game().rejection(env.state(), &call);
    env.step(&[call]).expect("the episode goes on");
    let found = env.record().rejected().first().map(|rejection| rejection.reason());
    assert_eq!(expected, found, "what is said before is what is done");
    found
}
