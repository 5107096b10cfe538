//! The family of strange crops: which of two crops pays, and what water, which season and what food each of them likes.
//!
//! All members share the field, its weather and its prices but those of the harvest: the year of a seed is the same in all of them. Nothing of
//! what differs can be seen before something comes of it.

use std::fmt::Write as _;

use farm_core::config::{Path, Problem, Problems};
use farm_core::serde_yaml::{self, Value};
use farm_core::{EpisodeRunner, Game, NoObserver, Stream};
use farm_oracle::PlanError;

use super::backwards::one_of;
use super::skill::{SEEDS, Skill};
use super::{Clause, MemberName, RuleFamily};
use crate::policies::policy_from_value;

/// The family.
pub(super) const FAMILY: RuleFamily = RuleFamily {
    name: "strange_crops",
    doc: "Of two crops that nobody knows: which one pays, and what water, which season and what food each of them likes.",
    named: &[("ordinary", "both like moist soil, summer and fertiliser, and have one price")],
    split: "those in which the ranks of what both crops like add up to a multiple of three, and those with a crop that likes wet soil and no \
            fertiliser",
    tiers: &[],
    has_skins: false,
};

/// A member without its name and its laws.
const TEMPLATE: &str = include_str!("strange_crops.yaml.in");

/// The crops, by the names that all members have.
const NAMES: [&str; 2] = ["brindle", "quorn"];

/// The water that a crop likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Water {
    /// Little; it stifles in soil that others like.
    Dry,
    /// Neither drought nor wetness.
    Even,
    /// Much; it suffers from the first day of drought, and grows in water.
    Wet,
}

/// When a crop is to be sown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Season {
    /// As soon as the year begins, so that it flowers before the heat.
    Spring,
    /// When the nights are warm.
    Summer,
}

/// What a crop makes of fertiliser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Food {
    /// It needs some on poor soil.
    Hungry,
    /// It has its own nitrogen, and salts harm it.
    Averse,
}

impl Water {
    const ALL: [Self; 3] = [Self::Dry, Self::Even, Self::Wet];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dry => "dry",
            Self::Even => "even",
            Self::Wet => "wet",
        }
    }

    /// Parameters of the plant's `water`.
    fn parameters(self) -> &'static str {
        match self {
            Self::Dry => {
                "transpiration#prop: 0.9, wilting#prop: 0.9, leaf_growth#prop: [0.5, 0.95], pollination#prop: 0.95, air#prop: 0.45, wet_days#day: 2"
            }
            Self::Even => {
                "transpiration#prop: 0.55, wilting#prop: 0.65, leaf_growth#prop: [0.25, 0.7], pollination#prop: 0.75, air#prop: 0.22, wet_days#day: 2"
            }
            Self::Wet => {
                "transpiration#prop: 0.1, wilting#prop: 0.2, leaf_growth#prop: [0.02, 0.3], pollination#prop: 0.3, air#prop: 0, wet_days#day: 2"
            }
        }
    }

    /// The same for who is told the rules.
    fn told(self) -> &'static str {
        match self {
            Self::Dry => {
                "likes dry soil: it drinks as it wants until nine tenths of what its roots can take are gone, and stifles within two \
                 days where less than 45 % of the root zone holds air"
            }
            Self::Even => {
                "likes moist soil: it drinks as it wants until 55 % of what its roots can take are gone, wilts at 65 %, sets no fruit at 75 %, and \
                 stifles within two days where less than 22 % of the root zone holds air"
            }
            Self::Wet => {
                "likes wet soil: it drinks less as soon as a tenth of what its roots can take is gone, wilts at a fifth, sets no fruit at 30 %, and \
                 needs no air in the soil"
            }
        }
    }
}

impl Season {
    const ALL: [Self; 2] = [Self::Spring, Self::Summer];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spring => "spring",
            Self::Summer => "summer",
        }
    }

    /// Parameters of the plant's `development`, `fruits` and `harm`.
    fn parameters(self) -> [&'static str; 3] {
        match self {
            Self::Spring => [
                "temperature#°C: [6, 30]",
                "cold#°C: [-2, 2], heat#°C: [27, 32]",
                "lethal#°C: -6, chilled_below#°C.day: 0",
            ],
            Self::Summer => [
                "temperature#°C: [14, 36], emergence#°C.day: 70",
                "cold#°C: [12, 17], heat#°C: [46, 50], seed_days#day: 20",
                "lethal#°C: 9, chilled_below#°C.day: 4",
            ],
        }
    }

    fn told(self) -> &'static str {
        match self {
            Self::Spring => {
                "belongs into spring: it grows above 6 °C, half of it lives through a night of -6 °C, and its flowers fail on days of \
                 27 °C and more, all of them at 32 °C"
            }
            Self::Summer => {
                "belongs into summer: it grows above 14 °C, seeds that are not up after 20 days rot, half of it dies in a night of 9 °C, flowers \
                 fail in nights below 17 °C, all of them at 12 °C, and bear days of 46 °C"
            }
        }
    }
}

