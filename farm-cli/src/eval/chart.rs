//! The chart for `farm eval --plot`, which shows the distribution of returns and the differences from one policy.

use farm_core::Game;
use farm_games::farm_scoring::risk::{Criterion, Estimate};
use farm_plot::{Distributions, Drawing, Group};

use super::{Arguments, PolicyRecord};
use crate::output::format_number;

/// The width of the chart, in pixels.
const WIDTH: f64 = 780.0;

/// A value with its interval, if it has one.
pub(crate) fn shown(value: f64, interval: Option<Estimate>) -> farm_plot::Estimate {
    let (low, high) = interval.map_or((f64::NAN, f64::NAN), |estimate| (estimate.low, estimate.high));
    farm_plot::Estimate { value, low, high }
}

/// A policy's name, returns and estimate.
pub(crate) type Row<'a> = (&'a str, &'a [f64], Option<farm_plot::Estimate>);

/// Charts the returns of policies; `estimate` is the caption for the estimates.
fn of_returns<'a>(
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

/// Draws the records.
pub(super) fn draw(arguments: &Arguments, game: &Game, criterion: &Criterion, records: &[PolicyRecord]) -> Drawing {
    let interval = match criterion.no_interval(arguments.episodes as usize) {
        Some(missing) => format!("without interval ({missing})"),
        None => format!("with {} % interval", format_number(100.0 * arguments.confidence)),
    };
    let first = arguments.seed;
    let last = first.wrapping_add(u64::from(arguments.episodes - 1));
    let title = format!("{}: returns of {} episodes, seeds {first} … {last}", game.spec().name(), arguments.episodes);
    let estimate = format!("{criterion} {interval}");
    let rows = records.iter().map(|record| {
        let estimate = record.value.map(|value| shown(value, record.interval));
        (record.policy.as_str(), record.returns.as_slice(), estimate)
    });
    let returns = of_returns(title, arguments.game.changes(), estimate, rows);
    let Some(other) = &arguments.paired_with else { return returns.draw() };
    let difference = |(color, record): (usize, &PolicyRecord)| {
        let paired = record.paired.as_ref()?;
        let estimate = Some(shown(paired.difference, paired.interval));
        Some(Group { name: record.policy.clone(), color, estimate, ..Group::default() })
    };
    let differences = Distributions {
        title: format!("Difference to {other}"),
        subtitle: String::new(),
        axis: format!("{criterion}, Δ vs {other}"),
        groups: records.iter().enumerate().filter_map(difference).collect(),
        estimate: format!("difference on the same seeds {interval}"),
        value: String::new(),
        zero: true,
        width: WIDTH,
    };
    Drawing::stacked(vec![returns.draw(), differences.draw()])
}
