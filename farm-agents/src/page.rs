//! Writes a run as a self-contained HTML page, with curves, levels and every episode step by step.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use farm_core::Game;
use farm_core::inspect::{escape_controls, format_number};
use farm_plot::{Lines, Series, escape_html, style_sheet};
use farm_render::{Frame, Palette, PictureOptions, RenderError, Renderer};
use serde_json::json;

use crate::clauses::{ClauseSummary, EpisodeClauses};
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
/// Prevents browsers from fetching anything, whatever the page contains.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'\">\n";

/// The maximum total size of the pictures on a page, in bytes. Steps beyond it have only texts.
const MAX_PICTURES: usize = 16_000_000;
/// The maximum number of calls that a page shows for an episode; later calls are left out.
const MAX_CALLS: usize = 500;

/// Escapes text as one line without hidden characters.
fn escape(text: &str) -> String {
    escape_html(&visible(text))
}

/// Escapes multi-line text so that no character can reverse the direction of others.
fn escape_block(text: &str) -> String {
    escape_html(&escape_controls(text))
}

/// Writes the page for a run from the traces and the score of its episodes.
///
/// # Errors
/// A picture can't be drawn.
pub fn page(run: &Run, traces: &[Trace], score: &Score) -> Result<String, RenderError> {
    let mut pictures = Pictures::default();
    let mut episodes = String::new();
    for (index, (plan, trace)) in run.header().episodes.iter().zip(traces).enumerate() {
        if let Some(scored) = score.episodes.iter().find(|scored| scored.plan.id == plan.id)
            // The run has opened the game, and the episode is scored.
            && let Ok(game) = run.game(index)
        {
            episodes += &episode(run, &game, trace, scored, &mut pictures)?;
        }
    }
    let header = run.header();
    let title = escape(&format!("{} plays {}", header.name, header.shown_title()));
    let style = STYLE.replace("/* dark colours of charts */", &style_sheet());
    let (cards, curves, levels) = (cards(score), curves(score), levels(score));
    // Episodes that can't be replayed have no clauses.
    let clauses = clauses_section(&crate::clauses::clauses(run, traces).unwrap_or_default());
    let pictures = json!(pictures.urls).to_string().replace('<', "\\u003c");
    let note = if pictures.len() > MAX_PICTURES {
        "<p class=\"note\">Later steps have no pictures, because the page would be too large.</p>"
    } else {
        ""
    };
    let conduct = &header.conduct;
    let about = escape(&format!(
        "{}. Rules {}, {} texts, history {}, at most {} replies per turn; version {}. The agent, tokens and seconds are claims of the run.",
        header.worlds_in_words(),
        header.rules_in_words(),
        conduct.text.name(),
        conduct.history,
        conduct.replies,
        header.version
    ));
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{POLICY}\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{style}</style>\n</head>\n<body>\n<header><h1>{title}</h1>\n<p class=\"note\">{about}</p>\n{cards}</header>\n<main>\n\
         <section><h2>Curves</h2>\n{curves}</section>\n<section><h2>Levels</h2>\n{levels}</section>\n{clauses}\
         <section><h2>Episodes</h2>\n{note}{episodes}</section>\n</main>\n\
         <script type=\"application/json\" id=\"pictures\">{pictures}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    ))
}

/// The step from which the behaviour agrees with each clause of the rules; empty for games outside the families.
fn clauses_section(episodes: &[EpisodeClauses]) -> String {
    if episodes.is_empty() {
        return String::new();
    }
    let row = |summary: &ClauseSummary| {
        let [clause, agreed, step] = summary.row().map(|cell| escape(&cell));
        format!("<tr><td>{clause}</td><td class=\"n\">{agreed}</td><td class=\"n\">{step}</td></tr>\n")
    };
    let rows: String = ClauseSummary::of(episodes).iter().map(row).collect();
    format!(
        "<section><h2>Clauses of the rules</h2>\n<div class=\"scroll\"><table><tr><th>clause</th>\
         <th class=\"n\">episodes that agree at the end</th><th class=\"n\">from step, mean</th></tr>\n{rows}</table></div></section>\n"
    )
}

