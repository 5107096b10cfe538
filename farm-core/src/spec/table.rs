//! A game's keys and its fields' keys, each with a description. The file check, the schema for editors and `farm describe game` use these
//! tables.

use serde_yaml::Value;

use crate::config::{CHANGES, EXTENDS, PRESET, ParameterDoc, ParameterKind, ParameterValue, Parameters, PartKind};
use crate::spec::{InteractionMode, Localization, Shape};

/// A game's required keys.
pub(super) const REQUIRED: [&str; 5] = ["name", "fields", "farmers", "rules", "score"];

/// The keys in a game file. The crate that reads the paper's layout adds that layout's keys, `init` and `actions`.
pub fn game_table() -> Vec<ParameterDoc> {
    vec![
        entry("name", "Its name.", ParameterKind::Text),
        entry("doc", "Its subject, in one sentence.", ParameterKind::Text),
        entry(
            "plugins",
            "Libraries that it needs, as paths from its own folder; loaded only with your permission (`--allow-plugins`).",
            ParameterKind::List(Box::new(ParameterKind::Text)),
        ),
        entry(
            "goal",
            "The goal that players see, even if the rules are hidden. `{{ part(\"Part-0\").parameter }}` and \
             `{{ game.rules.KIND.max_steps }}` insert values of the game; `{% if … %}…{% else %}…{% endif %}` chooses between texts.",
            ParameterKind::Text,
        ),
        entry(
            "rules_text",
            "The rules that players see if the rules are shown; a template like `goal`.",
            ParameterKind::Text,
        ),
        entry("fields", "The fields by name.", ParameterKind::Map(Box::new(ParameterKind::Group(field_table())))),
        entry(
            "farmers",
            "The farmers, which execute actions; at least one.",
            ParameterKind::List(Box::new(ParameterKind::Part(PartKind::Farmer))),
        ),
        entry("rules", "Start, allowed actions, free observations, end.", ParameterKind::Part(PartKind::Rule)),
        entry("score", "Costs and rewards.", ParameterKind::Part(PartKind::Score)),
        ParameterDoc {
            default: serde_yaml::to_value(InteractionMode::default()).unwrap_or_default(),
            ..entry(
                "interaction_mode",
                "How the learner observes: `pomdp` gives the free observations of the rule, `aomdp` also offers priced observations \
                 before each action, `fomdp` shows all visible variables.",
                InteractionMode::kind(),
            )
        },
        entry(
            "policies",
            "Policies for this game, by name.",
            ParameterKind::Map(Box::new(ParameterKind::Part(PartKind::Policy))),
        ),
        entry(
            "presets",
            "Variants of the game, by name: changes by path, such as `fields.Field-0.shape.length#nb: 4`; `LIST.+` adds to a list.",
            ParameterKind::Map(Box::new(ParameterKind::Map(Box::new(ParameterKind::Any)))),
        ),
        entry(
            "monitoring",
            "Variables to record, each `[field, entity, variable, function, title, range]` or the same as a mapping.",
            ParameterKind::List(Box::new(ParameterKind::FreeForm("a list or a mapping"))),
        ),
    ]
}

/// The additional keys in a game that extends another game. These keys are applied and removed before the game is checked.
pub fn extension_table() -> [ParameterDoc; 3] {
    let extends = "The game to extend: the name of a game, or the path of a YAML file. Keys of this game replace the keys of the \
                   extended game; fields and policies are replaced one by one (`null` removes a policy). `name` and `presets` are \
                   not inherited.";
    let changes = "Changes to the extended game, by path as in a preset, such as `fields.Field-0.shape.length#nb: 4`.";
    [
        entry(EXTENDS, extends, ParameterKind::Text),
        entry(PRESET, "Presets of the game in `extends` to start with, `one+other`.", ParameterKind::Text),
        entry(CHANGES, changes, ParameterKind::Map(Box::new(ParameterKind::Any))),
    ]
}

pub(super) fn field_table() -> Vec<ParameterDoc> {
    vec![
        entry("localization", "Its location.", ParameterKind::Group(Localization::table())),
        entry("shape", "Its shape.", ParameterKind::Group(Shape::table())),
        entry(
            "entity_defaults",
            "Parameters for all its entities that have them.",
            ParameterKind::Map(Box::new(ParameterKind::Any)),
        ),
        entry(
            "uses",
            "Parts of other fields, `FIELD.PART-0`, that fill roles for the parts of this field.",
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
