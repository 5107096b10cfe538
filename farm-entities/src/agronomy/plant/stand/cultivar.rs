//! What differs between cultivars: development by day length and cold, hardening, and leaves and roots that are made of dry matter.

use farm_core::math::{Bounded, exp};
use farm_core::{Column, Columns, Context};
use farm_roles::{DAY_OF_YEAR, ROOT_LENGTH, ROOTED_NITROGEN, ROOTED_WATER};

use super::super::cells::*;
use super::super::crop::{Crop, DayLength, Vernalisation};
use super::Stand;
use crate::agronomy::laws::cold::{
    crown_temperature, hardiness, melting, snow_depth, snow_share, unhardened, winter_survival,
};
use crate::agronomy::laws::day_length::{day_length, day_length_response};
use crate::agronomy::laws::development::{over_the_day, trapezium, vernalised};
use crate::agronomy::laws::growth::upkeep;

/// Length of roots for each gram of their dry matter \[m\] (CERES cereals: 0.98·10⁴ cm).
const ROOT_LENGTH_PER_GRAM: f64 = 98.0;
/// Dry matter of roots for each gram above the ground, of a ripe plant (usual in cereals: 0.1), and how much more of a seedling, with the
/// speed at which that falls (design: a third of the way to ripeness, 0.4; seedlings find water in drying clay).
const RIPE_ROOTS: f64 = 0.1;
const YOUNG_ROOTS: f64 = 16.0;
const FALL_OF_ROOTS: f64 = 12.0;

/// The columns.
#[derive(Columns)]
pub(super) struct CultivarColumns {
    /// Days at the best temperature for vernalisation since sowing.
    #[real(unit = "day", range = 0.0..=1e4, per_plot)]
    pub vernal_days: Column<f64>,
    /// Temperature of the crown that half of the plants survive.
    #[real(unit = "°C", range = -80.0..=30.0, per_plot)]
    pub hardiness: Column<f64>,
    /// Snow on the field, as water.
    #[real(unit = "mm", range = 0.0..=1e5)]
    pub snow: Column<f64>,
    /// Dry matter of all plants on the plot at their first flowers.
    #[real(name = "flowering_biomass#g", range = 0.0..=1e9, per_plot, hidden)]
    pub flowering_biomass: Column<f64>,
    /// Dry matter of the leaves that fell since emergence.
    #[real(name = "fallen_leaves#g", range = 0.0..=1e9, per_plot)]
    pub fallen_leaves: Column<f64>,
    /// Dry matter of the leaves that fell over the day. The ground has it on the next day.
    #[real(name = "shed_leaves#g.day-1", range = 0.0..=1e9, per_plot, hidden)]
    pub shed_leaves: Column<f64>,
    /// Length of all roots on the plot.
    #[real(unit = "m", range = 0.0..=1e12, per_plot, hidden, role = ROOT_LENGTH)]
    pub root_length: Column<f64>,
    #[one(DAY_OF_YEAR)]
    pub day_of_year: Column<i32>,
    #[one(ROOTED_WATER)]
    pub rooted_water: Column<f64>,
    #[one(ROOTED_NITROGEN)]
    pub rooted_nitrogen: Column<f64>,
}

/// The plants' further columns and what follows from the parameters and the place.
pub(super) struct Cultivar {
    pub c: CultivarColumns,
    pub latitude: f64,
}

/// A day's conditions for development and growth, the same for all plots.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conditions {
    /// Vernal days.
    cold: f64,
    /// Shares of the rate of development that the day length allows before and after the first flowers.
    day_length: [f64; 2],
    /// Share of growth that the temperature allows.
    pub growth: f64,
    /// Upkeep of dry matter as a multiple of that at 25 °C.
    pub upkeep: f64,
    snow_cm: f64,
}

impl Conditions {
    /// Temperature of crowns and growing points in the soil \[°C\] in air of this temperature.
    pub(super) fn crown(&self, air: f64) -> f64 {
        crown_temperature(air, self.snow_cm)
    }
}

impl Cultivar {
    /// The day's conditions, under the snow of the evening before.
    pub(super) fn conditions(&self, crop: &Crop, min: f64, max: f64, c: &Context<'_>) -> Conditions {
        let cold = |need: &Vernalisation| over_the_day(min, max, |t| trapezium(t, need.temperature, need.optimum));
        let lengths = |law: &DayLength| {
            let hours = day_length(self.latitude, c.value(self.c.day_of_year), law.sun);
            let limits = [law.none, law.full];
            let after = law
                .after_flowering
                .map_or(1.0, |shift| day_length_response(hours, limits.map(|limit| limit + shift), law.shape));
            [day_length_response(hours, limits, law.shape), after]
        };
        let daytime = 0.25 * min + 0.75 * max;
        Conditions {
            cold: crop.development.vernalisation.as_ref().map_or(0.0, cold),
            day_length: crop.development.day_length.as_ref().map_or([1.0; 2], lengths),
            growth: trapezium(daytime, crop.growth.temperature, crop.growth.optimum),
            upkeep: upkeep(f64::midpoint(min, max)),
            snow_cm: snow_depth(c.value(self.c.snow)),
        }
    }

    /// Snow falls and melts.
    pub(super) fn snow(&self, mean: f64, rain: f64, c: &Context<'_>) {
        let snow = &c.get(self.c.snow)[0];
        snow.set((snow.get() + rain * snow_share(mean) - melting(mean)).clamp(0.0, 1e5));
    }

