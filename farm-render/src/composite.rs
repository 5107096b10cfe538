//! The first map of a large field, seen from above: the soil's colour, with the plants' colours over it.

use farm_output::{Color, Rect, blend};

use crate::canvas::Canvas;
use crate::compile::Pictures;
use crate::compiled::{CompiledPicture, KnownValues, ResolvedPlace};
use crate::heat::{Heat, draw_colors, draw_names};
use crate::sprites::FULL;
use crate::text::Writer;
use crate::view::Sight;

/// The components of a field's map.
pub(crate) struct Composite<'p> {
    /// The ground: its picture, its sprite and the two end colours.
    ground: Option<(&'p CompiledPicture, u16, [Color; 2])>,
    /// The plants, with the colours of their stages.
    covers: Vec<(&'p CompiledPicture, &'p Heat)>,
}

impl<'p> Composite<'p> {
    /// Creates the map of a field.
    pub(crate) fn of(pictures: &'p Pictures, field: usize) -> Self {
        let own = || {
            pictures
                .all
                .iter()
                .filter(move |p| p.field == Some(field) && matches!(p.resolved_place, ResolvedPlace::Plots))
        };
        let tint = |picture: &'p CompiledPicture| {
            let sprite = picture.sprite_rules.iter().find_map(|rule| rule.sprite)?;
            let source = pictures.sprites.get(usize::from(sprite))?;
            let ends = source.follows().iter().find_map(|name| source.tint(name))?;
            Some((picture, sprite, ends))
        };
        let named = |picture: &'p CompiledPicture| {
            let heat = picture.heat.as_ref().filter(|heat| !heat.names.is_empty())?;
            Some((picture, heat))
        };
        Self { ground: own().find_map(tint), covers: own().filter_map(named).collect() }
    }

    /// The ground colour of a plot; none if there is no ground or its level is unknown.
    pub(crate) fn ground(
        &self,
        pictures: &Pictures,
        sight: &Sight<'_>,
        width: usize,
        plot: (usize, usize),
    ) -> Option<Color> {
        let (picture, sprite, ends) = self.ground?;
        let level = picture.levels(pictures.sprites.get(usize::from(sprite))?, sight, width, plot)[0];
        (level <= FULL).then(|| blend(&ends, f64::from(level) / f64::from(FULL)))
    }

    /// The colour of the uppermost plants on a plot.
    fn cover(&self, sight: &Sight<'_>, field: usize, width: usize, plot: (usize, usize)) -> Option<Color> {
        self.covers.iter().rev().find_map(|(picture, heat)| {
            let value = |values| sight.at_plot(values, field, width, plot);
            picture.rule(&KnownValues { value: &value, names: &[] })?.sprite?;
            Some(heat.names.get(value(heat.values)?.max(0.0) as usize)?.1)
        })
    }

    /// Draws the map. A pixel that covers several plots gets their most frequent colour.
    pub(crate) fn draw(
        &self,
        canvas: &mut dyn Canvas,
        area: Rect,
        pictures: &Pictures,
        sight: &Sight<'_>,
        (field, size): (usize, (usize, usize)),
    ) {
        draw_colors(canvas, area, size, &|plots| {
            let mut counts: Vec<(Color, usize)> = Vec::new();
            for plot in plots {
                let color =
                    self.cover(sight, field, size.1, plot).or_else(|| self.ground(pictures, sight, size.1, plot));
                let Some(color) = color else { continue };
                match counts.iter_mut().find(|(known, _)| *known == color) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((color, 1)),
                }
            }
            let most = counts.iter().map(|(_, count)| *count).max()?;
            counts.iter().find(|(_, count)| *count == most).map(|(color, _)| *color)
        });
    }

    /// The names of the colours. Stages in which the ground is visible are left out.
    fn names(&self) -> Vec<(String, Color)> {
        let mut names: Vec<(String, Color)> = Vec::new();
        for (picture, heat) in &self.covers {
            for (i, (name, color)) in heat.names.iter().enumerate() {
                let rule = picture.rule(&KnownValues { value: &|_| Some(i as f64), names: &[] });
                if rule.is_some_and(|rule| rule.sprite.is_some()) && !names.contains(&(name.clone(), *color)) {
                    names.push((name.clone(), *color));
                }
            }
        }
        let ground = self.ground.map(|(_, _, [dry, wet])| [("dry soil".to_owned(), dry), ("wet soil".to_owned(), wet)]);
        names.extend(ground.into_iter().flatten());
        names
    }

    /// All its colours, for palettes.
    pub(crate) fn colors(&self) -> Vec<Color> {
        let ground = self
            .ground
            .iter()
            .flat_map(|(_, _, ends)| (0..=FULL).map(|level| blend(ends, f64::from(level) / f64::from(FULL))));
        ground.chain(self.names().into_iter().map(|(_, color)| color)).collect()
    }

    /// Draws the names of the colours below the map.
    pub(crate) fn draw_names(&self, canvas: &mut dyn Canvas, area: Rect, writer: &mut Writer) {
        let below = Rect::new(area.x, area.y + area.height + 4, area.width.max(LEAST_NAMES), 0);
        draw_names(canvas, below, &self.names(), writer);
    }
}

/// Minimum width of the names, so that they are not cut off.
const LEAST_NAMES: i32 = 420;
