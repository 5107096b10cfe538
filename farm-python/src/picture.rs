//! What draws the pictures of environments.

use std::sync::Arc;

use farm_core::Game;
use farm_render::{Image, PictureOptions, Renderer, View};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors;

/// The most renderers that are kept: environments of one batch may play on levels of their own.
const MAX_RENDERERS: usize = 16;

/// Renderers, each made when the first picture of its game and view is asked for.
#[derive(Default)]
pub(crate) struct Pictures {
    made: Vec<(Arc<Game>, bool, Renderer)>,
}

impl Pictures {
    /// What draws a game: all of it, or what the learner is shown.
    ///
    /// # Errors
    /// A sprite that is not an SVG.
    pub(crate) fn of(&mut self, game: &Arc<Game>, learner: bool) -> PyResult<&mut Renderer> {
        let known = self.made.iter().position(|(made, view, _)| Arc::ptr_eq(made, game) && *view == learner);
        let at = match known {
            Some(at) => at,
            None => {
                let view = if learner { View::Learner } else { View::Everything };
                let options = PictureOptions { view, ..PictureOptions::default() };
                let renderer = Renderer::new(game.clone(), &options).map_err(|error| errors::render(&error))?;
                if self.made.len() == MAX_RENDERERS {
                    self.made.remove(0);
                }
                self.made.push((game.clone(), learner, renderer));
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
