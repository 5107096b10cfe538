//! The parameters of a crop in the `agronomic` equations: some describe a square metre of a stand, and others one plant.
//!
//! Warmth is counted in degree-days from sowing. The defaults are those of the bean in `plant.yaml`. A pair has the value at
//! which a stress begins, then the value at which nothing remains, unless its description states the reverse order.

/// A crop in the terms of crop science. Used only with `equations: agronomic`.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Crop {
    /// Usual density of plants.
    #[parameter(unit = "nb.m-2", default = 25.0, range = 0.01..=2000.0)]
    pub density: f64,
    /// Development from stage to stage with warmth.
    pub development: Development,
    /// Leaves and roots.
    pub canopy: Canopy,
    /// Transpiration, and the effects of drought and wetness.
    pub water: Water,
    /// Dry matter, and the share of it that is harvested.
    pub growth: Growth,
    /// Needs for nutrients.
    pub nutrition: Nutrition,
    /// Flowers and fruits, and how long ripe fruits keep.
    pub fruits: Fruits,
    /// Frost, salt, herbicides, birds and animals that eat leaves.
    pub harm: Harm,
}

/// Development of a crop from stage to stage with warmth.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Development {
    /// Base temperature at and below which the crop does not develop, and upper temperature at and above which development stops.
    #[parameter(unit = "°C", default = [5.0, 44.0], range = -20.0..=60.0)]
    pub temperature: [f64; 2],
    /// Temperatures between which development is fastest.
    #[parameter(unit = "°C", default = [24.0, 34.0], range = -20.0..=60.0)]
    pub optimum: [f64; 2],
    /// Whether the plants sprout without moisture, as tubers do.
    pub sprouts_dry: bool,
    /// Whether the response of development to temperature is a smooth curve between the three cardinal temperatures (Wang & Engel 1998)
    /// instead of straight lines. The curve has one optimum: the first one.
    pub is_smooth: bool,
    /// The need for cold before flowering. Default: none.
    pub vernalisation: Option<Vernalisation>,
    /// The effect of the length of the day. Default: none.
    pub day_length: Option<DayLength>,
    /// Degree-days from sowing to emergence. Before emergence, only days with a moist topsoil count.
    #[parameter(unit = "°C.day", default = 46.0, range = 0.0..=1e4)]
    pub emergence: f64,
    /// Degree-days from sowing to the first flowers. The harvest index builds up from then on.
    #[parameter(unit = "°C.day", default = 635.0, range = 1.0..=1e4)]
    pub flowering: f64,
    /// Degree-days from the first flowers to the end of flowering.
    #[parameter(unit = "°C.day", default = 91.2, range = 1.0..=1e4)]
    pub flowering_duration: f64,
    /// Degree-days from the first flowers until the harvest index is complete.
    #[parameter(unit = "°C.day", default = 608.0, range = 1.0..=1e4)]
    pub filling_duration: f64,
    /// Degree-days from sowing until leaves begin to die of age.
    #[parameter(unit = "°C.day", default = 1004.0, range = 1.0..=1e4)]
    pub senescence: f64,
    /// Degree-days from sowing to ripeness.
    #[parameter(unit = "°C.day", default = 1243.0, range = 1.0..=1e4)]
    pub maturity: f64,
}

/// The need for cold before flowering, counted in vernal days: days at the best temperature for it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Vernalisation {
    /// Vernal days up to which cold has no effect, and at which the need is met.
    #[parameter(unit = "day", default = [0.0, 50.0], range = 0.0..=365.0)]
    pub days: [f64; 2],
    /// Share of the rate of development that a plant without any cold lacks.
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub strength: f64,
    /// Temperatures between which cold counts.
    #[parameter(unit = "°C", default = [-4.0, 17.0], range = -20.0..=40.0)]
    pub temperature: [f64; 2],
    /// Temperatures between which a day counts fully.
    #[parameter(unit = "°C", default = [3.0, 10.0], range = -20.0..=40.0)]
    pub optimum: [f64; 2],
}

