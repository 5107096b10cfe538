//! The groups of the parameters of weeds: when they come, grow and die, and their needs.

/// The changes on a day of change of a plot's weeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Ticks {
    /// Flowers shed seeds, seeds sprout and weeds flower.
    All,
    /// One of the three at random, as in the public reference.
    One,
}

/// Probability that a new seed blows into a plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Appear {
    /// Constant penalty.
    #[parameter(name = "sensitivity_0", default = 0.2, range = 0.0..=100.0)]
    pub base: f64,
    /// Penalty for each plot of distance from the edge of the field.
    #[parameter(name = "sensitivity_dist_edge", default = 0.3, range = 0.0..=1e6)]
    pub edge: f64,
}

/// Probability that a seed sprouts.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Sprouting {
    /// Constant penalty.
    #[parameter(name = "sensitivity_grow_0", default = 0.1, range = 0.0..=100.0)]
    pub base: f64,
    /// Air temperatures without penalty.
    #[parameter(name = "grow_air_temperature#°C", default = [7.0, 38.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Penalty for each degree outside `grow_air_temperature#°C`.
    #[parameter(name = "sensitivity_grow_air_temperature", default = 0.3, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Air humidities without penalty.
    #[parameter(name = "grow_humidity#%", default = [20.0, 100.0], range = 0.0..=100.0)]
    pub humidity: [f64; 2],
    /// Penalty for each percent outside `grow_humidity#%`.
    #[parameter(name = "sensitivity_grow_humidity", default = 0.2, range = 0.0..=1e6)]
    pub humidity_weight: f64,
    /// Herbicide in the plot up to which sprouting and flowering have no penalty.
    #[parameter(name = "grow_herbicide_max#g", default = 3.0, range = 0.0..=1e6)]
    pub herbicide_max: f64,
    /// Penalty on sprouting and on flowering for each gram of herbicide above `grow_herbicide_max#g`.
    #[parameter(name = "sensitivity_grow_herbicide", default = 0.8, range = 0.0..=1e6)]
    pub herbicide: f64,
}

/// Probability that a weed without flowers survives a day of change.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Survival {
    /// Constant penalty.
    #[parameter(name = "sensitivity_death_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// Air temperatures without penalty.
    #[parameter(name = "death_air_temperature#°C", default = [-5.0, 40.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Penalty for each degree outside `death_air_temperature#°C`.
    #[parameter(name = "sensitivity_death_air_temperature", default = 0.1, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Herbicide in the plot up to which there is no penalty.
    #[parameter(name = "death_herbicide_max#g", default = 10.0, range = 0.0..=1e6)]
    pub herbicide_max: f64,
    /// Penalty for each gram of herbicide above `death_herbicide_max#g`.
    #[parameter(name = "sensitivity_death_herbicide", default = 2.0, range = 0.0..=1e6)]
    pub herbicide: f64,
    /// Penalty for each unit of missing nitrogen, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_death_N", default = 1.0, range = 0.0..=1e6)]
    pub nitrogen: f64,
    /// Penalty for each unit of missing phosphorus, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_death_P", default = 1.0, range = 0.0..=1e6)]
    pub phosphorus: f64,
    /// Penalty for each unit of missing potassium, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_death_K", default = 1.0, range = 0.0..=1e6)]
    pub potassium: f64,
    /// Penalty for each unit of missing carbon, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_death_C", default = 1.0, range = 0.0..=1e6)]
    pub carbon: f64,
    /// Penalty for each unit of missing water, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_death_Water", default = 2.0, range = 0.0..=1e6)]
    pub water: f64,
    /// Soil water at or above which no water is missing, on a scale from the wilting point (0) to the capacity (1).
    #[parameter(name = "sensitivity_draught#prop", default = 0.1, range = 0.0..=1.0)]
    pub drought: f64,
}

/// Water and nutrients that one weed takes from the soil for each millimetre of growth. A weed grows one millimetre a day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Needs {
    /// Nitrogen for each millimetre of growth. A weed grows one millimetre a day.
    #[parameter(name = "N_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub nitrogen: f64,
    /// Phosphorus for each millimetre of growth. A weed grows one millimetre a day.
    #[parameter(name = "P_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub phosphorus: f64,
    /// Potassium for each millimetre of growth. A weed grows one millimetre a day.
    #[parameter(name = "K_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub potassium: f64,
    /// Carbon for each millimetre of growth. A weed grows one millimetre a day.
    #[parameter(name = "C_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub carbon: f64,
    /// Water for each millimetre of growth. A weed grows one millimetre a day.
    #[parameter(name = "Water_grow_consumption#mL.mm-1", default = 0.5, range = 0.0..=1e6)]
    pub water: f64,
}
