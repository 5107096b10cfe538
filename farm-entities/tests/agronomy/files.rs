//! Weather tables of the user's own, named in a game's YAML.

use std::path::PathBuf;

use farm_games::{Options, open};

use crate::world::World;

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("farm-agronomy-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning.
        std::fs::remove_dir_all(&self.0).ok();
    }
}

const GAME: &str = "name: own_weather
fields:
  Field-0:
    entities:
      - Weather: {file: x.csv, noise: {temperature#°C: 0, humidity#%: 0, clouds#%: 0, wind_speed#km.h-1: 0, wind_direction#°: 0}}
      - Soil: clay
      - Plant: bean
farmers:
  - BasicFarmer
rules:
  BasicRule: {max_steps: 300}
score: BasicScore
";

/// The game with this table, or the text of its problems.
fn play(name: &str, table: Option<&str>) -> Result<World, String> {
    let folder = Folder::new(name);
    if let Some(table) = table {
        folder.write("x.csv", table);
    }
    let game = folder.write("game.yaml", GAME);
    open(&game, &Options::default()).map(World::of).map_err(|problems| problems.to_string())
}

fn weather(world: &World, names: &[&str]) -> Vec<f64> {
    names.iter().map(|name| world.value(&format!("Weather-0.{name}"))).collect()
}

const NAMES: [&str; 7] = [
    "air_temperature.min#°C",
    "air_temperature.mean#°C",
    "air_temperature.max#°C",
    "humidity#%",
    "rain_amount#mm.day-1",
    "wind.speed#km.h-1",
    "clouds#%",
];

#[test]
fn a_file_of_six_columns_is_played() {
    let table = "Tmin,Tmax,T,RH,U,Rain\n5,15,10,70,18,0\n-1,9,3.5,80,7.2,12.5\n2,20,11,55,0,0.4\n";
    let mut world = play("six", Some(table)).unwrap();
    // Clouds are not told: 80 % on days with rain of 1 mm and more, else 30 %.
    let days = [
        [5.0, 10.0, 15.0, 70.0, 0.0, 18.0, 30.0],
        [-1.0, 3.5, 9.0, 80.0, 12.5, 7.2, 80.0],
        [2.0, 11.0, 20.0, 55.0, 0.4, 0.0, 30.0],
    ];
    for day in 0..9 {
        assert_eq!(weather(&world, &NAMES), days[day % 3], "day {day}");
        assert_eq!(world.value("Weather-0.consecutive_frost#day"), if day % 3 == 1 { 1.0 } else { 0.0 });
        world.wait();
    }
    // A whole season.
    while !world.wait().over() {}
    assert_eq!(world.env.state().step(), 300);
}

#[test]
fn a_file_of_nine_columns_is_played() {
    let table = "Day,Temperature,TemperatureMax,TemperatureMin,Humidity,Rain,Clouds,WindSpeed,WindDirection\n\
                 1,10,15,5,70,2.5,40,18,270\n2,12,18,6,60,0,10,36,0\n";
    let mut world = play("nine", Some(table)).unwrap();
    for day in 0..6 {
        let expected = [[5.0, 10.0, 15.0, 70.0, 2.5, 18.0, 40.0], [6.0, 12.0, 18.0, 60.0, 0.0, 36.0, 10.0]][day % 2];
        assert_eq!(weather(&world, &NAMES), expected, "day {day}");
        assert_eq!(world.value("Weather-0.wind.direction#°"), [270.0, 0.0][day % 2]);
        world.wait();
    }
}

#[test]
fn broken_files_are_refused_with_row_and_column() {
    let head = "Tmin,Tmax,T,RH,U,Rain\n5,15,10,70,18,0\n";
    for (name, table, told) in [
        ("word", "5,15,warm,70,18,0\n", "x.csv:3: column `T`: `warm` is not a number"),
        ("range", "5,15,10,170,18,0\n", "x.csv:3: column `RH`: `170` is out of range"),
        ("infinite", "5,15,10,70,inf,0\n", "x.csv:3: column `U`: `inf` is not a finite number"),
        ("negative", "5,15,10,70,18,-2\n", "x.csv:3: column `Rain`: `-2` is out of range"),
        ("empty", "5,15,10,70,18,\n", "x.csv:3: column `Rain`: the value is missing"),
        ("short", "5,15,10,70,18\n", "x.csv:3: the row has 5 fields; expected 6"),
        ("order", "16,15,15.5,70,18,0\n", "x.csv:3: column `Tmax`: 15 °C is below the lowest temperature"),
    ] {
        let problems =
            play(name, Some(&format!("{head}{table}"))).err().unwrap_or_else(|| panic!("{name} was accepted"));
        assert!(problems.contains(told), "{name}: {problems}");
        assert!(problems.contains("fields.Field-0.entities[0].Weather.file"), "{name}: {problems}");
        // The place of the parameter in the game.
        assert!(problems.contains("game.yaml:5:"), "{name}: {problems}");
    }
}

#[test]
fn all_errors_of_a_file_are_told_together() {
    let table = "Tmin,Tmax,T,RH,Pluvio\n5,15,10,70,0\n5,x,10,170,0\n";
    let problems = play("several", Some(table)).err().unwrap();
    for told in ["x.csv:1: no column contains the rain", "x.csv:3: column `Tmax`", "x.csv:3: column `RH`"] {
        assert!(problems.contains(told), "{told}: {problems}");
    }
    let missing = play("missing", None).err().unwrap();
    assert!(missing.contains("x.csv: there is no such weather table"), "{missing}");
    let nothing = play("nothing", Some("Tmin,Tmax,T,RH,U,Rain\n")).err().unwrap();
    assert!(nothing.contains("the weather table has no rows"), "{nothing}");
}

/// Plain rows, all alike.
fn rows(days: usize) -> String {
    format!("Tmin,Tmax,T,RH,U,Rain\n{}", "5,15,10,70,18,0\n".repeat(days))
}

/// Rows with dates from the first of May on, whose rain is the day of the month.
fn dated(days: u32) -> String {
    let days =
        (0..days).map(|day| format!("{:02}-{:02},5,{},{}\n", 5 + day / 30, 1 + day % 30, 15 + day % 3, 1 + day % 30));
    let year = |rows: String| rows.lines().map(|row| format!("2021-{row}\n")).collect::<String>();
    format!("Date,Tmin,Tmax,Rain\n{}", year(days.collect()))
}

#[test]
fn a_season_begins_at_its_date_and_ends_within_the_file() {
    let play = |name: &str, weather: &str, start: &str, steps: u32| {
        let folder = Folder::new(name);
        folder.write("x.csv", &dated(30));
        let text = GAME.replace("file: x.csv", &format!("file: x.csv{weather}")).replace(
            "max_steps: 300",
            &format!("max_steps: {steps}, initial_conditions: {{Field-0: {{Weather-0: {{{start}}}}}}}"),
        );
        let game = folder.write("game.yaml", &text);
        open(&game, &Options::default()).map(World::of).map_err(|problems| problems.to_string())
    };
    // The 130th day of the year is the 11th of May.
    let mut world = play("within", "", "day#int365: 130", 19).unwrap();
    for day in 11..30 {
        assert_eq!(weather(&world, &["rain_amount#mm.day-1"]), [f64::from(day)]);
        world.wait();
    }
    for (name, weather, start, steps) in [
        ("late", "", "day#int365: 130", 20),
        ("early", "", "day#int365: 119", 5),
        ("another_year", "", "day#int365: 130, year#int100: 1", 5),
        ("fixed", ", year: 2020", "day#int365: 130", 5),
    ] {
        let said = play(name, weather, start, steps).err().unwrap_or_else(|| panic!("{name} was accepted"));
        assert!(said.contains("season-outside-weather") && said.contains("2021-05-01 to 2021-05-30"), "{name}: {said}");
        assert!(said.contains("`repeat: true`"), "{said}");
    }
    let mut world = play("again", ", repeat: true", "day#int365: 130", 60).unwrap();
    for _ in 0..20 {
        world.wait();
    }
    assert_eq!(weather(&world, &["rain_amount#mm.day-1"]), [1.0], "after the last day comes the first one");
    assert!(play("fixed_right", ", year: 2021", "day#int365: 130", 19).is_ok());
}

/// Of three years each is played by some seeds, and a season goes on over New Year.
#[test]
fn a_year_of_the_file_is_drawn_from_the_seed() {
    let folder = Folder::new("years");
    let mut table = "Date,Tmin,Tmax,Rain\n".to_owned();
    for year in 2021..=2023 {
        for month in 1..=12 {
            let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
            (1..=days)
                .for_each(|day| table += &format!("{year}-{month:02}-{day:02},5,{},{}\n", 15 + day % 3, year - 2020));
        }
    }
    folder.write("x.csv", &table);
    let start = "max_steps: 100, initial_conditions: {Field-0: {Weather-0: {day#int365: 300}}}";
    let game = folder.write("game.yaml", &GAME.replace("max_steps: 300", start));
    let mut world = World::of(open(&game, &Options::default()).unwrap());
    let mut years = std::collections::BTreeSet::new();
    for seed in 0..40 {
        world.env.reset(seed);
        let first = world.value("Weather-0.rain_amount#mm.day-1");
        years.insert(first as u32);
        for _ in 0..99 {
            world.wait();
        }
        assert_eq!(world.value("Weather-0.rain_amount#mm.day-1"), first + 1.0, "the next year");
    }
    // The last autumn has no January behind it.
    assert_eq!(years.into_iter().collect::<Vec<_>>(), [1, 2]);
    let fixed = folder
        .write("fixed.yaml", &GAME.replace("max_steps: 300", start).replace("file: x.csv", "file: x.csv, year: 2022"));
    let mut world = World::of(open(&fixed, &Options::default()).unwrap());
    for seed in 0..10 {
        world.env.reset(seed);
        assert_eq!(world.value("Weather-0.rain_amount#mm.day-1"), 2.0);
    }
}

#[test]
fn a_file_is_played_as_it_is_and_its_radiation_is_no_clouds() {
    let folder = Folder::new("as_it_is");
    let rows: String =
        (0..365).map(|day| format!("{},{},{},{}\n", day % 7, 10 + day % 11, day % 5, 1 + day % 29)).collect();
    folder.write("x.csv", &format!("Tmin,Tmax,Rain,SRAD\n{rows}"));
    let (noise, _) = GAME.split_once(", noise").map(|(_, rest)| rest.split_once("}}").unwrap()).unwrap();
    let game = folder.write("game.yaml", &GAME.replace(&format!(", noise{noise}}}"), ""));
    let mut world = World::of(open(&game, &Options::default()).unwrap());
    for day in 0..200 {
        let expected = [f64::from(day % 7), f64::from(10 + day % 11), f64::from(day % 5), f64::from(1 + day % 29)];
        let names = [
            "air_temperature.min#°C",
            "air_temperature.max#°C",
            "rain_amount#mm.day-1",
            "solar_radiation#MJ.m-2.day-1",
        ];
        assert_eq!(weather(&world, &names), expected, "day {day}");
        world.wait();
    }
}

#[test]
fn rain_of_elsewhere_beside_days_with_their_own_is_a_contradiction() {
    let folder = Folder::new("rain_own");
    let refusal = |more: &str| {
        let game = folder.write("game.yaml", &GAME.replace("file: x.csv", more));
        open(&game, &Options::default()).err().unwrap().to_string()
    };
    for (more, days) in [
        ("source: generator, rain: {file: /etc/passwd}", "generated days"),
        ("equations: agronomic, rain: {dataset: lille}", "generated days"),
        ("source: replay, dataset: lille, rain: {file: nowhere.csv}", "days of a dataset"),
        (
            "source: replay, files: [{dataset: lille, weight: 1.0}], rain: {dataset: montpellier}",
            "the days of a dataset in `files`",
        ),
    ] {
        let said = refusal(more);
        assert!(said.contains("is not used") && said.contains(days), "{more}: {said}");
        assert!(said.contains("remove `rain`") && !said.contains("no such weather table"), "{more}: {said}");
    }
    assert!(refusal("source: generator, rain: 5").contains("unknown meaning or source of rain"));
}

#[test]
fn rain_comes_from_elsewhere_where_a_file_has_none() {
    let folder = Folder::new("rain");
    folder.write(
        "x.csv",
        &(0..40)
            .map(|day| format!("2021-05-{:02},5,{}\n", 1 + day % 30, 15 + day % 3))
            .take(30)
            .fold("Date,Tmin,Tmax\n".to_owned(), |text, row| text + &row),
    );
    folder.write("rain.csv", &dated(30));
    let with = |rain: &str| {
        let text = GAME
            .replace("file: x.csv", &format!("file: x.csv{rain}"))
            .replace("max_steps: 300", "max_steps: 9, initial_conditions: {Field-0: {Weather-0: {day#int365: 130}}}");
        open(&folder.write("game.yaml", &text), &Options::default())
            .map(World::of)
            .map_err(|problems| problems.to_string())
    };
    let none = with("").err().unwrap();
    assert!(none.contains("no column contains the rain"), "{none}");
    assert_eq!(weather(&with(", rain: {file: rain.csv}").unwrap(), &["rain_amount#mm.day-1"]), [11.0]);
    assert!(with(", rain: {dataset: montpellier}").is_ok());
    // A file of rain needs nothing else, whatever the columns of the other file are called.
    let days: String = (1..=30).map(|day| format!("2021-05-{day:02},{day}\n")).collect();
    folder.write("only.csv", &format!("date,Rain\n{days}"));
    for more in [", rain: {file: only.csv}", ", rain: {file: only.csv}, columns: {Tmin: Tmin}"] {
        assert_eq!(weather(&with(more).unwrap(), &["rain_amount#mm.day-1"]), [11.0], "{more}");
    }
    folder.write("none.csv", &format!("date,Snow\n{days}"));
    let said = with(", rain: {file: none.csv}").err().unwrap();
    assert!(said.contains("none.csv"), "{said}");
    for wrong in [", rain: {}", ", rain: often", ", rain: {dataset: nowhere}", ", rain: [1]"] {
        let said = with(wrong).err().unwrap();
        assert!(said.contains("`{file: FILE}` or `{dataset: NAME}`"), "{wrong}: {said}");
    }
    let said = with(", rain: {file: nowhere.csv}").err().unwrap();
    assert!(said.contains("nowhere.csv: there is no such weather table"), "{said}");
}

#[test]
fn what_was_found_and_what_may_be_meant_stand_in_the_error() {
    let folder = Folder::new("nearest");
    folder.write("x1.csv", &rows(365));
    let game = folder.write("game.yaml", GAME);
    let said = |game: &str| open(game, &Options::default()).map(|_| ()).unwrap_err().to_string();
    let missing = said(&game);
    assert!(missing.contains("x.csv: there is no such weather table"), "{missing}");
    assert!(missing.contains("did you mean `x1.csv`?") && missing.contains("help: paths are relative"), "{missing}");
    folder.write("x.csv", &rows(1).replace("Tmin", "Tmni"));
    let header = said(&game);
    assert!(
        header.contains("found: Tmni, Tmax, T, RH, U, Rain") && header.contains("did you mean `Tmni`?"),
        "{header}"
    );
    folder.write("x.csv", &rows(1).replace(',', ";"));
    assert!(open(&game, &Options::default()).is_ok(), "semicolons are found by counting");
}

#[test]
fn a_table_outside_of_the_games_folder_is_not_even_looked_for() {
    let (folder, other) = (Folder::new("own_folder"), Folder::new("other_folder"));
    let secret = other.write("secret.csv", "password,hunter2\n");
    let good = other.write("good.csv", &rows(365));
    let game = |file: &str| folder.write("game.yaml", &GAME.replace("x.csv", file));
    let with = |allow_outside_files| Options { allow_outside_files, ..Options::default() };
    for file in [&secret, &good, "/dev/zero", "../nothing.csv", "/etc/passwds"] {
        let said = open(&game(file), &with(false)).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("the file is outside of the game's folder"), "{said}");
        assert!(said.contains("game.yaml:5:") && said.contains("--allow-outside-files"), "{said}");
        assert!(!said.contains("did you mean") && !said.contains("hunter2") && !said.contains("password"), "{said}");
    }
    let game_file = game(&secret);
    let said = open(&game_file, &with(true)).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("secret.csv: missing header line"), "{said}");
    assert!(!said.contains("hunter2") && !said.contains("found: password"), "{said}");
    assert!(open(&game(&good), &with(true)).is_ok());
    // What the user writes is not what the game says.
    let set = vec![("Field-0.Weather-0.file".to_owned(), format!("'{good}'"))];
    assert!(open(&game(&secret), &Options { set, ..Options::default() }).is_ok());
    if cfg!(unix) {
        let said = open(&game("/dev/zero"), &with(true)).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("not a regular file"), "{said}");
        let pipe = folder.write("unused", "") + ".csv";
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let said = open(&game("unused.csv"), &with(false)).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("not a regular file"), "{said}");
    }
}
