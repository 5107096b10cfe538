//! The layout of pictures, which is chosen once per game: header, status bars, fields side by side, heat maps and the season chart.

use farm_output::Rect;

use crate::compile::Pictures;
use crate::compiled::{CompiledPicture, ResolvedPlace};
use crate::legend::Legend;
use crate::maps;
use crate::observed::ObservedLine;

/// The size and content of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureOptions {
    /// Maximum width of the fields in layout units. A unit is a pixel at scale 1.
    pub max_width: u32,
    /// Maximum height of the fields in units.
    pub max_height: u32,
    /// The signs in the legend below the fields.
    pub legend: Legend,
    /// Shows the game's name, the time and the return above the fields.
    pub header: bool,
    /// Whether the picture shows everything, or only the learner's observation.
    pub view: View,
    /// The size in pixels.
    pub size: Size,
    /// Shows the season chart below the fields, and the results at the end. The chart requires [`View::Everything`] and a part that
    /// declares values for it. The chart is drawn from [`crate::Frame::season`].
    pub season: bool,
}

impl PictureOptions {
    /// The defaults: everything is shown, but no legend and no season.
    pub const DEFAULT: Self = Self {
        max_width: 900,
        max_height: 640,
        legend: Legend::None,
        header: true,
        view: View::Everything,
        size: Size::Scale(1.0),
        season: false,
    };
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The size of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// Pixels per layout unit, from 0.25 to 8.
    Scale(f64),
    /// As large as fits in a width and a height. A legend below the fields adds to the height.
    Within(u32, u32),
}

/// The minimum and the maximum scale.
const SCALES: (f64, f64) = (0.25, 8.0);

impl Size {
    /// A scale in pixels per layout unit.
    ///
    /// # Errors
    /// The scale is not between 0.25 and 8.
    pub fn scaled(scale: f64) -> Result<Self, String> {
        let (least, most) = SCALES;
        let is_possible = (least..=most).contains(&scale);
        if is_possible { Ok(Self::Scale(scale)) } else { Err(format!("{scale} is not a scale from {least} to {most}")) }
    }

    /// Pixels per unit of a layout of this size.
    pub(crate) fn scale(self, (width, height): (i32, i32)) -> f64 {
        let scale = match self {
            Self::Scale(scale) => scale,
            Self::Within(most_width, most_height) => {
                (f64::from(most_width) / f64::from(width.max(1))).min(f64::from(most_height) / f64::from(height.max(1)))
            }
        };
        if scale.is_finite() { scale.clamp(SCALES.0, SCALES.1) } else { 1.0 }
    }
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lines = |height: u32| Self::Within(height * 16 / 9, height);
        match text.to_lowercase().as_str() {
            "720p" => return Ok(lines(720)),
            "1080p" => return Ok(lines(1080)),
            "1440p" => return Ok(lines(1440)),
            "2160p" | "4k" => return Ok(lines(2160)),
            _ => {}
        }
        let edges = text.split_once(['x', '×']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        match edges {
            Some((width @ 64..=8192, height @ 64..=8192)) => Ok(Self::Within(width, height)),
            _ => Err(format!(
                "`{text}` is not a size: expected 720p, 1080p, 1440p, 2160p, or WIDTHxHEIGHT with edges from 64 to 8192"
            )),
        }
    }
}

/// The part of a game's state that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The whole state, as in the paper's pictures.
    Everything,
    /// The learner's view, drawn only from the recorded observation. A veil covers the map outside the window of a farmer that sees
    /// only its surroundings. If the position is not observed, the picture shows only the window.
    Learner,
}

