//! The keys of a game and of its fields, each with what stands there: the check of a file, the schema for editors and
//! `farm describe game` read these tables.

use serde_yaml::Value;

use crate::config::{CHANGES, EXTENDS, PRESET, ParameterDoc, ParameterKind, ParameterValue, Parameters, PartKind};
use crate::spec::{InteractionMode, Localization, Shape};

/// What a game can't do without.
pub(super) const REQUIRED: [&str; 5] = ["name", "fields", "farmers", "rules", "score"];

/// The keys of a game file. Those of the paper's layout, `init` and `actions`, come with the crate that reads it.
pub fn game_table() -> Vec<ParameterDoc> {
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
            "What a player is told to aim at, also where the rules are hidden. `{{ part(\"Part-0\").parameter }}` and \
             `{{ game.rules.KIND.max_steps }}` stand for values of the game, `{% if … %}…{% else %}…{% endif %}` for a text that a value chooses.",
            ParameterKind::Text,
        ),
        entry(
            "rules_text",
            "The rules as a player is told them where they are shown; with values of the game as in `goal`.",
            ParameterKind::Text,
        ),
        entry("fields", "The fields by name.", ParameterKind::Map(Box::new(ParameterKind::Group(field_table())))),
        entry(
            "farmers",
            "Who executes actions; at least one.",
            ParameterKind::List(Box::new(ParameterKind::Part(PartKind::Farmer))),
        ),
        entry("rules", "Start, allowed actions, free observations, end.", ParameterKind::Part(PartKind::Rule)),
        entry("score", "Costs and rewards.", ParameterKind::Part(PartKind::Score)),
        ParameterDoc {
            default: serde_yaml::to_value(InteractionMode::default()).unwrap_or_default(),
            ..entry(
                "interaction_mode",
                "How learner and farm take turns: `pomdp` sees what the rule gives for free, `aomdp` asks for more at a cost before it \
                 acts, `fomdp` sees all visible variables.",
                InteractionMode::kind(),
            )
        },
        entry(
            "policies",
            "Ways to play this game, by name.",
            ParameterKind::Map(Box::new(ParameterKind::Part(PartKind::Policy))),
        ),
        entry(
            "presets",
            "Variants of the game, by name: what differs, by path, such as `fields.Field-0.shape.length#nb: 4`; `LIST.+` adds to a list.",
            ParameterKind::Map(Box::new(ParameterKind::Map(Box::new(ParameterKind::Any)))),
        ),
        entry(
            "monitoring",
            "Variables to be recorded, each `[field, entity, variable, function, title, range]` or the same as a mapping.",
            ParameterKind::List(Box::new(ParameterKind::FreeForm("a list or a mapping"))),
        ),
    ]
}

/// The keys of a game that begins from another one; they are read, and gone, before a game is checked.
pub fn extension_table() -> [ParameterDoc; 3] {
    let extends = "The game that it begins from: a name of the catalogue, or the path of a YAML file. What the game says itself stands over \
                   it, fields and policies one by one (`null` takes a policy away); `name` and `presets` are its own.";
    let changes = "What differs from the game that it begins from, by path as in a preset, such as `fields.Field-0.shape.length#nb: 4`.";
    [
        entry(EXTENDS, extends, ParameterKind::Text),
        entry(PRESET, "Presets of the game in `extends` to begin with, `one+other`.", ParameterKind::Text),
        entry(CHANGES, changes, ParameterKind::Map(Box::new(ParameterKind::Any))),
    ]
}

pub(super) fn field_table() -> Vec<ParameterDoc> {
    vec![
        entry("localization", "Where it lies.", ParameterKind::Group(Localization::table())),
        entry("shape", "Its form.", ParameterKind::Group(Shape::table())),
        entry(
            "entity_defaults",
            "Parameters for all its entities that have them.",
            ParameterKind::Map(Box::new(ParameterKind::Any)),
        ),
        entry(
            "uses",
            "Parts of other fields that serve this one, too, `FIELD.PART-0`: its own parts find their roles.",
            ParameterKind::List(Box::new(ParameterKind::Text)),
        ),
        entry(
            "entities",
            "Its components, in order.",
            ParameterKind::List(Box::new(ParameterKind::Part(PartKind::Entity))),
        ),
    ]
}

fn entry(name: &'static str, doc: &str, kind: ParameterKind) -> ParameterDoc {
    ParameterDoc { name, doc: doc.into(), kind, range: None, default: Value::Null, idle: None }
}
