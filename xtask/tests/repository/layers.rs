//! The order of the files of each crate, and the size of the engine's interface.

use std::collections::BTreeSet;
use std::fs;

use syn::visit::{self, Visit};
use syn::{ImplItem, Item, Type, Visibility};

use super::project::{members, root};
use super::sources::{Module, circles, edges, is_for_tests, parse};

/// The modules of `farm-core` from the ground up; those of one line may name each other's lower lines only.
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
    // Texts, plugins and environments of a game.
    &["text"],
    &["plugin", "describe"],
    &["environment", "observer"],
    &["episode"],
    &["dependency_graph", "hand_over", "rollout", "summary", "vector"],
    &["inspect"],
    &["labels"],
    // Names of all of them, for parts of others.
    &["prelude"],
];

/// The largest circle of files of `farm-core`: a policy is built with the game at hand, and a game holds its specification, whose parts the
/// registry reads.
const CYCLE: &[&str] =
    &["game", "part", "registry", "registry::read", "spec", "spec::check", "spec::recover", "spec::table"];

/// The sizes of all circles of files, by crate, and the reason for the largest; the other crates have none. A file is in a circle if it names
/// a file that names it, also by way of others. The table may only shrink: to break a circle, move what both files need into a file below
/// them, or pass a value in.
const CIRCLES: &[(&str, &[usize], &str)] = &[
    ("farm-core", &[8, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2], "see CYCLE"),
    (
        "farm-entities",
        &[10, 6, 5, 4, 3, 3, 3, 3, 2, 2],
        "`formats/mod.rs` defines the trait and the station of all formats",
    ),
    ("farm-scoring", &[2], "`Criterion` is next to the functions that call `Sample`"),
    ("farm-oracle", &[5, 4], "the search of a game is next to the types that it searches"),
    ("farm-games", &[23, 2], "the corridor that opens games reads the catalogue and the families, which open others"),
    ("farm-search", &[5], "`plan/mod.rs` defines the planner and chooses its kind"),
    ("farm-render", &[9, 2], "a scene, its layout and its legend take measures of each other"),
    ("farm-report", &[5], "`lib.rs` defines the report that the sections read"),
    ("farm-python", &[4, 2], "a Python part is built from declarations that name it"),
    ("xtask/generate", &[10, 2], "the pages of the reference share the names in `reference/mod.rs`"),
];

/// The maximum number of public fields of public structs. Other crates read the rest by methods (`farm_macros::Getters`), so that it can
/// change. Fields are public in records that other crates write as literals or take apart (`Rules`, `Outputs`, `ConstraintInfo`, `Consent`,
/// `Label`, `TextPath`, `Location`, `OtherSeed`), in records with no other content (`Outcome`, `Event`, `Transition`, `Problem`,
/// `Reading`), and in tuple structs.
const MAX_PUBLIC_FIELDS: usize = 70;

/// The maximum number of public methods of the types that every user of the engine meets, without the getters of `farm_macros::Getters`.
const MAX_PUBLIC_METHODS: [(&str, usize); 3] = [("Game", 25), ("Declarations", 28), ("Environment", 20)];

#[test]
fn each_module_of_the_engine_names_only_modules_below_it() {
    let edges = edges("farm-core");
    let rank = |module: &Module| LAYERS.iter().position(|layer| layer.contains(&module[0].as_str()));
    let unknown: BTreeSet<&str> =
        edges.keys().filter(|m| !m.is_empty() && rank(m).is_none()).map(|m| m[0].as_str()).collect();
    assert!(unknown.is_empty(), "these modules have no place in LAYERS: {unknown:?}");
    for layer in LAYERS.iter().flat_map(|layer| *layer) {
        assert!(edges.keys().any(|m| m.first().is_some_and(|first| first == layer)), "there is no module `{layer}`");
    }
    let mut upward = Vec::new();
    for (module, others) in &edges {
        for other in others.iter().filter(|other| !module.is_empty() && !other.is_empty()) {
            let may = CYCLE.contains(&&*module.join("::")) && CYCLE.contains(&&*other.join("::"));
            if module[0] != other[0] && rank(other) >= rank(module) && !may {
                upward.push(format!("{} names {}", module.join("::"), other.join("::")));
            }
        }
    }
    assert!(upward.is_empty(), "these name what stands above or beside them:\n{}", upward.join("\n"));
}

#[test]
fn the_files_that_name_each_other_are_known() {
    let found: Vec<(String, Vec<BTreeSet<String>>)> = std::thread::scope(|scope| {
        let read = |member: String| scope.spawn(move || (circles(&edges(&member)), member));
        let reading: Vec<_> = members().into_iter().map(read).collect();
        reading.into_iter().map(|reading| reading.join().unwrap()).map(|(found, member)| (member, found)).collect()
    });
    for (member, _, _) in CIRCLES {
        assert!(found.iter().any(|(known, _)| known == member), "there is no crate `{member}`");
    }
    let mut wrong = String::new();
    for (member, found) in &found {
        let pinned = CIRCLES.iter().find(|(known, _, _)| known == member).map_or(&[][..], |(_, sizes, _)| sizes);
        let sizes: Vec<usize> = found.iter().map(BTreeSet::len).collect();
        if sizes != pinned {
            wrong += &format!("{member}: {sizes:?} instead of {pinned:?}\n");
            found.iter().for_each(|circle| wrong += &format!("    {circle:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "break new circles, and lower the table CIRCLES if it has fewer:\n{wrong}");
    let core = found.iter().find(|(member, _)| member == "farm-core").map(|(_, found)| &found[0]);
    assert_eq!(core, Some(&CYCLE.iter().map(|name| (*name).to_owned()).collect()));
}

#[test]
fn the_public_modules_of_the_engine_are_few_and_each_has_an_example() {
    let root = root().join("farm-core/src");
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

/// What others can use: the public fields of public structs, as `Struct.field`, and public methods, as `Type::method`. What is public is
/// also reachable: the lint `unreachable_pub` sees to it.
#[derive(Default)]
struct Interface {
    fields: Vec<String>,
    methods: Vec<String>,
}

impl<'ast> Visit<'ast> for Interface {
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
                self.fields.push(format!("{}.{name}", item.ident));
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let Type::Path(of) = &*item.self_ty else { return };
        let Some(of) = of.path.segments.last() else { return };
        for part in &item.items {
            if let ImplItem::Fn(method) = part
                && matches!(method.vis, Visibility::Public(_))
            {
                self.methods.push(format!("{}::{}", of.ident, method.sig.ident));
            }
        }
    }
}

#[test]
fn the_public_fields_and_methods_of_the_engine_are_few() {
    let mut found = Interface::default();
    parse("farm-core", &mut |_, parsed| found.visit_file(parsed));
    let Interface { fields, methods } = found;
    assert!(fields.contains(&"Outcome.reward".to_owned()) && fields.contains(&"Problems.0".to_owned()), "{fields:?}");
    assert!(fields.len() <= MAX_PUBLIC_FIELDS, "{} public fields: {fields:#?}", fields.len());
    for (name, most) in MAX_PUBLIC_METHODS {
        let of: Vec<&String> = methods.iter().filter(|method| method.starts_with(&format!("{name}::"))).collect();
        assert!(!of.is_empty() && of.len() <= most, "{} public methods, above {most}: {of:#?}", of.len());
    }
}
