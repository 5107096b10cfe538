//! Work that must wait until the soil is dry enough to drive on. Tractors compact wet soil, so farmers stay away from it.

use farm_core::action::ActionKind;
use farm_core::declare::{ActionInfo, ActionParameterKind, All, PartInfo};
use farm_core::inspect::thousands;
use farm_core::math::sum;
use farm_core::{Attempt, Column, Declarations, Found, Known, Reader};
use farm_roles::{TOPSOIL_CAPACITY, TOPSOIL_WATER};

/// The roles that the limit needs.
pub(super) struct Needs {
    wettest: f64,
    water: All<f64>,
    capacity: All<f64>,
}

/// The limit on the water in the topsoil, and the actions that it concerns.
pub(super) struct WetSoil {
    /// Most water in the topsoil of a plot, in L, and the column with the water, for each field that has both.
    fields: Vec<Option<(f64, Column<f64>)>>,
    /// For each part, its field, and for each of its actions, where it works.
    parts: Vec<(Option<usize>, Vec<Place>)>,
}

/// Where an action works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Not on the soil.
    Elsewhere,
    /// On the plot in this parameter.
    Plot(usize),
    /// On the whole field.
    Field,
}

impl Place {
    fn of(action: &ActionInfo) -> Self {
        let plot = action.parameters().iter().position(|parameter| *parameter.kind() == ActionParameterKind::Plot);
        if action.needs_dry_soil() { plot.map_or(Self::Field, Self::Plot) } else { Self::Elsewhere }
    }
}

impl Needs {
    /// The limit as a share of field capacity. `None` if there is no limit. The game's texts have the limit of the first field, in L.
    pub(super) fn new(d: &mut Declarations<'_>, known: &Known<'_>, wettest: Option<f64>) -> Option<Self> {
        let wettest = wettest?;
        if let Some(capacity) = known.declaration(TOPSOIL_CAPACITY) {
            d.text_variable("wettest_soil_liters", thousands(&format!("{:.0}", wettest * capacity.default())));
        }
        Some(Self { wettest, water: d.all(TOPSOIL_WATER), capacity: d.all(TOPSOIL_CAPACITY) })
    }

    pub(super) fn bind(self, found: &Found<'_>) -> WetSoil {
        let capacity = found.named(self.capacity);
        let of_field = |field: usize| {
            let is_here = |part: &PartInfo| part.field() == Some(field);
            let (.., water) = found.named(self.water).into_iter().find(|(part, ..)| is_here(part))?;
            let (_, capacity, _) = capacity.iter().find(|(part, ..)| is_here(part))?;
            Some((self.wettest * capacity.default(), water))
        };
        let places = |part: &PartInfo| (part.field(), part.actions().iter().map(Place::of).collect());
        WetSoil {
            fields: (0..found.fields().len()).map(of_field).collect(),
            parts: found.parts().iter().map(places).collect(),
        }
    }
}

impl WetSoil {
    /// Why the action must wait, if the soil is too wet for it. Work on a whole field waits for the mean of its plots.
    #[inline]
    pub(super) fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        let (ActionKind::Intervention, Some(action)) = (attempt.kind(), attempt.action()) else { return None };
        let (field, places) = &self.parts[attempt.part()];
        let (most, water) = self.fields[(*field)?]?;
        let water = reader.get(water);
        let wet = match places[action] {
            Place::Elsewhere => return None,
            Place::Plot(parameter) => water[attempt.arguments().plot(parameter)],
            Place::Field => sum(water.iter().copied()) / water.len() as f64,
        };
        (wet > most).then_some("the soil is too wet to work on")
    }
}
