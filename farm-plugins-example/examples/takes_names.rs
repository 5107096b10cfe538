//! A plugin whose kinds have names that are taken: one by the engine's own entities, one by another plugin.

use farm_core::{Behaviour, Builder, Entity};

farm_core::declare_plugin!("takes-names");

farm_core::parameters! {
    /// Another soil.
    pub struct Soil {
        /// How deep it is.
        pub depth: f64 = 1.0, "depth#m", [0.0, 10.0];
    }
}

farm_core::register!(Entity, Soil, "Another soil.", "Test");

farm_core::parameters! {
    /// Other slugs.
    pub struct Slugs {
        /// How many there are.
        pub number: u32 = 1, "number#nb", [0, 10];
    }
}

farm_core::register!(Entity, Slugs, "Other slugs.", "Test");

struct Nothing;

impl Behaviour for Nothing {}

#[farm_core::typetag::serde]
impl Entity for Soil {
    fn build(&self, _: &mut Builder<'_>) -> Box<dyn Behaviour> {
        Box::new(Nothing)
    }
}

#[farm_core::typetag::serde]
impl Entity for Slugs {
    fn build(&self, _: &mut Builder<'_>) -> Box<dyn Behaviour> {
        Box::new(Nothing)
    }
}
