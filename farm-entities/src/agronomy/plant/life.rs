//! The day of the plants of each plot.

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::rng::{Purpose, Stream};
use farm_core::{Behaviour, Column, Context, Phase};

use super::super::Equations;
use super::super::response::{distance, response};
use super::{Columns, Events, InitialStage, Inputs, Plant, Rate, Requirement, RipeDecay, STAGES, StockDistance};
use super::{
    bloom_threshold, crop_coefficient, flow, flower_buds, pollination, ripe_threshold, shade, shortage, total_stress,
};

const NONE: u8 = 0;
const SEED: u8 = 1;
const GROW: u8 = 2;
const BLOOM: u8 = 3;
const FRUIT: u8 = 4;
const RIPE: u8 = 5;
const DEAD: u8 = 6;
const HARVESTED: u8 = 7;
const UNDEFINED: u8 = STAGES.len() as u8;

/// Height of a sprout: the flow of Eq. 6 stands still at 0.
const SPROUT_CM: f64 = 0.1;
/// Weight of a new fruit: the flow of Eq. 17 stands still at 0.
const NEW_FRUIT_G: f64 = 1.0;
/// Below this a dead plant gives back all that is left.
const LAST_REMAINS_G: f64 = 0.1;

const DAY: Purpose = Purpose::named("day of a plant");
const START: Purpose = Purpose::named("start of a plant");

/// One value for each of N, P, K and C.
type Vec4 = [f64; 4];

pub(super) struct Life {
    p: Plant,
    key: u64,
    area: f64,
    fruit_speed: f64,
    relative: bool,
    requirement: Requirement,
    decay: RipeDecay,
    grow_needs: [f64; 4],
    flower_needs: [f64; 4],
    fruit_needs: [f64; 4],
    release_speed: [f64; 4],
    c: Columns,
    i: Inputs,
    e: Events,
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

/// What threatens a plot: the terms of a response, and the cause of death that each stands for.
struct Dangers {
    base: f64,
    terms: [(f64, f64); 4],
    causes: [u8; 4],
}

impl Dangers {
    fn survival(&self) -> f64 {
        response(self.base, &self.terms)
    }

    /// The cause that weighs most; chance, if only the base does.
    fn worst(&self) -> u8 {
        worst_term(&self.terms).map_or(CHANCE, |i| self.causes[i])
    }
}

/// The term of a response that costs most; none if nothing costs anything.
fn worst_term(terms: &[(f64, f64)]) -> Option<usize> {
    let costs = terms.iter().map(|(weight, d)| if *d > 0.0 { weight * d } else { 0.0 });
    costs.enumerate().filter(|(_, cost)| *cost > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}

fn is_active(stage: u8) -> bool {
    (GROW..=RIPE).contains(&stage)
}

/// A real value of a plot.
#[inline]
fn at(context: &Context<'_>, column: Column<f64>, plot: usize) -> f64 {
    context.get(column)[plot].get()
}

#[inline]
fn set(context: &Context<'_>, column: Column<f64>, plot: usize, value: f64) {
    context.get(column)[plot].set(value);
}

/// A count of a plot.
#[inline]
fn number(context: &Context<'_>, column: Column<i32>, plot: usize) -> i32 {
    context.get(column)[plot].get()
}

#[inline]
fn set_number(context: &Context<'_>, column: Column<i32>, plot: usize, value: i32) {
    context.get(column)[plot].set(value);
}

#[inline]
fn count_one(context: &Context<'_>, column: Column<i32>, plot: usize) {
    let cell = &context.get(column)[plot];
    cell.set(cell.get().saturating_add(1).min(100_000));
}

impl Life {
    pub(super) fn new(p: &Plant, key: u64, area: f64, c: Columns, i: Inputs, e: Events) -> Self {
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
            grow_needs: [p.grow.nitrogen, p.grow.phosphorus, p.grow.potassium, p.grow.carbon],
            flower_needs: [p.bloom.nitrogen, p.bloom.phosphorus, p.bloom.potassium, p.bloom.carbon],
            fruit_needs: [p.fruit.nitrogen, p.fruit.phosphorus, p.fruit.potassium, p.fruit.carbon],
            release_speed: [p.death.nitrogen, p.death.phosphorus, p.death.potassium, p.death.carbon],
            p: p.clone(),
            c,
            i,
            e,
        }
    }

    fn plots(&self) -> usize {
        self.c.stage.len()
    }

    /// The values for N, P, K and C of a plot.
    #[inline]
    fn four<'a>(&self, plot: usize, column: Column<f64>, c: &Context<'a>) -> impl Iterator<Item = &'a Cell<f64>> {
        c.get(column)[plot..].iter().step_by(self.plots()).take(4)
    }

    /// The values for N, P, K and C of a plot, as numbers.
    #[inline]
    fn values(&self, plot: usize, column: Column<f64>, c: &Context<'_>) -> Vec4 {
        let (cells, plots) = (c.get(column), self.plots());
        std::array::from_fn(|x| cells[x * plots + plot].get())
    }
}

