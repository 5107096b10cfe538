//! The parameters of pests in the paper's equations: when they come, and when they leave or die.

/// Probability that a pest that reaches the field comes to a plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Appear {
    /// Constant penalty.
    #[parameter(name = "sensitivity_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// Penalty for each plot of distance from the edge of the field.
    #[parameter(name = "sensitivity_dist_edge", default = 0.5, range = 0.0..=1e6)]
    pub edge: f64,
    /// Favourable air temperatures.
    #[parameter(name = "air_temperature#°C", default = [12.0, 35.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Penalty for each degree outside `air_temperature#°C`.
    #[parameter(name = "sensitivity_air_temperature", default = 1.5, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Pesticide in the plot up to which there is no penalty.
    #[parameter(unit = "g", range = 0.0..=1e6)]
    pub pesticide_max: f64,
    /// Penalty for each gram of pesticide above `pesticide_max#g`.
    #[parameter(name = "sensitivity_pesticide", default = 5.0, range = 0.0..=1e6)]
    pub pesticide: f64,
}

/// Daily probability that a pest stays alive and in the field.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Leave {
    /// Constant penalty.
    #[parameter(name = "sensitivity_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// Penalty for each plot by which the pest is nearer to the edge than the middle of the field is.
    #[parameter(name = "sensitivity_dist_edge", default = 0.05, range = 0.0..=1e6)]
    pub edge: f64,
    /// Favourable air temperatures.
    #[parameter(name = "air_temperature#°C", default = [10.0, 35.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Penalty for each degree outside `air_temperature#°C`.
    #[parameter(name = "sensitivity_air_temperature", default = 0.2, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Pesticide in the plot up to which there is no penalty.
    #[parameter(unit = "g", range = 0.0..=1e6)]
    pub pesticide_max: f64,
    /// Penalty for each gram of pesticide above `pesticide_max#g`.
    #[parameter(name = "sensitivity_pesticide", default = 5.0, range = 0.0..=1e6)]
    pub pesticide: f64,
    /// Number of birds up to which there is no penalty.
    #[parameter(name = "death_birds_max#nb", default = 1.0, range = 0.0..=1e6)]
    pub birds_max: f64,
    /// Penalty for each bird above `death_birds_max#nb`.
    #[parameter(name = "sensitivity_death_birds", default = 3.0, range = 0.0..=1e6)]
    pub birds: f64,
}
