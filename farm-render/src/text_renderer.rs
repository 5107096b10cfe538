//! A game as characters, for terminals: the content of tiles and status bars, in full or as the learner sees it.
//!
//! Each sprite has a character: the character that it sets (`data-glyph`), or a letter from its name. It also has a colour: the colour that
//! it sets (`data-color`), or the colour of its drawing.

use std::sync::{Arc, Mutex, PoisonError};

use farm_core::declare::{Labels as ValueNames, PartInfo, VariableInfo};
use farm_core::inspect::format_number;
use farm_core::labels::{LITRES, Label, Labels, Language};
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

/// A sprite's appearance in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The character.
    pub glyph: char,
    /// An ASCII replacement, for terminals that have no other characters.
    pub letter: char,
    /// Its colour.
    pub color: Color,
}

/// A thing on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing<'a> {
    /// The title of its picture.
    pub title: &'a str,
    /// The name of its sprite rule, in one or two words; may be empty.
    pub name: &'a str,
    /// Its appearance.
    pub mark: Mark,
    /// Whether it is the ground below other things.
    pub is_ground: bool,
    /// Its index in [`TextRenderer::bitmaps`].
    pub sprite: u16,
}

/// A tile in a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tile<'a> {
    /// The things on it, from the lowest layer to the highest.
    pub things: Vec<Thing<'a>>,
    /// Whether it is outside the view of a farmer with a window.
    pub is_veiled: bool,
}

/// An item in a status bar, for a field or for the farm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusBarItem<'a> {
    /// The field; none for the farm's own parts.
    pub field: Option<usize>,
    /// Its title.
    pub title: &'a str,
    /// The name and the appearance of its current sprite rule; none if not shown.
    pub rule: Option<(&'a str, Mark)>,
    /// The values that it shows.
    pub values: String,
    /// Whether its appearance or a value is shown.
    pub is_shown: bool,
}

/// One of a part's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue<'a> {
    /// Name of the part.
    pub part: &'a str,
    /// Name of the variable, with its unit.
    pub variable: &'a str,
    /// The value.
    pub text: String,
    /// The part's name for people.
    pub part_label: String,
    /// The variable's name for people, with the unit of `shown`.
    pub label: Label,
    /// The value in a form for people: plot water in millimetres, days of the year as dates, and words for named values.
    pub shown: String,
}

/// Shows the states of one game as characters.
pub struct TextRenderer {
    game: Arc<Game>,
    pictures: Pictures,
    marks: Vec<Mark>,
    /// The colour of each sprite when it is the ground.
    grounds: Vec<Color>,
    /// The values that the learner can see, if only the learner's view is shown.
    seen: Option<Visibility>,
    /// The values that the learner can see, in every view.
    observed: Visibility,
    /// The variables that are read during waits.
    watched: Vec<Watched>,
    lowest: i32,
    labels: &'static Labels,
    /// The sprites drawn last, and their size.
    bitmaps: Mutex<(u32, Arc<Vec<Bitmap>>)>,
}

impl std::fmt::Debug for TextRenderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextRenderer").field("game", &self.game.spec().name()).field("view", &self.view()).finish()
    }
}

/// Edge of the drawings that supply the colours.
const SAMPLE: u32 = 24;

