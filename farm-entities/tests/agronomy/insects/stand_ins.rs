//! Parts that stand in for weather, leaves and animals, with values that the test says.

use farm_core::declare::{count, real};
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Phase};

use crate::forced::{Still, constant};

/// What insects feel of the weather, of cides and of birds, constant.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct ForcedSummer {
    /// Lowest temperature.
    #[parameter(default = 14.0, range = -60.0..=60.0)]
    pub min: f64,
    /// Highest temperature.
    #[parameter(default = 30.0, range = -60.0..=60.0)]
    pub max: f64,
    /// Wind in km/h.
    #[parameter(range = 0.0..=1e6)]
    pub wind: f64,
    /// Where it comes from.
    #[parameter(range = 0.0..=360.0)]
    pub from: f64,
    /// Cide against pests and pollinators in g.
    #[parameter(range = 0.0..=1e6)]
    pub cide: f64,
    /// Birds that eat pests.
    #[parameter(range = 0..=1000)]
    pub birds: u32,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedSummer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let mut temperature = |role: farm_core::Role<f64>, value: f64| {
            d.variable(real(role.name(), -100.0, 100.0, "Forced.").default(value).role(role));
        };
        temperature(farm_roles::AIR_TEMPERATURE_MIN, self.min);
        temperature(farm_roles::AIR_TEMPERATURE_MEAN, (self.min + self.max) / 2.0);
        temperature(farm_roles::AIR_TEMPERATURE_MAX, self.max);
        constant(d, farm_roles::WIND_SPEED, self.wind);
        constant(d, farm_roles::WIND_DIRECTION, self.from);
        constant(d, farm_roles::RAIN_AMOUNT, 0.0);
        constant(d, farm_roles::CIDE_ON_PESTS, self.cide);
        constant(d, farm_roles::CIDE_ON_POLLINATORS, self.cide);
        d.variable(count("birds", 0, 1000, "Forced.").default(f64::from(self.birds)).role(farm_roles::PEST_EATERS));
        Bind::new(|_| Still)
    }
}

/// A host with leaves and flowers that nobody eats.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct ForcedLeaves {
    /// Leaves of each plot in m².
    #[parameter(default = 500.0, range = 0.0..=1e6)]
    pub leaves: f64,
    /// How much it repels insects.
    #[parameter(range = -100.0..=100.0)]
    pub repulsion: f64,
    /// Flowers of each plot.
    #[parameter(range = 0..=10_000_000)]
    pub flowers: u32,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedLeaves {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        declare_host(d, self.leaves, self.repulsion);
        let flowers = count("flowers", 0, 10_000_000, "Forced.").per_plot().default(f64::from(self.flowers));
        d.variable(flowers.role(farm_roles::FLOWERS));
        Bind::new(|_| Still)
    }
}

/// Weeds with leaves that nobody eats.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct ForcedWeeds {
    /// Leaves of each plot in m².
    #[parameter(default = 500.0, range = 0.0..=1e6)]
    pub leaves: f64,
    /// How much they repel insects.
    #[parameter(range = -100.0..=100.0)]
    pub repulsion: f64,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedWeeds {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        declare_host(d, self.leaves, self.repulsion);
        d.variable(count("sprouted", 0, 1, "Forced.").role(farm_roles::WEEDS_SPROUTED));
        Bind::new(|_| Still)
    }
}

fn declare_host(d: &mut Declarations<'_>, leaves: f64, repulsion: f64) {
    constant(d, farm_roles::LEAF_AREA, leaves);
    d.variable(count("number", 0, 1000, "Forced.").per_plot().default(100.0).role(farm_roles::HOST_NUMBER));
    d.variable(real("repulsion", -100.0, 100.0, "Forced.").default(repulsion).role(farm_roles::HOST_REPULSION));
    d.variable(count("pests", 0, 1_000_000, "Forced.").per_plot().role(farm_roles::PESTS_ON_HOST));
}

/// Insects on every host: so many for each plant, or so many that they eat a share of the leaves, on some days.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct ForcedInsects {
    /// For each plant.
    #[parameter(range = 0.0..=1000.0)]
    pub per_plant: f64,
    /// On the plot, however many plants there are.
    #[parameter(range = 0..=1000)]
    pub on_plot: u32,
    /// Share of the leaves of large plants that they eat in a day, each three square centimetres.
    #[parameter(range = 0.0..=1.0)]
    pub eating: f64,
    /// The first and the last day.
    #[parameter(default = [0.0, 1000.0], range = 0.0..=1000.0)]
    pub days: [f64; 2],
}

#[derive(Columns)]
struct Insects {
    p: ForcedInsects,
    #[all(farm_roles::HOST_NUMBER)]
    numbers: Vec<Column<i32>>,
    #[all(farm_roles::LEAF_AREA)]
    leaves: Vec<Column<f64>>,
    #[all(farm_roles::PESTS_ON_HOST)]
    pests: Vec<Column<i32>>,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedInsects {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.runs_in(Phase::Visit);
        d.writes(farm_roles::PESTS_ON_HOST);
        let declared = Insects::declare(d, self);
        Bind::new(move |found| declared.bind(found))
    }
}

impl Behaviour for Insects {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let today = f64::from(c.step());
        if !(self.p.days[0]..=self.p.days[1]).contains(&today) {
            return;
        }
        for ((number, leaves), pests) in self.numbers.iter().zip(&self.leaves).zip(&self.pests) {
            for ((number, leaves), pests) in c.get(*number).iter().zip(c.get(*leaves)).zip(c.get(*pests)) {
                let each_day = self.p.per_plant * f64::from(number.get());
                // What is not a whole number comes on some of the days.
                let sitting = ((today + 1.0) * each_day).floor() - (today * each_day).floor();
                let on_plot = if number.get() > 0 { f64::from(self.p.on_plot) } else { 0.0 };
                let eating = self.p.eating * leaves.get() * 1e4 / 3.0;
                pests.set(pests.get() + (sitting + on_plot + eating.round()) as i32);
            }
        }
    }
}
