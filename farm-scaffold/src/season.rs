//! A user's game with crops, a season and an expert policy adapted to them.

use std::path::Path;

use anyhow::Result;

use crate::game::{file_header, plan_of_file};
use crate::{Name, ScaffoldPlan, Taken, filled};

const SEASON: &str = include_str!("../templates/season.yaml.txt");

/// A new game's weather and season, and its fields with their crops.
#[derive(Debug, Clone)]
pub struct Season {
    /// The value after `Weather:`, a parameter set or a mapping in flow style.
    pub weather: String,
    /// The latitude, longitude and altitude of the fields.
    pub place: [f64; 3],
    /// Whether the weather is known to be for this location.
    pub is_place_known: bool,
    /// The first day, as a day of the year (0 is 1 January).
    pub begin: u32,
    /// The maximum number of days.
    pub days: u32,
    /// The fields.
    pub fields: Vec<SeasonField>,
}

/// A field with a crop.
#[derive(Debug, Clone)]
pub struct SeasonField {
    /// The crop, as a parameter set.
    pub crop: String,
    /// The first day on which the crop can be sown, as a day of the year.
    pub sown_on: u32,
    /// Seeds per plot.
    pub seeds: u32,
    /// The expert waters a plot that contains less than this number of litres.
    pub below: u32,
    /// Litres per watering.
    pub amount: u32,
}

/// The default weather in a new game, as a parameter set.
pub const USUAL_WEATHER: &str = "montpellier";
/// The location of the default weather.
pub const USUAL_PLACE: [f64; 3] = [43.6, 3.9, 27.0];

/// The number of days on which a field can be sown, starting with the first possible day.
const DAYS_TO_SOW: u32 = 20;
/// The number of plots in a field: 2 × 2.
const PLOTS: usize = 4;
const DAYS_PER_YEAR: u32 = 365;
const MONTHS: [(&str, u32); 12] = [
    ("January", 31),
    ("February", 28),
    ("March", 31),
    ("April", 30),
    ("May", 31),
    ("June", 30),
    ("July", 31),
    ("August", 31),
    ("September", 30),
    ("October", 31),
    ("November", 30),
    ("December", 31),
];

