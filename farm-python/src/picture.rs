//! Draws environments.

use std::sync::Arc;

use farm_core::Game;
use farm_render::{Image, Legend, Renderer, Size, View};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors;

/// Maximum number of stored renderers. Several are needed because the environments in a batch may play different levels.
const MAX_RENDERERS: usize = 16;

/// The content and size of pictures.
#[pyclass(module = "farm_gym._native", frozen)]
pub struct PictureOptions {
    pub(crate) options: farm_render::PictureOptions,
}

#[pymethods]
impl PictureOptions {
    /// Reads the options in the form that the command line uses, and rejects invalid ones.
    #[new]
    #[pyo3(signature = (learner, size=None, scale=None, legend="none", season=false))]
    fn new(learner: bool, size: Option<&str>, scale: Option<f64>, legend: &str, season: bool) -> PyResult<Self> {
        let refused = |message: String| errors::ConfigError::new_err(message);
        let size = match (size, scale) {
            (Some(_), Some(_)) => return Err(refused("a picture has a size or a scale, not both".to_owned())),
            (Some(size), None) => size.parse::<Size>().map_err(refused)?,
            (None, scale) => Size::scaled(scale.unwrap_or(1.0)).map_err(refused)?,
        };
        let legend = legend.parse::<Legend>().map_err(refused)?;
        let view = if learner { View::Learner } else { View::Everything };
        let usual = farm_render::PictureOptions::DEFAULT;
        Ok(Self { options: farm_render::PictureOptions { view, size, legend, season, ..usual } })
    }
}

/// Renderers, each created for the first picture of its game with these options.
#[derive(Default)]
pub(crate) struct Pictures {
    made: Vec<(Arc<Game>, farm_render::PictureOptions, Renderer)>,
}

impl Pictures {
    /// The renderer for a game with these options.
    ///
    /// # Errors
    /// A sprite is not an SVG.
    pub(crate) fn of(&mut self, game: &Arc<Game>, options: &PictureOptions) -> PyResult<&mut Renderer> {
        let known = self.made.iter().position(|(made, drawn, _)| Arc::ptr_eq(made, game) && *drawn == options.options);
        let at = match known {
            Some(at) => at,
            None => {
                let renderer = Renderer::new(game.clone(), &options.options).map_err(|error| errors::render(&error))?;
                if self.made.len() == MAX_RENDERERS {
                    self.made.remove(0);
                }
                self.made.push((game.clone(), options.options, renderer));
                self.made.len() - 1
            }
        };
        Ok(&mut self.made[at].2)
    }
}

/// An image as an array of shape (height, width, 3).
pub(crate) fn array<'py>(py: Python<'py>, image: &Image) -> PyResult<Bound<'py, PyArray3<u8>>> {
    PyArray1::from_slice(py, image.pixels()).reshape([image.height(), image.width(), 3])
}
