//! The page sections about events, actions, costs, balances and episodes.

use farm_core::Game;
use farm_core::action::{ActionKind, BaseAction};
use farm_core::declare::PartInfo;
use farm_core::inspect::event_place;
use farm_core::labels::Labels;
use farm_plot::{Bar, Bars, Distributions, Group, Lines, Mark, Row, Series, Shape, Span, Timeline, column, grouped};
use farm_roles::WATER_GIVEN;
use maud::{Markup, html};

use crate::charts::{Data, SMALL, WIDE, figure, side_by_side};
use crate::events::EventKind;
use crate::html::table;
use crate::rows::differences;
use crate::{EpisodeLine, Report};

/// The maximum number of events of a kind that other charts still mark.
const MAX_MARKED: u64 = 12;

/// Left margin of the season charts in pixels, so that their axes align.
const SEASON_LEFT: f64 = 54.0;

/// The index of the water colour, and the indices of the other colours.
const WATER: usize = 0;
const OTHERS: [usize; 5] = [1, 2, 3, 4, 6];

/// The maximum number of rows on a time axis.
const MAX_ROWS: usize = 40;

/// A section with a heading.
pub(crate) fn section(labels: &Labels, id: &str, title: &str, body: Markup) -> Markup {
    html! { section id=(id) { h2 { (labels.words(title)) } (body) } }
}

/// The name of an event, such as `Plant-0 stage: bloom`.
pub(crate) fn event_name(game: &Game, labels: &Labels, event: usize, label: usize, with_part: bool) -> String {
    let Some((part, info)) = game.events().get(event) else { return String::new() };
    let Some(part) = game.parts().get(*part) else { return String::new() };
    let name = labels.variable(part.kind(), info.name()).text;
    let name = match info.labels().get(label) {
        Some(label) => format!("{name}: {}", labels.value(info.name(), label)),
        None => name,
    };
    if with_part { format!("{} · {name}", labels.part(game, part)) } else { name }
}

/// Marks for rare events of all parts, or of one part.
pub(crate) fn marks(report: &Report, part: Option<usize>) -> Vec<Mark> {
    let labels = report.labels();
    let game = &report.game;
    let mut all = Vec::new();
    // If an event occurred with several labels, such as the stages of a crop, the label is enough.
    let has_several = |event: usize| report.events.kinds.range((event, 0)..(event + 1, 0)).count() > 1;
    for ((event, label), kind) in &report.events.kinds {
        let Some((of, info)) = game.events().get(*event) else { continue };
        if info.lasting() || kind.count > MAX_MARKED || part.is_some_and(|part| part != *of) {
            continue;
        }
        let text = match info.labels().get(*label).filter(|_| has_several(*event)) {
            Some(label) => label.replace('_', " "),
            None => event_name(game, labels, *event, *label, false),
        };
        let color = part_color(game, *of, part.is_none());
        all.extend(kind.stretches.iter().map(|s| Mark { x: f64::from(s.from), text: text.clone(), color }));
    }
    all
}

/// The colour of a part's events. On shared charts, each part has a different colour, and only parts that give water are blue.
fn part_color(game: &Game, part: usize, is_shared: bool) -> usize {
    let waters = |part: usize| {
        let variables = game.parts().get(part).map_or(&[][..], PartInfo::variables);
        variables.iter().any(|variable| variable.roles().contains(&WATER_GIVEN.name()))
    };
    match is_shared {
        false => 1,
        true if waters(part) => WATER,
        true => OTHERS[part % OTHERS.len()],
    }
}

/// The charts of reward and return. A reward for the whole episode would make all other rewards look flat, so the text next to the charts
/// states it instead.
pub(crate) fn rewards(report: &Report, data: &mut Data) -> Markup {
    let labels = report.labels();
    let mut returns = report.sums.column(0);
    let is_end_kept = data.range().1 == f64::from(report.day);
    if let (true, Some(last)) = (is_end_kept, returns.last_mut()) {
        *last -= report.final_reward;
    }
    let rewards = differences(&returns);
    let every = match report.thinning.every() {
        1 => String::new(),
        n => format!(" {} {n} {}", labels.words("of"), labels.words(&format!("{}s", data.step))),
    };
    let (so_far, reward) = (labels.words("return so far"), format!("{}{every}", labels.words("reward")));
    let cumulated = data.series(so_far, "", &[], 0, &returns);
    let single = Series { shape: Shape::Columns, ..data.series(&reward, "", &[], 2, &rewards) };
    let lines = |y: &str, series: Series, marks: Vec<Mark>, height: f64| Lines {
        y: y.to_owned(),
        x: data.x(),
        ticks: data.ticks(),
        series: vec![series],
        marks,
        range: Some(data.range()),
        min_left: SEASON_LEFT,
        width: 540.0,
        height,
        ..Lines::default()
    };
    let over = lines(so_far, cumulated, marks(report, None), 190.0).draw();
    let below = lines(&reward, single, Vec::new(), 100.0).draw();
    html! {
        (figure("", "", over, false))
        (figure("", "", below, false))
        @if report.final_reward != 0.0 {
            p { "At the end the score gives " (grouped(report.final_reward)) " for the whole episode; the charts leave that out." }
        }
    }
}

