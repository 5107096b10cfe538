//! The Valley Farm family. Members differ in the values of things, the amounts that actions use up, the pace of changes, and the reach of
//! gifts.
//!
//! All members share maps, counts and steps: a seed gives the same map in all of them. The amounts that the farmer carries and the size of
//! its window are visible; everything else is hidden.

use std::fmt::Write as _;

use farm_core::Stream;

use super::backwards::one_of;
use super::skin::Names;
use super::{Clause, MemberName, RuleFamily, Tier, Told};

/// The family.
pub(super) const FAMILY: RuleFamily = RuleFamily {
    name: "valley_farm",
    doc: "The values of crops, products, friendship and coins, the costs of planting, watering, feeding and giving, and how animals work.",
    named: &[("ordinary", "the rules of valley_farm")],
    split: "members in which one or three of these rules hold: animals count down, gifts reach diagonally, one watering is enough; and \
            members in which a relationship of 25 doubles prices",
    tiers: &[
        Tier::of_map(1, 9, 7, 60).scattered(0).told(Told::Shown),
        Tier::of_map(2, 9, 7, 60).scattered(0),
        Tier::of_map(3, 11, 7, 50).scattered(0),
        Tier::of_map(4, 13, 5, 50).scattered(0),
        Tier::of_map(5, 15, 5, 50).scattered(0),
        Tier::of_map(6, 15, 5, 50).scattered(30),
        Tier::of_map(7, 15, 5, 45).scattered(45),
        Tier::of_map(8, 15, 3, 45).scattered(45).told(Told::Invented),
        Tier::of_map(9, 17, 3, 40).scattered(50).told(Told::Invented),
    ],
    has_skins: true,
};

/// The names that a skin replaces.
pub(super) const NAMES: Names = Names {
    exact: &[
        &["PlantSeed", "WaterCrop", "HarvestCrop", "FeedAnimal", "CollectProduct", "GiveGift", "SellAtMarket"],
        &["seedling", "growing", "mature"],
        &["hungry", "sated"],
        &["neutral", "friendly"],
        &["soil_empty", "soil_seeded", "crop_growing", "crop_mature"],
        &["barn_cow", "barn_sheep", "barn_chicken"],
        &["market"],
        &["obstacle"],
        &["grass"],
        &["seeds", "water", "crops", "feed", "products", "coins", "gifts"],
        &["harvest", "product", "friendship", "sale"],
        &["MoveNorth", "MoveSouth", "MoveEast", "MoveWest"],
        &["Wait"],
    ],
    entries: &["grid", "centre", "inventory", "relationships", "remaining"],
    nouns: &[
        &["crop", "animal", "villager"],
        &["field", "barn", "home"],
        &["farmer"],
        &["market"],
        &["seed", "gift", "coin"],
        &["valley"],
    ],
    goal: "You are on a map of square tiles.\nCollect as much reward as you can.\nRewards are never taken back.\n",
};

/// The maximum number of visible tiles between the middle of the window and its border.
const MARGIN: u32 = 3;

/// The possible base prices of crops and of products.
pub(super) const PRICES: [u32; 4] = [1, 2, 3, 4];
/// The possible values of crops, products, points of friendship and coins, in hundredths of points.
pub(super) const WORTH: [&[u32]; 4] = [&[10, 30, 60], &[10, 20, 50], &[2, 5, 10, 15], &[5, 10, 20]];
/// The possible amounts that watering, feeding and giving use up, where 1 is twice as likely. Planting always uses one seed.
pub(super) const TAKEN: [u32; 3] = [1, 1, 2];
/// The possible amounts of seeds, water, feed and gifts at the start. They do not depend on the amounts used up, so that they reveal
/// nothing.
const CARRIED: [&[u32]; 4] = [&[3, 4], &[4, 5], &[3, 4], &[3, 4]];
/// The possible increases in a relationship from a gift, in points.
pub(super) const GIFT_INCREMENTS: [u32; 4] = [2, 4, 6, 8];
/// The possible relationships that double prices, in points.
pub(super) const DOUBLINGS: [u32; 4] = [25, 50, 100, 200];
/// The possible numbers of stages that a watering advances a crop.
pub(super) const STAGES_PER_WATERING: [u32; 2] = [1, 2];
/// The possible numbers of steps for which animals are sated, each with the ticks per product.
pub(super) const ANIMALS: [[u32; 2]; 3] = [[10, 5], [8, 4], [6, 3]];

