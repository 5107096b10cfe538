//! The map of a grid game: ground, fences, walls with gates, and the terrain and status of every tile.
//!
//! The plan is drawn as text in the YAML. At reset it is rotated or mirrored by one of the symmetries of the map, and each wall segment
//! gets one gate. All ground stays reachable: building the game proves this for every combination of gates.
//!
//! | reads | role |
//! |---|---|
//! | the farmer's start tile, where no obstacle is placed | `agent_start` |
//!
//! | writes | unit |
//! |---|---|
//! | `tiles` (role `grid_tiles`): terrain and status of every tile, with a margin outside the map | category |
//! | `symmetry` (role `grid_symmetry`): rotation or reflection of the plan | category |
//!
//! Obstacles are placed at random after the plan, only on tiles that can be closed without cutting off any ground.
//!
//! Source: designed by this project for Backwards Valley (rules B2, B4) and Valley Farm (V1, V4).

use std::cell::Cell;

use farm_core::config::{Path, Problem};
use farm_core::declare::{Labels, Picture, Sprite, ValueKind};
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Purpose, Stream};
use farm_roles::{AGENT_START, GRID_SYMMETRY, GRID_TILES};

use super::placement::MAX_DRAWS;
use super::{GROUND, SYMMETRIES, TileFrame, sprites, terrain, transform};
use crate::grid::GridError;

/// The map of a grid game: ground, fences, walls with gates.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct TileMap {
    /// The plan, with one line for each row from north to south. `.` is ground and `#` a fence. Tiles with the same digit form one wall
    /// segment, in which one tile, drawn with the seed, is a gate.
    pub plan: String,
    /// Whether the game rejects a plan with ground that can't be reached.
    #[parameter(default = true)]
    pub connected: bool,
    /// Whether the plan is rotated or mirrored at random, with the seed.
    #[parameter(default = true)]
    pub symmetries: bool,
    /// Width of the margin outside the map that a view at the border can show.
    #[parameter(unit = "tile", default = 2, range = 1..=10)]
    pub margin: u32,
    /// Names of the terrains. The first is the ground, on which things can be placed.
    #[parameter(default = ["ground", "fence", "outside"].map(String::from).to_vec())]
    pub terrains: Vec<String>,
    /// The terrain of fences, walls and obstacles.
    #[parameter(default = "fence".into())]
    pub fence: String,
    /// The terrain outside the map.
    #[parameter(default = "outside".into())]
    pub outside: String,
    /// Number of ground tiles that become obstacles, drawn with the seed. All ground stays reachable; if this is not possible with all
    /// obstacles, there are fewer.
    #[parameter(unit = "nb", range = 0..=10_000)]
    pub obstacles: u32,
    /// Names of the statuses that a tile can show in addition to its terrain. The first one means no status.
    #[parameter(default = ["none"].map(String::from).to_vec())]
    pub statuses: Vec<String>,
}

#[farm_core::register(source = "Backwards Valley B2, B4; Valley Farm V1, V4 (design)")]
impl Entity for TileMap {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let map = Map::declare(d, self);
        self.tell(d, map.frame.length, map.frame.width);
        self.draw(d, map.frame.margin);
        Bind::new(move |found| map.bind(found))
    }
}

impl TileMap {
    fn frame(&self, d: &Declarations<'_>) -> TileFrame {
        let (length, width, margin) = (d.field().length(), d.field().width(), self.margin as usize);
        TileFrame { columns: length + 2 * margin, margin, length, width }
    }

    /// The terrain and the status of a tile.
    fn kind(&self) -> ValueKind {
        ValueKind::Category(vec![Labels::Named(self.terrains.clone()), Labels::Named(self.statuses.clone())])
    }

    /// The code of one of the terrains.
    fn code(&self, name: &str, d: &mut Declarations<'_>) -> u8 {
        let found = self.terrains.iter().position(|terrain| terrain == name);
        if found.is_none() {
            let problem = Problem::new(
                GridError::UnknownTerrain,
                Path::default().child("terrains"),
                format!("the terrain `{name}` is missing"),
            );
            d.problem(problem.value(self.terrains.join(", ")).help(format!("add `{name}` to the terrains")));
        }
        found.unwrap_or(0) as u8
    }

