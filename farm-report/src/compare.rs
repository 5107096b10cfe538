//! Writes a page that compares episodes of one game.

use farm_core::Game;
use farm_core::action::Call;
use farm_core::labels::unit as unit_of;
use farm_plot::{Lines, Row, Series, Span, Timeline, grouped};
use farm_render::RenderError;
use maud::{Markup, html};

use crate::calendar::Calendar;
use crate::charts::{Data, SMALL, WIDE, figure, side_by_side};
use crate::html::{png, table};
use crate::page::{again, document, stop};
use crate::sections::section;
use crate::series::{SeriesLines, VariableSeries};
use crate::{Report, SeasonLine};

/// The maximum number of rows on the time axis of actions.
const MAX_ACTIONS: usize = 24;

/// Writes a page that compares episodes of one game with different policies or seeds. The page shows the result of each episode, and draws
/// all episodes in the same charts.
///
/// # Errors
/// A picture can't be encoded.
pub fn compare(mut reports: Vec<Report>) -> Result<String, RenderError> {
    let Some(first) = reports.first() else { return Ok(String::new()) };
    let (run, game) = (first.run.clone(), first.game.clone());
    let (names, labels) = (names(&reports), first.labels());
    let mut data = common_days(&reports);
    let last_pictures = last_pictures(&mut reports, &names)?;
    let preset = run.preset.as_ref().map_or(String::new(), |preset| format!(" ({preset})"));
    let title = format!("{}{preset}: {}", game.spec().name(), names.join(" and "));
    let body = html! {
        header {
            h1 { (title) }
            div.again { (again(labels.words("To compare them again with"), &run)) }
        }
        main {
            (section(labels, "numbers", "In numbers", numbers(&reports, &names, &data)))
            (section(labels, "season", "The season", html! { (returns(&reports, &names, &mut data)) (last_pictures) }))
            (section(labels, "actions", "Actions", actions(&reports, &names, &data)))
            (section(labels, "parts", "Every part", variables(&reports, &names, &mut data)))
        }
    };
    Ok(document(labels, &title, body, &run.version, &data))
}

/// The episodes' names: the policy, and the seed if the seeds differ.
fn names(reports: &[Report]) -> Vec<String> {
    let has_one_seed = reports.iter().all(|report| report.seed == reports[0].seed);
    let name = |report: &Report| match report.run.policy.as_str() {
        policy if has_one_seed => policy.to_owned(),
        policy => format!("{policy}, seed {}", report.seed),
    };
    reports.iter().map(name).collect()
}

/// The days of all episodes, at the interval of the longest episode.
fn common_days(reports: &[Report]) -> Data {
    let every = reports.iter().map(|report| report.thinning.every()).max().unwrap_or(1);
    let days = || reports.iter().flat_map(|report| report.thinning.days().iter().copied());
    let (first, last) = (days().min().unwrap_or(0), days().max().unwrap_or(0));
    let days: Vec<u32> = (first..=last).step_by(every as usize).collect();
    let is_daily = reports.iter().all(|report| report.steps == u64::from(report.day));
    let calendars: Vec<Option<Calendar>> = reports
        .iter()
        .map(|report| {
            let of_year = report.all_series.days_of_year(&report.game)?;
            Calendar::of(report.thinning.days(), of_year)
        })
        .collect();
    // Episodes that begin on different dates have no dates in common.
    let calendar = calendars.first().copied().flatten().filter(|_| calendars.windows(2).all(|pair| pair[0] == pair[1]));
    Data::new(&days, every, if is_daily { "step" } else { "day" }, reports[0].labels(), calendar)
}

/// An episode's values on the days of all episodes. Values are missing on days that the episode does not have.
fn on_days(report: &Report, data: &Data, values: &[f64]) -> Vec<f64> {
    let own = report.thinning.days();
    let at = |day: &u32| own.binary_search(day).ok().and_then(|i| values.get(i).copied()).unwrap_or(f64::NAN);
    data.days().iter().map(at).collect()
}