impl Behaviour for Life {
    fn reset(&self, c: &mut Context<'_>) {
        let stage = match self.p.initial_stage {
            InitialStage::None => NONE,
            InitialStage::Seed => SEED,
            InitialStage::Grow => GROW,
        };
        let population = if stage == NONE { 0 } else { self.p.initial_population as i32 };
        for plot in 0..self.plots() {
            c.get(self.c.stage)[plot].set(stage);
            set_number(c, self.c.population, plot, population);
        }
    }

    /// Makes plants that the rules put into a later stage consistent: full-grown where they must be.
    fn settle(&self, c: &mut Context<'_>) {
        for plot in 0..self.plots() {
            let stage = c.get(self.c.stage)[plot].get();
            let mut stream = c.stream(self.key, START.at(plot));
            if stage == NONE || stage >= DEAD {
                set_number(c, self.c.population, plot, 0);
                continue;
            }
            if stage >= GROW && at(c, self.c.size, plot) == 0.0 {
                set(c, self.c.size, plot, if stage == GROW { SPROUT_CM } else { self.p.size_max });
            }
            if stage >= BLOOM && number(c, self.c.flowers, plot) == 0 && number(c, self.c.fruits, plot) == 0 {
                let share = at(c, self.c.size, plot) / self.p.size_max;
                let flowers = stream.binomial(self.p.flowers_max, share) as i32;
                if stage == BLOOM {
                    set_number(c, self.c.flowers, plot, flowers);
                } else {
                    set_number(c, self.c.fruits, plot, flowers.max(1));
                }
            }
            if stage >= FRUIT && at(c, self.c.fruit_weight, plot) == 0.0 {
                set(c, self.c.fruit_weight, plot, if stage == FRUIT { NEW_FRUIT_G } else { self.p.fruit_weight_max });
            }
            self.publish_thresholds(plot, c);
            self.publish_progress(plot, c);
        }
        self.publish_global_stage(c);
    }

    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        match action {
            0 => self.sow(arguments.plot(0), arguments.real(1), arguments.real(2), c),
            1 => (0..self.plots()).for_each(|plot| self.harvest(plot, c)),
            2 => self.harvest(arguments.plot(0), c),
            _ => self.clear(arguments.plot(0), NONE, c),
        }
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        match phase {
            Phase::Release => (0..self.plots()).for_each(|plot| self.release(plot, c)),
            Phase::Demand => (0..self.plots()).for_each(|plot| self.ask(plot, c)),
            _ => {
                for plot in 0..self.plots() {
                    self.develop(plot, c);
                }
                self.publish_global_stage(c);
            }
        }
    }
}

