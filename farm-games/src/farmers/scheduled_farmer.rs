//! A farmer that works only on given weekdays, with a minimum number of days between two working days.
//!
//! | writes | unit |
//! |---|---|
//! | `interventions_today`, `observations_today` | count |
//! | `days_since_work#day` | day |
//! | `worked_today` | flag |
//!
//! Weekdays are counted from the first day of the episode, whose weekday is a parameter. Episodes with different start dates therefore have
//! the same weeks. A day counts as a working day if the farmer observed or acted on it.
//!
//! Source: Farm-gym paper 3.1, "Farmers" (a farmer decides when it is available).

use std::collections::BTreeMap;

use farm_core::action::ActionKind;
use farm_core::config::{ParameterError, Path, Problem};
use farm_core::declare::{count, flag};
use farm_core::{
    Attempt, Behaviour, Bind, Column, Columns, Context, Declarations, Farmer, FarmerBehaviour, Phase, Reader,
};

use super::limits::{Limits, Permission, Permitted};

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Weekday {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

/// Works only on given weekdays, with a minimum number of days between two working days.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ScheduledFarmer {
    /// The weekdays on which it works.
    #[parameter(default = WEEK.to_vec())]
    pub weekdays: Vec<Weekday>,
    /// The weekday of the first day of an episode.
    #[parameter(default = Weekday::Monday)]
    pub first_weekday: Weekday,
    /// The minimum number of days from one working day to the next: 1 allows every day, 3 requires two days of rest.
    #[parameter(name = "every#day", default = 1, range = 1..=10_000)]
    pub every_days: u32,
    /// The maximum number of interventions on a working day; further ones are rejected.
    #[parameter(default = 1, range = 0..=1_000_000)]
    pub max_daily_interventions: u32,
    /// The maximum number of paid observations on a working day; further ones are rejected. Default: no limit.
    #[parameter(range = 0..=1_000_000)]
    pub max_daily_observations: Option<u32>,
    /// Its permissions in each field. In a field without an entry it may observe and act.
    pub permissions: BTreeMap<String, Permission>,
}

#[farm_core::register(source = "Farm-gym paper 3.1, Farmers")]
impl Farmer for ScheduledFarmer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        if self.weekdays.is_empty() {
            let problem = Problem::new(
                ParameterError::EmptyList,
                Path::default().child("weekdays"),
                "a farmer without a weekday never works",
            );
            d.problem(problem.value("[]").expected("at least one of monday … sunday"));
        }
        d.runs_in(Phase::Exogenous);
        let (interventions, observations) = (self.max_daily_interventions, self.max_daily_observations);
        let permitted = Permitted::new(d, interventions, observations, &self.permissions);
        let limits = Limits::declare(d, &permitted);
        let every = self.every_days as i32;
        let rested =
            count("days_since_work#day", 0, every, "Days since the last working day, at most the required interval.");
        let first = WEEK.iter().position(|day| *day == self.first_weekday).unwrap_or(0);
        let mut works_on = [false; 7];
        for (step, works) in works_on.iter_mut().enumerate() {
            *works = self.weekdays.contains(&WEEK[(first + step) % 7]);
        }
        let rested = d.variable(rested.default(f64::from(every)));
        let worked = d.variable(flag("worked_today", "Whether the farmer observed or acted today."));
        Bind::new(move |found| Scheduled {
            limits: limits.bind(found),
            works_on,
            every,
            rested: found.get(rested),
            worked: found.get(worked),
        })
    }
}

struct Scheduled {
    limits: Limits,
    /// Whether the farmer works on each weekday, starting with the weekday of the episode's first day.
    works_on: [bool; 7],
    every: i32,
    rested: Column<i32>,
    worked: Column<u8>,
}

impl Behaviour for Scheduled {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        self.limits.new_day(c);
        let (rested, worked) = (&c.get(self.rested)[0], &c.get(self.worked)[0]);
        rested.set(if worked.get() == 1 { 1 } else { (rested.get() + 1).min(self.every) });
        worked.set(0);
    }
}

impl FarmerBehaviour for Scheduled {
    fn allows(&self, kind: ActionKind, field: Option<usize>) -> bool {
        self.limits.allows(kind, field)
    }

    #[inline]
    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        if !self.works_on[reader.step() as usize % 7] {
            return Some("the farmer does not work on this weekday");
        }
        if reader.get(self.rested)[0] < self.every {
            return Some("the farmer is resting");
        }
        self.limits.rejection(attempt.kind(), reader)
    }

    #[inline]
    fn before_action(&self, attempt: &Attempt<'_>, c: &mut Context<'_>) {
        self.limits.before_action(attempt.kind(), c);
        c.get(self.worked)[0].set(1);
    }
}
