//! The room left in a schedule: its length, the time of the farmers, and its maximum cost.
//!
//! If a policy asked for more, the game would only reject its actions.

use farm_core::action::Call;
use farm_core::declare::PartInfo;
use farm_core::{ActionKind, Column, Game, State};

/// The counters of a farmer's observations and interventions today; their ranges end at the farmer's daily maximum.
const DONE_TODAY: [(ActionKind, &str); 2] =
    [(ActionKind::Observation, "observations_today"), (ActionKind::Intervention, "interventions_today")];

/// The room that a game's rules and farmers leave for a schedule.
#[derive(Debug, Clone)]
pub(super) struct ScheduleBudget {
    most: usize,
    max_cost: f64,
    /// Each farmer's time for observations and for interventions; none if unlimited.
    time: Vec<[Option<Time>; 2]>,
}

/// A farmer's daily maximum for one kind of action, and the counter.
#[derive(Debug, Clone, Copy)]
struct Time {
    done: Column<i32>,
    most: i32,
}

impl ScheduleBudget {
    /// The room for one step in a game.
    pub(super) fn of(game: &Game) -> Self {
        let counter = |farmer: &PartInfo, name: &str| {
            let variable = farmer.variables().iter().find(|variable| variable.name() == name)?;
            Some(Time { done: variable.column()?, most: variable.kind().range().1 as i32 })
        };
        let farmers = game.parts().iter().filter(|part| part.field().is_none());
        let time = farmers.map(|farmer| DONE_TODAY.map(|(_, name)| counter(farmer, name))).collect();
        Self { most: game.catalogue().max_schedule(), max_cost: game.rules().max_cost, time }
    }

    /// Whether a schedule has room for another call.
    #[inline]
    pub(super) fn holds(&self, game: &Game, state: &State, schedule: &[Call], call: &Call) -> bool {
        schedule.len() < self.most
            && !schedule.contains(call)
            && game.rejection(state, call).is_none()
            && self.has_time(game, state, schedule, call)
            && self.can_pay(game, schedule, call)
    }

    fn has_time(&self, game: &Game, state: &State, schedule: &[Call], call: &Call) -> bool {
        let base = |call: &Call| &game.catalogue().base_actions()[call.base()];
        let (farmer, kind) = (base(call).farmer(), base(call).kind());
        let counters = DONE_TODAY.iter().position(|(counted, _)| *counted == kind);
        match counters.and_then(|i| self.time.get(farmer)?[i]) {
            Some(Time { done, most }) => {
                let before = schedule.iter().filter(|other| base(other).farmer() == farmer).count();
                let left = most.saturating_sub(game.reader(state).get(done)[0]);
                before < usize::try_from(left).unwrap_or(0)
            }
            None => true,
        }
    }

    fn can_pay(&self, game: &Game, schedule: &[Call], call: &Call) -> bool {
        let cost = |call: &Call| game.catalogue().base_actions()[call.base()].cost();
        schedule.iter().map(cost).sum::<f64>() + cost(call) <= self.max_cost
    }

    /// Lets the day pass if no action was chosen and the game has a waiting action.
    #[inline]
    pub(super) fn wait_if_empty(&self, game: &Game, schedule: &mut Vec<Call>) {
        if schedule.is_empty() && self.most > 0 {
            schedule.extend_from_slice(game.catalogue().waiting());
        }
    }
}
