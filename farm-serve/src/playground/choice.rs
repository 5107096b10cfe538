//! The games that a page chooses, and compiled games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use farm_core::Game;
use farm_core::config::{Consent, NameError, Origin, Path, Problem, Problems};
use farm_games::level::{Split, of_split};
use farm_games::{GameDocument, GameName, LevelFile, Options, families};
use farm_render::{PictureOptions, RenderError, Renderer, TextRenderer, View};
use serde::{Deserialize, Serialize};

use super::errors::PlaygroundError;
use super::farm::model::Farm;
use super::words::EDITED;
use crate::games::Games;

/// The maximum total size of stored compiled games, in bytes.
const MAX_KEPT_BYTES: u64 = 96_000_000;

/// The size of a game's renderers, in bytes: sprites, the last pictures, and data per part and plot.
const BYTES_OF_RENDERERS: u64 = 6_000_000;
const BYTES_OF_RENDERERS_PER_PLOT_AND_PART: u64 = 2_400;

/// The key that limits the number of days.
const MAX_STEPS: &str = "rules.BasicRule.max_steps";

/// The chosen game: a served game or an edited game, with a preset and a level.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choice {
    /// Its name; for an edited game, the original's name.
    pub(crate) name: String,
    /// The text of an edited game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) yaml: Option<String>,
    /// Presets, joined as in `one+other`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) preset: Option<String>,
    /// One of the game's shipped levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<String>,
    /// The number of days after which the season ends, if it has not ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) days: Option<u32>,
}

/// The view to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Looks {
    /// The learner's view, without hidden values.
    #[default]
    Learner,
    /// The full view.
    Everything,
}

impl Looks {
    fn view(self) -> View {
        match self {
            Self::Learner => View::Learner,
            Self::Everything => View::Everything,
        }
    }
}

/// A compiled game with its renderers. A renderer is created on first use.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) game: Arc<Game>,
    renderers: [Mutex<Option<Renderer>>; 2],
    text_renderers: [TextRenderer; 2],
    farm: Option<Farm>,
}

impl Compiled {
    fn new(game: Arc<Game>) -> Result<Self, RenderError> {
        let texts =
            [TextRenderer::new(game.clone(), View::Learner)?, TextRenderer::new(game.clone(), View::Everything)?];
        let farm = Farm::of(&game);
        Ok(Self { game, renderers: [Mutex::new(None), Mutex::new(None)], text_renderers: texts, farm })
    }

    /// The game as a farm.
    ///
    /// # Errors
    /// The game is not a farm.
    pub(super) fn farm(&self) -> Result<&Farm, PlaygroundError> {
        self.farm.as_ref().ok_or_else(|| {
            let name = self.game.spec().name();
            PlaygroundError::Request(format!("`{name}` has no plots with jobs; use /api/place"))
        })
    }

    pub(super) fn text_renderer(&self, looks: Looks) -> &TextRenderer {
        &self.text_renderers[looks as usize]
    }

    /// Draws with the renderer of a view.
    ///
    /// # Errors
    /// A sprite is not a valid SVG.
    pub(super) fn draw<R>(&self, looks: Looks, draw: impl FnOnce(&mut Renderer) -> R) -> Result<R, RenderError> {
        // A renderer that panicked is created again.
        let mut kept = self.renderers[looks as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let mut renderer = match kept.take() {
            Some(renderer) => renderer,
            None => {
                let options = PictureOptions { view: looks.view(), ..PictureOptions::default() };
                Renderer::new(self.game.clone(), &options)?
            }
        };
        let drawn = draw(&mut renderer);
        *kept = Some(renderer);
        Ok(drawn)
    }
}

/// The most recently used compiled games, with the latest at the end.
#[derive(Debug, Default)]
pub(super) struct Kept {
    games: Mutex<Vec<KeptGame>>,
    /// Locked while one of the user's own games is compiled. Such a game may be large, so only one is compiled at a time. Games from
    /// clients are small.
    own: Mutex<()>,
}

/// A stored compiled game.
#[derive(Debug)]
struct KeptGame {
    choice: Choice,
    compiled: Arc<Compiled>,
    bytes: u64,
}

impl Kept {
    /// Opens the chosen game, compiling it if it is not stored.
    ///
    /// # Errors
    /// The game has problems, or a sprite can't be drawn.
    pub(super) fn open(&self, games: &Games, choice: &Choice) -> Result<Arc<Compiled>, PlaygroundError> {
        if let Some(compiled) = self.find(choice) {
            return Ok(compiled);
        }
        let is_served = Choice { name: choice.name.clone(), ..Choice::default() } == *choice;
        let (game, bytes) = match games.find(&choice.name) {
            // The server stores this game in any case.
            Ok(game) if is_served => (game.clone(), 0),
            _ => {
                let _alone = self.alone(choice);
                // Another request may have compiled it meanwhile.
                if let Some(compiled) = self.find(choice) {
                    return Ok(compiled);
                }
                let game = document(games, choice)?.open(&options(choice)?)?;
                let bytes = game.size_in_bytes();
                (Arc::new(game), bytes)
            }
        };
        let bytes = bytes + bytes_of_renderers(&game) + choice.yaml.as_ref().map_or(0, String::len) as u64;
        let compiled = Arc::new(Compiled::new(game)?);
        if bytes <= MAX_KEPT_BYTES {
            let mut kept = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push(KeptGame { choice: choice.clone(), compiled: compiled.clone(), bytes });
            while kept.iter().map(|game| game.bytes).sum::<u64>() > MAX_KEPT_BYTES {
                kept.remove(0);
            }
        }
        Ok(compiled)
    }

