//! The water in a plot's two layers: pouring, drainage, uptake, evaporation.

use super::super::equations::{granted_share, pour};
use super::ProfileParameters;
use crate::agronomy::laws::water::drainage_share;

/// Depth to which the surface dries by evaporation \[m\] (FAO-56: 0.10 to 0.15).
const EVAPORATING_DEPTH_M: f64 = 0.15;

/// Water that can evaporate after the last wetting of the surface \[mm\] (FAO-56 Eq. 73: TEW).
///
/// 1000·(θ_FC − ½·θ_WP)·Z_e
pub(super) fn evaporable_mm(p: &ProfileParameters) -> f64 {
    (p.capacity - 0.5 * p.wilting()) * EVAPORATING_DEPTH_M.min(p.topsoil())
}

/// The limits of the water in one layer of a plot, in L.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer {
    pub(super) wilting: f64,
    pub(super) capacity: f64,
    pub(super) saturation: f64,
}

impl Layer {
    fn new(p: &ProfileParameters, volume_m3: f64) -> Self {
        let [wilting, capacity, saturation] =
            [p.wilting(), p.capacity, p.saturation()].map(|liters_per_m3| liters_per_m3 * volume_m3);
        Self { wilting, capacity, saturation }
    }

    /// Daily drainage: a share of the water above the field capacity, and at least all water above the saturation.
    #[inline]
    fn drains(&self, water: f64, share: f64) -> f64 {
        (share * (water - self.capacity)).max(water - self.saturation).max(0.0)
    }

    /// The water at this share between the wilting point (0) and the field capacity (1).
    fn at(&self, share: f64) -> f64 {
        self.wilting + share * (self.capacity - self.wilting)
    }
}

/// The layers of every plot.
#[derive(Debug, Clone)]
pub(super) struct Layers {
    pub(super) top: Layer,
    pub(super) sub: Layer,
    /// Water in the whole plot with all pores full: the upper limit of its column.
    saturation: f64,
    /// Share of the water above the field capacity that drains in a day.
    drainage_share: f64,
    /// The topsoil's share of the whole depth.
    topsoil_share: f64,
    /// Share of the topsoil that dries from the surface.
    evaporating_share: f64,
    evaporable_mm: f64,
    area_m2: f64,
}

/// The water in a plot, in L.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Water {
    pub(super) top: f64,
    pub(super) sub: f64,
}

impl Water {
    pub(super) fn total(&self) -> f64 {
        self.top + self.sub
    }
}

impl Layers {
    pub(super) fn new(p: &ProfileParameters, area_m2: f64) -> Self {
        Self {
            top: Layer::new(p, p.topsoil() * area_m2),
            sub: Layer::new(p, (p.depth_m - p.topsoil()) * area_m2),
            saturation: p.saturation() * p.depth_m * area_m2,
            drainage_share: drainage_share(p.conductivity),
            topsoil_share: p.topsoil() / p.depth_m,
            evaporating_share: EVAPORATING_DEPTH_M.min(p.topsoil()) / p.topsoil(),
            evaporable_mm: evaporable_mm(p),
            area_m2,
        }
    }

    /// The water in both layers at this share of the water that plants can use.
    pub(super) fn filled(&self, share: f64) -> Water {
        Water { top: self.top.at(share), sub: self.sub.at(share) }
    }

    /// The layers of a plot with the water `total`. The topsoil has the water `topsoil` if that is given; otherwise, both layers have the
    /// same moisture.
    pub(super) fn split(&self, total: f64, topsoil: Option<f64>) -> Water {
        let least = (total - self.sub.saturation).max(0.0);
        let top = topsoil.unwrap_or(self.topsoil_share * total).min(self.top.saturation).min(total).max(least);
        Water { top, sub: total - top }
    }

    /// The water that has evaporated from the surface if the topsoil holds the water `top` \[mm\].
    pub(super) fn evaporated(&self, top: f64) -> f64 {
        ((self.top.capacity - top) * self.evaporating_share / self.area_m2).clamp(0.0, self.evaporable_mm)
    }

    /// Adds water to the topsoil and returns the water that the pores cannot hold. Water above the saturation of the topsoil moves down
    /// when the layers drain.
    #[inline]
    pub(super) fn pour(&self, water: &mut Water, amount: f64) -> f64 {
        let (_, over) = pour(water.total(), amount, self.saturation);
        water.top += amount - over;
        over
    }

    /// Moves water that the topsoil cannot hold to the subsoil at once, because no layer of the state may exceed its saturation.
    pub(super) fn overflow(&self, water: &mut Water) {
        let over = (water.top - self.top.saturation).max(0.0);
        water.top -= over;
        water.sub += over;
    }

