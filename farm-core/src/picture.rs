//! How a part is drawn. A picture sets which sprite is drawn, and where, for each value of the part's variables.
//!
//! A part declares its pictures next to its variables, with [`crate::Declarations::picture`]. The engine only stores the declarations; renderers
//! read them from [`crate::declare::PartInfo`]. Pictures take no time during a step.
//!
//! A [`Picture`] has a place ([`Place`]) and a list of sprite rules. The first rule whose condition holds is drawn. A sprite is
//! an SVG with a square view box that represents one plot.

use std::borrow::Cow;

/// Where a picture is drawn. Match on this, [`Condition`], [`Sprite`] and [`Shown`] without a `_` arm, so that the compiler reports every
/// renderer that must handle a new variant. Variables have their declared names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// On each plot in the field. The conditions read the plot's value.
    Plots,
    /// On the tiles of individual things. For each thing, the variable `at` contains the index of its tile, in a map with rows of `columns`
    /// tiles. `margin` tiles on each side are outside the field; a thing whose index is in the margin is not drawn. The conditions read the
    /// thing's own value.
    Things {
        /// The variable that contains each thing's tile index.
        at: String,
        /// The number of tiles in each row of the map, including the margin.
        columns: usize,
        /// The number of tiles outside the field, on each side of the map.
        margin: usize,
    },
    /// On every tile of a map. The variables have the shape (rows, columns, depth), and the first value along the last axis is used.
    Map {
        /// The number of tiles outside the field, on each side of the map.
        margin: usize,
    },
    /// On the tiles of a window whose names are observed ([`Shown::Names`]). The conditions read these names. Pictures of the learner's
    /// view use this place instead of [`Place::Things`] and [`Place::Map`], whose variables the learner does not observe.
    SeenTiles,
    /// At the position given by a variable with two values, x and y.
    Position {
        /// The variable that contains x and y.
        at: String,
    },
    /// Once, in the status bar next to the field's name, or next to the game's name for parts without a field.
    StatusBar,
}

/// When a sprite rule applies.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Always.
    Always,
    /// When a variable is in a closed range. Categories and flags are compared by number.
    Within {
        /// The variable.
        variable: String,
        /// The lowest value.
        low: f64,
        /// The highest value.
        high: f64,
    },
    /// When a variable has the value with this name.
    Label {
        /// The variable.
        variable: String,
        /// The value's name.
        label: String,
    },
    /// When a tile's observed names start with these names, in the order of the observation. For example, they can be the terrain and the
    /// status, or only the terrain.
    Names(Vec<String>),
}

impl Condition {
    /// The variable that the condition reads.
    pub fn variable(&self) -> Option<&str> {
        match self {
            Self::Always | Self::Names(_) => None,
            Self::Within { variable, .. } | Self::Label { variable, .. } => Some(variable),
        }
    }
}

/// The image that is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sprite {
    /// Nothing.
    Nothing,
    /// The text of an SVG with a square view box that represents one plot. Text elements in the SVG are not drawn. On its root element, the
    /// `data-glyph` attribute is the character for terminals, and `data-color` is that character's colour.
    ///
    /// A group with `data-joins="north" display="none"` (or `east`, `south`, `west`) is drawn if the plot on that side has the same sprite.
    /// A group with `data-joins="any" display="none"` is drawn if any of the four plots has the sprite. A group with `data-joins="none"` is
    /// drawn if none of them has it. Each plot shows one of the groups with `data-variant="0"`, `data-variant="1" display="none"` and so
    /// on.
    Svg(Cow<'static, str>),
    /// A plain tile with a few letters from a name, for things without a sprite.
    Label(String),
}

impl Sprite {
    /// The sprite for an SVG, or a tile with the label if there is no SVG.
    pub fn or_label(svg: Option<&'static str>, label: &str) -> Self {
        svg.map_or_else(|| Self::Label(label.to_owned()), |svg| Self::Svg(Cow::Borrowed(svg)))
    }

    /// The sprite's character for terminals, if it has one. This is the value of `data-glyph` on the SVG's root element.
    pub fn glyph(&self) -> Option<char> {
        let glyph = self.root_attribute("data-glyph=")?.chars().next();
        glyph.filter(|glyph| !glyph.is_control() && !matches!(glyph, '&' | ' '))
    }

    /// The colour of that character (red, green and blue), if the sprite has one. This is the value of `data-color` on the SVG's root
    /// element, such as `#ff8000`.
    pub fn color(&self) -> Option<[u8; 3]> {
        let digits = self.root_attribute("data-color=")?.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let channel = |from: usize| u8::from_str_radix(digits.get(from..from + 2)?, 16).ok();
        Some([channel(0)?, channel(2)?, channel(4)?])
    }

