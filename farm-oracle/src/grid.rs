//! Distances on a map with obstacles.

/// The steps of one tile to the north, east, south and west.
const STEPS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// The distance to unreachable tiles.
pub const FAR: u32 = u32::MAX;

/// A rectangular map; tile (x, y) has the index `y · length + x`, north is y − 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid {
    /// Number of tiles from west to east.
    pub length: usize,
    /// Number of tiles from north to south.
    pub width: usize,
    /// The tiles that cannot be entered.
    pub blocked: Vec<bool>,
}

impl Grid {
    /// A map without obstacles.
    pub fn open(length: usize, width: usize) -> Self {
        Self { length, width, blocked: vec![false; length * width] }
    }

    /// The index of a tile; none outside the map.
    pub fn tile(&self, x: usize, y: usize) -> Option<usize> {
        (x < self.length && y < self.width).then(|| y * self.length + x)
    }

    /// The neighbour in a direction (0 north, then clockwise); none outside the map.
    pub fn ahead(&self, tile: usize, direction: usize) -> Option<usize> {
        let (dx, dy) = STEPS[direction & 3];
        let x = (tile % self.length).checked_add_signed(dx)?;
        self.tile(x, (tile / self.length).checked_add_signed(dy)?)
    }

    /// The neighbour that a move in a direction leads to; none if the move is blocked.
    pub fn open_ahead(&self, tile: usize, direction: usize) -> Option<usize> {
        self.ahead(tile, direction).filter(|next| !self.blocked.get(*next).copied().unwrap_or(true))
    }

    /// The moves from a tile to every tile; [`FAR`] for unreachable tiles.
    pub fn distances(&self, from: usize) -> Vec<u32> {
        let mut distances = vec![FAR; self.length * self.width];
        distances[from] = 0;
        let mut queue = vec![from];
        let mut next = 0;
        while let Some(&tile) = queue.get(next) {
            next += 1;
            for direction in 0..4 {
                if let Some(neighbour) = self.open_ahead(tile, direction).filter(|n| distances[*n] == FAR) {
                    distances[neighbour] = distances[tile] + 1;
                    queue.push(neighbour);
                }
            }
        }
        distances
    }

    /// The directions along a shortest path to a reachable tile, from the tile where `distances` are 0.
    pub fn way(&self, distances: &[u32], to: usize) -> Vec<usize> {
        let mut way = Vec::new();
        let mut here = to;
        while distances[here] > 0 {
            let back = |direction: &usize| {
                // A path may start on a blocked tile, but never enters one.
                let before = self.ahead(here, direction ^ 2)?;
                (distances[before] != FAR && distances[before] + 1 == distances[here]).then_some((*direction, before))
            };
            let Some((direction, before)) = (0..4).find_map(|direction| back(&direction)) else { break };
            way.push(direction);
            here = before;
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_go_around_walls_and_have_the_length_of_the_distance() {
        // A wall with a gap in the south: from the north-west to the north-east, five tiles down, two over, five up.
        let mut grid = Grid::open(3, 6);
        for y in 0..5 {
            grid.blocked[3 * y + 1] = true;
        }
        let distances = grid.distances(0);
        assert_eq!(distances[2], 12);
        assert_eq!(distances[1], FAR);
        assert_eq!(grid.way(&distances, 2), [2, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn the_map_ends_at_its_borders() {
        let grid = Grid::open(2, 2);
        let next = |tile| (0..4).map(|d| grid.ahead(tile, d)).collect::<Vec<_>>();
        assert_eq!(next(0), [None, Some(1), Some(2), None]);
        assert_eq!(next(3), [Some(1), None, None, Some(2)]);
    }
}
