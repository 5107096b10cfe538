//! Reads every trial of the test set, which is skipped where it is absent.

use std::path::{Path, PathBuf};

use farm_trials::dssat::{SoilProfile, Trial, find_trials, weather_files};
use farm_trials::{Quantity, Selection, TreatmentResult, Trials};

#[test]
fn every_trial_has_its_treatments_soils_and_weather() {
    let Some(folder) = folder() else { return };
    let soils = SoilProfile::read_all(&folder.join("Soil/SOIL.SOL")).unwrap();
    let (mut treatments, mut results) = (0, 0);
    let mut problems = Vec::new();
    for path in find_trials(&folder).unwrap() {
        let trial = Trial::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let name = &trial.experiment.code;
        for treatment in &trial.experiment.treatments {
            treatments += 1;
            results += usize::from(trial.measured.once.contains_key(&treatment.number));
            let sown = treatment.planting.date;
            if weather_files(&folder, &treatment.field, sown, sown).is_empty() {
                problems.push(format!("{name}: no weather {} for {sown}", treatment.field.station));
            }
            match soils.iter().find(|soil| soil.code == treatment.field.soil) {
                Some(soil) if soil.layers.is_empty() => problems.push(format!("{name}: {} has no layers", soil.code)),
                Some(_) => {}
                None => problems.push(format!("{name}: no soil {}", treatment.field.soil)),
            }
            for (stage, date) in trial.measured.dates.get(&treatment.number).into_iter().flatten() {
                let days = date.epoch() - sown.epoch();
                if !(0..400).contains(&days) {
                    problems.push(format!("{name} {}: {stage} {days} days after sowing", treatment.number));
                }
            }
        }
        trial.experiment.warnings.iter().chain(&trial.measured.warnings).for_each(|warning| println!("{warning}"));
    }
    println!("{treatments} treatments, {results} with results");
    // The test set has no weather of this year.
    problems.retain(|problem| problem != "DIJY9001PT: no weather DIJY for 1993-04-20");
    assert!(problems.is_empty(), "{problems:#?}");
    assert_eq!(treatments, 230);
}

/// The folder of trials; a loud note where it is absent.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference/trials");
    if !folder.is_dir() {
        eprintln!("skipped: no field trials in {}", folder.display());
    }
    folder.is_dir().then_some(folder)
}

#[test]
fn a_trial_is_played_with_its_own_weather_soil_water_and_nitrogen() {
    let Some(folder) = folder() else { return };
    let trials = Trials::open(&folder).unwrap();
    let selection = Selection { crops: Vec::new(), treatments: vec!["UFGA8201:3".into(), "UFGA8201:4".into()] };
    let comparison = trials.play(&selection, 2).unwrap();
    let labels: Vec<String> = comparison.treatments.iter().map(TreatmentResult::label).collect();
    assert_eq!(labels, ["UFGA8201MZ:3", "UFGA8201MZ:4"]);
    let of = |result: &TreatmentResult, quantity| result.simulated(quantity).unwrap();
    let [low, high] = comparison.treatments.as_slice() else { panic!("two treatments") };
    for result in [low, high] {
        println!("{} {:?} {:?}", result.label(), result.measured, Quantity::ALL.map(|q| result.simulated(q)));
        println!("{:?} {:?}", result.season.as_ref().unwrap().not_modelled, result.water_pairs().first());
    }
    // McCurdy 84aa is a late cultivar of the table.
    assert_eq!(low.class.as_ref().map(|class| (class.crop.as_str(), class.class.as_str())), Some(("corn", "late")));
    // Measured once: 6850 and 11881 kg of grain, 131 and 268 kg of nitrogen per ha.
    assert_eq!((low.measured(Quantity::Harvest), high.measured(Quantity::Harvest)), (Some(6850.0), Some(11881.0)));
    assert!(of(high, Quantity::Nitrogen) > 1.2 * of(low, Quantity::Nitrogen), "more was given");
    assert!(of(high, Quantity::Harvest) > 1.1 * of(low, Quantity::Harvest));
    assert!((8000.0..16000.0).contains(&of(high, Quantity::Harvest)), "{}", of(high, Quantity::Harvest));
    assert!((60.0..90.0).contains(&of(high, Quantity::Flowering)), "{}", of(high, Quantity::Flowering));
    // The calendar was carried out: nothing was rejected, and each day has an action or a wait.
    let played = high.played.as_ref().unwrap();
    assert_eq!(played.actions.len(), played.days.len());
    let count = |word: &str| played.actions.iter().filter(|line| line.contains(word)).count();
    assert_eq!(
        (count("scatter"), count("water"), count("sow"), count("harvest")),
        (6, 16, 1, 1),
        "{:?}",
        played.actions
    );
}

