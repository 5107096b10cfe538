//! How many weeds there are in the equations `agronomic`: seeds in the soil emerge in warmth and moisture, weeds age, flower and shed
//! seeds of which few come up in the same year.

use farm_core::{Context, Purpose};

use super::MAX_EVER;
use super::day::Day;
use super::thicket::Thicket;
use crate::agronomy::laws::emergence::{emerging, moist_enough};

/// How many weeds come, stay and multiply; only `equations: agronomic` reads it. Orders of magnitude of arable weeds: Forcella et al.
/// 2000 for emergence, Cousens & Mortimer 1995 for seeds that come up in the year in which they fall.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Demography {
    /// Seeds that blow in.
    #[parameter(unit = "nb.m-2.day-1", default = 0.01, range = 0.0..=1000.0)]
    pub arriving: f64,
    /// Share of the living seeds that emerges on a warm and moist day.
    #[parameter(unit = "prop.day-1", default = 0.03, range = 0.0..=1.0)]
    pub emergence: f64,
    /// Share of the topsoil's plant-available water below which fewer seeds emerge.
    #[parameter(unit = "prop", default = 0.5, range = 0.01..=1.0)]
    pub moist: f64,
    /// Share of the weeds that dies on any day.
    #[parameter(unit = "prop.day-1", default = 0.002, range = 0.0..=1.0)]
    pub death: f64,
    /// Lowest temperature of a night that half of the weeds survive.
    #[parameter(unit = "°C", default = -4.0, range = -80.0..=30.0)]
    pub lethal: f64,
    /// Warmth from emergence until weeds flower.
    #[parameter(unit = "°C.day", default = 700.0, range = 1.0..=1e4)]
    pub flowering: f64,
    /// Share of the weeds old enough that comes into flower in a day, and of the flowers that sheds its seeds.
    #[parameter(unit = "prop.day-1", default = 0.05, range = 0.0..=1.0)]
    pub ripening: f64,
    /// Share of the seeds shed that can come up in the same year; the others are dormant.
    #[parameter(unit = "prop", default = 0.05, range = 0.0..=1.0)]
    pub awake: f64,
}

const ARRIVE: Purpose = Purpose::named("seeds of weeds that blow in");
const DAY: Purpose = Purpose::named("day of weeds");

impl Thicket {
    pub(super) fn demography(&self) -> &Demography {
        &self.life.p.demography
    }

    /// Seeds blow in on all plots, and flowers shed theirs.
    pub(super) fn spread(&self, day: &Day<'_>, c: &Context<'_>) {
        let p = self.demography();
        let arriving = p.arriving * self.area;
        // Whole seeds, and one more with the chance of what is left over.
        let (whole, rest) = (arriving.floor() as u32, arriving.fract());
        for (plot, (flowers, seeds)) in day.flowers.iter().zip(day.seeds).enumerate() {
            self.life.add(seeds, whole);
            if rest <= 0.0 && flowers.get() <= 0 {
                continue;
            }
            let mut stream = c.stream(self.life.key, ARRIVE.at(plot));
            self.life.add(seeds, u32::from(stream.bernoulli(rest)));
            if flowers.get() > 0 {
                let grow = day.grow[plot].get();
                let before = self.weeds(grow, flowers.get());
                let shed = stream.portion(flowers.get() as u32, p.ripening);
                flowers.set(flowers.get() - shed as i32);
                let awake = stream.portion(shed.saturating_mul(self.life.p.seed_per_flower), p.awake);
                self.life.scatter(plot, awake, &mut stream, c);
                // Who has shed its seeds dies.
                self.follow(plot, before, self.weeds(grow, flowers.get()), 0.0, day);
            }
        }
    }

    /// The weeds of a plot emerge, die and flower; leaves and matter follow.
    #[inline]
    pub(super) fn live(&self, plot: usize, day: &Day<'_>, c: &Context<'_>) {
        let p = self.demography();
        let (seeds, grow, flowers) = (&day.seeds[plot], &day.grow[plot], &day.flowers[plot]);
        let before = self.weeds(grow.get(), flowers.get());
        if seeds.get() <= 0 && before <= 0.0 {
            return;
        }
        let mut stream = c.stream(self.life.key, DAY.at(plot));
        let age = day.age[plot].get() + day.degree_days;
        for numbers in [grow, flowers] {
            numbers.set(stream.portion(numbers.get().max(0) as u32, day.survival) as i32);
        }
        if age >= p.flowering && grow.get() > 0 {
            let flowering = stream.portion(grow.get() as u32, p.ripening);
            grow.set(grow.get() - flowering as i32);
            self.life.add(flowers, flowering.saturating_mul(self.life.p.flowers_per_plant));
        }
        let share = emerging(p.emergence, day.warmth, moist_enough(day.soil.topsoil_moisture(plot), p.moist));
        let room = (self.life.most - grow.get()).max(0) as u32;
        let sprouted = stream.portion(seeds.get().max(0) as u32, share).min(room);
        seeds.set(seeds.get() - sprouted as i32);
        let old = self.weeds(grow.get(), flowers.get());
        self.life.add(grow, sprouted);
        let all = old + f64::from(sprouted);
        // Of two ages the mean, so that a late flush does not flower with the first.
        day.age[plot].set(if all > 0.0 { age * old / all } else { 0.0 });
        let total = &c.get(self.life.c.total)[0];
        total.set(total.get().saturating_add(sprouted as i32).min(MAX_EVER));
        let left = self.weeds(grow.get(), flowers.get()) - f64::from(sprouted);
        self.follow(plot, before, left, f64::from(sprouted), day);
        day.publish_hosts(plot);
    }
}
