//! Templates: the files load back to the same game, and their lines do what their comments say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use farm_core::action::ActionKind;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Game, Outcome};
use farm_games::catalogue::{BEST_KNOWN_POLICY, REPRESENTATIVE};
use farm_games::{CATALOGUE, Options, open};
use farm_template::{Template, TemplateRequest, template};

/// A folder that is empty at first and gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("farm-template-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn options(preset: Option<&str>, set: &[(&str, &str)]) -> Options {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    Options { preset: preset.map(str::to_owned), set, ..Default::default() }
}

fn opened(game: &str, options: &Options) -> Game {
    open(game, options).unwrap_or_else(|problems| panic!("{game}: {problems}"))
}

fn written(game: &str, options: &Options, folder: &Folder) -> Template {
    let request =
        TemplateRequest { game: game.to_owned(), options: options.clone(), out: Some(folder.0.clone()), force: false };
    let made = template(&request).unwrap_or_else(|problems| panic!("{game}: {problems}"));
    made.write().unwrap();
    made
}

/// What a part of the specification says.
fn said(part: &(impl serde::Serialize + ?Sized)) -> Value {
    serde_yaml::to_value(part).unwrap()
}

fn rule(game: &Game, key: &str) -> Value {
    said(game.spec().rules())["BasicRule"][key].clone()
}

/// A tree without the branches that hold nothing: a part whose lines are all unused sets nothing.
fn pruned(value: Value) -> Value {
    match value {
        Value::Mapping(entries) => {
            let entries = entries.into_iter().map(|(key, below)| (key, pruned(below)));
            let entries: serde_yaml::Mapping = entries.filter(|(_, below)| !below.is_null()).collect();
            if entries.is_empty() { Value::Null } else { Value::Mapping(entries) }
        }
        Value::Sequence(items) if items.is_empty() => Value::Null,
        value => value,
    }
}

/// Hashes, rewards and endings of an episode with random actions.
fn episode(game: &Game, seed: u64) -> Vec<(u64, Option<Outcome>)> {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    let mut trace = vec![(state.hash(), None)];
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for _ in 0..50 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let id = (random >> 8) as usize % game.catalogue().discrete_len();
        let outcome = game.step_discrete(&mut state, id, &mut record).unwrap();
        trace.push((state.hash(), Some(outcome)));
        if outcome.over() {
            break;
        }
    }
    trace
}

/// The policies that a game names in its file: the best that is known of it comes with the catalogue.
fn policies(game: &Game) -> BTreeMap<&str, Value> {
    let all = game.spec().policies().iter().map(|(name, policy)| (name.as_str(), said(policy)));
    all.filter(|(name, _)| *name != BEST_KNOWN_POLICY).collect()
}

#[track_caller]
fn assert_same_game(label: &str, one: &Game, other: &Game) {
    assert_eq!(one.catalogue().base_actions(), other.catalogue().base_actions(), "{label}: actions and their costs");
    assert_eq!(one.catalogue().calls(), other.catalogue().calls(), "{label}: the flat list");
    assert_eq!(one.catalogue().bins(), other.catalogue().bins(), "{label}: bins");
    assert_eq!(one.catalogue().max_schedule(), other.catalogue().max_schedule(), "{label}: schedule");
    let entries = |game: &Game| format!("{:?}", game.observation().entries());
    assert_eq!(entries(one), entries(other), "{label}: observation");
    assert_eq!(one.observation().size(), other.observation().size(), "{label}: observation");
    assert_eq!(
        (one.rules().max_steps, one.rules().max_cost),
        (other.rules().max_steps, other.rules().max_cost),
        "{label}"
    );
    for key in ["initial_conditions", "stopping_conditions", "at_max_steps", "steps_per_day", "costs_in_info_only"] {
        assert_eq!(pruned(rule(one, key)), pruned(rule(other, key)), "{label}: {key}");
    }
    assert_eq!(pruned(said(one.spec().score())), pruned(said(other.spec().score())), "{label}: score");
    assert_eq!(said(one.spec().farmers()), said(other.spec().farmers()), "{label}: farmers");
    assert_eq!(said(one.spec().fields()), said(other.spec().fields()), "{label}: fields");
    assert_eq!(policies(one), policies(other), "{label}: policies");
    assert_eq!(one.spec().interaction_mode(), other.spec().interaction_mode(), "{label}: mode");
    assert_eq!(one.constraints().len(), other.constraints().len(), "{label}: constraints");
    for policy in policies(one).keys() {
        let builds = |game: &Game| game.player(policy).is_ok();
        assert_eq!(builds(one), builds(other), "{label}: policy {policy}");
    }
    for seed in 0..4 {
        assert_eq!(episode(one, seed), episode(other, seed), "{label}: episode {seed}");
    }
}

