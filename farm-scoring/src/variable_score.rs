//! A score of variables: each term is a function of a variable, or of its change in the step, times a weight.
//!
//! | reads | |
//! |---|---|
//! | the variables in its terms, from any part | as declared |
//!
//! | writes | unit |
//! |---|---|
//! | the value of each change term at the end of the previous step (hidden) | as the variable |
//!
//! The reward of a step is r = Σ w f(x), where f is one of the monitor functions. A term with `change` uses f(x) minus the value of f(x) at
//! the end of the previous step. Over an episode, it pays the difference between the end and the start.
//!
//! Source: Farm-gym paper 3.1.2 for the weighted mix; the game's author selects the variables.

use farm_core::config::{NameError, ParameterError, Path, Problem, Problems};
use farm_core::declare::{Names, Quantity, ValueKind, real};
use farm_core::inspect::MonitorError;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Bind, Column, Context, Declarations, Monitor, Score, ScoreBehaviour};

use crate::constraints::Constraints;
use crate::costs::{CostTable, Costs, Priced};
use crate::priced::{PricedScore, Reward};

/// The function of all values of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum TermFunction {
    /// Their mean; for a single value, the value.
    Mean,
    /// Their sum.
    Sum,
    /// Their maximum.
    Max,
    /// Their minimum.
    Min,
    /// The number of values that are in `of`.
    Count,
    /// The share of values that are in `of`.
    Fraction,
}

farm_core::free_form! {
    /// The variable of a term.
    pub struct VariableName = "a list of names";
}

/// A term of the score: a variable with a weight.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct VariableTerm {
    /// The variable: `[field, entity, name]`, or `[part, name]` of the farm; a path such as `['(0, 0)']` at the end selects one value.
    pub variable: VariableName,
    /// The function of all its values.
    #[parameter(default = TermFunction::Mean)]
    pub function: TermFunction,
    /// The values that `count` and `fraction` look for; empty for other functions.
    pub of: Vec<Value>,
    /// The reward for one unit.
    #[parameter(default = 1.0, range = -1e9..=1e9)]
    pub weight: f64,
    /// Whether the term uses the change in the step instead of the value at the end of the step.
    pub change: bool,
}

/// A weighted sum of functions of any variables, or of their changes.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct VariableScore {
    /// The terms; the reward of a step is their sum.
    pub terms: Vec<VariableTerm>,
    /// Cost of each intervention, independent of its parameters: {field: {entity: {action: cost}}}.
    #[parameter(range = 0.0..=1e9)]
    pub intervention_cost: CostTable,
    /// Cost of each intervention that is not in `intervention_cost`.
    #[parameter(range = 0.0..=1e9)]
    pub default_intervention_cost: f64,
    /// Cost of each requested value: {field: {entity: {variable: cost}}}; a group such as `air_temperature` covers all its variables.
    #[parameter(range = 0.0..=1e9)]
    pub observation_cost: CostTable,
    /// Cost of each requested value that is not in `observation_cost`.
    #[parameter(range = 0.0..=1e9)]
    pub default_observation_cost: f64,
    /// Quantities that must stay small; they do not change the reward.
    pub constraints: Constraints,
}

#[farm_core::register(source = "Farm-gym paper 3.1.2: the weighted mix; design of this project: any variable")]
impl Score for VariableScore {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        let changes = self.terms.iter().filter(|term| term.change).count();
        let doc = "Values of the terms with `change` at the end of the previous step.";
        let before = (changes > 0).then(|| d.variable(real("values_before", 0.0, 0.0, doc).shape(&[changes]).hidden()));
        let constraints = self.constraints.declare(d);
        // A term may read the total of a constraint, so the terms come last.
        Bind::after(move |d, known| {
            let mut problems = Problems::default();
            let terms = self.resolve(known.names(), &mut problems);
            problems.0.into_iter().for_each(|problem| d.problem(problem));
            let changing = terms.iter().filter(|term| term.is_change);
            let bounds = changing.filter_map(|term| term.monitor.bounds());
            if let (Some(before), Some((low, high))) = (before, bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))) {
                d.set_kind(before, ValueKind::Real { low, high });
            }
            d.text_variable("reward", terms.iter().map(Term::in_words).collect::<Vec<_>>().join("; "));
            Bind::new(move |found| {
                let (costs, default) = (&self.intervention_cost, self.default_intervention_cost);
                let interventions = Costs::new(costs, default, "intervention_cost", Priced::Actions, found);
                let (costs, default) = (&self.observation_cost, self.default_observation_cost);
                let observations = Costs::new(costs, default, "observation_cost", Priced::Variables, found);
                // The same terms again, now with the places of their variables.
                let terms = self.resolve(found.names(), &mut Problems::default());
                let reward = Variables { terms, before: found.get(before) };
                PricedScore { interventions, observations, constraints: constraints.bind(found), reward }
            })
        })
    }
}

