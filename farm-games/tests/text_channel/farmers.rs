//! Several farmers: each action's name says whose it is.

use farm_core::config::Document;
use farm_core::inspect::RulesText;
use farm_core::spec::load_document;
use farm_core::{Environment, Game};

/// Two fields and two farmers; both may do everything in the second field, the first alone the first one.
const TWO: &str = "\
name: two
fields:
  North: {shape: {length#nb: 2}, entities: [{Weather: montpellier}, {Soil: loam}, {Plant: bean}]}
  South: {shape: {length#nb: 2}, entities: [{Weather: montpellier}, {Soil: loam}, {Plant: bean}]}
farmers: [BasicFarmer, BasicFarmer]
rules:
  BasicRule:
    actions:
      BasicFarmer-0: {North: {Plant-0: {micro_harvest: {plot: '*'}}}}
      South: {Plant-0: {micro_harvest: {plot: '*'}, harvest: }}
    free_observations: [[North, Plant-0, stage]]
    max_action_schedule_size: 2
    max_steps: 5
score: {BasicScore: {}}
interaction_mode: MODE
";

fn two(mode: &str) -> Game {
    let document = Document::parse("two.yaml", &TWO.replace("MODE", mode)).unwrap();
    load_document(&document).and_then(Game::new).unwrap_or_else(|problems| panic!("{}", document.locate(problems)))
}

#[test]
fn names_of_actions_are_unique_and_read_back() {
    for mode in ["pomdp", "aomdp"] {
        let game = two(mode);
        let catalogue = game.catalogue();
        let mut names: Vec<String> = catalogue.calls().iter().map(|call| catalogue.describe(call)).collect();
        for (call, name) in catalogue.calls().iter().zip(&names) {
            let short = catalogue.write(call);
            assert!(name.starts_with("BasicFarmer-") && short.starts_with("BasicFarmer-"), "{name}, {short}");
            for text in [name, &short, &short.to_lowercase(), &catalogue.to_json(call).to_string()] {
                assert_eq!(catalogue.parse_line(text).as_deref(), Ok(&[*call][..]), "{mode}: {text}");
            }
        }
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{mode}");
        let shown = game.text().instructions(RulesText::Shown);
        let lines: Vec<&str> =
            shown.lines().filter(|line| line.contains(". `Basic") && !line.contains("part of a variable")).collect();
        let mut unique = lines.clone();
        unique.sort_unstable();
        unique.dedup();
        assert!(!lines.is_empty() && unique.len() == lines.len(), "{shown}");
        assert!(shown.contains("You direct 2 farmers: BasicFarmer-0 and BasicFarmer-1."), "{shown}");
        let example =
            shown.split_once("a single part of a variable, as in `").and_then(|(_, rest)| rest.split('`').next());
        assert_eq!(example.is_some(), mode == "aomdp", "{shown}");
        if let Some(example) = example {
            assert!(
                catalogue.parse_line(example).is_ok()
                    && !lines.iter().any(|line| line.contains(&format!("`{example}`")))
            );
        }
    }
}

#[test]
fn without_the_name_the_only_farmer_who_can_acts() {
    let mut env = Environment::new(two("pomdp").into());
    let read = |text: &str| env.game().text().parse(text).map(|calls| env.game().catalogue().describe(&calls[0]));
    let first = "BasicFarmer-0: North.Plant-0.micro_harvest(plot=(0, 0))".to_owned();
    assert_eq!(read("North.Plant-0.micro_harvest(plot=(0, 0))"), Ok(first.clone()));
    assert_eq!(read("Action: basicfarmer-0: north.plant-0.micro_harvest((0, 0))"), Ok(first));
    assert_eq!(read("BasicFarmer-1: harvest"), Ok("BasicFarmer-1: South.Plant-0.harvest".to_owned()));
    assert_eq!(read("basicfarmer-1 south harvest").ok(), None, "the farmer stands before a colon");
    assert_eq!(env.game().text().parse("wait"), Ok(Vec::new()));
    let refused = |text: &str| env.game().text().parse(text).map(|calls| calls.len()).expect_err(text).sentence();
    let both = "several farmers may do this: `BasicFarmer-0: harvest` or `BasicFarmer-1: harvest`";
    for text in
        ["harvest", "South.Plant-0.harvest", "{\"action\": \"harvest\"}", "[\"South\", \"Plant-0\", \"harvest\", {}]"]
    {
        assert!(refused(text).contains(both), "{text}: {}", refused(text));
    }
    let not_his = refused("BasicFarmer-1: North.Plant-0.micro_harvest(plot=(0, 0))");
    assert!(not_his.contains("`BasicFarmer-1` may not do this") && not_his.contains("`BasicFarmer-0`"), "{not_his}");
    env.step("BasicFarmer-0: harvest; BasicFarmer-1: harvest").unwrap();
    let farmers: Vec<usize> = env
        .record()
        .executed()
        .iter()
        .map(|call| env.game().catalogue().base_actions()[call.base()].farmer())
        .collect();
    assert_eq!(farmers, [0, 1]);
}

#[test]
fn one_farmer_needs_no_name() {
    let game = super::game("clay_bean-v0", None, &[]);
    for call in game.catalogue().calls() {
        assert!(!game.catalogue().describe(call).contains("BasicFarmer"));
    }
    assert!(!game.text().instructions(RulesText::Shown).contains("Several farmers"));
    assert!(game.catalogue().parse_line("BasicFarmer-0: harvest").is_ok(), "and may have it");
}

/// What is said of looking means nothing where all that is seen is free; a preset may change that.
#[test]
fn prices_and_lists_of_observations_that_mean_nothing_are_warned_of() {
    let warnings = |mode: &str, more: &str| {
        let text = TWO
            .replace("MODE", mode)
            .replace("score: {BasicScore: {}}", "score: {BasicScore: {default_observation_cost: 0.5}}");
        let text =
            text.replace("    free_obs", "    observations: {North: {Plant-0: {stage: '*'}}}\n    free_obs") + more;
        let document = Document::parse("two.yaml", &text).unwrap();
        let game = load_document(&document).and_then(Game::new);
        game.unwrap_or_else(|problems| panic!("{}", document.locate(problems))).warnings().to_string()
    };
    let told = warnings("pomdp", "");
    for says in ["observations cannot be requested in this game", "observation prices", "interaction_mode: aomdp"] {
        assert!(told.contains(says), "{told}");
    }
    assert_eq!(warnings("aomdp", ""), "");
    assert_eq!(warnings("pomdp", "presets: {ask: {interaction_mode: aomdp}}\n"), "");
}
