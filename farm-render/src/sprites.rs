//! Sprites as bitmaps. Each is drawn once per size, from a part's SVG or as a tile with a few letters.

use farm_output::{Bitmap, Color, blend};
use farm_plot::Weight;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

pub(crate) use crate::palette::INK;
use crate::text::Writer;

/// The tile for things without a sprite. Its dashed line distinguishes it from sprites.
const LABEL: &str = include_str!("sprites/label.svg");
/// The tag for a part without pictures, on plots with a value to show.
const TAG: &str = include_str!("sprites/tag.svg");
/// Maximum number of letters on a tile.
const MAX_LETTERS: usize = 3;

/// The source of a bitmap.
#[derive(Debug, Clone)]
pub(crate) struct SpriteSource {
    /// The text of the SVG and the letters on it, which identify the sprite.
    key: (String, String),
    /// The variables that change its appearance, as named in the picture.
    follows: Vec<String>,
    /// Number of variants. Each plot shows one of them.
    variants: u8,
    /// Whether its appearance changes next to sprites of the same kind.
    joins: bool,
    tree: Tree,
}

/// The form of a sprite on its plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Form {
    /// The growth levels.
    pub levels: Levels,
    /// The sides on which the neighbour has the same sprite, as bits in the order of [`SIDES`].
    pub joined: u8,
    /// Its variant.
    pub variant: u8,
}

impl Form {
    /// The original form of a sprite.
    pub(crate) const AS_WRITTEN: Self = Self { levels: [UNKNOWN; 2], joined: 0, variant: 0 };
}

/// The sides of a plot, each with the step to the plot on that side.
pub(crate) const SIDES: [(&str, (i32, i32)); 4] =
    [("north", (0, -1)), ("east", (1, 0)), ("south", (0, 1)), ("west", (-1, 0))];
/// The attribute that hides a group in an SVG.
const HIDDEN: &str = " display=\"none\"";

/// The levels of the first variables that a sprite follows, from 0 to [`FULL`]; [`UNKNOWN`] if not known.
pub(crate) type Levels = [u8; 2];
/// Number of steps from a sprite's smallest to its largest form, and from one end of its tint range to the other.
pub(crate) const FULL: u8 = 16;
/// The level for unknown values, and for sprites that follow no variable. Such sprites keep their original form.
pub(crate) const UNKNOWN: u8 = u8::MAX;
/// The smallest size of a growing shape, as a share of its full size.
const SMALLEST: f64 = 0.35;

impl PartialEq for SpriteSource {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.follows == other.follows
    }
}

impl SpriteSource {
    /// Creates a sprite from an SVG.
    ///
    /// # Errors
    /// The text is not an SVG; returns the parser's message.
    pub(crate) fn svg(svg: &str) -> Result<Self, String> {
        Self::new(svg, String::new())
    }

    /// Creates the tile with a few letters from a name.
    ///
    /// # Errors
    /// Never, as long as the tile itself is an SVG.
    pub(crate) fn label(name: &str) -> Result<Self, String> {
        Self::new(LABEL, letters(name))
    }

    /// Creates the tag with a few letters from a name.
    ///
    /// # Errors
    /// Never, as long as the tag itself is an SVG.
    pub(crate) fn tag(name: &str) -> Result<Self, String> {
        Self::new(TAG, letters(name))
    }

    fn new(svg: &str, letters: String) -> Result<Self, String> {
        let tree = Tree::from_str(svg, &Options::default()).map_err(|error| error.to_string())?;
        let joins = svg.contains("data-joins=");
        let variants = (0..u8::MAX).take_while(|i| svg.contains(&format!("data-variant=\"{i}\""))).count() as u8;
        Ok(Self { key: (svg.to_owned(), letters), follows: Vec::new(), variants, joins, tree })
    }

