//! All kinds of parts that are linked into the program or loaded from a plugin, by name.
//!
//! A [`Kind`] provides the documentation, the parameters and the parameter sets, and reads parts. Linked kinds, plugin kinds and kinds from
//! other languages all work in the same way. The [`register`](crate::register) attribute adds a linked kind, and [`crate::plugin`] adds a
//! plugin's kinds. `typetag` writes parts.
//!
//! ```
//! use farm_core::prelude::*;
//!
//! /// Boulders, which do nothing.
//! #[derive(Debug, Clone, Parameters)]
//! struct Boulders {
//!     /// How many lie on a plot.
//!     #[parameter(unit = "nb", default = 3, range = 0..=9)]
//!     number: u32,
//! }
//!
//! #[derive(Columns)]
//! struct Heap {}
//!
//! #[register(entity = Boulders, source = "An example")]
//! impl Behaviour for Heap {}
//!
//! let kind = farm_core::registry::kind(farm_core::config::PartKind::Entity, "Boulders").unwrap();
//! assert_eq!((kind.doc(), kind.table()[0].name()), ("Boulders, which do nothing.", "number#nb"));
//! ```

mod equation;
mod errors;
mod read;

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use serde_yaml::Value;

use crate::config::{ParameterDoc, PartKind, Path, Problem, Problems, Tool, check_table};
use crate::declare::Role;
use crate::spec::check::merge;
use crate::state::{Element, Region};

pub use equation::Equation;
pub use errors::KindError;
pub use read::{AnyPart, PartObject, read_any, read_part};
pub(crate) use read::{named_parts, part, parts};

/// The origin of a plugin's kind.
#[derive(farm_macros::Getters)]
pub struct PluginOrigin {
    /// The plugin's name.
    pub(crate) plugin: &'static str,
    /// The library file.
    pub(crate) path: PathBuf,
    /// The kind's parameters.
    #[getter(skip)]
    pub(crate) table: Vec<ParameterDoc>,
    #[getter(skip)]
    pub(crate) read: ReadByPlugin,
}

/// A function that reads a part with the plugin's library.
pub(crate) type ReadByPlugin = Box<dyn Fn(&Value) -> Result<AnyPart, String> + Send + Sync>;

/// Where a kind comes from: its parameters, and the code that reads its parts.
#[derive(Debug)]
#[non_exhaustive]
pub enum KindSource {
    /// The kind is linked into the program.
    Linked {
        /// Returns the kind's parameter table.
        table: fn() -> Vec<ParameterDoc>,
        /// Reads a part from the value after the kind's name.
        read: fn(Value) -> Result<AnyPart, serde_yaml::Error>,
    },
    /// The kind comes from a loaded plugin.
    Plugin(&'static PluginOrigin),
    /// The kind can be played only in another program.
    External {
        /// Returns the kind's parameter table.
        table: fn() -> Vec<ParameterDoc>,
    },
}

impl std::fmt::Debug for PluginOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PluginOrigin").field("plugin", &self.plugin).field("path", &self.path).finish_non_exhaustive()
    }
}

/// A registered kind.
#[derive(Debug, farm_macros::Getters)]
pub struct Kind {
    /// Entity, farmer, rule, score or policy.
    #[getter(copy)]
    pub(crate) part: PartKind,
    /// The YAML tag, and the name of the Rust type.
    pub(crate) name: &'static str,
    /// A one-sentence description.
    pub(crate) doc: &'static str,
    /// The kind's source: a paper, a standard, or this project's own design.
    pub(crate) source: &'static str,
    /// The kind's parameter sets, as YAML: name → {doc, source, parameters}, optionally with synonyms and the `base` set that they change. Empty if the kind has none.
    pub(crate) sets: &'static str,
    /// The parameter that a single value after the name sets. Only kinds that represent many others have it, such as all classes in another
    /// language. Such a kind itself checks parameters that are not in its table, and has no parameter sets.
    pub(crate) open: Option<&'static str>,
    /// The module that registers the kind. The path starts with the crate's name.
    pub(crate) module: &'static str,
    /// Where it comes from.
    pub(crate) from: KindSource,
}

inventory::collect!(Kind);

