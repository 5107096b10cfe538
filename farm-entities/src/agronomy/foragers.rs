//! Pollinators in the `agronomic` equations: the visits to a flower.
//!
//! The number of visits to a flower is the number of visits to a square metre in good weather, divided among its flowers. Three factors
//! reduce them: weather (as in the other equations), distance from the edge, and pesticide. A plot counts as visited with the probability
//! that a flower gets at least one visit.
//!
//! | law | source |
//! |---|---|
//! | flowers attract insects, and many flowers share them | saturating attraction, Holling's type II |
//! | visits decrease with distance | Ricketts et al. 2008: half at 0.6 km |
//! | insecticide by dose per m² | log-logistic, as for pests |
//! | a flower is visited or not | Poisson |

use super::laws::pests::surviving_dose;
use super::laws::pollination::{at_distance, visited, visits_of_a_flower};

/// Visits of insects to flowers. Used only with `equations: agronomic`. The defaults are those of bees: a quarter of a bee on a
/// square metre for six hours, at ten flowers a minute. Defaults without a source are orders of magnitude.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Foragers {
    /// Visits to all flowers together on a day of good weather, if flowers are plentiful.
    #[parameter(unit = "nb.m-2.day-1", default = 900.0, range = 0.0..=1e6)]
    pub visits: f64,
    /// Density of flowers that attracts half of these visits.
    #[parameter(unit = "nb.m-2", default = 100.0, range = 0.01..=1e6)]
    pub flowers_for_half: f64,
    /// Distance from the edge of the field at which the visits are halved.
    #[parameter(unit = "m", default = 600.0, range = 0.1..=1e6)]
    pub half_distance: f64,
    /// Dose of pesticide that halves the visits.
    #[parameter(unit = "g.m-2", default = 0.0005, range = 1e-9..=1e6)]
    pub cide_half: f64,
    /// Slope with which the visits fall around `cide_half#g.m-2`.
    #[parameter(default = 2.0, range = 0.1..=20.0)]
    pub cide_slope: f64,
}

/// The foraging on the plots in a field.
pub(super) struct Foraging {
    p: Foragers,
    /// Area of a plot in m².
    area: f64,
    /// Visits to a square metre in good weather, for each plot.
    visits: Vec<f64>,
}

impl Foraging {
    /// For plots of this area in m², with their distances from the field's edge in metres.
    pub(super) fn new(p: &Foragers, area: f64, metres_from_edge: impl Iterator<Item = f64>) -> Self {
        let visits = metres_from_edge.map(|metres| p.visits * at_distance(metres, p.half_distance)).collect();
        Self { p: p.clone(), area, visits }
    }

    /// Probability that a flower on a plot is visited today. `weather` is the share of the visits that the weather allows. `flowers` is the
    /// number of flowers on the plot, and `cide_g` is the pesticide on it in g.
    #[inline]
    pub(super) fn chance(&self, plot: usize, weather: f64, flowers: f64, cide_g: f64) -> f64 {
        let visits = visits_of_a_flower(self.visits[plot], flowers / self.area, self.p.flowers_for_half);
        visited(visits * weather * surviving_dose(cide_g / self.area, self.p.cide_half, self.p.cide_slope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance on a plot of 100 m² at this distance from the edge.
    fn chance(metres: f64, weather: f64, flowers: f64, cide_g: f64) -> f64 {
        Foraging::new(&Foragers::default(), 100.0, std::iter::once(metres)).chance(0, weather, flowers, cide_g)
    }

    #[test]
    fn no_flowers_no_visits_and_many_flowers_share_the_insects() {
        assert_eq!(chance(0.0, 1.0, 0.0, 0.0), 0.0);
        let by_flowers = [1.0, 1e3, 1e4, 1e5, 1e6].map(|flowers| chance(0.0, 1.0, flowers, 0.0));
        assert!(by_flowers.windows(2).all(|pair| pair[1] <= pair[0]), "{by_flowers:?}");
        assert!(by_flowers[0] > 0.999 && by_flowers[4] < 0.1, "{by_flowers:?}");
    }

    #[test]
    fn weather_distance_and_cide_keep_insects_away() {
        let good = chance(0.0, 1.0, 4e4, 0.0);
        assert!(chance(0.0, 0.45, 4e4, 0.0) < good, "rain");
        assert!((chance(600.0, 1.0, 4e4, 0.0) - chance(0.0, 0.5, 4e4, 0.0)).abs() < 1e-12, "half at 600 m");
        assert!(chance(50.0, 1.0, 4e4, 0.0) > 0.95 * good, "nothing to speak of in a field of ten plots");
        // 10 g of a pyrethroid per hectare is 0.1 g on such a plot; it counts by area, not by plot.
        let by_dose = [0.0, 0.01, 0.05, 0.1, 0.5].map(|grams| chance(0.0, 1.0, 4e4, grams));
        assert!(by_dose.windows(2).all(|pair| pair[1] < pair[0]), "{by_dose:?}");
        assert!(by_dose[1] > 0.9 * good && by_dose[4] < 0.05, "{by_dose:?}");
    }
}
