//! An invented trial: what a game takes from it, the comparison, the page, and a treatment as a game.

use std::fs;
use std::path::{Path, PathBuf};

use farm_trials::dssat::SoilProfile;
use farm_trials::{ACTIONS, GAME, Quantity, Selection, TrialError, Trials, WEATHER};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/example")
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("farm-trials-test-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_season_has_the_trials_days_amounts_and_soil() {
    let trials = Trials::open(&example()).unwrap();
    let comparison = trials.play(&Selection::default(), 2).unwrap();
    let [without, fed] = comparison.treatments.as_slice() else { panic!("two treatments") };
    let season = fed.season.as_ref().unwrap();
    // The soil was measured on day 100; sowing is on day 115.
    assert_eq!((season.start.to_string(), season.sown.to_string()), ("2001-04-10".into(), "2001-04-25".into()));
    let played = fed.played.as_ref().unwrap();
    let on = |word: &str| -> Vec<(String, &str)> {
        let lines = played.days.iter().zip(&played.actions).filter(|(_, action)| action.contains(word));
        // The action of a step comes before its day.
        lines.map(|(day, action)| (day.date.to_string(), action.as_str())).collect()
    };
    // 30 mm with an efficiency of 0.9 on 100 m², on days 170, 185 and 200; 60 and 120 kg/ha on days 115 and 155.
    let watered = on("water_discrete");
    assert!(watered.iter().all(|(_, action)| action.contains("amount#L=2700")), "{watered:?}");
    let dates: Vec<&str> = watered.iter().map(|(date, _)| date.as_str()).collect();
    assert_eq!(dates, ["2001-06-20", "2001-07-05", "2001-07-20"]);
    let given: Vec<&str> = on("scatter").into_iter().map(|(_, action)| action).collect();
    assert!(given[0].contains("amount#kg=0.6") && given[1].contains("amount#kg=1.2") && given.len() == 2, "{given:?}");
    assert!(on("sow")[0].1.contains("amount#seed=750"));
    assert!(without.played.as_ref().unwrap().actions.iter().all(|action| !action.contains("scatter")));
    // The layers of 30, 60 and 60 cm.
    let layers: Vec<&str> = season.yaml.lines().filter(|line| line.contains("- {bottom#m: ")).collect();
    assert_eq!(
        (layers.len(), season.layers.clone()),
        (3, vec![(0.0, 30.0), (30.0, 90.0), (90.0, 150.0)]),
        "{layers:?}"
    );
    assert!(layers[0].contains("{bottom#m: 0.3, wilting_point#L.m-3: 130, field_capacity#L.m-3: 290,"), "{layers:?}");
    assert!(season.yaml.contains("curve_number: 75"), "{}", season.yaml);
    // 4 g/Mg in 30 cm of 1.35, 2.5 in 60 cm of 1.45, and 1.5 in 60 cm of 1.5: 1.62 + 2.175 + 1.35 g/m².
    let mineral = |line: &str| -> f64 {
        let values =
            line.split(", ").filter(|part| part.starts_with("initial_nitrate") || part.starts_with("initial_ammonium"));
        values.filter_map(|part| part.split(": ").nth(1)?.trim_end_matches('}').parse::<f64>().ok()).sum()
    };
    for (line, expected) in layers.iter().zip([1.62, 2.175, 1.35]) {
        assert!((mineral(line) - expected).abs() < 1e-9, "{line}");
    }
    assert!(layers[0].contains("initial_water#L.m-3: 270"), "{layers:?}");
    assert!(played.days.iter().all(|day| day.water.len() == 3 && day.water.iter().all(|water| *water > 0.05)));
}

