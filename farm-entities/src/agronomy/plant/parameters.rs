//! The parameters of a plant, by stage.
//!
//! Names follow the public reference; `#prop` marks shares from 0 to 1 that the reference writes as `#%`. Sensitivities
//! are per unit of the distance that they weigh: days, °C, %, individuals; distances of stocks are shares.

/// From the seed in the soil to the first leaves.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Seed {
    /// Base of the daily survival; 0 is perfect.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Birds that the seed tolerates.
    #[parameter(unit = "nb", default = 0.99, range = 0.0..=1e6)]
    pub death_birds_max: f64,
    /// How much each further bird harms.
    #[parameter(name = "sensitivity_death_birds", default = 1.0, range = 0.0..=1e6)]
    pub death_birds: f64,
    /// Days that the seed stays alive without sprouting.
    #[parameter(name = "death_ageseed_max#day", default = 10.0, range = 0.0..=1e4)]
    pub death_age_max: f64,
    /// How much each further day harms.
    #[parameter(name = "sensitivity_death_ageseed", default = 0.8, range = 0.0..=1e6)]
    pub death_age: f64,
    /// Base of the daily sprouting; 0 is perfect.
    #[parameter(name = "sensitivity_sprout_0", range = 0.0..=100.0)]
    pub sprout_base: f64,
    /// Favourable air temperatures.
    #[parameter(name = "sprout_air_temperature#°C", default = [8.0, 25.0], range = -60.0..=70.0)]
    pub sprout_temperature: [f64; 2],
    /// How much each further degree delays.
    #[parameter(name = "sensitivity_sprout_air_temperature", default = 0.7, range = 0.0..=1e6)]
    pub sprout_temperature_weight: f64,
    /// Favourable air humidities.
    #[parameter(unit = "%", default = [50.0, 95.0], range = 0.0..=100.0)]
    pub sprout_humidity: [f64; 2],
    /// How much each further percent delays.
    #[parameter(name = "sensitivity_sprout_humidity", default = 0.4, range = 0.0..=1e6)]
    pub sprout_humidity_weight: f64,
    /// Age before which it hardly sprouts.
    #[parameter(unit = "day", default = 4.0, range = 0.0..=1e4)]
    pub sprout_age_min: f64,
    /// How much each missing day delays.
    #[parameter(name = "sensitivity_sprout_age", default = 1.0, range = 0.0..=1e6)]
    pub sprout_age_weight: f64,
}

/// Needs and sensitivities of a rate: the growth of the plant, or of its fruits.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Rate {
    /// Base of the rate; 0 is perfect.
    #[parameter(name = "sensitivity_0", range = 0.0..=100.0)]
    pub base: f64,
    /// Standard deviation of the daily noise of the rate.
    #[parameter(name = "rate_sigma", default = 0.03, range = 0.0..=1.0)]
    pub noise: f64,
    /// Rate below which nothing is gained that day.
    #[parameter(name = "rate_min", default = 0.1, range = 0.0..=1.0)]
    pub min: f64,
    /// Favourable air temperatures.
    #[parameter(name = "air_temperature#°C", default = [12.0, 28.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// How much each further degree slows.
    #[parameter(name = "sensitivity_air_temperature", default = 0.1, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// How much missing nitrogen slows.
    #[parameter(name = "sensitivity_N", default = 3.0, range = 0.0..=1e6)]
    pub nitrogen: f64,
    /// How much missing phosphorus slows.
    #[parameter(name = "sensitivity_P", default = 3.0, range = 0.0..=1e6)]
    pub phosphorus: f64,
    /// How much missing potassium slows.
    #[parameter(name = "sensitivity_K", default = 3.0, range = 0.0..=1e6)]
    pub potassium: f64,
    /// How much missing carbon slows.
    #[parameter(name = "sensitivity_C", default = 1.0, range = 0.0..=1e6)]
    pub carbon: f64,
    /// How much missing water slows.
    #[parameter(name = "sensitivity_Water", default = 3.0, range = 0.0..=1e6)]
    pub water: f64,
    /// Water that it needs, between the wilting point (0) and the capacity (1).
    #[parameter(name = "sensitivity_draught#prop", default = 0.33, range = 0.0..=1.0)]
    pub drought: f64,
}

