//! Films: GIF and MP4 files of what environments draw, or of pictures from anywhere.

use std::path::PathBuf;

use farm_output::{check_target, save};
use farm_render::{Gif, Image, Mp4, Palette, RenderError};
use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors;

/// Pictures of a film whose colours are counted, evenly spread over it: more take long and change little.
const MAX_COUNTED: usize = 16;

/// A film in the making. Its bytes are in memory until it is complete: nothing is written before, and a file of that name stays as it is.
#[pyclass(module = "farm_gym._native")]
pub struct Film {
    path: PathBuf,
    is_gif: bool,
    frames_per_second: f64,
    learner: bool,
    /// Made with the first frame, which tells the size.
    encoder: Option<Encoder>,
    frames: usize,
}

enum Encoder {
    Gif(Box<Gif>),
    Mp4(Box<Mp4>),
}

impl Encoder {
    fn new(
        is_gif: bool,
        size: (usize, usize),
        frames_per_second: f64,
        palette: impl FnOnce() -> Palette,
    ) -> Result<Self, RenderError> {
        Ok(if is_gif {
            Self::Gif(Box::new(Gif::new(size, palette(), frames_per_second)?))
        } else {
            Self::Mp4(Box::new(Mp4::new(size, frames_per_second)?))
        })
    }

    fn frame(&mut self, image: &Image) -> Result<(), RenderError> {
        match self {
            Self::Gif(gif) => gif.frame(image),
            Self::Mp4(mp4) => mp4.frame(image),
        }
    }

    fn finish(self) -> Result<Vec<u8>, RenderError> {
        match self {
            Self::Gif(gif) => gif.finish(),
            Self::Mp4(mp4) => mp4.finish(),
        }
    }
}

#[pymethods]
impl Film {
    /// A film that will be written to a path, as GIF or as MP4; a path that can't be written is refused now.
    #[new]
    fn new(path: PathBuf, is_gif: bool, frames_per_second: f64, learner: bool) -> PyResult<Self> {
        check_target(&path).map_err(|error| errors::written(&error))?;
        Ok(Self { path, is_gif, frames_per_second, learner, encoder: None, frames: 0 })
    }

    /// Adds an environment as it stands.
    fn add(&mut self, environment: &mut Environment) -> PyResult<()> {
        if self.encoder.is_none() {
            let renderer = environment.renderer(self.learner)?;
            let made = Encoder::new(self.is_gif, renderer.size(), self.frames_per_second, || renderer.palette());
            self.encoder = Some(made.map_err(|error| errors::render(&error))?);
        }
        let image = environment.draw(self.learner)?;
        if let Some(encoder) = &mut self.encoder {
            encoder.frame(image).map_err(|error| errors::render(&error))?;
            self.frames += 1;
        }
        Ok(())
    }

    /// Adds all pictures of a film, arrays of shape (height, width, 3): the colours of a GIF are chosen among theirs.
    fn add_pictures(&mut self, py: Python<'_>, pictures: Vec<PyReadonlyArray3<'_, u8>>) -> PyResult<()> {
        let mut images = Vec::with_capacity(pictures.len());
        for (number, picture) in pictures.iter().enumerate() {
            let [height, width, channels] = [0, 1, 2].map(|axis| picture.shape()[axis]);
            let pixels = picture.as_array().iter().copied().collect();
            if channels != 3 || width * height == 0 {
                let message = format!(
                    "picture {number} has the shape ({height}, {width}, {channels}): (height, width, 3) is needed"
                );
                return Err(errors::ConfigError::new_err(message));
            }
            images.push(Image::from_pixels(width, height, pixels).map_err(|error| errors::written(&error))?);
        }
        let Some(first) = images.first() else { return Ok(()) };
        let palette = || {
            let mut colors = Palette::count();
            let every = images.len().div_ceil(MAX_COUNTED);
            images.iter().step_by(every).for_each(|image| colors.add(image.pixels(), 1));
            colors.palette()
        };
        let (is_gif, size, fps) = (self.is_gif, (first.width(), first.height()), self.frames_per_second);
        let encoded = py.detach(|| {
            let mut encoder = Encoder::new(is_gif, size, fps, palette)?;
            images.iter().try_for_each(|image| encoder.frame(image))?;
            Ok(encoder)
        });
        self.encoder = Some(encoded.map_err(|error: RenderError| errors::render(&error))?);
        self.frames = images.len();
        Ok(())
    }

    /// How many frames it has.
    #[getter]
    fn frames(&self) -> usize {
        self.frames
    }

    /// Writes the file, as a whole or not at all.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(encoder) = self.encoder.take() else {
            return Err(errors::ConfigError::new_err(format!("the film {} has no frames", self.path.display())));
        };
        let path = &self.path;
        py.detach(|| encoder.finish().and_then(|bytes| Ok(save(path, &bytes)?))).map_err(|error| errors::render(&error))
    }
}
