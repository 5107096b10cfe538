//! The farmer's actions on the plants: sowing, harvesting, removing.

use super::*;

impl Life {
    /// Sows a plot without plants. The spacing limits the number of seeds (II.6.2).
    pub(super) fn sow(&self, plot: usize, amount: f64, spacing_cm: f64, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if !can_sow(stage) {
            return;
        }
        // A little more than the quotient, so that 25 plants at 20 cm also fit into a square metre in binary numbers.
        let room = (self.area / (spacing_cm / 100.0).powi(2) + 1e-9).floor();
        let population = amount.min(room).min(f64::from(MAX_SEEDS)) as i32;
        if population == 0 {
            return;
        }
        self.clear(plot, SEED, c);
        set_number(c, self.c.population, plot, population);
        let sown = &c.get(self.c.sown)[0];
        sown.set(sown.get().saturating_add(population).min(MAX_SOWN));
        c.get(self.c.entered)[plot].set(1);
    }

    /// Harvests the fruits on a plot: their weight counts once, for all plants on the plot (II.6.2 harvest).
    #[farm_core::equation("II.6.2 harvest: yield")]
    pub(super) fn harvest(&self, plot: usize, c: &mut Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if !self.c.plant.can_harvest(stage) {
            return;
        }
        let fruits = f64::from(number(c, self.c.population, plot)) * f64::from(number(c, self.c.fruits, plot));
        let weight_kg = fruits * at(c, self.c.fruit_weight, plot) / 1000.0;
        let total = &c.get(self.c.harvest_weight)[0];
        total.set((total.get() + weight_kg).min(MANY));
        let progress = at(c, self.c.progress, plot);
        if self.c.plant.harvest_residue {
            // The residue on the plot rots like a dead plant.
            self.enter(plot, DEAD, c);
            set_number(c, self.c.fruits, plot, 0);
        } else {
            self.clear(plot, HARVESTED, c);
        }
        set(c, self.c.progress, plot, progress);
        c.emit(self.c.harvest, plot, weight_kg);
    }

    /// Empties a plot.
    pub(super) fn clear(&self, plot: usize, stage: u8, c: &Context<'_>) {
        let counts = [
            self.c.population,
            self.c.flowers,
            self.c.pollinated,
            self.c.pollinator_visits,
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
            four(self.plots(), plot, column, c).for_each(|cell| cell.set(0.0));
        }
        c.get(self.c.stage)[plot].set(stage);
        c.get(self.c.entered)[plot].set(0);
    }
}
