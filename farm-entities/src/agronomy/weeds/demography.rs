//! The number of weeds in the `agronomic` equations. Seeds in the soil emerge in warmth and moisture. Weeds age, flower and shed seeds, and
//! few of these seeds emerge in the same year.

use farm_core::{Context, PlotStream, Purpose};

use super::MAX_EVER;
use super::day::Day;
use super::life::Around;
use super::thicket::Thicket;
use crate::agronomy::laws::emergence::{emerging, moist_enough};

/// Arrival, survival and multiplication of weeds. Used only with `equations: agronomic`. The defaults are orders of magnitude of arable
/// weeds: Forcella et al. 2000 for emergence, Cousens & Mortimer 1995 for seeds that emerge in the year of their fall.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Demography {
    /// Seeds that blow into the field.
    #[parameter(unit = "nb.m-2.day-1", default = 0.01, range = 0.0..=1000.0)]
    pub arriving: f64,
    /// Share of the living seeds that emerges on a warm and moist day.
    #[parameter(unit = "prop.day-1", default = 0.03, range = 0.0..=1.0)]
    pub emergence: f64,
    /// Share of the topsoil's plant-available water below which fewer seeds emerge.
    #[parameter(unit = "prop", default = 0.5, range = 0.01..=1.0)]
    pub moist: f64,
    /// Share of the weeds that dies on each day without another cause.
    #[parameter(unit = "prop.day-1", default = 0.002, range = 0.0..=1.0)]
    pub death: f64,
    /// Daily minimum temperature that half of the weeds survive.
    #[parameter(unit = "°C", default = -4.0, range = -80.0..=30.0)]
    pub lethal: f64,
    /// Degree-days from emergence until weeds can flower.
    #[parameter(unit = "°C.day", default = 700.0, range = 1.0..=1e4)]
    pub flowering: f64,
    /// Share of the weeds old enough to flower that begins to flower in a day, and share of the flowers that sheds its seeds in a day.
    #[parameter(unit = "prop.day-1", default = 0.05, range = 0.0..=1.0)]
    pub ripening: f64,
    /// Share of the shed seeds that can emerge in the same year; the other seeds are dormant.
    #[parameter(unit = "prop", default = 0.05, range = 0.0..=1.0)]
    pub awake: f64,
}

const DAY: Purpose = Purpose::named("day of weeds");

impl Thicket {
    pub(super) fn demography(&self) -> &Demography {
        &self.life.p.demography
    }

    /// The weeds on all plots emerge, flower, shed their seeds and die; leaves and matter are updated to match. Seeds land after the day of
    /// all plots, so that the order of the plots does not matter.
    pub(super) fn live(&self, day: &Day<'_>, c: &Context<'_>) {
        let streams = c.plot_streams(self.life.key, DAY);
        let (mut sprouted, mut plot) = (0, 0);
        for x in 0..self.life.length {
            for y in 0..self.life.width {
                sprouted += self.live_on(plot, (x, y), &mut streams.at(plot), day);
                plot += 1;
            }
        }
        for (seeds, landed) in day.seeds.iter().zip(day.landed) {
            self.life.add(seeds, landed.replace(0) as u32);
        }
        let total = &c.get(self.life.total)[0];
        total.set(total.get().saturating_add_unsigned(sprouted).min(MAX_EVER));
    }

    /// The same for one plot. Returns the number of seeds that sprout.
    #[inline]
    fn live_on(&self, plot: usize, place: (usize, usize), stream: &mut PlotStream, day: &Day<'_>) -> u32 {
        let p = self.demography();
        let (seeds, grow, flowers) = (&day.seeds[plot], &day.grow[plot], &day.flowers[plot]);
        // Whole seeds, and one more with the remaining fraction as probability.
        let (whole, rest) = day.arriving;
        self.life.add(&day.landed[plot], whole + if rest > 0.0 { stream.portion(1, rest) } else { 0 });
        let before = self.weeds(grow.get(), flowers.get());
        if seeds.get() <= 0 && before <= 0.0 {
            return 0;
        }
        let mut weeds = stream.portion(grow.get() as u32, day.survival);
        let mut blossoms = flowers.get() as u32;
        if blossoms > 0 {
            // Weeds that have shed their seeds die.
            let shed = stream.portion(blossoms, p.ripening);
            blossoms = stream.portion(blossoms - shed, day.survival);
            let awake = stream.portion(shed.saturating_mul(self.life.p.seed_per_flower), p.awake);
            self.scatter(awake, place, stream, day);
        }
        let age = day.age[plot].get() + day.degree_days;
        if age >= p.flowering && weeds > 0 {
            let flowering = stream.portion(weeds, p.ripening);
            weeds -= flowering;
            blossoms = blossoms.saturating_add(flowering.saturating_mul(self.life.p.flowers_per_plant));
        }
        let share = emerging(p.emergence, day.warmth, moist_enough(day.soil.topsoil_moisture(plot), p.moist));
        let room = self.life.most as u32 - weeds;
        let sprouted = stream.portion(seeds.get() as u32, share).min(room);
        seeds.set(seeds.get() - sprouted as i32);
        grow.set((weeds + sprouted) as i32);
        flowers.set(blossoms.min(self.life.most as u32) as i32);
        let old = self.weeds(weeds as i32, flowers.get());
        let all = old + f64::from(sprouted);
        // The mean of two ages, so that late weeds do not flower with the first ones.
        day.age[plot].set(if all > 0.0 { age * old / all } else { 0.0 });
        self.follow(plot, before, old, f64::from(sprouted), day);
        day.publish_hosts(plot);
        sprouted
    }

    /// Seeds land on the plot at this place and on its neighbours, with equal probability.
    fn scatter(&self, seeds: u32, (x, y): (usize, usize), stream: &mut PlotStream, day: &Day<'_>) {
        if seeds == 0 {
            return;
        }
        let around = Around::of(x, y, self.life.length, self.life.width);
        let plots = around.plots(self.life.width);
        stream.apportion(seeds, std::iter::repeat_n(1.0, around.len()), |k, landed| {
            self.life.add(&day.landed[plots[k]], landed);
        });
    }
}
