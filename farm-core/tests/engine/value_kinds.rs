//! A new kind of value is a change of few files: those that ask which of the kinds a value has are counted.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, ExprBinary, Item, ItemImpl, Macro, Pat, Type, UseTree};

/// The most files that a fifth kind of value may touch.
const MAX_FILES: usize = 8;

/// Files by which authors declare each kind: its constructor and the names that pass it on, its attribute, and its method in Python.
const DECLARING: [&str; 6] = [
    "farm-core/src/declare/variables.rs",
    "farm-core/src/declare/mod.rs",
    "farm-core/src/prelude.rs",
    "farm-macros/src/columns.rs",
    "farm-python/src/parts/declarations.rs",
    "farm-python/python/farm_gym/parts/declarations.py",
];

/// Whether a file asks which kind a value has: a variant in a pattern, beside `==`, or in a macro, where it may be either.
#[derive(Default)]
struct Finder {
    is_within_the_type: bool,
    found: bool,
}

impl Finder {
    fn of(source: &str) -> bool {
        let mut finder = Self::default();
        finder.visit_file(&syn::parse_file(source).unwrap());
        finder.found
    }

    fn is_variant(&self, words: &[String]) -> bool {
        let [.., kind, variant] = words else { return false };
        (kind == "ValueKind" || kind == "Self" && self.is_within_the_type) && variant.starts_with(char::is_uppercase)
    }

    fn note(&mut self, path: &syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.found |= self.is_variant(&words);
    }

    fn note_operand(&mut self, operand: &Expr) {
        match operand {
            Expr::Path(path) => self.note(&path.path),
            Expr::Struct(value) => self.note(&value.path),
            Expr::Call(call) => self.note_operand(&call.func),
            Expr::Reference(reference) => self.note_operand(&reference.expr),
            Expr::Paren(paren) => self.note_operand(&paren.expr),
            _ => {}
        }
    }

    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut before = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    before.push(word.to_string());
                    self.found |= self.is_variant(&before);
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => {}
                TokenTree::Group(group) => {
                    self.note_tokens(group.stream());
                    before.clear();
                }
                _ => before.clear(),
            }
        }
    }

    /// Names of variants without their type, or of the type under another name, would hide from the rest of this.
    fn note_use(&mut self, tree: &UseTree, is_below_the_type: bool) {
        match tree {
            UseTree::Path(path) => self.note_use(&path.tree, path.ident == "ValueKind"),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.note_use(tree, is_below_the_type)),
            UseTree::Rename(name) => self.found |= is_below_the_type || name.ident == "ValueKind",
            UseTree::Name(_) | UseTree::Glob(_) => self.found |= is_below_the_type,
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && quote::quote!(#attribute).to_string().contains("(test)")
    };
    attributes.iter().any(is_test)
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if is_for_tests(&module.attrs) => {}
            Item::Use(used) => self.note_use(&used.tree, false),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        self.is_within_the_type = matches!(&*item.self_ty, Type::Path(path) if path.path.is_ident("ValueKind"));
        visit::visit_item_impl(self, item);
        self.is_within_the_type = false;
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Struct(pattern) => self.note(&pattern.path),
            Pat::TupleStruct(pattern) => self.note(&pattern.path),
            Pat::Path(pattern) => self.note(&pattern.path),
            _ => {}
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_expr_binary(&mut self, expression: &'ast ExprBinary) {
        if matches!(expression.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            self.note_operand(&expression.left);
            self.note_operand(&expression.right);
        }
        visit::visit_expr_binary(self, expression);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        // A list of kinds declares them.
        if !called.path.is_ident("vec") {
            self.note_tokens(called.tokens.clone());
        }
    }
}

/// The sources below a folder, but for files of tests.
fn sources(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.insert(path);
        }
    }
}

#[test]
fn few_files_ask_which_kind_a_value_has_so_that_a_new_kind_is_a_small_change() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = BTreeSet::new();
    for folder in fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.join("Cargo.toml").is_file() && folder.join("src").is_dir() {
            sources(&folder.join("src"), &mut all);
        }
    }
    let asks = |path: &&PathBuf| Finder::of(&fs::read_to_string(path).unwrap());
    let asking: Vec<&Path> = all.iter().filter(asks).map(|path| path.strip_prefix(&root).unwrap()).collect();
    assert!(asking.contains(&Path::new("farm-core/src/declare/values.rs")), "{asking:?}");
    for declaring in DECLARING {
        let text = fs::read_to_string(root.join(declaring)).unwrap();
        assert!(text.to_lowercase().contains("flag"), "{declaring} declares no flags");
    }
    assert!(
        asking.len() + DECLARING.len() <= MAX_FILES,
        "ask a value kind what follows from it by a method of `ValueKind` instead of which it is: {asking:#?}"
    );
}

#[test]
fn asking_is_told_from_declaring() {
    for asking in [
        "fn f(k: &ValueKind) { match k { ValueKind::Flag => {} _ => {} } }",
        "fn f(k: &declare::ValueKind) { if let declare::ValueKind::Real { low, .. } = k {} }",
        "fn f(k: Option<ValueKind>) { let Some(ValueKind::Category(lists)) = k else { return }; }",
        "fn f(k: &ValueKind) -> bool { *k == ValueKind::Flag }",
        "fn f(k: &ValueKind) -> bool { k != &ValueKind::Count { low: 0, high: 1 } }",
        "fn f(k: &ValueKind) -> bool { matches!(k, ValueKind::Flag) }",
        "fn f(k: &ValueKind) { assert!(matches!(k, ValueKind::Real { .. })) }",
        "impl ValueKind { fn f(&self) -> bool { matches!(self, Self::Flag) } }",
        "use farm_core::declare::ValueKind::*;",
        "use farm_core::declare::{Labels, ValueKind as Kind};",
    ] {
        assert!(Finder::of(asking), "{asking}");
    }
    for declaring in [
        "fn f(d: &mut Declarations) { d.observable(\"wet\", ValueKind::Flag, &[], \"Wet.\"); }",
        "fn f() -> Vec<ValueKind> { vec![ValueKind::Flag] }",
        "fn f(k: &ValueKind) -> bool { k.is_flag() && *k == ValueKind::named([\"a\"]) }",
        "impl Other { fn f(&self) -> bool { matches!(self, Self::Flag) } }",
        "use farm_core::declare::{Labels, ValueKind};",
        "#[cfg(test)] mod tests { fn f(k: ValueKind) { match k { ValueKind::Flag => {} _ => {} } } }",
    ] {
        assert!(!Finder::of(declaring), "{declaring}");
    }
}
