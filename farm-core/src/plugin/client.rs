//! A plugin's parts, as seen from the program. They are read, written and built like linked parts.

use serde::{Serialize, Serializer};
use serde_yaml::Value;

use super::abi::{ReadPart, Remote};
use crate::config::{PartKind, Path, Problem, Problems};
use crate::declare::Declarations;
use crate::failure;
use crate::game::Game;
use crate::part::{
    Agent, Behaviour, Bind, Entity, Farmer, FarmerBehaviour, Policy, Rule, Score, ScoreBehaviour, Trait,
};
use crate::registry::AnyPart;
use crate::rules::{RuleBuilder, Rules};

/// A part whose kind comes from a plugin.
struct Proxy {
    kind: &'static str,
    plugin: &'static str,
    parameters: Value,
    remote: Box<dyn Remote>,
}

impl std::fmt::Debug for Proxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple(self.kind).field(&self.parameters).finish()
    }
}

impl Serialize for Proxy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.parameters.serialize(serializer)
    }
}

impl Proxy {
    fn read(
        plugin: &'static str,
        read: ReadPart,
        (part, kind): (PartKind, &'static str),
        own: &Value,
    ) -> Result<Self, String> {
        let text = serde_yaml::to_string(own).map_err(|error| error.to_string())?;
        let remote = read(part, kind, &text).map_err(|said| format!("`{kind}` of the plugin `{plugin}`: {said}"))?;
        // The part's parameters with all defaults, as a linked part would write them.
        let parameters = serde_yaml::from_str(remote.parameters()).map_err(|error| error.to_string())?;
        Ok(Self { kind, plugin, parameters, remote })
    }

    /// The problem to report for a panic in a method.
    fn panicked(&self, path: &str, method: &str, said: &str) -> Problem {
        let message = format!("`{path}` of the plugin `{}` panicked in `{method}`: {said}", self.plugin);
        failure::problem_of(Path::default(), &message)
    }
}

/// Generates the code that the `typetag` attribute would add, with a name that is known only at run time.
macro_rules! named {
    () => {
        fn typetag_name(&self) -> &'static str {
            self.kind
        }
    };
}

macro_rules! part {
    ($part:ident, $declare:ident, $behaviour:ident) => {
        impl $part for Proxy {
            fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn $behaviour> {
                self.remote.$declare(d).unwrap_or_else(|said| {
                    let problem = self.panicked(d.part().path(), "declare", &said);
                    d.problem(problem);
                    Bind::boxed(|_| <dyn $behaviour>::absent())
                })
            }

            fn instance_name(&self) -> Option<&str> {
                self.remote.instance_name()
            }

            named!();
        }
    };
}

part!(Entity, entity, Behaviour);
part!(Farmer, farmer, FarmerBehaviour);
part!(Score, score, ScoreBehaviour);

impl Rule for Proxy {
    fn build(&self, builder: &mut RuleBuilder<'_>) -> Rules {
        self.remote.rule(builder).unwrap_or_else(|said| {
            builder.problem(self.panicked(self.kind, "build", &said));
            Rules::default()
        })
    }

    named!();
}

impl Policy for Proxy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        self.remote.policy(game).unwrap_or_else(|said| Err(Problems(vec![self.panicked(self.kind, "build", &said)])))
    }

    fn knows_hidden(&self, game: &Game) -> bool {
        // After a panic, nothing is known about the policy. An unnecessary mark does no harm, but a missing mark does.
        self.remote.knows_hidden(game).unwrap_or(true)
    }

    named!();
}

/// Reads a part of one of a plugin's kinds through the plugin's library.
///
/// # Errors
/// The parameters are not valid, or the code panicked. After a panic, the error is the panic message.
pub(super) fn read_by(
    plugin: &'static str,
    read: ReadPart,
    (part, kind): (PartKind, &'static str),
    own: &Value,
) -> Result<AnyPart, String> {
    let proxy = Proxy::read(plugin, read, (part, kind), own)?;
    Ok(match part {
        PartKind::Entity => AnyPart::Entity(Box::new(proxy)),
        PartKind::Farmer => AnyPart::Farmer(Box::new(proxy)),
        PartKind::Rule => AnyPart::Rule(Box::new(proxy)),
        PartKind::Score => AnyPart::Score(Box::new(proxy)),
        PartKind::Policy => AnyPart::Policy(Box::new(proxy)),
    })
}