/// The main figures.
fn cards(score: &Score) -> String {
    let share = |share: Option<f64>| share.map_or("–".to_owned(), percent);
    let best = score.best.map_or("best", |best| best.name());
    let mut cards = vec![
        (format!("score: (R − waiting) / (best − waiting); best: {best}"), shown(score.score, percent)),
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
    let card =
        |(name, value): &(String, String)| format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value));
    format!("<dl class=\"cards\">\n{}</dl>\n", cards.iter().map(card).collect::<String>())
}

/// The score over turns and over tokens: the mean, and one line per episode if there are at most 6.
fn curves(score: &Score) -> String {
    let chart = |x: &str, points: Vec<(u64, f64)>, each: &dyn Fn(&ScoredEpisode, u64) -> Option<f64>| {
        let at: Vec<u64> = points.iter().map(|(at, _)| *at).collect();
        let mean = points.into_iter().map(|(at, value)| (at as f64, value)).collect();
        let mut series = vec![Series { name: "mean".to_owned(), points: mean, ..Series::default() }];
        // More lines than colours would be unreadable.
        for episode in score.episodes.iter().take(if score.episodes.len() > 6 { 0 } else { 6 }) {
            let points = at.iter().filter_map(|at| Some((*at as f64, each(episode, *at)?))).collect();
            series.push(Series { name: episode.plan.id.clone(), points, color: series.len(), ..Series::default() });
        }
        if series[0].points.len() < 2 {
            return String::new();
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
        format!(
            "<figure class=\"chart\">{}<figcaption>Score over {}</figcaption></figure>\n",
            lines.draw().inline_svg(),
            escape(x)
        )
    };
    let turns = means("trial", "trials of a lifetime", &numbered(&score.over_trials))
        + &means("tier", "tiers", &score.by_tier)
        + &chart("turns", score.over_turns(), &ScoredEpisode::score_at_turn);
    let tokens = chart("tokens", score.over_tokens(), &ScoredEpisode::score_at_tokens);
    let drawn = turns + &tokens;
    let none = "<p>There is no score, because no best return is known for this game.</p>\n".to_owned();
    if drawn.is_empty() { none } else { format!("<div class=\"charts\">\n{drawn}</div>\n") }
}

/// Means with their trial numbers, from 1.
fn numbered(means: &[Mean]) -> Vec<(u32, Mean)> {
    (1..).zip(means.iter().copied()).collect()
}

/// Means with their intervals, side by side; empty if there is only one.
fn means(x: &str, over: &str, means: &[(u32, Mean)]) -> String {
    if means.len() < 2 {
        return String::new();
    }
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
    format!(
        "<figure class=\"chart\">{}<figcaption>Score over {over}</figcaption></figure>\n",
        lines.draw().inline_svg()
    )
}

/// A table row for each episode.
fn levels(score: &Score) -> String {
    let number = |value: Option<f64>| value.map_or("–".to_owned(), format_number);
    let mut rows = String::new();
    for episode in &score.episodes {
        let best = episode.baseline.best;
        let kind = best.map_or("", |best| best.kind.name());
        let cells = [
            number(Some(episode.end.total)),
            number(Some(episode.baseline.waiting)),
            number(episode.baseline.reference.as_ref().map(|(_, value)| *value)),
            number(best.map(|best| best.value)),
            episode.score().map_or("–".to_owned(), percent),
            episode.end.turns.to_string(),
            episode.invalid.to_string(),
            episode.end.tokens.total().to_string(),
        ];
        let (id, label) = (escape(&episode.plan.id), escape(&episode.plan.label()));
        let cells: String = cells.iter().map(|cell| format!("<td class=\"n\">{cell}</td>")).collect();
        let _ = writeln!(
            rows,
            "<tr><td><a href=\"#{id}\">{label}</a></td>{cells}<td>{kind}</td><td>{}</td></tr>",
            escape(&episode.end.stop)
        );
    }
    let reference = escape(score.reference.as_deref().unwrap_or("reference"));
    let head = ["return", "waiting", &reference, "best", "score", "turns", "invalid", "tokens"];
    let head: String = head.iter().map(|name| format!("<th class=\"n\">{name}</th>")).collect();
    format!(
        "<div class=\"scroll\"><table><tr><th>episode</th>{head}<th>best is</th><th>ended because</th></tr>\n{rows}</table></div>\n"
    )
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
) -> Result<String, RenderError> {
    let options = PictureOptions { max_width: 360, max_height: 340, ..PictureOptions::default() };
    let mut renderer = Renderer::new(game.clone(), &options)?;
    let mut session = Session::new(game.clone(), scored.plan.seed, scored.plan.conduct(run.header().conduct));
    let (mut steps, mut total, mut reward) = (String::new(), 0.0, None);
    let mut picture = |session: &Session, total: f64, reward: Option<f64>| {
        pictures.draw(&mut renderer, &Frame { total, reward, ..Frame::of(session.environment().state()) })
    };
    for line in trace.lines.iter().filter(|line| matches!(line, Line::Call(_) | Line::Summary(_))).take(MAX_CALLS) {
        let number = picture(&session, total, reward)?;
        let Some(Ok(_)) = recorded_answer(line).map(|answer| session.take_line(answer)) else { break };
        let Line::Call(call) = line else {
            if let Line::Summary(summary) = line {
                steps += &summary_step(summary, number);
            }
            continue;
        };
        (total, reward) = (call.total, call.played.then_some(call.reward));
        steps += &step(call, number);
    }
    let last = picture(&session, total, reward)?;
    let image = |number: Option<usize>| {
        number.map_or(String::new(), |n| format!("<img alt=\"The world\" data-picture=\"{n}\">"))
    };
    let _ = writeln!(
        steps,
        "<div class=\"step\"><p class=\"what\">The end: {}; return {}</p><div class=\"three\"><pre>{}</pre><pre></pre>{}</div></div>",
        escape(&scored.end.stop),
        format_number(scored.end.total),
        escape_block(&session.environment().text()),
        image(last)
    );
    let (id, label) = (escape(&scored.plan.id), escape(&scored.plan.label()));
    let score = scored.score().map_or(String::new(), |score| format!(", score {}", percent(score)));
    let (turns, total) = (scored.end.turns, format_number(scored.end.total));
    Ok(format!(
        "<details class=\"episode\" id=\"{id}\"><summary>{label}: return {total}{score}, {turns} turns</summary>\n<div class=\"steps\">\n{steps}</div></details>\n"
    ))
}

/// A summary, and a picture of the world at that time.
fn summary_step(summary: &SummaryLine, picture: Option<usize>) -> String {
    let picture = picture.map_or(String::new(), |n| format!("<img alt=\"The world\" data-picture=\"{n}\">"));
    format!(
        "<div class=\"step\"><p class=\"what\">Before turn {}: a summary of the turns so far · {} tokens</p>\
         <div class=\"three\"><pre>{}</pre><pre class=\"said\">{}</pre>{picture}</div></div>\n",
        summary.turn,
        summary.tokens.total(),
        escape_block(ASK_FOR_SUMMARY),
        escape_block(&summary.reply),
    )
}

/// A call, and a picture of the world at that time.
fn step(call: &CallLine, picture: Option<usize>) -> String {
    let done = match (call.played, call.actions.as_slice()) {
        (false, _) => "asked again: the reply can't be read".to_owned(),
        (true, []) => "no action".to_owned(),
        (true, actions) => actions.join("; "),
    };
    let rejected: String = call
        .rejected
        .iter()
        .map(|rejected| format!("<p class=\"no\">rejected: {}</p>", escape(&rejected.reason)))
        .collect();
    let picture = picture.map_or(String::new(), |n| format!("<img alt=\"The world\" data-picture=\"{n}\">"));
    let trial = if call.trial > 0 || call.trial_end.is_some() {
        format!("Trial {} · ", call.trial + 1)
    } else {
        String::new()
    };
    let ended = call.trial_end.as_ref();
    let ended = ended.map_or(String::new(), |end| format!(" · the trial ends with {}", format_number(end.total)));
    format!(
        "<div class=\"step\"><p class=\"what\">{trial}Turn {}: {} · reward {} · return {} · {} tokens{ended}</p>{rejected}\
         <div class=\"three\"><pre>{}</pre><pre class=\"said\">{}</pre>{picture}</div></div>\n",
        call.turn,
        escape(&done),
        format_number(call.reward),
        format_number(call.total),
        call.tokens.total(),
        escape_block(&call.text),
        escape_block(&call.reply),
    )
}
