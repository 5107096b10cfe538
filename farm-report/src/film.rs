//! The season as a strip of pictures.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{Game, State};
use farm_render::{Frame, Image, Palette, PictureOptions, RenderError, Renderer, in_words};

use crate::rows::halve;

/// So many pictures are kept at the most, the last one besides.
const MAX_FRAMES: usize = 36;

/// So many bytes of pictures are kept at the most, as long as there are more than two.
const MAX_BYTES: usize = 1_000_000;

/// One picture and how the episode stood.
#[derive(Debug, Clone)]
pub(crate) struct Shot<P> {
    /// The day.
    pub day: u32,
    /// The sum of rewards so far.
    pub total: f64,
    /// What was done in the step before.
    pub actions: String,
    /// The picture.
    pub picture: P,
}

/// A shot as PNG.
pub(crate) type Encoded = Shot<Vec<u8>>;

/// A strip in the making.
#[derive(Debug)]
pub(crate) struct FilmStrip {
    game: Arc<Game>,
    renderer: Renderer,
    every: u32,
    shots: Vec<Shot<Image>>,
    /// The end of the episode, which is always shown.
    last: Option<Shot<Image>>,
}

impl FilmStrip {
    /// Prepares to draw a game.
    ///
    /// # Errors
    /// A sprite that is not an SVG.
    pub(crate) fn new(game: Arc<Game>) -> Result<Self, RenderError> {
        let options = PictureOptions { max_width: 480, max_height: 440, ..PictureOptions::default() };
        Ok(Self { renderer: Renderer::new(game.clone(), &options)?, game, every: 1, shots: Vec::new(), last: None })
    }

    /// Pixels of a picture.
    pub(crate) fn size(&self) -> (usize, usize) {
        self.renderer.size()
    }

    /// Draws a state, if its day is one of those that are shown, or the last.
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

    /// The pictures as PNG, and every how many days there is one besides the last.
    ///
    /// # Errors
    /// A picture that can't be encoded.
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

/// Each picture has the colours that it needs: a palette for all of them would be coarser.
fn encoded(shot: Shot<Image>) -> Result<Encoded, RenderError> {
    let Shot { day, total, actions, picture } = shot;
    let mut colors = Palette::count();
    colors.add(picture.pixels(), 1);
    Ok(Shot { day, total, actions, picture: picture.to_small_png(&colors.palette())? })
}