    /// The plan under each symmetry. Checks the plan and the number of obstacles.
    fn layouts(&self, frame: TileFrame, fence: u8, d: &mut Declarations<'_>) -> Vec<Layout> {
        let outside = self.code(&self.outside, d);
        let TileFrame { length, width, .. } = frame;
        let most = (length * width / 3) as u32;
        if self.obstacles > most {
            let problem = Problem::new(
                GridError::TooManyObstacles,
                Path::default().child("obstacles#nb"),
                "the obstacles leave too little ground",
            );
            d.problem(problem.value(self.obstacles).expected(format!("at most {most}, a third of the map")));
        }
        let plan = self.parse_plan(d);
        if self.connected && !plan.is_empty() {
            check_reachable(&plan, d);
        }
        let variants = match (self.symmetries, length == width) {
            (false, _) => 1,
            (true, false) => 4,
            (true, true) => SYMMETRIES,
        };
        let lay = |s: usize| {
            let mut template = vec![0; frame.rows() * frame.columns * 2];
            template.iter_mut().step_by(2).for_each(|t| *t = outside);
            let mut segments: Vec<(char, Vec<u16>)> = Vec::new();
            for y in 0..width {
                for x in 0..length {
                    let (tx, ty) = transform(s, x, y, length, width);
                    let cell = frame.cell(tx, ty);
                    let symbol = plan.get(y).and_then(|row| row.get(x)).copied().unwrap_or('.');
                    template[2 * cell] = if symbol == '.' { GROUND } else { fence };
                    if symbol.is_ascii_digit() {
                        match segments.iter_mut().find(|(digit, _)| *digit == symbol) {
                            Some((_, cells)) => cells.push(cell as u16),
                            None => segments.push((symbol, vec![cell as u16])),
                        }
                    }
                }
            }
            (template, segments.into_iter().map(|(_, cells)| cells).collect())
        };
        (0..variants).map(lay).collect()
    }

    /// The random parts of the map, in words.
    fn tell(&self, d: &mut Declarations<'_>, length: usize, width: usize) {
        d.world_text(format!(
            "The map has {length} × {width} tiles. x starts at 0 in the west, and y starts at 0 in the north."
        ));
        if !self.plan.trim().is_empty() {
            let ground = self.terrains.first().map_or("", String::as_str);
            let fence =
                if self.plan.contains('#') { format!(", and `#` marks `{}`", self.fence) } else { String::new() };
            let gates = if self.plan.contains(|symbol: char| symbol.is_ascii_digit()) {
                format!(
                    " Tiles with the same digit form one wall. Each wall has a gap: one of its tiles, chosen at random with equal \
                     probability, is `{ground}`. All its other tiles are `{}`.",
                    self.fence
                )
            } else {
                String::new()
            };
            d.world_text(format!(
                "This is the plan of the map. `.` marks `{ground}`{fence}.{gates}\n{}",
                self.plan.trim_end()
            ));
        }
        if self.symmetries {
            let (turns, ways) = if length == width { ("0°, 90°, 180° or 270°", 8) } else { ("0° or 180°", 4) };
            d.world_text(format!(
                "The finished map is rotated by {turns}, and it is mirrored or not. All {ways} combinations are equally likely. Ranges of x \
                 and y in this section refer to the map before this change."
            ));
        }
        let ground = self.terrains.first().map_or("", String::as_str);
        if self.obstacles > 0 {
            let others = if self.plan.contains(|symbol| symbol != '.') { " other" } else { "" };
            d.world_text(format!(
                "{}{others} tiles, chosen at random, are `{}`. You can still reach every `{ground}` tile.",
                self.obstacles, self.fence
            ));
        }
        d.world_text(format!("A free tile is a `{ground}` tile with nothing on it."));
    }

    /// Draws the ground everywhere, and the terrains of this map above it. Other parts draw the things that they place on tiles. A terrain
    /// without a picture shows its name.
    fn draw(&self, d: &mut Declarations<'_>, margin: usize) {
        let bare = |name: &String| self.terrains.first() == Some(name) || *name == self.outside;
        d.picture(Picture::of_map("", 0, margin).otherwise("", sprites::GROUND));
        // There is no ground outside the border, unless the outside looks like a thing on the ground.
        let ground = Picture::of_seen_tiles("", 0);
        let is_nowhere = bare(&self.outside) && self.outside != self.fence;
        let ground = if is_nowhere { ground.names(&[&self.outside], "", Sprite::Nothing) } else { ground };
        d.picture(ground.otherwise("", sprites::GROUND));
        let terrains = self.terrains.iter().filter(|name| !bare(name) || **name == self.fence);
        let (mut map, mut seen) = (Picture::of_map("Map", 1, margin), Picture::of_seen_tiles("Map", 1));
        for name in terrains {
            let is_shown = *name == self.fence;
            let (legend, sprite) = match is_shown {
                true => (sprites::in_words(name), sprites::terrain(name)),
                false => (String::new(), Sprite::Label(name.clone())),
            };
            map = map.label("tiles", name, &legend, sprite.clone());
            seen = seen.names(&[name], &legend, sprite);
        }
        d.picture(map);
        d.picture(seen);
    }

