//! The plugin ABI: what a plugin exports, and the data that passes between it and the program.
//!
//! The program can read the start of any library's [`Descriptor`]. It uses the rest only after finding the same identity on both sides.
//! From then on, both sides use the same types with the same layout, and calls pass Rust references, slices and trait objects from this
//! crate.
//! Configuration is passed as text. No type from another crate is passed by value.

use serde::{Deserialize, Serialize};

use crate::config::{ParameterDoc, PartKind, Problems};
use crate::declare::Builder;
use crate::game::Game;
use crate::part::{Agent, Behaviour, FarmerBehaviour, ScoreBehaviour};
use crate::rules::{RuleBuilder, Rules};
use crate::state::Region;

/// The first bytes of a descriptor.
pub const MAGIC: [u8; 16] = *b"farm-gym plugin\0";
/// The version of the ABI. Raise it with every change to this file.
pub const API_VERSION: u32 = 3;
/// The prefix of the symbol that a plugin exports. The name of its crate follows, so that one program can link several plugins.
/// The symbol is a `static` [`Descriptor`], which the program can read without a call.
pub const SYMBOL: &str = "FARM_GYM_PLUGIN_";

/// What a plugin exports; see [`declare_plugin!`](crate::declare_plugin).
#[repr(C)]
#[derive(Debug)]
pub struct Descriptor {
    /// [`MAGIC`].
    pub(crate) magic: [u8; 16],
    /// The size of the descriptor, in bytes.
    pub(crate) size: u32,
    /// [`API_VERSION`].
    pub(crate) api: u32,
    /// [`super::LAYOUT`].
    pub(crate) layout: u64,
    /// The identity, which is the same as in the file.
    pub(crate) identity: &'static [u8],
    /// Passes the host's functions to the plugin. Returns a manifest of the plugin's kinds, roles and codes as YAML. Must be called first,
    /// and only once.
    pub(crate) register: fn(Host) -> Result<String, String>,
    /// Reads a part from its type, its kind, and its parameters in YAML.
    pub(crate) read: ReadPart,
}

impl Descriptor {
    /// What a plugin with this build exports, for [`declare_plugin!`](crate::declare_plugin).
    pub const fn new(identity: &'static [u8], register: fn(Host) -> Result<String, String>, read: ReadPart) -> Self {
        let size = size_of::<Self>() as u32;
        Self { magic: MAGIC, size, api: API_VERSION, layout: super::LAYOUT, identity, register, read }
    }
}

/// Reads a part from its type, its kind, and its parameters in YAML. The error explains which parameter is invalid.
pub type ReadPart = fn(PartKind, &str, &str) -> Result<Box<dyn Remote>, String>;

/// The functions that the program offers to a plugin.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Records a panic in a method, for this thread's current step: plugin, part, method, message.
    pub(crate) note: fn(&str, &str, &str, &str),
}

/// What a plugin contains.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The kinds registered by its crate.
    pub(crate) kinds: Vec<KindText>,
    /// The roles declared by its crate.
    pub(crate) roles: Vec<RoleText>,
    /// The problem codes declared by its crate.
    pub(crate) codes: Vec<CodesText>,
}

/// An area's codes, in the form that passes the ABI.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CodesText {
    /// The name of the area.
    pub(crate) area: String,
    /// What its problems are about.
    pub(crate) doc: String,
    /// The names of the codes with their explanations.
    pub(crate) codes: Vec<(String, String)>,
    /// The module that declares them.
    pub(crate) module: String,
}

/// A kind, in the form that passes the ABI.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KindText {
    /// Entity, farmer, rule, score or policy.
    pub(crate) part: PartKind,
    /// The YAML tag.
    pub(crate) name: String,
    /// The description.
    pub(crate) doc: String,
    /// Where it comes from.
    pub(crate) source: String,
    /// The parameters.
    pub(crate) table: Vec<ParameterDoc>,
    /// The parameter sets, as YAML.
    pub(crate) sets: String,
    /// As in [`crate::registry::Kind::open`].
    pub(crate) open: Option<String>,
    /// The module that registers it.
    pub(crate) module: String,
}

/// A role, in the form that passes the ABI.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RoleText {
    /// Its name.
    pub(crate) name: String,
    /// The unit of its values.
    pub(crate) unit: String,
    /// What its values mean.
    pub(crate) doc: String,
    /// The number type of its values.
    pub(crate) region: Region,
    /// Whether it has one value for the field (or farm) instead of one per plot.
    pub(crate) scalar: bool,
    /// Whether it is simply scalar or per plot.
    pub(crate) plain: bool,
    /// The range for every variable with this role; `None` allows any range.
    pub(crate) range: Option<(f64, f64)>,
    /// The module that declares it.
    pub(crate) module: String,
}

/// One of a plugin's configured parts. No method unwinds; instead, the error is the panic message.
pub trait Remote: Send + Sync {
    /// Its parameters as YAML, with all defaults written out.
    fn parameters(&self) -> &str;

    /// Its name in the game, if it differs from its kind.
    fn instance_name(&self) -> Option<&str>;

    /// Builds an entity.
    ///
    /// # Errors
    /// The message of a panic. The same applies to the other methods.
    fn entity(&self, builder: &mut Builder<'_>) -> Result<Box<dyn Behaviour>, String>;

    /// Builds a farmer.
    ///
    /// # Errors
    /// Same as for an entity.
    fn farmer(&self, builder: &mut Builder<'_>) -> Result<Box<dyn FarmerBehaviour>, String>;

    /// Builds a score.
    ///
    /// # Errors
    /// Same as for an entity.
    fn score(&self, builder: &mut Builder<'_>) -> Result<Box<dyn ScoreBehaviour>, String>;

    /// Builds a rule.
    ///
    /// # Errors
    /// Same as for an entity.
    fn rule(&self, builder: &mut RuleBuilder<'_>) -> Result<Rules, String>;

    /// Builds a policy.
    ///
    /// # Errors
    /// Same as for an entity.
    fn policy(&self, game: &Game) -> Result<Result<Box<dyn Agent>, Problems>, String>;

    /// Whether a policy reads values that no learner can see.
    ///
    /// # Errors
    /// Same as for an entity.
    fn knows_hidden(&self, game: &Game) -> Result<bool, String>;
}
