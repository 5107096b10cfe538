//! A farmer who comes on some days only: on given weekdays, at most every so many days.
//!
//! | writes | unit |
//! |---|---|
//! | `interventions_today`, `observations_today` | count |
//! | `days_since_work#day` | day |
//! | `worked_today` | flag |
//!
//! Weekdays are counted from the first day of the episode, whose weekday is a parameter: episodes begin on different dates,
//! and a week means the same in each. A day on which it looked or acted is a day of work.
//!
//! Source: Farm-gym paper 3.1, "Farmers" (a farmer decides when it is available).

use std::collections::BTreeMap;

use farm_core::action::ActionKind;
use farm_core::config::{ParameterError, Path, Problem};
use farm_core::declare::{count, flag};
use farm_core::{Attempt, Behaviour, Builder, Column, Context, Farmer, FarmerBehaviour, Phase, Reader};

use super::limits::{Limits, Permission};

farm_core::choice! {
    /// A day of the week.
    pub enum Weekday {
        /// Monday.
        Monday = "monday",
        /// Tuesday.
        Tuesday = "tuesday",
        /// Wednesday.
        Wednesday = "wednesday",
        /// Thursday.
        Thursday = "thursday",
        /// Friday.
        Friday = "friday",
        /// Saturday.
        Saturday = "saturday",
        /// Sunday.
        Sunday = "sunday",
    }
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

farm_core::parameters! {
    /// A farmer who comes on some days only.
    pub struct ScheduledFarmer {
        /// The weekdays on which it works.
        pub weekdays: Vec<Weekday> = WEEK.to_vec();
        /// The weekday of the first day of an episode.
        pub first_weekday: Weekday = Weekday::Monday;
        /// It works at most every so many days: 1 means any day, 3 that two days of rest follow a day of work.
        pub every_days: u32 = 1, "every#day", [1, 10_000];
        /// Interventions on a day of work; more are not executed.
        pub max_daily_interventions: u32 = 1, "max_daily_interventions", [0, 1_000_000];
        /// Observations on a day of work; more are not executed. Nothing said sets no limit.
        pub max_daily_observations: Option<u32> = None, "max_daily_observations", [0, 1_000_000];
        /// What it may do in each field; everything in a field that is not named.
        pub permissions: BTreeMap<String, Permission> = BTreeMap::new();
    }
}

farm_core::register!(
    Farmer,
    ScheduledFarmer,
    "Works on given weekdays, at most every so many days.",
    "Farm-gym paper 3.1, Farmers"
);

#[farm_core::typetag::serde]
impl Farmer for ScheduledFarmer {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn FarmerBehaviour> {
        if self.weekdays.is_empty() {
            let problem = Problem::new(
                ParameterError::EmptyList,
                Path::default().child("weekdays"),
                "a farmer without a weekday never works",
            );
            b.problem(problem.value("[]").expected("at least one of monday … sunday"));
        }
        b.runs_in(Phase::Exogenous);
        let (interventions, observations) = (self.max_daily_interventions, self.max_daily_observations);
        let limits = Limits::declare(b, interventions, observations, &self.permissions);
        let every = self.every_days as i32;
        let rested = count("days_since_work#day", 0, every, "Days since it worked, up to those that it must rest.");
        let first = WEEK.iter().position(|day| *day == self.first_weekday).unwrap_or(0);
        let mut works_on = [false; 7];
        for (step, works) in works_on.iter_mut().enumerate() {
            *works = self.weekdays.contains(&WEEK[(first + step) % 7]);
        }
        Box::new(Scheduled {
            limits,
            works_on,
            every,
            rested: b.declare(rested.default(f64::from(every))),
            worked: b.declare(flag("worked_today", "Whether it looked or acted today.")),
        })
    }
}

struct Scheduled {
    limits: Limits,
    /// Whether it works on a day, by the day's rank in the week that begins with the episode.
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
    fn permits(&self, kind: ActionKind, field: Option<usize>) -> bool {
        self.limits.permits(kind, field)
    }

    #[inline]
    fn refusal(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        if !self.works_on[reader.step as usize % 7] {
            return Some("the farmer does not work on this weekday");
        }
        if reader.get(self.rested)[0] < self.every {
            return Some("the farmer still rests");
        }
        self.limits.refusal(attempt.kind, reader)
    }

    #[inline]
    fn before_action(&self, attempt: &Attempt<'_>, c: &mut Context<'_>) {
        self.limits.before_action(attempt.kind, c);
        c.get(self.worked)[0].set(1);
    }
}
