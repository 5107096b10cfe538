//! The map: a field's tiles as characters. They are as large as possible, and the map scrolls if they do not fit.

use farm_core::labels::Labels;
use farm_render::{Bitmap, Image, TextRenderer, Thing, Tile};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::theme::{Depth, Theme};

/// The maximum number of rows per tile.
const MAX_ROWS: u16 = 16;
/// The minimum number of columns per tile for sprites, on terminals with enough colours.
const ROOM_FOR_SPRITES: u16 = 12;

/// The minimum number of columns per tile for names.
const ROOM_FOR_NAMES: u16 = 11;

/// A field to draw.
pub(super) struct Map<'a> {
    /// Its tiles; tile (x, y) is at `x · width + y`.
    pub tiles: &'a [Tile<'a>],
    /// The number of tiles from left to right and from top to bottom.
    pub size: (usize, usize),
    /// The tile in the middle, if not all of them fit.
    pub focus: (usize, usize),
    /// The tile with the cursor.
    pub cursor: Option<(usize, usize)>,
    /// Draws the sprites of large tiles.
    pub sprites: &'a TextRenderer,
}

/// The columns and rows per tile in this area. Tiles are roughly square, with 2 to 2.5 columns per row.
fn size_of_tile((length, width): (usize, usize), area: Rect) -> (u16, u16) {
    let share = |room: u16, tiles: usize| u16::try_from(usize::from(room) / tiles.max(1)).unwrap_or(0);
    let (columns, rows) = (share(area.width, length), share(area.height, width));
    let rows = rows.min(columns / 2).min(MAX_ROWS);
    if rows == 0 { (2, 1) } else { (columns.min(5 * rows / 2).max(2 * rows), rows) }
}

/// The first of `count` tiles to draw, if `room` tiles fit and the focus is in the middle.
fn first_tile(count: usize, room: usize, focus: usize) -> usize {
    focus.saturating_sub(room / 2).min(count.saturating_sub(room))
}

impl Map<'_> {
    /// Draws the map in the middle of an area. Returns the first tile and the number of tiles in both directions.
    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) -> ((usize, usize), (usize, usize)) {
        let (length, width) = self.size;
        let (mut columns, rows) = size_of_tile(self.size, area);
        let sprites = (theme.has_pixels() && columns >= ROOM_FOR_SPRITES).then(|| {
            columns = 2 * rows;
            self.sprites.bitmaps(u32::from(columns))
        });
        let room = (usize::from(area.width / columns).max(1), usize::from(area.height / rows).max(1));
        let shown = (room.0.min(length), room.1.min(width));
        let first = (first_tile(length, room.0, self.focus.0), first_tile(width, room.1, self.focus.1));
        let left = area.x + (area.width - (shown.0 as u16 * columns).min(area.width)) / 2;
        let top = area.y + (area.height - (shown.1 as u16 * rows).min(area.height)) / 2;
        for column in 0..shown.0 {
            for row in 0..shown.1 {
                let (x, y) = (first.0 + column, first.1 + row);
                let at = Rect::new(left + column as u16 * columns, top + row as u16 * rows, columns, rows);
                let Some(tile) = self.tiles.get(x * width + y) else { continue };
                if let Some(sprites) = &sprites {
                    draw_sprites(buffer, at.intersection(area), tile, (sprites, theme), self.cursor == Some((x, y)));
                } else {
                    draw_tile(
                        buffer,
                        at.intersection(area),
                        tile,
                        theme,
                        self.sprites.labels(),
                        self.cursor == Some((x, y)),
                    );
                }
            }
        }
        (first, shown)
    }
}

/// The colours of the cursor and of tiles out of view.
const VEIL: [u8; 3] = [0x3c, 0x40, 0x44];
const CURSOR: [u8; 3] = [0x7f, 0xd0, 0xe0];

/// Draws a tile's sprites with two pixels per character: the upper one in the foreground colour, the lower one in the background colour.
fn draw_sprites(
    buffer: &mut Buffer,
    at: Rect,
    tile: &Tile<'_>,
    (sprites, theme): (&[Bitmap], &Theme),
    has_cursor: bool,
) {
    let side = usize::from(at.width);
    let mut image = Image::new(side, side, VEIL);
    for thing in &tile.things {
        if let Some(bitmap) = sprites.get(usize::from(thing.sprite)) {
            image.blend(0, 0, bitmap);
        }
    }
    let is_edge = |x: usize, y: usize| x == 0 || y == 0 || x + 1 == side || y + 1 == side;
    let pixel = |x: usize, y: usize| match image.pixels().get(3 * (y * side + x)..) {
        _ if has_cursor && is_edge(x, y) => CURSOR,
        Some([r, g, b, ..]) if tile.is_veiled => [*r / 2, *g / 2, *b / 2],
        Some([r, g, b, ..]) => [*r, *g, *b],
        _ => VEIL,
    };
    for y in 0..at.height {
        for x in 0..at.width {
            let Some(cell) = buffer.cell_mut((at.x + x, at.y + y)) else { continue };
            let (column, row) = (usize::from(x), 2 * usize::from(y));
            let style = Style::default().fg(theme.color(pixel(column, row))).bg(theme.color(pixel(column, row + 1)));
            cell.set_char('▀').set_style(style);
        }
    }
}

