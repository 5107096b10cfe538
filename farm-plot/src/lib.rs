//! Charts of numbers as SVG and PNG. It knows nothing of farms.
//!
//! | chart | shows |
//! |---|---|
//! | [`Distributions`] | how the values of groups spread: boxes, single values, an estimate with its interval |
//! | [`Lines`] | values over steps: lines, bands, stacked columns, with what happened marked on the axis |
//! | [`Panels`] | small multiples: charts of lines side by side, with one title and one legend |
//! | [`Timeline`] | what happened when, in rows |
//! | [`Bars`] | amounts side by side, stacked where they have parts |
//!
//! Each is a plain struct that is filled in and drawn; the [`Drawing`] is written as SVG, which needs no other file, or as PNG with
//! the same letters on every machine. Colours are those of Okabe and Ito, which people who see few colours tell apart; beyond them
//! lines are dashed. Every number may be missing, constant, tiny or huge: what is not finite is left out and said to be.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod axis;
mod bars;
mod distributions;
mod drawing;
mod error;
mod font;
mod frame;
mod html;
mod lines;
mod number;
mod palette;
mod panels;
#[cfg(test)]
mod tests;
mod timeline;

pub use bars::{Bar, Bars};
pub use distributions::{Distributions, Estimate, Group};
pub use drawing::Drawing;
pub use error::{FontError, PlotError};
pub use font::{Fonts, Weight};
pub use html::escape_html;
pub use lines::{Lines, Mark, Series, Shape};
pub use number::{column, grouped, number};
pub use palette::{COLORS, style_sheet};
pub use panels::Panels;
pub use timeline::{Row, Span, Timeline};
