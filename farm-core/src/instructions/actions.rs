//! What a player is told of the actions: which there are, who does them, and what an answer counts as.

use std::fmt::Write;

use super::RulesText;
use crate::action::{ActionKind, ActionTarget, Allowed, Argument, BaseAction, Call, Request};
use crate::declare::{ActionParameter, ActionParameterKind};
use crate::format::join_truncated;
use crate::game::Game;
use crate::rules::Unreadable;

/// The most values of a parameter that a player is told.
const MAX_VALUES: usize = 24;

impl Game {
    /// The actions, a line each with its parameters, and who does them; how they are written is not said.
    pub fn action_list(&self, rules: RulesText) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write_turns(&mut text).and_then(|()| self.write_action_lines(&mut text, rules));
        text
    }

    /// What a text counts as in which nothing can be read, in a line.
    pub fn unreadable_text(&self) -> String {
        match (self.unreadable(), self.max_refused_texts()) {
            (Unreadable::Wait, _) => "What can't be read counts as waiting.\n".to_owned(),
            (Unreadable::Reject, None) => {
                "What can't be read is refused with a reason, and no time passes.\n".to_owned()
            }
            (Unreadable::Reject, Some(most)) => format!(
                "What can't be read is refused with a reason, and no time passes; after {most} such answers in a row the next one \
                 counts as waiting.\n"
            ),
        }
    }

    pub(super) fn write_actions(&self, out: &mut String, rules: RulesText) -> std::fmt::Result {
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
        let place = if self.catalogue.max_schedule == 1 {
            "the action then stands alone in the last line"
        } else {
            "the actions then stand alone in the last lines"
        };
        writeln!(out, "Other text may come before; {place}, or after `Action:`.")?;
        self.write_turns(out)?;
        out.push_str(&self.unreadable_text());
        self.write_action_lines(out, rules)?;
        let is_with_parameters = |call: &&Call| !self.catalogue.base_actions[call.base()].parameters.is_empty();
        if let Some(call) = self.catalogue.calls.iter().find(is_with_parameters) {
            let example = self.catalogue.write(call);
            writeln!(out, "A parameter with a single value may be left out. For example: {example}")?;
        }
        Ok(())
    }

    /// Who acts, and when something is done.
    fn write_turns(&self, out: &mut String) -> std::fmt::Result {
        self.write_farmers(out)?;
        if self.observation.active_observation.is_some() {
            writeln!(out, "Steps take turns: in the first you look at something, in the next you act.")?;
        }
        if self.catalogue.waiting().is_empty() {
            writeln!(out, "`wait` does nothing.")?;
        }
        Ok(())
    }

    fn write_action_lines(&self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        self.write_requests(out, rules)?;
        for base in self.catalogue.base_actions.iter().filter(|base| base.kind() == ActionKind::Intervention) {
            let Some(action) = base.info(&self.parts) else { continue };
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
        Ok(())
    }

    /// Who acts, where it has to be said.
    fn write_farmers(&self, out: &mut String) -> std::fmt::Result {
        let names: Vec<&str> = self.catalogue.farmers().collect();
        let Some(call) = self.catalogue.calls.last().filter(|_| names.len() > 1) else { return Ok(()) };
        let (names, example) = (names.join(", "), self.catalogue.write(call));
        writeln!(
            out,
            "Several farmers act: {names}. An action begins with the name of the farmer who does it, such as `{example}`; the name \
             may be left out where only one of them can do it."
        )
    }

    /// What can be asked for, where looking costs: each variable with the first of its parts that can be asked for alone.
    fn write_requests(&self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        let requests = self.catalogue.base_actions.iter().filter_map(|base| match &base.target {
            ActionTarget::Observation(request) => Some((base, request)),
            ActionTarget::Intervention(_) => None,
        });
        let requests: Vec<_> = requests.collect();
        let cost = |base: &BaseAction| match rules {
            RulesText::Shown if base.cost != 0.0 => format!(" (costs {})", base.cost),
            _ => String::new(),
        };
        let name = |base: &BaseAction, request: &Request| {
            format!("{}observe {}.{}", self.catalogue.address(base), self.parts[base.part].path, request.text())
        };
        let subject = |(base, request): &(&BaseAction, &Request)| (base.farmer, base.part, request.name.clone());
        let mut told = Vec::new();
        for whole in &requests {
            if told.contains(&subject(whole)) {
                continue;
            }
            told.push(subject(whole));
            let first = name(whole.0, whole.1);
            write!(out, "  {first}{}", cost(whole.0))?;
            let part = requests.iter().find(|part| subject(part) == subject(whole) && name(part.0, part.1) != first);
            if let Some((base, request)) = part {
                write!(out, ", or a part of it, such as {}{}", name(base, request), cost(base))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Which values a parameter takes.
    fn values_text(&self, base: &BaseAction, parameter: &ActionParameter, allowed: &Allowed) -> String {
        let field = self.parts[base.part].field.map(|field| &self.fields[field]);
        let values = match allowed {
            Allowed::Range { low, high } => return format!("a number from {low} to {high}"),
            Allowed::Values(values) => values,
        };
        let (length, width) = field.map_or((1, 1), |field| (field.length, field.width));
        let word = |value: &f64| Argument::new(&parameter.kind, *value, width).to_string();
        if matches!(parameter.kind, ActionParameterKind::Plot) && values.len() == length * width && values.len() > 4 {
            return format!("(x, y) with x from 0 to {} and y from 0 to {}", length - 1, width - 1);
        }
        join_truncated(values.iter(), MAX_VALUES, word).join(", ")
    }
}
