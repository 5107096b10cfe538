//! The roots in the layers, and the water that they take up.

use farm_core::Context;
use farm_core::math::Bounded;
use farm_core::math::simd::{each, mapped};

use super::super::equations::granted_share;
use super::parameters::MOST_LAYERS;
use super::{Content, Profile, Slab, Values};
use crate::agronomy::laws::soil_nitrogen::{uptake_by_moisture, uptake_by_roots};
use crate::agronomy::laws::soil_water::root_uptake;
use crate::agronomy::rows::{largest, read, sums, write};

/// Length of roots where no part provides it, in m for each m² of the plot and m of their depth: 1 cm for each cm³ of soil.
const USUAL_LENGTH: f64 = 1e4;
/// Centimetres of root in a cm³ for a metre in a m³.
const CM_PER_CM3: f64 = 1e-4;
/// The least effect of drought on the part of the roots that a layer holds: roots that are there stay.
const STAY: f64 = 0.25;

/// The roots on the plots in a row.
pub(super) struct Roots<const W: usize> {
    /// Share of each layer that roots reach.
    pub(super) inside: Slab<W>,
    /// Centimetres of root in a cm³ of the reached part.
    density: Slab<W>,
    /// Share of each layer's nitrogen that roots can take up in a day.
    pub(super) nitrogen: Slab<W>,
}

impl Profile {
    /// Spreads the roots over the layers down to the deepest ones, more where roots grow well and where it is moist (CERES).
    #[inline(always)]
    pub(super) fn roots<const W: usize>(&self, first: usize, content: &Content<W>, c: &Context<'_>) -> Roots<W> {
        let strata = &self.layered.strata;
        let depths = &self.layered.root_depth;
        let deepest = if depths.is_empty() { [strata.depth_m(); W] } else { largest::<W>(depths, first, c) };
        let empty = [[0.0; W]; MOST_LAYERS];
        let mut roots = Roots { inside: empty, density: empty, nitrogen: empty };
        if deepest.iter().all(|depth| *depth <= 0.0) {
            return roots;
        }
        let known = sums::<W>(&self.layered.root_length, first, c);
        let mut weights = [0.0; W];
        for (i, layer) in strata.layers.iter().enumerate() {
            for k in 0..W {
                let inside = ((deepest[k] - layer.top_m) / layer.thickness_m).clamp(0.0, 1.0);
                let moist = ((content.water[i][k] - layer.wilting) * layer.per_usable).clamp(STAY, 1.0);
                roots.inside[i][k] = inside;
                roots.density[i][k] = layer.root_growth * moist;
                weights[k] += layer.root_growth * moist * inside * layer.thickness_m;
            }
        }
        let unit: [f64; W] = each(|k| {
            let length = if known[k] > 0.0 { known[k] / self.area } else { USUAL_LENGTH * deepest[k] };
            if weights[k] > 0.0 { CM_PER_CM3 * length / weights[k] } else { 0.0 }
        });
        for (i, layer) in strata.layers.iter().enumerate() {
            // Deeper layers have no roots either.
            if roots.inside[i] == [0.0; W] {
                break;
            }
            (0..W).for_each(|k| roots.density[i][k] *= unit[k]);
            let reached = uptake_by_roots(roots.density[i]);
            for k in 0..W {
                let moisture = (content.water[i][k] - layer.wilting) * layer.per_pores;
                let share = layer.daily_uptake * layer.root_growth * (reached[k] * uptake_by_moisture(moisture));
                roots.nitrogen[i][k] = roots.inside[i][k] * share.at_most(1.0);
            }
        }
        roots
    }