/// Space around and between the parts of a picture.
pub(crate) const GAP: i32 = 12;
/// Height of the header's lines of text.
pub(crate) const HEADER: i32 = 66;
/// Height of a field's name.
pub(crate) const NAME: i32 = 22;
/// Height of a status bar row: an icon with two lines of text.
pub(crate) const STATUS_ROW: i32 = 40;
/// Height of a status bar row without icons.
pub(crate) const TEXT_ROW: i32 = 22;
/// Width of an icon with its text, and of an icon with only a short name and a number.
const STATUS_ICON: i32 = 250;
const STATUS_NUMBER: i32 = 90;
/// Maximum length, in letters, of a narrow item's name.
const SHORT_NAME: usize = 8;
/// Width of text without an icon.
const STATUS_TEXT: i32 = 108;
/// Maximum and minimum size of a plot drawn with sprites.
const LARGEST_CELL: i32 = 480;
const SMALLEST_CELL: i32 = 18;
/// Maximum number of heat maps per field.
const MAX_PANELS: usize = 8;

/// A field's layout.
#[derive(Debug, Clone)]
pub(crate) struct FieldLayout {
    /// Position where its name starts.
    pub name: (i32, i32),
    /// Area of the field's plots or maps.
    pub area: Rect,
    /// Edge of a plot in units; 0 if the field has maps.
    pub cell: i32,
    /// The maps.
    pub panels: Vec<Panel>,
}

/// An item in a status bar.
#[derive(Debug, Clone)]
pub(crate) struct StatusBarPlace {
    /// Index of its picture.
    pub picture: usize,
    /// Its area.
    pub at: Rect,
}

/// A picture's layout.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Size of the picture.
    pub size: (i32, i32),
    /// Height of the header; 0 without a header.
    pub header: i32,
    /// The fields.
    pub fields: Vec<FieldLayout>,
    /// The status bars of all fields and of the farm.
    pub status_bar: Vec<StatusBarPlace>,
    /// Area of the other observed values, in rows.
    pub observed: Rect,
    /// Area of the season chart; height 0 if there is none.
    pub season: Rect,
}

/// The content of a heat map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Panel {
    /// Soil and plants, in their colours.
    Composite,
    /// One of a picture's variables, by index.
    Picture(usize),
}

/// How a field is drawn, and the space that it needs.
struct Block {
    cell: i32,
    panels: Vec<Panel>,
    /// Width and height of the maps.
    maps: (i32, i32),
    status_bar: Vec<usize>,
    width: i32,
    status_bar_height: i32,
    height: i32,
}

impl Layout {
    /// Creates the layout for fields of these sizes and for these observation lines.
    pub(crate) fn new(
        sizes: &[(usize, usize)],
        pictures: &Pictures,
        observed: &[ObservedLine],
        season_height: i32,
        options: &PictureOptions,
    ) -> Self {
        let count = sizes.len().max(1);
        // The arrangement with the largest plots; if equal, the widest.
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
                let area = if block.cell > 0 {
                    Rect::new(x, inside, length * block.cell, width * block.cell)
                } else {
                    Rect::new(x, inside, block.maps.0, block.maps.1)
                };
                fields.push(FieldLayout { name: (x, y + 16), area, cell: block.cell, panels: block.panels.clone() });
                x += block.width + GAP;
            }
            y += row.iter().map(|b| b.height).max().unwrap_or(0) + GAP;
        }
        let season = Rect::new(GAP, y, content, season_height);
        let height = if season_height > 0 { y + season_height + GAP } else { y };
        Self { size: (content + 2 * GAP, height), header, fields, status_bar, observed, season }
    }
}

/// Minimum width of the header and the fields, so that the header fits.
const LEAST_CONTENT: i32 = 400;

fn smallest_cell(blocks: &[Block]) -> i32 {
    blocks.iter().map(|block| block.cell).min().unwrap_or(0)
}

/// The pictures in the status bar of a field, or of the farm.
fn status_bar_of(pictures: &Pictures, field: Option<usize>) -> Vec<usize> {
    let is_in = |picture: &CompiledPicture| {
        matches!(picture.resolved_place, ResolvedPlace::StatusBar) && picture.field == field
    };
    pictures.all.iter().enumerate().filter(|(_, picture)| is_in(picture)).map(|(i, _)| i).collect()
}

