//! Errors when drawing and writing pictures.

use farm_output::Image;

/// Reasons why a picture or film fails.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A sprite that a part declares is not an SVG.
    #[error("the sprite `{rule}` of the picture `{picture}` of `{part}` is not an SVG: {message}")]
    Sprite {
        /// The part.
        part: String,
        /// The title of the picture.
        picture: String,
        /// The name of the sprite rule.
        rule: String,
        /// The SVG parser's message.
        message: String,
    },
    /// The embedded font can't be read.
    #[error(transparent)]
    Font(#[from] farm_plot::FontError),
    /// An image or a film can't be encoded or written.
    #[error(transparent)]
    Output(#[from] farm_output::OutputError),
    /// The size of a frame differs from the size of its film.
    #[error("a frame has {found_width} × {found_height} pixels, but the film has {width} × {height}")]
    FrameSize {
        /// Width of the film.
        width: usize,
        /// Height of the film.
        height: usize,
        /// Width of the frame.
        found_width: usize,
        /// Height of the frame.
        found_height: usize,
    },
}

/// Checks that a frame has the size of its film.
///
/// # Errors
/// [`RenderError::FrameSize`].
pub(crate) fn check_frame(image: &Image, (width, height): (usize, usize)) -> Result<(), RenderError> {
    let (found_width, found_height) = (image.width(), image.height());
    if (found_width, found_height) == (width, height) {
        return Ok(());
    }
    Err(RenderError::FrameSize { width, height, found_width, found_height })
}
