//! Heat maps: colour maps of a field whose plots are too small for sprites.

use farm_core::declare::{HeatMap, Labels, Picture, Sprite, SpriteCondition, VariableInfo};
use farm_output::{Color, Rect, blend, heat_color};
use farm_plot::Weight;

use crate::canvas::Canvas;
use crate::sprites::INK;
use crate::text::Writer;
use crate::values::Values;
use crate::written::number;

/// The colours of a large field.
#[derive(Debug, Clone)]
pub(crate) struct Heat {
    /// Title: the part and the variable.
    pub title: String,
    /// The values, one per plot.
    pub values: Values,
    /// The value at the first colour of the scale.
    pub low: f64,
    /// The value at the last colour of the scale.
    pub high: f64,
    /// The colours of both ends; default: the colours of the usual scale.
    ends: Option<[Color; 2]>,
    /// The value names, each with its colour; empty for numbers.
    pub names: Vec<(String, Color)>,
}

/// The colour for named values without a sprite, which is the colour of bare soil.
const SOIL: Color = [0x9b, 0x70, 0x4a];
/// Colours for named values that have no colour. Colour-blind people can distinguish them (Okabe and Ito 2008).
const NAMED: [Color; 7] =
    [[230, 159, 0], [86, 180, 233], [0, 158, 115], [240, 228, 66], [0, 114, 178], [213, 94, 0], [204, 121, 167]];

impl Heat {
    /// Creates the heat map for a variable that a picture declares.
    pub(crate) fn new(title: String, values: Values, info: &VariableInfo, picture: &Picture, heat: &HeatMap) -> Self {
        let names = match info.kind().words(0) {
            Some(Labels::Named(names)) => names.clone(),
            _ => Vec::new(),
        };
        let name = |(i, name): (usize, String)| {
            let own = heat.colors().iter().find(|(label, _)| *label == name).map(|(_, color)| *color);
            let color = own.unwrap_or_else(|| sprite_color(picture, heat.variable(), i, &name));
            (name, color)
        };
        let names = names.into_iter().enumerate().map(name).collect();
        Self { title, values, low: heat.low(), high: heat.high(), ends: heat.ends(), names }
    }

    /// The colour for a value, or for the mean of several values.
    fn color(&self, value: f64) -> Color {
        if let Some((_, color)) = self.names.get(value.max(0.0) as usize) {
            return *color;
        }
        self.scale((value - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE))
    }

    /// The colour at a position on the scale, from 0 to 1.
    fn scale(&self, share: f64) -> Color {
        self.ends.map_or_else(|| heat_color(share), |ends| blend(&ends, share))
    }

    /// The colour of a pixel that shows several plots: the colour of their most frequent name (the first one in a tie), or of their mean.
    fn color_of_several(&self, values: impl Iterator<Item = f64>) -> Option<Color> {
        if self.names.is_empty() {
            let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
            return (n > 0.0).then(|| self.color(sum / n));
        }
        let mut counts = vec![0_u32; self.names.len()];
        values.for_each(|value| counts.get_mut(value.max(0.0) as usize).into_iter().for_each(|count| *count += 1));
        let most = counts.iter().copied().max().filter(|most| *most > 0)?;
        counts.iter().position(|count| *count == most).map(|name| self.names[name].1)
    }

    /// All its colours, for palettes.
    pub(crate) fn colors(&self) -> Vec<Color> {
        match self.names.as_slice() {
            [] => (0..64).map(|i| self.scale(f64::from(i) / 63.0)).collect(),
            names => names.iter().map(|(_, color)| *color).collect(),
        }
    }
}

/// The colour of the sprite that a picture draws for a named value.
fn sprite_color(picture: &Picture, map_of: &str, index: usize, name: &str) -> Color {
    let rule = picture.sprite_rules().iter().find(|rule| match rule.when() {
        SpriteCondition::Always => true,
        SpriteCondition::Label { variable, label } => variable == map_of && label == name,
        SpriteCondition::Within { variable, low, high } => {
            variable == map_of && (*low..=*high).contains(&(index as f64))
        }
        SpriteCondition::Names(_) => false,
    });
    match rule.map(|rule| rule.sprite()) {
        None | Some(Sprite::Nothing) => SOIL,
        Some(sprite) => sprite.color().unwrap_or(NAMED[index % NAMED.len()]),
    }
}