/// The effect of the length of the day on development from emergence to flowering.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct DayLength {
    /// Length of the day at which the plants do not develop. It is below `full#h` for plants of long days, and above it for plants of short
    /// days. It may be longer than any day.
    #[parameter(unit = "h", default = 8.0, range = -400.0..=400.0)]
    pub none: f64,
    /// Length of the day from which on the plants develop at full speed.
    #[parameter(unit = "h", default = 16.0, range = 0.0..=24.0)]
    pub full: f64,
    /// Shape of the response between these: 1 is a straight line, 2 a parabola with its top at `full#h`.
    #[parameter(default = 1.0, range = 1.0..=4.0)]
    pub shape: f64,
    /// Height of the sun at which the day begins and ends: −0.833 is sunrise, −6 is civil twilight.
    #[parameter(unit = "°", default = -0.833, range = -12.0..=0.0)]
    pub sun: f64,
    /// Shift of both lengths after the first flowers. Default: after the first flowers, the length of the day has no effect.
    #[parameter(unit = "h", range = -12.0..=12.0)]
    pub after_flowering: Option<f64>,
}

/// Leaves and roots.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Canopy {
    /// Leaf area of a plant at emergence.
    #[parameter(unit = "cm2", default = 25.0, range = 0.01..=1e4)]
    pub seedling_leaves: f64,
    /// Relative growth of the leaf area for each degree-day.
    #[parameter(unit = "°C-1.day-1", default = 0.03, range = 0.0..=1.0)]
    pub growth: f64,
    /// Share of the ground that a full stand covers.
    #[parameter(unit = "prop", default = 0.9502, range = 0.01..=0.999)]
    pub max_cover: f64,
    /// Leaf area of a full-grown plant with as much room as it likes.
    #[parameter(unit = "m2", default = 1e3, range = 1e-4..=1e3)]
    pub plant_leaves: f64,
    /// Share of the growth that a seedling puts into leaves. The share falls to 0 at `leaves_until#°C.day`.
    #[parameter(unit = "prop", default = 0.7, range = 0.0..=1.0)]
    pub leaf_share: f64,
    /// Degree-days from sowing at which plants make no more leaves. Default: at the first flowers.
    #[parameter(unit = "°C.day", range = 1.0..=1e4)]
    pub leaves_until: Option<f64>,
    /// Dry matter that falls to the ground for each gram of dying leaves, with their stalks. 0 if dead leaves stay on the plants.
    #[parameter(unit = "g.g-1", range = 0.0..=3.0)]
    pub shed: f64,
    /// Depth of the roots of a seedling, and of a full-grown plant if the soil is deep enough.
    #[parameter(unit = "m", default = [0.2, 1.0], range = 0.01..=10.0)]
    pub root_depth: [f64; 2],
    /// Degree-days from sowing until the roots reach their full depth.
    #[parameter(unit = "°C.day", default = 693.9, range = 1.0..=1e4)]
    pub roots_deepest: f64,
    /// Shape of the growth of roots in depth; above 1, roots deepen fast at first.
    #[parameter(default = 1.5, range = 0.1..=10.0)]
    pub root_shape: f64,
}

/// Transpiration, drought and wetness. Drought is a lack of water that the roots can take up.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Water {
    /// Basal crop coefficient: transpiration of a full canopy as a multiple of the reference evapotranspiration.
    #[parameter(default = 1.1, range = 0.0..=3.0)]
    pub crop_coefficient: f64,
    /// Depletion of the root zone at which stomata begin to close, although the roots still find water. 1: they never do.
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub transpiration: f64,
    /// Depletion of the root zone at which leaves begin to wilt, although the roots still find water. 1: they never do.
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub wilting: f64,
    /// Depletion of the root zone at which flowers begin to fail, although the roots still find water. 1: they never do.
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub pollination: f64,
    /// Share of the leaves that dies on a day on which all leaves wilt.
    #[parameter(unit = "prop.day-1", default = 0.03, range = 0.0..=1.0)]
    pub wilted_leaves: f64,
    /// Share of the root zone that must hold air. 0 for a crop that grows in water.
    #[parameter(unit = "prop", default = 0.05, range = 0.0..=1.0)]
    pub air: f64,
    /// Days of wetness until the lack of air has its full effect.
    #[parameter(unit = "day", default = 3.0, range = 0.0..=100.0)]
    pub wet_days: f64,
}

