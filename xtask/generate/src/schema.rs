//! Writes the JSON Schemas for game files and parameter sets. With them, editors complete and check these files as you type.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use farm_core::registry::kinds;
use farm_study::schemas as all;

/// The folder with the schemas, relative to the top of the repository.
pub(crate) const FOLDER: &str = "schemas";

/// A handwritten schema for the results that Python writes.
const BY_HAND: &str = "results.schema.json";
/// The folder with the handwritten schemas for command output. The farm-cli tests compare them with the output.
const OUTPUTS: &str = "outputs";

/// Writes the schemas, or compares them with the existing ones.
///
/// # Errors
/// A file can't be read or written, or, with `check`, a file is missing, differs or is obsolete.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    ensure!(!kinds().is_empty(), "no kind is registered, so there is nothing to write a schema for");
    let folder = root.join(FOLDER);
    let mut wanted = BTreeMap::new();
    for file in all() {
        wanted.insert(folder.join(file.path()), format!("{:#}\n", file.schema()));
    }
    let (by_hand, outputs) = (folder.join(BY_HAND), folder.join(OUTPUTS));
    let leftover: Vec<PathBuf> = files(&folder)?
        .into_iter()
        .filter(|path| !wanted.contains_key(path) && *path != by_hand && !path.starts_with(&outputs))
        .collect();
    if check {
        for (path, text) in &wanted {
            let found = fs::read_to_string(path).unwrap_or_default();
            ensure!(found == *text, "{} differs from the declarations: run `cargo xtask schema`", path.display());
        }
        if let Some(path) = leftover.first() {
            bail!("{} is obsolete: run `cargo xtask schema`", path.display());
        }
        return Ok(());
    }
    for (path, text) in &wanted {
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).with_context(|| format!("{} can't be created", parent.display()))?;
        fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))?;
    }
    for path in leftover {
        fs::remove_file(&path).with_context(|| format!("{} can't be removed", path.display()))?;
    }
    Ok(())
}

