//! What happened in an episode, in words: `farm run --explain`.
//!
//! Events that happened once are listed with their step; those that tell of a lasting state are counted, so that a season
//! of hindered growth is one line and not a hundred.

use std::collections::BTreeMap;
use std::io::Write;

use farm_core::inspect::{event_place, event_words};
use farm_core::{Event, Game, Observer, ObserverError, Transition};
use serde_json::{Value as Json, json};

/// The story of one episode.
#[derive(Debug, Default)]
pub(crate) struct EpisodeHistory {
    steps: u64,
    happened: Vec<(u64, Event)>,
    /// Steps that a lasting event was told of: by event kind, label and plot.
    lasting: BTreeMap<(usize, usize, u32), u64>,
}

impl Observer for EpisodeHistory {
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        self.steps += 1;
        for event in transition.record.events() {
            let index = event.id.index();
            if transition.game.events().get(index).is_some_and(|(_, info)| info.lasting()) {
                *self.lasting.entry((index, event.value as usize, event.plot)).or_default() += 1;
            } else {
                self.happened.push((self.steps, *event));
            }
        }
        Ok(())
    }
}

impl EpisodeHistory {
    /// Prints it.
    pub(crate) fn write(&self, out: &mut impl Write, game: &Game, seed: u64) -> std::io::Result<()> {
        writeln!(out, "seed {seed}")?;
        for (step, event) in &self.happened {
            let (source, kind, what) = event_words(game, event);
            writeln!(
                out,
                "  step {step:>4}  {source} {}  {kind}: {what}",
                event_place(game, event.id.index(), event.plot)
            )?;
        }
        for ((index, value, plot), steps) in &self.lasting {
            let Some((part, info)) = game.events().get(*index) else { continue };
            let source = game.parts().get(*part).map_or("", |part| part.path());
            let what = info.label(*value as f64).map_or_else(|| value.to_string(), str::to_owned);
            writeln!(
                out,
                "  {steps:>4} steps  {source} {}  {}: {what}",
                event_place(game, *index, *plot),
                info.name()
            )?;
        }
        Ok(())
    }

    /// The same as JSON.
    pub(crate) fn json(&self, game: &Game, seed: u64) -> Json {
        let happened = self.happened.iter().map(|(step, event)| {
            let (source, kind, what) = event_words(game, event);
            json!({"step": step, "source": source, "plot": event.plot, "kind": kind, "what": what})
        });
        let lasting = self.lasting.iter().filter_map(|((index, value, plot), steps)| {
            let (part, info) = game.events().get(*index)?;
            let what = info.label(*value as f64).map_or_else(|| value.to_string(), str::to_owned);
            let source = game.parts().get(*part)?.path();
            Some(json!({"steps": steps, "source": source, "plot": plot, "kind": info.name(), "what": what}))
        });
        json!({"seed": seed, "happened": happened.collect::<Vec<_>>(), "lasting": lasting.collect::<Vec<_>>()})
    }
}
