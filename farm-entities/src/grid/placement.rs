//! Where the things of a grid game stand: on free ground drawn from the seed, or where a level puts them.

use std::cell::Cell;

use farm_core::config::{Path, Problem};
use farm_core::declare::Labels;
use farm_core::rng::Stream;
use farm_core::{Builder, Column, Context};

use super::{GROUND, SYMMETRIES, TileFrame, terrain, transform};
use crate::roles::{AGENT_ITEM, AGENT_START, GRID_SYMMETRY, GRID_TILES};

farm_core::parameters! {
    /// A tile of the map; x counts to the east and y to the south from the top-left corner.
    pub struct Tile {
        /// Tiles from the western border.
        pub x: u32 = 0, [0, 999];
        /// Tiles from the northern border.
        pub y: u32 = 0, [0, 999];
    }
}

farm_core::parameters! {
    /// A part of the map, in the plan's own orientation.
    pub struct Area {
        /// West-most tile.
        pub x: u32 = 0, [0, 999];
        /// North-most tile.
        pub y: u32 = 0, [0, 999];
        /// Tiles from west to east.
        pub length: u32 = 1, "length#tile", [1, 1000];
        /// Tiles from north to south.
        pub width: u32 = 1, "width#tile", [1, 1000];
    }
}

/// Draws of a free tile before a search takes over, which only a nearly full map ever needs.
pub(super) const MOST_DRAWS: usize = 200;

/// The places of the things of one part, in the plan's own orientation.
#[derive(Debug)]
pub struct Placement {
    /// How many things there are.
    pub count: usize,
    /// The form of the map.
    pub frame: TileFrame,
    /// The map.
    pub tiles: Column<u8>,
    symmetry: Column<u8>,
    start: Option<Column<i32>>,
    /// The cells of the area under each symmetry.
    cells: Vec<Vec<u32>>,
    /// The cells of the things that a level has placed, under each symmetry.
    placed: Vec<Vec<u32>>,
}

impl Placement {
    /// Finds the map. `placed` are the tiles that a level says, one for each thing; without them `count` things stand
    /// anywhere in the area.
    pub fn new(b: &mut Builder<'_>, count: u32, area: Option<&Area>, placed: &[(u32, u32)]) -> Self {
        let (tiles, symmetry, start) = (b.one(GRID_TILES), b.one(GRID_SYMMETRY), b.maybe(AGENT_START));
        b.writes(GRID_TILES);
        let (length, width) = (b.field().length, b.field().width);
        let frame = b.declaration(GRID_TILES).map_or(TileFrame::default(), |map| TileFrame::of(&map, length, width));
        let symmetries = if length == width { SYMMETRIES } else { 4 };
        let lay = |tiles: &[(u32, u32)], s: usize| -> Vec<u32> {
            let moved = tiles.iter().map(|(x, y)| transform(s, *x as usize, *y as usize, length, width));
            moved.map(|(x, y)| frame.cell(x, y) as u32).collect()
        };
        let placed = check_placed(b, placed);
        let area = area_tiles(b, area, if placed.is_empty() { count } else { 0 });
        Self {
            count: if placed.is_empty() { count as usize } else { placed.len() },
            frame,
            tiles,
            symmetry,
            start,
            cells: (0..symmetries).map(|s| lay(&area, s)).collect(),
            placed: (0..symmetries).map(|s| lay(&placed, s)).collect(),
        }
    }

    /// Begins to place the things of an episode, at random by `stream`.
    pub fn begin<'a>(&'a self, c: &Context<'a>, stream: Stream) -> Placing<'a> {
        let symmetry = usize::from(c.value(self.symmetry)) % self.cells.len();
        // The corner of the margin is nobody's start.
        let start = self.start.map_or(0, |start| self.frame.cell_of_tile(c.value(start)));
        Placing {
            left: self.count,
            placed: self.placed[symmetry].iter(),
            cells: &self.cells[symmetry],
            tiles: c.get(self.tiles),
            start,
            stream,
        }
    }
}

/// The things of an episode that are still to be placed.
#[derive(Debug)]
pub struct Placing<'a> {
    left: usize,
    placed: std::slice::Iter<'a, u32>,
    cells: &'a [u32],
    tiles: &'a [Cell<u8>],
    start: usize,
    stream: Stream,
}

impl Placing<'_> {
    /// The cell of the next thing: where a level puts it, else a tile of the area that is still ground. None when the
    /// things are all placed, or no tile is left.
    #[inline]
    pub fn next_cell(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        match self.placed.next() {
            Some(cell) => Some(*cell as usize),
            None => self.free_cell(),
        }
    }

    #[inline]
    fn free_cell(&mut self) -> Option<usize> {
        for _ in 0..MOST_DRAWS {
            let cell = *self.cells.get(self.stream.index(self.cells.len() as u32) as usize)? as usize;
            if self.is_free(cell) {
                return Some(cell);
            }
        }
        self.cells.iter().map(|cell| *cell as usize).find(|cell| self.is_free(*cell))
    }

    #[inline]
    fn is_free(&self, cell: usize) -> bool {
        terrain(self.tiles, cell).get() == GROUND && cell != self.start
    }
}

