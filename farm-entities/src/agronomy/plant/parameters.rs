//! The plant parameters, by stage.
//!
//! Names follow the public reference; `#prop` marks shares from 0 to 1 that the reference writes as `#%`. Sensitivities
//! are penalties for each unit of a distance: days, °C, %, individuals. Distances of stocks are shares. Each probability is
//! exp(−x), where x is the sum of its penalties.

/// From the seed in the soil to the first leaves.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Seed {
    /// Constant penalty on survival.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Number of birds up to which survival has no penalty.
    #[parameter(unit = "nb", default = 0.99, range = 0.0..=1e6)]
    pub death_birds_max: f64,
    /// Penalty on survival for each bird above `death_birds_max#nb`.
    #[parameter(name = "sensitivity_death_birds", default = 1.0, range = 0.0..=1e6)]
    pub death_birds: f64,
    /// Age of the seeds up to which survival has no penalty.
    #[parameter(name = "death_ageseed_max#day", default = 10.0, range = 0.0..=1e4)]
    pub death_age_max: f64,
    /// Penalty on survival for each day above `death_ageseed_max#day`.
    #[parameter(name = "sensitivity_death_ageseed", default = 0.8, range = 0.0..=1e6)]
    pub death_age: f64,
    /// Constant penalty on sprouting.
    #[parameter(name = "sensitivity_sprout_0", range = 0.0..=100.0)]
    pub sprout_base: f64,
    /// Air temperatures at which sprouting has no penalty.
    #[parameter(name = "sprout_air_temperature#°C", default = [8.0, 25.0], range = -60.0..=70.0)]
    pub sprout_temperature: [f64; 2],
    /// Penalty on sprouting for each degree outside `sprout_air_temperature#°C`.
    #[parameter(name = "sensitivity_sprout_air_temperature", default = 0.7, range = 0.0..=1e6)]
    pub sprout_temperature_weight: f64,
    /// Air humidities at which sprouting has no penalty.
    #[parameter(unit = "%", default = [50.0, 95.0], range = 0.0..=100.0)]
    pub sprout_humidity: [f64; 2],
    /// Penalty on sprouting for each percent outside `sprout_humidity#%`.
    #[parameter(name = "sensitivity_sprout_humidity", default = 0.4, range = 0.0..=1e6)]
    pub sprout_humidity_weight: f64,
    /// Minimum age of the seeds for sprouting without penalty.
    #[parameter(unit = "day", default = 4.0, range = 0.0..=1e4)]
    pub sprout_age_min: f64,
    /// Penalty on sprouting for each day below `sprout_age_min#day`.
    #[parameter(name = "sensitivity_sprout_age", default = 1.0, range = 0.0..=1e6)]
    pub sprout_age_weight: f64,
}

/// Needs and sensitivities of a rate: the growth of the plant, or of its fruits.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Rate {
    /// Constant penalty.
    #[parameter(name = "sensitivity_0", range = 0.0..=100.0)]
    pub base: f64,
    /// Standard deviation of the daily noise of the rate.
    #[parameter(name = "rate_sigma", default = 0.03, range = 0.0..=1.0)]
    pub noise: f64,
    /// Rate below which there is no growth on that day.
    #[parameter(name = "rate_min", default = 0.1, range = 0.0..=1.0)]
    pub min: f64,
    /// Air temperatures without penalty.
    #[parameter(name = "air_temperature#°C", default = [12.0, 28.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Penalty for each degree outside `air_temperature#°C`.
    #[parameter(name = "sensitivity_air_temperature", default = 0.1, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Penalty for each unit of missing nitrogen, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_N", default = 3.0, range = 0.0..=1e6)]
    pub nitrogen: f64,
    /// Penalty for each unit of missing phosphorus, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_P", default = 3.0, range = 0.0..=1e6)]
    pub phosphorus: f64,
    /// Penalty for each unit of missing potassium, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_K", default = 3.0, range = 0.0..=1e6)]
    pub potassium: f64,
    /// Penalty for each unit of missing carbon, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_C", default = 1.0, range = 0.0..=1e6)]
    pub carbon: f64,
    /// Penalty for each unit of missing water, in the measure of `stock_distance`.
    #[parameter(name = "sensitivity_Water", default = 3.0, range = 0.0..=1e6)]
    pub water: f64,
    /// Soil water at or above which no water is missing, on a scale from the wilting point (0) to the capacity (1).
    #[parameter(name = "sensitivity_draught#prop", default = 0.33, range = 0.0..=1.0)]
    pub drought: f64,
}