    /// The rows of the plan, checked against the field. An empty plan is all ground.
    fn parse_plan(&self, d: &mut Declarations<'_>) -> Vec<Vec<char>> {
        let rows: Vec<Vec<char>> = self.plan.lines().map(|line| line.trim_end().chars().collect()).collect();
        let (length, width) = (d.field().length(), d.field().width());
        let mut wrong = |message: String, value: String| {
            d.problem(
                Problem::new(GridError::WrongPlan, Path::default().child("plan"), message)
                    .value(value)
                    .expected(format!("{width} rows of {length} symbols, each `.`, `#` or a digit")),
            );
        };
        if rows.is_empty() {
            return rows;
        }
        if rows.len() != width {
            wrong("the plan and the field have different numbers of rows".into(), rows.len().to_string());
            return Vec::new();
        }
        for (y, row) in rows.iter().enumerate() {
            if row.len() != length {
                wrong(format!("row {} of the plan is not as long as the field", y + 1), row.iter().collect());
            } else if let Some(symbol) = row.iter().find(|c| !matches!(c, '.' | '#') && !c.is_ascii_digit()) {
                wrong(format!("row {} of the plan has an unknown symbol", y + 1), symbol.to_string());
            } else {
                continue;
            }
            return Vec::new();
        }
        rows
    }
}

/// Proves for every combination of gates that all ground is connected.
fn check_reachable(plan: &[Vec<char>], d: &mut Declarations<'_>) {
    const MAX_COMBINATIONS: usize = 100_000;
    let mut segments: std::collections::BTreeMap<char, Vec<(usize, usize)>> = Default::default();
    for (y, row) in plan.iter().enumerate() {
        for (x, symbol) in row.iter().enumerate().filter(|(_, c)| c.is_ascii_digit()) {
            segments.entry(*symbol).or_default().push((x, y));
        }
    }
    let combinations = segments.values().map(Vec::len).product::<usize>();
    let path = Path::default().child("plan");
    if combinations > MAX_COMBINATIONS {
        let problem = Problem::new(
            GridError::UnreachableGround,
            path,
            "the plan has too many combinations of gates to prove that all ground is reachable",
        );
        d.problem(
            problem
                .value(combinations)
                .expected(format!("at most {MAX_COMBINATIONS}"))
                .help("use fewer or shorter segments"),
        );
        return;
    }
    for combination in 0..combinations {
        let mut rest = combination;
        let mut gates = Vec::new();
        for cells in segments.values() {
            gates.push(cells[rest % cells.len()]);
            rest /= cells.len();
        }
        let open = |x: usize, y: usize| plan[y][x] == '.' || gates.contains(&(x, y));
        if let Some((x, y)) = unreachable(plan, open) {
            let problem = Problem::new(
                GridError::UnreachableGround,
                path,
                match gates.as_slice() {
                    [] => format!("the ground at ({x}, {y}) can't be reached"),
                    gates => format!("with gates at {gates:?}, the ground at ({x}, {y}) can't be reached"),
                },
            );
            d.problem(
                problem.help(
                    "leave a gap in the walls, or replace a `#` next to this tile with a digit, which adds a gate",
                ),
            );
            return;
        }
    }
}

/// An open tile that can't be reached from the first open tile.
fn unreachable(plan: &[Vec<char>], open: impl Fn(usize, usize) -> bool) -> Option<(usize, usize)> {
    let (length, width) = (plan[0].len(), plan.len());
    let tiles = || (0..width).flat_map(|y| (0..length).map(move |x| (x, y)));
    let mut seen = vec![false; length * width];
    let mut stack: Vec<(usize, usize)> = tiles().find(|&(x, y)| open(x, y)).into_iter().collect();
    while let Some((x, y)) = stack.pop() {
        if std::mem::replace(&mut seen[y * length + x], true) {
            continue;
        }
        let neighbours = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        stack.extend(neighbours.into_iter().filter(|&(x, y)| x < length && y < width && open(x, y)));
    }
    tiles().find(|&(x, y)| open(x, y) && !seen[y * length + x])
}

/// The plan under one symmetry: terrain and status of all cells with every gate shut, and the cells of each segment.
type Layout = (Vec<u8>, Vec<Vec<u16>>);

#[derive(Columns)]
struct Map {
    parameters: TileMap,
    #[stream]
    key: u64,
    #[with(parameters.frame(d))]
    frame: TileFrame,
    /// Terrain and status of every tile, with a margin.
    #[category(kind = parameters.kind(), shape = &[frame.rows(), frame.columns, 2], hidden, role = GRID_TILES)]
    tiles: Column<u8>,
    /// Symmetry of the plan on the map.
    #[category(kind = ValueKind::numbered(SYMMETRIES as u32), hidden, role = GRID_SYMMETRY)]
    symmetry: Column<u8>,
    #[with(parameters.code(&parameters.fence, d))]
    fence: u8,
    #[maybe(AGENT_START)]
    start: Option<Column<i32>>,
    #[with(parameters.layouts(frame, fence, d))]
    layouts: Vec<Layout>,
}

