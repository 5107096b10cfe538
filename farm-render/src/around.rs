//! Effects of neighbouring plots: fences join, and the veil over an unseen plot is thinner next to seen plots.

use farm_output::Rect;

use crate::canvas::{Canvas, Lay};
use crate::compile::Pictures;
use crate::palette::VEIL;
use crate::plots::Plot;
use crate::sprites::{SIDES, SpriteSource};

/// The plot one step away from another plot, in a field with `length` × `width` plots; none outside the field.
fn neighbour(plot: usize, (length, width): (usize, usize), (across, down): (i32, i32)) -> Option<usize> {
    let (x, y) = (plot / width + length, plot % width + width);
    let (x, y) = (x.checked_add_signed(across as isize)?, y.checked_add_signed(down as isize)?);
    let is_inside = (length..2 * length).contains(&x) && (width..2 * width).contains(&y);
    is_inside.then(|| (x - length) * width + (y - width))
}

/// Sets the sides on which a sprite joins sprites of the same kind.
pub(crate) fn join(plots: &mut [Plot], size: (usize, usize), pictures: &Pictures) {
    let joins = |lay: &Lay| pictures.sprites.get(usize::from(lay.sprite)).is_some_and(SpriteSource::joins);
    let joining: Vec<Vec<u16>> =
        plots.iter().map(|plot| plot.lays.iter().filter(|lay| joins(lay)).map(|lay| lay.sprite).collect()).collect();
    for (i, plot) in plots.iter_mut().enumerate().filter(|(i, _)| !joining[*i].is_empty()) {
        for lay in plot.lays.iter_mut().filter(|lay| joining[i].contains(&lay.sprite)) {
            for (side, (_, step)) in SIDES.iter().enumerate() {
                let beside = neighbour(i, size, *step);
                let is_joined = beside.is_some_and(|beside| joining[beside].contains(&lay.sprite));
                lay.form.joined |= u8::from(is_joined) << side;
            }
        }
    }
}

/// The steps from a plot to the eight plots around it.
const AROUND: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// For each unseen plot, sets which of its eight neighbours are seen.
pub(crate) fn find_edges(plots: &mut [Plot], size: (usize, usize)) {
    let seen: Vec<bool> = plots.iter().map(|plot| plot.is_seen).collect();
    for (i, plot) in plots.iter_mut().enumerate().filter(|(_, plot)| !plot.is_seen) {
        let is_seen = |step: (i32, i32)| neighbour(i, size, step).is_some_and(|beside| seen[beside]);
        plot.seen_around = AROUND.iter().enumerate().map(|(k, step)| u8::from(is_seen(*step)) << k).sum();
    }
}

/// Opacity of the veil at the edge of the seen plots, and one plot away from this edge.
const VEIL_SHARES: (f64, f64) = (0.3, 0.75);
/// Number of segments in the veil along each edge of a plot next to seen plots.
const VEIL_PARTS: i32 = 8;

/// Draws the veil over an unseen plot, thinner towards seen plots.
pub(crate) fn draw_veil(canvas: &mut dyn Canvas, at: Rect, seen_around: u8) {
    let (thin, thick) = VEIL_SHARES;
    if seen_around == 0 || at.width < 2 * VEIL_PARTS {
        canvas.veil(at, VEIL, thick);
        return;
    }
    let edge = |i: i32| at.width * i / VEIL_PARTS;
    for i in 0..VEIL_PARTS {
        for j in 0..VEIL_PARTS {
            // The centre of the part, from 0 to 1 on each axis, and its distance from the nearest seen plot.
            let [x, y] = [i, j].map(|part| (f64::from(part) + 0.5) / f64::from(VEIL_PARTS));
            let from = |step: i32, along: f64| match step {
                0 => 0.0,
                1 => 1.0 - along,
                _ => along,
            };
            let distance = |(across, down): &(i32, i32)| {
                let (across, down) = (from(*across, x), from(*down, y));
                (across * across + down * down).sqrt()
            };
            let seen = AROUND.iter().enumerate().filter(|(k, _)| seen_around & (1 << k) != 0);
            let nearest = seen.map(|(_, step)| distance(step)).fold(1.0, f64::min);
            let part = Rect::new(at.x + edge(i), at.y + edge(j), edge(i + 1) - edge(i), edge(j + 1) - edge(j));
            canvas.veil(part, VEIL, thin + (thick - thin) * nearest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_lie_within_the_field() {
        // Three plots from left to right, two from top to bottom; plots are counted from top to bottom first.
        assert_eq!(neighbour(0, (3, 2), (1, 0)), Some(2));
        assert_eq!(neighbour(0, (3, 2), (0, 1)), Some(1));
        assert_eq!(neighbour(5, (3, 2), (-1, -1)), Some(2));
        for (plot, step) in [(0, (-1, 0)), (0, (0, -1)), (5, (1, 0)), (5, (0, 1)), (1, (0, 1))] {
            assert_eq!(neighbour(plot, (3, 2), step), None, "{plot} {step:?}");
        }
    }
}
