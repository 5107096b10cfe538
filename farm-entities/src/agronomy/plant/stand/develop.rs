//! A day of a stand: it takes up nutrients and water, grows, flowers, fruits and ripens, and it loses leaves.

use farm_core::Stream;
use farm_core::math::{Bounded, sum};

use super::super::hindrances::hindered;
use super::*;
use crate::agronomy::laws::canopy::{EXTINCTION, leaf_growth};
use crate::agronomy::laws::development::fertile;
use crate::agronomy::laws::growth::{by_light, cost_of_fruits, crowding_response, harvest_index};
use crate::agronomy::laws::injury::{eaten, frost_survival, pollinated_by_visits};
use crate::agronomy::laws::nutrition::{growth_response, nutrition_response};
use crate::agronomy::laws::organic_matter::CARBON_IN_DRY_MATTER;
use crate::agronomy::laws::supplies::herbicide_survival;
use crate::agronomy::laws::water::{root_depth, salinity, salt_response};

/// Share of the topsoil's available water below which seeds do not develop.
const MOIST_ENOUGH: f64 = 0.2;
/// Share of the growing points that recover from frost in a day.
const RECOVERY: f64 = 0.02;
/// Plants die if frost or herbicide leaves less than this share of their growing points.
const LAST_BUDS: f64 = 0.2;
/// Slope of the dose response of leaves to a herbicide (as for weeds).
const HERBICIDE_SLOPE: f64 = 2.5;
/// Share of the dry matter in eaten leaves that would have moved to the fruits.
const MOVED_TO_FRUITS: f64 = 0.5;
/// Fruits with a lower share of dry matter freeze.
const JUICY: f64 = 0.5;

/// Water supply for leaves to unfold without loss, and for all flowers to set fruit, as shares of the demand (CERES: 1.5; maize sets fewer
/// grains below a half).
const LEAVES_NEED: f64 = 1.5;
const FLOWERS_NEED: f64 = 0.5;
/// Leaves per ground above which they shade each other to death, and the share that dies in a day at twice as many (WOFOST: 3.2/k, 0.03).
const DENSE: f64 = 3.2 / EXTINCTION;
const SHADED: f64 = 0.03;

/// The growth of a day.
#[derive(Debug, Clone, Copy)]
struct Grown {
    /// The growth as a share of the possible growth.
    left: f64,
    /// Dry matter, in g, without the gain from carbon dioxide. That gain makes no leaves: the leaf area of herbs in open fields did not
    /// change (Ainsworth & Long 2005, doi 10.1111/j.1469-8137.2004.01224.x).
    grams: f64,
    /// Nutrition with nitrogen, from 0 (no growth) to 1.
    nitrogen: f64,
}

impl Stand {
    /// A day of the plants on all plots.
    pub(super) fn develop(&self, day: &Day<'_>, c: &mut Context<'_>) {
        clear(self.c.entered, c);
        clear(self.c.fixed, c);
        for (plot, stage) in c.get(self.c.stage).iter().enumerate() {
            let stage = stage.get();
            if !(SEED..=RIPE).contains(&stage) {
                continue;
            }
            let mut stream = c.stream(self.key, DAY.at(plot));
            if stage == SEED {
                self.germinate(plot, day, &mut stream, c);
            } else {
                self.live(plot, stage, day, &mut stream, c);
            }
            self.publish_progress(plot, c);
        }
    }

    /// Seeds are eaten, wait for warmth and moisture, emerge or rot.
    fn germinate(&self, plot: usize, day: &Day<'_>, stream: &mut Stream, c: &mut Context<'_>) {
        let p = &self.p.crop;
        let birds: i32 = self.c.seed_eaters.iter().map(|column| c.value(*column)).sum();
        let share = (p.harm.seeds_per_bird * f64::from(birds.max(0))).at_most(1.0);
        let mut seeds = number(c, self.c.population, plot).max(0) as u32;
        if share > 0.0 {
            seeds -= stream.binomial(seeds, share);
            if seeds == 0 {
                return self.die(plot, BIRDS, c);
            }
        }
        self.cultivar.vernalise(plot, &day.conditions, c);
        if p.development.sprouts_dry || day.soil.is_topsoil_moist(plot, MOIST_ENOUGH) {
            set(c, self.c.thermal_time, plot, at(c, self.c.thermal_time, plot) + day.degree_days);
        }
        if at(c, self.c.thermal_time, plot) >= p.development.emergence {
            let plants = stream.binomial(seeds, p.fruits.germination) as i32;
            set_number(c, self.c.population, plot, plants);
            return if plants == 0 { self.die(plot, NOT_GERMINATED, c) } else { self.come_up(plot, plants, c) };
        }
        set_number(c, self.c.population, plot, seeds as i32);
        count_one(c, self.c.age_seed, plot);
        if f64::from(number(c, self.c.age_seed, plot)) > p.fruits.seed_days {
            self.die(plot, AGE, c);
        }
    }

