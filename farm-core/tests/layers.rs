//! The order of the modules, each of which names only what stands below it, and how much of them others see.
//!
//! The sources are parsed, and every path that begins with `crate`, `super` or `self` is followed through the `pub use` lines to the file
//! that it means. Modules for tests count for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Macro, UseTree, Visibility};

/// The modules from the ground up; those of one line may name each other's lower lines only.
const LAYERS: &[&[&str]] = &[
    // Numbers and texts.
    &["math", "format", "parallel"],
    &["state", "rng", "seeds"],
    // What a user writes.
    &["config"],
    &["space"],
    // What parts declare and do.
    &["picture", "mass_balance"],
    &["declare"],
    &["action", "condition"],
    &["observation"],
    &["rules"],
    &["part"],
    &["failure", "monitor"],
    &["step"],
    // A game.
    &["registry"],
    &["spec"],
    &["game"],
    // Who plays it, and what is said of it.
    &["text"],
    &["plugin", "describe"],
    &["environment", "observer"],
    &["episode"],
    &["dependency_graph", "rollout", "summary", "vector"],
    &["inspect"],
    &["labels"],
    // Names of all of them, for parts of others.
    &["prelude"],
];

/// The largest set of files that need each other: a policy is built with the game at hand, and a game holds its specification, whose
/// parts the registry reads.
const CYCLE: &[&str] = &[
    "game",
    "part",
    "registry",
    "registry::read",
    "spec",
    "spec::check",
    "spec::limits",
    "spec::recover",
    "spec::table",
];

/// The public fields of public structs. Others read the rest by methods (`farm_macros::Getters`), so that it can change. Public are
/// those of plain records that others write as literals or take apart (`Rules`, `Outputs`, `ConstraintInfo`, `Consent`, `Label`, `TextPath`, `Location`,
/// `OtherSeed`), of those that are nothing but their fields (`Outcome`, `Event`, `Transition`, `Problem`, `Reading`), and what stands in a tuple.
const MAX_PUBLIC_FIELDS: usize = 70;

/// A file of the crate: its module path, such as `config::document`.
type Module = Vec<String>;

/// What a file says of others.
#[derive(Default)]
struct File {
    /// Paths that it names, from the root of the crate.
    paths: BTreeSet<Module>,
    /// Paths that begin with a name: of a module below, or of anything else.
    from_here: BTreeSet<Module>,
    /// What it passes on by `pub use`: the name, and the path from the root.
    passed_on: BTreeMap<String, Module>,
    /// Modules whose items it passes on all together.
    globs: Vec<Module>,
}

struct Reader<'m> {
    module: &'m [String],
    file: File,
}

