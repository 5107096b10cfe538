//! A finished chart, and its output as SVG and PNG.

use std::fmt::Write;

use resvg::{tiny_skia, usvg};

use crate::error::PlotError;
use crate::font::{FAMILIES, Fonts, Weight, width};
use crate::palette::{Ink, style_sheet};

/// Maximum number of pixels in a PNG.
const MAX_PIXELS: f32 = 1e8;

/// The horizontal alignment of text at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The text starts at the position.
    Start,
    /// The text is centred at the position.
    Middle,
    /// The text ends at the position.
    End,
}

/// A shape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Primitive {
    /// A line from one point (x, y) to another.
    Line(f64, f64, f64, f64),
    /// Left, top, width, height.
    Rect(f64, f64, f64, f64),
    /// Centre and radius.
    Circle(f64, f64, f64),
    /// The data of an SVG path.
    Path(String),
}

/// A shape with its colours, tooltip and series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stroke {
    form: Primitive,
    fill: Option<Ink>,
    line: Option<(Ink, f64)>,
    dash: &'static str,
    opacity: f64,
    tip: String,
    series: Option<usize>,
}

impl Stroke {
    /// Creates a filled shape.
    pub(crate) fn filled(form: Primitive, ink: Ink) -> Self {
        Self { form, fill: Some(ink), line: None, dash: "", opacity: 1.0, tip: String::new(), series: None }
    }

    /// Creates a shape that is drawn as a line with this width in pixels.
    pub(crate) fn line(form: Primitive, ink: Ink, width: f64) -> Self {
        Self {
            form,
            fill: None,
            line: Some((ink, width)),
            dash: ink.dash(),
            opacity: 1.0,
            tip: String::new(),
            series: None,
        }
    }

    /// Adds an outline.
    pub(crate) fn edged(self, ink: Ink, width: f64) -> Self {
        Self { line: Some((ink, width)), ..self }
    }

    /// Sets the opacity.
    pub(crate) fn see_through(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    /// Sets the dash pattern.
    pub(crate) fn dashed(self, dash: &'static str) -> Self {
        Self { dash, ..self }
    }

    /// Adds a tooltip.
    pub(crate) fn tip(self, tip: impl Into<String>) -> Self {
        Self { tip: tip.into(), ..self }
    }

    /// Sets the number that identifies the series on a page.
    pub(crate) fn series(self, series: Option<usize>) -> Self {
        Self { series, ..self }
    }

    fn write(&self, out: &mut String) {
        let name = match &self.form {
            Primitive::Line(x1, y1, x2, y2) => {
                let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|v| pixel(*v));
                put(out, format_args!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\""));
                "line"
            }
            Primitive::Rect(x, y, w, h) => {
                let [x, y, w, h] = [x, y, w, h].map(|v| pixel(*v));
                put(out, format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\""));
                "rect"
            }
            Primitive::Circle(x, y, r) => {
                let [x, y, r] = [x, y, r].map(|v| pixel(*v));
                put(out, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\""));
                "circle"
            }
            Primitive::Path(data) => {
                put(out, format_args!("<path d=\"{data}\""));
                "path"
            }
        };
        let mut classes = Vec::new();
        match self.fill {
            Some(ink) => {
                put(out, format_args!(" fill=\"{}\"", ink.color()));
                classes.push(format!("plot-fill-{}", ink.name()));
            }
            None => out.push_str(" fill=\"none\""),
        }
        if let Some((ink, width)) = self.line {
            put(out, format_args!(" stroke=\"{}\" stroke-width=\"{}\"", ink.color(), pixel(width)));
            classes.push(format!("plot-line-{}", ink.name()));
            if !self.dash.is_empty() {
                put(out, format_args!(" stroke-dasharray=\"{}\"", self.dash));
            }
            if name == "path" {
                out.push_str(" stroke-linejoin=\"round\"");
            }
        }
        if self.opacity < 1.0 {
            put(out, format_args!(" opacity=\"{}\"", self.opacity));
        }
        put(out, format_args!(" class=\"{}\"", classes.join(" ")));
        if let Some(series) = self.series {
            put(out, format_args!(" data-series=\"{series}\""));
        }
        if self.tip.is_empty() {
            out.push_str("/>\n");
        } else {
            put(out, format_args!("><title>{}</title></{name}>\n", escape_xml(&self.tip)));
        }
    }
}

