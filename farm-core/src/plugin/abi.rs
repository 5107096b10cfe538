//! The plugin ABI, which defines what a plugin exports and the data that passes between the plugin and the program.
//!
//! The program can read the start of any library's [`Descriptor`]. It uses the rest only after it finds the same identity on both sides.
//! Both sides then use the same types with the same layout, and calls pass Rust references, slices and trait objects from this crate.
//! Configuration is passed as text. No type from another crate is passed by value.

use serde::{Deserialize, Serialize};

use crate::config::{ParameterDoc, PartKind, Problems};
use crate::declare::Declarations;
use crate::game::Game;
use crate::part::{Agent, Behaviour, Bind, FarmerBehaviour, ScoreBehaviour};
use crate::rules::{RuleBuilder, Rules};
use crate::state::Region;

/// The first bytes of a descriptor.
pub const MAGIC: [u8; 16] = *b"farm-gym plugin\0";
/// The version of the ABI. Increase it with every change to this file.
pub const API_VERSION: u32 = 4;
/// The prefix of the symbol that a plugin exports. The crate's name comes after the prefix, so that one program can link several plugins.
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
    /// The identity, which must be the same as in the file.
    pub(crate) identity: &'static [u8],
    /// Passes the host's functions to the plugin. Returns a manifest of the plugin's kinds, roles and codes as YAML. The program must call
    /// this function first, and only once.
    pub(crate) register: fn(Host) -> Result<String, String>,
    /// Reads a part from its type, its kind, and its parameters in YAML.
    pub(crate) read: ReadPart,
}

impl Descriptor {
    /// Creates the descriptor that a plugin with this build exports. Used by [`declare_plugin!`](crate::declare_plugin).
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
    /// Records a panic in a method during this thread's current step. The arguments are the plugin, the part, the method and the message.
    pub(crate) note: fn(&str, &str, &str, &str),
}

/// What a plugin contains.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The kinds that the plugin's crate registers.
    pub(crate) kinds: Vec<KindText>,
    /// The roles that the plugin's crate declares.
    pub(crate) roles: Vec<RoleText>,
    /// The problem codes that the plugin's crate declares.
    pub(crate) codes: Vec<CodesText>,
}

/// An area's codes, in the form used across the ABI.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CodesText {
    /// The area's name.
    pub(crate) area: String,
    /// What the area's problems are about.
    pub(crate) doc: String,
    /// The names of the codes, each with its explanation.
    pub(crate) codes: Vec<(String, String)>,
    /// The module that declares the codes.
    pub(crate) module: String,
}

/// A kind, in the form used across the ABI.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KindText {
    /// Entity, farmer, rule, score or policy.
    pub(crate) part: PartKind,
    /// The YAML tag.
    pub(crate) name: String,
    /// The description.
    pub(crate) doc: String,
    /// The kind's source.
    pub(crate) source: String,
    /// The parameters.
    pub(crate) table: Vec<ParameterDoc>,
    /// The parameter sets, as YAML.
    pub(crate) sets: String,
    /// The same as [`crate::registry::Kind::open`].
    pub(crate) open: Option<String>,
    /// The module that registers the kind.
    pub(crate) module: String,
}

/// A role, in the form used across the ABI.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RoleText {
    /// The role's name.
    pub(crate) name: String,
    /// The unit of its values.
    pub(crate) unit: String,
    /// The meaning of its values.
    pub(crate) doc: String,
    /// The number type of its values.
    pub(crate) region: Region,
    /// Whether the role has one value for the field (or farm) instead of one per plot.
    pub(crate) scalar: bool,
    /// Whether the values are simply scalar or per plot.
    pub(crate) plain: bool,
    /// The range for every variable with this role; `None` allows any range.
    pub(crate) range: Option<(f64, f64)>,
    /// The module that declares the role.
    pub(crate) module: String,
}

/// One of a plugin's configured parts. No method unwinds; if the part panics, the method returns the panic message as an error.
pub trait Remote: Send + Sync {
    /// The part's parameters as YAML, with all defaults written out.
    fn parameters(&self) -> &str;

    /// The part's name in the game, if it differs from the kind.
    fn instance_name(&self) -> Option<&str>;

    /// Declares an entity.
    ///
    /// # Errors
    /// The panic message, or that this is another type of part. The same applies to the other methods.
    fn entity(&self, _: &mut Declarations<'_>) -> Result<Bind<'_, dyn Behaviour>, String> {
        other()
    }

    /// Declares a farmer.
    ///
    /// # Errors
    /// The same error as for an entity.
    fn farmer(&self, _: &mut Declarations<'_>) -> Result<Bind<'_, dyn FarmerBehaviour>, String> {
        other()
    }

    /// Declares a score.
    ///
    /// # Errors
    /// The same error as for an entity.
    fn score(&self, _: &mut Declarations<'_>) -> Result<Bind<'_, dyn ScoreBehaviour>, String> {
        other()
    }

    /// Builds a rule.
    ///
    /// # Errors
    /// The same error as for an entity.
    fn rule(&self, _: &mut RuleBuilder<'_>) -> Result<Rules, String> {
        other()
    }

    /// Builds a policy.
    ///
    /// # Errors
    /// The same error as for an entity.
    fn policy(&self, _: &Game) -> Result<Result<Box<dyn Agent>, Problems>, String> {
        other()
    }

    /// Whether a policy reads values that no learner can see.
    ///
    /// # Errors
    /// The same error as for an entity.
    fn knows_hidden(&self, _: &Game) -> Result<bool, String> {
        other()
    }
}

/// The error for calling a method that belongs to another type of part. The program never makes such a call.
fn other<T>() -> Result<T, String> {
    Err("it is another type of part".to_owned())
}