    /// Both layers drain. Returns the water that leaves the soil downwards.
    #[inline]
    pub(super) fn drain(&self, water: &mut Water) -> f64 {
        let seeped = self.top.drains(water.top, self.drainage_share);
        water.top -= seeped;
        water.sub += seeped;
        let drained = self.sub.drains(water.sub, self.drainage_share);
        water.sub -= drained;
        drained
    }

    /// Plants take up water from both layers in proportion to the water that they reach; `reach` is the share of the subsoil. Returns the
    /// granted share of the request, and the uptake from the topsoil.
    #[inline]
    pub(super) fn drink(&self, water: &mut Water, asked: f64, reach: f64) -> (f64, f64) {
        let in_top = (water.top - self.top.wilting).max(0.0);
        let in_sub = reach * (water.sub - self.sub.wilting).max(0.0);
        let share = granted_share(in_top + in_sub, asked);
        let taken = share * asked;
        if taken <= 0.0 {
            return (share, 0.0);
        }
        // A share is rounded, so the granted amount may exceed the stock by the last digit.
        let from_top = (taken * in_top / (in_top + in_sub)).min(water.top);
        water.top -= from_top;
        water.sub = (water.sub - (taken - from_top)).max(0.0);
        (share, from_top)
    }

    /// Evaporates the water `wished`, but only down to half the topsoil's wilting point.
    #[inline]
    pub(super) fn evaporate(&self, water: &mut Water, wished: f64) -> f64 {
        let evaporated = wished.min((water.top - 0.5 * self.top.wilting).max(0.0));
        water.top -= evaporated;
        evaporated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loam of 1.5 m under 1 m²: 93 L of the topsoil's 138 L stay at field capacity, and 45 L are out of reach.
    fn loam() -> Layers {
        Layers::new(&ProfileParameters::default(), 1.0)
    }

    #[test]
    fn water_goes_down_layer_by_layer_and_none_is_lost() {
        let layers = loam();
        let mut water = layers.filled(0.5);
        assert_eq!(layers.pour(&mut water, 100.0), 0.0);
        let before = water.total();
        let drained = layers.drain(&mut water);
        assert_eq!(drained, 0.0, "the subsoil has room");
        // 69 + 100 L in the topsoil: 76 % of the 76 L above field capacity seep down, more than the 31 L above saturation.
        let share = drainage_share(500.0);
        assert!((water.top - (169.0 - share * 76.0)).abs() < 1e-9);
        assert!((water.total() - before).abs() < 1e-9);
        // What the whole profile cannot hold runs off: 690 L are its pores.
        let over = layers.pour(&mut water, 1000.0);
        assert!((over - (1000.0 + before - 690.0)).abs() < 1e-9);
    }

    #[test]
    fn roots_that_stay_in_the_topsoil_leave_the_subsoil_alone() {
        let layers = loam();
        let mut water = layers.filled(1.0);
        let before = water;
        let (share, from_top) = layers.drink(&mut water, 60.0, 0.0);
        assert!((share - 0.8).abs() < 1e-12 && (from_top - 48.0).abs() < 1e-9, "48 L are within reach");
        assert_eq!(water.sub, before.sub);
        let mut water = before;
        let (share, from_top) = layers.drink(&mut water, 60.0, 1.0);
        assert_eq!(share, 1.0);
        assert!((from_top - 12.0).abs() < 1e-9, "a fifth of the depth, a fifth of the water");
        assert_eq!(layers.drink(&mut Water { top: 45.0, sub: 180.0 }, 5.0, 1.0), (0.0, 0.0));
    }

    #[test]
    fn a_soil_that_is_all_topsoil_drains_too() {
        let layers = Layers::new(&ProfileParameters { depth_m: 0.3, ..Default::default() }, 1.0);
        let mut water = Water { top: 138.0, sub: 0.0 };
        let drained = layers.drain(&mut water);
        assert!((drained - drainage_share(500.0) * 45.0).abs() < 1e-9 && water.sub == 0.0);
        assert_eq!(layers.split(100.0, None), Water { top: 100.0, sub: 0.0 });
    }

    #[test]
    fn no_layer_starts_above_its_saturation() {
        let layers = loam();
        for total in [0.0, 40.0, 300.0, 690.0] {
            for topsoil in [None, Some(0.0), Some(138.0)] {
                let water = layers.split(total, topsoil);
                assert!((water.total() - total).abs() < 1e-9, "{total} {topsoil:?}");
                assert!((0.0..=138.0).contains(&water.top) && (0.0..=552.0 + 1e-9).contains(&water.sub), "{water:?}");
            }
        }
        assert!((layers.split(310.0, None).top - 62.0).abs() < 1e-9);
    }
}
