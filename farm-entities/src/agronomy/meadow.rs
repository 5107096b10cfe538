//! Meadow: grass that the farmer mows, dries on the ground and bales as hay.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather | `air_temperature_mean`, `relative_humidity`, `rain_amount`, `solar_radiation` | °C, %, mm.day-1, MJ.m-2.day-1 |
//!
//! | writes | unit |
//! |---|---|
//! | standing grass and swath of each plot, as dry matter | g.m-2 |
//! | digestible share of each; water in the swath | prop |
//! | hay baled, and money for it (role `market_sales`) | kg, money |
//!
//! Water and nutrients are in ample supply. Grass does not grow under a swath. A day in `develop` first dries and wets the swath, then grass grows.
//!
//! Source: LINGRA (Schapendonk et al. 1998) for growth; Green, Corrall & Terry 1971 for digestibility; Rotz & Chen 1985 for drying; Collins
//! 1983 and Rotz & Muck 1994 for losses. Prices are European orders of magnitude.

use farm_core::action::CallArguments;
use farm_core::math::Bounded;
use farm_core::prelude::*;
use farm_roles::{AIR_TEMPERATURE_MEAN, MARKET_SALES, RAIN_AMOUNT, RELATIVE_HUMIDITY, SOLAR_RADIATION};

use super::laws::grain::{Isotherm, dry_basis, equilibrium_moisture, wet_basis};
use super::laws::hay::{digestible_after, grass_growth, rained_on, respired, swath_water_left, washed_out};
use super::laws::ramp;
use super::radiation::saturation_vapour_pressure_kpa;

/// A meadow for hay.
#[derive(Debug, Clone, Parameters)]
pub(crate) struct Meadow {
    /// Dry matter of the grass at the start.
    #[parameter(name = "grass#g.m-2", default = 80.0, range = 0.0..=2000.0)]
    pub grass: f64,
    /// Dry matter that the mower leaves.
    #[parameter(name = "stubble#g.m-2", default = 60.0, range = 1.0..=500.0)]
    pub stubble: f64,
    /// Growth of shoots per unit of light taken.
    #[parameter(name = "efficiency#g.MJ-1", default = 1.3, range = 0.0..=5.0)]
    pub efficiency: f64,
    /// Digestible share of young grass.
    #[parameter(name = "young#prop", default = 0.75, range = 0.0..=1.0)]
    pub young: f64,
    /// Warm days of growth after which the grass forms ears.
    #[parameter(name = "heads#day", default = 30.0, range = 0.0..=365.0)]
    pub heads: f64,
    /// Loss of digestible share in each warm day after that.
    #[parameter(name = "ageing#prop.day-1", default = 0.005, range = 0.0..=0.1)]
    pub ageing: f64,
    /// Share of a dry swath that each millimetre of rain washes out.
    #[parameter(name = "washed_out#prop.mm-1", default = 0.004, range = 0.0..=0.1)]
    pub washed: f64,
    /// Share of the dry matter that is lost in mowing and baling.
    #[parameter(name = "lost#prop", default = 0.1, range = 0.0..=0.9)]
    pub lost: f64,
    /// Water in hay up to which it keeps. The buyer pays less for moister hay, and nothing for hay with ten points more.
    #[parameter(name = "dry#prop", default = 0.2, range = 0.05..=0.5)]
    pub dry: f64,
    /// Price of a kilogram of good hay, by dry matter.
    #[parameter(name = "price#kg-1", default = 0.15, range = 0.0..=1e6)]
    pub price: f64,
    /// Digestible share of good hay.
    #[parameter(name = "good#prop", default = 0.65, range = 0.0..=1.0)]
    pub good: f64,
    /// Digestible share of hay without worth, such as straw. In between, the price rises evenly.
    #[parameter(name = "worthless#prop", default = 0.4, range = 0.0..=0.99)]
    pub worthless: f64,
}

