//! The eleven actions: order, names, mask.

use std::sync::Arc;

use farm_core::{Environment, StepError, Stream};

use super::support::*;

#[test]
fn step_order_1_eleven_actions_in_the_order_of_the_rules() {
    let valley = Valley::shipped();
    let catalogue = valley.game.catalogue();
    assert_eq!((catalogue.discrete_len(), catalogue.base_actions().len()), (11, 11));
    for (id, name) in NAMES.iter().enumerate() {
        let [call] = catalogue.discrete(id).unwrap() else { panic!("{name} is one call") };
        assert_eq!(catalogue.to_json(call), **name);
    }
    assert_eq!(catalogue.waiting(), catalogue.discrete(WAIT).unwrap());
}

#[test]
fn step_order_1_every_action_can_be_written_by_its_name() {
    let valley = Valley::shipped();
    for (id, name) in NAMES.iter().enumerate() {
        let expected = valley.game.catalogue().discrete(id).unwrap();
        for line in [(*name).to_owned(), format!("  {name}\n"), format!("\"{name}\""), format!("[\"{name}\"]")] {
            assert_eq!(valley.game.catalogue().parse_line(&line).unwrap(), expected, "{line}");
        }
        let mut by_name = valley.play(5);
        let schedule = valley.game.catalogue().parse_line(name).unwrap();
        let outcome = valley.game.step(&mut by_name.state, &schedule, &mut by_name.record).unwrap();
        let mut by_id = valley.play(5);
        assert_eq!((by_id.step(id), by_id.state), (outcome, by_name.state));
    }
}

#[test]
fn step_order_1_an_unknown_action_is_an_error_that_names_the_nearest() {
    let environment = Environment::new(Arc::new(Valley::shipped().game));
    for (wrong, nearest) in [("MoveNort", "MoveN"), ("Complement", "Compliment"), ("Fed", "Feed"), ("Insutl", "Insult")]
    {
        let problem = environment.game().text().parse(wrong).unwrap_err();
        assert_eq!(problem.nearest.as_deref(), Some(nearest), "{problem}");
        assert!(problem.to_string().contains(wrong), "{problem}");
    }
    assert!(environment.game().text().parse("").is_err());
    assert_eq!(environment.game().text().parse("xyzzy").unwrap_err().nearest, None);
}

#[test]
fn step_order_1_an_unknown_id_is_an_error_and_consumes_no_step() {
    let valley = Valley::shipped();
    let mut play = valley.play(5);
    let before = play.state.clone();
    for id in [11, 12, 1_000_000] {
        let error = valley.game.step_discrete(&mut play.state, id, &mut play.record).unwrap_err();
        assert_eq!(error, StepError::NoSuchAction { id, last: 10 });
    }
    assert_eq!(play.state, before);
}

#[test]
fn step_order_1_the_largest_id_is_an_error_too() {
    let valley = Valley::shipped();
    let mut play = valley.play(5);
    let error = valley.game.step_discrete(&mut play.state, usize::MAX, &mut play.record).unwrap_err();
    assert_eq!(error, StepError::NoSuchAction { id: usize::MAX, last: 10 });
}

#[test]
fn step_order_1_one_action_a_step_and_a_second_is_rejected() {
    let valley = Valley::shipped();
    for seed in 0..20 {
        let mut play = valley.play(seed);
        let alone = play.after(MOVE_E).state;
        let schedule = valley.game.catalogue().parse_line("[\"MoveE\", \"MoveS\"]").unwrap();
        valley.game.step(&mut play.state, &schedule, &mut play.record).unwrap();
        assert_eq!(play.state, alone, "seed {seed}");
        assert_eq!(play.record.rejected().len(), 1);
        assert_eq!(play.record.rejected()[0].call(), schedule[1]);
    }
}

#[test]
fn the_mask_marks_exactly_the_actions_that_differ_from_waiting() {
    let valley = Valley::shipped();
    let mut masked = 0;
    for seed in 0..100 {
        let mut play = valley.play(seed);
        let mut stream = Stream::from_seed(seed);
        for _ in 0..40 {
            let mut mask = vec![0; 11];
            valley.game.effect_mask(&play.state, &mut mask);
            let waited = play.after(WAIT).state;
            for action in (0..11).filter(|action| *action != WAIT) {
                let differs = play.after(action).state != waited;
                assert_eq!(mask[action] == 1, differs, "seed {seed}, step {}, action {action}", play.state.step());
                masked += usize::from(!differs);
            }
            assert_eq!(mask[WAIT], 1, "waiting is always sensible");
            play.step(busy_action(&mut stream, &play.world()));
        }
    }
    assert!(masked > 1000);
}
