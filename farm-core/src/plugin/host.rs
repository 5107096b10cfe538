//! The program's side of the ABI. It finds, checks and loads libraries, and adds their contents to the registry.

use std::path::{Path as FilePath, PathBuf};
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "plugins")]
use libloading::Library;
use serde_yaml::Value;

#[cfg(feature = "plugins")]
use super::abi::{API_VERSION, MAGIC, SYMBOL};
use super::abi::{CodesText, Descriptor, Host, KindText, Manifest};
use super::client::read_by;
#[cfg(feature = "plugins")]
use super::fingerprint::LAYOUT;
use super::fingerprint::{Claim, IDENTITY, claim, differences};
use super::load_error::LoadError;
#[cfg(feature = "plugins")]
use super::object_file::missing_bytes;
use crate::config::{
    CodeArea, CodeInfo, Document, Origin, Path, Problem, Problems, add_code_areas, code, read_regular, to_inline_yaml,
};
use crate::failure::{self, Failure};
use crate::registry::{Kind, KindSource, PluginOrigin, RoleEntry, add, kinds, roles};

/// A plugin that has been loaded or is linked into the program.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct Plugin {
    /// The plugin's name.
    pub(crate) name: String,
    /// The plugin's version.
    pub(crate) version: String,
    /// The library file; `None` if the plugin is linked into the program.
    pub(crate) path: Option<PathBuf>,
    /// The names of the kinds that the plugin registers.
    pub(crate) kinds: Vec<&'static str>,
}

/// A crate with [`declare_plugin!`](crate::declare_plugin) that is linked into the program. Its library does not need to be loaded.
#[derive(Debug)]
pub struct LinkedPlugin {
    /// The plugin's name.
    pub(crate) name: &'static str,
    /// The plugin's version.
    pub(crate) version: &'static str,
}

inventory::collect!(LinkedPlugin);

impl LinkedPlugin {
    /// Creates the entry for a linked plugin with this name and version. Used by [`declare_plugin!`](crate::declare_plugin).
    pub const fn new(name: &'static str, version: &'static str) -> Self {
        Self { name, version }
    }
}

/// The maximum size of a library, in bytes.
const MAX_LIBRARY_BYTES: u64 = 1 << 30;

/// The loaded plugins, with a hash of each file. The lock is held while loading, so two plugins never register at the same time.
static LOADED: Mutex<Vec<(Plugin, u64)>> = Mutex::new(Vec::new());

/// The plugins loaded so far.
pub fn loaded() -> Vec<Plugin> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(plugin, _)| plugin.clone()).collect()
}

/// Loads the plugins listed in the environment variable `FARM_GYM_PLUGINS`.
///
/// # Errors
/// The first plugin that is rejected.
pub fn load_from_environment() -> Result<Vec<Plugin>, LoadError> {
    let paths = std::env::var_os(super::consent::PLUGINS_VARIABLE).unwrap_or_default();
    load_all(std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()))
}

/// Loads several plugins.
///
/// # Errors
/// The first plugin that is rejected. Any plugins before it stay loaded.
pub fn load_all(paths: impl IntoIterator<Item = PathBuf>) -> Result<Vec<Plugin>, LoadError> {
    paths.into_iter().map(|path| load(&path)).collect()
}

/// Loads the plugins that a game lists under `plugins:`. Their paths are relative to the game file. Plugins that are already loaded or
/// linked need no permission, because listing them does not run any of their code.
///
/// # Errors
/// A plugin is rejected, in which case the problem points at its location in the file. A plugin is not yet loaded, and the user has not
/// agreed to load it ([`Trust`](crate::config::Trust)). A stranger's game names a plugin, in which case the plugin's file is not read.
pub fn load_named(document: &Document) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let paths = document.value.get("plugins").and_then(Value::as_sequence);
    for (i, path) in paths.into_iter().flatten().enumerate() {
        // The game check reports values that are not strings.
        let Some(path) = path.as_str() else { continue };
        let file = document.directory.as_ref().map_or_else(|| PathBuf::from(path), |directory| directory.join(path));
        let at = Path::default().child("plugins").child(i);
        let trust = &document.trust;
        let refused = match trust.origin == Origin::Stranger || trust.origin_of(path) == Origin::Stranger {
            true => Some(LoadError::NotAllowed { path: path.into() }),
            false => load_if(&file, trust.may_run(path)).err(),
        };
        problems.0.extend(
            refused.map(|refused| Problem { value: Some(to_inline_yaml(&path.into())), ..refused.problem(at) }),
        );
    }
    if problems.has_errors() { Err(document.locate(problems)) } else { Ok(()) }
}

