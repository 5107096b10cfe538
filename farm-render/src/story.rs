//! An episode's story in lines: actions, rejections and events, with reasons.
//!
//! Only the full view has events. A lasting state is one line with its number of steps. The line for a death also names the lasting states
//! before it. Days without an action are one line with the changes on these days.

use std::collections::BTreeMap;

use farm_core::inspect::{event_place, event_words, format_number};
use farm_core::labels::Labels;
use farm_core::{Environment, Event, Game, State};

use crate::View;
use crate::passing::{Reading, passed};
use crate::text_renderer::{Change, TextRenderer};

/// A message for the player about a step.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Told {
    /// An action that was executed.
    Did(String),
    /// An action that was rejected, with the reason.
    Rejected(String, &'static str),
    /// An event.
    Happened(Event),
    /// A change in the player's view.
    Changed(String),
    /// A period without an action, with the values before and after it.
    Passed(Vec<Reading>),
}

/// The kind of line, which determines the line's colour and sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// An executed action.
    Did,
    /// A rejected action.
    Rejected,
    /// An event at one step.
    Happened,
    /// A lasting state.
    Lasting,
    /// Days without an action.
    Passed,
    /// A positive reward.
    Earned,
    /// A negative reward.
    Lost,
    /// The end of the episode.
    End,
}

impl Told {
    /// Whether the message is news. Executed actions, waits and lasting states are not news.
    pub fn is_news(&self, game: &Game) -> bool {
        match self {
            Self::Happened(event) => !is_lasting(game, event),
            Self::Changed(_) | Self::Rejected(..) => true,
            Self::Did(_) | Self::Passed(_) => false,
        }
    }
}

impl LineKind {
    /// The sign before the line. It helps readers who do not see the line's colour.
    pub fn sign(self) -> char {
        match self {
            Self::Did => '>',
            Self::Rejected => 'x',
            Self::Happened => '*',
            Self::Lasting => '~',
            Self::Passed => '.',
            Self::Earned | Self::Lost => '=',
            Self::End => '!',
        }
    }
}

/// A line in the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryLine {
    /// Number of steps before it.
    pub step: usize,
    /// Its kind.
    pub kind: LineKind,
    /// Its text.
    pub text: String,
}

/// The information about a step that the story needs.
#[derive(Debug, Clone, Copy)]
pub struct StoryStep<'a> {
    /// The messages for the player; see [`tell`].
    pub told: &'a [Told],
    /// Its reward, if a step was taken.
    pub reward: Option<f64>,
    /// The sum of all rewards up to this step.
    pub total: f64,
    /// The reason why the episode ended with this step; none if it did not.
    pub end: Option<&'a str>,
}

/// The messages for the player about an environment's last step. The full view shows the events. The learner's view shows only visible
/// changes, because events contain reasons and numbers that no observation shows.
pub fn tell(text_renderer: &TextRenderer, before: &State, environment: &Environment) -> Vec<Told> {
    let (game, record) = (environment.game(), environment.record());
    let labels = text_renderer.labels();
    let did = record.executed().iter().map(|call| Told::Did(labels.call(game, call)));
    let rejected = record.rejected().iter().map(|r| Told::Rejected(labels.call(game, &r.call()), r.reason()));
    let is_idle = record.executed().is_empty() && record.rejected().is_empty();
    let has_passed = is_idle && environment.state().step() > before.step();
    let time = has_passed.then(|| Told::Passed(text_renderer.readings(before, environment.state())));
    let told = did.chain(rejected).chain(time);
    match text_renderer.view() {
        View::Everything => told.chain(record.events().iter().map(|event| Told::Happened(*event))).collect(),
        View::Learner => {
            let changes = text_renderer.changes(before, environment.state());
            told.chain(changes.into_iter().map(|change| Told::Changed(changed(game, labels, &change)))).collect()
        }
    }
}

/// A visible change in words.
fn changed(
    game: &Game,
    labels: &Labels,
    Change { part, variable, plot: (x, y), words: [from, to] }: &Change,
) -> String {
    let Some(part) = game.parts().iter().find(|own| own.path() == part) else { return String::new() };
    let label = labels.variable(part.kind(), variable).text.to_lowercase();
    let [from, to] = [from, to].map(|value| labels.value(variable, value));
    format!("{} ({x}, {y}) {label}: {from} → {to}", labels.part(game, part))
}

/// Time without actions: its line, its steps and their changes.
#[derive(Clone)]
struct Idle {
    line: usize,
    steps: usize,
    readings: Vec<Reading>,
}

/// A lasting state: its line, its number of steps and its last step.
struct Spell {
    line: usize,
    moves: usize,
    last: usize,
}

