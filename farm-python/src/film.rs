//! Films: GIF and MP4 files of environments, or of any pictures.

use std::path::PathBuf;

use farm_output::{check_target, save};
use farm_render::{FilmFormat, FilmOptions, Frame, Gif, Image, Mp4, Palette, RenderError};
use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors;
use crate::picture::PictureOptions;

/// Maximum number of pictures, evenly spaced in a film, whose colours are counted. More pictures take longer and change little.
const MAX_COUNTED: usize = 16;

/// An unfinished film. Its bytes stay in memory: nothing is written before the film is complete, and until then an existing file is
/// unchanged.
#[pyclass(module = "farm_gym._native")]
pub struct Film {
    path: PathBuf,
    format: FilmFormat,
    options: FilmOptions,
    caption: String,
    /// Created when the first frame is added, because the frame's environment provides the game.
    film: Option<farm_render::Film>,
    frames: usize,
}

#[pymethods]
impl Film {
    /// Starts a film that will be written to a path, as GIF or as MP4. Rejects a path that can't be written, or an invalid number,
    /// immediately. The film shows one of every `every` states. Without `every`, it shows as many as fit in `seconds`, if the game has a
    /// maximum number of steps.
    #[new]
    #[pyo3(signature = (path, is_gif, frames_per_second, options, every=None, seconds=None, caption=""))]
    fn new(
        path: PathBuf,
        is_gif: bool,
        frames_per_second: f64,
        options: &PictureOptions,
        every: Option<i64>,
        seconds: Option<f64>,
        caption: &str,
    ) -> PyResult<Self> {
        let refused = |message: String| Err(errors::ConfigError::new_err(message));
        let lengths = FilmOptions::SECONDS;
        check_rate(frames_per_second)?;
        if let Some(seconds) = seconds.filter(|seconds| !lengths.contains(seconds)) {
            return refused(format!(
                "a film of {seconds} seconds: from {} to {} are possible",
                lengths.start(),
                lengths.end()
            ));
        }
        let every = match every.map(u32::try_from) {
            None => None,
            Some(Ok(every @ 1..)) if seconds.is_none() => Some(every),
            Some(Ok(1..)) => return refused("a film has `every` or `seconds`, not both".to_owned()),
            Some(_) => {
                return refused("`every` must be an integer of at least 1 (steps per frame)".to_owned());
            }
        };
        check_target(&path).map_err(|error| errors::written(&error))?;
        let usual = FilmOptions::of(options.options, frames_per_second);
        let options = FilmOptions { every, seconds: seconds.unwrap_or(usual.seconds), ..usual };
        let format = if is_gif { FilmFormat::Gif } else { FilmFormat::Mp4 };
        Ok(Self { path, format, options, caption: caption.to_owned(), film: None, frames: 0 })
    }

    /// Adds the current state of an environment, which becomes a frame if `every` selects it.
    fn add(&mut self, environment: &Environment) -> PyResult<()> {
        let game = environment.environment.game();
        let film = match &mut self.film {
            Some(film) => {
                film.follow(game).map_err(|error| errors::render(&error))?;
                film
            }
            None => {
                let film = farm_render::Film::new(game.clone(), &[self.format], &self.options);
                self.film.insert(film.map_err(|error| errors::render(&error))?)
            }
        };
        let frame = Frame { caption: &self.caption, ..environment.frame() };
        film.add(&frame).map_err(|error| errors::render(&error))?;
        self.frames = film.frames();
        Ok(())
    }

    /// Number of frames.
    #[getter]
    fn frames(&self) -> usize {
        self.frames
    }

    /// Writes the file, completely or not at all.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(film) = self.film.take() else { return Err(no_frames(&self.path)) };
        let path = &self.path;
        py.detach(|| {
            let bytes = film.finish().into_iter().collect::<Result<Vec<_>, _>>()?;
            Ok(save(path, &bytes.concat())?)
        })
        .map_err(|error: RenderError| errors::render(&error))
    }
}

fn check_rate(frames_per_second: f64) -> PyResult<()> {
    let rates = FilmOptions::FRAMES_PER_SECOND;
    if rates.contains(&frames_per_second) {
        return Ok(());
    }
    let (least, most) = (rates.start(), rates.end());
    Err(errors::ConfigError::new_err(format!(
        "{frames_per_second} frames a second: from {least} to {most} are possible"
    )))
}

fn no_frames(path: &std::path::Path) -> PyErr {
    errors::ConfigError::new_err(format!("the film {} has no frames", path.display()))
}

/// Writes pictures, which are arrays of shape (height, width, 3), as a film. A GIF's palette is computed from these pictures.
#[pyfunction]
pub(crate) fn save_film(
    py: Python<'_>,
    path: PathBuf,
    is_gif: bool,
    frames_per_second: f64,
    pictures: Vec<PyReadonlyArray3<'_, u8>>,
) -> PyResult<()> {
    check_rate(frames_per_second)?;
    check_target(&path).map_err(|error| errors::written(&error))?;
    let mut images = Vec::with_capacity(pictures.len());
    for (number, picture) in pictures.iter().enumerate() {
        let [height, width, channels] = [0, 1, 2].map(|axis| picture.shape()[axis]);
        let pixels = picture.as_array().iter().copied().collect();
        if channels != 3 || width * height == 0 {
            let message =
                format!("picture {number} has the shape ({height}, {width}, {channels}): (height, width, 3) is needed");
            return Err(errors::ConfigError::new_err(message));
        }
        images.push(Image::from_pixels(width, height, pixels).map_err(|error| errors::written(&error))?);
    }
    let Some(first) = images.first() else { return Err(no_frames(&path)) };
    let size = (first.width(), first.height());
    let encode = || {
        if !is_gif {
            let mut mp4 = Mp4::new(size, frames_per_second)?;
            images.iter().try_for_each(|image| mp4.frame(image))?;
            return mp4.finish();
        }
        let mut colors = Palette::count();
        let every = images.len().div_ceil(MAX_COUNTED);
        images.iter().step_by(every).for_each(|image| colors.add(image.pixels(), 1));
        let mut gif = Gif::new(size, colors.palette(), frames_per_second)?;
        images.iter().try_for_each(|image| gif.frame(image))?;
        gif.finish()
    };
    py.detach(|| Ok(save(&path, &encode()?)?)).map_err(|error: RenderError| errors::render(&error))
}
