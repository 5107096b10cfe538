//! The water of the layers: infiltration, runoff, drainage, evaporation and rise.

use farm_core::Context;
use farm_core::math::Bounded;
use farm_core::math::simd::each;

use super::parameters::MOST_LAYERS;
use super::{Content, Day, Profile, Slab, Values};
use crate::agronomy::laws::ramp;
use crate::agronomy::laws::soil_water::{percolation, runoff};
use crate::agronomy::rows::{read, write};

/// Mobility of ammonium in draining water, relative to nitrate \[–\]: clay holds it (order of magnitude).
const AMMONIUM_MOBILITY: f64 = 0.02;

impl Profile {
    /// Share of a layer's nitrate that leaves with the water `flux`, if `water` stays (CERES: NFLUX).
    #[inline]
    fn carried(&self, flux: f64, water: f64) -> f64 {
        if flux > 0.0 { (self.leaching[0] * flux / (water + flux)).at_most(1.0) } else { 0.0 }
    }

    /// Adds water to the topsoil of a plot, layer by layer. It carries nitrate down. Returns the water that does not fit.
    pub(super) fn pour(&self, content: &mut Content<1>, amount: f64) -> f64 {
        let layers = &self.layered.strata.layers[..self.layered.strata.topsoil];
        let room = |i: usize, content: &Content<1>| (layers[i].saturation - content.water[i][0]).at_least(0.0);
        let fits = (0..layers.len()).fold(0.0, |sum, i| sum + room(i, content)).at_most(amount);
        let mut left = fits;
        for i in 0..layers.len() {
            let into = left.at_most(room(i, content));
            content.water[i][0] += into;
            left -= into;
            if left > 0.0 && i + 1 < layers.len() {
                let share = self.carried(left, content.water[i][0]);
                move_down(&mut content.nitrate, i, share);
                move_down(&mut content.ammonium, i, AMMONIUM_MOBILITY * share);
            }
        }
        amount - (fits - left)
    }

    /// Adds rain, water from other parts and water that stands on the plot. Some rain runs off. The rest drains from layer to layer with
    /// nitrate, and what does not fit runs off. Returns the water that left the soil downwards as a share of all water before.
    #[inline(always)]
    pub(super) fn take_in_water<const W: usize>(
        &self,
        first: usize,
        day: &Day,
        content: &mut Content<W>,
        v: &Values<'_>,
        c: &Context<'_>,
    ) -> [f64; W] {
        let strata = &self.layered.strata;
        let mut fallen = [day.rain_mm * self.area; W];
        let mut surplus = [0.0; W];
        if let Some(curve) = self.curve.filter(|_| day.rain_mm > 0.0) {
            let top = self.topsoil_water(content);
            for k in 0..W {
                let wetness = ramp(top[k], self.topsoil.wilting, self.topsoil.capacity);
                surplus[k] = runoff(day.rain_mm, curve.at(wetness)) * self.area;
                fallen[k] -= surplus[k];
            }
        }
        if let Some(inflow) = &self.inflow {
            (0..W).for_each(|k| fallen[k] += inflow.take_in(first + k, c));
        }
        let (evaporated, pending) =
            (read::<W>(v.layered.evaporated, first), read::<W>(v.ground.pending_surplus, first));
        write(v.layered.evaporated, first, each::<_, W>(|k| (evaporated[k] - fallen[k] / self.area).at_least(0.0)));
        write(v.ground.pending_surplus, first, [0.0; W]);
        let mut flux: Slab<W> = [[0.0; W]; MOST_LAYERS];
        let mut falls: [f64; W] = each(|k| fallen[k] + pending[k]);
        let (mut backs_up, mut flows) = (false, false);
        for (i, layer) in strata.layers.iter().enumerate() {
            for k in 0..W {
                let water = content.water[i][k] + falls[k];
                falls[k] = percolation(water, layer.capacity, layer.saturation, layer.drains, layer.conductivity);
                flux[i][k] = falls[k];
                content.water[i][k] = water - falls[k];
                flows |= falls[k] > 0.0;
                backs_up |= content.water[i][k] > layer.saturation;
            }
        }
        if backs_up {
            let mut over = [0.0; W];
            for (i, layer) in strata.layers.iter().enumerate().rev() {
                for k in 0..W {
                    let water = content.water[i][k] + over[k];
                    flux[i][k] = (flux[i][k] - over[k]).at_least(0.0);
                    over[k] = (water - layer.saturation).at_least(0.0);
                    content.water[i][k] = water - over[k];
                }
            }
            (0..W).for_each(|k| surplus[k] += over[k]);
        }
        write(v.ground.surplus, first, surplus);
        let drained = flux[strata.len() - 1];
        write(v.ground.drainage, first, drained);
        let mut leached = [0.0; W];
        if flows {
            leached = self.carry(&flux, content);
        }
        write(v.ground.leached, first, leached);
        let mut left = [0.0; W];
        for layer in &content.water[..strata.len()] {
            (0..W).for_each(|k| left[k] += layer[k]);
        }
        each(|k| if drained[k] > 0.0 { drained[k] / (left[k] + drained[k]) } else { 0.0 })
    }