/// A member's rules.
#[derive(Debug, Clone, PartialEq)]
pub struct ValleyLaws {
    /// Base prices of a crop and of a product, in coins.
    pub prices: [u32; 2],
    /// The values of a crop, a product, a point of friendship and a coin, in hundredths of points.
    pub worth: [u32; 4],
    /// The increase in a relationship from a gift, in points.
    pub gift_increment: u32,
    /// The relationship that doubles prices, in points.
    pub doubling: u32,
    /// The amounts that watering, feeding and giving use up.
    pub taken: [u32; 3],
    /// The number of stages, out of three, that a watering advances a crop.
    pub stages_per_watering: u32,
    /// The number of steps for which an animal is sated, and the ticks per product.
    pub animals: [u32; 2],
    /// Whether feeding starts a countdown to one product, as in AutoEnv-36.
    pub counts_down: bool,
    /// Whether gifts reach the eight tiles around the farmer, instead of its own tile and the four next to it.
    pub is_ring: bool,
    /// The seeds, water, feed and gifts that the farmer carries at the start.
    pub carried: [u32; 4],
    /// The number of tiles per row in the window.
    pub view: u32,
}

impl ValleyLaws {
    /// Rules drawn from a stream.
    pub(super) fn draw(stream: &mut Stream) -> Self {
        let prices = [one_of(stream, &PRICES), one_of(stream, &PRICES)];
        let worth = WORTH.map(|values| one_of(stream, values));
        let taken = [(); 3].map(|()| one_of(stream, &TAKEN));
        Self {
            prices,
            worth,
            gift_increment: one_of(stream, &GIFT_INCREMENTS),
            doubling: one_of(stream, &DOUBLINGS),
            taken,
            stages_per_watering: one_of(stream, &STAGES_PER_WATERING),
            animals: one_of(stream, &ANIMALS),
            counts_down: stream.bernoulli(0.5),
            is_ring: stream.bernoulli(0.5),
            carried: CARRIED.map(|amounts| one_of(stream, amounts)),
            view: one_of(stream, &[3, 5, 7]),
        }
    }

