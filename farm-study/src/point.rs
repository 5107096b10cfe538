//! A grid point: the game with its changes, and its policy.

use farm_core::config::{Location, Path, Problem, Problems};
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Game};
use farm_games::{compile, policies};
use serde::{Deserialize, Serialize};

use crate::expression::{Names, fill, fill_text};
use crate::study::{Study, wrong_expression};

/// The position of a point: its panel, its line, and its index on the axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Point {
    pub panel: usize,
    pub line: usize,
    pub rank: usize,
}

impl Study {
    /// The number of points per line.
    pub(crate) fn ranks(&self) -> usize {
        self.file.x.values.len().max(1)
    }

    /// All points, panel by panel, line by line.
    pub(crate) fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for panel in 0..self.panels.len() {
            for line in 0..self.lines.len() {
                points.extend((0..self.ranks()).map(|rank| Point { panel, line, rank }));
            }
        }
        points
    }

    /// The named values at a point.
    pub(crate) fn names(&self, point: Point) -> Names {
        let mut names = Names::new();
        let x = &self.file.x;
        if let Some(value) = x.values.get(point.rank) {
            let whole = *value == value.round() && value.abs() < 1e15;
            names.insert("x".into(), if whole { Value::from(*value as i64) } else { Value::from(*value) });
        }
        let (panel, line) = (&self.panels[point.panel], &self.lines[point.line]);
        for (key, group) in [("panel", panel), ("line", line)] {
            names.insert(key.into(), Value::from(group.title.as_str()));
            names.extend(group.values.clone());
        }
        names.extend(x.with.get(point.rank).cloned().unwrap_or_default());
        names
    }

    /// A point's name in messages: `corn, x = 5`.
    pub(crate) fn name(&self, point: Point) -> String {
        let titles = [&self.panels[point.panel], &self.lines[point.line]].map(|group| group.title.clone());
        let x = self.file.x.values.get(point.rank).map(|value| format!("x = {value}"));
        titles.into_iter().chain(x).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// The game at a point.
    pub(crate) fn game_at(&self, point: Point, names: &Names) -> Result<Game, Problems> {
        let mut document = self.game.document().clone();
        let mut problems = Problems::default();
        match fill_text(&self.file.preset, names) {
            Ok(preset) if preset.is_empty() => {}
            Ok(preset) => document.apply_preset(&preset, &mut problems),
            Err(wrong) => problems.push(wrong_expression(wrong, &Path::default().child("preset"))),
        }
        for (path, value) in &self.file.set {
            let place = Path::default().child("set").child(path.as_str());
            let filled = fill_text(path, names).and_then(|path| Ok((path, fill(value, names)?)));
            let (path, value) = match filled {
                Ok(filled) => filled,
                Err(wrong) => {
                    problems.push(wrong_expression(wrong, &place));
                    continue;
                }
            };
            let origin = format!("{} ({})", self.place(&place), self.name(point));
            if let Err(problem) = document.set(&path, value, Location::new(origin, None)) {
                problems.push(*problem);
            }
        }
        if problems.has_errors() { Err(self.located(problems)) } else { compile(&document) }
    }

    /// The agent that plays a point.
    pub(crate) fn player_at(&self, game: &Game, names: &Names) -> Result<Box<dyn Agent>, Problems> {
        let path = Path::default().child("policy");
        let written = match &self.file.policy.0 {
            Value::Null => return policies::player(game, &Value::from("WaitPolicy"), &path),
            written => {
                fill(written, names).map_err(|wrong| self.located(Problems(vec![wrong_expression(wrong, &path)])))?
            }
        };
        policies::player(game, &written, &path).map_err(|problems| self.located(problems))
    }

    /// Adds the point's name to those problem messages that do not contain it.
    pub(crate) fn at_point(&self, point: Point, mut problems: Problems) -> Problems {
        let name = self.name(point);
        for problem in problems.0.iter_mut().filter(|_| !name.is_empty()) {
            let is_said = problem.location.as_ref().is_some_and(|location| location.source.contains(&name));
            if !is_said {
                problem.message = format!("{} (at {name})", problem.message);
            }
        }
        problems
    }
}

/// A problem with a value in the study.
pub(crate) fn one(problem: Problem) -> Problems {
    Problems(vec![problem])
}
