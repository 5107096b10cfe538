//! A game in characters: what lies on each tile, what stands in the strips, what the learner is shown of it. For terminals.
//!
//! A look is shown by the character that its sprite names (`data-glyph`), or the first letter of what it shows, in the colour that
//! the sprite names (`data-color`), or that of its drawing.

use std::sync::Arc;

use farm_core::{Game, State};

use crate::compile::{Compiled, Pictures, Spot, Values, number};
use crate::error::RenderError;
use crate::image::{Bitmap, Color};
use crate::layout::View;
use crate::renderer::places;
use crate::text::Writer;
use crate::view::Eyes;

/// How a look is shown in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The character.
    pub glyph: char,
    /// A letter in place of it, for terminals that have nothing else.
    pub letter: char,
    /// Its colour.
    pub color: Color,
}

/// Something on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing<'a> {
    /// What its picture shows.
    pub title: &'a str,
    /// Which of its looks, in a word or two; may be empty.
    pub name: &'a str,
    /// How it is shown.
    pub mark: Mark,
    /// Whether it is the ground on which the rest lies.
    pub is_ground: bool,
}

/// A tile of a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tile<'a> {
    /// What lies on it, from the lowest to the highest.
    pub things: Vec<Thing<'a>>,
    /// Whether it lies beyond what somebody with a place sees.
    pub is_veiled: bool,
}

/// An item of the strip of a field, or of the farm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripItem<'a> {
    /// The field; none for the farm's own parts.
    pub field: Option<usize>,
    /// What it shows.
    pub title: &'a str,
    /// How it looks now, with a word for it; none if that is not shown.
    pub look: Option<(&'a str, Mark)>,
    /// The values beside it, those that are shown.
    pub values: String,
    /// Whether anything of it is shown.
    pub is_shown: bool,
}

/// A value of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue<'a> {
    /// Name of the part.
    pub part: &'a str,
    /// Name of the variable, with its unit.
    pub variable: &'a str,
    /// The value.
    pub text: String,
}

/// Shows the states of one game in characters.
pub struct Mosaic {
    game: Arc<Game>,
    pictures: Pictures,
    marks: Vec<Mark>,
    /// The colours of the sprites where they are the ground.
    grounds: Vec<Color>,
    eyes: Eyes,
    view: View,
    lowest: i32,
}

impl std::fmt::Debug for Mosaic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mosaic").field("game", &self.game.spec.name).field("view", &self.view).finish()
    }
}

/// The edge of the drawing whose colours are looked at.
const SAMPLE: u32 = 24;

