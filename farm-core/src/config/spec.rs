//! The game specification: what the YAML says, with every part as a typed object.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_yaml::{Mapping, Value};

use super::document::Document;
use super::parameters::{ParameterDoc, ParameterKind, ParameterValue, Parameters, check_table, show};
use super::problem::{Path, Problem, Problems, Segment, Severity};
use super::registry::{Kind, PartKind, kind, unknown_kind};
use crate::part::{Entity, Farmer, Policy, Rule, Score};
use crate::plugin;

crate::parameters! {
    /// Where a field lies.
    pub struct Localization {
        /// Latitude, north positive.
        pub latitude_degrees: f64 = 43.6, "latitude#°", [-90.0, 90.0];
        /// Longitude, east positive.
        pub longitude_degrees: f64 = 3.9, "longitude#°", [-180.0, 180.0];
        /// Height above the sea.
        pub altitude_m: f64 = 0.0, "altitude#m", [-430.0, 9000.0];
    }
}

crate::parameters! {
    /// The form of a field.
    pub struct Shape {
        /// Number of plots from west to east.
        pub length: u32 = 1, "length#nb", [1, 1000];
        /// Number of plots from north to south.
        pub width: u32 = 1, "width#nb", [1, 1000];
        /// Edge of a plot.
        pub scale_m: f64 = 1.0, "scale#m", [0.01, 10_000.0];
    }
}

crate::choice! {
    /// How the learner and the farm take turns.
    pub enum InteractionMode {
        /// Free observations, then one schedule of interventions a step.
        Pomdp = "pomdp",
        /// Free observations and a schedule of paid ones, then a schedule of interventions: two steps a day.
        Aomdp = "aomdp",
        /// All visible variables are observed, then one schedule of interventions a step.
        Fomdp = "fomdp",
    }
}

/// Changes to a game by path: `fields.Field-0.shape.length#nb: 4`.
pub type Preset = IndexMap<String, Value>;

/// A field of a game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldSpec {
    /// Where it lies.
    #[serde(default)]
    pub localization: Localization,
    /// Its form.
    #[serde(default)]
    pub shape: Shape,
    /// Parameters for all its entities that have them; written into each when the game is loaded.
    #[serde(default, skip_serializing)]
    pub entity_defaults: IndexMap<String, Value>,
    /// Its components, in the order in which they act within a phase.
    #[serde(deserialize_with = "plugin::parts")]
    pub entities: Vec<Box<dyn Entity>>,
}

/// A game as its YAML says it, with all parameter sets written out.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSpec {
    /// Its name.
    pub name: String,
    /// What it is about, in a sentence.
    #[serde(default)]
    pub doc: String,
    /// Libraries that it needs, by path from its own folder; loaded only where the user allows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plugins: Vec<String>,
    /// What a player is told to aim at, also where the rules are hidden; placeholders take values from the parameters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// The rules as a player is told them where they are shown; placeholders as in `goal`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules_text: String,
    /// The fields by name, in order.
    pub fields: IndexMap<String, FieldSpec>,
    /// Who executes actions.
    #[serde(deserialize_with = "plugin::parts")]
    pub farmers: Vec<Box<dyn Farmer>>,
    /// Start, allowed actions, free observations, end.
    #[serde(deserialize_with = "plugin::part")]
    pub rules: Box<dyn Rule>,
    /// Costs and rewards.
    #[serde(deserialize_with = "plugin::part")]
    pub score: Box<dyn Score>,
    /// How learner and farm take turns.
    #[serde(default)]
    pub interaction_mode: InteractionMode,
    /// Ways to play this game, by name.
    #[serde(default, deserialize_with = "plugin::named_parts")]
    pub policies: IndexMap<String, Box<dyn Policy>>,
    /// Variants of the game, by name.
    #[serde(default)]
    pub presets: IndexMap<String, Preset>,
    /// Variables to be recorded; their names are checked when the game is compiled ([`crate::monitor`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub monitoring: Vec<Value>,
    /// The folder that relative paths start from.
    #[serde(skip)]
    pub directory: Option<PathBuf>,
    /// What its reader should know, though it can be played: each with its place, once it is located.
    #[serde(skip)]
    pub warnings: Problems,
}

