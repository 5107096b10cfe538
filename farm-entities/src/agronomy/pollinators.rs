//! Pollinators: insects that visit a plot at most once a day.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather | `air_temperature_mean`, `wind_speed`, `rain_amount` | °C, km.h-1, mm.day-1 |
//! | birds that eat pollinators | `pollinator_eaters` | nb |
//! | pesticide in the plot that harms pollinators | `cide_on_pollinators` | g |
//! | flowers that attract pollinators, only with `flower_scaling` or `equations: agronomic` | `flowers` | nb |
//!
//! | writes | unit |
//! |---|---|
//! | whether the plot was visited today (role `pollinator_visit`) | flag |
//! | visits summed over all plots and days (role `pollinator_visits`) | nb |
//! | visits that pesticide prevented, summed over all plots and days (role `pollinators_killed`) | nb |
//!
//! Source: Farm-gym paper, Eq. 34, as corrected by equation sheet II.9. Rain counts only on days with rain; in the
//! reference, a mistaken comparison makes every day a rainy day. Plots deep in the field get fewer visits.
//!
//! With `equations: agronomic` each flower has a mean number of visits, and a plot counts as visited with the probability that a flower
//! gets at least one visit. Insects are shared among the flowers at a place. Distance is measured in metres, and pesticide in grams per m².
//! See `foragers.rs`.

use farm_core::declare::{All, FieldInfo, Picture};
use farm_core::math::{powf, sum};
use farm_core::{Behaviour, Column, Columns, Context, Phase, Purpose};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, CIDE_ON_POLLINATORS, FLOWERS, POLLINATOR_EATERS, POLLINATOR_VISIT, POLLINATOR_VISITS,
    POLLINATORS_KILLED, RAIN_AMOUNT, WIND_SPEED,
};

use super::Equations;
use super::foragers::{Foragers, Foraging};
use super::response::{distance, distance_to_edge, response};

/// Insects that visit the plots and pollinate flowers.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Pollinators {
    /// The equations that the pollinators follow; `corrected` and `paper` are the same here. The daily probability of a visit to a plot
    /// is exp(−x), where x is the sum of the penalties below. With `agronomic`, exp(−x) instead scales the number of visits to flowers.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Constant penalty.
    #[parameter(name = "sensitivity_0", range = 0.0..=100.0)]
    pub base: f64,
    /// Penalty for each plot between the plot and the edge of the field. Not used with `equations: agronomic`.
    #[parameter(name = "sensitivity_dist_edge", default = 0.2, range = 0.0..=1e6)]
    pub edge_weight: f64,
    /// Air temperatures without penalty.
    #[parameter(name = "air_temperature#°C", default = [11.0, 38.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Penalty for each degree outside `air_temperature#°C`.
    #[parameter(name = "sensitivity_air_temperature", default = 0.8, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Wind speed up to which there is no penalty.
    #[parameter(unit = "km.h-1", default = 25.0, range = 0.0..=1000.0)]
    pub wind_max: f64,
    /// Penalty for each km/h above `wind_max#km.h-1`.
    #[parameter(name = "sensitivity_wind", default = 0.4, range = 0.0..=1e6)]
    pub wind_weight: f64,
    /// Penalty on a day with rain, for any amount of rain.
    #[parameter(name = "sensitivity_rain", default = 0.8, range = 0.0..=1e6)]
    pub rain_weight: f64,
    /// Number of pollinator-eating birds up to which there is no penalty.
    #[parameter(name = "death_birds_max#nb", default = 3.0, range = 0.0..=1e6)]
    pub birds_max: f64,
    /// Penalty for each bird above `death_birds_max#nb`.
    #[parameter(name = "sensitivity_death_birds", default = 0.2, range = 0.0..=1e6)]
    pub birds_weight: f64,
    /// Pesticide in the plot up to which there is no penalty. Not used with `equations: agronomic`.
    #[parameter(name = "pesticide_max#g", default = 0.1, range = 0.0..=1e9)]
    pub cide_max: f64,
    /// Penalty for each gram of pesticide above `pesticide_max#g`. Not used with `equations: agronomic`.
    #[parameter(name = "sensitivity_pesticide", default = 2.0, range = 0.0..=1e6)]
    pub cide_weight: f64,
    /// Whether each flower of a plot attracts pollinators separately, so that a plot without flowers has no visits. Not used with
    /// `equations: agronomic`.
    pub flower_scaling: bool,
    /// Visits to flowers with `equations: agronomic`, by density of flowers, distance and pesticide.
    pub foragers: Foragers,
}

/// Maximum of the totals.
const MAX_IN_ALL: i32 = 1_000_000_000;
const VISIT: Purpose = Purpose::named("visit");

