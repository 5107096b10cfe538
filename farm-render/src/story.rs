//! The story of an episode in lines: actions, rejections, and what happened, with reasons.
//!
//! Whoever sees everything is told of events. Events that tell of a lasting state are one line with a count of steps, and what somebody suffered from before it died is told
//! with its death. Days on which nothing was done are one line, which says what they changed.

use std::collections::BTreeMap;

use farm_core::inspect::{event_place, event_words, format_number};
use farm_core::{Environment, Event, Game, State};

use crate::View;
use crate::passing::{Reading, passed};
use crate::text_renderer::{Change, TextRenderer};

/// Something that the player is told of a step.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Told {
    /// An action that was executed.
    Did(String),
    /// An action that was not, and why.
    Rejected(String, &'static str),
    /// Something happened.
    Happened(Event),
    /// What the player sees has changed.
    Changed(String),
    /// Nothing was done, and time has passed: what can be read off before and after.
    Passed(Vec<Reading>),
}

/// What kind of line it is, which decides its colour and sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// What the player did.
    Did,
    /// What was refused.
    Rejected,
    /// What happened once.
    Happened,
    /// What lasts.
    Lasting,
    /// Days on which nothing was done.
    Passed,
    /// What was earned.
    Earned,
    /// What was lost: a negative reward.
    Lost,
    /// The end of the episode.
    End,
}

impl Told {
    /// Whether it is news: not what the player did, and no state that lasts.
    pub fn is_news(&self, game: &Game) -> bool {
        match self {
            Self::Happened(event) => !is_lasting(game, event),
            Self::Changed(_) | Self::Rejected(..) => true,
            Self::Did(_) | Self::Passed(_) => false,
        }
    }
}

impl LineKind {
    /// The sign before the line, so that colour is not the only one.
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

/// A line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryLine {
    /// After how many steps.
    pub step: usize,
    /// What kind of line it is.
    pub kind: LineKind,
    /// What it says.
    pub text: String,
}

/// A step, as the story needs it.
#[derive(Debug, Clone, Copy)]
pub struct StoryStep<'a> {
    /// What the player was told of it; see [`tell`].
    pub told: &'a [Told],
    /// Its reward, where a step was taken.
    pub reward: Option<f64>,
    /// The sum of all rewards up to it.
    pub total: f64,
    /// Why the episode ended with it, if it did.
    pub end: Option<&'a str>,
}

/// What the player is told of the step that an environment has just taken: events where he sees everything; otherwise what has changed
/// in what he sees, because events have reasons and numbers that no observation shows.
pub fn tell(text_renderer: &TextRenderer, before: &State, environment: &Environment) -> Vec<Told> {
    let (game, record) = (environment.game(), environment.record());
    let did = record.executed().iter().map(|call| Told::Did(game.catalogue().write(call)));
    let rejected = record.rejected().iter().map(|r| Told::Rejected(game.catalogue().write(&r.call()), r.reason()));
    let is_idle = record.executed().is_empty() && record.rejected().is_empty();
    let has_passed = is_idle && environment.state().step() > before.step();
    let time = has_passed.then(|| Told::Passed(text_renderer.readings(before, environment.state())));
    let told = did.chain(rejected).chain(time);
    match text_renderer.view() {
        View::Everything => told.chain(record.events().iter().map(|event| Told::Happened(*event))).collect(),
        View::Learner => {
            let changes = text_renderer.changes(before, environment.state());
            told.chain(changes.into_iter().map(|change| Told::Changed(changed(game, &change)))).collect()
        }
    }
}

/// A change of what is seen, in words.
fn changed(game: &Game, Change { part, variable, plot: (x, y), words: [from, to] }: &Change) -> String {
    let part = match part.split_once('.') {
        Some((_, part)) if game.fields().len() == 1 => part,
        _ => part,
    };
    let variable = variable.split('#').next().unwrap_or(variable).replace('_', " ");
    format!("{part} ({x}, {y}) {variable}: {from} → {to}")
}

/// Time in which nothing is done: its line, its steps, and what they changed.
#[derive(Clone)]
struct Idle {
    line: usize,
    steps: usize,
    readings: Vec<Reading>,
}

