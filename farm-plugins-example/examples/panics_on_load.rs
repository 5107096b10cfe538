//! A plugin that panics while it lists its kinds.

use farm_core::{Behaviour, Bind, Declarations, Entity};

farm_core::declare_plugin!("panics-on-load");

fn none() -> f64 {
    panic!("I have no default")
}

/// Panics if the engine asks for its defaults.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Hothead {
    /// No value at all.
    #[parameter(unit = "°C", default = none(), range = 0.0..=100.0)]
    pub temper: f64,
}

struct Nothing;

impl Behaviour for Nothing {}

#[farm_core::register(source = "Test")]
impl Entity for Hothead {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::new(|_| Nothing)
    }
}