impl GameSpec {
    /// The YAML of the game, with every parameter written out.
    ///
    /// # Errors
    /// A part whose serialisation fails, which no part of this project does.
    pub fn to_yaml(&self) -> Result<String, serde_yaml::Error> {
        serde_yaml::to_string(self)
    }
}

/// How a reader tells one form of a game from the other.
const BOTH_FORMS: &str = "a game has `fields:` with its `entities:`, and beside it `farmers:`, `rules:` and `score:`; one in the \
                          format of the Farm-gym reference has `Farm:` instead, with `Field-0:` and `Farmer-0:` in it, and is read \
                          too when it is opened as a file";

/// What a game can't do without.
pub(super) const REQUIRED: [&str; 5] = ["name", "fields", "farmers", "rules", "score"];

/// The keys of a game.
pub(super) fn game_table() -> Vec<ParameterDoc> {
    let entry = |name, doc: &str, kind| ParameterDoc { name, doc: doc.into(), kind, range: None, default: Value::Null };
    vec![
        entry("name", "Its name.", ParameterKind::Text),
        entry("doc", "What it is about, in a sentence.", ParameterKind::Text),
        entry(
            "plugins",
            "Libraries that it needs, by path from its own folder; loaded only where the user allows it (`--allow-plugins`).",
            ParameterKind::List(Box::new(ParameterKind::Text)),
        ),
        entry(
            "goal",
            "What a player is told to aim at, also where the rules are hidden. `{Part-0.parameter}` stands for a value of the game, \
             `{Part-0.parameter?value=text|other text}` for a text that it chooses.",
            ParameterKind::Text,
        ),
        entry(
            "rules_text",
            "The rules as a player is told them where they are shown; placeholders as in `goal`.",
            ParameterKind::Text,
        ),
        entry("fields", "The fields by name.", ParameterKind::Map(Box::new(ParameterKind::Group(field_table())))),
        entry("farmers", "Who executes actions.", ParameterKind::List(Box::new(ParameterKind::Part(PartKind::Farmer)))),
        entry("rules", "Start, allowed actions, free observations, end.", ParameterKind::Part(PartKind::Rule)),
        entry("score", "Costs and rewards.", ParameterKind::Part(PartKind::Score)),
        entry("interaction_mode", "How learner and farm take turns.", InteractionMode::kind()),
        entry(
            "policies",
            "Ways to play this game, by name.",
            ParameterKind::Map(Box::new(ParameterKind::Part(PartKind::Policy))),
        ),
        entry(
            "presets",
            "Variants of the game, by name.",
            ParameterKind::Map(Box::new(ParameterKind::Map(Box::new(ParameterKind::Any)))),
        ),
        entry(
            "monitoring",
            "Variables to be recorded, each `[field, entity, variable, function, title, range]`.",
            ParameterKind::List(Box::new(ParameterKind::Any)),
        ),
    ]
}

fn field_table() -> Vec<ParameterDoc> {
    let entry = |name, doc: &str, kind| ParameterDoc { name, doc: doc.into(), kind, range: None, default: Value::Null };
    vec![
        entry("localization", "Where it lies.", ParameterKind::Group(Localization::table())),
        entry("shape", "Its form.", ParameterKind::Group(Shape::table())),
        entry(
            "entity_defaults",
            "Parameters for all its entities that have them.",
            ParameterKind::Map(Box::new(ParameterKind::Any)),
        ),
        entry(
            "entities",
            "Its components, in order.",
            ParameterKind::List(Box::new(ParameterKind::Part(PartKind::Entity))),
        ),
    ]
}

/// Parses, checks and types a game; `source` names the text in messages.
///
/// # Errors
/// Every problem of the text, located.
pub fn load(source: &str, text: &str) -> Result<GameSpec, Problems> {
    load_document(&Document::parse(source, text)?)
}

