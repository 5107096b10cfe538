//! The maps of a field whose plots are too small for sprites. The first map shows soil and stages from above. Each variable whose values
//! differ between plots has a map. A variable with the same value everywhere is shown as a line of text below the maps.

use farm_output::Rect;
use farm_plot::Weight;

use crate::canvas::Canvas;
use crate::composite::Composite;
use crate::heat::{self, Heat};
use crate::layout::{GAP, Panel, TEXT_ROW};
use crate::palette::{FAINT, INK, PAPER, SMALL};
use crate::plots::Actor;
use crate::scene::Scene;
use crate::text::Writer;
use crate::view::Sight;
use crate::written::number;

/// Maximum edge of a map when space for the maps is reserved.
const LONGEST: i32 = 400;
/// Height of a map's title and of its scale.
const TITLE: i32 = 20;
const SCALE: i32 = 34;
/// Minimum width of a column of maps, so that scales stay readable.
const LEAST_COLUMN: i32 = 260;
/// Maximum number of columns.
const MAX_COLUMNS: usize = 4;

/// The grid of maps. The first map, seen from above, fills the space of four maps.
#[derive(Debug, Clone, Copy)]
struct Grid {
    columns: usize,
    rows: usize,
    has_first: bool,
}

impl Grid {
    /// The grid for `count` maps and, if there is one, the first map; none if the first map does not fit in the columns.
    fn new(columns: usize, count: usize, has_first: bool) -> Option<Self> {
        let (least, taken) = match (has_first, count) {
            (true, 0) => return (columns == 1).then_some(Self { columns, rows: 1, has_first }),
            (true, _) => (2, 4),
            (false, _) => (1, 0),
        };
        (columns >= least).then(|| Self { columns, rows: (count + taken).div_ceil(columns).max(least), has_first })
    }

    /// The places of all maps except the first one, by column and row.
    fn places(self) -> impl Iterator<Item = (i32, i32)> {
        let is_taken = move |(column, row): &(usize, usize)| self.has_first && *column < 2 && *row < 2;
        let all = (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| (column, row)));
        all.filter(move |place| !is_taken(place)).map(|(column, row)| (column as i32, row as i32))
    }
}

/// Width and height of the space for a field's maps.
pub(crate) fn room(panels: usize, (length, width): (i32, i32), most_width: i32) -> (i32, i32) {
    let has_first = panels > 1;
    let count = panels - usize::from(has_first);
    let columns = if panels > 7 { MAX_COLUMNS } else { panels.clamp(1, 3) };
    let rows = Grid::new(columns, count, has_first).map_or(1, |grid| grid.rows) as i32;
    let columns = columns as i32;
    let side = (most_width / columns - GAP).clamp(1, LONGEST);
    let edge = |plots: i32| (plots * side / length.max(width)).max(1);
    (columns * (edge(length).max(LEAST_COLUMN) + GAP) - GAP, rows * (edge(width) + TITLE + SCALE))
}

/// Arranges a field's maps, as large as possible: the first map, seen from above, if there is one, and `count` other maps.
fn arrange(room: Rect, has_first: bool, count: usize, (length, width): (usize, usize)) -> Vec<Rect> {
    let fits = |across: i32, down: i32| (f64::from(across) / length as f64).min(f64::from(down) / width as f64);
    let cell = |grid: Grid| {
        let (columns, rows) = (grid.columns as i32, grid.rows as i32);
        ((room.width + GAP) / columns - GAP, room.height / rows - TITLE - SCALE)
    };
    let grids = (1..=MAX_COLUMNS).filter_map(|columns| Grid::new(columns, count, has_first));
    let grids = grids.filter(|grid| grid.columns == 1 || cell(*grid).0 >= LEAST_COLUMN || grid.columns == 2);
    let room_of_first = |(across, down): (i32, i32)| {
        if count == 0 { (across, down) } else { (2 * across + GAP, 2 * down + TITLE + SCALE) }
    };
    // The grid with the largest map is best. Fewer maps never make the largest map smaller.
    let size = |grid: &Grid| {
        let (across, down) = if has_first { room_of_first(cell(*grid)) } else { cell(*grid) };
        fits(across, down)
    };
    let Some(grid) = grids.reduce(|best, other| if size(&other) > size(&best) { other } else { best }) else {
        return Vec::new();
    };
    let (across, down) = cell(grid);
    let map = |(x, y): (i32, i32), across: i32, down: i32| {
        let scale = fits(across, down).max(0.0);
        let edge = |plots: usize| ((plots as f64 * scale) as i32).max(1);
        Rect::new(x, y + TITLE, edge(length), edge(width))
    };
    let (twice_across, twice_down) = room_of_first((across, down));
    let first = has_first.then(|| map((room.x, room.y), twice_across, twice_down));
    let corner = |(column, row): (i32, i32)| (room.x + column * (across + GAP), room.y + row * (down + TITLE + SCALE));
    first.into_iter().chain(grid.places().take(count).map(|place| map(corner(place), across, down))).collect()
}

/// The values of a variable on the plots of a field.
enum Shown {
    /// The values differ.
    Differing,
    /// All plots have this value.
    Everywhere(f64),
    /// No value is known.
    Nothing,
}

fn shown(sight: &Sight<'_>, heat: &Heat, field: usize, (length, width): (usize, usize)) -> Shown {
    let mut values = (0..length).flat_map(|x| (0..width).map(move |y| (x, y)));
    let of = |plot: (usize, usize)| sight.at_plot(heat.values, field, width, plot);
    let Some(first) = values.next().map(of) else { return Shown::Nothing };
    match first {
        _ if values.any(|plot| of(plot) != first) => Shown::Differing,
        Some(value) => Shown::Everywhere(value),
        None => Shown::Nothing,
    }
}

