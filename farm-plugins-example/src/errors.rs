//! The error codes of this plugin. A plugin without its own codes uses `DeclarationError::PartProblem`.

use farm_core::codes;

codes! {
    /// The parts of the example plugin.
    pub enum ExampleError: "example plugin" {
        /// No action of the game has the name in the policy's parameter `action`.
        ///
        /// `RoundPolicy` takes one action on every plot in turn, so the rules of the game must allow it.
        NoSuchAction = "farm-plugins-example::no-such-action",
    }
}