/// Text in a chart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextLabel {
    /// Position: x of the anchor, y of the baseline.
    pub at: (f64, f64),
    /// The words.
    pub text: String,
    /// Font size in pixels.
    pub size: f64,
    /// The font weight.
    pub weight: Weight,
    /// The text colour.
    pub ink: Ink,
    /// Alignment at x.
    pub anchor: Anchor,
    /// The tooltip; empty for none.
    pub tip: String,
}

#[derive(Debug, Clone, PartialEq)]
enum DrawingItem {
    Stroke(Stroke),
    TextLabel(TextLabel),
}

/// A finished chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    width: f64,
    height: f64,
    title: String,
    /// Description for screen readers.
    description: String,
    attributes: String,
    items: Vec<DrawingItem>,
}

impl Drawing {
    /// Creates an empty picture of this size in pixels, with a title for screen readers.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        Self {
            width,
            height,
            title: title.to_owned(),
            description: String::new(),
            attributes: String::new(),
            items: Vec::new(),
        }
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// Sets the title of a picture that has none, for screen readers and for pages that print it next to the picture.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        if self.title.is_empty() {
            name.clone_into(&mut self.title);
        }
        self
    }

    /// Sets the description for screen readers.
    pub(crate) fn describe(&mut self, text: String) {
        self.description = text;
    }

    /// The title and the description.
    fn words(&self) -> String {
        [self.title.as_str(), &self.description]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(": ")
    }

    /// Adds an attribute to the picture, for programs that read it.
    pub(crate) fn attribute(&mut self, name: &str, value: &str) {
        put(&mut self.attributes, format_args!(" {name}=\"{}\"", escape_xml(value)));
    }

    pub(crate) fn draw(&mut self, stroke: Stroke) {
        self.items.push(DrawingItem::Stroke(stroke));
    }

    pub(crate) fn write(&mut self, at: (f64, f64), anchor: Anchor, size: f64, ink: Ink, text: &str) {
        self.label(TextLabel {
            at,
            text: text.to_owned(),
            size,
            weight: Weight::Regular,
            ink,
            anchor,
            tip: String::new(),
        });
    }

    pub(crate) fn label(&mut self, label: TextLabel) {
        self.items.push(DrawingItem::TextLabel(label));
    }

    /// Stacks several charts vertically into one.
    #[must_use]
    pub fn stacked(parts: Vec<Self>) -> Self {
        let title = parts.iter().map(|part| part.title.as_str()).filter(|title| !title.is_empty()).collect::<Vec<_>>();
        let mut all = Self::new(0.0, 0.0, &title.join("; "));
        for part in parts {
            let down = all.height;
            all.add(part, (0.0, down));
        }
        all
    }

    /// Sets a minimum height.
    pub(crate) fn grow(&mut self, height: f64) {
        self.height = self.height.max(height);
    }

    /// Adds a chart with its top left corner at a position. The picture grows if the chart does not fit.
    pub(crate) fn add(&mut self, part: Self, (right, down): (f64, f64)) {
        self.width = self.width.max(right + part.width);
        self.height = self.height.max(down + part.height);
        self.items.extend(part.items.into_iter().map(|item| item.moved(right, down)));
    }

    /// The picture as a standalone SVG file. The background is white, or dark if the viewer prefers dark colours.
    #[must_use]
    pub fn svg(&self) -> String {
        self.written(true, None)
    }

    /// The picture as an element on a page. The page sets the picture's width, and can change its colours with [`crate::style_sheet`].
    #[must_use]
    pub fn inline_svg(&self) -> String {
        self.written(false, None)
    }

    fn written(&self, alone: bool, outlines: Option<&Fonts>) -> String {
        let (w, h) = (pixel(self.width), pixel(self.height));
        let mut out = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" role=\"img\"");
        if alone {
            put(&mut out, format_args!(" width=\"{w}\" height=\"{h}\" font-family=\"{FAMILIES}\""));
        }
        put(&mut out, format_args!(" aria-label=\"{}\"{}>\n", escape_xml(&self.words()), self.attributes));
        if alone {
            put(&mut out, format_args!("<title>{}</title>\n", escape_xml(&self.title)));
            // An SVG adapts to a dark screen; a PNG always has the light colours.
            if outlines.is_none() {
                put(
                    &mut out,
                    format_args!("<style>@media (prefers-color-scheme: dark){{{}}}</style>\n", style_sheet()),
                );
            }
            Stroke::filled(Primitive::Rect(0.0, 0.0, self.width, self.height), Ink::Paper).write(&mut out);
        }
        for item in &self.items {
            match (item, outlines) {
                (DrawingItem::Stroke(stroke), _) => stroke.write(&mut out),
                (DrawingItem::TextLabel(label), Some(fonts)) => label.outlined(fonts).write(&mut out),
                (DrawingItem::TextLabel(label), None) => label.write(&mut out),
            }
        }
        out.push_str("</svg>\n");
        out
    }

    /// The picture as a PNG, enlarged by a factor.
    ///
    /// # Errors
    /// The picture is too large, or the fonts can't be read.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, PlotError> {
        let failed = |error: &dyn std::fmt::Display| PlotError::Png(error.to_string());
        let svg = self.written(true, Some(&Fonts::new()?));
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).map_err(|error| failed(&error))?;
        let (width, height) = (self.width as f32 * scale, self.height as f32 * scale);
        let too_large = || PlotError::TooLarge { width: width as u32, height: height as u32 };
        if !(1.0..=MAX_PIXELS).contains(&(width * height)) {
            return Err(too_large());
        }
        let mut pixels = tiny_skia::Pixmap::new(width.ceil() as u32, height.ceil() as u32).ok_or_else(too_large)?;
        resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| failed(&error))
    }
}

