//! The complete page: head, film, sections, numbers and script.

use std::collections::BTreeMap;

use farm_core::Game;
use farm_core::declare::{PartInfo, VariableInfo};
use farm_core::inspect::first_sentence;
use farm_core::labels::{Labels, unit as unit_of};
use farm_plot::grouped;
use farm_render::{HtmlPage, RenderError};
use maud::{Markup, html};

use crate::calendar::{Calendar, is_day_of_year};
use crate::charts::{self, Data, figure, side_by_side};
use crate::html::{png, table};
use crate::sections::{self, section};
use crate::series::{SeriesLines, VariableSeries};
use crate::summary::summary;
use crate::{EpisodeLine, LEFT, Report, Run};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The maximum number of mark texts that stay legible on a small chart.
const MAX_MARKS: usize = 8;

/// Writes a report's page.
pub(crate) fn write(mut report: Report, episodes: &[EpisodeLine]) -> Result<String, RenderError> {
    let labels = report.labels();
    let step = if report.steps == u64::from(report.day) { "step" } else { "day" };
    let days = report.thinning.days();
    let calendar = report.all_series.days_of_year(&report.game).and_then(|of_year| Calendar::of(days, of_year));
    let mut data = Data::new(days, report.thinning.every(), step, labels, calendar);
    let film = report.strip.take().map(|strip| film(strip, &data)).transpose()?;
    let mut parts = vec![
        ("summary", "In numbers", summary(&report, &data)),
        ("season", "The season", Some(season(film, &report, &mut data))),
        ("monitoring", "Monitoring", monitoring(&report, &mut data)),
        ("events", "Events", Some(sections::events(&report, &data))),
        ("actions", "Actions", Some(sections::actions(&report, &data))),
        ("costs", "Costs", Some(sections::costs(&report, &mut data))),
        ("balances", "Balances", sections::mass_balances(&report, &mut data)),
        ("parts", "Every part", Some(variables(&report, &mut data))),
        ("episodes", "Episodes", Some(sections::episodes(report.labels(), episodes, step))),
        ("game", "Configuration", configuration(&report.game, report.labels())),
    ];
    parts.retain(|(_, _, body)| body.is_some());
    let every = report.thinning.every();
    let body = html! {
        (head(&report, &data))
        nav aria-label="Sections" { @for (id, name, _) in &parts { a href={ "#" (id) } { (labels.words(name)) } " " } }
        main {
            @if every > 1 { p.note { "The episode is long: charts show one " (step) " in " (every) "." } }
            @for (_, _, body) in &parts { @if let Some(body) = body { (body) } }
        }
    };
    Ok(document(labels, &title(&report), body, &report.run.version, &data))
}

/// Writes a self-contained page, which includes its style, its script and the numbers behind its charts.
pub(crate) fn document(labels: &Labels, title: &str, body: Markup, version: &str, data: &Data) -> String {
    HtmlPage {
        language: labels.language().code(),
        title,
        body: html! { (body) footer { (version) } },
        style: STYLE,
        data: ("data", data.json()),
        script: SCRIPT,
    }
    .write()
}

fn title(report: &Report) -> String {
    let preset = report.run.preset.as_ref().map_or(String::new(), |preset| format!(" ({preset})"));
    let policy = match report.run.policy.as_str() {
        "" => String::new(),
        policy => format!(", policy {policy}"),
    };
    format!("{}{preset}{policy}, seed {}", report.game.spec().name(), report.seed)
}

/// The reason why the episode ended, and the date.
pub(crate) fn stop(report: &Report, data: &Data) -> String {
    let stop = report.labels().stop_reason(report.stop.as_deref().unwrap_or(LEFT));
    data.date(report.day).map_or(stop.to_string(), |date| format!("{stop} ({date})"))
}

/// The headline: the game, the result, and the command that replays the episode.
fn head(report: &Report, data: &Data) -> Markup {
    let labels = report.labels();
    let step = data.step;
    let game = &report.game;
    let preset = report.run.preset.as_ref().map_or(String::new(), |preset| format!(" ({preset})"));
    let stop = stop(report, data);
    let mut cards = vec![
        ("return", grouped(report.so_far[0])),
        ("policy", report.run.policy.clone()),
        ("seed", report.seed.to_string()),
        (if step == "day" { "days" } else { "steps" }, report.day.to_string()),
        ("ended because", stop),
    ];
    if report.final_reward != 0.0 {
        cards.insert(1, ("of which at the end", grouped(report.final_reward)));
    }
    if report.so_far[1] != 0.0 || report.so_far[2] != 0.0 {
        cards.insert(cards.len() - 1, ("costs", grouped(report.so_far[1] + report.so_far[2])));
    }
    cards.retain(|(_, value)| !value.is_empty());
    let does = if report.run.is_whole { "To play it again with" } else { "To begin it again with" };
    let hash = labels.words("The first episode ends in the state with the hash");
    html! {
        header {
            h1 { (game.spec().name()) (preset) }
            p.doc { (game.spec().doc().trim()) }
            dl.cards { @for (name, value) in &cards { div { dt { (labels.words(name)) } dd { (value) } } } }
            div.again {
                (again(labels.words(does), &report.run))
                p { (hash) " " code { (format_args!("{:016x}", report.state_hash)) } "." }
            }
        }
    }
}

