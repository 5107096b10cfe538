//! The panel "In view": the selected plot, status bars, observation, forecast and inventory.

use farm_core::declare::Quantity;
use farm_core::inspect::{is_day_of_year, short_number};
use farm_render::{StatusBarItem, Thing, View};
use ratatui::text::{Line, Span};

use super::app::App;

/// The word that names of forecast variables contain.
const FORECAST: &str = "forecast";

/// The selected plot, with its things and values.
pub(super) fn plot(app: &App<'_>) -> Vec<Line<'static>> {
    let theme = &app.theme;
    let (x, y) = app.focus();
    let state = app.session.state();
    let tiles = app.text_renderer.tiles(app.field, state);
    let (_, width) = app.text_renderer.size(app.field);
    let Some(tile) = tiles.get(x * width + y) else { return Vec::new() };
    let field = if app.game().fields().len() > 1 {
        format!("{} ", app.labels().field(app.game(), app.field))
    } else {
        String::new()
    };
    let mut lines = vec![Line::from(Span::styled(format!("{field}{}", place(app, (x, y))), theme.title()))];
    if tile.is_veiled {
        lines.push(Line::from(Span::styled(app.labels().words("out of view"), theme.faint())));
    }
    for thing in tile.things.iter().rev().filter(|thing| !thing.title.is_empty() || !thing.name.is_empty()) {
        lines.push(sign_line(app, thing));
    }
    let values = app.text_renderer.plot_values(app.field, (x, y), state);
    for (i, value) in values.iter().enumerate() {
        if i == 0 || values[i - 1].part != value.part {
            lines.push(Line::from(Span::styled(format!(" {}", value.part_label), theme.faint())));
        }
        lines.push(pair(app, &format!("  {}", value.label.text), &with_unit(&value.shown, &value.label.unit)));
    }
    lines
}

/// The symbols for the things on the displayed tiles, each shown once, with the ground last.
pub(super) fn signs(app: &App<'_>) -> Vec<Line<'static>> {
    let tiles = app.text_renderer.tiles(app.field, app.session.state());
    let mut signs: Vec<Thing<'_>> = Vec::new();
    for thing in tiles.iter().flat_map(|tile| tile.things.iter().rev()) {
        let is_known = signs.iter().any(|known| (known.title, known.name) == (thing.title, thing.name));
        let is_nameless = thing.title.is_empty() && thing.name.is_empty();
        if !is_known && !is_nameless {
            signs.push(*thing);
        }
    }
    signs.sort_by_key(|sign| sign.is_ground);
    signs.iter().map(|sign| sign_line(app, sign)).collect()
}

fn sign_line(app: &App<'_>, thing: &Thing<'_>) -> Line<'static> {
    let theme = &app.theme;
    let mut words: Vec<&str> = [thing.title, thing.name]
        .map(|word| app.labels().words(word))
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() == 2 && words[0].to_lowercase() == words[1].to_lowercase() {
        words.pop();
    }
    let glyph = Span::styled(format!(" {} ", theme.glyph(&thing.mark)), theme.mark(&thing.mark, None));
    Line::from(vec![glyph, Span::raw(words.join(": "))])
}

/// A tile as text: its coordinates, or its position relative to the farmer if the learner does not observe the coordinates.
pub(super) fn place(app: &App<'_>, (x, y): (usize, usize)) -> String {
    if !app.text_renderer.is_window(app.field) {
        return format!("({x}, {y})");
    }
    let (length, width) = app.text_renderer.size(app.field);
    let away = |at: usize, middle: usize, before: &str, after: &str| match at.abs_diff(middle) {
        0 => None,
        n => Some(format!("{n} {}", app.labels().words(if at < middle { before } else { after }))),
    };
    let words: Vec<String> =
        [away(x, length / 2, "west", "east"), away(y, width / 2, "north", "south")].into_iter().flatten().collect();
    if words.is_empty() { app.labels().words("the farmer's own tile").to_owned() } else { words.join(", ") }
}

/// The status bars for the fields: an icon, its label and its values.
pub(super) fn status_bars(app: &App<'_>) -> Vec<Line<'static>> {
    let items = app.text_renderer.status_bars(app.session.state());
    let several = app.game().fields().len() > 1;
    let of_fields = items.iter().filter(|item| item.field.is_some_and(|field| field == app.field));
    let mut lines: Vec<Line<'static>> = of_fields.map(|item| status_line(app, item)).collect();
    if several && !lines.is_empty() {
        lines.insert(0, Line::from(Span::styled(app.labels().field(app.game(), app.field), app.theme.title())));
    }
    lines
}

fn status_line(app: &App<'_>, item: &StatusBarItem<'_>) -> Line<'static> {
    let theme = &app.theme;
    let words = |text| app.labels().words(text);
    let title = words(item.title);
    let mut spans = Vec::new();
    match item.rule {
        Some((name, mark)) => {
            spans.push(Span::styled(format!(" {} ", theme.glyph(&mark)), theme.mark(&mark, None)));
            spans.push(Span::raw(if name.is_empty() { title.to_owned() } else { format!("{title}: {}", words(name)) }));
        }
        None if item.is_shown => spans.push(Span::raw(format!("   {title}"))),
        None => spans.push(Span::styled(format!("   {title}: {}", words("not shown")), theme.faint())),
    }
    if !item.values.is_empty() {
        spans.push(Span::raw(format!("  {}", item.values)));
    }
    Line::from(spans)
}

/// The inventories of the farm's parts.
pub(super) fn inventory(app: &App<'_>) -> Vec<Line<'static>> {
    let items = app.text_renderer.status_bars(app.session.state());
    let own: Vec<&StatusBarItem<'_>> = items.iter().filter(|item| item.field.is_none()).collect();
    if own.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::from(Span::styled(app.labels().words("Inventory").to_owned(), app.theme.title()))];
    if own.iter().any(|item| item.rule.is_some_and(|(name, _)| !name.is_empty())) {
        lines.extend(own.into_iter().map(|item| status_line(app, item)));
        return lines;
    }
    // Entries are short, so two share a line.
    let words: Vec<String> =
        own.iter().map(|item| format!("{:<10} {:<5}", app.labels().words(item.title), item.values)).collect();
    lines.extend(words.chunks(2).map(|pair| Line::from(format!(" {}", pair.join("  ").trim_end()))));
    lines
}

/// The observation apart from plots and maps. In full view, every variable of the farm.
pub(super) fn observed(app: &App<'_>, is_forecast: bool) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if app.text_renderer.view() == View::Everything && !is_forecast {
        for value in app.text_renderer.farm_values(app.session.state()) {
            let words = with_unit(&shortened(&value.shown), &value.label.unit);
            lines.push(pair(app, &format!(" {}", value.label.text), &words));
        }
    } else {
        let labels = app.labels();
        for Observed { kind, name, words } in entries(app) {
            if name.to_lowercase().contains(FORECAST) != is_forecast {
                continue;
            }
            let own = name.rsplit_once(&format!("{FORECAST}.")).map_or(name.as_str(), |(_, rest)| rest);
            let label = labels.variable(&kind, own);
            let words = match words.parse() {
                Ok(day) if is_day_of_year(own) => labels.date(day),
                _ => words.split(' ').map(|word| labels.value(own, word)).collect::<Vec<_>>().join(" "),
            };
            lines.push(pair(app, &format!(" {}", label.text), &with_unit(&shortened(&words), &label.unit)));
        }
    }
    if !lines.is_empty() {
        let title = app.labels().words(match (is_forecast, app.text_renderer.view()) {
            (true, _) => "Forecast",
            (false, View::Learner) => "Observed",
            (false, View::Everything) => "Everything",
        });
        lines.insert(0, Line::from(Span::styled(title, app.theme.title())));
    }
    lines
}

