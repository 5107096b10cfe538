//! CropMarket: buys the harvest at a price that changes every day. With a barn, the farmer decides when to sell.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | total harvest of the plants | `harvest_weight` | kg |
//! | day of the year | `day_of_year` | int365 |
//! | water in the grain on the field | `grain_moisture` | prop |
//! | harvests that other markets buy | `market_harvest` | kg |
//!
//! | writes | unit |
//! |---|---|
//! | today's price | kg-1 |
//! | produce in the barn, its water, its age and its decay | kg, prop, day, prop |
//! | harvest that came to the market (role `market_harvest`) | kg |
//! | sales, costs and worth of the stock (roles `market_sales`, `market_costs`, `market_stock`) | money |
//!
//! A sale gets the price that was seen in the evening before, because actions come before the day. The harvest goes to the barn at the
//! beginning of the day. What does not fit is sold at the same price. In the evening, the stock ages and tomorrow's price appears.
//!
//! A game's rules text can include the terms: `part("CropMarket-0").percent_rise`, `.percent_lost`, `.percent_deducted`, `.percent_standard`,
//! `.percent_spoilt` and `.percent_clearance`.
//!
//! Source: Schwartz 1997 (doi 10.1111/j.1540-6261.1997.tb02721.x) and Deaton & Laroque 1992 (doi 10.2307/2297923) for prices; Steele, Saul &
//! Hukill 1969 (Transactions of the ASAE 12: 685) for the time that grain keeps. Costs and deductions are European orders of magnitude.

mod stall;

use farm_core::Parameters;

/// A market that buys the harvest at a price that changes every day, and a barn to store it.
#[derive(Debug, Clone, Parameters)]
pub(crate) struct CropMarket {
    /// Plants whose harvest it buys, such as `Plant-0`. Default: all plants in the field.
    pub crops: Vec<String>,
    /// Price of a kilogram at harvest, mean over years.
    #[parameter(name = "price#kg-1", default = 0.2, range = 0.0..=1e6)]
    pub price: f64,
    /// Day of the year with the lowest price.
    #[parameter(name = "harvest_day#int365", default = 210, range = 0..=364)]
    pub harvest_day: i32,
    /// Rise of the usual price in each of the ten months after the harvest, as a share of the price at harvest.
    #[parameter(name = "monthly_rise#prop", default = 0.0125, range = 0.0..=1.0)]
    pub rise: f64,
    /// Share of a deviation from the usual price that remains after a month.
    #[parameter(name = "monthly_memory#prop", default = 0.95, range = 0.0..=0.999)]
    pub memory: f64,
    /// Standard deviation of the changes in a month, as a share of the price.
    #[parameter(name = "monthly_shock#prop", default = 0.06, range = 0.0..=2.0)]
    pub shock: f64,
    /// Share of water up to which there is no deduction. Weights in kilograms are at this moisture.
    #[parameter(name = "standard_moisture#prop", default = 0.14, range = 0.0..=0.95)]
    pub standard: f64,
    /// Share of the price that the buyer deducts for each percentage point of water above the standard.
    #[parameter(name = "moisture_deduction#prop", default = 0.02, range = 0.0..=1.0)]
    pub deduction: f64,
    /// Cost of drying a kilogram by one percentage point. A tonne needs 1.2 to 1.5 L of fuel.
    #[parameter(name = "drying_cost#kg-1", default = 0.002, range = 0.0..=1e6)]
    pub drying: f64,
    /// Deduction from the day's price for what is left in the barn when the episode ends.
    #[parameter(name = "clearance_deduction#prop", default = 0.1, range = 0.0..=1.0)]
    pub clearance: f64,
    /// The barn.
    pub barn: Barn,
}

/// A barn.
#[derive(Debug, Clone, Parameters)]
pub(crate) struct Barn {
    /// Weight that it can hold. Without capacity, the harvest is sold on the same day.
    #[parameter(unit = "kg", range = 0.0..=1e9)]
    pub capacity: f64,
    /// Cost of storing a kilogram for a month.
    #[parameter(name = "monthly_cost#kg-1", default = 0.001, range = 0.0..=1e6)]
    pub cost: f64,
    /// Share of the weight that is lost in the first month.
    #[parameter(name = "first_month_loss#prop", default = 0.002, range = 0.0..=0.9)]
    pub first_loss: f64,
    /// Share of the weight that is lost in each later month.
    #[parameter(name = "monthly_loss#prop", default = 0.002, range = 0.0..=0.9)]
    pub loss: f64,
    /// Temperature in the barn.
    #[parameter(unit = "°C", default = 12.0, range = -20.0..=60.0)]
    pub temperature: f64,
    /// Days that dry produce keeps at 15 °C. Each 5 °C and each 2 percentage points of water above the standard halve them.
    #[parameter(unit = "day", default = 240.0, range = 0.1..=1e5)]
    pub keeps: f64,
    /// Share of the price that is left when the produce has spoiled.
    #[parameter(name = "spoilt_price#prop", default = 0.4, range = 0.0..=1.0)]
    pub spoilt: f64,
}
