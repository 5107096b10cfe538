//! A comparison as tables, as JSON, as charts and as a page.

use std::fmt::Write as _;
use std::path::Path as FilePath;

use farm_entities::agronomy::weather::formats::Date;
use farm_output::{OutputError, save};
use farm_plot::{Drawing, Lines, Panels, Series, Shape};
use serde_json::{Value as Json, json};

use crate::compare::{Comparison, Group, Quantity, TreatmentResult};
use crate::crops::Crop;
use crate::measures::{Agreement, Pair};
use crate::play::DayRecord;

/// The size of one chart in pixels, and the number of charts in a row.
const WIDTH: f64 = 250.0;
const HEIGHT: f64 = 170.0;
const COLUMNS: usize = 4;
/// Kilograms per hectare for a tonne per hectare.
const TONNE: f64 = 1000.0;

/// A table: headings and rows.
pub type Table = (Vec<&'static str>, Vec<Vec<String>>);

/// The name of a crop; the code of a crop that no game has.
fn crop_name(code: &str) -> &str {
    Crop::of(code).map_or(code, |crop| crop.base)
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

fn percent(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{:.0} %", 100.0 * value))
}

impl Comparison {
    /// Measured and simulated values of each treatment, in one cell: `measured / simulated`.
    pub fn treatment_table(&self) -> Table {
        let header = vec![
            "treatment",
            "name",
            "harvest t/ha",
            "biomass t/ha",
            "leaf area index",
            "N kg/ha",
            "emergence day",
            "flowering day",
            "ripe day",
            "remark",
        ];
        let row = |result: &TreatmentResult| {
            let mut cells = vec![result.label(), result.name.clone()];
            for quantity in Quantity::ALL {
                let (scale, digits) = match quantity {
                    Quantity::Harvest | Quantity::Biomass => (TONNE, 2),
                    Quantity::LeafArea => (1.0, 2),
                    _ => (1.0, 0),
                };
                let both = [result.measured(quantity), result.simulated(quantity)];
                let [measured, simulated] = both.map(|value| number(value.map(|value| value / scale), digits));
                cells.push(format!("{measured} / {simulated}"));
            }
            cells.push(match (&result.played, result.died_of()) {
                (Err(reason), _) => format!("not played: {reason}"),
                (_, Some(cause)) => format!("died: {cause}"),
                _ => String::new(),
            });
            cells
        };
        (header, self.treatments.iter().map(row).collect())
    }

    /// The agreement in each trial.
    pub fn trial_table(&self) -> Table {
        table("trial", &self.trials(), str::to_owned)
    }

    /// The agreement for each crop.
    pub fn crop_table(&self) -> Table {
        table("crop", &self.crops(), |code| crop_name(code).to_owned())
    }

    /// For each trial, what it has and games do not model, and what is assumed, with the numbers of the treatments.
    pub fn not_modelled(&self) -> Vec<(String, Vec<String>)> {
        let of_trial = |trial: Group| {
            let own: Vec<&TreatmentResult> =
                self.treatments.iter().filter(|result| result.trial == trial.name).collect();
            let mut cultivars: Vec<&str> = own.iter().map(|result| result.cultivar.1.as_str()).collect();
            cultivars.sort_unstable();
            cultivars.dedup();
            let mut facts: Vec<(String, Vec<u32>)> = Vec::new();
            for (result, season) in own.iter().filter_map(|result| Some((result, result.season.as_ref().ok()?))) {
                let assumed = season.assumed.iter().map(|what| format!("assumed: {what}"));
                for fact in season.not_modelled.iter().cloned().chain(assumed) {
                    match facts.iter_mut().find(|(known, _)| *known == fact) {
                        Some((_, numbers)) => numbers.push(result.number),
                        None => facts.push((fact, vec![result.number])),
                    }
                }
            }
            let cultivar = match cultivars.as_slice() {
                [one] => format!("the cultivar {one}"),
                several => format!("{} cultivars", several.len()),
            };
            let words = facts.into_iter().map(|(fact, numbers)| match numbers.len() {
                some if some == own.len() => fact,
                _ => format!("{fact} (in {})", spans(&numbers)),
            });
            (trial.name, std::iter::once(cultivar).chain(words).collect())
        };
        self.trials().into_iter().map(of_trial).collect()
    }

    /// The comparison as JSON.
    pub fn json(&self) -> Json {
        let not_modelled: serde_json::Map<String, Json> =
            self.not_modelled().into_iter().map(|(trial, facts)| (trial, json!(facts))).collect();
        json!({
            "rank_correlation": self.rank(),
            "crops": self.crops().iter().map(group_json).collect::<Vec<_>>(),
            "trials": self.trials().iter().map(group_json).collect::<Vec<_>>(),
            "treatments": self.treatments.iter().map(treatment_json).collect::<Vec<_>>(),
            "not_modelled": not_modelled,
            "warnings": self.warnings,
        })
    }

    /// Simulated over measured values of a quantity: a chart for each crop, a colour for each of its trials. On the line, both are equal.
    pub fn scatter(&self, quantity: Quantity, title: &str, unit: &str) -> Drawing {
        let scale = if matches!(quantity, Quantity::Harvest | Quantity::Biomass) { TONNE } else { 1.0 };
        let mut panels = Vec::new();
        for crop in self.crops() {
            let own = self.treatments.iter().filter(|result| result.crop == crop.name);
            let mut trials: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
            for (result, pair) in own.filter_map(|result| Some((result, result.pair(quantity)?))) {
                let point = (pair.measured / scale, pair.simulated / scale);
                match trials.iter_mut().find(|(name, _)| *name == result.trial) {
                    Some((_, points)) => points.push(point),
                    None => trials.push((&result.trial, vec![point])),
                }
            }
            let most = trials.iter().flat_map(|(_, points)| points).fold(0.0, |most: f64, (x, y)| most.max(*x).max(*y));
            if most <= 0.0 {
                continue;
            }
            // Dots at the edge would be cut.
            let most = 1.05 * most;
            let equal =
                Series { name: "equal".to_owned(), points: vec![(0.0, 0.0), (most, most)], ..Series::default() };
            let points = trials.into_iter().enumerate().map(|(i, (name, points))| Series {
                name: name.to_owned(),
                points,
                shape: Shape::Points,
                color: i + 1,
                ..Series::default()
            });
            panels.push(Lines {
                title: crop_name(&crop.name).to_owned(),
                series: std::iter::once(equal).chain(points).collect(),
                range: Some((0.0, most)),
                y_range: Some((0.0, most)),
                ..Lines::default()
            });
        }
        let charts = panels.into_iter().map(|panel| {
            let chart = Lines {
                title: format!("{title}: {}", panel.title),
                x: format!("measured, {unit}"),
                y: format!("simulated, {unit}"),
                width: 2.0 * WIDTH,
                height: 2.0 * HEIGHT,
                ..panel
            };
            chart.draw()
        });
        Drawing::stacked(charts.collect()).named(&format!("{title}, simulated over measured"))
    }

    /// The dry matter of a trial's treatments over time; `None` if the trial has no measurements over time.
    fn matter_over_time(&self, trial: &str) -> Option<Drawing> {
        let measured = |column: &str| if column == "CWAD" { "measured biomass" } else { "measured harvest" };
        let lines = |result: &TreatmentResult| -> Vec<Series> {
            let mut series = vec![
                simulated(result, "biomass", 0, |day| day.biomass / TONNE),
                simulated(result, "harvest", 1, |day| day.harvest / TONNE),
            ];
            for (column, color) in [("CWAD", 0), ("GWAD", 1), ("UWAD", 1), ("PWAD", 1)] {
                series.extend(readings(result, column, measured(column), color, TONNE));
            }
            series
        };
        self.over_time(trial, "dry matter", "t/ha", lines)
    }

    /// The leaf area of a trial's treatments over time; `None` if it was not measured.
    fn leaves_over_time(&self, trial: &str) -> Option<Drawing> {
        let lines = |result: &TreatmentResult| -> Vec<Series> {
            let mut series = vec![simulated(result, "simulated", 0, |day| day.leaf_area)];
            series.extend(readings(result, "LAID", "measured", 0, 1.0));
            series
        };
        self.over_time(trial, "leaf area index", "m²/m²", lines)
    }

    /// The water in the soil of a trial's treatments over time; `None` if it was not measured.
    fn water_over_time(&self, trial: &str) -> Option<Drawing> {
        let lines = |result: &TreatmentResult| -> Vec<Series> {
            let mut layers: Vec<(f64, f64)> = result.water.iter().map(|(layer, ..)| *layer).collect();
            layers.dedup();
            let Ok(played) = &result.played else { return Vec::new() };
            let mut series = Vec::new();
            for (color, (top, bottom)) in layers.into_iter().enumerate() {
                let name = format!("{top:.0}–{bottom:.0} cm");
                let water = |day: &DayRecord| played.water_between(day, top, bottom).unwrap_or(f64::NAN);
                let line = simulated(result, &name, color, water);
                if line.points.iter().all(|(_, value)| value.is_nan()) {
                    continue;
                }
                let own = result.water.iter().filter(|(layer, ..)| *layer == (top, bottom));
                let points = own.map(|(_, date, value)| (after_sowing(result, *date), *value)).collect();
                let name = format!("measured {name}");
                series.extend([line, Series { name, points, shape: Shape::Points, color, ..Series::default() }]);
            }
            series
        };
        self.over_time(trial, "soil water", "m³/m³", lines)
    }

    fn over_time(
        &self,
        trial: &str,
        what: &str,
        unit: &str,
        lines: impl Fn(&TreatmentResult) -> Vec<Series>,
    ) -> Option<Drawing> {
        let own = self.treatments.iter().filter(|result| result.trial == trial);
        let panels: Vec<Lines> = own
            .map(|result| Lines {
                title: format!("{} {}", result.number, result.name),
                series: lines(result),
                ..Lines::default()
            })
            .filter(|panel| panel.series.iter().any(|series| series.shape == Shape::Points))
            .collect();
        let chart = Panels {
            title: format!("{trial}: {what}"),
            remark: "Lines are simulated, dots are measured.".to_owned(),
            x: "days after sowing".to_owned(),
            y: format!("{what}, {unit}"),
            columns: COLUMNS.min(panels.len()),
            panels,
            width: WIDTH,
            height: HEIGHT,
        };
        (!chart.panels.is_empty()).then(|| chart.draw())
    }

    /// Writes `index.md` and its charts into an existing folder.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn write(&self, folder: &FilePath) -> Result<(), OutputError> {
        let mut page = "# Field trials: measured and simulated\n".to_owned();
        let put = |name: &str, drawing: &Drawing| save(&folder.join(name), drawing.svg().as_bytes());
        let heading = |page: &mut String, text: &str| {
            let _ = write!(page, "\n## {text}\n\n");
        };
        heading(&mut page, "Crops");
        page.push_str(&markdown(&self.crop_table()));
        for (quantity, file, title, unit) in [
            (Quantity::Harvest, "harvest.svg", "Dry harvest", "t/ha"),
            (Quantity::Biomass, "biomass.svg", "Biomass at harvest", "t/ha"),
            (Quantity::LeafArea, "leaf_area.svg", "Largest leaf area index", "m²/m²"),
            (Quantity::Nitrogen, "nitrogen.svg", "Nitrogen in the crop", "kg/ha"),
        ] {
            if self.treatments.iter().any(|result| result.pair(quantity).is_some()) {
                put(file, &self.scatter(quantity, title, unit))?;
                let _ = write!(page, "\n![{title}, simulated over measured]({file})\n");
            }
        }
        heading(&mut page, "Trials");
        page.push_str(&markdown(&self.trial_table()));
        heading(&mut page, "Over time");
        for trial in self.trials() {
            let charts = [
                ("matter", self.matter_over_time(&trial.name)),
                ("leaves", self.leaves_over_time(&trial.name)),
                ("water", self.water_over_time(&trial.name)),
            ];
            for (what, drawing) in charts {
                let Some(drawing) = drawing else { continue };
                let file = format!("{}-{what}.svg", trial.name);
                put(&file, &drawing)?;
                let _ = writeln!(page, "![{} over time]({file})\n", trial.name);
            }
        }
        heading(&mut page, "Treatments");
        page.push_str(&markdown(&self.treatment_table()));
        heading(&mut page, "Not modelled");
        for (trial, facts) in self.not_modelled() {
            let _ = writeln!(page, "- {trial}: {}", facts.join("; "));
        }
        if !self.warnings.is_empty() {
            heading(&mut page, "Left out of the files");
            self.warnings.iter().for_each(|warning| {
                let _ = writeln!(page, "- {warning}");
            });
        }
        save(&folder.join("index.md"), page.as_bytes())
    }
}

/// A simulated value over days after sowing.
fn simulated(result: &TreatmentResult, name: &str, color: usize, value: impl Fn(&DayRecord) -> f64) -> Series {
    let days = result.played.as_ref().map_or(&[][..], |played| played.days.as_slice());
    let living = days.iter().filter(|day| day.date >= result.sown && !matches!(day.stage, "harvested" | "dead"));
    Series {
        name: name.to_owned(),
        points: living.map(|day| (after_sowing(result, day.date), value(day))).collect(),
        color,
        ..Series::default()
    }
}

/// Measured values over days after sowing.
fn readings(result: &TreatmentResult, column: &str, name: &str, color: usize, scale: f64) -> Option<Series> {
    let course = result.courses.iter().find(|course| course.column == column)?;
    let points = course.measured.iter().map(|(date, value)| (after_sowing(result, *date), value / scale)).collect();
    Some(Series { name: name.to_owned(), points, shape: Shape::Points, color, ..Series::default() })
}

fn after_sowing(result: &TreatmentResult, date: Date) -> f64 {
    (date.epoch() - result.sown.epoch()) as f64
}

/// Whole numbers in order, as spans: `1–4, 7`.
fn spans(numbers: &[u32]) -> String {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => found.push((*number, *number)),
        }
    }
    let words =
        found.iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first}–{last}") });
    words.collect::<Vec<_>>().join(", ")
}

