//! The parameters of pests in the paper's equations: when they come, and when they leave or die.

/// When pests that reach the field come into a plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Appear {
    /// Base of the chance; 0 is perfect.
    #[parameter(name = "sensitivity_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// How much each plot of distance from the edge lowers it.
    #[parameter(name = "sensitivity_dist_edge", default = 0.5, range = 0.0..=1e6)]
    pub edge: f64,
    /// Favourable air temperatures.
    #[parameter(name = "air_temperature#°C", default = [12.0, 35.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// How much each further degree lowers it.
    #[parameter(name = "sensitivity_air_temperature", default = 1.5, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Pesticide in the plot that they do not mind.
    #[parameter(unit = "g", range = 0.0..=1e6)]
    pub pesticide_max: f64,
    /// How much each further gram lowers it.
    #[parameter(name = "sensitivity_pesticide", default = 5.0, range = 0.0..=1e6)]
    pub pesticide: f64,
}

/// When pests leave the field or die.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Leave {
    /// Base of the chance to stay; 0 is perfect.
    #[parameter(name = "sensitivity_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// How much each plot nearer to the edge than the middle of the field lowers it.
    #[parameter(name = "sensitivity_dist_edge", default = 0.05, range = 0.0..=1e6)]
    pub edge: f64,
    /// Favourable air temperatures.
    #[parameter(name = "air_temperature#°C", default = [10.0, 35.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// How much each further degree lowers it.
    #[parameter(name = "sensitivity_air_temperature", default = 0.2, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Pesticide in the plot that they do not mind.
    #[parameter(unit = "g", range = 0.0..=1e6)]
    pub pesticide_max: f64,
    /// How much each further gram lowers it.
    #[parameter(name = "sensitivity_pesticide", default = 5.0, range = 0.0..=1e6)]
    pub pesticide: f64,
    /// Birds that they do not mind.
    #[parameter(name = "death_birds_max#nb", default = 1.0, range = 0.0..=1e6)]
    pub birds_max: f64,
    /// How much each further bird lowers it.
    #[parameter(name = "sensitivity_death_birds", default = 3.0, range = 0.0..=1e6)]
    pub birds: f64,
}
