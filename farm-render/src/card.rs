//! The results card, drawn over the fields at the end of a season.

use farm_output::Rect;
use farm_plot::Weight;

use crate::canvas::Canvas;
use crate::palette::{INK, PAPER, SMALL, TITLE};
use crate::plots::Plots;
use crate::renderer::Frame;
use crate::scene::{Scene, decimals};
use crate::season::Season;
use crate::written::number;

/// Height of a line, and the margin around the lines.
const LINE: i32 = 20;
const EDGE: i32 = 16;

/// Draws the card in the middle of the first field.
pub(crate) fn draw(scene: &mut Scene, plots: &Plots, canvas: &mut dyn Canvas, frame: &Frame<'_>, season: &Season) {
    let lines = lines(scene, plots, season);
    let Scene { layout, writer, .. } = scene;
    let title = format!("Season over: return {}", decimals(frame.total));
    let widest = lines.iter().map(|line| writer.width(line, SMALL, Weight::Regular)).max().unwrap_or(0);
    let width = widest.max(writer.width(&title, TITLE, Weight::Bold)) + 2 * EDGE;
    let height = lines.len() as i32 * LINE + 2 * EDGE + 16;
    let Some(first) = layout.fields.first().map(|field| field.area) else { return };
    let (middle_x, middle_y) = (first.x + first.width / 2, first.y + first.height / 2);
    // A card that is larger than its field stays on the picture.
    let x = (middle_x - width / 2).clamp(0, (layout.size.0 - width).max(0));
    let y = (middle_y - height / 2).clamp(0, (layout.size.1 - height).max(0));
    let at = Rect::new(x, y, width.min(layout.size.0), height);
    canvas.fill(at, PAPER);
    canvas.outline(at, INK);
    canvas.outline(Rect::new(at.x + 1, at.y + 1, at.width - 2, at.height - 2), INK);
    canvas.write((at.x + EDGE, at.y + EDGE + 14), TITLE, Weight::Bold, INK, &title);
    for (i, line) in lines.iter().enumerate() {
        let line = writer.fit(line, at.width - 2 * EDGE, SMALL, Weight::Regular);
        let y = at.y + EDGE + 16 + (i as i32 + 1) * LINE - 2;
        canvas.write((at.x + EDGE, y), SMALL, Weight::Regular, INK, &line);
    }
}

/// The number of plots in each stage, for each field, and the results of the season.
fn lines(scene: &Scene, plots: &Plots, season: &Season) -> Vec<String> {
    let Scene { game, pictures, layout, .. } = scene;
    let mut lines = Vec::new();
    for (field, info) in game.fields().iter().enumerate().filter(|(field, _)| layout.fields[*field].cell >= 40) {
        let (length, width) = plots.size(field);
        let counts = plots.counts(field);
        // Only pictures with stages show plants; the card leaves out the ground and things on it.
        let staged = pictures
            .all
            .iter()
            .filter(|p| p.field == Some(field) && p.heat.as_ref().is_some_and(|h| !h.names.is_empty()));
        let rules = staged.flat_map(|picture| &picture.sprite_rules);
        let told = rules.filter_map(|rule| Some((rule.name.as_str(), *counts.get(&rule.sprite?)?)));
        let told: Vec<String> = told.map(|(name, n)| format!("{n} of {} {name}", length * width)).collect();
        if !told.is_empty() {
            let field = if game.fields().len() > 1 { format!("{}: ", info.name()) } else { String::new() };
            lines.push(format!("{field}{}", told.join(", ")));
        }
    }
    for reached in season.reached() {
        let what = if reached.is_sum { "in all" } else { "at most" };
        lines.push(format!("{}: {} {what}", reached.title, number(reached.value)));
    }
    lines
}
