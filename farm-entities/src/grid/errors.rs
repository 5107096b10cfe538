//! The codes of what does not fit on the map of a grid game.

use farm_core::codes;

codes! {
    /// Entities of grid games: the map, and what stands on it.
    pub enum GridError: "maps" {
        /// A tile or an area lies beyond the map.
        ///
        /// Coordinates count from 0 at the top-left corner.
        BeyondMap = "beyond-map",
        /// Two things stand on one tile.
        ///
        /// Each thing needs a tile of its own.
        TileTaken = "tile-taken",
        /// An area has fewer tiles than things.
        ///
        /// Enlarge the area, or place fewer things.
        AreaTooSmall = "area-too-small",
        /// The map has no terrain, status or place of this name.
        ///
        /// The map lists the names of what its tiles can be.
        UnknownTerrain = "unknown-terrain",
        /// The farmer carries nothing of this name.
        ///
        /// What a farmer can carry stands in its `inventory` or among its `stocks`.
        NotCarried = "not-carried",
        /// There is no stage or verb of this name.
        ///
        /// Stages and verbs are named where the things are declared.
        UnknownStage = "unknown-stage",
        /// The stages of a thing and its terrains do not fit together.
        ///
        /// A thing goes through at least two stages, and every stage has a terrain that shows it.
        WrongStages = "wrong-stages",
        /// The plan of the map is not made of rows of symbols.
        ///
        /// Each row has a symbol for each tile: `.` for ground, `#` for a wall, a digit for a segment of gates.
        WrongPlan = "wrong-plan",
        /// Some ground can't be reached, or it can't be proven that all of it can.
        ///
        /// A game that nobody can finish teaches nothing. Leave a gap in the walls, or use fewer segments.
        UnreachableGround = "unreachable-ground",
        /// The obstacles leave too little ground.
        ///
        /// Where more than a third of the map is blocked, worlds without a way are too frequent to be drawn.
        TooManyObstacles = "too-many-obstacles",
    }
}
