//! The life of weeds: seeds spread and sprout, and weeds flower, ask the soil for water and nutrients, and die.

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::declare::ActionParameter;
use farm_core::{Behaviour, Column, Columns, Context, Phase, Purpose, Reader, Stream};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, CIDE_ON_WEEDS, DEMAND, HOST_NUMBER, HOST_REPULSION, PESTS_ON_HOST, RELATIVE_HUMIDITY, SHADE,
    SUPPLY, SUPPLY_WATER, WATER_CAPACITY, WATER_DEMAND, WEEDS_SPROUTED, WILTING_WATER,
};

use super::equations::{
    arrival_chance, flowering_chance, requirement, shade, sprouting_chance, survival_chance, wanted_water,
};
use super::parameters::Ticks;
use super::{MAX_EVER, Weeds};
use crate::agronomy::response::{distance, distance_to_edge, shortage};
use crate::agronomy::{NUTRIENTS, StockDistance};

const TICK: Purpose = Purpose::named("whether weeds change");
const SHED: Purpose = Purpose::named("seeds of weeds");
const LIVE: Purpose = Purpose::named("life of weeds");

/// Upper limit of the amounts on a plot.
const MANY: f64 = 1e9;

/// The weeds of a field. `asked` has N for all plots, then P, K and C.
#[derive(Columns)]
pub(super) struct Life {
    pub(super) p: Weeds,
    #[stream]
    pub(super) key: u64,
    #[with(p.ticks())]
    ticks: Ticks,
    #[with(p.stock_distance())]
    stock_distance: StockDistance,
    #[with(d.field().length())]
    pub(super) length: usize,
    #[with(d.field().width())]
    pub(super) width: usize,
    #[with(p.most(d))]
    pub(super) most: i32,
    #[with([p.needs.nitrogen, p.needs.phosphorus, p.needs.potassium, p.needs.carbon])]
    needs: [f64; 4],
    /// Number of weeds on the plot that are not in flower.
    #[count(unit = "nb", range = 0..=most, per_plot)]
    pub(super) grow: Column<i32>,
    /// Number of weed seeds in the plot's soil.
    #[count(unit = "nb", range = 0..=most, per_plot)]
    pub(super) seeds: Column<i32>,
    /// Number of weed flowers on the plot.
    #[count(unit = "nb", range = 0..=most, per_plot)]
    pub(super) flowers: Column<i32>,
    /// Number of weeds that have sprouted on all plots in this episode.
    #[count(name = "total_cumulated_plot_population#nb", range = 0..=MAX_EVER, role = WEEDS_SPROUTED)]
    pub(super) total: Column<i32>,
    /// Number of weeds and weed flowers on which pests can sit.
    #[count(unit = "nb", range = 0..=2 * most, per_plot, hidden, role = HOST_NUMBER)]
    pub(super) hosts: Column<i32>,
    /// Number of pests on the weeds. Each kind of pest adds its number.
    #[count(unit = "nb", range = 0..=1_000_000, per_plot, hidden, role = PESTS_ON_HOST)]
    pub(super) pests: Column<i32>,
    /// Amount of {each} that the weeds request from the soil on this day.
    #[real(each = NUTRIENTS, name = "asked_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = DEMAND[i])]
    pub(super) asked: Column<f64>,
    /// Water that the weeds request from the soil on this day.
    #[real(name = "asked_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden, role = WATER_DEMAND)]
    pub(super) asked_water: Column<f64>,
    /// Ground that the weeds shade.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden, role = SHADE)]
    pub(super) shade: Column<f64>,
    /// Repulsion of pests by the weeds. A negative value attracts pests.
    #[real(name = "pest_repulsion", range = -20.0..=100.0, default = p.pest_repulsion, hidden, role = HOST_REPULSION)]
    _repulsion: Column<f64>,
    /// Pulls out all weeds on the plot. Weed seeds stay in the soil.
    #[action(
        name = "remove",
        parameters = [ActionParameter::plot()],
        done = "weeded",
        badge = include_str!("../sprites/badges/hand.svg"),
        without_effect = "there are no weeds on the plot",
        on_soil
    )]
    _remove: usize,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[one(RELATIVE_HUMIDITY)]
    humidity: Column<f64>,
    #[maybe(CIDE_ON_WEEDS, when = p.suffers_in_soil())]
    herbicide_in_soil: Option<Column<f64>>,
    #[one(each = SUPPLY)]
    supply: [Column<f64>; 4],
    #[one(SUPPLY_WATER)]
    supply_water: Column<f64>,
    #[one(WILTING_WATER)]
    wilting: Column<f64>,
    #[one(WATER_CAPACITY)]
    capacity: Column<f64>,
}

/// The changes to a plot's weeds on a day.
#[derive(Clone, Copy)]
struct Change {
    shed: bool,
    sprout: bool,
    flower: bool,
}