/// Loads a plugin. The path is the plugin's file, or its name in its folder without the system's prefix and extension. A file that is
/// already loaded is not loaded again. The same applies to a plugin that is linked into the program with the same version.
///
/// # Errors
/// See [`LoadError`]. The program continues unchanged.
pub fn load(path: &FilePath) -> Result<Plugin, LoadError> {
    load_if(path, true)
}

/// Like [`load`], but for a file that a game names. Without permission, the error reveals nothing about the file, not even whether it
/// exists.
fn load_if(path: &FilePath, is_allowed: bool) -> Result<Plugin, LoadError> {
    find_or_load(path, is_allowed).map_err(|refused| match is_allowed {
        true => refused,
        false => LoadError::NotAllowed { path: path.to_owned() },
    })
}

fn find_or_load(path: &FilePath, is_allowed: bool) -> Result<Plugin, LoadError> {
    let unreadable = |reason: String| LoadError::Unreadable { path: path.to_owned(), reason };
    let mut all = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = find(path).canonicalize().map_err(|error| unreadable(error.to_string()))?;
    let bytes = read_regular(&file, MAX_LIBRARY_BYTES).map_err(|error| unreadable(error.to_string()))?;
    let hash = xxhash_rust::xxh3::xxh3_64(&bytes);
    if let Some((plugin, before)) = all.iter().find(|(plugin, _)| plugin.path.as_ref() == Some(&file)) {
        let changed = || LoadError::Changed { path: file.clone(), name: plugin.name.clone() };
        return if *before == hash { Ok(plugin.clone()) } else { Err(changed()) };
    }
    // This is a copy of the same file at another location.
    if let Some((plugin, _)) = all.iter().find(|(_, before)| *before == hash) {
        return Ok(plugin.clone());
    }
    let claim = examine(&file, &bytes)?;
    if let Some(linked) = linked(&claim) {
        return Ok(linked);
    }
    // This check comes before the request for consent, because consent would not help.
    if cfg!(not(feature = "plugins")) {
        return Err(LoadError::Unsupported { path: path.to_owned() });
    }
    if !is_allowed {
        return Err(LoadError::NotAllowed { path: path.to_owned() });
    }
    if let Some(differences) = differences(&claim.built, IDENTITY) {
        return Err(LoadError::OtherBuild { path: file, name: claim.name, differences });
    }
    let descriptor = open(&file, &claim)?;
    let plugin = register(&file, &claim, descriptor)?;
    all.push((plugin.clone(), hash));
    Ok(plugin)
}

/// The file that a path refers to.
fn find(path: &FilePath) -> PathBuf {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    let name = path.file_name().map(|name| name.to_string_lossy().replace('-', "_"));
    let library = name.map(|name| path.with_file_name(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}")));
    match library {
        Some(library) if !path.is_file() && library.is_file() => library,
        _ => path.to_owned(),
    }
}

/// Reads a library's identity without loading the library.
fn examine(file: &FilePath, bytes: &[u8]) -> Result<Claim, LoadError> {
    /// The first bytes of libraries: ELF, Mach-O for one processor type and for several, and Windows.
    const LIBRARIES: [&[u8]; 4] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];
    if !LIBRARIES.iter().any(|magic| bytes.starts_with(magic)) {
        let begin = match bytes.get(..bytes.len().min(8)) {
            None | Some([]) => "nothing, because the file is empty".to_owned(),
            Some(begin) => format!("`{}`", begin.escape_ascii()),
        };
        return Err(LoadError::NoLibrary { path: file.to_owned(), begin });
    }
    // A program without the feature rejects all libraries in the same way.
    #[cfg(feature = "plugins")]
    if let Some(missing) = missing_bytes(bytes) {
        return Err(LoadError::Cut { path: file.to_owned(), length: bytes.len() as u64, missing });
    }
    claim(bytes).ok_or_else(|| LoadError::NoPlugin { path: file.to_owned() })
}

