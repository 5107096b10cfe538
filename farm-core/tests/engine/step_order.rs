//! The order of one step, which `ARCHITECTURE.md` writes down: actions, phases, parts within a phase, score, end, observation.

use farm_core::action::CallArguments;
use farm_core::declare::count;
use farm_core::{
    Behaviour, Bind, Column, Context, Declarations, Entity, Environment, Game, Phase, Role, Score, ScoreBehaviour,
};

const CLOCK: Role<i32> = Role::scalar("test_clock", "nb", "Counts everything that happens, in order.");

/// A counter for tests.
#[derive(Debug, Clone, farm_core::Parameters)]
struct Clock {}

/// Notes when it was called.
#[derive(Debug, Clone, farm_core::Parameters)]
struct Recorder {}

/// Rewards with the count at which it was asked.
#[derive(Debug, Clone, farm_core::Parameters)]
struct ClockScore {}

#[farm_core::register(source = "test")]
impl Entity for Clock {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.variable(count("clock", 0, i32::MAX, "The counter.").role(CLOCK));
        Bind::new(|_| Nothing)
    }
}

struct Nothing;
impl Behaviour for Nothing {}

#[farm_core::register(source = "test")]
impl Entity for Recorder {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let clock = d.one(CLOCK);
        let noted = d.variable(count("noted", 0, i32::MAX, "When each phase, and last the action, came.").shape(&[9]));
        d.action("note", Vec::new(), "Notes the time.");
        // Declared in reverse: the order of the phases is the engine's, not the part's.
        Phase::ALL.iter().rev().for_each(|phase| d.runs_in(*phase));
        Bind::new(move |found| Notes { clock: found.get(clock), noted: found.get(noted) })
    }
}

struct Notes {
    clock: Column<i32>,
    noted: Column<i32>,
}

impl Notes {
    fn note(&self, slot: usize, c: &Context<'_>) {
        let clock = &c.get(self.clock)[0];
        clock.set(clock.get() + 1);
        c.get(self.noted)[slot].set(clock.get());
    }
}

impl Behaviour for Notes {
    fn act(&self, _: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        self.note(8, c);
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        self.note(phase as usize, c);
    }
}

#[farm_core::register(source = "test")]
impl Score for ClockScore {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        let clock = d.one(CLOCK);
        Bind::new(move |found| Last(found.get(clock)))
    }
}

struct Last(Column<i32>);
impl Behaviour for Last {}
impl ScoreBehaviour for Last {
    fn reward(&self, c: &mut Context<'_>) -> f64 {
        f64::from(c.value(self.0))
    }

    fn final_reward(&self, _: &mut Context<'_>) -> f64 {
        1000.0
    }
}

const GAME: &str = "
name: order
fields: {Field-0: {entities: [Clock, Recorder, Recorder]}}
farmers: [BasicFarmer: {max_daily_interventions: 2}]
rules:
  BasicRule:
    max_action_schedule_size: 3
    max_steps: 2
    free_observations: {first: [Field-0, Recorder-0, noted], second: [Field-0, Recorder-1, noted]}
score: ClockScore
";

#[test]
fn a_step_goes_through_actions_phases_and_parts_in_this_order() {
    let spec = farm_core::spec::load("order.yaml", GAME).unwrap();
    let mut environment = Environment::new(std::sync::Arc::new(Game::new(spec).unwrap()));
    let action = |environment: &Environment, entity: &str| {
        environment.game().text().parse(&format!("{{\"entity\": \"{entity}\", \"action\": \"note\"}}")).unwrap()[0]
    };
    let (first, second) = (action(&environment, "Recorder-0"), action(&environment, "Recorder-1"));

    // The schedule's own order counts, not that of the parts.
    let outcome = environment.step(&[second, first]).unwrap();
    let seen = environment.observation_json();
    assert_eq!(seen["second"][8], 1, "the first action of the schedule comes first");
    assert_eq!(seen["first"][8], 2);
    let phases: Vec<i64> = (0..8).map(|p| seen["first"][p].as_i64().unwrap()).collect();
    assert_eq!(
        phases,
        [3, 5, 7, 9, 11, 13, 15, 17],
        "exogenous, release, demand, exchange, spread, visit, develop, account"
    );
    let phases: Vec<i64> = (0..8).map(|p| seen["second"][p].as_i64().unwrap()).collect();
    assert_eq!(phases, [4, 6, 8, 10, 12, 14, 16, 18], "within a phase the order of the YAML");
    assert_eq!(outcome.reward, 18.0, "the score is asked when all is done");
    assert!(!outcome.over());

    // A duplicate, an action beyond the farmer's day and one beyond the schedule are refused, each with its reason.
    let outcome = environment.step(&[first, first, second, second]).unwrap();
    let rejected = environment.info().to_json()["rejected"].clone();
    let reasons: Vec<&str> = rejected.as_array().unwrap().iter().map(|r| r["reason"].as_str().unwrap()).collect();
    assert_eq!(
        reasons,
        ["this step already has the same action", "this step already has as many actions as the rules allow"]
    );
    assert_eq!(outcome.reward, 18.0 + 18.0 + 1000.0, "the final reward is added in the last step");
    assert!(outcome.truncated && !outcome.terminated, "a step limit truncates");
    assert_eq!(environment.info().to_json()["stop"], "after 2 steps");
    let error = environment.step(&[]).unwrap_err().to_string();
    assert_eq!(error, "the episode is over after 2 steps: call `reset` before the next step");
}

#[test]
fn a_farmer_with_no_time_left_refuses() {
    let text = GAME.replace("max_daily_interventions: 2", "max_daily_interventions: 1");
    let spec = farm_core::spec::load("order.yaml", &text).unwrap();
    let mut environment = Environment::new(std::sync::Arc::new(Game::new(spec).unwrap()));
    for _ in 0..2 {
        let schedule = environment
            .game()
            .text()
            .parse(r#"[{"entity": "Recorder-0", "action": "note"}, {"entity": "Recorder-1", "action": "note"}]"#)
            .unwrap();
        environment.step(&schedule).unwrap();
        // The same on the second day: the count begins anew.
        assert_eq!(environment.info().to_json()["rejected"][0]["reason"], "the farmer has no time left today");
        assert_eq!(environment.observation_json()["second"][8], 0, "what is refused has no effect");
    }
}
