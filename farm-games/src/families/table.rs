//! Tables of worlds with their known results, written and read as CSV rows.

use super::{Annotation, Optimum, SCRIPTS, SplitWorld};

/// The columns before the scripts' returns.
pub const COLUMNS: [&str; 8] = ["tier", "index", "member", "seed", "told", "optimum", "bound", "length"];

/// The first line.
pub fn header() -> String {
    COLUMNS.into_iter().chain(SCRIPTS).collect::<Vec<_>>().join(",")
}

/// The columns of a row that describe the world, before anything is computed.
fn named(world: &SplitWorld) -> String {
    // The name of a member has commas.
    format!(
        "{},{},\"{}\",{},{}",
        world.tier().number,
        world.index(),
        world.member(),
        world.seed(),
        world.tier().told.name()
    )
}

/// A world's row.
pub fn row(world: &SplitWorld, known: &Annotation) -> String {
    let Annotation { optimum, scripts } = known;
    let bound = optimum.bound.is_finite().then_some(optimum.bound);
    let cell = |value: &Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let played: Vec<String> = scripts.iter().map(cell).collect();
    format!("{},{},{},{},{}", named(world), optimum.value, cell(&bound), optimum.length, played.join(","))
}

/// The optimum in a world's row, and the returns of any number of scripts; none if the row belongs to another world.
pub fn read_row(world: &SplitWorld, text: &str) -> Option<(Optimum, Vec<Option<f64>>)> {
    let rest = text.strip_prefix(&named(world))?.strip_prefix(',')?;
    let cells: Vec<Option<f64>> = rest
        .split(',')
        .map(|cell| if cell.is_empty() { Some(None) } else { cell.parse().ok().map(Some) })
        .collect::<Option<_>>()?;
    let [value, bound, length, scripts @ ..] = cells.as_slice() else { return None };
    let length = (*length)?;
    let optimum = Optimum { value: (*value)?, bound: bound.unwrap_or(f64::INFINITY), length: length as u64 };
    (length.fract() == 0.0 && length >= 0.0).then(|| (optimum, scripts.to_vec()))
}