/// From the first leaves to the first flowers.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Grow {
    /// The rate of growth.
    pub rate: Rate,
    /// Speed of growth at rate 1.
    #[parameter(name = "growth_speed#cm0.5.day-1", default = 1.0, range = 0.0..=100.0)]
    pub speed: f64,
    /// Nitrogen for each millimetre.
    #[parameter(name = "N_grow_consumption#g.mm-1", default = 0.0011, range = 0.0..=100.0)]
    pub nitrogen: f64,
    /// Phosphorus for each millimetre.
    #[parameter(name = "P_grow_consumption#g.mm-1", default = 0.00034, range = 0.0..=100.0)]
    pub phosphorus: f64,
    /// Potassium for each millimetre.
    #[parameter(name = "K_grow_consumption#g.mm-1", default = 0.0037, range = 0.0..=100.0)]
    pub potassium: f64,
    /// Carbon for each millimetre.
    #[parameter(name = "C_grow_consumption#g.mm-1", default = 0.2, range = 0.0..=100.0)]
    pub carbon: f64,
    /// Water that one plant uses up in a day, besides what it transpires.
    #[parameter(name = "Water_grow_consumption#mL.day-1", default = 0.6, range = 0.0..=1e6)]
    pub water: f64,
    /// Leaf surface for each centimetre of height.
    #[parameter(name = "grow_leaf_surface#m2.cm-1", default = 0.0015, range = 0.0..=100.0)]
    pub leaf_surface: f64,
    /// Nitrogen that fixation brings into the soil for each millimetre of standing height in a day; only with `air_fixation`.
    #[parameter(name = "N_air_storage#g.mm-1.day-1", range = 0.0..=100.0)]
    pub nitrogen_fixation: f64,
    /// Carbon that fixation brings into the soil for each millimetre of standing height in a day; only with `air_fixation`.
    #[parameter(name = "C_air_storage#g.mm-1.day-1", range = 0.0..=100.0)]
    pub carbon_fixation: f64,
    /// Base of the daily survival; 0 is perfect.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Pests on the plant that it tolerates.
    #[parameter(unit = "nb", default = 1.0, range = 0.0..=1e6)]
    pub death_pests_max: f64,
    /// How much each further pest harms.
    #[parameter(name = "sensitivity_death_pests", default = 0.5, range = 0.0..=1e6)]
    pub death_pests: f64,
    /// Days without growth that it tolerates.
    #[parameter(unit = "day", default = 8.0, range = 0.0..=1e4)]
    pub death_nogrow_max: f64,
    /// How much each further day harms.
    #[parameter(name = "sensitivity_death_nogrow", default = 0.1, range = 0.0..=1e6)]
    pub death_nogrow: f64,
    /// How much each missing centimetre delays the flowers.
    #[parameter(name = "sensitivity_bloom_size", default = 1.0, range = 0.0..=1e6)]
    pub bloom_size: f64,
}