#[derive(Columns)]
struct Swarm {
    #[stream]
    key: u64,
    parameters: Pollinators,
    /// The penalty for the distance from the edge, for each plot.
    #[with(from_edge(d.field()).map(|plots| parameters.edge_weight * plots).collect())]
    edge_penalties: Vec<f64>,
    /// The visits to flowers, in the `agronomic` equations.
    #[with(parameters.foraging(d.field()))]
    foraging: Option<Foraging>,
    /// 1 if pollinators visited the plot during the day, otherwise 0.
    #[flag(name = "occurrence#bin", per_plot, role = POLLINATOR_VISIT)]
    occurrence: Column<u8>,
    /// Number of pollinator visits in this episode, summed over all plots and days.
    #[count(name = "total_cumulated_occurrence#nb", range = 0..=MAX_IN_ALL, role = POLLINATOR_VISITS)]
    total: Column<i32>,
    /// Number of visits by pollinators in this episode that the pesticide in the plot prevented.
    #[count(name = "total_cumulated_killed#nb", range = 0..=MAX_IN_ALL, hidden, role = POLLINATORS_KILLED)]
    killed: Column<i32>,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[one(WIND_SPEED)]
    wind: Column<f64>,
    #[one(RAIN_AMOUNT)]
    rain: Column<f64>,
    #[all(POLLINATOR_EATERS)]
    birds: Vec<Column<i32>>,
    #[maybe(CIDE_ON_POLLINATORS)]
    cide: Option<Column<f64>>,
    #[with(parameters.counts_flowers().then(|| d.all(FLOWERS)))]
    _flowers: Option<All<i32>>,
    #[bind(found.get(_flowers).unwrap_or_default())]
    flowers: Vec<Column<i32>>,
}

/// Each plot's distance from the edge of the field, in plots.
fn from_edge(field: &FieldInfo) -> impl Iterator<Item = f64> + use<> {
    let (length, width) = (field.length(), field.width());
    (0..length * width).map(move |plot| distance_to_edge(plot / width, plot % width, length, width) as f64)
}

#[farm_core::register(
    entity = Pollinators,
    source = "Farm-gym paper; equation sheet II.9",
    sets = include_str!("pollinators.yaml"),
    runs_in = Phase::Visit,
    picture = Picture::on_plots("Pollinators", 50)
        .from("occurrence#bin", 1.0, "visit", include_str!("sprites/bee.svg"))
        .heat("occurrence#bin", 0.0, 1.0)
)]
impl Behaviour for Swarm {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let field = self.field_penalty(c);
        let cide = self.cide.map(|column| c.get(column));
        let weather = self.foraging.as_ref().map_or(1.0, |_| response(field, &[]));
        let (mut visits, mut killed) = (0, 0);
        for (plot, occurrence) in c.get(self.occurrence).iter().enumerate() {
            let cide_g = cide.map_or(0.0, |cide| cide[plot].get());
            let flowers = self.flowers_at(plot, c);
            if self.foraging.is_some() && flowers <= 0.0 {
                occurrence.set(0);
                continue;
            }
            let chance = |cide_g: f64| match &self.foraging {
                Some(foraging) => foraging.chance(plot, weather, flowers, cide_g),
                None => {
                    let p = self.parameters.visit_probability(field + self.edge_penalties[plot], cide_g);
                    if self.parameters.flower_scaling { attracted(p, flowers) } else { p }
                }
            };
            // One random number decides with and without the pesticide. So it is known for each visit whether pesticide prevents it.
            let luck = c.stream(self.key, VISIT.at(plot)).uniform();
            let visited = luck < chance(cide_g);
            occurrence.set(u8::from(visited));
            visits += i32::from(visited);
            killed += i32::from(cide_g > 0.0 && !visited && luck < chance(0.0));
        }
        for (column, more) in [(self.total, visits), (self.killed, killed)] {
            let total = &c.get(column)[0];
            total.set(total.get().saturating_add(more).min(MAX_IN_ALL));
        }
    }
}

impl Swarm {
    fn field_penalty(&self, c: &Context<'_>) -> f64 {
        let birds = sum(self.birds.iter().map(|column| f64::from(c.value(*column))));
        self.parameters.field_penalty(c.value(self.temperature), c.value(self.wind), c.value(self.rain), birds)
    }

    fn flowers_at(&self, plot: usize, c: &Context<'_>) -> f64 {
        sum(self.flowers.iter().map(|column| f64::from(c.get(*column)[plot].get())))
    }
}

impl Pollinators {
    fn counts_flowers(&self) -> bool {
        self.flower_scaling || self.equations == Equations::Agronomic
    }

    fn foraging(&self, field: &FieldInfo) -> Option<Foraging> {
        let area = field.plot_area_m2();
        let distances = from_edge(field).map(|plots| plots * area.sqrt());
        (self.equations == Equations::Agronomic).then(|| Foraging::new(&self.foragers, area, distances))
    }

