//! A day of the plants on each plot.

mod exchange;
mod farming;
mod stages;

use farm_core::action::CallArguments;
use farm_core::{Behaviour, Context, Phase, Purpose, Reader, Season};

use super::super::response::{distance, response, shortage};
use super::super::{Equations, StockDistance};
use super::cells::*;
use super::hindrances::hindered;
use super::plots::{PlantAction, begin, can_sow, give_back, has_effect, plan};
use super::{
    MAX_SEEDS, MAX_SOWN, PlantColumns, Rate, Requirement, RipeDecay, bloom_threshold, crop_coefficient, flow,
    flower_buds, pollination, ripe_threshold, shade, total_stress,
};

/// Height of a sprout. It is above 0, because the growth of Eq. 6 is 0 at height 0.
const SPROUT_CM: f64 = 0.1;
/// Weight of a new fruit. It is above 0, because the growth of Eq. 17 is 0 at weight 0.
const NEW_FRUIT_G: f64 = 1.0;

const DAY: Purpose = Purpose::named("day of a plant");
const START: Purpose = Purpose::named("start of a plant");

pub(super) struct Life {
    key: u64,
    area: f64,
    fruit_speed: f64,
    relative: bool,
    requirement: Requirement,
    decay: RipeDecay,
    most_flowers: i32,
    grow_needs: [f64; 4],
    flower_needs: [f64; 4],
    fruit_needs: [f64; 4],
    release_speed: [f64; 4],
    c: PlantColumns,
}

// Indices of `CAUSES_OF_DEATH`.
const CHANCE: u8 = 1;
const BIRDS: u8 = 2;
const AGE: u8 = 3;
const PESTS: u8 = 4;
const NO_GROWTH: u8 = 5;
const FROST: u8 = 6;
const HUMIDITY: u8 = 7;
const NO_WEIGHT: u8 = 8;
const RAIN: u8 = 9;
const NO_FRUITS: u8 = 10;

/// The dangers to a plot: the terms of a response, each with its cause of death.
struct Dangers {
    base: f64,
    terms: [(f64, f64); 4],
    causes: [u8; 4],
}

impl Dangers {
    fn survival(&self) -> f64 {
        response(self.base, &self.terms)
    }

    /// The cause with the largest weight, or chance if only the base has weight.
    fn worst(&self) -> u8 {
        worst_term(&self.terms).map_or(CHANCE, |i| self.causes[i])
    }
}