const LAYOUT: Purpose = Purpose::named("layout");
const OBSTACLES: Purpose = Purpose::named("obstacles");

impl Behaviour for Map {
    fn reset(&self, c: &mut Context<'_>) {
        let mut stream = c.stream(self.key, LAYOUT);
        let symmetry = stream.index(self.layouts.len() as u32) as usize;
        let (template, segments) = &self.layouts[symmetry];
        let tiles = c.get(self.tiles);
        for (tile, value) in tiles.iter().zip(template) {
            tile.set(*value);
        }
        for cells in segments {
            let gate = cells[stream.index(cells.len() as u32) as usize];
            terrain(tiles, usize::from(gate)).set(GROUND);
        }
        c.get(self.symmetry)[0].set(symmetry as u8);
        let mut stream = c.stream(self.key, OBSTACLES);
        for _ in 0..self.parameters.obstacles {
            if let Some(cell) = self.place_for_obstacle(c, &mut stream) {
                terrain(tiles, cell).set(self.fence);
            }
        }
    }
}

impl Map {
    /// A tile of the ground that can be closed without cutting any ground off.
    fn place_for_obstacle(&self, c: &Context<'_>, stream: &mut Stream) -> Option<usize> {
        let (length, width) = (self.frame.length, self.frame.width);
        let start = self.start.map_or(0, |start| self.frame.cell_of_tile(c.value(start)));
        let cell = |tile: usize| self.frame.cell(tile % length, tile / length);
        let can_close = |cell: &usize| *cell != start && keeps_together(c.get(self.tiles), *cell, self.frame.columns);
        let drawn = (0..MAX_DRAWS).map(|_| cell(stream.index((length * width) as u32) as usize)).find(can_close);
        drawn.or_else(|| (0..length * width).map(cell).find(can_close))
    }
}

/// Whether the neighbours of a ground tile stay connected through the eight tiles around it if the tile is closed. If
/// they do, ground that was connected before is also connected afterwards, at any distance.
fn keeps_together(tiles: &[Cell<u8>], cell: usize, columns: usize) -> bool {
    let is_open = |cell: usize| terrain(tiles, cell).get() == GROUND;
    if !is_open(cell) {
        return false;
    }
    // Clockwise from the north; the even entries are the four neighbours that a step reaches.
    let around = [
        cell - columns,
        cell - columns + 1,
        cell + 1,
        cell + columns + 1,
        cell + columns,
        cell + columns - 1,
        cell - 1,
        cell - columns - 1,
    ]
    .map(is_open);
    let neighbours = (0..8).step_by(2).filter(|i| around[*i]);
    // A group of neighbours begins at each neighbour whose connection to the one before is closed.
    let groups = neighbours.clone().filter(|i| !(around[(i + 7) % 8] && around[(i + 6) % 8])).count();
    neighbours.count() > 0 && groups <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_between_two_parts_of_the_ground_is_not_closed() {
        // Five by five with a margin of one, drawn row by row; `o` is the tile in question.
        let check = |rows: [&str; 3]| {
            let mut tiles = vec![Cell::new(1); 50];
            for (y, row) in rows.iter().enumerate() {
                for (x, symbol) in row.bytes().enumerate() {
                    tiles[2 * ((y + 1) * 5 + x + 1)] = Cell::new(u8::from(symbol == b'#'));
                }
            }
            keeps_together(&tiles, 2 * 5 + 2, 5)
        };
        for (rows, expected) in [
            (["...", ".o.", "..."], true),
            (["###", ".o.", "###"], false),
            (["#.#", "#o#", "###"], true),
            (["###", "#o#", "###"], false),
            (["..#", ".o#", "###"], true),
            (["#.#", ".o#", "###"], false),
            (["...", ".o.", "#.#"], false),
            (["...", ".#.", "..."], false),
            (["#..", ".o.", "..."], true),
        ] {
            assert_eq!(check(rows), expected, "{rows:?}");
        }
    }

    #[test]
    fn ground_behind_a_closed_wall_is_found() {
        let plan: Vec<Vec<char>> = ["..#.", "..#."].iter().map(|row| row.chars().collect()).collect();
        assert_eq!(unreachable(&plan, |x, y| plan[y][x] == '.'), Some((3, 0)));
        assert_eq!(unreachable(&plan, |x, y| plan[y][x] == '.' || (x, y) == (2, 1)), None);
    }
}
