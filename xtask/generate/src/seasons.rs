//! The tables of the page about seasons as small multiples: a panel for each crop and soil, a line for each sort of year.

use anyhow::{Context, Result, ensure};
use farm_plot::{Lines, Panels, Series};

/// The page, and the picture that stands on it.
pub(crate) const PAGE: &str = "docs/seasons.md";
pub(crate) const PICTURE: &str = "docs/pictures/seasons.svg";

/// A crop on a soil: for each sort of year the yields, by litres a day.
struct Panel {
    title: String,
    years: Vec<(String, Vec<(f64, f64)>)>,
}

/// The picture as SVG.
///
/// # Errors
/// A table that is not as the example `seasons` prints it.
pub(crate) fn svg(page: &str) -> Result<String> {
    let mut panels: Vec<Panel> = Vec::new();
    let (mut crop, mut litres): (String, Vec<f64>) = (String::new(), Vec::new());
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [first, second, numbers @ .., _days] = cells.as_slice() else { continue };
        if *second == "year" {
            crop = (*first).to_owned();
            litres = numbers.iter().map(|text| number(text)).collect::<Result<_>>()?;
            continue;
        }
        let yields: Vec<f64> = numbers.iter().map(|text| number(text)).collect::<Result<_>>()?;
        ensure!(yields.len() == litres.len(), "{PAGE}: a row has another number of columns: {line}");
        let title = format!("{crop} on {first}");
        if panels.last().is_none_or(|panel| panel.title != title) {
            panels.push(Panel { title, years: Vec::new() });
        }
        let points = litres.iter().copied().zip(yields).collect();
        panels.last_mut().context("a panel was added")?.years.push(((*second).to_owned(), points));
    }
    ensure!(!panels.is_empty(), "{PAGE} has no table of yields");
    let panels: Vec<Lines> = panels.into_iter().map(lines).collect();
    let chart = Panels {
        title: "Mean yield by daily watering".to_owned(),
        x: "water a day from the sprout on [L]".to_owned(),
        y: "yield [kg]".to_owned(),
        panels,
        columns: 4,
        width: 230.0,
        height: 110.0,
        ..Panels::default()
    };
    Ok(chart.draw().svg())
}

fn lines(panel: Panel) -> Lines {
    let series = |(rank, (name, points)): (usize, (String, Vec<(f64, f64)>))| Series {
        name: format!("{name} year"),
        points,
        color: rank,
        ..Series::default()
    };
    let series: Vec<Series> = panel.years.into_iter().enumerate().map(series).collect();
    Lines { title: panel.title, series, has_dots: true, ..Lines::default() }
}

/// The first number of a cell, such as that of `**0.41** 100 %` or `0.5 L`.
fn number(cell: &str) -> Result<f64> {
    let first = cell.split_whitespace().next().unwrap_or_default().trim_matches('*');
    first.parse().with_context(|| format!("{PAGE}: `{cell}` is not a yield"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_that_of_the_tables() {
        let root = crate::root();
        let fresh = svg(&std::fs::read_to_string(root.join(PAGE)).unwrap()).unwrap();
        let kept = std::fs::read_to_string(root.join(PICTURE)).unwrap_or_default();
        assert!(fresh == kept, "{PICTURE} is not that of {PAGE}: `cargo xtask curves` draws it anew");
        assert_eq!(fresh.matches(" on clay<").count(), 3);
    }

    #[test]
    fn a_cell_without_a_number_is_an_error() {
        assert_eq!(number("**0.41** 100 %").unwrap(), 0.41);
        assert!(svg("| bean | year | 0 L | days |\n| clay | dry | much | 90 |\n").is_err());
        assert!(svg("no table").is_err());
    }
}