/// From the first leaves to the first flowers.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Grow {
    /// The rate of growth: exp(−x) plus noise, where x is the sum of the penalties below.
    pub rate: Rate,
    /// Speed of growth in height at rate 1.
    #[parameter(name = "growth_speed#cm0.5.day-1", default = 1.0, range = 0.0..=100.0)]
    pub speed: f64,
    /// Nitrogen that a plant needs for each millimetre of height, gained or standing as set by `requirement`.
    #[parameter(name = "N_grow_consumption#g.mm-1", default = 0.0011, range = 0.0..=100.0)]
    pub nitrogen: f64,
    /// Phosphorus that a plant needs for each millimetre of height, gained or standing as set by `requirement`.
    #[parameter(name = "P_grow_consumption#g.mm-1", default = 0.00034, range = 0.0..=100.0)]
    pub phosphorus: f64,
    /// Potassium that a plant needs for each millimetre of height, gained or standing as set by `requirement`.
    #[parameter(name = "K_grow_consumption#g.mm-1", default = 0.0037, range = 0.0..=100.0)]
    pub potassium: f64,
    /// Carbon that a plant needs for each millimetre of height, gained or standing as set by `requirement`.
    #[parameter(name = "C_grow_consumption#g.mm-1", default = 0.2, range = 0.0..=100.0)]
    pub carbon: f64,
    /// Water that one plant uses in a day, in addition to transpiration.
    #[parameter(name = "Water_grow_consumption#mL.day-1", default = 0.6, range = 0.0..=1e6)]
    pub water: f64,
    /// Leaf area of a plant for each centimetre of height.
    #[parameter(name = "grow_leaf_surface#m2.cm-1", default = 0.0015, range = 0.0..=100.0)]
    pub leaf_surface: f64,
    /// Nitrogen that a plant fixes from the air into the soil in a day, for each millimetre of its height. Used only with `air_fixation`.
    #[parameter(name = "N_air_storage#g.mm-1.day-1", range = 0.0..=100.0)]
    pub nitrogen_fixation: f64,
    /// Carbon that a plant fixes from the air into the soil in a day, for each millimetre of its height. Used only with `air_fixation`.
    #[parameter(name = "C_air_storage#g.mm-1.day-1", range = 0.0..=100.0)]
    pub carbon_fixation: f64,
    /// Constant penalty on survival.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Number of pests on the plants on the plot up to which survival has no penalty.
    #[parameter(unit = "nb", default = 1.0, range = 0.0..=1e6)]
    pub death_pests_max: f64,
    /// Penalty on survival for each pest above `death_pests_max#nb`.
    #[parameter(name = "sensitivity_death_pests", default = 0.5, range = 0.0..=1e6)]
    pub death_pests: f64,
    /// Days in a row without growth up to which survival has no penalty.
    #[parameter(unit = "day", default = 8.0, range = 0.0..=1e4)]
    pub death_nogrow_max: f64,
    /// Penalty on survival for each day above `death_nogrow_max#day`.
    #[parameter(name = "sensitivity_death_nogrow", default = 0.1, range = 0.0..=1e6)]
    pub death_nogrow: f64,
    /// Penalty on flowering for each centimetre below the height at which the plants begin to flower.
    #[parameter(name = "sensitivity_bloom_size", default = 1.0, range = 0.0..=1e6)]
    pub bloom_size: f64,
}

