//! Entities of the grid games: a map with walls, and tiles that go through stages by themselves. There are also crops
//! to plant and water, animals to feed, neighbours to give gifts to, and markets.

mod animal_tiles;
mod crop_tiles;
mod errors;
mod market_tiles;
mod neighbour_tiles;
mod placement;
mod sprites;
mod staged_tiles;
mod tile_map;

pub use errors::GridError;
pub use placement::Tile;
use placement::{Area, Cells, KnownMap, OnMap, Placement, item, needs_items, thing_at, with_article};

use std::cell::Cell;

use farm_core::declare::VariableInfo;

/// The shape of the tiles column, which defines the cell indices.
///
/// Coordinates count from the top-left corner of the map, x to the east and y to the south. The column has a margin of
/// tiles outside the map, so that a window at the border needs no special case.
#[derive(Debug, Clone, Copy, Default)]
pub struct TileFrame {
    /// Tiles in a row, including the margin.
    pub columns: usize,
    /// Tiles of margin on each side.
    pub margin: usize,
    /// Width of the map without the margin.
    pub length: usize,
    /// Height of the map without the margin.
    pub width: usize,
}

impl TileFrame {
    /// The frame of a declared tiles column, for a field of this length and width.
    pub fn of(tiles: &VariableInfo, length: usize, width: usize) -> Self {
        let columns = tiles.shape().get(1).copied().unwrap_or(length);
        Self { columns, margin: (columns - length.min(columns)) / 2, length, width }
    }

    /// The cell of a tile on the map.
    #[inline]
    pub fn cell(&self, x: usize, y: usize) -> usize {
        (y + self.margin) * self.columns + x + self.margin
    }

    /// The cell of a tile counted row by row from the top-left corner.
    #[inline]
    pub fn cell_of_tile(&self, tile: i32) -> usize {
        let (tile, length) = (tile.max(0) as usize, self.length.max(1));
        self.cell(tile % length, tile / length)
    }

    /// Tiles in a column, including the margin.
    pub fn rows(&self) -> usize {
        self.width + 2 * self.margin
    }

    /// The last cell, including the margin; 0 if the map is not known yet.
    pub fn last_cell(&self) -> i32 {
        (self.columns * self.rows()).saturating_sub(1) as i32
    }

    /// The tile of a cell on the map, as x and y.
    pub fn tile(&self, cell: usize) -> (usize, usize) {
        let columns = self.columns.max(1);
        ((cell % columns).saturating_sub(self.margin), (cell / columns).saturating_sub(self.margin))
    }

    /// The cell of a position, given as x and y.
    #[inline]
    pub fn cell_at(&self, position: &[Cell<u8>]) -> usize {
        self.cell(usize::from(position[0].get()), usize::from(position[1].get()))
    }

    /// The cell in front of a farmer at (x, y); facing 0 is north, then clockwise.
    #[inline]
    pub fn ahead(&self, x: u8, y: u8, facing: u8) -> usize {
        // One row is added first, so that facing north in the top row stays within unsigned numbers.
        let columns = self.columns;
        let offset = [0, columns + 1, 2 * columns, columns - 1][usize::from(facing & 3)];
        self.cell(usize::from(x), usize::from(y)) + offset - columns
    }

    /// Whether the tile in front of a farmer at (x, y) is on the map; facing 0 is north, then clockwise.
    #[inline]
    pub fn has_tile_ahead(&self, x: u8, y: u8, facing: u8) -> bool {
        let (east, south) = (usize::from(x) + 1 < self.length, usize::from(y) + 1 < self.width);
        [y > 0, east, south, x > 0][usize::from(facing & 3)]
    }
}

/// The code of the terrain on which things can be placed: the first terrain in a map.
pub const GROUND: u8 = 0;

/// The eight symmetries of a square; the first four also fit a rectangle.
pub const SYMMETRIES: usize = 8;

/// The tile to which a symmetry moves the tile (x, y) on a map with this length and width.
pub fn transform(symmetry: usize, x: usize, y: usize, length: usize, width: usize) -> (usize, usize) {
    let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
    let x = if symmetry & 1 == 0 { x } else { length - 1 - x };
    let y = if symmetry & 2 == 0 { y } else { width - 1 - y };
    (x, y)
}

/// The terrain of a cell, which comes before its status.
#[inline]
pub fn terrain(tiles: &[Cell<u8>], cell: usize) -> &Cell<u8> {
    &tiles[2 * cell]
}

/// The terrain of a cell, for reading.
#[inline]
pub fn terrain_code(tiles: &[u8], cell: usize) -> u8 {
    tiles.get(2 * cell).copied().unwrap_or_default()
}

/// The status of a cell, which comes after its terrain.
#[inline]
pub fn status(tiles: &[Cell<u8>], cell: usize) -> &Cell<u8> {
    &tiles[2 * cell + 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_symmetries_are_eight_different_bijections() {
        let images: BTreeSet<Vec<(usize, usize)>> =
            (0..SYMMETRIES).map(|s| (0..25).map(|i| transform(s, i % 5, i / 5, 5, 5)).collect()).collect();
        assert_eq!(images.len(), 8);
        assert!(images.iter().all(|image| image.iter().collect::<BTreeSet<_>>().len() == 25));
    }

    #[test]
    fn ahead_is_the_neighbour_in_the_direction_faced() {
        let frame = TileFrame { columns: 14, margin: 2, length: 10, width: 10 };
        let at = frame.cell(3, 4);
        assert_eq!(frame.ahead(3, 4, 0), frame.cell(3, 3));
        assert_eq!(frame.ahead(3, 4, 1), at + 1);
        assert_eq!(frame.ahead(3, 4, 2), frame.cell(3, 5));
        assert_eq!(frame.ahead(3, 4, 3), at - 1);
    }

    #[test]
    fn nothing_lies_ahead_of_who_looks_over_the_border() {
        let frame = TileFrame { columns: 260, margin: 2, length: 256, width: 3 };
        let at = |x, y| [0, 1, 2, 3].map(|facing| frame.has_tile_ahead(x, y, facing));
        assert_eq!(at(0, 0), [false, true, true, false]);
        assert_eq!(at(255, 2), [true, false, false, true]);
        assert_eq!(at(3, 1), [true; 4]);
    }
}