/// Which of some things stands at a cell. The corner of the margin stands for nowhere.
#[inline]
pub fn thing_at(cells: &[Cell<i32>], cell: usize) -> Option<usize> {
    cells.iter().position(|at| at.get() as usize == cell)
}

/// The tiles that a level says, all of them on the map and different.
fn check_placed(b: &mut Builder<'_>, placed: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let (length, width) = (b.field().length as u32, b.field().width as u32);
    let mut good: Vec<(u32, u32)> = Vec::new();
    for (i, &(x, y)) in placed.iter().enumerate() {
        let path = Path::default().child("placed").child(i);
        let wrong = if x >= length || y >= width {
            Problem::new(path, "this tile lies beyond the map").expected(format!(
                "x from 0 to {}, y from 0 to {}",
                length - 1,
                width - 1
            ))
        } else if good.contains(&(x, y)) {
            Problem::new(path, "two things are placed on one tile").expected("a tile of its own for each")
        } else {
            good.push((x, y));
            continue;
        };
        b.problem(wrong.value(format!("({x}, {y})")).help("coordinates count from 0 at the top-left corner"));
    }
    good
}

/// The tiles of an area, or of the whole map, checked to be there and to have room for so many things.
fn area_tiles(b: &mut Builder<'_>, area: Option<&Area>, count: u32) -> Vec<(u32, u32)> {
    let (length, width) = (b.field().length, b.field().width);
    let whole = Area { x: 0, y: 0, length: length as u32, width: width as u32 };
    let area = area.unwrap_or(&whole);
    let path = Path::default().child("area");
    if (area.x + area.length) as usize > length || (area.y + area.width) as usize > width {
        b.problem(
            Problem::new(path, "the area reaches beyond the map")
                .value(format!("{} × {} tiles at ({}, {})", area.length, area.width, area.x, area.y))
                .expected(format!("a part of {length} × {width} tiles")),
        );
        return Vec::new();
    }
    if area.length * area.width < count {
        let found = format!("{count} things on {} tiles", area.length * area.width);
        b.problem(
            Problem::new(path, "the area is too small: each thing needs a tile of its own")
                .value(found)
                .expected(format!("at least {count} tiles"))
                .help("enlarge the area, or lower `count#nb`"),
        );
    }
    (area.y..area.y + area.width).flat_map(|y| (area.x..area.x + area.length).map(move |x| (x, y))).collect()
}

/// The names of what a tile can show, found by the map's declaration.
#[derive(Debug)]
pub struct MapNames {
    lists: [Option<Vec<String>>; 2],
}

impl MapNames {
    /// The names that the map of this field has.
    pub fn of(b: &Builder<'_>) -> Self {
        let map = b.declaration(GRID_TILES);
        let names = |axis: usize| match map.as_ref().and_then(|map| map.kind.labels(axis)) {
            Some(Labels::Named(names)) => Some(names.clone()),
            _ => None,
        };
        Self { lists: [names(0), names(1)] }
    }

    /// The code of a terrain; an unknown one is a problem of the parameter `key`.
    pub fn terrain(&self, b: &mut Builder<'_>, name: &str, key: &str) -> u8 {
        self.code(0, b, name, key)
    }

    /// The code of a status; an unknown one is a problem of the parameter `key`.
    pub fn status(&self, b: &mut Builder<'_>, name: &str, key: &str) -> u8 {
        self.code(1, b, name, key)
    }

    fn code(&self, axis: usize, b: &mut Builder<'_>, name: &str, key: &str) -> u8 {
        // Before the map is known there is nothing to complain about.
        let Some(known) = &self.lists[axis] else { return 0 };
        known.iter().position(|k| k == name).unwrap_or_else(|| {
            let what = ["terrain", "status"][axis];
            let problem = Problem::new(Path::default().child(key), format!("the map has no {what} `{name}`"));
            b.problem(problem.value(name).among(name, known.iter().map(String::as_str)));
            0
        }) as u8
    }
}

/// The farmer's stock of an item, by its name without unit; one that nobody carries is a problem of the parameter `key`.
pub fn item(b: &mut Builder<'_>, name: &str, key: &str) -> Column<f64> {
    let carried = b.all(AGENT_ITEM);
    let variables = b.parts().iter().flat_map(|part| &part.variables);
    let items: Vec<_> = variables.filter(|v| v.roles.contains(&AGENT_ITEM.name)).collect();
    let short = |full: &str| full.split('#').next().unwrap_or_default().to_owned();
    if let Some(column) = items.iter().find(|v| short(&v.name) == name).and_then(|v| v.column()) {
        return column;
    }
    if b.is_complete() {
        let names: Vec<String> = items.iter().map(|v| short(&v.name)).collect();
        let problem = Problem::new(Path::default().child(key), format!("the farmer carries no `{name}`"));
        let problem = problem.value(name).among(name, names.iter().map(String::as_str));
        b.problem(problem.help("add it to the `inventory` of the farmer"));
    }
    carried.first().copied().unwrap_or_else(|| Column::joined(&[]))
}
