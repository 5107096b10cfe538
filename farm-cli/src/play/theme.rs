//! Colours and characters that the terminal supports.

use farm_render::Mark;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

/// The terminal's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// None: bold, dim or reversed text instead.
    None,
    /// The 16 standard colours.
    Sixteen,
    /// A palette of 256 colours.
    Palette,
    /// All colours.
    True,
}

/// The look of the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    /// The terminal's colours.
    pub depth: Depth,
    /// Whether to use ASCII characters only.
    pub is_ascii: bool,
}

impl Theme {
    /// The theme according to the terminal's environment variables; see <https://no-color.org>.
    pub(super) fn of_environment(is_ascii: bool) -> Self {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        Self { depth: depth(&variable("NO_COLOR"), &variable("TERM"), &variable("COLORTERM")), is_ascii }
    }

    /// The character for a symbol.
    pub(super) fn glyph(&self, mark: &Mark) -> char {
        if self.is_ascii { mark.letter } else { mark.glyph }
    }

    /// The border around panels.
    pub(super) fn border(&self) -> border::Set<'static> {
        if self.is_ascii { ASCII_BORDER } else { border::ROUNDED }
    }

    /// The style for a symbol on a tile, light enough to be readable on the ground.
    pub(super) fn mark(&self, mark: &Mark, ground: Option<&Mark>) -> Style {
        let style = Style::default().fg(self.color(lighten(mark.color)));
        match (ground, self.depth) {
            (Some(ground), Depth::Palette | Depth::True) => style.bg(self.color(darken(ground.color))),
            _ => style,
        }
    }

    /// The nearest colour that the terminal can show.
    pub(super) fn color(&self, [r, g, b]: [u8; 3]) -> Color {
        match self.depth {
            Depth::None => Color::Reset,
            Depth::True => Color::Rgb(r, g, b),
            Depth::Palette => Color::Indexed(nearest_of_palette([r, g, b])),
            Depth::Sixteen => nearest_of_sixteen([r, g, b]),
        }
    }

    fn colored(&self, rgb: [u8; 3], otherwise: Modifier) -> Style {
        match self.depth {
            Depth::None => Style::default().add_modifier(otherwise),
            _ => Style::default().fg(self.color(rgb)),
        }
    }

    /// Whether sprites can be drawn with pixels that are half a character.
    pub(super) fn has_pixels(&self) -> bool {
        !self.is_ascii && matches!(self.depth, Depth::Palette | Depth::True)
    }

    /// Headings.
    pub(super) fn title(&self) -> Style {
        self.colored([0xe8, 0xb8, 0x5a], Modifier::BOLD).add_modifier(Modifier::BOLD)
    }

    /// Secondary text and unavailable choices.
    pub(super) fn faint(&self) -> Style {
        self.colored([0x8c, 0x8c, 0x84], Modifier::DIM)
    }

    /// Borders.
    pub(super) fn frame(&self) -> Style {
        self.colored([0x5f, 0x6b, 0x5a], Modifier::empty())
    }

    /// Keys.
    pub(super) fn key(&self) -> Style {
        self.colored([0x7f, 0xd0, 0xe0], Modifier::BOLD).add_modifier(Modifier::BOLD)
    }

    /// Good news.
    pub(super) fn good(&self) -> Style {
        self.colored([0x8f, 0xd0, 0x6a], Modifier::BOLD)
    }

    /// Bad news and rejections.
    pub(super) fn bad(&self) -> Style {
        self.colored([0xf0, 0x7f, 0x6a], Modifier::BOLD)
    }

    /// A policy's advice.
    pub(super) fn hint(&self) -> Style {
        self.colored([0xc8, 0xa0, 0xf0], Modifier::ITALIC)
    }

    /// The marked item in a list, and the cursor on the map.
    pub(super) fn selected(&self) -> Style {
        Style::default().add_modifier(Modifier::REVERSED)
    }

    /// The bar at the top.
    pub(super) fn bar(&self) -> Style {
        match self.depth {
            Depth::None => Style::default().add_modifier(Modifier::REVERSED),
            Depth::Sixteen => Style::default().fg(Color::Black).bg(Color::Green),
            _ => Style::default().fg(self.color([0xf4, 0xf0, 0xe0])).bg(self.color([0x35, 0x52, 0x2e])),
        }
    }
}

/// The ASCII character that looks similar, or a question mark.
pub(super) fn plain(c: char) -> char {
    const LIKE: [(&str, char); 13] = [
        ("↑▲", '^'),
        ("↓▼", 'v'),
        ("→►≥", '>'),
        ("←◄≤", '<'),
        ("␣", '_'),
        ("–−—", '-'),
        ("…·", '.'),
        ("×", 'x'),
        ("²", '2'),
        ("³", '3'),
        ("°", '\''),
        ("±≈", '~'),
        ("✓", '*'),
    ];
    match LIKE.iter().find(|(like, _)| like.contains(c)) {
        _ if c.is_ascii() => c,
        Some((_, plain)) => *plain,
        None => '?',
    }
}