const MANY: f64 = 1e12;
/// Most dry matter on a plot, in g m⁻².
const MOST: f64 = 1e4;
/// Water in mown grass, per dry matter: 80 % of the weight.
const FRESH: f64 = 4.0;
/// Water at which hay in moist air is in equilibrium: that of hard wheat, which is within two points (ASAE D245).
const HAY: Isotherm = Isotherm { a: 2.3007e-5, b: 2.2857, c: 55.815 };
/// Water above `dry` at which hay is worth nothing.
const MOULDY: f64 = 0.1;
/// Least grass above the stubble that is worth a pass of the mower, in g m⁻².
const LEAST: f64 = 5.0;

#[derive(Columns)]
struct Grass {
    p: Meadow,
    #[with(d.field().plot_area_m2())]
    area: f64,
    #[with(d.text_variable("percent_dry", format!("{} %", (1e4 * p.dry).round() / 100.0)))]
    _text: (),
    /// Dry matter of the standing grass.
    #[real(name = "grass#g.m-2", range = 0.0..=MOST, per_plot, default = p.grass)]
    grass: Column<f64>,
    /// Warm days in which the grass has grown since it was mown.
    #[real(name = "grown_for#day", range = 0.0..=MANY, per_plot)]
    age: Column<f64>,
    /// Digestible share of the standing grass.
    #[real(name = "grass_digestible#prop", range = 0.0..=1.0, per_plot, default = p.young)]
    digestible: Column<f64>,
    /// Dry matter of the mown grass on the ground.
    #[real(name = "swath#g.m-2", range = 0.0..=MOST, per_plot)]
    swath: Column<f64>,
    /// Share of water in the mown grass on the ground; 0 if there is none.
    #[real(name = "swath_water#prop", range = 0.0..=1.0, per_plot)]
    water: Column<f64>,
    /// Digestible share of the mown grass on the ground; 0 if there is none.
    #[real(name = "swath_digestible#prop", range = 0.0..=1.0, per_plot)]
    swath_digestible: Column<f64>,
    /// Days since the grass on the ground was mown.
    #[real(name = "lain_for#day", range = 0.0..=MANY, per_plot)]
    lain: Column<f64>,
    /// Dry matter baled in this episode.
    #[real(name = "baled#kg", range = 0.0..=MANY)]
    baled: Column<f64>,
    /// Money for hay in this episode.
    #[real(name = "income", range = 0.0..=MANY, role = MARKET_SALES)]
    income: Column<f64>,
    /// Mows the plot. The grass stays on the ground until it is baled. Has no effect if the grass is short or mown grass is on the plot.
    #[action(parameters = [ActionParameter::plot()], done = "mowed", badge = include_str!("sprites/badges/scythe.svg"), without_effect = "the grass is short, or mown grass is on the plot")]
    mow: usize,
    /// Bales the mown grass of the plot and sells it. Has no effect without mown grass.
    #[action(name = "bale", parameters = [ActionParameter::plot()], done = "baled", badge = include_str!("sprites/badges/basket.svg"), without_effect = "no mown grass is on the plot")]
    _bale: usize,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[one(RELATIVE_HUMIDITY)]
    humidity: Column<f64>,
    #[one(RAIN_AMOUNT)]
    rain: Column<f64>,
    #[one(SOLAR_RADIATION)]
    radiation: Column<f64>,
}

#[register(
    entity = Meadow,
    source = "Schapendonk et al. 1998; Rotz & Chen 1985; Rotz & Muck 1994; equation sheet, V",
    sets = include_str!("meadow.yaml"),
    runs_in = Phase::Develop,
    picture = Picture::on_plots("Meadow", 4)
        .from("swath#g.m-2", 1.0, "mown", include_str!("sprites/swath.svg"))
        .from("grass#g.m-2", 200.0, "tall", include_str!("sprites/grass_tall.svg"))
        .otherwise("short", include_str!("sprites/grass_short.svg"))
        .heat("grass#g.m-2", 0.0, 600.0)
)]
impl Behaviour for Grass {
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let plot = arguments.plot(0);
        if action == self.mow { self.mow(plot, c) } else { self.bale(plot, c) }
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let plot = arguments.plot(0);
        let is_mown = reader.get(self.swath)[plot] > 0.0;
        if action == self.mow { !is_mown && reader.get(self.grass)[plot] >= self.p.stubble + LEAST } else { is_mown }
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        for plot in 0..c.get(self.grass).len() {
            if c.get(self.swath)[plot].get() > 0.0 { self.dry(plot, c) } else { self.grow(plot, c) }
        }
    }
}