    fn come_up(&self, plot: usize, plants: i32, c: &mut Context<'_>) {
        let leaves = f64::from(plants) * self.p.crop.canopy.seedling_leaves / 1e4;
        let mass = leaves * self.p.crop.growth.leaf_mass;
        set(c, self.c.leaf_area, plot, leaves);
        set(c, self.c.biomass, plot, mass);
        // The stores of the seed supply the seedling.
        let [nitrogen, phosphorus, potassium] = self.nutrition.needed(mass, self.area);
        let stores = [nitrogen, phosphorus, potassium, CARBON_IN_DRY_MATTER * mass];
        for (x, (cell, store)) in four(self.plots(), plot, self.c.nutrients, c).zip(stores).enumerate() {
            cell.set(store);
            count_grams(self.c.through.sprouted, x, store, c);
        }
        self.cultivar.come_up(plot, &self.p.crop, c);
        self.cultivar.root(plot, mass, 0.0, c);
        self.deepen_roots(plot, c);
        self.advance(plot, GROW, c);
    }

    fn advance(&self, plot: usize, stage: u8, c: &mut Context<'_>) {
        self.enter(plot, stage, c);
        c.emit(self.c.transition, plot, f64::from(stage));
    }

    fn die(&self, plot: usize, cause: u8, c: &mut Context<'_>) {
        self.enter(plot, DEAD, c);
        set(c, self.c.leaf_area, plot, 0.0);
        set(c, self.c.root_depth, plot, 0.0);
        set_number(c, self.c.fruits_per_plant, plot, 0);
        c.get(self.c.cause_of_death)[plot].set(cause);
        c.emit(self.c.death, plot, f64::from(cause));
    }

    fn live(&self, plot: usize, stage: u8, day: &Day<'_>, stream: &mut Stream, c: &mut Context<'_>) {
        let p = &self.p.crop.development;
        if stage == RIPE {
            return self.keep(plot, stream, c);
        }
        let gained = self.development(plot, stage, day, c);
        let warmth = at(c, self.c.thermal_time, plot) + gained;
        set(c, self.c.thermal_time, plot, warmth);
        let grown = self.take_and_grow(plot, day, c);
        self.unfold_leaves(plot, day, gained, grown, c);
        self.deepen_roots(plot, c);
        if let Some(cause) = self.lose_leaves(plot, day, stream, c) {
            // Plants with fruits ripen early; they do not grow any more.
            let early = stage == FRUIT && at(c, self.c.fruit_weight, plot) > 0.0;
            return if early { self.advance(plot, RIPE, c) } else { self.die(plot, cause, c) };
        }
        match stage {
            GROW => {
                let way = gained / (p.flowering - p.emergence).at_least(1.0);
                let height = at(c, self.c.size, plot) + self.p.size_max * way * grown.left;
                set(c, self.c.size, plot, height.at_most(self.p.size_max));
                if warmth >= p.flowering {
                    self.open_buds(plot, stream, c);
                    set(c, self.cultivar.c.flowering_biomass, plot, at(c, self.c.biomass, plot));
                    self.advance(plot, BLOOM, c);
                }
            }
            BLOOM => {
                self.flower(plot, gained, stream, c);
                if warmth >= p.flowering + p.flowering_duration {
                    self.set_fruits(plot, number(c, self.c.flowers_pollinated_per_plant, plot), c);
                    self.fill_fruits(plot, c);
                    self.advance(plot, FRUIT, c);
                }
            }
            _ => {
                self.fill_fruits(plot, c);
                if number(c, self.c.fruits_per_plant, plot) == 0 && warmth >= p.maturity {
                    self.die(plot, NO_FRUITS, c);
                } else if warmth >= p.maturity {
                    self.advance(plot, RIPE, c);
                }
            }
        }
    }

