//! Weather of one's own: what `farm weather` shows of a file, and what commands that play such a game say of it.

use std::fmt::Write as _;
use std::fs;

use super::program::farm;
use super::{file, folder};

/// Mean temperatures of months like those of Seoul.
const COLD_WINTER: [f64; 12] = [-2.0, 0.5, 6.0, 13.0, 18.0, 22.5, 25.5, 26.0, 21.5, 15.0, 7.5, 0.5];
const LENGTHS: [usize; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A year of days, from a latitude.
fn table(latitude: f64) -> String {
    let mut text = format!("# latitude: {latitude}, longitude: 5.0\nDate,Tmin,Tmax,Rain\n");
    for (month, mean) in COLD_WINTER.iter().enumerate() {
        for day in 1..=LENGTHS[month] {
            let rain = if day % 4 == 0 { 9 } else { 0 };
            let _ = writeln!(text, "2021-{:02}-{day:02},{},{},{rain}", month + 1, mean - 4.0, mean + 4.0);
        }
    }
    text
}

/// A game on the weather of `station.csv`, whose field lies at 45° north.
const GAME: &str = "\
name: own_weather
fields:
  Field-0:
    localization: {latitude#°: 45.0, longitude#°: 5.0, altitude#m: 100}
    entities:
      - Weather: {file: station.csv}
      - Soil: loam
farmers: [BasicFarmer: {max_daily_interventions: 1}]
rules:
  BasicRule:
    free_observations: [[Field-0, Weather-0, rain_amount#mm.day-1]]
    actions: {Field-0: {Soil-0: {water_discrete: {plot: '*', amount#L: [10], duration#min: [60]}}}}
    max_steps: 10
score: {BasicScore: {}}
policies: {wait: WaitPolicy, random: RandomPolicy}
";

#[test]
fn a_file_is_shown_written_and_drawn_beside_the_nearest_climate_that_is_built_in() {
    let folder = folder("weather");
    let station = file(&folder, "station.csv", table(37.6));
    let (out, plot) = (folder.join("days.csv"), folder.join("months.svg"));
    let [out, plot] = [&out, &plot].map(|path| path.to_str().unwrap());
    let ran = farm(&["weather", &station, "--out", out, "--plot", plot]);
    ran.says(
        0,
        &["365 days from 2021-01-01 to 2021-12-31", "under a clear sky", "Jul    25.5", "table: ", "picture: "],
    );
    let drawn = fs::read_to_string(plot).unwrap();
    assert!(drawn.contains("seoul_generated") && drawn.contains("clear sky"), "the nearest climate is named");
    // What was written is read back to the same months.
    let again = farm(&["weather", out]);
    let months = |text: &str| {
        text.lines().skip_while(|line| !line.starts_with("month")).take(13).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(months(&again.stdout), months(&ran.stdout));
    // One warm month is like that of another place, whatever the others are.
    let hot: String =
        (1..=31).fold("Date,Tmin,Tmax,Rain\n".to_owned(), |text, day| text + &format!("2021-07-{day:02},28,41,0\n"));
    farm(&["weather", &file(&folder, "hot.csv", hot), "--plot", plot]).says(0, &["Jul    34.5"]);
    assert!(fs::read_to_string(plot).unwrap().contains("phoenix_generated"));
}

#[test]
fn what_is_wrong_with_a_file_has_code_place_and_way_out() {
    let folder = folder("weather_wrong");
    let wrong = file(&folder, "station.csv", table(37.6).replace("Tmax", "Tmox"));
    farm(&["weather", &wrong])
        .says(1, &["wrong-weather-table", "highest temperature", "help", "farm describe Weather"]);
    farm(&["weather", folder.join("none.csv").to_str().unwrap()]).says(1, &["none.csv"]);
}

#[test]
fn a_run_says_what_was_read_and_json_has_what_is_odd() {
    let folder = folder("weather_played");
    file(&folder, "station.csv", table(25.0));
    let game = file(&folder, "own.yaml", GAME);
    let ran = farm(&["run", &game, "--episodes", "2", "--json"]);
    assert!(ran.stderr.contains("Field-0.Weather-0: station.csv: 365 days from 2021-01-01"), "{}", ran.stderr);
    let played = [
        ran.json(),
        farm(&["eval", &game, "--policy", "wait", "--episodes", "2", "--json"]).json(),
        farm(&["compare", &game, "wait", "random", "--json"]).json(),
        farm(&["describe", &game, "--json"]).json(),
    ];
    for shown in played {
        let warnings = shown["warnings"].as_array().unwrap_or_else(|| panic!("no warnings: {shown}"));
        let places: Vec<_> = warnings.iter().filter(|one| one["message"].to_string().contains("latitude 25")).collect();
        assert_eq!(places.len(), 1, "{shown}");
        assert_eq!((&places[0]["code"], &places[0]["severity"]), (&"implausible-weather".into(), &"warning".into()));
        assert!(places[0]["help"].to_string().contains("confirmed: [place]"), "{shown}");
    }
    let quiet = farm(&["run", "clay_bean", "--episodes", "1", "--json"]);
    assert_eq!((quiet.json()["warnings"].clone(), quiet.stderr.as_str()), (serde_json::json!([]), ""));
}