#[test]
fn a_treatment_that_does_not_exist_names_the_nearest_trial() {
    let Some(folder) = folder() else { return };
    let trials = Trials::open(&folder).unwrap();
    let selection = Selection { crops: vec!["MZ".into()], treatments: vec!["UFGA8202MZ:4".into()] };
    let problems = trials.play(&selection, 1).unwrap_err();
    assert_eq!(problems.0[0].nearest.as_deref(), Some("UFGA8201MZ"));
}

/// Bounds on what the trials show, for each crop: the harvest's nRMSE and bias, and the error of the days to flowering and to ripeness.
struct Bounds {
    crop: &'static str,
    nrmse: f64,
    bias: [f64; 2],
    flowering: f64,
    maturity: f64,
}

const fn bounds(crop: &'static str, nrmse: f64, bias: [f64; 2], flowering: f64, maturity: f64) -> Bounds {
    Bounds { crop, nrmse, bias, flowering, maturity }
}

/// Below 25 % is fair (Jamieson, Porter & Wilson 1991). Corn and potatoes are not that good yet.
const BOUNDS: [Bounds; 7] = [
    bounds("BN", 0.25, [0.85, 1.15], 8.0, 12.0),
    bounds("MZ", 0.40, [0.85, 1.15], 8.0, 15.0),
    bounds("PT", 0.40, [0.85, 1.15], 10.0, f64::INFINITY),
    bounds("RI", 0.30, [0.85, 1.15], 10.0, 12.0),
    bounds("SB", 0.30, [0.85, 1.15], 8.0, 12.0),
    bounds("SU", 0.25, [0.85, 1.15], 8.0, 12.0),
    bounds("WH", 0.25, [0.85, 1.15], 8.0, 12.0),
];

#[test]
fn crops_grow_as_in_the_field() {
    let Some(folder) = folder() else { return };
    let comparison = Trials::open(&folder).unwrap().play(&Selection::default(), 2).unwrap();
    let dead: Vec<String> =
        comparison.treatments.iter().filter(|result| result.died_of().is_some()).map(TreatmentResult::label).collect();
    assert!(dead.len() <= 2, "at most 1 % of the stands die: {dead:?}");
    let rank = comparison.rank().unwrap();
    assert!(rank > 0.8, "the treatments of a trial have the right order: {rank}");
    for group in comparison.crops() {
        let bounds = BOUNDS.iter().find(|bounds| bounds.crop == group.name).unwrap();
        let of = |quantity: Quantity| group.agreements[quantity as usize];
        let harvest = of(Quantity::Harvest);
        let (nrmse, bias) = (harvest.nrmse.unwrap(), harvest.bias.unwrap());
        assert!(nrmse < bounds.nrmse, "{}: nRMSE of the harvest {nrmse}", group.name);
        assert!((bounds.bias[0]..bounds.bias[1]).contains(&bias), "{}: bias of the harvest {bias}", group.name);
        for (quantity, most) in [(Quantity::Flowering, bounds.flowering), (Quantity::Maturity, bounds.maturity)] {
            let error = of(quantity).rmse.unwrap_or_default();
            assert!(error <= most, "{}: {} {error}", group.name, quantity.key());
        }
    }
}
