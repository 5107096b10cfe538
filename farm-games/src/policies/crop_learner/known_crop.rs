//! Knowledge of a crop that a learner has before it sows.

/// Knowledge of a crop. Values that are not set are unknown.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct KnownCrop {
    /// Whether fertiliser helps it.
    pub likes_food: Option<bool>,
    /// The price of its harvest.
    #[parameter(unit = "kg-1", range = 0.0..=1e9)]
    pub price: Option<f64>,
    /// The soil water that it likes: 0 for dry, 1 for moist, 2 for wet.
    #[parameter(range = 0..=2)]
    pub level: Option<u32>,
}
