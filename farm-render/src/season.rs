//! The season so far: the daily values that parts declare, and their chart below the farm picture.

use farm_core::declare::{PartInfo, SeriesKind};
use farm_core::{Game, State};
use farm_output::{Color, Rect};
use farm_plot::Weight;

use crate::canvas::Canvas;
use crate::palette::{FAINT, GRID, INK, PAPER};
use crate::text::Writer;
use crate::values::Values;
use crate::written::number;

/// Height of a row in the chart, and of its axis.
const ROW: i32 = 24;
const AXIS: i32 = 16;
/// In a row, the width of the title on the left and of the number on the right.
const WORDS: i32 = 108;
const NUMBERS: i32 = 64;
/// Font size.
const SMALL: u32 = 11;
/// The axis ends at a multiple of this number of days, so it rarely changes.
const DAYS: usize = 60;
/// Maximum number of rows. All fields share a row, and so do crops of the same kind.
const MAX_ROWS: usize = 6;

/// A row in the chart.
#[derive(Debug, Clone)]
struct Row {
    title: String,
    kind: SeriesKind,
    color: Color,
    /// The variables that it shows, one for each part, with their numbers of values.
    sources: Vec<(Values, usize)>,
}

/// A game's rows. Series with the same title share a row.
fn rows(game: &Game) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let all = |(p, part): (usize, &'_ PartInfo)| -> Vec<Row> {
        let series = part.pictures().iter().flat_map(|picture| picture.season());
        let row = |series: &farm_core::declare::SeasonSeries| {
            let v = part.variables().iter().position(|variable| variable.name() == series.variable())?;
            let source = (Values::of(p, v, &part.variables()[v])?, part.variables()[v].len());
            let (title, kind, color) = (series.title().to_owned(), *series.kind(), series.color());
            Some(Row { title, kind, color, sources: vec![source] })
        };
        series.filter_map(row).collect()
    };
    for row in game.parts().iter().enumerate().flat_map(all) {
        match rows.iter_mut().find(|known| known.title == row.title) {
            Some(known) => known.sources.extend(row.sources),
            None => rows.push(row),
        }
    }
    // Inputs such as rain and irrigation are above their effects.
    rows.sort_by_key(|row| match row.kind {
        SeriesKind::Daily => 0,
        SeriesKind::Total => 1,
        SeriesKind::Level => 2,
    });
    rows.truncate(MAX_ROWS);
    rows
}

/// An episode's values for the chart.
#[derive(Debug, Clone)]
pub struct Season {
    rows: Vec<Row>,
    /// The values of each row, day by day.
    values: Vec<Vec<f64>>,
    /// The first and last recorded steps. The first is usually the reset.
    noted: Option<(u32, u32)>,
}

/// A row's result over the whole season.
pub(crate) struct Reached<'a> {
    /// Its title.
    pub title: &'a str,
    /// The sum of the daily amounts, or the highest level.
    pub value: f64,
    /// Whether it is a sum.
    pub is_sum: bool,
}

impl Season {
    /// Creates a game's season, without any recorded steps.
    pub fn new(game: &Game) -> Self {
        let rows = rows(game);
        Self { values: vec![Vec::new(); rows.len()], rows, noted: None }
    }

    /// Whether the game's parts declare no series.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Removes the records from this step onwards.
    pub fn go_back(&mut self, step: u32) {
        let first = self.noted.map_or(step, |(first, _)| first);
        let kept = step.saturating_sub(first) as usize;
        self.values.iter_mut().for_each(|values| values.truncate(kept));
        self.noted = self.noted.filter(|_| step > first).map(|(first, last)| (first, last.min(step - 1)));
    }

    /// Records a state of the game. A step that is already the last one is ignored. An earlier step replaces the records from there
    /// onwards. A step beyond the next one restarts the season.
    pub fn note(&mut self, game: &Game, state: &State) {
        let step = state.step();
        if self.rows.is_empty() || self.noted.is_some_and(|(_, last)| last == step) {
            return;
        }
        self.go_back(if self.noted.is_some_and(|(_, last)| step > last + 1) { 0 } else { step });
        self.noted = Some((self.noted.map_or(step, |(first, _)| first), step));
        let reader = game.reader(state);
        for (row, values) in self.rows.iter().zip(&mut self.values) {
            // Levels are means over plots; totals are sums over the farm.
            let of = |(source, len): &(Values, usize)| {
                let sum: f64 = (0..*len).filter_map(|i| source.read(&reader, i)).sum();
                if row.kind == SeriesKind::Total { sum } else { sum / (*len).max(1) as f64 }
            };
            let sum: f64 = row.sources.iter().map(of).sum();
            values.push(if row.kind == SeriesKind::Total { sum } else { sum / row.sources.len().max(1) as f64 });
        }
    }

