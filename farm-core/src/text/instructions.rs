//! The instructions that a player reads before the first step.

use std::fmt::Write;

use super::{RulesText, TextChannel, TextForm, initial};
use crate::declare::Labels;
use crate::game::template;
use crate::observation::ObservationEntry;
use crate::registry::kinds;

/// The goal of a game that does not set one.
pub(crate) const GOAL: &str = "Collect as much reward as you can in the episode.";

impl TextChannel<'_> {
    /// The instructions for a player before the first step, as plain text. If the rules are hidden, the game's name and doc are left out,
    /// because they could reveal the rules. For a level, the instructions describe only what is true for every map in the game.
    pub fn instructions(self, rules: RulesText) -> String {
        self.instructions_in(rules, TextForm::Full)
    }

    /// The instructions for a player who receives observations in this form.
    pub fn instructions_in(self, rules: RulesText, form: TextForm) -> String {
        let mut text = self.task(rules, form);
        // Writing to a string never fails.
        let _ = self.write_actions(&mut text, rules);
        text
    }

    /// The game's goal and the maximum length of an episode; one item per line.
    pub fn goal(self) -> String {
        let mut goal = self.filled_in(&self.game.spec.goal).unwrap_or_else(|| items(GOAL));
        if let Some(steps) = self.game.rules.max_steps {
            let most = if self.game.rules.stopping.0.is_empty() { "" } else { "at most " };
            goal.push(format!("The episode lasts {most}{steps} {}.", self.unit_of_time()));
        }
        goal.join("\n")
    }

    /// One of the game's texts with its values filled in, by items. If the text is empty or does not fit the game, it is left out, because
    /// its content could be wrong.
    pub(crate) fn filled_in(self, text: &str) -> Option<Vec<String>> {
        template::render(text, self.game).ok().filter(|text| !text.is_empty()).map(|text| items(&text))
    }

    /// The instructions without the actions and the reply format, for callers that present these separately.
    pub fn task(self, rules: RulesText, form: TextForm) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write_task(&mut text, rules, form);
        text
    }

    fn write_task(self, out: &mut String, rules: RulesText, form: TextForm) -> std::fmt::Result {
        write_list(out, "TASK", self.goal().lines())?;
        if rules == RulesText::Shown {
            self.write_rules(out)?;
            let world = self.world_in_words();
            if !world.is_empty() {
                out.push('\n');
                write_list(out, "WORLD", world.iter().map(String::as_str))?;
            }
        }
        out.push('\n');
        self.write_observation(out, form)
    }

    fn write_rules(self, out: &mut String) -> std::fmt::Result {
        let mut rules = self.filled_in(&self.game.spec.rules_text).unwrap_or_else(|| self.parts_in_words());
        let clauses = self.game.rules.stopping.0.iter();
        rules.extend(clauses.enumerate().map(|(i, clause)| {
            let also = if i > 0 { "also " } else { "" };
            format!("The episode {also}ends early when {}.", self.clause_with_reason(clause))
        }));
        out.push('\n');
        write_list(out, "RULES", rules.iter().map(String::as_str))
    }

    /// How the map and the start are chosen at random. The parts' texts come first, then the rule's initial conditions.
    fn world_in_words(self) -> Vec<String> {
        let told = self.game.parts.iter().flat_map(|part| part.world_text.iter().cloned());
        told.chain(self.initial_conditions()).collect()
    }

    /// The rule's initial conditions, one sentence for each variable.
    pub fn initial_conditions(self) -> Vec<String> {
        initial::in_words(self.game)
    }

    fn write_observation(self, out: &mut String, form: TextForm) -> std::fmt::Result {
        writeln!(out, "OBSERVATION")?;
        match form {
            TextForm::Full => {
                write!(out, "You receive these values at the start of the episode and after every step.")?;
                if self.is_step_a_day() {
                    write!(out, " They describe the day that has just ended.")?;
                }
                writeln!(out)?;
            }
            TextForm::Compact => writeln!(
                out,
                "Each text lists only the values that have changed. The first text of an episode lists all values. Numbers have 3 significant \
                 digits."
            )?,
            TextForm::Rows => writeln!(
                out,
                "Each text starts with one line of these values, in this order and separated by commas. Numbers have 3 significant digits."
            )?,
        }
        let short_names = if form == TextForm::Full { Vec::new() } else { self.short_names() };
        // Question marks in the text replace the mask's bits.
        let entries = self.game.observation.entries.iter().enumerate();
        let shown = entries.filter(|(_, entry)| !self.game.observation.is_observed_mask(entry));
        let (mut lines, mut is_first) = (Vec::new(), true);
        for (e, entry) in shown {
            let name = match (short_names.get(e), entry.key.split_once('#')) {
                (None, _) => entry.key.clone(),
                (Some(short), Some((_, unit))) => format!("{short} [{unit}]"),
                (Some(short), None) => short.clone(),
            };
            // The first window explains how to read windows.
            lines.push(entry_in_words(&name, entry, entry.is_centred() && is_first));
            is_first &= !entry.is_centred();
        }
        number(out, lines.iter().map(String::as_str))?;
        if self.game.observation.entries.iter().any(|entry| entry.is_per_plot() && entry.len() > 1) {
            match form {
                TextForm::Full => writeln!(
                    out,
                    "The values for plots are written as a grid, with one line for each y and one value for each x. Both x and y start at 0."
                )?,
                TextForm::Rows | TextForm::Compact => {
                    write!(
                        out,
                        "The values for plots are listed row by row, with one row for each y and one value for each x. Both x and y start at 0."
                    )?;
                    if form == TextForm::Compact {
                        write!(out, " ` / ` separates two rows.")?;
                    }
                    writeln!(out)?;
                }
            }
        }
        if self.game.observation.active_observation.is_some() {
            writeln!(out, "`?` marks a value that was not observed.")?;
        }
        // Rules that reject actions without effect give the reason.
        let is_told = self.game.catalogue.base_actions.iter().any(|base| base.futile.is_some());
        let untold = if is_told { "" } else { " You are not notified if an action has no effect." };
        writeln!(
            out,
            "After each step, you also receive the reward. If your reply or one of its actions is rejected, you receive the reason as well.\
             {untold} A message announces the end of the episode."
        )
    }

    /// Rules for a game that has no rules text, derived from its declarations, one rule per item.
    fn parts_in_words(self) -> Vec<String> {
        let mut rules: Vec<String> = items(&self.game.spec.doc);
        rules.push("This game has these parts:".to_owned());
        for part in self.game.parts.iter() {
            let doc = kinds().iter().find(|kind| kind.name == part.kind).map_or("", |kind| kind.doc);
            rules.push(format!("{}: {doc}", part.path));
        }
        let mut events: Vec<(&str, &str)> =
            self.game.events.iter().map(|(_, event)| (&*event.name, &*event.doc)).collect();
        events.sort_unstable();
        events.dedup();
        if !events.is_empty() {
            rules.push("These events can happen:".to_owned());
        }
        rules.extend(events.iter().map(|(name, doc)| format!("{name}: {doc}")));
        rules
    }

    /// Whether one step is one day, so that players act once a day and wait for a day to pass.
    pub(super) fn is_step_a_day(self) -> bool {
        self.game.rules.steps_per_day == 1
            && self.game.observation.active_observation.is_none()
            && self.game.catalogue.waiting().is_empty()
    }
}