/// A kind that only another program can play, such as a kind written in another language. This program knows how to write the kind in a
/// game file, and where the kind can be played.
#[derive(Debug, farm_macros::Getters)]
pub struct ExternalKind {
    /// The kind, as the other program registers it.
    pub(crate) kind: Kind,
    /// A sentence that states where the kind can be played.
    pub(crate) place: &'static str,
    /// How to play the kind there.
    pub(crate) help: &'static str,
}

inventory::collect!(ExternalKind);

impl ExternalKind {
    /// Creates the entry for a kind. `place` states where the kind can be played, and `help` states how to play it there.
    pub const fn new(kind: Kind, place: &'static str, help: &'static str) -> Self {
        Self { kind, place, help }
    }
}

/// The kinds that can be played only in other programs, sorted by part and name.
pub fn elsewhere() -> Vec<&'static ExternalKind> {
    let all = inventory::iter::<ExternalKind>.into_iter();
    let mut absent: Vec<&ExternalKind> = all.filter(|other| kind(other.kind.part, other.kind.name).is_none()).collect();
    absent.sort_by_key(|other| (other.kind.part, other.kind.name));
    absent
}

/// A registered role.
#[derive(Debug, farm_macros::Getters)]
pub struct RoleEntry {
    /// Its name.
    pub(crate) name: &'static str,
    /// The unit of its values.
    pub(crate) unit: &'static str,
    /// The meaning of its values.
    pub(crate) doc: &'static str,
    /// The type of its values.
    #[getter(copy)]
    pub(crate) region: Region,
    /// Whether the role has one value for the field (or farm) instead of one per plot.
    pub(crate) scalar: bool,
    /// Whether `scalar` fully describes the role's shape.
    pub(crate) plain: bool,
    /// The lowest and highest values that a variable with this role may declare; see [`Role::range`].
    pub(crate) range: Option<(f64, f64)>,
    /// The module that declares the role. The path starts with the crate's name.
    pub(crate) module: &'static str,
}

inventory::collect!(RoleEntry);

impl RoleEntry {
    /// The entry for a role that a module declares; used by [`roles!`](crate::roles).
    pub const fn new<T: Element>(role: &Role<T>, module: &'static str) -> Self {
        let Role { name, unit, doc, scalar, plain, range, .. } = *role;
        Self { name, unit, doc, region: T::REGION, scalar, plain, range, module }
    }

    /// The role, for parts that know only its name. The caller must ensure that the role's values have this type.
    pub fn role<T>(&self) -> Role<T> {
        let Self { name, unit, doc, .. } = *self;
        let mut role = match (self.plain, self.scalar) {
            (true, true) => Role::scalar(name, unit, doc),
            (true, false) => Role::per_plot(name, unit, doc),
            (false, _) => Role::shaped(name, unit, doc),
        };
        role.range = self.range;
        role
    }
}

/// One of a kind's named parameter sets.
#[derive(Debug, Clone, farm_macros::Getters)]
pub struct ParameterSet {
    /// Its name.
    pub(crate) name: String,
    /// Synonyms. If a name matches one of them, the error message suggests this set.
    pub(crate) synonyms: Vec<String>,
    /// A one-sentence description.
    pub(crate) doc: String,
    /// The set of the same kind that this one changes, if there is one.
    pub(crate) base: Option<String>,
    /// The source of the numbers.
    pub(crate) source: String,
    /// The parameters that the set contains.
    pub(crate) parameters: Value,
}

impl Kind {
    /// Creates a kind without documentation or parameter sets. `source` states the kind's source, and `module` is the module that registers
    /// it.
    pub const fn new(
        part: PartKind,
        name: &'static str,
        source: &'static str,
        module: &'static str,
        from: KindSource,
    ) -> Self {
        Self { part, name, doc: "", source, sets: "", open: None, module, from }
    }

    /// Sets the kind's one-sentence description.
    pub const fn with_doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// Sets the kind's parameter sets, as YAML.
    pub const fn with_sets(self, sets: &'static str) -> Self {
        Self { sets, ..self }
    }

    /// Sets the parameter that a single value after the name refers to; see [`Kind::open`].
    pub const fn with_open(self, open: Option<&'static str>) -> Self {
        Self { open, ..self }
    }

    /// The kind's parameters.
    pub fn table(&self) -> Vec<ParameterDoc> {
        match self.from {
            KindSource::Linked { table, .. } | KindSource::External { table } => table(),
            KindSource::Plugin(origin) => origin.table.clone(),
        }
    }

