//! Where everything stands in a picture: header, strips, fields side by side, heat maps, legend. Chosen once for a game.

use farm_output::Rect;

use crate::compile::{CompiledPicture, Pictures, ResolvedPlace};
use crate::observed::ObservedLine;

/// How large a picture is and what it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureOptions {
    /// Most pixels from left to right that the fields take.
    pub max_width: u32,
    /// Most pixels from top to bottom that the fields take.
    pub max_height: u32,
    /// Whether the legend stands beside the fields.
    pub legend: bool,
    /// Whether the game's name, the time and the return stand above the fields.
    pub header: bool,
    /// Who looks.
    pub view: View,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { max_width: 900, max_height: 640, legend: true, header: true, view: View::Everything }
    }
}

/// What is shown of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// All there is, as the pictures of the paper do.
    Everything,
    /// What the learner sees, drawn from the record of the observation alone: what it does not hold is left out. Beyond the window of a
    /// farmer who sees only its surroundings lies a veil; where the position is not observed, the window is all there is.
    Learner,
}

/// Space around and between things.
pub(crate) const GAP: i32 = 12;
/// Height of the header's lines of text.
pub(crate) const HEADER: i32 = 66;
/// Height of a field's name.
pub(crate) const NAME: i32 = 22;
/// A strip's row: an icon with two lines of text.
pub(crate) const STATUS_ROW: i32 = 40;
/// A strip's row that has no icons.
pub(crate) const TEXT_ROW: i32 = 22;
/// Width of an icon with its text.
const STATUS_ICON: i32 = 250;
/// Width of a text without icon.
const STATUS_TEXT: i32 = 108;
/// Height of a legend's entry.
const LEGEND_ROW: i32 = 25;
/// Width of a legend's column.
pub(crate) const LEGEND_COLUMN: i32 = 172;
/// The largest and the smallest plot that is drawn with sprites.
const LARGEST_CELL: i32 = 112;
const SMALLEST_CELL: i32 = 18;
/// The longest edge of a heat map, and the most of them for one field.
const PANEL: usize = 400;
const MAX_PANELS: usize = 8;
/// Height of a heat map's title and of its scale.
pub(crate) const PANEL_TITLE: i32 = 20;
pub(crate) const PANEL_SCALE: i32 = 34;
/// The least width of a heat map, so that its scale is readable.
const LEAST_PANEL: i32 = 260;

/// Where the plots of a field are.
#[derive(Debug, Clone)]
pub(crate) struct FieldLayout {
    /// Where its name begins.
    pub name: (i32, i32),
    /// Where the plots are drawn; several rectangles where they are heat maps.
    pub areas: Vec<Rect>,
    /// Pixels of a plot's edge; 0 where it has heat maps.
    pub cell: i32,
    /// The pictures with heat maps, in the order of `areas`.
    pub panels: Vec<usize>,
}

/// An item of a strip.
#[derive(Debug, Clone)]
pub(crate) struct StatusBarPlace {
    /// Which picture.
    pub picture: usize,
    /// Where.
    pub at: Rect,
}

/// Where everything stands.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Size of the picture.
    pub size: (i32, i32),
    /// Height of the header; 0 where there is none.
    pub header: i32,
    /// The fields.
    pub fields: Vec<FieldLayout>,
    /// The strips of all fields and of the farm.
    pub status_bar: Vec<StatusBarPlace>,
    /// Where what else is observed is written, row by row.
    pub observed: Rect,
    /// The lines of the legend with their upper left corners.
    pub legend: Vec<((i32, i32), LegendLine)>,
}

/// The lines of a legend: a title, or a sprite with its name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LegendLine {
    /// The title of a group.
    Title(String),
    /// A sprite and what it shows.
    Entry(u16, String),
    /// A sprite that is a group of its own, and what it shows.
    Single(u16, String),
}

