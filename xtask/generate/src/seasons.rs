//! Draws the charts on the page "What daily watering yields" from the tables on the same page.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use farm_plot::{Drawing, Lines, Panels, Series};

use crate::save::save;

/// The page with the tables, and the folder for its charts.
pub(crate) const PAGE: &str = "docs/seasons.md";
const PICTURES: &str = "docs/pictures/seasons";

/// Width and height of one panel, in pixels.
const SIZE: (f64, f64) = (215.0, 130.0);

/// The colours of dry, mean and wet years, by index.
const COLORS: [usize; 3] = [1, 6, 0];

/// One crop's yields.
#[derive(Debug, PartialEq)]
struct Crop {
    name: String,
    /// Litres per day, each as a number and as written.
    liters: Vec<(f64, String)>,
    /// A row for each soil and year, with a yield in kg for each number of litres.
    rows: Vec<(String, String, Vec<f64>)>,
}

/// Draws a chart from each table, or compares it with the existing one.
///
/// # Errors
/// A table can't be read, a file can't be read or written, or, with `check`, a file differs.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    let path = root.join(PAGE);
    let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
    let crops = read(&text).with_context(|| PAGE.to_owned())?;
    ensure!(!crops.is_empty(), "{PAGE} has no table of a crop by soil and year");
    for crop in crops {
        save(&root.join(format!("{PICTURES}/{}.svg", crop.name)), &chart(&crop).svg(), check)?;
    }
    Ok(())
}

/// Reads the tables on a page. Their header is `| bean | year | 0 L | … | days |`, and a row follows for each soil and year.
fn read(text: &str) -> Result<Vec<Crop>> {
    let mut crops: Vec<Crop> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        match cells.as_slice() {
            _ if !line.starts_with('|') => is_inside = false,
            [name, "year", liters @ .., "days"] => {
                let liters = liters.iter().map(|cell| Ok((number(cell)?, (*cell).trim_end_matches(" L").to_owned())));
                crops.push(Crop { name: (*name).to_owned(), liters: liters.collect::<Result<_>>()?, rows: Vec::new() });
                is_inside = true;
            }
            [first, ..] if first.starts_with("--") => {}
            [soil, year, yields @ .., _] if is_inside => {
                let Some(crop) = crops.last_mut() else { continue };
                let yields = yields.iter().map(|cell| number(cell)).collect::<Result<Vec<f64>>>()?;
                ensure!(yields.len() == crop.liters.len(), "{line}: expected {} yields", crop.liters.len());
                crop.rows.push(((*soil).to_owned(), (*year).to_owned(), yields));
            }
            _ => {}
        }
    }
    Ok(crops)
}

/// The number at the beginning of a cell, such as 0.41 for `**0.41** 100 %`.
fn number(cell: &str) -> Result<f64> {
    let first = cell.split_whitespace().next().unwrap_or_default().trim_matches('*');
    first.parse().map_err(|_| anyhow!("`{cell}` does not begin with a number"))
}

/// The chart for a crop, with a panel for each soil and a line for each year.
fn chart(crop: &Crop) -> Drawing {
    let highest = crop.rows.iter().flat_map(|(.., yields)| yields).fold(0.0_f64, |most, kg| most.max(*kg));
    let mut soils: Vec<&str> = crop.rows.iter().map(|(soil, ..)| soil.as_str()).collect();
    soils.dedup();
    // Half a litre has a dot but no label, which would touch its neighbours.
    let ticks: Vec<(f64, String)> = crop.liters.iter().filter(|(liters, _)| liters.fract() == 0.0).cloned().collect();
    let panel = |soil: &&str| Lines {
        title: (*soil).to_owned(),
        series: crop
            .rows
            .iter()
            .filter(|(of, ..)| of == soil)
            .zip(COLORS)
            .map(|((_, year, yields), color)| Series {
                name: format!("{year} year"),
                points: crop.liters.iter().map(|(liters, _)| *liters).zip(yields.iter().copied()).collect(),
                color,
                ..Series::default()
            })
            .collect(),
        ticks: ticks.clone(),
        has_dots: true,
        y_range: Some((0.0, highest)),
        ..Lines::default()
    };
    let panels: Vec<Lines> = soils.iter().map(panel).collect();
    Panels {
        title: format!("What {} yields by daily watering", crop.name),
        remark: String::new(),
        x: "water a day from the sprout on [L]".to_owned(),
        y: "mean yield of a plant [kg]".to_owned(),
        columns: panels.len(),
        panels,
        width: SIZE.0,
        height: SIZE.1,
    }
    .draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_charts_show_what_the_tables_say() {
        run(&crate::root(), true).unwrap();
    }

    #[test]
    fn tables_are_read_as_they_are_published() {
        let table = "| bean | year | 0 L | 0.5 L | days |\n|---|---| ---: | ---: | ---: |\n\
                     | clay | dry | 0.01 86 % | **0.41** 100 % | 97 |\n\n| other | table |\n";
        let crops = read(table).unwrap();
        let liters = vec![(0.0, "0".to_owned()), (0.5, "0.5".to_owned())];
        let rows = vec![("clay".to_owned(), "dry".to_owned(), vec![0.01, 0.41])];
        assert_eq!(crops, [Crop { name: "bean".to_owned(), liters, rows }]);
        let error = read(&table.replace("0.01", "some")).unwrap_err().to_string();
        assert_eq!(error, "`some 86 %` does not begin with a number");
        let error = read(&table.replace("| 0.01 86 % ", "")).unwrap_err().to_string();
        assert!(error.contains("expected 2 yields"), "{error}");
    }

    #[test]
    fn all_soils_have_one_scale() {
        let text = fs::read_to_string(crate::root().join(PAGE)).unwrap();
        let crops = read(&text).unwrap();
        assert_eq!(crops.iter().map(|crop| crop.name.as_str()).collect::<Vec<_>>(), ["bean", "corn", "tomato"]);
        for crop in &crops {
            assert_eq!(crop.rows.len(), 12, "{}", crop.name);
            let svg = chart(crop).svg();
            for word in ["clay", "silt", "loam", "sand", "dry year", "mean year", "wet year"] {
                assert!(svg.contains(&format!(">{word}</text>")), "{}: {word}", crop.name);
            }
        }
    }
}
