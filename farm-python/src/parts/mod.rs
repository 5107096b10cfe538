//! Parts written in Python: the kind `python` of entities, farmers, rules, scores and policies.
//!
//! A class is instantiated once for each game, or for each player if it is a policy. It declares its contents through an object written in
//! Python (`farm_gym/parts/`), and may then look at the declarations of all parts. In each call, it uses a context of NumPy arrays, which are
//! filled before the call and written back after it. An exception passes through the engine as a panic with a `PartError`, whose cause is
//! the exception. [`crate::errors::guarded`] returns this error. No code in a class runs unless the caller allows it (`consent.rs`).

mod behaviour;
mod consent;
mod context;
mod declarations;
mod desk;
mod facts;
mod policy;
mod rule;
mod source;
mod stream;

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use farm_core::config::{ParameterDoc, Parameters, Problem, Problems, Segment, Severity};
use farm_core::{Behaviour, Bind, Context as EngineContext, Declarations, Entity, Farmer, FarmerBehaviour};
use farm_core::{Score, ScoreBehaviour};
use farm_games::python::{CLASS, SOURCE, docs};
use serde::{Deserialize, Serialize};

use farm_core::declare::DeclarationError;

use behaviour::PythonPart;
pub(crate) use consent::Consent;
pub(crate) use context::Context;
pub(crate) use policy::Agent;
use source::Source;
pub(crate) use stream::Stream;

pub(crate) use farm_games::python::KIND;

macro_rules! kind {
    ($name:ident, $doc:path) => {
        #[doc = "A part of this kind that is a Python class."]
        #[derive(Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        struct $name(Source);

        impl Parameters for $name {
            const DOC: &'static str = $doc;

            fn table() -> Vec<ParameterDoc> {
                farm_games::python::table()
            }
        }
    };
}

kind!(PythonEntity, docs::ENTITY);
kind!(PythonFarmer, docs::FARMER);
kind!(PythonRule, docs::RULE);
kind!(PythonScore, docs::SCORE);
kind!(PythonPolicy, docs::POLICY);

#[farm_core::register(name = "python", source = SOURCE, open = CLASS)]
impl Entity for PythonEntity {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        PythonPart::declare(&self.0, "entity", d)
    }

    fn instance_name(&self) -> Option<&str> {
        self.0.class_name()
    }
}

#[farm_core::register(name = "python", source = SOURCE, open = CLASS)]
impl Farmer for PythonFarmer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        PythonPart::declare(&self.0, "farmer", d)
    }

    fn instance_name(&self) -> Option<&str> {
        self.0.class_name()
    }
}

#[farm_core::register(name = "python", source = SOURCE, open = CLASS)]
impl Score for PythonScore {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        PythonPart::declare(&self.0, "score", d)
    }

    fn instance_name(&self) -> Option<&str> {
        self.0.class_name()
    }
}

/// The substitute for a class that can't be used, while the game's other problems are collected.
struct Absent;

impl Behaviour for Absent {}
impl FarmerBehaviour for Absent {}

impl ScoreBehaviour for Absent {
    fn reward(&self, _: &mut EngineContext<'_>) -> f64 {
        0.0
    }
}

/// A string that lives as long as the program, such as a role name or a farmer's reason. Equal strings are stored once.
fn lasting(text: &str) -> &'static str {
    static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    match texts.get(text) {
        Some(known) => known,
        None => {
            let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
            texts.insert(kept);
            kept
        }
    }
}

/// A problem in a declaration. It is located at the class in the YAML.
fn of_class(message: String) -> Problem {
    Problem::new(DeclarationError::PartProblem, source::class_path(), message)
}

/// A game's problems, without those that an unusable class may cause. The declarations of such a class are unknown, so its actions, events
/// and roles are missing wherever the game names them.
pub(crate) fn without_consequences(mut problems: Problems) -> Problems {
    let is_of_class = |problem: &Problem| problem.path.0.ends_with(&[Segment::from(KIND), Segment::from(CLASS)]);
    let is_consequence = |problem: &Problem| {
        let depth = problem.path.0.len();
        match problem.path.0.first() {
            Some(Segment::Key(key)) => match key.as_str() {
                // Below the name of a parameter in a rule or a score.
                "rules" | "score" => depth > 3,
                // A part as a whole, which finds no provider of a role.
                "fields" => depth == 5,
                "farmers" => depth == 3,
                key => key == "monitoring",
            },
            _ => false,
        }
    };
    if problems.0.iter().any(|problem| problem.severity == Severity::Error && is_of_class(problem)) {
        problems.0.retain(|problem| is_of_class(problem) || !is_consequence(problem));
    }
    problems
}