impl Mosaic {
    /// Prepares to show a game.
    ///
    /// # Errors
    /// A sprite that is no SVG.
    pub fn new(game: Arc<Game>, view: View) -> Result<Self, RenderError> {
        let pictures = Pictures::of(&game)?;
        let mut writer = Writer::new()?;
        let drawings: Vec<Bitmap> = pictures.sprites.iter().map(|source| source.draw(SAMPLE, &mut writer)).collect();
        let grounds = drawings.iter().map(ground).collect();
        let mut marks: Vec<Mark> = drawings
            .iter()
            .zip(&pictures.signs)
            .map(|(drawing, (glyph, color))| Mark {
                glyph: glyph.unwrap_or(NO_GLYPH),
                letter: NO_LETTER,
                color: color.unwrap_or_else(|| ink(drawing)),
            })
            .collect();
        let mut letters: Vec<char> =
            pictures.signs.iter().filter_map(|sign| sign.0).filter(char::is_ascii_graphic).collect();
        for picture in &pictures.all {
            for look in &picture.looks {
                let mark = look.sprite.and_then(|sprite| marks.get_mut(usize::from(sprite)));
                if let Some(mark) = mark.filter(|mark| mark.letter == NO_LETTER) {
                    mark.letter = letter(mark.glyph, &look.name, &picture.title, &letters);
                    mark.glyph = if mark.glyph == NO_GLYPH { mark.letter } else { mark.glyph };
                    letters.push(mark.letter);
                }
            }
        }
        let eyes = Eyes::of(&game, &pictures);
        let lowest = pictures.all.iter().filter(|p| !matches!(p.spot, Spot::Strip)).map(|p| p.layer).min();
        Ok(Self { game, pictures, marks, grounds, eyes, view, lowest: lowest.unwrap_or(0) })
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Who looks.
    pub fn view(&self) -> View {
        self.view
    }

    fn mark(&self, sprite: u16) -> Mark {
        self.marks.get(usize::from(sprite)).copied().unwrap_or(Mark {
            glyph: NO_GLYPH,
            letter: NO_LETTER,
            color: [0x80; 3],
        })
    }

    /// The tiles of a field: tile (x, y) is at `x · width + y`.
    pub fn tiles(&self, field: usize, state: &State) -> Vec<Tile<'_>> {
        let Some(info) = self.game.fields.get(field) else { return Vec::new() };
        let (length, width) = (info.length, info.width);
        let reader = self.game.reader(state);
        let is_limited = self.view == View::Learner;
        let mut tiles = vec![Tile::default(); length * width];
        // Parts of the farm that have a place have it in the first field.
        for (rank, picture) in self.pictures.all.iter().enumerate().filter(|(_, p)| p.field.unwrap_or(0) == field) {
            let is_ground = picture.layer == self.lowest;
            let mut put = |x: usize, y: usize, index: usize| {
                let look = picture.look(&reader, index);
                let Some((look, sprite)) = look.and_then(|look| Some((look, look.sprite?))) else { return };
                if x >= length || y >= width {
                    return;
                }
                if is_limited && !self.eyes.see(&self.game, state, (rank, picture), index, (x, y)) {
                    return;
                }
                let mut mark = self.mark(sprite);
                if let Some(color) = self.grounds.get(usize::from(sprite)).filter(|_| is_ground) {
                    mark.color = *color;
                }
                let thing = Thing { title: &picture.title, name: &look.name, mark, is_ground };
                let stands_in = |sprite: u16| self.pictures.labels.get(usize::from(sprite)).is_some_and(|label| *label);
                let tile = &mut tiles[x * width + y];
                // What stands in for something gives way to what is drawn over it.
                if let Some(last) = tile.things.last()
                    && self.stand_ins().any(|mark| mark == last.mark)
                    && !stands_in(sprite)
                {
                    tile.things.pop();
                }
                tile.things.push(thing);
            };
            places(picture, (length, width), &reader, &mut put);
        }
        if is_limited {
            for x in 0..length {
                for y in 0..width {
                    tiles[x * width + y].is_veiled = !self.eyes.reach(field, (x, y), &reader);
                }
            }
        }
        tiles
    }

    fn stand_ins(&self) -> impl Iterator<Item = Mark> {
        let labels = self.pictures.labels.iter().zip(&self.marks);
        labels.filter(|(is_label, _)| **is_label).map(|(_, mark)| *mark)
    }

    /// Where somebody with a place stands: the field, x and y.
    pub fn position(&self, state: &State) -> Option<(usize, usize, usize)> {
        let reader = self.game.reader(state);
        self.pictures.all.iter().find_map(|picture| {
            let Spot::Position { at } = picture.spot else { return None };
            let (x, y) = (at.get(&reader, 0)?, at.get(&reader, 1)?);
            Some((picture.field.unwrap_or(0), x.max(0.0) as usize, y.max(0.0) as usize))
        })
    }

