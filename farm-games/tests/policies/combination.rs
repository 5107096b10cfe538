//! Several policies together: order, duplicates, room, memory.

use super::support::{TWO_FIELDS, compile, days, game, player, rule, rules, trace};

fn harvest(steps: &str, keys: &str) -> String {
    rules(&[rule(steps, keys, "harvest")])
}

fn remove(steps: &str, keys: &str) -> String {
    rules(&[rule(steps, keys, "remove_scarecrow")])
}

#[test]
fn what_is_chosen_is_joined_in_order_and_the_same_once() {
    let game = game("full_farm-v0", Some("4x3"));
    let (a, b) = (harvest("[1, 2]", ""), remove("[2]", ""));
    let written = [format!("[{a}, {b}, {a}]"), format!("{{CombinedPolicy: {{policies: [{a}, {b}, {a}]}}}}")];
    for yaml in written.iter().chain([&format!("[[{a}, {b}], [{a}]]")]) {
        let trace = trace(&game, yaml, 4);
        let harvest = "Field-0.Plant-0.harvest".to_owned();
        let expected =
            [vec![], vec![harvest.clone()], vec![harvest, "Field-0.Facility-0.remove_scarecrow".into()], vec![]];
        assert_eq!(trace, expected, "{yaml}");
    }
}

/// One intervention a day: the second policy keeps in mind what it could not do.
#[test]
fn who_finds_no_room_does_not_forget() {
    let game = game("full_farm-v0", None);
    let trace = trace(&game, &format!("[{}, {}]", harvest("[1, 2, 3]", ""), remove("[1]", ", delay#day: 1")), 8);
    assert_eq!(days(&trace, "Plant-0.harvest"), [1, 2, 3]);
    assert_eq!(days(&trace, "remove_scarecrow"), [4], "due on day 2, room on day 4");
    let once = format!("[{}, {{ScarecrowPolicy: {{type: basic}}}}]", harvest("[0, 1]", ""));
    let trace = super::support::trace(&game, &once, 8);
    assert_eq!(days(&trace, "put_scarecrow"), [2], "once, but not never");
}

#[test]
fn to_wait_takes_no_place() {
    let game = game("backwards_valley", None);
    let waiting = game.catalogue().waiting();
    assert_eq!(waiting.len(), 1, "a game with an action for waiting");
    let other = game.catalogue().calls().iter().find(|call| *call != &waiting[0]).expect("another action");
    let (wait, name) = (game.catalogue().describe(&waiting[0]), game.catalogue().to_json(other));
    let act = format!("{{TriggerPolicy: {{rules: [{}]}}}}", rule("[1]", "", name.as_str().expect("a bare name")));
    let trace = trace(&game, &format!("[WaitPolicy, {act}, WaitPolicy]"), 3);
    assert_eq!(trace, [vec![wait.clone()], vec![game.catalogue().describe(other)], vec![wait]]);
}

#[test]
fn policies_are_named_or_written_inline_and_joined_by_a_plus() {
    let game = game("full_farm-v0", None);
    let expert = trace(&game, "expert", 30);
    for same in ["[expert]", "[wait, expert]", "wait + expert", "{CombinedPolicy: {policies: [WaitPolicy, expert]}}"] {
        assert_eq!(trace(&game, same, 30), expert, "{same}");
    }
    assert!(expert.iter().any(|day| !day.is_empty()));
    assert_eq!(trace(&game, "CombinedPolicy", 3), [[(); 0]; 3].map(|_| Vec::<String>::new()), "nobody decides");
    drop(player(&game, "random + ScarecrowPolicy + WaterPolicy"));
}

/// Hints of who sees more than a learner are marked: a combination sees what any of its policies sees.
#[test]
fn who_asks_somebody_that_knows_what_is_hidden_knows_it_too() {
    let policies = "\npolicies:\n  oracle: OraclePolicy\n  wait: WaitPolicy\n  named: {CombinedPolicy: {policies: [wait, oracle]}}\n  \
                    kind: {CombinedPolicy: {policies: [OraclePolicy]}}\n  inline: {CombinedPolicy: {policies: [wait, {OraclePolicy: {}}]}}\n  \
                    deep: {CombinedPolicy: {policies: [[wait, {CombinedPolicy: {policies: [wait, [named]]}}]]}}\n  \
                    blind: {CombinedPolicy: {policies: [wait, RandomPolicy, [{HarvestPolicy: {}}]]}}\n  \
                    nobody: CombinedPolicy\n  circle: {CombinedPolicy: {policies: [oracle, circle]}}\n";
    let game = compile(&format!("{}{policies}", TWO_FIELDS.trim_start()));
    let knows = |name: &str| game.spec().policies()[name].knows_hidden(&game);
    for name in ["oracle", "named", "kind", "inline", "deep"] {
        assert!(knows(name), "{name}");
    }
    for name in ["wait", "blind", "nobody", "circle"] {
        assert!(!knows(name), "{name}");
    }
}