    /// Plants take up water from each layer (CERES: Ritchie 1985). If roots can take up more than the plants ask for, all layers give the
    /// same share of it. Returns the uptake from the part of the soil that dries from the surface.
    #[inline(always)]
    pub(super) fn water_plants<const W: usize>(
        &self,
        first: usize,
        roots: &Roots<W>,
        content: &mut Content<W>,
        v: &Values<'_>,
        c: &Context<'_>,
    ) -> [f64; W] {
        let most = self.columns.limits.most_water;
        let strata = &self.layered.strata.layers;
        let mut offered: Slab<W> = [[0.0; W]; MOST_LAYERS];
        let (mut offer, mut total) = ([0.0; W], [0.0; W]);
        for (i, layer) in strata.iter().enumerate() {
            (0..W).for_each(|k| total[k] += content.water[i][k]);
            if roots.inside[i] == [0.0; W] {
                continue;
            }
            let density = roots.density[i];
            let above = mapped(content.water[i], |water| (water - layer.wilting).at_least(0.0));
            let share = root_uptake(mapped(above, |above| above / layer.liters), layer.steepness, density);
            for k in 0..W {
                offered[i][k] = roots.inside[i][k] * (density[k] * share[k] * layer.liters).at_most(above[k]);
                offer[k] += offered[i][k];
            }
        }
        write(v.ground.supply_water, first, mapped(total, |total| total.at_most(most)));
        write(v.layered.rooted_water, first, mapped(offer, |offer| offer.at_most(most)));
        let asked = sums::<W>(&self.columns.water_demand, first, c);
        let share: [f64; W] = each(|k| granted_share(offer[k], asked[k]));
        let cut: [f64; W] = each(|k| granted_share(asked[k], offer[k]));
        let (mut taken, mut from_surface) = ([0.0; W], [0.0; W]);
        for (i, layer) in strata.iter().enumerate() {
            for k in 0..W {
                let drunk = cut[k] * offered[i][k];
                content.water[i][k] -= drunk;
                taken[k] += drunk;
                from_surface[k] += layer.evaporating * drunk;
            }
        }
        write(v.ground.water_share, first, share);
        write(v.ground.uptake_water, first, mapped(taken, |taken| taken.at_most(most)));
        from_surface
    }

    /// Plants take up nitrogen from each layer (CERES maize), then fertiliser, dead matter and bedrock add to the first layer: half of it as
    /// nitrate, half as ammonium.
    #[inline(always)]
    pub(super) fn feed_nitrogen<const W: usize>(
        &self,
        first: usize,
        roots: &Roots<W>,
        content: &mut Content<W>,
        v: &Values<'_>,
        c: &Context<'_>,
    ) {
        let strata = &self.layered.strata.layers;
        let most = self.most.nitrogen;
        let (mut offer, mut total) = ([0.0; W], [0.0; W]);
        for (i, layer) in strata.iter().enumerate() {
            for k in 0..W {
                let (nitrate, ammonium) = (content.nitrate[i][k], content.ammonium[i][k]);
                total[k] += nitrate + ammonium;
                offer[k] += roots.nitrogen[i][k] * (nitrate + (ammonium - layer.ammonium_left).at_least(0.0));
            }
        }
        let asked = sums::<W>(&self.columns.demand[0], first, c);
        let share: [f64; W] = each(|k| granted_share(offer[k], asked[k]));
        let cut: [f64; W] = each(|k| granted_share(asked[k], offer[k]));
        let mut taken = [0.0; W];
        if asked.iter().any(|asked| *asked > 0.0) {
            for (i, layer) in strata.iter().enumerate() {
                for k in 0..W {
                    let reached = cut[k] * roots.nitrogen[i][k];
                    let nitrate = reached * content.nitrate[i][k];
                    let ammonium = reached * (content.ammonium[i][k] - layer.ammonium_left).at_least(0.0);
                    content.nitrate[i][k] -= nitrate;
                    content.ammonium[i][k] -= ammonium;
                    taken[k] += nitrate + ammonium;
                }
            }
        }
        let microlife = read::<W>(v.ground.microlife, first);
        let released = sums::<W>(&self.columns.release[0], first, c);
        let gain: [f64; W] = each(|k| {
            let comes = microlife[k] / 100.0 * self.nutrients.bedrock[0] + released[k];
            comes.at_most(most - (total[k] - taken[k])).at_least(0.0)
        });
        for k in 0..W {
            content.nitrate[0][k] += 0.5 * gain[k];
            content.ammonium[0][k] += 0.5 * gain[k];
        }
        write(v.ground.supply, first, mapped(total, |total| total.at_most(most)));
        write(v.ground.shares, first, share);
        write(v.ground.uptake, first, mapped(taken, |taken| taken.at_most(most)));
        write(v.ground.gain, first, gain);
    }
}
