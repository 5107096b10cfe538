//! A plugin whose kinds have taken names: one of an entity of the project, one of another plugin.

use farm_core::{Behaviour, Bind, Declarations, Entity};

farm_core::declare_plugin!("takes-names");

/// Another soil.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Soil {
    /// Its depth.
    #[parameter(unit = "m", default = 1.0, range = 0.0..=10.0)]
    pub depth: f64,
}

/// Other slugs.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Slugs {
    /// Their number.
    #[parameter(unit = "nb", default = 1, range = 0..=10)]
    pub number: u32,
}

struct Nothing;

impl Behaviour for Nothing {}

#[farm_core::register(source = "Test")]
impl Entity for Soil {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::new(|_| Nothing)
    }
}

#[farm_core::register(source = "Test")]
impl Entity for Slugs {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::new(|_| Nothing)
    }
}
