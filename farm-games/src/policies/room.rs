//! What still fits into a schedule: its length, the time of the farmers, what it may cost.
//!
//! A policy that asks for more would only see its actions rejected.

use farm_core::Game;
use farm_core::action::Call;
use farm_core::declare::ValueKind;

/// The count of what a farmer did today; its range ends at what the farmer does in a day.
const DONE_TODAY: &str = "interventions_today";

/// What the rules and the farmers of a game leave to a schedule.
#[derive(Debug)]
pub(super) struct Room {
    most: usize,
    max_cost: f64,
    /// How many interventions each farmer does in a day.
    time: Vec<usize>,
}

impl Room {
    /// The room of a day in a game.
    pub fn of(game: &Game) -> Self {
        let farmers = game.parts.iter().filter(|part| part.field.is_none());
        let time = farmers.map(|farmer| {
            let counter = farmer.variables.iter().find(|variable| variable.name == DONE_TODAY);
            match counter.map(|variable| &variable.kind) {
                Some(ValueKind::Count { high, .. }) => usize::try_from(*high).unwrap_or(0),
                _ => usize::MAX,
            }
        });
        let max_cost = game.max_intervention_cost();
        Self { most: game.catalogue.max_schedule, max_cost, time: time.collect() }
    }

    /// Whether a call may follow those that a schedule holds.
    #[inline]
    pub fn holds(&self, game: &Game, schedule: &[Call], call: &Call) -> bool {
        let base = |call: &Call| &game.catalogue.bases[call.base()];
        let farmer = base(call).farmer;
        schedule.len() < self.most
            && !schedule.contains(call)
            && schedule.iter().filter(|other| base(other).farmer == farmer).count()
                < self.time.get(farmer).copied().unwrap_or(usize::MAX)
            && schedule.iter().map(|other| base(other).cost).sum::<f64>() + base(call).cost <= self.max_cost
    }

    /// Lets the day pass where nothing was chosen and the game has an action for that.
    #[inline]
    pub fn wait_if_empty(&self, game: &Game, schedule: &mut Vec<Call>) {
        if schedule.is_empty() && self.most > 0 {
            schedule.extend_from_slice(game.catalogue.waiting());
        }
    }
}