/// A state that lasts: since which line it is told, for how many moves, and the last of them.
struct Spell {
    line: usize,
    moves: usize,
    last: usize,
}

/// The story of the steps from the start of an episode on.
pub fn story<'a>(game: &Game, steps: impl IntoIterator<Item = StoryStep<'a>>) -> Vec<StoryLine> {
    let mut lines: Vec<StoryLine> = Vec::new();
    let mut spells: BTreeMap<(usize, u64, u32), Spell> = BTreeMap::new();
    let mut idle: Option<Idle> = None;
    for (i, taken) in steps.into_iter().enumerate() {
        let step = i + 1;
        // Time that passes is one line until a line of another kind stands below it.
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
                    let text = passed(own.steps, game.steps_per_day() == 1, &own.readings);
                    match lines.get_mut(own.line) {
                        Some(line) => *line = StoryLine { step, text, ..line.clone() },
                        None => lines.push(StoryLine { step, kind: LineKind::Passed, text }),
                    }
                    idle = Some(own);
                    continue;
                }
                Told::Did(action) => (LineKind::Did, action.clone()),
                Told::Changed(text) => (LineKind::Happened, text.clone()),
                Told::Rejected(action, reason) => (LineKind::Rejected, format!("{action}: {reason}")),
                Told::Happened(event) if is_lasting(game, event) => {
                    let key = (event.id.index(), event.value.to_bits(), event.plot);
                    match spells.get_mut(&key).filter(|spell| spell.last + 1 >= step) {
                        Some(spell) => {
                            spell.moves += usize::from(spell.last < step);
                            spell.last = step;
                            if let Some(line) = lines.get_mut(spell.line) {
                                line.text = lasting(game, event, spell.moves);
                            }
                        }
                        None => {
                            spells.insert(key, Spell { line: lines.len(), moves: 1, last: step });
                            lines.push(StoryLine { step, kind: LineKind::Lasting, text: lasting(game, event, 1) });
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
                        let kind = game.events().get(key.0).map_or("", |(_, info)| info.name());
                        let what = label(game, key.0, f64::from_bits(key.1));
                        format!("{}: {what}, {}", kind.replace('_', " "), moves(spell.moves))
                    });
                    let before = before.collect::<Vec<_>>().join("; ");
                    let text = sentence(game, event);
                    (LineKind::Happened, if before.is_empty() { text } else { format!("{text} (before: {before})") })
                }
            };
            lines.push(StoryLine { step, kind, text });
        }
        if let Some(reward) = taken.reward.filter(|reward| reward.abs() > 1e-12) {
            let text = format!("{}{} reward", if reward > 0.0 { "+" } else { "" }, format_number(reward));
            let kind = if reward > 0.0 { LineKind::Earned } else { LineKind::Lost };
            lines.push(StoryLine { step, kind, text });
        }
        if let Some(end) = taken.end {
            let text = format!("the end: {end}; return {}", format_number(taken.total));
            lines.push(StoryLine { step, kind: LineKind::End, text });
        }
    }
    lines
}

fn is_lasting(game: &Game, event: &Event) -> bool {
    game.events().get(event.id.index()).is_some_and(|(_, info)| info.lasting())
}

fn label(game: &Game, event: usize, value: f64) -> String {
    let label = game.events().get(event).and_then(|(_, info)| info.label(value));
    label.map_or_else(|| format_number(value), str::to_owned)
}

fn lasting(game: &Game, event: &Event, count: usize) -> String {
    format!("{}, {}", sentence(game, event), moves(count))
}

/// Who told of an event, where it happened, and what; without the field where there is one alone.
fn sentence(game: &Game, event: &Event) -> String {
    let (source, kind, what) = event_words(game, event);
    let place = event_place(game, event.id.index(), event.plot);
    let source = match source.split_once('.') {
        Some((_, part)) if game.fields().len() == 1 => part,
        _ => source,
    };
    format!("{source} {place} {}: {what}", kind.replace('_', " "))
}

fn moves(count: usize) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{count} steps") }
}