    /// Degree-days that count for the plants on a plot on this day.
    fn development(&self, plot: usize, stage: u8, day: &Day<'_>, c: &Context<'_>) -> f64 {
        if stage == GROW {
            self.cultivar.vernalise(plot, &day.conditions, c);
        }
        let gained = day.degree_days * self.cultivar.rate(plot, stage, &self.p.crop, &day.conditions, c);
        match self.c.cultivar {
            Some(cultivar) => gained * self.paces[usize::from(c.get(cultivar)[plot].get())],
            None => gained,
        }
    }

    /// Adds the amounts that the soil granted and makes dry matter.
    fn take_and_grow(&self, plot: usize, day: &Day<'_>, c: &mut Context<'_>) -> Grown {
        let p = &self.p.crop;
        let asked = four(self.plots(), plot, self.c.asked, c).zip(four(self.plots(), plot, self.c.nutrients, c));
        for (x, ((asked, held), share)) in asked.zip(self.c.share).enumerate() {
            let granted = asked.get() * at(c, share, plot);
            held.set(held.get() + granted);
            count_grams(self.c.through.taken, x, granted, c);
        }
        let wanted = at(c, self.c.wanted_water, plot);
        let drunk = at(c, self.c.asked_water, plot) * at(c, self.c.water_share, plot);
        set(c, self.c.water, plot, at(c, self.c.water, plot) + drunk);
        set(c, self.c.stress_water, plot, at(c, self.c.stress_water, plot) + (wanted - drunk).at_least(0.0));

        let biomass = at(c, self.c.biomass, plot);
        let held = values(self.plots(), plot, self.c.nutrients, c);
        let needed = self.needed(plot, biomass, c);
        let nutrition: [f64; 3] = std::array::from_fn(|x| nutrition_response(held[x], needed[x], p.nutrition.least));
        let fed = nutrition.map(growth_response);
        let salt = salt_response(
            salinity(at(c, self.c.supply[0], plot), c.value(self.c.soil.saturation)),
            p.harm.salt_threshold,
            p.harm.salt_slope,
        );
        let watered = if wanted > 0.0 { drunk / wanted } else { 1.0 };
        let wet = number(c, self.c.consecutive_wet, plot) > 0;
        let water = if wet { AIR } else { WATER };
        let conditions = [(day.conditions.growth, TEMPERATURE), (watered, water), (salt, SALT)];
        let (left, limit) = self.limit(plot, conditions.into_iter().chain(fed.into_iter().zip(NITROGEN..)), c);
        c.get(self.c.limited_by)[plot].set(limit);
        if limit != 0 {
            c.emit(self.c.limited, plot, f64::from(limit));
        }
        let fed = fed.into_iter().fold(1.0, f64::min) * salt * left;
        let since_flowering = at(c, self.c.thermal_time, plot) - p.development.flowering;
        // Fruits take nearly all growth from half of their filling on.
        let costly = 0.5 * p.development.filling_duration;
        let cost = cost_of_fruits(since_flowering, costly, p.growth.left_while_filling);
        let light = self.light(plot, c);
        let light = by_light(p.growth.radiation_use_efficiency, c.value(self.c.radiation), light.taken);
        // Light, less what lacks water and warmth (CERES, WOFOST).
        let grown = day.conditions.growth * cost * watered * light;
        let upkeep = p.growth.maintenance * day.conditions.upkeep * biomass;
        let grown = (grown * fed * self.area - upkeep).at_least(0.0);
        let biomass = biomass + day.growth * grown;
        set(c, self.c.biomass, plot, biomass);
        self.breathe(plot, biomass, watered, c);
        let development = &p.development;
        let way = (at(c, self.c.thermal_time, plot) - development.emergence)
            / (development.maturity - development.emergence).at_least(1.0);
        self.cultivar.root(plot, biomass, way, c);
        self.feel_the_roots(plot, wanted, c);
        Grown { left: fed * watered, grams: grown, nitrogen: nutrition[0] }
    }

