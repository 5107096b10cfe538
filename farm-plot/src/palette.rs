//! The colours of Okabe and Ito (2008), which people with any common colour blindness can distinguish.

use std::fmt::Write;

/// The series colours, in order, for a light background.
pub const COLORS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B07D00", "#56B4E9", "#6B6B6B"];

/// The same colours for a dark background, lightened to stay visible.
const ON_DARK: [&str; 7] = ["#4DA3DB", "#F08A3C", "#2FC598", "#E3A0C6", "#E6B13A", "#8CCEF5", "#ABABAB"];

/// Dash patterns for lines. Each time the colours are reused, the next pattern applies.
const DASHES: [&str; 4] = ["", "6 3", "2 2.5", "8 3 2 3"];

/// The colour of a shape or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Main text.
    Text,
    /// Secondary text and lines.
    Faint,
    /// Grid lines.
    Grid,
    /// The picture's background.
    Paper,
    /// A series, by its index.
    Series(usize),
}

impl Ink {
    /// Its colour on a light background.
    pub(crate) fn color(self) -> &'static str {
        match self {
            Self::Text => "#22282D",
            Self::Faint => "#66707A",
            Self::Grid => "#DDE1E5",
            Self::Paper => "#FFFFFF",
            Self::Series(rank) => COLORS[rank % COLORS.len()],
        }
    }

    /// Its name in style sheets.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Faint => "faint".to_owned(),
            Self::Grid => "grid".to_owned(),
            Self::Paper => "paper".to_owned(),
            Self::Series(rank) => (rank % COLORS.len()).to_string(),
        }
    }

    /// The dash pattern of its lines; empty for solid lines.
    pub(crate) fn dash(self) -> &'static str {
        match self {
            Self::Series(rank) => DASHES[rank / COLORS.len() % DASHES.len()],
            _ => "",
        }
    }
}

/// CSS rules that set the colours of a page's charts for a dark background.
#[must_use]
pub fn style_sheet() -> String {
    let mut rules = String::new();
    let plain = [("text", "#E6E9EC"), ("faint", "#9AA5B0"), ("grid", "#343B43"), ("paper", "#171B20")];
    let series = ON_DARK.iter().enumerate().map(|(rank, color)| (rank.to_string(), *color));
    for (name, color) in plain.iter().map(|(name, color)| ((*name).to_owned(), *color)).chain(series) {
        // Writing to a text never fails.
        let _ = write!(rules, ".plot-fill-{name}{{fill:{color}}}.plot-line-{name}{{stroke:{color}}}");
    }
    rules
}
