//! The tiles of the things in a grid game: random tiles of free ground, or the tiles that a level sets.

use std::cell::Cell;
use std::ops::Deref;

use farm_core::config::{Path, Problem};
use farm_core::declare::Labels;
use farm_core::inspect::plural;
use farm_core::{Column, Columns, Context, Declarations, Found, Known, Stream};
use farm_roles::{AGENT_ITEM, AGENT_START, GRID_SYMMETRY, GRID_TILES};

use super::{GROUND, SYMMETRIES, TileFrame, terrain, transform};
use crate::grid::GridError;

/// A tile of the map; x counts to the east and y to the south from the top-left corner.
#[derive(Debug, Clone, farm_core::Parameters)]
#[non_exhaustive]
pub struct Tile {
    /// Tiles from the western border.
    #[parameter(range = 0..=999)]
    pub x: u32,
    /// Tiles from the northern border.
    #[parameter(range = 0..=999)]
    pub y: u32,
}

/// A part of the map, in the orientation of the plan.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Area {
    /// Position x of the westernmost tiles.
    #[parameter(range = 0..=999)]
    pub x: u32,
    /// Position y of the northernmost tiles.
    #[parameter(range = 0..=999)]
    pub y: u32,
    /// Tiles from west to east.
    #[parameter(unit = "tile", default = 1, range = 1..=1000)]
    pub length: u32,
    /// Tiles from north to south.
    #[parameter(unit = "tile", default = 1, range = 1..=1000)]
    pub width: u32,
}

impl Area {
    /// A sentence about the tiles of things: tiles in this area, or on the whole map if there is no area.
    pub(super) fn in_words(area: Option<&Self>, count: usize, thing: &str) -> String {
        let area = area.map_or(String::new(), |Self { x, y, length, width }| {
            format!(" with x from {x} to {} and y from {y} to {}", x + length - 1, y + width - 1)
        });
        match count {
            1 => format!("The {thing} is placed at random on a free tile{area}."),
            _ => format!("The {count} {} are placed at random on free tiles{area}, one per tile.", plural(thing)),
        }
    }
}

/// A word with its article.
pub(super) fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {word}")
}

/// Number of random attempts to find a free tile before a systematic search. Only a nearly full map needs the search.
pub(super) const MAX_DRAWS: usize = 200;

/// The cells of one part's things.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// Number of things.
    pub(super) count: usize,
    /// The shape of the map.
    pub(super) frame: TileFrame,
    /// The cells of the area under each symmetry.
    area: Vec<Vec<u32>>,
    /// The cells of the things that a level has placed, under each symmetry.
    placed: Vec<Vec<u32>>,
}

impl Cells {
    /// `placed` are the tiles that a level sets, one for each thing. Without them, `count` things get random tiles in the area.
    pub(super) fn new(
        d: &mut Declarations<'_>,
        frame: TileFrame,
        count: u32,
        area: Option<&Area>,
        placed: &[(u32, u32)],
    ) -> Self {
        d.writes(GRID_TILES);
        let (length, width) = (d.field().length(), d.field().width());
        let symmetries = if length == width { SYMMETRIES } else { 4 };
        let lay = |tiles: &[(u32, u32)], s: usize| -> Vec<u32> {
            let moved = tiles.iter().map(|(x, y)| transform(s, *x as usize, *y as usize, length, width));
            moved.map(|(x, y)| frame.cell(x, y) as u32).collect()
        };
        let placed = check_placed(d, placed);
        let area = area_tiles(d, area, if placed.is_empty() { count } else { 0 });
        Self {
            count: if placed.is_empty() { count as usize } else { placed.len() },
            frame,
            area: (0..symmetries).map(|s| lay(&area, s)).collect(),
            placed: (0..symmetries).map(|s| lay(&placed, s)).collect(),
        }
    }
}

/// The tiles of one part's things, in the orientation of the plan.
#[derive(Columns)]
pub(super) struct Placement {
    pub(super) on: Cells,
    /// The map.
    #[one(GRID_TILES)]
    pub(super) tiles: Column<u8>,
    #[one(GRID_SYMMETRY)]
    symmetry: Column<u8>,
    #[maybe(AGENT_START)]
    start: Option<Column<i32>>,
}

