//! Charts of the returns of policies.

use farm_games::farm_scoring::risk::Estimate;
use farm_plot::{Distributions, Drawing, Group};

/// The width of the chart, in pixels.
pub(crate) const WIDTH: f64 = 780.0;

/// A value with its interval, if it has one.
pub(crate) fn shown(value: f64, interval: Option<Estimate>) -> farm_plot::Estimate {
    let (low, high) = interval.map_or((f64::NAN, f64::NAN), |estimate| (estimate.low, estimate.high));
    farm_plot::Estimate { value, low, high }
}

/// A policy's name, returns and estimate.
pub(crate) type Row<'a> = (&'a str, &'a [f64], Option<farm_plot::Estimate>);

/// Charts the returns of policies; `estimate` is the caption for the estimates.
pub(crate) fn of_returns<'a>(
    title: String,
    subtitle: String,
    estimate: String,
    rows: impl Iterator<Item = Row<'a>>,
) -> Distributions {
    let group = |(color, (policy, returns, estimate)): (usize, Row<'_>)| Group {
        name: policy.to_owned(),
        color,
        values: returns.to_vec(),
        estimate,
        ..Group::default()
    };
    Distributions {
        title,
        subtitle,
        axis: "return of an episode".to_owned(),
        groups: rows.enumerate().map(group).collect(),
        estimate,
        value: "episode".to_owned(),
        zero: false,
        width: WIDTH,
    }
}

/// Charts the returns over levels with the mean. For policies that use random numbers, the chart also shows the mean's interval.
pub(crate) fn of_levels<'a>(title: String, subtitle: String, rows: impl Iterator<Item = Row<'a>>) -> Drawing {
    of_returns(title, subtitle, "mean, with interval if the policy draws".to_owned(), rows).draw()
}