impl VariableScore {
    /// The terms whose names could be resolved.
    fn resolve(&self, names: Names<'_>, problems: &mut Problems) -> Vec<Term> {
        let terms = self.terms.iter().enumerate();
        terms.filter_map(|(rank, term)| term.resolve(rank, names, problems)).collect()
    }
}

/// The form of a term's variable.
const FORM: &str = "`variable: [field, entity, name]`, or `variable: [part, name]` for a part of the farm";

/// A term with its names resolved.
struct Term {
    monitor: Monitor,
    weight: f64,
    is_change: bool,
}

impl VariableTerm {
    /// Resolves the names in the term with this index.
    fn resolve(&self, rank: usize, names: Names<'_>, all: &mut Problems) -> Option<Term> {
        let path = Path::default().child("terms").child(rank);
        let mut problems = Problems::default();
        // An empty list means no list, because a monitor with a list looks for its values.
        let of = if self.of.is_empty() { Value::Null } else { Value::Sequence(self.of.clone()) };
        let function = serde_yaml::to_value(self.function).unwrap_or_default();
        let written = [("variable", self.variable.0.clone()), ("function", function), ("of", of)];
        let written = written.into_iter().filter(|(_, value)| !value.is_null());
        let written = Value::Mapping(written.map(|(key, value)| (key.into(), value)).collect());
        let monitor = Monitor::new(&written, &path, names, None, &mut problems);
        let is_variable = |monitor: &Monitor| matches!(monitor.variable().quantity(), Quantity::Variable(_));
        if monitor.as_ref().is_some_and(|monitor| !is_variable(monitor)) {
            let problem = Problem::new(
                NameError::NotAVariable,
                path.child("variable"),
                "`step` and `remaining` are not variables of a part",
            );
            problems.push(problem.expected(FORM));
        }
        for problem in problems.0 {
            // The form of a monitor is different, so its message would mislead.
            let is_about_form = problem.is(MonitorError::NotAMonitor)
                || problem.is(ParameterError::MissingKey)
                || problem.is(NameError::NotAVariable);
            all.push(if is_about_form { problem.expected(FORM) } else { problem });
        }
        let monitor = monitor.filter(is_variable)?;
        Some(Term { monitor, weight: self.weight, is_change: self.change })
    }
}

impl Term {
    fn value(&self, c: &Context<'_>) -> f64 {
        self.monitor.value_in(c).unwrap_or(0.0)
    }

    /// For example `-2 for the change of Field-0.Soil-0.available_Water#L (mean)`.
    fn in_words(&self) -> String {
        let change = if self.is_change { "the change of " } else { "" };
        format!("{} for {change}{}", self.weight, self.monitor.title())
    }
}

struct Variables {
    terms: Vec<Term>,
    /// The values of the change terms, in order.
    before: Option<Column<f64>>,
}

impl Variables {
    /// The change terms, each with the cell that holds its value in the previous step.
    fn changing<'a>(&'a self, c: &Context<'a>) -> impl Iterator<Item = (&'a Term, &'a std::cell::Cell<f64>)> {
        let before = self.before.map_or(&[][..], |column| c.get(column));
        self.terms.iter().filter(|term| term.is_change).zip(before)
    }
}

impl Reward for Variables {
    /// Changes are measured from the start, after the initial conditions.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        self.changing(c).for_each(|(term, before)| before.set(term.value(c)));
    }

    fn reward(&self, c: &mut Context<'_>) -> f64 {
        let levels = self.terms.iter().filter(|term| !term.is_change);
        let levels = levels.fold(0.0, |sum, term| sum + term.weight * term.value(c));
        self.changing(c).fold(levels, |sum, (term, before)| {
            let now = term.value(c);
            sum + term.weight * (now - before.replace(now))
        })
    }
}