impl Scene {
    /// Draws the maps of a field, and a mark for each farmer with a position.
    pub(crate) fn draw_maps(
        &mut self,
        canvas: &mut dyn Canvas,
        field: usize,
        size: (usize, usize),
        sight: &Sight<'_>,
        actors: &[Actor],
    ) {
        let Self { layout, pictures, writer, .. } = self;
        let Some(place) = layout.fields.get(field) else { return };
        canvas.fill(place.area, PAPER);
        let (mut maps, mut lines) = (Vec::new(), Vec::new());
        for panel in &place.panels {
            let Panel::Picture(picture) = panel else { continue };
            let Some(heat) = pictures.all.get(*picture).and_then(|picture| picture.heat.as_ref()) else { continue };
            match shown(sight, heat, field, size) {
                Shown::Differing => maps.push(heat),
                Shown::Everywhere(value) => lines.push(format!("{}: {} everywhere", heat.title, heat.word(value))),
                Shown::Nothing => lines.push(format!("{}: not shown", heat.title)),
            }
        }
        // A field without any differing variable still gets the map from above.
        let has_first = place.panels.first() == Some(&Panel::Composite) || maps.is_empty();
        let (places, below) = flow(&lines, writer, place.area.width);
        let room = Rect::new(place.area.x, place.area.y, place.area.width, place.area.height - below);
        let composite = Composite::of(pictures, field);
        let areas = arrange(room, has_first, maps.len(), size);
        let drawn = has_first.then_some(None).into_iter().chain(maps.iter().map(|heat| Some(*heat)));
        for (area, heat) in areas.into_iter().zip(drawn) {
            let title = heat.map_or("From above", |heat| heat.title.as_str());
            let title = writer.fit(title, area.width.max(LEAST_COLUMN), SMALL, Weight::Bold);
            canvas.write((area.x, area.y - 6), SMALL, Weight::Bold, INK, &title);
            match heat {
                Some(heat) => {
                    let value = |x: usize, y: usize| sight.at_plot(heat.values, field, size.1, (x, y));
                    heat::draw(canvas, area, heat, size, &value);
                    heat::draw_scale(canvas, area, heat, writer);
                }
                None => {
                    composite.draw(canvas, area, pictures, sight, (field, size));
                    composite.draw_names(canvas, area, writer);
                }
            }
            for actor in actors.iter().filter(|actor| actor.field == field) {
                let cell = (f64::from(area.width) / size.0 as f64, f64::from(area.height) / size.1 as f64);
                let (x, y) = (area.x + (actor.at.0 * cell.0) as i32, area.y + (actor.at.1 * cell.1) as i32);
                canvas.fill(Rect::new(x - 3, y - 3, 8, 8), INK);
                canvas.fill(Rect::new(x - 1, y - 1, 4, 4), [0xff, 0xff, 0xff]);
            }
        }
        for (line, (x, y)) in lines.iter().zip(places) {
            let text = writer.fit(line, room.width, SMALL, Weight::Regular);
            canvas.write((room.x + x, room.y + room.height + y + 15), SMALL, Weight::Regular, FAINT, &text);
        }
    }
}

/// The positions of text lines that flow within a width, and their total height.
fn flow(lines: &[String], writer: &mut Writer, width: i32) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut y) = (0, 0);
    let mut place = |line: &String| {
        let needed = writer.width(line, SMALL, Weight::Regular);
        if x > 0 && x + needed > width {
            (x, y) = (0, y + TEXT_ROW);
        }
        let at = (x, y);
        x += needed + 2 * GAP;
        at
    };
    let places: Vec<(i32, i32)> = lines.iter().map(&mut place).collect();
    let height = places.last().map_or(0, |(_, y)| y + TEXT_ROW);
    (places, height)
}

impl Heat {
    /// A value, as text.
    fn word(&self, value: f64) -> String {
        self.names.get(value.max(0.0) as usize).map_or_else(|| number(value), |(name, _)| name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(a: &Rect, b: &Rect) -> bool {
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
    }

    #[test]
    fn maps_lie_in_their_room_apart_from_each_other_and_are_larger_the_fewer_they_are() {
        for size in [(20, 20), (100, 40), (10, 60)] {
            for panels in 1..=9 {
                let (width, height) = room(panels, (size.0 as i32, size.1 as i32), 900);
                let room = Rect::new(12, 100, width, height);
                let (has_first, most) = (panels > 1, panels - usize::from(panels > 1));
                let mut before = 0;
                for count in (0..=most).rev().filter(|count| has_first || *count > 0) {
                    let maps = arrange(room, has_first, count, size);
                    assert_eq!(maps.len(), count + usize::from(has_first), "{size:?}, {count} maps");
                    for (i, map) in maps.iter().enumerate() {
                        let is_inside = map.x >= room.x
                            && map.y >= room.y + TITLE
                            && map.x + map.width <= room.x + room.width
                            && map.y + map.height + SCALE <= room.y + room.height;
                        assert!(is_inside, "{size:?}, {count} maps: {map:?} in {room:?}");
                        assert!(maps[..i].iter().all(|other| !overlap(map, other)), "{size:?}, {count} maps");
                    }
                    let largest = maps.iter().map(|map| map.width * map.height).max().unwrap_or(0);
                    assert!(largest >= before, "{size:?}: {count} maps");
                    before = largest;
                }
            }
        }
    }
}
