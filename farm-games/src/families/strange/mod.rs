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
use farm_core::config::Problems;

pub(super) use calendar::skill;
pub(super) use hindsight::best_of;
pub use laws::{CropLaws, Food, Season, Water};

use super::tier::LAWS;
use super::{Clause, FarmSetting, MemberName, RuleFamily, Rules, Skin, Tier, Told};
use crate::{GameDocument, Options};
use calendar::{Calendar, USUAL, has_room};

/// The family.
pub(super) const FAMILY: RuleFamily = RuleFamily {
    name: "strange_crops",
    doc: "Which of two invented crops pays, and the water, season and fertiliser that each crop likes.",
    named: &[("ordinary", "both like moist soil, summer and fertiliser, and have the same price")],
    split: "members in which the ranks of all preferences of both crops have a sum divisible by 3, and members with a crop that likes wet \
            soil and no fertiliser",
    tiers: &[
        Tier::of_farm(1, FIELD, TWO_YEARS).told(Told::Shown),
        Tier::of_farm(2, FarmSetting { told: 3, ..FIELD }, TWO_YEARS),
        Tier::of_farm(3, FarmSetting { told: 2, ..FIELD }, TWO_YEARS),
        Tier::of_farm(4, FarmSetting { told: 1, ..FIELD }, TWO_YEARS),
        Tier::of_farm(5, FIELD, TWO_YEARS),
        Tier::of_farm(6, FarmSetting { told: 3, ..UNSEEN }, YEAR),
        Tier::of_farm(7, FarmSetting { told: 2, ..UNSEEN }, YEAR),
        Tier::of_farm(8, UNSEEN, YEAR),
        Tier::of_farm(9, FarmSetting { plots: 4, ..UNSEEN }, YEAR),
    ],
    has_skins: false,
};

/// The possible lengths of an episode, in days: from 31 January to 28 October, and to 28 October of the next year.
const YEAR: u32 = 270;
const TWO_YEARS: u32 = YEAR + 365;

/// The field without a tier.
const FIELD: FarmSetting = FarmSetting { plots: 1, actions: 1, water: [22_000, 26_000], is_water_seen: true, told: 0 };

/// The soil water from nearly dry soil to field capacity, in litres.
const ANY_WATER: [u32; 2] = [17_000, 31_000];

/// The same field, with any soil water at the start, which is not observed.
const UNSEEN: FarmSetting = FarmSetting { water: ANY_WATER, is_water_seen: false, ..FIELD };

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

    /// Whether some calendar earns enough in the year of a seed, with soil water that is observed and with soil water that is not. What can be
    /// earned on one plot in one year can also be earned on several plots, and in two years.
    ///
    /// # Errors
    /// The game has problems. Games from drawn rules have none.
    pub(super) fn has_room(&self, rules: Rules, seed: u64) -> Result<bool, Problems> {
        let unseen = FAMILY.tiers.iter().find(|tier| tier.farm() == Some(UNSEEN)).map(|tier| tier.number);
        let mut calendars: Vec<Calendar> = Calendar::all().collect();
        for tier in [None, unseen] {
            let name = MemberName { family: FAMILY.name, tier, rules, skin: Skin::Plain };
            let game = GameDocument::parse("member.yaml", &self.yaml(&name))?.open(&Options::default())?;
            if !has_room(&game, seed, &mut calendars)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All clauses in which members differ. Those that the tier does not tell are hidden.
    pub(super) fn clauses(&self, tier: Option<Tier>) -> Vec<Clause> {
        let told = told(tier);
        let of_crop = |(name, crop): (&str, &CropLaws)| {
            let of_law = |(rank, (what, value)): (u32, (&str, String))| Clause {
                name: format!("{name}.{what}"),
                value,
                is_hidden: rank >= told,
            };
            let laws = [
                ("food", crop.food.name().to_owned()),
                ("price", euros(crop.price)),
                ("water", crop.water.name().to_owned()),
                ("season", crop.season.name().to_owned()),
            ];
            (0..).zip(laws).map(of_law).collect::<Vec<_>>()
        };
        NAMES.into_iter().zip(&self.crops).flat_map(of_crop).collect()
    }

    /// The first laws of each crop, one sentence per line, for the goal.
    fn in_words(&self, told: u32) -> String {
        let mut words = String::new();
        for (i, (called, crop)) in NAMES.into_iter().zip(&self.crops).enumerate() {
            let price = format!("sells for €{:.2} per kg", f64::from(crop.price) / 100.0);
            let laws = [crop.food.told(), &price, crop.water.told(), crop.season.told()];
            for law in laws.into_iter().take(told as usize) {
                // Nothing can go wrong when writing into a text.
                let _ = write!(words, "\n  Plant-{i} ({called}) {law}.");
            }
        }
        words
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
        let tier = name.ladder();
        let known: String = match tier {
            // With shown rules, they are among the rules.
            Some(tier) if tier.told == Told::Hidden => self.in_words(told(Some(tier))),
            _ => String::new(),
        };
        let tier = tier.and_then(|tier| Some((tier, tier.farm()?)));
        for (place, text) in member::places(tier) {
            yaml = yaml.replace(place, &text);
        }
        let policies = match tier {
            Some((tier, farm)) => self.policies(tier, farm),
            None => USUAL.yaml("    "),
        };
        yaml.replace("@NAME@", &name.to_string())
            .replace("@KNOWN@", &known)
            .replace("@LAWS@", laws.trim_end())
            .replace("@CROPS@", crops.trim_end())
            .replace("@PRICES@", &prices.join(", "))
            .replace("@POLICIES@", &policies)
    }
}

/// The number of laws of each crop that a player knows on a tier.
fn told(tier: Option<Tier>) -> u32 {
    tier.map_or(0, |tier| match tier.told {
        Told::Shown => LAWS,
        Told::Hidden | Told::Invented => tier.farm().map_or(0, |farm| farm.told),
    })
}

fn euros(cents: u32) -> String {
    format!("{}", f64::from(cents) / 100.0)
}
