//! The strange crops family. Members differ in which of two crops pays, and in the water, the season and the fertiliser that each crop
//! likes.
//!
//! All members share the field, its weather and its prices, except the prices of the harvest: a seed gives the same year in all of them.
//! The differences cannot be observed before they affect the plants.
//!
//! | file | contents |
//! |---|---|
//! | `laws.rs` | a crop's possible preferences, as parameters and in words |
//! | `member.rs` | a member on a tier, and its policies |
//! | `calendar.rs` | fixed calendars, which measure the gain from acting |
//! | `hindsight.rs` | the best plan found for a world |

mod calendar;
mod hindsight;
mod laws;
mod member;

use std::fmt::Write as _;

use farm_core::Stream;

pub(super) use calendar::skill;
pub(super) use hindsight::best_of;
pub use laws::{CropLaws, Food, Season, Water};

use super::{Clause, FarmSetting, MemberName, RuleFamily, Tier, Told};
use calendar::USUAL;

/// The family.
pub(super) const FAMILY: RuleFamily = RuleFamily {
    name: "strange_crops",
    doc: "Which of two invented crops pays, and the water, season and fertiliser that each crop likes.",
    named: &[("ordinary", "both like moist soil, summer and fertiliser, and have the same price")],
    split: "members in which the ranks of all preferences of both crops have a sum divisible by 3, and members with a crop that likes wet \
            soil and no fertiliser",
    tiers: &[
        Tier::of_farm(1, FIELD, YEAR).told(Told::Shown),
        Tier::of_farm(2, FarmSetting { plots: 4, actions: 2, ..FIELD }, TWO_YEARS),
        Tier::of_farm(3, FarmSetting { plots: 2, ..FIELD }, TWO_YEARS),
        Tier::of_farm(4, FIELD, TWO_YEARS),
        Tier::of_farm(5, FIELD, YEAR),
        Tier::of_farm(6, FarmSetting { plots: 2, ..FIELD }, YEAR),
        Tier::of_farm(7, FarmSetting { plots: 4, actions: 2, ..FIELD }, YEAR),
        Tier::of_farm(8, FarmSetting { water: ANY_WATER, is_water_seen: false, ..FIELD }, YEAR),
        Tier::of_farm(9, FarmSetting { plots: 4, water: ANY_WATER, is_water_seen: false, ..FIELD }, SHORT_YEAR),
    ],
    has_skins: false,
};

/// The possible lengths of an episode, in days: from 31 January to 28 October, to 30 July, and to 28 October of the next year.
const YEAR: u32 = 270;
const SHORT_YEAR: u32 = 180;
const TWO_YEARS: u32 = YEAR + 365;

/// The field without a tier.
const FIELD: FarmSetting = FarmSetting { plots: 1, actions: 1, water: [22_000, 26_000], is_water_seen: true };

/// The soil water from nearly dry soil to field capacity, in litres.
const ANY_WATER: [u32; 2] = [17_000, 31_000];

/// The template of a member, without its name and its rules.
const TEMPLATE: &str = include_str!("strange_crops.yaml.in");

/// The names of the crops, which all members share.
const NAMES: [&str; 2] = ["brindle", "quorn"];

/// A member's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrangeLaws {
    /// The rules of the two crops.
    pub crops: [CropLaws; 2],
}

impl StrangeLaws {
    /// Rules drawn from a stream.
    pub(super) fn draw(stream: &mut Stream) -> Self {
        Self { crops: [CropLaws::draw(stream), CropLaws::draw(stream)] }
    }

    /// The family's rules with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let crop = CropLaws { water: Water::Even, season: Season::Summer, food: Food::Hungry, price: 120 };
        (name == "ordinary").then_some(Self { crops: [crop; 2] })
    }

    /// Whether members with these rules belong to the test split.
    pub(super) fn is_held_out(&self) -> bool {
        let is_kept = |crop: &CropLaws| crop.water == Water::Wet && crop.food == Food::Averse;
        self.crops.iter().map(CropLaws::ranks).sum::<usize>().is_multiple_of(3) || self.crops.iter().any(is_kept)
    }

    /// All clauses in which members differ. All of them are hidden.
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
            for sentences in [crop.water.told(), crop.season.told(), crop.food.told()] {
                // Nothing can go wrong when writing into a text.
                let _ = writeln!(laws, "  Plant-{i} ({called}) {sentences}.");
            }
            crops.push_str(&crop.yaml());
            prices.push(format!("Plant-{i}: {}", euros(crop.price)));
        }
        let mut yaml = TEMPLATE.to_owned();
        let tier = name.ladder().and_then(|tier| Some((tier, tier.farm()?)));
        for (place, text) in member::places(tier) {
            yaml = yaml.replace(place, &text);
        }
        let policies = match tier {
            Some((tier, farm)) => self.policies(tier, farm),
            None => USUAL.yaml("    "),
        };
        yaml.replace("@NAME@", &name.to_string())
            .replace("@LAWS@", laws.trim_end())
            .replace("@CROPS@", crops.trim_end())
            .replace("@PRICES@", &prices.join(", "))
            .replace("@POLICIES@", &policies)
    }
}

fn euros(cents: u32) -> String {
    format!("{}", f64::from(cents) / 100.0)
}