#[test]
fn measured_and_simulated_values_are_compared_by_crop() {
    let trials = Trials::open(&example()).unwrap();
    let comparison = trials.play(&Selection::default(), 1).unwrap();
    assert_eq!(comparison, trials.play(&Selection::default(), 2).unwrap(), "any number of threads");
    let [without, fed] = comparison.treatments.as_slice() else { panic!("two treatments") };
    assert_eq!(fed.measured(Quantity::Flowering), Some(85.0));
    let harvest = |result: &farm_trials::TreatmentResult| result.simulated(Quantity::Harvest).unwrap();
    assert!(1000.0 < harvest(without) && harvest(without) < harvest(fed), "nitrogen feeds");
    let crops = comparison.crops();
    let [corn] = crops.as_slice() else { panic!("one crop") };
    let agreement = corn.agreements[Quantity::Harvest as usize];
    assert_eq!(agreement.bias, Some((harvest(without) + harvest(fed)) / 14_000.0));
    assert_eq!((corn.treatments, corn.died, corn.unplayed, corn.rank), (2, 0, 0, None));
    assert_eq!(corn.water.n, 4);
    let over_time = fed.over_time();
    let quantities: Vec<&str> = over_time.iter().map(|(_, quantity, _)| quantity.as_str()).collect();
    assert_eq!(quantities.iter().filter(|quantity| **quantity == "water_0_30cm#m3.m-3").count(), 4);
    assert_eq!(over_time.len(), 16, "{quantities:?}");
    let facts = &comparison.not_modelled()[0].1;
    assert_eq!(facts[0], "the cultivar McCurdy 84aa");
    assert!(facts.iter().any(|fact| fact.starts_with("1100 kg/ha of residues")), "{facts:?}");
}

#[test]
fn a_treatment_without_its_soil_counts_as_a_harvest_of_nothing() {
    let trial = folder("no-soil");
    for file in fs::read_dir(example()).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "SOL") {
            fs::copy(&file, trial.join(file.file_name().unwrap())).unwrap();
        }
    }
    let comparison = Trials::open(&trial).unwrap().play(&Selection::default(), 1).unwrap();
    let crops = comparison.crops();
    assert_eq!((crops[0].unplayed, crops[0].agreements[Quantity::Harvest as usize].bias), (2, Some(0.0)));
    let reason = comparison.treatments[0].played.as_ref().unwrap_err();
    assert_eq!(reason, "the folder has no soil EXAM000001");
    let problems = Trials::open(&trial).unwrap().write_game("EXAM0101:1", &trial).unwrap_err();
    assert!(problems.0[0].is(TrialError::UnplayableTreatment), "{problems:?}");
    fs::remove_dir_all(trial).unwrap();
}

#[test]
fn the_page_links_only_charts_that_exist() {
    let out = folder("page");
    let comparison = Trials::open(&example()).unwrap().play(&Selection::default(), 1).unwrap();
    comparison.write(&out).unwrap();
    let page = fs::read_to_string(out.join("index.md")).unwrap();
    let charts: Vec<&str> = page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(charts.contains(&"harvest.svg") && charts.contains(&"EXAM0101MZ-matter.svg"), "{charts:?}");
    assert!(charts.contains(&"EXAM0101MZ-leaves.svg") && charts.contains(&"EXAM0101MZ-water.svg"), "{charts:?}");
    for chart in &charts {
        assert!(fs::read_to_string(out.join(chart)).unwrap().starts_with("<svg"), "{chart}");
    }
    assert!(page.contains("| corn | 2 |") && page.contains("| EXAM0101MZ:2 | NITROGEN IN TWO DOSES |"), "{page}");
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_treatment_becomes_a_game_with_its_weather_and_actions() {
    let out = folder("game");
    let trials = Trials::open(&example()).unwrap();
    trials.write_game("EXAM0101:2", &out).unwrap();
    let path = out.join(GAME).display().to_string();
    let game = farm_games::open(&path, &farm_games::Options::default()).unwrap();
    assert!(game.warnings().0.is_empty(), "{:?}", game.warnings());
    assert_eq!(
        fs::read_to_string(out.join(WEATHER)).unwrap().lines().count(),
        3 + 189,
        "2 lines of place, headers, days"
    );
    let actions = fs::read_to_string(out.join(ACTIONS)).unwrap();
    assert_eq!(actions.lines().filter(|line| line.contains("harvest")).count(), 1);
    let rice = Selection { crops: vec!["rice".into()], treatments: Vec::new() };
    assert!(trials.play(&rice, 1).unwrap_err().0[0].is(TrialError::UnknownTreatment));
    let several = trials.write_game("EXAM0101", &out).unwrap_err();
    assert!(several.0[0].message.contains("EXAM0101MZ:1, EXAM0101MZ:2"), "{several:?}");
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_folder_without_trials_is_an_error_with_the_form_of_their_names() {
    let empty = folder("empty");
    let problems = Trials::open(&empty).unwrap_err();
    assert!(problems.0[0].is(TrialError::UnreadableTrial) && problems.0[0].message.contains("UFGA8201.MZX"));
    assert!(SoilProfile::read_all(&empty.join("SOIL.SOL")).is_err());
    fs::remove_dir_all(empty).unwrap();
}
