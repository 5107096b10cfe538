//! A season's results in agronomic numbers: harvest, water and leached nitrogen.

use farm_core::declare::{PartInfo, Quantity, Reference};
use farm_core::{Game, Reader, State, StateSlice};
use farm_plot::grouped;
use farm_roles::{FERTILIZER_SCATTERED, HARVEST_WEIGHT, LEACHED_N, RAIN_AMOUNT, WATER_GIVEN};

use crate::SeasonLine;

/// 10,000 m² per hectare divided by 1,000 g per kilogram: converts g/m² to kg/ha.
const KG_PER_HECTARE: f64 = 10.0;

/// The way to sum a variable over a season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Total {
    /// The variable is cumulative: the result is its last value minus its first value.
    SoFar,
    /// The variable is a daily amount: the result is the sum over all days.
    Daily,
}

/// One quantity of one part over a season.
#[derive(Debug, Clone)]
struct SeasonTotal {
    role: &'static str,
    part: usize,
    source: StateSlice,
    total: Total,
    start: f64,
    sum: f64,
}

/// The harvest of each crop since the reset: the crop's path, and the weight in kilograms.
pub fn harvest(game: &Game, state: &State) -> Vec<(String, f64)> {
    let season = Season::of(game);
    let reader = game.reader(state);
    let of = |total: &SeasonTotal| {
        Some((game.parts().get(total.part)?.path().to_owned(), total.source.values(&reader).sum()))
    };
    season.with(HARVEST_WEIGHT.name()).filter_map(of).collect()
}

/// A season's quantities.
#[derive(Debug, Clone)]
pub(crate) struct Season(Vec<SeasonTotal>);

impl Season {
    /// Creates a game's quantities, all zero.
    pub(crate) fn of(game: &Game) -> Self {
        let wanted = [
            (HARVEST_WEIGHT.name(), Total::SoFar),
            (WATER_GIVEN.name(), Total::SoFar),
            (RAIN_AMOUNT.name(), Total::Daily),
            (FERTILIZER_SCATTERED.name(), Total::SoFar),
            (LEACHED_N.name(), Total::Daily),
        ];
        let mut all = Vec::new();
        for (role, total) in wanted {
            for (part, info) in game.parts().iter().enumerate() {
                let variables = info.variables().iter().enumerate().filter(|(_, info)| info.roles().contains(&role));
                all.extend(variables.filter_map(|(variable, _)| {
                    let reference = Reference::new(part, Quantity::Variable(variable), "");
                    let source = StateSlice::of(&reference, game.parts())?;
                    Some(SeasonTotal { role, part, source, total, start: 0.0, sum: 0.0 })
                }));
            }
        }
        Self(all)
    }

    /// Starts an episode.
    pub(crate) fn open(&mut self, reader: &Reader<'_>) {
        for total in &mut self.0 {
            total.start = total.source.values(reader).sum();
            total.sum = 0.0;
        }
    }

    /// Adds the day that has just passed.
    pub(crate) fn note(&mut self, reader: &Reader<'_>) {
        for total in &mut self.0 {
            let value: f64 = total.source.values(reader).sum();
            match total.total {
                Total::SoFar => total.sum = value - total.start,
                Total::Daily => total.sum += value,
            }
        }
    }

    /// Whether a part is a crop, which means that it has a harvest weight.
    pub(crate) fn is_crop(&self, part: usize) -> bool {
        self.with(HARVEST_WEIGHT.name()).any(|total| total.part == part)
    }

    fn with(&self, role: &'static str) -> impl Iterator<Item = &SeasonTotal> {
        self.0.iter().filter(move |total| total.role == role)
    }

    /// The sum of a quantity over the parts in a field and on the farm; `None` if no part has this quantity.
    fn sum(&self, game: &Game, role: &'static str, field: usize) -> Option<f64> {
        let of = |total: &&SeasonTotal| {
            game.parts().get(total.part).is_some_and(|part| part.field().is_none_or(|of| of == field))
        };
        let found: Vec<f64> = self.with(role).filter(of).map(|total| total.sum).collect();
        (!found.is_empty()).then(|| found.iter().sum())
    }

    /// A field's summary, with one line for each of the game's quantities; empty for a field without crops.
    pub(crate) fn lines(&self, game: &Game, field: usize) -> Vec<SeasonLine> {
        let Some(info) = game.fields().get(field) else { return Vec::new() };
        let in_field = |total: &&SeasonTotal| game.parts().get(total.part).and_then(PartInfo::field) == Some(field);
        let crops: Vec<&SeasonTotal> = self.with(HARVEST_WEIGHT.name()).filter(in_field).collect();
        if crops.is_empty() {
            return Vec::new();
        }
        let area = info.plots() as f64 * info.scale_m() * info.scale_m();
        let mut lines = Vec::new();
        for crop in &crops {
            let name = game.parts().get(crop.part).map_or("", PartInfo::name);
            let per_area = format!("{} kg ({} g/m²)", grouped(crop.sum), grouped(crop.sum / area * 1000.0));
            lines.push((format!("harvest of {name}"), per_area));
        }
        let harvest: f64 = crops.iter().map(|crop| crop.sum).sum();
        if let Some(rain) = self.sum(game, RAIN_AMOUNT.name(), field) {
            lines.push(("rain".to_owned(), format!("{} mm", grouped(rain))));
        }
        if let Some(water) = self.sum(game, WATER_GIVEN.name(), field) {
            lines.push(("water given".to_owned(), format!("{} L ({} mm)", grouped(water), grouped(water / area))));
            if harvest > 0.0 {
                lines.push(("water given per kg of harvest".to_owned(), format!("{} L/kg", grouped(water / harvest))));
            }
        }
        if let Some(fertilizer) = self.sum(game, FERTILIZER_SCATTERED.name(), field) {
            lines.push(("fertilizer given".to_owned(), format!("{} kg", grouped(fertilizer))));
        }
        if let Some(grams) = self.sum(game, LEACHED_N.name(), field) {
            let per_hectare = grouped(grams / area * KG_PER_HECTARE);
            lines.push(("nitrogen leached".to_owned(), format!("{} g ({per_hectare} kg/ha)", grouped(grams))));
        }
        lines
    }
}
