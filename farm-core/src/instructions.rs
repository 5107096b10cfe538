//! What a person or a language model is told before the first step: what is seen, how actions are written, the goal, and,
//! where the rules are shown, what everything does.
//!
//! Everything that the game declares comes from its declarations. The two texts of its own, `goal` and `rules_text`, take
//! their numbers and words from its parameters by placeholders (see `template`), so that text and game cannot disagree.

mod template;

use std::fmt::Write;

use crate::action::{ActionKind, Allowed, BaseAction, Deed};
use crate::config::{Path, Problem, Problems, kinds};
use crate::declare::{ActionParameter, ActionParameterKind, Labels, ValueKind};
use crate::game::{Game, Stop};
use crate::observation::ObservationEntry;
use crate::rules::Unreadable;

/// Whether instructions tell the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulesText {
    /// Only what is seen, how actions are written, and the goal.
    Hidden,
    /// Also what actions do, what pays, and when the game ends.
    Shown,
}

/// The most values of a parameter, and ways to ask for a variable, that are written out.
const MOST_VALUES: usize = 24;

/// Without a goal of its own, a game has this one.
const GOAL: &str = "Collect as much reward as you can until the episode ends.";

/// Checks that all placeholders of the game's texts have a value.
pub(crate) fn check(game: &Game, problems: &mut Problems) {
    for (key, text) in [("goal", &game.spec.goal), ("rules_text", &game.spec.rules_text)] {
        if let Err(problem) = template::render(text, game) {
            problems.push(Problem { path: Path::default().child(key), ..*problem });
        }
    }
}

