//! A farmer that is always available, for a limited number of interventions and observations per day.
//!
//! | reads | role |
//! |---|---|
//! | the topsoil of all fields, only with a limit on its water | `topsoil_water`, `topsoil_capacity` |
//!
//! | writes | unit |
//! |---|---|
//! | `interventions_today` | count |
//! | `observations_today` | count |
//!
//! Source: Farm-gym paper 3.1, "Farmers": the farmer counts its actions on a day and stops at a maximum. Work on wet soil: Rounsevell & Jones
//! 1993.

use std::collections::BTreeMap;

use farm_core::action::ActionKind;
use farm_core::{Attempt, Behaviour, Bind, Columns, Context, Declarations, Farmer, FarmerBehaviour, Phase, Reader};

use super::limits::{Limits, Permission, Permitted};
use super::wet_soil::{self, WetSoil};

/// Always available, for up to N interventions and M observations a day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct BasicFarmer {
    /// The maximum number of interventions per day; further ones are rejected.
    #[parameter(default = 1, range = 0..=1_000_000)]
    pub max_daily_interventions: u32,
    /// The maximum number of paid observations per day; further ones are rejected. Default: no limit.
    #[parameter(range = 0..=1_000_000)]
    pub max_daily_observations: Option<u32>,
    /// The most water in the topsoil, as a share of field capacity, with which it sows, harvests and hoes a plot: about 0.85 on clay, 0.92 on
    /// loam and 0.95 on sand (Rounsevell & Jones 1993). Of the 61 days of March and April, this leaves 15, 39 and 54 at Lille, and 57 on loam
    /// at Montpellier. Default: no limit.
    #[parameter(name = "wettest_soil#prop", range = 0.1..=3.0)]
    pub wettest_soil: Option<f64>,
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
        Bind::after(move |d, known| {
            let wet = wet_soil::Needs::new(d, known, self.wettest_soil);
            Bind::new(move |found| Basic { limits: limits.bind(found), wet: wet.map(|wet| wet.bind(found)) })
        })
    }
}

struct Basic {
    limits: Limits,
    wet: Option<WetSoil>,
}

impl Behaviour for Basic {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        self.limits.new_day(c);
    }
}

impl FarmerBehaviour for Basic {
    fn allows(&self, kind: ActionKind, field: Option<usize>) -> bool {
        self.limits.allows(kind, field)
    }

    #[inline]
    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        let wet = || self.wet.as_ref().and_then(|wet| wet.rejection(attempt, reader));
        self.limits.rejection(attempt.kind(), reader).or_else(wet)
    }

    fn depends_on_arguments(&self) -> bool {
        self.wet.is_some()
    }

    #[inline]
    fn before_action(&self, attempt: &Attempt<'_>, c: &mut Context<'_>) {
        self.limits.before_action(attempt.kind(), c);
    }
}
