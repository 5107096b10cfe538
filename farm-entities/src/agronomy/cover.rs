//! Cover: a fleece that the farmer lays over a plot for one night, against frost.
//!
//! | writes | unit |
//! |---|---|
//! | whether a plot is covered; warmth under the fleece (role `frost_shelter`) | –, °C |
//!
//! Plants under it get the night's lowest temperature plus the warmth. The farmer takes it off in the morning, which is part of the action.
//!
//! Source: Snyder & de Melo-Abreu 2005 (FAO, Frost protection: fundamentals, practice and economics): row covers give 2 to 5 °C, by their weight.

use farm_core::action::CallArguments;
use farm_core::prelude::*;
use farm_roles::FROST_SHELTER;

/// A fleece for a night.
#[derive(Debug, Clone, Parameters)]
pub(crate) struct Cover {
    /// How much warmer plants are under the fleece in a cold night.
    #[parameter(name = "warmth#°C", default = 3.0, range = 0.0..=10.0)]
    pub warmth: f64,
}

#[derive(Columns)]
struct Fleece {
    p: Cover,
    /// Warmth that the fleece on the plot gives in the coming night.
    #[real(name = "warmth#°C", range = 0.0..=p.warmth.max(1.0), per_plot, role = FROST_SHELTER)]
    warmth: Column<f64>,
    /// Covers the plot with a fleece for one night. The farmer takes it off in the morning.
    #[action(parameters = [ActionParameter::plot()], done = "covered", badge = include_str!("sprites/badges/fleece.svg"), without_effect = "the plot is covered already")]
    cover: usize,
}

#[register(
    entity = Cover,
    source = "Snyder & de Melo-Abreu 2005; equation sheet, V",
    sets = include_str!("cover.yaml"),
    runs_in = Phase::Account,
    picture = Picture::on_plots("Fleece", 12).from("warmth#°C", 0.1, "covered", include_str!("sprites/fleece.svg")).heat("warmth#°C", 0.0, 5.0)
)]
impl Behaviour for Fleece {
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        debug_assert_eq!(action, self.cover);
        c.get(self.warmth)[arguments.plot(0)].set(self.p.warmth);
    }

    fn has_effect(&self, _: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        reader.get(self.warmth)[arguments.plot(0)] == 0.0
    }

    /// In the morning, the fleece is taken off.
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.warmth).iter().for_each(|warmth| warmth.set(0.0));
    }
}