    /// Sets the effects of a lack of water on leaves and flowers from the water that the roots can take up (CERES: leaves suffer first).
    fn feel_the_roots(&self, plot: usize, wanted: f64, c: &Context<'_>) {
        let supply = if wanted > 0.0 { at(c, self.cultivar.c.rooted_water, plot) / wanted } else { 1.0 };
        set(c, self.c.expansion, plot, (supply / LEAVES_NEED).at_most(1.0));
        set(c, self.c.turgid, plot, supply.at_most(at(c, self.c.turgid, plot)));
        set(c, self.c.moist, plot, (supply / FLOWERS_NEED).at_most(at(c, self.c.moist, plot)));
    }

    /// Leaves unfold as fast as warmth and dry matter allow, and die of age, shade and drought (WOFOST: Boogaard et al. 1998; CERES), and of
    /// diseases.
    fn unfold_leaves(&self, plot: usize, day: &Day<'_>, gained: f64, grown: Grown, c: &Context<'_>) {
        let p = &self.p.crop;
        let (warmth, leaves) = (at(c, self.c.thermal_time, plot), at(c, self.c.leaf_area, plot));
        let by_warmth = leaf_growth(leaves, p.canopy.growth, 0.0, day.degree_days);
        let by_matter = self.leaf_share(warmth) * grown.grams / p.growth.leaf_mass;
        let more = by_warmth.at_most(by_matter) * grown.nitrogen * at(c, self.c.expansion, plot);
        let full = self.full_leaves.at_most(f64::from(number(c, self.c.population, plot)) * p.canopy.plant_leaves);
        let room = (full - self.all_leaves(plot, c) - at(c, self.c.eaten_leaves, plot)).at_least(0.0);
        let dense = self.all_leaves(plot, c) / self.area;
        let shaded = SHADED * ((dense - DENSE) / DENSE).clamp(0.0, 1.0);
        let wilted = p.water.wilted_leaves * (1.0 - at(c, self.c.turgid, plot));
        let without_disease = (1.0 - shaded.at_least(wilted)) * self.leaves_after(warmth, gained);
        let healthy = self.remaining(&self.c.lost, plot, c);
        let left = without_disease * healthy;
        let leaves = leaves + more.at_most(room);
        if healthy < 1.0 && c.get(self.c.stage)[plot].get() == FRUIT {
            let killed = without_disease * (1.0 - healthy) * leaves;
            set(c, self.c.eaten_leaves, plot, at(c, self.c.eaten_leaves, plot) + killed);
        }
        set(c, self.c.leaf_area, plot, leaves * left);
        let dry = p.canopy.shed * (1.0 - left) * leaves * p.growth.leaf_mass;
        self.cultivar.shed(plot, dry.at_most(0.5 * at(c, self.c.biomass, plot)), c);
    }

    /// Plants take carbon and, with the help of bacteria, nitrogen from the air.
    fn breathe(&self, plot: usize, biomass: f64, watered: f64, c: &Context<'_>) {
        let held = values(self.plots(), plot, self.c.nutrients, c);
        let [needed, ..] = self.needed(plot, biomass, c);
        let fixed = self.p.crop.nutrition.fixation * watered * (needed - held[0]).at_least(0.0);
        set(c, self.c.fixed, plot, fixed);
        let nitrogen = held[0] + fixed;
        let nutrition = if needed > 0.0 { (nitrogen / needed).at_most(10.0) } else { 1.0 };
        set(c, self.c.nitrogen_nutrition, plot, nutrition);
        for (x, cell) in four(self.plots(), plot, self.c.nutrients, c).enumerate() {
            match x {
                0 => cell.set(nitrogen),
                3 => {
                    let carbon = CARBON_IN_DRY_MATTER * biomass;
                    count_grams(self.c.through.taken, x, (carbon - held[x]).at_least(0.0), c);
                    cell.set(carbon);
                }
                _ => {}
            }
        }
    }

