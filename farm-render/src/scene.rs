//! Everything around the plots: names, header, status bars and other observed values.

use std::collections::BTreeMap;
use std::sync::Arc;

use farm_core::Game;
use farm_core::labels::{Labels, Language};
use farm_output::Rect;
use farm_plot::Weight;

use crate::canvas::{Canvas, Fit, Lay};
use crate::compile::Pictures;
use crate::layout::{GAP, Layout, TEXT_ROW};
use crate::observed::ObservedLine;
use crate::palette::{FAINT, HEAD, INK, PAPER, SMALL, TEXT, TITLE};
use crate::plots::Plots;
use crate::renderer::Frame;
use crate::text::Writer;
use crate::view::{Sight, Visibility};
use crate::words::{counts_days, in_words};
use crate::written::number;

/// Size of an icon in status bars.
const STATUS_ICON: i32 = 34;
/// Minimum width of a picture that shows the score next to the time.
const WIDE: i32 = 620;

/// A game, its pictures, its layout, and the text writer.
pub(crate) struct Scene {
    pub game: Arc<Game>,
    pub pictures: Pictures,
    pub layout: Layout,
    pub writer: Writer,
    /// Observed values that no picture shows.
    pub observed: Vec<ObservedLine>,
    /// The signs of the status bars.
    pub signs: Signs,
}

/// The rule last shown for each status bar item, and the number of frames for which it stays.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    shown: BTreeMap<usize, (usize, u8)>,
    /// Number of frames for which a sign stays; more than one in films.
    lingers: u8,
}

impl Signs {
    /// The rule to show when rule `now` of a picture applies.
    fn settle(&mut self, picture: usize, now: usize) -> usize {
        if self.lingers <= 1 {
            return now;
        }
        let (shown, left) = self.shown.entry(picture).or_insert((now, self.lingers));
        if *left == 0 && *shown != now {
            *shown = now;
            *left = self.lingers;
        }
        *left = left.saturating_sub(1);
        *shown
    }
}

impl Scene {
    /// Sets the number of frames for which the signs in the status bars stay.
    pub(crate) fn linger(&mut self, frames: u8) {
        self.signs.lingers = frames;
    }

    /// Draws the constant parts: the names and sizes of the fields.
    pub(crate) fn draw_background(&mut self, canvas: &mut dyn Canvas, seen: Option<&Visibility>, plots: &Plots) {
        let Self { game, layout, writer, .. } = self;
        for (i, (field, info)) in layout.fields.iter().zip(game.fields()).enumerate() {
            canvas.write(field.name, TEXT, Weight::Bold, INK, info.name());
            let after = field.name.0 + writer.width(info.name(), TEXT, Weight::Bold) + 8;
            let (length, width) = plots.size(i);
            let is_window = seen.is_some_and(|seen| seen.is_relative(i));
            let size = format!("{length} × {width}{}", if is_window { " around the farmer" } else { "" });
            canvas.write((after, field.name.1), SMALL, Weight::Regular, FAINT, &size);
        }
    }

    /// Draws the name, the time, the score and the last actions. The learner's view does not show the seed.
    pub(crate) fn draw_header(&mut self, canvas: &mut dyn Canvas, frame: &Frame<'_>, shows_seed: bool) {
        let Self { game, writer, layout, .. } = self;
        let (width, name) = (layout.size.0, game.spec().name());
        canvas.fill(Rect::new(0, 0, width, layout.header - 8), HEAD);
        canvas.write((GAP, 24), TITLE, Weight::Bold, INK, name);
        let most = game.rules().max_steps.map(|most| format!(" of {most}")).unwrap_or_default();
        let unit = if counts_days(game) { "day" } else { "step" };
        let mut time = format!("{unit} {}{most}", frame.state.step());
        if frame.state.over() {
            time += "   the end";
        }
        let mut score = format!("return {}", decimals(frame.total));
        if let Some(reward) = frame.reward {
            score += &format!("   last {}{}", if reward < 0.0 { "" } else { "+" }, decimals(reward));
        }
        let score_width = writer.width(&score, TEXT, Weight::Bold);
        let left = width - GAP - score_width;
        let is_wide = width >= WIDE;
        // Narrow pictures have the score below the time, in every frame.
        let (line, room) = if is_wide { (24, width - 2 * GAP) } else { (46, left - 2 * GAP) };
        canvas.write((left, line), TEXT, Weight::Bold, INK, &score);
        let after = GAP + writer.width(name, TITLE, Weight::Bold) + 16;
        canvas.write((after, 24), TEXT, Weight::Regular, INK, &time);
        let seed = shows_seed.then(|| format!("seed {}", frame.state.seed()));
        let caption = [Some(frame.caption.to_owned()).filter(|caption| !caption.is_empty()), seed];
        let caption = caption.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let after = after + writer.width(&time, TEXT, Weight::Regular) + 16;
        let end = if is_wide { left } else { width };
        if end - GAP - after > 40 {
            let caption = writer.fit(&caption, end - GAP - after, SMALL, Weight::Regular);
            canvas.write((after, 24), SMALL, Weight::Regular, FAINT, &caption);
        }
        let told = in_words(game, frame.executed);
        let told = writer.fit(if told.is_empty() { "–" } else { &told }, room, SMALL, Weight::Regular);
        canvas.write((GAP, 46), SMALL, Weight::Regular, FAINT, &told);
    }

