//! When weeds come, grow and die, and what they take: the groups of their parameters.

/// What happens on a day on which the weeds of a plot change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Ticks {
    /// Flowers shed seeds, seeds sprout and weeds flower.
    All,
    /// One of the three at random, as in the public reference.
    One,
}

/// When seeds blow in.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Appear {
    /// Base of the chance of each new seed; 0 is certain at the edge of the field.
    #[parameter(name = "sensitivity_0", default = 0.2, range = 0.0..=100.0)]
    pub base: f64,
    /// How much each plot of distance from the edge lowers it.
    #[parameter(name = "sensitivity_dist_edge", default = 0.3, range = 0.0..=1e6)]
    pub edge: f64,
}

/// When seeds sprout.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Sprouting {
    /// Base of the chance; 0 is perfect.
    #[parameter(name = "sensitivity_grow_0", default = 0.1, range = 0.0..=100.0)]
    pub base: f64,
    /// Favourable air temperatures.
    #[parameter(name = "grow_air_temperature#°C", default = [7.0, 38.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// How much each further degree harms.
    #[parameter(name = "sensitivity_grow_air_temperature", default = 0.3, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Favourable air humidities.
    #[parameter(name = "grow_humidity#%", default = [20.0, 100.0], range = 0.0..=100.0)]
    pub humidity: [f64; 2],
    /// How much each further percent harms.
    #[parameter(name = "sensitivity_grow_humidity", default = 0.2, range = 0.0..=1e6)]
    pub humidity_weight: f64,
    /// Herbicide that hinders neither sprouting nor flowering.
    #[parameter(name = "grow_herbicide_max#g", default = 3.0, range = 0.0..=1e6)]
    pub herbicide_max: f64,
    /// How much each further gram hinders both.
    #[parameter(name = "sensitivity_grow_herbicide", default = 0.8, range = 0.0..=1e6)]
    pub herbicide: f64,
}

/// When weeds die; drawn on the days on which the weeds of a plot change.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Survival {
    /// Base of the survival; 0 is perfect.
    #[parameter(name = "sensitivity_death_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// Air temperatures that they bear.
    #[parameter(name = "death_air_temperature#°C", default = [-5.0, 40.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// How much each further degree harms.
    #[parameter(name = "sensitivity_death_air_temperature", default = 0.1, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Herbicide that they bear.
    #[parameter(name = "death_herbicide_max#g", default = 10.0, range = 0.0..=1e6)]
    pub herbicide_max: f64,
    /// How much each further gram harms.
    #[parameter(name = "sensitivity_death_herbicide", default = 2.0, range = 0.0..=1e6)]
    pub herbicide: f64,
    /// How much missing nitrogen harms.
    #[parameter(name = "sensitivity_death_N", default = 1.0, range = 0.0..=1e6)]
    pub nitrogen: f64,
    /// How much missing phosphorus harms.
    #[parameter(name = "sensitivity_death_P", default = 1.0, range = 0.0..=1e6)]
    pub phosphorus: f64,
    /// How much missing potassium harms.
    #[parameter(name = "sensitivity_death_K", default = 1.0, range = 0.0..=1e6)]
    pub potassium: f64,
    /// How much missing carbon harms.
    #[parameter(name = "sensitivity_death_C", default = 1.0, range = 0.0..=1e6)]
    pub carbon: f64,
    /// How much missing water harms.
    #[parameter(name = "sensitivity_death_Water", default = 2.0, range = 0.0..=1e6)]
    pub water: f64,
    /// Water that they need, between the wilting point (0) and the capacity (1).
    #[parameter(name = "sensitivity_draught#prop", default = 0.1, range = 0.0..=1.0)]
    pub drought: f64,
}

/// What one weed takes from the soil for each millimetre that it grows; it grows one millimetre a day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Needs {
    /// Nitrogen that it takes.
    #[parameter(name = "N_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub nitrogen: f64,
    /// Phosphorus that it takes.
    #[parameter(name = "P_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub phosphorus: f64,
    /// Potassium that it takes.
    #[parameter(name = "K_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub potassium: f64,
    /// Carbon that it takes.
    #[parameter(name = "C_grow_consumption#g.mm-1", default = 0.5, range = 0.0..=1e3)]
    pub carbon: f64,
    /// Water that it takes.
    #[parameter(name = "Water_grow_consumption#mL.mm-1", default = 0.5, range = 0.0..=1e6)]
    pub water: f64,
}
