//! A picture with every name resolved: its places, its sprites, and the values that select them.

use crate::heat::Heat;
use crate::sprites::{FULL, Levels, SpriteSource, UNKNOWN};
use crate::values::Values;
use crate::view::{Sight, Visibility};
use crate::written::WrittenValue;

/// The condition of a sprite rule.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    Always,
    /// A variable is within a range; the values are none if the part has no such variable.
    Within {
        values: Option<Values>,
        low: f64,
        high: f64,
    },
    /// A seen tile's names, as numbers, start with these names; none if no tile has them.
    Names(Option<Vec<u8>>),
}

/// A sprite and its condition.
#[derive(Debug, Clone)]
pub(crate) struct CompiledSpriteRule {
    /// Its name in the legend.
    pub name: String,
    /// Index of the sprite; none to draw nothing.
    pub sprite: Option<u16>,
    pub test: Test,
}

/// The place where a picture is drawn.
#[derive(Debug, Clone)]
pub(crate) enum ResolvedPlace {
    /// On each plot.
    Plots,
    /// On the tiles whose indices are these values.
    Things { at: Values, count: usize, columns: usize, margin: usize },
    /// On every tile of a map.
    Map { columns: usize, margin: usize, depth: usize },
    /// On every tile with seen names.
    SeenTiles,
    /// At x and y.
    Position { at: Values },
    /// In the status bar.
    StatusBar,
}

/// A picture with its names resolved.
#[derive(Debug, Clone)]
pub(crate) struct CompiledPicture {
    /// Its title.
    pub title: String,
    /// Index of the part that declares it.
    pub part: usize,
    /// The field; none for farm-level parts.
    pub field: Option<usize>,
    /// Its layer; higher layers cover lower ones.
    pub layer: i32,
    /// Its place.
    pub resolved_place: ResolvedPlace,
    /// Its sprites. The first rule that holds is drawn.
    pub sprite_rules: Vec<CompiledSpriteRule>,
    /// The values written next to it.
    pub written: Vec<WrittenValue>,
    /// Colours for large fields.
    pub heat: Option<Heat>,
    /// The indices of the things that it shows; none to show all.
    pub entries: Option<Vec<usize>>,
    /// The variables that its sprites follow, with the values at both ends of the growth.
    pub growths: Vec<(String, Values, [f64; 2])>,
}

/// The input for sprite rules: the values of variables, and the names of a tile, if known.
pub(crate) struct KnownValues<'a> {
    /// The value of a variable; none if it is not known.
    pub value: &'a dyn Fn(Values) -> Option<f64>,
    /// The tile's names, as numbers.
    pub names: &'a [u8],
}

impl CompiledPicture {
    /// The sprite rule that applies to the known values; none if it depends on an unknown value.
    pub(crate) fn rule(&self, known: &KnownValues<'_>) -> Option<&CompiledSpriteRule> {
        let mut is_sure = true;
        for rule in &self.sprite_rules {
            let holds = match &rule.test {
                Test::Always => is_sure,
                Test::Names(names) => names.as_ref().is_some_and(|names| known.names.starts_with(names)),
                Test::Within { values: None, .. } => false,
                Test::Within { values: Some(values), low, high } => match (known.value)(*values) {
                    Some(value) => *low <= value && value <= *high,
                    // A walker with a known position is drawn even if other values are unknown. Other things are not drawn.
                    None if matches!(self.resolved_place, ResolvedPlace::Position { .. }) => false,
                    // Known weather is shown, but the last rule (clear sky) needs all values.
                    None if matches!(self.resolved_place, ResolvedPlace::StatusBar) => {
                        is_sure = false;
                        false
                    }
                    None => return None,
                },
            };
            if holds {
                return Some(rule);
            }
        }
        None
    }

    /// The sprite rule that applies to a picture outside plots and tiles, or to one of its things.
    pub(crate) fn rule_at(&self, sight: &Sight<'_>, index: usize) -> Option<&CompiledSpriteRule> {
        self.rule(&KnownValues { value: &|values| sight.value(values, index), names: &[] })
    }