    /// The daily values of a row: the value, or the increase since the previous day.
    fn shown(&self, row: usize) -> Vec<f64> {
        let values = &self.values[row];
        match self.rows[row].kind {
            SeriesKind::Level | SeriesKind::Daily => values.clone(),
            SeriesKind::Total => {
                let before = std::iter::once(0.0).chain(values.iter().copied());
                values.iter().zip(before).map(|(now, before)| (now - before).max(0.0)).collect()
            }
        }
    }

    /// The result of each row.
    pub(crate) fn reached(&self) -> impl Iterator<Item = Reached<'_>> {
        self.rows.iter().enumerate().map(|(i, row)| {
            let is_sum = row.kind != SeriesKind::Level;
            let shown = self.shown(i);
            let value = if is_sum { shown.iter().sum() } else { shown.iter().copied().fold(0.0, f64::max) };
            Reached { title: &row.title, value, is_sum }
        })
    }

    /// The height of a game's chart.
    pub(crate) fn height(game: &Game) -> i32 {
        match rows(game).len() as i32 {
            0 => 0,
            rows => rows * ROW + AXIS,
        }
    }

    /// Draws the chart.
    pub(crate) fn draw(&self, canvas: &mut dyn Canvas, writer: &mut Writer, area: Rect, max_steps: Option<u32>) {
        canvas.fill(area, PAPER);
        let days = self.values.first().map_or(0, Vec::len);
        let most = max_steps.map_or(usize::MAX, |most| most as usize + 1);
        let horizon = days.max(1).next_multiple_of(DAYS).min(most).max(days).max(2);
        let (left, width) = (area.x + WORDS, (area.width - WORDS - NUMBERS).max(1));
        let x_of = |day: usize| left + (day as i64 * i64::from(width) / horizon as i64) as i32;
        for (i, row) in self.rows.iter().enumerate() {
            let (top, shown) = (area.y + i as i32 * ROW, self.shown(i));
            let (floor, room) = (top + ROW - 5, ROW - 8);
            let title = writer.fit(&row.title, WORDS - 6, SMALL, Weight::Regular);
            canvas.write((area.x, floor - 4), SMALL, Weight::Regular, INK, &title);
            canvas.fill(Rect::new(left, floor, width, 1), GRID);
            let highest = shown.iter().copied().fold(0.0, f64::max);
            // Amounts start at zero. Levels range from their lowest to their highest value.
            let lowest =
                if row.kind == SeriesKind::Level { shown.iter().copied().fold(highest, f64::min) } else { 0.0 };
            let of_range = |value: f64| (value - lowest) / (highest - lowest).max(1e-9);
            let y_of = |value: f64| floor - (of_range(value) * f64::from(room)).round() as i32;
            for (day, value) in shown.iter().enumerate() {
                let (from, to) = (x_of(day), x_of(day + 1).max(x_of(day) + 1));
                let top = y_of(*value);
                if row.kind == SeriesKind::Level {
                    // A line is a stroke from the value of the previous day to the value of this day.
                    let before = y_of(shown[day.saturating_sub(1)]);
                    canvas.fill(Rect::new(from, top, to - from, 2), row.color);
                    let (upper, lower) = (top.min(before), top.max(before));
                    canvas.fill(Rect::new(from, upper, 2, lower - upper + 2), row.color);
                } else if top < floor {
                    canvas.fill(Rect::new(from, top, (to - from - 1).max(1), floor - top), row.color);
                }
            }
            let sum = match row.kind {
                SeriesKind::Level => shown.last().copied().unwrap_or(0.0),
                SeriesKind::Daily | SeriesKind::Total => shown.iter().sum(),
            };
            let sign = if row.kind == SeriesKind::Level { "" } else { "Σ " };
            let text = format!("{sign}{}", number(sum));
            canvas.write((left + width + 6, floor - 4), SMALL, Weight::Bold, INK, &text);
        }
        let axis = area.y + self.rows.len() as i32 * ROW + 9;
        let step = (horizon / 6).max(1).next_multiple_of(10);
        for day in (0..horizon).step_by(step) {
            canvas.fill(Rect::new(x_of(day), axis - 13, 1, 4), FAINT);
            let shown = self.noted.map_or(0, |(first, _)| first as usize) + day;
            let text = if day == 0 { format!("day {shown}") } else { shown.to_string() };
            canvas.write((x_of(day) + 2, axis), SMALL, Weight::Regular, FAINT, &text);
        }
    }
}
