//! The codes of what parts declare, and of what they need from one another.

use crate::codes;

codes! {
    /// What parts need from one another: a role is what a variable means to others.
    pub enum RoleError: "roles" {
        /// A part needs a role that no part provides.
        ///
        /// A plant can't grow without weather. Add a part that provides the role to the field.
        RoleWithoutProvider = "role-without-provider",
        /// Several parts of a field provide a role that one part is to provide.
        ///
        /// It would not be known whose value counts. Keep one of them.
        SeveralProviders = "several-providers",
        /// A field uses a part that is not a part of another field, or uses it twice.
        ///
        /// `uses:` shares what stands in another field, such as a tank; what stands in the field itself is found anyway.
        WrongUse = "wrong-use",
    }
}

codes! {
    /// What the author of a part has declared.
    pub enum DeclarationError: "declarations" {
        /// A part declares something that can't be right.
        ///
        /// A variable without a sentence, a range without a value, a shape that its role does not have, a picture of something that is not
        /// declared, or something else each time it is built: these are mistakes of the part's author.
        WrongDeclaration = "wrong-declaration",
        /// A plugin failed while one of its parts was asked for something.
        ///
        /// This is a defect of the plugin: tell its author, or take the part out of the game.
        PluginFailed = "plugin-failed",
        /// A part does not accept how it is used, or a class of Python can't be used as a part.
        ///
        /// The message says why. It is the code of parts whose authors have not declared codes of their own.
        PartProblem = "part-problem",
    }
}
