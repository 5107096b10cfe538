//! Parts that stand in for weather, leaves and animals, with values that the test says.

use farm_core::declare::{count, real};
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase};

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
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let mut temperature = |role: farm_core::Role<f64>, value: f64| {
            b.declare(real(role.name(), -100.0, 100.0, "Forced.").default(value).role(role));
        };
        temperature(farm_roles::AIR_TEMPERATURE_MIN, self.min);
        temperature(farm_roles::AIR_TEMPERATURE_MEAN, (self.min + self.max) / 2.0);
        temperature(farm_roles::AIR_TEMPERATURE_MAX, self.max);
        constant(b, farm_roles::WIND_SPEED, self.wind);
        constant(b, farm_roles::WIND_DIRECTION, self.from);
        constant(b, farm_roles::RAIN_AMOUNT, 0.0);
        constant(b, farm_roles::CIDE_ON_PESTS, self.cide);
        constant(b, farm_roles::CIDE_ON_POLLINATORS, self.cide);
        b.declare(count("birds", 0, 1000, "Forced.").default(f64::from(self.birds)).role(farm_roles::PEST_EATERS));
        Box::new(Still)
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
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        declare_host(b, self.leaves, self.repulsion);
        let flowers = count("flowers", 0, 10_000_000, "Forced.").per_plot().default(f64::from(self.flowers));
        b.declare(flowers.role(farm_roles::FLOWERS));
        Box::new(Still)
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
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        declare_host(b, self.leaves, self.repulsion);
        b.declare(count("sprouted", 0, 1, "Forced.").role(farm_roles::WEEDS_SPROUTED));
        Box::new(Still)
    }
}

fn declare_host(b: &mut Builder<'_>, leaves: f64, repulsion: f64) {
    constant(b, farm_roles::LEAF_AREA, leaves);
    b.declare(count("number", 0, 1000, "Forced.").per_plot().default(100.0).role(farm_roles::HOST_NUMBER));
    b.declare(real("repulsion", -100.0, 100.0, "Forced.").default(repulsion).role(farm_roles::HOST_REPULSION));
    b.declare(count("pests", 0, 1_000_000, "Forced.").per_plot().role(farm_roles::PESTS_ON_HOST));
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

struct Insects {
    p: ForcedInsects,
    numbers: Vec<Column<i32>>,
    leaves: Vec<Column<f64>>,
    pests: Vec<Column<i32>>,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedInsects {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        b.runs_in(Phase::Visit);
        b.writes(farm_roles::PESTS_ON_HOST);
        Box::new(Insects {
            p: self.clone(),
            numbers: b.all(farm_roles::HOST_NUMBER),
            leaves: b.all(farm_roles::LEAF_AREA),
            pests: b.all(farm_roles::PESTS_ON_HOST),
        })
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
