//! Constraints: quantities that a farmer must keep small in addition to the reward, for safe reinforcement learning.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | nutrients leached today | `leached_N` … `leached_C` | g.day-1 |
//! | pesticides in the soil | `cide_residue` | g |
//! | pollinators killed by pesticides so far | `pollinators_killed` | nb |
//! | irrigation water so far | `water_given` | L |
//!
//! | writes | unit |
//! |---|---|
//! | the total for each constraint of the score | g, nb, L |
//!
//! Constraints do not change the reward. They turn the game into a constrained Markov decision process (Altman 1999): each constraint has a
//! cost per step, and its total over an episode is compared with a limit. For leached nutrients, killed pollinators and water, the cost is
//! the step's amount. For pesticide residue, the cost is the amount in the soil at the end of the step. Its total is therefore in grams
//! times days: a pesticide that stays twice as long costs twice as much.

use farm_core::config::{Path, Problem};
use farm_core::declare::{All, Own, count, real};
use farm_core::math::sum;
use farm_core::{Column, ConstraintInfo, Context, Declarations, Found};
use farm_roles::{CIDE_RESIDUE, LEACHED, POLLINATORS_KILLED, WATER_GIVEN};

use crate::{ScoreError, counted};

/// One constraint.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Constraint {
    /// The limit of the total over an episode. Default: no limit.
    #[parameter(range = 0.0..=1e12)]
    pub limit: Option<f64>,
    /// The weight of one unit in the total cost of the step, `info["cost"]`.
    #[parameter(default = 1.0, range = 0.0..=1e9)]
    pub weight: f64,
}

/// The counted share of each leached nutrient.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct LeachedShares {
    /// Counted share of the nitrogen.
    #[parameter(name = "N#prop", default = 1.0, range = 0.0..=1.0)]
    pub nitrogen: f64,
    /// Counted share of the phosphorus.
    #[parameter(name = "P#prop", default = 1.0, range = 0.0..=1.0)]
    pub phosphorus: f64,
    /// Counted share of the potassium.
    #[parameter(name = "K#prop", default = 1.0, range = 0.0..=1.0)]
    pub potassium: f64,
    /// Counted share of the carbon.
    #[parameter(name = "C#prop", default = 1.0, range = 0.0..=1.0)]
    pub carbon: f64,
}

/// Quantities that must stay small. A constraint is active if it is present; write `{}` for weight 1 and no limit.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Constraints {
    /// Grams of nutrients leached from the soil in the step.
    pub leached_nutrients: Option<Constraint>,
    /// The counted share of each leached nutrient.
    pub leached_shares: LeachedShares,
    /// Grams of pesticides in the soil at the end of the step; its total counts grams times days.
    pub cide_residue: Option<Constraint>,
    /// Pollinators killed by pesticides in the step: visits that the pesticide in the plot prevented.
    pub pollinator_deaths: Option<Constraint>,
    /// Litres of irrigation water in the step.
    pub water_use: Option<Constraint>,
}

/// The constraints of a score, declared.
#[derive(Debug)]
pub(crate) struct DeclaredMeters(Vec<DeclaredMeter>);

#[derive(Debug)]
struct DeclaredMeter {
    name: &'static str,
    unit: &'static str,
    constraint: Constraint,
    total: Own<f64>,
    needs: Needs,
    /// A part that would contribute to the constraint.
    giver: &'static str,
}

/// What a constraint will read; see [`Reads`].
#[derive(Debug)]
enum Needs {
    Sum(Vec<(All<f64>, f64)>),
    Rise(All<i32>, Own<i32>),
    RiseOfTotal(All<f64>),
}

/// The constraints of a score, compiled.
#[derive(Debug, Default)]
pub(crate) struct Meters(Vec<Meter>);

#[derive(Debug)]
struct Meter {
    info: ConstraintInfo,
    reads: Reads,
}

#[derive(Debug)]
enum Reads {
    /// Today's sum of columns, each multiplied by a share.
    Sum(Vec<(Column<f64>, f64)>),
    /// The increase in counters that grow over the episode, and their previous sum.
    Rise(Vec<Column<i32>>, Column<i32>),
    /// The increase in amounts that grow over the episode; their previous sum is the constraint's total.
    RiseOfTotal(Vec<Column<f64>>),
}