/// The width that the names of all events and actions need, so that the time axes of these charts are aligned.
fn room_of_names(report: &Report) -> f64 {
    let labels = report.labels();
    let game = &report.game;
    let events = report.events.kinds.keys().map(|(event, label)| event_name(game, labels, *event, *label, true));
    let done = game.catalogue().base_actions().iter().zip(&report.tallies.all).filter(|(_, tally)| tally.count > 0);
    let names: Vec<String> = events.chain(done.map(|(base, _)| labels.base_action(game, base))).collect();
    Timeline::room_of_names(names.iter().map(String::as_str), WIDE)
}

/// The events, on the time axis and as a list.
pub(crate) fn events(report: &Report, data: &Data) -> Markup {
    let labels = report.labels();
    let game = &report.game;
    if report.events.kinds.is_empty() {
        return section(labels, "events", "Events", html! { p { (labels.words("No events.")) } });
    }
    let span = |kind: &EventKind, name: &str| -> Vec<Span> {
        let text = |from: u32, to: u32, count: u32, sum: f64| {
            let when = if from == to {
                data.day_name(from)
            } else {
                format!("{} {} {}", data.day_name(from), labels.words("to"), data.day_name(to))
            };
            let times = if count > 1 { format!(", {count} {}", labels.words("times")) } else { String::new() };
            let sum = if sum == 0.0 { String::new() } else { format!(", {}", grouped(sum)) };
            format!("{when}: {name}{times}{sum}")
        };
        let stretches = kind.stretches.iter();
        stretches
            .map(|s| Span { from: f64::from(s.from), to: f64::from(s.to), text: text(s.from, s.to, s.count, s.sum) })
            .collect()
    };
    let mut timelines = Vec::new();
    for (is_lasting, title) in [(false, "Single events"), (true, "Lasting events")] {
        let kinds =
            report.events.kinds.iter().filter(|((event, _), _)| {
                game.events().get(*event).is_some_and(|(_, info)| info.lasting() == is_lasting)
            });
        let rows: Vec<Row> = kinds
            .take(MAX_ROWS)
            .map(|((event, label), kind)| {
                let name = event_name(game, labels, *event, *label, true);
                let color = game.events().get(*event).map_or(0, |(part, _)| part_color(game, *part, true));
                Row { spans: span(kind, &name), name, color }
            })
            .collect();
        if !rows.is_empty() {
            let range = Some(data.range());
            let min_left = room_of_names(report);
            let timeline = Timeline {
                x: data.x(),
                ticks: data.ticks(),
                rows,
                range,
                min_left,
                width: WIDE,
                ..Timeline::default()
            };
            timelines.push(figure(labels.words(title), "", timeline.draw(), true));
        }
    }
    let body = html! {
        @for timeline in timelines { (timeline) }
        (event_tables(report, data))
    };
    section(labels, "events", "Events", body)
}

fn event_tables(report: &Report, data: &Data) -> Markup {
    let labels = report.labels();
    let game = &report.game;
    let kinds = report.events.kinds.iter().map(|((event, label), kind)| {
        let info = game.events().get(*event);
        let has_labels = info.is_some_and(|(_, info)| !info.labels().is_empty());
        let sum = if has_labels { "–".to_owned() } else { grouped(kind.sum) };
        vec![event_name(game, labels, *event, *label, true), kind.count.to_string(), sum]
    });
    let head = ["event", "times", "sum of values"].map(|name| labels.words(name));
    let kinds = table(&head, 1, &kinds.collect::<Vec<_>>());
    let singles = report.events.singles.iter().filter_map(|single| {
        let (part, info) = game.events().get(single.event)?;
        let part = game.parts().get(*part)?;
        let what = info.label(single.value).map_or_else(|| grouped(single.value), str::to_owned);
        let place = event_place(game, single.event, single.plot);
        Some(vec![data.day_name(single.day), part.path().to_owned(), info.name().replace('_', " "), what, place])
    });
    let singles: Vec<Vec<String>> = singles.collect();
    let head = [data.step, "part", "event", "value", "place"].map(|name| labels.words(name));
    html! {
        details { summary { (labels.words("Number of events")) } (kinds) }
        @if !singles.is_empty() {
            details {
                summary { (labels.words("All single events, in order")) }
                (table(&head, 5, &singles))
                @if report.events.more > 0 { p { (report.events.more) " " (labels.words("more events happened later.")) } }
            }
        }
    }
}

