//! Heat maps: a field whose plots are too small for sprites, as one map of colours for each thing it shows.

use farm_core::Reader;

use crate::compile::{Heat, number};
use crate::image::{Color, Image, Rect};
use crate::layout::PANEL_SCALE;
use crate::sprites::INK;
use crate::text::{Weight, Writer};

/// Colours from dark to light that people with any colour vision tell apart, and that keep their order in grey (cividis; Nuñez et
/// al. 2018, at equal distances).
const SCALE: [Color; 6] =
    [[0, 34, 78], [46, 66, 109], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];

/// The colour of a share of the way from the lowest to the highest value of a heat map.
pub fn color(share: f64) -> Color {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let at = share * (SCALE.len() - 1) as f64;
    let from = (at as usize).min(SCALE.len() - 2);
    let rest = at - from as f64;
    std::array::from_fn(|i| {
        let (a, b) = (f64::from(SCALE[from][i]), f64::from(SCALE[from + 1][i]));
        (a + (b - a) * rest).round() as u8
    })
}

/// The plots of which a pixel of the map is the mean, along one axis: one plot or, where there are more plots than pixels, several.
fn plots_at(pixel: usize, pixels: usize, plots: usize) -> std::ops::Range<usize> {
    let from = pixel * plots / pixels;
    from..((pixel + 1) * plots / pixels).max(from + 1).min(plots)
}

/// The colour of plots that are not shown.
const HIDDEN: Color = [0xe3, 0xd9, 0xc8];

/// Draws a map of colours; `shown` tells of each plot whether it is shown.
pub fn draw(
    image: &mut Image,
    area: Rect,
    heat: &Heat,
    (length, width): (usize, usize),
    shown: &dyn Fn(usize, usize) -> bool,
    reader: &Reader<'_>,
) {
    let value = |x: usize, y: usize| shown(x, y).then(|| heat.values.get(reader, x * width + y)).flatten();
    let share = |value: f64| (value - heat.low) / (heat.high - heat.low).max(f64::MIN_POSITIVE);
    let (across, down) = (area.width.max(1) as usize, area.height.max(1) as usize);
    let cell = (across / length).min(down / width);
    if cell >= 1 {
        for x in 0..length {
            for y in 0..width {
                let at = Rect::new(area.x + (x * cell) as i32, area.y + (y * cell) as i32, cell as i32, cell as i32);
                image.fill(at, value(x, y).map_or(HIDDEN, |value| color(share(value))));
            }
        }
        return;
    }
    for i in 0..across {
        for j in 0..down {
            let (columns, rows) = (plots_at(i, across, length), plots_at(j, down, width));
            let plots = columns.flat_map(|x| rows.clone().map(move |y| (x, y)));
            let values = plots.filter_map(|(x, y)| value(x, y));
            let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
            let color = if n > 0.0 { color(share(sum / n)) } else { HIDDEN };
            image.fill(Rect::new(area.x + i as i32, area.y + j as i32, 1, 1), color);
        }
    }
}

/// Width of a scale at least, so that its numbers stand apart, and of names, so that they are not cut.
const LEAST_SCALE: i32 = 80;
const LEAST_NAMES: i32 = 200;

/// Draws the scale below a map: from low to high, or the colour of each name.
pub fn draw_scale(image: &mut Image, area: Rect, heat: &Heat, writer: &mut Writer) {
    let (x, y) = (area.x, area.y + area.height + 4);
    let width = if heat.names.is_empty() { area.width.max(LEAST_SCALE) } else { area.width.max(LEAST_NAMES) };
    if heat.names.is_empty() {
        for i in 0..width {
            image.fill(Rect::new(x + i, y, 1, 8), color(f64::from(i) / f64::from(width - 1)));
        }
        let (low, high) = (number(heat.low), number(heat.high));
        let right = x + width - writer.width(&high, 11, Weight::Regular);
        writer.write(image, (x, y + 21), 11, Weight::Regular, INK, &low);
        writer.write(image, (right, y + 21), 11, Weight::Regular, INK, &high);
        return;
    }
    // Names in as many columns as a row has room for.
    let columns = (heat.names.len() as i32).div_euclid(2) + heat.names.len() as i32 % 2;
    let column = width / columns.max(1);
    for (i, name) in heat.names.iter().enumerate() {
        let share = i as f64 / (heat.names.len() - 1).max(1) as f64;
        let (left, top) = (x + i as i32 % columns * column, y + i as i32 / columns * ((PANEL_SCALE - 6) / 2));
        image.fill(Rect::new(left, top, 8, 8), color(share));
        let name = writer.fit(name, column - 13, 10, Weight::Regular);
        writer.write(image, (left + 11, top + 8), 10, Weight::Regular, INK, &name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_grow_lighter_from_low_to_high() {
        let light = |share: f64| color(share).iter().map(|c| u32::from(*c)).sum::<u32>();
        let shares: Vec<u32> = (0..=20).map(|i| light(f64::from(i) / 20.0)).collect();
        assert!(shares.windows(2).all(|pair| pair[0] < pair[1]), "{shares:?}");
        assert_eq!([color(-1.0), color(f64::NAN), color(2.0)], [SCALE[0], SCALE[0], SCALE[5]]);
    }

    #[test]
    fn every_plot_has_its_part_of_a_map() {
        for (pixels, plots) in [(3, 10), (10, 10), (7, 100)] {
            let covered: Vec<usize> = (0..pixels).flat_map(|pixel| plots_at(pixel, pixels, plots)).collect();
            assert_eq!(covered, (0..plots).collect::<Vec<_>>(), "{plots} plots on {pixels} pixels");
        }
    }
}
