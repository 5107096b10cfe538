//! The farmer's actions on a stand: sowing, harvesting, removing.

use super::*;
use crate::agronomy::laws::organic_matter::CARBON_IN_DRY_MATTER;
use farm_core::math::Bounded;

/// Maximum number of seeds in an action, from the usual number of plants.
pub(super) fn most_seeds(usual: f64) -> f64 {
    (4.0 * usual).ceil().clamp(100.0, f64::from(MAX_NUMBER))
}

/// Different integers around the usual number of seeds, each at most the maximum in an action.
pub(super) fn offered_seeds(usual: f64) -> Vec<f64> {
    let shares = [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0];
    let mut offered: Vec<f64> =
        shares.iter().map(|share| (share * usual).round().clamp(1.0, most_seeds(usual))).collect();
    offered.dedup();
    offered
}

impl Stand {
    /// Sows a plot without plants. The spacing limits the number of seeds.
    pub(super) fn sow(&self, plot: usize, amount: f64, spacing_cm: f64, cultivar: Option<u8>, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if !can_sow(stage) {
            return;
        }
        // A little more than the quotient, so that 25 plants at 20 cm also fit into a square metre in binary numbers.
        let room = (self.area / (spacing_cm / 100.0).powi(2) + 1e-9).floor();
        let population = amount.at_most(room).at_most(f64::from(MAX_NUMBER)) as i32;
        if population == 0 {
            return;
        }
        self.clear(plot, SEED, c);
        if let (Some(column), Some(cultivar)) = (self.c.cultivar, cultivar) {
            c.get(column)[plot].set(cultivar);
        }
        set_number(c, self.c.population, plot, population);
        let sown = &c.get(self.c.sown)[0];
        sown.set(sown.get().saturating_add(population).min(super::super::MAX_SOWN));
        c.get(self.c.entered)[plot].set(1);
    }

    /// Harvests the fruits on a plot: their weight counts once, for all plants on the plot.
    pub(super) fn harvest(&self, plot: usize, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if !self.p.can_harvest(stage) {
            return;
        }
        let fruits =
            f64::from(number(c, self.c.population, plot)) * f64::from(number(c, self.c.fruits_per_plant, plot));
        let weight_g = fruits * at(c, self.c.fruit_weight, plot);
        let sold_kg = weight_g / 1000.0 * if stage == RIPE { 1.0 } else { self.p.crop.fruits.unripe_worth };
        let total = &c.get(self.c.harvest_weight)[0];
        total.set(total.get() + sold_kg);
        let progress = at(c, self.c.progress, plot);
        if self.p.harvest_residue {
            self.leave_residue(plot, weight_g * self.p.crop.fruits.dry_share, c);
        } else {
            self.carry_off(plot, self.c.harvested, 1.0, c);
            self.clear(plot, HARVESTED, c);
        }
        set(c, self.c.progress, plot, progress);
        c.emit(self.c.harvest, plot, sold_kg);
    }

    /// Adds this share of the nutrients in a plot's plants to one of the sums over the episode, before the nutrients leave the plot.
    fn carry_off(&self, plot: usize, sum: Column<f64>, share: f64, c: &Context<'_>) {
        for (x, held) in values(self.plots(), plot, self.c.nutrients, c).into_iter().enumerate() {
            count_grams(sum, x, share * held, c);
        }
    }

    /// Removes the plants from a plot, including dead plants.
    pub(super) fn remove(&self, plot: usize, c: &Context<'_>) {
        self.carry_off(plot, self.c.through.pulled, 1.0, c);
        self.clear(plot, NONE, c);
    }

    /// The residue on the plot rots like a dead plant. The fruits take their share of the dry matter and its nutrients with them.
    fn leave_residue(&self, plot: usize, fruits_g: f64, c: &mut Context<'_>) {
        let biomass = at(c, self.c.biomass, plot);
        let left = if biomass > 0.0 { (1.0 - fruits_g / biomass).at_least(0.0) } else { 0.0 };
        let held = values(self.plots(), plot, self.c.nutrients, c);
        self.carry_off(plot, self.c.harvested, 1.0 - left, c);
        self.clear(plot, DEAD, c);
        set(c, self.c.biomass, plot, left * biomass);
        for (cell, held) in four(self.plots(), plot, self.c.nutrients, c).zip(held) {
            cell.set(left * held);
        }
        c.get(self.c.entered)[plot].set(1);
    }

    /// Empties a plot.
    pub(super) fn clear(&self, plot: usize, stage: u8, c: &Context<'_>) {
        let counts = [
            self.c.population,
            self.c.flowers_per_plant,
            self.c.flowers_pollinated_per_plant,
            self.c.buds_per_plant,
            self.c.pollinator_visits,
            self.c.fruits_per_plant,
            self.c.age_seed,
            self.c.age_bloom,
            self.c.age_ripe,
            self.c.consecutive_wet,
        ];
        counts.into_iter().for_each(|column| set_number(c, column, plot, 0));
        let reals = [
            self.c.size,
            self.c.thermal_time,
            self.c.biomass,
            self.c.leaf_area,
            self.c.root_depth,
            self.c.fruit_weight,
            self.c.fixed,
            self.c.water,
            self.c.stress_water,
            self.c.progress,
            self.c.eaten_leaves,
            self.c.missing_in_fruits,
            self.c.spoilt_part,
        ];
        reals.into_iter().for_each(|column| set(c, column, plot, 0.0));
        for column in [self.c.unfrozen, self.c.nitrogen_nutrition, self.c.expansion, self.c.turgid, self.c.moist] {
            set(c, column, plot, 1.0);
        }
        for column in [self.c.nutrients, self.c.released] {
            four(self.plots(), plot, column, c).for_each(|cell| cell.set(0.0));
        }
        self.cultivar.clear(plot, c);
        if let Some(cultivar) = self.c.cultivar {
            c.get(cultivar)[plot].set(0);
        }
        c.get(self.c.stage)[plot].set(stage);
        c.get(self.c.entered)[plot].set(0);
    }

