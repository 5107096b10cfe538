//! The wording of problems for Python users: it names Python functions where possible, otherwise the package's command `farm-gym`.

use farm_core::config::{ALLOW_OUTSIDE_VARIABLE, ALLOW_PLUGINS_VARIABLE, CommandLine, FrontEnd, Tool};

/// Python as a front end.
pub(crate) struct InPython;

impl FrontEnd for InPython {
    fn words(&self, tool: &Tool) -> String {
        match tool {
            Tool::List(plural) if plural == "games" => "`farm_gym.games()`".to_owned(),
            Tool::AllowOutsideFiles => {
                format!("`allow_outside_files=True`, or the environment variable `{ALLOW_OUTSIDE_VARIABLE}=1`")
            }
            Tool::AllowPlugin(path) => format!(
                "`farm_gym.load_plugin({path:?})` before the game is opened, or `allow_plugins=True`; the environment variable \
                 `{ALLOW_PLUGINS_VARIABLE}=1` allows it for every game"
            ),
            Tool::SetQuoted => "`set={\"path\": \"text\"}`".to_owned(),
            Tool::Preset(name) => format!("preset={name:?}"),
            Tool::Context(name) => format!("context={name:?}"),
            // As a keyword argument, if the path is a valid name.
            Tool::Change { path, value } if path.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                format!("{path}={}", value_of(value))
            }
            Tool::Change { path, value } => format!("set={{{path:?}: {}}}", value_of(value)),
            tool => CommandLine("farm-gym").words(tool),
        }
    }
}

/// A JSON value as a Python literal.
fn value_of(json: &str) -> &str {
    match json {
        "null" => "None",
        "true" => "True",
        "false" => "False",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_names_its_functions_and_else_the_command_of_the_package() {
        assert_eq!(Tool::list("games").and(" shows all").told_by(&InPython), "`farm_gym.games()` shows all");
        assert_eq!(Tool::list("entities").and(" shows all").told_by(&InPython), "`farm-gym list entities` shows all");
        assert_eq!(Tool::describe("Soil").and("").told_by(&InPython), "`farm-gym describe Soil`");
        let allowed = Tool::AllowPlugin("a.so".to_owned()).and("").told_by(&InPython);
        assert!(allowed.starts_with("`farm_gym.load_plugin(\"a.so\")`") && !allowed.contains("--"), "{allowed}");
        assert!(!Tool::AllowOutsideFiles.and("").told_by(&InPython).contains("--"));
        assert_eq!(InPython.words(&Tool::Preset("4X3".to_owned())), "preset=\"4X3\"");
        let change = |path: &str, value: &str| Tool::Change { path: path.to_owned(), value: value.to_owned() };
        assert_eq!(InPython.words(&change("reward", "\"x\"")), "reward=\"x\"");
        assert_eq!(
            InPython.words(&change("rules.BasicRule.max_steps", "null")),
            "set={\"rules.BasicRule.max_steps\": None}"
        );
    }
}
