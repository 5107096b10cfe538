//! Tool names for problems on the page. A tool is an element of the page, or otherwise a program command for players who run the program
//! locally.

use farm_core::config::{CommandLine, FrontEnd, Tool};

/// The page as a front end.
pub(super) struct OnPage;

impl FrontEnd for OnPage {
    fn words(&self, tool: &Tool) -> String {
        match tool {
            Tool::List(plural) if plural == "games" => "the list of games above".to_owned(),
            Tool::Describe(name) if name == "GAME" => "the tab \u{201c}Game file\u{201d}".to_owned(),
            Tool::GameText => "the tab \u{201c}Game file\u{201d}".to_owned(),
            Tool::List(_) | Tool::Describe(_) => "the completion of the editor (Ctrl Space)".to_owned(),
            Tool::AllowOutsideFiles | Tool::AllowPlugin(_) => {
                "play it with the program on your own machine; games on this page read no files and run no code"
                    .to_owned()
            }
            Tool::SetQuoted => "\"text\"".to_owned(),
            Tool::Preset(name) => format!("the preset {name}"),
            Tool::Change { path, .. } => format!("the change to {path}"),
            tool => format!("{}, in the program,", CommandLine("farm").words(tool)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_what_it_has() {
        assert_eq!(Tool::list("games").and(" shows all").told_by(&OnPage), "the list of games above shows all");
        for tool in [Tool::list("entities"), Tool::describe("Soil"), Tool::describe("GAME"), Tool::GameText] {
            let told = tool.and(" shows it").told_by(&OnPage);
            assert!(!told.contains('`') && !told.contains("farm "), "{told}");
        }
        for tool in [Tool::AllowOutsideFiles, Tool::AllowPlugin("a.so".to_owned()), Tool::SetQuoted] {
            assert!(!tool.and("").told_by(&OnPage).contains("--"));
        }
    }
}
