//! The releases, needs and requests of a stand.

use super::*;
use crate::agronomy::laws::canopy::{adjusted_cover, mixed_canopy};
use crate::agronomy::laws::growth::by_light;
use crate::agronomy::laws::nutrition::asked;
use crate::agronomy::laws::organic_matter::CARBON_IN_DRY_MATTER;
use crate::agronomy::laws::ramp;
use crate::agronomy::laws::water::{drought_response, oxygen_response};
use farm_core::math::Bounded;

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
            } else {
                self.litter(plot, c);
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
        let (covered, share) = mixed_canopy(at(c, self.c.leaf_area, plot), self.all_leaves(plot, c), self.area);
        let green = if c.get(self.c.stage)[plot].get() == RIPE { 0.0 } else { 1.0 };
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
        self.feel_the_soil(plot, &zone, c);

        let water = &self.p.crop.water;
        let transpiring = light.transpiring * self.remaining(&self.c.sick, plot, c);
        let wanted_mm = water.crop_coefficient * transpiring * day.et0;
        let wet_days = f64::from(number(c, self.c.consecutive_wet, plot));
        let wetness = oxygen_response(zone.air, water.air, wet_days, water.wet_days);
        let drought = drought_response([zone.depletion], water.transpiration, 1.0, self.stomata)[0];
        let asked_mm = wanted_mm * drought.at_most(wetness);
        set(c, self.c.wanted_water, plot, wanted_mm * self.area);
        set(c, self.c.asked_water, plot, asked_mm * self.area);
        let light = by_light(self.p.crop.growth.radiation_use_efficiency, c.value(self.c.radiation), light.taken);
        self.ask_for_nutrients(plot, day.growth * day.conditions.growth * light * self.area, &zone, c);
    }

    /// Sets the effects of the soil on leaves and flowers for the growth later in the day.
    fn feel_the_soil(&self, plot: usize, zone: &RootZone, c: &Context<'_>) {
        let water = &self.p.crop.water;
        for (column, begin) in [(self.c.turgid, water.wilting), (self.c.moist, water.pollination)] {
            set(c, column, plot, if begin < 1.0 { 1.0 - ramp(zone.depletion, begin, 1.0) } else { 1.0 });
        }
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
            cell.set(match x {
                0 => asked(needed, held[0], at(c, self.cultivar.c.rooted_nitrogen, plot)),
                _ => self.nutrition.asked(x, needed, held[x], at(c, self.c.supply[x], plot), zone),
            });
        }
    }
}
