//! A game in characters: what lies on each tile, what stands in the strips, what the learner is shown of it. For terminals.
//!
//! A look is shown by the character that its sprite names (`data-glyph`), or the first letter of what it shows, in the colour that
//! the sprite names (`data-color`), or that of its drawing.

use std::sync::{Arc, Mutex, PoisonError};

use farm_core::declare::{Labels, PartInfo, VariableInfo};
use farm_core::{Game, State};
use farm_output::{Bitmap, Color};

use crate::compile::Pictures;
use crate::compiled::ResolvedPlace;
use crate::error::RenderError;
use crate::layout::View;
use crate::passing::{Watched, watched};
use crate::text::Writer;
use crate::values::Values;
use crate::view::{Sight, Visibility};
use crate::written::number;

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
    /// Which of [`TextRenderer::bitmaps`] draws it.
    pub sprite: u16,
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
pub struct StatusBarItem<'a> {
    /// The field; none for the farm's own parts.
    pub field: Option<usize>,
    /// What it shows.
    pub title: &'a str,
    /// How it looks now, with a word for it; none if that is not shown.
    pub rule: Option<(&'a str, Mark)>,
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
pub struct TextRenderer {
    game: Arc<Game>,
    pictures: Pictures,
    marks: Vec<Mark>,
    /// The colours of the sprites where they are the ground.
    grounds: Vec<Color>,
    /// What the learner sees, where only that is shown.
    seen: Option<Visibility>,
    /// What the learner sees, whoever looks.
    observed: Visibility,
    /// What is read off while time passes.
    watched: Vec<Watched>,
    lowest: i32,
    /// The sprites as they were last drawn, and how large.
    bitmaps: Mutex<(u32, Arc<Vec<Bitmap>>)>,
}

impl std::fmt::Debug for TextRenderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextRenderer").field("game", &self.game.spec().name()).field("view", &self.view()).finish()
    }
}

/// The edge of the drawing whose colours are looked at.
const SAMPLE: u32 = 24;

