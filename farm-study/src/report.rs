//! A study's results as a chart, as table rows and as JSON.

use farm_core::config::Problems;
use farm_games::farm_scoring::risk::{Bootstrap, Criterion, Estimate};
use farm_plot::{Drawing, Lines, Panels, Series};
use serde_json::{Value as Json, json};

use crate::expectation::{is_meant, shown};
use crate::format::Band;
use crate::results::{LineResults, PointResults};
use crate::run::StudyResults;
use crate::study::Study;

/// The size of one chart, in pixels.
const WIDTH: f64 = 232.0;
const HEIGHT: f64 = 120.0;
/// The maximum number of lines that a table names.
const MAX_NAMED: usize = 10;
/// The number of charts per row.
const COLUMNS: usize = 4;

impl Study {
    /// The results as small multiples, with a chart per panel, a curve per line, and grey bars for expected ranges.
    ///
    /// # Errors
    /// An expression in the expectations can't be computed.
    pub fn chart(&self, results: &StudyResults) -> Result<Drawing, Problems> {
        let x = &self.file.x;
        let at = |rank: usize| if x.is_even { rank as f64 } else { x.values.get(rank).copied().unwrap_or_default() };
        let name = |rank: usize| x.names.get(rank).cloned().unwrap_or_else(|| farm_plot::number(at_value(x, rank)));
        let is_single = x.values.is_empty();
        let ticks = match () {
            () if is_single => vec![(0.0, String::new())],
            () if x.is_even || !x.names.is_empty() => (0..self.ranks()).map(|rank| (at(rank), name(rank))).collect(),
            () => Vec::new(),
        };
        let means = results.panels.iter().flat_map(|panel| panel.lines.iter().flat_map(|line| &line.points));
        let highest_share = means.fold(1.0, |most: f64, point| most.max(point.mean));
        let mut has_bars = false;
        let (mut panels, mut risks) = (Vec::new(), Vec::new());
        for (p, panel) in results.panels.iter().enumerate() {
            let expected = self.expected(p)?;
            has_bars |= !expected.is_empty();
            // Shares have a common scale, and values with a unit have one scale per panel. Slightly above 1 counts as 1.
            let points = panel.lines.iter().flat_map(|line| &line.points).map(|point| point.range().1);
            let own = points.chain(expected.iter().map(|(.., high)| *high)).fold(0.0, f64::max);
            let highest = match self.is_share() {
                true if highest_share < 1.1 => 1.0,
                true => highest_share,
                false => own,
            };
            let series = panel.lines.iter().enumerate();
            let titled =
                |words: &str| [panel.title.as_str(), words].join(if panel.title.is_empty() { "" } else { ": " });
            if let Some(risk) = self.risk {
                let series = series.clone().map(|(color, line)| self.risk_series(line, color, &at, risk));
                risks.push(Lines {
                    title: titled(&risk.to_string()),
                    series: series.collect(),
                    ticks: ticks.clone(),
                    has_dots: true,
                    range: is_single.then_some((-1.0, 1.0)),
                    y_range: Some((0.0, highest)),
                    ..Lines::default()
                });
            }
            panels.push(Lines {
                title: panel.title.clone(),
                series: series.map(|(color, line)| self.series(line, color, &at)).collect(),
                expected: expected.into_iter().map(|(rank, low, high)| (at(rank), low, high)).collect(),
                ticks: ticks.clone(),
                has_dots: true,
                range: is_single.then_some((-1.0, 1.0)),
                y_range: Some((0.0, highest)),
                ..Lines::default()
            });
        }
        let bars = "Grey bars: published or required values. ";
        let has_bands = self.file.seeds > 1 && self.lines.len() == 1 && !is_single;
        let band = match self.file.band {
            Band::Quartiles if self.file.seeds > 1 && !is_single => "Line: mean; band: quartiles of the seasons.",
            Band::Range if has_bands => "Band: minimum to maximum of the seasons.",
            _ => "",
        };
        let intervals = if self.risk.is_some() { " Below: a risk criterion with its 95 % interval." } else { "" };
        let remark = format!("{}{band}{intervals}", if has_bars { bars } else { "" });
        let measure = &self.file.measure;
        let chart = Panels {
            title: self.file.title.clone(),
            remark,
            x: with_unit(&x.label, &x.unit),
            y: with_unit(&measure.label, &measure.unit),
            columns: COLUMNS.min(panels.len()),
            // Risk criteria are below the means.
            panels: panels.into_iter().chain(risks).collect(),
            width: WIDTH,
            height: HEIGHT,
        };
        Ok(chart.draw())
    }

