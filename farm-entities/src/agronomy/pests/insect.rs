//! The parameters of insects in the equations `agronomic`.

/// Insects as a population: they fly in, breed, starve, are eaten and poisoned; only `equations: agronomic` reads it. Defaults are those
/// of a leaf beetle on beans: orders of magnitude where no source stands in the file of the sets.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Insect {
    /// Base temperature, below which they do not breed, and the one above which nothing is gained.
    #[parameter(unit = "°C", default = [10.0, 32.0], range = -20.0..=60.0)]
    pub temperature: [f64; 2],
    /// Insects that fly in on a warm day, at the edge of the field, over plenty of leaves, in a usual year.
    #[parameter(unit = "nb.m-2.day-1", default = 0.03, range = 0.0..=1000.0)]
    pub arrivals: f64,
    /// How much years differ: standard deviation of the logarithm of a year's arrivals; the mean year stays as it is.
    #[parameter(default = 0.7, range = 0.0..=3.0)]
    pub year_to_year: f64,
    /// Highest temperature of a day at which none fly in yet, and from which on all do.
    #[parameter(unit = "°C", default = [14.0, 22.0], range = -60.0..=60.0)]
    pub flight: [f64; 2],
    /// Distance from the edge of the field at which 37 % of the arrivals are left.
    #[parameter(unit = "m", default = 50.0, range = 0.1..=1e6)]
    pub edge_reach: f64,
    /// Young of one insect for each degree-day, as long as there is plenty of food.
    #[parameter(unit = "°C-1.day-1", default = 0.0085, range = 0.0..=1.0)]
    pub breeding: f64,
    /// Leaves that it likes, one side, that an insect must have around it; where there are fewer, all breed less, starve or leave.
    #[parameter(unit = "cm2", default = 500.0, range = 0.1..=1e6)]
    pub food: f64,
    /// Share that dies of itself in a day.
    #[parameter(unit = "prop.day-1", default = 0.03, range = 0.0..=1.0)]
    pub death: f64,
    /// Lowest temperature of a night that half of them survive.
    #[parameter(unit = "°C", default = -5.0, range = -80.0..=30.0)]
    pub lethal: f64,
    /// Share that starves or leaves in a day without food.
    #[parameter(unit = "prop.day-1", default = 0.4, range = 0.0..=1.0)]
    pub starving: f64,
    /// Share that moves in a day, to those of the four neighbours that have leaves, above all downwind.
    #[parameter(unit = "prop.day-1", default = 0.1, range = 0.0..=1.0)]
    pub moving: f64,
    /// How much it likes the leaves of weeds, as a share of how much it likes those of other hosts that repel it as much.
    #[parameter(unit = "prop", default = 0.05, range = 0.0..=1.0)]
    pub weeds: f64,
    /// Ground that a bird searches for insects in a day.
    #[parameter(unit = "m2.day-1", default = 1.5, range = 0.0..=1e6)]
    pub bird_searches: f64,
    /// Most insects that a bird eats in a day on this field.
    #[parameter(unit = "nb.day-1", default = 20.0, range = 0.0..=1e6)]
    pub bird_eats: f64,
    /// Pesticide that half of them survive for a day.
    #[parameter(unit = "g.m-2", default = 0.0003, range = 1e-9..=1e6)]
    pub cide_half: f64,
    /// How steeply the share of survivors falls around that dose.
    #[parameter(default = 2.0, range = 0.1..=20.0)]
    pub cide_slope: f64,
}