impl TextRenderer {
    /// Prepares to show a game.
    ///
    /// # Errors
    /// A sprite that is not an SVG.
    pub fn new(game: Arc<Game>, view: View) -> Result<Self, RenderError> {
        let seen = (view == View::Learner).then(|| Visibility::of(&game));
        let pictures = Pictures::of(&game, seen.as_ref())?;
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
            for rule in &picture.sprite_rules {
                let mark = rule.sprite.and_then(|sprite| marks.get_mut(usize::from(sprite)));
                if let Some(mark) = mark.filter(|mark| mark.letter == NO_LETTER) {
                    mark.letter = letter(mark.glyph, &rule.name, &picture.title, &letters);
                    mark.glyph = if mark.glyph == NO_GLYPH { mark.letter } else { mark.glyph };
                    letters.push(mark.letter);
                }
            }
        }
        let lowest = pictures
            .all
            .iter()
            .filter(|p| !matches!(p.resolved_place, ResolvedPlace::StatusBar))
            .map(|p| p.layer)
            .min();
        let observed = Visibility::of(&game);
        let mut text_renderer = Self {
            game,
            pictures,
            marks,
            grounds,
            seen,
            observed,
            watched: Vec::new(),
            lowest: lowest.unwrap_or(0),
            bitmaps: Mutex::default(),
        };
        text_renderer.watched = text_renderer.all_watched();
        Ok(text_renderer)
    }

    /// What a learner may read off while time passes; nothing of a field of which only a window is seen.
    fn all_watched(&self) -> Vec<Watched> {
        let is_whole = |part: &PartInfo| part.field().is_some_and(|field| !self.observed.is_relative(field));
        let all = self.variables(|part, _| is_whole(part));
        all.filter(|(.., values)| self.observed.sees(*values))
            .filter_map(|(part, variable, values)| watched(part, variable, values))
            .collect()
    }

    /// The sprites in squares of so many pixels, for terminals that show pixels; drawn anew when the size changes.
    pub fn bitmaps(&self, side: u32) -> Arc<Vec<Bitmap>> {
        let mut kept = self.bitmaps.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0 != side
            && let Ok(mut writer) = Writer::new()
        {
            let drawn = self.pictures.sprites.iter().map(|source| source.draw(side, &mut writer)).collect();
            *kept = (side, Arc::new(drawn));
        }
        kept.1.clone()
    }

    pub(crate) fn watched(&self) -> &[Watched] {
        &self.watched
    }

    /// What the learner's observation of a state tells.
    pub(crate) fn learners_sight<'a>(&'a self, state: &'a State) -> Sight<'a> {
        Sight::of(&self.game, Some(&self.observed), state)
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Who looks.
    pub fn view(&self) -> View {
        if self.seen.is_some() { View::Learner } else { View::Everything }
    }

    /// Tiles of a field that are shown, from left to right and from top to bottom.
    pub fn size(&self, field: usize) -> (usize, usize) {
        let whole = self.game.fields().get(field).map_or((0, 0), |info| (info.length(), info.width()));
        self.seen.as_ref().map_or(whole, |seen| seen.size(field))
    }

    /// Whether what is shown of a field is the window of a farmer whose position is not observed: then tiles are counted from the
    /// window's north-west corner.
    pub fn is_window(&self, field: usize) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.is_relative(field))
    }

    /// The index of the plot at a tile that is shown of a field, for actions that name one; none beyond the border.
    pub fn plot_at(&self, field: usize, tile: (usize, usize), state: &State) -> Option<usize> {
        let info = self.game.fields().get(field)?;
        let (mut x, mut y) = tile;
        if self.is_window(field) {
            // Who points at a tile beside the farmer means it, although it is not told where that is.
            let whole = Sight::Everything(self.game.reader(state));
            let middle = |sight: &Sight<'_>| self.positions(sight).next().map(|(_, x, y)| (x, y));
            let ((from_x, from_y), (to_x, to_y)) = (middle(&self.sight(state))?, middle(&whole)?);
            (x, y) = ((to_x + x).checked_sub(from_x)?, (to_y + y).checked_sub(from_y)?);
        }
        (x < info.length() && y < info.width()).then_some(x * info.width() + y)
    }

    fn sight<'a>(&'a self, state: &'a State) -> Sight<'a> {
        Sight::of(&self.game, self.seen.as_ref(), state)
    }

    fn mark(&self, sprite: u16) -> Mark {
        self.marks.get(usize::from(sprite)).copied().unwrap_or(Mark {
            glyph: NO_GLYPH,
            letter: NO_LETTER,
            color: [0x80; 3],
        })
    }

    /// The tiles that are shown of a field: tile (x, y) is at `x · width + y`, with the width of [`TextRenderer::size`].
    pub fn tiles(&self, field: usize, state: &State) -> Vec<Tile<'_>> {
        let (length, width) = self.size(field);
        let sight = self.sight(state);
        let mut tiles = vec![Tile::default(); length * width];
        // Parts of the farm that have a place have it in the first field.
        for picture in self.pictures.all.iter().filter(|picture| picture.field.unwrap_or(0) == field) {
            let is_ground = picture.layer == self.lowest;
            picture.each(&sight, (length, width), &mut |x, y, rule| {
                let Some(sprite) = rule.sprite else { return };
                let mut mark = self.mark(sprite);
                if let Some(color) = self.grounds.get(usize::from(sprite)).filter(|_| is_ground) {
                    mark.color = *color;
                }
                let thing = Thing { title: &picture.title, name: &rule.name, mark, is_ground, sprite };
                let stands_in = |sprite: u16| self.pictures.labels.get(usize::from(sprite)).is_some_and(|label| *label);
                let tile = &mut tiles[x * width + y];
                // What stands in for something gives way to what is drawn over it.
                if let Some(last) = tile.things.last()
                    && self.stand_ins().any(|mark| mark == last.mark)
                    && !stands_in(sprite)
                {
                    tile.things.pop();
                }
                // Two parts may show the same on a seen tile.
                if tile.things.last() != Some(&thing) {
                    tile.things.push(thing);
                }
            });
        }
        for (i, tile) in tiles.iter_mut().enumerate() {
            tile.is_veiled = !sight.reaches(field, (i / width, i % width));
        }
        tiles
    }

    fn stand_ins(&self) -> impl Iterator<Item = Mark> {
        let labels = self.pictures.labels.iter().zip(&self.marks);
        labels.filter(|(is_label, _)| **is_label).map(|(_, mark)| *mark)
    }

    /// Where somebody with a place stands in what is shown: the field, x and y.
    pub fn position(&self, state: &State) -> Option<(usize, usize, usize)> {
        self.positions(&self.sight(state)).next()
    }

    fn positions(&self, sight: &Sight<'_>) -> impl Iterator<Item = (usize, usize, usize)> {
        self.pictures.all.iter().filter_map(move |picture| {
            let ResolvedPlace::Position { at } = picture.resolved_place else { return None };
            let (x, y) = sight.position(picture.part, at)?;
            Some((picture.field.unwrap_or(0), x, y))
        })
    }

    /// The strips of all fields and of the farm.
    pub fn status_bars(&self, state: &State) -> Vec<StatusBarItem<'_>> {
        let sight = self.sight(state);
        let status_bars =
            self.pictures.all.iter().filter(|picture| matches!(picture.resolved_place, ResolvedPlace::StatusBar));
        let item = |picture: &'_ crate::compiled::CompiledPicture| {
            let values: Vec<String> = picture.written.iter().filter_map(|written| written.text(&sight)).collect();
            (values.join("  "), picture.rule_at(&sight, 0).is_some() || self.seen.is_none())
        };
        status_bars
            .map(|picture| {
                let (values, has_look) = item(picture);
                let rule = picture.rule_at(&sight, 0);
                let rule = rule.and_then(|rule| Some((rule.name.as_str(), self.mark(rule.sprite?))));
                let is_shown = has_look || !values.is_empty();
                StatusBarItem { field: picture.field, title: &picture.title, rule, values, is_shown }
            })
            .collect()
    }

    /// What the marks mean, in groups by what is shown.
    pub fn legend(&self) -> Vec<(&str, Vec<(&str, Mark)>)> {
        let mut groups: Vec<(&str, Vec<(&str, Mark)>)> = Vec::new();
        for picture in &self.pictures.all {
            for rule in picture.sprite_rules.iter().filter(|rule| !rule.name.is_empty()) {
                let Some(sprite) = rule.sprite else { continue };
                let entry = (rule.name.as_str(), self.mark(sprite));
                match groups.iter_mut().find(|(title, _)| *title == picture.title) {
                    Some((_, entries)) if entries.contains(&entry) => {}
                    Some((_, entries)) => entries.push(entry),
                    None => groups.push((&picture.title, vec![entry])),
                }
            }
        }
        groups
    }

    /// The values of the plot at a tile that is shown: those that the learner sees, or all of them, hidden ones included.
    pub fn plot_values(&self, field: usize, tile: (usize, usize), state: &State) -> Vec<NamedValue<'_>> {
        let (_, width) = self.size(field);
        let sight = self.sight(state);
        self.variables(|part, variable| part.field() == Some(field) && variable.per_plot())
            .filter_map(|(part, variable, values)| {
                let value = sight.at_plot(values, field, width, tile)?;
                let text = word(variable, tile.0 * width + tile.1, value);
                Some(NamedValue { part: part.name(), variable: variable.name(), text })
            })
            .collect()
    }

    /// All variables that are not of plots, hidden ones included, as far as they are short enough to be read.
    pub fn farm_values(&self, state: &State) -> Vec<NamedValue<'_>> {
        let reader = self.game.reader(state);
        self.variables(|_, variable| !variable.per_plot() && (1..=MAX_LISTED).contains(&variable.len()))
            .map(|(part, variable, values)| {
                let words = (0..variable.len()).filter_map(|i| Some(word(variable, i, values.read(&reader, i)?)));
                let text = words.collect::<Vec<_>>().join(" ");
                NamedValue { part: part.name(), variable: variable.name(), text }
            })
            .collect()
    }

    /// What has changed between two states of named values of plots that are shown in both: such as the stage of a plant.
    pub fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        let sights = (self.sight(before), self.sight(after));
        let mut changes = Vec::new();
        for field in (0..self.game.fields().len()).filter(|field| !self.is_window(*field)) {
            let is_named = |variable: &VariableInfo| matches!(variable.kind().labels(0), Some(Labels::Named(_)));
            for (part, variable, values) in self
                .variables(|part, variable| part.field() == Some(field) && variable.per_plot() && is_named(variable))
            {
                let (length, width) = self.size(field);
                for plot in 0..length * width {
                    let value = |sight: &Sight<'_>| sight.at_plot(values, field, width, (plot / width, plot % width));
                    let Some((from, to)) = value(&sights.0).zip(value(&sights.1)).filter(|(from, to)| from != to)
                    else {
                        continue;
                    };
                    let words = [from, to].map(|value| word(variable, plot, value));
                    let (part, variable) = (part.path().to_owned(), variable.name().to_owned());
                    changes.push(Change { part, variable, plot: (plot / width, plot % width), words });
                }
            }
        }
        changes
    }

    /// The variables for which something holds, each with its part.
    fn variables(
        &self,
        wanted: impl Fn(&PartInfo, &VariableInfo) -> bool,
    ) -> impl Iterator<Item = (&PartInfo, &VariableInfo, Values)> {
        let parts = self.game.parts().iter().enumerate();
        let all =
            parts.flat_map(|(p, part)| part.variables().iter().enumerate().map(move |(v, info)| (p, part, v, info)));
        let values = |(p, part, v, info)| Some((part, info, Values::of(p, v, info)?));
        all.filter(move |(_, part, _, info)| wanted(part, info)).filter_map(values)
    }
}

/// A named value of a plot that has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path of the part.
    pub part: String,
    /// Name of the variable.
    pub variable: String,
    /// The plot, x and y.
    pub plot: (usize, usize),
    /// What it was, and what it is now.
    pub words: [String; 2],
}

/// Variables with more values than this are not listed.
const MAX_LISTED: usize = 8;
/// The characters of what has neither a glyph nor a name.
const NO_LETTER: char = '?';
const NO_GLYPH: char = '\u{25a1}';
/// The glyph of what is hardly there, such as bare ground; several looks share it.
const NOTHING: char = '·';
/// Plain characters that look like glyphs.
const LIKE: [(char, char); 9] =
    [(NOTHING, '.'), ('▲', '^'), ('▼', 'v'), ('►', '>'), ('◄', '<'), ('≈', '~'), ('◦', 'o'), ('●', '@'), ('†', '+')];

fn word(variable: &VariableInfo, index: usize, value: f64) -> String {
    match variable.kind().labels(index) {
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
    if let Some((_, like)) = LIKE.iter().find(|(own, like)| *own == glyph && (*own == NOTHING || !taken.contains(like)))
    {
        return *like;
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
