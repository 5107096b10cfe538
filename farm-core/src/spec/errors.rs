//! Error codes for the required contents of a game.

use crate::codes;

codes! {
    /// The required content of a game.
    pub enum GameError: "games" {
        /// The file is not a game.
        ///
        /// A game is a mapping with `name`, `fields`, `farmers`, `rules` and `score`.
        NotAGame = "not-a-game",
        /// The game has no field.
        ///
        /// A game needs at least one field with entities.
        NoField = "no-field",
        /// The game has no farmer.
        ///
        /// A game needs at least one farmer that executes actions.
        NoFarmer = "no-farmer",
        /// A field has no entity.
        ///
        /// A field needs at least one entity, such as weather, soil or a plant.
        NoEntity = "no-entity",
    }
}
