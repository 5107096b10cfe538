//! Skeletons: a game plays at once, a crate is written beside the sources that it needs, and nothing is overwritten.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::program::{Folder, Ran, program};

/// A run of the program in a folder outside of the repository.
fn farm_in(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = program();
    command.args(arguments).current_dir(&folder.0).stdin(Stdio::null()).env_remove("FARM_GYM_PLUGINS");
    Ran::of(&command.output().unwrap())
}

fn repository() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().display().to_string()
}

#[test]
fn a_new_game_plays_at_once_and_is_never_overwritten() {
    let folder = Folder::new("new-game");
    let written = farm_in(&folder, &["new-game", "WetMeadow"]);
    written.says(0, &["written  wet_meadow.yaml", "next", "farm run wet_meadow.yaml --policy expert"]);
    farm_in(&folder, &["check", "wet_meadow.yaml"]).says(0, &["ok: wet_meadow"]);
    for policy in ["expert", "random", "wait"] {
        farm_in(&folder, &["run", "wet_meadow.yaml", "--policy", policy, "--episodes", "2"]).says(0, &[policy]);
    }
    let told = farm_in(&folder, &["describe", "wet_meadow.yaml", "--instructions", "shown"]);
    told.says(0, &["You grow beans", "at most 2 actions a day"]);

    fs::write(folder.file("wet_meadow.yaml"), "mine").unwrap();
    let refused = farm_in(&folder, &["new-game", "wet_meadow"]);
    refused.says(1, &["wet_meadow.yaml already exists", "choose another name"]);
    assert_eq!(fs::read_to_string(folder.file("wet_meadow.yaml")).unwrap(), "mine");
    farm_in(&folder, &["new-game", "clay-bean"]).says(1, &["the game `clay_bean` already exists", "my_clay_bean"]);
    farm_in(&folder, &["new-game", "../meadow"]).says(1, &["`../meadow` can't be a name, because of `.`"]);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

/// What a policy of a written game earns on average.
fn earned(file: &str, policy: &str) -> f64 {
    let game = farm_games::open(file, &farm_games::Options::default());
    let game = game.unwrap_or_else(|problems| panic!("{problems}"));
    let mut player = farm_games::policy(&game, policy).unwrap_or_else(|problems| panic!("{problems}"));
    let mut total = 0.0;
    for seed in 0..5 {
        total += farm_core::play(&game, player.as_mut(), seed, &mut farm_core::NoObserver).unwrap().total();
    }
    total / 5.0
}

/// The expert sows each crop at a time and in a way that pays, in weather that it was not told of.
#[test]
fn a_new_game_grows_any_crop_for_profit() {
    let folder = Folder::new("new-crops");
    let crops = farm_games::first_season::crops();
    let written = |crop: &String| {
        let (name, file) = (format!("only_{crop}"), format!("only_{crop}.yaml"));
        let new = farm_in(&folder, &["new-game", &name, "--crops", crop]);
        new.says(0, &[&format!("written  {file}"), &format!("farm run {file} --policy expert")]);
        farm_in(&folder, &["check", &file]).says(0, &[&format!("ok: {name}")]);
        let (expert, wait) = (earned(&folder.file(&file), "expert"), earned(&folder.file(&file), "wait"));
        assert!(expert > wait + 1.0, "{crop}: {expert} by sowing, {wait} by waiting");
    };
    let (some, others) = crops.split_at(crops.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| some.iter().for_each(written));
        others.iter().for_each(written);
    });
}

/// A year of weather of the south, where July is cold, with a shower every fifth day.
fn southern_year() -> String {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let dates = (1..).zip(lengths).flat_map(|(month, days)| (1..=days).map(move |day| (month, day)));
    let mut text =
        "# latitude: -34.0, longitude: 150.0, elevation: 50\nDate,Tmin (°C),Tmax (°C),Rain (mm)\n".to_owned();
    for (number, (month, day)) in dates.enumerate() {
        let warmth = farm_core::math::cos(std::f64::consts::TAU * (number as f64 - 15.0) / 365.0);
        let (min, max, rain) = (10.0 + 9.0 * warmth, 21.0 + 9.0 * warmth, if number % 5 == 0 { 8 } else { 0 });
        text += &format!("2023-{month:02}-{day:02},{min:.1},{max:.1},{rain}\n");
    }
    text
}

#[test]
fn a_new_game_has_its_season_where_the_weather_is_warm() {
    let folder = Folder::new("new-weather");
    fs::write(folder.file("south.csv"), southern_year()).unwrap();
    let arguments = ["new-game", "south", "--crops", "corn,tomato", "--fields", "3", "--weather", "south.csv"];
    farm_in(&folder, &arguments).says(0, &["written  south.yaml"]);
    farm_in(&folder, &["check", "south.yaml"]).says(0, &["ok: south"]);
    let text = fs::read_to_string(folder.file("south.yaml")).unwrap();
    let crops: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("- Plant: ")).collect();
    assert_eq!(crops, ["corn", "tomato", "corn"]);
    assert!(text.contains("{file: 'south.csv'}") && text.contains("latitude#°: -34,"), "{text}");
    let days = text.split("first_day#int365: ").skip(1);
    let days: Vec<u32> = days.map(|rest| rest.split(',').next().unwrap().parse().unwrap()).collect();
    assert!(days.len() == 3 && days.iter().all(|day| !(120..195).contains(day)), "sown before winter: {days:?}");
    assert!(earned(&folder.file("south.yaml"), "expert") > 10.0);
    let told = farm_in(&folder, &["describe", "south.yaml", "--instructions", "shown"]);
    told.says(0, &["10 m × 10 m", "at most 12 actions a day"]);
}