/// The term of a response with the largest cost; none if all costs are 0.
fn worst_term(terms: &[(f64, f64)]) -> Option<usize> {
    let costs = terms.iter().map(|(weight, d)| if *d > 0.0 { weight * d } else { 0.0 });
    costs.enumerate().filter(|(_, cost)| *cost > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}

impl Life {
    pub(super) fn new(key: u64, area: f64, c: PlantColumns) -> Self {
        let p = &c.plant;
        let paper = p.equations == Equations::Paper;
        let printed = if paper { StockDistance::Absolute } else { StockDistance::Relative };
        let stock_distance = p.stock_distance.unwrap_or(printed);
        Self {
            key,
            area,
            // Chosen so that fruits of any size ripen in one to one and a half months (equation sheet I.1, Eq. 17).
            fruit_speed: p.fruit.speed.unwrap_or(if paper { 1.0 } else { p.fruit_weight_max.sqrt() / 7.0 }),
            relative: stock_distance == StockDistance::Relative,
            requirement: p.requirement.unwrap_or(if paper { Requirement::StandingHeight } else { Requirement::Growth }),
            decay: p.ripe.decay.unwrap_or(if paper { RipeDecay::Floor } else { RipeDecay::Binomial }),
            most_flowers: p.most_flowers(),
            grow_needs: [p.grow.nitrogen, p.grow.phosphorus, p.grow.potassium, p.grow.carbon],
            flower_needs: [p.bloom.nitrogen, p.bloom.phosphorus, p.bloom.potassium, p.bloom.carbon],
            fruit_needs: [p.fruit.nitrogen, p.fruit.phosphorus, p.fruit.potassium, p.fruit.carbon],
            release_speed: [p.death.nitrogen, p.death.phosphorus, p.death.potassium, p.death.carbon],
            c,
        }
    }

    fn plots(&self) -> usize {
        self.c.stage.len()
    }
}

impl Behaviour for Life {
    fn plan(&mut self, season: &mut Season<'_>) {
        plan(&mut self.c.plant, season);
    }

    fn reset(&self, c: &mut Context<'_>) {
        begin(&self.c.plant, self.c.stage, self.c.population, c);
    }

    /// Makes plants consistent if the rules put them into a later stage: they are full-grown if the stage requires it.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        for plot in 0..self.plots() {
            let stage = c.get(self.c.stage)[plot].get();
            let mut stream = c.stream(self.key, START.at(plot));
            if stage == NONE || stage >= DEAD {
                set_number(c, self.c.population, plot, 0);
                continue;
            }
            if stage >= GROW && at(c, self.c.size, plot) == 0.0 {
                set(c, self.c.size, plot, if stage == GROW { SPROUT_CM } else { self.c.plant.size_max });
            }
            if stage >= BLOOM && number(c, self.c.flowers, plot) == 0 && number(c, self.c.fruits, plot) == 0 {
                let share = at(c, self.c.size, plot) / self.c.plant.size_max;
                let flowers = stream.binomial(self.c.plant.flowers_max, share) as i32;
                if stage == BLOOM {
                    set_number(c, self.c.flowers, plot, flowers);
                } else {
                    set_number(c, self.c.fruits, plot, flowers.max(1));
                }
            }
            if stage >= FRUIT && at(c, self.c.fruit_weight, plot) == 0.0 {
                set(
                    c,
                    self.c.fruit_weight,
                    plot,
                    if stage == FRUIT { NEW_FRUIT_G } else { self.c.plant.fruit_weight_max },
                );
            }
            self.publish_thresholds(plot, c);
            self.publish_progress(plot, c);
        }
        c.get(self.c.global_stage)[0].set(common_stage(c.get(self.c.stage)));
    }

    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        match PlantAction::of(action, arguments, &self.c.plant) {
            PlantAction::Sow(plot, amount, spacing_cm, _) => self.sow(plot, amount, spacing_cm, c),
            PlantAction::HarvestAll => (0..self.plots()).for_each(|plot| self.harvest(plot, c)),
            PlantAction::Harvest(plot) => self.harvest(plot, c),
            PlantAction::Remove(plot) => self.clear(plot, NONE, c),
        }
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        has_effect(PlantAction::of(action, arguments, &self.c.plant), &self.c.plant, reader.get(self.c.stage))
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        match phase {
            Phase::Release => (0..self.plots()).for_each(|plot| self.release(plot, c)),
            Phase::Demand => (0..self.plots()).for_each(|plot| self.ask(plot, c)),
            _ => {
                for plot in 0..self.plots() {
                    self.develop(plot, c);
                }
                c.get(self.c.global_stage)[0].set(common_stage(c.get(self.c.stage)));
            }
        }
    }
}

/// The plant values that other parts can read.
impl Life {
    fn publish_thresholds(&self, plot: usize, c: &Context<'_>) {
        match c.get(self.c.stage)[plot].get() {
            GROW => set(c, self.c.size_threshold, plot, self.size_threshold(plot, c)),
            FRUIT => set(c, self.c.weight_threshold, plot, self.weight_threshold(plot, c)),
            _ => {}
        }
    }

    /// The mean of four shares: sprouting, height, pollination and fruit weight (paper 3.1.2, r_plant).
    fn publish_progress(&self, plot: usize, c: &Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if !is_active(stage) {
            set(c, self.c.progress, plot, 0.0);
            return;
        }
        let flowers = f64::from(number(c, self.c.flowers, plot));
        let pollinated = match stage {
            BLOOM if flowers > 0.0 => f64::from(number(c, self.c.pollinated, plot)) / flowers,
            FRUIT | RIPE => 1.0,
            _ => 0.0,
        };
        let size = at(c, self.c.size, plot) / self.c.plant.size_max;
        let weight = at(c, self.c.fruit_weight, plot) / self.c.plant.fruit_weight_max;
        set(c, self.c.progress, plot, ((1.0 + size + pollinated + weight) / 4.0).min(1.0));
    }
}