/// The results, one column per episode.
fn numbers(reports: &[Report], names: &[String], data: &Data) -> Markup {
    let labels = reports[0].labels();
    let of = |name: &str, value: &dyn Fn(&Report) -> String| -> Vec<String> {
        std::iter::once(labels.words(name).to_owned()).chain(reports.iter().map(value)).collect()
    };
    let mut rows = vec![of("return", &|report| grouped(report.so_far[0]))];
    if reports.iter().any(|report| report.final_reward != 0.0) {
        rows.push(of("of which at the end", &|report| grouped(report.final_reward)));
    }
    if reports.iter().any(|report| report.so_far[1] != 0.0) {
        rows.push(of("cost of interventions", &|report| grouped(report.so_far[1])));
    }
    if reports.iter().any(|report| report.so_far[2] != 0.0) {
        rows.push(of("cost of observations", &|report| grouped(report.so_far[2])));
    }
    rows.push(of("seed", &|report| report.seed.to_string()));
    rows.push(of(&format!("{}s", data.step), &|report| report.day.to_string()));
    rows.push(of("ended because", &|report| stop(report, data)));
    let seasons: Vec<Vec<SeasonLine>> = reports.iter().map(Report::season).collect();
    // All episodes are of one game, but an episode without harvest has no litres per kilogram.
    let mut measures: Vec<&String> = Vec::new();
    for (what, _) in seasons.iter().flatten() {
        if !measures.contains(&what) {
            measures.push(what);
        }
    }
    for measure in measures {
        let value = |season: &Vec<SeasonLine>| {
            season.iter().find(|(what, _)| what == measure).map_or("–".to_owned(), |(_, amount)| amount.clone())
        };
        rows.push(std::iter::once(labels.words(measure).to_owned()).chain(seasons.iter().map(value)).collect());
    }
    let head: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
    table(&head, 1, &rows)
}

/// The returns so far, without the reward given at the end of the episode.
fn returns(reports: &[Report], names: &[String], data: &mut Data) -> Markup {
    let mut series = Vec::new();
    for (i, report) in reports.iter().enumerate() {
        let mut sums = report.sums.column(0);
        if let Some(last) = sums.last_mut().filter(|_| report.thinning.days().last() == Some(&report.day)) {
            *last -= report.final_reward;
        }
        let values = on_days(report, data, &sums);
        series.push(data.series(&names[i], "", &[], i, &values));
    }
    let lines = Lines { height: 200.0, width: WIDE, ..overlaid(data, series) };
    html! {
        (figure(reports[0].labels().words("Return so far"), "", lines.draw(), true))
        @if reports.iter().any(|report| report.final_reward != 0.0) {
            p { "The chart leaves out the reward that the score gives at the end for the whole episode." }
        }
    }
}

fn overlaid(data: &Data, series: Vec<Series>) -> Lines {
    let range = Some(data.range());
    Lines {
        x: data.x(),
        ticks: data.ticks(),
        range,
        series,
        is_named: true,
        width: SMALL,
        height: 112.0,
        ..Lines::default()
    }
}

/// The farm at the end of each episode.
fn last_pictures(reports: &mut [Report], names: &[String]) -> Result<Markup, RenderError> {
    let mut pictures = Vec::new();
    for (report, name) in reports.iter_mut().zip(names) {
        let Some(strip) = report.strip.take() else { continue };
        let (width, height) = strip.size();
        let Some(shot) = strip.finish()?.0.pop() else { continue };
        pictures.push(html! {
            figure {
                img width=(width) height=(height) alt={ "The farm of " (name) " on day " (shot.day) } src=(png(&shot.picture));
                figcaption { (name) ", at the end" }
            }
        });
    }
    Ok(html! { div.charts.ends { @for picture in pictures { (picture) } } })
}