/// Dry matter and its harvested share.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Growth {
    /// Share of the growth that is left from halfway through the filling on. It falls from 1 at the first flowers, because fruits cost more
    /// than leaves.
    #[parameter(unit = "prop", default = 0.947, range = 0.0..=1.0)]
    pub left_while_filling: f64,
    /// Maximum dry matter for each megajoule of solar radiation that the leaves intercept.
    #[parameter(unit = "g.MJ-1", default = 1.05, range = 0.0..=10.0)]
    pub radiation_use_efficiency: f64,
    /// Share of the growth that plants gain for each 100 ppm of carbon dioxide above 350 ppm, up to 700 ppm. Used only if the weather sets
    /// `co2#ppm`.
    #[parameter(unit = "prop", default = 0.07, range = 0.0..=0.5)]
    pub co2_response: f64,
    /// Lowest and highest daytime temperature of growth.
    #[parameter(unit = "°C", default = [5.0, 40.0], range = -20.0..=60.0)]
    pub temperature: [f64; 2],
    /// Daytime temperatures between which growth is fastest.
    #[parameter(unit = "°C", default = [21.5, 28.5], range = -20.0..=60.0)]
    pub optimum: [f64; 2],
    /// Dry matter that a gram of dry matter needs for its upkeep in a day at 25 °C.
    #[parameter(unit = "g.g-1.day-1", default = 0.006, range = 0.0..=0.1)]
    pub maintenance: f64,
    /// Share of the dry matter at the first flowers that can move to the harvested parts. What grows later can move there too.
    #[parameter(unit = "prop", default = 0.15, range = 0.0..=1.0)]
    pub remobilised: f64,
    /// Share of the dry matter in the harvested parts at the end of filling.
    #[parameter(unit = "prop", default = 0.5, range = 0.0..=0.95)]
    pub harvest_index: f64,
    /// Dry matter of a plant up to which it has no yield.
    #[parameter(unit = "g", default = 1.0, range = 0.0..=1e4)]
    pub min_plant: f64,
    /// Dry matter of leaves for each square metre of leaf area.
    #[parameter(unit = "g.m-2", default = 31.25, range = 1.0..=1000.0)]
    pub leaf_mass: f64,
}

/// Needs for nutrients.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Nutrition {
    /// Nitrogen that a stand of one tonne per hectare needs for full growth, in percent of its dry matter.
    #[parameter(unit = "%", default = 5.08, range = 0.0..=20.0)]
    pub nitrogen: f64,
    /// Exponent with which this share falls as the stand grows.
    #[parameter(default = 0.32, range = 0.0..=2.0)]
    pub dilution: f64,
    /// Share of the growth after the first flowers that needs nitrogen of its own. The rest lives on what the leaves give.
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub later_need: f64,
    /// Share of the plants' nitrogen that is in their roots. The needs are those of the dry matter above the ground.
    #[parameter(unit = "prop", default = 0.2, range = 0.0..=0.9)]
    pub roots: f64,
    /// Phosphorus needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 0.12, range = 0.0..=10.0)]
    pub phosphorus: f64,
    /// Potassium needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 0.8, range = 0.0..=10.0)]
    pub potassium: f64,
    /// Share of the missing nitrogen that bacteria at the roots fix from the air in a day with enough water.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub fixation: f64,
    /// Ratio of nutrients held to nutrients needed at or below which there is no growth.
    #[parameter(unit = "prop", default = 0.25, range = 0.0..=0.99)]
    pub least: f64,
    /// Share of the soil's phosphorus that the roots can take up in a day.
    #[parameter(unit = "prop.day-1", default = 0.02, range = 0.0..=1.0)]
    pub phosphorus_reach: f64,
    /// Share of the soil's potassium that the roots can take up in a day.
    #[parameter(unit = "prop.day-1", default = 0.02, range = 0.0..=1.0)]
    pub potassium_reach: f64,
}

