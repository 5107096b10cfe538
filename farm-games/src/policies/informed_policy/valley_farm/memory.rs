//! The known part of the farm, as a world for planning.

use farm_oracle::grid::Grid;
use farm_oracle::valley_farm::{Action, Barn, Field, Inventory, Reading, Site, Villager, World};

use super::super::window::Window;
use super::tour;

/// The number of closed rows below the map. The last one is unreachable, also for gifts.
const CLOSED_ROWS: usize = 2;

/// The knowledge in an episode.
#[derive(Clone)]
pub(crate) struct Memory {
    /// The known farm. Unseen tiles count as free. Villagers and markets that have not been found are on an unreachable tile.
    pub world: World,
    /// Whether a tile was seen, or is known to be outside the map.
    seen: Vec<bool>,
    /// The number of rows, without the closed ones.
    rows: usize,
    /// Length and width of the map.
    size: (usize, usize),
    /// Whether the position on the map is known; otherwise the start is in the middle of a grid of double size.
    is_placed: bool,
    /// The number of villagers found so far.
    homes: usize,
    knows_market: bool,
    /// The number of barns.
    barns: usize,
}

impl Memory {
    /// The initial knowledge: at most the start tile.
    pub(crate) fn new(reading: &Reading, start: Option<usize>) -> Self {
        let (length, width, steps) = reading.size();
        // Without a known start, the map may extend in all directions.
        let (columns, rows) = if start.is_some() { (length, width) } else { (2 * length - 1, 2 * width - 1) };
        let mut grid = Grid::open(columns, rows + CLOSED_ROWS);
        grid.blocked[columns * rows..].fill(true);
        let nowhere = grid.blocked.len() - 1;
        let (barns, villagers) = reading.counts();
        let world = World {
            grid,
            agent: start.unwrap_or((width - 1) * columns + length - 1),
            fields: Vec::new(),
            barns: Vec::new(),
            villagers: vec![Villager { tile: nowhere, relationship: 0 }; villagers],
            market: nowhere,
            inventory: Inventory::default(),
            steps,
            rules: reading.rules().clone(),
        };
        let seen = vec![false; columns * rows];
        let is_placed = start.is_some();
        Self { world, seen, rows, size: (length, width), is_placed, homes: 0, knows_market: false, barns }
    }

    /// Expects an unknown number of barns.
    pub(crate) fn expects_any_barns(&mut self) {
        self.barns = usize::MAX;
    }

    /// Records what the window shows.
    pub(crate) fn see_window(&mut self, window: &Window, site: impl Fn(usize) -> Site) {
        for (i, tile) in window.tiles(self.world.grid.length, self.rows, self.world.agent) {
            self.see(tile, site(i));
        }
        if !self.is_placed {
            self.find_walls(window, site);
        }
    }

    fn see(&mut self, tile: usize, site: Site) {
        let world = &mut self.world;
        self.seen[tile] = true;
        match site {
            Site::Ground => {}
            Site::Blocked => world.grid.blocked[tile] = true,
            Site::Field(stage) => match world.fields.iter_mut().find(|field| field.tile == tile) {
                Some(field) => field.stage = stage,
                None => world.fields.push(Field { tile, stage }),
            },
            Site::Barn if world.barns.iter().all(|barn| barn.tile != tile) => {
                world.barns.push(Barn { tile, sated: 0, ticks: 0, stock: 0 });
            }
            Site::Villager if world.villagers.iter().all(|villager| villager.tile != tile) => {
                // The observation does not show which villager has which relationship, and gifts do not depend on it.
                if let Some(villager) = world.villagers.get_mut(self.homes) {
                    villager.tile = tile;
                    self.homes += 1;
                }
            }
            Site::Market => {
                world.market = tile;
                self.knows_market = true;
            }
            Site::Barn | Site::Villager => {}
        }
    }

    /// Finds the border of the map: a line of closed tiles across the whole window.
    ///
    /// Tiles beyond it count as seen. Tiles on the other side also count as seen if they are further away than the map's size.
    fn find_walls(&mut self, window: &Window, site: impl Fn(usize) -> Site) {
        let (columns, half) = (self.world.grid.length, window.half());
        let here = [self.world.agent % columns, self.world.agent / columns];
        for axis in 0..2 {
            let size = [self.size.0, self.size.1][axis];
            let is_wall = |line: usize| {
                (0..window.rows).all(|across| {
                    site([across * window.rows + line, line * window.rows + across][axis]) == Site::Blocked
                })
            };
            let coordinate = |line: usize| (here[axis] + line) as isize - half as isize;
            let size = size as isize;
            let after = (half + 1..window.rows).find(|line| is_wall(*line)).map(|line| (coordinate(line) - size, size));
            let before = (0..half).rev().find(|line| is_wall(*line)).map(|line| (coordinate(line) + 1, size));
            if let Some((first, size)) = after.or(before) {
                for tile in 0..self.seen.len() {
                    let at = [tile % columns, tile / columns][axis] as isize;
                    if at < first || at >= first + size {
                        self.seen[tile] = true;
                        self.world.grid.blocked[tile] = true;
                    }
                }
            }
        }
    }

    /// Records whether the animal on the farmer's tile is sated. In a level, animals may be sated from the start.
    pub(crate) fn see_animal(&mut self, is_sated: bool) {
        let here = self.world.agent;
        if let Some(barn) = self.world.barns.iter_mut().find(|barn| barn.tile == here) {
            barn.sated = if is_sated { barn.sated.max(1) } else { 0 };
        }
    }

    /// Records the inventory, the relationships in points, and the remaining steps.
    pub(crate) fn know(&mut self, inventory: Inventory, points: impl Fn(usize) -> Option<f64>, steps: u32) {
        self.world.inventory = inventory;
        self.world.steps = steps;
        for (i, villager) in self.world.villagers.iter_mut().enumerate() {
            villager.relationship = (1000.0 * points(i).unwrap_or(0.0)).round() as i64;
        }
    }

    /// Whether the farmer has gifts but knows no villager.
    pub(crate) fn seeks_somebody(&self) -> bool {
        self.homes == 0 && self.world.inventory.gifts > 0
    }

    /// Whether useful places may still be undiscovered.
    pub(crate) fn is_something_missing(&self) -> bool {
        let inventory = &self.world.inventory;
        let lacks_barn = self.world.barns.len() < self.barns && inventory.feed > 0;
        let lacks_field = self.world.fields.is_empty() && inventory.seeds > 0 && inventory.water > 1;
        !self.knows_market || lacks_barn || lacks_field || self.seeks_somebody()
    }

    /// The next step in the tour of unseen tiles; none if all tiles have been seen.
    pub(crate) fn tour(&self, window: &Window) -> Option<Action> {
        let grid = &self.world.grid;
        let is_new = |tile: usize| self.seen.get(tile).is_some_and(|seen| !seen);
        let tour = || tour::first_direction(grid, self.rows, window.rows, self.world.agent, is_new);
        let direction = self.is_placed.then(tour).flatten();
        let direction = direction.or_else(|| window.towards_something_new(grid, self.world.agent, is_new))?;
        Some(Action::MOVES[direction])
    }
}
