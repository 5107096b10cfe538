//! Sowing: what begins empty, who sows it when, and that nothing of it is rejected.

use farm_core::action::Call;
use farm_core::{Game, State};
use farm_games::catalogue::all_versions;

use super::support::{compile, game, player, refused};

/// Four plots of 25 m², on which 82.5 tomatoes are usual; it begins on day 90 of the year, and the farmer does two things a day.
const BEDS: &str = r"
name: beds
fields:
  Field-0:
    shape: {length#nb: 2, width#nb: 2, scale#m: 5.0}
    entities: [Weather: montpellier, Soil: loam, Plant: PLANT]
farmers: [BasicFarmer: {max_daily_interventions: 2}]
rules:
  BasicRule:
    initial_conditions: {Field-0: {Weather-0: {day#int365: 90}START}}
    free_observations: [SEEN[Field-0, Plant-0, population#nb]]
    ACTIONS
    max_action_schedule_size: 2
    max_steps: 200
score: BasicScore
";

const SEEN: &str = "[Field-0, Weather-0, day#int365], [Field-0, Plant-0, stage], ";
const SOWABLE: &str =
    "actions: {Field-0: {Plant-0: {sow: {amount#seed: [1, 83, 100], spacing#cm: [10, 20]}, micro_harvest: }}}";

fn beds(plant: &str, start: &str, actions: &str, seen: &str) -> Game {
    let text = BEDS.trim_start().replace("PLANT", plant).replace("START", start);
    compile(&text.replace("ACTIONS", actions).replace("SEEN", seen))
}

/// The stage and the number of plants of each plot.
fn stand(game: &Game, state: &State) -> Vec<(u8, i32)> {
    let plant = game.parts().iter().find(|part| part.name() == "Plant-0").expect("a plant");
    let variable = |name: &str| plant.variables().iter().find(|variable| variable.name() == name).expect("a variable");
    let reader = game.reader(state);
    let stages = reader.get(variable("stage").column::<u8>().expect("words"));
    let numbers = reader.get(variable("population#nb").column::<i32>().expect("whole numbers"));
    stages.iter().copied().zip(numbers.iter().copied()).collect()
}

/// On which days a policy does what in a season; nothing of it may be rejected.
fn season(game: &Game, policy: &str) -> Vec<(u32, String)> {
    let mut player = player(game, policy);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 1, &mut record);
    player.start(1);
    let mut done = Vec::new();
    loop {
        let mut schedule: Vec<Call> = Vec::new();
        player.choose(game, &state, &mut schedule);
        done.extend(schedule.iter().map(|call| (state.step(), game.catalogue().describe(call))));
        let outcome = game.step(&mut state, &schedule, &mut record).unwrap_or_else(|error| panic!("{error}"));
        assert!(record.rejected().is_empty(), "{policy}: {:?}", record.rejected());
        if outcome.over() {
            return done;
        }
    }
}

/// The days on which something was sown.
fn sown(done: &[(u32, String)]) -> Vec<u32> {
    done.iter().filter(|(_, action)| action.contains(".sow(")).map(|(day, _)| *day).collect()
}

const NONE: u8 = 0;
const SEED: u8 = 1;
const GROW: u8 = 2;

#[test]
fn what_may_be_sown_begins_empty_unless_the_game_says_how_it_begins() {
    let begun = |plant: &str, start: &str, actions: &str| {
        let game = beds(plant, start, actions, SEEN);
        let mut state = game.new_state();
        game.reset(&mut state, 1, &mut game.new_record());
        stand(&game, &state)
    };
    for equations in ["agronomic", "corrected", "paper"] {
        let plant = |more: &str| format!("{{base: tomato, equations: {equations}{more}}}");
        let field = |more: &str, start: &str, actions: &str| {
            let text = plant(more);
            // The other parts play the same equations.
            let all = format!("{text}]\n    entity_defaults: {{equations: {equations}}}\n    # [");
            begun(if equations == "agronomic" { &text } else { &all }, start, actions)
        };
        assert_eq!(field("", "", SOWABLE), [(NONE, 0); 4], "{equations}");
        // Said by the rules, also in part.
        assert_eq!(field("", ", Plant-0: {stage: seed}", SOWABLE), [(SEED, 1); 4], "{equations}");
        assert_eq!(field("", ", Plant-0: {population#nb: 5}", SOWABLE), [(SEED, 5); 4], "{equations}");
        let one = field("", ", Plant-0: {stage: {'(0, 1)': none}}", SOWABLE);
        assert_eq!(one, [(SEED, 1), (NONE, 0), (SEED, 1), (SEED, 1)], "{equations}");
        // Said by the plant.
        assert_eq!(field(", initial_population#nb: 7", "", SOWABLE), [(SEED, 7); 4], "{equations}");
        assert_eq!(field(", initial_stage: grow", "", SOWABLE), [(GROW, 1); 4], "{equations}");
        // Nobody may sow, or nothing is said of what may be done.
        assert_eq!(field("", "", "actions: {Field-0: {Plant-0: {micro_harvest: }}}"), [(SEED, 1); 4], "{equations}");
        assert_eq!(field("", "", ""), [(SEED, 1); 4], "{equations}");
    }
}

#[test]
fn every_empty_plot_is_sown_once_with_the_usual_number_of_seeds() {
    let game = beds("tomato", "", SOWABLE, SEEN);
    let done = season(&game, "SowPolicy");
    assert_eq!(sown(&done), [0, 0, 1, 1]);
    assert!(done.iter().all(|(_, action)| action.contains("amount#seed=83.0, spacing#cm=10.0")), "{done:?}");
    let sparse = season(&game, "{SowPolicy: {amount#seed: 1, spacing#cm: 20}}");
    assert!(sparse.iter().all(|(_, action)| action.contains("amount#seed=1.0, spacing#cm=20.0")), "{sparse:?}");
    // What is not empty is left alone.
    let started = beds("tomato", ", Plant-0: {stage: {'(0, 1)': none}, population#nb: 83}", SOWABLE, SEEN);
    let done = season(&started, "{SowPolicy: {last_day#int365: 92}}");
    assert_eq!(sown(&done), [0], "{done:?}");
    assert!(done[0].1.contains("plot=(0, 1)"), "{done:?}");
    // A range of numbers, and a policy that sees no stage.
    let blind = beds("tomato", "", &SOWABLE.replace("[1, 83, 100]", "'(1, 100)'"), "");
    let done = season(&blind, "SowPolicy");
    assert_eq!(sown(&done), [0, 0, 1, 1]);
    assert!(
        done.iter().all(|(_, action)| action.contains("amount#seed=83.0") || action.contains("amount#seed=82.0")),
        "{done:?}"
    );
}

#[test]
fn plots_are_sown_within_the_window() {
    let game = beds("tomato", "", SOWABLE, SEEN);
    let days = |window: &str| sown(&season(&game, &format!("{{SowPolicy: {{{window}}}}}")));
    assert_eq!(days("first_day#int365: 95"), [5, 5, 6, 6]);
    assert_eq!(days("first_day#int365: 95, last_day#int365: 95"), [5, 5], "two plots on the one day of the window");
    assert_eq!(days("last_day#int365: 89"), [0; 0], "the window is over");
    assert_eq!(days("last_day#int365: 90"), [0, 0]);
    assert_eq!(days("first_day#int365: 300, last_day#int365: 91"), [0, 0, 1, 1], "over the new year");
    assert_eq!(days("first_day#int365: 200, last_day#int365: 30"), [110, 110, 111, 111], "over the new year");
}

#[test]
fn it_goes_along_with_others() {
    let game = beds("tomato", "", SOWABLE, SEEN);
    let both = "{CombinedPolicy: {policies: [{HarvestPolicy: {stage: fruit}}, {SowPolicy: {first_day#int365: 100}}]}}";
    let done = season(&game, both);
    assert_eq!(sown(&done), [10, 10, 11, 11]);
    assert!(done.iter().any(|(_, action)| action.contains("micro_harvest")), "{done:?}");
}

/// It plays every game in which something may be sown, however many crops there are.
#[test]
fn it_sows_in_every_game_that_offers_to() {
    let mut sowing = 0;
    for entry in all_versions() {
        let game = game(entry.name, None);
        let is_sow = |call: &Call| game.catalogue().describe(call).contains(".sow(");
        if game.catalogue().discrete_len() > 1000 || !game.catalogue().calls().iter().any(is_sow) {
            continue;
        }
        let done = season(&game, "{SowPolicy: {entity: '*'}}");
        sowing += 1;
        // The walker stands where it is, and who sees no stage where looking costs waits for a look.
        let may_idle = entry.name.starts_with("walking_farmer") || entry.name.starts_with("costly_");
        assert!(may_idle || !sown(&done).is_empty(), "{}", entry.name);
    }
    assert!(sowing >= 10, "{sowing} games");
}

#[test]
fn what_does_not_fit_is_said_at_its_parameter() {
    let says = |game: &Game, yaml: &str, path: &str, words: &str| {
        let problems = refused(game, yaml);
        assert_eq!(problems.0[0].path.to_string(), path, "{problems}");
        assert!(problems.0[0].message.contains(words), "{problems}");
    };
    let game = beds("tomato", "", SOWABLE, SEEN);
    says(&game, "{SowPolicy: {amount#seed: 5}}", "SowPolicy.amount#seed", "does not allow this value of `amount#seed`");
    says(&game, "{SowPolicy: {spacing#cm: 5}}", "SowPolicy.spacing#cm", "does not allow this value of `spacing#cm`");
    says(&game, "{SowPolicy: {first_day#int365: 365}}", "SowPolicy.first_day#int365", "out of range");
    let blind = beds("tomato", "", SOWABLE, "[Field-0, Plant-0, stage], ");
    says(&blind, "{SowPolicy: {last_day#int365: 100}}", "SowPolicy.first_day#int365", "not observed");
    says(&super::support::game("clay_bean", None), "SowPolicy", "SowPolicy", "can be sown");
    says(&super::support::game("two_fields", None), "SowPolicy", "SowPolicy.entity", "several parts of this game");
}
