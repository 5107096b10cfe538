//! Every action of every game in every form, there and back.

use farm_core::action::Call;
use farm_core::{Action, ActionKind, Environment, Game, Outcome, Stream};
use serde_json::Value as Json;

use super::common::variants;
use super::support::random_calls;

/// Of a large catalogue every so many-th action, so that each base action is met.
fn sampled(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by((n / 120).max(1))
}

#[test]
fn every_action_reads_back_from_what_it_is_written_as() {
    for variant in variants() {
        let (label, catalogue) = (&variant.label, variant.game.catalogue());
        for i in sampled(catalogue.calls().len()) {
            let call = catalogue.calls()[i];
            let json = catalogue.to_json(&call);
            let read = catalogue.parse(&json).unwrap_or_else(|problem| panic!("{label}: {json}: {problem}"));
            assert_eq!(read, [call], "{label}: {json}");
            assert_eq!(catalogue.parse_line(&json.to_string()).unwrap(), [call], "{label}: {json}");
            let id = catalogue.discrete_of(&call).expect("an action of the flat list");
            assert_eq!(catalogue.discrete(id), Some(&[call][..]), "{label}: id {id}");
            let gym = catalogue.calls_to_gym(&[call]);
            assert_eq!(catalogue.gym_to_calls(&gym), Ok(vec![call]), "{label}: {gym}");
            if catalogue.max_schedule() > 0 {
                assert!(catalogue.space().contains(&gym), "{label}: {gym}");
            }
        }
    }
}

#[test]
fn every_id_of_the_flat_list_has_one_schedule_and_no_two_have_the_same() {
    for variant in variants() {
        let catalogue = variant.game.catalogue();
        let mut idle = 0;
        for id in 0..catalogue.discrete_len() {
            match catalogue.discrete(id) {
                Some([call]) => assert_eq!(catalogue.discrete_of(call), Some(id), "{}", variant.label),
                Some([]) => idle += 1,
                other => panic!("{}: {id}: {other:?}", variant.label),
            }
        }
        assert!(idle <= 1 && catalogue.waiting().len() == 1 - idle, "{}: one id does nothing", variant.label);
        assert_eq!(catalogue.discrete(catalogue.discrete_len()), None);
    }
}

/// Random calls without repetitions, because in every form a schedule is a set.
fn random_set(game: &Game, kind: ActionKind, stream: &mut Stream) -> Vec<Call> {
    let mut schedule = random_calls(game, kind, game.catalogue().max_schedule(), stream);
    for i in (1..schedule.len()).rev() {
        if schedule[..i].contains(&schedule[i]) {
            schedule.remove(i);
        }
    }
    schedule
}

#[test]
fn whole_schedules_read_back_from_every_form() {
    for variant in variants() {
        let (label, catalogue) = (&variant.label, variant.game.catalogue());
        let mut stream = Stream::from_seed(11);
        for _ in 0..60 {
            let mut schedule = random_set(&variant.game, ActionKind::Intervention, &mut stream);
            let json = Json::Array(schedule.iter().map(|call| catalogue.to_json(call)).collect());
            let read = catalogue.parse(&json).unwrap_or_else(|problem| panic!("{label}: {json}: {problem}"));
            assert_eq!(read, schedule, "{label}: {json}");
            assert_eq!(catalogue.gym_to_calls(&catalogue.calls_to_gym(&schedule)), Ok(schedule.clone()), "{label}");
            let interventions: Vec<_> =
                schedule.iter().filter(|call| !catalogue.waiting().contains(call)).copied().collect();
            let ids = catalogue.calls_to_multi_discrete(&schedule).unwrap();
            assert_eq!(ids.len(), catalogue.max_schedule());
            let mut read = Vec::new();
            catalogue.multi_discrete_to_calls(&ids, &mut read).unwrap();
            assert_eq!(read, interventions, "{label}: {ids:?}");
            let mut bits = vec![0; catalogue.calls().len()];
            for call in &schedule {
                bits[catalogue.calls().iter().position(|other| other == call).unwrap()] = 1;
            }
            read.clear();
            catalogue.multi_binary_to_calls(&bits, &mut read).unwrap();
            schedule.sort_by_key(|call| catalogue.discrete_of(call));
            assert_eq!(read, schedule, "{label}: in the order of the flat list");
        }
    }
}

/// Elements of the action space are actions: they convert there and back, and a step executes or rejects each of them.
#[test]
fn elements_of_the_action_space_are_played_and_convert_back_to_themselves() {
    for variant in variants() {
        let mut environment = Environment::new(variant.game.clone());
        let catalogue = variant.game.catalogue();
        let space = environment.game().catalogue().space();
        let mut stream = Stream::from_seed(7);
        for n in 0..50 {
            let kind = [ActionKind::Intervention, ActionKind::Observation][n as usize % 2];
            let calls = random_set(&variant.game, kind, &mut stream);
            let element = catalogue.calls_to_gym(&calls);
            assert!(space.contains(&element), "{}: {element}", variant.label);
            assert_eq!(catalogue.gym_to_calls(&element).as_ref(), Ok(&calls), "{}", variant.label);
            let expects = environment.expects();
            let outcome =
                environment.step(Action::Gym(&element)).unwrap_or_else(|error| panic!("{}: {error}", variant.label));
            let record = environment.record();
            assert_eq!(record.executed().len() + record.rejected().len() + record.rejected_more(), calls.len());
            assert!(record.executed().iter().all(|call| catalogue.base_actions()[call.base()].kind() == expects));
            let mut both: Vec<_> =
                record.executed().iter().copied().chain(record.rejected().iter().map(|r| r.call())).collect();
            both.sort_by_key(|call| calls.iter().position(|other| other == call));
            assert_eq!(both, calls, "{}: nothing else happens and nothing is lost", variant.label);
            if outcome.over() {
                environment.reset(n);
            }
        }
    }
}

/// One action in every form leads to the same bytes.
#[test]
fn every_form_of_an_action_plays_alike() {
    for variant in variants() {
        let (label, catalogue) = (&variant.label, variant.game.catalogue());
        let mut base = Environment::new(variant.game.clone());
        base.reset(4);
        if base.expects() == ActionKind::Observation {
            base.step(&[]).unwrap();
        }
        let mut stream = Stream::from_seed(5);
        for _ in 0..10 {
            let schedule = random_calls(&variant.game, ActionKind::Intervention, 1, &mut stream);
            let after = |step: &dyn Fn(&mut Environment) -> Result<Outcome, String>| {
                let mut environment = base.clone();
                step(&mut environment).unwrap_or_else(|error| panic!("{label}: {error}"));
                environment.snapshot()
            };
            let expected = after(&|e| e.step(&schedule).map_err(|error| error.to_string()));
            let gym = catalogue.calls_to_gym(&schedule);
            assert_eq!(
                after(&|e| e.step(Action::Gym(&gym)).map_err(|error| error.to_string())),
                expected,
                "{label}: {gym}"
            );
            let written = Json::Array(schedule.iter().map(|call| catalogue.to_json(call)).collect());
            assert_eq!(after(&|e| e.step(&written).map_err(|error| error.to_string())), expected, "{label}: {written}");
            let id = schedule.first().map_or(Some(0), |call| catalogue.discrete_of(call)).unwrap();
            if !schedule.is_empty() || catalogue.waiting().is_empty() {
                assert_eq!(after(&|e| e.step(id).map_err(|error| error.to_string())), expected, "{label}: {id}");
            }
        }
    }
}