/// Checks a parsed game and makes the typed specification of it, with the warnings of the document and of the checks.
///
/// # Errors
/// Every problem of the document, located.
pub fn load_document(document: &Document) -> Result<GameSpec, Problems> {
    let mut problems = Problems::default();
    let resolved = check_game(&document.value, &mut problems);
    if !problems.has_errors() {
        match serde_yaml::from_value::<GameSpec>(resolved) {
            Ok(spec) => {
                let mut warnings = document.warnings.clone();
                warnings.0.extend(document.locate(problems).0);
                return Ok(GameSpec { directory: document.directory.clone(), warnings, ..spec });
            }
            // The tables have accepted everything, so this is a part that reads its parameters in a way of its own.
            Err(error) => problems.push(Problem::new(Path::default(), error.to_string())),
        }
    }
    Err(document.locate(problems))
}

/// The game that a document with problems would be, if what the checks of single values refused were left out: for finding what
/// else is wrong in the same pass; with the paths of what they refused. None where that could not be told from what only follows.
pub fn recover(document: &Document) -> Option<(GameSpec, Vec<Path>)> {
    let mut problems = Problems::default();
    check_game(&document.value, &mut problems);
    let mut rest = document.value.clone();
    for problem in problems.0.iter().filter(|problem| problem.severity == Severity::Error) {
        // The form of the fields decides about all their plots, and what is no scalar may hold names that others refer to.
        let is_form = problem.path.0.iter().any(|segment| *segment == Segment::from("shape"));
        let (last, above) = problem.path.0.split_last()?;
        let Segment::Key(key) = last else { return None };
        let place = above.iter().try_fold(&mut rest, |value, segment| match segment {
            Segment::Key(key) => value.get_mut(key.as_str()),
            Segment::Index(index) => value.get_mut(*index),
        });
        let place = place?;
        // A kind that stands by itself.
        if place.as_str() == Some(key) {
            *place = Value::String(problem.nearest.clone()?);
            continue;
        }
        let mapping = place.as_mapping_mut()?;
        let is_list = |value: &Value| value.is_sequence() || value.is_mapping();
        let is_kind = is_part(above);
        let renamed = problem.nearest.as_ref().filter(|name| !mapping.contains_key(name.as_str()));
        match (mapping.get(key.as_str()), renamed) {
            _ if is_form => return None,
            // A kind or a name that is misspelt: taken for the one it is nearest to. Its parameters are not judged.
            (Some(_), Some(name)) if is_kind && problem.is_about_name => {
                let name = name.clone();
                mapping.remove(key.as_str());
                mapping.insert(name.into(), Value::Null);
            }
            (Some(value), Some(name)) if problem.is_about_name && is_list(value) => {
                let (name, value) = (name.clone(), value.clone());
                mapping.remove(key.as_str());
                mapping.insert(name.into(), value);
            }
            // A parameter set that is misspelt.
            (Some(Value::String(_)), _) if !problem.is_about_name && is_part(above) => {
                mapping.insert(key.as_str().into(), Value::Null);
            }
            (Some(Value::String(_)), Some(name)) => drop(mapping.insert(key.as_str().into(), name.clone().into())),
            // Deep within an entity, a key may be a name that others refer to.
            (Some(value), _) if !is_list(value) && !is_deep(above) => drop(mapping.remove(key.as_str())),
            _ => return None,
        }
    }
    let mut left = Problems::default();
    let resolved = check_game(&rest, &mut left);
    if left.has_errors() {
        return None;
    }
    let spec: GameSpec = serde_yaml::from_value(resolved).ok()?;
    let paths = problems.0.into_iter().map(|problem| problem.path).collect();
    Some((GameSpec { directory: document.directory.clone(), ..spec }, paths))
}

/// Whether a path leads into the parameters of an entity or a farmer, below the first level.
fn is_deep(path: &[Segment]) -> bool {
    let part = (1..path.len()).find(|n| is_part(&path[..*n]) && path[*n - 1] != Segment::from("rules"));
    part.is_some_and(|n| matches!(path[n - 1], Segment::Index(_)) && path.len() > n + 1)
}

/// Whether a path is that of a part: what stands below is its kind.
pub(super) fn is_part(path: &[Segment]) -> bool {
    let is = |segment: &Segment, name: &str| *segment == Segment::from(name);
    match path {
        [Segment::Key(_), Segment::Key(_), list, Segment::Index(_)] => is(list, "entities"),
        [list, Segment::Index(_)] => is(list, "farmers"),
        [list, Segment::Key(_)] => is(list, "policies"),
        [part] => is(part, "rules") || is(part, "score"),
        _ => false,
    }
}

