//! What is wrong in a policy is found at its place, with a way out.

use farm_core::Game;
use farm_core::config::{Document, Problem};
use farm_core::spec::load;

use super::support::{TWO_FIELDS, compile, game, refused};

/// The only problem of a policy.
fn one(game: &Game, yaml: &str) -> Problem {
    let mut problems = refused(game, yaml);
    assert_eq!(problems.0.len(), 1, "{problems}");
    problems.0.swap_remove(0)
}

pub(crate) fn says(game: &Game, yaml: &str, path: &str, message: &str) {
    let problem = one(game, yaml);
    assert_eq!(problem.path.to_string(), path, "{problem}");
    assert!(problem.message.contains(message), "{problem}");
    assert!(problem.expected.is_some() || problem.help.is_some(), "{problem}");
}

#[test]
fn problems_of_a_rule_stand_where_they_are_written() {
    let game = game("full_farm-v0", None);
    let rule = |rule: &str| format!("{{TriggerPolicy: {{rules: [{rule}]}}}}");
    let when = |condition: &str| rule(&format!("{{when: [[{condition}]], act: harvest}}"));
    let root = "TriggerPolicy.rules[0]";
    let at = |path: &str| format!("{root}{path}");
    says(&game, &rule("{}"), &at(".act"), "a rule needs an action");
    says(&game, &rule("{act: harvset}"), &at(".act"), "allow no action `harvset`");
    says(&game, &rule("{act: [{action: harvest}, {action: sowe}]}"), &at(".act[1].action"), "no action `sowe`");
    says(&game, &rule("{act: harvest, delay#day: -1}"), &at(".delay#day"), "out of range");
    says(&game, &rule("{act: harvest, period#day: 0}"), &at(".period#day"), "out of range");
    says(&game, &rule("{act: harvest, once: 3}"), &at(".once"), "found a number");
    says(&game, &rule("{act: harvest, delay#days: 3}"), &at(".delay#days"), "does not have the unit of");
    let unknown = when("{state_variable: [Field-0, Plant-7, stage], operator: '==', ref_value: ripe}");
    says(&game, &unknown, &at(".when[0][0].state_variable[1]"), "no part `Plant-7`");
    let operator = when("{state_variable: [Field-0, Facility-0, scarecrow], operator: '=', ref_value: none}");
    says(&game, &operator, &at(".when[0][0].operator"), "unknown operator `=`");
    let unseen = when("{state_variable: [Field-0, Weeds-0, flowers#nb], function: sum, operator: '>', ref_value: 1}");
    says(&game, &unseen, &at(".when[0][0].state_variable"), "not observed");
    let here = rule("{act: {entity: Plant-0, action: micro_harvest, parameters: {plot: here}}}");
    let problem = one(&game, &here);
    assert!(problem.help.as_deref().is_some_and(|help| help.contains("for_each_plot: true")), "{problem}");
}

#[test]
fn a_rule_for_each_plot_stays_in_its_field() {
    let game = compile(TWO_FIELDS);
    let water = |field: &str| {
        format!("{{{field}entity: Soil-0, action: water_discrete, parameters: {{plot: here, amount#L: 1}}}}")
    };
    let rule =
        |when: &str, act: &str| format!("{{TriggerPolicy: {{rules: [{{for_each_plot: true{when}, act: {act}}}]}}}}");
    let dry = |f: u32| {
        format!(", when: [[{{state_variable: [Field-{f}, Soil-0, available_Water#L], operator: '<', ref_value: 9}}]]")
    };
    let (path, there) = ("TriggerPolicy.rules[0].act", water("field: Field-1, "));
    says(&game, &rule("", &water("")), path, "is in several fields");
    says(&game, &rule("", &water("field: Field-9, ")), path, "no field `Field-9`");
    says(&game, &rule("", "{action: water_discrete}"), path, "the field of this rule is not set");
    says(&game, &rule("", &format!("[{there}, {}]", water("field: Field-0, "))), &format!("{path}[1]"), "`plot: here`");
    says(&game, &rule(&dry(0), &there), "TriggerPolicy.rules[0].when[0][0]", "has no value at a plot of `Field-1`");
    // What sums up the other field is no matter of plots.
    let sum = dry(0).replace("operator", "function: sum, operator");
    drop(super::support::player(&game, &rule(&sum, &there)));
}

