//! An irrigation tank: it catches rain and waters the plots in its own field and in all fields that use it.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's rain | `rain_amount` | mm.day-1 |
//!
//! | writes | unit |
//! |---|---|
//! | water in the tank; water caught and overflow today | L, L.day-1 |
//! | water that each plot gets today, for each field of the tank (role `water_inflow`) | L.day-1 |
//!
//! Source: designed for this example. A millimetre of rain on a square metre of catchment is a litre. Water ordered for a field flows on
//! the same day, before the plants drink. If the tank has less water than all orders together, each order gets the same share.

use farm_core::action::CallArguments;
use farm_core::declare::{ActionParameter, EventId, Flow, MassBalance, Own, Picture, real};
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Phase, Reader};
use farm_roles::{RAIN_AMOUNT, WATER_INFLOW};

/// A tank that catches rain and waters its own field and the fields that use it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct IrrigationTank {
    /// Volume of the tank.
    #[parameter(unit = "L", default = 500.0, range = 1.0..=1e6)]
    pub volume: f64,
    /// Water at the start of an episode, at most the volume.
    #[parameter(name = "initial_water#L", default = 500.0, range = 0.0..=1e6)]
    pub initial: f64,
    /// Area of the roof from which rain runs into the tank.
    #[parameter(unit = "m2", default = 10.0, range = 0.0..=1e4)]
    pub catchment: f64,
}

/// Maximum amount of water that can be ordered for each plot in a day.
const MAX_FOR_A_PLOT: f64 = 100.0;
/// Maximum daily rain, for the ranges of the variables [mm].
const MAX_RAIN_MM: f64 = 10_000.0;

#[farm_core::register(source = "Design of this example: a balance of water")]
impl Entity for IrrigationTank {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let water = real("water#L", 0.0, self.volume, "Water in the tank.");
        let water = d.variable(water.default(self.initial.min(self.volume)));
        let most = MAX_RAIN_MM * self.catchment;
        let caught = d.variable(real("caught#L.day-1", 0.0, most, "Rain that ran into the tank today."));
        let over = d.variable(real("overflow#L.day-1", 0.0, most, "Rain of today that did not fit into the tank."));
        let served = d.part().fields_served();
        let names: Vec<String> = served.iter().map(|field| d.fields()[*field].name().to_owned()).collect();
        let fields = served.iter().zip(&names).map(|(field, name)| {
            let ordered = format!("ordered_{field}#L.day-1");
            let doc = format!("Water ordered for each plot of `{name}` today.");
            let ordered = d.variable(real(&ordered, 0.0, MAX_FOR_A_PLOT, &doc).hidden());
            let doc = format!("Water that each plot of `{name}` gets today.");
            let inflow = real(&format!("inflow_{field}#L.day-1"), 0.0, MAX_FOR_A_PLOT, &doc);
            (ordered, d.variable(inflow.plots_of(*field).role(WATER_INFLOW)))
        });
        let fields: Vec<(Own<f64>, Own<f64>)> = fields.collect();
        let choices: Vec<&str> = names.iter().map(String::as_str).collect();
        let which = ActionParameter::choice("field", &choices, "The field that gets the water.");
        let amount = [1.0, 2.0, 5.0, 10.0];
        let amount = ActionParameter::real("amount#L", 0.0, MAX_FOR_A_PLOT, &amount, "Water for each of its plots.");
        d.action("irrigate", vec![which, amount], "Orders water for all plots of a field. It arrives on the same day.");
        d.picture(Picture::in_status_bar("Tank").value("water#L"));
        d.runs_in(Phase::Release);
        let empty =
            d.event("tank_empty", 1, "The tank held less than was ordered; the value is the missing amount, in L.");
        let rain = d.one(RAIN_AMOUNT);
        Bind::new(move |found| {
            let fields = found.get(fields).into_iter().map(|(ordered, inflow)| Served { ordered, inflow });
            let tank = Tank {
                volume: self.volume,
                catchment: self.catchment,
                rain: found.get(rain),
                water: found.get(water),
                caught: found.get(caught),
                over: found.get(over),
                fields: fields.collect(),
                empty: found.get(empty),
            };
            let balance = MassBalance::new("water of the tank", "L", tank.water);
            let balance = balance.inflow("rain", tank.caught).outflow("overflow", tank.over);
            let given = tank.fields.iter().zip(&names);
            let given = given.map(|(field, name)| Flow::outflow(&format!("to {name}"), field.inflow));
            found.mass_balance(balance.with_flows(given));
            tank
        })
    }
}

/// A field that gets water.
struct Served {
    ordered: Column<f64>,
    inflow: Column<f64>,
}

/// The tank, day by day.
struct Tank {
    volume: f64,
    catchment: f64,
    rain: Column<f64>,
    water: Column<f64>,
    caught: Column<f64>,
    over: Column<f64>,
    fields: Vec<Served>,
    empty: EventId,
}

impl Behaviour for Tank {
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let ordered = &c.get(self.fields[arguments.choice(0)].ordered)[0];
        ordered.set((ordered.get() + arguments.real(1)).min(MAX_FOR_A_PLOT));
    }

    fn has_effect(&self, _: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        arguments.real(1) > 0.0 && reader.get(self.water)[0] > 0.0
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let rain = (c.value(self.rain) * self.catchment).min(MAX_RAIN_MM * self.catchment);
        let water = &c.get(self.water)[0];
        let kept = rain.min(self.volume - water.get());
        water.set((water.get() + kept).min(self.volume));
        c.get(self.caught)[0].set(rain);
        c.get(self.over)[0].set(rain - kept);
        let plots = |field: &Served| field.inflow.len() as f64;
        let wanted: f64 = self.fields.iter().map(|field| c.value(field.ordered) * plots(field)).sum();
        let share = share(water.get(), wanted);
        for field in &self.fields {
            let each = c.get(field.ordered)[0].replace(0.0) * share;
            c.get(field.inflow).iter().for_each(|plot| plot.set(each));
        }
        let missing = wanted - water.get();
        water.set((-missing).max(0.0));
        if missing > 0.0 {
            c.emit(self.empty, 0, missing);
        }
    }
}

/// The share of an order that a stock can deliver.
///
/// f = min(1, stock / wanted); 1 when nothing is wanted
pub fn share(stock: f64, wanted: f64) -> f64 {
    if wanted > stock { stock / wanted } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn a_tank_grants_what_it_has_and_never_more_than_is_wanted() {
        assert_eq!([share(10.0, 5.0), share(5.0, 10.0), share(0.0, 0.0), share(0.0, 3.0)], [1.0, 0.5, 1.0, 0.0]);
    }
}
