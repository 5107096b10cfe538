//! What is too large is refused with its size before anything is allocated, and what is allowed is compiled without looking at
//! everything for everything.

use std::collections::BTreeSet;

use farm_core::Game;
use farm_core::action::{ActionKind, ActionTarget};
use farm_core::config::{Document, Problem, Problems};
use farm_core::spec::load_document;
use farm_games::{Options, open};

const OVERFLOW: &str = include_str!("layout_overflow_130_plants_1000x1000.yaml");

fn refused(text: &str) -> Vec<Problem> {
    let found = Document::parse("many.yaml", text)
        .and_then(|document| Game::new(load_document(&document)?).map_err(|problems| document.locate(problems)));
    found.map(|game| game.parts().len()).expect_err("the game is too large").0
}

#[test]
fn a_state_that_is_too_large_is_refused_with_its_size() {
    for (text, size) in [
        (OVERFLOW.to_owned(), "37"),
        // Here the 32-bit index wraps.
        (OVERFLOW.replacen("{Plant: bean}", &["{Plant: bean}"; 21].join(", "), 1), "43"),
    ] {
        let problems = refused(&text);
        let [_, problem] = problems.as_slice() else { panic!("{}", Problems(problems)) };
        let shown = problem.to_string();
        assert!(shown.contains("a state of this game would have ") && shown.contains(size), "{shown}");
        for word in ["many.yaml:2:10, at fields.Field-0", "1000 × 1000 plots", "expected: at most 4.0 GB"] {
            assert!(shown.contains(word), "`{word}` is missing in\n{shown}");
        }
    }
}

#[test]
fn everything_that_can_be_asked_for_in_a_field_of_256_plots_is_offered_once() {
    let set = [
        ("interaction_mode", "aomdp"),
        ("fields.Field-0.shape.length#nb", "16"),
        ("fields.Field-0.shape.width#nb", "16"),
    ];
    let set = set.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
    let game =
        open("clay_bean-v0", &Options { set, ..Default::default() }).unwrap_or_else(|problems| panic!("{problems}"));
    let looks = game.catalogue().base_actions().iter().filter(|base| base.kind() == ActionKind::Observation);
    let asked: Vec<(usize, usize, String)> = looks
        .map(|base| match base.target() {
            ActionTarget::Observation(request) => (base.farmer(), base.part(), request.text()),
            ActionTarget::Intervention(_) => unreachable!("it looks"),
        })
        .collect();
    assert!(asked.len() > 10_000, "{}", asked.len());
    assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), asked.len());
}

#[test]
fn the_id_of_every_call_is_its_place_in_the_flat_list() {
    let games = ["clay_bean-v0", "full_farm-v0", "valley_farm"].map(|name| open(name, &Options::default()));
    for game in games {
        let game = game.unwrap_or_else(|problems| panic!("{problems}"));
        for id in 0..game.catalogue().discrete_len() {
            if let [call] = game.catalogue().discrete(id).unwrap() {
                assert_eq!(game.catalogue().discrete_of(call), Some(id), "{}", game.catalogue().describe(call));
            }
        }
    }
}
