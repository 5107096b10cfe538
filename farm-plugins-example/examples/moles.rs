//! The entity of the README, unchanged.

use farm_core::prelude::*;
use farm_roles::AIR_TEMPERATURE_MEAN;

farm_core::declare_plugin!();

/// Moles that dig on warm days.
#[derive(Debug, Clone, Parameters)]
pub struct Moles {
    /// Molehills on a plot for each degree above freezing.
    #[parameter(unit = "nb.°C-1", default = 0.1, range = 0.0..=10.0)]
    pub digging: f64,
}

#[derive(Columns)]
struct Hills {
    moles: Moles,
    /// Molehills on the plot.
    #[count(unit = "nb", range = 0..=1000, per_plot)]
    molehills: Column<i32>,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
}

#[register(entity = Moles, source = "Example", runs_in = Phase::Develop)]
impl Behaviour for Hills {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let hills = (self.moles.digging * c.value(self.temperature)).clamp(0.0, 1000.0) as i32;
        c.get(self.molehills).iter().for_each(|molehills| molehills.set(hills));
    }
}
