//! Writes a run as a self-contained HTML page, with curves, levels and every episode step by step.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use farm_core::Game;
use farm_core::inspect::format_number;
use farm_plot::{Lines, Series};
use farm_render::{Frame, HtmlPage, Palette, PictureOptions, RenderError, Renderer};
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use crate::clauses::ClauseSummary;
use crate::dialogue::ASK_FOR_SUMMARY;
use crate::leaderboard::{percent, shown};
use crate::run::Run;
use crate::score::{Mean, Score, ScoredEpisode};
use crate::session::Session;
use crate::texts::visible;
use crate::trace::{CallLine, Line, SummaryLine, Trace};
use crate::verify::recorded_answer;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The maximum total size of the pictures on a page, in bytes. Steps beyond it have only texts.
const MAX_PICTURES: usize = 16_000_000;
/// The maximum number of calls that a page shows for an episode; later calls are left out.
const MAX_CALLS: usize = 500;

/// Writes the page for a run from the traces and the score of its episodes. Texts of the run that take one line have no hidden characters.
///
/// # Errors
/// A picture can't be drawn.
pub fn page(run: &Run, traces: &[Trace], score: &Score) -> Result<String, RenderError> {
    let mut pictures = Pictures::default();
    let mut episodes = Vec::new();
    for (index, (plan, trace)) in run.header().episodes.iter().zip(traces).enumerate() {
        if let Some(scored) = score.episodes.iter().find(|scored| scored.plan.id == plan.id)
            // The run has opened the game, and the episode is scored.
            && let Ok(game) = run.game(index)
        {
            episodes.push(episode(run, &game, trace, scored, &mut pictures)?);
        }
    }
    let header = run.header();
    let title = format!("{} plays {}", header.name, header.shown_title());
    let title = visible(&title);
    // Episodes that can't be replayed have no clauses.
    let clauses = ClauseSummary::of(&crate::clauses::clauses(run, traces).unwrap_or_default());
    let conduct = &header.conduct;
    let about = format!(
        "{}. Rules {}, {} texts, history {}, at most {} replies per turn; version {}. The agent, tokens and seconds are claims of the run.",
        header.worlds_in_words(),
        header.rules_in_words(),
        conduct.text.name(),
        conduct.history,
        conduct.replies,
        header.version
    );
    let body = html! {
        header {
            h1 { (title) }
            p.note { (visible(&about)) }
            (cards(score))
        }
        main {
            section { h2 { "Curves" } (curves(score)) }
            section { h2 { "Levels" } (levels(score)) }
            (clauses_section(&clauses))
            section {
                h2 { "Episodes" }
                @if pictures.bytes > MAX_PICTURES {
                    p.note { "Later steps have no pictures, because the page would be too large." }
                }
                @for episode in episodes { (episode) }
            }
        }
    };
    let data = ("pictures", json!(pictures.urls).to_string());
    Ok(HtmlPage { language: "en", title: &title, body, style: STYLE, data, script: SCRIPT }.write())
}

/// The step from which the behaviour agrees with each clause of the rules; empty for games outside the families.
fn clauses_section(clauses: &[ClauseSummary]) -> Markup {
    html! {
        @if !clauses.is_empty() {
            section {
                h2 { "Clauses of the rules" }
                div.scroll {
                    table {
                        tr { th { "clause" } th.n { "episodes that agree at the end" } th.n { "from step, mean" } }
                        @for summary in clauses {
                            @let [clause, agreed, step] = summary.row();
                            tr { td { (clause) } td.n { (agreed) } td.n { (step) } }
                        }
                    }
                }
            }
        }
    }
}

/// The main figures.
fn cards(score: &Score) -> Markup {
    let share = |share: Option<f64>| share.map_or("–".to_owned(), percent);
    let best = score.best.map_or("best", |best| best.name());
    let mut cards = vec![
        (format!("score: Σ(R − waiting) / Σ(best − waiting); best: {best}"), shown(score.score, percent)),
        ("levels or worlds without room".to_owned(), format!("{} of {}", score.without_room, score.levels)),
        ("ΣR / Σbest".to_owned(), shown(score.ratio_of_sums, percent)),
        ("return".to_owned(), shown(score.returns, format_number)),
        ("episodes".to_owned(), format!("{} of {}", score.episodes.len(), score.of)),
        ("turns with an invalid part".to_owned(), share(score.counts.invalid_rate())),
        ("replies requested again".to_owned(), share(score.counts.asked_again_rate())),
        ("tokens".to_owned(), format!("{}{}", if score.tokens.estimated { "~" } else { "" }, score.tokens.total())),
    ];
    if let Some(cost) = score.cost {
        cards.push(("cost".to_owned(), format_number(cost)));
    }
    html! { dl.cards { @for (name, value) in cards { div { dt { (name) } dd { (value) } } } } }
}