impl Behaviour for Life {
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let plot = arguments.plot(0);
        c.get(self.grow)[plot].set(0);
        c.get(self.flowers)[plot].set(0);
    }

    fn has_effect(&self, _: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let plot = arguments.plot(0);
        reader.get(self.grow)[plot] > 0 || reader.get(self.flowers)[plot] > 0
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        let plots = 0..self.grow.len();
        if phase == Phase::Demand {
            plots.for_each(|plot| self.ask(plot, c));
            return;
        }
        // First all seeds spread, then each plot has its day, so that the order of the plots does not matter.
        self.fly(c);
        for plot in plots {
            self.spend_day(plot, c);
        }
    }
}

impl Life {
    /// Seeds spread on all plots whose weeds change today.
    fn fly(&self, c: &Context<'_>) {
        for plot in 0..self.grow.len() {
            if let Some(change) = self.change(plot, c) {
                self.seed(plot, change, c);
            }
        }
    }

    /// Weeds on a plot sprout, flower and die if they change today.
    fn spend_day(&self, plot: usize, c: &Context<'_>) {
        if let Some(change) = self.change(plot, c) {
            self.live(plot, change, c);
        }
    }

    /// Today's changes to a plot. They have their own random stream, so that a second call returns the same changes.
    #[inline]
    fn change(&self, plot: usize, c: &Context<'_>) -> Option<Change> {
        let mut stream = c.stream(self.key, TICK.at(plot));
        if !stream.bernoulli(1.0 / self.p.time_to_grow) {
            return None;
        }
        let chosen = match self.ticks {
            Ticks::All => None,
            Ticks::One => Some(stream.index(3)),
        };
        let happens = |which| chosen.is_none_or(|chosen| chosen == which);
        Some(Change { shed: happens(0), sprout: happens(1), flower: happens(2) })
    }

    /// Publishes a plot's weeds as hosts for pests, and resets the number of pests on them to 0. Returns the number of weeds that take up
    /// water and nutrients.
    #[inline]
    fn show_hosts(&self, plot: usize, c: &Context<'_>) -> f64 {
        c.get(self.pests)[plot].set(0);
        let standing = self.publish_hosts(plot, c);
        if self.p.flowers_take { standing } else { f64::from(c.get(self.grow)[plot].get()) }
    }

    /// Sets the requests of a plot's weeds to the soil, and the values that other parts read.
    fn ask(&self, plot: usize, c: &Context<'_>) {
        let taking = self.show_hosts(plot, c);
        let standing = f64::from(c.get(self.hosts)[plot].get());
        let asked = c.get(self.asked)[plot..].iter().step_by(self.grow.len());
        for (asked, per_mm) in asked.zip(self.needs) {
            asked.set(requirement(taking, per_mm));
        }
        c.get(self.asked_water)[plot].set(requirement(taking, self.p.needs.water) / 1000.0);
        c.get(self.shade)[plot].set(shade(standing, self.p.size));
    }

    /// Writes and returns the number of weeds and flowers on a plot.
    #[inline]
    fn publish_hosts(&self, plot: usize, c: &Context<'_>) -> f64 {
        let hosts = c.get(self.grow)[plot].get() + c.get(self.flowers)[plot].get();
        c.get(self.hosts)[plot].set(hosts);
        f64::from(hosts)
    }

    /// Seeds blow in (Farm-gym Eq. 26), and flowers shed their seeds over the plot and its neighbours (II.7 steps 1, 2).
    #[farm_core::equation("26")]
    fn seed(&self, plot: usize, change: Change, c: &Context<'_>) {
        let mut stream = c.stream(self.key, SHED.at(plot));
        let (x, y) = (plot / self.width, plot % self.width);
        let edge = distance_to_edge(x, y, self.length, self.width);
        let arrived = stream.binomial(self.p.max_new_seeds, arrival_chance(&self.p.appear, edge));
        let seeds = c.get(self.seeds);
        self.add(&seeds[plot], arrived);
        if change.shed {
            let shed = move_some(&c.get(self.flowers)[plot], self.p.flower_to_seed, i32::MAX, &mut stream);
            self.scatter(plot, shed * self.p.seed_per_flower, &mut stream, c);
        }
    }

    /// Seeds land on the plot and its neighbours.
    fn scatter(&self, plot: usize, seeds: u32, stream: &mut Stream, c: &Context<'_>) {
        let around = Around::of(plot / self.width, plot % self.width, self.length, self.width);
        let landing = c.get(self.seeds);
        // Each place in turn takes an equal share of the remaining seeds.
        let mut left = seeds;
        for (k, plot) in around.plots(self.width).into_iter().take(around.len()).enumerate() {
            if left == 0 {
                return;
            }
            let landed = stream.binomial(left, 1.0 / (around.len() - k) as f64);
            self.add(&landing[plot], landed);
            left -= landed;
        }
    }

