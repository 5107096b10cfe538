//! The pictures of a game with every name resolved: what is drawn where, and which values decide.

use farm_core::declare::{PartInfo, VariableInfo};
use farm_core::picture::{Condition, Picture, Place, Sprite, index_of_label};
use farm_core::{Column, Element, Game, Reader};

use crate::error::RenderError;
use crate::sprites::Source;
use crate::view::deciding_names;

/// The values of a variable, whichever numbers it is made of.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// Real numbers.
    Reals(Column<f64>),
    /// Whole numbers.
    Counts(Column<i32>),
    /// Categories and flags.
    Bytes(Column<u8>),
}

impl Values {
    /// The values of a variable.
    pub fn of(variable: &VariableInfo) -> Option<Self> {
        let reals = variable.column().map(Self::Reals);
        reals.or_else(|| variable.column().map(Self::Counts)).or_else(|| variable.column().map(Self::Bytes))
    }

    /// The value at an index; none beyond the end.
    pub fn get(self, reader: &Reader<'_>, index: usize) -> Option<f64> {
        fn at<T: Element>(column: Column<T>, reader: &Reader<'_>, index: usize) -> Option<T> {
            reader.get(column).get(index).copied()
        }
        match self {
            Self::Reals(column) => at(column, reader, index),
            Self::Counts(column) => at(column, reader, index).map(f64::from),
            Self::Bytes(column) => at(column, reader, index).map(f64::from),
        }
    }
}

/// When a look is drawn.
#[derive(Debug, Clone, Copy)]
struct Test {
    /// None: always.
    values: Option<Values>,
    low: f64,
    high: f64,
}

/// What is drawn when.
#[derive(Debug, Clone)]
pub struct Look {
    /// What it shows, for the legend.
    pub name: String,
    /// Index of the sprite; none where nothing is drawn.
    pub sprite: Option<u16>,
    test: Test,
}

/// Where a picture is drawn.
#[derive(Debug, Clone)]
pub enum Spot {
    /// On each plot.
    Plots,
    /// On the tile that each value is the index of.
    Things { at: Values, count: usize, columns: usize, margin: usize },
    /// On every tile of a map.
    Map { columns: usize, margin: usize, depth: usize },
    /// At x and y.
    Position { at: Values },
    /// In the strip.
    Strip,
}

/// A value that is written in the strip.
#[derive(Debug, Clone)]
pub struct Written {
    /// Which variable.
    pub variable: String,
    /// Where it is.
    pub values: Values,
    /// Its name without the unit, where several values stand side by side and the unit does not tell which is which.
    pub name: String,
    /// Its unit, where it has one that tells something.
    pub unit: String,
    /// The names of its values, for categories.
    pub names: Vec<String>,
}

/// Colours on a large field.
#[derive(Debug, Clone)]
pub struct Heat {
    /// What they show: the part's title and the variable.
    pub title: String,
    /// One value per plot.
    pub values: Values,
    /// The darkest value.
    pub low: f64,
    /// The lightest value.
    pub high: f64,
    /// The names of the values of a category, each of which has a colour of its own.
    pub names: Vec<String>,
}

/// A picture with its names resolved.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// What it shows.
    pub title: String,
    /// Index of the part that declares it.
    pub part: usize,
    /// The variables that decide on it or are written beside it.
    pub variables: Vec<String>,
    /// The field; none for parts of the farm.
    pub field: Option<usize>,
    /// What is drawn over what.
    pub layer: i32,
    /// Where.
    pub spot: Spot,
    /// What.
    pub looks: Vec<Look>,
    /// What is written beside it.
    pub written: Vec<Written>,
    /// Colours for large fields.
    pub heat: Option<Heat>,
    /// Which of the things it shows.
    pub entries: Option<Vec<usize>>,
}

impl Compiled {
    /// The look at an index of the deciding variables.
    pub fn look(&self, reader: &Reader<'_>, index: usize) -> Option<&Look> {
        self.looks.iter().find(|look| match look.test.values {
            None => true,
            Some(values) => {
                values.get(reader, index).is_some_and(|value| look.test.low <= value && value <= look.test.high)
            }
        })
    }
}

/// A character and its colour, as far as a sprite names them.
pub type Sign = (Option<char>, Option<[u8; 3]>);

