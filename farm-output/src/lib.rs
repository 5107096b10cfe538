//! What results are written with. It knows nothing of farms.
//!
//! An [`OutputFile`] is written as a whole or not at all, or under a name that says that it was cut short; [`save`] writes one at once, and
//! [`check_target`] tells before anything is computed that a file can't be written. An [`Image`] is a picture of pixels that is encoded as
//! PNG, in all its colours or in those of a [`Palette`]; [`heat_color`] gives numbers colours.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod error;
mod file;
mod heat;
mod image;
mod palette;

pub use error::OutputError;
pub use file::{OutputFile, check_target, incomplete, is_incomplete, save, save_incomplete};
pub use heat::{blend, heat_color};
pub use image::{Bitmap, Color, Image, Rect};
pub use palette::{Counted, Palette};