    /// Seeds sprout, weeds flower, weeds die (Farm-gym Eqs. 27–29; II.7 steps 3–5).
    #[farm_core::equation("27", "28", "29")]
    fn live(&self, plot: usize, change: Change, c: &Context<'_>) {
        let mut stream = c.stream(self.key, LIVE.at(plot));
        let (grow, flowers) = (&c.get(self.grow)[plot], &c.get(self.flowers)[plot]);
        let (temperature, herbicide) = (c.value(self.temperature), self.herbicide(plot, c));
        if change.sprout {
            let chance = sprouting_chance(&self.p.grow, temperature, c.value(self.humidity), herbicide);
            let room = self.most - grow.get();
            let sprouts = move_some(&c.get(self.seeds)[plot], chance, room, &mut stream);
            self.add(grow, sprouts);
            let total = &c.get(self.total)[0];
            total.set(total.get().saturating_add(sprouts as i32).min(MAX_EVER));
        }
        if change.flower {
            let chance = flowering_chance(self.p.flowers_base, &self.p.grow, herbicide);
            let flowering = move_some(grow, chance, i32::MAX, &mut stream);
            self.add(flowers, flowering * self.p.flowers_per_plant);
        }
        let (missing, dry) = self.missing(plot, c);
        let chance = survival_chance(&self.p.death, temperature, herbicide, missing, dry);
        grow.set(stream.binomial(grow.get().max(0) as u32, chance) as i32);
        self.publish_hosts(plot, c);
    }

    /// Adds to one of a plot's numbers, up to the maximum.
    #[inline]
    pub(super) fn add(&self, cell: &Cell<i32>, more: u32) {
        cell.set(cell.get().saturating_add_unsigned(more).min(self.most));
    }

    #[inline]
    fn herbicide(&self, plot: usize, c: &Context<'_>) -> f64 {
        self.herbicide_in_soil.map_or(0.0, |column| c.get(column)[plot].get())
    }

    /// Shortages of nutrients and water, compared with the needs of a plot's weeds at the start of the day (II.6.4).
    fn missing(&self, plot: usize, c: &Context<'_>) -> ([f64; 4], f64) {
        let plots = self.grow.len();
        let asked = c.get(self.asked);
        let required = |x: usize| asked[x * plots + plot].get();
        let supply = |x: usize| c.get(self.supply[x])[plot].get();
        let (water, wilting) = (c.get(self.supply_water)[plot].get(), c.value(self.wilting));
        // Eq. 5: the water that they need, between the wilting point and the capacity.
        let wanted = wanted_water(wilting, c.value(self.capacity), self.p.death.drought);
        match self.stock_distance {
            StockDistance::Relative => {
                let nutrients = std::array::from_fn(|x| shortage(supply(x), required(x)));
                // Weeds cannot use water below the wilting point, so the share is of the water above it.
                (nutrients, shortage((water - wilting).max(0.0), wanted - wilting))
            }
            StockDistance::Absolute => {
                let nutrients = std::array::from_fn(|x| distance(supply(x), required(x), f64::INFINITY));
                (nutrients, distance(water, wanted, f64::INFINITY))
            }
        }
    }
}

/// Takes some individuals out of a number, each with probability `chance`, but at most `room`. Returns the number taken.
#[inline]
fn move_some(cell: &Cell<i32>, chance: f64, room: i32, stream: &mut Stream) -> u32 {
    let moved = stream.binomial(cell.get().max(0) as u32, chance).min(room.max(0) as u32);
    cell.set(cell.get() - moved as i32);
    moved
}

/// A plot and its up to eight neighbours within the field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    first: (usize, usize),
    columns: usize,
    rows: usize,
}

impl Around {
    /// Maximum number of plots: a plot and its neighbours.
    const MOST: usize = 9;

    #[inline]
    pub(super) fn of(x: usize, y: usize, length: usize, width: usize) -> Self {
        let first = (x.saturating_sub(1), y.saturating_sub(1));
        let last = ((x + 1).min(length - 1), (y + 1).min(width - 1));
        Self { first, columns: last.0 - first.0 + 1, rows: last.1 - first.1 + 1 }
    }

    #[inline]
    pub(super) fn len(self) -> usize {
        self.columns * self.rows
    }

    /// The flat indices of these plots, in order. Only the first [`Self::len`] entries are valid.
    #[inline]
    pub(super) fn plots(self, width: usize) -> [usize; Self::MOST] {
        let (mut plots, mut k) = ([0; Self::MOST], 0);
        for column in self.first.0..self.first.0 + self.columns {
            for plot in (column * width + self.first.1..).take(self.rows) {
                plots[k] = plot;
                k += 1;
            }
        }
        plots
    }
}

#[cfg(test)]
mod tests {
    use super::Around;

    #[test]
    fn seeds_fly_to_the_plot_and_its_neighbours_within_the_field() {
        let around = |x, y, length, width| {
            let around = Around::of(x, y, length, width);
            around.plots(width)[..around.len()].to_vec()
        };
        assert_eq!(around(1, 1, 3, 3), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(around(0, 0, 3, 3), [0, 1, 3, 4]);
        assert_eq!(around(3, 2, 4, 3), [7, 8, 10, 11]);
        assert_eq!(around(1, 3, 4, 5), [2, 3, 4, 7, 8, 9, 12, 13, 14]);
        assert_eq!(around(0, 0, 1, 1), [0]);
        assert_eq!(around(1, 0, 3, 1), [0, 1, 2]);
    }
}