    fn is_share(&self) -> bool {
        self.file.measure.share != crate::format::Share::None
    }

    fn series(&self, line: &LineResults, color: usize, at: &impl Fn(usize) -> f64) -> Series {
        let points = line.points.iter().enumerate();
        let is_alone = self.lines.len() == 1;
        Series {
            name: line.title.clone(),
            points: points.map(|(rank, point)| (at(rank), point.mean)).collect(),
            // Bands of several lines would hide one another.
            band: match self.file.band {
                Band::Quartiles if self.file.seeds > 1 => line.points.iter().map(PointResults::quartiles).collect(),
                Band::Range if is_alone && self.file.seeds > 1 => line.points.iter().map(PointResults::range).collect(),
                _ => Vec::new(),
            },
            color,
            ..Series::default()
        }
    }

    /// A line's series for a risk criterion, with intervals if there are enough episodes.
    fn risk_series(&self, line: &LineResults, color: usize, at: &impl Fn(usize) -> f64, risk: Criterion) -> Series {
        let found: Vec<(f64, Option<Estimate>)> = line.points.iter().map(|point| risk_of(point, risk)).collect();
        let points = found.iter().enumerate();
        let bands: Option<Vec<(f64, f64)>> = found.iter().map(|(_, e)| e.map(|e| (e.low, e.high))).collect();
        Series {
            name: line.title.clone(),
            points: points.map(|(rank, (value, _))| (at(rank), *value)).collect(),
            band: bands.unwrap_or_default(),
            color,
            ..Series::default()
        }
    }

