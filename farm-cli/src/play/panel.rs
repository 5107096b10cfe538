//! A panel of the screen: its border, its title and its lines.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use super::app::App;
use super::folding::folded;

/// Draws a panel and returns the area inside it.
pub(super) fn panel(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, title: &str) -> Rect {
    let block = Block::bordered()
        .border_set(app.theme.border())
        .border_style(app.theme.frame())
        .title(Span::styled(format!(" {title} "), app.theme.title()));
    let inside = block.inner(area);
    frame.render_widget(block, area);
    inside
}

/// Draws a panel of lines, scrolled down at most to the last line.
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
    let (title, of) = (app.labels().words(title), app.labels().words("of"));
    let title = if more > 0 {
        format!("{title} {}–{} {of} {}", scroll + 1, scroll + room, lines.len())
    } else {
        title.to_owned()
    };
    let inside = panel(app, frame, area, &title);
    let shown: Vec<Line<'static>> = lines.into_iter().skip(scroll).take(room).collect();
    frame.render_widget(Paragraph::new(shown), inside);
}
