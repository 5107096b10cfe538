//! The panel of possible actions and their keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use farm_core::ActionKind;

use super::app::App;
use super::folding::wrap;
use super::keys::{self, Binding};
use super::panel::lines;
use crate::output::format_number;

/// Draws the panel.
pub(super) fn actions(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let theme = &app.theme;
    let game = app.game();
    let mut text: Vec<Line<'static>> = Vec::new();
    if let Some(watch) = &app.watch {
        let state = if watch.is_playing { "playing" } else { "paused" };
        let words = |text| app.labels().words(text);
        text.push(Line::from(format!("{}, {} {}/s", words(state), format_number(watch.fps), words("steps"))));
        let depth = app.session.node().depth;
        text.push(Line::from(format!("{} {depth} {} {}", words("step"), words("of"), watch.last)));
        for (key, what) in [
            ("space", "pause, play"),
            ("← →", "step back, on"),
            ("- +", "slower, faster"),
            ("Home End", "start, end"),
            ("q", "leave"),
        ] {
            text.push(Line::from(vec![
                Span::styled(format!(" {:<9}", words(key)), theme.key()),
                Span::raw(words(what).to_owned()),
            ]));
        }
        return lines(app, frame, area, "Watching", text, 0);
    }
    let is_looking = app.session.expects() == ActionKind::Observation;
    let title = match (app.is_direct(), is_looking) {
        (true, _) => "Actions",
        (false, true) => "First half: observing",
        (false, false) => "Planned for this step",
    };
    text.push(next_row(app, is_looking));
    if !app.is_direct() {
        let most = game.catalogue().max_schedule();
        for (i, call) in app.schedule.iter().enumerate() {
            let words = format!("{}. {}", i + 1, app.labels().call(game, call));
            let room = usize::from(area.width.saturating_sub(5));
            let rows = wrap(&words, room).into_iter().enumerate();
            text.extend(rows.map(|(i, row)| Line::from(format!("{}{row}", if i == 0 { " " } else { "    " }))));
        }
        let costs = app
            .schedule
            .iter()
            .map(|call| game.catalogue().base_actions().get(call.base()).map_or(0.0, |base| base.cost()));
        let cost = format_number(farm_core::math::sum(costs));
        let (of, costs) = (app.labels().words("of"), app.labels().words("costs"));
        let planned = format!(" {} {of} {most}, {costs} {cost}", app.schedule.len());
        text.push(Line::from(Span::styled(planned, theme.faint())));
        for (key, what) in
            [("m", if is_looking { "observe…" } else { "add an action" }), ("x", "remove the last action")]
        {
            text.push(Line::from(vec![
                Span::styled(format!(" {key:<5}"), theme.key()),
                Span::raw(app.labels().words(what)),
            ]));
        }
    }
    if !is_looking {
        let rows: Vec<Vec<Span<'static>>> = app.bindings.iter().map(|binding| action_row(app, binding)).collect();
        let width = usize::from(area.width.saturating_sub(2));
        let half = width / 2;
        let length = |row: &[Span<'static>]| row.iter().map(Span::width).sum::<usize>();
        let mut rows = rows.into_iter().peekable();
        // Two short rows share a line.
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

/// The row with the keys for the next step and their current effect.
fn next_row(app: &App<'_>, is_looking: bool) -> Line<'static> {
    let next = keys::next_name(app.game(), app.labels());
    let words = |text| app.labels().words(text);
    let what = match (is_looking, app.schedule.is_empty()) {
        (true, true) => words("observe nothing, then act").to_owned(),
        (true, false) => words("observe, then act").to_owned(),
        (false, true) => next,
        (false, false) => format!("{}: {next}", words("do it")),
    };
    let key = if app.theme.is_ascii { " space n  " } else { " ␣ n  " };
    Line::from(vec![Span::styled(key, app.theme.key()), Span::raw(what)])
}

/// An action with its keys and its cost, or the reason for its rejection.
fn action_row(app: &App<'_>, binding: &Binding) -> Vec<Span<'static>> {
    let theme = &app.theme;
    let base = app.game().catalogue().base_actions().get(binding.base);
    let cost = base.filter(|base| base.cost() > 0.0).map(|base| format!(" {}", format_number(base.cost())));
    let label = base.map_or_else(String::new, |base| app.labels().base_action(app.game(), base));
    let name = format!("{label}{}", if binding.call.is_none() { "…" } else { "" });
    let key = format!(" {:<2} ", binding.words());
    match app.rejection(binding.base) {
        Some(reason) => {
            let reason = app.labels().words(reason);
            vec![Span::styled(format!("{key}{name}: {reason}"), theme.faint().add_modifier(Modifier::DIM))]
        }
        None => {
            vec![Span::styled(key, theme.key()), Span::raw(name), Span::styled(cost.unwrap_or_default(), theme.faint())]
        }
    }
}
