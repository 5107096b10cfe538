//! The chart for `farm eval --plot`, which shows the distribution of returns and the differences from one policy.

use farm_core::Game;
use farm_games::farm_scoring::risk::Criterion;
use farm_plot::{Distributions, Drawing, Group};

use super::arguments::Arguments;
use super::records::PolicyRecord;
use crate::output::format_number;
use crate::return_chart::{WIDTH, of_returns, shown};

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
