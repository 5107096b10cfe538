//! The releases, needs and requests of a stand.

use super::*;
use crate::agronomy::laws::canopy::{adjusted_cover, green, mixed_canopy};
use crate::agronomy::laws::growth::{by_light, by_transpiration, growth};
use crate::agronomy::laws::nutrition::LUXURY;
use crate::agronomy::laws::organic_matter::CARBON_IN_DRY_MATTER;
use crate::agronomy::laws::ramp;
use crate::agronomy::laws::water::{drought_response, oxygen_response};

/// Days from a full canopy until leaves count as old (AquaCrop).
const FRESH_DAYS: i32 = 5;
/// Crowding at which a canopy begins to count as full.
const FULL: f64 = 0.9;

/// The light and the ground that a stand uses.
pub(super) struct Light {
    /// Share of the radiation that its green leaves intercept.
    pub taken: f64,
    /// Its part of the adjusted canopy cover, which counts for transpiration.
    pub transpiring: f64,
    /// Share of the ground that it covers.
    pub covered: f64,
}

impl Stand {
    /// Dead plants release their nutrients, with the help of the microlife. Living plants release nothing.
    pub(super) fn release(&self, c: &Context<'_>) {
        clear(self.c.released, c);
        for (plot, stage) in c.get(self.c.stage).iter().enumerate() {
            if stage.get() == DEAD {
                self.rot(plot, c);
            } else if let Some(cultivar) = &self.cultivar {
                self.litter(cultivar, plot, c);
            }
        }
    }

    fn rot(&self, plot: usize, c: &Context<'_>) {
        let microlife = at(c, self.c.microlife, plot) / 100.0;
        let columns = [self.c.nutrients, self.c.released];
        give_back((self.plots(), plot), columns, self.release_speed, microlife, c, || self.clear(plot, NONE, c));
        // The remaining dry matter follows from the remaining carbon.
        let [_, _, _, carbon] = values(self.plots(), plot, self.c.nutrients, c);
        set(c, self.c.biomass, plot, carbon / CARBON_IN_DRY_MATTER);
    }

    /// The light and ground that the plants on a plot use, next to the other plants and weeds on it.
    pub(super) fn light(&self, plot: usize, c: &Context<'_>) -> Light {
        let development = &self.p.crop.development;
        let canopy = &self.p.crop.canopy;
        let (covered, share) = mixed_canopy(at(c, self.c.leaf_area, plot), self.all_leaves(plot, c), self.area);
        let age = at(c, self.c.thermal_time, plot) - development.senescence;
        let ripe = c.get(self.c.stage)[plot].get() == RIPE;
        let green = match (ripe, &self.cultivar) {
            (true, _) => 0.0,
            // Their leaves themselves die.
            (_, Some(_)) => 1.0,
            _ => green(age, canopy.decline, canopy.max_cover),
        };
        Light {
            taken: covered * share * green,
            transpiring: adjusted_cover(covered * green) * share,
            covered: covered * share,
        }
    }

    /// Sets the plants' needs and requests for today, and the values that other parts read. All values are 0 on plots without living
    /// plants.
    pub(super) fn ask(&self, day: &Day<'_>, c: &Context<'_>) {
        [self.c.pests, self.c.hosts, self.c.open_flowers].into_iter().for_each(|column| clear(column, c));
        let wants = [self.c.asked, self.c.asked_water, self.c.wanted_water, self.c.shade];
        wants.into_iter().for_each(|column| clear(column, c));
        for (plot, stage) in c.get(self.c.stage).iter().enumerate() {
            if is_active(stage.get()) {
                self.ask_on(plot, stage.get(), day, c);
            }
        }
    }

    /// The same for a plot with living plants.
    fn ask_on(&self, plot: usize, stage: u8, day: &Day<'_>, c: &Context<'_>) {
        let population = number(c, self.c.population, plot);
        set_number(c, self.c.hosts, plot, population);
        let flowers = if stage == BLOOM { number(c, self.c.flowers_per_plant, plot) } else { 0 };
        set_number(c, self.c.open_flowers, plot, population.saturating_mul(flowers));

        let zone = self.root_zone(plot, day, c);
        let light = self.light(plot, c);
        set(c, self.c.shade, plot, light.covered * self.area);
        self.feel_the_soil(plot, &zone, day, c);

        let water = &self.p.crop.water;
        let old_days = (number(c, self.c.age_canopy, plot) - FRESH_DAYS).max(0);
        let coefficient = water.crop_coefficient * (1.0 - water.ageing * f64::from(old_days)).max(0.0);
        let wanted_mm = coefficient * light.transpiring * day.et0 * day.warmth;
        let has_layers = self.cultivar.as_ref().is_some_and(|cultivar| cultivar.c.rooted_water.is_some());
        let drought = match has_layers {
            // The soil grants what the roots find in each layer.
            true => 1.0,
            false => drought_response(zone.depletion, day.transpiration, 1.0, self.drought.transpiration_shape),
        };
        let wet_days = f64::from(number(c, self.c.consecutive_wet, plot));
        let wetness = oxygen_response(zone.air, water.air, wet_days, water.wet_days);
        let asked_mm = wanted_mm * drought.min(wetness);
        set(c, self.c.wanted_water, plot, wanted_mm * self.area);
        set(c, self.c.asked_water, plot, asked_mm * self.area);
        let light = by_light(self.p.crop.growth.radiation_use_efficiency, c.value(self.c.radiation), light.taken);
        let grown = match &day.conditions {
            Some(conditions) => conditions.growth * light,
            None => growth(by_transpiration(self.p.crop.growth.water_productivity, asked_mm, day.et0), light),
        };
        self.ask_for_nutrients(plot, grown * self.area, &zone, c);
    }

    /// Sets the effects of soil water on leaves and flowers, and the crowding of the canopy, for the growth later in the day.
    fn feel_the_soil(&self, plot: usize, zone: &RootZone, day: &Day<'_>, c: &Context<'_>) {
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
        set(c, self.c.expansion, plot, drought_response(zone.depletion, begin, end, self.drought.leaf_growth_shape));
        set(c, self.c.turgid, plot, drought_response(zone.depletion, day.wilting, 1.0, self.drought.wilting_shape));
        set(c, self.c.moist, plot, 1.0 - ramp(zone.depletion, day.pollination, 1.0));
        if zone.air < water.air {
            count_one(c, self.c.consecutive_wet, plot);
        } else {
            set_number(c, self.c.consecutive_wet, plot, 0);
        }
    }

    /// Asks for the nitrogen, phosphorus and potassium that the plants will need at the end of the day, and a little more. Roots limit
    /// the amount. Ripe plants take up nothing.
    fn ask_for_nutrients(&self, plot: usize, grown_g: f64, zone: &RootZone, c: &Context<'_>) {
        if c.get(self.c.stage)[plot].get() == RIPE {
            return;
        }
        let held = values(self.plots(), plot, self.c.nutrients, c);
        let needed = self.needed(plot, at(c, self.c.biomass, plot) + grown_g, c);
        for (x, (cell, needed)) in four(self.plots(), plot, self.c.asked, c).zip(needed).enumerate() {
            let rooted = self.cultivar.as_ref().and_then(|cultivar| cultivar.c.rooted_nitrogen).filter(|_| x == 0);
            cell.set(match rooted {
                Some(rooted) => (LUXURY * needed - held[0]).max(0.0).min(at(c, rooted, plot)),
                None => self.nutrition.asked(x, needed, held[x], at(c, self.c.supply[x], plot), zone),
            });
        }
    }
}