/// From the first flowers to their fall.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Bloom {
    /// Minimum number of days of flowering for a start of fruits without penalty.
    #[parameter(name = "bloom_duration#day", default = 5.0, range = 0.0..=1e4)]
    pub duration: f64,
    /// Penalty on the start of fruits for each day of flowering below `bloom_duration#day`.
    #[parameter(name = "sensitivity_bloom_duration", default = 1.0, range = 0.0..=1e6)]
    pub duration_weight: f64,
    /// Weight of self-pollination among the three ways of pollination.
    #[parameter(name = "auto_pollination_rate#prop", default = 0.25, range = 0.0..=1.0)]
    pub auto_rate: f64,
    /// Weight of wind among the three ways of pollination.
    #[parameter(name = "wind_pollination_rate#prop", default = 0.05, range = 0.0..=1.0)]
    pub wind_rate: f64,
    /// Weight of insects among the three ways of pollination.
    #[parameter(name = "insect_pollination_rate#prop", default = 0.7, range = 0.0..=1.0)]
    pub insect_rate: f64,
    /// Daily probability of success of self-pollination.
    #[parameter(name = "auto_pollination_success#prop", default = 0.7, range = 0.0..=1.0)]
    pub auto_success: f64,
    /// Constant penalty on the success of wind pollination.
    #[parameter(name = "sensitivity_wind_0", default = 0.1, range = 0.0..=100.0)]
    pub wind_base: f64,
    /// Air temperatures at which wind pollination has no penalty.
    #[parameter(name = "wind_air_temperature#°C", default = [4.0, 26.0], range = -60.0..=70.0)]
    pub wind_temperature: [f64; 2],
    /// Penalty on wind pollination for each degree outside `wind_air_temperature#°C`.
    #[parameter(name = "sensitivity_wind_air_temperature", default = 0.4, range = 0.0..=1e6)]
    pub wind_temperature_weight: f64,
    /// Constant penalty on the success of insect pollination.
    #[parameter(name = "sensitivity_pollinator_0", default = 0.1, range = 0.0..=100.0)]
    pub insect_base: f64,
    /// Minimum number of visits of pollinators for insect pollination without penalty.
    #[parameter(name = "pollinator_visits_min#nb", default = 1.0, range = 0.0..=1e4)]
    pub visits_min: f64,
    /// Penalty on insect pollination for each visit below `pollinator_visits_min#nb`.
    #[parameter(name = "sensitivity_pollinator_visits", default = 1.0, range = 0.0..=1e6)]
    pub visits_weight: f64,
    /// Maximum share that stress adds to the number of flowers. 0 in the paper.
    #[parameter(unit = "prop", range = 0.0..=10.0)]
    pub stress_boost: f64,
    /// Speed with which `stress_boost#prop` saturates as stress grows.
    #[parameter(name = "sensitivity_stress", default = 0.4, range = 0.0..=1e6)]
    pub stress_boost_speed: f64,
    /// Nitrogen that each flower needs in a day.
    #[parameter(name = "N_flower_consumption#g.day-1", default = 1.1e-5, range = 0.0..=100.0)]
    pub nitrogen: f64,
    /// Phosphorus that each flower needs in a day.
    #[parameter(name = "P_flower_consumption#g.day-1", default = 3.4e-6, range = 0.0..=100.0)]
    pub phosphorus: f64,
    /// Potassium that each flower needs in a day.
    #[parameter(name = "K_flower_consumption#g.day-1", default = 3.7e-5, range = 0.0..=100.0)]
    pub potassium: f64,
    /// Carbon that each flower needs in a day.
    #[parameter(name = "C_flower_consumption#g.day-1", default = 0.002, range = 0.0..=100.0)]
    pub carbon: f64,
    /// Water that each flower needs in a day.
    #[parameter(name = "Water_flower_consumption#mL.day-1", default = 0.006, range = 0.0..=1e6)]
    pub water: f64,
    /// Constant penalty on survival.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Days of frost in a row up to which survival has no penalty.
    #[parameter(unit = "day", default = 2.0, range = 0.0..=1e4)]
    pub death_frost_max: f64,
    /// Penalty on survival for each day of frost above `death_frost_max#day`.
    #[parameter(name = "sensitivity_death_frost", default = 2.0, range = 0.0..=1e6)]
    pub death_frost: f64,
}

/// From the fall of the flowers to full-grown fruits.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Fruit {
    /// The rate of growth of the fruits: exp(−x) plus noise, where x is the sum of the penalties below.
    pub rate: Rate,
    /// Speed of growth at rate 1. Default: 1 with `equations: paper`, otherwise a seventh of the square root of the final weight.
    #[parameter(name = "growth_speed#g0.5.day-1", range = 0.0..=1000.0)]
    pub speed: Option<f64>,
    /// Nitrogen that each gram of fruit needs in a day.
    #[parameter(name = "N_fruit_consumption#g.g-1.day-1", default = 1.1e-4, range = 0.0..=100.0)]
    pub nitrogen: f64,
    /// Phosphorus that each gram of fruit needs in a day.
    #[parameter(name = "P_fruit_consumption#g.g-1.day-1", default = 3.4e-5, range = 0.0..=100.0)]
    pub phosphorus: f64,
    /// Potassium that each gram of fruit needs in a day.
    #[parameter(name = "K_fruit_consumption#g.g-1.day-1", default = 3.7e-4, range = 0.0..=100.0)]
    pub potassium: f64,
    /// Carbon that each gram of fruit needs in a day.
    #[parameter(name = "C_fruit_consumption#g.g-1.day-1", default = 0.02, range = 0.0..=100.0)]
    pub carbon: f64,
    /// Water that each gram of fruit needs in a day.
    #[parameter(name = "Water_fruit_consumption#mL.g-1.day-1", default = 1e-4, range = 0.0..=1e6)]
    pub water: f64,
    /// Number of visits of pollinators below which fruits ripen at a lower weight.
    #[parameter(name = "fruit_pollinators_min#nb", default = 3.0, range = 0.0..=1e4)]
    pub visits_min: f64,
    /// Penalty x for each visit below `fruit_pollinators_min#nb`. Fruits ripen at exp(−x) of their final weight.
    #[parameter(name = "sensitivity_fruit_pollinators", range = 0.0..=1e6)]
    pub visits_weight: f64,
    /// Penalty x for each `stress_scale#g` of stress. Fruits ripen at exp(−x) of their final weight.
    #[parameter(name = "sensitivity_fruit_stress", default = 0.7, range = 0.0..=1e6)]
    pub stress_weight: f64,
    /// Penalty on ripening for each gram below the weight at which the fruits ripen.
    #[parameter(name = "sensitivity_ripe_weight", default = 1.0, range = 0.0..=1e6)]
    pub ripe_weight: f64,
    /// Constant penalty on survival.
    #[parameter(name = "sensitivity_death_0", range = 0.0..=100.0)]
    pub death_base: f64,
    /// Number of pests on the plants on the plot up to which survival has no penalty.
    #[parameter(unit = "nb", default = 1.0, range = 0.0..=1e6)]
    pub death_pests_max: f64,
    /// Penalty on survival for each pest above `death_pests_max#nb`.
    #[parameter(name = "sensitivity_death_pests", default = 0.9, range = 0.0..=1e6)]
    pub death_pests: f64,
    /// Air humidities at which survival has no penalty.
    #[parameter(unit = "%", default = [30.0, 98.0], range = 0.0..=100.0)]
    pub death_humidity: [f64; 2],
    /// Penalty on survival for each percent outside `death_humidity#%`.
    #[parameter(name = "sensitivity_death_humidity", default = 0.05, range = 0.0..=1e6)]
    pub death_humidity_weight: f64,
    /// Days in a row without weight gain up to which survival has no penalty.
    #[parameter(unit = "day", default = 6.0, range = 0.0..=1e4)]
    pub death_noweight_max: f64,
    /// Penalty on survival for each day above `death_noweight_max#day`.
    #[parameter(name = "sensitivity_death_noweight", default = 0.1, range = 0.0..=1e6)]
    pub death_noweight: f64,
}

