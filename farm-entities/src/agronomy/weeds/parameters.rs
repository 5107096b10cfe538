//! When weeds come, grow and die, and what they take: the groups of their parameters.

farm_core::choice! {
    /// What happens on a day on which the weeds of a plot change.
    pub enum Ticks {
        /// Flowers shed seeds, seeds sprout and weeds flower.
        All = "all",
        /// One of the three at random, as in the public reference.
        One = "one",
    }
}

farm_core::parameters! {
    /// When seeds blow in.
    pub struct Appear {
        /// Base of the chance of each new seed; 0 is certain at the edge of the field.
        pub base: f64 = 0.2, "sensitivity_0", [0.0, 100.0];
        /// How much each plot of distance from the edge lowers it.
        pub edge: f64 = 0.3, "sensitivity_dist_edge", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// When seeds sprout.
    pub struct Sprouting {
        /// Base of the chance; 0 is perfect.
        pub base: f64 = 0.1, "sensitivity_grow_0", [0.0, 100.0];
        /// Favourable air temperatures.
        pub temperature: [f64; 2] = [7.0, 38.0], "grow_air_temperature#°C", [-60.0, 70.0];
        /// How much each further degree harms.
        pub temperature_weight: f64 = 0.3, "sensitivity_grow_air_temperature", [0.0, 1e6];
        /// Favourable air humidities.
        pub humidity: [f64; 2] = [20.0, 100.0], "grow_humidity#%", [0.0, 100.0];
        /// How much each further percent harms.
        pub humidity_weight: f64 = 0.2, "sensitivity_grow_humidity", [0.0, 1e6];
        /// Herbicide that hinders neither sprouting nor flowering.
        pub herbicide_max: f64 = 3.0, "grow_herbicide_max#g", [0.0, 1e6];
        /// How much each further gram hinders both.
        pub herbicide: f64 = 0.8, "sensitivity_grow_herbicide", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// When weeds die; drawn on the days on which the weeds of a plot change.
    pub struct Survival {
        /// Base of the survival; 0 is perfect.
        pub base: f64 = 0.01, "sensitivity_death_0", [0.0, 100.0];
        /// Air temperatures that they bear.
        pub temperature: [f64; 2] = [-5.0, 40.0], "death_air_temperature#°C", [-60.0, 70.0];
        /// How much each further degree harms.
        pub temperature_weight: f64 = 0.1, "sensitivity_death_air_temperature", [0.0, 1e6];
        /// Herbicide that they bear.
        pub herbicide_max: f64 = 10.0, "death_herbicide_max#g", [0.0, 1e6];
        /// How much each further gram harms.
        pub herbicide: f64 = 2.0, "sensitivity_death_herbicide", [0.0, 1e6];
        /// How much missing nitrogen harms.
        pub nitrogen: f64 = 1.0, "sensitivity_death_N", [0.0, 1e6];
        /// How much missing phosphorus harms.
        pub phosphorus: f64 = 1.0, "sensitivity_death_P", [0.0, 1e6];
        /// How much missing potassium harms.
        pub potassium: f64 = 1.0, "sensitivity_death_K", [0.0, 1e6];
        /// How much missing carbon harms.
        pub carbon: f64 = 1.0, "sensitivity_death_C", [0.0, 1e6];
        /// How much missing water harms.
        pub water: f64 = 2.0, "sensitivity_death_Water", [0.0, 1e6];
        /// Water that they need, between the wilting point (0) and the capacity (1).
        pub drought: f64 = 0.1, "sensitivity_draught#prop", [0.0, 1.0];
    }
}

farm_core::parameters! {
    /// What one weed takes from the soil for each millimetre that it grows; it grows one millimetre a day.
    pub struct Needs {
        /// Nitrogen that it takes.
        pub nitrogen: f64 = 0.5, "N_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Phosphorus that it takes.
        pub phosphorus: f64 = 0.5, "P_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Potassium that it takes.
        pub potassium: f64 = 0.5, "K_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Carbon that it takes.
        pub carbon: f64 = 0.5, "C_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Water that it takes.
        pub water: f64 = 0.5, "Water_grow_consumption#mL.mm-1", [0.0, 1e6];
    }
}