impl Placement {
    /// Places the things of an episode and writes the cell of each. The tiles are those that a level sets, or random tiles in the area that
    /// are still ground, drawn from `stream`. `terrain_of` returns the terrain of a tile with a thing, from the thing's index and the
    /// terrain without the thing. Returns the number of placed things; if no tile is left, further things have no tile.
    #[inline]
    pub(super) fn place(
        &self,
        c: &Context<'_>,
        stream: Stream,
        cells: Column<i32>,
        terrain_of: impl Fn(usize, u8) -> u8,
    ) -> usize {
        let symmetry = usize::from(c.value(self.symmetry)) % self.on.area.len();
        let (tiles, cells) = (c.get(self.tiles), c.get(cells));
        let placed = &self.on.placed[symmetry];
        if placed.is_empty() {
            return self.draw(c, stream, &self.on.area[symmetry], &cells[..self.on.count], terrain_of);
        }
        for (i, (own, cell)) in cells.iter().zip(placed).enumerate() {
            let shown = terrain(tiles, *cell as usize);
            shown.set(terrain_of(i, shown.get()));
            own.set(*cell as i32);
        }
        placed.len()
    }

    #[inline]
    fn draw(
        &self,
        c: &Context<'_>,
        mut stream: Stream,
        area: &[u32],
        cells: &[Cell<i32>],
        terrain_of: impl Fn(usize, u8) -> u8,
    ) -> usize {
        let tiles = c.get(self.tiles);
        // No farmer starts in the corner of the margin.
        let start = self.start.map_or(0, |start| self.on.frame.cell_of_tile(c.value(start)));
        let is_free = |cell: usize| terrain(tiles, cell).get() == GROUND && cell != start;
        let (mut count, mut failures) = (0, 0);
        while count < cells.len() {
            let drawn = if failures < MAX_DRAWS {
                area.get(stream.index(area.len() as u32) as usize)
            } else {
                area.iter().find(|cell| is_free(**cell as usize))
            };
            let Some(cell) = drawn.map(|cell| *cell as usize) else {
                cells[count].set(0);
                break;
            };
            // Without a branch, because it is unpredictable whether the tile is free: a thing stays on the last drawn tile.
            let (shown, free) = (terrain(tiles, cell), is_free(cell));
            let with_it = terrain_of(count, shown.get());
            shown.set(if free { with_it } else { shown.get() });
            cells[count].set(cell as i32);
            count += usize::from(free);
            failures = if free { 0 } else { failures + 1 };
        }
        count
    }
}

/// The index of the thing at a cell. The corner of the margin means no tile.
#[inline]
pub(super) fn thing_at(cells: &[Cell<i32>], cell: usize) -> Option<usize> {
    cells.iter().position(|at| at.get() as usize == cell)
}

/// The valid tiles that a level sets: all on the map, and all different. Reports the others.
fn check_placed(d: &mut Declarations<'_>, placed: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let (length, width) = (d.field().length() as u32, d.field().width() as u32);
    let mut good: Vec<(u32, u32)> = Vec::new();
    for (i, &(x, y)) in placed.iter().enumerate() {
        let path = Path::default().child("placed").child(i);
        let wrong = if x >= length || y >= width {
            Problem::new(GridError::BeyondMap, path, "this tile lies beyond the map").expected(format!(
                "x from 0 to {}, y from 0 to {}",
                length - 1,
                width - 1
            ))
        } else if good.contains(&(x, y)) {
            Problem::new(GridError::TileTaken, path, "two things are on the same tile")
                .expected("a different tile for each thing")
        } else {
            good.push((x, y));
            continue;
        };
        d.problem(wrong.value(format!("({x}, {y})")).help("coordinates count from 0 at the top-left corner"));
    }
    good
}

/// The tiles of an area, or of the whole map. Reports an area that is outside the map or too small for `count` things.
fn area_tiles(d: &mut Declarations<'_>, area: Option<&Area>, count: u32) -> Vec<(u32, u32)> {
    let (length, width) = (d.field().length(), d.field().width());
    let whole = Area { x: 0, y: 0, length: length as u32, width: width as u32 };
    let area = area.unwrap_or(&whole);
    let path = Path::default().child("area");
    if (area.x + area.length) as usize > length || (area.y + area.width) as usize > width {
        d.problem(
            Problem::new(GridError::BeyondMap, path, "the area reaches beyond the map")
                .value(format!("{} × {} tiles at ({}, {})", area.length, area.width, area.x, area.y))
                .expected(format!("an area within {length} × {width} tiles")),
        );
        return Vec::new();
    }
    if area.length * area.width < count {
        let found = format!("{count} things on {} tiles", area.length * area.width);
        d.problem(
            Problem::new(GridError::AreaTooSmall, path, "the area is too small: each thing needs its own tile")
                .value(found)
                .expected(format!("at least {count} tiles"))
                .help("enlarge the area, or lower `count#nb`"),
        );
    }
    (area.y..area.y + area.width).flat_map(|y| (area.x..area.x + area.length).map(move |x| (x, y))).collect()
}