/// Checks every level of a game and returns it with the parameter sets written out.
pub(super) fn check_game(value: &Value, problems: &mut Problems) -> Value {
    let root = Path::default();
    let mut resolved = value.clone();
    let Some(mapping) = value.as_mapping() else {
        problems.push(
            Problem::new(root, "a game is a mapping with `name`, `fields`, `farmers`, `rules` and `score`")
                .value(show(value))
                .help("`farm list games` names games to start from; `farm describe GAME` prints one"),
        );
        return resolved;
    };
    if !REQUIRED.iter().any(|key| mapping.contains_key(*key)) {
        let keys = mapping.keys().map(show).collect::<Vec<_>>().join(", ");
        let problem =
            Problem::new(root, "this is no game: not one of `name`, `fields`, `farmers`, `rules` and `score` is there");
        problems.push(
            problem.value(keys).expected(BOTH_FORMS).help("`farm describe GAME --yaml` prints a game to compare with"),
        );
        return resolved;
    }
    check_table(value, &game_table(), &root, "`farm describe GAME --yaml` prints a game to compare with", problems);
    // What is misspelt has been reported, and is not missing besides.
    let meant: Vec<String> = problems.0.iter().filter_map(|problem| problem.nearest.clone()).collect();
    for key in REQUIRED {
        if !mapping.contains_key(key) && !meant.iter().any(|name| name == key) {
            let problem = Problem::new(root.clone(), format!("`{key}` is missing")).expected(match key {
                "name" => "a text",
                "fields" => "a mapping from `Field-0`, `Field-1` … to fields",
                "farmers" => "a list of farmers; `farm list farmers` shows them",
                "rules" => "a rule, `KIND: {…}`; `farm list rules` shows them",
                _ => "a score, `KIND: {…}`; `farm list scores` shows them",
            });
            problems.push(if key == "fields" { problem.help(BOTH_FORMS) } else { problem });
        }
    }
    if value.get("fields").and_then(Value::as_mapping).is_some_and(|fields| fields.is_empty()) {
        let problem = Problem::new(root.child("fields"), "a game needs at least one field").value("{}");
        problems.push(problem.expected("a mapping from `Field-0`, `Field-1` … to fields"));
    }
    if value.get("farmers").and_then(Value::as_sequence).is_some_and(|farmers| farmers.is_empty()) {
        let problem = Problem::new(root.child("farmers"), "a game needs at least one farmer").value("[]");
        problems.push(problem.expected("a list of farmers; `farm list farmers` shows them"));
    }
    for (name, field) in value.get("fields").and_then(Value::as_mapping).into_iter().flatten() {
        let Some(name) = name.as_str() else { continue };
        let path = root.child("fields").child(name).child("entities");
        match field.get("entities").and_then(Value::as_sequence) {
            Some(entities) if !entities.is_empty() => {
                let defaults = entity_defaults(field, entities, &root.child("fields").child(name), problems);
                for (i, entity) in entities.iter().enumerate() {
                    let entity = check_with(entity, PartKind::Entity, &defaults, &path.child(i), problems);
                    resolved["fields"][name]["entities"][i] = entity;
                }
            }
            _ if !field.is_mapping() && !field.is_null() => {}
            // A list that is misspelt or of another kind has been reported.
            Some(_) | None if problems.0.iter().any(|problem| is_list_of(&path, problem)) => {}
            _ => problems.push(
                Problem::new(path, "a field needs at least one entity")
                    .value(field.get("entities").map(show).unwrap_or_else(|| "nothing".to_owned()))
                    .expected("a list of `KIND: parameter set`; `farm list entities` shows them"),
            ),
        }
    }
    for (i, farmer) in value.get("farmers").and_then(Value::as_sequence).into_iter().flatten().enumerate() {
        let path = root.child("farmers").child(i);
        resolved["farmers"][i] = check_tagged(farmer, PartKind::Farmer, &path, problems);
    }
    for (key, part) in [("rules", PartKind::Rule), ("score", PartKind::Score)] {
        if let Some(value) = value.get(key) {
            resolved[key] = check_tagged(value, part, &root.child(key), problems);
        }
    }
    for (name, policy) in value.get("policies").and_then(Value::as_mapping).into_iter().flatten() {
        if let Some(name) = name.as_str() {
            let path = root.child("policies").child(name);
            resolved["policies"][name] = check_tagged(policy, PartKind::Policy, &path, problems);
        }
    }
    resolved
}