/// From the first flowers to their fall.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Bloom {
    /// Days of flowering.
    #[parameter(name = "bloom_duration#day", default = 5.0, range = 0.0..=1e4)]
    pub duration: f64,
    /// How much each missing day delays the fruits.
    #[parameter(name = "sensitivity_bloom_duration", default = 1.0, range = 0.0..=1e6)]
    pub duration_weight: f64,
    /// Share of the pollination that is by itself.
    #[parameter(name = "auto_pollination_rate#prop", default = 0.25, range = 0.0..=1.0)]
    pub auto_rate: f64,
    /// Share of the pollination that is by wind.
    #[parameter(name = "wind_pollination_rate#prop", default = 0.05, range = 0.0..=1.0)]
    pub wind_rate: f64,
    /// Share of the pollination that is by insects.
    #[parameter(name = "insect_pollination_rate#prop", default = 0.7, range = 0.0..=1.0)]
    pub insect_rate: f64,
    /// Chance in a day that a flower pollinates itself.
    #[parameter(name = "auto_pollination_success#prop", default = 0.7, range = 0.0..=1.0)]
    pub auto_success: f64,
    /// Base of the wind's success; 0 is perfect.
    #[parameter(name = "sensitivity_wind_0", default = 0.1, range = 0.0..=100.0)]
    pub wind_base: f64,
    /// Air temperatures at which flowers open.
    #[parameter(name = "wind_air_temperature#°C", default = [4.0, 26.0], range = -60.0..=70.0)]
    pub wind_temperature: [f64; 2],
    /// How much each further degree harms the wind's success.
    #[parameter(name = "sensitivity_wind_air_temperature", default = 0.4, range = 0.0..=1e6)]
    pub wind_temperature_weight: f64,
    /// Base of the insects' success; 0 is perfect.
    #[parameter(name = "sensitivity_pollinator_0", default = 0.1, range = 0.0..=100.0)]
    pub insect_base: f64,
    /// Visits that the flowers want.
    #[parameter(name = "pollinator_visits_min#nb", default = 1.0, range = 0.0..=1e4)]
    pub visits_min: f64,
    /// How much each missing visit harms the insects' success.
    #[parameter(name = "sensitivity_pollinator_visits", default = 1.0, range = 0.0..=1e6)]
    pub visits_weight: f64,
    /// How much stress adds to the number of flowers; 0 as in the paper.
    #[parameter(unit = "prop", range = 0.0..=10.0)]
    pub stress_boost: f64,
    /// How fast that boost saturates with the stress.
    #[parameter(name = "sensitivity_stress", default = 0.4, range = 0.0..=1e6)]
    pub stress_boost_speed: f64,
    /// Nitrogen for each flower in a day.
    #[parameter(name = "N_flower_consumption#g.day-1", default = 1.1e-5, range = 0.0..=100.0)]
    pub nitrogen: f64,
    /// Phosphorus for each flower in a day.
    #[parameter(name = "P_flower_consumption#g.day-1", default = 3.4e-6, range = 0.0..=100.0)]
    pub phosphorus: f64,
    /// Potassium for each flower in a day.
    #[parameter(name = "K_flower_consumption#g.day-1", default = 3.7e-5, range = 0.0..=100.0)]
    pub potassium: f64,
    /// Carbon for each flower in a day.
    #[parameter(name = "C_flower_consumption#g.day-1", default = 0.002, range = 0.0..=100.0)]
    pub carbon: f64,
    /// Water for each flower in a day.
    #[parameter(name = "Water_flower_consumption#mL.day-1", default = 0.006, range = 0.0..=1e6)]
    pub water: f64,
    /// Base of the daily survival; 0 is perfect.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Days of frost in a row that the flowers tolerate.
    #[parameter(unit = "day", default = 2.0, range = 0.0..=1e4)]
    pub death_frost_max: f64,
    /// How much each further day harms.
    #[parameter(name = "sensitivity_death_frost", default = 2.0, range = 0.0..=1e6)]
    pub death_frost: f64,
}

/// From the fall of the flowers to full-grown fruits.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Fruit {
    /// The rate of growth of the fruits.
    pub rate: Rate,
    /// Speed of growth at rate 1; nothing said takes a seventh of the square root of the final weight, and 1 in the paper's equations.
    #[parameter(name = "growth_speed#g0.5.day-1", range = 0.0..=1000.0)]
    pub speed: Option<f64>,
    /// Nitrogen for each gram of fruit in a day.
    #[parameter(name = "N_fruit_consumption#g.g-1.day-1", default = 1.1e-4, range = 0.0..=100.0)]
    pub nitrogen: f64,
    /// Phosphorus for each gram of fruit in a day.
    #[parameter(name = "P_fruit_consumption#g.g-1.day-1", default = 3.4e-5, range = 0.0..=100.0)]
    pub phosphorus: f64,
    /// Potassium for each gram of fruit in a day.
    #[parameter(name = "K_fruit_consumption#g.g-1.day-1", default = 3.7e-4, range = 0.0..=100.0)]
    pub potassium: f64,
    /// Carbon for each gram of fruit in a day.
    #[parameter(name = "C_fruit_consumption#g.g-1.day-1", default = 0.02, range = 0.0..=100.0)]
    pub carbon: f64,
    /// Water for each gram of fruit in a day.
    #[parameter(name = "Water_fruit_consumption#mL.g-1.day-1", default = 1e-4, range = 0.0..=1e6)]
    pub water: f64,
    /// Visits of pollinators that full fruits want.
    #[parameter(name = "fruit_pollinators_min#nb", default = 3.0, range = 0.0..=1e4)]
    pub visits_min: f64,
    /// How much each missing visit lowers the weight at which they ripen.
    #[parameter(name = "sensitivity_fruit_pollinators", range = 0.0..=1e6)]
    pub visits_weight: f64,
    /// How much stress lowers the weight at which they ripen.
    #[parameter(name = "sensitivity_fruit_stress", default = 0.7, range = 0.0..=1e6)]
    pub stress_weight: f64,
    /// How much each missing gram delays ripening.
    #[parameter(name = "sensitivity_ripe_weight", default = 1.0, range = 0.0..=1e6)]
    pub ripe_weight: f64,
    /// Base of the daily survival; 0 is perfect.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Pests on the plant that it tolerates.
    #[parameter(unit = "nb", default = 1.0, range = 0.0..=1e6)]
    pub death_pests_max: f64,
    /// How much each further pest harms.
    #[parameter(name = "sensitivity_death_pests", default = 0.9, range = 0.0..=1e6)]
    pub death_pests: f64,
    /// Air humidities that it tolerates.
    #[parameter(unit = "%", default = [30.0, 98.0], range = 0.0..=100.0)]
    pub death_humidity: [f64; 2],
    /// How much each further percent harms.
    #[parameter(name = "sensitivity_death_humidity", default = 0.05, range = 0.0..=1e6)]
    pub death_humidity_weight: f64,
    /// Days without gain of weight that it tolerates.
    #[parameter(unit = "day", default = 6.0, range = 0.0..=1e4)]
    pub death_noweight_max: f64,
    /// How much each further day harms.
    #[parameter(name = "sensitivity_death_noweight", default = 0.1, range = 0.0..=1e6)]
    pub death_noweight: f64,
}