/// The actions in each episode, on the time axis and as counts.
fn actions(reports: &[Report], names: &[String], data: &Data) -> Markup {
    let labels = reports[0].labels();
    let game: &Game = &reports[0].game;
    let (mut rows, mut drawn) = (Vec::new(), Vec::new());
    for (rank, base) in game.catalogue().base_actions().iter().enumerate() {
        let tallies: Vec<_> = reports.iter().map(|report| report.tallies.all.get(rank)).collect();
        let count = |i: usize| tallies[i].map_or(0, |tally| tally.count);
        if (0..reports.len()).all(|i| count(i) == 0) {
            continue;
        }
        let action = labels.base_action(game, base);
        let counts = (0..reports.len()).map(|i| count(i).to_string());
        rows.push(std::iter::once(action.clone()).chain(counts).collect::<Vec<String>>());
        for (i, tally) in tallies.iter().enumerate().filter_map(|(i, tally)| tally.map(|tally| (i, tally))) {
            let span = |(day, call): &(u32, Call)| {
                let at = f64::from(*day);
                Span { from: at, to: at, text: format!("{}: {}", data.day_name(*day), labels.call(game, call)) }
            };
            if tally.count > 0 {
                let name = format!("{}: {action}", names[i]);
                drawn.push(Row { name, color: i, spans: tally.times.iter().map(span).collect() });
            }
        }
    }
    if rows.is_empty() {
        return html! { p { (labels.words("No policy chose an action.")) } };
    }
    drawn.truncate(MAX_ACTIONS);
    let range = Some(data.range());
    let timeline =
        Timeline { x: data.x(), ticks: data.ticks(), rows: drawn, range, width: WIDE, ..Timeline::default() };
    let head: Vec<&str> = std::iter::once(labels.words("times")).chain(names.iter().map(String::as_str)).collect();
    html! { (figure("", "", timeline.draw(), true)) (table(&head, 1, &rows)) }
}

/// The variables that differ between the episodes, part by part.
fn variables(reports: &[Report], names: &[String], data: &mut Data) -> Markup {
    let labels = reports[0].labels();
    let game: &Game = &reports[0].game;
    let about =
        "Variables that differ between the episodes. For variables with one value per plot, the charts show the mean.";
    let mut parts = Vec::new();
    for (index, part) in game.parts().iter().enumerate() {
        let mut charts = Vec::new();
        for (rank, series) in reports[0].all_series.all().iter().enumerate().filter(|(_, series)| series.part == index)
        {
            let lines: Option<Vec<Vec<f64>>> =
                reports.iter().map(|report| one_line(report, report.all_series.all().get(rank)?)).collect();
            let (Some(lines), Some(info)) = (lines, series.info(game)) else { continue };
            let lines: Vec<Vec<f64>> =
                reports.iter().zip(&lines).map(|(report, values)| on_days(report, data, values)).collect();
            if lines.windows(2).all(|pair| !differ(&pair[0], &pair[1])) {
                continue;
            }
            let unit = unit_of(info.name());
            let mut all = Vec::new();
            for (i, values) in lines.iter().enumerate() {
                all.push(data.series(&names[i], &unit, &[], i, values));
            }
            let name = labels.variable(part.kind(), info.name()).text;
            let caption = if unit.is_empty() { name } else { format!("{name} [{unit}]") };
            charts.push(figure(&caption, info.doc(), overlaid(data, all).draw(), false));
        }
        if !charts.is_empty() {
            parts.push(html! { details.part open { summary { b { (part.path()) } } (side_by_side(&charts)) } });
        }
    }
    html! {
        p { (labels.words(about)) }
        @for part in parts { (part) }
    }
}

/// Whether values differ on a day that both episodes have.
fn differ(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).any(|(a, b)| a.is_finite() && b.is_finite() && a != b)
}

/// One number per recorded day for a variable: its value, or the mean of its values; `None` if there is no such number.
fn one_line(report: &Report, series: &VariableSeries) -> Option<Vec<f64>> {
    match series.shown(&report.game)? {
        SeriesLines::Lines(mut lines) if lines.len() == 1 => lines.pop().map(|(_, values)| values),
        SeriesLines::Spread { mean, .. } => Some(mean),
        // It is constant in this episode, but may change in the others.
        SeriesLines::Constant(_) => series.constant().map(|value| vec![value; report.thinning.days().len()]),
        _ => None,
    }
}