/// Whether a problem is about the list at a path, or about a name beside it that means the list.
fn is_list_of(path: &Path, problem: &Problem) -> bool {
    let is_meant = |name: &str| path.0.last() == Some(&Segment::from(name));
    let is_beside =
        problem.path.0.len() == path.0.len() && problem.path.0[..path.0.len() - 1] == path.0[..path.0.len() - 1];
    problem.path == *path || is_beside && problem.nearest.as_deref().is_some_and(is_meant)
}

/// The parameters that a field sets for all its entities that have them.
fn entity_defaults(field: &Value, entities: &[Value], path: &Path, problems: &mut Problems) -> Mapping {
    let defaults = field.get("entity_defaults").and_then(Value::as_mapping).cloned().unwrap_or_default();
    let tables = entities.iter().filter_map(|entity| match entity {
        Value::String(name) => kind(PartKind::Entity, name),
        entity => entity.as_mapping()?.keys().next()?.as_str().and_then(|name| kind(PartKind::Entity, name)),
    });
    let known: Vec<&str> = tables.flat_map(|kind| kind.table()).map(|parameter| parameter.name).collect();
    for (name, value) in &defaults {
        let name = name.as_str().unwrap_or("?");
        if !known.contains(&name) {
            let path = path.child("entity_defaults").child(name);
            let problem = Problem::new(path, format!("no entity of the field has a parameter `{name}`"));
            problems.push(problem.value(show(value)).among(name, known.iter().copied()));
        }
    }
    defaults
}

/// Checks `Kind`, `Kind: set` or `Kind: {base: set, parameter: value}` and returns `Kind: {all parameters}`.
pub fn check_tagged(value: &Value, part: PartKind, path: &Path, problems: &mut Problems) -> Value {
    check_with(value, part, &Mapping::new(), path, problems)
}

/// The same, with parameters that count where the kind has them and the value does not set them itself.
fn check_with(value: &Value, part: PartKind, defaults: &Mapping, path: &Path, problems: &mut Problems) -> Value {
    let (name, payload) = match value {
        Value::String(name) => (name.as_str(), Value::Null),
        Value::Mapping(mapping) if mapping.len() == 1 => match mapping.iter().next() {
            Some((Value::String(name), payload)) => (name.as_str(), payload.clone()),
            _ => ("", Value::Null),
        },
        _ => ("", Value::Null),
    };
    if name.is_empty() {
        problems.push(
            Problem::new(path.clone(), format!("this is no {}", part.singular()))
                .value(show(value))
                .expected("`Kind`, `Kind: set` or `Kind: {base: set, parameter: value}`")
                .help(format!("`farm list {}` shows all kinds", part.plural())),
        );
        return Value::Null;
    }
    let Some(kind) = kind(part, name) else {
        problems.push(unknown_kind(part, name, path.child(name)));
        return Value::Null;
    };
    let path = path.child(name);
    if let Some(text) = kind.open {
        let parameters = check_open(kind, text, payload, &path, problems);
        return Value::Mapping([(Value::String(name.to_owned()), parameters)].into_iter().collect());
    }
    // The name of a set stands behind the kind, or behind `base`.
    let place = if payload.is_mapping() { path.child("base") } else { path.clone() };
    let (base, own) = match payload {
        Value::String(base) => (Some(base), Value::Null),
        Value::Mapping(mut mapping) => match mapping.remove("base") {
            Some(Value::String(base)) => (Some(base), Value::Mapping(mapping)),
            Some(other) => {
                let problem = Problem::new(path.child("base"), "`base` names a parameter set").value(show(&other));
                problems.push(problem.expected("a text"));
                (None, Value::Mapping(mapping))
            }
            None => (None, Value::Mapping(mapping)),
        },
        other => (None, other),
    };
    let table = kind.table();
    let own = with_empty_mappings(own, &table);
    let help = format!("`farm describe {name}` lists every parameter");
    if own.is_null() || own.is_mapping() {
        check_table(&own, &table, &path, &help, problems);
    } else {
        let mut found = Problems::default();
        check_table(&own, &table, &path, &help, &mut found);
        let expected = "the name of a parameter set, or a mapping from parameters to values";
        problems.0.extend(found.0.into_iter().map(|problem| problem.expected(expected)));
    }
    let sets = kind.parameter_sets().unwrap_or_default();
    let mut parameters = Value::Mapping(table.iter().map(|p| (p.name.into(), p.default.clone())).collect());
    if let Some(base) = base {
        match sets.iter().find(|set| set.name == base) {
            Some(set) => merge(&mut parameters, set.parameters.clone()),
            None if sets.is_empty() => problems.push(
                Problem::new(place, format!("`{name}` has no parameter set `{base}`, nor any other"))
                    .value(&base)
                    .expected(format!("`{name}`, or `{name}: {{parameter: value}}`"))
                    .help(help),
            ),
            None => problems.push(
                Problem::new(place, format!("`{name}` has no parameter set `{base}`"))
                    .value(&base)
                    .among(&base, sets.iter().map(|set| set.name.as_str()))
                    .help(format!("`farm describe {name}` lists its parameter sets")),
            ),
        }
    }
    for (name, value) in defaults.iter().filter(|(name, _)| table.iter().any(|p| Some(p.name) == name.as_str())) {
        let mut shared = Value::Mapping(Mapping::new());
        shared[name] = value.clone();
        check_table(&shared, &table, &path, "`entity_defaults` sets parameters for all entities of a field", problems);
        merge(&mut parameters, shared);
    }
    if !own.is_null() {
        merge(&mut parameters, own);
    }
    Value::Mapping([(Value::String(name.to_owned()), parameters)].into_iter().collect())
}

