//! The step rules once more, written from their text alone, and compared with the game step by step.

use std::collections::{BTreeMap, BTreeSet};

use farm_core::Stream;

use super::support::*;

#[derive(Clone, Copy, PartialEq)]
enum StartInTop {
    FirstEntry,
    Immediately,
    Never,
}

struct Resident {
    kind: usize,
    stage: u8,
    base: i32,
    started_in_top: bool,
    has_paid: bool,
}

struct Simulator {
    start_in_top: StartInTop,
    fences: BTreeSet<Tile>,
    residents: BTreeMap<Tile, Resident>,
    at: Tile,
    facing: u8,
    meters: [i32; 3],
    steps: u32,
}

impl Simulator {
    fn new(world: &World, start_in_top: StartInTop) -> Self {
        let resident = |thing: &Thing| {
            let stage = thing.stage.unwrap();
            let started_in_top = stage == top(thing.kind);
            Resident { kind: thing.kind, stage, base: thing.base, started_in_top, has_paid: false }
        };
        Self {
            start_in_top,
            fences: all_tiles().filter(|at| world.terrain(*at) == FENCE).collect(),
            residents: world.things.iter().map(|thing| (thing.at, resident(thing))).collect(),
            at: world.at,
            facing: world.facing,
            meters: [0; 3],
            steps: 0,
        }
    }

    fn farm_value(&self) -> i32 {
        self.meters.iter().sum()
    }

    fn over(&self) -> bool {
        self.steps == 40 || self.farm_value() >= 300
    }

    fn step(&mut self, action: usize) -> i32 {
        let before: BTreeMap<Tile, u8> = self.residents.iter().map(|(at, resident)| (*at, resident.stage)).collect();
        // 1. Verb or move.
        let mut tended = None;
        if let Some(direction) = MOVE_TO.iter().position(|mv| *mv == action) {
            self.facing = direction as u8;
            let target = adjacent(self.at, self.facing);
            if on_map(target) && !self.fences.contains(&target) {
                self.at = target;
            }
        } else if action != WAIT {
            let target = adjacent(self.at, self.facing);
            if let Some(resident) = self.residents.get_mut(&target) {
                match (action, resident.kind) {
                    (WATER | FERTILIZE, CROP) | (FEED | CLEAN, PEN) => {
                        resident.stage = 0;
                        tended = Some(target);
                    }
                    (COMPLIMENT, VILLAGER) => resident.stage = resident.stage.max(1) - 1,
                    (INSULT, VILLAGER) => resident.stage = (resident.stage + 1).min(2),
                    _ => {}
                }
            }
        }
        // 2. Tick.
        for (at, resident) in &mut self.residents {
            if resident.kind != VILLAGER && tended != Some(*at) {
                resident.stage = (resident.stage + 1).min(top(resident.kind));
            }
        }
        // 3. Events.
        let mut gained = [0; 3];
        if self.residents.get(&self.at).is_some_and(|resident| resident.kind == CROP && resident.stage == top(CROP)) {
            gained[CROP] += self.residents.remove(&self.at).unwrap().base;
        }
        for (at, resident) in &mut self.residents {
            if resident.kind == CROP || resident.stage != top(resident.kind) || resident.has_paid {
                continue;
            }
            let rose = before[at] < top(resident.kind);
            let pays = match self.start_in_top {
                StartInTop::FirstEntry => rose,
                StartInTop::Immediately => rose || self.steps == 0,
                StartInTop::Never => rose && !resident.started_in_top,
            };
            if pays {
                resident.has_paid = true;
                gained[resident.kind] += resident.base;
            }
        }
        // 4. Meters.
        let value = self.farm_value();
        for (meter, gained) in self.meters.iter_mut().zip(gained) {
            *meter = (*meter + gained).min(100);
        }
        // 5. Time.
        self.steps += 1;
        self.farm_value() - value
    }
}

/// Plays the game and the simulator side by side; returns the Farm Value reached in each episode.
fn compare(valley: &Valley, start_in_top: StartInTop, seeds: u64) -> Vec<i32> {
    let mut values = Vec::new();
    for seed in 0..seeds {
        let mut play = valley.play(seed);
        let mut simulator = Simulator::new(&play.world(), start_in_top);
        let mut stream = Stream::from_seed(seed ^ 0x5eed);
        let mut actions = Vec::new();
        while !simulator.over() {
            // Every third episode draws all actions alike, the others look for things to do.
            let action = match seed % 3 {
                0 => stream.index(11) as usize,
                _ => busy_action(&mut stream, &play.world()),
            };
            actions.push(action);
            let context = format!("seed {seed} after {actions:?}");
            let reward = simulator.step(action);
            let outcome = play.step(action);
            let world = play.world();
            assert_eq!(outcome.reward, f64::from(reward), "{context}");
            assert_eq!((outcome.terminated, outcome.truncated), (simulator.over(), false), "{context}");
            assert_eq!(world.meters, simulator.meters.map(f64::from), "{context}");
            assert_eq!(world.farm_value, f64::from(simulator.farm_value()), "{context}");
            assert_eq!(
                (world.at, world.facing, world.step),
                (simulator.at, simulator.facing, simulator.steps),
                "{context}"
            );
            for thing in &world.things {
                let stage = simulator.residents.get(&thing.at).map(|resident| resident.stage);
                assert_eq!(thing.stage, stage, "{thing:?}, {context}");
            }
            for at in all_tiles() {
                let fenced = if simulator.fences.contains(&at) { FENCE } else { GROUND };
                let resident = simulator.residents.get(&at);
                let tile = resident.map_or((fenced, 0), |r| (r.kind as u8 + 1, shown(r.kind, r.stage)));
                assert_eq!((world.terrain(at), world.status(at)), tile, "{at:?}, {context}");
            }
        }
        values.push(simulator.farm_value());
    }
    values
}

#[test]
fn step_order_the_game_and_an_independent_simulator_agree() {
    let values = compare(&Valley::shipped(), StartInTop::FirstEntry, 300);
    assert!(values.iter().filter(|value| **value > 12).count() > 30, "episodes harvest and befriend: {values:?}");
}

#[test]
fn step_order_the_simulator_agrees_without_zones() {
    compare(&Valley::preset("scattered"), StartInTop::FirstEntry, 100);
}

#[test]
fn step_order_the_simulator_agrees_for_each_choice_of_start_in_top_pays() {
    for (name, choice) in [("immediately", StartInTop::Immediately), ("never", StartInTop::Never)] {
        let valley = Valley::with(&[
            ("fields.Field-0.entities.2.StagedTiles.start_in_top_pays", name),
            ("fields.Field-0.entities.3.StagedTiles.start_in_top_pays", name),
        ]);
        compare(&valley, choice, 100);
    }
}

#[test]
fn step_order_the_simulator_agrees_when_meters_fill_up() {
    let valley = Valley::with(&[
        ("fields.Field-0.entities.1.StagedTiles.base_value#point", "[40, 90]"),
        ("fields.Field-0.entities.2.StagedTiles.base_value#point", "[30, 60]"),
        ("fields.Field-0.entities.3.StagedTiles.base_value#point", "[90, 150]"),
    ]);
    let values = compare(&valley, StartInTop::FirstEntry, 100);
    assert!(values.contains(&100) && values.contains(&200), "meters fill up: {values:?}");
}
