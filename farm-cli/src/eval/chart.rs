//! The chart of `farm eval --plot`: how returns spread, and how much better each policy is than the one to compare with.

use farm_core::Game;
use farm_games::farm_scoring::risk::{Criterion, Estimate};
use farm_plot::{Distributions, Drawing, Group};

use super::{Arguments, PolicyRecord};
use crate::output::format_number;

/// Pixels from left to right.
const WIDTH: f64 = 780.0;

/// A value with its interval; one without is drawn alone.
fn shown(value: f64, interval: Option<Estimate>) -> farm_plot::Estimate {
    let (low, high) = interval.map_or((f64::NAN, f64::NAN), |estimate| (estimate.low, estimate.high));
    farm_plot::Estimate { value, low, high }
}

/// A policy, its returns, and their mean with its interval.
pub(crate) type Row<'a> = (&'a str, &'a [f64], f64, Option<Estimate>);

/// How the returns of policies spread over levels, with their mean and its interval where a policy draws.
pub(crate) fn of_levels<'a>(title: String, subtitle: String, rows: impl Iterator<Item = Row<'a>>) -> Drawing {
    let group = |(color, (policy, returns, mean, interval)): (usize, Row<'_>)| Group {
        name: policy.to_owned(),
        color,
        values: returns.to_vec(),
        estimate: Some(shown(mean, interval)),
        ..Group::default()
    };
    Distributions {
        title,
        subtitle,
        axis: "return of an episode".to_owned(),
        groups: rows.enumerate().map(group).collect(),
        estimate: "mean, with its interval where a policy draws".to_owned(),
        value: "episode".to_owned(),
        zero: false,
        width: WIDTH,
    }
    .draw()
}

/// Draws the records.
pub(super) fn draw(arguments: &Arguments, game: &Game, criterion: &Criterion, records: &[PolicyRecord]) -> Drawing {
    let interval = match criterion.no_interval(arguments.episodes as usize) {
        Some(missing) => format!("without interval ({missing})"),
        None => format!("with {} % interval", format_number(100.0 * arguments.confidence)),
    };
    let first = arguments.seed;
    let last = first.wrapping_add(u64::from(arguments.episodes - 1));
    let group = |(color, record): (usize, &PolicyRecord)| Group {
        name: record.policy.clone(),
        color,
        values: record.returns.clone(),
        estimate: record.value.map(|value| shown(value, record.interval)),
        ..Group::default()
    };
    let returns = Distributions {
        title: format!("{}: returns of {} episodes, seeds {first} … {last}", game.spec().name(), arguments.episodes),
        subtitle: arguments.game.changes(),
        axis: "return of an episode".to_owned(),
        groups: records.iter().enumerate().map(group).collect(),
        estimate: format!("{criterion} {interval}"),
        value: "episode".to_owned(),
        zero: false,
        width: WIDTH,
    };
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
