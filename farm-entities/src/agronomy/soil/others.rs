//! Water and pesticides from parts that the soil knows only by their roles. These pesticides act on targets other than the soil's four.

use farm_core::config::{Path, Problem};
use farm_core::declare::{All, Own, real};
use farm_core::{Column, Columns, Context, Declarations, Found, Known};
use farm_roles::{CIDE_RELEASE_OTHERS, WATER_INFLOW};

use super::{CIDE_TARGETS, sum_at};
use crate::agronomy::AgronomyError;

/// The parts that bring water to the plots.
#[derive(Clone)]
pub(super) struct Sources {
    brought: All<f64>,
    /// Maximum daily inflow, in L per plot.
    pub(super) max_liters: f64,
}

impl Sources {
    /// The parts that bring water, if there are any. Otherwise the field has no variable for it.
    pub(super) fn of(d: &mut Declarations<'_>, known: &Known<'_>) -> Option<Self> {
        let brought = d.all(WATER_INFLOW);
        let providers = known.declarations(WATER_INFLOW);
        let max_liters = providers.iter().map(|(_, variable)| variable.kind().range().1).sum();
        (!providers.is_empty()).then_some(Self { brought, max_liters })
    }
}

/// Water that other parts bring to the plots.
#[derive(Columns)]
pub(super) struct Inflow {
    _sources: Sources,
    /// Water that each part brings today.
    #[bind(found.get(_sources.brought))]
    brought: Vec<Column<f64>>,
    /// Water that other parts brought to the plot on this day, for example from a tank or a canal.
    #[real(name = "inflow_Water#L.day-1", range = 0.0..=_sources.max_liters, per_plot)]
    pub(super) total: Column<f64>,
}

impl Inflow {
    /// The water that other parts bring to a plot today, in L. It is also written to the day's total.
    #[inline]
    pub(super) fn take_in(&self, plot: usize, c: &Context<'_>) -> f64 {
        let amount = sum_at(&self.brought, plot, c);
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

/// The same before the game is complete.
pub(super) struct DeclaredFurtherCide {
    pub(super) stock: Own<f64>,
    /// The releases, as indices of the providers of `CIDE_RELEASE_OTHERS`.
    pub(super) released: Vec<usize>,
}

impl DeclaredFurtherCide {
    /// Declares a stock for each target that a pesticide names and that some part reads with the role `cide_on_TARGET`. Targets that no
    /// part reads have no stock, because they have no effect.
    pub(super) fn all(d: &mut Declarations<'_>, known: &Known<'_>) -> Vec<Self> {
        d.all(CIDE_RELEASE_OTHERS);
        let mut by_target: Vec<(&str, Vec<usize>)> = Vec::new();
        for (i, (part, variable)) in known.declarations(CIDE_RELEASE_OTHERS).into_iter().enumerate() {
            let stem = variable.name().split('#').next().unwrap_or_default();
            match stem.strip_prefix("cide_release_").filter(|target| !CIDE_TARGETS.contains(target)) {
                Some(target) => match by_target.iter_mut().find(|(known, _)| *known == target) {
                    Some((_, released)) => released.push(i),
                    None => by_target.push((target, vec![i])),
                },
                None => {
                    let message = format!(
                        "`{}` of `{}` has the role `{}`, but its name contains no further target",
                        variable.name(),
                        part.path(),
                        CIDE_RELEASE_OTHERS.name()
                    );
                    let problem = Problem::new(AgronomyError::WrongTarget, Path::default(), message)
                        .about_name()
                        .value(variable.name());
                    d.problem(
                        problem
                            .expected("`cide_release_TARGET#g.day-1`, for parts that read the role `cide_on_TARGET`"),
                    );
                }
            }
        }
        let declared = by_target.into_iter().filter_map(|(target, released)| {
            let role = super::super::cide::role_of_target(known.parts(), target)?;
            let doc = format!("Pesticide in the plot's soil that acts on the target `{target}`.");
            let stock = real(&format!("amount_cide.{target}#g"), 0.0, 1e9, &doc).per_plot().role(role);
            Some(Self { stock: d.variable(stock), released })
        });
        declared.collect()
    }

    pub(super) fn bind(&self, found: &Found<'_>) -> FurtherCide {
        let releases = found.declarations(CIDE_RELEASE_OTHERS);
        let released = self.released.iter().filter_map(|i| releases[*i].1.column());
        FurtherCide { stock: found.get(self.stock), released: released.collect() }
    }
}
