//! The legend: rows below the fields, which name the signs in a picture.

use std::collections::BTreeSet;

use farm_output::Rect;
use farm_plot::Weight;

use crate::canvas::{Canvas, Fit, Lay};
use crate::compile::Pictures;
use crate::compiled::ResolvedPlace;
use crate::layout::GAP;
use crate::palette::{BARE, INK, SMALL};
use crate::text::Writer;

/// The signs that the legend lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Legend {
    /// No legend.
    #[default]
    None,
    /// The signs on the picture.
    Used,
    /// All signs of the game.
    All,
}

impl std::str::FromStr for Legend {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self::None),
            "used" => Ok(Self::Used),
            "all" => Ok(Self::All),
            _ => Err(format!("`{text}` is not a legend: none, used or all")),
        }
    }
}

/// Size of an icon, height of a row, and the space between entries.
const ICON: i32 = 22;
const ROW: i32 = 27;
const BETWEEN: i32 = 18;

/// A sign and its name.
struct Entry {
    sprite: u16,
    text: String,
}

/// Each named sign once, with its picture's title: all signs, or only the signs in `used`. A legend of used signs leaves out the status
/// bar, because it prints its own names.
fn entries(pictures: &Pictures, used: Option<&BTreeSet<u16>>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for picture in &pictures.all {
        if used.is_some() && matches!(picture.resolved_place, ResolvedPlace::StatusBar) {
            continue;
        }
        for rule in &picture.sprite_rules {
            let Some(sprite) = rule.sprite.filter(|_| !rule.name.is_empty()) else { continue };
            if used.is_some_and(|used| !used.contains(&sprite)) {
                continue;
            }
            let title = capitalised(&picture.title);
            let text = match title.to_lowercase() == rule.name.to_lowercase() {
                true => title,
                false => format!("{title}: {}", rule.name),
            };
            if !entries.iter().any(|entry| entry.sprite == sprite && entry.text == text) {
                entries.push(Entry { sprite, text });
            }
        }
    }
    entries
}

/// The positions of a legend's entries, and the legend's height.
fn places(entries: &[Entry], writer: &mut Writer, width: i32) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut y) = (0, 0);
    let places = entries.iter().map(|entry| {
        let needed = ICON + 6 + writer.width(&entry.text, SMALL, Weight::Regular);
        if x > 0 && x + needed > width {
            (x, y) = (0, y + ROW);
        }
        let place = (x, y);
        x += needed + BETWEEN;
        place
    });
    let places: Vec<(i32, i32)> = places.collect();
    let height = places.last().map_or(0, |(_, y)| y + ROW + GAP);
    (places, height)
}

/// A legend whose entries have positions.
pub(crate) struct PlacedLegend {
    entries: Vec<Entry>,
    places: Vec<(i32, i32)>,
    /// Its height; 0 if it is empty.
    pub height: i32,
}

impl PlacedLegend {
    /// Creates the legend for all signs, or for the used signs.
    pub(crate) fn new(pictures: &Pictures, used: Option<&BTreeSet<u16>>, writer: &mut Writer, width: i32) -> Self {
        let entries = entries(pictures, used);
        let (places, height) = places(&entries, writer, width);
        Self { entries, places, height }
    }

    /// Draws the legend with its top left corner at a position.
    pub(crate) fn draw(&self, pictures: &Pictures, canvas: &mut dyn Canvas, corner: (i32, i32)) {
        for (entry, (x, y)) in self.entries.iter().zip(&self.places) {
            let (x, y) = (corner.0 + x, corner.1 + y);
            if let Some(source) = pictures.sprites.get(usize::from(entry.sprite)) {
                let at = Rect::new(x, y, ICON, ICON);
                canvas.fill(at, BARE);
                canvas.sprite(at, Lay::as_written(entry.sprite), source, Fit::Icon);
            }
            canvas.write((x + ICON + 6, y + 16), SMALL, Weight::Regular, INK, &entry.text);
        }
    }
}

/// The text with its first letter capitalised.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
