//! The codes of the game's own texts.

use crate::codes;

codes! {
    /// A game's own texts, `goal` and `rules_text`, which are filled in from its values.
    pub enum TemplateError: "texts" {
        /// The text can't be read as a template.
        ///
        /// A value is named within `{{ … }}`, a condition within `{% … %}`; nothing is repeated by a number, and nothing multiplies.
        WrongTemplate = "wrong-template",
        /// The text names a filter or a value that no text has.
        ///
        /// Values are found by the name of a part or of a key of the game.
        UnknownPlaceholder = "unknown-placeholder",
        /// The text names something that this game lacks.
        ///
        /// The text is left out of the instructions until it fits the game.
        TextDoesNotFit = "text-does-not-fit",
        /// The text is too long, or takes too many steps, when it is filled in.
        ///
        /// Shorten it and its loops.
        TextTooLong = "text-too-long",
    }
}
