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

use farm_core::config::Path;
use farm_core::declare::{Own, real};
use farm_core::math::sum;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Event, Score, ScoreBehaviour};

use crate::counted;

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
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        let declare = |(name, meter): (&String, &Meter)| {
            (d.variable(real(name, 0.0, meter.max, "A meter of the score.").hidden()), meter.max)
        };
        let meters: Vec<(Own<f64>, f64)> = self.meters.iter().map(declare).collect();
        let max = sum(self.meters.values().map(|meter| meter.max));
        let total = d.variable(real(&self.total, 0.0, max, "The sum of all meters."));
        Bind::new(move |found| {
            let mut fills = vec![u8::MAX; counted::by_event(found).len()];
            for (i, (name, meter)) in self.meters.iter().enumerate() {
                let path = Path::default().child("meters").child(name).child("events");
                for id in meter.events.iter().flat_map(|event| counted::events(event, path.clone(), found)) {
                    fills[id.index()] = i as u8;
                }
            }
            let meters = meters.into_iter().map(|(own, max)| (found.get(own), max)).collect();
            Meters { fills, meters, total: found.get(total), max }
        })
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
