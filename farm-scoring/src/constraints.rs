//! Constraints: what a farmer must keep small besides earning a reward, for safe reinforcement learning.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | nutrients washed out today | `leached_N` … `leached_C` | g.day-1 |
//! | cides in the soil | `cide_residue` | g |
//! | pollinators that cides killed so far | `pollinators_killed` | nb |
//! | water that plots were given so far | `water_given` | L |
//!
//! | writes | unit |
//! |---|---|
//! | the total of each constraint that the score has | g, nb, L |
//!
//! Constraints take nothing from the reward. They form a constrained Markov decision process (Altman 1999): each has a cost
//! per step, whose total over an episode is compared to a limit. Leached nutrients, killed pollinators and water are those of the
//! step. The residue is what lies in the soil at the end of the step, so that its total counts gram times day: a poison
//! that stays twice as long is twice as bad.

use farm_core::config::{Path, Problem};
use farm_core::declare::{count, real};
use farm_core::math::sum;
use farm_core::{Builder, Column, ConstraintInfo, Context};
use farm_roles::{CIDE_RESIDUE, LEACHED, POLLINATORS_KILLED, WATER_GIVEN};

use crate::{ScoreError, counted};

/// One constraint.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Constraint {
    /// What its total over an episode should not exceed; nothing for a cost without a limit.
    #[parameter(range = 0.0..=1e12)]
    pub limit: Option<f64>,
    /// What each unit of it counts in the one cost of the step, `info["cost"]`.
    #[parameter(default = 1.0, range = 0.0..=1e9)]
    pub weight: f64,
}

/// How much of each washed out nutrient counts.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct LeachedShares {
    /// Share of the nitrogen that counts.
    #[parameter(name = "N#prop", default = 1.0, range = 0.0..=1.0)]
    pub nitrogen: f64,
    /// Share of the phosphorus that counts.
    #[parameter(name = "P#prop", default = 1.0, range = 0.0..=1.0)]
    pub phosphorus: f64,
    /// Share of the potassium that counts.
    #[parameter(name = "K#prop", default = 1.0, range = 0.0..=1.0)]
    pub potassium: f64,
    /// Share of the carbon that counts.
    #[parameter(name = "C#prop", default = 1.0, range = 0.0..=1.0)]
    pub carbon: f64,
}

/// What must stay small. A constraint is there when it is named, `{}` for one with weight 1 and no limit.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Constraints {
    /// Grams of nutrients washed out of the soil in the step.
    pub leached_nutrients: Option<Constraint>,
    /// How much of each washed out nutrient counts.
    pub leached_shares: LeachedShares,
    /// Grams of cides in the soil at the end of the step; its total counts gram times day.
    pub cide_residue: Option<Constraint>,
    /// Pollinators that cides killed in the step: visits that would have taken place without the cide in the plot.
    pub pollinator_deaths: Option<Constraint>,
    /// Litres of water that plots were given in the step.
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
    /// The sum of columns today, each times a share.
    Sum(Vec<(Column<f64>, f64)>),
    /// The rise of sums that grow over the episode, and where they stood before.
    Rise(Vec<Column<i32>>, Column<i32>),
    /// The rise of amounts that grow over the episode, whose sum before is the total of the constraint.
    RiseOfTotal(Vec<Column<f64>>),
}

impl Constraints {
    /// Declares the totals of the constraints that are named.
    pub fn build(&self, b: &mut Builder<'_>) -> Meters {
        let mut meters = Vec::new();
        // A constraint that nothing can violate is likely a mistake, but harmless.
        let warn = |b: &mut Builder<'_>, name: &str, nobody: bool, giver: &str| {
            if nobody {
                let path = Path::default().child("constraints").child(name);
                let problem = Problem::new(
                    ScoreError::IdleConstraint,
                    path,
                    "nothing in this game counts for this constraint, so it stays 0",
                );
                b.problem(
                    problem.value(name).expected(giver).help("leave the constraint out, or add a part").warning(),
                );
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
            warn(b, "leached_nutrients", columns.is_empty(), "a soil from which water washes nutrients out");
            let reads = Reads::Sum(columns);
            let doc = "Nutrients washed out in this episode, as far as they count.";
            meters.push(Meter { info: info(b, "leached_nutrients", "g", constraint, doc), reads });
        }
        if let Some(constraint) = &self.cide_residue {
            let residue = b.all(CIDE_RESIDUE);
            warn(b, "cide_residue", residue.is_empty(), "a soil in which cides stay");
            let reads = Reads::Sum(residue.into_iter().map(|column| (column, 1.0)).collect());
            let doc = "Cides in the soil at the end of each step, summed over this episode.";
            meters.push(Meter { info: info(b, "cide_residue", "g.day", constraint, doc), reads });
        }
        if let Some(constraint) = &self.pollinator_deaths {
            let killed = b.all(POLLINATORS_KILLED);
            warn(b, "pollinator_deaths", killed.is_empty(), "pollinators");
            let doc = "Pollinators killed by cides up to the step before.";
            let before = b.declare(count("pollinator_deaths_before#nb", 0, i32::MAX, doc).hidden());
            let doc = "Pollinators killed by cides in this episode.";
            let info = info(b, "pollinator_deaths", "nb", constraint, doc);
            meters.push(Meter { info, reads: Reads::Rise(killed, before) });
        }
        if let Some(constraint) = &self.water_use {
            let given = b.all(WATER_GIVEN);
            warn(b, "water_use", given.is_empty(), "a soil that can be watered");
            let doc = "Water that plots were given in this episode.";
            let info = info(b, "water_use", "L", constraint, doc);
            meters.push(Meter { info, reads: Reads::RiseOfTotal(given) });
        }
        Meters(meters)
    }
}

impl Meters {
    /// What the engine tells of the constraints.
    pub fn infos(&self) -> Vec<ConstraintInfo> {
        self.0.iter().map(|meter| meter.info.clone()).collect()
    }

    /// Writes the cost of the step of each constraint, and adds it to its total.
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