/// What the farmer does.
impl Life {
    /// Seeds come into a plot without plants; no more than the spacing leaves room for (II.6.2).
    fn sow(&self, plot: usize, amount: f64, spacing_cm: f64, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if !matches!(stage, NONE | SEED | HARVESTED) {
            return;
        }
        // A little more than the quotient, so that 25 plants at 20 cm fit into a square metre in binary numbers too.
        let room = (self.area / (spacing_cm / 100.0).powi(2) + 1e-9).floor();
        let population = amount.min(room).min(100.0) as i32;
        if population == 0 {
            return;
        }
        self.clear(plot, SEED, c);
        set_number(c, self.c.population, plot, population);
        c.get(self.c.entered)[plot].set(1);
    }

    /// Takes the fruits of a plot: their weight counts once, for all its plants (II.6.2 harvest).
    fn harvest(&self, plot: usize, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if stage != RIPE && (stage != FRUIT || self.p.ripe_only) {
            return;
        }
        let fruits = f64::from(number(c, self.c.population, plot)) * f64::from(number(c, self.c.fruits, plot));
        let weight_kg = fruits * at(c, self.c.fruit_weight, plot) / 1000.0;
        let total = &c.get(self.c.harvest_weight)[0];
        total.set(total.get() + weight_kg);
        let progress = at(c, self.c.progress, plot);
        if self.p.harvest_residue {
            // What stays on the plot rots like a dead plant.
            self.enter(plot, DEAD, c);
            set_number(c, self.c.fruits, plot, 0);
        } else {
            self.clear(plot, HARVESTED, c);
        }
        set(c, self.c.progress, plot, progress);
        c.emit(self.e.harvest, plot, weight_kg);
    }

    /// Empties a plot.
    fn clear(&self, plot: usize, stage: u8, c: &Context<'_>) {
        let counts = [
            self.c.population,
            self.c.flowers,
            self.c.pollinated,
            self.c.visits,
            self.c.fruits,
            self.c.age_seed,
            self.c.nogrow,
            self.c.age_bloom,
            self.c.noweight,
            self.c.age_ripe,
        ];
        counts.into_iter().for_each(|column| set_number(c, column, plot, 0));
        let reals = [
            self.c.size,
            self.c.size_threshold,
            self.c.fruit_weight,
            self.c.weight_threshold,
            self.c.water,
            self.c.stress_water,
            self.c.progress,
        ];
        reals.into_iter().for_each(|column| set(c, column, plot, 0.0));
        for column in [self.c.nutrients, self.c.stress, self.c.released] {
            self.four(plot, column, c).for_each(|cell| cell.set(0.0));
        }
        c.get(self.c.stage)[plot].set(stage);
        c.get(self.c.entered)[plot].set(0);
    }
}

/// What the plants ask for and give back.
impl Life {
    /// Dead plants set their nutrients free, with the help of the microlife (II.6.7 dead).
    fn release(&self, plot: usize, c: &Context<'_>) {
        if c.get(self.c.stage)[plot].get() != DEAD {
            self.fix_from_air(plot, c);
            return;
        }
        let microlife = at(c, self.i.microlife, plot) / 100.0;
        let held: Vec4 = self.values(plot, self.c.nutrients, c);
        let freed: Vec4 = std::array::from_fn(|x| self.release_speed[x] * microlife * held[x]);
        // The last remains go at once, so that nothing is lost when the plot is empty again.
        let last = (0..4).all(|x| held[x] - freed[x] < LAST_REMAINS_G);
        let freed = if last { held } else { freed };
        if last {
            self.clear(plot, NONE, c);
        }
        let (nutrients, released) = (self.four(plot, self.c.nutrients, c), self.four(plot, self.c.released, c));
        for (x, (nutrient, release)) in nutrients.zip(released).enumerate() {
            nutrient.set(held[x] - freed[x]);
            release.set(freed[x]);
        }
    }

