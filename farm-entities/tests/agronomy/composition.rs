//! Any subset of the entities is a field: every combination of the optional ones plays, in any number.

use farm_core::{Environment, Game, Stream};
use farm_games as _;

/// Each entry may be left out; some stand for several entities of one kind.
const OPTIONAL: [&str; 7] = [
    "Facility: base_facility",
    "Birds: pest_eater",
    "Fertilizer: fast_N, Fertilizer: slow_P, Fertilizer: basic_all",
    "Cide: herbicide, Cide: pesticide",
    "Weeds: base_weed",
    "Pests: basic",
    "Pollinators: bee",
];

fn environment(entities: &[&str]) -> Environment {
    let list: Vec<String> = entities.iter().flat_map(|e| e.split(", ")).map(|e| format!("{{{e}}}")).collect();
    let text = format!(
        "name: subset\nfields: {{Field-0: {{shape: {{length#nb: 2, width#nb: 2}}, entities: [{}]}}}}\n\
         farmers: [BasicFarmer]\nrules: {{BasicRule: {{max_steps: 60}}}}\ninteraction_mode: fomdp\n\
         score: {{BasicScore: {{reward_mix: {{stage_transition: 1.0}}}}}}\n",
        list.join(", ")
    );
    let game = farm_core::spec::load("subset.yaml", &text).and_then(Game::new);
    Environment::new(std::sync::Arc::new(game.unwrap_or_else(|problems| panic!("{entities:?}: {problems}"))))
}

#[test]
fn every_subset_of_the_entities_plays_with_one_plant_and_with_two() {
    for subset in 0..1 << OPTIONAL.len() {
        let mut entities = vec!["Weather: montpellier", "Soil: loam"];
        entities.extend(OPTIONAL.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, entity)| *entity));
        entities.push(if subset % 2 == 0 { "Plant: bean" } else { "Plant: tomato, Plant: corn" });
        let mut environment = environment(&entities);
        environment.reset(subset);
        let mut actions = Stream::from_seed(subset);
        let n = environment.game().catalogue().discrete_len() as u32;
        for _ in 0..60 {
            environment.step(actions.index(n) as usize).unwrap_or_else(|error| panic!("{entities:?}: {error}"));
            let space = environment.game().observation().space();
            assert!(space.contains(&environment.observation_json()), "{entities:?}");
        }
    }
}

#[test]
fn the_order_of_the_entities_does_not_matter_for_a_plant() {
    let play = |entities: &[&str]| {
        let mut environment = environment(entities);
        environment.reset(3);
        for _ in 0..60 {
            environment.step(&[]).unwrap();
        }
        environment.observation_json()["Field-0.Plant-0.size#cm"].clone()
    };
    let forwards = ["Weather: montpellier", "Soil: loam", "Weeds: base_weed", "Pests: nice", "Plant: bean"];
    let mut backwards = forwards;
    backwards.reverse();
    assert_eq!(play(&forwards), play(&backwards));
}
