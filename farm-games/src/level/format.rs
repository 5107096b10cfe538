//! Our format of levels, declared once: the check of a file and the schema for editors read these tables.

use farm_core::config::{ParameterDoc, Parameters};
use farm_core::spec::table_schema;
use indexmap::IndexMap;

use crate::farmers::Direction;

farm_core::parameters! {
    /// The farmer of a level.
    pub struct LevelAgent {
        /// Its tile, x and y from the top-left corner.
        pub at: Vec<u32> = Vec::new(), [0, 999];
        /// The direction in which it looks; drawn if nothing is said.
        pub facing: Option<Direction> = None;
        /// What it carries, by item; as in the game where nothing is said.
        pub inventory: IndexMap<String, f64> = IndexMap::new(), "inventory#nb", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// A field of a level.
    pub struct LevelField {
        /// Its tile, x and y from the top-left corner.
        pub at: Vec<u32> = Vec::new(), [0, 999];
        /// The stage of its crop. Where crops grow from the first step on it is drawn if nothing is said, elsewhere the soil is bare.
        pub stage: Option<String> = None;
        /// What the crop pays, where that differs from crop to crop; drawn if nothing is said.
        pub base_value: Option<u32> = None, "base_value#point", [0, 255];
    }
}

farm_core::parameters! {
    /// A pen of a level, with its animal.
    pub struct LevelPen {
        /// Its tile, x and y from the top-left corner.
        pub at: Vec<u32> = Vec::new(), [0, 999];
        /// The tier of the animal; drawn if nothing is said.
        pub stage: Option<String> = None;
        /// What the animal pays; drawn if nothing is said.
        pub base_value: Option<u32> = None, "base_value#point", [0, 255];
        /// Whether it has paid already.
        pub has_paid: bool = false;
    }
}

farm_core::parameters! {
    /// A barn of a level, with its animal.
    pub struct LevelBarn {
        /// Its tile, x and y from the top-left corner.
        pub at: Vec<u32> = Vec::new(), [0, 999];
        /// What lives there; by the order of the barns if nothing is said.
        pub species: Option<String> = None;
        /// In how many steps from the first on the animal is sated; 0 means hungry.
        pub sated_steps: u32 = 0, "sated_steps#step", [0, 1_000_000];
        /// Ticks that its counter has counted before the first step; fewer than `ticks_per_deposit#nb` where that sets it back to 0.
        pub ticks: u32 = 0, "ticks#nb", [0, 1_000_000];
        /// Products that wait to be collected.
        pub stock: u32 = 0, "stock#nb", [0, 1_000_000];
    }
}

farm_core::parameters! {
    /// A villager of a level.
    pub struct LevelVillager {
        /// The tile of its house, x and y from the top-left corner.
        pub at: Vec<u32> = Vec::new(), [0, 999];
        /// Its mood, where verbs change it; drawn if nothing is said.
        pub mood: Option<String> = None;
        /// What it pays; drawn if nothing is said.
        pub base_value: Option<u32> = None, "base_value#point", [0, 255];
        /// Whether it has paid already.
        pub has_paid: bool = false;
        /// How much it likes the farmer, where gifts change it; drawn if nothing is said.
        pub relationship_points: Option<f64> = None, "relationship#point", [0.0, 1000.0];
    }
}

farm_core::parameters! {
    /// A market of a level.
    pub struct LevelMarket {
        /// Its tile, x and y from the top-left corner.
        pub at: Vec<u32> = Vec::new(), [0, 999];
    }
}

farm_core::parameters! {
    /// A world.
    pub struct Level {
        /// The game that it is a world of.
        pub game: String = String::new();
        /// Steps of an episode; as many as the game has if nothing is said.
        pub steps: Option<u32> = None, "steps#step", [1, 1_000_000];
        /// The ground, a line per row from north to south: `.` can be entered, `#` is a fence or an obstacle.
        pub map: String = String::new();
        /// The farmer.
        pub agent: LevelAgent = LevelAgent::default();
        /// The fields: what CropTiles has, or StagedTiles that pay when they are stood on, such as the trees of an orchard.
        pub fields: Vec<LevelField> = Vec::new();
        /// The pens: StagedTiles that advance by themselves and pay on their first entry.
        pub pens: Vec<LevelPen> = Vec::new();
        /// The barns: what AnimalTiles has.
        pub barns: Vec<LevelBarn> = Vec::new();
        /// The villagers: what NeighbourTiles has, or StagedTiles that wait for verbs.
        pub villagers: Vec<LevelVillager> = Vec::new();
        /// The markets: what MarketTiles has.
        pub markets: Vec<LevelMarket> = Vec::new();
    }
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