    /// The day's penalty, which is the same for all plots (Farm-gym Eq. 34; equation sheet II.9).
    ///
    /// θ₀ + θ_T d(T; T₀, T₁) + θ_w d(wind; 0, w_max) + θ_r 1{rain > 0} + θ_b d(birds; 0, b_max)
    #[farm_core::equation("34")]
    pub(crate) fn field_penalty(&self, temperature_celsius: f64, wind_km_per_h: f64, rain_mm: f64, birds: f64) -> f64 {
        let [low, high] = self.temperature;
        self.base
            + self.temperature_weight * distance(temperature_celsius, low, high)
            + self.wind_weight * distance(wind_km_per_h, 0.0, self.wind_max)
            + self.rain_weight * f64::from(u8::from(rain_mm > 0.0))
            + self.birds_weight * distance(birds, 0.0, self.birds_max)
    }

    /// Probability that a plot is visited today (Farm-gym Eq. 34; equation sheet II.9).
    ///
    /// p = ℰ(day + edge; (θ_c, d(cide; −∞, c_max)))
    #[farm_core::equation("34")]
    #[inline]
    pub(crate) fn visit_probability(&self, penalty: f64, cide_g: f64) -> f64 {
        response(penalty, &[(self.cide_weight, distance(cide_g, f64::NEG_INFINITY, self.cide_max))])
    }
}

/// Probability of a visit if each flower attracts separately (equation sheet II.9, option).
///
/// 1 − (1 − p)^flowers; 0 without flowers
#[inline]
pub fn attracted(probability: f64, flowers: f64) -> f64 {
    if flowers > 0.0 { 1.0 - powf(1.0 - probability, flowers) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farm_core::Stream;

    /// The chance that bees visit a plot at this distance from the edge, in plots.
    fn visit(edge: f64, t: f64, wind: f64, rain: f64, birds: f64, cide: f64) -> f64 {
        let bee = Pollinators::default();
        bee.visit_probability(bee.field_penalty(t, wind, rain, birds) + bee.edge_weight * edge, cide)
    }

    #[test]
    fn equation_34_visits_are_certain_in_perfect_conditions() {
        for (t, wind, birds, cide) in [(11.0, 0.0, 0.0, 0.0), (38.0, 25.0, 3.0, 0.1), (20.0, 10.0, 1.0, 0.05)] {
            assert_eq!(visit(0.0, t, wind, 0.0, birds, cide), 1.0);
        }
    }

    #[test]
    fn equation_34_each_condition_weighs_by_itself_and_penalties_add_up() {
        // e to the power of -0.4, -0.8, -1, -1.6, -2 and -5.4, from a table.
        let [e04, e08, e10, e16, e20] =
            [0.670_320_046_036, 0.449_328_964_117, 0.367_879_441_171, 0.201_896_517_995, 0.135_335_283_237];
        for (found, expected) in [
            (visit(2.0, 20.0, 0.0, 0.0, 0.0, 0.0), e04),
            (visit(0.0, 10.0, 0.0, 0.0, 0.0, 0.0), e08),
            (visit(0.0, 40.0, 0.0, 0.0, 0.0, 0.0), e16),
            (visit(0.0, 20.0, 30.0, 0.0, 0.0, 0.0), e20),
            (visit(0.0, 20.0, 0.0, 0.01, 0.0, 0.0), e08),
            (visit(0.0, 20.0, 0.0, 50.0, 0.0, 0.0), e08),
            (visit(0.0, 20.0, 0.0, 0.0, 5.0, 0.0), e04),
            (visit(0.0, 20.0, 0.0, 0.0, 0.0, 0.6), e10),
            (visit(2.0, 10.0, 30.0, 1.0, 5.0, 0.6), 0.004_516_580_943),
        ] {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }

    #[test]
    fn equation_34_flower_scaling_is_the_chance_that_one_flower_attracts() {
        assert_eq!(attracted(0.3, 0.0), 0.0);
        assert_eq!(attracted(1.0, 0.0), 0.0, "no flower, no visit");
        assert!((attracted(0.3, 1.0) - 0.3).abs() < 1e-15);
        assert!((attracted(0.3, 3.0) - 0.657).abs() < 1e-15);
        assert_eq!(attracted(1.0, 5.0), 1.0);
        assert!((attracted(0.5, 1e9) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn equation_34_visits_are_drawn_with_their_probability() {
        let p = visit(1.0, 20.0, 0.0, 5.0, 0.0, 0.0);
        let visits = (0..40_000).filter(|day| Stream::keyed(1, 2, *day, VISIT.at(3)).bernoulli(p)).count();
        // e^-1 = 0.3679; standard deviation of the mean 0.0024.
        assert!((visits as f64 / 40_000.0 - 0.3679).abs() < 0.0121, "{visits}");
    }
}
