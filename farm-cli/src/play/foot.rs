//! The foot of the screen: a message, and the available keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

use super::app::{App, Mode};
use super::menu::Question;
use super::status;

/// The text at the foot of the screen: a message, a question or a policy's advice.
pub(super) fn said(app: &App<'_>) -> (String, Style) {
    let (theme, labels) = (&app.theme, app.labels());
    match (&app.message, &app.mode) {
        (Some(message), _) => (message.text.clone(), if message.is_bad { theme.bad() } else { theme.good() }),
        (None, Mode::Menu(menu)) => match menu.question(app.game(), app.session.state()) {
            Some(Question::Plot { title, .. }) => {
                let plot = app.text_renderer.plot_at(app.field, app.focus(), app.session.state());
                let rejected = plot.and_then(|plot| menu.plot_rejection(app.game(), app.session.state(), plot));
                let rejected = rejected
                    .map_or(String::new(), |reason| format!(" – {}: {}", labels.words("here"), labels.words(reason)));
                let now = labels.words("Now");
                (format!("{title}. {now} {}.{rejected}", status::place(app, app.focus())), theme.title())
            }
            _ => (String::new(), Style::default()),
        },
        (None, _) if app.count.is_some() => {
            let count = app.count.unwrap_or_default();
            let repeats = labels.words("times: n lets time pass, u goes back, any other key as well");
            (format!("{count} {repeats}"), theme.title())
        }
        (None, Mode::Look) => {
            (app.labels().words("Looking around: arrows move the cursor, Esc goes back.").to_owned(), theme.title())
        }
        (None, _) => match (&app.hints, &app.advice) {
            (Some(hints), advice) => {
                let what = advice.as_ref().map_or("–".to_owned(), |advice| {
                    let what: Vec<String> = advice.iter().map(|call| app.labels().call(app.game(), call)).collect();
                    if what.is_empty() { labels.words("nothing").to_owned() } else { what.join("; ") }
                });
                let check = if theme.is_ascii { "" } else { "✓ " };
                let next = match advice {
                    Some(advice) if advice.is_empty() && app.schedule.is_empty() => {
                        labels.words("; n continues").to_owned()
                    }
                    Some(_) if app.is_advice_planned() => format!("  {check}{}", labels.words("planned, n plays it")),
                    Some(_) if app.is_direct() => labels.words("; y does it").to_owned(),
                    Some(_) => labels.words("; y plans it").to_owned(),
                    None => String::new(),
                };
                (format!("{}, {}: {what}{next}", labels.words("Hint"), hints.adviser.title(labels)), theme.hint())
            }
            _ => (String::new(), Style::default()),
        },
    }
}

/// Draws the foot, with the text above the keys.
pub(super) fn footer(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, said: impl Iterator<Item = Line<'static>>) {
    let theme = &app.theme;
    let keys: &[(&str, &str)] = match &app.mode {
        Mode::Menu(_) => &[("↑↓", "mark"), ("Enter", "take"), ("Esc", "back")],
        Mode::Branches(_) | Mode::Advisers(_) => &[("↑↓", "mark"), ("Enter", "take"), ("Esc", "close")],
        Mode::Prompt(..) => &[("Enter", "take"), ("Esc", "cancel")],
        Mode::Start => &[("Enter", "begin"), ("?", "help"), ("q", "leave")],
        Mode::End => {
            &[("r", "again"), ("n", "new seed"), ("u", "undo"), ("g", "film"), ("v", "report"), ("q", "leave")]
        }
        Mode::Look => &[("arrows", "move"), ("G", "walk there"), ("Esc", "back")],
        Mode::Leave => &[("R", "other file"), ("q", "leave"), ("Esc", "stay")],
        _ if app.watch.is_some() => {
            &[("space", "pause"), ("← →", "step"), ("- +", "speed"), ("?", "help"), ("q", "leave")]
        }
        _ => &[
            ("n", "next"),
            ("N", "on"),
            ("?", "help"),
            ("m", "menu"),
            ("u", "undo"),
            ("h", "hint"),
            ("r", "redo"),
            ("b", "branches"),
            ("R", "record"),
            ("q", "leave"),
        ],
    };
    // If there is no room for all keys, the last one (how to leave) stays.
    let mut keys: Vec<(&str, &str)> =
        keys.iter().map(|(key, what)| (app.labels().words(key), app.labels().words(what))).collect();
    let width = |keys: &[(&str, &str)]| {
        keys.iter().map(|(key, what)| key.chars().count() + what.chars().count() + 3).sum::<usize>()
    };
    while keys.len() > 2 && width(&keys) > usize::from(area.width) {
        keys.remove(keys.len() - 2);
    }
    let mut spans = vec![Span::raw(" ")];
    for (key, what) in keys {
        spans.push(Span::styled(key.to_owned(), theme.key()));
        spans.push(Span::styled(format!(" {what}  "), theme.faint()));
    }
    frame.render_widget(Clear, area);
    let room = usize::from(area.height.saturating_sub(1));
    frame.render_widget(Paragraph::new(said.take(room).chain([Line::from(spans)]).collect::<Vec<_>>()), area);
}
