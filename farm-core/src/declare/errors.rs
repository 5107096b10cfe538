//! Error codes for the declarations of parts and for the roles that parts need.

use crate::codes;

codes! {
    /// The roles that parts need. A role is the meaning of a variable for other parts.
    pub enum RoleError: "roles" {
        /// A part needs a role that no part provides.
        ///
        /// A part cannot work without these roles: a plant cannot grow without weather. Add a part that provides the role to the field.
        RoleWithoutProvider = "role-without-provider",
        /// Several parts of a field provide a role that needs exactly one provider.
        ///
        /// It is not clear which value applies. Keep one of the parts.
        SeveralProviders = "several-providers",
        /// A field lists a part under `uses:` that is not in another field, or lists it twice.
        ///
        /// `uses:` shares a part of another field, such as a tank. Parts of the field itself need no `uses:`.
        WrongUse = "wrong-use",
    }
}

codes! {
    /// The declarations of a part's author.
    pub enum DeclarationError: "declarations" {
        /// The declaration of a part is invalid.
        ///
        /// Examples: a variable without a description, an empty range, a shape that its role does not have, a picture of an undeclared
        /// variable, or different declarations in each build. These are errors of the part's author.
        WrongDeclaration = "wrong-declaration",
        /// A plugin failed in a call to one of its parts.
        ///
        /// This is a defect in the plugin. Report it to its author, or remove the part from the game.
        PluginFailed = "plugin-failed",
        /// A part does not accept its use in this game, or a Python class cannot be used as a part.
        ///
        /// The message gives the reason. Parts whose authors declare no codes use this code.
        PartProblem = "part-problem",
    }
}