impl DrawingItem {
    fn moved(self, right: f64, down: f64) -> Self {
        match self {
            Self::TextLabel(label) => {
                Self::TextLabel(TextLabel { at: (label.at.0 + right, label.at.1 + down), ..label })
            }
            Self::Stroke(stroke) => Self::Stroke(Stroke {
                form: match stroke.form {
                    Primitive::Line(x1, y1, x2, y2) => Primitive::Line(x1 + right, y1 + down, x2 + right, y2 + down),
                    Primitive::Rect(x, y, w, h) => Primitive::Rect(x + right, y + down, w, h),
                    Primitive::Circle(x, y, r) => Primitive::Circle(x + right, y + down, r),
                    Primitive::Path(data) => Primitive::Path(moved(&data, right, down)),
                },
                ..stroke
            }),
        }
    }
}

/// Moves a path's data. Its numbers are pairs, as in every path in this crate.
fn moved(data: &str, right: f64, down: f64) -> String {
    let mut out = String::new();
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let mut vertical = false;
    for piece in data.split_inclusive(|c: char| is_letter(c) || c == ' ') {
        let number = piece.trim_end_matches(|c: char| is_letter(c) || c == ' ');
        if let Ok(value) = number.parse::<f64>() {
            out.push_str(&pixel(value + if vertical { down } else { right }));
            vertical = !vertical;
        }
        out.push_str(&piece[number.len()..]);
    }
    out
}

impl TextLabel {
    fn start(&self) -> f64 {
        let (x, _) = self.at;
        match self.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width(&self.text, self.size, self.weight) / 2.0,
            Anchor::End => x - width(&self.text, self.size, self.weight),
        }
    }

    fn outlined(&self, fonts: &Fonts) -> Stroke {
        let data = fonts.outline(&self.text, (self.start(), self.at.1), self.size, self.weight);
        Stroke::filled(Primitive::Path(data), self.ink)
    }

    fn write(&self, out: &mut String) {
        let (x, y) = self.at;
        put(out, format_args!("<text x=\"{}\" y=\"{}\" font-size=\"{}\"", pixel(x), pixel(y), pixel(self.size)));
        match self.anchor {
            Anchor::Start => {}
            Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
            Anchor::End => out.push_str(" text-anchor=\"end\""),
        }
        if self.weight == Weight::Bold {
            out.push_str(" font-weight=\"bold\"");
        }
        let (color, name) = (self.ink.color(), self.ink.name());
        put(out, format_args!(" fill=\"{color}\" class=\"plot-fill-{name}\">{}", escape_xml(&self.text)));
        if !self.tip.is_empty() {
            put(out, format_args!("<title>{}</title>", escape_xml(&self.tip)));
        }
        out.push_str("</text>\n");
    }
}

/// Appends to a string, which never fails.
fn put(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(arguments);
}

/// A coordinate as text with at most two decimals.
pub(crate) fn pixel(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// Escapes a string for the text or an attribute of an SVG, and replaces characters that XML does not allow.
pub fn escape_xml(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_moved_down_and_aside() {
        assert_eq!(moved("M1 2L3 4.5 5 6Z", 0.0, 10.0), "M1 12L3 14.5 5 16Z");
        assert_eq!(moved("M1 2L3 4.5 5 6Z", 100.0, 10.0), "M101 12L103 14.5 105 16Z");
        assert_eq!(moved("M1 2H", 0.0, 1.0), "M1 3H");
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape_xml("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }
}
