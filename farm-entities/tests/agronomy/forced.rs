//! Parts that stand in for weather, soil, plants and animals, with values that the test says.

use farm_core::declare::{count, flag, real};
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Phase, Role};

/// The weather of a day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedDay {
    /// Mean temperature.
    #[parameter(default = 20.0, range = -90.0..=60.0)]
    pub t: f64,
    /// Lowest temperature.
    #[parameter(default = 15.0, range = -90.0..=60.0)]
    pub t_min: f64,
    /// Mean humidity.
    #[parameter(default = 70.0, range = 0.0..=100.0)]
    pub rh: f64,
    /// Lowest humidity.
    #[parameter(default = 45.0, range = 0.0..=100.0)]
    pub rh_min: f64,
    /// Wind at 2 m in m/s.
    #[parameter(default = 2.0, range = 0.0..=100.0)]
    pub u2: f64,
    /// Rain in mm.
    #[parameter(range = 0.0..=1000.0)]
    pub rain: f64,
    /// Intensity of the rain.
    #[parameter(range = 0.0..=1.0)]
    pub intensity: f64,
    /// Reference evapotranspiration in mm.
    #[parameter(range = 0.0..=100.0)]
    pub et0: f64,
}

/// Weather from a list.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedWeather {
    /// The days.
    #[parameter(default = vec![ForcedDay::default()])]
    pub days: Vec<ForcedDay>,
}

struct Air {
    days: Vec<ForcedDay>,
    columns: [Column<f64>; 9],
    frost: Column<i32>,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedWeather {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
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
            d.variable(real(role.name(), low, high, "Forced.").role(role))
        });
        let frost = d.variable(count("frost", 0, 10_000, "Forced.").role(farm_roles::CONSECUTIVE_FROST));
        d.runs_in(Phase::Exogenous);
        Bind::new(move |found| Air { days: self.days.clone(), columns: found.get(columns), frost: found.get(frost) })
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

/// Days that are alike.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Spell {
    /// How many there are.
    #[parameter(default = 1000, range = 1..=1000)]
    pub days: u32,
    /// Lowest and highest temperature in °C.
    #[parameter(default = [20.0, 20.0], range = -60.0..=60.0)]
    pub t: [f64; 2],
    /// Rain in mm.
    #[parameter(default = 4.0, range = 0.0..=200.0)]
    pub rain: f64,
    /// Radiation in MJ/m².
    #[parameter(default = 18.0, range = 0.0..=40.0)]
    pub light: f64,
}

/// A sky over spells of days, which lengthen and shorten with the season.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Spells {
    /// The day of the year of the first day.
    #[parameter(default = 100, range = 0..=364)]
    pub start: u32,
    /// The spells.
    #[parameter(default = vec![Spell::default()])]
    pub spells: Vec<Spell>,
}

struct Sky {
    p: Spells,
    columns: [Column<f64>; 7],
    day: Column<i32>,
}

#[farm_core::register(source = "Test")]
impl Entity for Spells {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let wanted = [
            farm_roles::AIR_TEMPERATURE_MEAN,
            farm_roles::AIR_TEMPERATURE_MIN,
            farm_roles::AIR_TEMPERATURE_MAX,
            farm_roles::RAIN_AMOUNT,
            farm_roles::RAIN_INTENSITY,
            farm_roles::REFERENCE_EVAPOTRANSPIRATION,
            farm_roles::SOLAR_RADIATION,
        ];
        let columns = wanted.map(|role| {
            let (low, high) = within(role, -100.0, 1000.0);
            d.variable(real(role.name(), low, high, "Forced.").role(role))
        });
        let day = d.variable(count("day_of_year", 0, 364, "Forced.").role(farm_roles::DAY_OF_YEAR));
        d.runs_in(Phase::Exogenous);
        Bind::new(move |found| Sky { p: self.clone(), columns: found.get(columns), day: found.get(day) })
    }
}

impl Behaviour for Sky {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let mut end = 0;
        let is_over = |spell: &&Spell| {
            end += spell.days;
            end <= c.step()
        };
        let spell = self.p.spells.iter().skip_while(is_over).chain(self.p.spells.last()).next().unwrap();
        let [min, max] = spell.t;
        let values = [f64::midpoint(min, max), min, max, spell.rain, 0.1, 3.0, spell.light];
        for (column, value) in self.columns.iter().zip(values) {
            c.get(*column)[0].set(value);
        }
        c.get(self.day)[0].set((self.p.start as i32 + c.step() as i32) % 365);
    }
}

