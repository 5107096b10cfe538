//! Our format of levels, declared once: the check of a file and the schema for editors read these tables.

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
    /// The direction in which it looks; drawn if nothing is said.
    pub facing: Option<Direction>,
    /// What it carries, by item; as in the game where nothing is said.
    #[parameter(unit = "nb", range = 0.0..=1e6)]
    pub inventory: IndexMap<String, f64>,
}

/// A field of a level.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelField {
    /// Its tile, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// The stage of its crop. Where crops grow from the first step on it is drawn if nothing is said, elsewhere the soil is bare.
    pub stage: Option<String>,
    /// What the crop pays, where that differs from crop to crop; drawn if nothing is said.
    #[parameter(unit = "point", range = 0..=255)]
    pub base_value: Option<u32>,
}

/// A pen of a level, with its animal.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelPen {
    /// Its tile, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// The tier of the animal; drawn if nothing is said.
    pub stage: Option<String>,
    /// What the animal pays; drawn if nothing is said.
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
    /// What lives there; by the order of the barns if nothing is said.
    pub species: Option<String>,
    /// In how many steps from the first on the animal is sated; 0 means hungry.
    #[parameter(unit = "step", range = 0..=1_000_000)]
    pub sated_steps: u32,
    /// Ticks that its counter has counted before the first step; fewer than `ticks_per_deposit#nb` where that sets it back to 0.
    #[parameter(unit = "nb", range = 0..=1_000_000)]
    pub ticks: u32,
    /// Products that wait to be collected.
    #[parameter(unit = "nb", range = 0..=1_000_000)]
    pub stock: u32,
}

/// A villager of a level.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct LevelVillager {
    /// The tile of its house, x and y from the top-left corner.
    #[parameter(range = 0..=999)]
    pub at: Vec<u32>,
    /// Its mood, where verbs change it; drawn if nothing is said.
    pub mood: Option<String>,
    /// What it pays; drawn if nothing is said.
    #[parameter(unit = "point", range = 0..=255)]
    pub base_value: Option<u32>,
    /// Whether it has paid already.
    pub has_paid: bool,
    /// How much it likes the farmer, where gifts change it; drawn if nothing is said.
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

/// A world.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Level {
    /// The game that it is a world of.
    pub game: String,
    /// Steps of an episode; as many as the game has if nothing is said.
    #[parameter(unit = "step", range = 1..=1_000_000)]
    pub steps: Option<u32>,
    /// The ground, a line per row from north to south: `.` can be entered, `#` is a fence or an obstacle.
    pub map: String,
    /// The farmer.
    pub agent: LevelAgent,
    /// The fields: what CropTiles has, or StagedTiles that pay when they are stood on, such as the trees of an orchard.
    pub fields: Vec<LevelField>,
    /// The pens: StagedTiles that advance by themselves and pay on their first entry.
    pub pens: Vec<LevelPen>,
    /// The barns: what AnimalTiles has.
    pub barns: Vec<LevelBarn>,
    /// The villagers: what NeighbourTiles has, or StagedTiles that wait for verbs.
    pub villagers: Vec<LevelVillager>,
    /// The markets: what MarketTiles has.
    pub markets: Vec<LevelMarket>,
}

/// What a level says in any case.
pub(super) const REQUIRED: [&str; 3] = ["game", "map", "agent"];

/// The keys of a level.
pub fn keys() -> Vec<ParameterDoc> {
    Level::table()
}

/// The JSON Schema of level files.
pub fn schema() -> serde_json::Value {
    table_schema("A level of a farm game", &keys(), &REQUIRED)
}