/// An entry in the observation.
struct Observed {
    /// The part's kind.
    kind: String,
    /// The variable's name.
    name: String,
    /// Its values as text.
    words: String,
}

/// The entries in the observation that are neither maps nor plots.
fn entries(app: &App<'_>) -> Vec<Observed> {
    let game = app.game();
    let layout = game.observation();
    let record = app.session.observation();
    let text = layout.to_text(record);
    let mut shown = Vec::new();
    for (e, entry) in layout.entries().iter().enumerate() {
        let Some(reference) = entry.reference() else { continue };
        let part = game.parts().get(reference.part());
        let is_of_plots = match reference.quantity() {
            Quantity::Variable(v) => {
                part.and_then(|part| part.variables().get(v)).is_some_and(|variable| variable.per_plot())
            }
            _ => false,
        };
        if entry.is_centred() || is_of_plots || entry.is_empty() || !layout.is_present(record, e, 0) {
            continue;
        }
        let head = format!("{}:", entry.key());
        let line = text.lines().find_map(|line| line.strip_prefix(&head)).map(str::trim);
        // An entry of several lines is a map.
        let Some(line) = line.filter(|line| !line.is_empty()) else { continue };
        let name = part.and_then(|part| entry.key().strip_prefix(&format!("{}.", part.path()))).unwrap_or(entry.key());
        let kind = part.map_or("", |part| part.kind());
        shown.push(Observed { kind: kind.to_owned(), name: name.to_owned(), words: line.to_owned() });
    }
    shown
}

/// A text with shortened numbers.
fn shortened(words: &str) -> String {
    let number = |word: &str| word.parse::<f64>().map_or(word.to_owned(), short_number);
    let short = |word: &str| match word.split_once('=') {
        Some((name, value)) => format!("{name} {}", number(value)),
        None => number(word),
    };
    let separator = if words.contains('=') { ", " } else { " " };
    words.split_whitespace().map(short).collect::<Vec<_>>().join(separator)
}

/// A value with its unit. The unit comes before any note in parentheses.
fn with_unit(words: &str, unit: &str) -> String {
    match words.split_once(" (") {
        Some((value, note)) => format!("{value} {unit} ({note}"),
        None => format!("{words} {unit}"),
    }
}

fn pair(app: &App<'_>, name: &str, value: &str) -> Line<'static> {
    Line::from(vec![Span::styled(format!("{name}  "), app.theme.faint()), Span::raw(value.trim_end().to_owned())])
}