/// What the legend says: each look with a name, once, in groups by what is shown. A group of one is a single line.
fn legend(pictures: &Pictures) -> Vec<Vec<LegendLine>> {
    let mut groups: Vec<(String, Vec<(u16, String)>)> = Vec::new();
    for picture in &pictures.all {
        for rule in &picture.sprite_rules {
            let Some(sprite) = rule.sprite.filter(|_| !rule.name.is_empty()) else { continue };
            let entry = (sprite, rule.name.clone());
            match groups.iter_mut().find(|(title, _)| *title == picture.title) {
                Some((_, entries)) if entries.contains(&entry) => {}
                Some((_, entries)) => entries.push(entry),
                None => groups.push((picture.title.clone(), vec![entry])),
            }
        }
    }
    let lines = |(title, entries): (String, Vec<(u16, String)>)| match entries.as_slice() {
        [(sprite, name)] if name.to_lowercase() == title.to_lowercase() => {
            vec![LegendLine::Single(*sprite, capitalised(&title))]
        }
        [(sprite, name)] => vec![LegendLine::Single(*sprite, format!("{}: {name}", capitalised(&title)))],
        _ => {
            let entries = entries.into_iter().map(|(sprite, name)| LegendLine::Entry(sprite, name));
            std::iter::once(LegendLine::Title(capitalised(&title))).chain(entries).collect()
        }
    };
    groups.into_iter().map(lines).collect()
}

/// Lines of a legend with their places in columns, and how many columns there are. A group stays together where it can.
fn place_legend(groups: Vec<Vec<LegendLine>>, rows: i32) -> (Vec<(i32, i32, LegendLine)>, i32) {
    let (mut column, mut row) = (0, 0);
    let mut placed = Vec::new();
    for group in groups {
        let length = group.len() as i32;
        if row > 0 && row + length > rows && length <= rows {
            (column, row) = (column + 1, 0);
        }
        for line in group {
            if row >= rows {
                (column, row) = (column + 1, 0);
            }
            placed.push((column, row, line));
            row += 1;
        }
    }
    (placed, column + 1)
}

/// A text with a capital letter at its start.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// How a field is drawn, and how much room that takes.
struct Block {
    cell: i32,
    columns: usize,
    panels: Vec<usize>,
    panel: (i32, i32),
    status_bar: Vec<usize>,
    width: i32,
    status_bar_height: i32,
    height: i32,
}