/// A chart with its caption.
fn figure(over: &str, lines: &Lines) -> Markup {
    // A drawing escapes its own texts.
    let svg = PreEscaped(lines.draw().inline_svg());
    html! { figure.chart { (svg) figcaption { "Score over " (over) } } }
}

/// The score over turns and over tokens: of all episodes, and one line per episode if there are at most 6.
fn curves(score: &Score) -> Markup {
    let chart = |x: &str, points: Vec<(u64, f64)>, each: &dyn Fn(&ScoredEpisode, u64) -> Option<f64>| {
        let at: Vec<u64> = points.iter().map(|(at, _)| *at).collect();
        let mean = points.into_iter().map(|(at, value)| (at as f64, value)).collect();
        let mut series = vec![Series { name: "all".to_owned(), points: mean, ..Series::default() }];
        // More lines than colours would be unreadable.
        for episode in score.episodes.iter().take(if score.episodes.len() > 6 { 0 } else { 6 }) {
            let points = at.iter().filter_map(|at| Some((*at as f64, each(episode, *at)?))).collect();
            series.push(Series { name: episode.plan.id.clone(), points, color: series.len(), ..Series::default() });
        }
        let lines = Lines {
            x: x.to_owned(),
            y: "score".to_owned(),
            series,
            is_named: true,
            width: 560.0,
            height: 220.0,
            ..Lines::default()
        };
        (at.len() > 1).then(|| figure(x, &lines))
    };
    let drawn = [
        means("trial", "trials of a lifetime", &numbered(&score.over_trials)),
        means("tier", "tiers", &score.by_tier),
        chart("turns", score.over_turns(), &ScoredEpisode::score_at_turn),
        chart("tokens", score.over_tokens(), &ScoredEpisode::score_at_tokens),
    ];
    let drawn: Vec<Markup> = drawn.into_iter().flatten().collect();
    html! {
        @if drawn.is_empty() {
            p { "There is no score, because no best return is known for this game." }
        } @else {
            div.charts { @for chart in drawn { (chart) } }
        }
    }
}

/// Means with their trial numbers, from 1.
fn numbered(means: &[Mean]) -> Vec<(u32, Mean)> {
    (1..).zip(means.iter().copied()).collect()
}

/// Means with their intervals, side by side; `None` if there is only one.
fn means(x: &str, over: &str, means: &[(u32, Mean)]) -> Option<Markup> {
    let points = means.iter().map(|(at, mean)| (f64::from(*at), mean.value)).collect();
    let interval = |mean: &Mean| mean.interval.unwrap_or((mean.value, mean.value));
    let band = means.iter().map(|(_, mean)| interval(mean)).collect();
    let lines = Lines {
        x: x.to_owned(),
        y: "score".to_owned(),
        series: vec![Series { name: "mean, 95 % interval".to_owned(), points, band, ..Series::default() }],
        is_named: true,
        has_dots: true,
        ticks: means.iter().map(|(at, _)| (f64::from(*at), at.to_string())).collect(),
        width: 560.0,
        height: 220.0,
        ..Lines::default()
    };
    (means.len() > 1).then(|| figure(over, &lines))
}

/// A table row for each episode.
fn levels(score: &Score) -> Markup {
    let number = |value: Option<f64>| value.map_or("–".to_owned(), format_number);
    let reference = visible(score.reference.as_deref().unwrap_or("reference"));
    html! {
        div.scroll {
            table {
                tr {
                    th { "episode" }
                    @for name in ["return", "waiting", &reference, "best", "score", "turns", "invalid", "tokens"] {
                        th.n { (name) }
                    }
                    th { "best is" }
                    th { "ended because" }
                }
                @for episode in &score.episodes {
                    @let best = episode.baseline.best;
                    tr {
                        td { a href={ "#" (episode.plan.id) } { (visible(&episode.plan.label())) } }
                        td.n { (format_number(episode.end.total)) }
                        td.n { (format_number(episode.baseline.waiting)) }
                        td.n { (number(episode.baseline.reference.as_ref().map(|(_, value)| *value))) }
                        td.n { (number(best.map(|best| best.value))) }
                        td.n { (episode.score().map_or("–".to_owned(), percent)) }
                        td.n { (episode.end.turns) }
                        td.n { (episode.invalid) }
                        td.n { (episode.end.tokens.total()) }
                        td { (best.map_or("", |best| best.kind.name())) }
                        td { (visible(&episode.end.stop)) }
                    }
                }
            }
        }
    }
}

/// The pictures on a page as data URLs, each stored once.
#[derive(Default)]
struct Pictures {
    urls: Vec<String>,
    by_state: BTreeMap<u64, usize>,
    bytes: usize,
}

