//! A limited supply of water for irrigation: a tank, a pond or a well.

use farm_core::config::{Path, Problem};
use farm_core::declare::{Flow, MassBalance};
use farm_core::registry::KindError;
use farm_core::{Column, Columns, Context, Declarations, Found, Reader};
use farm_roles::RAIN_AMOUNT;

use super::{Soil, SoilColumns};

/// The water that is left for irrigation.
#[derive(Columns)]
pub(super) struct Supply {
    tank: Tank,
    /// Water left in the supply for irrigation.
    #[real(name = "supply_left#L", range = 0.0..=tank.volume, default = tank.volume)]
    left: Column<f64>,
    /// Rain that flowed into the supply on this day. Rain that did not fit does not count.
    #[real(name = "supply_caught#L.day-1", range = 0.0..=tank.volume, when = tank.catchment_m2.is_some())]
    caught: Option<Column<f64>>,
    #[one(RAIN_AMOUNT)]
    rain_mm: Column<f64>,
}

/// The data that a supply depends on.
#[derive(Clone)]
pub(super) struct Tank {
    /// Capacity of the supply, in L.
    volume: f64,
    /// The area from which rain runs into the supply.
    catchment_m2: Option<f64>,
}

impl Tank {
    /// The supply of a soil, if the soil has one. Otherwise irrigation is unlimited.
    pub(super) fn of(p: &Soil, d: &mut Declarations<'_>) -> Option<Self> {
        let Some(volume) = p.supply else {
            if let Some(catchment) = p.supply_catchment {
                let message = "`supply_catchment#m2` has no effect without `supply#L`";
                let place = Path::default().child("supply_catchment#m2");
                let problem = Problem::new(KindError::ParameterNotRead, place, message).value(catchment).about_name();
                d.problem(problem.help("set `supply#L`, or remove `supply_catchment#m2`").warning());
            }
            return None;
        };
        Some(Self { volume, catchment_m2: p.supply_catchment })
    }
}

impl Supply {
    /// Sets the balance of the supply.
    pub(super) fn set_balance(&self, columns: &SoilColumns, found: &mut Found<'_>) {
        let balance = MassBalance::new("water of the supply", "L", self.left);
        let balance = balance.with_flows([Flow::outflow("watering", columns.added).cumulated()]);
        found.mass_balance(balance.with_flows(self.caught.map(|caught| Flow::inflow("rain", caught))));
    }

    /// Removes water for an irrigation. Returns the amount that the supply provided, in L.
    pub(super) fn take(&self, asked: f64, c: &Context<'_>) -> f64 {
        let left = &c.get(self.left)[0];
        let given = asked.min(left.get());
        left.set(left.get() - given);
        given
    }

    /// Whether any water is left.
    pub(super) fn has_water(&self, reader: &Reader<'_>) -> bool {
        reader.get(self.left)[0] > 0.0
    }

    /// Adds the day's rain, up to the capacity.
    pub(super) fn catch_rain(&self, c: &Context<'_>) {
        let (Some(caught), Some(area_m2)) = (self.caught, self.tank.catchment_m2) else { return };
        let left = &c.get(self.left)[0];
        let fits = (c.value(self.rain_mm) * area_m2).min(self.tank.volume - left.get());
        left.set((left.get() + fits).min(self.tank.volume));
        c.get(caught)[0].set(fits);
    }
}