impl Layout {
    /// The layout of pictures with fields of these sizes, and with lines of the observation.
    pub(crate) fn new(
        sizes: &[(usize, usize)],
        pictures: &Pictures,
        observed: &[ObservedLine],
        options: &PictureOptions,
    ) -> Self {
        let count = sizes.len().max(1);
        // The arrangement with the largest plots; of equal ones the widest.
        let arrangements = (1..=count).rev().map(|columns| arrange(sizes, pictures, options, columns));
        let (blocks, per_row) = arrangements
            .reduce(|best, other| if smallest_cell(&other.0) > smallest_cell(&best.0) { other } else { best })
            .unwrap_or_default();
        let rows: Vec<&[Block]> = blocks.chunks(per_row.max(1)).collect();
        let width_of = |row: &[Block]| row.iter().map(|b| b.width + GAP).sum::<i32>() - GAP;
        let content = rows.iter().map(|row| width_of(row)).max().unwrap_or(0).max(LEAST_CONTENT);
        let mut status_bar = Vec::new();
        let farm: Vec<usize> = status_bar_of(pictures, None);
        let header = if options.header { HEADER } else { 0 };
        let begin = header.max(GAP);
        let mut farm_height = place_status_bar(pictures, &farm, (GAP, begin), content, &mut status_bar);
        let observed = Rect::new(GAP, begin + farm_height, content, TEXT_ROW * rows_of(observed, content));
        farm_height += observed.height;
        let top = begin + farm_height + if farm_height > 0 { 4 } else { 0 };
        let mut y = top;
        let mut fields = Vec::new();
        for row in rows {
            let mut x = GAP;
            for block in row {
                place_status_bar(pictures, &block.status_bar, (x, y + NAME), block.width, &mut status_bar);
                let field = fields.len();
                let (length, width) = sizes.get(field).map_or((1, 1), |size| (size.0 as i32, size.1 as i32));
                let inside = y + NAME + block.status_bar_height;
                let areas = if block.cell > 0 {
                    vec![Rect::new(x, inside, length * block.cell, width * block.cell)]
                } else {
                    let (w, h) = block.panel;
                    let place = |i: usize| {
                        let (column, row) = ((i % block.columns) as i32, (i / block.columns) as i32);
                        let left = x + column * (w.max(LEAST_PANEL) + GAP);
                        Rect::new(left, inside + row * (h + PANEL_TITLE + PANEL_SCALE) + PANEL_TITLE, w, h)
                    };
                    (0..block.panels.len()).map(place).collect()
                };
                fields.push(FieldLayout { name: (x, y + 16), areas, cell: block.cell, panels: block.panels.clone() });
                x += block.width + GAP;
            }
            y += row.iter().map(|b| b.height).max().unwrap_or(0) + GAP;
        }
        let has_legend = options.legend && fields.iter().any(|field| field.cell > 0);
        let groups = if has_legend { legend(pictures) } else { Vec::new() };
        let lines = groups.iter().map(Vec::len).sum::<usize>() as i32;
        // The legend is as high as the fields, or higher where it would have more than two columns.
        let rows = ((y - top) / LEGEND_ROW).max(lines / 2 + 2).clamp(1, MAX_LEGEND_ROWS);
        let (placed, columns) = place_legend(groups, rows);
        let left = content + 2 * GAP;
        let lowest = placed.iter().map(|(_, row, _)| row + 1).max().unwrap_or(0);
        let at = |column: i32, row: i32| (left + column * LEGEND_COLUMN, top + row * LEGEND_ROW);
        let width = left + if placed.is_empty() { 0 } else { columns * LEGEND_COLUMN + GAP };
        let height = y.max(top + lowest * LEGEND_ROW + GAP);
        let legend = placed.into_iter().map(|(column, row, line)| (at(column, row), line)).collect();
        // Films want even numbers.
        Self { size: (width + width % 2, height + height % 2), header, fields, status_bar, observed, legend }
    }
}

/// The least width of header and fields, so that the header has room.
const LEAST_CONTENT: i32 = 400;
/// The most lines in a column of the legend.
const MAX_LEGEND_ROWS: i32 = 30;

fn smallest_cell(blocks: &[Block]) -> i32 {
    blocks.iter().map(|block| block.cell).min().unwrap_or(0)
}

/// The pictures in the strip of a field, or of the farm.
fn status_bar_of(pictures: &Pictures, field: Option<usize>) -> Vec<usize> {
    let is_in = |picture: &CompiledPicture| {
        matches!(picture.resolved_place, ResolvedPlace::StatusBar) && picture.field == field
    };
    pictures.all.iter().enumerate().filter(|(_, picture)| is_in(picture)).map(|(i, _)| i).collect()
}

/// Places the items of a strip from left to right and from row to row; returns the height of all rows.
fn place_status_bar(
    pictures: &Pictures,
    status_bar: &[usize],
    at: (i32, i32),
    width: i32,
    items: &mut Vec<StatusBarPlace>,
) -> i32 {
    let has_icon =
        |i: &usize| pictures.all.get(*i).is_some_and(|picture| picture.sprite_rules.iter().any(|l| l.sprite.is_some()));
    let row = if status_bar.iter().any(has_icon) { STATUS_ROW } else { TEXT_ROW };
    let (mut x, mut y) = at;
    for picture in status_bar {
        let item = if has_icon(picture) { STATUS_ICON } else { STATUS_TEXT };
        if x > at.0 && x + item > at.0 + width {
            (x, y) = (at.0, y + row);
        }
        items.push(StatusBarPlace { picture: *picture, at: Rect::new(x, y, item.min(width.max(STATUS_TEXT)), row) });
        x += item;
    }
    if status_bar.is_empty() { 0 } else { y - at.1 + row }
}