/// The linked plugin with this identity, if the program has one.
fn linked(claim: &Claim) -> Option<Plugin> {
    let mut all = inventory::iter::<LinkedPlugin>.into_iter();
    let linked = all.find(|linked| linked.name == claim.name && linked.version == claim.version)?;
    let of_crate = |kind: &&&Kind| kind.module.split("::").next() == Some(&*claim.krate);
    let kinds = kinds().iter().filter(of_crate).map(|kind| kind.name).collect();
    Some(Plugin { name: linked.name.to_owned(), version: linked.version.to_owned(), path: None, kinds })
}

/// Reports that this program cannot load libraries.
#[cfg(not(feature = "plugins"))]
fn open(file: &FilePath, _: &Claim) -> Result<&'static Descriptor, LoadError> {
    Err(LoadError::Unsupported { path: file.to_owned() })
}

/// Passes the library to the system loader and checks its descriptor. The library is never unloaded.
#[cfg(feature = "plugins")]
fn open(file: &FilePath, claim: &Claim) -> Result<&'static Descriptor, LoadError> {
    let reason = |reason: String| LoadError::NoDescriptor { path: file.to_owned(), name: claim.name.clone(), reason };
    let library = system_load(file).map_err(|error| LoadError::Unloadable {
        path: file.to_owned(),
        name: claim.name.clone(),
        // The system's message is in the error's source.
        reason: std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string),
    })?;
    // A rejected library is also never unloaded, because its constructors may have left code that is called later.
    let library: &'static Library = Box::leak(Box::new(library));
    let symbol = format!("{SYMBOL}{}", claim.krate);
    // SAFETY: this gets the symbol's address and does not dereference it. The checks below come before any use.
    #[allow(unsafe_code, reason = "a library is loaded, and what it exports is read")]
    let found = unsafe { library.get::<*const Descriptor>(symbol.as_bytes()) };
    let descriptor: *const Descriptor = *found.map_err(|_| reason(format!("it exports no `{symbol}`")))?;
    if descriptor.is_null() || !descriptor.is_aligned() {
        return Err(reason(format!("`{symbol}` does not hold a valid address")));
    }
    let prefix: *const Prefix = descriptor.cast();
    // SAFETY: the symbol is a `static` in the loaded library. According to the identity in its file, our macro created it from the same
    // sources. A prefix has no padding, and all bit patterns are valid. A file with a false identity is code that the user chose to run.
    #[allow(unsafe_code, reason = "a library is loaded, and what it exports is read")]
    let prefix = unsafe { prefix.read() };
    let expected = Prefix { magic: MAGIC, size: size_of::<Descriptor>() as u32, api: API_VERSION, layout: LAYOUT };
    if prefix.magic != expected.magic {
        return Err(reason(format!("`{symbol}` does not start like a descriptor")));
    }
    if (prefix.size, prefix.api) != (expected.size, expected.api) {
        return Err(reason(format!(
            "it has ABI version {} ({} bytes), this program has version {} ({} bytes)",
            prefix.api, prefix.size, expected.api, expected.size
        )));
    }
    if prefix.layout != expected.layout {
        return Err(reason(
            "its types have a different memory layout: it was built with other versions of some crates".to_owned(),
        ));
    }
    // SAFETY: magic, size, version and layout match our own `Descriptor`. The identity in the file is ours, and the library that contains
    // the `static` is never unloaded.
    #[allow(unsafe_code, reason = "a library is loaded, and what it exports is read")]
    let descriptor: &'static Descriptor = unsafe { &*descriptor };
    match self::claim(descriptor.identity) {
        Some(inside) if inside == *claim => Ok(descriptor),
        _ => Err(reason("its descriptor and its file have different identities".to_owned())),
    }
}