    /// The family's rules with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        (name == "ordinary").then_some(Self {
            prices: [1, 2],
            worth: [10, 20, 50, 10],
            gift_increment: 4,
            doubling: 100,
            taken: [1; 3],
            stages_per_watering: 1,
            animals: [10, 5],
            counts_down: false,
            is_ring: false,
            carried: [5, 5, 3, 3],
            view: 5,
        })
    }

    /// Whether members with these rules belong to the test split.
    pub(super) fn is_held_out(&self) -> bool {
        let odd = [self.counts_down, self.is_ring, self.stages_per_watering > 1];
        odd.iter().filter(|holds| **holds).count() % 2 == 1 || self.doubling == 25
    }

    /// All clauses in which members differ.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        let points = |hundredths: u32| format!("{}", f64::from(hundredths) / 100.0);
        let hidden = [
            ("price.crop", self.prices[0].to_string()),
            ("price.product", self.prices[1].to_string()),
            ("worth.harvest", points(self.worth[0])),
            ("worth.product", points(self.worth[1])),
            ("worth.friendship", points(self.worth[2])),
            ("worth.sale", points(self.worth[3])),
            ("gift.increment", self.gift_increment.to_string()),
            ("gift.reach", if self.is_ring { "eight around" } else { "own and four" }.to_owned()),
            ("price.doubles_at", self.doubling.to_string()),
            ("takes.watering", self.taken[0].to_string()),
            ("takes.feeding", self.taken[1].to_string()),
            ("takes.giving", self.taken[2].to_string()),
            ("crops.stages_per_watering", self.stages_per_watering.to_string()),
            ("animals.sated", self.animals[0].to_string()),
            ("animals.ticks", self.animals[1].to_string()),
            ("animals.clock", if self.counts_down { "counts down" } else { "ticks" }.to_owned()),
        ];
        let shown = [
            ("carried.seeds", self.carried[0].to_string()),
            ("carried.water", self.carried[1].to_string()),
            ("carried.feed", self.carried[2].to_string()),
            ("carried.gifts", self.carried[3].to_string()),
            ("view", self.view.to_string()),
        ];
        let clause =
            |is_hidden| move |(name, value): (&str, String)| Clause { name: name.to_owned(), value, is_hidden };
        hidden.into_iter().map(clause(true)).chain(shown.into_iter().map(clause(false))).collect()
    }

    /// A game with these rules.
    pub(super) fn yaml(&self, name: &MemberName) -> String {
        let mut changes = String::new();
        let mut change = |path: &str, value: String| {
            // Nothing can go wrong when writing into a text.
            let _ = writeln!(changes, "  {path}: {value}");
        };
        let entity = |rank: usize, key: &str| {
            let kinds = ["TileMap", "CropTiles", "AnimalTiles", "NeighbourTiles", "MarketTiles"];
            format!("fields.Field-0.entities.{rank}.{}.{key}", kinds[rank])
        };
        change(&entity(0, "margin#tile"), MARGIN.to_string());
        change(&entity(1, "water_per_watering#nb"), self.taken[0].to_string());
        change(&entity(1, "stages_per_watering#nb"), self.stages_per_watering.to_string());
        change(&entity(2, "feed_per_feeding#nb"), self.taken[1].to_string());
        change(&entity(2, "sated_steps#step"), self.animals[0].to_string());
        change(&entity(2, "ticks_per_deposit#nb"), self.animals[1].to_string());
        if self.counts_down {
            for (key, value) in [
                ("feeding_step_ticks", "true"),
                ("feeding_sated", "refused"),
                ("deposits", "once_per_feeding"),
                ("collecting", "always"),
                ("collecting_resets", "false"),
            ] {
                change(&entity(2, key), value.to_owned());
            }
        }
        change(&entity(3, "gifts_per_giving#nb"), self.taken[2].to_string());
        change(&entity(3, "gift_increment#point"), self.gift_increment.to_string());
        if self.is_ring {
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|at| *at != (0, 0));
            let around: Vec<String> = around.map(|(dx, dy)| format!("{{dx: {dx}, dy: {dy}}}")).collect();
            change(&entity(3, "reach"), format!("[{}]", around.join(", ")));
        }
        change(&entity(4, "prices#coin"), format!("{{crops: {}, products: {}}}", self.prices[0], self.prices[1]));
        change(&entity(4, "doubling_relationship#point"), self.doubling.to_string());
        let [seeds, water, feed, gifts] = self.carried;
        let carried = format!(
            "{{seeds: {seeds}, water: {water}, crops: 0, feed: {feed}, products: 0, coins: 0, gifts: {gifts}}}"
        );
        change("farmers.0.GridFarmer.inventory#nb", carried);
        let tier = name.ladder().and_then(|tier| Some((tier.map()?, tier.steps)));
        change("farmers.0.GridFarmer.view#tile", tier.map_or(self.view, |(map, _)| map.view).to_string());
        if let Some((map, steps)) = tier {
            change("fields.Field-0.shape", format!("{{length#nb: {0}, width#nb: {0}}}", map.size));
            change(&entity(0, "obstacles#nb"), map.obstacles.to_string());
            change("rules.BasicRule.max_steps", steps.to_string());
        }
        let [harvest, product, friendship, sale] = self.worth.map(|hundredths| f64::from(hundredths) / 100.0);
        let weights = format!("{{harvest: {harvest}, product: {product}, friendship: {friendship}, sale: {sale}}}");
        change("score.EventScore.weights#point", weights);
        format!(
            "name: {name}\ndoc: A member of the family {}, with rules of its own.\nextends: {}-v0\npolicies:\n  \
             adaptive: AdaptivePolicy\n  bayesian: BayesianPolicy\nchanges:\n{changes}",
            FAMILY.name, FAMILY.name
        )
    }
}
