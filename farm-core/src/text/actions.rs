//! The section about actions in the instructions, with their effects, parameters and costs, and the reply format.

use std::fmt::Write;

use super::{RulesText, TextChannel};
use crate::action::{ActionKind, ActionTarget, Allowed, Argument, BaseAction, Call, Request};
use crate::declare::{ActionParameter, ActionParameterKind};
use crate::format::{join_truncated, listed, money};
use crate::rules::Unreadable;

/// The maximum number of values listed for a parameter.
const MAX_VALUES: usize = 24;

impl<'g> TextChannel<'g> {
    /// The actions with their parameters, one action per line, and the farmers. This text does not include the reply format.
    pub fn action_list(self, rules: RulesText) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write_farmers(&mut text).and_then(|()| self.write_action_lines(&mut text, rules));
        text
    }

    /// One line about what the game does with an unreadable reply.
    pub fn unreadable(self) -> String {
        match (self.game.rules.unreadable, self.game.rules.max_refused_texts) {
            (Unreadable::Wait, _) => "A reply that cannot be read counts as `wait`.".to_owned(),
            (Unreadable::Reject, None) => {
                "A reply is rejected if it cannot be read or contains an unlisted value. You then receive the reason, and no \
                 step passes."
                    .to_owned()
            }
            (Unreadable::Reject, Some(most)) => format!(
                "A reply is rejected if it cannot be read or contains an unlisted value. You then receive the reason, and no \
                 step passes. After {most} rejected replies in a row, the next one counts as `wait`."
            ),
        }
    }

    /// An action's cost, as a sentence that starts with a space. The cost is the work for an intervention, or the price of an observation.
    pub(crate) fn cost_text(self, cost: f64) -> String {
        let currency = self.currency();
        match cost {
            0.0 => String::new(),
            _ if currency.is_empty() => format!(" This costs {}.", money(currency, cost)),
            _ => format!(" Labour costs {}.", money(currency, cost)),
        }
    }

    /// The currency of the rewards, such as `€`, from the score's `currency` text variable. Empty if rewards are points.
    pub fn currency(self) -> &'g str {
        let variables = self.game.parts.last().map_or(&[][..], |score| &score.text_variables);
        variables.iter().find(|(name, _)| *name == "currency").map_or("", |(_, currency)| currency)
    }

    /// Describes `wait` in games that have no waiting action of their own.
    pub(crate) fn wait_text(self) -> &'static str {
        if self.is_step_a_day() { "Lets one day pass." } else { "Lets one step pass." }
    }

    pub(super) fn write_actions(self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        writeln!(out, "\nACTIONS")?;
        self.write_farmers(out)?;
        let is_with_parameters = |call: &&Call| !self.game.catalogue.base_actions[call.base()].parameters.is_empty();
        let example =
            self.game.catalogue.calls.iter().find(is_with_parameters).map(|call| self.game.catalogue.write(call));
        if example.is_some() {
            writeln!(
                out,
                "Write an action as NAME(PARAMETER=VALUE, …). You may leave out the unit after `#` and any parameter with only one listed value."
            )?;
        }
        self.write_action_lines(out, rules)?;
        let most = self.game.catalogue.max_schedule;
        let case = "Capital letters and spaces make no difference.";
        let several = "Put each on its own line, or separate them with semicolons.";
        let replies = match most {
            1 => format!(
                "Reply with exactly one action. If you send more than one, as in `A; B`, only the first is carried out and the \
                 rest are rejected. {case}"
            ),
            usize::MAX => format!("Reply with any number of actions. {several} {case}"),
            _ => format!(
                "Reply with up to {most} actions. {several} Any further actions are rejected and cost nothing. {case}"
            ),
        };
        let place = if most == 1 {
            "The last line of your reply must contain only the action, either on its own or in the form `Action: ACTION`. You \
             may write other text before it, but only this last action counts."
        } else {
            "The last lines of your reply must contain only the actions. You can also put all of them on one line at the end, in \
             the form `Action: ACTION; ACTION`. You may write other text before them."
        };
        let lines = [
            Some(replies),
            example.map(|example| format!("Example: {example}")),
            Some(place.to_owned()),
            Some(self.unreadable()),
        ];
        out.push('\n');
        super::instructions::write_list(out, "REPLY FORMAT", lines.iter().flatten().map(String::as_str))
    }

    fn write_action_lines(self, out: &mut String, rules: RulesText) -> std::fmt::Result {
        let mut lines = self.requests_in_words(rules);
        let interventions =
            || self.game.catalogue.base_actions.iter().filter(|base| base.kind() == ActionKind::Intervention);
        for base in interventions() {
            let Some(action) = base.info(&self.game.parts) else { continue };
            let names: Vec<&str> = action.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let arguments = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            let name = format!("`{}{arguments}`", self.game.catalogue.short_name(base));
            let parameters = action.parameters.iter().zip(&base.parameters);
            let values = parameters.map(|(parameter, allowed)| (parameter, self.values_text(base, parameter, allowed)));
            lines.push(match rules {
                RulesText::Hidden => {
                    values.fold(name, |line, (parameter, values)| format!("{line} · {}: {values}", parameter.name))
                }
                RulesText::Shown => {
                    let first = format!("{name}: {}{}", action.doc, self.cost_text(base.cost));
                    values.fold(first, |line, (parameter, values)| {
                        format!("{line}\n   {}: {} Values: {values}.", parameter.name, parameter.doc)
                    })
                }
            });
        }
        if self.game.catalogue.waiting().is_empty() {
            lines.push(match rules {
                RulesText::Hidden => "`wait`".to_owned(),
                RulesText::Shown => format!("`wait`: {} This is free.", self.wait_text()),
            });
        }
        super::instructions::number(out, lines.iter().map(String::as_str))?;
        if rules == RulesText::Shown && self.game.catalogue.base_actions.iter().all(|base| base.cost == 0.0) {
            let cost = if self.currency().is_empty() { "points" } else { "labour" };
            writeln!(out, "Actions cost no {cost}.")?;
        }
        Ok(())
    }

    /// Lists the farmers if there are several.
    fn write_farmers(self, out: &mut String) -> std::fmt::Result {
        let names: Vec<&str> = self.game.catalogue.farmers().collect();
        let Some(call) = self.game.catalogue.calls.last().filter(|_| names.len() > 1) else { return Ok(()) };
        let (count, names) = (names.len(), listed(&names, "and"));
        let example = self.game.catalogue.write(call);
        writeln!(
            out,
            "You direct {count} farmers: {names}. Begin each action with the name of the farmer who carries it out, as in `{example}`. You \
             may leave out the name if only one farmer can carry out the action."
        )
    }

    /// The priced observations: each variable, and an example of how to request one of its values.
    fn requests_in_words(self, rules: RulesText) -> Vec<String> {
        let requests = self.game.catalogue.base_actions.iter().filter_map(|base| match &base.target {
            ActionTarget::Observation(request) => Some((base, request)),
            ActionTarget::Intervention(_) => None,
        });
        let requests: Vec<_> = requests.collect();
        let price = |base: &BaseAction| match (rules, base.cost) {
            (RulesText::Hidden, _) => String::new(),
            (RulesText::Shown, 0.0) => " (free)".to_owned(),
            (RulesText::Shown, cost) => format!(" ({})", money(self.currency(), cost)),
        };
        let name = |base: &BaseAction, request: &Request| {
            format!(
                "`{}observe {}.{}`",
                self.game.catalogue.address(base),
                self.game.parts[base.part].path,
                request.text()
            )
        };
        let subject = |(base, request): &(&BaseAction, &Request)| (base.farmer, base.part, request.name.clone());
        let (mut lines, mut told, mut example) = (Vec::new(), Vec::new(), None);
        for whole in &requests {
            if told.contains(&subject(whole)) {
                continue;
            }
            told.push(subject(whole));
            let first = name(whole.0, whole.1);
            lines.push(format!("{first}{}", price(whole.0)));
            let part = requests.iter().find(|part| subject(part) == subject(whole) && name(part.0, part.1) != first);
            example = example.or(part.map(|(base, request)| format!("{}{}", name(base, request), price(base))));
        }
        if let Some(example) = example {
            lines.push(format!("You can also observe a single part of a variable, as in {example}."));
        }
        lines
    }

    /// The allowed values for a parameter, in words.
    fn values_text(self, base: &BaseAction, parameter: &ActionParameter, allowed: &Allowed) -> String {
        let field = self.game.parts[base.part].field.map(|field| &self.game.fields[field]);
        let values = match allowed {
            Allowed::Range { low, high } => return format!("any number from {low} to {high}"),
            Allowed::Values(values) => values,
        };
        let (length, width) = field.map_or((1, 1), |field| (field.length, field.width));
        let word = |value: &f64| Argument::new(&parameter.kind, *value, width).to_string();
        if matches!(parameter.kind, ActionParameterKind::Plot) && values.len() == length * width && values.len() > 4 {
            return format!("(x, y), with x from 0 to {} and y from 0 to {}", length - 1, width - 1);
        }
        join_truncated(values.iter(), MAX_VALUES, word).join(", ")
    }
}
