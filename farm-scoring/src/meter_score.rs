//! A score of meters: events fill each meter up to its maximum, and the reward is the increase in their sum.
//!
//! | reads | |
//! |---|---|
//! | the events of the meters, by their value | points |
//!
//! | writes | unit |
//! |---|---|
//! | each meter (hidden) and their total | points |
//!
//! Source: Backwards Valley (three hidden meters from 0 to 100; the Farm Value is their sum).

use std::collections::BTreeMap;

use farm_core::config::{NameError, Path, Problem};
use farm_core::declare::real;
use farm_core::math::sum;
use farm_core::{Behaviour, Builder, Column, Context, Event, Score, ScoreBehaviour};

/// One meter.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Meter {
    /// The events that fill the meter. Each adds its value.
    pub events: Vec<String>,
    /// Maximum of the meter.
    #[parameter(unit = "point", default = 100.0, range = 0.0..=1e9)]
    pub max: f64,
}

/// Events fill meters up to a maximum; the reward is the increase of their sum.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct MeterScore {
    /// The meters by name.
    pub meters: BTreeMap<String, Meter>,
    /// Name of the sum of all meters, a visible variable.
    #[parameter(default = "total".into())]
    pub total: String,
}

#[farm_core::register(source = "Backwards Valley: meters and Farm Value")]
impl Score for MeterScore {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        let mut fills = vec![u8::MAX; b.parts().iter().map(|part| part.events().len()).sum()];
        let mut meters = Vec::new();
        for (i, (name, meter)) in self.meters.iter().enumerate() {
            let column = b.declare(real(name, 0.0, meter.max, "A meter of the score.").hidden());
            meters.push((column, meter.max));
            for event in &meter.events {
                let ids = b.events_named(event);
                if ids.is_empty() {
                    let known: Vec<String> =
                        b.parts().iter().flat_map(|p| p.events()).map(|event| event.name().to_owned()).collect();
                    let path = Path::default().child("meters").child(name).child("events");
                    let problem =
                        Problem::new(NameError::UnknownEvent, path, format!("no part emits an event `{event}`"))
                            .value(event);
                    b.problem(problem.among(event, known.iter().map(String::as_str)));
                }
                for id in ids {
                    fills[id.index()] = i as u8;
                }
            }
        }
        let max = sum(self.meters.values().map(|meter| meter.max));
        let total = b.declare(real(&self.total, 0.0, max, "The sum of all meters."));
        Box::new(Meters { fills, meters, total, max })
    }
}

struct Meters {
    /// The meter that an event kind fills; 255 for none.
    fills: Vec<u8>,
    meters: Vec<(Column<f64>, f64)>,
    total: Column<f64>,
    /// The sum of all meters' maxima.
    max: f64,
}

impl Behaviour for Meters {}

impl ScoreBehaviour for Meters {
    #[inline]
    fn reward(&self, c: &mut Context<'_>) -> f64 {
        let mut gained = 0.0;
        for &Event { id, value, .. } in c.events() {
            if let Some((column, max)) = self.meters.get(usize::from(self.fills[id.index()])) {
                let meter = &c.get(*column)[0];
                let filled = (meter.get() + value).clamp(0.0, *max);
                gained += filled - meter.get();
                meter.set(filled);
            }
        }
        if gained != 0.0 {
            let total = &c.get(self.total)[0];
            // The gain is rounded, so its sum may exceed the sum of the meters by the last digit.
            total.set((total.get() + gained).clamp(0.0, self.max));
        }
        gained
    }
}