fn table(kind: &'static str, groups: &[Group], name: impl Fn(&str) -> String) -> Table {
    let header = vec![
        kind,
        "treatments",
        "harvest bias",
        "nRMSE",
        "EF",
        "rank r",
        "biomass bias",
        "nRMSE",
        "LAI bias",
        "N bias",
        "flowering RMSE d",
        "mean d",
        "ripe RMSE d",
        "mean d",
        "soil water RMSE",
        "died",
        "not played",
    ];
    let row = |group: &Group| {
        let of = |quantity: Quantity| group.agreements[quantity as usize];
        let (harvest, biomass) = (of(Quantity::Harvest), of(Quantity::Biomass));
        let (flowering, maturity) = (of(Quantity::Flowering), of(Quantity::Maturity));
        vec![
            name(&group.name),
            group.treatments.to_string(),
            number(harvest.bias, 2),
            percent(harvest.nrmse),
            number(harvest.efficiency, 2),
            number(group.rank, 2),
            number(biomass.bias, 2),
            percent(biomass.nrmse),
            number(of(Quantity::LeafArea).bias, 2),
            number(of(Quantity::Nitrogen).bias, 2),
            number(flowering.rmse, 0),
            number(flowering.difference, 0),
            number(maturity.rmse, 0),
            number(maturity.difference, 0),
            number(group.water.rmse, 3),
            group.died.to_string(),
            group.unplayed.to_string(),
        ]
    };
    (header, groups.iter().map(row).collect())
}

