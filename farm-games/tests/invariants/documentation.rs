//! Invariant 6: everything declared is documented, and what is documented is true.

use farm_core::Game;
use farm_core::config::PartKind;
use farm_core::inspect::declarations;
use farm_core::registry::{kind, kinds, roles};
use farm_core::spec::load;
use farm_testkit::declarations::{Known, check_kind, check_part, defect_of_sentence, is_unit};
use farm_testkit::{Defect, Findings};

use crate::common::{edited, variants};

/// What a check of the kit finds, which must be nothing.
fn assert_none(findings: Findings) {
    let defects: Vec<String> = findings.0.iter().map(Defect::to_string).collect();
    assert!(defects.is_empty(), "{}", defects.join("\n"));
}

#[test]
fn invariant_6_units_are_told_from_nonsense() {
    let units = ["L", "mm.day-1", "cm0.5.day-1", "L.m-3.day-1", "int365", "%.day-1", "m2.cm-1", "g.g-1.day-1", "L|kg"];
    assert!(units.iter().all(|unit| is_unit(unit, &[])));
    for unit in ["", "litre", "mm.", "mm day", "L#", "-1", "mm..day"] {
        assert!(!is_unit(unit, &[]), "{unit}");
    }
    assert!(defect_of_sentence("Whether it rains").is_some() && defect_of_sentence("").is_some());
    assert!(defect_of_sentence("Whether it rains.").is_none());
}

/// Sentences, sources, units, ranges and defaults, which are the real ones and pass the kind's own check.
#[test]
fn invariant_6_every_kind_parameter_and_parameter_set_is_documented() {
    let mut findings = Findings::default();
    kinds().iter().for_each(|kind| check_kind(kind, &Known::default(), &mut findings));
    assert_none(findings);
    let sets = kinds().iter().map(|kind| kind.parameter_sets().unwrap_or_default().len()).sum::<usize>();
    let parameters = kinds().iter().map(|kind| kind.table().len()).sum::<usize>();
    assert!(sets >= 6 && parameters > 100, "{sets} sets, {parameters} parameters");
}

#[test]
fn invariant_6_every_role_has_a_sentence_and_a_unit() {
    for role in roles() {
        assert_eq!(defect_of_sentence(role.doc()), None, "{}: {}", role.name(), role.doc());
        // Roles say so where they have none.
        assert!(role.unit() == "-" || is_unit(role.unit(), &[]), "{}: {}", role.name(), role.unit());
    }
}

/// A parameter set is for a game: it compiles and plays in the place of the one that the catalogue uses.
#[test]
fn invariant_6_every_parameter_set_plays() {
    for (name, used) in [("Weather", "montpellier"), ("Soil", "clay"), ("Plant", "bean")] {
        let kind = kind(PartKind::Entity, name).expect("a registered entity");
        for set in kind.parameter_sets().unwrap_or_default() {
            let text =
                edited("clay_bean-v0", &[(&format!("- {name}: {used}\n"), &format!("- {name}: {}\n", set.name()))]);
            // What plays by the laws of crop science needs others that do.
            let agronomic = set.parameters().get("equations").is_some_and(|equations| equations == "agronomic");
            let text = if agronomic { text.replace("equations: corrected", "equations: agronomic") } else { text };
            // The start of the game is that of its own soil.
            let text = text.replace("available_Water#L: (120, 170)", "available_Water#L: 50");
            let game = load("set.yaml", &text)
                .and_then(Game::new)
                .unwrap_or_else(|problems| panic!("{}: {problems}", set.name()));
            let (mut state, mut record) = (game.new_state(), game.new_record());
            game.reset(&mut state, 1, &mut record);
            // In a hostile climate the season may be over before the month is.
            for _ in 0..30 {
                if state.over() {
                    break;
                }
                game.step(&mut state, &[], &mut record).unwrap_or_else(|error| panic!("{}: {error}", set.name()));
            }
        }
    }
}

#[test]
fn invariant_6_every_variable_observable_action_and_event_is_documented() {
    let mut findings = Findings::default();
    let mut parts = 0;
    for kind in kinds() {
        match declarations(kind) {
            Some(part) => {
                parts += 1;
                check_part(&part, &Known::default(), &mut findings);
            }
            None => {
                assert!(matches!(kind.part(), PartKind::Rule | PartKind::Policy), "{} declares nothing", kind.name())
            }
        }
    }
    assert!(parts >= 9, "{parts}");
    // What a part declares depends on its parameters, so the parts of the games count too.
    for part in variants().iter().flat_map(|variant| variant.game.parts().iter()) {
        check_part(part, &Known::default(), &mut findings);
    }
    assert_none(findings);
}
