//! Grain moisture: ripe grain on the field dries in dry air, and rain wets it.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | stage of the plants | `plant_stage` | category |
//! | today's weather | `air_temperature_mean`, `relative_humidity`, `rain_amount` | °C, %, mm.day-1 |
//!
//! | writes | unit |
//! |---|---|
//! | water in the grain on each plot (role `grain_moisture`) | prop |
//!
//! Source: ASAE D245 (modified Henderson equation) for the equilibrium. The rates fit field observations of wheat and maize. Grain that is not
//! ripe has the moisture at ripeness.

use farm_core::prelude::*;
use farm_roles::{AIR_TEMPERATURE_MEAN, GRAIN_MOISTURE, PLANT_STAGE, RAIN_AMOUNT, RELATIVE_HUMIDITY};

use crate::agronomy::laws::grain::{Isotherm, dry_in_the_field};
use crate::agronomy::plant::STAGES;

/// Water in the grain on the field.
#[derive(Debug, Clone, Parameters)]
pub(crate) struct GrainMoisture {
    /// Share of water in the grain when it becomes ripe.
    #[parameter(name = "at_ripeness#prop", default = 0.3, range = 0.0..=0.9)]
    pub at_ripeness: f64,
    /// Share of the excess water that is lost in a day, at a vapour pressure deficit of 1 kPa.
    #[parameter(name = "drying#prop", default = 0.25, range = 0.0..=10.0)]
    pub drying: f64,
    /// Share of water that a day with rain adds.
    #[parameter(name = "wetting#prop", default = 0.02, range = 0.0..=0.5)]
    pub wetting: f64,
    /// Share of water up to which rain wets dry grain.
    #[parameter(name = "rewetted#prop", default = 0.2, range = 0.0..=0.9)]
    pub rewetted: f64,
    /// Coefficient A of the modified Henderson equation, by which the grain's equilibrium with air follows.
    #[parameter(name = "henderson_a#°C-1", default = 2.3007e-5, range = 1e-7..=1.0)]
    pub a: f64,
    /// Exponent B of the modified Henderson equation.
    #[parameter(name = "henderson_b", default = 2.2857, range = 0.1..=10.0)]
    pub b: f64,
    /// Temperature C of the modified Henderson equation.
    #[parameter(name = "henderson_c#°C", default = 55.815, range = 0.0..=1000.0)]
    pub c: f64,
}

/// Least rain of a day that wets the grain \[mm\].
const WETTING_RAIN: f64 = 1.0;

#[derive(Columns)]
struct Ears {
    p: GrainMoisture,
    /// Share of water in the ripe grain on the plot.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, default = p.at_ripeness, role = GRAIN_MOISTURE)]
    moisture: Column<f64>,
    #[all(PLANT_STAGE)]
    stages: Vec<Column<u8>>,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[one(RELATIVE_HUMIDITY)]
    humidity: Column<f64>,
    #[one(RAIN_AMOUNT)]
    rain: Column<f64>,
}

#[register(
    entity = GrainMoisture,
    source = "ASAE D245; equation sheet, V",
    sets = include_str!("grain_moisture.yaml"),
    runs_in = Phase::Develop,
    picture = Picture::on_plots("Grain moisture", 5).heat("moisture#prop", 0.1, 0.3)
)]
impl Behaviour for Ears {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let GrainMoisture { at_ripeness, drying, wetting, rewetted, a, b, c: warmth } = self.p;
        let isotherm = Isotherm { a, b, c: warmth };
        let (celsius, humidity) = (c.value(self.temperature), c.value(self.humidity));
        let wet = if c.value(self.rain) >= WETTING_RAIN { wetting } else { 0.0 };
        for (plot, moisture) in c.get(self.moisture).iter().enumerate() {
            let is_ripe = self.stages.iter().any(|stages| STAGES[usize::from(c.get(*stages)[plot].get())] == "ripe");
            let dried = dry_in_the_field(isotherm, moisture.get(), celsius, humidity, drying);
            moisture.set(if is_ripe { dried.max((dried + wet).min(rewetted)) } else { at_ripeness });
        }
    }
}
