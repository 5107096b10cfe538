//! What a person or a language model is told before the first step: what is seen, how actions are written, the goal, and,
//! where the rules are shown, what everything does.
//!
//! Everything that the game declares comes from its declarations. The two texts of its own, `goal` and `rules_text`, take
//! their numbers and words from its parameters (see `game/template/`), so that text and game cannot disagree.

mod actions;
mod initial;

use std::fmt::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::declare::Labels;
use crate::game::{Game, template};
use crate::observation::ObservationEntry;
use crate::registry::kinds;

/// Whether instructions tell the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesText {
    /// Only what is seen, how actions are written, and the goal.
    Hidden,
    /// Also what actions do, what pays, and when the game ends.
    Shown,
}

impl RulesText {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Hidden, Self::Shown];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Shown => "shown",
        }
    }
}

/// How observations are written for a player who reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum TextForm {
    /// Every value with its full name and all digits, as [`crate::Environment::text`] has it: it reads back to the record.
    #[default]
    Full,
    /// Short names, three significant digits, and of what stayed as it was nothing.
    Compact,
    /// A row of all values in the order of the instructions, with three significant digits.
    Rows,
}

impl TextForm {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Full, Self::Compact, Self::Rows];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::Rows => "rows",
        }
    }
}

/// Without a goal of its own, a game has this one.
const GOAL: &str = "Collect as much reward as you can until the episode ends.";

impl Game {
    /// The instructions of a player before the first step, as plain text. With the rules hidden neither the name nor the doc of the
    /// game is in it, which may give the rules away. Of a level nothing is told that the game does not tell of every world.
    pub fn instructions(&self, rules: RulesText) -> String {
        self.instructions_in(rules, TextForm::Full)
    }

    /// The instructions of a player whose observations are written in this form.
    pub fn instructions_in(&self, rules: RulesText, form: TextForm) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write_instructions(&mut text, rules, form);
        text
    }

    /// The goal that the game states, and how long an episode lasts at most.
    pub fn goal(&self) -> String {
        // A text that does not fit the game is as good as none: what it says might be wrong.
        let own = template::render(&self.spec.goal, self).ok().filter(|text| !text.is_empty());
        let mut goal = own.unwrap_or_else(|| GOAL.to_owned());
        if let Some(steps) = self.max_steps() {
            goal += &format!("\nThe episode ends after {steps} {} at the latest.", self.unit_of_time());
        }
        goal
    }

    /// What the instructions say of the game, without a word of what a player may do or how it answers: for whoever tells these apart.
    pub fn task_in(&self, rules: RulesText, form: TextForm) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write_task(&mut text, form).and_then(|()| self.write_rules(&mut text, rules));
        text
    }

    fn write_instructions(&self, out: &mut String, rules: RulesText, form: TextForm) -> std::fmt::Result {
        self.write_task(out, form)?;
        self.write_actions(out, rules)?;
        self.write_rules(out, rules)
    }

    /// Tells of the world what another game tells: on a level, the game without it, so that nothing is told of the level. Where the level has another
    /// size, it tells nothing.
    pub fn tell_world_of(&mut self, drawn: &Self) {
        let sizes = |game: &Self| game.fields.iter().map(|field| (field.length(), field.width())).collect::<Vec<_>>();
        let is_alike = sizes(self) == sizes(drawn);
        for part in Arc::make_mut(&mut self.parts) {
            let known =
                drawn.parts.iter().find(|other| is_alike && (&other.name, other.field) == (&part.name, part.field));
            part.world_text = known.map(|other| other.world_text.clone()).unwrap_or_default();
        }
    }

    fn write_task(&self, out: &mut String, form: TextForm) -> std::fmt::Result {
        writeln!(out, "GOAL\n{}", self.goal())?;
        self.write_observation(out, form)
    }

    fn write_rules(&self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        if rules == RulesText::Hidden {
            return Ok(());
        }
        match template::render(&self.spec.rules_text, self).ok().filter(|text| !text.is_empty()) {
            Some(text) => writeln!(out, "\nRULES\n{text}")?,
            None => self.write_parts(out)?,
        }
        self.write_world(out)?;
        for (i, clause) in self.stopping().0.iter().enumerate() {
            let start = if i == 0 { "\nTHE END\n" } else { "" };
            writeln!(out, "{start}The episode ends early when {}.", self.clause_text(clause))?;
        }
        Ok(())
    }

    fn write_world(&self, out: &mut String) -> std::fmt::Result {
        let told = self.parts.iter().flat_map(|part| part.world_text.iter().cloned());
        for (i, sentence) in told.chain(self.initial_conditions_in_words()).enumerate() {
            writeln!(out, "{}{sentence}", if i == 0 { "\nTHE WORLD\n" } else { "" })?;
        }
        Ok(())
    }

    /// What the rule sets when an episode begins, a sentence for each variable.
    pub fn initial_conditions_in_words(&self) -> Vec<String> {
        initial::in_words(&self.spec)
    }

    fn write_observation(&self, out: &mut String, form: TextForm) -> std::fmt::Result {
        writeln!(out, "\nWHAT YOU SEE")?;
        match form {
            TextForm::Full => {}
            TextForm::Compact => writeln!(
                out,
                "Each text says what has changed since the one before, numbers with three significant digits. What it does not name is as \
                 it was; the first text of an episode names all."
            )?,
            TextForm::Rows => writeln!(
                out,
                "Each text begins with a row of these values in this order, separated by commas, numbers with three significant digits."
            )?,
        }
        let short_names = if form == TextForm::Full { Vec::new() } else { self.short_names() };
        // Question marks in the text stand for the bits that say what was looked at.
        let mut is_first = true;
        let entries = self.observation.entries.iter().enumerate();
        for (e, entry) in entries.filter(|(_, entry)| !self.observation.is_observed_mask(entry)) {
            let name = match (short_names.get(e), entry.key.split_once('#')) {
                (None, _) => entry.key.clone(),
                (Some(short), Some((_, unit))) => format!("{short} [{unit}]"),
                (Some(short), None) => short.clone(),
            };
            // How windows are read is told once.
            self.write_entry(out, &name, entry, entry.is_centred() && is_first)?;
            is_first &= !entry.is_centred();
        }
        if self.observation.entries.iter().any(|entry| entry.is_per_plot() && entry.len() > 1) {
            let lines = if form == TextForm::Full { "in a line for each y from 0 on" } else { "for each y from 0 on" };
            let ends = if form == TextForm::Compact { "; ` / ` ends what stands for one y" } else { "" };
            writeln!(out, "Values of plots stand {lines}, in it one for each x from 0 on{ends}.")?;
        }
        if self.observation.active_observation.is_some() {
            writeln!(out, "`?` stands for what was not looked at.")?;
        }
        writeln!(
            out,
            "After a step you are also told its reward, what could not be done and why, and when the episode is over."
        )
    }

    /// What the declarations of a game say that has no text of its own.
    fn write_parts(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "\nRULES")?;
        if !self.spec.doc.trim().is_empty() {
            writeln!(out, "{}", self.spec.doc.trim())?;
        }
        writeln!(out, "The parts of the game:")?;
        for part in self.parts.iter() {
            let doc = kinds().iter().find(|kind| kind.name == part.kind).map_or("", |kind| kind.doc);
            writeln!(out, "  {}: {doc}", part.path)?;
        }
        let mut told: Vec<(&str, &str)> = self.events.iter().map(|(_, event)| (&*event.name, &*event.doc)).collect();
        told.sort_unstable();
        told.dedup();
        if !told.is_empty() {
            writeln!(out, "What can happen:")?;
        }
        told.iter().try_for_each(|(name, doc)| writeln!(out, "  {name}: {doc}"))
    }

    /// A line on an array of the observation, how a window is read, and the words that stand for its categories.
    fn write_entry(
        &self,
        out: &mut String,
        name: &str,
        entry: &ObservationEntry,
        is_first_window: bool,
    ) -> std::fmt::Result {
        write!(out, "  {name}: {}", entry.doc)?;
        if is_first_window {
            write!(
                out,
                " Lines run from north to south, the tiles of a line from west to east; the tile in the middle, in brackets, is \
                 the farmer's own."
            )?;
        }
        if let Some(lists) = entry.kind.lists() {
            let words: Vec<String> = lists.iter().map(labels_text).collect();
            let is_same = words.windows(2).all(|pair| pair[0] == pair[1]);
            match (lists, entry.per_word()) {
                ([first, rest @ ..], 2..) => {
                    write!(out, " Its values: {}", labels_text(first))?;
                    for labels in rest {
                        let (blank, others) = match labels {
                            Labels::Named(names) if names.len() > 1 => (names[0].clone(), names[1..].join(", ")),
                            labels => (labels.name(0), labels_text(labels)),
                        };
                        write!(out, "; followed, unless it is {blank}, by `/` and one of {others}")?;
                    }
                    write!(out, ".")?;
                }
                _ => write!(
                    out,
                    " Its values: {}.",
                    words[..if is_same { 1.min(words.len()) } else { words.len() }].join("; ")
                )?,
            }
        }
        writeln!(out)
    }
}

