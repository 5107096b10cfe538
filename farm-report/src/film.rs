//! A strip of pictures from the season.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{Game, State};
use farm_render::{Frame, Image, Palette, PictureOptions, RenderError, Renderer, in_words};

use crate::rows::halve;

/// The maximum number of pictures, not counting the last one.
const MAX_FRAMES: usize = 36;

/// The maximum total size of the pictures in bytes. At least two pictures are kept, even if they exceed this size.
const MAX_BYTES: usize = 1_000_000;

/// A picture, and the episode's state at that time.
#[derive(Debug, Clone)]
pub(crate) struct Shot<P> {
    /// The day.
    pub day: u32,
    /// The sum of rewards so far.
    pub total: f64,
    /// The actions in the preceding step.
    pub actions: String,
    /// The picture.
    pub picture: P,
}

/// A shot as PNG.
pub(crate) type Encoded = Shot<Vec<u8>>;

/// A strip that records an episode.
#[derive(Debug)]
pub(crate) struct FilmStrip {
    game: Arc<Game>,
    renderer: Renderer,
    every: u32,
    shots: Vec<Shot<Image>>,
    /// The end of the episode, which the strip always contains.
    last: Option<Shot<Image>>,
}

impl FilmStrip {
    /// Creates a strip for a game.
    ///
    /// # Errors
    /// A sprite is not a valid SVG.
    pub(crate) fn new(game: Arc<Game>) -> Result<Self, RenderError> {
        let options = PictureOptions { max_width: 480, max_height: 440, ..PictureOptions::default() };
        Ok(Self { renderer: Renderer::new(game.clone(), &options)?, game, every: 1, shots: Vec::new(), last: None })
    }

    /// The width and height of a picture in pixels.
    pub(crate) fn size(&self) -> (usize, usize) {
        self.renderer.size()
    }

    /// Draws a state if its day is one of the shown days, or if the episode is over.
    pub(crate) fn frame(&mut self, state: &State, total: f64, reward: Option<f64>, executed: &[Call]) {
        let first = self.shots.first().map_or(state.step(), |shot| shot.day);
        if !(state.step().wrapping_sub(first).is_multiple_of(self.every) || state.over()) {
            return;
        }
        let picture = self.renderer.render(&Frame { total, reward, executed, ..Frame::of(state) }).clone();
        let shot = Shot { day: state.step(), total, actions: in_words(&self.game, executed), picture };
        if state.over() {
            self.last = Some(shot);
            return;
        }
        self.shots.push(shot);
        if self.shots.len() > MAX_FRAMES {
            halve(&mut self.shots);
            self.every = self.every.saturating_mul(2);
        }
    }

    /// Encodes the pictures as PNG. Also returns the interval between them in days, which does not apply to the last picture.
    ///
    /// # Errors
    /// A picture can't be encoded.
    pub(crate) fn finish(self) -> Result<(Vec<Encoded>, u32), RenderError> {
        let Self { shots, last, mut every, .. } = self;
        let mut shots = shots.into_iter().map(encoded).collect::<Result<Vec<_>, _>>()?;
        let last = last.map(encoded).transpose()?;
        while shots.len() > 2 && shots.iter().map(|shot| shot.picture.len()).sum::<usize>() > MAX_BYTES {
            halve(&mut shots);
            every = every.saturating_mul(2);
        }
        shots.extend(last);
        Ok((shots, every))
    }
}

/// Encodes a picture with its own palette, because one palette for all pictures would be coarser.
fn encoded(shot: Shot<Image>) -> Result<Encoded, RenderError> {
    let Shot { day, total, actions, picture } = shot;
    let mut colors = Palette::count();
    colors.add(picture.pixels(), 1);
    Ok(Shot { day, total, actions, picture: picture.to_small_png(&colors.palette())? })
}
