//! A rule that is a Python class: it returns the parameters of `BasicRule`, which the engine then resolves.

use farm_core::Rule;
use farm_core::config::{Parameters, Path, Problem, Problems, Tool, check_table};
use farm_core::rules::{RuleBuilder, Rules};
use farm_core::serde_yaml::{self, Value};
use farm_games::python::{CLASS, SOURCE};
use farm_games::rules::BasicRule;
use pyo3::prelude::*;

use super::PythonRule;
use super::facts::facts;
use super::source::{class_path, module, problem};
use crate::convert::{to_json, to_python};

#[farm_core::register(name = "python", source = SOURCE, open = CLASS)]
impl Rule for PythonRule {
    fn build(&self, b: &mut RuleBuilder<'_>) -> Rules {
        match Python::attach(|py| self.parameters(py, b)) {
            Ok(Some(rule)) => rule.build(b),
            Ok(None) => Rules::default(),
            Err(problems) => {
                problems.0.into_iter().for_each(|problem| b.problem(problem));
                Rules::default()
            }
        }
    }
}

impl PythonRule {
    fn parameters(&self, py: Python<'_>, b: &RuleBuilder<'_>) -> Result<Option<BasicRule>, Problems> {
        let one = |problem: Box<Problem>| Problems(vec![*problem]);
        let Some(object) = self.0.object(py, "rule", b.directory()).map_err(one)? else { return Ok(None) };
        let facts = facts(b.fields(), b.parts());
        let said = || -> PyResult<serde_json::Value> {
            to_json(&module(py)?.call_method1("rules", (&*object.part, to_python(py, &facts)?))?)
        };
        let said = said().map_err(|error| one(problem(py, &error)))?;
        let value = serde_yaml::to_value(&said).unwrap_or(Value::Null);
        let mut problems = Problems::default();
        check_table(
            &value,
            &BasicRule::table(),
            &Path::default(),
            &Tool::describe("BasicRule").and(" lists every parameter"),
            &mut problems,
        );
        if problems.has_errors() {
            for problem in &mut problems.0 {
                // A location in the class's result is not a location in the YAML.
                problem.message = format!("`rules` returned `{}`: {}", problem.path, problem.message);
                problem.path = class_path();
            }
            return Err(problems);
        }
        serde_yaml::from_value(value).map(Some).map_err(|error| one(Box::new(super::of_class(error.to_string()))))
    }
}
