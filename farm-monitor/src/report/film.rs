//! The season as a strip of pictures.

use std::sync::Arc;

use farm_core::{Game, State};
use farm_render::{Frame, Options, Palette, RenderError, Renderer};

use super::rows::halve;

/// So many pictures are kept at the most.
const MOST_FRAMES: usize = 36;

/// So many bytes of pictures are kept at the most, except for the last.
const MOST_BYTES: usize = 1_000_000;

/// One picture.
#[derive(Debug, Clone)]
pub struct Shot {
    /// The day.
    pub day: u32,
    /// The sum of rewards so far.
    pub total: f64,
    /// What was done in the step before.
    pub actions: String,
    /// The PNG.
    pub png: Vec<u8>,
}

/// A strip in the making.
#[derive(Debug)]
pub struct Strip {
    renderer: Renderer,
    palette: Palette,
    every: u32,
    shots: Vec<Shot>,
    /// The latest picture, if it is none of those that are kept: a season's end is always shown.
    last: Option<Shot>,
    failure: Option<RenderError>,
}

impl Strip {
    /// Prepares to draw a game.
    ///
    /// # Errors
    /// A sprite that is no SVG.
    pub fn new(game: Arc<Game>) -> Result<Self, RenderError> {
        let options = Options { max_width: 480, max_height: 440, legend: false, ..Options::default() };
        let renderer = Renderer::new(game, &options)?;
        Ok(Self { palette: renderer.palette(), renderer, every: 1, shots: Vec::new(), last: None, failure: None })
    }

    /// Pixels of a picture.
    pub fn size(&self) -> (usize, usize) {
        self.renderer.size()
    }

    /// Draws a state, if its day is one of those that are shown, or the last.
    pub fn frame(&mut self, state: &State, total: f64, reward: Option<f64>, actions: &str) {
        let is_wanted = state.step.is_multiple_of(self.every);
        if self.failure.is_some() || !(is_wanted || state.over) {
            return;
        }
        let image = self.renderer.render(&Frame { state, total, reward, actions });
        let png = match image.to_small_png(&self.palette) {
            Ok(png) => png,
            Err(error) => {
                self.failure = Some(error);
                return;
            }
        };
        let shot = Shot { day: state.step, total, actions: actions.to_owned(), png };
        if !is_wanted {
            self.last = Some(shot);
            return;
        }
        self.shots.push(shot);
        let bytes = |shots: &[Shot]| shots.iter().map(|shot| shot.png.len()).sum::<usize>();
        while self.shots.len() > 2 && (self.shots.len() > MOST_FRAMES || bytes(&self.shots) > MOST_BYTES) {
            // The newest picture may be dropped, and be the last of the episode.
            if self.shots.len() % 2 == 0 && state.over {
                self.last = self.shots.last().cloned();
            }
            halve(&mut self.shots);
            self.every = self.every.saturating_mul(2);
        }
    }

    /// The pictures, and every how many days there is one.
    ///
    /// # Errors
    /// A picture that could not be encoded.
    pub fn finish(self) -> Result<(Vec<Shot>, u32), RenderError> {
        let Self { mut shots, last, failure, every, .. } = self;
        shots.extend(last);
        failure.map_or(Ok((shots, every)), Err)
    }
}
