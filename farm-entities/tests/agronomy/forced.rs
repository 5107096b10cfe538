//! Parts that stand in for weather, soil, plants and animals, with values that the test says.

use farm_core::declare::{count, flag, real};
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Role};

farm_core::parameters! {
    /// The weather of a day.
    pub struct ForcedDay {
        /// Mean temperature.
        pub t: f64 = 20.0, "t", [-90.0, 60.0];
        /// Lowest temperature.
        pub t_min: f64 = 15.0, "t_min", [-90.0, 60.0];
        /// Mean humidity.
        pub rh: f64 = 70.0, "rh", [0.0, 100.0];
        /// Lowest humidity.
        pub rh_min: f64 = 45.0, "rh_min", [0.0, 100.0];
        /// Wind at 2 m in m/s.
        pub u2: f64 = 2.0, "u2", [0.0, 100.0];
        /// Rain in mm.
        pub rain: f64 = 0.0, "rain", [0.0, 1000.0];
        /// Intensity of the rain.
        pub intensity: f64 = 0.0, "intensity", [0.0, 1.0];
        /// Reference evapotranspiration in mm.
        pub et0: f64 = 0.0, "et0", [0.0, 100.0];
    }
}

farm_core::parameters! {
    /// Weather from a list: the first step sees the first day, and so on; the last day stays.
    pub struct ForcedWeather {
        /// The days.
        pub days: Vec<ForcedDay> = vec![ForcedDay::default()];
    }
}

farm_core::register!(Entity, ForcedWeather, "Weather from a list.", "Test");

struct Air {
    days: Vec<ForcedDay>,
    columns: [Column<f64>; 9],
    frost: Column<i32>,
}

#[farm_core::typetag::serde]
impl Entity for ForcedWeather {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let wanted = [
            farm_roles::AIR_TEMPERATURE_MEAN,
            farm_roles::AIR_TEMPERATURE_MIN,
            farm_roles::AIR_TEMPERATURE_MAX,
            farm_roles::RELATIVE_HUMIDITY,
            farm_roles::RELATIVE_HUMIDITY_MIN,
            farm_roles::WIND_SPEED_2M,
            farm_roles::RAIN_AMOUNT,
            farm_roles::RAIN_INTENSITY,
            farm_roles::REFERENCE_EVAPOTRANSPIRATION,
        ];
        let columns = wanted.map(|role| {
            let (low, high) = within(role, -100.0, 1000.0);
            b.declare(real(role.name, low, high, "Forced.").role(role))
        });
        let frost = b.declare(count("frost", 0, 10_000, "Forced.").role(farm_roles::CONSECUTIVE_FROST));
        b.runs_in(Phase::Exogenous);
        Box::new(Air { days: self.days.clone(), columns, frost })
    }
}

impl Behaviour for Air {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let day = &self.days[(c.step() as usize).min(self.days.len() - 1)];
        let values = [day.t, day.t_min, day.t, day.rh, day.rh_min, day.u2, day.rain, day.intensity, day.et0];
        for (column, value) in self.columns.iter().zip(values) {
            c.get(*column)[0].set(value);
        }
        let frost = &c.get(self.frost)[0];
        frost.set(if day.t_min < 0.0 { frost.get() + 1 } else { 0 });
    }
}

farm_core::parameters! {
    /// A soil that never changes.
    pub struct ForcedSoil {
        /// Water before uptake.
        pub water: f64 = 180.0, "water", [0.0, 1e6];
        /// Water it holds.
        pub capacity: f64 = 180.0, "capacity", [0.0, 1e6];
        /// Water out of reach.
        pub wilting: f64 = 110.0, "wilting", [0.0, 1e6];
        /// Granted share of the water.
        pub water_share: f64 = 1.0, "water_share", [0.0, 1.0];
        /// Stock of nitrogen.
        pub n: f64 = 1e6, "n", [0.0, 1e9];
        /// Stock of phosphorus.
        pub p: f64 = 1e6, "p", [0.0, 1e9];
        /// Stock of potassium.
        pub k: f64 = 1e6, "k", [0.0, 1e9];
        /// Stock of carbon.
        pub c: f64 = 1e6, "c", [0.0, 1e9];
        /// Granted share of every nutrient.
        pub share: f64 = 1.0, "share", [0.0, 1.0];
        /// Health of the microlife.
        pub microlife: f64 = 100.0, "microlife", [0.0, 100.0];
    }
}