    /// Makes the sprite follow these variables.
    pub(crate) fn following<'a>(mut self, variables: impl Iterator<Item = &'a str>) -> Self {
        let is_named = |name: &&str| self.key.0.contains(&format!("=\"{name}\""));
        let found: Vec<String> = variables.filter(is_named).map(str::to_owned).collect();
        self.follows = found;
        self.follows.truncate(Levels::default().len());
        self
    }

    /// The variables that it follows.
    pub(crate) fn follows(&self) -> &[String] {
        &self.follows
    }

    /// Whether its appearance changes next to sprites of the same kind.
    pub(crate) fn joins(&self) -> bool {
        self.joins
    }

    /// The variant on a plot. It varies between neighbours, and is the same in every picture.
    pub(crate) fn variant_at(&self, (x, y): (usize, usize)) -> u8 {
        let mixed = (x as u64 * 0x9e37_79b9 + y as u64 * 0x85eb_ca6b + 0x27d4_eb2f).wrapping_mul(0x2545_f491_4f6c_dd1d);
        ((mixed >> 40) % u64::from(self.variants.max(1))) as u8
    }

    /// The sprite in a form; none if it keeps its original form.
    pub(crate) fn formed(&self, form: Form) -> Option<Self> {
        if form == Form::AS_WRITTEN {
            return None;
        }
        let Form { levels, joined, variant } = form;
        let mut svg = self.key.0.clone();
        let mut shows = |group: String, is_shown: bool| {
            let (hidden, shown) = (format!("{group}{HIDDEN}"), format!("{group} "));
            if is_shown {
                svg = svg.replace(&hidden, &shown);
            } else if !svg.contains(&hidden) {
                svg = svg.replace(&group, &hidden);
            }
        };
        if self.joins {
            for (side, (name, _)) in SIDES.iter().enumerate() {
                shows(format!("data-joins=\"{name}\""), joined & (1 << side) != 0);
            }
            shows("data-joins=\"any\"".to_owned(), joined != 0);
            shows("data-joins=\"none\"".to_owned(), joined == 0);
        }
        for i in 0..self.variants {
            shows(format!("data-variant=\"{i}\""), i == variant);
        }
        for (name, level) in self.follows.iter().zip(levels).filter(|(_, level)| *level != UNKNOWN) {
            let share = f64::from(level.min(FULL)) / f64::from(FULL);
            let scale = SMALLEST + (1.0 - SMALLEST) * share;
            svg = svg.replace(&format!("data-grows=\"{name}\""), &format!("transform=\"scale({scale:.4})\""));
            if let Some([red, green, blue]) = self.tint(name).map(|ends| blend(&ends, share)) {
                let style = format!("style=\"fill:#{red:02x}{green:02x}{blue:02x}\"");
                svg = svg.replace(&format!("data-tint=\"{name}\""), &style);
            }
        }
        // The changed SVG still parses, because only numbers have changed.
        (svg != self.key.0).then(|| Self::new(&svg, self.key.1.clone()).ok())?
    }

    /// The colours of a shape that follows a variable, at the low and the high value.
    pub(crate) fn tint(&self, variable: &str) -> Option<[Color; 2]> {
        let rest = self.key.0.split_once(&format!("data-tint=\"{variable}\""))?.1;
        let tag = rest.split_once('>')?.0;
        let color = |attribute: &str| hex_color(tag.split_once(&format!("{attribute}=\"#"))?.1.get(..6)?);
        Some([color("data-low")?, color("data-high")?])
    }

    /// Width and height of its view box.
    pub(crate) fn size(&self) -> [f32; 2] {
        [self.tree.size().width(), self.tree.size().height()]
    }

    /// The content of its root element.
    pub(crate) fn inner(&self) -> &str {
        let svg = &self.key.0;
        let from = svg.find("<svg").and_then(|root| Some(root + svg.get(root..)?.find('>')? + 1));
        let inside = from.zip(svg.rfind("</svg>")).and_then(|(from, to)| svg.get(from..to));
        inside.unwrap_or_default().trim()
    }

    /// The letters on it.
    pub(crate) fn letters(&self) -> &str {
        &self.key.1
    }

    /// Left, top, width and height of its drawn part, in its own units.
    pub(crate) fn drawn_part(&self) -> (f32, f32, f32, f32) {
        let [width, height] = self.size();
        let drawn = self.tree.root().abs_stroke_bounding_box();
        let (left, top) = (drawn.left().clamp(0.0, width), drawn.top().clamp(0.0, height));
        (left, top, drawn.right().clamp(left, width) - left, drawn.bottom().clamp(top, height) - top)
    }

    /// Draws the sprite in a square with this edge in pixels, as on its plot.
    pub(crate) fn draw(&self, size: u32, writer: &mut Writer) -> Bitmap {
        let (width, height) = (self.tree.size().width(), self.tree.size().height());
        self.draw_part(size, (0.0, 0.0, width, height), writer)
    }

    /// Draws the sprite as large as possible in a square with this edge in pixels, without the empty parts of its plot.
    pub(crate) fn draw_icon(&self, size: u32, writer: &mut Writer) -> Bitmap {
        self.draw_part(size, self.drawn_part(), writer)
    }

    /// Draws a part of the sprite, given by left, top, width and height in the sprite's own units.
    fn draw_part(&self, size: u32, (left, top, width, height): (f32, f32, f32, f32), writer: &mut Writer) -> Bitmap {
        let side = size as usize;
        let Some(mut pixmap) = Pixmap::new(size, size) else {
            return Bitmap { width: 0, height: 0, pixels: Vec::new() };
        };
        let scale = size as f32 / width.max(height).max(1e-3);
        // A sprite that is not square is centred on its plot.
        let middle = |edge: f32| (size as f32 - scale * edge) / 2.0;
        let (dx, dy) = (middle(width) - scale * left, middle(height) - scale * top);
        resvg::render(&self.tree, Transform::from_row(scale, 0.0, 0.0, scale, dx, dy), &mut pixmap.as_mut());
        let mut pixels: Vec<[u8; 4]> = pixmap.data().as_chunks::<4>().0.to_vec();
        let letters = &self.key.1;
        let text = size / 4;
        if !letters.is_empty() && text > 3 {
            let x = (size as i32 - writer.width(letters, text, Weight::Bold)) / 2;
            let y = (size as i32 + (text as f32 * 0.7) as i32) / 2;
            writer.trace((x, y), text, Weight::Bold, letters, |x, y, share| {
                let at = usize::try_from(y).ok().zip(usize::try_from(x).ok()).filter(|(_, x)| *x < side);
                if let Some(pixel) = at.and_then(|(y, x)| pixels.get_mut(y * side + x)) {
                    for (to, ink) in pixel[..3].iter_mut().zip(INK) {
                        let share = u32::from(share);
                        *to = ((u32::from(*to) * (255 - share) + u32::from(ink) * share) / 255) as u8;
                    }
                }
            });
        }
        Bitmap { width: side, height: side, pixels }
    }
}

