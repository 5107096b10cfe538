//! What a stand gives back, wants and asks for.

use super::*;
use crate::agronomy::laws::canopy::{adjusted_cover, cover, green, share_of_canopy};
use crate::agronomy::laws::growth::{by_light, by_transpiration, growth};
use crate::agronomy::laws::nutrition::{LUXURY, critical_nitrogen, within_reach};
use crate::agronomy::laws::ramp;
use crate::agronomy::laws::water::{drought_response, oxygen_response};

/// Days after a full canopy until leaves count as old (AquaCrop).
const FRESH_DAYS: i32 = 5;
/// How full a canopy is from which on it counts as full.
const FULL: f64 = 0.9;

/// The light and the ground that a stand holds.
pub(super) struct Light {
    /// Share of the radiation that its green leaves take.
    pub taken: f64,
    /// Its share of the transpiring canopy, as it counts for transpiration.
    pub transpiring: f64,
    /// Ground that it covers, as a share.
    pub covered: f64,
}

impl Stand {
    /// Dead plants set their nutrients free, with the help of the microlife.
    pub(super) fn release(&self, plot: usize, c: &Context<'_>) {
        if c.get(self.c.stage)[plot].get() != DEAD {
            four(self.plots(), plot, self.c.released, c).for_each(|cell| cell.set(0.0));
            return;
        }
        let microlife = at(c, self.c.microlife, plot) / 100.0;
        let held = values(self.plots(), plot, self.c.nutrients, c);
        let freed: Vec4 = std::array::from_fn(|x| self.release_speed[x] * microlife * held[x]);
        // The last remains go at once, so that nothing is lost when the plot is empty again.
        let last = (0..4).all(|x| held[x] - freed[x] < LAST_REMAINS_G);
        let freed = if last { held } else { freed };
        if last {
            self.clear(plot, NONE, c);
        }
        let (nutrients, released) =
            (four(self.plots(), plot, self.c.nutrients, c), four(self.plots(), plot, self.c.released, c));
        for (x, (nutrient, release)) in nutrients.zip(released).enumerate() {
            nutrient.set(held[x] - freed[x]);
            release.set(freed[x]);
        }
    }

    /// The light and ground of the plants of a plot, among all that stand there.
    pub(super) fn light(&self, plot: usize, c: &Context<'_>) -> Light {
        let development = &self.p.crop.development;
        let canopy = &self.p.crop.canopy;
        let all = self.all_leaves(plot, c);
        let share = share_of_canopy(at(c, self.c.leaf_area, plot), all);
        let age = at(c, self.c.thermal_time, plot) - development.senescence;
        let ripe = c.get(self.c.stage)[plot].get() == RIPE;
        let green = if ripe { 0.0 } else { green(age, canopy.decline, canopy.max_cover) };
        let covered = cover(all / self.area);
        Light {
            taken: covered * share * green,
            transpiring: adjusted_cover(covered * green) * share,
            covered: covered * share,
        }
    }

