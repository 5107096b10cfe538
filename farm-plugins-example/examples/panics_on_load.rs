//! A plugin that panics while it tells what it has.

use farm_core::{Behaviour, Builder, Entity};

farm_core::declare_plugin!("panics-on-load");

fn none() -> f64 {
    panic!("I have no default")
}

farm_core::parameters! {
    /// Panics when anyone asks for its defaults.
    pub struct Hothead {
        /// No value at all.
        pub temper: f64 = none(), "temper#°C", [0.0, 100.0];
    }
}

farm_core::register!(Entity, Hothead, "Panics when anyone asks for its defaults.", "Test");

struct Nothing;

impl Behaviour for Nothing {}

#[farm_core::typetag::serde]
impl Entity for Hothead {
    fn build(&self, _: &mut Builder<'_>) -> Box<dyn Behaviour> {
        Box::new(Nothing)
    }
}
