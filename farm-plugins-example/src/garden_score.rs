//! The score of a garden: the harvest, minus the cost of the salt put on the ground.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | weight of all harvests | `harvest_weight` | kg |
//! | scattered salt | `salt_scattered` | g |
//!
//! Source: designed for this example. Salt stays in a garden's soil, so it has a cost although it is cheap to buy.

use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Score, ScoreBehaviour};
use farm_roles::HARVEST_WEIGHT;

use crate::SALT_SCATTERED;

/// The harvest of a garden, less the costs of salt and work.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct GardenScore {
    /// Value of a kilogram of harvest.
    #[parameter(unit = "kg-1", default = 10.0, range = 0.0..=1e6)]
    pub harvest: f64,
    /// Cost of a gram of scattered salt.
    #[parameter(unit = "g-1", default = 0.01, range = 0.0..=1e6)]
    pub salt: f64,
    /// Cost of each intervention.
    #[parameter(name = "work_cost", default = 0.02, range = 0.0..=1e6)]
    pub work: f64,
}

#[farm_core::register(source = "Design of this example: salt stays in the soil")]
impl Score for GardenScore {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        let declared = Balance::declare(d, self);
        Bind::new(move |found| declared.bind(found))
    }
}

#[derive(Columns)]
struct Balance {
    p: GardenScore,
    #[all(HARVEST_WEIGHT)]
    harvests: Vec<Column<f64>>,
    #[all(SALT_SCATTERED)]
    salt: Vec<Column<f64>>,
    /// Total worth of the harvest so far, less salt.
    #[real(range = -1e12..=1e12)]
    worth: Column<f64>,
}

impl Behaviour for Balance {}

impl ScoreBehaviour for Balance {
    fn intervention_cost(&self, _: &str, _: &str) -> f64 {
        self.p.work
    }

    fn reward(&self, c: &mut Context<'_>) -> f64 {
        let sum = |columns: &[Column<f64>]| columns.iter().map(|column| c.value(*column)).sum::<f64>();
        let now = self.p.harvest * sum(&self.harvests) - self.p.salt * sum(&self.salt);
        now - c.get(self.worth)[0].replace(now)
    }
}
