//! How a part is drawn: which sprite stands where for which values of its variables.
//!
//! A part declares its pictures beside its variables, with [`crate::Builder::picture`]. The engine only keeps the declarations;
//! whoever draws reads them from [`crate::declare::PartInfo`]. They cost nothing in a step.
//!
//! A [`Picture`] says where it is drawn ([`Place`]) and has looks in order: the first whose condition holds is drawn. A sprite is
//! an SVG whose square view box is one plot.

use std::borrow::Cow;

/// Where a picture is drawn. This, [`Condition`], [`Sprite`] and [`Shown`] are matched without a `_`, so that each renderer is asked
/// about what is new. Variables are named as they were declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// On each plot of the field; the conditions look at the value of that plot.
    Plots,
    /// On the tiles of single things. The variable `at` holds for each thing the index of its tile in a map with rows of `columns`
    /// tiles, `margin` of which lie outside the field on each side; an index in the margin is nowhere. The conditions look at the
    /// thing's own value.
    Things {
        /// The variable with the index of each thing's tile.
        at: String,
        /// Tiles in a row of the map, margin included.
        columns: usize,
        /// Tiles of the map outside the field, on each side.
        margin: usize,
    },
    /// On every tile of a map: variables of shape (rows, columns, depth), of which the first along the last axis counts.
    Map {
        /// Tiles of the map outside the field, on each side.
        margin: usize,
    },
    /// On the tiles of a window of which names are observed ([`Shown::Names`]); the conditions look at these names. It is drawn where
    /// only what the learner sees is drawn, in place of [`Place::Things`] and [`Place::Map`], whose variables he does not see.
    SeenTiles,
    /// Where a variable with two values, x and y, says.
    Position {
        /// The variable with x and y.
        at: String,
    },
    /// Once, in the strip beside the name of the field, or of the game for parts without a field.
    StatusBar,
}

/// When a look is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Always.
    Always,
    /// Where a variable lies in a closed range; categories and flags count by number.
    Within {
        /// The variable.
        variable: String,
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
    },
    /// Where a variable has the value of a name.
    Label {
        /// The variable.
        variable: String,
        /// The name of the value.
        label: String,
    },
    /// Where the names that are observed of a tile begin with these, in the order of the observation: such as terrain and status, or
    /// the terrain alone.
    Names(Vec<String>),
}

impl Condition {
    /// The variable it looks at.
    pub fn variable(&self) -> Option<&str> {
        match self {
            Self::Always | Self::Names(_) => None,
            Self::Within { variable, .. } | Self::Label { variable, .. } => Some(variable),
        }
    }
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sprite {
    /// Nothing.
    Nothing,
    /// The text of an SVG whose square view box is one plot; text elements in it are not drawn. The attribute `data-glyph` of its
    /// root is the character that stands for it in a terminal, and `data-color` its colour.
    ///
    /// A group with `data-joins="north" display="none"` (or `east`, `south`, `west`) is drawn where the plot on that side has the same
    /// sprite, one with `data-joins="any" display="none"` where one of them has, and one with `data-joins="none"` where none has. Of groups with `data-variant="0"`,
    /// `data-variant="1" display="none"` and so on, each plot has one.
    Svg(Cow<'static, str>),
    /// A plain tile with a few letters of a name, for what has no sprite of its own.
    Label(String),
}

impl Sprite {
    /// The sprite of an SVG, or the labelled tile where there is none.
    pub fn or_label(svg: Option<&'static str>, label: &str) -> Self {
        svg.map_or_else(|| Self::Label(label.to_owned()), |svg| Self::Svg(Cow::Borrowed(svg)))
    }

    /// The character that stands for it in a terminal, if it names one: the value of `data-glyph` at the root of its SVG.
    pub fn glyph(&self) -> Option<char> {
        let glyph = self.root_attribute("data-glyph=")?.chars().next();
        glyph.filter(|glyph| !glyph.is_control() && !matches!(glyph, '&' | ' '))
    }

    /// The colour of that character, red, green and blue, if it names one: the value of `data-color` at the root of its SVG, such as
    /// `#ff8000`.
    pub fn color(&self) -> Option<[u8; 3]> {
        let digits = self.root_attribute("data-color=")?.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let channel = |from: usize| u8::from_str_radix(digits.get(from..from + 2)?, 16).ok();
        Some([channel(0)?, channel(2)?, channel(4)?])
    }

    /// The value of an attribute at the root of the SVG.
    fn root_attribute(&self, name: &str) -> Option<&str> {
        let Self::Svg(svg) = self else { return None };
        let root = svg.get(svg.find("<svg")?..)?;
        let rest = root.get(..root.find('>')?)?.split_once(name)?.1;
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest[1..].split_once(quote).map(|(value, _)| value)
    }
}

impl From<&'static str> for Sprite {
    fn from(svg: &'static str) -> Self {
        Self::Svg(Cow::Borrowed(svg))
    }
}

impl From<String> for Sprite {
    fn from(svg: String) -> Self {
        Self::Svg(Cow::Owned(svg))
    }
}

/// A sprite and when it is drawn.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct SpriteRule {
    /// What it shows, in a word or two, for the legend; looks without a name are not in it.
    pub(crate) name: String,
    /// When.
    pub(crate) when: Condition,
    /// What.
    pub(crate) sprite: Sprite,
}