#[track_caller]
fn assert_round_trip(game: &str, options: &Options) {
    let label = format!("{game} {options:?}");
    let folder =
        Folder::new(&format!("round-{:x}", label.bytes().fold(7_u64, |h, b| h.wrapping_mul(31) + u64::from(b))));
    let made = written(game, options, &folder);
    let again = opened(&made.game.display().to_string(), &Options::default());
    assert_same_game(&label, &opened(game, options), &again);
}

#[test]
fn every_game_of_the_catalogue_with_every_preset_loads_back_to_itself() {
    for entry in CATALOGUE {
        let presets: Vec<String> = opened(entry.name, &Options::default()).spec().presets().keys().cloned().collect();
        assert_round_trip(entry.name, &Options::default());
        let folder = Folder::new(&format!("presets-{}", entry.name));
        let file = written(entry.name, &Options::default(), &folder).game.display().to_string();
        for preset in &presets {
            let options = options(Some(preset), &[]);
            assert_round_trip(entry.name, &options);
            // The files keep the presets of the game, and they still mean the same.
            assert_same_game(preset, &opened(entry.name, &options), &opened(&file, &options));
        }
    }
}

#[test]
fn every_mode_loads_back_to_itself() {
    for game in REPRESENTATIVE {
        for mode in ["aomdp", "fomdp", "pomdp"] {
            assert_round_trip(game, &options(None, &[("interaction_mode", mode)]));
        }
    }
}

#[test]
fn games_of_the_reference_load_back_to_themselves() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../farm-reference-format/tests/data/reference_format");
    for game in ["everything", "minimal", "missing", "older", "scarecrow", "two_fields"] {
        assert_round_trip(&folder.join(format!("{game}.yaml")).display().to_string(), &Options::default());
    }
}