#[test]
fn a_new_game_of_crops_says_what_is_wrong_before_anything_is_written() {
    let folder = Folder::new("new-wrong");
    let refused = farm_in(&folder, &["new-game", "market", "--crops", "tomatoe,corn"]);
    refused.says(1, &["there is no crop `tomatoe`", "`tomato`", "`wheat`"]);
    let few = farm_in(&folder, &["new-game", "market", "--crops", "tomato,corn", "--fields", "1"]);
    few.says(1, &["2 crops need 2 fields", "`--fields 2`"]);
    farm_in(&folder, &["new-game", "market", "--fields", "2"]).says(2, &["--crops"]);
    farm_in(&folder, &["new-game", "market", "--crops", "corn", "--weather", "nowhere.csv"]).says(1, &["nowhere.csv"]);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0, "something was written");
    fs::write(folder.file("market.yaml"), "mine").unwrap();
    farm_in(&folder, &["new-game", "market", "--crops", "corn"]).says(1, &["market.yaml already exists"]);
    // Twelve days of May are no season.
    let days: String = (1..=12).map(|day| format!("2023-05-{day:02},10,20,1\n")).collect();
    fs::write(folder.file("may.csv"), format!("Date,Tmin (°C),Tmax (°C),Rain (mm)\n{days}")).unwrap();
    let short = farm_in(&folder, &["new-game", "in_may", "--crops", "corn", "--weather", "may.csv"]);
    short.says(1, &["Weather"]);
    assert!(!Path::new(&folder.file("in_may.yaml")).exists());
}

#[test]
fn a_new_plugin_of_every_kind_is_written_beside_sources_that_are_named() {
    let (folder, repository) = (Folder::new("new-plugin"), repository());
    let kinds = ["entity", "farmer", "rule", "score", "policy"];
    for (name, kind) in ["night_mice", "night_shift", "night_law", "night_prize", "night_habit"].iter().zip(kinds) {
        let ran = farm_in(&folder, &["new-plugin", name, "--kind", kind, "--farm-gym", &repository]);
        let kebab = name.replace('_', "-");
        ran.says(0, &["written", "Cargo.toml", "cargo test", &format!("farm --plugin target/release/{name}")]);
        let manifest = fs::read_to_string(folder.0.join(&kebab).join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("farm-core = {{ path = '{repository}")), "{manifest}");
        let files = ["src/lib.rs", "src/NAME.rs", "games/NAME.yaml", "tests/conformance.rs", "README.md", "Cargo.lock"];
        for file in files.map(|file| folder.0.join(&kebab).join(file.replace("NAME", name))) {
            let text = fs::read_to_string(&file).unwrap();
            // Placeholders of skeletons touch their braces, those of game texts do not.
            let is_left = text.split("{{").skip(1).any(|rest| rest.starts_with(char::is_alphabetic));
            assert!(!is_left, "{}: {text}", file.display());
        }
        // Neutral words: a name is not always that of animals.
        let source = fs::read_to_string(folder.0.join(&kebab).join(format!("src/{name}.rs"))).unwrap();
        for word in ["they", "They", "driven away", "that come"] {
            assert!(!source.contains(word), "{kind}: `{word}`");
        }
    }
    let again = farm_in(&folder, &["new-plugin", "NightMice", "--farm-gym", &repository]);
    again.says(1, &["night-mice already exists", "--path DIR"]);
    let other = ["new-plugin", "NightMice", "--farm-gym", &repository, "--path", "elsewhere/mice"];
    farm_in(&folder, &other).says(0, &["elsewhere/mice/Cargo.toml"]);
}

#[test]
fn a_new_plugin_without_sources_or_with_a_name_that_is_taken_is_refused_with_what_to_do() {
    let (folder, repository) = (Folder::new("no-sources"), repository());
    let refused = farm_in(&folder, &["new-plugin", "night_mice"]);
    refused.says(1, &["needs the sources of farm-gym", "`--farm-gym DIR`"]);
    let shown = folder.0.display().to_string();
    refused.says(1, &[&shown]);
    let nowhere = farm_in(&folder, &["new-plugin", "night_mice", "--farm-gym", "nowhere"]);
    nowhere.says(1, &["nowhere", "`--farm-gym DIR`"]);
    let taken = farm_in(&folder, &["new-plugin", "soil", "--farm-gym", &repository]);
    taken.says(1, &["the entity `Soil` already exists", "MySoil"]);
    let kind = farm_in(&folder, &["new-plugin", "night_mice", "--kind", "tractor"]);
    kind.says(2, &["tractor", "entity, farmer, rule, score, policy"]);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0, "something was written");
}