    /// What the plants of a plot need and ask for today, and what others see of them.
    pub(super) fn ask(&self, plot: usize, day: &Day, c: &Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        set_number(c, self.c.pests, plot, 0);
        if !is_active(stage) {
            set_number(c, self.c.hosts, plot, 0);
            set_number(c, self.c.open_flowers, plot, 0);
            four(self.plots(), plot, self.c.asked, c).for_each(|cell| cell.set(0.0));
            for column in [self.c.asked_water, self.c.wanted_water, self.c.shade] {
                set(c, column, plot, 0.0);
            }
            return;
        }
        let population = number(c, self.c.population, plot);
        set_number(c, self.c.hosts, plot, population);
        let flowers = if stage == BLOOM { number(c, self.c.flowers_per_plant, plot) } else { 0 };
        set_number(c, self.c.open_flowers, plot, population.saturating_mul(flowers));

        let zone = self.root_zone(plot, c);
        let light = self.light(plot, c);
        set(c, self.c.shade, plot, light.covered * self.area);
        self.feel_the_soil(plot, &zone, day, c);

        let water = &self.p.crop.water;
        let old_days = (number(c, self.c.age_canopy, plot) - FRESH_DAYS).max(0);
        let coefficient = water.crop_coefficient * (1.0 - water.ageing * f64::from(old_days)).max(0.0);
        let wanted_mm = coefficient * light.transpiring * day.et0 * day.warmth;
        let drought = drought_response(zone.depletion, day.transpiration, 1.0, water.transpiration_shape);
        let wet_days = f64::from(number(c, self.c.consecutive_wet, plot));
        let wetness = oxygen_response(zone.air, water.air, wet_days, water.wet_days);
        let asked_mm = wanted_mm * drought.min(wetness);
        set(c, self.c.wanted_water, plot, wanted_mm * self.area);
        set(c, self.c.asked_water, plot, asked_mm * self.area);
        let grown = growth(
            by_transpiration(self.p.crop.growth.water_productivity, asked_mm, day.et0),
            by_light(self.p.crop.growth.radiation_use_efficiency, c.value(self.c.radiation), light.taken),
        );
        self.ask_for_nutrients(plot, grown * self.area, &zone, c);
    }

    /// What the water of the soil does to leaves and flowers, and how full the canopy is; used when they grow.
    fn feel_the_soil(&self, plot: usize, zone: &RootZone, day: &Day, c: &Context<'_>) {
        let (canopy, water) = (&self.p.crop.canopy, &self.p.crop.water);
        let gone = at(c, self.c.eaten_leaves, plot);
        let own = at(c, self.c.leaf_area, plot) + gone;
        let population = f64::from(number(c, self.c.population, plot));
        let ground = (self.all_leaves(plot, c) + gone) / self.full_leaves;
        let crowding = ground.max(own / (population * canopy.max_leaves).max(1e-9)).min(1.0);
        set(c, self.c.crowding, plot, crowding);
        if crowding >= FULL {
            count_one(c, self.c.age_canopy, plot);
        }
        let [begin, end] = day.leaf_growth;
        set(c, self.c.expansion, plot, drought_response(zone.depletion, begin, end, water.leaf_growth_shape));
        set(c, self.c.turgid, plot, drought_response(zone.depletion, day.wilting, 1.0, water.wilting_shape));
        set(c, self.c.moist, plot, 1.0 - ramp(zone.depletion, day.pollination, 1.0));
        if zone.air < water.air {
            count_one(c, self.c.consecutive_wet, plot);
        } else {
            set_number(c, self.c.consecutive_wet, plot, 0);
        }
    }

    /// Nitrogen, phosphorus and potassium for the plants as they will be tonight, and a little more; no more than roots reach.
    fn ask_for_nutrients(&self, plot: usize, grown_g: f64, zone: &RootZone, c: &Context<'_>) {
        let held = values(self.plots(), plot, self.c.nutrients, c);
        let needed = self.needed(at(c, self.c.biomass, plot) + grown_g);
        let moisture = 1.0 - zone.depletion;
        let p = &self.p.crop.nutrition;
        let reach = [p.nitrogen_reach, p.phosphorus_reach, p.potassium_reach];
        for (x, cell) in four(self.plots(), plot, self.c.asked, c).enumerate().take(3) {
            let reached = within_reach(at(c, self.c.supply[x], plot), reach[x], zone.share, moisture);
            cell.set((LUXURY * needed[x] - held[x]).max(0.0).min(reached));
        }
    }

    /// N, P and K that a stand of this dry matter needs to grow unhindered \[g\].
    pub(super) fn needed(&self, biomass_g: f64) -> [f64; 3] {
        let p = &self.p.crop.nutrition;
        let nitrogen = biomass_g * critical_nitrogen(biomass_g / self.area, p.nitrogen, p.dilution);
        [nitrogen, nitrogen * p.phosphorus, nitrogen * p.potassium]
    }
}
