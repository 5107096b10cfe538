#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! | chart | shows |
//! |---|---|
//! | [`Distributions`] | distributions by group: boxes, single values, and an estimate with its interval |
//! | [`Lines`] | values over steps: lines, bands and stacked columns, with events marked on the axis |
//! | [`Panels`] | small multiples: line charts side by side, with one title and one legend |
//! | [`Timeline`] | events over time, in rows |
//! | [`Bars`] | horizontal bars, stacked if they have parts |
//!
//! Each chart is a plain struct: fill it in and draw it. Write the [`Drawing`] as SVG, which needs no other file, or as PNG, in which text
//! looks the same on every machine. The colours come from Okabe and Ito; colour-blind people can distinguish them. If there are more series
//! than colours, the colours are reused with dashed lines. Numbers may be missing, constant, tiny or huge. Numbers that are not finite are
//! left out: a line gets a gap, and a distribution gets a note.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod axis;
mod bars;
mod distributions;
mod drawing;
mod error;
mod font;
mod frame;
mod lines;
mod number;
mod palette;
mod panels;
#[cfg(test)]
mod tests;
mod timeline;

pub use bars::{Bar, Bars};
pub use distributions::{Distributions, Estimate, Group};
pub use drawing::{Drawing, escape_xml};
pub use error::{FontError, PlotError};
pub use font::{Fonts, Weight};
pub use lines::{Lines, Mark, Series, Shape};
pub use number::{column, grouped, number};
pub use palette::{COLORS, style_sheet};
pub use panels::Panels;
pub use timeline::{Row, Span, Timeline};
