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
                 2021-01-01,10,15,5,70,2.5,40,18,270\n2021-01-02,12,18,6,60,0,10,36,0\n";
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
        ("nan", "5,15,10,70,NaN,0\n", "x.csv:3: column `U`: `NaN` is not a finite number"),
        ("negative", "5,15,10,70,18,-2\n", "x.csv:3: column `Rain`: `-2` is out of range"),
        ("empty", "5,15,10,70,18,\n", "x.csv:3: column `Rain`: `` is empty"),
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
    let table = "Tmin,Tmax,T,RH,Rain\n5,15,10,70,0\n5,x,10,170,0\n";
    let problems = play("several", Some(table)).err().unwrap();
    for told in ["x.csv:1: column `U` is missing", "x.csv:3: column `Tmax`", "x.csv:3: column `RH`"] {
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

#[test]
fn a_table_that_is_not_made_of_whole_years_is_a_warning() {
    for (days, is_told) in [(99, true), (365, false), (366, true), (400, true), (730, false)] {
        let world = play(&format!("days{days}"), Some(&rows(days))).unwrap();
        let warnings = world.env.game().warnings().to_string();
        assert_eq!(warnings.contains("not made of whole years"), is_told, "{days}: {warnings}");
        assert_eq!(warnings.contains(&format!("found: {days} days")), is_told, "{warnings}");
        assert_eq!(warnings.contains("game.yaml:5:"), is_told, "{warnings}");
    }
}

#[test]
fn what_was_found_and_what_may_be_meant_stand_in_the_error() {
    let folder = Folder::new("nearest");
    folder.write("x1.csv", &rows(365));
    let game = folder.write("game.yaml", GAME);
    let said = |game: &str| open(game, &Options::default()).map(|_| ()).unwrap_err().to_string();
    let missing = said(&game);
    assert!(missing.contains("x.csv: there is no such weather table"), "{missing}");
    assert!(missing.contains("did you mean `x1.csv`?") && missing.contains("help: a path starts"), "{missing}");
    folder.write("x.csv", &rows(1).replace("Tmin", "Tmn"));
    let header = said(&game);
    assert!(header.contains("found: Tmn, Tmax, T, RH, U, Rain") && header.contains("did you mean `Tmn`?"), "{header}");
    folder.write("x.csv", &rows(1).replace(',', ";"));
    let separator = said(&game);
    assert_eq!(separator.matches("error[").count(), 1, "{separator}");
    assert!(separator.contains("semicolons") && separator.contains("found: Tmin;Tmax;T;RH;U;Rain"), "{separator}");
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
        assert!(said.contains("the file lies outside of the game's folder"), "{said}");
        assert!(said.contains("game.yaml:5:") && said.contains("--allow-outside-files"), "{said}");
        assert!(!said.contains("did you mean") && !said.contains("hunter2") && !said.contains("password"), "{said}");
    }
    let game_file = game(&secret);
    let said = open(&game_file, &with(true)).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("secret.csv:1: column `Tmin` is missing"), "{said}");
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