impl Reader<'_> {
    /// A path from the root of the crate; none for paths into other crates.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.to_vec(),
            "super" => self.module[..self.module.len().checked_sub(1)?].to_vec(),
            _ => return None,
        };
        let mut rest = &path[1..];
        while rest.first().is_some_and(|word| word == "super") {
            base.pop();
            rest = &rest[1..];
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    fn note(&mut self, path: &[String]) {
        match self.absolute(path) {
            Some(path) => self.file.paths.insert(path),
            None => self.file.from_here.insert([self.module, path].concat()),
        };
    }

    /// Each path of a `use`, and whether it is passed on.
    fn note_use(&mut self, tree: &UseTree, before: &[String], is_public: bool) {
        let with = |word: &syn::Ident| [before, &[word.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.note_use(&path.tree, &with(&path.ident), is_public),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.note_use(tree, before, is_public)),
            UseTree::Glob(_) => {
                self.note(before);
                self.file.globs.extend(self.relative(before).filter(|_| is_public));
            }
            UseTree::Name(name) => self.note_name(&with(&name.ident), before, &name.ident.to_string(), is_public),
            UseTree::Rename(name) => self.note_name(&with(&name.ident), before, &name.rename.to_string(), is_public),
        }
    }

    fn note_name(&mut self, path: &[String], before: &[String], name: &str, is_public: bool) {
        // `use super::x::{self}` names the module.
        let path = if path.last().is_some_and(|word| word == "self") { before } else { path };
        let name = if name == "self" { before.last().map_or("", String::as_str) } else { name };
        let further = self.relative(path).filter(|_| is_public);
        // What a module passes on of those below it, it need not use itself.
        if further.as_ref().is_none_or(|further| !further.starts_with(self.module)) {
            self.note(path);
        }
        if let Some(path) = further {
            self.file.passed_on.insert(name.to_owned(), path);
        }
    }

    /// As [`Self::absolute`]; a path that begins with the name of a module below begins here.
    fn relative(&self, path: &[String]) -> Option<Module> {
        self.absolute(path).or_else(|| Some([self.module, path].concat()))
    }

    /// Paths within a macro, which are not parsed: `crate`, `super` or `self`, followed by `::` and a name.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for token in tokens {
            match &token {
                TokenTree::Ident(word) if colons == 2 || path.is_empty() => {
                    path.push(word.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                _ => {}
            }
            self.note(&path);
            (path, colons) = (Vec::new(), 0);
            match token {
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) => self.note_tokens(group.stream()),
                _ => {}
            }
        }
        self.note(&path);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg") && quote::quote!(#attribute).to_string().contains("(test)"))
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.note_use(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(&words);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        self.note_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}

/// All files of the crate but those of tests, by module.
fn files() -> BTreeMap<Module, File> {
    let mut files = BTreeMap::new();
    parse_folder(&sources(), &[], &mut |own, parsed| {
        let mut reader = Reader { module: &own, file: File::default() };
        reader.visit_file(parsed);
        let file = reader.file;
        files.insert(own, file);
    });
    files
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Parses each file below a folder but those of tests, and hands it over with its module.
fn parse_folder(folder: &Path, module: &[String], visit: &mut dyn FnMut(Module, &syn::File)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "tests" {
            continue;
        }
        let own = if ["lib", "mod"].contains(&name.as_str()) { module.to_vec() } else { [module, &[name]].concat() };
        if path.is_dir() {
            parse_folder(&path, &own, visit);
            continue;
        }
        visit(own, &syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap());
    }
}

/// The file that a path means: the deepest module on it, and on from there where that passes the next name on.
fn meant<'f>(path: &[String], files: &'f BTreeMap<Module, File>, depth: usize) -> &'f Module {
    let deepest = (0..=path.len()).rev().find_map(|length| files.get_key_value(&path[..length]));
    let (module, file) = deepest.expect("the root is a file");
    let Some(name) = path.get(module.len()).filter(|_| depth < 9) else { return module };
    if let Some(further) = file.passed_on.get(name) {
        let rest = &path[module.len() + 1..];
        return meant(&[&further[..], rest].concat(), files, depth + 1);
    }
    // Where all is passed on, the name is not known to stand in one of several modules; there is one such module at most.
    match file.globs.as_slice() {
        [further] => meant(&[&further[..], &path[module.len()..]].concat(), files, depth + 1),
        _ => module,
    }
}

/// For each file the files that it names.
fn edges(files: &BTreeMap<Module, File>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let edge = |(module, file): (&'_ Module, &File)| {
        // A module below, or a name that the file passes on and uses itself.
        let is_known = |path: &&Module| {
            let begin = path.get(..=module.len()).unwrap_or_default();
            files.contains_key(begin) || begin.last().is_some_and(|name| file.passed_on.contains_key(name))
        };
        let below = file.from_here.iter().filter(is_known);
        let named = file.paths.iter().chain(below).map(|path| meant(path, files, 0));
        // A module holds the modules below it, and they what it holds.
        let others: BTreeSet<&Module> = named.filter(|other| !other.is_empty() && *other != module).collect();
        (files.get_key_value(module).unwrap().0, others)
    };
    files.iter().filter(|(module, _)| !module.is_empty()).map(edge).collect()
}

