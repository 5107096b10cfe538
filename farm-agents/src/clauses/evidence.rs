//! The evidence of an action.

/// The index of a clause that an action is relevant to, and whether the action agrees with it.
pub(super) type Evidence = (usize, bool);