    /// Fixation brings nitrogen and carbon from the air into the soil (II.6.9, an option).
    fn fix_from_air(&self, plot: usize, c: &Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        // What the last remains of dead plants gave on the day before is given once.
        if stage == NONE || self.p.air_fixation {
            let active = f64::from(u8::from(is_active(stage) && self.p.air_fixation));
            let millimetres = active * f64::from(number(c, self.c.population, plot)) * 10.0 * at(c, self.c.size, plot);
            let fixed = [self.p.grow.nitrogen_fixation, 0.0, 0.0, self.p.grow.carbon_fixation];
            for (released, per_mm) in self.four(plot, self.c.released, c).zip(fixed) {
                released.set(millimetres * per_mm);
            }
        }
    }

    /// What the plants of a plot need and ask for today, and what others see of them (II.6.3, 6.5, 6.8).
    fn ask(&self, plot: usize, c: &Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        set_number(c, self.c.pests, plot, 0);
        if !is_active(stage) {
            set_number(c, self.c.hosts, plot, 0);
            set_number(c, self.c.open_flowers, plot, 0);
            for column in [self.c.required, self.c.asked] {
                self.four(plot, column, c).for_each(|cell| cell.set(0.0));
            }
            set(c, self.c.asked_water, plot, 0.0);
            set(c, self.c.shade, plot, 0.0);
            return;
        }
        let size = at(c, self.c.size, plot);
        let hosts = number(c, self.c.population, plot);
        let population = f64::from(hosts);
        set_number(c, self.c.hosts, plot, hosts);
        set_number(c, self.c.open_flowers, plot, hosts * number(c, self.c.flowers, plot));
        let grown_cm = match self.requirement {
            Requirement::StandingHeight => size,
            Requirement::Growth if stage == GROW => flow(size, 1.0, self.p.grow.speed, self.p.size_max) - size,
            Requirement::Growth => 0.0,
        };
        let flowers = if stage == BLOOM { f64::from(number(c, self.c.flowers, plot)) } else { 0.0 };
        let fruit_grams = if stage == FRUIT {
            f64::from(number(c, self.c.fruits, plot)) * at(c, self.c.fruit_weight, plot)
        } else {
            0.0
        };
        let microlife = at(c, self.i.microlife, plot) / 100.0;
        let (required, asked) = (self.four(plot, self.c.required, c), self.four(plot, self.c.asked, c));
        for (x, (required, asked)) in required.zip(asked).enumerate() {
            let per_plant = 10.0 * grown_cm * self.grow_needs[x]
                + flowers * self.flower_needs[x]
                + fruit_grams * self.fruit_needs[x];
            required.set(population * per_plant);
            asked.set(microlife * required.get());
        }
        let used_ml = match stage {
            GROW => self.p.grow.water,
            BLOOM => flowers * self.p.bloom.water,
            FRUIT => fruit_grams * self.p.fruit.water,
            _ => 0.0,
        };
        let leaf_area = (self.area / population.max(1.0)).min(self.p.grow.leaf_surface * size);
        let coefficient = crop_coefficient(
            self.p.crop_coefficient_base,
            self.p.crop_coefficient_height,
            size,
            c.value(self.i.wind),
            c.value(self.i.humidity_min),
        );
        let transpired = c.value(self.i.evapotranspiration) * coefficient * leaf_area;
        set(c, self.c.asked_water, plot, population * (transpired + used_ml / 1000.0));
        set(c, self.c.shade, plot, shade(self.p.shadow, population, size));
    }