    /// The value of an attribute on the SVG's root element.
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

/// A sprite, and when to draw it.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct SpriteRule {
    /// The name in the legend, one or two words. Rules without a name are not in the legend.
    pub(crate) name: String,
    /// The condition.
    pub(crate) when: Condition,
    /// The sprite.
    pub(crate) sprite: Sprite,
}

/// Colours used instead of sprites if the plots in a field are too small for sprites.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct HeatMap {
    /// The variable, which has one value per plot. A category has one colour per name.
    pub(crate) variable: String,
    /// The value drawn in the darkest colour.
    pub(crate) low: f64,
    /// The value drawn in the lightest colour.
    pub(crate) high: f64,
    /// The colours for the low and the high value (red, green and blue). Default: a scale from dark to light. Named
    /// values have their own colours.
    pub(crate) ends: Option<[[u8; 3]; 2]>,
    /// The colours for named values, as pairs of a name and a colour. Any other named value has the colour of its sprite.
    pub(crate) colors: Vec<(String, [u8; 3])>,
}

impl HeatMap {
    /// A map of a variable from its lowest to its highest value, in the default colours.
    pub fn new(variable: &str, low: f64, high: f64) -> Self {
        Self { variable: variable.to_owned(), low, high, ends: None, colors: Vec::new() }
    }
}

/// A per-plot variable that changes a picture's sprites as the variable goes from one value to another. In the sprite, an attribute with
/// the variable's name selects the change. A group with `data-grows` is drawn smaller for lower values. A shape with `data-tint` gets a
/// colour between those of `data-low` and `data-high`.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Growth {
    /// The variable, which has one value per plot.
    pub(crate) variable: String,
    /// The value at which the sprite is smallest.
    pub(crate) low: f64,
    /// The value at which the sprite has its original size and colour.
    pub(crate) high: f64,
}

/// A line in the season chart, below the picture of a farm.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct SeasonSeries {
    /// The line's title, with the unit.
    pub(crate) title: String,
    /// The variable. For a per-plot variable, the mean is shown.
    pub(crate) variable: String,
    /// The meaning of the variable's values.
    pub(crate) kind: SeriesKind,
    /// The colour of the line or bars: red, green and blue.
    pub(crate) color: [u8; 3],
}

/// What a variable's value means for its day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesKind {
    /// The current amount, drawn as a line.
    Level,
    /// The day's amount, drawn as a bar.
    Daily,
    /// The total for all days so far, drawn as bars with each day's amount.
    Total,
}

/// The surroundings that a part sees from its position. Pictures of the learner's view cover the rest with a veil.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct Window {
    /// The number of plots in a row. The position is in the middle.
    pub(crate) edge: usize,
    /// The part's observables that show the window, by name, each with a description of its contents.
    pub(crate) layers: Vec<(String, Shown)>,
}

/// What an observable contains about the tiles or plots around a position, row by row from north to south.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// One or more names for each tile in the window. The shape is (edge, edge) or (edge, edge, names). See [`Place::SeenTiles`].
    Names,
    /// More names for the middle tile, which come after its names in the window.
    OwnNames,
    /// A per-plot variable within the window, given by the part's name and the variable. The shape is (edge, edge).
    Around(String, String),
    /// A per-plot variable in the whole field, given by the part's name and the variable. The shape is (plots from north to south, from
    /// west to east).
    WholeField(String, String),
}

