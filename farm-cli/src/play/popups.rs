//! Panels on top of the screen: help, menu, branches, policies, text prompt.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;

use super::app::{App, Mode, Prompt};
use super::cards;
use super::menu::{Menu, MenuItem, Question};
use super::panel::lines;
use crate::output::format_number;

/// The screen's keys and their effects.
const KEYS: [(&str, &str); 20] = [
    ("space n", "next step: what is planned, or wait"),
    ("5n", "a number repeats the next key"),
    ("N", "steps until something happens"),
    ("G", "walk to the cursor"),
    ("m Enter", "menu of actions"),
    ("x", "remove the last planned action"),
    ("u Backspace", "undo: one step back"),
    ("r", "redo"),
    ("b", "branches: go to another"),
    ("B", "name this branch"),
    ("h", "hints of a policy, on or off"),
    ("p", "choose the policy"),
    ("y", "plan or do what the hint says"),
    ("l", "look around with the cursor"),
    ("Tab", "next field"),
    ("PgUp PgDn", "scroll the panel In view"),
    ("[ ]", "scroll the log"),
    ("I", "about the game"),
    ("R", "record to a file"),
    ("q Ctrl-C", "leave"),
];
/// The keys that apply while a file is being watched.
const WATCH_KEYS: [(&str, &str); 7] = [
    ("space", "pause, play"),
    ("→ n", "one step on"),
    ("← u", "one step back"),
    ("+ -", "faster, slower"),
    ("Home End", "start, end"),
    ("PgUp PgDn", "scroll the panel In view"),
    ("q Ctrl-C", "leave"),
];

/// Draws the current panel on top of the screen, if there is one.
pub(super) fn draw(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    match &app.mode {
        Mode::Play | Mode::Look | Mode::Leave => {}
        Mode::Start => over(app, frame, area, app.game().spec().name(), cards::start(app, area.width)),
        Mode::End => over(app, frame, area, "The end", cards::end(app, area.width)),
        Mode::Help => over(app, frame, area, "Help", help(app, area)),
        Mode::Menu(menu) => draw_menu(app, menu, frame, area),
        Mode::Branches(marked) => over(app, frame, area, "Branches: where to?", branches(app, Some(*marked))),
        Mode::Advisers(marked) => {
            let rows = app.advisers.iter().enumerate().map(|(i, adviser)| {
                let style = if i == *marked { app.theme.selected() } else { ratatui::style::Style::default() };
                Line::from(Span::styled(format!(" {} ", adviser.title(app.labels())), style))
            });
            over(app, frame, area, "Which policy?", rows.collect());
        }
        Mode::Prompt(prompt, text, _) => {
            let title = match prompt {
                Prompt::Name => "The name of this place",
                Prompt::Record => "Record to which file?",
                Prompt::Film => "Film to which file? .gif or .mp4",
                Prompt::Report => "Report to which file? .html",
            };
            over(app, frame, area, title, vec![Line::from(format!("{text}_"))]);
        }
    }
}

/// A panel in the middle, sized to fit its lines.
fn over(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, title: &str, text: Vec<Line<'static>>) {
    let widest = text.iter().map(Line::width).max().unwrap_or(0).max(app.labels().words(title).chars().count() + 4);
    let width = (widest as u16 + 4).clamp(30.min(area.width), area.width);
    let height = (text.len() as u16 + 2).min(area.height);
    let at = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    frame.render_widget(Clear, at);
    let scroll = text.iter().position(|line| line.spans.iter().any(|span| is_marked(app, span)));
    let scroll = scroll.map_or(app.scroll.0, |at| at.saturating_sub(usize::from(height.saturating_sub(3))));
    lines(app, frame, at, title, text, scroll);
}

fn is_marked(app: &App<'_>, span: &Span<'_>) -> bool {
    span.style == app.theme.selected()
}