impl Season {
    /// The YAML for a game with this name, below a header of comments.
    pub fn text(&self, name: &Name, header: &str) -> String {
        let each = |text: &dyn Fn(usize, &SeasonField) -> String| -> String {
            self.fields.iter().enumerate().map(|(i, field)| text(i, field)).collect()
        };
        let listed = |texts: Vec<String>| texts.join(", ");
        let of_fields = |text: &dyn Fn(usize) -> String| listed((0..self.fields.len()).map(text).collect());
        let mut crops: Vec<&str> = Vec::new();
        for field in &self.fields {
            if !crops.contains(&field.crop.as_str()) {
                crops.push(&field.crop);
            }
        }
        let values = [
            ("header", header.to_owned()),
            ("snake", name.snake()),
            ("Title", name.sentence()),
            ("crops", crops.join(", ")),
            ("fields", each(&|i, field| self.field(i, field))),
            ("actions", (PLOTS * self.fields.len()).to_string()),
            ("begin", self.begin.to_string()),
            ("begin_date", date(self.begin)),
            // The values of the first field are next to its weather.
            ("starts", each(&|i, _| if i == 0 { String::new() } else { start(i) })),
            ("observations", each(&|i, _| observations(i))),
            ("offered", each(&offered)),
            (
                "stops",
                of_fields(&|i| {
                    format!(
                        "{{state_variable: [Field-{i}, Plant-0, stage], function: fraction, of: [harvested, dead], operator: '>=', ref_value: 1}}"
                    )
                }),
            ),
            ("days", self.days.to_string()),
            ("prices", of_fields(&|i| format!("Field-{i}: {{Plant-0: 1}}"))),
            ("labour", each(&|i, _| labour(i))),
            ("sowings", each(&sowing)),
            ("waterings", each(&watering)),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
        filled(SEASON, &values)
    }

    fn field(&self, i: usize, field: &SeasonField) -> String {
        let [latitude, longitude, altitude] = self.place;
        let place = format!("{{latitude#°: {latitude}, longitude#°: {longitude}, altitude#m: {altitude}}}");
        let (uses, weather) = match i {
            0 => (String::new(), format!("      - Weather: {}\n", self.weather)),
            _ => ("    # All fields share one weather.\n    uses: [Field-0.Weather-0]\n".to_owned(), String::new()),
        };
        let guess = match self.is_place_known {
            true => "",
            false => "    # The weather file contains no location. Correct this one: the sun depends on it.\n",
        };
        let shape = "{length#nb: 2, width#nb: 2, scale#m: 10.0}";
        let crop = &field.crop;
        format!(
            "  Field-{i}:\n{guess}    localization: {place}\n    shape: {shape}\n{uses}    entities:\n{weather}      - Soil: loam\n      - Plant: {crop}\n"
        )
    }
}

fn start(i: usize) -> String {
    format!("      Field-{i}:\n        Plant-0: {{stage: none}}\n")
}

fn observations(i: usize) -> String {
    let seen = ["[FIELD, Soil-0, available_Water#L]", "[FIELD, Plant-0, stage]", "[FIELD, Plant-0, size#cm]"];
    seen.map(|seen| format!("      - {}\n", seen.replace("FIELD", &format!("Field-{i}")))).concat()
}

fn offered(i: usize, field: &SeasonField) -> String {
    let SeasonField { seeds, amount, .. } = field;
    // Half, the usual number, and one and a half times the usual number.
    let mut numbers = vec![seeds.div_ceil(2), *seeds, seeds + seeds / 2];
    numbers.dedup();
    format!(
        "      Field-{i}:\n        Soil-0:\n          water_discrete: {{plot: '*', amount#L: [{amount}, {}], duration#min: [60]}}\n        Plant-0:\n          \
         sow: {{plot: '*', amount#seed: {numbers:?}, spacing#cm: [1]}}\n          micro_harvest: {{plot: '*'}}\n",
        2 * amount
    )
}

fn labour(i: usize) -> String {
    format!(
        "      Field-{i}:\n        Soil-0: {{water_discrete: 0.3}}\n        Plant-0: {{sow: 1, micro_harvest: 3}}\n"
    )
}

fn sowing(i: usize, field: &SeasonField) -> String {
    let SeasonField { crop, sown_on, seeds, .. } = field;
    let until = (sown_on + DAYS_TO_SOW) % DAYS_PER_YEAR;
    let (from, to) = (date(*sown_on), date(until));
    format!(
        "        # {crop}: from {from} to {to}. Sown on the first of these days, it earned most in the trials.\n        - SowPolicy: {{entity: \
         Field-{i}.Plant-0, amount#seed: {seeds}, first_day#int365: {sown_on}, last_day#int365: {until}}}\n"
    )
}

fn watering(i: usize, field: &SeasonField) -> String {
    let SeasonField { below, amount, .. } = field;
    format!(
        "              - when:
                  - - {{state_variable: [Field-{i}, Soil-0, available_Water#L], operator: '<', ref_value: {below}}}
                    - {{state_variable: [Field-{i}, Plant-0, stage], operator: in, ref_value: [seed, grow, bloom, fruit]}}
                for_each_plot: true
                act: {{field: Field-{i}, entity: Soil-0, action: water_discrete, parameters: {{plot: here, amount#L: {amount}}}}}\n"
    )
}

/// A day of the year as a date, such as `1 May` for 120.
fn date(day: u32) -> String {
    let mut left = day % DAYS_PER_YEAR;
    let month = MONTHS.iter().find(|(_, days)| {
        let is_here = left < *days;
        left -= if is_here { 0 } else { *days };
        is_here
    });
    format!("{} {}", left + 1, month.map_or("", |(name, _)| name))
}

/// Plans the file for a season.
pub(crate) fn plan(folder: &Path, name: &Name, taken: &Taken, program: &str, season: &Season) -> Result<ScaffoldPlan> {
    plan_of_file(folder, name, taken, program, season.text(name, &file_header(name, program)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_year_have_dates() {
        assert_eq!(
            [0, 30, 31, 99, 120, 364, 365].map(date),
            ["1 January", "31 January", "1 February", "10 April", "1 May", "31 December", "1 January"]
        );
    }

    #[test]
    fn every_placeholder_is_filled_in() {
        let field = |crop: &str, sown_on| SeasonField { crop: crop.into(), sown_on, seeds: 1, below: 30, amount: 10 };
        let season = Season {
            weather: "{file: 'station.csv'}".into(),
            place: [45.0, 5.0, 200.0],
            is_place_known: false,
            begin: 90,
            days: 200,
            fields: vec![field("corn", 90), field("tomato", 360)],
        };
        let text = season.text(&Name::parse("wet_market").unwrap_or_else(|error| panic!("{error}")), "");
        // Placeholders touch their braces, those of game texts do not.
        assert!(!text.split("{{").skip(1).any(|rest| rest.starts_with(char::is_alphabetic)), "{text}");
        assert!(text.contains("last_day#int365: 15") && text.contains("from 27 December to 16 January"), "{text}");
        assert!(text.contains("amount#seed: [1]") && text.contains("uses: [Field-0.Weather-0]"), "{text}");
        assert_eq!((text.matches("- Weather:").count(), text.matches("Correct this one").count()), (1, 2), "{text}");
    }
}