/// One of a part's pictures.
///
/// ```
/// use farm_core::prelude::*;
///
/// const SNAIL: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3"/></svg>"#;
///
/// // On every plot, above the plants. In `declare`: `d.picture(picture);`.
/// let picture = Picture::on_plots("Snails", 40)
///     .within("snails#nb", 1.0, 3.0, "few", SNAIL)
///     .from("snails#nb", 4.0, "many", SNAIL);
/// let names = picture.sprite_rules().iter().map(|rule| rule.name()).collect::<Vec<_>>();
/// assert_eq!((names, picture.layer()), (vec!["few", "many"], 40));
/// ```
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Picture {
    /// The picture's title, for the legend and the status bar.
    pub(crate) title: String,
    /// The picture's place.
    pub(crate) place: Place,
    /// The drawing order: 0 ground, 10 objects on the ground, 20 low plants, 30 plants, 40 animals, 50 flying animals, 60 farmers.
    pub(crate) layer: i32,
    /// The sprite rules. The first rule whose condition holds is drawn.
    pub(crate) sprite_rules: Vec<SpriteRule>,
    /// The variables whose values are written next to the sprite in the status bar.
    pub(crate) values: Vec<String>,
    /// Colours for large fields.
    #[getter(name = heat_map)]
    pub(crate) heat: Option<HeatMap>,
    /// The indices of the things that the picture shows; `None` for all things.
    #[getter(name = shown_entries)]
    pub(crate) entries: Option<Vec<usize>>,
    /// The window that the part sees from its position.
    pub(crate) window: Option<Window>,
    /// The variables that change the sprites.
    pub(crate) growths: Vec<Growth>,
    /// Series for the season chart.
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

    /// A picture on every plot.
    pub fn on_plots(title: &str, layer: i32) -> Self {
        Self::new(title, Place::Plots, layer)
    }

    /// A picture on the tiles of individual things; see [`Place::Things`].
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

    /// A picture at the position given by a variable with x and y.
    pub fn at_position(title: &str, layer: i32, at: &str) -> Self {
        Self::new(title, Place::Position { at: at.to_owned() }, layer)
    }

    /// A picture in the status bar.
    pub fn in_status_bar(title: &str) -> Self {
        Self::new(title, Place::StatusBar, 0)
    }

    /// A sprite for when a variable is in a closed range.
    pub fn within(self, variable: &str, low: f64, high: f64, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Within { variable: variable.to_owned(), low, high }, sprite)
    }

    /// A sprite for when a variable's value is at least `low`.
    pub fn from(self, variable: &str, low: f64, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.within(variable, low, f64::INFINITY, name, sprite)
    }

    /// A sprite for when a category has the value with this name.
    pub fn label(self, variable: &str, label: &str, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Label { variable: variable.to_owned(), label: label.to_owned() }, sprite)
    }

    /// A sprite for tiles whose observed names start with these; see [`Condition::Names`].
    pub fn names(self, names: &[&str], name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Names(names.iter().map(|&name| name.to_owned()).collect()), sprite)
    }

    /// A sprite for all other cases.
    pub fn otherwise(self, name: &str, sprite: impl Into<Sprite>) -> Self {
        self.look(name, Condition::Always, sprite)
    }

    fn look(mut self, name: &str, when: Condition, sprite: impl Into<Sprite>) -> Self {
        self.sprite_rules.push(SpriteRule { name: name.to_owned(), when, sprite: sprite.into() });
        self
    }

    /// Writes a variable's value next to the sprite in the status bar.
    pub fn value(mut self, variable: &str) -> Self {
        self.values.push(variable.to_owned());
        self
    }

    /// Sets colours for large fields, from dark for the low value to light for the high value.
    pub fn heat(mut self, variable: &str, low: f64, high: f64) -> Self {
        self.heat = Some(HeatMap::new(variable, low, high));
        self
    }

    /// Sets the colours of the low and the high value on large fields (red, green and blue). Call it after [`Picture::heat`].
    pub fn heat_ends(mut self, low: [u8; 3], high: [u8; 3]) -> Self {
        self.heat.iter_mut().for_each(|heat| heat.ends = Some([low, high]));
        self
    }

    /// Sets the colour of a named value on large fields (red, green and blue). Call it after [`Picture::heat`].
    pub fn heat_color(mut self, label: &str, color: [u8; 3]) -> Self {
        self.heat.iter_mut().for_each(|heat| heat.colors.push((label.to_owned(), color)));
        self
    }

    /// Shows only these things.
    pub fn entries(mut self, entries: Vec<usize>) -> Self {
        self.entries = Some(entries);
        self
    }

    /// Limits the view around the position to a window with `edge` plots in a row. These observables show the window.
    pub fn sees(mut self, edge: usize, layers: Vec<(String, Shown)>) -> Self {
        self.window = Some(Window { edge, layers });
        self
    }

    /// Changes the size or colours of the picture's sprites with a per-plot variable, from `low` to `high`; see [`Growth`].
    pub fn grows_with(mut self, variable: &str, low: f64, high: f64) -> Self {
        self.growths.push(Growth { variable: variable.to_owned(), low, high });
        self
    }

    /// Shows a variable in the season chart, with a colour (red, green and blue) and a title that includes the unit.
    pub fn over_season(mut self, title: &str, variable: &str, kind: SeriesKind, color: [u8; 3]) -> Self {
        self.season.push(SeasonSeries { title: title.to_owned(), variable: variable.to_owned(), kind, color });
        self
    }

    /// All variables used in the picture.
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