    /// The plugin that contains the kind; `None` if the kind does not come from a plugin.
    pub fn origin(&self) -> Option<&'static PluginOrigin> {
        match self.from {
            KindSource::Plugin(origin) => Some(origin),
            KindSource::Linked { .. } | KindSource::External { .. } => None,
        }
    }

    /// Reads a part from the value after the kind's name. This works for kinds from any source.
    ///
    /// # Errors
    /// The kind does not accept these parameters, or can be played only in another program.
    pub fn read(&self, parameters: Value) -> Result<AnyPart, serde_yaml::Error> {
        match self.from {
            KindSource::Linked { read, .. } => read(parameters),
            KindSource::Plugin(origin) => (origin.read)(&parameters).map_err(serde::de::Error::custom),
            KindSource::External { .. } => {
                Err(serde::de::Error::custom(format!("`{}` can be played only in another program", self.name)))
            }
        }
    }

    /// The kind's parameter sets. An invalid file is a mistake by the kind's author.
    ///
    /// # Errors
    /// The YAML parser's message.
    pub fn parameter_sets(&self) -> Result<Vec<ParameterSet>, String> {
        if self.sets.is_empty() {
            return Ok(Vec::new());
        }
        let value: Value = serde_yaml::from_str(self.sets).map_err(|e| e.to_string())?;
        let text = |set: &Value, key: &str| set.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let texts = |list: &Value| {
            list.as_sequence().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let mut sets: Vec<ParameterSet> = Vec::new();
        for (name, set) in value.as_mapping().into_iter().flatten() {
            let own = set.get("parameters").cloned().unwrap_or_default();
            let base = set.get("base").and_then(Value::as_str);
            let parameters = match base {
                None => own,
                Some(base) => {
                    let found = sets.iter().find(|set| set.name == base);
                    let found = found.ok_or_else(|| format!("no parameter set `{base}` before this one"))?;
                    let mut parameters = found.parameters.clone();
                    merge(&mut parameters, own);
                    parameters
                }
            };
            sets.push(ParameterSet {
                name: name.as_str().unwrap_or_default().to_owned(),
                synonyms: set.get("synonyms").map_or_else(Vec::new, texts),
                doc: text(set, "doc"),
                base: base.map(str::to_owned),
                source: text(set, "source"),
                parameters,
            });
        }
        Ok(sets)
    }
}

impl ParameterSet {
    /// The set's synonyms, as pairs of a synonym and the set's name.
    pub(crate) fn named_synonyms(&self) -> impl Iterator<Item = (&str, &str)> {
        self.synonyms.iter().map(|word| (word.as_str(), self.name.as_str()))
    }

    /// Reports parameters in the set that the kind lacks, or that have the wrong type. These are mistakes by the kind's author.
    pub fn problems(&self, table: &[ParameterDoc]) -> Problems {
        let mut problems = Problems::default();
        check_table(
            &self.parameters,
            table,
            &Path::default(),
            &"fix the parameter set where the kind is declared".into(),
            &mut problems,
        );
        problems
    }
}

/// The known kinds and roles, sorted. When a plugin adds kinds or roles, the lists are replaced, so slices returned earlier stay valid.
static KNOWN: RwLock<Option<Known>> = RwLock::new(None);

#[derive(Clone, Copy)]
struct Known {
    kinds: &'static [&'static Kind],
    roles: &'static [&'static RoleEntry],
}

impl Known {
    fn new(mut kinds: Vec<&'static Kind>, mut roles: Vec<&'static RoleEntry>) -> Self {
        kinds.sort_by_key(|kind| (kind.part, kind.name));
        roles.sort_by_key(|role| role.name);
        // The lists are never freed. They are allocated once, and again for each plugin, whose library also stays loaded.
        Self { kinds: kinds.leak(), roles: roles.leak() }
    }
}

fn known() -> Known {
    if let Some(known) = *KNOWN.read().unwrap_or_else(PoisonError::into_inner) {
        return known;
    }
    let mut place = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    *place.get_or_insert_with(|| {
        Known::new(inventory::iter::<Kind>.into_iter().collect(), inventory::iter::<RoleEntry>.into_iter().collect())
    })
}

/// Adds a plugin's kinds and roles. The caller must ensure that no other kind or role has these names.
pub(crate) fn add(kinds: &[&'static Kind], roles: &[&'static RoleEntry]) {
    let before = known();
    let (kinds, roles) = ([before.kinds, kinds].concat(), [before.roles, roles].concat());
    *KNOWN.write().unwrap_or_else(PoisonError::into_inner) = Some(Known::new(kinds, roles));
}

