//! Parts written in Python: the kind `python` of entities, farmers, rules, scores and policies.
//!
//! A class is made an object of once for each game (a policy: for each player), declares itself through a builder written in
//! Python (`farm_gym/parts/`), and plays through a context of NumPy arrays, which are filled before each call and written back
//! after it. What it raises goes through the engine as a panic that carries the exception, and comes out of
//! [`crate::errors::guarded`] as it was.

mod behaviour;
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

use farm_core::config::{PartKind, Problem};
use farm_core::part::{Behaviour, FarmerBehaviour};
use farm_core::{Builder, Context as EngineContext, Entity, Farmer, Score, ScoreBehaviour, inventory};
use farm_games::python::docs;
use serde::{Deserialize, Serialize};

use behaviour::PythonPart;
pub use context::Context;
pub use policy::Player;
use source::Source;
pub use stream::Stream;

pub use farm_games::python::KIND;

macro_rules! kind {
    ($part:ident, $name:ident, $doc:path) => {
        #[doc = "A part of this kind that is a Python class."]
        #[derive(Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        struct $name(Source);

        inventory::submit! { farm_games::python::kind(PartKind::$part, $doc, module_path!()) }
    };
}

kind!(Entity, PythonEntity, docs::ENTITY);
kind!(Farmer, PythonFarmer, docs::FARMER);
kind!(Rule, PythonRule, docs::RULE);
kind!(Score, PythonScore, docs::SCORE);
kind!(Policy, PythonPolicy, docs::POLICY);

#[farm_core::typetag::serde(name = "python")]
impl Entity for PythonEntity {
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn Behaviour> {
        match PythonPart::declare(&self.0, "entity", builder) {
            Some(part) => Box::new(part),
            None => Box::new(Absent),
        }
    }

    fn own_name(&self) -> Option<&str> {
        self.0.class_name()
    }
}

#[farm_core::typetag::serde(name = "python")]
impl Farmer for PythonFarmer {
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn FarmerBehaviour> {
        match PythonPart::declare(&self.0, "farmer", builder) {
            Some(part) => Box::new(part),
            None => Box::new(Absent),
        }
    }

    fn own_name(&self) -> Option<&str> {
        self.0.class_name()
    }
}

#[farm_core::typetag::serde(name = "python")]
impl Score for PythonScore {
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        match PythonPart::declare(&self.0, "score", builder) {
            Some(part) => Box::new(part),
            None => Box::new(Absent),
        }
    }

    fn own_name(&self) -> Option<&str> {
        self.0.class_name()
    }
}

/// What stands for a class that can't be used, while the other problems of its game are looked for.
struct Absent;

impl Behaviour for Absent {}
impl FarmerBehaviour for Absent {}

impl ScoreBehaviour for Absent {
    fn reward(&self, _: &mut EngineContext<'_>) -> f64 {
        0.0
    }
}

/// A text that lives as long as the program, as the names of roles and the reasons of farmers do: each different one is kept once.
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

/// A problem of a declaration, which nothing in the YAML but the class stands for.
fn of_class(message: String) -> Problem {
    Problem::new(source::class_path(), message)
}
