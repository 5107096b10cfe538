//! What parts bring to the soil that it knows by their roles only: water, and cides against further targets than its own four.

use farm_core::config::{Path, Problem};
use farm_core::declare::real;
use farm_core::{Builder, Column, Context};
use farm_roles::{CIDE_RELEASE_OTHERS, WATER_INFLOW};

use super::{CIDE_TARGETS, sum_at};
use crate::agronomy::AgronomyError;

/// Water that others bring to the plots.
pub(super) struct Inflow {
    /// What each of them brings today.
    brought: Vec<Column<f64>>,
    /// What came in today, of all of them.
    pub(super) total: Column<f64>,
    /// The most that can come in on a day, in L per plot.
    pub(super) max_liters: f64,
}

impl Inflow {
    /// Declares it where anybody brings water; without them a field has no such variable.
    pub(super) fn declare(b: &mut Builder<'_>) -> Option<Self> {
        let providers = b.all_declared(WATER_INFLOW);
        if providers.is_empty() {
            return None;
        }
        let max_liters = providers.iter().map(|(_, variable, _)| variable.kind().range().1).sum();
        let total = real(
            "inflow_Water#L.day-1",
            0.0,
            max_liters,
            "Water that other parts brought to the plot on this day, for example from a tank or a canal.",
        );
        let total = b.declare(total.per_plot());
        Some(Self { brought: providers.into_iter().map(|(_, _, column)| column).collect(), total, max_liters })
    }

    /// What others bring to a plot today, in L; the day's total says so.
    #[inline]
    pub(super) fn take_in(&self, plot: usize, c: &Context<'_>) -> f64 {
        let amount = sum_at(&self.brought, plot, c);
        c.get(self.total)[plot].set(amount);
        amount
    }
}

/// A cide against a target that is not one of [`CIDE_TARGETS`].
pub(super) struct FurtherCide {
    /// What lies in the soil.
    pub(super) stock: Column<f64>,
    /// What is set free today.
    pub(super) released: Vec<Column<f64>>,
}

impl FurtherCide {
    /// Declares a stock for each target that a cide names and some part reads, by the role `cide_on_TARGET`. What nobody reads
    /// harms nobody, and is not kept.
    pub(super) fn declare_all(b: &mut Builder<'_>) -> Vec<Self> {
        let mut by_target: Vec<(String, Vec<Column<f64>>)> = Vec::new();
        for (part, variable, column) in b.all_declared(CIDE_RELEASE_OTHERS) {
            let stem = variable.name().split('#').next().unwrap_or_default();
            match stem.strip_prefix("cide_release_").filter(|target| !CIDE_TARGETS.contains(target)) {
                Some(target) => match by_target.iter_mut().find(|(known, _)| known == target) {
                    Some((_, columns)) => columns.push(column),
                    None => by_target.push((target.to_owned(), vec![column])),
                },
                None => {
                    let message = format!(
                        "the name of `{}` of `{part}` does not say against what further target it is, though its role is `{}`",
                        variable.name(),
                        CIDE_RELEASE_OTHERS.name()
                    );
                    let problem = Problem::new(AgronomyError::WrongTarget, Path::default(), message)
                        .about_name()
                        .value(variable.name());
                    b.problem(
                        problem.expected("`cide_release_TARGET#g.day-1`, for whoever reads the role `cide_on_TARGET`"),
                    );
                }
            }
        }
        let declared = by_target.into_iter().filter_map(|(target, released)| {
            let role = super::super::cide::role_of_target(b.parts(), &target)?;
            let doc = format!("Pesticide in the soil of the plot that acts on the target `{target}`.");
            let stock = real(&format!("amount_cide.{target}#g"), 0.0, 1e9, &doc).per_plot().role(role);
            Some(Self { stock: b.declare(stock), released })
        });
        declared.collect()
    }
}