fn draw_tile(buffer: &mut Buffer, at: Rect, tile: &Tile<'_>, theme: &Theme, labels: &Labels, has_cursor: bool) {
    // Larger tiles have a gap to the next one.
    let inside = Rect::new(
        at.x,
        at.y,
        if at.height >= 3 { at.width - 1 } else { at.width },
        if at.height >= 3 { at.height - 1 } else { at.height },
    );
    let mut put = |x: u16, y: u16, glyph: char, style: Style| {
        if let Some(cell) =
            buffer.cell_mut((inside.x + x, inside.y + y)).filter(|_| x < inside.width && y < inside.height)
        {
            cell.set_char(glyph).set_style(style);
        }
    };
    if tile.is_veiled && tile.things.iter().all(|thing| thing.is_ground) {
        let style = if has_cursor { theme.faint().patch(theme.selected()) } else { theme.faint() };
        let veil = if theme.is_ascii { ':' } else { '░' };
        (0..inside.height).for_each(|y| (0..inside.width).for_each(|x| put(x, y, veil, style)));
        return;
    }
    let ground = tile.things.iter().rev().find(|thing| thing.is_ground);
    let below = ground.map(|thing| &thing.mark);
    // A small tile with the cursor is inverted, a large one has brackets at its sides.
    let is_small = inside.width <= 2 || inside.height == 1;
    let selected = if has_cursor && is_small { theme.selected() } else { Style::default() };
    // The lowest thing fills the tile with its colour, and has its symbol at the edge.
    let filler = below.map_or(' ', |mark| theme.glyph(mark));
    let plain = below.map_or(Style::default(), |mark| theme.mark(mark, Some(mark)));
    let faint = if theme.depth == Depth::None { plain.add_modifier(Modifier::DIM) } else { dimmed(plain, theme) };
    for y in 0..inside.height {
        for x in 0..inside.width {
            put(x, y, ' ', plain.patch(selected));
        }
    }
    let things: Vec<&Thing<'_>> = tile.things.iter().rev().filter(|thing| !thing.is_ground).collect();
    if is_small {
        let style = |thing: &Thing<'_>| theme.mark(&thing.mark, below).patch(selected);
        match things.as_slice() {
            [] => {
                put(0, 0, filler, faint.patch(selected));
            }
            [first, rest @ ..] => {
                put(0, 0, theme.glyph(&first.mark), style(first).add_modifier(Modifier::BOLD));
                if let Some(second) = rest.first() {
                    put(1, 0, theme.glyph(&second.mark), style(second));
                }
            }
        }
        return;
    }
    if has_cursor {
        let style = plain.patch(theme.key()).add_modifier(Modifier::REVERSED);
        (0..inside.height).for_each(|y| {
            put(0, y, '[', style);
            put(inside.width - 1, y, ']', style);
        });
    } else if things.is_empty() {
        put(inside.width / 2, inside.height / 2, filler, faint);
    } else {
        put(0, 0, filler, faint);
    }
    if inside.width >= ROOM_FOR_NAMES {
        let top = inside.height.saturating_sub(things.len() as u16) / 2;
        for (i, thing) in things.iter().enumerate() {
            let style = theme.mark(&thing.mark, below);
            let name = labels.words(if thing.name.is_empty() { thing.title } else { thing.name });
            put(2, top + i as u16, theme.glyph(&thing.mark), style.add_modifier(Modifier::BOLD));
            for (x, c) in name.chars().enumerate().take(usize::from(inside.width.saturating_sub(5))) {
                put(4 + x as u16, top + i as u16, c, style);
            }
        }
        return;
    }
    // The topmost thing is in the middle, the others next to it and below.
    let per_row = usize::from((inside.width - 1) / 2).max(1);
    let used = things.len().div_ceil(per_row) as u16;
    for (i, thing) in things.iter().enumerate() {
        let (row, column) = ((i / per_row) as u16, (i % per_row) as u16);
        let in_row = (things.len() - usize::from(row) * per_row).min(per_row) as u16;
        let x = (inside.width.saturating_sub(2 * in_row - 1)) / 2 + 2 * column;
        let y = (inside.height.saturating_sub(used)) / 2 + row;
        let style = theme.mark(&thing.mark, below).add_modifier(Modifier::BOLD);
        put(x, y, theme.glyph(&thing.mark), style);
    }
}

/// A style for a less important symbol.
fn dimmed(style: Style, theme: &Theme) -> Style {
    match theme.depth {
        Depth::Sixteen => style.fg(Color::DarkGray),
        _ => style.add_modifier(Modifier::DIM),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_drawn_as_large_as_fits_and_scrolls_around_the_focus() {
        assert_eq!(size_of_tile((4, 3), Rect::new(0, 0, 44, 13)), (10, 4));
        assert_eq!(size_of_tile((10, 10), Rect::new(0, 0, 44, 13)), (2, 1));
        assert_eq!(size_of_tile((10, 10), Rect::new(0, 0, 88, 28)), (5, 2));
        assert_eq!(size_of_tile((1, 1), Rect::new(0, 0, 44, 13)), (32, 13));
        assert_eq!(size_of_tile((100, 100), Rect::new(0, 0, 44, 13)), (2, 1));
        assert_eq!(first_tile(100, 20, 0), 0);
        assert_eq!(first_tile(100, 20, 50), 40);
        assert_eq!(first_tile(100, 20, 99), 80);
        assert_eq!(first_tile(5, 20, 3), 0);
    }
}
