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
use farm_core::declare::{count, real};
use farm_core::math::sum;
use farm_core::{Builder, Column, ConstraintInfo, Context};
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

/// The constraints of a score, compiled.
#[derive(Debug, Default)]
pub struct Meters(Vec<Meter>);

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
    pub fn build(&self, b: &mut Builder<'_>) -> Meters {
        let mut meters = Vec::new();
        // A constraint that nothing can violate is probably an error, but harmless.
        let warn = |b: &mut Builder<'_>, name: &str, nobody: bool, giver: &str| {
            if nobody {
                let path = Path::default().child("constraints").child(name);
                let problem = Problem::new(
                    ScoreError::IdleConstraint,
                    path,
                    "no part of this game contributes to this constraint, so its total stays 0",
                );
                b.problem(problem.value(name).expected(giver).help("remove the constraint, or add a part").warning());
            }
        };
        let info = |b: &mut Builder<'_>, name: &str, unit: &str, constraint: &Constraint, doc: &str| ConstraintInfo {
            name: name.to_owned(),
            unit: unit.to_owned(),
            limit: constraint.limit,
            weight: constraint.weight,
            total: b.declare(real(&format!("{name}#{unit}"), 0.0, 1e12, doc)),
        };
        if let Some(constraint) = &self.leached_nutrients {
            let shares = &self.leached_shares;
            let shares = [shares.nitrogen, shares.phosphorus, shares.potassium, shares.carbon];
            let columns = LEACHED.iter().zip(shares).flat_map(|(role, share)| {
                let columns = b.all(*role);
                columns.into_iter().map(move |column| (column, share))
            });
            let columns: Vec<(Column<f64>, f64)> = columns.collect();
            warn(b, "leached_nutrients", columns.is_empty(), "a soil that leaches nutrients");
            let reads = Reads::Sum(columns);
            let doc = "Nutrients leached in this episode, weighted by their shares.";
            meters.push(Meter { info: info(b, "leached_nutrients", "g", constraint, doc), reads });
        }
        if let Some(constraint) = &self.cide_residue {
            let residue = b.all(CIDE_RESIDUE);
            warn(b, "cide_residue", residue.is_empty(), "a soil that stores pesticides");
            let reads = Reads::Sum(residue.into_iter().map(|column| (column, 1.0)).collect());
            let doc = "Pesticides in the soil at the end of each step, summed over this episode.";
            meters.push(Meter { info: info(b, "cide_residue", "g.day", constraint, doc), reads });
        }
        if let Some(constraint) = &self.pollinator_deaths {
            let killed = b.all(POLLINATORS_KILLED);
            warn(b, "pollinator_deaths", killed.is_empty(), "pollinators");
            let doc = "Pollinators killed by pesticides up to the previous step.";
            let before = b.declare(count("pollinator_deaths_before#nb", 0, i32::MAX, doc).hidden());
            let doc = "Pollinators killed by pesticides in this episode.";
            let info = info(b, "pollinator_deaths", "nb", constraint, doc);
            meters.push(Meter { info, reads: Reads::Rise(killed, before) });
        }
        if let Some(constraint) = &self.water_use {
            let given = b.all(WATER_GIVEN);
            warn(b, "water_use", given.is_empty(), "a soil that can be watered");
            let doc = "Irrigation water used in this episode.";
            let info = info(b, "water_use", "L", constraint, doc);
            meters.push(Meter { info, reads: Reads::RiseOfTotal(given) });
        }
        Meters(meters)
    }
}

impl Meters {
    /// The constraints in the form that the engine needs.
    pub fn infos(&self) -> Vec<ConstraintInfo> {
        self.0.iter().map(|meter| meter.info.clone()).collect()
    }

    /// Writes each constraint's cost for the step, and adds it to the total.
    #[inline]
    pub fn measure(&self, c: &Context<'_>, costs: &mut [f64]) {
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
