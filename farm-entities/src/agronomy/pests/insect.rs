//! The parameters of insects in the `agronomic` equations.

/// A population of insects that fly in, breed, starve, and are eaten and poisoned. Used only with `equations: agronomic`. The defaults are
/// those of a leaf beetle on beans. Defaults without a source in the file of the sets are orders of magnitude.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Insect {
    /// Base temperature, below which the insects do not breed, and upper temperature, above which more warmth has no effect.
    #[parameter(unit = "°C", default = [10.0, 32.0], range = -20.0..=60.0)]
    pub temperature: [f64; 2],
    /// Insects that fly in on a warm day of an average year, at the edge of the field and over plenty of leaves.
    #[parameter(unit = "nb.m-2.day-1", default = 0.03, range = 0.0..=1000.0)]
    pub arrivals: f64,
    /// Difference between years: the standard deviation of the logarithm of a year's arrivals. The mean over years does not depend on it.
    #[parameter(default = 0.7, range = 0.0..=3.0)]
    pub year_to_year: f64,
    /// Daily maximum temperature at which insects begin to fly in, and at or above which all of them do.
    #[parameter(unit = "°C", default = [14.0, 22.0], range = -60.0..=60.0)]
    pub flight: [f64; 2],
    /// Distance from the edge of the field at which arrivals fall to 37 %.
    #[parameter(unit = "m", default = 50.0, range = 0.1..=1e6)]
    pub edge_reach: f64,
    /// Young of one insect for each degree-day, if food is plentiful.
    #[parameter(unit = "°C-1.day-1", default = 0.0085, range = 0.0..=1.0)]
    pub breeding: f64,
    /// Leaf area that each insect needs: one side, weighted by preference. With less, the insects do not breed, and some starve or leave.
    #[parameter(unit = "cm2", default = 500.0, range = 0.1..=1e6)]
    pub food: f64,
    /// Share that dies in a day without another cause.
    #[parameter(unit = "prop.day-1", default = 0.03, range = 0.0..=1.0)]
    pub death: f64,
    /// Daily minimum temperature that half of the insects survive.
    #[parameter(unit = "°C", default = -5.0, range = -80.0..=30.0)]
    pub lethal: f64,
    /// Share that starves or leaves in a day if food covers half of the need or less.
    #[parameter(unit = "prop.day-1", default = 0.4, range = 0.0..=1.0)]
    pub starving: f64,
    /// Share that moves in a day to neighbouring plots (four directions) with leaves, preferably downwind.
    #[parameter(unit = "prop.day-1", default = 0.1, range = 0.0..=1.0)]
    pub moving: f64,
    /// Preference for the leaves of weeds, relative to the leaves of other hosts with the same repulsion.
    #[parameter(unit = "prop", default = 0.05, range = 0.0..=1.0)]
    pub weeds: f64,
    /// Ground that a bird searches for insects in a day.
    #[parameter(unit = "m2.day-1", default = 1.5, range = 0.0..=1e6)]
    pub bird_searches: f64,
    /// Maximum number of insects that a bird eats in a day on this field.
    #[parameter(unit = "nb.day-1", default = 20.0, range = 0.0..=1e6)]
    pub bird_eats: f64,
    /// Dose of pesticide that half of the insects survive for a day.
    #[parameter(unit = "g.m-2", default = 0.0003, range = 1e-9..=1e6)]
    pub cide_half: f64,
    /// Slope with which the share of survivors falls around `cide_half#g.m-2`.
    #[parameter(default = 2.0, range = 0.1..=20.0)]
    pub cide_slope: f64,
}