    /// Takes what the soil granted and feels what was missing (II.4 step 5, II.6.6).
    fn take(&self, plot: usize, c: &Context<'_>) {
        let healing = 1.0 - self.p.stress_healing;
        let (asked, required) = (self.four(plot, self.c.asked, c), self.four(plot, self.c.required, c));
        let (nutrients, stress) = (self.four(plot, self.c.nutrients, c), self.four(plot, self.c.stress, c));
        for ((((asked, required), nutrient), stress), share) in
            asked.zip(required).zip(nutrients).zip(stress).zip(self.i.share)
        {
            let granted = asked.get() * at(c, share, plot);
            nutrient.set(nutrient.get() + granted);
            stress.set(stress.get() * healing + required.get() - granted);
        }
        let asked = at(c, self.c.asked_water, plot);
        let granted = asked * at(c, self.i.water_share, plot);
        set(c, self.c.water, plot, at(c, self.c.water, plot) + granted);
        set(c, self.c.stress_water, plot, at(c, self.c.stress_water, plot) * healing + asked - granted);
    }
}

/// How the plants develop.
impl Life {
    fn develop(&self, plot: usize, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        let first_day = c.get(self.c.entered)[plot].replace(0) == 1;
        if !(SEED..=RIPE).contains(&stage) {
            if stage == DEAD {
                set_number(c, self.c.fruits, plot, 0);
            }
            return;
        }
        let mut stream = c.stream(self.key, DAY.at(plot));
        if is_active(stage) {
            self.take(plot, c);
        }
        if first_day {
            self.begin(plot, stage, &mut stream, c);
        }
        let dangers = self.dangers(plot, stage, c);
        if stage == RIPE {
            self.keep(plot, &dangers, &mut stream, c);
        } else if !stream.bernoulli(dangers.survival()) {
            self.die(plot, dangers.worst(), c);
        } else {
            let chance = self.live(plot, stage, &mut stream, c);
            if stream.bernoulli(chance) {
                self.enter(plot, stage + 1, c);
                if stage == SEED {
                    set(c, self.c.size, plot, SPROUT_CM);
                }
                c.emit(self.e.transition, plot, f64::from(stage + 1));
            } else if stage == SEED {
                count_one(c, self.c.age_seed, plot);
            }
        }
        self.publish_progress(plot, c);
    }

    fn enter(&self, plot: usize, stage: u8, c: &Context<'_>) {
        c.get(self.c.stage)[plot].set(stage);
        c.get(self.c.entered)[plot].set(1);
    }

    /// The first day in a stage (II.6.7 a), for flowers Farm-gym Eq. 10.
    fn begin(&self, plot: usize, stage: u8, stream: &mut Stream, c: &Context<'_>) {
        match stage {
            BLOOM => {
                let stress = self.stress(plot, c);
                let buds = flower_buds(
                    f64::from(self.p.flowers_max),
                    self.p.bloom.stress_boost,
                    self.p.bloom.stress_boost_speed,
                    stress,
                    self.p.stress_scale,
                );
                // Eq. 10: as many flowers as the height reached promises.
                let flowers = stream.binomial(buds, (at(c, self.c.size, plot) / self.p.size_max).clamp(0.0, 1.0));
                set_number(c, self.c.flowers, plot, flowers as i32);
                set_number(c, self.c.pollinated, plot, 0);
                set_number(c, self.c.visits, plot, 0);
            }
            FRUIT => {
                set_number(c, self.c.fruits, plot, number(c, self.c.pollinated, plot));
                set_number(c, self.c.flowers, plot, 0);
                set(c, self.c.fruit_weight, plot, NEW_FRUIT_G);
            }
            RIPE => set_number(c, self.c.age_ripe, plot, 0),
            _ => {}
        }
    }

