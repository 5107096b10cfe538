//! Reads the pictures that a game's parts declare, resolves their names, and collects the sprites that they share.

use farm_core::Game;
use farm_core::declare::{Labels, PartInfo, Picture, Place, Sprite, SpriteCondition};

use crate::compiled::{CompiledPicture, CompiledSpriteRule, ResolvedPlace, Test};
use crate::error::RenderError;
use crate::heat::Heat;
use crate::sprites::SpriteSource;
use crate::values::Values;
use crate::view::Visibility;
use crate::written::{number, without_unit_marks, written_value};

/// A sprite's character and colour, if the sprite names them.
pub(crate) type Sign = (Option<char>, Option<[u8; 3]>);

/// All of a game's pictures, from the lowest layer to the highest, and the sprites that they share.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    /// The pictures.
    pub all: Vec<CompiledPicture>,
    /// The pictures' sprites.
    pub sprites: Vec<SpriteSource>,
    /// The sprites' characters and colours in a terminal, if the sprites name them.
    pub signs: Vec<Sign>,
    /// Whether each sprite is a ground label, which is hidden under other sprites.
    pub labels: Vec<bool>,
}

impl Pictures {
    /// The pictures that a game's parts declare: all of them, or only the pictures that a learner may see. Entities without pictures get
    /// default pictures.
    ///
    /// # Errors
    /// A sprite is not an SVG.
    pub(crate) fn of(game: &Game, seen: Option<&Visibility>) -> Result<Self, RenderError> {
        let mut pictures = Self::default();
        for (index, part) in game.parts().iter().enumerate() {
            let plots = part.field().and_then(|field| game.fields().get(field)).map_or(0, |field| field.plots());
            let declared = match part.field() {
                Some(_) if part.pictures().is_empty() => default_pictures(part, plots),
                _ => part.pictures().to_vec(),
            };
            let is_default = part.pictures().is_empty();
            for picture in &declared {
                let labels = seen.map_or(&[][..], Visibility::labels);
                let compiled = pictures.compile((index, part), picture, is_default, labels)?;
                let is_drawn = |compiled: &CompiledPicture| match seen {
                    Some(seen) => compiled.is_visible(seen),
                    None => !matches!(compiled.resolved_place, ResolvedPlace::SeenTiles),
                };
                pictures.all.extend(compiled.filter(is_drawn));
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
        labels: &[Labels],
    ) -> Result<Option<CompiledPicture>, RenderError> {
        let info = |name: &str| part.variables().iter().find(|variable| variable.name() == name);
        let values = |name: &str| {
            let variable = part.variables().iter().position(|variable| variable.name() == name)?;
            Values::of(index, variable, &part.variables()[variable])
        };
        let mut sprite_rules = Vec::new();
        for rule in picture.sprite_rules() {
            let test = match rule.when() {
                SpriteCondition::Always => Test::Always,
                SpriteCondition::Within { variable, low, high } => {
                    Test::Within { values: values(variable), low: *low, high: *high }
                }
                SpriteCondition::Label { variable, label } => {
                    let index =
                        info(variable).and_then(|info| info.index_of_label(label)).map_or(f64::NAN, |i| i as f64);
                    Test::Within { values: values(variable), low: index, high: index }
                }
                SpriteCondition::Names(names) => {
                    let mut numbers =
                        names.iter().zip(labels).map(|(name, labels)| labels.index(name).map(|i| i as u8));
                    Test::Names(if names.len() <= labels.len() { numbers.by_ref().collect() } else { None })
                }
            };
            let source = match rule.sprite() {
                Sprite::Nothing => None,
                Sprite::Svg(svg) => Some(SpriteSource::svg(svg)),
                Sprite::Label(name) if is_default && *picture.place() == Place::Plots => Some(SpriteSource::tag(name)),
                Sprite::Label(name) => Some(SpriteSource::label(name)),
            };
            let is_ground = match picture.place() {
                Place::Map { .. } => true,
                // On seen tiles, only rules without a name draw the ground.
                Place::SeenTiles => rule.name().is_empty(),
                _ => false,
            };
            let is_label = matches!(rule.sprite(), Sprite::Label(_)) && is_ground;
            let follows = || picture.growths().iter().map(|growth| growth.variable());
            let source = source.transpose().map(|source| source.map(|source| source.following(follows())));
            let source = source.map_err(|message| RenderError::Sprite {
                part: part.path().to_owned(),
                picture: picture.title().to_owned(),
                rule: rule.name().to_owned(),
                message,
            })?;
            let sprite =
                source.map(|source| self.sprite(source, is_label, (rule.sprite().glyph(), rule.sprite().color())));
            sprite_rules.push(CompiledSpriteRule { name: rule.name().to_owned(), sprite, test });
        }
        let resolved_place = match picture.place() {
            Place::Plots => ResolvedPlace::Plots,
            Place::StatusBar => ResolvedPlace::StatusBar,
            Place::SeenTiles => ResolvedPlace::SeenTiles,
            Place::Position { at } => match values(at) {
                Some(at) => ResolvedPlace::Position { at },
                None => return Ok(None),
            },
            Place::Things { at, columns, margin } => match (values(at), info(at)) {
                (Some(values), Some(info)) => {
                    ResolvedPlace::Things { at: values, count: info.len(), columns: *columns, margin: *margin }
                }
                _ => return Ok(None),
            },
            Place::Map { margin } => {
                let shape = picture.variables().next().and_then(info).map(|info| info.shape());
                // A map whose rules read no variable covers the field.
                let (columns, depth) = match shape {
                    Some([_, columns, rest @ ..]) => (*columns, rest.iter().product()),
                    _ => (0, 0),
                };
                ResolvedPlace::Map { columns, margin: *margin, depth }
            }
        };
        let several = picture.values().len() > 1;
        let written = picture.values().iter().filter_map(|name| Some((values(name)?, info(name)?)));
        let written = written.map(|(values, info)| written_value(values, info, picture.title(), several));
        let heat = picture.heat_map().and_then(|heat| {
            let info = info(heat.variable())?;
            let title = format!("{}: {}", part.name(), without_unit_marks(info.name()));
            Some(Heat::new(title, values(heat.variable())?, info, picture, heat))
        });
        Ok(Some(CompiledPicture {
            title: picture.title().to_owned(),
            part: index,
            field: part.field(),
            layer: picture.layer(),
            resolved_place,
            sprite_rules,
            written: written.collect(),
            heat,
            entries: picture.shown_entries().map(<[usize]>::to_vec),
            growths: picture
                .growths()
                .iter()
                .filter_map(|growth| {
                    Some((growth.variable().to_owned(), values(growth.variable())?, [growth.low(), growth.high()]))
                })
                .collect(),
        }))
    }

    /// Whether a field is a tile map, whose tiles are drawn at any size.
    pub(crate) fn has_map(&self, field: usize) -> bool {
        let is_map = |place: &ResolvedPlace| matches!(place, ResolvedPlace::Map { .. } | ResolvedPlace::SeenTiles);
        self.all.iter().any(|picture| picture.field == Some(field) && is_map(&picture.resolved_place))
    }

    /// Returns a sprite's index, and adds the sprite if it is new.
    pub(crate) fn sprite(&mut self, source: SpriteSource, is_label: bool, sign: Sign) -> u16 {
        let found = self.sprites.iter().position(|known| *known == source);
        found.unwrap_or_else(|| {
            self.sprites.push(source);
            self.labels.push(is_label);
            self.signs.push(sign);
            self.sprites.len() - 1
        }) as u16
    }
}

/// An entity's default pictures: its name in the status bar, and a tag on some plots. The tag marks plots on which the first visible
/// per-plot variable differs from its default.
fn default_pictures(part: &PartInfo, plots: usize) -> Vec<Picture> {
    let label = || Sprite::Label(part.name().to_owned());
    let mut status_bar = Picture::in_status_bar(part.name()).otherwise("", label());
    if let Some(scalar) = part.variables().iter().find(|variable| variable.visible() && variable.shape().is_empty()) {
        status_bar = status_bar.value(scalar.name());
    }
    let mut pictures = vec![status_bar];
    let on_plots =
        part.variables().iter().find(|variable| variable.visible() && variable.per_plot() && variable.len() == plots);
    if let Some(variable) = on_plots {
        let (low, high) = variable.kind().range();
        let name = format!("{} is not {}", without_unit_marks(variable.name()), number(variable.default()));
        let high = if high > MAX_IN_DEFAULT_HEAT { MAX_IN_DEFAULT_HEAT } else { high };
        pictures.push(
            Picture::on_plots(part.name(), 45)
                .within(variable.name(), variable.default(), variable.default(), "", Sprite::Nothing)
                .otherwise(&name, label())
                .heat(variable.name(), low, high),
        );
    }
    pictures
}

/// Upper end of a default picture's colour scale, for variables with a wider range.
const MAX_IN_DEFAULT_HEAT: f64 = 100.0;
