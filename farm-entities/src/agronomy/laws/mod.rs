//! The laws of `equations: agronomic`, each a small function with its unit and source.
//!
//! Plants, weeds and soil share them, because everything that grows on a plot uses the same light, water and nutrients.

pub mod canopy;
pub mod carbon_dioxide;
pub mod cold;
pub mod day_length;
pub mod development;
pub mod disease;
pub mod emergence;
pub mod grain;
pub mod growth;
pub mod hay;
pub mod injury;
pub mod market;
pub mod nutrition;
pub mod organic_matter;
pub mod pests;
pub mod pollination;
pub mod soil_nitrogen;
pub mod soil_water;
pub mod supplies;
pub mod water;

/// A linear ramp: 0 at `from`, 1 at `to`. `from` may be above `to`.
#[inline]
pub fn ramp(value: f64, from: f64, to: f64) -> f64 {
    if from == to {
        return if value >= to { 1.0 } else { 0.0 };
    }
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::ramp;

    #[test]
    fn a_ramp_rises_or_falls_between_its_ends() {
        assert_eq!([ramp(1.0, 2.0, 4.0), ramp(3.0, 2.0, 4.0), ramp(9.0, 2.0, 4.0)], [0.0, 0.5, 1.0]);
        assert_eq!([ramp(1.0, 4.0, 2.0), ramp(3.0, 4.0, 2.0), ramp(9.0, 4.0, 2.0)], [1.0, 0.5, 0.0]);
        assert_eq!([ramp(1.0, 2.0, 2.0), ramp(2.0, 2.0, 2.0)], [0.0, 1.0], "a step where the ends meet");
    }
}