/// Borders made of ASCII characters.
const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

fn depth(no_color: &str, term: &str, colorterm: &str) -> Depth {
    let is_mono =
        term.is_empty() || term == "dumb" || term.contains("mono") || term.ends_with("-m") || term.starts_with("vt");
    if !no_color.is_empty() || is_mono {
        Depth::None
    } else if matches!(colorterm, "truecolor" | "24bit") || term.ends_with("-direct") {
        Depth::True
    } else if term.contains("256") {
        Depth::Palette
    } else {
        Depth::Sixteen
    }
}

/// The lightness of a colour, from 0 to 1.
fn luminance([r, g, b]: [u8; 3]) -> f64 {
    (0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)) / 255.0
}

/// The minimum lightness of a symbol, and the maximum lightness of the ground.
const LIGHT: f64 = 0.66;
const DARK: f64 = 0.3;

/// Lightens a colour within its hue, and then towards white if necessary.
fn lighten(rgb: [u8; 3]) -> [u8; 3] {
    if luminance(rgb) >= LIGHT {
        return rgb;
    }
    let most = f64::from(rgb.into_iter().max().unwrap_or(0)).max(1.0);
    let scale = (LIGHT / luminance(rgb).max(0.01)).min(255.0 / most);
    let scaled = rgb.map(|c| (f64::from(c) * scale) as u8);
    let own = luminance(scaled);
    let share = ((LIGHT - own) / (1.0 - own).max(0.01)).clamp(0.0, 1.0);
    scaled.map(|c| (f64::from(c) + share * (255.0 - f64::from(c))) as u8)
}

fn darken(rgb: [u8; 3]) -> [u8; 3] {
    let share = (DARK / luminance(rgb).max(0.01)).min(1.0);
    rgb.map(|c| (f64::from(c) * share) as u8)
}

/// The nearest colour in the 256-colour palette's 6 × 6 × 6 cube and greys.
fn nearest_of_palette(rgb: [u8; 3]) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |c: u8| (0..6).min_by_key(|i| LEVELS[*i].abs_diff(c)).unwrap_or(0);
    let cube = rgb.map(level);
    let mean = rgb.iter().map(|c| u32::from(*c)).sum::<u32>() / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
    let value = 8 + 10 * grey;
    let from_cube = distance(rgb, cube.map(|i| LEVELS[i]));
    if distance(rgb, [value; 3]) < from_cube { 232 + grey } else { (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8 }
}

fn nearest_of_sixteen(rgb: [u8; 3]) -> Color {
    const COLORS: [(Color, [u8; 3]); 14] = [
        (Color::Red, [170, 0, 0]),
        (Color::Green, [0, 170, 0]),
        (Color::Yellow, [170, 85, 0]),
        (Color::Blue, [0, 0, 170]),
        (Color::Magenta, [170, 0, 170]),
        (Color::Cyan, [0, 170, 170]),
        (Color::Gray, [170, 170, 170]),
        (Color::LightRed, [255, 85, 85]),
        (Color::LightGreen, [85, 255, 85]),
        (Color::LightYellow, [255, 255, 85]),
        (Color::LightBlue, [85, 85, 255]),
        (Color::LightMagenta, [255, 85, 255]),
        (Color::LightCyan, [85, 255, 255]),
        (Color::White, [255, 255, 255]),
    ];
    COLORS.iter().min_by_key(|(_, other)| distance(rgb, *other)).map_or(Color::Reset, |(color, _)| *color)
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_has_the_colours_that_it_says() {
        assert_eq!(depth("1", "xterm-256color", "truecolor"), Depth::None);
        assert_eq!(depth("", "dumb", ""), Depth::None);
        assert_eq!(depth("", "xterm-mono", ""), Depth::None);
        assert_eq!(depth("", "xterm-256color", "truecolor"), Depth::True);
        assert_eq!(depth("", "screen-256color", ""), Depth::Palette);
        assert_eq!(depth("", "linux", ""), Depth::Sixteen);
    }

    #[test]
    fn the_palette_has_its_own_colours_exactly() {
        assert_eq!(nearest_of_palette([255, 0, 0]), 196);
        assert_eq!(nearest_of_palette([0, 95, 135]), 24);
        assert_eq!(nearest_of_palette([128, 128, 128]), 244);
        assert_eq!(nearest_of_sixteen([250, 250, 250]), Color::White);
    }

    #[test]
    fn marks_are_lighter_than_what_lies_below_them() {
        for color in [[0, 0, 0], [255, 255, 255], [160, 90, 30], [20, 120, 30], [90, 90, 255]] {
            assert!(luminance(lighten(color)) > luminance(darken(color)) + 0.3, "{color:?}");
        }
    }
}
