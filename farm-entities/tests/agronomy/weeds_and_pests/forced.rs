//! A field whose weather, soil, cides, birds and hosts the test says, and how to look into it.

use std::sync::Arc;

use farm_core::declare::{count, real};
use farm_core::spec::load;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Environment, Game, Role};
// Links the farmers, rules and scores.
use farm_games as _;

use crate::world::corrected_equations;

/// All that weeds and pests read, constant.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedField {
    /// Temperature.
    #[parameter(default = 20.0, range = -90.0..=60.0)]
    pub t: f64,
    /// Humidity.
    #[parameter(default = 80.0, range = 0.0..=100.0)]
    pub rh: f64,
    /// Wind in km/h.
    #[parameter(range = 0.0..=1e6)]
    pub wind: f64,
    /// Where the wind comes from.
    #[parameter(range = 0.0..=360.0)]
    pub from: f64,
    /// Each nutrient in g.
    #[parameter(default = 1e6, range = 0.0..=1e9)]
    pub stock: f64,
    /// Water in L, between the wilting point 110 and the capacity 180.
    #[parameter(default = 180.0, range = 0.0..=180.0)]
    pub water: f64,
    /// Cide against weeds and pests in g.
    #[parameter(range = 0.0..=1e6)]
    pub cide: f64,
    /// The plot without cide, by flat index.
    #[parameter(range = 0..=10_000)]
    pub spared: Option<u32>,
    /// Birds that eat pests.
    #[parameter(range = 0..=1000)]
    pub birds: u32,
}

struct Still;

impl Behaviour for Still {}

/// Takes the cide of one plot away.
struct Sparing {
    plot: Option<usize>,
    cide: Column<f64>,
}

impl Behaviour for Sparing {
    fn reset(&self, c: &mut Context<'_>) {
        self.plot.into_iter().for_each(|plot| c.get(self.cide)[plot].set(0.0));
    }
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedField {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let mut constant = |role: Role<f64>, value: f64| {
            let (low, high) = role.range().unwrap_or((-100.0, 1e9));
            let variable = real(role.name(), low, high.min(1e9), "Forced.");
            let variable = if role.is_scalar() { variable } else { variable.per_plot() };
            d.variable(variable.default(value).role(role))
        };
        constant(farm_roles::AIR_TEMPERATURE_MEAN, self.t);
        constant(farm_roles::RELATIVE_HUMIDITY, self.rh);
        constant(farm_roles::WIND_SPEED, self.wind);
        constant(farm_roles::WIND_DIRECTION, self.from);
        constant(farm_roles::SUPPLY_WATER, self.water);
        constant(farm_roles::WILTING_WATER, 110.0);
        constant(farm_roles::WATER_CAPACITY, 180.0);
        constant(farm_roles::CIDE_ON_WEEDS, self.cide);
        let cide = constant(farm_roles::CIDE_ON_PESTS, self.cide);
        farm_roles::SUPPLY.into_iter().for_each(|role| {
            constant(role, self.stock);
        });
        d.variable(count("birds", 0, 1000, "Forced.").default(f64::from(self.birds)).role(farm_roles::PEST_EATERS));
        Bind::new(move |found| Sparing { plot: self.spared.map(|plot| plot as usize), cide: found.get(cide) })
    }
}

/// Something on which pests can sit.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForcedHost {
    /// How many.
    #[parameter(default = 1, range = 0..=1000)]
    pub number: u32,
    /// How much it repels pests.
    #[parameter(range = -100.0..=100.0)]
    pub repulsion: f64,
}

#[farm_core::register(source = "Test")]
impl Entity for ForcedHost {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let number = count("number", 0, 1000, "Forced.").per_plot().default(f64::from(self.number));
        d.variable(number.role(farm_roles::HOST_NUMBER));
        d.variable(
            real("repulsion", -100.0, 100.0, "Forced.").default(self.repulsion).role(farm_roles::HOST_REPULSION),
        );
        d.variable(count("pests", 0, 1_000_000, "Forced.").per_plot().role(farm_roles::PESTS_ON_HOST));
        Bind::new(|_| Still)
    }
}

/// A game being played.
pub(crate) struct World {
    pub env: Environment,
}

/// A field of X × Y plots with entities, each in flow YAML, and initial conditions; everything is allowed.
pub(crate) fn field(shape: (usize, usize), entities: &[&str], initial: &str) -> World {
    let entities_text: String = entities.iter().map(|entity| format!("      - {entity}\n")).collect();
    let has_weeds = entities.iter().any(|entity| entity.starts_with("Weeds"));
    let actions = if has_weeds { "{Field-0: {Weeds-0: {remove: {plot: '*'}}}}" } else { "{Field-0: {}}" };
    let text = format!(
        "name: test\nfields:\n  Field-0:\n    shape: {{length#nb: {}, width#nb: {}}}\n{}    entities:\n{entities_text}\
         farmers:\n  - BasicFarmer: {{max_daily_interventions: 100}}\nrules:\n  BasicRule:\n    \
         initial_conditions: {{Field-0: {initial}}}\n    actions: {actions}\nscore: BasicScore\n",
        shape.0,
        shape.1,
        corrected_equations(entities.iter().copied())
    );
    let game = load("test.yaml", &text).and_then(Game::new);
    let mut env = Environment::new(Arc::new(game.unwrap_or_else(|problems| panic!("{problems}\n{text}"))));
    env.reset(5);
    World { env }
}

impl World {
    /// All values of a variable such as `Pests-0.plot_population#nb`.
    pub(crate) fn values(&self, name: &str) -> Vec<f64> {
        let (part, variable) = name.split_once('.').unwrap();
        let info = self.env.game().parts().iter().find(|p| p.name() == part).unwrap();
        let info = info.variables().iter().find(|v| v.name() == variable).unwrap_or_else(|| panic!("no {name}"));
        let reader = self.env.game().reader(self.env.state());
        match info.column::<f64>() {
            Some(column) => reader.get(column).to_vec(),
            None => reader.get(info.column::<i32>().unwrap()).iter().map(|v| f64::from(*v)).collect(),
        }
    }

    pub(crate) fn sum(&self, name: &str) -> f64 {
        self.values(name).iter().sum()
    }

    pub(crate) fn wait(&mut self) {
        self.env.step(&[]).unwrap();
    }
}

/// A mean within five standard errors, of values with a known variance.
#[track_caller]
pub(crate) fn assert_mean(values: &[f64], mean: f64, variance: f64, what: &str) {
    let found = values.iter().sum::<f64>() / values.len() as f64;
    let error = (variance / values.len() as f64).sqrt();
    assert!((found - mean).abs() <= 5.0 * error + 1e-12, "{what}: {found}, expected {mean} ± {error}");
}

/// A variance within 6 %, for ten thousand values that are not far from normal.
#[track_caller]
pub(crate) fn assert_variance(values: &[f64], variance: f64, what: &str) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let found = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64;
    assert!((found / variance - 1.0).abs() < 0.06, "{what}: {found}, expected {variance}");
}