#[test]
fn problems_of_the_catalogue_name_its_parameters() {
    let game = game("full_farm-v0", None);
    says(&game, "{HarvestPolicy: {stage: rype}}", "HarvestPolicy.stage", "`rype` is not a value");
    says(&game, "{HarvestPolicy: {entity: Plant-1}}", "HarvestPolicy.entity", "with the name `Plant-1`");
    says(&game, "{HarvestPolicy: {delay#day: -2}}", "HarvestPolicy.delay#day", "out of range");
    says(&game, "{WaterPolicy: {amount#L: 3}}", "WaterPolicy.amount#L", "does not allow this value of `amount#L`");
    says(&game, "{ScarecrowPolicy: {type: huge}}", "ScarecrowPolicy.type", "does not allow this value of `type`");
    says(&game, "{ScatterPolicy: {what: money}}", "ScatterPolicy.what", "`money` is not a choice");
    says(&game, "{WaterPolicy: weekly}", "WaterPolicy", "unknown parameter set `weekly`");
    // The names that would have been right.
    let problem = one(&game, "{HarvestPolicy: {entity: Plent-0}}");
    assert_eq!(problem.expected.as_deref(), Some("`Field-0.Plant-0`"), "{problem}");
    // What a policy looks at must be observed.
    let blind = "      - [Field-0, Soil-0, available_Water#L]\n";
    let text = farm_games::catalogue::entry("full_farm-v0").expect("a game").yaml;
    let text = text.replacen(blind, "", 1).split("\npolicies:").next().expect("a game").to_owned();
    let blind = compile(&text);
    says(&blind, "{WaterPolicy: {below#L: 90}}", "WaterPolicy.below#L", "not observed");
    drop(super::support::player(&blind, "{WaterPolicy: {period#day: 3}}"));
}

/// A game with policies that name each other.
fn with_policies(policies: &str) -> Game {
    compile(&format!("{}policies:\n{policies}", TWO_FIELDS.trim_start()))
}

#[test]
fn policies_that_lead_back_to_themselves_are_refused() {
    let game = with_policies(
        "  a: {CombinedPolicy: {policies: [wait, b]}}\n  b: {CombinedPolicy: {policies: [[wait, c]]}}\n  c: {CombinedPolicy: \
         {policies: [a]}}\n  wait: WaitPolicy\n  self: {CombinedPolicy: {policies: [self]}}\n",
    );
    let Err(problems) = game.player("a") else { panic!("a circle") };
    assert_eq!(problems.0.len(), 1, "{problems}");
    assert_eq!(problems.0[0].path.to_string(), "policies.a.CombinedPolicy.policies[1]");
    assert!(problems.0[0].message.contains("b → c → a → b"), "{problems}");
    assert!(one(&game, "[wait, self]").message.contains("self → self"));
    // What leads to a circle is wrong, too, and what does not is right.
    says(&game, "[c]", "[0]", "c → a → b → c");
    drop(super::support::player(&game, "[wait, [wait], wait]"));
}

#[test]
fn a_combination_that_grows_without_bounds_is_refused() {
    let list = |next: usize| vec![format!("p{next}"); 4].join(", ");
    let mut policies: String =
        (0..20).map(|i| format!("  p{i}: {{CombinedPolicy: {{policies: [{}]}}}}\n", list(i + 1))).collect();
    policies.push_str("  p20: WaitPolicy\n");
    let game = with_policies(&policies);
    assert!(one(&game, "[p0]").message.contains("more than 1000 policies"));
    drop(super::support::player(&game, "p18"));
}

