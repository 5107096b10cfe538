//! A limited supply of water for irrigation: a tank, a pond or a well.

use farm_core::config::{Path, Problem};
use farm_core::declare::{Flow, MassBalance, real};
use farm_core::registry::KindError;
use farm_core::{Builder, Column, Context, Reader};

use super::{Soil, SoilColumns};

/// The water that is left for irrigation.
pub(super) struct Supply {
    left: Column<f64>,
    rain: Option<Catchment>,
}

/// The ground from which rain runs into the supply.
struct Catchment {
    area_m2: f64,
    /// Capacity of the supply, in L.
    volume: f64,
    rain_mm: Column<f64>,
    /// Rain that ran in today, without the rain that did not fit.
    caught: Column<f64>,
}

impl Supply {
    /// Declares the supply and its balance if the soil has one. Otherwise irrigation is unlimited.
    pub(super) fn declare(p: &Soil, columns: &SoilColumns, b: &mut Builder<'_>) -> Option<Self> {
        let Some(volume) = p.supply else {
            if let Some(catchment) = p.supply_catchment {
                let message = "`supply_catchment#m2` has no effect without `supply#L`";
                let place = Path::default().child("supply_catchment#m2");
                let problem = Problem::new(KindError::ParameterNotRead, place, message).value(catchment).about_name();
                b.problem(problem.help("set `supply#L`, or remove `supply_catchment#m2`").warning());
            }
            return None;
        };
        let left = real("supply_left#L", 0.0, volume, "Water left in the supply for irrigation.");
        let left = b.declare(left.default(volume));
        let rain = p.supply_catchment.map(|area_m2| {
            let doc = "Rain that flowed into the supply on this day. Rain that did not fit does not count.";
            let caught = b.declare(real("supply_caught#L.day-1", 0.0, volume, doc));
            Catchment { area_m2, volume, rain_mm: columns.rain_mm, caught }
        });
        let balance = MassBalance::new("water of the supply", "L", left);
        let balance = balance.with_flows([Flow::outflow("watering", columns.added).cumulated()]);
        b.mass_balance(balance.with_flows(rain.as_ref().map(|rain| Flow::inflow("rain", rain.caught))));
        Some(Self { left, rain })
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
        let Some(rain) = &self.rain else { return };
        let left = &c.get(self.left)[0];
        let caught = (c.value(rain.rain_mm) * rain.area_m2).min(rain.volume - left.get());
        left.set((left.get() + caught).min(rain.volume));
        c.get(rain.caught)[0].set(caught);
    }
}