/// The start of a descriptor, which can be read from any library.
#[cfg(feature = "plugins")]
#[repr(C)]
#[derive(Clone, Copy)]
struct Prefix {
    magic: [u8; 16],
    size: u32,
    api: u32,
    layout: u64,
}

#[cfg(all(feature = "plugins", unix))]
fn system_load(file: &FilePath) -> Result<Library, libloading::Error> {
    use libloading::os::unix;
    // All symbols are resolved now. A missing symbol is then an error here, and does not end the process during a game. SAFETY: loading
    // runs the library's constructors. The user asked for this file. According to its identity, the same compiler built it from Rust with
    // this engine. Everything else in its constructors is trusted like the rest of its code.
    #[allow(unsafe_code, reason = "a library is loaded, and what it exports is read")]
    let library = unsafe { unix::Library::open(Some(file), unix::RTLD_NOW | unix::RTLD_LOCAL) };
    library.map(Library::from)
}

#[cfg(all(feature = "plugins", not(unix)))]
fn system_load(file: &FilePath) -> Result<Library, libloading::Error> {
    // SAFETY: loading runs the library's constructors. The user asked for this file. According to its identity, the same compiler built it
    // from Rust with this engine. Everything else in its constructors is trusted like the rest of its code.
    #[allow(unsafe_code, reason = "a library is loaded, and what it exports is read")]
    unsafe {
        Library::new(file)
    }
}

/// Asks a plugin for its contents, and adds them to the registry.
fn register(file: &FilePath, claim: &Claim, descriptor: &'static Descriptor) -> Result<Plugin, LoadError> {
    let name: &'static str = claim.name.clone().leak();
    let unregistered =
        |reason: String| LoadError::Unregistered { path: file.to_owned(), name: claim.name.clone(), reason };
    let text = (descriptor.register)(Host { note: noted }).map_err(unregistered)?;
    let manifest: Manifest = serde_yaml::from_str(&text).map_err(|error| unregistered(error.to_string()))?;
    if manifest.kinds.is_empty() && manifest.roles.is_empty() {
        return Err(unregistered("its crate registers no kind and declares no role".to_owned()));
    }
    if let Some(taken) = taken(&manifest) {
        return Err(LoadError::Taken { path: file.to_owned(), name: claim.name.clone(), taken });
    }
    let new_kinds: Vec<&'static Kind> =
        manifest.kinds.into_iter().map(|kind| kept(kind, name, file, descriptor)).collect();
    for kind in &new_kinds {
        let sets = kind.parameter_sets();
        let sets = sets.map_err(|error| unregistered(format!("the parameter sets of `{}`: {error}", kind.name)))?;
        let table = kind.table();
        if let Some((set, wrong)) = sets.iter().find_map(|set| Some((set, set.problems(&table).0.into_iter().next()?)))
        {
            let place = format!("the parameter set `{}` of `{}`, at {}", set.name, kind.name, wrong.path);
            return Err(unregistered(format!("{place}: {}", wrong.message)));
        }
    }
    let known: Vec<&str> = roles().iter().map(|role| role.name).collect();
    let new_roles = manifest.roles.into_iter().filter(|role| !known.contains(&role.name.as_str())).map(|role| {
        let entry = RoleEntry {
            name: role.name.leak(),
            unit: role.unit.leak(),
            doc: role.doc.leak(),
            region: role.region,
            scalar: role.scalar,
            plain: role.plain,
            range: role.range,
            module: role.module.leak(),
        };
        &*Box::leak(Box::new(entry))
    });
    let new_roles: Vec<&'static RoleEntry> = new_roles.collect();
    add(&new_kinds, &new_roles);
    add_code_areas(&manifest.codes.into_iter().map(area_of).collect::<Vec<_>>());
    Ok(Plugin {
        name: claim.name.clone(),
        version: claim.version.clone(),
        path: Some(file.to_owned()),
        kinds: new_kinds.iter().map(|kind| kind.name).collect(),
    })
}