impl Food {
    const ALL: [Self; 2] = [Self::Hungry, Self::Averse];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hungry => "hungry",
            Self::Averse => "averse",
        }
    }

    /// Parameters of the plant's `nutrition` and `harm`.
    fn parameters(self) -> [&'static str; 2] {
        match self {
            Self::Hungry => ["fixation#prop: 0", "salt_threshold#dS.m-1: 4, salt_slope#m.dS-1: 0.05"],
            Self::Averse => [
                "fixation#prop: 1, phosphorus#g.g-1: 0.01, potassium#g.g-1: 0.05",
                "salt_threshold#dS.m-1: 0.1, salt_slope#m.dS-1: 8",
            ],
        }
    }

    fn told(self) -> &'static str {
        match self {
            Self::Hungry => "takes all its food from the soil, so that fertiliser helps",
            Self::Averse => "brings its nitrogen from the air, and the salts of fertiliser harm it",
        }
    }
}

/// The rules of a crop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CropLaws {
    /// The water that it likes.
    pub water: Water,
    /// When it is to be sown.
    pub season: Season,
    /// What it makes of fertiliser.
    pub food: Food,
    /// What a kilogram sells at, in cents.
    pub price: u32,
}

/// The rules of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrangeLaws {
    /// Those of the two crops.
    pub crops: [CropLaws; 2],
}

impl CropLaws {
    fn draw(stream: &mut Stream) -> Self {
        Self {
            water: one_of(stream, &Water::ALL),
            season: one_of(stream, &Season::ALL),
            food: one_of(stream, &Food::ALL),
            price: 40 + 20 * stream.index(12),
        }
    }

    /// The entity, in a line of YAML.
    fn yaml(&self) -> String {
        let [development, fruits, cold] = self.season.parameters();
        let [nutrition, salt] = self.food.parameters();
        let water = self.water.parameters();
        format!(
            "      - Plant: {{base: corn, crop: {{development: {{{development}}}, water: {{{water}}}, fruits: {{{fruits}}}, nutrition: \
             {{{nutrition}}}, harm: {{{cold}, {salt}}}}}}}\n"
        )
    }

    fn ranks(&self) -> usize {
        self.water as usize + self.season as usize + self.food as usize
    }
}

impl StrangeLaws {
    /// Rules drawn from a stream.
    pub(super) fn draw(stream: &mut Stream) -> Self {
        Self { crops: [CropLaws::draw(stream), CropLaws::draw(stream)] }
    }

    /// Rules that the family names.
    pub(super) fn named(name: &str) -> Option<Self> {
        let crop = CropLaws { water: Water::Even, season: Season::Summer, food: Food::Hungry, price: 120 };
        (name == "ordinary").then_some(Self { crops: [crop; 2] })
    }

    /// Whether members with these rules are kept for tests.
    pub(super) fn is_held_out(&self) -> bool {
        let is_kept = |crop: &CropLaws| crop.water == Water::Wet && crop.food == Food::Averse;
        self.crops.iter().map(CropLaws::ranks).sum::<usize>().is_multiple_of(3) || self.crops.iter().any(is_kept)
    }

    /// Everything in which members differ; all of it is hidden.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        let of_crop = |(name, crop): (&str, &CropLaws)| {
            [
                ("water", crop.water.name().to_owned()),
                ("season", crop.season.name().to_owned()),
                ("food", crop.food.name().to_owned()),
                ("price", euros(crop.price)),
            ]
            .map(|(what, value)| Clause { name: format!("{name}.{what}"), value, is_hidden: true })
        };
        NAMES.into_iter().zip(&self.crops).flat_map(of_crop).collect()
    }

    /// A game with these rules.
    pub(super) fn yaml(&self, name: &MemberName) -> String {
        let (mut laws, mut crops, mut prices) = (String::new(), String::new(), Vec::new());
        for (i, (called, crop)) in NAMES.into_iter().zip(&self.crops).enumerate() {
            let begin = format!("Plant-{i}, {called},");
            // Nothing can go wrong when writing into a text.
            let _ =
                writeln!(laws, "  {begin} {}; it {}; it {}.", crop.water.told(), crop.season.told(), crop.food.told());
            crops.push_str(&crop.yaml());
            prices.push(format!("Plant-{i}: {}", euros(crop.price)));
        }
        TEMPLATE
            .replace("@NAME@", &name.to_string())
            .replace("@LAWS@", laws.trim_end())
            .replace("@CROPS@", crops.trim_end())
            .replace("@PRICES@", &prices.join(", "))
            .replace("@USUAL@", &USUAL.yaml("    "))
    }
}

fn euros(cents: u32) -> String {
    format!("{}", f64::from(cents) / 100.0)
}

/// A year that is planned beforehand: what to sow when, how wet to keep the soil, and whether to feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Calendar {
    /// The crop, 0 or 1.
    crop: usize,
    /// The day of the year from which on it is sown.
    day: u32,
    /// What the plot is watered below, in litres.
    level: u32,
    /// Whether it is given fertiliser when it has come up.
    is_fed: bool,
}

