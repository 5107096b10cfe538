//! Laws that variants of the game have: things that go back, wait for several steps, jump to their last stage, or do not mind.

use farm_core::Game;
use farm_games::{LevelFile, Options, open};

use super::support::*;
use super::walking::cross;

/// The pen's stage after each of some actions by a farmer who looks at it.
fn pen_after(laws: &[(&str, &str)], start: &str, actions: &[usize]) -> Vec<u8> {
    let (scene, at) = cross(['c', 'p', '#', 'v']);
    let mut scene = scene.stages(["Seed", start, "Hostile"]).worth([3, 2, 5]);
    for (key, value) in laws {
        scene = scene.law(PEN, key, value);
    }
    let valley = scene.build();
    let mut play = valley.start(at, EAST);
    let stages = actions.iter().map(|action| {
        play.step(*action);
        play.world().the(PEN).stage.expect("nothing takes it away")
    });
    stages.collect()
}

#[test]
fn things_go_back_when_left_alone_and_come_on_by_verbs() {
    let laws = [("untended", "regresses"), ("verbs", "{Feed: last, CleanPen: up}")];
    assert_eq!(pen_after(&laws, "Thriving", &[WAIT, WAIT, WAIT]), [1, 0, 0]);
    // A verb keeps it from going back in its step.
    assert_eq!(pen_after(&laws, "Weak", &[CLEAN, CLEAN, WAIT, FEED]), [1, 2, 1, 2]);
    assert_eq!(pen_after(&laws, "Weak", &[FEED, WAIT, WAIT]), [2, 1, 0]);
}

#[test]
fn slow_things_change_only_after_several_steps_alone_in_a_row() {
    for (untended, start, expected) in
        [("advances", "Weak", [0, 0, 1, 1, 1, 2]), ("regresses", "Thriving", [2, 2, 1, 1, 1, 0])]
    {
        let laws = [("untended", untended), ("untended_every#step", "3")];
        assert_eq!(pen_after(&laws, start, &[WAIT; 6]), expected, "{untended}");
    }
    // A verb begins the count anew, also one that changes no stage; one that does nothing does not.
    let laws = [("untended", "advances"), ("untended_every#step", "3"), ("verbs", "{Feed: first, CleanPen: nothing}")];
    assert_eq!(pen_after(&laws, "Weak", &[WAIT, WAIT, FEED, WAIT, WAIT, WAIT]), [0, 0, 0, 0, 0, 1]);
    assert_eq!(pen_after(&laws, "Weak", &[WAIT, CLEAN, CLEAN, WAIT, CLEAN, WAIT]), [0, 0, 1, 1, 1, 2]);
}

#[test]
fn a_thing_pays_once_however_it_comes_into_its_last_stage() {
    let (scene, at) = cross(['c', 'p', '#', 'v']);
    let scene = scene.stages(["Seed", "Thriving", "Hostile"]).worth([3, 2, 5]);
    let valley = scene.law(PEN, "untended", "regresses").law(PEN, "verbs", "{Feed: last, CleanPen: nothing}").build();
    let mut play = valley.start(at, EAST);
    // It begins in its last stage, goes back by itself, and pays when it comes back.
    assert_eq!(play.steps(&[CLEAN, FEED, WAIT, FEED, FEED]), [0.0, 2.0, 0.0, 0.0, 0.0]);
    let mut mask = vec![0; play.game().catalogue().discrete_len()];
    play.game().effect_mask(&play.state, &mut mask);
    assert_eq!((mask[CLEAN], mask[FEED]), (0, 1), "feeding what is in its last stage keeps it there");
}

fn level(laws: &[(&str, &str)], text: &str) -> Game {
    let set = laws.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let options = Options { set, level: Some(LevelFile::new("own.yaml", text)), ..Options::default() };
    open("backwards_valley", &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A world without pens is played, written and read again, and its instructions say that there are none.
#[test]
fn a_level_can_do_without_a_kind() {
    let text = "game: backwards_valley\nagent: {at: [0, 0], facing: E}\nmap: |\n  ...\n  ...\nfields:\n  - {at: [1, 0], stage: Young, base_value#point: 4}\n\
                pens: []\nvillagers:\n  - {at: [2, 1], mood: Neutral, base_value#point: 3}\n";
    let game = level(&[], text);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 5, &mut record);
    let again = farm_games::level::write(&game, &state, "Again.").unwrap_or_else(|problems| panic!("{problems}"));
    assert!(again.contains("pens: []\n"), "{again}");
    assert_eq!(level(&[], &again).fingerprint(), game.fingerprint());
    let mut paid = 0.0;
    // Feeding nothing is waiting; the crop ripens under the farmer's feet, and the insult follows from beside the house.
    for action in [FEED, MOVE_E, MOVE_S, MOVE_E, INSULT] {
        paid += game.step_discrete(&mut state, action, &mut record).unwrap_or_else(|error| panic!("{error}")).reward;
    }
    assert_eq!(paid, 4.0, "the farmer walked onto the villager's tile instead of looking at it");
    let planned = game.player("oracle").map(|_| ()).map_err(|problems| problems.to_string());
    assert_eq!(planned, Ok(()));
    // Not to say anything of the pens is still a mistake.
    let options =
        Options { level: Some(LevelFile::new("own.yaml", &text.replace("pens: []\n", ""))), ..Options::default() };
    let problems = open("backwards_valley", &options).expect_err("pens are not mentioned").to_string();
    assert!(problems.contains("places no pens") && problems.contains("`pens: []`"), "{problems}");
}

/// Groups of levels are those of the kinds' places in the file, whatever laws the kinds have.
#[test]
fn levels_call_things_the_same_whatever_their_laws() {
    let text = "game: backwards_valley\nagent: {at: [0, 0], facing: E}\nmap: |\n  ....\nfields:\n  - {at: [1, 0], stage: Seed}\n\
                pens:\n  - {at: [2, 0], stage: Weak}\nvillagers:\n  - {at: [3, 0], mood: Hostile}\n";
    for (pens, villagers) in
        [("advances", "stays"), ("stays", "advances"), ("regresses", "stays"), ("advances", "advances")]
    {
        let laws = [
            ("fields.Field-0.entities.2.StagedTiles.untended", pens),
            ("fields.Field-0.entities.3.StagedTiles.untended", villagers),
        ];
        let game = level(&laws, text);
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 5, &mut record);
        let again = farm_games::level::write(&game, &state, "Again.").unwrap_or_else(|problems| panic!("{problems}"));
        assert!(again.contains("stage: Weak") && again.contains("mood: Hostile"), "{again}");
        assert!(again.find("pens:") < again.find("villagers:"), "{again}");
    }
}