/// The existing schemas, in the folder and below it.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(found) };
    for entry in entries {
        let path = entry.with_context(|| format!("{} can't be read", folder.display()))?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.to_string_lossy().ends_with(".schema.json") {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use farm_core::Game;
    use farm_core::config::PartKind;
    use farm_core::registry::{Kind, elsewhere};
    use farm_core::spec::load;
    use farm_games::catalogue::REPRESENTATIVE;
    use farm_games::{CATALOGUE, Options, catalogue};
    use farm_template::{TemplateRequest, template};
    use jsonschema::Validator;
    use serde_json::{Value as Json, json};

    use super::*;

    fn validator(path: &str) -> Validator {
        let file = all().into_iter().find(|file| file.path() == path).unwrap_or_else(|| panic!("no schema {path}"));
        assert!(jsonschema::draft202012::meta::is_valid(file.schema()), "{path} is no schema of draft 2020-12");
        jsonschema::draft202012::new(file.schema()).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn json(yaml: &str) -> Json {
        serde_json::to_value(serde_yaml::from_str::<serde_yaml::Value>(yaml).unwrap()).unwrap()
    }

    #[track_caller]
    fn accepts(validator: &Validator, label: &str, instance: &Json) {
        let errors: Vec<String> =
            validator.iter_errors(instance).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{label}:\n{}", errors.join("\n"));
    }

    fn yaml(game: &str) -> &'static str {
        catalogue::entry(game).unwrap().yaml
    }

    #[test]
    fn the_schemas_are_what_cargo_xtask_schema_writes() {
        run(&crate::root(), true).unwrap();
    }

    #[test]
    fn a_schema_that_differs_is_missing_or_belongs_to_nothing_is_found_and_repaired() {
        let root = std::env::temp_dir().join(format!("farm-schemas-{}", std::process::id()));
        let fails = |what: &str| {
            let error = run(&root, true).expect_err(what).to_string();
            assert!(error.contains("run `cargo xtask schema`"), "{what}: {error}");
            run(&root, false).unwrap();
            run(&root, true).unwrap();
        };
        fails("no schema is there yet");
        let game = root.join(FOLDER).join("game.schema.json");
        fs::write(&game, "{}").unwrap();
        fails("another schema");
        fs::remove_file(&game).unwrap();
        fails("a missing schema");
        let leftover = root.join(FOLDER).join("parameter-sets/Nobody.schema.json");
        fs::write(&leftover, "{}").unwrap();
        fails("a schema of nothing");
        assert!(!leftover.exists());
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn every_game_fits_its_schema_as_written_and_with_all_parameters_written_out() {
        let validator = validator("game.schema.json");
        for entry in catalogue::all_versions() {
            accepts(&validator, entry.name, &json(entry.yaml));
            let full = farm_games::open(entry.name, &Options::default()).unwrap().spec().to_yaml().unwrap();
            accepts(&validator, &format!("{} in full", entry.name), &json(&full));
        }
        let readme = fs::read_to_string(crate::root().join("README.md")).unwrap();
        for block in readme.split("```yaml\n").skip(1) {
            accepts(&validator, "README.md", &json(block.split("```").next().unwrap()));
        }
    }

    /// Parts that are Python classes run only in the Python package, but editors also know them.
    #[test]
    fn python_parts_fit_the_schema_in_both_forms_for_every_sort_of_part() {
        let validator = validator("game.schema.json");
        let game = |python: &str| {
            json(&format!(
                "{{name: slugs, fields: {{Field-0: {{entities: [Weather: montpellier, {python}]}}}}, farmers: [{python}], \
                 rules: {{{python}}}, score: {{{python}}}, policies: {{own: {{{python}}}}}}}"
            ))
        };
        accepts(&validator, "a text", &game("python: 'mypkg.slugs:Slugs'"));
        accepts(&validator, "a mapping", &game("python: {class: 'mypkg.slugs:Slugs', arrival: 0.9}"));
        for wrong in ["python: 3", "python: [Slugs]", "python: {class: 3}", "pyhton: 'mypkg.slugs:Slugs'"] {
            assert!(!validator.is_valid(&game(wrong)), "{wrong}");
        }
    }

    #[test]
    fn every_parameter_set_fits_the_schema_of_its_kind_and_no_others() {
        let with_sets: Vec<&&Kind> = kinds().iter().filter(|kind| !kind.sets().is_empty()).collect();
        assert!(with_sets.len() >= 5);
        for kind in &with_sets {
            let validator = validator(&format!("parameter-sets/{}.schema.json", kind.name()));
            accepts(&validator, kind.name(), &json(kind.sets()));
            for other in with_sets.iter().filter(|other| other.name() != kind.name()) {
                assert!(!validator.is_valid(&json(other.sets())), "{} takes the sets of {}", kind.name(), other.name());
            }
            assert!(
                !validator.is_valid(&json!({"set": {"doc": "A set.", "source": "A book.", "parameters": {"?": 1}}}))
            );
            assert!(!validator.is_valid(&json!({"set": {"doc": "A set."}})), "a set without a source");
        }
    }

    #[test]
    fn every_kind_is_offered_in_each_of_its_forms() {
        let validator = validator("game.schema.json");
        let game = json(yaml("clay_bean-v0"));
        for kind in kinds() {
            let sets = kind.parameter_sets().unwrap();
            let mut forms = vec![json!(kind.name()), json!({kind.name(): null}), json!({kind.name(): {}})];
            forms.extend(sets.iter().map(|set| json!({kind.name(): set.name()})));
            forms.extend(sets.iter().map(|set| json!({kind.name(): {"base": set.name()}})));
            for form in forms {
                let mut game = game.clone();
                let place = match kind.part() {
                    PartKind::Entity => &mut game["fields"]["Field-0"]["entities"][0],
                    PartKind::Farmer => &mut game["farmers"][0],
                    PartKind::Rule => &mut game["rules"],
                    PartKind::Score => &mut game["score"],
                    PartKind::Policy => &mut game["policies"]["random"],
                };
                *place = form;
                accepts(&validator, kind.name(), &game);
            }
        }
    }

    /// Text in a game, its replacement, and the resulting problem.
    const BROKEN: [(&str, &str, &str); 22] = [
        ("- Soil: clay", "- Sol: clay", "an unknown kind"),
        ("- Soil: clay", "- {Soil: clay, Plant: bean}", "two kinds in one entry"),
        ("- Soil: clay", "- {}", "no kind"),
        ("- Soil: clay", "- BasicScore", "a kind of another part"),
        ("- Soil: clay", "- Soil: clya", "an unknown parameter set"),
        ("- Soil: clay", "- Soil: {base: clya}", "an unknown base"),
        ("- Soil: clay", "- Soil: {dephth#m: 1}", "an unknown parameter"),
        ("- Soil: clay", "- Soil: {depth#cm: 50}", "another unit"),
        ("- Soil: clay", "- Soil: {initial_water#L.m-3: 2000}", "a value out of range"),
        ("- Soil: clay", "- Soil: {initial_water#L.m-3: much}", "a text for a number"),
        ("- Plant: bean", "- Plant: {grow: {rate: {rate_mni: 1}}}", "an unknown parameter in a group"),
        ("max_daily_interventions: 1", "max_daily_interventions: 1.5", "a real for a whole number"),
        ("name: clay_bean-v0", "nmae: clay_bean-v0", "a missing name"),
        ("score:\n", "scores:\n", "a missing score"),
        ("farmers:\n  - BasicFarmer: {max_daily_interventions: 1}", "farmers: []", "no farmer"),
        ("max_steps: 250", "max_steps: 250\n    at_max_steps: explode", "a word that is no choice"),
        ("function: value, operator: '>='", "function: value, operator: '=>'", "an unknown operator"),
        ("function: fraction", "function: fractoin", "an unknown function"),
        ("  random: RandomPolicy", "  random: RandmPolicy", "an unknown policy"),
        ("presets:\n", "presets:\n  larger: 3\n", "a variant that changes nothing"),
        ("latitude#°: 43.6", "latitude#°: 100", "no latitude"),
        ("{equations: corrected}", "{colour: red}", "a default of nobody"),
    ];

    #[test]
    fn what_the_schema_refuses_the_game_refuses_and_the_other_way_round() {
        let validator = validator("game.schema.json");
        for (from, to, what) in BROKEN {
            let text = yaml("clay_bean-v0");
            assert_eq!(text.matches(from).count(), 1, "`{from}`");
            let broken = text.replace(from, to);
            assert!(!validator.is_valid(&json(&broken)), "the schema accepts {what}");
            assert!(load("broken", &broken).and_then(Game::new).is_err(), "the game accepts {what}");
        }
    }

    /// Checks every file in a template against its schema.
    #[test]
    fn what_a_template_writes_fits_the_schemas_with_every_preset_and_representative_games_in_every_mode() {
        let schemas =
            ["game", "init", "actions", "score"].map(|name| (name, validator(&format!("{name}.schema.json"))));
        let mut checked = 0;
        for entry in CATALOGUE {
            let game = farm_games::open(entry.name, &Options::default()).unwrap();
            let named = game
                .spec()
                .presets()
                .keys()
                .map(|preset| Options { preset: Some(preset.clone()), ..Options::default() });
            let is_representative = REPRESENTATIVE.contains(&entry.name);
            let modes = ["aomdp", "fomdp"].into_iter().filter(|_| is_representative).map(|mode| Options {
                set: vec![("interaction_mode".to_owned(), mode.to_owned())],
                ..Options::default()
            });
            for options in named.chain(modes).chain([Options::default()]) {
                let request = TemplateRequest { game: entry.name.to_owned(), options, ..TemplateRequest::default() };
                for file in template(&request).unwrap().files {
                    let stem = file.path.file_stem().unwrap().to_string_lossy().into_owned();
                    let part = stem.strip_prefix(entry.name).unwrap().trim_start_matches('_');
                    let (_, validator) =
                        schemas.iter().find(|(name, _)| *name == if part.is_empty() { "game" } else { part }).unwrap();
                    accepts(validator, &format!("{stem} of {:?}", request.options), &json(&file.text));
                    checked += 1;
                }
            }
        }
        assert!(checked >= 4 * (CATALOGUE.len() + 2 * REPRESENTATIVE.len()), "only {checked} files");
    }

    /// The test puts parts in separate files, in every place where the reader accepts them, and uses the paper's layout within the game.
    #[test]
    fn parts_may_be_files_and_rule_and_score_may_be_in_the_layout_of_the_paper() {
        let validator = validator("game.schema.json");
        let start = "name: x\nfields: {Field-0: {entities: [Soil: clay]}}\nfarmers: [BasicFarmer]\n";
        for rest in [
            "init: x_init.yaml\nactions: x_actions.yml\nscore: x_score.yaml",
            "init: {Initial: , Terminal: }\nscore: {reward-mix: {yield: 1}, final-reward-mix: , intervention-cost: {Field-0: {Soil-0: {water: 1}}}}",
            "actions: {params: {max_steps: 3}, observations: {Free: {Field-0: }}, interventions: [wait]}\nscore: BasicScore",
            "rules: rules.yaml\nscore: BasicScore\npolicies: {own: own.yaml}\npresets: presets.yaml",
        ] {
            accepts(&validator, rest, &json(&format!("{start}{rest}")));
        }
        accepts(
            &validator,
            "files",
            &json("name: x\nfields: {Field-0: f.yaml}\nfarmers: [f.yaml]\nrules: r.yaml\nscore: s.yaml"),
        );
        for wrong in [
            "score: BasicScore",
            "init: 3\nscore: BasicScore",
            "init: {Inital: }\nscore: BasicScore",
            "actions: {params: {max_stps: 3}}\nscore: BasicScore",
            "init: init.txt\nscore: BasicScore",
            "init: i.yaml\nscore: score.txt",
            "init: i.yaml\nscore: {reward-mix: {yield: much}}",
        ] {
            assert!(!validator.is_valid(&json(&format!("{start}{wrong}"))), "{wrong}");
        }
    }

    #[test]
    fn a_file_with_a_policy_fits_its_schema_in_every_form() {
        let validator = validator("policy.schema.json");
        for policy in
            ["RandomPolicy", "expert", "WaterPolicy: {amount#L: 5}", "[expert, RandomPolicy, WaterPolicy: , [wait]]"]
        {
            accepts(&validator, policy, &json(policy));
        }
        for wrong in ["3", "WaterPolic: {amount#L: 5}", "WaterPolicy: {amount#l: 5}", "[3]", "BasicScore: {}"] {
            assert!(!validator.is_valid(&json(wrong)), "{wrong}");
        }
    }

    /// JSON has no `.nan`. A `.nan` from YAML does not violate a lower bound. It is rejected only because it counts as above every upper
    /// bound.
    #[test]
    fn every_number_refuses_what_is_beyond_all_numbers() {
        fn numbers<'s>(schema: &'s Json, found: &mut Vec<&'s Json>) {
            match schema {
                Json::Object(keys) => {
                    let is_number = |kind: &Json| kind == "number" || *kind == json!(["number", "null"]);
                    if keys.get("type").is_some_and(is_number) && !keys.contains_key("exclusiveMinimum") {
                        found.push(schema);
                    }
                    keys.values().for_each(|below| numbers(below, found));
                }
                Json::Array(items) => items.iter().for_each(|below| numbers(below, found)),
                _ => {}
            }
        }
        let files = all();
        let (mut found, infinite) = (Vec::new(), json!({"type": "number", "exclusiveMinimum": f64::MAX}));
        files
            .iter()
            // That of results is written by hand.
            .filter(|file| !["game.schema.json", "results.schema.json"].contains(&file.path()))
            .for_each(|file| numbers(file.schema(), &mut found));
        numbers(&files[0].schema()["$defs"], &mut found);
        assert!(found.len() > 300, "{}", found.len());
        for number in found {
            assert_eq!(number["not"], infinite, "{number}");
        }
        let sets = validator("parameter-sets/Soil.schema.json");
        let set = |depth: f64| json!({"set": {"doc": "A set.", "source": "A book.", "parameters": {"depth#m": depth}}});
        assert!(sets.is_valid(&set(0.5)) && !sets.is_valid(&set(1e300)));
    }

    #[test]
    fn a_sentence_a_unit_a_range_and_a_default_reach_the_editor() {
        let game = all().remove(0);
        let schema = game.schema();
        let latitude = &schema["properties"]["fields"]["additionalProperties"]["properties"]["localization"]["properties"]
            ["latitude#°"];
        assert_eq!(
            latitude,
            &json!({
                "description": "Latitude, north positive. In °.",
                "type": "number", "minimum": -90, "maximum": 90,
                "not": {"type": "number", "exclusiveMinimum": f64::MAX}, "default": 43.6,
            })
        );
        let all = kinds().iter().copied().chain(elsewhere().into_iter().map(|other| other.kind()));
        let kinds_of_entities: BTreeSet<&str> =
            all.filter(|kind| kind.part() == PartKind::Entity).map(|kind| kind.name()).collect();
        let offered = schema["$defs"]["entity"]["anyOf"][0]["properties"].as_object().unwrap();
        assert_eq!(offered.keys().map(String::as_str).collect::<BTreeSet<_>>(), kinds_of_entities);
    }

    #[test]
    fn every_file_of_a_game_or_of_parameter_sets_names_its_schema() {
        let root = crate::root();
        let mut named = 0;
        for folder in ["farm-games/games", "farm-games/src", "farm-entities/src"] {
            for path in yaml_files(&root.join(folder)) {
                let text = fs::read_to_string(&path).unwrap();
                let first = text.lines().next().unwrap();
                let schema = first.strip_prefix("# yaml-language-server: $schema=");
                let schema = schema.unwrap_or_else(|| panic!("{} does not begin with its schema", path.display()));
                let schema = path.parent().unwrap().join(schema);
                let schema: Json = serde_json::from_str(&fs::read_to_string(&schema).unwrap()).unwrap();
                accepts(&jsonschema::draft202012::new(&schema).unwrap(), &path.display().to_string(), &json(&text));
                named += 1;
            }
        }
        // The sets of plants and of weather are in two files each.
        assert_eq!(
            named - 2,
            catalogue::all_versions().map(|entry| 1 + usize::from(entry.best_known().is_some())).sum::<usize>()
                + kinds().iter().filter(|kind| !kind.sets().is_empty()).count()
        );
    }

    fn yaml_files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let of = |path: PathBuf| match path.is_dir() {
            true => yaml_files(&path),
            false => vec![path],
        };
        // A quiz of a game has a form of its own.
        let is_quiz = |path: &PathBuf| path.to_string_lossy().ends_with(".quiz.yaml");
        let files = entries.flat_map(of).filter(|path| path.extension().is_some_and(|end| end == "yaml"));
        files.filter(|path| !is_quiz(path)).collect()
    }

    #[test]
    fn studies_fit_their_schema() {
        let validator = validator("study.schema.json");
        for study in farm_study::SHIPPED {
            let value: Json = serde_yaml::from_str(study.text).unwrap();
            let said: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(said.is_empty(), "{}: {said:?}", study.name);
        }
        assert!(!validator.is_valid(&json!({"name": "a", "game": "clay_bean", "measure": {"off": []}})));
    }
}