farm_core::register!(Entity, ForcedSoil, "A soil that never changes.", "Test");

pub(crate) struct Still;

impl Behaviour for Still {}

/// A range that a role allows.
fn within(role: Role<f64>, low: f64, high: f64) -> (f64, f64) {
    role.range.map_or((low, high), |(lowest, highest)| (low.max(lowest), high.min(highest)))
}

/// Declares a constant with a role.
pub(crate) fn constant(b: &mut Builder<'_>, role: Role<f64>, value: f64) {
    let (low, high) = within(role, 0.0, 1e9);
    let variable = real(role.name, low, high, "Forced.");
    let variable = if role.scalar { variable } else { variable.per_plot() };
    b.declare(variable.default(value).role(role));
}

#[farm_core::typetag::serde]
impl Entity for ForcedSoil {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        constant(b, farm_roles::SUPPLY_WATER, self.water);
        constant(b, farm_roles::WATER_CAPACITY, self.capacity);
        constant(b, farm_roles::WILTING_WATER, self.wilting);
        constant(b, farm_roles::WATER_SHARE, self.water_share);
        constant(b, farm_roles::MICROLIFE, self.microlife);
        for (role, stock) in farm_roles::SUPPLY.into_iter().zip([self.n, self.p, self.k, self.c]) {
            constant(b, role, stock);
        }
        for role in farm_roles::SHARE {
            constant(b, role, self.share);
        }
        Box::new(Still)
    }
}

farm_core::parameters! {
    /// Something that asks the same of the soil every day.
    pub struct ForcedDemand {
        /// Water in L.
        pub water: f64 = 0.0, "water", [0.0, 1e6];
        /// Each nutrient in g.
        pub nutrients: f64 = 0.0, "nutrients", [0.0, 1e6];
        /// Each nutrient given back in g.
        pub release: f64 = 0.0, "release", [0.0, 1e6];
        /// Shade in m².
        pub shade: f64 = 0.0, "shade", [0.0, 1e6];
    }
}

farm_core::register!(Entity, ForcedDemand, "Something that asks the same of the soil every day.", "Test");

#[farm_core::typetag::serde]
impl Entity for ForcedDemand {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        constant(b, farm_roles::WATER_DEMAND, self.water);
        constant(b, farm_roles::SHADE, self.shade);
        farm_roles::DEMAND.into_iter().for_each(|role| constant(b, role, self.nutrients));
        farm_roles::RELEASE.into_iter().for_each(|role| constant(b, role, self.release));
        Box::new(Still)
    }
}

farm_core::parameters! {
    /// Birds in the field, and insects that visit every plot or none.
    pub struct ForcedGuests {
        /// Birds that eat seeds.
        pub birds: u32 = 0, "birds", [0, 1000];
        /// Whether insects visit.
        pub insects: bool = false;
    }
}

farm_core::register!(Entity, ForcedGuests, "Birds and insects.", "Test");

#[farm_core::typetag::serde]
impl Entity for ForcedGuests {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let birds = count("birds", 0, 1000, "Forced.").default(f64::from(self.birds));
        b.declare(birds.role(farm_roles::SEED_EATERS));
        let insects = flag("insects", "Forced.").per_plot().default(f64::from(u8::from(self.insects)));
        b.declare(insects.role(farm_roles::POLLINATOR_VISIT));
        Box::new(Still)
    }
}

farm_core::parameters! {
    /// Pests that sit on every host.
    pub struct ForcedPests {
        /// How many sit on each host in each plot.
        pub pests: u32 = 0, "pests", [0, 1000];
    }
}

farm_core::register!(Entity, ForcedPests, "Pests on every host.", "Test");

struct Pests {
    pests: i32,
    hosts: Vec<Column<i32>>,
}

#[farm_core::typetag::serde]
impl Entity for ForcedPests {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        b.runs_in(Phase::Visit);
        Box::new(Pests { pests: self.pests as i32, hosts: b.all(farm_roles::PESTS_ON_HOST) })
    }
}

impl Behaviour for Pests {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        for cell in self.hosts.iter().flat_map(|host| c.get(*host)) {
            cell.set(cell.get() + self.pests);
        }
    }
}