impl Grass {
    fn mow(&self, plot: usize, c: &Context<'_>) {
        let grass = &c.get(self.grass)[plot];
        let mown = grass.get() - self.p.stubble;
        if mown < LEAST || c.get(self.swath)[plot].get() > 0.0 {
            return;
        }
        grass.set(self.p.stubble);
        c.get(self.swath)[plot].set(mown);
        c.get(self.water)[plot].set(wet_basis(FRESH));
        c.get(self.swath_digestible)[plot].set(c.get(self.digestible)[plot].replace(self.p.young));
        c.get(self.age)[plot].set(0.0);
        c.get(self.lain)[plot].set(0.0);
    }

    fn bale(&self, plot: usize, c: &Context<'_>) {
        let swath = c.get(self.swath)[plot].replace(0.0);
        let water = c.get(self.water)[plot].replace(0.0);
        let digestible = c.get(self.swath_digestible)[plot].replace(0.0);
        let weight = swath * self.area / 1000.0 * (1.0 - self.p.lost);
        let (baled, income) = (&c.get(self.baled)[0], &c.get(self.income)[0]);
        baled.set((baled.get() + weight).min(MANY));
        income.set((income.get() + weight * self.price(digestible, water)).min(MANY));
        c.get(self.lain)[plot].set(0.0);
    }

    /// Price of a kilogram of dry matter.
    fn price(&self, digestible: f64, water: f64) -> f64 {
        let Meadow { price, good, worthless, dry, .. } = self.p;
        price * ramp(digestible, worthless, good) * ramp(water, dry + MOULDY, dry)
    }

    /// A day of the grass on the ground.
    fn dry(&self, plot: usize, c: &Context<'_>) {
        let (celsius, humidity, rain) = (c.value(self.temperature), c.value(self.humidity), c.value(self.rain));
        let [swath, share, digestible, lain] =
            [self.swath, self.water, self.swath_digestible, self.lain].map(|column| &c.get(column)[plot]);
        let before = dry_basis(share.get());
        let deficit = saturation_vapour_pressure_kpa(celsius) * (1.0 - humidity / 100.0);
        let goal = dry_basis(equilibrium_moisture(HAY, celsius, humidity));
        let left = swath_water_left(c.value(self.radiation), deficit, swath.get(), lain.get() == 0.0);
        let dried = if before > goal { goal + (before - goal) * left } else { before };
        let wet = rained_on(dried, rain);
        let washed = washed_out(rain, self.p.washed, before);
        let lost = 1.0 - (1.0 - washed) * (1.0 - respired(wet.at_least(dried), celsius));
        digestible.set(digestible_after(digestible.get(), lost));
        swath.set(swath.get() * (1.0 - lost));
        share.set(wet_basis(wet));
        lain.set((lain.get() + 1.0).min(MANY));
    }

    /// A day of the standing grass.
    fn grow(&self, plot: usize, c: &Context<'_>) {
        let Meadow { efficiency, young, heads, ageing, stubble, .. } = self.p;
        let celsius = c.value(self.temperature);
        let [grass, age, digestible] = [self.grass, self.age, self.digestible].map(|column| &c.get(column)[plot]);
        let now = grass.get();
        let grown = now + grass_growth(now, celsius, c.value(self.radiation), efficiency);
        grass.set(grown.clamp(stubble.min(now), MOST));
        age.set((age.get() + ramp(celsius, 3.0, 8.0)).min(MANY));
        digestible.set((young - ageing * (age.get() - heads).at_least(0.0)).at_least(0.0));
    }
}