/// The parameters of a kind that takes more than its table says; a bare text means the parameter `text`.
fn check_open(kind: &Kind, text: &'static str, payload: Value, path: &Path, problems: &mut Problems) -> Value {
    let mut own = match payload {
        Value::Null => Mapping::new(),
        Value::Mapping(own) => own,
        single => [(text.into(), single)].into_iter().collect(),
    };
    // A text to which a parameter was added, as `--set` does it, stands behind `base`.
    if !own.contains_key(text)
        && let Some(base) = own.remove("base")
    {
        own.insert(text.into(), base);
    }
    let table = kind.table();
    let is_known = |name: &Value| table.iter().any(|parameter| Some(parameter.name) == name.as_str());
    let known: Mapping = own.iter().filter(|(name, _)| is_known(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
    if known.contains_key(text) {
        check_table(&Value::Mapping(known), &table, path, "", problems);
    } else {
        let expected = format!("`{0}: {text}`, or `{0}: {{{text}: …}}` with further parameters", kind.name);
        let doc = table.iter().find(|parameter| parameter.name == text).map_or("", |parameter| &parameter.doc);
        let problem = Problem::new(path.clone(), format!("`{}` lacks its `{text}`", kind.name)).about_name();
        problems.push(problem.expected(expected).help(format!("`{text}`: {doc}")));
    }
    Value::Mapping(own)
}

/// The same with `{}` where a mapping is written as a key and nothing below it: whose entries are all deleted or commented out.
fn with_empty_mappings(value: Value, table: &[ParameterDoc]) -> Value {
    let Value::Mapping(mut entries) = value else { return value };
    for parameter in table {
        if let Some(entry) = entries.get_mut(parameter.name) {
            *entry = with_empty_mapping(std::mem::take(entry), &parameter.kind);
        }
    }
    Value::Mapping(entries)
}

fn with_empty_mapping(value: Value, kind: &ParameterKind) -> Value {
    match (kind, value) {
        (ParameterKind::Group(_) | ParameterKind::Map(_), Value::Null) => Value::Mapping(Mapping::new()),
        (ParameterKind::Group(table), value) => with_empty_mappings(value, table),
        (ParameterKind::Map(item), Value::Mapping(entries)) => {
            Value::Mapping(entries.into_iter().map(|(key, entry)| (key, with_empty_mapping(entry, item))).collect())
        }
        (_, value) => value,
    }
}

/// Lays `over` on `base`, mapping by mapping.
fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Mapping(base), Value::Mapping(over)) => {
            for (key, value) in over {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}