/// All pictures of a game, from the lowest layer to the highest, and the sprites that they share.
#[derive(Debug, Default)]
pub struct Pictures {
    /// The pictures.
    pub all: Vec<Compiled>,
    /// What their looks are drawn from.
    pub sprites: Vec<Source>,
    /// The characters that stand for them in a terminal, and their colours, where they name them.
    pub signs: Vec<Sign>,
    /// Which sprites only stand in for something that is drawn by nobody else.
    pub labels: Vec<bool>,
}

impl Pictures {
    /// The pictures that the parts of a game declare; entities without any get default ones.
    ///
    /// # Errors
    /// A sprite that is no SVG.
    pub fn of(game: &Game) -> Result<Self, RenderError> {
        let mut pictures = Self::default();
        for (index, part) in game.parts.iter().enumerate() {
            let plots = part.field.and_then(|field| game.fields.get(field)).map_or(0, |field| field.plots());
            let declared = match part.field {
                Some(_) if part.pictures.is_empty() => default_pictures(part, plots),
                _ => part.pictures.clone(),
            };
            let is_default = part.pictures.is_empty();
            for picture in &declared {
                if let Some(compiled) = pictures.compile((index, part), picture, is_default)? {
                    pictures.all.push(compiled);
                }
            }
        }
        pictures.all.sort_by_key(|picture| picture.layer);
        Ok(pictures)
    }

    fn compile(
        &mut self,
        (index, part): (usize, &PartInfo),
        picture: &Picture,
        is_default: bool,
    ) -> Result<Option<Compiled>, RenderError> {
        let info = |name: &str| part.variables.iter().find(|variable| variable.name == name);
        let values = |name: &str| info(name).and_then(Values::of);
        let mut looks = Vec::new();
        for look in &picture.looks {
            let (values, low, high) = match &look.when {
                Condition::Always => (None, 0.0, 0.0),
                Condition::Within { variable, low, high } => (values(variable), *low, *high),
                Condition::Label { variable, label } => {
                    let index =
                        info(variable).and_then(|info| index_of_label(info, label)).map_or(f64::NAN, |i| i as f64);
                    (values(variable), index, index)
                }
            };
            let source = match &look.sprite {
                Sprite::Nothing => None,
                Sprite::Svg(svg) => Some(Source::svg(svg)),
                Sprite::Label(name) if is_default && picture.place == Place::Plots => Some(Source::tag(name)),
                Sprite::Label(name) => Some(Source::label(name)),
            };
            let is_label = matches!(look.sprite, Sprite::Label(_)) && matches!(picture.place, Place::Map { .. });
            let source = source.transpose().map_err(|message| RenderError::Sprite {
                part: part.path.clone(),
                picture: picture.title.clone(),
                look: look.name.clone(),
                message,
            })?;
            let sprite = source.map(|source| self.sprite(source, is_label, (look.sprite.glyph(), look.sprite.color())));
            looks.push(Look { name: look.name.clone(), sprite, test: Test { values, low, high } });
        }
        let spot = match &picture.place {
            Place::Plots => Spot::Plots,
            Place::Strip => Spot::Strip,
            Place::Position { at } => match values(at) {
                Some(at) => Spot::Position { at },
                None => return Ok(None),
            },
            Place::Things { at, columns, margin } => match (values(at), info(at)) {
                (Some(values), Some(info)) => {
                    Spot::Things { at: values, count: info.len(), columns: *columns, margin: *margin }
                }
                _ => return Ok(None),
            },
            Place::Map { margin } => {
                let shape = picture.variables().next().and_then(info).map(|info| info.shape.as_slice());
                // A map whose looks look at no variable covers the field.
                let (columns, depth) = match shape {
                    Some([_, columns, rest @ ..]) => (*columns, rest.iter().product()),
                    _ => (0, 0),
                };
                Spot::Map { columns, margin: *margin, depth }
            }
        };
        let several = picture.values.len() > 1;
        let written = picture.values.iter().filter_map(|name| info(name));
        let written = written.filter_map(|info| written_value(info, &picture.title, several));
        let heat = picture.heat.as_ref().and_then(|heat| {
            let info = info(&heat.variable)?;
            let names = labels_of(info);
            let high = if names.is_empty() { heat.high } else { (names.len() - 1) as f64 };
            let title = format!("{}: {}", part.name, without_unit_marks(&info.name));
            Some(Heat { title, values: Values::of(info)?, low: heat.low, high, names })
        });
        Ok(Some(Compiled {
            title: picture.title.clone(),
            part: index,
            variables: deciding_names(picture),
            field: part.field,
            layer: picture.layer,
            spot,
            looks,
            written: written.collect(),
            heat,
            entries: picture.entries.clone(),
        }))
    }

