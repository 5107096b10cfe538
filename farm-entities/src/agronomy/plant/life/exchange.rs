//! The nutrients and water that the plants ask for, take up and release.

use super::*;

impl Life {
    /// Dead plants release their nutrients, with the help of the microlife (II.6.7 dead).
    #[farm_core::equation("II.6.7 dead: dead plants give back")]
    pub(super) fn release(&self, plot: usize, c: &Context<'_>) {
        if c.get(self.c.stage)[plot].get() != DEAD {
            self.fix_from_air(plot, c);
            return;
        }
        let microlife = at(c, self.c.microlife, plot) / 100.0;
        let columns = [self.c.nutrients, self.c.released];
        give_back((self.plots(), plot), columns, self.release_speed, microlife, c, || self.clear(plot, NONE, c));
    }

    /// Fixation brings nitrogen and carbon from the air into the soil (II.6.9, an option).
    pub(super) fn fix_from_air(&self, plot: usize, c: &Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        // The last remains of dead plants are released once, on the day before.
        if stage == NONE || self.c.plant.air_fixation {
            let active = f64::from(u8::from(is_active(stage) && self.c.plant.air_fixation));
            let millimetres = active * f64::from(number(c, self.c.population, plot)) * 10.0 * at(c, self.c.size, plot);
            let fixed = [self.c.plant.grow.nitrogen_fixation, 0.0, 0.0, self.c.plant.grow.carbon_fixation];
            for (released, per_mm) in four(self.plots(), plot, self.c.released, c).zip(fixed) {
                released.set((millimetres * per_mm).min(MANY));
            }
        }
    }

    /// Sets today's needs and requests of the plants on a plot, and the values that other parts read (II.6.3, 6.5, 6.8).
    #[farm_core::equation("II.6.3: demand", "II.6.5: transpiration", "II.6.8: shade")]
    pub(super) fn ask(&self, plot: usize, c: &Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        set_number(c, self.c.pests, plot, 0);
        if !is_active(stage) {
            set_number(c, self.c.hosts, plot, 0);
            set_number(c, self.c.open_flowers, plot, 0);
            for column in [self.c.required, self.c.asked] {
                four(self.plots(), plot, column, c).for_each(|cell| cell.set(0.0));
            }
            set(c, self.c.asked_water, plot, 0.0);
            set(c, self.c.shade, plot, 0.0);
            return;
        }
        let size = at(c, self.c.size, plot);
        let hosts = number(c, self.c.population, plot);
        let population = f64::from(hosts);
        set_number(c, self.c.hosts, plot, hosts);
        // An initial condition may ask for more flowers than plants can have.
        let flowers = hosts.saturating_mul(number(c, self.c.flowers, plot)).min(self.most_flowers);
        set_number(c, self.c.open_flowers, plot, flowers);
        let grown_cm = match self.requirement {
            Requirement::StandingHeight => size,
            Requirement::Growth if stage == GROW => {
                flow(size, 1.0, self.c.plant.grow.speed, self.c.plant.size_max) - size
            }
            Requirement::Growth => 0.0,
        };
        let flowers = if stage == BLOOM { f64::from(number(c, self.c.flowers, plot)) } else { 0.0 };
        let fruit_grams = if stage == FRUIT {
            f64::from(number(c, self.c.fruits, plot)) * at(c, self.c.fruit_weight, plot)
        } else {
            0.0
        };
        let microlife = at(c, self.c.microlife, plot) / 100.0;
        let (required, asked) =
            (four(self.plots(), plot, self.c.required, c), four(self.plots(), plot, self.c.asked, c));
        let held = four(self.plots(), plot, self.c.nutrients, c);
        for (x, ((required, asked), held)) in required.zip(asked).zip(held).enumerate() {
            let per_plant = 10.0 * grown_cm * self.grow_needs[x]
                + flowers * self.flower_needs[x]
                + fruit_grams * self.fruit_needs[x];
            required.set((population * per_plant).min(MANY));
            // At most the amount that the plot can hold, so that nothing granted is lost.
            asked.set((microlife * required.get()).min((MANY - held.get()).max(0.0)));
        }
        let used_ml = match stage {
            GROW => self.c.plant.grow.water,
            BLOOM => flowers * self.c.plant.bloom.water,
            FRUIT => fruit_grams * self.c.plant.fruit.water,
            _ => 0.0,
        };
        let leaf_area = (self.area / population.max(1.0)).min(self.c.plant.grow.leaf_surface * size);
        let coefficient = crop_coefficient(
            self.c.plant.crop_coefficient_base,
            self.c.plant.crop_coefficient_height,
            size,
            c.value(self.c.wind),
            c.value(self.c.humidity_min),
        );
        let transpired = c.value(self.c.evapotranspiration) * coefficient * leaf_area;
        let held = at(c, self.c.water, plot);
        let asked = (population * (transpired + used_ml / 1000.0)).min((MANY - held).max(0.0));
        set(c, self.c.asked_water, plot, asked);
        set(c, self.c.shade, plot, shade(self.c.plant.shadow, population, size));
    }

    /// Adds the amounts that the soil granted, and updates the stress from the missing amounts (II.4 step 5, II.6.6).
    #[farm_core::equation("II.4 step 5: uptake")]
    pub(super) fn take(&self, plot: usize, c: &Context<'_>) {
        let healing = 1.0 - self.c.plant.stress_healing;
        let (asked, required) =
            (four(self.plots(), plot, self.c.asked, c), four(self.plots(), plot, self.c.required, c));
        let (nutrients, stress) =
            (four(self.plots(), plot, self.c.nutrients, c), four(self.plots(), plot, self.c.stress, c));
        for ((((asked, required), nutrient), stress), share) in
            asked.zip(required).zip(nutrients).zip(stress).zip(self.c.share)
        {
            let granted = asked.get() * at(c, share, plot);
            nutrient.set(nutrient.get() + granted);
            stress.set((stress.get() * healing + required.get() - granted).min(MANY));
        }
        let asked = at(c, self.c.asked_water, plot);
        let granted = asked * at(c, self.c.water_share, plot);
        set(c, self.c.water, plot, at(c, self.c.water, plot) + granted);
        let stress = at(c, self.c.stress_water, plot) * healing + asked - granted;
        set(c, self.c.stress_water, plot, stress.min(MANY));
    }
}