/// The story of an episode's steps, from the start of the episode onwards.
pub fn story<'a>(game: &Game, labels: &Labels, steps: impl IntoIterator<Item = StoryStep<'a>>) -> Vec<StoryLine> {
    let mut lines: Vec<StoryLine> = Vec::new();
    let mut spells: BTreeMap<(usize, u64, u32), Spell> = BTreeMap::new();
    let mut idle: Option<Idle> = None;
    for (i, taken) in steps.into_iter().enumerate() {
        let step = i + 1;
        // Passing time is one line until a line of another kind follows it.
        let open = idle.take().filter(|idle| idle.line + 1 == lines.len());
        for told in taken.told {
            let (kind, text) = match told {
                Told::Passed(readings) => {
                    let mut own = match open.as_ref() {
                        Some(open) => open.clone(),
                        None => Idle { line: lines.len(), steps: 0, readings: Vec::new() },
                    };
                    own.steps += 1;
                    Reading::add(&mut own.readings, readings);
                    let text = passed(labels, own.steps, game.rules().steps_per_day == 1, &own.readings);
                    match lines.get_mut(own.line) {
                        Some(line) => *line = StoryLine { step, text, ..line.clone() },
                        None => lines.push(StoryLine { step, kind: LineKind::Passed, text }),
                    }
                    idle = Some(own);
                    continue;
                }
                Told::Did(action) => (LineKind::Did, action.clone()),
                Told::Changed(text) => (LineKind::Happened, text.clone()),
                Told::Rejected(action, reason) => (LineKind::Rejected, format!("{action}: {}", labels.words(reason))),
                Told::Happened(event) if is_lasting(game, event) => {
                    let key = (event.id.index(), event.value.to_bits(), event.plot);
                    match spells.get_mut(&key).filter(|spell| spell.last + 1 >= step) {
                        Some(spell) => {
                            spell.moves += usize::from(spell.last < step);
                            spell.last = step;
                            if let Some(line) = lines.get_mut(spell.line) {
                                line.text = lasting(game, labels, event, spell.moves);
                            }
                        }
                        None => {
                            spells.insert(key, Spell { line: lines.len(), moves: 1, last: step });
                            lines.push(StoryLine {
                                step,
                                kind: LineKind::Lasting,
                                text: lasting(game, labels, event, 1),
                            });
                        }
                    }
                    continue;
                }
                Told::Happened(event) => {
                    let own = |key: &(usize, u64, u32)| {
                        let part = |event: usize| game.events().get(event).map(|(part, _)| *part);
                        part(key.0) == part(event.id.index()) && key.2 == event.plot
                    };
                    let suffered = spells.iter().filter(|(key, spell)| own(key) && spell.last + 1 >= step);
                    let before = suffered.map(|(key, spell)| {
                        let (part, kind) =
                            game.events().get(key.0).map_or((0, ""), |(part, info)| (*part, info.name()));
                        let part = game.parts().get(part).map_or("", |part| part.kind());
                        let what = label(game, labels, key.0, f64::from_bits(key.1));
                        let kind = labels.variable(part, kind).text.to_lowercase();
                        format!("{kind}: {what}, {}", moves(labels, spell.moves))
                    });
                    let before = before.collect::<Vec<_>>().join("; ");
                    let text = sentence(game, labels, event);
                    (
                        LineKind::Happened,
                        if before.is_empty() { text } else { format!("{text} ({}: {before})", labels.words("before")) },
                    )
                }
            };
            lines.push(StoryLine { step, kind, text });
        }
        if let Some(reward) = taken.reward.filter(|reward| reward.abs() > 1e-12) {
            let sign = if reward > 0.0 { "+" } else { "" };
            let text = format!("{sign}{} {}", format_number(reward), labels.words("reward"));
            let kind = if reward > 0.0 { LineKind::Earned } else { LineKind::Lost };
            lines.push(StoryLine { step, kind, text });
        }
        if let Some(end) = taken.end {
            let (the_end, total) = (labels.words("the end"), labels.words("return"));
            let end = labels.stop_reason(end);
            let text = format!("{the_end}: {end}; {total} {}", format_number(taken.total));
            lines.push(StoryLine { step, kind: LineKind::End, text });
        }
    }
    lines
}

fn is_lasting(game: &Game, event: &Event) -> bool {
    game.events().get(event.id.index()).is_some_and(|(_, info)| info.lasting())
}

fn label(game: &Game, labels: &Labels, event: usize, value: f64) -> String {
    let Some((_, info)) = game.events().get(event) else { return String::new() };
    info.label(value).map_or_else(|| format_number(value), |label| labels.value(info.name(), label).into_owned())
}

fn lasting(game: &Game, labels: &Labels, event: &Event, count: usize) -> String {
    format!("{}, {}", sentence(game, labels, event), moves(labels, count))
}

/// An event's part, place and content, with the field if there are several fields.
fn sentence(game: &Game, labels: &Labels, event: &Event) -> String {
    let Some((part, info)) = game.events().get(event.id.index()) else { return String::new() };
    let Some(part) = game.parts().get(*part) else { return String::new() };
    let (_, _, what) = event_words(game, event);
    let place = event_place(game, event.id.index(), event.plot);
    let kind = labels.variable(part.kind(), info.name()).text.to_lowercase();
    format!("{} {place} {kind}: {}", labels.part(game, part), labels.value(info.name(), &what))
}

fn moves(labels: &Labels, count: usize) -> String {
    let word = labels.words(if count == 1 { "step" } else { "steps" });
    format!("{count} {word}")
}