#[test]
fn each_module_names_only_modules_below_it() {
    let files = files();
    let rank = |module: &Module| LAYERS.iter().position(|layer| layer.contains(&module[0].as_str()));
    let unknown: BTreeSet<&str> =
        files.keys().filter(|m| !m.is_empty() && rank(m).is_none()).map(|m| m[0].as_str()).collect();
    assert!(unknown.is_empty(), "these modules have no place in LAYERS: {unknown:?}");
    for layer in LAYERS.iter().flat_map(|layer| *layer) {
        assert!(files.keys().any(|m| m.first().is_some_and(|first| first == layer)), "there is no module `{layer}`");
    }
    let mut upward = Vec::new();
    for (module, others) in edges(&files) {
        for other in others {
            let may = CYCLE.contains(&&*module.join("::")) && CYCLE.contains(&&*other.join("::"));
            if module[0] != other[0] && rank(other) >= rank(module) && !may {
                upward.push(format!("{} names {}", module.join("::"), other.join("::")));
            }
        }
    }
    assert!(upward.is_empty(), "these name what stands above or beside them:\n{}", upward.join("\n"));
}

/// The sets of files that reach each other, the largest first.
fn cycles(edges: &BTreeMap<&Module, BTreeSet<&Module>>) -> Vec<BTreeSet<String>> {
    let reaches = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![&edges[from]]);
        while let Some(others) = open.pop() {
            open.extend(others.iter().filter(|next| seen.insert(**next)).map(|next| &edges[*next]));
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = edges.keys().map(|module| (*module, reaches(module))).collect();
    let cycle_of = |module: &&Module| -> BTreeSet<String> {
        reached[module].iter().filter(|other| reached[**other].contains(module)).map(|other| other.join("::")).collect()
    };
    let found: BTreeSet<BTreeSet<String>> = edges.keys().map(cycle_of).collect();
    let mut found: Vec<BTreeSet<String>> = found.into_iter().filter(|cycle| cycle.len() > 1).collect();
    found.sort_by_key(|cycle| std::cmp::Reverse(cycle.len()));
    found
}

#[test]
fn the_files_that_need_each_other_are_known() {
    let files = files();
    let found = cycles(&edges(&files));
    let known: BTreeSet<String> = CYCLE.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(found.first(), Some(&known), "the largest of {found:#?}");
    assert!(found[1..].iter().all(|cycle| cycle.len() < known.len()), "{found:#?}");
}

#[test]
fn the_public_modules_are_few_and_each_has_an_example() {
    let root = sources();
    let text = fs::read_to_string(root.join("lib.rs")).unwrap();
    let file = syn::parse_file(&text).unwrap();
    let modules = file.items.iter().filter_map(|item| match item {
        Item::Mod(module) if matches!(module.vis, Visibility::Public(_)) => Some(module.ident.to_string()),
        _ => None,
    });
    let modules: Vec<String> = modules.collect();
    assert!(modules.len() <= 13, "{} public modules: {modules:?}", modules.len());
    for module in modules {
        let file = root.join(format!("{module}.rs"));
        let file = if file.is_file() { file } else { root.join(&module).join("mod.rs") };
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.lines().any(|line| line == "//! ```"), "the documentation of `{module}` has no example that runs");
    }
}

/// The public fields of public structs, as `Struct.field`. What is public is also reachable: the lint `unreachable_pub` sees to it.
#[derive(Default)]
struct PublicFields(Vec<String>);

impl<'ast> Visit<'ast> for PublicFields {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if !matches!(item.vis, Visibility::Public(_)) {
            return;
        }
        for (i, field) in item.fields.iter().enumerate() {
            if matches!(field.vis, Visibility::Public(_)) {
                let name = field.ident.as_ref().map_or(i.to_string(), ToString::to_string);
                self.0.push(format!("{}.{name}", item.ident));
            }
        }
    }
}

#[test]
fn the_public_fields_are_few() {
    let mut found = PublicFields::default();
    parse_folder(&sources(), &[], &mut |_, parsed| found.visit_file(parsed));
    let found = found.0;
    assert!(found.contains(&"Outcome.reward".to_owned()) && found.contains(&"Problems.0".to_owned()), "{found:?}");
    assert!(found.len() <= MAX_PUBLIC_FIELDS, "{} public fields: {found:#?}", found.len());
}
