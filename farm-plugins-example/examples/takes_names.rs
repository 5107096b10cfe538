//! A plugin whose kinds have names that are taken: one by the engine's own entities, one by another plugin.

use farm_core::{Behaviour, Builder, Entity};

farm_core::declare_plugin!("takes-names");

/// Another soil.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Soil {
    /// How deep it is.
    #[parameter(unit = "m", default = 1.0, range = 0.0..=10.0)]
    pub depth: f64,
}

/// Other slugs.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Slugs {
    /// How many there are.
    #[parameter(unit = "nb", default = 1, range = 0..=10)]
    pub number: u32,
}

struct Nothing;

impl Behaviour for Nothing {}

#[farm_core::register(source = "Test")]
impl Entity for Soil {
    fn build(&self, _: &mut Builder<'_>) -> Box<dyn Behaviour> {
        Box::new(Nothing)
    }
}

#[farm_core::register(source = "Test")]
impl Entity for Slugs {
    fn build(&self, _: &mut Builder<'_>) -> Box<dyn Behaviour> {
        Box::new(Nothing)
    }
}