#[test]
fn problems_within_a_combination_stand_where_they_are_written() {
    let game = with_policies("  bad: {WaterPolicy: {entity: Soil-0}}\n");
    says(&game, "[WaitPolicy, Watch]", "[1]", "no policy `Watch`");
    says(&game, "[WaitPolicy, {Watch: {}}]", "[1].Watch", "unknown policy `Watch`");
    says(&game, "[[{WaterPolicy: {amount#L: -1, entity: Field-0.Soil-0}}]]", "[0][0].WaterPolicy.amount#L", "range");
    says(&game, "[7]", "[0]", "this is not a valid policy");
    says(&game, "[bad]", "[0]", "`bad` does not fit this game");
    let near = one(&game, "[WatePolicy]");
    assert!(near.nearest.is_some(), "{near}");
    assert_eq!(one(&game, "RandomPolcy").nearest.as_deref(), Some("RandomPolicy"));
}

#[test]
fn a_policy_of_a_file_is_located_in_that_file() {
    let game = game("full_farm-v0", None);
    let folder = std::env::temp_dir().join(format!("farm_policies_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let good = file("good.yaml", "- HarvestPolicy: when_ripe\n- WaterPolicy: {amount#L: 10, below#L: 90}\n- random\n");
    drop(super::support::player(&game, &good));
    drop(super::support::player(&game, &format!("wait + {good}")));
    let bad = "TriggerPolicy:\n  rules:\n    - act: harvest\n      delay#day: -4\n    - act: harvset\n";
    let path = file("bad.yaml", bad);
    let problem = one(&game, &path);
    assert_eq!(problem.location.map(|at| at.to_string()), Some(format!("{path}:4:18")));
    let list = file("list.yaml", "- WaitPolicy\n- HarvestPolicy: {stage: rype}\n");
    let problem = one(&game, &list);
    assert_eq!(problem.location.as_ref().map(ToString::to_string), Some(format!("{list}:2:26")), "{problem}");
    let broken = file("broken.yaml", "a: [\n");
    assert!(one(&game, &broken).message.contains("not valid YAML"));
    assert!(one(&game, "no/such.yaml").message.contains("can't be read"));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

/// `farm check` builds every policy of a game, so that what is wrong inside a combination is found before it is played.
#[test]
fn problems_inside_a_game_are_located_in_the_game() {
    let text = format!(
        "{}policies:\n  both:\n    CombinedPolicy:\n      policies:\n        - WaterPolicy: {{entity: Soil-9}}\n",
        TWO_FIELDS.trim_start()
    );
    let game = load("g.yaml", &text).and_then(Game::new).unwrap_or_else(|problems| panic!("{problems}"));
    let Err(problems) = game.player("both") else { panic!("there is no Soil-9") };
    let problems = Document::parse("g.yaml", &text).unwrap_or_else(|problems| panic!("{problems}")).locate(problems);
    let line = text.lines().position(|line| line.contains("Soil-9")).expect("the line") + 1;
    let location = problems.0[0].location.as_ref().map(ToString::to_string);
    assert_eq!(location, Some(format!("g.yaml:{line}:33")), "{problems}");
}

/// Whatever a game calls its policies, they can be named so: blanks around a name are part of it, where there is such a name.
#[test]
fn a_policy_is_found_by_the_name_that_the_game_gives_it() {
    for name in ["\tmine", "mine ", "\u{a0}mine", "a + b", "\u{202e}mine", "a: b", "[mine]"] {
        let yaml = serde_json::to_string(&std::collections::BTreeMap::from([(name, "RandomPolicy")])).unwrap();
        let game = compile(&format!("{TWO_FIELDS}policies: {yaml}\n"));
        drop(farm_games::policy(&game, name).unwrap_or_else(|problems| panic!("{name:?}: {problems}")));
    }
    let game = compile(&format!("{TWO_FIELDS}policies: {{mine: RandomPolicy}}\n"));
    drop(farm_games::policy(&game, " mine\t").unwrap());
}