/// Colours instead of sprites, for fields whose plots are too small to show any.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct HeatMap {
    /// The variable, with one value per plot; a category has one colour per name.
    pub(crate) variable: String,
    /// The value of the darkest colour.
    pub(crate) low: f64,
    /// The value of the lightest colour.
    pub(crate) high: f64,
    /// The colours of the low and the high value, red, green and blue; the usual scale from dark to light if nothing is said. Named
    /// values have colours of their own.
    pub(crate) ends: Option<[[u8; 3]; 2]>,
    /// The colours of named values, each with its name; the others have that of the sprite that stands for them.
    pub(crate) colors: Vec<(String, [u8; 3])>,
}

impl HeatMap {
    /// A map of a variable from its lowest to its highest value, in the usual colours.
    pub fn new(variable: &str, low: f64, high: f64) -> Self {
        Self { variable: variable.to_owned(), low, high, ends: None, colors: Vec::new() }
    }
}

/// A variable of plots that sprites of a picture follow between two values. Which part of a sprite follows it says the sprite, by an
/// attribute with the variable's name: a group with `data-grows` is drawn smaller the lower the value, and a shape with `data-tint` in a
/// colour between those of `data-low` and `data-high`.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Growth {
    /// The variable, with one value per plot.
    pub(crate) variable: String,
    /// The value at which it is smallest.
    pub(crate) low: f64,
    /// The value at which it is drawn as it stands in the sprite.
    pub(crate) high: f64,
}

/// A line of the chart of the season, under the picture of a farm.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct SeasonSeries {
    /// What it shows, with its unit.
    pub(crate) title: String,
    /// The variable; of plots the mean is shown.
    pub(crate) variable: String,
    /// What a value of the variable says.
    pub(crate) kind: SeriesKind,
    /// The colour of its line or bars, red, green and blue.
    pub(crate) color: [u8; 3],
}

/// What a value of a variable says of its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesKind {
    /// How much there is: a line.
    Level,
    /// How much came on the day: a bar.
    Daily,
    /// How much has come in all days so far: bars of what each day added.
    Total,
}

/// What somebody with a place sees around it; a picture of what the learner is shown draws a veil over the rest.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct Window {
    /// Plots in a row of it; the place is in the middle.
    pub(crate) edge: usize,
    /// The observables of the part that show it, by name, each with what it shows.
    pub(crate) layers: Vec<(String, Shown)>,
}

/// What an observable shows of the tiles or plots around a position, row by row from north to south.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// One or several names of each tile of the window: shape (edge, edge) or (edge, edge, names). See [`Place::SeenTiles`].
    Names,
    /// More names of the own tile, which follow those that the window shows.
    OwnNames,
    /// A variable of plots, in the window: the part's name and the variable. Shape (edge, edge).
    Around(String, String),
    /// A variable of plots, in the whole field: the part's name and the variable. Shape (plots from north to south, from west to east).
    WholeField(String, String),
}