/// The command that replays a run; nothing if there is none.
pub(crate) fn again(does: &str, run: &Run) -> Markup {
    html! {
        @if !run.command.is_empty() {
            p { (does) " " (run.version) ":" }
            pre { code { (run.command) } }
        }
    }
}

/// The season as a strip of pictures. With scripts, the page shows the strip as a film.
fn film(strip: crate::film::FilmStrip, data: &Data) -> Result<Markup, RenderError> {
    let labels = data.labels;
    let (width, height) = strip.size();
    let (shots, every) = strip.finish()?;
    let step = data.step;
    let every = match every {
        1 => format!("{} {}", labels.words("one for each"), labels.words(step)),
        n => format!("{} {n} {}", labels.words("one every"), labels.words(&format!("{step}s"))),
    };
    let did = |actions: &str| if actions.is_empty() { labels.words("no action") } else { actions }.to_owned();
    let (farm, returns) = (labels.words("The farm on"), labels.words("return"));
    let (pictures, click) = (labels.words("pictures"), labels.words("full view. Click a day in a chart to see it."));
    Ok(html! {
        p { (shots.len()) " " (pictures) ", " (every) ", " (click) }
        div.film id="strip" {
            @for shot in &shots {
                @let name = data.day_name(shot.day);
                figure data-day=(shot.day) {
                    img width=(width) height=(height) alt={ (farm) " " (name) } src=(png(&shot.picture));
                    figcaption { (name) " · " (returns) " " (grouped(shot.total)) " · " (did(&shot.actions)) }
                }
            }
        }
    })
}

/// The pictures next to the rewards.
fn season(film: Option<Markup>, report: &Report, data: &mut Data) -> Markup {
    let body = html! {
        div.season {
            @if let Some(film) = film { div { (film) } }
            div { (sections::rewards(report, data)) }
        }
    };
    section(report.labels(), "season", "The season", body)
}

/// The charts of the game's own monitors.
fn monitoring(report: &Report, data: &mut Data) -> Option<Markup> {
    let mut charts = Vec::new();
    for (series, shown) in report.monitored.shown() {
        let unit = unit_of(&format!("#{}", series.unit));
        let Some(mut lines) = data.small(&unit, &shown, series.range, Vec::new()) else { continue };
        lines.x = data.x();
        let tip = format!("{} of {} {}", series.function, series.part, series.variable);
        let caption = charts::caption(&series.title, &unit, &shown);
        charts.push(figure(&caption, &tip, lines.draw(), false));
    }
    let has_monitors = !report.game.monitors().is_empty();
    has_monitors.then(|| section(report.labels(), "monitoring", "Monitoring", side_by_side(&charts)))
}

/// The variables of all parts, by field and by part. Related variables share a chart.
fn variables(report: &Report, data: &mut Data) -> Markup {
    let game = &report.game;
    let fields = game.fields().iter().enumerate().map(|(i, field)| {
        let (length, width, scale) = (field.length(), field.width(), field.scale_m());
        (Some(i), format!("{}: {length} × {width} plots of {} m", field.name(), grouped(scale)))
    });
    let body = html! {
        p {
            "Variables that changed, part by part. Marks show the part's own events. (hidden): the learner can't observe this variable. \
             A line with a band is the mean of all plots, and the band reaches from the minimum to the maximum. Parts \
             with single events are open."
        }
        @for (field, title) in fields.chain([(None, "Farm".to_owned())]) {
            h3 { (title) }
            @for (index, part) in game.parts().iter().enumerate().filter(|(_, part)| part.field() == field) {
                (part_details(report, index, part, data))
            }
        }
    };
    section(report.labels(), "parts", "Every part", body)
}

