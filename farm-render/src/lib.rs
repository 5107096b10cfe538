#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! The pictures are [`farm_core::declare::Picture`]s, and the crate contains no code for specific entities or games. Create one
//! [`Renderer`] per game: it draws each sprite once, at plot size. Each call to [`Renderer::render`] then redraws only the plots that have
//! changed. [`Gif`] and [`Mp4`] make films from images, and [`farm_output::save`] writes them. A [`TextRenderer`] shows the same content
//! as characters.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

/// The Rust examples on the page about pictures, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/pictures-and-films.md")]
struct PicturesAndFilms;

mod around;
mod canvas;
mod card;
mod compile;
mod compiled;
mod composite;
mod error;
mod film;
mod gif;
mod heat;
mod layout;
mod legend;
mod maps;
#[cfg(feature = "mp4")]
mod mp4;
#[cfg(feature = "mp4")]
mod mp4_boxes;
mod observed;
mod page;
mod palette;
mod passing;
mod plots;
mod renderer;
mod scene;
mod season;
mod sheet;
mod sprites;
mod story;
mod text;
mod text_renderer;
mod values;
mod view;
mod words;
mod written;

pub use error::RenderError;
pub use film::{Film, FilmFormat, FilmOptions};
pub use gif::Gif;
// The types of its pictures.
pub use farm_output::{Bitmap, Color, Image, Palette, Rect};
pub use layout::{PictureOptions, Size, View};
pub use legend::Legend;
#[cfg(feature = "mp4")]
pub use mp4::Mp4;
pub use page::HtmlPage;
pub use palette::contrast;
pub use passing::Reading;
pub use renderer::{Frame, Renderer};
pub use season::Season;
pub use sprites::check_sprite;
pub use story::{LineKind, StoryLine, StoryStep, Told, story, tell};
pub use text_renderer::{Change, Mark, NamedValue, StatusBarItem, TextRenderer, Thing, Tile};
pub use words::{counts_days, in_words, is_direct};