    /// Water that drains carries nitrate and a little ammonium down. Returns what leaves the soil, in g.
    #[inline(always)]
    fn carry<const W: usize>(&self, flux: &Slab<W>, content: &mut Content<W>) -> [f64; W] {
        let (mut nitrate, mut ammonium) = ([0.0; W], [0.0; W]);
        for i in 0..self.layered.strata.len() {
            for k in 0..W {
                let share = self.carried(flux[i][k], content.water[i][k]);
                let stocks = [content.nitrate[i][k] + nitrate[k], content.ammonium[i][k] + ammonium[k]];
                nitrate[k] = share * stocks[0];
                ammonium[k] = AMMONIUM_MOBILITY * share * stocks[1];
                content.nitrate[i][k] = stocks[0] - nitrate[k];
                content.ammonium[i][k] = stocks[1] - ammonium[k];
            }
        }
        each(|k| nitrate[k] + ammonium[k])
    }

    /// Takes the wished evaporation from the layers near the surface, down to half of their wilting points. Sets it to what they gave.
    #[inline(always)]
    pub(super) fn dry_surface<const W: usize>(&self, wished: &mut [f64; W], content: &mut Content<W>) {
        let near = self.layered.strata.layers.iter().take_while(|layer| layer.evaporating > 0.0);
        let mut free = [0.0; W];
        for (i, layer) in near.clone().enumerate() {
            for k in 0..W {
                free[k] += layer.evaporating * (content.water[i][k] - 0.5 * layer.wilting).at_least(0.0);
            }
        }
        let share: [f64; W] = each(|k| if free[k] > wished[k] { wished[k] / free[k] } else { 1.0 });
        *wished = each(|k| wished[k].at_most(free[k]));
        for (i, layer) in near.enumerate() {
            for k in 0..W {
                let free = layer.evaporating * (content.water[i][k] - 0.5 * layer.wilting).at_least(0.0);
                content.water[i][k] -= share[k] * free;
            }
        }
    }

    /// Water rises from the water table into layers below field capacity, and from each layer into the one above.
    #[inline(always)]
    pub(super) fn rise<const W: usize>(&self, first: usize, content: &mut Content<W>, v: &Values<'_>) {
        let strata = &self.layered.strata;
        if !strata.has_table {
            return;
        }
        let mut passed = [0.0; W];
        for (i, layer) in strata.layers.iter().enumerate() {
            for k in 0..W {
                let wanted = (layer.capacity - content.water[i][k]).at_least(0.0) + passed[k];
                let comes = wanted.at_most(layer.rise);
                content.water[i][k] += comes - passed[k];
                passed[k] = comes;
            }
        }
        write(v.layered.rise, first, passed);
    }
}

/// Moves a share of a layer's content of one plot into the layer below.
fn move_down(stock: &mut Slab<1>, layer: usize, share: f64) {
    let moved = share * stock[layer][0];
    stock[layer][0] -= moved;
    stock[layer + 1][0] += moved;
}