const FIELDS: &str = "
name: two
fields:
  Field-0: {shape: {length#nb: 2, width#nb: 2}, entities: [{Weather: montpellier}, {Soil: clay}, {Plant: bean}]}
  Field-1: {shape: {length#nb: 1, width#nb: 2}, entities: [{Weather: montpellier}, {Soil: sand}, {Plant: corn}]}
farmers:
  - BasicFarmer: {max_daily_interventions: 3, max_daily_observations: 5}
  - BasicFarmer: {max_daily_interventions: 1}
policies: {'off': RandomPolicy}
";

#[test]
fn rules_of_every_form_load_back_to_themselves() {
    let folder = Folder::new("forms");
    let rules = [
        // Whatever may be done where nothing is listed; a template lists it, so that plants with no start of their own would begin unsown.
        "interaction_mode: aomdp\nrules: {BasicRule: {initial_conditions: {Field-0: {Plant-0: {stage: seed}}, Field-1: {Plant-0: {stage: seed}}}}}\nscore: {ProfitScore: {part_prices: {yield#kg-1: {Field-1: {Plant-0: 7}}}}}",
        // A tree for each farmer, single plots, ranges, words that YAML reads as flags.
        "interaction_mode: aomdp
rules:
  BasicRule:
    free_observations: [[Field-1, Soil-0, available_Water#L, ['(0, 1)']], [Field-1, Soil-0, available_Water#L, ['(0, 0)']], [Field-0, Weather-0, forecast.rain_amount#mm.day-1, [2]]]
    observations: {BasicFarmer-0: {Field-0: {Weather-0: {air_temperature: {'*': , max#°C: }}, Soil-0: {available_Water#L: ['*', '(0, 1)']}}}}
    actions:
      BasicFarmer-0: {Field-0: {Soil-0: {water_continuous: {amount#L: '(1.5, 9)'}}, Plant-0: {sow: {plot: [[0, 1], '(1, 1)']}}}}
      BasicFarmer-1: {Field-1: {Plant-0: {harvest: }}}
    initial_conditions: {Field-1: {Plant-0: {stage: {'(0, 1)': seed}, population#nb: [1, 2]}}}
    number_of_bins_to_discretize_continuous_actions: 3
    max_action_schedule_cost: 2.5
    costs_in_info_only: true
score: {BasicScore: {observation_cost: {Field-0: {Weather-0: {air_temperature: 2}}}, constraints: {cide_residue: {limit: 3}}}}",
        // An order that no tree has.
        "rules: {BasicRule: {free_observations: [[Field-0, Plant-0, stage], [Field-1, Soil-0, available_Water#L], [Field-0, Weather-0, day#int365], step], actions: [Field-1.Plant-0.harvest, Field-0.Plant-0.harvest]}}
score: BasicScore",
    ];
    for (i, rest) in rules.into_iter().enumerate() {
        let file = folder.write(&format!("form{i}.yaml"), &format!("{FIELDS}{rest}\n"));
        assert_round_trip(&file, &Options::default());
    }
}

/// The files of a template as lines, with what is commented out.
fn unused(text: &str) -> Vec<usize> {
    let lines = text.lines().enumerate();
    lines.filter(|(_, line)| line.trim_start().starts_with("# ")).map(|(i, _)| i).collect()
}

fn changed(text: &str, at: usize, change: impl Fn(&str) -> String) -> String {
    let lines = text.lines().enumerate().map(|(i, line)| if i == at { change(line) } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[track_caller]
fn assert_each_unused_line_can_be_used(game: &str, options: &Options, least: usize) {
    let folder = Folder::new(&format!("unused-{game}-{least}"));
    let file = written(game, options, &folder).game.display().to_string();
    let original = opened(&file, &Options::default());
    let plain = |game: &Game| (pruned(said(game.spec().rules())), pruned(said(game.spec().score())));
    let mut used = 0;
    for part in ["init", "actions", "score"] {
        let name = format!("{game}_{part}.yaml");
        let text = folder.read(&name);
        for at in unused(&text) {
            let with = changed(&text, at, |line| line.replacen("# ", "", 1));
            folder.write(&name, &with);
            let line = text.lines().nth(at).unwrap();
            let extended = open(&file, &Options::default()).unwrap_or_else(|problems| panic!("{line}\n{problems}"));
            assert_ne!(plain(&extended), plain(&original), "{line} changes nothing");
            used += 1;
        }
        folder.write(&name, &text);
    }
    assert!(used >= least, "only {used} lines of {game} are commented out");
}

#[test]
fn each_unused_line_of_a_game_with_everything_can_be_used() {
    assert_each_unused_line_can_be_used("full_farm-v0", &Options::default(), 300);
}

#[test]
fn each_unused_line_of_other_forms_can_be_used() {
    let walks = options(None, &[]);
    assert_each_unused_line_can_be_used("backwards_valley", &walks, 10);
    let looks = options(None, &[("interaction_mode", "aomdp"), ("score", "ProfitScore")]);
    assert_each_unused_line_can_be_used("clay_bean-v0", &looks, 150);
}

#[test]
fn without_the_line_of_an_action_exactly_that_action_is_gone() {
    let folder = Folder::new("delete");
    let file = written("full_farm-v0", &options(Some("4x3"), &[]), &folder).game.display().to_string();
    let original = opened(&file, &Options::default());
    let text = folder.read("full_farm-v0_actions.yaml");
    let start = text.lines().position(|line| line == "interventions:").unwrap();
    let is_action = |line: &str| line.starts_with("      ") && !line.trim_start().starts_with('#');
    let at: Vec<usize> = (start..text.lines().count()).filter(|i| is_action(text.lines().nth(*i).unwrap())).collect();
    assert_eq!(at.len(), original.catalogue().base_actions().len());
    for (rank, line) in at.into_iter().enumerate() {
        folder.write("full_farm-v0_actions.yaml", &changed(&text, line, |_| String::new()));
        let mut bases = original.catalogue().base_actions().to_vec();
        bases.remove(rank);
        assert_eq!(opened(&file, &Options::default()).catalogue().base_actions(), bases);
    }
    // All lines of a file may go that name something; what is left of the tree names nothing.
    let named = |line: &str| line.starts_with("        ") && !line.trim_start().starts_with('#');
    let none: Vec<&str> = text.lines().filter(|line| !named(line) && !(is_action(line))).collect();
    folder.write("full_farm-v0_actions.yaml", &(none.join("\n") + "\n"));
    let empty = opened(&file, &Options::default());
    assert!(empty.catalogue().base_actions().is_empty() && empty.observation().entries().is_empty());
}

#[test]
fn comments_tell_unit_range_and_meaning_as_they_are_declared() {
    let folder = Folder::new("comments");
    written("full_farm-v0", &options(Some("4x3"), &[]), &folder);
    let game = opened("full_farm-v0", &options(Some("4x3"), &[]));
    let (init, actions) = (folder.read("full_farm-v0_init.yaml"), folder.read("full_farm-v0_actions.yaml"));
    for part in game.parts().iter().filter(|part| part.field().is_some()) {
        for variable in part.variables() {
            let quoted = |text: &str| text.lines().any(|l| l.contains(variable.name()) && l.contains(variable.doc()));
            assert!(quoted(&init), "{} in the file for the start", variable.name());
            assert_eq!(quoted(&actions), variable.visible(), "{} in the file for actions", variable.name());
        }
        for action in part.actions() {
            assert!(actions.contains(action.doc()), "{}", action.name());
            assert!(action.parameters().iter().all(|p| actions.contains(p.doc())), "{}", action.name());
        }
    }
    let line = |text: &str, start: &str| text.lines().find(|l| l.trim_start().starts_with(start)).unwrap().to_owned();
    // Celsius below -100 is nowhere on earth: the declared range.
    assert!(line(&init, "# air_temperature.max#°C:").contains("# °C, -100 … 100: Highest air temperature of the day."));
    assert!(line(&init, "day#int365: [110, 120, 130]").contains("integer, 0 … 364: Day of the year"));
    assert!(line(&actions, "##   plot: ").contains("'(0, 0)' … '(3, 2)'"));
    assert!(line(&folder.read("full_farm-v0_score.yaml"), "yield#kg: 10.0").contains("# kg, "));
}

#[test]
fn large_fields_have_files_of_reasonable_size() {
    for mode in ["pomdp", "aomdp"] {
        let options = options(
            None,
            &[
                ("interaction_mode", mode),
                ("fields.Field-0.shape.length#nb", "100"),
                ("fields.Field-0.shape.width#nb", "100"),
            ],
        );
        let request =
            TemplateRequest { game: "full_farm-v0".into(), options, out: Some("nowhere".into()), force: false };
        for file in template(&request).unwrap().files {
            assert!(file.text.len() < 100_000, "{}: {} bytes", file.path.display(), file.text.len());
        }
    }
}

fn refused(request: &TemplateRequest) -> String {
    template(request).unwrap_err().to_string()
}

#[test]
fn files_that_are_there_are_not_touched() {
    let folder = Folder::new("there");
    folder.write("clay_bean-v0_score.yaml", "mine");
    let mut request =
        TemplateRequest { game: "clay_bean-v0".into(), out: Some(folder.0.clone()), ..TemplateRequest::default() };
    let problem = refused(&request);
    assert!(problem.contains("already exists") && problem.contains("clay_bean-v0_score.yaml"), "{problem}");
    assert_eq!(folder.names(), ["clay_bean-v0_score.yaml"]);
    request.force = true;
    template(&request).unwrap().write().unwrap();
    assert_eq!(folder.names().len(), 4);
    assert_ne!(folder.read("clay_bean-v0_score.yaml"), "mine");
}

#[test]
fn nothing_is_written_half() {
    let folder = Folder::new("half");
    let request = TemplateRequest {
        game: "clay_bean-v0".into(),
        out: Some(folder.0.clone()),
        force: true,
        ..TemplateRequest::default()
    };
    let made = template(&request).unwrap();
    // A folder that stands where the last file should be, and can't be moved over its own content.
    let mut broken = made.clone();
    let last = broken.files.last_mut().unwrap();
    last.path = folder.0.join("file").join("inside.yaml");
    folder.write("file", "a file, not a folder");
    folder.write("clay_bean-v0_init.yaml", "before");
    assert!(broken.write().unwrap_err().to_string().contains("can't be written"));
    assert_eq!(folder.names(), ["clay_bean-v0_init.yaml", "file"]);
    assert_eq!(folder.read("clay_bean-v0_init.yaml"), "before");
}

#[test]
fn a_game_without_rules_and_score_gets_complete_ones() {
    let folder = Folder::new("missing");
    let file =
        folder.write("mine.yaml", &format!("{FIELDS}init: start.yaml\nactions: mine_actions.yaml\nscore: s.yaml\n"));
    let request = TemplateRequest { game: file.clone(), ..TemplateRequest::default() };
    let made = template(&request).unwrap();
    made.write().unwrap();
    assert_eq!(folder.names(), ["mine.yaml", "mine_actions.yaml", "s.yaml", "start.yaml"]);
    let game = opened(&file, &Options::default());
    assert!(game.warnings().0.is_empty());
    // Two farmers; each action of both fields for each of them, and everything visible.
    let declared_actions: usize = game.parts().iter().map(|part| part.actions().len()).sum();
    assert_eq!(game.catalogue().base_actions().len(), 2 * declared_actions);
    let seen =
        game.parts().iter().map(|p| p.variables().iter().filter(|v| v.visible()).count() + p.observables().len());
    assert_eq!(game.observation().entries().len(), seen.sum::<usize>());
    assert_eq!(game.rules().max_steps, Some(365));
    // Again: all is there.
    assert!(refused(&request).contains("already exist"));
    // One of them is lost: only that one is made anew.
    std::fs::remove_file(folder.0.join("s.yaml")).unwrap();
    let made = template(&request).unwrap();
    assert_eq!((made.files.len(), made.kept.len()), (1, 2));
    made.write().unwrap();
    assert_same_game("made anew", &game, &opened(&file, &Options::default()));
}

#[test]
fn a_game_in_one_file_is_taken_apart_only_when_asked() {
    let folder = Folder::new("apart");
    let text = farm_games::catalogue::entry("clay_bean-v0").unwrap().yaml;
    let file = folder.write("mine.yaml", text);
    let mut request = TemplateRequest { game: file.clone(), ..TemplateRequest::default() };
    let made = template(&request).unwrap();
    let (path, lines) = made.by_hand.clone().unwrap();
    assert_eq!(path.display().to_string(), file);
    assert_eq!(lines, "init: mine_init.yaml\nactions: mine_actions.yaml\nscore: mine_score.yaml\n");
    assert_eq!(made.files.len(), 3);
    request.force = true;
    template(&request).unwrap().write().unwrap();
    assert_ne!(folder.read("mine.yaml"), text);
    assert_same_game("taken apart", &opened("clay_bean-v0", &Options::default()), &opened(&file, &Options::default()));
}

#[test]
fn what_is_no_game_is_said() {
    let request = |game: &str| TemplateRequest { game: game.into(), ..TemplateRequest::default() };
    assert!(refused(&request("clay_baen")).contains("did you mean `clay_bean`"));
    assert!(refused(&request("./nowhere.yaml")).contains("can't be read"));
}

/// The catalogue has interventions of parts of the farm, whose tree has no field.
#[test]
fn parts_of_the_farm_have_their_place_in_the_files() {
    let folder = Folder::new("farm");
    let made = written("backwards_valley", &Options::default(), &folder);
    let game = opened(&made.game.display().to_string(), &Options::default());
    assert!(game.catalogue().base_actions().iter().all(|base| base.kind() == ActionKind::Intervention));
    let init = folder.read("backwards_valley_init.yaml");
    assert!(init.contains("\n  GridFarmer-0:"), "{init}");
}