    /// The share of growth that remains under all hindrances, and the number of the strongest limit. `limits` are the shares of growth
    /// that the conditions allow, each with its number.
    fn limit(&self, plot: usize, limits: impl IntoIterator<Item = (f64, u8)>, c: &Context<'_>) -> (f64, u8) {
        let mut worst = (1.0 - 1e-9, 0);
        for (left, limit) in limits {
            if left < worst.0 {
                worst = (left, limit);
            }
        }
        if self.hindrances.is_empty() {
            return (1.0, worst.1);
        }
        let penalty = -farm_core::math::ln(worst.0.at_least(1e-300));
        let (left, cause) = hindered(&self.hindrances, plot, penalty, c);
        (left, cause.unwrap_or(worst.1))
    }

    pub(super) fn deepen_roots(&self, plot: usize, c: &Context<'_>) {
        let (canopy, development) = (&self.p.crop.canopy, &self.p.crop.development);
        let [shallow, deep] = canopy.root_depth;
        let (bottom, before) = (c.value(self.c.soil.depth), at(c, self.c.root_depth, plot));
        if before >= bottom {
            return;
        }
        let warmth = at(c, self.c.thermal_time, plot);
        let wished = root_depth(warmth, development.emergence, canopy.roots_deepest, shallow, deep, canopy.root_shape);
        set(c, self.c.root_depth, plot, wished.at_most(bottom).at_least(before));
    }

    /// Lowest temperature of the plants in this night: that of the air, and more under a cover.
    fn night_celsius(&self, plot: usize, c: &Context<'_>) -> f64 {
        c.value(self.c.min) + self.c.shelter.map_or(0.0, |shelter| c.get(shelter)[plot].get())
    }

    /// Frost, cold, animals and herbicides remove leaves, and animals also remove fruits. Returns the cause of death if too few leaves are
    /// left.
    fn lose_leaves(&self, plot: usize, day: &Day<'_>, stream: &mut Stream, c: &mut Context<'_>) -> Option<u8> {
        let p = &self.p.crop;
        let before = at(c, self.c.leaf_area, plot);
        let warmth = at(c, self.c.thermal_time, plot);
        let survival =
            self.winter(plot, day, c).unwrap_or_else(|| frost_survival(self.night_celsius(plot, c), p.harm.lethal));
        let is_low = warmth < p.harm.growing_point;
        let buds = if is_low {
            frost_survival(day.conditions.crown(self.night_celsius(plot, c)), p.harm.lethal)
        } else {
            survival
        };
        let unfrozen = buds * (at(c, self.c.unfrozen, plot) + RECOVERY).at_most(1.0);
        set(c, self.c.unfrozen, plot, unfrozen);
        let frozen = before * survival;
        let animals = f64::from(number(c, self.c.pests, plot));
        let population = f64::from(number(c, self.c.population, plot)).at_least(1.0);
        let scarce = population * p.harm.scarce_leaves / 1e4;
        let uneaten = eaten(frozen, animals, p.harm.eaten_leaves / 1e4, scarce);
        let eaten_m2 = frozen - uneaten;
        self.miss_in_fruits(plot, MOVED_TO_FRUITS * p.growth.harvest_index * eaten_m2 * p.growth.leaf_mass, c);
        if c.get(self.c.stage)[plot].get() == FRUIT {
            set(c, self.c.eaten_leaves, plot, at(c, self.c.eaten_leaves, plot) + eaten_m2);
        }
        let unsprayed = self.unsprayed(plot, c);
        let seedling = population * p.canopy.seedling_leaves / 1e4;
        // A growing point in the soil makes new leaves.
        let left = if is_low { (uneaten * unsprayed).at_least(seedling.at_most(before)) } else { uneaten * unsprayed };
        set(c, self.c.leaf_area, plot, left);
        self.spoil(plot, animals * p.harm.spoilt_fruits / population, stream, c);
        if unfrozen < LAST_BUDS {
            return Some(FROST);
        }
        if unsprayed < LAST_BUDS {
            return Some(HERBICIDE);
        }
        if left >= LAST_LEAVES * seedling {
            return None;
        }
        let (by_frost, by_animals, by_spray) = (before - frozen, eaten_m2, uneaten - left);
        Some(if by_spray > by_frost + by_animals {
            HERBICIDE
        } else if by_frost > by_animals {
            FROST
        } else if by_animals > 0.0 {
            PESTS
        } else if self.remaining(&self.c.lost, plot, c) < 1.0 {
            DISEASE
        } else {
            DROUGHT
        })
    }