    /// The variables that its sprite rules read.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = Values> {
        self.sprite_rules.iter().filter_map(|rule| match rule.test {
            Test::Within { values, .. } => values,
            Test::Always | Test::Names(_) => None,
        })
    }

    /// Calls `put` for each place in its field that has a sprite: x and y in a field of `size`, and the sprite rule.
    pub(crate) fn each<'p>(
        &'p self,
        sight: &Sight<'_>,
        size: (usize, usize),
        put: &mut dyn FnMut(usize, usize, &'p CompiledSpriteRule),
    ) {
        let (length, width) = size;
        let field = self.field.unwrap_or(0);
        let mut put = |x: usize, y: usize, rule: Option<&'p CompiledSpriteRule>| {
            if let Some(rule) = rule.filter(|_| x < length && y < width) {
                put(x, y, rule);
            }
        };
        let tiles = || (0..length).flat_map(move |x| (0..width).map(move |y| (x, y)));
        match &self.resolved_place {
            ResolvedPlace::StatusBar => {}
            ResolvedPlace::Plots => {
                for (x, y) in tiles() {
                    let value = |values| sight.at_plot(values, field, width, (x, y));
                    put(x, y, self.rule(&KnownValues { value: &value, names: &[] }));
                }
            }
            ResolvedPlace::Map { columns, margin, depth } => {
                tiles()
                    .for_each(|(x, y)| put(x, y, self.rule_at(sight, ((y + margin) * columns + x + margin) * depth)));
            }
            ResolvedPlace::SeenTiles => {
                for (x, y) in tiles() {
                    let names = sight.names((x, y));
                    put(x, y, names.and_then(|names| self.rule(&KnownValues { value: &|_| None, names: &names })));
                }
            }
            ResolvedPlace::Things { at, count, columns, margin } => {
                let shows = |entry: &usize| self.entries.as_ref().is_none_or(|entries| entries.contains(entry));
                for entry in (0..*count).filter(shows) {
                    let Some(cell) = sight.value(*at, entry) else { continue };
                    let (cell, columns) = (cell.max(0.0) as usize, (*columns).max(1));
                    let place = (cell % columns).checked_sub(*margin).zip((cell / columns).checked_sub(*margin));
                    place.into_iter().for_each(|(x, y)| put(x, y, self.rule_at(sight, entry)));
                }
            }
            ResolvedPlace::Position { at } => {
                if let Some((x, y)) = sight.position(self.part, *at) {
                    put(x, y, self.rule_at(sight, 0));
                }
            }
        }
    }

    /// The growth levels of its sprite on a plot in its field.
    pub(crate) fn levels(
        &self,
        source: &SpriteSource,
        sight: &Sight<'_>,
        width: usize,
        plot: (usize, usize),
    ) -> Levels {
        let mut levels = [UNKNOWN; 2];
        for (level, name) in levels.iter_mut().zip(source.follows()) {
            let Some((_, values, [low, high])) = self.growths.iter().find(|growth| growth.0 == *name) else { continue };
            let Some(value) = sight.at_plot(*values, self.field.unwrap_or(0), width, plot) else { continue };
            let share = (value - low) / (high - low).max(f64::MIN_POSITIVE);
            *level = (share.clamp(0.0, 1.0) * f64::from(FULL)).round() as u8;
        }
        levels
    }

    /// Whether a learner can ever see any of it.
    pub(crate) fn is_visible(&self, seen: &Visibility) -> bool {
        let sees_deciding = self.deciding().next().is_none_or(|first| seen.sees(first));
        match &self.resolved_place {
            ResolvedPlace::SeenTiles => seen.sees_names(),
            ResolvedPlace::Plots => sees_deciding,
            // Seen tiles replace a map that reads no variable.
            ResolvedPlace::Map { .. } => sees_deciding && (self.deciding().next().is_some() || !seen.sees_names()),
            ResolvedPlace::Things { at, .. } => seen.sees(*at) && sees_deciding,
            ResolvedPlace::Position { at } => seen.sees(*at) || seen.has_window(self.part),
            ResolvedPlace::StatusBar => {
                let is_fixed = self.written.is_empty() && self.deciding().next().is_none();
                is_fixed || self.deciding().chain(self.written.iter().map(|w| w.values)).any(|values| seen.sees(values))
            }
        }
    }
}
