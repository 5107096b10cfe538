//! Costs by name, as in score parameters: {field: {entity: {action or variable: cost}}}, and a default cost for all others.

use std::collections::BTreeMap;

use farm_core::Found;
use farm_core::config::{NameError, Path, Problem, Tool};
use farm_core::declare::PartInfo;

/// Costs as in a game file: {field: {entity: {name: cost}}}.
pub type CostTable = BTreeMap<String, BTreeMap<String, BTreeMap<String, f64>>>;

/// The meaning of the names in a cost table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priced {
    /// Actions of the parts.
    Actions,
    /// Variables and observables of the parts, or groups of them.
    Variables,
}

/// A cost table that has passed the checks of its score.
#[derive(Debug, Clone, Default)]
pub(crate) struct Costs {
    /// Indexed by part path and name.
    named: BTreeMap<(String, String), f64>,
    default: f64,
    /// How many plots an action works on, if it works on all plots of a field, by part path and name.
    plots: BTreeMap<(String, String), f64>,
}

impl Costs {
    /// Reads the cost table in `parameter`, and reports undeclared names as problems of the score.
    pub(crate) fn new(table: &CostTable, default: f64, parameter: &str, priced: Priced, found: &mut Found<'_>) -> Self {
        let entries = table.iter().flat_map(|(field, entities)| {
            entities.iter().flat_map(move |(entity, costs)| {
                costs.iter().map(move |(name, cost)| ((format!("{field}.{entity}"), name.clone()), *cost))
            })
        });
        let costs = Self { named: entries.collect(), default, plots: BTreeMap::new() };
        for (part, name) in costs.named.keys() {
            let path = Path::default().child(parameter);
            if let Some(problem) = unknown(part, name, priced, path, found.parts()) {
                found.problem(problem);
            }
        }
        costs
    }

    /// Charges an action on all plots of a field for each of them.
    pub(crate) fn by_plot(mut self, found: &Found<'_>) -> Self {
        for part in found.parts() {
            let Some(field) = part.field().and_then(|field| found.fields().get(field)) else { continue };
            for action in part.actions().iter().filter(|action| action.works_all_plots()) {
                self.plots.insert((part.path().to_owned(), action.name().to_owned()), field.plots() as f64);
            }
        }
        self
    }

    /// The cost of an action.
    pub(crate) fn of_action(&self, part: &str, action: &str) -> f64 {
        let name = (part.to_owned(), action.to_owned());
        let plots = self.plots.get(&name).copied().unwrap_or(1.0);
        plots * self.named.get(&name).copied().unwrap_or(self.default)
    }

    /// The cost of one value of a variable: the variable's own cost, or the cost of the smallest group that contains the variable.
    pub(crate) fn of_variable(&self, part: &str, variable: &str) -> f64 {
        let names = std::iter::once(variable).chain(groups(variable));
        let costs = names.map(|name| self.named.get(&(part.to_owned(), name.to_owned())));
        costs.flatten().next().copied().unwrap_or(self.default)
    }
}

/// The problem to report for an undeclared name.
fn unknown(part: &str, name: &str, priced: Priced, path: Path, parts: &[PartInfo]) -> Option<Problem> {
    let (field, entity) = part.split_once('.').unwrap_or((part, ""));
    let path = path.child(field).child(entity);
    let Some(info) = parts.iter().find(|p| p.path() == part) else {
        let problem =
            Problem::new(NameError::UnknownPart, path, format!("there is no part `{part}`")).value(part).about_name();
        return Some(problem.among(part, parts.iter().map(|p| p.path())));
    };
    let known: Vec<&str> = match priced {
        Priced::Actions => info.actions().iter().map(|a| a.name()).collect(),
        Priced::Variables => {
            let variables = info.variables().iter().map(|v| v.name());
            variables.chain(info.observables().iter().map(|o| o.name())).collect()
        }
    };
    let means =
        |known: &&str| *known == name || priced == Priced::Variables && groups(known).any(|group| group == name);
    if known.iter().any(means) {
        return None;
    }
    let what = if priced == Priced::Actions { "action" } else { "variable" };
    let code = if priced == Priced::Actions { NameError::UnknownAction } else { NameError::UnknownVariable };
    let problem =
        Problem::new(code, path.child(name), format!("`{part}` has no {what} `{name}`")).value(name).about_name();
    let problem = problem.among(name, known.iter().copied());
    Some(problem.help(Tool::describe(info.kind()).and(&format!(" lists its {what}s"))))
}

/// The groups that contain a variable, smallest first: `air_temperature` for `air_temperature.max#°C`. A dot in a unit does
/// not mark a group; a dot before a part does, as in `onplant_population#nb.Plant-0`.
fn groups(variable: &str) -> impl Iterator<Item = &str> {
    let unit = variable.find('#').unwrap_or(variable.len());
    let divides = move |at: usize| {
        let after = &variable[at + 1..];
        at < unit || after.starts_with(|c: char| c.is_ascii_uppercase()) && after.contains('-')
    };
    variable.rmatch_indices('.').filter(move |(at, _)| divides(*at)).map(|(at, _)| &variable[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_a_variable_is_its_own_or_that_of_the_smallest_group_around_it() {
        let cost = |name: &str, cost: f64| (("Field-0.Sky-0".to_owned(), name.to_owned()), cost);
        let named =
            [cost("air", 1.0), cost("air.warmth", 2.0), cost("air.warmth.max#°C", 3.0), cost("rain#mm.day-1", 4.0)];
        let costs = Costs { named: named.into(), default: 0.5, plots: BTreeMap::new() };
        let of = |variable| costs.of_variable("Field-0.Sky-0", variable);
        assert_eq!(of("air.warmth.max#°C"), 3.0);
        assert_eq!(of("air.warmth.min#°C"), 2.0);
        assert_eq!(of("air.moisture#%"), 1.0);
        assert_eq!(of("rain#mm.day-1"), 4.0);
        assert_eq!(of("airy#%"), 0.5, "a name that only begins alike is another");
        assert_eq!(costs.of_variable("Field-1.Sky-0", "air.moisture#%"), 0.5, "another field, another part");
    }

    #[test]
    fn the_points_of_a_unit_divide_no_group() {
        let of = |variable| groups(variable).collect::<Vec<_>>();
        assert_eq!(of("air.warmth.max#°C"), ["air.warmth", "air"]);
        assert!(of("rain#mm.day-1").is_empty() && of("stage").is_empty());
        assert_eq!(of("guests#nb.Host-0"), ["guests#nb"]);
    }
}
