//! What a plugin exports, and what passes between it and the program that loads it.
//!
//! A [`Descriptor`] begins with what can be read whoever built the library. Everything behind it is touched only after the
//! identity was found to be the same on both sides; from then on both have the same layout of the same types, and calls
//! carry Rust references, slices and trait objects of this crate. Configuration crosses as text, and no type of another crate
//! is handed over by value.

use serde::{Deserialize, Serialize};

use crate::config::{ParameterDoc, PartKind, Problems};
use crate::declare::Builder;
use crate::game::Game;
use crate::part::{Agent, Behaviour, FarmerBehaviour, ScoreBehaviour};
use crate::rules::{RuleBuilder, Rules};
use crate::state::Region;

/// What a descriptor begins with.
pub const MAGIC: [u8; 16] = *b"farm-gym plugin\0";
/// The version of what passes the border; raised with every change of this file.
pub const API_VERSION: u32 = 3;
/// What the symbol that a plugin exports begins with; the name of its crate follows, so that several plugins can also be linked
/// into one program. It is a `static` [`Descriptor`]: nothing has to be called to read it.
pub const SYMBOL: &str = "FARM_GYM_PLUGIN_";

/// What a plugin exports; see [`declare_plugin!`](crate::declare_plugin).
#[repr(C)]
#[derive(Debug)]
pub struct Descriptor {
    /// [`MAGIC`].
    pub(crate) magic: [u8; 16],
    /// Bytes of the descriptor.
    pub(crate) size: u32,
    /// [`API_VERSION`].
    pub(crate) api: u32,
    /// [`super::LAYOUT`].
    pub(crate) layout: u64,
    /// The identity, the same that stands in the file.
    pub(crate) identity: &'static [u8],
    /// Gives the host's functions to the plugin and tells what it has: a manifest of its kinds, roles and codes as YAML. To be called first, once.
    pub(crate) register: fn(Host) -> Result<String, String>,
    /// Reads a part: which sort, its kind, and its parameters as YAML.
    pub(crate) read: ReadPart,
}

impl Descriptor {
    /// What a plugin of this build exports, for [`declare_plugin!`](crate::declare_plugin).
    pub const fn new(identity: &'static [u8], register: fn(Host) -> Result<String, String>, read: ReadPart) -> Self {
        let size = size_of::<Self>() as u32;
        Self { magic: MAGIC, size, api: API_VERSION, layout: super::LAYOUT, identity, register, read }
    }
}

/// Reads a part: which sort, its kind, and its parameters as YAML; the error says what does not fit.
pub type ReadPart = fn(PartKind, &str, &str) -> Result<Box<dyn Remote>, String>;

/// What the program offers to a plugin.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Notes that a method panicked, for the step that is going on in this thread: plugin, part, method, message.
    pub(crate) note: fn(&str, &str, &str, &str),
}

/// What a plugin has.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The kinds that its crate registers.
    pub(crate) kinds: Vec<KindText>,
    /// The roles that its crate declares.
    pub(crate) roles: Vec<RoleText>,
    /// The codes of problems that its crate declares.
    pub(crate) codes: Vec<CodesText>,
}

/// The codes of an area, as they pass the border.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CodesText {
    /// What the area is called.
    pub(crate) area: String,
    /// What its problems are about.
    pub(crate) doc: String,
    /// Names and what is said of them.
    pub(crate) codes: Vec<(String, String)>,
    /// The module that declares them.
    pub(crate) module: String,
}

/// A kind, as it passes the border.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KindText {
    /// Entity, farmer, rule, score or policy.
    pub(crate) part: PartKind,
    /// The tag in YAML.
    pub(crate) name: String,
    /// What it is.
    pub(crate) doc: String,
    /// Where it comes from.
    pub(crate) source: String,
    /// Its parameters.
    pub(crate) table: Vec<ParameterDoc>,
    /// Its parameter sets, as YAML.
    pub(crate) sets: String,
    /// As in [`crate::registry::Kind::open`].
    pub(crate) open: Option<String>,
    /// The module that registers it.
    pub(crate) module: String,
}

/// A role, as it passes the border.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RoleText {
    /// Its name.
    pub(crate) name: String,
    /// Unit of the values.
    pub(crate) unit: String,
    /// What the values mean.
    pub(crate) doc: String,
    /// What numbers the values are.
    pub(crate) region: Region,
    /// One value for the field (or farm) instead of one per plot.
    pub(crate) scalar: bool,
    /// Whether scalar or per plot is all there is to its shape.
    pub(crate) plain: bool,
    /// The range that every variable with the role keeps, where it has one.
    pub(crate) range: Option<(f64, f64)>,
    /// The module that declares it.
    pub(crate) module: String,
}

/// A configured part that lives in a plugin. No method unwinds: an error is what a panic said.
pub trait Remote: Send + Sync {
    /// Its parameters, as YAML, with all defaults written out.
    fn parameters(&self) -> &str;

    /// What it is called in the game, where that is not its kind.
    fn instance_name(&self) -> Option<&str>;

    /// Builds an entity.
    ///
    /// # Errors
    /// What the panic said; the same for the others.
    fn entity(&self, builder: &mut Builder<'_>) -> Result<Box<dyn Behaviour>, String>;

    /// Builds a farmer.
    ///
    /// # Errors
    /// As for an entity.
    fn farmer(&self, builder: &mut Builder<'_>) -> Result<Box<dyn FarmerBehaviour>, String>;

    /// Builds a score.
    ///
    /// # Errors
    /// As for an entity.
    fn score(&self, builder: &mut Builder<'_>) -> Result<Box<dyn ScoreBehaviour>, String>;

    /// Builds a rule.
    ///
    /// # Errors
    /// As for an entity.
    fn rule(&self, builder: &mut RuleBuilder<'_>) -> Result<Rules, String>;

    /// Builds a policy.
    ///
    /// # Errors
    /// As for an entity.
    fn policy(&self, game: &Game) -> Result<Result<Box<dyn Agent>, Problems>, String>;

    /// Whether a policy looks at what no learner sees.
    ///
    /// # Errors
    /// As for an entity.
    fn knows_hidden(&self, game: &Game) -> Result<bool, String>;
}
