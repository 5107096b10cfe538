//! Draws the screen: where every panel stands, and what is in it.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use farm_core::ActionKind;
use farm_core::inspect::escape_line;
use farm_render::{LineKind, View};

use super::app::{App, Mode};
use super::keys::{self, Binding};
use super::map::Map;
use super::menu::Question;
use super::{popups, status, theme};
use crate::output::format_number;

/// The least that there must be room for.
const LEAST: (u16, u16) = (64, 20);
/// From this width on there are three columns.
const WIDE: u16 = 140;
/// The most lines that something said takes at the foot of the screen.
const MAX_SAID: usize = 4;

/// Draws everything; no character of a game's texts turns the direction of writing round or moves the cursor.
pub(super) fn draw(app: &App<'_>, frame: &mut Frame<'_>) {
    draw_panels(app, frame);
    for cell in &mut frame.buffer_mut().content {
        if let Cow::Owned(_) = escape_line(cell.symbol()) {
            cell.set_symbol("?");
        }
        if app.theme.is_ascii && !cell.symbol().is_ascii() {
            let plain: String = cell.symbol().chars().take(1).map(theme::plain).collect();
            cell.set_symbol(&plain);
        }
    }
}

fn draw_panels(app: &App<'_>, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return too_small(app, frame, area);
    }
    let (said, style) = said(app);
    let said = wrap(&said, usize::from(area.width.saturating_sub(2)));
    let [bar, body, foot] = rows(area, 1, said.len().min(MAX_SAID) as u16 + 1);
    title(app, frame, bar);
    if area.width >= WIDE {
        let (left, right) = (area.width * 9 / 20, area.width * 5 / 20);
        let middle = area.width - left - right;
        let log = (body.height * 2 / 5).max(8);
        let [map_at, log_at] = split_rows(Rect { width: left, ..body }, body.height - log);
        let second = Rect { x: left, width: middle, ..body };
        let third = Rect { x: left + middle, width: right, ..body };
        map(app, frame, map_at);
        self::log(app, frame, log_at);
        let [plot_at, view_at] = split_rows(second, body.height / 2);
        lines(app, frame, plot_at, "Looked at", status::plot(app), 0);
        lines(app, frame, view_at, "In view", in_view(app, false), app.scroll.0);
        let [actions_at, tree_at] = split_rows(third, body.height * 3 / 5);
        let tree_at = legend(app, frame, tree_at, body.height);
        actions(app, frame, actions_at);
        lines(app, frame, tree_at, "Branches", popups::branches(app, None), 0);
    } else {
        let left = (area.width * 11 / 20).min(area.width - 34);
        let log = (body.height * 3 / 10).max(6);
        let [map_at, log_at] = split_rows(Rect { width: left, ..body }, body.height - log);
        let second = Rect { x: left, width: area.width - left, ..body };
        let planning = if app.is_direct() { 0 } else { 2 * app.schedule.len() + 4 };
        let keys = (app.bindings.len() + planning + 3).min(usize::from(body.height * 11 / 20)).max(5) as u16;
        let [view_at, actions_at] = split_rows(second, body.height - keys);
        let view_at = legend(app, frame, view_at, body.height);
        map(app, frame, map_at);
        self::log(app, frame, log_at);
        lines(app, frame, view_at, "In view", in_view(app, true), app.scroll.0);
        actions(app, frame, actions_at);
    }
    footer(app, frame, foot, said.into_iter().map(|line| Line::from(Span::styled(format!(" {line}"), style))));
    popups::draw(app, frame, body);
}

/// From this height on there is room for a legend.
const TALL: u16 = 30;

/// What the signs on the map mean, at the lower end of an area where there is room; returns what is left of it.
fn legend(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, height: u16) -> Rect {
    let rows = status::signs(app);
    let wanted = rows.len() as u16 + 2;
    if height < TALL || rows.is_empty() {
        return area;
    }
    let [rest, at] = split_rows(area, area.height - wanted.min(area.height / 2));
    lines(app, frame, at, "On the map", rows, 0);
    rest
}