    /// The expected ranges in a panel: index, lower end and upper end.
    fn expected(&self, panel: usize) -> Result<Vec<(usize, f64, f64)>, Problems> {
        let mut bars = Vec::new();
        for (i, expectation) in self.file.expect.iter().enumerate() {
            if !is_meant(&expectation.panels, &self.panels[panel].title) {
                continue;
            }
            for line in (0..self.lines.len()).filter(|line| is_meant(&expectation.lines, &self.lines[*line].title)) {
                let ranges = self.ranges(expectation, i, panel, line)?;
                let known = ranges.into_iter().enumerate();
                bars.extend(known.filter_map(|(rank, range)| range.map(|(low, high)| (rank, low, high))));
            }
        }
        bars.sort_by(|a: &(usize, f64, f64), b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)));
        bars.dedup();
        Ok(bars)
    }

    /// The results as JSON.
    pub fn json(&self, results: &StudyResults) -> Json {
        let panels = results.panels.iter().map(|panel| {
            let lines = panel.lines.iter().map(|line| {
                let points = line.points.iter().map(|point| {
                    let mut json = json!({"x": point.x, "mean": point.mean, "values": point.values});
                    if let Some(risk) = self.risk {
                        let (value, interval) = risk_of(point, risk);
                        let (low, high) = (interval.map(|e| e.low), interval.map(|e| e.high));
                        json["risk"] = json!({"value": value, "low": low, "high": high});
                    }
                    json
                });
                json!({"line": line.title, "points": points.collect::<Vec<_>>()})
            });
            json!({"panel": panel.title, "lines": lines.collect::<Vec<_>>()})
        });
        let findings = results.findings.iter().map(|finding| {
            let verdicts = finding.verdicts.iter().map(|verdict| {
                json!({"line": verdict.line, "found": verdict.found, "expected": verdict.expected, "holds": verdict.holds})
            });
            json!({
                "claim": finding.claim,
                "source": finding.source,
                "gap": finding.gap,
                "holds": finding.holds(),
                "verdicts": verdicts.collect::<Vec<_>>(),
            })
        });
        json!({
            "study": self.file.name,
            "claim": self.file.claim,
            "source": self.file.source,
            "seeds": self.file.seeds,
            "first_seed": self.file.first_seed,
            "measure": self.file.measure.label,
            "unit": self.file.measure.unit,
            "risk": self.risk.map(|risk| risk.to_string()),
            "holds": results.holds(),
            "panels": panels.collect::<Vec<_>>(),
            "findings": findings.collect::<Vec<_>>(),
        })
    }

    /// The means of all points as a table, with a header and one row for each line. Each row starts with the line's panel and title.
    pub fn means(&self, results: &StudyResults) -> (Vec<String>, Vec<Vec<String>>) {
        let x = &self.file.x;
        let name = |rank: usize| x.names.get(rank).cloned().unwrap_or_else(|| farm_plot::number(at_value(x, rank)));
        let axis = if x.values.is_empty() {
            vec![self.file.measure.label.clone()]
        } else {
            (0..self.ranks()).map(name).collect()
        };
        let header = ["panel".to_owned(), "line".to_owned()].into_iter().chain(axis).collect();
        let rows = results.panels.iter().flat_map(|panel| {
            panel.lines.iter().flat_map(|line| {
                let row = |title: String, shown: &dyn Fn(&PointResults) -> String| -> Vec<String> {
                    [panel.title.clone(), title].into_iter().chain(line.points.iter().map(shown)).collect()
                };
                let means = row(line.title.clone(), &|point| shown(point.mean));
                let risks = self.risk.map(|risk| {
                    let title = [line.title.as_str(), &risk.to_string()].join(" ");
                    row(title.trim_start().to_owned(), &|point| shown(risk_of(point, risk).0))
                });
                std::iter::once(means).chain(risks)
            })
        });
        (header, rows.collect())
    }

    /// The expectations as rows of a Markdown table, each with the claim, the values found and the verdict.
    pub fn rows(&self, results: &StudyResults) -> Vec<[String; 3]> {
        let row = |finding: &crate::Finding| {
            let claim = match finding.source.as_str() {
                "" => finding.claim.clone(),
                source => format!("{} ({source})", finding.claim),
            };
            // If there are many lines, only failing lines are named.
            let is_long = finding.verdicts.len() > MAX_NAMED;
            let held = finding.verdicts.iter().filter(|verdict| verdict.holds).count();
            let common = finding.verdicts.first().map(|verdict| verdict.expected.as_str()).filter(|common| {
                !common.is_empty() && finding.verdicts.iter().all(|verdict| verdict.expected == *common)
            });
            let named = finding.verdicts.iter().filter(|verdict| !is_long || !verdict.holds).map(|verdict| {
                let wrong = if verdict.holds { "" } else { " ✗" };
                let own = common.is_none() && !verdict.expected.is_empty();
                let expected = if own { format!(" ({})", verdict.expected) } else { String::new() };
                let line = if verdict.line.is_empty() { String::new() } else { format!("{} ", verdict.line) };
                format!("{line}{}{expected}{wrong}", verdict.found)
            });
            let all = is_long.then(|| format!("{held} of {} lines", finding.verdicts.len()));
            let of_all = common.map(|common| format!("expected {common}"));
            let found = all.into_iter().chain(named).chain(of_all);
            let verdict = match (finding.holds(), finding.gap.as_str()) {
                (true, _) => "holds".to_owned(),
                (false, "") => "does not hold".to_owned(),
                (false, gap) => format!("does not hold: {gap}"),
            };
            [claim, found.collect::<Vec<_>>().join("; "), verdict]
        };
        results.findings.iter().map(row).collect()
    }
}

/// A point's risk criterion, and its interval if there are enough episodes.
fn risk_of(point: &PointResults, risk: Criterion) -> (f64, Option<Estimate>) {
    let value = risk.value(&point.values).unwrap_or(f64::NAN);
    (value, Bootstrap { resamples: 500, ..Bootstrap::default() }.estimate(&risk, &point.values))
}

/// An axis label with its printed unit: `g.m-2` becomes g m⁻².
fn with_unit(label: &str, unit: &str) -> String {
    if unit.is_empty() {
        return label.to_owned();
    }
    let mut printed = String::new();
    for factor in unit.split('.') {
        let digits = factor.find(|c: char| c == '-' || c.is_ascii_digit()).unwrap_or(factor.len());
        let (name, power) = factor.split_at(digits);
        printed += if printed.is_empty() { "" } else { " " };
        printed += name;
        printed.extend(power.chars().map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            other => other,
        }));
    }
    format!("{label} [{printed}]")
}

/// The axis value at this index.
fn at_value(x: &crate::format::Axis, rank: usize) -> f64 {
    x.values.get(rank).copied().unwrap_or_default()
}
