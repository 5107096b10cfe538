//! The level format of this project. The checks of level files and the schema for editors both use these tables.

use farm_core::config::{ParameterDoc, Parameters};
use farm_core::spec::table_schema;
use indexmap::IndexMap;

use crate::farmers::Direction;

/// The farmer of a level.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelAgent {
    /// Its tile, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// The direction that it faces; default: a random one.
    pub facing: Option<Direction>,
    /// The amount of each item that it carries; default: the amount in the game.
    #[parameter(unit = "nb", range = 0.0..=1e6)]
    pub inventory: IndexMap<String, f64>,
}

/// A field of a level.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelField {
    /// Its tile, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// The stage of its crop. Default: random in games where crops grow from the first step, otherwise bare soil.
    pub stage: Option<String>,
    /// The value of the crop, if crops have different values; default: a random value.
    #[parameter(unit = "point", range = 0..=255)]
    pub base_value: Option<u32>,
}

/// A pen of a level, with its animal.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelPen {
    /// Its tile, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// The stage of the animal; default: a random stage.
    pub stage: Option<String>,
    /// The value of the animal; default: a random value.
    #[parameter(unit = "point", range = 0..=255)]
    pub base_value: Option<u32>,
    /// Whether it has paid already.
    pub has_paid: bool,
}

/// A barn of a level, with its animal.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelBarn {
    /// Its tile, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// The species that lives there; default: the species of the barn at this position in the list.
    pub species: Option<String>,
    /// The number of steps for which the animal is sated, from the first step; 0 means hungry.
    #[parameter(unit = "step", range = 0..=1_000_000)]
    pub sated_steps: u32,
    /// The value of its tick counter before the first step; below `ticks_per_deposit#nb` if a deposit resets the counter.
    #[parameter(unit = "nb", range = 0..=1_000_000)]
    pub ticks: u32,
    /// The number of products in stock.
    #[parameter(unit = "nb", range = 0..=1_000_000)]
    pub stock: u32,
}

/// A villager of a level.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelVillager {
    /// The tile of its house, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// Its mood, if verbs change moods; default: a random mood.
    pub mood: Option<String>,
    /// Its value; default: a random value.
    #[parameter(unit = "point", range = 0..=255)]
    pub base_value: Option<u32>,
    /// Whether it has paid already.
    pub has_paid: bool,
    /// Its relationship with the farmer, if gifts change relationships; default: a random value.
    #[parameter(name = "relationship#point", range = 0.0..=1000.0)]
    pub relationship_points: Option<f64>,
}

/// A market of a level.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelMarket {
    /// Its tile, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
}

/// A level.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Level {
    /// The game that it belongs to.
    pub game: String,
    /// Steps of an episode; default: the steps of the game.
    #[parameter(unit = "step", range = 1..=1_000_000)]
    pub steps: Option<u32>,
    /// The ground, one line per row from north to south: `.` is a free tile, `#` is a fence or an obstacle.
    pub map: String,
    /// The farmer.
    pub agent: LevelAgent,
    /// The fields: tiles of CropTiles, or of StagedTiles that pay when the farmer is on them, such as the trees of an orchard.
    pub fields: Vec<LevelField>,
    /// The pens: StagedTiles that advance by themselves and pay on their first entry.
    pub pens: Vec<LevelPen>,
    /// The barns of AnimalTiles.
    pub barns: Vec<LevelBarn>,
    /// The villagers of NeighbourTiles, or StagedTiles that only verbs change.
    pub villagers: Vec<LevelVillager>,
    /// The markets of MarketTiles.
    pub markets: Vec<LevelMarket>,
}

/// The keys that every level needs.
pub(super) const REQUIRED: [&str; 3] = ["game", "map", "agent"];

/// The keys of a level.
pub fn keys() -> Vec<ParameterDoc> {
    Level::table()
}

/// The JSON Schema of level files.
pub fn schema() -> serde_json::Value {
    table_schema("A level of a farm game", &keys(), &REQUIRED)
}