impl Game {
    /// What the arrays of an observation are called in short texts: the names of the variables without units, with the name of the part or of
    /// the field where two would be the same, and with both where that is not enough.
    pub fn short_names(&self) -> Vec<String> {
        let without_unit = |key: &str| key.split_once('#').map_or(key, |(name, _)| name).to_owned();
        let names = self.observation.entries.iter().map(|entry| {
            let full = without_unit(&entry.key);
            let path = entry.reference().map_or("", |reference| self.parts[reference.part].path.as_str());
            let own = full.strip_prefix(path).and_then(|rest| rest.strip_prefix('.')).unwrap_or(&full).to_owned();
            match path.rsplit_once('.').filter(|_| own != full) {
                Some((field, part)) => [own.clone(), format!("{part}.{own}"), format!("{field}.{own}"), full],
                None => [own, full.clone(), full.clone(), full],
            }
        });
        let names: Vec<[String; 4]> = names.collect();
        let is_clear = |of: usize, name: &String| names.iter().filter(|names| names[of] == *name).count() == 1;
        let shortest = |names: &[String; 4]| (0..3).find(|of| is_clear(*of, &names[*of])).unwrap_or(3);
        names.iter().map(|names| names[shortest(names)].clone()).collect()
    }
}

/// How the values of a category are told: all words, or a range of numbers.
fn labels_text(labels: &Labels) -> String {
    let words = match labels {
        Labels::Numbered(n) => return format!("0 to {}", n.saturating_sub(1)),
        Labels::Named(words) => words,
    };
    let numbers: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some([first, second, .., last]) if words.len() > 4 => {
            let step = second - first;
            let is_even = |(i, word): (usize, &String)| *word == (first + i as f64 * step).to_string();
            if words.iter().enumerate().all(is_even) {
                return format!("{first} to {last} in steps of {step}");
            }
        }
        _ => {}
    }
    words.join(", ")
}