fn part_details(report: &Report, index: usize, part: &PartInfo, data: &mut Data) -> Markup {
    let labels = report.labels();
    let game = &report.game;
    let mut marks = sections::marks(report, Some(index));
    if marks.len() > MAX_MARKS {
        // Too many texts would overlap. Charts then have no marks.
        marks.clear();
    }
    let (mut seen, mut hidden, mut constant) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups(
        game,
        labels,
        report.all_series.all().iter().filter(|variable_series| variable_series.part == index),
        part,
    ) {
        let Some((info, _)) = group.members.first() else { continue };
        // The axes show it.
        if is_day_of_year(info) {
            continue;
        }
        let unit = unit_of(info.name());
        let shown = match group.members.as_slice() {
            [(_, SeriesLines::Constant(value))] => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                constant.push(vec![
                    labels.variable(part.kind(), info.name()).text,
                    format!("{value}{unit}"),
                    first_sentence(info.doc()).to_owned(),
                ]);
                continue;
            }
            [(_, shown)] => shown.clone(),
            several => SeriesLines::Lines(several.iter().filter_map(named_line).collect()),
        };
        let doc = group.members.iter().map(|(info, _)| info.doc()).collect::<Vec<_>>().join(" ");
        let Some(lines) = data.small(&unit, &shown, None, marks.clone()) else { continue };
        let note = if info.visible() { String::new() } else { format!(" ({})", labels.words("hidden")) };
        let caption = charts::caption(&group.title, &unit, &shown);
        let out = figure(&format!("{caption}{note}"), &doc, lines.draw(), false);
        if info.visible() { seen.push(out) } else { hidden.push(out) }
    }
    // A part with only hidden variables shows them at once.
    let (open, closed) = if seen.is_empty() { (hidden, Vec::new()) } else { (seen, hidden) };
    let has_happened = report.events.kinds.keys().any(|(event, _)| {
        report.game.events().get(*event).is_some_and(|(part, info)| *part == index && !info.lasting())
    });
    html! {
        @if !open.is_empty() || !constant.is_empty() {
            details.part open[has_happened] {
                summary { b { (labels.part(game, part)) } " " span { (part.path()) } }
                @if !open.is_empty() { (side_by_side(&open)) }
                @if !closed.is_empty() {
                    details { summary { (labels.words("Hidden from the learner")) } (side_by_side(&closed)) }
                }
                @if !constant.is_empty() {
                    details {
                        summary { (labels.words("Did not change")) ": " (constant.len()) }
                        (table(&["variable", "value", "meaning"].map(|name| labels.words(name)), 3, &constant))
                    }
                }
            }
        }
    }
}

/// Variables that share a chart.
struct ChartGroup<'g> {
    title: String,
    members: Vec<(&'g VariableInfo, SeriesLines)>,
}

/// Groups variables into charts. Scalars with a common name prefix, such as `air_temperature`, and the same unit share a chart.
fn groups<'g>(
    game: &'g Game,
    labels: &Labels,
    all_series: impl Iterator<Item = &'g VariableSeries>,
    part: &'g PartInfo,
) -> Vec<ChartGroup<'g>> {
    let mut groups: Vec<ChartGroup<'g>> = Vec::new();
    let mut ranks: BTreeMap<(String, String), usize> = BTreeMap::new();
    for variable_series in all_series {
        let (Some(info), Some(shown)) = (variable_series.info(game), variable_series.shown(game)) else { continue };
        let keys = part.split_name(info.name());
        let is_line = matches!(&shown, SeriesLines::Lines(lines) if lines.len() == 1);
        if let ([heads @ .., _], true, true) = (keys.as_slice(), keys.len() > 1, is_line) {
            let key = (heads.join("."), unit_of(info.name()) + if info.visible() { "" } else { "?" });
            if let Some(group) = ranks.get(&key).and_then(|rank| groups.get_mut(*rank)) {
                group.members.push((info, shown));
                group.title = labels.variable(part.kind(), &heads.join(".")).text;
                continue;
            }
            ranks.insert(key, groups.len());
        }
        groups.push(ChartGroup { title: labels.variable(part.kind(), info.name()).text, members: vec![(info, shown)] });
    }
    groups
}

fn named_line((info, shown): &(&VariableInfo, SeriesLines)) -> Option<(String, Vec<f64>)> {
    let SeriesLines::Lines(lines) = shown else { return None };
    let last = info.name().split('#').next().unwrap_or(info.name());
    let last = last.rsplit('.').next().unwrap_or(last).replace('_', " ");
    lines.first().map(|(_, values)| (last, values.clone()))
}

/// The whole configuration as YAML.
fn configuration(game: &Game, labels: &Labels) -> Option<Markup> {
    let yaml = game.spec().to_yaml().ok()?;
    let body = html! {
        details { summary { (labels.words("The game as YAML, with every parameter")) } pre.long { code { (yaml) } } }
    };
    Some(section(labels, "game", "Configuration", body))
}
