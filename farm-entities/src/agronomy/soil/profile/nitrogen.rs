//! What becomes of the mineral nitrogen in the layers.

use super::{Content, Day, Profile, Values};
use crate::agronomy::laws::soil_nitrogen::nitrification_by_moisture;
use crate::agronomy::rows::write;
use farm_core::math::Bounded;

impl Profile {
    /// Ammonium becomes nitrate in moist soil, and soil without air loses nitrate.
    #[inline(always)]
    pub(super) fn transform<const W: usize>(&self, first: usize, day: &Day, content: &mut Content<W>, v: &Values<'_>) {
        let mut lost = [0.0; W];
        for (i, layer) in self.layered.strata.layers.iter().enumerate() {
            let most_lost = (day.denitrification * layer.denitrifies).at_most(1.0);
            for k in 0..W {
                let water = content.water[i][k];
                let above = (water - layer.capacity).at_least(0.0) * layer.per_air;
                let moisture = nitrification_by_moisture(water * layer.per_saturation, above > 0.0);
                let oxidised = day.nitrification * moisture * content.ammonium[i][k];
                let gone = most_lost * (above * above).at_most(1.0) * content.nitrate[i][k];
                content.ammonium[i][k] -= oxidised;
                content.nitrate[i][k] += oxidised - gone;
                lost[k] += gone;
            }
        }
        write(v.layered.denitrified, first, lost);
    }
}