    /// Sets the carbon at the start to its share of the dry matter. Plots in the stages none, seed and harvested have neither.
    pub(super) fn settle_matter(&self, plot: usize, stage: u8, c: &Context<'_>) {
        let is_empty = matches!(stage, NONE | SEED | HARVESTED);
        let [nitrogen, phosphorus, potassium, carbon] = values(self.plots(), plot, self.c.nutrients, c);
        let biomass = at(c, self.c.biomass, plot);
        let biomass = match (is_empty, biomass > 0.0) {
            (true, _) => 0.0,
            (false, true) => biomass,
            (false, false) => carbon / CARBON_IN_DRY_MATTER,
        };
        set(c, self.c.biomass, plot, biomass);
        let minerals = if is_empty { [0.0; 3] } else { [nitrogen, phosphorus, potassium] };
        let settled = minerals.into_iter().chain([CARBON_IN_DRY_MATTER * biomass]);
        four(self.plots(), plot, self.c.nutrients, c).zip(settled).for_each(|(cell, grams)| cell.set(grams));
    }

    /// Plants that the rules put into a stage get the age, leaves and dry matter of that stage in an undisturbed stand.
    pub(super) fn make_consistent(&self, plot: usize, stage: u8, c: &mut Context<'_>) {
        let (development, canopy) = (&self.p.crop.development, &self.p.crop.canopy);
        let population = f64::from(number(c, self.c.population, plot));
        let begun = match stage {
            GROW => development.emergence,
            BLOOM => development.flowering,
            FRUIT => development.flowering + development.flowering_duration,
            _ => development.maturity,
        };
        if at(c, self.c.thermal_time, plot) == 0.0 {
            set(c, self.c.thermal_time, plot, begun);
        }
        let seedlings = population * canopy.seedling_leaves / 1e4;
        if at(c, self.c.leaf_area, plot) == 0.0 {
            let grown = self.full_leaves * (population / (self.p.crop.density * self.area)).at_most(1.0);
            set(c, self.c.leaf_area, plot, if stage == GROW { seedlings } else { grown });
        }
        let leaves = at(c, self.c.leaf_area, plot);
        if at(c, self.c.biomass, plot) == 0.0 {
            // Leaves are about half of a plant when it flowers, and all of a seedling.
            let share = if stage == GROW { 1.0 } else { 2.0 };
            set(c, self.c.biomass, plot, share * leaves * self.p.crop.growth.leaf_mass);
        }
        if at(c, self.c.size, plot) == 0.0 && stage > GROW {
            set(c, self.c.size, plot, self.p.size_max);
        }
        let biomass = at(c, self.c.biomass, plot);
        let needed = self.nutrition.needed(biomass, self.area);
        for (cell, needed) in four(self.plots(), plot, self.c.nutrients, c).zip(needed) {
            if cell.get() == 0.0 {
                cell.set(needed);
            }
        }
        self.cultivar.come_up(plot, &self.p.crop, c);
        self.deepen_roots(plot, c);
        let mut stream = c.stream(self.key, START.at(plot));
        let flowers = number(c, self.c.flowers_per_plant, plot);
        if stage >= BLOOM && flowers == 0 && number(c, self.c.fruits_per_plant, plot) == 0 {
            self.open_buds(plot, &mut stream, c);
            if stage > BLOOM {
                self.set_fruits(plot, number(c, self.c.flowers_per_plant, plot).max(1), c);
            }
        }
        if stage > BLOOM && at(c, self.c.fruit_weight, plot) == 0.0 {
            self.fill_fruits(plot, c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{most_seeds, offered_seeds};

    #[test]
    fn the_seeds_offered_stand_around_the_usual_number() {
        assert_eq!(offered_seeds(0.4), [1.0]);
        assert_eq!(offered_seeds(3.0), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 9.0]);
        assert_eq!(offered_seeds(250.0)[3], 250.0);
    }

    /// On plots of several hundred metres, more seeds were offered than allowed, and no such game compiled.
    #[test]
    fn the_seeds_offered_are_allowed_on_plots_of_any_size() {
        for usual in [0.0, 0.1, 3.3, 1320.0, 4e5, 1e9] {
            let offered = offered_seeds(usual);
            let is_allowed = |seeds: &f64| (1.0..=most_seeds(usual)).contains(seeds);
            assert!(!offered.is_empty() && offered.iter().all(is_allowed), "{usual}: {offered:?}");
        }
    }
}