    fn sprite(&mut self, source: Source, is_label: bool, sign: Sign) -> u16 {
        let found = self.sprites.iter().position(|known| *known == source);
        found.unwrap_or_else(|| {
            self.sprites.push(source);
            self.labels.push(is_label);
            self.signs.push(sign);
            self.sprites.len() - 1
        }) as u16
    }
}

/// How an entity without pictures is drawn: its name in the strip, and a tag on the plots where its first variable of plots that a
/// learner may see is not what it was at the start.
fn default_pictures(part: &PartInfo, plots: usize) -> Vec<Picture> {
    let label = || Sprite::Label(part.name.clone());
    let mut strip = Picture::in_strip(&part.name).otherwise("", label());
    if let Some(scalar) = part.variables.iter().find(|variable| variable.visible && variable.shape.is_empty()) {
        strip = strip.value(&scalar.name);
    }
    let mut pictures = vec![strip];
    let on_plots =
        part.variables.iter().find(|variable| variable.visible && variable.per_plot && variable.len() == plots);
    if let Some(variable) = on_plots {
        let (low, high) = variable.kind.range();
        let name = format!("{} is not {}", without_unit_marks(&variable.name), number(variable.default));
        let high = if high > MOST_IN_DEFAULT_HEAT { MOST_IN_DEFAULT_HEAT } else { high };
        pictures.push(
            Picture::on_plots(&part.name, 45)
                .within(&variable.name, variable.default, variable.default, "", Sprite::Nothing)
                .otherwise(&name, label())
                .heat(&variable.name, low, high),
        );
    }
    pictures
}

/// The lightest colour of a variable whose part says nothing of it, where its range is too wide to tell anything.
const MOST_IN_DEFAULT_HEAT: f64 = 100.0;

fn labels_of(variable: &VariableInfo) -> Vec<String> {
    let labels = variable.kind.labels(0);
    labels.map(|labels| (0..labels.len()).map(|i| labels.name(i)).collect()).unwrap_or_default()
}

fn written_value(variable: &VariableInfo, title: &str, has_others: bool) -> Option<Written> {
    let plain = unit(&variable.name);
    let name = if has_others && plain.is_empty() { without_unit_marks(&variable.name) + " " } else { String::new() };
    // "seeds 3 seed" says the same twice.
    let unit = if title.starts_with(&plain) { String::new() } else { plain };
    Some(Written {
        variable: variable.name.clone(),
        values: Values::of(variable)?,
        name,
        unit,
        names: labels_of(variable),
    })
}

/// Units that only say that numbers are counted, or how they are kept.
const SILENT_UNITS: [&str; 5] = ["nb", "bin", "int100", "int365", "-"];

/// The unit of a variable as people write it; empty where it has none.
fn unit(name: &str) -> String {
    match name.split_once('#').map(|(_, unit)| unit) {
        None => String::new(),
        Some(unit) if SILENT_UNITS.contains(&unit) => String::new(),
        Some(unit) => unit.replace(".day-1", "/day").replace(".h-1", "/h").replace(".s-1", "/s"),
    }
}

/// A variable's name with its unit in parentheses.
fn without_unit_marks(name: &str) -> String {
    let plain = name.split('#').next().unwrap_or(name).replace('_', " ");
    let unit = unit(name);
    if unit.is_empty() { plain } else { format!("{plain} ({unit})") }
}

impl Written {
    /// The value as it is written.
    pub fn text(&self, reader: &Reader<'_>) -> String {
        let Some(value) = self.values.get(reader, 0) else { return String::new() };
        if let Some(name) = self.names.get(value as usize) {
            return format!("{}{name}", self.name);
        }
        match self.unit.as_str() {
            "" => format!("{}{}", self.name, number(value)),
            unit => format!("{} {unit}", number(value)),
        }
    }
}

/// A number with one decimal at the most; large ones without.
pub fn number(value: f64) -> String {
    let text = if value.abs() < 1000.0 { format!("{value:.1}") } else { format!("{value:.0}") };
    let text = text.strip_suffix(".0").map(str::to_owned).unwrap_or(text);
    if text == "-0" { "0".to_owned() } else { text }
}
