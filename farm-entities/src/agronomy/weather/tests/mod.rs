//! The weather alone in a field, with a farmer that does nothing.

mod agronomic;
mod blending;
mod redraw;
mod skill;

use farm_core::config::Problems;
use farm_core::declare::real;
use farm_core::rules::{AtLimit, RuleBuilder, Rules};
use farm_core::spec::GameSpec;
use farm_core::{Environment, Farmer, FarmerBehaviour, Game, Rule, Score, ScoreBehaviour};
use serde_yaml::Value;

use super::*;

#[derive(Debug, farm_core::Parameters)]
struct IdleFarmer {}
struct Idle;

#[farm_core::register(name = "WeatherTestFarmer", source = "Test")]
impl Farmer for IdleFarmer {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        Bind::new(|_| Idle)
    }
}
impl Behaviour for Idle {}
impl FarmerBehaviour for Idle {}

#[derive(Debug, farm_core::Parameters)]
struct NoScore {}

#[farm_core::register(name = "WeatherTestScore", source = "Test")]
impl Score for NoScore {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        Bind::new(|_| Idle)
    }
}
impl ScoreBehaviour for Idle {
    fn reward(&self, _: &mut Context<'_>) -> f64 {
        0.0
    }
}

#[derive(Debug, farm_core::Parameters)]
struct StartAt {
    /// The initial conditions of the rule.
    initial: Value,
}

#[farm_core::register(name = "WeatherTestRule", source = "Test")]
impl Rule for StartAt {
    fn build(&self, builder: &mut RuleBuilder<'_>) -> Rules {
        Rules {
            initial: builder.initial_conditions(&self.initial, "initial"),
            at_limit: AtLimit::Truncated,
            ..Rules::default()
        }
    }
}

/// A soil of which only the capacity is known.
#[derive(Debug, farm_core::Parameters)]
struct Bucket {}

#[farm_core::register(name = "WeatherTestSoil", source = "Test")]
impl Entity for Bucket {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.variable(real("capacity#L", 0.0, 1000.0, "Capacity.").hidden().default(480.0).role(WATER_CAPACITY));
        Bind::new(|_| Idle)
    }
}

/// A game with only weather that starts on a given day and year, with plots of 2 m × 2 m at the latitude of Montpellier. It uses the
/// paper's equations unless `weather` sets others.
pub(super) fn try_game(weather: &str, initial: &str, with_soil: bool) -> Result<Game, Problems> {
    try_game_at(43.61, weather, initial, with_soil)
}

