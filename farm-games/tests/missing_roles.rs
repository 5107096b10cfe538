//! What is said of a role that no part of a field provides, and how long it takes to say so.

use std::time::Duration;

use farm_games::{GameDocument, Options};

use super::measures::processor_time;

/// A farm whose field has these entities.
fn refused(entities: &str) -> String {
    let text = format!(
        "name: y\nfields: {{F: {{shape: {{length#nb: 1, width#nb: 1}}, entities: [{entities}]}}}}\nfarmers: [BasicFarmer]\n\
         rules: {{BasicRule: {{max_steps: 5}}}}\nscore: {{BasicScore: {{reward_mix: {{stage_transition: 1.0}}}}}}\n"
    );
    let opened = GameDocument::parse("y.yaml", &text).and_then(|source| source.open(&Options::default()));
    opened.map(drop).expect_err(entities).to_string()
}

#[test]
fn a_missing_soil_is_told_at_once() {
    let (said, took) = processor_time(|| refused("Weather: {base: montpellier}, Fertilizer: {}, Plant: bean"));
    assert!(said.contains("which no part provides") && said.contains("add `Soil`"), "{said}");
    // An optimised program needs a thirtieth of that.
    assert!(took < Duration::from_millis(800), "{took:?}");
    let (_, took) = processor_time(|| refused("Weather: {base: montpellier}, Plant: bean"));
    assert!(took < Duration::from_millis(300), "{took:?}");
}

#[test]
fn a_soil_of_other_equations_is_named_with_the_choice_that_is_missing() {
    let said = refused(
        "Weather: montpellier, Soil: {base: clay, equations: corrected}, Plant: {base: bean, equations: agronomic}",
    );
    assert!(said.contains("`F.Soil-0` provides it only with") && said.contains("`equations: agronomic`"), "{said}");
    assert!(!said.contains("add `Soil`"), "{said}");
}
