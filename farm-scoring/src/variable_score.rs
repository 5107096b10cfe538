//! A score of variables: each term is what a function makes of a variable, or its change in the step, times a weight.
//!
//! | reads | |
//! |---|---|
//! | the variables that its terms name, of any part | as they say |
//!
//! | writes | unit |
//! |---|---|
//! | the number of each term at the end of the step before (hidden) | as the variable |
//!
//! The reward of a step is r = Σ w f(x), with f one of the functions of monitors; a term with `change` counts f(x) less what it
//! was at the end of the step before, so that over an episode it pays the difference between end and start.
//!
//! Source: Farm-gym paper 3.1.2 for the weighted mix; the variables are the game author's.

use farm_core::config::{NameError, ParameterError, Path, Problem, Problems};
use farm_core::declare::{Quantity, real};
use farm_core::inspect::MonitorError;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Behaviour, Builder, Column, Context, Score, ScoreBehaviour};
use farm_core::{ConstraintInfo, Monitor};

use crate::constraints::{Constraints, Meters};
use crate::costs::{CostTable, Costs, Priced};

/// What is made of all values of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum TermFunction {
    /// Their mean; of a single value the value.
    Mean,
    /// Their sum.
    Sum,
    /// The highest of them.
    Max,
    /// The lowest of them.
    Min,
    /// How many are one of `of`.
    Count,
    /// The share of them that is one of `of`.
    Fraction,
}

farm_core::free_form! {
    /// The variable of a term.
    pub struct VariableName = "a list of names";
}

/// A variable that counts.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct VariableTerm {
    /// The variable: `[field, entity, name]` or, of a part of the farm, `[part, name]`; a path behind the name picks one of its values, such as `['(0, 0)']`.
    pub variable: VariableName,
    /// What is made of all its values.
    #[parameter(default = TermFunction::Mean)]
    pub function: TermFunction,
    /// The values that `count` and `fraction` look for; nothing with other functions.
    pub of: Vec<Value>,
    /// What a unit of it is worth.
    #[parameter(default = 1.0, range = -1e9..=1e9)]
    pub weight: f64,
    /// Whether it counts by its change in the step, instead of by its value at the end of the step.
    pub change: bool,
}

/// Any variables, by a function and a weight each, or their change.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct VariableScore {
    /// What counts; the reward of a step is the sum of all terms.
    pub terms: Vec<VariableTerm>,
    /// Cost of each intervention, whatever its parameters: {field: {entity: {action: cost}}}.
    #[parameter(range = 0.0..=1e9)]
    pub intervention_cost: CostTable,
    /// Cost of each intervention that `intervention_cost` does not name.
    #[parameter(range = 0.0..=1e9)]
    pub default_intervention_cost: f64,
    /// Cost of each value that is asked for: {field: {entity: {variable: cost}}}; the name of a group, such as `air_temperature`, stands for all its variables.
    #[parameter(range = 0.0..=1e9)]
    pub observation_cost: CostTable,
    /// Cost of each value that is asked for and that `observation_cost` does not name.
    #[parameter(range = 0.0..=1e9)]
    pub default_observation_cost: f64,
    /// What must stay small; it takes nothing from the reward.
    pub constraints: Constraints,
}

#[farm_core::register(source = "Farm-gym paper 3.1.2: the weighted mix; design of this project: any variable")]
impl Score for VariableScore {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        let terms: Vec<Term> = self.terms.iter().enumerate().filter_map(|(i, term)| term.resolve(i, b)).collect();
        let changing = terms.iter().filter(|term| term.is_change);
        let bounds = changing.filter_map(|term| term.monitor.bounds());
        // Before the names are known there are none.
        let range = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0.0, 0.0));
        let doc = "What the terms that count by their change were at the end of the step before.";
        let values_before = self.terms.iter().filter(|term| term.change).count();
        let before = (values_before > 0).then(|| {
            // 0 need not be possible: `settle` writes the values of the start.
            let start = 0.0_f64.clamp(range.0, range.1);
            b.declare(real("values_before", range.0, range.1, doc).shape(&[values_before]).default(start).hidden())
        });
        b.text_variable("reward", terms.iter().map(Term::in_words).collect::<Vec<_>>().join("; "));
        let (costs, default) = (&self.intervention_cost, self.default_intervention_cost);
        let interventions = Costs::new(costs, default, "intervention_cost", Priced::Actions, b);
        let (costs, default) = (&self.observation_cost, self.default_observation_cost);
        let observations = Costs::new(costs, default, "observation_cost", Priced::Variables, b);
        Box::new(Variables { terms, before, interventions, observations, constraints: self.constraints.build(b) })
    }
}

