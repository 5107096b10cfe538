//! Parts of plugins on the program's side: they are read, written and built like linked ones.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_yaml::Value;

use super::Foreign;
use super::border::Remote;
use crate::config::{PartKind, Path, Problem, Problems, kind};
use crate::declare::Builder;
use crate::failure;
use crate::game::Game;
use crate::part::{Behaviour, Context, Entity, Farmer, FarmerBehaviour, Player, Policy, Rule, Score, ScoreBehaviour};
use crate::rules::{RuleBuilder, Rules};

/// A part whose kind a plugin registered.
struct Proxy {
    kind: &'static str,
    foreign: &'static Foreign,
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
    fn read(part: PartKind, kind: &'static str, foreign: &'static Foreign, own: &Value) -> Result<Self, String> {
        let text = serde_yaml::to_string(own).map_err(|error| error.to_string())?;
        let remote = (foreign.read)(part, kind, &text)
            .map_err(|said| format!("`{kind}` of the plugin `{}`: {said}", foreign.plugin))?;
        // The plugin's parameters with all their defaults, as a linked part would write them.
        let parameters = serde_yaml::from_str(remote.parameters()).map_err(|error| error.to_string())?;
        Ok(Self { kind, foreign, parameters, remote })
    }

    /// The words about a panic in `build`.
    fn panicked(&self, path: &str, said: &str) -> Problem {
        let message = format!("`{path}` of the plugin `{}` panicked in `build`: {said}", self.foreign.plugin);
        failure::refusal(Path::default(), &message)
    }
}

/// What plays in the place of a part that could not be built; the game is refused, so nobody ever plays it.
struct Absent;

impl Behaviour for Absent {}
impl FarmerBehaviour for Absent {}
impl ScoreBehaviour for Absent {
    fn reward(&self, _: &mut Context<'_>) -> f64 {
        0.0
    }
}

/// What the attribute of `typetag` would add, with a name that is known only at run time.
macro_rules! named {
    () => {
        fn typetag_name(&self) -> &'static str {
            self.kind
        }

        fn typetag_deserialize(&self) {}
    };
}

macro_rules! part {
    ($part:ident, $build:ident, $behaviour:ident) => {
        impl $part for Proxy {
            fn build(&self, builder: &mut Builder<'_>) -> Box<dyn $behaviour> {
                self.remote.$build(builder).unwrap_or_else(|said| {
                    let problem = self.panicked(builder.path(), &said);
                    builder.problem(problem);
                    Box::new(Absent)
                })
            }

            fn own_name(&self) -> Option<&str> {
                self.remote.own_name()
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
            builder.problem(self.panicked(self.kind, &said));
            Rules::default()
        })
    }

    named!();
}

impl Policy for Proxy {
    fn build(&self, game: &Game) -> Result<Box<dyn Player>, Problems> {
        self.remote.policy(game).unwrap_or_else(|said| Err(Problems(vec![self.panicked(self.kind, &said)])))
    }

    fn knows_hidden(&self, game: &Game) -> bool {
        // Of one that panics nothing is known: a mark too many spoils no game, one too few does.
        self.remote.knows_hidden(game).unwrap_or(true)
    }

    named!();
}

/// A configured part as an object: `Box<dyn Entity>` and its like.
pub trait AnyPart: Sized {
    /// Which sort it is.
    const PART: PartKind;

    /// Reads one whose kind is linked into the program.
    #[doc(hidden)]
    fn linked(tagged: Value) -> Result<Self, serde_yaml::Error>;

    /// Reads one whose kind is a plugin's.
    #[doc(hidden)]
    fn foreign(kind: &'static str, foreign: &'static Foreign, parameters: &Value) -> Result<Self, String>;
}

macro_rules! any_part {
    ($part:ident) => {
        impl AnyPart for Box<dyn $part> {
            const PART: PartKind = PartKind::$part;

            fn linked(tagged: Value) -> Result<Self, serde_yaml::Error> {
                serde_yaml::from_value(tagged)
            }

            fn foreign(kind: &'static str, foreign: &'static Foreign, own: &Value) -> Result<Self, String> {
                Ok(Box::new(Proxy::read(Self::PART, kind, foreign, own)?))
            }
        }
    };
}

any_part!(Entity);
any_part!(Farmer);
any_part!(Rule);
any_part!(Score);
any_part!(Policy);

/// Reads a part, `{KIND: {parameter: value}}`, of any registered kind, be it linked or a plugin's.
///
/// # Errors
/// When there is no such kind, or it does not take these parameters.
pub fn read_part<P: AnyPart>(tagged: Value) -> Result<P, serde_yaml::Error> {
    let single = tagged.as_mapping().filter(|mapping| mapping.len() == 1).and_then(|mapping| mapping.iter().next());
    if let Some((Value::String(name), parameters)) = single
        && let Some(kind) = kind(P::PART, name)
        && let Some(foreign) = kind.foreign
    {
        return P::foreign(kind.name, foreign, parameters).map_err(serde_yaml::Error::custom);
    }
    P::linked(tagged)
}

/// [`read_part`] for a field of a structure.
pub(crate) fn part<'de, D: Deserializer<'de>, P: AnyPart>(deserializer: D) -> Result<P, D::Error> {
    read_part(Value::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// [`read_part`] for a list.
pub(crate) fn parts<'de, D: Deserializer<'de>, P: AnyPart>(deserializer: D) -> Result<Vec<P>, D::Error> {
    let tagged: Vec<Value> = Vec::deserialize(deserializer)?;
    tagged.into_iter().map(|tagged| read_part(tagged).map_err(D::Error::custom)).collect()
}

/// [`read_part`] for a mapping by name.
pub(crate) fn named_parts<'de, D, P>(deserializer: D) -> Result<indexmap::IndexMap<String, P>, D::Error>
where
    D: Deserializer<'de>,
    P: AnyPart,
{
    let tagged: indexmap::IndexMap<String, Value> = Deserialize::deserialize(deserializer)?;
    let read = |(name, tagged)| Ok((name, read_part(tagged).map_err(D::Error::custom)?));
    tagged.into_iter().map(read).collect()
}
