//! Error codes for the texts in a game.

use crate::codes;

codes! {
    /// The texts of a game, `goal` and `rules_text`, which are templates with values of the game.
    pub enum TemplateError: "texts" {
        /// The text is not a valid template.
        ///
        /// Write values within `{{ … }}` and conditions within `{% … %}`. Arithmetic and repetition by a number are not allowed.
        WrongTemplate = "wrong-template",
        /// The text uses an unknown filter or name.
        ///
        /// Write values with the name of a part, `part("Part-0")`, or with a path, `game.KEY`.
        UnknownPlaceholder = "unknown-placeholder",
        /// The text uses a value that this game does not have.
        ///
        /// The instructions leave out the text until it fits the game.
        TextDoesNotFit = "text-does-not-fit",
        /// The filled-in text is too long, or filling it in takes too many steps.
        ///
        /// Shorten the text and its loops.
        TextTooLong = "text-too-long",
    }
}