fn markdown((header, rows): &Table) -> String {
    let line = |cells: Vec<String>| {
        format!("| {} |\n", cells.iter().map(|cell| cell.replace('|', "/")).collect::<Vec<_>>().join(" | "))
    };
    let mut text = line(header.iter().map(|cell| (*cell).to_owned()).collect());
    text.push_str(&line(header.iter().map(|_| "---".to_owned()).collect()));
    rows.iter().for_each(|row| text.push_str(&line(row.clone())));
    text
}

fn agreement_json(agreement: &Agreement) -> Json {
    json!({
        "n": agreement.n,
        "bias": agreement.bias,
        "nrmse": agreement.nrmse,
        "efficiency": agreement.efficiency,
        "rmse": agreement.rmse,
        "difference": agreement.difference,
    })
}

fn group_json(group: &Group) -> Json {
    let agreements: serde_json::Map<String, Json> = Quantity::ALL
        .iter()
        .map(|quantity| (quantity.key().to_owned(), agreement_json(&group.agreements[*quantity as usize])))
        .collect();
    json!({
        "name": group.name,
        "treatments": group.treatments,
        "not_played": group.unplayed,
        "died": group.died,
        "rank_correlation": group.rank,
        "agreement": agreements,
        "soil_water#m3.m-3": agreement_json(&group.water),
    })
}

