//! The shortest tour of unseen tiles.
//!
//! The map is divided into blocks as large as the window, so the middle of a block shows the whole block. The tour visits
//! the middle of every block with unseen tiles. On a map of 15 × 15 tiles with the start in the middle, the tour is the ring of eight
//! blocks around the start. Neighbouring blocks are five moves apart.

use farm_oracle::grid::{FAR, Grid};

/// The maximum number of blocks in a tour.
const MAX_BLOCKS: usize = 12;

/// A number of steps that no episode reaches.
const NEVER: u32 = FAR / 4;

/// The direction of the tour's first step. None if the farmer can't reach the middle of any block with unseen tiles, or if there are too
/// many such blocks.
pub(super) fn first_direction(
    grid: &Grid,
    rows: usize,
    block: usize,
    from: usize,
    is_new: impl Fn(usize) -> bool,
) -> Option<usize> {
    let length = grid.length;
    let distances = grid.distances(from);
    let middle = |low: usize, size: usize| (low + block / 2).min(size - 1);
    let blocks = (0..rows).step_by(block).flat_map(|y| (0..length).step_by(block).map(move |x| (x, y)));
    let holds_new = |(x, y): &(usize, usize)| {
        let columns = *x..(x + block).min(length);
        (*y..(y + block).min(rows)).any(|y| columns.clone().any(|x| is_new(y * length + x)))
    };
    let middles = blocks.filter(holds_new).map(|(x, y)| middle(y, rows) * length + middle(x, length));
    let middles: Vec<usize> = middles.filter(|tile| (1..NEVER).contains(&distances[*tile])).collect();
    if middles.len() > MAX_BLOCKS {
        return None;
    }
    let ahead = rest(&middles, length);
    let all = (1 << middles.len()) - 1;
    let whole = |i: usize| distances[middles[i]] + ahead[all & !(1 << i)][i];
    let next = (0..middles.len()).min_by_key(|i| (whole(*i), distances[middles[*i]], *i))?;
    grid.way(&distances, middles[next]).first().copied()
}

/// The minimum number of moves from each block's middle through a set of other middles, indexed by the set.
fn rest(middles: &[usize], length: usize) -> Vec<Vec<u32>> {
    let moves = |a: usize, b: usize| {
        let (a, b) = (middles[a], middles[b]);
        ((a % length).abs_diff(b % length) + (a / length).abs_diff(b / length)) as u32
    };
    let mut rest: Vec<Vec<u32>> = vec![vec![0; middles.len()]];
    for set in 1..1_usize << middles.len() {
        let through = |from: usize| {
            let members = (0..middles.len()).filter(|to| set >> to & 1 == 1);
            members.map(|to| moves(from, to) + rest[set & !(1 << to)][to]).min().unwrap_or(0)
        };
        let row = (0..middles.len()).map(through).collect();
        rest.push(row);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the tour while seeing all tiles around, and returns the number of moves.
    fn walk(mut grid: Grid, walls: &[usize]) -> usize {
        walls.iter().for_each(|tile| grid.blocked[*tile] = true);
        let (length, mut at, mut moves) = (grid.length, 7 * 15 + 7, 0);
        let mut seen = vec![false; grid.blocked.len()];
        loop {
            for (tile, seen) in seen.iter_mut().enumerate() {
                let apart = (tile % length).abs_diff(at % length).max((tile / length).abs_diff(at / length));
                *seen |= apart <= 2;
            }
            let Some(direction) = first_direction(&grid, grid.width, 5, at, |tile| !seen[tile]) else { break };
            at = grid.open_ahead(at, direction).expect("an open tile");
            moves += 1;
        }
        assert!(seen.iter().all(|seen| *seen), "all is seen");
        moves
    }

    #[test]
    fn the_ring_of_eight_blocks_takes_forty_moves() {
        // Five to the first, and five to each of the other seven.
        assert_eq!(walk(Grid::open(15, 15), &[]), 40);
    }

    #[test]
    fn the_tour_goes_around_walls() {
        // A room around the block in the north-east, with a door at (9, 4): from the middle of the block west of it, nine
        // moves instead of five.
        let west = [0, 1, 2, 3].map(|y| 15 * y + 9);
        let south = [10, 11, 12, 13, 14].map(|x| 15 * 5 + x);
        let moves = walk(Grid::open(15, 15), &[&west[..], &south].concat());
        assert!((44..60).contains(&moves), "{moves}");
    }
}