/// The map in a field, as far as its declaration shows it.
#[derive(Debug, Clone)]
pub(super) struct KnownMap {
    pub(super) frame: TileFrame,
    /// The names of terrains and statuses.
    lists: [Option<Vec<String>>; 2],
}

impl KnownMap {
    pub(super) fn of(known: &Known<'_>) -> Self {
        let map = known.declaration(GRID_TILES);
        let (length, width) = (known.field().length(), known.field().width());
        let names = |axis: usize| match map.and_then(|map| map.kind().labels(axis)) {
            Some(Labels::Named(names)) => Some(names.clone()),
            _ => None,
        };
        let frame = map.map_or(TileFrame::default(), |map| TileFrame::of(map, length, width));
        Self { frame, lists: [names(0), names(1)] }
    }

    /// The code of a terrain. Reports an unknown terrain as a problem of the parameter `key`.
    pub(super) fn terrain(&self, d: &mut Declarations<'_>, name: &str, key: &str) -> u8 {
        self.code(0, d, name, key)
    }

    /// The code of a status. Reports an unknown status as a problem of the parameter `key`.
    pub(super) fn status(&self, d: &mut Declarations<'_>, name: &str, key: &str) -> u8 {
        self.code(1, d, name, key)
    }

    /// Statuses in the order of the map's list, so that a legend does not reveal the order of the stages.
    pub(super) fn in_order<'n>(&self, statuses: &'n [String]) -> Vec<&'n String> {
        let place = |status: &String| self.lists[1].as_ref().and_then(|known| known.iter().position(|k| k == status));
        let mut ordered: Vec<&String> = statuses.iter().collect();
        ordered.sort_by_key(|status| place(status));
        ordered
    }

    fn code(&self, axis: usize, d: &mut Declarations<'_>, name: &str, key: &str) -> u8 {
        // A missing map is an error of its own.
        let Some(known) = &self.lists[axis] else { return 0 };
        known.iter().position(|k| k == name).unwrap_or_else(|| {
            let what = ["terrain", "status"][axis];
            let problem = Problem::new(
                GridError::UnknownTerrain,
                Path::default().child(key),
                format!("the map has no {what} `{name}`"),
            );
            d.problem(problem.value(name).among(name, known.iter().map(String::as_str)));
            0
        }) as u8
    }
}

/// The parameters of a part whose things are on the map, and the map.
#[derive(Debug, Clone)]
pub(super) struct OnMap<P> {
    parameters: P,
    pub(super) map: KnownMap,
}

impl<P> OnMap<P> {
    pub(super) fn new(parameters: P, known: &Known<'_>) -> Self {
        Self { parameters, map: KnownMap::of(known) }
    }
}

impl<P> Deref for OnMap<P> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.parameters
    }
}

/// States that the part takes or gives items of the farmer.
pub(super) fn needs_items(d: &mut Declarations<'_>) {
    d.all(AGENT_ITEM);
    d.writes(AGENT_ITEM);
}

/// The farmer's stock of an item, by its name without unit, for parts that take or give items. Reports an item that the farmer does
/// not carry as a problem of the parameter `key`.
pub(super) fn item(found: &mut Found<'_>, name: &str, key: &str) -> Column<f64> {
    let items = found.declarations(AGENT_ITEM);
    let short = |full: &str| full.split('#').next().unwrap_or_default().to_owned();
    if let Some(column) = items.iter().find(|(_, v)| short(v.name()) == name).and_then(|(_, v)| v.column()) {
        return column;
    }
    let names: Vec<String> = items.iter().map(|(_, v)| short(v.name())).collect();
    let problem =
        Problem::new(GridError::NotCarried, Path::default().child(key), format!("the farmer carries no `{name}`"));
    let problem = problem.value(name).among(name, names.iter().map(String::as_str));
    found.problem(problem.help("add it to the `inventory` of the farmer"));
    items.first().and_then(|(_, v)| v.column()).unwrap_or_else(|| Column::joined(&[]))
}
