//! Water and pesticides from parts that the soil knows only by their roles. These pesticides act on targets other than the soil's four.

use farm_core::config::{Path, Problem};
use farm_core::declare::real;
use farm_core::{Builder, Column, Columns, Context};
use farm_roles::{CIDE_RELEASE_OTHERS, WATER_INFLOW};

use super::{CIDE_TARGETS, sum_at};
use crate::agronomy::AgronomyError;

/// The parts that bring water to the plots.
#[derive(Clone)]
pub(super) struct Sources {
    /// Water that each part brings today.
    brought: Vec<Column<f64>>,
    /// Maximum daily inflow, in L per plot.
    pub(super) max_liters: f64,
}

/// Water that other parts bring to the plots.
#[derive(Columns)]
pub(super) struct Inflow {
    pub(super) sources: Sources,
    /// Water that other parts brought to the plot on this day, for example from a tank or a canal.
    #[real(name = "inflow_Water#L.day-1", range = 0.0..=sources.max_liters, per_plot)]
    pub(super) total: Column<f64>,
}

impl Inflow {
    /// Declares the inflow if some part brings water. Otherwise the field has no variable for it.
    pub(super) fn find(b: &mut Builder<'_>) -> Option<Self> {
        let providers = b.all_declared(WATER_INFLOW);
        if providers.is_empty() {
            return None;
        }
        let max_liters = providers.iter().map(|(_, variable, _)| variable.kind().range().1).sum();
        let brought = providers.into_iter().map(|(_, _, column)| column).collect();
        Some(Self::declare(b, &Sources { brought, max_liters }))
    }

    /// The water that other parts bring to a plot today, in L. It is also written to the day's total.
    #[inline]
    pub(super) fn take_in(&self, plot: usize, c: &Context<'_>) -> f64 {
        let amount = sum_at(&self.sources.brought, plot, c);
        c.get(self.total)[plot].set(amount);
        amount
    }
}

/// A pesticide against a target that is not one of [`CIDE_TARGETS`].
pub(super) struct FurtherCide {
    /// The amount in the soil.
    pub(super) stock: Column<f64>,
    /// Today's releases.
    pub(super) released: Vec<Column<f64>>,
}

impl FurtherCide {
    /// Declares a stock for each target that a pesticide names and that some part reads with the role `cide_on_TARGET`. Targets that no
    /// part reads have no stock, because they have no effect.
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
                        "`{}` of `{part}` has the role `{}`, but its name contains no further target",
                        variable.name(),
                        CIDE_RELEASE_OTHERS.name()
                    );
                    let problem = Problem::new(AgronomyError::WrongTarget, Path::default(), message)
                        .about_name()
                        .value(variable.name());
                    b.problem(
                        problem
                            .expected("`cide_release_TARGET#g.day-1`, for parts that read the role `cide_on_TARGET`"),
                    );
                }
            }
        }
        let declared = by_target.into_iter().filter_map(|(target, released)| {
            let role = super::super::cide::role_of_target(b.parts(), &target)?;
            let doc = format!("Pesticide in the plot's soil that acts on the target `{target}`.");
            let stock = real(&format!("amount_cide.{target}#g"), 0.0, 1e9, &doc).per_plot().role(role);
            Some(Self { stock: b.declare(stock), released })
        });
        declared.collect()
    }
}