/// The codes for a plugin's problems, with an unlimited lifetime. Existing codes are skipped.
fn area_of(text: CodesText) -> &'static CodeArea {
    let new = text.codes.into_iter().filter(|(name, _)| code(name).is_none());
    let codes: Vec<CodeInfo> = new.map(|(name, doc)| CodeInfo { name: name.leak(), doc: doc.leak() }).collect();
    Box::leak(Box::new(CodeArea {
        name: text.area.leak(),
        doc: text.doc.leak(),
        codes: codes.leak(),
        module: text.module.leak(),
    }))
}

/// A plugin's kind, ready for the registry, with an unlimited lifetime.
fn kept(text: KindText, plugin: &'static str, file: &FilePath, descriptor: &'static Descriptor) -> &'static Kind {
    let (part, name, read) = (text.part, &*text.name.leak(), descriptor.read);
    let read = Box::new(move |own: &Value| read_by(plugin, read, (part, name), own));
    let origin = PluginOrigin { plugin, path: file.to_owned(), table: text.table, read };
    Box::leak(Box::new(Kind {
        part,
        name,
        doc: text.doc.leak(),
        source: text.source.leak(),
        sets: text.sets.leak(),
        open: text.open.map(|open| &*open.leak()),
        module: text.module.leak(),
        from: KindSource::Plugin(Box::leak(Box::new(origin))),
    }))
}

/// The plugin's names that are already in use, and what uses them.
fn taken(manifest: &Manifest) -> Option<String> {
    let mut words = Vec::new();
    for (i, kind) in manifest.kinds.iter().enumerate() {
        if let Some(other) = kinds().iter().find(|other| other.name == kind.name) {
            let whose = match other.origin() {
                Some(origin) => format!("the plugin `{}` ({})", origin.plugin, origin.path.display()),
                None => "this program".to_owned(),
            };
            words.push(format!("the {} `{}` already exists in {whose}", other.part.singular(), kind.name));
        } else if manifest.kinds[..i].iter().any(|other| other.name == kind.name) {
            words.push(format!("the plugin has two kinds `{}`", kind.name));
        }
    }
    for role in &manifest.roles {
        // Several parts can share a role. A plugin may declare the same role again, but not another role with the same name.
        let differs = |other: &&RoleEntry| {
            other.name == role.name
                && ((other.unit, other.region, other.scalar, other.plain, other.range)
                    != (role.unit.as_str(), role.region, role.scalar, role.plain, role.range))
        };
        if let Some(other) = roles().into_iter().find(differs) {
            words.push(format!(
                "the role `{}` has the unit `{}` in this program, but a different shape, range or unit in the plugin",
                role.name, other.unit
            ));
        }
    }
    if words.is_empty() { None } else { Some(words.join(", ")) }
}

/// Plugins call this function when one of their methods has panicked.
fn noted(plugin: &str, part: &str, method: &str, message: &str) {
    failure::record(Failure {
        plugin: plugin.to_owned(),
        part: part.to_owned(),
        method: method.to_owned(),
        message: message.to_owned(),
    });
}

#[cfg(all(test, not(feature = "plugins")))]
mod tests {
    use super::*;
    use crate::plugin::{END, MARKER};

    #[test]
    fn without_the_feature_a_library_is_refused_by_name_also_where_game_files_may_name_some() {
        let folder = std::env::temp_dir().join(format!("farm-core-without-plugins-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let library = folder.join("slugs.so");
        std::fs::write(&library, ["\x7fELF", MARKER, "slugs|1.2.3|slugs|", IDENTITY, END].concat()).unwrap();
        let refused = load(&library).unwrap_err();
        assert!(matches!(refused, LoadError::Unsupported { .. }), "{refused}");
        assert!(refused.to_string().contains("slugs.so") && refused.help().contains("feature `plugins`"), "{refused}");
        let refused = load_if(&library, true).unwrap_err();
        assert!(matches!(refused, LoadError::Unsupported { .. }), "{refused}");
        // Nothing about a file is revealed before a game may name it.
        let refused = load_if(&library, false).unwrap_err();
        assert!(matches!(refused, LoadError::NotAllowed { .. }), "{refused}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