impl Constraints {
    /// Declares the totals of the constraints that are present.
    pub(crate) fn declare(&self, d: &mut Declarations<'_>) -> DeclaredMeters {
        let mut meters = Vec::new();
        let mut declare = |d: &mut Declarations<'_>, name, unit, constraint: &Constraint, doc, needs, giver| {
            let total = d.variable(real(&format!("{name}#{unit}"), 0.0, 1e12, doc));
            meters.push(DeclaredMeter { name, unit, constraint: constraint.clone(), total, needs, giver });
        };
        if let Some(constraint) = &self.leached_nutrients {
            let shares = &self.leached_shares;
            let shares = [shares.nitrogen, shares.phosphorus, shares.potassium, shares.carbon];
            let needs = Needs::Sum(LEACHED.into_iter().zip(shares).map(|(role, share)| (d.all(role), share)).collect());
            let doc = "Nutrients leached in this episode, weighted by their shares.";
            declare(d, "leached_nutrients", "g", constraint, doc, needs, "a soil that leaches nutrients");
        }
        if let Some(constraint) = &self.cide_residue {
            let needs = Needs::Sum(vec![(d.all(CIDE_RESIDUE), 1.0)]);
            let doc = "Pesticides in the soil at the end of each step, summed over this episode.";
            declare(d, "cide_residue", "g.day", constraint, doc, needs, "a soil that stores pesticides");
        }
        if let Some(constraint) = &self.pollinator_deaths {
            let doc = "Pollinators killed by pesticides up to the previous step.";
            let before = d.variable(count("pollinator_deaths_before#nb", 0, i32::MAX, doc).hidden());
            let needs = Needs::Rise(d.all(POLLINATORS_KILLED), before);
            let doc = "Pollinators killed by pesticides in this episode.";
            declare(d, "pollinator_deaths", "nb", constraint, doc, needs, "pollinators");
        }
        if let Some(constraint) = &self.water_use {
            let needs = Needs::RiseOfTotal(d.all(WATER_GIVEN));
            let doc = "Irrigation water used in this episode.";
            declare(d, "water_use", "L", constraint, doc, needs, "a soil that can be watered");
        }
        DeclaredMeters(meters)
    }
}

impl DeclaredMeters {
    /// Finds the values that the constraints read.
    pub(crate) fn bind(self, found: &mut Found<'_>) -> Meters {
        Meters(self.0.into_iter().map(|meter| meter.bind(found)).collect())
    }
}

impl DeclaredMeter {
    fn bind(self, found: &mut Found<'_>) -> Meter {
        let reads = match self.needs {
            Needs::Sum(needs) => {
                let columns =
                    needs.into_iter().flat_map(|(all, share)| found.get(all).into_iter().map(move |c| (c, share)));
                Reads::Sum(columns.collect())
            }
            Needs::Rise(all, before) => Reads::Rise(found.get(all), found.get(before)),
            Needs::RiseOfTotal(all) => Reads::RiseOfTotal(found.get(all)),
        };
        let is_idle = match &reads {
            Reads::Sum(columns) => columns.is_empty(),
            Reads::Rise(columns, _) => columns.is_empty(),
            Reads::RiseOfTotal(columns) => columns.is_empty(),
        };
        // A constraint that nothing can violate is probably an error, but harmless.
        if is_idle {
            let path = Path::default().child("constraints").child(self.name);
            let problem = Problem::new(
                ScoreError::IdleConstraint,
                path,
                "no part of this game contributes to this constraint, so its total stays 0",
            );
            let problem = problem.value(self.name).expected(self.giver).help("remove the constraint, or add a part");
            found.problem(problem.warning());
        }
        let info = ConstraintInfo {
            name: self.name.to_owned(),
            unit: self.unit.to_owned(),
            limit: self.constraint.limit,
            weight: self.constraint.weight,
            total: found.get(self.total),
        };
        Meter { info, reads }
    }
}

impl Meters {
    /// The constraints in the form that the engine needs.
    pub(crate) fn infos(&self) -> Vec<ConstraintInfo> {
        self.0.iter().map(|meter| meter.info.clone()).collect()
    }

    /// Writes each constraint's cost for the step, and adds it to the total.
    #[inline]
    pub(crate) fn measure(&self, c: &Context<'_>, costs: &mut [f64]) {
        for (meter, cost) in self.0.iter().zip(costs) {
            *cost = match &meter.reads {
                Reads::Sum(columns) => {
                    sum(columns.iter().map(|(column, share)| share * counted::total(std::slice::from_ref(column), c)))
                }
                Reads::Rise(columns, before) => {
                    let now = columns.iter().fold(0_i32, |sum, column| sum.saturating_add(c.value(*column)));
                    f64::from(now - c.get(*before)[0].replace(now))
                }
                Reads::RiseOfTotal(columns) => counted::total(columns, c) - c.value(meter.info.total),
            };
            let total = &c.get(meter.info.total)[0];
            total.set(total.get() + *cost);
        }
    }
}