impl TextRenderer {
    /// Creates a text renderer for a game.
    ///
    /// # Errors
    /// A sprite is not an SVG.
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
            labels: Labels::of(Language::English),
            bitmaps: Mutex::default(),
        };
        text_renderer.watched = text_renderer.all_watched();
        Ok(text_renderer)
    }

    /// The same renderer with another language's labels.
    #[must_use]
    pub fn with_labels(mut self, labels: &'static Labels) -> Self {
        self.labels = labels;
        self.watched = self.all_watched();
        self
    }

    /// The labels that it uses.
    pub fn labels(&self) -> &'static Labels {
        self.labels
    }

    /// The variables that a learner may read during waits. A field that is seen only through a window provides none.
    fn all_watched(&self) -> Vec<Watched> {
        let is_whole = |part: &PartInfo| part.field().is_some_and(|field| !self.observed.is_relative(field));
        let all = self.variables(|part, _| is_whole(part));
        all.filter(|(.., values)| self.observed.sees(*values))
            .filter_map(|(part, variable, values)| watched(&self.game, self.labels, part, variable, values))
            .collect()
    }

    /// The sprites as squares of this size, for terminals that show pixels. The sprites are redrawn when the size changes.
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

    /// The learner's observation of a state.
    pub(crate) fn learners_sight<'a>(&'a self, state: &'a State) -> Sight<'a> {
        Sight::of(&self.game, Some(&self.observed), state)
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The view.
    pub fn view(&self) -> View {
        if self.seen.is_some() { View::Learner } else { View::Everything }
    }

    /// The number of columns and rows shown for a field.
    pub fn size(&self, field: usize) -> (usize, usize) {
        let whole = self.game.fields().get(field).map_or((0, 0), |info| (info.length(), info.width()));
        self.seen.as_ref().map_or(whole, |seen| seen.size(field))
    }

    /// Whether a field is shown as the window of a farmer whose position is not observed. Tiles are then counted from the window's
    /// north-west corner.
    pub fn is_window(&self, field: usize) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.is_relative(field))
    }

    /// The index of the plot at one of a field's shown tiles, for actions that name a plot; none beyond the border.
    pub fn plot_at(&self, field: usize, tile: (usize, usize), state: &State) -> Option<usize> {
        let info = self.game.fields().get(field)?;
        let (mut x, mut y) = tile;
        if self.is_window(field) {
            // The player may point at a tile of the window, although its position is not observed.
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

    /// A field's shown tiles. Tile (x, y) is at index `x · width + y`, with the width from [`TextRenderer::size`].
    pub fn tiles(&self, field: usize, state: &State) -> Vec<Tile<'_>> {
        let (length, width) = self.size(field);
        let sight = self.sight(state);
        let mut tiles = vec![Tile::default(); length * width];
        // Parts of the farm with a position are in the first field.
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
                // A label is hidden under other sprites.
                if let Some(last) = tile.things.last()
                    && self.stand_ins().any(|mark| mark == last.mark)
                    && !stands_in(sprite)
                {
                    tile.things.pop();
                }
                // Two parts may show the same sprite on a seen tile.
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

    /// A farmer's shown position: the field, x and y.
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

    /// The status bars of all fields and of the farm.
    pub fn status_bars(&self, state: &State) -> Vec<StatusBarItem<'_>> {
        let sight = self.sight(state);
        let status_bars =
            self.pictures.all.iter().filter(|picture| matches!(picture.resolved_place, ResolvedPlace::StatusBar));
        let item = |picture: &'_ crate::compiled::CompiledPicture| {
            let values: Vec<String> =
                picture.written.iter().filter_map(|written| written.text(&sight, self.labels)).collect();
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

    /// The names of the marks, grouped by picture title.
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

    /// The values of the plot at a shown tile: the observed values in the learner's view, otherwise all values.
    pub fn plot_values(&self, field: usize, tile: (usize, usize), state: &State) -> Vec<NamedValue<'_>> {
        let (_, width) = self.size(field);
        let sight = self.sight(state);
        self.variables(|part, variable| part.field() == Some(field) && variable.per_plot())
            .filter_map(|(part, variable, values)| {
                let value = sight.at_plot(values, field, width, tile)?;
                Some(self.named(part, variable, &[(tile.0 * width + tile.1, value)]))
            })
            .collect()
    }

    /// All variables outside plots that have at most 8 values, including those that are not observed.
    pub fn farm_values(&self, state: &State) -> Vec<NamedValue<'_>> {
        let reader = self.game.reader(state);
        self.variables(|_, variable| !variable.per_plot() && (1..=MAX_LISTED).contains(&variable.len()))
            .map(|(part, variable, values)| {
                let read: Vec<(usize, f64)> =
                    (0..variable.len()).filter_map(|i| Some((i, values.read(&reader, i)?))).collect();
                self.named(part, variable, &read)
            })
            .collect()
    }

    /// A variable's values, each with its place, for programs and for people.
    fn named<'a>(&'a self, part: &'a PartInfo, variable: &'a VariableInfo, values: &[(usize, f64)]) -> NamedValue<'a> {
        let joined = |words: Vec<String>| words.join(" ");
        let text = joined(values.iter().map(|(i, value)| word(variable, *i, *value)).collect());
        let mut label = self.labels.variable(part.kind(), variable.name());
        let field = part.field().and_then(|field| self.game.fields().get(field));
        let area = field.filter(|_| variable.per_plot() && label.unit == LITRES).map(|field| field.plot_area_m2());
        let shown = match (area, values) {
            (Some(area), values) => {
                label.unit = "mm".to_owned();
                joined(values.iter().map(|(_, value)| number(value / area)).collect())
                    + &self.water_limits(part, variable, area)
            }
            (None, [(_, day)]) if variable.name().ends_with("#int365") => self.labels.date(day.max(0.0) as u32),
            (None, values) => {
                let shown = |(i, value): &(usize, f64)| {
                    self.labels.value(variable.name(), &word(variable, *i, *value)).into_owned()
                };
                joined(values.iter().map(shown).collect())
            }
        };
        NamedValue {
            part: part.name(),
            variable: variable.name(),
            text,
            part_label: self.labels.part(&self.game, part),
            label,
            shown,
        }
    }

    /// The limits between which plants can use the soil's water; they are printed after the current amount.
    fn water_limits(&self, part: &PartInfo, variable: &VariableInfo, area: f64) -> String {
        if !variable.roles().contains(&"soil_water") {
            return String::new();
        }
        let limit = |role: &str, words: &str| {
            let limit = part.variables().iter().find(|other| other.roles().contains(&role))?;
            Some(format!("{} {}", self.labels.words(words), format_number((limit.default() / area).round())))
        };
        let limits = [limit("wilting_water", "wilting"), limit("water_capacity", "field capacity")];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        if limits.is_empty() { String::new() } else { format!(" ({})", limits.join(", ")) }
    }

    /// The changes in named plot values, such as a plant's stage, between two states in which both values are shown.
    pub fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        let sights = (self.sight(before), self.sight(after));
        let mut changes = Vec::new();
        for field in (0..self.game.fields().len()).filter(|field| !self.is_window(*field)) {
            let is_named = |variable: &VariableInfo| matches!(variable.kind().labels(0), Some(ValueNames::Named(_)));
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

    /// The variables that satisfy a condition, each with its part.
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

/// A change in one of a plot's named values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path of the part.
    pub part: String,
    /// Name of the variable.
    pub variable: String,
    /// The plot, x and y.
    pub plot: (usize, usize),
    /// The old and the new value.
    pub words: [String; 2],
}

