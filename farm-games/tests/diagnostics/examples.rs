//! The examples of codes: what is wrong is told with the code, and what is right is right.

use farm_core::config::{Code, FrontEnd, Tool, code_areas};
use farm_games::error_examples::{Example, example};

/// Every code that this program has, with its example.
fn all() -> Vec<(Code, Option<Example>)> {
    let codes = code_areas().into_iter().flat_map(|area| area.codes()).map(Code::new);
    codes.map(|code| (code, example(code))).collect()
}

#[test]
fn every_example_is_wrong_in_its_way_and_right_where_it_says_so() {
    let mut said = Vec::new();
    for (code, example) in all() {
        let Some(Example::Shown(shown)) = example else { continue };
        let wrong = shown.problems_of_wrong();
        if !wrong.0.iter().any(|problem| problem.is(code)) {
            said.push(format!("{code}: the wrong example yields\n{wrong}\n{}", shown.wrong));
        }
        let right = shown.problems_of_right();
        if right.has_errors() || right.0.iter().any(|problem| problem.is(code)) {
            said.push(format!("{code}: the right example yields\n{right}\n{}", shown.right));
        }
        if shown.wrong == shown.right || shown.wrong.lines().count() > 20 {
            said.push(format!("{code}: the examples are alike, or long:\n{}", shown.wrong));
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n\n"));
}

/// A front end that is no command line.
struct Elsewhere;

impl FrontEnd for Elsewhere {
    fn words(&self, _: &Tool) -> String {
        "what there is".to_owned()
    }
}

#[test]
fn no_problem_names_a_command_where_there_is_no_command_line() {
    let mut said = Vec::new();
    for (code, example) in all() {
        let Some(Example::Shown(shown)) = example else { continue };
        let told = shown.problems_of_wrong().told_by(&Elsewhere);
        if ["`farm ", "help: farm ", "--> --set", "--> --preset"].iter().any(|command| told.contains(command)) {
            said.push(format!("{code}: {told}"));
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n\n"));
}

#[test]
fn every_code_has_an_example_or_a_reason() {
    let missing: Vec<&str> =
        all().iter().filter(|(_, example)| example.is_none()).map(|(code, _)| code.name()).collect();
    assert!(missing.is_empty(), "no example and no reason in `error-examples/`: {}", missing.join(", "));
    let shown = all().iter().filter(|(_, example)| matches!(example, Some(Example::Shown(_)))).count();
    assert!(5 * shown >= 4 * all().len(), "only {shown} of {} codes have an example", all().len());
}
