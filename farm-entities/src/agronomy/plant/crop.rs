//! The parameters of a crop in the equations `agronomic`: those of a stand per square metre and of one plant.
//!
//! Warmth is counted in degree-days from sowing on, as AquaCrop counts it; most numbers of a crop are those that AquaCrop 3.1
//! ships for it. What is in pairs is where a stress begins and where nothing is left, or the other way round as the text says.

/// A crop as crop science describes it; only `equations: agronomic` reads it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Crop {
    /// Usual number of plants.
    #[parameter(unit = "nb.m-2", default = 13.2, range = 0.01..=2000.0)]
    pub density: f64,
    /// How warmth moves it from stage to stage.
    pub development: Development,
    /// Its leaves and roots.
    pub canopy: Canopy,
    /// What it transpires, and what too little and too much water do.
    pub water: Water,
    /// How much dry matter it makes, and how much of it is harvested.
    pub growth: Growth,
    /// What it needs of nutrients.
    pub nutrition: Nutrition,
    /// Flowers, fruits and how they keep.
    pub fruits: Fruits,
    /// What harms it besides.
    pub harm: Harm,
}

/// How warmth moves a crop from stage to stage.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Development {
    /// Base temperature, below which nothing develops, and the one above which nothing is gained.
    #[parameter(unit = "°C", default = [9.0, 30.0], range = -20.0..=60.0)]
    pub temperature: [f64; 2],
    /// Degree-days of a day from which on cold does not slow transpiration and growth; 0 for a crop that cold does not slow.
    #[parameter(unit = "°C.day", default = 10.0, range = 0.0..=60.0)]
    pub warm_enough: f64,
    /// From sowing to the first leaves.
    #[parameter(unit = "°C.day", default = 59.0, range = 0.0..=1e4)]
    pub emergence: f64,
    /// From sowing to the first flowers; from then on fruits form.
    #[parameter(unit = "°C.day", default = 556.0, range = 1.0..=1e4)]
    pub flowering: f64,
    /// How long it flowers.
    #[parameter(unit = "°C.day", default = 233.0, range = 1.0..=1e4)]
    pub flowering_duration: f64,
    /// How long the harvest index builds up, from the first flowers on.
    #[parameter(unit = "°C.day", default = 668.0, range = 1.0..=1e4)]
    pub filling_duration: f64,
    /// From sowing until leaves begin to die of age.
    #[parameter(unit = "°C.day", default = 903.0, range = 1.0..=1e4)]
    pub senescence: f64,
    /// From sowing to ripeness.
    #[parameter(unit = "°C.day", default = 1298.0, range = 1.0..=1e4)]
    pub maturity: f64,
}

/// Leaves and roots.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Canopy {
    /// Leaves of a plant when it emerges.
    #[parameter(unit = "cm2", default = 10.0, range = 0.01..=1e4)]
    pub seedling_leaves: f64,
    /// Most leaves that a plant with room around it has.
    #[parameter(unit = "m2", default = 0.6, range = 0.0001..=100.0)]
    pub max_leaves: f64,
    /// Relative growth of the leaves for each degree-day.
    #[parameter(unit = "°C-1.day-1", default = 0.009_879, range = 0.0..=1.0)]
    pub growth: f64,
    /// Share of the ground that a full stand covers.
    #[parameter(unit = "prop", default = 0.99, range = 0.01..=0.999)]
    pub max_cover: f64,
    /// How fast leaves die of age, for each degree-day.
    #[parameter(unit = "°C-1.day-1", default = 0.008_813, range = 0.0..=1.0)]
    pub decline: f64,
    /// Depth of the roots of a seedling, and of a full-grown plant where the soil is deep enough.
    #[parameter(unit = "m", default = [0.3, 1.7], range = 0.01..=10.0)]
    pub root_depth: [f64; 2],
    /// From sowing until roots are at their deepest.
    #[parameter(unit = "°C.day", default = 888.0, range = 1.0..=1e4)]
    pub roots_deepest: f64,
    /// Shape of the way down; above 1 it is fast first.
    #[parameter(default = 1.5, range = 0.1..=10.0)]
    pub root_shape: f64,
}

