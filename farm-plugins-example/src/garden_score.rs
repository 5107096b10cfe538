//! The score of a garden: what is harvested, less the salt that was put on the ground.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | weight of all harvests | `harvest_weight` | kg |
//! | salt that was scattered | `salt_scattered` | g |
//!
//! Source: design of this example; salt stays in a garden's soil, so that a gardener pays for it though it is cheap.

use farm_core::declare::real;
use farm_core::{Behaviour, Builder, Column, Context, Score, ScoreBehaviour};
use farm_roles::HARVEST_WEIGHT;

use crate::SALT_SCATTERED;

farm_core::parameters! {
    /// What a garden is worth.
    pub struct GardenScore {
        /// What a kilogram harvested is worth.
        pub harvest: f64 = 10.0, "harvest#kg-1", [0.0, 1e6];
        /// What a gram of scattered salt costs.
        pub salt: f64 = 0.01, "salt#g-1", [0.0, 1e6];
        /// What each intervention costs, whatever it is.
        pub work: f64 = 0.02, "work_cost", [0.0, 1e6];
    }
}

farm_core::register!(
    Score,
    GardenScore,
    "What a garden yields, less salt and work.",
    "Design of this example: salt stays in the soil"
);

#[farm_core::typetag::serde]
impl Score for GardenScore {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        let worth = real("worth", -1e12, 1e12, "Harvest less salt, in all so far.");
        Box::new(Balance {
            p: self.clone(),
            harvests: b.all(HARVEST_WEIGHT),
            salt: b.all(SALT_SCATTERED),
            worth: b.declare(worth),
        })
    }
}

struct Balance {
    p: GardenScore,
    harvests: Vec<Column<f64>>,
    salt: Vec<Column<f64>>,
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
