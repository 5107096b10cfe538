//! Reads the sources of a crate: its files, and the files that each of them names.
//!
//! The sources are parsed, and every path that begins with `crate`, `super` or `self` is followed through the `use` lines to the file that
//! it means. Modules for tests count for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Macro, UseTree, Visibility};

use super::project::root;

/// A file of a crate, by its module path, such as `config::document`. The path of the crate's root is empty.
pub(super) type Module = Vec<String>;

/// The references of a file.
#[derive(Default)]
struct File {
    /// Paths that it names, from the root of the crate.
    paths: BTreeSet<Module>,
    /// Paths that begin with a name: of a module below, or of anything else.
    from_here: BTreeSet<Module>,
    /// The names that it imports, each with its path from the root.
    imported: BTreeMap<String, Module>,
    /// Modules whose items it imports all together.
    globs: Vec<Module>,
}

struct Reader {
    /// The module that is read: the file, or a module within it.
    module: Module,
    file: File,
}

impl Reader {
    /// A path from the root of the crate; none for paths into other crates.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.clone(),
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
            None => self.file.from_here.insert([&self.module, path].concat()),
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
                self.file.globs.push(self.absolute_path(before));
            }
            UseTree::Name(name) => self.note_name(&with(&name.ident), before, &name.ident.to_string(), is_public),
            UseTree::Rename(name) => self.note_name(&with(&name.ident), before, &name.rename.to_string(), is_public),
        }
    }

    fn note_name(&mut self, path: &[String], before: &[String], name: &str, is_public: bool) {
        // `use super::x::{self}` names the module.
        let path = if path.last().is_some_and(|word| word == "self") { before } else { path };
        let name = if name == "self" { before.last().map_or("", String::as_str) } else { name };
        let from_root = self.absolute_path(path);
        // What a module passes on of those below it, it need not use itself.
        if !is_public || !from_root.starts_with(&self.module) {
            self.note(path);
        }
        self.file.imported.insert(name.to_owned(), from_root);
    }

    /// As [`Self::absolute`]; a path that begins with the name of a module below begins here.
    fn absolute_path(&self, path: &[String]) -> Module {
        self.absolute(path).unwrap_or_else(|| [&self.module, path].concat())
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
            self.note_tokens_path(&path);
            (path, colons) = (Vec::new(), 0);
            match token {
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) => self.note_tokens(group.stream()),
                _ => {}
            }
        }
        self.note_tokens_path(&path);
    }

    /// A word alone is no path: `crate` occurs in `pub(crate)`, and `self` is a value.
    fn note_tokens_path(&mut self, path: &[String]) {
        if path.len() > 1 {
            self.note(path);
        }
    }
}

pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test =
        |attribute: &Attribute| attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test");
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && is_test(attribute))
}

impl<'ast> Visit<'ast> for Reader {
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

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.note_use(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    // `pub(super)` does not name the module above.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

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

/// Parses each file of a crate but those of tests, and hands it over with its module.
pub(super) fn parse(member: &str, visit: &mut dyn FnMut(Module, &syn::File)) {
    parse_folder(&root().join(member).join("src"), &[], visit);
}

fn parse_folder(folder: &Path, module: &[String], visit: &mut dyn FnMut(Module, &syn::File)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_source = path.is_dir() || path.extension().is_some_and(|ending| ending == "rs");
        if name == "tests" || !is_source {
            continue;
        }
        let own =
            if ["lib", "main", "mod"].contains(&name.as_str()) { module.to_vec() } else { [module, &[name]].concat() };
        if path.is_dir() {
            parse_folder(&path, &own, visit);
            continue;
        }
        visit(own, &syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap());
    }
}

/// The files of a crate, each with the files that it names.
pub(super) type Edges = BTreeMap<Module, BTreeSet<Module>>;

/// The files of a crate but those of tests, each with the files that it names.
pub(super) fn edges(member: &str) -> Edges {
    let mut files = BTreeMap::new();
    parse(member, &mut |own, parsed| {
        // A library and its program have one root.
        let mut reader = Reader { module: own.clone(), file: files.remove(&own).unwrap_or_default() };
        reader.visit_file(parsed);
        files.insert(own, reader.file);
    });
    let edge = |(module, file): (&Module, &File)| {
        // A module below, or a name that the file passes on and uses itself.
        let is_known = |path: &&Module| {
            let begin = path.get(..=module.len()).unwrap_or_default();
            files.contains_key(begin) || begin.last().is_some_and(|name| file.imported.contains_key(name))
        };
        let below = file.from_here.iter().filter(is_known);
        let named = file.paths.iter().chain(below).map(|path| meant(path, &files, 0).clone());
        (module.clone(), named.filter(|other| other != module).collect())
    };
    files.iter().map(edge).collect()
}

/// The file that a path means: the deepest module on it, and on from there where that passes the next name on.
fn meant<'f>(path: &[String], files: &'f BTreeMap<Module, File>, depth: usize) -> &'f Module {
    let deepest = (0..=path.len()).rev().find_map(|length| files.get_key_value(&path[..length]));
    let (module, file) = deepest.expect("the root is a file");
    let Some(name) = path.get(module.len()).filter(|_| depth < 9) else { return module };
    if let Some(further) = file.imported.get(name) {
        let rest = &path[module.len() + 1..];
        return meant(&[&further[..], rest].concat(), files, depth + 1);
    }
    // A glob import does not say which module defines the name, so at most one module may be imported this way.
    match file.globs.as_slice() {
        [further] => meant(&[&further[..], &path[module.len()..]].concat(), files, depth + 1),
        _ => module,
    }
}

/// The sets of files that reach each other, the largest first.
pub(super) fn circles(edges: &Edges) -> Vec<BTreeSet<String>> {
    let reaches = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![&edges[from]]);
        while let Some(others) = open.pop() {
            open.extend(others.iter().filter(|next| seen.insert(*next)).map(|next| &edges[next]));
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = edges.keys().map(|module| (module, reaches(module))).collect();
    let circle_of = |module: &Module| -> BTreeSet<String> {
        reached[module].iter().filter(|other| reached[**other].contains(module)).map(|other| name(other)).collect()
    };
    let found: BTreeSet<BTreeSet<String>> = edges.keys().map(circle_of).collect();
    let mut found: Vec<BTreeSet<String>> = found.into_iter().filter(|circle| circle.len() > 1).collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

/// The name of a file in messages.
pub(super) fn name(module: &Module) -> String {
    if module.is_empty() { "crate".to_owned() } else { module.join("::") }
}