/// The actions, on the time axis and as a table with their costs.
pub(crate) fn actions(report: &Report, data: &Data) -> Markup {
    let labels = report.labels();
    let game = &report.game;
    let asked: Vec<(&BaseAction, &super::actions::ActionTally, String)> = game
        .catalogue()
        .base_actions()
        .iter()
        .zip(&report.tallies.all)
        .filter(|(_, tally)| tally.count > 0 || !tally.rejected.is_empty())
        .map(|(base, tally)| (base, tally, labels.base_action(game, base)))
        .collect();
    if asked.is_empty() {
        let nothing = html! {
            p { (labels.words("No action was chosen in the whole episode.")) }
            (unread(report, data))
        };
        return section(labels, "actions", "Actions", nothing);
    }
    let row = |(base, tally, name): &(&BaseAction, &super::actions::ActionTally, String)| Row {
        name: name.clone(),
        color: part_color(game, base.part(), true),
        spans: tally
            .times
            .iter()
            .map(|(day, call)| {
                let at = f64::from(*day);
                Span { from: at, to: at, text: format!("{}: {}", data.day_name(*day), labels.call(game, call)) }
            })
            .collect(),
    };
    let done = asked.iter().filter(|(_, tally, _)| tally.count > 0);
    let rows: Vec<Row> = done.take(MAX_ROWS).map(row).collect();
    let range = Some(data.range());
    let min_left = room_of_names(report);
    let timeline =
        Timeline { x: data.x(), ticks: data.ticks(), rows, range, min_left, width: WIDE, ..Timeline::default() };
    let cells = |(base, _, name): &(&BaseAction, &super::actions::ActionTally, String)| {
        let kind = match base.kind() {
            ActionKind::Observation => "observation",
            ActionKind::Intervention => "intervention",
        };
        vec![name.clone(), labels.words(kind).to_owned()]
    };
    let mut rows: Vec<Vec<String>> = asked.iter().map(cells).collect();
    let numbers: [fn(&BaseAction, &super::actions::ActionTally) -> f64; 4] = [
        |_, tally| tally.count as f64,
        |base, _| base.cost(),
        |base, tally| tally.count as f64 * base.cost(),
        |_, tally| tally.rejected.values().sum::<u64>() as f64,
    ];
    for number in numbers {
        let values: Vec<f64> = asked.iter().map(|(base, tally, _)| number(base, tally)).collect();
        rows.iter_mut().zip(column(&values)).for_each(|(row, text)| row.push(text));
    }
    let head = ["action", "kind", "times", "cost each", "cost", "rejected"].map(|name| labels.words(name));
    let mut reasons: Vec<Vec<String>> = Vec::new();
    for (_, tally, name) in &asked {
        reasons.extend(
            tally.rejected.iter().map(|(why, n)| vec![name.clone(), labels.words(why).to_owned(), n.to_string()]),
        );
    }
    let body = html! {
        @if !timeline.rows.is_empty() { (figure("", "", timeline.draw(), true)) }
        (table(&head, 2, &rows))
        @if !reasons.is_empty() {
            details {
                summary { (labels.words("Why actions were rejected")) }
                (table(&["action", "reason", "times"].map(|name| labels.words(name)), 2, &reasons))
            }
        }
        @if report.tallies.rejected_more > 0 {
            p { (report.tallies.rejected_more) " more actions of overlong schedules were rejected." }
        }
        (unread(report, data))
    };
    section(labels, "actions", "Actions", body)
}