/// A soil that never changes.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedSoil {
    /// Water before uptake.
    #[parameter(default = 180.0, range = 0.0..=1e6)]
    pub water: f64,
    /// Water it holds.
    #[parameter(default = 180.0, range = 0.0..=1e6)]
    pub capacity: f64,
    /// Water out of reach.
    #[parameter(default = 110.0, range = 0.0..=1e6)]
    pub wilting: f64,
    /// Granted share of the water.
    #[parameter(default = 1.0, range = 0.0..=1.0)]
    pub water_share: f64,
    /// Stock of nitrogen.
    #[parameter(default = 1e6, range = 0.0..=1e9)]
    pub n: f64,
    /// Stock of phosphorus.
    #[parameter(default = 1e6, range = 0.0..=1e9)]
    pub p: f64,
    /// Stock of potassium.
    #[parameter(default = 1e6, range = 0.0..=1e9)]
    pub k: f64,
    /// Stock of carbon.
    #[parameter(default = 1e6, range = 0.0..=1e9)]
    pub c: f64,
    /// Granted share of every nutrient.
    #[parameter(default = 1.0, range = 0.0..=1.0)]
    pub share: f64,
    /// Health of the microlife.
    #[parameter(default = 100.0, range = 0.0..=100.0)]
    pub microlife: f64,
}

pub(crate) struct Still;

impl Behaviour for Still {}

/// A range that a role allows.
fn within(role: Role<f64>, low: f64, high: f64) -> (f64, f64) {
    role.range().map_or((low, high), |(lowest, highest)| (low.max(lowest), high.min(highest)))
}

/// Declares a constant with a role.
pub(crate) fn constant(d: &mut Declarations<'_>, role: Role<f64>, value: f64) {
    let (low, high) = within(role, 0.0, 1e9);
    let variable = real(role.name(), low, high, "Forced.");
    let variable = if role.is_scalar() { variable } else { variable.per_plot() };
    d.variable(variable.default(value).role(role));
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedSoil {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        constant(d, farm_roles::SUPPLY_WATER, self.water);
        constant(d, farm_roles::WATER_CAPACITY, self.capacity);
        constant(d, farm_roles::WILTING_WATER, self.wilting);
        constant(d, farm_roles::WATER_SHARE, self.water_share);
        constant(d, farm_roles::MICROLIFE, self.microlife);
        for (role, stock) in farm_roles::SUPPLY.into_iter().zip([self.n, self.p, self.k, self.c]) {
            constant(d, role, stock);
        }
        for role in farm_roles::SHARE {
            constant(d, role, self.share);
        }
        Bind::new(|_| Still)
    }
}

/// Something that asks the same of the soil every day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedDemand {
    /// Water in L.
    #[parameter(range = 0.0..=1e6)]
    pub water: f64,
    /// Each nutrient in g.
    #[parameter(range = 0.0..=1e6)]
    pub nutrients: f64,
    /// Each nutrient given back in g.
    #[parameter(range = 0.0..=1e6)]
    pub release: f64,
    /// Shade in m².
    #[parameter(range = 0.0..=1e6)]
    pub shade: f64,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedDemand {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        constant(d, farm_roles::WATER_DEMAND, self.water);
        constant(d, farm_roles::SHADE, self.shade);
        farm_roles::DEMAND.into_iter().for_each(|role| constant(d, role, self.nutrients));
        farm_roles::RELEASE.into_iter().for_each(|role| constant(d, role, self.release));
        Bind::new(|_| Still)
    }
}

/// Birds and insects.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedGuests {
    /// Birds that eat seeds.
    #[parameter(range = 0..=1000)]
    pub birds: u32,
    /// Whether insects visit.
    pub insects: bool,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedGuests {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let birds = count("birds", 0, 1000, "Forced.").default(f64::from(self.birds));
        d.variable(birds.role(farm_roles::SEED_EATERS));
        let insects = flag("insects", "Forced.").per_plot().default(f64::from(u8::from(self.insects)));
        d.variable(insects.role(farm_roles::POLLINATOR_VISIT));
        Bind::new(|_| Still)
    }
}

/// Pests on every host.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedPests {
    /// How many sit on each host in each plot.
    #[parameter(range = 0..=1000)]
    pub pests: u32,
}

struct Pests {
    pests: i32,
    hosts: Vec<Column<i32>>,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedPests {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.runs_in(Phase::Visit);
        let hosts = d.all(farm_roles::PESTS_ON_HOST);
        Bind::new(move |found| Pests { pests: self.pests as i32, hosts: found.get(hosts) })
    }
}

impl Behaviour for Pests {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        for cell in self.hosts.iter().flat_map(|host| c.get(*host)) {
            cell.set(cell.get() + self.pests);
        }
    }
}