/// All registered kinds, sorted by part and name, because the order of linking is arbitrary.
pub fn kinds() -> &'static [&'static Kind] {
    known().kinds
}

/// The registered kind with this name.
pub fn kind(part: PartKind, name: &str) -> Option<&'static Kind> {
    kinds().iter().find(|kind| kind.part == part && kind.name == name).copied()
}

/// All registered roles, sorted by name.
pub fn roles() -> Vec<&'static RoleEntry> {
    known().roles.to_vec()
}

/// The problem to report for an unknown kind.
pub(crate) fn unknown_kind(part: PartKind, name: &str, path: Path) -> Problem {
    if let Some(other) = elsewhere().into_iter().find(|other| other.kind.part == part && other.kind.name == name) {
        return Problem::new(KindError::PlaysElsewhere, path, other.place).value(name).about_name().help(other.help);
    }
    let names = kinds().iter().filter(|kind| kind.part == part).map(|kind| kind.name);
    let problem = Problem::new(KindError::UnknownKind, path, format!("unknown {} `{name}`", part.singular()))
        .value(name)
        .about_name();
    let Some((kind, set)) = set_called(part, name) else {
        return problem.among(name, names).help(Tool::list(part.plural()).and(" shows all"));
    };
    let problem = problem.among(kind, [kind]).expected(format!("`{kind}: {set}`"));
    problem.help(format!("`{set}` is a parameter set of `{kind}`: write `{kind}: {set}`"))
}

/// The kind that has a parameter set with this name or synonym (ignoring case), and the set's name.
fn set_called(part: PartKind, name: &str) -> Option<(&'static str, String)> {
    let wanted = name.to_lowercase();
    kinds().iter().filter(|kind| kind.part == part).find_map(|kind| {
        let is_called = |word: &String| word.to_lowercase() == wanted;
        let mut sets = kind.parameter_sets().ok()?.into_iter();
        sets.find(|set| is_called(&set.name) || set.synonyms.iter().any(is_called)).map(|set| (kind.name, set.name))
    })
}

/// Declares roles as constants and registers them: `roles! { /// Doc. RAIN: f64 = scalar "rain" in "mm.day-1"; }`. After the unit, you can
/// add a range that every variable with the role must stay within: `in "mm.day-1", [0.0, f64::INFINITY];`.
#[macro_export]
macro_rules! roles {
    ($( $(#[doc = $doc:expr])+ $name:ident : $ty:ty = $shape:ident $role:literal in $unit:literal
        $(, [$low:expr, $high:expr])? ; )+) => {
        $(
            $(#[doc = $doc])+
            pub const $name: $crate::Role<$ty> =
                $crate::Role::$shape($role, $unit, concat!($($doc),+))$(.within($low, $high))?;
            $crate::inventory::submit! {
                $crate::registry::RoleEntry::new(&$name, module_path!())
            }
        )+
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(text: &'static str) -> Result<Vec<ParameterSet>, String> {
        let from = KindSource::External { table: Vec::new };
        Kind::new(PartKind::Entity, "Any", "Test", module_path!(), from).with_sets(text).parameter_sets()
    }

    #[test]
    fn a_set_changes_the_set_before_it_that_it_names() {
        let text = "a: {doc: A., parameters: {x: 1, y: {z: 2, w: 3}}}\nb: {base: a, parameters: {y: {z: 4}}}\nc: {base: b, parameters: {x: 5}}";
        let sets = sets(text).unwrap();
        let parameters = |i: usize| serde_yaml::to_string(sets[i].parameters()).unwrap();
        assert_eq!(
            [0, 1, 2].map(parameters),
            ["x: 1\ny:\n  z: 2\n  w: 3\n", "x: 1\ny:\n  z: 4\n  w: 3\n", "x: 5\ny:\n  z: 4\n  w: 3\n"]
        );
        assert_eq!(sets[1].doc(), "", "a set has a description of its own");
    }

    #[test]
    fn a_base_that_is_missing_or_comes_later_is_an_error() {
        for text in ["a: {base: b}", "a: {base: b}\nb: {parameters: {x: 1}}", "b: {base: b}"] {
            assert_eq!(sets(text).unwrap_err(), "no parameter set `b` before this one", "{text}");
        }
    }
}
