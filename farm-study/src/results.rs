//! The measured values of a study, by panel, line and point.

use farm_games::farm_scoring::risk::Criterion;

use crate::format::Share;

/// The lines in a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelResults {
    /// Its title; empty if there is only one.
    pub title: String,
    /// Its lines.
    pub lines: Vec<LineResults>,
}

/// The points on a line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineResults {
    /// Its title; empty if there is only one.
    pub title: String,
    /// Its points, from left to right.
    pub points: Vec<PointResults>,
}

/// The episodes at a point.
#[derive(Debug, Clone, PartialEq)]
pub struct PointResults {
    /// Its place on the axis; 0 if it is the only point.
    pub x: f64,
    /// The episodes' measured values, as shares if the study sets `share`.
    pub values: Vec<f64>,
    /// Their mean.
    pub mean: f64,
}

impl PointResults {
    pub(crate) fn new(x: f64, values: Vec<f64>) -> Self {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        Self { x, values, mean }
    }

    /// The first and third quartiles of the values.
    pub fn quartiles(&self) -> (f64, f64) {
        let [first, third] = [0.25, 0.75].map(|share| Criterion::Quantile(share).value(&self.values));
        (first.unwrap_or(self.mean), third.unwrap_or(self.mean))
    }

    /// The minimum and the maximum of the values.
    pub fn range(&self) -> (f64, f64) {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        self.values.iter().fold(ends, |(low, high), value| (low.min(*value), high.max(*value)))
    }
}

impl LineResults {
    /// Divides all values by one of the line's means, unless this mean is 0.
    pub(crate) fn as_shares(&mut self, share: Share) {
        let mut means = self.points.iter().map(|point| point.mean);
        let whole = match share {
            Share::None => return,
            Share::Best => means.fold(0.0, f64::max),
            Share::First => means.take(1).sum(),
            Share::Last => means.next_back().unwrap_or_default(),
        };
        if whole > 0.0 {
            for point in &mut self.points {
                let values = point.values.iter().map(|value| value / whole).collect();
                *point = PointResults::new(point.x, values);
            }
        }
    }
}