/// The draw by which ripe fruits are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum RipeDecay {
    /// Each fruit survives with the day's probability.
    Binomial,
    /// The number of survivors is the probability times the number of fruits, rounded down, as printed in the paper.
    Floor,
}

/// Ripe fruits, until they are harvested or lost.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Ripe {
    /// Constant penalty on survival.
    #[parameter(name = "sensitivity_ripe_0", range = 0.0..=100.0)]
    pub base: f64,
    /// Standard deviation of the daily noise of survival.
    #[parameter(name = "ripe_rate_sigma", default = 0.05, range = 0.0..=1.0)]
    pub noise: f64,
    /// Penalty on survival on a day with rain.
    #[parameter(name = "sensitivity_ripe_rain", default = 0.1, range = 0.0..=1e6)]
    pub rain: f64,
    /// Days of frost in a row up to which survival has no penalty.
    #[parameter(name = "ripe_frost_max#day", default = 2.0, range = 0.0..=1e4)]
    pub frost_max: f64,
    /// Penalty on survival for each day of frost above `ripe_frost_max#day`.
    #[parameter(name = "sensitivity_ripe_frost", default = 2.0, range = 0.0..=1e6)]
    pub frost: f64,
    /// Number of pests on the plants on the plot up to which survival has no penalty.
    #[parameter(name = "ripe_pests_max#nb", range = 0.0..=1e6)]
    pub pests_max: f64,
    /// Penalty on survival for each pest above `ripe_pests_max#nb`.
    #[parameter(name = "sensitivity_ripe_pests", default = 1.0, range = 0.0..=1e6)]
    pub pests: f64,
    /// Days after ripening up to which survival has no penalty.
    #[parameter(name = "ripe_age_max#day", default = 7.0, range = 0.0..=1e4)]
    pub age_max: f64,
    /// Penalty on survival for each day above `ripe_age_max#day`.
    #[parameter(name = "sensitivity_ripe_age", default = 0.5, range = 0.0..=1e6)]
    pub age: f64,
    /// How the number of surviving fruits is computed: `binomial` draws each fruit at random, `floor` rounds the expected number down.
    /// Default: `floor` with `equations: paper`, otherwise `binomial`.
    pub decay: Option<RipeDecay>,
}

/// Nutrients that dead plants release into the soil.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Death {
    /// Share of the nitrogen in dead plants that is released in a day at 100 % microlife.
    #[parameter(name = "N_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub nitrogen: f64,
    /// Share of the phosphorus in dead plants that is released in a day at 100 % microlife.
    #[parameter(name = "P_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub phosphorus: f64,
    /// Share of the potassium in dead plants that is released in a day at 100 % microlife.
    #[parameter(name = "K_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub potassium: f64,
    /// Share of the carbon in dead plants that is released in a day at 100 % microlife.
    #[parameter(name = "C_release_speed#g.g-1.day-1", default = 0.1, range = 0.0..=1.0)]
    pub carbon: f64,
}

/// The growth or height for which plants need nutrients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Requirement {
    /// For the growth of the day.
    Growth,
    /// Every day for the standing height, as printed in the paper.
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