/// The plots that a pixel of the map shows, along one axis: one plot, or several if there are more plots than pixels.
fn plots_at(pixel: usize, pixels: usize, plots: usize) -> std::ops::Range<usize> {
    let from = pixel * plots / pixels;
    from..((pixel + 1) * plots / pixels).max(from + 1).min(plots)
}

/// The colour of plots that are not shown.
const HIDDEN: Color = [0xe3, 0xd9, 0xc8];

/// Draws a colour map. `value` returns the value of a plot, or none if the plot is not shown.
pub(crate) fn draw(
    canvas: &mut dyn Canvas,
    area: Rect,
    heat: &Heat,
    size: (usize, usize),
    value: &dyn Fn(usize, usize) -> Option<f64>,
) {
    draw_colors(canvas, area, size, &|plots| heat.color_of_several(plots.filter_map(|(x, y)| value(x, y))));
}

/// The colour of a pixel that shows some plots; none if no plot is shown.
type ColorOf<'a> = dyn Fn(&mut dyn Iterator<Item = (usize, usize)>) -> Option<Color> + 'a;

/// Draws a colour map. `color` returns the colour of a pixel that shows some plots, or none if no plot is shown.
pub(crate) fn draw_colors(canvas: &mut dyn Canvas, area: Rect, (length, width): (usize, usize), color: &ColorOf<'_>) {
    let (across, down) = (area.width.max(1) as usize, area.height.max(1) as usize);
    // Each plot has its own rectangle if there are enough pixels. Otherwise a pixel shows several plots.
    let (columns, rows) = (across.min(length), down.min(width));
    let edge = |i: usize, pixels: usize, parts: usize| (i * pixels / parts) as i32;
    for i in 0..columns {
        let (left, right) = (edge(i, across, columns), edge(i + 1, across, columns));
        for j in 0..rows {
            let (top, bottom) = (edge(j, down, rows), edge(j + 1, down, rows));
            let (of_x, of_y) = (plots_at(i, columns, length), plots_at(j, rows, width));
            let mut plots = of_x.flat_map(|x| of_y.clone().map(move |y| (x, y)));
            let at = Rect::new(area.x + left, area.y + top, right - left, bottom - top);
            canvas.fill(at, color(&mut plots).unwrap_or(HIDDEN));
        }
    }
}

/// Minimum width of a scale, so that its numbers do not touch, and of names, so that they are not cut off.
const LEAST_SCALE: i32 = 80;
const LEAST_NAMES: i32 = 260;
/// Height of a row of names.
const NAMES_ROW: i32 = 14;

/// Draws the scale below a map: from low to high, or the colour of each name.
pub(crate) fn draw_scale(canvas: &mut dyn Canvas, area: Rect, heat: &Heat, writer: &mut Writer) {
    let (x, y) = (area.x, area.y + area.height + 4);
    let width = if heat.names.is_empty() { area.width.max(LEAST_SCALE) } else { area.width.max(LEAST_NAMES) };
    if heat.names.is_empty() {
        for i in 0..width {
            canvas.fill(Rect::new(x + i, y, 1, 8), heat.scale(f64::from(i) / f64::from(width - 1)));
        }
        let (low, high) = (number(heat.low), number(heat.high));
        let right = x + width - writer.width(&high, 11, Weight::Regular);
        canvas.write((x, y + 21), 11, Weight::Regular, INK, &low);
        canvas.write((right, y + 21), 11, Weight::Regular, INK, &high);
        return;
    }
    draw_names(canvas, Rect::new(x, y, width, 0), &heat.names, writer);
}

