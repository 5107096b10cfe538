// The examples in the documentation of farm-core play on this farm: 2×2 plots, a farmer who may do everything, ten days, a point a day.
// The examples include this file in a module, in lines that the pages do not show.

use std::sync::Arc;

use farm_core::prelude::*;
use farm_core::rules::{RuleBuilder, Rules};
use farm_core::serde_yaml::Value;

/// A tank on each plot.
#[derive(Debug, Clone, Parameters)]
pub struct Tanks {}

#[register(source = "An example")]
impl Entity for Tanks {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let water = d.variable(real("water#L", 0.0, 100.0, "Water in the tank.").per_plot().default(50.0));
        d.action("fill", vec![ActionParameter::plot()], "Fills a tank.");
        Bind::new(move |found| Water(found.get(water)))
    }
}

struct Water(Column<f64>);

impl Behaviour for Water {
    fn act(&self, _: usize, arguments: CallArguments<'_>, context: &mut Context<'_>) {
        context.get(self.0)[arguments.plot(0)].set(100.0);
    }
}

/// A farmer who may do everything.
#[derive(Debug, Clone, Parameters)]
pub struct Hands {}

struct Free;

#[register(source = "An example")]
impl Farmer for Hands {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        Bind::new(|_| Free)
    }
}

impl Behaviour for Free {}

impl FarmerBehaviour for Free {}

/// Ten days with one action each.
#[derive(Debug, Clone, Parameters)]
pub struct TenDays {}

#[register(source = "An example")]
impl Rule for TenDays {
    fn build(&self, builder: &mut RuleBuilder<'_>) -> Rules {
        Rules {
            base_actions: builder.actions(&Value::Null, "actions"),
            bins: 2,
            max_schedule: 1,
            max_steps: Some(10),
            max_cost: f64::INFINITY,
            ..Rules::default()
        }
    }
}

/// A point a day.
#[derive(Debug, Clone, Parameters)]
pub struct Points {}

struct Point;

#[register(source = "An example")]
impl Score for Points {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        Bind::new(|_| Point)
    }
}

impl Behaviour for Point {}

impl ScoreBehaviour for Point {
    fn reward(&self, _: &mut Context<'_>) -> f64 {
        1.0
    }
}

/// A game with these entities, written as in a game file.
pub fn game(entities: &str) -> Arc<Game> {
    let shape = "shape: {length#nb: 2, width#nb: 2}";
    let text = format!(
        "name: example\nfields: {{Field-0: {{{shape}, entities: [{entities}]}}}}\nfarmers: [Hands: {{}}]\n\
         rules: {{TenDays: {{}}}}\nscore: {{Points: {{}}}}\ninteraction_mode: fomdp\n"
    );
    let spec = farm_core::spec::load("example.yaml", &text).unwrap_or_else(|problems| panic!("{problems}"));
    Arc::new(Game::new(spec).unwrap_or_else(|problems| panic!("{problems}")))
}