    /// Counts the day's cold.
    pub(super) fn vernalise(&self, plot: usize, day: &Conditions, c: &Context<'_>) {
        set(c, self.c.vernal_days, plot, at(c, self.c.vernal_days, plot) + day.cold);
    }

    /// Share of the rate of development that cold and day length allow.
    pub(super) fn rate(&self, plot: usize, stage: u8, crop: &Crop, day: &Conditions, c: &Context<'_>) -> f64 {
        let [before, after] = day.day_length;
        if stage > GROW {
            return after;
        }
        let need = crop.development.vernalisation.as_ref();
        before * need.map_or(1.0, |need| vernalised(at(c, self.c.vernal_days, plot), need.days, need.strength))
    }

    /// Plants harden and soften. Returns the share that survives the night, if the plants can harden.
    pub(super) fn survive_winter(
        &self,
        plot: usize,
        crop: &Crop,
        day: &Conditions,
        [min, max]: [f64; 2],
        c: &Context<'_>,
    ) -> Option<f64> {
        let hardened = crop.harm.hardened?;
        let need = crop.development.vernalisation.as_ref();
        let is_vernalised = need.is_none_or(|need| at(c, self.c.vernal_days, plot) >= need.days[1]);
        let crown = [min, max].map(|air| day.crown(air));
        let before = at(c, self.c.hardiness, plot);
        let now = hardiness(before, f64::midpoint(crown[0], crown[1]), day.snow_cm, is_vernalised, hardened);
        set(c, self.c.hardiness, plot, now);
        Some(winter_survival(crown[0], now))
    }

    /// Sets the state of plants that come up.
    pub(super) fn come_up(&self, plot: usize, crop: &Crop, c: &Context<'_>) {
        set(c, self.c.hardiness, plot, crop.harm.hardened.map_or(0.0, unhardened));
    }

    /// Sets the length of the roots. `way` is the way from emergence (0) to ripeness (1).
    pub(super) fn root(&self, plot: usize, biomass: f64, way: f64, c: &Context<'_>) {
        let share = RIPE_ROOTS + YOUNG_ROOTS * exp(-FALL_OF_ROOTS * way.clamp(0.0, 1.0));
        set(c, self.c.root_length, plot, (ROOT_LENGTH_PER_GRAM * share * biomass).at_most(1e12));
    }

    /// Leaves fall to the ground.
    pub(super) fn shed(&self, plot: usize, dry: f64, c: &Context<'_>) {
        set(c, self.c.shed_leaves, plot, dry);
        set(c, self.c.fallen_leaves, plot, at(c, self.c.fallen_leaves, plot) + dry);
    }

    /// Empties a plot.
    pub(super) fn clear(&self, plot: usize, c: &Context<'_>) {
        let (leaves, roots) = ([self.c.fallen_leaves, self.c.shed_leaves], self.c.root_length);
        for column in [self.c.vernal_days, self.c.hardiness, self.c.flowering_biomass, roots].into_iter().chain(leaves)
        {
            set(c, column, plot, 0.0);
        }
    }
}

impl Stand {
    /// The leaves that fell on the day before become dead matter on the ground. Half of their nutrients stayed in the plant (Aerts 1996).
    pub(super) fn litter(&self, plot: usize, c: &Context<'_>) {
        let (shed, biomass) = (at(c, self.cultivar.c.shed_leaves, plot), at(c, self.c.biomass, plot));
        if shed <= 0.0 || biomass <= 0.0 {
            return;
        }
        let share = (shed / biomass).at_most(1.0);
        let held = four(self.plots(), plot, self.c.nutrients, c);
        for (x, (held, released)) in held.zip(four(self.plots(), plot, self.c.released, c)).enumerate() {
            let lost = held.get() * share * if x == 3 { 1.0 } else { 0.5 };
            held.set(held.get() - lost);
            released.set(lost);
        }
        set(c, self.c.biomass, plot, biomass - share * biomass);
        set(c, self.cultivar.c.shed_leaves, plot, 0.0);
    }

    /// Share of the leaves that is left of those that `age` degree-days before began to die of age, after another day: the canopy falls as a
    /// parabola to a tenth at ripeness.
    pub(super) fn leaves_after(&self, warmth: f64, gained: f64) -> f64 {
        const LAST: f64 = 0.1;
        let development = &self.p.crop.development;
        let span = (development.maturity - development.senescence).at_least(1.0);
        let left = |warmth: f64| {
            let way = ((warmth - development.senescence) / span).clamp(0.0, 1.0);
            1.0 - (1.0 - LAST) * way * way
        };
        left(warmth) / left(warmth - gained)
    }

    /// Share of the growth that goes into leaves: a parabola that falls to 0 (as in WOFOST's tables, Boogaard et al. 1998).
    pub(super) fn leaf_share(&self, warmth: f64) -> f64 {
        let (development, canopy) = (&self.p.crop.development, &self.p.crop.canopy);
        let until = canopy.leaves_until.unwrap_or(development.flowering);
        let way = (warmth - development.emergence) / (until - development.emergence).at_least(1.0);
        let way = way.clamp(0.0, 1.0);
        canopy.leaf_share * (1.0 - way * way)
    }
}
