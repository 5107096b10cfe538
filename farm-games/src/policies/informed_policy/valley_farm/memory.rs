//! What was seen of the farm, as a world to plan with.

use farm_oracle::grid::Grid;
use farm_oracle::valley_farm::{Action, Barn, Field, Inventory, Reading, Site, Villager, World};

use super::super::window::Window;
use super::tour;

/// Rows below the map, all closed: the last one is reached from nowhere, and gifts do not reach into it.
const CLOSED_ROWS: usize = 2;

/// What is known of an episode.
#[derive(Clone)]
pub(in crate::policies) struct Memory {
    /// The farm as far as it is known: what was not seen is taken for ground, what was not found is nowhere.
    pub world: World,
    /// Whether a tile was seen, or is known to lie beyond the map.
    seen: Vec<bool>,
    /// Rows of tiles, without the closed ones.
    rows: usize,
    /// Length and width of the map.
    size: (usize, usize),
    /// Whether the place on the map is known; else tiles count from the first one, which is in the middle.
    is_placed: bool,
    /// Villagers that were found.
    homes: usize,
    knows_market: bool,
    /// How many barns there are.
    barns: usize,
}

impl Memory {
    /// Nothing, but perhaps the place.
    pub(in crate::policies) fn new(reading: &Reading, start: Option<usize>) -> Self {
        let (length, width, steps) = reading.size();
        // Without a place, the map may extend to all sides.
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

    /// There may be more barns than were found, however many that are.
    pub(in crate::policies) fn expects_any_barns(&mut self) {
        self.barns = usize::MAX;
    }

    /// Remembers what the window shows.
    pub(in crate::policies) fn see_window(&mut self, window: &Window, site: impl Fn(usize) -> Site) {
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
                // Which of the relationships is whose is not shown, and makes no difference to gifts.
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

    /// A line of closed tiles across the whole window is the end of the map: what lies beyond it need not be seen, nor what
    /// lies further on the other side than the map is large.
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

    /// Takes note whether the animal underfoot, if there is one, is sated: a level may begin with sated ones.
    pub(in crate::policies) fn see_animal(&mut self, is_sated: bool) {
        let here = self.world.agent;
        if let Some(barn) = self.world.barns.iter_mut().find(|barn| barn.tile == here) {
            barn.sated = if is_sated { barn.sated.max(1) } else { 0 };
        }
    }

    /// Takes note of what is carried, of the relationships in points, and of the steps that remain.
    pub(in crate::policies) fn know(
        &mut self,
        inventory: Inventory,
        points: impl Fn(usize) -> Option<f64>,
        steps: u32,
    ) {
        self.world.inventory = inventory;
        self.world.steps = steps;
        for (i, villager) in self.world.villagers.iter_mut().enumerate() {
            villager.relationship = (1000.0 * points(i).unwrap_or(0.0)).round() as i64;
        }
    }

    /// Whether there are gifts, and nobody to give them to.
    pub(in crate::policies) fn seeks_somebody(&self) -> bool {
        self.homes == 0 && self.world.inventory.gifts > 0
    }

    /// Whether there may be something to find that is of use.
    pub(in crate::policies) fn is_something_missing(&self) -> bool {
        let inventory = &self.world.inventory;
        let lacks_barn = self.world.barns.len() < self.barns && inventory.feed > 0;
        let lacks_field = self.world.fields.is_empty() && inventory.seeds > 0 && inventory.water > 1;
        !self.knows_market || lacks_barn || lacks_field || self.seeks_somebody()
    }

    /// The next step of the tour over what was not seen; none if everything was.
    pub(in crate::policies) fn tour(&self, window: &Window) -> Option<Action> {
        let grid = &self.world.grid;
        let is_new = |tile: usize| self.seen.get(tile).is_some_and(|seen| !seen);
        let tour = || tour::first_direction(grid, self.rows, window.rows, self.world.agent, is_new);
        let direction = self.is_placed.then(tour).flatten();
        let direction = direction.or_else(|| window.towards_something_new(grid, self.world.agent, is_new))?;
        Some(Action::MOVES[direction])
    }
}