/// A colour from six hexadecimal digits.
fn hex_color(digits: &str) -> Option<Color> {
    let channel = |from: usize| u8::from_str_radix(digits.get(from..from + 2)?, 16).ok();
    Some([channel(0)?, channel(2)?, channel(4)?])
}

/// Checks that a string is an SVG that can be drawn.
///
/// # Errors
/// The string is not an SVG; returns the parser's message.
pub fn check_sprite(svg: &str) -> Result<(), String> {
    SpriteSource::svg(svg).map(drop)
}

/// A short form of a name: the capitals in `SlugsPatch`, the first letters of the words in `barn_goat`, or the first letters of a single
/// word.
fn letters(name: &str) -> String {
    let name = name.split(['-', '#']).next().unwrap_or(name);
    let mut before = ' ';
    let mut heads = String::new();
    for c in name.chars() {
        if c.is_alphanumeric() && (!before.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase())) {
            heads.extend(c.to_uppercase());
        }
        before = c;
    }
    let short = if heads.chars().count() > 1 { heads } else { name.to_owned() };
    short.chars().take(MAX_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shortened_to_its_heads() {
        assert_eq!(["SlugsPatch-0", "barn_goat", "Slugs-1", "x"].map(letters), ["SP", "BG", "Slu", "x"]);
    }

    /// A sprite with one pixel for each group: the four sides, alone, next to another sprite, and three variants.
    fn groups() -> SpriteSource {
        let names = ["north", "east", "south", "west", "any", "none"].map(|name| format!("joins=\"{name}\""));
        let names = names.into_iter().chain((0..3).map(|i| format!("variant=\"{i}\"")));
        let group = |(x, name): (usize, String)| {
            let hidden = if ["joins=\"none\"", "variant=\"0\""].contains(&name.as_str()) { "" } else { HIDDEN };
            format!("<g data-{name}{hidden}><rect x=\"{x}\" width=\"1\" height=\"9\" fill=\"#f00\"/></g>")
        };
        let groups: String = names.enumerate().map(group).collect();
        SpriteSource::svg(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">{groups}</svg>"))
            .unwrap()
    }

    #[test]
    fn a_sprite_joins_those_beside_it_and_has_one_of_its_variants() {
        let (source, mut writer) = (groups(), Writer::new().unwrap());
        let mut shown = |joined: u8, variant: u8| {
            let form = Form { joined, variant, ..Form::AS_WRITTEN };
            let formed = source.formed(form);
            let bitmap = formed.as_ref().unwrap_or(&source).draw(9, &mut writer);
            (0..9).filter(|x| bitmap.pixels[*x][3] == 255).collect::<Vec<usize>>()
        };
        assert_eq!(shown(0, 0), [5, 6]);
        assert_eq!(shown(0b0001, 0), [0, 4, 6]);
        assert_eq!(shown(0b1010, 2), [1, 3, 4, 8]);
        assert_eq!(shown(0b1111, 1), [0, 1, 2, 3, 4, 7]);
    }

    #[test]
    fn neighbours_have_different_variants_and_a_plot_always_the_same() {
        let source = groups();
        let mut counts = [0; 3];
        (0..400).for_each(|i| counts[usize::from(source.variant_at((i % 20, i / 20)))] += 1);
        assert!(counts.iter().all(|count| (90..180).contains(count)), "{counts:?}");
        let rows: std::collections::BTreeSet<Vec<u8>> =
            (0..20).map(|y| (0..20).map(|x| source.variant_at((x, y))).collect()).collect();
        assert!(rows.len() > 15, "rows differ");
    }

    #[test]
    fn what_is_no_svg_is_refused_and_what_is_not_square_stands_in_the_middle() {
        assert!(SpriteSource::svg("<svg>").is_err());
        let flat = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1" fill="#f00"/></svg>"##;
        let bitmap = SpriteSource::svg(flat).unwrap().draw(4, &mut Writer::new().unwrap());
        let rows: Vec<u8> = bitmap.pixels.chunks(4).map(|row| row[0][3]).collect();
        assert_eq!(rows, [0, 255, 255, 0]);
    }
}