/// Places the items of a status bar in rows, and returns the total height.
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
        let item = match pictures.all.get(*picture) {
            Some(found) if has_icon(picture) && is_number(found) => STATUS_NUMBER,
            _ if has_icon(picture) => STATUS_ICON,
            _ => STATUS_TEXT,
        };
        if x > at.0 && x + item > at.0 + width {
            (x, y) = (at.0, y + row);
        }
        items.push(StatusBarPlace { picture: *picture, at: Rect::new(x, y, item.min(width.max(STATUS_TEXT)), row) });
        x += item;
    }
    if status_bar.is_empty() { 0 } else { y - at.1 + row }
}

/// Whether an item in a status bar consists only of a sign, a short name and a number.
fn is_number(picture: &CompiledPicture) -> bool {
    picture.written.len() == 1
        && picture.title.chars().count() <= SHORT_NAME
        && picture.sprite_rules.iter().all(|rule| rule.name.is_empty())
}

/// The number of rows for the observation lines, which are placed side by side if they fit.
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

/// Approximate width of a letter in a status bar.
const LETTER: i32 = 7;
/// Maximum number of rows if observations are priced. Such games have many observations, but show few at a time.
const MAX_OBSERVED_ROWS: i32 = 8;

/// Arranges the fields in this number of columns. All plots have the same size, the largest that fits.
fn arrange(
    sizes: &[(usize, usize)],
    pictures: &Pictures,
    options: &PictureOptions,
    columns: usize,
) -> (Vec<Block>, usize) {
    let rows = sizes.len().div_ceil(columns).max(1);
    let room = |most: u32, parts: usize| (most as i32 - GAP * (parts as i32 - 1)) / parts as i32;
    let (most_width, most_height) = (room(options.max_width, columns), room(options.max_height, rows));
    let largest = |(length, width): &(usize, usize)| {
        (most_width / (*length).max(1) as i32).min(most_height / (*width).max(1) as i32).min(LARGEST_CELL)
    };
    let heats = |field: usize| {
        let of_field = |(_, p): &(usize, &CompiledPicture)| p.field == Some(field) && p.heat.is_some();
        let panels = pictures.all.iter().enumerate().filter(of_field).map(|(picture, _)| Panel::Picture(picture));
        panels.take(MAX_PANELS).collect::<Vec<_>>()
    };
    let has_sprites =
        |i: usize, size: &(usize, usize)| largest(size) >= SMALLEST_CELL || pictures.has_map(i) || heats(i).is_empty();
    let drawn = sizes.iter().enumerate().filter(|(i, size)| has_sprites(*i, size));
    let cell = drawn.map(|(_, size)| largest(size)).min().unwrap_or(1).max(1);
    let blocks = sizes.iter().enumerate().map(|(i, size)| {
        let status_bar = status_bar_of(pictures, Some(i));
        let (length, width) = (size.0.max(1) as i32, size.1.max(1) as i32);
        let mut unused = Vec::new();
        if has_sprites(i, size) {
            let block_width = (length * cell).max(LEAST_BLOCK);
            let status_bar_height = place_status_bar(pictures, &status_bar, (0, 0), block_width, &mut unused);
            let height = NAME + status_bar_height + width * cell;
            let (maps, panels) = ((0, 0), Vec::new());
            return Block { cell, panels, maps, status_bar, width: block_width, status_bar_height, height };
        }
        let mut panels = heats(i);
        // A single map needs no composite.
        if panels.len() > 1 {
            panels.insert(0, Panel::Composite);
        }
        let maps = maps::room(panels.len(), (length, width), most_width);
        let status_bar_height = place_status_bar(pictures, &status_bar, (0, 0), maps.0, &mut unused);
        let height = NAME + status_bar_height + maps.1;
        Block { cell: 0, panels, maps, status_bar, width: maps.0, status_bar_height, height }
    });
    (blocks.collect(), columns)
}

/// Minimum width of a field with its status bar.
const LEAST_BLOCK: i32 = 250;