    /// What threatens the plants today (Farm-gym Eqs. 2, 9, 15, 20, 21): the base of the response, and its terms.
    fn dangers(&self, plot: usize, stage: u8, c: &Context<'_>) -> Dangers {
        let beyond = |value: f64, most: f64| distance(value, f64::NEG_INFINITY, most);
        let days = |column| f64::from(number(c, column, plot));
        let frost = f64::from(c.value(self.i.frost));
        let nothing = (0.0, 0.0);
        match stage {
            SEED => {
                let p = &self.p.seed;
                let birds: i32 = self.i.seed_eaters.iter().map(|column| c.value(*column)).sum();
                let birds = (p.death_birds, beyond(f64::from(birds), p.death_birds_max));
                let age = (p.death_age, beyond(days(self.c.age_seed), p.death_age_max));
                Dangers {
                    base: p.death_base,
                    terms: [birds, age, nothing, nothing],
                    causes: [BIRDS, AGE, CHANCE, CHANCE],
                }
            }
            GROW => {
                let p = &self.p.grow;
                let pests = (p.death_pests, beyond(days(self.c.pests), p.death_pests_max));
                let nogrow = (p.death_nogrow, beyond(days(self.c.nogrow), p.death_nogrow_max));
                let causes = [PESTS, NO_GROWTH, CHANCE, CHANCE];
                Dangers { base: p.death_base, terms: [pests, nogrow, nothing, nothing], causes }
            }
            BLOOM => {
                let p = &self.p.bloom;
                let frost = (p.death_frost, beyond(frost, p.death_frost_max));
                let causes = [FROST, CHANCE, CHANCE, CHANCE];
                Dangers { base: p.death_base, terms: [frost, nothing, nothing, nothing], causes }
            }
            FRUIT => {
                let p = &self.p.fruit;
                let [low, high] = p.death_humidity;
                let noweight = (p.death_noweight, beyond(days(self.c.noweight), p.death_noweight_max));
                let humidity = (p.death_humidity_weight, distance(c.value(self.i.humidity), low, high));
                let pests = (p.death_pests, beyond(days(self.c.pests), p.death_pests_max));
                let causes = [NO_WEIGHT, HUMIDITY, PESTS, CHANCE];
                Dangers { base: p.death_base, terms: [noweight, humidity, pests, nothing], causes }
            }
            _ => {
                // These threaten each ripe fruit for itself.
                let p = &self.p.ripe;
                let rain = (p.rain, if c.value(self.i.rain) > 0.0 { 1.0 } else { 0.0 });
                let frost = (p.frost, beyond(frost, p.frost_max));
                let pests = (p.pests, beyond(days(self.c.pests), p.pests_max));
                let age = (p.age, beyond(days(self.c.age_ripe), p.age_max));
                Dangers { base: p.base, terms: [rain, frost, pests, age], causes: [RAIN, FROST, PESTS, AGE] }
            }
        }
    }

    fn die(&self, plot: usize, cause: u8, c: &mut Context<'_>) {
        self.enter(plot, DEAD, c);
        c.get(self.c.cause_of_death)[plot].set(cause);
        c.emit(self.e.death, plot, f64::from(cause));
    }

    /// What happens in the stage on a day survived; returns the chance to enter the next one (II.6.7 c, d).
    fn live(&self, plot: usize, stage: u8, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        match stage {
            SEED => self.germinate(plot, c),
            GROW => self.grow(plot, stream, c),
            BLOOM => self.bloom(plot, stream, c),
            _ => self.fruit(plot, stream, c),
        }
    }

    /// Chance to sprout (Farm-gym Eq. 3); a seed that does not gets a day older.
    fn germinate(&self, plot: usize, c: &Context<'_>) -> f64 {
        let p = &self.p.seed;
        let ([t_low, t_high], [h_low, h_high]) = (p.sprout_temperature, p.sprout_humidity);
        let age = f64::from(number(c, self.c.age_seed, plot));
        response(
            p.sprout_base,
            &[
                (p.sprout_temperature_weight, distance(c.value(self.i.temperature), t_low, t_high)),
                (p.sprout_humidity_weight, distance(c.value(self.i.humidity), h_low, h_high)),
                (p.sprout_age_weight, distance(age, p.sprout_age_min, f64::INFINITY)),
            ],
        )
    }

