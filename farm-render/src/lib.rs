//! Pictures and films of games, drawn from what their parts declare (`farm_core::picture`).
//!
//! It knows no entity and no game. A [`Renderer`] is made once for a game: it draws each sprite in the size of a plot. Each
//! [`Renderer::render`] then redraws only the plots that have changed. [`Gif`] and [`Mp4`] make films of images; [`save`] writes a
//! file as a whole or not at all. A [`Mosaic`] shows the same in characters, for terminals.

/// The Rust of the page on pictures, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/pictures-and-films.md")]
struct PicturesAndFilms;

mod compile;
mod error;
mod gif;
mod heat;
mod image;
mod layout;
mod mosaic;
#[cfg(feature = "mp4")]
mod mp4;
#[cfg(feature = "mp4")]
mod mp4_boxes;
mod observed;
mod palette;
mod renderer;
mod save;
mod sprites;
mod text;
mod values;
mod view;

pub use error::RenderError;
pub use gif::Gif;
pub use heat::color as heat_color;
pub use image::{Bitmap, Color, Image, Rect};
pub use layout::{Options, View};
pub use mosaic::{Change, Mark, Mosaic, NamedValue, StripItem, Thing, Tile};
#[cfg(feature = "mp4")]
pub use mp4::Mp4;
pub use palette::Palette;
pub use renderer::{Frame, Renderer};
pub use save::{OutputFile, check_target, save};
pub use sprites::check_sprite;
