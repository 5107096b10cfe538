//! The events of an episode, for `farm run --explain`.
//!
//! The list contains single events with their step. Lasting events are counted, so a season of limited growth fills one line instead of a
//! hundred.

use std::collections::BTreeMap;
use std::io::Write;

use farm_core::inspect::{event_place, event_words};
use farm_core::{Event, Game, Observer, ObserverError, Transition};
use serde_json::{Value as Json, json};

use crate::output::plural;
use farm_render::counts_days;

/// A lasting event on more plots than this gets a single line, with the number of plots.
const MAX_LINES_ALIKE: usize = 4;

/// The events of one episode.
#[derive(Debug, Default)]
pub(crate) struct EpisodeHistory {
    steps: u64,
    happened: Vec<(u64, Event)>,
    /// The number of steps that reported a lasting event, by event kind, label and plot.
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
    /// Prints the events.
    pub(crate) fn write(&self, out: &mut impl Write, game: &Game, seed: u64) -> std::io::Result<()> {
        writeln!(out, "seed {seed}")?;
        if self.happened.is_empty() && self.lasting.is_empty() {
            let unit = if counts_days(game) { "day" } else { "step" };
            writeln!(out, "  nothing happened in {}", plural(self.steps, unit))?;
        }
        for (step, event) in &self.happened {
            let (source, kind, what) = event_words(game, event);
            writeln!(
                out,
                "  step {step:>4}  {source} {}  {kind}: {what}",
                event_place(game, event.id.index(), event.plot)
            )?;
        }
        // Plots with the same event share a line.
        let mut alike: BTreeMap<(usize, usize), Vec<(u32, u64)>> = BTreeMap::new();
        for ((index, value, plot), steps) in &self.lasting {
            alike.entry((*index, *value)).or_default().push((*plot, *steps));
        }
        for ((index, value), plots) in &alike {
            let Some((part, info)) = game.events().get(*index) else { continue };
            let source = game.parts().get(*part).map_or("", |part| part.path());
            let what = info.label(*value as f64).map_or_else(|| value.to_string(), str::to_owned);
            let mut line =
                |steps: &str, place: &str| writeln!(out, "  {steps:>10}  {source} {place}  {}: {what}", info.name());
            if plots.len() > MAX_LINES_ALIKE {
                let steps = plots.iter().map(|(_, steps)| *steps);
                let (least, most) = (steps.clone().min().unwrap_or_default(), steps.max().unwrap_or_default());
                let range = if least == most { plural(most, "step") } else { format!("{least}–{most} steps") };
                line(&range, &format!("on {} plots", plots.len()))?;
                continue;
            }
            for (plot, steps) in plots {
                line(&plural(*steps, "step"), event_place(game, *index, *plot).as_ref())?;
            }
        }
        Ok(())
    }

    /// The events as JSON.
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
