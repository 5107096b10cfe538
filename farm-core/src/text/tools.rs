//! A game's actions, as tools for language models and their protocols.

use serde_json::{Map, Value as Json, json};

use super::{RulesText, TextChannel};
use crate::action::{ActionKind, ActionTarget, Allowed, Argument, BaseAction};
use crate::state::State;

/// The maximum number of names listed in the schema for `observe`.
const MAX_LISTED: usize = 64;

/// The number of calls to try for an action before the action counts as rejected.
const MAX_TRIED: usize = 256;

/// An action, or a request for observations, as a tool.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct ToolSchema {
    /// The tool's name, in letters, digits and `_`, as tool protocols require.
    pub(crate) name: String,
    /// The action's name in a reply. For the tool that observes, this is the word before the variable's name.
    pub(crate) action: String,
    /// The tool's effect if the rules are shown; otherwise, the action that the tool represents.
    pub(crate) description: String,
    /// A JSON Schema for the tool's arguments, which are an object.
    pub(crate) arguments: Json,
    /// The tool's base action; `None` for the tools that observe and wait.
    #[getter(skip)]
    base: Option<usize>,
}

impl<'g> TextChannel<'g> {
    /// The actions as tools, with one tool for each farmer that can execute an action. Parameters with a single value are left out. With
    /// priced observations, one tool requests the variable named by its argument `what`. If no action waits, an extra tool waits.
    ///
    /// The reply `{"action": ACTION, "params": ARGUMENTS}` uses a tool. The reply `{"action": "observe WHAT"}` uses the tool that observes.
    pub fn tool_schemas(self, rules: RulesText) -> Vec<ToolSchema> {
        let all = self.game.catalogue.base_actions.iter().enumerate();
        let interventions = all.filter(|(_, base)| base.kind() == ActionKind::Intervention);
        let mut tools: Vec<ToolSchema> = interventions.filter_map(|(i, base)| self.tool(i, base, rules)).collect();
        let whats: Vec<String> = self.requests().collect();
        if !whats.is_empty() {
            let mut what = json!({ "type": "string", "description": "The name of the variable." });
            if whats.len() <= MAX_LISTED {
                what["enum"] = json!(whats);
            }
            tools.push(ToolSchema {
                name: "observe".to_owned(),
                action: "observe".to_owned(),
                description: "Observes one variable.".to_owned(),
                arguments: object(Map::from_iter([("what".to_owned(), what)])),
                base: None,
            });
        }
        if self.game.catalogue.waiting().is_empty() {
            let description = self.wait_text().to_owned();
            tools.push(ToolSchema {
                name: "wait".to_owned(),
                action: "wait".to_owned(),
                description,
                arguments: object(Map::new()),
                base: None,
            });
        }
        tools
    }

    fn tool(self, index: usize, base: &BaseAction, rules: RulesText) -> Option<ToolSchema> {
        let action = base.info(&self.game.parts)?;
        let short = self.game.catalogue.short_name(base);
        let mut properties = Map::new();
        for (parameter, allowed) in action.parameters.iter().zip(&base.parameters) {
            let field = self.game.parts[base.part].field.map(|field| &self.game.fields[field]);
            let width = field.map_or(1, |field| field.width);
            let doc = match rules {
                RulesText::Shown => format!("{}: {}", parameter.name, parameter.doc),
                RulesText::Hidden => parameter.name.clone(),
            };
            let mut schema = match allowed {
                Allowed::Range { low, high } => json!({ "type": "number", "minimum": low, "maximum": high }),
                Allowed::Values(values) if values.len() < 2 => continue,
                Allowed::Values(values) => {
                    let all: Vec<Json> =
                        values.iter().map(|value| Argument::new(&parameter.kind, *value, width).to_json()).collect();
                    match all.first() {
                        Some(Json::Array(_)) => {
                            let axis = |of: usize| all.iter().filter_map(|plot| plot.get(of)?.as_u64()).max();
                            let index = |most| json!({ "type": "integer", "minimum": 0, "maximum": most });
                            json!({ "type": "array", "prefixItems": [index(axis(0)), index(axis(1))], "items": { "type": "integer" },
                                "minItems": 2, "maxItems": 2 })
                        }
                        Some(Json::String(_)) => json!({ "type": "string", "enum": all }),
                        _ => json!({ "type": "number", "enum": all }),
                    }
                }
            };
            schema["description"] = json!(doc);
            properties.insert(identifier(parameter.name.split('#').next().unwrap_or_default()), schema);
        }
        let description = match rules {
            RulesText::Hidden => format!("The action `{short}`."),
            RulesText::Shown => format!("{}{}", action.doc, self.cost_text(base.cost)),
        };
        let (name, arguments) = (identifier(&short), object(properties));
        Some(ToolSchema { name, action: short, description, arguments, base: Some(index) })
    }

    /// Why one of the game's tools would be rejected now, regardless of its arguments. `None` if one of the tool's first 256 calls is
    /// allowed.
    pub fn tool_rejection(self, state: &State, tool: &ToolSchema) -> Option<&'static str> {
        let mut first = None;
        for call in self.game.catalogue.calls_of(tool.base?).iter().take(MAX_TRIED) {
            match self.game.rejection(state, call) {
                None => return None,
                reason => first = first.or(reason),
            }
        }
        first
    }

    /// The names that can be requested, in games with priced observations.
    fn requests(self) -> impl Iterator<Item = String> + 'g {
        self.game.catalogue.base_actions.iter().filter_map(|base| match &base.target {
            ActionTarget::Observation(request) => {
                Some(format!("{}.{}", self.game.parts[base.part].path, request.text()))
            }
            ActionTarget::Intervention(_) => None,
        })
    }
}

/// A schema for an object with only required properties.
fn object(properties: Map<String, Json>) -> Json {
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The name in letters, digits and `_`.
fn identifier(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}