/// Transpiration, drought and wetness.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Water {
    /// Basal crop coefficient of a full canopy: transpiration as a multiple of the reference evapotranspiration.
    #[parameter(default = 1.05, range = 0.0..=3.0)]
    pub crop_coefficient: f64,
    /// Share of that which old leaves lose in a day, from five days after the canopy is full.
    #[parameter(unit = "prop.day-1", default = 0.003, range = 0.0..=1.0)]
    pub ageing: f64,
    /// Depletion of the root zone at which leaves grow more slowly, and at which they do not grow.
    #[parameter(unit = "prop", default = [0.15, 0.65], range = 0.0..=1.0)]
    pub leaf_growth: [f64; 2],
    /// Depletion of the root zone at which stomata begin to close.
    #[parameter(unit = "prop", default = 0.6, range = 0.0..=1.0)]
    pub transpiration: f64,
    /// Depletion of the root zone at which leaves die early.
    #[parameter(unit = "prop", default = 0.7, range = 0.0..=1.0)]
    pub wilting: f64,
    /// Depletion of the root zone at which flowers fail.
    #[parameter(unit = "prop", default = 0.88, range = 0.0..=1.0)]
    pub pollination: f64,
    /// Shape of the curve of leaf growth; the larger, the later the harm.
    #[parameter(default = 2.5, range = 0.01..=20.0)]
    pub leaf_growth_shape: f64,
    /// Shape of the curve of transpiration.
    #[parameter(default = 3.0, range = 0.01..=20.0)]
    pub transpiration_shape: f64,
    /// Shape of the curve of wilting.
    #[parameter(default = 2.5, range = 0.01..=20.0)]
    pub wilting_shape: f64,
    /// Share of the leaves that dies on a day on which all wilt.
    #[parameter(unit = "prop.day-1", default = 0.08, range = 0.0..=1.0)]
    pub wilted_leaves: f64,
    /// Share of the root zone that must hold air; 0 for a crop that grows in water.
    #[parameter(unit = "prop", default = 0.05, range = 0.0..=1.0)]
    pub air: f64,
    /// Days of wetness until the lack of air is felt in full.
    #[parameter(unit = "day", default = 3.0, range = 0.0..=100.0)]
    pub wet_days: f64,
}

/// Dry matter and its harvested share.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Growth {
    /// Dry matter for each millimetre of transpiration per millimetre of reference evapotranspiration.
    #[parameter(unit = "g.m-2", default = 15.0, range = 0.0..=100.0)]
    pub water_productivity: f64,
    /// Share of that which is left while fruits fill, which cost more than leaves.
    #[parameter(unit = "prop", default = 0.9, range = 0.0..=1.0)]
    pub left_while_filling: f64,
    /// Most dry matter for each megajoule of the sun's radiation that leaves take.
    #[parameter(unit = "g.MJ-1", default = 1.2, range = 0.0..=10.0)]
    pub radiation_use_efficiency: f64,
    /// Share of the dry matter that is in the harvested parts at the end.
    #[parameter(unit = "prop", default = 0.4, range = 0.0..=0.95)]
    pub harvest_index: f64,
    /// Dry matter below which a plant bears nothing.
    #[parameter(unit = "g", default = 1.0, range = 0.0..=1e4)]
    pub min_plant: f64,
    /// Dry matter of a leaf surface, that of seedlings.
    #[parameter(unit = "g.m-2", default = 50.0, range = 1.0..=1000.0)]
    pub leaf_mass: f64,
}

/// What a crop needs of nutrients.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Nutrition {
    /// Nitrogen in a stand of one tonne per hectare that grows unhindered, in percent.
    #[parameter(unit = "%", default = 4.8, range = 0.0..=20.0)]
    pub nitrogen: f64,
    /// Exponent with which that share falls as the stand grows.
    #[parameter(default = 0.35, range = 0.0..=2.0)]
    pub dilution: f64,
    /// Phosphorus needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 0.12, range = 0.0..=10.0)]
    pub phosphorus: f64,
    /// Potassium needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 0.8, range = 0.0..=10.0)]
    pub potassium: f64,
    /// Share of the nitrogen needed that bacteria at the roots can bring from the air.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub fixation: f64,
    /// Share of what is needed, held, at which growth stands still.
    #[parameter(unit = "prop", default = 0.25, range = 0.0..=0.99)]
    pub least: f64,
    /// Share of the soil's mineral nitrogen that its roots can take up in a day.
    #[parameter(unit = "prop.day-1", default = 0.12, range = 0.0..=1.0)]
    pub nitrogen_reach: f64,
    /// Share of the soil's phosphorus that its roots can take up in a day.
    #[parameter(unit = "prop.day-1", default = 0.02, range = 0.0..=1.0)]
    pub phosphorus_reach: f64,
    /// Share of the soil's potassium that its roots can take up in a day.
    #[parameter(unit = "prop.day-1", default = 0.02, range = 0.0..=1.0)]
    pub potassium_reach: f64,
}