    /// The strips of all fields and of the farm.
    pub fn strips(&self, state: &State) -> Vec<StripItem<'_>> {
        let reader = self.game.reader(state);
        let is_limited = self.view == View::Learner;
        let strips = self.pictures.all.iter().enumerate().filter(|(_, picture)| matches!(picture.spot, Spot::Strip));
        let item = |(rank, picture): (usize, &'_ Compiled)| {
            let seen = (rank, picture);
            let shown = picture
                .written
                .iter()
                .filter(|written| !is_limited || self.eyes.see_variable(&self.game, state, seen, &written.variable));
            let values = shown.map(|written| written.text(&reader)).collect::<Vec<_>>().join("  ");
            let has_look = !is_limited || self.eyes.see(&self.game, state, seen, 0, (0, 0));
            (values, has_look)
        };
        strips
            .map(|(rank, picture)| {
                let (values, has_look) = item((rank, picture));
                let look = picture.look(&reader, 0).filter(|_| has_look);
                let look = look.and_then(|look| Some((look.name.as_str(), self.mark(look.sprite?))));
                let is_shown = has_look || !values.is_empty();
                StripItem { field: picture.field, title: &picture.title, look, values, is_shown }
            })
            .collect()
    }

    /// What the marks mean, in groups by what is shown.
    pub fn legend(&self) -> Vec<(&str, Vec<(&str, Mark)>)> {
        let mut groups: Vec<(&str, Vec<(&str, Mark)>)> = Vec::new();
        for picture in &self.pictures.all {
            for look in picture.looks.iter().filter(|look| !look.name.is_empty()) {
                let Some(sprite) = look.sprite else { continue };
                let entry = (look.name.as_str(), self.mark(sprite));
                match groups.iter_mut().find(|(title, _)| *title == picture.title) {
                    Some((_, entries)) if entries.contains(&entry) => {}
                    Some((_, entries)) => entries.push(entry),
                    None => groups.push((&picture.title, vec![entry])),
                }
            }
        }
        groups
    }

    /// The values of a plot: those that the learner is shown, or all of them, hidden ones included.
    pub fn plot_values(&self, field: usize, plot: (usize, usize), state: &State) -> Vec<NamedValue<'_>> {
        let Some(info) = self.game.fields.get(field) else { return Vec::new() };
        let index = plot.0 * info.width + plot.1;
        let reader = self.game.reader(state);
        let parts = self.game.parts.iter().enumerate().filter(|(_, part)| part.field == Some(field));
        let variables =
            parts.flat_map(|(p, part)| part.variables.iter().enumerate().map(move |(v, info)| (p, part, v, info)));
        let shown = variables.filter(|(p, _, v, variable)| {
            variable.per_plot
                && (self.view == View::Everything
                    || variable.visible && self.eyes.see_value(&self.game, state, (*p, *v), (field, index, plot)))
        });
        shown
            .filter_map(|(_, part, _, variable)| {
                let value = Values::of(variable)?.get(&reader, index)?;
                Some(NamedValue { part: &part.name, variable: &variable.name, text: word(variable, index, value) })
            })
            .collect()
    }

    /// All variables that are not of plots, hidden ones included, as far as they are short enough to be read.
    pub fn farm_values(&self, state: &State) -> Vec<NamedValue<'_>> {
        let reader = self.game.reader(state);
        let all = self.game.parts.iter().flat_map(|part| part.variables.iter().map(move |variable| (part, variable)));
        let short = all.filter(|(_, variable)| !variable.per_plot && (1..=MOST_LISTED).contains(&variable.len()));
        short
            .filter_map(|(part, variable)| {
                let values = Values::of(variable)?;
                let words = (0..variable.len()).filter_map(|i| Some(word(variable, i, values.get(&reader, i)?)));
                let text = words.collect::<Vec<_>>().join(" ");
                Some(NamedValue { part: &part.name, variable: &variable.name, text })
            })
            .collect()
    }

    /// Whether whoever looks may be told of an event: the learner is, where a picture of the part is shown at the event's place
    /// after the step, as [`View::Learner`] draws it. A thing that is nowhere any more was where it was before. What the farmer
    /// and the score tell is always told; of a part whose pictures look at nothing, nothing is.
    pub fn tells(&self, (before, after): (&State, &State), part: usize, index: usize) -> bool {
        let is_farms = self.game.parts.get(part).is_none_or(|part| part.field.is_none());
        if self.view == View::Everything || is_farms {
            return true;
        }
        let own = self.pictures.all.iter().enumerate().filter(|(_, picture)| picture.part == part);
        own.into_iter().any(|(rank, picture)| {
            let place = self.place(picture, index, after).or_else(|| self.place(picture, index, before));
            let decides = !picture.variables.is_empty() || matches!(picture.spot, Spot::Things { .. });
            let Some(place) = place.filter(|_| decides) else { return false };
            self.eyes.see(&self.game, after, (rank, picture), index, place)
        })
    }

    /// The plot on which a picture shows the value at an index; none if it is nowhere.
    fn place(&self, picture: &Compiled, index: usize, state: &State) -> Option<(usize, usize)> {
        let info = self.game.fields.get(picture.field?)?;
        if matches!(picture.spot, Spot::Strip) {
            return Some((0, 0));
        }
        let mut found = None;
        places(picture, (info.length, info.width), &self.game.reader(state), &mut |x, y, at| {
            if at == index && x < info.length && y < info.width {
                found = Some((x, y));
            }
        });
        found
    }
}