    /// Share of the plants that survives the cold at its crowns, if the plants can harden.
    fn winter(&self, plot: usize, day: &Day<'_>, c: &Context<'_>) -> Option<f64> {
        let air = [c.value(self.c.min), c.value(self.c.max)];
        self.cultivar.survive_winter(plot, &self.p.crop, &day.conditions, air, c)
    }

    /// Share of the leaves that survives today's herbicide.
    fn unsprayed(&self, plot: usize, c: &Context<'_>) -> f64 {
        let dose = sum(self.c.sprayed.iter().map(|column| at(c, *column, plot))) / self.area;
        herbicide_survival(dose, self.p.crop.harm.herbicide_half, HERBICIDE_SLOPE)
    }

    /// Removes fruits, on average `expected` per plant, and the dry matter in them. The loss of each fruit is drawn separately.
    fn spoil(&self, plot: usize, expected: f64, stream: &mut Stream, c: &Context<'_>) {
        let fruits = number(c, self.c.fruits_per_plant, plot);
        let population = number(c, self.c.population, plot);
        if expected <= 0.0 || fruits <= 0 || population <= 0 {
            return;
        }
        let all = (fruits as u32).saturating_mul(population as u32);
        let drawn = stream.binomial(all, (expected / f64::from(fruits)).at_most(1.0));
        let lost = at(c, self.c.spoilt_part, plot) + f64::from(drawn) / f64::from(population);
        let whole = lost.floor().at_most(f64::from(fruits));
        set(c, self.c.spoilt_part, plot, (lost - whole).clamp(0.0, 1.0));
        set_number(c, self.c.fruits_per_plant, plot, fruits - whole as i32);
        let dry = at(c, self.c.fruit_weight, plot) * self.p.crop.fruits.dry_share;
        self.miss_in_fruits(plot, whole * f64::from(population) * dry, c);
    }

    fn miss_in_fruits(&self, plot: usize, dry_g: f64, c: &Context<'_>) {
        let missing = &c.get(self.c.missing_in_fruits)[plot];
        missing.set(missing.get() + dry_g);
    }

    /// Sets the number of buds. It increases with the height that the plants have reached (Farm-gym Eq. 10). It also increases with the
    /// space per plant, if that is above the space at the usual density.
    #[farm_core::equation("10")]
    pub(super) fn open_buds(&self, plot: usize, stream: &mut Stream, c: &Context<'_>) {
        const MOST: f64 = 3.0;
        let population = f64::from(number(c, self.c.population, plot)).at_least(1.0);
        let room = (self.area / population * self.p.crop.density).clamp(0.0, MOST);
        let buds = (self.p.crop.fruits.flowers * room.at_least(1.0)).round();
        let share = room.at_most(1.0) * at(c, self.c.size, plot) / self.p.size_max;
        let flowers = stream.binomial(buds as u32, share.clamp(0.0, 1.0)).min(MAX_NUMBER as u32) as i32;
        set_number(c, self.c.flowers_per_plant, plot, flowers);
        set_number(c, self.c.buds_per_plant, plot, flowers);
        set_number(c, self.c.flowers_pollinated_per_plant, plot, 0);
        set_number(c, self.c.pollinator_visits, plot, 0);
    }