/// One thing that a part shows.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Picture {
    /// What it shows, for the legend and the strip.
    pub(crate) title: String,
    /// Where.
    pub(crate) place: Place,
    /// What is drawn over what: 0 ground, 10 what lies on it, 20 low plants, 30 plants, 40 animals, 50 what flies, 60 who acts.
    pub(crate) layer: i32,
    /// What; the first whose condition holds.
    pub(crate) sprite_rules: Vec<SpriteRule>,
    /// Variables whose values are written beside the sprite, in the strip.
    pub(crate) values: Vec<String>,
    /// Colours for large fields.
    #[getter(name = heat_map)]
    pub(crate) heat: Option<HeatMap>,
    /// Which of the things it shows; all of them if nothing is said.
    #[getter(name = shown_entries)]
    pub(crate) entries: Option<Vec<usize>>,
    /// What is seen from its position.
    pub(crate) window: Option<Window>,
    /// Variables that the sprites follow.
    pub(crate) growths: Vec<Growth>,
    /// What is shown of the season so far.
    pub(crate) season: Vec<SeasonSeries>,
}

impl Picture {
    fn new(title: &str, place: Place, layer: i32) -> Self {
        let title = title.to_owned();
        Self {
            title,
            place,
            layer,
            sprite_rules: Vec::new(),
            values: Vec::new(),
            heat: None,
            entries: None,
            window: None,
            growths: Vec::new(),
            season: Vec::new(),
        }
    }

    /// A picture on each plot.
    pub fn on_plots(title: &str, layer: i32) -> Self {
        Self::new(title, Place::Plots, layer)
    }

    /// A picture on the tiles of single things; see [`Place::Things`].
    pub fn of_things(title: &str, layer: i32, at: &str, columns: usize, margin: usize) -> Self {
        Self::new(title, Place::Things { at: at.to_owned(), columns, margin }, layer)
    }

    /// A picture on every tile of a map; see [`Place::Map`].
    pub fn of_map(title: &str, layer: i32, margin: usize) -> Self {
        Self::new(title, Place::Map { margin }, layer)
    }

    /// A picture on the tiles of a window whose names are observed; see [`Place::SeenTiles`].
    pub fn of_seen_tiles(title: &str, layer: i32) -> Self {
        Self::new(title, Place::SeenTiles, layer)
    }

    /// A picture where a variable with x and y says.
    pub fn at_position(title: &str, layer: i32, at: &str) -> Self {
        Self::new(title, Place::Position { at: at.to_owned() }, layer)
    }

    /// A picture in the strip.
    pub fn in_status_bar(title: &str) -> Self {
        Self::new(title, Place::StatusBar, 0)
    }

