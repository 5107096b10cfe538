//! The codes of conditions.

use crate::codes;

codes! {
    /// Conditions on variables, as rules and policies have them.
    pub enum ConditionError: "conditions" {
        /// This is not a list of lists of conditions.
        ///
        /// The conditions of an inner list must hold together; it is enough that one of the inner lists holds.
        NotConditions = "not-conditions",
        /// The function is not one that a condition or a monitor has, or does not fit the variable.
        ///
        /// A variable with several values is compared by a function of them, such as `mean`.
        WrongFunction = "wrong-function",
        /// The operator is not one that a condition has, or does not fit what it compares with.
        ///
        /// A list of values is compared by `in`, one value by the others.
        WrongOperator = "wrong-operator",
        /// The condition can never hold.
        ///
        /// The variable has no value that the condition is true of, so that it says nothing.
        NeverHolds = "never-holds",
    }
}