    /// Draws the status bars of the fields and the farm, with badges for the parts' actions.
    pub(crate) fn draw_strips(&mut self, canvas: &mut dyn Canvas, sight: &Sight<'_>, badges: &BTreeMap<usize, u16>) {
        let Self { pictures, layout, writer, signs, .. } = self;
        let english = Labels::of(Language::English);
        for item in &layout.status_bar {
            canvas.fill(item.at, PAPER);
            let Some(picture) = pictures.all.get(item.picture) else { continue };
            let values = picture.written.iter().filter_map(|written| written.text(sight, english)).collect::<Vec<_>>();
            let values = values.join("   ");
            let rule = picture.rule_at(sight, 0).map(|rule| {
                let now = picture.sprite_rules.iter().position(|other| std::ptr::eq(other, rule)).unwrap_or_default();
                &picture.sprite_rules[signs.settle(item.picture, now)]
            });
            let mut line = |canvas: &mut dyn Canvas, (x, y): (i32, i32), room: i32, color, text: &str| {
                let text = writer.fit(text, room, SMALL, Weight::Regular);
                canvas.write((x, y), SMALL, Weight::Regular, color, &text);
            };
            let (x, y, room) = (item.at.x, item.at.y, item.at.width - 6);
            if rule.is_none() && values.is_empty() && sight.record().is_some() {
                line(canvas, (x, y + 15), room, FAINT, &format!("{}: not shown", picture.title));
                continue;
            }
            let sprite = rule.and_then(|rule| rule.sprite);
            let source = sprite.and_then(|sprite| Some((sprite, pictures.sprites.get(usize::from(sprite))?)));
            let Some((sprite, source)) = source else {
                let sign = match (picture.sprite_rules.is_empty(), sight) {
                    (true, _) => "",
                    (false, Sight::Everything(_)) => ": –",
                    // Its look is unknown, which differs from "no look".
                    (false, Sight::Learner(_)) => ":",
                };
                line(canvas, (x, y + 15), room, INK, &format!("{}{sign} {values}", picture.title));
                continue;
            };
            let edge = STATUS_ICON.min(item.at.width / 3);
            let icon = Rect::new(x, y + 2, edge, edge);
            canvas.sprite(icon, Lay::as_written(sprite), source, Fit::Icon);
            let badge =
                badges.get(&picture.part).and_then(|badge| Some((*badge, pictures.sprites.get(usize::from(*badge))?)));
            if let Some((badge, source)) = badge {
                let edge = icon.width * 3 / 5;
                let corner = Rect::new(icon.x + icon.width - edge, icon.y + icon.height - edge, edge, edge);
                canvas.sprite(corner, Lay::as_written(badge), source, Fit::Plot);
            }
            let name = rule.map(|rule| rule.name.as_str()).filter(|name| !name.is_empty());
            let first = name.map_or(picture.title.clone(), |name| format!("{}: {name}", picture.title));
            let (x, room) = (x + edge + 5, room - edge - 2);
            line(canvas, (x, y + 16), room, INK, &first);
            line(canvas, (x, y + 32), room, FAINT, &values);
        }
    }

    /// Writes the observed values that no picture shows, side by side if they fit.
    pub(crate) fn draw_observed(&mut self, canvas: &mut dyn Canvas, sight: &Sight<'_>) {
        let Self { game, observed, layout, writer, .. } = self;
        let (area, Some(record)) = (layout.observed, sight.record()) else { return };
        canvas.fill(area, PAPER);
        let (mut x, mut y) = (area.x, area.y);
        for text in observed.iter().filter_map(|line| line.text(game, record)) {
            let text = writer.fit(&text, area.width, SMALL, Weight::Regular);
            let width = writer.width(&text, SMALL, Weight::Regular);
            if x > area.x && x + width > area.x + area.width {
                (x, y) = (area.x, y + TEXT_ROW);
            }
            if y + TEXT_ROW > area.y + area.height {
                break;
            }
            canvas.write((x, y + 15), SMALL, Weight::Regular, INK, &text);
            x += width + 2 * GAP;
        }
    }
}

/// A number as text with two decimals.
pub(crate) fn decimals(value: f64) -> String {
    let text = if value.abs() < 1000.0 {
        format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value })
    } else {
        number(value)
    };
    text.replace('-', "−")
}
