//! What is wrong with such a farmer or its policy is said with its place and a way out.

use super::support::*;

/// A mistake in the yard, and where and what is said of it.
const CASES: [(&str, &str, &str, &str); 14] = [
    ("starts_at: {x: 2, y: 1}", "starts_at: {x: 5, y: 1}", "starts_at", "lies beyond the field"),
    ("at: {x: 4, y: 0}", "at: {x: 4, y: 4}", "places.well.at", "lies beyond the field"),
    ("at: {x: 4, y: 0}", "at: {x: 0, y: 3}", "places.hut", "this plot already has a place"),
    ("      places:\n        well:", "      places:\n        none:", "places", "are not valid names for a place"),
    ("fills: [water#L]", "fills: [watr#L]", "places.well.fills", "carries no `watr#L`"),
    ("water#L: {", "water: {", "stocks.water", "a stock needs a unit"),
    ("starts_with: 1}", "starts_with: 5}", "stocks.seeds#seed.starts_with", "more than it can carry"),
    (", entities: [Cide-0]", "", "stocks", "fits several stocks"),
    ("entities: [Cide-0]", "entities: [Cide-1]", "stocks.poison#kg.entities", "the field has no `Cide-1`"),
    ("entity: Plant-0, variable: stage", "entity: Plant-1, variable: stage", "shows[1].entity", "no `Plant-1`"),
    ("variable: stage", "variable: stag", "shows[1].variable", "no visible variable `stag`"),
    ("variable: stage", "variable: harvest_weight#kg", "shows[1].variable", "no visible variable"),
    ("view#nb: 3", "view#nb: 4", "view#nb", "has no middle"),
    ("reach#nb: 2", "reach#nb: 2\n      moves: [a, b, c]", "moves", "the farmer needs four moves"),
];

#[test]
fn a_mistake_is_reported_at_its_place() {
    for (from, to, place, message) in CASES {
        let problems = compile(YARD, &[(from, to)]).expect_err(to);
        let place = format!("farmers[0].WalkingFarmer.{place}");
        let is_meant = |problem: &&farm_core::config::Problem| {
            problem.path.to_string() == place && problem.message.contains(message)
        };
        let found = problems.0.iter().find(is_meant);
        let found = found.unwrap_or_else(|| panic!("{to}: no `{message}` at {place} in\n{problems}"));
        assert!(found.location.is_some() || !found.path.0.is_empty());
    }
}

#[test]
fn a_policy_that_walks_names_what_it_cannot_do() {
    let game = compile(YARD, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let refused = |tasks: &str| match farm_games::policy(&game, &format!("{{WalkingPolicy: {{tasks: [{tasks}]}}}}")) {
        Ok(_) => panic!("{tasks} is accepted"),
        Err(problems) => problems.to_string(),
    };
    let act = "act: {field: Field-0, entity: Weeds-0, action: remove, parameters: {plot: here}}";
    let unseen = "when: [[{state_variable: [Field-0, Weeds-0, grow#nb], operator: '>', ref_value: 0}]]";
    assert!(refused(&format!("{{{unseen}, {act}}}")).contains("the farmer does not see `Field-0.Weeds-0.grow#nb`"));
    assert!(refused(&format!("{{{act}, stock: wine#L}}")).contains("the farmer carries no `wine#L`"));
    assert!(refused(&format!("{{{act}, stock: water#L, filled_at: sea}}")).contains("there is no place `sea`"));
    let blind = "`WalkingFarmer-0.carried_water#L` is not observed in this game";
    assert!(refused(&format!("{{{act}, stock: water#L, filled_at: well}}")).contains(blind));
    let lost = compile(YARD, &[("[WalkingFarmer-0, position], ", "")]).unwrap_or_else(|problems| panic!("{problems}"));
    let problems = farm_games::policy(&lost, "WalkingPolicy").err().expect("it does not know where it is");
    assert!(problems.to_string().contains("`WalkingFarmer-0.position` is not observed in this game"), "{problems}");
    let beans = farm_games::open("clay_bean-v0", &farm_games::Options::default()).unwrap();
    let problems = farm_games::policy(&beans, "WalkingPolicy").err().expect("nobody walks there");
    assert!(problems.to_string().contains("this game has no walking farmer"), "{problems}");
}

#[test]
fn a_reach_beyond_the_window_is_warned_of() {
    for (reach, warned) in [(0, false), (1, false), (2, true), (3, true)] {
        let game = compile(YARD, &[("reach#nb: 2", &format!("reach#nb: {reach}"))]);
        let game = game.unwrap_or_else(|problems| panic!("{problems}"));
        let said = game.warnings().to_string();
        assert_eq!(said.contains("reaches plots that its window does not show"), warned, "{reach}: {said}");
    }
    assert!(shipped(&[]).game().warnings().0.is_empty());
}
