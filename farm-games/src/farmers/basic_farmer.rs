//! A farmer who is always there, for so many interventions a day.
//!
//! | writes | unit |
//! |---|---|
//! | `interventions_today` | count |
//!
//! Source: Farm-gym paper 3.1, "Farmers": it counts what it did today and stops at a maximum.

use farm_core::declare::count;
use farm_core::{Behaviour, Builder, Column, Context, Farmer, FarmerBehaviour, Phase};

farm_core::parameters! {
    /// A farmer who is always there, for so many interventions a day.
    pub struct BasicFarmer {
        /// Interventions a day; more are not executed.
        pub max_daily_interventions: u32 = 1, "max_daily_interventions", [0, 1_000_000];
    }
}

farm_core::register!(
    Farmer,
    BasicFarmer,
    "Always available, for so many interventions a day.",
    "Farm-gym paper 3.1, Farmers"
);

#[farm_core::typetag::serde]
impl Farmer for BasicFarmer {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn FarmerBehaviour> {
        let limit = self.max_daily_interventions as i32;
        let done = b.declare(count("interventions_today", 0, limit, "Interventions executed today."));
        b.runs_in(Phase::Exogenous);
        Box::new(Basic { limit, done })
    }
}

struct Basic {
    limit: i32,
    done: Column<i32>,
}

impl Behaviour for Basic {
    /// The day passes: the interventions of the day are done, and the count begins anew.
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.done)[0].set(0);
    }
}

impl FarmerBehaviour for Basic {
    fn intervene(&self, c: &mut Context<'_>) -> Result<(), &'static str> {
        let done = &c.get(self.done)[0];
        if done.get() >= self.limit {
            return Err("the farmer has no time left today");
        }
        done.set(done.get() + 1);
        Ok(())
    }
}
