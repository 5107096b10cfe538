//! Charts of results: `farm eval --plot`.

use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{Location, Path, Problem, Problems};
use farm_plot::Drawing;
use farm_render::{check_target, save};

/// Pixels of a PNG for each pixel of its chart.
const PNG_SCALE: f32 = 2.0;

/// The formats, by the end of a file's name.
const FORMATS: [&str; 2] = ["svg", "png"];

/// A file that a chart is to be written to.
#[derive(Debug)]
pub struct PlotFile {
    path: PathBuf,
    is_png: bool,
}

impl PlotFile {
    /// The file that `--plot` names.
    ///
    /// # Errors
    /// Another format than SVG or PNG; a path that can't be written, as far as that can be told before anything is played.
    pub fn open(path: &FilePath) -> anyhow::Result<Self> {
        let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
        // What is no file, such as a device, has no name to tell the format by.
        let is_device = extension.is_empty() && path.exists() && !path.is_file() && !path.is_dir();
        if !is_device && !FORMATS.contains(&extension.as_str()) {
            let message = format!("charts are written as SVG or PNG, and `{}` is neither", path.display());
            let mut problem = Problem::new(Path::default(), message).value(path.display().to_string());
            problem.location = Some(Location { source: format!("--plot {}", path.display()), position: None });
            let help = format!("--plot {}", path.with_extension("svg").display());
            return Err(Problems(vec![problem.expected("a name that ends in .svg or .png").help(help)]).into());
        }
        check_target(path)?;
        Ok(Self { path: path.to_owned(), is_png: extension == "png" })
    }

    /// Writes a chart; returns where to.
    ///
    /// # Errors
    /// When it can't be drawn or written.
    pub fn save(&self, drawing: &Drawing) -> anyhow::Result<&FilePath> {
        let bytes = if self.is_png { drawing.png(PNG_SCALE)? } else { drawing.svg().into_bytes() };
        save(&self.path, &bytes)?;
        Ok(&self.path)
    }
}
