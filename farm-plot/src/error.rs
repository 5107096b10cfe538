//! What can go wrong when a chart is written.

/// The embedded font can't be read, and why.
#[derive(Debug, thiserror::Error)]
#[error("the embedded font can't be read: {0}")]
pub struct FontError(pub String);

/// Why there is no chart.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The embedded font can't be read.
    #[error(transparent)]
    Font(#[from] FontError),
    /// The picture can't be drawn or encoded.
    #[error("the chart can't be drawn as PNG: {0}")]
    Png(String),
    /// The picture would have more pixels than a computer should hold.
    #[error("a chart of {width} × {height} pixels is too large: draw fewer groups at once")]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
}
