//! A farmer that is always available, for a limited number of interventions and observations per day.
//!
//! | writes | unit |
//! |---|---|
//! | `interventions_today` | count |
//! | `observations_today` | count |
//!
//! Source: Farm-gym paper 3.1, "Farmers": the farmer counts its actions on a day and stops at a maximum.

use std::collections::BTreeMap;

use farm_core::action::ActionKind;
use farm_core::{Attempt, Behaviour, Bind, Columns, Context, Declarations, Farmer, FarmerBehaviour, Phase, Reader};

use super::limits::{Limits, Permission, Permitted};

/// Always available, for up to N interventions and M observations a day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct BasicFarmer {
    /// The maximum number of interventions per day; further ones are rejected.
    #[parameter(default = 1, range = 0..=1_000_000)]
    pub max_daily_interventions: u32,
    /// The maximum number of paid observations per day; further ones are rejected. Default: no limit.
    #[parameter(range = 0..=1_000_000)]
    pub max_daily_observations: Option<u32>,
    /// Its permissions in each field. In a field without an entry it may observe and act.
    pub permissions: BTreeMap<String, Permission>,
}

#[farm_core::register(source = "Farm-gym paper 3.1, Farmers")]
impl Farmer for BasicFarmer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        d.runs_in(Phase::Exogenous);
        let (interventions, observations) = (self.max_daily_interventions, self.max_daily_observations);
        let permitted = Permitted::new(d, interventions, observations, &self.permissions);
        let limits = Limits::declare(d, &permitted);
        Bind::new(move |found| Basic(limits.bind(found)))
    }
}

struct Basic(Limits);

impl Behaviour for Basic {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        self.0.new_day(c);
    }
}

impl FarmerBehaviour for Basic {
    fn allows(&self, kind: ActionKind, field: Option<usize>) -> bool {
        self.0.allows(kind, field)
    }

    #[inline]
    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        self.0.rejection(attempt.kind(), reader)
    }

    #[inline]
    fn before_action(&self, attempt: &Attempt<'_>, c: &mut Context<'_>) {
        self.0.before_action(attempt.kind(), c);
    }
}