/// Draws names with their colours, in two rows.
pub(crate) fn draw_names(canvas: &mut dyn Canvas, area: Rect, names: &[(String, Color)], writer: &mut Writer) {
    let Rect { x, y, width, .. } = area;
    let columns = names.len().div_ceil(2) as i32;
    let column = width / columns.max(1);
    for (i, (name, color)) in names.iter().enumerate() {
        let (left, top) = (x + i as i32 % columns * column, y + i as i32 / columns * NAMES_ROW);
        canvas.fill(Rect::new(left, top, 8, 8), INK);
        canvas.fill(Rect::new(left + 1, top + 1, 6, 6), *color);
        let name = writer.fit(name, column - 13, 10, Weight::Regular);
        canvas.write((left + 11, top + 8), 10, Weight::Regular, INK, &name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heat map that is declared for one of the bean plants' variables in a large field.
    fn heat_of(variable: &str) -> Heat {
        let game = farm_games::open("clay_bean-v0", &farm_games::Options::default()).unwrap();
        let pictures = crate::compile::Pictures::of(&game, None).unwrap();
        let mut heats = pictures.all.iter().filter_map(|picture| picture.heat.clone());
        heats.find(|heat| heat.title.contains(variable)).unwrap()
    }

    /// The pixels of a map with 100 pixels, for a field with 400 plots.
    fn pixels(heat: &Heat, value: impl Fn(usize, usize) -> f64) -> Vec<Color> {
        let mut canvas = crate::canvas::Pixels::new((10, 10), 1.0, [0; 3]).unwrap();
        draw(&mut canvas, Rect::new(0, 0, 10, 10), heat, (20, 20), &|x, y| Some(value(x, y)));
        canvas.image.pixels().as_chunks::<3>().0.to_vec()
    }

    #[test]
    fn a_pixel_of_several_plots_has_the_colour_of_most_of_them_and_of_none_between() {
        let stage = heat_of("stage");
        let color = |name: &str| stage.names.iter().find(|(known, _)| known == name).unwrap().1;
        // Half of the plots are bare (0), half of the plants dead (6): none blooms (3), which lies between them.
        let checkered = pixels(&stage, |x, y| if (x + y) % 2 == 0 { 0.0 } else { 6.0 });
        assert!(checkered.iter().all(|pixel| [color("none"), color("dead")].contains(pixel)), "{checkered:?}");
        let mostly_dead = pixels(&stage, |x, y| if x % 2 + y % 2 == 0 { 0.0 } else { 6.0 });
        assert!(mostly_dead.iter().all(|pixel| *pixel == color("dead")), "{mostly_dead:?}");
        assert!(!mostly_dead.contains(&color("bloom")));
    }

    #[test]
    fn each_stage_of_a_plant_has_a_colour_that_can_be_told_from_the_others() {
        let stage = heat_of("stage");
        assert_eq!(stage.names.len(), 8);
        for (i, (name, a)) in stage.names.iter().enumerate() {
            for (other, b) in &stage.names[..i] {
                let far = a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
                assert!(far > 60, "{name} and {other}: {a:?}, {b:?}");
            }
        }
    }

    #[test]
    fn numbers_are_drawn_by_their_mean_on_the_scale_that_is_declared() {
        let water = heat_of("Water");
        let (low, high) = (water.low, water.high);
        assert!(pixels(&water, |_, _| low).iter().all(|pixel| pixel == &water.ends.unwrap()[0]));
        assert!(pixels(&water, |_, _| high).iter().all(|pixel| pixel == &water.ends.unwrap()[1]));
        let [dry, wet] = water.ends.unwrap().map(|color| color.iter().map(|c| u32::from(*c)).sum::<u32>());
        assert!(dry > wet, "dry soil is lighter than wet soil");
        let middle = pixels(&water, |x, _| if x % 2 == 0 { low } else { high });
        assert!(middle.iter().all(|pixel| *pixel == water.color((low + high) / 2.0)), "{middle:?}");
    }

    #[test]
    fn every_plot_has_its_part_of_a_map() {
        for (pixels, plots) in [(3, 10), (10, 10), (7, 100)] {
            let covered: Vec<usize> = (0..pixels).flat_map(|pixel| plots_at(pixel, pixels, plots)).collect();
            assert_eq!(covered, (0..plots).collect::<Vec<_>>(), "{plots} plots on {pixels} pixels");
        }
    }
}
