//! A farmer who stays at home when it rains.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's rain | `rain_amount` | mm day⁻¹ |
//!
//! | writes | unit |
//! |---|---|
//! | `interventions_today` | count |
//!
//! Source: designed for this example; the farmer on the page `docs/parts-in-rust.md`.

use farm_core::action::ActionKind;
use farm_core::{
    Attempt, Behaviour, Bind, Column, Columns, Context, Declarations, Farmer, FarmerBehaviour, Phase, Reader,
};
use farm_roles::RAIN_AMOUNT;

/// Works on dry days only.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct FairWeatherFarmer {
    /// Maximum number of interventions on a dry day.
    #[parameter(default = 2, range = 0..=1000)]
    pub max_daily_interventions: u32,
    /// Minimum daily rain at which the farmer stays at home.
    #[parameter(name = "wet_rain#mm.day-1", default = 1.0, range = 0.0..=1000.0)]
    pub wet: f64,
}

#[farm_core::register(source = "Design of this example")]
impl Farmer for FairWeatherFarmer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        d.runs_in(Phase::Exogenous);
        let declared = Worker::declare(d, self);
        Bind::new(move |found| declared.bind(found))
    }
}

#[derive(Columns)]
struct Worker {
    p: FairWeatherFarmer,
    /// Number of interventions carried out today.
    #[count(name = "interventions_today", range = 0..=p.max_daily_interventions as i32)]
    today: Column<i32>,
    #[all(RAIN_AMOUNT)]
    rain: Vec<Column<f64>>,
}

impl Behaviour for Worker {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.today)[0].set(0);
    }
}

impl FarmerBehaviour for Worker {
    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        if attempt.kind() == ActionKind::Observation {
            return None;
        }
        if self.rain.iter().any(|column| reader.get(*column)[0] >= self.p.wet) {
            return Some("the farmer stays at home because it rains");
        }
        let most = self.p.max_daily_interventions as i32;
        (reader.get(self.today)[0] >= most).then_some("the farmer has no time left today")
    }

    fn before_action(&self, attempt: &Attempt<'_>, c: &mut Context<'_>) {
        let today = &c.get(self.today)[0];
        today.set(today.get() + i32::from(attempt.kind() == ActionKind::Intervention));
    }
}
