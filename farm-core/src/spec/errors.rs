//! The codes of what a whole game must have.

use crate::codes;

codes! {
    /// What a whole game must have.
    pub enum GameError: "games" {
        /// This is not a game.
        ///
        /// A game is a mapping with `name`, `fields`, `farmers`, `rules` and `score`.
        NotAGame = "not-a-game",
        /// The game has no field.
        ///
        /// Without a field there is nothing to farm.
        NoField = "no-field",
        /// The game has no farmer.
        ///
        /// Without a farmer nobody acts.
        NoFarmer = "no-farmer",
        /// A field has no entity.
        ///
        /// Without weather, soil or plants nothing happens in it.
        NoEntity = "no-entity",
    }
}