/// Variables with more values than this are not listed.
const MOST_LISTED: usize = 8;
/// The characters of what has neither a glyph nor a name.
const NO_LETTER: char = '?';
const NO_GLYPH: char = '\u{25a1}';

fn word(variable: &farm_core::declare::VariableInfo, index: usize, value: f64) -> String {
    match variable.kind.labels(index) {
        Some(labels) => labels.name(value as usize),
        None if value != 0.0 && value.abs() < 0.1 => format!("{value:.2e}"),
        None => number(value),
    }
}

/// The glyph if it is plain; otherwise a letter of what a look shows or of its picture's title that nothing else has, or any such.
fn letter(glyph: char, name: &str, title: &str, taken: &[char]) -> char {
    if glyph.is_ascii_graphic() {
        return glyph;
    }
    let own = || name.chars().chain(title.chars()).filter(char::is_ascii_alphanumeric);
    let first = own().next().map(|c| c.to_ascii_uppercase());
    let candidates =
        own().map(|c| c.to_ascii_uppercase()).chain(own().map(|c| c.to_ascii_lowercase())).chain('0'..='9');
    candidates.into_iter().find(|c| !taken.contains(c)).or(first).unwrap_or(NO_LETTER)
}

/// The mean of the pixels of a drawing that count, each weighed.
fn mean(bitmap: &Bitmap, weigh: impl Fn([f64; 3]) -> f64) -> Option<Color> {
    let mut sums = [0.0_f64; 3];
    let mut total = 0.0;
    for [r, g, b, opacity] in &bitmap.pixels {
        let channels = [r, g, b].map(|c| f64::from(*c));
        let weight = f64::from(*opacity) / 255.0 * weigh(channels);
        sums.iter_mut().zip(channels).for_each(|(sum, c)| *sum += weight * c);
        total += weight;
    }
    (total > LEAST_INK * bitmap.pixels.len() as f64).then(|| sums.map(|sum| (sum / total) as u8))
}

/// The share of a drawing that must have a colour for it to be the drawing's.
const LEAST_INK: f64 = 1e-3;
/// Colours that differ by less than this in all are those of the ground of a drawing that fills its plot.
const LIKE_GROUND: f64 = 90.0;

/// The colour of a drawing as a ground.
fn ground(bitmap: &Bitmap) -> Color {
    mean(bitmap, |_| 1.0).unwrap_or([0x80; 3])
}

/// The colour that a drawing is remembered by: colourful and light pixels weigh more than lines and shadows, and where the drawing
/// fills its plot, the colour at its border does not count.
fn ink(bitmap: &Bitmap) -> Color {
    let border = |i: usize| {
        let (x, y) = (i % bitmap.width.max(1), i / bitmap.width.max(1));
        x == 0 || y == 0 || x + 1 == bitmap.width || y + 1 == bitmap.height
    };
    let at_border: Vec<[u8; 4]> =
        bitmap.pixels.iter().enumerate().filter(|(i, _)| border(*i)).map(|(_, p)| *p).collect();
    let is_full = !at_border.is_empty() && at_border.iter().all(|pixel| pixel[3] > 0xf0);
    let around = [0, 1, 2]
        .map(|c| at_border.iter().map(|pixel| f64::from(pixel[c])).sum::<f64>() / at_border.len().max(1) as f64);
    let weigh = |channels: [f64; 3]| {
        let (most, least) = channels.iter().fold((0.0_f64, 255.0_f64), |(m, l), c| (m.max(*c), l.min(*c)));
        let difference: f64 = channels.iter().zip(around).map(|(c, around)| (c - around).abs()).sum();
        let is_ground = is_full && difference < LIKE_GROUND;
        let saturation = (most - least) / most.max(1.0);
        if is_ground { 0.0 } else { (0.01 + saturation.powi(3)) * (most / 255.0).powi(2) }
    };
    mean(bitmap, weigh).unwrap_or_else(|| ground(bitmap))
}