/// Flowers, fruits and how they keep.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Fruits {
    /// Share of the seeds that come up in warm and moist soil.
    #[parameter(unit = "prop", default = 0.9, range = 0.0..=1.0)]
    pub germination: f64,
    /// Days after which seeds that have not come up rot.
    #[parameter(unit = "day", default = 40.0, range = 1.0..=1000.0)]
    pub seed_days: f64,
    /// Flowers of a plant at the usual density.
    #[parameter(unit = "nb", default = 60.0, range = 0.0..=1e5)]
    pub flowers: f64,
    /// Share of the flowers that set fruit by themselves.
    #[parameter(unit = "prop", default = 0.8, range = 0.0..=1.0)]
    pub selfing: f64,
    /// Share of the other flowers that the wind pollinates.
    #[parameter(unit = "prop", default = 0.0, range = 0.0..=1.0)]
    pub wind: f64,
    /// Visits a day that pollinate half of the flowers that are left.
    #[parameter(unit = "nb.day-1", default = 0.3, range = 0.001..=1e3)]
    pub visits_for_half: f64,
    /// Lowest temperature of a day at which all flowers fail, and from which on none does.
    #[parameter(unit = "°C", default = [3.0, 8.0], range = -60.0..=60.0)]
    pub cold: [f64; 2],
    /// Highest temperature of a day from which on flowers fail, and at which all do.
    #[parameter(unit = "°C", default = [40.0, 45.0], range = -60.0..=70.0)]
    pub heat: [f64; 2],
    /// Most dry matter of one fruit.
    #[parameter(unit = "g", default = 1.2, range = 0.001..=1e5)]
    pub max_dry_weight: f64,
    /// Share of dry matter in what is harvested.
    #[parameter(unit = "prop", default = 0.86, range = 0.01..=1.0)]
    pub dry_share: f64,
    /// Days that ripe fruits keep on the plant.
    #[parameter(unit = "day", default = 14.0, range = 0.0..=1e4)]
    pub keep_days: f64,
    /// Share of the fruits that is lost on each day after these.
    #[parameter(unit = "prop.day-1", default = 0.05, range = 0.0..=1.0)]
    pub loss: f64,
    /// Share of the ripe fruits that is lost besides on a day of rain.
    #[parameter(unit = "prop.day-1", default = 0.005, range = 0.0..=1.0)]
    pub rain_loss: f64,
}

/// Frost, salt, herbicides, birds and animals that eat leaves.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Harm {
    /// Lowest temperature of a night that half of the plants survive.
    #[parameter(unit = "°C", default = -2.0, range = -80.0..=30.0)]
    pub lethal: f64,
    /// Degree-days of a day below which it is chilled; 0 for a crop that lives through the winter.
    #[parameter(unit = "°C.day", default = 3.0, range = 0.0..=60.0)]
    pub chilled_below: f64,
    /// Share of the leaves that yellow on a day without any degree-day.
    #[parameter(unit = "prop.day-1", default = 0.12, range = 0.0..=1.0)]
    pub chilled_leaves: f64,
    /// Salt in the soil's water from which on growth suffers.
    #[parameter(unit = "dS.m-1", default = 1.0, range = 0.0..=50.0)]
    pub salt_threshold: f64,
    /// Share of growth that is lost for each further unit.
    #[parameter(unit = "m.dS-1", default = 0.19, range = 0.0..=10.0)]
    pub salt_slope: f64,
    /// Dose of a herbicide that kills what is green, at which half of the leaves die.
    #[parameter(unit = "g.m-2", default = 0.03, range = 1e-6..=1000.0)]
    pub herbicide_half: f64,
    /// Share of the seeds in a plot that a bird eats in a day.
    #[parameter(unit = "prop.day-1", default = 0.02, range = 0.0..=1.0)]
    pub seeds_per_bird: f64,
    /// Leaves that one animal on large plants eats in a day.
    #[parameter(unit = "cm2.day-1", default = 3.0, range = 0.0..=1e4)]
    pub eaten_leaves: f64,
    /// Leaves of a plant of which an animal finds half of that.
    #[parameter(unit = "cm2", default = 50.0, range = 0.0..=1e6)]
    pub scarce_leaves: f64,
    /// Fruits that one animal on the plants spoils in a day.
    #[parameter(unit = "nb.day-1", default = 0.05, range = 0.0..=1e4)]
    pub spoilt_fruits: f64,
}