impl Game {
    /// What a player is told before the first step, as plain text. With the rules hidden neither the name nor the doc of the
    /// game is in it, which may give the rules away.
    pub fn instructions(&self, rules: RulesText) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write_instructions(&mut text, rules);
        text
    }

    fn write_instructions(&self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        // A game whose texts have no value was not compiled.
        let rendered = |text: &str| template::render(text, self).unwrap_or_default();
        let goal = rendered(&self.spec.goal);
        writeln!(out, "GOAL\n{}", if goal.trim().is_empty() { GOAL } else { goal.trim() })?;
        if let Some(steps) = self.max_steps() {
            writeln!(out, "The episode ends after {steps} {} at the latest.", self.unit_of_time())?;
        }
        writeln!(out, "\nWHAT YOU SEE")?;
        // Question marks in the text stand for the bits that say what was looked at.
        for entry in self.observation.entries.iter().filter(|entry| !self.observation.is_presence(entry)) {
            write_entry(out, entry)?;
        }
        if self.observation.looking.is_some() {
            writeln!(out, "`?` stands for what was not looked at.")?;
        }
        self.write_actions(out, rules)?;
        if rules == RulesText::Hidden {
            return Ok(());
        }
        let own = rendered(&self.spec.rules_text);
        let own = if own.trim().is_empty() { self.spec.doc.trim() } else { own.trim() };
        writeln!(out, "\nRULES\n{own}\n\nPARTS")?;
        for part in self.parts.iter() {
            let doc = kinds().iter().find(|kind| kind.name == part.kind).map_or("", |kind| kind.doc);
            writeln!(out, "  {}: {doc}", part.path)?;
        }
        if !self.events.is_empty() {
            writeln!(out, "\nEVENTS")?;
            let mut told: Vec<(&str, &str)> = Vec::new();
            for (_, event) in &self.events {
                if !told.contains(&(&event.name, &event.doc)) {
                    told.push((&event.name, &event.doc));
                    writeln!(out, "  {}: {}", event.name, event.doc)?;
                }
            }
        }
        writeln!(out, "\nTHE END")?;
        for condition in 0..self.stopping_conditions() {
            writeln!(out, "  The episode ends when {}.", self.stop_reason(Stop::Condition(condition)))?;
        }
        if self.max_steps().is_some() {
            writeln!(out, "  The episode ends {}.", self.stop_reason(Stop::Limit))?;
        }
        Ok(())
    }

    fn unit_of_time(&self) -> &'static str {
        if self.steps_per_day() > 1 || self.observation.looking.is_some() { "days" } else { "steps" }
    }

    fn write_actions(&self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        writeln!(out, "\nHOW TO ACT")?;
        match self.catalogue.max_schedule {
            1 => writeln!(
                out,
                "Answer with one action a step, by its name; upper and lower case and spaces do not matter."
            )?,
            n => writeln!(
                out,
                "Answer with up to {n} actions a step, each on a line of its own or separated by semicolons; upper and lower case \
                 and spaces do not matter."
            )?,
        }
        if self.observation.looking.is_some() {
            writeln!(out, "Steps take turns: in the first you look at something, in the next you act.")?;
        }
        if self.catalogue.waiting().is_empty() {
            writeln!(out, "`wait` does nothing.")?;
        }
        writeln!(
            out,
            "{}",
            match self.unreadable() {
                Unreadable::Reject => "What can't be read is refused with a reason, and no time passes.",
                Unreadable::Wait => "What can't be read counts as waiting.",
            }
        )?;
        self.write_requests(out, rules)?;
        // What several farmers may do is written once.
        let mut written: Vec<(usize, &str, &[Allowed])> = Vec::new();
        for base in self.catalogue.bases.iter().filter(|base| base.kind() == ActionKind::Intervention) {
            let Some(action) = base.info(&self.parts) else { continue };
            let same = (base.part, action.name.as_str(), base.parameters.as_slice());
            if written.contains(&same) {
                continue;
            }
            written.push(same);
            let names: Vec<&str> = action.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let arguments = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            write!(out, "  {}{arguments}", self.catalogue.short_name(base))?;
            if rules == RulesText::Shown {
                write!(out, ": {}", action.doc)?;
                if base.cost != 0.0 {
                    write!(out, " It costs {}.", base.cost)?;
                }
            }
            writeln!(out)?;
            for (parameter, allowed) in action.parameters.iter().zip(&base.parameters) {
                let values = self.values_text(base, parameter, allowed);
                match rules {
                    RulesText::Hidden => writeln!(out, "    {}: {values}", parameter.name)?,
                    RulesText::Shown => writeln!(out, "    {}: {values}. {}", parameter.name, parameter.doc)?,
                }
            }
        }
        let with_parameters =
            self.catalogue.calls.iter().find(|call| !self.catalogue.bases[call.base()].parameters.is_empty());
        if let Some(call) = with_parameters {
            writeln!(
                out,
                "A parameter with a single value may be left out. For example: {}",
                self.catalogue.write(call)
            )?;
        }
        Ok(())
    }

    /// What can be asked for, where looking costs.
    fn write_requests(&self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        let asked = |base: &&BaseAction| matches!(base.deed, Deed::Observation(_));
        let mut last = (usize::MAX, "", 0);
        for base in self.catalogue.bases.iter().filter(asked) {
            let Deed::Observation(request) = &base.deed else { continue };
            let several = if (last.0, last.1) == (base.part, request.name.as_str()) { last.2 + 1 } else { 0 };
            last = (base.part, &request.name, several);
            if several == MOST_VALUES {
                writeln!(out, "  … and so on for the other plots")?;
            }
            if several >= MOST_VALUES {
                continue;
            }
            write!(out, "  observe {}.{}", self.parts[base.part].path, request.text())?;
            match rules {
                RulesText::Shown if base.cost != 0.0 => writeln!(out, " (costs {})", base.cost)?,
                _ => writeln!(out)?,
            }
        }
        Ok(())
    }

    fn values_text(&self, base: &BaseAction, parameter: &ActionParameter, allowed: &Allowed) -> String {
        let field = self.parts[base.part].field.map(|field| &self.fields[field]);
        let values = match allowed {
            Allowed::Range { low, high } => return format!("a number from {low} to {high}"),
            Allowed::Values(values) => values,
        };
        let (length, width) = field.map_or((1, 1), |field| (field.length, field.width));
        let word = |value: &f64| match &parameter.kind {
            ActionParameterKind::Plot => format!("({}, {})", *value as usize / width, *value as usize % width),
            ActionParameterKind::Real { .. } => value.to_string(),
            ActionParameterKind::Choice(words) => words.get(*value as usize).cloned().unwrap_or_default(),
        };
        if matches!(parameter.kind, ActionParameterKind::Plot) && values.len() == length * width && values.len() > 4 {
            return format!("(x, y) with x from 0 to {} and y from 0 to {}", length - 1, width - 1);
        }
        let mut words: Vec<String> = values.iter().take(MOST_VALUES).map(word).collect();
        if values.len() > MOST_VALUES {
            words.push(format!("… ({} in all)", values.len()));
        }
        words.join(", ")
    }
}

/// A line on an array of the observation, and the words that stand for its categories.
fn write_entry(out: &mut String, entry: &ObservationEntry) -> std::fmt::Result {
    write!(out, "  {}: {}", entry.key, entry.doc)?;
    if let ValueKind::Category(lists) = &entry.kind {
        let words: Vec<String> = lists
            .iter()
            .map(|labels| match labels {
                Labels::Named(words) => words.join(", "),
                Labels::Numbered(n) => format!("0 to {}", n.saturating_sub(1)),
            })
            .collect();
        let repeated = words.windows(2).all(|pair| pair[0] == pair[1]);
        let shown = if repeated { &words[..1.min(words.len())] } else { &words[..] };
        write!(out, " Its values: {}.", shown.join("; then, after a `/`: "))?;
    }
    if entry.is_centred() {
        write!(out, " The tile in the middle, in brackets, is your own.")?;
    }
    writeln!(out)
}
