//! Describes a farm in words: its name, fields, parts, variables with ranges and values, actions and rules. `print(farm)` shows this text.
//!
//! Source: Farm-gym paper 3.1.5, Rendering.

use std::fmt;

use crate::action::{ActionTarget, Allowed, BaseAction};
use crate::declare::VariableInfo;
use crate::describe::endings;
use crate::environment::Environment;
use crate::format::join_truncated;
use crate::game::Game;
use crate::state::{Reader, StateSlice};

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, reader) = (self.game(), self.game().reader(self.state()));
        writeln!(f, "{}, day {} of the episode with seed {}", game.spec.name, reader.step, reader.seed)?;
        if !game.spec.doc.is_empty() {
            writeln!(f, "  {}", game.spec.doc.trim())?;
        }
        for (i, field) in game.fields.iter().enumerate() {
            let (length, width, scale) = (field.length, field.width, field.scale_m);
            let (north, east) = (field.latitude_degrees, field.longitude_degrees);
            writeln!(f, "\n{}: {length} × {width} plots of {scale} m, at {north}° north, {east}° east", field.name)?;
            write_parts(f, game, &reader, Some(i))?;
        }
        writeln!(f, "\nfarm")?;
        write_parts(f, game, &reader, None)?;
        let day = match game.rules.steps_per_day {
            1 => String::new(),
            steps => format!(", {steps} steps a day"),
        };
        let (most, next) = (game.catalogue.max_schedule, self.expects().name());
        writeln!(f, "\nactions, at most {most} in a step{day} ({next} next)")?;
        for base in &game.catalogue.base_actions {
            writeln!(f, "  {}", action(game, base))?;
        }
        writeln!(f, "\nthe episode ends")?;
        endings(game).iter().try_for_each(|ending| writeln!(f, "  {ending}"))
    }
}

fn write_parts(f: &mut fmt::Formatter<'_>, game: &Game, reader: &Reader<'_>, field: Option<usize>) -> fmt::Result {
    for part in game.parts.iter().filter(|part| part.field == field) {
        writeln!(f, "  {}", part.name)?;
        let width = part.variables.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
        for variable in part.variables.iter().filter(|variable| !variable.is_empty()) {
            let (low, high) = variable.kind.range();
            let range = match variable.kind.labels(0) {
                Some(labels) => {
                    format!("{{{}}}", join_truncated(0..labels.len(), MAX_LABELS, |i| labels.name(i)).join(", "))
                }
                None => format!("[{low}, {high}]"),
            };
            let hidden = if variable.visible { "" } else { " (hidden)" };
            let padding = " ".repeat(width - variable.name.chars().count());
            writeln!(f, "    {}{padding}  {}  in {range}{hidden}", variable.name, values(variable, reader))?;
        }
    }
    Ok(())
}

/// The maximum number of names listed for a category.
const MAX_LABELS: usize = 12;

/// The maximum number of values listed for a variable that is not per plot, such as a position.
const MAX_LISTED: usize = 4;

/// A few values in order or, if there are many, a summary. The summary is the minimum and maximum, or how often each name occurs.
fn values(variable: &VariableInfo, reader: &Reader<'_>) -> String {
    let source = StateSlice::of_variable(variable);
    let word = |index: usize, value: f64| match variable.kind.labels(index) {
        Some(labels) => labels.name(value as usize),
        None => format!("{}", (value * 1e4).round() / 1e4),
    };
    let all: Vec<f64> = source.values(reader).collect();
    match all.as_slice() {
        few if few.len() == 1 || (few.len() <= MAX_LISTED && !variable.per_plot) => {
            few.iter().enumerate().map(|(i, value)| word(i, *value)).collect::<Vec<_>>().join(", ")
        }
        several if variable.kind.labels(0).is_some() => {
            let mut counts: Vec<(String, usize)> = Vec::new();
            for (i, value) in several.iter().enumerate() {
                let name = word(i, *value);
                match counts.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, n)) => *n += 1,
                    None => counts.push((name, 1)),
                }
            }
            counts.iter().map(|(name, n)| format!("{n} {name}")).collect::<Vec<_>>().join(", ")
        }
        several => {
            let (low, high) = several.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
            if low == high { word(0, low) } else { format!("{} … {}", word(0, low), word(0, high)) }
        }
    }
}

/// A base action with its parameters and cost.
fn action(game: &Game, base: &BaseAction) -> String {
    let part = &game.parts[base.part].path;
    let farmer = game.catalogue.address(base);
    let cost = if base.cost > 0.0 { format!("  cost {}", base.cost) } else { String::new() };
    let declared = match (&base.target, base.info(&game.parts)) {
        (ActionTarget::Observation(request), _) => return format!("{farmer}observe {part}.{}{cost}", request.text()),
        (ActionTarget::Intervention(_), None) => return format!("{farmer}{part}{cost}"),
        (ActionTarget::Intervention(_), Some(declared)) => declared,
    };
    let parameters = declared.parameters.iter().zip(&base.parameters).map(|(parameter, allowed)| match allowed {
        Allowed::Values(values) if values.len() == 1 => format!("{}: 1 value", parameter.name),
        Allowed::Values(values) => format!("{}: {} values", parameter.name, values.len()),
        Allowed::Range { low, high } => format!("{}: {low} to {high}", parameter.name),
    });
    let parameters: Vec<String> = parameters.collect();
    let parameters = if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
    format!("{farmer}{part}.{}{parameters}{cost}", declared.name)
}