    /// A sprite where a variable lies in a closed range.
    pub fn within(self, variable: &str, low: f64, high: f64, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Within { variable: variable.to_owned(), low, high }, sprite)
    }

    /// A sprite from a value of a variable on.
    pub fn from(self, variable: &str, low: f64, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.within(variable, low, f64::INFINITY, name, sprite)
    }

    /// A sprite where a category has the value of a name.
    pub fn label(self, variable: &str, label: &str, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Label { variable: variable.to_owned(), label: label.to_owned() }, sprite)
    }

    /// A sprite where the names that are observed of a tile begin with these; see [`Condition::Names`].
    pub fn names(self, names: &[&str], name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Names(names.iter().map(|&name| name.to_owned()).collect()), sprite)
    }

    /// A sprite where none of those before is drawn.
    pub fn otherwise(self, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Always, sprite)
    }

    fn look(mut self, name: &str, when: Condition, sprite: impl Into<Sprite>) -> Self {
        self.sprite_rules.push(SpriteRule { name: name.to_owned(), when, sprite: sprite.into() });
        self
    }

    /// Writes a variable's value beside the sprite, in the strip.
    pub fn value(mut self, variable: &str) -> Self {
        self.values.push(variable.to_owned());
        self
    }

    /// Colours for large fields, dark at the low value and light at the high.
    pub fn heat(mut self, variable: &str, low: f64, high: f64) -> Self {
        self.heat = Some(HeatMap::new(variable, low, high));
        self
    }

    /// The colours of the low and the high value on large fields, red, green and blue, after [`Picture::heat`].
    pub fn heat_ends(mut self, low: [u8; 3], high: [u8; 3]) -> Self {
        self.heat.iter_mut().for_each(|heat| heat.ends = Some([low, high]));
        self
    }

    /// The colour of a named value on large fields, red, green and blue, after [`Picture::heat`].
    pub fn heat_color(mut self, label: &str, color: [u8; 3]) -> Self {
        self.heat.iter_mut().for_each(|heat| heat.colors.push((label.to_owned(), color)));
        self
    }

    /// Shows these of the things alone.
    pub fn entries(mut self, entries: Vec<usize>) -> Self {
        self.entries = Some(entries);
        self
    }

    /// Only so much around its position is seen: a window of `edge` plots in a row, which these observables of the part show.
    pub fn sees(mut self, edge: usize, layers: Vec<(String, Shown)>) -> Self {
        self.window = Some(Window { edge, layers });
        self
    }

    /// Its sprites grow with a variable of plots, or take its colours, from `low` to `high`; see [`Growth`].
    pub fn grows_with(mut self, variable: &str, low: f64, high: f64) -> Self {
        self.growths.push(Growth { variable: variable.to_owned(), low, high });
        self
    }

    /// A variable is shown in the chart of the season, in a colour (red, green and blue) and under a title with its unit.
    pub fn over_season(mut self, title: &str, variable: &str, kind: SeriesKind, color: [u8; 3]) -> Self {
        self.season.push(SeasonSeries { title: title.to_owned(), variable: variable.to_owned(), kind, color });
        self
    }

    /// All variables that it names.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let at = match &self.place {
            Place::Things { at, .. } | Place::Position { at } => Some(at.as_str()),
            Place::Plots | Place::Map { .. } | Place::SeenTiles | Place::StatusBar => None,
        };
        let sprite_rules = self.sprite_rules.iter().filter_map(|look| look.when.variable());
        let values = self.values.iter().map(String::as_str);
        let heat = self.heat.iter().map(|heat| heat.variable.as_str());
        let growths = self.growths.iter().map(|growth| growth.variable.as_str());
        let season = self.season.iter().map(|series| series.variable.as_str());
        at.into_iter().chain(sprite_rules).chain(values).chain(heat).chain(growths).chain(season)
    }
}

#[cfg(test)]
mod tests {
    use super::Sprite;

    #[test]
    fn glyph_and_colour_stand_at_the_root_of_the_svg_and_nowhere_else() {
        let glyph = |svg: &'static str| Sprite::from(svg).glyph();
        assert_eq!(glyph("<?xml version=\"1.0\"?><svg viewBox=\"0 0 1 1\" data-glyph=\"♣\"><g/></svg>"), Some('♣'));
        assert_eq!(glyph("<svg data-glyph='y' viewBox='0 0 1 1'/>"), Some('y'));
        assert_eq!(glyph("<svg viewBox=\"0 0 1 1\"><g data-glyph=\"x\"/></svg>"), None);
        assert_eq!(glyph("<svg data-glyph=\"\"/>"), None);
        assert_eq!(glyph("<svg data-glyph=\"x"), None);
        assert_eq!(Sprite::Label("x".to_owned()).glyph(), None);
        let color = |svg: &'static str| Sprite::from(svg).color();
        assert_eq!(color("<svg data-glyph=\"x\" data-color=\"#ff8001\"/>"), Some([255, 128, 1]));
        for wrong in
            ["<svg data-color=\"#ff80\"/>", "<svg data-color=\"red\"/>", "<svg data-color=\"#ßßß\"/>", "<svg/>"]
        {
            assert_eq!(color(wrong), None, "{wrong}");
        }
    }
}