/// How ripe fruits are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum RipeDecay {
    /// Each fruit stays with the day's chance.
    Binomial,
    /// The chance times the number, rounded down, as the paper prints it.
    Floor,
}

/// Ripe fruits, until they are harvested or lost.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Ripe {
    /// Base of the daily survival of a fruit; 0 is perfect.
    #[parameter(name = "sensitivity_ripe_0", range = 0.0..=100.0)]
    pub base: f64,
    /// Standard deviation of the daily noise of that survival.
    #[parameter(name = "ripe_rate_sigma", default = 0.05, range = 0.0..=1.0)]
    pub noise: f64,
    /// How much a rainy day harms.
    #[parameter(name = "sensitivity_ripe_rain", default = 0.1, range = 0.0..=1e6)]
    pub rain: f64,
    /// Days of frost in a row that fruits tolerate.
    #[parameter(name = "ripe_frost_max#day", default = 2.0, range = 0.0..=1e4)]
    pub frost_max: f64,
    /// How much each further day harms.
    #[parameter(name = "sensitivity_ripe_frost", default = 2.0, range = 0.0..=1e6)]
    pub frost: f64,
    /// Pests on the plant that fruits tolerate.
    #[parameter(name = "ripe_pests_max#nb", range = 0.0..=1e6)]
    pub pests_max: f64,
    /// How much each further pest harms.
    #[parameter(name = "sensitivity_ripe_pests", default = 1.0, range = 0.0..=1e6)]
    pub pests: f64,
    /// Days that ripe fruits keep.
    #[parameter(name = "ripe_age_max#day", default = 7.0, range = 0.0..=1e4)]
    pub age_max: f64,
    /// How much each further day harms.
    #[parameter(name = "sensitivity_ripe_age", default = 0.5, range = 0.0..=1e6)]
    pub age: f64,
    /// How ripe fruits are lost; as `equations` says if nothing is said.
    pub decay: Option<RipeDecay>,
}

/// What dead plants give back to the soil.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Death {
    /// Share of the nitrogen that is set free in a day with microlife at 100 %.
    #[parameter(name = "N_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub nitrogen: f64,
    /// Share of the phosphorus that is set free in a day with microlife at 100 %.
    #[parameter(name = "P_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub phosphorus: f64,
    /// Share of the potassium that is set free in a day with microlife at 100 %.
    #[parameter(name = "K_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub potassium: f64,
    /// Share of the carbon that is set free in a day with microlife at 100 %.
    #[parameter(name = "C_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub carbon: f64,
}

/// What nutrients are needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Requirement {
    /// For what is grown that day.
    Growth,
    /// Every day for the standing height, as the paper prints it.
    StandingHeight,
}

/// The stage a plot starts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum InitialStage {
    /// Nothing is sown.
    None,
    /// Seeds are in the soil.
    Seed,
    /// The first leaves are out.
    Grow,
}
