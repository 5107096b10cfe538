//! Draws the screen: the layout of the panels, and their contents.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use farm_core::inspect::escape_line;
use farm_render::{LineKind, View};

use super::action_list::actions;
use super::app::{App, Mode};
use super::folding::wrap;
use super::foot::{footer, said};
use super::map::Map;
use super::panel::{lines, panel};
use super::{popups, status, theme};
use crate::output::format_number;

/// The minimum size of the window.
const LEAST: (u16, u16) = (64, 20);
/// The minimum width for three columns.
const WIDE: u16 = 140;
/// The maximum number of lines for a message at the foot of the screen.
const MAX_SAID: usize = 4;

/// Draws everything. Characters that reverse the writing direction or move the cursor are replaced.
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

/// The minimum height for a legend.
const TALL: u16 = 30;

/// Draws the symbols on the map at the bottom of an area if there is room. Returns the rest of the area.
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
    let words = |text| app.labels().words(text);
    let text = format!(
        "{}: {} × {}.\n{} {} × {}.\n{} {} {}.",
        words("The window is too small"),
        area.width,
        area.height,
        words("It needs"),
        LEAST.0,
        LEAST.1,
        words("Make it larger, or press"),
        if matches!(app.mode, Mode::Prompt(..) | Mode::Menu(_)) { "Ctrl-C" } else { "q" },
        words("to leave")
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// The first and last rows of an area, and the rows between them.
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

fn title(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let game = app.game();
    let state = app.session.state();
    let node = app.session.node();
    let words = |text| app.labels().words(text);
    let most = game.rules().max_steps.map(|most| format!(" {} {most}", words("of"))).unwrap_or_default();
    let unit = words(if farm_render::counts_days(game) { "day" } else { "step" });
    let preset = app.arguments.preset().map(|preset| format!(" ({preset})")).unwrap_or_default();
    let mut left = format!(
        " {}{preset}  {unit} {}{most}  {} {}",
        game.spec().name(),
        state.step(),
        words("seed"),
        app.session.seed()
    );
    if app.text_renderer.view() == View::Everything {
        left = format!("{left}  {}", words("omniscient"));
    }
    let last = node
        .reward
        .map(|reward| format!("  {} {}{}", words("last"), if reward > 0.0 { "+" } else { "" }, format_number(reward)));
    let recorded =
        app.recording.as_ref().map_or("", |recording| if recording.failure.is_some() { "  rec!" } else { "  rec" });
    let end = if node.end.is_some() { format!("  {}", words("the end")) } else { String::new() };
    let total = format_number(node.total);
    let right = format!("{} {total}{}{recorded}{end} ", words("return"), last.unwrap_or_default());
    let room = usize::from(area.width);
    let gap = room.saturating_sub(left.chars().count() + right.chars().count());
    let text = format!("{left}{}{right}", " ".repeat(gap));
    frame.render_widget(Paragraph::new(text).style(app.theme.bar().add_modifier(Modifier::BOLD)), area);
}

fn map(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let tiles = app.text_renderer.tiles(app.field, app.session.state());
    let several = app.game().fields().len();
    let labels = app.labels();
    let mut name = labels.field(app.game(), app.field);
    if several > 1 {
        name = format!("{name} {} {several} ({})", labels.words("of"), labels.words("Tab: next"));
    }
    let inside = panel(app, frame, area, &name);
    let size = app.text_renderer.size(app.field);
    let map = Map { tiles: &tiles, size, focus: app.focus(), cursor: app.cursor, sprites: &app.text_renderer };
    let (first, shown) = map.draw(frame.buffer_mut(), inside, &app.theme);
    if shown != size {
        let of = labels.words("of");
        let part = format!(
            " x {}–{} {of} {}, y {}–{} {of} {} ",
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

/// Everything in view, including the selected plot if it does not have a separate panel.
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
    let inside = panel(app, frame, area, app.labels().words("Log"));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use farm_core::Game;
    use farm_core::inspect::other_hidden_values;
    use farm_games::catalogue::REPRESENTATIVE;
    use farm_render::{TextRenderer, View};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;

    use super::{App, draw};
    use crate::arguments::GameArguments;
    use crate::play::session::Session;
    use crate::play::theme::Theme;

    /// The screen after this many steps of random actions, and the same screen after changing every value that learners can't observe.
    fn screens(game: &Arc<Game>, view: View, steps: usize, (width, height): (u16, u16)) -> [Buffer; 2] {
        let name = game.spec().name().to_owned();
        let arguments = GameArguments { game: name, presets: Vec::new(), level: None, context: None, set: Vec::new() };
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
            // What a mode and a size change is alike in games of a kind.
            let is_thorough = REPRESENTATIVE.contains(&entry.name);
            for mode in if is_thorough { &["pomdp", "aomdp"][..] } else { &["pomdp"] } {
                let set = vec![("interaction_mode".to_owned(), (*mode).to_owned())];
                let options = farm_games::Options { set, ..Default::default() };
                let Ok(game) = farm_games::open(entry.name, &options) else { continue };
                let game = Arc::new(game);
                for (steps, size) in &[(7, (170, 60)), (0, (100, 40))][..if is_thorough { 2 } else { 1 }] {
                    let [one, other] = screens(&game, View::Learner, *steps, *size);
                    assert!(one == other, "{} {mode}, step {steps}: {one:?}\n{other:?}", entry.name);
                    let [one, other] = screens(&game, View::Everything, *steps, *size);
                    assert!(one != other, "{} {mode}, step {steps}: who sees everything sees a difference", entry.name);
                }
            }
        }
    }
}