/// How many rows lines of the observation take, side by side as far as they fit.
fn rows_of(lines: &[ObservedLine], width: i32) -> i32 {
    let (mut rows, mut left) = (0, 0);
    for line in lines {
        let needed = line.letters() as i32 * LETTER;
        if needed > left {
            (rows, left) = (rows + 1, width);
        }
        left -= needed;
    }
    if lines.iter().all(|line| line.is_free) { rows } else { rows.min(MAX_OBSERVED_ROWS) }
}

/// About the width of a letter in a strip.
const LETTER: i32 = 7;
/// The most rows where looking costs: there may be much to ask for, of which little is shown at a time.
const MAX_OBSERVED_ROWS: i32 = 8;

/// The fields in so many columns, each with the largest plots for which there is room.
fn arrange(
    sizes: &[(usize, usize)],
    pictures: &Pictures,
    options: &PictureOptions,
    columns: usize,
) -> (Vec<Block>, usize) {
    let rows = sizes.len().div_ceil(columns).max(1);
    let room = |most: u32, parts: usize| (most as i32 - GAP * (parts as i32 - 1)) / parts as i32;
    let (most_width, most_height) = (room(options.max_width, columns), room(options.max_height, rows));
    let blocks = sizes.iter().enumerate().map(|(i, (length, width))| {
        let status_bar = status_bar_of(pictures, Some(i));
        let (length, width) = ((*length).max(1) as i32, (*width).max(1) as i32);
        let cell = (most_width / length).min(most_height / width).min(LARGEST_CELL);
        let is_map = pictures.all.iter().any(|p| {
            p.field == Some(i) && matches!(p.resolved_place, ResolvedPlace::Map { .. } | ResolvedPlace::SeenTiles)
        });
        let heats = pictures.all.iter().enumerate().filter(|(_, p)| p.field == Some(i) && p.heat.is_some());
        let panels: Vec<usize> = heats.map(|(picture, _)| picture).take(MAX_PANELS).collect();
        let mut unused = Vec::new();
        if cell >= SMALLEST_CELL || is_map || panels.is_empty() {
            let cell = cell.max(1);
            let block_width = (length * cell).max(LEAST_BLOCK);
            let status_bar_height = place_status_bar(pictures, &status_bar, (0, 0), block_width, &mut unused);
            let height = NAME + status_bar_height + width * cell;
            let (columns, panel) = (1, (0, 0));
            return Block {
                cell,
                columns,
                panels: Vec::new(),
                panel,
                status_bar,
                width: block_width,
                status_bar_height,
                height,
            };
        }
        // As many side by side as are wide enough; large plots where a field is small.
        let columns = if panels.len() > 6 { 4 } else { panels.len().min(3) };
        let longest = length.max(width) as usize;
        let side = (most_width as usize / columns).saturating_sub(GAP as usize).min(PANEL);
        let scale = |edge: i32| match side / longest {
            0 => (edge as usize * side).div_ceil(longest).max(1) as i32,
            whole => edge * whole as i32,
        };
        let panel = (scale(length), scale(width));
        let rows = panels.len().div_ceil(columns) as i32;
        let block_width = columns as i32 * (panel.0.max(LEAST_PANEL) + GAP) - GAP;
        let status_bar_height = place_status_bar(pictures, &status_bar, (0, 0), block_width, &mut unused);
        let height = NAME + status_bar_height + rows * (panel.1 + PANEL_TITLE + PANEL_SCALE);
        Block { cell: 0, columns, panels, panel, status_bar, width: block_width, status_bar_height, height }
    });
    (blocks.collect(), columns)
}

/// The least width of a field with its strip.
const LEAST_BLOCK: i32 = 250;
