//! The parameters of a plant, by stage.
//!
//! Names follow the public reference; `#prop` marks shares from 0 to 1 that the reference writes as `#%`. Sensitivities
//! are per unit of the distance that they weigh: days, °C, %, individuals; distances of stocks are shares.

farm_core::parameters! {
    /// From the seed in the soil to the first leaves.
    pub struct Seed {
        /// Base of the daily survival; 0 is perfect.
        pub death_base: f64 = 0.0, "sensitivity_death_0", [0.0, 100.0];
        /// Birds that the seed tolerates.
        pub death_birds_max: f64 = 0.99, "death_birds_max#nb", [0.0, 1e6];
        /// How much each further bird harms.
        pub death_birds: f64 = 1.0, "sensitivity_death_birds", [0.0, 1e6];
        /// Days that the seed stays alive without sprouting.
        pub death_age_max: f64 = 10.0, "death_ageseed_max#day", [0.0, 1e4];
        /// How much each further day harms.
        pub death_age: f64 = 0.8, "sensitivity_death_ageseed", [0.0, 1e6];
        /// Base of the daily sprouting; 0 is perfect.
        pub sprout_base: f64 = 0.0, "sensitivity_sprout_0", [0.0, 100.0];
        /// Favourable air temperatures.
        pub sprout_temperature: [f64; 2] = [8.0, 25.0], "sprout_air_temperature#°C", [-60.0, 70.0];
        /// How much each further degree delays.
        pub sprout_temperature_weight: f64 = 0.7, "sensitivity_sprout_air_temperature", [0.0, 1e6];
        /// Favourable air humidities.
        pub sprout_humidity: [f64; 2] = [50.0, 95.0], "sprout_humidity#%", [0.0, 100.0];
        /// How much each further percent delays.
        pub sprout_humidity_weight: f64 = 0.4, "sensitivity_sprout_humidity", [0.0, 1e6];
        /// Age before which it hardly sprouts.
        pub sprout_age_min: f64 = 4.0, "sprout_age_min#day", [0.0, 1e4];
        /// How much each missing day delays.
        pub sprout_age_weight: f64 = 1.0, "sensitivity_sprout_age", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// Needs and sensitivities of a rate: the growth of the plant, or of its fruits.
    pub struct Rate {
        /// Base of the rate; 0 is perfect.
        pub base: f64 = 0.0, "sensitivity_0", [0.0, 100.0];
        /// Standard deviation of the daily noise of the rate.
        pub noise: f64 = 0.03, "rate_sigma", [0.0, 1.0];
        /// Rate below which nothing is gained that day.
        pub min: f64 = 0.1, "rate_min", [0.0, 1.0];
        /// Favourable air temperatures.
        pub temperature: [f64; 2] = [12.0, 28.0], "air_temperature#°C", [-60.0, 70.0];
        /// How much each further degree slows.
        pub temperature_weight: f64 = 0.1, "sensitivity_air_temperature", [0.0, 1e6];
        /// How much missing nitrogen slows.
        pub nitrogen: f64 = 3.0, "sensitivity_N", [0.0, 1e6];
        /// How much missing phosphorus slows.
        pub phosphorus: f64 = 3.0, "sensitivity_P", [0.0, 1e6];
        /// How much missing potassium slows.
        pub potassium: f64 = 3.0, "sensitivity_K", [0.0, 1e6];
        /// How much missing carbon slows.
        pub carbon: f64 = 1.0, "sensitivity_C", [0.0, 1e6];
        /// How much missing water slows.
        pub water: f64 = 3.0, "sensitivity_Water", [0.0, 1e6];
        /// Water that it needs, between the wilting point (0) and the capacity (1).
        pub drought: f64 = 0.33, "sensitivity_draught#prop", [0.0, 1.0];
    }
}

farm_core::parameters! {
    /// From the first leaves to the first flowers.
    pub struct Grow {
        /// The rate of growth.
        pub rate: Rate = Rate::default();
        /// Speed of growth at rate 1.
        pub speed: f64 = 1.0, "growth_speed#cm0.5.day-1", [0.0, 100.0];
        /// Nitrogen for each millimetre.
        pub nitrogen: f64 = 0.0011, "N_grow_consumption#g.mm-1", [0.0, 100.0];
        /// Phosphorus for each millimetre.
        pub phosphorus: f64 = 0.00034, "P_grow_consumption#g.mm-1", [0.0, 100.0];
        /// Potassium for each millimetre.
        pub potassium: f64 = 0.0037, "K_grow_consumption#g.mm-1", [0.0, 100.0];
        /// Carbon for each millimetre.
        pub carbon: f64 = 0.2, "C_grow_consumption#g.mm-1", [0.0, 100.0];
        /// Water that one plant uses up in a day, besides what it transpires.
        pub water: f64 = 0.6, "Water_grow_consumption#mL.day-1", [0.0, 1e6];
        /// Leaf surface for each centimetre of height.
        pub leaf_surface: f64 = 0.0015, "grow_leaf_surface#m2.cm-1", [0.0, 100.0];
        /// Nitrogen that fixation brings into the soil for each millimetre of standing height in a day; only with `air_fixation`.
        pub nitrogen_fixation: f64 = 0.0, "N_air_storage#g.mm-1.day-1", [0.0, 100.0];
        /// Carbon that fixation brings into the soil for each millimetre of standing height in a day; only with `air_fixation`.
        pub carbon_fixation: f64 = 0.0, "C_air_storage#g.mm-1.day-1", [0.0, 100.0];
        /// Base of the daily survival; 0 is perfect.
        pub death_base: f64 = 0.0, "sensitivity_death_0", [0.0, 100.0];
        /// Pests on the plant that it tolerates.
        pub death_pests_max: f64 = 1.0, "death_pests_max#nb", [0.0, 1e6];
        /// How much each further pest harms.
        pub death_pests: f64 = 0.5, "sensitivity_death_pests", [0.0, 1e6];
        /// Days without growth that it tolerates.
        pub death_nogrow_max: f64 = 8.0, "death_nogrow_max#day", [0.0, 1e4];
        /// How much each further day harms.
        pub death_nogrow: f64 = 0.1, "sensitivity_death_nogrow", [0.0, 1e6];
        /// How much each missing centimetre delays the flowers.
        pub bloom_size: f64 = 1.0, "sensitivity_bloom_size", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// From the first flowers to their fall.
    pub struct Bloom {
        /// Days of flowering.
        pub duration: f64 = 5.0, "bloom_duration#day", [0.0, 1e4];
        /// How much each missing day delays the fruits.
        pub duration_weight: f64 = 1.0, "sensitivity_bloom_duration", [0.0, 1e6];
        /// Share of the pollination that is by itself.
        pub auto_rate: f64 = 0.25, "auto_pollination_rate#prop", [0.0, 1.0];
        /// Share of the pollination that is by wind.
        pub wind_rate: f64 = 0.05, "wind_pollination_rate#prop", [0.0, 1.0];
        /// Share of the pollination that is by insects.
        pub insect_rate: f64 = 0.7, "insect_pollination_rate#prop", [0.0, 1.0];
        /// Chance in a day that a flower pollinates itself.
        pub auto_success: f64 = 0.7, "auto_pollination_success#prop", [0.0, 1.0];
        /// Base of the wind's success; 0 is perfect.
        pub wind_base: f64 = 0.1, "sensitivity_wind_0", [0.0, 100.0];
        /// Air temperatures at which flowers open.
        pub wind_temperature: [f64; 2] = [4.0, 26.0], "wind_air_temperature#°C", [-60.0, 70.0];
        /// How much each further degree harms the wind's success.
        pub wind_temperature_weight: f64 = 0.4, "sensitivity_wind_air_temperature", [0.0, 1e6];
        /// Base of the insects' success; 0 is perfect.
        pub insect_base: f64 = 0.1, "sensitivity_pollinator_0", [0.0, 100.0];
        /// Visits that the flowers want.
        pub visits_min: f64 = 1.0, "pollinator_visits_min#nb", [0.0, 1e4];
        /// How much each missing visit harms the insects' success.
        pub visits_weight: f64 = 1.0, "sensitivity_pollinator_visits", [0.0, 1e6];
        /// How much stress adds to the number of flowers; 0 as in the paper.
        pub stress_boost: f64 = 0.0, "stress_boost#prop", [0.0, 10.0];
        /// How fast that boost saturates with the stress.
        pub stress_boost_speed: f64 = 0.4, "sensitivity_stress", [0.0, 1e6];
        /// Nitrogen for each flower in a day.
        pub nitrogen: f64 = 1.1e-5, "N_flower_consumption#g.day-1", [0.0, 100.0];
        /// Phosphorus for each flower in a day.
        pub phosphorus: f64 = 3.4e-6, "P_flower_consumption#g.day-1", [0.0, 100.0];
        /// Potassium for each flower in a day.
        pub potassium: f64 = 3.7e-5, "K_flower_consumption#g.day-1", [0.0, 100.0];
        /// Carbon for each flower in a day.
        pub carbon: f64 = 0.002, "C_flower_consumption#g.day-1", [0.0, 100.0];
        /// Water for each flower in a day.
        pub water: f64 = 0.006, "Water_flower_consumption#mL.day-1", [0.0, 1e6];
        /// Base of the daily survival; 0 is perfect.
        pub death_base: f64 = 0.0, "sensitivity_death_0", [0.0, 100.0];
        /// Days of frost in a row that the flowers tolerate.
        pub death_frost_max: f64 = 2.0, "death_frost_max#day", [0.0, 1e4];
        /// How much each further day harms.
        pub death_frost: f64 = 2.0, "sensitivity_death_frost", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// From the fall of the flowers to full-grown fruits.
    pub struct Fruit {
        /// The rate of growth of the fruits.
        pub rate: Rate = Rate::default();
        /// Speed of growth at rate 1; nothing said takes a seventh of the square root of the final weight, and 1 in the paper's equations.
        pub speed: Option<f64> = None, "growth_speed#g0.5.day-1", [0.0, 1000.0];
        /// Nitrogen for each gram of fruit in a day.
        pub nitrogen: f64 = 1.1e-4, "N_fruit_consumption#g.g-1.day-1", [0.0, 100.0];
        /// Phosphorus for each gram of fruit in a day.
        pub phosphorus: f64 = 3.4e-5, "P_fruit_consumption#g.g-1.day-1", [0.0, 100.0];
        /// Potassium for each gram of fruit in a day.
        pub potassium: f64 = 3.7e-4, "K_fruit_consumption#g.g-1.day-1", [0.0, 100.0];
        /// Carbon for each gram of fruit in a day.
        pub carbon: f64 = 0.02, "C_fruit_consumption#g.g-1.day-1", [0.0, 100.0];
        /// Water for each gram of fruit in a day.
        pub water: f64 = 1e-4, "Water_fruit_consumption#mL.g-1.day-1", [0.0, 1e6];
        /// Visits of pollinators that full fruits want.
        pub visits_min: f64 = 3.0, "fruit_pollinators_min#nb", [0.0, 1e4];
        /// How much each missing visit lowers the weight at which they ripen.
        pub visits_weight: f64 = 0.0, "sensitivity_fruit_pollinators", [0.0, 1e6];
        /// How much stress lowers the weight at which they ripen.
        pub stress_weight: f64 = 0.7, "sensitivity_fruit_stress", [0.0, 1e6];
        /// How much each missing gram delays ripening.
        pub ripe_weight: f64 = 1.0, "sensitivity_ripe_weight", [0.0, 1e6];
        /// Base of the daily survival; 0 is perfect.
        pub death_base: f64 = 0.0, "sensitivity_death_0", [0.0, 100.0];
        /// Pests on the plant that it tolerates.
        pub death_pests_max: f64 = 1.0, "death_pests_max#nb", [0.0, 1e6];
        /// How much each further pest harms.
        pub death_pests: f64 = 0.9, "sensitivity_death_pests", [0.0, 1e6];
        /// Air humidities that it tolerates.
        pub death_humidity: [f64; 2] = [30.0, 98.0], "death_humidity#%", [0.0, 100.0];
        /// How much each further percent harms.
        pub death_humidity_weight: f64 = 0.05, "sensitivity_death_humidity", [0.0, 1e6];
        /// Days without gain of weight that it tolerates.
        pub death_noweight_max: f64 = 6.0, "death_noweight_max#day", [0.0, 1e4];
        /// How much each further day harms.
        pub death_noweight: f64 = 0.1, "sensitivity_death_noweight", [0.0, 1e6];
    }
}

farm_core::choice! {
    /// How ripe fruits are lost.
    pub enum RipeDecay {
        /// Each fruit stays with the day's chance.
        Binomial = "binomial",
        /// The chance times the number, rounded down, as the paper prints it.
        Floor = "floor",
    }
}

farm_core::parameters! {
    /// Ripe fruits, until they are harvested or lost.
    pub struct Ripe {
        /// Base of the daily survival of a fruit; 0 is perfect.
        pub base: f64 = 0.0, "sensitivity_ripe_0", [0.0, 100.0];
        /// Standard deviation of the daily noise of that survival.
        pub noise: f64 = 0.05, "ripe_rate_sigma", [0.0, 1.0];
        /// How much a rainy day harms.
        pub rain: f64 = 0.1, "sensitivity_ripe_rain", [0.0, 1e6];
        /// Days of frost in a row that fruits tolerate.
        pub frost_max: f64 = 2.0, "ripe_frost_max#day", [0.0, 1e4];
        /// How much each further day harms.
        pub frost: f64 = 2.0, "sensitivity_ripe_frost", [0.0, 1e6];
        /// Pests on the plant that fruits tolerate.
        pub pests_max: f64 = 0.0, "ripe_pests_max#nb", [0.0, 1e6];
        /// How much each further pest harms.
        pub pests: f64 = 1.0, "sensitivity_ripe_pests", [0.0, 1e6];
        /// Days that ripe fruits keep.
        pub age_max: f64 = 7.0, "ripe_age_max#day", [0.0, 1e4];
        /// How much each further day harms.
        pub age: f64 = 0.5, "sensitivity_ripe_age", [0.0, 1e6];
        /// How ripe fruits are lost; as `equations` says if nothing is said.
        pub decay: Option<RipeDecay> = None;
    }
}

farm_core::parameters! {
    /// What dead plants give back to the soil.
    pub struct Death {
        /// Share of the nitrogen that is set free in a day with microlife at 100 %.
        pub nitrogen: f64 = 0.1, "N_release_speed#g.g-1.day-1", [0.0, 1.0];
        /// Share of the phosphorus that is set free in a day with microlife at 100 %.
        pub phosphorus: f64 = 0.1, "P_release_speed#g.g-1.day-1", [0.0, 1.0];
        /// Share of the potassium that is set free in a day with microlife at 100 %.
        pub potassium: f64 = 0.1, "K_release_speed#g.g-1.day-1", [0.0, 1.0];
        /// Share of the carbon that is set free in a day with microlife at 100 %.
        pub carbon: f64 = 0.1, "C_release_speed#g.g-1.day-1", [0.0, 1.0];
    }
}

farm_core::choice! {
    /// What nutrients are needed for.
    pub enum Requirement {
        /// For what is grown that day.
        Growth = "growth",
        /// Every day for the standing height, as the paper prints it.
        StandingHeight = "standing_height",
    }
}

farm_core::choice! {
    /// The stage a plot starts in.
    pub enum InitialStage {
        /// Nothing is sown.
        None = "none",
        /// Seeds are in the soil.
        Seed = "seed",
        /// The first leaves are out.
        Grow = "grow",
    }
}
