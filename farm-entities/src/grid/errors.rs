//! The error codes for the maps in grid games.

use farm_core::codes;

codes! {
    /// Entities of grid games: the map, and the things on it.
    pub enum GridError: "maps" {
        /// A tile or an area is outside the map.
        ///
        /// Coordinates count from 0 at the top-left corner.
        BeyondMap = "beyond-map",
        /// Two things are on one tile.
        ///
        /// Each thing needs its own tile.
        TileTaken = "tile-taken",
        /// An area has fewer tiles than things.
        ///
        /// Enlarge the area, or place fewer things.
        AreaTooSmall = "area-too-small",
        /// The map has no terrain, status or place with this name.
        ///
        /// The map lists the names of its terrains and statuses.
        UnknownTerrain = "unknown-terrain",
        /// The farmer carries no item with this name.
        ///
        /// The `inventory` or the `stocks` of a farmer list the items that it can carry.
        NotCarried = "not-carried",
        /// No stage or verb has this name.
        ///
        /// The entity that declares the things lists its stages and verbs.
        UnknownStage = "unknown-stage",
        /// The stages of a thing and its terrains do not fit together.
        ///
        /// A thing needs at least two stages, and every stage needs a terrain that shows it.
        WrongStages = "wrong-stages",
        /// The plan of the map does not consist of rows of symbols.
        ///
        /// Each row has one symbol for each tile: `.` for ground, `#` for a wall, a digit for a wall segment with one gate.
        WrongPlan = "wrong-plan",
        /// Some ground tiles can't be reached, or the check can't prove that all of them can.
        ///
        /// Players could not finish such a game. Leave a gap in the walls, or use fewer segments.
        UnreachableGround = "unreachable-ground",
        /// The obstacles leave too little ground.
        ///
        /// At most a third of the map can be obstacles. With more, too many random maps have unreachable ground.
        TooManyObstacles = "too-many-obstacles",
    }
}