/// The same at another latitude.
pub(super) fn try_game_at(
    latitude_degrees: f64,
    weather: &str,
    initial: &str,
    with_soil: bool,
) -> Result<Game, Problems> {
    let text = "
name: weather
interaction_mode: fomdp
fields: {Field-0: {localization: {latitude#°: 43.61}, shape: {scale#m: 2}, entities: []}}
farmers: [WeatherTestFarmer: {}]
rules: WeatherTestRule
score: {WeatherTestScore: {}}
";
    let entity = |kind: &str, parameters: &str| {
        let parameters: Value = serde_yaml::from_str(parameters).unwrap();
        Value::Mapping([(Value::from(kind), parameters)].into_iter().collect())
    };
    let mut game: Value = serde_yaml::from_str(text).unwrap();
    game["fields"]["Field-0"]["localization"]["latitude#°"] = latitude_degrees.into();
    let soil = with_soil.then(|| entity("WeatherTestSoil", "{}"));
    let mut weather = entity("Weather", weather);
    if let Some(parameters) = weather["Weather"].as_mapping_mut() {
        parameters.entry("equations".into()).or_insert("corrected".into());
    }
    game["fields"]["Field-0"]["entities"] = [weather].into_iter().chain(soil).collect();
    game["rules"] = entity("WeatherTestRule", &format!("initial: {{Field-0: {{Weather-0: {initial}}}}}"));
    let mut spec: GameSpec = from_value(game).unwrap();
    spec.set_directory(Some(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data").into()));
    Game::new(spec)
}

pub(super) fn play(weather: &str, initial: &str) -> Environment {
    Environment::new(Arc::new(try_game(weather, initial, false).unwrap()))
}

/// The value of a variable, hidden or not.
pub(super) fn value(environment: &Environment, name: &str) -> f64 {
    let game = environment.game();
    let variable = game.parts()[0].variables().iter().find(|v| v.name() == name).unwrap();
    let reader = game.reader(environment.state());
    match variable.column::<f64>() {
        Some(column) => reader.get(column)[0],
        None => f64::from(reader.get(variable.column::<i32>().unwrap())[0]),
    }
}

/// An observed array, for example a forecast.
pub(super) fn observed(environment: &Environment, name: &str) -> Vec<f64> {
    let entries = environment.game().observation().entries();
    let entry = entries.iter().find(|e| e.key().ends_with(name)).unwrap();
    (0..entry.len()).map(|i| entry.number(environment.observation(), i)).collect()
}

const NO_NOISE: &str =
    "noise: {temperature#°C: 0, humidity#%: 0, clouds#%: 0, wind_speed#km.h-1: 0, wind_direction#°: 0}";
const NO_ERRORS: &str = "forecast_noise: {temperature#°C.day-1: 0, humidity#%.day-1: 0, clouds#%.day-1: 0, \
                         wind_speed#km.h-1.day-1: 0, rain_amount#day-1: 0, rain_flip#day-1: 0}";

/// Mean and standard deviation.
pub(super) fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt())
}

#[test]
fn the_built_in_table_has_ten_years_without_an_error() {
    assert_eq!(Dataset::Montpellier.days().unwrap().len(), 3650);
}

#[test]
fn without_noise_the_table_is_replayed_from_its_date_on_and_years_follow_each_other() {
    let days = Dataset::Montpellier.days().unwrap();
    let mut environment = play(&format!("{{{NO_NOISE}}}"), "{day#int365: 363, year#int100: 0}");
    for (row, day, year) in [(363, 363, 0), (364, 364, 0), (365, 0, 1), (366, 1, 1)] {
        assert_eq!(
            (value(&environment, "day#int365"), value(&environment, "year#int100")),
            (f64::from(day), f64::from(year))
        );
        let expected: &Day = &days[row];
        assert_eq!(value(&environment, "air_temperature.min#°C"), expected.min_celsius);
        assert_eq!(value(&environment, "air_temperature.mean#°C"), expected.mean_celsius);
        assert_eq!(value(&environment, "air_temperature.max#°C"), expected.max_celsius);
        assert_eq!(value(&environment, "humidity#%"), expected.humidity_percent);
        assert_eq!(value(&environment, "clouds#%"), expected.clouds_percent);
        assert_eq!(value(&environment, "wind.speed#km.h-1"), expected.wind_km_per_h);
        assert_eq!(value(&environment, "rain_amount#mm.day-1"), expected.rain_mm);
        assert_eq!(value(&environment, "rain_intensity#prop"), expected.rain_mm / 100.0);
        environment.step(&[]).unwrap();
    }
    // Year 99 is followed by year 0, and year 10 of a table of ten years is its first.
    let mut environment = play(&format!("{{{NO_NOISE}}}"), "{day#int365: 364, year#int100: 99}");
    assert_eq!(value(&environment, "air_temperature.min#°C"), days[3649].min_celsius);
    environment.step(&[]).unwrap();
    assert_eq!((value(&environment, "day#int365"), value(&environment, "year#int100")), (0.0, 0.0));
    assert_eq!(value(&environment, "air_temperature.min#°C"), days[0].min_celsius);
}

#[test]
fn noise_has_the_standard_deviations_asked_for_and_moves_temperatures_together() {
    let days = Dataset::Montpellier.days().unwrap();
    let mut environment = play("{}", "{}");
    let (mut temperature, mut wind, mut direction) = (Vec::new(), Vec::new(), Vec::new());
    for day in days.iter() {
        let departure = |name, table: f64| value(&environment, name) - table;
        let warmer = departure("air_temperature.mean#°C", day.mean_celsius);
        temperature.push(warmer);
        assert!((departure("air_temperature.min#°C", day.min_celsius) - warmer).abs() < 1e-9);
        assert!((departure("air_temperature.max#°C", day.max_celsius) - warmer).abs() < 1e-9);
        // Calm days are cut off at 0, so only the windy ones show the whole noise.
        if day.wind_km_per_h > 10.0 {
            wind.push(departure("wind.speed#km.h-1", day.wind_km_per_h));
        }
        direction.push(value(&environment, "wind.direction#°"));
        environment.step(&[]).unwrap();
    }
    // The standard error of the mean is 1.5/√3650 = 0.025, that of the deviation 0.018.
    let (mean, deviation) = moments(&temperature);
    assert!(mean.abs() < 0.125 && (deviation - 1.5).abs() < 0.09, "{mean} {deviation}");
    let (mean, deviation) = moments(&wind);
    assert!(mean.abs() < 0.25 && (deviation - 2.0).abs() < 0.2, "{mean} {deviation}");
    // The table has no directions, so they are uniform: mean 180, standard deviation 360/√12 = 103.9.
    let (mean, deviation) = moments(&direction);
    assert!((mean - 180.0).abs() < 9.0 && (deviation - 103.9).abs() < 5.0, "{mean} {deviation}");
}

#[test]
fn much_noise_stays_in_range_and_keeps_the_temperatures_in_order() {
    let wild =
        "{noise: {temperature#°C: 20, humidity#%: 100, clouds#%: 100, wind_speed#km.h-1: 100, wind_direction#°: 360}}";
    let mut environment = play(wild, "{}");
    for _ in 0..2000 {
        for variable in environment.game().parts()[0].variables() {
            let value = value(&environment, variable.name());
            let (low, high) = variable.kind().range();
            assert!((low..=high).contains(&value), "{}: {value}", variable.name());
        }
        let temperature = |which: &str| value(&environment, &format!("air_temperature.{which}#°C"));
        assert!(temperature("min") <= temperature("mean") && temperature("mean") <= temperature("max"));
        environment.step(&[]).unwrap();
    }
}

#[test]
fn equal_seeds_give_equal_seasons_and_other_seeds_others() {
    let season = |seed| {
        let mut environment = play("{}", "{day#int365: 100}");
        environment.reset(seed);
        let day = |environment: &mut Environment| {
            environment.step(&[]).unwrap();
            environment.observation().to_vec()
        };
        (0..50).map(|_| day(&mut environment)).collect::<Vec<_>>()
    };
    assert_eq!(season(4), season(4));
    assert_ne!(season(4), season(5));
}

#[test]
fn a_forecast_without_errors_is_what_comes() {
    let names = [
        "air_temperature.min#°C",
        "air_temperature.mean#°C",
        "humidity#%",
        "wind.speed#km.h-1",
        "rain_amount#mm.day-1",
    ];
    let mut environment = play(&format!("{{{NO_ERRORS}, forecast_lookahead#day: 7}}"), "{day#int365: 360}");
    environment.reset(11);
    for _ in 0..10 {
        let forecasts = names.map(|name| observed(&environment, &format!("forecast.{name}")));
        let mut ahead = environment.clone();
        for lead in 0..7 {
            for (name, forecast) in names.iter().zip(&forecasts) {
                assert_eq!(forecast[lead], f64::from(value(&ahead, name) as f32), "{name}, lead {lead}");
            }
            ahead.step(&[]).unwrap();
        }
        environment.step(&[]).unwrap();
    }
}

#[test]
fn forecasts_are_exact_today_and_err_in_proportion_to_the_lead() {
    let mut environment = play("{forecast_noise: {temperature#°C.day-1: 0.5}}", "{}");
    let mut errors: [Vec<f64>; 5] = Default::default();
    for seed in 0..1500 {
        environment.reset(seed);
        let forecast = observed(&environment, "forecast.air_temperature.mean#°C");
        let lowest = observed(&environment, "forecast.air_temperature.min#°C");
        assert!(lowest.iter().zip(&forecast).all(|(low, mean)| low <= mean));
        let mut ahead = environment.clone();
        for lead in 0..5 {
            errors[lead].push(forecast[lead] - value(&ahead, "air_temperature.mean#°C"));
            ahead.step(&[]).unwrap();
        }
    }
    assert!(errors[0].iter().all(|e| e.abs() < 1e-5));
    for (lead, errors) in errors.iter().enumerate().skip(1) {
        let (mean, deviation) = moments(errors);
        let expected = 0.5 * lead as f64;
        // The standard error of a standard deviation from 1500 values is 1.8 %.
        assert!(
            (deviation / expected - 1.0).abs() < 0.09 && mean.abs() < 0.13 * expected,
            "lead {lead}: {mean} {deviation}"
        );
    }
}

#[test]
fn rain_is_forecast_wrongly_with_a_probability_that_grows_with_the_lead() {
    let mut environment = play("{forecast_noise: {rain_flip#day-1: 0.05, rain_amount#day-1: 0.2}}", "{}");
    let mut wrong = [0.0; 5];
    let days = 3000;
    for _ in 0..days {
        let forecast = observed(&environment, "forecast.rain_amount#mm.day-1");
        let mut ahead = environment.clone();
        for lead in 0..5 {
            let truth = value(&ahead, "rain_amount#mm.day-1");
            wrong[lead] += f64::from(u8::from((forecast[lead] > 0.0) != (truth > 0.0)));
            ahead.step(&[]).unwrap();
        }
        environment.step(&[]).unwrap();
    }
    assert_eq!(wrong[0], 0.0);
    for (lead, wrong) in wrong.iter().enumerate() {
        // Standard error at most √(0.2·0.8/3000) = 0.007.
        assert!((wrong / f64::from(days) - 0.05 * lead as f64).abs() < 0.035, "lead {lead}: {wrong}");
    }
}

#[test]
fn looking_twice_shows_the_same_forecast_also_after_a_snapshot() {
    let mut environment = play("{}", "{}");
    environment.step(&[]).unwrap();
    let (seen, snapshot) = (environment.observation().to_vec(), environment.snapshot());
    environment.step(&[]).unwrap();
    assert_ne!(environment.observation(), seen);
    environment.restore(&snapshot).unwrap();
    assert_eq!(environment.observation(), seen);
}

#[test]
fn frost_and_drought_are_counted_from_the_initial_values_on() {
    // Three days of the file: frost and dry; frost and 0.9 mm; no frost (0 °C is none) and 1 mm.
    let weather = format!("{{file: weather_three_days.csv, {NO_NOISE}}}");
    let mut environment = play(&weather, "{consecutive_frost#day: 4, consecutive_dry#day: 9999}");
    for (frost, dry) in [(5.0, 10_000.0), (6.0, 10_000.0), (0.0, 0.0), (1.0, 1.0)] {
        assert_eq!(
            (value(&environment, "consecutive_frost#day"), value(&environment, "consecutive_dry#day")),
            (frost, dry)
        );
        environment.step(&[]).unwrap();
    }
}

#[test]
fn evapotranspiration_wind_and_humidity_are_those_of_place_and_date() {
    // 15 July at 43.61° north, Tmin 18.9, Tmax 29.3, RH 63, wind 2.9 m/s at 2 m: rows 2299 to 2309 of the FAO reference.
    let expected = [("valiantzas", 5.896, 1e-3), ("hargreaves", 5.172, 0.03 * 5.172), ("paper", 10.281, 1e-3)];
    for (method, evapotranspiration, tolerance) in expected {
        let weather = format!("{{file: weather_july.csv, et0: {method}, {NO_NOISE}}}");
        let environment = play(&weather, "{day#int365: 195}");
        let found = value(&environment, "reference_evapotranspiration#mm.day-1");
        // The file has the wind in km/h at 2 m, which FAO-56 Eq. 47 moves by 0.02 %.
        assert!((found - evapotranspiration).abs() < tolerance, "{method}: {found}");
    }
    // 10 m/s at 10 m are 7.479511 m/s at 2 m (refet).
    let weather = format!("{{file: weather_storm.csv, wind_height#m: 10, {NO_NOISE}}}");
    let environment = play(&weather, "{day#int365: 0}");
    assert!((value(&environment, "wind_speed_2m#m.s-1") - 7.479511).abs() < 1e-6);
    assert_eq!(value(&environment, "wind.direction#°"), 270.0);
    // Saturated air without a range of temperature: lowest and mean humidity agree.
    assert_eq!(value(&environment, "humidity_min#%"), 100.0);
    // An overcast sky lets a quarter of the radiation through: R_a is 11.602824 at 43.61° on day 1 (refet).
    assert!((value(&environment, "solar_radiation#MJ.m-2.day-1") - 0.25 * 11.602824).abs() < 1e-4);
}

#[test]
fn the_papers_rain_fills_the_soil_or_up_to_half_of_it() {
    // Every day of the file is wet; the soil holds 480 L on 4 m², so 120 mm.
    let weather = format!("{{file: weather_storm.csv, rain: paper, {NO_NOISE}, {NO_ERRORS}}}");
    let game =
        try_game(&weather.replace("rain: paper", "rain: paper, paper_rain: {light_probability#prop: 0.3}"), "{}", true);
    let mut environment = Environment::new(Arc::new(game.unwrap()));
    let (mut light, mut sum) = (0.0, 0.0);
    for _ in 0..4000 {
        let (rain, intensity) =
            (value(&environment, "rain_amount#mm.day-1"), value(&environment, "rain_intensity#prop"));
        if rain == 120.0 {
            assert_eq!(intensity, 0.1);
        } else {
            assert!((0.0..=60.0).contains(&rain), "{rain}");
            assert_eq!(intensity, 0.01);
            light += 1.0;
            sum += rain;
        }
        let tomorrow = observed(&environment, "forecast.rain_amount#mm.day-1")[1];
        environment.step(&[]).unwrap();
        assert_eq!(tomorrow, f64::from(value(&environment, "rain_amount#mm.day-1") as f32));
    }
    // Standard error of the share 0.007, of the mean of U(0, 60) 17.3/√1200 = 0.5.
    assert!((light / 4000.0 - 0.3_f64).abs() < 0.035, "{light}");
    assert!((sum / light - 30.0).abs() < 2.5, "{}", sum / light);
}

#[test]
fn the_papers_rain_without_a_soil_is_a_problem_with_a_way_out() {
    let problems = try_game("{rain: paper}", "{}", false).unwrap_err();
    assert_eq!(problems.0.len(), 1);
    let text = problems.to_string();
    assert!(text.contains("fields.Field-0.entities[0].Weather.rain") && text.contains("add `Soil`"), "{text}");
}

#[test]
fn every_error_of_a_file_is_a_problem_at_the_parameter() {
    let problems = try_game("{file: weather_broken.csv}", "{}", false).unwrap_err();
    let texts: Vec<String> = problems.0.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts.iter().all(|t| t.contains("at fields.Field-0.entities[0].Weather.file")), "{texts:?}");
    assert!(texts[0].contains("weather_broken.csv:3: column `RH`: `170` is out of range"), "{}", texts[0]);
    assert!(texts[1].contains("weather_broken.csv:4: the row has 5 fields; expected 6"), "{}", texts[1]);
    let missing = try_game("{file: nowhere.csv}", "{}", false).unwrap_err().to_string();
    assert!(missing.contains("nowhere.csv: there is no such weather table"), "{missing}");
}

#[test]
fn the_parameter_sets_fit_the_parameters() {
    let kind = farm_core::registry::kind(farm_core::config::PartKind::Entity, "Weather").unwrap();
    let sets = kind.parameter_sets().unwrap();
    let names: Vec<&str> = sets.iter().map(|set| set.name()).collect();
    let tables = ["montpellier", "lille", "lille2", "lille3", "montpellier2", "montpellier3", "mixed"];
    let generated =
        ["montpellier", "lille", "nantes", "dakar", "phoenix", "seoul"].map(|site| format!("{site}_generated"));
    assert_eq!(names[..7], tables);
    assert_eq!(names[7..13], generated);
    assert_eq!(names[13..17], ["dry", "dry_hot", "rainy", "constant"]);
    for set in &sets {
        let weather: Weather = from_value(set.parameters().clone()).unwrap();
        let is_generated = set.name().ends_with("_generated") || names[17..].contains(&set.name());
        assert_eq!(weather.source == Some(Source::Generator), is_generated, "{}", set.name());
        play(&serde_yaml::to_string(set.parameters()).unwrap(), "{}").step(&[]).unwrap();
    }
    let weather: Weather = from_value(sets[0].parameters().clone()).unwrap();
    assert_eq!((weather.wind_height_m, weather.replay_noise().temperature_celsius), (10.0, 1.5));
}