impl Pictures {
    /// Draws a state and returns its picture's index; `None` if the page is full.
    fn draw(&mut self, renderer: &mut Renderer, frame: &Frame<'_>) -> Result<Option<usize>, RenderError> {
        let hash = frame.state.hash();
        if let Some(known) = self.by_state.get(&hash) {
            return Ok(Some(*known));
        }
        if self.bytes > MAX_PICTURES {
            return Ok(None);
        }
        let image = renderer.render(frame);
        let mut colors = Palette::count();
        colors.add(image.pixels(), 1);
        let png = image.to_small_png(&colors.palette())?;
        let url = format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(png));
        self.bytes += url.len();
        self.urls.push(url);
        self.by_state.insert(hash, self.urls.len() - 1);
        Ok(Some(self.urls.len() - 1))
    }
}

/// An episode step by step: the observation, the reply, and a picture of the world.
fn episode(
    run: &Run,
    game: &Arc<Game>,
    trace: &Trace,
    scored: &ScoredEpisode,
    pictures: &mut Pictures,
) -> Result<Markup, RenderError> {
    let options = PictureOptions { max_width: 360, max_height: 340, ..PictureOptions::default() };
    let mut renderer = Renderer::new(game.clone(), &options)?;
    let mut session = Session::new(game.clone(), scored.plan.seed, scored.plan.conduct(run.header().conduct));
    let (mut steps, mut total, mut reward) = (Vec::new(), 0.0, None);
    let mut picture = |session: &Session, total: f64, reward: Option<f64>| {
        pictures.draw(&mut renderer, &Frame { total, reward, ..Frame::of(session.environment().state()) })
    };
    for line in trace.lines.iter().filter(|line| matches!(line, Line::Call(_) | Line::Summary(_))).take(MAX_CALLS) {
        let number = picture(&session, total, reward)?;
        let Some(Ok(_)) = recorded_answer(line).map(|answer| session.take_line(answer)) else { break };
        let Line::Call(call) = line else {
            if let Line::Summary(summary) = line {
                steps.push(summary_step(summary, number));
            }
            continue;
        };
        (total, reward) = (call.total, call.played.then_some(call.reward));
        steps.push(call_step(call, number));
    }
    let end = html! { "The end: " (visible(&scored.end.stop)) "; return " (format_number(scored.end.total)) };
    let last = picture(&session, total, reward)?;
    steps.push(step(end, &[], &session.environment().text(), None, last));
    Ok(html! {
        details.episode id=(scored.plan.id) {
            summary {
                (visible(&scored.plan.label())) ": return " (format_number(scored.end.total))
                @if let Some(score) = scored.score() { ", score " (percent(score)) }
                ", " (scored.end.turns) " turns"
            }
            div.steps { @for step in steps { (step) } }
        }
    })
}

/// A step: a headline, the reasons of rejections, the observation and the reply, and a picture of the world at that time.
fn step(what: Markup, rejected: &[&str], text: &str, reply: Option<&str>, picture: Option<usize>) -> Markup {
    html! {
        div.step {
            p.what { (what) }
            @for reason in rejected { p.no { "rejected: " (visible(reason)) } }
            div.three {
                pre { (text) }
                pre class=[reply.map(|_| "said")] { (reply.unwrap_or_default()) }
                @if let Some(number) = picture { img alt="The world" data-picture=(number); }
            }
        }
    }
}

/// A summary of earlier turns.
fn summary_step(summary: &SummaryLine, picture: Option<usize>) -> Markup {
    let what =
        html! { "Before turn " (summary.turn) ": a summary of the turns so far · " (summary.tokens.total()) " tokens" };
    step(what, &[], ASK_FOR_SUMMARY, Some(&summary.reply), picture)
}

/// A call of the agent.
fn call_step(call: &CallLine, picture: Option<usize>) -> Markup {
    let done = match (call.played, call.actions.as_slice()) {
        (false, _) => "asked again: the reply can't be read".to_owned(),
        (true, []) => "no action".to_owned(),
        (true, actions) => actions.join("; "),
    };
    let what = html! {
        @if call.trial > 0 || call.trial_end.is_some() { "Trial " (call.trial + 1) " · " }
        "Turn " (call.turn) ": " (visible(&done))
        " · reward " (format_number(call.reward)) " · return " (format_number(call.total))
        " · " (call.tokens.total()) " tokens"
        @if let Some(end) = &call.trial_end { " · the trial ends with " (format_number(end.total)) }
    };
    let rejected: Vec<&str> = call.rejected.iter().map(|rejected| rejected.reason.as_str()).collect();
    step(what, &rejected, &call.text, Some(&call.reply), picture)
}