/// Maximum number of values in a variable that is listed.
const MAX_LISTED: usize = 8;
/// The character for things that have neither a glyph nor a name.
const NO_LETTER: char = '?';
const NO_GLYPH: char = '\u{25a1}';
/// The glyph for inconspicuous things, such as bare ground. Several sprites share it.
const NOTHING: char = '·';
/// Plain characters that look like glyphs.
const LIKE: [(char, char); 9] =
    [(NOTHING, '.'), ('▲', '^'), ('▼', 'v'), ('►', '>'), ('◄', '<'), ('≈', '~'), ('◦', 'o'), ('●', '@'), ('†', '+')];

fn word(variable: &VariableInfo, index: usize, value: f64) -> String {
    match variable.kind().labels(index) {
        Some(labels) => labels.name(value as usize),
        None if value != 0.0 && value.abs() < 0.001 => format!("{value:.1e}"),
        None if value != 0.0 && value.abs() < 0.1 => format!("{value:.3}"),
        None => number(value),
    }
}

/// The glyph if it is ASCII. Otherwise a free letter from the sprite's name or its picture's title, a free digit, or the first letter.
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

/// The weighted mean colour of a drawing; none if the weights are too small.
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

/// Minimum weight for a mean colour, as a share of the pixels.
const LEAST_INK: f64 = 1e-3;
/// For a drawing that fills its plot, the maximum difference between a colour and the ground, summed over channels.
const LIKE_GROUND: f64 = 90.0;

/// The colour of a drawing when it is the ground.
fn ground(bitmap: &Bitmap) -> Color {
    mean(bitmap, |_| 1.0).unwrap_or([0x80; 3])
}

/// The typical colour of a drawing. Colourful and light pixels weigh more than lines and shadows. If the drawing fills its plot, the
/// colour of its border does not count.
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
