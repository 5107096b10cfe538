//! The start card, with the game's goal, and the end card, with the result and the next choices.

use ratatui::crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

use super::app::{App, Mode, Prompt};
use super::comparison::{Comparison, WORLDS};
use super::folding::wrap;
use super::keys;
use crate::output::format_number;

/// The maximum number of policies on the end card.
const MAX_POLICIES: usize = 6;
/// The maximum text width on a card.
const WIDEST: usize = 72;

impl App<'_> {
    /// The keys on the start card. All other keys work as in the game.
    pub(super) fn press_start(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter | KeyCode::Esc | KeyCode::Char(' ' | 'I') => {}
            KeyCode::PageDown | KeyCode::PageUp => {
                self.press_scrolling(key);
                self.mode = Mode::Start;
                return;
            }
            other => self.press_playing(other),
        }
        // The panels below start unscrolled.
        self.scroll.0 = 0;
    }

    /// The keys on the end card.
    pub(super) fn press_end(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter | KeyCode::Esc | KeyCode::Char('I') => {}
            KeyCode::Char('r') => {
                let gone = self.session.go_to(0);
                self.check(gone);
                self.changed();
                self.say("the same world from its start; b lists earlier branches");
            }
            KeyCode::Char('n') => self.begin_next_world(),
            KeyCode::Char('g') => self.ask_for_output(Prompt::Film),
            KeyCode::Char('v') => self.ask_for_output(Prompt::Report),
            other => self.press_playing(other),
        }
    }

    /// Shows the end card if the episode is over, and otherwise the start card.
    pub(super) fn show_card(&mut self) {
        self.mode = if self.session.node().end.is_some() { Mode::End } else { Mode::Start };
    }

    /// Shows the end card if the episode has just ended.
    pub(super) fn show_end(&mut self) {
        if self.session.node().end.is_none() {
            return;
        }
        if self.comparison.is_none() {
            self.comparison = Some(Comparison::begin(self.game().clone(), self.session.seed()));
        }
        self.mode = Mode::End;
    }
}

/// The start card.
pub(super) fn start(app: &App<'_>, width: u16) -> Vec<Line<'static>> {
    let (theme, game) = (&app.theme, app.game());
    let room = room(width);
    let mut lines = paragraph(&app.labels().goal(game), room);
    for clause in 0..game.rules().stopping.0.len() {
        let reason = game.text().stop_reason(farm_core::Stop::Condition(clause));
        let reason = app.labels().stop_reason(&reason);
        lines.extend(paragraph(&format!("{} {reason}.", app.labels().words("It ends earlier when")), room));
    }
    lines.push(Line::default());
    // Above the keys, so that the smallest window shows it.
    let words = |text| app.labels().words(text);
    let begins = words(if app.understood.is_empty() {
        "Enter begins; I shows this again."
    } else {
        "Enter begins; PgDn shows what the game is made of; I shows this again."
    });
    lines.push(Line::from(Span::styled(begins, theme.title())));
    lines.push(Line::default());
    let walks = app.bindings.iter().any(|binding| keys::direction_of(game, binding.base).is_some());
    let days = if farm_render::counts_days(game) { "days" } else { "steps" };
    let mut rows = vec![
        ("space n", keys::next_name(game, app.labels())),
        ("5n  N", format!("5 {}; {}", words(days), words("on until something happens"))),
    ];
    if walks {
        rows.push(("arrows", words("walk; G walks to a place").to_owned()));
    }
    rows.push(("m", words("all actions and their parameters").to_owned()));
    rows.push(("h  y", words("hint of a policy; follow it").to_owned()));
    rows.push(("u", words("undo").to_owned()));
    rows.push(("?", words("all keys and map symbols").to_owned()));
    lines.extend(
        rows.into_iter()
            .map(|(key, what)| (words(key), what))
            .map(|(key, what)| Line::from(vec![Span::styled(format!(" {key:<9}"), theme.key()), Span::raw(what)])),
    );
    for understood in &app.understood {
        lines.push(Line::default());
        lines.extend(paragraph(understood, room));
    }
    lines
}

/// The end card.
pub(super) fn end(app: &App<'_>, width: u16) -> Vec<Line<'static>> {
    let (theme, game, node) = (&app.theme, app.game(), app.session.node());
    let reason = app.labels().stop_reason(node.end.as_deref().unwrap_or_default());
    let words = |text| app.labels().words(text);
    let over = words(if farm_render::counts_days(game) { "Season over" } else { "The episode is over" });
    let mut lines = paragraph(&format!("{over}: {reason}."), room(width));
    lines.push(Line::default());
    let state = app.session.state();
    let (count, one, many) = if farm_render::counts_days(game) {
        (u64::from(state.step()), "day", "days")
    } else {
        (node.depth as u64, "step", "steps")
    };
    let (total, unit) = (format_number(node.total), words(if count == 1 { one } else { many }));
    let earned = format!("{} {total} {} {count} {unit}", words("Return"), words("after"));
    lines.push(Line::from(Span::styled(earned, theme.title())));
    for (crop, kilograms) in farm_report::harvest(game, state) {
        lines.push(Line::from(format!("{crop}: {} {}", farm_plot::number(kilograms), words("kg harvested"))));
    }
    lines.push(Line::default());
    lines.extend(comparison(app));
    lines.push(Line::default());
    for pairs in
        [&[("r", "again"), ("n", "new seed"), ("u", "undo")][..], &[("g", "film"), ("v", "report"), ("q", "leave")]]
    {
        let spans = pairs.iter().flat_map(|(key, what)| {
            [Span::styled(format!(" {key} "), theme.key()), Span::raw(format!("{:<10}", words(what)))]
        });
        lines.push(Line::from(spans.collect::<Vec<_>>()));
    }
    lines
}

/// The player's return next to the policies' returns.
fn comparison(app: &App<'_>) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let words = |text| app.labels().words(text);
    let Some(comparison) = &app.comparison else { return Vec::new() };
    let found = comparison.found();
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let mut lines = vec![Line::from(Span::styled(
        format!(
            " {:<18}{:>12}{:>22}",
            "",
            words("this world"),
            format!("{} {WORLDS} {}", words("mean of"), words("worlds"))
        ),
        theme.faint(),
    ))];
    let row = |name: &str, here: Option<f64>, mean: String| format!(" {name:<18}{:>12}{mean:>22}", number(here));
    let own = row(words("you"), Some(app.session.node().total), String::new());
    lines.push(Line::from(Span::styled(own, theme.key())));
    for compared in found.iter().take(MAX_POLICIES) {
        let mark = if compared.adviser.knows_hidden { "*" } else { "" };
        let mean = number(compared.worlds.map(|worlds| worlds.mean));
        lines.push(Line::from(row(&format!("{}{mark}", compared.adviser.name), compared.here, mean)));
    }
    if !comparison.is_done() {
        lines.push(Line::from(Span::styled(format!(" {}", words("policies are still playing...")), theme.faint())));
    } else if found.iter().take(MAX_POLICIES).any(|compared| compared.adviser.knows_hidden) {
        lines.push(Line::from(Span::styled(format!(" * {}", words("sees hidden variables")), theme.faint())));
    }
    lines
}

fn room(width: u16) -> usize {
    usize::from(width).saturating_sub(6).min(WIDEST)
}

fn paragraph(text: &str, room: usize) -> Vec<Line<'static>> {
    text.lines().flat_map(|line| wrap(line, room)).map(Line::from).collect()
}
