//! What the first seasons of a game show, and what is told of a game that was understood.

use std::time::Duration;

use farm_core::config::Problem;
use farm_games::{CATALOGUE, GameDocument, Options, rehearse};

const BEANS: &str = "\
name: beans
fields:
  Field-0:
    shape: {length#nb: 2, width#nb: 1, scale#m: 10.0}
    entity_defaults: {equations: agronomic}
    entities: [{Weather: montpellier}, {Soil: clay}, {Plant: bean}]
farmers: [{BasicFarmer: {max_daily_interventions: 2}}]
rules:
  BasicRule:
    initial_conditions:
      Field-0: {Weather-0: {day#int365: 120}, Plant-0: {stage: seed, population#nb: 1320}}
    free_observations: [[Field-0, Plant-0, stage]]
    actions:
      Field-0:
        Soil-0: {water_discrete: {plot: '*', amount#L: [2000]}}
        Plant-0: {harvest: }
    max_action_schedule_size: 2
    stopping_conditions:
      - [{state_variable: [Field-0, Plant-0, stage], function: fraction, of: [dead, harvested], operator: '>=', ref_value: 1}]
    max_steps: 200
score:
  ProfitScore: {yield_price#kg-1: 2}
policies:
  expert: {HarvestPolicy: when_ripe}
";

/// The codes of all that is said of the beans with some pieces replaced.
fn said(changes: &[(&str, &str)]) -> Vec<(String, Problem)> {
    let text = changes.iter().fold(BEANS.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    });
    let source = GameDocument::parse("beans.yaml", &text).unwrap_or_else(|problems| panic!("{problems}"));
    let (game, problems) = source.check(&Options::default());
    assert!(game.is_some(), "{problems}");
    problems.0.into_iter().map(|problem| (problem.code.name().to_owned(), problem)).collect()
}

#[test]
fn what_a_game_hardly_means_is_told_at_its_place() {
    assert!(said(&[]).is_empty(), "{:?}", said(&[]));
    for (from, to, code, line) in [
        ("max_daily_interventions: 2", "max_daily_interventions: 0", "never-possible", 13),
        ("max_action_schedule_size: 2", "max_action_schedule_size: 0", "never-possible", 13),
        ("stage: seed, population#nb: 1320", "stage: none", "nothing-grew", 6),
        ("Plant-0: {harvest: }", "Plant-0: {harvest: , sow: {plot: '*'}}", "never-sown", 6),
        ("of: [dead, harvested]", "of: [seed, dead]", "over-at-once", 18),
        ("{yield_price#kg-1: 2}", "{yield_price#kg-1: 0}", "nothing-pays", 21),
        ("population#nb: 1320", "population#nb: 132000", "implausible-start", 11),
        ("amount#L: [2000]", "amount#L: [20]", "implausible-amount", 15),
    ] {
        let said = said(&[(from, to)]);
        let (_, problem) = said.iter().find(|(found, _)| found == code).unwrap_or_else(|| panic!("{code}: {said:?}"));
        let place = problem.location.as_ref().and_then(|location| location.position);
        assert_eq!(place.map(|(line, _)| line), Some(line), "{problem}");
        assert!(problem.expected.is_some(), "{problem}");
    }
    // In autumn it rains on a bare field, whatever anybody does.
    let limit = "{yield_price#kg-1: 2, constraints: {leached_nutrients: {limit: 1.0e-9}}}";
    let said = said(&[("day#int365: 120", "day#int365: 280"), ("{yield_price#kg-1: 2}", limit)]);
    let problem = said.iter().find(|(code, _)| code == "limit-never-kept");
    assert!(
        problem.is_some_and(|(_, problem)| problem.path.to_string().ends_with("leached_nutrients.limit")),
        "{said:?}"
    );
}

#[test]
fn games_that_come_with_the_project_hold_nothing_odd() {
    for entry in CATALOGUE {
        let game = farm_games::open(entry.name, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
        // A busy machine needs longer to play anything.
        let longer = (0..10).map(|i| rehearse(&game, Duration::from_millis(200 << i)));
        let rehearsal = { longer }.find(|rehearsal| rehearsal.seasons > 0 && rehearsal.policies >= 2);
        let rehearsal = rehearsal.unwrap_or_else(|| panic!("{} is not played", entry.name));
        assert!(rehearsal.problems.0.is_empty(), "{}: {}", entry.name, rehearsal.problems);
    }
}

#[test]
fn who_has_no_time_says_nothing_of_what_never_happened() {
    let text = BEANS.replace("stage: seed, population#nb: 1320", "stage: none");
    let game = GameDocument::parse("beans.yaml", &text).unwrap().open(&Options::default()).unwrap();
    let rehearsal = rehearse(&game, Duration::ZERO);
    assert!(!rehearsal.is_whole && rehearsal.problems.0.is_empty(), "{rehearsal:?}");
    assert!(rehearse(&game, Duration::from_secs(60)).is_whole);
}

#[test]
fn what_was_understood_is_told_in_a_line_for_each_thing() {
    let understood = |source: &GameDocument| source.read_back(&source.open(&Options::default()).unwrap()).join("\n");
    let told = understood(&GameDocument::parse("beans.yaml", BEANS).unwrap());
    for piece in [
        "Field-0: 2 × 1 plots of 100 m²; Weather-0 (montpellier), Soil-0 (clay), Plant-0 (bean) at 13.2 per m²",
        "start: the day of the year is 120",
        "free observations: stage",
        "actions, at most 2 per step, with their cost: Soil-0.water_discrete (free), Plant-0.harvest (free)",
        "sales €2 per kg",
        "after 200 steps",
    ] {
        assert!(told.contains(piece), "`{piece}` is missing in\n{told}");
    }
    assert!(!told.contains("differs"), "{told}");
    let own = "name: own\nextends: clay_bean\nchanges:\n  score: {ProfitScore: {water_price#L-1: 0.0006}}\n";
    let told = understood(&GameDocument::parse("own.yaml", own).unwrap());
    assert!(told.ends_with("differs from its base game in: score.ProfitScore.water_price#L-1"), "{told}");
    assert!(told.contains("sales €2 per kg") && told.contains("€0.0006 per L of water"), "{told}");
}