/// The calendar that earns most over all members, as a test sees.
const USUAL: Calendar = Calendar { crop: 1, day: 40, level: 29_000, is_fed: false };

/// The days of the year on which a calendar may sow.
const DAYS: [u32; 2] = [40, 110];
/// The litres below which a calendar may water.
const LEVELS: [u32; 3] = [22_000, 25_500, 29_000];

impl Calendar {
    /// All that members are judged by.
    fn all() -> impl Iterator<Item = Self> {
        let of_day = |(crop, day)| LEVELS.into_iter().map(move |level| (crop, day, level));
        let days = [0, 1].into_iter().flat_map(|crop| DAYS.into_iter().map(move |day| (crop, day)));
        days.flat_map(of_day).flat_map(|(crop, day, level)| {
            [false, true].into_iter().map(move |is_fed| Self { crop, day, level, is_fed })
        })
    }

    /// The policy, in YAML, with this before each line.
    fn yaml(&self, indent: &str) -> String {
        let Self { crop, day, level, is_fed } = self;
        let stage = format!("state_variable: [Field-0, Plant-{crop}, stage]");
        let act = |entity: &str, action: &str, more: &str| {
            format!(
                "for_each_plot: true, act: {{field: Field-0, entity: {entity}, action: {action}, parameters: {{plot: here{more}}}}}"
            )
        };
        let plant = format!("Plant-{crop}");
        let mut rules = vec![
            format!("when: [[{{{stage}, operator: '==', ref_value: ripe}}]], {}", act(&plant, "micro_harvest", "")),
            format!(
                "when: [[{{{stage}, operator: '==', ref_value: none}}, {{state_variable: [Field-0, Weather-0, day#int365], operator: '>=', ref_value: \
                 {day}}}]], once: true, {}",
                act(&plant, "sow", "")
            ),
        ];
        if *is_fed {
            let scatter = act("Fertilizer-0", "scatter", "");
            rules.push(format!("when: [[{{{stage}, operator: '==', ref_value: grow}}]], once: true, {scatter}"));
        }
        rules.push(format!(
            "when: [[{{state_variable: [Field-0, Soil-0, available_Water#L], operator: '<', ref_value: {level}}}, {{{stage}, operator: in, \
             ref_value: [seed, grow, bloom, fruit]}}]], {}",
            act("Soil-0", "water_discrete", ", amount#L: 3000")
        ));
        let rules: String = rules.into_iter().map(|rule| format!("\n{indent}    - {{{rule}}}")).collect();
        format!("{indent}TriggerPolicy:\n{indent}  rules:{rules}")
    }

    /// What it earns in the levels that rules are judged by.
    fn earned(&self, game: &Game) -> Result<f64, Problems> {
        let failed = |message: String| Problems(vec![Problem::new(PlanError::NoPlan, Path::default(), message)]);
        let value: Value = serde_yaml::from_str(&self.yaml("")).map_err(|error| failed(error.to_string()))?;
        let mut player = policy_from_value(game, &value)?;
        let mut runner = EpisodeRunner::new(game);
        let mut total = 0.0;
        for seed in SEEDS {
            let episode = runner.play(player.as_mut(), seed, &mut NoObserver);
            total += episode.map_err(|error| failed(error.to_string()))?.total();
        }
        Ok(total)
    }
}

/// What acting gains: the best of all calendars, against waiting, and against what is the same for all members.
///
/// # Errors
/// A game of another family.
pub(super) fn skill(game: &Game) -> Result<Skill, Problems> {
    let mut skill = Skill::of_repeating(game)?;
    for calendar in Calendar::all() {
        skill.oracle = skill.oracle.max(calendar.earned(game)?);
    }
    skill.same = skill.same.max(USUAL.earned(game)?);
    Ok(skill)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Laws, Rules, Skin};
    use crate::{GameSource, Options};

    #[test]
    fn the_usual_calendar_earns_most_over_all_rules() {
        let name = MemberName { family: FAMILY.name, tier: None, rules: Rules::Seed(0), skin: Skin::Plain };
        let calendars: Vec<Calendar> = Calendar::all().collect();
        let mut totals = vec![0.0; calendars.len()];
        for seed in 0..200 {
            let yaml = Laws::draw(FAMILY.name, &mut Stream::from_seed(seed)).yaml(&name);
            let game = GameSource::parse("member.yaml", &yaml).unwrap().open(&Options::default()).unwrap();
            for (total, calendar) in totals.iter_mut().zip(&calendars) {
                *total += calendar.earned(&game).unwrap();
            }
        }
        let best = (0..calendars.len()).max_by(|a, b| totals[*a].total_cmp(&totals[*b])).unwrap();
        // The two crops are alike over all rules.
        assert_eq!(Calendar { crop: USUAL.crop, ..calendars[best] }, USUAL, "{totals:?}");
    }
}