/// Flowers and fruits, and how long ripe fruits keep.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Fruits {
    /// Share of the seeds that emerge in warm and moist soil.
    #[parameter(unit = "prop", default = 0.9, range = 0.0..=1.0)]
    pub germination: f64,
    /// Days after which seeds rot if they have not emerged.
    #[parameter(unit = "day", default = 30.0, range = 1.0..=1000.0)]
    pub seed_days: f64,
    /// Number of flowers of a plant at the usual density.
    #[parameter(unit = "nb", default = 60.0, range = 0.0..=1e5)]
    pub flowers: f64,
    /// Share of the flowers that set fruit by themselves.
    #[parameter(unit = "prop", default = 0.8, range = 0.0..=1.0)]
    pub selfing: f64,
    /// Share of the other flowers that the wind pollinates.
    #[parameter(unit = "prop", default = 0.0, range = 0.0..=1.0)]
    pub wind: f64,
    /// Mean number of visits per day at which insects pollinate half of the remaining flowers.
    #[parameter(unit = "nb.day-1", default = 0.3, range = 0.001..=1e3)]
    pub visits_for_half: f64,
    /// Daily minimum temperature at or below which all flowers fail, and at or above which no flower fails.
    #[parameter(unit = "°C", default = [3.0, 8.0], range = -60.0..=60.0)]
    pub cold: [f64; 2],
    /// Daily maximum temperature above which flowers begin to fail, and at or above which all flowers fail.
    #[parameter(unit = "°C", default = [40.0, 45.0], range = -60.0..=70.0)]
    pub heat: [f64; 2],
    /// Maximum dry matter of one fruit.
    #[parameter(unit = "g", default = 1.2, range = 0.001..=1e5)]
    pub max_dry_weight: f64,
    /// Share of dry matter in the harvested parts.
    #[parameter(unit = "prop", default = 0.86, range = 0.01..=1.0)]
    pub dry_share: f64,
    /// Share of the weight of unripe fruits that can be sold. The rest does not count as harvest. With 0, only ripe plants can be harvested.
    #[parameter(unit = "prop", default = 0.0, range = 0.0..=1.0)]
    pub unripe_worth: f64,
    /// Days that ripe fruits keep on the plant without loss by age.
    #[parameter(unit = "day", default = 14.0, range = 0.0..=1e4)]
    pub keep_days: f64,
    /// Share of the fruits that is lost on each day after `keep_days#day`.
    #[parameter(unit = "prop.day-1", default = 0.05, range = 0.0..=1.0)]
    pub loss: f64,
    /// Additional share of the ripe fruits that is lost on a day with rain.
    #[parameter(unit = "prop.day-1", default = 0.005, range = 0.0..=1.0)]
    pub rain_loss: f64,
}

/// Frost, salt, herbicides, birds and animals that eat leaves.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Harm {
    /// Daily minimum temperature that half of the plants survive.
    #[parameter(unit = "°C", default = -2.2, range = -80.0..=30.0)]
    pub lethal: f64,
    /// Temperature of the crown that half of the fully hardened plants survive. Default: the plants do not harden, and `lethal#°C` of the air
    /// counts.
    #[parameter(unit = "°C", range = -80.0..=0.0)]
    pub hardened: Option<f64>,
    /// Degree-days from sowing until the growing point stands above the soil. Before, only frost in the soil kills the plants.
    #[parameter(unit = "°C.day", range = 0.0..=1e4)]
    pub growing_point: f64,
    /// Salinity of the soil water above which growth is reduced.
    #[parameter(unit = "dS.m-1", default = 1.0, range = 0.0..=50.0)]
    pub salt_threshold: f64,
    /// Share of growth that is lost for each dS/m above `salt_threshold#dS.m-1`.
    #[parameter(unit = "m.dS-1", default = 0.19, range = 0.0..=10.0)]
    pub salt_slope: f64,
    /// Dose of a herbicide that harms the crop, at which half of the leaves die.
    #[parameter(unit = "g.m-2", default = 0.03, range = 1e-6..=1000.0)]
    pub herbicide_half: f64,
    /// Share of the seeds in a plot that a bird eats in a day.
    #[parameter(unit = "prop.day-1", default = 0.02, range = 0.0..=1.0)]
    pub seeds_per_bird: f64,
    /// Leaf area that one animal eats in a day on plants with many leaves.
    #[parameter(unit = "cm2.day-1", default = 3.0, range = 0.0..=1e4)]
    pub eaten_leaves: f64,
    /// Leaf area of a plant at which an animal eats half of `eaten_leaves#cm2.day-1`.
    #[parameter(unit = "cm2", default = 50.0, range = 0.0..=1e6)]
    pub scarce_leaves: f64,
    /// Fruits that one animal on the plants spoils in a day.
    #[parameter(unit = "nb.day-1", default = 0.05, range = 0.0..=1e4)]
    pub spoilt_fruits: f64,
}
