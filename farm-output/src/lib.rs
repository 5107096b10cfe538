#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! An [`OutputFile`] is written completely, or not at all, or under a name that marks it as incomplete. [`save`] writes a whole file at
//! once. [`check_target`] checks before a computation whether a file can be written. An [`Image`] consists of pixels. It is encoded as PNG,
//! in all its colours or in the colours of a [`Palette`]. [`heat_color`] maps numbers to colours.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod error;
mod file;
mod heat;
mod image;
mod palette;

pub use error::OutputError;
pub use file::{OutputFile, check_target, incomplete, is_incomplete, save, save_incomplete, save_private};
pub use heat::{blend, heat_color};
pub use image::{Bitmap, Image, Rect};
pub use palette::{Color, Counted, Palette};