/// The rules or goals in a text. An item ends at a line that ends with a full sentence, or before an empty line. Long items can therefore
/// be wrapped.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines().map(str::trim) {
        match items.last_mut() {
            Some(last) if is_open && !line.is_empty() => {
                last.push(' ');
                last.push_str(line);
            }
            _ if line.is_empty() => {}
            _ => items.push(line.to_owned()),
        }
        is_open = !line.is_empty() && !line.ends_with(['.', '!', '?', ':']);
    }
    items
}

/// Writes a section: its title, followed by its numbered items.
pub(super) fn write_list<'t>(out: &mut String, title: &str, items: impl Iterator<Item = &'t str>) -> std::fmt::Result {
    writeln!(out, "{title}")?;
    number(out, items)
}

/// Numbered items, one per line.
pub(super) fn number<'t>(out: &mut String, items: impl Iterator<Item = &'t str>) -> std::fmt::Result {
    items.enumerate().try_for_each(|(i, item)| writeln!(out, "{}. {item}", i + 1))
}

/// A line about one of the observation's arrays. It explains how to read a window, and lists the words for categories.
fn entry_in_words(name: &str, entry: &ObservationEntry, is_first_window: bool) -> String {
    let mut line = format!("`{name}`: {}", entry.doc);
    if is_first_window {
        line += " The first line is the northernmost, and the first entry in each line is the westernmost. The entry in the middle, in \
                 brackets, shows where you are.";
    }
    let Some(lists) = entry.kind.lists() else { return line };
    let words: Vec<String> = lists.iter().map(labels_text).collect();
    let is_same = words.windows(2).all(|pair| pair[0] == pair[1]);
    match (lists, entry.per_word()) {
        ([first, rest @ ..], 2..) => {
            line += &format!(" Each tile shows its terrain, which is one of these: {}.", labels_text(first));
            for labels in rest {
                let statuses = match labels {
                    Labels::Named(names) if names.len() > 1 => names[1..].join(", "),
                    labels => labels_text(labels),
                };
                line += &format!(" The terrain may be followed by `/` and one of these statuses: {statuses}.");
            }
        }
        _ => {
            let shown = &words[..if is_same { 1.min(words.len()) } else { words.len() }];
            line += &format!(" Values: {}.", shown.join("; "));
        }
    }
    line
}

impl TextChannel<'_> {
    /// The names of an observation's arrays in short texts. A name is the variable's name without its unit. If two names are equal, the
    /// part or the field is added; if they are still equal, both are added.
    pub fn short_names(self) -> Vec<String> {
        let without_unit = |key: &str| key.split_once('#').map_or(key, |(name, _)| name).to_owned();
        let names = self.game.observation.entries.iter().map(|entry| {
            let full = without_unit(&entry.key);
            let path = entry.reference().map_or("", |reference| self.game.parts[reference.part].path.as_str());
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

/// A category's values in words: all words, or a range of numbers.
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