fn reading_json((date, quantity, pair): &(Date, String, Pair)) -> Json {
    json!({
        "date": date.to_string(),
        "quantity": quantity,
        "measured": pair.measured,
        "simulated": pair.simulated,
    })
}

fn treatment_json(result: &TreatmentResult) -> Json {
    let values = |value: fn(&TreatmentResult, Quantity) -> Option<f64>| -> serde_json::Map<String, Json> {
        Quantity::ALL.iter().map(|quantity| (quantity.key().to_owned(), json!(value(result, *quantity)))).collect()
    };
    json!({
        "trial": result.trial,
        "title": result.title,
        "treatment": result.number,
        "name": result.name,
        "crop": crop_name(&result.crop),
        "cultivar": result.cultivar.1,
        "cultivar_code": result.cultivar.0,
        "class": result.class.as_ref().map(|class| format!("{} {}", class.crop, class.class)),
        "sown": result.sown.to_string(),
        "measured": values(TreatmentResult::measured),
        "simulated": values(TreatmentResult::simulated),
        "died_of": result.died_of(),
        "not_played": result.played.as_ref().err(),
        "over_time": result.over_time().iter().map(reading_json).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_numbers_are_a_span() {
        assert_eq!(spans(&[1, 2, 3, 5, 7, 8]), "1–3, 5, 7–8");
    }

    #[test]
    fn a_cell_with_a_bar_does_not_break_its_row() {
        let table = (vec!["a", "b"], vec![vec!["x|y".to_owned(), "1".to_owned()]]);
        assert_eq!(markdown(&table), "| a | b |\n| --- | --- |\n| x/y | 1 |\n");
    }
}
