//! Errors when drawing a chart.

/// The embedded font can't be read, with the reason.
#[derive(Debug, thiserror::Error)]
#[error("the embedded font can't be read: {0}")]
pub struct FontError(pub String);

/// Reasons why a chart can't be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The embedded font can't be read.
    #[error(transparent)]
    Font(#[from] FontError),
    /// The picture can't be drawn or encoded.
    #[error("the chart can't be drawn as PNG: {0}")]
    Png(String),
    /// The picture would have more than 100 million pixels.
    #[error("a chart of {width} × {height} pixels is too large: draw fewer groups at once")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
}
