//! Charts of results: `farm eval --plot`.

use std::path::{Path as FilePath, PathBuf};

use farm_output::{check_target, save, save_incomplete};
use farm_plot::Drawing;

use crate::targets::Format;

/// The number of PNG pixels per chart pixel.
pub(crate) const PNG_SCALE: f32 = 2.0;

const FORMAT: Format =
    Format { option: "--plot", sentence: "charts are written as SVG or PNG", endings: &["svg", "png"] };

/// A chart's output file.
#[derive(Debug)]
pub(crate) struct PlotFile {
    path: PathBuf,
    is_png: bool,
}

impl PlotFile {
    /// The file given to `--plot`.
    ///
    /// # Errors
    /// Fails if the format is not SVG or PNG, or if the path can't be written. Where possible, this is checked before anything is played.
    pub(crate) fn open(path: &FilePath) -> anyhow::Result<Self> {
        let ending = FORMAT.check(path)?;
        check_target(path)?;
        Ok(Self { path: path.to_owned(), is_png: ending == "png" })
    }

    /// Writes a chart; returns the path.
    ///
    /// # Errors
    /// Fails if the chart can't be drawn or written.
    pub(crate) fn save(&self, drawing: &Drawing) -> anyhow::Result<&FilePath> {
        save(&self.path, &self.bytes(drawing)?)?;
        Ok(&self.path)
    }

    /// Writes an interrupted run's chart under the name of an incomplete file; returns the path.
    ///
    /// # Errors
    /// Fails if the chart can't be drawn or written.
    pub(crate) fn save_incomplete(&self, drawing: &Drawing) -> anyhow::Result<PathBuf> {
        Ok(save_incomplete(&self.path, &self.bytes(drawing)?)?)
    }

    fn bytes(&self, drawing: &Drawing) -> anyhow::Result<Vec<u8>> {
        Ok(if self.is_png { drawing.png(PNG_SCALE)? } else { drawing.svg().into_bytes() })
    }
}