/// The player's requests that are not actions in the game.
fn unread(report: &Report, data: &Data) -> Markup {
    let tallies = &report.tallies;
    let rows: Vec<Vec<String>> =
        tallies.unread.iter().map(|(day, said, why)| vec![day.to_string(), said.clone(), why.clone()]).collect();
    html! {
        @if !rows.is_empty() {
            details {
                summary { "Requests that are not actions of the game: " (rows.len() as u64 + tallies.unread_more) }
                (table(&[data.step, "request", "why it is not an action"], 3, &rows))
                @if tallies.unread_more > 0 { p { (tallies.unread_more) " more followed." } }
            }
        }
    }
}

/// The costs of observations and interventions.
pub(crate) fn costs(report: &Report, data: &mut Data) -> Markup {
    let labels = report.labels();
    let [interventions, observations] = [1, 2].map(|i| report.sums.column(i));
    let [acting, looking] = [report.so_far[1], report.so_far[2]];
    if acting == 0.0 && looking == 0.0 {
        return section(labels, "costs", "Costs", html! { p { (labels.words("No action had a cost.")) } });
    }
    let named = [("interventions", &interventions), ("observations", &observations)];
    let costly = |values: &[f64]| values.iter().any(|value| *value != 0.0);
    let series = named.iter().enumerate().filter(|(_, (_, values))| costly(values));
    let series = series.map(|(i, (name, values))| data.series(name, "", &[], i, values)).collect();
    let range = Some(data.range());
    let lines = Lines {
        x: data.x(),
        ticks: data.ticks(),
        series,
        range,
        is_named: true,
        width: SMALL * 1.25,
        height: 150.0,
        ..Lines::default()
    };
    let game = &report.game;
    let bar = |(base, tally): (&BaseAction, &super::actions::ActionTally)| {
        let cost = tally.count as f64 * base.cost();
        let values = match base.kind() {
            ActionKind::Intervention => vec![cost, 0.0],
            ActionKind::Observation => vec![0.0, cost],
        };
        (cost != 0.0).then(|| Bar { name: labels.base_action(game, base), values })
    };
    let kinds = vec!["interventions".to_owned(), "observations".to_owned()];
    let bars = Bars {
        axis: labels.words("cost").to_owned(),
        parts: if acting != 0.0 && looking != 0.0 { kinds } else { Vec::new() },
        bars: game.catalogue().base_actions().iter().zip(&report.tallies.all).filter_map(bar).take(MAX_ROWS).collect(),
        width: SMALL * 1.25,
        ..Bars::default()
    };
    let net = labels.words("the rewards above are net of these costs unless the game only reports them.");
    let body = html! {
        p {
            (labels.words("Interventions cost")) " " (grouped(acting)) ", "
            (labels.words("observations")) " " (grouped(looking)) "; " (net)
        }
        div.charts.two {
            (figure(labels.words("Cost so far"), "", lines.draw(), false))
            (figure(labels.words("Cost by action"), "", bars.draw(), false))
        }
    };
    section(labels, "costs", "Costs", body)
}

/// The flows into and out of stocks; `None` if no part declares a balance.
pub(crate) fn mass_balances(report: &Report, data: &mut Data) -> Option<Markup> {
    let labels = report.labels();
    let game = &report.game;
    let mut balances = Vec::new();
    let every = match report.thinning.every() {
        1 => format!("{} {}", labels.words("each"), labels.words(data.step)),
        n => format!("{} {n} {}", labels.words("each"), labels.words(&format!("{}s", data.step))),
    };
    for balance in report.mass_balances.all() {
        let (Some(declared), Some(part)) = (balance.info(game), game.parts().get(balance.part)) else { continue };
        let flows: Vec<Vec<f64>> = balance.flows.iter().map(|sums| differences(sums)).collect();
        let unit = declared.unit();
        let moves = |i: &usize| flows.get(*i).is_some_and(|flow| flow.iter().any(|amount| *amount != 0.0));
        let moving: Vec<usize> = (0..declared.flows().len()).filter(moves).collect();
        let mut series = Vec::new();
        for i in &moving {
            let (flow, sign) = (&declared.flows()[*i], if declared.flows()[*i].is_inflow() { 1.0 } else { -1.0 });
            let values: Vec<f64> = flows[*i].iter().map(|amount| sign * amount).collect();
            series.push(Series {
                shape: Shape::Columns,
                ..data.series(labels.words(flow.name()), unit, &[], *i, &values)
            });
        }
        let range = Some(data.range());
        let base =
            Lines { range, ticks: data.ticks(), width: SMALL, height: 150.0, is_named: true, ..Lines::default() };
        let daily = Lines { series, ..base.clone() };
        let sums = moving.iter().map(|i| {
            let flow = &declared.flows()[*i];
            let sign = if flow.is_inflow() { 1.0 } else { -1.0 };
            let values: Vec<f64> = balance.flows[*i].iter().map(|sum| sign * sum).collect();
            data.series(labels.words(flow.name()), unit, &[], *i, &values)
        });
        let mut sums: Vec<Series> = sums.collect();
        sums.push(data.series(labels.words("in stock"), unit, &[], declared.flows().len(), &balance.stock));
        let cumulated = Lines { series: sums, ..base };
        let in_and_out = format!("{} {every} [{unit}]", labels.words("In (+) and out (−)"));
        let stock = format!("{} [{unit}]", labels.words("Stock and cumulated flows"));
        balances.push(html! {
            h3 { (labels.part(game, part)) " · " (labels.words(declared.name())) }
            (side_by_side(&[
                figure(&in_and_out, "", daily.draw(), false),
                figure(&stock, "", cumulated.draw(), false),
                balance_table(labels, declared, balance),
            ]))
        });
    }
    let body = html! { @for balance in &balances { (balance) } };
    (!balances.is_empty()).then(|| section(labels, "balances", "Balances: flows in and out", body))
}