    /// Makes other requests for the user's own games wait while one is compiled, because these games may be large.
    pub(super) fn alone(&self, choice: &Choice) -> Option<MutexGuard<'_, ()>> {
        choice.yaml.is_none().then(|| self.own.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Finds a stored game and makes it the most recent.
    fn find(&self, choice: &Choice) -> Option<Arc<Compiled>> {
        let mut kept = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|known| known.choice == *choice)?;
        let game = kept.remove(at);
        let compiled = game.compiled.clone();
        kept.push(game);
        Some(compiled)
    }
}

/// The size of a game's renderers if all of them are in use, in bytes.
fn bytes_of_renderers(game: &Game) -> u64 {
    let plots: u64 = game.fields().iter().map(|field| field.plots() as u64).sum();
    BYTES_OF_RENDERERS + plots * game.parts().len() as u64 * BYTES_OF_RENDERERS_PER_PLOT_AND_PART
}

/// Opens a farm of the catalogue.
///
/// # Errors
/// The catalogue has no game with this name (the error suggests the nearest name), or the game has problems or no plots.
pub(crate) fn open_shipped(choice: &Choice) -> Result<Game, Problems> {
    let name = &choice.name;
    if farm_games::is_file(name) {
        let problem = Problem::new(
            NameError::UnknownName,
            Path::default(),
            format!("`{name}` is a file, not a game of the catalogue"),
        );
        return Err(Problems(vec![problem.value(name)]));
    }
    let game = GameDocument::read(name, Consent::default())?.open(&options(choice)?)?;
    if Farm::of(&game).is_none() {
        let problem = Problem::new(NameError::UnknownName, Path::default(), format!("`{name}` has no plots with jobs"));
        return Err(Problems(vec![problem.value(name).expected("a game with plots, such as `clay_bean`")]));
    }
    Ok(game)
}

/// The chosen game. An edited game counts as third-party and can't read files, and a path is not a valid name.
///
/// # Errors
/// The server has no game with this name (the error suggests the nearest name), or the text has problems.
pub(super) fn document(games: &Games, choice: &Choice) -> Result<GameDocument, Problems> {
    match &choice.yaml {
        Some(text) => GameDocument::parse_of_stranger(EDITED, text),
        None => {
            check_name(games, &choice.name)?;
            GameDocument::read(&choice.name, Consent::default())
        }
    }
}

/// Accepts the names of served games and of family members. No other file on the machine is opened.
fn check_name(games: &Games, name: &str) -> Result<(), Problems> {
    if families::is_member(name) {
        return Ok(());
    }
    games.find(name).map(|_| ()).map_err(|problem| Problems(vec![*problem]))
}

/// The options for compiling the chosen game.
///
/// # Errors
/// The level does not belong to the game.
pub(super) fn options(choice: &Choice) -> Result<Options, Problems> {
    let level = choice.level.as_ref().map(|name| {
        let all = levels(&choice.name);
        all.iter().find(|level| level.source == *name).cloned().ok_or_else(|| {
            let message = format!("`{}` has no level `{name}`", choice.name);
            let problem = Problem::new(NameError::UnknownLevel, Path::default(), message).value(name);
            Problems(vec![problem.among(name, all.iter().map(|level| level.source.as_str()))])
        })
    });
    Ok(Options {
        written_by: Origin::Stranger,
        preset: choice.preset.clone(),
        level: level.transpose()?,
        set: choice.days.iter().map(|days| (MAX_STEPS.to_owned(), days.to_string())).collect(),
        ..Options::default()
    })
}

/// A game's shipped levels.
pub(super) fn levels(name: &str) -> Vec<LevelFile> {
    Split::ALL.iter().flat_map(|split| of_split(name, *split)).collect()
}

/// A game's original text.
///
/// # Errors
/// The server has no game with this name, or the game's file no longer exists.
pub(super) fn written(games: &Games, name: &str) -> Result<String, PlaygroundError> {
    check_name(games, name)?;
    match GameName::parse(name)? {
        GameName::File(path) => std::fs::read_to_string(path)
            .map_err(|error| PlaygroundError::Failed(format!("`{name}` can't be read: {error}"))),
        shipped => Ok(shipped.source(Consent::default())?.text().to_owned()),
    }
}
