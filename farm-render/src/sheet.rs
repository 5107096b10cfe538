//! All of a game's sprites on a sheet, and their colours.

use farm_output::{Image, Rect};
use farm_plot::Weight;

use crate::canvas::{Canvas, Fit, Lay, Pixels};
use crate::compile::Pictures;
use crate::error::RenderError;
use crate::legend::capitalised;
use crate::palette::{BARE, INK, PAPER, SMALL};
use crate::plots::Plots;
use crate::scene::Scene;
use crate::sprites::{FULL, Form, UNKNOWN};
use crate::text::Writer;

/// Tiles per row, the edge of a tile, and the space for a tile with its name.
const COLUMNS: usize = 6;
const TILE: i32 = 96;
const STEP: (i32, i32) = (150, 130);

/// Draws a game's sprites with their names, in rows.
pub(crate) fn draw(scene: &mut Scene, plots: &Plots) -> Result<Image, RenderError> {
    let Scene { game, pictures, writer, .. } = scene;
    let mut lines: Vec<(String, u16)> = Vec::new();
    for picture in &pictures.all {
        for rule in &picture.sprite_rules {
            // Labels of the ground are not sprites.
            let Some(sprite) = rule.sprite.filter(|sprite| !pictures.labels[usize::from(*sprite)]) else { continue };
            let title = if picture.title.is_empty() { "Ground".to_owned() } else { capitalised(&picture.title) };
            let is_same = rule.name.is_empty() || rule.name.to_lowercase() == title.to_lowercase();
            let line = (if is_same { title } else { format!("{title}: {}", rule.name) }, sprite);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.extend(plots.badge_names(game).into_iter().map(|(done, sprite)| (format!("Done: {done}"), sprite)));
    let rows = lines.len().div_ceil(COLUMNS) as i32;
    let mut pixels = Pixels::new((COLUMNS as i32 * STEP.0, rows * STEP.1), 1.0, PAPER)?;
    for (i, (name, sprite)) in lines.iter().enumerate() {
        let (x, y) = ((i % COLUMNS) as i32 * STEP.0, (i / COLUMNS) as i32 * STEP.1);
        let Some(source) = pictures.sprites.get(usize::from(*sprite)) else { continue };
        let at = Rect::new(x + (STEP.0 - TILE) / 2, y + 6, TILE, TILE);
        pixels.fill(at, BARE);
        pixels.sprite(at, Lay::as_written(*sprite), source, Fit::Plot);
        let text = writer.fit(name, STEP.0 - 6, SMALL, Weight::Regular);
        let left = x + (STEP.0 - writer.width(&text, SMALL, Weight::Regular)) / 2;
        pixels.write((left, y + 118), SMALL, Weight::Regular, INK, &text);
    }
    Ok(pixels.image)
}

/// Edge of the tiles used to count colours.
const SAMPLE: u32 = 48;
/// Levels at which colours are counted.
const LEVELS: [u8; 6] = [0, FULL / 4, FULL / 2, FULL * 3 / 4, FULL, UNKNOWN];
/// Weight of a pixel of bare ground.
const GROUND_WEIGHT: u64 = 40;

/// Counts the colours of every sprite on every ground.
pub(crate) fn count_colors(colors: &mut farm_output::Counted, pictures: &Pictures, writer: &mut Writer) {
    let lowest = pictures.all.iter().map(|picture| picture.layer).min().unwrap_or(0);
    let grounds = pictures.all.iter().filter(|picture| picture.layer == lowest);
    let grounds = grounds.flat_map(|p| p.sprite_rules.iter().filter_map(|rule| rule.sprite));
    let mut drawn = Vec::new();
    for source in grounds.filter_map(|ground| pictures.sprites.get(usize::from(ground))) {
        for level in LEVELS {
            drawn.extend(
                source.formed(Form { levels: [level; 2], ..Form::AS_WRITTEN }).map(|grown| grown.draw(SAMPLE, writer)),
            );
        }
        // Most of a picture is bare ground, so the palette keeps each of its tints.
        for grown in (0..=FULL).filter_map(|level| source.formed(Form { levels: [level; 2], ..Form::AS_WRITTEN })) {
            let mut image = Image::new(SAMPLE as usize, SAMPLE as usize, BARE);
            image.blend(0, 0, &grown.draw(SAMPLE, writer));
            colors.add(image.pixels(), GROUND_WEIGHT);
        }
        drawn.push(source.draw(SAMPLE, writer));
    }
    for sprite in &pictures.sprites {
        let bitmap = sprite.draw(SAMPLE, writer);
        for ground in drawn.iter().map(Some).chain([None]) {
            let mut image = Image::new(SAMPLE as usize, SAMPLE as usize, BARE);
            if let Some(ground) = ground {
                image.blend(0, 0, ground);
            }
            image.blend(0, 0, &bitmap);
            colors.add(image.pixels(), 1);
        }
    }
}