/// An episode's mass balance. The last line shows whether the balance closes.
fn balance_table(
    labels: &Labels,
    declared: &farm_core::declare::MassBalance,
    balance: &super::balances::BalanceSeries,
) -> Markup {
    let unit = declared.unit();
    let (first, last) = (balance.stock.first().copied().unwrap_or(0.0), balance.stock.last().copied().unwrap_or(0.0));
    let mut rows = vec![(labels.words("in stock at the start").to_owned(), first)];
    let mut expected = first;
    for (flow, sums) in declared.flows().iter().zip(&balance.flows) {
        let sum = sums.last().copied().unwrap_or(0.0);
        let signed = if flow.is_inflow() { sum } else { -sum };
        expected += signed;
        let direction = if flow.is_inflow() { "in" } else { "out" };
        rows.push((format!("{}: {}", labels.words(direction), labels.words(flow.name())), signed));
    }
    rows.push((labels.words("in stock at the end").to_owned(), last));
    let mut texts = column(&rows.iter().map(|(_, amount)| *amount).collect::<Vec<_>>());
    // Any imbalance is shown, however small it is next to the others, unless it is a rounding error.
    let size = rows.len() as f64 * (first.abs() + last.abs() + expected.abs()).max(1.0);
    let open = last - expected;
    texts.push(if open.abs() < 1e-9 * size { "0".to_owned() } else { grouped(open) });
    let names = rows.into_iter().map(|(name, _)| name).chain([labels.words("not accounted for").to_owned()]);
    let rows: Vec<Vec<String>> = names.zip(texts).map(|(name, text)| vec![name, text]).collect();
    table(&[labels.words("of all plots"), &format!("[{unit}]")], 1, &rows)
}

/// All episodes in the run.
pub(crate) fn episodes(labels: &Labels, episodes: &[EpisodeLine], step: &str) -> Markup {
    let chart = (episodes.len() > 1).then(|| {
        let values = episodes.iter().map(|episode| episode.total).collect();
        let group = Group { name: "return".to_owned(), values, ..Group::default() };
        let (axis, value) = ("return of an episode".to_owned(), "episode".to_owned());
        let chart = Distributions { axis, value, groups: vec![group], width: WIDE, ..Distributions::default() };
        figure("", "", chart.draw(), true)
    });
    let rows: Vec<Vec<String>> = episodes
        .iter()
        .enumerate()
        .map(|(i, episode)| {
            let EpisodeLine { seed, total, steps, stop, state_hash } = episode;
            let stop = labels.stop_reason(stop).into_owned();
            let end = [seed.to_string(), grouped(*total), steps.to_string(), format!("{state_hash:016x}"), stop];
            std::iter::once((i + 1).to_string()).chain(end).collect()
        })
        .collect();
    let steps = format!("{step}s");
    let steps = if step == "day" { "steps" } else { &steps };
    let head = ["episode", "seed", "return", steps, "hash of the last state", "why it ended"];
    let list = table(&head.map(|name| labels.words(name)), 0, &rows);
    let body = html! {
        @if let Some(chart) = chart {
            (chart)
            p { (labels.words("This page shows the first episode.")) }
        }
        @if episodes.len() > 20 {
            details { summary { "All " (episodes.len()) " episodes" } (list) }
        } @else {
            (list)
        }
    };
    section(labels, "episodes", "Episodes", body)
}