/// What the variable of a term looks like.
const FORM: &str = "`variable: [field, entity, name]`, or `variable: [part, name]` of a part of the farm";

/// A term with its names resolved.
struct Term {
    monitor: Monitor,
    weight: f64,
    is_change: bool,
}

impl VariableTerm {
    /// Resolves the names of the term of this rank. What is wrong with them is noted when all parts are known.
    fn resolve(&self, rank: usize, b: &mut Builder<'_>) -> Option<Term> {
        let path = Path::default().child("terms").child(rank);
        let mut problems = Problems::default();
        // An empty list says what no list says: a plain value is required where a monitor looks for values.
        let of = if self.of.is_empty() { Value::Null } else { Value::Sequence(self.of.clone()) };
        let function = serde_yaml::to_value(self.function).unwrap_or_default();
        let written = [("variable", self.variable.0.clone()), ("function", function), ("of", of)];
        let written = written.into_iter().filter(|(_, value)| !value.is_null());
        let written = Value::Mapping(written.map(|(key, value)| (key.into(), value)).collect());
        let monitor = Monitor::new(&written, &path, b.names(), None, &mut problems);
        let is_variable = |monitor: &Monitor| matches!(monitor.variable().quantity(), Quantity::Variable(_));
        if monitor.as_ref().is_some_and(|monitor| !is_variable(monitor)) {
            let problem =
                Problem::new(NameError::NotAVariable, path.child("variable"), "steps are not a variable of a part");
            problems.push(problem.expected(FORM));
        }
        for problem in problems.0 {
            // A monitor has another form, which is of no use here.
            let is_about_form = problem.is(MonitorError::NotAMonitor)
                || problem.is(ParameterError::MissingKey)
                || problem.is(NameError::NotAVariable);
            b.problem(if is_about_form { problem.expected(FORM) } else { problem });
        }
        let monitor = monitor.filter(is_variable)?;
        Some(Term { monitor, weight: self.weight, is_change: self.change })
    }
}

impl Term {
    fn value(&self, c: &Context<'_>) -> f64 {
        self.monitor.value_in(c).unwrap_or(0.0)
    }

    /// Such as `-2 for the change of Field-0.Soil-0.available_Water#L (mean)`.
    fn in_words(&self) -> String {
        let change = if self.is_change { "the change of " } else { "" };
        format!("{} for {change}{}", self.weight, self.monitor.title())
    }
}

struct Variables {
    terms: Vec<Term>,
    /// Of the terms that count by their change, in order.
    before: Option<Column<f64>>,
    interventions: Costs,
    observations: Costs,
    constraints: Meters,
}

impl Variables {
    /// Hands over each term that counts by its change, with where its number of the step before is kept.
    fn changing<'a>(&'a self, c: &Context<'a>) -> impl Iterator<Item = (&'a Term, &'a std::cell::Cell<f64>)> {
        let before = self.before.map_or(&[][..], |column| c.get(column));
        self.terms.iter().filter(|term| term.is_change).zip(before)
    }
}

impl Behaviour for Variables {
    /// Changes count from the start, initial conditions included.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        self.changing(c).for_each(|(term, before)| before.set(term.value(c)));
    }
}

impl ScoreBehaviour for Variables {
    fn intervention_cost(&self, part: &str, action: &str) -> f64 {
        self.interventions.of_action(part, action)
    }

    fn observation_cost(&self, part: &str, variable: &str) -> f64 {
        self.observations.of_variable(part, variable)
    }

    fn constraints(&self) -> Vec<ConstraintInfo> {
        self.constraints.infos()
    }

    fn constraint_costs(&self, c: &mut Context<'_>, costs: &mut [f64]) {
        self.constraints.measure(c, costs);
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
