//! Pictures of what a learner observes, for agents that see.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use farm_core::Environment;
use farm_render::{Frame, PictureOptions, Renderer, View};

/// Draws an episode's pictures. They have no header, which would contain the game's name, and numbers that the texts may not show.
#[derive(Default)]
pub struct Eyes(Option<Renderer>);

/// A picture as PNG.
#[derive(Debug)]
pub struct Picture {
    /// The PNG file in base64.
    pub png: String,
    /// The width in pixels.
    pub width: usize,
    /// The height in pixels.
    pub height: usize,
}

impl fmt::Debug for Eyes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eyes").finish_non_exhaustive()
    }
}

impl Clone for Eyes {
    /// The eyes for another episode.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Eyes {
    /// The picture of the learner's view of an episode. All calls must have the same game.
    ///
    /// # Errors
    /// The game has no picture; the text is the reason.
    pub fn see(&mut self, environment: &Environment) -> Result<Picture, String> {
        let renderer = match &mut self.0 {
            Some(renderer) => renderer,
            none => {
                let options = PictureOptions { view: View::Learner, header: false, ..PictureOptions::default() };
                let made = Renderer::new(environment.game().clone(), &options).map_err(|error| error.to_string())?;
                none.insert(made)
            }
        };
        let image = renderer.render(&Frame::of(environment.state()));
        let png = image.to_png().map_err(|error| error.to_string())?;
        Ok(Picture { png: STANDARD.encode(png), width: image.width(), height: image.height() })
    }
}