fn help(app: &App<'_>, area: Rect) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let row = |key: &str, what: &str| -> Vec<Span<'static>> {
        let (key, what) = (app.labels().words(key), app.labels().words(what));
        vec![Span::styled(format!(" {key:<12}"), theme.key()), Span::raw(format!("{what:<34}"))]
    };
    let mut rows: Vec<Vec<Span<'static>>> = if app.watch.is_some() {
        WATCH_KEYS.iter().map(|(key, what)| row(key, what)).collect()
    } else {
        KEYS.iter().map(|(key, what)| row(key, what)).collect()
    };
    let mut marks: Vec<Vec<Span<'static>>> = Vec::new();
    for (title, looks) in app.text_renderer.legend() {
        for (name, mark) in looks {
            let glyph = Span::styled(format!(" {}  ", theme.glyph(&mark)), theme.mark(&mark, None));
            let labels = app.labels();
            let words = if title.is_empty() || title.eq_ignore_ascii_case(name) {
                labels.words(name).to_owned()
            } else {
                format!("{}: {}", labels.words(title), labels.words(name))
            };
            marks.push(vec![glyph, Span::raw(words)]);
        }
    }
    // Next to the keys if there is room, otherwise below them.
    if area.width >= 78 {
        let longest = rows.len().max(marks.len());
        rows.resize(longest, vec![Span::raw(" ".repeat(47))]);
        for (row, mark) in rows.iter_mut().zip(marks) {
            row.extend(mark);
        }
    } else {
        rows.extend(marks);
    }
    rows.into_iter().map(Line::from).collect()
}

fn draw_menu(app: &App<'_>, menu: &Menu, frame: &mut Frame<'_>, area: Rect) {
    let game = app.game();
    // A plot is chosen on the map, which must stay visible.
    let Some(Question::List { title, items, range }) = menu.question(game, app.session.state()) else { return };
    let mut text = Vec::new();
    let path = menu.path(game);
    if !path.is_empty() {
        text.push(Line::from(Span::styled(path, app.theme.faint())));
    }
    text.push(Line::from(Span::styled(title, app.theme.title())));
    if let Some((low, high)) = range {
        let typed = if menu.typed.is_empty() { String::new() } else { format!(": {}_", menu.typed) };
        text.push(Line::from(format!(
            "{} {} {} {}{typed}",
            app.labels().words("or type a number from"),
            format_number(low),
            app.labels().words("to"),
            format_number(high)
        )));
    }
    text.extend(
        items.iter().enumerate().map(|(i, item)| menu_line(app, item, i == menu.selected && menu.typed.is_empty())),
    );
    over(app, frame, area, "Action", text);
}

fn menu_line(app: &App<'_>, item: &MenuItem, is_marked: bool) -> Line<'static> {
    let note = if item.note.is_empty() { String::new() } else { format!("  {}", item.note) };
    let (text, style) = match item.rejected {
        Some(reason) => (format!(" {}{note}  –  {} ", item.text, app.labels().words(reason)), app.theme.faint()),
        None => (format!(" {}{note} ", item.text), ratatui::style::Style::default()),
    };
    Line::from(Span::styled(text, if is_marked { app.theme.selected() } else { style }))
}

/// The ends of branches and the named moves, one per line.
pub(super) fn branches(app: &App<'_>, marked: Option<usize>) -> Vec<Line<'static>> {
    let session = &app.session;
    let words = |text| app.labels().words(text);
    let rows = session.places().into_iter().enumerate().map(|(i, place)| {
        let node = &session.nodes()[place];
        let here = if place == session.current() { '*' } else { ' ' };
        let fork = session.fork(place);
        let own = session.path_to(session.current()).contains(&place);
        let from = if own { String::new() } else { format!(", {} {fork}", words("leaves this one after step")) };
        let name = node.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
        let did: Vec<String> = node.schedule.iter().map(|call| app.labels().call(app.game(), call)).collect();
        let did = if did.is_empty() { String::new() } else { format!("  {}", did.join("; ")) };
        let end = if node.end.is_some() { format!(", {}", words("the end")) } else { String::new() };
        let (step, total) = (words("step"), format!("{} {}", words("return"), format_number(node.total)));
        let text = format!("{here} {step} {}{name}, {total}{end}{from}{did} ", node.depth);
        let style = if marked == Some(i) { app.theme.selected() } else { ratatui::style::Style::default() };
        Line::from(Span::styled(text, style))
    });
    rows.collect()
}
