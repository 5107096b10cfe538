//! Error codes for conditions.

use crate::codes;

codes! {
    /// Conditions on variables, in rules and policies.
    pub enum ConditionError: "conditions" {
        /// The conditions are not a list of lists.
        ///
        /// All conditions of an inner list must hold together. The conditions hold if at least one inner list holds.
        NotConditions = "not-conditions",
        /// The function is unknown, or does not fit the variable.
        ///
        /// Conditions and monitors reduce a variable with several values by a function such as `mean`.
        WrongFunction = "wrong-function",
        /// The operator is unknown, or does not fit the reference value.
        ///
        /// The operators `in` and `ni` accept a list of values, the others only one value.
        WrongOperator = "wrong-operator",
        /// The condition can never hold.
        ///
        /// No value of the variable meets the condition. Such a condition has no effect.
        NeverHolds = "never-holds",
    }
}