fn too_small(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let text = format!(
        "The window is too small: {} × {}.\nIt needs {} × {}.\nMake it larger, or press {} to leave.",
        area.width,
        area.height,
        LEAST.0,
        LEAST.1,
        if matches!(app.mode, Mode::Prompt(..) | Mode::Menu(_)) { "Ctrl-C" } else { "q" }
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// The first and last rows of an area, and what is between them.
fn rows(area: Rect, first: u16, last: u16) -> [Rect; 3] {
    let middle = area.height.saturating_sub(first + last);
    [
        Rect { height: first, ..area },
        Rect { y: area.y + first, height: middle, ..area },
        Rect { y: area.y + first + middle, height: last, ..area },
    ]
}

fn split_rows(area: Rect, first: u16) -> [Rect; 2] {
    let first = first.min(area.height);
    [Rect { height: first, ..area }, Rect { y: area.y + first, height: area.height - first, ..area }]
}

/// A panel; gives what is inside.
pub(super) fn panel(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, title: &str) -> Rect {
    let block = Block::bordered()
        .border_set(app.theme.border())
        .border_style(app.theme.frame())
        .title(Span::styled(format!(" {title} "), app.theme.title()));
    let inside = block.inner(area);
    frame.render_widget(block, area);
    inside
}

/// A panel of lines, scrolled down as far as there are any.
pub(super) fn lines(
    app: &App<'_>,
    frame: &mut Frame<'_>,
    area: Rect,
    title: &str,
    lines: Vec<Line<'static>>,
    scroll: usize,
) {
    let room = usize::from(area.height.saturating_sub(2));
    let columns = usize::from(area.width.saturating_sub(2));
    let lines: Vec<Line<'static>> = lines.into_iter().flat_map(|line| folded(line, columns)).collect();
    let more = lines.len().saturating_sub(room);
    let scroll = scroll.min(more);
    let title = if more > 0 {
        format!("{title} {}–{} of {}", scroll + 1, scroll + room, lines.len())
    } else {
        title.to_owned()
    };
    let inside = panel(app, frame, area, &title);
    let shown: Vec<Line<'static>> = lines.into_iter().skip(scroll).take(room).collect();
    frame.render_widget(Paragraph::new(shown), inside);
}

/// A line in several, broken at spaces where there are any; those after the first stand a little further in.
fn folded(line: Line<'static>, room: usize) -> Vec<Line<'static>> {
    const INDENT: usize = 4;
    if line.width() <= room || room <= 2 * INDENT {
        return vec![line];
    }
    let letters: Vec<(char, Style)> =
        line.spans.iter().flat_map(|span| span.content.chars().map(|c| (c, span.style))).collect();
    let mut lines = Vec::new();
    let mut rest = letters.as_slice();
    while !rest.is_empty() {
        let indent = if lines.is_empty() { 0 } else { INDENT };
        let most = room - indent;
        let end = if rest.len() <= most {
            rest.len()
        } else {
            rest[..=most].iter().rposition(|(c, _)| *c == ' ').filter(|at| *at > INDENT).unwrap_or(most)
        };
        let indent = Span::raw(" ".repeat(indent));
        let shown = rest[..end].iter().rposition(|(c, _)| *c != ' ').map_or(0, |last| last + 1);
        let letters = rest[..shown].iter().map(|(c, style)| Span::styled(c.to_string(), *style));
        lines.push(Line::from(std::iter::once(indent).chain(letters).collect::<Vec<_>>()));
        rest = &rest[end..];
        rest = &rest[rest.iter().take_while(|(c, _)| *c == ' ').count()..];
    }
    lines
}

fn title(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let game = app.game();
    let state = app.session.state();
    let node = app.session.node();
    let most = game.max_steps().map(|most| format!(" of {most}")).unwrap_or_default();
    let unit = if keys::counts_days(game) { "day" } else { "step" };
    let preset = app.arguments.preset().map(|preset| format!(" ({preset})")).unwrap_or_default();
    let mut left =
        format!(" {}{preset}  {unit} {}{most}  seed {}", game.spec().name(), state.step(), app.session.seed());
    if app.text_renderer.view() == View::Everything {
        left += "  omniscient";
    }
    let last =
        node.reward.map(|reward| format!("  last {}{}", if reward > 0.0 { "+" } else { "" }, format_number(reward)));
    let recorded =
        app.recording.as_ref().map_or("", |recording| if recording.failure.is_some() { "  rec!" } else { "  rec" });
    let end = if node.end.is_some() { "  the end" } else { "" };
    let right = format!("return {}{}{recorded}{end} ", format_number(node.total), last.unwrap_or_default());
    let room = usize::from(area.width);
    let gap = room.saturating_sub(left.chars().count() + right.chars().count());
    let text = format!("{left}{}{right}", " ".repeat(gap));
    frame.render_widget(Paragraph::new(text).style(app.theme.bar().add_modifier(Modifier::BOLD)), area);
}

fn map(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let Some(info) = app.game().fields().get(app.field) else { return };
    let tiles = app.text_renderer.tiles(app.field, app.session.state());
    let several = app.game().fields().len();
    let name = if several > 1 {
        format!("{} ({} of {several}, Tab: next)", info.name(), app.field + 1)
    } else {
        info.name().to_owned()
    };
    let inside = panel(app, frame, area, &name);
    let size = app.text_renderer.size(app.field);
    let map = Map { tiles: &tiles, size, focus: app.focus(), cursor: app.cursor, sprites: &app.text_renderer };
    let (first, shown) = map.draw(frame.buffer_mut(), inside, &app.theme);
    if shown != size {
        let part = format!(
            " x {}–{} of {}, y {}–{} of {} ",
            first.0,
            first.0 + shown.0 - 1,
            size.0,
            first.1,
            first.1 + shown.1 - 1,
            size.1
        );
        let at = Rect { x: area.x + 2, y: area.y + area.height - 1, width: area.width.saturating_sub(4), height: 1 };
        frame.render_widget(Paragraph::new(Span::styled(part, app.theme.faint())), at);
    }
}

/// All that is in view; with the plot that is looked at where it has no panel of its own.
fn in_view(app: &App<'_>, with_plot: bool) -> Vec<Line<'static>> {
    let mut lines = status::status_bars(app);
    lines.extend(status::observed(app, true));
    lines.extend(status::inventory(app));
    if with_plot {
        lines.extend(status::plot(app));
    }
    lines.extend(status::observed(app, false));
    lines
}

fn log(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let theme = &app.theme;
    let all = app.session.story();
    let inside = panel(app, frame, area, "Log");
    let style = |kind: LineKind| match kind {
        LineKind::Did => Style::default(),
        LineKind::Rejected => theme.bad(),
        LineKind::Happened => theme.title(),
        LineKind::Lasting => theme.faint(),
        LineKind::Passed => theme.faint(),
        LineKind::Earned => theme.good(),
        LineKind::Lost => theme.bad(),
        LineKind::End => theme.title().add_modifier(Modifier::REVERSED),
    };
    let mut wrapped: Vec<Line<'static>> = Vec::new();
    let room = usize::from(inside.width).saturating_sub(8).max(8);
    for line in &all {
        for (i, part) in wrap(&line.text, room).into_iter().enumerate() {
            let head = if i == 0 { format!("{:>4} {} ", line.step, line.kind.sign()) } else { " ".repeat(7) };
            wrapped.push(Line::from(vec![Span::styled(head, theme.faint()), Span::styled(part, style(line.kind))]));
        }
    }
    let rows = usize::from(inside.height);
    let last = wrapped.len().saturating_sub(app.scroll.1.min(wrapped.len().saturating_sub(rows)));
    let shown: Vec<Line<'static>> = wrapped.drain(last.saturating_sub(rows)..last).collect();
    frame.render_widget(Paragraph::new(shown), inside);
}

/// A text in lines of so many characters, broken at spaces where there are any.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + word.chars().count() > room {
            lines.push(String::new());
        } else if last > 0
            && let Some(line) = lines.last_mut()
        {
            line.push(' ');
        }
        for c in word.chars() {
            if lines.last().is_some_and(|line| line.chars().count() >= room) {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
        }
    }
    lines
}

fn actions(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let theme = &app.theme;
    let game = app.game();
    let mut text: Vec<Line<'static>> = Vec::new();
    if let Some(watch) = &app.watch {
        let state = if watch.is_playing { "playing" } else { "paused" };
        text.push(Line::from(format!("{state}, {} steps/s", format_number(watch.fps))));
        text.push(Line::from(format!("step {} of {}", app.session.node().depth, watch.last)));
        for (key, what) in [
            ("space", "pause, play"),
            ("← →", "step back, on"),
            ("- +", "slower, faster"),
            ("Home End", "start, end"),
            ("q", "leave"),
        ] {
            text.push(Line::from(vec![Span::styled(format!(" {key:<9}"), theme.key()), Span::raw(what)]));
        }
        return lines(app, frame, area, "Watching", text, 0);
    }
    let is_looking = app.session.expects() == ActionKind::Observation;
    let title = match (app.is_direct(), is_looking) {
        (true, _) => "Actions",
        (false, true) => "First half: looking",
        (false, false) => "Planned for this step",
    };
    text.push(next_row(app, is_looking));
    if !app.is_direct() {
        let most = game.catalogue().max_schedule();
        for (i, call) in app.schedule.iter().enumerate() {
            let words = format!("{}. {}", i + 1, game.catalogue().write(call));
            let room = usize::from(area.width.saturating_sub(5));
            let rows = wrap(&words, room).into_iter().enumerate();
            text.extend(rows.map(|(i, row)| Line::from(format!("{}{row}", if i == 0 { " " } else { "    " }))));
        }
        let costs = app
            .schedule
            .iter()
            .map(|call| game.catalogue().base_actions().get(call.base()).map_or(0.0, |base| base.cost()));
        let cost = format_number(farm_core::math::sum(costs));
        text.push(Line::from(Span::styled(format!(" {} of {most}, costs {cost}", app.schedule.len()), theme.faint())));
        for (key, what) in
            [("m", if is_looking { "look at…" } else { "add an action" }), ("x", "take the last one off")]
        {
            text.push(Line::from(vec![Span::styled(format!(" {key:<5}"), theme.key()), Span::raw(what)]));
        }
    }
    if !is_looking {
        let rows: Vec<Vec<Span<'static>>> = app.bindings.iter().map(|binding| action_row(app, binding)).collect();
        let width = usize::from(area.width.saturating_sub(2));
        let half = width / 2;
        let length = |row: &[Span<'static>]| row.iter().map(Span::width).sum::<usize>();
        let mut rows = rows.into_iter().peekable();
        // Two short ones share a line.
        while let Some(mut row) = rows.next() {
            let fits = length(&row) < half && rows.peek().is_some_and(|next| length(next) <= width - half);
            if let Some(next) = rows.next_if(|_| fits) {
                row.push(Span::raw(" ".repeat(half - length(&row))));
                row.extend(next);
            }
            text.push(Line::from(row));
        }
    }
    lines(app, frame, area, title, text, 0);
}

/// The keys that let time pass, with what they do now.
fn next_row(app: &App<'_>, is_looking: bool) -> Line<'static> {
    let next = keys::next_name(app.game());
    let what = match (is_looking, app.schedule.is_empty()) {
        (true, true) => "look at nothing, then act".to_owned(),
        (true, false) => "look, then act".to_owned(),
        (false, true) => next,
        (false, false) => format!("do it: {next}"),
    };
    let key = if app.theme.is_ascii { " space n  " } else { " ␣ n  " };
    Line::from(vec![Span::styled(key, app.theme.key()), Span::raw(what)])
}

/// An action with its keys and its cost, or why it would be refused.
fn action_row(app: &App<'_>, binding: &Binding) -> Vec<Span<'static>> {
    let theme = &app.theme;
    let base = app.game().catalogue().base_actions().get(binding.base);
    let cost = base.filter(|base| base.cost() > 0.0).map(|base| format!(" {}", format_number(base.cost())));
    let name = format!("{}{}", binding.name, if binding.call.is_none() { "…" } else { "" });
    let key = format!(" {:<2} ", binding.words());
    match app.rejection(binding.base) {
        Some(reason) => {
            vec![Span::styled(format!("{key}{name}: {reason}"), theme.faint().add_modifier(Modifier::DIM))]
        }
        None => {
            vec![Span::styled(key, theme.key()), Span::raw(name), Span::styled(cost.unwrap_or_default(), theme.faint())]
        }
    }
}

/// What is said at the foot of the screen: a message, what is asked, what a policy would do.
fn said(app: &App<'_>) -> (String, Style) {
    let theme = &app.theme;
    match (&app.message, &app.mode) {
        (Some(message), _) => (message.text.clone(), if message.is_bad { theme.bad() } else { theme.good() }),
        (None, Mode::Menu(menu)) => match menu.question(app.game(), app.session.state()) {
            Some(Question::Plot { title, .. }) => {
                let plot = app.text_renderer.plot_at(app.field, app.focus(), app.session.state());
                let rejected = plot.and_then(|plot| menu.plot_rejection(app.game(), app.session.state(), plot));
                let rejected = rejected.map_or(String::new(), |reason| format!(" – here: {reason}"));
                (format!("{title}. Now {}.{rejected}", status::place(app, app.focus())), theme.title())
            }
            _ => (String::new(), Style::default()),
        },
        (None, _) if app.count.is_some() => {
            let count = app.count.unwrap_or_default();
            (format!("{count} times: n lets time pass, u goes back, any other key as well"), theme.title())
        }
        (None, Mode::Look) => ("Looking around: arrows move the cursor, Esc goes back.".to_owned(), theme.title()),
        (None, _) => match (&app.hints, &app.advice) {
            (Some(hints), advice) => {
                let what = advice.as_ref().map_or("–".to_owned(), |advice| {
                    let what: Vec<String> = advice.iter().map(|call| app.game().catalogue().write(call)).collect();
                    if what.is_empty() { "nothing".to_owned() } else { what.join("; ") }
                });
                let check = if theme.is_ascii { "" } else { "✓ " };
                let next = match advice {
                    Some(advice) if advice.is_empty() && app.schedule.is_empty() => "; n goes on".to_owned(),
                    Some(_) if app.is_advice_planned() => format!("  {check}planned, n plays it"),
                    Some(_) if app.is_direct() => "; y does it".to_owned(),
                    Some(_) => "; y plans it".to_owned(),
                    None => String::new(),
                };
                (format!("Hint, {}: {what}{next}", hints.adviser.title()), theme.hint())
            }
            _ => (String::new(), Style::default()),
        },
    }
}

fn footer(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, said: impl Iterator<Item = Line<'static>>) {
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
    // Where there is no room for all, how to leave stays.
    let mut keys = keys.to_vec();
    let width =
        |keys: &[(&str, &str)]| keys.iter().map(|(key, what)| key.chars().count() + what.len() + 3).sum::<usize>();
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use farm_core::Game;
    use farm_core::inspect::other_hidden_values;
    use farm_render::{TextRenderer, View};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;

    use ratatui::text::{Line, Span};

    use super::{App, draw, folded, wrap};
    use crate::arguments::GameArguments;
    use crate::play::session::Session;
    use crate::play::theme::Theme;

    /// The screen of a session after so many steps of random actions, and the same with other values wherever no learner is told any.
    fn screens(game: &Arc<Game>, view: View, steps: usize, (width, height): (u16, u16)) -> [Buffer; 2] {
        let name = game.spec().name().to_owned();
        let arguments = GameArguments { game: name, presets: Vec::new(), level: None, set: Vec::new() };
        let text_renderer = Arc::new(TextRenderer::new(game.clone(), view).unwrap());
        let mut session = Session::new(text_renderer.clone(), 5);
        let mut player = farm_games::policy(game, "random").unwrap();
        player.start(5);
        for _ in 0..steps {
            let mut schedule = Vec::new();
            player.choose(game, session.state(), &mut schedule);
            session.step(&schedule).unwrap();
        }
        let mut app = App::new(session, text_renderer, Theme::of_environment(false), &arguments);
        let drawn = |app: &App<'_>| {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(app, frame)).unwrap();
            terminal.backend().buffer().clone()
        };
        let before = drawn(&app);
        let (other, _) = other_hidden_values(game, app.session.state());
        app.session.show(&other);
        [before, drawn(&app)]
    }

    #[test]
    fn the_screen_of_a_player_depends_on_what_is_observed_alone() {
        for entry in farm_games::CATALOGUE {
            for mode in ["pomdp", "aomdp"] {
                let set = vec![("interaction_mode".to_owned(), mode.to_owned())];
                let options = farm_games::Options { set, ..Default::default() };
                let Ok(game) = farm_games::open(entry.name, &options) else { continue };
                let game = Arc::new(game);
                for (steps, size) in [(0, (100, 40)), (7, (170, 60))] {
                    let [one, other] = screens(&game, View::Learner, steps, size);
                    assert!(one == other, "{} {mode}, step {steps}: {one:?}\n{other:?}", entry.name);
                    let [one, other] = screens(&game, View::Everything, steps, size);
                    assert!(one != other, "{} {mode}, step {steps}: who sees everything sees a difference", entry.name);
                }
            }
        }
    }

    #[test]
    fn a_line_of_a_panel_is_folded_and_loses_nothing() {
        let line = Line::from(vec![Span::raw(" Weather: heavy rain"), Span::raw("  day 120  13.9 °C  0 mm")]);
        let lines: Vec<String> = folded(line.clone(), 30).iter().map(ToString::to_string).collect();
        assert_eq!(lines, [" Weather: heavy rain  day 120", "    13.9 °C  0 mm"]);
        assert_eq!(folded(line.clone(), 80), [line]);
        let long = folded(Line::from("x".repeat(30)), 12);
        assert_eq!(long.iter().map(|line| line.to_string().matches('x').count()).sum::<usize>(), 30);
        assert!(long.iter().all(|line| line.width() <= 12), "{long:?}");
    }

    #[test]
    fn a_line_breaks_at_spaces_and_a_long_word_anywhere() {
        assert_eq!(wrap("the beans died", 9), ["the beans", "died"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
    }
}
