//! An orchard in YAML alone: trees are pruned, bear after six steps, are picked, and begin anew.

use farm_core::Environment;
use farm_games::{Options, open};

const ORCHARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/platform/orchard.yaml");

fn orchard(set: &[(&str, &str)]) -> Result<farm_core::Game, String> {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    open(ORCHARD, &Options { set, ..Options::default() }).map_err(|problems| problems.to_string())
}

/// The rewards of some actions, one after the other.
fn rewards(environment: &mut Environment, actions: &[&str]) -> Vec<f64> {
    let act = |name: &&str| {
        let calls = environment.game().catalogue().parse_line(name).expect(name);
        environment.step(&calls).expect(name).reward
    };
    actions.iter().map(act).collect()
}

#[test]
fn a_pruned_tree_bears_after_six_steps_again_and_again() {
    let mut environment = Environment::new(std::sync::Arc::new(orchard(&[]).expect("the orchard")));
    environment.reset(1);
    for round in 0..2 {
        // What is not pruned is not picked, and what is pruned can't be pruned again, nor does that delay it.
        assert_eq!(rewards(&mut environment, &["Pick", "Prune"]), [0.0; 2], "round {round}");
        assert_eq!(rewards(&mut environment, &["Pick", "Prune", "Wait", "Wait", "Wait", "Wait"]), [0.0; 6]);
        assert_eq!(rewards(&mut environment, &["Pick", "Pick"]), [2.0, 0.0], "round {round}");
    }
}

#[test]
fn a_tree_that_was_pruned_too_late_is_not_ripe() {
    let mut environment = Environment::new(std::sync::Arc::new(orchard(&[]).expect("the orchard")));
    environment.reset(1);
    rewards(&mut environment, &["Prune", "Wait", "Wait", "Wait", "Wait", "Wait"]);
    assert_eq!(rewards(&mut environment, &["Pick", "Pick"]), [0.0, 2.0], "five steps, then six");
}

#[test]
fn slips_in_laws_verbs_and_sprites_are_told_where_they_stand() {
    let at = "Field-0.StagedTiles-0";
    for (path, value, words) in [
        ("laws", "{Prunned: {to: Ripe}}", ["StagedTiles.laws.Prunned", "did you mean `Pruned`?"]),
        ("laws.Picked.to", "Overgrwn", ["StagedTiles.laws.Picked.to", "did you mean `Overgrown`?"]),
        ("laws.Pruned.after#step", "0", ["laws.Pruned.after#step", "found: 0"]),
        ("verbs_in", "{Prun: [Ripe]}", ["StagedTiles.verbs_in.Prun", "did you mean `Prune`?"]),
        ("verbs_in.Pick", "[Rip]", ["StagedTiles.verbs_in.Pick", "did you mean `Ripe`?"]),
        ("sprites.Ripe", "bed_rip", ["StagedTiles.sprites.Ripe", "did you mean `bed_ripe`?"]),
    ] {
        let path = format!("{at}.{path}");
        let said = orchard(&[(path.as_str(), value)]).map(drop).expect_err(value);
        words.iter().for_each(|word| assert!(said.contains(word), "{word}: {said}"));
    }
}

#[test]
fn planners_say_what_they_do_not_count_with() {
    let policies = "{informed: InformedPolicy, oracle: OraclePolicy}";
    let game = orchard(&[("policies", policies)]).expect("the orchard");
    for policy in ["informed", "oracle"] {
        let said = game.player(policy).err().expect(policy).to_string();
        assert!(said.contains("`laws`"), "{said}");
    }
}
