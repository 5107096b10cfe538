//! Charts of results: `farm eval --plot`.

use std::path::{Path as FilePath, PathBuf};

use farm_output::{check_target, save, save_incomplete};
use farm_plot::Drawing;

use crate::targets::Format;

/// Pixels of a PNG for each pixel of its chart.
pub(crate) const PNG_SCALE: f32 = 2.0;

const FORMAT: Format =
    Format { option: "--plot", sentence: "charts are written as SVG or PNG", endings: &["svg", "png"] };

/// A file that a chart is to be written to.
#[derive(Debug)]
pub(crate) struct PlotFile {
    path: PathBuf,
    is_png: bool,
}

impl PlotFile {
    /// The file that `--plot` names.
    ///
    /// # Errors
    /// Another format than SVG or PNG; a path that can't be written, as far as that can be told before anything is played.
    pub(crate) fn open(path: &FilePath) -> anyhow::Result<Self> {
        let ending = FORMAT.check(path)?;
        check_target(path)?;
        Ok(Self { path: path.to_owned(), is_png: ending == "png" })
    }

    /// Writes a chart; returns where to.
    ///
    /// # Errors
    /// When it can't be drawn or written.
    pub(crate) fn save(&self, drawing: &Drawing) -> anyhow::Result<&FilePath> {
        save(&self.path, &self.bytes(drawing)?)?;
        Ok(&self.path)
    }

    /// Writes the chart of results that were cut short, under a name that says so; returns where to.
    ///
    /// # Errors
    /// When it can't be drawn or written.
    pub(crate) fn save_incomplete(&self, drawing: &Drawing) -> anyhow::Result<PathBuf> {
        Ok(save_incomplete(&self.path, &self.bytes(drawing)?)?)
    }

    fn bytes(&self, drawing: &Drawing) -> anyhow::Result<Vec<u8>> {
        Ok(if self.is_png { drawing.png(PNG_SCALE)? } else { drawing.svg().into_bytes() })
    }
}