    /// The flowers that open today are pollinated or fail: each flower has one day.
    fn flower(&self, plot: usize, gained: f64, stream: &mut Stream, c: &Context<'_>) {
        let (p, development) = (&self.p.crop.fruits, &self.p.crop.development);
        let visitors = self.c.visits.iter().filter(|column| c.get(**column)[plot].get() != 0).count() as i32;
        let visits = (number(c, self.c.pollinator_visits, plot) + visitors).min(LONG);
        set_number(c, self.c.pollinator_visits, plot, visits);
        count_one(c, self.c.age_bloom, plot);
        let end = development.flowering + development.flowering_duration;
        let left = end - (at(c, self.c.thermal_time, plot) - gained);
        let opening = if left > 0.0 { (gained / left).at_most(1.0) } else { 1.0 };
        let buds = number(c, self.c.buds_per_plant, plot).max(0) as u32;
        let open = stream.binomial(buds, opening);
        let per_day = f64::from(visits) / f64::from(number(c, self.c.age_bloom, plot).max(1));
        let by_insects = pollinated_by_visits(per_day, p.visits_for_half);
        let chance = 1.0 - (1.0 - p.selfing) * (1.0 - p.wind) * (1.0 - by_insects);
        let chance =
            chance * fertile(c.value(self.c.min), c.value(self.c.max), p.cold, p.heat) * at(c, self.c.moist, plot);
        let pollinated = stream.binomial(open, chance.clamp(0.0, 1.0)) as i32;
        set_number(c, self.c.buds_per_plant, plot, (buds - open) as i32);
        let cell = &c.get(self.c.flowers_pollinated_per_plant)[plot];
        cell.set(cell.get() + pollinated);
    }

    pub(super) fn set_fruits(&self, plot: usize, fruits: i32, c: &Context<'_>) {
        set_number(c, self.c.fruits_per_plant, plot, fruits);
        set_number(c, self.c.flowers_per_plant, plot, 0);
        set_number(c, self.c.buds_per_plant, plot, 0);
    }

    /// Sets the weight of the fruits from their current share of the dry matter, up to the maximum weight.
    pub(super) fn fill_fruits(&self, plot: usize, c: &Context<'_>) {
        let p = &self.p.crop;
        let plants = f64::from(number(c, self.c.population, plot));
        let fruits = plants * f64::from(number(c, self.c.fruits_per_plant, plot));
        if fruits <= 0.0 {
            set(c, self.c.fruit_weight, plot, 0.0);
            return;
        }
        // The harvest index counts the fallen leaves. Those of today are still in the dry matter.
        let own = &self.cultivar.c;
        let fallen = at(c, own.fallen_leaves, plot) - at(c, own.shed_leaves, plot);
        let biomass = at(c, self.c.biomass, plot) + fallen;
        let since_flowering = at(c, self.c.thermal_time, plot) - p.development.flowering;
        let share = harvest_index(since_flowering, p.development.filling_duration, p.growth.harvest_index)
            * crowding_response(biomass / plants, p.growth.min_plant);
        let source = biomass - (1.0 - p.growth.remobilised) * at(c, own.flowering_biomass, plot);
        let left = ((share * biomass).at_most(source) - at(c, self.c.missing_in_fruits, plot)).at_least(0.0);
        let dry = (left / fruits).at_most(p.fruits.max_dry_weight);
        let weight = (dry / p.fruits.dry_share).at_least(at(c, self.c.fruit_weight, plot));
        set(c, self.c.fruit_weight, plot, weight.at_most(p.fruits.max_dry_weight / p.fruits.dry_share));
    }

    /// Ripe fruits keep for some days; rain, frost, age and animals remove some.
    fn keep(&self, plot: usize, stream: &mut Stream, c: &mut Context<'_>) {
        let p = &self.p.crop;
        count_one(c, self.c.age_ripe, plot);
        let old = f64::from(number(c, self.c.age_ripe, plot)) > p.fruits.keep_days;
        let rain = if c.value(self.c.rain) > 0.0 { p.fruits.rain_loss } else { 0.0 };
        let frost =
            if p.fruits.dry_share < JUICY { frost_survival(self.night_celsius(plot, c), p.harm.lethal) } else { 1.0 };
        let stay = (1.0 - rain) * (1.0 - if old { p.fruits.loss } else { 0.0 }) * frost;
        let fruits = number(c, self.c.fruits_per_plant, plot).max(0) as u32;
        let left = if stay < 1.0 { stream.binomial(fruits, stay) } else { fruits };
        set_number(c, self.c.fruits_per_plant, plot, left as i32);
        let population = f64::from(number(c, self.c.population, plot)).at_least(1.0);
        let animals = f64::from(number(c, self.c.pests, plot));
        self.spoil(plot, animals * p.harm.spoilt_fruits / population, stream, c);
        if number(c, self.c.fruits_per_plant, plot) == 0 {
            let cause = if frost < 0.5 { FROST } else { AGE };
            self.die(plot, cause, c);
        }
    }
}