    /// The plant gains height (Farm-gym Eqs. 4–6); chance to bloom (Eqs. 7, 8).
    fn grow(&self, plot: usize, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        let p = &self.p.grow;
        let rate = self.rate(&p.rate, plot, stream, c);
        if rate >= p.rate.min {
            set(c, self.c.size, plot, flow(at(c, self.c.size, plot), rate, p.speed, self.p.size_max));
            set_number(c, self.c.nogrow, plot, 0);
        } else {
            count_one(c, self.c.nogrow, plot);
        }
        let threshold = self.size_threshold(plot, c);
        set(c, self.c.size_threshold, plot, threshold);
        response(0.0, &[(p.bloom_size, distance(at(c, self.c.size, plot), threshold, f64::INFINITY))])
    }

    /// Flowers are pollinated (Farm-gym Eqs. 11–13); chance to fruit (Eq. 14).
    fn bloom(&self, plot: usize, stream: &mut Stream, c: &Context<'_>) -> f64 {
        let p = &self.p.bloom;
        let visitors = self.i.visits.iter().filter(|column| c.get(**column)[plot].get() != 0).count() as i32;
        let visits = number(c, self.c.visits, plot) + visitors;
        set_number(c, self.c.visits, plot, visits);
        let [low, high] = p.wind_temperature;
        let by_wind =
            response(p.wind_base, &[(p.wind_temperature_weight, distance(c.value(self.i.temperature), low, high))]);
        let by_insects =
            response(p.insect_base, &[(p.visits_weight, distance(f64::from(visits), p.visits_min, f64::INFINITY))]);
        let chance = pollination([p.auto_rate, p.wind_rate, p.insect_rate], [p.auto_success, by_wind, by_insects]);
        let pollinated = number(c, self.c.pollinated, plot);
        let waiting = (number(c, self.c.flowers, plot) - pollinated).max(0);
        set_number(c, self.c.pollinated, plot, pollinated + stream.binomial(waiting as u32, chance) as i32);
        count_one(c, self.c.age_bloom, plot);
        let age = f64::from(number(c, self.c.age_bloom, plot));
        response(0.0, &[(p.duration_weight, distance(age, p.duration, f64::INFINITY))])
    }

    /// The fruits gain weight (Farm-gym Eqs. 16, 17); chance to ripen (Eqs. 18, 19).
    fn fruit(&self, plot: usize, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        let p = &self.p.fruit;
        let rate = self.rate(&p.rate, plot, stream, c);
        if rate >= p.rate.min {
            let weight = flow(at(c, self.c.fruit_weight, plot), rate, self.fruit_speed, self.p.fruit_weight_max);
            set(c, self.c.fruit_weight, plot, weight);
            set_number(c, self.c.noweight, plot, 0);
        } else {
            count_one(c, self.c.noweight, plot);
        }
        let threshold = self.weight_threshold(plot, c);
        set(c, self.c.weight_threshold, plot, threshold);
        response(0.0, &[(p.ripe_weight, distance(at(c, self.c.fruit_weight, plot), threshold, f64::INFINITY))])
    }

    /// Ripe fruits are lost to rain, frost, pests and age (Farm-gym Eq. 21); without fruits the plant dies.
    fn keep(&self, plot: usize, dangers: &Dangers, stream: &mut Stream, c: &mut Context<'_>) {
        let fruits = number(c, self.c.fruits, plot).max(0) as u32;
        let chance = (dangers.survival() + self.p.ripe.noise * stream.normal()).clamp(0.0, 1.0);
        let left = match self.decay {
            RipeDecay::Binomial => stream.binomial(fruits, chance),
            RipeDecay::Floor => (chance * f64::from(fruits)) as u32,
        };
        set_number(c, self.c.fruits, plot, left as i32);
        count_one(c, self.c.age_ripe, plot);
        if left == 0 {
            self.die(plot, if fruits == 0 { NO_FRUITS } else { dangers.worst() }, c);
        }
    }

    /// The day's rate of growth: 1 when nothing is missing, plus noise (Farm-gym Eqs. 4, 5, 16).
    fn rate(&self, r: &Rate, plot: usize, stream: &mut Stream, c: &mut Context<'_>) -> f64 {
        let relative = self.relative;
        let required = self.values(plot, self.c.required, c);
        let missing = |x: usize| {
            let (supply, required) = (at(c, self.i.supply[x], plot), required[x]);
            if relative { shortage(supply, required) } else { distance(supply, required, f64::INFINITY) }
        };
        let (water, wilting, capacity) =
            (at(c, self.i.supply_water, plot), c.value(self.i.wilting), c.value(self.i.capacity));
        // Eq. 5: the water that the plant wants, between the wilting point and the capacity.
        let wanted = (1.0 - r.drought) * wilting + r.drought * capacity;
        let dry = if relative {
            // What lies below the wilting point helps nobody, so the share is of what lies above.
            shortage((water - wilting).max(0.0), wanted - wilting)
        } else {
            distance(water, wanted, f64::INFINITY)
        };
        let [low, high] = r.temperature;
        let limits = [
            (r.temperature_weight, distance(c.value(self.i.temperature), low, high)),
            (r.nitrogen, missing(0)),
            (r.phosphorus, missing(1)),
            (r.potassium, missing(2)),
            (r.carbon, missing(3)),
            (r.water, dry),
        ];
        // The order of these is that of `LIMITS` after "nothing".
        let limit = worst_term(&limits).map_or(0, |i| i + 1);
        c.get(self.c.limited_by)[plot].set(limit as u8);
        if limit != 0 {
            c.emit(self.e.limited, plot, limit as f64);
        }
        let perfect = response(r.base, &limits);
        (perfect + r.noise * stream.normal()).clamp(0.0, 1.5)
    }

    fn stress(&self, plot: usize, c: &Context<'_>) -> f64 {
        total_stress(self.values(plot, self.c.stress, c), at(c, self.c.stress_water, plot))
    }

    fn size_threshold(&self, plot: usize, c: &Context<'_>) -> f64 {
        bloom_threshold(self.stress(plot, c), self.p.stress_scale) * self.p.size_max
    }

    fn weight_threshold(&self, plot: usize, c: &Context<'_>) -> f64 {
        let p = &self.p.fruit;
        let missing = p.visits_min - f64::from(number(c, self.c.visits, plot));
        let share =
            ripe_threshold(self.stress(plot, c), self.p.stress_scale, p.stress_weight, missing, p.visits_weight);
        share * self.p.fruit_weight_max
    }
}

/// What others can read of the plants.
impl Life {
    fn publish_thresholds(&self, plot: usize, c: &Context<'_>) {
        match c.get(self.c.stage)[plot].get() {
            GROW => set(c, self.c.size_threshold, plot, self.size_threshold(plot, c)),
            FRUIT => set(c, self.c.weight_threshold, plot, self.weight_threshold(plot, c)),
            _ => {}
        }
    }

    /// The mean of sprouted, height, pollination and fruit weight, each as a share (paper 3.1.2, r_plant).
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
        let size = at(c, self.c.size, plot) / self.p.size_max;
        let weight = at(c, self.c.fruit_weight, plot) / self.p.fruit_weight_max;
        set(c, self.c.progress, plot, ((1.0 + size + pollinated + weight) / 4.0).min(1.0));
    }

    /// The stage of at least three quarters of the plots (II.6.1).
    fn publish_global_stage(&self, c: &Context<'_>) {
        let stages = c.get(self.c.stage);
        let mut counts = [0usize; STAGES.len()];
        for stage in stages {
            counts[usize::from(stage.get())] += 1;
        }
        let common = counts.iter().position(|n| n * 4 >= stages.len() * 3).map_or(UNDEFINED, |stage| stage as u8);
        c.get(self.c.global_stage)[0].set(common);
    }
}
